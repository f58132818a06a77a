//! Shape: views as values. Every function here places elements; none computes with them.

pub(super) mod joined;
pub(super) mod order;
pub(super) mod parts;
pub(super) mod repetition;
pub(super) mod views;

#[cfg(test)]
mod tests;

use crate::array::{Array, DType};

/// The places of a tensor's elements in row-major order, as a tensor of its shape: a view of it tells what the view reads.
pub(super) fn places(shape: &[usize]) -> crate::Result<Array> {
    let mut next = -1;
    Array::from_fn(DType::I64, shape, |_| {
        next += 1;
        next
    })
}
