//! The regularised incomplete gamma functions, `P(a, x) = 1 - Q(a, x)`.
//!
//! Four ways, by the place (as the Cephes library, and DLMF 8.12 for large a): see [`incomplete_gamma`].

use std::f64::consts::PI;

use crate::real::{Real, Reals, in_f64};
use crate::rows::derivatives::special as vjp;
use crate::rows::special::SECOND_ONLY;
use crate::rows::special::gamma::{ln_gamma_1p, stirling_rest};
use crate::table::{Compute, OpRow, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.igamma", InResult, |s, a, _| in_f64(s, a, |m, [a, x]| incomplete_gamma(m, Side::Lower, a, x)))
        .vjp(|b| vjp::incomplete_gamma(b, Side::Lower))
        .tested_by(SECOND_ONLY),
    pointwise("fx.igammac", InResult, |s, a, _| in_f64(s, a, |m, [a, x]| incomplete_gamma(m, Side::Upper, a, x)))
        .vjp(|b| vjp::incomplete_gamma(b, Side::Upper))
        .tested_by(SECOND_ONLY),
];

/// Which of the two.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Side {
    /// P
    Lower,
    /// Q
    Upper,
}

impl Side {
    /// What is asked for, from P.
    fn of_lower<'a, 'c>(self, p: Real<'a, 'c>) -> Real<'a, 'c> {
        if self == Side::Lower { p } else { 1.0 - p }
    }
    /// What is asked for, from Q.
    fn of_upper<'a, 'c>(self, q: Real<'a, 'c>) -> Real<'a, 'c> {
        if self == Side::Upper { q } else { 1.0 - q }
    }
}

/// `P(a, x)` or `Q(a, x)` for a, x >= 0, else NaN. Large a near x: Temme's expansion. Larger x: a continued fraction of Q.
/// Small x where Q is small: a series of Q. Elsewhere a series of P.
fn incomplete_gamma<'a, 'c>(m: &'a Reals<'c>, side: Side, a: Real<'a, 'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let inside = a.gt(0.0) & x.gt(0.0) & a.lt(f64::INFINITY) & x.lt(f64::INFINITY);
    let (shape, bound) = (inside.select(a, 1.0), inside.select(x, 1.0));
    let uniform = shape.gt(200.0) & (bound - shape).abs().lt(0.3 * shape);
    let fraction = bound.gt(1.1) & bound.ge(shape);
    let by_series = || side.of_lower(lower_series(m, shape, bound));
    let elsewhere = || match side {
        Side::Lower => by_series(),
        Side::Upper => {
            let limit = bound.le(0.5).select(-0.4 / bound.ln(), 1.1 * bound);
            m.choose(bound.le(1.1) & limit.ge(shape), || upper_series(m, shape, bound), by_series)
        }
    };
    let by_fraction = || side.of_upper(upper_fraction(m, shape, bound));
    let y = m.choose(uniform, || temme(side, shape, bound), || m.choose(fraction, by_fraction, elsewhere));
    // ATen decides in this order: negative arguments, a = 0, x = 0, a infinite, x infinite; NaN in the other does not count.
    let lower = |value: f64| if side == Side::Lower { value } else { 1.0 - value };
    let y = inside.select(y, f64::NAN);
    let y = x.equals(f64::INFINITY).select(lower(1.0), y);
    let y = a.equals(f64::INFINITY).select(x.equals(f64::INFINITY).select(f64::NAN, lower(0.0)), y);
    let y = x.equals(0.0).select(lower(0.0), y);
    let y = a.equals(0.0).select(x.gt(0.0).select(lower(1.0), f64::NAN), y);
    (a.lt(0.0) | x.lt(0.0)).select(f64::NAN, y)
}

/// `x^a e^-x / Γ(a + 1)`, without overflow and cancellation for large a.
fn leading<'a, 'c>(m: &'a Reals<'c>, a: Real<'a, 'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let small = || a * x.ln() - x - ln_gamma_1p(m, a);
    let large = || a * (x / a).ln() - (x - a) - 0.5 * (2.0 * PI * a).ln() - stirling_rest(a);
    m.choose(a.lt(10.0), small, large).exp()
}

/// `P = x^a e^-x / Γ(a + 1) * sum_k x^k / ((a + 1) .. (a + k))` (DLMF 8.11.4)
fn lower_series<'a, 'c>(m: &'a Reals<'c>, a: Real<'a, 'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let one = m.c(1.0);
    let [_, _, sum] = m.while_loop(
        [a, one, one],
        |[_, term, sum]| term.gt(sum * (f64::EPSILON / 2.0)),
        |[a, term, sum]| {
            let a = a + 1.0;
            let term = term * x / a;
            [a, term, sum + term]
        },
    );
    leading(m, a, x) * sum
}

/// `Q = 1 - x^a / Γ(a + 1) * (1 + a sum_{k>=1} (-x)^k / (k! (a + k)))` (DLMF 8.7.1), for small a.
fn upper_series<'a, 'c>(m: &'a Reals<'c>, a: Real<'a, 'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let [_, _, _, sum] = m.while_loop(
        [m.c(0.0), m.c(1.0), m.c(1.0), m.c(0.0)],
        |[_, _, term, sum]| term.abs().gt(sum.abs() * (f64::EPSILON / 2.0)),
        |[k, power, _, sum]| {
            let k = k + 1.0;
            let power = -(power * x) / k;
            let term = power / (a + k);
            [k, power, term, sum + term]
        },
    );
    let log = a * x.ln() - ln_gamma_1p(m, a);
    -log.exp_m1() - a * log.exp() * sum
}

