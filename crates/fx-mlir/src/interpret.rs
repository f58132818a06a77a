//! A program in the reference evaluator.

use fx_import::Archive;
use fx_interp::Evaluator;
use fx_runtime::{DType, OutputItem, Value};

use crate::{Error, compile};

/// A program that the reference evaluator runs as it was imported: slowly, and without the compiler.
pub struct Interpreter {
    evaluator: Evaluator,
}

impl Interpreter {
    pub(crate) fn new(mut evaluator: Evaluator, archive: Option<&Archive>) -> Result<Self, Error> {
        if let Some(archive) = archive {
            let names: Vec<String> = evaluator.state_names().map(str::to_string).collect();
            for name in names {
                let tensor = compile::state_tensor(archive, &name)?;
                evaluator.set_state(&name, &tensor).map_err(|error| Error::Usage(format!("'{name}': {error}")))?;
            }
        }
        Ok(Self { evaluator })
    }

    /// User inputs in calling order: their names, and of numbers their type.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, Option<DType>)> {
        self.evaluator.inputs()
    }

    /// Runs the program on the user inputs, in order.
    ///
    /// # Errors
    /// If inputs do not fit, or an op fails: with its place.
    pub fn call(&self, inputs: &[Value]) -> Result<Vec<OutputItem>, Error> {
        self.evaluator.call(inputs).map_err(|message| Error::Diagnostics(vec![message]))
    }
}
