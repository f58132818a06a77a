//! Error functions, the normal distribution, products with logarithms.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

use fx_ir::Type;

use crate::real::{Real, in_f64};
use crate::rows::derivatives::special as vjp;
use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.erf", InResult, |s, a, _| s.op("math.erf", a)).slope(|f, x, _| vjp::bell(f, x, FRAC_2_SQRT_PI)),
    pointwise("fx.erfc", InResult, |s, a, _| s.op("math.erfc", a)).slope(|f, x, _| vjp::bell(f, x, -FRAC_2_SQRT_PI)),
    pointwise("fx.erfinv", InResult, |s, a, _| {
        let wide = s.cast(a[0], Type::f64(s.context()));
        s.cast(erfinv(s, wide), a[0].ty)
    })
    .slope(|f, _, y| vjp::erfinv_slope(f, y)),
    pointwise("fx.special_erfcx", InResult, |s, a, _| in_f64(s, a, |_, [x]| erfcx(x))).slope(vjp::erfcx_slope),
    pointwise("fx.special_ndtr", InResult, |s, a, _| ndtr(s, a[0])).slope(|f, x, _| vjp::ndtr_slope(f, x)),
    pointwise("fx.special_log_ndtr", InResult, |s, a, _| in_f64(s, a, |_, [x]| log_ndtr(x))).slope(vjp::log_ndtr_slope),
    pointwise("fx.special_ndtri", InResult, |s, a, _| in_f64(s, a, |_, [y]| ndtri(y))).slope(|f, _, y| vjp::ndtri_slope(f, y)),
    pointwise("fx.special_entr", InResult, |s, a, _| entr(s, a[0])).slope(|f, x, _| vjp::entr_slope(f, x)),
    pointwise("fx.xlogy", InResult, |s, a, _| times_log(s, a[0], a[1], "math.log")).vjp(|b| vjp::times_log(b, 0.0)).kinked(),
    pointwise("fx.special_xlog1py", InResult, |s, a, _| times_log(s, a[0], a[1], "math.log1p")).vjp(|b| vjp::times_log(b, 1.0)).kinked(),
];

/// `x ln(y)`, 0 if `x = 0`, NaN if `y` is NaN.
fn times_log<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>, log: &str) -> Number<'c> {
    let zero = s.constant(x.ty, 0.0);
    let product = s.mul(x, s.op(log, &[y]));
    s.select(s.is_nan(y), y, s.select(s.compare(Compare::Eq, x, zero), zero, product))
}

/// `-x ln(x)`, 0 at 0, minus infinity below.
fn entr<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    let entropy = s.neg(s.mul(x, s.op("math.log", &[x])));
    let low = s.select(s.compare(Compare::Eq, x, c(0.0)), c(0.0), c(f64::NEG_INFINITY));
    let y = s.select(s.compare(Compare::Gt, x, c(0.0)), entropy, low);
    s.select(s.is_nan(x), x, y)
}

/// `erfc(-x / sqrt 2) / 2`, by erf near 0.
fn ndtr<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    let x = s.mul(x, c(FRAC_1_SQRT_2));
    let z = s.abs(x);
    let near = s.add(c(0.5), s.mul(c(0.5), s.op("math.erf", &[x])));
    let tail = s.mul(c(0.5), s.op("math.erfc", &[z]));
    let far = s.select(s.compare(Compare::Gt, x, c(0.0)), s.sub(c(1.0), tail), tail);
    s.select(s.compare(Compare::Lt, z, c(FRAC_1_SQRT_2)), near, far)
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
        let slope = s.mul(c(2.0 / PI.sqrt()), s.op("math.exp", &[s.neg(s.mul(x, x))]));
        x = s.sub(x, s.div(s.sub(s.op("math.erf", &[x]), y), slope));
    }
    let edge = s.select(s.compare(Compare::Eq, size, c(1.0)), s.op("math.copysign", &[c(f64::INFINITY), y]), x);
    s.select(s.compare(Compare::Gt, size, c(1.0)), c(f64::NAN), edge)
}

/// `e^(x^2) erfc(x)`: one expansion for all x >= 0 (Shepherd and Laframboise, Math. Comp. 36, 1981), and
/// `2 e^(x^2) - erfcx(-x)` below.
fn erfcx<'a, 'c>(x: Real<'a, 'c>) -> Real<'a, 'c> {
    let z = x.abs();
    let t = 1.0 - 7.5 / (z + 3.75);
    let positive = t.chebyshev(&ERFCX) / (1.0 + 2.0 * z);
    x.lt(0.0).select(2.0 * (x * x).exp() - positive, positive)
}

/// `ln(ndtr(x))`, in the lower tail by erfcx.
fn log_ndtr<'a, 'c>(x: Real<'a, 'c>) -> Real<'a, 'c> {
    let t = x * FRAC_1_SQRT_2;
    let tail = (0.5 * erfcx(-t)).ln() - t * t;
    x.lt(-1.0).select(tail, (-0.5 * t.erfc()).ln_1p())
}

