//! Recognising sums of products whose second factor is read in windows.

use std::collections::BTreeSet;

use fx_ir::{AffineResult, Attribute, DYNAMIC, Op, Value};

use super::affine::{Affine, Bound, bounds};
use crate::contract_cpu::product::{add_loops, factor, factors_of};
use crate::eval::is_cast;
use crate::generic::Generic;

/// A spatial dim: `place = stride * pixel + dilation * tap + offset` in a dim of the tensor, which has `size` elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Results along it.
    pub pixels: i64,
    /// Elements from one result's window to the next one's.
    pub stride: i64,
    /// Elements of a window.
    pub taps: i64,
    /// Elements from one tap to the next.
    pub dilation: i64,
    /// Where the first window starts: not above 0 if there is padding.
    pub offset: i64,
    /// Elements of the tensor along it.
    pub size: i64,
    /// The summed loop over taps; none if there is one tap.
    pub tap: Option<usize>,
}

impl Axis {
    /// How far the last tap of a window lies behind its first.
    pub fn reach(&self) -> i64 {
        (self.taps - 1) * self.dilation
    }
}

/// `out[b.., q..] = sum_{c.., k..} weight[b.., c.., k..] * tensor[f(b, c).., q * stride + k * dilation + offset]`, zeros outside of
/// the tensor. Pixels `q` are the last loops of the result, and the last dims of the tensor; all their sizes are known.
pub struct Window<'c> {
    /// The reduction.
    pub generic: Generic<'c>,
    /// The factor that is one number for all pixels: a value of the body.
    pub weight: Value<'c>,
    /// What is read in windows.
    pub tensor: Value<'c>,
    /// Indices into its dims before the spatial ones: values of the body.
    pub outer: Vec<Value<'c>>,
    /// Conversions of what is read, first one first.
    pub casts: Vec<Op<'c>>,
    /// The spatial dims, outermost first.
    pub axes: Vec<Axis>,
    /// Number of the result's loops before the pixels'.
    pub batch: usize,
    /// Summed loops that are no taps, with their sizes.
    pub channels: Vec<(usize, i64)>,
}

impl<'c> Window<'c> {
    /// The op as such a sum; none if it is something else.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let generic = Generic::new(op).filter(Generic::is_reduction).filter(|generic| generic.outputs.len() == 1)?;
        let ty = op.result(0).ty().element();
        if !(ty.is_f32() || ty.is_f64()) {
            return None;
        }
        let [x, y] = factors_of(&generic)?;
        // One of them is read in windows, the other one is the weight.
        Self::with(&generic, x, y).or_else(|| Self::with(&generic, y, x))
    }

    fn with(generic: &Generic<'c>, weight: Value<'c>, read: Value<'c>) -> Option<Self> {
        let read = Read::of(generic, read)?;
        let parallel = generic.parallel_count();
        let of_weight = factor(generic, weight)?.loops;
        let sizes: Vec<_> = (0..generic.reduced.len()).map(|i| loop_size(generic, i)).collect();
        let shape = read.tensor.ty().shape();
        // As many of the last dims as move with the last loops, one each.
        let mut axes = Vec::new();
        for (d, index) in read.at.iter().enumerate().rev() {
            let Some(pixel) = parallel.checked_sub(axes.len() + 1).filter(|pixel| !of_weight.contains(pixel)) else { break };
            let Some(axis) = axis(*index, pixel, parallel, &sizes, shape[d]) else { break };
            axes.push(axis);
        }
        axes.reverse();
        let batch = parallel - axes.len();
        let outer = read.at[..shape.len() - axes.len()].to_vec();
        let taps: Vec<_> = axes.iter().filter_map(|axis| axis.tap).collect();
        // Other dims do not move with pixels or taps, nor do two dims with the same taps.
        let mut of_outer = BTreeSet::new();
        outer.iter().try_for_each(|index| add_loops(generic, *index, &mut of_outer))?;
        let apart = of_outer.iter().all(|i| !taps.contains(i) && !(batch..parallel).contains(i));
        let distinct = (1..taps.len()).all(|i| !taps[..i].contains(&taps[i]));
        if !apart || !distinct || axes.iter().all(|axis| axis.taps == 1) {
            return None;
        }
        let inner: Vec<_> = read.at[outer.len()..].iter().map(|index| Affine::of(*index)).collect::<Option<_>>()?;
        if !read.bounds.iter().all(|bound| is_edge(bound, &inner, &axes)) || !is_guarded(&read.bounds, &inner, &axes) {
            return None;
        }
        let channels = (parallel..sizes.len()).filter(|i| !taps.contains(i)).map(|i| Some((i, sizes[i]?))).collect::<Option<_>>()?;
        Some(Self { generic: generic.clone(), weight, tensor: read.tensor, outer, casts: read.casts, axes, batch, channels })
    }
}

