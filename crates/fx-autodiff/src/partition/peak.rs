//! An estimate of the peak of memory over both functions, for programs that cannot be lowered.
//!
//! Parameters and inputs are not counted. Ops run in the order of the functions. A value takes memory from the op that makes
//! it to its last use; what is computed per element for one user, or is the same elements in another place, takes none: it
//! is part of its user's kernel.

use fx_ops::table::Again;

use super::graph::{Graph, OpId, ValueId};
use super::min_cut::Partition;
use super::pack::stored_bytes;

/// Bytes at the fullest moment.
pub fn estimated(graph: &Graph<'_>, partition: &Partition, order: &[OpId], outputs: &[ValueId], gradients: &[ValueId]) -> u64 {
    let forward: Vec<_> = (0..graph.ops.len()).filter(|op| partition.forward[*op]).collect();
    let saved = partition.saved_bytes(graph);
    let kept: Vec<_> = partition.saved.iter().chain(outputs).copied().collect();
    run(graph, &forward, &kept).max(saved.saturating_add(run(graph, order, gradients)))
}

/// The peak of one function, whose results are `kept`.
fn run(graph: &Graph<'_>, order: &[OpId], kept: &[ValueId]) -> u64 {
    let mut place = vec![usize::MAX; graph.ops.len()];
    order.iter().enumerate().for_each(|(at, op)| place[*op] = at);
    let mut memory = Memory { graph, place: &place, last: vec![None; graph.values.len()], end: order.len() };
    let mut is_kept = vec![false; graph.values.len()];
    kept.iter().for_each(|value| is_kept[*value] = true);
    let mut dies = vec![0_u64; order.len() + 1];
    let mut sizes = Vec::with_capacity(order.len());
    for op in order {
        let made = graph.ops[*op].results.iter().map(|value| {
            let last = if is_kept[*value] { memory.end } else { memory.last_use(*value) };
            let info = &graph.values[*value];
            let bytes = if is_kept[*value] {
                stored_bytes(info)
            } else if memory.is_stored(*value) {
                info.bytes
            } else {
                0
            };
            dies[last] += bytes;
            bytes
        });
        sizes.push(made.sum::<u64>());
    }
    let (mut now, mut peak) = (0_u64, 0_u64);
    for (at, size) in sizes.into_iter().enumerate() {
        now += size;
        peak = peak.max(now);
        now -= dies[at];
    }
    peak
}

struct Memory<'a, 'c> {
    graph: &'a Graph<'c>,
    place: &'a [usize],
    last: Vec<Option<usize>>,
    end: usize,
}

impl Memory<'_, '_> {
    fn users(&self, value: ValueId) -> impl Iterator<Item = OpId> {
        self.graph.values[value].users.iter().copied().filter(|user| self.place[*user] != usize::MAX)
    }

    /// The ops that read a value, also in another place.
    fn readers(&self, value: ValueId) -> Vec<OpId> {
        let mut readers = Vec::new();
        let mut stack = vec![value];
        while let Some(value) = stack.pop() {
            for user in self.users(value) {
                match self.graph.ops[user].again {
                    Again::View => stack.extend(&self.graph.ops[user].results),
                    _ => readers.push(user),
                }
            }
        }
        readers
    }

    /// Whether a value is stored: it is not part of the kernels that use it.
    fn is_stored(&self, value: ValueId) -> bool {
        let Some(maker) = self.graph.values[value].maker else { return false };
        let readers = self.readers(value);
        match self.graph.ops[maker].again {
            Again::View => false,
            Again::Gather => readers.len() > 1,
            Again::Pointwise => !matches!(readers[..], [reader] if !matches!(self.graph.ops[reader].again, Again::Product(_))),
            Again::Reduction | Again::Product(_) | Again::Never(_) => true,
        }
    }

    /// Where a value is used last, also through what is not stored.
    fn last_use(&mut self, value: ValueId) -> usize {
        if let Some(last) = self.last[value] {
            return last;
        }
        let mut last = self.graph.values[value].maker.map_or(0, |maker| self.place[maker]);
        for user in self.users(value).collect::<Vec<_>>() {
            last = last.max(self.place[user]);
            for result in self.graph.ops[user].results.clone() {
                if !self.is_stored(result) {
                    last = last.max(self.last_use(result));
                }
            }
        }
        self.last[value] = Some(last);
        last
    }
}
