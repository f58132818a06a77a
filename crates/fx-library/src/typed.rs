//! Typed access to tensors: one dispatch over element types for all functions, lanes along a dim, checked positions.

use fx_runtime::tensor::{Element, HostBuffer};
use fx_runtime::{DType, HostTensor, OpCall, RuntimeError};
use half::{bf16, f16};
use std::borrow::Cow;

/// What a function gives.
pub(crate) type Values = Result<Vec<HostTensor>, String>;

/// An error of the runtime as a function's message.
pub(crate) fn text(error: RuntimeError) -> String {
    error.to_string()
}

/// Numbers that kernels add and multiply. Integers wrap, bools are joined by "or" and "and", halves round each result.
pub(crate) trait Number: Element + PartialEq + std::fmt::Debug {
    /// What PyTorch computes in: f32 for halves.
    type Wide: Number<Wide = Self::Wide>;
    const ZERO: Self;
    const ONE: Self;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The quotient; of integers rounded down, and 0 for a divisor of 0.
    fn over(self, other: Self) -> Self;
    /// A scalar argument: floats are the bits of a double.
    fn from_scalar(bits: i64) -> Self;
    fn from_count(count: usize) -> Self;
}

/// Numbers with an order.
pub(crate) trait Real: Number + PartialOrd {
    /// Not above, not below any number.
    const LOWEST: Self;
    const HIGHEST: Self;
    fn is_nan(self) -> bool;
    /// The larger; NaN if either is.
    fn larger(self, other: Self) -> Self {
        if other.is_nan() || self < other { other } else { self }
    }
    /// The smaller; NaN if either is.
    fn smaller(self, other: Self) -> Self {
        if other.is_nan() || other < self { other } else { self }
    }
}

/// Floats.
pub(crate) trait Float: Real {
    const NAN: Self;
    fn minus(self, other: Self) -> Self;
    fn to_f64(self) -> f64;
    /// Rounded as PyTorch converts doubles: halves through f32.
    fn from_f64(value: f64) -> Self;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            type Wide = Self;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn widen(self) -> Self { self }
            fn narrow(wide: Self) -> Self { wide }
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
            fn times(self, other: Self) -> Self { self.wrapping_mul(other) }
            fn over(self, other: Self) -> Self {
                match other {
                    0 => 0,
                    _ => {
                        let (quotient, rest) = (self.wrapping_div(other), self.wrapping_rem(other));
                        if rest != 0 && (rest > 0) != (other > 0) { quotient.wrapping_sub(1) } else { quotient }
                    }
                }
            }
            fn from_scalar(bits: i64) -> Self { bits as Self }
            fn from_count(count: usize) -> Self { count as Self }
        }
        impl Real for $ty {
            const LOWEST: Self = Self::MIN;
            const HIGHEST: Self = Self::MAX;
            fn is_nan(self) -> bool { false }
        }
    )*};
}
integers!(i64, i32, i16, i8, u8);

impl Number for bool {
    type Wide = Self;
    const ZERO: Self = false;
    const ONE: Self = true;
    fn widen(self) -> Self {
        self
    }
    fn narrow(wide: Self) -> Self {
        wide
    }
    fn plus(self, other: Self) -> Self {
        self | other
    }
    fn times(self, other: Self) -> Self {
        self & other
    }
    fn over(self, other: Self) -> Self {
        self & other
    }
    fn from_scalar(bits: i64) -> Self {
        bits != 0
    }
    fn from_count(count: usize) -> Self {
        count != 0
    }
}

impl Real for bool {
    const LOWEST: Self = false;
    const HIGHEST: Self = true;
    fn is_nan(self) -> bool {
        false
    }
}

macro_rules! floats {
    ($($ty:ty: $wide:ty, $one:expr, $value:ident => $to_wide:expr, $from_wide:expr;)*) => {$(
        impl Number for $ty {
            type Wide = $wide;
            const ZERO: Self = <$ty>::from_bits(0);
            const ONE: Self = $one;
            fn widen(self) -> $wide { let $value = self; $to_wide }
            fn narrow($value: $wide) -> Self { $from_wide }
            fn plus(self, other: Self) -> Self { Self::narrow(self.widen() + other.widen()) }
            fn times(self, other: Self) -> Self { Self::narrow(self.widen() * other.widen()) }
            fn over(self, other: Self) -> Self { Self::narrow(self.widen() / other.widen()) }
            fn from_scalar(bits: i64) -> Self { Self::from_f64(f64::from_bits(bits as u64)) }
            fn from_count(count: usize) -> Self { Self::narrow(count as $wide) }
        }
        impl Real for $ty {
            const LOWEST: Self = <$ty>::NEG_INFINITY;
            const HIGHEST: Self = <$ty>::INFINITY;
            fn is_nan(self) -> bool { <$ty>::is_nan(self) }
        }
        impl Float for $ty {
            const NAN: Self = <$ty>::NAN;
            fn minus(self, other: Self) -> Self { Self::narrow(self.widen() - other.widen()) }
            fn to_f64(self) -> f64 { f64::from(self) }
            fn from_f64(value: f64) -> Self { Self::narrow(value as $wide) }
        }
    )*};
}
floats! {
    f64: f64, 1.0, x => x, x;
    f32: f32, 1.0, x => x, x;
    f16: f32, f16::ONE, x => x.to_f32(), f16::from_f32(x);
    bf16: f32, bf16::ONE, x => x.to_f32(), bf16::from_f32(x);
}

