//! Ops with regions on their way to `scf`, on tensors.
//!
//! A region is lowered where it stands, then put into the new op. What a loop carries are new arguments of its block.
//! A carried tensor whose size is known at run time only reads that size from its argument; where every iteration keeps
//! it, the size is the first one's, so that what follows the loop knows it by the same value.
//!
//! ```text
//! fx.cond        scf.if
//! fx.while_loop  scf.while
//! fx.scan        scf.for over the first dim of `xs`: a slice of each goes in; what comes out is put into a row of a
//! fx.map         tensor that is carried along (tensor.insert_slice)
//! ```

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Builder, DYNAMIC, Op, Result, Type, Value};
use fx_ops::fx_op::{Dim, FxOp, type_shape};
use fx_ops::lower::{Lower, Tensor};
use fx_ops::scalar::storage_type;
use fx_ops::table::Structure;

use super::{Dead, Replaced, lower_ops};

/// What crosses the border of a region.
#[derive(Clone)]
enum Item<'c> {
    Tensor(Tensor<'c>),
    Number(Value<'c>),
}

impl<'c> Item<'c> {
    fn of(walk: &Lower<'c>, value: Value<'c>) -> Result<Self> {
        if value.ty().is_tensor() { walk.tensor(value).map(Item::Tensor) } else { Ok(Item::Number(walk.scalar(value))) }
    }

    fn all(walk: &Lower<'c>, values: &[Value<'c>]) -> Result<Vec<Self>> {
        values.iter().map(|value| Self::of(walk, *value)).collect()
    }

    fn dims(&self) -> &[Dim<'c>] {
        match self {
            Item::Tensor(tensor) => &tensor.dims,
            Item::Number(_) => &[],
        }
    }

    fn value(&self) -> Value<'c> {
        match self {
            Item::Tensor(tensor) => tensor.value,
            Item::Number(value) => *value,
        }
    }

    /// The value in a type that may know more or fewer sizes.
    fn fit(&self, b: &Builder<'c>, ty: Type<'c>) -> Value<'c> {
        let value = self.value();
        if value.ty() == ty { value } else { b.value("tensor.cast", &[value], ty, &[]) }
    }
}

/// Lowers an op with regions.
pub(super) fn lower<'c>(walk: &mut Lower<'c>, fx: FxOp<'c>, structure: Structure, dead: &mut Dead<'c>) -> Result {
    match structure {
        Structure::Branch => branch(walk, fx, dead),
        Structure::While => while_loop(walk, fx, dead),
        Structure::Scan => scan(walk, fx, dead),
        Structure::Yield => Err(fx.error("stands outside of a region")),
    }
}

fn block<'c>(fx: FxOp<'c>, index: usize) -> Result<Block<'c>> {
    fx.op.body(index).ok_or_else(|| fx.error("lacks a region"))
}

/// Lowers the ops of a region where they stand; gives what it yields.
fn region<'c>(walk: &mut Lower<'c>, block: Block<'c>, dead: &mut Dead<'c>) -> Result<Vec<Item<'c>>> {
    let ops = block.ops();
    let Some((last, ops)) = ops.split_last() else { return Ok(Vec::new()) };
    lower_ops(walk, ops, dead)?;
    dead.0.push(Replaced::Op(*last));
    walk.move_to(*last);
    Item::all(walk, &last.operands())
}

/// The only element of a bool tensor, or the bool itself.
fn truth<'c>(b: &Builder<'c>, item: &Item<'c>) -> Value<'c> {
    let Item::Tensor(tensor) = item else { return item.value() };
    let operands: Vec<_> = std::iter::once(tensor.value).chain(tensor.dims.iter().map(|_| b.index(0))).collect();
    b.value("tensor.extract", &operands, Type::int(b.context(), 1), &[])
}

