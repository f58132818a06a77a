//! Factorisations and solvers of dense linear algebra, in double precision.
//!
//! Matrices are the last two dims, the dims before are a batch. A function whose `check` is set fails where the one of
//! LAPACK reports that it cannot go on; otherwise that is in its result `info`. Conventions (pivots from 1, signs of QR)
//! are LAPACK's.

use crate::Function;
use crate::doubles::{exact, option, rounded};
use crate::typed::{Arguments, Values};
use faer::c64;
use fx_runtime::OpCall;

mod cholesky;
mod lu;
mod matrix;
mod qr;
mod spectral;
mod triangular;

use lu::Lu;
use matrix::{Field, Matrix, Stack};
use triangular::Triangle;

/// Functions generic over the element as functions of a call, which has complex numbers or not.
macro_rules! functions {
    ($($name:literal => $function:ident,)*) => {
        &[$(($name, |call: &OpCall<'_>| {
            if call.tensor(0)?.dtype().is_complex() { $function::<c64>(call) } else { $function::<f64>(call) }
        })),*]
    };
}

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = functions! {
    "fx::cholesky_inverse" => cholesky_inverse,
    "fx::cholesky_solve" => cholesky_solve,
    "fx::linalg_cholesky_ex" => cholesky_ex,
    "fx::linalg_det" => det,
    "fx::linalg_eigh" => eigh,
    "fx::linalg_inv_ex" => inv_ex,
    "fx::linalg_lu_factor_ex" => lu_factor_ex,
    "fx::linalg_qr" => qr,
    "fx::linalg_slogdet" => slogdet,
    "fx::linalg_solve_ex" => solve_ex,
    "fx::linalg_solve_triangular" => solve_triangular,
    "fx::linalg_svd" => svd,
};

/// A; flags `upper`, `check`. Gives L (or U) and info.
fn cholesky_ex<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::square(call.tensor(0)?)?;
    let (upper, check) = (option(call, "upper")?, option(call, "check")?);
    let (mut factors, mut infos) = (Vec::new(), Vec::new());
    for (index, matrix) in a.iter().enumerate() {
        let result = cholesky::factor(&if upper { matrix.adjoint() } else { matrix });
        if check && result.info != 0 {
            let (order, place) = (result.info, a.place(index));
            return Err(format!("the matrix{place} is not positive definite: its leading minor of order {order} is not positive"));
        }
        factors.extend(if upper { result.factor.adjoint() } else { result.factor }.data);
        infos.push(result.info);
    }
    Ok(vec![rounded(call, 0, &factors)?, exact(call, 1, &infos)?])
}

/// B, the factor; flag `upper`. Gives `(L L^H)^-1 B` or `(U^H U)^-1 B`.
fn cholesky_solve<T: Field>(call: &OpCall<'_>) -> Values {
    let (b, factor) = (Stack::<T>::read(call.tensor(0)?)?, Stack::<T>::square(call.tensor(1)?)?);
    factor.meets(&b, true)?;
    let upper = option(call, "upper")?;
    let mut solutions = Vec::new();
    for (b, factor) in pairs(call, &b, &factor)? {
        let mut b = b;
        cholesky::solve_factored(&if upper { factor.adjoint() } else { factor }, &mut b);
        solutions.extend(b.data);
    }
    Ok(vec![rounded(call, 0, &solutions)?])
}

/// The factor; flag `upper`. Gives `(L L^H)^-1` or `(U^H U)^-1`.
fn cholesky_inverse<T: Field>(call: &OpCall<'_>) -> Values {
    let factors = Stack::<T>::square(call.tensor(0)?)?;
    let upper = option(call, "upper")?;
    let mut inverses = Vec::new();
    for (index, factor) in factors.iter().enumerate() {
        let n = factor.rows;
        if let Some(zero) = (0..n).find(|i| factor[(*i, *i)] == T::real(0.0)) {
            return Err(format!("the matrix{} is singular: element {} of the factor's diagonal is zero", factors.place(index), zero + 1));
        }
        let mut inverse = Matrix::identity(n, n);
        cholesky::solve_factored(&if upper { factor.adjoint() } else { factor }, &mut inverse);
        inverses.extend(inverse.data);
    }
    Ok(vec![rounded(call, 0, &inverses)?])
}

/// What LU decompositions give.
struct Decompositions<T> {
    factors: Vec<T>,
    pivots: Vec<i32>,
    infos: Vec<i32>,
}

impl<T: Field> Decompositions<T> {
    fn new() -> Self {
        Self { factors: Vec::new(), pivots: Vec::new(), infos: Vec::new() }
    }

