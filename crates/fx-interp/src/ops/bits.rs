//! Logic and bits.

use super::{Entry, one};
use crate::Result;
use crate::array::{DType, bits, pointwise};
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.bitwise_and", |call| bitwise(call, |x, y| x & y)),
    ("fx.bitwise_left_shift", left_shift),
    ("fx.bitwise_not", bitwise_not),
    ("fx.bitwise_or", |call| bitwise(call, |x, y| x | y)),
    ("fx.bitwise_right_shift", right_shift),
    ("fx.bitwise_xor", |call| bitwise(call, |x, y| x ^ y)),
    ("fx.logical_and", |call| logical(call, |x, y| x && y)),
    ("fx.logical_not", |call| one(call.array("input")?.map(DType::Bool, |x: bool| !x)?)),
    ("fx.logical_or", |call| logical(call, |x, y| x || y)),
    ("fx.logical_xor", |call| logical(call, |x, y| x != y)),
];

/// Bit by bit; a bool is one bit.
fn bitwise(call: &Call<'_>, f: impl Fn(i64, i64) -> i64) -> Result<Vec<Value>> {
    super::binary_by_kind(call, f, |x, _| x)
}

fn bitwise_not(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    one(match input.dtype() {
        DType::Bool => input.map(DType::Bool, |x: bool| !x)?,
        dtype => input.map(dtype, |x: i64| !x)?,
    })
}

fn logical(call: &Call<'_>, f: impl Fn(bool, bool) -> bool) -> Result<Vec<Value>> {
    let [a, b] = call.pair("input", "other")?;
    one(pointwise(DType::Bool, [&a, &b], |[x, y]| f(x, y))?)
}

/// A shift by less than the width; none else.
fn distance(dtype: DType, by: i64) -> Option<u32> {
    u32::try_from(by).ok().filter(|by| *by < bits(dtype))
}

fn left_shift(call: &Call<'_>) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    super::binary_by_kind(call, |x, by| distance(dtype, by).map_or(0, |by| x << by), |x, _| x)
}

/// Values are held sign-extended, so that a shift by 63 leaves only the sign: 0 of an unsigned number.
fn right_shift(call: &Call<'_>) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    super::binary_by_kind(call, |x, by| x >> distance(dtype, by).unwrap_or(63), |x, _| x)
}
