//! Results that start as a copy of an argument.

use fx_ir::{Op, Result, Value};
use fx_runtime::plan::{Buffer, Scalar, Step, Storage};

use super::PlanBuilder;
use crate::kernel::WrittenOver;
use crate::scatter::is_view;

/// Whether a value is new memory that a call alone reads: seen through reshapes, each read once.
fn is_given_up<'c>(call: Op<'c>, value: Value<'c>) -> bool {
    if value.uses().len() != 1 {
        return false;
    }
    match value.defining_op() {
        Some(op) if is_view(op) => is_given_up(call, op.operand(0)),
        Some(op) => matches!(op.name(), "func.call" | "fx.call") && op.block() == call.block(),
        None => false,
    }
}

impl<'c> PlanBuilder<'_, 'c> {
    /// The buffer of a result that a kernel makes of an argument's: the same one where nothing else reads that, else a copy.
    pub(super) fn written_over(&mut self, op: Op<'c>, value: Value<'c>, dims: Vec<Scalar>, written: WrittenOver) -> Result {
        let argument = op.operand(written.argument);
        let source = self.tensor(op, argument)?;
        let (of, offset) = self.place(source);
        let is_planned = self.plan.buffers[of as usize].storage == Storage::Planned;
        if written.is_only_use && is_planned && is_given_up(op, argument) {
            let dtype = self.plan.buffers[source as usize].dtype;
            let id = self.buffer(Buffer { dtype, dims, storage: Storage::View { of, offset } });
            self.buffers.insert(value, id);
        } else {
            self.planned(op, value, dims)?;
            let dst = self.tensor(op, value)?;
            self.push(Step::Copy { src: source, dst });
        }
        let id = self.tensor(op, value)?;
        let (of, _) = self.place(id);
        self.changed.insert(of);
        Ok(())
    }
}
