//! A program as two: one computes outputs, the other gradients, and what the second needs is saved in between.
//!
//! ```no_run
//! use fx_mlir::halves::{Pair, Partitioning};
//! use fx_mlir::{HostTensor, Library, Program, Target};
//! let program = Program::open("model_train.pt2".as_ref())?;
//! let halves = program.halves(&Partitioning::default())?;
//! let mut pair = Pair::new(&halves, &Target::Cpu, &Library::default())?;
//! let x = [HostTensor::from_slice(&[1, 512], &[0.5f32; 512])?.into()];
//! let outputs = pair.forward(&x)?;
//! let gradients = pair.backward(&[HostTensor::scalar(1.0f32)?.into()])?;
//! println!("{} bytes, predicted were {}", pair.peak_bytes(), halves.report.peak);
//! # Ok::<(), fx_mlir::Error>(())
//! ```

use fx_autodiff::partition::run::{GivenSizes, partition};
use fx_autodiff::partition::split::Names;
use fx_ir::run_pipeline;
use fx_library::Library;
use fx_runtime::plan::ArgumentKind;
use fx_runtime::{DeviceKind, Executor, OutputItem, Plan, Value};

use crate::gradients::{Cotangents, Gradients};
use crate::meter::Lowering;
use crate::program::main_of;
use crate::{Error, Program, Target};

pub use fx_autodiff::partition::budget::Budget;
pub use fx_autodiff::partition::report::Report;
pub use fx_autodiff::partition::run::Strategy;

/// How to partition a program.
#[derive(Debug, Clone)]
pub struct Partitioning {
    /// Which gradients; their cotangents are inputs.
    pub gradients: Gradients,
    /// What is saved and what is computed again.
    pub strategy: Strategy,
    /// Sizes of symbols, to predict with.
    pub sizes: GivenSizes,
    /// Whose memory counts.
    pub target: Target,
}

impl Default for Partitioning {
    fn default() -> Self {
        Self { gradients: Gradients::default(), strategy: Strategy::MinCut, sizes: GivenSizes::new(), target: Target::Cpu }
    }
}

/// What a partition gives.
pub struct Halves {
    /// Outputs and mutations, then what is saved: tensors, then numbers.
    pub forward: Program,
    /// Gradients. Its inputs are what is saved, by the name `saved.N`, inputs of the program that it uses, and cotangents.
    pub backward: Program,
    /// What is saved and computed again, and the predicted peak.
    pub report: Report,
}

/// Before a partition: what is composite costs otherwise.
const PREPARE: &str = "builtin.module(canonicalize,cse,func.func(fx-decompose),canonicalize,cse)";
const NAMES: Names<'static> = Names { forward: "forward", backward: "backward" };

impl Program {
    /// The program as two, with gradients as [`Program::with_gradients`] gives them.
    ///
    /// # Errors
    /// If an op on the way has no derivative, or gradients need what can neither be saved nor computed again: reported.
    pub fn halves(&self, how: &Partitioning) -> Result<Halves, Error> {
        let joint = self.with_gradients(&Gradients { cotangents: Cotangents::Arguments, ..how.gradients.clone() })?;
        let context = fx_ir::new_context(false);
        let meter = Lowering { target: how.target.clone() };
        let (texts, report) = joint.with_module(&context, |module| {
            run_pipeline(&context, module, PREPARE)?;
            let report = partition(main_of(module)?, how.strategy, &how.sizes, &NAMES, &meter)?;
            let half = |name: &str| {
                let function = module.function(name)?;
                function.set_attribute("sym_name", fx_ir::Attribute::string(&context, "main"));
                let text = function.to_string_with_locations();
                function.erase();
                Some(text)
            };
            main_of(module)?.erase();
            Ok(([NAMES.forward, NAMES.backward].map(half), report))
        })?;
        let [forward, backward] = texts.map(|text| self.part(text.unwrap_or_default()));
        Ok(Halves { forward: forward?, backward: backward?, report })
    }
}

/// Both halves, compiled.
///
/// Each half gives its memory back after its call: the peak of both together is what a partition is chosen for.
pub struct Pair {
    forward: Executor,
    backward: Executor,
    /// Number of results of the forward half that are saved.
    saved: usize,
    /// Where each input of the backward half comes from.
    inputs: Vec<Origin>,
    /// What the last forward call was given, and what it saved.
    given: Vec<Value>,
    kept: Vec<Value>,
}

/// Where an input comes from.
enum Origin {
    Saved(usize),
    Given(usize),
    Cotangent(usize),
}

