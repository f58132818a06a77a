//! The state of a call: registers, places of buffers, blocks of memory. Kept between calls, so that a call allocates
//! nothing but its results.
//!
//! Invariant `spans[b]` is valid while the block, tensor or constant behind buffer `b` is: the executor holds its state,
//!           the caller holds the inputs for the length of the call, the frame holds the rest.

use crate::device::{Block, Device};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::layout::{Layout, buffer_bytes};
use crate::placement::Class;
use crate::plan::{BufferId, KernelArg, Scalar, Storage};
use crate::program::Program;
use crate::scalar::value;
use crate::traffic::Traffic;

/// Bytes that the call at hand has of its own.
#[derive(Debug, Default)]
pub(crate) struct CallBytes {
    /// Per slot: of its block, once the call has placed it.
    blocks: Vec<usize>,
    now: usize,
    /// The most so far.
    pub(crate) peak: usize,
}

impl CallBytes {
    /// A call starts, with its arena.
    pub(crate) fn start(&mut self, arena: usize) {
        self.blocks.fill(0);
        self.now = 0;
        self.peak = 0;
        self.add(arena);
    }

    /// Further memory.
    pub(crate) fn add(&mut self, bytes: usize) {
        self.now = self.now.saturating_add(bytes);
        self.peak = self.peak.max(self.now);
    }

    /// A block has this size now.
    fn place(&mut self, slot: u32, bytes: usize) {
        let before = std::mem::replace(&mut self.blocks[slot as usize], bytes);
        self.now -= before;
        self.add(bytes);
    }
}

/// See the module.
pub(crate) struct Frame {
    /// Scalar registers.
    pub(crate) registers: Vec<i64>,
    /// Where each buffer lies.
    pub(crate) spans: Vec<Span>,
    /// Blocks of owned and late buffers, by slot.
    pub(crate) blocks: Vec<Option<Block>>,
    /// The arena.
    pub(crate) arena: Option<Block>,
    /// Device copies of inputs that were given in host memory, by argument; none on the CPU.
    pub(crate) staging: Vec<Option<Block>>,
    /// Constants on the device, by index.
    pub(crate) constants: Vec<Block>,
    /// Memory of kept buffers.
    pub(crate) kept: Vec<Block>,
    /// Records of checks, in the order of [`Program::checked`].
    pub(crate) status: Option<Block>,
    /// Whether no record is set: so after a call without a failed check.
    pub(crate) is_status_clear: bool,
    /// Whether `spans` agree with the selected layout and the state.
    pub(crate) is_laid_out: bool,
    /// Arguments of the launch at hand.
    pub(crate) words: Vec<u64>,
    /// What the call at hand moves, where that is wanted.
    pub(crate) traffic: Option<Traffic>,
    /// What the call at hand, or the last one, has taken.
    pub(crate) call: CallBytes,
}

impl Frame {
    /// A frame without memory.
    pub(crate) fn new(program: &Program) -> Self {
        let plan = &program.plan;
        Frame {
            registers: vec![0; plan.registers as usize],
            spans: vec![Span::EMPTY; plan.buffers.len()],
            blocks: (0..program.slots).map(|_| None).collect(),
            arena: None,
            staging: plan.arguments.iter().map(|_| None).collect(),
            constants: Vec::new(),
            kept: Vec::new(),
            status: None,
            is_status_clear: false,
            is_laid_out: false,
            words: Vec::new(),
            traffic: None,
            call: CallBytes { blocks: vec![0; program.slots], ..CallBytes::default() },
        }
    }

    /// Value of an operand.
    #[inline]
    pub(crate) fn value(&self, scalar: Scalar) -> i64 {
        value(scalar, &self.registers)
    }

    /// Dims of a buffer, none of which is negative (checked by [`buffer_bytes`] when it got its place).
    pub(crate) fn dims(&self, program: &Program, buffer: BufferId) -> Vec<usize> {
        let dims = &program.plan.buffers[buffer as usize].dims;
        dims.iter().map(|dim| usize::try_from(self.value(*dim)).unwrap_or(0)).collect()
    }

