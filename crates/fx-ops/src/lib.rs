//! One row per fx operator: decomposition, lowering to linalg, derivative rules.
//!
//! Layer     Above `fx-ir`. Rules are pure builders: they never walk a function, and casts, broadcasting and the order
//!           of rules are done once, around the call.
//! Holds     The table ([`table`]), its rows by family, and what rules build with: [`fx_builder::Fx`] for fx ops,
//!           [`lower::Lower`] for loops, [`scalar::Scalars`] and [`real::Reals`] inside them.
#![forbid(unsafe_code)]

pub mod batching;
pub mod coverage;
pub mod decompose;
pub mod fx_builder;
pub mod fx_op;
pub mod gradient;
pub mod library;
pub mod lower;
pub mod philox;
pub mod promote;
pub mod real;
pub mod recompute;
pub mod rows;
pub mod scalar;
mod sizes;
pub mod table;
