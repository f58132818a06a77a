//! Kernels without row reductions: a thread computes some neighbouring elements, or one.
//!
//! Memory is read and written at full speed only in 16 bytes per thread and access. So a thread's elements are as many of
//! the narrowest type as fill these, and lie next to each other: LLVM makes one access of them, as it knows that pointers
//! are aligned (the executor sees to that) and the thread's first element's position is a multiple of their number.

use fx_ir::{Op, Result, Value};

use super::{EQUAL, Emitter, Grid, LESS, Parts, THREADS, block_id, element, elements, known_product, thread_id, when};
use crate::eval::Eval;
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};

/// Bytes of one access.
pub const ACCESS_BYTES: i64 = 16;
/// Most elements of a thread: of wider types beside the narrowest they are several accesses.
pub const MOST_ELEMENTS: i64 = 8;
/// Elements that give each processor of a GPU some threads: with fewer, a thread takes one.
pub const FEW_ELEMENTS: i64 = 1 << 15;

/// Accesses of a thread that looks up where they are: with one it waits for two in turn, with four blocks are few.
const LOOKED_UP: i64 = 2;
/// Blocks that are enough for every processor of a GPU.
const MANY_BLOCKS: i64 = 1 << 10;

/// Whether each element takes about the same few instructions: no loops.
pub fn is_light(kernel: &Kernel<'_>) -> bool {
    let mut loops = false;
    let looks = |op: Op<'_>| Generic::new(op).is_some_and(|generic| generic.is_reduction());
    for op in kernel.body.ops() {
        loops |= looks(op);
        op.walk(&mut |inner| loops |= matches!(inner.name(), "scf.for" | "scf.while"));
    }
    !loops
}

/// Whether a tensor of these sizes has an element per place of the space, in whatever shape.
pub fn is_full(kernel: &Kernel<'_>, dims: &[Size]) -> bool {
    dims == kernel.space || known_product(dims).is_some_and(|count| known_product(&kernel.space) == Some(count))
}

/// The arguments with an element per place of the space.
pub fn full_tensors<'c>(kernel: &Kernel<'c>) -> Vec<Value<'c>> {
    let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
    arguments.filter(|(value, dims)| value.ty().is_tensor() && is_full(kernel, dims)).map(|(value, _)| value).collect()
}

/// The arguments with an element per column of the kernel's rows.
pub fn column_tensors<'c>(kernel: &Kernel<'c>) -> Vec<Value<'c>> {
    let inner = kernel.inner();
    let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
    arguments.filter(|(value, dims)| value.ty().is_tensor() && **dims == inner).map(|(value, _)| value).collect()
}

/// Elements of the narrowest type that fill an access, among tensors that have as many as the space, in whatever shape.
pub fn access_width(kernel: &Kernel<'_>) -> i64 {
    let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
    let tensors = arguments.map(|(value, dims)| (value.ty(), dims)).filter(|(ty, _)| ty.is_tensor());
    let results = kernel.results().into_iter().map(|value| value.ty()).zip(&kernel.result_dims);
    let full = tensors.chain(results).filter(|(_, dims)| is_full(kernel, dims));
    let bytes = |bits: u32| i64::from(bits.max(8) / 8);
    let narrowest = full.map(|(ty, _)| if ty.element().is_complex() { ACCESS_BYTES } else { bytes(ty.element().bit_width()) }).min();
    (ACCESS_BYTES / narrowest.unwrap_or(ACCESS_BYTES)).clamp(1, MOST_ELEMENTS)
}

/// Whether all tensors have the space's sizes: elements are found by their position alone.
fn is_flat(kernel: &Kernel<'_>) -> bool {
    let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
    let mut tensors = arguments.filter(|(value, _)| value.ty().is_tensor()).map(|(_, dims)| dims);
    tensors.all(|dims| *dims == kernel.space) && kernel.result_dims.iter().all(|dims| *dims == kernel.space)
}

/// Elements of a thread, and whether they are of one row.
pub fn width(kernel: &Kernel<'_>) -> (i64, bool) {
    let total = known_product(&kernel.space);
    if !is_light(kernel) || total.is_some_and(|total| total < FEW_ELEMENTS) {
        return (1, true);
    }
    let most = access_width(kernel);
    match kernel.space.last() {
        _ if is_flat(kernel) => (most, kernel.space.len() == 1),
        Some(Size::Known(last)) => (divisor(*last, most), true),
        _ => (1, true),
    }
}

