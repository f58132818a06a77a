//! What belongs to columns, for rows that start anywhere in memory: an access of the row wants neighbouring elements that start
//! at no multiple of an access. They are taken out of aligned words, which all threads of a row move by as many places.

use fx_ir::{Result, Type, Value};

use super::super::global::{self, WORD};
use super::super::map::{MOST_ELEMENTS, column_tensors};
use super::super::{Emitter, known_product};
use super::turns::{Columns, Turn};
use crate::conditions::{EQUAL, NOT_EQUAL, compare};
use crate::eval::{Eval, Memory};
use crate::kernel::{Kernel, Size};

/// Whether all that a kernel reads by column can be taken out of words, for accesses of `width` elements.
pub(super) fn are_movable(kernel: &Kernel<'_>, width: i64) -> bool {
    let is_movable = |value: Value<'_>| {
        let element = value.ty().element();
        // half an access is whole words
        element.is_float() && matches!(element.bit_width(), 16 | WORD) && width / 2 * i64::from(element.bit_width()) >= i64::from(WORD)
    };
    let is_long = matches!(kernel.inner()[..], [Size::Known(length)] if length >= UNITS * width);
    is_long && (2..=MOST_ELEMENTS).contains(&width) && column_tensors(kernel).into_iter().all(is_movable)
}

impl<'c> Emitter<'_, 'c> {
    /// Makes known what a turn's elements need of tensors that have one per column.
    pub(super) fn know_columns(&self, eval: &mut Eval<'c>, turn: &Turn<'c>) -> Result {
        let (Some(columns), Some(length)) = (&turn.columns, known_product(&self.parts.kernel.inner())) else { return Ok(()) };
        let width = turn.elements.len();
        for argument in column_tensors(self.parts.kernel) {
            let Some(memory) = eval.memory_of(argument).cloned() else { continue };
            let values = moved(eval, &memory, columns, (width, length))?;
            turn.elements.iter().zip(values).for_each(|(element, value)| eval.known(argument, &element.loops, value));
        }
        Ok(())
    }
}

/// Units of half an access that an access which starts anywhere touches.
const UNITS: i64 = 3;

/// `width` elements from a place on; any where there are none.
fn moved<'c>(eval: &mut Eval<'c>, memory: &Memory<'c>, columns: &Columns<'c>, (width, length): (usize, i64)) -> Result<Vec<Value<'c>>> {
    let element = memory.memref.ty().element();
    let (unit, zero) = (width as i64 / 2, eval.index(0));
    let count = unit * i64::from(element.bit_width()) / i64::from(WORD);
    let (whole, last) = (eval.index(length / unit * unit), eval.index((length / unit - 1) * unit));
    let ends_within = columns.may_end && length % unit != 0;
    let rest = ends_within.then(|| rest(eval, memory, (length / unit * unit, length), count as usize));
    let mut words = Vec::new();
    for number in 0..UNITS {
        let ahead = eval.index(number * unit);
        let place = eval.add(columns.start, ahead);
        let mut existing = place;
        if columns.may_start {
            existing = eval.b.value("arith.maxsi", &[existing, zero], zero.ty(), &[]);
        }
        if columns.may_end {
            existing = eval.b.value("arith.minsi", &[existing, last], zero.ty(), &[]);
        }
        let mut loaded = global::words(eval, memory, existing, count)?;
        if let Some(rest) = &rest {
            let is_rest = compare(eval, EQUAL, place, whole);
            let choose =
                |(loaded, rest): (Value<'c>, &Value<'c>)| eval.b.value("arith.select", &[is_rest, *rest, loaded], loaded.ty(), &[]);
            loaded = loaded.into_iter().zip(rest).map(choose).collect();
        }
        words.extend(loaded);
    }
    Ok(shift(eval, words, columns.shift, (width, element)))
}

/// The words of the last elements, which are no whole unit: one by one, as nothing may be read behind them.
fn rest<'c>(eval: &mut Eval<'c>, memory: &Memory<'c>, (start, end): (i64, i64), count: usize) -> Vec<Value<'c>> {
    let (word, element) = (Type::int(eval.context(), WORD), memory.memref.ty().element());
    let bits = Type::int(eval.context(), element.bit_width());
    let per_word = i64::from(WORD / element.bit_width());
    let mut words = vec![eval.b.int(word, 0); count];
    for place in start..end {
        let position = eval.index(place);
        let value = eval.load_flat(memory, position);
        let b = &eval.b;
        let value = b.value("arith.bitcast", &[value], bits, &[]);
        let slot = &mut words[((place - start) / per_word) as usize];
        *slot = match (place - start) % per_word {
            _ if bits == word => value,
            0 => b.value("arith.extui", &[value], word, &[]),
            _ => {
                let value = b.value("arith.extui", &[value], word, &[]);
                let high = b.value("arith.shli", &[value, b.int(word, i64::from(WORD / 2))], word, &[]);
                b.value("arith.ori", &[*slot, high], word, &[])
            }
        };
    }
    words
}

/// The first `width` elements from place `by` on of those that lie in words; `by` is less than half of them.
fn shift<'c>(eval: &Eval<'c>, mut words: Vec<Value<'c>>, by: Value<'c>, (width, element): (usize, Type<'c>)) -> Vec<Value<'c>> {
    let b = &eval.b;
    let (word, half) = (Type::int(eval.context(), WORD), Type::int(eval.context(), WORD / 2));
    let bit = |of: usize| b.value("arith.andi", &[by, b.int(word, of as i64)], word, &[]);
    let to = |value: Value<'c>| b.value("arith.bitcast", &[value], element, &[]);
    let is_half = element.bit_width() == WORD / 2;
    let per_word = if is_half { 2 } else { 1 };
    let mut places = width / 4;
    while places >= per_word {
        let is_set = compare(eval, NOT_EQUAL, bit(places), b.int(word, 0));
        let chosen =
            words.iter().zip(&words[places / per_word..]).map(|(stay, come)| b.value("arith.select", &[is_set, *come, *stay], word, &[]));
        words = chosen.collect();
        places /= 2;
    }
    if !is_half {
        return words.into_iter().take(width).map(to).collect();
    }
    let bits = b.value("arith.muli", &[bit(1), b.int(word, i64::from(WORD / 2))], word, &[]);
    let joined = words.windows(2).map(|pair| b.value("llvm.intr.fshr", &[pair[1], pair[0], bits], word, &[]));
    let halves = joined.flat_map(|pair| {
        let high = b.value("arith.shrui", &[pair, b.int(word, i64::from(WORD / 2))], word, &[]);
        [pair, high].map(|bits| to(b.value("arith.trunci", &[bits], half, &[])))
    });
    halves.take(width).collect()
}
