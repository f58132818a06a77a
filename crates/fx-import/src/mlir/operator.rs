//! One call of an operator as one fx op, and what its results stand for.

use fx_ir::{Attribute, Op, OpDef, Parts, Type, Value, collect};

use super::arguments::{self, Built, Call};
use super::inplace::{self, Functional};
use super::memory::{TensorId, View};
use super::problem::{Outcome, Problem};
use super::registry;
use super::schema_text::{self, Schema};
use super::scope::{Bound, Scope};
use super::{Importer, call, particular};
use crate::schema::{Argument, Node, SymInt, TensorMeta};

/// Hints of the exporter to itself: nothing happens at run time.
const HINTS: &[&str] =
    &["aten.sym_constrain_range.default", "aten.sym_constrain_range_for_size.default", "aten._functional_sym_constrain_range.default"];

/// Operators whose result shares memory with an operand only where no copy is needed.
const MAYBE_COPIES: &[&str] = &["contiguous", "flatten", "ravel", "reshape", "reshape_as", "to", "type_as"];

impl<'c> Importer<'c> {
    /// Imports a call of `torch.ops.<namespace>.<name>.<overload>`.
    pub(super) fn operator<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        node: &'a Node,
        (namespace, name, overload): (&str, &str, &str),
    ) -> Outcome<()> {
        let full = format!("{namespace}.{name}.{overload}");
        if HINTS.contains(&full.as_str()) {
            return Ok(());
        }
        if self.number_of_dtype(scope, node, &full)? {
            return Ok(());
        }
        let schema = schema_text::find(&full);
        if let Some(functional) = inplace::functional(node, (namespace, name, overload), schema)? {
            return self.write(scope, node, schema, functional);
        }
        let results = scope.results(node)?;
        let Some(entry) = registry::find(&full) else {
            let values = call::unknown(scope, &mut self.memory, node, (namespace, name, overload))?;
            return self.bind_values(scope, &results, &values);
        };
        let order = memory_order(scope, node, entry.def)?;
        let call = Call { node, overload: full, entry, schema, written: Vec::new() };
        let mut built = arguments::convert(&call, scope, &mut self.memory)?;
        if let Some((name, order)) = order {
            reorder(scope, &mut built, name, &order)?;
        }
        particular::adjust(scope, &call.overload, &mut built)?;
        let types = results.iter().map(|result| result.map(|(_, ty)| ty));
        let op = build(scope, &call, &built, types.collect())?;
        self.bind_results(scope, &call, name, &built, op)?;
        self.afterwards(scope, node, &call.overload, op)
    }

    /// A call that writes to arguments: the functional operator, then the new values.
    fn write<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        node: &'a Node,
        schema: Option<&'static Schema>,
        functional: Functional,
    ) -> Outcome<()> {
        let written = functional.writes.iter().map(|(name, _)| *name).collect();
        let call = Call { node, overload: functional.overload, entry: functional.entry, schema: functional.schema, written };
        let built = arguments::convert(&call, scope, &mut self.memory)?;
        let mut targets = Vec::new();
        for (argument, result) in &functional.writes {
            let name = node.input(argument).and_then(Argument::tensor_name);
            if let Some(name) = name {
                targets.push((*argument, scope.tensor_id(name)?, *result));
            }
        }
        let mut types = Vec::new();
        for (_, id, _) in &targets {
            types.push(self.memory.read(*id, scope.builder)?.ty());
        }
        let mut known = vec![None; call.entry.def.results];
        for ((.., result), ty) in targets.iter().zip(&types) {
            if let Some(slot) = known.get_mut(*result) {
                *slot = Some(*ty);
            }
        }
        let op = build(scope, &call, &built, known)?;
        let values = op.results();
        let value_of = |result: usize| {
            let missing = || Problem::malformed("the fx op has too few results");
            values.get(result).copied().ok_or_else(missing)
        };
        for ((_, id, result), ty) in targets.iter().zip(types) {
            let value = converted(scope, value_of(*result)?, ty)?;
            self.memory.write(*id, value, scope.builder)?;
        }
        // A result that is a written argument is that tensor itself.
        let outputs = node.outputs.iter().filter_map(Argument::tensor_name);
        for (index, name) in outputs.enumerate() {
            let kind = schema.and_then(|schema| schema.results.get(index));
            let aliased = kind.and_then(|kind| kind.alias).and_then(|alias| {
                let parameters = &schema?.arguments;
                parameters.iter().find(|p| p.kind.alias == Some(alias))
            });
            let target = match aliased {
                Some(parameter) => targets.iter().find(|(name, ..)| *name == parameter.name),
                None if functional.results.is_empty() => targets.first(),
                None => None,
            };
            let bound = match (target, functional.results.get(index)) {
                (Some((_, id, _)), _) => Bound::Tensor(*id),
                (None, Some(result)) => Bound::Tensor(self.memory.add(value_of(*result)?)),
                (None, None) => return Err(Problem::malformed("a result is not known")),
            };
            scope.bind(name, bound);
        }
        Ok(())
    }

    /// Binds the names of a node's results to values.
    pub(super) fn bind_values<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        results: &[Option<(&'a str, Type<'c>)>],
        values: &[Value<'c>],
    ) -> Outcome<()> {
        check_count(results.len(), values.len())?;
        for (result, value) in results.iter().zip(values) {
            let Some((name, _)) = result else { continue };
            let bound = match value.ty().is_tensor() {
                true => Bound::Tensor(self.memory.add(*value)),
                false => Bound::Number(*value),
            };
            scope.bind(name, bound);
        }
        Ok(())
    }

    /// Binds the names of a node's results; those that share memory with an argument become views.
    fn bind_results<'a>(
        &mut self,
        scope: &mut Scope<'a, 'c>,
        call: &Call<'a>,
        operator: &str,
        built: &Built<'c>,
        op: Op<'c>,
    ) -> Outcome<()> {
        let values = op.results();
        let mut index = 0;
        for (position, output) in call.node.outputs.iter().enumerate() {
            let names = output.values();
            // `None` has a value too, which nobody reads.
            let absent = names.is_empty() && !matches!(output, Argument::Tensors(_));
            let base = self.aliased(scope, call, operator, built, position);
            for (_, name) in &names {
                let value = *values.get(index).ok_or_else(|| too_few(values.len()))?;
                let bound = match base {
                    _ if !value.ty().is_tensor() => Bound::Number(value),
                    Some((base, operand)) => {
                        let view = View { base, op, operand, result: index };
                        Bound::Tensor(self.memory.add_view(view, value)?)
                    }
                    None => Bound::Tensor(self.memory.add(value)),
                };
                scope.bind(name, bound);
                index += 1;
            }
            index += usize::from(absent);
        }
        Ok(())
    }

    /// The tensor that a result shares memory with, and which operand it is.
    fn aliased(
        &self,
        scope: &Scope<'_, 'c>,
        call: &Call<'_>,
        operator: &str,
        built: &Built<'c>,
        position: usize,
    ) -> Option<(TensorId, usize)> {
        let schema = call.schema?;
        let alias = schema.results.get(position)?.alias?;
        let parameter = schema.arguments.iter().find(|p| p.kind.alias == Some(alias))?;
        let name = call.node.input(parameter.name)?.tensor_name()?;
        let (_, operand) = built.sources.iter().find(|(source, _)| *source == parameter.name)?;
        if MAYBE_COPIES.contains(&operator) {
            let output = call.node.outputs.get(position)?.tensor_name()?;
            let (from, to) = (scope.graph.tensor(name)?, scope.graph.tensor(output)?);
            if from.dtype != to.dtype || !(is_contiguous(from) || from.strides == to.strides) {
                return None;
            }
        }
        Some((scope.tensor_id(name).ok()?, *operand))
    }
}

