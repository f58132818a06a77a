//! Bessel functions of orders 0 and 1, and the Airy function Ai.

use std::f64::consts::{FRAC_PI_4, PI};

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// Where Hankel's and the other asymptotic series are exact to double precision: their least term is below e^(-2x).
const FAR: f64 = 25.0;

/// `Σ_k (±1)^k (x/2)^(2k+n) / (k! (n+k)!)` (DLMF 10.2.2, 10.25.2).
fn series(n: usize, x: f64, sign: f64) -> f64 {
    let mut term = (1..=n).fold(1.0, |term, k| term * (x / 2.0) / k as f64);
    let (mut sum, mut k) = (term, 0.0);
    while term != 0.0 && term.abs() > sum.abs() * 1e-18 {
        k += 1.0;
        term *= sign * (x / 2.0) * (x / 2.0) / (k * (k + n as f64));
        sum += term;
    }
    sum
}

/// `J_0(x), J_1(x) ..` for 0 <= x < FAR by Miller's algorithm (DLMF 3.6(ii)): the recurrence from a high order down,
/// normalized by J_0 + 2 Σ J_2k = 1. Below 2, where nothing cancels, by their series.
fn orders(x: f64) -> Vec<f64> {
    if x < 2.0 {
        return (0..40).map(|n| series(n, x, -1.0)).collect();
    }
    let top = 2 * (x as usize / 2 + 40);
    let mut values = vec![0.0; top + 2];
    values[top] = 1e-200;
    for n in (1..=top).rev() {
        values[n - 1] = 2.0 * n as f64 / x * values[n] - values[n + 1];
    }
    let total = values[0] + 2.0 * values.iter().skip(2).step_by(2).sum::<f64>();
    values.iter().map(|value| value / total).collect()
}

/// Hankel's expansions (DLMF 10.17.3, 10.17.4): `√(2/(πx)) (P cos ω - Q sin ω)` and `√(2/(πx)) (P sin ω + Q cos ω)` with
/// ω = x - nπ/2 - π/4.
fn hankel(n: usize, x: f64) -> (f64, f64) {
    let (mut p, mut q, mut term) = (0.0, 0.0, 1.0f64);
    for k in 0..60 {
        let sign = if k / 2 % 2 == 0 { 1.0 } else { -1.0 };
        *(if k % 2 == 0 { &mut p } else { &mut q }) += sign * term;
        let odd = (2 * k + 1) as f64;
        let next = term * (4.0 * (n * n) as f64 - odd * odd) / ((k + 1) as f64 * 8.0 * x);
        if next.abs() >= term.abs() {
            break;
        }
        term = next;
    }
    // cos and sin of x - π/4 from those of x, exactly reduced; nπ/2 turns them
    let (sin, cos) = x.sin_cos();
    let (sin, cos) = ((sin - cos) / 2f64.sqrt(), (cos + sin) / 2f64.sqrt());
    let (sin, cos) = if n == 0 { (sin, cos) } else { (-cos, sin) };
    let scale = (2.0 / (PI * x)).sqrt();
    (scale * (p * cos - q * sin), scale * (p * sin + q * cos))
}

fn bessel_j(n: usize, x: f64) -> f64 {
    match x.abs() {
        size if size.is_nan() || size.is_infinite() => f64::NAN,
        size if size < FAR => orders(size)[n],
        size => hankel(n, size).0,
    }
}

/// `J_0(x)`; NaN of infinities, as in PyTorch.
pub fn bessel_j0(x: f64) -> f64 {
    bessel_j(0, x)
}

/// `J_1(x)`
pub fn bessel_j1(x: f64) -> f64 {
    if x < 0.0 { -bessel_j(1, x) } else { bessel_j(1, x) }
}

