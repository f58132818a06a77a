//! The executor's state: parameters, buffers and constants by name, host operators, and tensors on the GPU.

use crate::bind::{Source, ValueRule, check_state, name};
use crate::call::OpFunction;
use crate::device::{Device, DeviceKind};
use crate::error::{Result, RuntimeError};
use crate::exec::Executor;
use crate::ffi::bytes::Span;
use crate::frame::Frame;
use crate::layout::buffer_bytes;
use crate::plan::{ArgumentKind, OutputKind, Plan, Storage};
use crate::program::Program;
use crate::tensor::{HostBuffer, HostTensor};
use crate::value::{DeviceTensor, OutputItem, Value};
use std::sync::Arc;

impl Executor {
    /// Sets a parameter, buffer or constant by its name: a [`HostTensor`], or on a GPU also a [`DeviceTensor`].
    ///
    /// Fails on an unknown name, a wrong dtype or shape, and when there is no device memory.
    pub fn set_state(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let value = value.into();
        let named = |kind: &ArgumentKind| match kind {
            ArgumentKind::Parameter(n) | ArgumentKind::Buffer(n) | ArgumentKind::Constant(n) => n == name,
            ArgumentKind::Input(_) => false,
        };
        let arguments = self.program.plan.arguments.iter().enumerate();
        let found: Vec<usize> = arguments.filter(|(_, argument)| named(&argument.kind)).map(|(index, _)| index).collect();
        if found.is_empty() {
            return Err(self.unknown_state(name));
        }
        self.device.enter()?;
        for argument in found {
            self.set_argument(argument, value.clone())?;
        }
        self.ready = self.missing().is_ok();
        Ok(())
    }

    /// The parameters, buffers and constants that were set, by name; several arguments may have one name.
    pub fn state(&self) -> impl Iterator<Item = (&str, &Value)> {
        let arguments = self.program.plan.arguments.iter().zip(&self.state);
        arguments.filter_map(|(argument, value)| match &argument.kind {
            ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name) => {
                Some((name.as_str(), value.as_ref()?))
            }
            ArgumentKind::Input(_) => None,
        })
    }

    /// As [`Executor::call`], but new values of parameters and buffers become the state of the next call, without leaving the
    /// device. Gives the other results. After an error the state is what it was.
    pub fn call_and_update(&mut self, inputs: &[Value]) -> Result<Vec<OutputItem>> {
        let mut others = Vec::new();
        for (output, item) in self.call_on_device(inputs)?.into_iter().enumerate() {
            match (self.updates[output].as_slice(), item.value) {
                ([], Some(Value::Device(tensor))) => {
                    others.push(OutputItem { kind: item.kind, value: Some(self.download(&tensor)?.into()) });
                }
                ([], value) => others.push(OutputItem { kind: item.kind, value }),
                (_, None) => {}
                (_, Some(value)) => {
                    for argument in self.updates[output].clone() {
                        self.set_argument(argument, value.clone())?;
                    }
                }
            }
        }
        Ok(others)
    }

    fn set_argument(&mut self, argument: usize, value: Value) -> Result<()> {
        let rule = &self.program.rules[argument]; // one rule for each argument, in order
        check_state(&self.program.plan, rule, &value)?;
        let ValueRule::Tensor { buffer, .. } = rule.value else {
            return Err(RuntimeError::Internal("state that is no tensor".into()));
        };
        let value = self.local(argument, value)?;
        if let Some(span) = span_of(&value) {
            self.frame.spans[buffer as usize] = span;
            self.frame.is_laid_out = false; // views of it move
            self.is_set_up = false;
            self.state[argument] = Some(value);
        }
        Ok(())
    }

    /// A value where the device can reach it: uploaded, if need be.
    fn local(&mut self, argument: usize, value: Value) -> Result<Value> {
        match (&value, self.device.kind()) {
            (Value::Tensor(_), DeviceKind::Cpu) => Ok(value),
            (Value::Device(tensor), DeviceKind::Cuda(ordinal)) if tensor.device() == ordinal => Ok(value),
            (Value::Tensor(tensor), DeviceKind::Cuda(_)) => Ok(Value::Device(self.upload(tensor)?)),
            _ => Err(wrong_place(&self.program.plan, argument, &value, self.device.kind())),
        }
    }

    /// Registers the host implementation of an operator, such as `mylib::op`. Names that the plan does not call are
    /// ignored, so one set of operators can be registered with every executor.
    pub fn register_op(&mut self, name: &str, function: OpFunction) {
        if let Some(index) = self.program.ops.iter().position(|known| known == name) {
            self.ops[index] = Some(function);
            self.ready = self.missing().is_ok();
        }
    }

    /// Names of the operators that the plan calls, each to be registered.
    pub fn required_ops(&self) -> &[String] {
        &self.program.ops
    }

    /// Copies a tensor to the GPU. Fails on the CPU, and when there is no memory.
    pub fn upload(&mut self, tensor: &HostTensor) -> Result<DeviceTensor> {
        let DeviceKind::Cuda(ordinal) = self.device.kind() else {
            return Err(RuntimeError::Unsupported("device tensors on the CPU".into()));
        };
        self.device.enter()?;
        let block = self.device.allocate(tensor.bytes().len(), "an uploaded tensor")?;
        let span = block.span();
        if span.bytes() > 0 {
            self.device.upload(span, tensor.bytes())?;
            self.device.synchronize()?; // the caller may drop the tensor
        }
        Ok(DeviceTensor::new(tensor.dtype(), tensor.dims().to_vec(), ordinal, span, Arc::new(block)))
    }

    /// Copies a tensor from the GPU, after all queued work. Fails when it is on another device.
    pub fn download(&mut self, tensor: &DeviceTensor) -> Result<HostTensor> {
        if self.device.kind() != DeviceKind::Cuda(tensor.device()) {
            return Err(RuntimeError::Unsupported(format!("{tensor:?} in a plan on {}", self.device.kind())));
        }
        self.device.enter()?;
        let mut bytes = HostBuffer::for_kernels(tensor.byte_len())?;
        if tensor.byte_len() > 0 {
            self.device.download(bytes.as_mut_slice(), tensor.span())?;
        }
        HostTensor::from_buffer(tensor.dtype(), tensor.dims(), bytes)
    }

    /// Fails unless all operators and all state are there.
    pub(crate) fn missing(&self) -> Result<()> {
        let ops = self.program.ops.iter().zip(&self.ops).filter(|(_, function)| function.is_none());
        let ops: Vec<String> = ops.map(|(name, _)| format!("'{name}'")).collect();
        if !ops.is_empty() {
            return Err(RuntimeError::UnregisteredOps(ops));
        }
        let rules = self.program.rules.iter().zip(&self.state);
        let empty = rules.filter(|(rule, value)| matches!(rule.source, Source::State(_)) && value.is_none());
        let names: Vec<String> = empty.map(|(rule, _)| name(&self.program.plan, rule.argument)).collect();
        if names.is_empty() { Ok(()) } else { Err(RuntimeError::MissingState(names)) }
    }

    fn unknown_state(&self, given: &str) -> RuntimeError {
        let rules = self.program.rules.iter().filter(|rule| matches!(rule.source, Source::State(_)));
        let mut known: Vec<String> = rules.map(|rule| name(&self.program.plan, rule.argument)).collect();
        let more = known.len().saturating_sub(8);
        known.truncate(8);
        let mut known = if known.is_empty() { "none".into() } else { known.join(", ") };
        if more > 0 {
            known.push_str(&format!(" and {more} more"));
        }
        RuntimeError::UnknownState { name: given.into(), known }
    }
}

