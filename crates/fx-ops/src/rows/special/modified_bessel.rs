//! Modified Bessel functions of orders 0 and 1: power series near 0, e^x / sqrt(x) times an expansion in 1 / x far away.

use crate::real::{Real, Reals, in_f64};
use crate::rows::derivatives::special as vjp;
use crate::rows::special::UNTRACKED;
use crate::table::{Compute, OpRow, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.i0", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_0, x, Scale::None)))
        .slope(|f, x, _| f.op("fx.special_i1", &[x], &[])),
    pointwise("fx.special_i0e", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_0, x, Scale::Exp)))
        .slope(vjp::i0e_slope)
        .kinked(),
    pointwise("fx.special_i1", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_1, x, Scale::None))).slope(vjp::i1_slope),
    pointwise("fx.special_i1e", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_1, x, Scale::Exp)))
        .slope(vjp::i1e_slope)
        .kinked(),
    pointwise("fx.special_modified_bessel_i0", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_0, x, Scale::None)))
        .constant(UNTRACKED),
    pointwise("fx.special_modified_bessel_i1", InResult, |s, a, _| in_f64(s, a, |m, [x]| first_kind(m, ORDER_1, x, Scale::None)))
        .constant(UNTRACKED),
    pointwise("fx.special_modified_bessel_k0", InResult, |s, a, _| in_f64(s, a, |m, [x]| second_kind(m, ORDER_0, x, Scale::None)))
        .constant(UNTRACKED),
    pointwise("fx.special_modified_bessel_k1", InResult, |s, a, _| in_f64(s, a, |m, [x]| second_kind(m, ORDER_1, x, Scale::None)))
        .constant(UNTRACKED),
    pointwise("fx.special_scaled_modified_bessel_k0", InResult, |s, a, _| in_f64(s, a, |m, [x]| second_kind(m, ORDER_0, x, Scale::Exp)))
        .constant(UNTRACKED),
    pointwise("fx.special_scaled_modified_bessel_k1", InResult, |s, a, _| in_f64(s, a, |m, [x]| second_kind(m, ORDER_1, x, Scale::Exp)))
        .constant(UNTRACKED),
];

/// Whether the exponential growth (or decay) is divided out.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    None,
    Exp,
}

/// What differs between the orders.
#[derive(Clone, Copy)]
struct Order {
    /// The order, 0 or 1.
    n: u32,
    /// Of `e^-x sqrt(x) I(x)` from 8 on.
    first: &'static [f64],
    /// Of `e^x sqrt(x) K(x)` from 2 on.
    second: &'static [f64],
}

const ORDER_0: Order = Order { n: 0, first: &I0, second: &K0 };
const ORDER_1: Order = Order { n: 1, first: &I1, second: &K1 };

/// `1 / (k! (k + n)!)`, the coefficient of `(x^2/4)^k` in `I_n(x) / (x/2)^n` (DLMF 10.25.2).
fn coefficient(n: u32, k: u32) -> f64 {
    let factorial = |k: u32| (1..=k).map(f64::from).product::<f64>();
    1.0 / (factorial(k) * factorial(k + n))
}

/// The digamma function of `k + 1`: the harmonic number of k, less Euler's constant.
fn digamma_after(k: u32) -> f64 {
    (1..=k).map(|i| 1.0 / f64::from(i)).sum::<f64>() - 0.577_215_664_901_532_9
}

/// `I_n(x)` by `terms` terms: 26 for 0 <= x <= 8, 14 up to 2.
fn power_series<'a, 'c>(order: Order, x: Real<'a, 'c>, terms: u32) -> Real<'a, 'c> {
    let sum = (0.25 * x * x).series(terms, |k| coefficient(order.n, k));
    if order.n == 0 { sum } else { 0.5 * x * sum }
}

/// `I_n(x)`, or `e^-|x| I_n(x)`. At infinity, unscaled, NaN as in ATen.
fn first_kind<'a, 'c>(m: &'a Reals<'c>, order: Order, x: Real<'a, 'c>, scale: Scale) -> Real<'a, 'c> {
    let z = x.abs();
    let near = || {
        let sum = power_series(order, z, 26);
        if scale == Scale::Exp { sum * (-z).exp() } else { sum }
    };
    let far = || {
        let sum = (16.0 / z - 1.0).chebyshev(order.first);
        let grown = if scale == Scale::Exp { sum } else { z.exp() * sum };
        grown / z.sqrt()
    };
    let y = m.choose(z.le(8.0), near, far);
    if order.n == 0 { y } else { x.lt(0.0).select(-y, y) }
}

/// `K_n(x)`, or `e^x K_n(x)`: infinite at 0, NaN below.
fn second_kind<'a, 'c>(m: &'a Reals<'c>, order: Order, x: Real<'a, 'c>, scale: Scale) -> Real<'a, 'c> {
    let near = || {
        let square = 0.25 * x * x;
        let log = (0.5 * x).ln() * power_series(order, x, 14);
        // DLMF 10.31.1
        let y = if order.n == 0 {
            square.series(14, |k| coefficient(0, k) * digamma_after(k)) - log
        } else {
            1.0 / x + log - 0.25 * x * square.series(14, |k| coefficient(1, k) * (digamma_after(k) + digamma_after(k + 1)))
        };
        if scale == Scale::Exp { y * x.exp() } else { y }
    };
    let far = || {
        let scaled = (4.0 / x - 1.0).chebyshev(order.second) / x.sqrt();
        if scale == Scale::Exp { scaled } else { scaled * (-x).exp() }
    };
    let y = m.choose(x.le(2.0), near, far);
    x.equals(0.0).select(f64::INFINITY, x.lt(0.0).select(f64::NAN, y))
}

