//! Special functions.

use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, missing, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.erf", InResult, |s, a, _| s.op("math.erf", a)),
    pointwise("fx.erfc", InResult, |s, a, _| s.op("math.erfc", a)),
    pointwise("fx.erfinv", InResult, |s, a, _| erfinv(s, a[0])),
    pointwise("fx.xlogy", InResult, |s, a, _| times_log(s, a[0], a[1], "math.log")),
    pointwise("fx.special_xlog1py", InResult, |s, a, _| times_log(s, a[0], a[1], "math.log1p")),
    pointwise("fx.special_entr", InResult, |s, a, _| {
        let c = |value: f64| s.constant(a[0].ty, value);
        let entropy = s.neg(s.mul(a[0], s.op("math.log", a)));
        let low = s.select(s.compare(Compare::Eq, a[0], c(0.0)), c(0.0), c(f64::NEG_INFINITY));
        let y = s.select(s.compare(Compare::Gt, a[0], c(0.0)), entropy, low);
        s.select(s.is_nan(a[0]), a[0], y)
    }),
    pointwise("fx.special_ndtr", InResult, |s, a, _| {
        let c = |value: f64| s.constant(a[0].ty, value);
        let x = s.mul(a[0], c(std::f64::consts::FRAC_1_SQRT_2));
        let z = s.abs(x);
        let near = s.add(c(0.5), s.mul(c(0.5), s.op("math.erf", &[x])));
        let tail = s.mul(c(0.5), s.op("math.erfc", &[z]));
        let far = s.select(s.compare(Compare::Gt, x, c(0.0)), s.sub(c(1.0), tail), tail);
        s.select(s.compare(Compare::Lt, z, c(std::f64::consts::FRAC_1_SQRT_2)), near, far)
    }),
    pointwise("fx.special_spherical_bessel_j0", InResult, |s, a, _| {
        let (x, c) = (a[0], |value: f64| s.constant(a[0].ty, value));
        let square = s.mul(x, x);
        // The series of sin(x) / x near 0.
        let terms = [1.0 / 6_227_020_800.0, -1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0];
        let series = polynomial(s, square, &terms);
        let size = s.abs(x);
        let y = s.select(s.compare(Compare::Lt, size, c(0.5)), series, s.div(s.op("math.sin", &[x]), x));
        s.select(s.compare(Compare::Eq, size, c(f64::INFINITY)), c(0.0), y)
    }),
    missing("fx.digamma", "needs a special-function kernel"),
    missing("fx.i0", "needs a special-function kernel"),
    missing("fx.igamma", "needs a special-function kernel"),
    missing("fx.igammac", "needs a special-function kernel"),
    missing("fx.lgamma", "needs a special-function kernel"),
    missing("fx.mvlgamma", "needs a special-function kernel"),
    missing("fx.polygamma", "needs a special-function kernel"),
    missing("fx.special_airy_ai", "needs a special-function kernel"),
    missing("fx.special_bessel_j0", "needs a special-function kernel"),
    missing("fx.special_bessel_j1", "needs a special-function kernel"),
    missing("fx.special_bessel_y0", "needs a special-function kernel"),
    missing("fx.special_bessel_y1", "needs a special-function kernel"),
    missing("fx.special_chebyshev_polynomial_t", "needs a special-function kernel"),
    missing("fx.special_chebyshev_polynomial_u", "needs a special-function kernel"),
    missing("fx.special_chebyshev_polynomial_v", "needs a special-function kernel"),
    missing("fx.special_chebyshev_polynomial_w", "needs a special-function kernel"),
    missing("fx.special_erfcx", "needs a special-function kernel"),
    missing("fx.special_hermite_polynomial_h", "needs a special-function kernel"),
    missing("fx.special_hermite_polynomial_he", "needs a special-function kernel"),
    missing("fx.special_i0e", "needs a special-function kernel"),
    missing("fx.special_i1", "needs a special-function kernel"),
    missing("fx.special_i1e", "needs a special-function kernel"),
    missing("fx.special_laguerre_polynomial_l", "needs a special-function kernel"),
    missing("fx.special_legendre_polynomial_p", "needs a special-function kernel"),
    missing("fx.special_log_ndtr", "needs a special-function kernel"),
    missing("fx.special_modified_bessel_i0", "needs a special-function kernel"),
    missing("fx.special_modified_bessel_i1", "needs a special-function kernel"),
    missing("fx.special_modified_bessel_k0", "needs a special-function kernel"),
    missing("fx.special_modified_bessel_k1", "needs a special-function kernel"),
    missing("fx.special_ndtri", "needs a special-function kernel"),
    missing("fx.special_scaled_modified_bessel_k0", "needs a special-function kernel"),
    missing("fx.special_scaled_modified_bessel_k1", "needs a special-function kernel"),
    missing("fx.special_shifted_chebyshev_polynomial_t", "needs a special-function kernel"),
    missing("fx.special_shifted_chebyshev_polynomial_u", "needs a special-function kernel"),
    missing("fx.special_shifted_chebyshev_polynomial_v", "needs a special-function kernel"),
    missing("fx.special_shifted_chebyshev_polynomial_w", "needs a special-function kernel"),
    missing("fx.special_zeta", "needs a special-function kernel"),
];

