//! Matrix products.

use fx_ir::{Attribute, Result, Type, Value};

use crate::batching;
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::scalar::{Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered};

/// Terms of each sum of a product, whose factors are the last tensors, or those before a bias.
pub(crate) fn terms(operands: &[Vec<u64>], result: &[u64]) -> u64 {
    let factors: Vec<_> = operands.iter().filter(|shape| !shape.is_empty()).collect();
    let first = factors.len().saturating_sub(2);
    let summed = factors.get(first).and_then(|shape| shape.last()).copied();
    summed.filter(|_| !result.is_empty() || factors.len() > 1).unwrap_or(1)
}

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.mm", |cx, op| {
        let (a, b) = (cx.operand(op, "input")?, cx.operand(op, "mat2")?);
        contract(cx, op, &a, &b, false)
    })
    .batched(batching::product)
    .vjp(derivatives::matrix::product),
    lowered("fx.bmm", |cx, op| {
        let (a, b) = (cx.operand(op, "input")?, cx.operand(op, "mat2")?);
        contract(cx, op, &a, &b, true)
    })
    .batched(batching::batch_product)
    .vjp(derivatives::matrix::product),
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
    composite("fx.vdot", |f, op| {
        let conjugate = f.op("fx.conj", &[op.operand("input")?], &[])?;
        Ok(vec![matmul(f, conjugate, op.operand("other")?)?])
    }),
    composite("fx.outer", |f, op| {
        let product = outer(f, op.operand("input")?, op.operand("vec2")?)?;
        Ok(vec![f.cast(product, op.result_element(0))?])
    }),
    composite("fx.addr", |f, op| {
        let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, opmath(f.context(), op.result_element(0))));
        add_scaled(f, op, outer(f, wide("vec1")?, wide("vec2")?)?)
    }),
    composite("fx.addbmm", |f, op| {
        let (a, b) = widened(f, op.operand("batch1")?, op.operand("batch2")?)?;
        add_scaled(f, op, f.reduce("fx.sum", f.bmm(a, b)?, &[0], false)?)
    }),
    composite("fx.int_mm", |f, op| {
        let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, op.result_element(0)));
        Ok(vec![f.mm(wide("input")?, wide("mat2")?)?])
    })
    .constant("its operands are integers"),
    composite("fx.inner", |f, op| {
        let (a, b) = (op.operand("input")?, op.operand("other")?);
        let (rank_a, rank_b) = (a.ty().rank(), b.ty().rank());
        Ok(vec![if rank_a == 0 || rank_b == 0 { f.mul(a, b)? } else { tensordot(f, a, b, &[rank_a - 1], &[rank_b - 1])? }])
    }),
    composite("fx.tensordot", |f, op| {
        let (mut a, mut b) = (op.operand("input")?, op.operand("other")?);
        let list = |name: &str, rank: usize| {
            op.op.ints(name).unwrap_or_default().into_iter().map(|dim| op.normalize(dim, rank)).collect::<Result<Vec<_>>>()
        };
        let (dims_a, dims_b) = (list("dims_self", a.ty().rank())?, list("dims_other", b.ty().rank())?);
        // A paired size of 1 stands for the sum over the other.
        for (i, j) in dims_a.iter().zip(&dims_b) {
            match (f.dims(a)[*i].known(), f.dims(b)[*j].known()) {
                (Some(1), Some(size)) if size != 1 => b = f.cast(f.reduce("fx.sum", b, &[*j], true)?, b.ty().element())?,
                (Some(size), Some(1)) if size != 1 => a = f.cast(f.reduce("fx.sum", a, &[*i], true)?, a.ty().element())?,
                _ => {}
            }
        }
        Ok(vec![tensordot(f, a, b, &dims_a, &dims_b)?])
    }),
    composite("fx.kron", kron),
    composite("fx.cross", cross),
    composite("fx.bilinear", bilinear),
    composite("fx.trilinear", trilinear),
    composite("fx.cdist", |f, op| {
        let (a, b) = widened(f, op.operand("x1")?, op.operand("x2")?)?;
        let spread = |x, back: i64| f.op("fx.unsqueeze", &[x], &[("dim", Attribute::i64(f.context(), back))]);
        let difference = f.sub(spread(a, -2)?, spread(b, -3)?)?;
        Ok(vec![f.cast(row_norms(f, op, difference)?, op.result_element(0))?])
    })
    .vjp(derivatives::distance::cdist)
    .kinked(),
    composite("fx.pdist", |f, op| {
        let input = op.operand("input")?;
        let x = f.cast(input, opmath(f.context(), input.ty().element()))?;
        let chosen = |places| f.op("fx.index_select", &[x, places], &[("dim", Attribute::i64(f.context(), 0))]);
        let [first, second] = pairs(f, op, x)?;
        let difference = f.sub(chosen(first)?, chosen(second)?)?;
        Ok(vec![f.cast(row_norms(f, op, difference)?, op.result_element(0))?])
    })
    .vjp(derivatives::distance::pdist)
    .kinked(),
    lowered("fx.einsum", einsum).vjp(derivatives::matrix::einsum),
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
    let operands = [Operand { tensor: a.clone(), map: map(base, base + 2) }, Operand { tensor: b.clone(), map: map(base + 2, base + 1) }];
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

