//! Sums over windows of which each element serves few results: depthwise convolutions and their like.
//!
//! A task computes a block of the results of one channel. It copies what their windows read into a buffer that stays in the
//! first-level cache, padded, so that nothing has to be asked about edges again; then tiles of results are summed in registers,
//! with the weights as vectors. What follows the sums is computed there too (`lanes`), or else when the block is done (`results`).

use fx_ir::{Result, Type, Value};

mod affine;
mod copy;
mod lanes;
mod results;
mod schedule;
mod shape;
mod sums;

pub use self::shape::Window;

use self::schedule::Schedule;
use super::sums::scratch;
use crate::cpu::Features;
use crate::emit_cpu::{Count, Extent};
use crate::eval::{Eval, Memory, Stride};
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};

/// Multiply-adds that are worth waking a thread for (about 3 us).
const WORK_PER_THREAD: i64 = 64 * 1024;

/// A kernel's windows, as its code computes them.
struct Windows<'a, 'c> {
    kernel: &'a Kernel<'c>,
    window: &'a Window<'c>,
    schedule: Schedule,
    /// Type of the sums.
    element: Type<'c>,
    /// Memory of what windows read.
    copy: Value<'c>,
    /// Memory of the sums, a result of the kernel or a buffer for one block; none where what follows is computed in registers.
    buffer: Option<Value<'c>>,
    /// Whether sums are at the places of results.
    in_result: bool,
    /// Memory of the kernel's results.
    outputs: &'a [Memory<'c>],
    /// Sizes of the result's loops.
    dims: Vec<Value<'c>>,
}

/// Where a task works.
#[derive(Clone)]
struct Task<'c> {
    /// Loop variables at the block's first result; summed ones at 0.
    loops: Vec<Value<'c>>,
    /// Results of the block along each axis.
    counts: Vec<Value<'c>>,
    /// The position of the first sum.
    start: Value<'c>,
    /// The position of the block's first result among all results.
    position: Value<'c>,
    /// The first row of the tile that is computed, from the block's first one, if there are rows.
    row: Option<Value<'c>>,
}

/// `a * factor + b`
fn multiply_add<'c>(eval: &mut Eval<'c>, a: Value<'c>, factor: i64, b: Value<'c>) -> Value<'c> {
    let factor = eval.index(factor);
    let product = eval.mul(a, factor);
    eval.add(product, b)
}

/// Emits the kernel's iterations `lo..hi` if its one reduction is a sum over windows that lie in memory.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
    Features { wide, .. }: Features,
) -> Result<Option<Extent>> {
    let mut reductions = kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction);
    let (Some(reduction), None) = (reductions.next(), reductions.next()) else { return Ok(None) };
    let Some(window) = Window::of(reduction.op) else { return Ok(None) };
    let element = reduction.op.result(0).ty().element();
    let fits = !kernel.has_rows() && kernel.space.len() == reduction.parallel_count();
    let halves = lanes::has_halves(kernel);
    let Some(schedule) = Schedule::of(&window, element, wide, halves).filter(|_| fits) else { return Ok(None) };
    if !lies_in_memory(eval, &window)? {
        return Ok(None);
    }
    let copy = scratch(eval, schedule.total, element);
    let count: i64 = schedule.block.iter().product();
    let follows = (wide || !halves) && lanes::fit(kernel, reduction.op.result(0), schedule.rows * schedule.vectors);
    let holds_sums = |result: &Value<'c>| result.ty().element() == element && kernel.result_dims.first() == Some(&kernel.space);
    let result = outputs.first().filter(|_| kernel.results().first().is_some_and(holds_sums));
    let buffer = (!follows).then(|| result.map_or_else(|| scratch(eval, count, element), |memory| memory.memref));
    let in_result = follows || result.is_some();
    let dims = eval.sizes(&kernel.space);
    let windows = Windows { kernel, window: &window, schedule, element, copy, buffer, in_result, outputs, dims };
    eval.context().get_or_load_dialect("llvm"); // of hidden addresses
    windows.clear_ends(eval);
    let one = eval.index(1);
    eval.for_loop(lo, hi, one, &[], |eval, task, _| {
        let task = windows.task(eval, task);
        windows.copy(eval, &task)?;
        windows.sums(eval, &task)?;
        if let Some(buffer) = windows.buffer {
            windows.finish(eval, &task, buffer)?;
        }
        Ok(Vec::new())
    })?;
    let terms: i64 = window.axes.iter().map(|axis| axis.taps).chain(window.channels.iter().map(|(_, size)| *size)).product();
    let grain = (WORK_PER_THREAD / (terms * count).max(1)).max(1);
    Ok(Some(Extent::new(windows.counts(), grain)))
}

