//! The loops of a tiled product.
//!
//! One task computes a block of results. For each slice of the outermost summed loop: pack the second factor if it is to
//! be packed; then for each group of columns, for each group of rows, a register tile of fused multiply-adds over the
//! slice, so that the slice of the second factor is read from the first-level cache by all rows but the first. Sums are
//! kept between slices where [`Sums`] says. Where a panel holds all products, tasks of the same columns follow each other, and
//! the first of them packs it. The last columns are read and written by masks; the last rows have a tile of
//! their own. For a convolution the last loop is all pixels of an image: a tap of the kernel is a constant offset.

use fx_ir::{Attribute, Result, Type, Value};

mod inner;

use super::blocks::{Blocks, Order, Task, even_slice, known, round_up, rows_of, when_first};
use super::product::Product;
use super::sums::{Sums, scratch};
use super::tile::Tile;
use super::{epilogue, pack};
use crate::cpu::Features;
use crate::emit_cpu::Extent;
use crate::eval::{Eval, Memory, Stride};
use crate::kernel::{Kernel, Size};

/// Rows of a block: with the second factor in place; with a panel, sums in a result; with a panel, sums in scratch.
const BLOCK_ROWS: [i64; 3] = [128, 512, 128];
/// Columns of a block.
const BLOCK_COLUMNS: i64 = 256;
/// Bytes of a column's packed slice: the panel of 256 columns takes 512 KiB, a part of the second-level cache.
const PACKED_BYTES: i64 = 2048;
/// Bytes of a column whose products are packed at once: the panel takes up to 1 MiB, half of the second-level cache.
const WHOLE_BYTES: i64 = 2 * PACKED_BYTES;
/// Rows of a block that uses the panel of the block before.
const KEPT_ROWS: i64 = 48;
/// Products of different matrices that are enough for threads to share unevenly.
const MANY_MATRICES: i64 = 8;
/// Products of a slice in place: with 32 columns of 4 bytes about half of the first-level cache.
const SLICE: i64 = 192;
/// Products of a slice where the second factor is read from memory once: with software prefetch, the fastest measured.
const STREAMED_SLICE: i64 = 64;
/// So many rows are few: sums leave registers free.
pub const FEW_ROWS: i64 = 4;
/// Blocks that a factor which comes from memory is cut into, unless they would have too few or too many columns.
const STREAMED_BLOCKS: i64 = 8;
/// Most columns of such a block.
const MOST_STREAMED_COLUMNS: i64 = 1024;
/// Products of a slice of few rows: whole rows are streamed.
const FEW_ROWS_SLICE: i64 = 16;
/// Rows ahead that are prefetched, unless few rows share them: then the hardware keeps up, and prefetching is in its way.
const PREFETCH: i64 = 8;
/// Innermost loops up to this length are written out.
const UNROLLED: i64 = 7;
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
    /// Where they lie, read from memory once.
    Streamed,
    /// From a packed panel.
    Packed(pack::Order<'c>),
}

/// How a product is computed.
#[derive(Clone, Copy)]
pub struct Schedule<'c> {
    /// Reading of the first factor.
    pub first: First<'c>,
    /// Reading of the second factor.
    pub second: Second<'c>,
    /// How far both factors' numbers of the next product lie behind, if there is one summed loop.
    pub along: [Stride<'c>; 2],
}

/// A product with its schedule.
pub struct Tiled<'a, 'c> {
    /// The product, in blocks.
    pub blocks: Blocks<'a, 'c>,
    /// The register tile.
    pub tile: Tile,
    /// Most products of a slice.
    pub slice: i64,
    schedule: Schedule<'c>,
    strip: Option<Value<'c>>,
    panel: Option<Value<'c>>,
    /// Whether one slice holds all products: nothing is added to what earlier slices left.
    single: bool,
    /// Whether blocks use the panel of the block before.
    keeps_panel: bool,
}

