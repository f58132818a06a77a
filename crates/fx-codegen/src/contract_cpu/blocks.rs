//! Blocks of results: what one task computes, and where it stands.

use fx_ir::{Result, Type, Value};

use super::product::Product;
use super::sums::Sums;
use crate::conditions::{EQUAL, compare, when_holds};
use crate::emit_cpu::Count;
use crate::eval::{Eval, Memory};
use crate::kernel::{Kernel, Size};

/// What an unknown size counts as in estimates.
const TYPICAL_SIZE: i64 = 64;

/// Which blocks are next to each other in the order of tasks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Those of the same rows.
    Columns,
    /// Those of the same columns.
    Rows,
}

/// A product cut into blocks.
pub struct Blocks<'a, 'c> {
    /// The kernel.
    pub kernel: &'a Kernel<'c>,
    /// Its product.
    pub product: &'a Product<'c>,
    /// Memory of the kernel's results.
    pub outputs: &'a [Memory<'c>],
    /// Type of the sums.
    pub element: Type<'c>,
    /// Sizes of all loops.
    pub sizes: Vec<Value<'c>>,
    /// Where sums are kept.
    pub sums: Sums<'c>,
    /// Rows and columns of a block.
    pub size: [i64; 2],
    /// The order of tasks.
    pub order: Order,
}

/// Where a task works: all loops at the block's start, and how many rows and columns it has.
pub struct Task<'c> {
    /// Loop variables; summed ones at 0.
    pub loops: Vec<Value<'c>>,
    /// Rows.
    pub rows: Value<'c>,
    /// Columns.
    pub columns: Value<'c>,
}

/// `size`, made a multiple of `unit`.
pub fn round_up(size: i64, unit: i64) -> i64 {
    (size + unit - 1) / unit * unit
}

/// About `most` of `count` products, of which there are some, such that slices are even, and whole multiples of `unit`.
pub fn even_slice(count: i64, most: i64, unit: i64) -> i64 {
    let slices = (count + most - 1) / most;
    round_up((count + slices - 1) / slices, unit)
}

/// Code for the first task of the same columns in a piece: that of this `row`, or of a `number` at which the piece begins.
///
/// # Errors
/// Those of the code.
pub fn when_first<'c>(
    eval: &mut Eval<'c>,
    [number, begin]: [Value<'c>; 2],
    row: Value<'c>,
    build: impl FnOnce(&mut Eval<'c>) -> Result,
) -> Result {
    let zero = eval.index(0);
    let (begins, at_top) = (compare(eval, EQUAL, number, begin), compare(eval, EQUAL, row, zero));
    let wanted = eval.b.value("arith.ori", &[begins, at_top], at_top.ty(), &[]);
    when_holds(eval, wanted, build)
}

/// A size that is known.
pub fn known(size: Size) -> Option<i64> {
    if let Size::Known(size) = size { Some(size) } else { None }
}

/// The number of rows of results that share the second factor.
pub fn rows_of<'c>(kernel: &Kernel<'c>, product: &Product<'c>) -> Size {
    product.m.map_or(Size::Known(1), |m| kernel.space[m])
}

impl<'c> Blocks<'_, 'c> {
    /// Where the task of a number works.
    pub fn task(&self, eval: &mut Eval<'c>, task: Value<'c>) -> Task<'c> {
        let product = self.product;
        let one = eval.index(1);
        let m_size = product.m.map_or(one, |m| self.sizes[m]);
        let n_size = self.sizes[product.n];
        let mut counts: Vec<_> = product.batch().into_iter().map(|i| self.sizes[i]).collect();
        let mut cuts = [(m_size, self.size[0]), (n_size, self.size[1])];
        if self.order == Order::Rows {
            cuts.reverse();
        }
        for (size, per) in cuts {
            let per = eval.index(per);
            counts.push(eval.b.value("arith.ceildivui", &[size, per], size.ty(), &[]));
        }
        let mut indices = eval.delinearize(task, &counts);
        let mut place = |eval: &mut Eval<'c>, (size, per): (Value<'c>, i64)| {
            let index = indices.pop().unwrap_or(task);
            let per = eval.index(per);
            let start = eval.mul(index, per);
            let rest = eval.b.value("arith.subi", &[size, start], size.ty(), &[]);
            (start, eval.b.value("arith.minsi", &[rest, per], per.ty(), &[]))
        };
        let last = place(eval, cuts[1]);
        let first = place(eval, cuts[0]);
        let ((m, rows), (n, columns)) = if self.order == Order::Rows { (last, first) } else { (first, last) };
        let zero = eval.index(0);
        let mut loops = vec![zero; self.sizes.len()];
        for (i, index) in product.batch().into_iter().zip(indices) {
            loops[i] = index;
        }
        loops[product.n] = n;
        if let Some(i) = product.m {
            loops[i] = m;
        }
        Task { loops, rows, columns }
    }

    /// The position of the sum at a place of the block.
    pub fn sum_position(&self, eval: &mut Eval<'c>, task: &Task<'c>, place: [Value<'c>; 2]) -> Value<'c> {
        self.sums.position(eval, self.product, (&task.loops, &self.sizes), place)
    }

    /// How far the sums of the next row lie behind.
    pub fn sum_pitch(&self, eval: &mut Eval<'c>) -> Value<'c> {
        self.sums.pitch(eval, self.product, &self.sizes)
    }

    /// All sums of the block are zero: where there may be no products, no slice writes them.
    ///
    /// # Errors
    /// None of its own.
    pub fn clear(&self, eval: &mut Eval<'c>, task: &Task<'c>) -> Result {
        let zero = eval.b.number(self.element, 0.0);
        let (first, one) = (eval.index(0), eval.index(1));
        eval.for_loop(first, task.rows, one, &[], |eval, r, _| {
            eval.for_loop(first, task.columns, one, &[], |eval, c, _| {
                let at = self.sum_position(eval, task, [r, c]);
                eval.b.op("memref.store", &[zero, self.sums.memref(), at], &[], &[]);
                Ok(Vec::new())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// How many tasks there are.
    pub fn counts(&self) -> Vec<Count> {
        let (kernel, product) = (self.kernel, self.product);
        let mut counts: Vec<_> = product.batch().into_iter().map(|i| Count { size: kernel.space[i], per: 1 }).collect();
        counts.push(Count { size: rows_of(kernel, product), per: self.size[0] });
        counts.push(Count { size: kernel.space[product.n], per: self.size[1] });
        counts
    }

    /// Tasks that are worth waking a thread for, when that many products are.
    pub fn grain(&self, products: &[Option<i64>], worth: i64) -> i64 {
        let products = products.iter().map(|size| size.unwrap_or(TYPICAL_SIZE).max(1)).fold(1i64, i64::saturating_mul);
        let extent = |size: Size, most: i64| known(size).unwrap_or(TYPICAL_SIZE).clamp(1, most);
        let results = extent(rows_of(self.kernel, self.product), self.size[0]) * extent(self.kernel.space[self.product.n], self.size[1]);
        (worth / products.saturating_mul(results).max(1)).max(1)
    }
}
