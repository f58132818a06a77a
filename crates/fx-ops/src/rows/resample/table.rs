//! Resampling along one dim as a sparse linear map, held in tables.

use fx_ir::{Type, Value};

use crate::fx_op::Dim;
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::along::{Along, Term};
use crate::rows::resample::axis::{Axis, Convolution, Kind, Mode, taps};
use crate::rows::resample::host::HostFloat;
use crate::scalar::{Compare, Number, Scalars};

/// Element `p` of the result is the sum of `weights[p, j] * input[start[p] + j]` over `start[p] + j < end[p]`.
pub(super) struct Table<'c> {
    axis: Axis<'c>,
    start: Tensor<'c>,
    end: Tensor<'c>,
    /// None: all are 1.
    pub(super) weights: Option<Tensor<'c>>,
    /// The longest run of input elements.
    taps: Dim<'c>,
    reach: Reach<'c>,
}

/// Where place `p` of the result lies for bounds, `x = distance * (p + offset) - shift`: it takes from place q of the
/// input only if `q - below <= x <= q + above`.
struct Reach<'c> {
    below: HostFloat<'c>,
    above: HostFloat<'c>,
    offset: f64,
    shift: f64,
}

/// What floats of 32 bits may be wrong by, as a part of the input's size.
const SLACK: f64 = 1.0 / (1 << 21) as f64;

impl<'c> Table<'c> {
    /// The map of a mode that weighs neighbours, with weights in type `ty`. Taps outside of the input are at its edge.
    pub(super) fn plain(cx: &Lower<'c>, axis: Axis<'c>, mode: Mode, ty: Type<'c>) -> Self {
        let places = |pick: fn(&Scalars<'c>, Number<'c>, Number<'c>) -> Number<'c>| {
            place_table(cx, axis.output, |s, p| {
                let first = taps(s, &axis, mode, p).first;
                let last = axis.last(s);
                pick(s, first, last)
            })
        };
        let count = mode.kind.taps();
        let start = places(|s, first, last| s.min(s.max(first, s.int(first.ty, 0)), last));
        let end = match mode.kind {
            Kind::Nearest | Kind::NearestExact => places(|s, first, last| s.add(s.min(first, last), s.int(first.ty, 1))),
            Kind::Linear => places(|s, first, last| s.add(s.min(s.add(first, s.int(first.ty, 1)), last), s.int(first.ty, 1))),
            Kind::Cubic => places(|s, first, last| {
                let farthest = s.min(s.add(first, s.int(first.ty, 3)), last);
                s.add(s.max(farthest, s.int(first.ty, 0)), s.int(first.ty, 1))
            }),
        };
        let weights = mode.kind.weighs().then(|| {
            cx.map(&[axis.output, Dim::Static(count)], ty, &[], |body, _| {
                let s = &body.s;
                let (p, j) = (body.as_number(body.index(0)), body.as_number(body.index(1)));
                let (zero, last) = (s.int(p.ty, 0), axis.last(s));
                let inside = |place: Number<'c>| s.min(s.max(place, zero), last);
                let found = taps(s, &axis, mode, p);
                let own = s.add(inside(found.first), j);
                let parts = found.weights.iter().enumerate().map(|(tap, weight)| {
                    let place = inside(s.add(found.first, s.int(p.ty, tap as i64)));
                    s.select(s.compare(Compare::Eq, place, own), *weight, s.constant(weight.ty, 0.0))
                });
                parts.reduce(|sum, part| s.add(sum, part)).unwrap_or_else(|| s.constant(ty, 0.0))
            })
        });
        let (below, above) = match mode.kind {
            Kind::Nearest | Kind::NearestExact => (0.0, 1.0),
            Kind::Linear => (1.0, 1.0),
            Kind::Cubic => (2.0, 2.0),
        };
        let (offset, shift) = match mode {
            Mode { kind: Kind::Nearest, .. } | Mode { aligned: true, .. } => (0.0, 0.0),
            Mode { kind: Kind::NearestExact, .. } => (0.5, 0.0),
            _ => (0.5, 0.5),
        };
        let reach = Reach { below: HostFloat::Known(below), above: HostFloat::Known(above), offset, shift };
        Self { axis, start, end, weights, taps: Dim::Static(count), reach }
    }

    /// The map of an antialiased resampling: a tent or a cubic (a = -1/2) as wide as the elements of the larger grid,
    /// normalised (`_compute_indices_min_size_weights_aa` in ATen's UpSampleKernel.cpp).
    pub(super) fn antialiased(cx: &Lower<'c>, axis: Axis<'c>, kind: Kind, ty: Type<'c>) -> Self {
        let half = kind.taps() as f64 / 2.0;
        let support = axis.distance.max(cx, HostFloat::Known(1.0)).mul(cx, HostFloat::Known(half));
        let taps = support.ceil(cx).mul(cx, HostFloat::Known(2.0)).add(cx, HostFloat::Known(1.0)).to_dim(cx);
        let window = Filter { axis, kind, half, taps: cx.dim_value(taps) };
        let start = place_table(cx, axis.output, |s, p| window.start(s, p));
        let end = place_table(cx, axis.output, |s, p| window.end(s, p));
        let raw = cx.map(&[axis.output, taps], ty, &[], |body, _| {
            let s = &body.s;
            let (p, j) = (body.as_number(body.index(0)), body.as_number(body.index(1)));
            let place = s.add(window.start(s, p), j);
            let weight = s.cast(window.weight(s, p, place), ty);
            s.select(s.compare(Compare::Lt, place, window.end(s, p)), weight, s.constant(ty, 0.0))
        });
        let zero = Scalars::new(cx.b).constant(ty, 0.0);
        let read = Operand { tensor: raw.clone(), map: vec![Ix::Loop(0), Ix::Loop(1)] };
        let sum = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| vec![body.s.add(acc[0], a[0])];
        let total = cx.reduce(&[axis.output], &[taps], &[zero], std::slice::from_ref(&read), sum).remove(0);
        let weights = cx.map(&[axis.output, taps], ty, &[read, Operand { tensor: total, map: vec![Ix::Loop(0)] }], |body, a| {
            let s = &body.s;
            s.select(s.compare(Compare::Eq, a[1], s.constant(ty, 0.0)), a[0], s.div(a[0], a[1]))
        });
        let by_half = HostFloat::Known(0.5);
        let reach = Reach { below: support.sub(cx, by_half), above: support.add(cx, by_half), offset: 0.5, shift: 0.0 };
        Self { axis, start, end, weights: Some(weights), taps, reach }
    }

    /// Dim `dim` of `x` resampled, in type `ty`, with these weights in place of the table's own.
    pub(super) fn apply(&self, cx: &Lower<'c>, x: &Tensor<'c>, dim: usize, ty: Type<'c>, weights: Option<&Tensor<'c>>) -> Tensor<'c> {
        let sums = Along { x, dim, size: self.axis.output, steps: self.taps, weights, ty };
        sums.sum(cx, |body, p, j| {
            let s = &body.s;
            let place = s.add(place_at(body, &self.start, p), j);
            let inside = s.compare(Compare::Lt, place, place_at(body, &self.end, p));
            Term { inside, place, weight: vec![p.value, j.value] }
        })
    }

