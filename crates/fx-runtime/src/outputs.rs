//! Results: blocks that become tensors, copies of the rest; and inputs that are brought to the device.

use crate::bind::{Source, ValueRule};
use crate::device::{Block, DeviceKind};
use crate::error::{Result, RuntimeError};
use crate::exec::Place;
use crate::placement::Class;
use crate::plan::{BufferId, OutputValue};
use crate::run::Run;
use crate::tensor::{HostBuffer, HostTensor};
use crate::value::{DeviceTensor, OutputItem, Value};
use std::sync::Arc;

impl Run<'_> {
    /// All results, in order.
    pub(crate) fn outputs(&mut self, place: Place) -> Result<Vec<OutputItem>> {
        let program = self.program;
        // all places first: once a block is handed out, its late buffer must not be placed again
        for output in &program.plan.outputs {
            if let OutputValue::Tensor(buffer) = output.value {
                self.frame.touch(program, buffer, self.device)?;
            }
        }
        let mut items = Vec::with_capacity(program.plan.outputs.len());
        for (output, moved) in program.plan.outputs.iter().zip(&program.moved) {
            let value = match output.value {
                OutputValue::Tensor(buffer) => Some(self.output(buffer, *moved, place)?),
                OutputValue::Scalar { value, dtype } => Some(Value::from_register(self.frame.value(value), dtype)),
                OutputValue::None => None,
            };
            items.push(OutputItem { kind: output.kind.clone(), value });
        }
        Ok(items)
    }

    fn output(&mut self, buffer: BufferId, moved: bool, place: Place) -> Result<Value> {
        let dtype = self.program.plan.buffers[buffer as usize].dtype;
        let dims = self.frame.dims(self.program, buffer);
        let span = self.frame.spans[buffer as usize];
        // a block is handed out only whole, to where it lies; the others are copied from it afterwards, while the
        // results hold it
        let block = match self.program.classes[self.program.base(buffer) as usize] {
            Class::Owned(slot) | Class::Late(slot) if moved => {
                let block = &mut self.frame.blocks[slot as usize];
                let here = self.device.is_host() || place == Place::Device;
                if here && block.as_ref().is_some_and(|block| block.span() == span) { block.take() } else { None }
            }
            _ => None,
        };
        match (self.device.kind(), place) {
            (DeviceKind::Cuda(ordinal), Place::Device) => {
                let block = match block {
                    Some(block) => block,
                    None => self.device_copy(buffer)?,
                };
                let span = block.span();
                Ok(Value::Device(DeviceTensor::new(dtype, dims, ordinal, span, Arc::new(block))))
            }
            _ => {
                let bytes = match block {
                    Some(Block::Host(bytes)) => bytes,
                    _ => self.host_bytes(buffer)?,
                };
                Ok(Value::Tensor(HostTensor::from_parts(dtype, dims, bytes)))
            }
        }
    }

    fn host_bytes(&mut self, buffer: BufferId) -> Result<HostBuffer> {
        let span = self.frame.spans[buffer as usize];
        let mut bytes = HostBuffer::for_kernels(span.bytes())?;
        if span.bytes() > 0 {
            self.device.download(bytes.as_mut_slice(), span)?;
        }
        if self.device.is_host() {
            self.frame.call.add(span.bytes());
        }
        Ok(bytes)
    }

    fn device_copy(&mut self, buffer: BufferId) -> Result<Block> {
        let span = self.frame.spans[buffer as usize];
        let block = self.device.allocate(span.bytes(), "a result")?;
        self.frame.call.add(span.bytes());
        if span.bytes() > 0 {
            self.copy_span(block.span(), span)?;
        }
        Ok(block)
    }

    /// Copies inputs that lie in host memory to the device.
    pub(crate) fn stage_inputs(&mut self, inputs: &[Value]) -> Result<()> {
        for rule in &self.program.rules {
            let (Source::Input(index), ValueRule::Tensor { buffer, .. }) = (rule.source, &rule.value) else {
                continue;
            };
            let Some(Value::Tensor(tensor)) = inputs.get(index) else {
                continue;
            };
            let bytes = tensor.bytes();
            let slot = &mut self.frame.staging[rule.argument];
            if slot.as_ref().is_none_or(|block| block.len() < bytes.len()) {
                *slot = None; // free the old one first
                *slot = Some(self.device.allocate(bytes.len(), "an input")?);
            }
            let span = slot.as_ref().and_then(|block| block.span().slice(0, bytes.len()));
            let span = span.ok_or_else(|| RuntimeError::Internal("a small staging block".into()))?;
            if !bytes.is_empty() {
                self.device.upload(span, bytes)?;
            }
            self.frame.spans[*buffer as usize] = span;
        }
        Ok(())
    }
}
