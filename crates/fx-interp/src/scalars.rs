//! Ops of other dialects: constants, sizes, arithmetic on numbers.

use crate::Result;
use crate::graph::{Attr, Node, NumberKind, ValueType};
use crate::read;
use crate::value::{Number, Value};

fn attribute<'a>(node: &'a Node, name: &str) -> Result<&'a Attr> {
    let found = node.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    found.ok_or_else(|| format!("has no attribute '{name}'"))
}

/// The results of an op that is not of fx.
pub(crate) fn compute(node: &Node, operands: &[Value]) -> Result<Vec<Value>> {
    let value = match node.name.as_str() {
        "arith.constant" | "complex.constant" => constant(node)?,
        "tensor.cast" => operands.first().cloned().ok_or("has no operand")?,
        "tensor.dim" => {
            let [Value::Array(array), dim] = operands else { return Err("wants a tensor and a dim".into()) };
            let dim = dim.to_number().and_then(|dim| usize::try_from(dim.int()).ok());
            let size = dim.and_then(|dim| array.shape().get(dim)).ok_or("dim is out of range")?;
            Number::Int(*size as i64).into()
        }
        name => {
            let numbers: Option<Vec<Number>> = operands.iter().map(Value::to_number).collect();
            arithmetic(node, name, &numbers.ok_or("wants numbers")?)?.into()
        }
    };
    Ok(vec![value])
}

fn constant(node: &Node) -> Result<Value> {
    match attribute(node, "value")? {
        Attr::Array(array) => Ok(array.clone().into()),
        other => {
            let number = read::number(other).ok_or_else(|| format!("unknown constant {other:?}"))?;
            Ok(in_kind(node, number).into())
        }
    }
}

/// The number in the kind of the op's result.
fn in_kind(node: &Node, number: Number) -> Number {
    match node.types.first() {
        Some(ValueType::Number(NumberKind::Int)) => Number::Int(number.int()),
        Some(ValueType::Number(NumberKind::Float)) => Number::Float(number.float()),
        Some(ValueType::Number(NumberKind::Bool)) => Number::Bool(number.truth()),
        _ => number,
    }
}

fn arithmetic(node: &Node, name: &str, numbers: &[Number]) -> Result<Number> {
    let number = match numbers {
        [a] => one(name, *a),
        [a, b] => match name {
            "arith.cmpi" => compare_ints(read::number(attribute(node, "predicate")?), a.int(), b.int()),
            "arith.cmpf" => compare_floats(read::number(attribute(node, "predicate")?), a.float(), b.float()),
            _ => two(name, *a, *b)?,
        },
        [c, a, b] if name == "arith.select" => Some(if c.truth() { *a } else { *b }),
        _ => None,
    };
    let number = number.ok_or_else(|| format!("cannot be computed: {name} is not in the reference evaluator"))?;
    Ok(in_kind(node, number))
}

fn one(name: &str, a: Number) -> Option<Number> {
    let x = a.float();
    Some(Number::Float(match name {
        // the result's kind converts
        "arith.index_cast" | "arith.index_castui" | "arith.extui" | "arith.extsi" | "arith.extf" | "arith.truncf" | "arith.trunci"
        | "arith.sitofp" | "arith.uitofp" | "arith.fptosi" => return Some(a),
        "math.absi" => return Some(Number::Int(a.int().wrapping_abs())),
        "arith.negf" => -x,
        "math.absf" => x.abs(),
        "math.acos" => x.acos(),
        "math.asin" => x.asin(),
        "math.atan" => x.atan(),
        "math.ceil" => x.ceil(),
        "math.floor" => x.floor(),
        "math.trunc" => x.trunc(),
        "math.roundeven" => x.round_ties_even(),
        "math.cos" => x.cos(),
        "math.cosh" => x.cosh(),
        "math.sin" => x.sin(),
        "math.sinh" => x.sinh(),
        "math.tan" => x.tan(),
        "math.tanh" => x.tanh(),
        "math.exp" => x.exp(),
        "math.log" => x.ln(),
        "math.log2" => x.log2(),
        "math.sqrt" => x.sqrt(),
        _ => return None,
    }))
}

