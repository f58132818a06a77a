//! What follows the sums: the kernel's results at each place of a block.

use fx_ir::{Result, Value};

use super::{Task, Windows, multiply_add};
use crate::eval::Eval;

impl<'c> Windows<'_, 'c> {
    /// Every result of the kernel from the block's sums in `buffer`.
    ///
    /// # Errors
    /// If a result cannot be evaluated: reported.
    pub fn finish(&self, eval: &mut Eval<'c>, task: &Task<'c>, buffer: Value<'c>) -> Result {
        // A block is a piece of the result without gaps: one loop, unless what is computed needs to know indices.
        let (zero, one) = (eval.index(0), eval.index(1));
        let count = task.counts.iter().fold(one, |count, axis| eval.mul(count, *axis));
        let batch = self.window.batch;
        let mut is_used = false;
        eval.for_loop(zero, count, one, &[], |eval, i, _| {
            let first = task.loops[batch..self.dims.len()].to_vec();
            let start = eval.linearize(&first, &self.dims[batch..]);
            let place = eval.add(start, i);
            let along = eval.delinearize(place, &self.dims[batch..]);
            let uses: Vec<_> = along.iter().map(|index| index.uses().len()).collect();
            self.result(eval, task, buffer, &along, i)?;
            is_used = along.iter().zip(uses).any(|(index, before)| index.constant().is_none() && index.uses().len() > before);
            Ok(Vec::new())
        })?;
        if !is_used {
            return Ok(());
        }
        if let Some(flat) = crate::emit_cpu::last_loop(eval) {
            flat.erase();
        }
        self.nest(eval, task, buffer, &mut Vec::new(), zero)
    }

    /// Loops over the block's axes.
    fn nest(&self, eval: &mut Eval<'c>, task: &Task<'c>, buffer: Value<'c>, along: &mut Vec<Value<'c>>, place: Value<'c>) -> Result {
        let i = along.len();
        let Some(count) = task.counts.get(i).copied() else { return self.result(eval, task, buffer, &along.clone(), place) };
        let apart: i64 = self.window.axes[i + 1..].iter().map(|axis| axis.pixels).product();
        let (zero, one) = (eval.index(0), eval.index(1));
        eval.for_loop(zero, count, one, &[], |eval, q, _| {
            along.push(eval.add(task.loops[self.window.batch + i], q));
            let place = multiply_add(eval, q, apart, place);
            self.nest(eval, task, buffer, along, place)?;
            along.pop();
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// All results at indices `along` the axes, `place` results behind the block's first one.
    fn result(&self, eval: &mut Eval<'c>, task: &Task<'c>, buffer: Value<'c>, along: &[Value<'c>], place: Value<'c>) -> Result {
        let indices = [&task.loops[..self.window.batch], along].concat();
        let at = eval.add(task.start, place);
        let sum = eval.b.value("memref.load", &[buffer, at], self.element, &[]);
        eval.known(self.window.generic.op.result(0), &indices, sum);
        let position = eval.add(task.position, place);
        crate::emit_cpu::elements(eval, self.kernel, self.outputs, &indices, &self.dims, position)
    }
}
