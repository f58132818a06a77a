//! Where the elements of a resampled dim lie in its input (ATen's UpSample.h).

use fx_ir::{Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::Lower;
use crate::rows::resample::host::HostFloat;
use crate::scalar::{Compare, Number, Scalars};

/// Which elements of the input make one of the result.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Nearest,
    NearestExact,
    Linear,
    Cubic,
}

impl Kind {
    /// Number of elements of the input.
    pub(super) fn taps(self) -> i64 {
        match self {
            Kind::Nearest | Kind::NearestExact => 1,
            Kind::Linear => 2,
            Kind::Cubic => 4,
        }
    }

    /// Whether it weighs elements, rather than choosing one.
    pub(super) fn weighs(self) -> bool {
        self.taps() > 1
    }
}

/// A way to resample.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Mode {
    pub(super) kind: Kind,
    /// Whether the first and the last elements of input and result lie at the same places, else their outer edges do.
    pub(super) aligned: bool,
}

/// One spatial dim.
#[derive(Clone, Copy)]
pub(super) struct Axis<'c> {
    pub(super) input: Dim<'c>,
    pub(super) output: Dim<'c>,
    /// Size of the input.
    pub(super) size: Value<'c>,
    /// Distance in the input of neighbours in the result; computed outside of the loops.
    pub(super) scale: Number<'c>,
    /// The same, for bounds of loops.
    pub(super) distance: HostFloat<'c>,
}

impl<'c> Axis<'c> {
    /// A dim of the sizes `input` and `output`. A factor `given` wins over the quotient of the sizes. Places are computed
    /// in type `ty`.
    pub(super) fn new(cx: &Lower<'c>, input: Dim<'c>, output: Dim<'c>, given: Option<f64>, aligned: bool, ty: Type<'c>) -> Self {
        let s = Scalars::new(cx.b);
        let number = |dim: Dim<'c>| match dim {
            Dim::Static(size) => s.constant(ty, size as f64),
            Dim::Dynamic(value) => s.cast(Number { value, ty: value.ty() }, ty),
        };
        let (from, to) = (HostFloat::of(cx, input), HostFloat::of(cx, output));
        let one = HostFloat::Known(1.0);
        let (scale, distance) = if aligned {
            let steps = s.sub(number(output), s.constant(ty, 1.0));
            let scale = s.div(s.sub(number(input), s.constant(ty, 1.0)), steps);
            // A result of one element: all of the input is at 0.
            let some = s.compare(Compare::Gt, steps, s.constant(ty, 0.0));
            (s.select(some, scale, s.constant(ty, 0.0)), from.sub(cx, one).div(cx, to.sub(cx, one).max(cx, one)))
        } else if let Some(factor) = given {
            (s.constant(ty, 1.0 / factor), HostFloat::Known(1.0 / factor))
        } else {
            (s.div(number(input), number(output)), from.div(cx, to))
        };
        Self { input, output, size: cx.dim_value(input), scale, distance }
    }

    /// Whether input and result have one size, as far as is known.
    pub(super) fn keeps_size(&self) -> bool {
        self.input == self.output
    }

    /// The last place of the input.
    pub(super) fn last(&self, s: &Scalars<'c>) -> Number<'c> {
        let index = Type::index(s.context());
        s.sub(Number { value: self.size, ty: index }, s.int(index, 1))
    }
}

/// The factor that the caller gave for spatial dim `i` of `count`.
pub(super) fn given_factor(op: FxOp<'_>, i: usize, count: usize) -> Option<f64> {
    op.op.float(factor_names(count)[i]).filter(|scale| *scale > 0.0)
}

/// The attributes that hold the factors of `count` spatial dims.
pub(crate) fn factor_names(count: usize) -> &'static [&'static str] {
    match count {
        1 => &["scales"],
        2 => &["scales_h", "scales_w"],
        _ => &["scales_d", "scales_h", "scales_w"],
    }
}

/// Elements of the input, one after the other, that make an element of the result. Places outside stand for the edge.
pub(super) struct Taps<'c> {
    /// The place of the first.
    pub(super) first: Number<'c>,
    /// Their weights.
    pub(super) weights: Vec<Number<'c>>,
}

