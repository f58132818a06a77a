//! From the host function of phase `kernels` to a launch plan.
//!
//! Needs     a module of phase `kernels` whose `@main` carries the importer's argument and result attributes.
//! Gives     a [`Plan`] without binaries' bytes.
//! Fails on  host ops that a plan cannot hold: error on the op.

use std::collections::{HashMap, HashSet};

mod regions;
mod scalars;
mod scatter;
mod setup;

use fx_ir::{Attribute, Block, DYNAMIC, NumberKind, Op, Result, Type, Value, emit_error};
use fx_runtime::plan::{
    Argument, ArgumentKind, ArgumentValue, Buffer, BufferId, Check, Constant, DType, Kernel, KernelArg, Launch, Output, OutputKind,
    OutputValue, PLAN_VERSION, Plan, Reg, ResultSize, Scalar, ScalarOp, Step, Storage, Symbol,
};

use crate::kernel::{Kernel as KernelFunction, Size};
use crate::place_of;

/// How kernels of a target are launched: given the kernel and its sizes as scalars.
pub trait Launcher {
    /// The launch of a kernel; `product` multiplies sizes, adding steps where they are known only at run time.
    fn launch(
        &self,
        kernel: &str,
        product: &mut dyn FnMut(&[Size]) -> Scalar,
        scalar: &mut dyn FnMut(ScalarOp, Scalar, Scalar) -> Scalar,
    ) -> Option<Launch>;
    /// The symbol of a kernel in its binary.
    fn symbol(&self, kernel: &str) -> String;
    /// Which binary a kernel is in.
    fn binary(&self, kernel: &str) -> u32;
}

/// Builds the plan of `function`; `kernels` are the kernel functions by name, `target` names the machine.
///
/// # Errors
/// If the host function holds what a plan cannot: reported.
pub fn build<'c>(function: Op<'c>, kernels: &HashMap<&'c str, KernelFunction<'c>>, launcher: &dyn Launcher, target: &str) -> Result<Plan> {
    let plan = Plan {
        version: PLAN_VERSION,
        target: target.to_string(),
        registers: 0,
        symbols: Vec::new(),
        arguments: Vec::new(),
        outputs: Vec::new(),
        buffers: Vec::new(),
        constants: Vec::new(),
        kernels: Vec::new(),
        binaries: Vec::new(),
        setup: Vec::new(),
        steps: Vec::new(),
    };
    let mut builder = PlanBuilder {
        plan,
        kernels,
        launcher,
        scalars: HashMap::new(),
        buffers: HashMap::new(),
        known: HashMap::new(),
        results: Vec::new(),
        changed: HashSet::new(),
        steps: vec![Vec::new()],
    };
    let Some(body) = function.body(0) else { return Err(crate::internal(function, "a host function without a body")) };
    builder.arguments(function, body)?;
    builder.block(body)?;
    builder.outputs(function, body)?;
    builder.plan.steps = builder.steps.pop().unwrap_or_default();
    setup::move_to_setup(&mut builder.plan, &builder.results, &builder.changed);
    Ok(builder.plan)
}

