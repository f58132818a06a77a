//! Items go between the threads of a team: by shuffles inside of a warp, through workgroup memory between warps.

use fx_ir::{Block, Result, Type, Value};

use super::words::{Words, choose};
use super::{Shape, bit, unflat};
use crate::conditions::{EQUAL, SIGNED_AT_LEAST, SIGNED_LESS, compare};
use crate::eval::Eval;
use crate::team::{exchanged, workgroup_buffer};

/// Bytes of workgroup memory: a kernel's text can have 48 KiB, and several blocks should fit.
const MOST_BYTES: i64 = 40 << 10;
/// The bit by which the threads of one warp differ from those of the next.
const WARP_BIT: i64 = 5;

/// How a team's threads meet.
pub struct Exchange<'c> {
    pub(super) words: Words<'c>,
    /// The thread's number in its block.
    thread: Value<'c>,
    /// A buffer for each word of an item.
    pub(super) buffers: Vec<Value<'c>>,
    /// Items that a thread exchanges between two barriers.
    together: i64,
    /// Threads whose items of the result are in workgroup memory at a time.
    pub(super) shown: i64,
}

impl<'c> Exchange<'c> {
    /// Takes workgroup memory for what `shape` needs.
    pub fn new(eval: &Eval<'c>, shape: &Shape, words: Words<'c>, thread: Value<'c>, block: Block<'c>) -> Result<Self> {
        let bytes = words.bytes();
        // Each has its own part of memory: so one barrier is enough for two of them.
        let mut together = shape.items / 2;
        while together > 1 && 2 * together * shape.block() * bytes > MOST_BYTES {
            together /= 2;
        }
        let mut shown = shape.kept;
        while shown > 1 && shape.rows * shown * (shape.items + 1) * bytes > MOST_BYTES {
            shown /= 2;
        }
        let exchanged = if shape.has_warps() { 2 * together * shape.block() } else { 0 };
        let length = exchanged.max(shape.rows * shown * (shape.items + 1));
        let buffers = words.types().into_iter().map(|ty| workgroup_buffer(&eval.b, block, length, ty)).collect::<Result<Vec<_>>>()?;
        Ok(Self { words, thread, buffers, together, shown })
    }

