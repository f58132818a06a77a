//! What a phase may hold: one walk and one kind of error, shared by the `verify-<phase>` passes.

use fx_ir::{Op, Result, emit_error};

/// Reports every op inside `module` that `illegal` gives a reason against. `phase` names the contract, `maker` the pass
/// that is most likely at fault.
///
/// # Errors
/// If there is one: all are reported, each at its place.
pub fn check<'c>(module: Op<'c>, phase: &str, maker: &str, mut illegal: impl FnMut(Op<'c>) -> Option<String>) -> Result {
    let mut result = Ok(());
    module.walk(&mut |op| {
        if let Some(why) = illegal(op) {
            let note = format!("the contract of phase '{phase}' is made by {maker}");
            let message = format!("'{}' op is not legal in phase '{phase}': {why}", op.name());
            result = Err(emit_error(op.location(), &message, &[(op.location(), note)]));
        }
    });
    result
}

/// The dialect of an op.
pub fn dialect<'c>(op: Op<'c>) -> &'c str {
    op.name().split('.').next().unwrap_or_default()
}

/// A reason against ops of dialects other than these.
pub fn only_dialects(op: Op<'_>, allowed: &[&str]) -> Option<String> {
    (!allowed.contains(&dialect(op))).then(|| format!("its dialect is none of {}", allowed.join(", ")))
}
