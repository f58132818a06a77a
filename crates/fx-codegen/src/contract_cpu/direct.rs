//! Sums of products with both factors read where they lie.
//!
//! Needs     a product whose second factor lies without gaps along the last loop.
//!
//! One task computes a block of results. For each slice of the outermost summed loop, for each group of columns, for each
//! group of rows: a register tile of fused multiply-adds over the slice, so that the slice of the second factor is read
//! from the first-level cache by all rows but the first. Sums are kept in a scratch block between slices. The last
//! columns are read by masks; the last rows have a tile of their own. For a convolution the last loop is all pixels of an
//! image: a tap of the kernel is a constant offset.

use fx_ir::{Attribute, Result, Type, Value};

use super::product::{Factor, Product};
use super::tile::Tile;
use crate::emit_cpu::{Count, Extent};
use crate::eval::{Eval, Memory, Stride};
use crate::kernel::{Kernel, Size};

/// Rows of a block.
const BLOCK_ROWS: i64 = 64;
/// Columns of a block.
const BLOCK_COLUMNS: i64 = 256;
/// Products of a slice: with 32 columns of 4 bytes about half of the first-level cache.
const SLICE: i64 = 192;
/// Products of a slice where the second factor is read from memory once: with software prefetch, the fastest measured.
const STREAMED_SLICE: i64 = 64;
/// Products of a slice of few rows: whole rows are streamed.
const FEW_ROWS_SLICE: i64 = 8;
/// Rows ahead that are prefetched.
const PREFETCH: i64 = 8;
/// Innermost loops up to this length are written out.
const UNROLLED: i64 = 4;
/// Multiply-adds that are worth waking a thread for (about 3 us).
const WORK_PER_THREAD: i64 = 128 * 1024;
/// What an unknown size counts as in estimates.
const TYPICAL_SIZE: i64 = 64;

/// What is known of the factors' addresses.
struct Layout<'c> {
    /// How the first factor moves from row to row, if it lies in memory and moves evenly.
    a_rows: Option<Stride<'c>>,
    /// How the second factor moves from one product to the next, if it is one loop.
    b_products: Stride<'c>,
}

struct Direct<'a, 'c> {
    kernel: &'a Kernel<'c>,
    product: &'a Product<'c>,
    outputs: &'a [Memory<'c>],
    layout: Layout<'c>,
    tile: Tile,
    element: Type<'c>,
    /// Rows and columns of a block.
    block: [i64; 2],
    slice: i64,
    /// Sizes of all loops.
    sizes: Vec<Value<'c>>,
    sums: Value<'c>,
}

/// Where a task works: all loops at the block's start, and how many rows and columns it has.
struct Task<'c> {
    loops: Vec<Value<'c>>,
    rows: Value<'c>,
    columns: Value<'c>,
}

/// Addresses of the factors, if the second one has no gaps along the last loop. What is built for it is dead code.
fn layout<'c>(eval: &mut Eval<'c>, product: &Product<'c>) -> Result<Option<Layout<'c>>> {
    let [n, m, k] = [eval.variable(), eval.variable(), eval.variable()];
    let zero = eval.index(0);
    let mut loops = vec![zero; product.generic.reduced.len()];
    loops[product.n] = n;
    if let Some(row) = product.m {
        loops[row] = m;
    }
    product.reduced.iter().for_each(|i| loops[*i] = k);
    let Some((_, b)) = eval.factor_address(&product.generic, product.b.read, &loops)? else { return Ok(None) };
    if eval.stride(b, n) != Stride::Known(1) {
        return Ok(None);
    }
    let b_products = if product.reduced.len() == 1 { eval.stride(b, k) } else { Stride::Uneven };
    let a = eval.factor_address(&product.generic, product.a.read, &loops)?;
    let a_rows = a.map(|(_, a)| eval.stride(a, m)).filter(|stride| *stride != Stride::Uneven);
    Ok(Some(Layout { a_rows, b_products }))
}

