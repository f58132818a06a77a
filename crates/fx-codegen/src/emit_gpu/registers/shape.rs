//! How many threads share a row, and what each of them reads.

use std::fmt;

use super::super::asked::{Asked, is_power_up_to};
use super::super::map::{ACCESS_BYTES, access_width, column_tensors, divisor, full_tensors};
use super::super::{Features, MOST_HELD, REGISTERS, THREADS, WARP, known_product};
use super::columns;
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};
use crate::team::cluster;

/// Teams, smallest first: threads, blocks, the most accesses of a thread, and the most elements it holds.
const TEAMS: &[(i64, i64, i64, i64)] = &[
    (8, 1, 2, 16),
    (16, 1, 2, 16),
    (32, 1, 2, 16),
    (64, 1, 2, 16),
    (128, 1, 2, 16),
    (256, 1, 2, 16),
    (512, 1, 4, 32),
    (1024, 1, 8, 32),
    (256, 4, 16, 64),
    (256, 8, 16, 64),
    (256, cluster::LARGEST, 16, 64),
];
/// The same for rows that start anywhere: masks of the first and last accesses weigh less where a thread has many.
const SHIFTED_TEAMS: &[(i64, i64, i64, i64)] = &[(32, 1, 4, 32), (64, 1, 4, 32), (128, 1, 9, 72), (256, 1, 9, 72), (512, 1, 9, 72)];
/// The same for 16-bit elements that are kept as they were loaded.
const PACKED_TEAMS: &[(i64, i64, i64, i64)] = &[(512, 1, 16, 128), (512, 2, 16, 128), (512, 4, 16, 128), (512, 8, 16, 128)];
/// The same for 16-bit rows of one tensor, where something is read by column besides.
const COLUMN_TEAM: (i64, i64, i64, i64) = (128, 1, 8, 64);
/// Most elements of a thread where an access is one element.
const SINGLE_ELEMENTS: i64 = 16;
/// Blocks that share a row where rows are so few that processors would have none.
const FEW_ROWS_BLOCKS: i64 = 8;
/// Rows, each of several blocks, that are few; see [`FEW_ROWS_BLOCKS`]. GPUs have about as many processors.
const FEW_BLOCKS: i64 = 128;
/// Rows that are shared in this way are at least so long that each of their blocks has some accesses for each thread.
const SHARED_ACCESSES: i64 = FEW_ROWS_BLOCKS * THREADS;

/// Registers of a thread beside those of its elements.
const OTHER_REGISTERS: i64 = 32;
/// The same where something is read by column.
const COLUMN_REGISTERS: i64 = 56;
/// More blocks than these need not be asked for.
const MOST_RESIDENT: i64 = 4;
/// See [`MOST_RESIDENT`]: what a processor has at most.
const MOST_ASKED: i64 = 32;
/// Elements of rows whose first and last accesses are worth masks.
const SHORTEST_SHIFTED: i64 = 128;

/// How a row is spread.
pub struct Shape {
    /// Threads of a block that work on the row.
    pub(super) threads: i64,
    /// Blocks that work on the row: a cluster.
    pub(super) blocks: i64,
    /// Elements of an access.
    pub(super) width: i64,
    /// Accesses of a thread.
    pub(super) turns: i64,
    /// Accesses of a row.
    pub(super) accesses: i64,
    /// Whether only what was loaded is kept, as in `eval/held.rs`.
    pub(super) packed: bool,
    /// Whether accesses start at multiples of their size in memory, not in the row: then a row's first and last ones reach
    /// into its neighbours.
    pub(super) shifted: bool,
    /// Blocks that a schedule asks a processor to have room for.
    asked: Option<i64>,
}

impl Shape {
    /// The shape for a kernel's rows; none if they are not known, not contiguous, or too long.
    pub fn of(kernel: &Kernel<'_>, features: Features) -> Option<Self> {
        let access = Access::of(kernel)?;
        let Access { width, accesses, .. } = access;
        let is_half = access_width(kernel) * 2 == ACCESS_BYTES;
        // Rows that are only reduced, and once, need not stay.
        let once = is_reduced_once(kernel);
        let most = if is_half || once { 512 } else { i64::MAX };
        // What is read by column is read last: threads that have more to do wait less for it.
        let columns = if is_half && full_tensors(kernel).len() == 1 { COLUMN_TEAM } else { (THREADS, 1, 4, 32) };
        let columns = (reads_columns(kernel) && accesses > THREADS * 2).then_some((false, columns));
        let shifted = if access.shifted { SHIFTED_TEAMS } else { &[] };
        let teams = shifted.iter().chain(TEAMS).map(|team| (false, *team));
        let teams = columns.into_iter().chain(teams).filter(|(_, (threads, blocks, ..))| threads * blocks <= most);
        let packed = PACKED_TEAMS.iter().map(|team| (true, *team)).filter(|_| is_half && !once && width > 1);
        let shared = (THREADS, FEW_ROWS_BLOCKS, 16, if is_half { 32 } else { 64 });
        let shared = (is_few(kernel) && accesses >= SHARED_ACCESSES).then_some((false, shared));
        let fits = |(_, (threads, blocks, most, elements)): &(bool, (i64, i64, i64, i64))| {
            let turns = pieces(accesses, threads * blocks);
            let most = if width < 4 { SINGLE_ELEMENTS / width } else { *most };
            turns <= most && turns * width <= *elements && (*blocks == 1 || features.clusters)
        };
        let (packed, (threads, blocks, ..)) = shared.into_iter().chain(teams).chain(packed).find(fits)?;
        let mut shape = Self::new(&access, threads, blocks, packed);
        if threads > 32 && blocks == 1 {
            // as few warps as do it in so many turns
            shape.threads = pieces(pieces(accesses, shape.turns), 32) * 32;
        }
        Some(shape)
    }

