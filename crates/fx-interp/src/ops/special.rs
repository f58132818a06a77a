//! Special functions; their formulas are in [`crate::special`].

pub(in crate::ops) mod polynomials;

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use super::{Entry, binary, one, unary};
use crate::Result;
use crate::call::Call;
use crate::special::{
    airy_ai, bessel_i0, bessel_i0e, bessel_i1, bessel_i1e, bessel_j0, bessel_j1, bessel_k0, bessel_k0e, bessel_k1, bessel_k1e, bessel_y0,
    bessel_y1, digamma, erf, erfc, erfcx, erfinv, igamma, igammac, lgamma, ndtri, polygamma, zeta,
};
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.digamma", |call| unary(call, digamma)),
    ("fx.erf", |call| unary(call, erf)),
    ("fx.erfc", |call| unary(call, erfc)),
    ("fx.erfinv", |call| unary(call, erfinv)),
    ("fx.i0", |call| unary(call, bessel_i0)),
    ("fx.igamma", |call| binary(call, igamma)),
    ("fx.igammac", |call| binary(call, igammac)),
    ("fx.lgamma", |call| unary(call, lgamma)),
    ("fx.mvlgamma", |call| {
        let p = call.int("p")?;
        let constant = (p * (p - 1)) as f64 / 4.0 * PI.ln();
        unary(call, |x| constant + (0..p).map(|i| lgamma(x - i as f64 / 2.0)).sum::<f64>())
    }),
    ("fx.polygamma", |call| {
        let n = call.int("n")?;
        if n < 0 {
            return Err(format!("has order {n}"));
        }
        unary(call, |x| polygamma(n, x))
    }),
    ("fx.special_airy_ai", |call| of_x(call, airy_ai)),
    ("fx.special_bessel_j0", |call| unary(call, bessel_j0)),
    ("fx.special_bessel_j1", |call| unary(call, bessel_j1)),
    ("fx.special_bessel_y0", |call| unary(call, bessel_y0)),
    ("fx.special_bessel_y1", |call| unary(call, bessel_y1)),
    ("fx.special_entr", |call| {
        unary(call, |x| match x {
            x if x > 0.0 => -x * x.ln(),
            0.0 => 0.0,
            x if x.is_nan() => x,
            _ => f64::NEG_INFINITY,
        })
    }),
    ("fx.special_erfcx", |call| unary(call, erfcx)),
    ("fx.special_i0e", |call| unary(call, bessel_i0e)),
    ("fx.special_i1", |call| unary(call, bessel_i1)),
    ("fx.special_i1e", |call| unary(call, bessel_i1e)),
    ("fx.special_log_ndtr", |call| {
        unary(call, |x| {
            let t = x * FRAC_1_SQRT_2;
            if x < -1.0 { (erfcx(-t) / 2.0).ln() - t * t } else { (-erfc(t) / 2.0).ln_1p() }
        })
    }),
    ("fx.special_modified_bessel_i0", |call| unary(call, bessel_i0)),
    ("fx.special_modified_bessel_i1", |call| unary(call, bessel_i1)),
    ("fx.special_modified_bessel_k0", |call| unary(call, bessel_k0)),
    ("fx.special_modified_bessel_k1", |call| unary(call, bessel_k1)),
    ("fx.special_ndtr", |call| unary(call, |x| erfc(-x * FRAC_1_SQRT_2) / 2.0)),
    ("fx.special_ndtri", |call| unary(call, ndtri)),
    ("fx.special_scaled_modified_bessel_k0", |call| of_x(call, bessel_k0e)),
    ("fx.special_scaled_modified_bessel_k1", |call| of_x(call, bessel_k1e)),
    ("fx.special_spherical_bessel_j0", |call| of_x(call, spherical_bessel_j0)),
    ("fx.special_xlog1py", |call| binary(call, |x, y| product(x, y, y.ln_1p()))),
    ("fx.special_zeta", |call| binary(call, zeta)),
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

/// A function of the operand `x`.
fn of_x(call: &Call<'_>, f: impl Fn(f64) -> f64) -> Result<Vec<Value>> {
    one(call.array("x")?.map(call.result_dtype(0)?, f)?)
}

/// `sin(x) / x`; of infinities 0.
fn spherical_bessel_j0(x: f64) -> f64 {
    match x {
        0.0 => 1.0,
        x if x.is_infinite() => 0.0,
        x => x.sin() / x,
    }
}
