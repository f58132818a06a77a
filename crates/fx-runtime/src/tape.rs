//! Work that is kept back for a while: launches, copies and clears, in order.
//!
//! A tape is what a CUDA graph is made from, and what tells whether a graph that was made from another tape can do this one's
//! work: two tapes have one structure if they run the same kernels, copies and clears in the same order. Addresses, numbers
//! and grids may differ; these are parameters of a graph's nodes.

use crate::device::Extent;
use crate::ffi::bytes::Span;
use std::ops::Range;

/// One piece of work.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    /// A kernel of the plan, with the range of its arguments among the tape's words.
    Launch { kernel: u32, words: Range<usize>, extent: Extent },
    /// A copy between spans of one length.
    Copy { dst: Span, src: Span },
    /// Memory set to zero.
    Clear { dst: Span },
}

/// Pieces of work in order; see the module.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    ops: Vec<Op>,
    words: Vec<u64>,
    launches: usize,
}

impl Tape {
    /// Appends a launch.
    pub(crate) fn launch(&mut self, kernel: u32, words: &[u64], extent: Extent) {
        let start = self.words.len();
        self.words.extend_from_slice(words);
        self.launches += 1;
        self.ops.push(Op::Launch { kernel, words: start..self.words.len(), extent });
    }

    /// Appends a copy.
    pub(crate) fn copy(&mut self, dst: Span, src: Span) {
        self.ops.push(Op::Copy { dst, src });
    }

    /// Appends a clear.
    pub(crate) fn clear(&mut self, dst: Span) {
        self.ops.push(Op::Clear { dst });
    }

    /// Forgets all; keeps its memory.
    pub(crate) fn reset(&mut self) {
        self.ops.clear();
        self.words.clear();
        self.launches = 0;
    }

    /// Takes over what another tape has, in the memory that is there.
    pub(crate) fn assign(&mut self, other: &Tape) {
        self.ops.clone_from(&other.ops);
        self.words.clone_from(&other.words);
        self.launches = other.launches;
    }

    /// Takes over one op, as an update of a graph's node does, from a tape of the same structure.
    #[cfg(test)]
    pub(crate) fn replace(&mut self, other: &Tape, index: usize) {
        self.ops[index] = other.ops[index].clone();
        if let Op::Launch { words, .. } = &self.ops[index] {
            self.words[words.clone()].copy_from_slice(other.words(words));
        }
    }

    /// The work, in order.
    pub(crate) fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Arguments of a launch.
    pub(crate) fn words(&self, range: &Range<usize>) -> &[u64] {
        self.words.get(range.clone()).unwrap_or_default() // the tape made the range
    }

    /// How many of its ops are launches.
    pub(crate) fn launches(&self) -> usize {
        self.launches
    }

    /// Whether a graph of `other` becomes one of this tape by new parameters of its nodes.
    pub(crate) fn has_structure_of(&self, other: &Tape) -> bool {
        let same = |pair: (&Op, &Op)| match pair {
            (Op::Launch { kernel, words, .. }, Op::Launch { kernel: other, words: theirs, .. }) => kernel == other && words == theirs,
            (Op::Copy { .. }, Op::Copy { .. }) | (Op::Clear { .. }, Op::Clear { .. }) => true,
            _ => false,
        };
        self.ops.len() == other.ops.len() && self.words.len() == other.words.len() && self.ops.iter().zip(&other.ops).all(same)
    }

    /// Positions of the ops whose parameters differ from those of a tape of the same structure.
    pub(crate) fn differences<'a>(&'a self, other: &'a Tape) -> impl Iterator<Item = usize> + 'a {
        let differs = |op: &Op, their: &Op| match op {
            Op::Launch { words, .. } => op != their || self.words(words) != other.words(words),
            _ => op != their,
        };
        let pairs = self.ops.iter().zip(&other.ops).enumerate();
        pairs.filter(move |(_, (op, their))| differs(op, their)).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::bytes::HostBuffer;

    const GRID: Extent = Extent::Grid { blocks: [4, 1, 1], threads: [32, 1, 1], shared: 0 };

    /// A span of so many bytes, which nobody touches.
    fn span(bytes: usize) -> Span {
        HostBuffer::zeroed(64).unwrap().span().slice(0, bytes).unwrap()
    }

    /// Two launches around a copy and a clear; `first` is the first launch's first word.
    fn tape(first: u64, kernel: u32) -> Tape {
        let mut tape = Tape::default();
        tape.launch(0, &[first, 2], GRID);
        tape.copy(Span::EMPTY, Span::EMPTY);
        tape.clear(Span::EMPTY);
        tape.launch(kernel, &[3], GRID);
        tape
    }

    #[test]
    fn structure_is_kernels_and_order() {
        assert!(tape(1, 1).has_structure_of(&tape(9, 1)), "arguments are parameters");
        assert!(!tape(1, 1).has_structure_of(&tape(1, 2)), "kernels are not");
        let mut longer = tape(1, 1);
        longer.clear(Span::EMPTY);
        assert!(!longer.has_structure_of(&tape(1, 1)));
        let mut other = Tape::default();
        other.clear(Span::EMPTY);
        let mut copies = Tape::default();
        copies.copy(Span::EMPTY, Span::EMPTY);
        assert!(!other.has_structure_of(&copies));
    }

    #[test]
    fn differences_are_parameters() {
        let found = |a: &Tape, b: &Tape| a.differences(b).collect::<Vec<_>>();
        assert!(found(&tape(1, 1), &tape(1, 1)).is_empty());
        assert_eq!(found(&tape(1, 1), &tape(9, 1)), [0]);
        let mut moved = tape(1, 1);
        moved.ops[1] = Op::Copy { dst: span(8), src: Span::EMPTY };
        moved.ops[3] = Op::Launch { kernel: 1, words: 2..3, extent: Extent::Grid { blocks: [5, 1, 1], threads: [32, 1, 1], shared: 0 } };
        assert_eq!(found(&moved, &tape(1, 1)), [1, 3]);
        let mut copy = tape(5, 1);
        copy.assign(&moved);
        assert!(found(&copy, &moved).is_empty());
        assert_eq!(copy.launches(), 2);
    }

    #[test]
    fn a_reset_tape_is_empty() {
        let mut tape = tape(1, 1);
        tape.reset();
        assert!(tape.ops().is_empty() && tape.launches() == 0);
        tape.launch(3, &[7], GRID);
        assert_eq!(tape.words(&(0..1)), [7]);
    }
}
