//! Sorting by kernels: rows of known lengths become one call, `fx::sort_rows`, for which a GPU has a kernel.
//!
//! ```text
//! %v, %i = fx.call "fx::sort_rows"(%keys, %x) args {from = 0} : (tensor<4x8xi32>, tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
//! ```
//!
//! A row is the last dim. Its keys are integers that order, without a sign, as its elements are wanted: NaN is the greatest, 0
//! and -0 are equal, and where the greatest comes first all bits are the other way round. Equal keys stay in the order of their
//! places. The results are the elements and the places that come `from` so many others, as many as the results hold. Keys are
//! computed like any element, so they are never in memory.

use fx_ir::{Attribute, NumberKind, Type};

use crate::fx_op::Dim;
use crate::library::{HostArguments, HostResult};
use crate::lower::{Ix, Lower, Operand, Tensor};
use crate::rows::float_bits::bitcast;
use crate::scalar::{Compare, Number, Scalars};

/// Elements of the longest row that a kernel sorts.
pub const LONGEST_SORTED_ROW: i64 = 1 << 14;

/// Which part of a sorted row is wanted.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Whether the greatest comes first.
    pub(super) descending: bool,
    /// Elements before it.
    pub(super) from: i64,
    /// Its length.
    pub(super) count: i64,
}

/// A part of what is sorted along a dim, and the places of its elements. None if kernels do not sort such rows.
pub(super) fn sorted<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dim: usize, part: Part) -> Option<[Tensor<'c>; 2]> {
    let length = input.dims.get(dim)?.known()?;
    let last = part.from.checked_add(part.count)?;
    let fits = part.from >= 0 && part.count >= 0 && last <= length && length <= LONGEST_SORTED_ROW;
    if !cx.sort_in_kernels || !fits || !has_keys(input.element) {
        return None;
    }
    let mut dims = input.dims.clone();
    dims[dim] = Dim::Static(part.count);
    let places = Type::int(cx.context(), 64);
    let zeros = |element: Type<'c>| cx.fill(&dims, Scalars::new(cx.b).int(element, 0));
    if dims.iter().any(|dim| dim.known() == Some(0)) {
        return Some([zeros(input.element), zeros(places)]);
    }
    if length == 1 {
        return Some([input.clone(), zeros(places)]);
    }
    // The dim moves to the end, and back.
    let others: Vec<_> = (0..input.rank()).filter(|d| *d != dim).collect();
    let as_rows = |dims: &[Dim<'c>]| others.iter().chain([&dim]).map(|d| dims[*d]).collect::<Vec<_>>();
    let in_rows: Vec<_> =
        (0..input.rank()).map(|d| Ix::Loop(others.iter().position(|other| *other == d).unwrap_or(others.len()))).collect();
    let read = Operand { tensor: input.clone(), map: in_rows.clone() };
    let rows = as_rows(&input.dims);
    let key = key_type(cx, input.element);
    let keys = cx.map(&rows, key, std::slice::from_ref(&read), |body, a| {
        let own = key_of(&body.s, a[0], key);
        if part.descending { body.s.not(own) } else { own }
    });
    let is_last = dim + 1 == input.rank();
    let values = if is_last { input.clone() } else { cx.map(&rows, input.element, &[read], |_, a| a[0]) };
    let wanted = as_rows(&dims);
    let results = [input.element, places].map(|element| HostResult::sized(&wanted, element));
    let from = Attribute::dictionary(cx.context(), &[("from", Attribute::i64(cx.context(), part.from))]);
    let found = cx.host("fx::sort_rows", &[keys, values], HostArguments { scalars: &[], attributes: Some(from) }, &results);
    let back = |tensor: Tensor<'c>| {
        let map: Vec<_> = others.iter().chain([&dim]).map(|d| Ix::Loop(*d)).collect();
        cx.map(&dims, tensor.element, &[Operand { tensor, map }], |_, a| a[0])
    };
    let found = found.into_iter().map(|tensor| if is_last { tensor } else { back(tensor) });
    found.collect::<Vec<_>>().try_into().ok()
}

