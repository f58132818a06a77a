//! The Hurwitz zeta function.

use crate::real::{Real, Reals, in_f64};
use crate::rows::derivatives::special as vjp;
use crate::rows::special::SECOND_ONLY;
use crate::table::{Compute, OpRow, pointwise};

/// The table.
pub static ROWS: &[OpRow] = &[pointwise("fx.special_zeta", Compute::Result, |s, a, _| in_f64(s, a, |m, [x, q]| zeta(m, x, q)))
    .vjp(vjp::zeta)
    .tested_by(SECOND_ONLY)];

/// Half the distance from 1 to the next float: a smaller term does not count.
const EPSILON: f64 = f64::EPSILON / 2.0;

/// `(2k)! / B_2k`, k = 1, 2 ..
const EULER_MACLAURIN: [f64; 12] = [
    12.0,
    -720.0,
    30_240.0,
    -1_209_600.0,
    47_900_160.0,
    -1_892_437_580.318_379_2,
    74_724_249_600.0,
    -2_950_130_727_918.164,
    116_467_828_143_500.67,
    -4_597_978_722_407_473.0,
    1.815_210_540_194_354_6e17,
    -7.166_165_256_175_667e18,
];

/// `sum_{k>=0} 1 / (k + q)^x`: nine terms or more, up to q + k > 9, and the rest by Euler and Maclaurin's formula (DLMF
/// 2.10.1). Infinite at x = 1 and at q = 0, -1 .., NaN for x < 1, and for q < 0 unless x is whole.
pub(super) fn zeta<'a, 'c>(m: &'a Reals<'c>, x: Real<'a, 'c>, q: Real<'a, 'c>) -> Real<'a, 'c> {
    let pole = x.equals(1.0) | (!x.lt(1.0) & q.le(0.0) & q.is_whole());
    let undefined = x.lt(1.0) | (q.le(0.0) & !q.is_whole() & !x.is_whole());
    let q = (pole | undefined).select(1.0, q);
    let done = |sum: Real<'a, 'c>, term: Real<'a, 'c>| (-EPSILON * sum).lt(term) & term.lt(EPSILON * sum);
    let first = q.powf(-x);
    let [_, last, sum, term] = m.while_loop(
        [m.c(0.0), q, first, m.c(f64::INFINITY)],
        |[i, a, sum, term]| (i.lt(9.0) | a.le(9.0)) & !done(sum, term),
        |[i, a, sum, _]| {
            let a = a + 1.0;
            let term = a.powf(-x);
            [i + 1.0, a, sum + term, term]
        },
    );
    let direct = done(sum, term);
    let mut rest = sum + term * last / (x - 1.0) - 0.5 * term;
    let (mut factor, mut power, mut finished) = (m.c(1.0), term, direct);
    for (k, divisor) in EULER_MACLAURIN.iter().enumerate() {
        let k = 2.0 * k as f64;
        factor = factor * (x + k);
        power = power / last;
        let correction = factor * power / *divisor;
        let next = rest + correction;
        rest = finished.select(rest, next);
        finished = finished | (correction / next).abs().lt(EPSILON);
        factor = factor * (x + (k + 1.0));
        power = power / last;
    }
    let result = direct.select(sum, rest);
    pole.select(f64::INFINITY, undefined.select(f64::NAN, result))
}
