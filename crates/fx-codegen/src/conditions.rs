//! Comparisons, and code under conditions.

use fx_ir::{Attribute, Result, Type, Value};

use crate::eval::Eval;

/// Predicates of `arith.cmpi`.
pub(crate) const EQUAL: i64 = 0;
/// See [`EQUAL`].
pub(crate) const NOT_EQUAL: i64 = 1;
/// See [`EQUAL`].
pub(crate) const SIGNED_LESS: i64 = 2;
/// See [`EQUAL`].
pub(crate) const SIGNED_AT_LEAST: i64 = 5;
/// See [`EQUAL`].
pub(crate) const UNSIGNED_LESS: i64 = 6;

/// Whether two integers or indices compare so.
pub(crate) fn compare<'c>(eval: &Eval<'c>, predicate: i64, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let context = eval.context();
    eval.b.value("arith.cmpi", &[a, b], Type::int(context, 1), &[("predicate", Attribute::i64(context, predicate))])
}

/// `scf.if condition` without results.
///
/// # Errors
/// Those of the code.
pub(crate) fn when_holds<'c>(eval: &mut Eval<'c>, condition: Value<'c>, build: impl FnOnce(&mut Eval<'c>) -> Result) -> Result {
    let op = eval.b.op_with_regions("scf.if", &[condition], &[], &[], &[Some(&[]), None]);
    let Some(block) = op.body(0) else { return Ok(()) };
    eval.scoped(block, |eval| {
        build(eval)?;
        eval.b.op("scf.yield", &[], &[], &[]);
        Ok(())
    })
}
