//! The gradients of sampling at the points of a grid, in ops that have derivatives: what takes the place of
//! `fx.grid_sampler_backward` where that is differentiated itself. Points and taps are dims of tensors:
//!
//! ```text
//! grad_input[n, c, q] = sum over points p and taps t at q of g[n, c, p] w(p, t)
//! grad_grid[n, p, i]  = sum over channels c and taps t of g[n, c, p] x[n, c, q(p, t)] dw(p, t) / du_i
//! ```

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::gradient::{ones_like, zeros_like};
use crate::rows::matrix::fold;
use crate::rows::norm::range;
use crate::rows::resample::axis::PLAIN;
use crate::rows::resample::sample::{FAR, Interpolation, OUTSIDE, Padding, Sampling};
use crate::scalar::opmath;

/// Gradients with respect to input and grid, zeros where the mask excludes one.
pub(super) fn sample_backward<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let wide = |name: &str| {
        let x = op.operand(name)?;
        f.cast(x, opmath(f.context(), x.ty().element()))
    };
    let (g, x, grid) = (wide("grad_output")?, wide("input")?, wide("grid")?);
    let (sizes, points) = (f.dims(x), f.dims(grid));
    let count = sizes.len() - 2;
    let sampling = Sampling::of(op, count)?;
    let (n, c, plane, point) = (sizes[0], sizes[1], fold(f, &sizes[2..]), fold(f, &points[1..=count]));
    let coordinates = f.view(grid, &[n, point, Dim::Static(count as i64)])?;
    let mut axes = Vec::new();
    for (i, size) in sizes[2..].iter().enumerate() {
        // Coordinates come last dim first.
        let which = Dim::Static((count - 1 - i) as i64);
        let last = ("dim", Attribute::i64(f.context(), 2));
        let coordinate = f.sized("fx.select", &[coordinates], "index", &[which], &[last])?;
        axes.push(axis(f, &sampling, coordinate, *size, i, count)?);
    }
    let taps = Dim::Static(sampling.taps().pow(count as u32));
    let mut places = axes[0].place;
    for (axis, size) in axes.iter().zip(&sizes[2..]).skip(1) {
        places = f.add(f.mul(places, whole(f, *size))?, axis.place)?;
    }
    let inside = product(f, axes.iter().map(|axis| axis.inside), "fx.logical_and")?;
    let [channel_dims, flat_dims] = [[n, Dim::Static(1), point, taps], [n, c, point, taps]];
    let inside = f.view(inside, &channel_dims)?;
    let samples = fold(f, &[point, taps]);
    let places = f.expand(f.view(places, &[n, Dim::Static(1), samples])?, &[n, c, samples])?;
    let g = f.view(g, &[n, c, point, Dim::Static(1)])?;
    let channels = ("dim", Attribute::i64(f.context(), 2));

    let weight = f.view(product(f, axes.iter().map(|axis| axis.weight), "fx.mul")?, &channel_dims)?;
    let shares = f.select(inside, f.mul(g, weight)?, f.number(0.0))?;
    let zeros = f.view(zeros_like(f, x)?, &[n, c, plane])?;
    let shares = f.view(shares, &[n, c, samples])?;
    let to_input = f.view(f.op("fx.scatter_add", &[zeros, places, shares], &[channels])?, &sizes)?;

    let taken = f.op("fx.gather", &[f.view(x, &[n, c, plane])?, places], &[channels])?;
    let taken = f.select(inside, f.view(taken, &flat_dims)?, f.number(0.0))?;
    let weighed = f.mul(g, taken)?;
    let mut to_grid = Vec::new();
    for i in (0..count).rev() {
        let factors = axes.iter().enumerate().map(|(j, axis)| if i == j { axis.slope } else { axis.weight });
        let slope = f.view(product(f, factors, "fx.mul")?, &channel_dims)?;
        to_grid.push(f.reduce("fx.sum", f.mul(weighed, slope)?, &[1, 3], false)?);
    }
    let to_grid = f.view(f.op("fx.stack", &to_grid, &[("dim", Attribute::i64(f.context(), 2))])?, &points)?;
    [to_input, to_grid].into_iter().enumerate().map(|(i, value)| rounded(f, op, value, i)).collect()
}

