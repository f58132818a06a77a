//! Reverse-mode rules that do not fit into a row, family by family; `../../gradient.rs` is what they build with.
//!
//! Source    `tools/autograd/derivatives.yaml` of PyTorch says what eager mode computes; each convention at kinks and ties
//!           is that of eager mode.

use crate::fx_op::FxOp;

pub mod activation;
pub mod collective;
pub mod convolution;
pub mod distance;
pub mod fourier;
pub mod indexing;
pub mod linalg;
pub mod loss;
pub mod matrix;
pub mod norm;
pub mod order;
pub mod pad;
pub mod pointwise;
pub mod pooling;
pub mod reduction;
pub mod resample;
pub mod scan;
pub mod shape;
pub mod spatial;
pub mod special;
pub mod whole;

/// The op that is the gradient of `op`.
fn backward_name(op: FxOp<'_>) -> String {
    format!("{}_backward", op.op.name())
}

/// The op whose gradient is `op`.
fn forward_name<'c>(op: FxOp<'c>) -> &'c str {
    let name = op.op.name();
    name.strip_suffix("_backward").unwrap_or(name)
}
