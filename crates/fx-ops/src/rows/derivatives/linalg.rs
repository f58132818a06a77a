//! Of dense linear algebra, batches of matrices in the last two dims. `X^H` is the adjoint, `g` the cotangent.
//!
//! Where a decomposition is not unique, derivatives hold for what does not depend on the choice; where eigenvalues or singular
//! values coincide, those of their vectors are infinite. LU decompositions that come with determinants and solutions have no
//! cotangents, as in PyTorch.

use fx_ir::{Attribute, Result, Type, Value};

use super::matrix::{adjoint, diagonal};
use crate::fx_builder::Fx;
use crate::fx_op::Dim;
use crate::gradient::Back;
use crate::rows::norm::range;
use crate::rows::shape::slice_value;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

fn mm<'c>(b: &Back<'c>, x: Value<'c>, y: Value<'c>) -> Result<Value<'c>> {
    b.op("fx.matmul", &[x, y], &[])
}

fn unsqueezed<'c>(b: &Back<'c>, x: Value<'c>, dim: i64) -> Result<Value<'c>> {
    b.op("fx.unsqueeze", &[x], &[("dim", Attribute::i64(b.context(), dim))])
}

/// A number for each matrix.
fn per_matrix<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
    unsqueezed(b, unsqueezed(b, x, -1)?, -1)
}

fn half<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
    b.mul(x, b.number(0.5))
}

/// The sum of two cotangents, either of which may be zero.
fn sum<'c>(b: &Back<'c>, x: Option<Value<'c>>, y: Option<Value<'c>>) -> Result<Option<Value<'c>>> {
    match (x, y) {
        (Some(x), Some(y)) => Ok(Some(b.add(x, y)?)),
        (x, y) => Ok(x.or(y)),
    }
}

fn flag(b: &Back<'_>, name: &str, default: bool) -> bool {
    b.op.op.attribute(name).and_then(Attribute::as_bool).unwrap_or(default)
}

/// Rows (1) or columns (0) counted from the last dim.
fn size<'c>(b: &Back<'c>, x: Value<'c>, from_last: usize) -> Dim<'c> {
    let dims = b.dims(x);
    dims[dims.len() - 1 - from_last]
}

/// Whether a matrix may have more rows or columns than `least`, the fewest.
fn exceeds(size: Dim<'_>, least: Dim<'_>) -> bool {
    size.known().is_none() || size.known() != least.known()
}

/// Rows (1) or columns (0) from `start` to `end`.
fn part<'c>(b: &Back<'c>, x: Value<'c>, from_last: usize, start: Dim<'c>, end: Option<Dim<'c>>) -> Result<Value<'c>> {
    slice_value(b, x, x.ty().rank() - 1 - from_last, start, end)
}

fn concatenated<'c>(b: &Back<'c>, parts: &[Value<'c>], from_last: usize) -> Result<Value<'c>> {
    b.op("fx.cat", parts, &[("dim", Attribute::i64(b.context(), -1 - from_last as i64))])
}

/// A triangle; `fx.tril` or `fx.triu`.
fn triangle<'c>(b: &Back<'c>, x: Value<'c>, name: &str, from: i64) -> Result<Value<'c>> {
    b.sized(name, &[x], "diagonal", &[Dim::Static(from)], &[])
}

fn lower<'c>(b: &Back<'c>, x: Value<'c>, from: i64) -> Result<Value<'c>> {
    triangle(b, x, "fx.tril", from)
}

fn upper<'c>(b: &Back<'c>, x: Value<'c>, from: i64) -> Result<Value<'c>> {
    triangle(b, x, "fx.triu", from)
}

/// The triangle that an op reads.
fn read_triangle<'c>(b: &Back<'c>, x: Value<'c>, is_upper: bool, unit: bool) -> Result<Value<'c>> {
    let from = i64::from(unit);
    if is_upper { upper(b, x, from) } else { lower(b, x, -from) }
}

/// The Hermitian matrix with the triangle of `x` that reaches from the diagonal towards `direction` (1: upper, -1: lower); of
/// the diagonal the real part.
fn hermitian<'c>(b: &Back<'c>, x: Value<'c>, direction: i64) -> Result<Value<'c>> {
    let name = if direction > 0 { "fx.triu" } else { "fx.tril" };
    let twice = b.add(triangle(b, x, name, 0)?, triangle(b, x, name, direction)?)?;
    half(b, b.add(twice, adjoint(b, twice)?)?)
}

/// `x - x^H`
fn skew<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
    b.sub(x, adjoint(b, x)?)
}

