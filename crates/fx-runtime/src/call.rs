//! Calls of host operators: what they get, what they give, and how a step runs one.

use crate::error::{Result, RuntimeError};
use crate::plan::{BufferId, DType, KernelArg, Scalar};
use crate::program::CallInstruction;
use crate::run::Run;
use crate::tensor::{HostBuffer, HostTensor, shape_text};
use std::sync::Arc;

/// What the caller expects of one result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultType {
    /// Element type.
    pub dtype: DType,
    /// Size of each dimension; none where the operator decides.
    pub dims: Vec<Option<usize>>,
}

impl ResultType {
    /// The sizes, when the operator decides none of them.
    ///
    /// # Errors
    /// If it decides one.
    pub fn known_dims(&self) -> Result<Vec<usize>, String> {
        self.dims.iter().copied().collect::<Option<_>>().ok_or_else(|| "a result's size is not known before the call".into())
    }
}

/// One call of a host operator.
#[derive(Debug, Clone, Copy)]
pub struct OpCall<'a> {
    /// Tensors among the arguments, in order.
    pub tensors: &'a [HostTensor],
    /// Scalars among the arguments, in order: 64 bits each, floats as the bits of a double.
    pub scalars: &'a [i64],
    /// Arguments that are neither, by name.
    pub attributes: &'a serde_json::Map<String, serde_json::Value>,
    /// What each result must be.
    pub results: &'a [ResultType],
}

impl OpCall<'_> {
    /// Tensor argument `index`.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn tensor(&self, index: usize) -> Result<&HostTensor, String> {
        self.tensors.get(index).ok_or_else(|| format!("lacks tensor argument {index}"))
    }

    /// Scalar argument `index` as an integer.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn int(&self, index: usize) -> Result<i64, String> {
        self.scalars.get(index).copied().ok_or_else(|| format!("lacks scalar argument {index}"))
    }

    /// Scalar argument `index` as a double.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn float(&self, index: usize) -> Result<f64, String> {
        self.int(index).map(|bits| f64::from_bits(bits as u64))
    }

    /// What result `index` must be.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn result(&self, index: usize) -> Result<&ResultType, String> {
        self.results.get(index).ok_or_else(|| format!("lacks result {index}"))
    }
}

/// A host implementation of an operator: one tensor per result, or a message.
pub type OpFunction = Arc<dyn Fn(&OpCall<'_>) -> Result<Vec<HostTensor>, String> + Send + Sync>;

impl Run<'_> {
    /// Calls a registered operator on host copies of its arguments.
    pub(crate) fn call(&mut self, call: &CallInstruction) -> Result<()> {
        let (program, ops) = (self.program, self.ops);
        let name = &program.ops[call.op as usize];
        let Some(function) = &ops[call.op as usize] else {
            return Err(RuntimeError::UnregisteredOps(vec![name.clone()]));
        };
        self.check_all()?;
        let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
        for arg in &call.args {
            match arg {
                KernelArg::Scalar(scalar) => scalars.push(self.frame.value(*scalar)),
                KernelArg::Buffer(buffer) => tensors.push(self.host_copy(*buffer)?),
            }
        }
        let results: Vec<_> = (0u32..).zip(&call.results).map(|(index, buffer)| self.result_type(call, index, *buffer)).collect();
        let failed = |message| RuntimeError::Op { name: name.clone(), location: call.location.to_string(), message };
        let given = OpCall { tensors: &tensors, scalars: &scalars, attributes: &call.attributes, results: &results };
        let values = function(&given).map_err(failed)?;
        if values.len() != call.results.len() {
            return Err(failed(format!("expected {} results, got {}", call.results.len(), values.len())));
        }
        for size in &call.sizes {
            let dim = values[size.result as usize].dims().get(size.dim as usize);
            let rank = || failed(format!("result {}: expected a dim {}", size.result, size.dim));
            self.frame.registers[size.reg as usize] = *dim.ok_or_else(rank)? as i64;
        }
        for (index, (buffer, value)) in call.results.iter().zip(&values).enumerate() {
            self.store(*buffer, value).map_err(|error| failed(format!("result {index}: {error}")))?;
        }
        Ok(())
    }

    fn result_type(&self, call: &CallInstruction, index: u32, buffer: BufferId) -> ResultType {
        let entry = &self.program.plan.buffers[buffer as usize];
        let decided = |dim: &Scalar| call.sizes.iter().any(|size| size.result == index && *dim == Scalar::Reg(size.reg));
        let size = |dim: &Scalar| if decided(dim) { None } else { usize::try_from(self.frame.value(*dim)).ok() };
        ResultType { dtype: entry.dtype, dims: entry.dims.iter().map(size).collect() }
    }

    fn host_copy(&mut self, buffer: BufferId) -> Result<HostTensor> {
        self.frame.touch(self.program, buffer, self.device)?;
        let span = self.frame.spans[buffer as usize];
        let mut bytes = HostBuffer::for_kernels(span.bytes())?;
        if span.bytes() > 0 {
            self.device.download(bytes.as_mut_slice(), span)?;
        }
        let dims = self.frame.dims(self.program, buffer);
        HostTensor::from_buffer(self.program.plan.buffers[buffer as usize].dtype, &dims, bytes)
    }

    fn store(&mut self, buffer: BufferId, value: &HostTensor) -> Result<()> {
        self.frame.touch(self.program, buffer, self.device)?;
        let dtype = self.program.plan.buffers[buffer as usize].dtype;
        let dims = self.frame.dims(self.program, buffer);
        if value.dtype() != dtype || value.dims() != dims {
            return Err(RuntimeError::Tensor(format!(
                "expected {dtype}{}, got {}{}",
                shape_text(&dims),
                value.dtype(),
                shape_text(value.dims())
            )));
        }
        let span = self.frame.spans[buffer as usize];
        if span.bytes() == 0 { Ok(()) } else { self.device.upload(span, value.bytes()) }
    }
}
