//! Register tiles: how many results are summed at a time.

use fx_ir::Type;

use crate::kernel::Size;

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
fn lanes(element: Type<'_>, wide: bool) -> i64 {
    let bytes = if wide { 64 } else { 32 };
    bytes / i64::from(element.bit_width() / 8)
}

/// At most `most` rows of `m`, as even as it gets: 9 rows are 5 + 4, not 8 + 1. Of many rows, the last few do not count.
fn even(m: Size, most: i64) -> i64 {
    match m {
        Size::Known(m) if (1..most * 8).contains(&m) => {
            let tiles = (m + most - 1) / most;
            (m + tiles - 1) / tiles
        }
        _ => most,
    }
}

impl Tile {
    /// The tile of packed operands: 8 x 2 vectors where there are 32 registers, 6 x 2 where there are 16.
    pub fn packed(element: Type<'_>, m: Size, wide: bool) -> Self {
        Self { rows: even(m, if wide { 8 } else { 6 }), lanes: lanes(element, wide), vectors: 2 }
    }

    /// The tile for `m` rows that share the second factor and rows of `n` numbers, read where they lie: few rows leave
    /// registers for more vectors, short rows for more rows.
    pub fn direct(element: Type<'_>, m: Size, n: Size, wide: bool) -> Self {
        let lanes = lanes(element, wide);
        let needed = if let Size::Known(n) = n { (n.max(1) + lanes - 1) / lanes } else { i64::MAX };
        let rows = |most: i64| even(m, most);
        let (rows, vectors) = match m {
            Size::Known(0 | 1) => (1, 4),
            Size::Known(m) if m <= 4 => (m, if wide { 4 } else { 2 }),
            _ if needed == 1 => (rows(if wide { 12 } else { 8 }), 1),
            _ => (rows(if wide { 8 } else { 6 }), 2),
        };
        Self { rows, lanes, vectors: vectors.min(needed).max(1) }
    }

    /// Results of a row of the tile.
    pub fn columns(self) -> i64 {
        self.lanes * self.vectors
    }
}
