//! Sine, cosine, tangent: polynomials on [-pi/4, pi/4], as sums.

use fx_ir::Value;

use super::coefficients::{COS, SIN};
use super::float::{Float, Is, Sum};
use super::reduce::Angle;

impl<'c> Float<'c> {
    /// sin r and cos r
    fn sin_cos_of(&self, r: Sum<'c>) -> (Sum<'c>, Sum<'c>) {
        let z = self.mul(r.high, r.high);
        let half = self.mul(z, self.c(0.5));
        // sin r = r + r z P(z) + low (1 - z/2)
        let low = self.fma(self.neg(half), r.low, r.low);
        let sin = Sum { high: r.high, low: self.fma(self.mul(r.high, z), self.polynomial(z, self.table(&SIN)), low) };
        // cos r = 1 - z/2 + z^2 Q(z) - low r
        let cos = self.exact_sum(self.c(1.0), self.neg(half));
        let tail = self.fma(self.neg(r.high), r.low, cos.low);
        let tail = self.fma(self.mul(z, z), self.polynomial(z, self.table(&COS)), tail);
        (sin, Sum { high: cos.high, low: tail })
    }

    /// sin(n pi/2 + r)
    fn sine(&self, n: Value<'c>, sin: Sum<'c>, cos: Sum<'c>) -> Value<'c> {
        let is_odd = self.has_bits(n, 1);
        let value = self.add(self.select(is_odd, cos.high, sin.high), self.select(is_odd, cos.low, sin.low));
        self.select(self.has_bits(n, 2), self.neg(value), value)
    }

    /// sin x
    pub(super) fn sin(&self, x: Value<'c>) -> Value<'c> {
        let Angle { n, r } = self.angle(x);
        let (sin, cos) = self.sin_cos_of(r);
        self.select(self.is(Is::Equal, x, self.c(0.0)), x, self.sine(n, sin, cos)) // -0 stays -0
    }

    /// cos x = sin(x + pi/2)
    pub(super) fn cos(&self, x: Value<'c>) -> Value<'c> {
        let Angle { n, r } = self.angle(x);
        let (sin, cos) = self.sin_cos_of(r);
        self.sine(self.integer("arith.addi", n, self.i(1)), sin, cos)
    }

    /// tan x: sin r / cos r, or -cos r / sin r
    pub(super) fn tan(&self, x: Value<'c>) -> Value<'c> {
        let Angle { n, r } = self.angle(x);
        let (sin, cos) = self.sin_cos_of(r);
        let (sin, cos) = (self.exact_sum(sin.high, sin.low), self.exact_sum(cos.high, cos.low));
        let is_odd = self.has_bits(n, 1);
        let choose = |a: Sum<'c>, b: Sum<'c>| Sum { high: self.select(is_odd, a.high, b.high), low: self.select(is_odd, a.low, b.low) };
        let minus = Sum { high: self.neg(cos.high), low: self.neg(cos.low) };
        let q = self.quotient(choose(minus, sin), choose(sin, cos));
        self.select(self.is(Is::Equal, x, self.c(0.0)), x, self.add(q.high, q.low))
    }
}
