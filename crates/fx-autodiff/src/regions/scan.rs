//! A region for each index of the first dim, with carried values.
//!
//! In reverse the steps run from the last to the first; what a step carried in was kept, its ops are computed again. Carried
//! then are the cotangents of what was carried, and those of what the region uses from outside.

use std::collections::HashMap;

use fx_ir::{Attribute, DYNAMIC, Op, Result, Type, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::{Conventions, is_differentiable, zeros_like};

use crate::forward::Forward;
use crate::regions::{Body, captured, differentiable, or_zeros, segments, slice_type, stacked_type};
use crate::reverse::Reverse;
use crate::tape::Tape;

/// The name of the op that everything here becomes: a map is one that carries nothing.
pub(crate) const SCAN: &str = "fx.scan";

/// An op with its groups of operands. A map has no group of initial values, and all its operands are scanned.
pub(crate) struct Scan<'c> {
    pub(crate) init: Vec<Value<'c>>,
    pub(crate) xs: Vec<Value<'c>>,
}

impl<'c> Scan<'c> {
    pub(crate) fn read(op: FxOp<'c>) -> Self {
        Self { init: op.list("init"), xs: op.list("xs") }
    }

    /// Number of steps, as far as types tell.
    fn length(&self) -> i64 {
        self.xs.first().and_then(|x| x.ty().shape().first().copied()).unwrap_or(DYNAMIC)
    }
}

/// Builds a scan with its region's block, whose arguments are the carried values and the slices.
pub(crate) fn build<'c>(f: &Fx<'c>, init: &[Value<'c>], xs: &[Value<'c>], results: &[Type<'c>]) -> Op<'c> {
    let arguments: Vec<_> = init.iter().map(|value| value.ty()).chain(xs.iter().map(|x| slice_type(x.ty()))).collect();
    let attributes = [("operandSegmentSizes", segments(f, init.len(), xs.len()))];
    f.b.op_with_regions(SCAN, &[init, xs].concat(), results, &attributes, &[Some(&arguments)])
}

/// The same scan with what each step carries in as further results, in place of the op.
pub(crate) fn with_states(op: FxOp<'_>) -> Result<FxOp<'_>> {
    let scan = Scan::read(op);
    let f = Fx::before(op.op);
    let mut types: Vec<_> = op.op.results().into_iter().map(Value::ty).collect();
    types.extend(scan.init.iter().map(|value| stacked_type(state_type(&f, value.ty()), scan.length())));
    let twin = build(&f, &scan.init, &scan.xs, &types);
    let mut body = Body::new(twin, 0)?;
    let arguments = body.block.arguments();
    let from = from(op)?;
    let mut map: HashMap<_, _> = from.arguments().into_iter().zip(arguments.iter().copied()).collect();
    let mut yielded = body.copy(from, &mut map);
    for carried in &arguments[..scan.init.len()] {
        yielded.push(state(&body.f, *carried)?);
    }
    body.finish(&yielded);
    let results = twin.results();
    op.op.replace(&results[..results.len() - scan.init.len()]);
    FxOp::new(twin).ok_or_else(|| fx_ir::emit_error(twin.location(), "internal bug: a scan is no op of fx", &[]))
}

fn from(op: FxOp<'_>) -> Result<fx_ir::Block<'_>> {
    op.op.body(0).ok_or_else(|| op.error("internal bug: has a region without a block"))
}

/// How a carried value is kept: a number as a tensor.
fn state_type<'c>(f: &Fx<'c>, ty: Type<'c>) -> Type<'c> {
    match ty {
        ty if ty.is_tensor() => ty,
        ty if ty.is_index() => Type::tensor(&[], Type::int(f.context(), 64)),
        ty => Type::tensor(&[], ty),
    }
}

fn state<'c>(f: &Fx<'c>, value: Value<'c>) -> Result<Value<'c>> {
    let ty = value.ty();
    if ty.is_tensor() {
        return Ok(value);
    }
    let wide = Type::int(f.context(), 64);
    let number = if ty.is_index() { f.b.value("arith.index_cast", &[value], wide, &[]) } else { value };
    f.op("fx.scalar_tensor", &[number], &[("dtype", Attribute::from_type(number.ty()))])
}

/// A kept value as the region takes it.
fn carried<'c>(f: &Fx<'c>, state: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if ty.is_tensor() { state } else { f.b.value("fx.item", &[state], ty, &[]) }
}

fn flipped<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.op("fx.flip", &[x], &[("dims", Attribute::i64s(f.context(), &[0]))])
}

/// Adds to the cotangents of initial values, scanned tensors and what the region uses. The op keeps its states.
pub(crate) fn reverse<'c>(reverse: &mut Reverse<'c>, tape: &Tape<'c>, op: FxOp<'c>, conventions: Conventions) -> Result {
    let scan = Scan::read(op);
    let b = reverse.builder().located(op.location());
    let f = Fx { b };
    let outside = captured(tape, op.op);
    let results = op.op.results();
    let count = scan.init.len();
    let carries = differentiable(&scan.init);
    // those of stacked results, by what the region yields
    let stacked: Vec<_> = (count..results.len()).filter_map(|place| Some((place, reverse.cotangent(results[place])?))).collect();
    let wanted: Vec<_> = (0..scan.xs.len()).filter(|place| tape.varies(scan.xs[*place])).collect();

    let mut init = Vec::new();
    for place in &carries {
        init.push(or_zeros(&f, reverse.cotangent(results[*place]), results[*place])?);
    }
    for value in &outside {
        init.push(zeros_like(&f, *value)?);
    }
    let states = &results[results.len() - count..];
    let scanned: Vec<_> = scan.xs.iter().chain(states).copied().chain(stacked.iter().map(|(_, g)| *g)).collect();
    let scanned = scanned.into_iter().map(|x| flipped(&f, x)).collect::<Result<Vec<_>>>()?;
    let mut types: Vec<_> = init.iter().map(|value| value.ty()).collect();
    types.extend(wanted.iter().map(|place| scan.xs[*place].ty()));
    let twin = build(&f, &init, &scanned, &types);

    let mut body = Body::new(twin, 0)?;
    let arguments = body.block.arguments();
    let (cotangents, slices) = arguments.split_at(init.len());
    let (xs, slices) = slices.split_at(scan.xs.len());
    let (states, gs) = slices.split_at(count);
    let states: Vec<_> = states.iter().zip(&scan.init).map(|(state, init)| carried(&body.f, *state, init.ty())).collect();
    let from = from(op)?;
    let mut map: HashMap<_, _> = from.arguments().into_iter().zip(states.iter().chain(xs).copied()).collect();
    let yielded = body.copy(from, &mut map);
    let mut seeds: Vec<_> = carries.iter().zip(cotangents).map(|(place, g)| (yielded[*place], *g)).collect();
    seeds.extend(stacked.iter().zip(gs).map(|((place, _), g)| (yielded[*place], *g)));
    let varying = outside.iter().chain(&states).chain(wanted.iter().map(|place| &xs[*place])).copied().collect();
    let inner = body.reverse(varying, &seeds, conventions)?;
    let mut found = Vec::new();
    for place in &carries {
        found.push(or_zeros(&body.f, inner.cotangent(states[*place]), states[*place])?);
    }
    for (value, so_far) in outside.iter().zip(&cotangents[carries.len()..]) {
        found.push(match inner.cotangent(*value) {
            Some(g) => body.f.add(*so_far, g)?,
            None => *so_far,
        });
    }
    for place in &wanted {
        found.push(or_zeros(&body.f, inner.cotangent(xs[*place]), xs[*place])?);
    }
    body.finish(&found);

    let found = twin.results();
    let operands = carries.iter().map(|place| scan.init[*place]).chain(outside);
    for (value, cotangent) in operands.zip(&found) {
        if tape.varies(value) {
            reverse.add(value, *cotangent)?;
        }
    }
    for (place, cotangent) in wanted.iter().zip(&found[init.len()..]) {
        reverse.add(scan.xs[*place], flipped(&f, *cotangent)?)?;
    }
    Ok(())
}

