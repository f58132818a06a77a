//! Values that go to computed places: written, or joined to what is there by the memory itself.
//!
//! ```text
//! red.global.add.v4.f32 [$0], {$1, $2, $3, $4};
//! ```
//!
//! A thread has some neighbouring values, as in `map`. Where they go to one run they are added four at a time: single ones reach
//! half the speed of memory. What memory cannot do (products, the largest of floats) is tried until no other thread came
//! between.

use fx_ir::{Attribute, Builder, Result, Type, Value};

use super::map::{FEW_ELEMENTS, access_width, divisor, is_light, width};
use super::{Features, global, known_product, when_holds};
use crate::assembly::{assembly, effect};
use crate::conditions::{NOT_EQUAL, SIGNED_AT_LEAST, compare};
use crate::eval::{Eval, Memory};
use crate::kernel::{Kernel, Size};
use crate::scatter::{Join, Scatter};

/// Most floats that memory adds at a time.
const MOST_AT_ONCE: usize = 4;

/// The scattered results of a kernel.
pub fn scatters<'c>(kernel: &Kernel<'c>) -> Vec<Scatter<'c>> {
    kernel.results().into_iter().filter_map(Scatter::of_value).collect()
}

/// Elements of a thread, and whether they are of one row.
pub fn elements_of_thread(kernel: &Kernel<'_>) -> (i64, bool) {
    if !scatters(kernel).iter().any(|scatter| scatter.has_runs()) {
        return width(kernel);
    }
    let few = known_product(&kernel.space).is_some_and(|total| total < FEW_ELEMENTS);
    match kernel.space.last() {
        Some(Size::Known(last)) if is_light(kernel) && !few => (divisor(*last, access_width(kernel)), true),
        _ => (1, true),
    }
}

/// A value on its way, with its indices in the space.
pub struct Sent<'c> {
    /// The value.
    pub value: Value<'c>,
    /// The number of its run.
    pub position: Value<'c>,
    /// Its indices.
    pub indices: Vec<Value<'c>>,
}

impl<'c> Sent<'c> {
    /// The value of a scatter at a place.
    pub fn new(eval: &mut Eval<'c>, scatter: Scatter<'c>, indices: &[Value<'c>]) -> Result<Self> {
        let lead = scatter.positions().ty().rank();
        let value = eval.element(scatter.values(), indices)?;
        let position = eval.element(scatter.positions(), &indices[..lead])?;
        Ok(Self { value, position, indices: indices.to_vec() })
    }
}

/// Joins neighbouring values to `output`, whose space has sizes `dims`.
pub fn send<'c>(
    eval: &mut Eval<'c>,
    scatter: Scatter<'c>,
    output: &Memory<'c>,
    dims: &[Value<'c>],
    sent: &[Sent<'c>],
    features: Features,
) -> Result {
    let lead = scatter.positions().ty().rank();
    let mut rest = sent;
    while let Some(first) = rest.first() {
        // Those of one run go together.
        let together = if scatter.has_runs() { rest.iter().take_while(|own| own.position == first.position).count() } else { 1 };
        let (own, others) = rest.split_at(together);
        rest = others;
        let zero = eval.b.int(first.position.ty(), 0);
        let there = compare(eval, SIGNED_AT_LEAST, first.position, zero);
        when_holds(eval, there, |eval| {
            let run = eval.product(&dims[lead..]);
            let number = eval.b.value("arith.index_cast", &[first.position], Type::index(eval.context()), &[]);
            let start = eval.mul(number, run);
            let offset = eval.linearize(&first.indices[lead..], &dims[lead..]);
            let place = eval.add(start, offset);
            let values: Vec<_> = own.iter().map(|own| own.value).collect();
            join(eval, scatter.join(), output, place, &values, features)
        })?;
    }
    Ok(())
}

/// Joins values to the elements from `place` on, whose number of neighbours is a multiple of theirs.
fn join<'c>(eval: &mut Eval<'c>, join: Join, output: &Memory<'c>, place: Value<'c>, values: &[Value<'c>], features: Features) -> Result {
    let at_once = if join == Join::Sum && output.element.is_f32() && features.adds_vectors { MOST_AT_ONCE } else { 1 };
    let mut place = place;
    for own in values.chunks(at_once) {
        match join {
            Join::Set => eval.store_flat(output, place, own[0]),
            _ => {
                let address = global::address(eval, output, place)?;
                match instruction(join, output.element) {
                    Some(instruction) => reduce(&eval.b, &instruction, address, own)?,
                    None => retry(eval, join, output, place, address, own[0])?,
                }
            }
        }
        let count = eval.index(own.len() as i64);
        place = eval.add(place, count);
    }
    Ok(())
}

/// What memory does by itself: the op, the type, and how the assembler takes values.
struct Instruction {
    op: &'static str,
    ty: &'static str,
    register: &'static str,
}

fn instruction(join: Join, element: Type<'_>) -> Option<Instruction> {
    let by_type = |f32: &'static str, f64: &'static str, i32: &'static str, i64: &'static str| {
        let (ty, register) = match (element.is_float(), element.bit_width()) {
            (true, 32) => (f32, "f"),
            (true, 64) => (f64, "d"),
            (false, 32) => (i32, "r"),
            (false, 64) => (i64, "l"),
            _ => return None,
        };
        (!ty.is_empty()).then_some((ty, register))
    };
    let (op, (ty, register)) = match join {
        Join::Sum => ("add", by_type("f32", "f64", "u32", "u64")?),
        Join::Largest => ("max", by_type("", "", "s32", "s64")?),
        Join::Smallest => ("min", by_type("", "", "s32", "s64")?),
        Join::Set | Join::Product => return None,
    };
    Some(Instruction { op, ty, register })
}

/// Memory joins values to neighbouring elements.
fn reduce<'c>(b: &Builder<'c>, instruction: &Instruction, address: Value<'c>, values: &[Value<'c>]) -> Result {
    let Instruction { op, ty, register } = instruction;
    let names: Vec<_> = (1..=values.len()).map(|i| format!("${i}")).collect();
    let text = match values.len() {
        1 => format!("red.global.{op}.{ty} [$0], $1;"),
        count => format!("red.global.{op}.v{count}.{ty} [$0], {{{}}};", names.join(", ")),
    };
    let constraints = format!("l{},~{{memory}}", format!(",{register}").repeat(values.len()));
    effect(b, &text, &constraints, &[&[address], values].concat());
    Ok(())
}

