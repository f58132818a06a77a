//! A device without hardware: memory is numbers by address, kernels are arithmetic on them, graphs are copies of tapes.

use crate::device::{Block, Device, DeviceKind, Extent, LaunchTime};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::{HostBuffer, Span};
use crate::graphs::{GraphDevice, GraphId};
use crate::tape::{Op, Tape};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

/// What the tests see of a [`Fake`].
#[derive(Default)]
pub(super) struct World {
    /// 64 bits at each address that was written.
    pub(super) memory: BTreeMap<u64, i64>,
    /// What was asked of the device, by its method's name.
    pub(super) log: Vec<&'static str>,
    /// Methods that fail.
    pub(super) failing: BTreeSet<&'static str>,
    /// Allocations that still work before a `trim` is needed.
    pub(super) room: Option<usize>,
    /// Graphs that were not dropped.
    pub(super) live: usize,
    is_timing: bool,
}

impl World {
    /// How often a method was called.
    pub(super) fn count(&self, method: &str) -> usize {
        self.log.iter().filter(|logged| **logged == method).count()
    }
}

/// A device for tests.
#[derive(Default)]
pub(super) struct Fake {
    world: Arc<Mutex<World>>,
    graphs: Vec<Option<Tape>>,
}

impl Fake {
    /// A further handle on the same world.
    pub(super) fn handle(&self) -> Fake {
        Fake { world: Arc::clone(&self.world), graphs: Vec::new() }
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    fn step(&self, method: &'static str) -> Result<MutexGuard<'_, World>> {
        let mut world = self.world();
        world.log.push(method);
        if world.failing.contains(method) {
            return Err(RuntimeError::Driver { operation: method.into(), name: "FAKE".into(), text: "as asked for".into() });
        }
        Ok(world)
    }
}

fn cell(world: &World, address: u64) -> i64 {
    world.memory.get(&address).copied().unwrap_or(0)
}

/// Does an op. Kernel 0 is `y = 3 x + n` of the words `x, y, n`; kernel 1 has a record before them, which it sets for `x = 12`.
fn perform(world: &mut World, op: &Op, words: &[u64]) {
    match (op, words) {
        (Op::Copy { dst, src }, _) => {
            let value = cell(world, src.address());
            world.memory.insert(dst.address(), value);
        }
        (Op::Clear { dst }, _) => {
            let range = dst.address()..dst.address() + dst.bytes() as u64;
            world.memory.retain(|address, _| !range.contains(address));
        }
        (Op::Launch { .. }, [rest @ .., x, y, n]) => {
            let value = cell(world, *x);
            if let ([record], 12) = (rest, value) {
                world.memory.insert(*record, 1);
                world.memory.insert(*record + 8, value);
            }
            world.memory.insert(*y, value.wrapping_mul(3).wrapping_add(*n as i64));
        }
        (Op::Launch { .. }, _) => panic!("a kernel of {words:?}"),
    }
}

impl Device for Fake {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cuda(0)
    }

    fn is_host(&self) -> bool {
        false
    }

    fn enter(&mut self) -> Result<()> {
        Ok(())
    }

    fn allocate(&mut self, bytes: usize, what: &str) -> Result<Block> {
        let mut world = self.step("allocate")?;
        if let Some(room) = &mut world.room {
            let full = || RuntimeError::OutOfMemory { device: "fake".into(), bytes, what: what.into() };
            *room = room.checked_sub(1).ok_or_else(full)?;
        }
        Ok(Block::Host(HostBuffer::zeroed(bytes.max(1))?))
    }

    fn upload(&mut self, dst: Span, src: &[u8]) -> Result<()> {
        let mut world = self.step("upload")?;
        for (index, word) in src.as_chunks::<8>().0.iter().enumerate() {
            world.memory.insert(dst.address() + 8 * index as u64, i64::from_le_bytes(*word));
        }
        Ok(())
    }

    fn download(&mut self, dst: &mut [u8], src: Span) -> Result<()> {
        let world = self.step("download")?;
        for (index, word) in dst.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            *word = cell(&world, src.address() + 8 * index as u64).to_le_bytes();
        }
        Ok(())
    }

    fn copy(&mut self, dst: Span, src: Span) -> Result<()> {
        perform(&mut *self.step("copy")?, &Op::Copy { dst, src }, &[]);
        Ok(())
    }

    fn clear(&mut self, dst: Span) -> Result<()> {
        perform(&mut *self.step("clear")?, &Op::Clear { dst }, &[]);
        Ok(())
    }

    fn launch(&mut self, kernel: u32, words: &[u64], extent: Extent) -> Result<()> {
        perform(&mut *self.step("launch")?, &Op::Launch { kernel, words: 0..words.len(), extent }, words);
        Ok(())
    }

    fn synchronize(&mut self) -> Result<()> {
        self.step("synchronize").map(drop)
    }

    fn set_stream(&mut self, _: Option<u64>) -> Result<()> {
        self.step("set_stream").map(drop)
    }

    fn set_timing(&mut self, on: bool) {
        self.world().is_timing = on;
    }

    fn take_times(&mut self) -> Result<Vec<LaunchTime>> {
        Ok(Vec::new())
    }
}

impl GraphDevice for Fake {
    fn make_graph(&mut self, tape: &Tape) -> Result<GraphId> {
        self.step("make_graph")?.live += 1;
        let mut copy = Tape::default();
        copy.assign(tape);
        self.graphs.push(Some(copy));
        Ok(self.graphs.len() - 1)
    }

    fn update_graph(&mut self, graph: GraphId, tape: &Tape, index: usize) -> Result<()> {
        drop(self.step("update_graph")?);
        let own = self.graphs[graph].as_mut().unwrap();
        assert!(tape.has_structure_of(own));
        own.replace(tape, index);
        Ok(())
    }

    fn launch_graph(&mut self, graph: GraphId) -> Result<()> {
        let mut world = self.step("launch_graph")?;
        assert!(!world.is_timing, "a graph while launches are timed");
        let tape = self.graphs[graph].as_ref().unwrap();
        for op in tape.ops() {
            let words = if let Op::Launch { words, .. } = op { tape.words(words) } else { &[] };
            perform(&mut world, op, words);
        }
        Ok(())
    }

    fn drop_graph(&mut self, graph: GraphId) {
        assert!(self.graphs[graph].take().is_some(), "dropped once");
        self.world().live -= 1;
    }

    fn trim(&mut self) {
        let mut world = self.world();
        world.log.push("trim");
        world.room = world.room.map(|room| room + 1);
    }
}
