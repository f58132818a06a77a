//! Resampling: elements of the result lie between those of the input.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Lower, Tensor};
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::rows::resample::axis::{Axis, Kind, Mode, given_factor, taps};
use crate::rows::resample::host::HostFloat;
use crate::rows::resample::table::Table;
use crate::scalar::{Number, opmath};
use crate::table::{OpRow, lowered};

pub(crate) mod axis;
pub mod backward;
mod bytes;
pub mod grid;
mod host;
mod parts;
mod sample;
mod table;

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.upsample_nearest1d", |cx, op| upsample(cx, op, Kind::Nearest)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_nearest2d", |cx, op| upsample(cx, op, Kind::Nearest)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_nearest3d", |cx, op| upsample(cx, op, Kind::Nearest)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_nearest_exact1d", |cx, op| upsample(cx, op, Kind::NearestExact)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_nearest_exact2d", |cx, op| upsample(cx, op, Kind::NearestExact)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_nearest_exact3d", |cx, op| upsample(cx, op, Kind::NearestExact)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_linear1d", |cx, op| upsample(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_bilinear2d", |cx, op| upsample(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_trilinear3d", |cx, op| upsample(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_bicubic2d", |cx, op| upsample(cx, op, Kind::Cubic)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_bilinear2d_aa", |cx, op| antialiased(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample),
    lowered("fx.upsample_bicubic2d_aa", |cx, op| antialiased(cx, op, Kind::Cubic)).vjp(derivatives::resample::upsample),
];

/// The largest sum of height and width for which ATen resamples to nearest elements by the kernel for channels in last
/// place (`_use_vectorized_kernel_cond_2d`), which finds places in its own way.
const SMALL: i64 = 128;

/// The spatial dims of a resampling op.
struct Spatial<'c> {
    /// Sizes of the result.
    dims: Vec<Dim<'c>>,
    axes: Vec<Axis<'c>>,
}

impl<'c> Spatial<'c> {
    /// Those of `op`, places computed in type `ty`.
    fn of(cx: &Lower<'c>, op: FxOp<'c>, input: &Tensor<'c>, kind: Kind, ty: Type<'c>) -> Result<Self> {
        let count = input.rank() - 2;
        let shape = op.op.result(0).ty().shape();
        let wanted = cx.sizes(op, "output_size");
        let factors = op.op.attribute("scale_factors").and_then(Attribute::as_f64s).unwrap_or_default();
        let aligned = kind.weighs() && op.op.flag("align_corners");
        let mut dims = input.dims[..2].to_vec();
        let mut given = Vec::new();
        for i in 0..count {
            let size = input.dims[2 + i];
            let factor = if factors.len() == 1 { factors.first() } else { factors.get(i) }.copied();
            dims.push(match (shape[2 + i], wanted.get(i).or(wanted.first()), factor) {
                (known, _, _) if known != fx_ir::DYNAMIC => Dim::Static(known),
                (_, Some(size), _) => *size,
                (_, None, Some(factor)) if factor.fract() == 0.0 => cx.mul(size, Dim::Static(factor as i64)),
                (_, None, Some(factor)) => HostFloat::of(cx, size).mul(cx, HostFloat::Known(factor)).floor(cx).to_dim(cx),
                _ => return Err(op.error("has neither sizes nor factors")),
            });
            given.push(given_factor(op, i, count).or(factor.filter(|factor| *factor > 0.0)));
        }
        let (from, to) = (&input.dims[2..], &dims[2..]);
        let small = count == 2 && to.iter().try_fold(0, |sum, dim| Some(sum + dim.known()?)).is_some_and(|sum| sum <= SMALL);
        let axes = given.into_iter().zip(from.iter().zip(to)).map(|(given, (from, to))| {
            // Where ATen's kernels do not look at the factor.
            let ignored = match kind {
                Kind::Linear => from == to,
                Kind::Nearest => small && (from == to || cx.mul(*from, Dim::Static(2)) == *to),
                _ => false,
            };
            Axis::new(cx, *from, *to, given.filter(|_| !ignored), aligned, ty)
        });
        let axes = axes.collect();
        Ok(Self { dims, axes })
    }
}

