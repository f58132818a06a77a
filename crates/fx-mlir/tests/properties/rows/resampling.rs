//! Resampling to other sizes and at the points of a grid.

use super::shape::signed;
use crate::case::Case;
use crate::draw::{Domain, Draw, FLOATS, SMALL, WIDE};
use crate::{Class, EXACT, Row, STABLE, row};

/// Weights are computed from positions, which are rounded in f32.
const WEIGHTED: &[Class] = &[Class::Terms(16.0)];

/// A gradient of the grid is a sum over channels and taps.
const SAMPLED: &[Class] = &[Class::Terms(128.0)];

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.affine_grid_generator", STABLE, |d| {
        let (dtype, size) = (d.pick(WIDE), grid_size(d));
        let n = size.len() - 2;
        let theta = d.array(dtype, &[size[0], n, n + 1], SMALL);
        let aligned = d.flip();
        Case::new(d).partly("theta", theta, &[0]).sizes("size", &signed(&size)).bool("align_corners", aligned)
    }),
    row("fx.affine_grid_generator_backward", STABLE, |d| {
        let (dtype, size) = (d.pick(WIDE), grid_size(d));
        let n = size.len() - 2;
        let shape = [&size[..1], &size[2..], &[n]].concat();
        let g = d.array(dtype, &shape, SMALL);
        let aligned = d.flip();
        let dims: Vec<usize> = (0..shape.len() - 1).collect();
        Case::new(d).partly("grad", g, &dims).sizes("size", &signed(&size)).bool("align_corners", aligned)
    }),
    row("fx.grid_sampler", WEIGHTED, |d| sampled(d, false)),
    row("fx.grid_sampler_backward", SAMPLED, |d| sampled(d, true)),
    row("fx.upsample_bicubic2d", WEIGHTED, |d| up(d, 2, true)),
    row("fx.upsample_bicubic2d_aa", WEIGHTED, |d| up(d, 2, true)),
    row("fx.upsample_bicubic2d_aa_backward", WEIGHTED, |d| down(d, 2, true)),
    row("fx.upsample_bicubic2d_backward", WEIGHTED, |d| down(d, 2, true)),
    row("fx.upsample_bilinear2d", WEIGHTED, |d| up(d, 2, true)),
    row("fx.upsample_bilinear2d_aa", WEIGHTED, |d| up(d, 2, true)),
    row("fx.upsample_bilinear2d_aa_backward", WEIGHTED, |d| down(d, 2, true)),
    row("fx.upsample_bilinear2d_backward", WEIGHTED, |d| down(d, 2, true)),
    row("fx.upsample_linear1d", WEIGHTED, |d| up(d, 1, true)),
    row("fx.upsample_linear1d_backward", WEIGHTED, |d| down(d, 1, true)),
    row("fx.upsample_nearest1d", EXACT, |d| up(d, 1, false)),
    row("fx.upsample_nearest1d_backward", STABLE, |d| down(d, 1, false)),
    row("fx.upsample_nearest2d", EXACT, |d| up(d, 2, false)),
    row("fx.upsample_nearest2d_backward", STABLE, |d| down(d, 2, false)),
    row("fx.upsample_nearest3d", EXACT, |d| up(d, 3, false)),
    row("fx.upsample_nearest3d_backward", STABLE, |d| down(d, 3, false)),
    row("fx.upsample_nearest_exact1d", EXACT, |d| up(d, 1, false)),
    row("fx.upsample_nearest_exact1d_backward", STABLE, |d| down(d, 1, false)),
    row("fx.upsample_nearest_exact2d", EXACT, |d| up(d, 2, false)),
    row("fx.upsample_nearest_exact2d_backward", STABLE, |d| down(d, 2, false)),
    row("fx.upsample_nearest_exact3d", EXACT, |d| up(d, 3, false)),
    row("fx.upsample_nearest_exact3d_backward", STABLE, |d| down(d, 3, false)),
    row("fx.upsample_trilinear3d", WEIGHTED, |d| up(d, 3, true)),
    row("fx.upsample_trilinear3d_backward", WEIGHTED, |d| down(d, 3, true)),
];

/// Names of the attributes that give the scale of each dim.
fn scale_names(n: usize) -> &'static [&'static str] {
    match n {
        1 => &["scales"],
        2 => &["scales_h", "scales_w"],
        _ => &["scales_d", "scales_h", "scales_w"],
    }
}

/// Batch, channels and `n` sizes.
fn image(d: &mut Draw<'_>, n: usize) -> Vec<usize> {
    let mut shape = vec![d.size(), d.positive()];
    shape.extend((0..n).map(|_| d.positive()));
    shape
}

fn up(d: &mut Draw<'_>, n: usize, smooth: bool) -> Case {
    let (dtype, shape) = (d.pick(FLOATS), image(d, n));
    let x = d.array(dtype, &shape, SMALL);
    let case = Case::new(d).with("input", x);
    let case = if smooth { case.bool("align_corners", d.flip()) } else { case };
    if d.once_in(3) {
        // powers of two, so that sizes and positions are those of any rounding
        let factors: Vec<f64> = (0..n).map(|_| d.pick(&[2.0, 1.0, 4.0, 1.5])).collect();
        return case.fixed_sizes("output_size", &[]).floats("scale_factors", &factors);
    }
    let size: Vec<i64> = (0..n).map(|_| d.positive() as i64).collect();
    case.sizes("output_size", &size)
}

fn down(d: &mut Draw<'_>, n: usize, smooth: bool) -> Case {
    let (dtype, shape) = (d.pick(FLOATS), image(d, n));
    let mut own = shape[..2].to_vec();
    own.extend((0..n).map(|_| d.positive()));
    let g = d.array(dtype, &own, SMALL);
    let case = Case::new(d).with("grad_output", g).sizes("output_size", &signed(&own[2..])).sizes("input_size", &signed(&shape));
    let case = if smooth { case.bool("align_corners", d.flip()) } else { case };
    if !d.once_in(3) {
        return case;
    }
    scale_names(n).iter().enumerate().fold(case, |case, (k, name)| case.float(name, own[2 + k] as f64 / shape[2 + k] as f64))
}

fn grid_size(d: &mut Draw<'_>) -> Vec<usize> {
    let n = d.between(2, 3) as usize;
    image(d, n)
}

fn sampled(d: &mut Draw<'_>, backward: bool) -> Case {
    let dtype = d.pick(WIDE);
    let n = d.between(2, 3) as usize;
    let shape = image(d, n);
    let places: Vec<usize> = (0..n).map(|_| d.positive()).collect();
    let grid = [&shape[..1], &places[..], &[n]].concat();
    let mode = if n == 2 { d.below(3) } else { d.below(2) };
    let (padding, aligned) = (d.below(3) as i64, d.flip());
    let (x, grid) = (d.array(dtype, &shape, SMALL), d.array(dtype, &grid, Domain::Range(-1.4, 1.4)));
    let known: Vec<usize> = (0..n + 1).collect();
    let mut case = Case::new(d).with("input", x).partly("grid", grid, &known);
    if backward {
        let own = [&shape[..2], &places[..]].concat();
        let g = d.array(dtype, &own, SMALL);
        case = case.with("grad_output", g).bools("output_mask", &[d.flip(), d.flip()]);
    }
    case.int("interpolation_mode", mode as i64).int("padding_mode", padding).bool("align_corners", aligned)
}
