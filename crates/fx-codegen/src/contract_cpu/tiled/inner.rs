//! One register tile over one slice: the loop over products.
//!
//! On processors of today both units for multiply-adds are busy only if little else is executed beside them: what counts is
//! the number of instructions for each of them. So the loop over products is written out some times, and rows beyond the
//! block's last one repeat it, so that one loop serves all tiles; masks keep their sums from being written.

use fx_ir::{Attribute, Result, Type, Value};

use super::{FEW_ROWS, First, PREFETCH, Second, Tiled, UNROLLED};
use crate::contract_cpu::blocks::Task;
use crate::contract_cpu::pack;
use crate::eval::{Address, Eval, LINE_BYTES, Stride};

/// Products that an iteration of the loop over products adds: four are no faster, and take longer to compile.
const PRODUCTS: i64 = 2;

/// What all products of a tile share.
struct Step<'a, 'c> {
    /// The tile's first row and column in the block.
    place: [Value<'c>; 2],
    /// The slice's first product.
    k0: Value<'c>,
    /// The tile's rows, from its first one: no further than the block's last one.
    rows: &'a [Value<'c>],
    /// Distances of these rows in the first factor, if they are even.
    offsets: Option<&'a [Value<'c>]>,
    /// Where the factors are read, if that moves evenly from product to product.
    lines: [Option<Line<'c>>; 2],
    masks: &'a Option<Vec<Value<'c>>>,
}

/// Numbers of a factor, one for each product. The optimiser does not see how their start is computed: it would take apart sums
/// of what all loops around add, in each address again, which takes longer than all else.
struct Line<'c> {
    /// Of the slice's first product; of each row of the tile, or of its first column.
    starts: Vec<Value<'c>>,
    address: Address<'c>,
    /// From one product to the next.
    along: Stride<'c>,
}

/// What x86 calls a register for numbers and addresses.
const REGISTER: &str = "r";

