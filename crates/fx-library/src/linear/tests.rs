//! Factorisations against their definitions, on matrices of random numbers, of all shapes.

use super::*;
use crate::doubles::testing::{call, complex, numbers};
use crate::random::philox;
use fx_runtime::{DType, HostTensor};
use serde_json::json;
use std::f64::consts::SQRT_2;

/// Numbers of U[-1, 1).
fn random(count: usize, seed: u32) -> Vec<f64> {
    let word = |i: usize| philox([seed, 0], [i as u32, 0, 0, 0])[0];
    (0..count).map(|i| f64::from(word(i)) / 2f64.powi(31) - 1.0).collect()
}

/// A stack of random matrices.
fn stack<T: Field>(dims: &[usize], seed: u32) -> HostTensor {
    let count: usize = dims.iter().product();
    let values = random(count * T::PARTS, seed);
    if T::PARTS == 1 {
        HostTensor::from_slice(dims, &values).unwrap()
    } else {
        complex(dims, &values.chunks(2).map(|parts| [parts[0], parts[1]]).collect::<Vec<_>>())
    }
}

fn dtype<T: Field>() -> DType {
    if T::PARTS == 1 { DType::F64 } else { DType::C128 }
}

/// `A A^H + 1`, the first batch dims being a stack.
fn positive<T: Field>(dims: &[usize], seed: u32) -> HostTensor {
    let stack = Stack::<T>::read(&self::stack::<T>(dims, seed)).unwrap();
    let n = dims[dims.len() - 1];
    let matrices = stack.iter().flat_map(|a| {
        let mut square = a.times(&a.adjoint());
        (0..n).for_each(|i| square[(i, i)] += T::real(1.0));
        square.data
    });
    let values: Vec<T> = matrices.collect();
    tensor(dims, &values)
}

impl<T: Field> Matrix<T> {
    /// The product of two matrices.
    fn times(&self, other: &Self) -> Self {
        let sum = |i, j| (0..self.columns).fold(T::real(0.0), |sum, k| sum + self[(i, k)] * other[(k, j)]);
        Self::from_fn(self.rows, other.columns, sum)
    }
}

fn tensor<T: Field>(dims: &[usize], values: &[T]) -> HostTensor {
    if T::PARTS == 1 {
        HostTensor::from_slice(dims, &values.iter().map(|value| value.parts().0).collect::<Vec<_>>()).unwrap()
    } else {
        let parts = |value: &T| [value.parts().0, value.parts().1];
        complex(dims, &values.iter().map(parts).collect::<Vec<_>>())
    }
}

fn matrices<T: Field>(tensor: &HostTensor) -> Vec<Matrix<T>> {
    Stack::<T>::read(tensor).unwrap().iter().collect()
}

fn close<T: Field>(a: &Matrix<T>, b: &Matrix<T>, what: &str) {
    assert_eq!((a.rows, a.columns), (b.rows, b.columns), "{what}");
    let size = b.data.iter().map(|value| value.modulus()).fold(1.0, f64::max);
    for (i, (x, y)) in a.data.iter().zip(&b.data).enumerate() {
        assert!((*x - *y).modulus() <= 1e-11 * size, "{what}: element {i} of {}x{}", a.rows, a.columns);
    }
}

fn unitary<T: Field>(q: &Matrix<T>, what: &str) {
    close(&q.adjoint().times(q), &Matrix::identity(q.columns, q.columns), what);
}

/// Runs a test on real and on complex numbers.
macro_rules! both {
    ($($name:ident: $test:ident;)*) => {$(
        #[test]
        fn $name() {
            $test::<f64>();
            $test::<c64>();
        }
    )*};
}
both! {
    lu_gives_back_the_matrix: lu_test;
    solutions_solve: solve_test;
    determinants: det_test;
    inverses_invert: inverse_test;
    cholesky_gives_back_the_matrix: cholesky_test;
    triangular_systems: triangular_test;
    qr_gives_back_the_matrix: qr_test;
    eigenvectors: eigen_test;
    singular_vectors: svd_test;
    empty_matrices_and_batches: empty_test;
}

