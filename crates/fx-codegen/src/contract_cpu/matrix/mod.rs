//! Sums of products of bf16 by the processor's matrix unit (AMX).
//!
//! One task computes a block of results. For each slice of products the second factor is packed into a panel of tiles, once
//! for all blocks of the same columns that follow each other if one slice holds all products. Then for each two rows of
//! tiles and each part of the slice, for each column of tiles: two tiles of sums over the part, kept between parts in
//! scratch memory. A part of the first factor's rows stays in the first-level cache, the panel passes it by on its way from
//! the second-level cache. Rows of the first factor are packed too, as rows that lie a power of two apart share few places
//! of a cache; where few columns read them, they are read where they lie. What follows the sums reads the scratch memory.
//!
//! Four of the eight tiles are used. A core whose second thread is busy has few registers to rename tiles to: measured on a
//! Xeon with AMX, an instruction that multiplies tiles takes 16 cycles alone; beside another thread it took 80 where all
//! eight tiles were in use (two rows by two columns, a load for each product), 36 with four of them (1.5 loads). Alone,
//! both keep the unit busy from the first-level cache.
//!
//! The unit takes numbers too small for the normal range as zero, as PyTorch does where there is one. So does the instruction that
//! rounds to bf16, which processors with the unit have.

use fx_ir::{Attribute, Result, Type, Value};

use super::blocks::{Blocks, Order, Task, even_slice, known, round_up, rows_of, when_first};
use super::epilogue;
use super::layout::Layout;
use super::product::{Factor, Product};
use super::sums::{Sums, scratch};
use crate::conditions::{NOT_EQUAL, compare, when_holds};
use crate::emit_cpu::Extent;
use crate::eval::{Eval, Memory, Stride, is_cast};
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};

mod pack;
mod unit;

use pack::{Slice, Source, Target};
pub use unit::is_used;
use unit::{COLUMNS, NUMBERS, PRODUCTS, Place, ROW_BYTES, ROWS};

/// Rows from which the unit pays: it reads a copy of the second factor.
const FEWEST_ROWS: i64 = 4;
/// Results from which it pays to turn the unit on: those of a whole tile.
const FEWEST_RESULTS: i64 = ROWS * COLUMNS;
/// Rows and columns of a block where one slice holds all products: the panel stays for the next one.
const BLOCK: [i64; 2] = [2 * ROWS, 512];
/// Rows and columns of a block that packs the second factor for each of several slices.
const SLICED_BLOCK: [i64; 2] = [512, 256];
/// Most products of a single slice: the panel of 512 columns takes 1 MiB, a part of the second-level cache.
const SINGLE_SLICE: i64 = 1024;
/// Products of a part, and of one of several slices: 32 rows of the first factor take 32 KiB, a part of the first-level cache.
const PART: i64 = 512;
/// Columns of a block up to which the first factor is read where it lies.
const FEW_COLUMNS: i64 = 128;
/// Bytes of a number of a factor.
const NUMBER_BYTES: i64 = 2;
/// Steps of an iteration of the loop over products, each of 32 products; otherwise one.
const STEPS: [i64; 3] = [8, 4, 2];
/// Multiply-adds that are worth waking a thread for (about 3 us).
const WORK_PER_THREAD: i64 = 2 * 1024 * 1024;

/// A product with its schedule.
struct Matrix<'a, 'c> {
    blocks: Blocks<'a, 'c>,
    first: Source<'a, 'c>,
    second: Source<'a, 'c>,
    /// How far rows lie apart where the first factor is read in place.
    in_place: Option<Stride<'c>>,
    panel: Target<'c>,
    strip: Target<'c>,
    /// Most products of a slice, and of a part of it.
    depth: i64,
    part: i64,
    /// Steps of an iteration, of which every part has a multiple.
    steps: i64,
    /// Whether one slice holds all products.
    single: bool,
    /// Rows of a tile of sums; rows of tiles that are summed at a time.
    rows: i64,
    tiles: i64,
}

/// Two rows of tiles, or one.
struct Group<'c> {
    /// The first row in the block.
    row: Value<'c>,
    /// Rows of tiles.
    tiles: i64,
    /// The first factor's tiles, if they lie in place: of the part's first product.
    place: Option<[Place<'c>; 2]>,
}

/// A part of a slice.
#[derive(Clone, Copy)]
struct Part<'c> {
    /// Its products.
    products: Slice<'c>,
    /// How many tiles the slice's products before it take.
    steps_before: Value<'c>,
}

