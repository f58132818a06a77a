//! Convolutions and their gradients: plain, transposed, with padding by name.
//!
//! Windows slide over the larger of the two images. A convolution is a sum of products of one element of the smaller
//! image (one per window), one of the larger and one of the weight; which of the three is sought tells whether it is
//! plain, transposed or a gradient.

use super::windows::{Axis, Windows};
use super::{check_shape, joined, list, nothing, per_dim, split};
use crate::Result;
use crate::array::{Array, DType, element_count};
use crate::call::Call;
use crate::each_kind;
use crate::ops::matrix::ring::Ring;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.conv1d", |call| forward(call, 1, Lists::read(call, false)?)),
    ("fx.conv1d_padding", |call| forward(call, 1, Lists::named(call)?)),
    ("fx.conv2d", |call| forward(call, 2, Lists::read(call, false)?)),
    ("fx.conv2d_padding", |call| forward(call, 2, Lists::named(call)?)),
    ("fx.conv3d", |call| forward(call, 3, Lists::read(call, false)?)),
    ("fx.conv3d_padding", |call| forward(call, 3, Lists::named(call)?)),
    ("fx.conv_transpose1d", |call| forward(call, 1, Lists::read(call, true)?)),
    ("fx.conv_transpose2d", |call| forward(call, 2, Lists::read(call, true)?)),
    ("fx.conv_transpose3d", |call| forward(call, 3, Lists::read(call, true)?)),
    ("fx.convolution", |call| {
        let spatial = call.array("weight")?.rank().saturating_sub(2);
        forward(call, spatial, Lists::read(call, call.bool("transposed"))?)
    }),
    ("fx.convolution_backward", backward),
];

/// Zeros around the larger image.
enum Padding {
    /// As many before as after.
    Zeros(Vec<i64>),
    /// As many as keep the sizes; the one more of an odd number is after.
    Same,
}

/// What a convolution is told beside its tensors.
struct Lists {
    transposed: bool,
    stride: Vec<i64>,
    padding: Padding,
    dilation: Vec<i64>,
    /// Added to the sizes of a transposed convolution; absent in the others.
    output_padding: Vec<i64>,
    groups: usize,
}

impl Lists {
    fn read(call: &Call<'_>, transposed: bool) -> Result<Self> {
        Lists::new(call, transposed, Padding::Zeros(list(call, "padding")?))
    }

    fn named(call: &Call<'_>) -> Result<Self> {
        let padding = match call.optional_str("padding").unwrap_or("valid") {
            "valid" => Padding::Zeros(vec![0]),
            "same" => Padding::Same,
            name => return Err(format!("has padding {name:?}")),
        };
        Lists::new(call, false, padding)
    }

    fn new(call: &Call<'_>, transposed: bool, padding: Padding) -> Result<Self> {
        let [groups] = per_dim("groups", &call.sizes("groups")?, 1, 1)?[..] else { return Err("has not one number of groups".into()) };
        let (stride, dilation, output_padding) = (call.sizes("stride")?, call.sizes("dilation")?, call.sizes("output_padding")?);
        Ok(Lists { transposed, stride, padding, dilation, output_padding, groups })
    }

    /// The windows along the spatial dims of `input`.
    fn windows(&self, input: &[usize], kernel: &[usize]) -> Result<Windows> {
        let spatial = input.len();
        let (stride, dilation) = (per_dim("stride", &self.stride, spatial, 1)?, per_dim("dilation", &self.dilation, spatial, 1)?);
        let padding = match &self.padding {
            Padding::Zeros(list) => Some(per_dim("padding", list, spatial, 0)?),
            Padding::Same if stride.iter().all(|stride| *stride == 1) => None,
            Padding::Same => return Err(format!("keeps sizes, but has strides {stride:?}")),
        };
        let output_padding = if self.transposed { per_dim("output_padding", &self.output_padding, spatial, 0)? } else { vec![0; spatial] };
        let axis = |d: usize| match &padding {
            None => same(input[d], kernel[d], dilation[d]),
            Some(padding) if self.transposed => transposed(input[d], kernel[d], stride[d], dilation[d], padding[d], output_padding[d]),
            Some(padding) => Axis::new(input[d], kernel[d], stride[d], dilation[d], padding[d], false),
        };
        Ok(Windows { axes: (0..spatial).map(axis).collect::<Result<_>>()? })
    }
}

