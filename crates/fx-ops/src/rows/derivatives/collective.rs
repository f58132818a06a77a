//! Of collectives: the exchange that sends back what came.

use fx_ir::{Attribute, Result, Value};

use crate::fx_op::Dim;
use crate::gradient::Back;

/// The gradient of an exchange that sums (or takes means); others have none.
fn exchanged<'c>(b: &Back<'c>, name: &str, attributes: &[&'static str]) -> Result<Value<'c>> {
    match b.op.op.text("reduce_op") {
        None | Some("sum" | "avg") => b.op(name, &[b.g()?], &b.op.attributes(attributes)),
        Some(other) => Err(b.op.error(&format!("with reduce_op '{other}' has no derivative"))),
    }
}

/// The parts of all: each process gets the sum of what they say of its own.
pub fn all_gather_into_tensor(b: &Back<'_>) -> Result {
    let mut attributes = b.op.attributes(&["group_size", "group_name"]);
    attributes.push(("reduce_op", Attribute::string(b.context(), "sum")));
    b.give("input", b.op("fx.reduce_scatter_tensor", &[b.g()?], &attributes)?);
    Ok(())
}

/// The sum or mean over processes: the same of the gradients.
pub fn all_reduce(b: &Back<'_>) -> Result {
    b.give("input", exchanged(b, "fx.all_reduce", &["reduce_op", "group_name"])?);
    Ok(())
}

/// A part of the sum or mean over processes: the gradients of all parts.
pub fn reduce_scatter_tensor(b: &Back<'_>) -> Result {
    let g = exchanged(b, "fx.all_gather_into_tensor", &["group_size", "group_name"])?;
    let mean = b.op.op.text("reduce_op") == Some("avg");
    b.give("input", if mean { b.div(g, b.number(b.op.int("group_size")? as f64))? } else { g });
    Ok(())
}

/// Parts sent to all, those of all received: sent back.
pub fn all_to_all_single(b: &Back<'_>) -> Result {
    let (came, went) = (b.op.sizes("output_split_sizes"), b.op.sizes("input_split_sizes"));
    let lists: [(&str, &[Dim<'_>]); 2] = [("output_split_sizes", &went), ("input_split_sizes", &came)];
    let back = b.named("fx.all_to_all_single", &[("input", b.g()?)], &lists, &b.op.attributes(&["group_name"]))?;
    b.give("input", back.result(0));
    Ok(())
}
