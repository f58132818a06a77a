//! Sorted items go to memory.
//!
//! A thread has neighbours of the sorted row. They pass through workgroup memory, so that neighbouring threads store neighbouring
//! elements, as many threads' items at a time as have room there. The elements themselves are computed again, each at its place:
//! what they are made of is still in the cache.

use fx_ir::{Result, Value};

use super::exchange::Exchange;
use super::words::Item;
use super::{Seat, Shape, stored_where};
use crate::conditions::compare;
use crate::emit_gpu::{Emitter, LESS, when};
use crate::eval::Eval;
use crate::sort::Sort;

/// Elements of a thread that are stored together.
const TOGETHER: i64 = 4;

/// A part of the sorted row that is in workgroup memory.
struct Shown<'c> {
    /// The place of its first item in the row.
    start: Value<'c>,
    /// Its items.
    length: i64,
    /// Whether all of them are wanted.
    is_whole: bool,
    /// Items before the first of a turn, and between turns; the number of turns.
    first: i64,
    turn: i64,
    turns: i64,
}

/// An item of the sorted row.
struct Found<'c> {
    /// What says whether it is wanted, if it may not be.
    inside: Option<Value<'c>>,
    /// Where it goes in each result.
    position: Value<'c>,
    /// What goes there, by the number of the result.
    elements: Vec<(usize, Value<'c>)>,
}

