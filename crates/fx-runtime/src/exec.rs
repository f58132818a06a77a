//! The executor: a plan with its device, its state and its memory, ready to be called.
//!
//! A call    binds inputs and symbols, runs the prelude, picks the memory layout, runs the steps, hands out the results.
//! Cost      On the CPU a call of a one-kernel plan takes well under 3 microseconds: nothing is searched or hashed, and
//!           only results are allocated. On a GPU everything is queued on one stream, many launches as one graph (module
//!           [`crate::graphs`]); `call` waits for its results, `call_on_device` only if the plan has kernel checks, reads
//!           scalars or calls host operators. What a call of one kernel does beside the driver takes 0.3 microseconds.
//! State     Parameters, buffers and constants, given once by name. On the CPU they are kept by reference, on a GPU they
//!           are uploaded once.

use crate::bind::{Source, ValueRule, bind, name};
use crate::bundle::Bundle;
use crate::call::OpFunction;
use crate::device::{Block, Device, DeviceKind, LaunchTime, open};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::frame::Frame;
use crate::layout::LayoutCache;
use crate::plan::{Plan, Storage};
use crate::program::Program;
use crate::run::{RECORD, Run};
use crate::state::{place_constants, place_kept, span_of, updates, wrong_place};
use crate::value::{OutputItem, Value};

/// Memory of an executor, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryUse {
    /// The arena that the last call's sizes need.
    pub arena: usize,
    /// Largest sum of intermediate sizes that live at one step: no arena can be smaller.
    pub live_peak: usize,
    /// What the last call had at its fullest moment, beside its inputs and the state: its arena, its results, and tensors
    /// whose size depends on data. A call that failed counts up to there.
    pub call_peak: usize,
    /// The arena that is held; the largest so far.
    pub arena_held: usize,
    /// Blocks held for tensors whose size depends on data, and on a GPU for results and staged inputs.
    pub blocks_held: usize,
    /// Parameters, buffers and constants, and what is computed from them once.
    pub state: usize,
}

/// A plan ready to run; see the module.
pub struct Executor {
    pub(crate) program: Program,
    pub(crate) frame: Frame,
    pub(crate) device: Box<dyn Device>,
    layouts: LayoutCache,
    pub(crate) state: Vec<Option<Value>>,
    pub(crate) ops: Vec<Option<OpFunction>>,
    /// Rules that a call has to look at.
    per_call: Vec<usize>,
    inputs: usize,
    /// Whether all state and all operators are there.
    pub(crate) ready: bool,
    /// Whether kept buffers agree with the state.
    pub(crate) is_set_up: bool,
    /// For each output, the arguments whose new value it is.
    pub(crate) updates: Vec<Vec<usize>>,
}

/// Where results are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Host,
    Device,
}

impl Executor {
    /// Verifies a plan, opens the device and loads the code.
    ///
    /// Fails on an invalid plan, a device that is not there or does not fit, and code that cannot be loaded.
    pub fn new(plan: Plan, device: DeviceKind) -> Result<Self> {
        plan.verify()?;
        let device = open(device, &plan)?;
        Executor::on(device, plan)
    }

    /// The executor of a verified plan on a device that has the plan's code.
    pub(crate) fn on(mut device: Box<dyn Device>, plan: Plan) -> Result<Self> {
        let mut program = Program::new(plan);
        let inputs = program.rules.iter().filter(|rule| matches!(rule.source, Source::Input(_))).count();
        let per_call = program.rules.iter().enumerate().filter(|(_, rule)| rule.is_per_call());
        let per_call = per_call.map(|(index, _)| index).collect();
        let mut frame = Frame::new(&program);
        program.plan.binaries.iter_mut().for_each(|binary| binary.bytes = Vec::new());
        let state = program.plan.arguments.iter().map(|_| None).collect();
        let ops = program.ops.iter().map(|_| None).collect();
        device.enter()?;
        place_constants(&mut program, &mut frame, device.as_mut())?;
        place_kept(&program, &mut frame, device.as_mut())?;
        if !program.checked.is_empty() {
            let status = device.allocate(RECORD * program.checked.len(), "records of checks")?;
            device.clear(status.span())?;
            (frame.status, frame.is_status_clear) = (Some(status), true);
        }
        let layouts = LayoutCache::default();
        let updates = updates(&program.plan);
        let (ready, is_set_up) = (false, false);
        let mut executor = Executor { program, frame, device, layouts, state, ops, per_call, inputs, ready, is_set_up, updates };
        executor.ready = executor.missing().is_ok();
        Ok(executor)
    }

