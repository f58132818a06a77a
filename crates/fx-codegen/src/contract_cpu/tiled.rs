//! The loops of a tiled product.
//!
//! One task computes a block of results. For each slice of the outermost summed loop: pack the second factor if it is to
//! be packed; then for each group of columns, for each group of rows, a register tile of fused multiply-adds over the
//! slice, so that the slice of the second factor is read from the first-level cache by all rows but the first. Sums are
//! kept between slices where [`Sums`] says. The last columns are read and written by masks; the last rows have a tile of
//! their own. For a convolution the last loop is all pixels of an image: a tap of the kernel is a constant offset.

use fx_ir::{Attribute, Result, Type, Value};

use super::blocks::{Blocks, Order, Task, known, rows_of};
use super::product::Product;
use super::sums::{Sums, scratch};
use super::tile::Tile;
use super::{epilogue, pack};
use crate::cpu::Features;
use crate::emit_cpu::Extent;
use crate::eval::{Address, Eval, Memory, Stride};
use crate::kernel::{Kernel, Size};

/// Rows of a block: with the second factor in place; with a panel, sums in a result; with a panel, sums in scratch.
const BLOCK_ROWS: [i64; 3] = [128, 512, 128];
/// Columns of a block.
const BLOCK_COLUMNS: i64 = 256;
/// Bytes of a column's packed slice: the panel of 256 columns takes 512 KiB, a part of the second-level cache.
const PACKED_BYTES: i64 = 2048;
/// Products of a slice in place: with 32 columns of 4 bytes about half of the first-level cache.
const SLICE: i64 = 192;
/// Products of a slice where the second factor is read from memory once: with software prefetch, the fastest measured.
const STREAMED_SLICE: i64 = 64;
/// Products of a slice of few rows: whole rows are streamed.
const FEW_ROWS_SLICE: i64 = 8;
/// Rows ahead that are prefetched.
const PREFETCH: i64 = 8;
/// Innermost loops up to this length are written out.
const UNROLLED: i64 = 8;
/// Multiply-adds that are worth waking a thread for (about 3 us).
const WORK_PER_THREAD: i64 = 128 * 1024;

/// How the first factor's numbers are read.
#[derive(Clone, Copy)]
pub enum First<'c> {
    /// Where they lie, rows this far apart.
    InPlace(Stride<'c>),
    /// Each by itself.
    Elements,
    /// From a strip of packed rows.
    Packed,
}

