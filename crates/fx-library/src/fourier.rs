//! Discrete Fourier transforms over several dims, in double precision.

use crate::Function;
use crate::doubles;
use crate::typed::Arguments;
use fx_runtime::{HostTensor, OpCall};
use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftPlanner};
use std::cell::RefCell;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[("fx::fft", fft)];

type Complex64 = Complex<f64>;

thread_local! {
    /// Plans of transforms by length, which cost more than a short transform.
    static PLANNER: RefCell<FftPlanner<f64>> = RefCell::new(FftPlanner::new());
}

/// `fx::fft`: `y[f] = s * sum_n x[n] * exp(-+2 pi i * sum_d f_d n_d / N_d)`, with - if forward.
///
/// Tensor: x. Attributes: `dim`, the transformed dims, the last of which may be halved; `forward`; `normalization`, 0: s = 1,
/// 1: s = 1 / sqrt(N), 2: s = 1 / N. The result says the rest: complex from real in full or halved (by its size), complex
/// from complex, or real from the halved complex numbers of a symmetric transform.
fn fft(call: &OpCall<'_>) -> Result<Vec<HostTensor>, String> {
    let (input, result) = (call.tensor(0)?, call.result(0)?);
    let sizes = call.dims(0)?;
    let dims = dims(call, input.dims().len())?;
    let direction = if doubles::option(call, "forward")? { FftDirection::Forward } else { FftDirection::Inverse };
    let mut grid = Grid { dims: input.dims().to_vec(), data: doubles::read(input)? };
    let to_real = !result.dtype.is_complex();
    // The halved dim is the first of a forward transform and the last of a backward one.
    if let Some((last, others)) = dims.split_last() {
        if to_real {
            others.iter().for_each(|dim| grid.transform(*dim, direction));
            grid.become_real(*last, sizes[*last], direction)?;
        } else {
            grid.transform(*last, direction);
            grid.truncate(*last, sizes[*last]);
            others.iter().for_each(|dim| grid.transform(*dim, direction));
        }
    }
    let signal = if to_real { &sizes } else { input.dims() };
    let count: f64 = dims.iter().map(|dim| signal[*dim] as f64).product();
    match call.attributes.get("normalization").and_then(|value| value.as_i64()).unwrap_or(0) {
        1 => grid.scale(1.0 / count.sqrt()),
        2 => grid.scale(1.0 / count),
        _ => {}
    }
    Ok(vec![doubles::rounded(call, 0, &grid.data)?])
}

/// The attribute `dim`.
fn dims(call: &OpCall<'_>, rank: usize) -> Result<Vec<usize>, String> {
    let list = call.attributes.get("dim").and_then(|value| value.as_array()).ok_or("lacks the list 'dim'")?;
    list.iter()
        .map(|dim| {
            let dim = dim.as_u64().and_then(|dim| usize::try_from(dim).ok()).filter(|dim| *dim < rank);
            dim.ok_or_else(|| format!("'dim' names no dim of a tensor of rank {rank}"))
        })
        .collect()
}

/// Complex numbers in row-major order.
struct Grid {
    dims: Vec<usize>,
    data: Vec<Complex64>,
}

impl Grid {
    /// Replaces each line along `dim` by the `size` numbers that `change` leaves in it.
    fn change_lines(&mut self, dim: usize, size: usize, mut change: impl FnMut(&mut Vec<Complex64>)) {
        let inner: usize = self.dims[dim + 1..].iter().product();
        let outer: usize = self.dims[..dim].iter().product();
        let old = std::mem::replace(&mut self.dims[dim], size);
        let mut data = vec![Complex64::ZERO; outer * size * inner];
        let mut line = Vec::with_capacity(old.max(size));
        for place in 0..outer * inner {
            let (outer, inner_place) = (place / inner, place % inner);
            line.clear();
            line.extend((0..old).map(|i| self.data[(outer * old + i) * inner + inner_place]));
            change(&mut line);
            for (i, value) in line.iter().take(size).enumerate() {
                data[(outer * size + i) * inner + inner_place] = *value;
            }
        }
        self.data = data;
    }

    fn transform(&mut self, dim: usize, direction: FftDirection) {
        let size = self.dims[dim];
        let plan = PLANNER.with_borrow_mut(|planner| planner.plan_fft(size, direction));
        let mut scratch = vec![Complex64::ZERO; plan.get_inplace_scratch_len()];
        self.change_lines(dim, size, |line| plan.process_with_scratch(line, &mut scratch));
    }

    /// The first `size` numbers of each line.
    fn truncate(&mut self, dim: usize, size: usize) {
        if size != self.dims[dim] {
            self.change_lines(dim, size, |_| {});
        }
    }

    /// Lines of `size` real numbers from the first `size / 2 + 1` of their transforms, which are symmetric: `X[N - f]` is
    /// the conjugate of `X[f]`, so `X[0]` and the middle one are real whatever the operand says.
    fn become_real(&mut self, dim: usize, size: usize, direction: FftDirection) -> Result<(), String> {
        let half = size / 2 + 1;
        if size == 0 || self.dims[dim] < half {
            return Err(format!("expects {half} numbers along dim {dim} for {size} real ones, got {}", self.dims[dim]));
        }
        self.change_lines(dim, size, |line| {
            line.truncate(half);
            line[0].im = 0.0;
            if size.is_multiple_of(2) {
                line[half - 1].im = 0.0;
            }
            line.extend(line[1..size - half + 1].iter().rev().map(|value| value.conj()).collect::<Vec<_>>());
        });
        self.transform(dim, direction);
        Ok(())
    }

