//! Recurrent layers.

use crate::table::{OpRow, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    missing("fx.gru", "recurrent layers need a loop over time"),
    missing("fx.lstm", "recurrent layers need a loop over time"),
    missing("fx.rnn_relu", "recurrent layers need a loop over time"),
    missing("fx.rnn_tanh", "recurrent layers need a loop over time"),
];
