//! Elements that can be added and multiplied.

use crate::array::{Complex, DType, Element, category};
use crate::value::Number;

/// f64, i64 (modulo 2^64), bool (or, and), complex numbers.
pub(in crate::ops) trait Ring: Element {
    const ZERO: Self;
    const ONE: Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    #[must_use]
    fn conjugate(self) -> Self {
        self
    }
    /// Whether it, or a part of it, is NaN.
    fn is_nan(self) -> bool {
        false
    }
    fn of(number: Number) -> Self;
}

impl Ring for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    fn plus(self, other: f64) -> f64 {
        self + other
    }
    fn times(self, other: f64) -> f64 {
        self * other
    }
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
    fn of(number: Number) -> f64 {
        number.float()
    }
}

impl Ring for i64 {
    const ZERO: i64 = 0;
    const ONE: i64 = 1;
    fn plus(self, other: i64) -> i64 {
        self.wrapping_add(other)
    }
    fn times(self, other: i64) -> i64 {
        self.wrapping_mul(other)
    }
    fn of(number: Number) -> i64 {
        number.int()
    }
}

impl Ring for bool {
    const ZERO: bool = false;
    const ONE: bool = true;
    fn plus(self, other: bool) -> bool {
        self || other
    }
    fn times(self, other: bool) -> bool {
        self && other
    }
    fn of(number: Number) -> bool {
        number.truth()
    }
}

impl Ring for Complex {
    const ZERO: Complex = Complex { re: 0.0, im: 0.0 };
    const ONE: Complex = Complex::ONE;
    fn plus(self, other: Complex) -> Complex {
        self + other
    }
    fn times(self, other: Complex) -> Complex {
        self * other
    }
    fn conjugate(self) -> Complex {
        self.conj()
    }
    fn is_nan(self) -> bool {
        Complex::is_nan(self)
    }
    fn of(number: Number) -> Complex {
        number.complex()
    }
}

/// The sum of elements.
pub(in crate::ops) fn sum<T: Ring>(elements: impl IntoIterator<Item = T>) -> T {
    elements.into_iter().fold(T::ZERO, T::plus)
}

/// The widest type of a kind of numbers: what has it is not rounded.
pub(in crate::ops) fn widest(dtype: DType) -> DType {
    use crate::array::Category;
    match category(dtype) {
        Category::Bool => DType::Bool,
        Category::Int => DType::I64,
        Category::Float => DType::F64,
        Category::Complex => DType::C128,
    }
}
