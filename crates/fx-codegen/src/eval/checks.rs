//! Run-time checks: a `cf.assert` in a body.
//!
//! A check keeps the largest value that failed on the stack, where LLVM makes a number of it that loops carry: a loop has
//! no branch for it, and a maximum does not keep it from becoming vectors. The end of the function writes the record that
//! [`fx_runtime::plan::Kernel::checks`] says.

use fx_ir::{Attribute, Builder, Op, Result, Type, Value};

use super::Eval;
use super::body::Copy;
use crate::conditions::NOT_EQUAL;

/// A check of the kernel.
pub(super) struct Check<'c> {
    /// Its number among the kernel's records.
    number: usize,
    op: Op<'c>,
    order: Order,
    /// The largest value that failed in that order, [`Order::none`] before one did.
    worst: Value<'c>,
    /// Whether code makes it.
    is_made: bool,
}

/// How values that failed compare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// 0 cannot fail.
    Unsigned,
    /// The least integer counts as the one above it where it fails.
    Signed,
}

impl Order {
    /// Stands for no value.
    fn none(self) -> i64 {
        if self == Order::Unsigned { 0 } else { i64::MIN }
    }

    fn maximum(self) -> &'static str {
        if self == Order::Unsigned { "arith.maxui" } else { "arith.maxsi" }
    }
}

/// 64-bit words of a record.
const WORDS: i64 = 3;

/// `value < bound` or `value <= bound`.
struct Comparison<'c> {
    value: Value<'c>,
    bound: Value<'c>,
    is_unsigned: bool,
}

impl<'c> Comparison<'c> {
    /// What the condition of a check compares.
    fn of(check: Op<'c>) -> Option<Self> {
        let op = check.operand(0).defining_op().filter(|op| op.name() == "arith.cmpi")?;
        let predicate = op.int("predicate")?;
        let (value, bound) = match predicate {
            2 | 3 | 6 | 7 => (op.operand(0), op.operand(1)), // slt, sle, ult, ule
            4 | 5 | 8 | 9 => (op.operand(1), op.operand(0)), // sgt, sge, ugt, uge
            _ => return None,
        };
        Some(Self { value, bound, is_unsigned: predicate >= 6 })
    }

    fn order(&self) -> Order {
        let some = self.is_unsigned && self.bound.constant().and_then(Attribute::as_int).is_some_and(|bound| bound > 0);
        if some { Order::Unsigned } else { Order::Signed }
    }
}

/// An integer or an index as 64 bits.
fn word<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let ty = Type::int(b.context(), 64);
    match value.ty() {
        own if own == ty => value,
        own if own.is_index() => b.value("arith.index_cast", &[value], ty, &[]),
        _ => b.value("arith.extsi", &[value], ty, &[]),
    }
}

impl<'c> Check<'c> {
    /// The check with its place on the stack, made at `b`, the function's start.
    pub(super) fn new(b: &Builder<'c>, number: usize, op: Op<'c>) -> Self {
        let ty = Type::int(b.context(), 64);
        let attributes = [("operandSegmentSizes", Attribute::i32s(b.context(), &[0, 0]))];
        let worst = b.value("memref.alloca", &[], Type::memref(&[1], ty, None), &attributes);
        let order = Comparison::of(op).map_or(Order::Unsigned, |comparison| comparison.order());
        b.op("memref.store", &[b.int(ty, order.none()), worst, b.index(0)], &[], &[]);
        Self { number, op, order, worst, is_made: false }
    }

    /// Whether it is in a loop over nothing, which has no code.
    fn has_no_place(&self) -> bool {
        let around = self.op.ancestor("linalg.generic").map(Op::operands).unwrap_or_default();
        around.iter().any(|value| value.ty().shape().contains(&0))
    }
}

impl<'c> Eval<'c> {
    /// Makes the check of a body.
    pub(super) fn check(&mut self, copy: &mut Copy<'_, 'c>, op: Op<'c>) -> Result {
        let Some(index) = self.checks.iter().position(|check| check.op == op) else {
            return Err(crate::internal(op, "a check that its kernel does not list"));
        };
        self.checks[index].is_made = true;
        let (order, place) = (self.checks[index].order, self.checks[index].worst);
        let holds = self.operand(copy, op.operand(0))?;
        let compared = Comparison::of(op).map(|comparison| self.operand(copy, comparison.value)).transpose()?;
        let (b, ty, zero) = (self.b.located(op.location()), Type::int(self.context(), 64), self.index(0));
        let mut value = compared.map_or_else(|| b.int(ty, 1), |value| word(&b, value));
        if order == Order::Signed {
            value = b.value("arith.maxsi", &[value, b.int(ty, order.none() + 1)], ty, &[]);
        }
        let failed = b.value("arith.select", &[holds, b.int(ty, order.none()), value], ty, &[]);
        let worst = b.value("memref.load", &[place, zero], ty, &[]);
        let worst = b.value(order.maximum(), &[worst, failed], ty, &[]);
        b.op("memref.store", &[worst, place, zero], &[], &[]);
        Ok(())
    }

    /// Writes the records of what failed to `records`, at the end of the function.
    ///
    /// # Errors
    /// If a check was not made: an internal bug, reported at the check.
    pub fn write_records(&mut self, records: Option<Value<'c>>) -> Result {
        let ty = Type::int(self.context(), 64);
        for check in std::mem::take(&mut self.checks) {
            if !check.is_made && check.has_no_place() {
                continue;
            }
            let Some(records) = records.filter(|_| check.is_made) else {
                return Err(crate::internal(check.op, "a check that its kernel does not make"));
            };
            let zero = self.index(0);
            let worst = self.b.value("memref.load", &[check.worst, zero], ty, &[]);
            let predicate = [("predicate", Attribute::i64(self.context(), NOT_EQUAL))];
            let failed = self.b.value("arith.cmpi", &[worst, self.b.int(ty, check.order.none())], Type::int(self.context(), 1), &predicate);
            let branch = self.b.op_with_regions("scf.if", &[failed], &[], &[], &[Some(&[]), None]);
            let Some(block) = branch.body(0) else { continue };
            self.scoped(block, |eval| {
                let bound = Comparison::of(check.op).and_then(|comparison| eval.bound(comparison.bound));
                let words = [Some(eval.b.int(ty, 1)), Some(worst), bound];
                for (i, value) in (0i64..).zip(words) {
                    let place = eval.b.index(check.number as i64 * WORDS + i);
                    if let Some(value) = value {
                        // Whole words: another thread may write the same record.
                        let alignment = [("alignment", Attribute::i64(eval.context(), 8))];
                        eval.b.op("memref.store", &[value, records, place], &[], &alignment);
                    }
                }
                eval.b.op("scf.yield", &[], &[], &[]);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The bound of a check, where it is a constant or an argument of the kernel.
    fn bound(&mut self, bound: Value<'c>) -> Option<Value<'c>> {
        if bound.constant().is_none() && !self.scalars.contains_key(&bound) {
            return None;
        }
        let bound = self.scalar(bound);
        Some(word(&self.b, bound))
    }
}
