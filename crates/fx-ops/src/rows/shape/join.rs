//! Tensors joined: along a dim, or along a new one.

use fx_ir::{Result, Type, Value};

use crate::batching;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::rows::derivatives;
use crate::scalar::{Compare, Number, Scalars, storage_type};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.cat", cat).batched(batching::joined).vjp(derivatives::shape::cat),
    lowered("fx.stack", stack).batched(batching::joined).vjp(derivatives::shape::stack),
];

/// The tensors of a list operand in the result's element type.
fn joined<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Result<Vec<Tensor<'c>>> {
    let element = op.result_element(0);
    let tensors = op.list("tensors").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<_>>>()?;
    Ok(tensors.iter().map(|tensor| crate::rows::reduction::cast(cx, tensor, element)).collect())
}

fn cat<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let rank = op.op.result(0).ty().rank();
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), rank)?;
    // An empty tensor of rank 1 joins anything. Of empty tensors alone the first tells the other sizes.
    let mut tensors = joined(cx, op)?;
    tensors.retain(|tensor| tensor.rank() == rank);
    for pair in tensors.windows(2) {
        for (i, (own, other)) in pair[0].dims.iter().zip(&pair[1].dims).enumerate() {
            if i != dim {
                cx.check_sizes(*own, *other);
            }
        }
    }
    let filled: Vec<_> = tensors.iter().filter(|tensor| tensor.dims[dim].known() != Some(0)).cloned().collect();
    let tensors = if filled.is_empty() { tensors.into_iter().take(1).collect() } else { filled };
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
    let storage = storage_type(element);
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
    let tensors = joined(cx, op)?;
    for pair in tensors.windows(2) {
        pair[0].dims.iter().zip(&pair[1].dims).for_each(|(own, other)| cx.check_sizes(*own, *other));
    }
    let tensors: Vec<_> = tensors
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
