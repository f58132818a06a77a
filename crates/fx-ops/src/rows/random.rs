//! Rows of the random family.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.bernoulli", "needs the Philox generator"),
    missing("fx.cauchy", "needs the Philox generator"),
    missing("fx.exponential", "needs the Philox generator"),
    missing("fx.geometric", "needs the Philox generator"),
    missing("fx.log_normal", "needs the Philox generator"),
    missing("fx.multinomial", "needs the Philox generator"),
    missing("fx.native_dropout", "needs the Philox generator"),
    missing("fx.normal", "needs the Philox generator"),
    missing("fx.normal_functional", "needs the Philox generator"),
    missing("fx.rand", "needs the Philox generator"),
    missing("fx.rand_like", "needs the Philox generator"),
    missing("fx.randint", "needs the Philox generator"),
    missing("fx.randint_like", "needs the Philox generator"),
    missing("fx.randn", "needs the Philox generator"),
    missing("fx.randn_like", "needs the Philox generator"),
    missing("fx.randperm", "needs the Philox generator"),
    missing("fx.rrelu_with_noise_functional", "needs the Philox generator"),
    missing("fx.uniform", "needs the Philox generator"),
];
