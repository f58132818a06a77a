//! Running one golden case: import, compile, call, judge. Nothing that happens in a case ends the process, except a
//! crash of native code.

use super::case::{Case, Expected, Input, InputSet, InputValue, Reference, Slot};
use super::compare::{Golden, Judgement, compare, shape_failure};
use super::dump;
use crate::error::{CliError, Result};
use crate::load::{CallInput, runner};
use crate::target::TargetArg;
use fx_runtime::plan::OutputKind;
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{Graphs, HostTensor, OutputItem, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// How a case ended.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Import, compilation and loading; none if that failed.
    pub compile: Option<Duration>,
    /// All calls; none if one failed.
    pub run: Option<Duration>,
    /// The largest quotient of difference and bound.
    pub ratio: f64,
    /// What is wrong; none if the case passed.
    pub failure: Option<String>,
    /// The input set that `failure` is about.
    pub set: usize,
    /// What became of a reproducer, if one was wanted.
    pub reproducer: Option<String>,
}

thread_local! {
    /// What the panic hook saw on this thread; none outside of cases.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics inside cases silent: they are reported with the case.
pub fn install_panic_hook() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let inside = PANIC.with_borrow_mut(|message| match message {
            Some(message) => {
                *message = info.to_string();
                true
            }
            None => false,
        });
        if !inside {
            previous(info);
        }
    }));
}

/// How a case is run.
#[derive(Debug, Clone, Copy)]
pub struct Running<'a> {
    pub target: &'a TargetArg,
    /// Where random numbers start.
    pub seed: u64,
    /// When calls use CUDA graphs. With [`Graphs::Always`] each call is made twice and its second results count: these come from
    /// a graph that was made for other addresses.
    pub graphs: Graphs,
    /// Where what was computed is written, right or wrong.
    pub dump: Option<&'a Path>,
}

/// Runs a case.
pub fn execute(case: &Case, running: Running<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let failure = guarded(|| attempt(case, running, &mut outcome)).err();
    outcome.failure = failure.or(outcome.failure);
    outcome
}

/// Runs `body`; its error or its panic becomes a message.
pub fn guarded<T>(body: impl FnOnce() -> Result<T>) -> Result<T, String> {
    let outer = PANIC.replace(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(body));
    let panic = PANIC.replace(outer).unwrap_or_default();
    match result {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(payload) => Err(panic_message(&panic, payload.as_ref())),
    }
}

fn panic_message(seen: &str, payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
    match (seen, text) {
        ("", text) => format!("internal error: panicked: {}", text.unwrap_or("without a message")),
        (seen, _) => format!("internal error: {seen}"),
    }
}

fn attempt(case: &Case, running: Running<'_>, outcome: &mut Outcome) -> Result<()> {
    let dump_path = running.dump.map(|folder| dump::path(folder, &case.id)).transpose()?;
    if let Some(path) = &dump_path {
        dump::remove(path)?;
    }
    let file = TensorFile::open(&case.tensors)?;
    let started = Instant::now();
    let mut runner = runner(&case.open()?, running.target)?;
    runner.set_seed(running.seed);
    runner.set_graphs(running.graphs);
    outcome.compile = Some(started.elapsed());
    let mut spent = Duration::ZERO;
    let mut computed = BTreeMap::new();
    let mut failures = Vec::new();
    for (index, set) in case.sets.iter().enumerate() {
        let (before, known, ratio) = (outcome.set, failures.len(), outcome.ratio);
        outcome.set = index; // an error from here on is about this set
        let values = input_values(&runner.inputs(), &set.inputs, &file)?;
        let started = Instant::now();
        let mut items = runner.call(&values)?;
        if running.graphs == Graphs::Always {
            items = runner.call(&values)?;
        }
        spent += started.elapsed();
        let mut judge =
            Judge { case, file: &file, items: &items, computed: &mut computed, failures: &mut failures, ratio: &mut outcome.ratio };
        judge.set(set)?;
        if failures.len() == known || (known > 0 && outcome.ratio <= ratio) {
            outcome.set = before;
        }
    }
    outcome.run = Some(spent);
    if let Some(path) = &dump_path {
        dump::write(path, &computed)?;
    }
    outcome.failure = summary(&failures);
    Ok(())
}

