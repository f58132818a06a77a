//! Indices that a body computes from its loops, as sums.

use std::collections::BTreeMap;

use fx_ir::{Attribute, Value};

use crate::conditions::{SIGNED_AT_LEAST, SIGNED_LESS};

/// `constant + sum of factor * loop`; loops with a factor of 0 are not in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    /// What is added.
    pub constant: i64,
    /// The factor of each loop.
    pub loops: BTreeMap<usize, i64>,
}

impl Affine {
    /// An `index` of a body; none if it is no such sum.
    pub fn of(value: Value<'_>) -> Option<Self> {
        if let Some(constant) = value.constant() {
            return Some(Self { constant: constant.as_int()?, loops: BTreeMap::new() });
        }
        let op = value.defining_op()?;
        let part = |i: usize| Self::of(op.operand(i));
        match op.name() {
            "linalg.index" => Some(Self { constant: 0, loops: BTreeMap::from([(usize::try_from(op.int("dim")?).ok()?, 1)]) }),
            "arith.addi" => part(0)?.plus(&part(1)?, 1),
            "arith.subi" => part(0)?.plus(&part(1)?, -1),
            "arith.muli" => {
                let (a, b) = (part(0)?, part(1)?);
                let (sum, factor) = if b.loops.is_empty() { (a, b.constant) } else { (b, a.as_constant()?) };
                Self { constant: 0, loops: BTreeMap::new() }.plus(&sum, factor)
            }
            _ => None,
        }
    }

    fn as_constant(&self) -> Option<i64> {
        self.loops.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let add = |a: i64, b: i64| a.checked_add(b.checked_mul(factor)?);
        let mut sum = self.clone();
        sum.constant = add(sum.constant, other.constant)?;
        for (i, own) in &other.loops {
            let entry = sum.loops.entry(*i).or_default();
            *entry = add(*entry, *own)?;
        }
        sum.loops.retain(|_, factor| *factor != 0);
        Some(sum)
    }
}

/// A bound of an index: `value >= 0`, or `value < size`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is not below 0.
    Low(Affine),
    /// It is below a size.
    High(Affine, i64),
}

/// The bounds that a condition of a body says hold together; none if it says anything else.
pub fn bounds(condition: Value<'_>, found: &mut Vec<Bound>) -> Option<()> {
    let op = condition.defining_op()?;
    match op.name() {
        "arith.andi" => op.operands().into_iter().try_for_each(|part| bounds(part, found)),
        "arith.cmpi" => {
            let limit = op.operand(1).constant().and_then(Attribute::as_int)?;
            let value = Affine::of(op.operand(0))?;
            found.push(match op.int("predicate")? {
                SIGNED_AT_LEAST if limit == 0 => Bound::Low(value),
                SIGNED_LESS => Bound::High(value, limit),
                _ => return None,
            });
            Some(())
        }
        _ => None,
    }
}
