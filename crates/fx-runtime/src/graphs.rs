//! CUDA graphs: what a call queues is kept back, and queued as one graph where the device has such a one already.
//!
//! Stretch   What a call queues between two points where it must wait (a scalar that is read, a function of the host, its
//!           end) is a stretch, kept as a [`Tape`]. It is queued at that point: as a graph if one of the same structure is
//!           there, else launch by launch.
//! Update    A graph's nodes whose parameters differ get new ones first: results and inputs lie elsewhere with each call,
//!           sizes may have changed. A graph that runs still is not affected.
//! Making    A graph takes the host about as long as its launches one by one do (4 microseconds a node). So [`Graphs::Auto`]
//!           makes one when a structure comes a second time, for [`WORTHWHILE`] launches or more.
//! Errors    Where a graph cannot be made, updated or launched, the stretch is queued launch by launch, and that structure
//!           is from then on. So what is wrong with a launch, or was wrong before, is found and reported as without graphs.
//! Memory    A tape's addresses may be those of blocks that were dropped: reused in order, as on a stream. Free blocks go back
//!           to the driver only after the tape was queued.

use crate::device::{Block, Device, DeviceKind, Extent, LaunchTime};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::Span;
use crate::plan::{Plan, Step};
use crate::tape::{Op, Tape};

/// Launches from which on a graph is faster than its launches one by one.
const WORTHWHILE: usize = 8;
/// Structures that are remembered, those used last.
const REMEMBERED: usize = 16;
/// Ops of a stretch at most; a longer one is cut.
const LONGEST: usize = 4096;

/// When calls use CUDA graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Graphs {
    /// For eight launches in a row or more, from the second time on.
    #[default]
    Auto,
    /// For everything, from the first time on: for tests.
    Always,
    /// Never.
    Never,
}

impl std::str::FromStr for Graphs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Graphs::Auto),
            "always" => Ok(Graphs::Always),
            "never" => Ok(Graphs::Never),
            _ => Err(format!("'{text}' (there is auto, always and never)")),
        }
    }
}

impl std::fmt::Display for Graphs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Graphs::Auto => "auto",
            Graphs::Always => "always",
            Graphs::Never => "never",
        })
    }
}

/// What became of the work of an executor's calls so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GraphUse {
    /// Graphs made.
    pub made: u64,
    /// Graphs launched.
    pub replays: u64,
    /// Launches in them.
    pub replayed: u64,
    /// Nodes that got new parameters.
    pub updates: u64,
    /// Launches one by one.
    pub single: u64,
    /// Structures without a graph since the driver refused one.
    pub refused: u64,
}

/// A graph of a device.
pub(crate) type GraphId = usize;

/// What a device with graphs has beside what every device has.
pub(crate) trait GraphDevice: Device {
    /// Makes a graph of a tape, to be launched.
    fn make_graph(&mut self, tape: &Tape) -> Result<GraphId>;
    /// Gives the node of op `index` the parameters that a tape of the same structure has there, for later launches.
    fn update_graph(&mut self, graph: GraphId, tape: &Tape, index: usize) -> Result<()>;
    /// Queues a graph.
    fn launch_graph(&mut self, graph: GraphId) -> Result<()>;
    /// Destroys a graph, once it does not run any more.
    fn drop_graph(&mut self, graph: GraphId);
    /// Gives free memory back to the driver. All work that uses it was queued.
    fn trim(&mut self);
}

/// A structure that was seen.
struct Seen {
    /// What its graph's nodes have as parameters.
    tape: Tape,
    graph: Option<GraphId>,
    /// Whether it is queued launch by launch for good.
    is_refused: bool,
}

/// A device that uses graphs; see the module.
pub(crate) struct Recorder<D> {
    device: D,
    /// Symbol and location of each kernel.
    kernels: Vec<(String, String)>,
    /// Whether the plan can have a stretch that [`Graphs::Auto`] makes a graph of.
    can_be_worthwhile: bool,
    graphs: Graphs,
    is_timing: bool,
    is_recording: bool,
    tape: Tape,
    /// The last used first.
    seen: Vec<Seen>,
    counts: GraphUse,
}

