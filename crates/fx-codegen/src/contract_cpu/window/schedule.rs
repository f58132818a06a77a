//! How windows are computed: blocks of results, the copy that each reads, the register tile.

use fx_ir::Type;

use super::shape::{Axis, Window};
use crate::contract_cpu::blocks::round_up;
use crate::contract_cpu::tile::{even, lanes};
use crate::kernel::Size;

/// Bytes of a block's copy: it stays in the first-level cache, beside what is read and written.
const COPY_BYTES: i64 = 32 * 1024;
/// Most bytes of a copy of the least block: windows may be wide.
const MOST_BYTES: i64 = 256 * 1024;
/// Multiply-adds of a tile that are written out, at most.
const WRITTEN: i64 = 180;
/// Taps that are written out, at most, by the dims that they are in.
const WRITTEN_TAPS: i64 = 64;
/// Steps of windows of which vectors are cut up by shuffles; with others, numbers are copied one by one.
const MOST_SHUFFLED: i64 = 8;
/// Vectors of a row that are copied at a time, at most.
const COPIED: i64 = 4;
/// Sums of a tile, as registers go: with 32 registers, else with 16.
const SUMS: [i64; 2] = [4, 8];

/// Sizes that the code is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Numbers of a vector.
    pub lanes: i64,
    /// Results of a tile along the last axis but one.
    pub rows: i64,
    /// Vectors of a tile along the last axis.
    pub vectors: i64,
    /// Axes from this one on have their taps written out.
    pub written: usize,
    /// Results of a block along each axis: of the first axes one, of the last ones all. So a block is a piece of the result.
    pub block: Vec<i64>,
    /// Elements of the copy along each axis.
    pub extents: Vec<i64>,
    /// Which elements of a row stand together in the copy, by their remainders of the stride: all that taps have.
    pub residues: Vec<i64>,
    /// Whether copies are made in vectors; else numbers are copied one by one.
    pub vectorised: bool,
    /// Vectors of a part of a row that are copied at a time: a part is a multiple of them.
    pub copied: i64,
    /// How far the next element along each axis lies behind in the copy; along the last one 1.
    pub strides: Vec<i64>,
    /// Elements of a residue's part of a row.
    pub part: i64,
    /// Where the tensor's rows start in those of the copy, if whole rows are copied as they are; else 0. From there on, vectors are
    /// copied: zeros behind the end of a row are those in front of the next one.
    pub shift: i64,
    /// Where copies start: such that vectors of a row are aligned.
    pub start: i64,
    /// Elements of one channel's copy.
    pub channel: i64,
    /// Elements of all copies, and of what the last tile reads beyond.
    pub total: i64,
}

impl Schedule {
    /// The schedule for sums of type `element`, with numbers of 16 bits in memory or without; none if the least block's copy would be
    /// too large.
    pub fn of(window: &Window<'_>, element: Type<'_>, wide: bool, halves: bool) -> Option<Self> {
        let axes = &window.axes;
        let lanes = lanes(element, wide);
        let written = written(axes);
        let taps: i64 = axes[written..].iter().map(|axis| axis.taps).product();
        let sums = SUMS[usize::from(wide)].min(WRITTEN / taps).max(1);
        let last = axes.last()?;
        let rows = axes.len().checked_sub(2).map_or(1, |row| even(Size::Known(axes[row].pixels), sums));
        let vectors = (sums / rows).min(round_up(last.pixels, lanes) / lanes).clamp(1, 4);
        let mut schedule = Self {
            lanes,
            rows,
            vectors,
            written,
            block: axes.iter().map(|axis| axis.pixels).collect(),
            extents: Vec::new(),
            residues: residues(last, written < axes.len()),
            strides: Vec::new(),
            part: 0,
            vectorised: last.stride <= MOST_SHUFFLED && (wide || !halves),
            copied: 1,
            shift: 0,
            start: 0,
            channel: 0,
            total: 0,
        };
        let channels = window.channels.iter().map(|(_, size)| *size).product::<i64>().max(1);
        let bytes = i64::from(element.bit_width() / 8);
        schedule.lay_out(axes, channels);
        for i in 0..axes.len() - 1 {
            schedule.cut(axes, i, channels, COPY_BYTES / bytes);
        }
        let most = if axes.len() == 1 { COPY_BYTES } else { MOST_BYTES } / bytes;
        if schedule.total > most {
            // Pieces of single rows.
            schedule.rows = 1;
            schedule.block[..axes.len() - 1].fill(1);
            schedule.lay_out(axes, channels);
            schedule.cut(axes, axes.len() - 1, channels, most);
        }
        (schedule.total * bytes <= MOST_BYTES).then_some(schedule)
    }

