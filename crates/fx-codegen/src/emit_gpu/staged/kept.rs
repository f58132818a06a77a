//! Elements that the last reduction and the results need: where they are expensive, they take the place of what they were
//! computed from.

use fx_ir::{Op, Result, Value};

use super::Copied;
use crate::eval::{Eval, Memory};
use crate::generic::Generic;
use crate::kernel::Kernel;
use crate::scatter::is_view;
use crate::stash::shared_value;

/// A value that is kept, and where.
pub(super) struct Kept<'c> {
    value: Value<'c>,
    /// The reduction that computes it.
    pub reduction: Op<'c>,
    place: Memory<'c>,
}

/// The value that is kept, if there is a tensor of its type in workgroup memory that nothing needs afterwards.
pub(super) fn shared<'c>(kernel: &Kernel<'c>, copied: &[Copied<'c>]) -> Option<Kept<'c>> {
    let (value, reduction) = shared_value(kernel)?;
    let last = value.defining_op()?;
    let free = copied.iter().find(|copy| copy.argument.ty().element() == value.ty().element() && is_read_before(copy.argument, last))?;
    let place = Memory { memref: free.buffer, ..free.memory.clone() };
    Some(Kept { value, reduction: reduction.op, place })
}

/// Whether only reductions and `last` need a tensor, on whatever way.
fn is_read_before<'c>(tensor: Value<'c>, last: Op<'c>) -> bool {
    tensor.uses().into_iter().all(|(user, _)| {
        let reduces = Generic::new(user).map(|generic| generic.is_reduction());
        let passes_on = reduces == Some(false) || is_view(user);
        user == last || reduces == Some(true) || passes_on && user.results().into_iter().all(|result| is_read_before(result, last))
    })
}

impl<'c> Kept<'c> {
    /// Stores the element at `indices`, which lies at `slot`.
    ///
    /// # Errors
    /// If it cannot be evaluated: reported.
    pub fn keep(&self, eval: &mut Eval<'c>, indices: &[Value<'c>], slot: Value<'c>) -> Result {
        let element = eval.element(self.value, indices)?;
        eval.store_flat(&self.place, slot, element);
        Ok(())
    }

    /// Makes the stored element known.
    pub fn recall(&self, eval: &mut Eval<'c>, indices: &[Value<'c>], slot: Value<'c>) {
        let element = eval.load_flat(&self.place, slot);
        eval.known(self.value, indices, element);
    }
}
