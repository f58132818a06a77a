//! Writes and sums at computed places: by kernels where these may do it in any order (`runs`), else by functions on the host
//! (`fx-library`).

use fx_ir::{Attribute, Result, Value};

use super::advanced::{Positions, positions};
use super::runs::{self, Join, scattered};
use crate::batching;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Lower, Tensor};
use crate::rows::derivatives;
use crate::scalar::Scalars;
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.scatter", |cx, op| {
        let reduce = match op.op.text("reduce") {
            Some("add") => "sum",
            Some("multiply") => "prod",
            _ => "",
        };
        scatter(cx, op, reduce, true)
    })
    .batched(batching::indexing::per_element)
    .vjp(derivatives::indexing::scatter),
    lowered("fx.scatter_add", |cx, op| scatter(cx, op, "sum", true))
        .batched(batching::indexing::per_element)
        .vjp(derivatives::indexing::scatter_add),
    lowered("fx.scatter_reduce", |cx, op| {
        let reduce = op.op.text("reduce").unwrap_or_default();
        scatter(cx, op, reduce, include_self(op))
    })
    .batched(batching::indexing::per_element)
    .vjp(derivatives::indexing::scatter_reduce)
    .kinked(),
    lowered("fx.index_add", index_add).batched(batching::indexing::index_add).vjp(derivatives::indexing::index_add),
    lowered("fx.index_reduce", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dim = op.dim("dim", input.rank())?;
        let reduce = op.op.text("reduce").unwrap_or_default();
        let (index, source) = (cx.operand(op, "index")?, cx.operand(op, "source")?);
        if let Some(join) = Join::in_kernels(cx, reduce, input.element) {
            let runs = runs::slices(cx, op, &input, dim, index, source);
            let result = scattered(cx, &input, &runs, join, include_self(op));
            cx.set(op.op.result(0), result);
            return Ok(());
        }
        let scalars = [cx.int_argument(dim as i64), cx.flag_argument(include_self(op))];
        let tensors = [input, index, source];
        write(cx, op, "fx::index_reduce", &tensors, &scalars, reduce);
        Ok(())
    })
    .batched(batching::indexing::index_reduce)
    .vjp(derivatives::indexing::index_reduce)
    .kinked(),
    lowered("fx.index_put", index_put).batched(batching::indexing::index_put).vjp(derivatives::indexing::index_put),
    lowered("fx.put", |cx, op| {
        let tensors = [cx.operand(op, "input")?, cx.operand(op, "index")?, cx.operand(op, "source")?];
        let accumulate = op.op.flag("accumulate");
        if let Some(join) = Join::in_kernels(cx, if accumulate { "sum" } else { "" }, tensors[0].element) {
            let runs = runs::flat(cx, op, &tensors[0], &tensors[1], &tensors[2]);
            let result = scattered(cx, &tensors[0], &runs, join, true);
            cx.set(op.op.result(0), result);
            return Ok(());
        }
        let scalars = [cx.flag_argument(accumulate)];
        write(cx, op, "fx::put", &tensors, &scalars, "");
        Ok(())
    })
    .batched(batching::indexing::put)
    .vjp(derivatives::indexing::put),
    lowered("fx.as_strided_scatter", |cx, op| {
        let tensors = [cx.operand(op, "input")?, cx.operand(op, "src")?];
        cx.check_shape(&tensors[1].dims, &cx.sizes(op, "size"));
        let offset = cx.sizes(op, "storage_offset").first().copied().unwrap_or(Dim::Static(0));
        let numbers = [vec![offset], cx.sizes(op, "stride")].concat();
        let scalars: Vec<_> = numbers.into_iter().map(|number| cx.dim_value(number)).collect();
        write(cx, op, "fx::as_strided_scatter", &tensors, &scalars, "");
        Ok(())
    })
    .vjp(derivatives::shape::as_strided_scatter)
    .tested_by("golden cases: eager mode has the gradient of what was overwritten"),
];

fn include_self(op: FxOp<'_>) -> bool {
    op.op.attribute("include_self").and_then(Attribute::as_bool).unwrap_or(true)
}

/// Calls a function whose result is like its first tensor.
fn write<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, name: &str, tensors: &[Tensor<'c>], scalars: &[Value<'c>], reduce: &str) {
    let context = cx.context();
    let attributes = (!reduce.is_empty()).then(|| Attribute::dictionary(context, &[("reduce", Attribute::string(context, reduce))]));
    let result = HostResult::sized(&tensors[0].dims, tensors[0].element);
    cx.host_op(op, name, tensors, HostArguments { scalars, attributes }, &[result]);
}

fn scatter<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, reduce: &str, include_self: bool) -> Result {
    let input = cx.operand(op, "input")?;
    let src = op.operand("src")?;
    let source = if src.ty().is_tensor() {
        cx.tensor(src)?
    } else {
        let number = Scalars::new(cx.b).from_scalar(cx.scalar(src), input.element);
        cx.fill(&[], number)
    };
    let (dim, index) = (op.dim("dim", input.rank())?, cx.operand(op, "index")?);
    if let Some(join) = Join::in_kernels(cx, reduce, input.element) {
        let runs = runs::along(cx, op, &input, dim, index, source);
        let result = runs.map_or_else(|| input.clone(), |runs| scattered(cx, &input, &runs, join, include_self));
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    let scalars = [cx.int_argument(dim as i64), cx.flag_argument(include_self)];
    write(cx, op, "fx::scatter", &[input, index, source], &scalars, reduce);
    Ok(())
}

fn index_add<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let real = input.element.is_float() || input.element.is_complex();
    let alpha = match op.op.int("alpha") {
        Some(alpha) if !real => cx.int_argument(alpha),
        _ if real => cx.float_argument(op.op.float("alpha").unwrap_or(1.0)),
        _ => cx.int_argument(op.op.float("alpha").unwrap_or(1.0) as i64),
    };
    let dim = op.dim("dim", input.rank())?;
    let (index, source) = (cx.operand(op, "index")?, cx.operand(op, "source")?);
    if let Some(join) = Join::in_kernels(cx, "sum", input.element) {
        let runs = runs::slices(cx, op, &input, dim, index, source).times(cx, alpha);
        let result = scattered(cx, &input, &runs, join, true);
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    let scalars = [cx.int_argument(dim as i64), alpha];
    write(cx, op, "fx::index_add", &[input, index, source], &scalars, "");
    Ok(())
}

fn index_put<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let positions = positions(cx, op)?;
    let mut tensors = vec![cx.operand(op, "input")?, cx.operand(op, "values")?];
    let accumulate = op.op.flag("accumulate");
    if let Some(join) = Join::in_kernels(cx, if accumulate { "sum" } else { "" }, tensors[0].element) {
        let runs = runs::indexed(cx, op, &tensors[0], positions, tensors[1].clone());
        let result = scattered(cx, &tensors[0], &runs, join, true);
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    let Positions { tensors: indices, dims } = positions;
    tensors.extend(indices);
    let mut scalars = vec![cx.flag_argument(accumulate)];
    scalars.extend(dims.iter().map(|dim| cx.int_argument(*dim as i64)));
    write(cx, op, "fx::index_put", &tensors, &scalars, "");
    Ok(())
}
