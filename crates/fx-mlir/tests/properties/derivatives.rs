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
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::is_differentiable;
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
const IDENTITY: f64 = 1e-8;

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
        if matches!(own.vjp, Vjp::Missing(_) | Vjp::Refused(_) | Vjp::None(_)) || matches!(own.grad_test, GradTest::Other(_)) {
            continue;
        }
        if traces(1) {
            trace(row.op);
        }
        failures.extend(check_op(row, own.grad_test == GradTest::Smooth, &settings));
    }
    assert!(failures.is_empty(), "{family}: {} faults\n\n{}", failures.len(), failures.join("\n"));
}

/// Random cases of an op in 64 bits: the same in each run.
pub fn cases<'a>(row: &'a Row, settings: &Settings) -> impl Iterator<Item = Case> + use<'a> {
    let mut seed = [0u8; 32];
    row.op.bytes().enumerate().for_each(|(i, byte)| seed[i % 32] ^= byte.rotate_left(i as u32 / 32));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let strategy = proptest::collection::vec(any::<u16>(), CHOICES);
    (0..settings.cases()).map(move |_| {
        let tree = strategy.new_tree(&mut runner).expect("a list of numbers");
        (row.make)(&mut Draw::precise(&tree.current()))
    })
}

fn check_op(row: &Row, smooth: bool, settings: &Settings) -> Option<String> {
    let context = fx_ir::new_context(false);
    let (mut agree, mut unclear, mut outside) = (0, 0, String::new());
    for (number, case) in cases(row, settings).enumerate() {
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
pub struct Function {
    evaluator: Evaluator,
}

impl Function {
    /// A program with a changed `@main`.
    pub fn new(context: &Context, text: &str, change: impl FnOnce(Op<'_>) -> fx_ir::Result) -> Result<Self, String> {
        let (module, messages) = collect(context, || {
            let module = Module::parse(context, text)?;
            change(module.function("main")?).ok()?;
            module.op().verify().then_some(module)
        });
        let module = module.ok_or_else(|| messages.first().map(ToString::to_string).unwrap_or_default())?;
        Ok(Function { evaluator: Evaluator::read(&module).map_err(|message| message.to_string())? })
    }

    /// Runs it.
    pub fn call(&self, inputs: &[Value]) -> Result<Vec<OutputItem>, String> {
        self.evaluator.call(inputs).map_err(|message| message.to_string())
    }
}

/// A float or complex tensor's real numbers; none for anything else.
pub fn reals(value: &Value) -> Option<Vec<f64>> {
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
pub fn like(value: &Value, numbers: &[f64]) -> Option<Value> {
    let Value::Tensor(tensor) = value else { return None };
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    HostTensor::from_bytes(tensor.dtype(), tensor.dims(), &bytes).ok().map(Value::Tensor)
}

fn is_precise(value: &Value) -> bool {
    let Value::Tensor(tensor) = value else { return true };
    matches!(tensor.dtype(), DType::F64 | DType::C128) || reals(value).is_none()
}

/// Random numbers for each tensor.
fn directions(values: &[&Value], stream: &mut Stream) -> Option<Vec<Value>> {
    let direction = |value: &&Value| {
        let numbers: Vec<f64> = reals(value)?.iter().map(|_| stream.unit() * 2.0 - 1.0).collect();
        like(value, &numbers)
    };
    values.iter().map(direction).collect()
}

/// The sum of products, and that of their sizes.
fn dot(a: &[Value], b: &[Value]) -> (f64, f64) {
    let products = a.iter().zip(b).flat_map(|(a, b)| {
        let (a, b) = (reals(a).unwrap_or_default(), reals(b).unwrap_or_default());
        a.into_iter().zip(b).map(|(a, b)| a * b).collect::<Vec<_>>()
    });
    products.fold((0.0, 0.0), |(sum, size), product| (sum + product, size + product.abs()))
}

fn gradients(items: Vec<OutputItem>) -> Vec<Value> {
    let is_gradient = |item: &OutputItem| matches!(item.kind, OutputKind::ParameterGradient(_) | OutputKind::InputGradient(_));
    items.into_iter().filter(is_gradient).filter_map(|item| item.value).collect()
}

/// A slope by differences of a function of the step: the slope, how far rounding may move it, and whether the function is smooth
/// there: slopes of both sides, and of two step sizes, are the same.
fn difference(f: impl Fn(f64) -> Option<(f64, f64)>) -> Option<(f64, f64, bool)> {
    let (here, size) = f(0.0)?;
    let sides = |h: f64| Some((((f(h)?.0 - here) / h), (here - f(-h)?.0) / h));
    let ((right, left), (nearer_right, nearer_left)) = (sides(STEP)?, sides(STEP / 2.0)?);
    let (first, second) = ((right + left) / 2.0, (nearer_right + nearer_left) / 2.0);
    let noise = 2e-14 * size / STEP + 1e-9;
    let agrees = (first - second).abs() <= 0.2 * DIFFERENCE * (first.abs() + second.abs()) + noise;
    // a kink keeps its jump when the step shrinks, curvature does not
    let jump = (nearer_right - nearer_left).abs();
    let bent = jump > 0.75 * (right - left).abs() && jump > 1e-6 * (right.abs() + left.abs()) + 4.0 * noise;
    Some(((4.0 * second - first) / 3.0, noise, agrees && !bent && second.is_finite()))
}

/// Whether two numbers are this close; NaN is to nothing.
fn is_within(a: f64, b: f64, bound: f64) -> bool {
    (a - b).abs() <= bound
}

/// A case, with what is differentiated by what.
struct Subject<'a> {
    context: &'a Context,
    row: &'a Row,
    text: String,
    inputs: Vec<Value>,
    /// Places of the inputs that it is differentiated by.
    by: Vec<usize>,
}

impl Subject<'_> {
    fn function(&self, change: impl FnOnce(Op<'_>, &Request) -> fx_ir::Result) -> Result<Function, String> {
        let request = Request {
            arguments: Arguments::Given(self.by.clone()),
            outputs: self.row.differentiated.map(<[usize]>::to_vec),
            cotangents: Cotangents::Arguments,
            ..Request::default()
        };
        Function::new(self.context, &self.text, |main| change(main, &request))
    }

    /// The values that it is differentiated by.
    fn point(&self) -> Vec<&Value> {
        self.by.iter().map(|place| &self.inputs[*place]).collect()
    }

    /// The inputs, moved along a direction.
    fn moved(&self, direction: &[Value], step: f64) -> Option<Vec<Value>> {
        let mut inputs = self.inputs.clone();
        for (place, along) in self.by.iter().zip(direction) {
            let (numbers, along) = (reals(&inputs[*place])?, reals(along)?);
            inputs[*place] = like(&inputs[*place], &numbers.iter().zip(along).map(|(x, v)| x + step * v).collect::<Vec<_>>())?;
        }
        Some(inputs)
    }

    /// The differentiated ones of the first `count` outputs; of all, if there is no such number.
    fn outputs(&self, items: Vec<OutputItem>, count: Option<usize>) -> Vec<Value> {
        let tensors = items.into_iter().filter_map(|item| item.value).filter(|value| matches!(value, Value::Tensor(_)));
        let tensors = tensors.take(count.unwrap_or(usize::MAX)).enumerate();
        let wanted = |number: &usize| self.row.differentiated.is_none_or(|results| results.contains(number));
        tensors.filter(|(number, value)| wanted(number) && reals(value).is_some()).map(|(_, value)| value).collect()
    }
}

/// The arguments that are floats; if an op's row names some operands, of these alone: of others only sizes count.
fn places(context: &Context, text: &str, op: &str) -> Vec<usize> {
    let (places, _) = collect(context, || {
        let module = Module::parse(context, text)?;
        let body = module.function("main")?.body(0)?;
        let arguments = body.arguments();
        let all = (0..arguments.len()).filter(|place| is_differentiable(arguments[*place].ty()));
        let Some(groups) = find(op).and_then(|own| own.by) else { return Some(all.collect()) };
        let op = body.ops().into_iter().find(|other| other.name() == op).and_then(FxOp::new)?;
        let named: Vec<_> = groups.iter().flat_map(|group| op.list(group)).collect();
        Some(all.filter(|place| named.contains(&arguments[*place])).collect())
    });
    places.unwrap_or_default()
}

fn judge(context: &Context, row: &Row, case: &Case, smooth: bool, seed: u64) -> Verdict {
    let types = match case.infer(context, row.op) {
        Ok(types) if !case.fails => types,
        Ok(_) => return Verdict::Outside("a case that must fail".into()),
        Err(why) => return Verdict::Outside(why),
    };
    let text = program(&[Instance { op: row.op, case, types: &types }]);
    let by = places(context, &text, row.op);
    let subject = Subject { context, row, text, inputs: case.inputs(row.op), by };
    if !subject.inputs.iter().all(is_precise) {
        return Verdict::Outside("an operand is not of 64 bits".into());
    }
    let plain = match subject.function(|_, _| Ok(())) {
        Ok(plain) => plain,
        Err(why) => return Verdict::Outside(why),
    };
    let items = match plain.call(&subject.inputs) {
        Ok(items) => items,
        Err(why) => return Verdict::Outside(why),
    };
    let count = items.iter().filter(|item| matches!(item.value, Some(Value::Tensor(_)))).count();
    let outputs = subject.outputs(items, None);
    let numbers: Vec<f64> = outputs.iter().filter_map(reals).flatten().collect();
    if numbers.is_empty() || subject.point().iter().all(|value| reals(value).is_none_or(|x| x.is_empty())) {
        return Verdict::Outside("no floats".into());
    }
    if !outputs.iter().all(is_precise) || !numbers.iter().all(|x| x.is_finite()) {
        return Verdict::Outside("a result is not of 64 bits, or not finite".into());
    }
    let mut stream = Stream::new(seed ^ 0x5eed);
    let outputs: Vec<&Value> = outputs.iter().collect();
    let (Some(cotangents), Some(v)) = (directions(&outputs, &mut stream), directions(&subject.point(), &mut stream)) else {
        return Verdict::Outside("no floats".into());
    };
    match compare(&subject, &plain, count, &cotangents, &v, smooth.then_some(&mut stream)) {
        Ok(verdict) => verdict,
        Err(why) if ["cannot be differentiated", "has no derivative"].iter().any(|text| why.contains(text)) => Verdict::Outside(why),
        Err(why) => Verdict::Wrong(why),
    }
}

fn compare(
    subject: &Subject<'_>,
    plain: &Function,
    count: usize,
    cotangents: &[Value],
    v: &[Value],
    second: Option<&mut Stream>,
) -> Result<Verdict, String> {
    let joint = subject.function(add_gradients)?;
    let own = gradients(joint.call(&[&subject.inputs, cotangents].concat())?);
    let (along, size) = dot(&own, v);
    let loss = |step: f64| Some(dot(&subject.outputs(plain.call(&subject.moved(v, step)?).ok()?, None), cotangents));
    let mut unclear = false;
    match difference(loss) {
        Some((expected, noise, true)) => {
            if !is_within(along, expected, DIFFERENCE * (size + expected.abs()) + noise) {
                return Ok(Verdict::Wrong(format!("the derivative along a direction is {along:?}, by differences {expected:?}")));
            }
        }
        _ => unclear = true,
    }
    let forward = subject.function(add_tangents)?;
    // all outputs, then a tangent for each of those that are differentiated
    let items = forward.call(&[&subject.inputs, v].concat())?;
    let tangents: Vec<_> =
        items.into_iter().filter_map(|item| item.value).filter(|value| matches!(value, Value::Tensor(_))).skip(count).collect();
    let (other, size_of_other) = dot(&tangents, cotangents);
    if along.is_finite() && !is_within(along, other, IDENTITY * (size + size_of_other) + 1e-12) {
        return Ok(Verdict::Wrong(format!("reverse mode gives {along:?} along a direction, forward mode {other:?}")));
    }
    let Some(stream) = second.filter(|_| !unclear) else { return Ok(if unclear { Verdict::Unclear } else { Verdict::Agrees }) };
    let w = directions(&subject.point(), stream).ok_or("no directions")?;
    second_order(subject, &joint, cotangents, v, &w)
}

fn second_order(subject: &Subject<'_>, joint: &Function, cotangents: &[Value], v: &[Value], w: &[Value]) -> Result<Verdict, String> {
    let twice = subject.function(|main, request| {
        add_gradients(main, request)?;
        add_second_gradients(main, request)
    })?;
    let own = gradients(twice.call(&[&subject.inputs, cotangents, v].concat())?);
    let (along, size) = dot(&own, w);
    let slope = |step: f64| Some(dot(&gradients(joint.call(&[&subject.moved(w, step)?, cotangents].concat()).ok()?), v));
    Ok(match difference(slope) {
        Some((expected, noise, true)) if !is_within(along, expected, DIFFERENCE * (size + expected.abs()) + noise) => {
            Verdict::Wrong(format!("the second derivative along directions is {along:?}, by differences {expected:?}"))
        }
        Some((_, _, true)) => Verdict::Agrees,
        _ => Verdict::Unclear,
    })
}
