//! Elements by their order: extrema with their places, order statistics, sorting.

pub(in crate::ops) mod unique;
mod unstable;

use std::cmp::Reverse;

use super::reduction::check_some;
use super::{Entry, one};
use crate::Result;
use crate::array::{Array, Category, DType};
use crate::call::Call;
use crate::value::{Number, Value};
use unstable::Places;

pub(super) static OPS: &[Entry] = &[
    ("fx.aminmax", |call| {
        let [[min, _], [max, _]] = [place(call, first_least)?, place(call, first_greatest)?];
        Ok(vec![min.into(), max.into()])
    }),
    ("fx.argmax", |call| one(place(call, first_greatest)?[1].clone())),
    ("fx.argmin", |call| one(place(call, first_least)?[1].clone())),
    ("fx.argsort", |call| one(sort(call, call.bool("descending"))?[1].clone())),
    ("fx.kthvalue", |call| {
        let input = call.array("input")?;
        let (k, size) = (call.size("k")?.unwrap_or(0), input.size(call.dim("dim", input.rank())?));
        let place = usize::try_from(k - 1).ok().filter(|place| *place < size).ok_or_else(|| format!("has k {k} for size {size}"))?;
        select(call, |keys| {
            let before = |i: usize, j: usize| keys[i] < keys[j];
            let mut places = Places::new(keys.len(), &before);
            places.quickselect(place);
            places.done()[place]
        })
    }),
    ("fx.max_dim", |call| select(call, first_greatest)),
    ("fx.median", |call| median_of_all(call, median)),
    ("fx.median_dim", |call| select(call, median)),
    ("fx.min_dim", |call| select(call, first_least)),
    ("fx.mode", |call| select(call, mode)),
    ("fx.nanmedian", |call| median_of_all(call, nanmedian)),
    ("fx.nanmedian_dim", |call| select(call, nanmedian)),
    ("fx.sort", |call| Ok(sort(call, call.bool("descending"))?.map(Value::from).into())),
    ("fx.topk", topk),
];

/// An element's place in the order of its kind: -0 equals 0, NaN is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ops) enum Key {
    /// An integer, or the bits of a float such that they have its order.
    Number(i64),
    /// Not a number.
    Nan,
}

/// The order of a float.
fn float_key(x: f64) -> Key {
    match x.to_bits() as i64 {
        _ if x.is_nan() => Key::Nan,
        bits if bits < 0 => Key::Number(i64::MIN.wrapping_sub(bits)),
        bits => Key::Number(bits),
    }
}

/// The keys of all elements.
pub(in crate::ops) fn keys(array: &Array) -> Vec<Key> {
    match array.category() {
        Category::Float | Category::Complex => array.values::<f64>().into_iter().map(float_key).collect(),
        Category::Int | Category::Bool => array.values::<i64>().into_iter().map(Key::Number).collect(),
    }
}

/// The elements at `length` places of each lane along `dim`, and these places.
pub(in crate::ops) fn pick_along(
    array: &Array,
    dim: usize,
    length: usize,
    mut places: impl FnMut(&[Key]) -> Vec<usize>,
) -> Result<[Array; 2]> {
    let keys = keys(array);
    let offsets = Array::new(DType::I64, array.shape(), (0..array.len() as i64).collect())?;
    let indices = offsets.lanes(DType::I64, dim, length, |lane: &[i64]| {
        let lane: Vec<Key> = lane.iter().map(|offset| keys[*offset as usize]).collect();
        places(&lane).into_iter().map(|place| place as i64).collect::<Vec<i64>>()
    })?;
    let mut next = indices.values::<i64>().into_iter();
    let values = array.pick(indices.shape(), |index| {
        let mut source = index.to_vec();
        if let (Some(place), Some(i)) = (source.get_mut(dim), next.next()) {
            *place = i as usize;
        }
        source
    })?;
    Ok([values, indices])
}

/// The places of a lane in increasing order; equal elements keep theirs.
fn sorted(keys: &[Key]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by_key(|place| keys[*place]);
    places
}

/// The first of the greatest elements.
fn first_greatest(keys: &[Key]) -> usize {
    (0..keys.len()).max_by_key(|i| (keys[*i], Reverse(*i))).unwrap_or(0)
}

/// The first NaN, or of the least elements.
fn first_least(keys: &[Key]) -> usize {
    (0..keys.len()).min_by_key(|i| (keys[*i] != Key::Nan, keys[*i], *i)).unwrap_or(0)
}

/// Element floor((n - 1) / 2) in increasing order, of equal ones that which stable sorting puts there; the first NaN.
fn median(keys: &[Key]) -> usize {
    keys.iter().position(|key| *key == Key::Nan).unwrap_or_else(|| nanmedian(keys))
}

/// The median of the elements that are not NaN.
fn nanmedian(keys: &[Key]) -> usize {
    let count = keys.iter().filter(|key| **key != Key::Nan).count();
    sorted(keys)[count.saturating_sub(1) / 2]
}

