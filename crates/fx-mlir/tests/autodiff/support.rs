//! Joint functions of small programs, run in every way there is.

use std::collections::BTreeMap;

use fx_interp::Evaluator;
use fx_ir::{Attribute, Context, Module, collect, run_pipeline};
use fx_mlir::{DeviceKind, Executor, HostTensor, OutputItem, Program, Target, Value};
use fx_runtime::plan::OutputKind;

/// Partitions that must compute what the joint function computes.
const STRATEGIES: [&str; 3] = ["strategy=min-cut", "strategy=default", "strategy=budget budget=0"];

/// Values by the names of arguments.
pub type Values = BTreeMap<String, Value>;

/// Makes passes known, once: opening a program does.
fn register() {
    Program::from_mlir("func.func @main() { return }").unwrap();
}

/// A tensor of doubles.
pub fn t(dims: &[usize], values: &[f64]) -> Value {
    HostTensor::from_slice(dims, values).unwrap().into()
}

/// A tensor of indices.
pub fn i(dims: &[usize], values: &[i64]) -> Value {
    HostTensor::from_slice(dims, values).unwrap().into()
}

/// Named values.
pub fn given(values: &[(&str, Value)]) -> Values {
    values.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect()
}

/// A module of phase `fx` with `@main`.
#[derive(Clone)]
pub struct Function(pub String);

impl Function {
    /// What a pipeline makes of text.
    pub fn new(text: &str, passes: &str) -> Result<Self, String> {
        with_module(text, passes, |module| Function(module.op().to_string()))
    }

    fn evaluator(&self) -> Result<Evaluator, String> {
        with_module(&self.0, "canonicalize", Evaluator::read)?.map_err(|message| message.to_string())
    }

    /// Names of parameters, buffers and constants.
    pub fn state(&self) -> Vec<String> {
        self.evaluator().unwrap().state_names().map(str::to_string).collect()
    }

    /// Its results in the reference evaluator.
    pub fn evaluate(&self, values: &Values) -> Result<Vec<OutputItem>, String> {
        let mut evaluator = self.evaluator()?;
        for name in evaluator.state_names().map(str::to_string).collect::<Vec<_>>() {
            evaluator.set_state(&name, tensor(&find(values, &name)?))?;
        }
        let inputs = evaluator.inputs().map(|(name, _)| find(values, name)).collect::<Result<Vec<_>, _>>()?;
        evaluator.call(&inputs).map_err(|message| message.to_string())
    }

    /// The same in compiled code.
    pub fn execute(&self, values: &Values) -> Result<Vec<OutputItem>, String> {
        Machine::new(self)?.call(values)
    }
}

/// Compiled code, which may be called several times.
pub struct Machine {
    executor: Executor,
    state: Vec<String>,
    inputs: Vec<String>,
}

impl Machine {
    /// Compiles a function for this processor.
    pub fn new(function: &Function) -> Result<Self, String> {
        let evaluator = function.evaluator()?;
        let compiled = Program::from_mlir(&function.0).and_then(|program| program.compile(&Target::Cpu));
        let executor = compiled.and_then(|compiled| compiled.executor(DeviceKind::Cpu)).map_err(|error| error.to_string())?;
        let state = evaluator.state_names().map(str::to_string).collect();
        let inputs = evaluator.inputs().map(|(name, _)| name.to_string()).collect();
        Ok(Machine { executor, state, inputs })
    }

    /// Its results; state is set before.
    pub fn call(&mut self, values: &Values) -> Result<Vec<OutputItem>, String> {
        for name in &self.state {
            self.executor.set_state(name, tensor(&find(values, name)?).clone()).map_err(|error| error.to_string())?;
        }
        let inputs = self.inputs.iter().map(|name| find(values, name)).collect::<Result<Vec<_>, _>>()?;
        self.executor.call(&inputs).map_err(|error| error.to_string())
    }
}

fn find(values: &Values, name: &str) -> Result<Value, String> {
    values.get(name).cloned().ok_or_else(|| format!("no value for '{name}'"))
}

fn tensor(value: &Value) -> &HostTensor {
    match value {
        Value::Tensor(tensor) => tensor,
        other => panic!("expected a tensor, got {other:?}"),
    }
}

