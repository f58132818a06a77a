//! Ops with regions: what their rows cannot say, since rules walk no regions.
//!
//! `fx.map` and `fx.while_loop` become `fx.scan` before they are differentiated: a map carries nothing, and a loop's trips are
//! counted first. A scan keeps what it carries at each step. In reverse, a region's ops are computed again beside their
//! cotangents.

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Builder, Op, Result, Type, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::{Conventions, is_differentiable, zeros_like};
use fx_ops::recompute;
use fx_ops::table::{Lowering, Structure, find, is_random};

use crate::forward::Forward;
use crate::reverse::{Reverse, ops_after};
use crate::tape::Tape;

pub mod cond;
pub mod scan;
pub mod trips;

/// The structure of an op with regions.
pub(crate) fn structure(op: FxOp<'_>) -> Option<Structure> {
    match find(op.op.name())?.lower {
        Lowering::Structural(structure) => Some(structure),
        _ => None,
    }
}

/// Makes an op with regions ready to be differentiated.
///
/// # Errors
/// If its regions draw random numbers: computed again, they would be others.
pub(crate) fn prepare(op: FxOp<'_>) -> Result<FxOp<'_>> {
    let mut random = None;
    op.op.walk(&mut |inner| random = random.or(is_random(inner.name()).then_some(inner)));
    if let Some(inner) = random {
        let message = format!("draws random numbers in a region of '{}', which would be others when it is computed again", op.op.name());
        return Err(fx_ir::emit_error(inner.location(), &format!("'{}' op cannot be differentiated: {message}", inner.name()), &[]));
    }
    let tags = recompute::tags(op.op);
    let prepared = match structure(op) {
        Some(Structure::Scan) => scan::with_states(op)?,
        Some(Structure::While) => scan::with_states(trips::as_scan(op)?)?,
        _ => op,
    };
    recompute::tag(&tags, [prepared.op]);
    Ok(prepared)
}

/// The values from outside that an op's regions use and that vary, each once, in order of use.
pub(crate) fn captured<'c>(tape: &Tape<'c>, op: Op<'c>) -> Vec<Value<'c>> {
    let mut values = Vec::new();
    op.walk(&mut |inner| {
        for value in inner.operands() {
            if tape.varies(value) && !values.contains(&value) {
                values.push(value);
            }
        }
    });
    values
}

/// A region that is being written: its ops go before its terminator, which yields nothing so far.
pub(crate) struct Body<'c> {
    /// Its block.
    pub block: Block<'c>,
    /// Its terminator.
    pub end: Op<'c>,
    /// Builds before the terminator.
    pub f: Fx<'c>,
    first: Option<Op<'c>>,
}

impl<'c> Body<'c> {
    /// Begins region `index` of `op`.
    pub fn new(op: Op<'c>, index: usize) -> Result<Self> {
        let block = op.body(index).ok_or_else(|| fx_ir::emit_error(op.location(), "internal bug: a region without a block", &[]))?;
        let end = Builder::at_end(block, op.context(), op.location()).op("fx.yield", &[], &[], &[]);
        Ok(Self { block, end, f: Fx { b: Builder::before(end) }, first: None })
    }

    /// Copies the ops of another region, with `map` in place of its arguments. Gives what it yields.
    pub fn copy(&mut self, from: Block<'c>, map: &mut HashMap<Value<'c>, Value<'c>>) -> Vec<Value<'c>> {
        let mut yielded = Vec::new();
        for op in from.ops() {
            if from.terminator() == Some(op) {
                yielded = op.operands().into_iter().map(|value| map.get(&value).copied().unwrap_or(value)).collect();
            } else {
                let copy = self.f.b.located(op.location()).clone_op(op, map);
                self.first = self.first.or(Some(copy));
            }
        }
        yielded
    }

    /// Runs what was copied in reverse: with cotangents of what it yields, by the values that vary.
    pub fn reverse(&self, varying: Vec<Value<'c>>, seeds: &[(Value<'c>, Value<'c>)], conventions: Conventions) -> Result<Reverse<'c>> {
        let (tape, seeds) = self.record(varying, seeds)?;
        let mut reverse = Reverse::new(self.f.b, conventions);
        for (value, cotangent) in seeds {
            if tape.varies(value) {
                reverse.add(value, cotangent)?;
            }
        }
        reverse.run(&tape)?;
        Ok(reverse)
    }

    /// Runs what was copied forward, with tangents of values.
    pub fn forward(
        &self,
        tangents: HashMap<Value<'c>, Value<'c>>,
        yielded: &[Value<'c>],
        conventions: Conventions,
    ) -> Result<Vec<Option<Value<'c>>>> {
        let pairs: Vec<_> = yielded.iter().map(|value| (*value, *value)).collect();
        let (tape, yielded) = self.record(tangents.keys().copied().collect(), &pairs)?;
        let mut forward = Forward::new(self.end, tangents, conventions);
        forward.run(&tape)?;
        Ok(yielded.into_iter().map(|(value, _)| forward.tangent(value)).collect())
    }

    /// A tape of what was copied. Recording may rewrite ops: the terminator holds the seeds' values meanwhile.
    fn record(&self, varying: Vec<Value<'c>>, seeds: &[(Value<'c>, Value<'c>)]) -> Result<(Tape<'c>, Vec<(Value<'c>, Value<'c>)>)> {
        self.end.set_operands(&seeds.iter().map(|(value, _)| *value).collect::<Vec<_>>());
        let mut tape = Tape::new(varying);
        tape.record(ops_after(self.first, self.end))?;
        let seeds = self.end.operands().into_iter().zip(seeds).map(|(value, (_, cotangent))| (value, *cotangent)).collect();
        self.end.set_operands(&[]);
        Ok((tape, seeds))
    }

    /// Ends the region.
    pub fn finish(self, values: &[Value<'c>]) {
        self.end.set_operands(values);
    }
}

/// A value or, in its absence, zeros like another.
pub(crate) fn or_zeros<'c>(f: &Fx<'c>, value: Option<Value<'c>>, like: Value<'c>) -> Result<Value<'c>> {
    value.map_or_else(|| zeros_like(f, like), Ok)
}

/// Places of the values that have derivatives.
pub(crate) fn differentiable(values: &[Value<'_>]) -> Vec<usize> {
    (0..values.len()).filter(|place| is_differentiable(values[*place].ty())).collect()
}

/// A tensor type without its first dim.
pub(crate) fn slice_type(ty: Type<'_>) -> Type<'_> {
    Type::tensor(ty.shape().get(1..).unwrap_or_default(), ty.element())
}

/// A tensor type with a dim before the others.
pub(crate) fn stacked_type<'c>(ty: Type<'c>, size: i64) -> Type<'c> {
    Type::tensor(&[&[size], &ty.shape()[..]].concat(), ty.element())
}

/// The attribute that says how many operands are initial values, and how many are scanned.
pub(crate) fn segments<'c>(f: &Fx<'c>, init: usize, xs: usize) -> Attribute<'c> {
    Attribute::i32s(f.context(), &[i32::try_from(init).unwrap_or(i32::MAX), i32::try_from(xs).unwrap_or(i32::MAX)])
}
