//! A joint function partitioned: the choice is made, measured, and built.

use std::collections::HashMap;

use fx_ir::{Op, Result, emit_remark};

use super::budget::{Budget, candidates, choose};
use super::classify::Classes;
use super::graph::Graph;
use super::loosen::{cut_loose, use_masks};
use super::min_cut::{Prices, cheapest};
use super::peak::estimated;
use super::report::Report;
use super::sizes::Sizes;
use super::split::{Names, Splitter, backward_order};
use crate::interface::Interface;

/// How to partition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strategy {
    /// Nothing is computed twice, except views and sizes.
    Default,
    /// As few bytes as possible are saved, without computing products twice.
    MinCut,
    /// As little as possible is computed twice at a given peak.
    Budget(Budget),
}

/// Sizes of symbols by name, to estimate with.
pub type GivenSizes = HashMap<String, u64>;

/// What is measured: both functions of a partition.
pub struct Measured {
    /// Text of the forward function.
    pub forward: String,
    /// Text of the backward function.
    pub backward: String,
    /// How many of the forward function's results, the last ones, are saved: the backward function's `saved.N`.
    pub saved: usize,
}

/// Says how much memory functions take: it knows how they are lowered, this crate does not.
pub trait Meter {
    /// Peaks in bytes: the forward function with its results, or what is saved and the backward function with its results.
    /// Arguments do not count. `sizes` are those of symbols.
    ///
    /// # Errors
    /// Why it cannot tell.
    fn peaks(&self, partitions: &[Measured], sizes: &HashMap<String, i64>) -> std::result::Result<Vec<u64>, String>;
}

/// Builds both functions before the joint one.
///
/// # Errors
/// As the pass says.
pub fn partition(function: Op<'_>, strategy: Strategy, sizes: &GivenSizes, names: &Names<'_>, meter: &dyn Meter) -> Result<Report> {
    let interface = Interface::read(function)?;
    use_masks(&interface)?;
    cut_loose(&interface)?;
    let ops: Vec<_> = interface.body.ops().into_iter().filter(|op| *op != interface.end).collect();
    let mut sizes = Sizes::new(&interface, sizes);
    let mut graph = Graph::new(function, &interface.body.arguments(), &ops, &mut sizes);
    let classes = Classes::new(&interface, &graph)?;
    graph.follow_tags(&classes.forward);
    let candidates = match strategy {
        Strategy::Default => vec![cheapest(&graph, &classes, &Prices::DEFAULT)?],
        Strategy::MinCut => vec![cheapest(&graph, &classes, &Prices::MIN_CUT)?],
        Strategy::Budget(_) => candidates(&graph, &classes)?,
    };
    let splitter = |partition| Splitter { interface: &interface, graph: &graph, classes: &classes, partition };
    let mut measured = Vec::with_capacity(candidates.len());
    for partition in &candidates {
        let halves = splitter(partition).run(names)?;
        let [forward, backward] = halves.map(|half| half.to_string());
        measured.push(Measured { forward, backward, saved: partition.saved.len() });
        halves.into_iter().for_each(Op::erase);
    }
    let peaks = match meter.peaks(&measured, sizes.symbols()) {
        Ok(peaks) => peaks,
        Err(why) => {
            emit_remark(function.location(), &format!("peaks are estimated, since the program cannot be lowered: {why}"), &[]);
            let end = interface.end.operands();
            let of = |results: &[usize]| results.iter().filter_map(|index| graph.id(end[*index])).collect::<Vec<_>>();
            let (outputs, gradients) = (of(&classes.outputs), of(&classes.gradients));
            let order = |partition| backward_order(&graph, &classes, partition, &gradients);
            candidates.iter().map(|partition| estimated(&graph, partition, &order(partition), &outputs, &gradients)).collect()
        }
    };
    let chosen = match strategy {
        Strategy::Budget(budget) => choose(&peaks, budget, &graph),
        Strategy::Default | Strategy::MinCut => 0,
    };
    splitter(&candidates[chosen]).run(names)?;
    Ok(Report::new(&graph, &candidates[chosen], peaks[chosen]))
}
