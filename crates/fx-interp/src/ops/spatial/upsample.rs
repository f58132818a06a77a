//! Resampling to other sizes, and its gradients.
//!
//! Except for nearest elements, dims are resampled one after another, from the last one on: weights are products of those
//! of the dims.

use super::filters::{Dim, FixedPoint, Nearest, Taps, antialiased, cubic, keys, linear, triangle};
use super::{add_at, check_shape, joined, per_dim, places_by_dim, read, split};
use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.upsample_bicubic2d", |call| forward(call, 2, Kind::Cubic)),
    ("fx.upsample_bicubic2d_aa", |call| forward(call, 2, Kind::AntialiasedCubic)),
    ("fx.upsample_bicubic2d_aa_backward", |call| backward(call, 2, Kind::AntialiasedCubic)),
    ("fx.upsample_bicubic2d_backward", |call| backward(call, 2, Kind::Cubic)),
    ("fx.upsample_bilinear2d", |call| forward(call, 2, Kind::Linear)),
    ("fx.upsample_bilinear2d_aa", |call| forward(call, 2, Kind::AntialiasedLinear)),
    ("fx.upsample_bilinear2d_aa_backward", |call| backward(call, 2, Kind::AntialiasedLinear)),
    ("fx.upsample_bilinear2d_backward", |call| backward(call, 2, Kind::Linear)),
    ("fx.upsample_linear1d", |call| forward(call, 1, Kind::Linear)),
    ("fx.upsample_linear1d_backward", |call| backward(call, 1, Kind::Linear)),
    ("fx.upsample_nearest1d", |call| nearest(call, 1, false)),
    ("fx.upsample_nearest1d_backward", |call| nearest_backward(call, 1, false)),
    ("fx.upsample_nearest2d", |call| nearest(call, 2, false)),
    ("fx.upsample_nearest2d_backward", |call| nearest_backward(call, 2, false)),
    ("fx.upsample_nearest3d", |call| nearest(call, 3, false)),
    ("fx.upsample_nearest3d_backward", |call| nearest_backward(call, 3, false)),
    ("fx.upsample_nearest_exact1d", |call| nearest(call, 1, true)),
    ("fx.upsample_nearest_exact1d_backward", |call| nearest_backward(call, 1, true)),
    ("fx.upsample_nearest_exact2d", |call| nearest(call, 2, true)),
    ("fx.upsample_nearest_exact2d_backward", |call| nearest_backward(call, 2, true)),
    ("fx.upsample_nearest_exact3d", |call| nearest(call, 3, true)),
    ("fx.upsample_nearest_exact3d_backward", |call| nearest_backward(call, 3, true)),
    ("fx.upsample_trilinear3d", |call| forward(call, 3, Kind::Linear)),
    ("fx.upsample_trilinear3d_backward", |call| backward(call, 3, Kind::Linear)),
];

/// Weighted means of elements.
#[derive(Clone, Copy)]
enum Kind {
    Linear,
    Cubic,
    AntialiasedLinear,
    AntialiasedCubic,
}

impl Kind {
    fn taps(self, dim: &Dim, align_corners: bool) -> Result<Vec<Taps>> {
        match self {
            Kind::Linear => linear(dim, align_corners),
            Kind::Cubic => cubic(dim, align_corners),
            Kind::AntialiasedLinear => antialiased(dim, align_corners, 1.0, triangle),
            Kind::AntialiasedCubic => antialiased(dim, align_corners, 2.0, |x| keys(x, -0.5)),
        }
    }
}

/// The scales that a caller gave, by dim.
fn scales(call: &Call<'_>, spatial: usize) -> Vec<Option<f64>> {
    const NAMES: [&str; 3] = ["scales_d", "scales_h", "scales_w"];
    let names = if spatial == 1 { &["scales"][..] } else { &NAMES[3 - spatial.min(3)..] };
    names.iter().map(|name| call.optional_float(name)).collect()
}

/// Batch and channels, and the dims of an op that reads `input`: to `output_size`, or to floor(size * scale factor).
fn forward_dims<'a>(call: &Call<'_>, input: &'a Array, spatial: usize) -> Result<(&'a [usize], Vec<Dim>)> {
    let (lead, sizes) = split(input.shape(), spatial)?;
    let (given, mut scales) = (call.sizes("output_size")?, scales(call, spatial));
    let output = match call.optional_floats("scale_factors") {
        Some(factors) if given.is_empty() => {
            let factor = |d: usize| if factors.len() == 1 { factors.first() } else { factors.get(d) };
            scales = (0..spatial).map(|d| factor(d).copied()).collect();
            let size = |(size, scale): (&usize, &Option<f64>)| {
                let scaled = scale.map(|scale| *size as f64 * scale).filter(|scaled| *scaled >= 0.0 && *scaled < 2f64.powi(62));
                scaled.map(|scaled| scaled as usize).ok_or_else(|| format!("has scale factors {factors:?}"))
            };
            sizes.iter().zip(&scales).map(size).collect::<Result<_>>()?
        }
        _ => per_dim("output_size", &given, spatial, 0)?,
    };
    Ok((lead, (0..spatial).map(|d| Dim { size: sizes[d], output: output[d], scale: scales[d] }).collect()))
}

