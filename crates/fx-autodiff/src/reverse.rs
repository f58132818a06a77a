//! Reverse mode: one walk from the last op to the first, which knows no op.
//!
//! Contributions to a cotangent are added in the order in which they arrive, that of PyTorch's engine: the latest use comes
//! first. A cotangent that is zero is absent.

use std::collections::HashMap;

use fx_ir::{Builder, Op, Result, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::{Back, Conventions, accumulate, conj, fit};
use fx_ops::table::{Structure, Vjp};

use crate::custom;
use crate::regions;
use crate::tape::{Step, Tape};

/// Cotangents, built at one place.
pub struct Reverse<'c> {
    b: Builder<'c>,
    conventions: Conventions,
    cotangents: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> Reverse<'c> {
    /// Nothing yet; builds at `b`, which everything on the tape must precede.
    pub fn new(b: Builder<'c>, conventions: Conventions) -> Self {
        Self { b, conventions, cotangents: HashMap::new() }
    }

    /// Where it builds.
    pub fn builder(&self) -> Builder<'c> {
        self.b
    }

    /// The cotangent of a value; none is zero.
    pub fn cotangent(&self, value: Value<'c>) -> Option<Value<'c>> {
        self.cotangents.get(&value).copied()
    }

    /// Adds to the cotangent of a value.
    ///
    /// # Errors
    /// If the shapes have nothing to do with each other: reported.
    pub fn add(&mut self, value: Value<'c>, contribution: Value<'c>) -> Result {
        self.add_at(self.b, value, contribution)
    }

    fn add_at(&mut self, b: Builder<'c>, value: Value<'c>, contribution: Value<'c>) -> Result {
        let f = Fx { b };
        let next = fit(&f, contribution, value)?;
        let sum = match self.cotangents.get(&value) {
            Some(first) => accumulate(&f, *first, next)?,
            None => next,
        };
        self.cotangents.insert(value, sum);
        Ok(())
    }

    /// Goes back over a tape.
    ///
    /// # Errors
    /// If an op with a cotangent has no rule, or its rule refuses its form: all of them are reported.
    pub fn run(&mut self, tape: &Tape<'c>) -> Result {
        tape.steps.iter().rev().map(|step| self.step(tape, *step)).fold(Ok(()), Result::and)
    }

    fn step(&mut self, tape: &Tape<'c>, step: Step<'c>) -> Result {
        match step {
            Step::Cast(op) => match self.cotangent(op.result(0)) {
                Some(g) => self.add_at(self.b.located(op.location()), op.operand(0), g),
                None => Ok(()),
            },
            Step::Custom(op) => custom::reverse(self, tape, op),
            Step::Fx(op, vjp) => self.rule(tape, op, vjp),
        }
    }

    fn rule(&mut self, tape: &Tape<'c>, op: FxOp<'c>, vjp: Vjp) -> Result {
        let cotangents: Vec<_> = op.op.results().into_iter().map(|result| self.cotangent(result)).collect();
        if cotangents.iter().all(Option::is_none) {
            return Ok(());
        }
        if let Vjp::Structural = vjp {
            return match regions::structure(op) {
                Some(Structure::Branch) => regions::cond::reverse(self, tape, op, self.conventions),
                _ => regions::scan::reverse(self, tape, op, self.conventions),
            };
        }
        let b = self.b.located(op.location());
        let wanted = op.op.operands().into_iter().map(|operand| tape.varies(operand)).collect();
        let back = Back::new(b, op, cotangents, wanted, self.conventions);
        match vjp {
            Vjp::Rule(rule) => rule(&back)?,
            Vjp::Slope(_) => {
                let (slope, g) = (slope_of(&back, op, vjp)?, back.g()?);
                back.give_place(0, back.mul(g, conj(&back, slope)?)?);
            }
            Vjp::Missing(why) | Vjp::Refused(why) => return Err(op.error(&format!("cannot be differentiated: {why}"))),
            Vjp::None(_) | Vjp::Decomposed | Vjp::Parts(_) | Vjp::Structural => {
                return Err(op.error("internal bug: is on the tape and has no rule of its own"));
            }
        }
        let operands = op.op.operands();
        back.finish().into_iter().try_for_each(|(place, value)| self.add_at(b, operands[place], value))
    }
}

/// The slope of a pointwise op of one tensor.
pub(crate) fn slope_of<'c>(back: &Back<'c>, op: FxOp<'c>, vjp: Vjp) -> Result<Value<'c>> {
    match vjp {
        Vjp::Slope(slope) => slope(back, back.widened(op.op.operand(0))?, back.y(0)?),
        _ => Err(op.error("internal bug: has no slope")),
    }
}

/// The ops after `first`, up to the terminator.
pub(crate) fn ops_after<'c>(first: Option<Op<'c>>, end: Op<'c>) -> Vec<Op<'c>> {
    std::iter::successors(first, |op| op.next()).take_while(|op| *op != end).collect()
}
