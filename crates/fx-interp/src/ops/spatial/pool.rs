//! The windows of pools: of given sizes, dividing the dims evenly, or at pseudo-random places.

use std::ops::Range;

use super::windows::{Axis, Windows};
use super::{joined, list, per_dim, split};
use crate::Result;
use crate::array::{Array, element_count, indices, round_float};
use crate::call::Call;

/// A window of a pool.
pub(super) struct Window {
    /// Places of its elements in row-major order.
    pub places: Vec<usize>,
    /// What counts as the place of its greatest element if there is none.
    pub origin: usize,
    /// Number of its elements with those in the padding.
    pub padded: i64,
}

/// The windows of all planes.
pub(super) struct Pool {
    /// Batch and channels.
    pub lead: Vec<usize>,
    /// Elements of a plane.
    pub size: usize,
    /// Windows by dim.
    pub counts: Vec<usize>,
    /// Windows of a plane; one list for all, or one per plane.
    windows: Vec<Vec<Window>>,
}

impl Pool {
    /// Windows by `kernel_size`, `stride`, `padding`, `dilation` and `ceil_mode`.
    pub fn sliding(call: &Call<'_>, input: &Array, spatial: usize) -> Result<Self> {
        let (lead, sizes) = split(input.shape(), spatial)?;
        let list = |name, default: &[usize], least| match call.optional_ints(name) {
            Some(list) if !list.is_empty() => per_dim(name, &list, spatial, least),
            _ => Ok(default.to_vec()),
        };
        let kernel = per_dim("kernel_size", &call.ints("kernel_size")?, spatial, 1)?;
        let (stride, padding) = (list("stride", &kernel, 1)?, list("padding", &vec![0; spatial], 0)?);
        let dilation = list("dilation", &vec![1; spatial], 1)?;
        let axis = |d: usize| {
            let axis = Axis::new(sizes[d], kernel[d], stride[d], dilation[d], padding[d], call.bool("ceil_mode"))?;
            if 2 * padding[d] as i128 > axis.reach() {
                return Err(format!("has a padding of {}, more than half of a window of {}", padding[d], kernel[d]));
            }
            Ok(axis)
        };
        let windows = Windows { axes: (0..spatial).map(axis).collect::<Result<_>>()? };
        let window = |index: Vec<usize>| Window {
            places: windows.taps(&index).into_iter().map(|tap| tap.place).collect(),
            origin: windows.origin(&index),
            padded: windows.padded(&index),
        };
        let all = windows.all()?.map(window).collect();
        Pool::new(lead, sizes, windows.counts(), vec![all])
    }

    /// Window p of a dim is `[floor(p * size / count), ceil((p + 1) * size / count))`.
    pub fn adaptive(input: &Array, counts: &[usize]) -> Result<Self> {
        let (lead, sizes) = split(input.shape(), counts.len())?;
        element_count(counts)?;
        let range = |(p, (size, count)): (&usize, (&usize, &usize))| {
            let at = |p: usize| p as u128 * *size as u128;
            (at(*p) / *count as u128) as usize..at(p + 1).div_ceil(*count as u128) as usize
        };
        let window = |index: Vec<usize>| {
            let ranges: Vec<Range<usize>> = index.iter().zip(sizes.iter().zip(counts)).map(range).collect();
            Window::of_ranges(&ranges, sizes)
        };
        Pool::new(lead, sizes, counts.to_vec(), vec![indices(counts).map(window).collect()])
    }

    /// The output sizes of an adaptive pool.
    pub fn adaptive_counts(call: &Call<'_>, spatial: usize) -> Result<Vec<usize>> {
        per_dim("output_size", &list(call, "output_size")?, spatial, 0)
    }

