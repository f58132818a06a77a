//! Pads and their gradients, rearrangements of pixels.

use fx_interp::DType;

use super::{number_like, real};
use crate::case::{Case, Operand, number};
use crate::draw::{ALL, Draw, FLOATS, REAL_NUMBERS, SMALL};
use crate::{EXACT, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.channel_shuffle", EXACT, |d| {
        let (dtype, mut shape, groups) = (d.pick(ALL), d.shape(3, 4), d.between(1, 3));
        shape[1] = groups as usize * d.positive();
        let x = d.array(dtype, &shape, SMALL);
        Case::new(d).partly("input", x, &[0, 2, 3]).fixed_sizes("groups", &[groups])
    }),
    row("fx.constant_pad_nd", EXACT, |d| {
        let (dtype, shape) = (d.pick(ALL), d.shape(0, 4));
        let x = d.array(dtype, &shape, SMALL);
        let pad = constant(d, &shape);
        let case = Case::new(d).with("input", x).sizes("pad", &pad);
        match d.maybe(|d| number_like(d, if dtype.is_complex() { DType::F64 } else { dtype }, SMALL)) {
            Some(Operand::Number(value, _)) => case.attribute("value", number(value)),
            _ => case,
        }
    }),
    row("fx.pad", EXACT, |d| {
        let mode = d.pick(&["constant", "reflect", "replicate", "circular"]);
        if mode == "constant" {
            let (dtype, shape) = (d.pick(REAL_NUMBERS), d.shape(0, 4));
            let x = d.array(dtype, &shape, SMALL);
            let pad = constant(d, &shape);
            let value = d.maybe(|d| real(d, 0.0, 4.0).round());
            return Case::new(d).with("input", x).sizes("pad", &pad).text("mode", mode).maybe(value, |c, x| c.float("value", x));
        }
        let n = d.between(1, 3) as usize;
        let (x, pad) = edge(d, n, mode == "reflect");
        Case::new(d).with("input", x).sizes("pad", &pad).text("mode", mode)
    }),
    row("fx.pixel_shuffle", EXACT, |d| {
        let (dtype, mut shape, factor) = (d.pick(ALL), d.shape(3, 4), d.between(1, 3));
        let channels = shape.len() - 3;
        shape[channels] = d.positive() * (factor * factor) as usize;
        let x = d.array(dtype, &shape, SMALL);
        Case::new(d).partly("input", x, &(0..shape.len()).filter(|dim| *dim != channels).collect::<Vec<_>>()).int("upscale_factor", factor)
    }),
    row("fx.pixel_unshuffle", EXACT, |d| {
        let (dtype, mut shape, factor) = (d.pick(ALL), d.shape(3, 4), d.between(1, 3));
        let first = shape.len() - 2;
        shape[first..].iter_mut().for_each(|size| *size = (*size % 3) * factor as usize);
        let x = d.array(dtype, &shape, SMALL);
        Case::new(d).partly("input", x, &(0..first).collect::<Vec<_>>()).int("downscale_factor", factor)
    }),
    row("fx.reflection_pad1d", EXACT, |d| edges(d, 1, true)),
    row("fx.reflection_pad1d_backward", STABLE, |d| edges_backward(d, 1, true)),
    row("fx.reflection_pad2d", EXACT, |d| edges(d, 2, true)),
    row("fx.reflection_pad2d_backward", STABLE, |d| edges_backward(d, 2, true)),
    row("fx.reflection_pad3d", EXACT, |d| edges(d, 3, true)),
    row("fx.reflection_pad3d_backward", STABLE, |d| edges_backward(d, 3, true)),
    row("fx.replication_pad1d", EXACT, |d| edges(d, 1, false)),
    row("fx.replication_pad1d_backward", STABLE, |d| edges_backward(d, 1, false)),
    row("fx.replication_pad2d", EXACT, |d| edges(d, 2, false)),
    row("fx.replication_pad2d_backward", STABLE, |d| edges_backward(d, 2, false)),
    row("fx.replication_pad3d", EXACT, |d| edges(d, 3, false)),
    row("fx.replication_pad3d_backward", STABLE, |d| edges_backward(d, 3, false)),
];

/// Pads of the last dims, some negative, that leave no negative size.
fn constant(d: &mut Draw<'_>, shape: &[usize]) -> Vec<i64> {
    let count = d.below(shape.len() + 1);
    let mut pad = Vec::new();
    for size in shape.iter().rev().take(count) {
        let own = *size as i64;
        let before = d.pick(&[0, 1, 2, -1]).max(-own);
        let after = d.pick(&[0, 1, 3, -1]).max(-(own + before));
        pad.extend([before, after]);
    }
    pad
}

/// A tensor with `n` dims to pad by less than their sizes, and the pads.
fn edge(d: &mut Draw<'_>, n: usize, reflected: bool) -> (fx_interp::Array, Vec<i64>) {
    let dtype = d.pick(FLOATS);
    let mut shape = if d.once_in(3) { vec![d.positive()] } else { vec![d.size(), d.positive()] };
    shape.extend((0..n).map(|_| d.positive()));
    let mut pad = Vec::new();
    for size in shape.iter().rev().take(n) {
        let most = if reflected { *size as i64 - 1 } else { *size as i64 };
        pad.extend([d.between(0, most.min(3)), d.between(0, most.min(3))]);
    }
    (d.array(dtype, &shape, SMALL), pad)
}

fn edges(d: &mut Draw<'_>, n: usize, reflected: bool) -> Case {
    let (x, pad) = edge(d, n, reflected);
    Case::new(d).with("input", x).sizes("padding", &pad)
}

fn edges_backward(d: &mut Draw<'_>, n: usize, reflected: bool) -> Case {
    let (x, pad) = edge(d, n, reflected);
    let mut shape = x.shape().to_vec();
    let last = shape.len() - 1;
    for k in 0..n {
        shape[last - k] += (pad[2 * k] + pad[2 * k + 1]) as usize;
    }
    let g = d.array(x.dtype(), &shape, SMALL);
    Case::new(d).with("grad_output", g).with("input", x).sizes("padding", &pad)
}
