//! Activations and their gradients.

use fx_interp::{DType, Number};

use super::{factor, real, tensors, two_dtypes, unary};
use crate::case::Case;
use crate::draw::{Domain, Draw, FLOAT_OR_COMPLEX, FLOATS, REAL_NUMBERS, SIGNED, SMALL};
use crate::{EQUAL, EXACT, Row, STABLE, TERMS, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.celu", STABLE, |d| with_number(d, "alpha", 0.25, 3.0)),
    row("fx.elu", STABLE, |d| {
        let numbers = ["alpha", "scale", "input_scale"].map(|name| (name, d.maybe(|d| factor(d, 0.5, 2.0))));
        numbers.into_iter().fold(activation(d), |case, (name, x)| case.maybe(x, |c, x| c.number(name, x)))
    }),
    row("fx.elu_backward", STABLE, |d| {
        let is_result = d.flip();
        let numbers = ["alpha", "scale", "input_scale"].map(|name| (name, factor(d, 0.5, 2.0)));
        let case = gradient(d, "grad_output", "self_or_result", FLOATS).bool("is_result", is_result);
        numbers.into_iter().fold(case, |case, (name, x)| case.number(name, x))
    }),
    row("fx.gelu", TERMS, |d| {
        let tanh = d.maybe(|d| d.pick(&["none", "tanh"]));
        activation(d).maybe(tanh, |c, x| c.text("approximate", x))
    }),
    row("fx.gelu_backward", TERMS, |d| {
        let tanh = d.maybe(|d| d.pick(&["none", "tanh"]));
        gradient(d, "grad_output", "input", FLOATS).maybe(tanh, |c, x| c.text("approximate", x))
    }),
    row("fx.glu", STABLE, |d| {
        let (shape, dim, dtype) = halved(d);
        let x = d.array(dtype, &shape, SMALL);
        let dim = if dim == shape.len() - 1 && d.flip() { None } else { Some(dim as i64) };
        Case::new(d).with("input", x).maybe(dim, |c, dim| c.int("dim", dim))
    }),
    row("fx.glu_backward", STABLE, |d| {
        let (shape, dim, dtype) = halved(d);
        let mut half = shape.clone();
        half[dim] /= 2;
        let (g, x) = (d.array(dtype, &half, SMALL), d.array(dtype, &shape, SMALL));
        Case::new(d).with("grad_output", g).with("input", x).int("dim", dim as i64)
    }),
    row("fx.hardshrink", EXACT, |d| with_number(d, "lambd", 0.0, 2.0)),
    row("fx.hardshrink_backward", EXACT, |d| {
        let x = factor(d, 0.0, 2.0);
        gradient(d, "grad_out", "input", FLOATS).number("lambd", x)
    }),
    row("fx.hardsigmoid", STABLE, activation),
    row("fx.hardsigmoid_backward", STABLE, |d| gradient(d, "grad_output", "input", FLOATS)),
    row("fx.hardswish", STABLE, activation),
    row("fx.hardswish_backward", STABLE, |d| gradient(d, "grad_output", "input", FLOATS)),
    row("fx.hardtanh", EQUAL, |d| {
        let bounds = d.flip();
        let case = unary(d, SIGNED, Domain::Special);
        if bounds { case.number("min_val", Number::Int(d.between(-2, 0))).number("max_val", Number::Int(d.between(0, 6))) } else { case }
    }),
    row("fx.hardtanh_backward", EXACT, |d| {
        let (low, high) = (factor(d, -2.0, 0.0), factor(d, 0.5, 3.0));
        gradient(d, "grad_output", "input", FLOATS).number("min_val", low).number("max_val", high)
    }),
    row("fx.leaky_relu", STABLE, |d| with_number(d, "negative_slope", -0.5, 1.0)),
    row("fx.leaky_relu_backward", STABLE, |d| {
        let (slope, is_result) = (factor(d, 0.0, 1.0), d.flip());
        gradient(d, "grad_output", "input", FLOATS).number("negative_slope", slope).bool("self_is_result", is_result)
    }),
    row("fx.log_sigmoid", TERMS, activation),
    row("fx.log_sigmoid_backward", STABLE, |d| {
        // the buffer is a function of the operand
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let (g, x, buffer) =
            (d.array(dtype, &shape, SMALL), d.array(dtype, &shape, SMALL), d.array(dtype, &shape, Domain::Range(0.0, 1.0)));
        Case::new(d).with("grad_output", g).with("input", x).with("buffer", buffer)
    }),
    row("fx.log_sigmoid_forward", TERMS, activation),
    row("fx.logit_backward", STABLE, |d| {
        let eps = d.maybe(|d| real(d, 0.0, 0.25));
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let (g, x) = (d.array(dtype, &shape, SMALL), d.array(dtype, &shape, Domain::Range(-0.25, 1.25)));
        Case::new(d).with("grad_output", g).with("input", x).maybe(eps, |c, x| c.float("eps", x))
    }),
    row("fx.mish", STABLE, activation),
    row("fx.mish_backward", STABLE, |d| gradient(d, "grad_output", "input", FLOATS)),
    row("fx.prelu", STABLE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let channels = if shape.len() > 1 { shape[1] } else { 1 };
        let weights: &[usize] = match d.below(3) {
            0 => &[1],
            1 => &[],
            _ => &[channels],
        };
        let (x, w) = (d.array(dtype, &shape, SMALL), d.array(dtype, weights, SMALL));
        Case::new(d).with("input", x).with("weight", w)
    }),
    row("fx.prelu_kernel", STABLE, |d| tensors(d, ["input", "weight"], FLOATS, [SMALL, SMALL])),
    row("fx.prelu_kernel_backward", STABLE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.shape(0, 4));
        let slopes = d.broadcast_from(&shape);
        let (g, x, w) = (d.array(dtype, &shape, SMALL), d.array(dtype, &shape, SMALL), d.array(dtype, &slopes, SMALL));
        Case::new(d).with("grad_output", g).with("input", x).with("weight", w)
    }),
    row("fx.relu", EXACT, |d| unary(d, REAL_NUMBERS, Domain::Special)),
    row("fx.sigmoid_backward", STABLE, |d| gradient(d, "grad_output", "output", FLOAT_OR_COMPLEX)),
    row("fx.silu", STABLE, |d| unary(d, FLOAT_OR_COMPLEX, SMALL)),
    row("fx.silu_backward", STABLE, |d| gradient(d, "grad_output", "input", FLOAT_OR_COMPLEX)),
    row("fx.softplus", STABLE, |d| {
        let (beta, threshold) = (d.maybe(|d| factor(d, 0.5, 3.0)), d.maybe(|d| factor(d, 1.0, 20.0)));
        activation(d).maybe(beta, |c, x| c.number("beta", x)).maybe(threshold, |c, x| c.number("threshold", x))
    }),
    row("fx.softplus_backward", STABLE, |d| {
        let (beta, threshold) = (factor(d, 0.5, 3.0), factor(d, 1.0, 20.0));
        gradient(d, "grad_output", "input", FLOATS).number("beta", beta).number("threshold", threshold)
    }),
    row("fx.softshrink", STABLE, |d| with_number(d, "lambd", 0.0, 2.0)),
    row("fx.softshrink_backward", EXACT, |d| {
        let x = factor(d, 0.0, 2.0);
        gradient(d, "grad_output", "input", FLOATS).number("lambd", x)
    }),
    row("fx.tanh_backward", STABLE, |d| gradient(d, "grad_output", "output", FLOAT_OR_COMPLEX)),
    row("fx.threshold", EXACT, |d| {
        let (threshold, value) = (Number::Int(d.between(0, 2)), Number::Int(d.between(0, 9)));
        unary(d, REAL_NUMBERS, Domain::SpecialFloats).number("threshold", threshold).number("value", value)
    }),
    row("fx.threshold_backward", EXACT, |d| {
        let threshold = Number::Int(d.between(0, 2));
        gradient(d, "grad_output", "input", REAL_NUMBERS).number("threshold", threshold)
    }),
];

fn activation(d: &mut Draw<'_>) -> Case {
    let domain = if d.once_in(4) { Domain::SpecialFloats } else { SMALL };
    unary(d, FLOATS, domain)
}

fn with_number(d: &mut Draw<'_>, name: &str, low: f64, high: f64) -> Case {
    let x = d.maybe(|d| factor(d, low, high));
    activation(d).maybe(x, |c, x| c.number(name, x))
}

/// A gradient and what was saved, which broadcast.
fn gradient(d: &mut Draw<'_>, first: &'static str, saved: &'static str, dtypes: &[DType]) -> Case {
    let [a, b] = two_dtypes(d, dtypes);
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let (g, x) = (d.array(a, &shapes[0], SMALL), d.array(b, &shapes[1], SMALL));
    Case::new(d).with(first, g).with(saved, x)
}

/// A shape with an even size in one dim.
fn halved(d: &mut Draw<'_>) -> (Vec<usize>, usize, DType) {
    let mut shape = d.shape(1, 4);
    let dim = d.below(shape.len());
    shape[dim] = 2 * (shape[dim] / 2);
    (shape, dim, d.pick(FLOATS))
}
