//! Reductions by a team of threads: shuffles inside a warp, workgroup memory between warps.

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Builder, Op, Result, Type, Value, emit_error};

use crate::generic::Generic;

pub mod cluster;
pub mod copies;
pub mod prefix;

/// The associative and commutative op by which a reduction combines.
pub struct Combiner<'c> {
    /// The op in the reduction's body.
    op: Op<'c>,
}

/// Associative ops, and the double that is neutral for floats.
const FLOAT_COMBINERS: &[(&str, f64)] = &[
    ("arith.addf", -0.0), // 0 + -0 is 0, but -0 + -0 is -0
    ("arith.mulf", 1.0),
    ("arith.maximumf", f64::NEG_INFINITY),
    ("arith.minimumf", f64::INFINITY),
    ("arith.maxnumf", f64::NEG_INFINITY),
    ("arith.minnumf", f64::INFINITY),
];

/// The neutral integer of an associative op on `width` bits.
fn neutral_int(name: &str, width: u32) -> Option<i64> {
    let bits = width.min(64);
    let signed_max = if bits < 2 { 0 } else { i64::MAX >> (64 - bits) };
    Some(match name {
        "arith.addi" | "arith.ori" | "arith.xori" | "arith.maxui" => 0,
        "arith.muli" => 1,
        "arith.andi" | "arith.minui" => -1,
        "arith.maxsi" => !signed_max,
        "arith.minsi" => signed_max,
        _ => return None,
    })
}

/// One combiner per result of a reduction; none if its body is something else.
pub fn combiners<'c>(generic: &Generic<'c>) -> Option<Vec<Combiner<'c>>> {
    let block = generic.body()?;
    let accumulators = &block.arguments()[generic.inputs.len()..];
    let yielded = block.terminator()?.operands();
    let found = yielded.into_iter().zip(accumulators).map(|(value, accumulator)| {
        let op = value.defining_op().filter(|op| op.block() == Some(block))?;
        let alone = accumulator.uses().len() == 1 && op.operands().contains(accumulator) && op.operand_count() == 2;
        let combiner = Combiner { op };
        (alone && combiner.neutral_attribute().is_some()).then_some(combiner)
    });
    found.collect()
}

impl<'c> Combiner<'c> {
    fn ty(&self) -> Type<'c> {
        self.op.result(0).ty()
    }

    /// What changes nothing when combined, as a constant; none if the op is no combiner.
    pub fn neutral_attribute(&self) -> Option<Attribute<'c>> {
        let (ty, name) = (self.ty(), self.op.name());
        if ty.is_float() {
            let (_, value) = FLOAT_COMBINERS.iter().find(|(known, _)| *known == name)?;
            return Some(Attribute::float(self.op.context(), ty, *value));
        }
        if !ty.is_index() && !ty.is_integer() {
            return None;
        }
        let value = neutral_int(name, if ty.is_index() { 64 } else { ty.bit_width() })?;
        Some(if ty.is_bool() { Attribute::int(ty, value & 1) } else { Attribute::int(ty, value) })
    }

    /// What changes nothing when combined.
    pub fn neutral(&self, b: &Builder<'c>) -> Value<'c> {
        match self.neutral_attribute() {
            Some(value) => b.constant(value, self.ty()),
            None => b.number(self.ty(), 0.0),
        }
    }

    /// `a op b`
    pub fn combine(&self, b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        let mut map = HashMap::from([(self.op.operand(0), left), (self.op.operand(1), right)]);
        b.clone_op(self.op, &mut map).result(0)
    }
}

/// Unsigned, as a predicate of `arith.cmpi`.
const AT_MOST: i64 = 7;

/// Where the threads of a team meet.
#[derive(Clone, Copy)]
pub enum Meeting<'c> {
    /// The team is a part of a warp, a warp, or all warps of a block: shuffles, then workgroup memory.
    Block,
    /// The team is this lane of each warp of a block: workgroup memory.
    Lane(Value<'c>),
    /// The team is all warps of a block where this holds, for all of its threads, else a warp.
    BlockIf(Value<'c>),
}

/// The threads that work on one row.
pub struct Team<'c> {
    /// Where code goes.
    pub b: Builder<'c>,
    /// The thread's number in its team.
    pub thread: Value<'c>,
    /// Threads of the team: a power of two up to a warp, where they are neighbours in it, or some warps.
    pub threads: i64,
    /// Where they meet.
    pub meeting: Meeting<'c>,
    /// The function's block, whose last arguments are its workgroup buffers.
    pub block: Block<'c>,
}

