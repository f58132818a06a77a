//! Activations and their gradients.

use fx_ir::{Attribute, Op, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::rows::derivatives::activation as vjp;
use crate::rows::pointwise::{attribute, elementary};
use crate::rows::shape::slice_value;
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{Compute, OpRow, composite, pointwise};

use Compute::Result as InResult;

/// The table.
pub static ROWS: &[OpRow] = &[
    pointwise("fx.relu", InResult, |s, a, _| s.max(a[0], s.int(a[0].ty, 0))).vjp(vjp::relu).kinked(),
    pointwise("fx.sigmoid", InResult, |s, a, _| sigmoid(s, a[0])).vjp(vjp::sigmoid),
    pointwise("fx.silu", InResult, |s, a, _| s.div(a[0], one_plus_exp_neg(s, a[0]))).vjp(vjp::silu),
    pointwise("fx.gelu", InResult, gelu).vjp(|b| vjp::activation(b, &[])),
    pointwise("fx.celu", InResult, |s, a, op| {
        let alpha = op.float("alpha").unwrap_or(1.0);
        elu(s, a[0], alpha, 1.0, 1.0 / alpha)
    })
    .vjp(vjp::celu)
    .kinked(),
    pointwise("fx.elu", InResult, |s, a, op| {
        let number = |name: &str| op.float(name).unwrap_or(1.0);
        elu(s, a[0], number("alpha") * number("scale"), number("scale"), number("input_scale"))
    })
    .vjp(vjp::elu)
    .kinked(),
    pointwise("fx.hardshrink", InResult, |s, a, op| inside(s, a[0], a[0], op, 0.5)).vjp(|b| vjp::activation(b, &[("lambd", 0.5)])).kinked(),
    pointwise("fx.hardsigmoid", InResult, |s, a, _| s.div(relu6_of_three_more(s, a[0]), s.constant(a[0].ty, 6.0)))
        .vjp(|b| vjp::activation(b, &[]))
        .kinked(),
    pointwise("fx.hardswish", InResult, |s, a, _| s.div(s.mul(a[0], relu6_of_three_more(s, a[0])), s.constant(a[0].ty, 6.0)))
        .vjp(|b| vjp::activation(b, &[]))
        .kinked(),
    pointwise("fx.hardtanh", InResult, |s, a, op| {
        let (low, high) = (attribute(s, op, "min_val", -1.0, a[0].ty), attribute(s, op, "max_val", 1.0, a[0].ty));
        s.min(s.max(a[0], low), high)
    })
    .vjp(|b| vjp::activation(b, &[("min_val", -1.0), ("max_val", 1.0)]))
    .kinked(),
    pointwise("fx.leaky_relu", InResult, |s, a, op| {
        let slope = attribute(s, op, "negative_slope", 0.01, a[0].ty);
        s.select(positive(s, a[0]), a[0], s.mul(a[0], slope))
    })
    .vjp(vjp::leaky_relu)
    .kinked(),
    pointwise("fx.log_sigmoid", InResult, |s, a, _| log_sigmoid(s, a[0])).vjp(vjp::log_sigmoid),
    pointwise("fx.logit", InResult, |s, a, op| {
        let one = s.constant(a[0].ty, 1.0);
        let x = match op.float("eps") {
            Some(eps) => {
                let (low, high) = (s.constant(a[0].ty, eps), s.sub(one, s.constant(a[0].ty, eps)));
                let x = s.select(s.compare(Compare::Lt, a[0], low), low, a[0]);
                s.select(s.compare(Compare::Gt, a[0], high), high, x)
            }
            None => a[0],
        };
        s.op("math.log", &[s.div(x, s.sub(one, x))])
    })
    .vjp(|b| vjp::activation(b, &[]))
    .kinked(),
    pointwise("fx.mish", InResult, |s, a, _| s.mul(a[0], tanh_softplus(s, a[0]))).vjp(|b| vjp::activation(b, &[])),
    pointwise("fx.prelu_kernel", InResult, |s, a, _| s.select(positive(s, a[0]), a[0], s.mul(a[1], a[0]))).vjp(vjp::prelu_kernel).kinked(),
    pointwise("fx.softplus", InResult, |s, a, op| {
        let (beta, threshold) = (attribute(s, op, "beta", 1.0, a[0].ty), attribute(s, op, "threshold", 20.0, a[0].ty));
        let scaled = s.mul(a[0], beta);
        let soft = s.div(s.op("math.log1p", &[s.op("math.exp", &[scaled])]), beta);
        s.select(s.compare(Compare::Gt, scaled, threshold), a[0], soft)
    })
    .vjp(|b| vjp::activation(b, &[("beta", 1.0), ("threshold", 20.0)]))
    .kinked(),
    pointwise("fx.softshrink", InResult, |s, a, op| {
        let (x, lambd) = (a[0], attribute(s, op, "lambd", 0.5, a[0].ty));
        // `x * 0` keeps NaN.
        let low = s.select(s.compare(Compare::Lt, x, s.neg(lambd)), s.add(x, lambd), s.mul(x, s.constant(x.ty, 0.0)));
        s.select(s.compare(Compare::Gt, x, lambd), s.sub(x, lambd), low)
    })
    .vjp(|b| vjp::activation(b, &[("lambd", 0.5)]))
    .kinked(),
    pointwise("fx.threshold", InResult, |s, a, op| {
        let (threshold, value) = (attribute(s, op, "threshold", 0.0, a[0].ty), attribute(s, op, "value", 0.0, a[0].ty));
        s.select(s.compare(Compare::Le, a[0], threshold), value, a[0])
    })
    .vjp(vjp::threshold)
    .kinked(),
    composite("fx.glu", |f, op| {
        let (a, b) = halves(f, op)?;
        Ok(vec![f.cast(f.mul(a, f.sigmoid(b)?)?, op.result_element(0))?])
    })
    .vjp(vjp::glu),
    composite("fx.log_sigmoid_forward", |f, op| {
        let x = op.operand("input")?;
        let wide = f.cast(x, opmath(f.context(), x.ty().element()))?;
        let buffer = f.exp(f.neg(f.op("fx.abs", &[wide], &[])?)?)?;
        Ok(vec![f.op("fx.log_sigmoid", &[x], &[])?, f.cast(buffer, op.result_element(1))?])
    })
    .vjp(vjp::log_sigmoid)
    .tested_by("what it keeps beside the result has no derivative: `fx.log_sigmoid`"),
    composite("fx.prelu", |f, op| {
        let (x, weight) = (op.operand("input")?, op.operand("weight")?);
        let rank = x.ty().rank();
        let mut dims = vec![Dim::Static(1); rank];
        if let (Some(channels), true) = (f.dims(weight).first(), rank > 1) {
            dims[1] = *channels;
        }
        Ok(vec![f.op("fx.prelu_kernel", &[x, f.view(weight, &dims)?], &[])?])
    })
    .kinked(),
    // Gradients: a[0] is what arrives, a[1] the operand (or the result where its description says so)
    pointwise("fx.elu_backward", InResult, elu_backward).vjp(vjp::elu_backward).kinked(),
    pointwise("fx.gelu_backward", InResult, gelu_backward).vjp(vjp::gelu_backward),
    pointwise("fx.hardshrink_backward", InResult, |s, a, op| inside(s, a[1], a[0], op, 0.5)).vjp(vjp::straight).kinked(),
    pointwise("fx.softshrink_backward", InResult, |s, a, op| inside(s, a[1], a[0], op, 0.5)).vjp(vjp::straight).kinked(),
    pointwise("fx.hardsigmoid_backward", InResult, |s, a, _| {
        let c = |value: f64| s.constant(a[0].ty, value);
        let between = s.and(s.compare(Compare::Gt, a[1], c(-3.0)), s.compare(Compare::Lt, a[1], c(3.0)));
        s.select(between, s.mul(a[0], c(1.0 / 6.0)), c(0.0))
    })
    .vjp(vjp::straight)
    .kinked(),
    pointwise("fx.hardswish_backward", InResult, |s, a, _| {
        let c = |value: f64| s.constant(a[0].ty, value);
        let slope = s.mul(a[0], s.add(s.div(a[1], c(3.0)), c(0.5)));
        let high = s.select(s.compare(Compare::Lt, a[1], c(3.0)), slope, a[0]);
        s.select(s.compare(Compare::Le, a[1], c(-3.0)), c(0.0), high)
    })
    .vjp(vjp::hardswish_backward)
    .kinked(),
    pointwise("fx.hardtanh_backward", InResult, |s, a, op| {
        let (low, high) = (attribute(s, op, "min_val", -1.0, a[1].ty), attribute(s, op, "max_val", 1.0, a[1].ty));
        let outside = s.or(s.compare(Compare::Le, a[1], low), s.compare(Compare::Ge, a[1], high));
        s.select(outside, s.constant(a[0].ty, 0.0), a[0])
    })
    .masked(|f, op| {
        let (x, bound) = (op.operand("input")?, |name: &str, default: f64| f.number(op.op.float(name).unwrap_or(default)));
        let outside = f.op("fx.logical_or", &[f.le(x, bound("min_val", -1.0))?, f.ge(x, bound("max_val", 1.0))?], &[])?;
        f.select(outside, f.integer(0), op.operand("grad_output")?)
    })
    .vjp(vjp::straight)
    .kinked(),
    pointwise("fx.leaky_relu_backward", InResult, |s, a, op| {
        let slope = attribute(s, op, "negative_slope", 0.01, a[0].ty);
        s.select(positive(s, a[1]), a[0], s.mul(a[0], slope))
    })
    .masked(|f, op| {
        let (g, slope) = (op.operand("grad_output")?, f.number(op.op.float("negative_slope").unwrap_or(0.01)));
        f.select(f.op("fx.gt", &[op.operand("input")?, f.number(0.0)], &[])?, g, f.mul(g, slope)?)
    })
    .vjp(vjp::straight)
    .kinked(),
    pointwise("fx.logit_backward", InResult, logit_backward).vjp(vjp::logit_backward).kinked(),
    pointwise("fx.mish_backward", InResult, |s, a, _| {
        let (g, x) = (a[0], a[1]);
        let t = tanh_softplus(s, x);
        let slope = s.mul(s.mul(x, sigmoid(s, x)), s.sub(s.constant(x.ty, 1.0), s.mul(t, t)));
        s.mul(g, s.add(t, slope))
    })
    .vjp(vjp::mish_backward),
    pointwise("fx.sigmoid_backward", InResult, |s, a, _| {
        let y = conjugate(s, a[1]);
        s.mul(s.mul(a[0], s.sub(s.constant(y.ty, 1.0), y)), y)
    })
    .vjp(vjp::sigmoid_backward),
    pointwise("fx.silu_backward", InResult, |s, a, _| {
        let one = s.constant(a[1].ty, 1.0);
        let sigmoid = sigmoid(s, a[1]);
        s.mul(s.mul(a[0], sigmoid), s.add(one, s.mul(a[1], s.sub(one, sigmoid))))
    })
    .vjp(vjp::silu_backward),
    pointwise("fx.softplus_backward", InResult, |s, a, op| {
        let (beta, threshold) = (attribute(s, op, "beta", 1.0, a[1].ty), attribute(s, op, "threshold", 20.0, a[1].ty));
        let scaled = s.mul(a[1], beta);
        let z = s.op("math.exp", &[scaled]);
        let soft = s.div(s.mul(a[0], z), s.add(z, s.constant(z.ty, 1.0)));
        s.select(s.compare(Compare::Gt, scaled, threshold), a[0], soft)
    })
    .vjp(vjp::softplus_backward)
    .kinked(),
    pointwise("fx.tanh_backward", InResult, |s, a, _| {
        let y = conjugate(s, a[1]);
        s.mul(a[0], s.sub(s.constant(y.ty, 1.0), s.mul(y, y)))
    })
    .vjp(vjp::tanh_backward),
    pointwise("fx.threshold_backward", InResult, |s, a, op| {
        let threshold = attribute(s, op, "threshold", 0.0, a[1].ty);
        s.select(s.compare(Compare::Le, a[1], threshold), s.int(a[0].ty, 0), a[0])
    })
    .masked(|f, op| {
        let below = f.le(op.operand("input")?, f.number(op.op.float("threshold").unwrap_or(0.0)))?;
        f.select(below, f.integer(0), op.operand("grad_output")?)
    })
    .vjp(vjp::straight)
    .kinked(),
    composite("fx.log_sigmoid_backward", |f, op| {
        let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, opmath(f.context(), op.result_element(0))));
        // 1 - σ(x) = σ(-x)
        let y = f.mul(wide("grad_output")?, f.sigmoid(f.neg(wide("input")?)?)?)?;
        Ok(vec![f.cast(y, op.result_element(0))?])
    }),
    composite("fx.prelu_kernel_backward", |f, op| {
        let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, opmath(f.context(), op.result_element(0))));
        let (g, x, weight) = (wide("grad_output")?, wide("input")?, wide("weight")?);
        let positive = f.op("fx.gt", &[x, f.number(0.0)], &[])?;
        let grad_input = f.select(positive, g, f.mul(g, weight)?)?;
        let grad_weight = f.select(positive, f.number(0.0), f.mul(g, x)?)?;
        Ok(vec![f.cast(grad_input, op.result_element(0))?, f.cast(grad_weight, op.result_element(1))?])
    })
    .kinked(),
    composite("fx.glu_backward", |f, op| {
        let (a, b) = halves(f, op)?;
        let g = f.cast(op.operand("grad_output")?, b.ty().element())?;
        let sigmoid = f.sigmoid(b)?;
        let first = f.mul(g, sigmoid)?;
        let second = f.mul(f.mul(first, a)?, f.sub(f.number(1.0), sigmoid)?)?;
        let dim = op.dim("dim", b.ty().rank())?;
        let joined = f.op("fx.cat", &[first, second], &[("dim", Attribute::i64(f.context(), dim as i64))])?;
        Ok(vec![f.cast(joined, op.result_element(0))?])
    }),
];