impl<'c> Tiled<'_, 'c> {
    /// Sums of the tile at a place of the block, over `count` products from `k0` on.
    ///
    /// # Errors
    /// If an operand cannot be evaluated: reported.
    pub fn sum(
        &self,
        eval: &mut Eval<'c>,
        task: &Task<'c>,
        place: [Value<'c>; 2],
        [k0, count]: [Value<'c>; 2],
        masks: &Option<Vec<Value<'c>>>,
    ) -> Result {
        let zero = eval.b.number(self.blocks.element, 0.0);
        let zeros = eval.b.value("vector.broadcast", &[zero], self.vector(), &[]);
        let left = self.rows_left(eval, task, place[0]);
        let positions = self.positions(eval, task, place, left, masks);
        if !self.single && self.blocks.sums.in_result() {
            positions.iter().for_each(|(at, _)| eval.fetch(self.blocks.sums.memref(), *at));
        }
        let mut loops = task.loops.clone();
        loops[self.blocks.product.n] = eval.add(loops[self.blocks.product.n], place[1]);
        if let Some(m) = self.blocks.product.m {
            loops[m] = eval.add(loops[m], place[0]);
        }
        let rows = self.tile_rows(eval, left);
        let offsets = self.row_offsets(eval, &rows);
        loops[self.blocks.product.reduced[0]] = k0;
        let lines = [self.first_line(eval, &loops, offsets.as_deref())?, self.second_line(eval, &loops)?];
        let step = Step { place, k0, rows: &rows, offsets: offsets.as_deref(), lines, masks };
        let sums = self.products(eval, &mut loops, [k0, count], &step, vec![zeros; positions.len()])?;
        self.add(eval, &positions, &sums, k0, zeros);
        Ok(())
    }

    /// A position that many addresses start from, so that the optimiser does not see how it is computed; where few products follow,
    /// that costs more than it saves.
    pub fn opaque(&self, eval: &Eval<'c>, position: Value<'c>) -> Value<'c> {
        if matches!(self.schedule.second, Second::Streamed) { position } else { eval.hidden(position, REGISTER) }
    }

    /// Opaque positions, `offsets` behind `start`. Known offsets are parts of addresses; others would be added in each of them.
    pub fn starts(&self, eval: &mut Eval<'c>, start: Value<'c>, offsets: &[Value<'c>]) -> Vec<Value<'c>> {
        let known = offsets.iter().all(|offset| offset.constant().is_some());
        let start = if known { self.opaque(eval, start) } else { start };
        let starts = offsets.iter().map(|offset| {
            let start = eval.add(start, *offset);
            if known { start } else { self.opaque(eval, start) }
        });
        starts.collect()
    }

    /// The first factor's rows, unless it is packed or has no even distances.
    fn first_line(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], offsets: Option<&[Value<'c>]>) -> Result<Option<Line<'c>>> {
        let product = self.blocks.product;
        let [along, _] = self.schedule.along;
        let (Some(offsets), None, false) = (offsets, self.strip, along == Stride::Uneven) else { return Ok(None) };
        let Some(address) = eval.factor_address(&product.generic, product.a.value, loops)? else { return Ok(None) };
        Ok(Some(Line { starts: self.starts(eval, address.position, offsets), address, along }))
    }

    /// The second factor, unless it is packed or has no even distances.
    fn second_line(&self, eval: &mut Eval<'c>, loops: &[Value<'c>]) -> Result<Option<Line<'c>>> {
        let [_, along] = self.schedule.along;
        if self.panel.is_some() || along == Stride::Uneven {
            return Ok(None);
        }
        let address = self.second_address(eval, loops)?;
        Ok(Some(Line { starts: vec![self.opaque(eval, address.position)], address, along }))
    }

    /// Where the tile's sums are kept, and which lanes of them are: none said means all.
    fn positions(
        &self,
        eval: &mut Eval<'c>,
        task: &Task<'c>,
        place: [Value<'c>; 2],
        left: Option<Value<'c>>,
        masks: &Option<Vec<Value<'c>>>,
    ) -> Vec<(Value<'c>, Option<Value<'c>>)> {
        // Scratch memory holds whole tiles.
        let in_result = self.blocks.sums.in_result();
        let (left, masks) = (left.filter(|_| in_result), masks.as_ref().filter(|_| in_result));
        let bool_type = Type::int(eval.context(), 1);
        let mut positions = Vec::new();
        let first = self.blocks.sum_position(eval, task, place);
        let first = self.opaque(eval, first);
        let pitch = self.blocks.sum_pitch(eval);
        for r in 0..self.tile.rows {
            let r = eval.index(r);
            let down = eval.mul(r, pitch);
            let start = eval.add(first, down);
            let is_row = left.map(|left| {
                let less = [("predicate", Attribute::i64(eval.context(), 2))];
                let is_row = eval.b.value("arith.cmpi", &[r, left], bool_type, &less);
                eval.b.value("vector.broadcast", &[is_row], Type::vector(&[self.tile.lanes], bool_type), &[])
            });
            for v in 0..self.tile.vectors {
                let offset = eval.index(v * self.tile.lanes);
                let mask = match (is_row, masks.map(|masks| masks[v as usize])) {
                    (Some(row), Some(column)) => Some(self.binary(eval, "arith.andi", row, column)),
                    (row, column) => row.or(column),
                };
                positions.push((eval.add(start, offset), mask));
            }
        }
        positions
    }

    /// The tile's rows, from its first one; where fewer are left, the last of them again.
    fn tile_rows(&self, eval: &mut Eval<'c>, left: Option<Value<'c>>) -> Vec<Value<'c>> {
        let one = eval.index(1);
        let last = left.map(|left| self.binary(eval, "arith.subi", left, one));
        let rows = (0..self.tile.rows).map(|r| {
            let row = eval.index(r);
            last.filter(|_| r > 0).map_or(row, |last| self.binary(eval, "arith.minsi", row, last))
        });
        rows.collect()
    }

    /// The loop over products: several at a time, then the others.
    fn products(
        &self,
        eval: &mut Eval<'c>,
        loops: &mut Vec<Value<'c>>,
        [k0, count]: [Value<'c>; 2],
        step: &Step<'_, 'c>,
        sums: Vec<Value<'c>>,
    ) -> Result<Vec<Value<'c>>> {
        let product = self.blocks.product;
        let outermost = product.reduced[0];
        let mut run = |eval: &mut Eval<'c>, from: Value<'c>, to: Value<'c>, per_turn: i64, sums: &[Value<'c>]| {
            let by = eval.index(per_turn);
            eval.for_loop(from, to, by, sums, |eval, k, sums| {
                let k = eval.add(k0, k);
                (0..per_turn).try_fold(sums.to_vec(), |sums, ahead| {
                    let ahead = eval.index(ahead);
                    loops[outermost] = eval.add(k, ahead);
                    self.taps(eval, loops, 1, step, sums)
                })
            })
        };
        let zero = eval.index(0);
        let known = self.blocks.sizes[outermost].constant().and_then(Attribute::as_int);
        // Addresses that are computed one by one keep registers from sums.
        let simple = product.reduced.len() == 1 && step.offsets.is_some();
        if !simple || known.is_some_and(|k| k < PRODUCTS) {
            return run(eval, zero, count, 1, &sums);
        }
        if self.whole_products(PRODUCTS) {
            return run(eval, zero, count, PRODUCTS, &sums);
        }
        let per = eval.index(PRODUCTS);
        let over = self.binary(eval, "arith.remui", count, per);
        let whole = self.binary(eval, "arith.subi", count, over);
        let sums = run(eval, zero, whole, PRODUCTS, &sums)?;
        run(eval, whole, count, 1, &sums)
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

    /// Asks for one of the rows of the first factor that the next tile of rows reads: the `column`-th sliver's share.
    ///
    /// # Errors
    /// If an operand cannot be evaluated: reported.
    pub fn fetch_next_rows(&self, eval: &mut Eval<'c>, task: &Task<'c>, [row, column]: [Value<'c>; 2], [k0, k1]: [Value<'c>; 2]) -> Result {
        let (First::InPlace(_), Some(m)) = (self.schedule.first, self.blocks.product.m) else { return Ok(()) };
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
        let line = eval.index(LINE_BYTES * 8 / i64::from(self.blocks.element.bit_width()));
        eval.for_loop(k0, k1, line, &[], |eval, k, _| {
            loops[self.blocks.product.reduced[0]] = k;
            let address = eval.factor_address(&self.blocks.product.generic, self.blocks.product.a.value, &loops)?;
            if let Some(Address { memory, position, .. }) = address {
                eval.fetch(memory.memref, position);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Distances of rows in the first factor, or in its strip, if they are even.
    fn row_offsets(&self, eval: &mut Eval<'c>, rows: &[Value<'c>]) -> Option<Vec<Value<'c>>> {
        let stride = match self.schedule.first {
            First::InPlace(Stride::Uneven) | First::Elements => return None,
            First::InPlace(stride) => eval.stride_value(stride),
            First::Packed => eval.index(self.slice),
        };
        Some(rows.iter().map(|row| eval.mul(*row, stride)).collect())
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

    /// How many products of the slice stand before the one that loops are at.
    fn products_before(&self, eval: &Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>) -> Value<'c> {
        self.binary(eval, "arith.subi", loops[self.blocks.product.reduced[0]], step.k0)
    }

    /// How far a line's numbers have moved.
    fn moved(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>, line: &Line<'c>) -> Value<'c> {
        let (k, along) = (self.products_before(eval, loops, step), eval.stride_value(line.along));
        eval.mul(k, along)
    }

    /// The second factor's vectors.
    fn columns(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>) -> Result<Vec<Value<'c>>> {
        let Some(panel) = self.panel else {
            let [_, Some(line)] = &step.lines else { return self.vectors_in_place(eval, loops, step.masks) };
            let moved = self.moved(eval, loops, step, line);
            let start = eval.add(line.starts[0], moved);
            if matches!(self.schedule.second, Second::Streamed) && self.tile.rows > FEW_ROWS {
                self.prefetch(eval, line.address.memory.memref, line.address.memory.element, start, line.along);
            }
            return Ok(self.vectors_at(eval, &line.address, start, step.masks));
        };
        let k = self.products_before(eval, loops, step);
        let start = pack::panel_position(eval, self, step.place[1], k, 0);
        let apart = Stride::Known(self.tile.columns());
        self.prefetch(eval, panel, self.blocks.element, start, apart);
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
        let address = self.second_address(eval, loops)?;
        Ok(self.vectors_at(eval, &address, address.position, masks))
    }

    fn vectors_at(&self, eval: &mut Eval<'c>, address: &Address<'c>, start: Value<'c>, masks: &Option<Vec<Value<'c>>>) -> Vec<Value<'c>> {
        let Address { memory, casts, .. } = address;
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
            pack::convert(eval, casts, read)
        });
        vectors.collect()
    }

    fn second_address(&self, eval: &mut Eval<'c>, loops: &[Value<'c>]) -> Result<Address<'c>> {
        let generic = &self.blocks.product.generic;
        let address = eval.factor_address(generic, self.blocks.product.b.value, loops)?;
        address.ok_or_else(|| crate::internal(generic.op, "a factor without an address"))
    }

    /// Asks for the vectors some products ahead, which lie this far apart.
    fn prefetch(&self, eval: &mut Eval<'c>, memref: Value<'c>, element: Type<'c>, start: Value<'c>, ahead: Stride<'c>) {
        let (ahead, count) = (eval.stride_value(ahead), eval.index(PREFETCH));
        let ahead = eval.mul(ahead, count);
        let start = eval.add(start, ahead);
        let bytes = self.tile.lanes * i64::from(element.bit_width() / 8);
        for v in (0..self.tile.vectors).filter(|v| v * bytes % LINE_BYTES == 0) {
            let offset = eval.index(v * self.tile.lanes);
            let at = eval.add(start, offset);
            eval.fetch(memref, at);
        }
    }

    /// The first factor's number of each row.
    fn numbers(&self, eval: &mut Eval<'c>, loops: &[Value<'c>], step: &Step<'_, 'c>) -> Result<Vec<Value<'c>>> {
        let product = self.blocks.product;
        if let (Some(strip), Some(offsets)) = (self.strip, step.offsets) {
            let k = self.products_before(eval, loops, step);
            let read = offsets.iter().map(|offset| {
                let at = eval.add(k, *offset);
                eval.b.value("memref.load", &[strip, at], self.blocks.element, &[])
            });
            return Ok(read.collect());
        }
        if let [Some(line), _] = &step.lines {
            let moved = self.moved(eval, loops, step, line);
            let read = line.starts.iter().map(|start| {
                let at = eval.add(*start, moved);
                let number = eval.load_flat(&line.address.memory, at);
                pack::convert(eval, &line.address.casts, number)
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
        let read = step.rows.iter().map(|row| {
            let mut loops = loops.to_vec();
            if let Some(m) = product.m {
                loops[m] = eval.add(loops[m], *row);
            }
            pack::number(eval, self, &product.a, &loops)
        });
        read.collect()
    }
}
