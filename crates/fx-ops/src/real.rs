//! Formulas on floats inside a loop body, with operators: `2.0 * x * q - p` instead of nested calls.
//!
//! A [`Real`] knows its [`Reals`], which knows where code goes now: inside a loop or a branch the operators build there,
//! whatever block their operands come from.

use std::cell::Cell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use fx_ir::{Type, Value};

use crate::scalar::{Compare, Number, Scalars};

/// Where reals are built, and their type.
pub struct Reals<'c> {
    at: Cell<Scalars<'c>>,
    ty: Type<'c>,
}

/// A float.
#[derive(Clone, Copy)]
pub struct Real<'a, 'c> {
    m: &'a Reals<'c>,
    value: Value<'c>,
}

/// A condition.
#[derive(Clone, Copy)]
pub struct Truth<'a, 'c> {
    m: &'a Reals<'c>,
    value: Value<'c>,
}

/// A float or a constant.
pub trait Operand<'a, 'c>: Copy {
    /// As a float of `m`.
    fn real(self, m: &'a Reals<'c>) -> Real<'a, 'c>;
}

impl<'a, 'c> Operand<'a, 'c> for Real<'a, 'c> {
    fn real(self, _: &'a Reals<'c>) -> Real<'a, 'c> {
        self
    }
}

impl<'a, 'c> Operand<'a, 'c> for f64 {
    fn real(self, m: &'a Reals<'c>) -> Real<'a, 'c> {
        m.c(self)
    }
}

/// A function of `N` floats as the body of a row: computed in `f64`, rounded once to the operands' type.
pub fn in_f64<'c, const N: usize>(
    s: &Scalars<'c>,
    operands: &[Number<'c>],
    function: impl for<'a> FnOnce(&'a Reals<'c>, [Real<'a, 'c>; N]) -> Real<'a, 'c>,
) -> Number<'c> {
    let m = Reals { at: Cell::new(*s), ty: Type::f64(s.context()) };
    let wide: Vec<_> = operands.iter().map(|number| s.cast(*number, m.ty)).collect();
    let result = function(&m, m.reals(&wide)).number();
    s.cast(result, operands[0].ty)
}

/// A function of the parts of a complex number, as [`in_f64`].
pub fn complex_in_f64<'c>(
    s: &Scalars<'c>,
    z: Number<'c>,
    function: impl for<'a> FnOnce(&'a Reals<'c>, [Real<'a, 'c>; 2]) -> [Real<'a, 'c>; 2],
) -> Number<'c> {
    let m = Reals { at: Cell::new(*s), ty: Type::f64(s.context()) };
    let (re, im) = s.parts(z);
    let [x, y] = function(&m, m.reals(&[s.cast(re, m.ty), s.cast(im, m.ty)])).map(|part| s.cast(part.number(), re.ty));
    s.complex(x, y)
}

impl<'c> Reals<'c> {
    /// A constant.
    pub fn c(&self, value: f64) -> Real<'_, 'c> {
        Real { m: self, value: self.at.get().constant(self.ty, value).value }
    }

    fn reals<const N: usize>(&self, numbers: &[Number<'c>]) -> [Real<'_, 'c>; N] {
        std::array::from_fn(|i| Real { m: self, value: numbers[i].value })
    }

    /// Builds with `s` for a while.
    fn inside<T>(&self, s: &Scalars<'c>, build: impl FnOnce() -> T) -> T {
        let outer = self.at.replace(*s);
        let result = build();
        self.at.set(outer);
        result
    }

    /// `while condition(values) { values = next(values) }`
    pub fn while_loop<'a, const N: usize>(
        &'a self,
        init: [Real<'a, 'c>; N],
        condition: impl FnOnce([Real<'a, 'c>; N]) -> Truth<'a, 'c>,
        next: impl FnOnce([Real<'a, 'c>; N]) -> [Real<'a, 'c>; N],
    ) -> [Real<'a, 'c>; N] {
        let results = self.at.get().while_loop(
            &init.map(Real::number),
            |s, values| self.inside(s, || condition(self.reals(values)).number()),
            |s, values| self.inside(s, || next(self.reals(values)).map(Real::number).to_vec()),
        );
        self.reals(&results)
    }

