//! `fx-expand-math`: expand math functions into arithmetic, so that no library is needed.
//!
//! Needs     scalar `math` ops, after `convert-complex-to-standard`.
//! Gives     `arith`, `scf` and calls of LLVM intrinsics that every target computes in line.
//! Fails on  a function that has no expansion at its type: error on the op; with `host`, it stays.
//! Tests     lit-tests/phases/gpu_math.mlir
//!
//! ```text
//! %y = math.exp %x : f32   =>   2^n * p(x - n * ln 2), n = round(x / ln 2), p a polynomial (`device_math`)
//! ```
//!
//! Narrower floats are computed in `f32`. On the host `erf` is a rational function (6 ulp), since kernels there are bound by
//! arithmetic. How exact the others are: `docs/device-math.md`.

use fx_ir::{Attribute, Builder, Op, Options, Pass, PassOption, Result, Type, Value, emit_error};

use crate::device_math::{Float, classify, expand as expand_float};

/// The pass. It runs on any op.
pub static PASS: Pass = Pass {
    name: "fx-expand-math",
    summary: "expand math functions into arithmetic",
    anchor: "",
    options: &[
        PassOption { name: "host", default: "false", help: "expand what gains by vectors, leave the rest to the C library" },
        PassOption { name: "gpu", default: "false", help: "use the instructions of NVIDIA GPUs for 2^x and 1 / x" },
    ],
    dialects: &["arith", "llvm", "scf"],
    run,
};

/// Functions of `f32` whose expansions are as accurate as the C library's over all arguments, and become vectors.
const VECTOR_FUNCTIONS: &[&str] = &["math.exp", "math.expm1", "math.log", "math.log1p", "math.log2", "math.log10", "math.tanh", "math.erf"];

/// The same of `f64`: what MLIR would expand with a loss of digits.
const DOUBLE_FUNCTIONS: &[&str] = &["math.expm1"];

fn run(root: Op<'_>, options: &Options) -> Result {
    let host: bool = options.parsed(root, "host")?;
    let target = if options.parsed(root, "gpu")? {
        Target::Gpu
    } else if host {
        Target::Host
    } else {
        Target::Any
    };
    let mut found = Vec::new();
    root.walk(&mut |op| {
        let wanted = if host { is_host_function(op) } else { op.name().starts_with("math.") || op.name() == "arith.remf" };
        if wanted {
            found.push(op);
        }
    });
    let mut result = Ok(());
    for op in found {
        let target = if target == Target::Gpu && is_in_half_precision(op) { Target::GpuHalf } else { target };
        if let Err(reported) = expand(op, target) {
            result = Err(reported);
        }
    }
    result
}

/// What functions are expanded for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Anything: arithmetic alone.
    Any,
    /// A CPU, beside its C library.
    Host,
    /// An NVIDIA GPU.
    Gpu,
    /// The same in a kernel whose results are rounded to 11 bits or fewer.
    GpuHalf,
}

/// Whether all floats that a kernel reads and writes have 16 bits or fewer: then 16 bits of a function are enough.
fn is_in_half_precision(op: Op<'_>) -> bool {
    let Some(function) = op.ancestor("gpu.func") else { return false };
    let mut arguments = function.body(0).map(|block| block.arguments()).unwrap_or_default();
    let buffers = function.int("workgroup_attributions").and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    arguments.truncate(arguments.len().saturating_sub(buffers));
    let memory = arguments.into_iter().map(Value::ty).filter(|ty| !ty.is_float() && !ty.is_integer() && !ty.is_index());
    let floats: Vec<_> = memory.map(|ty| ty.element()).filter(|ty| ty.is_float() || ty.is_complex()).collect();
    !floats.is_empty() && floats.iter().all(|ty| ty.is_float() && ty.bit_width() <= 16)
}

/// Whether all that is done with a result is to add it to 1, as gelu does: then its absolute error counts.
fn is_added_to_one(op: Op<'_>) -> bool {
    let is_one = |value: Value<'_>| value.constant().and_then(Attribute::as_float) == Some(1.0);
    let uses = op.result(0).uses();
    !uses.is_empty() && uses.iter().all(|(user, _)| user.name() == "arith.addf" && user.operands().into_iter().any(is_one))
}

fn is_host_function(op: Op<'_>) -> bool {
    let functions = || if op.result(0).ty().bit_width() > 32 { DOUBLE_FUNCTIONS } else { VECTOR_FUNCTIONS };
    op.name().starts_with("math.") && op.result(0).ty().is_float() && functions().contains(&op.name())
}

fn expand(op: Op<'_>, target: Target) -> Result {
    let b = Builder::before(op);
    let ty = op.operand(0).ty();
    let values = if ty.is_float() { float_function(&b, op, ty, target) } else { integer_function(&b, op).map(|value| vec![value]) };
    let Some(values) = values else {
        let note = (op.location(), "its expansion would stand in crates/fx-codegen/src/device_math".to_string());
        return Err(emit_error(op.location(), &format!("'{}' op on {ty} has no device code yet", op.name()), &[note]));
    };
    op.replace(&values);
    Ok(())
}

