//! `convert-fx-to-linalg`: lower primitive fx ops to linalg on tensors.
//!
//! Needs     phase `prim`: primitive fx ops; `fx.dims` names the run-time sizes of arguments.
//! Gives     phase `linalg`: linalg, tensor, arith, math and scf on tensors, calls of the library; `ui8` tensors become `i8`.
//!           With `scatter-in-kernels`, writes at computed places are calls of `fx::scatter_runs`, which a kernel does in any
//!           order, but in a function that has the attribute `fx.deterministic`. With `sort-in-kernels`, rows that a kernel can
//!           sort are calls of `fx::sort_rows`. With `pad-in-kernels`, convolutions of few channels per group read the input
//!           itself, zeros outside of it; else a padded copy of it.
//! Fails on  an op without a lowering, or inside a region of another dialect's op: error on the op.
//! Tests     lit-tests/passes/convert-fx-to-linalg/
//!
//! ```text
//! %y = fx.exp %x : ..  =>  %y = linalg.generic .. { math.exp }
//! ```

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Builder, DYNAMIC, NumberKind, Op, Options, Pass, PassOption, Result, Type, Value};
use fx_ops::fx_op::{Dim, FxOp};
use fx_ops::lower::{Lower, Operand, Tensor};
use fx_ops::promote::promote;
use fx_ops::scalar::{Number, opmath, storage_type};
use fx_ops::table::{Compute, Lowering, find};

mod regions;

/// The pass.
pub static PASS: Pass = Pass {
    name: "convert-fx-to-linalg",
    summary: "lower primitive fx ops to linalg on tensors",
    anchor: "func.func",
    options: &[
        PassOption {
            name: "scatter-in-kernels",
            default: "false",
            help: "let kernels write and sum at computed places, in any order, unless the function has 'fx.deterministic'",
        },
        PassOption { name: "sort-in-kernels", default: "false", help: "let kernels sort rows of known lengths" },
        PassOption {
            name: "pad-in-kernels",
            default: "false",
            help: "let kernels pad what convolutions of few channels per group read, in place of a padded copy",
        },
    ],
    dialects: &["arith", "cf", "complex", "linalg", "math", "scf", "tensor"],
    run,
};

fn run(function: Op<'_>, options: &Options) -> Result {
    let Some(body) = function.body(0) else { return Ok(()) };
    let context = function.context();
    let start = body.ops().first().copied();
    let builder = start.map_or_else(|| Builder::at_end(body, context, function.location()), Builder::before);
    let mut walk = Lower::new(builder);
    walk.scatter_in_kernels = options.parsed(function, "scatter-in-kernels")? && function.attribute("fx.deterministic").is_none();
    walk.sort_in_kernels = options.parsed(function, "sort-in-kernels")?;
    walk.pad_in_kernels = options.parsed(function, "pad-in-kernels")?;
    mark_unsigned(function, body);
    arguments(&mut walk, function, body);
    let mut dead = Dead::default();
    lower_ops(&mut walk, &body.ops(), &mut dead)?;
    dead.erase()?;
    retype_function(function, body);
    Ok(())
}

/// Marks `ui8` arguments and results by `fx.unsigned`: their types become signless.
fn mark_unsigned(function: Op<'_>, body: Block<'_>) {
    let returned = body.terminator().map(Op::operands).unwrap_or_default();
    for (list, values) in [("arg_attrs", body.arguments()), ("res_attrs", returned)] {
        let unsigned = |value: &Value<'_>| value.ty().element().number_kind() == NumberKind::Unsigned;
        if !values.iter().any(unsigned) {
            continue;
        }
        let context = function.context();
        let old = function.attribute(list).and_then(Attribute::as_array).unwrap_or_default();
        let marked: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(i, value)| {
                let mut entries = old.get(i).and_then(|entry| entry.as_dictionary()).unwrap_or_default();
                if unsigned(value) {
                    entries.push(("fx.unsigned", Attribute::unit(context)));
                }
                Attribute::dictionary(context, &entries)
            })
            .collect();
        function.set_attribute(list, Attribute::array(context, &marked));
    }
}

