//! Cases in both: the reference evaluator, one by one, and compiled code, many in one program.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fx_codegen::cpu::Processor;
use fx_codegen::pipeline::plan_cpu;
use fx_interp::Evaluator;
use fx_interp::array::next_after;
use fx_ir::{Context, Module, collect, run_pipeline};
use fx_library::Library;
use fx_mlir::{DeviceKind, Error, Executor, Phase, Program, Target};
use fx_runtime::{OutputItem, Value};

use crate::Row;
use crate::case::{Case, Instance, program};
use crate::compare::{Class, Scale, difference, spread};
use crate::draw::Stream;
use crate::search::{trace, traces};

/// How often operands are changed to see how sensitive a result is.
const CHANGES: u64 = 6;

/// What a panic of the evaluator is reported as.
const PANIC: &str = "internal bug: the evaluator panics";

/// What was wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The dialect refuses the case.
    Rejected,
    /// Result types are less known than they could be.
    Inference,
    /// The evaluator fails.
    Reference,
    /// The program does not compile.
    Compile,
    /// It fails, or gives a result where it must fail.
    Run,
    /// Something panics.
    Panic,
    /// Results differ.
    Mismatch,
}

/// What came of a case.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Both agree.
    Agree,
    /// It cannot be compared, and why.
    Skipped(String),
    /// A fault.
    Wrong(Fault, String),
}

impl Verdict {
    /// The kind of fault.
    pub fn fault(&self) -> Option<Fault> {
        if let Verdict::Wrong(fault, _) = self { Some(*fault) } else { None }
    }
}

/// What programs are lowered for. They run on the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lowering {
    /// The CPU.
    Cpu,
    /// A GPU, but what only its kernels can do is done by functions of the library.
    Gpu,
}

/// From phase `linalg`, where calls stay calls.
const KERNELS: &str = "builtin.module(fx-split-reductions,fx-form-kernels,func.func(canonicalize,cse))";

impl Lowering {
    fn compile(self, text: &str) -> Result<Executor, String> {
        let shown = |error: Error| error.to_string();
        let program = Program::from_mlir(text).map_err(shown)?;
        if self == Lowering::Cpu {
            return program.compile(&Target::Cpu).and_then(|compiled| compiled.executor(DeviceKind::Cpu)).map_err(shown);
        }
        let lowered = program.emit(Phase::Linalg, &"sm_90a".parse()?).map_err(shown)?;
        let context = fx_ir::new_context(false);
        let (plan, messages) = collect(&context, || {
            let module = Module::parse(&context, &lowered)?;
            run_pipeline(&context, &module, KERNELS).ok()?;
            plan_cpu(&module, &Processor::host(), &mut |_| {}).ok()
        });
        let mut executor = Executor::new(plan.ok_or_else(|| joined(&messages))?, DeviceKind::Cpu).map_err(|error| error.to_string())?;
        Library::default().register(&mut executor);
        Ok(executor)
    }
}

/// A case whose reference results are known.
struct Expected<'a> {
    index: usize,
    case: &'a Case,
    types: Vec<String>,
    values: Vec<Value>,
    spreads: Vec<Vec<f64>>,
}

/// A message of several.
fn joined(messages: &[fx_ir::Message]) -> String {
    messages.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn values(items: Vec<OutputItem>) -> Result<Vec<Value>, String> {
    items.into_iter().map(|item| item.value.ok_or_else(|| "a result is none".to_string())).collect()
}

/// A case in the evaluator.
fn evaluate(evaluator: &Evaluator, op: &str, case: &Case) -> Result<Vec<Value>, String> {
    let found = catch_unwind(AssertUnwindSafe(|| evaluator.call(&case.inputs(op)).map_err(|message| message.to_string())));
    values(found.unwrap_or_else(|_| Err(PANIC.into()))?)
}

/// Operands whose floats are each moved by up to two units in the last place, so that few changes cancel.
fn nudged(case: &Case, seed: u64) -> Case {
    let mut stream = Stream::new(seed);
    case.changed(&mut |dtype, x| {
        let (steps, up) = (1 + stream.below(2), stream.below(2) == 0);
        let towards = if up { f64::INFINITY } else { f64::NEG_INFINITY };
        let moved = (0..steps).fold(x, |x, _| next_after(dtype, x, towards));
        if x == 0.0 || !moved.is_finite() { x } else { moved }
    })
}

/// A program in compiled code.
fn run(text: &str, inputs: &[Value], lowering: Lowering) -> Result<Vec<Value>, (Fault, String)> {
    if traces(2) {
        trace(text);
    }
    let compiled = catch_unwind(AssertUnwindSafe(|| lowering.compile(text).map_err(|error| (Fault::Compile, error))));
    let mut executor = compiled.unwrap_or_else(|_| Err((Fault::Panic, "the compiler panics".into())))?;
    let items = catch_unwind(AssertUnwindSafe(|| executor.call(inputs).map_err(|error| (Fault::Run, error.to_string()))));
    let items = items.unwrap_or_else(|_| Err((Fault::Panic, "the program panics".into())))?;
    values(items).map_err(|text| (Fault::Run, text))
}

/// The text of one case as a program; the reason if there is none.
pub fn text(op: &'static str, case: &Case) -> String {
    let context = fx_ir::new_context(false);
    match case.infer(&context, op) {
        Ok(types) => program(&[Instance { op, case, types: &types }]),
        Err(reason) => format!("(no program: {reason})\n{case:?}"),
    }
}

/// Judges cases of one op.
pub fn judge(row: &Row, cases: &[Case], lowering: Lowering) -> Vec<Verdict> {
    let context = fx_ir::new_context(false);
    let mut verdicts = vec![Verdict::Agree; cases.len()];
    let mut ready = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        match expect(&context, row, index, case, lowering) {
            Ok(Some(expected)) => ready.push(expected),
            Ok(None) => {}
            Err(verdict) => verdicts[index] = verdict,
        }
    }
    drop(context);
    compiled(row, &ready, &mut verdicts, lowering);
    verdicts
}

