//! Register tiles: how many results are summed at a time.

use fx_ir::Type;

use super::tiled::FEW_ROWS;
use crate::kernel::Size;

/// What an unknown size counts as.
const LARGE: i64 = 1024;

/// Sizes of a register tile: `rows` x `vectors` sums, each of `lanes` numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Rows.
    pub rows: i64,
    /// Numbers of a vector.
    pub lanes: i64,
    /// Vectors of a row.
    pub vectors: i64,
}

/// Numbers of a vector: there are 32 registers of 64 bytes, or else 16 of 32 bytes.
pub fn lanes(element: Type<'_>, wide: bool) -> i64 {
    let bytes = if wide { 64 } else { 32 };
    bytes / i64::from(element.bit_width() / 8)
}

/// At most `most` rows of `m`: as many as divide it, or else as even as it gets: 9 rows are 5 + 4, not 8 + 1. Of many rows,
/// the last few do not count.
pub fn even(m: Size, most: i64) -> i64 {
    let Size::Known(m) = m else { return most };
    if let Some(rows) = (most - most / 4..=most).rev().find(|rows| *rows > 0 && m > 0 && m % rows == 0) {
        return rows;
    }
    if (1..most * 8).contains(&m) {
        let tiles = (m + most - 1) / most;
        return (m + tiles - 1) / tiles;
    }
    most
}

/// Most rows of a tile with 1, 2, .. vectors in a row, as registers go.
const MOST_ROWS: [&[i64]; 2] = [&[8, 6], &[12, 12, 8, 6]];
/// What rows that are cut off cost: their addresses are no constants (measured on convolutions).
const UNEVEN_PERCENT: i128 = 5;

impl Tile {
    /// The tile for `m` rows that share the second factor and rows of `n` numbers.
    ///
    /// A product of a tile takes `rows * vectors` multiply-adds, `vectors` loads and `rows` broadcasts. The tile is the one
    /// with the fewest of them for all results, places beyond the last row and column included.
    pub fn of(element: Type<'_>, m: Size, n: Size, wide: bool) -> Self {
        let lanes = lanes(element, wide);
        let in_tiles = |size: Size, of: i64| if let Size::Known(size) = size { (size.max(1) + of - 1) / of } else { 1 + LARGE / of };
        let tiles = (1..).zip(MOST_ROWS[usize::from(wide)]).map(|(vectors, rows)| Self { rows: even(m, *rows), lanes, vectors });
        let cost = |tile: &Self| {
            let instructions = tile.rows * tile.vectors + tile.rows + tile.vectors;
            let count = in_tiles(m, tile.rows).saturating_mul(in_tiles(n, tile.columns()));
            let uneven = !matches!(m, Size::Known(m) if m % tile.rows == 0);
            i128::from(count) * i128::from(instructions) * if uneven { 100 + UNEVEN_PERCENT } else { 100 }
        };
        tiles.min_by_key(cost).unwrap_or(Self { rows: 1, lanes, vectors: 1 })
    }

    /// The tile where the second factor comes from memory: what counts is how much of it is asked for at a time, and few rows
    /// leave registers for more vectors.
    pub fn streamed(element: Type<'_>, m: Size, n: Size, wide: bool) -> Self {
        let (rows, vectors) = match m {
            Size::Known(0 | 1) => (1, 4),
            Size::Known(m) if m <= FEW_ROWS => (m, if wide { 4 } else { 2 }),
            _ => (even(m, if wide { 8 } else { 6 }), 2),
        };
        let lanes = lanes(element, wide);
        let needed = if let Size::Known(n) = n { (n.max(1) + lanes - 1) / lanes } else { i64::MAX };
        Self { rows, lanes, vectors: vectors.min(needed).max(1) }
    }

    /// Results of a row of the tile.
    pub fn columns(self) -> i64 {
        self.lanes * self.vectors
    }
}
