//! The error function and its complement.

use fx_ir::Value;

use super::coefficients::{ERF, ERFC};
use super::float::{Float, Is, Sum};

impl<'c> Float<'c> {
    /// erf x: near 0 a polynomial
    pub(super) fn erf(&self, x: Value<'c>) -> Value<'c> {
        if self.is_single() {
            return self.erf_single(x);
        }
        let a = self.abs(x);
        let far = self.sub(self.c(1.0), self.erfc_positive(a));
        self.copysign(self.select(self.is(Is::Less, a, self.c(0.9277)), self.erf_near(a), far), x)
    }

    /// erf x for |x| < 0.9277
    fn erf_near(&self, x: Value<'c>) -> Value<'c> {
        self.fma(self.polynomial(self.mul(x, x), self.table(&ERF)), x, x)
    }

    /// erf x = 1 - e^q(|x|), near 0 a polynomial; minimax coefficients of q in common use
    fn erf_single(&self, x: Value<'c>) -> Value<'c> {
        let (t, s) = (self.abs(x), self.mul(x, x));
        let high = self.fma(self.c(-1.728_534_70e-5), t, self.c(3.831_971_26e-4));
        let low = self.fma(self.c(-3.883_964_38e-3), t, self.c(2.425_462_19e-2));
        let q = self.fma(high, s, low);
        let q = self.fma(q, t, self.c(-1.067_778_77e-1));
        let q = self.fma(q, t, self.c(-6.348_466_87e-1));
        let q = self.fma(q, t, self.c(-1.287_175_12e-1));
        let q = self.fma(q, t, self.neg(t));
        let far = self.sub(self.c(1.0), self.exp(q));
        let near = self.erf_near(t);
        self.copysign(self.select(self.is(Is::Greater, t, self.c(0.927_734_375)), far, near), x)
    }

    /// erf x with an absolute error of 1e-7, for sums with numbers that are not small: 1 - 2^(-|x| P(|x|)), where |x| <= 4; on a
    /// GPU half the work of [`Float::erf`]. P is the minimax polynomial for that (error of the result 7e-9 before rounding).
    pub fn erf_absolute(&self, x: Value<'c>) -> Value<'c> {
        if !self.has_units() {
            return self.erf(x);
        }
        let a = self.b.value("arith.minimumf", &[self.abs(x), self.c(4.0)], self.ty, &[]); // keeps NaN
        let p = self.polynomial(
            a,
            &[
                -1.160_500_6e-5,
                1.529_661_2e-4,
                -8.482_407_4e-4,
                2.274_797_6e-3,
                -8.481_81e-5,
                -2.772_446_9e-2,
                0.148_307_90,
                0.918_442_9,
                1.627_907_3,
            ],
        );
        let rest = self.unit_exp2(self.mul(self.neg(a), p));
        self.copysign(self.sub(self.c(1.0), rest), x)
    }

    /// erf x as a rational function of |x| <= 4, beyond which it is 1: 6 ulp, a third of the work of [`Float::erf`].
    /// Minimax coefficients in common use (odd over even powers).
    pub fn erf_rational(&self, x: Value<'c>) -> Value<'c> {
        let x = self.clamp(x, -4.0, 4.0);
        let s = self.mul(x, x);
        let odd =
            [-2.726_142_26e-10, 2.770_681_42e-8, -2.101_024_02e-6, -5.692_506_39e-5, -7.349_906_30e-4, -2.954_599_81e-3, -1.609_603_33e-2];
        let even = [-1.456_607_18e-5, -2.133_740_55e-4, -1.682_826_97e-3, -7.373_329_17e-3, -1.426_473_91e-2];
        self.div(self.mul(x, self.polynomial(s, &odd)), self.polynomial(s, &even))
    }

    /// erfc x: near 0, where it is at least 1/2, by erf
    pub(super) fn erfc(&self, x: Value<'c>) -> Value<'c> {
        let a = self.abs(x);
        let positive = self.erfc_positive(a);
        let far = self.select(self.is(Is::Less, x, self.c(0.0)), self.sub(self.c(2.0), positive), positive);
        let near = self.sub(self.c(1.0), self.erf_near(x));
        self.select(self.is(Is::Less, a, self.c(0.46)), near, far)
    }

    /// erfc a = e^(-a^2) P(t) / (1 + 2 a), t = (a - 3) / (a + 3) = 2 a / (a + 3) - 1, where the last factor falls like erfc, and P
    /// stays between 1 and 1.3
    fn erfc_positive(&self, a: Value<'c>) -> Value<'c> {
        let one = self.c(1.0);
        // Beyond, the result is 0.
        let a = self.clamp(a, 0.0, self.by_type(10.2, 27.3));
        let twice = self.add(a, a);
        let t = self.exact_sum(self.c(-1.0), self.div(twice, self.add(a, self.c(3.0))));
        let coefficients = self.table(&ERFC);
        let (last, others) = coefficients.split_last().unwrap_or((&0.0, &[]));
        // What t lost matters near -1 only, so its factor is the derivative there: 3 - 3 / sqrt(pi).
        let slope = self.c(3.0 - 1.5 * std::f64::consts::FRAC_2_SQRT_PI);
        let p = self.exact_sum(self.c(*last), self.fma(t.low, slope, self.polynomial(t.high, others)));
        let high = self.add(twice, one);
        let back = self.sub(high, one);
        let low = self.add(self.sub(one, self.sub(high, back)), self.sub(twice, back));
        let q = self.quotient(p, Sum { high, low });
        let square = self.exact_product(a, a);
        let minus = Sum { high: self.neg(square.high), low: self.neg(square.low) };
        let (n, e) = self.exp_sum_of_parts(&self.exp_parts_of_sum(minus));
        let low = self.fma(q.high, e.low, self.mul(q.low, e.high));
        self.scale(self.fma(q.high, e.high, low), n)
    }
}
