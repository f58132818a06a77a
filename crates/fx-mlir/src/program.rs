//! An imported program.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Once};
use std::time::Duration;

use fx_autodiff::joint::{Request as Gradients, add_gradients, add_second_gradients, add_tangents};
use fx_autodiff::optimizer::{Training, add_training};
use fx_import::Archive;
use fx_ir::{Attribute, Context, DYNAMIC, Message, Module, Op, collect};
use fx_runtime::cache::{Cache, Lookup};

use crate::{Compiled, Error, Interpreter, Phase, Target, compile};

/// How a user input is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputKind {
    /// A tensor.
    Tensor {
        /// Element type, in MLIR's spelling.
        element: String,
        /// Sizes: numbers or the names of symbols.
        dims: Vec<String>,
    },
    /// A number, of this type in MLIR's spelling.
    Scalar(String),
}

/// One user input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputInfo {
    /// The name in the program.
    pub name: String,
    /// How it is given.
    pub kind: InputKind,
}

enum Source {
    Archive(Box<Archive>),
    /// Text, and the name that its locations have.
    Text(String, String),
    /// Text made of a program, whose state it has.
    Part(String, Arc<Source>),
}

/// A program: a `.pt2` archive or MLIR text.
///
/// Clones share what was read.
#[derive(Clone)]
pub struct Program {
    source: Arc<Source>,
    derivatives: Vec<Derivative>,
    inputs: Vec<InputInfo>,
}

/// One differentiation of a program.
#[derive(Debug, Clone)]
enum Derivative {
    Gradients(Gradients),
    SecondGradients(Gradients),
    Tangents(Gradients),
    Training(Training),
}

/// Makes passes known to MLIR, once.
fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        fx_ir::register(fx_autodiff::PASSES);
        fx_ir::register(fx_passes::PASSES);
        fx_ir::register(fx_codegen::PASSES);
        fx_ir::register(crate::PASSES);
    });
}