struct PlanBuilder<'a, 'c> {
    plan: Plan,
    kernels: &'a HashMap<&'c str, KernelFunction<'c>>,
    launcher: &'a dyn Launcher,
    scalars: HashMap<Value<'c>, Scalar>,
    buffers: HashMap<Value<'c>, BufferId>,
    /// Kernels of the plan, by their functions' names and what their checks say.
    known: HashMap<(&'c str, Vec<Check>), u32>,
    /// Per kernel of the plan: how many results it writes.
    results: Vec<usize>,
    /// Buffers that kernels write over, and so are no kernel's result alone.
    changed: HashSet<BufferId>,
    /// Lists of steps being built, innermost last.
    steps: Vec<Vec<Step>>,
}

/// The plan's element type; `ui8` is recorded by the importer's attribute, tensors here are signless.
fn dtype(op: Op<'_>, ty: Type<'_>) -> Result<DType> {
    let found = match (ty.number_kind(), ty.bit_width()) {
        (NumberKind::Bool, _) => Some(DType::Bool),
        (NumberKind::Unsigned, 8) => Some(DType::U8),
        (NumberKind::Int, 64) => Some(DType::I64),
        (NumberKind::Int, 32) => Some(DType::I32),
        (NumberKind::Int, 16) => Some(DType::I16),
        (NumberKind::Int, 8) => Some(DType::I8),
        (NumberKind::Float, 64) => Some(DType::F64),
        (NumberKind::Float, 32) => Some(DType::F32),
        (NumberKind::Float, 16) => Some(if ty.is_bf16() { DType::BF16 } else { DType::F16 }),
        (NumberKind::Complex, 64) => Some(DType::C64),
        (NumberKind::Complex, 128) => Some(DType::C128),
        _ => match ty.to_string().as_str() {
            "f8E4M3FN" => Some(DType::F8E4M3FN),
            "f8E5M2" => Some(DType::F8E5M2),
            _ => None,
        },
    };
    found.ok_or_else(|| emit_error(op.location(), &format!("no tensor of element type {ty} can be in memory"), &[]))
}

/// Entry `index` of a function's `arg_attrs` or `res_attrs`.
fn attributes_of<'c>(function: Op<'c>, list: &str, index: usize) -> HashMap<&'c str, Attribute<'c>> {
    let lists = function.attribute(list).and_then(Attribute::as_array).unwrap_or_default();
    lists.get(index).and_then(|entry| entry.as_dictionary()).unwrap_or_default().into_iter().collect()
}

