//! Copies of factors as tiles of the matrix unit.
//!
//! A line is a row of the first factor, or a column of the second; a word is two products that follow each other. A tile of
//! the first factor is `[line][word]`, one of the second `[word][line]`. What is packed is `[16 lines][32 products]` by
//! tiles, with zeros behind the last product; behind the last line stands anything.

use fx_ir::{Attribute, Result, Type, Value};

use super::unit::{COLUMNS, NUMBERS, PRODUCTS, ROWS};
use crate::contract_cpu::blocks::{Blocks, Task, known};
use crate::contract_cpu::layout::Moves;
use crate::contract_cpu::pack::{convert, transpose};
use crate::contract_cpu::product::Factor;
use crate::eval::{Address, Eval, Stride, is_cast};

/// How a factor is walked.
#[derive(Clone, Copy)]
enum Order<'c> {
    /// Along its products, which have no gaps; lines lie this far apart.
    Products(Stride<'c>),
    /// Along its lines, which have no gaps.
    Lines,
    /// Number by number.
    Elements,
}

/// A factor that is read as tiles.
pub struct Source<'a, 'c> {
    factor: &'a Factor<'c>,
    order: Order<'c>,
    /// How often its numbers are converted where they lie in memory: the last time from bf16.
    casts: usize,
    /// The loop of its lines.
    line: usize,
    /// Whether its tiles are `[word][line]`.
    by_word: bool,
    /// Whether lines are a multiple of 16, products of 32.
    whole: [bool; 2],
    /// Whether lines are a multiple of 32.
    pairs: bool,
}

/// Where tiles go.
#[derive(Clone, Copy)]
pub struct Target<'c> {
    /// Flat memory of bf16.
    pub memref: Value<'c>,
    /// Products that are room for.
    pub depth: i64,
    /// Tiles of neighbouring lines that lie beside each other, before those of the next products.
    pub tiles: i64,
}

impl<'c> Target<'c> {
    /// The position of the tile of 16 lines from `line` on and 32 products from `step * 32` on.
    pub fn position(self, eval: &mut Eval<'c>, line: Value<'c>, step: Value<'c>) -> Value<'c> {
        let (lines, numbers) = (eval.index(COLUMNS), eval.index(NUMBERS));
        let tile = eval.b.value("arith.divui", &[line, lines], line.ty(), &[]);
        let tiles = eval.index(self.tiles);
        let group = eval.b.value("arith.divui", &[tile, tiles], line.ty(), &[]);
        let beside = eval.b.value("arith.remui", &[tile, tiles], line.ty(), &[]);
        let size = eval.index(self.depth * COLUMNS * self.tiles);
        let (start, beside) = (eval.mul(group, size), eval.mul(beside, numbers));
        let apart = eval.index(self.tiles * NUMBERS);
        let along = eval.mul(step, apart);
        let start = eval.add(start, along);
        eval.add(start, beside)
    }
}

/// Products of a slice: the first, and how many.
#[derive(Clone, Copy)]
pub struct Slice<'c> {
    /// The first.
    pub start: Value<'c>,
    /// How many.
    pub count: Value<'c>,
    /// How many tiles they take.
    pub steps: Value<'c>,
}

impl<'c> Slice<'c> {
    /// The slice of `count` products from `start` on.
    pub fn new(eval: &mut Eval<'c>, start: Value<'c>, count: Value<'c>) -> Self {
        let tile = eval.index(PRODUCTS);
        Self { start, count, steps: eval.b.value("arith.ceildivui", &[count, tile], start.ty(), &[]) }
    }
}

impl<'a, 'c> Source<'a, 'c> {
    /// A factor whose lines are the loop `line`.
    pub fn new(blocks: &Blocks<'_, 'c>, factor: &'a Factor<'c>, moves: Option<Moves<'c>>, line: usize) -> Self {
        let order = match moves {
            Some(Moves { across, along: Stride::Known(1), .. }) if across != Stride::Uneven => Order::Products(across),
            Some(Moves { across: Stride::Known(1), .. }) => Order::Lines,
            _ => Order::Elements,
        };
        let products = blocks.sizes[blocks.product.reduced[0]].constant().and_then(Attribute::as_int);
        let lines = known(blocks.kernel.space[line]);
        let whole = [lines.is_some_and(|lines| lines % COLUMNS == 0), products.is_some_and(|products| products % PRODUCTS == 0)];
        let casts = moves.map_or(0, |moves| moves.casts);
        let pairs = lines.is_some_and(|lines| lines % (2 * COLUMNS) == 0);
        Self { factor, order, casts, line, by_word: line == blocks.product.n, whole, pairs }
    }

