//! Rows that scans run along.
//!
//! A team takes a row in turns. Of each turn a thread has some accesses of neighbouring elements: it walks along each, then adds
//! what comes before, which shuffles and one barrier tell (`team/prefix.rs`). Nothing is masked but stores: what comes after a
//! row's end matters to nothing before it. Where neighbours in memory belong to neighbouring rows, and where accumulators cannot
//! be joined, a thread walks along a row of its own.

use std::fmt;

use fx_ir::{Result, Type, Value};

use super::map::{access_width, divisor};
use super::{Emitter, Grid, LESS, block_id, elements, known_product, thread_id, when};
use crate::emit_cpu::full_indices;
use crate::eval::Eval;
use crate::kernel::{Kernel, Size};
use crate::scan::Scan;
use crate::team::prefix::{Scanner, Turn};

/// Rows shorter than this take a thread each.
const SHORTEST_ROW: i64 = 32;
/// What an unknown length counts as.
const TYPICAL_ROW: i64 = 4096;
/// Accesses of a thread in a turn, at most; these times [`MOST_WARPS`] are 32.
const MOST_ACCESSES: i64 = 4;
/// Warps of the largest team.
const MOST_WARPS: i64 = 8;
/// Registers for the accumulators of a thread's elements.
const MOST_WORDS: i64 = 32;
/// Rows of a block whose teams are single warps.
const WARPS: i64 = 4;
/// Threads of a block where each row takes a thread.
const ROW_THREADS: i64 = 64;
/// Places of a walk that are read together.
const READ_AHEAD: i64 = 8;

/// How a row is spread over a team.
pub struct Shape {
    warps: i64,
    /// Accesses of a thread in a turn.
    accesses: i64,
    /// Neighbouring elements of an access.
    width: i64,
}

impl Shape {
    /// The shape of a kernel's rows, if a team should take one.
    pub fn of(kernel: &Kernel<'_>, scans: &[Scan<'_>]) -> Option<Self> {
        let length = match kernel.space.last() {
            Some(Size::Known(length)) => Some(*length),
            _ => None,
        };
        let types: Vec<_> = scans.iter().flat_map(Scan::types).collect();
        let is_joined = scans.iter().all(|scan| scan.elements.is_some()) && types.iter().all(|ty| is_number(*ty));
        let is_short = length.is_some_and(|length| length < SHORTEST_ROW);
        if !is_joined || is_short || kernel.reduced.last() != Some(&true) {
            return None;
        }
        let words: i64 = types.iter().map(|ty| if ty.is_index() || ty.bit_width() > 32 { 2 } else { 1 }).sum();
        let mut width = length.map_or(1, |length| divisor(length, access_width(kernel)));
        while width > 1 && width * words > MOST_WORDS {
            width /= 2;
        }
        let most = (MOST_WORDS / (width * words)).clamp(1, MOST_ACCESSES);
        let warp_accesses = up(length.unwrap_or(TYPICAL_ROW), width * 32);
        let warps = u64::try_from(up(warp_accesses, most)).unwrap_or(1).next_power_of_two() as i64;
        let warps = warps.clamp(1, MOST_WARPS);
        Some(Self { warps, accesses: up(warp_accesses, warps).min(most), width })
    }

    fn threads(&self) -> i64 {
        self.warps * 32
    }

    /// Accesses of a team in a turn.
    fn turn(&self) -> i64 {
        self.threads() * self.accesses
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "threads={} accesses={} width={}", self.threads(), self.accesses, self.width)
    }
}

/// `ceil(a / b)`
fn up(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b != 0)
}

/// Whether threads can hand a value to each other.
fn is_number(ty: Type<'_>) -> bool {
    ty.is_index() || ((ty.is_float() || ty.is_integer()) && ty.bit_width() <= 64)
}

