//! Maximum flow and minimum cut of a network with integer capacities: Dinic's algorithm.
//!
//! Edges are tried in the order in which they were added, so the cut is the same in each run. Of all minimum cuts it is the
//! one nearest to the sink: what can be on the side of the source is.

use std::collections::VecDeque;

/// A capacity that no cut may contain. Sums of capacities below it must stay below it.
pub const UNBOUNDED: u64 = 1 << 60;

#[derive(Clone, Copy)]
struct Edge {
    to: usize,
    rest: u64,
}

/// A network. Edge `2 k` was added by a call, edge `2 k + 1` is its reverse.
pub struct Network {
    edges: Vec<Edge>,
    leaving: Vec<Vec<usize>>,
    capacities: Vec<u64>,
}

/// A minimum cut.
#[derive(Debug, PartialEq, Eq)]
pub struct Cut {
    /// The flow, which is the sum of capacities over the cut; at least [`UNBOUNDED`] if an unbounded path joins source and
    /// sink.
    pub value: u64,
    /// Per node, whether it is on the sink's side.
    pub after: Vec<bool>,
}

impl Network {
    /// A network of so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { edges: Vec::new(), leaving: vec![Vec::new(); nodes], capacities: Vec::new() }
    }

    /// Adds a node; gives its number.
    pub fn add_node(&mut self) -> usize {
        self.leaving.push(Vec::new());
        self.leaving.len() - 1
    }

    /// Adds an edge. One without capacity changes nothing.
    pub fn add_edge(&mut self, from: usize, to: usize, capacity: u64) {
        let capacity = capacity.min(UNBOUNDED);
        if capacity == 0 || from == to {
            return;
        }
        self.leaving[from].push(self.edges.len());
        self.edges.push(Edge { to, rest: capacity });
        self.leaving[to].push(self.edges.len());
        self.edges.push(Edge { to: from, rest: 0 });
        self.capacities.push(capacity);
    }

    /// Finds a minimum cut. The network keeps the flow: call it once.
    pub fn cut(&mut self, source: usize, sink: usize) -> Cut {
        let mut value = 0_u64;
        while value < UNBOUNDED {
            let levels = self.levels(source);
            if levels[sink] == usize::MAX {
                break;
            }
            value = value.saturating_add(self.blocking_flow(source, sink, &levels));
        }
        Cut { value, after: self.reaches(sink) }
    }

    /// The sum of capacities of edges from the source's side to the sink's.
    pub fn capacity(&self, after: &[bool]) -> u64 {
        let crosses = |(number, capacity): (usize, &u64)| {
            let (to, from) = (self.edges[2 * number].to, self.edges[2 * number + 1].to);
            if !after[from] && after[to] { *capacity } else { 0 }
        };
        self.capacities.iter().enumerate().map(crosses).fold(0, u64::saturating_add)
    }

    /// Distance from the source along edges with capacity left.
    fn levels(&self, source: usize) -> Vec<usize> {
        let mut levels = vec![usize::MAX; self.leaving.len()];
        levels[source] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for edge in self.leaving[node].iter().map(|edge| self.edges[*edge]) {
                if edge.rest > 0 && levels[edge.to] == usize::MAX {
                    levels[edge.to] = levels[node] + 1;
                    queue.push_back(edge.to);
                }
            }
        }
        levels
    }

    /// Pushes flow along shortest paths until each has a full edge. The path is a stack: graphs may be deep.
    fn blocking_flow(&mut self, source: usize, sink: usize, levels: &[usize]) -> u64 {
        let mut next = vec![0; self.leaving.len()];
        let (mut total, mut path, mut node) = (0_u64, Vec::new(), source);
        loop {
            if node == sink {
                let amount = path.iter().map(|edge: &usize| self.edges[*edge].rest).min().unwrap_or(0);
                let mut full = path.len();
                for (place, edge) in path.iter().enumerate().rev() {
                    self.edges[*edge].rest -= amount;
                    self.edges[*edge ^ 1].rest += amount;
                    if self.edges[*edge].rest == 0 {
                        full = place;
                    }
                }
                total = total.saturating_add(amount);
                if total >= UNBOUNDED {
                    return total;
                }
                // on from where the first full edge starts
                node = path.get(full).map_or(source, |edge| self.edges[*edge ^ 1].to);
                path.truncate(full);
                continue;
            }
            match self.leaving[node].get(next[node]).copied() {
                Some(edge) if self.edges[edge].rest > 0 && levels[self.edges[edge].to] == levels[node] + 1 => {
                    path.push(edge);
                    node = self.edges[edge].to;
                }
                Some(_) => next[node] += 1,
                None => match path.pop() {
                    Some(edge) => {
                        node = self.edges[edge ^ 1].to;
                        next[node] += 1;
                    }
                    None => return total,
                },
            }
        }
    }

    /// The nodes from which the sink can still be reached.
    fn reaches(&self, sink: usize) -> Vec<bool> {
        let mut reaches = vec![false; self.leaving.len()];
        reaches[sink] = true;
        let mut stack = vec![sink];
        while let Some(node) = stack.pop() {
            for edge in &self.leaving[node] {
                let from = self.edges[*edge].to;
                if self.edges[*edge ^ 1].rest > 0 && !reaches[from] {
                    reaches[from] = true;
                    stack.push(from);
                }
            }
        }
        reaches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(nodes: usize, edges: &[(usize, usize, u64)]) -> Network {
        let mut network = Network::new(nodes);
        edges.iter().for_each(|(from, to, capacity)| network.add_edge(*from, *to, *capacity));
        network
    }

    /// The smallest cut of all.
    fn smallest(nodes: usize, edges: &[(usize, usize, u64)]) -> u64 {
        let cuts = (0..1_usize << (nodes - 2)).map(|chosen| {
            let after = |node: usize| node == nodes - 1 || (node > 0 && chosen >> (node - 1) & 1 == 1);
            edges.iter().filter(|(from, to, _)| !after(*from) && after(*to)).map(|(.., capacity)| capacity).sum()
        });
        cuts.min().unwrap_or(0)
    }

    #[test]
    fn parallel_paths_add_up() {
        let edges = [(0, 1, 3), (1, 3, 2), (0, 2, 1), (2, 3, 5)];
        let cut = network(4, &edges).cut(0, 3);
        assert_eq!(cut, Cut { value: 3, after: vec![false, false, true, true] });
    }

    #[test]
    fn flow_takes_back_what_went_wrong() {
        // The path 0 1 2 3 would block both others.
        let edges = [(0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, 1), (2, 3, 1)];
        assert_eq!(network(4, &edges).cut(0, 3).value, 2);
    }

    #[test]
    fn of_equal_cuts_the_one_next_to_the_sink_is_found() {
        let cut = network(4, &[(0, 1, 2), (1, 2, 2), (2, 3, 2)]).cut(0, 3);
        assert_eq!(cut.after, [false, false, false, true]);
    }

    #[test]
    fn an_unbounded_path_is_seen() {
        let cut = network(3, &[(0, 1, UNBOUNDED), (1, 2, UNBOUNDED), (0, 2, 7)]).cut(0, 2);
        assert!(cut.value >= UNBOUNDED);
    }

    #[test]
    fn nothing_flows_between_parts() {
        assert_eq!(network(4, &[(0, 1, 4), (2, 3, 4)]).cut(0, 3).value, 0);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<_> = (0..100_000).map(|node| (node, node + 1, 1 + (node as u64 * 7919) % 13)).collect();
        assert_eq!(network(100_001, &edges).cut(0, 100_000).value, 1);
    }

    #[test]
    fn random_networks_agree_with_all_cuts() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let nodes = 3 + random(6) as usize;
            let edges: Vec<_> =
                (0..random(24)).map(|_| (random(nodes as u64) as usize, random(nodes as u64) as usize, random(20))).collect();
            let mut network = network(nodes, &edges);
            let cut = network.cut(0, nodes - 1);
            assert_eq!(cut.value, smallest(nodes, &edges), "{edges:?}");
            assert_eq!(cut.value, network.capacity(&cut.after), "{edges:?}");
        }
    }
}
