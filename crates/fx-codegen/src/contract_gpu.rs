//! Matrix products on a GPU: tiles of both operands in workgroup memory, a patch of results in each thread's registers.
//!
//! A block of 256 threads computes `64 x 64` results. For each slice of 16 products the threads fetch both operands'
//! slices into workgroup memory, then each adds up its `4 x 4` results. Operands are fetched through [`Eval::element`],
//! so conversions, transposes and slices are folded into fetching; beyond the edges the last row or column is fetched
//! again (its results are not stored), and zeros beyond the last product.

use fx_ir::{AffineResult, Block, Builder, Result, Type, Value};

use crate::contraction::Contraction;
use crate::emit_gpu::{Factor, Grid, LESS, Parts, THREADS, block_id, elements, thread_id, when};
use crate::eval::Eval;
use crate::kernel::{Kernel, Size};
use crate::team::workgroup_buffer;

/// Rows and columns of a block.
const TILE: i64 = 64;
/// Products of a slice.
const SLICE: i64 = 16;
/// Rows and columns of a thread.
const PATCH: i64 = 4;
/// Elements from one product's row in workgroup memory to the next: a multiple of 16 bytes, and of few banks.
const STRIDE: i64 = TILE + 4;
/// With fewer rows or columns most of a tile would be idle.
const FEWEST: i64 = 8;

/// Whether tiles pay for a product of these sizes.
pub fn pays(kernel: &Kernel<'_>, contraction: &Contraction<'_>) -> bool {
    let ty = contraction.generic.op.result(0).ty().element();
    let few = |size: Option<&Size>| matches!(size, Some(Size::Known(size)) if *size < FEWEST);
    let batch = contraction.batch;
    (ty.is_f32() || ty.is_f64()) && kernel.space.len() == batch + 2 && !few(kernel.space.get(batch)) && !few(kernel.space.get(batch + 1))
}

struct Product<'a, 'c> {
    parts: &'a Parts<'a, 'c>,
    contraction: &'a Contraction<'c>,
    element: Type<'c>,
    /// The number of products.
    k: Value<'c>,
    thread: Value<'c>,
    /// Batch indices, first row and column of the block.
    batch: Vec<Value<'c>>,
    first: [Value<'c>; 2],
    /// First row and column of the thread, from the block's first.
    patch: [Value<'c>; 2],
    /// Slices of both operands.
    slices: [Value<'c>; 2],
}

/// Emits the kernel; `block` is the function's, and gains two workgroup buffers.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub(crate) fn emit<'c>(eval: &mut Eval<'c>, parts: &Parts<'_, 'c>, contraction: &Contraction<'c>, block: Block<'c>) -> Result<Grid> {
    let kernel = parts.kernel;
    let element = contraction.generic.op.result(0).ty().element();
    let batch = contraction.batch;
    let (block_number, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
    let dims = &parts.space;
    let k = eval.loop_sizes(&contraction.generic)[batch + 2];
    let mut counts = dims[..batch].to_vec();
    for (dim, size) in dims[batch..].iter().zip(&kernel.space[batch..]) {
        let count = match size {
            Size::Known(size) => eval.index(size.div_euclid(TILE) + i64::from(size % TILE != 0)),
            Size::Argument(_) => {
                let tile = eval.index(TILE);
                eval.b.value("arith.ceildivui", &[*dim, tile], dim.ty(), &[])
            }
        };
        counts.push(count);
    }
    let mut indices = eval.delinearize(block_number, &counts);
    let tile = eval.index(TILE);
    let column = indices.pop().unwrap_or(block_number);
    let row = indices.pop().unwrap_or(block_number);
    let first = [eval.mul(row, tile), eval.mul(column, tile)];
    let across = eval.index(TILE / PATCH);
    let (y, x) = (divide(&eval.b, thread, across), remainder(&eval.b, thread, across));
    let side = eval.index(PATCH);
    let patch = [eval.mul(y, side), eval.mul(x, side)];
    let slices = [workgroup_buffer(&eval.b, block, SLICE * STRIDE, element)?, workgroup_buffer(&eval.b, block, SLICE * STRIDE, element)?];
    let product = Product { parts, contraction, element, k, thread, batch: indices, first, patch, slices };
    let sums = product.sums(eval)?;
    product.epilogue(eval, &sums)?;
    let mut factors: Vec<_> = kernel.space[..batch].iter().map(|size| Factor { sizes: vec![*size], per: 1 }).collect();
    factors.extend(kernel.space[batch..].iter().map(|size| Factor { sizes: vec![*size], per: TILE }));
    Ok(Grid { factors, threads: THREADS, cluster: 1, shared: 0, length: None })
}

fn divide<'c>(b: &Builder<'c>, x: Value<'c>, y: Value<'c>) -> Value<'c> {
    b.value("arith.divui", &[x, y], x.ty(), &[])
}

fn remainder<'c>(b: &Builder<'c>, x: Value<'c>, y: Value<'c>) -> Value<'c> {
    b.value("arith.remui", &[x, y], x.ty(), &[])
}