macro_rules! complexes {
    ($($part:ty),*) => {$(
        impl Number for [$part; 2] {
            type Wide = Self;
            const ZERO: Self = [0.0, 0.0];
            const ONE: Self = [1.0, 0.0];
            fn widen(self) -> Self { self }
            fn narrow(wide: Self) -> Self { wide }
            fn plus(self, other: Self) -> Self { [self[0] + other[0], self[1] + other[1]] }
            fn times(self, other: Self) -> Self {
                [self[0] * other[0] - self[1] * other[1], self[0] * other[1] + self[1] * other[0]]
            }
            fn over(self, other: Self) -> Self {
                let size = other[0] * other[0] + other[1] * other[1];
                let product = self.times([other[0], -other[1]]);
                [product[0] / size, product[1] / size]
            }
            fn from_scalar(bits: i64) -> Self { [f64::from_bits(bits as u64) as $part, 0.0] }
            fn from_count(count: usize) -> Self { [count as $part, 0.0] }
        }
    )*};
}
complexes!(f32, f64);

/// Evaluates `$body` with `$t` the type of the floats of `$dtype`.
macro_rules! with_float {
    ($dtype:expr, $t:ident => $body:expr) => {
        $crate::typed::dispatch!($dtype, $t => $body, F64 f64, F32 f32, F16 half::f16, BF16 half::bf16)
    };
}
/// Evaluates `$body` with `$t` the type of the ordered elements of `$dtype`.
macro_rules! with_real {
    ($dtype:expr, $t:ident => $body:expr) => {
        $crate::typed::dispatch!($dtype, $t => $body, F64 f64, F32 f32, F16 half::f16, BF16 half::bf16, I64 i64, I32 i32, I16 i16, I8 i8, U8 u8, Bool bool)
    };
}
/// Evaluates `$body` with `$t` the type of the numbers of `$dtype`.
macro_rules! with_number {
    ($dtype:expr, $t:ident => $body:expr) => {
        $crate::typed::dispatch!($dtype, $t => $body, F64 f64, F32 f32, F16 half::f16, BF16 half::bf16, I64 i64, I32 i32, I16 i16, I8 i8, U8 u8, Bool bool, C64 [f32; 2], C128 [f64; 2])
    };
}
/// Evaluates `$body` with `$t` the bytes of one element of `$dtype`, whatever it means.
macro_rules! with_cell {
    ($dtype:expr, $n:ident => $body:expr) => {
        match $dtype.size() {
            1 => {
                const $n: usize = 1;
                $body
            }
            2 => {
                const $n: usize = 2;
                $body
            }
            4 => {
                const $n: usize = 4;
                $body
            }
            8 => {
                const $n: usize = 8;
                $body
            }
            _ => {
                const $n: usize = 16;
                $body
            }
        }
    };
}
macro_rules! dispatch {
    ($dtype:expr, $t:ident => $body:expr, $($name:ident $ty:ty),*) => {
        match $dtype {
            $(fx_runtime::DType::$name => { type $t = $ty; $body })*
            #[allow(unreachable_patterns)]
            other => Err(format!("does not take elements of type {other}")),
        }
    };
}
pub(crate) use {dispatch, with_cell, with_float, with_number, with_real};

/// A tensor of `values`.
pub(crate) fn tensor<T: Element>(dims: &[usize], values: &[T]) -> Result<HostTensor, String> {
    HostTensor::from_slice(dims, values).map_err(text)
}

/// Elements of a tensor.
pub(crate) fn elements<T: Element>(tensor: &HostTensor) -> Result<&[T], String> {
    tensor.as_slice().map_err(text)
}

/// A copy of a tensor's bytes, to be written.
pub(crate) fn copied(tensor: &HostTensor) -> Result<HostBuffer, String> {
    HostBuffer::copy_of(tensor.bytes()).map_err(text)
}

/// `count` copies of a value; an error without memory for them.
pub(crate) fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, String> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| format!("there is no memory for {count} elements"))?;
    values.resize(count, value);
    Ok(values)
}

/// The product of sizes.
pub(crate) fn volume(dims: &[usize]) -> Result<usize, String> {
    let product = dims.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
    product.ok_or_else(|| format!("shape {dims:?} has too many elements"))
}