/// Records each argument with its sizes: one `tensor.dim` per symbol.
fn arguments<'c>(walk: &mut Lower<'c>, function: Op<'c>, body: Block<'c>) {
    let names = function.attribute("arg_attrs").and_then(Attribute::as_array).unwrap_or_default();
    let mut symbols: HashMap<&str, Value<'c>> = HashMap::new();
    for (i, argument) in body.arguments().into_iter().enumerate() {
        let ty = argument.ty();
        if !ty.is_tensor() {
            continue;
        }
        let element = ty.element();
        let named = names.get(i).and_then(|attrs| attrs.as_dictionary()).unwrap_or_default();
        let dims_of = named.iter().find(|(name, _)| *name == "fx.dims").and_then(|(_, dims)| dims.as_array()).unwrap_or_default();
        if element.number_kind() == NumberKind::Unsigned {
            argument.set_type(ty.with_element(storage_type(element)));
        }
        let dims = ty.shape().into_iter().enumerate().map(|(d, size)| {
            if size != DYNAMIC {
                return Dim::Static(size);
            }
            let symbol = dims_of.get(d).and_then(|dim| dim.as_str());
            if let Some(value) = symbol.and_then(|symbol| symbols.get(symbol)) {
                return Dim::Dynamic(*value);
            }
            let index = walk.b.index(d as i64);
            let value = walk.b.value("tensor.dim", &[argument, index], index.ty(), &[]);
            if let Some(symbol) = symbol {
                symbols.insert(symbol, value);
            }
            Dim::Dynamic(value)
        });
        let dims = dims.collect();
        walk.set(argument, Tensor { value: argument, dims, element });
    }
}

/// What lowering has replaced. It is erased when all is lowered, so that no new value can take the place of an old one
/// in the walk's map; in reverse, so that users go before what they use.
#[derive(Default)]
struct Dead<'c>(Vec<Replaced<'c>>);

enum Replaced<'c> {
    Op(Op<'c>),
    /// The first arguments of a block, so many.
    Arguments(Block<'c>, usize),
}

impl Dead<'_> {
    /// Fails on what is still used: by an op that the walk does not reach.
    fn erase(self) -> Result {
        for replaced in self.0.into_iter().rev() {
            match replaced {
                Replaced::Op(op) if op.is_unused() => op.erase(),
                Replaced::Op(op) => {
                    if let Some(fx) = FxOp::new(op) {
                        return Err(fx.error("is used in another block of its function: only the first is lowered"));
                    }
                }
                Replaced::Arguments(block, count) => (0..count).rev().for_each(|index| block.erase_argument(index)),
            }
        }
        Ok(())
    }
}

fn lower_ops<'c>(walk: &mut Lower<'c>, ops: &[Op<'c>], dead: &mut Dead<'c>) -> Result {
    for op in ops {
        walk.move_to(*op);
        lower_op(walk, *op, dead)?;
        if FxOp::new(*op).is_some() || matches!(op.name(), "tensor.cast" | "tensor.dim") {
            dead.0.push(Replaced::Op(*op));
        }
    }
    Ok(())
}

fn lower_op<'c>(walk: &mut Lower<'c>, op: Op<'c>, dead: &mut Dead<'c>) -> Result {
    let Some(fx) = FxOp::new(op) else { return lower_upstream(walk, op) };
    match find(op.name()).map(|row| row.lower) {
        Some(Lowering::Pointwise(compute, body)) => pointwise(walk, fx, compute, body),
        Some(Lowering::Rule(rule)) => rule(walk, fx),
        Some(Lowering::Structural(structure)) => regions::lower(walk, fx, structure, dead),
        Some(Lowering::ViaDecomposition) => Err(fx.error("is not primitive: run 'fx-decompose' first")),
        None => Err(fx.error("has no row in the op table")),
    }
}

type PointwiseBody = for<'c> fn(&fx_ops::scalar::Scalars<'c>, &[Number<'c>], Op<'c>) -> Number<'c>;

/// One generic over the broadcast operands; numbers are captured by its body.
fn pointwise<'c>(walk: &mut Lower<'c>, fx: FxOp<'c>, compute: Compute, rule: PointwiseBody) -> Result {
    let op = fx.op;
    let element = fx.result_element(0);
    let context = walk.context();
    let values = op.operands();
    let tensors = values
        .iter()
        .map(|value| if value.ty().is_tensor() { walk.tensor(*value).map(Some) } else { Ok(None) })
        .collect::<Result<Vec<_>>>()?;
    let shapes: Vec<_> = tensors.iter().flatten().map(|tensor| tensor.dims.as_slice()).collect();
    let dims = walk.broadcast_dims(&shapes);
    let operands: Vec<Operand<'c>> = tensors.iter().flatten().map(|tensor| walk.broadcast(tensor, &dims)).collect();
    // Types of values are signless by now, those of tensors are not.
    let types: Vec<_> = values
        .iter()
        .zip(&tensors)
        .map(|(value, tensor)| tensor.as_ref().map_or(value.ty(), |tensor| value.ty().with_element(tensor.element)))
        .collect();
    let target = match compute {
        Compute::Result => Some(opmath(context, element)),
        Compute::Promoted => Some(opmath(context, promote(context, &types))),
        Compute::Own => None,
    };
    let scalars: Vec<_> = values.iter().map(|value| walk.scalar(*value)).collect();
    let result = walk.map(&dims, element, &operands, |body, read| {
        let s = &body.s;
        let mut read = read.iter();
        let arguments: Vec<_> = tensors
            .iter()
            .zip(&scalars)
            .map(|(tensor, scalar)| match (tensor, target) {
                (Some(_), Some(ty)) => read.next().map(|number| s.cast(*number, ty)),
                (Some(tensor), None) => read.next().map(|number| s.cast(*number, opmath(context, tensor.element))),
                (None, Some(ty)) => Some(s.from_scalar(*scalar, ty)),
                (None, None) => Some(Number { value: *scalar, ty: scalar.ty() }),
            })
            .collect::<Option<Vec<_>>>()
            .unwrap_or_default();
        s.cast(rule(s, &arguments, op), element)
    });
    walk.set(op.result(0), result);
    Ok(())
}