    /// The transposed map: dim `dim` of a gradient with respect to the result becomes that with respect to the input.
    /// Each place looks through the places of the result that may take from it.
    pub(super) fn transposed(&self, cx: &Lower<'c>, g: &Tensor<'c>, dim: usize, ty: Type<'c>) -> Tensor<'c> {
        let (lowest, steps) = self.bounds(cx);
        let windows = cx.dim_value(self.axis.output);
        let sums = Along { x: g, dim, size: self.axis.input, steps, weights: self.weights.as_ref(), ty };
        sums.sum(cx, |body, q, r| {
            let s = &body.s;
            let wanted = s.add(place_at(body, &lowest, q), r);
            let windows = body.as_number(windows);
            let p = s.min(wanted, s.sub(windows, s.int(windows.ty, 1)));
            let start = place_at(body, &self.start, p);
            let covers = s.and(s.compare(Compare::Le, start, q), s.compare(Compare::Lt, q, place_at(body, &self.end, p)));
            let inside = s.and(s.compare(Compare::Lt, wanted, windows), covers);
            Term { inside, place: p, weight: vec![p.value, s.sub(q, start).value] }
        })
    }

    /// For each place of the input the first place of the result that may take from it, and the most such places.
    fn bounds(&self, cx: &Lower<'c>) -> (Tensor<'c>, Dim<'c>) {
        let Reach { below, above, offset, shift } = self.reach;
        let known = HostFloat::Known;
        let (size, windows) = (HostFloat::of(cx, self.axis.input), HostFloat::of(cx, self.axis.output));
        let slack = size.mul(cx, known(SLACK));
        let (below, above) = (below.add(cx, slack), above.add(cx, slack));
        let distance = self.axis.distance;
        // The place of the result at x, and the range of places that a gradient at 0, inside, and at the last place needs.
        let from_place = |x: HostFloat<'c>| x.add(cx, known(shift)).div(cx, distance).sub(cx, known(offset));
        let one = known(1.0);
        let inside = below.add(cx, above).div(cx, distance).floor(cx).add(cx, one);
        let at_first = from_place(above).floor(cx).add(cx, one);
        let last = from_place(size.sub(cx, one).sub(cx, below)).ceil(cx).max(cx, known(0.0)).min(cx, windows);
        let at_last = windows.sub(cx, last);
        let steps = inside.max(cx, at_first).max(cx, at_last).max(cx, known(0.0)).min(cx, windows).to_dim(cx);
        let (below, distance, windows) = (below.value(cx), distance.value(cx), windows.value(cx));
        let lowest = place_table(cx, self.axis.input, |s, q| {
            let wide = |value: Value<'c>| Number { value, ty: value.ty() };
            let c = |value: f64| s.constant(Type::f64(s.context()), value);
            let x = s.sub(s.add(s.cast(q, c(0.0).ty), c(shift)), wide(below));
            let p = s.op("math.ceil", &[s.sub(s.div(x, wide(distance)), c(offset))]);
            s.cast(s.min(s.max(p, c(0.0)), wide(windows)), q.ty)
        });
        (lowest, steps)
    }
}

/// A place per element of a dim.
fn place_table<'c>(cx: &Lower<'c>, dim: Dim<'c>, place: impl FnOnce(&Scalars<'c>, Number<'c>) -> Number<'c>) -> Tensor<'c> {
    cx.map(&[dim], Type::int(cx.context(), 64), &[], |body, _| place(&body.s, body.as_number(body.index(0))))
}

