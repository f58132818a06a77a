//! The op table: what the compiler does with each op of the dialect, one row per op.
//!
//! `dialects/fx/include/fx/*.td` say what an op is; the row of the same name says how it is decomposed, lowered and
//! differentiated. No field has a default. A test keeps rows and dialect equal. Every op has a way down; forms of an op that
//! have none are errors of its rule (docs/refused.md lists them).

use fx_ir::{Op, Result, Value};

use crate::batching::Batch;
use crate::fx_builder::Fx;
use crate::fx_op::FxOp;
use crate::gradient::{Back, Forth};
use crate::lower::Lower;
use crate::scalar::{Number, Scalars};

/// How an op becomes simpler fx ops.
#[derive(Clone, Copy)]
pub enum Decompose {
    /// It stays until it is lowered.
    Primitive,
    /// The rule gives one value per result.
    Rule(for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>),
}

/// What operands of a pointwise op are converted to before its body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compute {
    /// The result's element type.
    Result,
    /// The operands' promoted type (comparisons).
    Promoted,
    /// Nothing: the body sees each operand's own type.
    Own,
}

/// What the walk does with an op that has regions, or ends one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// One of two regions.
    Branch,
    /// A region while another holds.
    While,
    /// A region per index of the first dim, with or without carried values.
    Scan,
    /// The end of a region.
    Yield,
}

