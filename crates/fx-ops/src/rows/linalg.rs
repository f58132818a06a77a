//! Fourier transforms and dense linear algebra: calls of host functions (`fx-library/src/{fourier,linear}`).

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Lower, Tensor};
use crate::rows::derivatives;
use crate::table::{OpRow, composite, lowered};

/// Why finite differences do not test the derivatives of an op of Hermitian matrices.
const ONE_TRIANGLE: &str =
    "symmetric programs in lit-tests/run/gradients: it reads one triangle, and its gradient is that of Hermitian matrices";

/// The table.
pub static ROWS: &[OpRow] = &[
    // Fourier transforms
    lowered("fx.fft_c2c", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        fft(cx, op, op.op.flag("forward"), dims)
    })
    .vjp(derivatives::fourier::c2c),
    lowered("fx.fft_r2c", |cx, op| {
        let mut dims = cx.operand(op, "input")?.dims;
        if let Some(last) = last_transformed(op, dims.len())?.filter(|_| op.op.flag("onesided")) {
            dims[last] = cx.add(cx.floor_div(dims[last], Dim::Static(2)), Dim::Static(1));
        }
        fft(cx, op, true, dims)
    })
    .vjp(derivatives::fourier::r2c),
    lowered("fx.fft_c2r", |cx, op| {
        let mut dims = cx.operand(op, "input")?.dims;
        if let (Some(last), Some(size)) = (last_transformed(op, dims.len())?, cx.sizes(op, "last_dim_size").first()) {
            dims[last] = *size;
        }
        fft(cx, op, false, dims)
    })
    .vjp(derivatives::fourier::c2r),
    // Decompositions
    lowered("fx.linalg_cholesky_ex", |cx, op| {
        let a = cx.operand(op, "input")?;
        let flags = [("upper", op.op.flag("upper")), ("check", op.op.flag("check_errors"))];
        let results = [a.dims.clone(), batch(&a).to_vec()];
        call(cx, op, "fx::linalg_cholesky_ex", &[a], &flags, &results)
    })
    .vjp(derivatives::linalg::cholesky_ex)
    .tested_by(ONE_TRIANGLE),
    lowered("fx.linalg_lu_factor_ex", |cx, op| {
        let a = cx.operand(op, "A")?;
        let flags = [("pivot", default_true(op, "pivot")), ("check", op.op.flag("check_errors"))];
        let results = decomposition(cx, &a);
        call(cx, op, "fx::linalg_lu_factor_ex", &[a], &flags, &results)
    })
    .vjp(derivatives::linalg::lu_factor_ex),
    lowered("fx.linalg_qr", |cx, op| {
        let a = cx.operand(op, "A")?;
        let (rows, columns) = sizes(&a);
        let mode = op.op.text("mode").unwrap_or("reduced");
        let shared = if mode == "complete" { rows } else { cx.min(rows, columns) };
        let q = if mode == "r" { vec![Dim::Static(0)] } else { with_batch(&a, &[rows, shared]) };
        let results = [q, with_batch(&a, &[shared, columns])];
        let attributes = [("mode", Attribute::string(cx.context(), mode))];
        call_with(cx, op, "fx::linalg_qr", &[a], &attributes, &results)
    })
    .vjp(derivatives::linalg::qr),
    lowered("fx.linalg_eigh", |cx, op| {
        let a = cx.operand(op, "A")?;
        let vectors = default_true(op, "compute_v");
        let upper = op.op.text("UPLO").is_some_and(|text| text.eq_ignore_ascii_case("U"));
        let basis = if vectors { a.dims.clone() } else { vec![Dim::Static(0)] };
        let results = [with_batch(&a, &[sizes(&a).0]), basis];
        call(cx, op, "fx::linalg_eigh", &[a], &[("upper", upper), ("vectors", vectors)], &results)
    })
    .vjp(derivatives::linalg::eigh)
    .tested_by(ONE_TRIANGLE),
    lowered("fx.linalg_svd", |cx, op| {
        let a = cx.operand(op, "A")?;
        let (full, vectors) = (default_true(op, "full_matrices"), default_true(op, "compute_uv"));
        let (rows, columns) = sizes(&a);
        let shared = cx.min(rows, columns);
        let results = [
            if vectors { with_batch(&a, &[rows, if full { rows } else { shared }]) } else { vec![Dim::Static(0)] },
            with_batch(&a, &[shared]),
            if vectors { with_batch(&a, &[if full { columns } else { shared }, columns]) } else { vec![Dim::Static(0)] },
        ];
        call(cx, op, "fx::linalg_svd", &[a], &[("full", full), ("vectors", vectors)], &results)
    })
    .tested_by("opinfo: singular vectors are free in their signs, which differences do not keep")
    .vjp(derivatives::linalg::svd),
    // Determinants, inverses
    lowered("fx.linalg_det", |cx, op| {
        let a = cx.operand(op, "A")?;
        let [factors, pivots, _] = decomposition(cx, &a);
        let results = [batch(&a).to_vec(), factors, pivots];
        call(cx, op, "fx::linalg_det", &[a], &[], &results)
    })
    .vjp(derivatives::linalg::det),
    lowered("fx.linalg_slogdet", |cx, op| {
        let a = cx.operand(op, "A")?;
        let [factors, pivots, _] = decomposition(cx, &a);
        let results = [batch(&a).to_vec(), batch(&a).to_vec(), factors, pivots];
        call(cx, op, "fx::linalg_slogdet", &[a], &[], &results)
    })
    .vjp(derivatives::linalg::slogdet),
    lowered("fx.linalg_inv_ex", |cx, op| {
        let a = cx.operand(op, "A")?;
        let results = [a.dims.clone(), batch(&a).to_vec()];
        call(cx, op, "fx::linalg_inv_ex", &[a], &[("check", op.op.flag("check_errors"))], &results)
    })
    .vjp(derivatives::linalg::inv_ex),
    lowered("fx.cholesky_inverse", |cx, op| {
        let factor = cx.operand(op, "input")?;
        let results = [factor.dims.clone()];
        call(cx, op, "fx::cholesky_inverse", &[factor], &[("upper", op.op.flag("upper"))], &results)
    })
    .vjp(derivatives::linalg::cholesky_inverse),
    // Solvers
    lowered("fx.linalg_solve_ex", |cx, op| {
        let (a, b) = (cx.operand(op, "A")?, cx.operand(op, "B")?);
        let vector = is_vector(&a, &b);
        let flags = [("left", default_true(op, "left")), ("vector", vector), ("check", op.op.flag("check_errors"))];
        let own = b.dims.split_at(b.rank().saturating_sub(if vector { 1 } else { 2 }));
        let solution = [cx.broadcast_dims(&[batch(&a), own.0]), own.1.to_vec()].concat();
        let [factors, pivots, info] = decomposition(cx, &a);
        call(cx, op, "fx::linalg_solve_ex", &[a, b], &flags, &[solution, factors, pivots, info])
    })
    .vjp(derivatives::linalg::solve_ex),
    lowered("fx.linalg_solve_triangular", |cx, op| {
        let (a, b) = (cx.operand(op, "input")?, cx.operand(op, "B")?);
        let left = default_true(op, "left");
        let flags = [("upper", op.op.flag("upper")), ("left", left), ("unit", op.op.flag("unitriangular")), ("transpose", false)];
        let results = [solution(cx, &a, &b)];
        call(cx, op, "fx::linalg_solve_triangular", &[a, b], &flags, &results)
    })
    .vjp(derivatives::linalg::solve_triangular),
    lowered("fx.triangular_solve", |cx, op| {
        let (b, a) = (cx.operand(op, "input")?, cx.operand(op, "A")?);
        let flags = [
            ("upper", default_true(op, "upper")),
            ("left", true),
            ("unit", op.op.flag("unitriangular")),
            ("transpose", op.op.flag("transpose")),
        ];
        let (rows, columns) = sizes(&a);
        let copy = [cx.broadcast_dims(&[batch(&a), batch(&b)]), vec![rows, columns]].concat();
        let copied = cx.map(&copy, a.element, &[cx.broadcast(&a, &copy)], |_, read| read[0]);
        cx.set(op.op.result(1), copied);
        let results = [solution(cx, &a, &b)];
        call(cx, op, "fx::linalg_solve_triangular", &[a, b], &flags, &results)
    })
    .vjp(derivatives::linalg::triangular_solve),
    lowered("fx.cholesky_solve", |cx, op| {
        let (b, factor) = (cx.operand(op, "input")?, cx.operand(op, "input2")?);
        let results = [solution(cx, &factor, &b)];
        call(cx, op, "fx::cholesky_solve", &[b, factor], &[("upper", op.op.flag("upper"))], &results)
    })
    .vjp(derivatives::linalg::cholesky_solve),
    // Some of the results of another op, which checks
    composite("fx.cholesky", |f, op| {
        let upper = Attribute::bool(f.context(), op.op.flag("upper"));
        some(f, "fx.linalg_cholesky_ex", &[op.operand("input")?], &[("upper", upper), ("check_errors", checked(f))], 1)
    })
    .tested_by(ONE_TRIANGLE),
    composite("fx.det", |f, op| some(f, "fx.linalg_det", &[op.operand("input")?], &[], 1)),
    composite("fx.slogdet", |f, op| some(f, "fx.linalg_slogdet", &[op.operand("input")?], &[], 2)),
    composite("fx.logdet", logdet),
    composite("fx.linalg_inv", |f, op| some(f, "fx.linalg_inv_ex", &[op.operand("A")?], &[("check_errors", checked(f))], 1)),
    composite("fx.linalg_lu_factor", |f, op| {
        let pivot = Attribute::bool(f.context(), default_true(op, "pivot"));
        some(f, "fx.linalg_lu_factor_ex", &[op.operand("A")?], &[("pivot", pivot), ("check_errors", checked(f))], 2)
    }),
    composite("fx.linalg_solve", |f, op| {
        let left = Attribute::bool(f.context(), default_true(op, "left"));
        let operands = [op.operand("A")?, op.operand("B")?];
        some(f, "fx.linalg_solve_ex", &operands, &[("left", left), ("check_errors", checked(f))], 1)
    }),
    composite("fx.linalg_eigvalsh", |f, op| {
        let context = f.context();
        let triangle = Attribute::string(context, op.op.text("UPLO").unwrap_or("L"));
        let attributes = [("UPLO", triangle), ("compute_v", Attribute::bool(context, false))];
        some(f, "fx.linalg_eigh", &[op.operand("input")?], &attributes, 1)
    })
    .tested_by(ONE_TRIANGLE),
];

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// The last dim of the list, which may be halved.
fn last_transformed(op: FxOp<'_>, rank: usize) -> Result<Option<usize>> {
    op.op.ints("dim").unwrap_or_default().last().map(|dim| op.normalize(*dim, rank)).transpose()
}

