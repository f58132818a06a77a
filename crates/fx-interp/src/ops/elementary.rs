//! Exponential, trigonometric and hyperbolic functions, angles.

use std::f64::consts::{LN_2, PI};

use super::{Entry, binary, one, unary, unary_complex};
use crate::Result;
use crate::array::{Category, Complex, pointwise};
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.acos", |call| unary_complex(call, f64::acos, Complex::acos)),
    ("fx.acosh", |call| unary_complex(call, f64::acosh, Complex::acosh)),
    ("fx.angle", angle),
    ("fx.asin", |call| unary_complex(call, f64::asin, Complex::asin)),
    ("fx.asinh", |call| unary_complex(call, f64::asinh, Complex::asinh)),
    ("fx.atan", |call| unary_complex(call, f64::atan, Complex::atan)),
    ("fx.atan2", |call| binary(call, f64::atan2)),
    ("fx.atanh", |call| unary_complex(call, f64::atanh, Complex::atanh)),
    ("fx.cos", |call| unary_complex(call, f64::cos, Complex::cos)),
    ("fx.cosh", |call| unary_complex(call, f64::cosh, Complex::cosh)),
    ("fx.deg2rad", |call| unary(call, |x| x * (PI / 180.0))),
    ("fx.exp", |call| unary_complex(call, f64::exp, Complex::exp)),
    ("fx.exp2", |call| unary_complex(call, f64::exp2, Complex::exp2)),
    ("fx.expm1", |call| unary_complex(call, f64::exp_m1, Complex::exp_m1)),
    ("fx.log", |call| unary_complex(call, f64::ln, Complex::ln)),
    ("fx.log10", |call| unary_complex(call, f64::log10, Complex::log10)),
    ("fx.log1p", |call| unary_complex(call, f64::ln_1p, Complex::ln_1p)),
    ("fx.log2", |call| unary_complex(call, f64::log2, Complex::log2)),
    ("fx.logaddexp", logaddexp),
    ("fx.logaddexp2", |call| binary(call, |x, y| log_sum(x, y, |d| (d * LN_2).exp().ln_1p() / LN_2))),
    ("fx.polar", polar),
    ("fx.rad2deg", |call| unary(call, |x| x * (180.0 / PI))),
    ("fx.rsqrt", |call| unary_complex(call, |x| 1.0 / x.sqrt(), |z| z.sqrt().recip())),
    ("fx.sin", |call| unary_complex(call, f64::sin, Complex::sin)),
    ("fx.sinc", |call| unary_complex(call, sinc, |z| if z == Complex::default() { Complex::ONE } else { (z * PI).sin() / (z * PI) })),
    ("fx.sinh", |call| unary_complex(call, f64::sinh, Complex::sinh)),
    ("fx.sqrt", |call| unary_complex(call, f64::sqrt, Complex::sqrt)),
    ("fx.tan", |call| unary_complex(call, f64::tan, Complex::tan)),
    ("fx.tanh", |call| unary_complex(call, f64::tanh, Complex::tanh)),
];

/// 0 or π of a real number, NaN of NaN; of a complex one its argument.
fn angle(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    one(match input.category() {
        Category::Complex => input.map(dtype, Complex::arg)?,
        _ => input.map(dtype, |x: f64| match x {
            x if x.is_nan() => x,
            x if x < 0.0 => PI,
            _ => 0.0,
        })?,
    })
}

fn polar(call: &Call<'_>) -> Result<Vec<Value>> {
    let operands = [call.array("abs")?, call.array("angle")?];
    one(pointwise(call.result_dtype(0)?, operands, |[r, phi]| Complex::polar(r, phi))?)
}

/// `sin(π x) / (π x)`
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// The greater plus `rest` of the negative difference; equal infinities are themselves.
fn log_sum(x: f64, y: f64, rest: impl Fn(f64) -> f64) -> f64 {
    if x.is_infinite() && x == y { x } else { super::maximum(x, y) + rest(-(x - y).abs()) }
}

/// `ln(e^x + e^y)`; of complex numbers from the one with the greater real part.
fn logaddexp(call: &Call<'_>) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    if !dtype.is_complex() {
        return binary(call, |x, y| log_sum(x, y, |d| d.exp().ln_1p()));
    }
    let [a, b] = call.pair("input", "other")?;
    one(pointwise(dtype, [&a, &b], |[x, y]: [Complex; 2]| {
        let (high, low) = if x.re >= y.re { (x, y) } else { (y, x) };
        if high.re.is_infinite() && high == low { high } else { high + (low - high).exp().ln_1p() }
    })?)
}