/// The first failure, and how many there are.
fn summary(failures: &[String]) -> Option<String> {
    let first = failures.first()?;
    Some(match failures.len() {
        1 => first.clone(),
        count => format!("{first}\n{} more results are wrong", count - 1),
    })
}

/// The values that a call takes, by the placeholders' names. Fails when the case lacks one.
pub fn input_values(taken: &[CallInput], inputs: &[Input], file: &TensorFile) -> Result<Vec<Value>> {
    let value = |CallInput { name, .. }: &CallInput| {
        let input = inputs.iter().find(|input| input.placeholder == *name);
        let input = input.ok_or_else(|| CliError::Failed(format!("the compiled program takes input '{name}', which the case lacks")))?;
        input_value(input, file)
    };
    taken.iter().map(value).collect()
}

/// The value of an input. Fails for text and `None`, which programs hold as constants.
pub fn input_value(input: &Input, file: &TensorFile) -> Result<Value> {
    Ok(match &input.value {
        InputValue::Tensor(name) => {
            Value::Tensor(file.get(name)?.ok_or_else(|| CliError::Failed(format!("golden data lacks tensor '{name}'")))?)
        }
        InputValue::Int(value) => Value::Int(*value),
        InputValue::Float(value) => Value::Float(*value),
        InputValue::Bool(value) => Value::Bool(*value),
        InputValue::Constant(text) => {
            let message = format!("the compiled program takes input '{}', the constant {text}", input.placeholder);
            return Err(CliError::Failed(message));
        }
    })
}

/// Compares the results of one call.
struct Judge<'a> {
    case: &'a Case,
    file: &'a TensorFile,
    items: &'a [OutputItem],
    computed: &'a mut BTreeMap<String, HostTensor>,
    failures: &'a mut Vec<String>,
    ratio: &'a mut f64,
}

impl Judge<'_> {
    fn set(&mut self, set: &InputSet) -> Result<()> {
        let ours = tensor_outputs(self.items).count();
        if let Some(outputs) = set.outputs.filter(|outputs| *outputs != ours) {
            self.failures.push(format!("the program gives {ours} tensor outputs, expected {outputs}"));
        }
        for expected in &set.expected {
            match find(self.items, &expected.slot) {
                Some(tensor) => {
                    self.computed.insert(expected.name.clone(), tensor.clone());
                    self.result(expected, tensor)?;
                }
                None => self.failures.push(format!("the program gives no {}", expected.slot)),
            }
        }
        if set.comparable {
            self.unchanged_inputs(set)?;
        }
        Ok(())
    }

    fn result(&mut self, expected: &Expected, ours: &HostTensor) -> Result<()> {
        let name = &expected.name;
        match &expected.reference {
            Reference::Shape { dtype, dims } => {
                self.failures.extend(shape_failure(name, ours, *dtype, dims));
            }
            Reference::Values { float64, error64 } => {
                let result = self.file.get(name)?;
                let float64 = match float64 {
                    Some(name) => self.file.get(name)?,
                    None => None,
                };
                let Some(result) = result else {
                    self.failures.push(format!("golden data lacks tensor '{name}'"));
                    return Ok(());
                };
                let golden = Golden { result: &result, float64: float64.as_ref(), error64: *error64 };
                let judgement = compare(name, ours, &golden, self.case.tolerance);
                self.take(judgement);
            }
        }
        Ok(())
    }

    /// New values of inputs that PyTorch left as they were must be the old ones.
    fn unchanged_inputs(&mut self, set: &InputSet) -> Result<()> {
        for item in self.items {
            let OutputKind::InputMutation(placeholder) = &item.kind else {
                continue;
            };
            let slot = Slot::MutatedInput(placeholder.clone());
            if set.expected.iter().any(|expected| expected.slot == slot) {
                continue;
            }
            let given = set.inputs.iter().find(|input| input.placeholder == *placeholder);
            let Some(InputValue::Tensor(name)) = given.map(|input| &input.value) else {
                continue;
            };
            if let Some(result) = self.file.get(name)? {
                let golden = Golden { result: &result, float64: None, error64: 0.0 };
                let judgement = compare(&slot.to_string(), item.tensor()?, &golden, self.case.tolerance);
                self.take(judgement);
            }
        }
        Ok(())
    }

    /// The worst failure comes first.
    fn take(&mut self, judgement: Judgement) {
        let worst = judgement.ratio > *self.ratio;
        *self.ratio = self.ratio.max(judgement.ratio);
        match judgement.failure {
            Some(failure) if worst => self.failures.insert(0, failure),
            Some(failure) => self.failures.push(failure),
            None => {}
        }
    }
}

