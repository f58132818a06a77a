//! Grids of points of affine maps.

use super::check_shape;
use crate::Result;
use crate::array::{Array, indices};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.affine_grid_generator", generate), ("fx.affine_grid_generator_backward", backward)];

/// The points of a regular grid over [-1, 1].
struct Grid {
    batch: usize,
    /// Sizes of the spatial dims: (D,) H, W.
    sizes: Vec<usize>,
    align_corners: bool,
}

impl Grid {
    fn of(call: &Call<'_>) -> Result<Self> {
        match &call.shape("size")?[..] {
            [batch, _, sizes @ ..] if matches!(sizes.len(), 2 | 3) => {
                Ok(Grid { batch: *batch, sizes: sizes.to_vec(), align_corners: call.bool("align_corners") })
            }
            size => Err(format!("has size {size:?}")),
        }
    }

    fn spatial(&self) -> usize {
        self.sizes.len()
    }

    /// Shape of the grid.
    fn shape(&self) -> Vec<usize> {
        [&[self.batch][..], &self.sizes, &[self.spatial()]].concat()
    }

    /// Shape of the maps.
    fn maps(&self) -> [usize; 3] {
        [self.batch, self.spatial(), self.spatial() + 1]
    }

    /// Coordinate `j` of (x, y(, z), 1) of a point: -1 and 1 are the centres of the first and last elements, or their
    /// outer edges. A single element lies at 0.
    fn coordinate(&self, point: &[usize], j: usize) -> f64 {
        let Some(d) = self.spatial().checked_sub(j + 1) else { return 1.0 };
        let (i, size) = (point[d] as f64, self.sizes[d] as f64);
        if size <= 1.0 {
            return 0.0;
        }
        let line = 2.0 * i / (size - 1.0) - 1.0;
        if self.align_corners { line } else { line * (size - 1.0) / size }
    }
}

/// `y[n, p, i] = Σ_j theta[n, i, j] (x, y(, z), 1)[j]`
fn generate(call: &Call<'_>) -> Result<Vec<Value>> {
    let (theta, grid) = (call.array("theta")?, Grid::of(call)?);
    check_shape("theta", theta, &grid.maps())?;
    let (values, n) = (theta.values::<f64>(), grid.spatial());
    one(Array::from_fn(call.result_dtype(0)?, &grid.shape(), |index| {
        let row = (index[0] * n + index[n + 1]) * (n + 1);
        (0..=n).map(|j| values[row + j] * grid.coordinate(&index[1..=n], j)).sum::<f64>()
    })?)
}

/// `y[n, i, j] = Σ_p grad[n, p, i] (x, y(, z), 1)[j]`
fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (grad, grid) = (call.array("grad")?, Grid::of(call)?);
    check_shape("grad", grad, &grid.shape())?;
    let n = grid.spatial();
    let mut sums = vec![0.0; grid.maps().iter().product()];
    for (index, g) in indices(grad.shape()).zip(grad.values::<f64>()) {
        for j in 0..=n {
            sums[(index[0] * n + index[n + 1]) * (n + 1) + j] += g * grid.coordinate(&index[1..=n], j);
        }
    }
    one(Array::new(call.result_dtype(0)?, &grid.maps(), sums)?)
}
