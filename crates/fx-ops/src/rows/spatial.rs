//! Convolutions and pooling: windows over the trailing dims.

use fx_ir::{Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.max_pool1d", |cx, op| max_pool(cx, op, 1)),
    lowered("fx.max_pool1d_with_indices", |cx, op| max_pool(cx, op, 1)),
    lowered("fx.max_pool3d", |cx, op| max_pool(cx, op, 3)),
    lowered("fx.avg_pool1d", |cx, op| average_pool(cx, op, 1)),
    lowered("fx.avg_pool2d", |cx, op| average_pool(cx, op, 2)),
    lowered("fx.avg_pool3d", |cx, op| average_pool(cx, op, 3)),
    lowered("fx.adaptive_avg_pool1d", |cx, op| adaptive_pool(cx, op, 1)),
    lowered("fx.adaptive_avg_pool2d", |cx, op| adaptive_pool(cx, op, 2)),
    lowered("fx.adaptive_avg_pool3d", |cx, op| adaptive_pool(cx, op, 3)),
    lowered("fx.adaptive_max_pool1d", |cx, op| adaptive_pool(cx, op, 1)),
    lowered("fx.adaptive_max_pool2d", |cx, op| adaptive_pool(cx, op, 2)),
    lowered("fx.adaptive_max_pool3d", |cx, op| adaptive_pool(cx, op, 3)),
    composite("fx.pixel_shuffle", |f, op| shuffle(f, op, op.int("upscale_factor")?, true)),
    composite("fx.pixel_unshuffle", |f, op| shuffle(f, op, op.int("downscale_factor")?, false)),
    composite("fx.channel_shuffle", channel_shuffle),
    lowered("fx.im2col", im2col),
    lowered("fx.max_pool2d", |cx, op| max_pool(cx, op, 2)),
    lowered("fx.max_pool2d_with_indices", |cx, op| max_pool(cx, op, 2)),
    lowered("fx.max_pool3d_with_indices", |cx, op| max_pool(cx, op, 3)),
    missing("fx.col2im", "needs a scatter kernel"),
    missing("fx.fractional_max_pool2d", "windows at random places are not written yet"),
    missing("fx.fractional_max_pool3d", "windows at random places are not written yet"),
    missing("fx.max_unpool2d", "needs a scatter kernel"),
    missing("fx.max_unpool3d", "needs a scatter kernel"),
];

/// Where windows lie, per spatial dim.
pub(crate) struct Window<'c> {
    pub(crate) kernel: Vec<Dim<'c>>,
    pub(crate) stride: Vec<i64>,
    pub(crate) padding: Vec<i64>,
    pub(crate) dilation: Vec<i64>,
}

/// A list of one entry per spatial dim; one entry stands for all, none for `absent`.
pub(crate) fn spatial<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str, count: usize, absent: i64) -> Result<Vec<i64>> {
    let list = match op.op.ints(name) {
        Some(list) => list,
        None => cx
            .sizes(op, name)
            .into_iter()
            .map(|dim| dim.known().ok_or_else(|| op.error(&format!("needs '{name}' at compile time"))))
            .collect::<Result<Vec<_>>>()?,
    };
    Ok(match list.len() {
        0 => vec![absent; count],
        1 => vec![list[0]; count],
        _ => list,
    })
}

/// `(size + 2 padding - dilation (kernel - 1) - 1) / stride + 1`, or the size that the type knows.
pub(crate) fn window_count<'c>(cx: &Lower<'c>, size: Dim<'c>, window: &Window<'c>, i: usize, known: i64) -> Dim<'c> {
    if known != fx_ir::DYNAMIC {
        return Dim::Static(known);
    }
    let reach = cx.mul(Dim::Static(window.dilation[i]), cx.sub(window.kernel[i], Dim::Static(1)));
    let padded = cx.add(size, Dim::Static(2 * window.padding[i] - 1));
    let room = cx.sub(padded, reach);
    cx.add(cx.floor_div(room, Dim::Static(window.stride[i])), Dim::Static(1))
}

