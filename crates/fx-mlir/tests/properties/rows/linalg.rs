//! Linear algebra: matrices are far from singular, so that results are well conditioned and pivots are clear.

use fx_interp::{Array, Complex, DType};

use crate::case::Case;
use crate::draw::{Draw, LINALG, SMALL};
use crate::{Class, NORM, Row, row};

/// Numbers, and positions or flags.
const WITH_INTS: &[Class] = &[Class::Norm(8.0), Class::Norm(8.0), Class::Norm(8.0), Class::Exact];
/// Values, and vectors whose signs are free.
const VALUES_AND_VECTORS: &[Class] = &[Class::Norm(8.0), Class::Shape];
/// The middle of three results has values, the others have free signs.
const SINGULAR: &[Class] = &[Class::Shape, Class::Norm(8.0), Class::Shape];

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.cholesky", NORM, |d| definite(d, "input")),
    row("fx.cholesky_inverse", NORM, |d| {
        let upper = d.flip();
        let x = batch(d, |d, dtype, n| triangle(d, dtype, n, upper));
        Case::new(d).with("input", x).bool("upper", upper)
    }),
    row("fx.cholesky_solve", NORM, |d| {
        let upper = d.flip();
        let l = batch(d, |d, dtype, n| triangle(d, dtype, n, upper));
        let b = right_side(d, &l);
        Case::new(d).with("input", b).with("input2", l).bool("upper", upper)
    }),
    row("fx.det", NORM, |d| regular_case(d, "input")),
    row("fx.linalg_cholesky_ex", WITH_INTS, |d| definite(d, "input")),
    row("fx.linalg_det", WITH_INTS, |d| regular_case(d, "A")).differentiated(&[0]),
    row("fx.linalg_eigh", VALUES_AND_VECTORS, |d| {
        let side = d.maybe(|d| d.pick(&["L", "U"]));
        let x = batch(d, hermitian);
        Case::new(d).with("A", x).maybe(side, |c, x| c.text("UPLO", x))
    }),
    row("fx.linalg_eigvalsh", NORM, |d| {
        let side = d.maybe(|d| d.pick(&["L", "U"]));
        let x = batch(d, hermitian);
        Case::new(d).with("input", x).maybe(side, |c, x| c.text("UPLO", x))
    }),
    row("fx.linalg_inv", NORM, |d| regular_case(d, "A")),
    row("fx.linalg_inv_ex", WITH_INTS, |d| regular_case(d, "A")),
    row("fx.linalg_lu_factor", WITH_INTS, |d| regular_case(d, "A")),
    row("fx.linalg_lu_factor_ex", WITH_INTS, |d| regular_case(d, "A")),
    row("fx.linalg_qr", NORM, |d| {
        let x = rectangular(d);
        let mode = d.maybe(|d| d.pick(&["reduced", "complete", "r"]));
        Case::new(d).with("A", x).maybe(mode, |c, x| c.text("mode", x))
    }),
    row("fx.linalg_slogdet", WITH_INTS, |d| regular_case(d, "A")).differentiated(&[0, 1]),
    row("fx.linalg_solve", NORM, |d| {
        let a = batch(d, regular);
        let b = right_side(d, &a);
        Case::new(d).with("A", a).with("B", b)
    }),
    row("fx.linalg_solve_ex", WITH_INTS, |d| {
        let a = batch(d, regular);
        let b = right_side(d, &a);
        Case::new(d).with("A", a).with("B", b)
    })
    .differentiated(&[0]),
    row("fx.linalg_solve_triangular", NORM, |d| {
        let (upper, left, unit) = (d.flip(), d.maybe(|d| d.flip()), d.maybe(|d| d.flip()));
        let a = batch(d, |d, dtype, n| triangle(d, dtype, n, upper));
        let b = if left == Some(false) { left_side(d, &a) } else { right_side(d, &a) };
        let case = Case::new(d).with("input", a).with("B", b).bool("upper", upper);
        case.maybe(left, |c, x| c.bool("left", x)).maybe(unit, |c, x| c.bool("unitriangular", x))
    }),
    row("fx.linalg_svd", SINGULAR, |d| {
        let x = rectangular(d);
        let (full, vectors) = (d.maybe(|d| d.flip()), d.maybe(|d| d.flip()));
        Case::new(d).with("A", x).maybe(full, |c, x| c.bool("full_matrices", x)).maybe(vectors, |c, x| c.bool("compute_uv", x))
    }),
    row("fx.logdet", NORM, |d| {
        let x = batch(d, positive);
        Case::new(d).with("input", x)
    }),
    row("fx.slogdet", NORM, |d| regular_case(d, "input")),
    row("fx.triangular_solve", NORM, |d| {
        let (upper, transpose, unit) = (d.flip(), d.flip(), d.flip());
        let a = batch(d, |d, dtype, n| triangle(d, dtype, n, upper));
        let b = right_side(d, &a);
        let case = Case::new(d).with("input", b).with("A", a).bool("upper", upper);
        case.bool("transpose", transpose).bool("unitriangular", unit)
    }),
];