/// The type that places are computed in.
fn place_type<'c>(cx: &Lower<'c>, element: Type<'c>) -> Type<'c> {
    if element.is_float() { opmath(cx.context(), element) } else { Type::f32(cx.context()) }
}

fn upsample<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, kind: Kind) -> Result {
    let input = cx.operand(op, "input")?;
    let element = op.result_element(0);
    let mode = Mode { kind, aligned: kind.weighs() && op.op.flag("align_corners") };
    if kind.weighs() && !element.is_float() {
        return of_bytes(cx, op, &input, |cx, axis| Table::plain(cx, axis, mode, Type::f64(cx.context())), kind);
    }
    let Spatial { dims, axes } = Spatial::of(cx, op, &input, kind, place_type(cx, element))?;
    let compute = opmath(cx.context(), element);
    let result = cx.map(&dims, element, &[], |body, _| {
        let at = vec![body.index(0), body.index(1)];
        if kind.weighs() {
            return interpolate(body, &input, &axes, at, mode, compute);
        }
        let places = axes.iter().enumerate().map(|(i, axis)| taps(&body.s, axis, mode, body.as_number(body.index(2 + i))).first.value);
        let at: Vec<_> = at.into_iter().chain(places).collect();
        body.extract(&input, &at)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The weighted sum over the taps of the next axis, each of which is one over the axes after it.
fn interpolate<'c>(body: &Body<'c>, input: &Tensor<'c>, axes: &[Axis<'c>], at: Vec<Value<'c>>, mode: Mode, ty: Type<'c>) -> Number<'c> {
    let s = &body.s;
    let Some(axis) = axes.get(at.len() - 2) else { return s.cast(body.extract(input, &at), ty) };
    let found = taps(s, axis, mode, body.as_number(body.index(at.len())));
    let (zero, last) = (s.int(found.first.ty, 0), axis.last(s));
    let parts = found.weights.iter().enumerate().map(|(tap, weight)| {
        let near = s.add(found.first, s.int(zero.ty, tap as i64));
        let inside = s.min(s.max(near, zero), last);
        let at = [&at[..], &[inside.value]].concat();
        s.mul(s.cast(*weight, ty), interpolate(body, input, axes, at, mode, ty))
    });
    parts.reduce(|sum, part| s.add(sum, part)).unwrap_or_else(|| s.constant(ty, 0.0))
}

/// Dims that keep their size are left alone, as ATen's separable kernels do.
fn antialiased<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, kind: Kind) -> Result {
    let input = cx.operand(op, "input")?;
    let element = op.result_element(0);
    if !element.is_float() {
        return of_bytes(cx, op, &input, |cx, axis| Table::antialiased(cx, axis, kind, Type::f64(cx.context())), kind);
    }
    let ty = opmath(cx.context(), element);
    let Spatial { axes, .. } = Spatial::of(cx, op, &input, kind, ty)?;
    let mut x = input;
    for (i, axis) in axes.into_iter().enumerate().rev().filter(|(_, axis)| !axis.keeps_size()) {
        let table = Table::antialiased(cx, axis, kind, ty);
        x = table.apply(cx, &x, 2 + i, ty, table.weights.as_ref());
    }
    let result = cast(cx, &x, element);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// One dim after the other, the last one first, each rounded to bytes.
fn of_bytes<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    input: &Tensor<'c>,
    table: impl Fn(&Lower<'c>, Axis<'c>) -> Table<'c>,
    kind: Kind,
) -> Result {
    if op.result_element(0).number_kind() != fx_ir::NumberKind::Unsigned || input.rank() != 4 {
        return Err(op.error("is defined for floats, and over two dims for ui8"));
    }
    let Spatial { axes, .. } = Spatial::of(cx, op, input, kind, Type::f64(cx.context()))?;
    let mut x = input.clone();
    for (i, axis) in axes.into_iter().enumerate().rev().filter(|(_, axis)| !axis.keeps_size()) {
        x = bytes::apply(cx, &table(cx, axis), &x, 2 + i);
    }
    cx.set(op.op.result(0), x);
    Ok(())
}