/// Emits the kernel's tasks `lo..hi`.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    product: &Product<'c>,
    schedule: Schedule<'c>,
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
    Features { wide, .. }: Features,
) -> Result<Extent> {
    let Schedule { first, second, .. } = schedule;
    let element = product.generic.op.result(0).ty().element();
    let m = rows_of(kernel, product);
    let n = kernel.space[product.n];
    let packed = matches!(second, Second::Packed(_));
    let few = matches!(m, Size::Known(rows) if rows <= FEW_ROWS);
    let streamed = matches!(second, Second::Streamed);
    let tile = if few || streamed { Tile::streamed(element, m, n, wide) } else { Tile::of(element, m, n, wide) };
    let result = outputs.first().filter(|_| Sums::fit_result(kernel, product));
    let mut block = block_sizes(m, n, tile, if packed { 2 - usize::from(result.is_some()) } else { 0 });
    let matrices: i64 = product.batch().into_iter().map(|i| known(kernel.space[i]).unwrap_or(1).max(1)).product();
    if let (true, Some(n)) = (streamed, known(n)) {
        // A row of the second factor is a page of its own: long pieces of it cost fewer of these.
        let blocks = (STREAMED_BLOCKS / matrices).max(1);
        let columns = (n / blocks).clamp(BLOCK_COLUMNS, MOST_STREAMED_COLUMNS);
        block[1] = block[1].max(round_up(columns, tile.columns()));
    }
    let sizes = eval.loop_sizes(&product.generic);
    let reduced: Vec<_> = product.reduced.iter().map(|i| sizes[*i].constant().and_then(Attribute::as_int)).collect();
    let inner: i64 = reduced[1..].iter().map(|size| size.unwrap_or(UNROLLED).max(1)).product();
    let bytes = i64::from(element.bit_width() / 8);
    let all = reduced[0].filter(|count| reduced.len() == 1 && (1..=WHOLE_BYTES / bytes).contains(count));
    let keeps_panel = packed && product.m.is_some() && all.is_some() && known(m).is_none_or(|m| m > KEPT_ROWS);
    if keeps_panel {
        block[0] = round_up(KEPT_ROWS, tile.rows);
        block[1] = known(n).map_or(block[1], |n| even_columns(n, block[1], tile.columns()));
    }
    let whole = if keeps_panel { WHOLE_BYTES } else { PACKED_BYTES } / bytes;
    let whole = reduced[0].filter(|count| reduced.len() == 1 && *count > 0).map_or(whole, |count| even_slice(count, whole, tile.lanes));
    let slice = match m {
        _ if packed => whole,
        _ if streamed && few => FEW_ROWS_SLICE,
        _ if streamed => STREAMED_SLICE,
        _ if reduced.len() == 1 => whole,
        _ => (SLICE / inner).max(1),
    };
    // Squares are transposed whole: slices are whole multiples of their size.
    let panel = packed.then(|| scratch(eval, slice * block[1], element));
    let strip = matches!(first, First::Packed).then(|| scratch(eval, slice * tile.rows, element));
    let sums = Sums::new(eval, element, result, block);
    let single = reduced[0].is_some_and(|size| (0..=slice).contains(&size));
    let has_products = reduced.iter().all(|size| size.is_some_and(|size| size > 0));
    let blocks = Blocks {
        kernel,
        product,
        outputs,
        element,
        sizes,
        sums,
        size: block,
        order: if keeps_panel { Order::Rows } else { Order::Columns },
    };
    let tiled = Tiled { single, keeps_panel, blocks, tile, slice, schedule, strip, panel };
    let one = eval.index(1);
    eval.context().get_or_load_dialect("llvm"); // of hidden addresses
    eval.for_loop(lo, hi, one, &[], |eval, number, _| {
        let task = tiled.blocks.task(eval, number);
        if !has_products {
            tiled.blocks.clear(eval, &task)?;
        }
        tiled.slices(eval, &task, [number, lo])?;
        if !(tiled.blocks.sums.in_result() && Sums::are_result(kernel, product)) {
            epilogue::emit(eval, &tiled.blocks, &task)?;
        }
        Ok(Vec::new())
    })?;
    let extent = Extent::new(tiled.blocks.counts(), tiled.blocks.grain(&reduced, WORK_PER_THREAD));
    Ok(if keeps_panel && matrices < MANY_MATRICES { Extent { pieces: 1, ..extent } } else { extent })
}

/// Columns of a panel, at most `most` in whole tiles, such that the last panel is full too, or nearly: threads take equal numbers
/// of tasks. Of panels that leave as little, the widest.
fn even_columns(n: i64, most: i64, tile: i64) -> i64 {
    let tiles = (n + tile - 1) / tile;
    let missing = |width: &i64| round_up(tiles, *width) - tiles;
    (1..=(most / tile).max(1)).rev().filter(|width| width * 2 >= most / tile).min_by_key(missing).unwrap_or(1) * tile
}

