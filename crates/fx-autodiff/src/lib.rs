//! Derivatives of fx functions, as fx functions.
//!
//! Layer     Above `fx-ops`: its rows hold the rules, this crate walks functions and knows no op.
//! Holds     [`tape`]: what varies, in order. [`reverse`] and [`forward`]: the two modes. [`joint`]: a function with its
//!           gradients as further results. [`vmap`]: a function for each
//!           index of a further dim. [`optimizer`]: the update of a training step. [`partition`]: a joint
//!           function as two. [`PASSES`]: the passes of this crate.
#![forbid(unsafe_code)]

use fx_ir::Pass;

mod custom;
pub mod forward;
pub mod fx_autodiff;
pub mod fx_optimizer;
pub mod fx_vmap;
pub mod interface;
pub mod joint;
pub mod optimizer;
pub mod partition;
mod regions;
pub mod reverse;
pub mod tape;
pub mod vmap;

/// Every pass of this crate.
pub static PASSES: &[&Pass] = &[&fx_autodiff::PASS, &fx_optimizer::PASS, &fx_vmap::PASS];