/// The elements of a buffer, to be written.
pub(crate) fn elements_mut<T: Element>(buffer: &mut HostBuffer) -> Result<&mut [T], String> {
    buffer.as_mut_elements().map_err(text)
}

/// A tensor that takes a buffer over.
pub(crate) fn finished(dtype: DType, dims: &[usize], buffer: HostBuffer) -> Result<HostTensor, String> {
    HostTensor::from_buffer(dtype, dims, buffer).map_err(text)
}

/// Integers (or bools) of any width as positions, counts or the like.
pub(crate) fn integers(tensor: &HostTensor) -> Result<Cow<'_, [i64]>, String> {
    fn wide<T: Element>(tensor: &HostTensor, convert: fn(T) -> i64) -> Result<Cow<'static, [i64]>, String> {
        Ok(elements::<T>(tensor)?.iter().copied().map(convert).collect())
    }
    match tensor.dtype() {
        DType::I64 => Ok(Cow::Borrowed(elements(tensor)?)),
        DType::I32 => wide::<i32>(tensor, i64::from),
        DType::I16 => wide::<i16>(tensor, i64::from),
        DType::I8 => wide::<i8>(tensor, i64::from),
        DType::U8 => wide::<u8>(tensor, i64::from),
        DType::Bool => wide::<bool>(tensor, i64::from),
        other => Err(format!("expects integers, got {other}")),
    }
}

/// A tensor of integers in type `dtype`, i64 or i32.
pub(crate) fn integer_tensor(dtype: DType, dims: &[usize], values: &[i64]) -> Result<HostTensor, String> {
    match dtype {
        DType::I64 => tensor(dims, values),
        DType::I32 => tensor(dims, &values.iter().map(|value| *value as i32).collect::<Vec<_>>()),
        other => Err(format!("gives positions in i64 or i32, not in {other}")),
    }
}

/// Which elements are not zero; NaN is not.
pub(crate) fn truths(tensor: &HostTensor) -> Result<Vec<bool>, String> {
    with_number!(tensor.dtype(), T => Ok(elements::<T>(tensor)?.iter().map(|element| *element != T::ZERO).collect()))
}

/// A tensor seen as lanes along one dim: element i of lane (o, r) is at (o * len + i) * inner + r.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lanes {
    pub(crate) outer: usize,
    pub(crate) len: usize,
    pub(crate) inner: usize,
}

impl Lanes {
    /// Lanes along `dim`; a 0-d tensor is one of one element.
    pub(crate) fn new(dims: &[usize], dim: i64) -> Result<Self, String> {
        let rank = dims.len().max(1);
        let dim = usize::try_from(dim).ok().filter(|dim| *dim < rank).ok_or_else(|| format!("has no dim {dim} of {rank}"))?;
        Ok(Lanes {
            outer: dims.iter().take(dim).product(),
            len: dims.get(dim).copied().unwrap_or(1),
            inner: dims.iter().skip(dim + 1).product(),
        })
    }

    /// Position of the first element of each lane, in row-major order of the other dims.
    pub(crate) fn starts(self) -> impl Iterator<Item = usize> {
        (0..self.outer).flat_map(move |o| (0..self.inner).map(move |r| o * self.len * self.inner + r))
    }
}

/// Position `at` along `dim` of `size` elements; negative ones count from the end if `wraps`.
pub(crate) fn position(at: i64, dim: usize, size: usize, wraps: bool) -> Result<usize, String> {
    let wrapped = if wraps && at < 0 { at.wrapping_add(size as i64) } else { at };
    match usize::try_from(wrapped) {
        Ok(place) if place < size => Ok(place),
        _ => Err(format!("index {at} is out of bounds for dimension {dim} with size {size}")),
    }
}

/// The row-major positions in memory of all places of a strided box.
pub(crate) fn offsets(sizes: &[usize], strides: &[usize]) -> Vec<usize> {
    let mut all = vec![0];
    for (size, stride) in sizes.iter().zip(strides) {
        all = all.iter().flat_map(|base| (0..*size).map(move |i| base + i * stride)).collect();
    }
    all
}

/// Row-major strides.
pub(crate) fn strides(dims: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; dims.len()];
    for i in (1..dims.len()).rev() {
        strides[i - 1] = strides[i] * dims[i];
    }
    strides
}

/// Strides over `dims` of a tensor that broadcasts to it (right-aligned): 0 where it has size 1 or no dim.
pub(crate) fn broadcast_strides(own: &[usize], dims: &[usize]) -> Result<Vec<usize>, String> {
    let lead = own.len().saturating_sub(dims.len());
    let (extra, kept) = own.split_at(lead);
    let fits = extra.iter().all(|size| *size == 1) && kept.iter().rev().zip(dims.iter().rev()).all(|(from, to)| from == to || *from == 1);
    if !fits {
        return Err(format!("shape {own:?} does not broadcast to {dims:?}"));
    }
    let strides = strides(kept);
    let missing = dims.len() - kept.len();
    Ok((0..dims.len()).map(|d| if d < missing || (kept[d - missing] == 1 && dims[d] != 1) { 0 } else { strides[d - missing] }).collect())
}

