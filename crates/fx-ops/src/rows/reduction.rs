//! Reductions: many elements to one.

use fx_ir::{NumberKind, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.sum", |cx, op| reduce(cx, op, |s, ty| s.constant(ty, 0.0), |s, a, acc| s.add(acc, a))),
    lowered("fx.prod", |cx, op| reduce(cx, op, |s, ty| s.constant(ty, 1.0), |s, a, acc| s.mul(acc, a))),
    lowered("fx.amax", |cx, op| reduce(cx, op, lowest, |s, a, acc| s.max(acc, a))),
    lowered("fx.amin", |cx, op| reduce(cx, op, highest, |s, a, acc| s.min(acc, a))),
    lowered("fx.any", |cx, op| reduce(cx, op, |s, ty| s.int(ty, 0), |s, a, acc| s.or(acc, a))),
    lowered("fx.all", |cx, op| reduce(cx, op, |s, ty| s.int(ty, 1), |s, a, acc| s.and(acc, a))),
    lowered("fx.cumsum", |cx, op| scan(cx, op, |s, ty| s.constant(ty, 0.0), |s, a, acc| s.add(acc, a))),
    lowered("fx.cumprod", |cx, op| scan(cx, op, |s, ty| s.constant(ty, 1.0), |s, a, acc| s.mul(acc, a))),
    lowered("fx.argmax", |cx, op| arg_reduce(cx, op, Compare::Gt)),
    lowered("fx.argmin", |cx, op| arg_reduce(cx, op, Compare::Lt)),
    composite("fx.mean", mean),
    composite("fx.diff", diff),
    missing("fx.aminmax", "not lowered yet"),
    missing("fx.count_nonzero", "not lowered yet"),
    missing("fx.cummax", "not lowered yet"),
    missing("fx.cummin", "not lowered yet"),
    missing("fx.dist", "not lowered yet"),
    missing("fx.linalg_vector_norm", "not lowered yet"),
    missing("fx.logcumsumexp", "not lowered yet"),
    missing("fx.logsumexp", "not lowered yet"),
    missing("fx.max_dim", "not lowered yet"),
    missing("fx.min_dim", "not lowered yet"),
    missing("fx.nanmean", "not lowered yet"),
    missing("fx.nansum", "not lowered yet"),
    missing("fx.renorm", "not lowered yet"),
    missing("fx.sum_to_size", "not lowered yet"),
    missing("fx.xor_sum", "not lowered yet"),
];

/// The identity of `max`: minus infinity, or the least integer.
fn lowest<'c>(s: &Scalars<'c>, ty: Type<'c>) -> Number<'c> {
    match ty.number_kind() {
        NumberKind::Float | NumberKind::Complex => s.constant(ty, f64::NEG_INFINITY),
        NumberKind::Bool | NumberKind::Unsigned => s.int(ty, 0),
        NumberKind::Int => s.int(ty, i64::MIN >> (64 - ty.bit_width())),
    }
}

/// The identity of `min`: infinity, or the greatest integer.
fn highest<'c>(s: &Scalars<'c>, ty: Type<'c>) -> Number<'c> {
    match ty.number_kind() {
        NumberKind::Float | NumberKind::Complex => s.constant(ty, f64::INFINITY),
        NumberKind::Bool => s.int(ty, 1),
        NumberKind::Unsigned => s.int(ty, 255),
        NumberKind::Int => s.int(ty, i64::MAX >> (64 - ty.bit_width())),
    }
}

/// What a reduction does with each loop of its operand.
struct Split<'c> {
    kept: Vec<Dim<'c>>,
    reduced: Vec<Dim<'c>>,
    /// Loop of each dimension of the operand: kept ones first.
    map: Vec<Ix>,
}