fn lu_test<T: Field>() {
    for (seed, (m, n)) in [(1, 1), (3, 5), (6, 4), (40, 40), (70, 33), (33, 70)].into_iter().enumerate() {
        let (dims, k) = ([2, m, n], m.min(n));
        let a = stack::<T>(&dims, seed as u32);
        for pivot in [true, false] {
            let attributes = json!({"pivot": pivot, "check": false});
            let results: [(DType, &[usize]); 3] = [(dtype::<T>(), &dims), (DType::I32, &[2, k]), (DType::I32, &[2])];
            let lu = call(lu_factor_ex::<T>, std::slice::from_ref(&a), attributes, &results).unwrap();
            assert_eq!(lu[2].as_slice::<i32>().unwrap(), [0, 0]);
            let pivots = lu[1].as_slice::<i32>().unwrap();
            for (index, (a, factors)) in matrices::<T>(&a).into_iter().zip(matrices::<T>(&lu[0])).enumerate() {
                let unit = |i, j| {
                    if i == j {
                        T::real(1.0)
                    } else if i > j {
                        factors[(i, j)]
                    } else {
                        T::real(0.0)
                    }
                };
                let lower = Matrix::from_fn(m, k, unit);
                let upper = Matrix::from_fn(k, n, |i, j| if i <= j { factors[(i, j)] } else { T::real(0.0) });
                let mut product = lower.times(&upper);
                for (i, row) in pivots[index * k..][..k].iter().enumerate().rev() {
                    product.swap_rows(i, *row as usize - 1);
                }
                // Without exchanges elements grow.
                if pivot || m < 10 {
                    close(&product, &a, "P L U");
                }
                assert!(!pivot || lower.data.iter().all(|value| value.modulus() < SQRT_2 + 1e-9));
                assert!(pivot || pivots.iter().enumerate().all(|(i, row)| *row as usize == i % k + 1));
            }
        }
    }
}

fn solve_test<T: Field>() {
    let cases: [(&[usize], &[usize], bool, bool); 6] = [
        (&[5, 5], &[5, 3], true, false),
        (&[5, 5], &[3, 5], false, false),
        (&[3, 1, 40, 40], &[2, 40, 4], true, false),
        (&[4, 4], &[2, 3, 4], false, false),
        (&[6, 6], &[6], true, true),
        (&[2, 6, 6], &[2, 6], true, true),
    ];
    for (seed, (a_dims, b_dims, left, vector)) in cases.into_iter().enumerate() {
        let (a, b) = (stack::<T>(a_dims, seed as u32), stack::<T>(b_dims, 50 + seed as u32));
        let (batch, n) = (&a_dims[..a_dims.len() - 2], a_dims[a_dims.len() - 1]);
        let matrix_dims = [b_dims, &[1][..usize::from(vector)]].concat();
        let x_dims = if batch == [3, 1] { vec![3, 2, 40, 4] } else { b_dims.to_vec() };
        let pivots = [batch, &[n]].concat();
        let results: [(DType, &[usize]); 4] = [(dtype::<T>(), &x_dims), (dtype::<T>(), a_dims), (DType::I32, &pivots), (DType::I32, batch)];
        let attributes = json!({"left": left, "vector": vector, "check": true});
        let x = call(solve_ex::<T>, &[a.clone(), b.clone()], attributes, &results).unwrap();
        let full = [x_dims.as_slice(), &[1][..usize::from(vector)]].concat();
        let (a, b) = (Stack::<T>::read(&a).unwrap(), Stack::<T>::with_dims(&b, &matrix_dims).unwrap());
        let x = Stack::<T>::with_dims(&x[0], &full).unwrap();
        let (a_places, b_places) = (a.broadcast(&x.batch).unwrap(), b.broadcast(&x.batch).unwrap());
        for ((x, a_place), b_place) in x.iter().zip(a_places).zip(b_places) {
            let a = a.get(a_place);
            close(&if left { a.times(&x) } else { x.times(&a) }, &b.get(b_place), "A X");
        }
    }
}

fn det_test<T: Field>() {
    // det [[a, b], [c, d]] = a d - b c, and det(A B) = det(A) det(B).
    let dims = [3, 2, 2];
    let a = stack::<T>(&dims, 5);
    let results: [(DType, &[usize]); 3] = [(dtype::<T>(), &[3]), (dtype::<T>(), &dims), (DType::I32, &[3, 2])];
    let d = call(det::<T>, std::slice::from_ref(&a), json!({}), &results).unwrap();
    let results: [(DType, &[usize]); 4] = [(dtype::<T>(), &[3]), (DType::F64, &[3]), (dtype::<T>(), &dims), (DType::I32, &[3, 2])];
    let s = call(slogdet::<T>, std::slice::from_ref(&a), json!({}), &results).unwrap();
    let (d, signs, logs) = (numbers(&d[0]), numbers(&s[0]), s[1].to_f64_vec().unwrap());
    for (i, m) in matrices::<T>(&a).into_iter().enumerate() {
        let (re, im) = (m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)]).parts();
        assert!((re - d[i][0]).abs() < 1e-14 && (im - d[i][1]).abs() < 1e-14);
        assert!((re - signs[i][0] * logs[i].exp()).abs() < 1e-14 && (im - signs[i][1] * logs[i].exp()).abs() < 1e-14);
    }
    let singular = lu::factor(Matrix { rows: 2, columns: 2, data: [1.0, 2.0, 2.0, 4.0].map(T::real).to_vec() }, true);
    assert_eq!((singular.determinant().parts(), singular.info()), ((0.0, 0.0), 2));
    let (sign, log) = singular.log_determinant();
    assert_eq!((sign.parts(), log), ((0.0, 0.0), f64::NEG_INFINITY));
    let nothing = lu::factor(Matrix { rows: 0, columns: 0, data: Vec::<T>::new() }, true);
    assert_eq!((nothing.determinant().parts(), nothing.log_determinant().1), ((1.0, 0.0), 0.0));
}