/// A module of text, changed by passes.
pub fn with_module<T>(text: &str, passes: &str, body: impl FnOnce(&Module<'_>) -> T) -> Result<T, String> {
    register();
    let context = fx_ir::new_context(false);
    with_module_in(&context, text, passes, body)
}

fn with_module_in<T>(context: &Context, text: &str, passes: &str, body: impl FnOnce(&Module<'_>) -> T) -> Result<T, String> {
    let (module, messages) = collect(context, || {
        let module = Module::parse(context, text)?;
        run_pipeline(context, &module, &format!("builtin.module({passes})")).ok()?;
        module.op().verify().then_some(module)
    });
    module.map(|module| body(&module)).ok_or_else(|| messages.first().map(ToString::to_string).unwrap_or_default())
}

/// A joint function as two.
pub struct Halves {
    /// Computes outputs, and what it saves after them.
    pub forward: Function,
    /// Computes gradients.
    pub backward: Function,
    /// Number of results of the forward function that are not saved ones.
    pub outputs: usize,
}

impl Halves {
    /// Differentiates with these options, and partitions.
    pub fn new(text: &str, options: &str, strategy: &str) -> Result<Self, String> {
        let passes = format!("fx-autodiff{{{options}}},canonicalize,cse,fx-partition{{{strategy}}}");
        let context = fx_ir::new_context(false);
        register();
        with_module_in(&context, text, &passes, |module| {
            let half = |name: &str| {
                let function = module.function(name).expect("both functions are there");
                function.set_attribute("sym_name", Attribute::string(&context, "main"));
                let text = Function(function.to_string());
                function.set_attribute("sym_name", Attribute::string(&context, name));
                text
            };
            let lists = module.function("forward").and_then(|function| function.attribute("res_attrs")).and_then(Attribute::as_array);
            let is_saved = |list: &Attribute<'_>| list.as_dictionary().unwrap_or_default().iter().any(|(name, _)| *name == "fx.saved");
            let outputs = lists.unwrap_or_default().iter().filter(|list| !is_saved(list)).count();
            Halves { forward: half("forward"), backward: half("backward"), outputs }
        })
    }

    /// What the backward function takes: given values, what the forward function saved, new values of what it changed.
    pub fn between(&self, values: &Values, forward: &[OutputItem]) -> Values {
        let mut values = values.clone();
        for item in &forward[..self.outputs] {
            if let (OutputKind::BufferMutation(name) | OutputKind::InputMutation(name), Some(value)) = (&item.kind, &item.value) {
                values.insert(name.clone(), value.clone());
            }
        }
        for (number, item) in forward[self.outputs..].iter().enumerate() {
            values.insert(format!("saved.{number}"), item.value.clone().expect("a saved value"));
        }
        values
    }

    /// Both, one after the other, by `run`.
    fn both(&self, values: &Values, run: fn(&Function, &Values) -> Result<Vec<OutputItem>, String>) -> Result<Vec<OutputItem>, String> {
        let mut results = run(&self.forward, values)?;
        let backward = run(&self.backward, &self.between(values, &results))?;
        results.truncate(self.outputs);
        results.extend(backward);
        Ok(results)
    }
}

/// The results of a joint function.
pub struct Results(Vec<OutputItem>);

impl Results {
    /// An output by its number.
    pub fn output(&self, number: usize) -> Vec<f64> {
        let outputs = self.0.iter().filter(|item| item.kind == OutputKind::Output);
        numbers(outputs.clone().nth(number).unwrap_or_else(|| panic!("no output {number} of {}", outputs.count())))
    }

    /// The gradient of an argument.
    pub fn gradient(&self, name: &str) -> Vec<f64> {
        self.gradient_item(name).map(numbers).unwrap_or_else(|| panic!("no gradient of '{name}'"))
    }

    /// Whether an argument has a gradient.
    pub fn has_gradient(&self, name: &str) -> bool {
        self.gradient_item(name).is_some()
    }

    /// The gradient of an argument, as a tensor.
    pub fn gradient_tensor(&self, name: &str) -> &HostTensor {
        self.gradient_item(name).and_then(|item| item.tensor().ok()).unwrap_or_else(|| panic!("no gradient of '{name}'"))
    }

    fn gradient_item(&self, name: &str) -> Option<&OutputItem> {
        self.0
            .iter()
            .find(|item| matches!(&item.kind, OutputKind::ParameterGradient(target) | OutputKind::InputGradient(target) if target == name))
    }

    /// The new value of an argument.
    pub fn changed(&self, name: &str) -> Vec<f64> {
        let is_it = |item: &&OutputItem| matches!(&item.kind, OutputKind::BufferMutation(target) | OutputKind::InputMutation(target) if target == name);
        let mut found = self.0.iter().filter(is_it);
        let first = found.next().map(numbers).unwrap_or_else(|| panic!("'{name}' is not changed"));
        assert!(found.next().is_none(), "'{name}' is changed twice");
        first
    }
}

/// The numbers of a result; of complex ones both parts.
pub fn numbers(item: &OutputItem) -> Vec<f64> {
    match &item.value {
        Some(Value::Tensor(tensor)) if tensor.dtype() == fx_mlir::DType::C128 => {
            tensor.bytes().chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes"))).collect()
        }
        Some(Value::Tensor(tensor)) => tensor.to_f64_vec().unwrap(),
        Some(Value::Int(number)) => vec![*number as f64],
        Some(Value::Float(number)) => vec![*number],
        other => panic!("expected numbers, got {other:?}"),
    }
}

/// Differentiates a program and runs it: in the reference evaluator and as compiled code, as one function and, where it has
/// cotangents, as two. All of this must agree.
pub fn joint(text: &str, options: &str, values: &[(&str, Value)]) -> Results {
    let values = given(values);
    let function = Function::new(text, &format!("fx-autodiff{{{options}}},canonicalize,cse")).unwrap();
    let expected = function.evaluate(&values).unwrap();
    agree("compiled", &function.execute(&values).unwrap(), &expected, false);
    if options.contains("cotangents=arguments") {
        for strategy in STRATEGIES {
            let halves = Halves::new(text, options, strategy).unwrap();
            agree(strategy, &halves.both(&values, Function::evaluate).unwrap(), &expected, true);
            agree(&format!("{strategy}, compiled"), &halves.both(&values, Function::execute).unwrap(), &expected, false);
        }
    }
    Results(expected)
}

/// The same results, bit by bit or nearly.
fn agree(what: &str, found: &[OutputItem], expected: &[OutputItem], exact: bool) {
    assert_eq!(found.len(), expected.len(), "{what}: number of results");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.kind, expected.kind, "{what}: result {place}");
        if let (Some(Value::Tensor(a)), Some(Value::Tensor(b))) = (&found.value, &expected.value) {
            assert_eq!((a.dtype(), a.dims()), (b.dtype(), b.dims()), "{what}: result {place}");
            if exact {
                assert_eq!(a.bytes(), b.bytes(), "{what}: result {place}");
            }
        }
        let tolerance = match &expected.value {
            Some(Value::Tensor(tensor)) if tensor.dtype().size() < 4 => 1e-2,
            Some(Value::Tensor(tensor)) if tensor.dtype().size() < 8 => 1e-5,
            _ => 1e-12,
        };
        close_within(&numbers(found), &numbers(expected), tolerance, &format!("{what}: result {place}"));
    }
}