/// As result `index` of `op`, which may have type `none`: then any value does.
fn rounded<'c>(f: &Fx<'c>, op: FxOp<'c>, value: Value<'c>, index: usize) -> Result<Value<'c>> {
    if op.op.result(index).ty().is_tensor() { f.cast(value, op.result_element(index)) } else { Ok(value) }
}

fn product<'c>(f: &Fx<'c>, factors: impl IntoIterator<Item = Value<'c>>, name: &str) -> Result<Value<'c>> {
    let mut factors = factors.into_iter();
    let Some(first) = factors.next() else { return Ok(f.number(1.0)) };
    factors.try_fold(first, |product, factor| f.op(name, &[product, factor], &[]))
}

/// The taps along one spatial dim, of shape `[n, points, 1.., taps, 1..]`.
struct Taps<'c> {
    /// The element, as an i64; 0 if it is not `inside`.
    place: Value<'c>,
    inside: Value<'c>,
    weight: Value<'c>,
    /// The derivative of the weight by the coordinate.
    slope: Value<'c>,
}

/// The taps along spatial dim `i` of `count`, of points at coordinates `[n, points]`.
fn axis<'c>(f: &Fx<'c>, sampling: &Sampling, coordinate: Value<'c>, size: Dim<'c>, i: usize, count: usize) -> Result<Taps<'c>> {
    let (place, by_coordinate) = place(f, sampling, coordinate, size)?;
    let spread = |x: Value<'c>| f.view(x, &[&f.dims(x)[..], &vec![Dim::Static(1); count]].concat());
    let (place, by_coordinate) = (spread(place)?, spread(by_coordinate)?);
    let mut offset_dims = vec![Dim::Static(1); 2 + count];
    offset_dims[2 + i] = Dim::Static(sampling.taps());
    let offsets = f.cast(f.view(range(f, offset_dims[2 + i]), &offset_dims)?, place.ty().element())?;
    let whole = |name: &str| f.op(name, &[place], &[]);
    let (at, weight, slope) = match sampling.interpolation {
        Interpolation::Nearest => {
            let at = f.add(whole("fx.round")?, offsets)?;
            (at, ones_like(f, at)?, zeros_like(f, at)?)
        }
        Interpolation::Linear => {
            let at = f.add(whole("fx.floor")?, offsets)?;
            let distance = f.sub(place, at)?;
            let before = f.ge(distance, f.number(0.0))?;
            let weight = f.select(before, f.sub(f.number(1.0), distance)?, f.add(distance, f.number(1.0))?)?;
            let ones = ones_like(f, at)?;
            (at, weight, f.select(before, f.neg(ones)?, ones)?)
        }
        Interpolation::Cubic => {
            let at = f.add(f.sub(whole("fx.floor")?, f.number(1.0))?, offsets)?;
            let (weight, slope) = cubic(f, f.sub(place, at)?)?;
            (padded(f, sampling, at, size)?.0, weight, slope)
        }
    };
    let inside = f.op("fx.logical_and", &[f.ge(at, f.number(0.0))?, f.le(at, number(f, size, -1.0, 1.0))?], &[])?;
    let place = f.cast(f.select(inside, at, f.number(0.0))?, Type::int(f.context(), 64))?;
    Ok(Taps { place, inside, weight, slope: f.mul(slope, by_coordinate)? })
}

/// The cubic convolution at a distance less than 2, and its derivative.
fn cubic<'c>(f: &Fx<'c>, distance: Value<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let a = PLAIN.a;
    let x = f.op("fx.abs", &[distance], &[])?;
    let near = f.op("fx.lt", &[x, f.number(1.0)], &[])?;
    let either = |inner: &[f64], outer: &[f64]| f.select(near, polynomial(f, x, inner)?, polynomial(f, x, outer)?);
    let weight = either(&[a + 2.0, -a - 3.0, 0.0, 1.0], &[a, -5.0 * a, 8.0 * a, -4.0 * a])?;
    let slope = either(&[3.0 * a + 6.0, -2.0 * a - 6.0, 0.0], &[3.0 * a, -10.0 * a, 8.0 * a])?;
    let after = f.ge(distance, f.number(0.0))?;
    Ok((weight, f.select(after, slope, f.neg(slope)?)?))
}

