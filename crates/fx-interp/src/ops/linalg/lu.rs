//! LU decomposition by Gaussian elimination, and what follows from it: systems, inverses, determinants.

use super::field::{Field, by_field};
use super::triangular::{Triangle, substitute};
use super::{all, solved, square};
use crate::Result;
use crate::array::{Array, Complex, DType, Element};
use crate::call::Call;
use crate::ops::matrix::dense::{Matrix, stack};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.det", |call| by_field!(call, "input", det)),
    ("fx.linalg_det", |call| by_field!(call, "A", det_with_lu)),
    ("fx.linalg_inv", |call| by_field!(call, "A", inv)),
    ("fx.linalg_inv_ex", |call| by_field!(call, "A", inv_ex)),
    ("fx.linalg_lu_factor", |call| by_field!(call, "A", lu_factor)),
    ("fx.linalg_lu_factor_ex", |call| by_field!(call, "A", lu_factor_ex)),
    ("fx.linalg_slogdet", |call| by_field!(call, "A", slogdet_with_lu)),
    ("fx.linalg_solve", |call| by_field!(call, "A", solve)),
    ("fx.linalg_solve_ex", |call| by_field!(call, "A", solve_ex)),
    ("fx.logdet", |call| by_field!(call, "input", logdet)),
    ("fx.slogdet", |call| by_field!(call, "input", slogdet)),
];

/// `P A = L U` in one matrix, the diagonal of L being 1.
struct Lu<T> {
    matrix: Matrix<T>,
    /// In step k rows k and `pivots[k]` were exchanged.
    pivots: Vec<usize>,
    /// The first pivot that is 0, counted from 1; 0 if none is.
    info: i64,
}

impl<T: Field> Lu<T> {
    /// With partial pivoting, or without any.
    fn of(mut a: Matrix<T>, pivoting: bool) -> Lu<T> {
        let (mut pivots, mut info) = (Vec::new(), 0);
        for k in 0..a.rows.min(a.columns) {
            let better = |best: usize, i: usize| if a.at(i, k).size() > a.at(best, k).size() { i } else { best };
            let pivot = if pivoting { (k + 1..a.rows).fold(k, better) } else { k };
            pivots.push(pivot);
            if a.at(pivot, k) == T::ZERO {
                info = if info == 0 { k as i64 + 1 } else { info };
                continue;
            }
            a.swap_rows(k, pivot);
            for i in k + 1..a.rows {
                let factor = a.at(i, k) / a.at(k, k);
                a.set(i, k, factor);
                for j in k + 1..a.columns {
                    a.set(i, j, a.at(i, j) - factor * a.at(k, j));
                }
            }
        }
        Lu { matrix: a, pivots, info }
    }

    /// That no pivot is 0.
    fn check(&self) -> Result<()> {
        if self.info == 0 { Ok(()) } else { Err(format!("has a singular matrix: pivot {} is 0", self.info)) }
    }

    fn solve(&self, b: &Matrix<T>) -> Matrix<T> {
        let mut b = b.clone();
        self.pivots.iter().enumerate().for_each(|(k, pivot)| b.swap_rows(k, *pivot));
        let y = substitute(&self.matrix, Triangle { upper: false, unit: true }, &b);
        substitute(&self.matrix, Triangle { upper: true, unit: false }, &y)
    }

    fn inverse(&self) -> Matrix<T> {
        self.solve(&Matrix::identity(self.matrix.rows))
    }

    /// The diagonal of U with the sign of the exchanges.
    fn diagonal(&self) -> (T, impl Iterator<Item = T>) {
        let exchanges = self.pivots.iter().enumerate().filter(|(k, pivot)| k != *pivot).count();
        let sign = if exchanges.is_multiple_of(2) { T::ONE } else { -T::ONE };
        (sign, (0..self.pivots.len()).map(|k| self.matrix.at(k, k)))
    }

    fn determinant(&self) -> T {
        let (sign, diagonal) = self.diagonal();
        diagonal.fold(sign, |product, x| product * x)
    }

