//! Distinct elements and slices: (output, inverse, counts).

use super::{Key, keys};
use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::ops::Entry;
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.unique2", |call| {
        let input = call.array("input")?;
        distinct(call, &input.reshape(&[input.len()])?, None, true)
    }),
    ("fx.unique_consecutive", |call| {
        let input = call.array("input")?;
        match call.has("dim") {
            false => distinct(call, &input.reshape(&[input.len()])?, None, false),
            true => distinct(call, input, Some(call.dim("dim", input.rank())?), false),
        }
    }),
    ("fx.unique_dim", |call| {
        let input = call.array("input")?;
        distinct(call, input, Some(call.dim("dim", input.rank())?), true)
    }),
];

/// The keys of each slice along a dim, in row-major order. An array without dims is one slice.
fn slices(array: &Array, dim: usize) -> Result<Vec<Vec<Key>>> {
    if array.rank() == 0 {
        return Ok(vec![keys(array)]);
    }
    (0..array.size(dim)).map(|i| Ok(keys(&array.select(dim, i)?))).collect()
}

/// NaN equals nothing.
fn equal(a: &[Key], b: &[Key]) -> bool {
    a == b && !a.contains(&Key::Nan)
}

/// The first of each run of equal slices along `dim` (without it, of elements), after sorting them if that is asked for.
fn distinct(call: &Call<'_>, array: &Array, dim: Option<usize>, sorts: bool) -> Result<Vec<Value>> {
    let along = dim.unwrap_or(0);
    let slices = slices(array, along)?;
    let mut order: Vec<usize> = (0..slices.len()).collect();
    if sorts {
        order.sort_by(|a, b| slices[*a].cmp(&slices[*b]));
    }
    let (mut firsts, mut counts, mut inverse): (Vec<usize>, Vec<i64>, Vec<i64>) = (vec![], vec![], vec![0; slices.len()]);
    let mut before: Option<usize> = None;
    for place in order {
        match counts.last_mut().filter(|_| before.is_some_and(|before| equal(&slices[before], &slices[place]))) {
            Some(count) => *count += 1,
            None => {
                firsts.push(place);
                counts.push(1);
            }
        }
        inverse[place] = counts.len() as i64 - 1;
        before = Some(place);
    }
    let mut shape = array.shape().to_vec();
    let output = match shape.get_mut(along) {
        None => array.reshape(&[1])?,
        Some(size) => {
            *size = firsts.len();
            array.pick(&shape, |index| {
                let mut index = index.to_vec();
                index[along] = firsts[index[along]];
                index
            })?
        }
    };
    // without `dim` the inverse has the input's shape; what is not asked for is empty
    let shape = if dim.is_some() { vec![inverse.len()] } else { call.array("input")?.shape().to_vec() };
    let or_empty = |wanted: &str, shape: &[usize], values: Vec<i64>| match dim.is_some() || call.bool(wanted) {
        true => Array::new(DType::I64, shape, values),
        false => Array::new(DType::I64, &[0], Vec::<i64>::new()),
    };
    let count = counts.len();
    Ok(vec![output.into(), or_empty("return_inverse", &shape, inverse)?.into(), or_empty("return_counts", &[count], counts)?.into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality() {
        let (one, two) = (Key::Number(1), Key::Number(2));
        assert!(equal(&[one, two], &[one, two]) && !equal(&[one], &[two]) && !equal(&[Key::Nan], &[Key::Nan]));
        assert_eq!([one, two].cmp(&[one, Key::Nan]), std::cmp::Ordering::Less);
    }
}