    /// An executor of a bundle's plan with the bundle's tensors as its state. Fails as [`Executor::new`] and
    /// [`Executor::set_state`] do.
    pub fn from_bundle(bundle: Bundle, device: DeviceKind) -> Result<Self> {
        let mut executor = Executor::new(bundle.plan, device)?;
        for (name, tensor) in bundle.tensors {
            executor.set_state(&name, tensor)?;
        }
        Ok(executor)
    }

    /// The plan, without the bytes of its code and constants.
    pub fn plan(&self) -> &Plan {
        &self.program.plan
    }

    /// Where it runs.
    pub fn device(&self) -> DeviceKind {
        self.device.kind()
    }

    /// Runs the program on the user inputs, in order. Tensors among the results are in host memory.
    ///
    /// Fails on missing state or operators, on inputs that do not fit, on failed checks and assertions, without memory,
    /// and on the driver's errors. After an error the executor can be called again, except that a kernel that faulted on
    /// a GPU makes the whole process's device unusable.
    pub fn call(&mut self, inputs: &[Value]) -> Result<Vec<OutputItem>> {
        self.run(inputs, Place::Host)
    }

    /// As [`Executor::call`], but results stay on the GPU and may not be computed yet when this returns: they are ready
    /// for work on the same stream, or after [`Executor::synchronize`]. On the CPU the same as `call`.
    pub fn call_on_device(&mut self, inputs: &[Value]) -> Result<Vec<OutputItem>> {
        self.run(inputs, Place::Device)
    }

    /// Waits for all work that was queued. Fails when that work failed.
    pub fn synchronize(&mut self) -> Result<()> {
        self.device.enter()?;
        self.device.synchronize()
    }

    /// Switches the timing of launches (off at first).
    pub fn set_timing(&mut self, on: bool) {
        self.device.set_timing(on);
    }

    /// Times of all launches since the last call of this, in order; waits for them.
    pub fn take_times(&mut self) -> Result<Vec<LaunchTime>> {
        self.device.enter()?;
        self.device.take_times()
    }

    /// Bytes of the arena for the sizes of the last call; 0 before the first.
    pub fn planned_bytes(&self) -> usize {
        self.layouts.current().map_or(0, |layout| layout.total)
    }

    /// Gives back the arena, and what else is kept between calls but the state: the next call allocates again.
    pub fn release_memory(&mut self) {
        self.frame.arena = None;
        self.frame.blocks.iter_mut().chain(&mut self.frame.staging).for_each(|block| *block = None);
        self.frame.is_laid_out = false;
        self.device.release();
    }

    /// Memory in use.
    pub fn memory_use(&self) -> MemoryUse {
        let blocks = self.frame.blocks.iter().chain(&self.frame.staging).flatten();
        let state = self.state.iter().flatten().filter_map(span_of).map(Span::bytes);
        let kept = self.frame.kept.iter().map(Block::len).sum::<usize>();
        let constants =
            (self.program.plan.buffers.iter().zip(&self.frame.spans)).filter(|(buffer, _)| matches!(buffer.storage, Storage::Constant(_)));
        MemoryUse {
            arena: self.planned_bytes(),
            live_peak: self.layouts.current().map_or(0, |layout| layout.peak),
            call_peak: self.frame.call.peak,
            arena_held: self.frame.arena.as_ref().map_or(0, Block::len),
            blocks_held: blocks.map(Block::len).sum(),
            state: kept + state.sum::<usize>() + constants.map(|(_, span)| span.bytes()).sum::<usize>(),
        }
    }

