//! A team of threads for some rows, which lie in its workgroup memory: they are read once, whatever reductions and results need
//! them.
//!
//! The team is a block or, for long rows, a cluster of blocks, each of which has a stretch of the rows. A thread copies some
//! accesses into workgroup memory, a team's width apart, and from then on reads these there: nobody else reads them, so no
//! barrier is needed but those of the reductions. Copies need no registers: all of a row is on its way at the same time, and
//! the code is loops, however long rows are. A team of several rows reads what belongs to columns once for all of them.
//! The first accesses of each thread may stay in its registers instead: then a processor has room for two rows that are too long
//! for two of them to lie in its workgroup memory, and works on one while the other is on its way.

use fx_ir::{Result, Type, Value};

use super::seat::Seat;
use super::teams::TeamReduction;
use super::{EQUAL, Emitter, Grid, existing_rows, when};
use crate::emit_cpu::{full_indices, row_results};
use crate::eval::{Eval, Memory, Written};
use crate::generic::Generic;
use crate::team::{Combiner, copies, workgroup_memory};

mod dynamic;
mod kept;
mod shape;

pub use dynamic::Room;
use kept::Kept;
pub use shape::Shape;

/// Chains of a thread's reduction, whose steps do not wait for each other.
const CHAINS: usize = 4;

/// What a thread knows of its rows.
pub(super) struct Stage<'c> {
    /// Threads of a block that work on them.
    pub threads: Value<'c>,
    /// Elements of an access.
    pub width: i64,
    /// The thread's place.
    pub seat: Seat<'c>,
    /// Indices of each row.
    pub places: Vec<Vec<Value<'c>>>,
    /// The block's first access of a row that lies in workgroup memory, and how many do.
    pub stretch: [Value<'c>; 2],
    /// Elements of the accesses before these that stay in registers, row by row, access by access.
    pub held: Vec<Vec<Vec<Element<'c>>>>,
    /// Where the team's first row begins in workgroup memory, and how far the next one is from it: elements.
    pub slots: [Value<'c>; 2],
    /// What becomes of the loop that copies.
    pub copies: Written,
    /// What becomes of the first loop that reads what was copied.
    pub first: Written,
}

/// One element of a row.
pub(super) struct Element<'c> {
    loops: Vec<Value<'c>>,
    indices: Vec<Value<'c>>,
    position: Value<'c>,
    slot: Value<'c>,
}

/// A tensor and its copy.
struct Copied<'c> {
    argument: Value<'c>,
    memory: Memory<'c>,
    buffer: Value<'c>,
    /// Addresses of the copy and the tensor.
    addresses: [Value<'c>; 2],
    /// Bytes of an element.
    bytes: i64,
}

