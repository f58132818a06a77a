//! Recognising sums of products: matrix products, convolutions, products of vectors.

use std::collections::BTreeSet;

use fx_ir::{AffineResult, Op, Value};

use super::window::Window;
use crate::eval::is_cast;
use crate::generic::Generic;
use crate::kernel::Kernel;

/// One of the two numbers that are multiplied.
pub struct Factor<'c> {
    /// The number in the body: an element that is read, by an argument or by a `tensor.extract`, and maybe converted.
    pub value: Value<'c>,
    /// Loops that it depends on.
    pub loops: BTreeSet<usize>,
}

/// `out[.., m, .., n] = sum_k a * b`, where `a` does not depend on `n`, the last loop, and `b` not on `m`.
pub struct Product<'c> {
    /// The reduction.
    pub generic: Generic<'c>,
    /// The factor that is one number for a row of results.
    pub a: Factor<'c>,
    /// The factor that differs along a row.
    pub b: Factor<'c>,
    /// The loop of the rows that share `b`, if there is one.
    pub m: Option<usize>,
    /// The loop along a row.
    pub n: usize,
    /// The loops that are summed over, outermost first.
    pub reduced: Vec<usize>,
}

impl<'c> Product<'c> {
    /// The kernel's product, if that is its only reduction, over floats, and its results are the kernel's space.
    pub fn of(kernel: &Kernel<'c>) -> Option<Self> {
        let mut reductions = kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction);
        let generic = reductions.next()?;
        if kernel.has_rows() || reductions.next().is_some() || generic.outputs.len() != 1 {
            return None;
        }
        let ty = generic.op.result(0).ty().element();
        let parallel = generic.parallel_count();
        if !(ty.is_f32() || ty.is_f64()) || parallel == 0 || kernel.space.len() != parallel {
            return None;
        }
        let [x, y] = factors(&generic)?;
        let n = parallel - 1;
        let (a, b) = match (x.loops.contains(&n), y.loops.contains(&n)) {
            (false, true) => (x, y),
            (true, false) => (y, x),
            _ => return None,
        };
        let m = (0..n).rev().find(|i| a.loops.contains(i) && !b.loops.contains(i));
        let reduced = (parallel..generic.reduced.len()).collect();
        Some(Self { generic, a, b, m, n, reduced })
    }

    /// Loops that every task fixes: all parallel ones but `m` and `n`.
    pub fn batch(&self) -> Vec<usize> {
        (0..self.n).filter(|i| Some(*i) != self.m).collect()
    }
}

/// Whether a reduction adds products of two numbers, whatever they depend on.
pub fn is_sum_of_products(op: Op<'_>) -> bool {
    let reduction = Generic::new(op).filter(Generic::is_reduction).filter(|generic| generic.outputs.len() == 1);
    reduction.is_some_and(|generic| factors(&generic).is_some()) || Window::of(op).is_some()
}

/// The factors of `acc + x * y`, read where they are needed and nothing more.
fn factors<'c>(generic: &Generic<'c>) -> Option<[Factor<'c>; 2]> {
    let [x, y] = factors_of(generic)?;
    Some([factor(generic, x)?, factor(generic, y)?])
}

/// The factors of `acc + x * y`: values of the body.
pub fn factors_of<'c>(generic: &Generic<'c>) -> Option<[Value<'c>; 2]> {
    let block = generic.body().filter(|_| !generic.has_checks())?;
    let accumulator = block.arguments().get(generic.inputs.len()).copied()?;
    let sum = block.terminator()?.operand(0).defining_op().filter(|op| op.name() == "arith.addf")?;
    let product = match (sum.operand(0), sum.operand(1)) {
        (acc, product) | (product, acc) if acc == accumulator => product.defining_op()?,
        _ => return None,
    };
    if product.name() != "arith.mulf" {
        return None;
    }
    Some([product.operand(0), product.operand(1)])
}

/// A factor that is an element of a tensor, maybe converted; none if it is something else.
pub fn factor<'c>(generic: &Generic<'c>, value: Value<'c>) -> Option<Factor<'c>> {
    let mut read = value;
    while let Some(cast) = read.defining_op().filter(|op| is_cast(*op)) {
        read = cast.operand(0);
    }
    let mut loops = BTreeSet::new();
    match read.defining_op() {
        None => add_loops(generic, read, &mut loops)?,
        Some(extract) if extract.name() == "tensor.extract" => {
            extract.operands()[1..].iter().try_for_each(|index| add_loops(generic, *index, &mut loops))?;
        }
        Some(_) => return None,
    }
    Some(Factor { value, loops })
}

/// Adds the loops that a value of the body follows from; none if it follows from an element of a tensor.
pub fn add_loops<'c>(generic: &Generic<'c>, value: Value<'c>, loops: &mut BTreeSet<usize>) -> Option<()> {
    if let Some((block, index)) = value.block_argument() {
        if Some(block) != generic.body() {
            return Some(()); // from outside
        }
        let is_index = !generic.inputs.get(index)?.ty().element().is_float();
        if is_index {
            return None;
        }
        loops.extend(generic.maps[index].iter().filter_map(|result| if let AffineResult::Dim(i) = result { Some(*i) } else { None }));
        return Some(());
    }
    let op = value.defining_op()?;
    if op.block() != generic.body() {
        return Some(());
    }
    match op.name() {
        "linalg.index" => {
            loops.insert(usize::try_from(op.int("dim")?).ok()?);
            Some(())
        }
        name if name.starts_with("arith.") => op.operands().into_iter().try_for_each(|operand| add_loops(generic, operand, loops)),
        _ => None,
    }
}