impl<'c> PlanBuilder<'_, 'c> {
    fn push(&mut self, step: Step) {
        if let Some(steps) = self.steps.last_mut() {
            steps.push(step);
        }
    }

    fn register(&mut self) -> Reg {
        self.plan.registers += 1;
        self.plan.registers - 1
    }

    fn compute(&mut self, op: ScalarOp, args: Vec<Scalar>) -> Scalar {
        let dst = self.register();
        self.push(Step::Scalar { dst, op, args });
        Scalar::Reg(dst)
    }

    fn buffer(&mut self, buffer: Buffer) -> BufferId {
        self.plan.buffers.push(buffer);
        (self.plan.buffers.len() - 1) as BufferId
    }

    /// The buffer that owns the bytes of one, and where in it they begin.
    fn place(&self, id: BufferId) -> (BufferId, Scalar) {
        match self.plan.buffers[id as usize].storage {
            Storage::View { of, offset } => (of, offset),
            _ => (id, Scalar::Const(0)),
        }
    }

    fn tensor(&self, op: Op<'c>, value: Value<'c>) -> Result<BufferId> {
        self.buffers
            .get(&value)
            .copied()
            .ok_or_else(|| crate::internal(op, &format!("'{}' reads a tensor that is not in memory", op.name())))
    }

    /// A scalar of the host function.
    fn scalar(&self, op: Op<'c>, value: Value<'c>) -> Result<Scalar> {
        if let Some(scalar) = self.scalars.get(&value) {
            return Ok(*scalar);
        }
        let constant = value.constant().and_then(|constant| scalars::constant_bits(constant, value.ty()));
        constant.map(Scalar::Const).ok_or_else(|| crate::internal(op, &format!("'{}' reads an unknown scalar", op.name())))
    }

    //--- arguments and results ---------------------------------------------------

    fn arguments(&mut self, function: Op<'c>, body: Block<'c>) -> Result {
        let mut symbols: HashMap<String, Reg> = HashMap::new();
        for (name, range) in function.attribute("fx.symbols").and_then(Attribute::as_dictionary).unwrap_or_default() {
            let range = range.as_i64s().unwrap_or_default();
            let reg = self.register();
            symbols.insert(name.to_string(), reg);
            let max = range.get(1).copied().filter(|max| *max >= 0);
            self.plan.symbols.push(Symbol { name: name.to_string(), reg, min: range.first().copied().unwrap_or(0), max });
        }
        for (i, argument) in body.arguments().into_iter().enumerate() {
            let attributes = attributes_of(function, "arg_attrs", i);
            let target = attributes.get("fx.target").and_then(|name| name.as_str()).map_or_else(|| format!("arg{i}"), str::to_string);
            let kind = match attributes.get("fx.kind").and_then(|kind| kind.as_str()) {
                Some("parameter") => ArgumentKind::Parameter(target),
                Some("buffer") => ArgumentKind::Buffer(target),
                Some("constant") => ArgumentKind::Constant(target),
                _ => ArgumentKind::Input(target),
            };
            let value = self.argument(function, argument, &attributes, &symbols)?;
            self.plan.arguments.push(Argument { kind, value });
        }
        Ok(())
    }

    fn argument(
        &mut self,
        function: Op<'c>,
        argument: Value<'c>,
        attributes: &HashMap<&'c str, Attribute<'c>>,
        symbols: &HashMap<String, Reg>,
    ) -> Result<ArgumentValue> {
        let ty = argument.ty();
        if !ty.is_tensor() {
            let symbol = attributes.get("fx.symbol").and_then(|name| name.as_str()).and_then(|name| symbols.get(name)).copied();
            let reg = symbol.unwrap_or_else(|| self.register());
            self.scalars.insert(argument, Scalar::Reg(reg));
            let dtype = if ty.is_index() { DType::I64 } else { dtype(function, ty)? };
            return Ok(ArgumentValue::Scalar { reg, dtype });
        }
        let names = attributes.get("fx.dims").and_then(|dims| dims.as_array()).unwrap_or_default();
        let dims = ty
            .shape()
            .into_iter()
            .enumerate()
            .map(|(d, size)| {
                if size != DYNAMIC {
                    return Scalar::Const(size);
                }
                let symbol = names.get(d).and_then(|name| name.as_str()).and_then(|name| symbols.get(name)).copied();
                Scalar::Reg(symbol.unwrap_or_else(|| self.anonymous_symbol()))
            })
            .collect();
        let unsigned = attributes.contains_key("fx.unsigned");
        let dtype = if unsigned { DType::U8 } else { dtype(function, ty.element())? };
        let id = self.buffer(Buffer { dtype, dims, storage: Storage::Argument });
        self.buffers.insert(argument, id);
        Ok(ArgumentValue::Tensor(id))
    }

    /// A size that the program left unnamed.
    fn anonymous_symbol(&mut self) -> Reg {
        let reg = self.register();
        self.plan.symbols.push(Symbol { name: format!("size{reg}"), reg, min: 0, max: None });
        reg
    }

    fn outputs(&mut self, function: Op<'c>, body: Block<'c>) -> Result {
        let Some(terminator) = body.terminator() else { return Ok(()) };
        for (i, value) in terminator.operands().into_iter().enumerate() {
            let attributes = attributes_of(function, "res_attrs", i);
            let name = ["fx.mutates", "fx.target"].iter().find_map(|key| attributes.get(key)?.as_str()).unwrap_or_default().to_string();
            let kind = match attributes.get("fx.kind").and_then(|kind| kind.as_str()) {
                Some("buffer_mutation") => OutputKind::BufferMutation(name),
                Some("parameter_mutation") => OutputKind::ParameterMutation(name),
                Some("input_mutation") => OutputKind::InputMutation(name),
                Some("parameter_gradient") => OutputKind::ParameterGradient(name),
                Some("input_gradient") => OutputKind::InputGradient(name),
                _ => OutputKind::Output,
            };
            let value = if value.ty().is_tensor() {
                let id = self.tensor(terminator, value)?;
                let unsigned = attributes.contains_key("fx.unsigned");
                let dtype = if unsigned { DType::U8 } else { dtype(terminator, value.ty().element())? };
                OutputValue::Tensor(self.output_as(id, dtype))
            } else {
                let dtype = if value.ty().is_index() { DType::I64 } else { dtype(terminator, value.ty())? };
                OutputValue::Scalar { value: self.scalar(terminator, value)?, dtype }
            };
            self.plan.outputs.push(Output { kind, value });
        }
        Ok(())
    }

    //--- steps ----------------------------------------------------------------------

    fn block(&mut self, block: Block<'c>) -> Result {
        block.ops().into_iter().try_for_each(|op| self.op(op))
    }

    fn op(&mut self, op: Op<'c>) -> Result {
        match op.name() {
            "func.return" | "scf.yield" | "scf.condition" => Ok(()),
            "arith.constant" => self.constant(op),
            "func.call" => self.call(op),
            "fx.call" => self.host_call(op),
            "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => self.view(op),
            "tensor.empty" => {
                let dims = self.dims_from(op, op.result(0), &op.operands())?;
                self.planned(op, op.result(0), dims)
            }
            "tensor.dim" => {
                let buffer = self.tensor(op, op.operand(0))?;
                let Scalar::Const(index) = self.scalar(op, op.operand(1))? else {
                    return Err(crate::internal(op, "'tensor.dim' of an unknown dim"));
                };
                let size = self.plan.buffers[buffer as usize].dims.get(index as usize).copied();
                self.scalars.insert(op.result(0), size.ok_or_else(|| crate::internal(op, "'tensor.dim' beyond the rank"))?);
                Ok(())
            }
            "tensor.extract" => self.read(op),
            "tensor.insert_slice" => self.insert_slice(op),
            "arith.select" if op.result(0).ty().is_tensor() => self.select(op),
            "cf.assert" => self.assert(op),
            "scf.if" => self.branch(op),
            "scf.for" => self.for_loop(op),
            "scf.while" => self.while_loop(op),
            name if name.starts_with("arith.") || name.starts_with("math.") => self.arithmetic(op),
            name => Err(emit_error(op.location(), &format!("'{name}' op cannot run on the host"), &[])),
        }
    }

    fn constant(&mut self, op: Op<'c>) -> Result {
        let value = op.result(0);
        if !value.ty().is_tensor() {
            return Ok(());
        }
        let attribute = op.attribute("value").ok_or_else(|| crate::internal(op, "a constant without a value"))?;
        let Some(bytes) = attribute.as_dense_bytes() else {
            // Splats are computed where they are used.
            return Ok(());
        };
        self.plan.constants.push(Constant { bytes });
        let storage = Storage::Constant((self.plan.constants.len() - 1) as u32);
        let dims = value.ty().shape().into_iter().map(Scalar::Const).collect();
        let id = self.buffer(Buffer { dtype: dtype(op, value.ty().element())?, dims, storage });
        self.buffers.insert(value, id);
        Ok(())
    }

    /// Sizes of a value whose type's `?` are, in order, these operands.
    fn dims_from(&mut self, op: Op<'c>, value: Value<'c>, sizes: &[Value<'c>]) -> Result<Vec<Scalar>> {
        let mut sizes = sizes.iter();
        let shape = value.ty().shape();
        shape
            .into_iter()
            .map(|size| match (size == DYNAMIC).then(|| sizes.next()).flatten() {
                Some(value) => self.scalar(op, *value),
                None => Ok(Scalar::Const(size)),
            })
            .collect()
    }

    fn planned(&mut self, op: Op<'c>, value: Value<'c>, dims: Vec<Scalar>) -> Result {
        let id = self.buffer(Buffer { dtype: dtype(op, value.ty().element())?, dims, storage: Storage::Planned });
        self.buffers.insert(value, id);
        Ok(())
    }

    /// The same bytes in another shape.
    fn view(&mut self, op: Op<'c>) -> Result {
        let Some(source) = self.buffers.get(&op.operand(0)).copied() else {
            // Folded into kernels; nothing on the host reads it.
            return Ok(());
        };
        let value = op.result(0);
        let own = self.plan.buffers[source as usize].dims.clone();
        let dims = match op.name() {
            "tensor.expand_shape" => self.dims_from(op, value, &op.operands()[1..])?,
            "tensor.cast" => {
                value.ty().shape().into_iter().zip(own).map(|(size, dim)| if size == DYNAMIC { dim } else { Scalar::Const(size) }).collect()
            }
            _ => crate::generic::reassociation(op)
                .into_iter()
                .map(|group| self.product(group.into_iter().map(|i| own[i]).collect()))
                .collect(),
        };
        let (of, offset) = self.place(source);
        let dtype = self.plan.buffers[source as usize].dtype;
        let id = self.buffer(Buffer { dtype, dims, storage: Storage::View { of, offset } });
        self.buffers.insert(value, id);
        Ok(())
    }

    fn product(&mut self, dims: Vec<Scalar>) -> Scalar {
        dims.into_iter().fold(Scalar::Const(1), |product, dim| match (product, dim) {
            (Scalar::Const(x), Scalar::Const(y)) => Scalar::Const(x.saturating_mul(y)),
            (Scalar::Const(1), other) | (other, Scalar::Const(1)) => other,
            (Scalar::Const(0), _) | (_, Scalar::Const(0)) => Scalar::Const(0),
            (x, y) => self.compute(ScalarOp::MulI, vec![x, y]),
        })
    }

    fn call(&mut self, op: Op<'c>) -> Result {
        let name = op.attribute("callee").and_then(Attribute::as_str).unwrap_or_default();
        let Some(kernel) = self.kernels.get(name) else {
            return Err(emit_error(op.location(), &format!("'@{name}' is not a kernel"), &[]));
        };
        let index = self.kernel_index(name, kernel, checks(op, kernel));
        let mut args = Vec::new();
        let mut operands = Vec::new();
        for value in op.operands() {
            if value.ty().is_tensor() {
                args.push(KernelArg::Buffer(self.tensor(op, value)?));
                operands.push(Scalar::Const(0));
            } else {
                let scalar = self.scalar(op, value)?;
                args.push(KernelArg::Scalar(scalar));
                operands.push(scalar);
            }
        }
        let size = |size: &Size| match size {
            Size::Known(size) => Scalar::Const(*size),
            Size::Argument(index) => operands.get(*index).copied().unwrap_or(Scalar::Const(0)),
        };
        for (i, (value, dims)) in op.results().into_iter().zip(&kernel.result_dims).enumerate() {
            let dims = dims.iter().map(size).collect();
            match kernel.written_over(i) {
                Some(argument) => self.written_over(op, value, dims, argument)?,
                None => self.planned(op, value, dims)?,
            }
            args.push(KernelArg::Buffer(self.tensor(op, value)?));
        }
        let launcher = self.launcher;
        let cell = std::cell::RefCell::new(self);
        let mut product = |sizes: &[Size]| cell.borrow_mut().product(sizes.iter().map(size).collect());
        let mut scalar = |op: ScalarOp, a: Scalar, b: Scalar| cell.borrow_mut().compute(op, vec![a, b]);
        let launch = launcher.launch(name, &mut product, &mut scalar).ok_or_else(|| crate::internal(op, "a kernel without an extent"))?;
        cell.into_inner().push(Step::Launch { kernel: index, args, launch });
        Ok(())
    }

    /// A call of a host function; see `fx_ops::library`.
    fn host_call(&mut self, op: Op<'c>) -> Result {
        let flags = |name: &str| op.attribute(name).and_then(Attribute::as_bools).unwrap_or_default();
        let (unsigned_inputs, unsigned_results) = (flags("fx.unsigned_inputs"), flags("fx.unsigned_results"));
        let inputs = op.operands();
        let own = inputs.len() - usize::try_from(op.int("fx.sizes").unwrap_or(0)).unwrap_or(0).min(inputs.len());
        let mut args = Vec::new();
        for (i, value) in inputs[..own].iter().enumerate() {
            args.push(if value.ty().is_tensor() {
                let id = self.tensor(op, *value)?;
                KernelArg::Buffer(if unsigned_inputs.get(i) == Some(&true) { self.read_as(id, DType::U8) } else { id })
            } else {
                KernelArg::Scalar(self.scalar(op, *value)?)
            });
        }
        let dims = op.attribute("fx.result_dims").and_then(Attribute::as_array).unwrap_or_default();
        let (mut results, mut sizes) = (Vec::new(), Vec::new());
        for (i, value) in op.results().into_iter().enumerate() {
            let names = dims.get(i).and_then(|dims| dims.as_array()).unwrap_or_default();
            let mut shape = Vec::new();
            for (d, size) in value.ty().shape().into_iter().enumerate() {
                let operand = names.get(d).and_then(|name| name.as_str()?.strip_prefix("arg")?.parse::<usize>().ok());
                shape.push(match operand.and_then(|operand| inputs.get(operand)) {
                    Some(operand) if size == DYNAMIC => self.scalar(op, *operand)?,
                    _ if size == DYNAMIC => {
                        let reg = self.register();
                        sizes.push(ResultSize { result: i as u32, dim: d as u32, reg });
                        Scalar::Reg(reg)
                    }
                    _ => Scalar::Const(size),
                });
            }
            self.planned(op, value, shape)?;
            let id = self.tensor(op, value)?;
            if unsigned_results.get(i) == Some(&true) {
                self.plan.buffers[id as usize].dtype = DType::U8;
            }
            results.push(id);
        }
        let attributes = op.attribute("args").map(json).and_then(|value| value.as_object().cloned()).unwrap_or_default();
        let name = op.text("target").unwrap_or_default().to_string();
        self.push(Step::Call { name, location: place_of(op), args, attributes, results, sizes });
        Ok(())
    }

    /// The buffer of an output, of the output's type: what is an argument, or another output too, may have another sign there.
    fn output_as(&mut self, id: BufferId, dtype: DType) -> BufferId {
        let buffer = &self.plan.buffers[id as usize];
        if buffer.dtype == dtype {
            return id;
        }
        let is_output = self.plan.outputs.iter().any(|output| output.value == OutputValue::Tensor(id));
        if is_output || matches!(buffer.storage, Storage::Argument) {
            return self.read_as(id, dtype);
        }
        self.plan.buffers[id as usize].dtype = dtype;
        id
    }

    /// The same bytes, read as another type of that size.
    fn read_as(&mut self, id: BufferId, dtype: DType) -> BufferId {
        let buffer = self.plan.buffers[id as usize].clone();
        let storage = match buffer.storage {
            Storage::View { .. } => buffer.storage,
            _ => Storage::View { of: id, offset: Scalar::Const(0) },
        };
        self.buffer(Buffer { dtype, dims: buffer.dims, storage })
    }

    fn kernel_index(&mut self, name: &'c str, kernel: &KernelFunction<'c>, checks: Vec<Check>) -> u32 {
        let key = (name, checks);
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let index = self.plan.kernels.len() as u32;
        self.plan.kernels.push(Kernel {
            symbol: self.launcher.symbol(name),
            binary: self.launcher.binary(name),
            location: place_of(kernel.op),
            checks: key.1.clone(),
        });
        self.known.insert(key, index);
        self.results.push(kernel.result_dims.len());
        index
    }
}