impl Program {
    /// Opens a `.pt2` archive or an `.mlir` file, by its extension.
    ///
    /// # Errors
    /// If it cannot be read, or holds what the fx dialect cannot express.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension {
            "pt2" => Self::from_archive(Archive::open(path)?),
            "mlir" => {
                let text = std::fs::read_to_string(path).map_err(|source| Error::Io { path: path.into(), source })?;
                Self::new(Source::Text(text, path.display().to_string()))
            }
            _ => Err(Error::Usage(format!("{}: expected a .pt2 archive or an .mlir file", path.display()))),
        }
    }

    /// A program from an opened archive.
    ///
    /// # Errors
    /// If it holds what the fx dialect cannot express: all of it is reported.
    pub fn from_archive(archive: Archive) -> Result<Self, Error> {
        Self::new(Source::Archive(Box::new(archive)))
    }

    /// A program from MLIR text of phase `fx`, with a function `@main`.
    ///
    /// # Errors
    /// If the text is wrong.
    pub fn from_mlir(text: &str) -> Result<Self, Error> {
        Self::new(Source::Text(text.to_string(), "-".to_string()))
    }

    fn new(source: Source) -> Result<Self, Error> {
        register_passes();
        Self { source: Arc::new(source), derivatives: Vec::new(), inputs: Vec::new() }.with_inputs()
    }

    /// The program with gradients as further results (and cotangents as further inputs, if so wanted). It is
    /// differentiated each time it is compiled, emitted or interpreted.
    ///
    /// # Errors
    /// If an op on the way has no derivative: all of them are reported.
    pub fn with_gradients(&self, gradients: &Gradients) -> Result<Self, Error> {
        let mut gradients = gradients.clone();
        gradients.tied.extend(self.archive().map(tied).unwrap_or_default());
        self.with(Derivative::Gradients(gradients))
    }

    /// A program with gradients, made plain outputs, and the gradients of these.
    ///
    /// # Errors
    /// As [`Program::with_gradients`].
    pub fn with_second_gradients(&self, gradients: &Gradients) -> Result<Self, Error> {
        self.with(Derivative::SecondGradients(gradients.clone()))
    }

    /// The program with tangents as further inputs and outputs: forward mode.
    ///
    /// # Errors
    /// As [`Program::with_gradients`].
    pub fn with_tangents(&self, gradients: &Gradients) -> Result<Self, Error> {
        self.with(Derivative::Tangents(gradients.clone()))
    }

    /// The program, whose only output is its loss, as a training step: with inputs `learning_rate` and `step` (1 for the first)
    /// after all others, and new values of parameters and of the optimizer's state as further results. Parameters that the
    /// archive keeps as one tensor are updated as one.
    ///
    /// # Errors
    /// If an op on the way has no derivative, the program has other outputs, or an option is out of its range: reported.
    pub fn with_training(&self, training: &Training) -> Result<Self, Error> {
        let mut training = training.clone();
        training.tied.extend(self.archive().map(tied).unwrap_or_default());
        self.with(Derivative::Training(training))
    }

    fn with(&self, derivative: Derivative) -> Result<Self, Error> {
        let mut program = self.clone();
        program.derivatives.push(derivative);
        program.with_inputs()
    }

    fn with_inputs(mut self) -> Result<Self, Error> {
        let context = fx_ir::spare_context();
        // Archives give what is legal, and so do derivatives.
        let is_given = matches!(*self.source, Source::Text(..)) && self.derivatives.is_empty();
        self.inputs = self.with_module(&context, |module| {
            if is_given {
                fx_ir::run_pipeline(&context, module, "builtin.module(verify-fx)")?;
            }
            main_of(module).map(inputs_of)
        })?;
        fx_ir::keep_context(context);
        Ok(self)
    }

    /// User inputs in calling order.
    pub fn inputs(&self) -> &[InputInfo] {
        &self.inputs
    }

    /// The archive that it comes from.
    pub fn archive(&self) -> Option<&Archive> {
        let mut source = &self.source;
        while let Source::Part(_, whole) = &**source {
            source = whole;
        }
        match &**source {
            Source::Archive(archive) => Some(archive),
            Source::Text(..) | Source::Part(..) => None,
        }
    }

    /// A program that was made of this one, with the same state.
    pub(crate) fn part(&self, text: String) -> Result<Self, Error> {
        Self { source: Arc::new(Source::Part(text, self.source.clone())), derivatives: Vec::new(), inputs: Vec::new() }.with_inputs()
    }

    /// The text of a phase.
    ///
    /// # Errors
    /// If the program cannot be lowered so far, or the target has no such phase.
    pub fn emit(&self, phase: Phase, target: &Target) -> Result<String, Error> {
        let context = fx_ir::new_context(false);
        self.with_module(&context, |module| compile::emit(module, phase, target))
    }

    /// Why its kernels are apart: a remark for each value that one makes and another reads, with a note at the reader.
    ///
    /// # Errors
    /// If the program cannot be lowered so far.
    pub fn fusion_remarks(&self, target: &Target) -> Result<Vec<Message>, Error> {
        let context = fx_ir::new_context(false);
        let ((), messages) = self.with_messages(&context, |module| compile::lower_with_remarks(module, target))?;
        Ok(messages)
    }

    /// Compiles the program.
    ///
    /// # Errors
    /// If it cannot be lowered: everything that was reported.
    pub fn compile(&self, target: &Target) -> Result<Compiled, Error> {
        self.compile_with(target, None)
    }

    /// Takes the compiled program from the cache, or compiles it and puts it there. What is wrong with the cache is a remark.
    ///
    /// # Errors
    /// As [`Program::compile`].
    pub fn compile_cached(&self, target: &Target, cache: &Cache) -> Result<Compiled, Error> {
        self.compile_with(target, Some(cache))
    }

    fn compile_with(&self, target: &Target, cache: Option<&Cache>) -> Result<Compiled, Error> {
        let mut timer = compile::Timer::start();
        let mut remarks = Vec::new();
        let context = fx_ir::spare_context();
        timer.lap("context");
        let (plan, is_cached) = self.with_module(&context, |module| {
            timer.lap("import");
            let Some(cache) = cache else {
                return Ok((compile::compile(module, target, &mut timer, &mut remarks)?, false));
            };
            let key = compile::key(module, target);
            timer.lap("key");
            let found = cache.get(&key);
            timer.lap("cache");
            match found {
                Lookup::Found(plan) => return Ok((*plan, true)),
                Lookup::Absent => {}
                Lookup::Damaged(error) => remarks.push(format!("the cache: {error}; it is compiled anew")),
            }
            let plan = compile::compile(module, target, &mut timer, &mut remarks)?;
            if let Err(error) = cache.put(&key, &plan) {
                remarks.push(format!("the cache: {error}"));
            }
            timer.lap("cache");
            Ok((plan, false))
        })?;
        Compiled::new(plan, timer.laps, remarks, is_cached, self.archive())
    }

    /// How long each kernel takes to compile by itself, in the program's order; [`Program::compile`] compiles them
    /// together.
    ///
    /// # Errors
    /// If the program cannot be lowered: everything that was reported.
    pub fn kernel_times(&self, target: &Target) -> Result<Vec<(String, Duration)>, Error> {
        let context = fx_ir::new_context(false);
        self.with_module(&context, |module| compile::kernel_times(module, target))
    }

    /// The program for the reference evaluator, with its tensors set.
    ///
    /// # Errors
    /// If it cannot be imported, or has values that the evaluator does not know.
    pub fn interpreter(&self) -> Result<Interpreter, Error> {
        let context = fx_ir::new_context(false);
        let evaluator = self.with_module(&context, |module| Ok(fx_interp::Evaluator::read(module)))?;
        Interpreter::new(evaluator.map_err(|message| Error::Diagnostics(vec![message]))?, self.archive())
    }

    /// Imports the program into a context and gives it to `body`; diagnostics become the error.
    pub(crate) fn with_module<'c, T>(&self, context: &'c Context, body: impl FnOnce(&Module<'c>) -> fx_ir::Result<T>) -> Result<T, Error> {
        self.with_messages(context, body).map(|(value, _)| value)
    }

    /// As [`Program::with_module`]; gives diagnostics that are no errors beside the value.
    fn with_messages<'c, T>(
        &self,
        context: &'c Context,
        body: impl FnOnce(&Module<'c>) -> fx_ir::Result<T>,
    ) -> Result<(T, Vec<Message>), Error> {
        let (result, messages) = collect(context, || {
            let module = match &*self.source {
                Source::Archive(archive) => fx_import::mlir::import(archive, context).ok()?,
                Source::Text(text, _) | Source::Part(text, _) => Module::parse(context, text)?,
            };
            for derivative in &self.derivatives {
                let main = main_of(&module).ok()?;
                match derivative {
                    Derivative::Gradients(gradients) => add_gradients(main, gradients),
                    Derivative::SecondGradients(gradients) => add_second_gradients(main, gradients),
                    Derivative::Tangents(gradients) => add_tangents(main, gradients),
                    Derivative::Training(training) => add_training(main, training),
                }
                .ok()?;
            }
            body(&module).ok()
        });
        let messages = messages.into_iter().map(|message| self.named(message)).collect();
        match result {
            Some(value) => Ok((value, messages)),
            None => Err(Error::Diagnostics(messages)),
        }
    }

    /// A message about text, with the text's name in place of the parser's `-`.
    fn named(&self, mut message: Message) -> Message {
        if let Source::Text(_, name) = &*self.source
            && let Some(place) = message.location.strip_prefix("-:")
        {
            message.location = format!("{name}:{place}");
        }
        message.notes = message.notes.into_iter().map(|note| self.named(note)).collect();
        message
    }
}

