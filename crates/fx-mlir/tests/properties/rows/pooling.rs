//! Pools and their gradients, unpools, windows as columns.

use fx_interp::{Array, DType};

use super::shape::signed;
use crate::case::Case;
use crate::draw::{ALL, Domain, Draw, FLOATS, REAL_NUMBERS, SMALL, WIDE};
use crate::{EXACT, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.adaptive_avg_pool1d", STABLE, |d| adaptive(d, 1, FLOATS, true)),
    row("fx.adaptive_avg_pool2d", STABLE, |d| adaptive(d, 2, FLOATS, false)),
    row("fx.adaptive_avg_pool2d_backward", STABLE, |d| adaptive_backward(d, 2, false)),
    row("fx.adaptive_avg_pool3d", STABLE, |d| adaptive(d, 3, FLOATS, false)),
    row("fx.adaptive_avg_pool3d_backward", STABLE, |d| adaptive_backward(d, 3, false)),
    row("fx.adaptive_max_pool1d", EXACT, |d| adaptive(d, 1, FLOATS, true)),
    row("fx.adaptive_max_pool2d", EXACT, |d| adaptive(d, 2, FLOATS, true)),
    row("fx.adaptive_max_pool2d_backward", STABLE, |d| adaptive_backward(d, 2, true)),
    row("fx.adaptive_max_pool3d", EXACT, |d| adaptive(d, 3, FLOATS, true)),
    row("fx.adaptive_max_pool3d_backward", STABLE, |d| adaptive_backward(d, 3, true)),
    row("fx.avg_pool1d", STABLE, |d| average(d, 1)),
    row("fx.avg_pool2d", STABLE, |d| average(d, 2)),
    row("fx.avg_pool2d_backward", STABLE, |d| average_backward(d, 2)),
    row("fx.avg_pool3d", STABLE, |d| average(d, 3)),
    row("fx.avg_pool3d_backward", STABLE, |d| average_backward(d, 3)),
    row("fx.col2im", STABLE, |d| {
        let mut own = Pool::new(d, 2, true);
        own.ceil = false;
        let dtype = d.pick(FLOATS);
        let windows: usize = own.output().iter().rev().take(2).product();
        let columns = own.shape[own.shape.len() - 3] * own.kernel.iter().product::<i64>() as usize;
        let mut shape = own.shape[..own.shape.len() - 3].to_vec();
        shape.extend([columns, windows]);
        let x = d.array(dtype, &shape, SMALL);
        let size = signed(&own.shape[own.shape.len() - 2..]);
        d.all_known();
        own.columns(Case::new(d).with("input", x)).fixed_sizes("output_size", &size)
    }),
    row("fx.fractional_max_pool2d", EXACT, |d| fractional(d, 2)),
    row("fx.fractional_max_pool2d_backward", STABLE, |d| fractional_backward(d, 2)),
    row("fx.fractional_max_pool3d", EXACT, |d| fractional(d, 3)),
    row("fx.fractional_max_pool3d_backward", STABLE, |d| fractional_backward(d, 3)),
    row("fx.im2col", EXACT, |d| {
        let own = Pool::new(d, 2, true);
        let dtype = d.pick(ALL);
        let x = d.array(dtype, &own.shape, SMALL);
        own.columns(Case::new(d).with("input", x))
    }),
    row("fx.max_pool1d", EXACT, |d| maximum(d, 1)),
    row("fx.max_pool1d_with_indices", EXACT, |d| maximum(d, 1)),
    row("fx.max_pool2d", EXACT, |d| maximum(d, 2)),
    row("fx.max_pool2d_with_indices", EXACT, |d| maximum(d, 2)),
    row("fx.max_pool2d_with_indices_backward", STABLE, |d| maximum_backward(d, 2)),
    row("fx.max_pool3d", EXACT, |d| maximum(d, 3)),
    row("fx.max_pool3d_with_indices", EXACT, |d| maximum(d, 3)),
    row("fx.max_pool3d_with_indices_backward", STABLE, |d| maximum_backward(d, 3)),
    row("fx.max_unpool2d", EXACT, |d| unpool(d, 2)),
    row("fx.max_unpool3d", EXACT, |d| unpool(d, 3)),
];

/// Windows over a shape with at least one of them.
struct Pool {
    shape: Vec<usize>,
    kernel: Vec<i64>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    ceil: bool,
}

/// Batch (or none) and channels.
fn outer(d: &mut Draw<'_>) -> Vec<usize> {
    if d.once_in(4) { vec![d.positive()] } else { vec![d.size(), d.positive()] }
}

