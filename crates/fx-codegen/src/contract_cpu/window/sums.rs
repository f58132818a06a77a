//! Register tiles of windows: rows of results that are next to each other share what they read.

use std::collections::{BTreeMap, HashMap};

use fx_ir::{Result, Type, Value};

use super::lanes::Lanes;
use super::{Task, Windows, multiply_add};
use crate::conditions::{SIGNED_LESS, compare};
use crate::eval::Eval;

/// What x86 calls a register for numbers and addresses.
const REGISTER: &str = "r";

/// What is multiplied: vectors of the same weight by written taps, in order; none where they are loaded for each tile.
type Weights<'c> = Option<Vec<Value<'c>>>;

impl<'c> Windows<'_, 'c> {
    /// All sums of the task's block.
    ///
    /// # Errors
    /// If a weight cannot be evaluated: reported.
    pub fn sums(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let fixed = self.schedule.written == 0 && self.window.channels.iter().all(|(_, size)| *size == 1);
        let weights = if fixed { Some(self.weights(eval, &task.loops)?) } else { None };
        let copy = eval.index(self.schedule.start);
        self.tiles(eval, task, 0, [copy, task.start], &weights)
    }

    /// Tiles of the block from axis `i` on; `at` is where they start in the copy, and in the sums.
    fn tiles(&self, eval: &mut Eval<'c>, task: &Task<'c>, i: usize, at: [Value<'c>; 2], weights: &Weights<'c>) -> Result {
        let (axes, schedule) = (&self.window.axes, &self.schedule);
        let (zero, last) = (eval.index(0), axes.len() - 1);
        let step = match last - i {
            0 => schedule.columns(),
            1 => schedule.rows,
            _ => 1,
        };
        let apart: i64 = axes[i + 1..].iter().map(|axis| axis.pixels).product();
        // Elements of the last axis stand next to each other in their parts.
        let stride = if i == last { 1 } else { axes[i].stride * schedule.strides[i] };
        let step = eval.index(step);
        let row = task.row;
        eval.for_loop(zero, task.counts[i], step, &[], |eval, q, _| {
            let [copy, sums] = at;
            let at = [multiply_add(eval, q, stride, copy), multiply_add(eval, q, apart, sums)];
            let mut loops = task.loops.clone();
            loops[self.window.batch + i] = eval.add(loops[self.window.batch + i], q);
            let task = &Task { loops, row: if i + 1 == last { Some(q) } else { row }, ..task.clone() };
            if i == last {
                self.tile(eval, task, q, at, weights)?
            } else {
                self.tiles(eval, task, i + 1, at, weights)?
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// One tile, `column` results from the block's first column.
    fn tile(&self, eval: &mut Eval<'c>, task: &Task<'c>, column: Value<'c>, [copy, sums]: [Value<'c>; 2], weights: &Weights<'c>) -> Result {
        let schedule = &self.schedule;
        let zero = eval.b.number(self.element, 0.0);
        let zeros = eval.b.value("vector.broadcast", &[zero], self.vector(self.element), &[]);
        // The optimiser does not see how addresses start: else it would take that apart in each of them.
        let (copy, at) = (eval.hidden(copy, REGISTER), eval.hidden(sums, REGISTER));
        let reduced: Vec<_> = self.window.channels.iter().map(|(i, size)| (*i, *size, schedule.channel)).collect();
        let taps = self.window.axes.iter().enumerate().take(schedule.written);
        let taps = taps.filter_map(|(i, axis)| Some((axis.tap?, axis.taps, axis.dilation * schedule.strides[i])));
        let summed = [reduced, taps.collect()].concat();
        let first = vec![zeros; (schedule.rows * schedule.vectors) as usize];
        let mut loops = task.loops.clone();
        let sums = self.summed(eval, &summed, &mut loops, copy, weights, (&first, None))?;
        self.store(eval, task, column, at, &sums)
    }

    /// Loops over channels and taps that are not written out: `(loop, size, distance in the copy)`. What an iteration adds is summed
    /// from `zeros` on first: so many products are added in groups, which keeps long sums exact.
    fn summed(
        &self,
        eval: &mut Eval<'c>,
        summed: &[(usize, i64, i64)],
        loops: &mut Vec<Value<'c>>,
        copy: Value<'c>,
        weights: &Weights<'c>,
        (zeros, sums): (&[Value<'c>], Option<&[Value<'c>]>),
    ) -> Result<Vec<Value<'c>>> {
        let Some(((i, size, apart), rest)) = summed.split_first() else {
            let added = self.multiply(eval, loops, copy, weights, zeros)?;
            let Some(sums) = sums else { return Ok(added) };
            return Ok(sums.iter().zip(added).map(|(sum, added)| eval.b.value("arith.addf", &[*sum, added], added.ty(), &[])).collect());
        };
        let (zero, one, count) = (eval.index(0), eval.index(1), eval.index(*size));
        if *size == 1 {
            loops[*i] = zero;
            return self.summed(eval, rest, loops, copy, weights, (zeros, sums));
        }
        let is_last_axis = self.window.axes.last().is_some_and(|axis| axis.tap == Some(*i));
        eval.for_loop(zero, count, one, sums.unwrap_or(zeros), |eval, k, sums| {
            loops[*i] = k;
            let copy = if is_last_axis { self.last_tap(eval, k, copy) } else { multiply_add(eval, k, *apart, copy) };
            self.summed(eval, rest, loops, copy, weights, (zeros, Some(sums)))
        })
    }

    /// Where a tap of the last axis reads, by its number.
    fn last_tap(&self, eval: &mut Eval<'c>, k: Value<'c>, copy: Value<'c>) -> Value<'c> {
        let Some(axis) = self.window.axes.last() else { return copy };
        let (dilation, stride) = (eval.index(axis.dilation), eval.index(axis.stride));
        let reach = eval.mul(k, dilation);
        if axis.stride == 1 {
            return eval.add(copy, reach);
        }
        let residue = eval.b.value("arith.remui", &[reach, stride], reach.ty(), &[]);
        let offset = eval.b.value("arith.divui", &[reach, stride], reach.ty(), &[]);
        let start = multiply_add(eval, residue, self.schedule.part, copy);
        eval.add(start, offset)
    }

    /// The written taps, in the order of their weights: where each one reads.
    fn written_taps(&self) -> Vec<(Vec<i64>, i64)> {
        let schedule = &self.schedule;
        let mut taps = vec![(Vec::new(), 0)];
        for (i, axis) in self.window.axes.iter().enumerate().skip(schedule.written) {
            let is_last = i + 1 == self.window.axes.len();
            let offset = |tap: i64| {
                let reach = tap * axis.dilation;
                if is_last { schedule.part_of(reach % axis.stride) + reach / axis.stride } else { reach * schedule.strides[i] }
            };
            let along = |(before, start): &(Vec<i64>, i64)| {
                let (before, start) = (before.clone(), *start);
                (0..axis.taps).map(move |tap| ([before.clone(), vec![tap]].concat(), start + offset(tap))).collect::<Vec<_>>()
            };
            taps = taps.iter().flat_map(along).collect();
        }
        taps
    }

    /// The weights of all written taps where loops are, each as a vector.
    fn weights(&self, eval: &mut Eval<'c>, loops: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let window = self.window;
        let mut loops = loops.to_vec();
        let mut weights = Vec::new();
        for (tap, _) in self.written_taps() {
            for (axis, tap) in window.axes[self.schedule.written..].iter().zip(tap) {
                if let Some(i) = axis.tap {
                    loops[i] = eval.index(tap);
                }
            }
            let weight = eval.body_value(&window.generic, window.weight, &loops)?;
            weights.push(eval.b.value("vector.broadcast", &[weight], self.vector(self.element), &[]));
        }
        Ok(weights)
    }

    /// The written taps' products, added to `sums`. Each vector of the copy is loaded once, for all rows that it counts for.
    fn multiply(
        &self,
        eval: &mut Eval<'c>,
        loops: &[Value<'c>],
        copy: Value<'c>,
        weights: &Weights<'c>,
        sums: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>> {
        let (axes, schedule) = (&self.window.axes, &self.schedule);
        let weights = match weights {
            Some(weights) => weights.clone(),
            None => self.weights(eval, loops)?,
        };
        let down = axes.len().checked_sub(2).map_or(0, |row| axes[row].stride * schedule.strides[row]);
        let mut uses: BTreeMap<i64, Vec<(i64, usize)>> = BTreeMap::new();
        for (tap, (_, offset)) in self.written_taps().iter().enumerate() {
            for row in 0..schedule.rows {
                uses.entry(offset + row * down).or_default().push((row, tap));
            }
        }
        let mut sums = sums.to_vec();
        let ty = self.vector(self.element);
        for (offset, uses) in uses {
            for v in 0..schedule.vectors {
                let offset = eval.index(offset + v * schedule.lanes);
                let at = eval.add(copy, offset);
                let read = eval.b.value("vector.load", &[self.copy, at], ty, &[]);
                for (row, tap) in &uses {
                    let sum = &mut sums[(row * schedule.vectors + v) as usize];
                    *sum = eval.b.value("vector.fma", &[read, weights[*tap], *sum], ty, &[]);
                }
            }
        }
        Ok(sums)
    }

    /// Writes a tile's sums, or what follows from them, as far as they belong to the block.
    fn store(&self, eval: &mut Eval<'c>, task: &Task<'c>, column: Value<'c>, at: Value<'c>, sums: &[Value<'c>]) -> Result {
        let (axes, schedule) = (&self.window.axes, &self.schedule);
        let last = axes.len() - 1;
        let bool_type = Type::int(eval.context(), 1);
        let mask = Type::vector(&[schedule.lanes], bool_type);
        let whole = |i: usize, of: i64| axes[i].pixels % of == 0;
        let columns = (!whole(last, schedule.columns())).then(|| eval.b.value("arith.subi", &[task.counts[last], column], at.ty(), &[]));
        let rows = task.row.filter(|_| !whole(last - 1, schedule.rows));
        let rows = rows.map(|row| eval.b.value("arith.subi", &[task.counts[last - 1], row], at.ty(), &[]));
        let pitch = axes[last].pixels;
        for row in 0..schedule.rows {
            let row_mask = rows.map(|left| {
                let row = eval.index(row);
                let is_row = compare(eval, SIGNED_LESS, row, left);
                eval.b.value("vector.broadcast", &[is_row], mask, &[])
            });
            for v in 0..schedule.vectors {
                let column_mask = columns.map(|left| {
                    let before = eval.index(v * schedule.lanes);
                    let left = eval.b.value("arith.subi", &[left, before], left.ty(), &[]);
                    eval.b.value("vector.create_mask", &[left], mask, &[])
                });
                let mask = match (row_mask, column_mask) {
                    (Some(row), Some(column)) => Some(eval.b.value("arith.andi", &[row, column], mask, &[])),
                    (row, column) => row.or(column),
                };
                let offset = eval.index(row * pitch + v * schedule.lanes);
                let position = eval.add(at, offset);
                self.store_vector(eval, task, [row, v * schedule.lanes], (position, mask), sums[(row * schedule.vectors + v) as usize])?;
            }
        }
        Ok(())
    }

    /// Writes a vector of sums, or of what follows from it: `place` is the first one's row and column in the tile.
    fn store_vector(
        &self,
        eval: &mut Eval<'c>,
        task: &Task<'c>,
        place: [i64; 2],
        (position, mask): (Value<'c>, Option<Value<'c>>),
        sums: Value<'c>,
    ) -> Result {
        let mut indices = task.loops[..self.dims.len()].to_vec();
        for (index, offset) in indices.iter_mut().rev().zip(place.into_iter().rev()).take(self.window.axes.len()) {
            let offset = eval.index(offset);
            *index = eval.add(*index, offset);
        }
        let known = HashMap::from([(self.window.generic.op.result(0), sums)]);
        let mut lanes = Lanes { indices: &indices, position, mask, count: self.schedule.lanes, known };
        if let Some(buffer) = self.buffer {
            lanes.store(eval, buffer, sums);
            return Ok(());
        }
        for (result, output) in self.kernel.results().into_iter().zip(self.outputs) {
            let vector = lanes.of(eval, result)?;
            lanes.store(eval, output.memref, vector);
        }
        Ok(())
    }
}