impl<'c> Team<'c> {
    /// All threads' values combined, known to all of them: of each combiner its own.
    ///
    /// The threads meet once, whatever the number of values. Each has a buffer of its own: were it used twice, a second barrier
    /// would have to come between.
    ///
    /// # Errors
    /// If the gpu dialect is absent: reported.
    pub fn all_reduce(&self, values: &[(&Combiner<'c>, Value<'c>)]) -> Result<Vec<Value<'c>>> {
        if let Meeting::Lane(lane) = self.meeting {
            return self.lane_reduce(values, lane);
        }
        let mut values = values.to_vec();
        for offset in [16, 8, 4, 2, 1].into_iter().filter(|offset| *offset < self.threads) {
            self.join_lanes(&mut values, offset)?;
        }
        let warps = self.threads / 32;
        if warps <= 1 {
            return Ok(values.into_iter().map(|(_, value)| value).collect());
        }
        let Meeting::BlockIf(is_block) = self.meeting else { return self.join_warps(values, warps) };
        let (alone, types): (Vec<_>, Vec<_>) = values.iter().map(|(_, value)| (*value, value.ty())).unzip();
        let op = self.b.op_with_regions("scf.if", &[is_block], &types, &[], &[Some(&[]), Some(&[])]);
        let (Some(yes), Some(no)) = (op.body(0), op.body(1)) else { return Ok(alone) };
        let b = self.b.inside(yes);
        b.op("scf.yield", &Team { b, ..*self }.join_warps(values, warps)?, &[], &[]);
        self.b.inside(no).op("scf.yield", &alone, &[], &[]);
        Ok(op.results())
    }

    /// What each warp has combined, with those of all warps.
    fn join_warps(&self, mut values: Vec<(&Combiner<'c>, Value<'c>)>, warps: i64) -> Result<Vec<Value<'c>>> {
        let b = self.b;
        let warp = b.value("arith.divui", &[self.thread, b.index(32)], self.thread.ty(), &[]);
        // every lane stores the same
        let buffers = values.iter().map(|(_, value)| self.shared(*value, warps, warp)).collect::<Result<Vec<_>>>()?;
        b.op("gpu.barrier", &[], &[], &[]);
        // A part of each warp takes the values of all warps: a power of two, the last ones of which may have none.
        let part = u64::try_from(warps).unwrap_or(1).next_power_of_two() as i64;
        let slot = b.value("arith.remui", &[self.thread, b.index(part)], self.thread.ty(), &[]);
        let last = b.index(warps - 1);
        let own = if part == warps { slot } else { b.value("arith.minui", &[slot, last], slot.ty(), &[]) };
        for ((combiner, value), buffer) in values.iter_mut().zip(buffers) {
            *value = fetched(&b, buffer, own, value.ty());
            if part != warps {
                let predicate = ("predicate", Attribute::i64(b.context(), AT_MOST));
                let has_one = b.value("arith.cmpi", &[slot, last], Type::int(b.context(), 1), &[predicate]);
                *value = b.value("arith.select", &[has_one, *value, combiner.neutral(&b)], value.ty(), &[]);
            }
        }
        let mut offset = part / 2;
        while offset > 0 {
            self.join_lanes(&mut values, offset)?;
            offset /= 2;
        }
        Ok(values.into_iter().map(|(_, value)| value).collect())
    }

    /// The values of one lane in all warps combined, in the order of warps.
    fn lane_reduce(&self, values: &[(&Combiner<'c>, Value<'c>)], lane: Value<'c>) -> Result<Vec<Value<'c>>> {
        let b = self.b;
        let place = |warp: Value<'c>| {
            let start = b.value("arith.muli", &[warp, b.index(32)], warp.ty(), &[]);
            b.value("arith.addi", &[start, lane], warp.ty(), &[])
        };
        let own = place(self.thread);
        let buffers = values.iter().map(|(_, value)| self.shared(*value, self.threads * 32, own)).collect::<Result<Vec<_>>>()?;
        b.op("gpu.barrier", &[], &[], &[]);
        let total = |((combiner, value), buffer): (&(&Combiner<'c>, Value<'c>), Value<'c>)| {
            let load = |warp: i64| fetched(&b, buffer, place(b.index(warp)), value.ty());
            (1..self.threads).fold(load(0), |total, warp| combiner.combine(&b, total, load(warp)))
        };
        Ok(values.iter().zip(buffers).map(total).collect())
    }

    /// A new workgroup buffer of `length` values, with this one at a place.
    fn shared(&self, value: Value<'c>, length: i64, place: Value<'c>) -> Result<Value<'c>> {
        let packed = pack(&self.b, value);
        let buffer = workgroup_buffer(&self.b, self.block, length, packed.ty())?;
        self.b.op("memref.store", &[packed, buffer, place], &[], &[]);
        Ok(buffer)
    }

    /// Combines values with those of the lanes whose numbers differ in the bits of `offset`.
    fn join_lanes(&self, values: &mut [(&Combiner<'c>, Value<'c>)], offset: i64) -> Result {
        for (combiner, value) in values {
            let other = self.shuffle(*value, offset)?;
            *value = combiner.combine(&self.b, *value, other);
        }
        Ok(())
    }

    /// The value of the lane whose number differs in the bits of `offset`.
    fn shuffle(&self, value: Value<'c>, offset: i64) -> Result<Value<'c>> {
        let offset = self.b.int(Type::int(self.b.context(), 32), offset);
        exchanged(&self.b, value, offset)
    }
}

