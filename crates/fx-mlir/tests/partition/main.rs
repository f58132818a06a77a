//! What `fx-partition` makes computes the same bits as the joint function, in the reference evaluator.
//!
//! `FX_MODELS=folder` adds the programs `*/model_train.pt2` in it.

use std::collections::{BTreeMap, BTreeSet};

use fx_interp::Evaluator;
use fx_ir::{Attribute, Context, DYNAMIC, Module, Op, Type, collect, run_pipeline};
use fx_mlir::{DType, HostTensor, Phase, Program, Target, Value};

mod peaks;
mod programs;

const STRATEGIES: [&str; 7] = [
    "strategy=default",
    "strategy=min-cut",
    "strategy=budget budget=1.0",
    "strategy=budget budget=0.6",
    "strategy=budget budget=0.3",
    "strategy=budget budget=0",
    "strategy=budget budget=4096",
];

/// A joint function with its two halves.
struct Split<'c> {
    module: Module<'c>,
}

/// An argument of a function.
struct Argument {
    name: String,
    value: Value,
}

impl<'c> Split<'c> {
    /// Differentiates, decomposes if `whole` is not set, and partitions if a strategy is given.
    fn new(context: &'c Context, text: &str, strategy: Option<&str>, whole: bool) -> Result<Self, String> {
        let by = if text.contains("fx.kind = \"parameter\"") { "parameters" } else { "all" };
        let mut passes = vec![format!("fx-autodiff{{cotangents=arguments by={by}}},canonicalize,cse")];
        passes.extend((!whole).then(|| "func.func(fx-decompose),canonicalize,cse".to_string()));
        passes.extend(strategy.map(|strategy| format!("fx-partition{{{strategy}}}")));
        let pipeline = format!("builtin.module({})", passes.join(","));
        let (module, messages) = collect(context, || {
            let module = Module::parse(context, text)?;
            run_pipeline(context, &module, &pipeline).ok()?;
            module.op().verify().then_some(module)
        });
        module.map(|module| Split { module }).ok_or_else(|| messages.first().map(ToString::to_string).unwrap_or_default())
    }

    fn function(&self, name: &str) -> Op<'c> {
        self.module.function(name).unwrap_or_else(|| panic!("no function @{name}"))
    }

    /// What `fx.partition` says.
    fn report(&self, entry: &str) -> i64 {
        let entries = self.module.op().attribute("fx.partition").and_then(Attribute::as_dictionary).unwrap_or_default();
        entries.iter().find(|(name, _)| *name == entry).and_then(|(_, value)| value.as_int()).unwrap_or_else(|| panic!("no {entry}"))
    }

    /// The results of a function on arguments by name.
    fn evaluate(&self, name: &str, values: &BTreeMap<String, Value>) -> Result<Vec<Option<Value>>, String> {
        let context = self.module.context();
        let function = self.function(name);
        let rename = |name: &str| function.set_attribute("sym_name", Attribute::string(context, name));
        rename("main");
        let evaluator = Evaluator::read(&self.module);
        rename(name);
        let mut evaluator = evaluator.map_err(|message| message.to_string())?;
        let value = |name: &str| values.get(name).cloned().ok_or_else(|| format!("no value for '{name}'"));
        for name in evaluator.state_names().map(str::to_string).collect::<Vec<_>>() {
            if let Value::Tensor(tensor) = value(&name)? {
                evaluator.set_state(&name, &tensor)?;
            }
        }
        let inputs = evaluator.inputs().map(|(name, _)| value(name)).collect::<Result<Vec<_>, _>>()?;
        let items = evaluator.call(&inputs).map_err(|message| message.to_string())?;
        Ok(items.into_iter().map(|item| item.value).collect())
    }
}

/// The entries of a function's arguments or results.
fn entries<'c>(function: Op<'c>, list: &str) -> Vec<BTreeMap<&'c str, Attribute<'c>>> {
    let lists = function.attribute(list).and_then(Attribute::as_array).unwrap_or_default();
    lists.into_iter().map(|list| list.as_dictionary().unwrap_or_default().into_iter().collect()).collect()
}

