//! How many threads, blocks and rows share workgroup memory.

use std::fmt;

use fx_ir::Value;

use super::super::asked::{Asked, is_power_up_to};
use super::super::map::{ACCESS_BYTES, access_width, full_tensors};
use super::super::registers::{self, Access, is_few, is_reduced_once, pieces, reads_columns};
use super::super::{Features, THREADS, known_product};
use crate::kernel::Kernel;
use crate::team::cluster;
use crate::team::copies::COPIED_BYTES;

/// Bytes of the shortest rows of 16-bit numbers that do better here than in registers.
const SHORTEST: i64 = 16 << 10;
/// Rows from so many bytes on take [`LONG_TEAM`] threads of a block.
const LONG_ROW: i64 = 64 << 10;
/// See [`LONG_ROW`].
const LONG_TEAM: i64 = 1024;
/// Bytes of workgroup memory that are left for other things.
const OTHER_BYTES: i64 = 8 << 10;
/// Bytes of the rows of one of several blocks at most, so that a processor has room for some.
const MOST_SHARED: i64 = 64 << 10;
/// Rows that are so few that one block each leaves processors idle.
const FEW_ROWS: i64 = 128;
/// Rows of a team, where something is read by column: it is read once for all of them.
const ROWS: i64 = 2;

/// How rows are spread.
pub struct Shape {
    /// Threads of a block.
    pub(super) threads: i64,
    /// Blocks that work on the same rows: a cluster.
    pub(super) blocks: i64,
    /// Rows of a team.
    pub(super) rows: i64,
    /// Elements of an access.
    pub(super) width: i64,
    /// Accesses of a row.
    pub(super) accesses: i64,
    /// Bytes of an element, in all tensors that are staged.
    bytes: i64,
}

impl Shape {
    /// The shape for a kernel's rows; none if they are not known, or better lie in registers, in which they would have a shape.
    pub fn of(kernel: &Kernel<'_>, features: Features, in_registers: Option<&registers::Shape>) -> Option<Self> {
        let count = known_product(&kernel.rows())?;
        let mut shape = Self::new(kernel, features, (THREADS, 1, 1))?;
        let is_half = access_width(kernel) * 2 == ACCESS_BYTES;
        let is_long = is_half && shape.row_bytes() >= SHORTEST && !in_registers.is_some_and(registers::Shape::is_column_team)
            || in_registers.is_none_or(registers::Shape::is_largest);
        if !is_long || is_reduced_once(kernel) || is_few(kernel) {
            return None;
        }
        if shape.row_bytes() >= LONG_ROW {
            shape.threads = LONG_TEAM;
        } else if reads_columns(kernel) && count % ROWS == 0 {
            shape.rows = ROWS;
        }
        let is_crowded = |shape: &Self| !shape.fits(features) || shape.blocks > 1 && shape.block_bytes() > MOST_SHARED;
        while features.clusters && shape.blocks < cluster::LARGEST && (is_crowded(&shape) || count * shape.blocks < FEW_ROWS) {
            (shape.blocks, shape.threads) = (shape.blocks * 2, THREADS);
        }
        shape.fits(features).then_some(shape)
    }

    /// The shape that a schedule's text asks for; none if it fits no such rows.
    pub fn asked(kernel: &Kernel<'_>, features: Features, text: &str) -> Option<Self> {
        let asked = Asked::of(text, "staged")?;
        let (threads, blocks, rows) = (asked.number("threads")?, asked.number("blocks").unwrap_or(1), asked.number("rows").unwrap_or(1));
        let shape = Self::new(kernel, features, (threads, blocks, rows))?;
        let legal = (32..=1024).contains(&threads)
            && threads % 32 == 0
            && is_power_up_to(blocks, cluster::LARGEST)
            && (blocks == 1 || features.clusters);
        let fits = rows > 0 && shape.fits(features) && known_product(&kernel.rows()).is_some_and(|count| count % rows == 0);
        (legal && fits).then_some(shape)
    }

    fn new(kernel: &Kernel<'_>, features: Features, (threads, blocks, rows): (i64, i64, i64)) -> Option<Self> {
        let Access { width, accesses, shifted } = Access::of(kernel)?;
        let bytes = place_bytes(kernel, features, width).filter(|_| !shifted)?;
        Some(Self { threads, blocks, rows, width, accesses, bytes })
    }

    /// Accesses of a block in a row.
    pub(super) fn segment(&self) -> i64 {
        pieces(self.accesses, self.blocks)
    }

    /// Room for elements of a block in a row.
    pub(super) fn row_slots(&self) -> i64 {
        self.segment() * self.width
    }

    fn fits(&self, features: Features) -> bool {
        self.block_bytes() + OTHER_BYTES <= features.workgroup_bytes
    }

    fn row_bytes(&self) -> i64 {
        self.accesses * self.width * self.bytes
    }

    /// Bytes of a block's rows.
    pub(super) fn block_bytes(&self) -> i64 {
        self.row_slots() * self.rows * self.bytes
    }
}

/// Bytes of a place in all tensors that are staged, if accesses of so many elements can be copied.
pub(super) fn place_bytes(kernel: &Kernel<'_>, features: Features, width: i64) -> Option<i64> {
    let sizes: Vec<_> = full_tensors(kernel).into_iter().map(|argument| element_bytes(argument, kernel)).collect();
    let is_copied = |size: &i64| COPIED_BYTES.contains(&(size * width)) || size * width % ACCESS_BYTES == 0;
    (features.async_copies && !sizes.is_empty() && sizes.iter().all(is_copied)).then(|| sizes.iter().sum())
}

/// Bytes of an argument's element in memory.
pub(super) fn element_bytes(argument: Value<'_>, kernel: &Kernel<'_>) -> i64 {
    let element = argument.ty().element();
    if element.is_complex() { ACCESS_BYTES } else { i64::from(Kernel::memory_type(element, kernel.op.context()).bit_width() / 8) }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, blocks, rows, width, .. } = self;
        write!(f, "threads={threads} blocks={blocks} rows={rows} width={width} bytes={}", self.block_bytes())
    }
}
