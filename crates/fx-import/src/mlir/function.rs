//! The function `@main`: arguments, results and what they are.

use fx_ir::{Attribute, Builder, Location, Module, Op, Type, Value};

use super::Importer;
use super::memory::TensorId;
use super::numbers;
use super::problem::{Outcome, Problem};
use super::scope::{Bound, Scope};
use super::signature::{self, Attributes, Symbols};
use super::types;
use crate::schema::{Argument, ExportedProgram, InputSpec, OutputSpec, SymInt, SymIntArgument};

/// An argument of the function.
struct Input<'a, 'c> {
    spec: &'a InputSpec,
    name: &'a str,
    ty: Type<'c>,
    attributes: Attributes<'c>,
}

/// Results of the function, and what it returns besides.
#[derive(Default)]
struct Outputs<'c> {
    values: Vec<Value<'c>>,
    attributes: Vec<Attribute<'c>>,
    none: Vec<i64>,
    strings: Vec<Attribute<'c>>,
}

impl<'c> Importer<'c> {
    /// Builds the module.
    pub(super) fn program(&mut self, program: &ExportedProgram, location: Location<'c>) -> Module<'c> {
        let context = self.context;
        let graph = program.graph();
        let module = Module::new(context, location);
        let mut symbols = Symbols::new(&program.range_constraints);
        let mut attributes = self.conventions(program);
        let inputs = self.inputs(program, &mut symbols, location);
        if let Some(ranges) = symbols.ranges(context) {
            attributes.push(("fx.symbols", ranges));
        }
        let types: Vec<Type<'c>> = inputs.iter().map(|input| input.ty).collect();
        let builder = Builder::at_end(module.body(), context, location);
        let function = builder.function("main", &types, &[], &attributes);
        let Some(body) = function.body(0) else {
            return module;
        };
        let mut scope = Scope::new(graph, builder.inside(body));
        for input in &graph.inputs {
            for (_, name) in input.values() {
                scope.bind(name, Bound::Poison);
            }
        }
        let mut tensors = Vec::new();
        for (input, value) in inputs.iter().zip(body.arguments()) {
            let bound = match value.ty().is_tensor() {
                true => {
                    let id = match input.spec {
                        InputSpec::TensorConstant(_) => self.memory.add_frozen(value, "a tensor constant"),
                        _ => self.memory.add(value),
                    };
                    tensors.push((input, id));
                    Bound::Tensor(id)
                }
                false => Bound::Number(value),
            };
            scope.bind(input.name, bound);
        }
        self.nodes(&mut scope);
        scope.locate(location);
        let outputs = self.outputs(program, &scope, &tensors);
        let arguments: Vec<Attribute<'c>> = inputs.iter().map(|input| Attribute::dictionary(context, &input.attributes)).collect();
        finish(function, &scope, &types, &arguments, &outputs);
        module
    }

    /// The calling convention.
    fn conventions(&self, program: &ExportedProgram) -> Attributes<'c> {
        let context = self.context;
        let mut attributes = Vec::new();
        if let Some(signature) = program.graph_module.call_signature() {
            let text = |spec| Attribute::string(context, &signature::tree(spec));
            attributes.push(("fx.in_spec", text(&signature.in_spec)));
            attributes.push(("fx.out_spec", text(&signature.out_spec)));
        }
        let mut constants = Vec::new();
        let mut index = 0;
        for spec in &program.signature().input_specs {
            match spec {
                InputSpec::UserInput(_) => index += 1,
                InputSpec::ConstantInput(spec) => {
                    let (name, value) = (&spec.name, &spec.value);
                    constants.push(signature::constant_input(context, index, name, value));
                    index += 1;
                }
                _ => {}
            }
        }
        if !constants.is_empty() {
            attributes.push(("fx.constant_inputs", Attribute::array(context, &constants)));
        }
        attributes
    }

