//! A partition for a given peak of memory.
//!
//! Prices of saved bytes from low to high give partitions that save less and compute more, products too in the end. Of
//! those whose peak fits, the one that computes least is taken; so a smaller budget never has a higher peak.

use fx_ir::{Result, emit_remark};

use super::classify::Classes;
use super::graph::Graph;
use super::min_cut::{Partition, Prices, cheapest};

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

/// What a budget chooses between, by the operations done twice: the first does least.
///
/// # Errors
/// As [`cheapest`].
pub fn candidates(graph: &Graph<'_>, classes: &Classes) -> Result<Vec<Partition>> {
    let mut partitions = vec![cheapest(graph, classes, &Prices::DEFAULT)?];
    for step in STEPS {
        let prices = Prices { byte: u64::from(2 + step % 2) << (step / 2), element: Some(1 << ELEMENT), products: true };
        let next = cheapest(graph, classes, &prices)?;
        if partitions.iter().all(|partition| partition.saved != next.saved) {
            partitions.push(next);
        }
    }
    partitions.sort_by_key(|partition| partition.work_again(graph));
    Ok(partitions)
}

/// The first candidate whose peak fits a budget, or the one of the least peak with a remark.
pub fn choose(peaks: &[u64], budget: Budget, graph: &Graph<'_>) -> usize {
    let least = peaks.iter().copied().min().unwrap_or(0);
    let most = peaks.first().copied().unwrap_or(least);
    let limit = match budget {
        Budget::Fraction(fraction) => least + (fraction * (most - least) as f64) as u64,
        Budget::Bytes(bytes) => bytes,
    };
    if limit < least {
        emit_remark(graph.function.location(), &format!("a peak of {limit} bytes cannot be reached, the least is {least}"), &[]);
    }
    peaks.iter().position(|peak| *peak <= limit.max(least)).unwrap_or(0)
}
