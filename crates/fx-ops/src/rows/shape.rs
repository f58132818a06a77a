//! Views, joins and creation: each result element is one operand element, or a number.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::scalar::{Compare, Number, Scalars, storage_type};
use crate::table::{Compute, OpRow, composite, lowered, pointwise};

/// The table.
pub static ROWS: &[OpRow] = &[
    // The same elements in another shape
    lowered("fx.view", view),
    lowered("fx.flatten", reshape_to_type),
    lowered("fx.unflatten", reshape_to_type),
    lowered("fx.split_dim", reshape_to_type),
    lowered("fx.squeeze", reshape_to_type),
    lowered("fx.unsqueeze", reshape_to_type),
    // Dims in another order
    lowered("fx.permute", permute),
    composite("fx.transpose", |f, op| {
        let x = op.operand("input")?;
        let rank = x.ty().rank();
        if rank == 0 {
            return Ok(vec![x]);
        }
        swap(f, x, op.dim("dim0", rank)?, op.dim("dim1", rank)?)
    }),
    composite("fx.t", |f, op| {
        let x = op.operand("input")?;
        if x.ty().rank() < 2 { Ok(vec![x]) } else { swap(f, x, 0, 1) }
    }),
    composite("fx.movedim", movedim),
    composite("fx.numpy_T", |f, op| {
        let x = op.operand("input")?;
        let order: Vec<_> = (0..x.ty().rank()).rev().collect();
        Ok(vec![f.permute(x, &order)?])
    }),
    composite("fx.adjoint", |f, op| {
        let x = op.operand("input")?;
        let rank = x.ty().rank();
        let swapped = if rank < 2 { x } else { swap(f, x, rank - 2, rank - 1)?.remove(0) };
        Ok(vec![f.op("fx.conj", &[swapped], &[])?])
    }),
    lowered("fx.flip", flip),
    lowered("fx.roll", roll),
    composite("fx.rot90", rot90),
    // Repeated
    lowered("fx.expand", expand),
    lowered("fx.expand_as", |cx, op| {
        let (input, dims) = (cx.operand(op, "input")?, cx.operand(op, "other")?.dims);
        let result = cx.map(&dims, input.element, &[cx.broadcast(&input, &dims)], |_, a| a[0]);
        cx.set(op.op.result(0), result);
        Ok(())
    }),
    lowered("fx.broadcast_in_dim", broadcast_in_dim),
    lowered("fx.repeat", repeat),
    lowered("fx.meshgrid", meshgrid),
    // Parts
    lowered("fx.select", select),
    lowered("fx.slice", slice),
    lowered("fx.narrow", narrow),
    lowered("fx.split", |cx, op| {
        let sizes = cx.sizes(op, "split_size");
        parts(cx, op, |cx, extent, k| {
            let start = cx.mul(sizes[0], Dim::Static(k));
            let rest = cx.sub(extent, start);
            (start, cx.min(sizes[0], rest))
        })
    }),
    lowered("fx.split_with_sizes", |cx, op| {
        let sizes = cx.sizes(op, "split_sizes");
        parts(cx, op, |cx, _, k| {
            let before = sizes[..k as usize].iter().fold(Dim::Static(0), |sum, size| cx.add(sum, *size));
            (before, sizes[k as usize])
        })
    }),
    lowered("fx.chunk", |cx, op| {
        let chunks = Dim::Static(op.int("chunks")?.max(1));
        parts(cx, op, |cx, extent, k| {
            let size = cx.ceil_div(extent, chunks);
            let start = cx.mul(size, Dim::Static(k));
            let rest = cx.sub(extent, start);
            (start, cx.min(size, rest))
        })
    }),
    lowered("fx.unbind", unbind),
    lowered("fx.diagonal", diagonal),
    lowered("fx.unfold", unfold),
    lowered("fx.as_strided", as_strided),
    lowered("fx.resize", resize),
    // Joined
    lowered("fx.cat", cat),
    lowered("fx.stack", stack),
    // The same elements as other numbers
    composite("fx.view_as", |f, op| Ok(vec![f.view(op.operand("input")?, &f.dims(op.operand("other")?))?])),
    composite("fx.type_as", |f, op| Ok(vec![f.cast(op.operand("input")?, op.result_element(0))?])),
    lowered("fx.copy", |cx, op| {
        let (dims, src) = (cx.operand(op, "input")?.dims, cx.operand(op, "src")?);
        let element = op.result_element(0);
        let result = cx.map(&dims, element, &[cx.broadcast(&src, &dims)], |body, a| body.s.cast(a[0], element));
        cx.set(op.op.result(0), result);
        Ok(())
    }),
    lowered("fx.view_dtype", view_dtype),
    pointwise("fx.conj", Compute::Own, |s, a, _| if a[0].ty.is_complex() { s.op("complex.conj", a) } else { a[0] }),
    pointwise("fx.real", Compute::Own, |s, a, _| if a[0].ty.is_complex() { s.parts(a[0]).0 } else { a[0] }),
    pointwise("fx.imag", Compute::Own, |s, a, _| s.parts(a[0]).1),
    pointwise("fx.complex", Compute::Own, |s, a, _| s.complex(a[0], a[1])),
    lowered("fx.view_as_complex", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dims = &input.dims[..input.rank() - 1];
        let result = cx.map(dims, op.result_element(0), &[], |body, _| {
            let part = |i: i64| {
                let mut at: Vec<_> = (0..dims.len()).map(|d| body.index(d)).collect();
                at.push(body.s.b.index(i));
                body.extract(&input, &at)
            };
            body.s.complex(part(0), part(1))
        });
        cx.set(op.op.result(0), result);
        Ok(())
    }),
    lowered("fx.view_as_real", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dims = [input.dims.clone(), vec![Dim::Static(2)]].concat();
        let map = (0..input.rank()).map(Ix::Loop).collect();
        let rank = input.rank();
        let result = cx.map(&dims, op.result_element(0), &[Operand { tensor: input, map }], |body, a| {
            let (re, im) = body.s.parts(a[0]);
            let first = body.s.compare(Compare::Eq, body.as_number(body.index(rank)), body.as_number(body.s.b.index(0)));
            body.s.select(first, re, im)
        });
        cx.set(op.op.result(0), result);
        Ok(())
    }),
];

