//! Structured control flow of the host function.
//!
//! A branch moves what it yields to the results. A loop keeps each carried value in a place of its own, a register or a
//! planned buffer, which the end of an iteration writes. All values of an iteration are taken before the first place is
//! written: carried values may be swapped, and sizes may be made of carried numbers.
//!
//! ```text
//! places = inits
//! while { before: .. } cond { body: ..; temporaries = yielded values that lie in places; places = yielded values }
//! ```

use std::collections::{HashMap, HashSet};

use fx_ir::{Attribute, Block, DYNAMIC, Op, Result, Value, emit_error};
use fx_runtime::plan::{Buffer, BufferId, Reg, Scalar, ScalarOp, Step, Storage};

use super::PlanBuilder;

/// Where a loop keeps a carried value.
enum Carried {
    Number(Reg),
    Tensor {
        buffer: BufferId,
        /// Sizes that an iteration may change.
        sizes: Vec<Size>,
    },
}

/// A size of a carried tensor.
struct Size {
    dim: usize,
    /// Holds it.
    reg: Reg,
    /// What it is at first.
    first: Scalar,
}

/// A carried tensor at the end of an iteration: its place, its sizes, what it is next.
type Next<'a> = (BufferId, &'a [Size], BufferId);

impl<'c> PlanBuilder<'_, 'c> {
    fn move_to(&mut self, dst: Reg, value: Scalar) {
        self.push(Step::Scalar { dst, op: ScalarOp::Move, args: vec![value] });
    }

    fn dims(&self, buffer: BufferId) -> &[Scalar] {
        &self.plan.buffers[buffer as usize].dims
    }

    /// A planned buffer of these sizes for what `like` holds.
    fn planned_like(&mut self, like: BufferId, dims: Vec<Scalar>) -> BufferId {
        let dtype = self.plan.buffers[like as usize].dtype;
        self.buffer(Buffer { dtype, dims, storage: Storage::Planned })
    }

    /// The steps that `build` gives.
    fn list(&mut self, build: impl FnOnce(&mut Self) -> Result) -> Result<Vec<Step>> {
        self.steps.push(Vec::new());
        let result = build(self);
        let steps = self.steps.pop().unwrap_or_default();
        result.map(|()| steps)
    }

    //--- branches -----------------------------------------------------------------

    pub(super) fn branch(&mut self, op: Op<'c>) -> Result {
        let cond = self.scalar(op, op.operand(0))?;
        let mut lists = Vec::new();
        let mut yielded = Vec::new();
        for index in 0..2 {
            let block = op.body(index);
            lists.push(self.list(|plan| block.map_or(Ok(()), |block| plan.block(block)))?);
            yielded.push(block.and_then(Block::terminator).map(Op::operands).unwrap_or_default());
        }
        self.merge(op, cond, lists, &yielded)
    }

    /// A choice between tensors, which folding makes of a branch that computes nothing.
    pub(super) fn select(&mut self, op: Op<'c>) -> Result {
        let cond = self.scalar(op, op.operand(0))?;
        self.merge(op, cond, vec![Vec::new(), Vec::new()], &[vec![op.operand(1)], vec![op.operand(2)]])
    }

    /// The branch itself, with moves of what its lists yield to the results.
    fn merge(&mut self, op: Op<'c>, cond: Scalar, mut lists: Vec<Vec<Step>>, yielded: &[Vec<Value<'c>>]) -> Result {
        for (k, result) in op.results().into_iter().enumerate() {
            if !result.ty().is_tensor() {
                let dst = self.register();
                for (list, yielded) in lists.iter_mut().zip(yielded) {
                    list.push(Step::Scalar { dst, op: ScalarOp::Move, args: vec![self.scalar(op, yielded[k])?] });
                }
                self.scalars.insert(result, Scalar::Reg(dst));
                continue;
            }
            let sources = yielded.iter().map(|yielded| self.tensor(op, yielded[k])).collect::<Result<Vec<_>>>()?;
            // A size that both give by one scalar was known before.
            let pairs: Vec<_> = self.dims(sources[0]).iter().copied().zip(self.dims(sources[1]).iter().copied()).collect();
            let sizes: Vec<_> = pairs.iter().map(|(a, b)| if a == b { None } else { Some(self.register()) }).collect();
            let dims = pairs.iter().zip(&sizes).map(|((a, _), size)| size.map_or(*a, Scalar::Reg)).collect();
            let dst = self.planned_like(sources[0], dims);
            for (list, src) in lists.iter_mut().zip(&sources) {
                for (dst, from) in sizes.iter().zip(self.dims(*src)) {
                    let step = |dst: &Reg| Step::Scalar { dst: *dst, op: ScalarOp::Move, args: vec![*from] };
                    list.extend(dst.iter().map(step));
                }
                list.push(Step::Copy { src: *src, dst });
            }
            self.buffers.insert(result, dst);
        }
        let otherwise = lists.pop().unwrap_or_default();
        let then = lists.pop().unwrap_or_default();
        self.push(Step::If { cond, then, otherwise });
        Ok(())
    }

    //--- loops --------------------------------------------------------------------

    pub(super) fn for_loop(&mut self, op: Op<'c>) -> Result {
        let Some((block, terminator)) = op.body(0).and_then(|block| Some((block, block.terminator()?))) else {
            return Err(crate::internal(op, "a loop without a body"));
        };
        let operands = op.operands();
        let bounds = operands[..3].iter().map(|value| self.scalar(op, *value)).collect::<Result<Vec<_>>>()?;
        let index = self.register();
        self.move_to(index, bounds[0]);
        let arguments = block.arguments();
        self.scalars.insert(arguments[0], Scalar::Reg(index));
        let carried = self.carry(op, &operands[3..], &arguments[1..], &terminator.operands())?;
        let cond = self.register();
        let before = vec![Step::Scalar { dst: cond, op: ScalarOp::LtI, args: vec![Scalar::Reg(index), bounds[1]] }];
        let body = self.list(|plan| {
            plan.block(block)?;
            let next = plan.compute(ScalarOp::AddI, vec![Scalar::Reg(index), bounds[2]]);
            plan.update(terminator, &carried, &terminator.operands(), vec![(index, next)])
        })?;
        self.push(Step::While { before, cond: Scalar::Reg(cond), body });
        for (result, argument) in op.results().into_iter().zip(&arguments[1..]) {
            self.bind(op, result, *argument)?;
        }
        Ok(())
    }

    pub(super) fn while_loop(&mut self, op: Op<'c>) -> Result {
        let (Some(test), Some(body)) = (op.body(0), op.body(1)) else { return Err(crate::internal(op, "a loop without a region")) };
        let (Some(condition), Some(terminator)) = (test.terminator(), body.terminator()) else {
            return Err(crate::internal(op, "a region without an end"));
        };
        let carried = self.carry(op, &op.operands(), &test.arguments(), &terminator.operands())?;
        // What the condition passes on is there in the body and after the loop: the test runs before both.
        let before = self.list(|plan| {
            plan.block(test)?;
            let passed = condition.operands().into_iter().skip(1);
            for ((value, argument), result) in passed.zip(body.arguments()).zip(op.results()) {
                plan.bind(condition, argument, value)?;
                plan.bind(condition, result, value)?;
            }
            Ok(())
        })?;
        let cond = self.scalar(condition, condition.operand(0))?;
        let body = self.list(|plan| {
            plan.block(body)?;
            plan.update(terminator, &carried, &terminator.operands(), Vec::new())
        })?;
        self.push(Step::While { before, cond, body });
        Ok(())
    }

    /// Lets `value` be what `other` is.
    fn bind(&mut self, op: Op<'c>, value: Value<'c>, other: Value<'c>) -> Result {
        if value.ty().is_tensor() {
            let buffer = self.tensor(op, other)?;
            self.buffers.insert(value, buffer);
        } else {
            let scalar = self.scalar(op, other)?;
            self.scalars.insert(value, scalar);
        }
        Ok(())
    }

    /// Makes the places of carried values and fills them with the first ones.
    fn carry(&mut self, op: Op<'c>, inits: &[Value<'c>], arguments: &[Value<'c>], yielded: &[Value<'c>]) -> Result<Vec<Carried>> {
        let mut carried = Vec::new();
        for ((init, argument), next) in inits.iter().zip(arguments).zip(yielded) {
            if !argument.ty().is_tensor() {
                let first = self.scalar(op, *init)?;
                let place = self.register();
                self.move_to(place, first);
                self.scalars.insert(*argument, Scalar::Reg(place));
                carried.push(Carried::Number(place));
                continue;
            }
            let first = self.tensor(op, *init)?;
            let own = self.dims(first).to_vec();
            let (mut dims, mut sizes) = (Vec::new(), Vec::new());
            for (d, (size, first)) in argument.ty().shape().into_iter().zip(own).enumerate() {
                dims.push(match size {
                    DYNAMIC if !keeps_sizes(*next, *argument) => {
                        let reg = self.register();
                        self.move_to(reg, first);
                        sizes.push(Size { dim: d, reg, first });
                        Scalar::Reg(reg)
                    }
                    DYNAMIC => first,
                    size => Scalar::Const(size),
                });
            }
            let buffer = self.planned_like(first, dims);
            // The contents of an empty tensor do not matter.
            if init.defining_op().is_none_or(|op| op.name() != "tensor.empty") {
                self.push(Step::Copy { src: first, dst: buffer });
            }
            self.buffers.insert(*argument, buffer);
            carried.push(Carried::Tensor { buffer, sizes });
        }
        Ok(carried)
    }

    /// The end of an iteration: places get the yielded values, and `numbers` theirs.
    fn update(&mut self, op: Op<'c>, carried: &[Carried], yielded: &[Value<'c>], mut numbers: Vec<(Reg, Scalar)>) -> Result {
        let mut tensors = Vec::new();
        for (place, value) in carried.iter().zip(yielded) {
            match place {
                Carried::Number(reg) => numbers.push((*reg, self.scalar(op, *value)?)),
                Carried::Tensor { buffer, sizes } => tensors.push((*buffer, sizes.as_slice(), self.tensor(op, *value)?)),
            }
        }
        let changed = self.changed_sizes(&tensors);
        let mut sizes: Vec<(Reg, Scalar)> = Vec::new();
        for (_, own, src) in &tensors {
            sizes.extend(own.iter().filter(|size| changed.contains(&size.reg)).map(|size| (size.reg, self.dims(*src)[size.dim])));
        }
        // What already lies in its place stays there, in whatever shape.
        tensors.retain(|(place, _, src)| self.place(*src) != (*place, Scalar::Const(0)));
        let places: HashSet<BufferId> =
            carried.iter().filter_map(|place| if let Carried::Tensor { buffer, .. } = place { Some(*buffer) } else { None }).collect();
        let mut copies = Vec::new();
        for (place, _, src) in tensors {
            let moves = !changed.is_empty() || places.contains(&self.place(src).0);
            copies.push((if moves { self.temporary(src, !changed.is_empty()) } else { src }, place));
        }
        let written: HashSet<Reg> = sizes.iter().chain(&numbers).map(|(reg, _)| *reg).collect();
        for (_, value) in sizes.iter_mut().chain(&mut numbers) {
            if matches!(value, Scalar::Reg(reg) if written.contains(reg)) {
                *value = self.compute(ScalarOp::Move, vec![*value]);
            }
        }
        // Places take their new sizes with the contents; sizes of what is copied may be made of carried numbers.
        sizes.into_iter().for_each(|(reg, value)| self.move_to(reg, value));
        copies.into_iter().for_each(|(src, dst)| self.push(Step::Copy { src, dst }));
        numbers.into_iter().for_each(|(reg, value)| self.move_to(reg, value));
        Ok(())
    }

    /// A copy of a buffer; with sizes of its own, if those of the buffer are about to change.
    fn temporary(&mut self, src: BufferId, own_sizes: bool) -> BufferId {
        let mut dims = self.dims(src).to_vec();
        for dim in dims.iter_mut().filter(|dim| own_sizes && matches!(dim, Scalar::Reg(_))) {
            *dim = self.compute(ScalarOp::Move, vec![*dim]);
        }
        let dst = self.planned_like(src, dims);
        self.push(Step::Copy { src, dst });
        dst
    }

    /// Registers of sizes that an iteration changes: not those that get their first value again, or that of a register
    /// that holds the same and is not changed either.
    fn changed_sizes(&self, tensors: &[Next<'_>]) -> HashSet<Reg> {
        let all = || tensors.iter().flat_map(|(_, sizes, src)| sizes.iter().map(|size| (size, self.dims(*src)[size.dim])));
        let mut kept: HashMap<Reg, Scalar> = all().map(|(size, _)| (size.reg, size.first)).collect();
        loop {
            let stands = |scalar: Scalar| if let Scalar::Reg(reg) = scalar { kept.get(&reg).copied().unwrap_or(scalar) } else { scalar };
            let changes = |size: &Size, next| kept.contains_key(&size.reg) && stands(next) != size.first;
            let lost: Vec<_> = all().filter(|(size, next)| changes(size, *next)).map(|(size, _)| size.reg).collect();
            if lost.is_empty() {
                return all().map(|(size, _)| size.reg).filter(|reg| !kept.contains_key(reg)).collect();
            }
            kept.retain(|reg, _| !lost.contains(reg));
        }
    }

    //--- rows ---------------------------------------------------------------------

    /// Writes one index of the first dim. The destination itself is written where nothing else reads it.
    pub(super) fn insert_slice(&mut self, op: Op<'c>) -> Result {
        let (src, dst) = (self.tensor(op, op.operand(0))?, self.tensor(op, op.operand(1))?);
        let dims = self.dims(dst).to_vec();
        let list = |name: &str| op.attribute(name).and_then(Attribute::as_i64s).unwrap_or_default();
        let (offsets, sizes) = (list("static_offsets"), list("static_sizes"));
        let whole = offsets.iter().skip(1).all(|offset| *offset == 0) && sizes.first() == Some(&1);
        let start = match offsets.first() {
            Some(&DYNAMIC) => self.scalar(op, op.operand(2))?,
            Some(start) => Scalar::Const(*start),
            None => return Err(emit_error(op.location(), "'tensor.insert_slice' op of rank 0 cannot run on the host", &[])),
        };
        if !whole {
            return Err(emit_error(op.location(), "'tensor.insert_slice' op that writes no whole row cannot run on the host", &[]));
        }
        let target = if is_only_here(op, op.operand(1)) { dst } else { self.temporary(dst, false) };
        let rows = std::iter::once(start).chain(dims[1..].iter().copied()).collect();
        let row = self.product(rows);
        let (of, first) = self.place(target);
        let offset = self.sum(first, row);
        let buffer = &self.plan.buffers[src as usize];
        let view = Buffer { dtype: buffer.dtype, dims: buffer.dims.clone(), storage: Storage::View { of, offset } };
        let view = self.buffer(view);
        self.push(Step::Copy { src, dst: view });
        self.buffers.insert(op.result(0), target);
        Ok(())
    }
}

/// Whether a carried tensor certainly keeps its sizes: what the iteration yields is itself, written to perhaps.
fn keeps_sizes<'c>(yielded: Value<'c>, argument: Value<'c>) -> bool {
    let mut value = yielded;
    while let Some(op) = value.defining_op().filter(|op| op.name() == "tensor.insert_slice") {
        value = op.operand(1);
    }
    value == argument
}

/// Whether `value` is the place of a carried tensor that only `op` reads.
fn is_only_here<'c>(op: Op<'c>, value: Value<'c>) -> bool {
    let of_loop = value.block_argument().and_then(|(block, _)| block.parent()).is_some_and(|parent| parent.name() == "scf.for");
    of_loop && value.uses().len() == 1 && op.parent() == value.block_argument().and_then(|(block, _)| block.parent())
}
