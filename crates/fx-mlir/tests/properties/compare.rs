//! When two results agree.
//!
//! Integers and truth values are equal. NaN agrees with NaN alone, whatever its bits. The evaluator computes in double
//! precision and rounds once; how far compiled code may be from that depends on the op:
//!
//! * [`Class::Exact`]: elements are moved, chosen or compared. Bits agree, the sign of 0 included.
//! * [`Class::Ulps`]: one element from one of each operand. The code computes in the operand's precision (half precision
//!   in f32) with functions that are good to a few units in the last place. An operation on complex numbers is several on
//!   their parts: four times as many units.
//! * [`Class::Stable`]: sums, and whatever is made of several roundings. A stable algorithm gives the exact result of
//!   operands that are off by about a unit in the last place (Higham 2002, 1.5): the evaluator says how much that moves each
//!   element (its spread), which is small where the op is well conditioned and large where terms cancel. Errors of n roundings
//!   add up as a random walk, hence the square root of the number of elements.
//! * [`Class::Function`]: the same for series of special functions. Those of the evaluator are good to 1e-14 of max(1, |y|),
//!   which counts in double precision.
//! * [`Class::Terms`]: the formula, in eager too, has terms as large as the largest operand, which cancel: units in the last
//!   place of the operand count.
//! * [`Class::Norm`]: linear algebra and transforms are stable as a whole: the largest spread and the largest element
//!   count for all elements.
//! * [`Class::Shape`]: values are free (random numbers, signs of eigenvectors): only type and sizes count.

use fx_interp::array::{Category, category, largest, next_after, real_part};
use fx_interp::{Array, Complex, DType};
use fx_runtime::Value;

/// How closely results agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Class {
    /// Bit by bit.
    Exact,
    /// Up to so many units in the last place.
    Ulps(f64),
    /// The same, and what operands that are off by one unit change in the element.
    Stable(f64),
    /// The same, of a function that the evaluator knows to 1e-14.
    Function(f64),
    /// The same, and units in the last place of the largest operand.
    Terms(f64),
    /// As `Stable`, over all elements.
    Norm(f64),
    /// In type and sizes alone.
    Shape,
}

impl Class {
    /// Whether changed operands must be evaluated.
    pub fn needs_spread(self) -> bool {
        !matches!(self, Class::Exact | Class::Ulps(_) | Class::Shape)
    }
}

/// A value as numbers, real and imaginary parts apart.
struct Numbers {
    dtype: DType,
    shape: Vec<usize>,
    reals: Vec<f64>,
    ints: Vec<i64>,
}

fn numbers(value: &Value) -> Result<Numbers, String> {
    let number = |dtype, reals, ints| Numbers { dtype, shape: Vec::new(), reals, ints };
    Ok(match value {
        Value::Tensor(tensor) => {
            let array = Array::from_tensor(tensor)?;
            let (dtype, shape) = (array.dtype(), array.shape().to_vec());
            let reals = match category(dtype) {
                Category::Complex => array.values::<Complex>().into_iter().flat_map(|z| [z.re, z.im]).collect(),
                Category::Float => array.values::<f64>(),
                _ => Vec::new(),
            };
            let ints = if reals.is_empty() && !array.is_empty() { array.values::<i64>() } else { Vec::new() };
            Numbers { dtype, shape, reals, ints }
        }
        Value::Int(x) => number(DType::I64, Vec::new(), vec![*x]),
        Value::Float(x) => number(DType::F64, vec![*x], Vec::new()),
        Value::Bool(x) => number(DType::Bool, Vec::new(), vec![i64::from(*x)]),
        Value::Device(_) => return Err("a tensor of the GPU".into()),
    })
}

/// The distance of neighbours at `x`.
fn ulp(dtype: DType, x: f64) -> f64 {
    if !x.is_finite() {
        return 0.0;
    }
    let x = x.abs();
    let above = next_after(dtype, x, f64::INFINITY) - x;
    if above.is_finite() { above } else { x - next_after(dtype, x, 0.0) }
}

/// For each number of a result, how much changed operands moved it.
pub fn spread(reference: &Value, changed: &[&Value]) -> Result<Vec<f64>, String> {
    let own = numbers(reference)?.reals;
    let mut spread = vec![0f64; own.len()];
    for value in changed {
        let other = numbers(value)?.reals;
        if other.len() != own.len() {
            return Ok(vec![f64::INFINITY; own.len()]);
        }
        for (place, (a, b)) in spread.iter_mut().zip(own.iter().zip(&other)) {
            let same = a == b || (a.is_nan() && b.is_nan());
            let distance = if same { 0.0 } else { (a - b).abs() };
            *place = place.max(if distance.is_nan() { f64::INFINITY } else { distance });
        }
    }
    Ok(spread)
}

