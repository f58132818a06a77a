//! Lookups: elements at positions that tensors hold.

use fx_ir::{Attribute, Result, Type, Value};

use crate::batching;
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::promote::promote;
use crate::rows::derivatives;
use crate::rows::shape::arrange::diagonal_dims;
use crate::rows::shape::{check_range, from_start, read_at, slice_bounds, slice_length};
use crate::rows::spatial::read_inside;
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered};

use position::{Axis, read};

pub mod advanced;
pub mod bag;
pub mod mask;
mod position;
mod runs;
pub mod scatter;

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.embedding", embedding).batched(batching::indexing::embedding).vjp(derivatives::indexing::embedding),
    lowered("fx.gather", gather).batched(batching::indexing::per_element).vjp(derivatives::indexing::gather),
    lowered("fx.index_select", index_select).batched(batching::indexing::index_select).vjp(derivatives::indexing::index_select),
    lowered("fx.index_fill", index_fill).batched(batching::indexing::index_fill).vjp(derivatives::indexing::index_fill),
    lowered("fx.index_copy", index_copy).batched(batching::indexing::index_copy).vjp(derivatives::indexing::index_copy),
    lowered("fx.take", take).batched(batching::indexing::take).vjp(derivatives::indexing::take),
    lowered("fx.take_along_dim", take_along_dim).batched(batching::indexing::per_element).vjp(derivatives::indexing::take_along_dim),
    lowered("fx.repeat_interleave_int", repeat_interleave_int).vjp(derivatives::shape::repeat_interleave_int),
    lowered("fx.one_hot", one_hot).constant("its results are integers"),
    // Sorted search
    lowered("fx.bucketize", |cx, op| {
        let sequence = cx.operand(op, "boundaries")?;
        let right = op.op.flag("right");
        search(cx, op, &sequence, None, right)
    })
    .constant("its results are integers"),
    lowered("fx.searchsorted", |cx, op| {
        let sequence = cx.operand(op, "sorted_sequence")?;
        let sorter = op.optional("sorter").map(|value| cx.tensor(value)).transpose()?;
        let right = op.op.flag("right") || op.op.text("side") == Some("right");
        search(cx, op, &sequence, sorter, right)
    })
    .constant("its results are integers"),
    // Writes to a view
    lowered("fx.select_scatter", select_scatter).batched(batching::indexing::overwritten).vjp(derivatives::shape::select_scatter),
    lowered("fx.slice_scatter", slice_scatter).batched(batching::indexing::overwritten).vjp(derivatives::shape::slice_scatter),
    lowered("fx.diagonal_scatter", diagonal_scatter).vjp(derivatives::shape::diagonal_scatter),
    // Triangles
    lowered("fx.tril", |cx, op| triangle(cx, op, Compare::Le)).vjp(derivatives::shape::triangle),
    lowered("fx.triu", |cx, op| triangle(cx, op, Compare::Ge)).vjp(derivatives::shape::triangle),
    composite("fx.tril_indices", |f, op| triangle_indices(f, op, |difference, offset| difference <= offset))
        .constant("its results are integers"),
    composite("fx.triu_indices", |f, op| triangle_indices(f, op, |difference, offset| difference >= offset))
        .constant("its results are integers"),
];

