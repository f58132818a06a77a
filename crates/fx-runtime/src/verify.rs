//! `Plan::verify`: a plan that passes cannot make the executor panic.
//!
//! Checked   Indices; ranges and uniqueness of symbols; each argument buffer has one argument; constants have their
//!           bytes; views look at non-views; registers are written before they are read, on every path; arities;
//!           launches fit the target; nothing writes arguments or constants through a copy or a call.
//! Unchecked What kernels do with their arguments; that a buffer is written before it is read; sizes (at run time).

mod steps;

use crate::analysis::Analysis;
use crate::error::{Result, RuntimeError};
use crate::plan::*;
use std::collections::BTreeSet;

/// More registers than any real plan has; bounds what a hostile one makes us allocate.
const MAX_REGISTERS: u32 = 1 << 20;

fn invalid<T>(message: String) -> Result<T> {
    Err(RuntimeError::InvalidPlan(message))
}

impl Plan {
    /// Checks the plan: see the module `verify`. Fails with [`RuntimeError::InvalidPlan`], which says where.
    pub fn verify(&self) -> Result<()> {
        if self.version != PLAN_VERSION {
            return invalid(format!("version {} instead of {PLAN_VERSION}", self.version));
        }
        if self.registers > MAX_REGISTERS {
            return invalid(format!("{} registers (at most {MAX_REGISTERS})", self.registers));
        }
        self.verify_symbols()?;
        self.verify_buffers()?;
        self.verify_arguments()?;
        self.verify_kernels()?;
        steps::verify_setup(self)?;
        steps::verify_indices(self, &self.steps, &mut "steps".into(), 0)?;
        self.verify_outputs()?;
        let analysis = Analysis::new(self);
        self.verify_argument_dims(&analysis)?;
        steps::verify_flow(self)
    }

    /// Whether the plan is for a CPU.
    pub(crate) fn is_cpu(&self) -> bool {
        self.target == "cpu"
    }

    fn check_register(&self, register: Reg, place: impl Fn() -> String) -> Result<()> {
        if register >= self.registers {
            return invalid(format!("{}: register {register} of {}", place(), self.registers));
        }
        Ok(())
    }

    fn check_scalar(&self, scalar: Scalar, place: impl Fn() -> String) -> Result<()> {
        match scalar {
            Scalar::Const(_) => Ok(()),
            Scalar::Reg(register) => self.check_register(register, place),
        }
    }

    fn check_buffer(&self, buffer: BufferId, place: impl Fn() -> String) -> Result<&Buffer> {
        match self.buffers.get(buffer as usize) {
            Some(buffer) => Ok(buffer),
            None => invalid(format!("{}: buffer {buffer} of {}", place(), self.buffers.len())),
        }
    }

    fn verify_symbols(&self) -> Result<()> {
        let mut registers = BTreeSet::new();
        let mut names = BTreeSet::new();
        for symbol in &self.symbols {
            let name = &symbol.name;
            self.check_register(symbol.reg, || format!("symbol '{name}'"))?;
            if !registers.insert(symbol.reg) || !names.insert(name) {
                return invalid(format!("symbol '{name}' (register {}) is declared twice", symbol.reg));
            }
            if symbol.max.is_some_and(|max| max < symbol.min) {
                return invalid(format!("symbol '{name}' has the empty range {}", symbol.range()));
            }
        }
        Ok(())
    }

    fn verify_buffers(&self) -> Result<()> {
        for (index, buffer) in self.buffers.iter().enumerate() {
            let place = || format!("buffer {index}");
            for dim in &buffer.dims {
                self.check_scalar(*dim, place)?;
                if matches!(dim, Scalar::Const(size) if *size < 0) {
                    return invalid(format!("buffer {index}: negative size {dim:?}"));
                }
            }
            match &buffer.storage {
                Storage::Argument | Storage::Planned => {}
                Storage::Kept => {
                    if buffer.dims.iter().any(|dim| matches!(dim, Scalar::Reg(_))) {
                        return invalid(format!("buffer {index}: the dims of a kept buffer must be constants"));
                    }
                }
                Storage::Constant(constant) => self.verify_constant(index, buffer, *constant)?,
                Storage::View { of, offset } => {
                    self.check_scalar(*offset, place)?;
                    if matches!(offset, Scalar::Const(offset) if *offset < 0) {
                        return invalid(format!("buffer {index}: negative offset {offset:?}"));
                    }
                    let base = self.check_buffer(*of, place)?;
                    if matches!(base.storage, Storage::View { .. }) {
                        return invalid(format!("buffer {index} is a view of the view {of}"));
                    }
                }
            }
        }
        Ok(())
    }