/// Indices into the input under window `at` and tap `tap`, and whether all lie inside (none: always).
pub(crate) fn tap<'c>(
    body: &Body<'c>,
    window: &Window<'c>,
    sizes: &[Value<'c>],
    at: &[Value<'c>],
    taps: &[Value<'c>],
) -> (Vec<Value<'c>>, Option<Number<'c>>) {
    let s = &body.s;
    let index = Type::index(s.context());
    let number = |value: Value<'c>| body.as_number(value);
    let mut inside: Option<Number<'c>> = None;
    let mut indices = Vec::new();
    for i in 0..at.len() {
        let times = |value: Value<'c>, factor: i64| if factor == 1 { number(value) } else { s.mul(number(value), s.int(index, factor)) };
        let mut place = s.add(times(at[i], window.stride[i]), times(taps[i], window.dilation[i]));
        if window.padding[i] != 0 {
            place = s.sub(place, s.int(index, window.padding[i]));
        }
        let low = s.compare(Compare::Ge, place, s.int(index, 0));
        let high = s.compare(Compare::Lt, place, number(sizes[i]));
        let here = s.and(low, high);
        inside = Some(inside.map_or(here, |all| s.and(all, here)));
        indices.push(place.value);
    }
    // Without padding every tap of every window lies inside, unless ceil_mode adds windows: the caller knows.
    (indices, inside)
}

/// The element of `input` at `indices`, or `outside` where `inside` is false.
pub(crate) fn read_inside<'c>(
    body: &Body<'c>,
    input: &Tensor<'c>,
    indices: &[Value<'c>],
    inside: Number<'c>,
    outside: Number<'c>,
) -> Number<'c> {
    let b = body.s.b;
    let ty = outside.ty;
    let choice = b.op_with_regions("scf.if", &[inside.value], &[crate::scalar::storage_type(ty)], &[], &[Some(&[]), Some(&[])]);
    for region in 0..2 {
        if let Some(block) = choice.body(region) {
            let inner = Body { s: Scalars::new(b.inside(block)) };
            let value = if region == 0 { inner.s.cast(inner.extract(input, indices), ty).value } else { outside.value };
            inner.s.b.op("scf.yield", &[value], &[], &[]);
        }
    }
    Number { value: choice.result(0), ty }
}

/// The largest element of each window, NaN if there is one, and (second result) its place in the plane.
fn max_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let input = cx.operand(op, "input")?;
    let (window, dims) = pool(cx, op, &input, &op.op.result(0).ty().shape(), count)?;
    let lead = input.rank() - count;
    let sizes: Vec<_> = input.dims[lead..].iter().map(|dim| cx.dim_value(*dim)).collect();
    let s = Scalars::new(cx.b);
    let i64_type = Type::int(cx.context(), 64);
    let ty = opmath(cx.context(), input.element);
    let lowest = if ty.is_float() { f64::NEG_INFINITY } else { (i64::MIN >> (64 - ty.bit_width().min(64))) as f64 };
    let starts = [s.constant(ty, lowest), s.int(i64_type, -1)];
    let rank = dims.len();
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let at: Vec<_> = (0..count).map(|i| body.index(lead + i)).collect();
        let taps: Vec<_> = (0..count).map(|i| body.index(rank + i)).collect();
        let (places, inside) = tap(body, &window, &sizes, &at, &taps);
        let indices: Vec<_> = (0..lead).map(|i| body.index(i)).chain(places.iter().copied()).collect();
        let inside = inside.unwrap_or_else(|| s.int(Type::int(s.context(), 1), 1));
        let x = read_inside(body, &input, &indices, inside, s.constant(ty, lowest));
        let index = Type::index(s.context());
        let plane = places
            .iter()
            .zip(&sizes)
            .fold(s.int(index, 0), |flat, (place, size)| s.add(s.mul(flat, body.as_number(*size)), body.as_number(*place)));
        let first = s.compare(Compare::Lt, acc[1], s.int(i64_type, 0));
        let larger = s.or(s.compare(Compare::Gt, x, acc[0]), s.is_nan(x));
        let take = s.and(inside, s.or(first, larger));
        vec![s.select(take, x, acc[0]), s.select(take, s.cast(plane, i64_type), acc[1])]
    };
    let results = cx.reduce(&dims, &window.kernel, &starts, &[], body);
    let value = crate::rows::reduction::cast(cx, &results[0], op.result_element(0));
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
    for i in 0..count {
        if op.op.flag("ceil_mode") && shape[lead + i] == fx_ir::DYNAMIC {
            return Err(op.error("with 'ceil_mode' needs sizes at compile time"));
        }
        dims.push(window_count(cx, input.dims[lead + i], &window, i, shape[lead + i]));
    }
    Ok((window, dims))
}