/// The results of a function of scalar floats
fn float_function<'c>(b: &Builder<'c>, op: Op<'c>, ty: Type<'c>, target: Target) -> Option<Vec<Value<'c>>> {
    let wide = if ty.bit_width() < 32 { Type::f32(b.context()) } else { ty };
    let operands: Vec<_> = op
        .operands()
        .into_iter()
        .map(|value| if value.ty().is_float() && value.ty() != wide { b.value("arith.extf", &[value], wide, &[]) } else { value })
        .collect();
    let f = Float::new(*b, wide);
    let f = match target {
        Target::Gpu => f.on_gpu(),
        Target::GpuHalf => f.on_gpu().for_halves(),
        Target::Any | Target::Host => f,
    };
    let x = *operands.first()?;
    let narrow = |value: Value<'c>| if ty == wide { value } else { b.value("arith.truncf", &[value], ty, &[]) };
    match op.name() {
        "math.erf" if matches!(target, Target::Gpu | Target::GpuHalf) && is_added_to_one(op) => {
            return Some(vec![narrow(f.erf_absolute(x))]);
        }
        "math.erf" if target == Target::Host => return Some(vec![narrow(f.erf_rational(x))]),
        "math.sincos" => {
            let both = ["math.sin", "math.cos"].map(|name| expand_float(&f, name, &operands).map(narrow));
            return both.into_iter().collect();
        }
        _ => {}
    }
    if !op.result(0).ty().is_float() {
        return classify(&f, op.name(), x).map(|value| vec![value]);
    }
    expand_float(&f, op.name(), &operands).map(|value| vec![narrow(value)])
}

/// The result of a function of scalar integers
fn integer_function<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Value<'c>> {
    let x = op.operand(0);
    let ty = x.ty();
    if !ty.is_integer() {
        return None;
    }
    // of 0, the counts of zeros are the width
    let count = |name: &str, of_zero: &[(&str, Attribute<'c>)]| b.value(name, &[x], ty, of_zero);
    let defined = [("is_zero_poison", Attribute::bool(b.context(), false))];
    Some(match op.name() {
        "math.ipowi" => integer_power(b, x, op.operand(1)),
        "math.absi" => integer_abs(b, x),
        "math.ctlz" => count("llvm.intr.ctlz", &defined),
        "math.cttz" => count("llvm.intr.cttz", &defined),
        "math.ctpop" => count("llvm.intr.ctpop", &[]),
        _ => return None,
    })
}

/// `|x|`; the least integer stays itself
fn integer_abs<'c>(b: &Builder<'c>, x: Value<'c>) -> Value<'c> {
    let zero = b.int(x.ty(), 0);
    let negated = b.value("arith.subi", &[zero, x], x.ty(), &[]);
    b.value("arith.maxsi", &[x, negated], x.ty(), &[])
}

/// `base ^ power` by squaring; a negative power gives 0, unless the base is 1 or -1.
fn integer_power<'c>(b: &Builder<'c>, base: Value<'c>, power: Value<'c>) -> Value<'c> {
    let (ty, context) = (base.ty(), b.context());
    let (bool_type, index) = (Type::int(context, 1), Type::index(context));
    let compare = |b: &Builder<'c>, predicate: i64, x: Value<'c>, y: Value<'c>| {
        b.value("arith.cmpi", &[x, y], bool_type, &[("predicate", Attribute::i64(context, predicate))])
    };
    let (zero, one) = (b.int(ty, 0), b.int(ty, 1));
    let bounds = [b.index(0), b.index(i64::from(power.ty().bit_width())), b.index(1)];
    let operands = [&bounds[..], &[one, base, power]].concat();
    let loop_op = b.op_with_regions("scf.for", &operands, &[ty; 3], &[], &[Some(&[index, ty, ty, ty])]);
    if let Some(block) = loop_op.body(0) {
        let b = b.inside(block);
        let (result, square, rest) = (block.argument(1), block.argument(2), block.argument(3));
        let odd = compare(&b, 1, b.value("arith.andi", &[rest, one], ty, &[]), zero);
        let product = b.value("arith.muli", &[result, square], ty, &[]);
        let result = b.value("arith.select", &[odd, product, result], ty, &[]);
        let square = b.value("arith.muli", &[square, square], ty, &[]);
        let rest = b.value("arith.shrui", &[rest, one], ty, &[]);
        b.op("scf.yield", &[result, square, rest], &[], &[]);
    }
    let positive = loop_op.result(0);
    let minus_one = b.int(ty, -1);
    let odd = compare(b, 1, b.value("arith.andi", &[power, one], ty, &[]), zero);
    let sign = b.value("arith.select", &[odd, minus_one, one], ty, &[]);
    let is_one = compare(b, 0, base, one);
    let is_minus_one = compare(b, 0, base, minus_one);
    let inverse = b.value("arith.select", &[is_minus_one, sign, zero], ty, &[]);
    let inverse = b.value("arith.select", &[is_one, one, inverse], ty, &[]);
    let negative = compare(b, 2, power, zero);
    b.value("arith.select", &[negative, inverse, positive], ty, &[])
}
