//! A team of threads a row, which lies in their registers: it is read once, whatever reductions and results need it.
//!
//! The team is a part of a warp, a block, or, for long rows and where rows are few, a cluster of blocks.
//! A thread holds some vectors of 16 bytes, a team's width apart. Its loops are written out, so that an element that was
//! loaded or computed for one reduction is known to what comes after it. Where a row is no multiple of what its team takes,
//! the last threads compute elements of the row again and drop them: a branch would hide them from what follows.
//! Sizes follow the measurements in ARCHITECTURE.md: at least two accesses of a thread should be in flight, and two blocks
//! fit into a processor.

use std::fmt;

use fx_ir::{Result, Value};

use super::map::{ACCESS_BYTES, access_width, divisor};
use super::teams::TeamReduction;
use super::{EQUAL, Emitter, Features, Grid, LESS, THREADS, block_id, compare, existing_row, known_product, thread_id, when, when_holds};
use crate::emit_cpu::{full_indices, row_results};
use crate::eval::Eval;
use crate::kernel::{Kernel, Size};
use crate::team::cluster::{self, Cluster};
use crate::team::{Meeting, Team};

/// Teams, smallest first: threads, blocks, the most accesses of a thread, and the most elements it holds.
const TEAMS: &[(i64, i64, i64, i64)] = &[
    (8, 1, 4, 16),
    (16, 1, 4, 16),
    (32, 1, 4, 32),
    (64, 1, 4, 32),
    (128, 1, 4, 32),
    (256, 1, 4, 32),
    (512, 1, 4, 32),
    (1024, 1, 8, 32),
    (256, 4, 16, 64),
    (256, 8, 16, 64),
    (1024, 8, 8, 32),
];
/// The same for 16-bit elements that are kept as they were loaded.
const PACKED_TEAMS: &[(i64, i64, i64, i64)] = &[(512, 1, 16, 128), (512, 2, 16, 128), (512, 4, 16, 128), (512, 8, 16, 128)];
/// Most elements of a thread where an access is one element.
const SINGLE_ELEMENTS: i64 = 16;
/// Blocks that share a row where rows are so few that processors would have none.
const FEW_ROWS_BLOCKS: i64 = 8;
/// Rows, each of several blocks, that are few; see [`FEW_ROWS_BLOCKS`]. GPUs have about as many processors.
const FEW_BLOCKS: i64 = 128;
/// Most elements that a thread may be asked to hold.
const MOST_HELD: i64 = 128;
/// Rows that are shared in this way are at least so long that each of their blocks has some accesses for each thread.
const SHARED_ACCESSES: i64 = FEW_ROWS_BLOCKS * THREADS;

/// How a row is spread.
pub struct Shape {
    /// Threads of a block that work on the row.
    threads: i64,
    /// Blocks that work on the row: a cluster.
    blocks: i64,
    /// Elements of an access.
    width: i64,
    /// Accesses of a thread.
    turns: i64,
    /// Accesses of a row.
    accesses: i64,
    /// Whether only what was loaded is kept, as in `eval/held.rs`.
    packed: bool,
}

impl Shape {
    /// The shape for a kernel's rows; none if they are not known, not contiguous, or too long.
    pub fn of(kernel: &Kernel<'_>, features: Features) -> Option<Self> {
        let (width, accesses) = Self::rows_of(kernel)?;
        let is_half = access_width(kernel) * 2 == ACCESS_BYTES;
        let teams = TEAMS.iter().map(|team| (false, *team)).filter(|(_, (threads, blocks, ..))| !is_half || threads * blocks <= 512);
        let packed = PACKED_TEAMS.iter().map(|team| (true, *team)).filter(|_| is_half && width > 1);
        let few = known_product(&kernel.rows()).is_some_and(|rows| rows * FEW_ROWS_BLOCKS <= FEW_BLOCKS);
        let shared = (THREADS, FEW_ROWS_BLOCKS, 16, if is_half { 32 } else { 64 });
        let shared = (few && accesses >= SHARED_ACCESSES).then_some((false, shared));
        let fits = |(_, (threads, blocks, most, elements)): &(bool, (i64, i64, i64, i64))| {
            let turns = (accesses + threads * blocks - 1) / (threads * blocks);
            let most = if width < 4 { SINGLE_ELEMENTS / width } else { *most };
            turns <= most && turns * width <= *elements && (*blocks == 1 || features.clusters)
        };
        let (packed, (threads, blocks, ..)) = shared.into_iter().chain(teams).chain(packed).find(fits)?;
        Some(Self::new(width, accesses, threads, blocks, packed))
    }

