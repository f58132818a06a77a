//! Gradients of activations: `g` is the gradient of the result.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::activation::{halves, inner, is_tanh, sigmoid, sigmoid_complex, softplus};
use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Category, Complex, pointwise};
use crate::call::Call;
use crate::special::erfc;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.elu_backward", |call| {
        let (alpha, scale, input_scale) = (call.float("alpha")?, call.float("scale")?, call.float("input_scale")?);
        let is_result = call.bool("is_result");
        gradient(call, "self_or_result", |g, s| match s {
            s if s <= 0.0 && is_result => g * input_scale * (s + alpha * scale),
            s if s <= 0.0 => g * input_scale * alpha * scale * (s * input_scale).exp(),
            _ => g * scale,
        })
    }),
    ("fx.gelu_backward", |call| {
        if is_tanh(call)? {
            return gradient(call, "input", |g, x| {
                let t = inner(x).tanh();
                g * 0.5 * (1.0 + t + x * (1.0 - t * t) * (2.0 / PI).sqrt() * (1.0 + 0.134145 * x * x))
            });
        }
        let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        gradient(call, "input", |g, x| g * (0.5 * erfc(-x * FRAC_1_SQRT_2) + x * density(x)))
    }),
    ("fx.glu_backward", |call| {
        let input = call.array("input")?;
        let [a, b] = halves(input, call)?;
        let (g, dtype) = (call.array("grad_output")?, call.result_dtype(0)?);
        let first = pointwise(dtype, [g, &b], |[g, b]| g * sigmoid(b))?;
        let second = pointwise(dtype, [g, &a, &b], |[g, a, b]| g * a * sigmoid(b) * (1.0 - sigmoid(b)))?;
        one(Array::concat(&[&first, &second], call.dim("dim", input.rank())?)?)
    }),
    ("fx.hardshrink_backward", |call| {
        let lambd = call.float("lambd")?;
        let operands = [call.array("grad_out")?, call.array("input")?];
        one(pointwise(call.result_dtype(0)?, operands, |[g, x]: [f64; 2]| if x.abs() <= lambd { 0.0 } else { g })?)
    }),
    ("fx.hardsigmoid_backward", |call| gradient(call, "input", |g, x| if x > -3.0 && x < 3.0 { g / 6.0 } else { 0.0 })),
    ("fx.hardswish_backward", |call| {
        gradient(call, "input", |g, x| match x {
            x if x <= -3.0 => 0.0,
            x if x >= 3.0 => g,
            x => g * (x / 3.0 + 0.5),
        })
    }),
    ("fx.hardtanh_backward", |call| {
        let (low, high) = (call.float("min_val")?, call.float("max_val")?);
        gradient(call, "input", |g, x| if x <= low || x >= high { 0.0 } else { g })
    }),
    ("fx.leaky_relu_backward", |call| {
        let slope = call.float("negative_slope")?;
        gradient(call, "input", |g, x| if x > 0.0 { g } else { slope * g })
    }),
    ("fx.log_sigmoid_backward", |call| gradient(call, "input", |g, x| g * sigmoid(-x))),
    ("fx.logit_backward", logit_backward),
    ("fx.mish_backward", |call| {
        gradient(call, "input", |g, x| {
            let t = softplus(x).tanh();
            g * (t + x * sigmoid(x) * (1.0 - t * t))
        })
    }),
    ("fx.prelu_kernel_backward", |call| {
        let operands = [call.array("grad_output")?, call.array("input")?, call.array("weight")?];
        let input = pointwise(call.result_dtype(0)?, operands, |[g, x, w]: [f64; 3]| if x > 0.0 { g } else { g * w })?;
        let weight = pointwise(call.result_dtype(1)?, operands, |[g, x, _]: [f64; 3]| if x > 0.0 { 0.0 } else { g * x })?;
        Ok(vec![input.into(), weight.into()])
    }),
    ("fx.sigmoid_backward", |call| {
        // of complex numbers the conjugate derivative
        gradient_complex(call, "output", |g, y| g * y * (1.0 - y), |g, y| g * ((Complex::ONE - y) * y).conj())
    }),
    ("fx.silu_backward", |call| {
        gradient_complex(
            call,
            "input",
            |g, x| g * sigmoid(x) * (1.0 + x * (1.0 - sigmoid(x))),
            |g, z| {
                let s = sigmoid_complex(z);
                g * (s * (Complex::ONE + z * (Complex::ONE - s)))
            },
        )
    }),
    ("fx.softplus_backward", |call| {
        let (beta, threshold) = (call.float("beta")?, call.float("threshold")?);
        gradient(call, "input", |g, x| if x * beta > threshold { g } else { g * sigmoid(beta * x) })
    }),
    ("fx.softshrink_backward", |call| {
        let lambd = call.float("lambd")?;
        gradient(call, "input", |g, x| if x >= -lambd && x <= lambd { 0.0 } else { g })
    }),
    ("fx.tanh_backward", |call| gradient_complex(call, "output", |g, y| g * (1.0 - y * y), |g, y| g * (Complex::ONE - y * y).conj())),
    ("fx.threshold_backward", |call| {
        let threshold = call.float("threshold")?;
        let (g, x, dtype) = (call.array("grad_output")?, call.array("input")?, call.result_dtype(0)?);
        one(match crate::array::category(dtype) {
            Category::Float => pointwise(dtype, [g, x], |[g, x]: [f64; 2]| if x <= threshold { 0.0 } else { g })?,
            _ => pointwise(dtype, [g, x], |[g, x]: [i64; 2]| if x as f64 <= threshold { 0 } else { g })?,
        })
    }),
];

/// A function of `grad_output` and what was saved.
fn gradient(call: &Call<'_>, saved: &str, f: impl Fn(f64, f64) -> f64) -> Result<Vec<Value>> {
    let operands = [call.array("grad_output")?, call.array(saved)?];
    one(pointwise(call.result_dtype(0)?, operands, |[g, x]| f(g, x))?)
}

fn gradient_complex(
    call: &Call<'_>,
    saved: &str,
    real: impl Fn(f64, f64) -> f64,
    complex: impl Fn(Complex, Complex) -> Complex,
) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    if !dtype.is_complex() {
        return gradient(call, saved, real);
    }
    one(pointwise(dtype, [call.array("grad_output")?, call.array(saved)?], |[g, x]| complex(g, x))?)
}

/// `g / (x (1 - x))` inside, 0 outside of [eps, 1 - eps], NaN outside of [0, 1] without eps.
fn logit_backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let eps = call.optional_float("eps").filter(|eps| *eps >= 0.0);
    gradient(call, "input", |g, x| {
        let (low, outside) = eps.map_or((0.0, f64::NAN), |eps| (eps, 0.0));
        match x {
            x if x < low || x > 1.0 - low => outside,
            x if x == 0.0 || x == 1.0 => g * f64::INFINITY,
            x => g / (x * (1.0 - x)),
        }
    })
}
