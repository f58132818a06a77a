//! Elementary functions to about 90 bits, by series and Newton's method: other ways than those of device math.

use std::f64::consts::{FRAC_2_PI, LOG2_E, SQRT_2};

use super::double::{Double, Exact, split};

const LN_2: Double = Double(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
const LN_10: Double = Double(std::f64::consts::LN_10, -2.170_756_223_382_249_4e-16);
const HALF_PI: Double = Double(std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17);
const HALF_PI_REST: f64 = -1.497_384_904_859_169_8e-33;
const TWO_OVER_ROOT_PI: Double = Double(std::f64::consts::FRAC_2_SQRT_PI, 1.533_545_961_316_588e-17);

fn d(a: f64) -> Double {
    a.into()
}

/// Arguments so small that odd functions with slope 1 are their argument.
const TINY: f64 = 1e-40;

//--- exponentials ---------------------------------------------------------------

/// e^r - 1 for |r| < 0.4
fn expm1_near(r: Double) -> Double {
    let (mut term, mut sum) = (r, r);
    for k in 2..30 {
        term = term * r / d(f64::from(k));
        sum = sum + term;
    }
    sum
}

fn exp_of(x: Double) -> Exact {
    if x.0.is_nan() || x.0.abs() > 1e5 {
        return x.0.exp().into();
    }
    let n = (x.0 * LOG2_E).round();
    Exact { value: expm1_near(x - d(n) * LN_2) + d(1.0), power: n as i32 }
}

/// The same within the range of doubles
fn plain(exact: Exact) -> Double {
    exact.value.scaled(exact.power)
}

pub fn exp(x: f64) -> Exact {
    exp_of(d(x))
}

pub fn exp2(x: f64) -> Exact {
    if x.is_nan() || x.abs() > 1e5 {
        return x.exp2().into();
    }
    let n = x.round();
    Exact { value: expm1_near(d(x - n) * LN_2) + d(1.0), power: n as i32 }
}

fn expm1_of(x: Double) -> Double {
    if x.0.abs() < 0.35 { expm1_near(x) } else { plain(exp_of(x)) - d(1.0) }
}

pub fn expm1(x: f64) -> Exact {
    match x {
        _ if x.abs() < TINY => x.into(),
        _ if x > 70.0 => exp(x),
        _ if x < -200.0 => (-1.0).into(),
        _ => expm1_of(d(x)).into(),
    }
}

//--- logarithms -----------------------------------------------------------------

/// ln(1 + f) for 1 + f near 1: y + ln((1 + f) e^-y), y nearly the result
fn log1p_near(f: Double) -> Double {
    let y = d(f.0.ln_1p());
    let e = expm1_of(-y);
    let rest = f + e + f * e;
    y + rest - rest * rest / d(2.0)
}

/// x as e and m - 1, `x = m 2^e`, m near 1
fn parts(x: Double) -> (f64, Double) {
    let (m, e) = split(x.0);
    let e = if m > SQRT_2 { e + 1 } else { e };
    (f64::from(e), x.scaled(-e) - d(1.0))
}

fn log_of(x: Double) -> Double {
    let (e, f) = parts(x);
    d(e) * LN_2 + log1p_near(f)
}

fn log_domain(x: f64, inside: impl Fn(Double) -> Double) -> Exact {
    if x > 0.0 && x.is_finite() { inside(d(x)).into() } else { x.ln().into() }
}

pub fn log(x: f64) -> Exact {
    log_domain(x, log_of)
}

pub fn log2(x: f64) -> Exact {
    log_domain(x, |x| {
        let (e, f) = parts(x);
        d(e) + log1p_near(f) / LN_2
    })
}

pub fn log10(x: f64) -> Exact {
    log_domain(x, |x| log_of(x) / LN_10)
}

fn log1p_of(x: Double) -> Double {
    if (-0.29..0.41).contains(&x.0) { log1p_near(x) } else { log_of(x + d(1.0)) }
}

pub fn log1p(x: f64) -> Exact {
    match x {
        _ if x.abs() < TINY => x.into(),
        _ if x > -1.0 && x < 1e200 => log1p_of(d(x)).into(),
        _ if x > 0.0 => log(x),
        _ => x.ln_1p().into(),
    }
}

//--- hyperbolic functions ---------------------------------------------------------

pub fn sinh(x: f64) -> Exact {
    let a = x.abs();
    if a < TINY || !x.is_finite() {
        return x.into();
    }
    let Exact { value, power } = if a > 40.0 {
        let e = exp(a);
        Exact { power: e.power - 1, ..e }
    } else {
        let e = expm1_of(d(a));
        ((e + e / (e + d(1.0))) / d(2.0)).into()
    };
    Exact { value: if x < 0.0 { -value } else { value }, power }
}

pub fn cosh(x: f64) -> Exact {
    if x.abs() > 40.0 || x.is_nan() {
        let e = exp(x.abs());
        return Exact { power: e.power - 1, ..e };
    }
    let e = plain(exp(x));
    ((e + d(1.0) / e) / d(2.0)).into()
}

pub fn tanh(x: f64) -> Exact {
    match x {
        _ if x.abs() < TINY || x.is_nan() => x.into(),
        _ if x.abs() > 300.0 => x.signum().into(),
        _ => {
            let e = expm1_of(d(2.0 * x));
            (e / (e + d(2.0))).into()
        }
    }
}

fn with_sign(value: Double, x: f64) -> Exact {
    if x < 0.0 { (-value).into() } else { value.into() }
}

pub fn asinh(x: f64) -> Exact {
    let a = d(x.abs());
    match x.abs() {
        size if size < TINY || !x.is_finite() => x.into(),
        size if size > 1e100 => with_sign(log_of(a) + LN_2, x),
        _ => with_sign(log1p_of(a + a * a / (d(1.0) + (a * a + d(1.0)).sqrt())), x),
    }
}

pub fn acosh(x: f64) -> Exact {
    match x {
        _ if x.is_nan() || x < 1.0 => f64::NAN.into(),
        _ if x == f64::INFINITY => x.into(),
        1.0 => 0.0.into(),
        _ if x > 1e100 => (log_of(d(x)) + LN_2).into(),
        _ => {
            let t = d(x) - d(1.0);
            log1p_of(t + (t * (t + d(2.0))).sqrt()).into()
        }
    }
}

pub fn atanh(x: f64) -> Exact {
    let a = d(x.abs());
    match x.abs() {
        size if size.is_nan() || size > 1.0 => f64::NAN.into(),
        1.0 => (f64::INFINITY * x).into(),
        size if size < TINY => x.into(),
        _ => with_sign(log1p_of((a + a) / (d(1.0) - a)) / d(2.0), x),
    }
}

//--- trigonometry -------------------------------------------------------------------

/// Angles up to which [`sin_cos`] is right.
pub const LARGE: f64 = 3e7;

/// sin r and cos r for |r| < 0.8
fn sin_cos_near(r: Double) -> (Double, Double) {
    let z = -(r * r);
    let (mut term, mut sin, mut cos) = (d(1.0), d(0.0), d(0.0));
    for k in 0..30 {
        if k % 2 == 0 {
            cos = cos + term;
            term = term / d(f64::from(k + 1));
            sin = sin + term;
        } else {
            term = term * z / d(f64::from(k + 1));
        }
    }
    (sin * r, cos)
}

fn sin_cos(x: f64) -> (Double, Double) {
    let n = (x * FRAC_2_PI).round();
    let r = d(x) - d(n) * d(HALF_PI.0) - d(n) * d(HALF_PI.1) - d(n) * d(HALF_PI_REST);
    let (sin, cos) = sin_cos_near(r);
    match n.rem_euclid(4.0) as i32 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

fn angle(x: f64, library: fn(f64) -> f64, of: impl Fn((Double, Double)) -> Double) -> Exact {
    if x.abs() < LARGE { of(sin_cos(x)).into() } else { library(x).into() }
}

pub fn sin(x: f64) -> Exact {
    if x.abs() < TINY { x.into() } else { angle(x, f64::sin, |(sin, _)| sin) }
}

pub fn cos(x: f64) -> Exact {
    angle(x, f64::cos, |(_, cos)| cos)
}

pub fn tan(x: f64) -> Exact {
    if x.abs() < TINY { x.into() } else { angle(x, f64::tan, |(sin, cos)| sin / cos) }
}

/// atan t for 0 <= t <= 1: y + atan((t - tan y) / (1 + t tan y)), y nearly the result
fn atan_near(t: Double) -> Double {
    let y = t.0.atan();
    let (sin, cos) = sin_cos_near(d(y));
    d(y) + (t * cos - sin) / (cos + t * sin)
}

/// The angle of a point with y >= 0, x >= 0
fn atan_of(y: Double, x: Double) -> Double {
    if y.0 <= x.0 { atan_near(y / x) } else { HALF_PI - atan_near(x / y) }
}

pub fn atan(x: f64) -> Exact {
    match x.abs() {
        a if a < TINY || x.is_nan() => x.into(),
        a if a > 1e200 => with_sign(HALF_PI, x),
        a => with_sign(atan_of(d(a), d(1.0)), x),
    }
}

/// The distance of x from the circle's axis, sqrt(1 - x^2)
fn beside(x: f64) -> Double {
    ((d(1.0) - d(x)) * (d(1.0) + d(x))).sqrt()
}

pub fn asin(x: f64) -> Exact {
    match x.abs() {
        a if a.is_nan() || a > 1.0 => f64::NAN.into(),
        a if a < TINY => x.into(),
        a => with_sign(atan_of(d(a), beside(a)), x),
    }
}

pub fn acos(x: f64) -> Exact {
    let a = x.abs();
    if a.is_nan() || a > 1.0 {
        return f64::NAN.into();
    }
    let of_size = atan_of(beside(a), d(a));
    if x < 0.0 { (HALF_PI + HALF_PI - of_size).into() } else { of_size.into() }
}

pub fn atan2(y: f64, x: f64) -> Exact {
    if !(x.is_finite() && y.is_finite()) || x == 0.0 || y == 0.0 {
        let (bits, exact) = (y.atan2(x), [0.0, 1.0, 2.0, 3.0, 4.0].map(|k| HALF_PI * d(k / 2.0)));
        let near = exact.into_iter().find(|angle| (angle.0 - bits.abs()).abs() < 1e-9);
        let near = near.unwrap_or(if bits.is_nan() { bits.into() } else { (HALF_PI + HALF_PI) * d(0.75) });
        return if bits == 0.0 { bits.into() } else { with_sign(near, y.signum()) };
    }
    let ((my, py), (mx, px)) = (split(y.abs()), split(x.abs()));
    let power = py - px;
    let value = match power {
        _ if power < -200 && x > 0.0 => {
            let value = d(my) / d(mx);
            return Exact { value: if y < 0.0 { -value } else { value }, power };
        }
        _ if power < -200 => d(0.0),
        _ if power > 200 => HALF_PI,
        _ => atan_of(d(my).scaled(power), d(mx)),
    };
    with_sign(if x < 0.0 { HALF_PI + HALF_PI - value } else { value }, y)
}

//--- others -----------------------------------------------------------------------------

/// erf a = 2/sqrt(pi) e^(-a^2) (a + 2 a^3 / 3 + 4 a^5 / (3 5) + ..), 0 <= a <= 6
fn erf_positive(a: f64) -> Double {
    let square = d(a) * d(a);
    let (mut term, mut sum) = (d(a), d(a));
    for k in 1..300 {
        term = term * square * d(2.0) / d(f64::from(2 * k + 1));
        sum = sum + term;
        if term.0 < sum.0 * 1e-33 {
            break;
        }
    }
    TWO_OVER_ROOT_PI * plain(exp_of(-square)) * sum
}

pub fn erf(x: f64) -> Exact {
    match x.abs() {
        0.0 => x.into(),
        a if a < TINY => Exact { value: TWO_OVER_ROOT_PI * d(split(x).0), power: split(x).1 },
        a if a > 6.0 => x.signum().into(),
        a if a.is_nan() => x.into(),
        a => with_sign(erf_positive(a), x),
    }
}

/// For large x by the continued fraction e^(-x^2) / sqrt(pi) / (x + 1/2 / (x + 1 / (x + 3/2 / ..)))
pub fn erfc(x: f64) -> Exact {
    match x {
        _ if x.is_nan() => x.into(),
        _ if x < -6.0 => 2.0.into(),
        _ if x < 2.5 => {
            let erf = erf_positive(x.abs());
            (if x < 0.0 { d(1.0) + erf } else { d(1.0) - erf }).into()
        }
        _ if x > 30.0 => Exact { value: d(1.0), power: -2000 },
        _ => {
            let fraction = (1..200).rev().fold(d(x), |rest, k| d(x) + d(f64::from(k) / 2.0) / rest);
            let e = exp_of(-(d(x) * d(x)));
            Exact { value: e.value * TWO_OVER_ROOT_PI / d(2.0) / fraction, power: e.power }
        }
    }
}

pub fn rsqrt(x: f64) -> Exact {
    if x > 0.0 && x.is_finite() {
        let (m, e) = split(x);
        let (m, e) = if e % 2 == 0 { (m, e) } else { (2.0 * m, e - 1) };
        return Exact { value: d(1.0) / d(m).sqrt(), power: -e / 2 };
    }
    (1.0 / x.sqrt()).into()
}

pub fn cbrt(x: f64) -> Exact {
    if x == 0.0 || !x.is_finite() {
        return x.into();
    }
    let (m, e) = split(x);
    let (m, e) = (m * 2f64.powi(e.rem_euclid(3)), e.div_euclid(3));
    let y = d(m.cbrt());
    Exact { value: y + (d(m) - y * y * y) / (d(3.0) * y * y), power: e }
}

pub fn pow(x: f64, y: f64) -> Exact {
    if y == 0.0 {
        return 1.0.into(); // glibc gives NaN for signalling NaN
    }
    let library = x.powf(y);
    if x == 0.0 || !x.is_finite() || !y.is_finite() || library.is_nan() || x.abs() == 1.0 {
        return library.into();
    }
    let exact = match x.abs().ln() * y {
        large if large > 1e4 => f64::INFINITY.into(),
        small if small < -1e4 => Exact { value: d(1.0), power: -20_000 },
        _ => exp_of(log_of(d(x.abs())) * d(y)),
    };
    let is_odd = x < 0.0 && y.abs() < 2f64.powi(53) && y % 2.0 != 0.0;
    Exact { value: if is_odd { -exact.value } else { exact.value }, ..exact }
}
