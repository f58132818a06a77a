//! Rearrangement: channels as blocks of pixels, windows as columns.

use fx_ir::{Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower};
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::rows::spatial::{Window, always, check_some, read_inside, size_values, spatial, tap, window_count, within};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    composite("fx.pixel_shuffle", |f, op| shuffle(f, op, op.int("upscale_factor")?, true)),
    composite("fx.pixel_unshuffle", |f, op| shuffle(f, op, op.int("downscale_factor")?, false)),
    composite("fx.channel_shuffle", channel_shuffle),
    lowered("fx.im2col", im2col).vjp(derivatives::spatial::im2col),
    lowered("fx.col2im", col2im).vjp(derivatives::spatial::col2im),
];

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
    let window = blocks(cx, op)?;
    let mut dims = input.dims[..2].to_vec();
    dims.extend_from_slice(&window.kernel);
    dims.extend((0..2).map(|i| window_count(cx, input.dims[2 + i], &window, i, fx_ir::DYNAMIC)));
    check_some(cx, op, &dims[4..]);
    let sizes = size_values(cx, &input.dims[2..]);
    let element = input.element;
    let columns = cx.map(&dims, element, &[], |body, _| {
        let s = &body.s;
        let loop_at = |i: usize| body.index(i);
        let (places, inside) = tap(body, &window, &sizes, &[loop_at(4), loop_at(5)], &[loop_at(2), loop_at(3)]);
        let inside = inside.unwrap_or_else(|| always(s));
        read_inside(body, &input, &[vec![loop_at(0), loop_at(1)], places].concat(), inside, s.int(element, 0))
    });
    let rows = cx.product(&dims[1..4]);
    let places = cx.product(&dims[4..]);
    let shape = if batched { vec![dims[0], rows, places] } else { vec![rows, places] };
    let result = cx.reshape(&columns, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The windows of an image that are columns.
fn blocks<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Result<Window<'c>> {
    Ok(Window {
        kernel: spatial(cx, op, "kernel_size", 2, 1)?.into_iter().map(Dim::Static).collect(),
        stride: spatial(cx, op, "stride", 2, 1)?,
        padding: spatial(cx, op, "padding", 2, 0)?,
        dilation: spatial(cx, op, "dilation", 2, 1)?,
    })
}

/// The transpose of [`im2col`]: each place of the image is the sum over the places of a window, with the window that has
/// it there.
fn col2im<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let mut input = cx.operand(op, "input")?;
    let batched = input.rank() == 3;
    if !batched {
        let dims = [vec![Dim::Static(1)], input.dims.clone()].concat();
        input = cx.reshape(&input, &dims);
    }
    let window = blocks(cx, op)?;
    let mut image = cx.sizes(op, "output_size");
    if let [both] = image[..] {
        image = vec![both; 2];
    }
    let counts: Vec<_> = (0..2).map(|i| window_count(cx, image[i], &window, i, fx_ir::DYNAMIC)).collect();
    let channels = cx.floor_div(input.dims[1], cx.product(&window.kernel));
    let spread = [&[input.dims[0], channels], &window.kernel[..], &counts[..]].concat();
    cx.check_shape(&input.dims[1..], &[cx.product(&spread[1..4]), cx.product(&counts)]);
    let columns = cx.reshape(&input, &spread);
    let dims = [&spread[..2], &image[..]].concat();
    let windows = size_values(cx, &counts);
    let ty = opmath(cx.context(), input.element);
    let zero = Scalars::new(cx.b).int(ty, 0);
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let index = Type::index(s.context());
        let number = |i: usize| body.as_number(body.index(i));
        let mut inside = always(s);
        let mut places = Vec::new();
        for (i, count) in windows.iter().enumerate() {
            let reach = s.mul(number(4 + i), s.int(index, window.dilation[i]));
            let start = s.sub(s.add(number(2 + i), s.int(index, window.padding[i])), reach);
            let step = s.int(index, window.stride[i]);
            let at = s.div(start, step);
            let whole = s.compare(Compare::Eq, s.rem(start, step), s.int(index, 0));
            inside =
                s.and(inside, s.and(whole, s.and(s.compare(Compare::Ge, start, s.int(index, 0)), within(s, at, body.as_number(*count)))));
            places.push(at.value);
        }
        let indices = [vec![body.index(0), body.index(1), body.index(4), body.index(5)], places].concat();
        vec![s.add(acc[0], read_inside(body, &columns, &indices, inside, s.int(ty, 0)))]
    };
    let sum = cx.reduce(&dims, &window.kernel, &[zero], &[], body).remove(0);
    let mut sum = cast(cx, &sum, op.result_element(0));
    if !batched {
        sum = cx.reshape(&sum, &dims[1..]);
    }
    cx.set(op.op.result(0), sum);
    Ok(())
}