/// For each output, the arguments whose new value it is.
pub(crate) fn updates(plan: &Plan) -> Vec<Vec<usize>> {
    let holds = |kind: &ArgumentKind, output: &OutputKind| match (kind, output) {
        (ArgumentKind::Parameter(name), OutputKind::ParameterMutation(new))
        | (ArgumentKind::Buffer(name), OutputKind::BufferMutation(new)) => name == new,
        _ => false,
    };
    let arguments = |output: &OutputKind| {
        let arguments = plan.arguments.iter().enumerate();
        arguments.filter(|(_, argument)| holds(&argument.kind, output)).map(|(index, _)| index).collect()
    };
    plan.outputs.iter().map(|output| arguments(&output.kind)).collect()
}

/// Where a tensor lies; none for a number.
pub(crate) fn span_of(value: &Value) -> Option<Span> {
    match value {
        Value::Tensor(tensor) => Some(tensor.span()),
        Value::Device(tensor) => Some(tensor.span()),
        _ => None,
    }
}

/// The error of a value on another device.
pub(crate) fn wrong_place(plan: &Plan, argument: usize, value: &Value, device: DeviceKind) -> RuntimeError {
    RuntimeError::ArgumentType {
        argument: name(plan, argument),
        expected: format!("a tensor that {device} can reach"),
        actual: value.kind(),
    }
}

/// Gives kept buffers their memory.
pub(crate) fn place_kept(program: &Program, frame: &mut Frame, device: &mut dyn Device) -> Result<()> {
    for (index, buffer) in program.plan.buffers.iter().enumerate() {
        if buffer.storage == Storage::Kept {
            let bytes = buffer_bytes(&program.plan, index as u32, &frame.registers)?;
            let block = device.allocate(bytes, "what is computed from the state once")?;
            frame.spans[index] = block.span();
            frame.kept.push(block);
        }
    }
    Ok(())
}

/// Moves the bytes of constants out of the plan to where the device can reach them.
pub(crate) fn place_constants(program: &mut Program, frame: &mut Frame, device: &mut dyn Device) -> Result<()> {
    for constant in &program.plan.constants {
        let block = device.allocate(constant.bytes.len(), "a constant")?;
        if !constant.bytes.is_empty() {
            device.upload(block.span(), &constant.bytes)?;
        }
        frame.constants.push(block);
    }
    device.synchronize()?;
    for (buffer, span) in program.plan.buffers.iter().zip(&mut frame.spans) {
        if let Storage::Constant(constant) = buffer.storage {
            *span = frame.constants[constant as usize].span();
        }
    }
    program.plan.constants.iter_mut().for_each(|constant| constant.bytes = Vec::new());
    Ok(())
}