/// What a body reads from a tensor, or 0 where bounds do not hold.
struct Read<'c> {
    tensor: Value<'c>,
    at: Vec<Value<'c>>,
    casts: Vec<Op<'c>>,
    bounds: Vec<Bound>,
}

impl<'c> Read<'c> {
    fn of(generic: &Generic<'c>, value: Value<'c>) -> Option<Self> {
        let op = value.defining_op()?;
        if is_cast(op) {
            let read = Self::of(generic, op.operand(0))?;
            return Some(Self { casts: [read.casts, vec![op]].concat(), ..read });
        }
        match op.name() {
            "tensor.extract" => {
                let operands = op.operands();
                let (tensor, at) = operands.split_first()?;
                let in_branch = |op: Op<'c>| op.block() != generic.body() && op.ancestor("linalg.generic") == Some(generic.op);
                let everywhere = !at.iter().filter_map(|index| index.defining_op()).any(in_branch);
                everywhere.then(|| Self { tensor: *tensor, at: at.to_vec(), casts: Vec::new(), bounds: Vec::new() })
            }
            "scf.if" => {
                let yielded = |region: usize| Some(op.body(region)?.terminator()?.operand(value.result_index()?));
                let outside = yielded(1)?.constant().and_then(Attribute::as_float);
                let mut read = Self::of(generic, yielded(0)?).filter(|_| outside == Some(0.0))?;
                bounds(op.operand(0), &mut read.bounds)?;
                Some(read)
            }
            _ => None,
        }
    }
}

/// The size of a loop, if a type tells it.
fn loop_size(generic: &Generic<'_>, i: usize) -> Option<i64> {
    let operands = generic.inputs.iter().chain(&generic.outputs).zip(&generic.maps);
    let sizes = operands.filter_map(|(operand, map)| {
        let d = map.iter().position(|place| *place == AffineResult::Dim(i))?;
        Some(operand.ty().shape()[d])
    });
    sizes.into_iter().find(|size| *size != DYNAMIC)
}

/// The dim of `size` elements that `index` is into, as one of pixel loop `pixel`.
fn axis(index: Value<'_>, pixel: usize, parallel: usize, sizes: &[Option<i64>], size: i64) -> Option<Axis> {
    let mut place = Affine::of(index).filter(|_| size != DYNAMIC)?;
    let pixels = sizes[pixel].filter(|pixels| *pixels > 0)?;
    // A loop over one pixel is no part of an index.
    let stride = place.loops.remove(&pixel).or((pixels == 1).then_some(1)).filter(|stride| *stride > 0)?;
    let tap = place.loops.pop_first();
    let taps = tap.map_or(Some(1), |(tap, _)| sizes[tap].filter(|taps| *taps > 0))?;
    let dilation = tap.map_or(1, |(_, dilation)| dilation);
    let fits = place.loops.is_empty() && dilation > 0 && tap.is_none_or(|(tap, _)| tap >= parallel);
    let axis = Axis { pixels, stride, taps, dilation, offset: place.constant, size, tap: tap.map(|(tap, _)| tap) };
    fits.then_some(axis)
}

/// Whether a bound is an end of the tensor.
fn is_edge(bound: &Bound, places: &[Affine], axes: &[Axis]) -> bool {
    places.iter().zip(axes).any(|(place, axis)| match bound {
        Bound::Low(value) => value == place,
        Bound::High(value, limit) => value == place && *limit == axis.size,
    })
}

/// Whether bounds keep all places inside.
fn is_guarded(bounds: &[Bound], places: &[Affine], axes: &[Axis]) -> bool {
    places.iter().zip(axes).all(|(place, axis)| {
        let last = (axis.pixels - 1) * axis.stride + axis.reach() + axis.offset;
        let low = axis.offset >= 0 || bounds.contains(&Bound::Low(place.clone()));
        let high = last < axis.size || bounds.contains(&Bound::High(place.clone(), axis.size));
        low && high
    })
}
