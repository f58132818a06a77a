//! Matrix products.

use fx_ir::{Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::reduction::cast;
use crate::scalar::{Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.mm", |cx, op| {
        let (a, b) = (cx.operand(op, "input")?, cx.operand(op, "mat2")?);
        contract(cx, op, &a, &b, false)
    }),
    lowered("fx.bmm", |cx, op| {
        let (a, b) = (cx.operand(op, "input")?, cx.operand(op, "mat2")?);
        contract(cx, op, &a, &b, true)
    }),
    composite("fx.addmm", |f, op| {
        let (a, b) = widened(f, op.operand("mat1")?, op.operand("mat2")?)?;
        add_scaled(f, op, f.mm(a, b)?)
    }),
    composite("fx.baddbmm", |f, op| {
        let (a, b) = widened(f, op.operand("batch1")?, op.operand("batch2")?)?;
        add_scaled(f, op, f.bmm(a, b)?)
    }),
    composite("fx.addmv", |f, op| {
        let (a, b) = widened(f, op.operand("mat")?, op.operand("vec")?)?;
        add_scaled(f, op, matmul(f, a, b)?)
    }),
    composite("fx.mv", |f, op| Ok(vec![matmul(f, op.operand("input")?, op.operand("vec")?)?])),
    composite("fx.dot", |f, op| Ok(vec![matmul(f, op.operand("input")?, op.operand("tensor")?)?])),
    composite("fx.matmul", |f, op| Ok(vec![matmul(f, op.operand("input")?, op.operand("other")?)?])),
    composite("fx.linear", linear),
    missing("fx.addbmm", "not lowered yet"),
    missing("fx.addr", "not lowered yet"),
    missing("fx.bilinear", "not lowered yet"),
    missing("fx.cdist", "not lowered yet"),
    missing("fx.cross", "not lowered yet"),
    missing("fx.einsum", "not lowered yet"),
    missing("fx.inner", "not lowered yet"),
    missing("fx.int_mm", "not lowered yet"),
    missing("fx.kron", "not lowered yet"),
    missing("fx.outer", "not lowered yet"),
    missing("fx.pdist", "not lowered yet"),
    missing("fx.tensordot", "not lowered yet"),
    missing("fx.trilinear", "not lowered yet"),
    missing("fx.vdot", "not lowered yet"),
];

/// `result[.., m, n] = sum_k a[.., m, k] * b[.., k, n]`, accumulated in f32 for narrower floats.
fn contract<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, a: &Tensor<'c>, b: &Tensor<'c>, batched: bool) -> Result {
    let base = usize::from(batched);
    let (m, n, k) = (a.dims[base], b.dims[base + 1], a.dims[base + 1]);
    let mut dims = a.dims[..base].to_vec();
    dims.extend([m, n]);
    let ty = opmath(cx.context(), op.result_element(0));
    let batch: Vec<_> = (0..base).map(Ix::Loop).collect();
    let map = |x: usize, y: usize| [batch.clone(), vec![Ix::Loop(x), Ix::Loop(y)]].concat();
    let operands = [
        Operand { tensor: a.clone(), map: map(base, base + 2) },
        Operand { tensor: b.clone(), map: map(base + 2, base + 1) },
    ];
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, x: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        vec![s.add(acc[0], s.mul(s.cast(x[0], ty), s.cast(x[1], ty)))]
    };
    let result = cx.reduce(&dims, &[k], &[zero], &operands, body).remove(0);
    let result = cast(cx, &result, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Both operands of a product in f32 if they are narrower floats: what is added to the product is added before it is
/// rounded, as PyTorch's kernels do.
fn widened<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let wide = |x: Value<'c>| f.cast(x, opmath(f.context(), x.ty().element()));
    Ok((wide(a)?, wide(b)?))
}

