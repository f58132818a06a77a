//! A team of threads a row, which reads the row again for each reduction that needs what one before it gives, and for its results.

use std::collections::HashSet;

use fx_ir::{Op, Result, Value};

use super::map::{access_width, divisor};
use super::{EQUAL, Emitter, Grid, LESS, block_id, compare, either, existing_rows, known_product, thread_id, when, when_with};
use crate::emit_cpu::row_results;
use crate::eval::{Eval, LoopBody, Written};
use crate::generic::{Generic, used_values};
use crate::kernel::{Kernel, Size};
use crate::team::{Combiner, Meeting, Team, combiners};

/// Rows shorter than this take a thread each.
const SHORTEST_TEAM_ROW: i64 = 32;
/// Elements of a row that a thread of a team should have at least.
const ROW_SHARE: i64 = 4;
/// Threads of the largest team: two of them should fit into a processor, unless rows are so long that these are few.
const LARGEST_TEAM: i64 = 512;
/// Rows from this length on take a team of 1024.
const LONG_ROW: i64 = 1 << 15;
/// Accesses of a thread that are written out in a loop.
const IN_FLIGHT: i64 = 4;
/// The same where only the reductions read the row.
const IN_FLIGHT_ONCE: i64 = 8;
/// Threads of a team that only reduces.
const ONCE_TEAM: i64 = 512;
/// Rows of a block whose teams are single warps.
const WARPS: i64 = 4;
/// Warps of a block whose rows are columns, at least.
const FEWEST_WARPS: i64 = 8;
/// Neighbouring rows that make reading along them worthwhile.
const SHORTEST_COLUMNS: i64 = 8;
/// Threads of a team whose row a run knows the length of, and which may take some elements at a time.
const DYNAMIC_TEAM: i64 = 128;
/// What an unknown size counts as when a team's size is chosen.
const TYPICAL_ROW: i64 = 1024;

/// Where a team's thread stands in its row.
struct Share<'c> {
    /// The thread's number in its team.
    thread: Value<'c>,
    /// Threads of the team.
    threads: i64,
    /// Where the team's threads meet.
    meeting: Meeting<'c>,
    /// Elements of a row, if known.
    length: Option<i64>,
    /// Neighbouring elements that a thread takes at a time; they divide the length.
    width: i64,
    /// Neighbouring rows that a thread takes: columns of a matrix.
    columns: i64,
    /// Accesses that are written out in a loop.
    in_flight: i64,
    /// Whether more is written out.
    written: Written,
    /// The row's number and the number of rows, where a thread may have no row: it computes some row, and stores nothing.
    guard: Option<[Value<'c>; 2]>,
}

/// A reduction that a team of threads does together, with the combiner of each accumulator.
pub type TeamReduction<'c> = (Generic<'c>, Vec<Combiner<'c>>);

/// Threads of a row's team; none if rows are too short for one.
pub fn team_threads(kernel: &Kernel<'_>) -> Option<i64> {
    let length = kernel.inner().iter().fold(1i64, |length, size| {
        length.saturating_mul(match size {
            Size::Known(size) => *size,
            Size::Argument(_) => TYPICAL_ROW,
        })
    });
    if matches!(kernel.inner().last(), Some(Size::Argument(_))) && access_width(kernel) > 1 {
        return Some(DYNAMIC_TEAM);
    }
    let share = u64::try_from(length / ROW_SHARE).unwrap_or(1).next_power_of_two();
    let once = kernel.result_dims.iter().all(|dims| *dims != kernel.space);
    let most = match length {
        _ if once => ONCE_TEAM,
        LONG_ROW.. => 2 * LARGEST_TEAM,
        _ => LARGEST_TEAM,
    };
    (length >= SHORTEST_TEAM_ROW).then(|| i64::try_from(share).unwrap_or(most).clamp(32, most))
}

/// A kernel's reductions with their combiners; none if one of them is by no associative op.
pub fn reductions<'c>(kernel: &Kernel<'c>) -> Option<Vec<TeamReduction<'c>>> {
    let all = kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction);
    all.map(|generic| combiners(&generic).map(|combiners| (generic, combiners))).collect()
}