impl<'c> Emitter<'_, 'c> {
    /// A team for some rows each.
    pub(super) fn staged_rows(&self, eval: &mut Eval<'c>, shape: &Shape, reductions: &[TeamReduction<'c>]) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let seat = Seat::new(eval, shape.threads, shape.blocks)?;
        let (segment, before) = (eval.index(shape.segment()), eval.index(shape.held_accesses()));
        let [first, count] = match seat.rank {
            None => [eval.index(0), segment],
            Some(rank) => {
                let first = eval.mul(rank, segment);
                let mut count = segment;
                if shape.accesses % shape.blocks != 0 {
                    let all = eval.index(shape.accesses);
                    let first = eval.b.value("arith.minui", &[first, all], all.ty(), &[]);
                    let left = eval.b.value("arith.subi", &[all, first], all.ty(), &[]);
                    count = eval.b.value("arith.minui", &[left, segment], all.ty(), &[]);
                }
                [first, count]
            }
        };
        let (row_dims, by) = (eval.sizes(&rows), eval.index(shape.rows));
        let first_row = eval.mul(seat.team, by);
        let (first_row, _) = existing_rows(eval, first_row, &rows, (shape.rows, shape.rows));
        let mut places = Vec::new();
        for ahead in 0..shape.rows {
            let ahead = eval.index(ahead);
            let row = eval.add(first_row, ahead);
            places.push(eval.delinearize(row, &row_dims));
        }
        let slots = [eval.index(0), eval.index(shape.row_slots())];
        let room = eval.index(shape.row_slots() * shape.rows);
        let stretch = [eval.add(first, before), eval.b.value("arith.subi", &[count, before], count.ty(), &[])];
        // Copies of the one or two blocks that a processor has room for should follow each other closely: 1 to 7% of the time. Of
        // more blocks, the first loop after the wait is worth writing out: 0.5%.
        let (copies, first_loop) = match shape.is_small_team() {
            true => (Written::Never, Written::AsTheAssemblerLikes),
            false => (Written::AsTheAssemblerLikes, Written::Never),
        };
        let mut stage = Stage {
            threads: eval.index(shape.threads),
            width: shape.width,
            seat,
            places,
            stretch,
            slots,
            held: Vec::new(),
            copies,
            first: first_loop,
        };
        if shape.held > 0 {
            stage.held = self.held_elements(eval, &stage, first, shape.held);
            eval.hold();
        }
        self.staged(eval, &stage, room, reductions)?;
        let mut grid = Grid::clusters(&rows, shape.blocks, shape.threads);
        grid.factors[0].per = shape.rows;
        grid.shared = shape.block_bytes();
        Ok(grid)
    }

    /// What a team does with its rows; the block has `room` elements of each tensor in workgroup memory.
    pub(super) fn staged(&self, eval: &mut Eval<'c>, stage: &Stage<'c>, room: Value<'c>, reductions: &[TeamReduction<'c>]) -> Result {
        let copied = self.buffers(eval, room)?;
        self.copy_rows(eval, stage, &copied)?;
        let shared = kept::shared(self.parts.kernel, &copied);
        for (i, (generic, combiners)) in reductions.iter().enumerate() {
            eval.next_phase();
            let kept = shared.as_ref().filter(|kept| kept.reduction == generic.op);
            let chains = self.held_partials(eval, (generic, combiners), stage)?;
            if i == 0 {
                // What registers hold was reduced while copies went on.
                copies::wait(&eval.b);
            }
            let written = if i == 0 { stage.first } else { Written::Never };
            let values = self.staged_partials(eval, (generic, combiners), stage, (chains, written), kept)?;
            let values: Vec<_> = combiners.iter().cycle().zip(values).collect();
            let totals = stage.seat.all_reduce(eval.b, self.block, &values)?;
            self.know_totals(eval, (generic, combiners), &stage.places, &totals)?;
        }
        if reductions.is_empty() {
            copies::wait(&eval.b);
        }
        eval.next_phase();
        stage.seat.before_end(eval);
        self.staged_results(eval, stage, shared.as_ref())?;
        stage.seat.end(eval);
        eval.forget_staged();
        Ok(())
    }

    /// Starts to copy the rows into workgroup memory: each thread its accesses.
    fn copy_rows(&self, eval: &mut Eval<'c>, stage: &Stage<'c>, copied: &[Copied<'c>]) -> Result {
        let [first, count] = stage.stretch;
        let bounds = [stage.seat.thread, count, stage.threads];
        eval.annotated_loop(bounds, stage.copies, &[], |eval, own, _| {
            let access = eval.add(first, own);
            for row in 0..stage.places.len() {
                let first = &self.staged_elements(eval, stage, row, [own, access])[0];
                copied.iter().for_each(|copy| copy.start(eval, first, stage.width));
            }
            Ok(Vec::new())
        })?;
        copied.iter().for_each(|copy| eval.stage(copy.memory.memref, copy.buffer));
        Ok(())
    }

    /// Workgroup memory for so many elements of each tensor that has one per place.
    fn buffers(&self, eval: &mut Eval<'c>, room: Value<'c>) -> Result<Vec<Copied<'c>>> {
        let bytes = workgroup_memory(&eval.b, fx_ir::DYNAMIC, Type::int(eval.context(), 8))?;
        let all = eval.b.value("gpu.dynamic_shared_memory", &[], bytes, &[]);
        let (mut copied, mut begin) = (Vec::new(), eval.index(0));
        for argument in super::map::full_tensors(self.parts.kernel) {
            let Some(memory) = eval.memory_of(argument).cloned() else { continue };
            let ty = workgroup_memory(&eval.b, fx_ir::DYNAMIC, memory.memref.ty().element())?;
            let buffer = eval.b.value("memref.view", &[all, begin, room], ty, &[]);
            let addresses = [copies::address(&eval.b, buffer, true), copies::address(&eval.b, memory.memref, false)];
            let bytes = shape::element_bytes(argument, self.parts.kernel);
            copied.push(Copied { argument, memory, buffer, addresses, bytes });
            let each = eval.index(bytes);
            let taken = eval.mul(room, each);
            begin = eval.add(begin, taken);
        }
        Ok(copied)
    }

    /// The first accesses of a thread, `held` of each row; the block's first one is `first`.
    fn held_elements(&self, eval: &mut Eval<'c>, stage: &Stage<'c>, first: Value<'c>, held: i64) -> Vec<Vec<Vec<Element<'c>>>> {
        let own = eval.add(first, stage.seat.thread);
        let of_row = |eval: &mut Eval<'c>, row: usize| {
            let accesses = (0..held).map(|number| {
                let (none, number) = (eval.index(0), eval.index(number));
                let ahead = eval.mul(number, stage.threads);
                let access = eval.add(own, ahead);
                self.staged_elements(eval, stage, row, [none, access])
            });
            accesses.collect()
        };
        (0..stage.places.len()).map(|row| of_row(eval, row)).collect()
    }

    /// A thread's shares of a reduction in what its registers hold, row by row, chain by chain.
    fn held_partials(
        &self,
        eval: &mut Eval<'c>,
        (generic, combiners): (&Generic<'c>, &[Combiner<'c>]),
        stage: &Stage<'c>,
    ) -> Result<Vec<Value<'c>>> {
        let dims = self.parts.space.clone();
        let neutral: Vec<_> = combiners.iter().map(|combiner| combiner.neutral(&eval.b)).collect();
        let mut chains = vec![neutral; stage.places.len() * stage.chains()];
        for (row, accesses) in stage.held.iter().enumerate() {
            for (i, element) in accesses.iter().flatten().enumerate() {
                let chain = &mut chains[row * stage.chains() + i % stage.chains()];
                eval.set_place(&element.indices, &dims, element.position);
                *chain = eval.body(generic, &[&stage.places[row][..], &element.loops].concat(), chain)?;
            }
        }
        Ok(chains.concat())
    }

    /// A thread's shares of a reduction, row by row, `chains` being those of its registers.
    fn staged_partials(
        &self,
        eval: &mut Eval<'c>,
        (generic, combiners): (&Generic<'c>, &[Combiner<'c>]),
        stage: &Stage<'c>,
        (chains, written): (Vec<Value<'c>>, Written),
        kept: Option<&Kept<'c>>,
    ) -> Result<Vec<Value<'c>>> {
        let dims = self.parts.space.clone();
        let count = stage.chains();
        let chains = stage.walk(eval, written, &chains, |eval, own, access, carried| {
            let mut next = carried.to_vec();
            for (row, next) in next.chunks_mut(count * combiners.len()).enumerate() {
                let elements = self.staged_elements(eval, stage, row, [own, access]);
                for (i, element) in elements.iter().enumerate() {
                    let chain = &mut next[i % count * combiners.len()..][..combiners.len()];
                    element.enter(eval, &dims);
                    let values = eval.body(generic, &[&stage.places[row][..], &element.loops].concat(), chain)?;
                    chain.copy_from_slice(&values);
                }
                if let Some(kept) = kept {
                    elements.iter().try_for_each(|element| kept.keep(eval, &element.indices, element.slot))?;
                }
            }
            Ok(next)
        })?;
        let mut totals = Vec::new();
        for chains in chains.chunks(count * combiners.len()) {
            for (i, combiner) in combiners.iter().enumerate() {
                let mut own = chains.iter().copied().skip(i).step_by(combiners.len());
                let first = own.next().unwrap_or_else(|| combiner.neutral(&eval.b));
                totals.push(own.fold(first, |total, chain| combiner.combine(&eval.b, total, chain)));
            }
        }
        Ok(totals)
    }

    /// Results of the rows: their own by the team's first thread, their elements by all.
    fn staged_results(&self, eval: &mut Eval<'c>, stage: &Stage<'c>, kept: Option<&Kept<'c>>) -> Result {
        let kernel = self.parts.kernel;
        if kernel.result_dims.iter().any(|dims| *dims != kernel.space) {
            let (zero, rows) = (eval.index(0), kernel.rows());
            let lane = stage.seat.lane(eval);
            when(eval, EQUAL, lane, zero, |eval| {
                stage.places.iter().try_for_each(|place| row_results(eval, kernel, self.parts.outputs, &rows, place))
            })?;
        }
        let full = self.full_results();
        if full.is_empty() {
            return Ok(());
        }
        let dims = self.parts.space.clone();
        for accesses in &stage.held {
            accesses.iter().try_for_each(|elements| {
                access_results(eval, &full, elements, &mut |eval, element| eval.set_place(&element.indices, &dims, element.position))
            })?;
        }
        stage.walk(eval, Written::Never, &[], |eval, own, access, _| {
            for row in 0..stage.places.len() {
                let elements = self.staged_elements(eval, stage, row, [own, access]);
                access_results(eval, &full, &elements, &mut |eval, element| {
                    element.enter(eval, &dims);
                    if let Some(kept) = kept {
                        kept.recall(eval, &element.indices, element.slot);
                    }
                })?;
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The elements of an access of a row; `own` is its number in the block's stretch, `access` that in the row.
    fn staged_elements(&self, eval: &mut Eval<'c>, stage: &Stage<'c>, row: usize, [own, access]: [Value<'c>; 2]) -> Vec<Element<'c>> {
        let (width, number) = (eval.index(stage.width), eval.index(row as i64));
        let offset = eval.mul(access, width);
        let inner = eval.sizes(&self.parts.kernel.inner());
        let first = eval.delinearize(offset, &inner);
        let zeros = vec![eval.index(0); inner.len()];
        let start = full_indices(self.parts.kernel, &stage.places[row], &zeros);
        let start = eval.linearize(&start, &self.parts.space);
        let [begin, each] = stage.slots;
        let (before, ahead) = (eval.mul(number, each), eval.mul(own, width));
        let begin = eval.add(begin, before);
        let (position, slot) = (eval.add(start, offset), eval.add(begin, ahead));
        let element = |eval: &mut Eval<'c>, ahead: i64| {
            let ahead = eval.index(ahead);
            let mut loops = first.clone();
            if let Some(last) = loops.last_mut() {
                *last = eval.add(*last, ahead);
            }
            let indices = full_indices(self.parts.kernel, &stage.places[row], &loops);
            Element { loops, indices, position: eval.add(position, ahead), slot: eval.add(slot, ahead) }
        };
        (0..stage.width).map(|ahead| element(eval, ahead)).collect()
    }
}

/// Results of an access, each of whose elements `enter` makes the one at hand.
fn access_results<'c>(
    eval: &mut Eval<'c>,
    full: &[(Value<'c>, Memory<'c>)],
    elements: &[Element<'c>],
    enter: &mut dyn FnMut(&mut Eval<'c>, &Element<'c>),
) -> Result {
    let mut values = Vec::new();
    for element in elements {
        enter(eval, element);
        for (result, _) in full {
            values.push(eval.element(*result, &element.indices)?);
        }
    }
    // Neighbours are stored together: nothing else may come between.
    for (i, (_, output)) in full.iter().enumerate() {
        let own = values.iter().skip(i).step_by(full.len());
        elements.iter().zip(own).for_each(|(element, value)| eval.store_flat(output, element.position, *value));
    }
    Ok(())
}

impl<'c> Element<'c> {
    /// Makes it the element at hand.
    fn enter(&self, eval: &mut Eval<'c>, dims: &[Value<'c>]) {
        eval.set_place(&self.indices, dims, self.position);
        eval.staged_at(self.position, self.slot);
    }
}

impl<'c> Copied<'c> {
    /// Starts to copy the access of `width` elements that begins with this one.
    fn start(&self, eval: &mut Eval<'c>, first: &Element<'c>, width: i64) {
        let bytes = eval.index(self.bytes);
        let at = |eval: &mut Eval<'c>, base: Value<'c>, place: Value<'c>| {
            let offset = eval.mul(place, bytes);
            let offset = eval.b.value("arith.index_cast", &[offset], base.ty(), &[]);
            eval.b.value("arith.addi", &[base, offset], base.ty(), &[])
        };
        let (to, from) = (at(eval, self.addresses[0], first.slot), at(eval, self.addresses[1], first.position));
        copies::start(&eval.b, to, from, self.bytes * width);
    }
}

impl<'c> Stage<'c> {
    /// Chains of a row's reduction.
    fn chains(&self) -> usize {
        CHAINS.min(self.width as usize)
    }

    /// A loop over the thread's accesses: given an access's number in the block's stretch and in the row, and the carried values,
    /// the next ones. Where it stays a loop, other warps work while one waits: written out it is no faster, but for the first one
    /// (`first`).
    fn walk(
        &self,
        eval: &mut Eval<'c>,
        written: Written,
        carried: &[Value<'c>],
        build: impl FnOnce(&mut Eval<'c>, Value<'c>, Value<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let [first, count] = self.stretch;
        eval.annotated_loop([self.seat.thread, count, self.threads], written, carried, |eval, own, carried| {
            let access = eval.add(first, own);
            build(eval, own, access, carried)
        })
    }
}
