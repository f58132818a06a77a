//! Runs instructions.
//!
//! Checks    CPU: a kernel's status word is read after each of its launches. GPU: all status words are read at the end of
//!           a call, and before a scalar is read back, so that no size is made from the data of a failed check.

use crate::bind;
use crate::device::{Device, Extent};
use crate::dtype::decode_register;
use crate::error::{Result, RuntimeError};
use crate::call::OpFunction;
use crate::frame::Frame;
use crate::plan::{BufferId, Launch, Reg};
use crate::program::{Instruction, LaunchInstruction, Program};
use crate::scalar::{evaluate, value};

/// Bytes of a status word.
const STATUS: usize = 8;
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
        if let (Some(index), Some(status)) = (launch.status, &self.frame.status) {
            let address = status.span().address() + u64::from(index) * STATUS as u64;
            self.frame.words.push(address);
        }
        self.frame.push_words(&launch.args);
        let Some(extent) = self.extent(launch)? else {
            return Ok(());
        };
        if let Err(source) = self.device.launch(launch.kernel, &self.frame.words, extent) {
            let kernel = &self.program.plan.kernels[launch.kernel as usize];
            return Err(RuntimeError::Launch {
                kernel: kernel.symbol.clone(),
                location: kernel.location.clone(),
                source: Box::new(source),
            });
        }
        match launch.status {
            Some(index) if self.device.is_host() => self.check(index),
            _ => Ok(()),
        }
    }

    /// The extent of a launch; none when there is nothing to do. Fails when a GPU has no such grid.
    #[inline]
    fn extent(&self, launch: &LaunchInstruction) -> Result<Option<Extent>> {
        match &launch.launch {
            Launch::Range { extent, grain } => {
                let extent = self.frame.value(*extent);
                Ok((extent > 0).then_some(Extent::Range { extent, grain: *grain }))
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
                Ok(Some(Extent::Grid { blocks, threads: *threads, shared: *shared_bytes }))
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
        if from.bytes() == 0 { Ok(()) } else { self.device.copy(to, from) }
    }

    /// Clears all status words, where they are read at the end.
    pub(crate) fn clear_checks(&mut self) -> Result<()> {
        match &self.frame.status {
            Some(status) if !self.device.is_host() => self.device.clear(status.span()),
            _ => Ok(()),
        }
    }

    /// Reads all status words, where that was not done after each launch. Waits, if there are any.
    pub(crate) fn check_all(&mut self) -> Result<()> {
        let Some(status) = &self.frame.status else {
            return Ok(());
        };
        if self.device.is_host() {
            return Ok(());
        }
        let mut words = vec![0; self.program.checked.len() * STATUS];
        self.device.download(&mut words, status.span())?;
        for (index, word) in (0u32..).zip(words.as_chunks::<STATUS>().0) {
            self.judge(index, i64::from_le_bytes(*word))?;
        }
        Ok(())
    }

    /// Reads one status word, and clears it if it is set.
    fn check(&mut self, index: u32) -> Result<()> {
        let Some(span) = (self.frame.status.as_ref()).and_then(|status| status.span().slice(index as usize * STATUS, STATUS)) else {
            return Err(RuntimeError::Internal("no status word".into()));
        };
        let mut word = [0; STATUS];
        self.device.download(&mut word, span)?;
        let word = i64::from_le_bytes(word);
        if word == 0 {
            return Ok(());
        }
        self.device.clear(span)?;
        self.judge(index, word)
    }

    /// The error that a status word stands for.
    fn judge(&self, index: u32, word: i64) -> Result<()> {
        if word == 0 {
            return Ok(());
        }
        let kernel = &self.program.plan.kernels[self.program.checked[index as usize] as usize];
        let message = usize::try_from(word - 1).ok().and_then(|index| kernel.checks.get(index));
        Err(RuntimeError::KernelCheck {
            kernel: kernel.symbol.clone(),
            location: kernel.location.clone(),
            message: message.cloned().unwrap_or_else(|| format!("unknown check {word}")),
        })
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