/// Ops that address memory, by a `storage_offset`, see that of a contiguous tensor in fx. An operand whose elements lie in
/// another order, without gaps, is brought to that order first: the argument's name, and its dims as they lie in memory.
/// One with gaps counts as its copy, which is contiguous (as PyTorch's `clone`).
fn memory_order<'a>(scope: &Scope<'_, '_>, node: &'a Node, def: &OpDef) -> Outcome<Option<(&'a str, Vec<i64>)>> {
    if !def.arguments.iter().any(|argument| argument.name == "storage_offset") {
        return Ok(None);
    }
    let found = node.inputs.iter().find_map(|input| {
        let meta = scope.graph.tensor(input.arg.tensor_name()?)?;
        (!is_contiguous(meta)).then(|| Some((input.name.as_str(), dense_order(meta)?))).flatten()
    });
    match found {
        Some((name, _)) if def.arguments.iter().any(|argument| argument.name == "src") => Err(Problem::new(
            format!("it writes to the memory of '{name}', whose elements do not lie in row-major order"),
            "call 'contiguous()' on that tensor first, or index it by dims",
        )),
        found => Ok(found),
    }
}

/// Puts the operand that comes from argument `name` into the order of its memory.
fn reorder<'c>(scope: &Scope<'_, 'c>, built: &mut Built<'c>, name: &str, order: &[i64]) -> Outcome<()> {
    let missing = || Problem::malformed(format!("argument '{name}' is no operand"));
    let (_, place) = built.sources.iter().find(|(source, _)| *source == name).ok_or_else(missing)?;
    let operand = built.operands.get_mut(*place).ok_or_else(missing)?;
    let context = scope.builder.context();
    let op = scope.builder.infer("fx.permute", &[*operand], &[("dims", Attribute::i64s(context, order))]);
    *operand = op.map_err(|_| missing())?.result(0);
    Ok(())
}

