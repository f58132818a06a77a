//! Bytes that a call moves, against the fewest that any program for the same would, and the speed of a copy to compare with.

use crate::device::Block;
use crate::error::Result;
use crate::exec::{Executor, Place};
use crate::frame::Frame;
use crate::placement::{base, each_buffer};
use crate::plan::{BufferId, KernelArg, OutputValue, Storage};
use crate::program::Program;
use crate::value::Value;
use std::collections::BTreeSet;
use std::time::Instant;

/// What a call launches and moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Kernels launched.
    pub launches: u64,
    /// Bytes of all tensors that kernels take, once for each kernel, and twice those of copies. A kernel that reads a part of
    /// a tensor counts with all of it.
    pub moved: u64,
    /// Bytes of the arguments, constants and kept tensors that the steps of a call name, and of the results, each once.
    pub least: u64,
}

impl Traffic {
    /// Counts a launch.
    pub(crate) fn launch(&mut self, args: &[KernelArg], bytes: impl Fn(BufferId) -> usize) {
        let buffers = args.iter().filter_map(|arg| match arg {
            KernelArg::Buffer(buffer) => Some(*buffer),
            KernelArg::Scalar(_) => None,
        });
        let buffers: BTreeSet<BufferId> = buffers.collect();
        self.launches += 1;
        self.moved += buffers.into_iter().map(|buffer| bytes(buffer) as u64).sum::<u64>();
    }

    /// Counts a copy.
    pub(crate) fn copy(&mut self, bytes: usize) {
        self.moved += 2 * bytes as u64;
    }
}

/// [`Traffic::least`] of the call that a frame holds.
fn least(program: &Program, frame: &Frame) -> u64 {
    let (plan, mut named) = (&program.plan, BTreeSet::new());
    for step in &plan.steps {
        each_buffer(step, &mut |buffer| {
            named.insert(base(plan, buffer));
        });
    }
    let results = plan.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Tensor(buffer) => Some(buffer),
        _ => None,
    });
    let results: Vec<BufferId> = results.collect();
    named.extend(results.iter().map(|buffer| base(plan, *buffer)));
    named.retain(|buffer| plan.buffers[*buffer as usize].storage != Storage::Planned);
    named.iter().chain(&results).map(|buffer| frame.spans[*buffer as usize].bytes() as u64).sum()
}

impl Executor {
    /// Calls the program once and counts what it moves. Fails as [`Executor::call_on_device`].
    pub fn traffic(&mut self, inputs: &[Value]) -> Result<Traffic> {
        self.frame.traffic = Some(Traffic::default());
        let called = self.run(inputs, Place::Device);
        let traffic = self.frame.traffic.take().unwrap_or_default();
        called?;
        Ok(Traffic { least: least(&self.program, &self.frame), ..traffic })
    }

    /// Speed of a copy of `bytes` bytes on the device, made `times` times: bytes read and written in a second. Fails without
    /// memory for twice as many.
    pub fn copy_speed(&mut self, bytes: usize, times: u32) -> Result<f64> {
        self.device.enter()?;
        let blocks = (self.device.allocate(bytes, "the source of a copy")?, self.device.allocate(bytes, "a copy")?);
        let speed = self.time_copies(&blocks, times);
        drop(blocks);
        self.device.release(); // so much memory is not wanted again
        speed
    }

    fn time_copies(&mut self, (source, target): &(Block, Block), times: u32) -> Result<f64> {
        self.device.clear(source.span())?;
        self.device.copy(target.span(), source.span())?;
        self.device.synchronize()?;
        let started = Instant::now();
        for _ in 0..times {
            self.device.copy(target.span(), source.span())?;
        }
        self.device.synchronize()?;
        Ok(2.0 * source.len() as f64 * f64::from(times) / started.elapsed().as_secs_f64())
    }
}
