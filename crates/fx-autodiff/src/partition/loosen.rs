//! Less to save: operands of which sizes alone count get an empty tensor of these sizes, and ops that ask of an operand
//! nothing but yes or no get a mask.

use std::collections::HashMap;

use fx_ir::{Attribute, Builder, Op, Result, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::FxOp;
use fx_ops::recompute::building;
use fx_ops::table::find;

use crate::interface::Interface;

/// Puts masks where ops have a form with masks.
///
/// # Errors
/// If a rule fails: reported.
pub fn use_masks(interface: &Interface<'_>) -> Result {
    for op in interface.body.ops() {
        let Some((fx, rule)) = FxOp::new(op).and_then(|fx| Some((fx, find(op.name())?.masked?))) else { continue };
        let f = Fx::before(op);
        let value = building(op, || f.cast(rule(&f, fx)?, fx.result_element(0)))?;
        if value.ty() == op.result(0).ty() {
            op.replace(&[value]);
        }
    }
    Ok(())
}

/// Puts sizes in place of tensors.
///
/// # Errors
/// None that a caller can cause.
pub fn cut_loose(interface: &Interface<'_>) -> Result {
    let mut made = HashMap::new();
    for op in interface.body.ops() {
        let Some((fx, row)) = FxOp::new(op).and_then(|fx| Some((fx, find(op.name())?))) else { continue };
        for place in row.sizes_of.iter().flat_map(|name| fx.range(name)) {
            let operand = op.operand(place);
            if operand.ty().is_tensor() && operand.block_argument().is_none() {
                op.set_operand(place, empty_like(operand, &mut made)?);
            }
        }
    }
    Ok(())
}

/// An empty tensor of the sizes of another, built right after it, once.
fn empty_like<'c>(value: Value<'c>, made: &mut HashMap<Value<'c>, Value<'c>>) -> Result<Value<'c>> {
    let next = value.defining_op().and_then(Op::next);
    let (None, Some(next)) = (made.get(&value), next) else { return Ok(made.get(&value).copied().unwrap_or(value)) };
    let f = Fx { b: Builder::before(next) };
    let element = Attribute::from_type(value.ty().element());
    let empty = f.sized("fx.empty", &[], "size", &f.dims(value), &[("dtype", element)])?;
    made.insert(value, empty);
    Ok(empty)
}
