//! How many threads, blocks and rows share workgroup memory.

use std::fmt;

use fx_ir::Value;

use super::super::asked::{Asked, is_power_up_to};
use super::super::map::{ACCESS_BYTES, access_width, full_tensors};
use super::super::registers::{self, Access, is_few, is_reduced_once, pieces, reads_columns};
use super::super::{Features, MOST_HELD, REGISTERS, THREADS, known_product};
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
/// Threads of one of several blocks whose rows take more than [`LONG_ROW`].
const SHARED_TEAM: i64 = 512;
/// Rows that a processor works on at the same time, at least: while one is on its way, another one is computed.
const RESIDENT: i64 = 2;
/// Rows that are so few that one block each leaves processors idle.
const FEW_ROWS: i64 = 128;
/// Rows of a team, where something is read by column: it is read once for all of them.
pub(super) const ROWS: i64 = 2;

/// Rows that a team may be asked to have.
const MOST_ROWS: i64 = 32;
/// Bytes of workgroup memory that a block takes besides.
const SPENT: i64 = 1 << 10;
/// Which part of a thread's registers may hold elements.
const HELD_PART: i64 = 4;
/// Bytes of a register.
const WORD_BYTES: i64 = 4;

/// How rows are spread.
pub struct Shape {
    /// Threads of a block.
    pub(super) threads: i64,
    /// Blocks that work on the same rows: a cluster.
    pub(super) blocks: i64,
    /// Rows of a team.
    pub(super) rows: i64,
    /// Accesses of a thread in each row that stay in its registers.
    pub(super) held: i64,
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
            || in_registers.is_none_or(registers::Shape::is_shared);
        if !is_long || is_reduced_once(kernel) || is_few(kernel) {
            return None;
        }
        if shape.row_bytes() >= LONG_ROW {
            shape.threads = LONG_TEAM;
        } else if reads_columns(kernel) && count % ROWS == 0 {
            shape.rows = ROWS;
        }
        let is_crowded = |shape: &Self| shape.held_to_share(features).is_none();
        while features.clusters && shape.blocks < cluster::LARGEST && (is_crowded(&shape) || count * shape.blocks < FEW_ROWS) {
            shape.blocks *= 2;
            shape.threads = if shape.block_bytes() > LONG_ROW { SHARED_TEAM } else { THREADS };
        }
        shape.held = shape.held_to_share(features).unwrap_or(0);
        shape.fits(features).then_some(shape)
    }

    /// How many accesses of each thread in a row have to stay in registers for a processor to have room for [`RESIDENT`] blocks;
    /// none if these would be too many.
    fn held_to_share(&self, features: Features) -> Option<i64> {
        let most = REGISTERS / (RESIDENT * self.threads) / HELD_PART;
        let with = |held: i64| Self { held, ..*self };
        let words = |shape: &Self| shape.held * shape.width * shape.bytes * shape.rows / WORD_BYTES;
        let mut shapes = (0..).map(with).take_while(|shape| shape.held_fits() && words(shape) <= most);
        shapes.find(|shape| shape.resident_blocks(features) >= RESIDENT).map(|shape| shape.held)
    }

    /// Blocks that a processor has workgroup memory for.
    fn resident_blocks(&self, features: Features) -> i64 {
        features.workgroup_bytes / (self.block_bytes() + SPENT)
    }

    /// The shape that a schedule's text asks for; none if it fits no such rows.
    pub fn asked(kernel: &Kernel<'_>, features: Features, text: &str) -> Option<Self> {
        let asked = Asked::of(text, "staged")?;
        let (threads, blocks, rows) = (asked.number("threads")?, asked.number("blocks").unwrap_or(1), asked.number("rows").unwrap_or(1));
        let mut shape = Self::new(kernel, features, (threads, blocks, rows))?;
        shape.held = asked.number("held").unwrap_or(0);
        let legal = (32..=1024).contains(&threads)
            && threads % 32 == 0
            && is_power_up_to(blocks, cluster::LARGEST)
            && (blocks == 1 || features.clusters)
            && (1..=MOST_ROWS).contains(&rows)
            && shape.held_fits();
        let fits = legal && shape.fits(features) && known_product(&kernel.rows()).is_some_and(|count| count % rows == 0);
        fits.then_some(shape)
    }

    fn new(kernel: &Kernel<'_>, features: Features, (threads, blocks, rows): (i64, i64, i64)) -> Option<Self> {
        let Access { width, accesses, shifted } = Access::of(kernel)?;
        let bytes = place_bytes(kernel, features, width).filter(|_| !shifted)?;
        Some(Self { threads, blocks, rows, held: 0, width, accesses, bytes })
    }

    /// Whether a team is so small that a processor has some of them.
    pub(super) fn is_small_team(&self) -> bool {
        self.threads <= THREADS && self.blocks == 1
    }

    /// Accesses of a block in a row.
    pub(super) fn segment(&self) -> i64 {
        pieces(self.accesses, self.blocks)
    }

    /// Accesses of a block in a row that stay in registers.
    pub(super) fn held_accesses(&self) -> i64 {
        self.threads * self.held
    }

    /// Room for elements of a block in a row.
    pub(super) fn row_slots(&self) -> i64 {
        (self.segment() - self.held_accesses()) * self.width
    }

    /// Whether each thread has as many accesses as it should hold.
    fn held_fits(&self) -> bool {
        let is_possible = (0..=MOST_HELD).contains(&self.held) && self.held * self.width * self.rows <= MOST_HELD;
        is_possible && (self.held == 0 || self.accesses % self.blocks == 0 && self.held_accesses() <= self.segment())
    }

    /// Blocks that should fit into a processor at the same time, as their workgroup memory does; none where registers do not
    /// matter.
    pub fn resident(&self, features: Features) -> Option<i64> {
        (self.held > 0).then(|| self.resident_blocks(features).max(1))
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
        let Self { threads, blocks, rows, held, width, .. } = self;
        write!(f, "threads={threads} blocks={blocks} rows={rows} width={width} bytes={}", self.block_bytes())?;
        if *held > 0 { write!(f, " held={held}") } else { Ok(()) }
    }
}
