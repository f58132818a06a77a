//! What follows the sums, in vectors of them: while they are in registers, where that is plain arithmetic.

use std::collections::HashMap;

use fx_ir::{AffineResult, Op, Result, Type, Value, emit_error};

use crate::eval::Eval;
use crate::generic::Generic;
use crate::kernel::Kernel;

/// Ops that are written out for the vectors of a tile, at most; more are a loop.
const WRITTEN: i64 = 96;

/// Values of a kernel at neighbouring places of its space.
pub struct Lanes<'a, 'c> {
    /// The kernel's space as indices; the last one is that of the first lane.
    pub indices: &'a [Value<'c>],
    /// The position of the first lane.
    pub position: Value<'c>,
    /// Which lanes are results; all if it is not said.
    pub mask: Option<Value<'c>>,
    /// Number of lanes.
    pub count: i64,
    /// Vectors that are known, by tensors.
    pub known: HashMap<Value<'c>, Value<'c>>,
}

/// Ops that a rounding to `bf16` becomes.
const ROUNDING: i64 = 8;

/// Whether a kernel's results follow from `sums` by few ops, each of which works on vectors as on numbers; a tile has `vectors` of
/// them.
pub fn fit<'c>(kernel: &Kernel<'c>, sums: Value<'c>, vectors: i64) -> bool {
    let mut ops = Vec::new();
    let whole = kernel.result_dims.iter().all(|dims| *dims == kernel.space);
    let follow = kernel.results().into_iter().all(|result| result.ty().element().is_float() && follows(result, sums, &mut ops));
    let cost = |op: Op<'c>| if op.name() == "arith.truncf" && op.result(0).ty().is_bf16() { ROUNDING } else { 1 };
    let bodies = ops.iter().filter_map(|op| op.body(0)).map(|block| block.ops().into_iter().map(cost).sum::<i64>() - 1);
    whole && follow && bodies.sum::<i64>().saturating_mul(vectors) <= WRITTEN
}

/// Whether a kernel reads and writes numbers of 16 bits: not all processors have masks for them.
pub fn has_halves(kernel: &Kernel<'_>) -> bool {
    let values = kernel.body.arguments().into_iter().chain(kernel.results());
    values.filter(|value| value.ty().is_tensor()).any(|value| value.ty().element().bit_width() < 32)
}

/// Whether vectors of `value` follow from those of `sums`; adds the ops that compute them.
fn follows<'c>(value: Value<'c>, sums: Value<'c>, ops: &mut Vec<Op<'c>>) -> bool {
    if value == sums || is_of_argument(value, sums) || value.defining_op().is_some_and(|op| ops.contains(&op)) {
        return true;
    }
    let Some(generic) = value.defining_op().and_then(Generic::new) else { return false };
    let plain = !generic.is_reduction() && generic.body().is_some_and(|block| block.ops().into_iter().all(is_plain));
    if !plain || !is_identity(&generic, generic.inputs.len()) {
        return false;
    }
    ops.push(generic.op);
    let inputs = generic.inputs.iter().enumerate();
    inputs.into_iter().all(|(i, input)| is_uniform(&generic, i) || is_identity(&generic, i) && follows(*input, sums, ops))
}

/// Whether an op of a body works on vectors as on numbers.
fn is_plain(op: Op<'_>) -> bool {
    let is_number = |value: &Value<'_>| value.ty().is_float() || value.ty().is_bool();
    op.name() == "linalg.yield" || op.name().starts_with("arith.") && op.operands().iter().chain(&op.results()).all(is_number)
}

/// Whether a tensor of floats is an argument, or a reshape of one, with a number for each sum.
fn is_of_argument(value: Value<'_>, sums: Value<'_>) -> bool {
    value.ty().element().is_float() && value.ty().shape() == sums.ty().shape() && argument(value).is_some()
}