/// Whether a number is more than 0.
fn positive<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    s.compare(Compare::Gt, x, s.int(x.ty, 0))
}

/// `1 + e^-a`
fn one_plus_exp_neg<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    s.add(s.constant(a.ty, 1.0), elementary(s, "exp", s.neg(a)))
}

/// `1 / (1 + e^-a)`
fn sigmoid<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    s.div(s.constant(a.ty, 1.0), one_plus_exp_neg(s, a))
}

/// The complex conjugate; a real number is its own.
fn conjugate<'c>(s: &Scalars<'c>, a: Number<'c>) -> Number<'c> {
    if a.ty.is_complex() { s.op("complex.conj", &[a]) } else { a }
}

/// `min(max(x + 3, 0), 6)`
fn relu6_of_three_more<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    s.min(s.max(s.add(x, c(3.0)), c(0.0)), c(6.0))
}

/// `y`, but 0 where `|x| <= lambd`.
fn inside<'c>(s: &Scalars<'c>, x: Number<'c>, y: Number<'c>, op: Op<'c>, absent: f64) -> Number<'c> {
    let lambd = attribute(s, op, "lambd", absent, x.ty);
    let near = s.and(s.compare(Compare::Ge, x, s.neg(lambd)), s.compare(Compare::Le, x, lambd));
    s.select(near, s.constant(y.ty, 0.0), y)
}