/// Checks, at run time, the sizes of an addend that is not read.
fn check_addend<'c>(f: &Fx<'c>, op: FxOp<'c>, product: Value<'c>) -> Result {
    let (own, sizes) = (f.dims(op.operand("input")?), f.dims(product));
    let lead = sizes.len().saturating_sub(own.len());
    let pairs = own.into_iter().zip(sizes[lead..].iter().copied()).filter(|(own, _)| own.known() != Some(1));
    let (own, sizes): (Vec<_>, Vec<_>) = pairs.unzip();
    f.check_shape(op, &own, &sizes);
    Ok(())
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
        check_addend(f, op, product)?;
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
pub(crate) fn fold<'c>(f: &Fx<'c>, dims: &[Dim<'c>]) -> Dim<'c> {
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

/// `a[i] * b[j]`
fn outer<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
    let column = f.view(a, &[f.dims(a)[0], Dim::Static(1)])?;
    f.mul(column, b)
}

/// A contraction over pairs of dims, as one product of matrices.
fn tensordot<'c>(f: &Fx<'c>, a: Value<'c>, b: Value<'c>, dims_a: &[usize], dims_b: &[usize]) -> Result<Value<'c>> {
    let (sizes_a, sizes_b) = (f.dims(a), f.dims(b));
    let rest = |rank: usize, dims: &[usize]| (0..rank).filter(|dim| !dims.contains(dim)).collect::<Vec<_>>();
    let (rest_a, rest_b) = (rest(sizes_a.len(), dims_a), rest(sizes_b.len(), dims_b));
    let pick = |sizes: &[Dim<'c>], dims: &[usize]| dims.iter().map(|dim| sizes[*dim]).collect::<Vec<_>>();
    let (kept_a, kept_b, summed) = (pick(&sizes_a, &rest_a), pick(&sizes_b, &rest_b), pick(&sizes_a, dims_a));
    let matrix = |x: Value<'c>, order: Vec<usize>, rows: &[Dim<'c>], columns: &[Dim<'c>]| {
        let x = if order.is_empty() { x } else { f.permute(x, &order)? };
        f.view(x, &[fold(f, rows), fold(f, columns)])
    };
    let left = matrix(a, [&rest_a[..], dims_a].concat(), &kept_a, &summed)?;
    let right = matrix(b, [dims_b, &rest_b[..]].concat(), &summed, &kept_b)?;
    f.view(f.mm(left, right)?, &[kept_a, kept_b].concat())
}

/// `y[i * size(b) + j] = a[i] * b[j]` in every dim.
fn kron<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    // before reshapes: an operand of rank 0 counts less in promotion
    let typed = |name: &str| f.cast(op.operand(name)?, op.result_element(0));
    let (a, b) = (typed("input")?, typed("other")?);
    let rank = a.ty().rank().max(b.ty().rank());
    let padded = |x: Value<'c>| {
        let dims = f.dims(x);
        [vec![Dim::Static(1); rank - dims.len()], dims].concat()
    };
    let (dims_a, dims_b) = (padded(a), padded(b));
    let one = Dim::Static(1);
    let left = f.view(a, &dims_a.iter().flat_map(|dim| [*dim, one]).collect::<Vec<_>>())?;
    let right = f.view(b, &dims_b.iter().flat_map(|dim| [one, *dim]).collect::<Vec<_>>())?;
    let dims: Vec<_> = dims_a.iter().zip(&dims_b).map(|(x, y)| fold(f, &[*x, *y])).collect();
    Ok(vec![f.view(f.mul(left, right)?, &dims)?])
}

