//! Sampling at the points of a grid, and its gradients (ATen/native/GridSampler.h).
//!
//! A point reads a few elements along each dim, with weights that depend on its coordinate: the weight of a corner is
//! the product, and the slopes of the weights give the gradient with respect to the grid.

use super::filters::keys;
use super::{check_shape, nothing};
use crate::Result;
use crate::array::{Array, DType, element_count, indices, ravel, round_float};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.grid_sampler", forward), ("fx.grid_sampler_backward", backward)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    Linear,
    Nearest,
    Cubic,
}

/// What lies beyond the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    Zeros,
    Border,
    Reflection,
}

/// What a point reads along a dim.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tap {
    /// None for a zero beyond the ends.
    pub place: Option<usize>,
    pub weight: f64,
    /// Derivative of the weight by the coordinate.
    pub slope: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sampler {
    pub interpolation: Interpolation,
    pub beyond: Beyond,
    pub align_corners: bool,
    /// Type of the grid's coordinates.
    pub dtype: DType,
}

impl Sampler {
    fn of(call: &Call<'_>) -> Result<Self> {
        let interpolation = match call.int("interpolation_mode")? {
            0 => Interpolation::Linear,
            1 => Interpolation::Nearest,
            2 => Interpolation::Cubic,
            mode => return Err(format!("has interpolation mode {mode}")),
        };
        let beyond = match call.int("padding_mode")? {
            0 => Beyond::Zeros,
            1 => Beyond::Border,
            2 => Beyond::Reflection,
            mode => return Err(format!("has padding mode {mode}")),
        };
        Ok(Sampler { interpolation, beyond, align_corners: call.bool("align_corners"), dtype: call.array("grid")?.dtype() })
    }

    /// Rounds as PyTorch does on the way to the nearest element, which jumps; other weights are exact.
    fn round(&self, x: f64) -> f64 {
        match (self.interpolation, self.dtype) {
            (Interpolation::Nearest, dtype) if dtype != DType::F64 => round_float(DType::F32, x),
            _ => x,
        }
    }

    /// The position of a coordinate among `size` elements, and its derivative.
    fn position(&self, coordinate: f64, size: f64) -> (f64, f64) {
        let shifted = self.round(coordinate + 1.0);
        if self.align_corners {
            (self.round(shifted * ((size - 1.0) / 2.0)), (size - 1.0) / 2.0)
        } else {
            (self.round(self.round(shifted * (size / 2.0)) - 0.5), size / 2.0)
        }
    }

    /// A position brought into the dim, and the derivative: 0 at and beyond the borders.
    fn inside(&self, position: f64, size: f64) -> (f64, f64) {
        match self.beyond {
            Beyond::Zeros => (position, 1.0),
            Beyond::Border => clipped(position, size),
            Beyond::Reflection => {
                let (reflected, sign) = self.reflected(position, size);
                let (place, slope) = clipped(reflected, size);
                (place, slope * sign)
            }
        }
    }

    /// Reflected at the centres of the first and last elements, or at their outer edges.
    fn reflected(&self, position: f64, size: f64) -> (f64, f64) {
        let (low, span) = if self.align_corners { (0.0, size - 1.0) } else { (-0.5, size) };
        if span <= 0.0 {
            return (0.0, 0.0);
        }
        let distance = self.round(position - low);
        let extra = distance.abs() % (2.0 * span);
        let flipped = extra > 2.0 * span - extra;
        let place = if flipped { self.round(2.0 * span - extra) } else { extra };
        let sign = if flipped != (distance < 0.0) { -1.0 } else { 1.0 };
        (self.round(place + low), sign)
    }

    /// What a coordinate reads of a dim.
    pub fn taps(&self, coordinate: f64, size: usize) -> Vec<Tap> {
        let size = size as f64;
        let (raw, scale) = self.position(coordinate, size);
        let place = |position: f64| if position >= 0.0 && position < size { Some(position as usize) } else { None };
        if self.interpolation == Interpolation::Cubic {
            // the elements are brought into the dim, not the position
            let tap = |j: i32| {
                let d = raw - raw.floor() - f64::from(j);
                let (position, _) = self.inside(raw.floor() + f64::from(j), size);
                Tap { place: place(position), weight: keys(d, -0.75), slope: keys_slope(d, -0.75) * scale }
            };
            return (-1..=2).map(tap).collect();
        }
        let (position, slope) = self.inside(raw, size);
        if self.interpolation == Interpolation::Nearest {
            return vec![Tap { place: place(position.round_ties_even()), weight: 1.0, slope: 0.0 }];
        }
        let (before, slope) = (position.floor(), slope * scale);
        let t = position - before;
        vec![Tap { place: place(before), weight: 1.0 - t, slope: -slope }, Tap { place: place(before + 1.0), weight: t, slope }]
    }
}

/// The nearest position in [0, size - 1]; the first for NaN.
fn clipped(position: f64, size: f64) -> (f64, f64) {
    let inner = position > 0.0 && position < size - 1.0;
    (position.max(0.0).min(size - 1.0), if inner { 1.0 } else { 0.0 })
}

/// The derivative of [`keys`].
fn keys_slope(x: f64, a: f64) -> f64 {
    let (sign, x) = (1f64.copysign(x), x.abs());
    let slope = if x < 1.0 {
        (3.0 * (a + 2.0) * x - 2.0 * (a + 3.0)) * x
    } else if x < 2.0 {
        (3.0 * a * x - 10.0 * a) * x + 8.0 * a
    } else {
        0.0
    };
    sign * slope
}

