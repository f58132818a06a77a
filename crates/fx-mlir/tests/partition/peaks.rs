//! The predicted peak of memory against the one of calls, and both halves, compiled, against the whole.

use std::collections::BTreeMap;
use std::path::Path;

use fx_mlir::gradients::{Arguments, Cotangents, Gradients};
use fx_mlir::halves::{Budget, Pair, Partitioning, Strategy};
use fx_mlir::{HostTensor, InputKind, Library, OutputItem, Program, Target, Value};
use fx_runtime::plan::{ArgumentKind, OutputKind};

use crate::programs;

const BUDGETS: [f64; 6] = [1.0, 0.8, 0.6, 0.4, 0.2, 0.0];
/// Run-time sizes.
const SIZE: usize = 5;

/// Small numbers of both signs.
fn drawn(dims: &[usize], seed: usize) -> HostTensor {
    let count = dims.iter().product();
    let values: Vec<f32> = (0..count).map(|index: usize| ((index * 7 + seed) as f32 * 0.37).sin()).collect();
    HostTensor::from_slice(dims, &values).unwrap()
}

fn bf16(tensor: &HostTensor) -> HostTensor {
    let bytes = tensor.to_f64_vec().unwrap().into_iter().flat_map(|x| half::bf16::from_f64(x).to_le_bytes());
    HostTensor::from_bytes(fx_mlir::DType::BF16, tensor.dims(), &bytes.collect::<Vec<_>>()).unwrap()
}

fn of_type(element: &str, dims: &[usize], seed: usize) -> Value {
    let tensor = drawn(dims, seed);
    Value::Tensor(if element == "bf16" { bf16(&tensor) } else { tensor })
}

/// A program with values for its inputs, and for its state if it is text.
struct Subject {
    program: Program,
    inputs: Vec<Value>,
    state: BTreeMap<String, Value>,
}

impl Subject {
    fn new(program: Program) -> Self {
        let value = |(seed, info): (usize, &fx_mlir::InputInfo)| match &info.kind {
            InputKind::Tensor { element, dims } => {
                of_type(element, &dims.iter().map(|dim| dim.parse().unwrap_or(SIZE)).collect::<Vec<_>>(), seed)
            }
            InputKind::Scalar(_) => Value::Int(SIZE as i64),
        };
        let inputs = program.inputs().iter().enumerate().map(value).collect();
        let mut state = BTreeMap::new();
        if program.archive().is_none() {
            let plan = program.compile(&Target::Cpu).unwrap().plan;
            for (seed, argument) in plan.arguments.iter().enumerate() {
                let (ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name)) = &argument.kind else { continue };
                let fx_runtime::plan::ArgumentValue::Tensor(buffer) = argument.value else { continue };
                let buffer = &plan.buffers[buffer as usize];
                let size = |dim: &fx_runtime::plan::Scalar| match dim {
                    fx_runtime::plan::Scalar::Const(size) => *size as usize,
                    fx_runtime::plan::Scalar::Reg(_) => SIZE,
                };
                let dims: Vec<_> = buffer.dims.iter().map(size).collect();
                state.insert(name.clone(), of_type(&buffer.dtype.to_string(), &dims, 11 * seed));
            }
        }
        Self { program, inputs, state }
    }

    fn halves(&self, strategy: Strategy) -> (Pair, u64) {
        let sizes = [("n".to_string(), SIZE as u64)].into();
        let halves = self.program.halves(&Partitioning { strategy, sizes, ..Partitioning::default() }).unwrap();
        let mut pair = Pair::new(&halves, &Target::Cpu, &Library::default()).unwrap();
        for (name, value) in &self.state {
            pair.set_state(name, value).unwrap();
        }
        (pair, halves.report.peak)
    }
}

/// Cotangents of the outputs.
fn cotangents(outputs: &[OutputItem]) -> Vec<Value> {
    let outputs = outputs.iter().filter(|item| item.kind == OutputKind::Output).enumerate();
    let like = |(seed, item): (usize, &OutputItem)| {
        let Some(Value::Tensor(tensor)) = &item.value else { panic!("an output that is no tensor") };
        of_type(&tensor.dtype().to_string(), tensor.dims(), 3 * seed + 1)
    };
    outputs.map(like).collect()
}