    pub(crate) fn run(&mut self, inputs: &[Value], place: Place) -> Result<Vec<OutputItem>> {
        if !self.ready {
            self.missing()?;
        }
        if inputs.len() != self.inputs {
            return Err(RuntimeError::InputCount { expected: self.inputs, actual: inputs.len() });
        }
        self.device.enter()?;
        let uploads = self.bind(inputs)?;
        self.device.begin();
        let outputs = self.run_bound(inputs, uploads, place);
        let outputs = match outputs {
            Ok(outputs) => {
                let queued = self.device.finish();
                self.is_set_up &= queued.is_ok(); // the set-up may be what was not queued
                queued.map(|()| outputs)
            }
            Err(error) => {
                self.device.abandon();
                Err(error)
            }
        };
        if uploads {
            // the caller may drop the inputs
            let done = self.device.synchronize();
            return outputs.and_then(|outputs| done.map(|()| outputs));
        }
        outputs
    }

    fn run_bound(&mut self, inputs: &[Value], uploads: bool, place: Place) -> Result<Vec<OutputItem>> {
        let (program, state) = (&self.program, &self.state);
        let mut run = Run { program, frame: &mut self.frame, device: self.device.as_mut(), ops: &self.ops };
        run.list(&program.prelude)?;
        run.check_derived(|source, dim| value_of(source, inputs, state)?.shape()?.1.get(dim).copied())?;
        let align = run.device.kind().alignment();
        let same = self.layouts.select(program, &run.frame.registers, align)?;
        if let (false, Some(layout)) = (same && run.frame.is_laid_out, self.layouts.current()) {
            run.frame.lay_out(program, layout, run.device)?;
        }
        run.frame.call.start(self.layouts.current().map_or(0, |layout| layout.total));
        if uploads {
            run.stage_inputs(inputs)?;
        }
        run.frame.place_call(program, run.device)?;
        run.clear_checks()?;
        if !self.is_set_up {
            run.list(&program.setup)?;
        }
        run.list(&program.body)?;
        run.check_all()?;
        run.frame.is_status_clear = true;
        self.is_set_up = true;
        run.outputs(place)
    }

    /// Binds all arguments. Gives whether inputs must be uploaded.
    fn bind(&mut self, inputs: &[Value]) -> Result<bool> {
        let plan = &self.program.plan;
        let kind = self.device.kind();
        let mut uploads = false;
        for index in &self.per_call {
            let rule = &self.program.rules[*index];
            let Some(value) = value_of(rule.source, inputs, &self.state) else {
                return Err(RuntimeError::Internal(format!("no value for {}", name(plan, rule.argument))));
            };
            bind(plan, rule, value, &mut self.frame.registers)?;
            let (ValueRule::Tensor { buffer, .. }, Source::Input(_)) = (&rule.value, rule.source) else {
                continue;
            };
            match (value, kind) {
                (Value::Tensor(tensor), DeviceKind::Cpu) => {
                    self.frame.spans[*buffer as usize] = tensor.span();
                }
                (Value::Device(tensor), DeviceKind::Cuda(ordinal)) if tensor.device() == ordinal => {
                    self.frame.spans[*buffer as usize] = tensor.span();
                }
                (Value::Tensor(_), DeviceKind::Cuda(_)) => uploads = true,
                _ => return Err(wrong_place(plan, rule.argument, value, kind)),
            }
        }
        Ok(uploads)
    }
}

fn value_of<'a>(source: Source, inputs: &'a [Value], state: &'a [Option<Value>]) -> Option<&'a Value> {
    match source {
        Source::Input(index) => inputs.get(index),
        Source::State(argument) => state.get(argument)?.as_ref(),
    }
}
