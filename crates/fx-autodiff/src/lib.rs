//! Derivatives of fx functions, as fx functions.
//!
//! Layer     Above `fx-ops`: its rows hold the rules, this crate walks functions and knows no op.
//! Holds     [`tape`]: what varies, in order. [`reverse`] and [`forward`]: the two modes. [`joint`]: a function with its
//!           gradients as further results. [`PASSES`]: the passes of this crate.
#![forbid(unsafe_code)]

use fx_ir::Pass;

pub mod forward;
pub mod fx_autodiff;
pub mod interface;
pub mod joint;
pub mod reverse;
pub mod tape;

/// Every pass of this crate.
pub static PASSES: &[&Pass] = &[&fx_autodiff::PASS];
