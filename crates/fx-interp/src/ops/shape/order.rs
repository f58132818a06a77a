//! Dims and elements in another order.

use crate::Result;
use crate::array::{Array, Category, Complex};
use crate::call::{Call, normalize};
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[
    ("fx.adjoint", |call| {
        let input = call.array("input")?;
        let turned = if input.rank() == 0 { input.clone() } else { last_two(input)? };
        one(if turned.category() == Category::Complex { turned.map(turned.dtype(), Complex::conj)? } else { turned })
    }),
    ("fx.flip", |call| {
        let input = call.array("input")?;
        one(flip(input, &distinct(&call.ints("dims")?, input.rank())?)?)
    }),
    ("fx.movedim", |call| {
        let input = call.array("input")?;
        let rank = input.rank();
        let (source, destination) = (distinct(&call.ints("source")?, rank)?, distinct(&call.ints("destination")?, rank)?);
        one(if rank == 0 { input.clone() } else { input.permute(&moved(&source, &destination, rank)?)? })
    }),
    ("fx.numpy_T", |call| {
        let input = call.array("input")?;
        one(input.permute(&(0..input.rank()).rev().collect::<Vec<_>>())?)
    }),
    ("fx.permute", |call| {
        let input = call.array("input")?;
        one(input.permute(&distinct(&call.ints("dims")?, input.rank())?)?)
    }),
    ("fx.roll", roll),
    ("fx.rot90", rot90),
    ("fx.t", |call| {
        let input = call.array("input")?;
        one(match input.rank() {
            0 | 1 => input.clone(),
            2 => input.permute(&[1, 0])?,
            rank => return Err(format!("has rank {rank}, expected at most 2")),
        })
    }),
    ("fx.transpose", |call| {
        let input = call.array("input")?;
        let dims = [call.dim("dim0", input.rank())?, call.dim("dim1", input.rank())?];
        one(if input.rank() == 0 { input.clone() } else { input.transpose(dims[0], dims[1])? })
    }),
];

/// Dims counted from 0, none twice.
fn distinct(dims: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut normal: Vec<usize> = Vec::new();
    for dim in dims {
        let dim = normalize(*dim, rank)?;
        if normal.contains(&dim) {
            return Err(format!("names dim {dim} twice: {dims:?}"));
        }
        normal.push(dim);
    }
    Ok(normal)
}

fn last_two(input: &Array) -> Result<Array> {
    let last = input.rank().checked_sub(2).ok_or("has one dim, expected two")?;
    input.transpose(last, last + 1)
}

/// The order of dims in which dim `source[k]` is at `destination[k]` and the others keep theirs.
fn moved(source: &[usize], destination: &[usize], rank: usize) -> Result<Vec<usize>> {
    if source.len() != destination.len() {
        return Err(format!("moves dims {source:?} to {destination:?}"));
    }
    let mut others = (0..rank).filter(|dim| !source.contains(dim));
    let dim_at = |place| match destination.iter().position(|other| *other == place) {
        Some(k) => source.get(k).copied(),
        None => others.next(),
    };
    (0..rank).map(dim_at).collect::<Option<Vec<_>>>().ok_or_else(|| "internal bug: a dim is lost".into())
}

/// Elements in reverse order along `dims`.
pub(super) fn flip(input: &Array, dims: &[usize]) -> Result<Array> {
    let shape = input.shape();
    input.pick(shape, |index| {
        let place = |(dim, i): (usize, &usize)| if dims.contains(&dim) { shape[dim] - 1 - i } else { *i };
        index.iter().enumerate().map(place).collect()
    })
}

/// `y[.., (i + shift) mod n, ..] = input[.., i, ..]`
fn rolled(input: &Array, dim: usize, shift: i64) -> Result<Array> {
    let shape = input.shape();
    input.pick(shape, |index| {
        let mut source = index.to_vec();
        let size = shape[dim] as i64;
        source[dim] = (index[dim] as i64 - shift.rem_euclid(size)).rem_euclid(size) as usize;
        source
    })
}

/// Dim after dim, or the flattened tensor without dims.
fn roll(call: &Call<'_>) -> Result<Vec<Value>> {
    let (input, shifts) = (call.array("input")?, call.sizes("shifts")?);
    let dims = call.optional_ints("dims").unwrap_or_default();
    if dims.is_empty() {
        let [shift] = shifts[..] else { return Err(format!("has {} shifts and no dims", shifts.len())) };
        let flat = input.reshape(&[input.len()])?;
        return one(rolled(&flat, 0, shift)?.reshape(input.shape())?);
    }
    if dims.len() != shifts.len() {
        return Err(format!("has {} shifts and {} dims", shifts.len(), dims.len()));
    }
    let mut result = input.clone();
    for (dim, shift) in dims.iter().zip(shifts) {
        let dim = normalize(*dim, input.rank())?;
        if input.rank() > 0 {
            result = rolled(&result, dim, shift)?;
        }
    }
    one(result)
}

/// A turn by 90 degrees from dim `a` to dim `b` puts element (i, j) at (n_b - 1 - j, i).
pub(super) fn turned(input: &Array, [a, b]: [usize; 2]) -> Result<Array> {
    let mut shape = input.shape().to_vec();
    shape.swap(a, b);
    let last = input.size(b);
    input.pick(&shape, |index| {
        let mut source = index.to_vec();
        (source[a], source[b]) = (index[b], last - 1 - index[a]);
        source
    })
}

fn rot90(call: &Call<'_>) -> Result<Vec<Value>> {
    let input = call.array("input")?;
    let dims = call.ints("dims")?;
    let [a, b] = distinct(&dims, input.rank())?[..] else { return Err(format!("has dims {dims:?}, expected two")) };
    let mut result = input.clone();
    for _ in 0..call.int("k")?.rem_euclid(4) {
        result = turned(&result, [a, b])?;
    }
    one(result)
}
