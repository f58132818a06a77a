//! The Airy function.

use std::f64::consts::PI;

use crate::real::{Real, Reals, in_f64};
use crate::rows::special::UNTRACKED;
use crate::table::{Compute, OpRow, pointwise};

/// The table.
pub static ROWS: &[OpRow] =
    &[pointwise("fx.special_airy_ai", Compute::Result, |s, a, _| in_f64(s, a, |m, [x]| airy_ai(m, x))).constant(UNTRACKED)];

/// `Ai(x)`: the power series in -4..2, elsewhere expansions in `1 / z`, `z = 2/3 |x|^(3/2)`. NaN at infinities, as in ATen.
fn airy_ai<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let size = x.abs();
    let far = || {
        let z = size * size.sqrt() / 1.5;
        let scale = (PI * size.sqrt()).sqrt();
        m.choose(x.gt(0.0), || decaying(z) / scale, || oscillating(z) / scale)
    };
    let y = m.choose(x.ge(-4.0) & x.le(2.0), || power_series(x), far);
    x.is_infinite().select(f64::NAN, y)
}

/// `sqrt(π) x^(1/4) Ai(x)` for x >= 2 (DLMF 9.7.5)
fn decaying<'a, 'c>(z: Real<'a, 'c>) -> Real<'a, 'c> {
    0.5 * (-z).exp() * (2.0 * Z_AT_2 / z - 1.0).chebyshev(&AI)
}

/// `sqrt(π) x^(1/4) Ai(-x)` for x >= 4: `P cos(z - π/4) + Q sin(z - π/4)` (DLMF 9.7.9)
fn oscillating<'a, 'c>(z: Real<'a, 'c>) -> Real<'a, 'c> {
    let t = 2.0 * (Z_AT_4 * Z_AT_4) / (z * z) - 1.0;
    let (p, q) = (t.chebyshev(&P), t.chebyshev(&Q) / z);
    let (sin, cos) = (z.sin(), z.cos());
    (p * (cos + sin) + q * (sin - cos)) * std::f64::consts::FRAC_1_SQRT_2
}

/// `Ai(0) f(x) + Ai'(0) g(x)`, f and g in powers of x^3 (DLMF 9.4.1)
fn power_series<'a, 'c>(x: Real<'a, 'c>) -> Real<'a, 'c> {
    // Each coefficient is the one before divided by the product of two consecutive numbers.
    let coefficient = |first: u32, k: u32| (0..k).map(|i| f64::from(3 * i + first) * f64::from(3 * i + first + 1)).product::<f64>().recip();
    let cube = x * x * x;
    let f = cube.series(20, |k| coefficient(2, k));
    let g = cube.series(20, |k| coefficient(3, k));
    0.355_028_053_887_817_2 * f - 0.258_819_403_792_806_8 * (x * g)
}

/// z at x = 2: sqrt(32) / 3
const Z_AT_2: f64 = 1.885_618_083_164_127;
/// z at x = -4
const Z_AT_4: f64 = 16.0 / 3.0;

/// Chebyshev: 2 sqrt(π) x^(1/4) e^z Ai(x), t = 2 z(2) / z - 1.
const AI: [f64; 24] = [
    0.984_405_304_917_155_2,
    -0.014_792_784_850_104_199,
    7.327_177_465_426_715e-4,
    -6.125_954_234_178_25e-5,
    6.834_766_975_572_69e-6,
    -9.237_229_735_403_982e-7,
    1.436_225_340_438_052e-7,
    -2.489_319_422_322_096e-8,
    4.709_793_440_054_328e-9,
    -9.583_863_708_112_733e-10,
    2.074_585_548_367_759_1e-10,
    -4.737_267_332_192_277e-11,
    1.133_609_980_822_423_6e-11,
    -2.827_706_782_319_351e-12,
    7.320_712_095_125_598e-13,
    -1.959_979_391_108_972_3e-13,
    5.410_116_257_068_392_5e-14,
    -1.535_646_680_222_383_6e-14,
    4.472_340_393_300_025e-15,
    -1.333_809_467_475_668_3e-15,
    4.066_582_046_456_231e-16,
    -1.265_583_225_645_289e-16,
    4.015_126_334_015_871e-17,
    -1.296_997_213_596_093_7e-17,
];

/// Chebyshev: P, t = 2 z(4)^2 / z^2 - 1.
const P: [f64; 17] = [
    0.999_370_889_074_277_8,
    -6.216_836_584_374_116e-4,
    7.181_193_774_368_645e-6,
    -2.316_269_813_501_758e-7,
    1.321_628_388_852_875_5e-8,
    -1.093_873_617_275_812_7e-9,
    1.179_462_073_790_853_5e-10,
    -1.551_884_190_992_985_6e-11,
    2.386_927_411_492_466e-12,
    -4.165_528_892_010_35e-13,
    8.071_678_110_741_467e-14,
    -1.708_757_321_110_567e-14,
    3.902_945_148_540_815e-15,
    -9.523_976_784_907_064e-16,
    2.463_281_088_575_260_3e-16,
    -6.709_077_463_464_858e-17,
    1.913_939_683_718_707e-17,
];

/// Chebyshev: z Q, t = 2 z(4)^2 / z^2 - 1.
const Q: [f64; 22] = [
    0.068_821_705_563_080_01,
    -6.089_151_840_832_694e-4,
    1.317_415_101_408_997_2e-5,
    -6.014_071_912_908_298e-7,
    4.327_537_342_298_499e-8,
    -4.247_731_732_954_726e-9,
    5.232_285_376_834_493e-10,
    -7.672_290_975_115_024e-11,
    1.292_380_945_269_871_2e-11,
    -2.438_529_757_108_29e-12,
    5.059_047_237_872_084e-13,
    -1.137_851_379_225_632_9e-13,
    2.744_137_730_832_225_8e-14,
    -7.034_482_112_632_58e-15,
    1.903_211_436_719_891_7e-15,
    -5.403_040_541_409_308e-16,
    1.601_671_102_658_523_4e-16,
    -4.937_527_440_352_806_5e-17,
    1.577_343_579_778_115_3e-17,
    -5.206_129_581_838_458e-18,
    1.770_678_794_740_016_4e-18,
    -6.191_669_620_783_275e-19,
];
