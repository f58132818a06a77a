//! Higher-order operators: operators on subgraphs.
//!
//! A subgraph sees no value of the graph around it: what it uses are its inputs. A region of fx captures
//! them instead, except what `fx.while_loop` carries.

use fx_ir::{Attribute, Builder, Type, Value, collect};

use super::Importer;
use super::numbers;
use super::problem::{Outcome, Problem};
use super::scope::{Bound, Scope};
use crate::schema::{Argument, Graph, Node, SymBoolArgument};

/// Why a region must not write to what it captures.
const CAPTURED: &str = "a value of the graph around a subgraph";

impl<'c> Importer<'c> {
    /// Imports a call of `torch.ops.higher_order.<name>`.
    pub(super) fn higher_order<'a>(&mut self, scope: &mut Scope<'a, 'c>, node: &'a Node, name: &str) -> Outcome<()> {
        let arguments: Vec<&'a Argument> = node.inputs.iter().map(|input| &input.arg).collect();
        match (name, arguments.as_slice()) {
            ("cond", [predicate, Argument::Graph(then), Argument::Graph(otherwise), operands @ ..]) => {
                self.cond(scope, node, predicate, [&then.graph, &otherwise.graph], operands)
            }
            ("while_loop", [Argument::Graph(condition), Argument::Graph(body), lists @ ..]) => {
                self.while_loop(scope, node, [&condition.graph, &body.graph], lists)
            }
            ("scan", [Argument::Graph(body), init, lists @ ..]) => self.scan(scope, node, "fx.scan", &body.graph, Some(init), lists),
            ("map_impl", [Argument::Graph(body), lists @ ..]) => self.scan(scope, node, "fx.map", &body.graph, None, lists),
            ("wrap_with_set_grad_enabled", [enabled, Argument::Graph(graph), operands @ ..]) => {
                let constant = numbers::bool(enabled) == Some(false);
                self.inline(scope, node, &graph.graph, operands, constant)
            }
            ("wrap_with_autocast", [_, _, enabled, _, Argument::Graph(graph), operands @ ..]) if numbers::bool(enabled) == Some(false) => {
                self.inline(scope, node, &graph.graph, operands, false)
            }
            _ => Err(Problem::new(
                format!("higher-order operator '{name}' is not supported in this form"),
                "run 'run_decompositions()' on the program before saving it, or rewrite the model",
            )),
        }
    }

    /// The bindings of all values that arguments name or hold, in order.
    fn operands(&mut self, scope: &Scope<'_, 'c>, list: &[&Argument]) -> Outcome<Vec<Bound<'c>>> {
        let mut bounds = Vec::new();
        for argument in list {
            let values = argument.values();
            for (_, name) in &values {
                bounds.push(scope.bound(name)?);
            }
            if values.is_empty()
                && let Some(value) = self.number(scope, argument)?
            {
                bounds.push(Bound::Number(value));
            }
        }
        Ok(bounds)
    }

    /// A constant number as a symbolic one.
    fn number(&mut self, scope: &Scope<'_, 'c>, argument: &Argument) -> Outcome<Option<Value<'c>>> {
        match numbers::int(argument) {
            Some(value) if !matches!(argument, Argument::Bool(_)) => Ok(Some(scope.builder.index(value))),
            _ => scope.single(&mut self.memory, argument),
        }
    }

    /// A value for use inside a region: its tensor must not be written to there.
    fn captured(&mut self, scope: &Scope<'_, 'c>, bound: Bound<'c>) -> Outcome<Bound<'c>> {
        Ok(match bound {
            Bound::Tensor(id) => {
                let value = self.memory.read(id, scope.builder)?;
                Bound::Tensor(self.memory.add_frozen(value, CAPTURED))
            }
            other => other,
        })
    }

    fn cond<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        node: &'a Node,
        predicate: &Argument,
        branches: [&'a Graph; 2],
        operands: &[&Argument],
    ) -> Outcome<()> {
        let predicate = match predicate {
            Argument::SymBool(SymBoolArgument::Bool(_)) | Argument::Bool(_) => numbers::constant(scope.builder, predicate),
            _ => scope.single(&mut self.memory, predicate)?,
        };
        let predicate = predicate.ok_or_else(|| Problem::malformed("the predicate of 'cond' is no value"))?;
        let operands = self.operands(scope, operands)?;
        let mut captured = Vec::new();
        for operand in operands {
            captured.push(self.captured(scope, operand)?);
        }
        let results = scope.results(node)?;
        let types: Vec<Type<'c>> = results.iter().flatten().map(|(_, ty)| *ty).collect();
        let regions: [Option<&[Type<'c>]>; 2] = [Some(&[]), Some(&[])];
        let op = scope.builder.op_with_regions("fx.cond", &[predicate], &types, &[], &regions);
        let mut complete = true;
        for (index, graph) in branches.into_iter().enumerate() {
            let block = op.body(index).ok_or_else(|| Problem::malformed("no region"))?;
            complete &= self.region(scope, graph, scope.builder.inside(block), &captured)?;
        }
        self.finish_regions(scope, node, &results, op, complete)
    }

    fn while_loop<'a>(&mut self, scope: &mut Scope<'a, 'c>, node: &'a Node, graphs: [&'a Graph; 2], lists: &[&Argument]) -> Outcome<()> {
        let (carried, additional) = match lists {
            [carried, additional @ ..] => (*carried, additional),
            [] => return Err(Problem::malformed("'while_loop' carries nothing")),
        };
        let init = self.values(scope, &[carried])?;
        let mut captured = Vec::new();
        for bound in self.operands(scope, additional)? {
            captured.push(self.captured(scope, bound)?);
        }
        let results = scope.results(node)?;
        let types: Vec<Type<'c>> = results.iter().flatten().map(|(_, ty)| *ty).collect();
        let carried = carried_types(&init, &types);
        let arguments = Some(carried.as_slice());
        let regions = [arguments, arguments];
        let op = scope.builder.op_with_regions("fx.while_loop", &init, &types, &[], &regions);
        let mut complete = true;
        for (index, graph) in graphs.into_iter().enumerate() {
            let block = op.body(index).ok_or_else(|| Problem::malformed("no region"))?;
            let mut bounds = self.region_arguments(&block.arguments());
            bounds.extend_from_slice(&captured);
            complete &= self.region(scope, graph, scope.builder.inside(block), &bounds)?;
        }
        self.finish_regions(scope, node, &results, op, complete)
    }

    /// `scan` (body, carried values, scanned tensors, additional ones) and `map_impl`, which carries nothing.
    fn scan<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        node: &'a Node,
        name: &str,
        graph: &'a Graph,
        init: Option<&&Argument>,
        lists: &[&Argument],
    ) -> Outcome<()> {
        let [scanned, additional @ ..] = lists else { return Err(Problem::malformed("nothing to scan")) };
        let init = init.map_or(Ok(Vec::new()), |init| self.values(scope, &[*init]))?;
        let scanned = self.values(scope, &[*scanned])?;
        let mut captured = Vec::new();
        for bound in self.operands(scope, additional)? {
            captured.push(self.captured(scope, bound)?);
        }
        let results = scope.results(node)?;
        let types: Vec<Type<'c>> = results.iter().flatten().map(|(_, ty)| *ty).collect();
        let mut arguments = carried_types(&init, types.get(..init.len()).unwrap_or_default());
        for value in &scanned {
            let ty = value.ty();
            let shape = if ty.is_tensor() { ty.shape() } else { Vec::new() };
            let [_, row @ ..] = shape.as_slice() else {
                return Err(Problem::malformed(format!("a value of type {ty} is scanned")));
            };
            arguments.push(Type::tensor(row, ty.element()));
        }
        let segments = Attribute::i32s(scope.builder.context(), &[init.len() as i32, scanned.len() as i32]);
        let attributes = if name == "fx.scan" { vec![("operandSegmentSizes", segments)] } else { Vec::new() };
        let operands = [init, scanned].concat();
        let op = scope.builder.op_with_regions(name, &operands, &types, &attributes, &[Some(&arguments)]);
        let block = op.body(0).ok_or_else(|| Problem::malformed("no region"))?;
        let mut bounds = self.region_arguments(&block.arguments());
        bounds.extend_from_slice(&captured);
        let complete = self.region(scope, graph, scope.builder.inside(block), &bounds)?;
        self.finish_regions(scope, node, &results, op, complete)
    }

    /// The values that arguments name or hold, in order.
    fn values(&mut self, scope: &Scope<'_, 'c>, list: &[&Argument]) -> Outcome<Vec<Value<'c>>> {
        let mut values = Vec::new();
        for bound in self.operands(scope, list)? {
            values.push(match bound {
                Bound::Tensor(id) => self.memory.read(id, scope.builder)?,
                Bound::Number(value) => value,
                Bound::Poison => return Err(Problem::malformed("an operand is not known")),
            });
        }
        Ok(values)
    }

    /// What arguments of a region stand for.
    fn region_arguments(&mut self, values: &[Value<'c>]) -> Vec<Bound<'c>> {
        let bound = |value: &Value<'c>| match value.ty().is_tensor() {
            true => Bound::Tensor(self.memory.add_frozen(*value, CAPTURED)),
            false => Bound::Number(*value),
        };
        values.iter().map(bound).collect()
    }

    /// Imports a subgraph into a block, up to its `fx.yield`; false if some of it could not be.
    fn region<'a>(&mut self, outer: &Scope<'a, 'c>, graph: &'a Graph, builder: Builder<'c>, inputs: &[Bound<'c>]) -> Outcome<bool> {
        let mut scope = self.enter(graph, builder, inputs)?;
        self.nodes(&mut scope);
        scope.locate(outer.builder.location());
        let outputs = graph.outputs.iter().flat_map(Argument::values);
        if outputs.into_iter().any(|(_, name)| scope.is_poison(name)) {
            return Ok(false);
        }
        let mut values = Vec::new();
        for output in &graph.outputs {
            for (_, name) in output.values() {
                values.push(scope.value(&mut self.memory, name)?);
            }
            if output.values().is_empty() {
                values.extend(self.number(&scope, output)?);
            }
        }
        scope.builder.op("fx.yield", &values, &[], &[]);
        Ok(true)
    }

    /// A scope for a subgraph with its inputs bound.
    fn enter<'a>(&mut self, graph: &'a Graph, builder: Builder<'c>, inputs: &[Bound<'c>]) -> Outcome<Scope<'a, 'c>> {
        let mut scope = Scope::new(graph, builder);
        let names: Vec<&'a str> = graph.inputs.iter().flat_map(|input| input.values().into_iter().map(|(_, name)| name)).collect();
        if names.len() != inputs.len() {
            return Err(Problem::malformed(format!("a subgraph takes {} values, and {} are given", names.len(), inputs.len())));
        }
        for (name, bound) in names.into_iter().zip(inputs) {
            scope.bind(name, *bound);
        }
        Ok(scope)
    }

    fn finish_regions<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        node: &'a Node,
        results: &[Option<(&'a str, Type<'c>)>],
        op: fx_ir::Op<'c>,
        complete: bool,
    ) -> Outcome<()> {
        if !complete {
            scope.poison(node);
            return Ok(());
        }
        let (valid, reasons) = collect(scope.builder.context(), || op.verify());
        if !valid {
            return Err(Problem::rejected(&format!("'{}'", op.name()), &reasons));
        }
        let named: Vec<_> = results.iter().copied().filter(Option::is_some).collect();
        self.bind_values(scope, &named, &op.results())
    }

    /// Imports a subgraph in place of the call. `constant` is set where autograd is off inside: then its
    /// results are constants to differentiation.
    fn inline<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        node: &'a Node,
        graph: &'a Graph,
        operands: &[&Argument],
        constant: bool,
    ) -> Outcome<()> {
        let operands = self.operands(scope, operands)?;
        let mut inner = self.enter(graph, scope.builder, &operands)?;
        self.nodes(&mut inner);
        let values = |list: &'a [Argument]| list.iter().flat_map(Argument::values);
        for ((_, outer), (_, name)) in values(&node.outputs).zip(values(&graph.outputs)) {
            let bound = match inner.bound(name)? {
                Bound::Tensor(id) if constant => {
                    let value = self.memory.read(id, scope.builder)?;
                    let stop = scope.builder.value("fx.stop_gradient", &[value], value.ty(), &[]);
                    Bound::Tensor(self.memory.add(stop))
                }
                other => other,
            };
            scope.bind(outer, bound);
        }
        Ok(())
    }
}

/// Types of carried values: a size that changes from run to run is not the size of the first.
fn carried_types<'c>(init: &[Value<'c>], results: &[Type<'c>]) -> Vec<Type<'c>> {
    match results.len() == init.len() {
        true => init.iter().zip(results).map(|(value, ty)| merged(value.ty(), *ty)).collect(),
        false => init.iter().map(|value| value.ty()).collect(),
    }
}

/// A type that both types refine.
fn merged<'c>(a: Type<'c>, b: Type<'c>) -> Type<'c> {
    if a == b || !a.is_tensor() || !b.is_tensor() || a.rank() != b.rank() {
        return a;
    }
    let sizes = a.shape().into_iter().zip(b.shape());
    let shape: Vec<i64> = sizes.map(|(a, b)| if a == b { a } else { fx_ir::DYNAMIC }).collect();
    Type::tensor(&shape, a.element())
}
