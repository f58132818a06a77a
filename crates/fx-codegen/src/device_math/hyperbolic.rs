//! Hyperbolic functions and their inverses: polynomials near 0, else by exponentials and logarithms.

use fx_ir::Value;

use super::coefficients::{SINH, TANH, Table};
use super::float::{Float, Is, Sum};

impl<'c> Float<'c> {
    /// x + x z P(z), z = x^2
    fn odd_polynomial(&self, x: Value<'c>, table: &'static Table) -> Value<'c> {
        let z = self.mul(x, x);
        self.fma(self.mul(self.polynomial(z, self.table(table)), z), x, x)
    }

    /// tanh x = 1 - 2 / (e^2|x| + 1)
    pub(super) fn tanh(&self, x: Value<'c>) -> Value<'c> {
        let a = self.abs(x);
        let e = self.exp(self.add(a, a));
        let more = self.add(e, self.c(1.0));
        let small = if self.has_units() { self.unit_reciprocal(more) } else { self.div(self.c(1.0), more) };
        let far = self.fma(self.c(-2.0), small, self.c(1.0));
        let near = self.odd_polynomial(a, &TANH);
        self.copysign(self.select(self.is(Is::Less, a, self.c(0.625)), near, far), x)
    }

    /// sinh x = h - 1 / (4 h), h = e^|x| / 2
    pub(super) fn sinh(&self, x: Value<'c>) -> Value<'c> {
        let a = self.abs(x);
        let h = self.half_exp(a);
        let far = self.sub(h, self.div(self.c(0.25), h));
        let near = self.odd_polynomial(a, &SINH);
        self.copysign(self.select(self.is(Is::Less, a, self.c(1.0)), near, far), x)
    }

    /// cosh x = h + 1 / (4 h), h = e^|x| / 2
    pub(super) fn cosh(&self, x: Value<'c>) -> Value<'c> {
        let h = self.half_exp(self.abs(x));
        self.add(h, self.div(self.c(0.25), h))
    }

    /// ln(1 + y), or, of an argument beyond which that is the same, ln 2 x
    fn log_of_root(&self, x: Value<'c>, y: Sum<'c>) -> Value<'c> {
        let is_far = self.is(Is::Greater, x, self.c(self.by_type(2f64.powi(40), 2f64.powi(60))));
        let (zero, one) = (self.c(0.0), self.c(1.0));
        let y = Sum { high: self.select(is_far, x, y.high), low: self.select(is_far, zero, y.low) };
        self.log1p_of_sum(y, Some(self.select(is_far, one, zero)))
    }

    /// asinh x = ln(1 + |x| + x^2 / (1 + sqrt(x^2 + 1)))
    pub(super) fn asinh(&self, x: Value<'c>) -> Value<'c> {
        let (a, one) = (self.abs(x), self.c(1.0));
        let square = self.mul(a, a);
        let more = self.div(square, self.add(self.sqrt(self.fma(a, a, one)), one));
        self.copysign(self.log_of_root(a, self.exact_sum(a, more)), x)
    }

    /// acosh x = ln(1 + t + sqrt(t^2 + 2 t)), t = x - 1
    pub(super) fn acosh(&self, x: Value<'c>) -> Value<'c> {
        let one = self.c(1.0);
        let t = self.sub(x, one);
        let root = self.sqrt(self.fma(t, t, self.add(t, t)));
        let result = self.log_of_root(x, self.exact_sum(root, t));
        self.select(self.is(Is::Less, x, one), self.c(f64::NAN), result)
    }

    /// atanh x = 1/2 ln(1 + 2 |x| / (1 - |x|))
    pub(super) fn atanh(&self, x: Value<'c>) -> Value<'c> {
        let (a, one) = (self.abs(x), self.c(1.0));
        let twice = self.exactly(self.add(a, a));
        let q = self.quotient(twice, self.exact_sum(one, self.neg(a)));
        let result = self.mul(self.c(0.5), self.log1p_of_sum(q, None));
        let result = self.select(self.is(Is::Equal, a, one), self.c(f64::INFINITY), result);
        let result = self.select(self.is(Is::Greater, a, one), self.c(f64::NAN), result);
        self.copysign(result, x)
    }
}