/// An element that a point reads.
struct Corner {
    /// In the flattened spatial dims.
    place: Option<usize>,
    weight: f64,
    /// Derivatives of the weight by the coordinates, from the first dim's on.
    slopes: Vec<f64>,
}

/// What a point reads; its last coordinate is that of the first dim.
fn corners(sampler: &Sampler, point: &[f64], sizes: &[usize]) -> Vec<Corner> {
    let mut corners = vec![Corner { place: Some(0), weight: 1.0, slopes: Vec::new() }];
    for (coordinate, size) in point.iter().rev().zip(sizes) {
        let taps = sampler.taps(*coordinate, *size);
        let with = |corner: &Corner, tap: &Tap| {
            let mut slopes: Vec<f64> = corner.slopes.iter().map(|slope| slope * tap.weight).collect();
            slopes.push(corner.weight * tap.slope);
            let place = corner.place.zip(tap.place).map(|(corner, tap)| corner * size + tap);
            Corner { place, weight: corner.weight * tap.weight, slopes }
        };
        corners = corners.iter().flat_map(|corner| taps.iter().map(move |tap| with(corner, tap))).collect();
    }
    corners
}

/// The shapes of a sampling.
struct Shapes {
    channels: usize,
    /// Spatial dims of the input.
    sizes: Vec<usize>,
    /// Of the result.
    output: Vec<usize>,
}

impl Shapes {
    fn of(input: &Array, grid: &Array) -> Result<Self> {
        let wrong = || format!("has an input of shape {:?} and a grid of shape {:?}", input.shape(), grid.shape());
        let ([batch, channels, sizes @ ..], [other, points @ .., coordinates]) = (input.shape(), grid.shape()) else { return Err(wrong()) };
        let spatial = sizes.len();
        if batch != other || points.len() != spatial || *coordinates != spatial || !(2..=3).contains(&spatial) {
            return Err(wrong());
        }
        let output = [&[*batch, *channels][..], points].concat();
        element_count(&output)?;
        Ok(Shapes { channels: *channels, sizes: sizes.to_vec(), output })
    }

    /// Calls `f` with each point's number, its corners, and the places of its elements in the result and of the
    /// planes they come from, by channel.
    fn for_each_point(&self, sampler: &Sampler, grid: &Array, mut f: impl FnMut(usize, &[Corner], &[(usize, usize)])) {
        let (values, spatial) = (grid.values::<f64>(), self.sizes.len());
        let size: usize = self.sizes.iter().product();
        let points: Vec<usize> = [&self.output[..1], &self.output[2..]].concat();
        for (number, index) in indices(&points).enumerate() {
            let corners = corners(sampler, &values[number * spatial..(number + 1) * spatial], &self.sizes);
            let planes: Vec<(usize, usize)> = (0..self.channels)
                .filter_map(|c| {
                    let at = ravel(&[&[index[0], c][..], &index[1..]].concat(), &self.output)?;
                    Some((at, (index[0] * self.channels + c) * size))
                })
                .collect();
            f(number, &corners, &planes);
        }
    }
}

fn forward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, grid, sampler) = (call.array("input")?, call.array("grid")?, Sampler::of(call)?);
    let shapes = Shapes::of(input, grid)?;
    let values = input.values::<f64>();
    let mut results = vec![0.0; element_count(&shapes.output)?];
    // over two dims, PyTorch multiplies zeros beyond the ends by their weights, which may be NaN; over three it does not
    let zeros_count = shapes.sizes.len() == 2 && sampler.interpolation != Interpolation::Nearest;
    shapes.for_each_point(&sampler, grid, |_, corners, planes| {
        for (at, plane) in planes {
            let term = |corner: &Corner| match corner.place {
                Some(place) => corner.weight * values[plane + place],
                None if zeros_count => corner.weight * 0.0,
                None => 0.0,
            };
            results[*at] = corners.iter().map(term).sum();
        }
    });
    one(Array::new(call.result_dtype(0)?, &shapes.output, results)?)
}

/// Gradients of the input and the grid, as far as they are wanted.
fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (grad, input, grid) = (call.array("grad_output")?, call.array("input")?, call.array("grid")?);
    let (sampler, shapes) = (Sampler::of(call)?, Shapes::of(input, grid)?);
    check_shape("grad_output", grad, &shapes.output)?;
    let (grads, values, spatial) = (grad.values::<f64>(), input.values::<f64>(), shapes.sizes.len());
    let (mut of_input, mut of_grid) = (vec![0.0; input.len()], vec![0.0; grid.len()]);
    shapes.for_each_point(&sampler, grid, |number, corners, planes| {
        for (at, plane) in planes {
            for corner in corners {
                let Some(place) = corner.place.map(|place| plane + place) else { continue };
                of_input[place] += corner.weight * grads[*at];
                for (d, slope) in corner.slopes.iter().enumerate() {
                    of_grid[number * spatial + spatial - 1 - d] += slope * values[place] * grads[*at];
                }
            }
        }
    });
    let mask = call.bools("output_mask")?;
    let result = |k: usize, like: &Array, values: Vec<f64>| -> Result<Value> {
        match mask.get(k) {
            Some(true) => Ok(Array::new(call.result_dtype(k)?, like.shape(), values)?.into()),
            _ => Ok(nothing()),
        }
    };
    Ok(vec![result(0, input, of_input)?, result(1, grid, of_grid)?])
}