    /// `det / |det|`, 0 of 0, and `ln |det|`.
    fn sign_and_logarithm(&self) -> (T, f64) {
        let (sign, diagonal) = self.diagonal();
        diagonal.fold((sign, 0.0), |(sign, log), x| {
            let modulus = x.modulus();
            (if modulus == 0.0 { T::ZERO } else { sign * (x / T::real(modulus)) }, log + modulus.ln())
        })
    }
}

/// The decompositions of a batch.
struct Batch<T> {
    batch: Vec<usize>,
    shape: [usize; 2],
    parts: Vec<Lu<T>>,
}

impl<T: Field> Batch<T> {
    fn of(array: &Array, pivoting: bool) -> Result<Batch<T>> {
        let (batch, shape, parts) = all::<T>(array)?;
        Ok(Batch { batch, shape, parts: parts.into_iter().map(|part| Lu::of(part, pivoting)).collect() })
    }

    fn of_square(array: &Array) -> Result<Batch<T>> {
        let (batch, size, parts) = square::<T>(array)?;
        Ok(Batch { batch, shape: [size; 2], parts: parts.into_iter().map(|part| Lu::of(part, true)).collect() })
    }

    /// Of Aᵀ if that is real, as in PyTorch, whose library wants columns: what determinants and solutions come from.
    fn of_columns(array: &Array) -> Result<Batch<T>> {
        if array.dtype().is_complex() || array.rank() < 2 {
            return Self::of_square(array);
        }
        Self::of_square(&array.transpose(array.rank() - 2, array.rank() - 1)?)
    }

    fn check(&self) -> Result<()> {
        self.parts.iter().try_for_each(Lu::check)
    }

    /// A number for each matrix.
    fn each<R: Element>(&self, dtype: DType, f: impl Fn(&Lu<T>) -> R) -> Result<Array> {
        Array::new(dtype, &self.batch, self.parts.iter().map(f).collect())
    }

    fn inverses(&self, dtype: DType) -> Result<Array> {
        stack(dtype, &self.batch, self.shape, self.parts.iter().map(Lu::inverse).collect())
    }

    /// LU, pivots from 1 on, and info: results of the op from `first` on, as many as it has.
    fn results(self, call: &Call<'_>, first: usize) -> Result<Vec<Value>> {
        let dtype = call.result_dtype(first)?;
        let info = self.each(DType::I32, |part| part.info)?;
        let pivots: Vec<i64> = self.parts.iter().flat_map(|part| part.pivots.iter().map(|pivot| *pivot as i64 + 1)).collect();
        let pivots = Array::new(DType::I32, &[&self.batch[..], &[self.shape[0].min(self.shape[1])]].concat(), pivots)?;
        let lu = stack(dtype, &self.batch, self.shape, self.parts.into_iter().map(|part| part.matrix).collect())?;
        let mut results: Vec<Value> = vec![lu.into(), pivots.into(), info.into()];
        results.truncate(call.result_count() - first);
        Ok(results)
    }
}

fn det<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    one(Batch::<T>::of_square(call.array("input")?)?.each(call.result_dtype(0)?, Lu::determinant)?)
}

fn det_with_lu<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let batch = Batch::<T>::of_columns(call.array("A")?)?;
    let mut results = vec![batch.each(call.result_dtype(0)?, Lu::determinant)?.into()];
    results.extend(batch.results(call, 1)?);
    Ok(results)
}

/// `ln det`; NaN of a negative determinant.
fn logdet<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let logarithm = |part: &Lu<T>| {
        let (sign, log) = part.sign_and_logarithm();
        match sign.complex() {
            sign if sign == Complex::default() => Complex::from(log),
            sign if sign.im == 0.0 && sign.re < 0.0 => Complex::new(log, std::f64::consts::PI),
            sign => sign.ln() + Complex::from(log),
        }
    };
    let (input, dtype) = (call.array("input")?, call.result_dtype(0)?);
    let batch = Batch::<T>::of_square(input)?;
    // a real logarithm has no imaginary part
    let real = |z: Complex| if z.im == 0.0 { z.re } else { f64::NAN };
    one(if dtype.is_complex() { batch.each(dtype, logarithm)? } else { batch.each(dtype, |part| real(logarithm(part)))? })
}

