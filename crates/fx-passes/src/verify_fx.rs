//! `verify-fx`: check the contract of phase fx.
//!
//! Needs     anything that parses.
//! Gives     nothing: the module is not changed.
//! Fails on  what the contract of phase `fx` excludes: an error at each op; a result that is the new value of no argument, or
//!           of one of another type.
//! Tests     lit-tests/passes/verify-phases/

use fx_ir::{Attribute, DYNAMIC, Op, Options, Pass, Result, Type, emit_error};

use crate::legality::{check, only_dialects};

/// The pass.
pub static PASS: Pass = Pass { name: "verify-fx", summary: "check the contract of phase fx", anchor: "builtin.module", options: &[], dialects: &[], run };

fn run(module: Op<'_>, _: &Options) -> Result {
    let dialects = check(module, "fx", "the importer", |op| only_dialects(op, &["fx", "func", "arith", "math", "complex", "tensor", "scf"]));
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    functions.into_iter().map(changes).fold(dialects, Result::and)
}

/// What a function changes is an argument, and keeps its type: a buffer has the sizes that it has.
fn changes(function: Op<'_>) -> Result {
    let Some((body, end)) = function.body(0).and_then(|body| Some((body, body.terminator()?))) else { return Ok(()) };
    let texts = |list: &str, name: &str| -> Vec<Option<String>> {
        let lists = function.attribute(list).and_then(Attribute::as_array).unwrap_or_default();
        let find = |entries: Attribute<'_>| {
            let (_, value) = entries.as_dictionary()?.into_iter().find(|(key, _)| *key == name)?;
            value.as_str().map(str::to_string)
        };
        lists.into_iter().map(find).collect()
    };
    let targets = texts("arg_attrs", "fx.target");
    let changed = texts("res_attrs", "fx.mutates").into_iter().zip(end.operands()).filter_map(|(name, value)| Some((name?, value)));
    let check = |(name, value): (String, fx_ir::Value<'_>)| {
        let argument = targets.iter().position(|target| target.as_ref() == Some(&name)).map(|index| body.argument(index));
        let message = match argument {
            Some(argument) if may_be(value.ty(), argument.ty()) => return Ok(()),
            Some(argument) => format!("the new value of '{name}' has type {}, expected {}", value.ty(), argument.ty()),
            None => format!("a result is the new value of '{name}', which is no argument"),
        };
        Err(emit_error(function.location(), &message, &[]))
    };
    changed.map(check).fold(Ok(()), Result::and)
}

/// Whether values of two types may be of one type, where sizes are known at run time only.
fn may_be(a: Type<'_>, b: Type<'_>) -> bool {
    if !(a.is_tensor() && b.is_tensor()) {
        return a == b;
    }
    let (left, right) = (a.shape(), b.shape());
    let sizes = left.iter().zip(&right).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC);
    a.element() == b.element() && left.len() == right.len() && sizes
}
