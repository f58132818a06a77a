//! Reductions: many elements to one.

use fx_ir::{Attribute, NumberKind, Result, Type, Value};

use crate::batching;
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::rows::pointwise::logaddexp;
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.sum", |cx, op| reduce(cx, op, |s, ty| s.constant(ty, 0.0), |s, a, acc| s.add(acc, a)))
        .batched(batching::reduced)
        .vjp(derivatives::reduction::sum),
    lowered("fx.prod", |cx, op| reduce(cx, op, |s, ty| s.constant(ty, 1.0), |s, a, acc| s.mul(acc, a)))
        .batched(batching::reduced)
        .vjp(derivatives::reduction::prod),
    lowered("fx.amax", |cx, op| reduce(cx, op, lowest, |s, a, acc| s.max(acc, a)))
        .batched(batching::reduced)
        .vjp(derivatives::reduction::extremum)
        .kinked(),
    lowered("fx.amin", |cx, op| reduce(cx, op, highest, |s, a, acc| s.min(acc, a)))
        .batched(batching::reduced)
        .vjp(derivatives::reduction::extremum)
        .kinked(),
    lowered("fx.nansum", |cx, op| reduce(cx, op, |s, ty| s.constant(ty, 0.0), |s, a, acc| s.select(s.is_nan(a), acc, s.add(acc, a))))
        .batched(batching::reduced)
        .vjp(derivatives::reduction::nansum),
    lowered("fx.any", |cx, op| reduce_truth(cx, op, 0, |s, a, acc| s.or(acc, a))).constant("its results are truth values"),
    lowered("fx.all", |cx, op| reduce_truth(cx, op, 1, |s, a, acc| s.and(acc, a))).constant("its results are truth values"),
    lowered("fx.count_nonzero", count_nonzero).constant("its results are integers"),
    lowered("fx.xor_sum", |cx, op| {
        let ty = op.result_element(0);
        let dims = listed_dims(cx, op, "dims")?;
        reduce_over(cx, op, &dims, ty, ty, |s, ty| s.int(ty, 0), |s, a, acc| s.xor(acc, a))
    })
    .constant("its results are integers"),
    lowered("fx.cumsum", |cx, op| scan(cx, op, |s, ty| s.constant(ty, 0.0), |s, a, acc| s.add(acc, a)))
        .batched(batching::along)
        .vjp(derivatives::scan::cumsum),
    lowered("fx.cumprod", |cx, op| scan(cx, op, |s, ty| s.constant(ty, 1.0), |s, a, acc| s.mul(acc, a)))
        .batched(batching::along)
        .vjp(derivatives::scan::cumprod),
    lowered("fx.logcumsumexp", |cx, op| scan(cx, op, |s, ty| s.constant(ty, f64::NEG_INFINITY), |s, a, acc| logaddexp(s, a, acc, 1.0)))
        .batched(batching::along)
        .vjp(derivatives::scan::logcumsumexp),
    lowered("fx.cummax", |cx, op| scan_with_indices(cx, op, Compare::Ge))
        .batched(batching::along)
        .vjp(derivatives::scan::extremum)
        .kinked(),
    lowered("fx.cummin", |cx, op| scan_with_indices(cx, op, Compare::Le))
        .batched(batching::along)
        .vjp(derivatives::scan::extremum)
        .kinked(),
    lowered("fx.argmax", |cx, op| arg_reduce(cx, op, Compare::Gt)).batched(batching::along).constant("its results are integers"),
    lowered("fx.argmin", |cx, op| arg_reduce(cx, op, Compare::Lt)).batched(batching::along).constant("its results are integers"),
    lowered("fx.max_dim", |cx, op| arg_reduce(cx, op, Compare::Gt)).batched(batching::along).vjp(derivatives::order::along_dim).kinked(),
    lowered("fx.min_dim", |cx, op| arg_reduce(cx, op, Compare::Lt)).batched(batching::along).vjp(derivatives::order::along_dim).kinked(),
    composite("fx.aminmax", |f, op| {
        let x = op.operand("input")?;
        let dims = op.reduced_dims("dim", x.ty().rank())?;
        let end = |name: &str| f.reduce(name, x, &dims, op.op.flag("keepdim"));
        Ok(vec![end("fx.amin")?, end("fx.amax")?])
    })
    .kinked(),
    composite("fx.nanmean", nanmean),
    composite("fx.logsumexp", logsumexp).vjp(derivatives::reduction::logsumexp),
    composite("fx.linalg_vector_norm", |f, op| {
        let x = op.operand("input")?;
        let dims = op.reduced_dims("dim", x.ty().rank())?;
        vector_norm(f, op, x, op.op.float("ord"), &dims).map(|y| vec![y])
    })
    .vjp(derivatives::reduction::linalg_vector_norm)
    .kinked(),
    composite("fx.dist", |f, op| {
        let (x, y) = (op.operand("input")?, op.operand("other")?);
        let difference = f.sub(x, y)?;
        let dims: Vec<_> = (0..difference.ty().rank()).collect();
        vector_norm(f, op, difference, op.op.float("p"), &dims).map(|y| vec![y])
    })
    .vjp(derivatives::reduction::dist)
    .kinked(),
    composite("fx.renorm", renorm).kinked(),
    composite("fx.sum_to_size", sum_to_size),
    composite("fx.mean", mean),
    composite("fx.diff", diff),
];

