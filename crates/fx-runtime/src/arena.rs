//! The memory plan: offsets in one arena for buffers with known sizes and lifetimes.
//!
//! Needs     For each buffer its size in bytes and the first and last step that use it.
//! Gives     Offsets such that buffers that live at the same time do not overlap.
//! How       Greedy by size: the largest buffer first, each into the smallest gap that holds it between the placed buffers
//!           that live at the same time, else above them. Deterministic.
//!
//! ```text
//! step   0 1 2 3        a (100 bytes) lives 0..=1, b (60) lives 1..=2, c (90) lives 2..=3
//! a      x x            a at 0, c at 0 (a is dead), b at 128
//! b        x x
//! c          x x
//! ```

use crate::error::{Result, RuntimeError};

/// A buffer to be placed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// Size in bytes.
    pub(crate) bytes: usize,
    /// First step that uses it.
    pub(crate) first: usize,
    /// Last step that uses it, not before `first`.
    pub(crate) last: usize,
}

/// Where the buffers lie.
#[derive(Debug)]
pub(crate) struct Assignment {
    /// Offset in bytes of each request, in their order.
    pub(crate) offsets: Vec<usize>,
    /// Size of the arena in bytes.
    pub(crate) total: usize,
    /// Largest sum of sizes that live at one step, in bytes: what no arena can go below.
    pub(crate) peak: usize,
}

/// Places all requests at multiples of `align`. Fails when sizes overflow.
pub(crate) fn assign(requests: &[Request], align: usize) -> Result<Assignment> {
    let sizes: Vec<usize> =
        requests.iter().map(|request| request.bytes.checked_next_multiple_of(align)).collect::<Option<_>>().ok_or_else(overflow)?;
    let peak = peak(requests, &sizes).ok_or_else(overflow)?;
    let mut order: Vec<usize> = (0..requests.len()).filter(|index| sizes[*index] > 0).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(sizes[*index]), requests[*index].first, *index));
    let mut offsets = vec![0; requests.len()];
    let mut placed: Vec<usize> = Vec::with_capacity(order.len()); // by offset
    let mut total = 0;
    for index in order {
        let offset = place(index, requests, &sizes, &offsets, &placed);
        let end = offset.checked_add(sizes[index]).filter(|end| isize::try_from(*end).is_ok());
        total = total.max(end.ok_or_else(overflow)?);
        offsets[index] = offset;
        let position = placed.partition_point(|other| offsets[*other] <= offset);
        placed.insert(position, index);
    }
    Ok(Assignment { offsets, total, peak })
}

/// The offset of the smallest gap that holds `index`, or the end of what lives with it.
fn place(index: usize, requests: &[Request], sizes: &[usize], offsets: &[usize], placed: &[usize]) -> usize {
    let request = requests[index];
    let mut end = 0;
    let mut best: Option<(usize, usize)> = None; // gap, offset
    for other in placed.iter().copied() {
        if requests[other].last < request.first || requests[other].first > request.last {
            continue;
        }
        let gap = offsets[other].saturating_sub(end);
        if gap >= sizes[index] && best.is_none_or(|(smallest, _)| gap < smallest) {
            best = Some((gap, end));
        }
        end = end.max(offsets[other] + sizes[other]);
    }
    best.map_or(end, |(_, offset)| offset)
}

/// Largest sum of sizes at one step; none on overflow.
fn peak(requests: &[Request], sizes: &[usize]) -> Option<usize> {
    let mut events: Vec<(usize, bool, usize)> = Vec::with_capacity(2 * requests.len());
    for (request, size) in requests.iter().zip(sizes) {
        events.push((request.first, true, *size));
        events.push((request.last + 1, false, *size));
    }
    events.sort_unstable(); // at one step, ends come before starts
    let (mut live, mut peak) = (0usize, 0);
    for (_, start, size) in events {
        live = if start { live.checked_add(size)? } else { live - size };
        peak = peak.max(live);
    }
    Some(peak)
}

fn overflow() -> RuntimeError {
    RuntimeError::SizeOverflow { what: "memory plan".into(), detail: "all buffers together".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(requests: &[Request], align: usize) -> Assignment {
        let plan = assign(requests, align).unwrap();
        for (i, a) in requests.iter().enumerate() {
            assert_eq!(plan.offsets[i] % align, 0);
            assert!(plan.offsets[i] + a.bytes <= plan.total || a.bytes == 0);
            for (j, b) in requests.iter().enumerate().skip(i + 1) {
                let together = a.first <= b.last && b.first <= a.last && a.bytes > 0 && b.bytes > 0;
                let (start, other) = (plan.offsets[i], plan.offsets[j]);
                let apart = start + a.bytes <= other || other + b.bytes <= start;
                assert!(!together || apart, "{a:?} at {start} and {b:?} at {other}");
            }
        }
        assert!(plan.peak <= plan.total);
        plan
    }

    #[test]
    fn no_two_live_buffers_overlap() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below) as usize
        };
        for round in 0..300 {
            let steps = 1 + next(40) as u64;
            let requests: Vec<Request> = (0..next(60))
                .map(|_| {
                    let first = next(steps);
                    let bytes = if next(8) == 0 { 0 } else { next(5000) };
                    Request { bytes, first, last: first + next(6) }
                })
                .collect();
            let plan = check(&requests, if round % 2 == 0 { 64 } else { 256 });
            // greedy by size stays close to the lower bound
            assert!(plan.total <= 2 * plan.peak.max(1), "{} > 2 * {}", plan.total, plan.peak);
        }
    }

    #[test]
    fn dead_memory_is_reused() {
        let chain: Vec<Request> = (0..10).map(|step| Request { bytes: 1000, first: step, last: step + 1 }).collect();
        let plan = check(&chain, 64);
        assert_eq!((plan.total, plan.peak), (2048, 2048));
    }

    #[test]
    fn the_smallest_gap_is_taken() {
        // at step 0: 512 | gap of 256 | 256 | gap of 64 | 64 would be possible; the 64-byte buffer takes the small gap
        let requests = [
            Request { bytes: 512, first: 0, last: 9 },
            Request { bytes: 256, first: 0, last: 4 },
            Request { bytes: 192, first: 0, last: 9 },
            Request { bytes: 128, first: 5, last: 9 },
            Request { bytes: 64, first: 5, last: 9 },
        ];
        let plan = check(&requests, 64);
        assert_eq!(plan.total, 960);
    }

    #[test]
    fn overflow_is_an_error() {
        let huge = Request { bytes: usize::MAX / 2, first: 0, last: 1 };
        assert!(assign(&[huge, huge, huge], 64).is_err());
        let unaligned = Request { bytes: usize::MAX - 1, first: 0, last: 0 };
        assert!(assign(&[unaligned], 64).is_err());
        assert_eq!(assign(&[], 64).unwrap().total, 0);
    }
}
