//! Sums of products on a CPU: register tiles of fused multiply-adds.
//!
//! | product | schedule |
//! | --- | --- |
//! | many rows share the second factor, one summed loop | [`packed`]: slices of both factors are copied into panels |
//! | few rows, small ones, several summed loops (convolutions) | [`direct`]: both factors are read where they lie |
//! | the second factor has gaps along a row, and few rows share it | none: a loop for each result |
//!
//! Sizes of tiles and slices: see the measurements cited in ARCHITECTURE.md.

use fx_ir::{Attribute, Result, Value};

use crate::contraction::Contraction;
use crate::emit_cpu::Extent;
use crate::eval::{Eval, Memory};
use crate::kernel::{Kernel, Size};

mod direct;
mod packed;
mod product;
mod tile;

pub use product::is_sum_of_products;
use product::Product;

/// Rows from which packing the second factor pays, unless it is small.
const MANY_ROWS: i64 = 128;
/// A second factor of this many numbers stays in the second-level cache.
const SMALL: i64 = 256 * 256;

/// Emits the kernel's iterations `lo..hi` if it is a sum of products that has a schedule.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
) -> Result<Option<Extent>> {
    let Some(product) = Product::of(kernel) else { return Ok(None) };
    let contraction = Contraction::of(kernel).filter(|contraction| packed::fits(kernel, contraction));
    if contraction.is_none() || prefers_direct(eval, kernel, &product) {
        if let Some(extent) = direct::emit(eval, kernel, &product, outputs, (lo, hi))? {
            return Ok(Some(extent));
        }
    }
    match contraction.filter(|contraction| packed::pays(kernel, contraction)) {
        Some(contraction) => packed::emit(eval, kernel, &contraction, outputs, lo, hi).map(Some),
        None => Ok(None),
    }
}

/// Whether reading the second factor in place costs less than packing it.
fn prefers_direct<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, product: &Product<'c>) -> bool {
    let rows = product.m.map_or(Size::Known(1), |m| kernel.space[m]);
    let sizes = eval.loop_sizes(&product.generic);
    let products = product.reduced.iter().map(|i| sizes[*i].constant().and_then(Attribute::as_int)).collect::<Vec<_>>();
    let few = matches!(rows, Size::Known(rows) if rows < MANY_ROWS);
    let small = match (products.as_slice(), kernel.space[product.n]) {
        ([Some(k)], Size::Known(n)) => k.saturating_mul(n) <= SMALL,
        _ => false,
    };
    few || small || products.len() > 1
}
