//! Writing several values to places, of which some may be the same.

use std::collections::BTreeMap;

use crate::array::{Array, Complex, DType, Element, wrap_int};
use crate::{Result, each_kind};

/// What becomes of the values for one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combine {
    /// The last one stays.
    Replace,
    /// Sum; of bools "or".
    Sum,
    /// Product; of bools "and".
    Product,
    /// Sum by number, of integers rounded down.
    Mean,
    /// Greatest; NaN if there is one.
    Greatest,
    /// Least; NaN if there is one.
    Least,
}

impl Combine {
    /// By the name that PyTorch has for it.
    pub(super) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "add" | "sum" => Combine::Sum,
            "multiply" | "prod" => Combine::Product,
            "mean" => Combine::Mean,
            "amax" => Combine::Greatest,
            "amin" => Combine::Least,
            _ => return Err(format!("has reduction '{name}', which is not known")),
        })
    }
}

/// `base` with `values[k]` combined into place `places[k]`; the element that is there counts too with `include_self`.
/// Places without values keep theirs. Values may have a wider type than `base`: results are rounded once.
pub(super) fn write(base: &Array, places: &[usize], values: &Array, how: Combine, include_self: bool) -> Result<Array> {
    if places.len() != values.len() {
        return Err(format!("writes {} values to {} places", values.len(), places.len()));
    }
    let dtype = base.dtype();
    each_kind!(dtype, T => {
        let mut result = base.values::<T>();
        let mut groups: BTreeMap<usize, Vec<T>> = BTreeMap::new();
        for (place, value) in places.iter().zip(values.values::<T>()) {
            groups.entry(*place).or_default().push(value);
        }
        for (place, mut group) in groups {
            let element = result.get_mut(place).ok_or_else(|| format!("writes to place {place} of {} elements", base.len()))?;
            if include_self {
                group.insert(0, *element);
            }
            *element = combined(&group, how, dtype)?.unwrap_or(*element);
        }
        Array::new(dtype, base.shape(), result)
    })
}

fn combined<T: Arithmetic>(group: &[T], how: Combine, dtype: DType) -> Result<Option<T>> {
    let all = group.iter().copied();
    Ok(match how {
        Combine::Replace => all.last(),
        Combine::Sum => all.reduce(T::plus),
        Combine::Product => all.reduce(T::times),
        Combine::Mean => all.reduce(T::plus).map(|sum| sum.over(group.len(), dtype)).transpose()?,
        Combine::Greatest => T::extreme(group, false)?,
        Combine::Least => T::extreme(group, true)?,
    })
}

/// What combining needs of numbers.
trait Arithmetic: Element {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, count: usize, dtype: DType) -> Result<Self>;
    fn extreme(group: &[Self], least: bool) -> Result<Option<Self>>;
}

impl Arithmetic for f64 {
    fn plus(self, other: f64) -> f64 {
        self + other
    }
    fn times(self, other: f64) -> f64 {
        self * other
    }
    fn over(self, count: usize, _: DType) -> Result<f64> {
        Ok(self / count as f64)
    }
    fn extreme(group: &[f64], least: bool) -> Result<Option<f64>> {
        let choose = if least { crate::ops::minimum } else { crate::ops::maximum };
        Ok(group.iter().copied().reduce(choose))
    }
}

impl Arithmetic for i64 {
    fn plus(self, other: i64) -> i64 {
        self.wrapping_add(other)
    }
    fn times(self, other: i64) -> i64 {
        self.wrapping_mul(other)
    }
    fn over(self, count: usize, dtype: DType) -> Result<i64> {
        // the sum is of the type before it is divided
        Ok(wrap_int(dtype, self).div_euclid(count as i64))
    }
    fn extreme(group: &[i64], least: bool) -> Result<Option<i64>> {
        let all = group.iter().copied();
        Ok(if least { all.min() } else { all.max() })
    }
}

impl Arithmetic for bool {
    fn plus(self, other: bool) -> bool {
        self || other
    }
    fn times(self, other: bool) -> bool {
        self && other
    }
    fn over(self, _: usize, _: DType) -> Result<bool> {
        Err("has no mean of bools".into())
    }
    fn extreme(group: &[bool], least: bool) -> Result<Option<bool>> {
        let all = group.iter().copied();
        Ok(if least { all.min() } else { all.max() })
    }
}

impl Arithmetic for Complex {
    fn plus(self, other: Complex) -> Complex {
        self + other
    }
    fn times(self, other: Complex) -> Complex {
        self * other
    }
    fn over(self, count: usize, _: DType) -> Result<Complex> {
        Ok(Complex::new(self.re / count as f64, self.im / count as f64))
    }
    fn extreme(_: &[Complex], _: bool) -> Result<Option<Complex>> {
        Err("has complex operands, which have no order".into())
    }
}
