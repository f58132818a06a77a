//! Points between the elements of a tensor: where their coordinates put them, and what they take from which elements.

use fx_ir::{Result, Type};

use crate::fx_op::FxOp;
use crate::rows::resample::axis::{cubic, cubic_slopes};
use crate::rows::spatial::within;
use crate::scalar::{Compare, Number, Scalars};

/// What a point takes from the elements around it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Interpolation {
    Linear,
    Nearest,
    Cubic,
}

/// What lies beyond the edges.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Padding {
    Zeros,
    Border,
    Reflection,
}

/// How a grid samples.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    pub(super) interpolation: Interpolation,
    pub(super) padding: Padding,
    /// Whether -1 and 1 are the centres of the first and the last elements, else their outer edges.
    pub(super) aligned: bool,
    /// Whether coordinates that are no numbers count as far outside: ATen's kernel of three spatial dims has it so, its
    /// vectorised one of two dims lets them through.
    pub(super) bounded: bool,
}

impl Sampling {
    /// The sampling of an op over `count` spatial dims.
    pub(super) fn of(op: FxOp<'_>, count: usize) -> Result<Self> {
        let interpolation = match op.int("interpolation_mode")? {
            0 => Interpolation::Linear,
            1 => Interpolation::Nearest,
            _ => Interpolation::Cubic,
        };
        let padding = match op.int("padding_mode")? {
            0 => Padding::Zeros,
            1 => Padding::Border,
            _ => Padding::Reflection,
        };
        Ok(Self { interpolation, padding, aligned: op.op.flag("align_corners"), bounded: count == 3 })
    }

    pub(super) fn is_nearest(&self) -> bool {
        self.interpolation == Interpolation::Nearest
    }

    /// Number of elements along a dim that a point takes from.
    pub(super) fn taps(&self) -> i64 {
        match self.interpolation {
            Interpolation::Nearest => 1,
            Interpolation::Linear => 2,
            Interpolation::Cubic => 4,
        }
    }

    /// The place in elements of a coordinate in [-1, 1], and its derivative. Cubic taps are padded one by one, so that
    /// their centre may lie outside.
    pub(super) fn place<'c>(&self, s: &Scalars<'c>, coordinate: Number<'c>, size: Number<'c>) -> (Number<'c>, Number<'c>) {
        let c = |value: f64| s.constant(coordinate.ty, value);
        let length = s.cast(size, coordinate.ty);
        let half = s.mul(if self.aligned { s.sub(length, c(1.0)) } else { length }, c(0.5));
        let scaled = s.mul(s.add(coordinate, c(1.0)), half);
        let place = if self.aligned { scaled } else { s.sub(scaled, c(0.5)) };
        let (mut place, slope) = if self.interpolation == Interpolation::Cubic { (place, c(1.0)) } else { self.padded(s, place, length) };
        if self.bounded {
            place = s.select(s.compare(Compare::Lt, s.abs(place), c(FAR)), place, c(OUTSIDE));
        }
        (place, s.mul(half, slope))
    }

    /// A place moved into a dim of `length` elements as the padding says, and the derivative of the move: 0 at the edges.
    fn padded<'c>(&self, s: &Scalars<'c>, place: Number<'c>, length: Number<'c>) -> (Number<'c>, Number<'c>) {
        let c = |value: f64| s.constant(place.ty, value);
        let (place, slope) = match self.padding {
            Padding::Zeros => return (place, c(1.0)),
            Padding::Border => (place, c(1.0)),
            Padding::Reflection => self.reflected(s, place, length),
        };
        let (zero, last) = (c(0.0), s.sub(length, c(1.0)));
        // NaN becomes 0.
        let low = s.select(s.compare(Compare::Gt, place, zero), place, zero);
        let within = s.and(s.compare(Compare::Gt, low, zero), s.compare(Compare::Lt, low, last));
        (s.min(low, last), s.select(within, slope, zero))
    }

    /// A place reflected at the edges (or edge centres) until it lies between them, and the sign of its derivative.
    fn reflected<'c>(&self, s: &Scalars<'c>, place: Number<'c>, length: Number<'c>) -> (Number<'c>, Number<'c>) {
        let c = |value: f64| s.constant(place.ty, value);
        let low = if self.aligned { 0.0 } else { -0.5 };
        let period = s.mul(if self.aligned { s.sub(length, c(1.0)) } else { length }, c(2.0));
        let from_low = s.sub(place, c(low));
        let distance = s.abs(from_low);
        let periods = s.op("math.trunc", &[s.div(distance, period)]);
        let forth = s.sub(distance, s.mul(periods, period));
        let back = s.sub(period, forth);
        let flipped = s.compare(Compare::Gt, forth, back);
        let sign = s.select(s.xor(flipped, s.compare(Compare::Lt, from_low, c(0.0))), c(-1.0), c(1.0));
        let place = s.add(s.select(flipped, back, forth), c(low));
        // A single element has no room to be reflected in.
        let some = s.compare(Compare::Gt, period, c(0.0));
        (s.select(some, place, c(0.0)), s.select(some, sign, c(0.0)))
    }
}

/// Places from here on lie outside of every tensor.
pub(super) const FAR: f64 = 2_147_483_648.0;
/// Such a place.
pub(super) const OUTSIDE: f64 = -100.0;

/// What a point takes from one element.
pub(super) struct Tap<'c> {
    pub(super) place: Number<'c>,
    pub(super) inside: Number<'c>,
    pub(super) weight: Number<'c>,
    slope: Number<'c>,
}

/// The elements along one dim that a point takes from.
pub(super) struct AxisTaps<'c> {
    pub(super) taps: Vec<Tap<'c>>,
}

impl<'c> AxisTaps<'c> {
    /// With derivatives of the weights by the place instead of the weights, where `sloped` holds.
    pub(super) fn sloped(self, s: &Scalars<'c>, sloped: Number<'c>) -> Self {
        let taps = self.taps.into_iter().map(|tap| Tap { weight: s.select(sloped, tap.slope, tap.weight), ..tap });
        Self { taps: taps.collect() }
    }
}

/// The taps of a point at `place` of a dim of `size` elements.
pub(super) fn axis_taps<'c>(s: &Scalars<'c>, place: Number<'c>, size: Number<'c>, sampling: &Sampling) -> AxisTaps<'c> {
    let c = |value: f64| s.constant(place.ty, value);
    let tap = |at: Number<'c>, weight: Number<'c>, slope: Number<'c>| {
        // Not every float is an index.
        let known = s.select(s.compare(Compare::Lt, s.abs(at), c(FAR)), at, c(OUTSIDE));
        let place = s.cast(known, Type::index(s.context()));
        Tap { place, inside: within(s, place, size), weight, slope }
    };
    let taps = match sampling.interpolation {
        Interpolation::Nearest => vec![tap(s.op("math.roundeven", &[place]), c(1.0), c(0.0))],
        Interpolation::Linear => {
            let first = s.op("math.floor", &[place]);
            let rest = s.sub(place, first);
            vec![tap(first, s.sub(c(1.0), rest), c(-1.0)), tap(s.add(first, c(1.0)), rest, c(1.0))]
        }
        Interpolation::Cubic => {
            let second = s.op("math.floor", &[place]);
            let rest = s.sub(place, second);
            let length = s.cast(size, place.ty);
            let weights = cubic(s, rest).into_iter().zip(cubic_slopes(s, rest)).enumerate();
            weights.map(|(i, (weight, slope))| tap(sampling.padded(s, s.add(second, c(i as f64 - 1.0)), length).0, weight, slope)).collect()
        }
    };
    AxisTaps { taps }
}
