//! Runs instructions.
//!
//! Checks    CPU: the records of a kernel's checks are read after each of its launches. GPU: all records are read at the
//!           end of a call, and before a scalar is read back, so that no size is made from the data of a failed check.

use crate::bind;
use crate::call::OpFunction;
use crate::device::{Block, Device, Extent, GPU_ALIGNMENT};
use crate::dtype::decode_register;
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::frame::Frame;
use crate::plan::{BufferId, Check, KernelArg, Launch, Reg, Storage};
use crate::program::{Instruction, LaunchInstruction, Program};
use crate::scalar::{evaluate, value};
use std::ops::Range;

/// Bytes of a check's record: whether it failed, the value, the bound; see [`crate::plan::Kernel::checks`].
pub(crate) const RECORD: usize = 24;
/// Most blocks of a grid in x, y and z.
const MAX_BLOCKS: [i64; 3] = [i32::MAX as i64, 65_535, 65_535];

/// What instructions work on.
pub(crate) struct Run<'a> {
    /// The program.
    pub(crate) program: &'a Program,
    /// Registers and memory.
    pub(crate) frame: &'a mut Frame,
    /// Where it runs.
    pub(crate) device: &'a mut dyn Device,
    /// Registered operators, by index in [`Program::ops`].
    pub(crate) ops: &'a [Option<OpFunction>],
}