/// The identity of `max`: minus infinity, or the least integer.
pub(crate) fn lowest<'c>(s: &Scalars<'c>, ty: Type<'c>) -> Number<'c> {
    match ty.number_kind() {
        NumberKind::Float | NumberKind::Complex => s.constant(ty, f64::NEG_INFINITY),
        NumberKind::Bool | NumberKind::Unsigned => s.int(ty, 0),
        NumberKind::Int => s.int(ty, i64::MIN >> (64 - ty.bit_width())),
    }
}

/// The identity of `min`: infinity, or the greatest integer.
pub(crate) fn highest<'c>(s: &Scalars<'c>, ty: Type<'c>) -> Number<'c> {
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
    let dims = op.reduced_dims("dim", cx.operand(op, "input")?.rank())?;
    let ty = accumulator(cx, op);
    reduce_over(cx, op, &dims, ty, ty, init, combine)
}

/// A reduction of `input` over `reduced`: elements are brought to `from`, then to `ty`, in which they are combined.
fn reduce_over<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    reduced: &[usize],
    from: Type<'c>,
    ty: Type<'c>,
    init: fn(&Scalars<'c>, Type<'c>) -> Number<'c>,
    combine: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>,
) -> Result {
    let input = cx.operand(op, "input")?;
    let split = split(&input.dims, reduced);
    let start = init(&Scalars::new(cx.b), ty);
    let operand = Operand { tensor: input.clone(), map: split.map };
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        vec![combine(s, s.cast(s.cast(a[0], from), ty), acc[0])]
    };
    let result = cx.reduce(&split.kept, &split.reduced, &[start], &[operand], body).remove(0);
    let result = cast(cx, &result, op.result_element(0));
    let dims = result_dims(&input.dims, reduced, op.op.flag("keepdim"));
    let result = cx.reshape(&result, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Dimensions of a list attribute of which an empty list means none; an absent one means all.
fn listed_dims<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str) -> Result<Vec<usize>> {
    let rank = cx.operand(op, "input")?.rank();
    if op.op.attribute(name).and_then(Attribute::as_i64s).is_some_and(|dims| dims.is_empty()) {
        return Ok(Vec::new());
    }
    op.reduced_dims(name, rank)
}

/// A reduction of truth values.
fn reduce_truth<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    neutral: i64,
    combine: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>,
) -> Result {
    let dims = listed_dims(cx, op, "dim")?;
    let ty = Type::int(cx.context(), 1);
    let init: fn(&Scalars<'c>, Type<'c>) -> Number<'c> = if neutral == 0 { |s, ty| s.int(ty, 0) } else { |s, ty| s.int(ty, 1) };
    reduce_over(cx, op, &dims, ty, ty, init, combine)
}

fn count_nonzero<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let dims = op.reduced_dims("dim", cx.operand(op, "input")?.rank())?;
    let (truth, count) = (Type::int(cx.context(), 1), Type::int(cx.context(), 64));
    reduce_over(cx, op, &dims, truth, count, |s, ty| s.int(ty, 0), |s, a, acc| s.add(acc, a))
}

/// The tensor in another element type.
pub(crate) fn cast<'c>(cx: &Lower<'c>, tensor: &Tensor<'c>, element: Type<'c>) -> Tensor<'c> {
    if tensor.element == element {
        return tensor.clone();
    }
    cx.map(&tensor.dims, element, &[cx.broadcast(tensor, &tensor.dims)], |body, a| body.s.cast(a[0], element))
}