fn fft<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, forward: bool, dims: Vec<Dim<'c>>) -> Result {
    let context = cx.context();
    let input = cx.operand(op, "input")?;
    let transformed = op.op.ints("dim").unwrap_or_default();
    // A 0-d tensor is one number, whose transform is itself.
    let transformed = transformed.into_iter().filter(|_| input.rank() > 0);
    let transformed = transformed.map(|dim| op.normalize(dim, input.rank()).map(|dim| Attribute::i64(context, dim as i64)));
    let attributes = [
        ("dim", Attribute::array(context, &transformed.collect::<Result<Vec<_>>>()?)),
        ("forward", Attribute::bool(context, forward)),
        ("normalization", Attribute::i64(context, op.op.int("normalization").unwrap_or(0))),
    ];
    call_with(cx, op, "fx::fft", &[input], &attributes, &[dims])
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// The dims before the matrix.
fn batch<'a, 'c>(a: &'a Tensor<'c>) -> &'a [Dim<'c>] {
    &a.dims[..a.rank().saturating_sub(2)]
}

/// Rows and columns.
fn sizes<'c>(a: &Tensor<'c>) -> (Dim<'c>, Dim<'c>) {
    match a.dims.as_slice() {
        [.., rows, columns] => (*rows, *columns),
        _ => (Dim::Static(1), Dim::Static(1)),
    }
}

