//! The error functions and their inverses.

use std::f64::consts::{PI, SQRT_2};

use super::invert_increasing;

/// Where the series gives way to the continued fraction.
const MIDDLE: f64 = 2.0;

/// `erf x = 2/√π e^(-x²) Σ 2^n x^(2n+1) / (2n+1)!!` (DLMF 7.6.2), in which nothing cancels.
fn series(x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > sum.abs() * 1e-18 {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// `√π e^(x²) erfc x = 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ..))))` (DLMF 7.9.1), for x >= 2 from its 200th step.
fn fraction(x: f64) -> f64 {
    let tail = (1..=200).rev().fold(x, |tail, k| x + f64::from(k) / 2.0 / tail);
    1.0 / (tail * PI.sqrt())
}

/// `e^(-x²)` with the rounding error of the square corrected.
fn gauss(x: f64) -> f64 {
    let square = x * x;
    let rest = x.mul_add(x, -square);
    (-square).exp() * (-rest).exp()
}

/// `2/√π ∫_0^x e^(-t²) dt`
pub fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() < MIDDLE { series(x) } else { (1.0 - erfc(x.abs())).copysign(x) }
}

/// `1 - erf x`
pub fn erfc(x: f64) -> f64 {
    match x {
        x if x.is_nan() => x,
        x if x > 30.0 => 0.0,
        x if x >= 0.5 => gauss(x) * erfcx(x),
        x if x > -MIDDLE => 1.0 - series(x),
        x => 2.0 - erfc(-x),
    }
}

/// `e^(x²) erfc x`
pub fn erfcx(x: f64) -> f64 {
    match x {
        x if x.is_nan() => x,
        x if x == f64::INFINITY => 0.0,
        x if x >= MIDDLE => fraction(x),
        // f' = 2 x f - 2/√π, from the fraction at a point to the right, by Taylor's series
        x if x >= 0.5 => left_of_middle(x),
        x if x >= 0.0 => (1.0 - series(x)) / gauss(x),
        x if x < -27.0 => f64::INFINITY,
        x => 2.0 / gauss(x) - erfcx(-x),
    }
}

/// `erfcx` by Taylor's series around 2: with f' = 2 x f - 2/√π, f^(n+1) = 2 x f^(n) + 2 n f^(n-1).
fn left_of_middle(x: f64) -> f64 {
    let mut point = MIDDLE;
    let mut value = fraction(point);
    while point > x {
        let step = (x - point).max(-0.25);
        let mut before = value;
        let mut derivative = 2.0 * point * value - 2.0 / PI.sqrt();
        let mut power = step;
        let mut sum = value + derivative * power;
        for n in 1..30 {
            let next = 2.0 * point * derivative + 2.0 * f64::from(n) * before;
            (before, derivative) = (derivative, next);
            power *= step / f64::from(n + 1);
            sum += derivative * power;
        }
        (point, value) = (point + step, sum);
    }
    value
}

/// y with erf y = x.
pub fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    match size {
        size if size > 1.0 || size.is_nan() => f64::NAN,
        1.0 => f64::INFINITY.copysign(x),
        0.0 => x,
        size if size < 0.5 => invert_increasing(erf, size, 1.0).copysign(x),
        // 1 - size is exact
        size => invert_increasing(|y| -erfc(y), size - 1.0, 30.0).copysign(x),
    }
}

/// y with erfc(-y / √2) / 2 = p.
pub fn ndtri(p: f64) -> f64 {
    match p {
        p if !(0.0..=1.0).contains(&p) => f64::NAN,
        0.0 => f64::NEG_INFINITY,
        1.0 => f64::INFINITY,
        p if p < 0.25 => -SQRT_2 * invert_increasing(|y| -erfc(y), -2.0 * p, 30.0),
        p if p > 0.75 => -ndtri(1.0 - p),
        p => SQRT_2 * erfinv(2.0 * p - 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 4e-15 * b.abs()
    }

    /// Values of DLMF and of Wolfram's tables, to 16 digits.
    #[test]
    fn values() {
        assert!(close(erf(0.5), 0.520_499_877_813_046_5));
        assert!(close(erf(2.0), 0.995_322_265_018_952_7));
        assert!(close(erfc(0.5), 0.479_500_122_186_953_5));
        assert!(close(erfc(1.0), 0.157_299_207_050_285_13), "{:e}", erfc(1.0));
        assert!(close(erfc(3.0), 2.209_049_699_858_544e-5));
        assert!(close(erfc(10.0), 2.088_487_583_762_545e-45));
        assert!(close(erfc(-1.0), 1.842_700_792_949_714_9));
        assert!(close(erfcx(1.0), 0.427_583_576_155_807));
        assert!(close(erfcx(-1.0), 5.008_980_080_762_283));
        assert!(close(erfcx(100.0), 0.005_641_613_782_989_433));
    }

    #[test]
    fn inverses() {
        for y in [1e-300, 1e-9, 0.1, 0.4, 0.7, 1.0, 2.0, 3.5] {
            let x = erf(y);
            assert!((erf(erfinv(x)) - x).abs() <= 2e-15 * x, "{y}");
            assert!(close(erfinv(-x), -erfinv(x)));
        }
        assert!(close(ndtri(0.975), 1.959_963_984_540_054));
        assert!(close(ndtri(1e-10), -6.361_340_902_404_056));
        assert_eq!(ndtri(0.5), 0.0);
    }
}