/// The argument that a tensor is, seen through reshapes.
fn argument(value: Value<'_>) -> Option<Value<'_>> {
    match value.defining_op() {
        Some(op) if matches!(op.name(), "tensor.cast" | "tensor.collapse_shape" | "tensor.expand_shape") => argument(op.operand(0)),
        Some(_) => None,
        None => Some(value),
    }
}

/// Whether operand `i` is read at a generic's own place.
fn is_identity(generic: &Generic<'_>, i: usize) -> bool {
    let map = &generic.maps[i];
    map.len() == generic.reduced.len() && map.iter().enumerate().all(|(d, place)| *place == AffineResult::Dim(d))
}

/// Whether operand `i` is the same along the last loop.
fn is_uniform(generic: &Generic<'_>, i: usize) -> bool {
    let last = generic.reduced.len() - 1;
    generic.maps[i].iter().all(|place| matches!(place, AffineResult::Dim(d) if *d != last) || matches!(place, AffineResult::Constant(_)))
}

impl<'c> Lanes<'_, 'c> {
    fn vector(&self, element: Type<'c>) -> Type<'c> {
        Type::vector(&[self.count], element)
    }

    fn broadcast(&self, eval: &Eval<'c>, number: Value<'c>) -> Value<'c> {
        eval.b.value("vector.broadcast", &[number], self.vector(number.ty()), &[])
    }

    /// The lanes of a tensor that follows from the sums.
    ///
    /// # Errors
    /// If an operand cannot be evaluated: reported.
    pub fn of(&mut self, eval: &mut Eval<'c>, value: Value<'c>) -> Result<Value<'c>> {
        if let Some(known) = self.known.get(&value) {
            return Ok(*known);
        }
        let vector = match value.defining_op().and_then(Generic::new) {
            Some(generic) => {
                let yielded = self.body(eval, &generic)?;
                yielded[value.result_index().unwrap_or(0)]
            }
            None => self.load(eval, value)?,
        };
        self.known.insert(value, vector);
        Ok(vector)
    }

    /// The lanes of an argument with a number for each sum.
    fn load(&self, eval: &mut Eval<'c>, value: Value<'c>) -> Result<Value<'c>> {
        let address = eval.address(value, self.indices)?;
        let missing = || emit_error(eval.b.location(), "internal bug: an argument without an address", &[]);
        let memory = address.ok_or_else(missing)?.memory;
        let ty = self.vector(memory.element);
        let Some(mask) = self.mask else { return Ok(eval.b.value("vector.load", &[memory.memref, self.position], ty, &[])) };
        let zero = eval.b.number(memory.element, 0.0);
        let zeros = self.broadcast(eval, zero);
        Ok(eval.b.value("vector.maskedload", &[memory.memref, self.position, mask, zeros], ty, &[]))
    }

    /// A copy of a body in vectors; gives what it yields.
    fn body(&mut self, eval: &mut Eval<'c>, generic: &Generic<'c>) -> Result<Vec<Value<'c>>> {
        let Some(block) = generic.body() else { return Ok(Vec::new()) };
        let mut map = HashMap::new();
        for (i, (input, argument)) in generic.inputs.iter().zip(block.arguments()).enumerate() {
            if argument.uses().is_empty() {
                continue;
            }
            let vector = if is_uniform(generic, i) {
                let number = eval.body_value(generic, argument, self.indices)?;
                self.broadcast(eval, number)
            } else {
                self.of(eval, *input)?
            };
            map.insert(argument, vector);
        }
        for op in block.ops() {
            // What is not of the body is a number from outside.
            let mut operands = Vec::new();
            for operand in op.operands() {
                operands.push(match map.get(&operand) {
                    Some(vector) => *vector,
                    None => {
                        let number = eval.body_value(generic, operand, self.indices)?;
                        self.broadcast(eval, number)
                    }
                });
            }
            if op.name() == "linalg.yield" {
                return Ok(operands);
            }
            let result = op.result(0);
            let number = result.constant().map(|_| eval.body_value(generic, result, self.indices));
            let vector = match number {
                Some(number) => self.broadcast(eval, number?),
                None => eval.b.located(op.location()).value(op.name(), &operands, self.vector(result.ty()), &op.attributes()),
            };
            map.insert(result, vector);
        }
        Ok(Vec::new())
    }

    /// Writes lanes to memory where results are.
    pub fn store(&self, eval: &Eval<'c>, memref: Value<'c>, vector: Value<'c>) {
        match self.mask {
            Some(mask) => eval.b.op("vector.maskedstore", &[memref, self.position, mask, vector], &[], &[]),
            None => eval.b.op("vector.store", &[vector, memref, self.position], &[], &[]),
        };
    }
}