/// Sets the tangents of the results: a scan that carries tangents beside values.
pub(crate) fn forward<'c>(forward: &mut Forward<'c>, tape: &Tape<'c>, f: &Fx<'c>, op: FxOp<'c>, conventions: Conventions) -> Result {
    let scan = Scan::read(op);
    let results = op.op.results();
    let carries = differentiable(&scan.init);
    let mut init = scan.init.clone();
    for place in &carries {
        init.push(or_zeros(f, forward.tangent(scan.init[*place]), scan.init[*place])?);
    }
    let moving: Vec<_> = scan.xs.iter().enumerate().filter_map(|(place, x)| Some((place, forward.tangent(*x)?))).collect();
    let xs: Vec<_> = scan.xs.iter().copied().chain(moving.iter().map(|(_, tangent)| *tangent)).collect();
    let stacked: Vec<_> = (scan.init.len()..results.len()).filter(|place| is_differentiable(results[*place].ty())).collect();
    let mut types: Vec<_> = init.iter().map(|value| value.ty()).collect();
    types.extend(stacked.iter().map(|place| results[*place].ty()));
    let twin = build(f, &init, &xs, &types);

    let mut body = Body::new(twin, 0)?;
    let arguments = body.block.arguments();
    let (values, slices) = arguments.split_at(init.len());
    let (values, tangents) = values.split_at(scan.init.len());
    let (own, moved) = slices.split_at(scan.xs.len());
    let from = from(op)?;
    let mut map: HashMap<_, _> = from.arguments().into_iter().zip(values.iter().chain(own).copied()).collect();
    let yielded = body.copy(from, &mut map);
    let mut known: HashMap<_, _> = carries.iter().zip(tangents).map(|(place, tangent)| (values[*place], *tangent)).collect();
    known.extend(moving.iter().zip(moved).map(|((place, _), tangent)| (own[*place], *tangent)));
    known.extend(captured(tape, op.op).into_iter().filter_map(|value| Some((value, forward.tangent(value)?))));
    let asked: Vec<_> = carries.iter().chain(&stacked).map(|place| yielded[*place]).collect();
    let found = body.forward(known, &asked, conventions)?;
    let found = found.into_iter().zip(asked).map(|(tangent, value)| or_zeros(&body.f, tangent, value)).collect::<Result<Vec<_>>>()?;
    let next: Vec<_> = yielded[..scan.init.len()].to_vec();
    body.finish(&[next, found].concat());

    let found = twin.results();
    let places = carries.iter().chain(&stacked);
    places.zip(&found[scan.init.len()..]).try_for_each(|(place, tangent)| forward.set(f, results[*place], *tangent))
}
