//! Arcsine, arccosine, arctangent: polynomials, around 1 by identities.

use fx_ir::Value;

use super::coefficients::{ASIN, ATAN, HALF_PI};
use super::float::{Float, Is};

impl<'c> Float<'c> {
    fn half_pi(&self) -> (Value<'c>, Value<'c>) {
        (self.c(self.part(&HALF_PI, 0)), self.c(self.part(&HALF_PI, 1)))
    }

    /// Whether |x| > 1/2; then asin x = pi/2 - 2 asin sqrt((1 - x) / 2). What asin is taken of, s, and asin(s) / s - 1
    fn arcsine_parts(&self, x: Value<'c>) -> (Value<'c>, Value<'c>, Value<'c>) {
        let (a, half) = (self.abs(x), self.c(0.5));
        let is_far = self.is(Is::Greater, a, half);
        let z = self.select(is_far, self.fma(self.neg(half), a, half), self.mul(a, a));
        let s = self.select(is_far, self.sqrt(z), a);
        (is_far, s, self.mul(self.polynomial(z, self.table(&ASIN)), z))
    }

    /// asin x
    pub(super) fn asin(&self, x: Value<'c>) -> Value<'c> {
        let (is_far, s, p) = self.arcsine_parts(x);
        let (high, low) = self.half_pi();
        let twice = self.add(s, s);
        let rest = self.exact_sum(high, self.neg(twice));
        let far = self.sub(rest.high, self.sub(self.fma(twice, p, self.neg(low)), rest.low));
        self.copysign(self.select(is_far, far, self.fma(p, s, s)), x)
    }

    /// acos x = pi/2 - asin x
    pub(super) fn acos(&self, x: Value<'c>) -> Value<'c> {
        let (is_far, s, p) = self.arcsine_parts(x);
        let (high, low) = self.half_pi();
        let arc = self.fma(p, s, s);
        let near = self.sub(high, self.add(x, self.fma(p, x, self.neg(low))));
        let beyond = self.sub(high, self.sub(arc, low));
        let far = self.select(self.is(Is::Less, x, self.c(0.0)), beyond, arc);
        self.select(is_far, self.add(far, far), near)
    }

    /// atan t for 0 <= t <= 1
    fn arctangent(&self, t: Value<'c>) -> Value<'c> {
        let z = self.mul(t, t);
        self.fma(self.mul(self.polynomial(z, self.table(&ATAN)), z), t, t)
    }

    /// atan x = pi/2 - atan 1/x
    pub(super) fn atan(&self, x: Value<'c>) -> Value<'c> {
        let (a, one) = (self.abs(x), self.c(1.0));
        let (high, low) = self.half_pi();
        let is_far = self.is(Is::Greater, a, one);
        let arc = self.arctangent(self.select(is_far, self.div(one, a), a));
        let far = self.sub(high, self.sub(arc, low));
        self.copysign(self.select(is_far, far, arc), x)
    }

    /// The angle of the point (x, y): atan of the smaller coordinate over the larger one, plus or minus it from 0, pi/2 or pi
    pub(super) fn atan2(&self, y: Value<'c>, x: Value<'c>) -> Value<'c> {
        let (a, b) = (self.abs(x), self.abs(y));
        let (zero, one) = (self.c(0.0), self.c(1.0));
        let (high, low) = self.half_pi();
        let is_steep = self.is(Is::Greater, b, a);
        let (large, small) = (self.select(is_steep, b, a), self.select(is_steep, a, b));
        let t = self.div(small, large);
        let t = self.select(self.is(Is::Equal, large, zero), zero, t);
        let t = self.select(self.is(Is::Equal, small, self.c(f64::INFINITY)), one, t);
        let arc = self.arctangent(t);
        let is_left = self.is_negative(self.bits(x));
        let arc = self.select(self.logical("arith.xori", is_steep, is_left), self.neg(arc), arc);
        let base = |half, whole| self.select(is_steep, half, self.select(is_left, whole, zero));
        let result = self.add(base(high, self.add(high, high)), self.add(arc, base(low, self.add(low, low))));
        let result = self.copysign(result, y);
        self.select(self.is(Is::Unordered, x, y), self.add(x, y), result)
    }
}
