//! From MLIR to plain data: the only file that sees MLIR.

use std::collections::HashMap;

use fx_ir::{ArgKind, Attribute, DYNAMIC, Message, Module, NumberKind as MlirKind, OP_DEFS, Op, Severity, Type, Value};
use fx_runtime::plan::{ArgumentKind, OutputKind};

use crate::Result;
use crate::array::{Array, Complex, DType};
use crate::graph::{Argument, Attr, Block, Graph, Node, NumberKind, Symbol, ValueId, ValueType};
use crate::value::Number;

/// An error at an op's place.
pub fn error_at(location: &str, text: String) -> Message {
    Message { severity: Severity::Error, location: location.to_string(), text, notes: Vec::new() }
}

/// Reads `@main` of a module of phase `fx`.
///
/// # Errors
/// If it is not there, or has what the evaluator does not know.
pub fn read(module: &Module<'_>) -> std::result::Result<Graph, Message> {
    let main = module.function("main").ok_or_else(|| error_at("-", "the program has no function '@main'".into()))?;
    let mut reader = Reader { ids: HashMap::new() };
    let body = main.body(0).ok_or_else(|| error_at(&location(main), "function '@main' has no body".into()))?;
    let mut arguments = Vec::new();
    for (i, value) in body.arguments().into_iter().enumerate() {
        arguments.push(argument(main, i, value.ty()).map_err(|text| error_at(&location(main), text))?);
    }
    let body = reader.block(body)?;
    let results = body.nodes.last().map_or(0, |node| node.operands.len());
    let outputs = (0..results).map(|i| output(main, i)).collect();
    Ok(Graph { arguments, outputs, symbols: symbols(main), body, values: reader.ids.len() })
}

/// Where an op comes from, as messages print it.
fn location(op: Op<'_>) -> String {
    let text = op.location().to_string();
    text.strip_prefix("loc(").and_then(|text| text.strip_suffix(')')).unwrap_or(&text).replace('"', "")
}

/// The element type of an MLIR scalar type.
fn dtype(ty: Type<'_>) -> Option<DType> {
    let found = match (ty.number_kind(), ty.bit_width()) {
        (MlirKind::Bool, _) => DType::Bool,
        (MlirKind::Unsigned, 8) => DType::U8,
        (MlirKind::Int, 64) => DType::I64,
        (MlirKind::Int, 32) => DType::I32,
        (MlirKind::Int, 16) => DType::I16,
        (MlirKind::Int, 8) => DType::I8,
        (MlirKind::Float, 64) => DType::F64,
        (MlirKind::Float, 32) => DType::F32,
        (MlirKind::Float, 16) => [DType::F16, DType::BF16][usize::from(ty.is_bf16())],
        (MlirKind::Complex, 64) => DType::C64,
        (MlirKind::Complex, 128) => DType::C128,
        _ => return [DType::F8E4M3FN, DType::F8E5M2].into_iter().find(|dtype| ty.to_string().eq_ignore_ascii_case(dtype.name())),
    };
    Some(found)
}

fn value_type(ty: Type<'_>) -> Result<ValueType> {
    if ty.is_none() {
        return Ok(ValueType::None);
    }
    let element = ty.element();
    let unknown = || format!("values of type {ty} are not in the reference evaluator");
    if ty.is_tensor() {
        let size = |size: i64| if size == DYNAMIC { None } else { usize::try_from(size).ok() };
        return Ok(ValueType::Array { dtype: dtype(element).ok_or_else(unknown)?, shape: ty.shape().into_iter().map(size).collect() });
    }
    if !(ty.is_integer() || ty.is_index() || ty.is_float() || ty.is_complex()) {
        return Err(unknown());
    }
    Ok(ValueType::Number(match ty.number_kind() {
        MlirKind::Bool => NumberKind::Bool,
        MlirKind::Int | MlirKind::Unsigned => NumberKind::Int,
        MlirKind::Float => NumberKind::Float,
        MlirKind::Complex => NumberKind::Complex,
    }))
}

