//! Of activations, by their gradient ops, and of these.
//!
//! A gradient op `y = g f'(x)` is linear in g: with the cotangent c it gives c f'(x), itself again, to g, and c g f''(x) to x.

use std::f64::consts::PI;

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::gradient::Back;
use crate::rows::derivatives::backward_name;
use crate::rows::derivatives::pointwise::{and, gt, lt, square, where_true};

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

fn float<'c>(b: &Back<'c>, value: f64) -> Attribute<'c> {
    Attribute::float(b.context(), Type::f64(b.context()), value)
}

fn attribute(b: &Back<'_>, name: &str, absent: f64) -> f64 {
    b.op.op.float(name).unwrap_or(absent)
}

/// By the gradient op of the operand, which has the same attributes; `numbers` are those that may be absent.
pub fn activation(b: &Back<'_>, numbers: &[(&str, f64)]) -> Result {
    let mut attributes: Vec<_> = numbers.iter().map(|(name, absent)| (*name, float(b, attribute(b, name, *absent)))).collect();
    attributes.extend(b.op.op.attributes().into_iter().filter(|(name, _)| numbers.iter().all(|(number, _)| number != name)));
    b.give("input", b.op(&backward_name(b.op), &[b.g()?, b.x("input")?], &attributes)?);
    Ok(())
}

/// `max(x, 0)`: g where y > 0; where y is NaN, too.
pub fn relu(b: &Back<'_>) -> Result {
    b.give("input", b.op("fx.threshold_backward", &[b.g()?, b.y(0)?], &[("threshold", float(b, 0.0))])?);
    Ok(())
}

/// `σ(x)`: g (1 - y) y
pub fn sigmoid(b: &Back<'_>) -> Result {
    b.give("input", b.op("fx.sigmoid_backward", &[b.g()?, b.y(0)?], &[])?);
    Ok(())
}

/// `x σ(x)`: g σ(x) (1 + x (1 - σ(x)))
pub fn silu(b: &Back<'_>) -> Result {
    b.give("input", b.op("fx.silu_backward", &[b.g()?, b.conj(b.x("input")?)?], &[])?);
    Ok(())
}

/// `scale x` above 0, else `alpha scale (e^(input_scale x) - 1)`: g scale, else g alpha scale input_scale e^(input_scale x).
pub fn elu(b: &Back<'_>) -> Result {
    exponential(b, attribute(b, "alpha", 1.0), attribute(b, "scale", 1.0), attribute(b, "input_scale", 1.0))
}

/// `x` above 0, else `alpha (e^(x / alpha) - 1)`: g, else g e^(x / alpha).
pub fn celu(b: &Back<'_>) -> Result {
    let alpha = attribute(b, "alpha", 1.0);
    exponential(b, alpha, 1.0, 1.0 / alpha)
}

fn exponential(b: &Back<'_>, alpha: f64, scale: f64, input_scale: f64) -> Result {
    let attributes = [
        ("alpha", float(b, alpha)),
        ("scale", float(b, scale)),
        ("input_scale", float(b, input_scale)),
        ("is_result", Attribute::bool(b.context(), false)),
    ];
    b.give("input", b.op("fx.elu_backward", &[b.g()?, b.x("input")?], &attributes)?);
    Ok(())
}

/// `x` above 0, else `s x`: g, else g s.
pub fn leaky_relu(b: &Back<'_>) -> Result {
    let slope = float(b, attribute(b, "negative_slope", 0.01));
    let attributes = [("negative_slope", slope), ("self_is_result", Attribute::bool(b.context(), false))];
    b.give("input", b.op("fx.leaky_relu_backward", &[b.g()?, b.x("input")?], &attributes)?);
    Ok(())
}

/// `x` above the threshold, else a number: g, else 0.
pub fn threshold(b: &Back<'_>) -> Result {
    let attributes = [("threshold", float(b, attribute(b, "threshold", 0.0)))];
    b.give("input", b.op("fx.threshold_backward", &[b.g()?, b.x("input")?], &attributes)?);
    Ok(())
}

