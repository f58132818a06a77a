//! A partition for a given peak of memory.
//!
//! Prices of saved bytes from low to high give partitions that save less and compute more, products too in the end. Of
//! those whose predicted peak fits, the one that computes least is taken; so a smaller budget never has a higher peak.

use fx_ir::{Result, emit_remark};

use super::classify::Classes;
use super::graph::{Graph, OpId, ValueId};
use super::min_cut::{Partition, Prices, cheapest};
use super::peak::predicted;

/// How much memory there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Between the least peak that can be reached (0) and that of saving everything (1).
    Fraction(f64),
    /// This peak.
    Bytes(u64),
}

impl std::str::FromStr for Budget {
    type Err = ();

    /// `0.5` is a fraction, `1048576` are bytes; `0` and `1` are fractions.
    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        match text.parse::<f64>() {
            Ok(fraction) if (0.0..=1.0).contains(&fraction) => Ok(Budget::Fraction(fraction)),
            _ => text.parse().map(Budget::Bytes).map_err(|_| ()),
        }
    }
}

/// Prices of a byte that are tried, two per power of two, where an element computed again costs `2^ELEMENT`.
const STEPS: std::ops::RangeInclusive<u32> = 0..=56;
const ELEMENT: u32 = 10;

/// What a budget chooses between.
struct Candidate {
    partition: Partition,
    /// Predicted.
    peak: u64,
    /// Operations done twice.
    work: u64,
}

/// The order in which the backward function of a partition computes.
pub type Order<'a> = &'a dyn Fn(&Partition) -> Vec<OpId>;

/// The partition that fits a budget, or the one of the least peak with a remark.
///
/// # Errors
/// As [`cheapest`].
pub fn within(
    graph: &Graph<'_>,
    classes: &Classes,
    budget: Budget,
    order: Order<'_>,
    outputs: &[ValueId],
    gradients: &[ValueId],
) -> Result<Partition> {
    let mut partitions = vec![cheapest(graph, classes, &Prices::DEFAULT)?];
    for step in STEPS {
        let prices = Prices { byte: u64::from(2 + step % 2) << (step / 2), element: Some(1 << ELEMENT), products: true };
        let next = cheapest(graph, classes, &prices)?;
        if partitions.iter().all(|partition| partition.saved != next.saved) {
            partitions.push(next);
        }
    }
    let rate = |partition: Partition| {
        let peak = predicted(graph, &partition, &order(&partition), outputs, gradients);
        let work = partition.work_again(graph);
        Candidate { partition, peak, work }
    };
    let mut candidates: Vec<_> = partitions.into_iter().map(rate).collect();
    candidates.sort_by_key(|candidate| candidate.work);
    choose(candidates, budget, graph)
}

fn choose(mut candidates: Vec<Candidate>, budget: Budget, graph: &Graph<'_>) -> Result<Partition> {
    let least = candidates.iter().map(|candidate| candidate.peak).min().unwrap_or(0);
    let most = candidates.first().map_or(least, |candidate| candidate.peak);
    let limit = match budget {
        Budget::Fraction(fraction) => least + (fraction * (most - least) as f64) as u64,
        Budget::Bytes(bytes) => bytes,
    };
    if limit < least {
        emit_remark(graph.function.location(), &format!("a peak of {limit} bytes cannot be reached, the least is {least}"));
    }
    let place = candidates.iter().position(|candidate| candidate.peak <= limit.max(least)).unwrap_or(0);
    Ok(candidates.swap_remove(place).partition)
}
