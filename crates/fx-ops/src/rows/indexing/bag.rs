//! Reductions over bags of a table's rows, and gradients of lookups: functions on the host (`fx-library`), but for sums that
//! kernels may make in any order.

use fx_ir::{NumberKind, Result, Value};

use super::runs::{Join, lookups};
use crate::batching;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Lower, Tensor};
use crate::rows::derivatives;
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.embedding_bag", embedding_bag).vjp(derivatives::indexing::embedding_bag),
    lowered("fx.embedding_bag_backward", |cx, op| {
        let offsets = cx.operand(op, "offsets")?;
        backward(cx, op, Some(offsets))
    })
    .refused("PyTorch has none either"),
    lowered("fx.embedding_bag_dense_backward", |cx, op| backward(cx, op, None)).refused("PyTorch has none either"),
    lowered("fx.embedding_bag_per_sample_weights_backward", |cx, op| {
        let tensors = operands(cx, op, &["grad", "weight", "indices", "offsets", "offset2bag"])?;
        let scalars = [cx.int_argument(op.op.int("padding_idx").unwrap_or(-1))];
        let result = HostResult::sized(&tensors[2].dims, tensors[0].element);
        cx.host_op(op, "fx::embedding_bag_weights_backward", &tensors, HostArguments::scalars(&scalars), &[result]);
        Ok(())
    })
    .refused("PyTorch has none either"),
    lowered("fx.embedding_dense_backward", |cx, op| {
        let tensors = operands(cx, op, &["grad_output", "indices"])?;
        let padding = size(cx, op, "padding_idx", -1);
        let by_frequency = op.op.flag("scale_grad_by_freq");
        let rows = size(cx, op, "num_weights", 0);
        if Join::in_kernels(cx, "sum", tensors[0].element).is_some() {
            let result = lookups(cx, op, &tensors[0], &tensors[1], [rows, padding], by_frequency);
            cx.set(op.op.result(0), result);
            return Ok(());
        }
        let scalars = [cx.flag_argument(by_frequency), cx.dim_value(padding)];
        let columns = tensors[0].dims.last().copied().unwrap_or(Dim::Static(0));
        let result = HostResult::sized(&[rows, columns], tensors[0].element);
        cx.host_op(op, "fx::embedding_backward", &tensors, HostArguments::scalars(&scalars), &[result]);
        Ok(())
    })
    .batched(batching::indexing::embedding_backward)
    .vjp(derivatives::indexing::embedding_dense_backward),
];

fn operands<'c>(cx: &Lower<'c>, op: FxOp<'c>, names: &[&str]) -> Result<Vec<Tensor<'c>>> {
    names.iter().map(|name| cx.operand(op, name)).collect()
}

/// A number that may be known only at run time.
fn size<'c>(cx: &Lower<'c>, op: FxOp<'c>, name: &str, absent: i64) -> Dim<'c> {
    cx.sizes(op, name).first().copied().unwrap_or(Dim::Static(absent))
}

/// The four results of `_embedding_bag` on a CPU: a sum of f32 or narrower floats without padding needs no bags.
fn embedding_bag<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let mut tensors = operands(cx, op, &["weight", "indices", "offsets"])?;
    let (mode, padding) = (op.op.int("mode").unwrap_or(0), op.op.int("padding_idx").unwrap_or(-1));
    let last = op.op.flag("include_last_offset");
    let bags = if last { cx.sub(tensors[2].dims[0], Dim::Static(1)) } else { tensors[2].dims[0] };
    let (columns, element) = (tensors[0].dims[1], tensors[0].element);
    let needs_bags = mode != 0 || padding >= 0 || (element.number_kind() == NumberKind::Float && element.bit_width() == 64);
    let of_each = if needs_bags { tensors[1].dims[0] } else { Dim::Static(0) };
    let maxima = if mode == 2 { vec![bags, columns] } else { vec![bags] };
    let results = [
        HostResult::sized(&[bags, columns], element),
        HostResult::sized(&[of_each], op.result_element(1)),
        HostResult::sized(&[bags], op.result_element(2)),
        HostResult::sized(&maxima, op.result_element(3)),
    ];
    if let Some(scale) = op.optional("per_sample_weights") {
        tensors.push(cx.tensor(scale)?);
    }
    let scalars = [cx.int_argument(mode), cx.flag_argument(last), cx.int_argument(padding)];
    cx.host_op(op, "fx::embedding_bag", &tensors, HostArguments::scalars(&scalars), &results);
    Ok(())
}

/// The gradient of the table; `offsets` say the bags where `offset2bag` does not.
fn backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, offsets: Option<Tensor<'c>>) -> Result {
    let mut tensors = operands(cx, op, &["grad", "indices", "offset2bag", "bag_size", "maximum_indices"])?;
    let scalars: [Value<'c>; 4] = [
        cx.int_argument(op.int("mode")?),
        cx.flag_argument(op.op.flag("scale_grad_by_freq")),
        cx.int_argument(op.op.int("padding_idx").unwrap_or(-1)),
        cx.flag_argument(offsets.is_some()),
    ];
    let result = HostResult::sized(&[size(cx, op, "num_weights", 0), tensors[0].dims[1]], tensors[0].element);
    tensors.extend(offsets);
    if let Some(scale) = op.optional("per_sample_weights") {
        tensors.push(cx.tensor(scale)?);
    }
    cx.host_op(op, "fx::embedding_bag_backward", &tensors, HostArguments::scalars(&scalars), &[result]);
    Ok(())
}
