//! Convolutions: geometries with at least one window.

use fx_interp::DType;

use crate::case::Case;
use crate::draw::{Draw, FLOATS, SMALL};
use crate::{Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.conv1d", STABLE, |d| plain(d, 1)),
    row("fx.conv1d_padding", STABLE, |d| by_name(d, 1)),
    row("fx.conv2d", STABLE, |d| plain(d, 2)),
    row("fx.conv2d_padding", STABLE, |d| by_name(d, 2)),
    row("fx.conv3d", STABLE, |d| plain(d, 3)),
    row("fx.conv3d_padding", STABLE, |d| by_name(d, 3)),
    row("fx.conv_transpose1d", STABLE, |d| transposed(d, 1)),
    row("fx.conv_transpose2d", STABLE, |d| transposed(d, 2)),
    row("fx.conv_transpose3d", STABLE, |d| transposed(d, 3)),
    row("fx.convolution", STABLE, |d| {
        let (n, flipped) = (d.between(1, 3) as usize, d.flip());
        let own = Geometry::new(d, n, flipped);
        own.convolution(own.operands(d))
    }),
    row("fx.convolution_backward", STABLE, |d| {
        let (n, flipped) = (d.between(1, 3) as usize, d.flip());
        let own = Geometry::new(d, n, flipped).batched();
        let g = d.array(own.dtype, &own.output(), SMALL);
        let (x, w) = (d.array(own.dtype, &own.input, SMALL), d.array(own.dtype, &own.weight, SMALL));
        let bias: Vec<i64> = d.maybe(|_| own.out as i64).into_iter().collect();
        let mask = [d.flip(), d.flip(), d.flip() && !bias.is_empty()];
        let dims = own.free_dims();
        let case = Case::new(d).partly("grad_output", g, &dims).partly("input", x, &dims).partly("weight", w, &[]);
        own.convolution(case).fixed_sizes("bias_sizes", &bias).bools("output_mask", &mask)
    }),
];

/// Sizes of a convolution.
struct Geometry {
    dtype: DType,
    transposed: bool,
    batched: bool,
    groups: usize,
    out: usize,
    input: Vec<usize>,
    weight: Vec<usize>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    more: Vec<i64>,
}

impl Geometry {
    fn new(d: &mut Draw<'_>, n: usize, transposed: bool) -> Self {
        let (dtype, groups) = (d.pick(FLOATS), d.pick(&[1, 1, 2, 3]));
        let (own, out) = (d.between(1, 2) as usize, d.between(1, 2) as usize);
        let batched = !d.once_in(5);
        let kernel: Vec<usize> = (0..n).map(|_| d.between(1, 3) as usize).collect();
        let list = |d: &mut Draw<'_>, low, high| (0..n).map(|_| d.between(low, high)).collect::<Vec<i64>>();
        let (stride, dilation, padding) = (list(d, 1, 2), list(d, 1, 2), list(d, 0, 1));
        let more: Vec<i64> = (0..n).map(|k| if transposed { d.between(0, stride[k].max(dilation[k]) - 1) } else { 0 }).collect();
        let reach = |k: usize| dilation[k] as usize * (kernel[k] - 1) + 1;
        let most = if n == 3 { 2 } else { 4 };
        // a transposed convolution shrinks nothing but by its padding
        let spatial: Vec<usize> = (0..n).map(|k| reach(k).saturating_sub(2 * padding[k] as usize).max(1) + d.below(most)).collect();
        let mut input = if batched { vec![d.size()] } else { Vec::new() };
        input.push(own * groups);
        input.extend(spatial);
        let mut weight = if transposed { vec![own * groups, out] } else { vec![out * groups, own] };
        weight.extend(&kernel);
        let mut made = Geometry { dtype, transposed, batched, groups, out: out * groups, input, weight, stride, padding, dilation, more };
        let first = made.input.len() - n;
        for k in 0..n {
            while made.size(k) < 1 {
                made.input[first + k] += 1;
            }
        }
        made
    }

    /// With a batch dim, as PyTorch adds one before it asks for gradients.
    fn batched(mut self) -> Self {
        if !self.batched {
            self.input.insert(0, 1);
            self.batched = true;
        }
        self
    }

    fn spatial(&self) -> usize {
        self.stride.len()
    }

    /// The output size of a spatial dim.
    fn size(&self, k: usize) -> i64 {
        let own = self.input[self.input.len() - self.spatial() + k] as i64;
        let reach = self.dilation[k] * (self.weight[2 + k] as i64 - 1);
        if self.transposed {
            (own - 1) * self.stride[k] - 2 * self.padding[k] + reach + self.more[k] + 1
        } else {
            (own + 2 * self.padding[k] - reach - 1).div_euclid(self.stride[k]) + 1
        }
    }

    fn output(&self) -> Vec<usize> {
        let mut shape = if self.batched { vec![self.input[0]] } else { Vec::new() };
        shape.push(self.out);
        shape.extend((0..self.spatial()).map(|k| self.size(k) as usize));
        shape
    }

    /// All dims but that of the channels.
    fn free_dims(&self) -> Vec<usize> {
        let channels = usize::from(self.batched);
        (0..self.input.len()).filter(|dim| *dim != channels).collect()
    }

    fn operands(&self, d: &mut Draw<'_>) -> Case {
        let (x, w) = (d.array(self.dtype, &self.input, SMALL), d.array(self.dtype, &self.weight, SMALL));
        let bias = d.maybe(|d| d.array(self.dtype, &[self.out], SMALL));
        let case = Case::new(d).partly("input", x, &self.free_dims()).partly("weight", w, &[]);
        case.maybe(bias, |c, x| c.partly("bias", x, &[]))
    }

    fn lists(&self, case: Case) -> Case {
        let case = case.fixed_sizes("stride", &self.stride).fixed_sizes("dilation", &self.dilation);
        case.fixed_sizes("groups", &[self.groups as i64])
    }

    fn convolution(&self, case: Case) -> Case {
        let case = self.lists(case).fixed_sizes("padding", &self.padding).fixed_sizes("output_padding", &self.more);
        case.bool("transposed", self.transposed)
    }
}

fn plain(d: &mut Draw<'_>, n: usize) -> Case {
    let own = Geometry::new(d, n, false);
    let case = own.operands(d);
    own.lists(case).fixed_sizes("padding", &own.padding)
}

fn transposed(d: &mut Draw<'_>, n: usize) -> Case {
    let own = Geometry::new(d, n, true);
    let case = own.operands(d);
    own.lists(case).fixed_sizes("padding", &own.padding).fixed_sizes("output_padding", &own.more)
}

fn by_name(d: &mut Draw<'_>, n: usize) -> Case {
    let same = d.flip();
    let mut own = Geometry::new(d, n, false);
    own.padding = vec![0; n];
    if same {
        own.stride = vec![1; n];
    }
    let first = own.input.len() - n;
    for k in 0..n {
        while own.size(k) < 1 {
            own.input[first + k] += 1;
        }
    }
    let case = own.operands(d);
    own.lists(case).text("padding", if same { "same" } else { "valid" })
}
