//! Reading `linalg.generic` and its kin: loops, maps, sizes, captured values.

use std::collections::HashSet;

use fx_ir::{AffineResult, Attribute, Block, Builder, DYNAMIC, Op, Type, Value};
use fx_ops::fx_op::Dim;

/// A `linalg.generic` with its parts.
#[derive(Clone)]
pub struct Generic<'c> {
    /// The op.
    pub op: Op<'c>,
    /// Operands that are read.
    pub inputs: Vec<Value<'c>>,
    /// Operands that give the results' sizes, and a reduction's first value.
    pub outputs: Vec<Value<'c>>,
    /// One map per operand, inputs first.
    pub maps: Vec<Vec<AffineResult>>,
    /// Per loop: whether it is reduced.
    pub reduced: Vec<bool>,
}

impl<'c> Generic<'c> {
    /// The op as a generic; none if it is something else.
    pub fn new(op: Op<'c>) -> Option<Self> {
        if op.name() != "linalg.generic" {
            return None;
        }
        let maps = op.attribute("indexing_maps")?.as_array()?.into_iter().map(Attribute::as_affine_map).collect::<Option<Vec<_>>>()?;
        let reduced = op.attribute("iterator_types")?.as_array()?.iter().map(|kind| kind.to_string().contains("reduction")).collect();
        let operands = op.operands();
        let count = operands.len() - op.results().len();
        Some(Self { op, inputs: operands[..count].to_vec(), outputs: operands[count..].to_vec(), maps, reduced })
    }

    /// Whether it has a reduced loop.
    pub fn is_reduction(&self) -> bool {
        self.reduced.contains(&true)
    }

    /// Whether its body has run-time checks.
    pub fn has_checks(&self) -> bool {
        has_checks(self.op)
    }

    /// Its block.
    pub fn body(&self) -> Option<Block<'c>> {
        self.op.body(0)
    }

    /// Number of loops that are not reduced; they come first.
    pub fn parallel_count(&self) -> usize {
        self.reduced.iter().filter(|reduced| !**reduced).count()
    }

    /// Size of every loop. A size that a type states wins; else the last operand that has it as a dimension tells: sizes of
    /// outputs are those that the program computes with, inputs may only have equal ones.
    pub fn loop_dims(&self, b: &Builder<'c>) -> Vec<Dim<'c>> {
        let operands: Vec<_> = self.inputs.iter().chain(&self.outputs).copied().collect();
        (0..self.reduced.len())
            .map(|i| {
                let place = |map: &Vec<AffineResult>| map.iter().position(|result| *result == AffineResult::Dim(i));
                let places: Vec<_> = operands.iter().zip(&self.maps).filter_map(|(operand, map)| Some((*operand, place(map)?))).collect();
                let known = places.iter().map(|(operand, d)| operand.ty().shape()[*d]).find(|size| *size != DYNAMIC);
                match (known, places.last()) {
                    (Some(size), _) => Dim::Static(size),
                    (None, Some((operand, d))) => dims_of(*operand, b)[*d],
                    (None, None) => Dim::Static(1),
                }
            })
            .collect()
    }
}

/// Whether an op's regions have run-time checks.
pub fn has_checks(op: Op<'_>) -> bool {
    let mut found = false;
    op.walk(&mut |inner| found |= inner.name() == "cf.assert");
    found
}

/// Values used inside an op's regions that are defined outside it.
pub fn captured<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    let mut inside: HashSet<Value<'c>> = HashSet::new();
    for region in op.regions() {
        for block in region.blocks() {
            inside.extend(block.arguments());
        }
    }
    op.walk(&mut |inner| {
        inside.extend(inner.results());
        for region in inner.regions() {
            for block in region.blocks() {
                inside.extend(block.arguments());
            }
        }
    });
    let mut seen = HashSet::new();
    let mut outside = Vec::new();
    op.walk(&mut |inner| {
        for value in inner.operands() {
            if !inside.contains(&value) && seen.insert(value) {
                outside.push(value);
            }
        }
    });
    outside
}

