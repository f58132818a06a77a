//! Sizes and offsets of planned memory for one tuple of symbol values, and a cache of them.
//!
//! Invariant A layout depends on the values of [`Program::key`] alone. The newest is first in the cache, so a call with
//!           the sizes of the last one compares one short list.

use crate::arena::{Request, assign};
use crate::error::{Result, RuntimeError};
use crate::plan::{BufferId, Plan};
use crate::program::{Program, dims_text};
use crate::scalar::value;

/// Layouts kept; more distinct sizes than this are planned again.
const CACHED: usize = 64;

/// Where arena buffers lie.
pub(crate) struct Layout {
    key: Vec<i64>,
    /// Buffer, offset and size in bytes.
    pub(crate) places: Vec<(BufferId, usize, usize)>,
    /// Bytes of the arena.
    pub(crate) total: usize,
    /// Largest sum of sizes that live at one step.
    pub(crate) peak: usize,
}

/// Size of a buffer in bytes. Fails when a dim is negative or the size overflows.
pub(crate) fn buffer_bytes(plan: &Plan, buffer: BufferId, registers: &[i64]) -> Result<usize> {
    let entry = &plan.buffers[buffer as usize];
    let mut bytes = Some(entry.dtype.size());
    let mut empty = false;
    for dim in &entry.dims {
        let size = value(*dim, registers);
        let Ok(size) = usize::try_from(size) else {
            return Err(RuntimeError::Shape(format!(
                "buffer {buffer} ({} {}): negative size {size}",
                entry.dtype,
                dims_text(plan, &entry.dims)
            )));
        };
        empty |= size == 0;
        bytes = bytes.and_then(|bytes| bytes.checked_mul(size));
    }
    if empty {
        return Ok(0);
    }
    bytes.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(|| {
        let dims: Vec<i64> = entry.dims.iter().map(|dim| value(*dim, registers)).collect();
        RuntimeError::SizeOverflow { what: format!("buffer {buffer}"), detail: format!("{} {dims:?}", entry.dtype) }
    })
}

impl Layout {
    /// The layout for these registers.
    pub(crate) fn new(program: &Program, registers: &[i64], align: usize) -> Result<Self> {
        let mut requests = Vec::with_capacity(program.lifetimes.len());
        for lifetime in &program.lifetimes {
            let bytes = buffer_bytes(&program.plan, lifetime.buffer, registers)?;
            requests.push(Request { bytes, first: lifetime.first, last: lifetime.last });
        }
        let plan = assign(&requests, align)?;
        let places = (program.lifetimes.iter().zip(requests).zip(plan.offsets))
            .map(|((lifetime, request), offset)| (lifetime.buffer, offset, request.bytes))
            .collect();
        let key = program.key.iter().map(|register| registers[*register as usize]).collect();
        Ok(Layout { key, places, total: plan.total, peak: plan.peak })
    }

    fn fits(&self, program: &Program, registers: &[i64]) -> bool {
        let mut key = self.key.iter().zip(&program.key);
        key.all(|(value, register)| *value == registers[*register as usize])
    }
}

/// Layouts by use, the newest first.
#[derive(Default)]
pub(crate) struct LayoutCache {
    layouts: Vec<Layout>,
}

impl LayoutCache {
    /// Makes the layout for these registers the first one. Gives whether it was already.
    pub(crate) fn select(&mut self, program: &Program, registers: &[i64], align: usize) -> Result<bool> {
        match self.layouts.iter().position(|layout| layout.fits(program, registers)) {
            Some(0) => return Ok(true),
            Some(position) => self.layouts[..=position].rotate_right(1),
            None => {
                self.layouts.insert(0, Layout::new(program, registers, align)?);
                self.layouts.truncate(CACHED);
            }
        }
        Ok(false)
    }

    /// The selected layout.
    pub(crate) fn current(&self) -> Option<&Layout> {
        self.layouts.first()
    }
}
