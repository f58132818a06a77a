//! What varies with chosen values, and the ops that make it, in program order.

use std::collections::HashSet;

use fx_ir::{Op, Result, Value};
use fx_ops::decompose::{decompose, rewrite};
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::is_differentiable;
use fx_ops::table::{Vjp, find};

use crate::custom;
use crate::regions;

/// An op whose results vary.
#[derive(Clone, Copy)]
pub enum Step<'c> {
    /// With the row's rule.
    Fx(FxOp<'c>, Vjp),
    /// With a derivative that the program brings along.
    Custom(Op<'c>),
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
            if inputs(op).into_iter().any(|value| self.varies(value)) {
                self.record_one(op)?;
            }
        }
        Ok(())
    }

    fn record_one(&mut self, op: Op<'c>) -> Result {
        if custom::is_custom(op) {
            self.push(Step::Custom(op), op);
            return Ok(());
        }
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
            Some(Vjp::Parts(rule)) => self.record(rewrite(fx, rule)?),
            Some(Vjp::Structural) => {
                let fx = regions::prepare(fx)?;
                self.push(Step::Fx(fx, Vjp::Structural), fx.op);
                Ok(())
            }
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

/// What an op's results depend on: operands, and values from outside that its regions use.
fn inputs<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    if let (Some(fx), Some(names)) = (FxOp::new(op), find(op.name()).and_then(|row| row.by)) {
        return names.iter().flat_map(|name| fx.list(name)).collect();
    }
    let mut values = op.operands();
    op.walk(&mut |inner| values.extend(inner.operands()));
    values
}
