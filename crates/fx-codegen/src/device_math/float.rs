//! Builds arithmetic on floats.

use fx_ir::{Attribute, Builder, Type, Value};

use super::coefficients::Table;

/// Builds arithmetic of one float type.
#[derive(Clone, Copy)]
pub struct Float<'c> {
    pub(super) b: Builder<'c>,
    /// The type that it computes in: `f32` or `f64`.
    pub ty: Type<'c>,
    /// The integer of its width.
    pub(super) int: Type<'c>,
    /// Whether the target has instructions for 2^x and 1 / x: NVIDIA GPUs, for `f32`.
    pub(super) units: bool,
    /// Whether 16 bits of a function are enough.
    pub(super) rough: bool,
}

/// A number as the sum of two, the second one far smaller.
#[derive(Clone, Copy)]
pub(super) struct Sum<'c> {
    pub high: Value<'c>,
    pub low: Value<'c>,
}

/// A predicate of `arith.cmpf`.
#[derive(Clone, Copy)]
#[repr(i64)]
pub(super) enum Is {
    Equal = 1,
    Greater = 2,
    GreaterOrEqual = 3,
    Less = 4,
    /// Or one is NaN.
    NotLess = 10,
    /// Or one is NaN.
    NotEqual = 13,
    /// One is NaN.
    Unordered = 14,
}

impl<'c> Float<'c> {
    /// Computes in `ty` at `b`.
    pub fn new(b: Builder<'c>, ty: Type<'c>) -> Self {
        Self { b, ty, int: Type::int(b.context(), ty.bit_width()), units: false, rough: false }
    }

    /// The same on an NVIDIA GPU, whose approximations are used where they are as exact as an expansion.
    #[must_use]
    pub fn on_gpu(self) -> Self {
        Self { units: self.is_single(), ..self }
    }

    /// The same where results are rounded to 11 bits or fewer: a relative error of 2^-16 is allowed.
    #[must_use]
    pub fn for_halves(self) -> Self {
        Self { rough: true, ..self }
    }

    //--- the type ---------------------------------------------------------------