/// The place of the most frequent element, of the least such: the last of them after `std::sort`. Each NaN differs from all
/// others.
fn mode(keys: &[Key]) -> usize {
    let before = |i: usize, j: usize| keys[i] < keys[j];
    let mut places = Places::new(keys.len(), &before);
    places.sort(keys.len());
    let order = places.done();
    let (mut best, mut most, mut count) = (0, 0, 0);
    for (i, place) in order.iter().enumerate() {
        count += 1;
        let ends = order.get(i + 1).is_none_or(|next| keys[*next] != keys[*place] || keys[*place] == Key::Nan);
        if ends && count > most {
            (best, most) = (*place, count);
        }
        if ends {
            count = 0;
        }
    }
    best
}

/// One element per lane along `dim`, and its place.
fn selected(array: &Array, dim: usize, keepdim: bool, place: impl Fn(&[Key]) -> usize) -> Result<[Array; 2]> {
    if array.rank() > 0 {
        check_some(array, &[dim])?;
    }
    let picked = pick_along(array, dim, 1, |keys| vec![place(keys)])?;
    let mut shape = picked[1].shape().to_vec();
    if !keepdim && dim < shape.len() {
        shape.remove(dim);
    }
    let [values, indices] = picked;
    Ok([values.reshape(&shape)?, indices.reshape(&shape)?])
}

fn select(call: &Call<'_>, place: impl Fn(&[Key]) -> usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    Ok(selected(input, call.dim("dim", input.rank())?, call.bool("keepdim"), place)?.map(Value::from).into())
}

/// One element along `dim`, or of all in row-major order, and its place.
fn place(call: &Call<'_>, place: impl Fn(&[Key]) -> usize) -> Result<[Array; 2]> {
    let (input, keepdim) = (call.array("input")?, call.bool("keepdim"));
    if call.has("dim") {
        return selected(input, call.dim("dim", input.rank())?, keepdim, place);
    }
    let [values, indices] = selected(&input.reshape(&[input.len()])?, 0, false, place)?;
    let shape = vec![1; if keepdim { input.rank() } else { 0 }];
    Ok([values.reshape(&shape)?, indices.reshape(&shape)?])
}

fn median_of_all(call: &Call<'_>, median: impl Fn(&[Key]) -> usize) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    if input.is_empty() {
        return one(Array::scalar(input.dtype(), Number::Float(f64::NAN)));
    }
    one(selected(&input.reshape(&[input.len()])?, 0, false, median)?[0].clone())
}

/// All elements along `dim` in order, and their places; equal ones keep their order.
fn sort(call: &Call<'_>, descending: bool) -> Result<[Array; 2]> {
    let input = call.array("input")?;
    let dim = call.dim("dim", input.rank())?;
    pick_along(input, dim, input.size(dim), |keys| in_order(keys, descending))
}

fn in_order(keys: &[Key], descending: bool) -> Vec<usize> {
    if !descending {
        return sorted(keys);
    }
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by_key(|place| Reverse(keys[*place]));
    places
}

fn topk(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dim = call.dim("dim", input.rank())?;
    let (k, size) = (call.size("k")?.unwrap_or(0), input.size(dim));
    let length = usize::try_from(k).ok().filter(|k| *k <= size).ok_or_else(|| format!("has k {k} for size {size}"))?;
    let flag = |name: &str| call.optional_bool(name).unwrap_or(true);
    let (largest, sorted) = (flag("largest"), flag("sorted"));
    let picked = pick_along(input, dim, length, |keys| {
        let before = |i: usize, j: usize| if largest { keys[i] > keys[j] } else { keys[i] < keys[j] };
        let mut places = Places::new(size, &before);
        // ATen/native/TopKImpl.h
        match length.checked_sub(1).filter(|_| length * 64 > size) {
            None => places.sort_first(length),
            Some(last) => {
                places.select(last);
                if sorted {
                    places.sort(last);
                }
            }
        }
        places.done()[..length].to_vec()
    })?;
    Ok(picked.map(Value::from).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Vec<Key> {
        values.iter().map(|x| float_key(*x)).collect()
    }

    #[test]
    fn order_of_floats() {
        let keys = of(&[f64::NEG_INFINITY, -2.0, -1e-320, -0.0, 1e-320, 2.0, f64::INFINITY, f64::NAN]);
        assert!(keys.is_sorted_by(|a, b| a < b));
        assert_eq!(float_key(0.0), float_key(-0.0));
    }

    #[test]
    fn places() {
        const NAN: f64 = f64::NAN;
        let keys = of(&[2.0, 5.0, 5.0, 1.0, 1.0]);
        assert_eq!((first_greatest(&keys), first_least(&keys), median(&keys), mode(&keys)), (1, 3, 0, 4));
        let keys = of(&[3.0, NAN, 1.0, NAN]);
        assert_eq!((first_greatest(&keys), first_least(&keys), median(&keys), nanmedian(&keys), mode(&keys)), (1, 1, 1, 2, 2));
        assert_eq!((nanmedian(&of(&[NAN, NAN])), mode(&of(&[NAN, NAN]))), (0, 0));
        assert_eq!(in_order(&of(&[1.0, NAN, 1.0, 2.0]), true), [1, 3, 0, 2]);
        assert_eq!(in_order(&of(&[1.0, NAN, 1.0, 2.0]), false), [0, 2, 3, 1]);
    }
}