/// The taps of place `p`.
pub(super) fn taps<'c>(s: &Scalars<'c>, axis: &Axis<'c>, mode: Mode, p: Number<'c>) -> Taps<'c> {
    let (ty, index) = (axis.scale.ty, Type::index(s.context()));
    let c = |value: f64| s.constant(ty, value);
    let p = s.cast(p, ty);
    let last = axis.last(s);
    let below = |place: Number<'c>| s.min(s.cast(s.op("math.floor", &[place]), index), last);
    match mode.kind {
        Kind::Nearest => Taps { first: below(s.mul(p, axis.scale)), weights: vec![c(1.0)] },
        Kind::NearestExact => Taps { first: below(s.mul(s.add(p, c(0.5)), axis.scale)), weights: vec![c(1.0)] },
        Kind::Linear | Kind::Cubic => {
            let mut place = if mode.aligned { s.mul(p, axis.scale) } else { s.sub(s.mul(s.add(p, c(0.5)), axis.scale), c(0.5)) };
            if mode.kind == Kind::Linear && !mode.aligned {
                place = s.max(place, c(0.0));
            }
            let first = below(place);
            let rest = s.min(s.max(s.sub(place, s.cast(first, ty)), c(0.0)), c(1.0));
            match mode.kind {
                Kind::Cubic => Taps { first: s.sub(first, s.int(index, 1)), weights: cubic(s, rest).to_vec() },
                _ => Taps { first, weights: vec![s.sub(c(1.0), rest), rest] },
            }
        }
    }
}

/// Cubic convolution (Keys 1981): `near` for |x| <= 1, `far` for 1 <= |x| <= 2.
pub(super) struct Convolution {
    /// The parameter: -3/4, or -1/2 when antialiased.
    pub(super) a: f64,
}

impl Convolution {
    pub(super) fn near<'c>(&self, s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
        let c = |value: f64| s.constant(x.ty, value);
        s.add(s.mul(s.mul(s.sub(s.mul(x, c(self.a + 2.0)), c(self.a + 3.0)), x), x), c(1.0))
    }

    pub(super) fn far<'c>(&self, s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
        let (a, c) = (self.a, |value: f64| s.constant(x.ty, value));
        s.sub(s.mul(s.add(s.mul(s.sub(s.mul(x, c(a)), c(5.0 * a)), x), c(8.0 * a)), x), c(4.0 * a))
    }

    fn near_slope<'c>(&self, s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
        let c = |value: f64| s.constant(x.ty, value);
        s.mul(s.sub(s.mul(x, c(3.0 * (self.a + 2.0))), c(2.0 * (self.a + 3.0))), x)
    }

    fn far_slope<'c>(&self, s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
        let (a, c) = (self.a, |value: f64| s.constant(x.ty, value));
        s.add(s.mul(s.sub(s.mul(x, c(3.0 * a)), c(10.0 * a)), x), c(8.0 * a))
    }
}

pub(super) const PLAIN: Convolution = Convolution { a: -0.75 };

/// Weights of the four neighbours of a place that lies `t` after the second.
pub(super) fn cubic<'c>(s: &Scalars<'c>, t: Number<'c>) -> [Number<'c>; 4] {
    let one = s.constant(t.ty, 1.0);
    let u = s.sub(one, t);
    [PLAIN.far(s, s.add(t, one)), PLAIN.near(s, t), PLAIN.near(s, u), PLAIN.far(s, s.add(u, one))]
}

/// Derivatives of [`cubic`] by `t`.
pub(super) fn cubic_slopes<'c>(s: &Scalars<'c>, t: Number<'c>) -> [Number<'c>; 4] {
    let one = s.constant(t.ty, 1.0);
    let u = s.sub(one, t);
    let [first, second] = [PLAIN.far_slope(s, s.add(t, one)), PLAIN.near_slope(s, t)];
    [first, second, s.neg(PLAIN.near_slope(s, u)), s.neg(PLAIN.far_slope(s, s.add(u, one)))]
}