/// Chebyshev: e^-x sqrt(x) I_0(x), t = 16 / x - 1.
const I0: [f64; 25] = [
    0.402_245_205_507_054_4,
    3.369_116_478_255_694_3e-3,
    6.889_758_346_916_825e-5,
    2.891_370_520_834_756_7e-6,
    2.048_918_589_469_063_8e-7,
    2.266_668_990_498_178e-8,
    3.396_232_025_708_386_5e-9,
    4.940_602_388_224_97e-10,
    1.188_914_710_784_643_9e-11,
    -3.149_916_527_963_241_6e-11,
    -1.321_581_184_044_771_3e-11,
    -1.794_178_531_506_806_2e-12,
    7.180_124_451_383_666e-13,
    3.852_778_382_742_142_6e-13,
    1.540_086_217_521_41e-14,
    -4.150_569_347_287_222e-14,
    -9.554_846_698_828_307e-15,
    3.811_680_669_352_622_4e-15,
    1.772_560_133_056_526_3e-15,
    -3.425_485_619_677_219e-16,
    -2.827_623_980_516_583_6e-16,
    3.461_222_867_697_461e-17,
    4.465_621_420_296_76e-17,
    -4.830_504_485_944_182e-18,
    -7.233_180_487_874_754e-18,
];

/// Chebyshev: e^-x sqrt(x) I_1(x), t = 16 / x - 1.
const I1: [f64; 25] = [
    0.389_288_117_509_140_05,
    -9.761_097_491_361_469e-3,
    -1.105_889_387_626_237_1e-4,
    -3.882_564_808_877_691e-6,
    -2.512_236_237_870_209e-7,
    -2.631_468_846_889_519_6e-8,
    -3.835_380_385_964_237e-9,
    -5.589_743_462_196_584e-10,
    -1.897_495_812_350_541_3e-11,
    3.252_603_583_015_488_4e-11,
    1.412_580_743_661_378_2e-11,
    2.035_628_544_147_089_6e-12,
    -7.198_551_776_245_908e-13,
    -4.083_551_111_092_197_4e-13,
    -2.101_541_842_772_664_3e-14,
    4.272_440_016_711_951e-14,
    1.042_027_698_412_880_2e-14,
    -3.814_403_072_437_007_5e-15,
    -1.880_354_775_510_782_5e-15,
    3.308_202_310_920_928_5e-16,
    2.962_628_997_645_95e-16,
    -3.209_525_921_993_424e-17,
    -4.650_305_368_489_358_6e-17,
    4.414_348_323_071_708e-18,
    7.517_296_310_842_105e-18,
];

/// Chebyshev: e^x sqrt(x) K_0(x), t = 4 / x - 1.
const K0: [f64; 24] = [
    1.220_151_541_032_977_7,
    -0.031_448_101_311_964_5,
    1.569_883_885_730_053_3e-3,
    -1.284_954_958_162_780_2e-4,
    1.394_981_371_887_65e-5,
    -1.831_755_522_719_119_5e-6,
    2.766_813_639_445_015e-7,
    -4.660_489_897_687_948e-8,
    8.574_034_017_414_225e-9,
    -1.697_534_509_389_061_4e-9,
    3.577_397_281_400_328_3e-10,
    -7.957_489_244_477_396e-11,
    1.855_949_114_954_926_4e-11,
    -4.514_597_883_374_519e-12,
    1.140_340_588_207_344_1e-12,
    -2.980_096_923_148_178_4e-13,
    8.032_890_775_068_375e-14,
    -2.227_513_326_746_296_5e-14,
    6.340_076_476_276_646e-15,
    -1.848_593_377_920_907e-15,
    5.512_055_999_404_333_5e-16,
    -1.678_231_125_754_900_6e-16,
    5.210_391_777_643_554_3e-17,
    -1.647_580_593_984_263_2e-17,
];

/// Chebyshev: e^x sqrt(x) K_1(x), t = 4 / x - 1.
const K1: [f64; 24] = [
    1.360_313_095_242_221_3,
    0.103_923_736_576_817_24,
    -2.857_816_859_622_779e-3,
    1.952_155_184_713_516_2e-4,
    -1.936_197_974_166_083e-5,
    2.406_484_947_837_217e-6,
    -3.501_960_603_087_812_6e-7,
    5.741_084_125_450_049_5e-8,
    -1.034_576_246_567_809_7e-8,
    2.015_049_755_197_034_7e-9,
    -4.190_354_759_341_925_4e-10,
    9.218_315_187_605_315e-11,
    -2.129_967_838_427_791e-11,
    5.139_639_673_482_343e-12,
    -1.289_173_960_949_822_9e-12,
    3.348_419_666_052_243e-13,
    -8.976_705_182_010_146e-14,
    2.477_154_424_219_598_8e-14,
    -7.019_837_089_214_768_5e-15,
    2.038_703_166_239_861e-15,
    -6.057_047_270_643_018e-16,
    1.838_093_575_243_045_5e-16,
    -5.689_462_849_193_648e-17,
    1.794_051_047_886_357_2e-17,
];
