//! Elementary functions as arithmetic on `f32` and `f64`, with no library and no memory.
//!
//! Each function is built once for both types: what differs is in `coefficients.rs`, which `scripts/math-coefficients` fits.
//! Numbers are reduced to a short range, where a polynomial is right to the last bit; what rounding would lose is kept as the sum
//! of two numbers, by fused multiply-adds. Almost nothing branches: angles of at least 65536 (2^30 in `f64`) and remainders with
//! quotients of at least 2^22 (2^51) do. Errors are measured by `crates/fx-mlir/tests/device_math`, which writes
//! `docs/device-math.md`; each function gives what IEEE 754 and C say of NaN, infinities, signed zeros and subnormal numbers.

use fx_ir::Value;

pub mod coefficients;
mod error_function;
mod exp;
mod float;
mod hyperbolic;
mod inverse_trig;
mod log;
mod power;
mod reduce;
mod trig;

pub use float::Float;
use float::Is;

type Unary = for<'c> fn(&Float<'c>, Value<'c>) -> Value<'c>;
type Binary = for<'c> fn(&Float<'c>, Value<'c>, Value<'c>) -> Value<'c>;

/// Functions of one number.
static UNARY: &[(&str, Unary)] = &[
    ("math.acos", |f, x| f.acos(x)),
    ("math.acosh", |f, x| f.acosh(x)),
    ("math.asin", |f, x| f.asin(x)),
    ("math.asinh", |f, x| f.asinh(x)),
    ("math.atan", |f, x| f.atan(x)),
    ("math.atanh", |f, x| f.atanh(x)),
    ("math.cbrt", |f, x| f.cbrt(x)),
    ("math.cos", |f, x| f.cos(x)),
    ("math.cosh", |f, x| f.cosh(x)),
    ("math.erf", |f, x| f.erf(x)),
    ("math.erfc", |f, x| f.erfc(x)),
    ("math.exp", |f, x| f.exp(x)),
    ("math.exp2", |f, x| f.exp2(x)),
    ("math.expm1", |f, x| f.expm1(x)),
    ("math.log", |f, x| f.log(x)),
    ("math.log10", |f, x| f.log10(x)),
    ("math.log1p", |f, x| f.log1p(x)),
    ("math.log2", |f, x| f.log2(x)),
    ("math.rsqrt", |f, x| f.div(f.c(1.0), f.sqrt(x))),
    ("math.sin", |f, x| f.sin(x)),
    ("math.sinh", |f, x| f.sinh(x)),
    ("math.tan", |f, x| f.tan(x)),
    ("math.tanh", |f, x| f.tanh(x)),
];

/// Functions of two; the power of `fpowi` is an integer.
static BINARY: &[(&str, Binary)] = &[
    ("arith.remf", |f, x, y| f.remainder(x, y)),
    ("math.atan2", |f, y, x| f.atan2(y, x)),
    ("math.fpowi", |f, x, n| f.pow_of_integer(x, n)),
    ("math.powf", |f, x, y| f.pow(x, y)),
];

/// Functions that are one LLVM intrinsic, which code generators for all targets compute in line.
static INTRINSICS: &[(&str, &str)] = &[
    ("math.absf", "llvm.fabs"),
    ("math.ceil", "llvm.ceil"),
    ("math.copysign", "llvm.copysign"),
    ("math.floor", "llvm.floor"),
    ("math.fma", "llvm.fma"),
    ("math.round", "llvm.round"),
    ("math.roundeven", "llvm.roundeven"),
    ("math.sqrt", "llvm.sqrt"),
    ("math.trunc", "llvm.trunc"),
];

/// Names of ops of one operand that are expanded into more than an intrinsic.
pub fn unary_functions() -> impl Iterator<Item = &'static str> {
    UNARY.iter().map(|(name, _)| *name)
}

/// The value of an op's function; none if it is no function of floats that is known.
pub fn expand<'c>(f: &Float<'c>, op: &str, operands: &[Value<'c>]) -> Option<Value<'c>> {
    if let Some((_, intrinsic)) = INTRINSICS.iter().find(|(name, _)| *name == op) {
        return Some(f.call(intrinsic, operands));
    }
    match *operands {
        [x] => UNARY.iter().find(|(name, _)| *name == op).map(|(_, build)| build(f, x)),
        [x, y] => BINARY.iter().find(|(name, _)| *name == op).map(|(_, build)| build(f, x, y)),
        [x, low, high] if op == "math.clampf" => {
            let x = f.select(f.is(Is::Less, x, low), low, x);
            Some(f.select(f.is(Is::Greater, x, high), high, x))
        }
        _ => None,
    }
}

/// What an op says of a float: the condition; none if it is no such op.
pub fn classify<'c>(f: &Float<'c>, op: &str, x: Value<'c>) -> Option<Value<'c>> {
    let (a, infinity) = (f.abs(x), f.c(f64::INFINITY));
    Some(match op {
        "math.isnan" => f.is(Is::Unordered, x, x),
        "math.isinf" => f.is(Is::Equal, a, infinity),
        "math.isfinite" => f.is(Is::Less, a, infinity),
        "math.isnormal" => f.logical("arith.andi", f.is(Is::Less, a, infinity), f.is(Is::GreaterOrEqual, a, f.c(f.least_normal()))),
        _ => return None,
    })
}