    fn verify_constant(&self, index: usize, buffer: &Buffer, constant: u32) -> Result<()> {
        let Some(data) = self.constants.get(constant as usize) else {
            return invalid(format!("buffer {index}: constant {constant} of {}", self.constants.len()));
        };
        let dims: Option<Vec<usize>> = (buffer.dims.iter())
            .map(|dim| match dim {
                Scalar::Const(size) => usize::try_from(*size).ok(),
                Scalar::Reg(_) => None,
            })
            .collect();
        let Some(dims) = dims else {
            return invalid(format!("buffer {index}: the dims of a constant must be constants"));
        };
        let expected = crate::tensor::byte_len(buffer.dtype, &dims)?;
        if data.bytes.len() != expected {
            return invalid(format!("constant {constant} has {} bytes, but buffer {index} needs {expected}", data.bytes.len()));
        }
        Ok(())
    }

    fn verify_arguments(&self) -> Result<()> {
        let mut given = vec![false; self.buffers.len()];
        for (index, argument) in self.arguments.iter().enumerate() {
            let place = || format!("argument {index}");
            match argument.value {
                ArgumentValue::Tensor(buffer) => {
                    if self.check_buffer(buffer, place)?.storage != Storage::Argument {
                        return invalid(format!("argument {index}: buffer {buffer} is no argument buffer"));
                    }
                    if std::mem::replace(&mut given[buffer as usize], true) {
                        return invalid(format!("buffer {buffer} belongs to two arguments"));
                    }
                }
                ArgumentValue::Scalar { reg, dtype } => {
                    self.check_register(reg, place)?;
                    if dtype.is_complex() {
                        return invalid(format!("argument {index}: a register cannot hold {dtype}"));
                    }
                    if !matches!(argument.kind, ArgumentKind::Input(_)) {
                        return invalid(format!("argument {index}: {:?} must be a tensor", argument.kind));
                    }
                }
            }
        }
        let orphan = (self.buffers.iter().zip(&given)).position(|(buffer, given)| buffer.storage == Storage::Argument && !given);
        orphan.map_or(Ok(()), |index| invalid(format!("buffer {index} belongs to no argument")))
    }

    fn verify_kernels(&self) -> Result<()> {
        for (index, binary) in self.binaries.iter().enumerate() {
            if (binary.kind == BinaryKind::ElfObject) != self.is_cpu() {
                let (kind, target) = (&binary.kind, &self.target);
                return invalid(format!("binary {index} is {kind:?}, but the target is '{target}'"));
            }
            if binary.machine_code.is_some() && binary.kind != BinaryKind::Ptx {
                return invalid(format!("binary {index} is {:?} and has machine code made from PTX", binary.kind));
            }
        }
        for kernel in &self.kernels {
            if kernel.binary as usize >= self.binaries.len() {
                let (symbol, binary) = (&kernel.symbol, kernel.binary);
                return invalid(format!("kernel '{symbol}': binary {binary} of {}", self.binaries.len()));
            }
        }
        Ok(())
    }

    fn verify_outputs(&self) -> Result<()> {
        for (index, output) in self.outputs.iter().enumerate() {
            let place = || format!("output {index}");
            match &output.value {
                OutputValue::Tensor(buffer) => {
                    self.check_buffer(*buffer, place)?;
                }
                OutputValue::Scalar { value, dtype } => {
                    self.check_scalar(*value, place)?;
                    if dtype.is_complex() {
                        return invalid(format!("output {index}: a register cannot hold {dtype}"));
                    }
                }
                OutputValue::None => {}
            }
        }
        Ok(())
    }

    /// The dims of an argument are checked before the steps, so they must be known there.
    fn verify_argument_dims(&self, analysis: &Analysis) -> Result<()> {
        for (index, argument) in self.arguments.iter().enumerate() {
            let ArgumentValue::Tensor(buffer) = argument.value else {
                continue;
            };
            for (dim, size) in self.buffers[buffer as usize].dims.iter().enumerate() {
                if !analysis.is_fixed(*size) {
                    return invalid(format!("argument {index}: dim {dim} is {size:?}, which does not follow from symbols and scalars"));
                }
            }
        }
        Ok(())
    }
}

impl Symbol {
    /// The range as text, such as `2..=64` or `2..`.
    pub(crate) fn range(&self) -> String {
        match self.max {
            Some(max) => format!("{}..={max}", self.min),
            None => format!("{}..", self.min),
        }
    }
}