fn inverse_test<T: Field>() {
    for n in [1, 3, 50] {
        let dims = [2, n, n];
        let a = stack::<T>(&dims, n as u32);
        let results: [(DType, &[usize]); 2] = [(dtype::<T>(), &dims), (DType::I32, &[2])];
        let inverse = call(inv_ex::<T>, std::slice::from_ref(&a), json!({"check": true}), &results).unwrap();
        for (a, inverse) in matrices::<T>(&a).iter().zip(matrices::<T>(&inverse[0])) {
            close(&a.times(&inverse), &Matrix::identity(n, n), "A A^-1");
        }
        let a = tensor(&dims, &[Matrix::<T>::identity(n, n).data, vec![T::real(0.0); n * n]].concat());
        let error = call(inv_ex::<T>, std::slice::from_ref(&a), json!({"check": true}), &results).unwrap_err();
        assert_eq!(error, "the matrix (matrix 1 of the batch) is singular: U[1, 1] is zero");
        let inverse = call(inv_ex::<T>, &[a], json!({"check": false}), &results).unwrap();
        assert_eq!(inverse[1].as_slice::<i32>().unwrap(), [0, 1]);
        assert!(numbers(&inverse[0])[n * n..].iter().all(|value| !value[0].is_finite()));
    }
}

fn cholesky_test<T: Field>() {
    for n in [1, 4, 32, 65] {
        let dims = [2, n, n];
        let a = positive::<T>(&dims, n as u32);
        let results: [(DType, &[usize]); 2] = [(dtype::<T>(), &dims), (DType::I32, &[2])];
        for upper in [false, true] {
            // The other triangle is not read.
            let half =
                |m: Matrix<T>| Matrix::from_fn(n, n, |i, j| if i == j || (i < j) == upper { m[(i, j)] } else { T::real(f64::NAN) }).data;
            let halves = tensor(&dims, &matrices::<T>(&a).into_iter().flat_map(half).collect::<Vec<_>>());
            let l = call(cholesky_ex::<T>, &[halves], json!({"upper": upper, "check": true}), &results).unwrap();
            let solutions = call(cholesky_solve::<T>, &[a.clone(), l[0].clone()], json!({"upper": upper}), &results[..1]).unwrap();
            let inverses = call(cholesky_inverse::<T>, std::slice::from_ref(&l[0]), json!({"upper": upper}), &results[..1]).unwrap();
            for (index, (a, l)) in matrices::<T>(&a).iter().zip(matrices::<T>(&l[0])).enumerate() {
                close(&if upper { l.adjoint().times(&l) } else { l.times(&l.adjoint()) }, a, "L L^H");
                let zeros = |i: usize, j: usize| i == j || (i < j) == upper || l[(i, j)] == T::real(0.0);
                assert!((0..n * n).all(|place| zeros(place / n, place % n)));
                close(&matrices::<T>(&solutions[0])[index], &Matrix::identity(n, n), "A^-1 A");
                close(&matrices::<T>(&inverses[0])[index].times(a), &Matrix::identity(n, n), "A^-1 A");
            }
        }
    }
    let indefinite = tensor(&[3, 3], &[1.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.0].map(T::real));
    let results: [(DType, &[usize]); 2] = [(dtype::<T>(), &[3, 3]), (DType::I32, &[])];
    let given = [indefinite];
    let l = call(cholesky_ex::<T>, &given, json!({"upper": false, "check": false}), &results).unwrap();
    assert_eq!(l[1].as_slice::<i32>().unwrap(), [2]);
    let error = call(cholesky_ex::<T>, &given, json!({"upper": false, "check": true}), &results).unwrap_err();
    assert_eq!(error, "the matrix is not positive definite: its leading minor of order 2 is not positive");
}