fn swap<'c>(f: &Fx<'c>, x: Value<'c>, a: usize, b: usize) -> Result<Vec<Value<'c>>> {
    let mut order: Vec<_> = (0..x.ty().rank()).collect();
    order.swap(a, b);
    Ok(vec![f.permute(x, &order)?])
}

/// A slice of `dim` from `start` to `end` (absent: to the last), at fx level.
pub(crate) fn slice_value<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize, start: Dim<'c>, end: Option<Dim<'c>>) -> Result<Value<'c>> {
    let context = f.context();
    let dynamic = |dim: Option<Dim<'c>>| match dim {
        Some(Dim::Dynamic(value)) => vec![value],
        _ => Vec::new(),
    };
    let (starts, ends) = (dynamic(Some(start)), dynamic(end));
    let segments = [1, starts.len() as i32, ends.len() as i32, 0];
    let operands: Vec<_> = [vec![x], starts, ends].concat();
    let fixed_end: Vec<_> = end.iter().map(|dim| dim.in_type()).collect();
    f.op(
        "fx.slice",
        &operands,
        &[
            ("dim", Attribute::i64(context, dim as i64)),
            ("static_start", Attribute::i64s(context, &[start.in_type()])),
            ("static_end", Attribute::i64s(context, &fixed_end)),
            ("static_step", Attribute::i64s(context, &[])),
            ("operandSegmentSizes", Attribute::i32s(context, &segments)),
        ],
    )
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

fn view<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let mut dims = cx.sizes(op, "size");
    if let Some(hole) = dims.iter().position(|dim| dim.known() == Some(-1)) {
        let known = op.op.result(0).ty().shape()[hole];
        dims[hole] = if known == fx_ir::DYNAMIC { missing_size(cx, &input.dims, &dims, hole) } else { Dim::Static(known) };
    }
    let result = cx.reshape(&input, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The size that makes `dims` hold as many elements as `from`: sizes that both have cancel before dividing.
fn missing_size<'c>(cx: &Lower<'c>, from: &[Dim<'c>], dims: &[Dim<'c>], hole: usize) -> Dim<'c> {
    let mut from = from.to_vec();
    let mut rest: Vec<_> = dims.iter().enumerate().filter(|(i, _)| *i != hole).map(|(_, dim)| *dim).collect();
    rest.retain(|dim| match from.iter().position(|other| other == dim) {
        Some(place) => {
            from.remove(place);
            false
        }
        None => true,
    });
    cx.floor_div(cx.product(&from), cx.product(&rest))
}