    fn inputs<'a>(&mut self, program: &'a ExportedProgram, symbols: &mut Symbols<'a>, location: Location<'c>) -> Vec<Input<'a, 'c>> {
        let graph = program.graph();
        let mut inputs = Vec::new();
        for (spec, argument) in program.signature().input_specs.iter().zip(&graph.inputs) {
            if matches!(spec, InputSpec::ConstantInput(_)) {
                continue;
            }
            let values = argument.values();
            let name = values.first().map_or("", |(_, name)| *name);
            match self.input(program, symbols, spec, argument, name) {
                Ok(input) => inputs.push(input),
                Err(problem) => self.report(problem.about(&format!("input '{name}'")), location),
            }
        }
        inputs
    }

    fn input<'a>(
        &self,
        program: &'a ExportedProgram,
        symbols: &mut Symbols<'a>,
        spec: &'a InputSpec,
        argument: &'a Argument,
        name: &'a str,
    ) -> Outcome<Input<'a, 'c>> {
        let context = self.context;
        let graph = program.graph();
        let mut attributes = signature::input(context, spec, name)?;
        let ty = match argument {
            Argument::SymInt(SymIntArgument::Name(_)) => {
                if let Some(SymInt::Expr(value)) = graph.sym_int_values.get(name) {
                    let symbol = Attribute::string(context, &symbols.name(&value.expr));
                    attributes.push(("fx.symbol", symbol));
                }
                Type::index(context)
            }
            Argument::SymFloat(_) => Type::f64(context),
            Argument::SymBool(_) => Type::int(context, 1),
            _ => {
                let meta = argument.tensor_name().and_then(|name| graph.tensor(name));
                let meta = meta.ok_or_else(|| {
                    Problem::new(format!("an input of kind '{}' is not supported", argument.key()), "pass a tensor or a number")
                })?;
                if matches!(spec, InputSpec::Parameter(_)) && !meta.requires_grad {
                    attributes.push(("fx.requires_grad", Attribute::bool(context, false)));
                }
                attributes.extend(symbols.dims(context, meta).map(|dims| ("fx.dims", dims)));
                types::tensor(context, meta)?
            }
        };
        Ok(Input { spec, name, ty, attributes })
    }

    fn outputs(&mut self, program: &ExportedProgram, scope: &Scope<'_, 'c>, tensors: &[(&Input<'_, 'c>, TensorId)]) -> Outputs<'c> {
        let context = self.context;
        let mut outputs = Outputs::default();
        for (input, id) in tensors {
            if self.memory.was_written(*id) {
                let attributes = signature::mutation(context, input.spec, input.name);
                match self.memory.read(*id, scope.builder) {
                    Ok(value) => outputs.push(context, value, &attributes),
                    Err(problem) => self.report(problem, scope.builder.location()),
                }
            }
        }
        let mut position = 0;
        let specs = program.signature().output_specs.iter();
        for (spec, argument) in specs.zip(&program.graph().outputs) {
            let is_leaf = matches!(spec, OutputSpec::UserOutput(_) | OutputSpec::LossOutput(_));
            let mut values = argument.values().into_iter();
            if !values.any(|(_, name)| scope.is_poison(name))
                && let Err(problem) = self.output(scope, spec, argument, position, &mut outputs)
            {
                let problem = problem.about(&format!("output {position}"));
                self.report(problem, scope.builder.location());
            }
            position += i64::from(is_leaf);
        }
        outputs
    }

    fn output(
        &mut self,
        scope: &Scope<'_, 'c>,
        spec: &OutputSpec,
        argument: &Argument,
        position: i64,
        outputs: &mut Outputs<'c>,
    ) -> Outcome<()> {
        let context = self.context;
        let attributes = signature::output(context, spec)?;
        match argument {
            Argument::None => outputs.none.push(position),
            Argument::String(text) => {
                let entry = [("index", Attribute::i64(context, position)), ("value", Attribute::string(context, text))];
                outputs.strings.push(Attribute::dictionary(context, &entry));
            }
            _ => {
                let value = match scope.single(&mut self.memory, argument)? {
                    Some(value) => Some(value),
                    None => numbers::constant(scope.builder, argument),
                };
                let value = value.ok_or_else(|| {
                    Problem::new(format!("an output of kind '{}' is not supported", argument.key()), "return tensors, numbers or strings")
                })?;
                outputs.push(context, value, &attributes);
            }
        }
        Ok(())
    }
}

impl<'c> Outputs<'c> {
    fn push(&mut self, context: &'c fx_ir::Context, value: Value<'c>, attributes: &[(&str, Attribute<'c>)]) {
        self.values.push(value);
        self.attributes.push(Attribute::dictionary(context, attributes));
    }
}

/// Ends the function, and states its type and what its arguments and results are.
fn finish<'c>(function: Op<'c>, scope: &Scope<'_, 'c>, inputs: &[Type<'c>], arguments: &[Attribute<'c>], outputs: &Outputs<'c>) {
    let context = scope.builder.context();
    scope.builder.op("func.return", &outputs.values, &[], &[]);
    let results: Vec<Type<'c>> = outputs.values.iter().map(|value| value.ty()).collect();
    let ty = Attribute::from_type(Type::function(context, inputs, &results));
    function.set_attribute("function_type", ty);
    if !arguments.is_empty() {
        function.set_attribute("arg_attrs", Attribute::array(context, arguments));
    }
    if !outputs.attributes.is_empty() {
        function.set_attribute("res_attrs", Attribute::array(context, &outputs.attributes));
    }
    if !outputs.none.is_empty() {
        let positions = Attribute::i64s(context, &outputs.none);
        function.set_attribute("fx.none_outputs", positions);
    }
    if !outputs.strings.is_empty() {
        let strings = Attribute::array(context, &outputs.strings);
        function.set_attribute("fx.output_values", strings);
    }
}