impl<'c> Emitter<'_, 'c> {
    pub(super) fn team_rows(&self, eval: &mut Eval<'c>, threads: i64, reductions: &[TeamReduction<'c>]) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        if self.rows_are_columns() {
            return self.columns(eval, threads, reductions);
        }
        let warp_size = eval.index(32);
        if let (Some(Size::Argument(_)), true) = (self.parts.kernel.inner().last(), threads > 32) {
            self.dynamic_row(eval, (threads, Written::AsTheAssemblerLikes), block, thread, reductions)?;
            return Ok(Grid::new(&rows, 1, threads));
        }
        if threads > 32 {
            self.team_row(eval, &self.share(thread, threads), block, reductions)?;
            return Ok(Grid::new(&rows, 1, threads));
        }
        // Single warps need no barrier, so that several may share a block, and the last block may have idle ones.
        let warps = eval.index(WARPS);
        let lane = eval.b.value("arith.remui", &[thread, warp_size], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, warp_size], thread.ty(), &[]);
        let start = eval.mul(block, warps);
        let row = eval.add(start, warp);
        let share = self.share(lane, threads);
        if known_product(&rows).is_some_and(|total| total % WARPS == 0) {
            self.team_row(eval, &share, row, reductions)?;
        } else {
            let row_dims = eval.sizes(&rows);
            let total = eval.product(&row_dims);
            when(eval, LESS, row, total, |eval| self.team_row(eval, &share, row, reductions))?;
        }
        Ok(Grid::new(&rows, WARPS, WARPS * 32))
    }

    /// The share of a thread of a team that has one row, of whatever length is known.
    fn share(&self, thread: Value<'c>, threads: i64) -> Share<'c> {
        Share {
            thread,
            threads,
            meeting: Meeting::Block,
            length: known_product(&self.parts.kernel.inner()),
            width: self.row_width(),
            columns: 1,
            in_flight: self.in_flight(),
            written: Written::AsTheAssemblerLikes,
            guard: None,
        }
    }

    /// A row whose length a run knows, for a block of so many threads: in whole accesses if it is a multiple of these, by loops
    /// that are `written` out, else element by element.
    pub(super) fn dynamic_row(
        &self,
        eval: &mut Eval<'c>,
        (threads, written): (i64, Written),
        row: Value<'c>,
        thread: Value<'c>,
        reductions: &[TeamReduction<'c>],
    ) -> Result {
        let kernel = self.parts.kernel;
        let width = access_width(kernel);
        let (inner, Some(last)) = (kernel.inner(), self.parts.space.last().copied()) else { return Ok(()) };
        if width == 1 || inner.len() > 1 || !kernel.reduced.is_sorted() {
            return self.row_of_block(eval, (threads, 1, Written::AsTheAssemblerLikes), row, thread, reductions);
        }
        let (by, zero) = (eval.index(width), eval.index(0));
        let over = eval.b.value("arith.remui", &[last, by], last.ty(), &[]);
        let is_whole = compare(eval, EQUAL, over, zero);
        either(
            eval,
            is_whole,
            |eval, block| {
                eval.where_multiple(block, last, width, |eval| self.row_of_block(eval, (threads, width, written), row, thread, reductions))
            },
            |eval| self.row_of_block(eval, (threads, 1, Written::AsTheAssemblerLikes), row, thread, reductions),
        )
    }

    /// A row of a length that a run knows, for a block of so many threads, in accesses of so many elements.
    fn row_of_block(
        &self,
        eval: &mut Eval<'c>,
        (threads, width, written): (i64, i64, Written),
        row: Value<'c>,
        thread: Value<'c>,
        reductions: &[TeamReduction<'c>],
    ) -> Result {
        let share = Share { length: None, width, written, ..self.share(thread, threads) };
        self.team_row(eval, &share, row, reductions)
    }

    /// Elements of an access along rows that are contiguous, and of a known length.
    fn row_width(&self) -> i64 {
        match self.parts.kernel.space.last() {
            Some(Size::Known(last)) if self.parts.kernel.reduced.is_sorted() => divisor(*last, access_width(self.parts.kernel)),
            _ => 1,
        }
    }

    /// Whether neighbours in memory belong to neighbouring rows.
    fn rows_are_columns(&self) -> bool {
        let kernel = self.parts.kernel;
        let wide = matches!(kernel.space.last(), Some(Size::Known(SHORTEST_COLUMNS..) | Size::Argument(_)));
        wide && kernel.reduced.last() == Some(&false)
    }

    /// Accesses that are written out: more of them where the row is read once.
    fn in_flight(&self) -> i64 {
        if self.full_results().is_empty() { IN_FLIGHT_ONCE } else { IN_FLIGHT }
    }

    /// A block of 32 rows, or 32 groups of neighbouring ones: the threads of one group are the same lane of each warp, so that
    /// a warp reads 32 neighbours.
    fn columns(&self, eval: &mut Eval<'c>, threads: i64, reductions: &[TeamReduction<'c>]) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let columns = match rows.last() {
            Some(Size::Known(last)) => divisor(*last, access_width(self.parts.kernel)),
            _ => 1,
        };
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let width = eval.index(32);
        let warps = threads.min(LARGEST_TEAM) / 32;
        let warps = if columns > 1 { FEWEST_WARPS } else { warps.max(FEWEST_WARPS) };
        let lane = eval.b.value("arith.remui", &[thread, width], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, width], thread.ty(), &[]);
        let start = eval.mul(block, width);
        let group = eval.add(start, lane);
        let by = eval.index(columns);
        let row = eval.mul(group, by);
        let (row, guard) = existing_rows(eval, row, &rows, (32 * columns, columns));
        let share = Share { meeting: Meeting::Lane(lane), width: 1, columns, guard, ..self.share(warp, warps) };
        self.team_row(eval, &share, row, reductions)?;
        Ok(Grid::new(&rows, 32 * columns, warps * 32))
    }

    fn team_row(&self, eval: &mut Eval<'c>, share: &Share<'c>, row: Value<'c>, reductions: &[TeamReduction<'c>]) -> Result {
        let rows = self.parts.kernel.rows();
        let row_dims = eval.sizes(&rows);
        let first = eval.delinearize(row, &row_dims);
        let mut places = Vec::new();
        for ahead in 0..share.columns {
            let ahead = eval.index(ahead);
            let mut place = first.clone();
            if let Some(last) = place.last_mut() {
                *last = eval.add(*last, ahead);
            }
            places.push(place);
        }
        for together in independent(reductions) {
            let Some((first, _)) = together.first() else { continue };
            let sizes = eval.loop_sizes(first);
            let inner: Vec<_> = sizes.iter().zip(&first.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect();
            let combiners: Vec<_> = together.iter().flat_map(|(_, combiners)| places.iter().flat_map(move |_| combiners)).collect();
            let neutral: Vec<_> = combiners.iter().map(|combiner| combiner.neutral(&eval.b)).collect();
            let partial = strided(eval, share, &inner, &neutral, &mut |eval, loops, mut carried| {
                let mut next = Vec::new();
                for (generic, combiners) in together {
                    let (own, others) = carried.split_at(places.len() * combiners.len());
                    for (place, own) in places.iter().zip(own.chunks(combiners.len())) {
                        next.extend(eval.body(generic, &[&place[..], loops].concat(), own)?);
                    }
                    carried = others;
                }
                Ok(next)
            })?;
            let team = Team { b: eval.b, thread: share.thread, threads: share.threads, meeting: share.meeting, block: self.block };
            let values: Vec<_> = combiners.into_iter().zip(partial).collect();
            let totals = team.all_reduce(&values)?;
            let mut totals = &totals[..];
            for (generic, combiners) in together {
                let (own, others) = totals.split_at(places.len() * combiners.len());
                self.know_totals(eval, (generic, combiners), &places, own)?;
                totals = others;
            }
        }
        match share.guard {
            Some([row, total]) => when(eval, LESS, row, total, |eval| self.team_results(eval, share, &places)),
            None => self.team_results(eval, share, &places),
        }
    }

    /// A row's results: its own by the first thread, its elements by all.
    fn team_results(&self, eval: &mut Eval<'c>, share: &Share<'c>, places: &[Vec<Value<'c>>]) -> Result {
        if self.parts.kernel.result_dims.iter().any(|dims| *dims != self.parts.kernel.space) {
            let zero = eval.index(0);
            let rows = self.parts.kernel.rows();
            when(eval, EQUAL, share.thread, zero, |eval| {
                places.iter().try_for_each(|place| row_results(eval, self.parts.kernel, self.parts.outputs, &rows, place))
            })?;
        }
        let full = self.full_results();
        if !full.is_empty() {
            let inner = eval.sizes(&self.parts.kernel.inner());
            strided(eval, share, &inner, &[], &mut |eval, loops, _| {
                places.iter().try_for_each(|place| self.full_elements(eval, &full, place, loops))?;
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }
}

/// Reductions in stretches none of which needs what another one of it gives: one walk along the row is enough for each stretch.
fn independent<'a, 'c>(reductions: &'a [TeamReduction<'c>]) -> Vec<&'a [TeamReduction<'c>]> {
    let mut stretches = Vec::new();
    let mut start = 0;
    for (end, (generic, _)) in reductions.iter().enumerate() {
        let before: Vec<_> = reductions[start..end].iter().map(|(generic, _)| generic.op).collect();
        if needs_one_of(generic.op, &before) {
            stretches.push(&reductions[start..end]);
            start = end;
        }
    }
    stretches.push(&reductions[start..]);
    stretches
}

/// Whether an op needs a result of one of others, on whatever way.
fn needs_one_of(op: Op<'_>, others: &[Op<'_>]) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![op];
    while let Some(next) = pending.pop().filter(|_| !others.is_empty()) {
        for maker in used_values(next).into_iter().filter_map(|value| value.defining_op()) {
            if others.contains(&maker) {
                return true;
            }
            if seen.insert(maker) {
                pending.push(maker);
            }
        }
    }
    false
}