/// What a call's kernel checks.
fn checks(call: Op<'_>, kernel: &KernelFunction<'_>) -> Vec<Check> {
    let count = kernel.checks.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
    let list = call.attribute("fx.checks").and_then(Attribute::as_array).unwrap_or_default();
    let text = |number: usize, key: &str| {
        let entry = list.get(number)?.as_dictionary()?;
        Some(entry.into_iter().find(|(name, _)| *name == key)?.1.as_str()?.to_string())
    };
    (0..count)
        .map(|number| Check {
            location: text(number, "location").unwrap_or_else(|| place_of(call)),
            message: text(number, "message").unwrap_or_else(|| "a check failed".to_string()),
        })
        .collect()
}

/// An attribute as JSON: numbers, text, arrays, dictionaries; others as their text.
fn json(attribute: Attribute<'_>) -> serde_json::Value {
    if let Some(entries) = attribute.as_dictionary() {
        return entries.into_iter().map(|(name, value)| (name.to_string(), json(value))).collect::<serde_json::Map<_, _>>().into();
    }
    if let Some(entries) = attribute.as_array() {
        return entries.into_iter().map(json).collect::<Vec<_>>().into();
    }
    if let Some(entries) = attribute.as_i64s() {
        // A number that is an operand stands as the run-time size.
        return entries.into_iter().map(|entry| (entry != DYNAMIC).then_some(entry)).collect::<Vec<_>>().into();
    }
    if let Some(entries) = attribute.as_f64s() {
        return entries.into();
    }
    if let Some(entries) = attribute.as_bools() {
        return entries.into();
    }
    let text = attribute.as_str().map(serde_json::Value::from);
    let flag = || attribute.as_bool().map(serde_json::Value::from);
    let int = || attribute.as_int().map(serde_json::Value::from);
    let float = || attribute.as_float().map(serde_json::Value::from);
    text.or_else(flag).or_else(int).or_else(float).unwrap_or_else(|| attribute.to_string().into())
}