/// Whether it reads at places that it reads first: a thread waits twice, and should have more under way.
fn looks_up(kernel: &Kernel<'_>) -> bool {
    let mut found = false;
    for op in kernel.body.ops() {
        op.walk(&mut |inner| found |= inner.name() == "tensor.extract");
    }
    found
}

/// The largest power of two up to `most`, itself one, that divides `size`.
pub fn divisor(size: i64, most: i64) -> i64 {
    let mut width = most;
    while width > 1 && size % width != 0 {
        width /= 2;
    }
    width
}

impl<'c> Emitter<'_, 'c> {
    /// A thread for some elements of each result.
    pub(super) fn map(&self, eval: &mut Eval<'c>, width: i64, in_row: bool) -> Result<Grid> {
        let dims = self.parts.space.clone();
        let space = &self.parts.kernel.space;
        if width == 1 {
            return self.flat(eval, space, THREADS, |eval, position| {
                let indices = eval.delinearize(position, &dims);
                elements(eval, &self.parts, &indices, &dims, position)
            });
        }
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let per_block = eval.index(THREADS);
        let start = eval.mul(block, per_block);
        let number = eval.add(start, thread);
        let by = eval.index(width);
        let position = eval.mul(number, by);
        let whole = |eval: &mut Eval<'c>| neighbours(eval, &self.parts, position, width, in_row);
        let grid = Grid::new(space, THREADS * width, THREADS);
        let total = known_product(space);
        let block_elements = THREADS * width * LOOKED_UP;
        if looks_up(self.parts.kernel) && total.is_some_and(|total| total % block_elements == 0 && total >= MANY_BLOCKS * block_elements) {
            let (more, step) = (eval.index(block_elements), eval.index(THREADS * width));
            let (first, ahead) = (eval.mul(block, more), eval.mul(thread, by));
            let mut position = eval.add(first, ahead);
            for number in 0..LOOKED_UP {
                if number > 0 {
                    position = eval.add(position, step);
                }
                neighbours(eval, &self.parts, position, width, in_row)?;
            }
            return Ok(Grid::new(space, block_elements, THREADS));
        }
        if total.is_some_and(|total| total % (THREADS * width) == 0) {
            whole(eval)?;
            return Ok(grid);
        }
        let end = eval.product(&dims);
        if in_row && !matches!(space.as_slice(), [_]) || total.is_some_and(|total| total % width == 0) {
            when(eval, LESS, position, end, whole)?;
            return Ok(grid);
        }
        // The last elements are fewer than a thread takes: one by one.
        let last = eval.index(width - 1);
        let last = eval.add(position, last);
        when(eval, LESS, last, end, whole)?;
        let over = eval.b.value("arith.remui", &[end, by], end.ty(), &[]);
        let first = eval.b.value("arith.subi", &[end, over], end.ty(), &[]);
        when(eval, EQUAL, position, first, |eval| {
            let one = eval.index(1);
            eval.for_loop(first, end, one, &[], |eval, position, _| {
                let indices = eval.delinearize(position, &dims);
                elements(eval, &self.parts, &indices, &dims, position).map(|()| Vec::new())
            })?;
            Ok(())
        })?;
        Ok(grid)
    }
}

/// The elements from `position` on, of one row or not.
fn neighbours<'c>(eval: &mut Eval<'c>, parts: &Parts<'_, 'c>, position: Value<'c>, width: i64, in_row: bool) -> Result {
    let dims = &parts.space;
    let first = eval.delinearize(position, dims);
    let mut sent = Vec::new();
    for ahead in 0..width {
        let ahead = eval.index(ahead);
        let position = eval.add(position, ahead);
        let indices = match first.split_last() {
            Some((last, rest)) if in_row => [rest, &[eval.add(*last, ahead)]].concat(),
            _ => eval.delinearize(position, dims),
        };
        element(eval, parts, &indices, dims, position, &mut sent)?;
    }
    parts.send(eval, sent)
}
