//! Copies, conversions, and the parts of complex numbers.

use super::{Entry, one};
use crate::array::{Array, Category, Complex, pointwise, ravel};
use crate::call::Call;
use crate::value::Value;
use crate::{Number, Result};

pub(super) static OPS: &[Entry] = &[
    ("fx.clone", |call| one(call.array("input")?.clone())),
    ("fx.complex", |call| {
        let operands = [call.array("real")?, call.array("imag")?];
        one(pointwise(call.result_dtype(0)?, operands, |[re, im]| Complex::new(re, im))?)
    }),
    ("fx.conj", |call| {
        let input = call.array("input")?;
        one(if input.category() == Category::Complex { input.map(input.dtype(), Complex::conj)? } else { input.clone() })
    }),
    ("fx.copy", |call| {
        let input = call.array("input")?;
        one(call.array("src")?.cast(input.dtype()).expand(input.shape())?)
    }),
    ("fx.fill", |call| {
        let input = call.array("input")?;
        one(Array::full(input.dtype(), input.shape(), call.scalar("value")?)?)
    }),
    ("fx.imag", |call| one(call.array("input")?.map(call.result_dtype(0)?, |z: Complex| z.im)?)),
    ("fx.real", |call| {
        let input = call.array("input")?;
        one(if input.category() == Category::Complex { input.map(call.result_dtype(0)?, |z: Complex| z.re)? } else { input.clone() })
    }),
    ("fx.resize", resize),
    ("fx.stop_gradient", |call| one(call.array("input")?.clone())),
    ("fx.to_copy", |call| one(call.array("input")?.cast(call.result_dtype(0)?))),
    ("fx.type_as", |call| one(call.array("input")?.cast(call.array("other")?.dtype()))),
    ("fx.view_as_complex", |call| {
        let input = call.array("input")?;
        let last = input.rank().checked_sub(1).ok_or("has an operand without dims")?;
        let (re, im) = (input.select(last, 0)?, input.select(last, 1)?);
        one(pointwise(call.result_dtype(0)?, [&re, &im], |[re, im]| Complex::new(re, im))?)
    }),
    ("fx.view_as_real", |call| {
        let input = call.array("input")?;
        let dtype = call.result_dtype(0)?;
        let re = input.map(dtype, |z: Complex| z.re)?.unsqueeze(input.rank())?;
        let im = input.map(dtype, |z: Complex| z.im)?.unsqueeze(input.rank())?;
        one(Array::concat(&[&re, &im], input.rank())?)
    }),
];

/// The first elements in row-major order in another shape; what is beyond them is undefined, here 0.
fn resize(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, shape) = (call.array("input")?, call.shape("size")?);
    let flat = input.reshape(&[input.len()])?;
    one(flat.pick_or(Number::Int(0), &shape, |index| ravel(index, &shape).filter(|place| *place < flat.len()).map(|place| vec![place]))?)
}
