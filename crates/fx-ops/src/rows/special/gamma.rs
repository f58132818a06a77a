//! The gamma function's logarithm and its derivatives.

use std::f64::consts::PI;

use fx_ir::Op;

use crate::real::{Real, Reals, in_f64};
use crate::rows::derivatives::special as vjp;
use crate::rows::special::zeta::zeta;
use crate::scalar::{Number, Scalars};
use crate::table::{Compute, OpRow, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.lgamma", InResult, |s, a, _| in_f64(s, a, |m, [x]| ln_gamma(m, x))).slope(|f, x, _| f.op("fx.digamma", &[x], &[])),
    pointwise("fx.mvlgamma", InResult, mvlgamma).vjp(vjp::mvlgamma),
    pointwise("fx.digamma", InResult, |s, a, _| in_f64(s, a, |m, [x]| digamma(m, x))).slope(|f, x, _| vjp::trigamma(f, x)),
    pointwise("fx.polygamma", InResult, polygamma).vjp(vjp::polygamma),
];

/// `ln(2π) / 2`
pub(super) const HALF_LN_2PI: f64 = 0.918_938_533_204_672_8;

/// `ln Γ(a) - ((a - 1/2) ln a - a + ln(2π) / 2)` for a >= 8: Stirling's series, `B_2k / (2k (2k - 1) a^(2k-1))` (DLMF 5.11.1)
pub(super) fn stirling_rest<'a, 'c>(a: Real<'a, 'c>) -> Real<'a, 'c> {
    let terms =
        [-3_617.0 / 122_400.0, 1.0 / 156.0, -691.0 / 360_360.0, 1.0 / 1_188.0, -1.0 / 1_680.0, 1.0 / 1_260.0, -1.0 / 360.0, 1.0 / 12.0];
    (1.0 / (a * a)).polynomial(&terms) / a
}

/// `ln Γ(1 + a)` for a >= 0, accurate near its zeros 0 and 1.
pub(super) fn ln_gamma_1p<'a, 'c>(m: &'a Reals<'c>, a: Real<'a, 'c>) -> Real<'a, 'c> {
    let large = || {
        let (mut x, mut product) = (a + 1.0, m.c(1.0));
        for _ in 3..8 {
            let below = x.lt(8.0);
            product = below.select(product * x, product);
            x = below.select(x + 1.0, x);
        }
        (x - 0.5) * (x.ln() - 1.0) + (HALF_LN_2PI - 0.5) + stirling_rest(x) - product.ln()
    };
    // Subtracted from 0, so that the zeros are not -0.
    m.choose(a.lt(2.0), || 0.0 - a * (1.0 - a) * (a - 1.0).chebyshev(&LN_GAMMA), large)
}

/// `ln |Γ(x)|`: infinite at 0, -1, -2 .. and at infinities. Below 0 by reflection (DLMF 5.5.3).
fn ln_gamma<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let reflected = x.lt(0.0);
    let z = reflected.select(1.0 - x, x);
    let small = z.lt(1.0);
    let above = ln_gamma_1p(m, small.select(z, z - 1.0));
    let sine = || (PI * (x - x.round())).sin().abs();
    let log = m.choose(reflected, || (sine() / PI).ln(), || small.select(x, 1.0).ln());
    let y = reflected.select(-log - above, above - log);
    (x.is_infinite() | (reflected & x.is_whole())).select(f64::INFINITY, y)
}

/// `p (p - 1) / 4 ln π + sum_{i<p} ln Γ(x - i / 2)`
fn mvlgamma<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let p = op.int("p").unwrap_or(1);
    let count = p as f64;
    in_f64(s, a, |m, [x]| {
        let first = m.c(count * (count - 1.0) / 4.0 * PI.ln());
        let [sum] = m.for_range(p, [first], |i, [sum]| [sum + ln_gamma(m, x - 0.5 * i)]);
        sum
    })
}

