//! From the host function of phase `kernels` to a launch plan.
//!
//! Needs     a module of phase `kernels` whose `@main` carries the importer's argument and result attributes.
//! Gives     a [`Plan`] without binaries' bytes.
//! Fails on  host ops that a plan cannot hold: error on the op.

use std::collections::{HashMap, HashSet};

mod calls;
mod regions;
mod scalars;
mod scatter;
mod setup;
mod signature;

use fx_ir::{Block, DYNAMIC, NumberKind, Op, Result, Type, Value, emit_error};
use fx_runtime::plan::{Buffer, BufferId, Check, Constant, DType, Launch, Plan, Reg, Scalar, ScalarOp, Step, Storage};

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
    let mut builder = PlanBuilder {
        plan: Plan::new(target),
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

    /// The same bytes, read as another type of that size.
    fn read_as(&mut self, id: BufferId, dtype: DType) -> BufferId {
        let buffer = self.plan.buffers[id as usize].clone();
        let storage = match buffer.storage {
            Storage::View { .. } => buffer.storage,
            _ => Storage::View { of: id, offset: Scalar::Const(0) },
        };
        self.buffer(Buffer { dtype, dims: buffer.dims, storage })
    }
}
