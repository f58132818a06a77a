//! A thread a row, or a thread an element.

use fx_ir::Result;

use super::{Emitter, Grid};
use crate::emit_cpu::row_results;
use crate::eval::Eval;
use crate::generic::Generic;

/// Threads of a block where each row takes a thread: rows are few, blocks should be many.
const ROW_THREADS: i64 = 64;

impl<'c> Emitter<'_, 'c> {
    pub(super) fn rows(&self, eval: &mut Eval<'c>) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let row_dims = eval.sizes(&rows);
        self.flat(eval, &rows, ROW_THREADS, |eval, row| {
            let place = eval.delinearize(row, &row_dims);
            for op in self.parts.kernel.body.ops() {
                let Some(generic) = Generic::new(op).filter(Generic::is_reduction) else { continue };
                let values = eval.reduction(&generic, &place)?;
                for (result, value) in op.results().into_iter().zip(values) {
                    eval.known(result, &place, value);
                }
            }
            row_results(eval, self.parts.kernel, self.parts.outputs, &rows, &place)?;
            let full = self.full_results();
            if full.is_empty() {
                return Ok(());
            }
            let inner = eval.sizes(&self.parts.kernel.inner());
            eval.loop_nest(&inner, &[], &mut Vec::new(), &mut |eval, loops, _| {
                self.full_elements(eval, &full, &place, loops)?;
                Ok(Vec::new())
            })?;
            Ok(())
        })
    }
}