/// `ψ(x)`: upwards by `ψ(x) = ψ(x + 1) - 1 / x` to 10, then `ln x - 1 / 2x - sum B_2k / (2k x^2k)` (DLMF 5.11.2), below 0 by
/// reflection (DLMF 5.5.4). NaN at -1, -2 .., infinite at 0 with the other sign than x.
fn digamma<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let reflected = x.lt(0.0);
    let z = reflected.select(1.0 - x, x);
    let (y, sum) = shifted(m, z, |y| y);
    let w = 1.0 / (y * y);
    let terms = [1.0 / 12.0, -691.0 / 32_760.0, 1.0 / 132.0, -1.0 / 240.0, 1.0 / 252.0, -1.0 / 120.0, 1.0 / 12.0];
    let positive = y.ln() - 0.5 / y - w * w.polynomial(&terms) - sum;
    let angle = PI * (x - x.round());
    let result = reflected.select(positive - PI * angle.cos() / angle.sin(), positive);
    let result = (reflected & x.is_whole()).select(f64::NAN, result);
    x.equals(0.0).select(-1.0 / x, result)
}

/// `ψ'(x)`, as [`digamma`] (DLMF 5.15.8, 5.15.6). At poles the sine is of `πx` as rounded, so that they are finite, as in ATen.
fn trigamma<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>) -> Real<'a, 'c> {
    let reflected = x.lt(0.5);
    let z = reflected.select(1.0 - x, x);
    let (y, sum) = shifted(m, z, |y| y * y);
    let w = 1.0 / (y * y);
    let terms = [7.0 / 6.0, -691.0 / 2_730.0, 5.0 / 66.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 1.0 / 6.0];
    let positive = sum + 1.0 / y + w * (0.5 + w.polynomial(&terms) / y);
    let sine = (PI * x.is_whole().select(x, x - x.round())).sin();
    reflected.select(PI * PI / (sine * sine) - positive, positive)
}

/// x moved up by whole steps to 10 or more, and the sum of `1 / power(y)` over the places y left behind.
fn shifted<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>, power: impl Fn(Real<'a, 'c>) -> Real<'a, 'c>) -> (Real<'a, 'c>, Real<'a, 'c>) {
    let (mut y, mut numerator, mut denominator) = (x, m.c(0.0), m.c(1.0));
    for _ in 0..10 {
        let below = y.lt(10.0);
        let term = power(y);
        numerator = below.select(numerator * term + denominator, numerator);
        denominator = below.select(denominator * term, denominator);
        y = below.select(y + 1.0, y);
    }
    (y, numerator / denominator)
}

/// `ψ^(n)(x)`: for n >= 2 `(-1)^(n+1) n! ζ(n + 1, x)` (DLMF 25.11.12).
fn polygamma<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let n = op.int("n").unwrap_or(0);
    in_f64(s, a, |m, [x]| match n {
        0 => digamma(m, x),
        1 => trigamma(m, x),
        _ => {
            // 171! is infinite.
            let factorial: f64 = (1..=n.min(171)).map(|i| i as f64).product();
            let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
            sign * factorial * zeta(m, m.c(n as f64 + 1.0), x)
        }
    })
}

/// Chebyshev: ln Γ(2 + t) / (t (1 + t)).
const LN_GAMMA: [f64; 28] = [
    0.441_489_025_455_014_23,
    -0.111_195_803_217_525_23,
    0.019_510_448_260_688_84,
    -3.922_461_463_025_264e-3,
    8.478_989_895_953_857e-4,
    -1.915_385_534_136_559_3e-4,
    4.454_470_184_975_607e-5,
    -1.057_287_437_359_43e-5,
    2.547_433_687_340_841_7e-6,
    -6.208_535_880_776_316e-7,
    1.526_867_739_907_154_6e-7,
    -3.782_637_660_291_326e-8,
    9.428_100_823_624_284e-9,
    -2.361_999_702_184_645e-9,
    5.943_541_905_817_546e-10,
    -1.501_312_977_072_867e-10,
    3.805_019_645_811_053_4e-11,
    -9.672_485_299_656_325e-12,
    2.465_348_198_355_661e-12,
    -6.298_868_140_791_711e-13,
    1.612_846_003_028_378_7e-13,
    -4.137_949_206_814_042e-14,
    1.063_570_122_775_789_8e-14,
    -2.738_242_078_665_282_6e-15,
    7.060_670_507_214_892e-16,
    -1.823_217_714_166_211_8e-16,
    4.714_169_006_756_272e-17,
    -1.220_410_731_963_985_6e-17,
];