/// `result[i.., j] = weight[indices[i..], j]`
fn embedding<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let weight = cx.operand(op, "weight")?;
    let indices = cx.operand(op, "indices")?;
    let mut dims = indices.dims.clone();
    dims.push(weight.dims[1]);
    let map = cx.broadcast(&indices, &indices.dims).map;
    let axis = Axis::new(cx, op, &weight, 0);
    let operand = Operand { tensor: indices.clone(), map };
    let last = dims.len() - 1;
    let result = cx.map(&dims, weight.element, &[operand], |body, a| {
        let row = axis.place(body, a[0]);
        read(body, &weight, &[row.index, body.index(last)], &[row])
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `result[i, j] = input[index[i, j], j]` for dim 0, and so for other dims.
fn gather<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let index = cx.operand(op, "index")?;
    let dim = op.dim("dim", input.rank())?;
    let shape = index.dims.clone();
    let (input, index) = (with_a_dim(cx, input), with_a_dim(cx, index));
    if input.rank() != index.rank() {
        // Only an index without elements may have another rank.
        let result = cx.empty(&shape, input.element);
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    for d in (0..input.rank()).filter(|d| *d != dim) {
        check_covers(cx, op, input.dims[d], index.dims[d], d);
    }
    let axis = Axis::new(cx, op, &input, dim);
    let rank = input.rank();
    let result = cx.map(&index.dims, input.element, &[cx.broadcast(&index, &index.dims)], |body, a| {
        let mut at = loops(body, rank);
        let place = axis.place(body, a[0]);
        at[dim] = place.index;
        read(body, &input, &at, &[place])
    });
    let result = cx.reshape(&result, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// A number as a vector of one element; others are left alone.
fn with_a_dim<'c>(cx: &Lower<'c>, tensor: Tensor<'c>) -> Tensor<'c> {
    if tensor.rank() == 0 { cx.reshape(&tensor, &[Dim::Static(1)]) } else { tensor }
}

/// Stops the program unless `index` has at most as many places in a dim as `input`; of known sizes the verifier knows.
fn check_covers<'c>(cx: &Lower<'c>, op: FxOp<'c>, input: Dim<'c>, index: Dim<'c>, dim: usize) {
    cx.check_at_most(index, input, &format!("'{}' op expects 'index' to be no larger than 'input' in dimension {dim}", op.op.name()));
}

/// `result[.., i, ..] = input[.., index[i], ..]`
fn index_select<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let index = with_a_dim(cx, cx.operand(op, "index")?);
    let dim = op.dim("dim", input.rank())?;
    let is_number = input.rank() == 0;
    let input = with_a_dim(cx, input);
    let mut dims = input.dims.clone();
    dims[dim] = if is_number { Dim::Static(1) } else { index.dims[0] };
    let axis = Axis::new(cx, op, &input, dim);
    let rank = input.rank();
    let operand = Operand { tensor: index, map: vec![if is_number { Ix::Zero } else { Ix::Loop(dim) }] };
    let mut result = cx.map(&dims, input.element, &[operand], |body, a| {
        let mut at = loops(body, rank);
        let place = axis.place(body, a[0]);
        at[dim] = place.index;
        read(body, &input, &at, &[place])
    });
    if is_number {
        result = cx.reshape(&result, &[]);
    }
    cx.set(op.op.result(0), result);
    Ok(())
}

/// All loop variables.
fn loops<'c>(body: &Body<'c>, rank: usize) -> Vec<Value<'c>> {
    (0..rank).map(|i| body.index(i)).collect()
}

/// For each place of `dim`, the last position of `index` that names it, or -1.
fn last_writer<'c>(cx: &Lower<'c>, size: Dim<'c>, axis: &Axis<'c>, index: Tensor<'c>) -> Tensor<'c> {
    let index = with_a_dim(cx, index);
    axis.check_some(cx, &index);
    let i64_type = Type::int(cx.context(), 64);
    let none = Scalars::new(cx.b).int(i64_type, -1);
    let reduced = index.dims.clone();
    let operand = Operand { tensor: index, map: vec![Ix::Loop(1)] };
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let (place, _) = axis.check(body, a[0]);
        let here = s.compare(Compare::Eq, place, body.as_number(body.index(0)));
        let j = s.cast(body.as_number(body.index(1)), i64_type);
        vec![s.select(here, s.max(j, acc[0]), acc[0])]
    };
    cx.reduce(&[size], &reduced, &[none], &[operand], body).remove(0)
}