fn with_batch<'c>(a: &Tensor<'c>, dims: &[Dim<'c>]) -> Vec<Dim<'c>> {
    [batch(a), dims].concat()
}

/// The shapes of LU, pivots and info.
fn decomposition<'c>(cx: &Lower<'c>, a: &Tensor<'c>) -> [Vec<Dim<'c>>; 3] {
    let (rows, columns) = sizes(a);
    [a.dims.clone(), with_batch(a, &[cx.min(rows, columns)]), batch(a).to_vec()]
}

/// The shape of the solution of a system with matrices `a` and `b`.
fn solution<'c>(cx: &Lower<'c>, a: &Tensor<'c>, b: &Tensor<'c>) -> Vec<Dim<'c>> {
    let (rows, columns) = sizes(b);
    [cx.broadcast_dims(&[batch(a), batch(b)]), vec![rows, columns]].concat()
}

/// Whether `b` holds one vector per matrix of `a`: it has rank 1, or the shape of `a` without its last dim, an unknown size
/// counting as equal (as the dialect's inference has it).
fn is_vector(a: &Tensor<'_>, b: &Tensor<'_>) -> bool {
    let same = |(x, y): (&Dim<'_>, &Dim<'_>)| x.known().is_none() || y.known().is_none() || x.known() == y.known();
    b.rank() == 1 || (b.rank() + 1 == a.rank() && a.dims.iter().zip(&b.dims).all(same))
}

