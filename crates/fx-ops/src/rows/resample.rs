//! Resampling: elements of the result lie between those of the input.

use fx_ir::{Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered, missing};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.upsample_nearest1d", |cx, op| upsample(cx, op, Kind::Nearest)),
    lowered("fx.upsample_nearest2d", |cx, op| upsample(cx, op, Kind::Nearest)),
    lowered("fx.upsample_nearest3d", |cx, op| upsample(cx, op, Kind::Nearest)),
    lowered("fx.upsample_nearest_exact1d", |cx, op| upsample(cx, op, Kind::NearestExact)),
    lowered("fx.upsample_nearest_exact2d", |cx, op| upsample(cx, op, Kind::NearestExact)),
    lowered("fx.upsample_nearest_exact3d", |cx, op| upsample(cx, op, Kind::NearestExact)),
    lowered("fx.upsample_linear1d", |cx, op| upsample(cx, op, Kind::Linear)),
    lowered("fx.upsample_bilinear2d", |cx, op| upsample(cx, op, Kind::Linear)),
    lowered("fx.upsample_trilinear3d", |cx, op| upsample(cx, op, Kind::Linear)),
    lowered("fx.upsample_bicubic2d", |cx, op| upsample(cx, op, Kind::Cubic)),
    missing("fx.affine_grid_generator", "sampling at computed places is not written yet"),
    missing("fx.grid_sampler", "sampling at computed places is not written yet"),
    missing("fx.upsample_bicubic2d_aa", "antialiased windows are not written yet"),
    missing("fx.upsample_bilinear2d_aa", "antialiased windows are not written yet"),
];

/// Which elements of the input make one of the result.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Nearest,
    NearestExact,
    Linear,
    Cubic,
}

/// One spatial dim.
struct Axis<'c> {
    size: Value<'c>,
    /// Distance in the input of neighbours in the result; computed outside of the loops.
    scale: Number<'c>,
}

