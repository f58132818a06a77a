//! Names, tables and tensors of one graph, and of its subgraphs with names of their own.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::error::{ImportError, quoted};
use crate::expr::SymExpr;
use crate::schema::{Argument, Graph, Layout, Node, RangeConstraint, ScalarType, SymInt, Target, TensorMeta, ValueKind};
use crate::tensor_data::MAX_RANK;

type Symbols = BTreeMap<String, RangeConstraint>;

/// Checks a graph at a place of the JSON, with the symbols that expressions may use.
pub(super) fn check(graph: &Graph, place: &str, symbols: &Symbols) -> Result<(), ImportError> {
    tables(graph, place, symbols)?;
    let mut scope = Scope::new(graph, place)?;
    for (index, input) in graph.inputs.iter().enumerate() {
        let at = || format!("{place}.inputs[{index}]");
        scope.define_input(input).map_err(|error| error.at(at))?;
    }
    let mut names = HashSet::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let at = || node_place(place, index, node);
        if let Some(name) = &node.name
            && !names.insert(name.as_str())
        {
            return Err(ImportError::mismatch("unique node names", "this one twice").at(at));
        }
        check_call(node).map_err(|error| error.at(at))?;
        check_inputs(node, index, place, &scope, symbols)?;
        for (nth, output) in node.outputs.iter().enumerate() {
            let define = scope.define_result(output);
            define.map_err(|error| error.at(|| format!("{}.outputs[{nth}]", at())))?;
        }
    }
    for (index, output) in graph.outputs.iter().enumerate() {
        let at = || format!("{place}.outputs[{index}]");
        if let Argument::Graph(_) = output {
            return Err(ImportError::mismatch("a value", "as_graph").at(at));
        }
        scope.use_values(output).map_err(|error| error.at(at))?;
    }
    Ok(())
}

/// Index and name of a node, for messages.
fn node_place(graph: &str, index: usize, node: &Node) -> String {
    let name = node.name.as_deref().unwrap_or(&node.target);
    format!("{graph}.nodes[{index}] {}", quoted(name))
}

fn check_call(node: &Node) -> Result<(), ImportError> {
    if Target::parse(&node.target).is_none() {
        let expected = "a target such as torch.ops.aten.add.Tensor or _operator.mul";
        return Err(ImportError::mismatch(expected, quoted(&node.target)));
    }
    if node.name.as_deref() == Some("") {
        return Err(ImportError::mismatch("a node name", "an empty one"));
    }
    let mut seen = HashSet::new();
    let mut names = node.inputs.iter().map(|input| input.name.as_str());
    match names.find(|name| !name.is_empty() && !seen.insert(*name)) {
        None => Ok(()),
        Some(name) => {
            let found = format!("{} twice", quoted(name));
            Err(ImportError::mismatch("unique argument names", found))
        }
    }
}

fn check_inputs(node: &Node, index: usize, place: &str, scope: &Scope<'_>, symbols: &Symbols) -> Result<(), ImportError> {
    for (nth, input) in node.inputs.iter().enumerate() {
        let at = || {
            let node = node_place(place, index, node);
            match input.name.as_str() {
                "" => format!("{node}.inputs[{nth}]"),
                name => format!("{node}.inputs[{nth}] {}", quoted(name)),
            }
        };
        scope.use_values(&input.arg).map_err(|error| error.at(at))?;
        subgraphs(&input.arg, &at, symbols)?;
    }
    Ok(())
}

/// Checks the graphs in an argument, each in a scope of its own.
fn subgraphs(argument: &Argument, at: &dyn Fn() -> String, symbols: &Symbols) -> Result<(), ImportError> {
    match argument {
        Argument::Graph(sub) => {
            let place = format!("{}.graph {}", at(), quoted(&sub.name));
            check(&sub.graph, &place, symbols)
        }
        Argument::StringToArgument(map) => map.values().try_for_each(|argument| subgraphs(argument, at, symbols)),
        _ => Ok(()),
    }
}