/// A polynomial of degree 2 or more, from its leading coefficient on.
fn polynomial<'c>(f: &Fx<'c>, x: Value<'c>, coefficients: &[f64]) -> Result<Value<'c>> {
    let first = f.mul(x, f.number(coefficients[0]))?;
    let mut inner = coefficients[1..coefficients.len() - 1].iter();
    let sum = inner.try_fold(first, |sum, coefficient| f.mul(f.add(sum, f.number(*coefficient))?, x))?;
    f.add(sum, f.number(coefficients[coefficients.len() - 1]))
}

/// `(size + add) * times`
fn number<'c>(f: &Fx<'c>, size: Dim<'c>, add: f64, times: f64) -> Value<'c> {
    match size {
        Dim::Static(size) => f.number((size as f64 + add) * times),
        Dim::Dynamic(_) => {
            let ty = Type::f64(f.context());
            let size = f.b.value("arith.sitofp", &[whole(f, size)], ty, &[]);
            let sum = f.b.value("arith.addf", &[size, f.number(add)], ty, &[]);
            f.b.value("arith.mulf", &[sum, f.number(times)], ty, &[])
        }
    }
}

/// A size as an integer number.
fn whole<'c>(f: &Fx<'c>, size: Dim<'c>) -> Value<'c> {
    match size {
        Dim::Static(size) => f.integer(size),
        Dim::Dynamic(size) => f.b.value("arith.index_cast", &[size], Type::int(f.context(), 64), &[]),
    }
}

/// [`Sampling::place`] of tensors.
fn place<'c>(f: &Fx<'c>, sampling: &Sampling, coordinate: Value<'c>, size: Dim<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let half = number(f, size, if sampling.aligned { -1.0 } else { 0.0 }, 0.5);
    let scaled = f.mul(f.add(coordinate, f.number(1.0))?, half)?;
    let place = if sampling.aligned { scaled } else { f.sub(scaled, f.number(0.5))? };
    let (mut place, slope) =
        if sampling.interpolation == Interpolation::Cubic { (place, ones_like(f, place)?) } else { padded(f, sampling, place, size)? };
    if sampling.bounded {
        let near = f.op("fx.lt", &[f.op("fx.abs", &[place], &[])?, f.number(FAR)], &[])?;
        place = f.select(near, place, f.number(OUTSIDE))?;
    }
    Ok((place, f.mul(slope, half)?))
}

/// [`Sampling::padded`] of tensors.
fn padded<'c>(f: &Fx<'c>, sampling: &Sampling, place: Value<'c>, size: Dim<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let (place, slope) = match sampling.padding {
        Padding::Zeros => return Ok((place, ones_like(f, place)?)),
        Padding::Border => (place, ones_like(f, place)?),
        Padding::Reflection => reflected(f, sampling, place, size)?,
    };
    let (zero, last) = (f.number(0.0), number(f, size, -1.0, 1.0));
    let positive = f.op("fx.gt", &[place, zero], &[])?;
    let low = f.select(positive, place, zero)?;
    let below = f.op("fx.lt", &[low, last], &[])?;
    let within = f.op("fx.logical_and", &[positive, below], &[])?;
    Ok((f.select(below, low, last)?, f.select(within, slope, zero)?))
}

/// [`Sampling::reflected`] of tensors.
fn reflected<'c>(f: &Fx<'c>, sampling: &Sampling, place: Value<'c>, size: Dim<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let (low, shorter) = if sampling.aligned { (0.0, -1.0) } else { (-0.5, 0.0) };
    let ones = ones_like(f, place)?;
    let period = f.mul(ones, number(f, size, shorter, 2.0))?;
    let from_low = f.sub(place, f.number(low))?;
    let distance = f.op("fx.abs", &[from_low], &[])?;
    let periods = f.op("fx.trunc", &[f.div(distance, period)?], &[])?;
    let forth = f.sub(distance, f.mul(periods, period)?)?;
    let back = f.sub(period, forth)?;
    let flipped = f.op("fx.gt", &[forth, back], &[])?;
    let negative = f.op("fx.lt", &[from_low, f.number(0.0)], &[])?;
    let sign = f.select(f.ne(flipped, negative)?, f.neg(ones)?, ones)?;
    let place = f.add(f.select(flipped, back, forth)?, f.number(low))?;
    let some = f.op("fx.gt", &[period, f.number(0.0)], &[])?;
    Ok((f.select(some, place, f.number(0.0))?, f.select(some, sign, f.number(0.0))?))
}
