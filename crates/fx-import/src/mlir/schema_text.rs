//! Operator schemas in PyTorch's text form, such as
//! `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.
//!
//! They say what an archive leaves out: arguments at their defaults, which results alias an argument
//! (`Tensor(a)`), and which arguments are written (`Tensor(a!)`). The texts are data
//! (`aten_schemas.txt`); a schema is parsed when it is first asked for. Defaults are [`Argument`]s, so
//! that they convert as given arguments do.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::schema::{Argument, ScalarType};

/// The schemas that the importer knows.
const TEXTS: &str = include_str!("aten_schemas.txt");

/// An operator's arguments and results.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) arguments: Vec<Parameter>,
    pub(super) results: Vec<Kind>,
}

/// An argument of a schema.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) default: Option<Argument>,
}

/// A type of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kind {
    /// Such as `Tensor` or `SymInt`.
    pub(super) base: &'static str,
    /// Number of elements of a list: 0 if it is not stated; none if it is no list.
    pub(super) list: Option<usize>,
    /// The set of values that share memory with it.
    pub(super) alias: Option<&'static str>,
    /// Whether the operator writes to it.
    pub(super) written: bool,
}

/// The schema of an overload such as `aten.add.Tensor`.
pub(super) fn find(overload: &str) -> Option<&'static Schema> {
    type Entry = (&'static str, OnceLock<Option<Schema>>);
    static TABLE: OnceLock<HashMap<String, Entry>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let lines = TEXTS.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(|line| Some((overload_of(line)?, (line, OnceLock::new())))).collect()
    });
    let (text, parsed) = table.get(overload)?;
    parsed.get_or_init(|| parse(text)).as_ref()
}

/// The overload that a schema is of, such as `aten.add.Tensor`.
fn overload_of(text: &str) -> Option<String> {
    let (name, _) = text.split_once('(')?;
    let (namespace, name) = name.split_once("::")?;
    Some(match name.contains('.') {
        true => format!("{namespace}.{name}"),
        false => format!("{namespace}.{name}.default"),
    })
}

fn parse(text: &'static str) -> Option<Schema> {
    let (_, rest) = text.split_once('(')?;
    let (arguments, results) = rest.rsplit_once(") -> ")?;
    let arguments = split(arguments).into_iter().filter(|text| *text != "*");
    let results = match results.strip_prefix('(') {
        Some(list) => split(list.strip_suffix(')')?),
        None => vec![results],
    };
    Some(Schema {
        arguments: arguments.map(parameter).collect::<Option<_>>()?,
        results: results.into_iter().map(result).collect::<Option<_>>()?,
    })
}

/// Splits at the commas that no bracket or quote holds.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let parts = text.split(|c: char| {
        if escaped {
            escaped = false;
        } else if let Some(open) = quote {
            escaped = c == '\\';
            quote = (c != open).then_some(open);
        } else {
            match c {
                '"' | '\'' => quote = Some(c),
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' => return depth == 0,
                _ => {}
            }
        }
        false
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn parameter(text: &'static str) -> Option<Parameter> {
    let (kind, rest) = kind(text)?;
    let rest = rest.trim_start();
    let (name, default) = match rest.split_once('=') {
        Some((name, default)) => (name, Some(default_of(&kind, default)?)),
        None => (rest, None),
    };
    Some(Parameter { name, kind, default })
}

fn result(text: &'static str) -> Option<Kind> {
    kind(text).map(|(kind, _)| kind)
}