fn known(size: Size) -> Option<i64> {
    if let Size::Known(size) = size { Some(size) } else { None }
}

/// Emits the kernel's tasks `lo..hi`; none if the second factor has gaps.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    product: &Product<'c>,
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
) -> Result<Option<Extent>> {
    let Some(layout) = layout(eval, product)? else { return Ok(None) };
    let element = product.generic.op.result(0).ty().element();
    let m = product.m.map_or(Size::Known(1), |m| kernel.space[m]);
    let n = kernel.space[product.n];
    let tile = Tile::direct(element, m, n);
    let block = block_sizes(m, n, tile);
    let sizes = eval.loop_sizes(&product.generic);
    let reduced: Vec<_> = product.reduced.iter().map(|i| sizes[*i].constant().and_then(Attribute::as_int)).collect();
    let inner: i64 = reduced[1..].iter().map(|size| size.unwrap_or(UNROLLED).max(1)).product();
    let streamed = reduced.len() == 1;
    let slice = match m {
        Size::Known(rows) if rows <= 4 && streamed => FEW_ROWS_SLICE,
        _ if streamed => STREAMED_SLICE,
        _ => (SLICE / inner).max(1),
    };
    let sums = eval.b.value(
        "memref.alloca",
        &[],
        Type::memref(&block, element, None),
        &[("operandSegmentSizes", Attribute::i32s(eval.context(), &[0, 0])), ("alignment", Attribute::i64(eval.context(), 64))],
    );
    let direct = Direct { kernel, product, outputs, layout, tile, element, block, slice, sizes, sums };
    let one = eval.index(1);
    eval.for_loop(lo, hi, one, &[], |eval, task, _| {
        let task = direct.task(eval, task);
        direct.clear(eval)?;
        direct.slices(eval, &task)?;
        direct.epilogue(eval, &task)?;
        Ok(Vec::new())
    })?;
    let mut counts: Vec<_> = product.batch().into_iter().map(|i| Count { size: kernel.space[i], per: 1 }).collect();
    counts.push(Count { size: m, per: block[0] });
    counts.push(Count { size: n, per: block[1] });
    let products = reduced.iter().map(|size| size.unwrap_or(TYPICAL_SIZE).max(1)).fold(1i64, i64::saturating_mul);
    let results = known(m).unwrap_or(TYPICAL_SIZE).clamp(1, block[0]) * known(n).unwrap_or(TYPICAL_SIZE).clamp(1, block[1]);
    let grain = (WORK_PER_THREAD / products.saturating_mul(results).max(1)).max(1);
    Ok(Some(Extent { sizes: counts, grain }))
}

/// Whole tiles, no larger than the result.
fn block_sizes(m: Size, n: Size, tile: Tile) -> [i64; 2] {
    let round = |size: i64, unit: i64| (size.max(1) + unit - 1) / unit * unit;
    let rows = round(known(m).map_or(BLOCK_ROWS, |m| m.min(BLOCK_ROWS)), tile.rows);
    let columns = match known(n) {
        // Two tasks at least, of even size.
        Some(n) if n <= 2 * BLOCK_COLUMNS => round(((n + 1) / 2).max(tile.columns()), tile.columns()),
        _ => round(BLOCK_COLUMNS, tile.columns()),
    };
    [rows, columns]
}

