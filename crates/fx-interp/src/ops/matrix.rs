//! Products of matrices, vectors and tensors.

pub(in crate::ops) mod dense;
pub(in crate::ops) mod distance;
pub(in crate::ops) mod einsum;
pub(in crate::ops) mod ring;

use self::dense::product;
use self::ring::{Ring, sum, widest};
use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Complex, DType, broadcast_shapes, pointwise};
use crate::call::{Call, normalize};
use crate::value::{Number, Value};

pub(super) static OPS: &[Entry] = &[
    ("fx.addbmm", addbmm),
    ("fx.addmm", |call| {
        let [a, b] = of_rank(call, ["mat1", "mat2"], [2, 2])?;
        add(call, product(a, b, widest(call.result_dtype(0)?))?)
    }),
    ("fx.addmv", |call| {
        let [a, b] = of_rank(call, ["mat", "vec"], [2, 1])?;
        add(call, product(a, b, widest(call.result_dtype(0)?))?)
    }),
    ("fx.addr", |call| {
        let [a, b] = of_rank(call, ["vec1", "vec2"], [1, 1])?;
        add(call, products(widest(call.result_dtype(0)?), &a.unsqueeze(1)?, b)?)
    }),
    ("fx.baddbmm", |call| {
        let [a, b] = of_rank(call, ["batch1", "batch2"], [3, 3])?;
        add(call, batched(a, b, widest(call.result_dtype(0)?))?)
    }),
    ("fx.bilinear", bilinear),
    ("fx.bmm", |call| {
        let [a, b] = of_rank(call, ["input", "mat2"], [3, 3])?;
        one(batched(a, b, call.result_dtype(0)?)?)
    }),
    ("fx.cross", cross),
    ("fx.dot", |call| {
        let [a, b] = of_rank(call, ["input", "tensor"], [1, 1])?;
        one(product(a, b, call.result_dtype(0)?)?)
    }),
    ("fx.inner", inner),
    ("fx.int_mm", |call| {
        let [a, b] = of_rank(call, ["input", "mat2"], [2, 2])?;
        one(product(a, b, call.result_dtype(0)?)?)
    }),
    ("fx.kron", kron),
    ("fx.linear", linear),
    ("fx.matmul", |call| one(product(call.array("input")?, call.array("other")?, call.result_dtype(0)?)?)),
    ("fx.mm", |call| {
        let [a, b] = of_rank(call, ["input", "mat2"], [2, 2])?;
        one(product(a, b, call.result_dtype(0)?)?)
    }),
    ("fx.mv", |call| {
        let [a, b] = of_rank(call, ["input", "vec"], [2, 1])?;
        one(product(a, b, call.result_dtype(0)?)?)
    }),
    ("fx.outer", |call| {
        let [a, b] = of_rank(call, ["input", "vec2"], [1, 1])?;
        one(products(call.result_dtype(0)?, &a.unsqueeze(1)?, b)?)
    }),
    ("fx.tensordot", tensordot),
    ("fx.trilinear", trilinear),
    ("fx.vdot", |call| {
        let [a, b] = of_rank(call, ["input", "other"], [1, 1])?;
        let a = if a.dtype().is_complex() { a.map(a.dtype(), Complex::conj)? } else { a.clone() };
        one(product(&a, b, call.result_dtype(0)?)?)
    }),
];

/// Two operands of given ranks.
fn of_rank<'a>(call: &'a Call<'_>, names: [&str; 2], ranks: [usize; 2]) -> Result<[&'a Array; 2]> {
    let operands = [call.array(names[0])?, call.array(names[1])?];
    match (0..2).find(|k| operands[*k].rank() != ranks[*k]) {
        Some(k) => Err(format!("expects '{}' of rank {}, got shape {:?}", names[k], ranks[k], operands[k].shape())),
        None => Ok(operands),
    }
}

/// The product of batches of one size.
fn batched(a: &Array, b: &Array, dtype: DType) -> Result<Array> {
    if a.size(0) != b.size(0) {
        return Err(format!("expects batches of one size, got {} and {}", a.size(0), b.size(0)));
    }
    product(a, b, dtype)
}

/// The products of elements, the operands broadcast.
fn products(dtype: DType, a: &Array, b: &Array) -> Result<Array> {
    crate::each_kind!(dtype, T => pointwise(dtype, [a, b], |[a, b]: [T; 2]| a.times(b)))
}

/// The sum of elements over dims.
fn sum_over(array: &Array, dims: &[usize]) -> Result<Array> {
    let dtype = array.dtype();
    crate::each_kind!(dtype, T => array.reduce::<T, T>(dtype, dims, false, |group| sum(group.iter().copied())))
}