fn split<'c>(dims: &[Dim<'c>], reduced: &[usize]) -> Split<'c> {
    let is_reduced = |i: &usize| reduced.contains(i);
    let kept_dims: Vec<_> = (0..dims.len()).filter(|i| !is_reduced(i)).collect();
    let map = (0..dims.len())
        .map(|i| {
            let place = |list: &[usize]| list.iter().position(|dim| *dim == i).unwrap_or(0);
            Ix::Loop(if is_reduced(&i) { kept_dims.len() + place(reduced) } else { place(&kept_dims) })
        })
        .collect();
    Split { kept: kept_dims.iter().map(|i| dims[*i]).collect(), reduced: reduced.iter().map(|i| dims[*i]).collect(), map }
}

/// Sizes of the result of a reduction, with 1 in place of reduced dimensions if `keepdim`.
fn result_dims<'c>(dims: &[Dim<'c>], reduced: &[usize], keepdim: bool) -> Vec<Dim<'c>> {
    dims.iter()
        .enumerate()
        .filter_map(|(i, dim)| if !reduced.contains(&i) { Some(*dim) } else { keepdim.then_some(Dim::Static(1)) })
        .collect()
}

/// The type that a reduction accumulates in: the result's, floats narrower than 32 bits in f32.
fn accumulator<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Type<'c> {
    opmath(cx.context(), op.result_element(0))
}

fn reduce<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    init: fn(&Scalars<'c>, Type<'c>) -> Number<'c>,
    combine: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>,
) -> Result {
    let input = cx.operand(op, "input")?;
    let reduced = op.reduced_dims("dim", input.rank())?;
    let ty = accumulator(cx, op);
    let split = split(&input.dims, &reduced);
    let start = init(&Scalars::new(cx.b), ty);
    let operand = Operand { tensor: input.clone(), map: split.map };
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| vec![combine(&body.s, body.s.cast(a[0], ty), acc[0])];
    let result = cx.reduce(&split.kept, &split.reduced, &[start], &[operand], body).remove(0);
    let result = cast(cx, &result, op.result_element(0));
    let dims = result_dims(&input.dims, &reduced, op.op.flag("keepdim"));
    let result = cx.reshape(&result, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The tensor in another element type.
pub(crate) fn cast<'c>(cx: &Lower<'c>, tensor: &Tensor<'c>, element: Type<'c>) -> Tensor<'c> {
    if tensor.element == element {
        return tensor.clone();
    }
    cx.map(&tensor.dims, element, &[cx.broadcast(tensor, &tensor.dims)], |body, a| body.s.cast(a[0], element))
}