/// One window per place.
fn same(size: usize, kernel: usize, dilation: usize) -> Result<Axis> {
    let total = dilation.checked_mul(kernel.saturating_sub(1)).ok_or_else(|| format!("has a dilation of {dilation}"))?;
    Ok(Axis { size, kernel, stride: 1, dilation, padding: total / 2, count: size })
}

/// Windows of the result, one per place of the input.
fn transposed(count: usize, kernel: usize, stride: usize, dilation: usize, padding: usize, more: usize) -> Result<Axis> {
    let mut axis = Axis { size: 0, kernel, stride, dilation, padding, count };
    let size = (count as i128 - 1) * stride as i128 - 2 * padding as i128 + axis.reach() + more as i128;
    axis.size = usize::try_from(size).ok().filter(|size| *size > 0).ok_or_else(|| format!("has an output size of {size}"))?;
    Ok(axis)
}

/// The places of the factors of a product.
struct Term {
    input: usize,
    weight: usize,
    output: usize,
}

struct Convolution {
    transposed: bool,
    windows: Windows,
    batch: usize,
    groups: usize,
    /// Channels of the smaller image.
    small: usize,
    /// Channels of the larger image in one group.
    large: usize,
    /// Shape of the result.
    output: Vec<usize>,
}

impl Convolution {
    fn new(input: &[usize], weight: &[usize], lists: &Lists) -> Result<Self> {
        let [small, large, kernel @ ..] = weight else { return Err(format!("has a weight of shape {weight:?}")) };
        let (lead, places) = split(input, kernel.len())?;
        let (channels, groups) = (lead[lead.len() - 1], lists.groups);
        let total = large.checked_mul(groups).ok_or_else(|| format!("has {groups} groups"))?;
        let (consumed, made) = if lists.transposed { (*small, total) } else { (total, *small) };
        if small % groups != 0 || consumed != channels {
            return Err(format!("has {channels} channels and {groups} groups, but a weight of shape {weight:?}"));
        }
        let windows = lists.windows(places, kernel)?;
        let sizes = if lists.transposed { windows.axes.iter().map(|axis| axis.size).collect() } else { windows.counts() };
        let mut output = lead.to_vec();
        output[lead.len() - 1] = made;
        let batch = lead[..lead.len() - 1].iter().product();
        let output = joined(&output, &sizes);
        element_count(&output)?;
        Ok(Convolution { transposed: lists.transposed, windows, batch, groups, small: *small, large: *large, output })
    }

    fn for_each_term(&self, mut f: impl FnMut(Term)) -> Result<()> {
        let count: usize = self.windows.counts().iter().product();
        let size: usize = self.windows.axes.iter().map(|axis| axis.size).product();
        let kernel: usize = self.windows.axes.iter().map(|axis| axis.kernel).product();
        for (p, window) in self.windows.all()?.enumerate() {
            let taps = self.windows.taps(&window);
            for (n, s, l) in (0..self.batch).flat_map(|n| (0..self.small).flat_map(move |s| (0..self.large).map(move |l| (n, s, l)))) {
                let group = s / (self.small / self.groups);
                let small = (n * self.small + s) * count + p;
                let plane = (n * self.groups + group) * self.large + l;
                for tap in &taps {
                    let (large, weight) = (plane * size + tap.place, (s * self.large + l) * kernel + tap.kernel);
                    let (input, output) = if self.transposed { (small, large) } else { (large, small) };
                    f(Term { input, weight, output });
                }
            }
        }
        Ok(())
    }

