//! Collectives: exchanges between the processes of a group.
//!
//! An exchange is a call of a host function that the user registers: `fx::all_reduce`, `fx::all_gather_into_tensor`,
//! `fx::reduce_scatter_tensor`, `fx::all_to_all_single`, `fx::broadcast`. It gets the tensor and, as attributes,
//! `group_name` and what else the op says; it returns when the result is there, so waiting is nothing. A group that is
//! known to be of one process exchanges nothing.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::Lower;
use crate::rows::derivatives;
use crate::scalar::{Number, Scalars};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.all_gather_into_tensor", |cx, op| {
        let input = cx.operand(op, "input")?;
        let group = Dim::Static(op.int("group_size")?);
        let rows = input.dims.first().copied().unwrap_or(Dim::Static(1));
        let dims = [&[cx.mul(rows, group)], input.dims.get(1..).unwrap_or_default()].concat();
        if group.known() == Some(1) {
            let result = cx.reshape(&input, &dims);
            cx.set(op.op.result(0), result);
            return Ok(());
        }
        exchange(cx, op, "fx::all_gather_into_tensor", &dims, &own(op, &["group_size", "group_name"]), &[])
    })
    .vjp(derivatives::collective::all_gather_into_tensor),
    lowered("fx.all_reduce", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        exchange(cx, op, "fx::all_reduce", &dims, &own(op, &["reduce_op", "group_name"]), &[])
    })
    .vjp(derivatives::collective::all_reduce),
    // The scalars are split sizes: those of what comes, then those of what goes; `outputs` and `inputs` count them.
    lowered("fx.all_to_all_single", |cx, op| {
        let (output, input) = (cx.sizes(op, "output_split_sizes"), cx.sizes(op, "input_split_sizes"));
        let mut dims = cx.operand(op, "input")?.dims;
        if !output.is_empty() {
            dims[0] = output.iter().fold(Dim::Static(0), |sum, size| cx.add(sum, *size));
        }
        let wide = Type::int(cx.context(), 64);
        let s = Scalars::new(cx.b);
        let values = output.iter().chain(&input).map(|size| cx.dim_value(*size));
        let splits: Vec<_> = values.map(|value| s.cast(Number { value, ty: value.ty() }, wide).value).collect();
        let count = |sizes: &[_]| Attribute::i64(cx.context(), sizes.len() as i64);
        let mut attributes = own(op, &["group_name"]);
        attributes.extend([("inputs", count(&input)), ("outputs", count(&output))]);
        exchange(cx, op, "fx::all_to_all_single", &dims, &attributes, &splits)
    })
    .vjp(derivatives::collective::all_to_all_single),
    lowered("fx.broadcast", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        exchange(cx, op, "fx::broadcast", &dims, &own(op, &["src", "group_name"]), &[])
    })
    .refused("which process is the source is known at run time only; PyTorch has none either"),
    lowered("fx.reduce_scatter_tensor", |cx, op| {
        let input = cx.operand(op, "input")?;
        let group = op.int("group_size")?;
        if group == 1 {
            cx.set(op.op.result(0), input);
            return Ok(());
        }
        let mut dims = input.dims;
        let part = cx.floor_div(dims[0], Dim::Static(group));
        if part.known().is_none() {
            let message = format!("'{}' op expects a first size that {group} divides", op.op.name());
            cx.check_equal(cx.mul(part, Dim::Static(group)), dims[0], &message);
        }
        dims[0] = part;
        exchange(cx, op, "fx::reduce_scatter_tensor", &dims, &own(op, &["reduce_op", "group_size", "group_name"]), &[])
    })
    .vjp(derivatives::collective::reduce_scatter_tensor),
    lowered("fx.wait_tensor", |cx, op| {
        let tensor = cx.operand(op, "tensor")?;
        cx.set(op.op.result(0), tensor);
        Ok(())
    })
    .vjp(|b| b.only("tensor", b.g()?)),
];

/// Attributes of the op by name.
fn own<'c>(op: FxOp<'c>, names: &[&'static str]) -> Vec<(&'static str, Attribute<'c>)> {
    names.iter().filter_map(|name| Some((*name, op.op.attribute(name)?))).collect()
}

/// The op as a call of a host function: the input, scalars and attributes.
fn exchange<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    name: &str,
    dims: &[Dim<'c>],
    attributes: &[(&str, Attribute<'c>)],
    scalars: &[Value<'c>],
) -> Result {
    let input = cx.operand(op, "input")?;
    let arguments = HostArguments { scalars, attributes: Some(Attribute::dictionary(cx.context(), attributes)) };
    let results = cx.host(name, std::slice::from_ref(&input), arguments, &[HostResult::sized(dims, input.element)]);
    results.into_iter().for_each(|result| cx.set(op.op.result(0), result));
    Ok(())
}
