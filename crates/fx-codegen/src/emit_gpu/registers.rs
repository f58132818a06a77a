//! A team of threads a row, which lies in their registers: it is read once, whatever reductions and results need it.
//!
//! The team is a part of a warp, a block, or, for long rows and where rows are few, a cluster of blocks.
//! A thread holds some vectors of 16 bytes, a team's width apart. Its loops are written out, so that an element that was
//! loaded or computed for one reduction is known to what comes after it. Where a row is no multiple of what its team takes,
//! the last threads compute elements of the row again and drop them: a branch would hide them from what follows.
//! Sizes follow the measurements in ARCHITECTURE.md: at least two accesses of a thread should be in flight, and two blocks
//! fit into a processor.

use fx_ir::{Result, Value};

use super::seat::Seat;
use super::teams::TeamReduction;
use super::{EQUAL, Emitter, Grid, LESS, existing_rows, when};
use crate::emit_cpu::row_results;
use crate::eval::Eval;
use crate::generic::Generic;
use crate::team::Combiner;

mod columns;
mod shape;
mod turns;

pub use shape::{Access, Shape, is_few, is_reduced_once, pieces, reads_columns};
use turns::Turn;

/// Chains of a thread's reduction, at most, and how many elements each has at least.
const CHAINS: usize = 8;
/// See [`CHAINS`].
const CHAIN: usize = 2;

impl<'c> Emitter<'_, 'c> {
    /// A team for each row.
    pub(super) fn register_rows(&self, eval: &mut Eval<'c>, shape: &Shape, reductions: &[TeamReduction<'c>]) -> Result<Grid> {
        let kernel = self.parts.kernel;
        let rows = kernel.rows();
        let row_dims = eval.sizes(&rows);
        let seat = Seat::new(eval, shape.threads, shape.blocks)?;
        let (mut row, mut lane, mut guard) = (seat.team, seat.lane(eval), None);
        if shape.rows() > 1 {
            let (threads, per_block) = (eval.index(shape.threads), eval.index(shape.rows()));
            let thread = seat.thread;
            lane = eval.b.value("arith.remui", &[thread, threads], thread.ty(), &[]);
            let own = eval.b.value("arith.divui", &[thread, threads], thread.ty(), &[]);
            let start = eval.mul(seat.team, per_block);
            row = eval.add(start, own);
            (row, guard) = existing_rows(eval, row, &rows, (shape.rows(), 1));
        }
        let place = eval.delinearize(row, &row_dims);
        let turns = self.turns(eval, shape, &place, lane);
        if shape.packed {
            eval.hold();
        }
        for (i, (generic, combiners)) in reductions.iter().enumerate() {
            if i > 0 {
                eval.next_phase();
            }
            let values = self.partial(eval, (generic, combiners), &turns, &place)?;
            let values: Vec<_> = combiners.iter().zip(values).collect();
            let totals = seat.all_reduce(eval.b, self.block, &values)?;
            self.know_totals(eval, (generic, combiners), std::slice::from_ref(&place), &totals)?;
        }
        eval.next_phase();
        seat.before_end(eval);
        let results = |eval: &mut Eval<'c>| self.register_results(eval, &turns, &place, lane);
        match guard {
            Some([row, total]) => when(eval, LESS, row, total, results)?,
            None => results(eval)?,
        }
        if shape.blocks > 1 {
            seat.end(eval);
            return Ok(Grid::clusters(&rows, shape.blocks, shape.threads));
        }
        let threads = shape.threads * shape.rows();
        Ok(Grid::new(&rows, shape.rows(), threads))
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
            let mut elements = Vec::new();
            self.know_columns(eval, turn)?;
            for element in &turn.elements {
                eval.set_place(&element.indices, &dims, element.position);
                for (result, _) in &full {
                    elements.push(eval.element(*result, &element.indices)?);
                }
            }
            // Neighbours are stored together: nothing else may come between.
            turn.store(eval, &mut |eval, chosen| {
                for (i, (_, output)) in full.iter().enumerate() {
                    chosen.iter().for_each(|n| eval.store_flat(output, turn.elements[*n].position, elements[n * full.len() + i]));
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// A thread's share of a reduction. Elements are combined in several chains, whose steps do not wait for each other.
    fn partial(
        &self,
        eval: &mut Eval<'c>,
        (generic, combiners): (&Generic<'c>, &[Combiner<'c>]),
        turns: &[Turn<'c>],
        place: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>> {
        let dims = self.parts.space.clone();
        let elements: Vec<_> = turns.iter().flat_map(|turn| &turn.elements).collect();
        let count = CHAINS.min(elements.len().div_ceil(CHAIN));
        let neutral: Vec<_> = combiners.iter().map(|combiner| combiner.neutral(&eval.b)).collect();
        let mut chains = vec![neutral; count];
        for (i, element) in elements.into_iter().enumerate() {
            let old = &mut chains[i % count];
            eval.set_place(&element.indices, &dims, element.position);
            let next = eval.body(generic, &[place, &element.loops].concat(), old)?;
            *old = match element.inside {
                Some(inside) => next.iter().zip(old.iter()).map(|(new, old)| select(eval, inside, *new, *old)).collect(),
                None => next,
            };
        }
        while chains.len() > 1 {
            let half = chains.len() / 2;
            let upper = chains.split_off(chains.len() - half);
            for (low, high) in chains.iter_mut().zip(upper) {
                let pairs = low.iter_mut().zip(high).zip(combiners);
                pairs.for_each(|((low, high), combiner)| *low = combiner.combine(&eval.b, *low, high));
            }
        }
        Ok(chains.pop().unwrap_or_default())
    }
}

fn select<'c>(eval: &Eval<'c>, condition: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    eval.b.value("arith.select", &[condition, a, b], a.ty(), &[])
}
