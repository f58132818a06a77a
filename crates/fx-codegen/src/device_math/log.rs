//! Logarithms: that of an exponent of two, and of a number near 1.

use fx_ir::Value;

use super::coefficients::{ATANH, LN2, LOG1P, LOG2_E, LOG10_2, LOG10_E, Table};
use super::float::{Float, Is, Sum};

/// `x = 2^e (1 + f)`, 1 + f in [sqrt 1/2, sqrt 2)
pub(super) struct Split<'c> {
    pub e: Value<'c>,
    pub f: Value<'c>,
    /// e as bits to add to an exponent
    exponent: Value<'c>,
}

impl<'c> Float<'c> {
    /// Splits a positive finite number.
    pub(super) fn split(&self, x: Value<'c>) -> Split<'c> {
        let bits = self.fraction_bits();
        let unit = 2f64.powi(bits as i32);
        let subnormal = self.is(Is::Less, x, self.c(self.least_normal()));
        let scaled = self.select(subnormal, self.mul(x, self.c(unit)), x);
        let bias = self.select(subnormal, self.c(-(bits as f64)), self.c(0.0));
        let words = self.bits(scaled);
        let above = self.integer("arith.subi", words, self.bits(self.c(std::f64::consts::FRAC_1_SQRT_2)));
        let exponent = self.integer("arith.andi", above, self.i(-(1 << bits)));
        let m = self.float_of_bits(self.integer("arith.subi", words, exponent));
        let e = self.fma(self.float_of_int(exponent), self.c(1.0 / unit), bias);
        Split { e, f: self.sub(m, self.c(1.0)), exponent }
    }

    /// ln(1 + f) - f for f in [-0.29, 0.42]
    fn log_tail(&self, f: Value<'c>) -> Value<'c> {
        if self.is_single() {
            // one long polynomial is cheaper than a division
            let z = self.mul(f, f);
            let y = self.mul(self.mul(self.polynomial(f, self.table(&LOG1P)), f), z);
            return self.fma(self.c(-0.5), z, y);
        }
        // ln(1 + f) = 2 atanh s = f - f^2/2 + s (f^2/2 + z P(z)), s = f / (2 + f), z = s^2
        let s = self.div(f, self.add(f, self.c(2.0)));
        let z = self.mul(s, s);
        let half = self.mul(self.mul(f, f), self.c(0.5));
        let inner = self.fma(z, self.polynomial(z, self.table(&ATANH)), half);
        self.fma(s, inner, self.neg(half))
    }

    /// e ln 2 + f + tail, the tail being ln(1 + f) - f
    fn log_of_parts(&self, e: Value<'c>, f: Value<'c>, tail: Value<'c>) -> Value<'c> {
        let tail = self.fma(e, self.c(self.part(&LN2, 1)), tail);
        self.fma(e, self.c(self.part(&LN2, 0)), self.add(tail, f))
    }

    /// The logarithm of what is not positive and finite
    fn log_specials(&self, x: Value<'c>, result: Value<'c>) -> Value<'c> {
        let result = self.select(self.is(Is::NotLess, x, self.c(f64::INFINITY)), self.add(x, x), result);
        let result = self.select(self.is(Is::Less, x, self.c(0.0)), self.c(f64::NAN), result);
        self.select(self.is(Is::Equal, x, self.c(0.0)), self.c(f64::NEG_INFINITY), result)
    }

    /// ln x
    pub(super) fn log(&self, x: Value<'c>) -> Value<'c> {
        let Split { e, f, .. } = self.split(x);
        self.log_specials(x, self.log_of_parts(e, f, self.log_tail(f)))
    }

    /// ln(1 + f) times a constant, plus a sum
    fn scaled_log(&self, x: Value<'c>, f: Value<'c>, scale: &'static Table, whole: Sum<'c>) -> Value<'c> {
        let product = self.times_constant(f, scale);
        let low = self.fma(self.log_tail(f), self.c(self.part(scale, 0)), product.low);
        let sum = self.exact_sum(whole.high, product.high);
        let low = self.add(sum.low, self.add(whole.low, low));
        self.log_specials(x, self.add(sum.high, low))
    }

    /// log2 x
    pub(super) fn log2(&self, x: Value<'c>) -> Value<'c> {
        let Split { e, f, .. } = self.split(x);
        self.scaled_log(x, f, &LOG2_E, self.exactly(e))
    }

    /// log10 x
    pub(super) fn log10(&self, x: Value<'c>) -> Value<'c> {
        let Split { e, f, .. } = self.split(x);
        self.scaled_log(x, f, &LOG10_E, self.times_constant(e, &LOG10_2))
    }

    /// ln(1 + x)
    pub(super) fn log1p(&self, x: Value<'c>) -> Value<'c> {
        let result = self.log1p_of_sum(self.exactly(x), None);
        self.select(self.is(Is::Equal, x, self.c(0.0)), x, result) // -0 stays -0
    }

    /// ln(2^k (1 + x)), with what 1 + x lost put back: ln(u + c) = e ln 2 + ln(1 + f + d), d = 2^-e c, and
    /// ln(1 + f + d) = ln(1 + f) + d (1 - f - d/2 + f^2) nearly
    pub(super) fn log1p_of_sum(&self, x: Sum<'c>, k: Option<Value<'c>>) -> Value<'c> {
        let one = self.c(1.0);
        let u = self.add(x.high, one);
        let lost = self.add(self.sub(x.high, self.sub(u, one)), x.low);
        let Split { e, f, exponent } = self.split(u);
        let scale = self.float_of_bits(self.integer("arith.subi", self.bits(one), exponent));
        // Of large numbers nothing that counts was lost, and the scale would be out of range.
        let is_small = self.is(Is::Less, x.high, self.c(self.by_type(1e30, 1e300)));
        let d = self.select(is_small, self.mul(lost, scale), self.c(0.0));
        let factor = self.fma(f, f, self.fma(self.c(-0.5), d, self.neg(f)));
        let tail = self.add(self.log_tail(f), self.fma(d, factor, d));
        let e = k.map_or(e, |k| self.add(e, k));
        self.log_specials(u, self.log_of_parts(e, f, tail))
    }
}