/// `min(x, 0) - ln(1 + e^-|x|)`
fn log_sigmoid<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    let z = s.op("math.exp", &[s.neg(s.abs(x))]);
    s.sub(s.min(x, s.constant(x.ty, 0.0)), s.op("math.log1p", &[z]))
}

/// `tanh(ln(1 + e^x))`
fn tanh_softplus<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    s.op("math.tanh", &[s.op("math.log1p", &[s.op("math.exp", &[x])])])
}

/// `negative * (e^(x * input_scale) - 1)` below 0, `positive * x` else.
fn elu<'c>(s: &Scalars<'c>, x: Number<'c>, negative: f64, positive: f64, input_scale: f64) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    let low = s.mul(s.op("math.expm1", &[s.mul(x, c(input_scale))]), c(negative));
    s.select(s.compare(Compare::Lt, x, c(0.0)), low, s.mul(x, c(positive)))
}

fn elu_backward<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let (g, x) = (a[0], a[1]);
    let c = |value: f64| s.constant(x.ty, value);
    let number = |name: &str| op.float(name).unwrap_or(1.0);
    let (scale, input_scale) = (number("scale"), number("input_scale"));
    let negative = number("alpha") * scale;
    let low = if op.flag("is_result") {
        s.mul(s.mul(g, c(input_scale)), s.add(x, c(negative)))
    } else {
        s.mul(s.mul(g, c(input_scale * negative)), s.op("math.exp", &[s.mul(x, c(input_scale))]))
    };
    s.select(s.compare(Compare::Le, x, c(0.0)), low, s.mul(g, c(scale)))
}

