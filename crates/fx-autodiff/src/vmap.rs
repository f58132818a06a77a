//! Vectorisation of a function: some arguments get a further first dim, and so do all results.

use std::collections::HashMap;

use fx_ir::{Builder, DYNAMIC, Op, Result, Type, Value};
use fx_ops::batching::{Batch, aligned, repeated};
use fx_ops::decompose::decompose;
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::{Dim, FxOp};
use fx_ops::recompute::building;
use fx_ops::table::{Lowering, Vmap, find};

use crate::interface::Interface;
use crate::regions::{Body, slice_type, stacked_type};

/// The name of a size that only a call knows.
const SYMBOL: &str = "vmap";

/// The op that runs a region for each index of the first dim.
const MAP: &str = "fx.map";

/// Gives the arguments in `batched`, or all tensors, a further first dim of `size`, [`DYNAMIC`] for one that a call knows.
///
/// # Errors
/// If an op cannot be vectorised, or `batched` names no tensor: reported.
pub fn vectorise(function: Op<'_>, batched: Option<&[usize]>, size: i64) -> Result {
    let mut interface = Interface::read(function)?;
    let arguments = interface.body.arguments();
    let tensors = |index: &usize| arguments.get(*index).is_some_and(|value| value.ty().is_tensor());
    let batched = batched.map_or_else(|| (0..arguments.len()).filter(tensors).collect(), <[usize]>::to_vec);
    if let Some(index) = batched.iter().find(|index| !tensors(index)) {
        return Err(interface.error(&format!("argument {index} is no tensor that could have a further dim")));
    }
    let mut walk = Walk { types: HashMap::new(), values: HashMap::new(), size: Dim::Static(size), done: Vec::new() };
    for index in &batched {
        let value = arguments[*index];
        walk.types.insert(value, value.ty());
        value.set_type(stacked_type(value.ty(), size));
        walk.values.insert(value, value);
        if size == DYNAMIC {
            interface.add_dim(*index, SYMBOL);
        }
    }
    let ops = interface.body.ops();
    if let (DYNAMIC, Some(index), Some(first)) = (size, batched.first(), ops.first()) {
        let b = Builder::before(*first);
        walk.size = Dim::Dynamic(b.value("tensor.dim", &[arguments[*index], b.index(0)], Type::index(b.context()), &[]));
    }
    walk.ops(ops.into_iter().filter(|op| *op != interface.end).collect())?;
    let f = Fx { b: Builder::before(interface.end) };
    let results = interface.end.operands().into_iter().map(|value| walk.batched(&f, value)).collect::<Result<Vec<_>>>()?;
    interface.end.set_operands(&results);
    walk.done.iter().rev().for_each(|op| op.erase());
    interface.write();
    Ok(())
}

/// A walk over ops in order.
struct Walk<'c> {
    /// Types of vectorised values as they were.
    types: HashMap<Value<'c>, Type<'c>>,
    /// Vectorised values.
    values: HashMap<Value<'c>, Value<'c>>,
    size: Dim<'c>,
    /// Ops that have a vectorised one in their place.
    done: Vec<Op<'c>>,
}

impl<'c> Walk<'c> {
    fn ops(&mut self, ops: Vec<Op<'c>>) -> Result {
        ops.into_iter().map(|op| self.op(op)).fold(Ok(()), Result::and)
    }

    /// The type of a value as it was.
    fn ty(&self, value: Value<'c>) -> Type<'c> {
        self.types.get(&value).copied().unwrap_or_else(|| value.ty())
    }

    fn batched(&self, f: &Fx<'c>, value: Value<'c>) -> Result<Value<'c>> {
        match self.values.get(&value) {
            Some(batched) => Ok(*batched),
            None if value.ty().is_tensor() => repeated(f, value, self.size),
            None => Ok(value),
        }
    }

