//! Sizes of tensors, estimated where they are known at run time only.
//!
//! They decide what is cheap, never what is right. A symbol has the size that is given for it, or one in its range; a size
//! that an op computes from others is computed here too, and what is left is guessed from the op's operands.

use std::collections::HashMap;

use fx_ir::{Attribute, DYNAMIC, Op, Type, Value};
use fx_ops::fx_op::{Dim, FxOp};
use fx_ops::table::size_read;

use crate::interface::Interface;

/// What a run-time size is if nothing is known of it.
const TYPICAL: u64 = 64;

/// Sizes of values.
#[derive(Default)]
pub struct Sizes<'c> {
    shapes: HashMap<Value<'c>, Vec<u64>>,
    numbers: HashMap<Value<'c>, i64>,
    symbols: HashMap<String, i64>,
}

impl<'c> Sizes<'c> {
    /// Starts with a function's arguments; `given` are sizes of symbols.
    pub fn new(interface: &Interface<'c>, given: &HashMap<String, u64>) -> Self {
        let ranges = interface.function.attribute("fx.symbols").and_then(Attribute::as_dictionary).unwrap_or_default();
        let range = |name: &str| ranges.iter().find(|(symbol, _)| *symbol == name)?.1.as_i64s();
        let size_of = |name: &str| {
            given.get(name).copied().unwrap_or_else(|| {
                let range = range(name).unwrap_or_default();
                let bound = |index: usize| range.get(index).and_then(|bound| u64::try_from(*bound).ok());
                TYPICAL.min(bound(1).unwrap_or(TYPICAL)).max(bound(0).unwrap_or(0))
            })
        };
        let symbols = ranges.iter().map(|(name, _)| ((*name).to_string(), size_of(name) as i64)).collect();
        let mut sizes = Self { symbols, ..Self::default() };
        for (index, argument) in interface.body.arguments().into_iter().enumerate() {
            let dims = interface.argument_attribute(index, "fx.dims").and_then(Attribute::as_array).unwrap_or_default();
            let named = |dim: usize| dims.get(dim).and_then(|name| name.as_str()).map(size_of);
            sizes.set(argument, &|dim| named(dim).unwrap_or(TYPICAL));
            if let Some(symbol) = interface.argument_text(index, "fx.symbol") {
                sizes.numbers.insert(argument, size_of(symbol) as i64);
            }
        }
        sizes
    }

    /// Sizes of all symbols.
    pub fn symbols(&self) -> &HashMap<String, i64> {
        &self.symbols
    }

    /// Sizes of a value; a number has none.
    pub fn shape(&self, value: Value<'c>) -> Vec<u64> {
        self.shapes.get(&value).cloned().unwrap_or_default()
    }

    fn set(&mut self, value: Value<'c>, unknown: &dyn Fn(usize) -> u64) {
        if value.ty().is_tensor() {
            let size = |(dim, size)| if size == DYNAMIC { unknown(dim) } else { u64::try_from(size).unwrap_or(0) };
            self.shapes.insert(value, value.ty().shape().into_iter().enumerate().map(size).collect());
        }
    }

    /// Finds the sizes and numbers that an op gives; its operands' are known.
    pub fn visit(&mut self, op: Op<'c>) {
        for result in op.results() {
            if !result.ty().is_tensor() {
                if let Some(number) = self.number(op) {
                    self.numbers.insert(result, number);
                }
                continue;
            }
            if !result.ty().shape().contains(&DYNAMIC) {
                self.set(result, &|_| 0);
                continue;
            }
            let shape = self.listed(op, result).or_else(|| self.permuted(op, result)).or_else(|| self.like_operand(op, result));
            self.set(result, &|dim| shape.as_ref().and_then(|shape| shape.get(dim).copied()).unwrap_or(TYPICAL));
        }
    }

