//! Views: each result element is one operand element.

use fx_ir::{Attribute, Result, Value};

use crate::batching;
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::scalar::{Compare, Number, Scalars};
use crate::table::{Compute, OpRow, composite, lowered, pointwise};

pub mod arrange;
pub mod join;
pub mod memory;

/// The table.
pub static ROWS: &[OpRow] = &[
    // The same elements in another shape
    lowered("fx.view", view).batched(batching::view).vjp(derivatives::shape::view),
    lowered("fx.flatten", flatten).vjp(derivatives::shape::view),
    lowered("fx.unflatten", |cx, op| {
        let sizes = cx.sizes(op, "sizes");
        divide(cx, op, sizes)
    })
    .vjp(derivatives::shape::view),
    lowered("fx.split_dim", |cx, op| {
        let outer = cx.sizes(op, "outer_length")[0];
        divide(cx, op, vec![outer, Dim::Static(-1)])
    })
    .vjp(derivatives::shape::view),
    lowered("fx.squeeze", reshape_to_type).vjp(derivatives::shape::view),
    lowered("fx.unsqueeze", reshape_to_type).batched(batching::unsqueeze).vjp(derivatives::shape::view),
    // Dims in another order
    lowered("fx.permute", permute).batched(batching::permute).vjp(derivatives::shape::permute),
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
    lowered("fx.flip", flip).batched(batching::listed).vjp(derivatives::shape::flip),
    // Repeated
    lowered("fx.expand", expand).batched(batching::expand).vjp(derivatives::shape::expand),
    lowered("fx.expand_as", |cx, op| {
        let (input, dims) = (cx.operand(op, "input")?, cx.operand(op, "other")?.dims);
        let result = cx.map(&dims, input.element, &[cx.broadcast(&input, &dims)], |_, a| a[0]);
        cx.set(op.op.result(0), result);
        Ok(())
    })
    .vjp(derivatives::shape::expand)
    .by(&["input"])
    .sizes_of(&["other"]),
    // Parts
    lowered("fx.select", select).batched(batching::along).vjp(derivatives::shape::select),
    lowered("fx.slice", slice).batched(batching::along).vjp(derivatives::shape::slice),
    lowered("fx.narrow", narrow).batched(batching::along).vjp(derivatives::shape::narrow),
    lowered("fx.split", |cx, op| {
        let sizes = cx.sizes(op, "split_size");
        parts(cx, op, |cx, extent, k| {
            let start = cx.mul(sizes[0], Dim::Static(k));
            let rest = cx.sub(extent, start);
            (start, cx.min(sizes[0], rest))
        })
    })
    .batched(batching::parts)
    .vjp(derivatives::shape::split),
    lowered("fx.split_with_sizes", |cx, op| {
        let sizes = cx.sizes(op, "split_sizes");
        parts(cx, op, |cx, _, k| {
            let before = sizes[..k as usize].iter().fold(Dim::Static(0), |sum, size| cx.add(sum, *size));
            (before, sizes[k as usize])
        })
    })
    .batched(batching::parts)
    .vjp(derivatives::shape::split),
    lowered("fx.chunk", |cx, op| {
        let chunks = Dim::Static(op.int("chunks")?.max(1));
        parts(cx, op, |cx, extent, k| {
            let size = cx.ceil_div(extent, chunks);
            let start = cx.mul(size, Dim::Static(k));
            let rest = cx.sub(extent, start);
            (start, cx.min(size, rest))
        })
    })
    .batched(batching::parts)
    .vjp(derivatives::shape::split),
    lowered("fx.unbind", unbind).batched(batching::parts).vjp(derivatives::shape::unbind),
    // The same elements as other numbers
    composite("fx.view_as", |f, op| Ok(vec![f.view(op.operand("input")?, &f.dims(op.operand("other")?))?])),
    composite("fx.type_as", |f, op| Ok(vec![f.cast(op.operand("input")?, op.result_element(0))?])),
    lowered("fx.copy", |cx, op| {
        let (dims, src) = (cx.operand(op, "input")?.dims, cx.operand(op, "src")?);
        let element = op.result_element(0);
        let result = cx.map(&dims, element, &[cx.broadcast(&src, &dims)], |body, a| body.s.cast(a[0], element));
        cx.set(op.op.result(0), result);
        Ok(())
    })
    .vjp(|b| b.only("src", b.g()?))
    .by(&["src"])
    .sizes_of(&["input"]),
    pointwise("fx.conj", Compute::Own, |s, a, _| if a[0].ty.is_complex() { s.op("complex.conj", a) } else { a[0] })
        .vjp(|b| b.only("input", b.conj(b.g()?)?)),
    pointwise("fx.real", Compute::Own, |s, a, _| if a[0].ty.is_complex() { s.parts(a[0]).0 } else { a[0] })
        .vjp(|b| b.only("input", b.g()?)),
    pointwise("fx.imag", Compute::Own, |s, a, _| s.parts(a[0]).1).vjp(derivatives::shape::imag),
    pointwise("fx.complex", Compute::Own, |s, a, _| s.complex(a[0], a[1])).vjp(derivatives::shape::complex),
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
    check_elements(cx, &input.dims, &dims);
    let result = cx.reshape(&input, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Checks, at run time, that two shapes have equally many elements, where types and equal sizes do not tell.
fn check_elements<'c>(cx: &Lower<'c>, from: &[Dim<'c>], to: &[Dim<'c>]) {
    let mut rest = from.to_vec();
    let mut told = true;
    for dim in to {
        match rest.iter().position(|other| other == dim) {
            Some(place) => drop(rest.remove(place)),
            None => told &= dim.known().is_some(),
        }
    }
    if !told || rest.iter().any(|dim| dim.known().is_none()) {
        // of all sizes: one that both have may be 0
        cx.check_sizes(cx.product(from), cx.product(to));
    }
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

/// Several neighbouring dims as one; a tensor of rank 0 has one dim then.
fn flatten<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank().max(1);
    let (first, last) = (op.dim("start_dim", rank)?, op.dim("end_dim", rank)?);
    let inner = input.dims.get(first..=last).map_or(Dim::Static(1), |dims| cx.product(dims));
    let dims = [&input.dims[..first], &[inner], input.dims.get(last + 1..).unwrap_or_default()].concat();
    let result = cx.reshape(&input, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Dim `dim` as dims of these sizes, one of which may be -1.
fn divide<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, mut sizes: Vec<Dim<'c>>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.dim("dim", input.rank())?;
    if let Some(hole) = sizes.iter().position(|size| size.known() == Some(-1)) {
        let known = op.op.result(0).ty().shape()[dim + hole];
        sizes[hole] = if known == fx_ir::DYNAMIC { missing_size(cx, &input.dims[dim..=dim], &sizes, hole) } else { Dim::Static(known) };
    }
    check_elements(cx, &input.dims[dim..=dim], &sizes);
    let dims = [&input.dims[..dim], &sizes, &input.dims[dim + 1..]].concat();
    let result = cx.reshape(&input, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Ops whose result type tells all but the run-time sizes, which are those of the input in order.
fn reshape_to_type<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let mut unknown = input.dims.iter().filter(|dim| dim.known().is_none()).copied();
    let mut dims = Vec::new();
    for size in op.op.result(0).ty().shape() {
        if size != fx_ir::DYNAMIC {
            dims.push(Dim::Static(size));
        } else if let Some(dim) = unknown.next() {
            dims.push(dim);
        } else {
            return Err(op.error("internal bug: has more unknown sizes than its input"));
        }
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
            if dim.known() != Some(-1) {
                cx.check_sizes(*own, *dim);
            }
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
    check_range(cx, op, index, Dim::Static(1), input.dims[dim]);
    let result = drop_dim(cx, &input, dim, index);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Checks, at run time, that a range lies in a dim of this size, where types do not tell.
pub(crate) fn check_range<'c>(cx: &Lower<'c>, op: FxOp<'c>, start: Dim<'c>, length: Dim<'c>, size: Dim<'c>) {
    if start.known().is_some() && length.known().is_some() && size.known().is_some() {
        return;
    }
    let (zero, message) = (Dim::Static(0), format!("'{}' op reaches beyond the size of the dim", op.op.name()));
    for (a, b) in [(zero, start), (zero, length), (cx.add(start, length), size)] {
        cx.check_at_most(a, b, &message);
    }
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
        Some(Dim::Static(0)) => Dim::Static(0),
        Some(at) => {
            let at = from_start(cx, *at, size);
            cx.min(cx.max(at, Dim::Static(0)), size)
        }
        None => absent,
    };
    (bound(cx.sizes(op, "start"), Dim::Static(0)), bound(cx.sizes(op, "end"), size))
}

/// The length of a slice with these bounds of a dim of `size`.
pub(crate) fn slice_length<'c>(cx: &Lower<'c>, start: Dim<'c>, end: Dim<'c>, step: Dim<'c>, size: Dim<'c>) -> Dim<'c> {
    // A whole dim keeps its own size, so that equal sizes stay equal values.
    let whole = start.known() == Some(0) && end == size;
    cx.ceil_div(if whole { size } else { cx.max(cx.sub(end, start), Dim::Static(0)) }, step)
}

fn slice<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.op.int("dim").unwrap_or(0);
    let dim = op.normalize(dim, input.rank())?;
    let size = input.dims[dim];
    let (start, end) = slice_bounds(cx, op, size);
    let step = cx.sizes(op, "step").first().copied().unwrap_or(Dim::Static(1));
    let known = op.op.result(0).ty().shape()[dim];
    let length = if known == fx_ir::DYNAMIC { slice_length(cx, start, end, step, size) } else { Dim::Static(known) };
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
    check_range(cx, op, start, length, input.dims[dim]);
    let result = range_of(cx, &input, dim, start, Dim::Static(1), length);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// One result per part of `dim`; `part` gives start and size of part `k`.
fn parts<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, part: impl Fn(&Lower<'c>, Dim<'c>, i64) -> (Dim<'c>, Dim<'c>)) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), input.rank())?;
    let mut total = Dim::Static(0);
    for (k, value) in op.op.results().into_iter().enumerate() {
        let (start, size) = part(cx, input.dims[dim], k as i64);
        let known = value.ty().shape()[dim];
        let size = if known == fx_ir::DYNAMIC { size } else { Dim::Static(known) };
        total = cx.add(total, size);
        let result = range_of(cx, &input, dim, start, Dim::Static(1), size);
        cx.set(value, result);
    }
    cx.check_sizes(total, input.dims[dim]);
    Ok(())
}

fn unbind<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), input.rank())?;
    cx.check_sizes(Dim::Static(op.op.results().len() as i64), input.dims[dim]);
    for (k, value) in op.op.results().into_iter().enumerate() {
        let result = drop_dim(cx, &input, dim, Dim::Static(k as i64));
        cx.set(value, result);
    }
    Ok(())
}