/// Operands and captured values.
pub fn used_values<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    let mut values = op.operands();
    values.extend(captured(op));
    values
}

/// Sizes of a tensor as values that exist where `b` builds; sizes that nothing names are read by `tensor.dim`.
pub fn dims_of<'c>(value: Value<'c>, b: &Builder<'c>) -> Vec<Dim<'c>> {
    let shape = value.ty().shape();
    if !shape.contains(&DYNAMIC) {
        return shape.into_iter().map(Dim::Static).collect();
    }
    let fill = |dynamic: &mut dyn Iterator<Item = Value<'c>>| -> Option<Vec<Dim<'c>>> {
        shape.iter().map(|size| if *size == DYNAMIC { dynamic.next().map(to_dim) } else { Some(Dim::Static(*size)) }).collect()
    };
    let Some(op) = value.defining_op() else { return argument_dims(value, b) };
    let named = match op.name() {
        "tensor.empty" => fill(&mut op.operands().into_iter()),
        "tensor.expand_shape" => fill(&mut op.operands().into_iter().skip(1)),
        "linalg.fill" => Some(dims_of(op.operand(1), b)),
        "linalg.generic" => {
            let index = value.result_index().unwrap_or(0);
            let operands = op.operands();
            Some(dims_of(operands[operands.len() - op.results().len() + index], b))
        }
        "tensor.cast" => {
            let source = dims_of(op.operand(0), b);
            Some(shape.iter().zip(source).map(|(size, dim)| if *size == DYNAMIC { dim } else { Dim::Static(*size) }).collect())
        }
        "tensor.collapse_shape" => collapsed_dims(op, b),
        "func.call" | "fx.call" => call_dims(value, op, b),
        _ => None,
    };
    named.unwrap_or_else(|| read_dims(value, b))
}

fn to_dim<'c>(value: Value<'c>) -> Dim<'c> {
    value.constant().and_then(Attribute::as_int).map_or(Dim::Dynamic(value), Dim::Static)
}

/// Members of each group of a reshape's larger side.
pub fn reassociation(op: Op<'_>) -> Vec<Vec<usize>> {
    let groups = op.attribute("reassociation").and_then(Attribute::as_array).unwrap_or_default();
    groups
        .into_iter()
        .map(|group| group.as_array().unwrap_or_default().into_iter().filter_map(Attribute::as_int).map(|i| i as usize).collect())
        .collect()
}

fn collapsed_dims<'c>(op: Op<'c>, b: &Builder<'c>) -> Option<Vec<Dim<'c>>> {
    let source = dims_of(op.operand(0), b);
    let index = Type::index(b.context());
    let dims = reassociation(op)
        .into_iter()
        .map(|group| {
            group.into_iter().map(|i| source[i]).fold(Dim::Static(1), |product, dim| match (product, dim) {
                (Dim::Static(x), Dim::Static(y)) => Dim::Static(x.saturating_mul(y)),
                (Dim::Static(1), other) | (other, Dim::Static(1)) => other,
                (x, y) => known_product(x, y, op)
                    .unwrap_or_else(|| Dim::Dynamic(b.value("arith.muli", &[as_value(x, b), as_value(y, b)], index, &[]))),
            })
        })
        .collect();
    Some(dims)
}

/// The product of two run-time sizes that the program computed before `op`: equal sizes stay equal values.
fn known_product<'c>(x: Dim<'c>, y: Dim<'c>, op: Op<'c>) -> Option<Dim<'c>> {
    let (Dim::Dynamic(x), Dim::Dynamic(y)) = (x, y) else { return None };
    let is_product = |user: Op<'c>| {
        user.name() == "arith.muli" && matches!((user.operand(0), user.operand(1)), pair if pair == (x, y) || pair == (y, x))
    };
    let candidates: Vec<_> =
        x.uses().into_iter().map(|(user, _)| user).filter(|user| is_product(*user) && user.block() == op.block()).collect();
    if candidates.is_empty() {
        return None;
    }
    let before = op.block()?.ops().into_iter().take_while(|other| *other != op);
    before.into_iter().find(|other| candidates.contains(other)).map(|product| Dim::Dynamic(product.result(0)))
}

