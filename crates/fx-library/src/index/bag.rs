//! Reductions over bags of rows of a table, and gradients of lookups (aten/src/ATen/native/EmbeddingBag.cpp).

use crate::typed::{
    Arguments, Float, Number, Values, elements, filled, integer_tensor, integers, position, tensor, volume, with_float, with_number,
};
use fx_runtime::{DType, HostTensor, OpCall};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Sum,
    Mean,
    Max,
}

impl Mode {
    fn new(number: i64) -> Result<Self, String> {
        match number {
            0 => Ok(Mode::Sum),
            1 => Ok(Mode::Mean),
            2 => Ok(Mode::Max),
            other => Err(format!("does not know the mode {other}")),
        }
    }
}

/// Rows of a table.
fn table<T: Float>(tensor: &HostTensor) -> Result<(&[T], usize, usize), String> {
    match tensor.dims() {
        [rows, columns] => Ok((elements(tensor)?, *rows, *columns)),
        other => Err(format!("expects a table, got a tensor of shape {other:?}")),
    }
}

/// Checks that bags lie one after the other from the first index on.
fn checked(offsets: &[i64], count: usize) -> Result<Vec<usize>, String> {
    let mut before = 0;
    let mut checked = Vec::with_capacity(offsets.len());
    for (i, offset) in offsets.iter().enumerate() {
        let at = usize::try_from(*offset).ok().filter(|at| *at <= count && *at >= before && (i > 0 || *at == 0));
        before = at.ok_or_else(|| format!("offset {i} is {offset}: offsets start at 0, do not decrease and are at most {count}"))?;
        checked.push(before);
    }
    Ok(checked)
}

/// The bag of each index: the last that starts at it or before.
fn bags_of(offsets: &[usize], count: usize) -> Vec<i64> {
    let mut bags = Vec::with_capacity(count);
    for (bag, start) in offsets.iter().enumerate() {
        let end = offsets.get(bag + 1).copied().unwrap_or(count);
        bags.resize(bags.len() + (end - start), bag as i64);
    }
    bags
}

/// `embedding_bag(weight, indices, offsets, [scale]; mode, include_last, padding) -> output, bag of each index, bag sizes,
/// index of each maximum`. Bags of rows `padding` skip them. As PyTorch on a CPU, a sum without padding gives no bags, and
/// sums give zeros for sizes; the sizes stand for the maxima where there are none.
pub(crate) fn embedding_bag(call: &OpCall<'_>) -> Values {
    with_float!(call.tensor(0)?.dtype(), T => forward::<T>(call))
}

fn forward<T: Float>(call: &OpCall<'_>) -> Values {
    let (weight, rows, columns) = table::<T>(call.tensor(0)?)?;
    let indices = integers(call.tensor(1)?)?;
    let count = indices.len();
    let mut starts = checked(&integers(call.tensor(2)?)?, count)?;
    let scale = call.tensor(3).ok().map(elements::<T>).transpose()?;
    let (mode, include_last, padding) = (Mode::new(call.int(0)?)?, call.flag(1)?, call.int(2)?);
    // Such sums read bags by their offsets; others by the bag of each index.
    let by_offsets = padding < 0 && mode != Mode::Max && T::DTYPE != DType::F64;
    if include_last {
        let last = starts.pop().ok_or("lacks the last offset")?;
        if last != count {
            return Err(format!("the last offset is {last}, expected the number of indices, {count}"));
        }
    }
    let bags = starts.len();
    let mut output = filled(volume(&[bags, columns])?, T::ZERO)?;
    let mut sizes = Vec::with_capacity(bags);
    let mut maxima = vec![0; if mode == Mode::Max { bags * columns } else { 0 }];
    let mut sums = vec![T::Wide::ZERO; columns];
    for (bag, start) in starts.iter().enumerate() {
        let end = starts.get(bag + 1).copied().unwrap_or(count);
        let own = &mut output[bag * columns..(bag + 1) * columns];
        let (mut size, mut first) = ((end - start) as i64, true);
        sums.fill(T::Wide::ZERO);
        for k in *start..end {
            let row = position(indices[k], 0, rows, false)?;
            if indices[k] == padding {
                size -= 1;
                continue;
            }
            let read = &weight[row * columns..(row + 1) * columns];
            match (mode, scale) {
                (Mode::Max, _) => {
                    let places = own.iter_mut().zip(&mut maxima[bag * columns..]);
                    for (value, (best, at)) in read.iter().zip(places) {
                        if first || *value > *best {
                            (*best, *at) = (*value, indices[k]);
                        }
                    }
                    first = false;
                }
                (_, None) => sums.iter_mut().zip(read).for_each(|(sum, value)| *sum = sum.plus(value.widen())),
                (_, Some(scale)) => {
                    let scale = scale.get(k).ok_or("has fewer weights than indices")?.widen();
                    sums.iter_mut().zip(read).for_each(|(sum, value)| *sum = sum.plus(value.widen().times(scale)));
                }
            }
        }
        if mode != Mode::Max {
            own.iter_mut().zip(&sums).for_each(|(to, sum)| *to = T::narrow(*sum));
        }
        if mode == Mode::Mean {
            own.iter_mut().for_each(|value| *value = value.over(T::from_count(size.max(1) as usize)));
        }
        sizes.push(if mode == Mode::Sum { 0 } else { size });
    }
    let of_each = if by_offsets && mode == Mode::Sum { Vec::new() } else { bags_of(&starts, count) };
    let integer = |index: usize, dims: &[usize], values: &[i64]| integer_tensor(call.result(index)?.dtype, dims, values);
    let maxima = if mode == Mode::Max { integer(3, &[bags, columns], &maxima)? } else { integer(3, &[bags], &sizes)? };
    Ok(vec![tensor(&[bags, columns], &output)?, integer(1, &[of_each.len()], &of_each)?, integer(2, &[bags], &sizes)?, maxima])
}

