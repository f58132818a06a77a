//! What ops are to kernel formation: computed in a kernel, folded into their readers, or left to the host.

use std::rc::Rc;

use fx_ir::{AffineResult, Attribute, Op, Value};

use super::Former;
use super::space::increasing;
use crate::generic::Generic;
use crate::scatter::Scatter;

/// What an op is to kernel formation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Folded into its readers.
    Inline,
    /// Computed in a group.
    Compute,
    /// Stays on the host; the tensors that it reads are in memory.
    Host,
}

pub(super) fn classify(op: Op<'_>) -> Kind {
    match op.name() {
        "tensor.empty" | "linalg.fill" | "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => Kind::Inline,
        "arith.constant" if op.result(0).ty().is_tensor() => {
            if op.attribute("value").and_then(Attribute::as_splat).is_some() {
                Kind::Inline
            } else {
                Kind::Host
            }
        }
        "linalg.generic" => {
            let moves = Generic::new(op)
                .is_some_and(|generic| !generic.is_reduction() && only_moves(op) && (!generic.has_checks() || is_read_whole(op)));
            if moves { Kind::Inline } else { Kind::Compute }
        }
        _ => Kind::Host,
    }
}

/// Whether a body computes nothing but places: its result is an element of an operand, or a constant.
pub(super) fn only_moves(op: Op<'_>) -> bool {
    let mut moves = true;
    op.walk(&mut |inner| {
        let result_is_place = || inner.results().iter().all(|value| value.ty().is_index() || value.ty().is_bool());
        moves &= match inner.name() {
            "linalg.index" | "linalg.yield" | "tensor.extract" | "scf.if" | "scf.yield" | "arith.constant" | "arith.index_cast"
            | "arith.extf" | "arith.truncf" | "arith.select" | "cf.assert" => true,
            name => name.starts_with("arith.") && result_is_place(),
        };
    });
    moves
}

/// Whether all readers are loops that compute with each element once: checks are made there as well as anywhere.
fn is_read_whole(op: Op<'_>) -> bool {
    let reads_whole = |user: Op<'_>, operand: usize| {
        if Scatter::of(user).is_some_and(|scatter| operand > 0 && scatter.op.block() == op.block()) {
            return true;
        }
        let in_order = |generic: &Generic<'_>| {
            let map = &generic.maps[operand];
            operand < generic.inputs.len() && increasing(map) && map.iter().all(|place| matches!(place, AffineResult::Dim(_)))
        };
        let computes = user.block() == op.block() && !only_moves(user) && !crate::contract_cpu::is_sum_of_products(user);
        computes && Generic::new(user).as_ref().is_some_and(in_order)
    };
    op.results().into_iter().flat_map(|result| result.uses()).all(|(user, operand)| reads_whole(user, operand))
}

impl<'c> Former<'c> {
    /// Tensors that the host reads must be in memory: data movement before such a read is a kernel of its own, unless it
    /// is a reshape of something in memory, which is a view.
    pub(super) fn force_host_operands(&mut self, ops: &[Op<'c>]) {
        for op in ops {
            if let Some(scatter) = Scatter::of(*op).filter(|_| self.kind(*op) == Kind::Compute) {
                self.force(scatter.input());
                continue;
            }
            // Elements that a sum of products reads at computed places are read many times.
            let read_often = crate::contract_cpu::is_sum_of_products(*op).then(|| crate::generic::captured(*op));
            if self.kind(*op) != Kind::Host && read_often.is_none() {
                continue;
            }
            let is_loop = matches!(op.name(), "scf.for" | "scf.while");
            for value in read_often.map_or_else(|| self.used(*op), Rc::from).iter().copied() {
                // A loop that begins with an empty tensor does not read it.
                let is_unread = is_loop && value.defining_op().is_some_and(|op| op.name() == "tensor.empty");
                if value.ty().is_tensor() && !is_unread {
                    self.force(value);
                }
            }
        }
    }

    /// Puts a value into memory; gives the op of which that makes a kernel, if it does.
    pub(super) fn force(&mut self, value: Value<'c>) -> Option<Op<'c>> {
        let op = value.defining_op().filter(|op| self.kind(*op) == Kind::Inline)?;
        match op.name() {
            "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => self.force(op.operand(0)),
            _ => {
                self.kinds.insert(op, Kind::Compute);
                Some(op)
            }
        }
    }
}