/// Ops of other dialects among fx ops: their operands, and what their regions capture, become what these were lowered to.
fn lower_upstream<'c>(walk: &mut Lower<'c>, op: Op<'c>) -> Result {
    match op.name() {
        "tensor.dim" => {
            let index = op.operand(1).constant().and_then(Attribute::as_int);
            if let (Ok(tensor), Some(index)) = (walk.tensor(op.operand(0)), index)
                && let Some(dim) = usize::try_from(index).ok().and_then(|index| tensor.dims.get(index))
            {
                let value = walk.dim_value(*dim);
                op.result(0).replace_all_uses_with(value);
            }
        }
        "tensor.cast" => {
            let mut tensor = walk.tensor(op.operand(0))?;
            for (dim, size) in tensor.dims.iter_mut().zip(op.result(0).ty().shape()) {
                if size != DYNAMIC {
                    *dim = Dim::Static(size);
                }
            }
            let fitted = walk.cast_to(tensor.value, &tensor.dims.clone(), tensor.element);
            walk.set(op.result(0), fitted);
        }
        "arith.constant" if op.result(0).ty().is_tensor() => {
            let ty = op.result(0).ty();
            let dims = ty.shape().into_iter().map(Dim::Static).collect();
            retype_constant(op);
            walk.set(op.result(0), Tensor { value: op.result(0), dims, element: ty.element() });
        }
        "func.return" => {
            for (i, value) in op.operands().into_iter().enumerate() {
                op.set_operand(i, fitted(walk, value));
            }
        }
        _ => {
            let mut inside = Vec::new();
            op.walk(&mut |inner| inside.push(inner));
            if let Some(fx) = inside.iter().find_map(|inner| FxOp::new(*inner)) {
                return Err(fx.error(&format!("is inside '{}', whose regions are not lowered", op.name())));
            }
            for user in inside.into_iter().chain([op]) {
                for (i, value) in user.operands().into_iter().enumerate() {
                    user.set_operand(i, fitted(walk, value));
                }
            }
            results(walk, op);
        }
    }
    Ok(())
}

/// What a value was lowered to, in a tensor type of its own sizes.
fn fitted<'c>(walk: &Lower<'c>, value: Value<'c>) -> Value<'c> {
    let lowered = walk.lowered(value);
    let wanted = value.ty().with_element(storage_type(value.ty().element()));
    if lowered == value || !wanted.is_tensor() || lowered.ty() == wanted {
        return lowered;
    }
    walk.b.value("tensor.cast", &[lowered], wanted, &[])
}

/// Records the tensors that an op of another dialect gives, with their sizes.
fn results<'c>(walk: &mut Lower<'c>, op: Op<'c>) {
    let Some(next) = op.next() else { return };
    let after = Builder::before(next).located(op.location());
    for value in op.results().into_iter().filter(|value| value.ty().is_tensor()) {
        let dims = value.ty().shape().into_iter().enumerate().map(|(d, size)| {
            if size != DYNAMIC {
                return Dim::Static(size);
            }
            let index = after.index(d as i64);
            Dim::Dynamic(after.value("tensor.dim", &[value, index], index.ty(), &[]))
        });
        let tensor = Tensor { value, dims: dims.collect(), element: value.ty().element() };
        walk.set(value, tensor);
    }
}

/// A `ui8` constant in signless form.
fn retype_constant(op: Op<'_>) {
    let ty = op.result(0).ty();
    if ty.element().number_kind() != NumberKind::Unsigned {
        return;
    }
    let signless = ty.with_element(storage_type(ty.element()));
    let Some(value) = op.attribute("value") else { return };
    let bytes = value.as_splat().and_then(Attribute::as_int).map(|byte| vec![byte as u8]).or_else(|| value.as_dense_bytes());
    if let Some(value) = bytes.and_then(|bytes| Attribute::dense(signless, &bytes)) {
        op.set_attribute("value", value);
        op.result(0).set_type(signless);
    }
}

/// The function's type follows its block and its return.
fn retype_function<'c>(function: Op<'c>, body: Block<'c>) {
    let inputs: Vec<_> = body.arguments().iter().map(|argument| argument.ty()).collect();
    let results: Vec<_> = body.terminator().map(|op| op.operands().iter().map(|value| value.ty()).collect()).unwrap_or_default();
    let ty = Type::function(function.context(), &inputs, &results);
    function.set_attribute("function_type", Attribute::from_type(ty));
}
