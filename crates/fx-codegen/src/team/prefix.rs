//! What comes before each thread of a team: shuffles inside a warp, workgroup memory between warps.

use fx_ir::{Block, Result, Type, Value};

use super::{pack, shuffle, unpack, workgroup_buffer};
use crate::conditions::{EQUAL, compare};
use crate::emit_gpu::when;
use crate::eval::Eval;

/// Accumulators of two stretches, the earlier one first, as those of both.
pub type Join<'a, 'c> = dyn FnMut(&mut Eval<'c>, &[Value<'c>], &[Value<'c>]) -> Result<Vec<Value<'c>>> + 'a;

const LAST_LANE: i64 = 31;

/// A thread of a team that scans a row: some stretches each, and all threads' first ones come before their second ones.
pub struct Scanner<'c> {
    /// Its number in its warp.
    pub lane: Value<'c>,
    /// The number of its warp.
    pub warp: Value<'c>,
    /// Warps of the team; these times the stretches of a thread are at most 32.
    pub warps: i64,
    /// The function's block, whose last arguments are its workgroup buffers.
    pub block: Block<'c>,
}

/// How a part of a row follows on the part before it.
pub struct Turn<'a, 'c> {
    /// Accumulators of what comes before it.
    pub carried: &'a [Value<'c>],
    /// Its number modulo 2, if others follow: two of them need one barrier if each has memory of its own.
    pub parity: Option<Value<'c>>,
}