/// Ops whose result type tells all but at most the run-time sizes, which are those of the input in order.
fn reshape_to_type<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let shape = op.op.result(0).ty().shape();
    let mut dims: Vec<_> = shape.iter().map(|size| Dim::Static(*size)).collect();
    let holes: Vec<_> = shape.iter().enumerate().filter(|(_, size)| **size == fx_ir::DYNAMIC).map(|(i, _)| i).collect();
    let unknown: Vec<_> = input.dims.iter().filter(|dim| dim.known().is_none()).copied().collect();
    if holes.len() == unknown.len() && holes.len() > 1 {
        for (hole, dim) in holes.into_iter().zip(unknown) {
            dims[hole] = dim;
        }
    } else if let [hole] = holes[..] {
        dims[hole] = missing_size(cx, &input.dims, &dims, hole);
    } else if !holes.is_empty() {
        return Err(op.error("has a result with more unknown sizes than its input"));
    }
    let result = cx.reshape(&input, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn permute<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let order = op.op.ints("dims").unwrap_or_default().into_iter().map(|dim| op.normalize(dim, rank)).collect::<Result<Vec<_>>>()?;
    let dims: Vec<_> = order.iter().map(|dim| input.dims[*dim]).collect();
    let map = (0..rank).map(|dim| Ix::Loop(order.iter().position(|d| *d == dim).unwrap_or(dim))).collect();
    let result = cx.map(&dims, input.element, &[Operand { tensor: input.clone(), map }], |_, a| a[0]);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn expand<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let mut dims = cx.sizes(op, "size");
    let offset = dims.len() - input.rank();
    for (dim, own) in dims[offset..].iter_mut().zip(&input.dims) {
        if dim.known() == Some(-1) || own.known() != Some(1) {
            *dim = *own;
        }
    }
    let result = if dims == input.dims { input } else { cx.map(&dims, input.element, &[cx.broadcast(&input, &dims)], |_, a| a[0]) };
    cx.set(op.op.result(0), result);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Elements at computed places
//===----------------------------------------------------------------------===//

/// `result[i..] = input[at(i..)]`: `at` is given all loop variables and gives all indices of the input.
pub(crate) fn read_at<'c>(
    cx: &Lower<'c>,
    input: &Tensor<'c>,
    dims: &[Dim<'c>],
    at: impl FnOnce(&Body<'c>, Vec<Value<'c>>) -> Vec<Value<'c>>,
) -> Tensor<'c> {
    cx.map(dims, input.element, &[], |body, _| {
        let loops = (0..dims.len()).map(|i| body.index(i)).collect();
        let indices = at(body, loops);
        body.extract(input, &indices)
    })
}

/// `start + i * step` as an index, with constants folded.
pub(crate) fn affine<'c>(body: &Body<'c>, i: Value<'c>, start: Value<'c>, step: Value<'c>) -> Value<'c> {
    let b = &body.s.b;
    let is = |value: Value<'c>, constant: i64| value.constant().and_then(Attribute::as_int) == Some(constant);
    let scaled = if is(step, 1) { i } else { b.value("arith.muli", &[i, step], i.ty(), &[]) };
    if is(start, 0) { scaled } else { b.value("arith.addi", &[scaled, start], i.ty(), &[]) }
}

fn flip<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let flipped = op.op.ints("dims").unwrap_or_default().into_iter().map(|dim| op.normalize(dim, rank)).collect::<Result<Vec<_>>>()?;
    let minus_one = cx.b.index(-1);
    let last: Vec<_> = input.dims.iter().map(|dim| cx.dim_value(cx.sub(*dim, Dim::Static(1)))).collect();
    let result = read_at(cx, &input, &input.dims, |body, mut at| {
        for dim in flipped.into_iter().filter(|dim| *dim < rank) {
            at[dim] = affine(body, at[dim], last[dim], minus_one);
        }
        at
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// A position that may count from the end, as one from the start.
pub(crate) fn from_start<'c>(cx: &Lower<'c>, position: Dim<'c>, size: Dim<'c>) -> Dim<'c> {
    match position {
        Dim::Static(at) if at >= 0 => position,
        Dim::Static(_) => cx.add(size, position),
        Dim::Dynamic(at) => {
            let s = Scalars::new(cx.b);
            let number = |value: Value<'c>| Number { value, ty: value.ty() };
            let negative = s.compare(Compare::Lt, number(at), number(cx.b.index(0)));
            let wrapped = s.add(number(at), number(cx.dim_value(size)));
            Dim::Dynamic(s.select(negative, wrapped, number(at)).value)
        }
    }
}

