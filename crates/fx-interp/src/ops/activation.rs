//! Activations.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::{Entry, maximum, minimum, one, unary, unary_complex};
use crate::Result;
use crate::array::{Array, Category, Complex, pointwise};
use crate::call::Call;
use crate::special::erfc;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.celu", |call| {
        let alpha = call.float("alpha")?;
        unary(call, |x| maximum(0.0, x) + minimum(0.0, alpha * (x / alpha).exp_m1()))
    }),
    ("fx.elu", |call| {
        let (alpha, scale, input_scale) = (call.float("alpha")?, call.float("scale")?, call.float("input_scale")?);
        unary(call, |x| if x <= 0.0 { (x * input_scale).exp_m1() * alpha * scale } else { x * scale })
    }),
    ("fx.gelu", |call| {
        if is_tanh(call)? {
            return unary(call, |x| 0.5 * x * (1.0 + (inner(x)).tanh()));
        }
        // 1 + erf(u) = erfc(-u), without cancellation
        unary(call, |x| 0.5 * x * erfc(-x * FRAC_1_SQRT_2))
    }),
    ("fx.glu", |call| {
        let [a, b] = halves(call.array("input")?, call)?;
        one(pointwise(call.result_dtype(0)?, [&a, &b], |[a, b]| a * sigmoid(b))?)
    }),
    ("fx.hardshrink", |call| {
        let lambd = call.float("lambd")?;
        unary(call, |x| if x.abs() <= lambd { 0.0 } else { x })
    }),
    ("fx.hardsigmoid", |call| unary(call, |x| minimum(maximum(x + 3.0, 0.0), 6.0) / 6.0)),
    ("fx.hardswish", |call| unary(call, |x| x * minimum(maximum(x + 3.0, 0.0), 6.0) / 6.0)),
    ("fx.hardtanh", |call| {
        let (low, high) = (call.number("min_val")?, call.number("max_val")?);
        let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
        match input.category() {
            Category::Float => unary(call, |x| minimum(maximum(x, low.float()), high.float())),
            _ => one(input.map(dtype, |x: i64| x.max(low.int()).min(high.int()))?),
        }
    }),
    ("fx.leaky_relu", |call| {
        let slope = call.float("negative_slope")?;
        unary(call, |x| if x > 0.0 { x } else { x * slope })
    }),
    ("fx.log_sigmoid", |call| unary(call, log_sigmoid)),
    ("fx.log_sigmoid_forward", |call| {
        let input = call.array("input")?;
        let output = input.map(call.result_dtype(0)?, log_sigmoid)?;
        let buffer = input.map(call.result_dtype(1)?, |x: f64| (-x.abs()).exp())?;
        Ok(vec![output.into(), buffer.into()])
    }),
    ("fx.logit", |call| {
        let eps = call.optional_float("eps");
        let limited = |x: f64| match eps {
            Some(eps) if x < eps => eps,
            Some(eps) if x > 1.0 - eps => 1.0 - eps,
            _ => x,
        };
        unary(call, |x| (limited(x) / (1.0 - limited(x))).ln())
    }),
    ("fx.mish", |call| unary(call, |x| x * softplus(x).tanh())),
    ("fx.prelu", |call| {
        let (input, weight) = (call.array("input")?, call.array("weight")?);
        let mut shape = vec![1; input.rank()];
        if let Some(channels) = shape.get_mut(1) {
            *channels = weight.len();
        }
        prelu(call, input, &weight.reshape(&shape)?)
    }),
    ("fx.prelu_kernel", |call| prelu(call, call.array("input")?, call.array("weight")?)),
    ("fx.relu", |call| {
        let input = call.array("input")?;
        match input.category() {
            Category::Float => unary(call, |x| maximum(x, 0.0)),
            _ => one(input.map(input.dtype(), |x: i64| x.max(0))?),
        }
    }),
    ("fx.sigmoid", |call| unary_complex(call, sigmoid, sigmoid_complex)),
    ("fx.silu", |call| unary_complex(call, |x| x * sigmoid(x), |z| z * sigmoid_complex(z))),
    ("fx.softplus", |call| {
        let (beta, threshold) = (call.float("beta")?, call.float("threshold")?);
        unary(call, |x| if x * beta > threshold { x } else { softplus(x * beta) / beta })
    }),
    ("fx.softshrink", |call| {
        let lambd = call.float("lambd")?;
        unary(call, |x| match x {
            x if x > lambd => x - lambd,
            x if x < -lambd => x + lambd,
            x => x * 0.0, // NaN stays
        })
    }),
    ("fx.threshold", |call| {
        let (threshold, value) = (call.number("threshold")?, call.number("value")?);
        let input = call.array("input")?;
        match input.category() {
            Category::Float => unary(call, |x| if x <= threshold.float() { value.float() } else { x }),
            _ => one(input.map(input.dtype(), |x: i64| if x as f64 <= threshold.float() { value.int() } else { x })?),
        }
    }),
];

/// `1 / (1 + e^-x)`
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

pub(super) fn sigmoid_complex(z: Complex) -> Complex {
    (Complex::ONE + (-z).exp()).recip()
}

/// `ln(1 + e^x)`
pub(super) fn softplus(x: f64) -> f64 {
    maximum(x, 0.0) + (-x.abs()).exp().ln_1p()
}

/// `ln σ(x)`
fn log_sigmoid(x: f64) -> f64 {
    -softplus(-x)
}

/// Whether gelu is to be approximated.
pub(super) fn is_tanh(call: &Call<'_>) -> Result<bool> {
    match call.str("approximate")? {
        "tanh" => Ok(true),
        "none" => Ok(false),
        other => Err(format!("approximation '{other}' is not known")),
    }
}

/// `sqrt(2 / π) (x + 0.044715 x³)`, of which the approximation of gelu takes the tanh.
pub(super) fn inner(x: f64) -> f64 {
    (2.0 / PI).sqrt() * (x + 0.044715 * x * x * x)
}

/// The halves along `dim`.
pub(super) fn halves(input: &Array, call: &Call<'_>) -> Result<[Array; 2]> {
    let dim = call.dim("dim", input.rank())?;
    let half = input.size(dim) / 2;
    if input.rank() == 0 || !input.size(dim).is_multiple_of(2) {
        return Err(format!("has no halves of shape {:?} along dim {dim}", input.shape()));
    }
    Ok([input.slice(dim, 0, half, 1)?, input.slice(dim, half, half, 1)?])
}

fn prelu(call: &Call<'_>, input: &Array, weight: &Array) -> Result<Vec<Value>> {
    one(pointwise(call.result_dtype(0)?, [input, weight], |[x, w]: [f64; 2]| if x > 0.0 { x } else { w * x })?)
}