/// Records a result of the op: its sizes are those of its type, then those given, then read from the value.
fn finish<'c>(walk: &mut Lower<'c>, result: Value<'c>, value: Value<'c>, dims: &[Option<Dim<'c>>]) {
    if !result.ty().is_tensor() {
        walk.set_scalar(result, value);
        return;
    }
    let shape = result.ty().shape().into_iter().zip(dims).enumerate();
    let dims: Vec<_> = shape
        .map(|(i, (size, dim))| match dim {
            _ if size != DYNAMIC => Dim::Static(size),
            Some(dim) => *dim,
            None => {
                let index = walk.b.index(i as i64);
                Dim::Dynamic(walk.b.value("tensor.dim", &[value, index], index.ty(), &[]))
            }
        })
        .collect();
    let fitted = walk.cast_to(value, &dims, result.ty().element());
    walk.set(result, fitted);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

fn branch<'c>(walk: &mut Lower<'c>, fx: FxOp<'c>, dead: &mut Dead<'c>) -> Result {
    let op = fx.op;
    let condition = truth(&walk.b, &Item::of(walk, op.operand(0))?);
    let yielded = [region(walk, block(fx, 0)?, dead)?, region(walk, block(fx, 1)?, dead)?];
    walk.move_to(op);
    // A size that both regions give by one value was known before.
    let size = |size, a: &Dim<'c>, b: &Dim<'c>| if size == DYNAMIC { (a == b).then_some(*a) } else { Some(Dim::Static(size)) };
    let dims: Vec<Vec<_>> = op
        .results()
        .iter()
        .zip(yielded[0].iter().zip(&yielded[1]))
        .map(|(result, (a, b))| {
            let sizes = if result.ty().is_tensor() { result.ty().shape() } else { Vec::new() };
            sizes.into_iter().zip(a.dims().iter().zip(b.dims())).map(|(known, (a, b))| size(known, a, b)).collect()
        })
        .collect();
    let types: Vec<_> = op
        .results()
        .iter()
        .zip(&dims)
        .map(|(result, dims)| {
            let ty = result.ty();
            let shape: Vec<_> = dims.iter().map(|dim| dim.map_or(DYNAMIC, Dim::in_type)).collect();
            if ty.is_tensor() { Type::tensor(&shape, storage_type(ty.element())) } else { ty }
        })
        .collect();
    let choice = walk.b.op_with_regions("scf.if", &[condition], &types, &[], &[None, None]);
    for ((to, from), items) in choice.regions().into_iter().zip(op.regions()).zip(&yielded) {
        to.take_body(from);
        end(walk.b, to.first_block(), "scf.yield", &[], items, &types);
    }
    for ((result, value), dims) in op.results().into_iter().zip(choice.results()).zip(dims) {
        finish(walk, result, value, &dims);
    }
    Ok(())
}

/// Ends a block with a terminator: operands, then items in the types that are wanted.
fn end<'c>(b: Builder<'c>, block: Option<Block<'c>>, name: &str, operands: &[Value<'c>], items: &[Item<'c>], types: &[Type<'c>]) {
    let Some(block) = block else { return };
    let inside = b.inside(block);
    let fitted = items.iter().zip(types).map(|(item, ty)| item.fit(&inside, *ty));
    let operands: Vec<_> = operands.iter().copied().chain(fitted).collect();
    inside.op(name, &operands, &[], &[]);
}

//===----------------------------------------------------------------------===//
// Carried values
//===----------------------------------------------------------------------===//

/// The type that a loop carries a value in: a size that one of the region's arguments states holds in every iteration.
fn carried_type<'c>(arguments: &[Value<'c>]) -> Type<'c> {
    let ty = arguments[0].ty();
    if !ty.is_tensor() {
        return ty;
    }
    let mut shape = ty.shape();
    for other in &arguments[1..] {
        for (size, stated) in shape.iter_mut().zip(other.ty().shape()) {
            *size = if *size == DYNAMIC { stated } else { *size };
        }
    }
    Type::tensor(&shape, storage_type(ty.element()))
}