    /// How far lines lie apart, if the unit can read the factor where it lies.
    pub fn in_place(&self) -> Option<Stride<'c>> {
        match self.order {
            Order::Products(apart) if self.casts == 1 && self.whole[1] => Some(apart),
            _ => None,
        }
    }

    /// All loops at a product and a line of the task.
    fn at(&self, eval: &mut Eval<'c>, blocks: &Blocks<'_, 'c>, task: &Task<'c>, [line, k]: [Value<'c>; 2]) -> Vec<Value<'c>> {
        let mut loops = task.loops.clone();
        loops[self.line] = eval.add(loops[self.line], line);
        loops[blocks.product.reduced[0]] = k;
        loops
    }

    /// The address of a number.
    ///
    /// # Errors
    /// If it has none: an internal bug, reported.
    pub fn address(&self, eval: &mut Eval<'c>, blocks: &Blocks<'_, 'c>, task: &Task<'c>, place: [Value<'c>; 2]) -> Result<Address<'c>> {
        let loops = self.at(eval, blocks, task, place);
        let generic = &blocks.product.generic;
        let address = eval.factor_address(generic, self.factor.value, &loops)?;
        address.ok_or_else(|| crate::internal(generic.op, "a factor without an address"))
    }

    /// One number, as bf16: before its last conversion if that is the product's own, else narrowed again, which is exact.
    fn number(&self, eval: &mut Eval<'c>, blocks: &Blocks<'_, 'c>, loops: &[Value<'c>], element: Type<'c>) -> Result<Value<'c>> {
        let generic = &blocks.product.generic;
        if let Some(cast) = self.factor.value.defining_op().filter(|op| is_cast(*op)) {
            return eval.body_value(generic, cast.operand(0), loops);
        }
        let wide = eval.body_value(generic, self.factor.value, loops)?;
        Ok(eval.b.value("arith.truncf", &[wide], element, &[]))
    }

    /// Packs a slice of `count` lines from the task's line `from` on.
    ///
    /// # Errors
    /// If a number cannot be evaluated: reported.
    pub fn pack(
        &self,
        eval: &mut Eval<'c>,
        (blocks, task): (&Blocks<'_, 'c>, &Task<'c>),
        [from, count]: [Value<'c>; 2],
        slice: Slice<'c>,
        target: Target<'c>,
    ) -> Result {
        let by_pairs = self.by_word && matches!(self.order, Order::Lines) && self.pairs && self.whole[1];
        let (zero, one, lines) = (eval.index(0), eval.index(1), eval.index(if by_pairs { 2 * COLUMNS } else { COLUMNS }));
        let total = if self.by_word { task.columns } else { task.rows };
        let last = eval.b.value("arith.subi", &[total, one], one.ty(), &[]);
        eval.for_loop(zero, slice.steps, one, &[], |eval, step, _| {
            eval.for_loop(zero, count, lines, &[], |eval, line, _| {
                let to = target.position(eval, line, step);
                let line = eval.add(from, line);
                let products = eval.index(PRODUCTS);
                let k = eval.mul(step, products);
                let part = Part { blocks, task, line, last, k, slice };
                if by_pairs {
                    self.two_tiles(eval, &part, target, to)?;
                } else {
                    self.tile(eval, &part, target.memref, to)?;
                }
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Packs one tile.
    fn tile(&self, eval: &mut Eval<'c>, part: &Part<'_, 'c>, memref: Value<'c>, to: Value<'c>) -> Result {
        match self.order {
            Order::Elements => self.elements(eval, part, memref, to),
            Order::Products(apart) => {
                self.tile_of_rows(eval, (memref, to), !self.by_word, |eval, i| self.words_of_line(eval, part, apart, i))
            }
            Order::Lines => {
                let lines = self.valid_lines(eval, part);
                self.tile_of_rows(eval, (memref, to), self.by_word, |eval, i| self.words_of_lines(eval, part, lines, i))
            }
        }
    }

    /// Packs one tile: row by row if the factor has its rows, else all of them turned.
    fn tile_of_rows(
        &self,
        eval: &mut Eval<'c>,
        (memref, to): (Value<'c>, Value<'c>),
        as_they_are: bool,
        row: impl Fn(&mut Eval<'c>, Value<'c>) -> Result<Value<'c>>,
    ) -> Result {
        let store = |eval: &mut Eval<'c>, row: Value<'c>, i: Value<'c>| {
            let row = eval.b.value("vector.bitcast", &[row], Type::vector(&[PRODUCTS], memref.ty().element()), &[]);
            let products = eval.index(PRODUCTS);
            let offset = eval.mul(i, products);
            let at = eval.add(to, offset);
            eval.b.op("vector.store", &[row, memref, at], &[], &[]);
        };
        if as_they_are {
            let (zero, one, rows) = (eval.index(0), eval.index(1), eval.index(ROWS));
            eval.for_loop(zero, rows, one, &[], |eval, i, _| {
                let row = row(eval, i)?;
                store(eval, row, i);
                Ok(Vec::new())
            })?;
            return Ok(());
        }
        let mut rows = Vec::new();
        for i in 0..ROWS {
            let i = eval.index(i);
            rows.push(row(eval, i)?);
        }
        for (i, row) in (0i64..).zip(transpose(eval, rows)) {
            let i = eval.index(i);
            store(eval, row, i);
        }
        Ok(())
    }

    /// Reads a vector, or the lanes of it that `valid` counts.
    fn read(&self, eval: &Eval<'c>, address: &Address<'c>, at: Value<'c>, lanes: i64, valid: Option<Value<'c>>) -> Value<'c> {
        let memory = &address.memory;
        let ty = Type::vector(&[lanes], memory.element);
        let read = match valid {
            None => eval.b.value("vector.load", &[memory.memref, at], ty, &[]),
            Some(valid) => {
                let mask = eval.b.value("vector.create_mask", &[valid], Type::vector(&[lanes], Type::int(eval.context(), 1)), &[]);
                let number = eval.b.number(memory.element, 0.0);
                let zeros = eval.b.value("vector.broadcast", &[number], ty, &[]);
                eval.b.value("vector.maskedload", &[memory.memref, at, mask, zeros], ty, &[])
            }
        };
        let before_last = address.casts.split_last().map_or(&[][..], |(_, casts)| casts);
        convert(eval, before_last, read)
    }

    /// Packs two tiles, from lines of two products at a time: a whole cache line of each.
    fn two_tiles(&self, eval: &mut Eval<'c>, part: &Part<'_, 'c>, target: Target<'c>, to: Value<'c>) -> Result {
        let (zero, one, two, rows) = (eval.index(0), eval.index(1), eval.index(2), eval.index(ROWS));
        let row_type = Type::vector(&[PRODUCTS], target.memref.ty().element());
        eval.for_loop(zero, rows, one, &[], |eval, i, _| {
            let word = eval.mul(i, two);
            let mut lines = Vec::new();
            for k in [word, eval.add(word, one)] {
                let k = eval.add(part.k, k);
                let k = eval.add(part.slice.start, k);
                let address = self.address(eval, part.blocks, part.task, [part.line, k])?;
                let read = self.read(eval, &address, address.position, 2 * COLUMNS, None);
                lines.push(eval.b.value("vector.bitcast", &[read], row_type, &[]));
            }
            let products = eval.index(PRODUCTS);
            let down = eval.mul(i, products);
            for tile in 0..2 {
                let numbers = (0..COLUMNS).flat_map(|c| [tile * COLUMNS + c, PRODUCTS + tile * COLUMNS + c]).collect::<Vec<_>>();
                let mask = [("mask", Attribute::i64s(eval.context(), &numbers))];
                let row = eval.b.value("vector.shuffle", &lines, row_type, &mask);
                let next_lines = eval.index(tile * COLUMNS * target.depth);
                let at = eval.add(to, next_lines);
                let at = eval.add(at, down);
                eval.b.op("vector.store", &[row, target.memref, at], &[], &[]);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The words of the `i`-th line of a tile, where lines lie this far apart.
    fn words_of_line(&self, eval: &mut Eval<'c>, part: &Part<'_, 'c>, apart: Stride<'c>, i: Value<'c>) -> Result<Value<'c>> {
        let zero = eval.index(0);
        let valid = (!self.whole[1]).then(|| eval.b.value("arith.subi", &[part.slice.count, part.k], part.k.ty(), &[]));
        let k = eval.add(part.slice.start, part.k);
        let line = part.line(eval, i, self.whole[0]);
        let address = self.address(eval, part.blocks, part.task, [zero, k])?;
        let apart = eval.stride_value(apart);
        let offset = eval.mul(line, apart);
        let at = eval.add(address.position, offset);
        let read = self.read(eval, &address, at, PRODUCTS, valid);
        Ok(eval.b.value("vector.bitcast", &[read], Type::vector(&[PRODUCTS / 2], Type::int(eval.context(), 32)), &[]))
    }

    /// How many lines of a tile there are; none if all.
    fn valid_lines(&self, eval: &mut Eval<'c>, part: &Part<'_, 'c>) -> Option<Value<'c>> {
        (!self.whole[0]).then(|| {
            let left = eval.b.value("arith.subi", &[part.last, part.line], part.line.ty(), &[]);
            let one = eval.index(1);
            eval.add(left, one)
        })
    }

    /// The lines of the `i`-th word of a tile, of which the first `lines` are there.
    fn words_of_lines(&self, eval: &mut Eval<'c>, part: &Part<'_, 'c>, lines: Option<Value<'c>>, i: Value<'c>) -> Result<Value<'c>> {
        let context = eval.context();
        let (zero, one, two) = (eval.index(0), eval.index(1), eval.index(2));
        let (half, word) = (Type::vector(&[COLUMNS], Type::int(context, 16)), Type::vector(&[COLUMNS], Type::int(context, 32)));
        let mut halves = Vec::new();
        let low = eval.mul(i, two);
        for k in [low, eval.add(low, one)] {
            let k = eval.add(part.k, k);
            let mut valid = lines;
            if !self.whole[1] {
                let all = lines.unwrap_or_else(|| eval.index(COLUMNS));
                let is_product = part.is_product(eval, k);
                valid = Some(eval.b.value("arith.select", &[is_product, all, zero], zero.ty(), &[]));
            }
            let k = eval.add(part.slice.start, k);
            let address = self.address(eval, part.blocks, part.task, [part.line, k])?;
            let read = self.read(eval, &address, address.position, COLUMNS, valid);
            let read = eval.b.value("vector.bitcast", &[read], half, &[]);
            halves.push(eval.b.value("arith.extui", &[read], word, &[]));
        }
        let sixteen = eval.b.int(Type::int(context, 32), 16);
        let shift = eval.b.value("vector.broadcast", &[sixteen], word, &[]);
        let high = eval.b.value("arith.shli", &[halves[1], shift], word, &[]);
        Ok(eval.b.value("arith.ori", &[halves[0], high], word, &[]))
    }

    /// One tile, number by number.
    fn elements(&self, eval: &mut Eval<'c>, part: &Part<'_, 'c>, memref: Value<'c>, to: Value<'c>) -> Result {
        let (zero, one, two) = (eval.index(0), eval.index(1), eval.index(2));
        let (lines, products) = (eval.index(COLUMNS), eval.index(PRODUCTS));
        let element = memref.ty().element();
        eval.for_loop(zero, lines, one, &[], |eval, i, _| {
            let line = eval.add(part.line, i);
            let line = eval.b.value("arith.minsi", &[line, part.last], line.ty(), &[]);
            eval.for_loop(zero, products, one, &[], |eval, j, _| {
                let k = eval.add(part.k, j);
                let last = eval.b.value("arith.subi", &[part.slice.count, one], k.ty(), &[]);
                let inside = eval.b.value("arith.minsi", &[k, last], k.ty(), &[]);
                let inside = eval.add(part.slice.start, inside);
                let loops = self.at(eval, part.blocks, part.task, [line, inside]);
                let mut number = self.number(eval, part.blocks, &loops, element)?;
                if !self.whole[1] {
                    let is_product = part.is_product(eval, k);
                    let nothing = eval.b.number(element, 0.0);
                    number = eval.b.value("arith.select", &[is_product, number, nothing], element, &[]);
                }
                let at = if self.by_word {
                    let word = eval.b.value("arith.divui", &[j, two], j.ty(), &[]);
                    let half = eval.b.value("arith.remui", &[j, two], j.ty(), &[]);
                    let (row, column) = (eval.mul(word, products), eval.mul(i, two));
                    let place = eval.add(row, column);
                    eval.add(place, half)
                } else {
                    let row = eval.mul(i, products);
                    eval.add(row, j)
                };
                let at = eval.add(to, at);
                eval.b.op("memref.store", &[number, memref, at], &[], &[]);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}

/// What one tile is made of.
struct Part<'a, 'c> {
    blocks: &'a Blocks<'a, 'c>,
    task: &'a Task<'c>,
    /// Its first line in the block, and the block's last one.
    line: Value<'c>,
    last: Value<'c>,
    /// Its first product in the slice.
    k: Value<'c>,
    slice: Slice<'c>,
}

impl<'c> Part<'_, 'c> {
    /// The `i`-th line; behind the last one, the last one again.
    fn line(&self, eval: &mut Eval<'c>, i: Value<'c>, whole: bool) -> Value<'c> {
        let line = eval.add(self.line, i);
        if whole { line } else { eval.b.value("arith.minsi", &[line, self.last], line.ty(), &[]) }
    }

    /// Whether the slice has a product `k`.
    fn is_product(&self, eval: &Eval<'c>, k: Value<'c>) -> Value<'c> {
        let context = eval.context();
        let less = ("predicate", Attribute::i64(context, 2));
        eval.b.value("arith.cmpi", &[k, self.slice.count], Type::int(context, 1), &[less])
    }
}
