//! The next row on its way while one is written.
//!
//! Processors notice that rows are read one behind the other, but not across pages of memory: the first reduction of a row
//! that begins a page waits for each line. So the next row is asked for before a row's elements are computed, which reads the
//! cache only. For what is written that gains little.

use fx_ir::{Result, Value};

use crate::eval::{Eval, LINE_BYTES, Memory};
use crate::kernel::{Kernel, known_product};

/// Bytes of a page: of a longer row the rest is noticed.
const PAGE: i64 = 4096;
/// Bytes of a row below which it is seldom the first one of a page.
const SHORTEST: i64 = PAGE / 2;
/// Bytes of a tensor that stays in the nearest caches.
const SMALL: i64 = 1 << 20;
/// Lines that an iteration asks for.
const LINES: i64 = 4;

/// What rows are read from: arguments that have the kernel's space, with rows of known length that lie one behind the other.
pub struct Ahead<'c> {
    rows: Vec<Memory<'c>>,
    /// Elements of a row, if there are such arguments.
    length: i64,
}

impl<'c> Ahead<'c> {
    /// That of a kernel, if asking for it pays.
    pub fn of(eval: &Eval<'c>, kernel: &Kernel<'c>) -> Self {
        let none = Self { rows: Vec::new(), length: 0 };
        let Some(length) = known_product(&kernel.inner()).filter(|_| kernel.reduced.is_sorted()) else { return none };
        let total = known_product(&kernel.space);
        let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
        let rows = arguments.filter(|(_, dims)| **dims == kernel.space).filter_map(|(argument, _)| eval.argument(argument));
        let pays = |memory: &Memory<'c>| {
            let bytes = bytes(memory);
            length * bytes >= SHORTEST && total.is_none_or(|total| total.saturating_mul(bytes) > SMALL)
        };
        Self { rows: rows.filter(pays).collect(), length }
    }

    /// Asks for the row behind `row`, where there is one before `end`.
    ///
    /// # Errors
    /// None of its own.
    pub fn ask(&self, eval: &mut Eval<'c>, row: Value<'c>, end: Value<'c>) -> Result {
        if self.rows.is_empty() {
            return Ok(());
        }
        let one = eval.index(1);
        let next = eval.add(row, one);
        let last = eval.b.value("arith.subi", &[end, one], row.ty(), &[]);
        let next = eval.b.value("arith.minsi", &[next, last], row.ty(), &[]);
        for memory in &self.rows {
            let line = LINE_BYTES / bytes(memory);
            let asked = self.length.min(PAGE / bytes(memory));
            let (zero, to, step, length) = (eval.index(0), eval.index(asked), eval.index(LINES * line), eval.index(self.length));
            let start = eval.mul(next, length);
            eval.for_loop(zero, to, step, &[], |eval, k, _| {
                for ahead in 0..LINES {
                    let ahead = eval.index(ahead * line);
                    let at = eval.add(k, ahead);
                    let at = eval.add(start, at);
                    eval.fetch(memory.memref, at);
                }
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }
}

/// Bytes of an element in memory.
fn bytes(memory: &Memory<'_>) -> i64 {
    i64::from(memory.memref.ty().element().bit_width() / 8)
}