/// `x ln(y)`, 0 if `x = 0`, NaN if `y` is NaN.
fn times_log<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>, log: &str) -> Number<'c> {
    let zero = s.constant(x.ty, 0.0);
    let product = s.mul(x, s.op(log, &[y]));
    s.select(s.is_nan(y), y, s.select(s.compare(Compare::Eq, x, zero), zero, product))
}

/// A polynomial in `x`, coefficients from the highest power down.
fn polynomial<'c>(s: &Scalars<'c>, x: Number<'c>, coefficients: &[f64]) -> Number<'c> {
    let mut terms = coefficients.iter().map(|value| s.constant(x.ty, *value));
    let first = terms.next().unwrap_or_else(|| s.constant(x.ty, 0.0));
    terms.fold(first, |sum, term| s.add(s.mul(sum, x), term))
}

/// The inverse of erf: a rational approximation and two Newton steps (aten/src/ATen/native/Math.h: calc_erfinv).
fn erfinv<'c>(s: &Scalars<'c>, y: Number<'c>) -> Number<'c> {
    let c = |value: f64| s.constant(y.ty, value);
    let size = s.abs(y);
    let square = s.mul(y, y);
    let numerator = polynomial(s, square, &[-0.140_543_331, 0.914_624_893, -1.645_349_621, 0.886_226_899]);
    let denominator = polynomial(s, square, &[0.012_229_801, -0.329_097_515, 1.442_710_462, -2.118_377_725, 1.0]);
    let centre = s.div(s.mul(y, numerator), denominator);
    let tail = s.op("math.sqrt", &[s.neg(s.op("math.log", &[s.div(s.sub(c(1.0), size), c(2.0))]))]);
    let numerator = polynomial(s, tail, &[1.641_345_311, 3.429_567_803, -1.624_906_493, -1.970_840_454]);
    let denominator = polynomial(s, tail, &[1.637_067_800, 3.543_889_200, 1.0]);
    let far = s.div(s.op("math.copysign", &[numerator, y]), denominator);
    let mut x = s.select(s.compare(Compare::Le, size, c(0.7)), centre, far);
    for _ in 0..2 {
        let slope = s.mul(c(2.0 / std::f64::consts::PI.sqrt()), s.op("math.exp", &[s.neg(s.mul(x, x))]));
        x = s.sub(x, s.div(s.sub(s.op("math.erf", &[x]), y), slope));
    }
    let edge = s.select(s.compare(Compare::Eq, size, c(1.0)), s.op("math.copysign", &[c(f64::INFINITY), y]), x);
    s.select(s.compare(Compare::Gt, size, c(1.0)), c(f64::NAN), edge)
}
