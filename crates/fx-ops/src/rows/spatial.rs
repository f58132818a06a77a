//! Convolutions and pooling: windows over the trailing dims.

use fx_ir::{Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.convolution", convolution),
    lowered("fx.conv1d", convolution),
    lowered("fx.conv2d", convolution),
    lowered("fx.conv3d", convolution),
    lowered("fx.max_pool2d", |cx, op| max_pool(cx, op, 2)),
    lowered("fx.max_pool2d_with_indices", |cx, op| max_pool(cx, op, 2)),
    lowered("fx.max_pool3d_with_indices", |cx, op| max_pool(cx, op, 3)),
    missing("fx.adaptive_avg_pool1d", "not lowered yet"),
    missing("fx.adaptive_avg_pool2d", "not lowered yet"),
    missing("fx.adaptive_avg_pool3d", "not lowered yet"),
    missing("fx.adaptive_max_pool1d", "not lowered yet"),
    missing("fx.adaptive_max_pool2d", "not lowered yet"),
    missing("fx.adaptive_max_pool3d", "not lowered yet"),
    missing("fx.avg_pool1d", "not lowered yet"),
    missing("fx.avg_pool2d", "not lowered yet"),
    missing("fx.avg_pool3d", "not lowered yet"),
    missing("fx.channel_shuffle", "not lowered yet"),
    missing("fx.col2im", "not lowered yet"),
    missing("fx.conv1d_padding", "not lowered yet"),
    missing("fx.conv2d_padding", "not lowered yet"),
    missing("fx.conv3d_padding", "not lowered yet"),
    missing("fx.conv_transpose1d", "not lowered yet"),
    missing("fx.conv_transpose2d", "not lowered yet"),
    missing("fx.conv_transpose3d", "not lowered yet"),
    missing("fx.fractional_max_pool2d", "not lowered yet"),
    missing("fx.fractional_max_pool3d", "not lowered yet"),
    missing("fx.im2col", "not lowered yet"),
    missing("fx.max_pool1d", "not lowered yet"),
    missing("fx.max_pool1d_with_indices", "not lowered yet"),
    missing("fx.max_pool3d", "not lowered yet"),
    missing("fx.max_unpool2d", "needs a scatter kernel"),
    missing("fx.max_unpool3d", "needs a scatter kernel"),
    missing("fx.pixel_shuffle", "not lowered yet"),
    missing("fx.pixel_unshuffle", "not lowered yet"),
];

/// Where windows lie, per spatial dim.
struct Window<'c> {
    kernel: Vec<Dim<'c>>,
    stride: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
}

/// A list of one entry per spatial dim; one entry stands for all, none for `absent`.
fn spatial<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str, count: usize, absent: i64) -> Result<Vec<i64>> {
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
fn window_count<'c>(cx: &Lower<'c>, size: Dim<'c>, window: &Window<'c>, i: usize, known: i64) -> Dim<'c> {
    if known != fx_ir::DYNAMIC {
        return Dim::Static(known);
    }
    let reach = cx.mul(Dim::Static(window.dilation[i]), cx.sub(window.kernel[i], Dim::Static(1)));
    let padded = cx.add(size, Dim::Static(2 * window.padding[i] - 1));
    let room = cx.sub(padded, reach);
    cx.add(cx.floor_div(room, Dim::Static(window.stride[i])), Dim::Static(1))
}

/// Indices into the input under window `at` and tap `tap`, and whether all lie inside (none: always).
fn tap<'c>(body: &Body<'c>, window: &Window<'c>, sizes: &[Value<'c>], at: &[Value<'c>], taps: &[Value<'c>]) -> (Vec<Value<'c>>, Option<Number<'c>>) {
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
fn read_inside<'c>(body: &Body<'c>, input: &Tensor<'c>, indices: &[Value<'c>], inside: Number<'c>, outside: Number<'c>) -> Number<'c> {
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