fn index_fill<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let shape = input.dims.clone();
    let input = with_a_dim(cx, input);
    let dim = op.dim("dim", shape.len())?;
    let axis = Axis::wrapping(cx, op, &input, dim);
    let writer = last_writer(cx, input.dims[dim], &axis, cx.operand(op, "index")?);
    let mut operands = vec![cx.broadcast(&input, &input.dims), Operand { tensor: writer, map: vec![Ix::Loop(dim)] }];
    let value = op.operand("value")?;
    let scalar = if value.ty().is_tensor() {
        operands.push(Operand { tensor: cx.tensor(value)?, map: Vec::new() });
        None
    } else {
        Some(cx.scalar(value))
    };
    let element = input.element;
    let result = cx.map(&input.dims, element, &operands, |body, a| {
        let s = &body.s;
        let value = scalar.map_or_else(|| s.cast(a[a.len() - 1], element), |scalar| s.from_scalar(scalar, element));
        s.select(s.compare(Compare::Ge, a[1], s.int(a[1].ty, 0)), value, a[0])
    });
    let result = cx.reshape(&result, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The last of several slices for one place is written.
fn index_copy<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, mut source) = (cx.operand(op, "input")?, cx.operand(op, "source")?);
    let shape = input.dims.clone();
    let input = with_a_dim(cx, input);
    let dim = op.dim("dim", shape.len())?;
    if source.rank() < input.rank() {
        // One slice, without the dim.
        let mut dims = source.dims.clone();
        dims.insert(dim, Dim::Static(1));
        source = cx.reshape(&source, &dims);
    }
    let axis = Axis::new(cx, op, &input, dim);
    let index = cx.operand(op, "index")?;
    let mut slices = input.dims.clone();
    slices[dim] = index.dims.first().copied().unwrap_or(Dim::Static(1));
    cx.check_shape(&source.dims, &slices);
    let writer = last_writer(cx, input.dims[dim], &axis, index);
    let operands = [cx.broadcast(&input, &input.dims), Operand { tensor: writer, map: vec![Ix::Loop(dim)] }];
    let rank = input.rank();
    let result = cx.map(&input.dims, input.element, &operands, |body, a| {
        let s = &body.s;
        let written = s.compare(Compare::Ge, a[1], s.int(a[1].ty, 0));
        let mut at = loops(body, rank);
        at[dim] = s.cast(a[1], Type::index(s.context())).value;
        read_inside(body, &source, &at, written, a[0])
    });
    let result = cx.reshape(&result, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Elements of the flattened input.
fn take<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, index) = (cx.operand(op, "input")?, cx.operand(op, "index")?);
    let total = cx.product(&input.dims);
    let flat = cx.reshape(&input, &[total]);
    let axis = Axis::described(cx, op, total, "index {value} is out of range for a tensor of {bound} elements").wrap();
    let result = cx.map(&index.dims, input.element, &[cx.broadcast(&index, &index.dims)], |body, a| {
        let place = axis.place(body, a[0]);
        read(body, &flat, &[place.index], &[place])
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

fn take_along_dim<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (mut input, mut indices) = (cx.operand(op, "input")?, cx.operand(op, "indices")?);
    let dim = match op.op.int("dim") {
        Some(dim) => op.normalize(dim, input.rank())?,
        None => {
            input = cx.reshape(&input, &[cx.product(&input.dims)]);
            indices = cx.reshape(&indices, &[cx.product(&indices.dims)]);
            0
        }
    };
    input = with_a_dim(cx, input);
    let mut dims = cx.broadcast_dims(&[&input.dims, &indices.dims]);
    dims[dim] = indices.dims.get(dim).copied().unwrap_or(Dim::Static(1));
    let shape = if indices.rank() == 0 { Vec::new() } else { dims.clone() };
    if indices.rank() == 0 {
        indices = cx.reshape(&indices, &dims);
    }
    let zero = cx.b.index(0);
    let fixed: Vec<_> = (0..dims.len()).map(|d| input.dims[d].known() == Some(1) && dims[d].known() != Some(1)).collect();
    for d in (0..dims.len()).filter(|d| *d != dim && !fixed[*d]) {
        cx.check_sizes(input.dims[d], dims[d]);
    }
    let axis = Axis::new(cx, op, &input, dim);
    let result = cx.map(&dims, input.element, &[cx.broadcast(&indices, &dims)], |body, a| {
        let mut at: Vec<_> = loops(body, dims.len()).into_iter().zip(&fixed).map(|(i, fixed)| if *fixed { zero } else { i }).collect();
        let place = axis.place(body, a[0]);
        at[dim] = place.index;
        read(body, &input, &at, &[place])
    });
    let result = cx.reshape(&result, &shape);
    cx.set(op.op.result(0), result);
    Ok(())
}

fn repeat_interleave_int<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let mut input = cx.operand(op, "input")?;
    let dim = match op.op.int("dim") {
        Some(dim) if input.rank() > 0 => op.normalize(dim, input.rank())?,
        _ => {
            input = cx.reshape(&input, &[cx.product(&input.dims)]);
            0
        }
    };
    let repeats = cx.sizes(op, "repeats").first().copied().unwrap_or(Dim::Static(1));
    let mut dims = input.dims.clone();
    dims[dim] = cx.mul(dims[dim], repeats);
    if let Some(size) = cx.sizes(op, "output_size").first() {
        cx.check_sizes(dims[dim], *size);
    }
    let times = cx.dim_value(repeats);
    let result = read_at(cx, &input, &dims, |body, mut at| {
        at[dim] = body.s.div(body.as_number(at[dim]), body.as_number(times)).value;
        at
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

fn one_hot<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let classes = op.op.int("num_classes").unwrap_or(-1);
    let element = op.result_element(0);
    if classes < 0 {
        let dims = input.dims.iter().copied().map(Some).chain([None]).collect();
        cx.host_op(op, "fx::one_hot", &[input], HostArguments::default(), &[HostResult { dims, element }]);
        return Ok(());
    }
    let rank = input.rank();
    let dims = [input.dims.clone(), vec![Dim::Static(classes)]].concat();
    let axis = Axis::described(cx, op, Dim::Static(classes), "class {value} is not one of {bound}, counted from 0");
    let map = (0..rank).map(Ix::Loop).collect();
    let result = cx.map(&dims, element, &[Operand { tensor: input, map }], |body, a| {
        let s = &body.s;
        let (own, _) = axis.check(body, a[0]);
        s.cast(s.compare(Compare::Eq, own, body.as_number(body.index(rank))), element)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The number of elements of the sequence (of each row of it) that are less than the input, or not more if `right`; NaN
/// comes last.
fn search<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, sequence: &Tensor<'c>, sorter: Option<Tensor<'c>>, right: bool) -> Result {
    let value = op.operand("input")?;
    let scalar = (!value.ty().is_tensor()).then(|| cx.scalar(value));
    let input = if scalar.is_some() { None } else { Some(cx.tensor(value)?) };
    let dims = input.as_ref().map(|tensor| tensor.dims.clone()).unwrap_or_default();
    let rank = dims.len();
    let row = sequence.rank() - 1;
    let typed = |value: Value<'c>, tensor: &Tensor<'c>| value.ty().with_element(tensor.element);
    let types = [typed(sequence.value, sequence), input.as_ref().map_or(value.ty(), |input| typed(value, input))];
    let ty = opmath(cx.context(), promote(cx.context(), &types));
    let length = sequence.dims[row];
    cx.check_shape(&sequence.dims[..row], &dims);
    if let Some(sorter) = &sorter {
        cx.check_shape(&sorter.dims, &sequence.dims);
    }
    let order = Axis::described(cx, op, length, "sorter index {value} is out of range for {bound} elements");
    let i64_type = Type::int(cx.context(), 64);
    let zero = Scalars::new(cx.b).int(i64_type, 0);
    let operands: Vec<_> = input.iter().map(|tensor| Operand { tensor: tensor.clone(), map: (0..rank).map(Ix::Loop).collect() }).collect();
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let x = match scalar {
            Some(scalar) => s.from_scalar(scalar, ty),
            None => s.cast(a[0], ty),
        };
        let mut at = loops(body, row);
        at.push(body.index(rank));
        let place = sorter.as_ref().map(|sorter| order.place(body, body.extract(sorter, &at)));
        if let Some(place) = place {
            at[row] = place.index;
        }
        let element = s.cast(read(body, sequence, &at, place.as_slice()), ty);
        let beyond = s.compare(if right { Compare::Gt } else { Compare::Ge }, element, x);
        vec![s.add(acc[0], s.cast(s.not(beyond), i64_type))]
    };
    let count = cx.reduce(&dims, &[length], &[zero], &operands, body).remove(0);
    let result = crate::rows::reduction::cast(cx, &count, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}

fn select_scatter<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, src) = (cx.operand(op, "input")?, cx.operand(op, "src")?);
    let rank = input.rank();
    let dim = op.dim("dim", rank)?;
    let index = cx.sizes(op, "index").first().copied().unwrap_or(Dim::Static(0));
    let index = from_start(cx, index, input.dims[dim]);
    check_range(cx, op, index, Dim::Static(1), input.dims[dim]);
    let mut slice = input.dims.clone();
    slice.remove(dim);
    cx.check_shape(&src.dims, &slice);
    let index = cx.dim_value(index);
    let result = cx.map(&input.dims, input.element, &[cx.broadcast(&input, &input.dims)], |body, a| {
        let mut at = loops(body, rank);
        let here = body.s.compare(Compare::Eq, body.as_number(at.remove(dim)), body.as_number(index));
        read_inside(body, &src, &at, here, a[0])
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

fn slice_scatter<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, src) = (cx.operand(op, "input")?, cx.operand(op, "src")?);
    let rank = input.rank();
    let dim = op.normalize(op.op.int("dim").unwrap_or(0), rank)?;
    let size = input.dims[dim];
    let (start, end) = slice_bounds(cx, op, size);
    let step = cx.sizes(op, "step").first().copied().unwrap_or(Dim::Static(1));
    let mut range = input.dims.clone();
    range[dim] = slice_length(cx, start, end, step, size);
    let lead = rank - src.rank();
    let whole = start.known() == Some(0) && end == size && step.known() == Some(1);
    // `src` broadcasts to the range.
    let fixed: Vec<_> = (0..src.rank()).map(|i| src.dims[i].known() == Some(1)).collect();
    for i in (0..src.rank()).filter(|i| !fixed[*i]) {
        cx.check_sizes(src.dims[i], range[lead + i]);
    }
    let broadcasts = lead > 0 || (0..rank).any(|i| fixed[i] && input.dims[i].known() != Some(1));
    if whole && !broadcasts {
        let result = cx.cast_to(src.value, &input.dims, src.element);
        cx.set(op.op.result(0), result);
        return Ok(());
    }
    let (start, end, step) = (cx.dim_value(start), cx.dim_value(end), cx.dim_value(step));
    let zero = cx.b.index(0);
    let result = cx.map(&input.dims, input.element, &[cx.broadcast(&input, &input.dims)], |body, a| {
        let s = &body.s;
        let number = |value: Value<'c>| body.as_number(value);
        let mut at = loops(body, rank);
        let i = number(at[dim]);
        let distance = s.sub(i, number(start));
        let inside = s.and(s.compare(Compare::Ge, i, number(start)), s.compare(Compare::Lt, i, number(end)));
        let inside = s.and(inside, s.compare(Compare::Eq, s.rem(distance, number(step)), number(zero)));
        at[dim] = s.div(distance, number(step)).value;
        let at: Vec<_> = at[lead..].iter().zip(&fixed).map(|(i, fixed)| if *fixed { zero } else { *i }).collect();
        read_inside(body, &src, &at, inside, a[0])
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

fn diagonal_scatter<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, src) = (cx.operand(op, "input")?, cx.operand(op, "src")?);
    let rank = input.rank();
    let (dim1, dim2) = (op.normalize(op.op.int("dim1").unwrap_or(0), rank)?, op.normalize(op.op.int("dim2").unwrap_or(1), rank)?);
    let offset = op.op.int("offset").unwrap_or(0);
    cx.check_shape(&src.dims, &diagonal_dims(cx, &input.dims, dim1, dim2, offset));
    let index = Type::index(cx.context());
    let result = cx.map(&input.dims, input.element, &[cx.broadcast(&input, &input.dims)], |body, a| {
        let s = &body.s;
        let all = loops(body, rank);
        let (i, j) = (body.as_number(all[dim1]), body.as_number(all[dim2]));
        let here = s.compare(Compare::Eq, s.sub(j, i), s.int(index, offset));
        let mut at: Vec<_> = (0..rank).filter(|d| *d != dim1 && *d != dim2).map(|d| all[d]).collect();
        at.push(s.sub(i, s.int(index, (-offset).max(0))).value);
        read_inside(body, &src, &at, here, a[0])
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The elements with `column - row` on the right side of `diagonal`, 0 elsewhere.
fn triangle<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, keeps: Compare) -> Result {
    let input = cx.operand(op, "input")?;
    let rank = input.rank();
    let diagonal = cx.sizes(op, "diagonal").first().copied().unwrap_or(Dim::Static(0));
    let diagonal = cx.dim_value(diagonal);
    let result = cx.map(&input.dims, input.element, &[cx.broadcast(&input, &input.dims)], |body, a| {
        let s = &body.s;
        let distance = s.sub(body.as_number(body.index(rank - 1)), body.as_number(body.index(rank - 2)));
        s.select(s.compare(keeps, distance, body.as_number(diagonal)), a[0], s.int(a[0].ty, 0))
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Rows and columns of the elements that `keeps` says, as a constant.
fn triangle_indices<'c>(f: &Fx<'c>, op: FxOp<'c>, keeps: fn(i64, i64) -> bool) -> Result<Vec<Value<'c>>> {
    let (rows, columns, offset) = (op.int("row")?, op.int("col")?, op.op.int("offset").unwrap_or(0));
    let places: Vec<_> = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).filter(|(i, j)| keeps(j - i, offset)).collect();
    let numbers = places.iter().map(|place| place.0).chain(places.iter().map(|place| place.1));
    let bytes: Vec<u8> = numbers.flat_map(i64::to_le_bytes).collect();
    let ty = Type::tensor(&[2, places.len() as i64], Type::int(f.context(), 64));
    let Some(constant) = Attribute::dense(ty, &bytes) else { return Err(op.error("internal bug: its positions make no constant")) };
    Ok(vec![f.cast(f.b.constant(constant, ty), op.result_element(0))?])
}
