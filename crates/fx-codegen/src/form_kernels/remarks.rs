//! Why kernels are apart: a remark for each value that one gives and another reads.
//!
//! The remark stands at the op that makes the value, its note at the first op of the other kernel that has a reason. A
//! call of a host function, and control flow, count as kernels here. Edges are found before ops move into kernels, and
//! reported after, when kernels have names. A value that its readers compute again has a remark too, though none stores it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use fx_ir::{Location, Op, Type, Value, emit_remark};

use super::Former;
use super::kinds::{Kind, only_moves};
use crate::generic::has_checks;

/// Why the maker and the reader of a value are not in one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// `fx.call` on either side.
    Call,
    /// An op with regions on either side.
    ControlFlow,
    /// Data movement that is stored for its run-time checks.
    Checked,
    /// A copy that `reorder-weights` asked for.
    Reordered,
    /// The reader reduces over more than any operand has: sums of products, windows.
    Product,
    /// The maker is such a reduction, and so is the reader.
    ReducedProduct,
    /// The spaces differ.
    Space,
    /// Reductions of the same space that differ.
    ReducedDims,
    /// A scan beside a reduction, a scatter, or a scan along another dim.
    Walk,
    /// Data movement between them.
    Moved,
    /// A map whose loops do not stand in order.
    Order,
    /// A captured tensor.
    ComputedPlaces,
    /// The input of a scatter.
    WrittenOver,
    /// The result of a scatter.
    Scattered,
    /// A result of sorting, or what is sorted and not computed element by element.
    Sorted,
    /// The host reads something of the maker's kernel that the reader's needs.
    HostBetween,
    /// A path through another kernel.
    Cycle,
    /// A kernel of both would be too large, or compute too much again for each of its reductions.
    TooMuch,
    /// Another kernel was as good, and came first.
    OtherKernel,
    /// The value is not read: what makes it was copied into its readers, as that takes fewer bytes. Those of all readers are counted.
    Recomputed {
        /// Bytes that readers read for that, which they would not read otherwise.
        read: i64,
        /// Bytes of the value, written once and read by each reader.
        stored: i64,
    },
}

impl Reason {
    /// All reasons; each has a test in `lit-tests/passes/fx-form-kernels/remarks.mlir`, or `remarks_recompute.mlir`.
    #[cfg(test)]
    const ALL: [Reason; 20] = [
        Reason::Call,
        Reason::ControlFlow,
        Reason::Checked,
        Reason::Reordered,
        Reason::Product,
        Reason::ReducedProduct,
        Reason::Space,
        Reason::ReducedDims,
        Reason::Walk,
        Reason::Moved,
        Reason::Order,
        Reason::ComputedPlaces,
        Reason::WrittenOver,
        Reason::Scattered,
        Reason::Sorted,
        Reason::HostBetween,
        Reason::Cycle,
        Reason::TooMuch,
        Reason::OtherKernel,
        Reason::Recomputed { read: 131_328, stored: 524_288 },
    ];

    /// What a remark says; "it" is the value.
    fn text(self) -> Cow<'static, str> {
        let text = match self {
            Reason::Call => "a function of the host makes or reads it",
            Reason::ControlFlow => "control flow, which the host runs, makes or reads it",
            Reason::Checked => "each of its indices is checked, and its reader may not read all of it",
            Reason::Reordered => "it is a parameter, copied once into the order in which its reader wants it",
            Reason::Product => {
                "its reader is a product or moves a window, and reads elements more than once: computing them again would cost more \
                 than storing them"
            }
            Reason::ReducedProduct => "it is made by a product or a window, and its reader reduces it",
            Reason::Space => "its reader works on another iteration space",
            Reason::ReducedDims => "its reader reduces other dims than its own kernel does",
            Reason::Walk => "one of them walks along rows step by step, and the other needs whole rows, or walks along other ones",
            Reason::Moved => "data movement before its reader (a reshape, transpose, slice, join or lookup) changes places of elements",
            Reason::Order => "its reader goes through it in another order of dims",
            Reason::ComputedPlaces => "its reader computes the places at which it reads it",
            Reason::WrittenOver => "its reader writes over it at computed places, so all of it must be there before",
            Reason::Scattered => "its kernel writes it at computed places, so it is there when that kernel has ended",
            Reason::Sorted => "one of them sorts rows, beside which a kernel only computes elements, each from what is in memory",
            Reason::HostBetween => "the host reads what its kernel gives before its reader can start",
            Reason::Cycle => "one kernel would wait for another one that waits for it",
            Reason::TooMuch => "one kernel would be too large, or compute its elements again for too many reductions",
            Reason::OtherKernel => "its reader is in the kernel of another operand, and kernels are not merged",
            Reason::Recomputed { read, stored } => {
                return format!("{read} further bytes are read for that, storing and reading it would take {stored}").into();
            }
        };
        text.into()
    }
}

