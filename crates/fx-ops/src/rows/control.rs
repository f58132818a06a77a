//! Sizes, control flow, checks and calls.

use fx_ir::{Attribute, NumberKind, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Lower, Operand, Tensor};
use crate::scalar::{Compare, Number, Scalars, storage_type};
use crate::sizes;
use crate::table::{Again, Decompose, Lowering, OpRow, Structure, composite, lowered, row};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.size", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dim = op.dim("dim", input.rank())?;
        let size = cx.dim_value(input.dims[dim]);
        cx.set_scalar(op.op.result(0), size);
        Ok(())
    })
    .constant("it depends on sizes alone")
    .again(Again::View),
    lowered("fx.numel", |cx, op| {
        let input = cx.operand(op, "input")?;
        let size = cx.dim_value(cx.product(&input.dims));
        cx.set_scalar(op.op.result(0), size);
        Ok(())
    })
    .constant("it depends on sizes alone")
    .again(Again::View),
    lowered("fx.assert", assert).constant("it has no result"),
    lowered("fx.assert_tensor_metadata", assert_tensor_metadata).constant("it has no result"),
    row("fx.cond", Decompose::Primitive, Lowering::Structural(Structure::Branch)).structural(),
    row("fx.map", Decompose::Primitive, Lowering::Structural(Structure::Scan)).structural(),
    row("fx.scan", Decompose::Primitive, Lowering::Structural(Structure::Scan)).structural(),
    row("fx.while_loop", Decompose::Primitive, Lowering::Structural(Structure::While)).structural(),
    row("fx.yield", Decompose::Primitive, Lowering::Structural(Structure::Yield)).constant("the end of a region"),
    lowered("fx.call", call).refused("an operator of which nothing is known: name its derivative with 'fx.vjp'"),
    composite("fx.stop_gradient", |_, op| Ok(vec![op.operand("input")?])).constant("it stops derivatives").again(Again::View),
    lowered("fx.stride", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dim = op.dim("dim", input.rank())?;
        let sizes: Vec<_> = input.dims[dim + 1..].iter().map(|size| cx.max(*size, Dim::Static(1))).collect();
        let stride = cx.dim_value(cx.product(&sizes));
        cx.set_scalar(op.op.result(0), stride);
        Ok(())
    })
    .constant("it depends on sizes alone")
    .again(Again::View),
    lowered("fx.storage_offset", |cx, op| {
        let zero = cx.b.index(0);
        cx.set_scalar(op.op.result(0), zero);
        Ok(())
    })
    .constant("it depends on sizes alone")
    .again(Again::View),
    lowered("fx.is_contiguous", |cx, op| {
        let yes = cx.b.int(Type::int(cx.context(), 1), 1);
        cx.set_scalar(op.op.result(0), yes);
        Ok(())
    })
    .constant("it depends on sizes alone")
    .again(Again::View),
    lowered("fx.item", |cx, op| {
        let input = cx.operand(op, "input")?;
        let number = only_element(cx, &input);
        let number = Scalars::new(cx.b).cast(number, op.op.result(0).ty());
        cx.set_scalar(op.op.result(0), number.value);
        Ok(())
    })
    .constant("numbers have no derivatives")
    .again(Again::View),
];

/// The element of a tensor of one element. What a register holds knows no unsigned numbers: they are widened before.
fn only_element<'c>(cx: &Lower<'c>, tensor: &Tensor<'c>) -> Number<'c> {
    let wide = Type::int(cx.context(), 64);
    let tensor = if tensor.element.number_kind() == NumberKind::Unsigned { &converted(cx, tensor, wide) } else { tensor };
    let zero = cx.b.index(0);
    let operands: Vec<_> = std::iter::once(tensor.value).chain(tensor.dims.iter().map(|_| zero)).collect();
    Number { value: cx.b.value("tensor.extract", &operands, storage_type(tensor.element), &[]), ty: tensor.element }
}

fn converted<'c>(cx: &Lower<'c>, tensor: &Tensor<'c>, element: Type<'c>) -> Tensor<'c> {
    let operand: Operand<'c> = cx.broadcast(tensor, &tensor.dims);
    cx.map(&tensor.dims, element, &[operand], |body, a| body.s.cast(a[0], element))
}

//===----------------------------------------------------------------------===//
// Checks at run time
//===----------------------------------------------------------------------===//

/// What an op says whose sizes differ.
pub(crate) fn unequal(name: &str) -> String {
    format!("'{name}' op has sizes that must be equal and are not")
}

