//! What the inputs and outputs of a program are, as attributes.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use fx_ir::{Attribute, Context, DYNAMIC, Type};

use super::problem::{Outcome, Problem};
use super::types;
use crate::expr::SymExpr;
use crate::schema::{ConstantValue, InputSpec, OutputSpec, RangeConstraint, SymInt, TensorMeta};
use crate::treespec::{DictKey, TreeKind, TreeSpec};

/// Attributes of an argument, of a result or of the function.
pub(super) type Attributes<'c> = Vec<(&'static str, Attribute<'c>)>;

/// Symbols of the arguments' sizes.
pub(super) struct Symbols<'a> {
    ranges: &'a BTreeMap<String, RangeConstraint>,
    used: BTreeMap<String, [i64; 2]>,
    compound: HashMap<String, String>,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(ranges: &'a BTreeMap<String, RangeConstraint>) -> Self {
        Self { ranges, used: BTreeMap::new(), compound: HashMap::new() }
    }

    /// The symbol that an expression is the value of; a compound expression gets one of its own.
    pub(super) fn name(&mut self, expr: &SymExpr) -> String {
        if let Some(name) = expr.as_symbol() {
            if !self.used.contains_key(name) {
                let range = self.ranges.get(name);
                let min = range.and_then(|range| range.min_val).unwrap_or(0).max(0);
                let max = range.and_then(|range| range.max_val);
                let max = max.filter(|max| *max >= min).unwrap_or(-1);
                self.used.insert(name.to_owned(), [min, max]);
            }
            return name.to_owned();
        }
        let text = expr.to_string();
        if let Some(name) = self.compound.get(&text) {
            return name.clone();
        }
        let taken = |name: &String| self.ranges.contains_key(name) || self.used.contains_key(name);
        let mut number = self.compound.len();
        let mut name = format!("e{number}");
        while taken(&name) {
            number += 1;
            name = format!("e{number}");
        }
        self.used.insert(name.clone(), [0, -1]);
        self.compound.insert(text, name.clone());
        name
    }

    /// `["s0", 4]`, if some size is known only at run time.
    pub(super) fn dims<'c>(&mut self, context: &'c Context, meta: &TensorMeta) -> Option<Attribute<'c>> {
        if !meta.sizes.iter().any(|size| types::size(size) == DYNAMIC) {
            return None;
        }
        let dims = meta.sizes.iter().map(|size| match size {
            SymInt::Expr(value) if types::size(size) == DYNAMIC => Attribute::string(context, &self.name(&value.expr)),
            _ => Attribute::i64(context, types::size(size)),
        });
        let dims: Vec<Attribute<'c>> = dims.collect();
        Some(Attribute::array(context, &dims))
    }

    /// `{s0 = array<i64: 2, -1>}`
    pub(super) fn ranges<'c>(&self, context: &'c Context) -> Option<Attribute<'c>> {
        let entries: Vec<_> = self.used.iter().map(|(name, range)| (name.as_str(), Attribute::i64s(context, range))).collect();
        (!entries.is_empty()).then(|| Attribute::dictionary(context, &entries))
    }
}

/// Attributes of an argument; `name` is the placeholder's.
pub(super) fn input<'c>(context: &'c Context, spec: &InputSpec, name: &str) -> Outcome<Attributes<'c>> {
    let (kind, target) = match spec {
        InputSpec::Parameter(spec) => ("parameter", spec.parameter_name.as_str()),
        InputSpec::Buffer(spec) => ("buffer", spec.buffer_name.as_str()),
        InputSpec::TensorConstant(spec) => ("constant", spec.tensor_constant_name.as_str()),
        InputSpec::UserInput(_) => ("input", name),
        InputSpec::CustomObj(_) | InputSpec::Token(_) | InputSpec::ConstantInput(_) => {
            return Err(Problem::new(format!("an input of kind '{}' is not supported", spec.key()), "export the model without it"));
        }
    };
    let text = |text| Attribute::string(context, text);
    let mut attributes = vec![("fx.kind", text(kind)), ("fx.target", text(target)), ("fx.name", text(name))];
    if let InputSpec::Buffer(spec) = spec
        && !spec.persistent
    {
        attributes.push(("fx.persistent", Attribute::bool(context, false)));
    }
    Ok(attributes)
}

/// Attributes of the result that is the new value of an argument with these attributes.
pub(super) fn mutation<'c>(context: &'c Context, spec: &InputSpec, name: &str) -> Attributes<'c> {
    let (kind, target) = match spec {
        InputSpec::Parameter(spec) => ("parameter_mutation", spec.parameter_name.as_str()),
        InputSpec::Buffer(spec) => ("buffer_mutation", spec.buffer_name.as_str()),
        _ => ("input_mutation", name),
    };
    kind_and(context, kind, "fx.mutates", target)
}