/// How an op becomes linalg.
#[derive(Clone, Copy)]
pub enum Lowering {
    /// One element from one element of each operand, broadcast; floats narrower than 32 bits compute in f32.
    Pointwise(Compute, for<'c> fn(&Scalars<'c>, &[Number<'c>], Op<'c>) -> Number<'c>),
    /// A rule that records its results in the walk.
    Rule(for<'c> fn(&mut Lower<'c>, FxOp<'c>) -> Result),
    /// Never reached: it was decomposed.
    ViaDecomposition,
    /// Handled by the walk itself (regions, terminators).
    Structural(Structure),
}

/// The reverse-mode rule of an op.
#[derive(Clone, Copy)]
pub enum Vjp {
    /// Not yet.
    Missing(&'static str),
    /// It has one that nobody may ask for: why.
    Refused(&'static str),
    /// No result depends on an operand smoothly: why.
    None(&'static str),
    /// Of a pointwise op of one tensor: dy/dx of operand and result, in the type of `opmath`.
    Slope(for<'c> fn(&Fx<'c>, Value<'c>, Value<'c>) -> Result<Value<'c>>),
    /// Gives contributions to the cotangents of operands. What it builds from cotangents is linear in them.
    Rule(for<'c> fn(&Back<'c>) -> Result),
    /// That of the ops that it decomposes into.
    Decomposed,
    /// That of the ops that this gives. They take its place only where it is differentiated.
    Parts(for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>),
    /// Handled by the walk itself (regions).
    Structural,
}

/// The forward-mode rule of an op.
#[derive(Clone, Copy)]
pub enum Jvp {
    /// The reverse-mode rule transposed: what that builds from cotangents is linear in them, so its own reverse-mode is the
    /// product with tangents. Both modes agree by construction, at ties too.
    Transposed,
    /// Gives the tangents of results (none is zero) from those of operands; where the reverse-mode rule is not written
    /// linearly.
    Rule(for<'c> fn(&Forth<'c>) -> Result<Vec<Option<Value<'c>>>>),
}

/// How an op is computed for each index of a further first dim of some operands.
#[derive(Clone, Copy)]
pub enum Vmap {
    /// As its lowering says: pointwise with the ranks of operands aligned; else in a loop.
    Derived,
    /// Gives one value per result, or nothing where it knows no better than a loop.
    Rule(for<'c> fn(&Batch<'c>) -> Result<Vec<Value<'c>>>),
}

/// How derivative rules are tested by numbers, on the random cases that property tests draw for the op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GradTest {
    /// Against finite differences, of first and second order, and the identity of both modes.
    Smooth,
    /// The same where the function is smooth: not at kinks, ties and jumps; first order only.
    Kinked,
    /// Not by finite differences: why, and what tests it instead.
    Other(&'static str),
}

/// What computing an op again costs, instead of keeping what it gave.
#[derive(Clone, Copy)]
pub enum Again {
    /// Nothing: elements of operands in another place, or constants.
    View,
    /// An operation per element, in the kernel of what uses it.
    Pointwise,
    /// Reading an element of an operand per element, in the kernel of what uses it.
    Gather,
    /// Reading operands: a kernel of its own.
    Reduction,
    /// Sums of products: too much, unless memory is short. Terms of each sum, by the shapes of operands and of the first
    /// result.
    Product(fn(&[Vec<u64>], &[u64]) -> u64),
    /// It must not be: why.
    Never(&'static str),
}

/// Rows of one kind.
pub struct Family {
    /// The rows.
    pub rows: &'static [OpRow],
    /// What computing them again costs, where neither a row nor its lowering says otherwise.
    pub again: Again,
}

/// Shorthand for the list of families.
pub const fn family(rows: &'static [OpRow], again: Again) -> Family {
    Family { rows, again }
}

/// One row.
#[derive(Clone, Copy)]
pub struct OpRow {
    /// Full name of the op.
    pub op: &'static str,
    /// Into simpler fx ops.
    pub decompose: Decompose,
    /// Into linalg.
    pub lower: Lowering,
    /// Reverse-mode rule.
    pub vjp: Vjp,
    /// The operands by which results have derivatives. None: all that are differentiable.
    pub by: Option<&'static [&'static str]>,
    /// Forward-mode rule.
    pub jvp: Jvp,
    /// With a further first dim.
    pub vmap: Vmap,
    /// How its derivative rules are tested by numbers.
    pub grad_test: GradTest,
    /// What computing it again costs; none: what its lowering or its family says ([`again`]).
    pub again: Option<Again>,
    /// The operands of which sizes alone count.
    pub sizes_of: &'static [&'static str],
    /// The same by masks, if it asks of an operand nothing but yes or no: a mask takes one bit where it is saved.
    pub masked: Option<for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Value<'c>>>,
}

impl OpRow {
    /// With a reverse-mode rule.
    pub const fn vjp(self, rule: for<'c> fn(&Back<'c>) -> Result) -> Self {
        OpRow { vjp: Vjp::Rule(rule), ..self }
    }

    /// With the derivative of a pointwise op of one tensor, from operand and result.
    pub const fn slope(self, slope: for<'c> fn(&Fx<'c>, Value<'c>, Value<'c>) -> Result<Value<'c>>) -> Self {
        OpRow { vjp: Vjp::Slope(slope), ..self }
    }

    /// With the derivatives of the ops that a rule gives, which take its place only where it is differentiated.
    pub const fn in_parts(self, rule: for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>) -> Self {
        OpRow { vjp: Vjp::Parts(rule), ..self }
    }

    /// Without derivatives.
    pub const fn constant(self, why: &'static str) -> Self {
        OpRow { vjp: Vjp::None(why), ..self }
    }

    /// With a derivative that to ask for is an error: why.
    pub const fn refused(self, why: &'static str) -> Self {
        OpRow { vjp: Vjp::Refused(why), ..self }
    }

    /// By other operands than these there is no derivative.
    pub const fn by(self, operands: &'static [&'static str]) -> Self {
        OpRow { by: Some(operands), ..self }
    }

    /// Differentiated by the walk.
    pub const fn structural(self) -> Self {
        OpRow { vjp: Vjp::Structural, ..self }
    }

    /// Computing it again costs something else than its family.
    pub const fn again(self, again: Again) -> Self {
        OpRow { again: Some(again), ..self }
    }