    /// Windows whose starts in each plane follow from its random samples (ATen/native/FractionalMaxPooling.h). Samples
    /// are in the order T, H, W for three dims, but W, H for two.
    pub fn fractional(call: &Call<'_>, input: &Array, spatial: usize) -> Result<Self> {
        let (lead, sizes) = split(input.shape(), spatial)?;
        let kernel = per_dim("kernel_size", &call.ints("kernel_size")?, spatial, 1)?;
        let counts = per_dim("output_size", &call.ints("output_size")?, spatial, 1)?;
        let samples = call.array("random_samples")?;
        let [batch, channels] = [if lead.len() == 2 { lead[0] } else { 1 }, lead[lead.len() - 1]];
        if samples.rank() != 3 || samples.shape()[0] < batch || samples.shape()[1..] != [channels, spatial] {
            return Err(format!("has random samples of shape {:?}, expected {:?}", samples.shape(), [batch, channels, spatial]));
        }
        let values = samples.values::<f64>();
        let round = |x: f64| round_float(samples.dtype(), x);
        let plane = |plane: usize| -> Result<Vec<Window>> {
            let starts = |d: usize| {
                let sample = values[plane * spatial + if spatial == 2 { 1 - d } else { d }];
                fractional_starts(sample, sizes[d], kernel[d], counts[d], round)
            };
            let starts = (0..spatial).map(starts).collect::<Result<Vec<_>>>()?;
            let window = |index: Vec<usize>| {
                let ranges: Vec<Range<usize>> = (0..spatial).map(|d| starts[d][index[d]]..starts[d][index[d]] + kernel[d]).collect();
                Window::of_ranges(&ranges, sizes)
            };
            Ok(indices(&counts).map(window).collect())
        };
        element_count(&counts)?;
        let windows = (0..batch * channels).map(plane).collect::<Result<_>>()?;
        Pool::new(lead, sizes, counts.clone(), windows)
    }

    fn new(lead: &[usize], sizes: &[usize], counts: Vec<usize>, windows: Vec<Vec<Window>>) -> Result<Self> {
        element_count(&joined(lead, &counts))?;
        Ok(Pool { lead: lead.to_vec(), size: sizes.iter().product(), counts, windows })
    }

    /// Shape of the result.
    pub fn output(&self) -> Vec<usize> {
        joined(&self.lead, &self.counts)
    }

    /// Number of planes.
    pub fn planes(&self) -> usize {
        self.lead.iter().product()
    }

    /// The windows of a plane.
    pub fn windows(&self, plane: usize) -> &[Window] {
        self.windows.get(plane).or(self.windows.first()).map_or(&[], Vec::as_slice)
    }
}

impl Window {
    /// The elements in a range of each dim.
    fn of_ranges(ranges: &[Range<usize>], sizes: &[usize]) -> Self {
        let mut places = vec![0];
        for (range, size) in ranges.iter().zip(sizes) {
            places = places.into_iter().flat_map(|place| range.clone().map(move |k| place * size + k)).collect();
        }
        Window { padded: places.len() as i64, origin: places.first().copied().unwrap_or(0), places }
    }
}

/// `s_p = floor((p + u) alpha) - floor(u alpha)` with `alpha = (size - kernel) / (count - 1)`; the last window ends with
/// the dim. All is computed in the samples' type.
pub(super) fn fractional_starts(sample: f64, size: usize, kernel: usize, count: usize, round: impl Fn(f64) -> f64) -> Result<Vec<usize>> {
    let free = size.checked_sub(kernel).filter(|free| *free + 1 >= count);
    let free = free.ok_or_else(|| format!("has {count} windows of {kernel} in a dim of size {size}"))?;
    let alpha = round(round(free as f64) / round(count as f64 - 1.0));
    let start = |p: usize| {
        let floor = round(round(p as f64 + sample) * alpha).trunc() - round(sample * alpha).trunc();
        let start = if p + 1 == count { free as f64 } else { floor };
        if start >= 0.0 && start <= free as f64 { Ok(start as usize) } else { Err(format!("has a random sample of {sample}")) }
    };
    (0..count).map(start).collect()
}