/// `x` above 0, else `w x`: of x g, else g w; of w 0, else g x.
pub fn prelu_kernel(b: &Back<'_>) -> Result {
    let gradients = b.b.infer("fx.prelu_kernel_backward", &[b.g()?, b.x("input")?, b.x("weight")?], &[])?;
    b.give("input", gradients.result(0));
    b.give("weight", gradients.result(1));
    Ok(())
}

/// `ln σ(x)`: g σ(-x). What the op keeps beside it for its gradient has none.
pub fn log_sigmoid(b: &Back<'_>) -> Result {
    if let Some(g) = b.cotangent(0)? {
        let x = b.x("input")?;
        b.give("input", b.op("fx.log_sigmoid_backward", &[g, x, x], &[])?);
    }
    Ok(())
}

/// `a σ(b)`, a and b the halves of x: g σ(b), g a σ(b) (1 - σ(b))
pub fn glu(b: &Back<'_>) -> Result {
    let dim = Attribute::i64(b.context(), b.op.op.int("dim").unwrap_or(-1));
    b.give("input", b.op("fx.glu_backward", &[b.g()?, b.x("input")?], &[("dim", dim)])?);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Gradient ops
//===----------------------------------------------------------------------===//

/// The same op, of another `g`.
fn again<'c>(b: &Back<'c>, g: Value<'c>) -> Result<Value<'c>> {
    let x = b.conj(b.widened(b.op.op.operand(1))?)?;
    b.op(b.op.op.name(), &[g, x], &b.op.op.attributes())
}

/// Of an activation that is linear in pieces.
pub fn straight(b: &Back<'_>) -> Result {
    b.give_place(0, again(b, b.g()?)?);
    Ok(())
}

/// Of another one: `bend` is f''(x) times its second argument, c g.
fn bent<'c>(b: &Back<'c>, bend: impl Fn(Value<'c>, Value<'c>) -> Result<Value<'c>>) -> Result {
    straight(b)?;
    if b.wants_place(1) {
        let [g, x] = [0, 1].map(|place| b.widened(b.op.op.operand(place)));
        let (g, x) = (b.conj(g?)?, b.conj(x?)?);
        b.give_place(1, bend(x, b.mul(b.g()?, g)?)?);
    }
    Ok(())
}

/// Of one whose formula takes the result, y, and its conjugate: `bend` is f''(x) / f'(x).
fn bent_by_result<'c>(b: &Back<'c>, bend: impl Fn(Value<'c>) -> Result<Value<'c>>) -> Result {
    straight(b)?;
    if b.wants_place(1) {
        let [g, y] = [0, 1].map(|place| b.widened(b.op.op.operand(place)));
        let product = b.mul(b.conj(b.g()?)?, g?)?;
        b.give_place(1, b.mul(product, bend(b.conj(y?)?)?)?);
    }
    Ok(())
}

/// `g (1 - y) y`: c (1 - y) y, c g (1 - 2 y)
pub fn sigmoid_backward(b: &Back<'_>) -> Result {
    bent_by_result(b, |y| b.sub(b.number(1.0), b.mul(b.number(2.0), y)?))
}

/// `g (1 - y^2)`: c (1 - y^2), -2 c g y
pub fn tanh_backward(b: &Back<'_>) -> Result {
    bent_by_result(b, |y| b.mul(b.number(-2.0), y))
}

/// f''(x) = s (1 - s) (2 + x (1 - 2 s)), s = σ(x)
pub fn silu_backward(b: &Back<'_>) -> Result {
    bent(b, |x, g| {
        let s = b.sigmoid(x)?;
        let one = b.number(1.0);
        let inner = b.add(b.number(2.0), b.mul(x, b.sub(one, b.mul(b.number(2.0), s)?)?)?)?;
        b.mul(b.mul(g, b.mul(s, b.sub(one, s)?)?)?, inner)
    })
}