    /// `for i in 0..count { values = next(i, values) }`
    pub fn for_range<'a, const N: usize>(
        &'a self,
        count: i64,
        init: [Real<'a, 'c>; N],
        next: impl FnOnce(Real<'a, 'c>, [Real<'a, 'c>; N]) -> [Real<'a, 'c>; N],
    ) -> [Real<'a, 'c>; N] {
        let s = self.at.get();
        let count = s.int(Type::index(s.context()), count);
        let results = s.for_range(count, &init.map(Real::number), |s, i, values| {
            self.inside(s, || {
                let i = Real { m: self, value: s.cast(i, self.ty).value };
                next(i, self.reals(values)).map(Real::number).to_vec()
            })
        });
        self.reals(&results)
    }

    /// `if condition { then } else { otherwise }`: only one side is computed.
    pub fn choose<'a>(
        &'a self,
        condition: Truth<'a, 'c>,
        then: impl FnOnce() -> Real<'a, 'c>,
        otherwise: impl FnOnce() -> Real<'a, 'c>,
    ) -> Real<'a, 'c> {
        let results = self.at.get().choose(
            condition.number(),
            &[self.ty],
            |s| vec![self.inside(s, || then().number())],
            |s| vec![self.inside(s, || otherwise().number())],
        );
        Real { m: self, value: results[0].value }
    }
}

impl<'a, 'c> Real<'a, 'c> {
    fn number(self) -> Number<'c> {
        Number { value: self.value, ty: self.m.ty }
    }

    fn op(self, name: &str, others: &[Real<'a, 'c>]) -> Self {
        let operands: Vec<_> = std::iter::once(&self).chain(others).map(|real| real.number()).collect();
        Self { m: self.m, value: self.m.at.get().op(name, &operands).value }
    }

    fn compare(self, predicate: Compare, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        let other = other.real(self.m).number();
        Truth { m: self.m, value: self.m.at.get().compare(predicate, self.number(), other).value }
    }

    //--- comparisons: false where a side is NaN, but for `differs` ---------------

    /// `self < other`
    pub fn lt(self, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        self.compare(Compare::Lt, other)
    }
    /// `self <= other`
    pub fn le(self, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        self.compare(Compare::Le, other)
    }
    /// `self > other`
    pub fn gt(self, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        self.compare(Compare::Gt, other)
    }
    /// `self >= other`
    pub fn ge(self, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        self.compare(Compare::Ge, other)
    }
    /// `self = other`
    pub fn equals(self, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        self.compare(Compare::Eq, other)
    }
    /// `self != other`, or one is NaN
    pub fn differs(self, other: impl Operand<'a, 'c>) -> Truth<'a, 'c> {
        self.compare(Compare::Ne, other)
    }
    /// Whether it is plus or minus infinity.
    pub fn is_infinite(self) -> Truth<'a, 'c> {
        self.abs().equals(f64::INFINITY)
    }
    /// Whether it is a whole number; so are infinities.
    pub fn is_whole(self) -> Truth<'a, 'c> {
        self.floor().equals(self)
    }

    //--- functions -----------------------------------------------------------------

    /// `|x|`
    pub fn abs(self) -> Self {
        self.op("math.absf", &[])
    }
    /// The whole number below.
    pub fn floor(self) -> Self {
        self.op("math.floor", &[])
    }
    /// The whole number towards zero.
    pub fn trunc(self) -> Self {
        self.op("math.trunc", &[])
    }
    /// The nearest whole number, of two the even one.
    pub fn round(self) -> Self {
        self.op("math.roundeven", &[])
    }
    /// The magnitude of `self` with the sign of `sign`.
    pub fn copysign(self, sign: Self) -> Self {
        self.op("math.copysign", &[sign])
    }
    /// `x^1/2`
    pub fn sqrt(self) -> Self {
        self.op("math.sqrt", &[])
    }
    /// `e^x`
    pub fn exp(self) -> Self {
        self.op("math.exp", &[])
    }
    /// `e^x - 1`: what the power lost to rounding cancels in `(p - 1) x / ln p` (Kahan), 0 and infinities apart.
    pub fn exp_m1(self) -> Self {
        let power = self.exp();
        let result = (power - 1.0) * self / power.ln();
        let lost = power.equals(1.0).select(self, result);
        (power.equals(0.0) | power.is_infinite()).select(power - 1.0, lost)
    }
    /// The natural logarithm.
    pub fn ln(self) -> Self {
        self.op("math.log", &[])
    }
    /// `ln(1 + x)`
    pub fn ln_1p(self) -> Self {
        self.op("math.log1p", &[])
    }
    /// `x^power`
    pub fn powf(self, power: Self) -> Self {
        self.op("math.powf", &[power])
    }
    /// The sine.
    pub fn sin(self) -> Self {
        self.op("math.sin", &[])
    }
    /// The cosine.
    pub fn cos(self) -> Self {
        self.op("math.cos", &[])
    }
    /// The inverse of the cosine.
    pub fn acos(self) -> Self {
        self.op("math.acos", &[])
    }
    /// The inverse of the hyperbolic sine.
    pub fn asinh(self) -> Self {
        self.op("math.asinh", &[])
    }
    /// The angle of the point `(x, self)`.
    pub fn atan2(self, x: Self) -> Self {
        self.op("math.atan2", &[x])
    }
    /// The complementary error function.
    pub fn erfc(self) -> Self {
        self.op("math.erfc", &[])
    }

    /// A polynomial in `self` by Horner's rule, coefficients from the highest power down.
    pub fn polynomial(self, coefficients: &[f64]) -> Self {
        let (first, rest) = coefficients.split_first().unwrap_or((&0.0, &[]));
        rest.iter().fold(self.m.c(*first), |sum, coefficient| sum * self + *coefficient)
    }

    /// `sum_k term(k) x^k` for k in 0..count.
    pub fn series(self, count: u32, term: impl Fn(u32) -> f64) -> Self {
        self.polynomial(&(0..count).rev().map(term).collect::<Vec<_>>())
    }

    /// `sum_k c_k T_k(x)` by Clenshaw's recurrence, |x| <= 1 (DLMF 3.11.15).
    pub fn chebyshev(self, coefficients: &[f64]) -> Self {
        let [first, middle @ .., last] = coefficients else {
            return self.m.c(coefficients.iter().sum());
        };
        let twice = self + self;
        let (mut next, mut after) = (self.m.c(*last), self.m.c(0.0));
        for coefficient in middle.iter().rev() {
            (next, after) = (twice * next - after + *coefficient, next);
        }
        self * next - after + *first
    }
}