/// What a thread knows of its row.
struct Row<'a, 'c> {
    shape: &'a Shape,
    scans: &'a [Scan<'c>],
    /// The thread's number in its team.
    thread: Value<'c>,
    scanner: Scanner<'c>,
    place: Vec<Value<'c>>,
    /// The number of accesses of the row, where a thread may have none.
    end: Option<Value<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// A team for a row.
    pub(super) fn scanned_rows(&self, eval: &mut Eval<'c>, shape: &Shape, scans: &[Scan<'c>]) -> Result<Grid> {
        (eval.reorder, eval.contract) = (false, false);
        let rows = self.parts.kernel.rows();
        let row_dims = eval.sizes(&rows);
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let warp_size = eval.index(32);
        let lane = eval.b.value("arith.remui", &[thread, warp_size], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, warp_size], thread.ty(), &[]);
        let scanner = |warp: Value<'c>| Scanner { lane, warp, warps: shape.warps, block: self.block };
        if shape.warps > 1 {
            let place = eval.delinearize(block, &row_dims);
            self.scanned_row(eval, Row { shape, scans, thread, scanner: scanner(warp), place, end: None })?;
            return Ok(Grid::new(&rows, 1, shape.threads()));
        }
        let per_block = eval.index(WARPS);
        let start = eval.mul(block, per_block);
        let row = eval.add(start, warp);
        let first = eval.index(0);
        let whole = |eval: &mut Eval<'c>| {
            let place = eval.delinearize(row, &row_dims);
            self.scanned_row(eval, Row { shape, scans, thread: lane, scanner: scanner(first), place, end: None })
        };
        if known_product(&rows).is_some_and(|total| total % WARPS == 0) {
            whole(eval)?;
        } else {
            // A warp without a row does nothing: it meets no other one.
            let total = eval.product(&row_dims);
            when(eval, LESS, row, total, whole)?;
        }
        Ok(Grid::new(&rows, WARPS, WARPS * 32))
    }

    fn scanned_row(&self, eval: &mut Eval<'c>, mut row: Row<'_, 'c>) -> Result {
        let shape = row.shape;
        let mut starts = Vec::new();
        for scan in row.scans {
            starts.extend(eval.scan_starts(scan)?);
        }
        let turn = eval.index(shape.turn());
        let count = match known_product(&self.parts.kernel.inner()) {
            Some(length) => {
                let accesses = length / shape.width;
                row.end = (accesses % shape.turn() != 0).then(|| eval.index(accesses));
                if accesses <= shape.turn() {
                    let first = eval.index(0);
                    return self.scanned_turn(eval, &row, first, &Turn { carried: &starts, parity: None }).map(drop);
                }
                eval.index(up(accesses, shape.turn()))
            }
            None => {
                let inner = eval.sizes(&self.parts.kernel.inner());
                let length = eval.product(&inner);
                row.end = Some(length);
                eval.b.value("arith.ceildivui", &[length, turn], length.ty(), &[])
            }
        };
        let (zero, one, two) = (eval.index(0), eval.index(1), eval.index(2));
        eval.for_loop(zero, count, one, &starts, |eval, number, carried| {
            let first = eval.mul(number, turn);
            let parity = eval.b.value("arith.remui", &[number, two], number.ty(), &[]);
            self.scanned_turn(eval, &row, first, &Turn { carried, parity: Some(parity) })
        })?;
        Ok(())
    }

    /// The accesses from `first` on, as many as the team takes in a turn: the accumulators after them, if more follow.
    fn scanned_turn(&self, eval: &mut Eval<'c>, row: &Row<'_, 'c>, first: Value<'c>, turn: &Turn<'_, 'c>) -> Result<Vec<Value<'c>>> {
        let (shape, kernel) = (row.shape, self.parts.kernel);
        let width = eval.index(shape.width);
        let mut accesses = Vec::new();
        for k in 0..shape.accesses {
            let ahead = eval.index(k * shape.threads());
            let number = eval.add(first, ahead);
            let number = eval.add(number, row.thread);
            let existing = match row.end {
                Some(end) => {
                    let one = eval.index(1);
                    let last = eval.b.value("arith.subi", &[end, one], end.ty(), &[]);
                    eval.b.value("arith.minui", &[number, last], end.ty(), &[])
                }
                None => number,
            };
            let start = eval.mul(existing, width);
            let mut places = Vec::new();
            for ahead in 0..shape.width {
                let ahead = eval.index(ahead);
                let position = eval.add(start, ahead);
                places.push(full_indices(kernel, &row.place, &[position]));
            }
            accesses.push((number, places));
        }
        let mut next = Vec::new();
        let mut carried = turn.carried;
        for scan in row.scans {
            let (own, others) = carried.split_at(scan.next.len());
            carried = others;
            next.extend(scan_stretches(eval, scan, &row.scanner, &accesses, &Turn { carried: own, parity: turn.parity })?);
        }
        for (number, places) in &accesses {
            let store = |eval: &mut Eval<'c>| {
                places.iter().try_for_each(|indices| {
                    let position = eval.linearize(indices, &self.parts.space);
                    elements(eval, &self.parts, indices, &self.parts.space, position)
                })
            };
            match row.end {
                Some(end) => when(eval, LESS, *number, end, store)?,
                None => store(eval)?,
            }
        }
        Ok(next)
    }

    /// A thread for a row.
    pub(super) fn walked_rows(&self, eval: &mut Eval<'c>, scans: &[Scan<'c>]) -> Result<Grid> {
        (eval.reorder, eval.contract) = (false, false);
        let rows = self.parts.kernel.rows();
        let row_dims = eval.sizes(&rows);
        let inner = self.parts.kernel.inner();
        let together = known_product(&inner).map_or(1, |length| divisor(length, READ_AHEAD));
        self.flat(eval, &rows, ROW_THREADS, |eval, row| {
            let place = eval.delinearize(row, &row_dims);
            let mut starts = Vec::new();
            for scan in scans {
                starts.extend(eval.scan_starts(scan)?);
            }
            let inner_dims = eval.sizes(&inner);
            let (zero, step, length) = (eval.index(0), eval.index(together), eval.product(&inner_dims));
            eval.for_loop(zero, length, step, &starts, |eval, first, carried| self.walked(eval, scans, &place, first, together, carried))?;
            Ok(())
        })
    }

    /// Some places of a row: what is read there first, so that it is on its way at the same time.
    fn walked(
        &self,
        eval: &mut Eval<'c>,
        scans: &[Scan<'c>],
        place: &[Value<'c>],
        first: Value<'c>,
        together: i64,
        carried: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>> {
        let mut places = Vec::new();
        for ahead in 0..together {
            let ahead = eval.index(ahead);
            let position = eval.add(first, ahead);
            let indices = full_indices(self.parts.kernel, place, &[position]);
            if let Some(scan) = scans.first().filter(|_| together > 1) {
                eval.scan_inputs(scan, &indices)?;
            }
            places.push(indices);
        }
        let mut next = carried.to_vec();
        for indices in &places {
            next = eval.scan_place(scans, indices, &next)?;
        }
        for indices in &places {
            let position = eval.linearize(indices, &self.parts.space);
            elements(eval, &self.parts, indices, &self.parts.space, position)?;
        }
        Ok(next)
    }
}

/// A scan over a thread's stretches of a turn: its results are known from now on.
fn scan_stretches<'c>(
    eval: &mut Eval<'c>,
    scan: &Scan<'c>,
    scanner: &Scanner<'c>,
    accesses: &[(Value<'c>, Vec<Vec<Value<'c>>>)],
    turn: &Turn<'_, 'c>,
) -> Result<Vec<Value<'c>>> {
    let mut stretches = Vec::new();
    for (_, places) in accesses {
        let mut stretch: Vec<Vec<Value<'c>>> = Vec::new();
        for indices in places {
            let own = match stretch.last() {
                Some(before) => eval.scan_next(scan, indices, before)?,
                None => eval.scan_single(scan, indices)?,
            };
            stretch.push(own);
        }
        stretches.push(stretch);
    }
    let totals: Vec<_> = stretches.iter().filter_map(|stretch| stretch.last().cloned()).collect();
    let join = &mut |eval: &mut Eval<'c>, earlier: &[Value<'c>], later: &[Value<'c>]| eval.scan_joined(scan, earlier, later);
    let (before, all) = scanner.before_each(eval, &totals, turn, join)?;
    for (((_, places), stretch), before) in accesses.iter().zip(&stretches).zip(&before) {
        for (indices, own) in places.iter().zip(stretch) {
            let values = eval.scan_joined(scan, before, own)?;
            for (result, value) in scan.generic.op.results().into_iter().zip(values) {
                eval.known(result, indices, value);
            }
        }
    }
    Ok(all)
}