/// How the second factor's vectors are read.
#[derive(Clone, Copy)]
pub enum Second<'c> {
    /// Where they lie, which is a cache: all products in one slice.
    InPlace,
    /// Where they lie, read from memory once, products this far apart.
    Streamed(Stride<'c>),
    /// From a packed panel.
    Packed(pack::Order<'c>),
}

/// A product with its schedule.
pub struct Tiled<'a, 'c> {
    /// The product, in blocks.
    pub blocks: Blocks<'a, 'c>,
    /// The register tile.
    pub tile: Tile,
    /// Most products of a slice.
    pub slice: i64,
    first: First<'c>,
    second: Second<'c>,
    strip: Option<Value<'c>>,
    panel: Option<Value<'c>>,
    /// Whether one slice holds all products: nothing is added to what earlier slices left.
    single: bool,
}

/// What all products of a tile share.
struct Step<'a, 'c> {
    /// The tile's first row and column in the block.
    place: [Value<'c>; 2],
    /// The slice's first product.
    k0: Value<'c>,
    rows: i64,
    /// Distances of the tile's rows in the first factor.
    offsets: Option<&'a [Value<'c>]>,
    masks: &'a Option<Vec<Value<'c>>>,
}

/// Emits the kernel's tasks `lo..hi`.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    product: &Product<'c>,
    (first, second): (First<'c>, Second<'c>),
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
    Features { wide, .. }: Features,
) -> Result<Extent> {
    let element = product.generic.op.result(0).ty().element();
    let m = rows_of(kernel, product);
    let n = kernel.space[product.n];
    let packed = matches!(second, Second::Packed(_));
    let tile = if packed { Tile::packed(element, m, wide) } else { Tile::direct(element, m, n, wide) };
    let result = outputs.first().filter(|_| Sums::fit_result(kernel, product));
    let block = block_sizes(m, n, tile, if packed { 2 - usize::from(result.is_some()) } else { 0 });
    let sizes = eval.loop_sizes(&product.generic);
    let reduced: Vec<_> = product.reduced.iter().map(|i| sizes[*i].constant().and_then(Attribute::as_int)).collect();
    let inner: i64 = reduced[1..].iter().map(|size| size.unwrap_or(UNROLLED).max(1)).product();
    let whole = PACKED_BYTES / i64::from(element.bit_width() / 8);
    let slice = match m {
        _ if packed => whole,
        Size::Known(rows) if rows <= 4 && matches!(second, Second::Streamed(_)) => FEW_ROWS_SLICE,
        _ if matches!(second, Second::Streamed(_)) => STREAMED_SLICE,
        _ if reduced.len() == 1 => whole,
        _ => (SLICE / inner).max(1),
    };
    // Squares are transposed whole: slices are whole multiples of their size.
    let panel = packed.then(|| scratch(eval, slice * block[1], element));
    let strip = matches!(first, First::Packed).then(|| scratch(eval, slice * tile.rows, element));
    let sums = Sums::new(eval, element, result, block);
    let single = reduced[0].is_some_and(|size| (0..=slice).contains(&size));
    let has_products = reduced.iter().all(|size| size.is_some_and(|size| size > 0));
    let blocks = Blocks { kernel, product, outputs, element, sizes, sums, size: block, order: Order::Columns };
    let tiled = Tiled { single, blocks, tile, slice, first, second, strip, panel };
    let one = eval.index(1);
    eval.for_loop(lo, hi, one, &[], |eval, task, _| {
        let task = tiled.blocks.task(eval, task);
        if !has_products {
            tiled.blocks.clear(eval, &task)?;
        }
        tiled.slices(eval, &task)?;
        if !(tiled.blocks.sums.in_result() && Sums::are_result(kernel, product)) {
            epilogue::emit(eval, &tiled.blocks, &task)?;
        }
        Ok(Vec::new())
    })?;
    Ok(Extent { sizes: tiled.blocks.counts(), grain: tiled.blocks.grain(&reduced, WORK_PER_THREAD) })
}

/// Whole tiles, no larger than the result.
fn block_sizes(m: Size, n: Size, tile: Tile, kind: usize) -> [i64; 2] {
    let round = |size: i64, unit: i64| (size.max(1) + unit - 1) / unit * unit;
    let rows = round(known(m).map_or(BLOCK_ROWS[kind], |m| m.min(BLOCK_ROWS[kind])), tile.rows);
    let columns = match known(n) {
        // Two tasks at least, of even size.
        Some(n) if n <= 2 * BLOCK_COLUMNS => round(((n + 1) / 2).max(tile.columns()), tile.columns()),
        _ => round(BLOCK_COLUMNS, tile.columns()),
    };
    [rows, columns]
}