/// Where the diagonal of a square matrix is.
fn on_diagonal<'c>(b: &Back<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let rank = x.ty().rank();
    diagonal(b, size(b, x, 0), rank, rank - 2, rank - 1)
}

/// `X` of `A X = B`, or of `X A = B`, for a triangular A.
#[derive(Clone, Copy)]
struct Triangular {
    upper: bool,
    left: bool,
    unit: bool,
}

impl Triangular {
    const LOWER: Self = Self { upper: false, left: true, unit: false };
    const UPPER: Self = Self { upper: true, ..Self::LOWER };

    /// From the other side.
    fn right(self) -> Self {
        Self { left: false, ..self }
    }

    fn unit(self) -> Self {
        Self { unit: true, ..self }
    }

    fn solve<'c>(self, b: &Back<'c>, a: Value<'c>, x: Value<'c>) -> Result<Value<'c>> {
        let flag = |flag| Attribute::bool(b.context(), flag);
        let attributes = [("upper", flag(self.upper)), ("left", flag(self.left)), ("unitriangular", flag(self.unit))];
        b.op("fx.linalg_solve_triangular", &[a, x], &attributes)
    }

    /// The same with the adjoint of the triangular matrix `a`.
    fn solve_adjoint<'c>(self, b: &Back<'c>, a: Value<'c>, x: Value<'c>) -> Result<Value<'c>> {
        Self { upper: !self.upper, ..self }.solve(b, adjoint(b, a)?, x)
    }
}

//===----------------------------------------------------------------------===//
// Inverses and solutions
//===----------------------------------------------------------------------===//

/// `-Y^H g Y^H`
pub fn inv_ex(b: &Back<'_>) -> Result {
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let y = adjoint(b, b.y(0)?)?;
    b.give("A", b.neg(mm(b, mm(b, y, g)?, y)?)?);
    Ok(())
}

/// With `h = A^-H g`: B gets h, A gets `-h X^H`; of `X A = B` likewise from the other side.
pub fn solve_ex(b: &Back<'_>) -> Result {
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let (a, x) = (b.x("A")?, b.y(0)?);
    let left = flag(b, "left", true);
    // One vector for each matrix: as a column.
    let is_vector = x.ty().rank() + 1 == a.ty().rank();
    let column = |x| if is_vector { unsqueezed(b, x, -1) } else { Ok(x) };
    let (g, x) = (column(g)?, column(x)?);
    let h = b.op("fx.linalg_solve", &[adjoint(b, a)?, g], &[("left", Attribute::bool(b.context(), left))])?;
    if b.wants("A") {
        let product = if left { mm(b, h, adjoint(b, x)?)? } else { mm(b, adjoint(b, x)?, h)? };
        b.give("A", b.neg(product)?);
    }
    if b.wants("B") {
        b.give("B", if is_vector { b.op("fx.squeeze", &[h], &[("dim", Attribute::i64s(b.context(), &[-1]))])? } else { h });
    }
    Ok(())
}

/// As [`solve_ex`], of a triangle, which alone gets a cotangent.
pub fn solve_triangular(b: &Back<'_>) -> Result {
    let (a, g, x) = (b.x("input")?, b.g()?, b.y(0)?);
    let form = Triangular { upper: flag(b, "upper", false), left: flag(b, "left", true), unit: flag(b, "unitriangular", false) };
    let h = form.solve_adjoint(b, a, g)?;
    if b.wants("input") {
        let product = if form.left { mm(b, h, adjoint(b, x)?)? } else { mm(b, adjoint(b, x)?, h)? };
        b.give("input", read_triangle(b, b.neg(product)?, form.upper, form.unit)?);
    }
    b.give("B", h);
    Ok(())
}