fn slogdet_results<T: Field>(call: &Call<'_>, batch: &Batch<T>) -> Result<Vec<Value>> {
    let sign = batch.each(call.result_dtype(0)?, |part| part.sign_and_logarithm().0)?;
    Ok(vec![sign.into(), batch.each(call.result_dtype(1)?, |part| part.sign_and_logarithm().1)?.into()])
}

fn slogdet<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    slogdet_results(call, &Batch::<T>::of_square(call.array("input")?)?)
}

fn slogdet_with_lu<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let batch = Batch::<T>::of_columns(call.array("A")?)?;
    let mut results = slogdet_results(call, &batch)?;
    results.extend(batch.results(call, 2)?);
    Ok(results)
}

fn inv<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let batch = Batch::<T>::of_square(call.array("A")?)?;
    batch.check()?;
    one(batch.inverses(call.result_dtype(0)?)?)
}

fn inv_ex<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let batch = Batch::<T>::of_square(call.array("A")?)?;
    if call.bool("check_errors") {
        batch.check()?;
    }
    Ok(vec![batch.inverses(call.result_dtype(0)?)?.into(), batch.each(DType::I32, |part| part.info)?.into()])
}

fn lu_factor<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let batch = Batch::<T>::of(call.array("A")?, call.bool("pivot"))?;
    batch.check()?;
    batch.results(call, 0)
}

fn lu_factor_ex<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let batch = Batch::<T>::of(call.array("A")?, call.bool("pivot"))?;
    if call.bool("check_errors") {
        batch.check()?;
    }
    batch.results(call, 0)
}

/// X with A X = B, or X A = B without `left`; B may be a vector for each matrix.
fn solution<T: Field>(call: &Call<'_>, checks: bool) -> Result<Array> {
    let (a, b, dtype) = (call.array("A")?, call.array("B")?, call.result_dtype(0)?);
    let is_vector = b.rank() == 1 || (a.rank() > 0 && b.shape() == &a.shape()[..a.rank() - 1]);
    let rhs = if is_vector { b.unsqueeze(b.rank())? } else { b.clone() };
    let x = solved::<T>(dtype, [a, &rhs], call.bool("left"), |a, b| {
        let lu = Lu::of(a.clone(), true);
        if checks {
            lu.check()?;
        }
        Ok(lu.solve(b))
    })?;
    if is_vector { x.reshape(&x.shape()[..x.rank() - 1]) } else { Ok(x) }
}

fn solve<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    one(solution::<T>(call, true)?)
}

/// X and a decomposition.
fn solve_ex<T: Field>(call: &Call<'_>) -> Result<Vec<Value>> {
    let mut results = vec![solution::<T>(call, call.bool("check_errors"))?.into()];
    results.extend(Batch::<T>::of_columns(call.array("A")?)?.results(call, 1)?);
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decompositions() {
        let a = Matrix::from_fn(3, 3, |i, j| [[0.0, 2.0, 1.0], [1.0, -1.0, 3.0], [4.0, 0.5, 0.0]][i][j]);
        let lu = Lu::of(a.clone(), true);
        assert_eq!((&lu.pivots[..], lu.info), (&[2, 2, 2][..], 0));
        assert!((lu.determinant() - 28.5).abs() < 1e-13);
        let (sign, log) = lu.sign_and_logarithm();
        assert!(sign == 1.0 && (log - 28.5f64.ln()).abs() < 1e-14);
        let product = lu.inverse().times(&a);
        assert!((0..9).all(|k| (product.at(k / 3, k % 3) - f64::from(u8::from(k % 4 == 0))).abs() < 1e-14));
        let singular = Lu::of(Matrix::from_fn(2, 2, |_, j| Complex::new(0.0, j as f64)), true);
        assert_eq!((singular.info, singular.sign_and_logarithm()), (1, (Complex::default(), f64::NEG_INFINITY)));
    }
}