/// Launches of steps, loops once; none if there is a loop around one.
fn launches(steps: &[Step]) -> Option<usize> {
    let mut count = 0;
    for step in steps {
        count += match step {
            Step::Launch { .. } => 1,
            Step::If { then, otherwise, .. } => launches(then)?.max(launches(otherwise)?),
            Step::While { before, body, .. } => match (launches(before)?, launches(body)?) {
                (0, 0) => 0,
                _ => return None,
            },
            _ => 0,
        };
    }
    Some(count)
}

impl<D: GraphDevice> Recorder<D> {
    /// Of a device that has a plan's kernels.
    pub(crate) fn new(device: D, plan: &Plan) -> Self {
        Recorder {
            device,
            kernels: plan.kernels.iter().map(|kernel| (kernel.symbol.clone(), kernel.location.clone())).collect(),
            can_be_worthwhile: launches(&plan.steps).is_none_or(|count| count >= WORTHWHILE),
            graphs: Graphs::default(),
            is_timing: false,
            is_recording: false,
            tape: Tape::default(),
            seen: Vec::new(),
            counts: GraphUse::default(),
        }
    }

    /// Queues what was kept back.
    fn flush(&mut self) -> Result<()> {
        if self.tape.ops().is_empty() {
            return Ok(());
        }
        let tape = std::mem::take(&mut self.tape);
        let wanted = tape.launches() >= if self.graphs == Graphs::Always { 1 } else { WORTHWHILE };
        let queued = if wanted && self.replay(&tape) { Ok(()) } else { self.queue(&tape) };
        self.tape = tape; // for its memory
        self.tape.reset();
        queued
    }

    /// Queues a tape op by op.
    fn queue(&mut self, tape: &Tape) -> Result<()> {
        for op in tape.ops() {
            match op {
                Op::Launch { kernel, words, extent } => {
                    self.counts.single += 1;
                    self.device.launch(*kernel, tape.words(words), *extent).map_err(|source| self.launch_error(*kernel, source))?;
                }
                Op::Copy { dst, src } => self.device.copy(*dst, *src)?,
                Op::Clear { dst } => self.device.clear(*dst)?,
            }
        }
        Ok(())
    }

    fn launch_error(&self, kernel: u32, source: RuntimeError) -> RuntimeError {
        let (kernel, location) = self.kernels.get(kernel as usize).cloned().unwrap_or_default();
        RuntimeError::Launch { kernel, location, source: Box::new(source) }
    }

    /// Queues a tape as a graph. Gives whether that was done.
    fn replay(&mut self, tape: &Tape) -> bool {
        match self.seen.iter().position(|seen| tape.has_structure_of(&seen.tape)) {
            Some(position) => self.seen[..=position].rotate_right(1),
            None => {
                self.remember(tape);
                if self.graphs == Graphs::Auto {
                    return false; // it may not come again
                }
            }
        }
        let (device, counts) = (&mut self.device, &mut self.counts);
        let Some(seen) = self.seen.first_mut().filter(|seen| !seen.is_refused) else {
            return false;
        };
        if seen.up_to_date(device, tape, counts).is_some_and(|graph| device.launch_graph(graph).is_ok()) {
            counts.replays += 1;
            counts.replayed += tape.launches() as u64;
            return true;
        }
        // what is wrong shows when the work is queued op by op
        seen.is_refused = true;
        counts.refused += 1;
        if let Some(graph) = seen.graph.take() {
            device.drop_graph(graph);
        }
        false
    }

    fn remember(&mut self, tape: &Tape) {
        let mut copy = Tape::default();
        copy.assign(tape);
        self.seen.insert(0, Seen { tape: copy, graph: None, is_refused: false });
        self.forget(REMEMBERED);
    }

    /// Forgets structures but the last used ones.
    fn forget(&mut self, kept: usize) {
        let graphs = self.seen.drain(kept.min(self.seen.len())..).filter_map(|seen| seen.graph);
        for graph in graphs {
            self.device.drop_graph(graph);
        }
    }
}

impl Seen {
    /// The graph with a tape's parameters. None if the driver refuses it.
    fn up_to_date(&mut self, device: &mut impl GraphDevice, tape: &Tape, counts: &mut GraphUse) -> Option<GraphId> {
        if let Some(graph) = self.graph {
            let mut differing = 0;
            let done = tape.differences(&self.tape).try_for_each(|index| {
                differing += 1;
                device.update_graph(graph, tape, index)
            });
            counts.updates += differing;
            if done.is_ok() {
                if differing > 0 {
                    self.tape.assign(tape);
                }
                return self.graph;
            }
            // such as a copy between other kinds of memory: a new graph may do
            device.drop_graph(graph);
            self.graph = None;
        }
        self.graph = device.make_graph(tape).ok();
        counts.made += u64::from(self.graph.is_some());
        self.tape.assign(tape);
        self.graph
    }
}