/// `out[n, o, p] = bias[o] + sum_{c, k} input[n, g + c, p * stride + k * dilation - padding] * weight[o, c, k]`
fn convolution<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    if op.op.flag("transposed") {
        return Err(op.error("with 'transposed' is not compiled yet"));
    }
    let mut input = cx.operand(op, "input")?;
    let weight = cx.operand(op, "weight")?;
    let count = weight.rank() - 2;
    let batched = input.rank() == weight.rank();
    if !batched {
        let dims = [vec![Dim::Static(1)], input.dims.clone()].concat();
        input = cx.reshape(&input, &dims);
    }
    let window = Window {
        kernel: weight.dims[2..].to_vec(),
        stride: spatial(cx, op, "stride", count, 1)?,
        padding: spatial(cx, op, "padding", count, 0)?,
        dilation: spatial(cx, op, "dilation", count, 1)?,
    };
    let groups = spatial(cx, op, "groups", 1, 1)?[0].max(1);
    let shape = op.op.result(0).ty().shape();
    let known = &shape[shape.len() - count..];
    let mut dims = vec![input.dims[0], weight.dims[0]];
    dims.extend((0..count).map(|i| window_count(cx, input.dims[2 + i], &window, i, known[i])));
    let sizes: Vec<_> = input.dims[2..].iter().map(|dim| cx.dim_value(*dim)).collect();
    let loops = dims.len();
    let weight_map = std::iter::once(Ix::Loop(1)).chain((loops..=loops + count).map(Ix::Loop)).collect();
    let ty = opmath(cx.context(), op.result_element(0));
    let per_group = cx.floor_div(weight.dims[0], Dim::Static(groups));
    let per_group = cx.dim_value(per_group);
    let channels = cx.dim_value(weight.dims[1]);
    let padded = window.padding.iter().any(|padding| *padding != 0);
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let at: Vec<_> = (0..count).map(|i| body.index(2 + i)).collect();
        let taps: Vec<_> = (0..count).map(|i| body.index(loops + 1 + i)).collect();
        let (places, inside) = tap(body, &window, &sizes, &at, &taps);
        let mut channel = body.as_number(body.index(loops));
        if groups > 1 {
            let group = s.div(body.as_number(body.index(1)), body.as_number(per_group));
            channel = s.add(channel, s.mul(group, body.as_number(channels)));
        }
        let indices = [vec![body.index(0), channel.value], places].concat();
        let x = match inside {
            Some(inside) if padded => read_inside(body, &input, &indices, inside, s.constant(ty, 0.0)),
            _ => s.cast(body.extract(&input, &indices), ty),
        };
        vec![s.add(acc[0], s.mul(x, s.cast(a[0], ty)))]
    };
    let reduced: Vec<_> = weight.dims[1..].to_vec();
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let sum = cx.reduce(&dims, &reduced, &[zero], &[Operand { tensor: weight.clone(), map: weight_map }], body).remove(0);
    let mut operands = vec![cx.broadcast(&sum, &dims)];
    if let Some(bias) = op.optional("bias") {
        operands.push(Operand { tensor: cx.tensor(bias)?, map: vec![Ix::Loop(1)] });
    }
    let element = op.result_element(0);
    let mut result = cx.map(&dims, element, &operands, |body, a| match a {
        [sum, bias] => body.s.add(*sum, body.s.cast(*bias, ty)),
        _ => a[0],
    });
    if !batched {
        result = cx.reshape(&result, &dims[1..]);
    }
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The largest element of each window, NaN if there is one, and (second result) its place in the plane.
fn max_pool<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, count: usize) -> Result {
    let input = cx.operand(op, "input")?;
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
    let shape = op.op.result(0).ty().shape();
    let mut dims = input.dims[..lead].to_vec();
    for i in 0..count {
        if op.op.flag("ceil_mode") && shape[lead + i] == fx_ir::DYNAMIC {
            return Err(op.error("with 'ceil_mode' needs sizes at compile time"));
        }
        dims.push(window_count(cx, input.dims[lead + i], &window, i, shape[lead + i]));
    }
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
        let plane = places.iter().zip(&sizes).fold(s.int(index, 0), |flat, (place, size)| {
            s.add(s.mul(flat, body.as_number(*size)), body.as_number(*place))
        });
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
