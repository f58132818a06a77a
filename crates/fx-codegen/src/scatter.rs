//! Calls of `fx::scatter_runs` inside kernels: values that go to places which are computed (`fx_ops`, `rows/indexing/runs.rs`).
//!
//! Such a kernel's result starts as a copy of the call's first operand, which the plan makes before the launch, unless nothing
//! else reads that operand: then the kernel writes over it. The kernel's space is that of the values.

use fx_ir::{Attribute, Op, Value};

/// A call of the function.
#[derive(Clone, Copy)]
pub struct Scatter<'c> {
    /// The `fx.call`.
    pub op: Op<'c>,
}

/// How a value meets what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// It is written.
    Set,
    /// `+`
    Sum,
    /// `*`
    Product,
    /// The larger, NaN if either is.
    Largest,
    /// The smaller, NaN if either is.
    Smallest,
}

impl<'c> Scatter<'c> {
    /// The op as such a call.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let own = Self { op };
        (op.name() == "fx.call" && op.text("target") == Some("fx::scatter_runs") && own.named_join().is_some()).then_some(own)
    }

    /// The call that a value is the result of.
    pub fn of_value(value: Value<'c>) -> Option<Self> {
        value.defining_op().and_then(Self::of)
    }

    /// What values are joined to.
    pub fn input(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The values: sizes of the positions, then of a run.
    pub fn values(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// Which run of the input each goes to; none if negative.
    pub fn positions(self) -> Value<'c> {
        self.op.operand(2)
    }

    /// Whether runs have more than one element, as far as types tell.
    pub fn has_runs(self) -> bool {
        self.positions().ty().rank() < self.values().ty().rank()
    }

    /// How values meet what is there.
    pub fn join(self) -> Join {
        self.named_join().unwrap_or(Join::Set)
    }

    fn named_join(self) -> Option<Join> {
        let args = self.op.attribute("args").and_then(Attribute::as_dictionary).unwrap_or_default();
        Some(match args.iter().find(|(name, _)| *name == "reduce").and_then(|(_, name)| name.as_str()) {
            None => Join::Set,
            Some("sum") => Join::Sum,
            Some("prod") => Join::Product,
            Some("amax") => Join::Largest,
            Some("amin") => Join::Smallest,
            Some(_) => return None,
        })
    }
}

/// What a value is a reshape of.
pub fn unviewed(value: Value<'_>) -> Value<'_> {
    match value.defining_op() {
        Some(op) if is_view(op) => unviewed(op.operand(0)),
        _ => value,
    }
}

/// Whether an op names the same elements by other sizes.
pub fn is_view(op: Op<'_>) -> bool {
    matches!(op.name(), "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape")
}
