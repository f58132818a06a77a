//! A program in the reference evaluator.

use fx_import::Archive;
use fx_interp::Evaluator;
use fx_runtime::{DType, HostTensor, OutputItem, Value};

use crate::training::is_optimizer_state;
use crate::{Error, compile};

/// A program that the reference evaluator runs as it was imported: slowly, and without the compiler.
pub struct Interpreter {
    evaluator: Evaluator,
}

impl Interpreter {
    pub(crate) fn new(evaluator: Evaluator, archive: Option<&Archive>) -> Result<Self, Error> {
        let names: Vec<String> = evaluator.state_names().map(str::to_string).collect();
        let mut interpreter = Self { evaluator };
        for name in names {
            match (archive, interpreter.evaluator.state_type(&name)) {
                (_, Some((dtype, dims))) if is_optimizer_state(&name) => interpreter.set_state(&name, &HostTensor::zeros(dtype, &dims)?)?,
                (Some(archive), _) => interpreter.set_state(&name, &compile::state_tensor(archive, &name)?)?,
                (None, _) => {}
            }
        }
        Ok(interpreter)
    }

    /// Sets a parameter, buffer or constant by its name; those of an archive are set already.
    ///
    /// # Errors
    /// If the tensor is absurdly large.
    pub fn set_state(&mut self, name: &str, tensor: &HostTensor) -> Result<(), Error> {
        self.evaluator.set_state(name, tensor).map_err(|error| Error::Usage(format!("'{name}': {error}")))
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