/// The inverse of ndtr: rational approximations of the Cephes library (ndtri.c), near 1/2 in `(y - 1/2)^2`, in the tails in
/// `1 / sqrt(-2 ln y)`.
fn ndtri<'a, 'c>(y: Real<'a, 'c>) -> Real<'a, 'c> {
    const EDGE: f64 = 0.135_335_283_236_612_7; // e^-2
    let upper = y.gt(1.0 - EDGE);
    let tail = upper.select(1.0 - y, y);
    let d = tail - 0.5;
    let square = d * d;
    let centre = (d + d * square * square.polynomial(&P0) / square.polynomial(&Q0)) * (2.0 * PI).sqrt();
    let r = (-2.0 * tail.ln()).sqrt();
    let z = 1.0 / r;
    let correction = r.lt(8.0).select(z.polynomial(&P1) / z.polynomial(&Q1), z.polynomial(&P2) / z.polynomial(&Q2));
    let size = r - r.ln() / r - z * correction;
    let x = tail.gt(EDGE).select(centre, upper.select(size, -size));
    let x = y.equals(0.0).select(f64::NEG_INFINITY, y.equals(1.0).select(f64::INFINITY, x));
    (y.lt(0.0) | y.gt(1.0)).select(f64::NAN, x)
}

/// Chebyshev: (1 + 2x) erfcx(x), t = (x - 3.75) / (x + 3.75).
const ERFCX: [f64; 25] = [
    1.177_578_934_567_401_7,
    -4.590_054_580_646_478e-3,
    -0.084_249_133_366_517_92,
    0.059_209_939_998_191_89,
    -0.026_658_668_435_305_753,
    9.074_997_670_705_265e-3,
    -2.413_163_540_417_608e-3,
    4.907_758_365_258_086e-4,
    -6.916_973_302_501_207e-5,
    4.139_027_986_073_01e-6,
    7.740_383_066_198_49e-7,
    -2.188_640_104_923_439_7e-7,
    1.076_499_946_567_091e-8,
    4.521_959_811_218_287e-9,
    -7.754_400_208_831_351e-10,
    -6.318_088_340_886_684e-11,
    2.868_795_010_930_67e-11,
    1.945_586_854_577_734_7e-13,
    -9.654_696_748_433_44e-13,
    3.252_548_148_148_74e-14,
    3.347_811_948_286_805_6e-14,
    -1.864_562_880_419_313e-15,
    -1.250_795_053_068_864_8e-15,
    7.418_235_256_624_044e-17,
    5.068_148_904_796_111_6e-17,
];

const P0: [f64; 5] =
    [-59.963_350_101_410_79, 98.001_075_418_599_97, -56.676_285_746_907_03, 13.931_260_938_727_968, -1.239_165_838_673_812_5];
const Q0: [f64; 9] = [
    1.0,
    1.954_488_583_381_417_6,
    4.676_279_128_988_815,
    86.360_242_139_089_05,
    -225.462_687_854_119_37,
    200.260_212_380_060_66,
    -82.037_225_616_833_34,
    15.905_622_512_621_17,
    -1.183_316_211_213_3,
];
const P1: [f64; 9] = [
    4.055_448_923_059_624_5,
    31.525_109_459_989_388,
    57.162_819_224_642_13,
    44.080_507_389_320_08,
    14.684_956_192_885_803,
    2.186_633_068_507_902_5,
    -0.140_256_079_171_354_5,
    -0.035_042_462_682_784_82,
    -8.574_567_851_546_854e-4,
];
const Q1: [f64; 9] = [
    1.0,
    15.779_988_325_646_675,
    45.390_763_512_887_92,
    41.317_203_825_467_2,
    15.042_538_569_290_75,
    2.504_649_462_083_094,
    -0.142_182_922_854_787_79,
    -0.038_080_640_769_157_83,
    -9.332_594_808_954_574e-4,
];
const P2: [f64; 9] = [
    3.237_748_917_769_460_3,
    6.915_228_890_689_842,
    3.938_810_252_924_744_4,
    1.333_034_608_158_075_5,
    0.201_485_389_549_179_08,
    0.012_371_663_481_782_003,
    3.015_815_535_082_354_3e-4,
    2.658_069_746_867_375_5e-6,
    6.239_745_391_849_833e-9,
];
const Q2: [f64; 9] = [
    1.0,
    6.024_270_393_647_42,
    3.679_835_638_561_608_7,
    1.377_020_994_890_813_2,
    0.216_236_993_594_496_63,
    0.013_420_400_608_854_318,
    3.280_144_646_821_277_4e-4,
    2.892_478_647_453_806_8e-6,
    6.790_194_080_099_813e-9,
];
