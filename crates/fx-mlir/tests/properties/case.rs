//! One instance of an op: operands, attributes, and its text.

use std::fmt::Write as _;

use fx_interp::array::Category;
use fx_interp::{Array, DType, Number};
use fx_ir::{ArgKind, Attribute, Builder, Context, Location, Module, OP_DEFS, OpDef, Type, collect};
use fx_runtime::Value;

use crate::draw::{Draw, Stream};

/// An operand.
#[derive(Debug, Clone)]
pub enum Operand {
    /// A tensor; only the listed dims may be `?`, all if there is no list.
    Tensor(Array, Option<Vec<usize>>),
    /// A number: a constant, or an argument of the program.
    Number(Number, bool),
    /// A size that is an argument of the program.
    Index(i64),
}

impl From<Array> for Operand {
    fn from(array: Array) -> Self {
        Operand::Tensor(array, None)
    }
}

/// A statement with regions: `$r` is the name of its results, `$0`, `$1`, .. are its operands.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Everything after `=`.
    pub text: String,
    /// Types of the results.
    pub types: Vec<String>,
}

/// An instance of an op.
#[derive(Debug, Clone)]
pub struct Case {
    groups: Vec<(&'static str, Vec<Operand>)>,
    attributes: Vec<(String, String)>,
    mask: u16,
    types: Option<Vec<String>>,
    statement: Option<Statement>,
    kept: Option<(&'static str, usize)>,
    /// Whether running it must end in an error.
    pub fails: bool,
    /// Whether it may as well do so: only the reference tells.
    pub may_fail: bool,
}

/// MLIR's spelling of an element type.
pub fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::F64 => "f64",
        DType::F32 => "f32",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F8E4M3FN => "f8E4M3FN",
        DType::F8E5M2 => "f8E5M2",
        DType::I64 => "i64",
        DType::I32 => "i32",
        DType::I16 => "i16",
        DType::I8 => "i8",
        DType::U8 => "ui8",
        DType::Bool => "i1",
        DType::C64 => "complex<f32>",
        DType::C128 => "complex<f64>",
    }
}

/// A float as MLIR reads it.
pub fn float(x: f64) -> String {
    if !x.is_finite() {
        return format!("0x{:016X}", x.to_bits());
    }
    let text = format!("{x:e}");
    match text.split_once('e') {
        Some((digits, power)) if !digits.contains('.') => format!("{digits}.0e{power}"),
        _ => text,
    }
}

/// A number as an attribute.
pub fn number(x: Number) -> String {
    match x {
        Number::Int(x) => format!("{x} : i64"),
        Number::Float(x) => format!("{} : f64", float(x)),
        Number::Bool(x) => x.to_string(),
        Number::Complex(z) => format!("[{} : f64, {} : f64]", float(z.re), float(z.im)),
    }
}

fn number_type(x: Number) -> &'static str {
    match x {
        Number::Int(_) => "i64",
        Number::Float(_) => "f64",
        Number::Bool(_) => "i1",
        Number::Complex(_) => "complex<f64>",
    }
}

fn list<T: ToString>(ty: &str, values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if values.is_empty() { format!("array<{ty}>") } else { format!("array<{ty}: {}>", values.join(", ")) }
}

impl Case {
    /// Nothing yet.
    pub fn new(draw: &Draw<'_>) -> Self {
        Case {
            groups: Vec::new(),
            attributes: Vec::new(),
            mask: draw.mask(),
            types: None,
            statement: None,
            kept: None,
            fails: false,
            may_fail: false,
        }
    }

    //--- making --------------------------------------------------------------------