impl<'c> Fx<'c> {
    /// Stops the program unless sizes of the op's operands are equal, pair by pair; those that types know were verified.
    pub fn check_shape(&self, op: FxOp<'c>, own: &[Dim<'c>], expected: &[Dim<'c>]) {
        let number = |dim: &Dim<'c>| Number { value: sizes::value(self, *dim), ty: Type::index(self.context()) };
        for (a, b) in own.iter().zip(expected).filter(|(a, b)| a != b && (a.known().is_none() || b.known().is_none())) {
            let equal = Scalars::new(self.b).compare(Compare::Eq, number(a), number(b));
            let message = Attribute::string(self.context(), &unequal(op.op.name()));
            self.b.op("fx.assert", &[equal.value], &[], &[("assert_msg", message)]);
        }
    }
}

impl<'c> Lower<'c> {
    /// Stops the program with `message` unless `condition`, an `i1`, holds.
    pub fn check(&self, condition: Value<'c>, message: &str) {
        self.b.op("cf.assert", &[condition], &[], &[("msg", Attribute::string(self.context(), message))]);
    }

    /// Stops the program with `message` unless two sizes are equal.
    pub fn check_equal(&self, a: Dim<'c>, b: Dim<'c>, message: &str) {
        let number = |dim| Number { value: self.dim_value(dim), ty: Type::index(self.context()) };
        let equal = Scalars::new(self.b).compare(Compare::Eq, number(a), number(b));
        self.check(equal.value, message);
    }

    /// Stops the program with `message` unless `a <= b`, where types and equal sizes do not tell.
    pub fn check_at_most(&self, a: Dim<'c>, b: Dim<'c>, message: &str) {
        if a == b || a.known().zip(b.known()).is_some_and(|(a, b)| a <= b) {
            return;
        }
        let number = |dim| Number { value: self.dim_value(dim), ty: Type::index(self.context()) };
        let covers = Scalars::new(self.b).compare(Compare::Le, number(a), number(b));
        self.check(covers.value, message);
    }
}

fn assert<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = op.operand("input")?;
    let bool_type = Type::int(cx.context(), 1);
    let number = if input.ty().is_tensor() {
        // In a kernel, where every element type has its comparison.
        only_element(cx, &converted(cx, &cx.tensor(input)?, bool_type))
    } else {
        let value = cx.scalar(input);
        Number { value, ty: value.ty() }
    };
    let holds = Scalars::new(cx.b).cast(number, bool_type);
    let message = op.op.text("assert_msg").filter(|message| !message.is_empty()).unwrap_or("a condition does not hold");
    cx.check(holds.value, message);
    Ok(())
}

/// The verifier has compared what types tell; sizes that only a run knows are left.
fn assert_tensor_metadata<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    for (i, (own, wanted)) in input.dims.iter().zip(cx.sizes(op, "size")).enumerate() {
        if *own != wanted {
            let text = wanted.known().map_or("the one that is asserted".to_string(), |size| size.to_string());
            cx.check_equal(*own, wanted, &format!("'{}' op expects size {i} to be {text}", op.op.name()));
        }
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A call of an operator that the host program registers: sizes that the type leaves open are the operator's to decide,
/// numbers among the results are read from tensors of one element.
fn call<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let context = cx.context();
    let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
    for value in op.list("inputs") {
        if value.ty().is_tensor() {
            tensors.push(cx.tensor(value)?);
        } else if value.ty().is_complex() {
            return Err(op.error("has a complex number among its arguments, which a call cannot hold"));
        } else {
            scalars.push(cx.scalar(value));
        }
    }
    // A result that is `None` is none of the call's.
    let given: Vec<_> = op.op.results().into_iter().filter(|result| result.ty() != Type::none(context)).collect();
    let results: Vec<_> = given
        .iter()
        .map(|result| {
            let ty = result.ty();
            if !ty.is_tensor() {
                let element = if ty.is_index() { Type::int(context, 64) } else { ty };
                return HostResult::sized(&[], element);
            }
            let dim = |size| if size == fx_ir::DYNAMIC { None } else { Some(Dim::Static(size)) };
            HostResult { dims: ty.shape().into_iter().map(dim).collect(), element: ty.element() }
        })
        .collect();
    if given.iter().any(|result| !result.ty().is_tensor() && result.ty().is_complex()) {
        return Err(op.error("has a complex number among its results, which a call cannot give"));
    }
    let mut args = op.op.attribute("args").and_then(Attribute::as_dictionary).unwrap_or_default();
    args.extend(op.op.attribute("fx.operands").map(|names| ("fx.operands", names)));
    let attributes = Some(Attribute::dictionary(context, &args));
    let target = op.op.text("target").unwrap_or_default();
    let made = cx.host(target, &tensors, HostArguments { scalars: &scalars, attributes }, &results);
    for (result, tensor) in given.into_iter().zip(made) {
        if result.ty().is_tensor() {
            cx.set(result, tensor);
        } else {
            let number = Scalars::new(cx.b).cast(only_element(cx, &tensor), result.ty());
            cx.set_scalar(result, number.value);
        }
    }
    Ok(())
}