fn two(name: &str, a: Number, b: Number) -> Result<Option<Number>> {
    let (x, y) = (a.int(), b.int());
    let (u, v) = (a.float(), b.float());
    let divides = matches!(name, "arith.floordivsi" | "arith.ceildivsi" | "arith.divsi" | "arith.remsi");
    if divides && y == 0 {
        return Err(format!("divides {x} by 0"));
    }
    let floor = || {
        let quotient = x.wrapping_div(y);
        if x.wrapping_rem(y) != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }
    };
    let shift = u32::try_from(y).ok().filter(|shift| *shift < 64);
    let int = match name {
        "arith.addi" => x.wrapping_add(y),
        "arith.subi" => x.wrapping_sub(y),
        "arith.muli" => x.wrapping_mul(y),
        "arith.divsi" => x.wrapping_div(y),
        "arith.remsi" => x.wrapping_rem(y),
        "arith.floordivsi" => floor(),
        "arith.ceildivsi" => {
            if x.wrapping_rem(y) == 0 {
                x.wrapping_div(y)
            } else {
                floor() + 1
            }
        }
        "arith.maxsi" => x.max(y),
        "arith.minsi" => x.min(y),
        "arith.andi" => x & y,
        "arith.ori" => x | y,
        "arith.xori" => x ^ y,
        "arith.shli" => shift.map_or(0, |shift| x << shift),
        "arith.shrsi" => x >> shift.unwrap_or(63),
        "math.ipowi" => integer_power(x, y),
        _ => {
            let float = match name {
                "arith.addf" => u + v,
                "arith.subf" => u - v,
                "arith.mulf" => u * v,
                "arith.divf" => u / v,
                "arith.maximumf" => crate::ops::maximum(u, v),
                "arith.minimumf" => crate::ops::minimum(u, v),
                "math.powf" => u.powf(v),
                _ => return Ok(None),
            };
            return Ok(Some(Number::Float(float)));
        }
    };
    Ok(Some(Number::Int(int)))
}

/// `x^y` modulo 2^64; of a negative power what is left of the fraction: 0 but for x = 1, -1.
pub(crate) fn integer_power(x: i64, y: i64) -> i64 {
    match (x, u64::try_from(y)) {
        (1, Err(_)) => 1,
        (-1, Err(_)) => {
            if y % 2 == 0 {
                1
            } else {
                -1
            }
        }
        (_, Err(_)) => 0,
        (_, Ok(mut power)) => {
            let (mut result, mut square) = (1i64, x);
            while power > 0 {
                if power & 1 == 1 {
                    result = result.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                power >>= 1;
            }
            result
        }
    }
}

fn compare_ints(predicate: Option<Number>, a: i64, b: i64) -> Option<Number> {
    Some(Number::Bool(match predicate?.int() {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        6 => (a as u64) < b as u64,
        7 => a as u64 <= b as u64,
        8 => a as u64 > b as u64,
        9 => a as u64 >= b as u64,
        _ => return None,
    }))
}

/// Predicates 1 to 6 are false with NaN, 8 to 13 true.
fn compare_floats(predicate: Option<Number>, a: f64, b: f64) -> Option<Number> {
    let predicate = predicate?.int();
    let unordered = a.is_nan() || b.is_nan();
    Some(Number::Bool(match predicate {
        0 => false,
        7 => !unordered,
        14 => unordered,
        15 => true,
        1..=6 | 8..=13 if unordered => predicate >= 8,
        1 | 8 => a == b,
        2 | 9 => a > b,
        3 | 10 => a >= b,
        4 | 11 => a < b,
        5 | 12 => a <= b,
        6 | 13 => a != b,
        _ => return None,
    }))
}