/// Entry `index` of a function's `arg_attrs` or `res_attrs`.
fn entry<'c>(function: Op<'c>, list: &str, index: usize) -> HashMap<&'c str, Attribute<'c>> {
    let lists = function.attribute(list).and_then(Attribute::as_array).unwrap_or_default();
    lists.get(index).and_then(|entry| entry.as_dictionary()).unwrap_or_default().into_iter().collect()
}

fn argument(function: Op<'_>, index: usize, ty: Type<'_>) -> Result<Argument> {
    let attributes = entry(function, "arg_attrs", index);
    let text = |name: &str| attributes.get(name).and_then(|value| value.as_str()).map(str::to_string);
    let name = text("fx.target").or_else(|| text("fx.name")).unwrap_or_else(|| format!("arg{index}"));
    let kind = match text("fx.kind").as_deref() {
        Some("parameter") => ArgumentKind::Parameter(name),
        Some("buffer") => ArgumentKind::Buffer(name),
        Some("constant") => ArgumentKind::Constant(name),
        _ => ArgumentKind::Input(name),
    };
    let symbols = match attributes.get("fx.dims").and_then(|dims| dims.as_array()) {
        Some(dims) => dims.iter().map(|dim| dim.as_str().map(str::to_string)).collect(),
        None => vec![text("fx.symbol")],
    };
    Ok(Argument { kind, ty: value_type(ty)?, symbols })
}

fn output(function: Op<'_>, index: usize) -> OutputKind {
    let attributes = entry(function, "res_attrs", index);
    let text = |name: &str| attributes.get(name).and_then(|value| value.as_str());
    OutputKind::of(text("fx.kind"), text("fx.mutates").or_else(|| text("fx.target")).unwrap_or_default())
}

fn symbols(function: Op<'_>) -> Vec<Symbol> {
    let entries = function.attribute("fx.symbols").and_then(Attribute::as_dictionary).unwrap_or_default();
    let symbol = |(name, range): (&str, Attribute<'_>)| {
        let range = range.as_i64s().unwrap_or_default();
        let max = range.get(1).copied().filter(|max| *max >= 0);
        Symbol { name: name.to_string(), min: range.first().copied().unwrap_or(0), max }
    };
    entries.into_iter().map(symbol).collect()
}

struct Reader<'c> {
    ids: HashMap<Value<'c>, ValueId>,
}

impl<'c> Reader<'c> {
    /// The number of a value.
    fn id(&mut self, value: Value<'c>) -> ValueId {
        let next = self.ids.len();
        *self.ids.entry(value).or_insert(next)
    }

    fn block(&mut self, block: fx_ir::Block<'c>) -> std::result::Result<Block, Message> {
        let arguments = block.arguments().into_iter().map(|value| self.id(value)).collect();
        let nodes = block.ops().into_iter().map(|op| self.node(op)).collect::<std::result::Result<_, _>>()?;
        Ok(Block { arguments, nodes })
    }

    /// The operands of an fx op by the names of its definition.
    fn groups(&mut self, op: Op<'c>) -> Vec<(&'static str, Vec<ValueId>)> {
        let Some(def) = OP_DEFS.iter().find(|def| def.name == op.name()) else { return Vec::new() };
        let is_operand = |kind| matches!(kind, ArgKind::Operand | ArgKind::Optional | ArgKind::Variadic);
        let arguments: Vec<_> = def.arguments.iter().filter(|argument| is_operand(argument.kind)).collect();
        let mut operands = op.operands().into_iter();
        // at most one group has any number of operands, or an attribute tells all numbers
        let single = arguments.iter().filter(|argument| argument.kind == ArgKind::Operand).count();
        let rest = operands.len().saturating_sub(single);
        let segments = op.attribute("operandSegmentSizes").and_then(Attribute::as_i32s).filter(|_| def.segmented);
        let count = |group: usize, kind| match (&segments, kind) {
            (_, ArgKind::Operand) => 1,
            (None, _) => rest,
            (Some(sizes), _) => sizes.get(group).and_then(|size| usize::try_from(*size).ok()).unwrap_or(0),
        };
        let mut groups = Vec::new();
        for (group, argument) in arguments.into_iter().enumerate() {
            let values: Vec<Value<'c>> = operands.by_ref().take(count(group, argument.kind)).collect();
            groups.push((argument.name, values.into_iter().map(|value| self.id(value)).collect()));
        }
        groups
    }