/// A thread's share of the positions of `dims`: accesses of some neighbours each, every `threads`-th, so that neighbouring
/// threads read neighbouring memory.
fn strided<'c>(
    eval: &mut Eval<'c>,
    share: &Share<'c>,
    dims: &[Value<'c>],
    carried: &[Value<'c>],
    build: &mut LoopBody<'_, 'c>,
) -> Result<Vec<Value<'c>>> {
    let step = eval.index(share.threads);
    let Some(length) = share.length else {
        let (length, width) = (eval.product(dims), eval.index(share.width));
        let accesses = if share.width == 1 { length } else { eval.b.value("arith.divui", &[length, width], length.ty(), &[]) };
        return eval.annotated_loop([share.thread, accesses, step], share.written, carried, |eval, number, carried| {
            neighbours(eval, share.width, number, dims, carried, build)
        });
    };
    let mut access =
        |eval: &mut Eval<'c>, number: Value<'c>, carried: &[Value<'c>]| neighbours(eval, share.width, number, dims, carried, build);
    // A loop of known length that all threads share is written out some times, so that loads are in flight together; then
    // the rest.
    let accesses = length / share.width;
    let whole = accesses / share.threads;
    let written = share.in_flight.min(whole.max(1));
    let mut values = carried.to_vec();
    let shared = whole / written * written;
    if shared > 0 {
        let (zero, by, count) = (eval.index(0), eval.index(written), eval.index(shared));
        let more = if written < IN_FLIGHT { share.written } else { Written::Never };
        values = eval.annotated_loop([zero, count, by], more, &values, |eval, turn, carried| {
            (0..written).try_fold(carried.to_vec(), |carried, ahead| {
                let ahead = eval.index(ahead);
                let turn = eval.add(turn, ahead);
                let start = eval.mul(turn, step);
                let number = eval.add(start, share.thread);
                access(eval, number, &carried)
            })
        })?;
    }
    for turn in shared..whole {
        let start = eval.index(turn * share.threads);
        let number = eval.add(start, share.thread);
        values = access(eval, number, &values)?;
    }
    if accesses % share.threads != 0 {
        let (start, end) = (eval.index(whole * share.threads), eval.index(accesses));
        let number = eval.add(start, share.thread);
        let kept = values.clone();
        values = when_with(eval, LESS, [number, end], &kept, |eval| access(eval, number, &kept))?;
    }
    Ok(values)
}

/// The elements of access `number`, one after the other.
fn neighbours<'c>(
    eval: &mut Eval<'c>,
    width: i64,
    number: Value<'c>,
    dims: &[Value<'c>],
    carried: &[Value<'c>],
    build: &mut LoopBody<'_, 'c>,
) -> Result<Vec<Value<'c>>> {
    let by = eval.index(width);
    let position = eval.mul(number, by);
    let first = eval.delinearize(position, dims);
    (0..width).try_fold(carried.to_vec(), |carried, ahead| {
        let ahead = eval.index(ahead);
        let mut indices = first.clone();
        if let Some(last) = indices.last_mut() {
            *last = eval.add(*last, ahead);
        }
        build(eval, &indices, &carried)
    })
}
