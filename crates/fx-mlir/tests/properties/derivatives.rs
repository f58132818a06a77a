//! Derivative rules by numbers, in the reference evaluator, on the cases that [`crate::rows`] make, in 64 bits.
//!
//! With L(x) = Σ c f(x), random cotangents c and a random direction v:
//!
//! ```text
//! Σ L'(x) v             =  (L(x + h v) - L(x - h v)) / 2 h      finite differences
//! Σ L'(x) v             =  Σ c (f'(x) v)                        both modes
//! Σ (d/dx Σ L'(x) v) w  =  (Σ L'(x + h w) v - Σ L'(x - h w) v) / 2 h    second order, of what is smooth
//! ```
//!
//! Complex numbers are pairs of real ones. Where differences of two step sizes do not agree, the point is near a kink: a row
//! that the op table calls kinked may have some of these.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fx_autodiff::joint::{Arguments, Cotangents, Request, add_gradients, add_second_gradients, add_tangents};
use fx_interp::Evaluator;
use fx_ir::{Context, Module, Op, collect};
use fx_ops::table::{GradTest, Vjp, find};
use fx_runtime::plan::OutputKind;
use fx_runtime::{DType, HostTensor, OutputItem, Value};
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::Row;
use crate::case::{Case, Instance, program};
use crate::draw::{Draw, Stream};
use crate::search::{CHOICES, Settings, trace, traces};

/// Step of central differences; half of it is tried too.
const STEP: f64 = 1e-4;
/// How far derivatives may be from differences, relative to the size of the terms.
const DIFFERENCE: f64 = 2e-6;
/// How far both modes may be from each other.
const IDENTITY: f64 = 1e-9;

/// What came of a case.
enum Verdict {
    Agrees,
    /// Not smooth here, or not defined.
    Unclear,
    /// It has no derivative, or cannot run.
    Outside(String),
    Wrong(String),
}

/// The derivatives of a family's ops.
pub fn check(rows: &[Row], family: &str) {
    let settings = Settings::read();
    let mut failures = Vec::new();
    for row in rows.iter().filter(|row| settings.wants(row.op)) {
        let Some(own) = find(row.op) else { continue };
        if matches!(own.vjp, Vjp::Missing(_) | Vjp::None(_)) || matches!(own.grad_test, GradTest::Other(_)) {
            continue;
        }
        if traces(1) {
            trace(row.op);
        }
        failures.extend(check_op(row, own.grad_test == GradTest::Smooth, &settings));
    }
    assert!(failures.is_empty(), "{family}: {} faults\n\n{}", failures.len(), failures.join("\n"));
}

fn check_op(row: &Row, smooth: bool, settings: &Settings) -> Option<String> {
    let context = fx_ir::new_context(false);
    let mut seed = [0u8; 32];
    row.op.bytes().enumerate().for_each(|(i, byte)| seed[i % 32] ^= byte.rotate_left(i as u32 / 32));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let strategy = proptest::collection::vec(any::<u16>(), CHOICES);
    let (mut agree, mut unclear, mut outside) = (0, 0, String::new());
    for number in 0..settings.cases() {
        let tree = strategy.new_tree(&mut runner).expect("a list of numbers");
        let case = (row.make)(&mut Draw::precise(&tree.current()));
        let verdict = catch_unwind(AssertUnwindSafe(|| judge(&context, row, &case, smooth, number as u64)));
        match verdict.unwrap_or_else(|_| Verdict::Wrong("panics".into())) {
            Verdict::Agrees => agree += 1,
            Verdict::Unclear => unclear += 1,
            Verdict::Outside(why) => outside = why,
            Verdict::Wrong(text) => return Some(format!("'{}': {text}\n{}", row.op, crate::judge::text(row.op, &case))),
        }
    }
    if traces(1) {
        trace(&format!("  {agree} agree, {unclear} unclear"));
    }
    match (agree, unclear) {
        (0, 0) => Some(format!("'{}' has derivatives, and no case tests them: {outside}", row.op)),
        (_, unclear) if smooth && unclear > agree => Some(format!("'{}' is called smooth, and is not in {unclear} cases", row.op)),
        _ => None,
    }
}

/// A program that the evaluator runs.
struct Function {
    evaluator: Evaluator,
}

