//! Gradients of pooling: for each place of the input, the windows that hold it.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::rows::spatial::pooling::{pool, window_elements};
use crate::rows::spatial::{always, flat, guarded, read_inside, size_values, spatial};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.avg_pool2d_backward", |cx, op| pool_backward(cx, op, 2))
        .vjp(derivatives::pooling::avg_pool_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.avg_pool3d_backward", |cx, op| pool_backward(cx, op, 3))
        .vjp(derivatives::pooling::avg_pool_backward)
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.max_pool2d_with_indices_backward", |cx, op| pool_backward(cx, op, 2))
        .vjp(|b| derivatives::pooling::max_pool_backward(b, 2))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.max_pool3d_with_indices_backward", |cx, op| pool_backward(cx, op, 3))
        .vjp(|b| derivatives::pooling::max_pool_backward(b, 3))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.adaptive_avg_pool2d_backward", |cx, op| adaptive_backward(cx, op, 2))
        .vjp(|b| derivatives::pooling::adaptive_avg_pool_backward(b, 2))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.adaptive_avg_pool3d_backward", |cx, op| adaptive_backward(cx, op, 3))
        .vjp(|b| derivatives::pooling::adaptive_avg_pool_backward(b, 3))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.adaptive_max_pool2d_backward", |cx, op| adaptive_backward(cx, op, 2))
        .vjp(|b| derivatives::pooling::max_pool_backward(b, 2))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.adaptive_max_pool3d_backward", |cx, op| adaptive_backward(cx, op, 3))
        .vjp(|b| derivatives::pooling::max_pool_backward(b, 3))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.fractional_max_pool2d_backward", |cx, op| fractional_backward(cx, op, 2))
        .vjp(|b| derivatives::pooling::max_pool_backward(b, 2))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
    lowered("fx.fractional_max_pool3d_backward", |cx, op| fractional_backward(cx, op, 3))
        .vjp(|b| derivatives::pooling::max_pool_backward(b, 3))
        .by(&["grad_output"])
        .sizes_of(&["input"]),
];

/// Gradient of a mean over windows, or (with an operand `indices`) of a maximum: each place of the input takes from the
/// windows that hold it.
fn pool_backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let (g, input) = (cx.operand(op, "grad_output")?, cx.operand(op, "input")?);
    let maxima = op.optional("indices").map(|value| cx.tensor(value)).transpose()?;
    let (window, dims) = pool(cx, op, &input, &vec![fx_ir::DYNAMIC; input.rank()], count)?;
    check_windows(cx, &g, maxima.as_ref(), &dims);
    let lead = input.rank() - count;
    let (sizes, windows) = (size_values(cx, &input.dims[lead..]), size_values(cx, &g.dims[lead..]));
    let kernel = size_values(cx, &window.kernel);
    let divisor = op.op.int("divisor_override");
    let include_pad = op.op.attribute("count_include_pad").and_then(Attribute::as_bool).unwrap_or(true);
    let ty = opmath(cx.context(), op.result_element(0));
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let rank = input.rank();
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let index = Type::index(s.context());
        let mut inside = always(s);
        let mut plane = s.int(index, 0);
        let mut places = Vec::new();
        for i in 0..count {
            let own = body.as_number(body.index(lead + i));
            let reach = s.mul(body.as_number(body.index(rank + i)), s.int(index, window.dilation[i]));
            let start = s.sub(s.add(own, s.int(index, window.padding[i])), reach);
            let step = s.int(index, window.stride[i]);
            let at = s.div(start, step);
            let whole = s.compare(Compare::Eq, s.rem(start, step), s.int(index, 0));
            let range = s.and(s.compare(Compare::Ge, start, s.int(index, 0)), s.compare(Compare::Lt, at, body.as_number(windows[i])));
            inside = s.and(inside, s.and(whole, range));
            plane = s.add(s.mul(plane, body.as_number(sizes[i])), own);
            places.push(at);
        }
        let indices: Vec<_> = (0..lead).map(|i| body.index(i)).chain(places.iter().map(|place| place.value)).collect();
        let arrived = read_inside(body, &g, &indices, inside, s.constant(ty, 0.0));
        let share = match (&maxima, divisor) {
            (Some(maxima), _) => {
                let none = s.int(maxima.element, -1);
                let place = s.cast(read_inside(body, maxima, &indices, inside, none), index);
                s.select(s.compare(Compare::Eq, place, plane), arrived, s.constant(ty, 0.0))
            }
            (None, Some(divisor)) => s.div(arrived, s.int(ty, divisor)),
            (None, None) => {
                let elements = window_elements(body, &window, &kernel, &sizes, &places, include_pad);
                s.div(arrived, s.cast(s.select(inside, elements, s.int(index, 1)), ty))
            }
        };
        vec![s.add(acc[0], share)]
    };
    let sum = cx.reduce(&input.dims, &window.kernel, &[zero], &[], body).remove(0);
    let sum = cast(cx, &sum, op.result_element(0));
    cx.set(op.op.result(0), sum);
    Ok(())
}