/// Says of a scan that its body joins the accumulators of two stretches as well, the later ones in place of an element.
fn mark_associative<'c>(cx: &Lower<'c>, scan: &Tensor<'c>) {
    if let Some(op) = scan.value.defining_op() {
        op.set_attribute("fx.associative", Attribute::unit(cx.context()));
    }
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
    mark_associative(cx, &result);
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
    let mut found = cx.reduce(&split.kept, &split.reduced, &starts, &[operand], body);
    let dims = match op.op.int("dim") {
        Some(_) => result_dims(&shape, &reduced, keepdim),
        None => {
            if keepdim {
                vec![Dim::Static(1); shape.len()]
            } else {
                Vec::new()
            }
        }
    };
    // The index alone, or the element and its index.
    if op.op.results().len() == 1 {
        found.remove(0);
    }
    for (tensor, result) in found.into_iter().zip(op.op.results()) {
        let tensor = cast(cx, &tensor, result.ty().element());
        let tensor = cx.reshape(&tensor, &dims);
        cx.set(result, tensor);
    }
    Ok(())
}

/// The largest or smallest element so far, and the index of the last such; NaN beats everything.
fn scan_with_indices<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, better: Compare) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let i64_type = Type::int(cx.context(), 64);
    if rank == 0 {
        let zero = cx.fill(&[], Scalars::new(cx.b).int(i64_type, 0));
        cx.set(op.op.result(0), input);
        cx.set(op.op.result(1), zero);
        return Ok(());
    }
    let dim = op.dim("dim", rank)?;
    let map = (0..rank).map(|i| Ix::Loop(if i == dim { rank } else { i })).collect();
    let s = Scalars::new(cx.b);
    let ty = opmath(cx.context(), input.element);
    let starts = [if better == Compare::Ge { lowest(&s, ty) } else { highest(&s, ty) }, s.int(i64_type, -1)];
    let operand = Operand { tensor: input.clone(), map };
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let (x, index) = (s.cast(a[0], ty), body.as_number(body.index(rank)));
        let before = s.compare(Compare::Le, index, body.as_number(body.index(dim)));
        let first = s.compare(Compare::Lt, acc[1], s.int(i64_type, 0));
        let wins = s.or(s.or(first, s.is_nan(x)), s.compare(better, x, acc[0]));
        let take = s.and(before, wins);
        vec![s.select(take, x, acc[0]), s.select(take, s.cast(index, i64_type), acc[1])]
    };
    let found = cx.reduce(&input.dims, &[input.dims[dim]], &starts, &[operand], body);
    mark_associative(cx, &found[0]);
    let values = cast(cx, &found[0], input.element);
    cx.set(op.op.result(0), values);
    cx.set(op.op.result(1), found[1].clone());
    Ok(())
}

/// The mean of the elements that are not NaN.
fn nanmean<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    if x.ty().element().is_complex() {
        return Err(op.error("of complex numbers is not defined, as in PyTorch"));
    }
    let result = op.result_element(0);
    let x = f.cast(x, opmath(f.context(), result))?;
    let dims = op.reduced_dims("dim", x.ty().rank())?;
    let keepdim = op.op.flag("keepdim");
    let there = f.logical_not(f.op("fx.isnan", &[x], &[])?)?;
    let count = f.reduce("fx.sum", there, &dims, keepdim)?;
    Ok(vec![f.cast(f.div(f.reduce("fx.nansum", x, &dims, keepdim)?, count)?, result)?])
}

/// `m + ln(sum e^(x - m))`, m the largest element (real part), or 0 where that is infinite.
fn logsumexp<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let result = op.result_element(0);
    let x = f.cast(x, opmath(f.context(), result))?;
    let dims = op.reduced_dims("dim", x.ty().rank())?;
    let shape = x.ty().shape();
    if dims.iter().any(|dim| shape[*dim] == 0) {
        // of no elements none is the largest
        let y = f.log(f.reduce("fx.sum", x, &dims, true)?)?;
        return Ok(vec![f.cast(drop_reduced(f, op, y, &dims)?, result)?]);
    }
    let size = if result.is_complex() { f.op("fx.real", &[x], &[])? } else { x };
    let largest = f.reduce("fx.amax", size, &dims, true)?;
    let infinite = f.op("fx.isinf", &[largest], &[])?;
    let largest = f.select(infinite, f.number(0.0), largest)?;
    let sum = f.reduce("fx.sum", f.exp(f.sub(x, largest)?)?, &dims, true)?;
    let y = f.add(f.log(sum)?, largest)?;
    Ok(vec![f.cast(drop_reduced(f, op, y, &dims)?, result)?])
}

