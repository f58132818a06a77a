//! How cases of each op are made, family by family.

pub mod activation;
pub mod along;
pub mod arithmetic;
pub mod comparison;
pub mod control;
pub mod convolution;
pub mod creation;
pub mod elementary;
pub mod indexing;
pub mod linalg;
pub mod loss;
pub mod matrix;
pub mod norm;
pub mod order;
pub mod padding;
pub mod pooling;
pub mod random;
pub mod reduction;
pub mod resampling;
pub mod scatter;
pub mod shape;
pub mod special;

use fx_interp::{DType, Number};

use crate::case::{Case, Operand};
use crate::draw::{Domain, Draw, SMALL};

/// Ops without a row, and why.
pub const WITHOUT: &[(&str, &str)] = &[
    ("fx.all_reduce", "an exchange that a host function of the user does"),
    ("fx.all_to_all_single", "an exchange that a host function of the user does"),
    ("fx.broadcast", "an exchange that a host function of the user does"),
    ("fx.call", "its meaning is given by whoever registers the operator"),
    ("fx.yield", "the end of a region: covered by the ops that have regions"),
];

/// One tensor.
pub fn unary(d: &mut Draw<'_>, dtypes: &[DType], domain: Domain) -> Case {
    one(d, "input", dtypes, domain)
}

/// One tensor, the operand of this name.
pub fn one(d: &mut Draw<'_>, name: &'static str, dtypes: &[DType], domain: Domain) -> Case {
    let (dtype, shape) = (d.pick(dtypes), d.shape(0, 4));
    let array = d.array(dtype, &shape, domain);
    Case::new(d).with(name, array)
}

/// The element types of two operands: equal, or any two.
pub fn two_dtypes(d: &mut Draw<'_>, dtypes: &[DType]) -> [DType; 2] {
    let first = d.pick(dtypes);
    [first, if d.once_in(3) { d.pick(dtypes) } else { first }]
}

/// A number that a tensor may be given in place of: its kind is that of the element type.
pub fn number_like(d: &mut Draw<'_>, dtype: DType, domain: Domain) -> Operand {
    let kind = match dtype {
        DType::Bool => DType::Bool,
        DType::C64 | DType::C128 => DType::C128,
        dtype if dtype.is_float() => DType::F64,
        _ => DType::I64,
    };
    // an extreme of f64 means little to narrower types
    let domain = if matches!(domain, Domain::Special | Domain::SpecialFloats) { Domain::Range(-9.0, 9.0) } else { domain };
    // eighths are numbers of every float type: how a number is rounded to an operand's type is not the subject
    let eighths = |x: f64| (x * 8.0).round() / 8.0;
    let number = match d.array(kind, &[], domain).number(0).unwrap_or(Number::Int(0)) {
        Number::Float(x) => Number::Float(eighths(x)),
        Number::Complex(z) => Number::Complex(fx_interp::Complex::new(eighths(z.re), eighths(z.im))),
        other => other,
    };
    let argument = !kind.is_complex() && d.flip();
    Operand::Number(number, argument)
}

/// Two operands that broadcast; one may be a number.
pub fn pair(d: &mut Draw<'_>, names: [&'static str; 2], dtypes: &[DType], domains: [Domain; 2]) -> Case {
    let [a, b] = two_dtypes(d, dtypes);
    // products of complex numbers with infinities have as many results as there are rules for them
    let domains = if a.is_complex() || b.is_complex() { domains.map(ordinary) } else { domains };
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let form = d.below(8);
    let left = if form == 6 { number_like(d, a, domains[0]) } else { d.array(a, &shapes[0], domains[0]).into() };
    let right = if form == 7 { number_like(d, b, domains[1]) } else { d.array(b, &shapes[1], domains[1]).into() };
    Case::new(d).with(names[0], left).with(names[1], right)
}

/// A domain without special floats.
fn ordinary(domain: Domain) -> Domain {
    if matches!(domain, Domain::Special | Domain::SpecialFloats | Domain::Sprinkled) { SMALL } else { domain }
}

/// `input` and `other`.
pub fn binary(d: &mut Draw<'_>, dtypes: &[DType], domain: Domain) -> Case {
    pair(d, ["input", "other"], dtypes, [domain, domain])
}

/// Two tensors that broadcast.
pub fn tensors(d: &mut Draw<'_>, names: [&'static str; 2], dtypes: &[DType], domains: [Domain; 2]) -> Case {
    let [a, b] = two_dtypes(d, dtypes);
    let shape = d.shape(0, 4);
    let shapes = [d.broadcast_from(&shape), d.broadcast_from(&shape)];
    let arrays = [d.array(a, &shapes[0], domains[0]), d.array(b, &shapes[1], domains[1])];
    let [first, second] = arrays;
    Case::new(d).with(names[0], first).with(names[1], second)
}

/// A number attribute of a kind that fits floats: an integer or a float.
pub fn factor(d: &mut Draw<'_>, low: f64, high: f64) -> Number {
    if d.flip() {
        Number::Float(low + (high - low) * d.below(64) as f64 / 64.0)
    } else {
        Number::Int(d.between(low.ceil() as i64, high.floor() as i64))
    }
}

/// A float of a range.
pub fn real(d: &mut Draw<'_>, low: f64, high: f64) -> f64 {
    low + (high - low) * d.below(64) as f64 / 64.0
}
