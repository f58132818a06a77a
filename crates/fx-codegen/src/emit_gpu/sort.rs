//! Rows that are sorted, each by a team of threads, in registers.
//!
//! A thread has some items of the row. It sorts them by a network that is written out. Then runs of neighbouring threads are
//! merged in pairs, one of which rises while the other falls: items are exchanged between threads whose numbers differ in one
//! bit, from the highest to the lowest, and then merged inside of threads. Lanes of a warp exchange by shuffles, warps through
//! workgroup memory. These steps are loops, so code does not grow with the row. What lies behind a row's end comes after all
//! else.
//!
//! Where the first few items alone are wanted, runs longer than these are not kept: of two runs the items that come first in
//! either are left, in both runs' threads.
//!
//! ```text
//! for i in 1..=log2(threads)      runs of 2^(i-1) threads become runs of 2^i
//!   for bit in (0..i).rev()       exchange with the thread that differs in this bit
//!   merge the thread's items
//! ```

use std::fmt;

use fx_ir::{Result, Type, Value};

use super::{Emitter, Grid, LESS, block_id, compare, existing_rows, thread_id, when, when_holds};
use crate::eval::Eval;
use crate::sort::Sort;

mod exchange;
mod network;
mod results;
mod words;

use exchange::Exchange;
use words::{Item, Words, choose};

/// Threads of the largest team.
const MOST_THREADS: i64 = 1024;
/// Threads of a block of short rows.
const BLOCK_THREADS: i64 = 128;

/// How a row is spread over a team; all are powers of two.
pub struct Shape {
    /// Threads of a team.
    threads: i64,
    /// Items of a thread.
    items: i64,
    /// Rows of a block.
    rows: i64,
    /// Threads whose items are kept when runs are merged.
    kept: i64,
}

fn power_of_two(least: i64) -> i64 {
    u64::try_from(least).unwrap_or(1).next_power_of_two() as i64
}

impl Shape {
    /// The shape of a call's rows.
    pub fn of(sort: Sort<'_>) -> Self {
        let total = power_of_two(sort.length.max(2));
        let is_wide = sort.keys().ty().element().bit_width() > 32;
        let items = match total {
            ..=32 => 4,
            33..=256 => 8,
            _ if is_wide => 8,
            _ => 16,
        };
        let items = items.max(total / MOST_THREADS).min(total);
        let threads = total / items;
        let kept = power_of_two((sort.from + sort.count + items - 1) / items).min(threads);
        Self { threads, items, rows: (BLOCK_THREADS / threads).max(1), kept }
    }

    /// Threads of a block.
    fn block(&self) -> i64 {
        self.threads * self.rows
    }

    /// Whether warps exchange items.
    fn has_warps(&self) -> bool {
        self.threads > 32
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "threads={} items={} rows={} kept={}", self.threads, self.items, self.rows, self.kept)
    }
}

/// What a thread knows of its row.
struct Seat<'c> {
    /// The thread's number in its block, and in its team.
    thread: Value<'c>,
    lane: Value<'c>,
    /// The number of its team in the block.
    team: Value<'c>,
    /// The row's number, and its place in all dims but the last.
    row: Value<'c>,
    place: Vec<Value<'c>>,
    /// Where there may be no such row: its number and the number of rows.
    guard: Option<[Value<'c>; 2]>,
}

