//! Derivatives that a program brings along: an op with the attribute `fx.vjp = @name`.
//!
//! The function takes the op's operands, its results, and a cotangent for each result that has derivatives (zeros where there is
//! none); it gives a cotangent for each operand that has derivatives. Its ops are copied in place of a rule, so they have
//! derivatives in turn.
//!
//! ```text
//! %y = fx.call "my::op"(%x) {fx.vjp = @my_op_vjp} : (tensor<4xf32>) -> tensor<4xf32>
//! func.func private @my_op_vjp(%x: tensor<4xf32>, %y: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32>
//! ```

use std::collections::HashMap;

use fx_ir::{Builder, Op, Result, Value, emit_error};
use fx_ops::fx_builder::Fx;
use fx_ops::gradient::is_differentiable;

use crate::interface::function_named;
use crate::regions::{differentiable, or_zeros};
use crate::reverse::Reverse;
use crate::tape::Tape;

/// The attribute that names the function.
const ATTRIBUTE: &str = "fx.vjp";

/// Whether an op brings its derivative along.
pub(crate) fn is_custom(op: Op<'_>) -> bool {
    op.attribute(ATTRIBUTE).is_some()
}

/// Adds to the cotangents of the op's operands.
pub(crate) fn reverse<'c>(reverse: &mut Reverse<'c>, tape: &Tape<'c>, op: Op<'c>) -> Result {
    let cotangents: Vec<_> = op.results().into_iter().map(|result| reverse.cotangent(result)).collect();
    if cotangents.iter().all(Option::is_none) {
        return Ok(());
    }
    let f = Fx { b: reverse.builder().located(op.location()) };
    let found = pull(&f, op, &cotangents)?.into_iter().map(|(place, cotangent)| (op.operand(place), cotangent));
    found.filter(|(operand, _)| tape.varies(*operand)).try_for_each(|(operand, cotangent)| reverse.add(operand, cotangent))
}

/// Contributions to the cotangents of operands, by place, from those of results.
///
/// # Errors
/// If there is no such function, or it does not fit the op: reported.
pub(crate) fn pull<'c>(f: &Fx<'c>, op: Op<'c>, cotangents: &[Option<Value<'c>>]) -> Result<Vec<(usize, Value<'c>)>> {
    let mut given = [op.operands(), op.results()].concat();
    for (result, cotangent) in op.results().into_iter().zip(cotangents).filter(|(result, _)| is_differentiable(result.ty())) {
        given.push(or_zeros(f, *cotangent, result)?);
    }
    let found = inline(f.b, op, &given)?;
    let places = differentiable(&op.operands());
    if places.len() != found.len() {
        let message = format!("'{}' op has {} operands with derivatives, and its 'fx.vjp' gives {}", op.name(), places.len(), found.len());
        return Err(emit_error(op.location(), &message, &[]));
    }
    Ok(places.into_iter().zip(found).collect())
}

/// Copies the function's ops, with values for its arguments; what it returns.
fn inline<'c>(b: Builder<'c>, op: Op<'c>, given: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
    let fail = |message: String| emit_error(op.location(), &format!("'{}' op {message}", op.name()), &[]);
    let name = op.attribute(ATTRIBUTE).map(|name| name.to_string()).unwrap_or_default();
    let name = name.trim_start_matches('@').trim_matches('"');
    let function = op.ancestor("builtin.module").and_then(|module| function_named(module, name));
    let Some(body) = function.and_then(|function| function.body(0)) else {
        return Err(fail(format!("names '@{name}' as its 'fx.vjp', which is no function with a body")));
    };
    let arguments = body.arguments();
    let types = |values: &[Value<'c>]| values.iter().map(|value| value.ty().to_string()).collect::<Vec<_>>().join(", ");
    if types(&arguments) != types(given) {
        return Err(fail(format!("needs a 'fx.vjp' of type ({}), '@{name}' has ({})", types(given), types(&arguments))));
    }
    let mut map: HashMap<_, _> = arguments.into_iter().zip(given.iter().copied()).collect();
    let mut returned = Vec::new();
    for inner in body.ops() {
        if body.terminator() == Some(inner) {
            returned = inner.operands().into_iter().map(|value| map.get(&value).copied().unwrap_or(value)).collect();
        } else {
            b.located(inner.location()).clone_op(inner, &mut map);
        }
    }
    Ok(returned)
}