    /// With an operand, the next of its group.
    pub fn with(mut self, group: &'static str, operand: impl Into<Operand>) -> Self {
        match self.groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, operands)) => operands.push(operand.into()),
            None => self.groups.push((group, vec![operand.into()])),
        }
        self
    }

    /// With operands of a group.
    pub fn with_all(self, group: &'static str, operands: impl IntoIterator<Item = impl Into<Operand>>) -> Self {
        operands.into_iter().fold(self, |case, operand| case.with(group, operand))
    }

    /// With a tensor of which only these dims may be `?`.
    pub fn partly(self, group: &'static str, array: Array, dims: &[usize]) -> Self {
        self.with(group, Operand::Tensor(array, Some(dims.to_vec())))
    }

    /// With an attribute, in MLIR's syntax.
    pub fn attribute(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.attributes.push((name.into(), text.into()));
        self
    }

    /// With an attribute, if there is one.
    pub fn maybe<T>(self, value: Option<T>, set: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => set(self, value),
            None => self,
        }
    }

    /// With an i64 attribute.
    pub fn int(self, name: &str, value: i64) -> Self {
        self.attribute(name, format!("{value} : i64"))
    }

    /// With an f64 attribute.
    pub fn float(self, name: &str, value: f64) -> Self {
        self.attribute(name, format!("{} : f64", float(value)))
    }

    /// With a number attribute.
    pub fn number(self, name: &str, value: Number) -> Self {
        self.attribute(name, number(value))
    }

    /// With a bool attribute.
    pub fn bool(self, name: &str, value: bool) -> Self {
        self.attribute(name, value.to_string())
    }

    /// With a string attribute.
    pub fn text(self, name: &str, value: &str) -> Self {
        self.attribute(name, format!("\"{value}\""))
    }

    /// With a list of i64.
    pub fn ints(self, name: &str, values: &[i64]) -> Self {
        self.attribute(name, list("i64", values))
    }

    /// With a list of f64.
    pub fn floats(self, name: &str, values: &[f64]) -> Self {
        let values: Vec<String> = values.iter().map(|x| float(*x)).collect();
        self.attribute(name, list("f64", &values))
    }

    /// With a list of bools.
    pub fn bools(self, name: &str, values: &[bool]) -> Self {
        self.attribute(name, list("i1", values))
    }

    /// With an element type.
    pub fn dtype(self, name: &str, dtype: DType) -> Self {
        self.attribute(name, element(dtype))
    }

    /// With a SymInt list; entries that are sizes of `?` dims become operands.
    pub fn sizes(mut self, name: &'static str, values: &[i64]) -> Self {
        let mut fixed = Vec::new();
        for value in values {
            if usize::try_from(*value).is_ok_and(|size| self.is_dynamic(size)) {
                self = self.with(name, Operand::Index(*value));
                fixed.push(i64::MIN);
            } else {
                fixed.push(*value);
            }
        }
        self.ints(&format!("static_{name}"), &fixed)
    }

    /// With a SymInt list of constants.
    pub fn fixed_sizes(self, name: &'static str, values: &[i64]) -> Self {
        self.ints(&format!("static_{name}"), values)
    }

    /// With results of these types, for an op that infers none.
    pub fn typed(mut self, types: Vec<String>) -> Self {
        self.types = Some(types);
        self
    }

    /// As a statement with regions.
    pub fn statement(mut self, text: String, types: Vec<String>) -> Self {
        self.statement = Some(Statement { text, types });
        self
    }

    /// The last `count` sizes of an operand stay as they are: values of another operand name places there.
    pub fn keeping(mut self, group: &'static str, count: usize) -> Self {
        self.kept = Some((group, count));
        self
    }

    /// Running it must end in an error, if so.
    pub fn failing(mut self, fails: bool) -> Self {
        self.fails = fails;
        self
    }

    //--- types ---------------------------------------------------------------------

    fn is_dynamic(&self, size: usize) -> bool {
        size != 1 && self.mask >> (size % 16) & 1 == 1
    }

    /// Sizes as text; `?` where one is dynamic and its dim is allowed to be.
    fn dims(&self, shape: &[usize], allowed: Option<&[usize]>) -> Vec<String> {
        let dynamic = |dim: usize, size: usize| self.is_dynamic(size) && allowed.is_none_or(|dims| dims.contains(&dim));
        shape.iter().enumerate().map(|(dim, size)| if dynamic(dim, *size) { "?".into() } else { size.to_string() }).collect()
    }

    /// A tensor type, in which sizes are `?` as in the operands.
    pub fn tensor_type(&self, dtype: DType, shape: &[usize]) -> String {
        let dims: String = self.dims(shape, None).iter().flat_map(|dim| [dim.as_str(), "x"]).collect();
        format!("tensor<{dims}{}>", element(dtype))
    }

    /// The type of an operand.
    pub fn operand_type(&self, operand: &Operand) -> String {
        match operand {
            Operand::Tensor(array, allowed) => {
                let dims: String = self.dims(array.shape(), allowed.as_deref()).iter().flat_map(|dim| [dim.as_str(), "x"]).collect();
                format!("tensor<{dims}{}>", element(array.dtype()))
            }
            Operand::Number(number, _) => number_type(*number).into(),
            Operand::Index(_) => "index".into(),
        }
    }

    /// Operands in the order of the op's definition, and the sizes of its groups.
    fn operands(&self, def: Option<&OpDef>) -> (Vec<&Operand>, Vec<usize>) {
        let Some(def) = def.filter(|_| self.statement.is_none()) else {
            return (self.groups.iter().flat_map(|(_, operands)| operands).collect(), Vec::new());
        };
        let groups = def.arguments.iter().filter(|argument| !matches!(argument.kind, ArgKind::Attribute | ArgKind::OptionalAttribute));
        let mut operands = Vec::new();
        let mut counts = Vec::new();
        for argument in groups {
            let own = self.groups.iter().find(|(name, _)| *name == argument.name).map_or(&[][..], |(_, operands)| operands);
            operands.extend(own);
            counts.push(own.len());
        }
        (operands, counts)
    }

    fn all_attributes(&self, def: Option<&OpDef>) -> Vec<(String, String)> {
        let mut attributes = self.attributes.clone();
        if def.is_some_and(|def| def.segmented) && self.statement.is_none() {
            attributes.push(("operandSegmentSizes".into(), list("i32", &self.operands(def).1)));
        }
        attributes
    }

    /// Whether no size is `?`.
    pub fn is_known(&self) -> bool {
        self.mask == 0
    }

    /// The op's result types, as the dialect infers them.
    pub fn infer(&self, context: &Context, op: &str) -> Result<Vec<String>, String> {
        if let Some(types) = self.statement.as_ref().map(|statement| &statement.types).or(self.types.as_ref()) {
            return Ok(types.clone());
        }
        let def = find(op);
        let (operands, _) = self.operands(def);
        let unread = |what: &str, text: &str| format!("{what} '{text}' does not parse");
        let mut attributes = Vec::new();
        let attribute_texts = self.all_attributes(def);
        for (name, text) in &attribute_texts {
            attributes.push((name.as_str(), Attribute::parse(context, text).ok_or_else(|| unread("attribute", text))?));
        }
        let mut types = Vec::new();
        for operand in &operands {
            let text = self.operand_type(operand);
            types.push(Type::parse(context, &text).ok_or_else(|| unread("type", &text))?);
        }
        let (result, messages) = collect(context, || {
            let location = Location::unknown(context);
            let module = Module::new(context, location);
            let function = Builder::at_end(module.body(), context, location).function("main", &types, &[], &[]);
            let block = function.body(0)?;
            let builder = Builder::at_end(block, context, location);
            let value = |(i, operand): (usize, &&Operand)| match operand {
                Operand::Number(number, false) => Some(match number {
                    Number::Int(x) => builder.int(types[i], *x),
                    Number::Float(x) => builder.number(types[i], *x),
                    Number::Bool(x) => builder.int(types[i], i64::from(*x)),
                    Number::Complex(_) => block.argument(i),
                }),
                _ => Some(block.argument(i)),
            };
            let values: Option<Vec<_>> = operands.iter().enumerate().map(value).collect();
            let made = builder.infer(op, &values?, &attributes).ok()?;
            Some(made.results().into_iter().map(|result| result.ty().to_string()).collect::<Vec<String>>())
        });
        result.ok_or_else(|| messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }

    //--- values --------------------------------------------------------------------

    /// Values of the program's arguments for this case.
    pub fn inputs(&self, op: &str) -> Vec<Value> {
        let value = |operand: &Operand| match operand {
            Operand::Tensor(array, _) => Some(Value::Tensor(array.to_tensor().expect("a small tensor"))),
            Operand::Number(Number::Int(x), true) => Some(Value::Int(*x)),
            Operand::Number(Number::Float(x), true) => Some(Value::Float(*x)),
            Operand::Number(Number::Bool(x), true) => Some(Value::Bool(*x)),
            Operand::Number(..) => None,
            Operand::Index(x) => Some(Value::Int(*x)),
        };
        self.operands(find(op)).0.into_iter().filter_map(value).collect()
    }

    /// The number of elements of the largest operand.
    pub fn elements(&self) -> usize {
        let count = |operand: &Operand| if let Operand::Tensor(array, _) = operand { array.len() } else { 1 };
        self.groups.iter().flat_map(|(_, operands)| operands).map(count).max().unwrap_or(1)
    }

    /// The largest finite number of the operands, in magnitude.
    pub fn largest(&self) -> f64 {
        let largest = |operand: &Operand| match operand {
            Operand::Tensor(array, _) if array.category() == Category::Complex => array
                .values::<fx_interp::Complex>()
                .into_iter()
                .flat_map(|z| [z.re, z.im])
                .map(f64::abs)
                .filter(|x| x.is_finite())
                .fold(0.0, f64::max),
            Operand::Tensor(array, _) => array.values::<f64>().into_iter().map(f64::abs).filter(|x| x.is_finite()).fold(0.0, f64::max),
            Operand::Number(number, _) => number.float().abs(),
            Operand::Index(_) => 0.0,
        };
        self.groups.iter().flat_map(|(_, operands)| operands).map(largest).fold(0.0, f64::max)
    }

    /// The case with another size in one dim of one operand, where both sizes are known only when it runs; none if there is no
    /// such dim. Sizes that must agree then do not; values still mean what they did.
    pub fn with_wrong_size(&self, stream: &mut Stream) -> Option<Case> {
        let mut places = Vec::new();
        for (group, (name, operands)) in self.groups.iter().enumerate() {
            let kept = self.kept.filter(|(kept, _)| kept == name).map_or(0, |(_, count)| count);
            for (i, operand) in operands.iter().enumerate() {
                let Operand::Tensor(array, allowed) = operand else { continue };
                for (dim, size) in array.shape().iter().enumerate().take(array.rank().saturating_sub(kept)) {
                    if *size > 1 && self.is_dynamic(*size) && allowed.as_ref().is_none_or(|dims| dims.contains(&dim)) {
                        places.push((group, i, dim));
                    }
                }
            }
        }
        let (group, i, dim) = *places.get(stream.below(places.len()))?;
        let mut case = self.clone();
        let Operand::Tensor(array, _) = &mut case.groups[group].1[i] else { return None };
        let mut shape = array.shape().to_vec();
        let other = (2..8).filter(|other| *other != shape[dim] && self.is_dynamic(*other)).collect::<Vec<_>>();
        shape[dim] = *other.get(stream.below(other.len()))?;
        // the last numbers again where there are more: what ascends still does
        let old = array.clone();
        let sizes = old.shape().to_vec();
        let number = |place: &[usize]| {
            let own: Vec<usize> = place.iter().zip(&sizes).map(|(index, size)| *index.min(&size.saturating_sub(1))).collect();
            old.at(&own).unwrap_or(Number::Int(0))
        };
        *array = match old.category() {
            Category::Complex => Array::from_fn(old.dtype(), &shape, |place| number(place).complex()),
            Category::Float => Array::from_fn(old.dtype(), &shape, |place| number(place).float()),
            _ => Array::from_fn(old.dtype(), &shape, |place| number(place).int()),
        }
        .expect("a small tensor");
        case.may_fail = true;
        Some(case)
    }

    /// The case with each float and complex element changed by `change`.
    pub fn changed(&self, change: &mut dyn FnMut(DType, f64) -> f64) -> Case {
        let mut case = self.clone();
        for operand in case.groups.iter_mut().flat_map(|(_, operands)| operands) {
            if let Operand::Tensor(array, _) = operand {
                *array = changed(array, change);
            }
        }
        case
    }
}

