//! Pooling: the mean or the largest element of each window.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::rows::derivatives;
use crate::rows::reduction::{cast, lowest};
use crate::rows::spatial::{Window, always, check_some, flat, read_inside, size_values, spatial, tap, window_count, window_count_up};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    // Over one dim
    composite("fx.max_pool1d", |f, op| of_one_dim(f, op, "fx.max_pool2d")).kinked(),
    composite("fx.max_pool1d_with_indices", |f, op| of_one_dim(f, op, "fx.max_pool2d_with_indices")).kinked(),
    composite("fx.avg_pool1d", |f, op| of_one_dim(f, op, "fx.avg_pool2d")),
    composite("fx.adaptive_avg_pool1d", |f, op| of_one_dim(f, op, "fx.adaptive_avg_pool2d")),
    composite("fx.adaptive_max_pool1d", |f, op| of_one_dim(f, op, "fx.adaptive_max_pool2d")).kinked(),
    // Means
    lowered("fx.avg_pool2d", |cx, op| average_pool(cx, op, 2)).vjp(derivatives::pooling::avg_pool),
    lowered("fx.avg_pool3d", |cx, op| average_pool(cx, op, 3)).vjp(derivatives::pooling::avg_pool),
    lowered("fx.adaptive_avg_pool2d", |cx, op| adaptive_pool(cx, op, 2)).vjp(derivatives::pooling::adaptive_avg_pool),
    lowered("fx.adaptive_avg_pool3d", |cx, op| adaptive_pool(cx, op, 3)).vjp(derivatives::pooling::adaptive_avg_pool),
    // Maxima
    composite("fx.max_pool2d", |f, op| without_indices(f, op, "fx.max_pool2d_with_indices")).kinked(),
    composite("fx.max_pool3d", |f, op| without_indices(f, op, "fx.max_pool3d_with_indices")).kinked(),
    lowered("fx.max_pool2d_with_indices", |cx, op| max_pool(cx, op, 2)).vjp(derivatives::pooling::max_pool).kinked(),
    lowered("fx.max_pool3d_with_indices", |cx, op| max_pool(cx, op, 3)).vjp(derivatives::pooling::max_pool).kinked(),
    lowered("fx.adaptive_max_pool2d", |cx, op| adaptive_pool(cx, op, 2)).vjp(|b| derivatives::pooling::placed_max_pool(b, &[])).kinked(),
    lowered("fx.adaptive_max_pool3d", |cx, op| adaptive_pool(cx, op, 3)).vjp(|b| derivatives::pooling::placed_max_pool(b, &[])).kinked(),
    lowered("fx.fractional_max_pool2d", |cx, op| fractional_pool(cx, op, 2))
        .vjp(|b| derivatives::pooling::placed_max_pool(b, &["kernel_size", "output_size"]))
        .kinked(),
    lowered("fx.fractional_max_pool3d", |cx, op| fractional_pool(cx, op, 3))
        .vjp(|b| derivatives::pooling::placed_max_pool(b, &["kernel_size", "output_size"]))
        .kinked(),
];

/// A pool over one dim as one over two, the first of size 1.
fn of_one_dim<'c>(f: &Fx<'c>, op: FxOp<'c>, name: &str) -> Result<Vec<Value<'c>>> {
    let added = ("dim", Attribute::i64(f.context(), -2));
    let input = f.op("fx.unsqueeze", &[op.operand("input")?], &[added])?;
    let mut attributes = op.attributes(&["ceil_mode", "count_include_pad"]);
    for (list, neutral) in [("kernel_size", 1), ("stride", 1), ("padding", 0), ("dilation", 1)] {
        // An empty list stays.
        if let Some(last) = op.op.ints(list).and_then(|list| list.first().copied()) {
            attributes.push((list, Attribute::i64s(f.context(), &[neutral, last])));
        }
    }
    if let Some(sizes) = op.op.ints("output_size") {
        let sizes = Attribute::i64s(f.context(), &[1, sizes[0]]);
        attributes.push((if op.op.results().len() == 1 { "static_output_size" } else { "output_size" }, sizes));
    }
    let pooled = f.b.infer(name, &[input], &attributes)?;
    let squeezed = ("dim", Attribute::i64s(f.context(), &[-2]));
    pooled.results().into_iter().map(|result| f.op("fx.squeeze", &[result], &[squeezed])).collect()
}