    /// From the op's list of sizes, if it has one entry per dim; -1 is what is left of the elements.
    fn listed(&self, op: Op<'c>, result: Value<'c>) -> Option<Vec<u64>> {
        let fx = FxOp::new(op)?;
        let lists = op.attributes().into_iter().filter_map(|(name, _)| name.strip_prefix("static_"));
        let dims = lists.map(|name| fx.sizes(name)).find(|dims| dims.len() == result.ty().rank() && !dims.is_empty())?;
        let size = |dim: &Dim<'c>| match dim {
            Dim::Static(size) => Some(*size),
            Dim::Dynamic(value) => self.numbers.get(value).copied(),
        };
        let sizes: Vec<_> = dims.iter().map(size).collect::<Option<_>>()?;
        let known = sizes.iter().filter(|size| **size >= 0).fold(1, |product: u64, size| product.saturating_mul(*size as u64));
        let elements = op.operands().first().map_or(1, |input| self.shape(*input).iter().product());
        Some(sizes.into_iter().map(|size| u64::try_from(size).unwrap_or(elements / known.max(1))).collect())
    }

    /// From the operands: a run-time size at the same place, counted from the last, else any run-time size; the largest.
    fn like_operand(&self, op: Op<'c>, result: Value<'c>) -> Option<Vec<u64>> {
        let rank = result.ty().rank();
        let mut found = Vec::new();
        for operand in op.operands().into_iter().filter(|operand| operand.ty().is_tensor()) {
            let (ty, shape) = (operand.ty().shape(), self.shape(operand));
            let known = ty.iter().zip(shape).enumerate().filter(|(_, (fixed, _))| **fixed == DYNAMIC);
            found.extend(known.map(|(dim, (_, size))| (ty.len() - dim, size)));
        }
        let counts = op.operands().into_iter().filter_map(|operand| u64::try_from(*self.numbers.get(&operand)?).ok());
        let largest = found.iter().map(|(_, size)| *size).max().or_else(|| counts.max())?;
        let at = |dim: usize| found.iter().filter(|(from_end, _)| *from_end == rank - dim).map(|(_, size)| *size).max();
        Some((0..rank).map(|dim| at(dim).unwrap_or(largest)).collect())
    }

    /// The operand's sizes in another order, if that is all that the op does.
    fn permuted(&self, op: Op<'c>, result: Value<'c>) -> Option<Vec<u64>> {
        let (order, shape) = (op.ints("dims")?, self.shape(*op.operands().first()?));
        let rank = shape.len();
        let order: Vec<_> = order
            .into_iter()
            .map(|dim| usize::try_from(if dim < 0 { dim + rank as i64 } else { dim }))
            .collect::<std::result::Result<_, _>>()
            .ok()?;
        let is_permutation = order.len() == rank && result.ty().rank() == rank && (0..rank).all(|dim| order.contains(&dim));
        is_permutation.then(|| order.into_iter().map(|dim| shape[dim]).collect())
    }

    /// The result of arithmetic on sizes.
    fn number(&self, op: Op<'c>) -> Option<i64> {
        if let Some((tensor, dim)) = FxOp::new(op).and_then(size_read) {
            return i64::try_from(*self.shapes.get(&tensor)?.get(dim)?).ok();
        }
        let operands = op.operands();
        let number = |index: usize| self.numbers.get(operands.get(index)?).copied();
        match op.name() {
            "arith.constant" => op.attribute("value")?.as_int(),
            "tensor.dim" => {
                let dim = usize::try_from(number(1)?).ok()?;
                i64::try_from(*self.shapes.get(&operands[0])?.get(dim)?).ok()
            }
            "arith.addi" => number(0)?.checked_add(number(1)?),
            "arith.subi" => number(0)?.checked_sub(number(1)?),
            "arith.muli" => number(0)?.checked_mul(number(1)?),
            "arith.divsi" | "arith.floordivsi" | "arith.divui" => number(0)?.checked_div(number(1)?),
            "arith.remsi" | "arith.remui" => number(0)?.checked_rem(number(1)?),
            "arith.maxsi" => Some(number(0)?.max(number(1)?)),
            "arith.minsi" => Some(number(0)?.min(number(1)?)),
            "arith.index_cast" | "arith.extsi" | "arith.trunci" => number(0),
            _ => None,
        }
    }
}

/// Bits of an element in memory: bools take a byte.
pub fn element_bits(element: Type<'_>) -> u64 {
    u64::from(element.bit_width().max(8))
}
