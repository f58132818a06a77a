//! What follows the sums: the kernel's results at each place of a block.

use fx_ir::Result;

use super::blocks::{Blocks, Task};
use crate::eval::Eval;

/// Every result of the kernel from the block's sums.
///
/// # Errors
/// If a result cannot be evaluated: reported.
pub fn emit<'c>(eval: &mut Eval<'c>, blocks: &Blocks<'_, 'c>, task: &Task<'c>) -> Result {
    let (zero, one) = (eval.index(0), eval.index(1));
    let product = blocks.product;
    let dims = blocks.sizes[..=product.n].to_vec();
    eval.for_loop(zero, task.rows, one, &[], |eval, r, _| {
        let mut indices = task.loops[..=product.n].to_vec();
        if let Some(m) = product.m {
            indices[m] = eval.add(indices[m], r);
        }
        eval.for_loop(zero, task.columns, one, &[], |eval, c, _| {
            let mut indices = indices.clone();
            indices[product.n] = eval.add(indices[product.n], c);
            let at = blocks.sums.position(eval, product, (&task.loops, &blocks.sizes), [r, c]);
            let sum = eval.b.value("memref.load", &[blocks.sums.memref(), at], blocks.element, &[]);
            eval.known(product.generic.op.result(0), &indices, sum);
            let position = eval.linearize(&indices, &dims);
            crate::emit_cpu::elements(eval, blocks.kernel, blocks.outputs, &indices, &dims, position)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}
