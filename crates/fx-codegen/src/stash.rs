//! Elements that a row needs twice, kept in the result's memory between the two.
//!
//! A row kernel's last reduction and its elements may share an expensive value: the exponentials of a softmax are summed,
//! then divided by the sum. The reduction's loop stores them where the result will be; the elements' loop reads them from
//! there, and overwrites them.

use fx_ir::{AffineResult, Op, Result, Value};

use crate::eval::{Eval, Memory};
use crate::generic::Generic;
use crate::kernel::Kernel;

/// A value that is kept, and where.
pub struct Stash<'c> {
    value: Value<'c>,
    /// The reduction that computes it.
    reduction: Generic<'c>,
    memory: Memory<'c>,
}

/// Whether an op computes an elementary function.
fn is_expensive(op: Op<'_>) -> bool {
    let mut found = false;
    op.walk(&mut |inner| found |= inner.name().starts_with("math.") && inner.name() != "math.absf");
    found
}

/// The value that a kernel's last reduction shares with its elements, if it is expensive, and the reduction.
pub fn shared_value<'c>(kernel: &Kernel<'c>) -> Option<(Value<'c>, Generic<'c>)> {
    let reduction = kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction).last()?;
    let shared = reduction.inputs.iter().zip(&reduction.maps).position(|(value, map)| {
        let covers = map.len() == kernel.space.len() && map.iter().enumerate().all(|(i, result)| *result == AffineResult::Dim(i));
        let computed = value.defining_op().filter(|op| Generic::new(*op).is_some_and(|generic| !generic.is_reduction()));
        covers && value.uses().len() > 1 && computed.is_some_and(is_expensive)
    })?;
    // Rows come first in the reduction's loops: then its own order is the space's.
    kernel.reduced.is_sorted().then(|| (reduction.inputs[shared], reduction))
}

impl<'c> Stash<'c> {
    /// The value that the kernel's last reduction shares with its elements, if there is room for it in a result.
    pub fn of(kernel: &Kernel<'c>, outputs: &[Memory<'c>]) -> Option<Self> {
        let (value, reduction) = shared_value(kernel)?;
        let element = value.ty().element();
        let results = kernel.results();
        let place = (0..results.len()).find(|i| results[*i].ty().element() == element && kernel.result_dims[*i] == kernel.space)?;
        let read_at_once = results[place] != value && (element.is_f32() || element.is_f64());
        read_at_once.then(|| Self { value, reduction, memory: outputs[place].clone() })
    }

    /// Whether `op` is the reduction that fills the stash.
    pub fn is_filled_by(&self, op: Op<'c>) -> bool {
        self.reduction.op == op
    }

    /// The reduction at one row, each element stored.
    ///
    /// # Errors
    /// If an element cannot be evaluated: reported.
    pub fn fill(&self, eval: &mut Eval<'c>, row: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let inits = eval.inits(&self.reduction, row)?;
        let sizes = eval.loop_sizes(&self.reduction);
        let dims = self.memory.dims.clone();
        let mut indices = row.to_vec();
        eval.loop_nest(&sizes[row.len()..], &inits, &mut indices, &mut |eval, indices, carried| {
            let next = eval.body(&self.reduction, indices, carried)?;
            let element = eval.element(self.value, indices)?;
            let position = eval.linearize(indices, &dims);
            eval.store_flat(&self.memory, position, element);
            Ok(next)
        })
    }

    /// Makes the stored element at `indices` known, which lies at `position`.
    pub fn recall(&self, eval: &mut Eval<'c>, indices: &[Value<'c>], position: Value<'c>) {
        let element = eval.load_flat(&self.memory, position);
        eval.known(self.value, indices, element);
    }
}