fn sign(k: usize) -> f64 {
    if k.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// `Y_0(x) = 2/π (ln(x/2) + γ) J_0 - 4/π Σ (-1)^k J_2k / k` (DLMF 10.23.15 with n = 0; AMS55 9.1.88).
pub fn bessel_y0(x: f64) -> f64 {
    match x {
        0.0 => f64::NEG_INFINITY,
        x if !(x > 0.0 && x.is_finite()) => f64::NAN,
        x if x < FAR => {
            let j = orders(x);
            let sum: f64 = (1..j.len().div_ceil(2)).map(|k| sign(k) * j[2 * k] / k as f64).sum();
            2.0 / PI * ((x / 2.0).ln() + EULER) * j[0] - 4.0 / PI * sum
        }
        x => hankel(0, x).1,
    }
}

/// `Y_1(x) = -2/(πx) J_0 + 2/π (ln(x/2) + γ - 1) J_1 - 2/π Σ (-1)^k (2k+1) / (k(k+1)) J_2k+1` (AMS55 9.1.88).
pub fn bessel_y1(x: f64) -> f64 {
    match x {
        0.0 => f64::NEG_INFINITY,
        x if !(x > 0.0 && x.is_finite()) => f64::NAN,
        x if x < FAR => {
            let j = orders(x);
            let term = |k: usize| sign(k) * (2 * k + 1) as f64 / (k * (k + 1)) as f64 * j[2 * k + 1];
            let sum: f64 = (1..j.len() / 2).map(term).sum();
            -2.0 / (PI * x) * j[0] + 2.0 / PI * ((x / 2.0).ln() + EULER - 1.0) * j[1] - 2.0 / PI * sum
        }
        x => hankel(1, x).1,
    }
}

/// `e^(-x) I_n(x)` for x >= 0: the series, or the expansion DLMF 10.40.1.
fn scaled_i(n: usize, x: f64) -> f64 {
    if x < FAR {
        return (-x).exp() * series(n, x, 1.0);
    }
    let (mut sum, mut term) = (0.0, 1.0f64);
    for k in 0..60 {
        sum += term;
        let odd = f64::from(2 * k + 1);
        let next = -term * (4.0 * (n * n) as f64 - odd * odd) / (f64::from(k + 1) * 8.0 * x);
        if next.abs() >= term.abs() {
            break;
        }
        term = next;
    }
    // 2πx may overflow
    sum / (2.0 * PI).sqrt() / x.sqrt()
}

/// `e^(-|x|) I_0(x)`
pub fn bessel_i0e(x: f64) -> f64 {
    if x.is_nan() { x } else { scaled_i(0, x.abs()) }
}

/// `e^(-|x|) I_1(x)`
pub fn bessel_i1e(x: f64) -> f64 {
    if x.is_nan() { x } else { scaled_i(1, x.abs()).copysign(x) }
}

/// `I_0(x)`
pub fn bessel_i0(x: f64) -> f64 {
    grown(bessel_i0e(x), x)
}

/// `I_1(x)`
pub fn bessel_i1(x: f64) -> f64 {
    grown(bessel_i1e(x), x)
}

/// `value e^|x|`, where the power alone may overflow; 0 ∞ = NaN at infinity, as in PyTorch.
fn grown(value: f64, x: f64) -> f64 {
    let half = (x.abs() / 2.0).exp();
    value * half * half
}

/// `e^x K_ν(x) = ∫_0^∞ e^(-x (cosh t - 1)) cosh(νt) dt` (DLMF 10.32.9) for x > 0. The trapezoidal rule converges
/// exponentially; its step follows the width 1/√x of the integrand.
fn scaled_k(order: f64, x: f64) -> f64 {
    let step = (0.5 / x.sqrt()).min(0.0625);
    let integrand = |t: f64| {
        let half = (t / 2.0).sinh();
        (-2.0 * x * half * half).exp() * (order * t).cosh()
    };
    let mut sum = 0.5;
    for i in 1.. {
        let term = integrand(f64::from(i) * step);
        sum += term;
        if term.is_nan() || term < sum * 1e-18 {
            break;
        }
    }
    sum * step
}

/// `e^x K_n(x)`: infinite at 0, NaN below.
fn scaled_k_anywhere(order: f64, x: f64) -> f64 {
    match x {
        0.0 => f64::INFINITY,
        f64::INFINITY => 0.0,
        x if x > 0.0 => scaled_k(order, x),
        _ => f64::NAN,
    }
}

/// `e^x K_0(x)`
pub fn bessel_k0e(x: f64) -> f64 {
    scaled_k_anywhere(0.0, x)
}

/// `e^x K_1(x)`
pub fn bessel_k1e(x: f64) -> f64 {
    // DLMF 10.30.2
    if x > 0.0 && x < 1e-9 { x.exp() / x } else { scaled_k_anywhere(1.0, x) }
}

/// `K_0(x)`
pub fn bessel_k0(x: f64) -> f64 {
    bessel_k0e(x) * (-x).exp()
}

/// `K_1(x)`
pub fn bessel_k1(x: f64) -> f64 {
    bessel_k1e(x) * (-x).exp()
}

/// `Ai(x)`: `√(x/3) K_⅓(ζ) / π` with ζ = ⅔ x^(3/2) (DLMF 9.6.2) from 1 on, the expansion DLMF 9.7.9 below -10, the
/// differential equation between. NaN of infinities, as in PyTorch.
pub fn airy_ai(x: f64) -> f64 {
    match x {
        x if !x.is_finite() => f64::NAN,
        x if x >= 1.0 => {
            let zeta = 2.0 / 3.0 * x * x.sqrt();
            (x / 3.0).sqrt() / PI * scaled_k(1.0 / 3.0, zeta) * (-zeta).exp()
        }
        x if x > -10.0 => airy_near(x),
        x => airy_oscillating(-x),
    }
}

/// `y'' = x y` from Ai(0), Ai'(0) by Taylor's series in steps of at most 1/2:
/// y^(n+2) = x y^(n) + n y^(n-1).
fn airy_near(x: f64) -> f64 {
    let (mut point, mut value, mut slope) = (0.0, 0.355_028_053_887_817_2, -0.258_819_403_792_806_8);
    while point != x {
        let step = (x - point).clamp(-0.5, 0.5);
        // Taylor's coefficients a_n = y^(n) / n!
        let mut a = vec![value, slope, point * value / 2.0];
        for n in 1..40 {
            a.push((point * a[n] + a[n - 1]) / ((n + 1) * (n + 2)) as f64);
        }
        value = a.iter().rev().fold(0.0, |sum, a| sum * step + a);
        slope = (1..a.len()).rev().fold(0.0, |sum, n| sum * step + n as f64 * a[n]);
        point = if (x - point).abs() <= 0.5 { x } else { point + step };
    }
    value
}

/// `Ai(-z) = (cos(ζ - π/4) Σ (-1)^k u_2k / ζ^2k + sin(ζ - π/4) Σ (-1)^k u_2k+1 / ζ^(2k+1)) / (√π z^¼)`.
fn airy_oscillating(z: f64) -> f64 {
    let zeta = 2.0 / 3.0 * z * z.sqrt();
    let (mut even, mut odd, mut term) = (0.0, 0.0, 1.0f64);
    for k in 0..60 {
        *(if k % 2 == 0 { &mut even } else { &mut odd }) += if k / 2 % 2 == 0 { term } else { -term };
        let m = f64::from(k + 1);
        let next = term * (6.0 * m - 5.0) * (6.0 * m - 3.0) * (6.0 * m - 1.0) / ((2.0 * m - 1.0) * 216.0 * m * zeta);
        if next.abs() >= term.abs() {
            break;
        }
        term = next;
    }
    let phase = zeta - FRAC_PI_4;
    (phase.cos() * even + phase.sin() * odd) / (PI.sqrt() * z.sqrt().sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Near zeros of oscillating functions the error is absolute.
    fn check(f: fn(f64) -> f64, values: &[(f64, f64)]) {
        for (x, y) in values {
            assert!((f(*x) - y).abs() <= 2e-14 * y.abs().max(0.05), "{x}: {:e}, expected {y:e}", f(*x));
        }
    }

    /// Values of mpmath.
    #[test]
    fn values() {
        check(
            bessel_j0,
            &[
                (0.0, 1.0),
                (1.0, 0.76519768655796655),
                (7.3, 0.2882169476350144),
                (24.9, 0.08324596835301549),
                (25.1, 0.10827567149994945),
                (300.5, -0.013949560021080597),
                (-3.0, -0.26005195490193344),
            ],
        );
        check(
            bessel_j1,
            &[
                (0.001, 0.00049999993750000261),
                (1.9, 0.58115707271343407),
                (2.1, 0.56829213575703866),
                (24.9, -0.13485569953140887),
                (25.1, -0.11463478413442257),
                (300.5, -0.043886032876828355),
                (-3.0, -0.33905895852593646),
            ],
        );
        check(
            bessel_y0,
            &[
                (1e-05, -7.4031602837019701),
                (1.0, 0.088256964215676958),
                (1.99, 0.50927712019200982),
                (2.01, 0.51141783604726119),
                (14.2, 0.1575420894707643),
                (24.9, -0.13649918399676524),
                (25.1, -0.11676770763803695),
                (300.5, -0.043862761641797781),
            ],
        );
        check(
            bessel_y1,
            &[
                (1e-05, -63661.97727536548),
                (1.0, -0.78121282130028872),
                (1.99, -0.1126814084217741),
                (2.01, -0.10140362210171799),
                (14.2, -0.1359158741906962),
                (24.9, -0.086002557595554252),
                (25.1, -0.11062223322783099),
                (300.5, 0.013876596568302083),
            ],
        );
        check(
            bessel_i0e,
            &[
                (0.0, 1.0),
                (0.5, 0.64503527044915007),
                (24.9, 0.080359332611532214),
                (25.1, 0.080035197254296236),
                (10000.0, 0.0039894726746047321),
            ],
        );
        check(
            bessel_i1e,
            &[(0.5, 0.1564208031848717), (24.9, 0.078728794882103129), (25.1, 0.078424315178368414), (-10000.0, -0.0039892731959836623)],
        );
        check(bessel_i0, &[(3.0, 4.8807925858650241), (100.0, 1.0737517071310738e+42)]);
        check(bessel_i1, &[(-3.0, -3.9533702174026094), (100.0, 1.0683693903381625e+42)]);
        check(
            bessel_k0e,
            &[
                (1e-300, 690.89145941387212),
                (0.001, 7.0307160023782515),
                (1.0, 1.144463079806895),
                (30.0, 0.22788666561625373),
                (1000000.0, 0.0012533139806513212),
            ],
        );
        check(
            bessel_k1e,
            &[
                (1e-10, 10000000001.0),
                (0.001, 1000.9967345590684),
                (1.0, 1.6361534862632582),
                (30.0, 0.2316541293777118),
                (1000000.0, 0.0012533146073081549),
            ],
        );
        check(bessel_k0, &[(2.0, 0.11389387274953344), (600.0, 1.3558285309948524e-262)]);
        check(bessel_k1, &[(2.0, 0.13986588181652243), (600.0, 1.3569579181128061e-262)]);
        check(
            airy_ai,
            &[
                (0.0, 0.35502805388781724),
                (0.7, 0.18916240039815008),
                (1.0, 0.13529241631288142),
                (1.5, 0.07174949700810541),
                (20.0, 1.6916728686705403e-27),
                (-0.3, 0.43090309528558086),
                (-3.3, -0.41718093737455014),
                (-9.99, 0.050182117162139801),
                (-10.01, 0.03026012358586105),
                (-200.25, -0.14446147932826566),
            ],
        );
    }

    #[test]
    fn ends() {
        assert_eq!((bessel_y0(0.0), bessel_k1(0.0), bessel_k0(f64::INFINITY)), (f64::NEG_INFINITY, f64::INFINITY, 0.0));
        assert_eq!((bessel_i0(800.0), bessel_i1(-800.0)), (f64::INFINITY, f64::NEG_INFINITY));
        assert!(bessel_y1(-1.0).is_nan() && bessel_k0e(-1.0).is_nan() && bessel_j0(f64::INFINITY).is_nan());
    }
}
