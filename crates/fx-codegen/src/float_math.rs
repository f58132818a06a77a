//! Elementary functions as arithmetic on floats: polynomials after range reductions, almost without branches.
//!
//! Coefficients are minimax fits for `f32` (Cephes, and fits in common use). The largest errors at 2^22 points of each
//! function's range, on an H200: 2 ulp, `tan` 3 ulp. Constants are decimals that round to the `f32` that is meant.
#![allow(clippy::excessive_precision)] // digits that name one float
#![allow(clippy::approx_constant)] // heads of split constants

use fx_ir::{Attribute, Builder, Type, Value};

/// Builds float arithmetic.
pub struct Float<'c> {
    b: Builder<'c>,
    /// The type that it computes in.
    pub ty: Type<'c>,
    int: Type<'c>,
}

/// 1.5 * 2^23: what is added to it is rounded to an integer, which stands in the low bits.
const ROUNDER: f64 = 12_582_912.0;
const LN2_HI: f64 = 6.931_471_82e-1;
const LN2_LO: f64 = -1.904_654_21e-9;
const LOG2_E: f64 = std::f64::consts::LOG2_E;

// Predicates of `arith.cmpf`.
const OEQ: i64 = 1;
const OGT: i64 = 2;
const OLT: i64 = 4;
const UGE: i64 = 10;
const UNE: i64 = 13;
const UNO: i64 = 14;

impl<'c> Float<'c> {
    /// Computes in `ty` at `b`.
    pub fn new(b: Builder<'c>, ty: Type<'c>) -> Self {
        Self { b, ty, int: Type::int(b.context(), ty.bit_width()) }
    }

    //--- operations -------------------------------------------------------------