    fn push(&mut self, lu: Lu<T>) {
        self.pivots.extend(lu.pivots());
        self.infos.push(lu.info());
        self.factors.extend(lu.factors.data);
    }
}

/// The error of a singular matrix, if `check`.
fn regular<T: Field>(lu: &Lu<T>, check: bool, place: &str) -> Result<(), String> {
    match lu.zero.filter(|_| check) {
        Some(zero) => Err(format!("the matrix{place} is singular: U[{0}, {0}] is zero", zero + 1)),
        None => Ok(()),
    }
}

/// A; flags `pivot`, `check`. Gives LU, pivots and info.
fn lu_factor_ex<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::read(call.tensor(0)?)?;
    let (pivot, check) = (option(call, "pivot")?, option(call, "check")?);
    let mut all = Decompositions::new();
    for (index, matrix) in a.iter().enumerate() {
        let lu = lu::factor(matrix, pivot);
        regular(&lu, check, &a.place(index))?;
        all.push(lu);
    }
    Ok(vec![rounded(call, 0, &all.factors)?, exact(call, 1, &all.pivots)?, exact(call, 2, &all.infos)?])
}

/// The decomposition that PyTorch keeps beside a determinant or a solution: of the transpose if it is real, since a
/// contiguous matrix is a transposed one to LAPACK.
fn kept_factor<T: Field>(a: Matrix<T>) -> Lu<T> {
    lu::factor(if T::PARTS == 1 { a.transpose() } else { a }, true)
}

/// A. Gives the determinant, LU and pivots.
fn det<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::square(call.tensor(0)?)?;
    let mut all = Decompositions::new();
    let mut determinants = Vec::new();
    for matrix in a.iter() {
        let lu = kept_factor(matrix);
        determinants.push(lu.determinant());
        all.push(lu);
    }
    Ok(vec![rounded(call, 0, &determinants)?, rounded(call, 1, &all.factors)?, exact(call, 2, &all.pivots)?])
}

/// A. Gives the determinant's sign, the logarithm of its absolute value, LU and pivots.
fn slogdet<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::square(call.tensor(0)?)?;
    let mut all = Decompositions::new();
    let (mut signs, mut logs) = (Vec::new(), Vec::new());
    for matrix in a.iter() {
        let lu = kept_factor(matrix);
        let (sign, log) = lu.log_determinant();
        signs.push(sign);
        logs.push(log);
        all.push(lu);
    }
    Ok(vec![rounded(call, 0, &signs)?, rounded(call, 1, &logs)?, rounded(call, 2, &all.factors)?, exact(call, 3, &all.pivots)?])
}

/// A; flag `check`. Gives the inverse and info.
fn inv_ex<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::square(call.tensor(0)?)?;
    let check = option(call, "check")?;
    let (mut inverses, mut infos) = (Vec::new(), Vec::new());
    for (index, matrix) in a.iter().enumerate() {
        let n = matrix.rows;
        let lu = lu::factor(matrix, true);
        regular(&lu, check, &a.place(index))?;
        infos.push(lu.info());
        inverses.extend(lu.solve(Matrix::identity(n, n)).data);
    }
    Ok(vec![rounded(call, 0, &inverses)?, exact(call, 1, &infos)?])
}

/// A, B; flags `left` (A X = B, else X A = B), `vector` (B has one column and no dim for it), `check`. Gives X, and the
/// LU, pivots and info of A.
fn solve_ex<T: Field>(call: &OpCall<'_>) -> Values {
    let (left, vector, check) = (option(call, "left")?, option(call, "vector")?, option(call, "check")?);
    let a = Stack::<T>::square(call.tensor(0)?)?;
    let rhs = call.tensor(1)?;
    let column = usize::from(vector);
    let dims: Vec<usize> = rhs.dims().iter().copied().chain(std::iter::repeat_n(1, column)).collect();
    let b = Stack::<T>::with_dims(rhs, &dims)?;
    a.meets(&b, left)?;
    let mut all = Decompositions::new();
    let mut decompositions = Vec::new();
    for (index, matrix) in a.iter().enumerate() {
        let lu = kept_factor(matrix);
        regular(&lu, check, &a.place(index))?;
        decompositions.push(lu);
    }
    let dims = call.dims(0)?;
    let batch = &dims[..dims.len().saturating_sub(2 - column)];
    let mut solutions = Vec::new();
    for (a, b) in a.broadcast(batch)?.into_iter().zip(b.broadcast(batch)?.into_iter().map(|index| b.get(index))) {
        let lu = &decompositions[a];
        // The decomposition of a real matrix is its transpose's.
        let transposed = T::PARTS == 1;
        let b = if left { b } else { b.transpose() };
        let x = if transposed == left { lu.solve_transposed(b) } else { lu.solve(b) };
        solutions.extend(if left { x } else { x.transpose() }.data);
    }
    decompositions.into_iter().for_each(|lu| all.push(lu));
    Ok(vec![rounded(call, 0, &solutions)?, rounded(call, 1, &all.factors)?, exact(call, 2, &all.pivots)?, exact(call, 3, &all.infos)?])
}