/// Dims from the one with the largest stride, if the elements fill their memory without gaps.
fn dense_order(meta: &TensorMeta) -> Option<Vec<i64>> {
    let sizes = meta.sizes.iter().map(SymInt::as_int).collect::<Option<Vec<_>>>()?;
    let strides = meta.strides.iter().map(SymInt::as_int).collect::<Option<Vec<_>>>()?;
    let mut dims: Vec<_> = sizes.iter().zip(&strides).enumerate().map(|(dim, (size, stride))| (*stride, *size, dim)).collect();
    dims.sort_by_key(|(stride, ..)| std::cmp::Reverse(*stride));
    let mut expected = 1i64;
    for (stride, size, _) in dims.iter().rev() {
        if *size != 1 && *stride != expected {
            return None;
        }
        expected = expected.checked_mul(*size)?;
    }
    Some(dims.into_iter().filter_map(|(.., dim)| i64::try_from(dim).ok()).collect())
}

/// Whether elements lie in row-major order without gaps, as far as is known.
fn is_contiguous(meta: &TensorMeta) -> bool {
    let mut expected = Some(1i64);
    for (size, stride) in meta.sizes.iter().zip(&meta.strides).rev() {
        if let (Some(expected), Some(stride)) = (expected, stride.as_int())
            && expected != stride
            && size.as_int() != Some(1)
        {
            return false;
        }
        let size = SymInt::as_int(size);
        expected = expected.zip(size).and_then(|(a, b)| a.checked_mul(b));
    }
    true
}

/// Builds the op with the types that the graph states. Where the dialect rejects them, it infers them:
/// PyTorch's own descriptions are not always right, and of an absent result there is none.
fn build<'c>(scope: &Scope<'_, 'c>, call: &Call<'_>, built: &Built<'c>, types: Vec<Option<Type<'c>>>) -> Outcome<Op<'c>> {
    let context = scope.builder.context();
    let attributes: Vec<(&str, Attribute<'c>)> = built.attributes.iter().map(|(name, value)| (name.as_ref(), *value)).collect();
    let attempt = |results: Option<&[Type<'c>]>| {
        let parts = Parts { operands: &built.operands, results, attributes: &attributes, ..Parts::default() };
        let (op, reasons) = collect(context, || {
            let op = scope.builder.build(call.entry.def.name, &parts).ok()?;
            if op.verify() {
                return Some(op);
            }
            op.erase();
            None
        });
        op.ok_or(reasons)
    };
    let empty = Type::tensor(&[0], Type::f32(context));
    let types: Vec<Type<'c>> = types.into_iter().map(|ty| ty.unwrap_or(empty)).collect();
    let reasons = match attempt(Some(&types)) {
        Ok(op) => return Ok(op),
        Err(reasons) => reasons,
    };
    // Inference may rely on operands of the right kinds, which the verifier checks first.
    let wrong_operands = reasons.iter().any(|reason| reason.text.contains("op operand #"));
    if !wrong_operands && let Ok(op) = attempt(None) {
        return Ok(op);
    }
    Err(Problem::rejected(&format!("'{}' as '{}'", call.overload, call.entry.def.name), &reasons))
}

/// A value written to a tensor of another element type converts to it.
pub(super) fn converted<'c>(scope: &Scope<'_, 'c>, value: Value<'c>, ty: Type<'c>) -> Outcome<Value<'c>> {
    let element = ty.element();
    if value.ty().element() == element {
        return Ok(value);
    }
    let dtype = Attribute::from_type(element);
    let op = scope.builder.infer("fx.to_copy", &[value], &[("dtype", dtype)]);
    let op = op.map_err(|_| Problem::rejected("conversion to the written tensor's dtype", &[]))?;
    Ok(op.result(0))
}

fn too_few(found: usize) -> Problem {
    Problem::malformed(format!("the graph has more results than the op, which has {found}"))
}

fn check_count(expected: usize, found: usize) -> Outcome<()> {
    match expected <= found {
        true => Ok(()),
        false => Err(too_few(found)),
    }
}