/// `x Φ(x)` by erf, or its tanh approximation.
fn gelu<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let x = a[0];
    let c = |value: f64| s.constant(x.ty, value);
    if op.text("approximate") == Some("tanh") {
        return s.mul(s.mul(c(0.5), x), s.add(c(1.0), s.op("math.tanh", &[gelu_inner(s, x)])));
    }
    let phi = s.add(c(1.0), s.op("math.erf", &[s.mul(x, c(std::f64::consts::FRAC_1_SQRT_2))]));
    s.mul(s.mul(x, c(0.5)), phi)
}

/// `sqrt(2 / π) (x + 0.044715 x^3)`
fn gelu_inner<'c>(s: &Scalars<'c>, x: Number<'c>) -> Number<'c> {
    let c = |value: f64| s.constant(x.ty, value);
    let cube = s.mul(s.mul(x, x), x);
    s.mul(c((2.0 / std::f64::consts::PI).sqrt()), s.add(x, s.mul(c(0.044715), cube)))
}

fn gelu_backward<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let (g, x) = (a[0], a[1]);
    let c = |value: f64| s.constant(x.ty, value);
    let square = s.mul(x, x);
    if op.text("approximate") == Some("tanh") {
        let tanh = s.op("math.tanh", &[gelu_inner(s, x)]);
        let left = s.mul(c(0.5), s.add(c(1.0), tanh));
        let inner = s.mul(c((2.0 / std::f64::consts::PI).sqrt()), s.add(c(1.0), s.mul(c(3.0 * 0.044715), square)));
        let right = s.mul(s.mul(s.mul(c(0.5), x), s.sub(c(1.0), s.mul(tanh, tanh))), inner);
        return s.mul(g, s.add(left, right));
    }
    let cdf = s.mul(c(0.5), s.add(c(1.0), s.op("math.erf", &[s.mul(x, c(std::f64::consts::FRAC_1_SQRT_2))])));
    let density = s.mul(s.op("math.exp", &[s.mul(square, c(-0.5))]), c(1.0 / (2.0 * std::f64::consts::PI).sqrt()));
    s.mul(g, s.add(cdf, s.mul(x, density)))
}