/// Reads a type and gives the rest of the text.
fn kind(text: &'static str) -> Option<(Kind, &'static str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (base, mut rest) = text.split_at_checked(end)?;
    let mut kind = Kind { base, list: None, alias: None, written: false };
    loop {
        if let Some(inner) = rest.strip_prefix('(') {
            let (alias, after) = inner.split_once(')')?;
            let set = alias.split("->").next()?.trim();
            kind.written = set.ends_with('!');
            kind.alias = Some(set.trim_end_matches('!'));
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (count, after) = inner.split_once(']')?;
            kind.list = Some(count.parse().unwrap_or(0));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('?') {
            rest = after;
        } else {
            return Some((kind, rest));
        }
    }
}

/// c10's numbers of dtypes, which schemas use for defaults. The archive has others.
const C10_DTYPES: [ScalarType; 12] = [
    ScalarType::UInt8,
    ScalarType::Int8,
    ScalarType::Int16,
    ScalarType::Int32,
    ScalarType::Int64,
    ScalarType::Float16,
    ScalarType::Float32,
    ScalarType::Float64,
    ScalarType::Complex32,
    ScalarType::Complex64,
    ScalarType::Complex128,
    ScalarType::Bool,
];

fn default_of(kind: &Kind, text: &str) -> Option<Argument> {
    let default = literal(text, kind.base == "float")?;
    match default {
        Argument::Int(number) if kind.base == "ScalarType" => {
            let dtype = C10_DTYPES.get(usize::try_from(number).ok()?)?;
            Some(Argument::ScalarType(*dtype))
        }
        _ => Some(default),
    }
}

/// Reads a default value, or a constant of the dialect's overload strings.
pub(super) fn literal(text: &str, as_float: bool) -> Option<Argument> {
    if let Some(list) = text.strip_prefix('[') {
        let items = split(list.strip_suffix(']')?);
        let items = items.into_iter().map(|item| literal(item, as_float));
        return list_of(items.collect::<Option<Vec<_>>>()?, as_float);
    }
    if let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return Some(Argument::String(quoted.to_owned()));
    }
    Some(match text {
        "None" => Argument::None,
        "True" | "true" => Argument::Bool(true),
        "False" | "false" => Argument::Bool(false),
        _ => match text.parse::<i64>() {
            Ok(value) if as_float => Argument::Float(value as f64),
            Ok(value) => Argument::Int(value),
            Err(_) => Argument::Float(text.parse().ok()?),
        },
    })
}

fn list_of(items: Vec<Argument>, as_float: bool) -> Option<Argument> {
    if as_float || matches!(items.first(), Some(Argument::Float(_))) {
        let floats = items.iter().map(|item| match item {
            Argument::Float(value) => Some(*value),
            Argument::Int(value) => Some(*value as f64),
            _ => None,
        });
        return Some(Argument::Floats(floats.collect::<Option<_>>()?));
    }
    if let Some(Argument::Bool(_)) = items.first() {
        let bools = items.iter().map(|item| match item {
            Argument::Bool(value) => Some(*value),
            _ => None,
        });
        return Some(Argument::Bools(bools.collect::<Option<_>>()?));
    }
    let ints = items.iter().map(|item| match item {
        Argument::Int(value) => Some(*value),
        _ => None,
    });
    Some(Argument::Ints(ints.collect::<Option<_>>()?))
}

impl Schema {
    /// The argument of that name.
    pub(super) fn argument(&self, name: &str) -> Option<&Parameter> {
        self.arguments.iter().find(|argument| argument.name == name)
    }

    /// Whether the operator writes to an argument.
    pub(super) fn writes(&self) -> bool {
        self.arguments.iter().any(|argument| argument.kind.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_schema_parses() {
        for line in TEXTS.lines().filter(|line| !line.starts_with('#')) {
            assert!(overload_of(line).is_some() && parse(line).is_some(), "{line}");
        }
    }

    #[test]
    fn defaults_aliases_and_lists_are_read() {
        let add = find("aten.add_.Tensor").unwrap();
        assert!(add.writes());
        assert_eq!(add.arguments[0].kind.alias, Some("a"));
        assert_eq!(add.argument("alpha").unwrap().default, Some(Argument::Int(1)));
        let pool = find("aten.max_pool2d_with_indices.default").unwrap();
        assert_eq!(pool.argument("stride").unwrap().default, Some(Argument::Ints(vec![])));
        assert_eq!(pool.argument("kernel_size").unwrap().kind.list, Some(2));
        let indices = find("aten.tril_indices.default").unwrap();
        let dtype = indices.argument("dtype").unwrap().default.clone();
        assert_eq!(dtype, Some(Argument::ScalarType(ScalarType::Int64)));
        let split = find("aten.split.Tensor").unwrap();
        assert_eq!(split.arguments[0].kind.alias, Some("a"));
        assert_eq!(split.results[0].list, Some(0));
    }
}
