//! Where a plan runs: the choice, and what the executor needs of a device.

use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::{HostBuffer, Span};
use crate::ffi::cuda::CudaBlock;
use crate::graphs::{GraphUse, Graphs, Recorder};
use crate::plan::Plan;
use std::str::FromStr;

/// The alignment in bytes that GPU kernels may count on: that of their widest access.
pub const GPU_ALIGNMENT: u64 = 16;

/// A device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    /// The host's processors.
    Cpu,
    /// The NVIDIA GPU with this ordinal.
    Cuda(u32),
}

impl DeviceKind {
    /// Alignment of places in the arena, in bytes.
    pub(crate) fn alignment(self) -> usize {
        match self {
            DeviceKind::Cpu => crate::ffi::bytes::ALIGNMENT,
            DeviceKind::Cuda(_) => crate::ffi::cuda::ALIGNMENT,
        }
    }
}

impl std::fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DeviceKind::Cpu => f.write_str("cpu"),
            DeviceKind::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

impl FromStr for DeviceKind {
    type Err = RuntimeError;

    /// Reads `cpu`, `cuda` or `cuda:N`.
    fn from_str(text: &str) -> Result<Self> {
        let ordinal = text.strip_prefix("cuda").map(|rest| rest.strip_prefix(':').unwrap_or(rest));
        match (text, ordinal) {
            ("cpu", _) => Ok(DeviceKind::Cpu),
            ("cuda", _) => Ok(DeviceKind::Cuda(0)),
            (_, Some(ordinal)) if ordinal.parse::<u32>().is_ok() && text.contains(':') => {
                Ok(DeviceKind::Cuda(ordinal.parse().unwrap_or(0)))
            }
            _ => Err(RuntimeError::Unsupported(format!("device '{text}' (there is cpu, cuda and cuda:N)"))),
        }
    }
}

/// A device that is kept open: executors on it that are made meanwhile need not open it.
pub struct OpenDevice {
    _context: Option<crate::ffi::cuda::OpenContext>,
}

impl DeviceKind {
    /// Opens the device and keeps it open. On a GPU this makes the driver's context, which may take longer than compiling.
    ///
    /// # Errors
    /// If there is no such device.
    pub fn open(self) -> Result<OpenDevice> {
        let context = match self {
            DeviceKind::Cpu => None,
            DeviceKind::Cuda(ordinal) => Some(crate::ffi::cuda::OpenContext::new(ordinal)?),
        };
        Ok(OpenDevice { _context: context })
    }
}

/// Whether the CUDA driver's library is on this machine. Looks once; says nothing about devices.
pub fn is_cuda_available() -> bool {
    crate::ffi::cuda::is_available()
}

/// Time of one launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaunchTime {
    /// Index into [`Plan::kernels`].
    pub kernel: u32,
    /// Time on the device in nanoseconds (CPU: wall time of the launch).
    pub nanoseconds: u64,
}

/// Extent of a launch, with its scalars evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// CPU: `0..extent` in pieces of at least `grain`, at most `pieces` for each thread.
    Range { extent: i64, grain: i64, pieces: i64 },
    /// GPU: blocks, threads of a block, bytes of dynamic shared memory. No zeros.
    Grid { blocks: [u32; 3], threads: [u32; 3], shared: u32 },
}

/// Memory of a device; freed when dropped.
pub(crate) enum Block {
    /// Host memory.
    Host(HostBuffer),
    /// GPU memory.
    Cuda(CudaBlock),
}

impl Block {
    /// The memory; valid while the block lives.
    pub(crate) fn span(&self) -> Span {
        match self {
            Block::Host(buffer) => buffer.span(),
            Block::Cuda(block) => block.span(),
        }
    }

    /// Number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.span().bytes()
    }
}

/// What the executor needs. Work is ordered as issued; only `download` and `synchronize` wait for it.
pub(crate) trait Device: Send {
    /// Which one it is.
    fn kind(&self) -> DeviceKind;
    /// Whether its memory is the host's and launches are done when `launch` returns.
    fn is_host(&self) -> bool;
    /// Called first in each call, on its thread.
    fn enter(&mut self) -> Result<()>;
    /// The work of a call comes: until `finish`, it may be kept back as long as nothing waits for it.
    fn begin(&mut self) {}
    /// The call has no more work: queues what was kept back.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
    /// The call has failed: drops what was kept back.
    fn abandon(&mut self) {}
    /// Memory for `what`, with any contents.
    fn allocate(&mut self, bytes: usize, what: &str) -> Result<Block>;
    /// Copies host bytes into `dst`, of the same length.
    fn upload(&mut self, dst: Span, src: &[u8]) -> Result<()>;
    /// Copies `src` to host bytes of the same length, and waits.
    fn download(&mut self, dst: &mut [u8], src: Span) -> Result<()>;
    /// Copies between spans of one length.
    fn copy(&mut self, dst: Span, src: Span) -> Result<()>;
    /// Sets to zero.
    fn clear(&mut self, dst: Span) -> Result<()>;
    /// Starts a kernel of the plan, with 64 bits per argument.
    fn launch(&mut self, kernel: u32, words: &[u64], extent: Extent) -> Result<()>;
    /// Waits for everything.
    fn synchronize(&mut self) -> Result<()>;
    /// Sets the stream by its raw handle, or the device's own for none. Earlier work is waited for.
    fn set_stream(&mut self, stream: Option<u64>) -> Result<()>;
    /// Switches timing of launches and forgets old times.
    fn set_timing(&mut self, on: bool);
    /// Times of the launches since the last call of this, which waits for them.
    fn take_times(&mut self) -> Result<Vec<LaunchTime>>;
    /// Sets when graphs are used.
    fn set_graphs(&mut self, _: Graphs) {}
    /// What became of launches so far.
    fn graph_use(&self) -> GraphUse {
        GraphUse::default()
    }
    /// Gives back what is kept between calls: graphs, free memory.
    fn release(&mut self) {}
}

/// Opens the device for a plan and loads the plan's code.
pub(crate) fn open(kind: DeviceKind, plan: &Plan) -> Result<Box<dyn Device>> {
    let mismatch =
        |reason: &str| RuntimeError::WrongTarget { target: plan.target.clone(), device: kind.to_string(), reason: reason.into() };
    match kind {
        DeviceKind::Cpu if !plan.is_cpu() => Err(mismatch("it needs a GPU")),
        DeviceKind::Cuda(_) if plan.is_cpu() => Err(mismatch("it is for a CPU")),
        DeviceKind::Cpu => Ok(Box::new(crate::cpu::CpuDevice::open(plan)?)),
        DeviceKind::Cuda(ordinal) => Ok(Box::new(Recorder::new(crate::ffi::cuda::CudaDevice::open(ordinal, plan)?, plan))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for kind in [DeviceKind::Cpu, DeviceKind::Cuda(0), DeviceKind::Cuda(3)] {
            assert_eq!(kind.to_string().parse::<DeviceKind>().ok(), Some(kind));
        }
        assert_eq!("cuda".parse::<DeviceKind>().ok(), Some(DeviceKind::Cuda(0)));
        for bad in ["", "gpu", "cuda1", "cuda:", "cuda:x", "cpu:0"] {
            assert!(bad.parse::<DeviceKind>().is_err(), "{bad}");
        }
    }
}
