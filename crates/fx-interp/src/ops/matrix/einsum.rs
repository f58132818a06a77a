//! Sums of products in Einstein's notation, by their definition.

use std::collections::BTreeMap;

use super::ring::{Ring, sum};
use crate::Result;
use crate::array::{Array, Element, indices};
use crate::call::Call;
use crate::ops::{Entry, one};
use crate::value::Value;

pub(in crate::ops) static OPS: &[Entry] = &[("fx.einsum", einsum)];

/// What a dim is named: dims of `...` by their distance from its end, or a letter. In this order an implicit result has
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// Negated: the first of `...` comes first.
    Ellipsis(i64),
    Letter(char),
}

/// The names of a part of the equation; `...` stands for `open` dims.
fn names(part: &str, open: usize) -> Result<Vec<Name>> {
    let mut rest = part;
    let mut names = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("...") {
            names.extend((0..open).rev().map(|k| Name::Ellipsis(-(k as i64))));
            rest = after;
            continue;
        }
        let Some(letter) = rest.chars().next() else { return Ok(names) };
        if !letter.is_ascii_alphabetic() {
            return Err(format!("has '{letter}' in its equation"));
        }
        names.push(Name::Letter(letter));
        rest = &rest[1..];
    }
}

fn einsum(call: &Call<'_>) -> Result<Vec<Value>> {
    let (equation, tensors, dtype) = (call.str("equation")?, call.arrays("tensors")?, call.result_dtype(0)?);
    let (inputs, output) = equation.split_once("->").map_or((equation, None), |(inputs, output)| (inputs, Some(output)));
    let parts: Vec<&str> = inputs.split(',').collect();
    if parts.len() != tensors.len() {
        return Err(format!("has {} operands, its equation {}", tensors.len(), parts.len()));
    }
    let mut operands = Vec::new();
    let mut sizes: BTreeMap<Name, usize> = BTreeMap::new();
    let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
    let mut most_open = 0;
    for (part, tensor) in parts.iter().zip(&tensors) {
        let letters = names(part, 0)?.len();
        let open = tensor.rank().checked_sub(letters).filter(|open| *open == 0 || part.contains("..."));
        let open = open.ok_or_else(|| format!("has {letters} letters for an operand of shape {:?}", tensor.shape()))?;
        most_open = most_open.max(open);
        let names = names(part, open)?;
        for (name, size) in names.iter().zip(tensor.shape()) {
            *counts.entry(*name).or_default() += 1;
            let common = sizes.entry(*name).or_insert(*size);
            match (*common, *size) {
                (a, b) if a == b => {}
                (1, b) => *common = b,
                (_, 1) => {}
                (a, b) => return Err(format!("has sizes {a} and {b} for {name:?}")),
            }
        }
        operands.push(names);
    }
    let results = match output {
        Some(output) => names(output, most_open)?,
        None => sizes.keys().copied().filter(|name| matches!(name, Name::Ellipsis(_)) || counts[name] == 1).collect(),
    };
    if let Some(name) = results.iter().find(|name| !sizes.contains_key(name)) {
        return Err(format!("has {name:?} in its result, but in no operand"));
    }
    let summed: Vec<Name> = sizes.keys().copied().filter(|name| !results.contains(name)).collect();
    let all: Vec<Name> = results.iter().chain(&summed).copied().collect();
    one(crate::each_kind!(dtype, T => {
        let columns = tensors.iter().zip(&operands).map(|(tensor, names)| operand::<T>(tensor, names, &all)).collect::<Result<Vec<_>>>()?;
        let shape: Vec<usize> = results.iter().map(|name| sizes[name]).collect();
        let inner: Vec<usize> = summed.iter().map(|name| sizes[name]).collect();
        Array::from_fn(dtype, &shape, |index| {
            let term = |rest: Vec<usize>| columns.iter().fold(T::ONE, |term, column| term.times(column.at(index, &rest)));
            sum(indices(&inner).map(term))
        })?
    }))
}

/// An operand's elements, with the stride of each name: 0 where it has none, or size 1; on a diagonal strides add up.
struct Operand<T> {
    values: Vec<T>,
    strides: Vec<usize>,
}

fn operand<T: Element>(tensor: &Array, names: &[Name], all: &[Name]) -> Result<Operand<T>> {
    let mut strides = vec![0; all.len()];
    let mut stride = 1;
    for (name, size) in names.iter().zip(tensor.shape()).rev() {
        let place = all.iter().position(|other| other == name).ok_or("internal bug: a dim without a name")?;
        strides[place] += if *size == 1 { 0 } else { stride };
        stride *= size;
    }
    Ok(Operand { values: tensor.values(), strides })
}

impl<T: Copy> Operand<T> {
    fn at(&self, result: &[usize], rest: &[usize]) -> T {
        self.values[result.iter().chain(rest).zip(&self.strides).map(|(i, stride)| i * stride).sum::<usize>()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts() {
        assert_eq!(names(" a...b ", 2).unwrap(), [Name::Letter('a'), Name::Ellipsis(-1), Name::Ellipsis(0), Name::Letter('b')]);
        assert!(names("a-b", 0).is_err());
        // `...` first, then A-Z before a-z
        let mut order = vec![Name::Letter('b'), Name::Letter('A'), Name::Ellipsis(0), Name::Ellipsis(-1)];
        order.sort_unstable();
        assert_eq!(order, [Name::Ellipsis(-1), Name::Ellipsis(0), Name::Letter('A'), Name::Letter('b')]);
    }
}
