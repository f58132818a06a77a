//! Reverse-mode rules that do not fit into a row, family by family; `../../gradient.rs` is what they build with.
//!
//! Source    `tools/autograd/derivatives.yaml` of PyTorch says what eager mode computes; each convention at kinks and ties
//!           is that of eager mode.

pub mod convolution;
pub mod matrix;
pub mod pointwise;
pub mod pooling;
pub mod reduction;
pub mod resample;
pub mod shape;
pub mod spatial;