/// The reference results of a case; none if it had to fail, and both do.
fn expect<'a>(context: &Context, row: &Row, index: usize, case: &'a Case, lowering: Lowering) -> Result<Option<Expected<'a>>, Verdict> {
    let wrong = |fault| move |text: String| Verdict::Wrong(fault, text);
    let types = case.infer(context, row.op).map_err(wrong(Fault::Rejected))?;
    if case.is_known() && !row.data_dependent && types.iter().any(|ty| ty.contains('?')) {
        return Err(Verdict::Wrong(Fault::Inference, format!("operands of known sizes give results of type {}", types.join(", "))));
    }
    let text = program(&[Instance { op: row.op, case, types: &types }]);
    let (module, messages) = collect(context, || Module::parse(context, &text));
    let module = module.ok_or_else(|| Verdict::Wrong(Fault::Rejected, joined(&messages)))?;
    let evaluator = Evaluator::read(&module).map_err(|message| Verdict::Wrong(Fault::Reference, message.to_string()))?;
    let found = evaluate(&evaluator, row.op, case);
    let values = match found {
        Ok(_) if case.fails => return Err(Verdict::Wrong(Fault::Reference, "gives a result, expected an error".into())),
        Ok(values) => values,
        Err(message) if message.contains("is not in the reference evaluator") => {
            return Err(Verdict::Skipped("not in the reference evaluator".into()));
        }
        Err(message) if message == PANIC => return Err(Verdict::Wrong(Fault::Panic, message)),
        Err(message) if !(case.fails || case.may_fail) => return Err(Verdict::Wrong(Fault::Reference, message)),
        Err(message) => {
            // nobody asks what an op computes whose results are all none, or without elements
            let unasked = !types.is_empty() && types.iter().all(|ty| ty == "none");
            let is_empty = |value: &Value| matches!(value, Value::Tensor(tensor) if tensor.is_empty());
            return match run(&text, &case.inputs(row.op), lowering) {
                Ok(values) if unasked || values.iter().all(is_empty) => Ok(None),
                Ok(_) => Err(Verdict::Wrong(Fault::Run, format!("gives a result; the reference: {message}"))),
                Err((Fault::Panic, text)) => Err(Verdict::Wrong(Fault::Panic, text)),
                Err(_) => Ok(None),
            };
        }
    };
    let mut spreads = vec![Vec::new(); values.len()];
    if row.class.iter().any(|class| class.needs_spread()) {
        let changed: Vec<Vec<Value>> = (0..CHANGES).filter_map(|seed| evaluate(&evaluator, row.op, &nudged(case, seed)).ok()).collect();
        for (i, value) in values.iter().enumerate() {
            let others: Vec<&Value> = changed.iter().filter_map(|values| values.get(i)).collect();
            spreads[i] = spread(value, &others).map_err(wrong(Fault::Reference))?;
        }
    }
    Ok(Some(Expected { index, case, types, values, spreads }))
}

/// Runs cases together; apart, if that fails.
fn compiled(row: &Row, cases: &[Expected<'_>], verdicts: &mut [Verdict], lowering: Lowering) {
    if cases.is_empty() {
        return;
    }
    let instances: Vec<Instance<'_>> = cases.iter().map(|own| Instance { op: row.op, case: own.case, types: &own.types }).collect();
    let inputs: Vec<Value> = cases.iter().flat_map(|own| own.case.inputs(row.op)).collect();
    match run(&program(&instances), &inputs, lowering) {
        Ok(found) => {
            let mut found = found.iter();
            for own in cases {
                let ours: Vec<&Value> = found.by_ref().take(own.values.len()).collect();
                verdicts[own.index] = compare(row, own, &ours);
            }
        }
        // the evaluator may know how to go on, but need not
        Err((Fault::Run, _)) if cases.len() == 1 && cases[0].case.may_fail => {}
        Err((_, text)) if cases.len() == 1 && text.contains("at compile time") => {
            verdicts[cases[0].index] = Verdict::Skipped("needs at compile time what is known at run time".into());
        }
        Err((fault, text)) if cases.len() == 1 => verdicts[cases[0].index] = Verdict::Wrong(fault, text),
        Err(_) => {
            let (first, second) = cases.split_at(cases.len() / 2);
            compiled(row, first, verdicts, lowering);
            compiled(row, second, verdicts, lowering);
        }
    }
}

fn compare(row: &Row, own: &Expected<'_>, ours: &[&Value]) -> Verdict {
    if ours.len() != own.values.len() {
        return Verdict::Wrong(Fault::Mismatch, format!("{} results, expected {}", ours.len(), own.values.len()));
    }
    for (i, (ours, reference)) in ours.iter().zip(&own.values).enumerate() {
        let class = row.class.get(i).or(row.class.last()).copied().unwrap_or(Class::Exact);
        let scale = Scale { spread: &own.spreads[i], elements: own.case.elements(), largest: own.case.largest() };
        match difference(class, ours, reference, &scale) {
            Ok(None) => {}
            Ok(Some(text)) | Err(text) => return Verdict::Wrong(Fault::Mismatch, format!("result {i}: {text}")),
        }
    }
    Verdict::Agree
}
