//! Positions that index tensors hold, checked where they are read.
//!
//! ```text
//! %inside = arith.cmpi ult, %at, %size : index
//! cf.assert %inside, "'fx.gather' op: index {value} is out of bounds for dimension 0 with size {bound}"
//! %place = arith.select %inside, %at, %zero : index
//! ```

use fx_ir::{Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::rows::spatial::read_inside;
use crate::scalar::{Compare, Number, Scalars};

/// A dim with positions in it.
pub(super) struct Axis<'c> {
    size: Dim<'c>,
    extent: Value<'c>,
    /// Whether negative positions count from the end; else they are errors.
    wraps: bool,
    message: String,
    /// The message where nothing can be in the range.
    empty: String,
}

/// A position that was checked.
#[derive(Clone, Copy)]
pub(super) struct Place<'c> {
    /// The position, counted from the start.
    pub(super) index: Value<'c>,
    /// Whether something is there, where that has to be asked: else a wrong position has become 0.
    pub(super) inside: Option<Number<'c>>,
}

impl<'c> Axis<'c> {
    /// A dim of one of the op's tensors, with positions from 0 up.
    pub(super) fn new(cx: &Lower<'c>, op: FxOp<'c>, tensor: &Tensor<'c>, dim: usize) -> Self {
        Self::described(cx, op, tensor.dims[dim], &format!("index {{value}} is out of bounds for dimension {dim} with size {{bound}}"))
    }

    /// A dim of one of the op's tensors; negative positions count from its end.
    pub(super) fn wrapping(cx: &Lower<'c>, op: FxOp<'c>, tensor: &Tensor<'c>, dim: usize) -> Self {
        Self::new(cx, op, tensor, dim).wrap()
    }

    /// A range of this size; `what` says that a position is not in it.
    pub(super) fn described(cx: &Lower<'c>, op: FxOp<'c>, size: Dim<'c>, what: &str) -> Self {
        let name = op.op.name();
        let empty = format!("'{name}' op: an index is out of bounds for a dimension of size 0");
        Self { size, extent: cx.dim_value(size), wraps: false, message: format!("'{name}' op: {what}"), empty }
    }

    /// The same, where negative positions count from the end.
    pub(super) fn wrap(self) -> Self {
        Self { wraps: true, message: self.message.replace("{value}", "{unwrapped}"), ..self }
    }

    /// Stops the program if there are positions, but nothing that they could name. For loops over what is named, which
    /// would not see them.
    pub(super) fn check_some(&self, cx: &Lower<'c>, positions: &Tensor<'c>) {
        let count = cx.product(&positions.dims);
        if self.size.known().is_some_and(|size| size > 0) || count.known() == Some(0) {
            return;
        }
        let s = Scalars::new(cx.b);
        let index = Type::index(cx.context());
        let compare = |value: Value<'c>| s.compare(Compare::Eq, Number { value, ty: index }, s.int(index, 0));
        let (nothing, no_positions) = (compare(self.extent), compare(cx.dim_value(count)));
        cx.check(s.or(s.not(nothing), no_positions).value, &self.empty);
    }

    /// Checks a position that a tensor holds; it is not changed where the check fails.
    pub(super) fn check(&self, body: &Body<'c>, at: Number<'c>) -> (Number<'c>, Number<'c>) {
        let s = &body.s;
        let index = Type::index(s.context());
        let extent = body.as_number(self.extent);
        let mut at = s.cast(at, index);
        if self.wraps {
            at = s.select(s.compare(Compare::Lt, at, s.int(index, 0)), s.add(at, extent), at);
        }
        let inside = s.compare_unsigned(Compare::Lt, at, extent);
        body.check(inside, &self.message);
        (at, inside)
    }

    /// Checks a position that a tensor holds, for reading there.
    pub(super) fn place(&self, body: &Body<'c>, at: Number<'c>) -> Place<'c> {
        let s = &body.s;
        let (at, inside) = self.check(body, at);
        if self.size.known().is_some_and(|size| size > 0) {
            return Place { index: s.select(inside, at, s.int(at.ty, 0)).value, inside: None };
        }
        // There may be no element at all.
        Place { index: at.value, inside: Some(inside) }
    }
}

/// The element at `at`, which `places` are some of; 0 where one of them failed its check and nothing can be read.
pub(super) fn read<'c>(body: &Body<'c>, input: &Tensor<'c>, at: &[Value<'c>], places: &[Place<'c>]) -> Number<'c> {
    let s = &body.s;
    match places.iter().filter_map(|place| place.inside).reduce(|all, inside| s.and(all, inside)) {
        Some(inside) => read_inside(body, input, at, inside, s.int(input.element, 0)),
        None => body.extract(input, at),
    }
}
