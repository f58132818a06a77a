//! Of sorting and selection: each element of a result is one of the operand.

use fx_ir::{Attribute, Result, Type, Value};

use super::indexing::{at_dim, scattered};
use super::reduction::{all_but_one, factors};
use super::shape::iota;
use crate::fx_op::Dim;
use crate::gradient::{Back, kept};
use crate::rows::shape::slice_value;

/// Elements along `dim`, and (second result) where they were: `g` goes back there.
pub(super) fn picked(b: &Back<'_>, dim: usize) -> Result {
    let (mut g, input, mut index) = (b.g()?, b.op.operand("input")?, b.op.op.result(1));
    if input.ty().rank() == 0 {
        b.give("input", g);
        return Ok(());
    }
    if index.ty().rank() < input.ty().rank() {
        let sizes = kept(b, input, &[dim]);
        (g, index) = (b.view(g, &sizes)?, b.view(index, &sizes)?);
    }
    b.give("input", scattered(b, "input", dim, index, g)?);
    Ok(())
}

/// All elements in order, the first of them, or one per row.
pub fn along_dim(b: &Back<'_>) -> Result {
    let dim = b.op.op.int("dim").unwrap_or(-1);
    picked(b, b.op.normalize(dim, b.op.operand("input")?.ty().rank())?)
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// Segments of `data` along `axis`.
struct Segments<'c> {
    axis: usize,
    /// For each element, the segment that it is in.
    index: Value<'c>,
    /// Whether it is in one.
    inside: Value<'c>,
    /// The number of elements of each segment.
    lengths: Value<'c>,
}

impl<'c> Segments<'c> {
    fn new(b: &Back<'c>) -> Result<Self> {
        let data = b.op.operand("data")?;
        let sizes = b.dims(data);
        let axis = b.op.normalize(b.op.op.int("axis").unwrap_or(0), sizes.len())?;
        let zero = Dim::Static(0);
        let (bounds, lengths) = match b.op.optional("offsets") {
            Some(offsets) => {
                let above = slice_value(b, offsets, axis, Dim::Static(1), None)?;
                (offsets, b.sub(above, slice_value(b, offsets, axis, zero, Some(Dim::Static(-1)))?)?)
            }
            None => {
                let lengths = b.op.operand("lengths")?;
                let ends = b.op("fx.cumsum", &[lengths], &at_dim(b, axis))?;
                (b.sized("fx.constant_pad_nd", &[ends], "pad", &[Dim::Static(1), zero], &[])?, lengths)
            }
        };
        // An element is in the last segment that starts at it or before.
        let place = b.expand(iota(b, sizes[axis])?, &sizes[..=axis])?;
        let bounds = b.cast(bounds, Type::int(b.context(), 64))?;
        let right = ("right", Attribute::bool(b.context(), true));
        let segment = b.sub(b.op("fx.searchsorted", &[bounds, place], &[right])?, b.integer(1))?;
        let count = b.dims(lengths)[axis];
        let above = b.ge(segment, b.integer(0))?;
        let below = b.op("fx.lt", &[segment, crate::sizes::value(b, count)], &[])?;
        let inside = b.op("fx.logical_and", &[above, below], &[])?;
        let segment = b.select(inside, segment, b.integer(0))?;
        let column = |mut sizes: Vec<Dim<'c>>| {
            sizes.resize(data.ty().rank(), Dim::Static(1));
            sizes
        };
        let own = column(sizes[..=axis].to_vec());
        let index = b.expand(b.view(segment, &own)?, &sizes)?;
        let lengths = b.view(lengths, &column(b.dims(lengths)))?;
        Ok(Self { axis, index, inside: b.view(inside, &own)?, lengths })
    }

    /// What belongs to segments, for each element.
    fn spread(&self, b: &Back<'c>, value: Value<'c>) -> Result<Value<'c>> {
        b.op("fx.gather", &[value, self.index], &at_dim(b, self.axis))
    }

    /// A reduction of segments, from `initial` on.
    fn reduce(b: &Back<'c>, name: &str, x: Value<'c>, initial: Option<f64>) -> Result<Value<'c>> {
        let mut operands = vec![("data", x)];
        for list in ["lengths", "offsets"] {
            operands.extend(b.op.optional(list).map(|value| (list, value)));
        }
        let mut attributes = b.op.attributes(&["axis", "unsafe"]);
        attributes.push(("reduce", Attribute::string(b.context(), name)));
        attributes.extend(initial.map(|initial| ("initial", Attribute::float(b.context(), Type::f64(b.context()), initial))));
        Ok(b.named("fx.segment_reduce", &operands, &[], &attributes)?.result(0))
    }
}

/// Reductions of consecutive segments: of sums `g`, of means `g / n`, of extrema `g` in equal parts, of products `g` times
/// the product of the others.
pub fn segment_reduce<'c>(b: &Back<'c>) -> Result {
    let segments = Segments::new(b)?;
    let (g, x) = (b.g()?, b.x("data")?);
    let sum = |x: Value<'c>| Segments::reduce(b, "sum", x, None);
    let own = match b.op.op.text("reduce").unwrap_or_default() {
        "sum" => segments.spread(b, g)?,
        "mean" => segments.spread(b, b.div(g, b.op("fx.maximum", &[segments.lengths, b.integer(1)], &[])?)?)?,
        "prod" => {
            let own = factors(b, x)?;
            let product = Segments::reduce(b, "prod", own.rest, b.op.op.float("initial"))?;
            let spread = |value: Value<'c>| segments.spread(b, value);
            let others = all_but_one(b, &own, spread(product)?, spread(sum(own.is_zero)?)?, spread(sum(own.zero)?)?)?;
            b.mul(spread(g)?, others)?
        }
        _ => {
            let y = segments.spread(b, b.y(0)?)?;
            let [x_nan, y_nan] = [x, y].map(|value| b.op("fx.isnan", &[value], &[]));
            let both_nan = b.op("fx.logical_and", &[x_nan?, y_nan?], &[])?;
            let wins = b.op("fx.logical_or", &[b.eq(x, y)?, both_nan], &[])?;
            let winners = sum(b.cast(wins, g.ty().element())?)?;
            let share = b.div(g, b.op("fx.maximum", &[winners, b.number(1.0)], &[])?)?;
            b.select(wins, segments.spread(b, share)?, b.number(0.0))?
        }
    };
    b.give("data", b.select(segments.inside, own, b.number(0.0))?);
    Ok(())
}
