//! What the windows of a block read, in a dense copy: zeros outside of the tensor, converted, and where windows are several
//! elements apart, those together that the same tap reads.
//!
//! Some vectors of a row at a time are copied for one row after the other: which of their lanes are inside is the same for all
//! rows.

use fx_ir::{Attribute, Result, Type, Value};

use super::{Task, Windows, multiply_add};
use crate::conditions::{UNSIGNED_LESS, compare};
use crate::contract_cpu::pack::convert;
use crate::eval::{Address, Eval};

/// A plane of the copy.
#[derive(Clone, Copy)]
struct Plane<'c> {
    /// Its place in the tensor.
    from: Value<'c>,
    /// Its place in the copy.
    to: Value<'c>,
    /// Whether it is inside of the tensor, if it may not be.
    inside: Option<Value<'c>>,
}

/// A column of the copy: what one vector, or one number where there is no vector, of each part of a row reads.
struct Column<'c> {
    /// Its place in a part of a row.
    at: Value<'c>,
    /// Places along the last dim of the tensor, and whether they are inside.
    reads: Vec<(Value<'c>, Value<'c>)>,
}

impl<'c> Windows<'_, 'c> {
    /// Copies what the task's windows read, all channels.
    ///
    /// # Errors
    /// If an index cannot be evaluated: reported.
    pub fn copy(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let channels = self.window.channels.clone();
        let mut loops = task.loops.clone();
        let zero = eval.index(0);
        self.each_channel(eval, &channels, &mut loops, zero, &mut |eval, loops, number| {
            let size = eval.index(self.schedule.channel);
            let first = eval.index(self.schedule.start);
            let start = eval.mul(number, size);
            let start = eval.add(start, first);
            self.copy_channel(eval, task, loops, start)
        })
    }

    /// Goes over the summed loops that are no taps; gives loop variables and the number of the channel.
    fn each_channel(
        &self,
        eval: &mut Eval<'c>,
        channels: &[(usize, i64)],
        loops: &mut Vec<Value<'c>>,
        number: Value<'c>,
        build: &mut dyn FnMut(&mut Eval<'c>, &[Value<'c>], Value<'c>) -> Result,
    ) -> Result {
        let [(i, size), rest @ ..] = channels else { return build(eval, loops, number) };
        let (zero, one, count) = (eval.index(0), eval.index(1), eval.index(*size));
        if *size == 1 {
            loops[*i] = zero;
            return self.each_channel(eval, rest, loops, number, build);
        }
        eval.for_loop(zero, count, one, &[], |eval, channel, _| {
            loops[*i] = channel;
            let number = multiply_add(eval, number, *size, channel);
            self.each_channel(eval, rest, loops, number, build)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Copies one channel to `to`.
    fn copy_channel(&self, eval: &mut Eval<'c>, task: &Task<'c>, loops: &[Value<'c>], to: Value<'c>) -> Result {
        let address = self.address(eval, loops)?;
        let (lanes, count) = if self.schedule.vectorised { (self.schedule.lanes, self.schedule.copied) } else { (1, 1) };
        let (zero, part, step) = (eval.index(0), eval.index(self.schedule.part), eval.index(lanes * count));
        eval.for_loop(zero, part, step, &[], |eval, x, _| {
            let column = |i: i64| {
                let offset = eval.index(self.schedule.shift + i * lanes);
                let x = eval.add(x, offset);
                Column { reads: self.reads(eval, task, x), at: eval.add(to, x) }
            };
            let columns: Vec<_> = (0..count).map(column).collect();
            self.planes(eval, task, &address, &columns, 0, Plane { from: zero, to: zero, inside: None })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The address of the tensor's element at index 0 of the spatial dims.
    pub fn address(&self, eval: &mut Eval<'c>, loops: &[Value<'c>]) -> Result<Address<'c>> {
        let window = self.window;
        let mut at = window.outer.iter().map(|index| eval.body_value(&window.generic, *index, loops)).collect::<Result<Vec<_>>>()?;
        let zero = eval.index(0);
        at.extend(window.axes.iter().map(|_| zero));
        let address = eval.address(window.tensor, &at)?;
        address.ok_or_else(|| crate::internal(window.generic.op, "windows of a tensor without an address"))
    }

    /// Where along the last dim the block's windows start: below 0 in the padding.
    fn origin(&self, eval: &mut Eval<'c>, task: &Task<'c>, i: usize) -> Value<'c> {
        let axis = &self.window.axes[i];
        let (stride, offset) = (eval.index(axis.stride), eval.index(axis.offset));
        let start = eval.mul(task.loops[self.window.batch + i], stride);
        eval.add(start, offset)
    }

    /// The places along the last dim that a column of the copy reads.
    fn reads(&self, eval: &mut Eval<'c>, task: &Task<'c>, x: Value<'c>) -> Vec<(Value<'c>, Value<'c>)> {
        let last = self.window.axes.len() - 1;
        let axis = &self.window.axes[last];
        let (origin, stride, size) = (self.origin(eval, task, last), eval.index(axis.stride), eval.index(axis.size));
        let first = eval.mul(x, stride);
        let first = eval.add(first, origin);
        if !self.schedule.vectorised {
            let of_residue = |residue: &i64| {
                let residue = eval.index(*residue);
                let place = eval.add(first, residue);
                let inside = less(eval, place, size);
                // Outside, some element is read and not used.
                let zero = eval.index(0);
                (eval.b.value("arith.select", &[inside, place, zero], place.ty(), &[]), inside)
            };
            return self.schedule.residues.iter().map(of_residue).collect();
        }
        let zero = eval.index(0);
        let mask = Type::vector(&[self.schedule.lanes], Type::int(eval.context(), 1));
        let vectors = (0..axis.stride).map(|v| {
            let offset = eval.index(v * self.schedule.lanes);
            let place = eval.add(first, offset);
            // Lanes before the end, but not those before the start.
            let [before, until] = [zero, size].map(|end| {
                let count = eval.b.value("arith.subi", &[end, place], place.ty(), &[]);
                eval.b.value("vector.create_mask", &[count], mask, &[])
            });
            let inside = if self.schedule.shift > 0 { until } else { eval.b.value("arith.xori", &[before, until], mask, &[]) };
            (place, inside)
        });
        vectors.collect()
    }

    /// Columns in all planes of the copy that `plane` has from axis `i` on.
    fn planes(
        &self,
        eval: &mut Eval<'c>,
        task: &Task<'c>,
        address: &Address<'c>,
        columns: &[Column<'c>],
        i: usize,
        Plane { from, to, inside }: Plane<'c>,
    ) -> Result {
        let (axes, schedule) = (&self.window.axes, &self.schedule);
        if i + 1 == axes.len() {
            for column in columns {
                let found = self.numbers(eval, address, column, from);
                self.write(eval, column, to, &found);
            }
            return Ok(());
        }
        let origin = self.origin(eval, task, i);
        let (zero, one, extent, size) = (eval.index(0), eval.index(1), eval.index(schedule.extents[i]), eval.index(axes[i].size));
        let apart: i64 = axes[i + 1..].iter().map(|axis| axis.size).product();
        if i + 2 < axes.len() {
            eval.for_loop(zero, extent, one, &[], |eval, e, _| {
                let place = eval.add(origin, e);
                let here = less(eval, place, size);
                let inside = inside.map_or(here, |inside| eval.b.value("arith.andi", &[inside, here], here.ty(), &[]));
                let from = multiply_add(eval, place, apart, from);
                let to = multiply_add(eval, e, schedule.strides[i], to);
                self.planes(eval, task, address, columns, i + 1, Plane { from, to, inside: Some(inside) })?;
                Ok(Vec::new())
            })?;
            return Ok(());
        }
        // Rows before the tensor, in it, and behind it.
        let before = eval.b.value("arith.subi", &[zero, origin], origin.ty(), &[]);
        let until = eval.b.value("arith.subi", &[size, origin], origin.ty(), &[]);
        let [mut before, mut until] = [before, until].map(|end| {
            let end = eval.b.value("arith.maxsi", &[end, zero], end.ty(), &[]);
            eval.b.value("arith.minsi", &[end, extent], end.ty(), &[])
        });
        if let Some(inside) = inside {
            [before, until] = [before, until].map(|end| eval.b.value("arith.select", &[inside, end, zero], end.ty(), &[]));
        }
        let nothing = self.zeros(eval);
        for (first, end, is_inside) in [(zero, before, false), (before, until, true), (until, extent, false)] {
            eval.for_loop(first, end, one, &[], |eval, e, _| {
                let to = multiply_add(eval, e, schedule.strides[i], to);
                if is_inside {
                    let place = eval.add(origin, e);
                    let from = multiply_add(eval, place, apart, from);
                    self.planes(eval, task, address, columns, i + 1, Plane { from, to, inside: None })?;
                } else {
                    let parts = vec![nothing; schedule.residues.len()];
                    columns.iter().for_each(|column| self.write(eval, column, to, &parts));
                }
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }

    /// Zero, or a vector of zeros.
    fn zeros(&self, eval: &Eval<'c>) -> Value<'c> {
        let zero = eval.b.number(self.element, 0.0);
        if self.schedule.vectorised { eval.b.value("vector.broadcast", &[zero], self.vector(self.element), &[]) } else { zero }
    }

    /// The column's numbers in one row of the tensor, by parts of the copy's row.
    fn numbers(&self, eval: &mut Eval<'c>, address: &Address<'c>, column: &Column<'c>, from: Value<'c>) -> Vec<Value<'c>> {
        let memory = &address.memory;
        let casts = [address.casts.clone(), self.window.casts.clone()].concat();
        let start = eval.add(address.position, from);
        let zero = eval.b.number(memory.element, 0.0);
        if !self.schedule.vectorised {
            let read = column.reads.iter().map(|(place, inside)| {
                let at = eval.add(start, *place);
                let number = eval.load_flat(memory, at);
                let number = eval.b.value("arith.select", &[*inside, number, zero], number.ty(), &[]);
                convert(eval, &casts, number)
            });
            return read.collect();
        }
        let ty = self.vector(memory.element);
        let zeros = eval.b.value("vector.broadcast", &[zero], ty, &[]);
        let read: Vec<_> = column
            .reads
            .iter()
            .map(|(place, mask)| {
                let at = eval.add(start, *place);
                let vector = eval.b.value("vector.maskedload", &[memory.memref, at, *mask, zeros], ty, &[]);
                convert(eval, &casts, vector)
            })
            .collect();
        let of_residue = |residue: &i64| self.every(eval, &read, *residue);
        self.schedule.residues.iter().map(of_residue).collect()
    }

    /// Of vectors that stand behind each other, the numbers from `first` on, as many apart as there are vectors.
    fn every(&self, eval: &Eval<'c>, vectors: &[Value<'c>], first: i64) -> Value<'c> {
        let (lanes, apart) = (self.schedule.lanes, vectors.len() as i64);
        let mut taken = vectors[0];
        for (i, vector) in (1i64..).zip(&vectors[1..]) {
            let place = |lane: i64| match (first + lane * apart) / lanes {
                own if own == i => lanes + (first + lane * apart) % lanes,
                0 if i == 1 => first + lane * apart,
                _ => lane, // taken before, or still to come
            };
            let mask = [("mask", Attribute::i64s(eval.context(), &(0..lanes).map(place).collect::<Vec<_>>()))];
            taken = eval.b.value("vector.shuffle", &[taken, *vector], taken.ty(), &mask);
        }
        taken
    }

    /// Writes the column to one row of the copy.
    fn write(&self, eval: &mut Eval<'c>, column: &Column<'c>, to: Value<'c>, parts: &[Value<'c>]) {
        let name = if self.schedule.vectorised { "vector.store" } else { "memref.store" };
        let start = eval.add(column.at, to);
        for (part, value) in (0i64..).zip(parts) {
            let offset = eval.index(part * self.schedule.part);
            let at = eval.add(start, offset);
            eval.b.op(name, &[*value, self.copy, at], &[], &[]);
        }
    }
}

/// `0 <= value < size`
fn less<'c>(eval: &Eval<'c>, value: Value<'c>, size: Value<'c>) -> Value<'c> {
    compare(eval, UNSIGNED_LESS, value, size)
}