    /// The shape that a schedule's text asks for; none if it fits no such rows.
    pub fn asked(kernel: &Kernel<'_>, features: Features, text: &str) -> Option<Self> {
        let (width, accesses) = Self::rows_of(kernel)?;
        let mut words = text.split(' ');
        if words.next() != Some("registers") {
            return None;
        }
        let words: Vec<_> = words.collect();
        let number = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse::<i64>().ok());
        let (threads, blocks) = (number("threads")?, number("blocks").unwrap_or(1));
        let is_team = |n: i64, most: i64| (1..=most).contains(&n) && u64::try_from(n).is_ok_and(u64::is_power_of_two);
        let shape = Self::new(width, accesses, threads, blocks, words.contains(&"packed"));
        let legal = is_team(threads, 1024) && threads >= 8 && is_team(blocks, 8) && (blocks == 1 || threads > 32 && features.clusters);
        (legal && shape.turns * width <= MOST_HELD).then_some(shape)
    }

    fn new(width: i64, accesses: i64, threads: i64, blocks: i64, packed: bool) -> Self {
        let team = threads * blocks;
        Self { threads, blocks, width, turns: (accesses + team - 1) / team, accesses, packed }
    }

    /// Elements of an access, and accesses of a row, of rows that can lie in registers.
    fn rows_of(kernel: &Kernel<'_>) -> Option<(i64, i64)> {
        if !kernel.has_rows() || !kernel.reduced.is_sorted() {
            return None;
        }
        let inner = kernel.inner();
        let (length, Some(Size::Known(last))) = (known_product(&inner)?, inner.last()) else { return None };
        let width = divisor(*last, access_width(kernel));
        (length >= 2).then_some((width, length / width))
    }

    /// Rows of a block.
    fn rows(&self) -> i64 {
        if self.threads > 32 { 1 } else { THREADS / self.threads }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, blocks, width, turns, packed, .. } = self;
        write!(f, "threads={threads} accesses={turns} width={width} rows={}", self.rows())?;
        if *blocks > 1 {
            write!(f, " blocks={blocks}")?;
        }
        if *packed { f.write_str(" packed") } else { Ok(()) }
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
        let mut cluster = None;
        if shape.blocks > 1 {
            let blocks = eval.index(shape.blocks);
            let rank = eval.b.value("arith.remui", &[block, blocks], block.ty(), &[]);
            row = eval.b.value("arith.divui", &[block, blocks], block.ty(), &[]);
            let threads = eval.index(shape.threads);
            let before = eval.mul(rank, threads);
            lane = eval.add(before, thread);
            cluster = Some(Cluster { blocks: shape.blocks, thread });
        }
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
        if shape.packed {
            eval.hold();
        }
        for (i, (generic, combiners)) in reductions.iter().enumerate() {
            if i > 0 {
                eval.next_phase();
            }
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
                let own = cluster.as_ref().map_or(lane, |cluster| cluster.thread);
                let team = Team { b: eval.b, thread: own, threads: shape.threads, meeting: Meeting::Block, block: self.block };
                let mut total = team.all_reduce(combiner, value)?;
                if let Some(cluster) = &cluster {
                    total = cluster.all_reduce(&team, combiner, total)?;
                }
                let total = combiner.combine(&eval.b, init, total);
                eval.known_in_all_phases(result, &place, total);
            }
        }
        eval.next_phase();
        if cluster.is_some() {
            cluster::arrive(&eval.b);
        }
        let results = |eval: &mut Eval<'c>| self.register_results(eval, &turns, &place, lane);
        match guard {
            Some([row, total]) => when(eval, LESS, row, total, results)?,
            None => results(eval)?,
        }
        if cluster.is_some() {
            // Others may still read this block's workgroup memory.
            cluster::wait(&eval.b);
            return Ok(Grid::clusters(&rows, shape.blocks, shape.threads));
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
        let team = shape.threads * shape.blocks;
        let mut turns = Vec::new();
        for turn in 0..shape.turns {
            let before = eval.index(turn * team);
            let mut access = eval.add(before, lane);
            let mut inside = None;
            if (turn + 1) * team > shape.accesses {
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