/// A pool with indices, without them.
fn without_indices<'c>(f: &Fx<'c>, op: FxOp<'c>, name: &str) -> Result<Vec<Value<'c>>> {
    let attributes = op.attributes(&["kernel_size", "stride", "padding", "dilation", "ceil_mode"]);
    Ok(vec![f.op(name, &[op.operand("input")?], &attributes)?])
}

/// The largest element of each window, NaN if there is one, and (second result) its place in the plane.
fn max_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let input = cx.operand(op, "input")?;
    let (window, dims) = pool(cx, op, &input, &op.op.result(0).ty().shape(), count)?;
    let lead = input.rank() - count;
    let sizes = size_values(cx, &input.dims[lead..]);
    let s = Scalars::new(cx.b);
    let i64_type = Type::int(cx.context(), 64);
    let ty = opmath(cx.context(), input.element);
    let starts = [lowest(&s, ty), s.int(i64_type, -1)];
    let rank = dims.len();
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let at: Vec<_> = (0..count).map(|i| body.index(lead + i)).collect();
        let taps: Vec<_> = (0..count).map(|i| body.index(rank + i)).collect();
        let (places, inside) = tap(body, &window, &sizes, &at, &taps);
        let indices: Vec<_> = (0..lead).map(|i| body.index(i)).chain(places.iter().copied()).collect();
        let inside = inside.unwrap_or_else(|| always(s));
        let x = read_inside(body, &input, &indices, inside, starts[0]);
        let places: Vec<_> = places.into_iter().map(|place| body.as_number(place)).collect();
        larger(s, acc, x, s.cast(flat(body, &places, &sizes), i64_type), inside)
    };
    let results = cx.reduce(&dims, &window.kernel, &starts, &[], body);
    let value = cast(cx, &results[0], op.result_element(0));
    cx.set(op.op.result(0), value);
    if let Some(places) = op.op.results().get(1) {
        cx.set(*places, results[1].clone());
    }
    Ok(())
}

/// The windows of a pooling op, and the sizes of its result, of which `shape` knows some.
pub(crate) fn pool<'c>(
    cx: &Lower<'c>,
    op: FxOp<'c>,
    input: &Tensor<'c>,
    shape: &[i64],
    count: usize,
) -> Result<(Window<'c>, Vec<Dim<'c>>)> {
    let lead = input.rank() - count;
    let kernel = spatial(cx, op, "kernel_size", count, 1)?;
    let mut stride = spatial(cx, op, "stride", count, 0)?;
    if stride.iter().all(|stride| *stride == 0) {
        stride.clone_from(&kernel);
    }
    let window = Window {
        kernel: kernel.into_iter().map(Dim::Static).collect(),
        stride,
        padding: spatial(cx, op, "padding", count, 0)?,
        dilation: spatial(cx, op, "dilation", count, 1)?,
    };
    let shape = shape.to_vec();
    let mut dims = input.dims[..lead].to_vec();
    let counted = if op.op.flag("ceil_mode") { window_count_up } else { window_count };
    for i in 0..count {
        dims.push(counted(cx, input.dims[lead + i], &window, i, shape[lead + i]));
    }
    check_some(cx, op, &dims[lead..]);
    Ok((window, dims))
}