/// The given bag of each index, or that which the offsets say where none is given.
fn given_bags(call: &OpCall<'_>, bags: usize, offsets: Option<usize>, count: usize, of: usize) -> Result<Vec<usize>, String> {
    let mut given = integers(call.tensor(bags)?)?.into_owned();
    if let (true, Some(offsets)) = (given.is_empty() && count > 0, offsets) {
        given = bags_of(&checked(&integers(call.tensor(offsets)?)?, count)?, count);
    }
    if given.len() != count {
        return Err(format!("knows the bags of {} indices, expected {count}", given.len()));
    }
    given.iter().map(|bag| position(*bag, 0, of, false)).collect()
}

/// How often each of `rows` rows is asked for.
fn frequencies(indices: &[usize], rows: usize) -> Vec<usize> {
    let mut counts = vec![0; rows];
    indices.iter().for_each(|row| counts[*row] += 1);
    counts
}

/// `embedding_bag_backward(grad, indices, bags, sizes, maxima, [offsets], [scale]; mode, by_frequency, padding, has_offsets)
/// -> gradient of the table`.
pub(crate) fn embedding_bag_backward(call: &OpCall<'_>) -> Values {
    fn typed<T: Float>(call: &OpCall<'_>) -> Values {
        let (grad, bags, columns) = table::<T>(call.tensor(0)?)?;
        let dims = call.dims(0)?;
        let rows = dims.first().copied().unwrap_or(0);
        let (mode, by_frequency, padding) = (Mode::new(call.int(0)?)?, call.flag(1)?, call.int(2)?);
        let sizes = integers(call.tensor(3)?)?;
        let mut table = filled(volume(&[rows, columns])?, T::ZERO)?;
        if mode == Mode::Max {
            let maxima = integers(call.tensor(4)?)?;
            if (sizes.len(), call.tensor(4)?.dims()) != (bags, &[bags, columns]) {
                return Err(format!("has sizes and maxima of other bags than the {bags} of the gradient"));
            }
            for bag in (0..bags).filter(|bag| sizes.get(*bag).is_some_and(|size| *size != 0)) {
                for d in 0..columns {
                    let at = *maxima.get(bag * columns + d).ok_or("lacks the indices of the maxima")?;
                    let to = &mut table[position(at, 0, rows, false)? * columns + d];
                    *to = to.plus(grad[bag * columns + d]);
                }
            }
            return Ok(vec![tensor(&dims, &table)?]);
        }
        let indices = integers(call.tensor(1)?)?;
        let at = indices.iter().map(|at| position(*at, 0, rows, false)).collect::<Result<Vec<_>, _>>()?;
        let has_offsets = call.flag(3)?;
        let of = given_bags(call, 2, has_offsets.then_some(5), at.len(), bags)?;
        let scale = call.tensor(5 + usize::from(has_offsets)).ok().map(elements::<T>).transpose()?;
        let counts = if by_frequency { frequencies(&at, rows) } else { Vec::new() };
        for (k, (row, bag)) in at.iter().zip(&of).enumerate() {
            if indices[k] == padding {
                continue;
            }
            let mut factor =
                scale.map_or(Ok(1.0), |scale| scale.get(k).map(|value| value.to_f64()).ok_or("has fewer weights than indices"))?;
            if by_frequency {
                factor /= counts[*row] as f64;
            }
            if mode == Mode::Mean {
                factor /= *sizes.get(*bag).ok_or("lacks the sizes of the bags")? as f64;
            }
            add_row(&mut table, *row, &grad[bag * columns..(bag + 1) * columns], T::from_f64(factor));
        }
        Ok(vec![tensor(&dims, &table)?])
    }
    with_float!(call.tensor(0)?.dtype(), T => typed::<T>(call))
}

