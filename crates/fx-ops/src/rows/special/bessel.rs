//! Bessel functions of orders 0 and 1: expansions in x^2 up to 8, Hankel's from there (DLMF 10.17.3).

use std::f64::consts::{FRAC_2_PI, PI};

use crate::real::{Real, Reals, in_f64};
use crate::rows::special::UNTRACKED;
use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.special_bessel_j0", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_0, x))).constant(UNTRACKED),
    pointwise("fx.special_bessel_j1", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_1, x))).constant(UNTRACKED),
    pointwise("fx.special_bessel_y0", InResult, |s, a, _| in_f64(s, a, |m, [x]| second_kind(m, ORDER_0, x))).constant(UNTRACKED),
    pointwise("fx.special_bessel_y1", InResult, |s, a, _| in_f64(s, a, |m, [x]| second_kind(m, ORDER_1, x))).constant(UNTRACKED),
    pointwise("fx.special_spherical_bessel_j0", InResult, |s, a, _| spherical_j0(s, a[0])).constant(UNTRACKED),
];

/// What differs between the orders.
#[derive(Clone, Copy)]
struct Order {
    /// The order, 0 or 1.
    n: u32,
    /// Of `J(x) / x^n`.
    first: &'static [f64],
    /// Of `Y(x) / x^n` without its logarithm and pole.
    second: &'static [f64],
    /// Of Hankel's P.
    p: &'static [f64],
    /// Of Hankel's Q, times x.
    q: &'static [f64],
}

const ORDER_0: Order = Order { n: 0, first: &J0, second: &Y0, p: &P0, q: &Q0 };
const ORDER_1: Order = Order { n: 1, first: &J1, second: &Y1, p: &P1, q: &Q1 };

/// `sum c_k T_k(x^2/32 - 1)`, times x for order 1.
fn near<'a, 'c>(order: Order, x: Real<'a, 'c>, coefficients: &[f64]) -> Real<'a, 'c> {
    let sum = (x * x / 32.0 - 1.0).chebyshev(coefficients);
    if order.n == 0 { sum } else { x * sum }
}

/// J and Y for x > 8: `sqrt(2 / (πx))` times `P cos u - Q sin u` and `P sin u + Q cos u`, where `u = x - π/4 - nπ/2`.
fn far<'a, 'c>(order: Order, x: Real<'a, 'c>) -> (Real<'a, 'c>, Real<'a, 'c>) {
    let t = 128.0 / (x * x) - 1.0;
    let (p, q) = (t.chebyshev(order.p), t.chebyshev(order.q) / x);
    let (sin, cos) = (x.sin(), x.cos());
    // sqrt 2 times the cosine and sine of u, without the rounding of u
    let (cosine, sine) = if order.n == 0 { (cos + sin, sin - cos) } else { (sin - cos, -(sin + cos)) };
    let scale = (PI * x).sqrt();
    ((p * cosine - q * sine) / scale, (p * sine + q * cosine) / scale)
}

/// J, even for order 0 and odd for order 1. NaN at infinity, as in ATen.
fn first_kind<'a, 'c>(m: &'a Reals<'c>, order: Order, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let z = x.abs();
    let y = m.choose(z.le(8.0), || near(order, z, order.first), || far(order, z).0);
    if order.n == 0 { y } else { m.c(1.0).copysign(x) * y }
}

/// Y: minus infinity at 0, NaN below.
fn second_kind<'a, 'c>(m: &'a Reals<'c>, order: Order, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let close = || {
        let log = x.ln() * near(order, x, order.first);
        let singular = if order.n == 0 { log } else { log - 1.0 / x };
        FRAC_2_PI * singular + near(order, x, order.second)
    };
    let y = m.choose(x.le(8.0), close, || far(order, x).1);
    x.equals(0.0).select(f64::NEG_INFINITY, x.lt(0.0).select(f64::NAN, y))
}

/// `sin(x) / x`, near 0 its series.
fn spherical_j0<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    let square = s.mul(x, x);
    let terms = [1.0 / 6_227_020_800.0, -1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0];
    let series = terms[1..].iter().fold(c(terms[0]), |sum, term| s.add(s.mul(sum, square), c(*term)));
    let size = s.abs(x);
    let y = s.select(s.compare(Compare::Lt, size, c(0.5)), series, s.div(s.op("math.sin", &[x]), x));
    s.select(s.compare(Compare::Eq, size, c(f64::INFINITY)), c(0.0), y)
}

/// Chebyshev: J_0(x), t = x^2 / 32 - 1.
const J0: [f64; 17] = [
    0.157_727_971_474_890_12,
    -8.723_442_352_852_221e-3,
    0.265_178_613_203_336_8,
    -0.370_094_993_872_649_77,
    0.158_067_102_332_097_25,
    -0.034_893_769_411_408_884,
    4.819_180_069_467_605e-3,
    -4.606_261_662_062_750_4e-4,
    3.246_032_882_100_508e-5,
    -1.761_946_907_762_150_7e-6,
    7.608_163_592_418_782e-8,
    -2.679_253_530_557_673e-9,
    7.848_696_314_479_465e-11,
    -1.943_834_686_737_016_4e-12,
    4.125_320_595_634_374e-14,
    -7.588_508_125_447_546e-16,
    1.221_851_587_396_141_1e-17,
];