fn select<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.dim("dim", input.rank())?;
    let index = cx.sizes(op, "index").first().copied().unwrap_or(Dim::Static(0));
    let index = from_start(cx, index, input.dims[dim]);
    let result = drop_dim(cx, &input, dim, index);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `input` at one index of `dim`, without that dim.
fn drop_dim<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dim: usize, index: Dim<'c>) -> Tensor<'c> {
    let mut dims = input.dims.clone();
    dims.remove(dim);
    let index = cx.dim_value(index);
    read_at(cx, input, &dims, |_, mut at| {
        at.insert(dim, index);
        at
    })
}

/// A range of one dim.
fn range_of<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dim: usize, start: Dim<'c>, step: Dim<'c>, size: Dim<'c>) -> Tensor<'c> {
    if size == input.dims[dim] && start.known() == Some(0) && step.known() == Some(1) {
        return input.clone();
    }
    let mut dims = input.dims.clone();
    dims[dim] = size;
    let (start, step) = (cx.dim_value(start), cx.dim_value(step));
    read_at(cx, input, &dims, |body, mut at| {
        at[dim] = affine(body, at[dim], start, step);
        at
    })
}

/// The operands `start` and `end` of a slice of a dim of `size`: from the start, clamped, absent ones 0 and `size`.
pub(crate) fn slice_bounds<'c>(cx: &Lower<'c>, op: FxOp<'c>, size: Dim<'c>) -> (Dim<'c>, Dim<'c>) {
    let bound = |list: Vec<Dim<'c>>, absent: Dim<'c>| match list.first() {
        // Ends beyond the last element are common: `x[1:]` has 2^63 - 1.
        Some(Dim::Static(at)) if *at >= i64::MAX >> 1 => size,
        Some(at) => {
            let at = from_start(cx, *at, size);
            cx.min(cx.max(at, Dim::Static(0)), size)
        }
        None => absent,
    };
    (bound(cx.sizes(op, "start"), Dim::Static(0)), bound(cx.sizes(op, "end"), size))
}

fn slice<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.op.int("dim").unwrap_or(0);
    let dim = op.normalize(dim, input.rank())?;
    let size = input.dims[dim];
    let (start, end) = slice_bounds(cx, op, size);
    let step = cx.sizes(op, "step").first().copied().unwrap_or(Dim::Static(1));
    let known = op.op.result(0).ty().shape()[dim];
    let length = if known == fx_ir::DYNAMIC {
        let span = cx.sub(end, start);
        // A whole dim keeps its own size, so that equal sizes stay equal values.
        let span = if start.known() == Some(0) && end == size { size } else { cx.max(span, Dim::Static(0)) };
        cx.ceil_div(span, step)
    } else {
        Dim::Static(known)
    };
    let result = range_of(cx, &input, dim, start, step, length);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn narrow<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.dim("dim", input.rank())?;
    let first = |list: Vec<Dim<'c>>| list.first().copied().unwrap_or(Dim::Static(0));
    let start = from_start(cx, first(cx.sizes(op, "start")), input.dims[dim]);
    let length = first(cx.sizes(op, "length"));
    let result = range_of(cx, &input, dim, start, Dim::Static(1), length);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// One result per part of `dim`; `part` gives start and size of part `k`.
fn parts<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, part: impl Fn(&Lower<'c>, Dim<'c>, i64) -> (Dim<'c>, Dim<'c>)) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), input.rank())?;
    for (k, value) in op.op.results().into_iter().enumerate() {
        let (start, size) = part(cx, input.dims[dim], k as i64);
        let known = value.ty().shape()[dim];
        let size = if known == fx_ir::DYNAMIC { size } else { Dim::Static(known) };
        let result = range_of(cx, &input, dim, start, Dim::Static(1), size);
        cx.set(value, result);
    }
    Ok(())
}

fn unbind<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), input.rank())?;
    for (k, value) in op.op.results().into_iter().enumerate() {
        let result = drop_dim(cx, &input, dim, Dim::Static(k as i64));
        cx.set(value, result);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Joined
//===----------------------------------------------------------------------===//

/// The tensors of a list operand in the result's element type.
fn joined<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Result<Vec<Tensor<'c>>> {
    let element = op.result_element(0);
    let tensors = op.list("tensors").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<_>>>()?;
    Ok(tensors.iter().map(|tensor| crate::rows::reduction::cast(cx, tensor, element)).collect())
}