/// Values for the arguments of a function: small numbers of both signs, positive buffers, run-time sizes by their names.
fn arguments(function: Op<'_>) -> Vec<Argument> {
    let symbols = function.attribute("fx.symbols").and_then(Attribute::as_dictionary).unwrap_or_default();
    let size = |name: &str| {
        let least = symbols.iter().find(|(symbol, _)| *symbol == name).and_then(|(_, range)| range.as_i64s()?.first().copied());
        3 + name.len() as i64 % 2 + least.unwrap_or(0)
    };
    let lists = entries(function, "arg_attrs");
    let types = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    let argument = |(index, (entries, value)): (usize, (&BTreeMap<&str, Attribute<'_>>, fx_ir::Value<'_>))| {
        let text = |name: &str| entries.get(name).and_then(|value| value.as_str()).map(str::to_string);
        let dims = entries.get("fx.dims").and_then(|dims| dims.as_array()).unwrap_or_default();
        let shape = value.ty().shape().into_iter().enumerate();
        let named = |dim: usize| dims.get(dim).and_then(|name| name.as_str()).map_or(3, size);
        let shape = shape.map(|(dim, fixed)| if fixed == DYNAMIC { named(dim) } else { fixed });
        let kind = text("fx.kind").unwrap_or_default();
        let name = text("fx.target").unwrap_or_else(|| format!("arg{index}"));
        Argument { value: drawn(value.ty(), &shape.collect::<Vec<_>>(), index as u64, kind == "buffer"), name }
    };
    lists.iter().zip(types).enumerate().map(argument).collect()
}

fn drawn(ty: Type<'_>, shape: &[i64], seed: u64, positive: bool) -> Value {
    let element = ty.element();
    let count = shape.iter().product::<i64>() as u64;
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let numbers: Vec<f64> = (0..count).map(|_| if positive { 0.5 + next() } else { 2.0 * next() - 1.0 }).collect();
    if !ty.is_tensor() {
        return if element.is_float() { Value::Float(0.5) } else { Value::Int(3) };
    }
    // Ascending, as offsets are, and small, as indices are.
    let mut integers: Vec<f64> = numbers.iter().map(|x| (2.0 * x.abs()).floor().min(1.0)).collect();
    integers.sort_by(f64::total_cmp);
    let dims: Vec<usize> = shape.iter().map(|size| *size as usize).collect();
    let (dtype, bytes): (DType, Vec<u8>) = match element.to_string().as_str() {
        "f32" => (DType::F32, numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect()),
        "f64" => (DType::F64, numbers.iter().flat_map(|x| x.to_le_bytes()).collect()),
        "f16" => (DType::F16, numbers.iter().flat_map(|x| half::f16::from_f64(*x).to_le_bytes()).collect()),
        "bf16" => (DType::BF16, numbers.iter().flat_map(|x| half::bf16::from_f64(*x).to_le_bytes()).collect()),
        "i1" => (DType::Bool, numbers.iter().map(|x| u8::from(*x > 0.0)).collect()),
        "i64" => (DType::I64, integers.iter().flat_map(|x| (*x as i64).to_le_bytes()).collect()),
        "i32" => (DType::I32, integers.iter().flat_map(|x| (*x as i32).to_le_bytes()).collect()),
        other => panic!("no values of type {other}"),
    };
    Value::Tensor(HostTensor::from_bytes(dtype, &dims, &bytes).unwrap())
}

/// Bits, so that NaN equals itself.
fn bits(value: &Option<Value>) -> String {
    match value {
        Some(Value::Tensor(tensor)) => format!("{} {:?} {:?}", tensor.dtype(), tensor.dims(), tensor.bytes()),
        other => format!("{other:?}"),
    }
}

