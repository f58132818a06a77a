//! The memory of a call, from the plan alone.
//!
//! Needs     A plan, with or without code, and what is known of its inputs.
//! Gives     What [`crate::exec::MemoryUse::call_peak`] says after a call of these sizes: the same layout is made, and the
//!           same results have blocks of their own.
//! Unknown   Tensors whose size depends on data: they are not counted.

use crate::device::DeviceKind;
use crate::error::Result;
use crate::layout::{Layout, buffer_bytes};
use crate::placement::Class;
use crate::plan::{ArgumentKind, ArgumentValue, BufferId, OutputValue, Plan, Scalar};
use crate::program::{Instruction, Program};
use crate::scalar::{evaluate, value};
use std::collections::HashMap;

/// What is known of an input, a symbol or a result before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// The value of a number or a symbol.
    Number(i64),
    /// The sizes of a tensor.
    Dims(Vec<usize>),
}

/// What a call needs beside its inputs and its state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forecast {
    /// Bytes of the arena of intermediate tensors.
    pub arena: usize,
    /// Bytes of results.
    pub results: usize,
    /// Per result of the plan: what it will be, as far as that does not depend on data, and its bytes.
    pub outputs: Vec<(Option<Known>, usize)>,
}

impl Forecast {
    /// At the fullest moment: the arena is held until the results are handed out.
    pub fn peak(&self) -> usize {
        self.arena.saturating_add(self.results)
    }
}

/// The memory of a call on a device, from what is `known` of symbols and inputs, by name; a symbol that is not known has its
/// least size.
///
/// # Errors
/// If the plan is invalid, or sizes are negative or overflow.
pub fn forecast(plan: Plan, device: DeviceKind, known: &HashMap<String, Known>) -> Result<Forecast> {
    plan.verify()?;
    let program = Program::new(plan);
    let registers = registers(&program, known)?;
    let layout = Layout::new(&program, &registers, device.alignment())?;
    let bytes = |buffer| buffer_bytes(&program.plan, buffer, &registers);
    let mut results = 0_usize;
    for (buffer, _) in &program.owned {
        results = results.saturating_add(bytes(*buffer)?);
    }
    let mut outputs = Vec::with_capacity(program.plan.outputs.len());
    for (output, moved) in program.plan.outputs.iter().zip(&program.moved) {
        outputs.push(match output.value {
            OutputValue::Tensor(buffer) if is_late(&program, buffer) => (None, 0),
            OutputValue::Tensor(buffer) => (Some(Known::Dims(dims(&program, buffer, &registers))), bytes(buffer)?),
            OutputValue::Scalar { value: number, .. } => (Some(Known::Number(value(number, &registers))), size_of::<i64>()),
            OutputValue::None => (None, 0),
        });
        let OutputValue::Tensor(buffer) = output.value else { continue };
        let base = program.base(buffer);
        let is_handed_out = match program.classes[base as usize] {
            Class::Owned(_) => *moved && bytes(buffer)? == bytes(base)?,
            _ => is_late(&program, buffer),
        };
        if !is_handed_out {
            results = results.saturating_add(bytes(buffer)?);
        }
    }
    Ok(Forecast { arena: layout.total, results, outputs })
}

fn is_late(program: &Program, buffer: BufferId) -> bool {
    matches!(program.classes[buffer as usize], Class::Late(_) | Class::LateView)
}

/// Sizes, which are not negative: the bytes were computed from them.
fn dims(program: &Program, buffer: BufferId, registers: &[i64]) -> Vec<usize> {
    let dims = &program.plan.buffers[buffer as usize].dims;
    dims.iter().map(|dim| usize::try_from(value(*dim, registers)).unwrap_or(0)).collect()
}

/// What is known before the steps.
fn registers(program: &Program, known: &HashMap<String, Known>) -> Result<Vec<i64>> {
    let plan = &program.plan;
    let mut registers = vec![0; plan.registers as usize];
    let number = |name: &str| if let Some(Known::Number(number)) = known.get(name) { Some(*number) } else { None };
    for symbol in &plan.symbols {
        registers[symbol.reg as usize] = number(&symbol.name).unwrap_or(symbol.min);
    }
    for argument in &plan.arguments {
        let ArgumentKind::Input(name) = &argument.kind else { continue };
        match (&argument.value, known.get(name)) {
            (ArgumentValue::Scalar { reg, .. }, Some(Known::Number(number))) => registers[*reg as usize] = *number,
            (ArgumentValue::Tensor(buffer), Some(Known::Dims(sizes))) => {
                for (dim, size) in plan.buffers[*buffer as usize].dims.iter().zip(sizes) {
                    if let Scalar::Reg(reg) = dim {
                        registers[*reg as usize] = *size as i64;
                    }
                }
            }
            _ => {}
        }
    }
    for instruction in &program.prelude {
        if let Instruction::Scalar { dst, op, args } = instruction {
            let args = args.map(|arg| value(arg, &registers));
            registers[*dst as usize] = evaluate(*op, args)?;
        }
    }
    Ok(registers)
}