/// The mean of each window.
fn average_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let input = cx.operand(op, "input")?;
    let (window, dims) = pool(cx, op, &input, &op.op.result(0).ty().shape(), count)?;
    let lead = input.rank() - count;
    let sizes = size_values(cx, &input.dims[lead..]);
    let element = op.result_element(0);
    let ty = opmath(cx.context(), element);
    let rank = dims.len();
    let zero = Scalars::new(cx.b).int(ty, 0);
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let at: Vec<_> = (0..count).map(|i| body.index(lead + i)).collect();
        let taps: Vec<_> = (0..count).map(|i| body.index(rank + i)).collect();
        let (places, inside) = tap(body, &window, &sizes, &at, &taps);
        let indices: Vec<_> = (0..lead).map(|i| body.index(i)).chain(places).collect();
        let inside = inside.unwrap_or_else(|| always(s));
        vec![s.add(acc[0], read_inside(body, &input, &indices, inside, s.int(ty, 0)))]
    };
    let sum = cx.reduce(&dims, &window.kernel, &[zero], &[], body).remove(0);
    let divisor = op.op.int("divisor_override");
    let include_pad = op.op.attribute("count_include_pad").and_then(Attribute::as_bool).unwrap_or(true);
    let kernel = size_values(cx, &window.kernel);
    let result = cx.map(&dims, element, &[cx.broadcast(&sum, &dims)], |body, a| {
        let s = &body.s;
        if let Some(divisor) = divisor {
            return s.div(a[0], s.int(ty, divisor));
        }
        let at: Vec<_> = (0..count).map(|i| body.as_number(body.index(lead + i))).collect();
        let elements = window_elements(body, &window, &kernel, &sizes, &at, include_pad);
        s.div(a[0], s.cast(elements, ty))
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The mean, or (with two results) the maximum and its place, over windows that divide each spatial dim.
fn adaptive_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let input = cx.operand(op, "input")?;
    let lead = input.rank() - count;
    let outputs = spatial(cx, op, "output_size", count, 1)?;
    let mut dims = input.dims[..lead].to_vec();
    dims.extend(outputs.iter().map(|size| Dim::Static(*size)));
    // The longest window bounds the loop.
    let longest: Vec<_> = input.dims[lead..]
        .iter()
        .zip(&outputs)
        .map(|(size, out)| match size.known() {
            Some(size) => Dim::Static((0..*out).map(|p| ((p + 1) * size + out - 1) / out - p * size / out).max().unwrap_or(0)),
            None => cx.add(cx.ceil_div(*size, Dim::Static((*out).max(1))), Dim::Static(1)),
        })
        .collect();
    let sizes = size_values(cx, &input.dims[lead..]);
    let index = Type::index(cx.context());
    // Start and length of the window at loop `i` of the spatial dims.
    let window = |body: &Body<'c>, i: usize| {
        let s = &body.s;
        let (p, size, out) = (body.as_number(body.index(lead + i)), body.as_number(sizes[i]), s.int(index, outputs[i]));
        let start = s.div(s.mul(p, size), out);
        let end = s.div(s.add(s.mul(s.add(p, s.int(index, 1)), size), s.int(index, outputs[i] - 1)), out);
        (start, s.sub(end, start))
    };
    let element = op.result_element(0);
    let ty = opmath(cx.context(), element);
    let i64_type = Type::int(cx.context(), 64);
    let maximum = op.op.results().len() == 2;
    let s = Scalars::new(cx.b);
    let lowest = if !maximum { s.int(ty, 0) } else { lowest(&s, ty) };
    let mut starts = vec![lowest];
    if maximum {
        starts.push(s.int(i64_type, -1));
    }
    let rank = dims.len();
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let mut inside = always(s);
        let mut plane = s.int(index, 0);
        let mut indices: Vec<_> = (0..lead).map(|i| body.index(i)).collect();
        for (i, size) in sizes.iter().enumerate() {
            let (start, length) = window(body, i);
            let tap = body.as_number(body.index(rank + i));
            inside = s.and(inside, s.compare(Compare::Lt, tap, length));
            let place = s.add(start, tap);
            plane = s.add(s.mul(plane, body.as_number(*size)), place);
            indices.push(place.value);
        }
        if !maximum {
            return vec![s.add(acc[0], read_inside(body, &input, &indices, inside, s.int(ty, 0)))];
        }
        let x = read_inside(body, &input, &indices, inside, lowest);
        larger(s, acc, x, s.cast(plane, i64_type), inside)
    };
    let found = cx.reduce(&dims, &longest, &starts, &[], body);
    if maximum {
        let value = cast(cx, &found[0], element);
        cx.set(op.op.result(0), value);
        cx.set(op.op.result(1), found[1].clone());
        return Ok(());
    }
    let result = cx.map(&dims, element, &[cx.broadcast(&found[0], &dims)], |body, a| {
        let s = &body.s;
        let elements = (0..count).fold(s.int(index, 1), |elements, i| s.mul(elements, window(body, i).1));
        s.div(a[0], s.cast(elements, ty))
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The number of elements that the mean of the window at `at` counts.
pub(crate) fn window_elements<'c>(
    body: &Body<'c>,
    window: &Window<'c>,
    kernel: &[Value<'c>],
    sizes: &[Value<'c>],
    at: &[Number<'c>],
    include_pad: bool,
) -> Number<'c> {
    let s = &body.s;
    let index = Type::index(s.context());
    let number = |value: Value<'c>| body.as_number(value);
    at.iter().enumerate().fold(s.int(index, 1), |elements, (i, at)| {
        let padding = s.int(index, window.padding[i]);
        let first = s.sub(s.mul(*at, s.int(index, window.stride[i])), padding);
        let end = s.min(s.add(first, number(kernel[i])), s.add(number(sizes[i]), padding));
        let length = if include_pad { s.sub(end, first) } else { s.sub(s.min(end, number(sizes[i])), s.max(first, s.int(index, 0))) };
        s.mul(elements, length)
    })
}

/// The largest element of each window, NaN if there is one, and its place in the plane. Window `p` of a dim begins at
/// `trunc((p + u) a) - trunc(u a)` with `a = (size - kernel) / (windows - 1)`, the last one at `size - kernel`
/// (ATen's FractionalMaxPooling.h); u is random, one per plane and dim.
fn fractional_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let (input, samples) = (cx.operand(op, "input")?, cx.operand(op, "random_samples")?);
    let lead = input.rank() - count;
    let (kernel, outputs) = (spatial(cx, op, "kernel_size", count, 1)?, spatial(cx, op, "output_size", count, 1)?);
    let plane = [if lead == 2 { input.dims[0] } else { Dim::Static(1) }, input.dims[lead - 1], Dim::Static(count as i64)];
    for (i, (have, need)) in samples.dims.iter().zip(plane).enumerate() {
        if let (Some(have), Some(need)) = (have.known(), need.known())
            && (have < need || (i > 0 && have != need))
        {
            return Err(op.error(&format!("expects 'random_samples' to have {need} entries in dim {i}, got {have}")));
        }
    }
    cx.check_at_most(plane[0], samples.dims[0], &format!("'{}' op has fewer 'random_samples' than images", op.op.name()));
    cx.check_shape(&samples.dims[1..], &plane[1..]);
    for i in 0..count {
        let least = outputs[i] + kernel[i] - 1;
        let message = format!("'{}' op expects spatial dim {i} to have {least} elements or more", op.op.name());
        cx.check_at_most(Dim::Static(least), input.dims[lead + i], &message);
    }
    // Of two samples the first is the last dim's.
    let sample = |i: usize| if count == 2 { 1 - i } else { i };
    let spaced = |i: usize| Spaced { lead, i, sample: sample(i), kernel: kernel[i], windows: outputs[i] };
    let starts: Vec<_> = (0..count).map(|i| fractional_starts(cx, &input, &samples, spaced(i))).collect();
    let mut dims = input.dims[..lead].to_vec();
    dims.extend(outputs.iter().map(|size| Dim::Static(*size)));
    let window: Vec<_> = kernel.iter().map(|size| Dim::Static(*size)).collect();
    let sizes = size_values(cx, &input.dims[lead..]);
    let (rank, index) = (dims.len(), Type::index(cx.context()));
    let (ty, i64_type) = (opmath(cx.context(), input.element), Type::int(cx.context(), 64));
    let s = Scalars::new(cx.b);
    let inits = [lowest(&s, ty), s.int(i64_type, -1)];
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let plane: Vec<_> = (0..lead).map(|i| body.index(i)).collect();
        let places: Vec<_> = (0..count)
            .map(|i| {
                let start = body.extract(&starts[i], &[&plane[..], &[body.index(lead + i)]].concat());
                s.add(s.cast(start, index), body.as_number(body.index(rank + i)))
            })
            .collect();
        let indices: Vec<_> = plane.iter().copied().chain(places.iter().map(|place| place.value)).collect();
        larger(s, acc, s.cast(body.extract(&input, &indices), ty), s.cast(flat(body, &places, &sizes), i64_type), always(s))
    };
    let found = cx.reduce(&dims, &window, &inits, &[], body);
    let value = cast(cx, &found[0], op.result_element(0));
    cx.set(op.op.result(0), value);
    cx.set(op.op.result(1), found[1].clone());
    Ok(())
}

/// Where the windows of spatial dim `i` begin, per plane. Each step rounds to the input's type, as ATen's does.
fn fractional_starts<'c>(cx: &Lower<'c>, input: &Tensor<'c>, samples: &Tensor<'c>, dim: Spaced) -> Tensor<'c> {
    let Spaced { lead, i, sample, kernel, windows } = dim;
    let size = cx.dim_value(input.dims[lead + i]);
    let (element, i64_type, index) = (input.element, Type::int(cx.context(), 64), Type::index(cx.context()));
    let ty = opmath(cx.context(), element);
    let dims = [&input.dims[..lead], &[Dim::Static(windows)]].concat();
    cx.map(&dims, i64_type, &[], |body, _| {
        let s = &body.s;
        let rounded = |x: Number<'c>| s.cast(s.cast(x, element), ty);
        let channel = body.index(lead - 1);
        let batch = if lead == 2 { body.index(0) } else { s.int(index, 0).value };
        let u = s.cast(body.extract(samples, &[batch, channel, s.int(index, sample as i64).value]), ty);
        let last = s.sub(body.as_number(size), s.int(index, kernel));
        let p = body.as_number(body.index(lead));
        let step = rounded(s.div(rounded(s.cast(last, ty)), s.constant(ty, (windows - 1).max(1) as f64)));
        // Towards zero; what is no number counts as 0.
        let whole = |x: Number<'c>| {
            let finite = s.compare(Compare::Lt, s.abs(x), s.constant(ty, 1e9));
            s.cast(s.select(finite, x, s.constant(ty, 0.0)), index)
        };
        let reach = whole(rounded(s.mul(rounded(s.add(s.cast(p, ty), u)), step)));
        let start = s.sub(reach, whole(rounded(s.mul(u, step))));
        // Samples outside of [0, 1) may put windows elsewhere, but not outside.
        let start = s.min(s.max(start, s.int(index, 0)), last);
        s.select(s.compare(Compare::Eq, p, s.int(index, windows - 1)), last, start)
    })
}

/// The windows of one spatial dim of fractional pooling.
struct Spaced {
    /// Dims before the spatial ones.
    lead: usize,
    /// Which spatial dim.
    i: usize,
    /// Which of the plane's samples.
    sample: usize,
    kernel: i64,
    windows: i64,
}

/// A maximum so far and its place, or `x` at `place` where it lies `inside` and is larger, NaN, or the first.
fn larger<'c>(s: &Scalars<'c>, acc: &[Number<'c>], x: Number<'c>, place: Number<'c>, inside: Number<'c>) -> Vec<Number<'c>> {
    let first = s.compare(Compare::Lt, acc[1], s.int(acc[1].ty, 0));
    let larger = s.or(s.compare(Compare::Gt, x, acc[0]), s.is_nan(x));
    let take = s.and(inside, s.or(first, larger));
    vec![s.select(take, x, acc[0]), s.select(take, place, acc[1])]
}