/// A flag that is true where the op does not say.
fn default_true(op: FxOp<'_>, name: &str) -> bool {
    op.op.attribute(name).and_then(Attribute::as_bool).unwrap_or(true)
}

/// Calls a host function for the op, with flags, for results of these shapes.
fn call<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, name: &str, tensors: &[Tensor<'c>], flags: &[(&str, bool)], dims: &[Vec<Dim<'c>>]) -> Result {
    let flags: Vec<_> = flags.iter().map(|(name, flag)| (*name, Attribute::bool(cx.context(), *flag))).collect();
    call_with(cx, op, name, tensors, &flags, dims)
}

/// As [`call`], with any attributes.
fn call_with<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    name: &str,
    tensors: &[Tensor<'c>],
    attributes: &[(&str, Attribute<'c>)],
    dims: &[Vec<Dim<'c>>],
) -> Result {
    let results: Vec<_> = dims.iter().enumerate().map(|(i, dims)| HostResult::sized(dims, op.result_element(i))).collect();
    let arguments = HostArguments { scalars: &[], attributes: Some(Attribute::dictionary(cx.context(), attributes)) };
    for (i, tensor) in cx.host(name, tensors, arguments, &results).into_iter().enumerate() {
        cx.set(op.op.result(i), tensor);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Decompositions into other ops
//===----------------------------------------------------------------------===//

fn checked<'c>(f: &Fx<'c>) -> Attribute<'c> {
    Attribute::bool(f.context(), true)
}

/// The first `count` results of an op.
fn some<'c>(f: &Fx<'c>, name: &str, operands: &[Value<'c>], attributes: &[(&str, Attribute<'c>)], count: usize) -> Result<Vec<Value<'c>>> {
    Ok(f.b.infer(name, operands, attributes)?.results().into_iter().take(count).collect())
}

/// The logarithm of the determinant; NaN where a real one is negative (ATen: `logdet`).
fn logdet<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let results = some(f, "fx.linalg_slogdet", &[op.operand("input")?], &[], 2)?;
    let (sign, log) = (results[0], results[1]);
    if sign.ty().element().is_complex() {
        return Ok(vec![f.add(f.log(sign)?, log)?]);
    }
    let negative = f.eq(sign, f.number(-1.0))?;
    Ok(vec![f.select(negative, f.number(f64::NAN), log)?])
}