/// Checks, at run time, that gradients (and places of maxima) have the sizes of the windows.
fn check_windows<'c>(cx: &Lower<'c>, g: &Tensor<'c>, maxima: Option<&Tensor<'c>>, dims: &[Dim<'c>]) {
    cx.check_shape(&g.dims, dims);
    if let Some(maxima) = maxima {
        cx.check_shape(&maxima.dims, &g.dims);
    }
}

/// Gradients from the windows that may hold a place: per spatial dim, consecutive ones.
struct Gathered<'c> {
    g: Tensor<'c>,
    /// Places of the maxima; none for means.
    maxima: Option<Tensor<'c>>,
    /// Sizes of the result, and the number of dims before the spatial ones.
    dims: Vec<Dim<'c>>,
    lead: usize,
    /// Per spatial dim, the most windows that hold a place.
    steps: Vec<Dim<'c>>,
}

/// The first window that may hold place q of spatial dim i.
type FirstWindow<'a, 'c> = &'a dyn Fn(&Scalars<'c>, usize, Number<'c>) -> Number<'c>;
/// For a mean: the first element and the end of window p of spatial dim i.
type WindowRange<'a, 'c> = &'a dyn Fn(&Scalars<'c>, usize, Number<'c>) -> (Number<'c>, Number<'c>);

impl<'c> Gathered<'c> {
    fn of(cx: &Lower<'c>, op: FxOp<'c>, count: usize) -> Result<Self> {
        let (g, input) = (cx.operand(op, "grad_output")?, cx.operand(op, "input")?);
        let maxima = op.optional("indices").map(|value| cx.tensor(value)).transpose()?;
        let lead = input.rank() - count;
        check_windows(cx, &g, maxima.as_ref(), &input.dims[..lead]);
        Ok(Self { g, maxima, lead, dims: input.dims, steps: Vec::new() })
    }

    /// The sizes of spatial dim `i` of the input and of the windows.
    fn sizes(&self, i: usize) -> (Dim<'c>, Dim<'c>) {
        (self.dims[self.lead + i], self.g.dims[self.lead + i])
    }

    fn record(self, cx: &mut Lower<'c>, op: FxOp<'c>, first: FirstWindow<'_, 'c>, range: WindowRange<'_, 'c>) -> Result {
        let Self { g, maxima, dims, lead, steps } = self;
        let count = steps.len();
        let (sizes, windows) = (size_values(cx, &dims[lead..]), size_values(cx, &g.dims[lead..]));
        let ty = opmath(cx.context(), op.result_element(0));
        let zero = Scalars::new(cx.b).constant(ty, 0.0);
        let rank = dims.len();
        let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
            let s = &body.s;
            let place: Vec<_> = (0..count).map(|i| body.as_number(body.index(lead + i))).collect();
            let at: Vec<_> = (0..count).map(|i| s.add(first(s, i, place[i]), body.as_number(body.index(rank + i)))).collect();
            let exists = |i: usize| s.compare(Compare::Lt, at[i], body.as_number(windows[i]));
            let mut inside = (0..count).fold(always(s), |all, i| s.and(all, exists(i)));
            let ranges: Vec<_> = if maxima.is_none() { (0..count).map(|i| range(s, i, at[i])).collect() } else { Vec::new() };
            for ((start, end), q) in ranges.iter().zip(&place) {
                let holds = s.and(s.compare(Compare::Le, *start, *q), s.compare(Compare::Lt, *q, *end));
                inside = s.and(inside, holds);
            }
            let indices: Vec<Value<'c>> = (0..lead).map(|i| body.index(i)).chain(at.iter().map(|at| at.value)).collect();
            let own = flat(body, &place, &sizes);
            let share = guarded(body, inside, s.constant(ty, 0.0), |inner| {
                let s = &inner.s;
                let arrived = s.cast(inner.extract(&g, &indices), ty);
                match &maxima {
                    Some(maxima) => {
                        let maximum = s.cast(inner.extract(maxima, &indices), own.ty);
                        s.select(s.compare(Compare::Eq, maximum, own), arrived, s.constant(ty, 0.0))
                    }
                    None => {
                        let elements = ranges.iter().fold(s.int(own.ty, 1), |n, (start, end)| s.mul(n, s.sub(*end, *start)));
                        s.div(arrived, s.cast(elements, ty))
                    }
                }
            });
            vec![s.add(acc[0], share)]
        };
        let sum = cx.reduce(&dims, &steps, &[zero], &[], body).remove(0);
        let sum = cast(cx, &sum, op.result_element(0));
        cx.set(op.op.result(0), sum);
        Ok(())
    }
}

