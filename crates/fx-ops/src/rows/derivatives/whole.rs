//! Functions that PyTorch exports in parts: a choice of what holds on each side of a bound.
//!
//! Where the part that is not chosen overflows, its gradient is 0 times infinity. Eager mode differentiates the function as a
//! whole, without this NaN, and so its parts are put together again before derivatives are taken. A choice that is nobody's
//! decomposition stays one, NaN included.
//!
//! Source    `torch/_refs` of PyTorch has the decompositions.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use fx_ir::{Attribute, Builder, Op, Result, Type, Value};

use crate::fx_builder::Fx;

/// An op that gives what parts give.
struct Whole<'c> {
    op: &'static str,
    x: Value<'c>,
    attributes: Vec<(&'static str, f64)>,
}

/// Puts parts together, in ops that stand in order; the parts stay for other uses.
///
/// # Errors
/// None that a caller can cause.
pub fn put_together(ops: &[Op<'_>]) -> Result {
    let matchers = [celu, softplus, sinc, entr, log_ndtr, logit];
    for op in ops {
        if let Some(whole) = matchers.iter().find_map(|matcher| matcher(*op)).filter(|whole| whole.x.ty() == op.result(0).ty()) {
            let f = Fx { b: Builder::before(*op).located(op.location()) };
            let float = |value: f64| Attribute::float(f.context(), Type::f64(f.context()), value);
            let attributes: Vec<_> = whole.attributes.iter().map(|(name, value)| (*name, float(*value))).collect();
            op.result(0).replace_all_uses_with(f.op(whole.op, &[whole.x], &attributes)?);
        }
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// What an op consists of
//===----------------------------------------------------------------------===//

/// The operands of the op that makes a value, if it is this one.
fn parts<'c, const N: usize>(value: Value<'c>, name: &str) -> Option<[Value<'c>; N]> {
    operands(value.defining_op()?, name)
}

fn operands<'c, const N: usize>(op: Op<'c>, name: &str) -> Option<[Value<'c>; N]> {
    if op.name() == name { op.operands().try_into().ok() } else { None }
}

/// The operand of a function of one.
fn argument<'c>(value: Value<'c>, name: &str) -> Option<Value<'c>> {
    parts(value, name).map(|[x]| x)
}

/// A number, or a tensor of one.
fn number(value: Value<'_>) -> Option<f64> {
    match argument(value, "fx.scalar_tensor") {
        Some(number) => number.constant()?.as_float(),
        None => value.constant()?.as_float(),
    }
}

/// Whether a value is a number.
fn is(value: Value<'_>, expected: f64) -> Option<()> {
    same(number(value)?, expected)
}

fn same<T: PartialEq>(a: T, b: T) -> Option<()> {
    (a == b).then_some(())
}

/// A product with a number, or a quotient by one, as both; anything else is itself and 1.
fn scaled<'c>(value: Value<'c>, name: &str) -> (Value<'c>, f64) {
    parts(value, name).and_then(|[x, factor]| Some((x, number(factor)?))).unwrap_or((value, 1.0))
}