/// `beta * input + alpha * product`
fn add_scaled<'c>(f: &Fx<'c>, op: FxOp<'c>, product: Value<'c>) -> Result<Vec<Value<'c>>> {
    let element = op.result_element(0);
    let compute = opmath(f.context(), element);
    let scale = |x: Value<'c>, name: &str| match op.op.float(name) {
        Some(factor) if factor != 1.0 => {
            let factor = if element.is_float() { f.number(factor) } else { f.integer(factor as i64) };
            f.mul(x, factor)
        }
        _ => Ok(x),
    };
    let product = scale(f.cast(product, compute)?, "alpha")?;
    if op.op.float("beta") == Some(0.0) {
        return Ok(vec![f.cast(product, element)?]);
    }
    let input = scale(f.cast(op.operand("input")?, compute)?, "beta")?;
    Ok(vec![f.cast(f.add(product, input)?, element)?])
}

/// numpy's matmul: vectors count as matrices, leading dims broadcast.
pub(crate) fn matmul<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
    let (dims_a, dims_b) = (f.dims(a), f.dims(b));
    let one = Dim::Static(1);
    // Vectors become matrices, and the dim that was added goes away at the end.
    let matrix_a = if dims_a.len() == 1 { vec![one, dims_a[0]] } else { dims_a.clone() };
    let matrix_b = if dims_b.len() == 1 { vec![dims_b[0], one] } else { dims_b.clone() };
    let (rank_a, rank_b) = (matrix_a.len(), matrix_b.len());
    let (m, k, n) = (matrix_a[rank_a - 2], matrix_a[rank_a - 1], matrix_b[rank_b - 1]);
    let batch = broadcast(&matrix_a[..rank_a - 2], &matrix_b[..rank_b - 2]);
    let product = if rank_b == 2 {
        // One matrix for all: the leading dims of `a` are rows.
        let rows = fold(f, &matrix_a[..rank_a - 1]);
        let left = f.view(a, &[rows, k])?;
        f.mm(left, f.view(b, &matrix_b)?)?
    } else {
        let count = fold(f, &batch);
        let full = |x: Value<'c>, dims: &[Dim<'c>], rows: Dim<'c>, columns: Dim<'c>| {
            let matrix = f.view(x, dims)?;
            let wide = f.expand(matrix, &[batch.clone(), vec![rows, columns]].concat())?;
            f.view(wide, &[count, rows, columns])
        };
        f.bmm(full(a, &matrix_a, m, k)?, full(b, &matrix_b, k, n)?)?
    };
    let mut dims = batch;
    if dims_a.len() > 1 {
        dims.push(m);
    }
    if dims_b.len() > 1 {
        dims.push(n);
    }
    f.view(product, &dims)
}

fn broadcast<'c>(a: &[Dim<'c>], b: &[Dim<'c>]) -> Vec<Dim<'c>> {
    let rank = a.len().max(b.len());
    let at = |dims: &[Dim<'c>], i: usize| if i + dims.len() >= rank { dims[i + dims.len() - rank] } else { Dim::Static(1) };
    (0..rank).map(|i| if at(a, i).known() == Some(1) { at(b, i) } else { at(a, i) }).collect()
}

/// The product of sizes, computed where one is known only at run time.
fn fold<'c>(f: &Fx<'c>, dims: &[Dim<'c>]) -> Dim<'c> {
    dims.iter().fold(Dim::Static(1), |product, dim| match (product, *dim) {
        (Dim::Static(x), Dim::Static(y)) => Dim::Static(x.saturating_mul(y)),
        (Dim::Static(1), other) | (other, Dim::Static(1)) => other,
        (x, y) => {
            let value = |dim: Dim<'c>| match dim {
                Dim::Static(size) => f.b.index(size),
                Dim::Dynamic(value) => value,
            };
            let x = value(x);
            Dim::Dynamic(f.b.value("arith.muli", &[x, value(y)], x.ty(), &[]))
        }
    })
}

/// `input @ weight^T + bias`
fn linear<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (input, weight) = (op.operand("input")?, op.operand("weight")?);
    let transposed = if weight.ty().rank() == 2 { f.permute(weight, &[1, 0])? } else { weight };
    let Some(bias) = op.optional("bias") else { return Ok(vec![matmul(f, input, transposed)?]) };
    let (a, b) = widened(f, input, transposed)?;
    let sum = f.add(matmul(f, a, b)?, bias)?;
    Ok(vec![f.cast(sum, op.result_element(0))?])
}