/// Adds arguments of the given types to a block: they stand for `old` from now on.
fn carry<'c>(walk: &mut Lower<'c>, block: Block<'c>, old: &[Value<'c>], types: &[Type<'c>]) -> Vec<Item<'c>> {
    let start = block.ops().first().copied().map_or(walk.b, Builder::before);
    let location = walk.b.location();
    let mut items = Vec::new();
    for (old, ty) in old.iter().zip(types) {
        let value = block.add_argument(*ty, location);
        if !ty.is_tensor() {
            walk.set_scalar(*old, value);
            items.push(Item::Number(value));
            continue;
        }
        let size = |(i, size): (usize, i64)| {
            let read = || start.value("tensor.dim", &[value, start.index(i as i64)], Type::index(start.context()), &[]);
            if size == DYNAMIC { Dim::Dynamic(read()) } else { Dim::Static(size) }
        };
        let dims = ty.shape().into_iter().enumerate().map(size).collect();
        let tensor = Tensor { value, dims, element: old.ty().element() };
        walk.set(*old, tensor.clone());
        items.push(Item::Tensor(tensor));
    }
    items
}

/// Per carried value and dim: whether every iteration keeps the first size. Sizes of other carried values count as
/// theirs (values may be swapped), as long as those are kept themselves.
fn kept_sizes<'c>(inits: &[Item<'c>], arguments: &[Item<'c>], yielded: &[Item<'c>]) -> Vec<Vec<bool>> {
    let mut kept: Vec<Vec<bool>> = arguments.iter().map(|item| vec![true; item.dims().len()]).collect();
    loop {
        let stands = stands_for(inits, arguments, &kept);
        let still = |k: usize, d: usize| {
            let next = yielded[k].dims()[d];
            let next = if let Dim::Dynamic(value) = next { stands.get(&value).copied().unwrap_or(next) } else { next };
            kept[k][d] && next == inits[k].dims()[d]
        };
        let next: Vec<Vec<bool>> = (0..kept.len()).map(|k| (0..kept[k].len()).map(|d| still(k, d)).collect()).collect();
        if next == kept {
            return kept;
        }
        kept = next;
    }
}

/// The sizes that arguments read, and what they are where they are kept.
fn stands_for<'c>(inits: &[Item<'c>], arguments: &[Item<'c>], kept: &[Vec<bool>]) -> HashMap<Value<'c>, Dim<'c>> {
    let mut stands = HashMap::new();
    for ((init, argument), kept) in inits.iter().zip(arguments).zip(kept) {
        for ((own, first), kept) in argument.dims().iter().zip(init.dims()).zip(kept) {
            if let (Dim::Dynamic(value), true) = (own, kept) {
                stands.insert(*value, *first);
            }
        }
    }
    stands
}

/// Replaces sizes that arguments read by what they are.
fn replace_sizes<'c>(walk: &Lower<'c>, stands: &HashMap<Value<'c>, Dim<'c>>, inits: &[Item<'c>], arguments: &[Item<'c>]) {
    for (init, argument) in inits.iter().zip(arguments) {
        for (own, first) in argument.dims().iter().zip(init.dims()) {
            if let Dim::Dynamic(value) = own
                && stands.contains_key(value)
            {
                value.replace_all_uses_with(walk.dim_value(*first));
            }
        }
    }
}

/// Sizes of what a loop carried, after it.
fn sizes_after<'c>(init: &Item<'c>, argument: &Item<'c>, kept: &[bool]) -> Vec<Option<Dim<'c>>> {
    let dims = argument.dims().iter().zip(init.dims()).zip(kept);
    dims.map(|((own, first), kept)| if own.known().is_some() { Some(*own) } else { kept.then_some(*first) }).collect()
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

fn while_loop<'c>(walk: &mut Lower<'c>, fx: FxOp<'c>, dead: &mut Dead<'c>) -> Result {
    let op = fx.op;
    let inits = Item::all(walk, &op.operands())?;
    let (condition, body) = (block(fx, 0)?, block(fx, 1)?);
    let own = [condition.arguments(), body.arguments()];
    let types: Vec<_> = own[0].iter().zip(&own[1]).map(|(a, b)| carried_type(&[*a, *b])).collect();
    dead.0.push(Replaced::Arguments(condition, own[0].len()));
    dead.0.push(Replaced::Arguments(body, own[1].len()));
    let tested = carry(walk, condition, &own[0], &types);
    let carried = carry(walk, body, &own[1], &types);
    let test = region(walk, condition, dead)?;
    let next = region(walk, body, dead)?;
    walk.move_to(op);
    let kept = kept_sizes(&inits, &carried, &next);
    for arguments in [&tested, &carried] {
        replace_sizes(walk, &stands_for(&inits, arguments, &kept), &inits, arguments);
    }
    let operands: Vec<_> = inits.iter().zip(&types).map(|(init, ty)| init.fit(&walk.b, *ty)).collect();
    let looped = walk.b.op_with_regions("scf.while", &operands, &types, &[], &[None, None]);
    for (to, from) in looped.regions().into_iter().zip(op.regions()) {
        to.take_body(from);
    }
    let test = test.first().ok_or_else(|| fx.error("has a condition that yields nothing"))?;
    let more = truth(&walk.b.inside(condition), test);
    end(walk.b, Some(condition), "scf.condition", &[more], &tested, &types);
    end(walk.b, Some(body), "scf.yield", &[], &next, &types);
    for (k, (result, value)) in op.results().into_iter().zip(looped.results()).enumerate() {
        finish(walk, result, value, &sizes_after(&inits[k], &carried[k], &kept[k]));
    }
    Ok(())
}