/// Whether both factors of a product are bf16 numbers that are summed as f32, and there are rows and results enough.
pub fn fits<'c>(kernel: &Kernel<'c>, product: &Product<'c>) -> bool {
    let is_bf16 = |factor: &Factor<'c>| was_bf16(&product.generic, factor.value);
    let (rows, columns) = (known(rows_of(kernel, product)), known(kernel.space[product.n]));
    let few_rows = product.m.is_none() || rows.is_some_and(|rows| rows < FEWEST_ROWS);
    let few = few_rows || matches!((rows, columns), (Some(m), Some(n)) if m.saturating_mul(n) < FEWEST_RESULTS);
    let is_single = product.reduced.len() == 1;
    !few && is_single && product.generic.op.result(0).ty().element().is_f32() && is_bf16(&product.a) && is_bf16(&product.b)
}

/// Whether a number of a generic's body was widened from bf16, there or before.
fn was_bf16<'c>(generic: &Generic<'c>, value: Value<'c>) -> bool {
    if let Some((block, index)) = value.block_argument() {
        return Some(block) == generic.body() && generic.inputs.get(index).is_some_and(|input| is_widened(*input));
    }
    match value.defining_op() {
        Some(cast) if is_cast(cast) => cast.operand(0).ty().is_bf16(),
        Some(read) if read.name() == "tensor.extract" => is_widened(read.operand(0)),
        _ => false,
    }
}

/// Whether the elements of a tensor were widened from bf16.
fn is_widened(value: Value<'_>) -> bool {
    let Some(op) = value.defining_op() else { return false };
    match op.name() {
        "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape" => is_widened(op.operand(0)),
        _ => Generic::new(op).filter(|generic| !generic.is_reduction()).is_some_and(|generic| {
            let yielded = generic.body().and_then(|block| block.terminator());
            yielded.is_some_and(|op| was_bf16(&generic, op.operand(value.result_index().unwrap_or(0))))
        }),
    }
}

/// Emits the kernel's tasks `lo..hi`.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn emit<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    product: &Product<'c>,
    layout: &Layout<'c>,
    outputs: &[Memory<'c>],
    (lo, hi): (Value<'c>, Value<'c>),
) -> Result<Extent> {
    let (m, n) = (rows_of(kernel, product), kernel.space[product.n]);
    let sizes = eval.loop_sizes(&product.generic);
    let products = sizes[product.reduced[0]].constant().and_then(Attribute::as_int);
    let single = products.filter(|products| (0..=SINGLE_SLICE).contains(products));
    let depth = single.map_or(PART, |products| round_up(products.max(1), PRODUCTS));
    let part = even_slice(depth, PART, PRODUCTS);
    let divide = |steps: &i64| single.is_some() && [part, depth].iter().all(|products| products % (steps * PRODUCTS) == 0);
    let steps = STEPS.into_iter().find(divide).unwrap_or(1);
    let few = |size: Size, most: i64| known(size).is_some_and(|size| size <= most);
    let rows = if let Size::Known(m @ 0..ROWS) = m { m.max(1) } else { ROWS };
    let tiles = if few(m, ROWS) { 1 } else { 2 };
    // The second factor is packed two columns of tiles at a time.
    let columns = if few(n, COLUMNS) { COLUMNS } else { 2 * COLUMNS };
    let size = block_size(m, n, [rows * tiles, columns], single.is_some());

    let element = product.generic.op.result(0).ty().element();
    let sums = Sums::new(eval, element, None, size);
    let blocks = Blocks { kernel, product, outputs, element, sizes, sums, size, order: Order::Rows };
    let first = Source::new(&blocks, &product.a, layout.a, product.m.unwrap_or(product.n));
    let second = Source::new(&blocks, &product.b, layout.b, product.n);
    let bf16 = Type::bf16(eval.context());
    let memory = |lines: i64, depth: i64, tiles: i64| Target { memref: scratch(eval, lines * depth, bf16), depth, tiles };
    let (panel, strip) = (memory(size[1], depth, 1), memory(ROWS * tiles, part, tiles));
    let in_place = first.in_place().filter(|_| size[1] <= FEW_COLUMNS);
    let matrix = Matrix { blocks, first, second, in_place, panel, strip, depth, part, steps, single: single.is_some(), rows, tiles };

    unit::configure(eval, rows);
    let one = eval.index(1);
    eval.for_loop(lo, hi, one, &[], |eval, number, _| {
        let task = matrix.blocks.task(eval, number);
        if products.is_none_or(|products| products == 0) {
            matrix.blocks.clear(eval, &task)?;
        }
        matrix.slices(eval, &task, [number, lo])?;
        epilogue::emit(eval, &matrix.blocks, &task)?;
        Ok(Vec::new())
    })?;
    unit::release(eval);
    unit::round(eval);
    let extent = Extent::new(matrix.blocks.counts(), matrix.blocks.grain(&[products], WORK_PER_THREAD));
    Ok(if matrix.keeps_panel() { Extent { pieces: 1, ..extent } } else { extent })
}