    fn scale(&mut self, factor: f64) {
        self.data.iter_mut().for_each(|value| *value *= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubles::testing::{call, complex, numbers};
    use fx_runtime::DType;
    use serde_json::json;
    use std::f64::consts::PI;

    fn waves(count: usize) -> Vec<[f64; 2]> {
        (0..count).map(|i| [(i as f64 * 1.7).sin(), (i as f64 * 0.9 + 0.3).cos()]).collect()
    }

    /// The sum that defines the transform, over all dims of `dims` that are listed.
    fn sum(x: &[[f64; 2]], dims: &[usize], over: &[usize], sign: f64) -> Vec<[f64; 2]> {
        let place = |mut i: usize| {
            let mut indices = vec![0; dims.len()];
            for (index, size) in indices.iter_mut().zip(dims).rev() {
                (*index, i) = (i % size, i / size);
            }
            indices
        };
        let places: Vec<_> = (0..x.len()).map(place).collect();
        let transform = |f: &Vec<usize>| {
            let mut total = Complex64::ZERO;
            for (n, x) in places.iter().zip(x) {
                if (0..dims.len()).all(|d| over.contains(&d) || n[d] == f[d]) {
                    let turns: f64 = over.iter().map(|d| (n[*d] * f[*d]) as f64 / dims[*d] as f64).sum();
                    total += Complex64::new(x[0], x[1]) * Complex64::from_polar(1.0, sign * 2.0 * PI * turns);
                }
            }
            [total.re, total.im]
        };
        places.iter().map(transform).collect()
    }

    fn close(a: &[[f64; 2]], b: &[[f64; 2]], bound: f64) {
        assert_eq!(a.len(), b.len());
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            assert!((a[0] - b[0]).abs() < bound && (a[1] - b[1]).abs() < bound, "{i}: {a:?} {b:?}");
        }
    }

    #[test]
    fn complex_numbers_over_some_dims() {
        let (dims, x) = ([3, 4, 5], waves(60));
        for (over, forward, normalization) in [(vec![0, 2], true, 0), (vec![1], false, 1), (vec![2, 1, 0], false, 2), (vec![], true, 2)] {
            let attributes = json!({"dim": over, "forward": forward, "normalization": normalization});
            let result = call(fft, &[complex(&dims, &x)], attributes, &[(DType::C128, &dims)]).unwrap();
            let count: usize = over.iter().map(|d| dims[*d]).product();
            let scale = [1.0, 1.0 / (count as f64).sqrt(), 1.0 / count as f64][normalization];
            let expected = sum(&x, &dims, &over, if forward { -1.0 } else { 1.0 });
            close(&numbers(&result[0]), &expected.iter().map(|x| [x[0] * scale, x[1] * scale]).collect::<Vec<_>>(), 1e-13);
        }
    }

    #[test]
    fn halved_transforms_of_real_numbers_go_there_and_back() {
        for last in [1, 2, 5, 6, 7, 17] {
            let dims = [4, last];
            let x: Vec<f64> = waves(4 * last).iter().map(|x| x[0]).collect();
            let input = HostTensor::from_slice(&dims, &x).unwrap();
            let there = |size: usize| {
                let attributes = json!({"dim": [0, 1], "forward": true, "normalization": 0});
                call(fft, std::slice::from_ref(&input), attributes, &[(DType::C128, &[4, size])]).unwrap().remove(0)
            };
            let full = sum(&x.iter().map(|x| [*x, 0.0]).collect::<Vec<_>>(), &dims, &[0, 1], -1.0);
            let half = last / 2 + 1;
            close(&numbers(&there(last)), &full, 1e-12);
            let expected: Vec<_> = full.chunks(last).flat_map(|row| row[..half].to_vec()).collect();
            close(&numbers(&there(half)), &expected, 1e-12);
            let attributes = json!({"dim": [0, 1], "forward": false, "normalization": 2});
            let back = call(fft, &[there(half)], attributes, &[(DType::F64, &dims)]).unwrap();
            assert!(back[0].to_f64_vec().unwrap().iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14));
        }
    }

    #[test]
    fn imaginary_parts_that_a_symmetric_transform_lacks_do_not_count() {
        let attributes = json!({"dim": [0], "forward": false, "normalization": 0});
        let result = call(fft, &[complex(&[3], &[[1.0, 9.0], [0.5, 0.25], [2.0, -7.0]])], attributes, &[(DType::F64, &[4])]).unwrap();
        assert_eq!(result[0].to_f64_vec().unwrap(), [4.0, -1.5, 2.0, -0.5]);
    }

    #[test]
    fn empty_tensors_and_short_operands() {
        let attributes = || json!({"dim": [1], "forward": true, "normalization": 1});
        let result = call(fft, &[complex(&[0, 4], &[])], attributes(), &[(DType::C128, &[0, 4])]).unwrap();
        assert!(result[0].is_empty());
        let result = call(fft, &[complex(&[2, 0], &[])], attributes(), &[(DType::C128, &[2, 0])]).unwrap();
        assert!(result[0].is_empty());
        let attributes = json!({"dim": [0], "forward": false, "normalization": 0});
        let error = call(fft, &[complex(&[2], &waves(2))], attributes, &[(DType::F64, &[6])]).unwrap_err();
        assert_eq!(error, "expects 4 numbers along dim 0 for 6 real ones, got 2");
    }
}
