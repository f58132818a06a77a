//! One of two regions: the derivative is that of the region that runs.

use std::collections::HashMap;

use fx_ir::{Result, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::gradient::{Conventions, is_differentiable};

use crate::forward::Forward;
use crate::regions::{Body, captured, or_zeros};
use crate::reverse::Reverse;
use crate::tape::Tape;

/// Adds to the cotangents of what the regions use.
pub(crate) fn reverse<'c>(reverse: &mut Reverse<'c>, tape: &Tape<'c>, op: FxOp<'c>, conventions: Conventions) -> Result {
    let values = captured(tape, op.op);
    let cotangents: Vec<_> = op.op.results().into_iter().map(|result| reverse.cotangent(result)).collect();
    let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
    let b = reverse.builder().located(op.location());
    let twin = b.op_with_regions(op.op.name(), &[op.op.operand(0)], &types, &[], &[Some(&[]), Some(&[])]);
    for index in 0..2 {
        let Some(from) = op.op.body(index) else { continue };
        let mut body = Body::new(twin, index)?;
        let yielded = body.copy(from, &mut HashMap::new());
        let seeds: Vec<_> = yielded.into_iter().zip(&cotangents).filter_map(|(value, g)| Some((value, (*g)?))).collect();
        let inner = body.reverse(values.clone(), &seeds, conventions)?;
        let found = values.iter().map(|value| or_zeros(&body.f, inner.cotangent(*value), *value)).collect::<Result<Vec<_>>>()?;
        body.finish(&found);
    }
    values.into_iter().zip(twin.results()).try_for_each(|(value, cotangent)| reverse.add(value, cotangent))
}

/// Sets the tangents of the results.
pub(crate) fn forward<'c>(forward: &mut Forward<'c>, tape: &Tape<'c>, f: &Fx<'c>, op: FxOp<'c>, conventions: Conventions) -> Result {
    let pairs = captured(tape, op.op).into_iter().filter_map(|value| Some((value, forward.tangent(value)?)));
    let tangents: HashMap<Value<'c>, Value<'c>> = pairs.collect();
    let results: Vec<_> = op.op.results().into_iter().filter(|result| is_differentiable(result.ty())).collect();
    let types: Vec<_> = results.iter().map(|result| result.ty()).collect();
    let twin = f.b.op_with_regions(op.op.name(), &[op.op.operand(0)], &types, &[], &[Some(&[]), Some(&[])]);
    for index in 0..2 {
        let Some(from) = op.op.body(index) else { continue };
        let mut body = Body::new(twin, index)?;
        let yielded: Vec<_> = body.copy(from, &mut HashMap::new()).into_iter().filter(|value| is_differentiable(value.ty())).collect();
        let found = body.forward(tangents.clone(), &yielded, conventions)?;
        let found = found.into_iter().zip(yielded).map(|(tangent, value)| or_zeros(&body.f, tangent, value)).collect::<Result<Vec<_>>>()?;
        body.finish(&found);
    }
    results.into_iter().zip(twin.results()).try_for_each(|(result, tangent)| forward.set(f, result, tangent))
}