/// `g / (x (1 - x))`, outside of `[eps, 1 - eps]` 0, or without eps NaN outside of `[0, 1]`.
fn logit_backward<'c>(s: &Scalars<'c>, a: &[Number<'c>], op: Op<'c>) -> Number<'c> {
    let (g, x) = (a[0], a[1]);
    let one = s.constant(x.ty, 1.0);
    let slope = s.div(g, s.mul(x, s.sub(one, x)));
    let (low, outside) = match op.float("eps") {
        Some(eps) => (s.constant(x.ty, eps), s.constant(x.ty, 0.0)),
        None => (s.constant(x.ty, 0.0), s.constant(x.ty, f64::NAN)),
    };
    let out = s.or(s.compare(Compare::Lt, x, low), s.compare(Compare::Gt, x, s.sub(one, low)));
    s.select(out, outside, slope)
}

/// The halves of `input` along `dim`, in the type that the op computes in.
fn halves<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let x = op.operand("input")?;
    let x = f.cast(x, opmath(f.context(), x.ty().element()))?;
    let dim = op.normalize(op.op.int("dim").unwrap_or(-1), x.ty().rank())?;
    let half = match f.dims(x)[dim] {
        Dim::Static(size) => Dim::Static(size / 2),
        Dim::Dynamic(size) => Dim::Dynamic(f.b.value("arith.floordivsi", &[size, f.b.index(2)], size.ty(), &[])),
    };
    Ok((slice_value(f, x, dim, Dim::Static(0), Some(half))?, slice_value(f, x, dim, half, None)?))
}