fn subjects() -> Vec<(String, Subject)> {
    let small = programs::ALL.iter().map(|(name, text)| ((*name).to_string(), Subject::new(Program::from_mlir(text).unwrap())));
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/mlp/model.pt2");
    small.chain([("mlp".to_string(), Subject::new(Program::open(&fixture).unwrap()))]).collect()
}

#[test]
fn predicted_peaks_are_those_of_calls_and_fall_with_the_budget() {
    for (name, subject) in subjects() {
        let mut last = usize::MAX;
        for budget in BUDGETS {
            let (mut pair, predicted) = subject.halves(Strategy::Budget(Budget::Fraction(budget)));
            let outputs = pair.forward(&subject.inputs).unwrap();
            pair.backward(&cotangents(&outputs)).unwrap();
            let measured = pair.peak_bytes();
            assert!(
                measured > 0 && predicted.abs_diff(measured as u64) * 100 <= 3 * measured as u64,
                "{name}, {budget}: {predicted} {measured}"
            );
            assert!(measured <= last, "{name}, {budget}: {measured} after {last}");
            last = measured;
        }
    }
}

/// Sums may be reordered when kernels are others, so bits may differ.
fn assert_close(name: &str, ours: &OutputItem, whole: &OutputItem) {
    let numbers = |item: &OutputItem| match &item.value {
        Some(Value::Tensor(tensor)) => tensor.to_f64_vec().unwrap(),
        other => panic!("{name}: {other:?}"),
    };
    let tolerance = if format!("{:?}", whole.value).contains("bf16") { 0.02 } else { 1e-5 };
    for (a, b) in numbers(ours).into_iter().zip(numbers(whole)) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{name}, {:?}: {a} {b}", ours.kind);
    }
}

#[test]
fn both_halves_compute_what_the_whole_computes() {
    for (name, subject) in subjects() {
        let request = Gradients { arguments: Arguments::All, cotangents: Cotangents::Arguments, ..Gradients::default() };
        let whole = subject.program.with_gradients(&request).unwrap().compile(&Target::Cpu).unwrap();
        for strategy in [Strategy::Default, Strategy::MinCut, Strategy::Budget(Budget::Fraction(0.0))] {
            let library = Library::with_seed(7);
            let mut executor = whole_executor(&whole, &subject, &library);
            let halves = subject.program.halves(&Partitioning { strategy, ..Partitioning::default() }).unwrap();
            let library = Library::with_seed(7);
            let mut pair = Pair::new(&halves, &Target::Cpu, &library).unwrap();
            subject.state.iter().for_each(|(name, value)| pair.set_state(name, value).unwrap());
            // twice: memory was given back in between
            for _ in 0..2 {
                let mut items = pair.forward(&subject.inputs).unwrap();
                let cotangents = cotangents(&items);
                items.extend(pair.backward(&cotangents).unwrap());
                let given: Vec<_> = subject.inputs.iter().cloned().chain(cotangents).collect();
                let expected = executor.call(&given).unwrap();
                assert_eq!(items.len(), expected.len(), "{name}");
                items.iter().zip(&expected).for_each(|(ours, whole)| assert_close(&name, ours, whole));
            }
        }
    }
}

fn whole_executor(compiled: &fx_mlir::Compiled, subject: &Subject, library: &Library) -> fx_mlir::Executor {
    let mut executor = fx_mlir::Executor::new(compiled.plan.clone(), fx_mlir::DeviceKind::Cpu).unwrap();
    library.register(&mut executor);
    let archive = compiled.tensors.iter().map(|(name, tensor)| (name.clone(), Value::Tensor(tensor.clone())));
    for (name, value) in archive.chain(subject.state.clone()) {
        executor.set_state(&name, value).unwrap();
    }
    executor
}
