//! Numbers as sums of two doubles (106 bits), and scaled by a power of two: what device math is measured against.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `.0 + .1`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Double(pub f64, pub f64);

fn two_sum(a: f64, b: f64) -> Double {
    let sum = a + b;
    let back = sum - a;
    Double(sum, (a - (sum - back)) + (b - back))
}

fn two_product(a: f64, b: f64) -> Double {
    let product = a * b;
    Double(product, a.mul_add(b, -product))
}

impl From<f64> for Double {
    fn from(a: f64) -> Self {
        Self(a, 0.0)
    }
}

impl Double {
    pub fn sqrt(self) -> Self {
        if self.0 <= 0.0 {
            return Self(self.0.sqrt(), 0.0);
        }
        let root = self.0.sqrt();
        let rest = self - two_product(root, root);
        Self::from(root) + rest / Self::from(2.0 * root)
    }
    /// times a power of two, which must leave a normal number
    pub fn scaled(self, power: i32) -> Self {
        let half = 2f64.powi(power / 2);
        let other = 2f64.powi(power - power / 2);
        Self(self.0 * half * other, self.1 * half * other)
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.0, other.0), two_sum(self.1, other.1));
        let sum = two_sum(high.0, high.1 + low.0);
        two_sum(sum.0, sum.1 + low.1)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.0, other.0);
        two_sum(product.0, product.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let rest = self - Self::from(first) * other;
        let second = rest.0 / other.0;
        let rest = rest - Self::from(second) * other;
        two_sum(first, second) + Self::from(rest.0 / other.0)
    }
}

/// `value * 2^power`, for results that doubles hold with few bits or not at all
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub value: Double,
    pub power: i32,
}

impl From<Double> for Exact {
    fn from(value: Double) -> Self {
        Self { value, power: 0 }
    }
}

impl From<f64> for Exact {
    fn from(value: f64) -> Self {
        Double::from(value).into()
    }
}

/// A type's precision and range of exponents
#[derive(Clone, Copy)]
pub struct Format {
    pub digits: i32,
    pub least: i32,
    pub most: i32,
}

pub const SINGLE: Format = Format { digits: 24, least: -126, most: 127 };
pub const DOUBLE: Format = Format { digits: 53, least: -1022, most: 1023 };

/// `a = m 2^e`, 1 <= |m| < 2
pub fn split(a: f64) -> (f64, i32) {
    if a == 0.0 || !a.is_finite() {
        return (a, 0);
    }
    let (a, extra) = if a.abs() < f64::MIN_POSITIVE { (a * 2f64.powi(64), -64) } else { (a, 0) };
    let exponent = ((a.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    (a / 2f64.powi(exponent), exponent + extra)
}

/// The distance of a result from the exact one, in units in the last place of the exact one.
pub fn error(result: f64, exact: Exact, format: Format) -> f64 {
    let value = exact.value;
    if value.0.is_nan() {
        return if result.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if value.0 == 0.0 || value.0.is_infinite() {
        let is_same = result == value.0 && (value.0 != 0.0 || result.is_sign_negative() == value.0.is_sign_negative());
        return if is_same { 0.0 } else { f64::INFINITY };
    }
    let (_, exponent) = split(value.0);
    let exponent = exponent + exact.power;
    if result.is_infinite() {
        // what rounds to beyond the largest number
        let largest = 2.0 - 2f64.powi(-format.digits);
        let is_beyond = exponent > format.most || (exponent == format.most && split(value.0).0.abs() >= largest * (1.0 - 1e-15));
        return if is_beyond && result.signum() == value.0.signum() { 0.0 } else { f64::INFINITY };
    }
    // everything in units of the last place
    let unit = exponent.max(format.least) - (format.digits - 1);
    let high = times_power(value.0, exact.power - unit);
    let low = times_power(value.1, exact.power - unit);
    ((times_power(result, -unit) - high) - low).abs()
}

/// `a * 2^power`
fn times_power(mut a: f64, mut power: i32) -> f64 {
    while power.abs() > 1000 && a != 0.0 && a.is_finite() {
        let step = 1000 * power.signum();
        a *= 2f64.powi(step);
        power -= step;
    }
    if power.abs() > 1000 { a } else { a * 2f64.powi(power) }
}