impl<'c> Product<'_, 'c> {
    /// The thread's sums over all slices.
    fn sums(&self, eval: &mut Eval<'c>) -> Result<Vec<Value<'c>>> {
        let zero = eval.b.number(self.element, 0.0);
        let (from, step) = (eval.index(0), eval.index(SLICE));
        let zeros = vec![zero; (PATCH * PATCH) as usize];
        eval.for_loop(from, self.k, step, &zeros, |eval, k0, sums| {
            let fetched = [self.fetch(eval, 0, k0)?, self.fetch(eval, 1, k0)?];
            eval.b.op("gpu.barrier", &[], &[], &[]); // the last slice is used up
            for (slice, values) in self.slices.iter().zip(&fetched) {
                for (value, place) in values {
                    eval.b.op("memref.store", &[*value, *slice, *place], &[], &[]);
                }
            }
            eval.b.op("gpu.barrier", &[], &[], &[]);
            let mut sums = sums.to_vec();
            for k in 0..SLICE {
                let rows = self.fetched(eval, 0, k);
                let columns = self.fetched(eval, 1, k);
                for (i, sum) in sums.iter_mut().enumerate() {
                    let (row, column) = (rows[i / PATCH as usize], columns[i % PATCH as usize]);
                    *sum = eval.b.value("math.fma", &[row, column, *sum], self.element, &[]);
                }
            }
            Ok(sums)
        })
    }

    /// The thread's elements of product `k` of a slice.
    fn fetched(&self, eval: &mut Eval<'c>, which: usize, k: i64) -> Vec<Value<'c>> {
        (0..PATCH)
            .map(|i| {
                let offset = eval.index(k * STRIDE + i);
                let place = eval.add(self.patch[which], offset);
                eval.b.value("memref.load", &[self.slices[which], place], self.element, &[])
            })
            .collect()
    }

    /// The elements that the thread fetches for a slice, with their places in workgroup memory.
    fn fetch(&self, eval: &mut Eval<'c>, which: usize, k0: Value<'c>) -> Result<Vec<(Value<'c>, Value<'c>)>> {
        let batch = self.contraction.batch;
        let generic = &self.contraction.generic;
        // Neighbouring threads read along the operand's last dim.
        let along_k = generic.maps[which].last() == Some(&AffineResult::Dim(batch + 2));
        let width = if along_k { SLICE } else { TILE };
        let (width_value, stride) = (eval.index(width), eval.index(STRIDE));
        let (fast, slow) = (remainder(&eval.b, self.thread, width_value), divide(&eval.b, self.thread, width_value));
        let mut fetched = Vec::new();
        for turn in 0..TILE * SLICE / THREADS {
            let offset = eval.index(turn * (THREADS / width));
            let slow = eval.add(slow, offset);
            let (place, k) = if along_k { (slow, fast) } else { (fast, slow) };
            let row = eval.mul(k, stride);
            let target = eval.add(row, place);
            let value = self.operand(eval, which, place, k, k0)?;
            fetched.push((value, target));
        }
        Ok(fetched)
    }

    /// The converted element at row (or column) `place` of the block and product `k` of the slice.
    fn operand(&self, eval: &mut Eval<'c>, which: usize, place: Value<'c>, k: Value<'c>, k0: Value<'c>) -> Result<Value<'c>> {
        let batch = self.contraction.batch;
        let generic = &self.contraction.generic;
        let place = eval.add(self.first[which], place);
        let place = self.inside(eval, place, self.parts.space[batch + which], TILE);
        let product = eval.add(k0, k);
        let clamped = self.inside(eval, product, self.k, SLICE);
        let indices: Vec<_> = generic.maps[which]
            .iter()
            .map(|result| match result {
                AffineResult::Dim(i) if *i < batch => self.batch[*i],
                AffineResult::Dim(i) if *i == batch + 2 => clamped,
                _ => place,
            })
            .collect();
        let mut value = eval.element(generic.inputs[which], &indices)?;
        for cast in &self.contraction.casts[which] {
            value = eval.b.value(cast.name(), &[value], cast.result(0).ty(), &[]);
        }
        if clamped == product {
            return Ok(value);
        }
        let zero = eval.b.number(value.ty(), 0.0);
        let within = eval.b.value(
            "arith.cmpi",
            &[product, self.k],
            Type::int(eval.context(), 1),
            &[("predicate", fx_ir::Attribute::i64(eval.context(), LESS))],
        );
        Ok(eval.b.value("arith.select", &[within, value, zero], value.ty(), &[]))
    }

    /// The index, or the last one; sizes that are whole tiles need no check.
    fn inside(&self, eval: &mut Eval<'c>, index: Value<'c>, size: Value<'c>, unit: i64) -> Value<'c> {
        if is_multiple(size, unit) {
            return index;
        }
        let one = eval.index(1);
        let last = eval.b.value("arith.subi", &[size, one], size.ty(), &[]);
        eval.b.value("arith.minui", &[index, last], size.ty(), &[])
    }

    /// Every result of the kernel from the thread's sums.
    fn epilogue(&self, eval: &mut Eval<'c>, sums: &[Value<'c>]) -> Result {
        let batch = self.contraction.batch;
        let places = |eval: &mut Eval<'c>, which: usize| -> Vec<Value<'c>> {
            let start = eval.add(self.first[which], self.patch[which]);
            (0..PATCH)
                .map(|i| {
                    let offset = eval.index(i);
                    eval.add(start, offset)
                })
                .collect()
        };
        let (rows, columns) = (places(eval, 0), places(eval, 1));
        for (row, sums) in rows.into_iter().zip(sums.chunks(PATCH as usize)) {
            self.when_inside(eval, row, self.parts.space[batch], |eval| {
                for (column, sum) in columns.iter().zip(sums) {
                    self.when_inside(eval, *column, self.parts.space[batch + 1], |eval| {
                        let indices = [self.batch.clone(), vec![row, *column]].concat();
                        let product = &self.contraction.generic;
                        let first = eval.inits(product, &indices)?;
                        let sum = first.first().map_or(*sum, |first| eval.b.value("arith.addf", &[*first, *sum], self.element, &[]));
                        eval.known(product.op.result(0), &indices, sum);
                        let position = eval.linearize(&indices, &self.parts.space);
                        elements(eval, self.parts, &indices, &self.parts.space, position)
                    })?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn when_inside(&self, eval: &mut Eval<'c>, index: Value<'c>, size: Value<'c>, build: impl FnOnce(&mut Eval<'c>) -> Result) -> Result {
        if is_multiple(size, TILE) { build(eval) } else { when(eval, LESS, index, size, build) }
    }
}

fn is_multiple(size: Value<'_>, unit: i64) -> bool {
    size.constant().and_then(fx_ir::Attribute::as_int).is_some_and(|size| size % unit == 0)
}
