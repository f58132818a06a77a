//! Recognising matrix products among a kernel's reductions.

use fx_ir::{AffineResult, Op, Value};

use crate::generic::Generic;
use crate::kernel::Kernel;

/// `out[batch.., m, n] = sum_k a * b`: a reduction whose body adds the product of its two operands.
pub struct Contraction<'c> {
    /// The reduction.
    pub generic: Generic<'c>,
    /// Conversions of each operand's element before the product.
    pub casts: [Vec<Op<'c>>; 2],
    /// Number of batch loops, which come first; then come `m`, `n` and the reduced `k`.
    pub batch: usize,
}

impl<'c> Contraction<'c> {
    /// The kernel's product, if it has exactly one reduction and that is a product with loops `batch.., m, n, k`, the
    /// first operand without `n` and the second without `m`.
    pub fn of(kernel: &Kernel<'c>) -> Option<Self> {
        let mut reductions = kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction);
        let generic = reductions.next()?;
        if kernel.has_rows()
            || reductions.next().is_some()
            || generic.has_checks()
            || generic.inputs.len() != 2
            || generic.outputs.len() != 1
        {
            return None;
        }
        let parallel = generic.parallel_count();
        if parallel < 2 || generic.reduced.len() != parallel + 1 || !generic.reduced[parallel] {
            return None;
        }
        let (m, n, k) = (parallel - 2, parallel - 1, parallel);
        let loops = |map: &[AffineResult]| {
            map.iter().map(|result| if let AffineResult::Dim(i) = result { Some(*i) } else { None }).collect::<Option<Vec<_>>>()
        };
        let (a, b) = (loops(&generic.maps[0])?, loops(&generic.maps[1])?);
        let fits = a.contains(&m) && a.contains(&k) && !a.contains(&n) && b.contains(&n) && b.contains(&k) && !b.contains(&m);
        if !fits {
            return None;
        }
        let casts = product_of_operands(&generic)?;
        Some(Self { generic, casts, batch: parallel - 2 })
    }
}

/// `acc + cast(a) * cast(b)`: the conversions of both operands.
fn product_of_operands<'c>(generic: &Generic<'c>) -> Option<[Vec<Op<'c>>; 2]> {
    let block = generic.body()?;
    let arguments = block.arguments();
    let sum = block.terminator()?.operand(0).defining_op().filter(|op| op.name() == "arith.addf")?;
    let product = match (sum.operand(0), sum.operand(1)) {
        (acc, product) | (product, acc) if acc == arguments[2] => product.defining_op()?,
        _ => return None,
    };
    if product.name() != "arith.mulf" {
        return None;
    }
    let a = conversions(product.operand(0), arguments[0])?;
    let b = conversions(product.operand(1), arguments[1])?;
    Some([a, b])
}

/// The one-operand ops between a block argument and a value, first one first.
fn conversions<'c>(value: Value<'c>, from: Value<'c>) -> Option<Vec<Op<'c>>> {
    let mut chain = Vec::new();
    let mut current = value;
    while current != from {
        let op = current.defining_op().filter(|op| matches!(op.name(), "arith.extf" | "arith.truncf"))?;
        chain.push(op);
        current = op.operand(0);
    }
    chain.reverse();
    Some(chain)
}
