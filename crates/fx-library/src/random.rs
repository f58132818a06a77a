//! Random numbers.

use crate::Drawing;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Drawing)] = &[];

/// The state of the random numbers.
#[derive(Debug, Clone, Default)]
pub struct Generator {
    /// The seed.
    pub seed: u64,
    /// How many blocks of four numbers were drawn.
    pub offset: u64,
}

impl Generator {
    /// A generator at the start of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed, offset: 0 }
    }
}