impl<'c> Tiled<'_, 'c> {
    fn binary(&self, eval: &Eval<'c>, name: &str, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        eval.b.value(name, &[a, b], a.ty(), &[])
    }

    fn vector(&self) -> Type<'c> {
        Type::vector(&[self.tile.lanes], self.blocks.element)
    }

    fn slices(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let (zero, slice, step) = (eval.index(0), eval.index(self.slice), eval.index(self.tile.columns()));
        let outermost = self.blocks.sizes[self.blocks.product.reduced[0]];
        eval.for_loop(zero, outermost, slice, &[], |eval, k0, _| {
            let rest = self.binary(eval, "arith.subi", outermost, k0);
            let count = self.binary(eval, "arith.minsi", rest, slice);
            let k1 = eval.add(k0, count);
            if let (Second::Packed(order), Some(panel)) = (self.second, self.panel) {
                pack::second(eval, self, task, panel, order, [k0, count])?;
                // Rows outside, so that the strip of the first factor stays in the first-level cache.
                self.rows(eval, task, &mut |eval, row, rows| {
                    if let Some(strip) = self.strip {
                        pack::first(eval, self, task, strip, (row, rows), [k0, count])?;
                    }
                    eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
                        let masks = self.masks(eval, task, column);
                        self.fetch_next_rows(eval, task, [row, column], [k0, k1])?;
                        self.sum(eval, task, [row, column], [k0, k1], rows, &masks)
                    })?;
                    Ok(())
                })?;
            } else {
                eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
                    let masks = self.masks(eval, task, column);
                    self.rows(eval, task, &mut |eval, row, rows| {
                        self.sum(eval, task, [row, column], [k0, k1], rows, &masks)?;
                        Ok(())
                    })?;
                    Ok(Vec::new())
                })?;
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// All rows of the block: whole tiles, then what is left.
    fn rows(&self, eval: &mut Eval<'c>, task: &Task<'c>, tile: &mut dyn FnMut(&mut Eval<'c>, Value<'c>, i64) -> Result) -> Result {
        let size = self.blocks.product.m.map_or(Size::Known(1), |m| self.blocks.kernel.space[m]);
        let zero = eval.index(0);
        let step = eval.index(self.tile.rows);
        let left = match size {
            Size::Known(m) => m % self.tile.rows,
            Size::Argument(_) => 1,
        };
        let mut each = |eval: &mut Eval<'c>, from: Value<'c>, to: Value<'c>, rows: i64| {
            let step = eval.index(rows);
            eval.for_loop(from, to, step, &[], |eval, row, _| tile(eval, row, rows).map(|()| Vec::new())).map(drop)
        };
        if left == 0 {
            return each(eval, zero, task.rows, self.tile.rows);
        }
        let over = self.binary(eval, "arith.remui", task.rows, step);
        let whole = self.binary(eval, "arith.subi", task.rows, over);
        if !matches!(size, Size::Known(m) if m < self.tile.rows) {
            each(eval, zero, whole, self.tile.rows)?;
        }
        each(eval, whole, task.rows, left)
    }

    /// Which lanes of the tile's vectors are columns of the task; none if all are.
    pub fn masks(&self, eval: &mut Eval<'c>, task: &Task<'c>, column: Value<'c>) -> Option<Vec<Value<'c>>> {
        if known(self.blocks.kernel.space[self.blocks.product.n]).is_some_and(|n| n % self.tile.columns() == 0) {
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
        let masked = masks.as_ref().filter(|_| self.blocks.sums.in_result());
        let zero = eval.b.number(self.blocks.element, 0.0);
        let zeros = eval.b.value("vector.broadcast", &[zero], vector, &[]);
        let mut positions = Vec::new();
        for r in 0..rows {
            let r = eval.index(r);
            let row = eval.add(place[0], r);
            let start = self.blocks.sum_position(eval, task, [row, place[1]]);
            for v in 0..self.tile.vectors {
                let offset = eval.index(v * self.tile.lanes);
                positions.push((eval.add(start, offset), masked.map(|masks| masks[v as usize])));
            }
        }
        if !self.single && self.blocks.sums.in_result() {
            positions.iter().for_each(|(at, _)| self.fetch(eval, self.blocks.sums.memref(), *at));
        }
        let mut loops = task.loops.clone();
        loops[self.blocks.product.n] = eval.add(loops[self.blocks.product.n], place[1]);
        if let Some(m) = self.blocks.product.m {
            loops[m] = eval.add(loops[m], place[0]);
        }
        let offsets = self.row_offsets(eval, rows);
        let one = eval.index(1);
        let step = Step { place, k0, rows, offsets: offsets.as_deref(), masks };
        let sums = eval.for_loop(k0, k1, one, &vec![zeros; positions.len()], |eval, k, sums| {
            loops[self.blocks.product.reduced[0]] = k;
            self.taps(eval, &mut loops, 1, &step, sums.to_vec())
        })?;
        self.add(eval, &positions, &sums, k0, zeros);
        Ok(Vec::new())
    }

    /// Adds a slice's sums to those of the slices before, of which the first one has none: no lane is read then.
    fn add(&self, eval: &mut Eval<'c>, positions: &[(Value<'c>, Option<Value<'c>>)], sums: &[Value<'c>], k0: Value<'c>, zeros: Value<'c>) {
        let context = eval.context();
        let memref = self.blocks.sums.memref();
        let earlier = (!self.single).then(|| {
            let (zero, bool_type) = (eval.index(0), Type::int(context, 1));
            let some = eval.b.value("arith.cmpi", &[k0, zero], bool_type, &[("predicate", Attribute::i64(context, 1))]);
            eval.b.value("vector.broadcast", &[some], Type::vector(&[self.tile.lanes], bool_type), &[])
        });
        for ((at, mask), sum) in positions.iter().zip(sums) {
            let mut sum = *sum;
            if let Some(earlier) = earlier {
                let lanes = mask.map_or(earlier, |mask| self.binary(eval, "arith.andi", earlier, mask));
                let before = eval.b.value("vector.maskedload", &[memref, *at, lanes, zeros], self.vector(), &[]);
                sum = self.binary(eval, "arith.addf", before, sum);
            }
            match mask {
                Some(mask) => eval.b.op("vector.maskedstore", &[memref, *at, *mask, sum], &[], &[]),
                None => eval.b.op("vector.store", &[sum, memref, *at], &[], &[]),
            };
        }
    }

    /// Asks for the cache line at a position.
    fn fetch(&self, eval: &Eval<'c>, memref: Value<'c>, at: Value<'c>) {
        let context = eval.context();
        let attributes = [
            ("isWrite", Attribute::bool(context, false)),
            ("localityHint", Attribute::int(Type::int(context, 32), 3)),
            ("isDataCache", Attribute::bool(context, true)),
        ];
        eval.b.op("memref.prefetch", &[memref, at], &[], &attributes);
    }

    /// Asks for one of the rows of the first factor that the next tile of rows reads: the `column`-th sliver's share.
    fn fetch_next_rows(&self, eval: &mut Eval<'c>, task: &Task<'c>, [row, column]: [Value<'c>; 2], [k0, k1]: [Value<'c>; 2]) -> Result {
        let (First::InPlace(_), Some(m)) = (self.first, self.blocks.product.m) else { return Ok(()) };
        let (rows, width) = (eval.index(self.tile.rows), eval.index(self.tile.columns()));
        let sliver = self.binary(eval, "arith.divui", column, width);
        let ahead = self.binary(eval, "arith.remui", sliver, rows);
        let next = eval.add(row, rows);
        let next = eval.add(next, ahead);
        let one = eval.index(1);
        let last = self.binary(eval, "arith.subi", task.rows, one);
        let next = self.binary(eval, "arith.minsi", next, last);
        let mut loops = task.loops.clone();
        loops[m] = eval.add(loops[m], next);
        let line = eval.index(64 * 8 / i64::from(self.blocks.element.bit_width()));
        eval.for_loop(k0, k1, line, &[], |eval, k, _| {
            loops[self.blocks.product.reduced[0]] = k;
            let address = eval.factor_address(&self.blocks.product.generic, self.blocks.product.a.value, &loops)?;
            if let Some(Address { memory, position, .. }) = address {
                self.fetch(eval, memory.memref, position);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Distances of the tile's rows in the first factor, or in its strip, if they are even.
    fn row_offsets(&self, eval: &mut Eval<'c>, rows: i64) -> Option<Vec<Value<'c>>> {
        let stride = match self.first {
            First::InPlace(Stride::Uneven) | First::Elements => return None,
            First::InPlace(stride) => eval.stride_value(stride),
            First::Packed => eval.index(self.slice),
        };
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
        let Some(i) = self.blocks.product.reduced.get(depth).copied() else { return self.multiply(eval, loops, step, &sums) };
        let size = self.blocks.sizes[i];
        let last = depth + 1 == self.blocks.product.reduced.len();
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
        let columns = self.columns(eval, loops, step)?;
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
    fn columns(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>) -> Result<Vec<Value<'c>>> {
        let Some(panel) = self.panel else {
            if let Second::Streamed(ahead) = self.second {
                self.prefetch(eval, loops, ahead)?;
            }
            return self.vectors_in_place(eval, loops, step.masks);
        };
        let k = self.binary(eval, "arith.subi", loops[self.blocks.product.reduced[0]], step.k0);
        let vectors = (0..self.tile.vectors).map(|v| {
            let at = pack::panel_position(eval, self, step.place[1], k, v * self.tile.lanes);
            eval.b.value("vector.load", &[panel, at], self.vector(), &[])
        });
        Ok(vectors.collect())
    }

    /// The second factor's vectors, converted, from where they lie.
    ///
    /// # Errors
    /// If they have no address: an internal bug, reported.
    pub fn vectors_in_place(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], masks: &Option<Vec<Value<'c>>>) -> Result<Vec<Value<'c>>> {
        let Address { memory, position: start, casts } = self.second_address(eval, loops)?;
        let ty = Type::vector(&[self.tile.lanes], memory.element);
        let zeros = masks.as_ref().map(|_| {
            let zero = eval.b.number(memory.element, 0.0);
            eval.b.value("vector.broadcast", &[zero], ty, &[])
        });
        let vectors = (0..self.tile.vectors).map(|v| {
            let offset = eval.index(v * self.tile.lanes);
            let at = eval.add(start, offset);
            let read = match (masks, zeros) {
                (Some(masks), Some(zeros)) => eval.b.value("vector.maskedload", &[memory.memref, at, masks[v as usize], zeros], ty, &[]),
                _ => eval.b.value("vector.load", &[memory.memref, at], ty, &[]),
            };
            pack::convert(eval, &casts, read)
        });
        Ok(vectors.collect())
    }

    fn second_address(&self, eval: &mut Eval<'c>, loops: &[Value<'c>]) -> Result<Address<'c>> {
        let generic = &self.blocks.product.generic;
        let address = eval.factor_address(generic, self.blocks.product.b.value, loops)?;
        address.ok_or_else(|| crate::internal(generic.op, "a factor without an address"))
    }

    /// Asks for the vectors some products ahead, which lie this far apart.
    fn prefetch(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], ahead: Stride<'c>) -> Result {
        if ahead == Stride::Uneven {
            return Ok(());
        }
        let Address { memory, position: start, .. } = self.second_address(eval, loops)?;
        let (ahead, count) = (eval.stride_value(ahead), eval.index(PREFETCH));
        let ahead = eval.mul(ahead, count);
        let start = eval.add(start, ahead);
        let bytes = self.tile.lanes * i64::from(memory.element.bit_width() / 8);
        for v in (0..self.tile.vectors).filter(|v| v * bytes % 64 == 0) {
            let offset = eval.index(v * self.tile.lanes);
            let at = eval.add(start, offset);
            self.fetch(eval, memory.memref, at);
        }
        Ok(())
    }

    /// The first factor's number of each row.
    fn numbers(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>) -> Result<Vec<Value<'c>>> {
        let product = self.blocks.product;
        if let (Some(strip), Some(offsets)) = (self.strip, step.offsets) {
            let k = self.binary(eval, "arith.subi", loops[product.reduced[0]], step.k0);
            let read = offsets.iter().map(|offset| {
                let at = eval.add(k, *offset);
                eval.b.value("memref.load", &[strip, at], self.blocks.element, &[])
            });
            return Ok(read.collect());
        }
        let address = eval.factor_address(&product.generic, product.a.value, loops)?;
        if let (Some(offsets), Some(Address { memory, position: start, casts })) = (step.offsets, address) {
            let read = offsets.iter().map(|offset| {
                let at = eval.add(start, *offset);
                let number = eval.load_flat(&memory, at);
                pack::convert(eval, &casts, number)
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
                pack::number(eval, self, &product.a, &loops)
            })
            .collect()
    }
}
