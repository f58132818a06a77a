//! What belongs to columns, for rows that start anywhere in memory: an access of the row wants neighbouring elements that start
//! at no multiple of an access. They are taken out of aligned words, which all threads of a row move by as many places.

use fx_ir::{Result, Type, Value};

use super::super::map::MOST_ELEMENTS;
use super::super::{Emitter, global, known_product};
use super::turns::{Columns, Turn};
use crate::conditions::{NOT_EQUAL, SIGNED_LESS, compare};
use crate::eval::{Eval, Memory};
use crate::kernel::{Kernel, Size};

/// Bits of a word, as elements are moved.
const WORD: u32 = 32;

/// The tensors with an element per column.
fn tensors<'c>(kernel: &Kernel<'c>) -> Vec<Value<'c>> {
    let inner = kernel.inner();
    let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
    arguments.filter(|(value, dims)| value.ty().is_tensor() && **dims == inner).map(|(value, _)| value).collect()
}

/// Whether all that a kernel reads by column can be taken out of words, for accesses of `width` elements.
pub(super) fn are_movable(kernel: &Kernel<'_>, width: i64) -> bool {
    let is_movable = |value: Value<'_>| {
        let element = value.ty().element();
        // half an access is whole words
        element.is_float() && matches!(element.bit_width(), 16 | WORD) && width / 2 * i64::from(element.bit_width()) >= i64::from(WORD)
    };
    let is_long = matches!(kernel.inner()[..], [Size::Known(length)] if length >= UNITS * width);
    is_long && (2..=MOST_ELEMENTS).contains(&width) && tensors(kernel).into_iter().all(is_movable)
}

impl<'c> Emitter<'_, 'c> {
    /// Makes known what a turn's elements need of tensors that have one per column.
    pub(super) fn know_columns(&self, eval: &mut Eval<'c>, turn: &Turn<'c>) -> Result {
        let (Some(columns), Some(length)) = (&turn.columns, known_product(&self.parts.kernel.inner())) else { return Ok(()) };
        let width = turn.elements.len();
        for argument in tensors(self.parts.kernel) {
            let Some(memory) = eval.memory_of(argument).cloned() else { continue };
            let values = if columns.may_end {
                let surely = eval.index(length - UNITS * width as i64 / 2 + 1);
                let is_inside = compare(eval, SIGNED_LESS, columns.first, surely);
                let types = vec![memory.memref.ty().element(); width];
                let op = eval.b.op_with_regions("scf.if", &[is_inside], &types, &[], &[Some(&[]), Some(&[])]);
                let (Some(inside), Some(at_end)) = (op.body(0), op.body(1)) else { return Ok(()) };
                eval.scoped(inside, |eval| {
                    let values = moved(eval, &memory, columns, width)?;
                    eval.b.op("scf.yield", &values, &[], &[]);
                    Ok(())
                })?;
                eval.scoped(at_end, |eval| {
                    let values: Vec<_> = turn.elements.iter().map(|element| eval.load(&memory, &element.loops)).collect();
                    eval.b.op("scf.yield", &values, &[], &[]);
                    Ok(())
                })?;
                op.results()
            } else {
                moved(eval, &memory, columns, width)?
            };
            turn.elements.iter().zip(values).for_each(|(element, value)| eval.known(argument, &element.loops, value));
        }
        Ok(())
    }
}

/// Units of half an access that an access which starts anywhere touches.
const UNITS: i64 = 3;

/// `width` elements from a place on; any where there are none.
fn moved<'c>(eval: &mut Eval<'c>, memory: &Memory<'c>, columns: &Columns<'c>, width: usize) -> Result<Vec<Value<'c>>> {
    let element = memory.memref.ty().element();
    let (unit, zero) = (width as i64 / 2, eval.index(0));
    let count = unit * i64::from(element.bit_width()) / i64::from(WORD);
    let mut words = Vec::new();
    for number in 0..UNITS {
        let ahead = eval.index(number * unit);
        let mut place = eval.add(columns.start, ahead);
        if columns.may_start {
            place = eval.b.value("arith.maxsi", &[place, zero], place.ty(), &[]);
        }
        words.extend(global::words(eval, memory, place, count)?);
    }
    Ok(shift(eval, words, columns.shift, (width, element)))
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