impl Pool {
    fn new(d: &mut Draw<'_>, n: usize, dilated: bool) -> Self {
        let list = |d: &mut Draw<'_>, low, high| (0..n).map(|_| d.between(low, high)).collect::<Vec<i64>>();
        let (kernel, stride) = (list(d, 1, 3), list(d, 1, 3));
        let dilation = if dilated { list(d, 1, 2) } else { vec![1; n] };
        let padding: Vec<i64> = kernel.iter().map(|k| d.between(0, k / 2)).collect();
        let most = if n == 3 { 2 } else { 4 };
        let mut shape = outer(d);
        for k in 0..n {
            let reach = dilation[k] * (kernel[k] - 1) + 1 - 2 * padding[k];
            shape.push(reach.max(1) as usize + d.below(most));
        }
        let mut made = Pool { shape, kernel, stride, padding, dilation, ceil: d.once_in(3) };
        // windows that lie in the padding alone have no maximum
        for k in 0..n {
            if (0..made.output()[made.shape.len() - n + k]).any(|p| made.window(k, p).is_empty()) {
                (made.padding[k], made.dilation[k]) = (0, 1);
                let size = made.shape.len() - n + k;
                made.shape[size] = made.shape[size].max(made.kernel[k] as usize);
                made.ceil = false;
            }
        }
        made
    }

    /// The elements of window `p` along spatial dim `k`.
    fn window(&self, k: usize, p: usize) -> Vec<usize> {
        let size = self.shape[self.shape.len() - self.kernel.len() + k] as i64;
        let start = p as i64 * self.stride[k] - self.padding[k];
        (0..self.kernel[k]).map(|j| start + j * self.dilation[k]).filter(|q| (0..size).contains(q)).map(|q| q as usize).collect()
    }

    /// Sizes of the result.
    fn output(&self) -> Vec<usize> {
        let first = self.shape.len() - self.kernel.len();
        let mut shape = self.shape[..first].to_vec();
        for k in 0..self.kernel.len() {
            let (own, step, pad) = (self.shape[first + k] as i64, self.stride[k], self.padding[k]);
            let room = own + 2 * pad - self.dilation[k] * (self.kernel[k] - 1) - 1;
            let mut size = room.div_euclid(step) + 1;
            if self.ceil && room.rem_euclid(step) != 0 && size * step < own + pad {
                size += 1;
            }
            shape.push(size as usize);
        }
        shape
    }

    /// The attributes of windows whose columns are listed: no rounding up.
    fn columns(&self, case: Case) -> Case {
        let case = case.ints("kernel_size", &self.kernel).ints("stride", &self.stride).ints("padding", &self.padding);
        case.ints("dilation", &self.dilation)
    }
}

fn average(d: &mut Draw<'_>, n: usize) -> Case {
    let own = Pool::new(d, n, false);
    let dtype = d.pick(FLOATS);
    let x = d.array(dtype, &own.shape, SMALL);
    let (count, divisor) = (d.maybe(|d| d.flip()), if n > 1 { d.maybe(|d| d.pick(&[1, 2, 3, -2])) } else { None });
    let case = Case::new(d).with("input", x).ints("kernel_size", &own.kernel).ints("padding", &own.padding).bool("ceil_mode", own.ceil);
    let case = if own.stride == own.kernel { case } else { case.ints("stride", &own.stride) };
    case.maybe(count, |c, x| c.bool("count_include_pad", x)).maybe(divisor, |c, x| c.int("divisor_override", x))
}

fn average_backward(d: &mut Draw<'_>, n: usize) -> Case {
    let own = Pool::new(d, n, false);
    let dtype = d.pick(FLOATS);
    let (x, g) = (d.array(dtype, &own.shape, SMALL), d.array(dtype, &own.output(), SMALL));
    let (count, divisor) = (d.flip(), d.maybe(|d| d.pick(&[1, 2, 3, -2])));
    let case = Case::new(d).with("grad_output", g).with("input", x).ints("kernel_size", &own.kernel).ints("stride", &own.stride);
    let case = case.ints("padding", &own.padding).bool("ceil_mode", own.ceil).bool("count_include_pad", count);
    case.maybe(divisor, |c, x| c.int("divisor_override", x))
}

fn maximum(d: &mut Draw<'_>, n: usize) -> Case {
    let own = Pool::new(d, n, true);
    let (dtype, domain) = (d.pick(REAL_NUMBERS), d.pick(&[SMALL, Domain::Ties, Domain::Sprinkled]));
    let x = d.array(dtype, &own.shape, domain);
    own.columns(Case::new(d).with("input", x)).bool("ceil_mode", own.ceil)
}

/// For each element of a pool's result a position in its window, in the flattened spatial dims of the input.
fn in_windows(d: &mut Draw<'_>, result: &[usize], input: &[usize], n: usize, window: impl Fn(usize, usize) -> Vec<usize>) -> Array {
    let (first, mut stream) = (input.len() - n, d.stream());
    let place = |index: &[usize]| {
        let along = (0..n).map(|k| {
            let window = window(k, index[first + k]);
            window[stream.below(window.len())]
        });
        along.enumerate().fold(0, |place, (k, q)| place * input[first + k] + q) as i64
    };
    Array::from_fn(DType::I64, result, place).expect("a small tensor")
}

