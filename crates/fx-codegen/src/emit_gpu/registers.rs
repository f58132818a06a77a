//! A team of threads a row, which lies in their registers: it is read once, whatever reductions and results need it.
//!
//! A thread holds some vectors of 16 bytes, a team's width apart. Its loops are written out, so that an element that was
//! loaded or computed for one reduction is known to what comes after it. Where a row is no multiple of what its team takes,
//! the last threads compute elements of the row again and drop them: a branch would hide them from what follows.
//! Sizes follow the measurements in ARCHITECTURE.md: at least two accesses of a thread should be in flight, and two blocks
//! fit into a processor.

use std::fmt;

use fx_ir::{Result, Value};

use super::map::{access_width, divisor};
use super::teams::TeamReduction;
use super::{EQUAL, Emitter, Grid, LESS, THREADS, block_id, compare, existing_row, known_product, thread_id, when, when_holds};
use crate::emit_cpu::{full_indices, row_results};
use crate::eval::Eval;
use crate::kernel::{Kernel, Size};
use crate::team::{Meeting, Team};

/// Teams, smallest first: threads, and the most accesses and elements of a thread.
const TEAMS: &[(i64, i64, i64)] = &[
    (8, 4, 16),
    (16, 4, 16),
    (32, 4, 32),
    (64, 4, 32),
    (128, 4, 32),
    (256, 4, 32),
    (512, 4, 32),
    (1024, 8, 32),
    (512, 8, 64), // narrow types: their elements take more registers than their accesses
];
/// Most elements of a thread where an access is one element.
const SINGLE_ELEMENTS: i64 = 16;

/// How a row is spread.
pub struct Shape {
    /// Threads of a team.
    threads: i64,
    /// Elements of an access.
    width: i64,
    /// Accesses of a thread.
    turns: i64,
    /// Accesses of a row.
    accesses: i64,
}

impl Shape {
    /// The shape for a kernel's rows; none if they are not known, not contiguous, or too long.
    pub fn of(kernel: &Kernel<'_>) -> Option<Self> {
        if !kernel.has_rows() || !kernel.reduced.is_sorted() {
            return None;
        }
        let inner = kernel.inner();
        let (length, Some(Size::Known(last))) = (known_product(&inner)?, inner.last()) else { return None };
        let width = divisor(*last, access_width(kernel));
        let accesses = length / width;
        if length < 2 {
            return None;
        }
        let fits = |(threads, most, elements): &&(i64, i64, i64)| {
            let turns = (accesses + threads - 1) / threads;
            let most = if width < 4 { SINGLE_ELEMENTS / width } else { *most };
            turns <= most && turns * width <= *elements
        };
        let (threads, ..) = *TEAMS.iter().find(fits)?;
        Some(Self { threads, width, turns: (accesses + threads - 1) / threads, accesses })
    }

    /// Rows of a block.
    fn rows(&self) -> i64 {
        if self.threads > 32 { 1 } else { THREADS / self.threads }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, width, turns, .. } = self;
        write!(f, "threads={threads} accesses={turns} width={width} rows={}", self.rows())
    }
}

/// One access of a thread.
struct Turn<'c> {
    /// Whether it is one of the row's; none says always.
    inside: Option<Value<'c>>,
    /// Per element: the loops over the row, the indices and the position in the space.
    elements: Vec<(Vec<Value<'c>>, Vec<Value<'c>>, Value<'c>)>,
}