    /// The exchanges that make runs of 2^level threads of those before: of each pair of threads one keeps the items that come
    /// first, and `falls` says which way this thread's run goes.
    pub fn run(
        &self,
        eval: &mut Eval<'c>,
        (shape, lane): (&Shape, Value<'c>),
        (level, falls): (Value<'c>, Value<'c>),
        items: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>> {
        let word = level.ty();
        let (one, kept) = (eval.b.int(word, 1), eval.b.int(word, i64::from(shape.kept.ilog2())));
        let highest = eval.b.value("arith.subi", &[level, one], word, &[]);
        let is_whole = shape.kept == shape.threads;
        // The number of bits behind the first.
        let rest = if is_whole { highest } else { eval.b.value("arith.minui", &[highest, kept], word, &[]) };
        let count = eval.b.value("arith.addi", &[rest, one], word, &[]);
        let count = eval.b.value("arith.index_cast", &[count], Type::index(eval.context()), &[]);
        let (zero, step) = (eval.index(0), eval.index(1));
        eval.for_loop(zero, count, step, items, |eval, number, items| {
            let number = eval.b.value("arith.index_cast", &[number], word, &[]);
            let mut place = eval.b.value("arith.subi", &[rest, number], word, &[]);
            let mut is_last = None;
            if !is_whole {
                let none = eval.b.int(word, 0);
                let is_first = compare(eval, EQUAL, number, none);
                place = eval.b.value("arith.select", &[is_first, highest, place], word, &[]);
                // Runs of more threads than are kept: both get what comes first.
                let is_long = compare(eval, SIGNED_LESS, kept, level);
                is_last = Some(eval.b.value("arith.andi", &[is_first, is_long], is_first.ty(), &[]));
            }
            let upper = bit(eval, lane, place);
            let mut gets_later = eval.b.value("arith.xori", &[upper, falls], upper.ty(), &[]);
            if let Some(is_last) = is_last {
                let no = eval.b.int(upper.ty(), 0);
                gets_later = eval.b.value("arith.select", &[is_last, no, gets_later], upper.ty(), &[]);
            }
            let distance = eval.b.value("arith.shli", &[one, place], word, &[]);
            let others = self.others(eval, shape, (place, distance), items)?;
            let types = self.words.types().len();
            let pairs = unflat(items, types).into_iter().zip(unflat(&others, types));
            let b = &eval.b;
            let kept = pairs.map(|(own, other)| {
                let is_before = self.words.less(b, &own, &other);
                let keeps = b.value("arith.xori", &[is_before, gets_later], is_before.ty(), &[]);
                choose(b, keeps, &own, &other)
            });
            Ok(kept.flatten().collect())
        })
    }

    /// The items of the thread whose number differs by `distance`, the bit at `place`.
    fn others(
        &self,
        eval: &mut Eval<'c>,
        shape: &Shape,
        (place, distance): (Value<'c>, Value<'c>),
        items: &[Value<'c>],
    ) -> Result<Vec<Value<'c>>> {
        let by_shuffles = |eval: &mut Eval<'c>| items.iter().map(|word| exchanged(&eval.b, *word, distance)).collect::<Result<Vec<_>>>();
        if !shape.has_warps() {
            return by_shuffles(eval);
        }
        // The same for all threads of a block, so they may meet here.
        let warp_bit = eval.b.int(place.ty(), WARP_BIT);
        let is_between = compare(eval, SIGNED_AT_LEAST, place, warp_bit);
        let types: Vec<_> = items.iter().map(|word| word.ty()).collect();
        let op = eval.b.op_with_regions("scf.if", &[is_between], &types, &[], &[Some(&[]), Some(&[])]);
        let (Some(yes), Some(no)) = (op.body(0), op.body(1)) else { return Ok(op.results()) };
        eval.scoped(yes, |eval| {
            let others = self.through_memory(eval, shape, distance, items);
            eval.b.op("scf.yield", &others, &[], &[]);
            Ok(())
        })?;
        eval.scoped(no, |eval| {
            let others = by_shuffles(eval)?;
            eval.b.op("scf.yield", &others, &[], &[]);
            Ok(())
        })?;
        Ok(op.results())
    }

    /// Some items at a time, in one half of the memory and then in the other: who writes to a half again has met those who read
    /// it.
    fn through_memory(&self, eval: &mut Eval<'c>, shape: &Shape, distance: Value<'c>, items: &[Value<'c>]) -> Vec<Value<'c>> {
        let index = Type::index(eval.context());
        let distance = eval.b.value("arith.index_cast", &[distance], index, &[]);
        let other = eval.b.value("arith.xori", &[self.thread, distance], index, &[]);
        let types = self.buffers.len();
        let mut others = Vec::new();
        for (turn, some) in items.chunks(types * self.together as usize).enumerate() {
            let half = (turn as i64 % 2) * self.together;
            let slot = |eval: &mut Eval<'c>, i: usize, thread: Value<'c>| {
                let start = eval.index((half + (i / types) as i64) * shape.block());
                eval.add(start, thread)
            };
            for (i, word) in some.iter().enumerate() {
                let slot = slot(eval, i, self.thread);
                eval.b.op("memref.store", &[*word, self.buffers[i % types], slot], &[], &[]);
            }
            eval.b.op("gpu.barrier", &[], &[], &[]);
            for (i, word) in some.iter().enumerate() {
                let slot = slot(eval, i, other);
                others.push(eval.b.value("memref.load", &[self.buffers[i % types], slot], word.ty(), &[]));
            }
        }
        others
    }
}
