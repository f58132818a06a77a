//! Scans: reductions over the places up to each one, along one dim.
//!
//! ```text
//! y[.., d, ..] = reduce over r, from a filled tensor:  select(r <= d, f(x[.., r, ..], acc), acc)
//! ```
//!
//! Kernels do not reduce anew for each place: they walk along `d`. The accumulators after a place are its results, and the body
//! at `r = d` gives the next ones. Where the lowering says so (`fx.associative`), `f` also joins the accumulators of two
//! stretches, the later ones in place of an element: then threads share a row.

use std::collections::HashSet;

use fx_ir::{AffineResult, Block, Op, Type, Value};

use crate::generic::{Generic, used_values};
use crate::kernel::Kernel;

/// The lowering's word that a scan's body joins accumulators too.
pub const ASSOCIATIVE: &str = "fx.associative";

/// Signed, as a predicate of `arith.cmpi`.
const AT_MOST: i64 = 3;

/// A reduction that is a scan.
#[derive(Clone)]
pub struct Scan<'c> {
    /// The reduction: its last loop goes over the places before.
    pub generic: Generic<'c>,
    /// The dim that it runs along.
    pub along: usize,
    /// What says that a place counts: `r <= d`.
    pub before: Value<'c>,
    /// Per accumulator its next value, where the place counts.
    pub next: Vec<Value<'c>>,
    /// Whether more must hold for a place to count: then `next` reads `before`.
    pub is_conditional: bool,
    /// Per accumulator what stands for an element in `next`, if accumulators can be joined.
    pub elements: Option<Vec<Value<'c>>>,
}

impl<'c> Scan<'c> {
    /// The reduction as a scan, if it is one.
    pub fn of(generic: &Generic<'c>) -> Option<Self> {
        let rank = generic.parallel_count();
        let block = generic.body()?;
        if generic.reduced.len() != rank + 1 || generic.reduced.last() != Some(&true) || generic.has_checks() {
            return None;
        }
        let (before, along) = block.ops().into_iter().find_map(|op| counted(op, rank))?;
        let (inputs, outputs) = generic.maps.split_at(generic.inputs.len());
        let own_place: Vec<_> = (0..rank).map(AffineResult::Dim).collect();
        let reads_before = |map: &Vec<AffineResult>| !map.contains(&AffineResult::Dim(along)) && !map.contains(&AffineResult::Other);
        let is_filled = |value: &Value<'c>| value.defining_op().is_some_and(|op| op.name() == "linalg.fill");
        let fits = inputs.iter().all(reads_before)
            && outputs.iter().all(|map| *map == own_place)
            && generic.outputs.iter().all(is_filled)
            && reads_place_only_for(before, along, block);
        if !fits {
            return None;
        }
        let arguments = block.arguments();
        let accumulators = &arguments[generic.inputs.len()..];
        let yielded = block.terminator()?.operands();
        let next = yielded.iter().zip(accumulators).map(|(value, kept)| next_value(*value, *kept, before)).collect::<Option<Vec<_>>>()?;
        let is_conditional = next.iter().any(|value| depends(*value, &[before], block));
        let mut scan = Self { generic: generic.clone(), along, before, next, is_conditional, elements: None };
        if generic.op.attribute(ASSOCIATIVE).is_some() {
            scan.elements = scan.find_elements(block, accumulators);
        }
        Some(scan)
    }

    /// The scans of a kernel, in order.
    pub fn all(kernel: &Kernel<'c>) -> Vec<Self> {
        kernel.body.ops().into_iter().filter_map(Generic::new).filter_map(|generic| Self::of(&generic)).collect()
    }

    /// An operand's map with the scan's own place instead of the places before it.
    pub fn at_place(&self, map: &[AffineResult]) -> Vec<AffineResult> {
        let before = AffineResult::Dim(self.generic.parallel_count());
        map.iter().map(|place| if *place == before { AffineResult::Dim(self.along) } else { *place }).collect()
    }