impl<'c> Emitter<'_, 'c> {
    /// A team for a row.
    pub(super) fn sorted_rows(&self, eval: &mut Eval<'c>, shape: &Shape, sort: Sort<'c>) -> Result<Grid> {
        let space = &self.parts.kernel.space;
        let rows = &space[..space.len().saturating_sub(1)];
        let seat = self.sort_seat(eval, shape, rows)?;
        let words = Words::of(sort);
        let items = self.sort_items(eval, shape, sort, (&words, &seat))?;
        let mut exchange = Exchange::new(eval, shape, words, seat.thread, self.block)?;
        let items = sorted_items(eval, shape, (&words, &mut exchange), seat.lane, items)?;
        self.sort_results(eval, shape, sort, &seat, (&exchange, &items))?;
        Ok(Grid::new(rows, shape.rows, shape.block()))
    }

    fn sort_seat(&self, eval: &mut Eval<'c>, shape: &Shape, rows: &[super::Size]) -> Result<Seat<'c>> {
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let row_dims = eval.sizes(rows);
        let (mut row, mut lane, mut team, mut guard) = (block, thread, eval.index(0), None);
        if shape.rows > 1 {
            let (threads, per_block) = (eval.index(shape.threads), eval.index(shape.rows));
            lane = eval.b.value("arith.remui", &[thread, threads], thread.ty(), &[]);
            team = eval.b.value("arith.divui", &[thread, threads], thread.ty(), &[]);
            let start = eval.mul(block, per_block);
            let own = eval.add(start, team);
            (row, guard) = existing_rows(eval, own, rows, (shape.rows, 1));
        }
        let place = eval.delinearize(row, &row_dims);
        Ok(Seat { thread, lane, team, row, place, guard })
    }

    /// A thread's items, as its row has them in memory: a team's width apart. Other results of the kernel are stored on the way.
    fn sort_items(
        &self,
        eval: &mut Eval<'c>,
        shape: &Shape,
        sort: Sort<'c>,
        (words, seat): (&Words<'c>, &Seat<'c>),
    ) -> Result<Vec<Item<'c>>> {
        let dims = self.parts.space.clone();
        let (length, last) = (eval.index(sort.length), eval.index(sort.length - 1));
        let beyond = words.last_key(&eval.b);
        let mut items = Vec::new();
        for i in 0..shape.items {
            let first = eval.index(i * shape.threads);
            let at = eval.add(seat.lane, first);
            if i * shape.threads >= sort.length {
                items.push(words.item(&eval.b, beyond, at));
                continue;
            }
            let inside = ((i + 1) * shape.threads > sort.length).then(|| compare(eval, LESS, at, length));
            let own = if inside.is_some() { eval.b.value("arith.minui", &[at, last], at.ty(), &[]) } else { at };
            let indices = [seat.place.as_slice(), &[own]].concat();
            let position = eval.linearize(&indices, &dims);
            eval.set_place(&indices, &dims, position);
            let mut key = eval.element(sort.keys(), &indices)?;
            if let Some(inside) = inside {
                key = eval.b.value("arith.select", &[inside, key, beyond], key.ty(), &[]);
            }
            items.push(words.item(&eval.b, key, at));
            self.unsorted_results(eval, seat, &indices, position, inside)?;
        }
        Ok(items)
    }

    /// What a kernel computes beside the sorted rows, at one place.
    fn unsorted_results(
        &self,
        eval: &mut Eval<'c>,
        seat: &Seat<'c>,
        indices: &[Value<'c>],
        position: Value<'c>,
        inside: Option<Value<'c>>,
    ) -> Result {
        for (result, output) in self.parts.kernel.results().into_iter().zip(self.parts.outputs) {
            if Sort::of_value(result).is_none() {
                let element = eval.element(result, indices)?;
                stored_where(eval, seat, inside, |eval| {
                    eval.store_flat(output, position, element);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }
}

/// Stores where there is the row, and `inside` holds if it is given.
fn stored_where<'c>(
    eval: &mut Eval<'c>,
    seat: &Seat<'c>,
    inside: Option<Value<'c>>,
    store: impl FnOnce(&mut Eval<'c>) -> Result,
) -> Result {
    match (inside, seat.guard) {
        (None, None) => store(eval),
        (None, Some([row, total])) => when(eval, LESS, row, total, store),
        (Some(inside), None) => when_holds(eval, inside, store),
        (Some(inside), Some([row, total])) => {
            let exists = compare(eval, LESS, row, total);
            let both = eval.b.value("arith.andi", &[inside, exists], inside.ty(), &[]);
            when_holds(eval, both, store)
        }
    }
}

/// A thread's items of the sorted row, or of the part that is kept.
fn sorted_items<'c>(
    eval: &mut Eval<'c>,
    shape: &Shape,
    (words, exchange): (&Words<'c>, &mut Exchange<'c>),
    lane: Value<'c>,
    mut items: Vec<Item<'c>>,
) -> Result<Vec<Item<'c>>> {
    let word = Type::int(eval.context(), 32);
    let lane = eval.b.value("arith.index_cast", &[lane], word, &[]);
    let zero = eval.b.int(word, 0);
    let levels = i64::from(shape.threads.ilog2());
    // Every second run falls, unless there is one alone.
    let falls = (levels > 0).then(|| bit(eval, lane, zero));
    compare_pairs(eval, words, &network::sorting(items.len()), falls, &mut items);
    if levels == 0 {
        return Ok(items);
    }
    let (one, end) = (eval.index(1), eval.index(levels + 1));
    let types = words.types().len();
    let merged = eval.for_loop(one, end, one, &items.concat(), |eval, level, carried| {
        let level = eval.b.value("arith.index_cast", &[level], word, &[]);
        let falls = bit(eval, lane, level);
        let items = exchange.run(eval, (shape, lane), (level, falls), carried)?;
        let mut items = unflat(&items, types);
        compare_pairs(eval, words, &network::merging(items.len()), Some(falls), &mut items);
        Ok(items.concat())
    })?;
    Ok(unflat(&merged, types))
}

fn unflat<'c>(words: &[Value<'c>], of_item: usize) -> Vec<Item<'c>> {
    words.chunks(of_item).map(<[_]>::to_vec).collect()
}

/// Whether a number has a bit.
fn bit<'c>(eval: &mut Eval<'c>, number: Value<'c>, place: Value<'c>) -> Value<'c> {
    let shifted = eval.b.value("arith.shrui", &[number, place], number.ty(), &[]);
    eval.b.value("arith.trunci", &[shifted], Type::int(eval.context(), 1), &[])
}

/// Puts pairs of items in order, or, where `falls` holds, in the opposite one.
fn compare_pairs<'c>(eval: &Eval<'c>, words: &Words<'c>, pairs: &network::Pairs, falls: Option<Value<'c>>, items: &mut [Item<'c>]) {
    let b = &eval.b;
    for (low, high) in pairs {
        let (first, second) = (items[*low].clone(), items[*high].clone());
        let mut keeps = words.less(b, &first, &second);
        if let Some(falls) = falls {
            keeps = b.value("arith.xori", &[keeps, falls], keeps.ty(), &[]);
        }
        items[*low] = choose(b, keeps, &first, &second);
        items[*high] = choose(b, keeps, &second, &first);
    }
}
