//! Copies of generics' bodies.
//!
//! Operands are evaluated where they are first used; branches and loops are copied with their blocks.

use std::collections::HashMap;

use fx_ir::{AffineResult, Attribute, Block, Op, Region, Result, Value, emit_error};

use super::Eval;
use crate::generic::{Generic, captured};

/// One copy of a body.
pub(super) struct Copy<'a, 'c> {
    pub(super) generic: &'a Generic<'c>,
    pub(super) loops: &'a [Value<'c>],
    pub(super) map: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> Copy<'_, 'c> {
    /// Whether a value is the element of an operand.
    fn is_operand(&self, value: Value<'c>) -> bool {
        value.block_argument().is_some_and(|(block, _)| Some(block) == self.generic.body())
    }
}

impl<'c> Eval<'c> {
    /// A copy of a generic's body at the given loop indices; accumulators for a reduction.
    pub fn body(&mut self, generic: &Generic<'c>, loops: &[Value<'c>], accumulators: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let Some(block) = generic.body() else { return Ok(Vec::new()) };
        let mut copy = Copy { generic, loops, map: HashMap::new() };
        for (argument, value) in block.arguments().into_iter().skip(generic.inputs.len()).zip(accumulators) {
            copy.map.insert(argument, *value);
        }
        self.copy_block(&mut copy, block)
    }

    /// Copies the ops of a block; gives the operands of its terminator.
    pub(super) fn copy_block(&mut self, copy: &mut Copy<'_, 'c>, block: Block<'c>) -> Result<Vec<Value<'c>>> {
        for op in block.ops() {
            match op.name() {
                "linalg.yield" | "scf.yield" | "scf.condition" => {
                    return op.operands().into_iter().map(|value| self.operand(copy, value)).collect();
                }
                "linalg.index" => {
                    let loop_index = op.int("dim").unwrap_or(0) as usize;
                    copy.map.insert(op.result(0), copy.loops[loop_index]);
                }
                "tensor.extract" => {
                    let indices = op.operands()[1..].iter().map(|value| self.operand(copy, *value)).collect::<Result<Vec<_>>>()?;
                    let element = self.element(op.operand(0), &indices)?;
                    copy.map.insert(op.result(0), element);
                }
                "scf.if" | "scf.for" | "scf.while" => self.copy_structured(copy, op)?,
                "cf.assert" => self.check(copy, op)?,
                _ => self.copy_op(copy, op)?,
            }
        }
        Ok(Vec::new())
    }

    /// What an operand of a body is: evaluated when first used.
    pub(super) fn operand(&mut self, copy: &mut Copy<'_, 'c>, value: Value<'c>) -> Result<Value<'c>> {
        if let Some(known) = copy.map.get(&value) {
            return Ok(*known);
        }
        // A body without reduced loops may still read its output's first value.
        let Some((_, index)) = value.block_argument().filter(|_| copy.is_operand(value)) else { return Ok(self.scalar(value)) };
        let at: Vec<_> = copy.generic.maps[index]
            .iter()
            .map(|result| match result {
                AffineResult::Dim(i) => Ok(copy.loops[*i]),
                AffineResult::Constant(c) => Ok(self.index(*c)),
                AffineResult::Other => Err(emit_error(copy.generic.op.location(), "internal bug: a map that kernels cannot hold", &[])),
            })
            .collect::<Result<_>>()?;
        // Not recorded in the copy's map: a branch must not leak it. The memo knows scopes.
        let inputs = copy.generic.inputs.len();
        let source = if index < inputs { copy.generic.inputs[index] } else { copy.generic.outputs[index - inputs] };
        self.element(source, &at)
    }

    pub(super) fn copy_op(&mut self, copy: &mut Copy<'_, 'c>, op: Op<'c>) -> Result {
        let mut map = HashMap::new();
        for value in op.operands() {
            map.insert(value, self.operand(copy, value)?);
        }
        let new = self.b.located(op.location()).clone_op(op, &mut map);
        if self.reorder && new.operands().len() == 2 && matches!(op.name(), "arith.addf" | "arith.mulf") {
            self.allow_reordering(copy, new);
        }
        for (old, value) in op.results().into_iter().zip(new.results()) {
            copy.map.insert(old, value);
        }
        Ok(())
    }

    /// An accumulation may be reordered and contracted: PyTorch's own sums are blocked, and its products use FMA. What it adds may be
    /// a product of another body, which is contracted with it and with nothing else, as no other sum allows that.
    fn allow_reordering(&self, copy: &Copy<'_, 'c>, new: Op<'c>) {
        let flags = match copy.generic.is_reduction() {
            true => "#arith.fastmath<reassoc,contract>",
            false if self.contract && new.name() == "arith.mulf" => "#arith.fastmath<contract>",
            false => return,
        };
        if let Some(flags) = Attribute::parse(self.context(), flags) {
            new.set_attribute("fastmath", flags);
        }
    }

    /// Copies a branch or a loop with its blocks.
    pub(super) fn copy_structured(&mut self, copy: &mut Copy<'_, 'c>, op: Op<'c>) -> Result {
        if op.name() != "scf.if" {
            // Elements that a loop reads are evaluated before it, not in each round.
            for value in captured(op) {
                if copy.is_operand(value) {
                    self.operand(copy, value)?;
                }
            }
        }
        let operands = op.operands().into_iter().map(|value| self.operand(copy, value)).collect::<Result<Vec<_>>>()?;
        let results: Vec<_> = op.results().iter().map(|value| value.ty()).collect();
        let blocks: Vec<_> = op.regions().into_iter().map(Region::first_block).collect();
        let types: Vec<Option<Vec<_>>> =
            blocks.iter().map(|block| block.map(|block| block.arguments().iter().map(|value| value.ty()).collect())).collect();
        let regions: Vec<_> = types.iter().map(Option::as_deref).collect();
        let new = self.b.located(op.location()).op_with_regions(op.name(), &operands, &results, &op.attributes(), &regions);
        for (to, from) in new.regions().into_iter().zip(blocks) {
            let (Some(to), Some(from)) = (to.first_block(), from) else { continue };
            let outer = copy.map.clone();
            copy.map.extend(from.arguments().into_iter().zip(to.arguments()));
            self.scoped(to, |eval| {
                let ended = eval.copy_block(copy, from)?;
                eval.b.op(from.terminator().map_or("scf.yield", Op::name), &ended, &[], &[]);
                Ok(())
            })?;
            copy.map = outer;
        }
        for (old, value) in op.results().into_iter().zip(new.results()) {
            copy.map.insert(old, value);
        }
        Ok(())
    }
}
