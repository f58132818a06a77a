//! Rows whose length a run knows: in workgroup memory, of which a launch gives as much as they need.

use std::fmt;

use fx_ir::{Result, Value};

use super::super::map::access_width;
use super::super::registers::{is_reduced_once, reads_columns};
use super::super::seat::Seat;
use super::super::teams::TeamReduction;
use super::super::{EQUAL, Emitter, Features, Grid, LESS, RowLength, THREADS, WARP, block_id, compare, either, thread_id};
use super::{Stage, shape};
use crate::eval::{Eval, Written};
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
            fits,
            |eval, branch| {
                eval.where_multiple(branch, length, room.width, |eval| self.whole_rows(eval, room, (is_short, length), reductions))
            },
            |eval| self.dynamic_row(eval, (THREADS, Written::Never), block, thread, reductions),
        )?;
        Ok(grid)
    }

    /// The rows of a block, or of each of its warps. Where there are fewer, the last one is computed again.
    fn whole_rows(
        &self,
        eval: &mut Eval<'c>,
        room: &RowLength,
        (is_short, length): (Value<'c>, Value<'c>),
        reductions: &[TeamReduction<'c>],
    ) -> Result {
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let (zero, one, rows, width) = (eval.index(0), eval.index(1), eval.index(room.rows), eval.index(room.width));
        let (warp_size, block_size, warps) = (eval.index(WARP), eval.index(THREADS), eval.index(room.teams));
        let lane = eval.b.value("arith.remui", &[thread, warp_size], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, warp_size], thread.ty(), &[]);
        let chosen =
            |eval: &Eval<'c>, short: Value<'c>, long: Value<'c>| eval.b.value("arith.select", &[is_short, short, long], short.ty(), &[]);
        let (threads, teams) = (chosen(eval, warp_size, block_size), chosen(eval, warps, one));
        let (own, number) = (chosen(eval, lane, thread), chosen(eval, warp, zero));
        let teams_before = eval.mul(block, teams);
        let team = eval.add(teams_before, number);
        let yes = eval.b.int(is_short.ty(), 1);
        let is_block = eval.b.value("arith.xori", &[is_short, yes], is_short.ty(), &[]);
        let seat = Seat::of_block_or_warp(team, own, THREADS, is_block);

        let row_dims = eval.sizes(&self.parts.kernel.rows());
        let (first, total) = (eval.mul(team, rows), eval.product(&row_dims));
        let last = eval.b.value("arith.subi", &[total, one], total.ty(), &[]);
        let place = |eval: &mut Eval<'c>, ahead: i64| {
            let ahead = eval.index(ahead);
            let row = eval.add(first, ahead);
            let row = eval.b.value("arith.minui", &[row, last], row.ty(), &[]);
            eval.delinearize(row, &row_dims)
        };
        let places = (0..room.rows).map(|ahead| place(eval, ahead)).collect();
        let count = eval.b.value("arith.divui", &[length, width], length.ty(), &[]);
        let each = eval.as_multiple(length);
        let of_team = eval.mul(each, rows);
        let (begin, block_room) = (eval.mul(number, of_team), eval.mul(of_team, teams));
        let stage = Stage {
            threads,
            width: room.width,
            seat,
            places,
            stretch: [zero, count],
            slots: [begin, each],
            held: Vec::new(),
            copies: Written::Never,
            first: Written::Never,
        };
        self.staged(eval, &stage, block_room, reductions)
    }
}
