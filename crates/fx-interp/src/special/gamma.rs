//! The logarithm of gamma and its derivative.

use std::f64::consts::PI;

/// `sin(π x)`, exactly 0 at integers.
pub fn sin_pi(x: f64) -> f64 {
    let turn = x % 2.0;
    // to [-1/2, 1/2], where the product is accurate
    let turn = match turn {
        turn if turn > 1.5 => turn - 2.0,
        turn if turn > 0.5 => 1.0 - turn,
        turn if turn < -1.5 => turn + 2.0,
        turn if turn < -0.5 => -1.0 - turn,
        turn => turn,
    };
    (PI * turn).sin()
}

/// From here on the asymptotic series are exact to double precision.
const FAR: f64 = 15.0;

/// B_2k / (2k (2k - 1)), of Stirling's series (DLMF 5.11.1).
const STIRLING: [f64; 8] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0, -3617.0 / 122_400.0];

/// B_2k / 2k (DLMF 5.11.2).
const DIGAMMA: [f64; 8] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0, -3617.0 / 8160.0];

/// `Σ c_k t^k`
fn polynomial(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// `ln |Γ(x)|`: Stirling's series beyond 15, the recurrence Γ(x + 1) = x Γ(x) below it, reflection for negative numbers.
pub fn lgamma(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() || (x <= 0.0 && x == x.floor()) {
        return f64::INFINITY;
    }
    if x < 0.0 {
        return (PI / sin_pi(x).abs()).ln() - lgamma(1.0 - x);
    }
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let (mut far, mut product) = (x, 1.0);
    while far < FAR {
        product *= far;
        far += 1.0;
    }
    let series = polynomial(&STIRLING, 1.0 / (far * far)) / far;
    (far - 0.5) * far.ln() - far + (2.0 * PI).ln() / 2.0 + series - product.ln()
}

/// `Γ'(x) / Γ(x)`, likewise: ψ(x + 1) = ψ(x) + 1/x, ψ(1 - x) - ψ(x) = π cot(π x). Infinite at 0, NaN at negative integers.
pub fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        return digamma(1.0 - x) - PI * sin_pi(x + 0.5) / sin_pi(x);
    }
    if x.is_nan() || x.is_infinite() {
        return x;
    }
    let (mut far, mut sum) = (x, 0.0);
    while far < FAR {
        sum += 1.0 / far;
        far += 1.0;
    }
    let t = 1.0 / (far * far);
    far.ln() - 0.5 / far - t * polynomial(&DIGAMMA, t) - sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-14 * b.abs().max(1.0)
    }

    #[test]
    fn values() {
        assert!(close(lgamma(0.5), PI.sqrt().ln()));
        assert!(close(lgamma(10.0), 362_880f64.ln()));
        assert!(close(lgamma(-0.5), (2.0 * PI.sqrt()).ln()));
        assert!(close(lgamma(1e-3), 6.907_178_885_383_853_5));
        assert_eq!(lgamma(-3.0), f64::INFINITY);
        assert!(close(digamma(1.0), -0.577_215_664_901_532_9));
        assert!(close(digamma(-0.5), 0.036_489_973_978_576_52));
        assert!(close(digamma(100.0), 4.600_161_852_738_087));
        assert_eq!((sin_pi(3.0), sin_pi(0.5), sin_pi(-1.5)), (0.0, 1.0, 1.0));
    }
}