/// The value of the lane whose number differs in the bits of `offset`, a number of 32 bits.
///
/// # Errors
/// If the gpu dialect is absent: reported.
pub fn exchanged<'c>(b: &Builder<'c>, value: Value<'c>, offset: Value<'c>) -> Result<Value<'c>> {
    shuffle(b, value, "xor", offset).map(|(other, _)| other)
}

/// The value of another lane, by a mode of `gpu.shuffle`, and whether there is that lane.
fn shuffle<'c>(b: &Builder<'c>, value: Value<'c>, mode: &str, offset: Value<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let packed = pack(b, value);
    let (word, double) = (Type::int(b.context(), 32), Type::int(b.context(), 64));
    if packed.ty().bit_width() <= 32 {
        let (other, there) = shuffle_word(b, packed, mode, offset)?;
        return Ok((unpack(b, other, value.ty()), there));
    }
    let half = b.int(double, 32);
    let (low, there) = shuffle_word(b, b.value("arith.trunci", &[packed], word, &[]), mode, offset)?;
    let high = b.value("arith.shrui", &[packed, half], double, &[]);
    let (high, _) = shuffle_word(b, b.value("arith.trunci", &[high], word, &[]), mode, offset)?;
    let low = b.value("arith.extui", &[low], double, &[]);
    let high = b.value("arith.extui", &[high], double, &[]);
    let high = b.value("arith.shli", &[high, half], double, &[]);
    Ok((unpack(b, b.value("arith.ori", &[low, high], double, &[]), value.ty()), there))
}

fn shuffle_word<'c>(b: &Builder<'c>, word: Value<'c>, mode: &str, offset: Value<'c>) -> Result<(Value<'c>, Value<'c>)> {
    let context = b.context();
    let mode = parse(b, &format!("#gpu<shuffle_mode {mode}>"))?;
    let width = b.int(Type::int(context, 32), 32);
    let op = b.op("gpu.shuffle", &[word, offset, width], &[word.ty(), Type::int(context, 1)], &[("mode", mode)]);
    Ok((op.result(0), op.result(1)))
}

/// A new buffer of the function: an argument of its block.
///
/// # Errors
/// If the gpu dialect is absent: reported.
pub fn workgroup_buffer<'c>(b: &Builder<'c>, block: Block<'c>, length: i64, element: Type<'c>) -> Result<Value<'c>> {
    Ok(block.add_argument(workgroup_memory(b, length, element)?, b.location()))
}

/// The type of workgroup memory.
///
/// # Errors
/// If the gpu dialect is absent: reported.
pub fn workgroup_memory<'c>(b: &Builder<'c>, length: i64, element: Type<'c>) -> Result<Type<'c>> {
    let space = parse(b, "#gpu.address_space<workgroup>")?;
    Ok(Type::memref(&[length], element, Some(space)))
}

fn parse<'c>(b: &Builder<'c>, text: &str) -> Result<Attribute<'c>> {
    Attribute::parse(b.context(), text).ok_or_else(|| emit_error(b.location(), &format!("internal bug: '{text}' is no attribute"), &[]))
}

/// A number that was packed into a buffer.
fn fetched<'c>(b: &Builder<'c>, buffer: Value<'c>, place: Value<'c>, ty: Type<'c>) -> Value<'c> {
    unpack(b, b.value("memref.load", &[buffer, place], buffer.ty().element(), &[]), ty)
}

/// A number as what a shuffle moves: `f32`, `i32` or `i64`.
fn pack<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let (ty, context) = (value.ty(), b.context());
    let (word, double) = (Type::int(context, 32), Type::int(context, 64));
    if ty.is_f32() || ty == word || ty == double {
        return value;
    }
    if ty.is_index() {
        return b.value("arith.index_cast", &[value], double, &[]);
    }
    let bits = if ty.is_float() { b.value("arith.bitcast", &[value], Type::int(context, ty.bit_width()), &[]) } else { value };
    if bits.ty().bit_width() < 32 { b.value("arith.extui", &[bits], word, &[]) } else { bits }
}

/// The number that [`pack`] packed.
fn unpack<'c>(b: &Builder<'c>, packed: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if packed.ty() == ty {
        return packed;
    }
    if ty.is_index() {
        return b.value("arith.index_cast", &[packed], ty, &[]);
    }
    let bits = Type::int(b.context(), ty.bit_width());
    let value = if packed.ty() == bits { packed } else { b.value("arith.trunci", &[packed], bits, &[]) };
    if ty.is_float() { b.value("arith.bitcast", &[value], ty, &[]) } else { value }
}
