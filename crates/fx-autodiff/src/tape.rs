//! What varies with chosen values, and the ops that make it, in program order.

use std::collections::HashSet;

use fx_ir::{Op, Result, Value};
use fx_ops::decompose::decompose;
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::is_differentiable;
use fx_ops::table::{Vjp, find};

/// An op whose results vary.
#[derive(Clone, Copy)]
pub enum Step<'c> {
    /// With the row's rule.
    Fx(FxOp<'c>, Vjp),
    /// A `tensor.cast`: the same tensor, its sizes more or less known.
    Cast(Op<'c>),
}

/// The record of a forward walk.
#[derive(Default)]
pub struct Tape<'c> {
    /// Ops in order.
    pub steps: Vec<Step<'c>>,
    varying: HashSet<Value<'c>>,
}

impl<'c> Tape<'c> {
    /// Starts with the values that vary.
    pub fn new(values: impl IntoIterator<Item = Value<'c>>) -> Self {
        Self { steps: Vec::new(), varying: values.into_iter().filter(|value| is_differentiable(value.ty())).collect() }
    }

    /// Whether a value varies.
    pub fn varies(&self, value: Value<'c>) -> bool {
        self.varying.contains(&value)
    }

    /// Records ops, which stand in order in one block. Ops that are differentiated through their decomposition are rewritten.
    ///
    /// # Errors
    /// If a decomposition refuses a form: reported.
    pub fn record(&mut self, ops: Vec<Op<'c>>) -> Result {
        for op in ops {
            if op.operands().into_iter().chain(captured(op)).any(|value| self.varies(value)) {
                self.record_one(op)?;
            }
        }
        Ok(())
    }

    fn record_one(&mut self, op: Op<'c>) -> Result {
        let Some(fx) = FxOp::new(op) else {
            if op.name() == "tensor.cast" {
                self.push(Step::Cast(op), op);
            }
            return Ok(());
        };
        match find(op.name()).map(|row| row.vjp) {
            None => Err(fx.error("has no row in the op table")),
            Some(Vjp::None(_)) => Ok(()),
            Some(Vjp::Decomposed) => match decompose(op)? {
                Some(made) => self.record(made),
                None => Err(fx.error("internal bug: is differentiated through a decomposition that it does not have")),
            },
            Some(vjp) => {
                self.push(Step::Fx(fx, vjp), op);
                Ok(())
            }
        }
    }

    fn push(&mut self, step: Step<'c>, op: Op<'c>) {
        self.varying.extend(op.results().into_iter().filter(|value| is_differentiable(value.ty())));
        self.steps.push(step);
    }
}

/// Values from outside that an op's regions use.
fn captured<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    let mut values = Vec::new();
    op.walk(&mut |inner| values.extend(inner.operands()));
    values
}