fn cat<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let rank = op.op.result(0).ty().rank();
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), rank)?;
    // An empty tensor of rank 1 joins anything.
    let tensors: Vec<_> =
        joined(cx, op)?.into_iter().filter(|tensor| tensor.rank() == rank && tensor.dims[dim].known() != Some(0)).collect();
    let result = concatenate(cx, &tensors, dim, op.result_element(0), op.op.result(0).ty());
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Tensors one after another along `dim`; none give an empty tensor of type `ty`.
fn concatenate<'c>(cx: &Lower<'c>, tensors: &[Tensor<'c>], dim: usize, element: Type<'c>, ty: Type<'c>) -> Tensor<'c> {
    let [first, rest @ ..] = tensors else {
        let dims: Vec<_> = ty.shape().into_iter().map(Dim::Static).collect();
        return cx.empty(&dims, element);
    };
    if rest.is_empty() {
        return first.clone();
    }
    let mut ends = vec![first.dims[dim]];
    for tensor in rest {
        ends.push(cx.add(ends[ends.len() - 1], tensor.dims[dim]));
    }
    let mut dims = first.dims.clone();
    dims[dim] = ends[ends.len() - 1];
    let ends: Vec<_> = ends.iter().map(|end| cx.dim_value(*end)).collect();
    cx.map(&dims, element, &[], |body, _| {
        let at: Vec<_> = (0..dims.len()).map(|i| body.index(i)).collect();
        pick(body, tensors, &ends, None, &at, dim)
    })
}

/// The element of the joined tensors at `at`: a chain of `scf.if`, the first tensor whose end lies beyond.
fn pick<'c>(
    body: &Body<'c>,
    tensors: &[Tensor<'c>],
    ends: &[Value<'c>],
    start: Option<Value<'c>>,
    at: &[Value<'c>],
    dim: usize,
) -> Number<'c> {
    let b = body.s.b;
    let read = |body: &Body<'c>| {
        let mut at = at.to_vec();
        if let Some(start) = start {
            at[dim] = body.s.b.value("arith.subi", &[at[dim], start], at[dim].ty(), &[]);
        }
        body.extract(&tensors[0], &at)
    };
    if tensors.len() == 1 {
        return read(body);
    }
    let inside = body.s.compare(Compare::Lt, body.as_number(at[dim]), body.as_number(ends[0]));
    let element = tensors[0].element;
    let storage = crate::scalar::storage_type(element);
    let choice = b.op_with_regions("scf.if", &[inside.value], &[storage], &[], &[Some(&[]), Some(&[])]);
    for (region, first) in [(0, true), (1, false)] {
        if let Some(block) = choice.body(region) {
            let inner = Body { s: Scalars::new(b.inside(block)) };
            let number = if first { read(&inner) } else { pick(&inner, &tensors[1..], &ends[1..], Some(ends[0]), at, dim) };
            inner.s.b.op("scf.yield", &[number.value], &[], &[]);
        }
    }
    Number { value: choice.result(0), ty: element }
}

fn stack<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), op.op.result(0).ty().rank())?;
    let tensors: Vec<_> = joined(cx, op)?
        .into_iter()
        .map(|tensor| {
            let mut dims = tensor.dims.clone();
            dims.insert(dim, Dim::Static(1));
            cx.reshape(&tensor, &dims)
        })
        .collect();
    let result = concatenate(cx, &tensors, dim, op.result_element(0), op.op.result(0).ty());
    cx.set(op.op.result(0), result);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Orders, repetition, strides
//===----------------------------------------------------------------------===//

/// Dim `source[k]` goes to `destination[k]`; the others keep their order.
fn movedim<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let rank = x.ty().rank();
    let list = |name: &str| op.op.ints(name).unwrap_or_default().into_iter().map(|dim| op.normalize(dim, rank)).collect::<Result<Vec<_>>>();
    let (source, destination) = (list("source")?, list("destination")?);
    let mut rest = (0..rank).filter(|dim| !source.contains(dim));
    let order: Vec<_> = (0..rank)
        .filter_map(|place| match destination.iter().position(|dim| *dim == place) {
            Some(k) => source.get(k).copied(),
            None => rest.next(),
        })
        .collect();
    Ok(vec![if rank == 0 { x } else { f.permute(x, &order)? }])
}