fn place_at<'c>(body: &Body<'c>, table: &Tensor<'c>, at: Number<'c>) -> Number<'c> {
    body.s.cast(body.extract(table, &[at.value]), at.ty)
}

/// The windows of an antialiased dim. ATen rounds the centres to the type of the scale; the rest is exact here.
#[derive(Clone, Copy)]
struct Filter<'c> {
    axis: Axis<'c>,
    kind: Kind,
    /// Half of the filter's width at a scale of 1.
    half: f64,
    /// The longest window.
    taps: Value<'c>,
}

impl<'c> Filter<'c> {
    fn wide(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
        s.cast(x, Type::f64(s.context()))
    }

    fn c(s: &Scalars<'c>, value: f64) -> Number<'c> {
        s.constant(Type::f64(s.context()), value)
    }

    fn center(&self, s: &Scalars<'c>, p: Number<'c>) -> Number<'c> {
        let exact = s.mul(Self::wide(s, self.axis.scale), s.add(Self::wide(s, p), Self::c(s, 0.5)));
        Self::wide(s, s.cast(exact, self.axis.scale.ty))
    }

    fn support(&self, s: &Scalars<'c>) -> Number<'c> {
        let ty = self.axis.scale.ty;
        Self::wide(s, s.mul(s.max(self.axis.scale, s.constant(ty, 1.0)), s.constant(ty, self.half)))
    }

    /// The whole part of a place, at least `least` and at most the input's size.
    fn bounded(&self, s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
        let index = Type::index(s.context());
        let size = Number { value: self.axis.size, ty: index };
        s.min(s.max(s.cast(x, index), s.int(index, 0)), size)
    }

    fn start(&self, s: &Scalars<'c>, p: Number<'c>) -> Number<'c> {
        self.bounded(s, s.add(s.sub(self.center(s, p), self.support(s)), Self::c(s, 0.5)))
    }

    fn end(&self, s: &Scalars<'c>, p: Number<'c>) -> Number<'c> {
        let end = self.bounded(s, s.add(s.add(self.center(s, p), self.support(s)), Self::c(s, 0.5)));
        s.min(end, s.add(self.start(s, p), Number { value: self.taps, ty: p.ty }))
    }

    fn weight(&self, s: &Scalars<'c>, p: Number<'c>, place: Number<'c>) -> Number<'c> {
        let one = Self::c(s, 1.0);
        let distance = s.add(s.sub(Self::wide(s, place), self.center(s, p)), Self::c(s, 0.5));
        let x = s.abs(s.div(distance, s.max(Self::wide(s, self.axis.scale), one)));
        let zero = Self::c(s, 0.0);
        if self.kind == Kind::Linear {
            return s.max(s.sub(one, x), zero);
        }
        let keys = Convolution { a: -0.5 };
        let outer = s.select(s.compare(Compare::Lt, x, Self::c(s, 2.0)), keys.far(s, x), zero);
        s.select(s.compare(Compare::Lt, x, one), keys.near(s, x), outer)
    }
}