/// Without the reduced dims, which have size 1, unless the op keeps them.
pub(crate) fn drop_reduced<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>, dims: &[usize]) -> Result<Value<'c>> {
    if op.op.flag("keepdim") || dims.is_empty() {
        return Ok(x);
    }
    let sizes: Vec<_> = f.dims(x).into_iter().enumerate().filter(|(i, _)| !dims.contains(i)).map(|(_, dim)| dim).collect();
    f.view(x, &sizes)
}

/// The p-norm over `dims` in the type of the op's result; an absent p is 2.
fn vector_norm<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>, p: Option<f64>, dims: &[usize]) -> Result<Value<'c>> {
    let result = op.result_element(0);
    let compute = opmath(f.context(), result);
    let size = f.cast(f.op("fx.abs", &[x], &[])?, compute)?;
    let over = |name: &str, x: Value<'c>| f.reduce(name, x, dims, op.op.flag("keepdim"));
    let y = match p.unwrap_or(2.0) {
        // A reduction of no dims is one of all dims: a number is its own norm.
        p if p != 0.0 && dims.is_empty() => size,
        0.0 => over("fx.sum", f.cast(f.op("fx.ne", &[size, f.number(0.0)], &[])?, compute)?)?,
        1.0 => over("fx.sum", size)?,
        2.0 => f.sqrt(over("fx.sum", f.mul(size, size)?)?)?,
        f64::INFINITY => over("fx.amax", size)?,
        f64::NEG_INFINITY => over("fx.amin", size)?,
        p => {
            let sum = over("fx.sum", f.op("fx.pow", &[size, f.number(p)], &[])?)?;
            f.op("fx.pow", &[sum, f.number(1.0 / p)], &[])?
        }
    };
    f.cast(y, result)
}

/// Slices along `dim` whose norm is more than `maxnorm` scaled down to it.
fn renorm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let result = op.result_element(0);
    let rank = x.ty().rank();
    let dim = op.dim("dim", rank)?;
    let x = f.cast(x, opmath(f.context(), result))?;
    let others: Vec<_> = (0..rank).filter(|i| *i != dim).map(|i| i as i64).collect();
    let context = f.context();
    let p = Attribute::float(context, Type::f64(context), op.float("p")?);
    let attributes = [("ord", p), ("dim", Attribute::i64s(context, &others)), ("keepdim", Attribute::bool(context, true))];
    let norm = if others.is_empty() { f.op("fx.abs", &[x], &[])? } else { f.op("fx.linalg_vector_norm", &[x], &attributes)? };
    let limit = f.number(op.float("maxnorm")?);
    let factor = f.div(limit, f.add(norm, f.number(1e-7))?)?;
    let factor = f.select(f.op("fx.gt", &[norm, limit], &[])?, factor, f.number(1.0))?;
    Ok(vec![f.cast(f.mul(x, factor)?, result)?])
}

/// The sum over leading dims that `size` lacks and dims where it is 1.
fn sum_to_size<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let x = op.operand("input")?;
    let sizes = op.sizes("size");
    let own = f.dims(x);
    let lead = own.len() - sizes.len();
    let dims: Vec<_> = (0..own.len()).filter(|i| *i < lead || (sizes[i - lead].known() == Some(1) && own[*i].known() != Some(1))).collect();
    let (kept, wanted): (Vec<_>, Vec<_>) = (lead..own.len()).filter(|i| !dims.contains(i)).map(|i| (own[i], sizes[i - lead])).unzip();
    f.check_shape(op, &kept, &wanted);
    if dims.is_empty() {
        return Ok(vec![x]);
    }
    let result = op.result_element(0);
    let wide = f.cast(x, opmath(f.context(), result))?;
    let sum = f.cast(f.reduce("fx.sum", wide, &dims, true)?, result)?;
    Ok(vec![f.view(sum, &sizes)?])
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
        x = f.op("fx.cat", &parts, &[("dim", Attribute::i64(f.context(), dim as i64))])?;
    }
    for _ in 0..op.op.int("n").unwrap_or(1) {
        let upper = crate::rows::shape::slice_value(f, x, dim, Dim::Static(1), None)?;
        let lower = crate::rows::shape::slice_value(f, x, dim, Dim::Static(0), Some(Dim::Static(-1)))?;
        x = if x.ty().element().is_bool() { f.op("fx.logical_xor", &[upper, lower], &[])? } else { f.sub(upper, lower)? };
    }
    Ok(vec![x])
}