/// `k` quarter turns from the first of `dims` towards the second.
fn rot90<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let rank = x.ty().rank();
    let dims = op.op.ints("dims").unwrap_or_else(|| vec![0, 1]);
    let (a, b) = (op.normalize(dims[0], rank)?, op.normalize(dims[1], rank)?);
    let flip = |dims: &[usize]| {
        let dims: Vec<_> = dims.iter().map(|dim| *dim as i64).collect();
        f.op("fx.flip", &[x], &[("dims", Attribute::i64s(f.context(), &dims))])
    };
    Ok(match op.op.int("k").unwrap_or(1).rem_euclid(4) {
        1 => swap(f, flip(&[b])?, a, b)?,
        2 => vec![flip(&[a, b])?],
        3 => swap(f, flip(&[a])?, a, b)?,
        _ => vec![x],
    })
}

/// `a mod size` in `[0, size)`.
pub(crate) fn modulo<'c>(body: &Body<'c>, a: Value<'c>, size: Value<'c>) -> Value<'c> {
    let s = &body.s;
    let (a, size) = (body.as_number(a), body.as_number(size));
    let rest = s.rem(a, size);
    let negative = s.compare(Compare::Lt, rest, body.as_number(s.b.index(0)));
    s.select(negative, s.add(rest, size), rest).value
}

fn roll<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let shape = input.dims.clone();
    let shifts = cx.sizes(op, "shifts");
    let dims = match op.op.ints("dims") {
        Some(dims) if !dims.is_empty() => dims.into_iter().map(|dim| op.normalize(dim, input.rank())).collect::<Result<Vec<_>>>()?,
        _ => vec![0],
    };
    let flat = op.op.ints("dims").is_none_or(|dims| dims.is_empty());
    let source = if flat { cx.reshape(&input, &[cx.product(&shape)]) } else { input };
    let rank = source.rank();
    let steps: Vec<_> = dims
        .iter()
        .zip(&shifts)
        .filter(|(dim, _)| **dim < rank)
        .map(|(dim, shift)| (*dim, cx.dim_value(*shift), cx.dim_value(source.dims[*dim])))
        .collect();
    let result = read_at(cx, &source, &source.dims, |body, mut at| {
        for (dim, shift, size) in steps {
            let place = body.s.b.value("arith.subi", &[at[dim], shift], shift.ty(), &[]);
            at[dim] = modulo(body, place, size);
        }
        at
    });
    let result = cx.reshape(&result, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn broadcast_in_dim<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dims = cx.sizes(op, "shape");
    let places = op.op.ints("broadcast_dimensions").unwrap_or_default();
    let map = places
        .iter()
        .zip(&input.dims)
        .map(|(place, own)| {
            let place = *place as usize;
            if own.known() == Some(1) && dims[place].known() != Some(1) { Ix::Zero } else { Ix::Loop(place) }
        })
        .collect();
    let element = input.element;
    let result = cx.map(&dims, element, &[Operand { tensor: input, map }], |_, a| a[0]);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn repeat<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let mut repeats = cx.sizes(op, "repeats");
    let rank = repeats.len().max(input.rank());
    repeats.splice(0..0, std::iter::repeat_n(Dim::Static(1), rank - repeats.len()));
    let lead = rank - input.rank();
    let mut dims = repeats.clone();
    for (i, size) in input.dims.iter().enumerate() {
        dims[lead + i] = cx.mul(repeats[lead + i], *size);
    }
    let sizes: Vec<_> = input.dims.iter().map(|dim| cx.dim_value(*dim)).collect();
    let result =
        read_at(cx, &input, &dims, |body, at| {
            at[lead..]
                .iter()
                .enumerate()
                .map(|(i, at)| {
                    if repeats[lead + i].known() == Some(1) { *at } else { body.s.rem(body.as_number(*at), body.as_number(sizes[i])).value }
                })
                .collect()
        });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Each tensor along its own dim of a common grid.
fn meshgrid<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let tensors = op.list("tensors").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<_>>>()?;
    let mut dims: Vec<_> = tensors.iter().map(|tensor| tensor.dims.first().copied().unwrap_or(Dim::Static(1))).collect();
    let swapped = op.op.text("indexing") == Some("xy") && dims.len() > 1;
    if swapped {
        dims.swap(0, 1);
    }
    for (k, (tensor, value)) in tensors.into_iter().zip(op.op.results()).enumerate() {
        let place = if swapped && k < 2 { 1 - k } else { k };
        let map = tensor.dims.iter().map(|_| Ix::Loop(place)).collect();
        let result = cx.map(&dims, tensor.element, &[Operand { tensor, map }], |_, a| a[0]);
        cx.set(value, result);
    }
    Ok(())
}

