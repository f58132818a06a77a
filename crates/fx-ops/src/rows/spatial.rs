//! Windows over the trailing dims: what convolutions, pooling and rearrangement share.

use fx_ir::{Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::scalar::{Compare, Number, Scalars, storage_type};

pub mod pooling;
pub mod rearrange;
pub mod unpooling;

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

/// Stops the program unless there are windows, where types do not tell.
pub(crate) fn check_some<'c>(cx: &Lower<'c>, op: FxOp<'c>, counts: &[Dim<'c>]) {
    // What types know was verified.
    for count in counts.iter().filter(|count| count.known().is_none()) {
        let message = format!("'{}' op has a window that is larger than its padded input", op.op.name());
        cx.check_at_most(Dim::Static(1), *count, &message);
    }
}

/// As [`window_count`], rounded up (`ceil_mode`), of windows that start inside the input or the padding before it.
pub(crate) fn window_count_up<'c>(cx: &Lower<'c>, size: Dim<'c>, window: &Window<'c>, i: usize, known: i64) -> Dim<'c> {
    if known != fx_ir::DYNAMIC {
        return Dim::Static(known);
    }
    let (stride, padding) = (Dim::Static(window.stride[i]), window.padding[i]);
    let up = cx.add(size, Dim::Static(window.stride[i] - 1));
    let starts = cx.add(cx.floor_div(cx.add(size, Dim::Static(padding - 1)), stride), Dim::Static(1));
    cx.min(window_count(cx, up, window, i, known), starts)
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

/// What `build` gives where `condition` holds, else `otherwise`: what it reads is read there only.
pub(crate) fn guarded<'c>(
    body: &Body<'c>,
    condition: Number<'c>,
    otherwise: Number<'c>,
    build: impl FnOnce(&Body<'c>) -> Number<'c>,
) -> Number<'c> {
    let b = body.s.b;
    let ty = otherwise.ty;
    let choice = b.op_with_regions("scf.if", &[condition.value], &[storage_type(ty)], &[], &[Some(&[]), Some(&[])]);
    let mut build = Some(build);
    for region in 0..2 {
        if let Some(block) = choice.body(region) {
            let inner = Body { s: Scalars::new(b.inside(block)) };
            let value = match build.take() {
                Some(build) => inner.s.cast(build(&inner), ty).value,
                None => otherwise.value,
            };
            inner.s.b.op("scf.yield", &[value], &[], &[]);
        }
    }
    Number { value: choice.result(0), ty }
}

/// The element of `input` at `indices`, or `outside` where `inside` is false.
pub(crate) fn read_inside<'c>(
    body: &Body<'c>,
    input: &Tensor<'c>,
    indices: &[Value<'c>],
    inside: Number<'c>,
    outside: Number<'c>,
) -> Number<'c> {
    guarded(body, inside, outside, |inner| inner.extract(input, indices))
}

/// A condition that holds.
pub(crate) fn always<'c>(s: &Scalars<'c>) -> Number<'c> {
    s.int(Type::int(s.context(), 1), 1)
}

/// `0 <= place < size`
pub(crate) fn within<'c>(s: &Scalars<'c>, place: Number<'c>, size: Number<'c>) -> Number<'c> {
    s.and(s.compare(Compare::Ge, place, s.int(place.ty, 0)), s.compare(Compare::Lt, place, size))
}

/// Sizes as values.
pub(crate) fn size_values<'c>(cx: &Lower<'c>, dims: &[Dim<'c>]) -> Vec<Value<'c>> {
    dims.iter().map(|dim| cx.dim_value(*dim)).collect()
}

/// Row-major position of `places` in a plane of these sizes.
pub(crate) fn flat<'c>(body: &Body<'c>, places: &[Number<'c>], sizes: &[Value<'c>]) -> Number<'c> {
    let s = &body.s;
    let start = s.int(Type::index(s.context()), 0);
    places.iter().zip(sizes).fold(start, |flat, (place, size)| s.add(s.mul(flat, body.as_number(*size)), *place))
}