/// What a case says about the size of errors.
pub struct Scale<'a> {
    /// For each number, how much changed operands moved it.
    pub spread: &'a [f64],
    /// The number of elements of the largest operand.
    pub elements: usize,
    /// The largest number of the operands.
    pub largest: f64,
}

/// How far each number may be off.
fn tolerances(class: Class, reference: &Numbers, spread: &[f64], scale: &Scale<'_>) -> Vec<f64> {
    let elements = scale.elements;
    let part = real_part(reference.dtype);
    // half precision computes in f32
    let wide = if part == DType::F64 { part } else { DType::F32 };
    let pair = if category(reference.dtype) == Category::Complex { 2 } else { 1 };
    let walk = (elements.max(1) as f64).sqrt();
    let modulus = |i: usize| reference.reals[i / pair * pair..][..pair].iter().map(|x| x.abs()).fold(0.0, f64::max);
    let most = |values: &mut dyn Iterator<Item = f64>| values.filter(|x| x.is_finite()).fold(0.0, f64::max);
    let top = most(&mut reference.reals.iter().map(|x| x.abs()));
    let widest = spread.iter().copied().fold(0.0, f64::max);
    let own = |i: usize| spread[i / pair * pair..][..pair].iter().copied().fold(0.0, f64::max);
    (0..reference.reals.len())
        .map(|i| match class {
            Class::Exact | Class::Shape => 0.0,
            Class::Ulps(count) => count * (pair * pair) as f64 * ulp(part, modulus(i)),
            Class::Stable(count) => count * ulp(part, modulus(i)) + 4.0 * walk * own(i),
            Class::Function(count) => {
                let series = if part == DType::F64 { 64.0 * ulp(part, modulus(i).max(1.0)) } else { 0.0 };
                count * ulp(part, modulus(i)) + 4.0 * walk * own(i) + series
            }
            Class::Terms(count) => count * (ulp(part, modulus(i)) + ulp(wide, scale.largest.max(modulus(i)))) + 4.0 * walk * own(i),
            Class::Norm(count) => walk * (count * ulp(part, top) + 4.0 * widest),
        })
        .collect()
}

fn agree(class: Class, dtype: DType, a: f64, b: f64, tolerance: f64) -> bool {
    if a.is_nan() || b.is_nan() {
        return (a.is_nan() && b.is_nan()) || tolerance == f64::INFINITY;
    }
    if class == Class::Exact {
        return a.to_bits() == b.to_bits();
    }
    if a == b || (a - b).abs() <= tolerance {
        return true;
    }
    // a unit in the last place decides whether the largest numbers overflow
    let near = 0.99 * largest(dtype);
    a.is_infinite() != b.is_infinite() && a.signum() == b.signum() && a.abs() >= near && b.abs() >= near
}

/// What is wrong with a result, if anything.
pub fn difference(class: Class, ours: &Value, reference: &Value, scale: &Scale<'_>) -> Result<Option<String>, String> {
    let (ours, reference) = (numbers(ours)?, numbers(reference)?);
    if (ours.dtype, &ours.shape) != (reference.dtype, &reference.shape) {
        return Ok(Some(format!(
            "compiled: {} of shape {:?}, reference: {} of shape {:?}",
            ours.dtype, ours.shape, reference.dtype, reference.shape
        )));
    }
    if class == Class::Shape {
        return Ok(None);
    }
    let place = |i: usize, pair: usize| fx_interp::array::unravel(i / pair, &reference.shape);
    if let Some(i) = (0..ours.ints.len()).find(|i| ours.ints[*i] != reference.ints[*i]) {
        return Ok(Some(format!("at {:?} compiled {}, reference {}", place(i, 1), ours.ints[i], reference.ints[i])));
    }
    let known = scale.spread.len() == reference.reals.len();
    let spread = if known { scale.spread.to_vec() } else { vec![0.0; reference.reals.len()] };
    let tolerances = tolerances(class, &reference, &spread, scale);
    let pair = if category(reference.dtype) == Category::Complex { 2 } else { 1 };
    let part = real_part(reference.dtype);
    let wrong = (0..ours.reals.len()).filter(|i| !agree(class, part, ours.reals[*i], reference.reals[*i], tolerances[*i]));
    let error = |i: &usize| (ours.reals[*i] - reference.reals[*i]).abs();
    let worst = wrong.max_by(|a, b| error(a).total_cmp(&error(b)));
    Ok(worst.map(|i| {
        let units = error(&i) / ulp(part, reference.reals[i]);
        format!(
            "at {:?} compiled {:e}, reference {:e}: off by {units:.1} units in the last place, allowed {:.1}",
            place(i, pair),
            ours.reals[i],
            reference.reals[i],
            tolerances[i] / ulp(part, reference.reals[i])
        )
    }))
}
