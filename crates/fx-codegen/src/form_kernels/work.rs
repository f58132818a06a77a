//! How much a kernel computes, and what it computes again.
//!
//! A kernel ends where it would be so large that compiling it takes longer than it is worth: what is stored and read again there
//! is little beside what it computes. A kernel of rows keeps what its reductions give for a row, and no elements: each reduction,
//! and the results after them, compute the elements that they need from the kernel's inputs. That is cheaper than memory for a
//! softmax or a layer norm. Where normalisations follow each other, it grows with the square of their number: there a kernel
//! ends, too.

use std::collections::{HashMap, HashSet};

use fx_ir::Op;

use super::Former;
use super::kinds::Kind;
use super::space::Shape;
use crate::generic::Generic;

/// What an elementary function counts; other ops count one.
const FUNCTION: u64 = 16;
/// What the reductions and results of a kernel may count together, for each element: far more than a normalisation with an
/// activation before it and one after it.
pub(super) const MOST: u64 = 256;
/// What the ops of a kernel may count together: sixteen elementary functions, say.
pub(super) const LARGEST: u64 = 256;
/// What data movement may count that is folded into its readers.
const MOST_MOVES: u64 = 1024;

/// What a body computes for an element.
pub(super) fn body_work(op: Op<'_>) -> u64 {
    let mut work = 0;
    op.walk(&mut |inner| work += if inner.name().starts_with("math.") { FUNCTION } else { 1 });
    work
}

impl<'c> Former<'c> {
    /// Stores what is moved around so often that code for one element of it would be too large: data movement is folded into its
    /// readers, all that it may read included.
    pub(super) fn force_large_moves(&mut self, ops: &[Op<'c>]) {
        let mut folded: HashMap<Op<'c>, u64> = HashMap::new();
        for op in ops {
            if self.kind(*op) != Kind::Inline {
                continue;
            }
            let before = self.used(*op).iter().filter_map(|value| folded.get(&value.defining_op()?)).sum::<u64>();
            let mut work = before + body_work(*op);
            if work > MOST_MOVES && op.name() == "linalg.generic" && before > 0 {
                self.kinds.insert(*op, Kind::Compute);
                work = 0;
            }
            folded.insert(*op, work);
        }
    }

    /// What it takes to compute an element that `op` gives or reduces, from what a group reads and from its reductions; `MOST`
    /// if it is more.
    pub(super) fn work(&self, op: Op<'c>, group: usize) -> u64 {
        let mut work = 0;
        let mut seen = HashSet::new();
        let mut pending = vec![op];
        while let Some(next) = pending.pop().filter(|_| work < MOST) {
            if !seen.insert(next) {
                continue;
            }
            work += body_work(next);
            let makers = self.producers(next).into_iter().filter_map(|value| value.defining_op());
            let is_computed = |maker: &Op<'c>| {
                self.group_of.get(maker) == Some(&group) && Generic::new(*maker).is_none_or(|generic| !generic.is_reduction())
            };
            pending.extend(makers.filter(is_computed));
        }
        work.min(MOST)
    }

    /// Whether a group with `op` would compute too much, or too much again.
    pub(super) fn is_too_much(&self, op: Op<'c>, shape: &Shape<'c>, index: usize) -> bool {
        let group = &self.groups[index];
        let repeats = group.repeated > 0 && shape.space == group.space;
        group.work + body_work(op) > LARGEST || repeats && group.repeated + self.work(op, index) > MOST
    }
}