/// `floor(q * n / d)` for indices that are not negative.
fn part<'c>(s: &Scalars<'c>, q: Number<'c>, n: Number<'c>, d: Number<'c>) -> Number<'c> {
    s.div(s.mul(q, n), s.max(d, s.int(d.ty, 1)))
}

/// `ceil((q + 1) * n / d)`
fn part_end<'c>(s: &Scalars<'c>, q: Number<'c>, n: Number<'c>, d: Number<'c>) -> Number<'c> {
    let one = s.int(d.ty, 1);
    s.div(s.add(s.mul(s.add(q, one), n), s.sub(d, one)), s.max(d, one))
}

/// Window p holds `[floor(p * size / windows), ceil((p + 1) * size / windows))`; so place q is in the windows
/// `[floor(q * windows / size), ceil((q + 1) * windows / size))`.
fn adaptive_backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let mut gathered = Gathered::of(cx, op, count)?;
    gathered.steps = (0..count)
        .map(|i| match gathered.sizes(i) {
            (Dim::Static(size), Dim::Static(windows)) => {
                let holding = |q: i64| ((q + 1) * windows + size - 1) / size - q * windows / size;
                Dim::Static((0..size).map(holding).max().unwrap_or(0).min(windows))
            }
            (size, windows) => cx.min(windows, cx.add(cx.ceil_div(windows, cx.max(size, Dim::Static(1))), Dim::Static(1))),
        })
        .collect();
    let sizes: Vec<_> = (0..count)
        .map(|i| {
            let (size, windows) = gathered.sizes(i);
            [size, windows].map(|dim| Number { value: cx.dim_value(dim), ty: Type::index(cx.context()) })
        })
        .collect();
    let first = |s: &Scalars<'c>, i: usize, q: Number<'c>| part(s, q, sizes[i][1], sizes[i][0]);
    let range = |s: &Scalars<'c>, i: usize, p: Number<'c>| {
        let [size, windows] = sizes[i];
        (part(s, p, size, windows), part_end(s, p, size, windows))
    };
    gathered.record(cx, op, &first, &range)
}

/// Window p begins within two places of `p * a` with `a = (size - kernel) / (windows - 1) >= 1`, whatever the samples were.
/// Half precision rounds places more coarsely: there, any window may hold any place.
fn fractional_backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let mut gathered = Gathered::of(cx, op, count)?;
    let kernel = spatial(cx, op, "kernel_size", count, 1)?;
    let anywhere = op.result_element(0).bit_width() < 32;
    let windows: Vec<_> = (0..count).map(|i| gathered.sizes(i).1).collect();
    let outputs: Vec<_> = spatial(cx, op, "output_size", count, 1)?.into_iter().map(Dim::Static).collect();
    cx.check_shape(&windows, &outputs);
    gathered.steps = (0..count).map(|i| if anywhere { windows[i] } else { cx.min(windows[i], Dim::Static(kernel[i] + 6)) }).collect();
    // Per dim: windows - 1, and size - kernel.
    let gaps: Vec<_> = (0..count)
        .map(|i| {
            let rest = cx.max(cx.sub(gathered.sizes(i).0, Dim::Static(kernel[i])), Dim::Static(1));
            [cx.sub(windows[i], Dim::Static(1)), rest].map(|dim| Number { value: cx.dim_value(dim), ty: Type::index(cx.context()) })
        })
        .collect();
    let first = |s: &Scalars<'c>, i: usize, q: Number<'c>| {
        let zero = s.int(q.ty, 0);
        if anywhere {
            return zero;
        }
        let [steps, rest] = gaps[i];
        s.div(s.mul(s.max(s.sub(q, s.int(q.ty, kernel[i] + 2)), zero), steps), rest)
    };
    gathered.record(cx, op, &first, &|s, _, p| (s.int(p.ty, 0), p))
}