/// `y[i] = a[i + 1] b[i + 2] - a[i + 2] b[i + 1]`, indices modulo 3.
fn cross<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let result = op.result_element(0);
    let (a, b) = (op.operand("input")?, op.operand("other")?);
    let sizes = broadcast(&f.dims(a), &f.dims(b));
    let dim = match op.op.int("dim") {
        Some(dim) => op.normalize(dim, sizes.len())?,
        None => sizes.iter().position(|size| size.known() == Some(3)).unwrap_or(0),
    };
    let compute = opmath(f.context(), result);
    let wide = |x: Value<'c>| f.expand(f.cast(x, compute)?, &sizes);
    let (a, b) = (wide(a)?, wide(b)?);
    let rolled = |x: Value<'c>, shift: i64| {
        let context = f.context();
        f.op("fx.roll", &[x], &[("static_shifts", Attribute::i64s(context, &[-shift])), ("dims", Attribute::i64s(context, &[dim as i64]))])
    };
    let difference = f.sub(f.mul(rolled(a, 1)?, rolled(b, 2)?)?, f.mul(rolled(a, 2)?, rolled(b, 1)?)?)?;
    Ok(vec![f.cast(difference, result)?])
}

/// `y[.., o] = sum x[.., i] w[o, i, j] z[.., j] + bias[o]`
fn bilinear<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let compute = opmath(f.context(), op.result_element(0));
    let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, compute));
    let (x, z, w) = (wide("input1")?, wide("input2")?, wide("weight")?);
    let (outer, parts) = (f.dims(x), f.dims(w));
    let (lead, i) = outer.split_at(outer.len() - 1);
    f.check_shape(op, &f.dims(z)[..lead.len()], lead);
    let rows = fold(f, lead);
    let (o, j) = (parts[0], parts[2]);
    let map = f.view(f.permute(w, &[1, 0, 2])?, &[i[0], fold(f, &[o, j])])?;
    let first = f.view(f.mm(f.view(x, &[rows, i[0]])?, map)?, &[rows, o, j])?;
    let second = f.view(z, &[rows, Dim::Static(1), j])?;
    let mut y = f.reduce("fx.sum", f.mul(first, second)?, &[2], false)?;
    if let Some(bias) = op.optional("bias") {
        y = f.add(y, f.cast(bias, compute)?)?;
    }
    Ok(vec![f.cast(f.view(y, &[lead, &[o][..]].concat())?, op.result_element(0))?])
}

/// The product of three tensors with dims of size 1 put in, summed over some dims.
fn trilinear<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let result = op.result_element(0);
    let spread = |name: &str, list: &str| {
        let x = op.operand(name)?;
        let mut x = f.cast(x, opmath(f.context(), result))?;
        let mut places = op.op.ints(list).unwrap_or_default();
        places.sort_unstable();
        for place in places {
            x = f.op("fx.unsqueeze", &[x], &[("dim", Attribute::i64(f.context(), place))])?;
        }
        Ok(x)
    };
    let product = f.mul(f.mul(spread("i1", "expand1")?, spread("i2", "expand2")?)?, spread("i3", "expand3")?)?;
    let rank = product.ty().rank();
    let dims = op.op.ints("sumdim").unwrap_or_default().into_iter().map(|dim| op.normalize(dim, rank)).collect::<Result<Vec<_>>>()?;
    let y = if dims.is_empty() { product } else { f.reduce("fx.sum", product, &dims, false)? };
    Ok(vec![f.cast(y, result)?])
}

/// The places of the first and of the second row of all pairs of different rows, as constants.
pub(crate) fn pairs<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>) -> Result<[Value<'c>; 2]> {
    let Some(rows) = f.dims(x)[0].known() else { return Err(op.error("needs the number of rows at compile time")) };
    let pairs: Vec<_> = (0..rows).flat_map(|i| (i + 1..rows).map(move |j| (i, j))).collect();
    let constant = |list: Vec<i64>| {
        let ty = Type::tensor(&[list.len() as i64], Type::int(f.context(), 64));
        let bytes: Vec<u8> = list.into_iter().flat_map(i64::to_le_bytes).collect();
        match Attribute::dense(ty, &bytes) {
            Some(constant) => Ok(f.b.constant(constant, ty)),
            None => Err(op.error("internal bug: its pairs make no constant")),
        }
    };
    Ok([constant(pairs.iter().map(|pair| pair.0).collect())?, constant(pairs.iter().map(|pair| pair.1).collect())?])
}