/// `fx.scan`, and `fx.map`, which carries nothing.
fn scan<'c>(walk: &mut Lower<'c>, fx: FxOp<'c>, dead: &mut Dead<'c>) -> Result {
    let op = fx.op;
    let inits = Item::all(walk, &fx.list("init"))?;
    let xs = fx.list("xs").into_iter().map(|x| walk.tensor(x)).collect::<Result<Vec<_>>>()?;
    let count = first_size(walk, fx, &xs)?;
    let body = block(fx, 0)?;
    let own = body.arguments();
    dead.0.push(Replaced::Arguments(body, own.len()));
    let iteration = body.add_argument(Type::index(walk.context()), op.location());
    let (carried, slices) = own.split_at(inits.len());
    let types: Vec<_> = carried.iter().map(|argument| carried_type(&[*argument])).collect();
    let carried = carry(walk, body, carried, &types);
    for (slice, x) in slices.iter().zip(&xs) {
        let row = row(walk, body, x, *slice, iteration);
        walk.set(*slice, row);
    }
    let mut next = region(walk, body, dead)?;
    let rows = next.split_off(inits.len());
    walk.move_to(op);
    let kept = kept_sizes(&inits, &carried, &next);
    let stands = stands_for(&inits, &carried, &kept);
    replace_sizes(walk, &stands, &inits, &carried);

    let mut types = types;
    let mut operands: Vec<_> = inits.iter().zip(&types).map(|(init, ty)| init.fit(&walk.b, *ty)).collect();
    let mut stacks = Vec::new();
    for (result, row) in op.results().into_iter().skip(inits.len()).zip(&rows) {
        let stack = stack(walk, fx, result, count, row, &stands)?;
        types.push(stack.value.ty());
        operands.push(stack.value);
        stacks.push(Tensor { value: body.add_argument(stack.value.ty(), op.location()), ..stack });
    }
    let bounds = [walk.b.index(0), walk.dim_value(count), walk.b.index(1)];
    let operands: Vec<_> = bounds.into_iter().chain(operands).collect();
    let looped = walk.b.op_with_regions("scf.for", &operands, &types, &[], &[None]);
    for (to, from) in looped.regions().into_iter().zip(op.regions()) {
        to.take_body(from);
    }
    let inside = walk.b.inside(body);
    for (stack, row) in stacks.iter().zip(&rows) {
        let value = insert(walk, &inside, stack, row, iteration);
        next.push(Item::Tensor(Tensor { value, ..stack.clone() }));
    }
    end(walk.b, Some(body), "scf.yield", &[], &next, &types);
    for (k, (result, value)) in op.results().into_iter().zip(looped.results()).enumerate() {
        let dims = match k.checked_sub(inits.len()) {
            Some(stacked) => stacks[stacked].dims.iter().copied().map(Some).collect(),
            None => sizes_after(&inits[k], &carried[k], &kept[k]),
        };
        finish(walk, result, value, &dims);
    }
    Ok(())
}

/// The number of runs: the first size of all `xs`, which is checked where types do not tell.
fn first_size<'c>(walk: &Lower<'c>, fx: FxOp<'c>, xs: &[Tensor<'c>]) -> Result<Dim<'c>> {
    let sizes: Vec<_> = xs.iter().map(|x| x.dims[0]).collect();
    let known = sizes.iter().find(|size| size.known().is_some()).or(sizes.first());
    let Some(count) = known.copied() else {
        return Err(fx.error("has no 'xs': nothing says how many runs there are"));
    };
    for size in sizes.into_iter().filter(|size| *size != count) {
        walk.check_equal(size, count, &format!("'{}' op expects equal first sizes", fx.op.name()));
    }
    Ok(count)
}

