//! Blocks of pixels moved to other dims: shuffles, windows as columns and back.

use super::windows::{Axis, Windows};
use super::{add_at, check_shape, joined, list, per_dim, read, split};
use crate::Result;
use crate::array::{Array, element_count};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::{Number, Value};

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.channel_shuffle", channel_shuffle),
    ("fx.col2im", col2im),
    ("fx.im2col", |call| {
        let input = call.array("input")?;
        let columns = Columns::new(call, input.shape())?;
        one(read(input, &columns.shape, &columns.places, Number::Int(0))?)
    }),
    ("fx.pixel_shuffle", pixel_shuffle),
    ("fx.pixel_unshuffle", pixel_unshuffle),
];

/// The dims before channels, height and width, those, and the factor.
fn block(call: &Call<'_>, name: &str) -> Result<(Vec<usize>, [usize; 3], usize)> {
    let (shape, factor) = (call.array("input")?.shape(), call.int(name)?);
    let (lead, [c, h, w]) = shape.split_last_chunk::<3>().ok_or_else(|| format!("has an input of shape {shape:?}"))?;
    let factor = usize::try_from(factor).ok().filter(|factor| (1..1 << 31).contains(factor));
    Ok((lead.to_vec(), [*c, *h, *w], factor.ok_or_else(|| format!("has '{name}' {factor:?}"))?))
}

/// `array` with its last dims, which become `sizes`, in another order, then as `merged`.
fn rearranged(array: &Array, lead: &[usize], sizes: [usize; 5], order: [usize; 5], merged: [usize; 3]) -> Result<Vec<Value>> {
    let mut dims: Vec<usize> = (0..lead.len()).collect();
    dims.extend(order.map(|dim| dim + lead.len()));
    one(array.reshape(&joined(lead, &sizes))?.permute(&dims)?.reshape(&joined(lead, &merged))?)
}

/// `y[.., c, h f + i, w f + j] = input[.., c f² + i f + j, h, w]`
fn pixel_shuffle(call: &Call<'_>) -> Result<Vec<Value>> {
    let (lead, [c, h, w], f) = block(call, "upscale_factor")?;
    if c % (f * f) != 0 {
        return Err(format!("has {c} channels, no multiple of {f} * {f}"));
    }
    let channels = c / (f * f);
    let scaled = [h.saturating_mul(f), w.saturating_mul(f)];
    rearranged(call.array("input")?, &lead, [channels, f, f, h, w], [0, 3, 1, 4, 2], [channels, scaled[0], scaled[1]])
}

/// `y[.., c f² + i f + j, h, w] = input[.., c, h f + i, w f + j]`
fn pixel_unshuffle(call: &Call<'_>) -> Result<Vec<Value>> {
    let (lead, [c, h, w], f) = block(call, "downscale_factor")?;
    if h % f != 0 || w % f != 0 {
        return Err(format!("has height {h} and width {w}, not both multiples of {f}"));
    }
    let merged = [c.saturating_mul(f * f), h / f, w / f];
    rearranged(call.array("input")?, &lead, [c, h / f, f, w / f, f], [0, 2, 4, 1, 3], merged)
}

/// `y[n, j groups + g, ..] = input[n, g C / groups + j, ..]`
fn channel_shuffle(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let [groups] = per_dim("groups", &call.sizes("groups")?, 1, 1)?[..] else { return Err("has not one number of groups".into()) };
    let [batch, channels, rest @ ..] = input.shape() else { return Err(format!("has an input of shape {:?}", input.shape())) };
    if channels % groups != 0 {
        return Err(format!("has {channels} channels, no multiple of {groups} groups"));
    }
    let grouped = input.reshape(&joined(&[*batch, groups, channels / groups], rest))?;
    one(grouped.transpose(1, 2)?.reshape(input.shape())?)
}

/// The windows of an image as columns.
struct Columns {
    /// [N, (C, elements of a window), windows].
    shape: Vec<usize>,
    /// What each element is of the image.
    places: Vec<Option<usize>>,
}

impl Columns {
    fn new(call: &Call<'_>, image: &[usize]) -> Result<Self> {
        let (lead, sizes) = split(image, 2)?;
        let entries = |name, least| per_dim(name, &call.ints(name)?, 2, least);
        let (kernel, dilation) = (entries("kernel_size", 1)?, entries("dilation", 1)?);
        let (padding, stride) = (entries("padding", 0)?, entries("stride", 1)?);
        let axis = |d: usize| Axis::new(sizes[d], kernel[d], stride[d], dilation[d], padding[d], false);
        let windows = Windows { axes: vec![axis(0)?, axis(1)?] };
        let (elements, count) = (element_count(&kernel)?, element_count(&windows.counts())?);
        let planes: usize = lead.iter().product();
        let size: usize = sizes.iter().product();
        let mut places = vec![None; element_count(&[planes, elements, count])?];
        for (p, window) in windows.all()?.enumerate() {
            for tap in windows.taps(&window) {
                for plane in 0..planes {
                    places[(plane * elements + tap.kernel) * count + p] = Some(plane * size + tap.place);
                }
            }
        }
        let (channels, batch) = (lead[lead.len() - 1], &lead[..lead.len() - 1]);
        Ok(Columns { shape: joined(batch, &[channels * elements, count]), places })
    }
}

/// Columns added back to the image whose windows they are.
fn col2im(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let sizes = per_dim("output_size", &list(call, "output_size")?, 2, 0)?;
    let elements = element_count(&per_dim("kernel_size", &call.ints("kernel_size")?, 2, 1)?)?;
    let (batch, rows) = match input.shape() {
        [rows, _] => (&[][..], *rows),
        [_, rows, _] => (&input.shape()[..1], *rows),
        shape => return Err(format!("has columns of shape {shape:?}")),
    };
    let image = joined(&joined(batch, &[rows / elements]), &sizes);
    let columns = Columns::new(call, &image)?;
    check_shape("input", input, &columns.shape)?;
    one(add_at(call.result_dtype(0)?, input, &columns.places, &image)?)
}
