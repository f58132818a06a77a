//! Special functions: error functions, gamma, products with logarithms. Formulas are in [`crate::special`].

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::{Entry, binary, one, unary};
use crate::call::Call;
use crate::special::{digamma, erf, erfc, erfcx, erfinv, lgamma, ndtri};

pub(super) static OPS: &[Entry] = &[
    ("fx.digamma", |call| unary(call, digamma)),
    ("fx.erf", |call| unary(call, erf)),
    ("fx.erfc", |call| unary(call, erfc)),
    ("fx.erfinv", |call| unary(call, erfinv)),
    ("fx.lgamma", |call| unary(call, lgamma)),
    ("fx.mvlgamma", |call| {
        let p = call.int("p")?;
        let constant = (p * (p - 1)) as f64 / 4.0 * PI.ln();
        unary(call, |x| constant + (0..p).map(|i| lgamma(x - i as f64 / 2.0)).sum::<f64>())
    }),
    ("fx.special_entr", |call| {
        unary(call, |x| match x {
            x if x > 0.0 => -x * x.ln(),
            0.0 => 0.0,
            x if x.is_nan() => x,
            _ => f64::NEG_INFINITY,
        })
    }),
    ("fx.special_erfcx", |call| unary(call, erfcx)),
    ("fx.special_log_ndtr", |call| {
        unary(call, |x| {
            let t = x * FRAC_1_SQRT_2;
            if x < -1.0 { (erfcx(-t) / 2.0).ln() - t * t } else { (-erfc(t) / 2.0).ln_1p() }
        })
    }),
    ("fx.special_ndtr", |call| unary(call, |x| erfc(-x * FRAC_1_SQRT_2) / 2.0)),
    ("fx.special_ndtri", |call| unary(call, ndtri)),
    ("fx.special_spherical_bessel_j0", spherical_bessel_j0),
    ("fx.special_xlog1py", |call| binary(call, |x, y| product(x, y, y.ln_1p()))),
    ("fx.xlogy", |call| binary(call, |x, y| product(x, y, y.ln()))),
];

/// `x * logarithm`, the logarithm being one of `y`: 0 if x is, unless y is NaN.
fn product(x: f64, y: f64, logarithm: f64) -> f64 {
    if y.is_nan() {
        f64::NAN
    } else if x == 0.0 {
        0.0
    } else {
        x * logarithm
    }
}

/// `sin(x) / x`; of infinities 0.
fn spherical_bessel_j0(call: &Call<'_>) -> crate::Result<Vec<crate::Value>> {
    one(call.array("x")?.map(call.result_dtype(0)?, |x: f64| match x {
        0.0 => 1.0,
        x if x.is_infinite() => 0.0,
        x => x.sin() / x,
    })?)
}