/// `beta input + alpha product`, rounded once; beta = 0 ignores the input, even NaN.
fn add(call: &Call<'_>, product: Array) -> Result<Vec<Value>> {
    let factor = |name: &str| if call.has(name) { call.number(name) } else { Ok(Number::Int(1)) };
    let (alpha, beta, dtype) = (factor("alpha")?, factor("beta")?, call.result_dtype(0)?);
    let input = call.array("input")?.expand(product.shape())?;
    one(crate::each_kind!(dtype, T => {
        let (alpha, is_ignored, beta) = (T::of(alpha), !beta.truth(), T::of(beta));
        let scaled = |x: T| if is_ignored { T::ZERO } else { beta.times(x) };
        pointwise(dtype, [&input, &product], |[x, p]: [T; 2]| scaled(x).plus(alpha.times(p)))?
    }))
}

/// The sum of the products of a batch.
fn addbmm(call: &Call<'_>) -> Result<Vec<Value>> {
    let [a, b] = of_rank(call, ["batch1", "batch2"], [3, 3])?;
    add(call, sum_over(&batched(a, b, widest(call.result_dtype(0)?))?, &[0])?)
}

/// `input weightᵀ + bias`
fn linear(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, weight, dtype) = (call.array("input")?, call.array("weight")?, call.result_dtype(0)?);
    let weight = if weight.rank() == 2 { weight.transpose(0, 1)? } else { weight.clone() };
    let wide = widest(dtype);
    one(match call.optional("bias")? {
        None => product(input, &weight, dtype)?,
        Some(bias) => {
            let product = product(input, &weight, wide)?;
            crate::each_kind!(dtype, T => pointwise(dtype, [&product, bias], |[x, b]: [T; 2]| x.plus(b))?)
        }
    })
}

/// `Σ_ij input1[.., i] weight[o, i, j] input2[.., j] + bias[o]`
fn bilinear(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, weight) = (call.array("input1")?, call.array("input2")?, call.array("weight")?);
    let dtype = call.result_dtype(0)?;
    let wide = widest(dtype);
    let (rank_a, rank_b) = (a.rank(), b.rank());
    if rank_a == 0 || rank_a != rank_b || weight.rank() != 3 {
        return Err(format!("expects inputs of one rank and weight of rank 3, got {rank_a}, {rank_b} and {}", weight.rank()));
    }
    // [.., 1, i, 1] weight[o, i, j] [.., 1, 1, j]
    let a = a.unsqueeze(rank_a)?.unsqueeze(rank_a - 1)?;
    let b = b.unsqueeze(rank_b - 1)?.unsqueeze(rank_b - 1)?;
    let all = products(wide, &products(wide, &a, weight)?, &b)?;
    let result = sum_over(&all, &[rank_a, rank_a + 1])?;
    let bias = call.optional("bias")?.cloned().unwrap_or(Array::scalar(wide, Number::Int(0)));
    one(crate::each_kind!(dtype, T => pointwise(dtype, [&result, &bias], |[x, b]: [T; 2]| x.plus(b))?))
}

/// `Σ_k input[i.., k] other[j.., k]`; with an operand without dims the product.
fn inner(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, dtype) = (call.array("input")?, call.array("other")?, call.result_dtype(0)?);
    let ([before_a @ .., k], [before_b @ .., other]) = (a.shape(), b.shape()) else { return one(products(dtype, a, b)?) };
    if k != other {
        return Err(format!("contracts sizes {k} and {other}"));
    }
    let rows = |before: &[usize]| before.iter().product::<usize>();
    let b = b.reshape(&[rows(before_b), *k])?.transpose(0, 1)?;
    one(product(&a.reshape(&[rows(before_a), *k])?, &b, dtype)?.reshape(&[before_a, before_b].concat())?)
}

/// `y[i n + j] = input[i] other[j]` in every dim, n the size of `other` there.
fn kron(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, dtype) = (call.array("input")?, call.array("other")?, call.result_dtype(0)?);
    let rank = a.rank().max(b.rank());
    let front = |array: &Array| array.reshape(&[&vec![1; rank - array.rank()], array.shape()].concat());
    let (a, b) = (front(a)?, front(b)?);
    let shape: Vec<usize> = a.shape().iter().zip(b.shape()).map(|(m, n)| m * n).collect();
    let outer = a.pick(&shape, |index| index.iter().zip(b.shape()).map(|(i, n)| i / n).collect())?;
    let inner = b.pick(&shape, |index| index.iter().zip(b.shape()).map(|(i, n)| i % n).collect())?;
    one(products(dtype, &outer, &inner)?)
}