    pub(super) fn has_units(&self) -> bool {
        self.units
    }
    pub(super) fn is_single(&self) -> bool {
        self.ty.is_f32()
    }
    /// What differs between the types.
    pub(super) fn by_type<T>(&self, single: T, double: T) -> T {
        if self.is_single() { single } else { double }
    }
    pub(super) fn table(&self, table: &'static Table) -> &'static [f64] {
        self.by_type(table.single, table.double)
    }
    /// A constant that is a sum.
    pub(super) fn part(&self, table: &'static Table, index: usize) -> f64 {
        self.table(table).get(index).copied().unwrap_or_default()
    }
    /// Bits of a number's fraction that are stored.
    pub(super) fn fraction_bits(&self) -> i64 {
        self.by_type(23, 52)
    }
    fn bias(&self) -> i64 {
        self.by_type(127, 1023)
    }

    //--- arithmetic -------------------------------------------------------------

    /// A constant.
    pub fn c(&self, value: f64) -> Value<'c> {
        self.b.number(self.ty, value)
    }
    pub(super) fn add(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.addf", &[a, b], self.ty, &[])
    }
    pub(super) fn sub(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.subf", &[a, b], self.ty, &[])
    }
    pub(super) fn mul(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.mulf", &[a, b], self.ty, &[])
    }
    /// `a / b`, rounded correctly
    pub(super) fn div(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.divf", &[a, b], self.ty, &[])
    }
    pub(super) fn neg(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.negf", &[a], self.ty, &[])
    }
    /// `a * b + c`, rounded once
    pub(super) fn fma(&self, a: Value<'c>, b: Value<'c>, c: Value<'c>) -> Value<'c> {
        self.call("llvm.fma", &[a, b, c])
    }
    pub(super) fn abs(&self, a: Value<'c>) -> Value<'c> {
        self.call("llvm.fabs", &[a])
    }
    pub(super) fn copysign(&self, a: Value<'c>, sign: Value<'c>) -> Value<'c> {
        self.call("llvm.copysign", &[a, sign])
    }
    pub(super) fn trunc(&self, a: Value<'c>) -> Value<'c> {
        self.call("llvm.trunc", &[a])
    }
    pub(super) fn sqrt(&self, a: Value<'c>) -> Value<'c> {
        self.call("llvm.sqrt", &[a])
    }

    /// 2^x by the GPU's unit: 1 ulp, subnormal arguments as 0
    pub(super) fn unit_exp2(&self, x: Value<'c>) -> Value<'c> {
        self.call("llvm.nvvm.ex2.approx.ftz.f", &[x])
    }
    /// 1 / x by the GPU's unit: 1 ulp, subnormal arguments and results as 0
    pub(super) fn unit_reciprocal(&self, x: Value<'c>) -> Value<'c> {
        self.call("llvm.nvvm.rcp.approx.ftz.f", &[x])
    }

    /// A call of an LLVM intrinsic, overloaded on the type.
    pub(super) fn call(&self, intrinsic: &str, operands: &[Value<'c>]) -> Value<'c> {
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

    /// Horner's rule, highest power first
    pub(super) fn polynomial(&self, x: Value<'c>, coefficients: &[f64]) -> Value<'c> {
        let (first, rest) = coefficients.split_first().unwrap_or((&0.0, &[]));
        rest.iter().fold(self.c(*first), |sum, coefficient| self.fma(sum, x, self.c(*coefficient)))
    }

    //--- sums -----------------------------------------------------------------------

    /// A number as a sum; LLVM drops the addition of -0
    pub(super) fn exactly(&self, high: Value<'c>) -> Sum<'c> {
        Sum { high, low: self.c(-0.0) }
    }

    /// `a + b` exactly, where |a| >= |b| or a = 0
    pub(super) fn exact_sum(&self, a: Value<'c>, b: Value<'c>) -> Sum<'c> {
        let high = self.add(a, b);
        Sum { high, low: self.add(self.sub(a, high), b) }
    }
    /// `a * b` exactly, unless it is nearly subnormal
    pub(super) fn exact_product(&self, a: Value<'c>, b: Value<'c>) -> Sum<'c> {
        let high = self.mul(a, b);
        Sum { high, low: self.fma(a, b, self.neg(high)) }
    }
    /// `a` times a constant that is a sum
    pub(super) fn times_constant(&self, a: Value<'c>, table: &'static Table) -> Sum<'c> {
        let product = self.exact_product(a, self.c(self.part(table, 0)));
        Sum { high: product.high, low: self.fma(a, self.c(self.part(table, 1)), product.low) }
    }
    /// `a / b`
    pub(super) fn quotient(&self, a: Sum<'c>, b: Sum<'c>) -> Sum<'c> {
        let reciprocal = self.div(self.c(1.0), b.high);
        let high = self.mul(a.high, reciprocal);
        let rest = self.fma(self.neg(high), b.high, a.high);
        let rest = self.fma(self.neg(high), b.low, self.add(rest, a.low));
        Sum { high, low: self.mul(rest, reciprocal) }
    }

    //--- choices ------------------------------------------------------------------

    pub(super) fn is(&self, predicate: Is, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let context = self.b.context();
        self.b.value("arith.cmpf", &[a, b], Type::int(context, 1), &[("predicate", Attribute::i64(context, predicate as i64))])
    }
    pub(super) fn select(&self, condition: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value("arith.select", &[condition, a, b], a.ty(), &[])
    }
    /// `arith.andi`, `ori` or `xori` of conditions
    pub(super) fn logical(&self, name: &str, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value(name, &[a, b], a.ty(), &[])
    }
    /// `a` between `low` and `high`; NaN stays NaN
    pub(super) fn clamp(&self, a: Value<'c>, low: f64, high: f64) -> Value<'c> {
        let (low, high) = (self.c(low), self.c(high));
        let a = self.select(self.is(Is::Less, a, low), low, a);
        self.select(self.is(Is::Greater, a, high), high, a)
    }
    /// `values` if the condition holds, else what `otherwise` computes then
    pub(super) fn choose(
        &self,
        condition: Value<'c>,
        values: &[Value<'c>],
        otherwise: impl FnOnce(&Self) -> Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
        let op = self.b.op_with_regions("scf.if", &[condition], &types, &[], &[Some(&[]), Some(&[])]);
        if let (Some(then), Some(other)) = (op.body(0), op.body(1)) {
            self.b.inside(then).op("scf.yield", values, &[], &[]);
            let inside = Self { b: self.b.inside(other), ..*self };
            let values = otherwise(&inside);
            inside.b.op("scf.yield", &values, &[], &[]);
        }
        op.results()
    }

    //--- bits -----------------------------------------------------------------------

    pub(super) fn i(&self, value: i64) -> Value<'c> {
        self.b.int(self.int, value)
    }
    pub(super) fn integer(&self, name: &str, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        self.b.value(name, &[a, b], self.int, &[])
    }
    pub(super) fn shift(&self, name: &str, a: Value<'c>, bits: i64) -> Value<'c> {
        self.integer(name, a, self.i(bits))
    }
    pub(super) fn float_of_int(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.sitofp", &[a], self.ty, &[])
    }
    pub(super) fn bits(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.bitcast", &[a], self.int, &[])
    }
    pub(super) fn float_of_bits(&self, a: Value<'c>) -> Value<'c> {
        self.b.value("arith.bitcast", &[a], self.ty, &[])
    }
    /// Whether an integer has one of these bits
    pub(super) fn has_bits(&self, a: Value<'c>, bits: i64) -> Value<'c> {
        let context = self.b.context();
        let masked = self.integer("arith.andi", a, self.i(bits));
        self.b.value("arith.cmpi", &[masked, self.i(0)], Type::int(context, 1), &[("predicate", Attribute::i64(context, 1))])
    }
    /// Whether an integer is less than 0
    pub(super) fn is_negative(&self, a: Value<'c>) -> Value<'c> {
        let context = self.b.context();
        self.b.value("arith.cmpi", &[a, self.i(0)], Type::int(context, 1), &[("predicate", Attribute::i64(context, 2))])
    }

    /// `round(x * scale)` as a float and as an integer; |x * scale| < 2^22 and 2^51
    pub(super) fn round(&self, x: Value<'c>, scale: f64) -> (Value<'c>, Value<'c>) {
        // What is added to 1.5 * 2^23 (2^52) is rounded to an integer, which stands in the low bits.
        let rounder = self.c(self.by_type(12_582_912.0, 6_755_399_441_055_744.0));
        let shifted = self.fma(x, self.c(scale), rounder);
        let integer = self.integer("arith.subi", self.bits(shifted), self.bits(rounder));
        (self.sub(shifted, rounder), integer)
    }

    /// `2^n` for an exponent of normal numbers
    pub(super) fn power_of_two(&self, n: Value<'c>) -> Value<'c> {
        let biased = self.integer("arith.addi", n, self.i(self.bias()));
        self.float_of_bits(self.shift("arith.shli", biased, self.fraction_bits()))
    }

    /// `x * 2^n` in two factors, each a normal number: results may overflow or be subnormal
    pub(super) fn scale(&self, x: Value<'c>, n: Value<'c>) -> Value<'c> {
        let half = self.shift("arith.shrsi", n, 1);
        let other = self.integer("arith.subi", n, half);
        self.mul(self.mul(x, self.power_of_two(half)), self.power_of_two(other))
    }

    /// The least normal number
    pub(super) fn least_normal(&self) -> f64 {
        self.by_type(f64::from(f32::MIN_POSITIVE), f64::MIN_POSITIVE)
    }
}