/// Where a value is made or read: a group, or an op of the host.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side<'c> {
    Group(usize),
    Host(Op<'c>),
}

impl Side<'_> {
    fn name<'a>(&'a self, kernels: &'a HashMap<usize, String>) -> &'a str {
        match self {
            Side::Group(group) => kernels.get(group).map_or("no kernel", String::as_str),
            Side::Host(op) => op.name(),
        }
    }
}

/// A value between kernels.
pub(super) struct Edge<'c> {
    ty: Type<'c>,
    made: (Side<'c>, Location<'c>),
    read: (Side<'c>, Location<'c>),
    reason: Reason,
}

impl Edge<'_> {
    /// Says why the value is there.
    pub(super) fn remark(&self, kernels: &HashMap<usize, String>) {
        let (maker, reader) = (self.made.0.name(kernels), self.read.0.name(kernels));
        let what = match self.reason {
            // What makes it may be left to its readers, so that no kernel is its maker.
            Reason::Recomputed { .. } => format!("'{reader}' computes '{}' again", self.ty),
            _ => format!("'{maker}' stores '{}' for '{reader}'", self.ty),
        };
        let text = format!("{what}: {}", self.reason.text());
        emit_remark(self.made.1, &text, &[(self.read.1, "the reader".to_string())]);
    }
}

/// Why an op of the host is no part of a kernel, if it is one that computes.
fn host_reason(op: Op<'_>) -> Option<Reason> {
    match op.name() {
        "fx.call" => Some(Reason::Call),
        _ if !op.regions().is_empty() => Some(Reason::ControlFlow),
        _ => None,
    }
}

impl<'c> Former<'c> {
    /// Records that a group computes a value of another one again, for an op that read it.
    pub(super) fn record_recomputed(&mut self, value: Value<'c>, (group, reader): (usize, Op<'c>), reason: Reason) {
        if let Some(maker) = value.defining_op().filter(|_| self.remarks) {
            let made = self.group_of.get(&maker).map_or(Side::Host(maker), |group| Side::Group(*group));
            let read = (Side::Group(group), reader.location());
            self.recomputed.push(Edge { ty: value.ty(), made: (made, maker.location()), read, reason });
        }
    }

    /// One edge for each value and kernel that reads it, in the order of first readers. Groups must be complete.
    pub(super) fn edges(&self, ops: &[Op<'c>]) -> Vec<Edge<'c>> {
        let mut edges: Vec<Edge<'c>> = Vec::new();
        let mut known: HashMap<(Value<'c>, Side<'c>), usize> = HashMap::new();
        let side = |op: Op<'c>| self.group_of.get(&op).map_or(Side::Host(op), |group| Side::Group(*group));
        for reader in ops.iter().copied().filter(|op| self.kind(*op) != Kind::Inline) {
            for value in self.producers(reader) {
                let Some(maker) = value.defining_op() else { continue };
                let Some(reason) = self.reason(maker, reader) else { continue };
                let (made, read) = ((side(maker), maker.location()), (side(reader), reader.location()));
                let edge = Edge { ty: value.ty(), made, read, reason };
                match known.entry((value, read.0)) {
                    // Of several readers in a kernel, one that could not join tells more than one that was drawn away.
                    Entry::Occupied(index) if edges[*index.get()].reason == Reason::OtherKernel => edges[*index.get()] = edge,
                    Entry::Occupied(_) => {}
                    Entry::Vacant(place) => {
                        place.insert(edges.len());
                        edges.push(edge);
                    }
                }
            }
        }
        edges
    }

    /// Why an op is not in the kernel that makes what it reads; none if it is, or if no kernel or call is on one side.
    fn reason(&self, maker: Op<'c>, reader: Op<'c>) -> Option<Reason> {
        let (from, to) = (self.group_of.get(&maker), self.group_of.get(&reader));
        match (from, to) {
            (Some(from), Some(to)) if from == to => None,
            (Some(_), Some(_)) if self.reordered.contains(&maker) => Some(Reason::Reordered),
            (Some(_), Some(_)) if has_checks(maker) && only_moves(maker) => Some(Reason::Checked),
            (Some(from), Some(_)) => self.apart.get(&(reader, *from)).copied(),
            (Some(_), None) => host_reason(reader),
            (None, Some(_)) => host_reason(maker),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_a_test() {
        let tests = concat!(
            include_str!("../../../../lit-tests/passes/fx-form-kernels/remarks.mlir"),
            include_str!("../../../../lit-tests/passes/fx-form-kernels/remarks_recompute.mlir"),
        );
        for reason in Reason::ALL {
            let mut expected = tests.lines().filter(|line| line.contains("expected-remark @below"));
            assert!(expected.any(|line| line.ends_with(&format!("{}}}}}", reason.text()))), "{reason:?}");
        }
    }
}
