//! Powers, by a logarithm as the sum of two numbers, and roots.

use fx_ir::{Type, Value};

use super::coefficients::{ATANH_TAIL, LN2, THIRD};
use super::float::{Float, Is, Sum};

impl<'c> Float<'c> {
    /// ln a for positive finite a: e ln 2 + 2 atanh q, q = f / (2 + f); atanh q = q + q s (1/3 + s P(s)), s = q^2
    fn log_sum(&self, a: Value<'c>) -> Sum<'c> {
        let split = self.split(a);
        let (e, f) = (split.e, split.f);
        let twice = |x| self.add(x, x);
        let r = self.div(self.c(1.0), self.add(f, self.c(2.0)));
        let q = self.mul(r, f);
        let q_low = self.mul(r, self.fma(q, self.neg(f), self.fma(q, self.c(-2.0), f)));
        let s = self.exact_product(q, q);
        let s_low = self.fma(twice(q), q_low, s.low);
        // w = s (1/3 + s P(s)), t = q w
        let more = self.fma(s.high, self.polynomial(s.high, self.table(&ATANH_TAIL)), self.c(self.part(&THIRD, 1)));
        let factor = self.exact_sum(self.c(self.part(&THIRD, 0)), more);
        let w = self.exact_product(s.high, factor.high);
        let w_low = self.fma(s.high, factor.low, self.fma(s_low, factor.high, w.low));
        let t = self.exact_product(q, w.high);
        let t_low = self.fma(q, w_low, self.fma(q_low, w.high, t.low));
        // the sum, largest terms first
        let whole = self.times_constant(e, &LN2);
        let first = self.exact_sum(whole.high, twice(q));
        let second = self.exact_sum(first.high, twice(t.high));
        let low = self.fma(self.c(2.0), self.add(q_low, t_low), whole.low);
        let low = self.add(second.low, self.add(first.low, low));
        self.exact_sum(second.high, low)
    }

    /// a^y for positive finite a
    fn positive_power(&self, a: Value<'c>, y: Value<'c>) -> Value<'c> {
        let log = self.log_sum(a);
        let (low, high) = self.exp_range();
        let product = self.mul(log.high, y);
        // Beyond the range, the result is 0 or infinity, and what the product lost would be infinity minus infinity.
        let clamped = self.clamp(product, low, high);
        let lost = self.fma(log.low, y, self.fma(log.high, y, self.neg(product)));
        let lost = self.select(self.is(Is::Equal, clamped, product), lost, self.c(0.0));
        self.exp_of_parts(&self.exp_parts_of_sum(self.exact_sum(clamped, lost)))
    }

    /// x^y
    pub(super) fn pow(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        let half = self.mul(y, self.c(0.5));
        let is_fraction = self.is(Is::NotEqual, self.trunc(y), y);
        let is_odd = self.logical("arith.xori", self.is(Is::NotEqual, self.trunc(half), half), is_fraction);
        let r = self.signed_power(x, y, is_odd);
        // no power that is not whole of a negative number
        let infinity = self.c(f64::INFINITY);
        let is_bad = self.logical("arith.andi", is_fraction, self.is(Is::Less, x, self.c(0.0)));
        let is_bad = self.select(self.is(Is::Equal, self.abs(x), infinity), self.b.int(is_bad.ty(), 0), is_bad);
        let r = self.select(is_bad, self.c(f64::NAN), r);
        let r = self.select(self.is(Is::Unordered, x, y), self.add(x, y), r);
        let is_one = self.logical("arith.ori", self.is(Is::Equal, y, self.c(0.0)), self.is(Is::Equal, x, self.c(1.0)));
        self.select(is_one, self.c(1.0), r)
    }

    /// |x|^y, with the sign of x if y is odd
    fn signed_power(&self, x: Value<'c>, y: Value<'c>, is_odd: Value<'c>) -> Value<'c> {
        let (zero, one, infinity) = (self.c(0.0), self.c(1.0), self.c(f64::INFINITY));
        let a = self.abs(x);
        let is_negative = self.is(Is::Less, y, zero);
        let r = self.positive_power(a, y);
        let r = self.select(self.is(Is::Equal, a, zero), self.select(is_negative, infinity, zero), r);
        let r = self.select(self.is(Is::Equal, a, infinity), self.select(is_negative, zero, infinity), r);
        let r = self.select(self.is(Is::Equal, a, one), one, r);
        self.select(is_odd, self.copysign(r, x), r)
    }

    /// x^n for an integer, which as a float would lose whether it is odd
    pub(super) fn pow_of_integer(&self, x: Value<'c>, n: Value<'c>) -> Value<'c> {
        let odd = self.b.value("arith.trunci", &[n], Type::int(self.b.context(), 1), &[]);
        let y = self.b.value("arith.sitofp", &[n], self.ty, &[]);
        let r = self.signed_power(x, y, odd);
        let r = self.select(self.is(Is::Unordered, x, x), x, r);
        self.select(self.is(Is::Equal, y, self.c(0.0)), self.c(1.0), r)
    }

    /// The cube root: a third of the exponent, and steps of Halley's method
    pub(super) fn cbrt(&self, x: Value<'c>) -> Value<'c> {
        let a = self.abs(x);
        // Away from the ends of the range, where 3 a would overflow and a is subnormal
        let is_small = self.is(Is::Less, a, self.c(self.by_type(2f64.powi(-60), 2f64.powi(-900))));
        let is_large = self.is(Is::Greater, a, self.c(self.by_type(2f64.powi(60), 2f64.powi(900))));
        let by_size = |small: i32, large: i32| {
            let factor = self.select(is_large, self.c(2f64.powi(large)), self.c(1.0));
            self.select(is_small, self.c(2f64.powi(small)), factor)
        };
        let scaled = self.mul(a, by_size(99, -99));
        // Two thirds of the bits of 1, less 1/32 in the fraction: within 4%, wherever in three octaves the number is.
        let one = self.by_type(i64::from(1f32.to_bits()), 1f64.to_bits() as i64);
        let offset = one / 3 * 2 - (1 << self.fraction_bits()) / 32;
        let guess = self.integer("arith.divui", self.bits(scaled), self.i(3));
        let mut t = self.float_of_bits(self.integer("arith.addi", guess, self.i(offset)));
        for _ in 0..self.by_type(2, 3) {
            // t + t (a - t^3) / (2 t^3 + a)
            let square = self.exact_product(t, t);
            let cube = self.mul(square.high, t);
            let rest = self.fma(self.neg(square.high), t, scaled);
            let rest = self.fma(self.neg(square.low), t, rest);
            let ratio = self.div(rest, self.fma(self.c(2.0), cube, scaled));
            t = self.fma(t, ratio, t);
        }
        let t = self.mul(t, by_size(-33, 33));
        let is_special = self.logical("arith.ori", self.is(Is::Equal, a, self.c(0.0)), self.is(Is::NotLess, a, self.c(f64::INFINITY)));
        self.select(is_special, self.add(x, x), self.copysign(t, x))
    }
}
