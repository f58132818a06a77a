//! Arithmetic, rounding, bits, selection.

use fx_interp::{DType, Number};

use super::{binary, number_like, pair, real, tensors, two_dtypes, unary};
use crate::case::Case;
use crate::draw::{ALL, Domain, Draw, FLOATS, INT_OR_BOOL, INTS, NUMBERS, REAL_NUMBERS, REALS, SMALL, WIDE};
use crate::{EQUAL, EXACT, ROUNDED, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.abs", ROUNDED, |d| unary(d, ALL, Domain::Special)),
    row("fx.add", ROUNDED, |d| scaled(d, ALL)),
    row("fx.addcdiv", STABLE, |d| three(d, NUMBERS, FLOATS, Domain::NonZero(-4.0, 4.0))),
    row("fx.addcmul", STABLE, |d| three(d, NUMBERS, NUMBERS, SMALL)),
    row("fx.bitwise_and", EXACT, |d| binary(d, INT_OR_BOOL, Domain::Special)),
    row("fx.bitwise_left_shift", EXACT, |d| pair(d, ["input", "other"], INTS, [Domain::Special, Domain::Range(-3.0, 70.0)])),
    row("fx.bitwise_not", EXACT, |d| unary(d, INT_OR_BOOL, Domain::Special)),
    row("fx.bitwise_or", EXACT, |d| binary(d, INT_OR_BOOL, Domain::Special)),
    row("fx.bitwise_right_shift", EXACT, |d| pair(d, ["input", "other"], INTS, [Domain::Special, Domain::Range(-3.0, 70.0)])),
    row("fx.bitwise_xor", EXACT, |d| binary(d, INT_OR_BOOL, Domain::Special)),
    row("fx.ceil", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.clamp", EQUAL, clamp),
    row("fx.copysign", EXACT, |d| binary(d, REALS, Domain::SpecialFloats)),
    row("fx.div", ROUNDED, div),
    row("fx.float_power", STABLE, |d| pair(d, ["input", "exponent"], NUMBERS, [Domain::Range(0.25, 4.0), Domain::Range(-3.0, 3.0)])),
    row("fx.floor", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.fmax", EQUAL, |d| binary(d, REALS, Domain::Special)),
    row("fx.fmin", EQUAL, |d| binary(d, REALS, Domain::Special)),
    row("fx.fmod", ROUNDED, |d| divided(d, REAL_NUMBERS)),
    row("fx.frac", ROUNDED, |d| unary(d, FLOATS, Domain::Special)),
    row("fx.frexp", EXACT, |d| unary(d, FLOATS, Domain::Special)),
    row("fx.gcd", EXACT, |d| binary(d, INTS, Domain::Range(-60.0, 60.0))),
    row("fx.heaviside", EXACT, heaviside),
    row("fx.hypot", ROUNDED, |d| binary(d, REALS, Domain::SpecialFloats)),
    row("fx.lcm", EXACT, |d| binary(d, INTS, Domain::Range(-60.0, 60.0))),
    row("fx.ldexp", STABLE, |d| tensors(d, ["input", "other"], REAL_NUMBERS, [SMALL, SMALL])),
    row("fx.lerp", STABLE, lerp),
    row("fx.masked_fill", EXACT, masked_fill),
    row("fx.maximum", EQUAL, |d| binary(d, REALS, Domain::Special)),
    row("fx.minimum", EQUAL, |d| binary(d, REALS, Domain::Special)),
    row("fx.mul", ROUNDED, |d| binary(d, ALL, Domain::Special)),
    row("fx.nan_to_num", EXACT, |d| {
        let limits = [d.maybe(|d| real(d, -9.0, 9.0)), d.maybe(|d| real(d, -9.0, 9.0)), d.maybe(|d| real(d, -9.0, 9.0))];
        let case = unary(d, REALS, Domain::Special);
        case.maybe(limits[0], |c, x| c.float("nan", x))
            .maybe(limits[1], |c, x| c.float("posinf", x))
            .maybe(limits[2], |c, x| c.float("neginf", x))
    }),
    row("fx.neg", EXACT, |d| unary(d, NUMBERS, Domain::Special)),
    row("fx.nextafter", EXACT, |d| binary(d, FLOATS, Domain::Special)),
    row("fx.polar", STABLE, |d| {
        let dtype = d.pick(WIDE);
        tensors(d, ["abs", "angle"], &[dtype], [SMALL, SMALL])
    }),
    row("fx.pow", STABLE, pow),
    row("fx.remainder", ROUNDED, |d| divided(d, REAL_NUMBERS)),
    row("fx.round", EXACT, |d| {
        // numbers in binary fractions, and places of which none lies between two candidates by a rounding error
        let decimals = d.maybe(|d| d.between(-1, 3));
        let domain = if decimals.unwrap_or(0) == 0 { Domain::Special } else { Domain::Range(-99.0, 99.0) };
        let dtypes = if decimals.is_some() { WIDE } else { REALS };
        unary(d, dtypes, domain).maybe(decimals, |c, n| c.int("decimals", n))
    }),
    row("fx.sgn", STABLE, |d| unary(d, ALL, Domain::Special)),
    row("fx.sign", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.signbit", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.sub", ROUNDED, |d| scaled(d, NUMBERS)),
    row("fx.trunc", EXACT, |d| unary(d, REALS, Domain::Special)),
    row("fx.where", EXACT, choice),
];

/// input ± alpha * other. With an alpha the values are small: its product is one more rounding.
fn scaled(d: &mut Draw<'_>, dtypes: &[DType]) -> Case {
    let alpha = d.maybe(|d| d.between(-2, 3));
    let domain = if alpha.is_some() { Domain::SpecialFloats } else { Domain::Special };
    binary(d, dtypes, domain).maybe(alpha, |c, x| c.int("alpha", x))
}

fn three(d: &mut Draw<'_>, first: &[DType], others: &[DType], divisor: Domain) -> Case {
    let [a, b] = [d.pick(first), d.pick(others)];
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let arrays = [d.array(a, &shapes[0], SMALL), d.array(b, &shapes[1], SMALL), d.array(b, &shapes[2], divisor)];
    let value = d.maybe(|d| d.between(-2, 3));
    let [x, y, z] = arrays;
    Case::new(d).with("input", x).with("tensor1", y).with("tensor2", z).maybe(value, |c, x| c.int("value", x))
}

fn clamp(d: &mut Draw<'_>) -> Case {
    let [a, b] = two_dtypes(d, REAL_NUMBERS);
    let shape = d.shape(0, 4);
    let own = d.broadcast_from(&shape);
    let input = d.array(a, &own, Domain::Special);
    let bounds = d.below(3);
    let mut case = Case::new(d).with("input", input);
    let as_number = d.flip();
    for (name, wanted) in [("min", bounds != 1), ("max", bounds != 0)] {
        if wanted {
            let shape = d.broadcast_from(&shape);
            let bound = if as_number { number_like(d, b, SMALL) } else { d.array(b, &shape, Domain::SpecialFloats).into() };
            case = case.with(name, bound);
        }
    }
    case
}

/// Division of integers by 0, or of the least integer by -1, is undefined.
fn divided(d: &mut Draw<'_>, dtypes: &[DType]) -> Case {
    let dtype = d.pick(dtypes);
    let domains = if dtype.is_float() { [Domain::Special; 2] } else { [Domain::Range(-99.0, 99.0), Domain::NonZero(-9.0, 9.0)] };
    pair(d, ["input", "other"], &[dtype], domains)
}

fn div(d: &mut Draw<'_>) -> Case {
    match d.below(3) {
        0 => binary(d, ALL, Domain::SpecialFloats),
        1 => divided(d, REAL_NUMBERS).text("rounding_mode", "floor"),
        _ => divided(d, REAL_NUMBERS).text("rounding_mode", "trunc"),
    }
}

fn heaviside(d: &mut Draw<'_>) -> Case {
    let dtype = d.pick(REALS);
    tensors(d, ["input", "values"], &[dtype], [Domain::Special, Domain::Special])
}

fn lerp(d: &mut Draw<'_>) -> Case {
    let dtype = d.pick(FLOATS);
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let (start, end) = (d.array(dtype, &shapes[0], SMALL), d.array(dtype, &shapes[1], SMALL));
    let unit = Domain::Range(-0.5, 1.5);
    let weight = if d.flip() { d.array(dtype, &shapes[2], unit).into() } else { number_like(d, DType::F64, unit) };
    Case::new(d).with("input", start).with("end", end).with("weight", weight)
}

fn masked_fill(d: &mut Draw<'_>) -> Case {
    let dtype = d.pick(ALL);
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let (input, mask) = (d.array(dtype, &shapes[0], Domain::Special), d.array(DType::Bool, &shapes[1], SMALL));
    let value = if d.flip() { d.array(dtype, &[], SMALL).into() } else { number_like(d, dtype, SMALL) };
    Case::new(d).with("input", input).with("mask", mask).with("value", value)
}

/// Integers have no negative powers.
fn pow(d: &mut Draw<'_>) -> Case {
    let names = ["input", "exponent"];
    match d.below(4) {
        0 => pair(d, names, FLOATS, [Domain::Range(0.25, 4.0), SMALL]),
        1 => pair(d, names, INTS, [SMALL, Domain::Range(0.0, 5.0)]),
        2 => {
            let (dtype, shape, n) = (d.pick(FLOATS), d.shape(0, 4), d.between(-3, 4));
            let x = d.array(dtype, &shape, Domain::NonZero(-4.0, 4.0));
            Case::new(d).with(names[0], x).with(names[1], crate::case::Operand::Number(Number::Int(n), false))
        }
        _ => pair(d, names, NUMBERS, [Domain::Range(0.25, 3.0), Domain::Range(0.0, 3.0)]),
    }
}

fn choice(d: &mut Draw<'_>) -> Case {
    let [a, b] = two_dtypes(d, ALL);
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let kind = d.pick(&[DType::Bool, DType::U8]);
    let condition = d.array(kind, &shapes[0], Domain::Ties);
    let form = d.below(8);
    let first = if form == 6 { number_like(d, a, SMALL) } else { d.array(a, &shapes[1], Domain::SpecialFloats).into() };
    let second = if form == 7 { number_like(d, b, SMALL) } else { d.array(b, &shapes[2], Domain::SpecialFloats).into() };
    Case::new(d).with("condition", condition).with("input", first).with("other", second)
}