/// As [`solve_triangular`], of A or its transpose; the second result is A.
pub fn triangular_solve(b: &Back<'_>) -> Result {
    if let Some(g) = b.cotangent(1)? {
        b.give("A", g);
    }
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let (a, x) = (b.x("A")?, b.y(0)?);
    let (is_upper, transpose, unit) = (flag(b, "upper", true), flag(b, "transpose", false), flag(b, "unitriangular", false));
    let form = Triangular { upper: is_upper != transpose, left: true, unit };
    let transposed = b.conj(adjoint(b, a)?)?;
    let h = form.solve_adjoint(b, if transpose { transposed } else { a }, g)?;
    if b.wants("A") {
        let product = mm(b, h, adjoint(b, x)?)?;
        let product = if transpose { b.conj(adjoint(b, product)?)? } else { product };
        b.give("A", read_triangle(b, b.neg(product)?, is_upper, unit)?);
    }
    b.give("input", h);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// `L^-H S L^-1`, S Hermitian with the lower triangle of `L^H g / 2`: symmetric, though one triangle is read.
pub fn cholesky_ex(b: &Back<'_>) -> Result {
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let is_upper = flag(b, "upper", false);
    let factor = |x| if is_upper { adjoint(b, x) } else { Ok(x) };
    let (l, g) = (factor(b.y(0)?)?, factor(g)?);
    let inner = half(b, hermitian(b, mm(b, adjoint(b, l)?, g)?, -1)?)?;
    let left = Triangular::LOWER.solve_adjoint(b, l, inner)?;
    b.give("input", Triangular::LOWER.right().solve(b, l, left)?);
    Ok(())
}

/// Of `Y = (L L^H)^-1`: `-Y (g + g^H) Y L`.
pub fn cholesky_inverse(b: &Back<'_>) -> Result {
    let (g, y) = (b.g()?, b.y(0)?);
    factor_of_inverse(b, "input", mm(b, mm(b, y, b.add(g, adjoint(b, g)?)?)?, y)?)
}

/// Of `X = (L L^H)^-1 B`, with `h = (L L^H)^-1 g`: B gets h, the factor `-(h X^H + X h^H) L`.
pub fn cholesky_solve(b: &Back<'_>) -> Result {
    let (g, x) = (b.g()?, b.y(0)?);
    let is_upper = Attribute::bool(b.context(), flag(b, "upper", false));
    let h = b.op("fx.cholesky_solve", &[g, b.x("input2")?], &[("upper", is_upper)])?;
    if b.wants("input2") {
        let product = mm(b, h, adjoint(b, x)?)?;
        factor_of_inverse(b, "input2", b.add(product, adjoint(b, product)?)?)?;
    }
    b.give("input", h);
    Ok(())
}

/// From the Hermitian cotangent of `L L^H` or `U^H U`, its sign exchanged.
fn factor_of_inverse<'c>(b: &Back<'c>, name: &str, h: Value<'c>) -> Result {
    if b.wants(name) {
        let is_upper = flag(b, "upper", false);
        let factor = read_triangle(b, b.x(name)?, is_upper, false)?;
        let product = if is_upper { mm(b, factor, h)? } else { mm(b, h, factor)? };
        b.give(name, read_triangle(b, b.neg(product)?, is_upper, false)?);
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// LU, determinants
//===----------------------------------------------------------------------===//

/// Of `A = P L U`, parts 1 of as many rows or columns as the other has:
///
/// ```text
/// A1: P L1^-H [tril(L1^H gL1 - gU2 U2^H, -1) + triu(gU1 U1^H - L2^H gL2)] U1^-H
/// A2 (right of it): P L1^-H gU2    A2 (below): P gL2 U1^-H
/// ```
pub fn lu_factor_ex(b: &Back<'_>) -> Result {
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let (lu, pivots) = (b.y(0)?, b.op.op.result(1));
    let (rows, columns, k) = (size(b, lu, 1), size(b, lu, 0), size(b, pivots, 0));
    let zero = Dim::Static(0);
    let (is_tall, is_wide) = (exceeds(rows, k), exceeds(columns, k));
    let rows_to_k = |x| if is_tall { part(b, x, 1, zero, Some(k)) } else { Ok(x) };
    let square = |x| if is_wide { part(b, rows_to_k(x)?, 0, zero, Some(k)) } else { rows_to_k(x) };
    let right_of = |x| part(b, rows_to_k(x)?, 0, k, None);
    let below = |x| {
        let x = if is_wide { part(b, x, 0, zero, Some(k))? } else { x };
        part(b, x, 1, k, None)
    };
    let (both, g1) = (square(lu)?, square(g)?);
    // The triangles that nobody reads may hold anything: the other one's elements.
    let (l, u) = (lower(b, both, -1)?, upper(b, both, 0)?);
    let eye = b.select(on_diagonal(b, both)?, b.number(1.0), b.zeros_like(both)?)?;
    let l = b.add(l, eye)?;
    let mut for_l = mm(b, adjoint(b, l)?, lower(b, g1, -1)?)?;
    let mut for_u = mm(b, upper(b, g1, 0)?, adjoint(b, u)?)?;
    if is_wide {
        for_l = b.sub(for_l, mm(b, right_of(g)?, adjoint(b, right_of(lu)?)?)?)?;
    }
    if is_tall {
        for_u = b.sub(for_u, mm(b, adjoint(b, below(lu)?)?, below(g)?)?)?;
    }
    let inner = b.add(lower(b, for_l, -1)?, upper(b, for_u, 0)?)?;
    let inner = Triangular::LOWER.unit().solve_adjoint(b, l, inner)?;
    let mut grad = Triangular::UPPER.right().solve_adjoint(b, u, inner)?;
    if is_wide {
        let right = Triangular::LOWER.unit().solve_adjoint(b, l, right_of(g)?)?;
        grad = concatenated(b, &[grad, right], 0)?;
    }
    if is_tall {
        let mut bottom = Triangular::UPPER.right().solve_adjoint(b, u, below(g)?)?;
        if is_wide {
            let corner = b.zeros_like(part(b, part(b, g, 0, k, None)?, 1, k, None)?)?;
            bottom = concatenated(b, &[bottom, corner], 0)?;
        }
        grad = concatenated(b, &[grad, bottom], 1)?;
    }
    b.give("A", mm(b, permutation(b, pivots, rows, g.ty().element())?, grad)?);
    Ok(())
}

/// The matrix P that undoes row exchanges: `A = P L U`. Its column i holds a 1 in the row that came to place i.
fn permutation<'c>(b: &Back<'c>, pivots: Value<'c>, rows: Dim<'c>, element: Type<'c>) -> Result<Value<'c>> {
    let i64_type = Type::int(b.context(), 64);
    let rank = pivots.ty().rank();
    let steps = size(b, pivots, 0);
    let places = b.sub(b.cast(pivots, i64_type)?, b.integer(1))?;
    let places = b.permute(places, &[&[rank - 1][..], &(0..rank - 1).collect::<Vec<_>>()].concat())?;
    let batch = &b.dims(pivots)[..rank - 1];
    let first = b.expand(range(b, rows), &[batch, &[rows]].concat())?;
    let sequence = range(b, steps);
    let slice = |x: Value<'c>| Type::tensor(&x.ty().shape()[1..], x.ty().element());
    let arguments = [first.ty(), slice(places), slice(sequence)];
    let segments = Attribute::i32s(b.context(), &[1, 2]);
    let operands = [first, places, sequence];
    let scan = b.b.op_with_regions("fx.scan", &operands, &[first.ty()], &[("operandSegmentSizes", segments)], &[Some(&arguments)]);
    if let Some(block) = scan.body(0) {
        let inside = Fx { b: b.b.inside(block) };
        let arguments = block.arguments();
        let next = exchanged(&inside, arguments[0], arguments[2], arguments[1])?;
        inside.b.op("fx.yield", &[next], &[], &[]);
    }
    let order = unsqueezed(b, scan.result(0), -2)?;
    let row = b.view(range(b, rows), &[rows, Dim::Static(1)])?;
    b.cast(b.eq(order, row)?, element)
}

/// Elements of the last dim with those at two places exchanged.
fn exchanged<'c>(f: &Fx<'c>, x: Value<'c>, first: Value<'c>, second: Value<'c>) -> Result<Value<'c>> {
    let rank = x.ty().rank();
    let here = range(f, f.dims(x)[rank - 1]);
    let at = |place: Value<'c>| f.eq(here, f.op("fx.unsqueeze", &[place], &[("dim", Attribute::i64(f.context(), -1))])?);
    let (at_first, at_second) = (at(first)?, at(second)?);
    let element = |place| f.reduce("fx.sum", f.select(place, x, f.integer(0))?, &[rank - 1], true);
    f.select(at_first, element(at_second)?, f.select(at_second, element(at_first)?, x)?)
}

/// `conj(det) g A^-H`, the adjugate. Of a singular matrix it is that of a regular one nearby.
pub fn det(b: &Back<'_>) -> Result {
    let Some(g) = b.cotangent(0)? else { return Ok(()) };
    let a = b.x("A")?;
    let zero = b.number(0.0);
    let singular = per_matrix(b, b.eq(b.y(0)?, zero)?)?;
    let singular = b.op("fx.logical_and", &[on_diagonal(b, a)?, singular], &[])?;
    let rank = a.ty().rank();
    let size = b.op("fx.abs", &[b.op("fx.stop_gradient", &[a], &[])?], &[])?;
    let norm = b.sqrt(b.reduce("fx.sum", b.mul(size, size)?, &[rank - 2, rank - 1], true)?)?;
    let is_f64 = norm.ty().element().is_f64();
    let epsilon = if is_f64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let shift = b.mul(b.select(b.eq(norm, zero)?, b.number(1.0), norm)?, b.number(epsilon.sqrt()))?;
    let regular = b.add(a, b.select(singular, shift, zero)?)?;
    let det = b.op("fx.det", &[regular], &[])?;
    let inverse = b.b.infer("fx.linalg_inv_ex", &[adjoint(b, regular)?], &[])?.result(0);
    b.give("A", b.mul(inverse, per_matrix(b, b.mul(g, b.conj(det)?)?)?)?);
    Ok(())
}

/// `z A^-H` with the cotangent z of the logarithm of the determinant, of which sign and size are the imaginary and the real part.
pub fn slogdet(b: &Back<'_>) -> Result {
    let sign = b.y(0)?;
    let turned = match b.cotangent(0)?.filter(|_| sign.ty().element().is_complex()) {
        Some(g) => {
            let part = b.mul(g, b.conj(sign)?)?;
            Some(half(b, b.sub(part, b.conj(part)?)?)?)
        }
        None => None,
    };
    let Some(z) = sum(b, b.cotangent(1)?, turned)? else { return Ok(()) };
    let inverse = b.b.infer("fx.linalg_inv_ex", &[adjoint(b, b.x("A")?)?], &[])?.result(0);
    b.give("A", b.mul(inverse, per_matrix(b, z)?)?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

/// Of as many columns as rows or fewer: `(gQ + Q S) R^-H`, S Hermitian with the upper triangle of `gR R^H - Q^H gQ`. Further
/// columns are `Q R2`: they add `A2 gR2^H` to gQ, and get `Q gR2`.
pub fn qr(b: &Back<'_>) -> Result {
    let a = b.x("A")?;
    let mode = b.op.op.text("mode").unwrap_or("reduced");
    let (rows, columns) = (size(b, a, 1), size(b, a, 0));
    let is_wide = match (rows.known(), columns.known()) {
        (Some(rows), Some(columns)) => rows < columns,
        (None, None) => false,
        _ => return Err(b.op.error("cannot be differentiated where only the number of rows or that of columns is known")),
    };
    if mode == "complete" && rows.known().zip(columns.known()).is_none_or(|(rows, columns)| rows > columns) {
        return Err(b.op.error("cannot be differentiated: in mode \"complete\" Q is not unique with more rows than columns"));
    }
    let (q, r, g_q) = if mode == "r" {
        let reduced = b.b.infer("fx.linalg_qr", &[a], &[("mode", Attribute::string(b.context(), "reduced"))])?;
        (reduced.result(0), reduced.result(1), None)
    } else {
        (b.y(0)?, b.y(1)?, b.cotangent(0)?)
    };
    let g_r = b.cotangent(1)?;
    if !is_wide {
        b.give("A", square_qr(b, q, r, g_q, g_r)?);
        return Ok(());
    }
    let zero = Dim::Static(0);
    let first = |x| part(b, x, 0, zero, Some(rows));
    let Some(g_r) = g_r else {
        let grad = square_qr(b, q, first(r)?, g_q, None)?;
        let rest = b.zeros_like(part(b, a, 0, rows, None)?)?;
        b.give("A", concatenated(b, &[grad, rest], 0)?);
        return Ok(());
    };
    let rest = part(b, g_r, 0, rows, None)?;
    let g_q = sum(b, g_q, Some(mm(b, part(b, a, 0, rows, None)?, adjoint(b, rest)?)?))?;
    let grad = square_qr(b, q, first(r)?, g_q, Some(first(g_r)?))?;
    b.give("A", concatenated(b, &[grad, mm(b, q, rest)?], 0)?);
    Ok(())
}

fn square_qr<'c>(b: &Back<'c>, q: Value<'c>, r: Value<'c>, g_q: Option<Value<'c>>, g_r: Option<Value<'c>>) -> Result<Value<'c>> {
    let by_r = g_r.map(|g| mm(b, g, adjoint(b, r)?)).transpose()?;
    let by_q = g_q.map(|g| b.neg(mm(b, adjoint(b, q)?, g)?)).transpose()?;
    let Some(inner) = sum(b, by_r, by_q)? else { return b.zeros_like(b.op.operand("A")?) };
    let inner = mm(b, q, hermitian(b, inner, 1)?)?;
    let inner = g_q.map_or(Ok(inner), |g| b.add(g, inner))?;
    Triangular::UPPER.right().solve_adjoint(b, r, inner)
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values
//===----------------------------------------------------------------------===//

/// `V M V^H`: M has gL on its diagonal, beside it `(V^H gV - gV^H V)_ij / 2 (L_j - L_i)`.
pub fn eigh(b: &Back<'_>) -> Result {
    let a = b.x("A")?;
    let (values, vectors, g_vectors) = if flag(b, "compute_v", true) {
        (b.y(0)?, b.y(1)?, b.cotangent(1)?)
    } else {
        let triangle = Attribute::string(b.context(), b.op.op.text("UPLO").unwrap_or("L"));
        let full = b.b.infer("fx.linalg_eigh", &[a], &[("UPLO", triangle)])?;
        (full.result(0), full.result(1), None)
    };
    let g_values = b.cotangent(0)?.map(|g| unsqueezed(b, g, -2)).transpose()?;
    let left = match g_vectors {
        None => match g_values {
            Some(g) => b.mul(vectors, g)?,
            None => return Ok(()),
        },
        Some(g) => {
            let turned = half(b, skew(b, mm(b, adjoint(b, vectors)?, g)?)?)?;
            let on_diagonal = on_diagonal(b, vectors)?;
            let inner = b.div(turned, differences(b, values, on_diagonal)?)?;
            let own = g_values.unwrap_or(b.number(0.0));
            mm(b, vectors, b.select(on_diagonal, own, inner)?)?
        }
    };
    b.give("A", mm(b, left, adjoint(b, vectors)?)?);
    Ok(())
}

/// `x_j - x_i`, 1 on the diagonal.
fn differences<'c>(b: &Back<'c>, x: Value<'c>, on_diagonal: Value<'c>) -> Result<Value<'c>> {
    b.select(on_diagonal, b.number(1.0), b.sub(unsqueezed(b, x, -2)?, unsqueezed(b, x, -1)?)?)
}

/// With `skew(X) = X - X^H` and `E_ij = S_j^2 - S_i^2`:
///
/// ```text
/// U [skew(U^H gU) / E S + S skew(V^H gV) / E + diag(gS)] V^H
///   + (I - U U^H) gU S^-1 V^H + U S^-1 gV^H (I - V V^H)
/// ```
///
/// of complex matrices also `diag(skew(U^H gU) / 2 S)` in the middle. Of full U and V only the first columns have derivatives.
pub fn svd(b: &Back<'_>) -> Result {
    let a = b.x("A")?;
    let with_vectors = flag(b, "compute_uv", true);
    let (u, s, vh) = if with_vectors {
        (b.y(0)?, b.y(1)?, b.y(2)?)
    } else {
        let full = b.b.infer("fx.linalg_svd", &[a], &[("full_matrices", Attribute::bool(b.context(), false))])?;
        (full.result(0), full.result(1), full.result(2))
    };
    let k = size(b, s, 0);
    let first = |x, from_last| if exceeds(size(b, x, from_last), k) { part(b, x, from_last, Dim::Static(0), Some(k)) } else { Ok(x) };
    let cotangent = |index| if with_vectors { b.cotangent(index) } else { Ok(None) };
    let (g_u, g_vh) = (cotangent(0)?.map(|g| first(g, 0)).transpose()?, cotangent(2)?.map(|g| first(g, 1)).transpose()?);
    let (u, vh) = (first(u, 0)?, first(vh, 1)?);
    let g_s = b.cotangent(1)?.map(|g| unsqueezed(b, g, -2)).transpose()?;
    if g_u.is_none() && g_vh.is_none() {
        if let Some(g) = g_s {
            b.give("A", mm(b, b.mul(u, g)?, vh)?);
        }
        return Ok(());
    }
    let (row, column) = (unsqueezed(b, s, -2)?, unsqueezed(b, s, -1)?);
    let turned_u = g_u.map(|g| skew(b, mm(b, adjoint(b, u)?, g)?)).transpose()?;
    let turned_v = g_vh.map(|g| skew(b, mm(b, vh, adjoint(b, g)?)?)).transpose()?;
    let square = turned_u.or(turned_v).unwrap_or(u);
    let on_diagonal = on_diagonal(b, square)?;
    let gaps = differences(b, b.mul(s, s)?, on_diagonal)?;
    let by_u = turned_u.map(|x| b.mul(b.div(x, gaps)?, row)).transpose()?;
    let by_v = turned_v.map(|x| b.mul(b.div(x, gaps)?, column)).transpose()?;
    let inner = sum(b, by_u, by_v)?.unwrap_or(square);
    let mut own = g_s;
    if let Some(turned) = turned_u.filter(|x| x.ty().element().is_complex()) {
        own = sum(b, own, Some(half(b, b.div(turned, row)?)?))?;
    }
    let inner = b.select(on_diagonal, own.unwrap_or(b.number(0.0)), inner)?;
    let mut grad = mm(b, mm(b, u, inner)?, vh)?;
    if let Some(g) = g_u.filter(|_| exceeds(size(b, a, 1), k)) {
        let outside = b.sub(g, mm(b, u, mm(b, adjoint(b, u)?, g)?)?)?;
        grad = b.add(grad, mm(b, b.div(outside, row)?, vh)?)?;
    }
    if let Some(g) = g_vh.filter(|_| exceeds(size(b, a, 0), k)) {
        let outside = b.sub(g, mm(b, mm(b, g, adjoint(b, vh)?)?, vh)?)?;
        grad = b.add(grad, mm(b, u, b.div(outside, column)?)?)?;
    }
    b.give("A", grad);
    Ok(())
}
