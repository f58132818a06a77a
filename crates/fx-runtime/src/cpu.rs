//! The CPU as a device: kernels from ELF objects, ranges over the thread pool.

use crate::device::{Block, Device, DeviceKind, Extent, LaunchTime};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::{HostBuffer, Span, clear_host, copy_host, read_host, write_host};
use crate::ffi::code::Entry;
use crate::ffi::elf;
use crate::plan::Plan;
use crate::pool::Pool;
use std::time::Instant;

/// The loaded kernels of one plan.
pub(crate) struct CpuDevice {
    entries: Vec<Entry>,
    times: Option<Vec<LaunchTime>>,
}

impl CpuDevice {
    /// Loads the objects of a plan. Fails when one needs what the processor lacks or is malformed, or a kernel or an external function is missing.
    pub(crate) fn open(plan: &Plan) -> Result<Self> {
        for (index, binary) in plan.binaries.iter().enumerate() {
            if let Some(need) = binary.needs.iter().find(|need| !need.is_met()) {
                return Err(RuntimeError::WrongTarget {
                    target: plan.target.clone(),
                    device: "this processor".into(),
                    reason: format!("binary {index} needs {need}, which the processor lacks or the system does not grant"),
                });
            }
        }
        let objects = (plan.binaries.iter()).map(|binary| elf::Object::load(&binary.bytes)).collect::<Result<Vec<_>>>()?;
        let entry = |kernel: &crate::plan::Kernel| {
            objects[kernel.binary as usize].function(&kernel.symbol).ok_or_else(|| RuntimeError::MissingKernel {
                kernel: kernel.symbol.clone(),
                location: kernel.location.clone(),
                binary: kernel.binary,
            })
        };
        let entries = plan.kernels.iter().map(entry).collect::<Result<_>>()?;
        Ok(CpuDevice { entries, times: None })
    }
}

impl Device for CpuDevice {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cpu
    }

    fn is_host(&self) -> bool {
        true
    }

    fn enter(&mut self) -> Result<()> {
        Ok(())
    }

    fn allocate(&mut self, bytes: usize, what: &str) -> Result<Block> {
        let buffer =
            HostBuffer::for_kernels(bytes).map_err(|_| RuntimeError::OutOfMemory { device: "the host".into(), bytes, what: what.into() });
        Ok(Block::Host(buffer?))
    }

    fn upload(&mut self, dst: Span, src: &[u8]) -> Result<()> {
        write_host(dst, src);
        Ok(())
    }

    fn download(&mut self, dst: &mut [u8], src: Span) -> Result<()> {
        read_host(dst, src);
        Ok(())
    }

    fn copy(&mut self, dst: Span, src: Span) -> Result<()> {
        copy_host(dst, src);
        Ok(())
    }

    fn clear(&mut self, dst: Span) -> Result<()> {
        clear_host(dst);
        Ok(())
    }

    #[inline]
    fn launch(&mut self, kernel: u32, words: &[u64], extent: Extent) -> Result<()> {
        let Extent::Range { extent, grain, pieces } = extent else {
            return Err(RuntimeError::Internal("a grid on the CPU".into()));
        };
        let entry = &self.entries[kernel as usize];
        let start = self.times.is_some().then(Instant::now);
        if extent <= grain {
            // the common small case, without touching the pool
            if extent > 0 {
                entry.call(words, 0, extent);
            }
        } else {
            Pool::global().parallel_for(extent, grain, pieces, &|lo, hi| entry.call(words, lo, hi));
        }
        if let (Some(times), Some(start)) = (&mut self.times, start) {
            let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
            times.push(LaunchTime { kernel, nanoseconds });
        }
        Ok(())
    }

    fn synchronize(&mut self) -> Result<()> {
        Ok(())
    }

    fn set_stream(&mut self, _: Option<u64>) -> Result<()> {
        Err(RuntimeError::Unsupported("streams on the CPU".into()))
    }

    fn set_timing(&mut self, on: bool) {
        self.times = on.then(Vec::new);
    }

    fn take_times(&mut self) -> Result<Vec<LaunchTime>> {
        Ok(self.times.as_mut().map(std::mem::take).unwrap_or_default())
    }
}