/// `Q = a x^a e^-x / Γ(a + 1) * 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ..)))` (DLMF 8.9.2), forwards by
/// the method of Lentz.
fn upper_fraction<'a, 'c>(m: &'a Reals<'c>, a: Real<'a, 'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    const TINY: f64 = 1e-300;
    let not_zero = |value: Real<'a, 'c>| value.abs().lt(TINY).select(TINY, value);
    let b = x + 1.0 - a;
    let d = 1.0 / b;
    let [_, _, _, _, value, _] = m.while_loop(
        [m.c(0.0), b, m.c(1.0 / TINY), d, d, m.c(0.0)],
        |[_, _, _, _, _, factor]| (factor - 1.0).abs().gt(f64::EPSILON),
        |[i, b, c, d, value, _]| {
            let i = i + 1.0;
            let numerator = i * (a - i);
            let b = b + 2.0;
            let d = 1.0 / not_zero(numerator * d + b);
            let c = not_zero(b + numerator / c);
            let factor = c * d;
            [i, b, c, d, value * factor, factor]
        },
    );
    a * leading(m, a, x) * value
}

/// `P = erfc(-h sqrt(a/2)) / 2 - R` and `Q = erfc(h sqrt(a/2)) / 2 + R`, with `h^2 / 2 = u - ln(1 + u)`, `u = x/a - 1`, and
/// `R = e^(-a h^2 / 2) / sqrt(2πa) * sum c_k(h) / a^k` (DLMF 8.12.3, 8.12.7), for |u| < 0.3.
fn temme<'a, 'c>(side: Side, a: Real<'a, 'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let u = (x - a) / a;
    // u - ln(1 + u) by the series of 2 artanh(s), s = u / (u + 2): nothing cancels near 0.
    let s = u / (u + 2.0);
    let square = s * s;
    let half = u * s - 2.0 * s * square * square.series(11, |k| 1.0 / f64::from(2 * k + 3));
    let h = (2.0 * half).sqrt().copysign(u);
    let inverse = 1.0 / a;
    let (first, others) = TEMME.split_first().unwrap_or((&(&[] as &[f64]), &[]));
    let sum = others.iter().fold(h.polynomial(first), |sum, row| sum * inverse + h.polynomial(row));
    let rest = (-(a * half)).exp() / (2.0 * PI * a).sqrt() * sum;
    let h = h * (0.5 * a).sqrt();
    if side == Side::Lower { 0.5 * (-h).erfc() - rest } else { 0.5 * h.erfc() + rest }
}

/// `c_k(h)` as polynomials, from the last k and the highest power down: `c_0 = 1/u - 1/h`, `c_k = c_(k-1)' / h + (-1)^k g_k / u`
/// with Stirling's coefficients g (DLMF 8.12.11), computed as fractions.
const TEMME: [&[f64]; 7] = [
    &[-5.921_664_373_536_939e-4, 5.313_079_364_639_922e-4],
    &[
        6.797_780_477_937_208e-5,
        -1.993_257_051_618_884_7e-4,
        2.772_753_244_959_392e-4,
        -6.972_813_758_365_857e-5,
        -3.367_985_533_663_581_3e-4,
    ],
    &[
        1.137_572_697_067_841_9e-5,
        -3.968_365_047_179_435e-5,
        6.641_498_215_465_122e-5,
        -1.463_845_257_884_341_8e-6,
        -2.990_724_803_031_902e-4,
        7.840_392_217_200_666e-4,
        -8.618_882_909_167_117e-4,
    ],
    &[
        1.423_090_073_243_588_3e-6,
        -5.674_952_826_991_596_5e-6,
        1.108_265_411_534_730_2e-5,
        -2.396_505_113_867_297e-7,
        -7.561_801_671_883_977e-5,
        2.677_206_320_628_388_5e-4,
        -4.691_894_943_952_557e-4,
        2.294_720_936_213_991_7e-4,
        6.494_341_563_786_008e-4,
    ],
    &[
        1.428_061_420_606_424_2e-7,
        -6.298_992_138_380_055e-7,
        1.372_195_730_906_293_4e-6,
        3.423_578_734_096_138e-8,
        -1.276_063_518_861_872_8e-5,
        5.292_344_882_912_012_5e-5,
        -1.073_665_322_636_516e-4,
        2.009_387_860_082_304_7e-6,
        7.716_049_382_716_049e-4,
        -2.681_327_160_493_827_3e-3,
        4.133_597_883_597_883e-3,
    ],
    &[
        1.195_162_859_977_814_8e-8,
        -5.752_545_603_517_705e-8,
        1.378_633_446_915_721e-7,
        4.647_127_802_807_434e-9,
        -1.612_090_089_456_344_6e-6,
        7.649_160_916_081_11e-6,
        -1.809_855_033_448_997_7e-5,
        -4.018_775_720_164_609e-7,
        2.057_613_168_724_279_8e-4,
        -9.902_263_374_485_596e-4,
        2.645_502_645_502_645_4e-3,
        -3.472_222_222_222_222e-3,
        -1.851_851_851_851_852e-3,
    ],
    &[
        -2.551_419_399_494_624_8e-11,
        9.147_699_582_236_79e-10,
        -4.382_036_018_453_353e-9,
        1.026_180_978_424_030_9e-8,
        6.707_853_543_401_498e-9,
        -1.766_595_273_682_607_8e-7,
        8.296_711_340_953_087e-7,
        -1.854_062_210_715_16e-6,
        -2.185_448_510_679_992e-6,
        3.919_263_178_522_438e-5,
        -1.787_551_440_329_218e-4,
        3.527_336_860_670_194e-4,
        1.157_407_407_407_407_3e-3,
        -0.014_814_814_814_814_815,
        0.083_333_333_333_333_33,
        -0.333_333_333_333_333_3,
    ],
];