pub(crate) fn main_of<'c>(module: &Module<'c>) -> fx_ir::Result<Op<'c>> {
    module.function("main").ok_or_else(|| fx_ir::emit_error(module.op().location(), "the program has no function '@main'", &[]))
}

/// Names of parameters that are the same part of the same storage.
fn tied(archive: &Archive) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (name, payload) in archive.weights().filter(|(_, payload)| payload.is_param) {
        let place = (&payload.path_name, payload.storage_offset, &payload.sizes, &payload.strides);
        groups.entry(place).or_default().push(name.to_string());
    }
    groups.into_values().filter(|names| names.len() > 1).collect()
}

/// User inputs of `@main`.
fn inputs_of(main: Op<'_>) -> Vec<InputInfo> {
    let lists = main.attribute("arg_attrs").and_then(Attribute::as_array).unwrap_or_default();
    let arguments = main.body(0).map(|body| body.arguments()).unwrap_or_default();
    let mut inputs = Vec::new();
    for (i, argument) in arguments.into_iter().enumerate() {
        let attributes = lists.get(i).and_then(|entry| entry.as_dictionary()).unwrap_or_default();
        let find = |name: &str| attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        let kind = find("fx.kind").and_then(Attribute::as_str);
        if kind.is_some_and(|kind| kind != "input") {
            continue;
        }
        let name =
            find("fx.name").or_else(|| find("fx.target")).and_then(Attribute::as_str).map_or_else(|| format!("arg{i}"), str::to_string);
        let ty = argument.ty();
        let kind = if ty.is_tensor() {
            let names = find("fx.dims").and_then(Attribute::as_array).unwrap_or_default();
            let symbol = |d: usize| names.get(d).and_then(|dim| dim.as_str()).unwrap_or("?").to_string();
            let dims =
                ty.shape().into_iter().enumerate().map(|(d, size)| if size == DYNAMIC { symbol(d) } else { size.to_string() }).collect();
            InputKind::Tensor { element: ty.element().to_string(), dims }
        } else {
            InputKind::Scalar(ty.to_string())
        };
        inputs.push(InputInfo { name, kind });
    }
    inputs
}