/// The sum over paired dims. Where one size is 1 the other operand is summed first.
fn tensordot(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, dtype) = (call.array("input")?, call.array("other")?, call.result_dtype(0)?);
    let dims = |name: &str, rank| call.ints(name)?.into_iter().map(|dim| normalize(dim, rank)).collect::<Result<Vec<_>>>();
    let (dims_a, dims_b) = (dims("dims_self", a.rank())?, dims("dims_other", b.rank())?);
    // the other dims, then the paired ones in the order of the list, as one
    let matrix = |array: &Array, dims: &[usize], other: &Array, paired: &[usize]| -> Result<(Vec<usize>, Array)> {
        let lone = dims.iter().zip(paired).filter(|(dim, pair)| other.size(**pair) == 1 && **dim < array.rank()).map(|(dim, _)| *dim);
        let wide = array.cast(widest(dtype));
        let array = crate::each_kind!(dtype, T => {
            wide.reduce::<T, T>(wide.dtype(), &lone.collect::<Vec<_>>(), true, |group| sum(group.iter().copied()))?
        });
        let kept: Vec<usize> = (0..array.rank()).filter(|dim| !dims.contains(dim)).collect();
        let own: Vec<usize> = dims.iter().copied().filter(|dim| *dim < array.rank()).collect();
        let sizes: Vec<usize> = kept.iter().map(|dim| array.size(*dim)).collect();
        let (rows, columns) = (sizes.iter().product(), own.iter().map(|dim| array.size(*dim)).product());
        Ok((sizes, array.permute(&[kept, own].concat())?.reshape(&[rows, columns])?))
    };
    let ((sizes_a, first), (sizes_b, second)) = (matrix(a, &dims_a, b, &dims_b)?, matrix(b, &dims_b, a, &dims_a)?);
    one(product(&first, &second.transpose(0, 1)?, dtype)?.reshape(&[sizes_a, sizes_b].concat())?)
}

/// `(a1 b2 - a2 b1, a2 b0 - a0 b2, a0 b1 - a1 b0)` along a dim of size 3: `dim`, or the first.
fn cross(call: &Call<'_>) -> Result<Vec<Value>> {
    let (a, b, dtype) = (call.array("input")?, call.array("other")?, call.result_dtype(0)?);
    let shape = broadcast_shapes(&[a.shape(), b.shape()])?;
    let dim = match call.optional_int("dim") {
        Some(dim) => normalize(dim, shape.len())?,
        None => shape.iter().position(|size| *size == 3).ok_or_else(|| format!("expects a dim of size 3, got shape {shape:?}"))?,
    };
    if shape.get(dim) != Some(&3) {
        return Err(format!("expects size 3 in dim {dim}, got shape {shape:?}"));
    }
    // element `by` places further along the dim
    let turned = |array: &Array, by: usize| {
        array.expand(&shape)?.pick(&shape, |index| {
            let mut index = index.to_vec();
            index[dim] = (index[dim] + by) % 3;
            index
        })
    };
    let operands = [&turned(a, 1)?, &turned(b, 2)?, &turned(a, 2)?, &turned(b, 1)?];
    one(match crate::array::category(dtype) {
        crate::array::Category::Complex => pointwise(dtype, operands, |[a1, b2, a2, b1]: [Complex; 4]| a1 * b2 - a2 * b1)?,
        crate::array::Category::Float => pointwise(dtype, operands, |[a1, b2, a2, b1]: [f64; 4]| a1 * b2 - a2 * b1)?,
        _ => pointwise(dtype, operands, |[a1, b2, a2, b1]: [i64; 4]| a1.wrapping_mul(b2).wrapping_sub(a2.wrapping_mul(b1)))?,
    })
}

/// The sum over dims of the product of three operands, in which dims of size 1 are put first.
fn trilinear(call: &Call<'_>) -> Result<Vec<Value>> {
    let dtype = call.result_dtype(0)?;
    let expanded = |operand: &str, list: &str| -> Result<Array> {
        let array = call.array(operand)?;
        let list = call.ints(list)?;
        let rank = array.rank() + list.len();
        let mut dims = list.into_iter().map(|dim| normalize(dim, rank)).collect::<Result<Vec<_>>>()?;
        dims.sort_unstable();
        dims.into_iter().try_fold(array.clone(), |array, dim| array.unsqueeze(dim))
    };
    let (a, b, c) = (expanded("i1", "expand1")?, expanded("i2", "expand2")?, expanded("i3", "expand3")?);
    let wide = widest(dtype);
    let all = products(wide, &products(wide, &a, &b)?, &c)?;
    let dims = call.ints("sumdim")?.into_iter().map(|dim| normalize(dim, all.rank())).collect::<Result<Vec<_>>>()?;
    one(sum_over(&all, &dims)?.cast(dtype))
}