/// The mean of each window.
fn average_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let input = cx.operand(op, "input")?;
    let (window, dims) = pool(cx, op, &input, &op.op.result(0).ty().shape(), count)?;
    let lead = input.rank() - count;
    let sizes: Vec<_> = input.dims[lead..].iter().map(|dim| cx.dim_value(*dim)).collect();
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
        let inside = inside.unwrap_or_else(|| s.int(Type::int(s.context(), 1), 1));
        vec![s.add(acc[0], read_inside(body, &input, &indices, inside, s.int(ty, 0)))]
    };
    let sum = cx.reduce(&dims, &window.kernel, &[zero], &[], body).remove(0);
    let divisor = op.op.int("divisor_override");
    let include_pad = op.op.attribute("count_include_pad").and_then(fx_ir::Attribute::as_bool).unwrap_or(true);
    let kernel: Vec<_> = window.kernel.iter().map(|dim| cx.dim_value(*dim)).collect();
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
    let sizes: Vec<_> = input.dims[lead..].iter().map(|dim| cx.dim_value(*dim)).collect();
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
    let lowest = if !maximum { s.int(ty, 0) } else { crate::rows::reduction::lowest(&s, ty) };
    let mut starts = vec![lowest];
    if maximum {
        starts.push(s.int(i64_type, -1));
    }
    let rank = dims.len();
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let mut inside = s.int(Type::int(s.context(), 1), 1);
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
        let first = s.compare(Compare::Lt, acc[1], s.int(i64_type, 0));
        let larger = s.or(s.compare(Compare::Gt, x, acc[0]), s.is_nan(x));
        let take = s.and(inside, s.or(first, larger));
        vec![s.select(take, x, acc[0]), s.select(take, s.cast(plane, i64_type), acc[1])]
    };
    let found = cx.reduce(&dims, &longest, &starts, &[], body);
    if maximum {
        let value = crate::rows::reduction::cast(cx, &found[0], element);
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

/// Channels to blocks of `factor * factor` pixels, or back.
fn shuffle<'c>(f: &Fx<'c>, op: FxOp<'c>, factor: i64, up: bool) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let dims = f.dims(x);
    let lead = dims.len() - 3;
    let block = Dim::Static(factor);
    let part = |dim: Dim<'c>, by: i64| match dim {
        Dim::Static(size) => Dim::Static(size / by.max(1)),
        Dim::Dynamic(size) => Dim::Dynamic(f.b.value("arith.floordivsi", &[size, f.b.index(by)], size.ty(), &[])),
    };
    let times = |dims: &[Dim<'c>]| crate::rows::matrix::fold(f, dims);
    let batch = &dims[..lead];
    let (c, h, w) = (dims[lead], dims[lead + 1], dims[lead + 2]);
    let (spread, order, last) = if up {
        let c = part(c, factor * factor);
        (vec![c, block, block, h, w], [0, 3, 1, 4, 2], vec![c, times(&[h, block]), times(&[w, block])])
    } else {
        let (h, w) = (part(h, factor), part(w, factor));
        (vec![c, h, block, w, block], [0, 2, 4, 1, 3], vec![times(&[c, block, block]), h, w])
    };
    let x = f.view(x, &[batch, &spread[..]].concat())?;
    let order: Vec<_> = (0..lead).chain(order.iter().map(|dim| lead + dim)).collect();
    Ok(vec![f.view(f.permute(x, &order)?, &[batch, &last[..]].concat())?])
}

/// Channels of groups interleaved.
fn channel_shuffle<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let dims = f.dims(x);
    let Some(groups) = op.sizes("groups").first().and_then(|groups| groups.known()) else {
        return Err(op.error("needs 'groups' at compile time"));
    };
    let x = crate::rows::norm::grouped(f, x, groups)?;
    let mut order: Vec<_> = (0..x.ty().rank()).collect();
    order.swap(1, 2);
    Ok(vec![f.view(f.permute(x, &order)?, &dims)?])
}

/// Windows of an image as columns.
fn im2col<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let mut input = cx.operand(op, "input")?;
    let batched = input.rank() == 4;
    if !batched {
        let dims = [vec![Dim::Static(1)], input.dims.clone()].concat();
        input = cx.reshape(&input, &dims);
    }
    let window = Window {
        kernel: spatial(cx, op, "kernel_size", 2, 1)?.into_iter().map(Dim::Static).collect(),
        stride: spatial(cx, op, "stride", 2, 1)?,
        padding: spatial(cx, op, "padding", 2, 0)?,
        dilation: spatial(cx, op, "dilation", 2, 1)?,
    };
    let mut dims = input.dims[..2].to_vec();
    dims.extend_from_slice(&window.kernel);
    dims.extend((0..2).map(|i| window_count(cx, input.dims[2 + i], &window, i, fx_ir::DYNAMIC)));
    let sizes: Vec<_> = input.dims[2..].iter().map(|dim| cx.dim_value(*dim)).collect();
    let element = input.element;
    let columns = cx.map(&dims, element, &[], |body, _| {
        let s = &body.s;
        let loop_at = |i: usize| body.index(i);
        let (places, inside) = tap(body, &window, &sizes, &[loop_at(4), loop_at(5)], &[loop_at(2), loop_at(3)]);
        let inside = inside.unwrap_or_else(|| s.int(Type::int(s.context(), 1), 1));
        read_inside(body, &input, &[vec![loop_at(0), loop_at(1)], places].concat(), inside, s.int(element, 0))
    });
    let rows = cx.product(&dims[1..4]);
    let places = cx.product(&dims[4..]);
    let shape = if batched { vec![dims[0], rows, places] } else { vec![rows, places] };
    let result = cx.reshape(&columns, &shape);
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