fn changed(array: &Array, change: &mut dyn FnMut(DType, f64) -> f64) -> Array {
    let dtype = array.dtype();
    let part = fx_interp::array::real_part(dtype);
    let made = match array.category() {
        Category::Float => Array::new(dtype, array.shape(), array.values::<f64>().into_iter().map(|x| change(part, x)).collect()),
        Category::Complex => {
            let number = |z: fx_interp::Complex| fx_interp::Complex::new(change(part, z.re), change(part, z.im));
            Array::new(dtype, array.shape(), array.values::<fx_interp::Complex>().into_iter().map(number).collect())
        }
        _ => return array.clone(),
    };
    made.expect("a tensor of the same shape")
}

/// The definition of an op.
pub fn find(op: &str) -> Option<&'static OpDef> {
    OP_DEFS.iter().find(|def| def.name == op)
}

/// A case with its op and its result types.
#[derive(Debug, Clone, Copy)]
pub struct Instance<'a> {
    /// Full name of the op.
    pub op: &'static str,
    /// The case.
    pub case: &'a Case,
    /// Types of its results.
    pub types: &'a [String],
}

/// A program that runs instances one after the other and returns all their results.
pub fn program(instances: &[Instance<'_>]) -> String {
    let mut arguments = Vec::new();
    let mut symbols = std::collections::BTreeSet::new();
    let (mut constants, mut statements) = (String::new(), String::new());
    let mut results = Vec::new();
    let mut types = Vec::new();
    for (n, instance) in instances.iter().enumerate() {
        let (case, def) = (instance.case, find(instance.op));
        let symbol = |size: &str| format!("c{n}_s{size}");
        let (operands, _) = case.operands(def);
        let mut names = Vec::new();
        for (i, operand) in operands.iter().enumerate() {
            let (name, ty) = (format!("%c{n}_{i}"), case.operand_type(operand));
            match operand {
                Operand::Tensor(array, allowed) => {
                    let dims = case.dims(array.shape(), allowed.as_deref());
                    let named = dims.iter().zip(array.shape()).map(|(dim, size)| match dim.as_str() {
                        "?" => {
                            symbols.insert((symbol(&size.to_string()), i64::from(*size >= 2) * 2));
                            format!("\"{}\"", symbol(&size.to_string()))
                        }
                        _ => dim.clone(),
                    });
                    let named: Vec<String> = named.collect();
                    let dims =
                        if dims.iter().any(|dim| dim == "?") { format!(" {{fx.dims = [{}]}}", named.join(", ")) } else { String::new() };
                    arguments.push(format!("{name}: {ty}{dims}"));
                }
                Operand::Index(size) => {
                    symbols.insert((symbol(&size.to_string()), i64::from(*size >= 2) * 2));
                    arguments.push(format!("{name}: index {{fx.symbol = \"{}\"}}", symbol(&size.to_string())));
                }
                Operand::Number(_, true) => arguments.push(format!("{name}: {ty}")),
                Operand::Number(Number::Complex(z), false) => {
                    let _ = writeln!(constants, "  {name} = complex.constant {} : {ty}", number(Number::Complex(*z)));
                }
                Operand::Number(Number::Bool(x), false) => {
                    let _ = writeln!(constants, "  {name} = arith.constant {x}");
                }
                Operand::Number(x, false) => {
                    let _ = writeln!(constants, "  {name} = arith.constant {}", number(*x));
                }
            }
            names.push(name);
        }
        let operand_types: Vec<String> = operands.iter().map(|operand| case.operand_type(operand)).collect();
        let attributes: Vec<String> = case.all_attributes(def).iter().map(|(name, text)| format!("{name} = {text}")).collect();
        let attributes = if attributes.is_empty() { String::new() } else { format!(" <{{{}}}>", attributes.join(", ")) };
        let left = match instance.types.len() {
            0 => String::new(),
            1 => format!("%r{n} = "),
            count => format!("%r{n}:{count} = "),
        };
        let right = match &case.statement {
            Some(statement) => {
                names.iter().enumerate().rev().fold(statement.text.clone(), |text, (i, name)| text.replace(&format!("${i}"), name))
            }
            None => format!(
                "\"{}\"({}){attributes} : ({}) -> ({})",
                instance.op,
                names.join(", "),
                operand_types.join(", "),
                instance.types.join(", ")
            ),
        };
        let _ = writeln!(statements, "  {left}{right}");
        for (i, ty) in instance.types.iter().enumerate().filter(|(_, ty)| *ty != "none") {
            results.push(if instance.types.len() == 1 { format!("%r{n}") } else { format!("%r{n}#{i}") });
            types.push(ty.clone());
        }
    }
    let symbols: Vec<String> = symbols.into_iter().map(|(name, least)| format!("{name} = array<i64: {least}, -1>")).collect();
    let symbols = if symbols.is_empty() { String::new() } else { format!(" attributes {{fx.symbols = {{{}}}}}", symbols.join(", ")) };
    let end = if results.is_empty() { "return".into() } else { format!("return {} : {}", results.join(", "), types.join(", ")) };
    format!("func.func @main({}) -> ({}){symbols} {{\n{constants}{statements}  {end}\n}}\n", arguments.join(", "), types.join(", "))
}
