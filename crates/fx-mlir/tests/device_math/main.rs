//! Device math against references of more digits, on the CPU: its code is the same IEEE arithmetic on every target.
//!
//! `f64` is measured against series in 106 bits, `f32` against `f64`. The result is `docs/device-math.md`, which the test compares
//! with what it finds; `scripts/bless` has it written (`FX_BLESS=1`).

use std::path::Path;

use arguments::Bits;
use double::{DOUBLE, Exact, SINGLE, error};
use kernels::Kernel;

mod arguments;
mod double;
mod kernels;
mod reference;

/// Units in the last place that no function may exceed.
const LIMIT: f64 = 2.0;

/// What libm itself may be off, where it is the reference.
const OF_LIBRARY: f64 = 0.6;

type Function = fn(f64) -> Exact;

const UNARY: &[(&str, Function)] = &[
    ("acos", reference::acos),
    ("acosh", reference::acosh),
    ("asin", reference::asin),
    ("asinh", reference::asinh),
    ("atan", reference::atan),
    ("atanh", reference::atanh),
    ("cbrt", reference::cbrt),
    ("cos", reference::cos),
    ("cosh", reference::cosh),
    ("erf", reference::erf),
    ("erfc", reference::erfc),
    ("exp", reference::exp),
    ("exp2", reference::exp2),
    ("expm1", reference::expm1),
    ("log", reference::log),
    ("log10", reference::log10),
    ("log1p", reference::log1p),
    ("log2", reference::log2),
    ("rsqrt", reference::rsqrt),
    ("sin", reference::sin),
    ("sinh", reference::sinh),
    ("tan", reference::tan),
    ("tanh", reference::tanh),
];

/// The largest error, and the arguments that have it.
#[derive(Clone, Default)]
struct Worst {
    error: f64,
    at: Vec<f64>,
}

impl Worst {
    fn see(&mut self, error: f64, at: &[f64]) {
        if error > self.error {
            *self = Self { error, at: at.to_vec() };
        }
    }
    fn text(&self) -> String {
        if self.error == 0.0 {
            return "exact".to_string();
        }
        let at: Vec<_> = self.at.iter().map(|x| format!("{x:e}")).collect();
        format!("{:.2} at {}", self.error, at.join(", "))
    }
}

/// A row of the page: a function, and the worst of `f32` and `f64`.
struct Row {
    name: &'static str,
    single: Worst,
    double: Worst,
}

fn unary(name: &'static str, exact: Function) -> Row {
    let op = format!("math.{name}");
    let mut wide = Kernel::of_op(&op, "f64", 1);
    let mut bits = Bits(0x9e37_79b9_7f4a_7c15);
    let arguments = [arguments::specials(DOUBLE), arguments::doubles(&mut bits, 4000)].concat();
    let mut double = Worst::default();
    let is_angle = matches!(name, "sin" | "cos" | "tan");
    for (x, found) in arguments.iter().zip(wide.call(&[&arguments])) {
        let error = error(found, exact(*x), DOUBLE);
        if is_angle && x.abs() >= reference::LARGE {
            assert!(error < LIMIT + OF_LIBRARY, "{op} of {x:e} in f64 is {found:e}: {error}");
        } else {
            double.see(error, &[*x]);
        }
    }
    let mut narrow = Kernel::of_op(&op, "f32", 1);
    let arguments = [arguments::specials(SINGLE), arguments::singles()].concat();
    let mut single = Worst::default();
    let exact = wide.call(&[&arguments]);
    for ((x, found), exact) in arguments.iter().zip(narrow.call(&[&arguments])).zip(exact) {
        single.see(error(found, exact.into(), SINGLE), &[*x]);
    }
    Row { name, single, double }
}

/// A function of two numbers; `second` says which second numbers it is asked for.
fn binary(name: &'static str, kernel: impl Fn(&str) -> Kernel, second: fn(f64) -> f64, exact: fn(f64, f64) -> Exact) -> Row {
    let measure = |ty, format, seed| {
        let mut kernel = kernel(ty);
        let (a, b) = arguments::pairs(&mut Bits(seed), format, 20_000);
        let b: Vec<_> = b.into_iter().map(second).collect();
        let mut worst = Worst::default();
        for ((a, b), found) in a.iter().zip(&b).zip(kernel.call(&[&a, &b])) {
            worst.see(error(found, exact(*a, *b), format), &[*a, *b]);
        }
        worst
    };
    Row { name, single: measure("f32", SINGLE, 7), double: measure("f64", DOUBLE, 11) }
}

/// Functions of two numbers
fn binaries() -> Vec<Row> {
    let of_op = |op: &'static str| move |ty: &str| Kernel::of_op(op, ty, 2);
    let of_integer = |ty: &str| Kernel::new(&format!("%n = arith.fptosi %b : {ty} to i32\n%y = math.fpowi %a, %n : {ty}, i32"), ty, 2);
    let any = |x| x;
    vec![
        binary("atan2", of_op("math.atan2"), any, reference::atan2),
        binary("pow", of_op("math.powf"), any, reference::pow),
        binary("pow of an integer", of_integer, |y| if y.abs() < 2f64.powi(31) { y.trunc() } else { 3.0 }, reference::pow),
        binary("remainder", of_op("arith.remf"), any, |x, y| (x % y).into()),
    ]
}

fn page(rows: &[Row]) -> String {
    let mut text = String::from(
        "# Device math

<!-- Written by `scripts/bless`; do not edit. -->

Largest errors of functions that kernels on a GPU compute in line (`crates/fx-codegen/src/device_math`), in units in the last place,
and where. Arguments of `f64`: thousands each of any bits, magnitudes from 2^-40 to 2^12, and even spreads; of `f32`: every 4093rd
number; of both: zeros, subnormal numbers, ends of ranges, NaN, infinities, and their neighbours. What is NaN, infinite or a zero
is so with the right sign. `sin`, `cos` and `tan` of `f64` from 3e7 on are not in the table: they are held against the C library's,
to 2.6 units. Measured on a CPU, which computes the same IEEE operations. But for this: in `f32`, `exp`, `tanh`,
and the `erf` of a sum with 1, use an NVIDIA GPU's own 2^x and 1 / x (2 ulp; of that `erf`, 1e-7 in all; `exp` within 2^-16 where all
that a kernel reads and writes has 16 bits).

| function | f32 | f64 |
| --- | --- | --- |
",
    );
    for row in rows {
        text += &format!("| {} | {} | {} |\n", row.name, row.single.text(), row.double.text());
    }
    text
}

#[test]
fn errors_of_device_math_are_as_documented() {
    for op in fx_codegen::device_math::unary_functions() {
        assert!(UNARY.iter().any(|(name, _)| op.strip_prefix("math.") == Some(*name)), "{op} is not measured");
    }
    let mut rows: Vec<_> = UNARY.iter().map(|(name, exact)| unary(name, *exact)).collect();
    rows.extend(binaries());
    rows.sort_by_key(|row| row.name);
    let text = page(&rows);
    println!("{text}");
    for row in &rows {
        let worst = row.single.error.max(row.double.error);
        assert!(worst <= LIMIT, "{} is off by {worst} units", row.name);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/device-math.md");
    if std::env::var_os("FX_BLESS").is_some() {
        std::fs::write(path, text).unwrap();
    } else {
        assert_eq!(std::fs::read_to_string(path).unwrap(), text, "docs/device-math.md is out of date; run: scripts/bless");
    }
}
