//! Exponentials: 2^n times a polynomial.

use fx_ir::Value;

use super::coefficients::{EXP, LN2};
use super::float::{Float, Is, Sum};

/// `e^x = 2^n (1 + r + rest)`, |r| <= 0.35
pub(super) struct Parts<'c> {
    n: Value<'c>,
    r: Value<'c>,
    rest: Value<'c>,
}

impl<'c> Float<'c> {
    /// Beyond this range e^x is 0 or infinity. Half of an infinity that is just so is finite: the range is wider than needed.
    pub(super) fn exp_range(&self) -> (f64, f64) {
        self.by_type((-105.0, 91.0), (-746.0, 711.0))
    }

    fn parts(&self, n: Value<'c>, r: Value<'c>) -> Parts<'c> {
        Parts { n, r, rest: self.mul(self.mul(r, r), self.polynomial(r, self.table(&EXP))) }
    }

    /// The parts of e^x for x within [`Float::exp_range`]
    fn exp_parts(&self, x: Value<'c>) -> Parts<'c> {
        let (n, integer) = self.round(x, std::f64::consts::LOG2_E);
        let r = self.fma(n, self.c(-self.part(&LN2, 0)), x);
        self.parts(integer, self.fma(n, self.c(-self.part(&LN2, 1)), r))
    }

    /// The same for a sum
    pub(super) fn exp_parts_of_sum(&self, x: Sum<'c>) -> Parts<'c> {
        let (n, integer) = self.round(x.high, std::f64::consts::LOG2_E);
        let r = self.fma(n, self.c(-self.part(&LN2, 0)), x.high); // exact
        let low = self.fma(n, self.c(-self.part(&LN2, 1)), x.low);
        self.parts_of_sum(integer, self.exact_sum(r, low))
    }

    /// `e^(r + low) = 1 + r + rest`
    fn parts_of_sum(&self, n: Value<'c>, r: Sum<'c>) -> Parts<'c> {
        let parts = self.parts(n, r.high);
        let low = self.fma(r.high, r.low, r.low);
        Parts { rest: self.add(parts.rest, low), ..parts }
    }

    /// The number that parts stand for
    pub(super) fn exp_of_parts(&self, parts: &Parts<'c>) -> Value<'c> {
        let p = self.add(self.add(parts.rest, parts.r), self.c(1.0));
        self.scale(p, parts.n)
    }

    /// The same as n and a sum
    pub(super) fn exp_sum_of_parts(&self, parts: &Parts<'c>) -> (Value<'c>, Sum<'c>) {
        let tail = self.exact_sum(parts.r, parts.rest);
        let sum = self.exact_sum(self.c(1.0), tail.high);
        (parts.n, Sum { high: sum.high, low: self.add(sum.low, tail.low) })
    }

    /// e^x = 2^k 2^r, both by the GPU's instructions: 2 ulp
    ///
    /// Adding `magic` rounds to an integer, and leaves k with the bias of exponents in the lowest bits.
    fn unit_exp(&self, x: Value<'c>) -> Value<'c> {
        let magic = self.c(12_582_912.0 + 127.0); // 1.5 * 2^23
        let log2_e = self.c(f64::from(std::f32::consts::LOG2_E));
        let low = self.c(std::f64::consts::LOG2_E - f64::from(std::f32::consts::LOG2_E));
        // 2^k must be normal: what is left of smaller results is in r. NaN is neither larger nor less.
        let bounded = self.call("llvm.maxnum", &[x, self.c(-87.336_54)]);
        let bounded = self.call("llvm.minnum", &[bounded, self.c(88.029_69)]);
        let shifted = self.fma(bounded, log2_e, magic);
        let k = self.sub(shifted, magic);
        let r = self.fma(x, low, self.fma(x, log2_e, self.neg(k)));
        let bits = self.b.value("arith.bitcast", &[shifted], self.int, &[]);
        let exponent = self.integer("arith.shli", bits, self.i(self.fraction_bits()));
        self.mul(self.unit_exp2(r), self.b.value("arith.bitcast", &[exponent], self.ty, &[]))
    }

    /// e^x
    pub(super) fn exp(&self, x: Value<'c>) -> Value<'c> {
        if self.has_units() && self.rough {
            // the product is off by |x| 2^-24, |x| < 104
            let power = self.mul(x, self.c(std::f64::consts::LOG2_E));
            // Powers of differences are compared with those of others, 1 among them: tiny ones may be 0.
            let is_difference = x.defining_op().is_some_and(|op| op.name() == "arith.subf");
            return if is_difference { self.unit_exp2(power) } else { self.call("llvm.exp2", &[power]) };
        }
        if self.has_units() {
            return self.unit_exp(x);
        }
        let (low, high) = self.exp_range();
        self.exp_of_parts(&self.exp_parts(self.clamp(x, low, high)))
    }

    /// e^x / 2, which overflows later than e^x
    pub(super) fn half_exp(&self, x: Value<'c>) -> Value<'c> {
        let (low, high) = self.exp_range();
        let parts = self.exp_parts(self.clamp(x, low, high));
        self.exp_of_parts(&Parts { n: self.integer("arith.subi", parts.n, self.i(1)), ..parts })
    }

    /// 2^x
    pub(super) fn exp2(&self, x: Value<'c>) -> Value<'c> {
        let (low, high) = self.by_type((-151.0, 129.0), (-1076.0, 1025.0));
        let x = self.clamp(x, low, high);
        let (n, integer) = self.round(x, 1.0);
        let r = self.times_constant(self.sub(x, n), &LN2);
        self.exp_of_parts(&self.parts_of_sum(integer, r))
    }

    /// e^x - 1
    pub(super) fn expm1(&self, x: Value<'c>) -> Value<'c> {
        // Below, the result is -1; above, it overflows.
        let (low, high) = self.by_type((-20.0, 89.0), (-40.0, 710.0));
        let parts = self.exp_parts(self.clamp(x, low, high));
        // 2 (2^(n-1) (e^r - 1) + 2^(n-1) - 1/2): 2^n itself would overflow
        let scale = self.power_of_two(self.integer("arith.subi", parts.n, self.i(1)));
        let tail = self.exact_sum(parts.r, parts.rest);
        let half = self.fma(scale, tail.high, self.sub(scale, self.c(0.5)));
        let half = self.fma(scale, tail.low, half);
        // half of a subnormal number would be rounded
        let tiny = self.c(self.by_type(5e-8, 1e-16));
        self.select(self.is(Is::Less, self.abs(x), tiny), x, self.add(half, half))
    }
}