/// Whole tiles, no larger than the result.
fn block_sizes(m: Size, n: Size, tile: Tile, kind: usize) -> [i64; 2] {
    let most = BLOCK_ROWS[kind];
    let rows = round_up(known(m).map_or(most, |m| m.clamp(1, most)), tile.rows);
    let columns = match known(n) {
        // Two tasks at least, of even size.
        Some(n) if n <= 2 * BLOCK_COLUMNS => round_up(((n + 1) / 2).max(tile.columns()), tile.columns()),
        _ => round_up(BLOCK_COLUMNS, tile.columns()),
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

    /// All slices of the outermost summed loop, for a task of this number in a piece that begins with that one.
    fn slices(&self, eval: &mut Eval<'c>, task: &Task<'c>, numbers: [Value<'c>; 2]) -> Result {
        let (zero, slice) = (eval.index(0), eval.index(self.slice));
        let outermost = self.blocks.sizes[self.blocks.product.reduced[0]];
        if self.single {
            return self.slice(eval, task, numbers, [zero, outermost]);
        }
        eval.for_loop(zero, outermost, slice, &[], |eval, k0, _| {
            let count = if self.whole_products(self.slice) {
                slice
            } else {
                let rest = self.binary(eval, "arith.subi", outermost, k0);
                self.binary(eval, "arith.minsi", rest, slice)
            };
            self.slice(eval, task, numbers, [k0, count]).map(|()| Vec::new())
        })?;
        Ok(())
    }

    /// `count` products from `k0` on, for all sums of the block.
    fn slice(&self, eval: &mut Eval<'c>, task: &Task<'c>, numbers: [Value<'c>; 2], [k0, count]: [Value<'c>; 2]) -> Result {
        let (zero, step) = (eval.index(0), eval.index(self.tile.columns()));
        let k1 = eval.add(k0, count);
        if let (Second::Packed(order), Some(panel)) = (self.schedule.second, self.panel) {
            let pack = |eval: &mut Eval<'c>| pack::second(eval, self, task, panel, order, [k0, count]);
            match self.blocks.product.m.filter(|_| self.keeps_panel) {
                Some(m) => when_first(eval, numbers, task.loops[m], pack)?,
                None => pack(eval)?,
            }
            // Rows outside, so that the strip of the first factor stays in the first-level cache.
            return self.rows(eval, task, &mut |eval, row| {
                if let Some(strip) = self.strip {
                    pack::first(eval, self, task, strip, row, [k0, count])?;
                }
                eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
                    let masks = self.masks(eval, task, column);
                    self.fetch_next_rows(eval, task, [row, column], [k0, k1])?;
                    self.sum(eval, task, [row, column], [k0, count], &masks)?;
                    Ok(Vec::new())
                })?;
                Ok(())
            });
        }
        eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
            let masks = self.masks(eval, task, column);
            self.rows(eval, task, &mut |eval, row| self.sum(eval, task, [row, column], [k0, count], &masks))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// All rows of the block, a tile at a time.
    fn rows(&self, eval: &mut Eval<'c>, task: &Task<'c>, tile: &mut dyn FnMut(&mut Eval<'c>, Value<'c>) -> Result) -> Result {
        let (zero, step) = (eval.index(0), eval.index(self.tile.rows));
        eval.for_loop(zero, task.rows, step, &[], |eval, row, _| tile(eval, row).map(|()| Vec::new()))?;
        Ok(())
    }

    /// How many rows of the block are left from `row` on, where that may be fewer than a tile's.
    pub fn rows_left(&self, eval: &Eval<'c>, task: &Task<'c>, row: Value<'c>) -> Option<Value<'c>> {
        let whole = known(rows_of(self.blocks.kernel, self.blocks.product)).is_some_and(|m| m % self.tile.rows == 0);
        (!whole).then(|| self.binary(eval, "arith.subi", task.rows, row))
    }

    /// Whether tiles never reach beyond the last column.
    pub fn whole_columns(&self) -> bool {
        known(self.blocks.kernel.space[self.blocks.product.n]).is_some_and(|n| n % self.tile.columns() == 0)
    }

    /// Whether each slice of the outermost summed loop is a multiple of `count` products.
    pub fn whole_products(&self, count: i64) -> bool {
        let size = self.blocks.sizes[self.blocks.product.reduced[0]].constant().and_then(Attribute::as_int);
        size.is_some_and(|size| size % count == 0) && self.slice % count == 0
    }

    /// Which lanes of the tile's vectors are columns of the task; none if all are.
    pub fn masks(&self, eval: &mut Eval<'c>, task: &Task<'c>, column: Value<'c>) -> Option<Vec<Value<'c>>> {
        if self.whole_columns() {
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
}