/// A size as an `index` value.
pub fn as_value<'c>(dim: Dim<'c>, b: &Builder<'c>) -> Value<'c> {
    match dim {
        Dim::Static(size) => b.index(size),
        Dim::Dynamic(value) => value,
    }
}

/// Sizes of a call's result: which operand of the call each is, or `?` where only the result says.
fn call_dims<'c>(value: Value<'c>, call: Op<'c>, b: &Builder<'c>) -> Option<Vec<Dim<'c>>> {
    let dims = call.attribute("fx.result_dims")?.as_array()?.get(value.result_index()?)?.as_array()?;
    let operands = call.operands();
    dims.into_iter()
        .enumerate()
        .map(|(i, dim)| match dim.as_str() {
            Some("?") => Some(read_dim(value, i, b)),
            Some(name) => operands.get(name.strip_prefix("arg")?.parse::<usize>().ok()?).map(|value| to_dim(*value)),
            None => dim.as_int().map(Dim::Static),
        })
        .collect()
}

/// Sizes of an argument: the one `tensor.dim` of each symbol, where the function has it.
fn argument_dims<'c>(value: Value<'c>, b: &Builder<'c>) -> Vec<Dim<'c>> {
    let Some((block, index)) = value.block_argument() else { return read_dims(value, b) };
    let Some(function) = block.parent().filter(|op| op.name() == "func.func") else { return read_dims(value, b) };
    let names = |i: usize| {
        let attributes = function.attribute("arg_attrs").and_then(Attribute::as_array)?;
        let entry = attributes.get(i)?.as_dictionary()?;
        entry.iter().find(|(name, _)| *name == "fx.dims").and_then(|(_, dims)| dims.as_array())
    };
    let own = names(index).unwrap_or_default();
    let known: Vec<(String, Value<'c>)> = block
        .ops()
        .into_iter()
        .filter(|op| op.name() == "tensor.dim")
        .filter_map(|op| {
            let (_, argument) = op.operand(0).block_argument()?;
            let dim = op.operand(1).constant()?.as_int()?;
            Some((names(argument)?.get(dim as usize)?.as_str()?.to_string(), op.result(0)))
        })
        .collect();
    value
        .ty()
        .shape()
        .into_iter()
        .enumerate()
        .map(|(i, size)| {
            let symbol = own.get(i).and_then(|dim| dim.as_str());
            let found = known.iter().find(|(name, _)| Some(name.as_str()) == symbol).map(|(_, value)| Dim::Dynamic(*value));
            if size == DYNAMIC { found.unwrap_or_else(|| read_dim(value, i, b)) } else { Dim::Static(size) }
        })
        .collect()
}

fn read_dim<'c>(value: Value<'c>, i: usize, b: &Builder<'c>) -> Dim<'c> {
    // An existing read is reused, so that equal sizes stay equal values; not one inside of another region.
    let mut around = Vec::new();
    let mut block = b.block();
    while let Some(current) = block {
        around.push(current);
        block = current.parent().and_then(Op::block);
    }
    for (user, operand) in value.uses() {
        if !user.block().is_some_and(|block| around.contains(&block)) {
            continue;
        }
        if user.name() == "tensor.dim" && operand == 0 && user.operand(1).constant().and_then(Attribute::as_int) == Some(i as i64) {
            return Dim::Dynamic(user.result(0));
        }
    }
    let index = b.index(i as i64);
    Dim::Dynamic(b.value("tensor.dim", &[value, index], index.ty(), &[]))
}

fn read_dims<'c>(value: Value<'c>, b: &Builder<'c>) -> Vec<Dim<'c>> {
    let shape = value.ty().shape();
    shape.into_iter().enumerate().map(|(i, size)| if size == DYNAMIC { read_dim(value, i, b) } else { Dim::Static(size) }).collect()
}