/// Numbers equal up to rounding in 64 bits.
pub fn close(found: &[f64], expected: &[f64]) {
    close_within(found, expected, 1e-12, "");
}

fn close_within(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    let largest = expected.iter().filter(|x| x.is_finite()).fold(1e-3f64, |most, x| most.max(x.abs()));
    let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * largest;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(same), "{what}: {found:?}, expected {expected:?}");
}

/// A program: arguments as kind, name and type; results as the argument that gets them, if any, value and type; ops.
pub fn program(arguments: &[(&str, &str, &str)], results: &[(&str, &str, &str)], body: &str) -> String {
    let argument = |(kind, name, ty): &(&str, &str, &str)| format!(r#"%{name}: {ty} {{fx.kind = "{kind}", fx.target = "{name}"}}"#);
    let kind_of = |name: &str| arguments.iter().find(|(_, own, _)| *own == name).map_or("input", |(kind, ..)| kind);
    let result = |(name, _, ty): &(&str, &str, &str)| match *name {
        "" => format!(r#"{ty} {{fx.kind = "output"}}"#),
        name => format!(r#"{ty} {{fx.kind = "{}_mutation", fx.mutates = "{name}"}}"#, kind_of(name)),
    };
    let list = |texts: Vec<String>| texts.join(", ");
    format!(
        "func.func @main({}) -> ({}) {{\n{body}\n  return {} : {}\n}}",
        list(arguments.iter().map(argument).collect()),
        list(results.iter().map(result).collect()),
        list(results.iter().map(|(_, value, _)| (*value).to_string()).collect()),
        list(results.iter().map(|(.., ty)| (*ty).to_string()).collect()),
    )
}

/// Options: cotangents are arguments.
pub const GIVEN: &str = "cotangents=arguments";