/// A product with a number by which `x` is multiplied, or `x` itself.
fn multiple<'c>(value: Value<'c>, x: Value<'c>) -> Option<f64> {
    if value == x {
        return Some(1.0);
    }
    let (of, factor) = scaled(value, "fx.mul");
    same(of, x).map(|()| factor)
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// `x > 0 ? x : alpha (e^(x / alpha) - 1)`
fn celu(op: Op<'_>) -> Option<Whole<'_>> {
    let [positive, x, low] = operands(op, "fx.where")?;
    let [of, bound] = parts(positive, "fx.gt")?;
    let (power, alpha) = scaled(low, "fx.mul");
    let (exponent, below) = scaled(argument(power, "fx.expm1")?, "fx.div");
    is(bound, 0.0).and(same(of, x)).and(same(exponent, x)).and(same(alpha, below))?;
    Some(Whole { op: "fx.celu", x, attributes: vec![("alpha", alpha)] })
}

/// `beta x > threshold ? x : ln(1 + e^(beta x)) / beta`
fn softplus(op: Op<'_>) -> Option<Whole<'_>> {
    let [beyond, x, soft] = operands(op, "fx.where")?;
    let [exponent, threshold] = parts(beyond, "fx.gt")?;
    let (log, below) = scaled(soft, "fx.div");
    let power = argument(log, "fx.log1p")?;
    let beta = multiple(exponent, x)?;
    same(argument(power, "fx.exp")?, exponent).and(same(beta, below))?;
    Some(Whole { op: "fx.softplus", x, attributes: vec![("beta", beta), ("threshold", number(threshold)?)] })
}

/// `pi x = 0 ? 1 : sin(pi x) / (pi x)`
fn sinc(op: Op<'_>) -> Option<Whole<'_>> {
    let [centre, one, quotient] = operands(op, "fx.where")?;
    let [angle, zero] = parts(centre, "fx.eq")?;
    let [sine, below] = parts(quotient, "fx.div")?;
    let (x, factor) = scaled(angle, "fx.mul");
    same(argument(sine, "fx.sin")?, angle).and(same(below, angle)).and(is(one, 1.0)).and(is(zero, 0.0)).and(same(factor, PI))?;
    Some(Whole { op: "fx.sinc", x, attributes: Vec::new() })
}

/// `x is NaN ? x : x > 0 ? -x ln x : x = 0 ? 0 : -inf`
fn entr(op: Op<'_>) -> Option<Whole<'_>> {
    let [undefined, x, defined] = operands(op, "fx.where")?;
    let [positive, product, _] = parts(defined, "fx.where")?;
    let [of, bound] = parts(positive, "fx.gt")?;
    let [negated, log] = parts(product, "fx.mul")?;
    for argument in [argument(undefined, "fx.isnan")?, of, argument(negated, "fx.neg")?, argument(log, "fx.log")?] {
        same(argument, x)?;
    }
    is(bound, 0.0)?;
    Some(Whole { op: "fx.special_entr", x, attributes: Vec::new() })
}

/// `x < 1 ? ln(erfcx(-t) / 2) - t^2 : ln(1 - erfc(t) / 2)`, t = x / sqrt(2)
fn log_ndtr(op: Op<'_>) -> Option<Whole<'_>> {
    let [low, below, above] = operands(op, "fx.where")?;
    let [x, one] = parts(low, "fx.lt")?;
    let [log, square] = parts(below, "fx.sub")?;
    let [t, factor] = parts(square, "fx.mul")?;
    let (tail, two) = scaled(argument(log, "fx.log")?, "fx.div");
    let (rest, half) = scaled(argument(above, "fx.log1p")?, "fx.div");
    let reflected = argument(argument(tail, "fx.special_erfcx")?, "fx.neg")?;
    let straight = argument(argument(rest, "fx.neg")?, "fx.erfc")?;
    same(multiple(t, x)?, FRAC_1_SQRT_2).and(is(one, 1.0)).and(same([two, half], [2.0, 2.0]))?;
    same([factor, reflected, straight], [t, t, t])?;
    Some(Whole { op: "fx.special_log_ndtr", x, attributes: Vec::new() })
}

/// `ln(z / (1 - z))`, z = x limited to `[eps, 1 - eps]`; eps = -1 stands for none.
fn logit(op: Op<'_>) -> Option<Whole<'_>> {
    let [quotient] = operands(op, "fx.log")?;
    let [limited, rest] = parts(quotient, "fx.div")?;
    let [one, of] = parts(rest, "fx.sub")?;
    let [low, least, inner] = parts(limited, "fx.where")?;
    let [high, most, x] = parts(inner, "fx.where")?;
    let [below, lower] = parts(low, "fx.lt")?;
    let [above, upper] = parts(high, "fx.gt")?;
    let eps = number(least)?;
    is(one, 1.0).and(same(of, limited)).and(same([below, above], [x, x]))?;
    is(lower, eps).and(is(upper, 1.0 - eps)).and(is(most, 1.0 - eps))?;
    let attributes = if eps == -1.0 { Vec::new() } else { vec![("eps", eps)] };
    Some(Whole { op: "fx.logit", x, attributes })
}