impl Function {
    fn new(context: &Context, text: &str, change: impl FnOnce(Op<'_>) -> fx_ir::Result) -> Result<Self, String> {
        let (module, messages) = collect(context, || {
            let module = Module::parse(context, text)?;
            change(module.function("main")?).ok()?;
            module.op().verify().then_some(module)
        });
        let module = module.ok_or_else(|| messages.first().map(ToString::to_string).unwrap_or_default())?;
        Ok(Function { evaluator: Evaluator::read(&module).map_err(|message| message.to_string())? })
    }

    fn call(&self, inputs: &[Value]) -> Result<Vec<OutputItem>, String> {
        self.evaluator.call(inputs).map_err(|message| message.to_string())
    }
}

fn request() -> Request {
    Request { arguments: Arguments::All, cotangents: Cotangents::Arguments, ..Request::default() }
}

/// A float or complex tensor's real numbers; none for anything else.
fn reals(value: &Value) -> Option<Vec<f64>> {
    let Value::Tensor(tensor) = value else { return None };
    match tensor.dtype() {
        DType::C64 | DType::C128 => {
            let part = if tensor.dtype() == DType::C64 { DType::F32 } else { DType::F64 };
            HostTensor::from_bytes(part, &[tensor.len() * 2], tensor.bytes()).ok()?.to_f64_vec().ok()
        }
        dtype if dtype.is_float() => tensor.to_f64_vec().ok(),
        _ => None,
    }
}

/// A tensor like another with these real numbers.
fn like(value: &Value, numbers: &[f64]) -> Option<Value> {
    let Value::Tensor(tensor) = value else { return None };
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    HostTensor::from_bytes(tensor.dtype(), tensor.dims(), &bytes).ok().map(Value::Tensor)
}

fn is_precise(value: &Value) -> bool {
    let Value::Tensor(tensor) = value else { return true };
    matches!(tensor.dtype(), DType::F64 | DType::C128) || reals(value).is_none()
}

/// Random numbers for each float tensor.
fn directions(values: &[&Value], stream: &mut Stream) -> Option<Vec<Value>> {
    let direction = |value: &&Value| {
        let numbers: Vec<f64> = reals(value)?.iter().map(|_| stream.unit() * 2.0 - 1.0).collect();
        like(value, &numbers)
    };
    values.iter().map(direction).collect()
}

/// Inputs moved along a direction: the float ones, in order.
fn moved(inputs: &[Value], direction: &[Value], step: f64) -> Option<Vec<Value>> {
    let mut direction = direction.iter();
    let shift = |value: &Value| {
        let Some(numbers) = reals(value) else { return Some(value.clone()) };
        let along = reals(direction.next()?)?;
        like(value, &numbers.iter().zip(along).map(|(x, v)| x + step * v).collect::<Vec<_>>())
    };
    inputs.iter().map(shift).collect()
}

/// The sum of products, and that of their sizes.
fn dot(a: &[Value], b: &[Value]) -> (f64, f64) {
    let products = a.iter().zip(b).flat_map(|(a, b)| {
        let (a, b) = (reals(a).unwrap_or_default(), reals(b).unwrap_or_default());
        a.into_iter().zip(b).map(|(a, b)| a * b).collect::<Vec<_>>()
    });
    products.fold((0.0, 0.0), |(sum, size), product| (sum + product, size + product.abs()))
}

fn floats(items: Vec<OutputItem>, gradients: bool) -> Vec<Value> {
    let is_gradient = |kind: &OutputKind| matches!(kind, OutputKind::ParameterGradient(_) | OutputKind::InputGradient(_));
    let values = items.into_iter().filter(|item| is_gradient(&item.kind) == gradients).filter_map(|item| item.value);
    values.filter(|value| reals(value).is_some()).collect()
}

/// Central differences of a function of the step with two step sizes: the better one, and whether both agree.
fn difference(f: impl Fn(f64) -> Option<(f64, f64)>) -> Option<(f64, f64, bool)> {
    let slope = |h: f64| {
        let ((above, size), (below, _)) = (f(h)?, f(-h)?);
        Some(((above - below) / (2.0 * h), size))
    };
    let ((first, size), (second, _)) = (slope(STEP)?, slope(STEP / 2.0)?);
    // rounding of L over the step, and the error of the differences themselves
    let noise = 1e-15 * size / STEP * 20.0;
    let agrees = (first - second).abs() <= 0.2 * DIFFERENCE * (first.abs() + second.abs()) + noise + 1e-9;
    Some(((4.0 * second - first) / 3.0, noise, agrees && second.is_finite()))
}

fn judge(context: &Context, row: &Row, case: &Case, smooth: bool, seed: u64) -> Verdict {
    if case.fails {
        return Verdict::Outside("a case that must fail".into());
    }
    let types = match case.infer(context, row.op) {
        Ok(types) => types,
        Err(why) => return Verdict::Outside(why),
    };
    let text = program(&[Instance { op: row.op, case, types: &types }]);
    let inputs = case.inputs(row.op);
    if !inputs.iter().all(is_precise) {
        return Verdict::Outside("an operand is not of 64 bits".into());
    }
    let plain = match Function::new(context, &text, |_| Ok(())) {
        Ok(plain) => plain,
        Err(why) => return Verdict::Outside(why),
    };
    let outputs = match plain.call(&inputs) {
        Ok(items) => floats(items, false),
        Err(why) => return Verdict::Outside(why),
    };
    let by: Vec<&Value> = inputs.iter().filter(|value| reals(value).is_some()).collect();
    let elements: usize = by.iter().chain(&outputs.iter().collect::<Vec<_>>()).map(|value| reals(value).map_or(0, |x| x.len())).sum();
    if by.is_empty() || outputs.is_empty() || elements == 0 {
        return Verdict::Outside("no floats".into());
    }
    if !outputs.iter().all(is_precise) {
        return Verdict::Outside("a result is not of 64 bits".into());
    }
    let mut stream = Stream::new(seed ^ 0x5eed);
    let (Some(cotangents), Some(v)) = (directions(&outputs.iter().collect::<Vec<_>>(), &mut stream), directions(&by, &mut stream)) else {
        return Verdict::Outside("no floats".into());
    };
    match compare(context, &text, &plain, &inputs, &cotangents, &v, smooth.then_some(&mut stream)) {
        Ok(verdict) => verdict,
        Err(why) => Verdict::Wrong(why),
    }
}

fn compare(
    context: &Context,
    text: &str,
    plain: &Function,
    inputs: &[Value],
    cotangents: &[Value],
    v: &[Value],
    second: Option<&mut Stream>,
) -> Result<Verdict, String> {
    let joint = Function::new(context, text, |main| add_gradients(main, &request()))?;
    let gradients = floats(joint.call(&[inputs, cotangents].concat())?, true);
    let (along, size) = dot(&gradients, v);
    let loss = |step: f64| Some(dot(&floats(plain.call(&moved(inputs, v, step)?).ok()?, false), cotangents));
    let mut unclear = false;
    match difference(loss) {
        Some((expected, noise, true)) => {
            let bound = DIFFERENCE * (size + expected.abs()) + noise;
            if !((along - expected).abs() <= bound) {
                return Ok(Verdict::Wrong(format!("the derivative along a direction is {along:?}, by differences {expected:?}")));
            }
        }
        _ => unclear = true,
    }
    let forward = Function::new(context, text, |main| add_tangents(main, &request()))?;
    // outputs, then one tangent for each
    let results = floats(forward.call(&[inputs, v].concat())?, false);
    let (other, size_of_other) = dot(&results[cotangents.len()..], cotangents);
    if along.is_finite() && !((along - other).abs() <= IDENTITY * (size + size_of_other)) {
        return Ok(Verdict::Wrong(format!("reverse mode gives {along:?} along a direction, forward mode {other:?}")));
    }
    let Some(stream) = second.filter(|_| !unclear) else { return Ok(if unclear { Verdict::Unclear } else { Verdict::Agrees }) };
    let w = directions(&inputs.iter().filter(|value| reals(value).is_some()).collect::<Vec<_>>(), stream).ok_or("no directions")?;
    second_order(context, text, &joint, inputs, cotangents, v, &w)
}

fn second_order(
    context: &Context,
    text: &str,
    joint: &Function,
    inputs: &[Value],
    cotangents: &[Value],
    v: &[Value],
    w: &[Value],
) -> Result<Verdict, String> {
    let twice = Function::new(context, text, |main| {
        add_gradients(main, &request())?;
        add_second_gradients(main, &request())
    })?;
    // by the inputs, then by the cotangents
    let gradients = floats(twice.call(&[inputs, cotangents, v].concat())?, true);
    let (along, size) = dot(&gradients[..v.len()], w);
    let slope = |step: f64| Some(dot(&floats(joint.call(&[&moved(inputs, w, step)?, cotangents].concat()).ok()?, true), v));
    Ok(match difference(slope) {
        Some((expected, noise, true)) if !((along - expected).abs() <= DIFFERENCE * (size + expected.abs()) + noise) => {
            Verdict::Wrong(format!("the second derivative along directions is {along:?}, by differences {expected:?}"))
        }
        Some((_, _, true)) => Verdict::Agrees,
        _ => Verdict::Unclear,
    })
}