    /// The shape that a schedule's text asks for; none if it fits no such rows.
    pub fn asked(kernel: &Kernel<'_>, features: Features, text: &str) -> Option<Self> {
        let asked = Asked::of(text, "registers")?;
        let access = Access::of(kernel)?;
        let (threads, blocks, resident) = (asked.number("threads")?, asked.number("blocks").unwrap_or(1), asked.number("resident"));
        let are_warps = threads % WARP == 0 && (WARP..=1024).contains(&threads);
        let legal = (are_warps || is_power_up_to(threads, WARP) && threads >= 8)
            && is_power_up_to(blocks, cluster::LARGEST)
            && (blocks == 1 || threads > WARP && features.clusters)
            && resident.is_none_or(|resident| (1..=MOST_ASKED).contains(&resident));
        if !legal {
            return None;
        }
        let shape = Self { asked: resident, ..Self::new(&access, threads, blocks, asked.has("packed")) };
        (shape.turns * access.width <= MOST_HELD).then_some(shape)
    }

    fn new(access: &Access, threads: i64, blocks: i64, packed: bool) -> Self {
        let Access { width, accesses, shifted } = *access;
        let turns = pieces(accesses, threads * blocks);
        Self { threads, blocks, width, turns, accesses, packed, shifted, asked: None }
    }

    /// Blocks that should fit into a processor at the same time, by the registers that elements take; none where the assembler
    /// finds it by itself.
    pub fn resident(&self, kernel: &Kernel<'_>) -> Option<i64> {
        if self.asked.is_some() || !self.packed && !self.shifted && self.blocks == 1 {
            return self.asked;
        }
        let elements = self.turns * self.width;
        let others = if reads_columns(kernel) { COLUMN_REGISTERS } else { OTHER_REGISTERS };
        let registers = if self.packed { elements / 2 } else { elements } + others;
        Some((REGISTERS / (registers * self.threads * self.rows())).clamp(1, MOST_RESIDENT))
    }

    /// Whether few threads have much of a row each, so that they need not wait long for what is read by column.
    pub fn is_column_team(&self) -> bool {
        (self.threads, self.blocks, self.turns) == (COLUMN_TEAM.0, COLUMN_TEAM.1, COLUMN_TEAM.2)
    }

    /// Whether blocks share a row.
    pub fn is_shared(&self) -> bool {
        self.blocks > 1
    }

    /// Rows of a block.
    pub(super) fn rows(&self) -> i64 {
        if self.threads > 32 { 1 } else { THREADS / self.threads }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, blocks, width, turns, packed, shifted, .. } = self;
        write!(f, "threads={threads} accesses={turns} width={width} rows={}", self.rows())?;
        if *blocks > 1 {
            write!(f, " blocks={blocks}")?;
        }
        if *shifted {
            f.write_str(" shifted")?;
        }
        if *packed { f.write_str(" packed") } else { Ok(()) }
    }
}

/// Whether rows are so few that several processors should share one.
pub fn is_few(kernel: &Kernel<'_>) -> bool {
    known_product(&kernel.rows()).is_some_and(|rows| rows * FEW_ROWS_BLOCKS <= FEW_BLOCKS)
}

/// Whether rows are only reduced, and once: they need not stay.
pub fn is_reduced_once(kernel: &Kernel<'_>) -> bool {
    let reductions = kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction).count();
    reductions == 1 && kernel.result_dims.iter().all(|dims| *dims != kernel.space)
}

/// Whether a kernel reads tensors that have an element per column of its rows.
pub fn reads_columns(kernel: &Kernel<'_>) -> bool {
    !column_tensors(kernel).is_empty()
}

/// How many pieces of `per` make up `size`.
pub fn pieces(size: i64, per: i64) -> i64 {
    (size + per - 1) / per
}

/// How a row of a known length is read.
pub struct Access {
    /// Elements of an access.
    pub width: i64,
    /// Accesses of a row.
    pub accesses: i64,
    /// Whether they start at multiples of their size in memory, not in the row.
    pub shifted: bool,
}

impl Access {
    /// That of a kernel's rows; none if their length is not known, or they are not contiguous.
    pub fn of(kernel: &Kernel<'_>) -> Option<Self> {
        if !kernel.has_rows() || !kernel.reduced.is_sorted() {
            return None;
        }
        let inner = kernel.inner();
        let (length, Some(Size::Known(last))) = (known_product(&inner)?, inner.last()) else { return None };
        if length < 2 {
            return None;
        }
        let most = access_width(kernel);
        let width = divisor(*last, most);
        // The last access of all must not reach beyond the tensor.
        let whole = (!reads_columns(kernel) || columns::are_movable(kernel, most))
            && known_product(&kernel.space).is_some_and(|total| total % most == 0);
        if width < most && whole && length >= SHORTEST_SHIFTED {
            return Some(Self { width: most, accesses: (length + 2 * most - 2) / most, shifted: true });
        }
        Some(Self { width, accesses: length / width, shifted: false })
    }
}