fn tensor_outputs(items: &[OutputItem]) -> impl Iterator<Item = &HostTensor> {
    items.iter().filter(|item| item.kind == OutputKind::Output).filter_map(|item| item.tensor().ok())
}

fn find<'a>(items: &'a [OutputItem], slot: &Slot) -> Option<&'a HostTensor> {
    let kind = match slot {
        Slot::Output(index) => return tensor_outputs(items).nth(*index),
        Slot::MutatedInput(name) => OutputKind::InputMutation(name.clone()),
        Slot::Buffer(name) => OutputKind::BufferMutation(name.clone()),
        Slot::ParameterGradient(name) => OutputKind::ParameterGradient(name.clone()),
        Slot::InputGradient(name) => OutputKind::InputGradient(name.clone()),
    };
    items.iter().find(|item| item.kind == kind)?.tensor().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: OutputKind, value: f32) -> OutputItem {
        let value = Some(Value::Tensor(HostTensor::scalar(value).unwrap()));
        OutputItem { kind, value }
    }

    #[test]
    fn results_are_found_by_kind_and_tensor_outputs_counted() {
        let none = OutputItem { kind: OutputKind::Output, value: None };
        let items = [item(OutputKind::BufferMutation("b".into()), 0.0), none, item(OutputKind::Output, 1.0), item(OutputKind::Output, 2.0)];
        let value = |slot| find(&items, &slot).map(|tensor| tensor.to_f64_vec().unwrap()[0]);
        assert_eq!(value(Slot::Output(1)), Some(2.0));
        assert_eq!(value(Slot::Output(2)), None);
        assert_eq!(value(Slot::Buffer("b".into())), Some(0.0));
        assert_eq!(value(Slot::MutatedInput("b".into())), None);
    }

    #[test]
    fn the_worst_failure_is_reported_with_a_count() {
        assert_eq!(summary(&[]), None);
        assert_eq!(summary(&["a".into()]).as_deref(), Some("a"));
        let both = summary(&["a".into(), "b".into()]);
        assert_eq!(both.as_deref(), Some("a\n1 more results are wrong"));
    }

    #[test]
    fn a_case_that_cannot_be_read_fails() {
        let case = Case {
            id: "x/y".into(),
            op: "x".into(),
            program: "absent.pt2".into(),
            tensors: "absent.safetensors".into(),
            tolerance: crate::golden::case::Tolerance { rtol: 0.0, atol: 0.0 },
            training: false,
            gradients: None,
            sets: Vec::new(),
        };
        let outcome =
            execute(&case, Running { target: &TargetArg::Compiled(fx_mlir::Target::Cpu), seed: 0, graphs: Graphs::Always, dump: None });
        assert!(outcome.failure.unwrap().contains("absent.safetensors"));
        assert!(outcome.compile.is_none());
    }

    #[test]
    fn panics_have_a_message() {
        let payload: Box<dyn std::any::Any + Send> = Box::new("text");
        assert_eq!(panic_message("", payload.as_ref()), "internal error: panicked: text");
        assert_eq!(panic_message("panicked at a.rs:1:2:\ntext", payload.as_ref()), "internal error: panicked at a.rs:1:2:\ntext");
    }
}