    /// Channels of the result, and the number of its places.
    fn planes(&self) -> (usize, usize) {
        let spatial = self.windows.axes.len();
        let (lead, places) = self.output.split_at(self.output.len() - spatial);
        (lead[lead.len() - 1], places.iter().product())
    }

    fn result<T: Ring>(&self, dtype: DType, input: &Array, weight: &Array, bias: Option<&Array>) -> Result<Array> {
        let (x, w) = (input.values::<T>(), weight.values::<T>());
        let (channels, places) = self.planes();
        let mut y = vec![T::ZERO; element_count(&self.output)?];
        if let Some(bias) = bias {
            check_shape("bias", bias, &[channels])?;
            let bias = bias.values::<T>();
            y.iter_mut().enumerate().for_each(|(k, y)| *y = bias[k / places % channels]);
        }
        self.for_each_term(|term| y[term.output] = y[term.output].plus(x[term.input].times(w[term.weight])))?;
        Array::new(dtype, &self.output, y)
    }

    fn input_gradient<T: Ring>(&self, dtype: DType, grad: &Array, input: &Array, weight: &Array) -> Result<Array> {
        let (g, w) = (grad.values::<T>(), weight.values::<T>());
        let mut sums = vec![T::ZERO; input.len()];
        self.for_each_term(|term| sums[term.input] = sums[term.input].plus(g[term.output].times(w[term.weight])))?;
        Array::new(dtype, input.shape(), sums)
    }

    fn weight_gradient<T: Ring>(&self, dtype: DType, grad: &Array, input: &Array, weight: &Array) -> Result<Array> {
        let (g, x) = (grad.values::<T>(), input.values::<T>());
        let mut sums = vec![T::ZERO; weight.len()];
        self.for_each_term(|term| sums[term.weight] = sums[term.weight].plus(g[term.output].times(x[term.input])))?;
        Array::new(dtype, weight.shape(), sums)
    }

    fn bias_gradient<T: Ring>(&self, dtype: DType, grad: &Array) -> Result<Array> {
        let (channels, places) = self.planes();
        let mut sums = vec![T::ZERO; channels];
        grad.values::<T>().into_iter().enumerate().for_each(|(k, g)| {
            let sum = &mut sums[k / places % channels];
            *sum = sum.plus(g);
        });
        Array::new(dtype, &[channels], sums)
    }
}

fn forward(call: &Call<'_>, spatial: usize, lists: Lists) -> Result<Vec<Value>> {
    let (input, weight, bias) = (call.array("input")?, call.array("weight")?, call.optional("bias")?);
    if weight.rank() != spatial + 2 || spatial == 0 {
        return Err(format!("has a weight of shape {:?}", weight.shape()));
    }
    let convolution = Convolution::new(input.shape(), weight.shape(), &lists)?;
    let dtype = call.result_dtype(0)?;
    one(each_kind!(dtype, T => convolution.result::<T>(dtype, input, weight, bias))?)
}

/// Gradients of the input, the weight and the bias, as far as they are wanted.
fn backward(call: &Call<'_>) -> Result<Vec<Value>> {
    let (grad, input, weight) = (call.array("grad_output")?, call.array("input")?, call.array("weight")?);
    let convolution = Convolution::new(input.shape(), weight.shape(), &Lists::read(call, call.bool("transposed"))?)?;
    check_shape("grad_output", grad, &convolution.output)?;
    let mask = call.bools("output_mask")?;
    let gradient = |k: usize| -> Result<Value> {
        if mask.get(k) != Some(&true) {
            return Ok(nothing());
        }
        let dtype = call.result_dtype(k)?;
        Ok(each_kind!(dtype, T => match k {
            0 => convolution.input_gradient::<T>(dtype, grad, input, weight),
            1 => convolution.weight_gradient::<T>(dtype, grad, input, weight),
            _ => convolution.bias_gradient::<T>(dtype, grad),
        })?
        .into())
    };
    (0..3).map(gradient).collect()
}