    fn node(&mut self, op: Op<'c>) -> std::result::Result<Node, Message> {
        let place = location(op);
        let groups = self.groups(op);
        let types: Result<Vec<ValueType>> = op.results().into_iter().map(|result| value_type(result.ty())).collect();
        let mut regions = Vec::new();
        for region in op.regions() {
            regions.push(match region.blocks()[..] {
                [] => Block::default(),
                [block] => self.block(block)?,
                _ => return Err(error_at(&place, format!("'{}' has a region of several blocks", op.name()))),
            });
        }
        Ok(Node {
            name: op.name().to_string(),
            operands: op.operands().into_iter().map(|value| self.id(value)).collect(),
            groups,
            attributes: op.attributes().into_iter().map(|(name, value)| (name.to_string(), attribute(value))).collect(),
            results: op.results().into_iter().map(|value| self.id(value)).collect(),
            types: types.map_err(|text| error_at(&place, text))?,
            regions,
            location: place,
        })
    }
}

fn attribute(value: Attribute<'_>) -> Attr {
    if let Some(value) = value.as_bool() {
        return Attr::Bool(value);
    }
    if let Some(value) = value.as_int() {
        return Attr::Int(value);
    }
    if let Some(value) = value.as_float() {
        return Attr::Float(value);
    }
    if let Some(value) = value.as_str() {
        return Attr::Str(value.to_string());
    }
    if let Some(values) = value.as_i64s() {
        return Attr::Ints(values);
    }
    if let Some(values) = value.as_f64s() {
        return Attr::Floats(values);
    }
    if let Some(values) = value.as_bools() {
        return Attr::Bools(values);
    }
    if let Some(dtype) = value.as_type().and_then(dtype) {
        return Attr::DType(dtype);
    }
    if let Some(values) = value.as_array() {
        return Attr::List(values.into_iter().map(attribute).collect());
    }
    if let Some(entries) = value.as_dictionary() {
        return Attr::Dict(entries.into_iter().map(|(name, value)| (name.to_string(), attribute(value))).collect());
    }
    dense(value).map_or_else(|| Attr::Other(value.to_string()), Attr::Array)
}

/// A `dense` attribute.
fn dense(value: Attribute<'_>) -> Option<Array> {
    let ty = value.ty();
    let dtype = ty.is_tensor().then(|| dtype(ty.element())).flatten()?;
    let shape: Vec<usize> = ty.shape().into_iter().map(|size| usize::try_from(size).unwrap_or(0)).collect();
    match value.as_splat() {
        Some(splat) => Array::full(dtype, &shape, number(&attribute(splat))?).ok(),
        None => Array::from_bytes(dtype, &shape, &value.as_dense_bytes()?).ok(),
    }
}

/// The number that an attribute is; a list of two is a complex one.
pub(crate) fn number(attribute: &Attr) -> Option<Number> {
    match attribute {
        Attr::Int(x) => Some(Number::Int(*x)),
        Attr::Float(x) => Some(Number::Float(*x)),
        Attr::Bool(x) => Some(Number::Bool(*x)),
        Attr::List(parts) => match &parts[..] {
            [re, im] => Some(Number::Complex(Complex::new(number(re)?.float(), number(im)?.float()))),
            _ => None,
        },
        _ => None,
    }
}
