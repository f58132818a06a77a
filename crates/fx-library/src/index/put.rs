//! Values put at positions that index tensors give.

use crate::typed::{
    Arguments, Number, Values, broadcast_strides, copied, elements, elements_mut, finished, integers, offsets, position, strides,
    with_cell, with_number, written,
};
use fx_runtime::{HostTensor, OpCall};

/// Every place that is written, as (position in the input, position in the values), in runs of consecutive elements.
struct Places {
    /// Starts of runs, by the three parts of the indexed shape: dims before the positions, the positions, dims behind.
    parts: [Vec<(usize, usize)>; 3],
    run: usize,
}

impl Places {
    fn starts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let [before, positions, behind] = &self.parts;
        before.iter().flat_map(move |a| positions.iter().flat_map(move |b| behind.iter().map(move |c| (a.0 + b.0 + c.0, a.1 + b.1 + c.1))))
    }

    /// `tensors` index the dims `indexed`. The positions' shape stands in place of adjacent dims, and first otherwise.
    fn new(input: &[usize], values: &[usize], tensors: &[HostTensor], indexed: &[usize]) -> Result<Self, String> {
        let shape = broadcast(tensors)?;
        let adjacent = indexed.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let place = if adjacent { indexed.first().copied().unwrap_or(0) } else { 0 };
        let (before, behind): (Vec<_>, Vec<_>) = (0..input.len()).filter(|d| !indexed.contains(d)).partition(|d| *d < place);
        let own = strides(input);
        let pick = |from: &[usize], dims: &[usize]| dims.iter().map(|d| from[*d]).collect::<Vec<_>>();
        let (sizes_before, mut sizes_behind) = (pick(input, &before), pick(input, &behind));
        let mut steps_behind = pick(&own, &behind);
        let whole = [sizes_before.as_slice(), shape.as_slice(), sizes_behind.as_slice()].concat();
        let of = broadcast_strides(values, &whole)?;
        let (of_before, rest) = of.split_at(before.len());
        let (of_positions, of_behind) = rest.split_at(shape.len());
        let mut run = 1;
        while let (Some(size), Some(step)) = (sizes_behind.last(), steps_behind.last()) {
            let dense = *step == run && of_behind[sizes_behind.len() - 1] == run;
            if !dense && *size != 1 {
                break;
            }
            run *= size;
            sizes_behind.pop();
            steps_behind.pop();
        }
        let pairs = |sizes: &[usize], at: &[usize], of: &[usize]| offsets(sizes, at).into_iter().zip(offsets(sizes, of)).collect();
        let mut at = vec![0; shape.iter().product()];
        for (tensor, dim) in tensors.iter().zip(indexed) {
            let index = integers(tensor)?;
            for (at, place) in at.iter_mut().zip(offsets(&shape, &broadcast_strides(tensor.dims(), &shape)?)) {
                *at += position(index[place], *dim, input[*dim], true)? * own[*dim];
            }
        }
        let positions = at.into_iter().zip(offsets(&shape, of_positions)).collect();
        let parts = [
            pairs(&sizes_before, &pick(&own, &before), of_before),
            positions,
            pairs(&sizes_behind, &steps_behind, &of_behind[..sizes_behind.len()]),
        ];
        Ok(Places { parts, run })
    }
}

/// The shape that index tensors broadcast to.
fn broadcast(tensors: &[HostTensor]) -> Result<Vec<usize>, String> {
    let rank = tensors.iter().map(|tensor| tensor.dims().len()).max().unwrap_or(0);
    let mut shape = vec![1; rank];
    for tensor in tensors {
        for (to, from) in shape[rank - tensor.dims().len()..].iter_mut().zip(tensor.dims()) {
            if *to != *from && *to != 1 && *from != 1 {
                return Err(format!("index tensors of shape {:?} and {:?} do not broadcast", tensors[0].dims(), tensor.dims()));
            }
            if *to == 1 {
                *to = *from;
            }
        }
    }
    Ok(shape)
}

/// `index_put(x, values, indices..; accumulate, dim..) -> y`: `y[indices] = values`, or `+=` one after the other, each sum
/// rounded. One dim per index tensor, increasing; negative indices count from the end.
pub(crate) fn index_put(call: &OpCall<'_>) -> Values {
    let (input, values) = (call.tensor(0)?, call.tensor(1)?);
    let tensors = &call.tensors[2..];
    let dim = |i| call.int(i + 1).map(|dim| dim as usize);
    let indexed = (0..tensors.len()).map(dim).collect::<Result<Vec<_>, _>>()?;
    if indexed.iter().any(|dim| *dim >= input.dims().len()) {
        return Err(format!("indexes dims {indexed:?} of {:?}", input.dims()));
    }
    let places = Places::new(input.dims(), values.dims(), tensors, &indexed)?;
    if call.flag(0)? {
        return with_number!(input.dtype(), T => {
            let (mut buffer, values) = (copied(input)?, elements::<T>(values)?);
            let sums = elements_mut::<T>(&mut buffer)?;
            for (at, of) in places.starts() {
                for (sum, value) in sums[at..at + places.run].iter_mut().zip(&values[of..of + places.run]) {
                    *sum = sum.plus(*value);
                }
            }
            Ok(vec![finished(input.dtype(), input.dims(), buffer)?])
        });
    }
    let mut buffer = copied(input)?;
    with_cell!(input.dtype(), N => {
        let (from, _) = values.bytes().as_chunks::<N>();
        let (to, _) = buffer.as_mut_slice().as_chunks_mut::<N>();
        for (at, of) in places.starts() {
            to[at..at + places.run].copy_from_slice(&from[of..of + places.run]);
        }
    });
    Ok(vec![finished(input.dtype(), input.dims(), buffer)?])
}

/// `put(x, index, source; accumulate) -> y`: writes, or adds, to places of the flattened tensor; negative ones count from
/// the end.
pub(crate) fn put(call: &OpCall<'_>) -> Values {
    let (input, index, source) = (call.tensor(0)?, integers(call.tensor(1)?)?, call.tensor(2)?);
    if index.len() != source.len() {
        return Err(format!("has {} positions for {} values", index.len(), source.len()));
    }
    let places = index.iter().enumerate().map(|(i, at)| Ok((position(*at, 0, input.len(), true)?, i)));
    if !call.flag(0)? {
        return Ok(vec![written(input, source, places)?]);
    }
    with_number!(input.dtype(), T => {
        let (mut buffer, source) = (copied(input)?, elements::<T>(source)?);
        let sums = elements_mut::<T>(&mut buffer)?;
        for place in places {
            let (at, of): (usize, usize) = place.map_err(|error: String| error)?;
            sums[at] = sums[at].plus(source[of]);
        }
        Ok(vec![finished(input.dtype(), input.dims(), buffer)?])
    })
}