/// Prefix reductions along `dim`, each place by a reduction over the places before it.
fn scan<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    init: fn(&Scalars<'c>, Type<'c>) -> Number<'c>,
    combine: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>,
) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let ty = accumulator(cx, op);
    if rank == 0 {
        let result = cast(cx, &input, op.result_element(0));
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    let dim = op.dim("dim", rank)?;
    let map = (0..rank).map(|i| Ix::Loop(if i == dim { rank } else { i })).collect();
    let start = init(&Scalars::new(cx.b), ty);
    let operand = Operand { tensor: input.clone(), map };
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let before = s.compare(Compare::Le, body.as_number(body.index(rank)), body.as_number(body.index(dim)));
        vec![s.select(before, combine(s, s.cast(a[0], ty), acc[0]), acc[0])]
    };
    let result = cx.reduce(&input.dims, &[input.dims[dim]], &[start], &[operand], body).remove(0);
    let result = cast(cx, &result, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The index of the largest or smallest element, the first of equals; NaN beats everything.
fn arg_reduce<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, better: Compare) -> Result {
    let mut input = cx.operand(op, "input")?;
    let keepdim = op.op.flag("keepdim");
    let shape = input.dims.clone();
    let reduced = match op.op.int("dim") {
        Some(dim) => vec![op.normalize(dim, input.rank())?],
        None => {
            let total = cx.product(&input.dims);
            input = cx.reshape(&input, &[total]);
            vec![0]
        }
    };
    let reduced: Vec<_> = reduced.into_iter().filter(|dim| *dim < input.rank()).collect();
    let split = split(&input.dims, &reduced);
    let kept = split.kept.len();
    let i64_type = Type::int(cx.context(), 64);
    let s = Scalars::new(cx.b);
    let ty = opmath(cx.context(), input.element);
    let starts = [if better == Compare::Gt { lowest(&s, ty) } else { highest(&s, ty) }, s.int(i64_type, -1)];
    let operand = Operand { tensor: input.clone(), map: split.map };
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let x = s.cast(a[0], ty);
        let index = if reduced.is_empty() { s.int(i64_type, 0) } else { s.cast(body.as_number(body.index(kept)), i64_type) };
        let first = s.compare(Compare::Lt, acc[1], s.int(i64_type, 0));
        let nan = s.and(s.is_nan(x), s.not(s.is_nan(acc[0])));
        let wins = s.or(s.or(first, nan), s.compare(better, x, acc[0]));
        // An accumulator that is NaN already stays: the first NaN is the answer.
        let settled = s.and(s.is_nan(acc[0]), s.not(first));
        let take = s.and(wins, s.not(settled));
        vec![s.select(take, x, acc[0]), s.select(take, index, acc[1])]
    };
    let result = cx.reduce(&split.kept, &split.reduced, &starts, &[operand], body).remove(1);
    let dims = match op.op.int("dim") {
        Some(_) => result_dims(&shape, &reduced, keepdim),
        None => if keepdim { vec![Dim::Static(1); shape.len()] } else { Vec::new() },
    };
    let result = cx.reshape(&result, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `sum / count`, in f32 for narrower floats, rounded once.
fn mean<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let result = op.result_element(0);
    let compute = opmath(f.context(), result);
    let dims = op.reduced_dims("dim", input.ty().rank())?;
    let wide = f.cast(input, compute)?;
    let sum = f.reduce("fx.sum", wide, &dims, op.op.flag("keepdim"))?;
    let count = count(f, input, &dims)?;
    Ok(vec![f.cast(f.div(sum, count)?, result)?])
}

/// The number of elements that a reduction over `dims` joins, as a number.
pub(crate) fn count<'c>(f: &Fx<'c>, x: Value<'c>, dims: &[usize]) -> Result<Value<'c>> {
    let sizes = f.dims(x);
    let (mut fixed, mut value) = (1.0, None);
    for dim in dims {
        match sizes[*dim] {
            Dim::Static(size) => fixed *= size as f64,
            Dim::Dynamic(size) => {
                let index = Type::index(f.context());
                value = Some(value.map_or(size, |other| f.b.value("arith.muli", &[other, size], index, &[])));
            }
        }
    }
    let Some(size) = value else { return Ok(f.number(fixed)) };
    let i64_type = Type::int(f.context(), 64);
    let size = f.b.value("arith.index_cast", &[size], i64_type, &[]);
    let size = f.b.value("arith.sitofp", &[size], Type::f64(f.context()), &[]);
    Ok(f.b.value("arith.mulf", &[size, f.number(fixed)], Type::f64(f.context()), &[]))
}

/// Differences of neighbours along `dim`, `n` times.
fn diff<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let mut x = op.operand("input")?;
    let rank = x.ty().rank();
    let dim = op.normalize(op.op.int("dim").unwrap_or(-1), rank)?;
    let mut parts = Vec::new();
    parts.extend(op.optional("prepend"));
    parts.push(x);
    parts.extend(op.optional("append"));
    if parts.len() > 1 {
        x = f.op("fx.cat", &parts, &[("dim", fx_ir::Attribute::i64(f.context(), dim as i64))])?;
    }
    for _ in 0..op.op.int("n").unwrap_or(1) {
        let upper = crate::rows::shape::slice_value(f, x, dim, Dim::Static(1), None)?;
        let lower = crate::rows::shape::slice_value(f, x, dim, Dim::Static(0), Some(Dim::Static(-1)))?;
        x = if x.ty().element().is_bool() { f.op("fx.logical_xor", &[upper, lower], &[])? } else { f.sub(upper, lower)? };
    }
    Ok(vec![x])
}