impl<'c> Emitter<'_, 'c> {
    /// Stores the wanted part of the sorted row.
    pub(super) fn sort_results(
        &self,
        eval: &mut Eval<'c>,
        shape: &Shape,
        sort: Sort<'c>,
        seat: &Seat<'c>,
        (exchange, items): (&Exchange<'c>, &[Item<'c>]),
    ) -> Result {
        let length = exchange.shown * shape.items;
        let (first, end) = (sort.from / length, (sort.from + sort.count + length - 1) / length);
        let each = TOGETHER.min((length + shape.threads - 1) / shape.threads);
        let turn = each * shape.threads;
        // One part need not be seen whole.
        let is_one = end - first == 1;
        let start = if is_one { (sort.from - first * length) / turn } else { 0 };
        let stop = if is_one { (sort.from + sort.count - first * length + turn - 1) / turn } else { (length + turn - 1) / turn };
        let (from, to) = (first * length + start * turn, (end - 1) * length + stop * turn);
        let shown = |at: Value<'c>| Shown {
            start: at,
            length,
            is_whole: (from, to) == (sort.from, sort.from + sort.count) && length % turn == 0,
            first: start * turn,
            turn,
            turns: stop - start,
        };
        if shape.has_warps() {
            eval.b.op("gpu.barrier", &[], &[], &[]); // The memory was read by an exchange.
        }
        if is_one {
            let number = eval.index(first);
            self.show(eval, shape, (exchange, items), seat.lane, number, seat)?;
            eval.b.op("gpu.barrier", &[], &[], &[]);
            let at = eval.index(first * length);
            return self.store_shown(eval, shape, sort, (exchange, seat), &shown(at));
        }
        let (low, high, one) = (eval.index(first), eval.index(end), eval.index(1));
        eval.for_loop(low, high, one, &[], |eval, number, _| {
            self.show(eval, shape, (exchange, items), seat.lane, number, seat)?;
            eval.b.op("gpu.barrier", &[], &[], &[]);
            let size = eval.index(length);
            let at = eval.mul(number, size);
            self.store_shown(eval, shape, sort, (exchange, seat), &shown(at))?;
            eval.b.op("gpu.barrier", &[], &[], &[]);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Puts the items of some of the threads into workgroup memory: one place is left free behind those of each, so that threads
    /// use different banks.
    fn show(
        &self,
        eval: &mut Eval<'c>,
        shape: &Shape,
        (exchange, items): (&Exchange<'c>, &[Item<'c>]),
        lane: Value<'c>,
        number: Value<'c>,
        seat: &Seat<'c>,
    ) -> Result {
        let threads = eval.index(exchange.shown);
        let start = eval.mul(number, threads);
        let own = eval.b.value("arith.subi", &[lane, start], lane.ty(), &[]);
        let store = |eval: &mut Eval<'c>| {
            let stride = eval.index(shape.items + 1);
            let of_team = eval.index(exchange.shown * (shape.items + 1));
            let (of_team, of_thread) = (eval.mul(seat.team, of_team), eval.mul(own, stride));
            let first = eval.add(of_team, of_thread);
            for (i, item) in items.iter().enumerate() {
                let offset = eval.index(i as i64);
                let slot = eval.add(first, offset);
                for (word, buffer) in item.iter().zip(&exchange.buffers) {
                    eval.b.op("memref.store", &[*word, *buffer, slot], &[], &[]);
                }
            }
            Ok(())
        };
        // Without a sign, a thread before the first is beyond the last.
        if exchange.shown == shape.threads { store(eval) } else { when(eval, LESS, own, threads, store) }
    }

    /// Stores what is in workgroup memory.
    fn store_shown(
        &self,
        eval: &mut Eval<'c>,
        shape: &Shape,
        sort: Sort<'c>,
        (exchange, seat): (&Exchange<'c>, &Seat<'c>),
        shown: &Shown<'c>,
    ) -> Result {
        let turn = |eval: &mut Eval<'c>, number: Value<'c>| {
            let size = eval.index(shown.turn);
            let start = eval.mul(number, size);
            let first = eval.index(shown.first);
            let start = eval.add(start, first);
            let mut found = Vec::new();
            for i in 0..shown.turn / shape.threads {
                let ahead = eval.index(i * shape.threads);
                let at = eval.add(start, ahead);
                let at = eval.add(at, seat.lane);
                found.push(self.sorted_element(eval, shape, sort, (exchange, seat), (shown, at))?);
            }
            for found in found {
                stored_where(eval, seat, found.inside, |eval| {
                    for (output, element) in found.elements {
                        eval.store_flat(&self.parts.outputs[output], found.position, element);
                    }
                    Ok(())
                })?;
            }
            Ok(Vec::new())
        };
        let (zero, one) = (eval.index(0), eval.index(1));
        if shown.turns == 1 {
            return turn(eval, zero).map(drop);
        }
        let turns = eval.index(shown.turns);
        eval.for_loop(zero, turns, one, &[], |eval, number, _| turn(eval, number)).map(drop)
    }

    /// Item `at` of what is shown.
    fn sorted_element(
        &self,
        eval: &mut Eval<'c>,
        shape: &Shape,
        sort: Sort<'c>,
        (exchange, seat): (&Exchange<'c>, &Seat<'c>),
        (shown, at): (&Shown<'c>, Value<'c>),
    ) -> Result<Found<'c>> {
        let ty = at.ty();
        let (length, each) = (eval.index(shown.length), eval.index(shape.items));
        let (mut own, mut inside) = (at, None);
        let from = eval.index(sort.from);
        let in_row = eval.add(shown.start, at);
        // Places before the part are beyond its end, without a sign.
        let wanted = eval.b.value("arith.subi", &[in_row, from], ty, &[]);
        let count = eval.index(sort.count);
        if !shown.is_whole {
            let is_wanted = compare(eval, LESS, wanted, count);
            let is_shown = compare(eval, LESS, at, length);
            inside = Some(eval.b.value("arith.andi", &[is_wanted, is_shown], is_wanted.ty(), &[]));
            let last = eval.index(shown.length - 1);
            own = eval.b.value("arith.minui", &[at, last], ty, &[]);
        }
        let skipped = eval.b.value("arith.divui", &[own, each], ty, &[]);
        let of_team = eval.index(exchange.shown * (shape.items + 1));
        let slot = eval.mul(seat.team, of_team);
        let slot = eval.add(slot, own);
        let slot = eval.add(slot, skipped);
        let load = |buffer: &Value<'c>| eval.b.value("memref.load", &[*buffer, slot], buffer.ty().element(), &[]);
        let item: Vec<_> = exchange.buffers.iter().map(load).collect();
        let mut place = exchange.words.place(&eval.b, &item);
        let index = eval.b.value("arith.index_cast", &[place], sort.op.result(1).ty().element(), &[]);
        if sort.length < shape.threads * shape.items {
            // What lies behind the row's end is not wanted, but read.
            let last = eval.index(sort.length - 1);
            place = eval.b.value("arith.minui", &[place, last], ty, &[]);
        }
        let start = eval.mul(seat.row, count);
        let position = eval.add(start, wanted);
        let mut elements = Vec::new();
        for (number, result) in self.parts.kernel.results().into_iter().enumerate() {
            if result == sort.op.result(0) {
                let indices = [seat.place.as_slice(), &[place]].concat();
                elements.push((number, eval.element(sort.values(), &indices)?));
            } else if result == sort.op.result(1) {
                elements.push((number, index));
            }
        }
        Ok(Found { inside, position, elements })
    }
}
