//! The largest and least of floats by integer keys.
//!
//! A maximum that keeps NaN is several instructions, and no loop vectoriser knows it as a reduction. Integers in the order
//! of the floats, with NaN beyond everything, have a one-instruction maximum:
//!
//! ```text
//! key(x) = bits(x) xor ((bits(x) >> 31) & 0x7fffffff)        its own inverse
//! ```

use fx_ir::{Attribute, Result, Type, Value};

use super::Eval;
use crate::generic::Generic;

/// A reduction each of whose results is the largest or least of a float.
pub(super) struct Extrema<'c> {
    /// Per result: what is compared, and whether the largest is taken.
    parts: Vec<(Value<'c>, bool)>,
}

impl<'c> Extrema<'c> {
    /// The reduction as extrema, if it is nothing else.
    pub(super) fn of(generic: &Generic<'c>) -> Option<Self> {
        let block = generic.body().filter(|_| !generic.has_checks())?;
        let arguments = block.arguments();
        let accumulators = arguments.get(generic.inputs.len()..)?;
        let yielded = block.terminator()?.operands();
        let part = |(accumulator, value): (&Value<'c>, Value<'c>)| {
            let op = value.defining_op()?;
            let largest = match op.name() {
                "arith.maximumf" => true,
                "arith.minimumf" => false,
                _ => return None,
            };
            let other = match (op.operand(0), op.operand(1)) {
                (a, b) if a == *accumulator => b,
                (a, b) if b == *accumulator => a,
                _ => return None,
            };
            let alone = accumulator.uses().len() == 1 && value.uses().len() == 1;
            (alone && (other.ty().is_f32() || other.ty().is_f64())).then_some((other, largest))
        };
        Some(Self { parts: accumulators.iter().zip(yielded).map(part).collect::<Option<_>>()? })
    }
}

impl<'c> Eval<'c> {
    /// Extrema at one row, as loops over keys.
    pub(super) fn extrema(&mut self, generic: &Generic<'c>, extrema: &Extrema<'c>, row: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let inits = self.inits(generic, row)?;
        let inits: Vec<_> = inits.into_iter().zip(&extrema.parts).map(|(init, (_, largest))| self.key(init, *largest)).collect();
        let sizes = self.loop_sizes(generic);
        let reduced: Vec<_> = sizes.iter().zip(&generic.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect();
        let mut indices = row.to_vec();
        let keys = self.loop_nest(&reduced, &inits, &mut indices, &mut |eval, indices, carried| {
            let mut next = Vec::new();
            for ((value, largest), best) in extrema.parts.iter().zip(carried) {
                let value = eval.body_value(generic, *value, indices)?;
                let key = eval.key(value, *largest);
                let name = if *largest { "arith.maxsi" } else { "arith.minsi" };
                next.push(eval.b.value(name, &[*best, key], key.ty(), &[]));
            }
            Ok(next)
        })?;
        Ok(keys.into_iter().zip(&extrema.parts).map(|(key, (value, _))| self.of_key(key, value.ty())).collect())
    }

    /// A float's key; NaN's is beyond all others, on the side that wins.
    fn key(&mut self, value: Value<'c>, largest: bool) -> Value<'c> {
        let int = Type::int(self.context(), value.ty().bit_width());
        let bits = self.b.value("arith.bitcast", &[value], int, &[]);
        let key = self.flip(bits);
        let predicate = [("predicate", Attribute::i64(self.context(), 14))]; // unordered
        let nan = self.b.value("arith.cmpf", &[value, value], Type::int(self.context(), 1), &predicate);
        let highest = i64::MAX >> (64 - value.ty().bit_width());
        let beyond = self.b.int(int, if largest { highest } else { -highest });
        self.b.value("arith.select", &[nan, beyond, key], int, &[])
    }

    fn of_key(&mut self, key: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let bits = self.flip(key);
        self.b.value("arith.bitcast", &[bits], ty, &[])
    }

    /// Negative numbers in reverse order.
    fn flip(&mut self, bits: Value<'c>) -> Value<'c> {
        let ty = bits.ty();
        let width = i64::from(ty.bit_width());
        let (shift, magnitude) = (self.b.int(ty, width - 1), self.b.int(ty, i64::MAX >> (64 - width)));
        let sign = self.b.value("arith.shrsi", &[bits, shift], ty, &[]);
        let mask = self.b.value("arith.andi", &[sign, magnitude], ty, &[]);
        self.b.value("arith.xori", &[bits, mask], ty, &[])
    }
}
