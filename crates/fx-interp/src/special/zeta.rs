//! Hurwitz' zeta function and the polygamma functions.

use std::f64::consts::PI;

use super::{digamma, lgamma, sin_pi};

/// B_2k / (2k)!, of the Euler-Maclaurin formula.
const BERNOULLI: [f64; 10] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    -174_611.0 / 802_857_662_698_291_200_000.0,
];

/// `ζ(s, q) = Σ_{k >= 0} (k + q)^-s` for q > 0: the first terms, then the Euler-Maclaurin formula (DLMF 25.11.28).
fn zeta_positive(s: f64, q: f64) -> f64 {
    let (mut sum, mut a) = (0.0, q);
    while a < 20.0 {
        sum += a.powf(-s);
        a += 1.0;
    }
    let power = a.powf(-s);
    sum += a * power / (s - 1.0) + power / 2.0;
    let mut factor = s * power / a;
    for (k, b) in BERNOULLI.iter().enumerate() {
        sum += b * factor;
        let next = 2.0 * k as f64 + 1.0;
        factor *= (s + next) * (s + next + 1.0) / (a * a);
    }
    sum
}

/// `Σ_{k >= 0} (k + q)^-s`. As in PyTorch infinite for s = 1 and where a term is, NaN for s < 1, for powers of negative
/// numbers that are not real, and at infinity.
pub fn zeta(s: f64, q: f64) -> f64 {
    match (s, q) {
        (1.0, _) => f64::INFINITY,
        (s, _) if s < 1.0 => f64::NAN,
        (_, q) if q <= 0.0 && q == q.floor() => f64::INFINITY,
        (s, q) if s.is_nan() || q.is_nan() || q.is_infinite() => f64::NAN,
        (f64::INFINITY, q) if q > 0.0 => {
            if q <= 1.0 {
                q.powf(-s)
            } else {
                f64::NAN
            }
        }
        (s, q) if q > 0.0 => zeta_positive(s, q),
        (s, _) if s != s.floor() => f64::NAN,
        (s, q) => {
            // terms of negative numbers: (-1)^s Σ_{j=1}^m (j - f)^-s with f the fraction and m = -floor(q)
            let fraction = q - q.floor();
            let sign = if s % 2.0 == 0.0 { 1.0 } else { -1.0 };
            zeta_positive(s, fraction) + sign * (zeta_positive(s, 1.0 - fraction) - zeta_positive(s, 1.0 - q))
        }
    }
}

/// The n-th derivative of digamma, `(-1)^(n+1) n! ζ(n + 1, x)` (DLMF 5.15.2); the first one of negative numbers by
/// reflection (DLMF 5.15.6), which makes it infinite at the poles.
pub fn polygamma(n: i64, x: f64) -> f64 {
    match n {
        0 => digamma(x),
        1 if x == f64::INFINITY => 0.0,
        1 if x < 0.0 => {
            let sine = sin_pi(x);
            PI * PI / (sine * sine) - zeta(2.0, 1.0 - x)
        }
        n => {
            let sign = if n % 2 == 0 { -1.0 } else { 1.0 };
            sign * lgamma(n as f64 + 1.0).exp() * zeta(n as f64 + 1.0, x)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-13 * b.abs()
    }

    /// Values of mpmath.
    #[test]
    fn values() {
        assert!(close(zeta(2.0, 1.0), 1.6449340668482264));
        assert!(close(zeta(1.5, 0.3), 8.2377616714597234));
        assert!(close(zeta(7.0, 30.5), 2.2818017330577495e-10));
        assert!(close(zeta(40.0, 0.9), 67.654957011860777));
        assert!(close(zeta(3.0, -2.25), -61.948474887030083));
        assert!(close(zeta(4.0, -10.5), 32.469447600542101));
        assert!(close(zeta(1.001, 5.0), 998.49501393266952));
        assert!(close(polygamma(1, 0.25), 17.197329154507111));
        assert!(close(polygamma(1, -1.75), 19.301637544529786));
        assert!(close(polygamma(2, 3.5), -0.1082040516417274));
        assert!(close(polygamma(3, -0.4), 281.78204104534573));
        assert!(close(polygamma(4, 0.01), -240000000023.7009));
        assert!(close(polygamma(6, 12.0), -5.1203486564177722e-5));
    }

    #[test]
    fn poles() {
        assert_eq!(
            (zeta(1.0, 2.0), zeta(3.0, -2.0), polygamma(1, -3.0), polygamma(2, 0.0)),
            (f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY)
        );
        assert!(zeta(0.5, 2.0).is_nan() && zeta(2.5, -0.5).is_nan());
    }
}