fn triangular_test<T: Field>() {
    let n = 5;
    let (a, b) = (stack::<T>(&[n, n], 1), stack::<T>(&[2, n, n], 2));
    let results: [(DType, &[usize]); 1] = [(dtype::<T>(), &[2, n, n])];
    for flags in 0..16 {
        let [upper, left, unit, transpose] = [1, 2, 4, 8].map(|flag| flags & flag != 0);
        let attributes = json!({"upper": upper, "left": left, "unit": unit, "transpose": transpose});
        let x = call(solve_triangular::<T>, &[a.clone(), b.clone()], attributes, &results).unwrap();
        let full = &matrices::<T>(&a)[0];
        let half = Matrix::from_fn(n, n, |i, j| match i == j {
            true if unit => T::real(1.0),
            false if (i < j) != upper => T::real(0.0),
            _ => full[(i, j)],
        });
        let half = if transpose { half.transpose() } else { half };
        for (x, b) in matrices::<T>(&x[0]).iter().zip(matrices::<T>(&b)) {
            close(&if left { half.times(x) } else { x.times(&half) }, &b, &format!("flags {flags}"));
        }
    }
}

fn qr_test<T: Field>() {
    for (seed, (m, n)) in [(1, 1), (5, 3), (3, 5), (40, 40), (60, 20)].into_iter().enumerate() {
        let (dims, k) = ([2, m, n], m.min(n));
        let a = stack::<T>(&dims, seed as u32);
        for (mode, columns) in [("reduced", k), ("complete", m), ("r", k)] {
            let q_dims: &[usize] = if mode == "r" { &[0] } else { &[2, m, columns] };
            let results: [(DType, &[usize]); 2] = [(dtype::<T>(), q_dims), (dtype::<T>(), &[2, columns, n])];
            let qr = call(qr::<T>, std::slice::from_ref(&a), json!({"mode": mode}), &results).unwrap();
            for (index, r) in matrices::<T>(&qr[1]).into_iter().enumerate() {
                assert!((0..columns * n).all(|place| place % n >= place / n || r.data[place] == T::real(0.0)));
                assert!((0..k).all(|i| r[(i, i)].parts().1.abs() < 1e-13));
                if mode != "r" {
                    let q = &matrices::<T>(&qr[0])[index];
                    unitary(q, mode);
                    close(&q.times(&r), &matrices::<T>(&a)[index], mode);
                }
            }
        }
    }
    // A column that needs no reflection keeps its sign, others are reflected away from it.
    let (_, r) = qr::factor(Matrix { rows: 2, columns: 2, data: [3.0, 1.0, 0.0, 2.0].map(T::real).to_vec() }, 2);
    assert_eq!(r.data.iter().map(|value| value.parts().0).collect::<Vec<_>>(), [3.0, 1.0, 0.0, 2.0]);
    let (_, r) = qr::factor(Matrix { rows: 2, columns: 1, data: [3.0, 4.0].map(T::real).to_vec() }, 1);
    assert!((r.data[0] - T::real(-5.0)).modulus() < 1e-14);
    let (_, r) = qr::factor(Matrix { rows: 2, columns: 1, data: [3e200, 4e200].map(T::real).to_vec() }, 1);
    assert!((r.data[0].parts().0 / -5e200 - 1.0).abs() < 1e-14);
}

fn eigen_test<T: Field>() {
    for n in [1, 2, 5, 40] {
        let a = positive::<T>(&[2, n, n], n as u32);
        for upper in [false, true] {
            let results: [(DType, &[usize]); 2] = [(DType::F64, &[2, n]), (dtype::<T>(), &[2, n, n])];
            let given = std::slice::from_ref(&a);
            let result = call(eigh::<T>, given, json!({"upper": upper, "vectors": true}), &results).unwrap();
            let values = result[0].to_f64_vec().unwrap();
            let alone = [(DType::F64, &[2, n][..]), (dtype::<T>(), &[0][..])];
            let alone = call(eigh::<T>, given, json!({"upper": upper, "vectors": false}), &alone).unwrap();
            assert!(alone[0].to_f64_vec().unwrap().iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-11));
            for (index, v) in matrices::<T>(&result[1]).iter().enumerate() {
                let values = &values[index * n..][..n];
                assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
                unitary(v, "V");
                let scaled = Matrix::from_fn(n, n, |i, j| v[(i, j)] * T::real(values[j]));
                close(&scaled.times(&v.adjoint()), &matrices::<T>(&a)[index], "V diag V^H");
                let real = v.row(if upper { n - 1 } else { 0 });
                assert!(real.iter().all(|value| value.parts().0 >= 0.0 && value.parts().1.abs() < 1e-14));
            }
        }
    }
    let nan = tensor(&[1, 2, 2], &[f64::NAN; 4].map(T::real));
    let results: [(DType, &[usize]); 2] = [(DType::F64, &[1, 2]), (dtype::<T>(), &[1, 2, 2])];
    let error = call(eigh::<T>, &[nan], json!({"upper": true, "vectors": true}), &results).unwrap_err();
    assert_eq!(error, "the matrix has elements that are infinite or NaN (matrix 0 of the batch)");
}