type Matrix = Vec<Complex>;

/// A batch of square matrices.
fn batch(d: &mut Draw<'_>, make: impl Fn(&mut Draw<'_>, DType, usize) -> Matrix) -> Array {
    let (dtype, n) = (d.pick(LINALG), d.size());
    let before = d.shape(0, 2);
    let count: usize = before.iter().product();
    let values: Vec<Complex> = (0..count).flat_map(|_| make(d, dtype, n)).collect();
    Array::new(dtype, &[before, vec![n, n]].concat(), values).expect("a small tensor")
}

fn numbers(d: &mut Draw<'_>, dtype: DType, count: usize) -> Vec<Complex> {
    d.array(dtype, &[count], SMALL).values::<Complex>()
}

/// Each element of the diagonal is larger than all others of its row together.
fn regular(d: &mut Draw<'_>, dtype: DType, n: usize) -> Matrix {
    let mut matrix = numbers(d, dtype, n * n);
    let signs = d.stream().permutation(n);
    for i in 0..n {
        let sign = if signs[i].is_multiple_of(2) { 1.0 } else { -1.0 };
        matrix[i * n + i] = Complex::from(sign * 6.0 * (n as f64 + i as f64 * 0.25));
    }
    matrix
}

/// As `regular`, with a positive determinant.
fn positive(d: &mut Draw<'_>, dtype: DType, n: usize) -> Matrix {
    let mut matrix = regular(d, dtype, n);
    for i in 0..n {
        matrix[i * n + i] = Complex::from(matrix[i * n + i].re.abs());
    }
    matrix
}

/// The conjugate transpose equals it.
fn hermitian(d: &mut Draw<'_>, dtype: DType, n: usize) -> Matrix {
    let mut matrix = regular(d, dtype, n);
    for i in 0..n {
        for j in 0..i {
            matrix[i * n + j] = matrix[j * n + i].conj();
        }
    }
    matrix
}

/// One triangle; the other is 0.
fn triangle(d: &mut Draw<'_>, dtype: DType, n: usize, upper: bool) -> Matrix {
    let mut matrix = positive(d, dtype, n);
    for i in 0..n {
        for j in 0..n {
            // small beside a diagonal of ones too
            matrix[i * n + j] = matrix[i * n + j] * Complex::from(0.125);
            if i != j && (j > i) != upper {
                matrix[i * n + j] = Complex::from(0.0);
            }
        }
    }
    matrix
}

fn regular_case(d: &mut Draw<'_>, name: &'static str) -> Case {
    let x = batch(d, regular);
    Case::new(d).with(name, x)
}

fn definite(d: &mut Draw<'_>, name: &'static str) -> Case {
    let upper = d.maybe(|d| d.flip());
    let x = batch(d, |d, dtype, n| {
        let mut matrix = hermitian(d, dtype, n);
        for i in 0..n {
            matrix[i * n + i] = Complex::from(matrix[i * n + i].re.abs());
        }
        matrix
    });
    Case::new(d).with(name, x).maybe(upper, |c, x| c.bool("upper", x))
}

fn rectangular(d: &mut Draw<'_>) -> Array {
    let (dtype, shape) = (d.pick(LINALG), d.shape(2, 4));
    d.array(dtype, &shape, SMALL)
}

/// A right-hand side for matrices.
fn right_side(d: &mut Draw<'_>, a: &Array) -> Array {
    let mut shape = a.shape().to_vec();
    let last = shape.len() - 1;
    // as many columns as rows would be taken for a batch of vectors
    shape[last] = a.size(last) + 1;
    d.array(a.dtype(), &shape, SMALL)
}

/// A left-hand side: as many columns as the matrices have rows.
fn left_side(d: &mut Draw<'_>, a: &Array) -> Array {
    let mut shape = a.shape().to_vec();
    let rows = shape.len() - 2;
    shape[rows] += 1;
    d.array(a.dtype(), &shape, SMALL)
}
