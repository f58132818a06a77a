//! The judgement of one tensor.
//!
//! ```text
//! |ours - reference| <= 1.5 error64 + rtol |reference| + atol     for each element
//! ```
//!
//! The reference is the float64 run, else PyTorch's own result. NaN equals NaN, an infinity equals the same infinity,
//! integers and bools must be equal. Where PyTorch's own result is not finite but the float64 run is (it overflowed in
//! its dtype), the same value is right too.

use super::case::Tolerance;
use fx_runtime::{DType, HostTensor};

/// What PyTorch computed.
pub struct Golden<'a> {
    /// In the program's own dtype.
    pub result: &'a HostTensor,
    /// In float64.
    pub float64: Option<&'a HostTensor>,
    /// Largest difference between the two.
    pub error64: f64,
}

/// How a tensor compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The largest quotient of difference and bound: right up to 1.
    pub ratio: f64,
    /// What is wrong: a line for the kind, a line for the place.
    pub failure: Option<String>,
}

impl Judgement {
    fn failed(message: String) -> Self {
        Judgement { ratio: f64::INFINITY, failure: Some(message) }
    }
}

/// Compares dtype and shape. Gives what is wrong.
pub fn shape_failure(name: &str, ours: &HostTensor, dtype: DType, dims: &[usize]) -> Option<String> {
    if ours.dtype() != dtype {
        return Some(format!("a result has the wrong dtype\n{name} has dtype {}, expected {dtype}", ours.dtype()));
    }
    if ours.dims() != dims {
        return Some(format!("a result has the wrong shape\n{name} has shape {:?}, expected {dims:?}", ours.dims()));
    }
    None
}

/// Compares a tensor with what PyTorch computed; `name` is for messages.
pub fn compare(name: &str, ours: &HostTensor, golden: &Golden<'_>, tolerance: Tolerance) -> Judgement {
    let (dtype, dims) = (golden.result.dtype(), golden.result.dims());
    if let Some(failure) = shape_failure(name, ours, dtype, dims) {
        return Judgement::failed(failure);
    }
    if !dtype.is_float() && !dtype.is_complex() {
        return compare_exactly(name, ours, golden.result);
    }
    let float64 = golden.float64.unwrap_or(golden.result);
    let (Ok(ours), Ok(result), Ok(float64)) = (reals(ours), reals(golden.result), reals(float64)) else {
        return Judgement::failed(format!("{name} cannot be read as numbers"));
    };
    if float64.len() != result.len() {
        let lens = format!("{} and {} elements", float64.len(), result.len());
        return Judgement::failed(format!("golden data of {name} contradicts itself: {lens}"));
    }
    let bound = |value: f64| 1.5 * golden.error64 + tolerance.rtol * value.abs() + tolerance.atol;
    let mut worst = Worst::default();
    for (index, ((ours, result), float64)) in ours.iter().zip(&result).zip(&float64).enumerate() {
        let overflowed = !result.is_finite() && same(*ours, *result);
        let ratio = if overflowed { 0.0 } else { ratio(*ours, *float64, bound(*float64)) };
        worst.see(index, ratio);
    }
    let parts = if dtype.is_complex() { 2 } else { 1 };
    worst.judgement(|index| {
        let (ours, expected) = (ours[index], float64[index]);
        format!(
            "{name}{} is {ours:?}, expected {expected:?}: the difference {:.3e} is {:.3e} times the bound {:.3e}",
            place(index / parts, dims),
            (ours - expected).abs(),
            worst.ratio,
            bound(expected),
        )
    })
}

/// Integers and bools, by their bytes.
fn compare_exactly(name: &str, ours: &HostTensor, golden: &HostTensor) -> Judgement {
    let size = golden.dtype().size();
    let pairs = ours.bytes().chunks_exact(size).zip(golden.bytes().chunks_exact(size));
    let mut worst = Worst::default();
    for (index, (ours, golden)) in pairs.enumerate() {
        worst.see(index, if ours == golden { 0.0 } else { f64::INFINITY });
    }
    worst.judgement(|index| {
        format!("{name}{} is {}, expected {}", place(index, golden.dims()), integer(ours, index), integer(golden, index))
    })
}

/// The element with the largest ratio, and how many are wrong.
#[derive(Default)]
struct Worst {
    index: usize,
    ratio: f64,
    wrong: usize,
    seen: usize,
}

impl Worst {
    fn see(&mut self, index: usize, ratio: f64) {
        self.seen += 1;
        if ratio > 1.0 {
            self.wrong += 1;
        }
        if ratio > self.ratio {
            (self.index, self.ratio) = (index, ratio);
        }
    }

    fn judgement(&self, describe: impl FnOnce(usize) -> String) -> Judgement {
        let failure = (self.wrong > 0).then(|| {
            format!("values differ from the reference\n{} ({} of {} elements are wrong)", describe(self.index), self.wrong, self.seen)
        });
        Judgement { ratio: self.ratio, failure }
    }
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// The difference as a multiple of the bound; infinite where one is not finite and the other differs.
fn ratio(ours: f64, reference: f64, bound: f64) -> f64 {
    if same(ours, reference) {
        return 0.0;
    }
    let difference = (ours - reference).abs();
    if difference <= bound && reference.is_finite() {
        return (difference / bound).min(1.0); // not above 1 by rounding
    }
    if difference.is_finite() && bound > 0.0 { (difference / bound).max(1.0 + f64::EPSILON) } else { f64::INFINITY }
}

/// Real elements; two for each complex one.
fn reals(tensor: &HostTensor) -> Result<Vec<f64>, fx_runtime::RuntimeError> {
    let real = match tensor.dtype() {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        _ => return tensor.to_f64_vec(),
    };
    HostTensor::from_bytes(real, &[tensor.len() * 2], tensor.bytes())?.to_f64_vec()
}

/// An integer element as text; exact, unlike a double.
fn integer(tensor: &HostTensor, index: usize) -> String {
    if let Ok(values) = tensor.as_slice::<i64>() {
        return values.get(index).map(i64::to_string).unwrap_or_default();
    }
    let values = tensor.to_f64_vec().unwrap_or_default();
    match (values.get(index), tensor.dtype()) {
        (Some(value), DType::Bool) => (*value != 0.0).to_string(),
        (Some(value), _) => value.to_string(),
        (None, _) => String::new(),
    }
}

/// `[1, 2]`, the place of an element; nothing for a tensor without dims.
fn place(index: usize, dims: &[usize]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let mut rest = index;
    let mut place: Vec<String> = Vec::with_capacity(dims.len());
    for dim in dims.iter().rev() {
        place.push((rest % dim.max(&1)).to_string());
        rest /= dim.max(&1);
    }
    place.reverse();
    format!("[{}]", place.join(", "))
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
