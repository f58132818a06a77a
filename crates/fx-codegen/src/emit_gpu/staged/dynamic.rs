//! Rows whose length a run knows: in workgroup memory, of which a launch gives as much as they need.

use std::fmt;

use fx_ir::{Result, Value};

use super::super::map::access_width;
use super::super::registers::{is_reduced_once, reads_columns};
use super::super::seat::Seat;
use super::super::teams::TeamReduction;
use super::super::{EQUAL, Emitter, Features, Grid, LESS, RowLength, THREADS, WARP, block_id, compare, either, thread_id, when};
use super::{Stage, shape};
use crate::eval::Eval;
use crate::kernel::{Kernel, Size};

/// Accesses of a warp's thread, at most.
const SHORT_ACCESSES: i64 = 8;
/// Bytes of a block's rows at most, so that a processor has room for some.
const MOST_BYTES: i64 = 64 << 10;

/// What such rows take in workgroup memory.
pub struct Room(RowLength);

impl Room {
    /// That of a kernel's rows; none if they should not lie there.
    pub fn of(kernel: &Kernel<'_>, features: Features) -> Option<Self> {
        let [size @ Size::Argument(_)] = kernel.inner()[..] else { return None };
        let width = access_width(kernel);
        let bytes = shape::place_bytes(kernel, features, width)?;
        let teams = THREADS / WARP;
        let rows = if reads_columns(kernel) { shape::ROWS } else { 1 };
        let most = MOST_BYTES.min(features.workgroup_bytes / (2 * rows)) / bytes;
        let short = (WARP * SHORT_ACCESSES * width).min(most / teams);
        let legal = width > 1 && kernel.reduced.is_sorted() && !is_reduced_once(kernel);
        legal.then_some(Self(RowLength { size, width, short, teams, rows, bytes, most }))
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowLength { width, short, teams, rows, most, .. } = &self.0;
        write!(f, "threads={THREADS} width={width} rows={} up to {short} rows={rows} up to {most}", teams * rows)
    }
}

impl<'c> Emitter<'_, 'c> {
    /// A warp for short rows, a block for longer ones; both in workgroup memory if rows are whole accesses and fit.
    pub(in super::super) fn staged_dynamic_rows(
        &self,
        eval: &mut Eval<'c>,
        Room(room): &Room,
        reductions: &[TeamReduction<'c>],
    ) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let mut grid = Grid::new(&rows, 1, THREADS);
        grid.length = Some(room.clone());
        let Some(length) = self.parts.space.last().copied() else { return Ok(grid) };
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let (width, zero) = (eval.index(room.width), eval.index(0));
        let over = eval.b.value("arith.remui", &[length, width], length.ty(), &[]);
        let is_whole = compare(eval, EQUAL, over, zero);
        let at_most = |eval: &mut Eval<'c>, most: i64| {
            let beyond = eval.index(most + 1);
            let is_less = compare(eval, LESS, length, beyond);
            eval.b.value("arith.andi", &[is_whole, is_less], is_less.ty(), &[])
        };
        let (is_short, fits) = (at_most(eval, room.short), at_most(eval, room.most));
        either(
            eval,
            is_short,
            |eval, branch| eval.where_multiple(branch, length, room.width, |eval| self.rows_of_warp(eval, room, length, reductions)),
            |eval| {
                either(
                    eval,
                    fits,
                    |eval, branch| {
                        eval.where_multiple(branch, length, room.width, |eval| {
                            let seat = Seat::new(eval, THREADS, 1)?;
                            self.whole_rows(eval, room, seat, (None, length), reductions)
                        })
                    },
                    |eval| self.dynamic_row(eval, THREADS, block, thread, reductions),
                )
            },
        )?;
        Ok(grid)
    }

    /// A warp's rows, if it has one.
    fn rows_of_warp(&self, eval: &mut Eval<'c>, room: &RowLength, length: Value<'c>, reductions: &[TeamReduction<'c>]) -> Result {
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let (warps, size) = (eval.index(room.teams), eval.index(WARP));
        let lane = eval.b.value("arith.remui", &[thread, size], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, size], thread.ty(), &[]);
        let start = eval.mul(block, warps);
        let team = eval.add(start, warp);
        let rows = eval.index(room.rows);
        let first = eval.mul(team, rows);
        let row_dims = eval.sizes(&self.parts.kernel.rows());
        let total = eval.product(&row_dims);
        when(eval, LESS, first, total, |eval| self.whole_rows(eval, room, Seat::of_warp(team, lane), (Some(warp), length), reductions))
    }

    /// The rows of a block, or of the warp of this number in its block. Where there are fewer, the last one is computed again.
    fn whole_rows(
        &self,
        eval: &mut Eval<'c>,
        room: &RowLength,
        seat: Seat<'c>,
        (warp, length): (Option<Value<'c>>, Value<'c>),
        reductions: &[TeamReduction<'c>],
    ) -> Result {
        let row_dims = eval.sizes(&self.parts.kernel.rows());
        let (zero, width) = (eval.index(0), eval.index(room.width));
        let count = eval.b.value("arith.divui", &[length, width], length.ty(), &[]);
        let each = eval.as_multiple(length);
        let rows = eval.index(room.rows);
        let of_team = eval.mul(each, rows);
        let (threads, begin, block_room) = match warp {
            None => (THREADS, zero, of_team),
            Some(warp) => {
                let teams = eval.index(room.teams);
                (WARP, eval.mul(warp, of_team), eval.mul(of_team, teams))
            }
        };
        let (first, total, one) = (eval.mul(seat.team, rows), eval.product(&row_dims), eval.index(1));
        let last = eval.b.value("arith.subi", &[total, one], total.ty(), &[]);
        let place = |eval: &mut Eval<'c>, ahead: i64| {
            let number = eval.index(ahead);
            let mut row = eval.add(first, number);
            if ahead > 0 {
                row = eval.b.value("arith.minui", &[row, last], row.ty(), &[]);
            }
            eval.delinearize(row, &row_dims)
        };
        let places = (0..room.rows).map(|ahead| place(eval, ahead)).collect();
        let stage = Stage { threads, width: room.width, seat, places, stretch: [zero, count], slots: [begin, each], held: Vec::new() };
        self.staged(eval, &stage, block_room, reductions)
    }
}