    /// Writes a launch's buffers and scalars behind the words that are there.
    #[inline]
    pub(crate) fn push_words(&mut self, args: &[KernelArg]) {
        for arg in args {
            self.words.push(match arg {
                KernelArg::Buffer(buffer) => self.spans[*buffer as usize].address(),
                KernelArg::Scalar(scalar) => value(*scalar, &self.registers) as u64,
            });
        }
    }

    /// Gives arena buffers, and views that depend on them, their places; grows the arena if it is too small.
    pub(crate) fn lay_out(&mut self, program: &Program, layout: &Layout, device: &mut dyn Device) -> Result<()> {
        self.is_laid_out = false; // until all is done
        if self.arena.as_ref().map_or(0, Block::len) < layout.total {
            self.arena = None; // free the old one first
            self.arena = Some(device.allocate(layout.total, "the arena of intermediate tensors")?);
        }
        let arena = self.arena.as_ref().map_or(Span::EMPTY, Block::span);
        for (buffer, offset, bytes) in &layout.places {
            let place = if *bytes == 0 { Some(Span::EMPTY) } else { arena.slice(*offset, *bytes) };
            self.spans[*buffer as usize] = place.ok_or_else(|| RuntimeError::Internal("a buffer outside the arena".into()))?;
        }
        for view in &program.layout_views {
            self.place_view(program, *view)?;
        }
        self.is_laid_out = true;
        Ok(())
    }

    /// Gives results their blocks, and views of inputs and results their places.
    #[inline]
    pub(crate) fn place_call(&mut self, program: &Program, device: &mut dyn Device) -> Result<()> {
        for (buffer, slot) in &program.owned {
            self.place_block(program, *buffer, *slot, device)?;
        }
        for view in &program.call_views {
            self.place_view(program, *view)?;
        }
        Ok(())
    }

    /// Makes the place of a late buffer or view known, just before a step uses it; nothing for others.
    pub(crate) fn touch(&mut self, program: &Program, buffer: BufferId, device: &mut dyn Device) -> Result<()> {
        match program.classes[buffer as usize] {
            Class::Late(slot) => self.place_block(program, buffer, slot, device),
            Class::LateView => {
                self.touch(program, program.base(buffer), device)?; // a base is never a view
                self.place_view(program, buffer)
            }
            _ => Ok(()),
        }
    }

    /// A block of the size that the dims now have: the slot's own if it has that size, contents kept, else a new one.
    fn place_block(&mut self, program: &Program, buffer: BufferId, slot: u32, device: &mut dyn Device) -> Result<()> {
        let bytes = buffer_bytes(&program.plan, buffer, &self.registers)?;
        let block = &mut self.blocks[slot as usize];
        if block.as_ref().is_none_or(|block| block.len() != bytes) {
            *block = None; // free the old one first
            *block = Some(device.allocate(bytes, "a result or a tensor whose size depends on data")?);
        }
        self.call.place(slot, bytes);
        self.spans[buffer as usize] = block.as_ref().map_or(Span::EMPTY, Block::span);
        Ok(())
    }

    /// Computes where a view lies in its base, whose place is known. Fails when it leaves the base.
    fn place_view(&mut self, program: &Program, view: BufferId) -> Result<()> {
        let entry = &program.plan.buffers[view as usize];
        let Storage::View { of, offset } = entry.storage else {
            return Err(RuntimeError::Internal(format!("buffer {view} is no view")));
        };
        let bytes = buffer_bytes(&program.plan, view, &self.registers)?;
        let base = self.spans[of as usize];
        let offset = self.value(offset);
        let start = usize::try_from(offset).ok().and_then(|offset| offset.checked_mul(entry.dtype.size()));
        let place = start.and_then(|start| base.slice(start, bytes));
        self.spans[view as usize] = place.ok_or_else(|| {
            RuntimeError::Shape(format!(
                "buffer {view}: {bytes} bytes from element {offset} ({}) leave buffer {of} of {} bytes",
                entry.dtype,
                base.bytes()
            ))
        })?;
        Ok(())
    }
}
