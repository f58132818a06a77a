//! Calls of `fx::sort_rows` inside kernels: rows in the order of their keys (`fx_ops`, `rows/order/in_kernels.rs`).
//!
//! The kernel's space is that of the keys. They are computed like any element; the elements themselves are computed again at the
//! places where sorting finds them.

use fx_ir::{Attribute, Op, Value};

use crate::kernel::Kernel;

/// A call of the function.
#[derive(Clone, Copy)]
pub struct Sort<'c> {
    /// The `fx.call`.
    pub op: Op<'c>,
    /// Elements of a sorted row before those that are wanted.
    pub from: i64,
    /// How many are wanted.
    pub count: i64,
    /// Elements of a row.
    pub length: i64,
}

impl<'c> Sort<'c> {
    /// The op as such a call, of rows of a known length.
    pub fn of(op: Op<'c>) -> Option<Self> {
        if op.name() != "fx.call" || op.text("target") != Some("fx::sort_rows") {
            return None;
        }
        let args = op.attribute("args").and_then(Attribute::as_dictionary)?;
        let from = args.into_iter().find(|(name, _)| *name == "from").and_then(|(_, from)| from.as_int())?;
        let last = |value: Value<'c>| value.ty().shape().last().copied();
        let (count, length) = (last(op.result(0))?, last(op.operand(0))?);
        let fits = from >= 0 && count > 0 && from.checked_add(count)? <= length;
        (fits && length <= fx_ops::rows::order::LONGEST_SORTED_ROW).then_some(Self { op, from, count, length })
    }

    /// The call that a value is a result of.
    pub fn of_value(value: Value<'c>) -> Option<Self> {
        value.defining_op().and_then(Self::of)
    }

    /// The call of a kernel, if it has one.
    pub fn of_kernel(kernel: &Kernel<'c>) -> Option<Self> {
        kernel.results().into_iter().find_map(Self::of_value)
    }

    /// What orders the rows: integers that are compared without a sign.
    pub fn keys(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// What is put in order.
    pub fn values(self) -> Value<'c> {
        self.op.operand(1)
    }
}