/// `x[iteration, ..]`, at the start of the body; the region's argument may know sizes.
fn row<'c>(walk: &mut Lower<'c>, body: Block<'c>, x: &Tensor<'c>, argument: Value<'c>, iteration: Value<'c>) -> Tensor<'c> {
    walk.b = body.ops().first().copied().map_or(walk.b, Builder::before);
    let sizes = x.dims[1..].iter().zip(argument.ty().shape());
    let dims: Vec<_> = sizes.map(|(dim, size)| if size == DYNAMIC { *dim } else { Dim::Static(size) }).collect();
    walk.map(&dims, x.element, &[], |inside, _| {
        let at: Vec<_> = std::iter::once(iteration).chain((0..dims.len()).map(|i| inside.index(i))).collect();
        inside.extract(x, &at)
    })
}

/// The tensor that rows are put into, before the loop.
fn stack<'c>(
    walk: &Lower<'c>,
    fx: FxOp<'c>,
    result: Value<'c>,
    count: Dim<'c>,
    row: &Item<'c>,
    stands: &HashMap<Value<'c>, Dim<'c>>,
) -> Result<Tensor<'c>> {
    let mut dims = vec![count];
    for (dim, size) in row.dims().iter().zip(result.ty().shape().into_iter().skip(1)) {
        let outside = match dim {
            _ if size != DYNAMIC => Some(Dim::Static(size)),
            Dim::Dynamic(value) => before(walk, fx.op, *value, stands).map(|value| walk.to_dim(value)),
            known => Some(*known),
        };
        dims.push(outside.ok_or_else(|| fx.error("stacks tensors whose sizes may differ from run to run"))?);
    }
    Ok(walk.empty(&dims, result.ty().element()))
}

/// A size that is computed inside of `op`, computed before it; none if that needs what only a run knows.
fn before<'c>(walk: &Lower<'c>, op: Op<'c>, value: Value<'c>, stands: &HashMap<Value<'c>, Dim<'c>>) -> Option<Value<'c>> {
    if let Some(dim) = stands.get(&value) {
        return Some(walk.dim_value(*dim));
    }
    let made = value.defining_op();
    let mut around = made.or_else(|| value.block_argument().and_then(|(block, _)| block.parent()));
    while let Some(current) = around.filter(|current| *current != op) {
        around = current.parent();
    }
    if around.is_none() {
        return Some(value);
    }
    let made = made.filter(|made| made.name().starts_with("arith."))?;
    let mut map = HashMap::new();
    for operand in made.operands() {
        map.insert(operand, before(walk, op, operand, stands)?);
    }
    Some(walk.b.clone_op(made, &mut map).result(0))
}

/// `stack` with `row` as its row `iteration`.
fn insert<'c>(walk: &Lower<'c>, b: &Builder<'c>, stack: &Tensor<'c>, row: &Item<'c>, iteration: Value<'c>) -> Value<'c> {
    let sizes = &stack.dims[1..];
    let row = row.fit(b, walk.tensor_type(sizes, stack.element));
    let dynamic: Vec<_> = sizes.iter().filter_map(|dim| if let Dim::Dynamic(value) = dim { Some(*value) } else { None }).collect();
    let operands: Vec<_> = [row, stack.value, iteration].into_iter().chain(dynamic.iter().copied()).collect();
    let context = b.context();
    let all = |first: i64, rest: &[i64]| Attribute::i64s(context, &[&[first], rest].concat());
    let attributes = [
        ("static_offsets", all(DYNAMIC, &vec![0; sizes.len()])),
        ("static_sizes", all(1, &type_shape(sizes))),
        ("static_strides", all(1, &vec![1; sizes.len()])),
        ("operandSegmentSizes", Attribute::i32s(context, &[1, 1, 1, dynamic.len() as i32, 0])),
    ];
    b.value("tensor.insert_slice", &operands, stack.value.ty(), &attributes)
}