/// Whether what windows read lies in memory, its spatial dims without gaps. What is built to know that is dead code.
fn lies_in_memory<'c>(eval: &mut Eval<'c>, window: &Window<'c>) -> Result<bool> {
    let zero = eval.index(0);
    let at: Vec<_> = window.outer.iter().map(|_| zero).chain(window.axes.iter().map(|_| eval.variable())).collect();
    let Some(address) = eval.address(window.tensor, &at)? else { return Ok(false) };
    let mut apart = 1;
    for (axis, index) in window.axes.iter().zip(&at[window.outer.len()..]).rev() {
        if eval.stride(address.position, *index) != Stride::Known(apart) {
            return Ok(false);
        }
        apart *= axis.size;
    }
    Ok(true)
}

impl<'c> Windows<'_, 'c> {
    fn vector(&self, element: Type<'c>) -> Type<'c> {
        Type::vector(&[self.schedule.lanes], element)
    }

    /// Zeros in front of the first copied row, and behind the last one: there, the last tile may read numbers that no result has, and
    /// that should be no slow ones.
    fn clear_ends(&self, eval: &mut Eval<'c>) {
        let zero = eval.b.number(self.element, 0.0);
        let zeros = eval.b.value("vector.broadcast", &[zero], self.vector(self.element), &[]);
        let schedule = &self.schedule;
        let end = schedule.end(self.window.channels.iter().map(|(_, size)| *size).product());
        for at in (0..schedule.start + schedule.shift).chain(end..schedule.total).step_by(schedule.lanes as usize) {
            let at = eval.index(at);
            eval.b.op("vector.store", &[zeros, self.copy, at], &[], &[]);
        }
    }

    /// How many tasks there are: the batch loops, and pieces along each axis.
    fn counts(&self) -> Vec<Count> {
        let axes = self.window.axes.iter().zip(&self.schedule.block);
        let batch = self.kernel.space[..self.window.batch].iter().map(|size| Count { size: *size, per: 1 });
        batch.chain(axes.map(|(axis, block)| Count { size: Size::Known(axis.pixels), per: *block })).collect()
    }

    /// Where the task of a number works.
    fn task(&self, eval: &mut Eval<'c>, number: Value<'c>) -> Task<'c> {
        let (batch, axes) = (self.window.batch, &self.window.axes);
        let pieces = axes.iter().zip(&self.schedule.block).map(|(axis, block)| eval.index((axis.pixels + block - 1) / block));
        let counts: Vec<_> = self.dims[..batch].iter().copied().chain(pieces.collect::<Vec<_>>()).collect();
        let mut indices = eval.delinearize(number, &counts);
        let mut counts = Vec::new();
        for ((axis, block), index) in axes.iter().zip(&self.schedule.block).zip(&mut indices[batch..]) {
            let (pixels, per) = (eval.index(axis.pixels), eval.index(*block));
            *index = eval.mul(*index, per);
            let left = (axis.pixels % block != 0).then(|| {
                let left = eval.b.value("arith.subi", &[pixels, *index], pixels.ty(), &[]);
                eval.b.value("arith.minsi", &[left, per], per.ty(), &[])
            });
            counts.push(left.unwrap_or(per));
        }
        let position = eval.linearize(&indices, &self.dims);
        let zero = eval.index(0);
        let mut loops = indices;
        loops.resize(self.window.generic.reduced.len(), zero);
        Task { loops, counts, start: if self.in_result { position } else { zero }, position, row: None }
    }
}
