//! Passes over the fx dialect, one file each, and the named phases.
//!
//! Layer     Above `fx-ops`: passes walk, rows say what to do with an op.
//! Holds     [`PASSES`], the only list of passes of this crate; each file is headed by what it needs, gives and fails on.
#![forbid(unsafe_code)]

use fx_ir::Pass;

pub mod legality;

/// Declares each pass's module and the table of passes.
macro_rules! declare_passes {
    ($($module:ident),* $(,)?) => {
        $(pub mod $module;)*
        /// Every pass of this crate.
        pub static PASSES: &[&Pass] = &[$(&$module::PASS),*];
    };
}

declare_passes! {
    convert_fx_to_linalg,
    fx_decompose,
    verify_fx,
    verify_fx_opt,
    verify_linalg,
    verify_prim,
}