/// The values of a graph, and which of them are defined so far.
struct Scope<'a> {
    values: HashMap<&'a str, (ValueKind, bool)>,
}

impl<'a> Scope<'a> {
    /// All values of a graph's tables, none defined.
    fn new(graph: &'a Graph, place: &str) -> Result<Self, ImportError> {
        let tensors = graph.tensor_values.keys().map(|k| (k, ValueKind::Tensor));
        let ints = graph.sym_int_values.keys().map(|k| (k, ValueKind::SymInt));
        let floats = graph.sym_float_values.keys().map(|k| (k, ValueKind::SymFloat));
        let bools = graph.sym_bool_values.keys().map(|k| (k, ValueKind::SymBool));
        let objects = graph.custom_obj_values.keys().map(|k| (k, ValueKind::CustomObj));
        let mut values = HashMap::with_capacity(graph.tensor_values.len());
        for (name, kind) in tensors.chain(ints).chain(floats).chain(bools).chain(objects) {
            if let Some((other, _)) = values.insert(name.as_str(), (kind, false)) {
                let found = format!("{} as {} and as {}", quoted(name), other.name(), kind.name());
                let expected = "a value in one table";
                return Err(ImportError::mismatch(expected, found).at(|| place.to_owned()));
            }
        }
        Ok(Self { values })
    }

    fn define(&mut self, kind: ValueKind, name: &str) -> Result<(), ImportError> {
        let expected = || format!("{} {} in its table", kind.name(), quoted(name));
        match self.values.get_mut(name) {
            None => Err(ImportError::mismatch(expected(), "none")),
            Some((found, _)) if *found != kind => Err(ImportError::mismatch(expected(), format!("a {}", found.name()))),
            Some((_, true)) => {
                let expected = format!("one definition of {}", quoted(name));
                Err(ImportError::mismatch(expected, "a second one"))
            }
            Some((_, defined)) => {
                *defined = true;
                Ok(())
            }
        }
    }

    /// A placeholder: one value, or a constant in place.
    fn define_input(&mut self, argument: &Argument) -> Result<(), ImportError> {
        match argument {
            Argument::Tensor(_)
            | Argument::SymInt(_)
            | Argument::SymFloat(_)
            | Argument::SymBool(_)
            | Argument::CustomObj(_)
            | Argument::None
            | Argument::Int(_)
            | Argument::Float(_)
            | Argument::Bool(_)
            | Argument::String(_) => self.define_all(argument),
            other => Err(ImportError::mismatch("one value or a constant", other.key())),
        }
    }

    /// A result: values, or constants in place.
    fn define_result(&mut self, argument: &Argument) -> Result<(), ImportError> {
        match argument {
            Argument::Graph(_)
            | Argument::Operator(_)
            | Argument::StringToArgument(_)
            | Argument::Device(_)
            | Argument::ScalarType(_)
            | Argument::MemoryFormat(_)
            | Argument::Layout(_) => Err(ImportError::mismatch("values or constants", argument.key())),
            _ => self.define_all(argument),
        }
    }

    fn define_all(&mut self, argument: &Argument) -> Result<(), ImportError> {
        argument.values().into_iter().try_for_each(|(kind, name)| self.define(kind, name))
    }

    fn use_values(&self, argument: &Argument) -> Result<(), ImportError> {
        for (kind, name) in argument.values() {
            let expected = || format!("{} {} defined before its use", kind.name(), quoted(name));
            match self.values.get(name) {
                Some((found, true)) if *found == kind => {}
                Some((_, false)) => {
                    return Err(ImportError::mismatch(expected(), "a later definition or none"));
                }
                Some((found, true)) => {
                    return Err(ImportError::mismatch(expected(), format!("a {}", found.name())));
                }
                None => return Err(ImportError::mismatch(expected(), "no such value")),
            }
        }
        Ok(())
    }
}