impl Pair {
    /// Compiles both, with the random numbers of a library, which the caller keeps.
    ///
    /// # Errors
    /// If a half cannot be lowered, or the device is absent.
    pub fn new(halves: &Halves, target: &Target, library: &Library) -> Result<Self, Error> {
        let device = if matches!(target, Target::Cuda { .. }) { DeviceKind::Cuda(0) } else { DeviceKind::Cpu };
        let load = |program: &Program| program.compile(target)?.executor_with(device, library);
        let (forward, backward) = (load(&halves.forward)?, load(&halves.backward)?);
        let saved = (halves.report.tensors + halves.report.numbers) as usize;
        let given: Vec<_> = inputs_of(forward.plan()).collect();
        let mut cotangents = 0..;
        let source = |name: &str| match (name.strip_prefix("saved."), given.iter().position(|given| *given == name)) {
            (Some(number), _) => number.parse().ok().map(Origin::Saved),
            (None, Some(place)) => Some(Origin::Given(place)),
            (None, None) => cotangents.next().map(Origin::Cotangent),
        };
        let inputs: Option<Vec<_>> = inputs_of(backward.plan()).map(source).collect();
        let inputs = inputs.ok_or_else(|| Error::Usage("internal bug: an input of the backward half comes from nowhere".to_string()))?;
        Ok(Self { forward, backward, saved, inputs, given: Vec::new(), kept: Vec::new() })
    }

    /// Both plans: of the forward, and of the backward half.
    pub fn plans(&self) -> [&Plan; 2] {
        [self.forward.plan(), self.backward.plan()]
    }

    /// Sets a parameter, buffer or constant of whichever half has it.
    ///
    /// # Errors
    /// If no half has it, or the tensor does not fit.
    pub fn set_state(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let has = |executor: &Executor| executor.plan().arguments.iter().any(|argument| state_name(&argument.kind) == Some(name));
        let halves = [&mut self.forward, &mut self.backward];
        let mut found = false;
        for half in halves.into_iter().filter(|half| has(half)) {
            half.set_state(name, value.clone())?;
            found = true;
        }
        if found { Ok(()) } else { Err(Error::Usage(format!("no half has a parameter, buffer or constant '{name}'"))) }
    }

    /// Computes outputs and mutations, and keeps what is saved. State does not change: mutations are results.
    ///
    /// # Errors
    /// As [`Executor::call`].
    pub fn forward(&mut self, inputs: &[Value]) -> Result<Vec<OutputItem>, Error> {
        self.kept.clear();
        let mut items = self.forward.call(inputs)?;
        self.forward.release_memory();
        self.given = inputs.to_vec();
        let saved = items.split_off(items.len().saturating_sub(self.saved));
        self.kept = saved.into_iter().filter_map(|item| item.value).collect();
        Ok(items)
    }

    /// Computes gradients from cotangents of the outputs that have one, in order, after [`Pair::forward`].
    ///
    /// # Errors
    /// As [`Executor::call`], and if there was no forward call.
    pub fn backward(&mut self, cotangents: &[Value]) -> Result<Vec<OutputItem>, Error> {
        let value = |origin: &Origin| match origin {
            Origin::Saved(number) => self.kept.get(*number).cloned().ok_or("a forward call comes first"),
            Origin::Given(place) => self.given.get(*place).cloned().ok_or("a forward call comes first"),
            Origin::Cotangent(number) => cotangents.get(*number).cloned().ok_or("a cotangent is missing"),
        };
        let inputs: Result<Vec<_>, _> = self.inputs.iter().map(value).collect();
        let items = self.backward.call(&inputs.map_err(|why| Error::Usage(why.to_string()))?)?;
        self.backward.release_memory();
        Ok(items)
    }

    /// Bytes of what is saved.
    pub fn saved_bytes(&self) -> usize {
        let bytes = |value: &Value| match value {
            Value::Tensor(tensor) => tensor.bytes().len(),
            Value::Device(tensor) => tensor.byte_len(),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => 8,
        };
        self.kept.iter().map(bytes).sum()
    }

    /// The most that the last calls of both halves had at a time, in bytes: the forward half's arena and results, then what is
    /// saved with the backward half's arena and results. Inputs, outputs that are handed out and the state do not count.
    pub fn peak_bytes(&self) -> usize {
        let [forward, backward] = [&self.forward, &self.backward].map(|half| half.memory_use().call_peak);
        forward.max(self.saved_bytes() + backward)
    }
}

fn inputs_of(plan: &Plan) -> impl Iterator<Item = &str> {
    plan.arguments.iter().filter_map(|argument| match &argument.kind {
        ArgumentKind::Input(name) => Some(name.as_str()),
        _ => None,
    })
}

fn state_name(kind: &ArgumentKind) -> Option<&str> {
    match kind {
        ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name) => Some(name),
        ArgumentKind::Input(_) => None,
    }
}