/// Shape of the input, and the dims, of an op that computes its gradient.
fn backward_dims(call: &Call<'_>, grad: &Array, spatial: usize) -> Result<(Vec<usize>, Vec<Dim>)> {
    let shape = call.shape("input_size")?;
    let (lead, sizes) = split(&shape, spatial)?;
    let (output, scales) = (per_dim("output_size", &call.sizes("output_size")?, spatial, 0)?, scales(call, spatial));
    check_shape("grad_output", grad, &joined(lead, &output))?;
    let dims = (0..spatial).map(|d| Dim { size: sizes[d], output: output[d], scale: scales[d] }).collect();
    Ok((shape, dims))
}

//--- weighted means ----------------------------------------------------------------

fn forward(call: &Call<'_>, spatial: usize, kind: Kind) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let (lead, dims) = forward_dims(call, input, spatial)?;
    let align_corners = call.bool("align_corners");
    if input.dtype() != DType::U8 && !input.dtype().is_float() {
        return Err(format!("has no weighted means of {}", input.dtype()));
    }
    let bytes = input.dtype() == DType::U8;
    // PyTorch passes over dims that keep their size, also where scales say otherwise; its gradients do not
    let skips = bytes || matches!(kind, Kind::AntialiasedLinear | Kind::AntialiasedCubic);
    let mut result = if bytes { input.clone() } else { input.cast(DType::F64) };
    for (d, dim) in dims.iter().enumerate().rev().filter(|(_, dim)| !skips || dim.size != dim.output) {
        let (all, at) = (kind.taps(dim, align_corners)?, lead.len() + d);
        result = if bytes {
            // rounded after each dim
            let fixed = FixedPoint::new(&all);
            result.lanes(DType::U8, at, dim.output, |lane: &[i64]| fixed.resample(lane))?
        } else {
            let mean = |lane: &[f64], taps: &Taps| taps.iter().map(|(place, weight)| weight * lane[*place]).sum();
            result.lanes(DType::F64, at, dim.output, |lane: &[f64]| all.iter().map(|taps| mean(lane, taps)).collect::<Vec<f64>>())?
        };
    }
    one(result.cast(call.result_dtype(0)?))
}

fn backward(call: &Call<'_>, spatial: usize, kind: Kind) -> Result<Vec<Value>> {
    let grad = call.array("grad_output")?;
    let (shape, dims) = backward_dims(call, grad, spatial)?;
    let mut result = grad.cast(DType::F64);
    for (d, dim) in dims.iter().enumerate().rev() {
        let all = kind.taps(dim, call.bool("align_corners"))?;
        result = result.lanes(DType::F64, shape.len() - spatial + d, dim.size, |lane: &[f64]| {
            let mut sums = vec![0.0; dim.size];
            for (g, taps) in lane.iter().zip(&all) {
                taps.iter().for_each(|(place, weight)| sums[*place] += weight * g);
            }
            sums
        })?;
    }
    one(result.cast(call.result_dtype(0)?))
}

//--- nearest elements --------------------------------------------------------------

/// What each element of the resampled tensor is of the input.
fn nearest_places(shape: &[usize], dims: &[Dim], nearest: Nearest) -> Result<(Vec<usize>, Vec<Option<usize>>)> {
    let mut all: Vec<Vec<Option<usize>>> = Vec::new();
    for size in &shape[..shape.len() - dims.len()] {
        all.push((0..*size).map(Some).collect());
    }
    for dim in dims {
        all.push(nearest.places(dim)?);
    }
    places_by_dim(shape, &all)
}

/// Over two dims, PyTorch's kernel for small images computes the places as its gradients do; over one and three not.
fn nearest(call: &Call<'_>, spatial: usize, exact: bool) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let (_, dims) = forward_dims(call, input, spatial)?;
    let nearest = Nearest { exact, shortcuts: spatial == 2, double: spatial != 2 && input.dtype() == DType::F64 };
    let (shape, places) = nearest_places(input.shape(), &dims, nearest)?;
    one(read(input, &shape, &places, Number::Int(0))?)
}

fn nearest_backward(call: &Call<'_>, spatial: usize, exact: bool) -> Result<Vec<Value>> {
    let grad = call.array("grad_output")?;
    let (shape, dims) = backward_dims(call, grad, spatial)?;
    let (_, places) = nearest_places(&shape, &dims, Nearest { exact, shortcuts: true, double: false })?;
    one(add_at(call.result_dtype(0)?, grad, &places, &shape)?)
}