/// Checks what the tables say of the values.
fn tables(graph: &Graph, place: &str, symbols: &Symbols) -> Result<(), ImportError> {
    for (name, meta) in &graph.tensor_values {
        tensor(meta, symbols).map_err(|error| error.at(|| format!("{place}.tensor_values {}", quoted(name))))?;
    }
    let at = |table: &str, name: &str| format!("{place}.{table} {}", quoted(name));
    for (name, value) in &graph.sym_int_values {
        expression(value.expr(), false, symbols).map_err(|error| error.at(|| at("sym_int_values", name)))?;
    }
    for (name, value) in &graph.sym_float_values {
        expression(value.expr(), false, symbols).map_err(|error| error.at(|| at("sym_float_values", name)))?;
    }
    for (name, value) in &graph.sym_bool_values {
        expression(value.expr(), true, symbols).map_err(|error| error.at(|| at("sym_bool_values", name)))?;
    }
    for (name, object) in &graph.custom_obj_values {
        if *name != object.name {
            let expected = format!("a custom object {}", quoted(name));
            return Err(ImportError::mismatch(expected, quoted(&object.name)).at(|| at("custom_obj_values", name)));
        }
    }
    Ok(())
}

fn tensor(meta: &TensorMeta, symbols: &Symbols) -> Result<(), ImportError> {
    if meta.dtype == ScalarType::Unknown {
        return Err(ImportError::mismatch("a dtype", "unknown"));
    }
    if meta.rank() > MAX_RANK {
        let expected = format!("at most {MAX_RANK} dimensions");
        return Err(ImportError::mismatch(expected, meta.rank().to_string()));
    }
    if meta.layout == Layout::Strided && meta.strides.len() != meta.rank() {
        let expected = format!("{} strides", meta.rank());
        return Err(ImportError::mismatch(expected, meta.strides.len().to_string()));
    }
    extents("size", &meta.sizes, symbols)?;
    extents("stride", &meta.strides, symbols)?;
    extents("storage offset", std::slice::from_ref(&meta.storage_offset), symbols)?;
    let known = meta.sizes.iter().filter_map(SymInt::as_int);
    let elements = known.clone().try_fold(1i64, |product, size| product.checked_mul(size));
    if elements.is_none() && known.clone().all(|size| size != 0) {
        let expected = "a number of elements of 63 bits";
        return Err(ImportError::mismatch(expected, format!("sizes {:?}", known.collect::<Vec<_>>())));
    }
    Ok(())
}

/// Checks numbers that are not negative.
fn extents(what: &str, extents: &[SymInt], symbols: &Symbols) -> Result<(), ImportError> {
    for extent in extents {
        match extent {
            SymInt::Int(value) if *value < 0 => {
                let expected = format!("a {what} of at least 0");
                return Err(ImportError::mismatch(expected, value.to_string()));
            }
            _ => expression(extent.expr(), false, symbols)?,
        }
    }
    Ok(())
}

/// Checks that an expression is of the right kind and that its symbols are known.
fn expression(expr: Option<&SymExpr>, boolean: bool, symbols: &Symbols) -> Result<(), ImportError> {
    let Some(expr) = expr else {
        return Ok(());
    };
    if expr.is_boolean() != boolean {
        let expected = if boolean { "a condition" } else { "a number" };
        return Err(ImportError::mismatch(expected, quoted(&expr.to_string())));
    }
    let mut unknown = None;
    expr.for_each_symbol(&mut |symbol| {
        if unknown.is_none() && !symbols.contains_key(symbol) {
            unknown = Some(symbol);
        }
    });
    match unknown {
        None => Ok(()),
        Some(symbol) => {
            let expected = format!("a range of symbol {} in range_constraints", quoted(symbol));
            Err(ImportError::mismatch(expected, "none"))
        }
    }
}