fn diagonal<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let number = |name: &str, absent: i64| op.op.int(name).unwrap_or(absent);
    let (dim1, dim2) = (op.normalize(number("dim1", 0), rank)?, op.normalize(number("dim2", 1), rank)?);
    let offset = number("offset", 0);
    let (row, column) = ((-offset).max(0), offset.max(0));
    let mut dims: Vec<_> = (0..rank).filter(|dim| *dim != dim1 && *dim != dim2).map(|dim| input.dims[dim]).collect();
    let room = cx.min(cx.sub(input.dims[dim1], Dim::Static(row)), cx.sub(input.dims[dim2], Dim::Static(column)));
    dims.push(cx.max(room, Dim::Static(0)));
    let (row, column, one) = (cx.b.index(row), cx.b.index(column), cx.b.index(1));
    let result = read_at(cx, &input, &dims, |body, loops| {
        let k = loops[rank - 2];
        let mut rest = loops.into_iter();
        (0..rank)
            .filter_map(|dim| match dim {
                _ if dim == dim1 => Some(affine(body, k, row, one)),
                _ if dim == dim2 => Some(affine(body, k, column, one)),
                _ => rest.next(),
            })
            .collect()
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Windows along one dim, the elements of each in a new last dim.
fn unfold<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let dim = op.dim("dimension", rank)?;
    let (size, step) = (Dim::Static(op.int("size")?), Dim::Static(op.int("step")?));
    let mut dims = input.dims.clone();
    if rank > 0 {
        dims[dim] = cx.add(cx.floor_div(cx.sub(dims[dim], size), step), Dim::Static(1));
    }
    dims.push(size);
    let step = cx.dim_value(step);
    let result = read_at(cx, &input, &dims, |body, mut at| {
        let inner = at.pop();
        if let (Some(inner), true) = (inner, rank > 0) {
            at[dim] = affine(body, at[dim], inner, step);
        }
        at
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Elements of the flattened input at `offset + sum of strides times indices`.
fn as_strided<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dims = cx.sizes(op, "size");
    let strides: Vec<_> = cx.sizes(op, "stride").into_iter().map(|dim| cx.dim_value(dim)).collect();
    let offset = cx.sizes(op, "storage_offset").first().copied().unwrap_or(Dim::Static(0));
    let offset = cx.dim_value(offset);
    let flat = cx.reshape(&input, &[cx.product(&input.dims)]);
    let result = read_at(cx, &flat, &dims, |body, at| {
        vec![at.into_iter().zip(strides).fold(offset, |place, (i, stride)| affine(body, i, place, stride))]
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The first elements in another shape; what lies beyond them is undefined, here the last element.
fn resize<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dims = cx.sizes(op, "size");
    if input.dims.iter().any(|dim| dim.known() == Some(0)) {
        let zero = Scalars::new(cx.b).int(input.element, 0);
        let result = cx.fill(&dims, zero);
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    let total = cx.product(&input.dims);
    let flat = cx.reshape(&input, &[total]);
    let last = cx.dim_value(cx.sub(total, Dim::Static(1)));
    let wanted = cx.product(&dims);
    let result = read_at(cx, &flat, &[wanted], |body, at| vec![body.s.min(body.as_number(at[0]), body.as_number(last)).value]);
    let result = cx.reshape(&result, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The same bits as another type of the same width.
fn view_dtype<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let element = op.result_element(0);
    let (from, to) = (storage_type(input.element), storage_type(element));
    if from.is_complex() || to.is_complex() || from.bit_width() != to.bit_width() {
        return Err(op.error("between types of different widths is not compiled yet"));
    }
    let result = cx.map(&input.dims, element, &[cx.broadcast(&input, &input.dims)], |body, a| {
        let value = if from == to { a[0].value } else { body.s.b.value("arith.bitcast", &[a[0].value], to, &[]) };
        Number { value, ty: element }
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