/// The p-norm over the last dim; 0 over none, also the largest size.
fn row_norms<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let context = f.context();
    let count = x.ty().shape().last().copied().unwrap_or(1);
    let p = op.op.float("p").unwrap_or(2.0);
    let p = if count == 0 { 1.0 } else { p };
    let order = Attribute::float(context, Type::f64(context), p);
    let norms = f.op("fx.linalg_vector_norm", &[x], &[("ord", order), ("dim", Attribute::i64s(context, &[-1]))])?;
    // the largest of none is -inf
    if p.is_infinite() && count == fx_ir::DYNAMIC { f.maximum(norms, f.number(0.0)) } else { Ok(norms) }
}

/// An equation of `fx.einsum`: a letter for each dim of each operand, and of the result.
pub(crate) struct Equation {
    /// By operand.
    pub(crate) parts: Vec<Vec<Letter>>,
    /// Of the result.
    pub(crate) kept: Vec<Letter>,
}

impl Equation {
    /// That of an op.
    pub(crate) fn of(op: FxOp<'_>) -> Self {
        let equation: String = op.op.text("equation").unwrap_or_default().chars().filter(|c| !c.is_whitespace()).collect();
        let (inputs, output) = match equation.split_once("->") {
            Some((inputs, output)) => (inputs, Some(output)),
            None => (equation.as_str(), None),
        };
        // The dims of `...` are numbered from the last one.
        let letters = |part: &str, ellipsis: usize| -> Vec<Letter> {
            let mut list = Vec::new();
            let (before, after) = part.split_once("...").unwrap_or((part, ""));
            list.extend(before.chars().map(Letter::Named));
            if part.contains("...") {
                list.extend((0..ellipsis).rev().map(Letter::Ellipsis));
            }
            list.extend(after.chars().map(Letter::Named));
            list
        };
        let (mut parts, mut widest) = (Vec::new(), 0);
        for (part, tensor) in inputs.split(',').zip(op.list("tensors")) {
            let ellipsis = (tensor.ty().rank() + 3).saturating_sub(part.len());
            if part.contains("...") {
                widest = widest.max(ellipsis);
            }
            parts.push(letters(part, ellipsis));
        }
        let kept = match output {
            Some(output) => letters(output, widest),
            None => {
                let all: Vec<_> = parts.iter().flatten().copied().collect();
                let once = |letter: &Letter| matches!(letter, Letter::Named(_)) && all.iter().filter(|other| *other == letter).count() == 1;
                let mut named: Vec<_> = all.iter().copied().filter(once).collect();
                named.sort_unstable();
                [(0..widest).rev().map(Letter::Ellipsis).collect(), named].concat()
            }
        };
        Self { parts, kept }
    }
}

/// A sum of products: one loop per letter.
fn einsum<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let tensors = op.list("tensors").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<_>>>()?;
    let Equation { parts, kept } = Equation::of(op);
    let mut seen: Vec<(Letter, Dim<'c>)> = Vec::new();
    for (part, tensor) in parts.iter().zip(&tensors) {
        for (letter, size) in part.iter().zip(&tensor.dims) {
            match seen.iter_mut().find(|(other, _)| other == letter) {
                Some((_, known)) if known.known() == Some(1) => *known = *size,
                Some(_) => {}
                None => seen.push((*letter, *size)),
            }
        }
    }
    let summed: Vec<_> = seen.iter().map(|(letter, _)| *letter).filter(|letter| !kept.contains(letter)).collect();
    let order = [kept.clone(), summed.clone()].concat();
    let size = |letter: &Letter| seen.iter().find(|(other, _)| other == letter).map_or(Dim::Static(1), |(_, size)| *size);
    let dims: Vec<_> = kept.iter().map(size).collect();
    let reduced: Vec<_> = summed.iter().map(size).collect();
    let operands: Vec<_> = parts
        .iter()
        .zip(&tensors)
        .map(|(part, tensor)| {
            let map = part.iter().zip(&tensor.dims).map(|(letter, own)| match order.iter().position(|other| other == letter) {
                Some(loop_) if own.known() != Some(1) || size(letter).known() == Some(1) => Ix::Loop(loop_),
                _ => Ix::Zero,
            });
            Operand { tensor: tensor.clone(), map: map.collect() }
        })
        .collect();
    let ty = opmath(cx.context(), op.result_element(0));
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let product = a.iter().map(|x| s.cast(*x, ty)).reduce(|x, y| s.mul(x, y));
        vec![product.map_or(acc[0], |product| s.add(acc[0], product))]
    };
    let result = cx.reduce(&dims, &reduced, &[zero], &operands, body).remove(0);
    let result = cast(cx, &result, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}

/// A loop of an einsum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Letter {
    Named(char),
    /// The dim of `...` that is so far from the last.
    Ellipsis(usize),
}