fn maximum_backward(d: &mut Draw<'_>, n: usize) -> Case {
    let own = Pool::new(d, n, true);
    let dtype = d.pick(FLOATS);
    let (x, g) = (d.array(dtype, &own.shape, SMALL), d.array(dtype, &own.output(), SMALL));
    let indices = in_windows(d, &own.output(), &own.shape, n, |k, p| own.window(k, p));
    let case = Case::new(d).with("grad_output", g).with("input", x).with("indices", indices).keeping("input", n);
    own.columns(case).bool("ceil_mode", own.ceil)
}

/// A shape of `n` spatial dims and batch and channels.
fn image(d: &mut Draw<'_>, n: usize) -> Vec<usize> {
    let mut shape = outer(d);
    shape.extend((0..n).map(|_| d.positive()));
    shape
}

fn adaptive(d: &mut Draw<'_>, n: usize, dtypes: &[DType], fixed: bool) -> Case {
    let (dtype, shape) = (d.pick(dtypes), image(d, n));
    let size: Vec<i64> = (0..n).map(|_| d.positive() as i64).collect();
    let x = d.array(dtype, &shape, SMALL);
    let case = Case::new(d).with("input", x);
    if fixed { case.ints("output_size", &size) } else { case.sizes("output_size", &size) }
}

fn adaptive_backward(d: &mut Draw<'_>, n: usize, indexed: bool) -> Case {
    let (dtype, shape) = (d.pick(FLOATS), image(d, n));
    let first = shape.len() - n;
    let mut own = shape[..first].to_vec();
    own.extend((0..n).map(|_| d.positive()));
    let (x, g) = (d.array(dtype, &shape, SMALL), d.array(dtype, &own, SMALL));
    let window = |k: usize, p: usize| {
        let (size, count) = (shape[first + k], own[first + k]);
        (p * size / count..((p + 1) * size).div_ceil(count)).collect()
    };
    let indices = in_windows(d, &own, &shape, n, window);
    let case = Case::new(d).with("grad_output", g).with("input", x);
    if indexed { case.with("indices", indices).keeping("input", n) } else { case }
}

/// Shapes of a fractional pool: input, kernel, output.
fn fractions(d: &mut Draw<'_>, n: usize) -> (Vec<usize>, Vec<i64>, Vec<usize>) {
    let mut shape = outer(d);
    let (mut kernel, mut output) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let (window, size) = (d.between(1, 3), d.between(1, 3) as usize);
        kernel.push(window);
        output.push(size);
        shape.push(size + window as usize - 1 + d.below(3));
    }
    (shape, kernel, output)
}

fn fractional(d: &mut Draw<'_>, n: usize) -> Case {
    let (dtype, (shape, kernel, output)) = (d.pick(WIDE), fractions(d, n));
    let batch = if shape.len() == n + 2 { shape[0] } else { 1 };
    let channels = shape[shape.len() - n - 1];
    let x = d.array(dtype, &shape, SMALL);
    let samples = d.array(dtype, &[batch, channels, n], Domain::Range(0.0, 1.0));
    let case = Case::new(d).with("input", x).with("random_samples", samples);
    case.ints("kernel_size", &kernel).ints("output_size", &signed(&output))
}

fn fractional_backward(d: &mut Draw<'_>, n: usize) -> Case {
    let (dtype, (shape, kernel, output)) = (d.pick(WIDE), fractions(d, n));
    let first = shape.len() - n;
    let own = [&shape[..first], &output[..]].concat();
    let (x, g) = (d.array(dtype, &shape, SMALL), d.array(dtype, &own, SMALL));
    let places: usize = shape[first..].iter().product();
    let indices = d.positions(DType::I64, &own, places);
    let case = Case::new(d).with("grad_output", g).with("input", x).with("indices", indices).keeping("input", n);
    case.ints("kernel_size", &kernel).ints("output_size", &signed(&output))
}

/// Positions that differ within an image, as those of maxima do.
fn unpool(d: &mut Draw<'_>, n: usize) -> Case {
    let (dtype, shape) = (d.pick(REAL_NUMBERS), image(d, n));
    let first = shape.len() - n;
    let size: Vec<i64> = (0..n).map(|k| shape[first + k] as i64 + d.between(0, 2)).collect();
    let (own, places): (usize, usize) = (shape[first..].iter().product(), size.iter().product::<i64>() as usize);
    let images: usize = shape[..first].iter().product();
    let mut stream = d.stream();
    let values: Vec<i64> =
        (0..images).flat_map(|_| stream.permutation(places).into_iter().take(own).map(|p| p as i64).collect::<Vec<_>>()).collect();
    let indices = Array::new(DType::I64, &shape, values).expect("a small tensor");
    let x = d.array(dtype, &shape, SMALL);
    let case = Case::new(d).with("input", x).with("indices", indices).sizes("output_size", &size);
    if n == 3 { case.ints("stride", &[1, 1, 1]).ints("padding", &[0, 0, 0]) } else { case }
}
