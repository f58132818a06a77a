//! Matrix products on a CPU: packed panels, register tiles of fused multiply-adds, an epilogue.
//!
//! One task computes a block of `MB x NB` results. For each slice of `KC` products: pack the slice of the second operand,
//! then for each `MR` rows pack the first operand's and run the register tile over `NR` columns at a time. Operands are
//! packed element by element through [`Eval::element`], so conversions, transposes and slices are folded into packing;
//! edges are packed by repeating the last row or column, whose results are not stored. Tile sizes: see
//! the measurements cited in ARCHITECTURE.md.

use fx_ir::{Attribute, Result, Type, Value};

use crate::contraction::Contraction;
use crate::emit_cpu::{Count, Extent};
use crate::eval::{Eval, Memory};
use super::tile::Tile;
use crate::kernel::{Kernel, Size};

/// Rows of a block: the packed slice of the second operand serves them all.
const BLOCK_ROWS: i64 = 128;
/// Columns of a block.
const BLOCK_COLUMNS: i64 = 256;
/// Products of a slice: the packed slice of 256 columns takes 256 KiB, a part of the second-level cache.
const SLICE: i64 = 256;
/// With fewer rows packing costs more than it saves.
const FEWEST_ROWS: i64 = 4;

/// Whether this schedule can compute the product.
pub fn fits(kernel: &Kernel<'_>, contraction: &Contraction<'_>) -> bool {
    let ty = contraction.generic.op.result(0).ty().element();
    (ty.is_f32() || ty.is_f64()) && kernel.space.len() == contraction.batch + 2
}

/// Whether packing pays for a product of these sizes.
pub fn pays(kernel: &Kernel<'_>, contraction: &Contraction<'_>) -> bool {
    !matches!(kernel.space[contraction.batch], Size::Known(rows) if rows < FEWEST_ROWS)
}

struct Product<'a, 'c> {
    kernel: &'a Kernel<'c>,
    contraction: &'a Contraction<'c>,
    outputs: &'a [Memory<'c>],
    tile: Tile,
    element: Type<'c>,
    block: [i64; 2],
    /// Sizes of the space, then of the products.
    dims: Vec<Value<'c>>,
    k: Value<'c>,
    /// Packed operands and the block's sums.
    packed_a: Value<'c>,
    packed_b: Value<'c>,
    sums: Value<'c>,
}

/// Where a task works.
struct Task<'c> {
    batch: Vec<Value<'c>>,
    m: Value<'c>,
    n: Value<'c>,
    rows: Value<'c>,
    columns: Value<'c>,
}

/// Emits the kernel's tasks `lo..hi`.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    contraction: &Contraction<'c>,
    outputs: &[Memory<'c>],
    lo: Value<'c>,
    hi: Value<'c>,
) -> Result<Extent> {
    let element = contraction.generic.op.result(0).ty().element();
    let tile = Tile::packed(element);
    let batch = contraction.batch;
    let block = block_sizes(kernel.space[batch], kernel.space[batch + 1], tile);
    let dims = eval.sizes(&kernel.space);
    let sizes = eval.loop_sizes(&contraction.generic);
    let k = sizes[batch + 2];
    let scratch = |eval: &Eval<'c>, shape: [i64; 2]| {
        eval.b.value(
            "memref.alloca",
            &[],
            Type::memref(&shape, element, None),
            &[("operandSegmentSizes", Attribute::i32s(eval.context(), &[0, 0])), ("alignment", Attribute::i64(eval.context(), 64))],
        )
    };
    let product = Product {
        kernel,
        contraction,
        outputs,
        tile,
        element,
        block,
        k,
        packed_a: scratch(eval, [SLICE, tile.rows]),
        packed_b: scratch(eval, [SLICE, block[1]]),
        sums: scratch(eval, block),
        dims,
    };
    let one = eval.index(1);
    eval.for_loop(lo, hi, one, &[], |eval, task, _| {
        let task = product.task(eval, task);
        product.clear(eval)?;
        product.slices(eval, &task)?;
        product.epilogue(eval, &task)?;
        Ok(Vec::new())
    })?;
    let mut sizes: Vec<_> = kernel.space[..batch].iter().map(|size| Count { size: *size, per: 1 }).collect();
    sizes.push(Count { size: kernel.space[batch], per: block[0] });
    sizes.push(Count { size: kernel.space[batch + 1], per: block[1] });
    Ok(Extent { sizes, grain: 1 })
}

