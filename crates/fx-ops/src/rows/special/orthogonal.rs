//! Orthogonal polynomials `p_n(x)` with n from a tensor, by their recurrences (DLMF 18.9).
//!
//! As in ATen n is cut to a whole number; 0 for n < 0, and where n is not finite.

use crate::real::{Real, Reals, Truth, in_f64};
use crate::rows::special::UNTRACKED;
use crate::scalar::{Number, Scalars};
use crate::table::{Compute, OpRow, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.special_chebyshev_polynomial_t", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| chebyshev(m, Kind::T, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_chebyshev_polynomial_u", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| chebyshev(m, Kind::U, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_chebyshev_polynomial_v", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| chebyshev(m, Kind::V, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_chebyshev_polynomial_w", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| chebyshev(m, Kind::W, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_shifted_chebyshev_polynomial_t", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| shifted(m, Kind::T, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_shifted_chebyshev_polynomial_u", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| shifted(m, Kind::U, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_shifted_chebyshev_polynomial_v", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| shifted(m, Kind::V, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_shifted_chebyshev_polynomial_w", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| shifted(m, Kind::W, x, n)))
        .constant(UNTRACKED),
    pointwise("fx.special_hermite_polynomial_h", InResult, |s, a, _| hermite(s, a, 2.0)).constant(UNTRACKED),
    pointwise("fx.special_hermite_polynomial_he", InResult, |s, a, _| hermite(s, a, 1.0)).constant(UNTRACKED),
    pointwise("fx.special_laguerre_polynomial_l", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| laguerre(m, x, n))).constant(UNTRACKED),
    pointwise("fx.special_legendre_polynomial_p", InResult, |s, a, _| in_f64(s, a, |m, [x, n]| legendre(m, x, n))).constant(UNTRACKED),
];

/// A degree from a tensor.
struct Degree<'a, 'c> {
    /// The whole number, 0 where it is none.
    n: Real<'a, 'c>,
    /// Whether it is one: not negative, not NaN, and in the range of `i64`.
    valid: Truth<'a, 'c>,
    even: Truth<'a, 'c>,
}

impl<'a, 'c> Degree<'a, 'c> {
    fn new(n: Real<'a, 'c>) -> Self {
        let valid = n.gt(-1.0) & n.lt(9_223_372_036_854_775_808.0);
        let n = valid.select(n, 0.0).trunc();
        Self { n, valid, even: (0.5 * n).is_whole() }
    }
}

/// `p_n`, from `p_0 = 1`, `p_1 = first` and `p_(k+1) = next(k, p_k, p_(k-1))`. It ends early at NaN, which lasts.
fn recurrence<'a, 'c>(
    m: &'a Reals<'c>,
    n: Real<'a, 'c>,
    first: Real<'a, 'c>,
    next: impl Fn(Real<'a, 'c>, Real<'a, 'c>, Real<'a, 'c>) -> Real<'a, 'c>,
) -> Real<'a, 'c> {
    let one = m.c(1.0);
    let [_, _, last] = m.while_loop([one, one, first], |[k, _, q]| k.lt(n) & q.equals(q), |[k, p, q]| [k + 1.0, q, next(k, q, p)]);
    n.equals(0.0).select(1.0, last)
}

/// The four kinds of Chebyshev polynomials.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    T,
    U,
    V,
    W,
}

/// `p_(k+1) = 2x p_k - p_(k-1)`. Inside -1..1 for larger n by the trigonometric definition (DLMF 18.5.1-4); the ends are exact.
fn chebyshev<'a, 'c>(m: &'a Reals<'c>, kind: Kind, x: Real<'a, 'c>, degree: Real<'a, 'c>) -> Real<'a, 'c> {
    let Degree { n, valid, even } = Degree::new(degree);
    let twice = x + x;
    let first = match kind {
        Kind::T => x,
        Kind::U => twice,
        Kind::V => twice - 1.0,
        Kind::W => twice + 1.0,
    };
    let (at_one, at_minus_one) = match kind {
        Kind::T => (m.c(1.0), m.c(1.0)),
        Kind::U => (n + 1.0, n + 1.0),
        Kind::V => (m.c(1.0), n + n + 1.0),
        Kind::W => (n + n + 1.0, m.c(1.0)),
    };
    let circular = || {
        let angle = x.acos();
        match kind {
            Kind::T => (n * angle).cos(),
            Kind::U => ((n + 1.0) * angle).sin() / angle.sin(),
            Kind::V => ((n + 0.5) * angle).cos() / (0.5 * angle).cos(),
            Kind::W => ((n + 0.5) * angle).sin() / (0.5 * angle).sin(),
        }
    };
    let size = x.abs();
    let at_end = size.equals(1.0);
    let steps = at_end.select(0.0, n);
    let by_recurrence = || recurrence(m, steps, first, |_, q, p| twice * q - p);
    let y = m.choose(size.lt(1.0) & n.gt(6.0), circular, by_recurrence);
    let end = x.gt(0.0).select(at_one, even.select(at_minus_one, -at_minus_one));
    valid.select(at_end.select(end, y), 0.0)
}

/// `p_n(2x - 1)`
fn shifted<'a, 'c>(m: &'a Reals<'c>, kind: Kind, x: Real<'a, 'c>, n: Real<'a, 'c>) -> Real<'a, 'c> {
    chebyshev(m, kind, x + x - 1.0, n)
}

/// `H_(k+1) = 2x H_k - 2k H_(k-1)`, and with `factor` 1 `He_(k+1) = x He_k - k He_(k-1)`. NaN beyond the degrees that ATen has.
fn hermite<'c>(s: &Scalars<'c>, a: &[Number<'c>], factor: f64) -> Number<'c> {
    let limit = if a[0].ty.is_f64() { 512.0 } else { 128.0 };
    in_f64(s, a, |m, [x, degree]| {
        let Degree { n, valid, .. } = Degree::new(degree);
        let beyond = n.gt(limit);
        let scaled = factor * x;
        let y = recurrence(m, beyond.select(0.0, n), scaled, |k, q, p| scaled * q - factor * k * p);
        valid.select(beyond.select(f64::NAN, y), 0.0)
    })
}

/// `(k + 1) L_(k+1) = (2k + 1 - x) L_k - k L_(k-1)`
fn laguerre<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>, degree: Real<'a, 'c>) -> Real<'a, 'c> {
    let Degree { n, valid, .. } = Degree::new(degree);
    let at_zero = x.equals(0.0);
    let y = recurrence(m, at_zero.select(0.0, n), 1.0 - x, |k, q, p| ((k + k + (1.0 - x)) * q - k * p) / (k + 1.0));
    valid.select(y, 0.0)
}

/// `(k + 1) P_(k+1) = (2k + 1) x P_k - k P_(k-1)`
fn legendre<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>, degree: Real<'a, 'c>) -> Real<'a, 'c> {
    let Degree { n, valid, even } = Degree::new(degree);
    let at_end = x.abs().equals(1.0);
    let y = recurrence(m, at_end.select(0.0, n), x, |k, q, p| ((k + k + 1.0) * x * q - k * p) / (k + 1.0));
    let negative = x.lt(0.0) & !even;
    valid.select(at_end.select(negative.select(-1.0, 1.0), y), 0.0)
}
