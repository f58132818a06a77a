//! Training: a compiled training step, called again and again.
//!
//! ```no_run
//! use fx_mlir::training::{AdamW, Optimizer, Trainer};
//! use fx_mlir::{HostTensor, Program};
//! let program = Program::open("model_train.pt2".as_ref())?; // its only output is the loss
//! let mut trainer = Trainer::new(&program, &Optimizer::AdamW(AdamW::default()).into(), 0)?;
//! let x = HostTensor::from_slice(&[1, 512], &[0.5f32; 512])?;
//! for _ in 0..100 {
//!     println!("{}", trainer.step(&[x.clone().into()], 1e-3)?);
//! }
//! # Ok::<(), fx_mlir::Error>(())
//! ```

mod checkpoint;
mod initial;
mod schedule;

use std::path::Path;

use fx_autodiff::optimizer::STATE;
use fx_library::Library;
use fx_runtime::plan::{ArgumentKind, ArgumentValue};
use fx_runtime::{DeviceKind, Executor, HostTensor, Plan, Value};

use crate::compile::fixed_type;
use crate::{Error, Program, Target};

pub use checkpoint::Recipe;
pub use fx_autodiff::optimizer::{AdamW, Optimizer, Sgd, Training};
pub use schedule::{Decay, Schedule};

/// Whether a buffer holds an optimizer's state, which begins with zeros and is in no archive.
pub(crate) fn is_optimizer_state(name: &str) -> bool {
    name.starts_with(STATE)
}

/// A program that is trained, on the CPU: its code, its parameters and its optimizer's state.
pub struct Trainer {
    executor: Executor,
    library: Library,
    optimizer: Optimizer,
    seed: u64,
    losses: Vec<f64>,
}

impl Trainer {
    /// Compiles the training step of a program whose only output is its loss. Parameters and buffers are the archive's; for a
    /// program that is text, matrices are drawn from `seed` (by Glorot and Bengio's rule) and the rest is 0, until
    /// [`Trainer::set_state`]. The program's own random numbers start from `seed` too.
    ///
    /// # Errors
    /// As [`Program::with_training`] and [`Program::compile`].
    pub fn new(program: &Program, training: &Training, seed: u64) -> Result<Self, Error> {
        let compiled = program.with_training(training)?.compile(&Target::Cpu)?;
        let library = Library::with_seed(seed);
        let initial = initial::state(&compiled, seed)?;
        let mut executor = compiled.executor_with(DeviceKind::Cpu, &library)?;
        for (name, tensor) in initial {
            executor.set_state(&name, tensor)?;
        }
        Ok(Self { executor, library, optimizer: training.optimizer, seed, losses: Vec::new() })
    }

    /// The launch plan of a step; its last two inputs are the learning rate and the step's number.
    pub fn plan(&self) -> &Plan {
        self.executor.plan()
    }

    /// Sets a parameter or buffer by its name.
    ///
    /// # Errors
    /// If there is none of this name, or the tensor does not fit.
    pub fn set_state(&mut self, name: &str, tensor: HostTensor) -> Result<(), Error> {
        Ok(self.executor.set_state(name, tensor)?)
    }

    /// Parameters, buffers and the optimizer's state, by name.
    pub fn state(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.executor.state()
    }

    /// Names of the program's own parameters and buffers.
    pub fn parameters_and_buffers(&self) -> impl Iterator<Item = &str> {
        self.kept().map(|(name, _)| name).filter(|name| !is_optimizer_state(name))
    }

    /// Makes one step with the program's inputs, and gives the loss before it.
    ///
    /// # Errors
    /// If the inputs do not fit, or the program fails: the parameters are then what they were.
    pub fn step(&mut self, inputs: &[Value], learning_rate: f64) -> Result<f64, Error> {
        let number = i64::try_from(self.losses.len() + 1).unwrap_or(i64::MAX);
        let values = [inputs, &[learning_rate.into(), number.into()]].concat();
        let results = self.executor.call_and_update(&values)?;
        let loss = match results.first() {
            Some(result) => result.tensor()?.to_f64_vec()?.first().copied(),
            None => None,
        };
        let loss = loss.ok_or_else(|| Error::Usage("the training step gives no loss".into()))?;
        self.losses.push(loss);
        Ok(loss)
    }

    /// The losses of all steps so far; their number is that of the steps.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// Writes everything that is needed to go on, so that a crash of the process or of the machine leaves the old file or the
    /// new one: parameters, buffers and the optimizer's state by their names, the losses as `training.losses`, and as text the
    /// place of the random numbers, the optimizer and `recipe`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path, recipe: &Recipe) -> Result<(), Error> {
        checkpoint::write(self, path, recipe)
    }

    /// Goes on where [`Trainer::save`] stopped: the losses of further steps are those of a run that never stopped, bit by bit,
    /// if it gets the same inputs and learning rates.
    ///
    /// # Errors
    /// If the file is no checkpoint, or one of another program, optimizer, seed or recipe: the trainer is then what it was.
    pub fn resume(&mut self, path: &Path, recipe: &Recipe) -> Result<(), Error> {
        checkpoint::read(self, path, recipe)
    }

    /// Arguments that are kept in a checkpoint: names, element types and sizes.
    fn kept(&self) -> impl Iterator<Item = (&str, &ArgumentValue)> {
        self.plan().arguments.iter().filter_map(|argument| match &argument.kind {
            ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) => Some((name.as_str(), &argument.value)),
            ArgumentKind::Constant(_) | ArgumentKind::Input(_) => None,
        })
    }

    fn fits(&self, value: &ArgumentValue, tensor: &HostTensor) -> bool {
        fixed_type(self.plan(), value).is_none_or(|(dtype, dims)| (dtype, dims.as_slice()) == (tensor.dtype(), tensor.dims()))
    }
}
