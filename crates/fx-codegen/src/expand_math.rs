//! `fx-expand-math`: expand math functions into arithmetic, so that no library is needed.
//!
//! Needs     scalar `math` ops, after `convert-complex-to-standard`.
//! Gives     `arith`, `scf` and calls of LLVM intrinsics that every target computes in line.
//! Fails on  a function that has no expansion at its type: error on the op; with `host`, it stays.
//! Tests     lit-tests/phases/gpu_math.mlir
//!
//! ```text
//! %y = math.exp %x : f32   =>   2^n * p(x - n * ln 2), n = round(x / ln 2), p a polynomial (`float_math.rs`)
//! ```
//!
//! Narrower floats are computed in `f32`. On the host `erf` is a rational function (6 ulp), since kernels there are bound by
//! arithmetic. Results are within 2 ulp (`tan` 3), those of `sin`, `cos` and `tan` for |x| < 1e5 only.

use fx_ir::{Builder, Op, Options, Pass, PassOption, Result, Type, Value, emit_error};

use crate::float_math::Float;

/// The pass. It runs on any op.
pub static PASS: Pass = Pass {
    name: "fx-expand-math",
    summary: "expand math functions into arithmetic",
    anchor: "",
    options: &[PassOption { name: "host", default: "false", help: "expand what gains by vectors, leave the rest to the C library" }],
    dialects: &["arith", "llvm", "scf"],
    run,
};

/// Functions that are one LLVM intrinsic, which code generators for all targets compute in line.
const INTRINSICS: &[(&str, &str)] = &[
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

/// Functions of `f32` whose expansions are as accurate as the C library's over all arguments, and become vectors.
const VECTOR_FUNCTIONS: &[&str] = &["math.exp", "math.expm1", "math.log", "math.log1p", "math.log2", "math.log10", "math.tanh", "math.erf"];

fn run(root: Op<'_>, options: &Options) -> Result {
    let host: bool = options.parsed(root, "host")?;
    let mut found = Vec::new();
    root.walk(&mut |op| {
        let wanted = if host {
            VECTOR_FUNCTIONS.contains(&op.name()) && op.result(0).ty().is_float()
        } else {
            op.name().starts_with("math.") || op.name() == "arith.remf"
        };
        if wanted {
            found.push(op);
        }
    });
    let mut result = Ok(());
    for op in found {
        if let Err(reported) = expand(op, host) {
            result = Err(reported);
        }
    }
    result
}

fn expand(op: Op<'_>, host: bool) -> Result {
    let ty = op.result(0).ty();
    let b = Builder::before(op);
    if !ty.is_float() {
        let value = match op.name() {
            "math.ipowi" => integer_power(&b, op.operand(0), op.operand(1)),
            "math.absi" => integer_abs(&b, op.operand(0)),
            name => return Err(emit_error(op.location(), &format!("'{name}' op on {ty} has no device code yet"), &[])),
        };
        op.replace(&[value]);
        return Ok(());
    }
    let context = b.context();
    let wide = if ty.bit_width() < 32 { Type::f32(context) } else { ty };
    let operands: Vec<_> = op
        .operands()
        .into_iter()
        .map(|value| match value.ty() {
            from if from == wide => value,
            from if from.is_float() => b.value("arith.extf", &[value], wide, &[]),
            _ => b.value("arith.sitofp", &[value], wide, &[]), // the power of fpowi
        })
        .collect();
    let f = Float::new(b, wide);
    let short = (host && op.name() == "math.erf" && wide.is_f32()).then(|| f.erf_rational(operands[0]));
    if host && !wide.is_f32() {
        // Everything else in `f64` is the C library's.
        if op.name() == "math.expm1" {
            op.replace(&[f.expm1_by_exp(operands[0])]);
        }
        return Ok(());
    }
    let Some(value) = short.or_else(|| function(&f, op.name(), &operands)) else {
        let note = (op.location(), "its expansion would stand in crates/fx-codegen/src/float_math.rs".to_string());
        return Err(emit_error(op.location(), &format!("'{}' op on {ty} has no device code yet", op.name()), &[note]));
    };
    let value = if ty == wide { value } else { b.value("arith.truncf", &[value], ty, &[]) };
    op.replace(&[value]);
    Ok(())
}

fn function<'c>(f: &Float<'c>, name: &str, operands: &[Value<'c>]) -> Option<Value<'c>> {
    let x = *operands.first()?;
    if let Some((_, intrinsic)) = INTRINSICS.iter().find(|(op, _)| *op == name) {
        return Some(f.call(intrinsic, operands));
    }
    match name {
        "math.rsqrt" => return Some(f.div(f.c(1.0), f.call("llvm.sqrt", &[x]))),
        "arith.remf" => return Some(f.remainder(x, operands[1])),
        _ if !f.ty.is_f32() => return None,
        _ => {}
    }
    Some(match name {
        "math.exp" => f.exp(x),
        "math.exp2" => f.call("llvm.exp2", &[x]),
        "math.expm1" => f.expm1(x),
        "math.log" => f.log(x),
        "math.log1p" => f.log1p(x),
        "math.log2" => f.log2(x),
        "math.log10" => f.log10(x),
        "math.powf" | "math.fpowi" => f.pow(x, operands[1]),
        "math.tanh" => f.tanh(x),
        "math.erf" => f.erf(x),
        "math.sin" => f.sin(x),
        "math.cos" => f.cos(x),
        "math.tan" => f.tan(x),
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
        b.value("arith.cmpi", &[x, y], bool_type, &[("predicate", fx_ir::Attribute::i64(context, predicate))])
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