/// The elements of `source` at `positions`, as a tensor of shape `dims`.
pub(crate) fn moved(source: &HostTensor, dims: &[usize], positions: &[usize]) -> Result<HostTensor, String> {
    let mut buffer = HostBuffer::zeroed(positions.len() * source.dtype().size()).map_err(text)?;
    with_cell!(source.dtype(), N => {
        let (from, _) = source.bytes().as_chunks::<N>();
        let (to, _) = buffer.as_mut_slice().as_chunks_mut::<N>();
        for (to, at) in to.iter_mut().zip(positions) {
            *to = *from.get(*at).ok_or("reads beyond its operand: this is a bug")?;
        }
    });
    finished(source.dtype(), dims, buffer)
}

/// `input` with element i of `source` written to place i of those that `place` lists.
pub(crate) fn written(
    input: &HostTensor,
    source: &HostTensor,
    places: impl Iterator<Item = Result<(usize, usize), String>>,
) -> Result<HostTensor, String> {
    let mut buffer = copied(input)?;
    with_cell!(input.dtype(), N => {
        let (from, _) = source.bytes().as_chunks::<N>();
        let (to, _) = buffer.as_mut_slice().as_chunks_mut::<N>();
        for pair in places {
            let (at, of) = pair?;
            match (to.get_mut(at), from.get(of)) {
                (Some(to), Some(from)) => *to = *from,
                _ => return Err("writes beyond its operands: this is a bug".into()),
            }
        }
    });
    finished(input.dtype(), input.dims(), buffer)
}

/// Arguments by name.
pub(crate) trait Arguments {
    fn word(&self, name: &str) -> &str;
    fn flag(&self, index: usize) -> Result<bool, String>;
    fn dims(&self, index: usize) -> Result<Vec<usize>, String>;
}

impl Arguments for OpCall<'_> {
    /// A text among the attributes; empty if absent.
    fn word(&self, name: &str) -> &str {
        self.attributes.get(name).and_then(|value| value.as_str()).unwrap_or_default()
    }
    /// Scalar argument `index` as a bool.
    fn flag(&self, index: usize) -> Result<bool, String> {
        self.int(index).map(|value| value != 0)
    }
    /// The sizes of result `index`, all of them known.
    fn dims(&self, index: usize) -> Result<Vec<usize>, String> {
        self.result(index)?.known_dims()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_positions() {
        assert_eq!(Lanes::new(&[2, 3, 4], 1), Ok(Lanes { outer: 2, len: 3, inner: 4 }));
        assert_eq!(Lanes::new(&[], 0), Ok(Lanes { outer: 1, len: 1, inner: 1 }));
        assert!(Lanes::new(&[2], 1).is_err() && Lanes::new(&[2], -1).is_err());
        assert_eq!(Lanes { outer: 2, len: 3, inner: 2 }.starts().collect::<Vec<_>>(), [0, 1, 6, 7]);
        assert_eq!(position(-1, 0, 5, true), Ok(4));
        assert_eq!(position(-1, 2, 5, false), Err("index -1 is out of bounds for dimension 2 with size 5".into()));
        assert_eq!(position(i64::MIN, 0, 5, true).unwrap_err(), format!("index {} is out of bounds for dimension 0 with size 5", i64::MIN));
    }

    #[test]
    fn boxes_and_broadcasts() {
        assert_eq!(offsets(&[2, 2], &[10, 1]), [0, 1, 10, 11]);
        assert_eq!(offsets(&[], &[]), [0]);
        assert!(offsets(&[2, 0], &[1, 1]).is_empty());
        assert_eq!(broadcast_strides(&[3, 1], &[2, 3, 4]), Ok(vec![0, 1, 0]));
        assert_eq!(broadcast_strides(&[1, 1, 3], &[3]), Ok(vec![1]));
        assert!(broadcast_strides(&[2], &[3]).is_err() && broadcast_strides(&[2, 3], &[3]).is_err());
    }

    #[test]
    fn integers_wrap_and_halves_round() {
        assert_eq!(127i8.plus(1), -128);
        assert_eq!((-7i64).over(2), -4);
        assert_eq!(7u8.over(2), 3);
        assert!(true.plus(true) && !true.times(false));
        let (one, small) = (bf16::from_f32(256.0), bf16::ONE);
        assert_eq!(one.plus(small), one);
        assert!(f32::NAN.larger(1.0).is_nan() && 1f32.larger(f32::NAN).is_nan());
    }
}
