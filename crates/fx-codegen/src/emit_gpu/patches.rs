//! Kernels without reductions that read a tensor across its rows: a thread computes a square patch of elements.
//!
//! Along one side of the patch the results are neighbours in memory, along the other what is read across: both are accessed
//! some elements at a time. Threads of a warp lie beside each other in both directions, so that each sector of memory that
//! it touches is used whole, and no workgroup memory is needed.

use fx_ir::{AffineResult, Result, Value};

use super::map::{FEW_ELEMENTS, is_light};
use super::{Emitter, Factor, Grid, LESS, THREADS, block_id, known_product, thread_id, when};
use crate::eval::Eval;
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};

/// Elements of a patch's side.
const SIDE: i64 = 4;
/// Threads of a block along the last loop, and along the other one; of a warp 8 and 4.
const ACROSS: i64 = 16;
/// See [`ACROSS`].
const DOWN: i64 = THREADS / ACROSS;

/// The loop along which something is read in the order of memory, where that is not the last loop.
pub fn crossed_loop(kernel: &Kernel<'_>) -> Option<usize> {
    let last = kernel.space.len().checked_sub(1)?;
    let big = |size: &Size| matches!(size, Size::Known(size) if size % SIDE == 0 && *size >= SIDE * ACROSS);
    if !is_light(kernel) || known_product(&kernel.space)? < FEW_ELEMENTS || !big(&kernel.space[last]) {
        return None;
    }
    let generics = kernel.body.ops().into_iter().filter_map(Generic::new);
    let mut crossed = generics.filter(|generic| generic.reduced.len() == kernel.space.len()).flat_map(|generic| {
        let inputs = generic.inputs.len();
        generic.maps.into_iter().take(inputs)
    });
    crossed.find_map(|map| match map.last() {
        Some(AffineResult::Dim(i)) if *i != last && map.contains(&AffineResult::Dim(last)) && big(&kernel.space[*i]) => Some(*i),
        _ => None,
    })
}

impl<'c> Emitter<'_, 'c> {
    /// A thread for each patch of the last loop and the loop `down`.
    pub(super) fn patches(&self, eval: &mut Eval<'c>, down: usize) -> Result<Grid> {
        let kernel = self.parts.kernel;
        let last = kernel.space.len() - 1;
        let others: Vec<_> = (0..last).filter(|i| *i != down).collect();
        let rest: Vec<_> = others.iter().map(|i| kernel.space[*i]).collect();
        let per = [SIDE * DOWN, SIDE * ACROSS];
        let grid = Grid {
            factors: vec![
                Factor { sizes: rest.clone(), per: 1 },
                Factor { sizes: vec![kernel.space[down]], per: per[0] },
                Factor { sizes: vec![kernel.space[last]], per: per[1] },
            ],
            threads: THREADS,
            cluster: 1,
            shared: 0,
            length: None,
        };
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        // Blocks of the other loops, then of these two
        let mut counts = eval.sizes(&rest);
        for (size, per) in [kernel.space[down], kernel.space[last]].into_iter().zip(per) {
            let (size, per) = (eval.size(size), eval.index(per));
            counts.push(eval.b.value("arith.ceildivui", &[size, per], size.ty(), &[]));
        }
        let mut place = eval.delinearize(block, &counts);
        // Warps of 8 x 4 threads, two of them beside each other
        let sides = [4, 2, 4, 8].map(|side| eval.index(side));
        let [warp_down, warp_across, lane_down, lane_across] = eval.delinearize(thread, &sides)[..] else { return Ok(grid) };
        let start = |eval: &mut Eval<'c>, blocks: Option<Value<'c>>, per: i64, (warp, lanes): (Value<'c>, i64), lane: Value<'c>| {
            let (per, lanes, side) = (eval.index(per), eval.index(lanes), eval.index(SIDE));
            let block = blocks.map_or(per, |block| eval.mul(block, per));
            let own = eval.mul(warp, lanes);
            let own = eval.add(own, lane);
            let own = eval.mul(own, side);
            eval.add(block, own)
        };
        let column = place.pop();
        let column = start(eval, column, per[1], (warp_across, 8), lane_across);
        let row = place.pop();
        let row = start(eval, row, per[0], (warp_down, 4), lane_down);
        let mut first = vec![row; kernel.space.len()];
        first[last] = column;
        others.iter().zip(place).for_each(|(i, index)| first[*i] = index);
        let (rows, columns) = (eval.size(kernel.space[down]), eval.size(kernel.space[last]));
        when(eval, LESS, row, rows, |eval| when(eval, LESS, column, columns, |eval| self.patch(eval, &first, down)))?;
        Ok(grid)
    }

    /// The patch whose first element is at `first`: all is read before anything is written.
    fn patch(&self, eval: &mut Eval<'c>, first: &[Value<'c>], down: usize) -> Result {
        let dims = self.parts.space.clone();
        let last = first.len() - 1;
        let mut elements = Vec::new();
        for r in 0..SIDE {
            for c in 0..SIDE {
                let (r, c) = (eval.index(r), eval.index(c));
                let mut indices = first.to_vec();
                indices[down] = eval.add(indices[down], r);
                indices[last] = eval.add(indices[last], c);
                let position = eval.linearize(&indices, &dims);
                eval.set_place(&indices, &dims, position);
                for (result, output) in self.parts.kernel.results().into_iter().zip(self.parts.outputs) {
                    elements.push((output, position, eval.element(result, &indices)?));
                }
            }
        }
        elements.into_iter().for_each(|(output, position, element)| eval.store_flat(output, position, element));
        Ok(())
    }
}