/// The same for a selection, which of equal elements may take any. Equal integers are common, and which of them are taken is
/// compared with PyTorch's choice on a CPU: that stays the host function's.
pub(super) fn selected<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dim: usize, part: Part) -> Option<[Tensor<'c>; 2]> {
    input.element.is_float().then(|| sorted(cx, input, dim, part)).flatten()
}

/// Whether elements of a type have keys.
fn has_keys(element: Type<'_>) -> bool {
    match element.number_kind() {
        NumberKind::Float => element.bit_width() >= 16,
        NumberKind::Int | NumberKind::Unsigned | NumberKind::Bool => element.bit_width() <= 64,
        NumberKind::Complex => false,
    }
}

/// Keys are as wide as what they stand for.
fn key_type<'c>(cx: &Lower<'c>, element: Type<'c>) -> Type<'c> {
    Type::int(cx.context(), element.bit_width().max(8))
}

/// The key of an element: see the module.
fn key_of<'c>(s: &Scalars<'c>, x: Number<'c>, key: Type<'c>) -> Number<'c> {
    let sign = s.int(key, i64::MIN >> (64 - key.bit_width()));
    match x.ty.number_kind() {
        NumberKind::Int => s.xor(x, sign),
        NumberKind::Float => {
            let bits = bitcast(s, x, key);
            let magnitude = s.and(bits, s.not(sign));
            let is_negative = s.compare(Compare::Lt, bits, s.int(key, 0));
            // Positive floats order as their bits do, negative ones the other way round.
            let ordered = s.select(is_negative, s.not(bits), s.or(bits, sign));
            let signless = s.select(s.compare(Compare::Eq, magnitude, s.int(key, 0)), sign, ordered);
            let infinity = bitcast(s, s.constant(x.ty, f64::INFINITY), key);
            s.select(s.compare(Compare::Gt, magnitude, infinity), s.int(key, -1), signless)
        }
        _ => s.cast(x, key),
    }
}

/// The element in the middle of each row along a dim, the lower of two, and its place: of what is no NaN if these are skipped,
/// else the first NaN if there is one. None if kernels do not sort such rows.
pub(super) fn median<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dim: usize, skip_nan: bool) -> Option<[Tensor<'c>; 2]> {
    let length = input.dims.get(dim)?.known().filter(|length| *length > 0)?;
    let all = selected(cx, input, dim, Part { descending: false, from: 0, count: length })?;
    let mut dims = input.dims.clone();
    dims[dim] = Dim::Static(1);
    let nans = nan_counts(cx, input, dim, &dims);
    let rank = input.rank();
    Some(all.map(|tensor| {
        cx.map(&dims, tensor.element, &[cx.broadcast(&nans, &dims)], |body, a| {
            let s = &body.s;
            let rest = s.sub(s.int(a[0].ty, length), a[0]);
            let below = s.sub(s.max(rest, s.int(a[0].ty, 1)), s.int(a[0].ty, 1));
            let middle = s.div(below, s.int(a[0].ty, 2));
            let has_nan = s.compare(Compare::Gt, a[0], s.int(a[0].ty, 0));
            let at = if skip_nan { middle } else { s.select(has_nan, rest, middle) };
            let at = s.cast(at, Type::index(s.context())).value;
            let indices: Vec<_> = (0..rank).map(|d| if d == dim { at } else { body.index(d) }).collect();
            body.extract(&tensor, &indices)
        })
    }))
}

/// How many NaN there are along a dim: `dims` has size 1 there.
fn nan_counts<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dim: usize, dims: &[Dim<'c>]) -> Tensor<'c> {
    let count = Type::int(cx.context(), 32);
    let others: Vec<_> = (0..input.rank()).filter(|d| *d != dim).collect();
    let kept: Vec<_> = others.iter().map(|d| input.dims[*d]).collect();
    let map = (0..input.rank()).map(|d| Ix::Loop(others.iter().position(|other| *other == d).unwrap_or(others.len()))).collect();
    let operand = Operand { tensor: input.clone(), map };
    let start = Scalars::new(cx.b).int(count, 0);
    let mut sums = cx.reduce(&kept, &[input.dims[dim]], &[start], &[operand], |body, a, sums| {
        let s = &body.s;
        vec![s.add(sums[0], s.cast(s.is_nan(a[0]), count))]
    });
    cx.reshape(&sums.remove(0), dims)
}
