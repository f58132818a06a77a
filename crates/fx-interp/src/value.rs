//! Values of a program: arrays and numbers.

use std::sync::Arc;

use crate::array::{Array, Category, Complex, DType, Data, Element, category};

/// A number: PyTorch's Scalar, or a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// `i64` and `index`.
    Int(i64),
    /// `f64`.
    Float(f64),
    /// `i1`.
    Bool(bool),
    /// `complex<f64>`.
    Complex(Complex),
}

impl Number {
    /// As a float; a complex number without its imaginary part.
    pub fn float(self) -> f64 {
        match self {
            Number::Int(x) => x as f64,
            Number::Float(x) => x,
            Number::Bool(x) => f64::from(u8::from(x)),
            Number::Complex(z) => z.re,
        }
    }

    /// As an integer: floats truncate.
    pub fn int(self) -> i64 {
        match self {
            Number::Int(x) => x,
            Number::Bool(x) => i64::from(x),
            Number::Float(_) | Number::Complex(_) => self.float() as i64,
        }
    }

    /// Whether it is not 0.
    pub fn truth(self) -> bool {
        match self {
            Number::Int(x) => x != 0,
            Number::Float(x) => x != 0.0,
            Number::Bool(x) => x,
            Number::Complex(z) => z.re != 0.0 || z.im != 0.0,
        }
    }

    /// As a complex number.
    pub fn complex(self) -> Complex {
        match self {
            Number::Complex(z) => z,
            number => Complex::from(number.float()),
        }
    }

    /// The element type that holds it exactly.
    pub fn exact_dtype(self) -> DType {
        match self {
            Number::Int(_) => DType::I64,
            Number::Float(_) => DType::F64,
            Number::Bool(_) => DType::Bool,
            Number::Complex(_) => DType::C128,
        }
    }

    /// The element type that it counts as in type promotion.
    pub fn default_dtype(self) -> DType {
        match self {
            Number::Int(_) => DType::I64,
            Number::Float(_) => DType::F32,
            Number::Bool(_) => DType::Bool,
            Number::Complex(_) => DType::C64,
        }
    }

    /// The number in the kind that `dtype` computes in, not rounded.
    #[must_use]
    pub fn in_category(self, dtype: DType) -> Number {
        match category(dtype) {
            Category::Bool => Number::Bool(self.truth()),
            Category::Int => Number::Int(self.int()),
            Category::Float => Number::Float(self.float()),
            Category::Complex => Number::Complex(self.complex()),
        }
    }

    /// `count` elements of this number, rounded to `dtype`.
    pub(crate) fn data(self, dtype: DType, count: usize) -> Data {
        match self {
            Number::Int(x) => i64::store(vec![x; count], dtype),
            Number::Float(x) => f64::store(vec![x; count], dtype),
            Number::Bool(x) => bool::store(vec![x; count], dtype),
            Number::Complex(z) => Complex::store(vec![z; count], dtype),
        }
    }

    /// An array without dims that holds it exactly.
    pub fn array(self) -> Array {
        Array::scalar(self.exact_dtype(), self)
    }
}

/// A value of the program.
#[derive(Debug, Clone)]
pub enum Value {
    /// A tensor.
    Array(Arc<Array>),
    /// A number.
    Number(Number),
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Value::Array(Arc::new(array))
    }
}
impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Value::Number(number)
    }
}

impl Value {
    /// As an array: a number becomes one without dims, exactly.
    pub fn to_array(&self) -> Array {
        match self {
            Value::Array(array) => array.as_ref().clone(),
            Value::Number(number) => number.array(),
        }
    }

    /// As a number, if it is one or an array of one element.
    pub fn to_number(&self) -> Option<Number> {
        match self {
            Value::Array(array) => array.item().ok(),
            Value::Number(number) => Some(*number),
        }
    }
}
