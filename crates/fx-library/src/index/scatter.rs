//! Scattering along one dim: element by element, or slice by slice.

use super::reduce::{Pairs, Rules, reduce};
use crate::typed::{
    Arguments, Lanes, Number, Values, copied, elements, elements_mut, finished, integers, offsets, position, strides, with_cell,
    with_number,
};
use fx_runtime::{HostTensor, OpCall};

/// Where each element of an index goes: rows of its last dim, by the position of their first element in the input (but for
/// the index itself) and in the source.
struct Places {
    rows: Vec<(usize, usize)>,
    /// Elements of a row, and how far apart they lie in the input and in the source.
    last: usize,
    steps: (usize, usize),
    /// How far apart places along the scattered dim lie.
    stride: usize,
    index: Vec<usize>,
}

impl Places {
    /// Places of a scatter along `dim`: `index` lies within the source's sizes, and within the input's but along `dim`. A
    /// source without dims is written everywhere.
    fn new(input: &HostTensor, index: &HostTensor, source: &HostTensor, dim: i64) -> Result<Self, String> {
        if index.is_empty() {
            return Ok(Places { rows: Vec::new(), last: 0, steps: (0, 0), stride: 0, index: Vec::new() });
        }
        let lift = |dims: &[usize]| if dims.is_empty() { vec![1] } else { dims.to_vec() };
        let (sizes, into) = (lift(index.dims()), lift(input.dims()));
        let dim = usize::try_from(dim).ok().filter(|dim| *dim < into.len()).ok_or("has no such dim")?;
        let within = |of: &[usize], skip: usize| sizes.len() == of.len() && (0..of.len()).all(|d| d == skip || sizes[d] <= of[d]);
        if !within(&into, dim) {
            return Err(format!("an index of shape {sizes:?} does not fit {into:?} along dim {dim}"));
        }
        let everywhere = source.dims().is_empty();
        if !everywhere && !within(source.dims(), usize::MAX) {
            return Err(format!("an index of shape {sizes:?} does not fit a source of shape {:?}", source.dims()));
        }
        let of = if everywhere { vec![0; sizes.len()] } else { strides(source.dims()) };
        let mut at = strides(&into);
        let stride = std::mem::take(&mut at[dim]);
        let leading = sizes.len() - 1;
        let starts = |steps: &[usize]| offsets(&sizes[..leading], &steps[..leading]);
        Ok(Places {
            rows: starts(&at).into_iter().zip(starts(&of)).collect(),
            last: sizes[leading],
            steps: (at[leading], of[leading]),
            stride,
            index: integers(index)?.iter().map(|at| position(*at, dim, into[dim], false)).collect::<Result<_, _>>()?,
        })
    }
}

impl Pairs for Places {
    fn for_each(&self, mut visit: impl FnMut(usize, usize)) {
        for ((at, of), index) in self.rows.iter().zip(self.index.chunks_exact(self.last.max(1))) {
            for (j, index) in index.iter().enumerate() {
                visit(at + j * self.steps.0 + index * self.stride, of + j * self.steps.1);
            }
        }
    }
}

/// `scatter(x, index, source; dim, include_self) {reduce} -> y`: writes, or reduces ("sum", "prod", "mean", "amax",
/// "amin"), the source's elements at places along `dim`. Halves are reduced in f32 and rounded at the end.
pub(super) fn scatter(call: &OpCall<'_>) -> Values {
    let (input, source) = (call.tensor(0)?, call.tensor(2)?);
    let places = Places::new(input, call.tensor(1)?, source, call.int(0)?)?;
    let name = call.word("reduce");
    if !name.is_empty() {
        let rules = Rules { include_self: call.flag(1)?, round_each: false };
        return Ok(vec![reduce(name, input, source, &places, rules)?]);
    }
    let mut buffer = copied(input)?;
    with_cell!(input.dtype(), N => {
        let (from, _) = source.bytes().as_chunks::<N>();
        let (to, _) = buffer.as_mut_slice().as_chunks_mut::<N>();
        places.for_each(|at, of| to[at] = from[of]);
    });
    Ok(vec![finished(input.dtype(), input.dims(), buffer)?])
}

/// Slices of a source along a dim, and where each goes.
struct Slices {
    lanes: Lanes,
    size: usize,
    at: Vec<usize>,
}

impl Slices {
    /// `source` has the input's shape but `index.len()` slices along `dim`.
    fn new(input: &HostTensor, index: &HostTensor, source: &HostTensor, dim: i64) -> Result<Self, String> {
        let into = Lanes::new(input.dims(), dim)?;
        let at = integers(index)?.iter().map(|at| position(*at, dim as usize, into.len, false)).collect::<Result<Vec<_>, _>>()?;
        let lanes = Lanes { len: at.len(), ..into };
        let mut shape = input.dims().to_vec();
        if let Some(size) = shape.get_mut(dim as usize) {
            *size = at.len();
        }
        // One element needs no dims.
        if source.dims() != shape && (source.len() != 1 || lanes.outer * lanes.len * lanes.inner != 1) {
            return Err(format!("a source of shape {:?} does not have {} slices along dim {dim}", source.dims(), at.len()));
        }
        Ok(Slices { lanes, size: into.len, at })
    }
}

impl Pairs for Slices {
    fn for_each(&self, mut visit: impl FnMut(usize, usize)) {
        let Lanes { outer, len, inner } = self.lanes;
        for o in 0..outer {
            for (j, at) in self.at.iter().enumerate() {
                let (at, of) = ((o * self.size + at) * inner, (o * len + j) * inner);
                (0..inner).for_each(|r| visit(at + r, of + r));
            }
        }
    }
}

/// `index_add(x, index, source; dim, alpha) -> y`: adds `alpha` times slices of the source, one after the other, each sum
/// rounded.
pub(super) fn index_add(call: &OpCall<'_>) -> Values {
    let (input, source) = (call.tensor(0)?, call.tensor(2)?);
    let slices = Slices::new(input, call.tensor(1)?, source, call.int(0)?)?;
    with_number!(input.dtype(), T => {
        let alpha = <T as Number>::Wide::from_scalar(call.int(1)?);
        let source = elements::<T>(source)?;
        let mut buffer = copied(input)?;
        let values = elements_mut::<T>(&mut buffer)?;
        slices.for_each(|at, of| values[at] = T::narrow(values[at].widen().plus(alpha.times(source[of].widen()))));
        Ok(vec![finished(input.dtype(), input.dims(), buffer)?])
    })
}

/// `index_reduce(x, index, source; dim, include_self) {reduce} -> y`: reduces slices one after the other, each result
/// rounded.
pub(super) fn index_reduce(call: &OpCall<'_>) -> Values {
    let (input, source) = (call.tensor(0)?, call.tensor(2)?);
    let slices = Slices::new(input, call.tensor(1)?, source, call.int(0)?)?;
    let rules = Rules { include_self: call.flag(1)?, round_each: true };
    Ok(vec![reduce(call.word("reduce"), input, source, &slices, rules)?])
}
