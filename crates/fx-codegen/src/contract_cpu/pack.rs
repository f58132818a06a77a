//! Copies of factors: slices as dense panels, converted.
//!
//! The second factor's panel is cut into slivers as wide as the register tile: `[sliver][product][column]`. The first
//! factor's rows are `[row][product]`.

use fx_ir::{Attribute, Op, Result, Type, Value};

use super::blocks::Task;
use super::product::Factor;
use super::tiled::Tiled;
use crate::eval::{Address, Eval, Stride};

/// How the second factor is walked while it is packed.
#[derive(Clone, Copy)]
pub enum Order<'c> {
    /// By rows, which have no gaps.
    Rows,
    /// By columns, which have no gaps and lie this far apart: squares are transposed in registers.
    Columns(Stride<'c>),
    /// Element by element.
    Elements,
}

/// Packs products `k0..k0 + count` of the task's columns.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn second<'c>(
    eval: &mut Eval<'c>,
    tiled: &Tiled<'_, 'c>,
    task: &Task<'c>,
    panel: Value<'c>,
    order: Order<'c>,
    [k0, count]: [Value<'c>; 2],
) -> Result {
    let apart = match order {
        Order::Rows => return rows(eval, tiled, task, panel, [k0, count]),
        Order::Columns(apart) => Some(apart),
        Order::Elements => None,
    };
    let (zero, step) = (eval.index(0), eval.index(tiled.tile.columns()));
    eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
        match apart {
            Some(apart) => columns(eval, tiled, task, panel, (column, apart), [k0, count])?,
            None => elements(eval, tiled, task, panel, column, [k0, count])?,
        }
        Ok(Vec::new())
    })?;
    Ok(())
}

/// The position of product `k` (from the slice's start) and column `c` (from the sliver's) in the panel.
pub fn panel_position<'c>(eval: &mut Eval<'c>, tiled: &Tiled<'_, 'c>, sliver: Value<'c>, k: Value<'c>, c: i64) -> Value<'c> {
    // sliver * slice + k * columns + c, where `sliver` counts columns
    let (slice, width, c) = (eval.index(tiled.slice), eval.index(tiled.tile.columns()), eval.index(c));
    let start = eval.mul(sliver, slice);
    let row = eval.mul(k, width);
    let at = eval.add(start, row);
    eval.add(at, c)
}

/// Loops at product `k` and the task's column `column`.
fn at<'c>(eval: &mut Eval<'c>, tiled: &Tiled<'_, 'c>, task: &Task<'c>, column: Value<'c>, k: Value<'c>) -> Vec<Value<'c>> {
    let mut loops = task.loops.clone();
    loops[tiled.blocks.product.n] = eval.add(loops[tiled.blocks.product.n], column);
    loops[tiled.blocks.product.reduced[0]] = k;
    loops
}