fn svd_test<T: Field>() {
    for (seed, (m, n)) in [(1, 1), (5, 3), (3, 5), (30, 30), (50, 8), (8, 50)].into_iter().enumerate() {
        let (dims, k) = ([2, m, n], m.min(n));
        let a = stack::<T>(&dims, seed as u32);
        let given = std::slice::from_ref(&a);
        for full in [false, true] {
            let (left, right) = if full { (m, n) } else { (k, k) };
            let results: [(DType, &[usize]); 3] = [(dtype::<T>(), &[2, m, left]), (DType::F64, &[2, k]), (dtype::<T>(), &[2, right, n])];
            let result = call(svd::<T>, given, json!({"full": full, "vectors": true}), &results).unwrap();
            let values = result[1].to_f64_vec().unwrap();
            let alone = [(dtype::<T>(), &[0][..]), (DType::F64, &[2, k][..]), (dtype::<T>(), &[0][..])];
            let alone = call(svd::<T>, given, json!({"full": full, "vectors": false}), &alone).unwrap();
            assert!(alone[1].to_f64_vec().unwrap().iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-11));
            for (index, (u, vh)) in matrices::<T>(&result[0]).iter().zip(matrices::<T>(&result[2])).enumerate() {
                let values = &values[index * k..][..k];
                assert!(values.windows(2).all(|pair| pair[0] >= pair[1] && pair[1] >= 0.0));
                unitary(u, "U");
                unitary(&vh.adjoint(), "V");
                let scaled = Matrix::from_fn(m, right, |i, j| if j < k { u[(i, j)] * T::real(values[j]) } else { T::real(0.0) });
                close(&scaled.times(&vh), &matrices::<T>(&a)[index], "U diag V^H");
            }
        }
    }
}

fn empty_test<T: Field>() {
    let empty = |dims: &[usize]| tensor::<T>(dims, &[]);
    let own = dtype::<T>();
    let lu = [(own, &[0, 3, 3][..]), (DType::I32, &[0, 3][..]), (DType::I32, &[0][..])];
    assert!(call(lu_factor_ex::<T>, &[empty(&[0, 3, 3])], json!({"pivot": true, "check": true}), &lu).is_ok());
    let svd_dims = [(own, &[4, 4][..]), (DType::F64, &[0][..]), (own, &[0, 0][..])];
    let result = call(svd::<T>, &[empty(&[4, 0])], json!({"full": true, "vectors": true}), &svd_dims).unwrap();
    close(&matrices::<T>(&result[0])[0], &Matrix::identity(4, 4), "U of nothing");
    let qr_dims = [(own, &[3, 3][..]), (own, &[3, 0][..])];
    let result = call(qr::<T>, &[empty(&[3, 0])], json!({"mode": "complete"}), &qr_dims).unwrap();
    close(&matrices::<T>(&result[0])[0], &Matrix::identity(3, 3), "Q of nothing");
    let qr_dims = [(own, &[0, 0][..]), (own, &[0, 3][..])];
    assert!(call(qr::<T>, &[empty(&[0, 3])], json!({"mode": "reduced"}), &qr_dims).is_ok());
    let eigh_dims = [(DType::F64, &[2, 0][..]), (own, &[2, 0, 0][..])];
    assert!(call(eigh::<T>, &[empty(&[2, 0, 0])], json!({"upper": false, "vectors": true}), &eigh_dims).is_ok());
    let solve_dims = [(own, &[0, 2][..]), (own, &[0, 0][..]), (DType::I32, &[0][..]), (DType::I32, &[][..])];
    let flags = json!({"left": true, "vector": false, "check": true});
    assert!(call(solve_ex::<T>, &[empty(&[0, 0]), empty(&[0, 2])], flags, &solve_dims).is_ok());
}
