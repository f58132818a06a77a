//! Host functions that compiled programs call: what is not loops over elements.
//!
//! Names     `fx::name`; the lowering of an op (`fx-ops/src/rows`) and the function agree on the arguments, which each
//!           function's comment lists.
//! Errors    A function checks what depends on data (indices, singular matrices) and gives a message; the runtime adds
//!           the operator's place in the user's program.

#![forbid(unsafe_code)]

use fx_runtime::{Executor, HostTensor, OpCall};
use std::sync::{Arc, Mutex, PoisonError};

mod compact;
mod doubles;
mod fourier;
mod index;
mod linear;
mod order;
mod random;
#[cfg(test)]
mod testing;
mod typed;

pub use random::{Generator, philox};

/// A host function without state.
type Function = fn(&OpCall<'_>) -> Result<Vec<HostTensor>, String>;

/// A host function that draws random numbers.
type Drawing = fn(&OpCall<'_>, &mut Generator) -> Result<Vec<HostTensor>, String>;

/// The functions with the state that they share.
#[derive(Clone, Default)]
pub struct Library {
    generator: Arc<Mutex<Generator>>,
}

impl Library {
    /// A library whose random numbers start from `seed`, as after `torch.manual_seed(seed)`.
    pub fn with_seed(seed: u64) -> Self {
        Self { generator: Arc::new(Mutex::new(Generator::new(seed))) }
    }

    /// Starts the random numbers again.
    pub fn set_seed(&self, seed: u64) {
        *self.generator.lock().unwrap_or_else(PoisonError::into_inner) = Generator::new(seed);
    }

    /// Where the random numbers are.
    pub fn generator(&self) -> Generator {
        self.generator.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Goes on with the random numbers from another place.
    pub fn set_generator(&self, generator: Generator) {
        *self.generator.lock().unwrap_or_else(PoisonError::into_inner) = generator;
    }

    /// Registers all functions with an executor, which ignores those that its plan does not call.
    pub fn register(&self, executor: &mut Executor) {
        let families = [compact::FUNCTIONS, fourier::FUNCTIONS, index::FUNCTIONS, linear::FUNCTIONS, order::FUNCTIONS];
        for (name, function) in families.into_iter().flatten() {
            executor.register_op(name, Arc::new(function));
        }
        for (name, function) in random::FUNCTIONS {
            let generator = Arc::clone(&self.generator);
            let draw = move |call: &OpCall<'_>| function(call, &mut generator.lock().unwrap_or_else(PoisonError::into_inner));
            executor.register_op(name, Arc::new(draw));
        }
    }
}
