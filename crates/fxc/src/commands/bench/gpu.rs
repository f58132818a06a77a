//! What a call does on a GPU: launches, graphs, bytes against the speed of a copy.

use crate::error::Result;
use fx_runtime::traffic::Traffic;
use fx_runtime::{DeviceKind, Executor, GraphUse, Graphs, RuntimeError, Value};
use serde::Serialize;

/// Bytes that are copied to know the speed: far more than a second-level cache has.
const COPIED: usize = 1 << 30;
const COPIES: u32 = 10;

/// What was measured on a GPU.
#[derive(Debug, Serialize)]
pub struct Gpu {
    /// Kernels launched in a call.
    pub launches: u64,
    /// Bytes that the kernels of a call take and give, each tensor once a kernel, copies included.
    pub moved_bytes: u64,
    /// Bytes of the call's arguments and results, each once.
    pub least_bytes: u64,
    /// Bytes that a copy reads and writes in a microsecond, measured in this run; none without memory for it.
    pub copy_speed: Option<f64>,
    /// Of the copy's speed: the least bytes in the time of a call.
    pub least_of_copy: Option<f64>,
    /// Of the copy's speed: the moved bytes in the time of a call.
    pub moved_of_copy: Option<f64>,
    /// When graphs were wanted.
    pub graphs: String,
    /// Graphs launched in a call.
    pub graph_launches: f64,
    /// Nodes of graphs that a call gave new parameters.
    pub graph_updates: f64,
    /// Structures that the driver refused as graphs.
    pub graphs_refused: u64,
    /// Time of a call for each of its kernels, where all of them were in graphs.
    pub replay_per_kernel: Option<f64>,
}

/// What is known before calls are measured.
pub struct Start {
    copy_speed: Option<f64>,
    traffic: Traffic,
    graphs: GraphUse,
}

/// Measures what is needed beside calls; none on a CPU. Calls the program once.
pub fn start(executor: &mut Executor, values: &[Value]) -> Result<Option<Start>> {
    if executor.device() == DeviceKind::Cpu {
        return Ok(None);
    }
    let copy_speed = match executor.copy_speed(COPIED, COPIES) {
        Ok(speed) => Some(speed / 1e6),
        Err(RuntimeError::OutOfMemory { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Some(Start { copy_speed, traffic: executor.traffic(values)?, graphs: GraphUse::default() }))
}

impl Start {
    /// Calls that are measured begin now.
    pub fn calls_begin(&mut self, executor: &Executor) {
        self.graphs = executor.graph_use();
    }

    /// The report. `time` is that of a call by which speeds are judged, `call` that with all it waits for, in microseconds;
    /// `graphs` is what became of the launches by the end of so many calls.
    pub fn finish(&self, wanted: Graphs, graphs: GraphUse, calls: usize, time: f64, call: f64) -> Gpu {
        let of_copy = |bytes: u64| self.copy_speed.map(|speed| bytes as f64 / time / speed);
        let a_call = |before: u64, after: u64| (after - before) as f64 / calls as f64;
        let all_replayed = graphs.replayed > self.graphs.replayed && graphs.single == self.graphs.single;
        Gpu {
            launches: self.traffic.launches,
            moved_bytes: self.traffic.moved,
            least_bytes: self.traffic.least,
            copy_speed: self.copy_speed,
            least_of_copy: of_copy(self.traffic.least),
            moved_of_copy: of_copy(self.traffic.moved),
            graphs: wanted.to_string(),
            graph_launches: a_call(self.graphs.replays, graphs.replays),
            graph_updates: a_call(self.graphs.updates, graphs.updates),
            graphs_refused: graphs.refused,
            replay_per_kernel: all_replayed.then(|| call / self.traffic.launches as f64),
        }
    }
}

impl Gpu {
    /// Names and values for the table.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let part = |part: Option<f64>| part.map_or_else(|| "unknown".into(), |part| format!("{part:.3}"));
        let mut rows = vec![
            ("launches of a call", self.launches.to_string()),
            ("bytes moved", self.moved_bytes.to_string()),
            ("least bytes", self.least_bytes.to_string()),
            ("moved, of the least", format!("{:.2}", self.moved_bytes as f64 / self.least_bytes.max(1) as f64)),
            ("speed of a copy", self.copy_speed.map_or_else(|| "unknown".into(), |speed| format!("{:.2} TB/s", speed / 1e6))),
            ("least, of a copy's speed", part(self.least_of_copy)),
            ("moved, of a copy's speed", part(self.moved_of_copy)),
            ("graphs a call", format!("{:.2}", self.graph_launches)),
            ("nodes updated a call", format!("{:.2}", self.graph_updates)),
        ];
        if self.graphs_refused > 0 {
            rows.push(("graphs refused", self.graphs_refused.to_string()));
        }
        if let Some(time) = self.replay_per_kernel {
            rows.push(("replay, for each kernel", super::table::time(time)));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_graphs() {
        let traffic = Traffic { launches: 100, moved: 3000, least: 1500 };
        let before = GraphUse { replays: 2, replayed: 200, single: 100, ..GraphUse::default() };
        let start = Start { copy_speed: Some(10.0), traffic, graphs: before };
        let after = GraphUse { replays: 12, replayed: 1200, updates: 20, ..before };
        let gpu = start.finish(Graphs::Auto, after, 10, 200.0, 300.0);
        assert_eq!((gpu.least_of_copy, gpu.moved_of_copy), (Some(0.75), Some(1.5)));
        assert_eq!((gpu.graph_launches, gpu.graph_updates, gpu.replay_per_kernel), (1.0, 2.0, Some(3.0)));
        assert!(gpu.rows().contains(&("moved, of the least", "2.00".into())));
        let some_single = start.finish(Graphs::Auto, GraphUse { single: 101, ..after }, 10, 200.0, 300.0);
        assert_eq!(some_single.replay_per_kernel, None);
    }
}