    /// Values that an op uses, in its regions too, and that are vectorised.
    fn used(&self, op: Op<'c>) -> Vec<Value<'c>> {
        let mut used = op.operands();
        op.walk(&mut |inner| used.extend(inner.operands()));
        let mut found: Vec<Value<'c>> = Vec::new();
        for value in used {
            if self.values.contains_key(&value) && !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }

    fn op(&mut self, op: Op<'c>) -> Result {
        let used = self.used(op);
        if used.is_empty() {
            return Ok(());
        }
        // A gradient that a mask leaves out is of type `none`.
        let is_number = |result: &Value<'_>| !(result.ty().is_tensor() || result.ty().is_none());
        let fail = |why: &str| fx_ir::emit_error(op.location(), &format!("'{}' op {why}", op.name()), &[]);
        if op.results().iter().any(is_number) {
            return Err(fail("gives a number, which would be another for each index"));
        }
        let row = find(op.name());
        if let (Some(row), Some(_)) = (row, FxOp::new(op))
            && matches!(row.lower, Lowering::ViaDecomposition)
        {
            return self.composite(op);
        }
        let values = building(op, || {
            let values = match (FxOp::new(op), row) {
                (Some(fx), Some(row)) if op.regions().is_empty() => {
                    let batch = self.batch(fx);
                    match (row.vmap, row.lower) {
                        (Vmap::Rule(rule), _) => rule(&batch)?,
                        (Vmap::Derived, Lowering::Pointwise(..)) => aligned(&batch)?,
                        (Vmap::Derived, _) => Vec::new(),
                    }
                }
                _ => Vec::new(),
            };
            if values.is_empty() && op.results().iter().any(|result| result.ty().is_none()) {
                return Err(fail("cannot be vectorised in this form: a loop gives all results, and some are left out"));
            }
            if values.is_empty() { self.in_loop(op, &used) } else { Ok(values) }
        })?;
        let f = Fx::before(op);
        for (result, value) in op.results().into_iter().zip(values).filter(|(result, _)| result.ty().is_tensor()) {
            let known = self.size.in_type();
            let value = f.known_as(f.cast(value, result.ty().element())?, stacked_type(result.ty(), known));
            self.types.insert(result, result.ty());
            self.values.insert(result, value);
        }
        self.done.push(op);
        Ok(())
    }

    /// A composite op: its decomposition is made of operands as they were, which stand-ins have.
    fn composite(&mut self, op: Op<'c>) -> Result {
        let f = Fx::before(op);
        let mut stand_ins = Vec::new();
        for (place, value) in op.operands().into_iter().enumerate() {
            if let Some(batched) = self.values.get(&value).copied() {
                let stand_in = f.b.value("builtin.unrealized_conversion_cast", &[value], self.ty(value), &[]);
                self.values.insert(stand_in, batched);
                op.set_operand(place, stand_in);
                stand_ins.extend(stand_in.defining_op());
            }
        }
        self.done.extend(stand_ins);
        match decompose(op)? {
            Some(made) => self.ops(made),
            None => Err(fx_ir::emit_error(op.location(), &format!("internal bug: '{}' op has no decomposition", op.name()), &[])),
        }
    }

    fn batch(&self, op: FxOp<'c>) -> Batch<'c> {
        let operands = op.op.operands();
        let ranks = operands.iter().map(|value| if value.ty().is_tensor() { self.ty(*value).rank() } else { 0 }).collect();
        let operands = operands.into_iter().map(|value| match self.values.get(&value) {
            Some(batched) => (*batched, true),
            None => (value, false),
        });
        Batch { f: Fx::before(op.op), op, operands: operands.collect(), ranks, size: self.size }
    }

    /// The op in a region that runs for each index.
    fn in_loop(&self, op: Op<'c>, used: &[Value<'c>]) -> Result<Vec<Value<'c>>> {
        let f = Fx::before(op);
        let xs: Vec<_> = used.iter().filter_map(|value| self.values.get(value).copied()).collect();
        let types: Vec<_> = op.results().into_iter().map(|result| stacked_type(result.ty(), self.size.in_type())).collect();
        let slices: Vec<_> = xs.iter().map(|x| slice_type(x.ty())).collect();
        let twin = f.b.op_with_regions(MAP, &xs, &types, &[], &[Some(&slices)]);
        let body = Body::new(twin, 0)?;
        let mut map: HashMap<_, _> = used.iter().copied().zip(body.block.arguments()).collect();
        let copy = body.f.b.clone_op(op, &mut map);
        let results = copy.results();
        body.finish(&results);
        Ok(twin.results())
    }
}
