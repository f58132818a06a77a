//! Rows are asked for before they are needed: hardware follows memory to the end of a page, and a long row is one.

use fx_ir::{Attribute, Result, Type, Value};

use crate::eval::Eval;
use crate::kernel::{Kernel, Size};

/// Bytes of rows that are asked for: shorter ones share pages, longer ones fill much of the first-level cache.
const ROW_BYTES: std::ops::RangeInclusive<i64> = 1 << 10..=1 << 14;
/// Bytes of a tensor that comes from beyond the second-level cache.
const LARGE: i64 = 1 << 21;
/// Bytes of a cache line.
const LINE: i64 = 64;

/// Asks for the cache line of an element.
pub fn fetch<'c>(eval: &Eval<'c>, memref: Value<'c>, at: Value<'c>) {
    let context = eval.context();
    let attributes = [
        ("isWrite", Attribute::bool(context, false)),
        ("localityHint", Attribute::int(Type::int(context, 32), 3)),
        ("isDataCache", Attribute::bool(context, true)),
    ];
    eval.b.op("memref.prefetch", &[memref, at], &[], &attributes);
}

/// Asks for the row behind `row` of each large tensor that has the kernel's rows.
///
/// # Errors
/// None of its own.
pub fn fetch_next_row<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, row: Value<'c>) -> Result {
    let product = |sizes: &[Size]| {
        let known = |size: &Size| if let Size::Known(size) = size { Some(*size) } else { None };
        sizes.iter().map(known).try_fold(1i64, |product, size| product.checked_mul(size?))
    };
    let (Some(length), true) = (product(&kernel.inner()), kernel.reduced.is_sorted()) else { return Ok(()) };
    let rows = product(&kernel.rows()).unwrap_or(i64::MAX);
    for (argument, dims) in kernel.body.arguments().into_iter().zip(&kernel.argument_dims) {
        let Some(memory) = eval.memory_of(argument).filter(|_| *dims == kernel.space).cloned() else { continue };
        let bytes = i64::from(memory.element.bit_width() / 8).max(1);
        if !ROW_BYTES.contains(&length.saturating_mul(bytes)) || rows.saturating_mul(length * bytes) < LARGE {
            continue;
        }
        let (one, length, line) = (eval.index(1), eval.index(length), eval.index(LINE / bytes));
        let next = eval.add(row, one);
        let begin = eval.mul(next, length);
        let end = eval.add(begin, length);
        eval.for_loop(begin, end, line, &[], |eval, at, _| {
            fetch(eval, memory.memref, at);
            Ok(Vec::new())
        })?;
    }
    Ok(())
}