impl<'c> Direct<'_, 'c> {
    fn binary(&self, eval: &Eval<'c>, name: &str, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        eval.b.value(name, &[a, b], a.ty(), &[])
    }

    fn task(&self, eval: &mut Eval<'c>, task: Value<'c>) -> Task<'c> {
        let product = self.product;
        let one = eval.index(1);
        let m_size = product.m.map_or(one, |m| self.sizes[m]);
        let n_size = self.sizes[product.n];
        let mut counts: Vec<_> = product.batch().into_iter().map(|i| self.sizes[i]).collect();
        for (size, per) in [(m_size, self.block[0]), (n_size, self.block[1])] {
            let per = eval.index(per);
            counts.push(self.binary(eval, "arith.ceildivui", size, per));
        }
        let mut indices = eval.delinearize(task, &counts);
        let mut place = |eval: &mut Eval<'c>, size: Value<'c>, per: i64| {
            let index = indices.pop().unwrap_or(task);
            let per = eval.index(per);
            let start = eval.mul(index, per);
            let rest = self.binary(eval, "arith.subi", size, start);
            (start, self.binary(eval, "arith.minsi", rest, per))
        };
        let (n, columns) = place(eval, n_size, self.block[1]);
        let (m, rows) = place(eval, m_size, self.block[0]);
        let zero = eval.index(0);
        let mut loops = vec![zero; self.sizes.len()];
        for (i, index) in product.batch().into_iter().zip(indices) {
            loops[i] = index;
        }
        loops[product.n] = n;
        if let Some(i) = product.m {
            loops[i] = m;
        }
        Task { loops, rows, columns }
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
        let (zero, slice, step) = (eval.index(0), eval.index(self.slice), eval.index(self.tile.columns()));
        let outermost = self.sizes[self.product.reduced[0]];
        eval.for_loop(zero, outermost, slice, &[], |eval, k0, _| {
            let rest = self.binary(eval, "arith.subi", outermost, k0);
            let count = self.binary(eval, "arith.minsi", rest, slice);
            let k1 = eval.add(k0, count);
            eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
                self.rows(eval, task, column, [k0, k1])?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// All rows of the block: whole tiles, then what is left.
    fn rows(&self, eval: &mut Eval<'c>, task: &Task<'c>, column: Value<'c>, ks: [Value<'c>; 2]) -> Result {
        let size = self.product.m.map_or(Size::Known(1), |m| self.kernel.space[m]);
        let zero = eval.index(0);
        let masks = self.masks(eval, task, column);
        let step = eval.index(self.tile.rows);
        let left = match size {
            Size::Known(m) => m % self.tile.rows,
            Size::Argument(_) => 1,
        };
        if left == 0 {
            eval.for_loop(zero, task.rows, step, &[], |eval, row, _| self.sum(eval, task, [row, column], ks, self.tile.rows, &masks))?;
            return Ok(());
        }
        let over = self.binary(eval, "arith.remui", task.rows, step);
        let whole = self.binary(eval, "arith.subi", task.rows, over);
        if !matches!(size, Size::Known(m) if m < self.tile.rows) {
            eval.for_loop(zero, whole, step, &[], |eval, row, _| self.sum(eval, task, [row, column], ks, self.tile.rows, &masks))?;
        }
        let step = eval.index(left);
        eval.for_loop(whole, task.rows, step, &[], |eval, row, _| self.sum(eval, task, [row, column], ks, left, &masks))?;
        Ok(())
    }

    /// Which lanes of the tile's vectors are columns of the task; none if all are.
    fn masks(&self, eval: &mut Eval<'c>, task: &Task<'c>, column: Value<'c>) -> Option<Vec<Value<'c>>> {
        if known(self.kernel.space[self.product.n]).is_some_and(|n| n % self.tile.columns() == 0) {
            return None;
        }
        let ty = Type::vector(&[self.tile.lanes], Type::int(eval.context(), 1));
        let left = self.binary(eval, "arith.subi", task.columns, column);
        let masks = (0..self.tile.vectors).map(|v| {
            let before = eval.index(v * self.tile.lanes);
            let left = self.binary(eval, "arith.subi", left, before);
            eval.b.value("vector.create_mask", &[left], ty, &[])
        });
        Some(masks.collect())
    }

    /// One register tile over one slice.
    fn sum(
        &self,
        eval: &mut Eval<'c>,
        task: &Task<'c>,
        place: [Value<'c>; 2],
        [k0, k1]: [Value<'c>; 2],
        rows: i64,
        masks: &Option<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let vector = self.vector();
        let mut places = Vec::new();
        for r in 0..rows {
            for v in 0..self.tile.vectors {
                let (r, v) = (eval.index(r), eval.index(v * self.tile.lanes));
                places.push([eval.add(place[0], r), eval.add(place[1], v)]);
            }
        }
        let mut loops = task.loops.clone();
        loops[self.product.n] = eval.add(loops[self.product.n], place[1]);
        if let Some(m) = self.product.m {
            loops[m] = eval.add(loops[m], place[0]);
        }
        let offsets = self.row_offsets(eval, rows);
        let sums: Vec<_> = places.iter().map(|[r, c]| eval.b.value("vector.load", &[self.sums, *r, *c], vector, &[])).collect();
        let one = eval.index(1);
        let step = Step { rows, offsets: &offsets, masks };
        let sums = eval.for_loop(k0, k1, one, &sums, |eval, k, sums| {
            loops[self.product.reduced[0]] = k;
            self.taps(eval, &mut loops, 1, &step, sums.to_vec())
        })?;
        for ([r, c], sum) in places.iter().zip(sums) {
            eval.b.op("vector.store", &[sum, self.sums, *r, *c], &[], &[]);
        }
        Ok(Vec::new())
    }

    /// Distances of the tile's rows in the first factor, if they are even.
    fn row_offsets(&self, eval: &mut Eval<'c>, rows: i64) -> Option<Vec<Value<'c>>> {
        let stride = self.layout.a_rows?;
        let stride = eval.stride_value(stride);
        Some(
            (0..rows)
                .map(|r| {
                    let r = eval.index(r);
                    eval.mul(r, stride)
                })
                .collect(),
        )
    }

    /// Summed loops from the `depth`-th on; the last one written out if it is short.
    fn taps(
        &self,
        eval: &mut Eval<'c>,
        loops: &mut Vec<Value<'c>>,
        depth: usize,
        step: &Step<'_, 'c>,
        sums: Vec<Value<'c>>,
    ) -> Result<Vec<Value<'c>>> {
        let Some(i) = self.product.reduced.get(depth).copied() else { return self.multiply(eval, loops, step, &sums) };
        let size = self.sizes[i];
        let last = depth + 1 == self.product.reduced.len();
        if let Some(count) = size.constant().and_then(Attribute::as_int).filter(|count| last && *count <= UNROLLED) {
            return (0..count).try_fold(sums, |sums, tap| {
                loops[i] = eval.index(tap);
                self.multiply(eval, loops, step, &sums)
            });
        }
        let (zero, one) = (eval.index(0), eval.index(1));
        eval.for_loop(zero, size, one, &sums, |eval, tap, sums| {
            loops[i] = tap;
            self.taps(eval, loops, depth + 1, step, sums.to_vec())
        })
    }

    /// One product for each result of the tile.
    fn multiply(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>, sums: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let columns = self.columns(eval, loops, step.masks)?;
        let rows = self.numbers(eval, loops, step)?;
        let vector = self.vector();
        let mut next = Vec::new();
        for (r, a) in rows.into_iter().enumerate() {
            let a = eval.b.value("vector.broadcast", &[a], vector, &[]);
            for (v, b) in columns.iter().enumerate() {
                next.push(eval.b.value("vector.fma", &[a, *b, sums[r * columns.len() + v]], vector, &[]));
            }
        }
        Ok(next)
    }

    /// The second factor's vectors.
    fn columns(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], masks: &Option<Vec<Value<'c>>>) -> Result<Vec<Value<'c>>> {
        let product = self.product;
        let Some((memory, start)) = eval.factor_address(&product.generic, product.b.read, loops)? else {
            return Err(crate::internal(product.generic.op, "a factor without an address"));
        };
        let ty = Type::vector(&[self.tile.lanes], memory.element);
        let zeros = masks.as_ref().map(|_| {
            let zero = eval.b.number(memory.element, 0.0);
            eval.b.value("vector.broadcast", &[zero], ty, &[])
        });
        if self.layout.b_products != Stride::Uneven {
            let ahead = eval.stride_value(self.layout.b_products);
            let count = eval.index(PREFETCH);
            let ahead = eval.mul(ahead, count);
            let ahead = eval.add(start, ahead);
            self.prefetch(eval, &memory, ahead);
        }
        let vectors = (0..self.tile.vectors).map(|v| {
            let offset = eval.index(v * self.tile.lanes);
            let at = eval.add(start, offset);
            let read = match (masks, zeros) {
                (Some(masks), Some(zeros)) => {
                    eval.b.value("vector.maskedload", &[memory.memref, at, masks[v as usize], zeros], ty, &[])
                }
                _ => eval.b.value("vector.load", &[memory.memref, at], ty, &[]),
            };
            self.cast(eval, &product.b, read)
        });
        Ok(vectors.collect())
    }

    fn prefetch(&self, eval: &mut Eval<'c>, memory: &Memory<'c>, start: Value<'c>) {
        let context = eval.context();
        let bytes = self.tile.lanes * i64::from(memory.element.bit_width() / 8);
        for v in 0..self.tile.vectors {
            if v * bytes % 64 != 0 {
                continue; // the line before
            }
            let offset = eval.index(v * self.tile.lanes);
            let at = eval.add(start, offset);
            let i32_type = Type::int(context, 32);
            let attributes = [
                ("isWrite", Attribute::bool(context, false)),
                ("localityHint", Attribute::int(i32_type, 3)),
                ("isDataCache", Attribute::bool(context, true)),
            ];
            eval.b.op("memref.prefetch", &[memory.memref, at], &[], &attributes);
        }
    }

    /// The first factor's number of each row.
    fn numbers(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>) -> Result<Vec<Value<'c>>> {
        let product = self.product;
        if let (Some(offsets), Some((memory, start))) =
            (step.offsets.as_ref(), eval.factor_address(&product.generic, product.a.read, loops)?)
        {
            let read = offsets.iter().map(|offset| {
                let at = eval.add(start, *offset);
                let number = eval.load_flat(&memory, at);
                self.cast(eval, &product.a, number)
            });
            return Ok(read.collect());
        }
        (0..step.rows)
            .map(|r| {
                let mut loops = loops.to_vec();
                if let Some(m) = product.m {
                    let r = eval.index(r);
                    loops[m] = eval.add(loops[m], r);
                }
                let number = eval.body_value(&product.generic, product.a.read, &loops)?;
                Ok(self.cast(eval, &product.a, number))
            })
            .collect()
    }

    /// The factor's conversions, of a number or of a vector.
    fn cast(&self, eval: &Eval<'c>, factor: &Factor<'c>, value: Value<'c>) -> Value<'c> {
        factor.casts.iter().fold(value, |value, cast| {
            let to = cast.result(0).ty();
            let to = if value.ty().is_vector() { Type::vector(&[self.tile.lanes], to) } else { to };
            eval.b.value(cast.name(), &[value], to, &[])
        })
    }

    /// Every result of the kernel from the block's sums.
    fn epilogue(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let (zero, one) = (eval.index(0), eval.index(1));
        let (product, generic) = (self.product, &self.product.generic);
        let dims = self.sizes[..=product.n].to_vec();
        eval.for_loop(zero, task.rows, one, &[], |eval, r, _| {
            let mut indices = task.loops[..=product.n].to_vec();
            if let Some(m) = product.m {
                indices[m] = eval.add(indices[m], r);
            }
            eval.for_loop(zero, task.columns, one, &[], |eval, c, _| {
                let mut indices = indices.clone();
                indices[product.n] = eval.add(indices[product.n], c);
                let sum = eval.b.value("memref.load", &[self.sums, r, c], self.element, &[]);
                eval.known(generic.op.result(0), &indices, sum);
                let position = eval.linearize(&indices, &dims);
                crate::emit_cpu::elements(eval, self.kernel, self.outputs, &indices, &dims, position)?;
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}

/// What all products of a tile share.
struct Step<'a, 'c> {
    rows: i64,
    offsets: &'a Option<Vec<Value<'c>>>,
    masks: &'a Option<Vec<Value<'c>>>,
}