/// Chebyshev: J_1(x) / x, t = x^2 / 32 - 1.
const J1: [f64; 16] = [
    0.081_044_846_325_658_12,
    -0.148_975_145_067_652_1,
    0.160_999_262_357_209_7,
    -0.082_680_491_766_817_91,
    0.022_213_639_654_966_037,
    -3.646_940_600_769_276e-3,
    4.050_337_728_354_822e-4,
    -3.255_554_866_857_259e-5,
    1.985_877_404_991_516_5e-6,
    -9.521_984_756_750_436e-8,
    3.687_133_759_097_148e-9,
    -1.178_026_622_695_885e-10,
    3.160_154_580_348_003e-12,
    -7.221_755_239_651_773e-14,
    1.423_214_400_351_394_2e-15,
    -2.444_197_291_619_046_4e-17,
];

/// Chebyshev: Y_0(x) - 2/π ln(x) J_0(x), t = x^2 / 32 - 1.
const Y0: [f64; 17] = [
    -0.033_146_113_203_284_94,
    -0.274_474_305_529_745_3,
    0.179_034_314_077_182_65,
    0.261_567_346_255_046_63,
    -0.177_302_012_781_143_58,
    0.047_196_689_595_763_39,
    -7.287_962_479_552_079e-3,
    7.531_135_932_577_742e-4,
    -5.632_079_141_056_987e-5,
    3.206_532_537_654_801e-6,
    -1.440_723_327_401_87e-7,
    5.248_794_787_330_516e-9,
    -1.583_755_254_181_201_5e-10,
    4.026_330_818_306_12e-12,
    -8.747_341_203_310_769e-14,
    1.643_489_871_491_946_8e-15,
    -2.697_788_115_256_683_7e-17,
];

/// Chebyshev: (Y_1(x) - 2/π (ln(x) J_1(x) - 1/x)) / x, t = x^2 / 32 - 1.
const Y1: [f64; 16] = [
    2.538_013_235_741_781_6e-3,
    -0.016_087_173_047_668_75,
    -0.095_912_045_360_830_74,
    0.084_451_972_596_523_46,
    -0.028_328_123_944_594_365,
    5.289_897_544_167_113e-3,
    -6.414_551_451_326_356e-4,
    5.505_982_873_338_744e-5,
    -3.538_080_018_689_35e-6,
    1.770_780_455_615_440_4e-7,
    -7.110_550_049_899_28e-9,
    2.344_337_905_911_516e-10,
    -6.465_151_841_411_594_6e-12,
    1.514_291_512_050_02e-13,
    -3.051_185_969_447_325_4e-15,
    5.346_680_385_728_67e-17,
];

/// Chebyshev: P of order 0, t = 128 / x^2 - 1.
const P0: [f64; 13] = [
    0.999_460_349_347_518_7,
    -5.365_220_468_132_117e-4,
    3.075_184_787_519_474_5e-6,
    -5.170_594_537_606_097_5e-8,
    1.630_646_463_515_138_2e-9,
    -7.864_091_377_237_07e-11,
    5.168_262_387_349_193e-12,
    -4.304_578_869_925_391_4e-13,
    4.326_595_743_154_940_4e-14,
    -5.069_034_095_935_236e-15,
    6.748_072_215_733_873e-16,
    -1.001_151_372_346_778_6e-16,
    1.630_591_923_374_418_6e-17,
];

/// Chebyshev: x Q of order 0, t = 128 / x^2 - 1.
const Q0: [f64; 15] = [
    -0.124_446_836_842_696_07,
    5.470_815_954_089_319e-4,
    -5.931_598_728_848_517_5e-6,
    1.437_796_579_837_519_3e-7,
    -5.817_532_749_493_056e-9,
    3.376_097_523_734_991e-10,
    -2.565_397_936_797_308e-11,
    2.404_916_100_281_365e-12,
    -2.669_062_548_257_941_4e-13,
    3.404_180_032_196_368_6e-14,
    -4.879_944_105_312_04e-15,
    7.729_703_176_242_605e-16,
    -1.334_885_217_150_251_7e-16,
    2.486_595_238_939_051_5e-17,
    -4.952_892_629_886_516e-18,
];

/// Chebyshev: P of order 1, t = 128 / x^2 - 1.
const P1: [f64; 13] = [
    1.000_903_040_860_013_7,
    8.989_898_330_859_408e-4,
    -3.987_284_300_488_908e-6,
    6.177_633_960_644_299e-8,
    -1.871_890_749_106_306_7e-9,
    8.816_898_659_582_339e-11,
    -5.704_863_640_395_645e-12,
    4.699_195_515_230_542e-13,
    -4.684_223_783_990_489_5e-14,
    5.452_674_896_044_717e-15,
    -7.221_180_842_274_018e-16,
    1.066_768_911_433_541_2e-16,
    -1.731_231_321_611_633_5e-17,
];

/// Chebyshev: x Q of order 1, t = 128 / x^2 - 1.
const Q1: [f64; 15] = [
    0.374_222_296_556_282_6,
    -7.702_178_839_325_664e-4,
    7.310_892_206_364_363_6e-6,
    -1.676_782_510_726_674e-7,
    6.583_354_662_120_443e-9,
    -3.749_090_950_541_556e-10,
    2.812_175_035_974_886_6e-11,
    -2.611_452_539_462_32e-12,
    2.877_421_266_333_223_5e-13,
    -3.649_001_916_061_838e-14,
    5.206_626_366_226_707e-15,
    -8.215_318_025_458_595e-16,
    1.414_108_439_021_183_3e-16,
    -2.626_761_589_838_529e-17,
    5.219_264_919_671_408_5e-18,
];