/// Row by row, as they lie in memory.
fn rows<'c>(eval: &mut Eval<'c>, tiled: &Tiled<'_, 'c>, task: &Task<'c>, panel: Value<'c>, [k0, count]: [Value<'c>; 2]) -> Result {
    let (zero, one, step) = (eval.index(0), eval.index(1), eval.index(tiled.tile.columns()));
    eval.for_loop(zero, count, one, &[], |eval, k, _| {
        let product = eval.add(k0, k);
        eval.for_loop(zero, task.columns, step, &[], |eval, column, _| {
            let masks = tiled.masks(eval, task, column);
            let loops = at(eval, tiled, task, column, product);
            for (v, vector) in (0i64..).zip(tiled.vectors_in_place(eval, &loops, &masks)?) {
                let to = panel_position(eval, tiled, column, k, v * tiled.tile.lanes);
                eval.b.op("vector.store", &[vector, panel, to], &[], &[]);
            }
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// Bytes of a part of a vector in which numbers change places at the cost of one instruction.
const PART_BYTES: i64 = 16;

/// `lanes` columns at a time, and as many products of each as a part of a vector holds: parts of a vector are those of columns
/// that far apart, so that exchanges inside of parts transpose all of them, and the code stays short. Beyond the last column the
/// last one is repeated, beyond the last product there are zeros, which are not used.
fn columns<'c>(
    eval: &mut Eval<'c>,
    tiled: &Tiled<'_, 'c>,
    task: &Task<'c>,
    panel: Value<'c>,
    (column, apart): (Value<'c>, Stride<'c>),
    [k0, count]: [Value<'c>; 2],
) -> Result {
    let product = tiled.blocks.product;
    let lanes = tiled.tile.lanes;
    let deep = PART_BYTES * 8 / i64::from(tiled.blocks.element.bit_width());
    let apart = eval.stride_value(apart);
    let (zero, one, step, deep_step) = (eval.index(0), eval.index(1), eval.index(lanes), eval.index(deep));
    let last = (!tiled.whole_columns()).then(|| eval.b.value("arith.subi", &[task.columns, one], one.ty(), &[]));
    let width = eval.index(tiled.tile.columns());
    eval.for_loop(zero, width, step, &[], |eval, offset, _| {
        let first = eval.add(column, offset);
        // Where the first column of the square lies, and how far each of them behind that.
        let start = last.map_or(first, |_| zero);
        let places: Vec<_> = (0..lanes)
            .map(|c| {
                let c = eval.index(c);
                let place = last.map_or(c, |last| {
                    let place = eval.add(first, c);
                    eval.b.value("arith.minsi", &[place, last], place.ty(), &[])
                });
                eval.mul(place, apart)
            })
            .collect();
        let loops = at(eval, tiled, task, start, k0);
        let address = eval.factor_address(&product.generic, product.b.value, &loops)?;
        let Some(Address { memory, position: start, casts }) = address else {
            return Err(crate::internal(product.generic.op, "a factor without an address"));
        };
        let starts = tiled.starts(eval, start, &places);
        let to = panel_position(eval, tiled, column, zero, 0);
        let to = eval.add(to, offset);
        let to = tiled.opaque(eval, to);
        eval.for_loop(zero, count, deep_step, &[], |eval, k, _| {
            let read_type = Type::vector(&[deep], memory.element);
            let masked = (!tiled.whole_products(deep)).then(|| {
                let left = eval.b.value("arith.subi", &[count, k], k.ty(), &[]);
                let mask_type = Type::vector(&[deep], Type::int(eval.context(), 1));
                let mask = eval.b.value("vector.create_mask", &[left], mask_type, &[]);
                let number = eval.b.number(memory.element, 0.0);
                (mask, eval.b.value("vector.broadcast", &[number], read_type, &[]))
            });
            let mut parts = Vec::new();
            for start in &starts {
                let from = eval.add(*start, k);
                parts.push(match masked {
                    Some((mask, zeros)) => eval.b.value("vector.maskedload", &[memory.memref, from, mask, zeros], read_type, &[]),
                    None => eval.b.value("vector.load", &[memory.memref, from], read_type, &[]),
                });
            }
            let vectors: Vec<_> = (0..deep as usize)
                .map(|first| {
                    let joined = join(eval, parts[first..].iter().step_by(deep as usize).copied().collect());
                    convert(eval, &casts, joined)
                })
                .collect();
            let moved = eval.mul(k, width);
            let to = eval.add(to, moved);
            for (r, row) in (0i64..).zip(transpose(eval, vectors)) {
                let down = eval.index(r * tiled.tile.columns());
                let to = eval.add(to, down);
                eval.b.op("vector.store", &[row, panel, to], &[], &[]);
            }
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

fn shuffle<'c>(eval: &Eval<'c>, a: Value<'c>, b: Value<'c>, mask: &[i64]) -> Value<'c> {
    let ty = Type::vector(&[mask.len() as i64], a.ty().element());
    eval.b.value("vector.shuffle", &[a, b], ty, &[("mask", Attribute::i64s(eval.context(), mask))])
}

/// Vectors, a power of two of them, one behind the other.
fn join<'c>(eval: &Eval<'c>, mut parts: Vec<Value<'c>>) -> Value<'c> {
    while parts.len() > 1 {
        let mask: Vec<_> = (0..2 * parts[0].ty().shape()[0]).collect();
        parts = parts.chunks_exact(2).map(|pair| shuffle(eval, pair[0], pair[1], &mask)).collect();
    }
    parts[0]
}

/// A number or a vector, converted.
pub fn convert<'c>(eval: &Eval<'c>, casts: &[Op<'c>], value: Value<'c>) -> Value<'c> {
    casts.iter().fold(value, |value, cast| {
        let to = cast.result(0).ty();
        let to = if value.ty().is_vector() { Type::vector(&value.ty().shape(), to) } else { to };
        eval.b.value(cast.name(), &[value], to, &[])
    })
}

/// Squares of numbers, by rows, transposed; rows hold one or more squares side by side. In stage `d`, blocks of `d` x `d` change
/// places across the diagonal of each block of `2d` x `2d`.
pub fn transpose<'c>(eval: &Eval<'c>, mut rows: Vec<Value<'c>>) -> Vec<Value<'c>> {
    let count = rows.len();
    let lanes = rows.first().map_or(0, |row| row.ty().shape()[0] as usize);
    let mut d = count / 2;
    while d > 0 {
        // Lane k of the upper row is a[k], or b[k - d] in the right half of a block; of the lower row a[k + d] or b[k].
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for k in 0..lanes {
            let (left, right) = if k & d == 0 { (k, k + d) } else { (lanes + k - d, lanes + k) };
            upper.push(left as i64);
            lower.push(right as i64);
        }
        for i in (0..count).filter(|i| i & d == 0) {
            let (a, b) = (rows[i], rows[i + d]);
            rows[i] = shuffle(eval, a, b, &upper);
            rows[i + d] = shuffle(eval, a, b, &lower);
        }
        d /= 2;
    }
    rows
}

fn elements<'c>(
    eval: &mut Eval<'c>,
    tiled: &Tiled<'_, 'c>,
    task: &Task<'c>,
    panel: Value<'c>,
    column: Value<'c>,
    [k0, count]: [Value<'c>; 2],
) -> Result {
    let (zero, one, width) = (eval.index(0), eval.index(1), eval.index(tiled.tile.columns()));
    let last = eval.b.value("arith.subi", &[task.columns, one], one.ty(), &[]);
    eval.for_loop(zero, count, one, &[], |eval, k, _| {
        let product = eval.add(k0, k);
        eval.for_loop(zero, width, one, &[], |eval, c, _| {
            let place = eval.add(column, c);
            let place = eval.b.value("arith.minsi", &[place, last], place.ty(), &[]);
            let loops = at(eval, tiled, task, place, product);
            let value = number(eval, tiled, &tiled.blocks.product.b, &loops)?;
            let to = panel_position(eval, tiled, column, k, 0);
            let to = eval.add(to, c);
            eval.b.op("memref.store", &[value, panel, to], &[], &[]);
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// Packs products `k0..k0 + count` of a tile's rows of the first factor, from the task's row `row` on, as far as there are rows.
///
/// # Errors
/// If an operand cannot be evaluated: reported.
pub fn first<'c>(
    eval: &mut Eval<'c>,
    tiled: &Tiled<'_, 'c>,
    task: &Task<'c>,
    strip: Value<'c>,
    row: Value<'c>,
    [k0, count]: [Value<'c>; 2],
) -> Result {
    let (zero, one, rows, slice) = (eval.index(0), eval.index(1), eval.index(tiled.tile.rows), eval.index(tiled.slice));
    let left = tiled.rows_left(eval, task, row);
    let rows = left.map_or(rows, |left| eval.b.value("arith.minsi", &[left, rows], rows.ty(), &[]));
    eval.for_loop(zero, rows, one, &[], |eval, r, _| {
        let mut loops = task.loops.clone();
        if let Some(m) = tiled.blocks.product.m {
            let place = eval.add(row, r);
            loops[m] = eval.add(loops[m], place);
        }
        let start = eval.mul(r, slice);
        eval.for_loop(zero, count, one, &[], |eval, k, _| {
            loops[tiled.blocks.product.reduced[0]] = eval.add(k0, k);
            let value = number(eval, tiled, &tiled.blocks.product.a, &loops)?;
            let to = eval.add(start, k);
            eval.b.op("memref.store", &[value, strip, to], &[], &[]);
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// One converted number of a factor.
pub fn number<'c>(eval: &mut Eval<'c>, tiled: &Tiled<'_, 'c>, factor: &Factor<'c>, loops: &[Value<'c>]) -> Result<Value<'c>> {
    eval.body_value(&tiled.blocks.product.generic, factor.value, loops)
}