/// A, B; flags `upper`, `left` (A X = B, else X A = B), `unit` (A's diagonal counts as ones), `transpose` (A^T in place of
/// A). Gives X.
fn solve_triangular<T: Field>(call: &OpCall<'_>) -> Values {
    let (a, b) = (Stack::<T>::square(call.tensor(0)?)?, Stack::<T>::read(call.tensor(1)?)?);
    let (upper, left, transpose) = (option(call, "upper")?, option(call, "left")?, option(call, "transpose")?);
    a.meets(&b, left)?;
    // X A = B is A^T X^T = B^T.
    let turned = transpose == left;
    let triangle = Triangle { upper: upper != turned, unit: option(call, "unit")? };
    let mut solutions = Vec::new();
    for (a, b) in pairs(call, &a, &b)? {
        let a = if turned { a.transpose() } else { a };
        let mut x = if left { b } else { b.transpose() };
        triangular::solve(&a, triangle, &mut x);
        solutions.extend(if left { x } else { x.transpose() }.data);
    }
    Ok(vec![rounded(call, 0, &solutions)?])
}

/// The matrices of two stacks at each place of the result's batch.
fn pairs<'a, T: Field>(
    call: &OpCall<'_>,
    a: &'a Stack<T>,
    b: &'a Stack<T>,
) -> Result<impl Iterator<Item = (Matrix<T>, Matrix<T>)> + use<'a, T>, String> {
    let dims = call.dims(0)?;
    let batch = &dims[..dims.len().saturating_sub(2)];
    let (left, right) = (a.broadcast(batch)?, b.broadcast(batch)?);
    Ok(left.into_iter().zip(right).map(|(i, j)| (a.get(i), b.get(j))))
}

/// A; text `mode`. Gives Q and R; no Q in mode "r".
fn qr<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::read(call.tensor(0)?)?;
    let (mut qs, mut rs) = (Vec::new(), Vec::new());
    for matrix in a.iter() {
        let columns = if call.word("mode") == "complete" { matrix.rows } else { matrix.rank() };
        let (q, r) = qr::factor(matrix, columns);
        if call.word("mode") != "r" {
            qs.extend(q.data);
        }
        rs.extend(r.data);
    }
    Ok(vec![rounded(call, 0, &qs)?, rounded(call, 1, &rs)?])
}

/// A; flags `upper` (the triangle that is read), `vectors`. Gives eigenvalues and eigenvectors (or nothing).
fn eigh<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::square(call.tensor(0)?)?;
    let (upper, wanted) = (option(call, "upper")?, option(call, "vectors")?);
    let (mut values, mut vectors) = (Vec::new(), Vec::new());
    for (index, matrix) in a.iter().enumerate() {
        let (own, basis) = spectral::eigen(&matrix, upper, wanted).map_err(|error| format!("{error}{}", a.place(index)))?;
        values.extend(own);
        vectors.extend(basis.map(|basis| basis.data).unwrap_or_default());
    }
    Ok(vec![rounded(call, 0, &values)?, rounded(call, 1, &vectors)?])
}

/// A; flags `full` (square U and V), `vectors`. Gives U, the singular values and V^H.
fn svd<T: Field>(call: &OpCall<'_>) -> Values {
    let a = Stack::<T>::read(call.tensor(0)?)?;
    let (full, wanted) = (option(call, "full")?, option(call, "vectors")?);
    let (mut us, mut values, mut vhs) = (Vec::new(), Vec::new(), Vec::new());
    for (index, matrix) in a.iter().enumerate() {
        let failed = |error: &str| format!("{error}{}", a.place(index));
        if !wanted {
            values.extend(spectral::singular_values(&matrix).map_err(failed)?);
            continue;
        }
        let result = spectral::singular(&matrix, full).map_err(failed)?;
        us.extend(result.u.data);
        values.extend(result.values);
        vhs.extend(result.vh.data);
    }
    Ok(vec![rounded(call, 0, &us)?, rounded(call, 1, &values)?, rounded(call, 2, &vhs)?])
}

#[cfg(test)]
mod tests;