impl Run<'_> {
    /// Runs a list in order.
    pub(crate) fn list(&mut self, instructions: &[Instruction]) -> Result<()> {
        for instruction in instructions {
            match instruction {
                Instruction::Scalar { dst, op, args } => {
                    let args = args.map(|arg| value(arg, &self.frame.registers));
                    self.frame.registers[*dst as usize] = evaluate(*op, args)?;
                }
                Instruction::Launch(launch) => self.launch(launch)?,
                Instruction::Read { dst, buffer } => self.read(*dst, *buffer)?,
                Instruction::Copy { src, dst } => self.copy(*src, *dst)?,
                Instruction::Assert { cond, message } => {
                    if self.frame.value(*cond) == 0 {
                        return Err(RuntimeError::Assert(message.to_string()));
                    }
                }
                Instruction::If { cond, then, otherwise } => {
                    let taken = self.frame.value(*cond) != 0;
                    self.list(if taken { then } else { otherwise })?;
                }
                Instruction::While { before, cond, body } => loop {
                    self.list(before)?;
                    if self.frame.value(*cond) == 0 {
                        break;
                    }
                    self.list(body)?;
                },
                Instruction::Call(call) => self.call(call)?,
            }
        }
        Ok(())
    }

    fn launch(&mut self, launch: &LaunchInstruction) -> Result<()> {
        for buffer in &launch.late {
            self.frame.touch(self.program, *buffer, self.device)?;
        }
        self.frame.words.clear();
        if let (Some(records), Some(status)) = (&launch.records, &self.frame.status) {
            let address = status.span().address() + (records.start * RECORD) as u64;
            self.frame.words.push(address);
        }
        self.frame.push_words(&launch.args);
        let Some(extent) = self.extent(launch)? else {
            return Ok(());
        };
        if let Some(traffic) = &mut self.frame.traffic {
            let spans = &self.frame.spans;
            traffic.launch(&launch.args, |buffer| spans[buffer as usize].bytes());
        }
        let moved = if self.device.is_host() { Vec::new() } else { self.align(launch)? };
        self.device.launch(launch.kernel, &self.frame.words, extent)?;
        for (place, copy) in moved {
            if let Some(place) = place {
                self.copy_span(place, copy.span())?;
            }
        }
        match &launch.records {
            Some(records) if self.device.is_host() => self.check(records),
            _ => Ok(()),
        }
    }

    /// Copies arguments that start where a GPU kernel's must not, such as rows of a matrix, to where they may: the copies,
    /// each with its original where the kernel may write that.
    fn align(&mut self, launch: &LaunchInstruction) -> Result<Vec<(Option<Span>, Block)>> {
        let mut moved = Vec::new();
        let first = self.frame.words.len() - launch.args.len();
        for (word, arg) in (first..).zip(&launch.args) {
            let KernelArg::Buffer(buffer) = arg else { continue };
            let span = self.frame.spans[*buffer as usize];
            if span.bytes() == 0 || span.address().is_multiple_of(GPU_ALIGNMENT) {
                continue;
            }
            let copy = self.device.allocate(span.bytes(), "an aligned copy of an argument")?;
            self.copy_span(copy.span(), span)?;
            self.frame.words[word] = copy.span().address();
            let base = &self.program.plan.buffers[self.program.base(*buffer) as usize];
            let read_only = matches!(base.storage, Storage::Argument | Storage::Constant(_));
            moved.push(((!read_only).then_some(span), copy));
        }
        Ok(moved)
    }

    /// The extent of a launch; none when there is nothing to do. Fails when a GPU has no such grid.
    #[inline]
    fn extent(&self, launch: &LaunchInstruction) -> Result<Option<Extent>> {
        match &launch.launch {
            Launch::Range { extent, grain, pieces } => {
                let extent = self.frame.value(*extent);
                Ok((extent > 0).then_some(Extent::Range { extent, grain: *grain, pieces: *pieces }))
            }
            Launch::Grid { blocks, threads, shared_bytes } => {
                let values = blocks.map(|n| self.frame.value(n));
                if values.contains(&0) {
                    return Ok(None);
                }
                let fits = values.iter().zip(MAX_BLOCKS).all(|(n, max)| (1..=max).contains(n));
                if !fits {
                    let kernel = &self.program.plan.kernels[launch.kernel as usize];
                    return Err(RuntimeError::Shape(format!(
                        "{}: kernel '{}' needs a grid of {values:?} blocks (at most {MAX_BLOCKS:?})",
                        kernel.location, kernel.symbol
                    )));
                }
                let blocks = values.map(|n| n as u32); // just checked
                let bytes = self.frame.value(*shared_bytes);
                let shared = u32::try_from(bytes).map_err(|_| {
                    let kernel = &self.program.plan.kernels[launch.kernel as usize];
                    RuntimeError::Shape(format!("{}: kernel '{}' needs {bytes} bytes of shared memory", kernel.location, kernel.symbol))
                })?;
                Ok(Some(Extent::Grid { blocks, threads: *threads, shared }))
            }
        }
    }

    fn read(&mut self, dst: Reg, buffer: BufferId) -> Result<()> {
        self.frame.touch(self.program, buffer, self.device)?;
        let dtype = self.program.plan.buffers[buffer as usize].dtype;
        let span = self.frame.spans[buffer as usize];
        if span.bytes() != dtype.size() {
            return Err(RuntimeError::Shape(format!("read of buffer {buffer}: it has {} bytes, not one element of {dtype}", span.bytes())));
        }
        self.check_all()?;
        let mut bytes = [0; 16];
        let bytes = &mut bytes[..dtype.size()];
        self.device.download(bytes, span)?;
        let value = decode_register(dtype, bytes);
        self.frame.registers[dst as usize] = value.ok_or_else(|| RuntimeError::Internal(format!("read of {dtype}")))?;
        Ok(())
    }

    fn copy(&mut self, src: BufferId, dst: BufferId) -> Result<()> {
        self.frame.touch(self.program, src, self.device)?;
        self.frame.touch(self.program, dst, self.device)?;
        let (from, to) = (self.frame.spans[src as usize], self.frame.spans[dst as usize]);
        if from.bytes() != to.bytes() {
            return Err(RuntimeError::Shape(format!(
                "copy of buffer {src} ({} bytes) to buffer {dst} ({} bytes)",
                from.bytes(),
                to.bytes()
            )));
        }
        if from.bytes() == 0 { Ok(()) } else { self.copy_span(to, from) }
    }

    /// Copies between spans of one length.
    pub(crate) fn copy_span(&mut self, dst: Span, src: Span) -> Result<()> {
        if let Some(traffic) = &mut self.frame.traffic {
            traffic.copy(src.bytes());
        }
        self.device.copy(dst, src)
    }

    /// Clears all records that are read at the end, unless they are clear: kernels write those of failed checks only.
    pub(crate) fn clear_checks(&mut self) -> Result<()> {
        let is_clear = std::mem::replace(&mut self.frame.is_status_clear, false); // until the call has ended well
        match &self.frame.status {
            Some(status) if !self.device.is_host() && !is_clear => self.device.clear(status.span()),
            _ => Ok(()),
        }
    }

    /// Reads all records, where that was not done after each launch. Waits, if there are any.
    pub(crate) fn check_all(&mut self) -> Result<()> {
        let Some(status) = &self.frame.status else {
            return Ok(());
        };
        if self.device.is_host() {
            return Ok(());
        }
        let mut bytes = vec![0; self.program.checked.len() * RECORD]; // little beside the wait that comes
        self.device.download(&mut bytes, status.span())?;
        bytes.as_chunks::<RECORD>().0.iter().enumerate().try_for_each(|(index, record)| self.judge(index, record))
    }

    /// Reads a kernel's records, and clears them if one is set.
    fn check(&mut self, records: &Range<usize>) -> Result<()> {
        let Some(status) = &self.frame.status else {
            return Err(RuntimeError::Internal("no records of checks".into()));
        };
        let Some(span) = status.span().slice(records.start * RECORD, records.len() * RECORD) else {
            return Err(RuntimeError::Internal("a record outside the block".into()));
        };
        for index in 0..records.len() {
            let mut record = [0; RECORD];
            let place = span.slice(index * RECORD, RECORD).unwrap_or(Span::EMPTY); // inside, as just checked
            self.device.download(&mut record, place)?;
            if let Err(error) = self.judge(records.start + index, &record) {
                self.device.clear(span)?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// The error that a record stands for, if its check failed.
    fn judge(&self, index: usize, record: &[u8; RECORD]) -> Result<()> {
        let words = record.as_chunks::<8>().0;
        let [failed, value, bound] = std::array::from_fn(|i| i64::from_le_bytes(words[i]));
        if failed == 0 {
            return Ok(());
        }
        let checked = self.program.checked[index];
        let kernel = &self.program.plan.kernels[checked.kernel as usize];
        let check = &kernel.checks[checked.check];
        let (kernel, location) = (kernel.symbol.clone(), check.location.clone());
        Err(RuntimeError::KernelCheck { kernel, location, message: check.text(value, bound) })
    }

    /// Compares dims of arguments that the prelude computed.
    pub(crate) fn check_derived(&self, dims_of: impl Fn(bind::Source, usize) -> Option<usize>) -> Result<()> {
        for derived in &self.program.derived {
            let rule = &self.program.rules[derived.rule];
            let expected = self.frame.registers[derived.reg as usize];
            let actual = dims_of(rule.source, derived.dim).map_or(-1, |dim| dim as i64);
            if expected != actual {
                return Err(bind::derived_error(&self.program.plan, rule, *derived, expected, actual));
            }
        }
        Ok(())
    }
}

impl Check {
    /// The message with the numbers that the kernel found.
    fn text(&self, value: i64, bound: i64) -> String {
        let unwrapped = if value < 0 { value.saturating_sub(bound) } else { value };
        let numbers = [("{value}", value), ("{bound}", bound), ("{unwrapped}", unwrapped)];
        numbers.iter().fold(self.message.clone(), |text, (name, number)| text.replace(name, &number.to_string()))
    }
}
