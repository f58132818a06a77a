//! Code under conditions.

use fx_ir::{Attribute, Result, Type, Value};

use crate::eval::Eval;

/// Comparisons of indices, by their number in `arith`.
#[derive(Clone, Copy)]
pub enum Is {
    /// The same.
    Equal = 0,
    /// Not the same.
    Other = 1,
}

/// Whether two indices compare so.
pub fn compare<'c>(eval: &Eval<'c>, is: Is, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let context = eval.context();
    eval.b.value("arith.cmpi", &[a, b], Type::int(context, 1), &[("predicate", Attribute::i64(context, is as i64))])
}

/// Code under a condition, and code for where it is not met.
///
/// # Errors
/// Those of the code.
pub fn branch<'c>(eval: &mut Eval<'c>, condition: Value<'c>, parts: [&mut dyn FnMut(&mut Eval<'c>) -> Result; 2]) -> Result {
    let op = eval.b.op_with_regions("scf.if", &[condition], &[], &[], &[Some(&[]), Some(&[])]);
    for (region, build) in op.regions().into_iter().zip(parts) {
        let Some(block) = region.first_block() else { continue };
        eval.scoped(block, |eval| {
            build(eval)?;
            eval.b.op("scf.yield", &[], &[], &[]);
            Ok(())
        })?;
    }
    Ok(())
}

/// Code for the first task of the same columns in a piece: that of this `row`, or of a `number` at which the piece begins.
///
/// # Errors
/// Those of the code.
pub fn when_first<'c>(
    eval: &mut Eval<'c>,
    [number, begin]: [Value<'c>; 2],
    row: Value<'c>,
    build: &mut dyn FnMut(&mut Eval<'c>) -> Result,
) -> Result {
    let zero = eval.index(0);
    let (begins, at_top) = (compare(eval, Is::Equal, number, begin), compare(eval, Is::Equal, row, zero));
    let wanted = eval.b.value("arith.ori", &[begins, at_top], at_top.ty(), &[]);
    branch(eval, wanted, [build, &mut |_| Ok(())])
}
