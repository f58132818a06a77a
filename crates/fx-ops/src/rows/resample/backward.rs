//! Gradients of resampling: the transposed maps, dim by dim, summed in f32 for narrower floats.

use fx_ir::{Result, Type};

use crate::fx_op::{Dim, FxOp};
use crate::lower::Lower;
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::rows::resample::axis::{Axis, Kind, Mode, given_factor};
use crate::rows::resample::table::Table;
use crate::scalar::opmath;
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.upsample_nearest1d_backward", |cx, op| plain(cx, op, Kind::Nearest)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_nearest2d_backward", |cx, op| plain(cx, op, Kind::Nearest)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_nearest3d_backward", |cx, op| plain(cx, op, Kind::Nearest)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_nearest_exact1d_backward", |cx, op| plain(cx, op, Kind::NearestExact))
        .vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_nearest_exact2d_backward", |cx, op| plain(cx, op, Kind::NearestExact))
        .vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_nearest_exact3d_backward", |cx, op| plain(cx, op, Kind::NearestExact))
        .vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_linear1d_backward", |cx, op| plain(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_bilinear2d_backward", |cx, op| plain(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_trilinear3d_backward", |cx, op| plain(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_bicubic2d_backward", |cx, op| plain(cx, op, Kind::Cubic)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_bilinear2d_aa_backward", |cx, op| antialiased(cx, op, Kind::Linear)).vjp(derivatives::resample::upsample_backward),
    lowered("fx.upsample_bicubic2d_aa_backward", |cx, op| antialiased(cx, op, Kind::Cubic)).vjp(derivatives::resample::upsample_backward),
];

fn plain<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, kind: Kind) -> Result {
    let mode = Mode { kind, aligned: kind.weighs() && op.op.flag("align_corners") };
    let element = op.result_element(0);
    let ty = opmath(cx.context(), element);
    // ATen finds nearest elements in f32, for doubles too.
    let place = if kind.weighs() { ty } else { Type::f32(cx.context()) };
    let sizes = Sizes::of(cx, op)?;
    let unchanged = sizes.unchanged();
    let given = |i: usize, count: usize| {
        given_factor(op, i, count).filter(|_| {
            // Where ATen's kernels do not look at the factor.
            let (from, to) = (sizes.input[i], sizes.output[i]);
            match kind {
                Kind::Nearest => from != to && cx.mul(from, Dim::Static(2)) != to,
                Kind::NearestExact => true,
                Kind::Linear => from != to,
                Kind::Cubic => !unchanged,
            }
        })
    };
    let count = sizes.input.len();
    let factors: Vec<_> = (0..count).map(|i| given(i, count)).collect();
    transposed(cx, op, &sizes, |cx, i| {
        let axis = Axis::new(cx, sizes.input[i], sizes.output[i], factors[i], mode.aligned, place);
        let same = axis.keeps_size() && factors[i].is_none();
        (!same).then(|| Table::plain(cx, axis, mode, ty))
    })
}

fn antialiased<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, kind: Kind) -> Result {
    let ty = opmath(cx.context(), op.result_element(0));
    let aligned = op.op.flag("align_corners");
    let sizes = Sizes::of(cx, op)?;
    let count = sizes.input.len();
    transposed(cx, op, &sizes, |cx, i| {
        let factor = given_factor(op, i, count);
        let axis = Axis::new(cx, sizes.input[i], sizes.output[i], factor, aligned, ty);
        (!axis.keeps_size() || factor.is_some()).then(|| Table::antialiased(cx, axis, kind, ty))
    })
}

/// Spatial sizes of a resampling op's input and result.
struct Sizes<'c> {
    input: Vec<Dim<'c>>,
    output: Vec<Dim<'c>>,
}

impl<'c> Sizes<'c> {
    fn of(cx: &Lower<'c>, op: FxOp<'c>) -> Result<Self> {
        let g = cx.operand(op, "grad_output")?;
        let (input, wanted) = (cx.sizes(op, "input_size"), cx.sizes(op, "output_size"));
        if input.len() != g.dims.len() {
            return Err(op.error("needs an 'input_size' with one entry per dim"));
        }
        cx.check_shape(&g.dims, &[&input[..2], &wanted[..]].concat());
        Ok(Self { input: input[2..].to_vec(), output: g.dims[2..].to_vec() })
    }

    fn unchanged(&self) -> bool {
        self.input == self.output
    }
}

/// The gradient taken back through each spatial dim's table, the last one first; none leaves a dim alone.
fn transposed<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, sizes: &Sizes<'c>, table: impl Fn(&Lower<'c>, usize) -> Option<Table<'c>>) -> Result {
    let ty = opmath(cx.context(), op.result_element(0));
    let mut g = cx.operand(op, "grad_output")?;
    for i in (0..sizes.input.len()).rev() {
        if let Some(table) = table(cx, i) {
            g = table.transposed(cx, &g, 2 + i, ty);
        }
    }
    let result = cast(cx, &g, op.result_element(0));
    cx.set(op.op.result(0), result);
    Ok(())
}