    /// Cuts blocks along axis `i` into more and more pieces of even size, until copies have at most `most` elements.
    fn cut(&mut self, axes: &[Axis], i: usize, channels: i64, most: i64) {
        let unit = self.unit(i, axes.len());
        while self.total > most && self.block[i] > unit {
            let pieces = (axes[i].pixels + self.block[i] - 1) / self.block[i] + 1;
            let even = round_up((axes[i].pixels + pieces - 1) / pieces, unit);
            self.block[i] = even.min((self.block[i] - 1) / unit * unit);
            self.lay_out(axes, channels);
        }
    }

    /// Results that blocks are multiples of along axis `i`.
    fn unit(&self, i: usize, count: usize) -> i64 {
        match count - i {
            1 => self.columns(),
            2 => self.rows,
            _ => 1,
        }
    }

    /// Results of a tile along the last axis.
    pub fn columns(&self) -> i64 {
        self.lanes * self.vectors
    }

    /// The copy for the block.
    fn lay_out(&mut self, axes: &[Axis], channels: i64) {
        let count = axes.len();
        self.extents = axes
            .iter()
            .enumerate()
            .map(|(i, axis)| {
                // Rows of whole tiles are there; columns beyond the last one may be what follows in memory.
                let results = if i + 2 == count { round_up(self.block[i], self.rows) } else { self.block[i] };
                (results - 1) * axis.stride + axis.reach() + 1
            })
            .collect();
        let last = &axes[count - 1];
        let whole = self.vectorised && last.stride == 1 && self.block[count - 1] == last.pixels;
        self.shift = if whole { (-last.offset).max(0) } else { 0 };
        self.start = round_up(self.shift, self.lanes) - self.shift;
        let needed = (self.extents[count - 1] + last.stride - 1) / last.stride;
        let needed = if self.shift > 0 { (needed - self.shift).max(last.size + self.shift) } else { needed };
        let vectors = round_up(needed, self.lanes) / self.lanes;
        self.copied = even(Size::Known(vectors), (COPIED / last.stride).max(1));
        self.part = round_up(vectors, self.copied) * self.lanes;
        let mut stride = self.part * self.residues.len() as i64;
        self.strides = vec![1; count];
        for i in (0..count - 1).rev() {
            self.strides[i] = stride;
            stride *= self.extents[i];
        }
        self.channel = stride;
        self.total = self.end(channels) + self.columns() + round_up(last.reach(), self.lanes);
    }

    /// The end of what is copied for so many channels: a multiple of the lanes.
    pub fn end(&self, channels: i64) -> i64 {
        self.start + self.shift + channels * self.channel
    }

    /// The place of a residue's part in a row.
    pub fn part_of(&self, residue: i64) -> i64 {
        self.residues.iter().position(|own| *own == residue).map_or(0, |place| place as i64 * self.part)
    }
}

/// The axis from which on taps are few enough to be written out.
fn written(axes: &[Axis]) -> usize {
    let mut taps = 1i64;
    let few = axes.iter().rev().take_while(|axis| {
        taps = taps.saturating_mul(axis.taps);
        taps <= WRITTEN_TAPS
    });
    axes.len() - few.count()
}

/// The remainders of taps' places by the stride; all of them if taps are not written out.
fn residues(axis: &Axis, written: bool) -> Vec<i64> {
    (0..axis.stride).filter(|residue| !written || (0..axis.taps).any(|tap| tap * axis.dilation % axis.stride == *residue)).collect()
}