/// Adds a scaled row to row `row` of a table; each sum is rounded.
fn add_row<T: Number>(table: &mut [T], row: usize, values: &[T], factor: T) {
    let to = &mut table[row * values.len()..(row + 1) * values.len()];
    for (to, value) in to.iter_mut().zip(values) {
        *to = T::narrow(to.widen().plus(factor.widen().times(value.widen())));
    }
}

/// `embedding_bag_weights_backward(grad, weight, indices, offsets, bags; padding) -> gradient of the scales`: products of
/// rows of the gradient and of the table.
pub(crate) fn embedding_bag_weights_backward(call: &OpCall<'_>) -> Values {
    fn typed<T: Float>(call: &OpCall<'_>) -> Values {
        let (grad, bags, columns) = table::<T>(call.tensor(0)?)?;
        let (weight, rows, width) = table::<T>(call.tensor(1)?)?;
        if width != columns {
            return Err(format!("the gradient has {columns} columns, the table {width}"));
        }
        let (indices, padding) = (integers(call.tensor(2)?)?, call.int(0)?);
        let of = given_bags(call, 4, Some(3), indices.len(), bags)?;
        let mut products = Vec::with_capacity(indices.len());
        for (at, bag) in indices.iter().zip(of) {
            let row = position(*at, 0, rows, false)?;
            let pairs = grad[bag * columns..].iter().zip(&weight[row * columns..(row + 1) * columns]);
            let product = pairs.fold(T::Wide::ZERO, |sum, (g, w)| sum.plus(g.widen().times(w.widen())));
            products.push(if *at == padding { T::ZERO } else { T::narrow(product) });
        }
        Ok(vec![tensor(&call.dims(0)?, &products)?])
    }
    with_float!(call.tensor(0)?.dtype(), T => typed::<T>(call))
}

/// `embedding_backward(grad, indices; by_frequency, padding) -> gradient of the table`: sums of the gradient's rows, one
/// after the other, each sum rounded.
pub(crate) fn embedding_backward(call: &OpCall<'_>) -> Values {
    let (indices, dims) = (integers(call.tensor(1)?)?, call.dims(0)?);
    let (by_frequency, padding) = (call.flag(0)?, call.int(1)?);
    let (rows, columns) = (dims.first().copied().unwrap_or(0), dims.last().copied().unwrap_or(0));
    let (grad, places) = (call.tensor(0)?.dims(), call.tensor(1)?.dims());
    if grad.split_last().is_none_or(|(_, lead)| lead != places) {
        return Err(format!("has a gradient of shape {grad:?} for indices of shape {places:?}"));
    }
    let at = indices.iter().map(|at| position(*at, 0, rows, false)).collect::<Result<Vec<_>, _>>()?;
    let counts = if by_frequency { frequencies(&at, rows) } else { Vec::new() };
    with_number!(call.tensor(0)?.dtype(), T => {
        let grad = elements::<T>(call.tensor(0)?)?;
        let mut table = filled(volume(&[rows, columns])?, T::ZERO)?;
        for (k, row) in at.iter().enumerate().filter(|(k, _)| indices[*k] != padding) {
            let factor = if by_frequency { T::ONE.over(T::from_count(counts[*row])) } else { T::ONE };
            let values = grad.get(k * columns..(k + 1) * columns).ok_or("has fewer gradients than indices")?;
            add_row(&mut table, *row, values, factor);
        }
        Ok(vec![tensor(&dims, &table)?])
    })
}