fn upsample<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, kind: Kind) -> Result {
    let input = cx.operand(op, "input")?;
    let element = op.result_element(0);
    let linear = matches!(kind, Kind::Linear | Kind::Cubic);
    if linear && !element.is_float() {
        return Err(op.error("of integers is not compiled yet"));
    }
    let count = input.rank() - 2;
    let shape = op.op.result(0).ty().shape();
    let wanted = cx.sizes(op, "output_size");
    let factors = op.op.attribute("scale_factors").and_then(fx_ir::Attribute::as_f64s).unwrap_or_default();
    let names: &[&str] = match count {
        1 => &["scales"],
        2 => &["scales_h", "scales_w"],
        _ => &["scales_d", "scales_h", "scales_w"],
    };
    let aligned = linear && op.op.flag("align_corners");
    let ty = if element.is_f64() { element } else { Type::f32(cx.context()) };
    let s = Scalars::new(cx.b);
    let mut dims = input.dims[..2].to_vec();
    let mut axes = Vec::new();
    for i in 0..count {
        let size = input.dims[2 + i];
        let factor = if factors.len() == 1 { factors.first() } else { factors.get(i) }.copied();
        let output = match (shape[2 + i], wanted.get(i).or(wanted.first()), factor) {
            (known, _, _) if known != fx_ir::DYNAMIC => Dim::Static(known),
            (_, Some(size), _) => *size,
            (_, None, Some(factor)) if factor.fract() == 0.0 => cx.mul(size, Dim::Static(factor as i64)),
            _ => return Err(op.error("by a factor that is not whole needs sizes at compile time")),
        };
        dims.push(output);
        let number = |dim: Dim<'c>| match dim {
            Dim::Static(size) => s.constant(ty, size as f64),
            Dim::Dynamic(value) => s.cast(Number { value, ty: value.ty() }, ty),
        };
        let given = op.op.float(names[i]).or(factor).filter(|scale| *scale > 0.0);
        let scale = if aligned {
            let one = s.constant(ty, 1.0);
            let steps = s.sub(number(output), one);
            let scale = s.div(s.sub(number(size), one), steps);
            s.select(s.compare(Compare::Gt, steps, s.constant(ty, 0.0)), scale, s.constant(ty, 0.0))
        } else {
            given.map_or_else(|| s.div(number(size), number(output)), |scale| s.constant(ty, 1.0 / scale))
        };
        axes.push(Axis { size: cx.dim_value(size), scale });
    }
    let compute = opmath(cx.context(), element);
    let result = cx.map(&dims, element, &[], |body, _| {
        let at = vec![body.index(0), body.index(1)];
        if linear {
            return interpolate(body, &input, &axes, at, kind, aligned, compute);
        }
        let s = &body.s;
        let index = Type::index(s.context());
        let places = axes.iter().enumerate().map(|(i, axis)| {
            let mut p = s.cast(body.as_number(body.index(2 + i)), ty);
            if kind == Kind::NearestExact {
                p = s.add(p, s.constant(ty, 0.5));
            }
            let place = s.cast(s.op("math.floor", &[s.mul(p, axis.scale)]), index);
            let last = s.sub(body.as_number(axis.size), s.int(index, 1));
            s.min(place, last).value
        });
        let at: Vec<_> = at.into_iter().chain(places).collect();
        body.extract(&input, &at)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The weighted sum over the taps of the next axis, each of which is one over the axes after it.
fn interpolate<'c>(
    body: &Body<'c>,
    input: &Tensor<'c>,
    axes: &[Axis<'c>],
    at: Vec<Value<'c>>,
    kind: Kind,
    aligned: bool,
    ty: Type<'c>,
) -> Number<'c> {
    let s = &body.s;
    let axis = at.len() - 2;
    let Some(Axis { size, scale }) = axes.get(axis) else { return s.cast(body.extract(input, &at), ty) };
    let index = Type::index(s.context());
    let c = |value: f64| s.constant(scale.ty, value);
    let p = s.cast(body.as_number(body.index(at.len())), scale.ty);
    let mut place = if aligned { s.mul(p, *scale) } else { s.sub(s.mul(s.add(p, c(0.5)), *scale), c(0.5)) };
    if kind == Kind::Linear && !aligned {
        place = s.max(place, c(0.0));
    }
    let (zero, one) = (s.int(index, 0), s.int(index, 1));
    let last = s.sub(body.as_number(*size), one);
    let first = s.min(s.cast(s.op("math.floor", &[place]), index), last);
    let rest = s.min(s.max(s.sub(place, s.cast(first, scale.ty)), c(0.0)), c(1.0));
    let taps: Vec<(i64, Number<'c>)> = match kind {
        Kind::Cubic => cubic(s, rest).into_iter().enumerate().map(|(i, weight)| (i as i64 - 1, weight)).collect(),
        _ => vec![(0, s.sub(c(1.0), rest)), (1, rest)],
    };
    let parts = taps.into_iter().map(|(tap, weight)| {
        let near = s.add(first, s.int(index, tap));
        let inside = s.min(s.max(near, zero), last);
        let mut at = at.clone();
        at.push(inside.value);
        s.mul(s.cast(weight, ty), interpolate(body, input, axes, at, kind, aligned, ty))
    });
    parts.reduce(|sum, part| s.add(sum, part)).unwrap_or_else(|| s.constant(ty, 0.0))
}

/// Weights of cubic convolution with a = -3/4, of the four neighbours of a place that lies `t` after the second.
fn cubic<'c>(s: &Scalars<'c>, t: Number<'c>) -> [Number<'c>; 4] {
    const A: f64 = -0.75;
    let c = |value: f64| s.constant(t.ty, value);
    // |x| <= 1, and 1 < |x| < 2
    let near = |x: Number<'c>| s.add(s.mul(s.mul(s.sub(s.mul(x, c(A + 2.0)), c(A + 3.0)), x), x), c(1.0));
    let far = |x: Number<'c>| s.sub(s.mul(s.add(s.mul(s.sub(s.mul(x, c(A)), c(5.0 * A)), x), c(8.0 * A)), x), c(4.0 * A));
    let u = s.sub(c(1.0), t);
    [far(s.add(t, c(1.0))), near(t), near(u), far(s.add(u, c(1.0)))]
}
