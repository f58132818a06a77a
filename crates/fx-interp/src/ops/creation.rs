//! Tensors from numbers and shapes. Undefined contents are zeros.

use super::{Entry, one};
use crate::array::{Array, Category, Complex, DType, category};
use crate::call::Call;
use crate::value::Value;
use crate::{Number, Result};

pub(super) static OPS: &[Entry] = &[
    ("fx.arange", arange),
    ("fx.empty", |call| full(call, &call.shape("size")?, Number::Int(0))),
    ("fx.empty_like", |call| full(call, call.array("input")?.shape(), Number::Int(0))),
    ("fx.eye", |call| {
        let size = |name| call.size(name).map(|size| size.and_then(|size| usize::try_from(size).ok()));
        let n = size("n")?.ok_or("has no size n")?;
        one(Array::from_fn(call.result_dtype(0)?, &[n, size("m")?.unwrap_or(n)], |index| index[0] == index[1])?)
    }),
    ("fx.full", |call| full(call, &call.shape("size")?, call.scalar("fill_value")?)),
    ("fx.full_like", |call| full(call, call.array("input")?.shape(), call.scalar("fill_value")?)),
    ("fx.iota", |call| {
        let size = |name| call.size(name)?.ok_or_else(|| format!("has no size '{name}'"));
        let (length, start, step) = (size("length")?, size("start")?, size("step")?);
        let length = usize::try_from(length).map_err(|_| format!("has length {length}"))?;
        one(Array::from_fn(call.result_dtype(0)?, &[length], |index| start.wrapping_add(step.wrapping_mul(index[0] as i64)))?)
    }),
    ("fx.linspace", |call| {
        let (points, dtype) = (points(call)?, call.result_dtype(0)?);
        one(Array::new(dtype, &[points.len()], points)?)
    }),
    ("fx.logspace", |call| {
        let (points, dtype) = (points(call)?, call.result_dtype(0)?);
        let base = call.float("base")?;
        let power = |z: Complex| if dtype.is_complex() { Complex::from(base).pow(z) } else { Complex::from(base.powf(z.re)) };
        one(Array::new(dtype, &[points.len()], points.into_iter().map(power).collect())?)
    }),
    ("fx.new_empty", |call| full(call, &call.shape("size")?, Number::Int(0))),
    ("fx.new_full", |call| full(call, &call.shape("size")?, call.scalar("fill_value")?)),
    ("fx.scalar_tensor", |call| full(call, &[], call.scalar("s")?)),
];

fn full(call: &Call<'_>, shape: &[usize], number: Number) -> Result<Vec<Value>> {
    one(Array::full(call.result_dtype(0)?, shape, number)?)
}

/// `start + i * step`, ceil((end - start) / step) of them; for integers the operands are truncated first.
fn arange(call: &Call<'_>) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let (start, end) = (call.scalar("start")?, call.scalar("end")?);
    let step = call.optional_scalar("step")?.unwrap_or(Number::Int(1));
    let count = match dtype {
        DType::I64 => {
            let (distance, step) = (i128::from(end.int()) - i128::from(start.int()), i128::from(step.int()));
            if step == 0 {
                return Err("has step 0".into());
            }
            (distance / step + i128::from(distance % step != 0)) as f64
        }
        _ => ((end.float() - start.float()) / step.float()).ceil(),
    };
    if !(0.0..1e10).contains(&count) {
        return Err(format!("has no range from {start:?} to {end:?} with step {step:?}"));
    }
    let shape = [count as usize];
    one(if category(dtype) == Category::Int {
        let (start, step) = (start.int(), step.int());
        Array::from_fn(dtype, &shape, |index| start.wrapping_add(step.wrapping_mul(index[0] as i64)))?
    } else {
        Array::from_fn(dtype, &shape, |index| start.float() + index[0] as f64 * step.float())?
    })
}

/// Points at equal distances from `start` to `end`, each computed from the nearer one
/// (ATen/native/cpu/RangeFactoriesKernel.cpp); for integers both are truncated first.
fn points(call: &Call<'_>) -> Result<Vec<Complex>> {
    let dtype = call.result_dtype(0)?;
    let steps = usize::try_from(call.int("steps")?).map_err(|_| "has a negative number of steps")?;
    let point = |name| -> Result<Complex> {
        let number = call.scalar(name)?;
        Ok(if category(dtype) == Category::Int { Complex::from(number.int() as f64) } else { number.complex() })
    };
    let (start, end) = (point("start")?, point("end")?);
    let step = (end - start) * (1.0 / (steps.max(2) - 1) as f64);
    // a step that is a quotient, not a product with a rounded reciprocal
    let step = if step.im == 0.0 { Complex::from((end.re - start.re) / (steps.max(2) - 1) as f64) } else { step };
    Ok((0..steps).map(|i| if i < steps.div_ceil(2) { start + step * i as f64 } else { end - step * (steps - 1 - i) as f64 }).collect())
}
