//! Forward mode: one walk from the first op to the last.
//!
//! A reverse-mode rule builds from cotangents linearly. Its own reverse mode, with tangents of operands as cotangents of what
//! it gave, is then the product of the op's Jacobian with these tangents (J. Townsend, "A new trick for calculating Jacobian
//! vector products", 2017). So one rule serves both modes.

use std::collections::HashMap;

use fx_ir::{Builder, Op, Result, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::{Back, Conventions, Forth, accumulate, fit, is_differentiable};
use fx_ops::table::{Jvp, Structure, Vjp, find};

use crate::custom;
use crate::regions;
use crate::reverse::{Reverse, ops_after, slope_of};
use crate::tape::{Step, Tape};

/// Tangents, built before one op.
pub struct Forward<'c> {
    end: Op<'c>,
    conventions: Conventions,
    tangents: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> Forward<'c> {
    /// Starts with tangents; builds before `end`, which everything on the tape must precede.
    pub fn new(end: Op<'c>, tangents: HashMap<Value<'c>, Value<'c>>, conventions: Conventions) -> Self {
        Self { end, conventions, tangents }
    }

    /// The tangent of a value; none is zero.
    pub fn tangent(&self, value: Value<'c>) -> Option<Value<'c>> {
        self.tangents.get(&value).copied()
    }

    /// Goes over a tape.
    ///
    /// # Errors
    /// If an op has no rule, or its rule refuses its form: all of them are reported.
    pub fn run(&mut self, tape: &Tape<'c>) -> Result {
        tape.steps.iter().map(|step| self.step(tape, *step)).fold(Ok(()), Result::and)
    }

    fn step(&mut self, tape: &Tape<'c>, step: Step<'c>) -> Result {
        match step {
            Step::Cast(op) => {
                let f = self.at(op);
                self.tangent(op.operand(0)).map_or(Ok(()), |tangent| self.set(&f, op.result(0), tangent))
            }
            Step::Custom(op) => {
                let f = self.at(op);
                let tangents: Vec<_> = op.operands().into_iter().map(|operand| self.tangent(operand)).collect();
                self.transposed(op, &tangents, |cotangents| {
                    let found = custom::pull(&f, op, cotangents)?;
                    Ok(found.into_iter().filter(|(place, _)| tangents[*place].is_some()).collect())
                })
            }
            Step::Fx(op, vjp) => self.rule(tape, op, vjp),
        }
    }

    fn at(&self, op: Op<'c>) -> Fx<'c> {
        Fx { b: Builder::before(self.end).located(op.location()) }
    }

    /// Adds to the tangent of a value.
    pub(crate) fn set(&mut self, f: &Fx<'c>, value: Value<'c>, tangent: Value<'c>) -> Result {
        let tangent = fit(f, tangent, value)?;
        let sum = match self.tangents.get(&value) {
            Some(first) => accumulate(f, *first, tangent)?,
            None => tangent,
        };
        self.tangents.insert(value, sum);
        Ok(())
    }

    fn rule(&mut self, tape: &Tape<'c>, op: FxOp<'c>, vjp: Vjp) -> Result {
        let f = self.at(op.op);
        if let Vjp::Structural = vjp {
            return match regions::structure(op) {
                Some(Structure::Branch) => regions::cond::forward(self, tape, &f, op, self.conventions),
                _ => regions::scan::forward(self, tape, &f, op, self.conventions),
            };
        }
        let tangents: Vec<_> = op.op.operands().into_iter().map(|operand| self.tangent(operand)).collect();
        match (find(op.op.name()).map(|row| row.jvp), vjp) {
            (_, Vjp::Missing(why) | Vjp::Refused(why)) => Err(op.error(&format!("cannot be differentiated: {why}"))),
            (Some(Jvp::Rule(rule)), _) => {
                let values = rule(&Forth::new(f.b, op, tangents))?;
                let pairs = op.op.results().into_iter().zip(values);
                pairs.into_iter().try_for_each(|(result, value)| value.map_or(Ok(()), |value| self.set(&f, result, value)))
            }
            (_, Vjp::Slope(_)) => {
                let Some(tangent) = tangents.first().copied().flatten() else { return Ok(()) };
                let back = Back::new(f.b, op, vec![None], vec![true], self.conventions);
                let slope = slope_of(&back, op, vjp)?;
                self.set(&f, op.op.result(0), f.mul(back.widened(tangent)?, slope)?)
            }
            (_, Vjp::Rule(rule)) => {
                let wanted = tangents.iter().map(Option::is_some).collect();
                let conventions = self.conventions;
                self.transposed(op.op, &tangents, |cotangents| {
                    let back = Back::new(f.b, op, cotangents.to_vec(), wanted, conventions);
                    rule(&back)?;
                    Ok(back.finish())
                })
            }
            (_, Vjp::None(_) | Vjp::Decomposed | Vjp::Parts(_) | Vjp::Structural) => {
                Err(op.error("internal bug: is on the tape and has no rule of its own"))
            }
        }
    }

    /// The reverse-mode rule transposed: `pull` gives contributions to the cotangents of operands, from those of results.
    fn transposed(
        &mut self,
        op: Op<'c>,
        tangents: &[Option<Value<'c>>],
        pull: impl FnOnce(&[Option<Value<'c>>]) -> Result<Vec<(usize, Value<'c>)>>,
    ) -> Result {
        let f = self.at(op);
        // Copies of the results stand for their cotangents: what is left of them in the end are questions for sizes.
        let stand_ins: Vec<_> = op
            .results()
            .into_iter()
            .map(|result| is_differentiable(result.ty()).then(|| f.op("fx.clone", &[result], &[])).transpose())
            .collect::<Result<_>>()?;
        let Some(first) = stand_ins.iter().flatten().next().and_then(|value| value.defining_op()) else { return Ok(()) };
        // Copies again: recording may rewrite the ops that made the originals.
        let mut fitted = Vec::new();
        for (place, value) in pull(&stand_ins)? {
            let copy = f.op("fx.clone", &[fit(&f, value, op.operand(place))?], &[])?;
            fitted.push((copy, tangents[place]));
        }
        let mut tape = Tape::new(stand_ins.iter().flatten().copied());
        tape.record(ops_after(Some(first), self.end))?;
        let mut reverse = Reverse::new(f.b, self.conventions);
        for (value, tangent) in fitted {
            if let Some(tangent) = tangent.filter(|_| tape.varies(value)) {
                reverse.add(value, tangent)?;
            }
        }
        reverse.run(&tape)?;
        for (result, stand_in) in op.results().into_iter().zip(stand_ins) {
            let Some(stand_in) = stand_in else { continue };
            if let Some(tangent) = reverse.cotangent(stand_in) {
                self.set(&f, result, tangent)?;
            }
            stand_in.replace_all_uses_with(result);
        }
        Ok(())
    }
}