impl<'a, 'c> Truth<'a, 'c> {
    fn number(self) -> Number<'c> {
        Number { value: self.value, ty: self.value.ty() }
    }

    /// `self ? a : b`
    pub fn select(self, a: impl Operand<'a, 'c>, b: impl Operand<'a, 'c>) -> Real<'a, 'c> {
        let (a, b) = (a.real(self.m).number(), b.real(self.m).number());
        Real { m: self.m, value: self.m.at.get().select(self.number(), a, b).value }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident)*) => { $(
        impl<'a, 'c> $trait for Real<'a, 'c> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self { m: self.m, value: self.m.at.get().$method(self.number(), other.number()).value }
            }
        }
        impl<'a, 'c> $trait<f64> for Real<'a, 'c> {
            type Output = Self;
            fn $method(self, other: f64) -> Self {
                $trait::$method(self, self.m.c(other))
            }
        }
        impl<'a, 'c> $trait<Real<'a, 'c>> for f64 {
            type Output = Real<'a, 'c>;
            fn $method(self, other: Real<'a, 'c>) -> Real<'a, 'c> {
                $trait::$method(other.m.c(self), other)
            }
        }
    )* };
}

operators! { Add add Sub sub Mul mul Div div }

impl Neg for Real<'_, '_> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { m: self.m, value: self.m.at.get().neg(self.number()).value }
    }
}

impl BitAnd for Truth<'_, '_> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self { m: self.m, value: self.m.at.get().and(self.number(), other.number()).value }
    }
}

impl BitOr for Truth<'_, '_> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self { m: self.m, value: self.m.at.get().or(self.number(), other.number()).value }
    }
}

impl Not for Truth<'_, '_> {
    type Output = Self;
    fn not(self) -> Self {
        Self { m: self.m, value: self.m.at.get().not(self.number()).value }
    }
}