fn kind_and<'c>(context: &'c Context, kind: &str, key: &'static str, target: &str) -> Attributes<'c> {
    vec![("fx.kind", Attribute::string(context, kind)), (key, Attribute::string(context, target))]
}

/// Attributes of a result.
pub(super) fn output<'c>(context: &'c Context, spec: &OutputSpec) -> Outcome<Attributes<'c>> {
    let with = |kind, key, target: &str| Ok(kind_and(context, kind, key, target));
    let only = |kind| Ok(vec![("fx.kind", Attribute::string(context, kind))]);
    match spec {
        OutputSpec::UserOutput(_) => only("output"),
        OutputSpec::LossOutput(_) => only("loss"),
        OutputSpec::BufferMutation(spec) => with("buffer_mutation", "fx.mutates", &spec.buffer_name),
        OutputSpec::ParameterMutation(spec) => with("parameter_mutation", "fx.mutates", &spec.parameter_name),
        OutputSpec::UserInputMutation(spec) => with("input_mutation", "fx.mutates", &spec.user_input_name),
        OutputSpec::GradientToParameter(spec) => with("parameter_gradient", "fx.target", &spec.parameter_name),
        OutputSpec::GradientToUserInput(spec) => with("input_gradient", "fx.target", &spec.user_input_name),
        OutputSpec::Token(_) => Err(Problem::new("an output of kind 'token' is not supported", "export the model without it")),
    }
}

/// A fixed input: `{index, name, value}`; `None` has no value.
pub(super) fn constant_input<'c>(context: &'c Context, index: i64, name: &str, value: &ConstantValue) -> Attribute<'c> {
    let mut entries = vec![("index", Attribute::i64(context, index)), ("name", Attribute::string(context, name))];
    let value = match value {
        ConstantValue::None => None,
        ConstantValue::Int(value) => Some(Attribute::i64(context, *value)),
        ConstantValue::Float(value) => Some(Attribute::float(context, Type::f64(context), *value)),
        ConstantValue::String(text) => Some(Attribute::string(context, text)),
        ConstantValue::Bool(value) => Some(Attribute::bool(context, *value)),
    };
    entries.extend(value.map(|value| ("value", value)));
    Attribute::dictionary(context, &entries)
}

/// A calling convention as text, with `*` for a leaf: `((*, {"x": *}), {})`.
pub(super) fn tree(spec: &TreeSpec) -> String {
    let mut text = String::new();
    write_tree(spec, &mut text);
    text
}

fn write_tree(spec: &TreeSpec, out: &mut String) {
    let children = spec.children();
    match spec.kind() {
        TreeKind::Leaf => out.push('*'),
        TreeKind::Tuple => {
            let close = if children.len() == 1 { ",)" } else { ")" };
            write_list(children, &[], ["(", close], out);
        }
        TreeKind::List => write_list(children, &[], ["[", "]"], out),
        TreeKind::Deque => write_list(children, &[], ["deque([", "])"], out),
        TreeKind::Dict(keys) => write_list(children, &labels(keys), ["{", "}"], out),
        TreeKind::OrderedDict(keys) => {
            write_list(children, &labels(keys), ["OrderedDict({", "})"], out);
        }
        TreeKind::DefaultDict(keys) => {
            write_list(children, &labels(keys), ["defaultdict({", "})"], out);
        }
        TreeKind::NamedTuple { type_name, fields } => {
            let fields = fields.iter().flat_map(|fields| fields.iter());
            let fields: Vec<String> = fields.map(|field| format!("{field}=")).collect();
            out.push_str(type_name);
            write_list(children, &fields, ["(", ")"], out);
        }
        TreeKind::Other { type_name, context } => {
            // A `String` takes any text.
            let _ = write!(out, "{type_name}<{context:?}>");
            write_list(children, &[], ["(", ")"], out);
        }
    }
}

fn labels(keys: &[DictKey]) -> Vec<String> {
    let label = |key: &DictKey| match key {
        DictKey::Str(text) => format!("{text:?}: "),
        DictKey::Int(value) => format!("{value}: "),
        DictKey::Bool(value) => format!("{value}: "),
        DictKey::Other(text) => format!("{text}: "),
    };
    keys.iter().map(label).collect()
}

fn write_list(children: &[TreeSpec], labels: &[String], [open, close]: [&str; 2], out: &mut String) {
    out.push_str(open);
    for (index, child) in children.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        out.push_str(labels.get(index).map_or("", String::as_str));
        write_tree(child, out);
    }
    out.push_str(close);
}