/// Joins a value to an element by comparing and exchanging, until no other thread has changed it between.
fn retry<'c>(eval: &mut Eval<'c>, join: Join, output: &Memory<'c>, place: Value<'c>, address: Value<'c>, value: Value<'c>) -> Result {
    let (ty, context) = (output.element, eval.context());
    let bits = Type::int(context, ty.bit_width());
    let (name, register) = if ty.bit_width() == 64 { ("b64", "l") } else { ("b32", "r") };
    let raw = |b: &Builder<'c>, value: Value<'c>| if ty == bits { value } else { b.value("arith.bitcast", &[value], bits, &[]) };
    let element = |b: &Builder<'c>, value: Value<'c>| if ty == bits { value } else { b.value("arith.bitcast", &[value], ty, &[]) };
    let first = eval.load_flat(output, place);
    let first = raw(&eval.b, first);
    let types = [bits];
    let exchange = eval.b.op_with_regions("scf.while", &[first], &types, &[], &[Some(&types), Some(&types)]);
    let (Some(before), Some(after)) = (exchange.body(0), exchange.body(1)) else { return Ok(()) };
    let b = eval.b.inside(before);
    let expected = before.argument(0);
    let joined = joined(&b, join, element(&b, expected), value);
    let text = format!("atom.global.cas.{name} $0, [$1], $2, $3;");
    let constraints = format!("={register},l,{register},{register},~{{memory}}");
    let found = assembly(&b, &text, &constraints, &[address, expected, raw(&b, joined)], bits);
    let predicate = [("predicate", Attribute::i64(context, NOT_EQUAL))];
    let again = b.value("arith.cmpi", &[found, expected], Type::int(context, 1), &predicate);
    b.op("scf.condition", &[again, found], &[], &[]);
    eval.b.inside(after).op("scf.yield", &[after.argument(0)], &[], &[]);
    Ok(())
}

/// What stays where two values meet.
fn joined<'c>(b: &Builder<'c>, join: Join, there: Value<'c>, value: Value<'c>) -> Value<'c> {
    let name = match (join, value.ty().is_float()) {
        (Join::Set, _) => return value,
        (Join::Sum, true) => "arith.addf",
        (Join::Sum, false) => "arith.addi",
        (Join::Product, true) => "arith.mulf",
        (Join::Product, false) => "arith.muli",
        (Join::Largest, true) => "arith.maximumf",
        (Join::Largest, false) => "arith.maxsi",
        (Join::Smallest, true) => "arith.minimumf",
        (Join::Smallest, false) => "arith.minsi",
    };
    b.value(name, &[there, value], value.ty(), &[])
}