/// Block sizes: whole tiles, no larger than the result, and smaller where there would be no second task.
fn block_sizes(m: Size, n: Size, tile: Tile) -> [i64; 2] {
    let round = |size: i64, unit: i64| (size.max(1) + unit - 1) / unit * unit;
    let rows = if let Size::Known(m) = m { round(m.min(BLOCK_ROWS), tile.rows) } else { round(BLOCK_ROWS, tile.rows) };
    let columns = match n {
        Size::Known(n) if n <= BLOCK_COLUMNS => round(((n + 1) / 2).max(tile.columns()).min(n), tile.columns()),
        _ => round(BLOCK_COLUMNS, tile.columns()),
    };
    [rows, columns]
}

impl<'c> Product<'_, 'c> {
    fn minimum(&self, eval: &Eval<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        eval.b.value("arith.minsi", &[a, b], a.ty(), &[])
    }

    fn minus(&self, eval: &Eval<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        eval.b.value("arith.subi", &[a, b], a.ty(), &[])
    }

    /// Batch indices, first row and column, and how many of each.
    fn task(&self, eval: &mut Eval<'c>, task: Value<'c>) -> Task<'c> {
        let batch = self.contraction.batch;
        let count = |eval: &mut Eval<'c>, dim: Value<'c>, per: i64| {
            let per = eval.index(per);
            eval.b.value("arith.ceildivui", &[dim, per], dim.ty(), &[])
        };
        let mut sizes = self.dims[..batch].to_vec();
        sizes.push(count(eval, self.dims[batch], self.block[0]));
        sizes.push(count(eval, self.dims[batch + 1], self.block[1]));
        let mut indices = eval.delinearize(task, &sizes);
        let place = |eval: &mut Eval<'c>, index: Value<'c>, per: i64, size: Value<'c>| {
            let per = eval.index(per);
            let start = eval.mul(index, per);
            let rest = self.minus(eval, size, start);
            (start, self.minimum(eval, rest, per))
        };
        let column = indices.pop().unwrap_or(task);
        let row = indices.pop().unwrap_or(task);
        let (m, rows) = place(eval, row, self.block[0], self.dims[batch]);
        let (n, columns) = place(eval, column, self.block[1], self.dims[batch + 1]);
        Task { batch: indices, m, n, rows, columns }
    }

    fn vector(&self) -> Type<'c> {
        Type::vector(&[self.tile.lanes], self.element)
    }

    /// All sums start from zero.
    fn clear(&self, eval: &mut Eval<'c>) -> Result {
        let zero = eval.b.number(self.element, 0.0);
        let zeros = eval.b.value("vector.broadcast", &[zero], self.vector(), &[]);
        let (first, one) = (eval.index(0), eval.index(1));
        let (rows, columns, lanes) = (eval.index(self.block[0]), eval.index(self.block[1]), eval.index(self.tile.lanes));
        eval.for_loop(first, rows, one, &[], |eval, r, _| {
            eval.for_loop(first, columns, lanes, &[], |eval, c, _| {
                eval.b.op("vector.store", &[zeros, self.sums, r, c], &[], &[]);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    fn slices(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let (zero, slice) = (eval.index(0), eval.index(SLICE));
        let step = eval.index(self.tile.rows);
        eval.for_loop(zero, self.k, slice, &[], |eval, k0, _| {
            let rest = self.minus(eval, self.k, k0);
            let count = self.minimum(eval, rest, slice);
            self.pack_b(eval, task, k0, count)?;
            eval.for_loop(zero, task.rows, step, &[], |eval, row, _| {
                self.pack_a(eval, task, row, k0, count)?;
                self.tiles(eval, task, row, count)?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The converted element of operand `which` at row (or column) `place` and product `k`.
    fn operand(&self, eval: &mut Eval<'c>, which: usize, task: &Task<'c>, place: Value<'c>, k: Value<'c>) -> Result<Value<'c>> {
        let batch = self.contraction.batch;
        let generic = &self.contraction.generic;
        let indices: Vec<_> = generic.maps[which]
            .iter()
            .map(|result| match result {
                fx_ir::AffineResult::Dim(i) if *i < batch => task.batch[*i],
                fx_ir::AffineResult::Dim(i) if *i == batch + 2 => k,
                _ => place,
            })
            .collect();
        let mut value = eval.element(generic.inputs[which], &indices)?;
        for cast in &self.contraction.casts[which] {
            value = eval.b.value(cast.name(), &[value], cast.result(0).ty(), &[]);
        }
        Ok(value)
    }

    /// Columns of the second operand's slice, the last one repeated beyond the edge.
    fn pack_b(&self, eval: &mut Eval<'c>, task: &Task<'c>, k0: Value<'c>, count: Value<'c>) -> Result {
        let (zero, one) = (eval.index(0), eval.index(1));
        let columns = eval.index(self.block[1]);
        let last = self.minus(eval, task.columns, one);
        eval.for_loop(zero, count, one, &[], |eval, k, _| {
            let product = eval.add(k0, k);
            eval.for_loop(zero, task.columns, one, &[], |eval, c, _| {
                let column = eval.add(task.n, c);
                let value = self.operand(eval, 1, task, column, product)?;
                eval.b.op("memref.store", &[value, self.packed_b, k, c], &[], &[]);
                Ok(Vec::new())
            })?;
            let edge = eval.b.value("memref.load", &[self.packed_b, k, last], self.element, &[]);
            eval.for_loop(task.columns, columns, one, &[], |eval, c, _| {
                eval.b.op("memref.store", &[edge, self.packed_b, k, c], &[], &[]);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// `MR` rows of the first operand's slice, the last one repeated beyond the edge.
    fn pack_a(&self, eval: &mut Eval<'c>, task: &Task<'c>, row: Value<'c>, k0: Value<'c>, count: Value<'c>) -> Result {
        let (zero, one) = (eval.index(0), eval.index(1));
        let rows = eval.index(self.tile.rows);
        let last = self.minus(eval, task.rows, one);
        eval.for_loop(zero, rows, one, &[], |eval, r, _| {
            let inside = eval.add(row, r);
            let inside = self.minimum(eval, inside, last);
            let place = eval.add(task.m, inside);
            eval.for_loop(zero, count, one, &[], |eval, k, _| {
                let product = eval.add(k0, k);
                let value = self.operand(eval, 0, task, place, product)?;
                eval.b.op("memref.store", &[value, self.packed_a, k, r], &[], &[]);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The register tile over all columns of the block.
    fn tiles(&self, eval: &mut Eval<'c>, task: &Task<'c>, row: Value<'c>, count: Value<'c>) -> Result {
        let (zero, one) = (eval.index(0), eval.index(1));
        let step = eval.index(self.tile.columns());
        let vector = self.vector();
        eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
            let mut places = Vec::new();
            for r in 0..self.tile.rows {
                for v in 0..self.tile.vectors {
                    let (r, v) = (eval.index(r), eval.index(v * self.tile.lanes));
                    places.push([eval.add(row, r), eval.add(column, v)]);
                }
            }
            let sums: Vec<_> = places.iter().map(|[r, c]| eval.b.value("vector.load", &[self.sums, *r, *c], vector, &[])).collect();
            let sums = eval.for_loop(zero, count, one, &sums, |eval, k, sums| {
                let mut columns = Vec::new();
                for v in 0..self.tile.vectors {
                    let offset = eval.index(v * self.tile.lanes);
                    let place = eval.add(column, offset);
                    columns.push(eval.b.value("vector.load", &[self.packed_b, k, place], vector, &[]));
                }
                let mut next = Vec::new();
                for r in 0..self.tile.rows {
                    let place = eval.index(r);
                    let a = eval.b.value("memref.load", &[self.packed_a, k, place], self.element, &[]);
                    let a = eval.b.value("vector.broadcast", &[a], vector, &[]);
                    for (v, b) in columns.iter().enumerate() {
                        let sum = sums[r as usize * columns.len() + v];
                        next.push(eval.b.value("vector.fma", &[a, *b, sum], vector, &[]));
                    }
                }
                Ok(next)
            })?;
            for ([r, c], sum) in places.iter().zip(sums) {
                eval.b.op("vector.store", &[sum, self.sums, *r, *c], &[], &[]);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Every result of the kernel from the block's sums.
    fn epilogue(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let (zero, one) = (eval.index(0), eval.index(1));
        let product = self.contraction.generic.op.result(0);
        eval.for_loop(zero, task.rows, one, &[], |eval, r, _| {
            let row = eval.add(task.m, r);
            eval.for_loop(zero, task.columns, one, &[], |eval, c, _| {
                let column = eval.add(task.n, c);
                let indices = [task.batch.clone(), vec![row, column]].concat();
                let sum = eval.b.value("memref.load", &[self.sums, r, c], self.element, &[]);
                eval.known(product, &indices, sum);
                let position = eval.linearize(&indices, &self.dims);
                crate::emit_cpu::elements(eval, self.kernel, self.outputs, &indices, &self.dims, position)?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