/// Whole tiles, no larger than the result; two tasks at least.
fn block_size(m: Size, n: Size, unit: [i64; 2], single: bool) -> [i64; 2] {
    let most = if single { BLOCK } else { SLICED_BLOCK };
    let rows = round_up(known(m).map_or(most[0], |m| m.clamp(1, most[0])), unit[0]);
    let columns = match known(n) {
        // Of even size, and two at least.
        Some(n) => {
            let count = ((n + most[1] - 1) / most[1]).max(2);
            round_up(((n + count - 1) / count).max(1), unit[1])
        }
        None => most[1],
    };
    [rows, columns]
}

impl<'c> Matrix<'_, 'c> {
    /// Whether blocks use the panel of the block before.
    fn keeps_panel(&self) -> bool {
        let rows = known(rows_of(self.blocks.kernel, self.blocks.product));
        self.single && self.blocks.product.m.is_some() && rows.is_none_or(|rows| rows > self.blocks.size[0])
    }

    fn slices(&self, eval: &mut Eval<'c>, task: &Task<'c>, numbers: [Value<'c>; 2]) -> Result {
        let (zero, depth) = (eval.index(0), eval.index(self.depth));
        let products = self.blocks.sizes[self.blocks.product.reduced[0]];
        eval.for_loop(zero, products, depth, &[], |eval, start, _| {
            let rest = eval.b.value("arith.subi", &[products, start], start.ty(), &[]);
            let count = eval.b.value("arith.minsi", &[rest, depth], start.ty(), &[]);
            let slice = Slice::new(eval, start, count);
            self.pack_second(eval, task, slice, numbers)?;
            self.groups(eval, task, slice)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Packs the second factor, unless the task before left it.
    fn pack_second(&self, eval: &mut Eval<'c>, task: &Task<'c>, slice: Slice<'c>, numbers: [Value<'c>; 2]) -> Result {
        let zero = eval.index(0);
        let pack = |eval: &mut Eval<'c>| self.second.pack(eval, (&self.blocks, task), [zero, task.columns], slice, self.panel);
        match self.blocks.product.m.filter(|_| self.keeps_panel()) {
            Some(m) => when_first(eval, numbers, task.loops[m], pack),
            None => pack(eval),
        }
    }

    /// All rows of the block: whole groups, then what is left.
    fn groups(&self, eval: &mut Eval<'c>, task: &Task<'c>, slice: Slice<'c>) -> Result {
        let zero = eval.index(0);
        let height = self.rows * self.tiles;
        let left = known(rows_of(self.blocks.kernel, self.blocks.product)).map(|rows| rows % height);
        let step = eval.index(height);
        if left == Some(0) {
            return self.each(eval, task, slice, (zero, task.rows, step), self.tiles, true);
        }
        let over = eval.b.value("arith.remui", &[task.rows, step], step.ty(), &[]);
        let whole = eval.b.value("arith.subi", &[task.rows, over], step.ty(), &[]);
        self.each(eval, task, slice, (zero, whole, step), self.tiles, true)?;
        let tiles = left.map_or(self.tiles, |left| (left + self.rows - 1) / self.rows);
        self.each(eval, task, slice, (whole, task.rows, step), tiles, left.is_some_and(|left| left % self.rows == 0))
    }

    /// Groups of `tiles` rows of tiles, which are `whole` or end behind the last row.
    fn each(
        &self,
        eval: &mut Eval<'c>,
        task: &Task<'c>,
        slice: Slice<'c>,
        (from, to, step): (Value<'c>, Value<'c>, Value<'c>),
        tiles: i64,
        whole: bool,
    ) -> Result {
        eval.for_loop(from, to, step, &[], |eval, row, _| {
            self.parts(eval, slice, &mut |eval, part| {
                let mut group = Group { row, tiles, place: None };
                match self.in_place.filter(|_| whole) {
                    Some(apart) => group.place = Some(self.places(eval, task, part, row, apart)?),
                    None => {
                        let count = eval.index(tiles * ROWS);
                        let strip = Target { tiles, ..self.strip };
                        self.first.pack(eval, (&self.blocks, task), [row, count], part.products, strip)?;
                    }
                }
                let (zero, width) = (eval.index(0), eval.index(COLUMNS));
                eval.for_loop(zero, task.columns, width, &[], |eval, column, _| {
                    self.sum(eval, &group, column, part)?;
                    Ok(Vec::new())
                })?;
                Ok(())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// All parts of a slice.
    fn parts(&self, eval: &mut Eval<'c>, slice: Slice<'c>, part: &mut dyn FnMut(&mut Eval<'c>, Part<'c>) -> Result) -> Result {
        let zero = eval.index(0);
        if self.part == self.depth {
            return part(eval, Part { products: slice, steps_before: zero });
        }
        let (most, tile) = (eval.index(self.part), eval.index(PRODUCTS));
        eval.for_loop(zero, slice.count, most, &[], |eval, from, _| {
            let rest = eval.b.value("arith.subi", &[slice.count, from], from.ty(), &[]);
            let count = eval.b.value("arith.minsi", &[rest, most], from.ty(), &[]);
            let start = eval.add(slice.start, from);
            let steps_before = eval.b.value("arith.divui", &[from, tile], from.ty(), &[]);
            let products = Slice::new(eval, start, count);
            part(eval, Part { products, steps_before })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The first factor's tiles where they lie.
    fn places(&self, eval: &mut Eval<'c>, task: &Task<'c>, part: Part<'c>, row: Value<'c>, apart: Stride<'c>) -> Result<[Place<'c>; 2]> {
        let address = self.first.address(eval, &self.blocks, task, [row, part.products.start])?;
        let (bytes, rows) = (eval.index(NUMBER_BYTES), eval.index(self.rows));
        let apart = eval.stride_value(apart);
        let pitch = eval.mul(apart, bytes);
        let upper = Place::new(eval, address.memory.memref, address.position, pitch);
        let down = eval.mul(pitch, rows);
        Ok([upper, upper.after(eval, down)])
    }

    /// Up to two tiles of sums over a part of a slice.
    fn sum(&self, eval: &mut Eval<'c>, group: &Group<'c>, column: Value<'c>, part: Part<'c>) -> Result {
        let sums = self.places_of_sums(eval, group, column);
        sums.iter().for_each(|(tile, _)| unit::zero(eval, *tile));
        if !self.single || self.part < self.depth {
            let zero = eval.index(0);
            let some_before = compare(eval, NOT_EQUAL, part.products.start, zero);
            when_holds(eval, some_before, |eval| {
                sums.iter().for_each(|(tile, place)| unit::load(eval, *tile, *place));
                Ok(())
            })?;
        }
        let row_bytes = eval.index(ROW_BYTES);
        let packed = |eval: &mut Eval<'c>, target: Target<'c>, [line, step]: [Value<'c>; 2]| {
            let at = target.position(eval, line, step);
            (Place::new(eval, target.memref, at, row_bytes), eval.index(target.tiles * NUMBERS * NUMBER_BYTES))
        };
        let zero = eval.index(0);
        let strip = Target { tiles: group.tiles, ..self.strip };
        let mut first = Vec::new();
        for r in 0..group.tiles {
            let line = eval.index(r * ROWS);
            first.push(match group.place {
                Some(places) => (places[r as usize], row_bytes),
                None => packed(eval, strip, [line, zero]),
            });
        }
        let second = packed(eval, self.panel, [column, part.steps_before]);
        let by = eval.index(self.steps);
        eval.for_loop(zero, part.products.steps, by, &[], |eval, step, _| {
            for ahead in 0..self.steps {
                let ahead = eval.index(ahead);
                let step = eval.add(step, ahead);
                let at = |eval: &mut Eval<'c>, (place, bytes): (Place<'c>, Value<'c>)| {
                    let offset = eval.mul(step, bytes);
                    place.after(eval, offset)
                };
                let place = at(eval, second);
                unit::load_passing(eval, unit::SECOND, place);
                for (sums, first) in unit::SUMS.into_iter().zip(&first) {
                    let place = at(eval, *first);
                    unit::load(eval, unit::FIRST, place);
                    unit::multiply(eval, sums, unit::FIRST, unit::SECOND);
                }
            }
            Ok(Vec::new())
        })?;
        sums.iter().for_each(|(tile, place)| unit::store(eval, *tile, *place));
        Ok(())
    }

    /// The tiles of a group's sums, and where they are kept.
    fn places_of_sums(&self, eval: &mut Eval<'c>, group: &Group<'c>, column: Value<'c>) -> Vec<(i64, Place<'c>)> {
        let pitch = eval.index(self.blocks.size[1] * i64::from(self.blocks.element.bit_width() / 8));
        let block_columns = eval.index(self.blocks.size[1]);
        let tiles = (0..group.tiles).zip(unit::SUMS).map(|(r, tile)| {
            let down = eval.index(r * self.rows);
            let row = eval.add(group.row, down);
            let start = eval.mul(row, block_columns);
            let at = eval.add(start, column);
            (tile, Place::new(eval, self.blocks.sums.memref(), at, pitch))
        });
        tiles.collect()
    }
}
