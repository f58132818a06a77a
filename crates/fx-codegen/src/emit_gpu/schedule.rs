//! Which schedule a kernel gets: by its shape alone, so that it is the same everywhere.
//!
//! | kernel | schedule |
//! | --- | --- |
//! | a matrix product | tiles in workgroup memory (`contract_gpu`) |
//! | something goes to computed places | a thread for some neighbouring elements, sent together (`scatter`) |
//! | rows are sorted | a team a row, which lies in its registers (`sort`) |
//! | scans along contiguous rows | a team a row, which takes a stretch of it at a time (`scans`) |
//! | other scans | a thread a row, which walks along it (`scans`) |
//! | no reduction, and something is read across its rows | a block for a square tile of elements (`tiles`) |
//! | no reduction | a thread for some neighbouring elements (`map`) |
//! | reductions over contiguous rows of a known length that fits into registers | a team a row, read once (`registers`) |
//! | the same, of a length that a run knows | a warp or a block a row, read once if it fits into workgroup memory (`staged`) |
//! | such rows that are longer | a team a row, read once into workgroup memory (`staged`) |
//! | other reductions by associative ops | a team a row, which reads it for each reduction (`teams`) |
//! | any other reduction, and very short rows | a thread a row (`rows`) |

use std::fmt;

use super::registers::Shape;
use super::teams::{TeamReduction, reductions, team_threads};
use super::tiles::Tile;
use super::{Features, map, scans, scatter, sort, staged};
use crate::contract_gpu;
use crate::contraction::Contraction;
use crate::kernel::Kernel;
use crate::scan::Scan;
use crate::sort::Sort;

/// How a kernel's work is spread over threads.
pub enum Schedule<'c> {
    /// A matrix product in tiles.
    Product(Contraction<'c>),
    /// A thread for some neighbouring elements: how many.
    Elements {
        /// Elements of a thread.
        width: i64,
        /// Whether they are of one row.
        in_row: bool,
    },
    /// The same, where something goes to computed places.
    Scatter {
        /// Elements of a thread.
        width: i64,
        /// Whether they are of one row.
        in_row: bool,
    },
    /// A team for a row that is sorted.
    Sort {
        /// How the row is spread.
        shape: sort::Shape,
        /// What is sorted.
        sort: Sort<'c>,
    },
    /// A block for a tile of the last loop and another one.
    Tiles(Tile<'c>),
    /// A team for a row, which lies in its registers.
    Registers {
        /// How the row is spread.
        shape: Shape,
        /// What the team computes together.
        reductions: Vec<TeamReduction<'c>>,
    },
    /// A team for some rows, which lie in its workgroup memory.
    Staged {
        /// How rows are spread.
        shape: staged::Shape,
        /// What the team computes together.
        reductions: Vec<TeamReduction<'c>>,
    },
    /// A warp or a block for a row of a length that a run knows, in workgroup memory if it fits there.
    StagedDynamic {
        /// What rows take there.
        room: staged::Room,
        /// What the team computes together.
        reductions: Vec<TeamReduction<'c>>,
    },
    /// A team for a row, which reads it again and again.
    Teams {
        /// Threads of a team.
        threads: i64,
        /// What the team computes together.
        reductions: Vec<TeamReduction<'c>>,
    },
    /// Scans along each row.
    Scans {
        /// How a row is spread over a team; none for a thread a row.
        shape: Option<scans::Shape>,
        /// The scans, in order.
        scans: Vec<Scan<'c>>,
    },
    /// A thread for a row.
    Rows,
}

impl<'c> Schedule<'c> {
    /// A kernel's schedule: what its function's `fx.schedule` asks for, if that fits its rows.
    pub fn of(kernel: &Kernel<'c>, features: Features) -> Self {
        if !scatter::scatters(kernel).is_empty() {
            let (width, in_row) = scatter::elements_of_thread(kernel);
            return Self::Scatter { width, in_row };
        }
        if let Some(sort) = Sort::of_kernel(kernel) {
            return Self::Sort { shape: sort::Shape::of(sort), sort };
        }
        let scans = Scan::all(kernel);
        if !scans.is_empty() {
            return Self::Scans { shape: scans::Shape::of(kernel, &scans), scans };
        }
        if let Some(product) = Contraction::of(kernel).filter(|contraction| contract_gpu::pays(kernel, contraction)) {
            return Self::Product(product);
        }
        if !kernel.has_rows() {
            let (width, in_row) = map::width(kernel);
            return Tile::of(kernel).map_or(Self::Elements { width, in_row }, Self::Tiles);
        }
        match reductions(kernel) {
            Some(reductions) => Self::of_rows(kernel, features, reductions),
            None => Self::Rows,
        }
    }

    /// Blocks that should fit into a processor at the same time; none where the assembler finds it by itself.
    pub fn resident(&self, kernel: &Kernel<'c>, features: Features) -> Option<i64> {
        match self {
            Self::Registers { shape, .. } => shape.resident(kernel),
            Self::Staged { shape, .. } => shape.resident(features),
            _ => None,
        }
    }

    fn of_rows(kernel: &Kernel<'c>, features: Features, reductions: Vec<TeamReduction<'c>>) -> Self {
        if let Some(text) = kernel.op.text("fx.schedule") {
            if let Some(shape) = Shape::asked(kernel, features, text) {
                return Self::Registers { shape, reductions };
            }
            if let Some(shape) = staged::Shape::asked(kernel, features, text) {
                return Self::Staged { shape, reductions };
            }
        }
        let in_registers = Shape::of(kernel, features);
        if let Some(shape) = staged::Shape::of(kernel, features, in_registers.as_ref()) {
            return Self::Staged { shape, reductions };
        }
        if let Some(room) = staged::Room::of(kernel, features) {
            return Self::StagedDynamic { room, reductions };
        }
        match (in_registers, team_threads(kernel)) {
            (Some(shape), _) => Self::Registers { shape, reductions },
            (None, Some(threads)) => Self::Teams { threads, reductions },
            (None, None) => Self::Rows,
        }
    }
}

impl fmt::Display for Schedule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Product(_) => f.write_str("product"),
            Self::Elements { width, .. } => write!(f, "elements width={width}"),
            Self::Scatter { width, .. } => write!(f, "scatter width={width}"),
            Self::Sort { shape, .. } => write!(f, "sort {shape}"),
            Self::Tiles(tile) => write!(f, "tiles side={} across dim {}", tile.side(), tile.down()),
            Self::Registers { shape, .. } => write!(f, "registers {shape}"),
            Self::Staged { shape, .. } => write!(f, "staged {shape}"),
            Self::StagedDynamic { room, .. } => write!(f, "staged {room}"),
            Self::Teams { threads, .. } => write!(f, "teams threads={threads}"),
            Self::Scans { shape: Some(shape), .. } => write!(f, "scans {shape}"),
            Self::Scans { shape: None, .. } => f.write_str("scans rows"),
            Self::Rows => f.write_str("rows"),
        }
    }
}
