//! Elements: how numbers are held while ops compute, and their conversions.

use super::{Category, Complex, DType, category, real_part, round_float, wrap_int};
use crate::value::Number;

/// Elements in the type that ops compute in.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// Any float type.
    Float(Vec<f64>),
    /// Any integer type.
    Int(Vec<i64>),
    /// Truth values.
    Bool(Vec<bool>),
    /// Both complex types.
    Complex(Vec<Complex>),
}

/// A type that ops compute in: f64, i64, bool, [`Complex`].
pub trait Element: Copy {
    /// Elements of any kind as this one.
    fn read(data: &Data) -> Vec<Self>;
    /// Elements converted and rounded to `dtype`.
    fn store(values: Vec<Self>, dtype: DType) -> Data;
}

/// A float as an integer: truncated; what no `i64` holds gives the least one, as processors do.
fn truncate(x: f64) -> i64 {
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    if (-BOUND..BOUND).contains(&x) { x as i64 } else { i64::MIN }
}

/// Integers as a float type, rounded once.
fn float_of_int(dtype: DType, x: i64) -> f64 {
    match dtype {
        DType::F64 => x as f64,
        dtype => round_float(dtype, f64::from(x as f32)),
    }
}

fn round_complex(dtype: DType, z: Complex) -> Complex {
    let part = real_part(dtype);
    Complex::new(round_float(part, z.re), round_float(part, z.im))
}

impl Element for f64 {
    fn read(data: &Data) -> Vec<f64> {
        match data {
            Data::Float(values) => values.clone(),
            Data::Int(values) => values.iter().map(|x| *x as f64).collect(),
            Data::Bool(values) => values.iter().map(|x| f64::from(u8::from(*x))).collect(),
            Data::Complex(values) => values.iter().map(|z| z.re).collect(),
        }
    }

    fn store(values: Vec<f64>, dtype: DType) -> Data {
        match category(dtype) {
            Category::Float => Data::Float(values.into_iter().map(|x| round_float(dtype, x)).collect()),
            Category::Int => Data::Int(values.into_iter().map(|x| wrap_int(dtype, truncate(x))).collect()),
            Category::Bool => Data::Bool(values.into_iter().map(|x| x != 0.0).collect()),
            Category::Complex => Complex::store(values.into_iter().map(Complex::from).collect(), dtype),
        }
    }
}

impl Element for i64 {
    fn read(data: &Data) -> Vec<i64> {
        match data {
            Data::Float(values) => values.iter().map(|x| truncate(*x)).collect(),
            Data::Int(values) => values.clone(),
            Data::Bool(values) => values.iter().map(|x| i64::from(*x)).collect(),
            Data::Complex(values) => values.iter().map(|z| truncate(z.re)).collect(),
        }
    }

    fn store(values: Vec<i64>, dtype: DType) -> Data {
        match category(dtype) {
            Category::Float => Data::Float(values.into_iter().map(|x| float_of_int(dtype, x)).collect()),
            Category::Int => Data::Int(values.into_iter().map(|x| wrap_int(dtype, x)).collect()),
            Category::Bool => Data::Bool(values.into_iter().map(|x| x != 0).collect()),
            Category::Complex => {
                let part = real_part(dtype);
                Data::Complex(values.into_iter().map(|x| Complex::from(float_of_int(part, x))).collect())
            }
        }
    }
}

impl Element for bool {
    fn read(data: &Data) -> Vec<bool> {
        match data {
            Data::Float(values) => values.iter().map(|x| *x != 0.0).collect(),
            Data::Int(values) => values.iter().map(|x| *x != 0).collect(),
            Data::Bool(values) => values.clone(),
            Data::Complex(values) => values.iter().map(|z| z.re != 0.0 || z.im != 0.0).collect(),
        }
    }

    fn store(values: Vec<bool>, dtype: DType) -> Data {
        match category(dtype) {
            Category::Bool => Data::Bool(values),
            _ => i64::store(values.into_iter().map(i64::from).collect(), dtype),
        }
    }
}

impl Element for Complex {
    fn read(data: &Data) -> Vec<Complex> {
        match data {
            Data::Complex(values) => values.clone(),
            data => f64::read(data).into_iter().map(Complex::from).collect(),
        }
    }

    fn store(values: Vec<Complex>, dtype: DType) -> Data {
        match category(dtype) {
            Category::Complex => Data::Complex(values.into_iter().map(|z| round_complex(dtype, z)).collect()),
            Category::Bool => Data::Bool(values.into_iter().map(|z| z.re != 0.0 || z.im != 0.0).collect()),
            _ => f64::store(values.into_iter().map(|z| z.re).collect(), dtype),
        }
    }
}

impl Data {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Data::Float(values) => values.len(),
            Data::Int(values) => values.len(),
            Data::Bool(values) => values.len(),
            Data::Complex(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One element.
    pub fn number(&self, offset: usize) -> Option<Number> {
        match self {
            Data::Float(values) => values.get(offset).copied().map(Number::Float),
            Data::Int(values) => values.get(offset).copied().map(Number::Int),
            Data::Bool(values) => values.get(offset).copied().map(Number::Bool),
            Data::Complex(values) => values.get(offset).copied().map(Number::Complex),
        }
    }

    /// Conversion from one element type to another.
    pub(super) fn cast(&self, from: DType, to: DType) -> Data {
        if from == to {
            return self.clone();
        }
        match self {
            Data::Float(values) => f64::store(values.clone(), to),
            Data::Int(values) => i64::store(values.clone(), to),
            Data::Bool(values) => bool::store(values.clone(), to),
            Data::Complex(values) => Complex::store(values.clone(), to),
        }
    }

    /// The elements at these places, or `fill` where there is none; `fill` is of this kind.
    pub(super) fn pick(&self, places: &[Option<usize>], fill: Number) -> Option<Data> {
        fn all<T: Copy>(values: &[T], places: &[Option<usize>], fill: T) -> Option<Vec<T>> {
            places.iter().map(|place| place.map_or(Some(fill), |place| values.get(place).copied())).collect()
        }
        Some(match self {
            Data::Float(values) => Data::Float(all(values, places, fill.float())?),
            Data::Int(values) => Data::Int(all(values, places, fill.int())?),
            Data::Bool(values) => Data::Bool(all(values, places, fill.truth())?),
            Data::Complex(values) => Data::Complex(all(values, places, fill.complex())?),
        })
    }

    /// The elements of parts of one kind, one after another; none if kinds differ.
    pub(super) fn join(parts: &[&Data]) -> Option<Data> {
        macro_rules! join {
            ($kind:ident) => {{
                let mut all = Vec::new();
                for part in parts {
                    let Data::$kind(values) = part else { return None };
                    all.extend_from_slice(values);
                }
                Some(Data::$kind(all))
            }};
        }
        match parts.first()? {
            Data::Float(_) => join!(Float),
            Data::Int(_) => join!(Int),
            Data::Bool(_) => join!(Bool),
            Data::Complex(_) => join!(Complex),
        }
    }
}

/// Runs a body for the type that `dtype` computes in: `each_kind!(dtype, T => body)`.
#[macro_export]
macro_rules! each_kind {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $crate::array::category($dtype) {
            $crate::array::Category::Float => {
                type $T = f64;
                $body
            }
            $crate::array::Category::Int => {
                type $T = i64;
                $body
            }
            $crate::array::Category::Bool => {
                type $T = bool;
                $body
            }
            $crate::array::Category::Complex => {
                type $T = $crate::array::Complex;
                $body
            }
        }
    };
}
