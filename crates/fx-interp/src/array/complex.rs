//! Complex arithmetic and elementary functions, in double precision.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A complex number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Complex { re, im: 0.0 }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex::new(self.re - other.re, self.im - other.im)
    }
}
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}
impl Mul<f64> for Complex {
    type Output = Complex;
    fn mul(self, factor: f64) -> Complex {
        Complex::new(self.re * factor, self.im * factor)
    }
}
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}
impl Div for Complex {
    type Output = Complex;
    /// Smith, Algorithm 116, Comm. ACM 5 (1962): no overflow by squares.
    fn div(self, other: Complex) -> Complex {
        if other.re.abs() >= other.im.abs() {
            if other.re == 0.0 && other.im == 0.0 {
                return Complex::new(self.re / other.re.abs(), self.im / other.re.abs());
            }
            let ratio = other.im / other.re;
            let scale = other.re + other.im * ratio;
            Complex::new((self.re + self.im * ratio) / scale, (self.im - self.re * ratio) / scale)
        } else {
            let ratio = other.re / other.im;
            let scale = other.re * ratio + other.im;
            Complex::new((self.re * ratio + self.im) / scale, (self.im * ratio - self.re) / scale)
        }
    }
}

impl Complex {
    /// 1
    pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };
    /// i
    pub const I: Complex = Complex { re: 0.0, im: 1.0 };

    /// `re + i im`
    pub fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }

    /// `r e^(i phi)`
    pub fn polar(r: f64, phi: f64) -> Self {
        Complex::new(r * phi.cos(), r * phi.sin())
    }

    /// The modulus.
    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// The argument, in [-π, π].
    pub fn arg(self) -> f64 {
        self.im.atan2(self.re)
    }

    /// The conjugate.
    #[must_use]
    pub fn conj(self) -> Complex {
        Complex::new(self.re, -self.im)
    }

    /// Whether a part is NaN.
    pub fn is_nan(self) -> bool {
        self.re.is_nan() || self.im.is_nan()
    }

    /// i z, exactly.
    fn turned(self) -> Complex {
        Complex::new(-self.im, self.re)
    }

    /// -i z, exactly.
    fn turned_back(self) -> Complex {
        Complex::new(self.im, -self.re)
    }

    /// `1 / z`
    #[must_use]
    pub fn recip(self) -> Complex {
        Complex::ONE / self
    }

    /// `e^z`
    #[must_use]
    pub fn exp(self) -> Complex {
        let r = self.re.exp();
        if self.im == 0.0 {
            return Complex::new(r, self.im);
        }
        if r == 0.0 && !self.im.is_finite() {
            return Complex::new(0.0, 0.0);
        }
        Complex::polar(r, self.im)
    }

    /// `2^z`
    #[must_use]
    pub fn exp2(self) -> Complex {
        (self * std::f64::consts::LN_2).exp()
    }

    /// `e^z - 1` = expm1(x) cos y + (cos y - 1) + i e^x sin y.
    #[must_use]
    pub fn exp_m1(self) -> Complex {
        let half = (self.im / 2.0).sin();
        let e = self.re.exp_m1();
        Complex::new(e * self.im.cos() - 2.0 * half * half, self.re.exp() * self.im.sin())
    }

    /// `ln z`
    #[must_use]
    pub fn ln(self) -> Complex {
        let (a, b) = (self.re.abs().max(self.im.abs()), self.re.abs().min(self.im.abs()));
        // |z| near 1: ln|z| = log1p((a - 1)(a + 1) + b²) / 2
        let modulus = if a > 0.5 && a < 2.0 { ((a - 1.0) * (a + 1.0) + b * b).ln_1p() / 2.0 } else { self.abs().ln() };
        Complex::new(modulus, self.arg())
    }

    /// `log2 z`
    #[must_use]
    pub fn log2(self) -> Complex {
        self.ln() * std::f64::consts::LOG2_E
    }

    /// `log10 z`
    #[must_use]
    pub fn log10(self) -> Complex {
        self.ln() * std::f64::consts::LOG10_E
    }

    /// `ln(1 + z)`
    #[must_use]
    pub fn ln_1p(self) -> Complex {
        let (x, y) = (self.re, self.im);
        let square = x * (2.0 + x) + y * y; // |1 + z|² - 1
        if square.abs() < 0.5 {
            return Complex::new(square.ln_1p() / 2.0, y.atan2(1.0 + x));
        }
        (self + Complex::ONE).ln()
    }

    /// The root with a real part that is not negative.
    #[must_use]
    pub fn sqrt(self) -> Complex {
        let (x, y) = (self.re, self.im);
        if x == 0.0 && y == 0.0 {
            return Complex::new(0.0, y);
        }
        if y.is_infinite() {
            return Complex::new(f64::INFINITY, y);
        }
        let root = ((self.abs() + x.abs()) / 2.0).sqrt();
        if x >= 0.0 { Complex::new(root, y / (2.0 * root)) } else { Complex::new(y.abs() / (2.0 * root), root.copysign(y)) }
    }

    /// `z^w` = e^(w ln z); small integer powers by products.
    #[must_use]
    pub fn pow(self, w: Complex) -> Complex {
        if w.re == 0.0 && w.im == 0.0 {
            return Complex::ONE;
        }
        if self.re == 0.0 && self.im == 0.0 && w.im == 0.0 && w.re > 0.0 {
            return Complex::default();
        }
        if w.im == 0.0 && w.re.fract() == 0.0 && w.re.abs() <= 8.0 {
            let product = (0..w.re.abs() as usize).fold(Complex::ONE, |product, _| product * self);
            return if w.re < 0.0 { product.recip() } else { product };
        }
        (w * self.ln()).exp()
    }

    /// `sinh z`
    #[must_use]
    pub fn sinh(self) -> Complex {
        Complex::new(self.re.sinh() * self.im.cos(), self.re.cosh() * self.im.sin())
    }

    /// `cosh z`
    #[must_use]
    pub fn cosh(self) -> Complex {
        Complex::new(self.re.cosh() * self.im.cos(), self.re.sinh() * self.im.sin())
    }

    /// `tanh z` = (tanh x sec² y + i tan y sech² x) / (1 + tanh² x tan² y) (Kahan 1987).
    #[must_use]
    pub fn tanh(self) -> Complex {
        let (x, y) = (self.re, self.im);
        if x.abs() > 20.0 {
            let e = (-2.0 * x.abs()).exp();
            let im = if y.is_finite() { 4.0 * y.sin() * y.cos() * e } else { 0.0 };
            return Complex::new(1f64.copysign(x), im);
        }
        let t = y.tan();
        let (beta, s) = (1.0 + t * t, x.sinh());
        let rho = (1.0 + s * s).sqrt();
        if t.is_infinite() {
            return Complex::new(rho / s, 1.0 / t);
        }
        let scale = 1.0 + beta * s * s;
        Complex::new(beta * rho * s / scale, t / scale)
    }

    /// `sin z` = -i sinh(i z)
    #[must_use]
    pub fn sin(self) -> Complex {
        self.turned().sinh().turned_back()
    }

    /// `cos z` = cosh(i z)
    #[must_use]
    pub fn cos(self) -> Complex {
        self.turned().cosh()
    }

    /// `tan z` = -i tanh(i z)
    #[must_use]
    pub fn tan(self) -> Complex {
        self.turned().tanh().turned_back()
    }

    /// `asinh z`: x = asinh(Re(√(1 + i z)̅ · ..)) in Kahan's form (Branch Cuts for Complex Elementary Functions, 1987).
    #[must_use]
    pub fn asinh(self) -> Complex {
        // asin(i z) / i
        self.turned().asin().turned_back()
    }

    /// `asin z` (Kahan 1987): re = atan(x / Re(√(1-z) √(1+z))), im = asinh(Im(conj(√(1-z)) √(1+z))).
    #[must_use]
    pub fn asin(self) -> Complex {
        let minus = Complex::new(1.0 - self.re, -self.im).sqrt();
        let plus = Complex::new(1.0 + self.re, self.im).sqrt();
        let re = self.re.atan2((minus * plus).re);
        let im = (minus.conj() * plus).im.asinh();
        Complex::new(re, im)
    }

    /// `acos z` (Kahan 1987): re = 2 atan(Re √(1-z) / Re √(1+z)), im = asinh(Im(conj(√(1+z)) √(1-z))).
    #[must_use]
    pub fn acos(self) -> Complex {
        let minus = Complex::new(1.0 - self.re, -self.im).sqrt();
        let plus = Complex::new(1.0 + self.re, self.im).sqrt();
        Complex::new(2.0 * minus.re.atan2(plus.re), (plus.conj() * minus).im.asinh())
    }

    /// `acosh z` (Kahan 1987): re = asinh(Re(conj(√(z-1)) √(z+1))), im = 2 atan(Im √(z-1) / Re √(z+1)).
    #[must_use]
    pub fn acosh(self) -> Complex {
        let minus = Complex::new(self.re - 1.0, self.im).sqrt();
        let plus = Complex::new(self.re + 1.0, self.im).sqrt();
        Complex::new((minus.conj() * plus).re.asinh(), 2.0 * minus.im.atan2(plus.re))
    }

    /// `atanh z`: re = log1p(4x / ((1-x)² + y²)) / 4, im = atan2(2y, (1-x)(1+x) - y²) / 2.
    #[must_use]
    pub fn atanh(self) -> Complex {
        let (x, y) = (self.re, self.im);
        if x.is_infinite() || y.is_infinite() || x.abs() > 1e150 || y.abs() > 1e150 {
            let real = (Complex::ONE / self).re;
            let real = if real.is_nan() { 0f64.copysign(x) } else { real };
            return Complex::new(real, std::f64::consts::FRAC_PI_2.copysign(y));
        }
        let side = x.abs();
        let real = (4.0 * side / ((1.0 - side) * (1.0 - side) + y * y)).ln_1p() / 4.0;
        Complex::new(real.copysign(x), (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y) / 2.0)
    }

    /// `atan z` = -i atanh(i z)
    #[must_use]
    pub fn atan(self) -> Complex {
        self.turned().atanh().turned_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Complex, b: Complex) -> bool {
        (a - b).abs() <= 1e-13 * (1.0 + b.abs())
    }

    #[test]
    fn functions_invert_one_another() {
        for (re, im) in [(0.3, 0.4), (-0.7, 0.2), (0.5, -0.9), (-0.1, -0.6)] {
            let z = Complex::new(re, im);
            assert!(close(z.asin().sin(), z) && close(z.acos().cos(), z) && close(z.atan().tan(), z));
            assert!(close(z.asinh().sinh(), z) && close(z.acosh().cosh(), z) && close(z.atanh().tanh(), z));
            assert!(close(z.ln().exp(), z) && close(z.ln_1p().exp_m1(), z) && close(z.sqrt() * z.sqrt(), z));
            assert!(close(z.pow(Complex::from(3.0)), z * z * z) && close(z.pow(Complex::new(0.0, 1.0)), (z.ln() * Complex::I).exp()));
            assert!(close(z / Complex::new(2.0, -5.0) * Complex::new(2.0, -5.0), z));
        }
    }
}
