//! Values that go to runs of elements.

use super::reduce::{Pairs, Rules, reduce};
use crate::typed::{Arguments, Values, copied, finished, integers, with_cell};
use fx_runtime::OpCall;

/// Starts of runs, as (position in the input, position in the values).
struct Runs {
    starts: Vec<(usize, usize)>,
    run: usize,
}

impl Pairs for Runs {
    fn for_each(&self, mut visit: impl FnMut(usize, usize)) {
        for (at, of) in &self.starts {
            (0..self.run).for_each(|i| visit(at + i, of + i));
        }
    }
}

/// `scatter_runs(x, values, positions) {reduce} -> y`: writes, or reduces ("sum", "prod", "amax", "amin"), runs of the values
/// to the runs of `x` whose numbers the positions are; negative ones are left out. Positions have the first dims of the
/// values, a run is the rest of these. Later values come later, as on no GPU.
pub(super) fn scatter_runs(call: &OpCall<'_>) -> Values {
    let (input, values, positions) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let lead = positions.dims();
    if values.dims().get(..lead.len()) != Some(lead) {
        return Err(format!("has values of shape {:?} for positions of shape {lead:?}", values.dims()));
    }
    let run: usize = values.dims()[lead.len()..].iter().product();
    let count = input.len().checked_div(run).unwrap_or(0);
    let mut starts = Vec::new();
    for (i, at) in integers(positions)?.iter().enumerate() {
        if let Ok(at) = usize::try_from(*at) {
            if run > 0 && at >= count {
                return Err(format!("has a position {at} for {count} runs"));
            }
            starts.push((at * run, i * run));
        }
    }
    let runs = Runs { starts, run };
    let name = call.word("reduce");
    if !name.is_empty() {
        let rules = Rules { include_self: true, round_each: true };
        return Ok(vec![reduce(name, input, values, &runs, rules)?]);
    }
    let mut buffer = copied(input)?;
    with_cell!(input.dtype(), N => {
        let (from, _) = values.bytes().as_chunks::<N>();
        let (to, _) = buffer.as_mut_slice().as_chunks_mut::<N>();
        runs.for_each(|at, of| to[at] = from[of]);
    });
    Ok(vec![finished(input.dtype(), input.dims(), buffer)?])
}
