//! Elements of generics: a body's result, or a reduction's loops over a whole row.

use std::rc::Rc;

use fx_ir::{AffineResult, Op, Result, Value, emit_error};

use super::{Eval, extrema, windows};
use crate::generic::Generic;

impl<'c> Eval<'c> {
    pub(super) fn generic(&mut self, op: Op<'c>, value: Value<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let generic = self.read_generic(op, value)?;
        let result = value.result_index().unwrap_or(0);
        if !generic.is_reduction() {
            return Ok(self.body(&generic, indices, &[])?[result]);
        }
        let results = self.reduction(&generic, indices)?;
        for (result, element) in op.results().into_iter().zip(&results) {
            self.known(result, indices, *element);
        }
        Ok(results[result])
    }

    /// The op as a generic. Elements are asked for one by one, so it is read once: that is by texts of its attributes.
    fn read_generic(&mut self, op: Op<'c>, value: Value<'c>) -> Result<Rc<Generic<'c>>> {
        if let Some(generic) = self.generics.get(&value) {
            return Ok(generic.clone());
        }
        let Some(generic) = Generic::new(op).map(Rc::new) else {
            return Err(emit_error(op.location(), "internal bug: a generic whose maps are not read", &[]));
        };
        self.generics.insert(value, generic.clone());
        Ok(generic)
    }

    /// First values of a reduction's accumulators at a row.
    pub fn inits(&mut self, generic: &Generic<'c>, indices: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        generic.outputs.iter().map(|output| self.element(*output, indices)).collect()
    }

    /// Sizes of a generic's loops, as values.
    pub fn loop_sizes(&mut self, generic: &Generic<'c>) -> Vec<Value<'c>> {
        let operands: Vec<_> = generic.inputs.iter().chain(&generic.outputs).copied().collect();
        (0..generic.reduced.len())
            .map(|i| {
                let found = operands.iter().zip(&generic.maps).find_map(|(operand, map)| {
                    let d = map.iter().position(|result| *result == AffineResult::Dim(i))?;
                    Some((*operand, d))
                });
                match found {
                    Some((operand, d)) => self.dims(operand)[d],
                    None => self.index(1),
                }
            })
            .collect()
    }

    /// A whole reduction at one row, as loops.
    pub fn reduction(&mut self, generic: &Generic<'c>, row: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        if let Some(extrema) = extrema::Extrema::of(generic).filter(|_| self.keyed_extrema) {
            return self.extrema(generic, &extrema, row);
        }
        let inits = self.inits(generic, row)?;
        let sizes = self.loop_sizes(generic);
        let reduced: Vec<_> = sizes.iter().zip(&generic.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect();
        let mut indices = row.to_vec();
        if self.unroll && windows::is_small(&reduced) {
            return self.unrolled(generic, &reduced, inits, &mut indices);
        }
        self.loop_nest(&reduced, &inits, &mut indices, &mut |eval, indices, carried| eval.body(generic, indices, carried))
    }
}