impl<'c> Scanner<'c> {
    /// Accumulators of all that comes before each of this thread's stretches, and of the whole turn if others follow.
    ///
    /// # Errors
    /// If the gpu dialect is absent, or accumulators cannot be joined: reported.
    pub fn before_each(
        &self,
        eval: &mut Eval<'c>,
        stretches: &[Vec<Value<'c>>],
        turn: &Turn<'_, 'c>,
        join: &mut Join<'_, 'c>,
    ) -> Result<(Vec<Vec<Value<'c>>>, Vec<Value<'c>>)> {
        let mut in_warp = Vec::new();
        for stretch in stretches {
            in_warp.push(up_to_each(eval, stretch, 32, join)?);
        }
        let starts =
            if self.warps == 1 { self.by_shuffles(eval, &in_warp, turn, join) } else { self.by_memory(eval, &in_warp, turn, join) };
        let (starts, all) = starts?;
        let mut before = Vec::new();
        for (start, own) in starts.iter().zip(&in_warp) {
            let (previous, there) = shuffled(eval, own, "up", 1)?;
            let joined = join(eval, start, &previous)?;
            before.push(choose(eval, there, &joined, start));
        }
        Ok((before, all))
    }

    /// What comes before the warp's stretches, where the team is one warp.
    fn by_shuffles(
        &self,
        eval: &mut Eval<'c>,
        in_warp: &[Vec<Value<'c>>],
        turn: &Turn<'_, 'c>,
        join: &mut Join<'_, 'c>,
    ) -> Result<(Vec<Vec<Value<'c>>>, Vec<Value<'c>>)> {
        let mut starts = vec![turn.carried.to_vec()];
        let needed = in_warp.len() - usize::from(turn.parity.is_none());
        for (k, own) in in_warp.iter().enumerate().take(needed) {
            let (total, _) = shuffled(eval, own, "idx", LAST_LANE)?;
            let next = join(eval, &starts[k], &total)?;
            starts.push(next);
        }
        let all = if turn.parity.is_some() { starts.pop().unwrap_or_default() } else { Vec::new() };
        Ok((starts, all))
    }

    /// The same for several warps: each leaves its totals in memory, and scans those of all.
    fn by_memory(
        &self,
        eval: &mut Eval<'c>,
        in_warp: &[Vec<Value<'c>>],
        turn: &Turn<'_, 'c>,
        join: &mut Join<'_, 'c>,
    ) -> Result<(Vec<Vec<Value<'c>>>, Vec<Value<'c>>)> {
        let count = self.warps * in_warp.len() as i64;
        let first = match turn.parity {
            Some(parity) => {
                let count = eval.index(count);
                eval.mul(parity, count)
            }
            None => eval.index(0),
        };
        let length = if turn.parity.is_some() { 2 * count } else { count };
        let mut buffers = Vec::new();
        for value in turn.carried {
            let packed = pack(&eval.b, *value).ty();
            buffers.push(workgroup_buffer(&eval.b, self.block, length, packed)?);
        }
        let last = eval.index(LAST_LANE);
        when(eval, EQUAL, self.lane, last, |eval| {
            for (k, own) in in_warp.iter().enumerate() {
                let group = eval.index(k as i64 * self.warps);
                let group = eval.add(first, group);
                let slot = eval.add(group, self.warp);
                for (buffer, value) in buffers.iter().zip(own) {
                    let packed = pack(&eval.b, *value);
                    eval.b.op("memref.store", &[packed, *buffer, slot], &[], &[]);
                }
            }
            Ok(())
        })?;
        eval.b.op("gpu.barrier", &[], &[], &[]);
        let highest = eval.index(count - 1);
        let own = if count == 32 { self.lane } else { eval.b.value("arith.minui", &[self.lane, highest], highest.ty(), &[]) };
        let slot = eval.add(first, own);
        let load = |(buffer, value): (&Value<'c>, &Value<'c>)| {
            let loaded = eval.b.value("memref.load", &[*buffer, slot], buffer.ty().element(), &[]);
            unpack(&eval.b, loaded, value.ty())
        };
        let totals: Vec<_> = buffers.iter().zip(turn.carried).map(load).collect();
        let totals = up_to_each(eval, &totals, count, join)?;
        let word = Type::int(eval.context(), 32);
        let warp = eval.b.value("arith.index_cast", &[self.warp], word, &[]);
        let mut starts = Vec::new();
        for k in 0..in_warp.len() as i64 {
            let back = eval.b.int(word, k * self.warps - 1);
            let previous = eval.b.value("arith.addi", &[warp, back], word, &[]);
            let (before, _) = shuffled_by(eval, &totals, "idx", previous)?;
            let joined = join(eval, turn.carried, &before)?;
            if k > 0 {
                starts.push(joined);
                continue;
            }
            let none = eval.index(0);
            let is_first = compare(eval, EQUAL, self.warp, none);
            starts.push(choose(eval, is_first, turn.carried, &joined));
        }
        if turn.parity.is_none() {
            return Ok((starts, Vec::new()));
        }
        let (all, _) = shuffled(eval, &totals, "idx", count - 1)?;
        let all = join(eval, turn.carried, &all)?;
        Ok((starts, all))
    }
}

/// Accumulators of the first lanes up to each of `lanes`.
fn up_to_each<'c>(eval: &mut Eval<'c>, own: &[Value<'c>], lanes: i64, join: &mut Join<'_, 'c>) -> Result<Vec<Value<'c>>> {
    let mut own = own.to_vec();
    for distance in [1, 2, 4, 8, 16].into_iter().filter(|distance| *distance < lanes) {
        let (other, there) = shuffled(eval, &own, "up", distance)?;
        let joined = join(eval, &other, &own)?;
        own = choose(eval, there, &joined, &own);
    }
    Ok(own)
}

fn shuffled<'c>(eval: &Eval<'c>, values: &[Value<'c>], mode: &str, lane: i64) -> Result<(Vec<Value<'c>>, Value<'c>)> {
    let lane = eval.b.int(Type::int(eval.context(), 32), lane);
    shuffled_by(eval, values, mode, lane)
}

/// Another lane's accumulators, and whether there is that lane.
fn shuffled_by<'c>(eval: &Eval<'c>, values: &[Value<'c>], mode: &str, lane: Value<'c>) -> Result<(Vec<Value<'c>>, Value<'c>)> {
    let mut there = lane;
    let mut others = Vec::new();
    for value in values.iter().rev() {
        let other;
        (other, there) = shuffle(&eval.b, *value, mode, lane)?;
        others.push(other);
    }
    others.reverse();
    Ok((others, there))
}

fn choose<'c>(eval: &Eval<'c>, condition: Value<'c>, values: &[Value<'c>], others: &[Value<'c>]) -> Vec<Value<'c>> {
    let pairs = values.iter().zip(others);
    pairs.map(|(value, other)| eval.b.value("arith.select", &[condition, *value, *other], value.ty(), &[])).collect()
}
