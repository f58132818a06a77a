//! Sums of products on a CPU: register tiles of fused multiply-adds, or the matrix unit.
//!
//! | product | first factor | second factor |
//! | --- | --- | --- |
//! | windows of which each element serves few sums (`window`) | in registers | copied, padded |
//! | bf16, and the processor has a matrix unit (`matrix`) | read where it lies, or copied as tiles | copied as tiles |
//! | few rows, small ones, several summed loops (convolutions) | read where it lies | read where it lies |
//! | many rows share the second factor, one summed loop | read where it lies | copied into a panel, slice by slice |
//! | the same, elements are converted first | copied, some rows at a time | copied and converted |
//! | the second factor has gaps along a row, and few rows share it | none: a loop for each result | |
//!
//! Sizes of tiles and slices: see the measurements cited in ARCHITECTURE.md.

use fx_ir::{Attribute, Result, Value};

use crate::cpu::Features;
use crate::emit_cpu::Extent;
use crate::eval::{Eval, Memory, Stride};
use crate::kernel::{Kernel, Size};

mod blocks;
mod epilogue;
mod layout;
mod matrix;
mod pack;
mod product;
mod sums;
mod tile;
mod tiled;
mod window;

use blocks::rows_of;
use layout::Layout;
pub use matrix::is_used as uses_matrix_unit;
use product::Product;
pub use product::is_sum_of_products;
use tiled::{First, Schedule, Second};

/// Attribute of functions whose products are in vectors or in the matrix unit.
pub const TILED: &str = "fx.tiled";

/// Rows from which packing the second factor pays, unless it is small.
const MANY_ROWS: i64 = 128;
/// A second factor of this many numbers stays in the second-level cache.
const SMALL: i64 = 256 * 256;
/// Rows from which packing pays where the second factor cannot be read by rows.
const FEWEST_ROWS: i64 = 4;

/// Emits the kernel's iterations `lo..hi` if it is a sum of products that has a schedule.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
    features: Features,
) -> Result<Option<Extent>> {
    if let Some(extent) = window::emit(eval, kernel, outputs, (lo, hi), features)? {
        return Ok(Some(extent));
    }
    let Some(product) = Product::of(kernel) else { return Ok(None) };
    let layout = Layout::of(eval, &product)?;
    if features.matrix && matrix::fits(kernel, &product) {
        return matrix::emit(eval, kernel, &product, &layout, outputs, (lo, hi)).map(Some);
    }
    let Some((first, second)) = schedule(eval, kernel, &product, &layout) else { return Ok(None) };
    let along = [layout.a, layout.b].map(|moves| moves.map_or(Stride::Uneven, |moves| moves.along));
    tiled::emit(eval, kernel, &product, Schedule { first, second, along }, outputs, (lo, hi), features).map(Some)
}

/// How both factors are read; none if a loop for each result is better.
fn schedule<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, product: &Product<'c>, layout: &Layout<'c>) -> Option<(First<'c>, Second<'c>)> {
    let single = product.reduced.len() == 1;
    let in_place = || layout.a.map_or(First::Elements, |moves| First::InPlace(moves.across));
    if layout.b_has_rows()
        && let Some(streamed) = direct(eval, kernel, product)
    {
        return Some((in_place(), if streamed { Second::Streamed } else { Second::InPlace }));
    }
    let rows = rows_of(kernel, product);
    if !single || matches!(rows, Size::Known(rows) if rows < FEWEST_ROWS) {
        return None;
    }
    let first = if layout.a.is_some_and(|moves| moves.casts == 0) { in_place() } else { First::Packed };
    let order = match layout.b {
        Some(_) if layout.b_has_rows() => pack::Order::Rows,
        Some(moves) if layout.b_has_columns() => pack::Order::Columns(moves.across),
        _ => pack::Order::Elements,
    };
    Some((first, Second::Packed(order)))
}

/// Whether reading the second factor in place costs less than packing it, and then, whether it comes from memory.
fn direct<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, product: &Product<'c>) -> Option<bool> {
    let rows = rows_of(kernel, product);
    let sizes = eval.loop_sizes(&product.generic);
    let products = product.reduced.iter().map(|i| sizes[*i].constant().and_then(Attribute::as_int)).collect::<Vec<_>>();
    let few = matches!(rows, Size::Known(rows) if rows < MANY_ROWS);
    let small = match (products.as_slice(), kernel.space[product.n]) {
        ([Some(k)], Size::Known(n)) => k.saturating_mul(n) <= SMALL,
        _ => false,
    };
    (few || small || products.len() > 1).then_some(!small && products.len() == 1)
}