    /// With a rule for a further first dim.
    pub const fn batched(self, rule: for<'c> fn(&Batch<'c>) -> Result<Vec<Value<'c>>>) -> Self {
        OpRow { vmap: Vmap::Rule(rule), ..self }
    }

    /// Of these operands sizes alone count.
    pub const fn sizes_of(self, operands: &'static [&'static str]) -> Self {
        OpRow { sizes_of: operands, ..self }
    }

    /// The same by masks.
    pub const fn masked(self, rule: for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Value<'c>>) -> Self {
        OpRow { masked: Some(rule), ..self }
    }

    /// With a forward-mode rule of its own.
    pub const fn jvp(self, rule: for<'c> fn(&Forth<'c>) -> Result<Vec<Option<Value<'c>>>>) -> Self {
        OpRow { jvp: Jvp::Rule(rule), ..self }
    }

    /// The function has kinks, ties or jumps.
    pub const fn kinked(self) -> Self {
        OpRow { grad_test: GradTest::Kinked, ..self }
    }

    /// Finite differences cannot test it.
    pub const fn tested_by(self, how: &'static str) -> Self {
        OpRow { grad_test: GradTest::Other(how), ..self }
    }
}

/// Shorthand for the rows of a family file: `row(op, decompose, lower)`, without derivatives so far. What is decomposed is
/// differentiated through its parts.
pub const fn row(op: &'static str, decompose: Decompose, lower: Lowering) -> OpRow {
    let vjp = match decompose {
        Decompose::Primitive => Vjp::Missing("its derivative is not written yet"),
        Decompose::Rule(_) => Vjp::Decomposed,
    };
    OpRow {
        op,
        decompose,
        lower,
        vjp,
        by: None,
        jvp: Jvp::Transposed,
        vmap: Vmap::Derived,
        grad_test: GradTest::Smooth,
        again: None,
        sizes_of: &[],
        masked: None,
    }
}

/// A row of an op that is lowered one element at a time.
pub const fn pointwise(op: &'static str, compute: Compute, body: for<'c> fn(&Scalars<'c>, &[Number<'c>], Op<'c>) -> Number<'c>) -> OpRow {
    row(op, Decompose::Primitive, Lowering::Pointwise(compute, body))
}

/// A row of an op that is decomposed.
pub const fn composite(op: &'static str, rule: for<'c> fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>) -> OpRow {
    row(op, Decompose::Rule(rule), Lowering::ViaDecomposition)
}

/// A row of an op that is lowered by a rule.
pub const fn lowered(op: &'static str, rule: for<'c> fn(&mut Lower<'c>, FxOp<'c>) -> Result) -> OpRow {
    row(op, Decompose::Primitive, Lowering::Rule(rule))
}

/// The row of an op by full name.
pub fn find(op: &str) -> Option<&'static OpRow> {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    static ROWS: OnceLock<HashMap<&'static str, &'static OpRow>> = OnceLock::new();
    ROWS.get_or_init(|| all().map(|row| (row.op, row)).collect()).get(op).copied()
}

/// What computing an op again costs; none if it has no row.
pub fn again(op: &str) -> Option<Again> {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    static COSTS: OnceLock<HashMap<&'static str, Again>> = OnceLock::new();
    let cost = |row: &OpRow, family: Again| match row.lower {
        _ if row.again.is_some() => row.again.unwrap_or(family),
        Lowering::Pointwise(..) => Again::Pointwise,
        _ => family,
    };
    let families =
        || crate::rows::FAMILIES.iter().flat_map(move |family| family.rows.iter().map(move |row| (row.op, cost(row, family.again))));
    COSTS.get_or_init(|| families().collect()).get(op).copied()
}

/// The tensor and the dim whose size an op gives, if that is what it does.
pub fn size_read<'c>(op: FxOp<'c>) -> Option<(Value<'c>, usize)> {
    let input = op.optional("input").filter(|_| op.op.name() == "fx.size")?;
    Some((input, op.dim("dim", input.ty().rank()).ok()?))
}

/// Whether an op draws random numbers.
pub fn is_random(op: &str) -> bool {
    crate::rows::random::ROWS.iter().any(|row| row.op == op)
}

/// Every row, family by family.
pub fn all() -> impl Iterator<Item = &'static OpRow> {
    crate::rows::FAMILIES.iter().flat_map(|family| family.rows.iter())
}