    /// A constant.
    pub fn c(&self, value: f64) -> Value<'c> {
        self.b.number(self.ty, value)
    }
    fn add(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.addf", &[a, b], self.ty, &[])
    }
    fn sub(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.subf", &[a, b], self.ty, &[])
    }
    fn mul(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.mulf", &[a, b], self.ty, &[])
    }
    /// `a / b`, rounded correctly
    pub fn div(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.divf", &[a, b], self.ty, &[])
    }
    fn neg(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.negf", &[a], self.ty, &[])
    }
    /// `a * b + c`, rounded once
    fn fma(&self, a: Value<'c>, b: Value<'c>, c: Value<'c>) -> Value<'c> {
        self.call("llvm.fma", &[a, b, c])
    }
    fn abs(&self, a: Value<'c>) -> Value<'c> {
        self.call("llvm.fabs", &[a])
    }
    fn copysign(&self, a: Value<'c>, sign: Value<'c>) -> Value<'c> {
        self.call("llvm.copysign", &[a, sign])
    }
    fn trunc(&self, a: Value<'c>) -> Value<'c> {
        self.call("llvm.trunc", &[a])
    }

    /// A call of an LLVM intrinsic, overloaded on the type.
    pub fn call(&self, intrinsic: &str, operands: &[Value<'c>]) -> Value<'c> {
        let context = self.b.context();
        let count = i32::try_from(operands.len()).unwrap_or_default();
        self.b.value(
            "llvm.call_intrinsic",
            operands,
            self.ty,
            &[
                ("intrin", Attribute::string(context, intrinsic)),
                ("operandSegmentSizes", Attribute::i32s(context, &[count, 0])),
                ("op_bundle_sizes", Attribute::i32s(context, &[])),
            ],
        )
    }

    fn compare(&self, predicate: i64, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let context = self.b.context();
        self.b.value("arith.cmpf", &[a, b], Type::int(context, 1), &[("predicate", Attribute::i64(context, predicate))])
    }
    fn select(&self, condition: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.select", &[condition, a, b], a.ty(), &[])
    }
    fn logical(&self, name: &str, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value(name, &[a, b], a.ty(), &[])
    }
    /// `a` between `low` and `high`; NaN stays NaN
    fn clamp(&self, a: Value<'c>, low: f64, high: f64) -> Value<'c> {
        let (low, high) = (self.c(low), self.c(high));
        let a = self.select(self.compare(OLT, a, low), low, a);
        self.select(self.compare(OGT, a, high), high, a)
    }
    /// Horner's rule, highest power first
    fn polynomial(&self, x: Value<'c>, coefficients: &[f64]) -> Value<'c> {
        let (first, rest) = coefficients.split_first().unwrap_or((&0.0, &[]));
        rest.iter().fold(self.c(*first), |sum, coefficient| self.fma(sum, x, self.c(*coefficient)))
    }

    fn i(&self, value: i64) -> Value<'c> {
        self.b.int(self.int, value)
    }
    fn integer(&self, name: &str, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value(name, &[a, b], self.int, &[])
    }
    fn bits(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.bitcast", &[a], self.int, &[])
    }
    fn float_of_bits(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.bitcast", &[a], self.ty, &[])
    }

    /// `round(x * scale)` as a float and as an integer; |x * scale| < 2^22
    fn round(&self, x: Value<'c>, scale: f64) -> (Value<'c>, Value<'c>) {
        let shifted = self.fma(x, self.c(scale), self.c(ROUNDER));
        let integer = self.integer("arith.subi", self.bits(shifted), self.bits(self.c(ROUNDER)));
        (self.sub(shifted, self.c(ROUNDER)), integer)
    }

    /// `2^n` for n in -126..=127
    fn power_of_two(&self, n: Value<'c>) -> Value<'c> {
        let biased = self.integer("arith.addi", n, self.i(127));
        self.float_of_bits(self.integer("arith.shli", biased, self.i(23)))
    }

    //--- exponentials ---------------------------------------------------------------

    /// x = n ln 2 + r: n as an integer, r, and e^r - 1 - r
    fn reduce_exp(&self, x: Value<'c>) -> (Value<'c>, Value<'c>, Value<'c>) {
        let (n, integer) = self.round(x, LOG2_E);
        let r = self.fma(n, self.c(-LN2_HI), x);
        let r = self.fma(n, self.c(-LN2_LO), r);
        let p = self.polynomial(r, &[1.987_569_15e-4, 1.398_199_95e-3, 8.333_451_91e-3, 4.166_579_59e-2, 1.666_666_55e-1, 5.000_000_12e-1]);
        (integer, r, self.mul(self.mul(r, r), p))
    }

    /// e^x
    pub fn exp(&self, x: Value<'c>) -> Value<'c> {
        // Outside, the result is 0 or infinity in any case.
        let (n, r, rest) = self.reduce_exp(self.clamp(x, -105.0, 90.0));
        let p = self.add(self.add(rest, r), self.c(1.0));
        // 2^n in two factors, each a normal number: results may overflow or be subnormal.
        let half = self.integer("arith.shrsi", n, self.i(1));
        let other = self.integer("arith.subi", n, half);
        self.mul(self.mul(p, self.power_of_two(half)), self.power_of_two(other))
    }

    /// e^x - 1
    pub fn expm1(&self, x: Value<'c>) -> Value<'c> {
        let (n, r, rest) = self.reduce_exp(self.clamp(x, -20.0, 89.0));
        // 2 (2^(n-1) (e^r - 1) + 2^(n-1) - 1/2): 2^n itself would overflow
        let scale = self.power_of_two(self.integer("arith.subi", n, self.i(1)));
        let half = self.fma(scale, self.add(rest, r), self.sub(scale, self.c(0.5)));
        // half of a subnormal number would be rounded
        self.select(self.compare(OLT, self.abs(x), self.c(5e-8)), x, self.add(half, half))
    }

    /// e^x - 1 by the exponential and the logarithm, whose errors cancel (Kahan): (u - 1) x / ln u, u = e^x
    pub fn expm1_by_exp(&self, x: Value<'c>) -> Value<'c> {
        let one = self.c(1.0);
        let u = self.b.value("math.exp", &[x], self.ty, &[]);
        let log = self.b.value("math.log", &[u], self.ty, &[]);
        let rest = self.sub(u, one);
        let middle = self.div(self.mul(rest, x), log);
        let tiny = self.compare(OEQ, u, one);
        // of infinity, and where u is nearly 0, u - 1 is right as it is
        let far = self.compare(UGE, self.abs(x), self.c(50.0));
        self.select(tiny, x, self.select(far, rest, middle))
    }

    /// tanh x = 1 - 2 / (e^2|x| + 1), near 0 a polynomial
    pub fn tanh(&self, x: Value<'c>) -> Value<'c> {
        let a = self.abs(x);
        let e = self.exp(self.add(a, a));
        let far = self.fma(self.c(-2.0), self.div(self.c(1.0), self.add(e, self.c(1.0))), self.c(1.0));
        let z = self.mul(x, x);
        let p = self.polynomial(z, &[-5.704_988_72e-3, 2.063_908_88e-2, -5.373_971_55e-2, 1.333_144_22e-1, -3.333_328_19e-1]);
        let near = self.fma(self.mul(p, z), x, x);
        self.select(self.compare(OLT, a, self.c(0.625)), near, self.copysign(far, x))
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

    /// erf x = 1 - e^q(|x|), near 0 a polynomial
    pub fn erf(&self, x: Value<'c>) -> Value<'c> {
        let (t, s) = (self.abs(x), self.mul(x, x));
        let high = self.fma(self.c(-1.728_534_70e-5), t, self.c(3.831_971_26e-4));
        let low = self.fma(self.c(-3.883_964_38e-3), t, self.c(2.425_462_19e-2));
        let q = self.fma(high, s, low);
        let q = self.fma(q, t, self.c(-1.067_778_77e-1));
        let q = self.fma(q, t, self.c(-6.348_466_87e-1));
        let q = self.fma(q, t, self.c(-1.287_175_12e-1));
        let q = self.fma(q, t, self.neg(t));
        let far = self.copysign(self.sub(self.c(1.0), self.exp(q)), x);
        let p =
            self.polynomial(s, &[-5.967_617_03e-4, 4.991_194_23e-3, -2.676_813_49e-2, 1.128_199_25e-1, -3.761_253_36e-1, 1.283_791_66e-1]);
        let near = self.fma(p, x, x);
        self.select(self.compare(OGT, t, self.c(0.927_734_375)), far, near)
    }

    //--- logarithms -----------------------------------------------------------------

    /// x = 2^e m, m in [sqrt 1/2, sqrt 2): e and m - 1, and 2^-e as bits to subtract from an exponent
    fn split(&self, x: Value<'c>) -> (Value<'c>, Value<'c>, Value<'c>) {
        let subnormal = self.compare(OLT, x, self.c(f64::from(f32::MIN_POSITIVE)));
        let scaled = self.select(subnormal, self.mul(x, self.c(8_388_608.0)), x);
        let bias = self.select(subnormal, self.c(-23.0), self.c(0.0));
        let bits = self.bits(scaled);
        let above = self.integer("arith.subi", bits, self.bits(self.c(std::f64::consts::FRAC_1_SQRT_2)));
        let exponent = self.integer("arith.andi", above, self.i(-0x80_0000));
        let m = self.float_of_bits(self.integer("arith.subi", bits, exponent));
        let e = self.b.value("arith.sitofp", &[exponent], self.ty, &[]);
        let e = self.fma(e, self.c(1.0 / 8_388_608.0), bias);
        (e, self.sub(m, self.c(1.0)), exponent)
    }

    /// ln(1 + f) - f for f in [-0.29, 0.42]
    fn log_tail(&self, f: Value<'c>) -> Value<'c> {
        let z = self.mul(f, f);
        let coefficients = [
            7.037_683_63e-2,
            -1.151_461_03e-1,
            1.167_699_87e-1,
            -1.242_014_08e-1,
            1.424_932_28e-1,
            -1.666_805_77e-1,
            2.000_071_48e-1,
            -2.499_999_40e-1,
            3.333_333_12e-1,
        ];
        let y = self.mul(self.mul(self.polynomial(f, &coefficients), f), z);
        self.fma(self.c(-0.5), z, y)
    }

    /// e ln 2 + ln(1 + f)
    fn log_of_parts(&self, e: Value<'c>, f: Value<'c>) -> Value<'c> {
        let tail = self.fma(e, self.c(-2.121_944_40e-4), self.log_tail(f));
        self.fma(e, self.c(0.693_359_375), self.add(tail, f))
    }

    /// The logarithm of what is not positive and finite
    fn log_specials(&self, x: Value<'c>, result: Value<'c>) -> Value<'c> {
        let result = self.select(self.compare(UGE, x, self.c(f64::INFINITY)), self.add(x, x), result);
        let result = self.select(self.compare(OLT, x, self.c(0.0)), self.c(f64::NAN), result);
        self.select(self.compare(OEQ, x, self.c(0.0)), self.c(f64::NEG_INFINITY), result)
    }

    /// ln x
    pub fn log(&self, x: Value<'c>) -> Value<'c> {
        let (e, f, _) = self.split(x);
        self.log_specials(x, self.log_of_parts(e, f))
    }

    /// log2 x
    pub fn log2(&self, x: Value<'c>) -> Value<'c> {
        let (e, f, _) = self.split(x);
        let ln = self.add(self.log_tail(f), f);
        self.log_specials(x, self.fma(ln, self.c(LOG2_E), e))
    }

    /// log10 x
    pub fn log10(&self, x: Value<'c>) -> Value<'c> {
        let (e, f, _) = self.split(x);
        let ln = self.add(self.log_tail(f), f);
        let low = self.fma(e, self.c(4.605_038_98e-6), self.mul(ln, self.c(std::f64::consts::LOG10_E)));
        self.log_specials(x, self.fma(e, self.c(0.301_025_390_625), low))
    }

    /// ln(1 + x), with what 1 + x lost put back: ln(u + c) = e ln 2 + ln(m + 2^-e c)
    pub fn log1p(&self, x: Value<'c>) -> Value<'c> {
        let u = self.add(x, self.c(1.0));
        let lost = self.sub(x, self.sub(u, self.c(1.0)));
        let (e, f, exponent) = self.split(u);
        let scale = self.float_of_bits(self.integer("arith.subi", self.bits(self.c(1.0)), exponent));
        // Of large numbers nothing that counts was lost, and the scale would be out of range.
        let f = self.select(self.compare(OLT, x, self.c(1e30)), self.fma(lost, scale, f), f);
        let result = self.log_specials(u, self.log_of_parts(e, f));
        self.select(self.compare(OEQ, x, self.c(0.0)), x, result) // -0 stays -0
    }

    //--- powers ------------------------------------------------------------------------

    /// ln a as the sum of two floats, for positive finite a
    fn log_pair(&self, a: Value<'c>) -> (Value<'c>, Value<'c>) {
        let two = self.c(2.0);
        let (e, m, _) = self.split(a);
        // q = (m - 1) / (m + 1) as a pair; ln m = 2 atanh q
        let r = self.div(self.c(1.0), self.add(m, two));
        let q = self.mul(r, m);
        let q_low = self.mul(r, self.fma(q, self.neg(m), self.fma(q, self.c(-2.0), m)));
        let s = self.mul(q, q);
        let p = self.polynomial(s, &[0.129_333_496, 0.141_992_807, 0.200_014_830, 0.333_333_254]);
        let s_low = self.fma(q, self.add(q_low, q_low), self.fma(q, q, self.neg(s)));
        let cube = self.mul(s, q);
        let cube_low = self.fma(s, q, self.neg(cube));
        let cube_low = self.fma(s, q_low, self.fma(s_low, q, cube_low));
        let tail = self.fma(p, cube, self.fma(p, cube_low, q_low));
        let head = self.mul(two, q);
        let sum = self.fma(self.c(LN2_HI), e, head);
        let back = self.fma(self.c(-LN2_HI), e, sum);
        let low = self.fma(self.c(LN2_LO), e, self.fma(two, tail, self.sub(head, back)));
        let high = self.add(sum, low);
        (high, self.add(self.sub(sum, high), low))
    }

    /// |x|^y for finite x that is not 0
    fn positive_power(&self, a: Value<'c>, y: Value<'c>) -> Value<'c> {
        let (high, low) = self.log_pair(a);
        let product = self.mul(high, y);
        // Beyond, the result is 0 or infinity, and the pair would be infinity minus infinity.
        let product = self.clamp(product, -200.0, 200.0);
        let lost = self.fma(low, y, self.fma(high, y, self.neg(product)));
        let far = self.compare(OGT, self.abs(product), self.c(150.0));
        let lost = self.select(far, self.c(0.0), lost);
        let sum = self.add(product, lost);
        let lost = self.add(self.sub(product, sum), lost);
        let result = self.exp(sum);
        let better = self.fma(lost, result, result);
        self.select(self.compare(OEQ, self.abs(result), self.c(f64::INFINITY)), result, better)
    }

    /// x^y
    pub fn pow(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        let (zero, one, infinity) = (self.c(0.0), self.c(1.0), self.c(f64::INFINITY));
        let a = self.abs(x);
        let is_negative_power = self.compare(OLT, y, zero);
        let is_infinite = self.compare(OEQ, a, infinity);
        let r = self.positive_power(a, y);
        let r = self.select(self.compare(OEQ, a, zero), self.select(is_negative_power, infinity, zero), r);
        let r = self.select(is_infinite, self.select(is_negative_power, zero, infinity), r);
        let r = self.select(self.compare(OEQ, a, one), one, r);
        // the sign of an odd power, and no power that is not whole of a negative number
        let half = self.mul(y, self.c(0.5));
        let is_fraction = self.compare(UNE, self.trunc(y), y);
        let is_odd = self.logical("arith.xori", self.compare(UNE, self.trunc(half), half), is_fraction);
        let r = self.select(is_odd, self.copysign(r, x), r);
        let is_bad = self.logical("arith.andi", is_fraction, self.compare(OLT, x, zero));
        let is_bad = self.select(is_infinite, self.b.int(is_bad.ty(), 0), is_bad);
        let r = self.select(is_bad, self.c(f64::NAN), r);
        let r = self.select(self.compare(UNO, x, y), self.add(x, y), r);
        let is_one = self.logical("arith.ori", self.compare(OEQ, y, zero), self.compare(OEQ, x, one));
        self.select(is_one, one, r)
    }

    /// The remainder of x / y with the sign of x; exact for `f32`, and for `f64` if |x / y| < 2^52
    pub fn remainder(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        let quotient = self.div(x, y);
        let (a, d) = (self.abs(x), self.abs(y));
        let near = self.reduce(a, d);
        let r = if self.ty.is_f32() {
            let is_near = self.compare(OLT, self.abs(quotient), self.c(4_194_304.0));
            self.choose(is_near, near, |f| f.far_remainder(a, d))
        } else {
            near
        };
        let infinity = self.c(f64::INFINITY);
        let is_whole = self.logical("arith.andi", self.compare(OEQ, d, infinity), self.compare(OLT, a, infinity));
        self.copysign(self.select(is_whole, a, r), x)
    }

    /// a - trunc(a / d) d in 0..d, if the quotient has no more bits than a number of the type
    fn reduce(&self, a: Value<'c>, d: Value<'c>) -> Value<'c> {
        let quotient = self.trunc(self.div(a, d));
        let r = self.fma(self.neg(quotient), d, a);
        // the quotient was rounded: it may be off by one
        let r = self.select(self.compare(OLT, r, self.c(0.0)), self.add(r, d), r);
        self.select(self.compare(UGE, r, d), self.sub(r, d), r)
    }

    /// The same for any quotient of `f32`: 52 bits of it at a time, in `f64`
    fn far_remainder(&self, a: Value<'c>, d: Value<'c>) -> Value<'c> {
        let wide = Float::new(self.b, Type::f64(self.b.context()));
        let widen = |value: Value<'c>| self.b.value("arith.extf", &[value], wide.ty, &[]);
        let (mut r, d) = (widen(a), widen(d));
        for bits in [260, 208, 156, 104, 52, 0] {
            r = wide.reduce(r, wide.mul(d, wide.c(2f64.powi(bits))));
        }
        self.b.value("arith.truncf", &[r], self.ty, &[])
    }

    /// `a` if the condition holds, else what `otherwise` computes then
    fn choose(&self, condition: Value<'c>, a: Value<'c>, otherwise: impl FnOnce(&Self) -> Value<'c>) -> Value<'c> {
        let op = self.b.op_with_regions("scf.if", &[condition], &[a.ty()], &[], &[Some(&[]), Some(&[])]);
        if let (Some(then), Some(other)) = (op.body(0), op.body(1)) {
            self.b.inside(then).op("scf.yield", &[a], &[], &[]);
            let inside = Self { b: self.b.inside(other), ty: self.ty, int: self.int };
            let value = otherwise(&inside);
            inside.b.op("scf.yield", &[value], &[], &[]);
        }
        op.result(0)
    }

    //--- trigonometry ---------------------------------------------------------------------

    /// x = n pi/2 + r: n as an integer, sin r, cos r
    fn quadrant(&self, x: Value<'c>) -> (Value<'c>, Value<'c>, Value<'c>) {
        let (n, integer) = self.round(x, std::f64::consts::FRAC_2_PI);
        let r = self.fma(n, self.c(-1.570_796_01), x);
        let r = self.fma(n, self.c(-3.139_164_73e-7), r);
        let r = self.fma(n, self.c(-5.390_302_53e-15), r);
        let s = self.mul(r, r);
        let p = self.polynomial(s, &[2.865_679_56e-6, -1.985_591_23e-4, 8.333_385_92e-3, -1.666_666_72e-1]);
        let sin = self.fma(p, self.mul(r, s), r);
        let cos = self.polynomial(s, &[2.446_770_67e-5, -1.388_772_97e-3, 4.166_665_67e-2, -0.5, 1.0]);
        (integer, sin, cos)
    }

    fn has_bit(&self, n: Value<'c>, bit: i64) -> Value<'c> {
        let context = self.b.context();
        let masked = self.integer("arith.andi", n, self.i(bit));
        self.b.value("arith.cmpi", &[masked, self.i(0)], Type::int(context, 1), &[("predicate", Attribute::i64(context, 1))])
    }

    fn sine(&self, n: Value<'c>, sin: Value<'c>, cos: Value<'c>) -> Value<'c> {
        let value = self.select(self.has_bit(n, 1), cos, sin);
        self.select(self.has_bit(n, 2), self.neg(value), value)
    }

    /// sin x
    pub fn sin(&self, x: Value<'c>) -> Value<'c> {
        let (n, sin, cos) = self.quadrant(x);
        self.sine(n, sin, cos)
    }

    /// cos x = sin(x + pi/2)
    pub fn cos(&self, x: Value<'c>) -> Value<'c> {
        let (n, sin, cos) = self.quadrant(x);
        self.sine(self.integer("arith.addi", n, self.i(1)), sin, cos)
    }

    /// tan x: sin r / cos r, or -cos r / sin r
    pub fn tan(&self, x: Value<'c>) -> Value<'c> {
        let (n, sin, cos) = self.quadrant(x);
        let is_odd = self.has_bit(n, 1);
        self.div(self.select(is_odd, self.neg(cos), sin), self.select(is_odd, sin, cos))
    }
}