/// f''(x) = s (1 - t^2) (2 + x (1 - s - 2 t s)), s = σ(x), t = tanh(ln(1 + e^x))
pub fn mish_backward(b: &Back<'_>) -> Result {
    bent(b, |x, g| {
        let (s, one) = (b.sigmoid(x)?, b.number(1.0));
        let t = b.tanh(b.op("fx.softplus", &[x], &[])?)?;
        let bow = b.sub(b.sub(one, s)?, b.mul(b.mul(b.number(2.0), t)?, s)?)?;
        let inner = b.add(b.number(2.0), b.mul(x, bow)?)?;
        b.mul(b.mul(g, b.mul(s, b.sub(one, square(b, t)?)?)?)?, inner)
    })
}

/// f''(x) = φ(x) (2 - x^2); of the tanh approximation, with t = tanh(u) and u a cubic of x,
/// (1 - t^2) (u' + x u'' / 2 - x t u'^2).
pub fn gelu_backward(b: &Back<'_>) -> Result {
    let tanh = b.op.op.text("approximate") == Some("tanh");
    bent(b, |x, g| {
        let curve = if tanh { gelu_tanh_curve(b, x)? } else { gelu_curve(b, x)? };
        b.mul(g, curve)
    })
}

fn gelu_curve<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let square = square(f, x)?;
    let density = f.mul(f.exp(f.mul(square, f.number(-0.5))?)?, f.number(1.0 / (2.0 * PI).sqrt()))?;
    f.mul(density, f.sub(f.number(2.0), square)?)
}

fn gelu_tanh_curve<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let c = |value: f64| f.number(value);
    let (beta, kappa) = ((2.0 / PI).sqrt(), 0.044715);
    let cubic = f.mul(square(f, x)?, c(kappa))?;
    let t = f.tanh(f.mul(c(beta), f.mul(x, f.add(c(1.0), cubic)?)?)?)?;
    let slope = f.mul(c(beta), f.add(c(1.0), f.mul(c(3.0), cubic)?)?)?;
    // x u'' / 2
    let curve = f.mul(c(3.0 * beta), cubic)?;
    let bow = f.mul(f.mul(x, t)?, square(f, slope)?)?;
    f.mul(f.sub(c(1.0), square(f, t)?)?, f.sub(f.add(slope, curve)?, bow)?)
}

/// f''(x) = 1/3 for -3 < x < 3, else 0
pub fn hardswish_backward(b: &Back<'_>) -> Result {
    bent(b, |x, g| {
        let inside = and(b, gt(b, x, b.number(-3.0))?, lt(b, x, b.number(3.0))?)?;
        where_true(b, inside, b.div(g, b.number(3.0))?)
    })
}

/// f''(x) = f'(x) (2 x - 1) / (x (1 - x))
pub fn logit_backward(b: &Back<'_>) -> Result {
    bent(b, |x, g| {
        let one = b.number(1.0);
        let ratio = b.div(b.sub(b.mul(b.number(2.0), x)?, one)?, b.mul(x, b.sub(one, x)?)?)?;
        again(b, b.mul(g, ratio)?)
    })
}

/// f''(x) = beta σ(beta x) (1 - σ(beta x)) below the threshold, 0 above.
pub fn softplus_backward(b: &Back<'_>) -> Result {
    let (beta, threshold) = (attribute(b, "beta", 1.0), attribute(b, "threshold", 20.0));
    bent(b, |x, g| {
        let scaled = b.mul(x, b.number(beta))?;
        let curve = b.mul(b.op("fx.sigmoid_backward", &[g, b.sigmoid(scaled)?], &[])?, b.number(beta))?;
        where_true(b, lt(b, scaled, b.number(threshold))?, curve)
    })
}

/// Below 0 f''(x) = input_scale f'(x), in the result f''(x) = input_scale; above 0 it is 0.
pub fn elu_backward(b: &Back<'_>) -> Result {
    let of_result = b.op.op.flag("is_result");
    bent(b, |x, g| {
        let scaled = b.mul(g, b.number(attribute(b, "input_scale", 1.0)))?;
        let curve = if of_result { scaled } else { again(b, scaled)? };
        where_true(b, lt(b, x, b.number(0.0))?, curve)
    })
}