impl<D: GraphDevice> Device for Recorder<D> {
    fn kind(&self) -> DeviceKind {
        self.device.kind()
    }

    fn is_host(&self) -> bool {
        self.device.is_host()
    }

    fn enter(&mut self) -> Result<()> {
        self.device.enter()
    }

    fn begin(&mut self) {
        self.tape.reset();
        self.is_recording = !self.is_timing
            && match self.graphs {
                Graphs::Auto => self.can_be_worthwhile,
                Graphs::Always => true,
                Graphs::Never => false,
            };
    }

    fn finish(&mut self) -> Result<()> {
        self.is_recording = false;
        self.flush()
    }

    fn abandon(&mut self) {
        self.is_recording = false;
        self.tape.reset();
    }

    fn allocate(&mut self, bytes: usize, what: &str) -> Result<Block> {
        match self.device.allocate(bytes, what) {
            Err(RuntimeError::OutOfMemory { .. }) => {
                self.flush()?; // it may use what is free
                self.device.trim();
                self.device.allocate(bytes, what)
            }
            other => other,
        }
    }

    fn upload(&mut self, dst: Span, src: &[u8]) -> Result<()> {
        self.flush()?;
        self.device.upload(dst, src)
    }

    fn download(&mut self, dst: &mut [u8], src: Span) -> Result<()> {
        self.flush()?;
        self.device.download(dst, src)
    }

    fn copy(&mut self, dst: Span, src: Span) -> Result<()> {
        if !self.is_recording {
            return self.device.copy(dst, src);
        }
        if dst.bytes() != src.bytes() {
            return Err(RuntimeError::Internal("a copy of another size".into()));
        }
        if dst.bytes() > 0 {
            self.tape.copy(dst, src);
        }
        self.cut()
    }

    fn clear(&mut self, dst: Span) -> Result<()> {
        if !self.is_recording {
            return self.device.clear(dst);
        }
        if dst.bytes() > 0 {
            self.tape.clear(dst);
        }
        self.cut()
    }

    #[inline]
    fn launch(&mut self, kernel: u32, words: &[u64], extent: Extent) -> Result<()> {
        if self.is_recording {
            self.tape.launch(kernel, words, extent);
            return self.cut();
        }
        self.counts.single += 1;
        self.device.launch(kernel, words, extent).map_err(|source| self.launch_error(kernel, source))
    }

    fn synchronize(&mut self) -> Result<()> {
        self.flush()?;
        self.device.synchronize()
    }

    fn set_stream(&mut self, stream: Option<u64>) -> Result<()> {
        self.flush()?;
        self.device.set_stream(stream)
    }

    fn set_timing(&mut self, on: bool) {
        self.is_timing = on;
        self.device.set_timing(on);
    }

    fn take_times(&mut self) -> Result<Vec<LaunchTime>> {
        self.flush()?;
        self.device.take_times()
    }

    fn set_graphs(&mut self, graphs: Graphs) {
        self.graphs = graphs;
        self.forget(0); // what was refused may be tried again
    }

    fn graph_use(&self) -> GraphUse {
        self.counts
    }

    fn release(&mut self) {
        self.forget(0);
        if self.flush().is_ok() {
            self.device.trim();
        }
    }
}

impl<D: GraphDevice> Recorder<D> {
    /// Queues a stretch that has become too long.
    #[inline]
    fn cut(&mut self) -> Result<()> {
        if self.tape.ops().len() < LONGEST { Ok(()) } else { self.flush() }
    }
}

impl crate::exec::Executor {
    /// Sets when calls use CUDA graphs ([`Graphs::Auto`] at first). On the CPU there are none.
    pub fn set_graphs(&mut self, graphs: Graphs) {
        self.device.set_graphs(graphs);
    }

    /// What became of the launches of all calls so far.
    pub fn graph_use(&self) -> GraphUse {
        self.device.graph_use()
    }
}

#[cfg(test)]
mod tests;