/// Both halves against the joint function.
fn check(text: &str, strategy: &str, whole: bool) -> Result<(), String> {
    let context = fx_ir::new_context(false);
    let joint = Split::new(&context, text, None, whole)?;
    let split = Split::new(&context, text, Some(strategy), whole)?;
    let given = arguments(joint.function("main"));
    let mut values: BTreeMap<String, Value> = given.iter().map(|argument| (argument.name.clone(), argument.value.clone())).collect();
    let expected = joint.evaluate("main", &values)?;
    let forward = split.evaluate("forward", &values)?;

    let results = entries(split.function("forward"), "res_attrs");
    let number = |entries: &BTreeMap<&str, Attribute<'_>>| entries.get("fx.saved").and_then(|number| number.as_int());
    let saved: Vec<_> = results.iter().zip(&forward).filter_map(|(entries, value)| Some((number(entries)?, value.clone()?))).collect();
    let taken = entries(split.function("backward"), "arg_attrs");
    let wanted: BTreeSet<_> = taken.iter().filter_map(number).collect();
    if saved.iter().map(|(number, _)| *number).collect::<BTreeSet<_>>() != wanted {
        return Err("what one function saves is not what the other takes".to_string());
    }
    let unused = split.function("backward").body(0).and_then(|body| {
        body.arguments()
            .into_iter()
            .zip(&taken)
            .find(|(value, entries)| !entries.contains_key("fx.cotangent") && value.uses().is_empty())
            .map(|(value, _)| format!("{value:?}"))
    });
    if let Some(unused) = unused {
        return Err(format!("{unused} is taken by the backward function and not used"));
    }
    let bytes: usize = saved.iter().map(|(_, value)| if let Value::Tensor(tensor) = value { tensor.bytes().len() } else { 8 }).sum();
    let is_dynamic = text.contains("fx.symbols");
    if !is_dynamic && bytes as i64 != split.report("saved_bytes") {
        return Err(format!("{bytes} bytes are saved, {} are reported", split.report("saved_bytes")));
    }
    let is_asked_for = text.contains("_recompute\"");
    if !strategy.contains("budget") && !is_asked_for && split.report("recomputed_products") != 0 {
        return Err("a product is computed twice".to_string());
    }
    values.extend(saved.into_iter().map(|(number, value)| (format!("saved.{number}"), value)));
    // What is changed in between has its new value then.
    for (entries, value) in results.iter().zip(&forward) {
        if let (Some(name), Some(value)) = (entries.get("fx.mutates").and_then(|name| name.as_str()), value) {
            values.insert(name.to_string(), value.clone());
        }
    }
    let backward = split.evaluate("backward", &values)?;
    let both: Vec<_> = forward
        .into_iter()
        .zip(&results)
        .filter(|(_, entries)| number(entries).is_none())
        .map(|(value, _)| value)
        .chain(backward)
        .collect();
    let places = expected.iter().zip(&both).enumerate().filter(|(_, (a, b))| bits(a) != bits(b)).map(|(place, _)| place);
    let places: Vec<_> = places.collect();
    if expected.len() != both.len() || !places.is_empty() {
        return Err(format!("results {places:?} differ, of {} and {}", expected.len(), both.len()));
    }
    Ok(())
}

fn check_all(name: &str, text: &str) {
    for strategy in STRATEGIES {
        for whole in [true, false] {
            if let Err(why) = check(text, strategy, whole) {
                panic!("{name}, {strategy}, {}: {why}", if whole { "whole ops" } else { "primitive ops" });
            }
        }
    }
}

/// Makes passes known, once: opening a program does.
fn register() {
    Program::from_mlir("func.func @main() { return }").unwrap();
}

#[test]
fn small_programs_compute_the_same_bits() {
    register();
    programs::ALL.iter().for_each(|(name, text)| check_all(name, text));
}

#[test]
fn models_compute_the_same_bits() {
    register();
    let Ok(folder) = std::env::var("FX_MODELS") else { return };
    let only = std::env::var("FX_MODEL").unwrap_or_default();
    let mut failures = Vec::new();
    let mut folders: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for model in folders.into_iter().filter(|model| model.join("model_train.pt2").exists() && model.to_string_lossy().contains(&only)) {
        let program = Program::open(&model.join("model_train.pt2")).unwrap();
        let text = program.emit(Phase::Fx, &Target::Cpu).unwrap();
        let strategies = ["strategy=min-cut", "strategy=default", "strategy=budget budget=0.2"];
        for (strategy, whole) in strategies.into_iter().flat_map(|strategy| [(strategy, true), (strategy, false)]) {
            if let Err(why) = check(&text, strategy, whole) {
                failures.push(format!("{}, {strategy}, whole {whole}: {why}", model.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_smaller_budget_has_no_higher_peak_and_computes_no_less() {
    register();
    for (name, text) in programs::ALL {
        let at = |budget: f64| {
            let context = fx_ir::new_context(false);
            let split = Split::new(&context, text, Some(&format!("strategy=budget budget={budget}")), false).unwrap();
            (split.report("predicted_peak_bytes"), split.report("recomputed_flops"))
        };
        let points = [1.0, 0.8, 0.6, 0.4, 0.2, 0.0].map(at);
        assert!(points.is_sorted_by(|a, b| a.0 >= b.0 && a.1 <= b.1), "{name}: {points:?}");
    }
}

#[test]
fn both_functions_compile() {
    register();
    for (name, text) in programs::ALL {
        let context = fx_ir::new_context(false);
        let split = Split::new(&context, text, Some("strategy=min-cut"), true).unwrap();
        for half in ["forward", "backward"] {
            let function = split.function(half);
            function.set_attribute("sym_name", Attribute::string(&context, "main"));
            let compiled = Program::from_mlir(&function.to_string()).and_then(|program| program.compile(&Target::Cpu));
            if let Err(why) = compiled {
                panic!("{name}, @{half}: {why}");
            }
        }
    }
}