impl<'c> Emitter<'_, 'c> {
    /// A team for each row.
    pub(super) fn register_rows(&self, eval: &mut Eval<'c>, shape: &Shape, reductions: &[TeamReduction<'c>]) -> Result<Grid> {
        let kernel = self.parts.kernel;
        let rows = kernel.rows();
        let row_dims = eval.sizes(&rows);
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let (mut row, mut lane, mut guard) = (block, thread, None);
        if shape.rows() > 1 {
            let (threads, per_block) = (eval.index(shape.threads), eval.index(shape.rows()));
            lane = eval.b.value("arith.remui", &[thread, threads], thread.ty(), &[]);
            let own = eval.b.value("arith.divui", &[thread, threads], thread.ty(), &[]);
            let start = eval.mul(block, per_block);
            row = eval.add(start, own);
            (row, guard) = existing_row(eval, row, &rows, shape.rows());
        }
        let place = eval.delinearize(row, &row_dims);
        let turns = self.turns(eval, shape, &place, lane);
        let dims = self.parts.space.clone();
        for (generic, combiners) in reductions {
            let mut values: Vec<_> = combiners.iter().map(|combiner| combiner.neutral(&eval.b)).collect();
            for turn in &turns {
                let mut next = values.clone();
                for (loops, indices, position) in &turn.elements {
                    eval.set_place(indices, &dims, *position);
                    next = eval.body(generic, &[place.clone(), loops.clone()].concat(), &next)?;
                }
                values = match turn.inside {
                    Some(inside) => next.iter().zip(&values).map(|(new, old)| select(eval, inside, *new, *old)).collect(),
                    None => next,
                };
            }
            let inits = eval.inits(generic, &place)?;
            for (((result, combiner), value), init) in generic.op.results().into_iter().zip(combiners).zip(values).zip(inits) {
                let team = Team { b: eval.b, thread: lane, threads: shape.threads, meeting: Meeting::Block, block: self.block };
                let total = team.all_reduce(combiner, value)?;
                let total = combiner.combine(&eval.b, init, total);
                eval.known(result, &place, total);
            }
        }
        let results = |eval: &mut Eval<'c>| self.register_results(eval, &turns, &place, lane);
        match guard {
            Some([row, total]) => when(eval, LESS, row, total, results)?,
            None => results(eval)?,
        }
        let threads = shape.threads * shape.rows();
        Ok(Grid::new(&rows, shape.rows(), threads))
    }

    /// The thread's accesses.
    fn turns(&self, eval: &mut Eval<'c>, shape: &Shape, place: &[Value<'c>], lane: Value<'c>) -> Vec<Turn<'c>> {
        let kernel = self.parts.kernel;
        let inner = eval.sizes(&kernel.inner());
        let dims = self.parts.space.clone();
        let zeros = vec![eval.index(0); inner.len()];
        let at_start = full_indices(kernel, place, &zeros);
        let start = eval.linearize(&at_start, &dims);
        let width = eval.index(shape.width);
        let count = eval.index(shape.accesses);
        let mut turns = Vec::new();
        for turn in 0..shape.turns {
            let before = eval.index(turn * shape.threads);
            let mut access = eval.add(before, lane);
            let mut inside = None;
            if (turn + 1) * shape.threads > shape.accesses {
                inside = Some(compare(eval, LESS, access, count));
                let last = eval.index(shape.accesses - 1);
                access = eval.b.value("arith.minui", &[access, last], access.ty(), &[]);
            }
            let offset = eval.mul(access, width);
            let position = eval.add(start, offset);
            let first = eval.delinearize(offset, &inner);
            let elements = (0..shape.width).map(|ahead| {
                let ahead = eval.index(ahead);
                let mut loops = first.clone();
                if let Some(last) = loops.last_mut() {
                    *last = eval.add(*last, ahead);
                }
                let indices = full_indices(kernel, place, &loops);
                let position = eval.add(position, ahead);
                (loops, indices, position)
            });
            let elements = elements.collect();
            turns.push(Turn { inside, elements });
        }
        turns
    }

    /// A row's results: its own by the team's first thread, its elements by all.
    fn register_results(&self, eval: &mut Eval<'c>, turns: &[Turn<'c>], place: &[Value<'c>], lane: Value<'c>) -> Result {
        let kernel = self.parts.kernel;
        if kernel.result_dims.iter().any(|dims| *dims != kernel.space) {
            let zero = eval.index(0);
            let rows = kernel.rows();
            when(eval, EQUAL, lane, zero, |eval| row_results(eval, kernel, self.parts.outputs, &rows, place))?;
        }
        let full = self.full_results();
        if full.is_empty() {
            return Ok(());
        }
        let dims = self.parts.space.clone();
        for turn in turns {
            let store = |eval: &mut Eval<'c>| -> Result {
                for (_, indices, position) in &turn.elements {
                    eval.set_place(indices, &dims, *position);
                    for (result, output) in &full {
                        let element = eval.element(*result, indices)?;
                        eval.store_flat(output, *position, element);
                    }
                }
                Ok(())
            };
            match turn.inside {
                Some(inside) => when_holds(eval, inside, store)?,
                None => store(eval)?,
            }
        }
        Ok(())
    }
}

fn select<'c>(eval: &Eval<'c>, condition: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    eval.b.value("arith.select", &[condition, a, b], a.ty(), &[])
}