    /// Types of the accumulators.
    pub fn types(&self) -> Vec<Type<'c>> {
        self.next.iter().map(|value| value.ty()).collect()
    }

    /// What stands for elements: a value that is chosen as it is, or, of a single accumulator, the last value of its type
    /// from which alone, beside the accumulator, the next one follows.
    fn find_elements(&self, block: Block<'c>, accumulators: &[Value<'c>]) -> Option<Vec<Value<'c>>> {
        let chosen = |(next, kept): (&Value<'c>, &Value<'c>)| {
            let select = next.defining_op().filter(|op| op.name() == "arith.select" && op.operand(2) == *kept);
            select.map(|op| op.operand(1)).filter(|value| !depends(*value, accumulators, block))
        };
        if let Some(elements) = self.next.iter().zip(accumulators).map(chosen).collect::<Option<Vec<_>>>() {
            return self.follows(&elements, accumulators, block).then_some(elements);
        }
        let [accumulator] = accumulators else { return None };
        let mut values = block.arguments();
        values.extend(block.ops().into_iter().flat_map(|op| op.results()));
        let fits = |value: &Value<'c>| {
            value.ty() == accumulator.ty()
                && !depends(*value, accumulators, block)
                && depends(self.next[0], &[*value], block)
                && self.follows(&[*value], accumulators, block)
        };
        values.into_iter().rev().find(fits).map(|value| vec![value])
    }

    /// Whether the next accumulators follow from `elements` and the accumulators alone.
    fn follows(&self, elements: &[Value<'c>], accumulators: &[Value<'c>], block: Block<'c>) -> bool {
        let mut seen = HashSet::new();
        let mut pending = self.next.clone();
        while let Some(value) = pending.pop() {
            let known = value == self.before || elements.contains(&value) || accumulators.contains(&value);
            if known || !seen.insert(value) {
                continue;
            }
            match value.defining_op() {
                Some(op) if op.block() != Some(block) => {}
                Some(op) if op.regions().is_empty() && !matches!(op.name(), "linalg.index" | "tensor.extract") => {
                    pending.extend(op.operands());
                }
                Some(_) => return false,
                None if value.block_argument().is_some_and(|(own, _)| own == block) => return false,
                None => {}
            }
        }
        true
    }
}

/// `r <= d` of a body with `rank` loops before `r`: the value, and which loop `d` is.
fn counted(op: Op<'_>, rank: usize) -> Option<(Value<'_>, usize)> {
    let loop_of = |value: Value<'_>| value.defining_op().filter(|op| op.name() == "linalg.index")?.int("dim");
    if op.name() != "arith.cmpi" || op.int("predicate") != Some(AT_MOST) {
        return None;
    }
    let (before, place) = (loop_of(op.operand(0))?, loop_of(op.operand(1))?);
    let along = usize::try_from(place).ok().filter(|along| *along < rank)?;
    (before == rank as i64).then(|| (op.result(0), along))
}

/// Whether a body knows its place along `along` only as what `before` compares.
fn reads_place_only_for(before: Value<'_>, along: usize, block: Block<'_>) -> bool {
    let is_place = |op: &Op<'_>| op.name() == "linalg.index" && op.int("dim") == Some(along as i64);
    let places = block.ops().into_iter().filter(is_place);
    places.flat_map(|op| op.result(0).uses()).all(|(user, _)| Some(user) == before.defining_op())
}

/// The next value of an accumulator that stays `kept` where `before` is false: what is chosen, or, where more must hold, the
/// choice itself.
fn next_value<'c>(value: Value<'c>, kept: Value<'c>, before: Value<'c>) -> Option<Value<'c>> {
    let select = value.defining_op().filter(|op| op.name() == "arith.select" && op.operand(2) == kept)?;
    let condition = select.operand(0);
    if condition == before {
        return Some(select.operand(1));
    }
    implies(condition, before).then_some(value)
}

/// Whether `condition` is false wherever `before` is.
fn implies(condition: Value<'_>, before: Value<'_>) -> bool {
    let both = condition.defining_op().filter(|op| op.name() == "arith.andi");
    condition == before || both.is_some_and(|op| op.operands().into_iter().any(|part| implies(part, before)))
}

/// Whether a value of `block` is computed from one of `sources`.
fn depends<'c>(value: Value<'c>, sources: &[Value<'c>], block: Block<'c>) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if sources.contains(&value) {
            return true;
        }
        if let Some(op) = value.defining_op().filter(|op| seen.insert(value) && op.block() == Some(block)) {
            pending.extend(used_values(op));
        }
    }
    false
}
