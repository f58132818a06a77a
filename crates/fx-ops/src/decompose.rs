//! One op rewritten as its row's decomposition says.

use fx_ir::{Op, Result, Type, Value, emit_error};

use crate::fx_builder::Fx;
use crate::fx_op::FxOp;
use crate::recompute::{inherit, made_by};
use crate::table::{Decompose, find};

/// Rewrites one op and erases it; gives the ops that its rule made, in order. None if the op is primitive or not of fx.
///
/// # Errors
/// If its rule refuses the form: reported.
pub fn decompose<'c>(op: Op<'c>) -> Result<Option<Vec<Op<'c>>>> {
    let Some(fx) = FxOp::new(op) else { return Ok(None) };
    match find(op.name()).map(|row| row.decompose) {
        Some(Decompose::Rule(rule)) => rewrite(fx, rule).map(Some),
        Some(Decompose::Primitive) => Ok(None),
        None => Err(fx.error("has no row in the op table")),
    }
}

/// Rewrites one op as a rule says and erases it; gives the ops that the rule made, in order. They have the op's tags.
///
/// # Errors
/// If the rule refuses the form: reported.
pub fn rewrite<'c>(fx: FxOp<'c>, rule: fn(&Fx<'c>, FxOp<'c>) -> Result<Vec<Value<'c>>>) -> Result<Vec<Op<'c>>> {
    let op = fx.op;
    let (values, made) = made_by(op, || {
        let values = rule(&Fx::before(op), fx)?;
        if values.len() != op.results().len() {
            let count = op.results().len();
            return Err(fx.error(&format!("internal bug: its rule gave {} values for {count} results", values.len())));
        }
        values.into_iter().zip(op.results()).map(|(value, result)| fit(op, value, result.ty())).collect::<Result<Vec<_>>>()
    })?;
    inherit(op, made.iter().copied());
    op.replace(&values);
    Ok(made)
}

/// The value with the type that its users expect: they may know sizes that inference does not.
fn fit<'c>(op: Op<'c>, value: Value<'c>, ty: Type<'c>) -> Result<Value<'c>> {
    if value.ty() == ty || !ty.is_tensor() {
        return Ok(value);
    }
    if value.ty().element() != ty.element() || value.ty().rank() != ty.rank() {
        let message = format!("internal bug: '{}' op was rewritten as a value of type {}, expected {ty}", op.name(), value.ty());
        return Err(emit_error(op.location(), &message, &[]));
    }
    Ok(Fx::before(op).known_as(value, ty))
}
