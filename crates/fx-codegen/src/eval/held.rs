//! Rows that stay in registers as they were loaded: half-precision numbers two to a register, widened again in each phase.
//!
//! A kernel's phases (its reductions, then its results) need the same elements. What is computed from them would be kept from
//! phase to phase, in 32 bits an element. Where that does not fit, only what was loaded is kept, and each phase computes the
//! rest anew.

use std::collections::HashMap;

use fx_ir::{Type, Value};

use super::Eval;
use crate::assembly::assembly;

type Key<'c> = (Value<'c>, Value<'c>);

/// Elements in registers, by memory and position.
#[derive(Default)]
pub(super) struct Held<'c> {
    elements: HashMap<Key<'c>, Element<'c>>,
    /// Half-precision elements that wait for a neighbour, by memory.
    single: HashMap<Value<'c>, Key<'c>>,
    phase: usize,
}

#[derive(Clone, Copy)]
struct Element<'c> {
    value: Value<'c>,
    /// The one that shares its register; the one at the lower place is the first of the two.
    neighbour: Option<(Key<'c>, bool)>,
    /// When it was loaded or unpacked.
    phase: usize,
}

impl<'c> Held<'c> {
    fn insert(&mut self, key: Key<'c>, value: Value<'c>) {
        let mut element = Element { value, neighbour: None, phase: self.phase };
        if value.ty().bit_width() == 16 {
            match self.single.remove(&key.0) {
                Some(first) => {
                    element.neighbour = Some((first, false));
                    self.elements.entry(first).and_modify(|element| element.neighbour = Some((key, true)));
                }
                None => drop(self.single.insert(key.0, key)),
            }
        }
        self.elements.insert(key, element);
    }
}

impl<'c> Eval<'c> {
    /// From here on, what is loaded outside of loops and branches is kept, and what is computed from it only until the next
    /// phase.
    pub fn hold(&mut self) {
        self.held = Some(Held::default());
        self.memo.push(HashMap::new());
    }

    /// Forgets what was computed, if loads are held: neighbours of 16 bits are unpacked again where they are read first, hidden
    /// from the optimiser, which would find the widened numbers of the last phase.
    pub fn next_phase(&mut self) {
        let Some(held) = &mut self.held else { return };
        held.phase += 1;
        self.memo.pop();
        self.memo.push(HashMap::new());
    }

    /// Records a result of the whole row, which later phases know.
    pub fn known_in_all_phases(&mut self, value: Value<'c>, indices: &[Value<'c>], element: Value<'c>) {
        let place = self.memo.len() - usize::from(self.held.is_some());
        if let Some(scope) = place.checked_sub(1).and_then(|last| self.memo.get_mut(last)) {
            scope.insert((value, indices.to_vec()), element);
        }
    }

    /// What lies at a position of memory.
    pub(super) fn loaded(&mut self, memref: Value<'c>, position: Value<'c>, ty: Type<'c>) -> Value<'c> {
        if let Some([buffer, slot]) = self.staged_copy(memref, position) {
            return self.b.value("memref.load", &[buffer, slot], ty, &[]);
        }
        let key = (memref, position);
        if let Some(known) = self.held_element(key) {
            return known;
        }
        let element = self.b.value("memref.load", &[memref, position], ty, &[]);
        let in_branch = self.constants.len() > 1;
        if let Some(held) = self.held.as_mut().filter(|_| !in_branch) {
            held.insert(key, element);
        }
        element
    }

    fn held_element(&mut self, key: Key<'c>) -> Option<Value<'c>> {
        let held = self.held.as_ref()?;
        let element = *held.elements.get(&key)?;
        let in_branch = self.constants.len() > 1;
        let Some((other, is_first)) = element.neighbour.filter(|_| element.phase < held.phase && !in_branch) else {
            return Some(element.value);
        };
        let other_value = held.elements.get(&other)?.value;
        let pair = if is_first { [element.value, other_value] } else { [other_value, element.value] };
        let unpacked = self.repacked(pair);
        let [own, others] = if is_first { unpacked } else { [unpacked[1], unpacked[0]] };
        let held = self.held.as_mut()?;
        for (key, value) in [(key, own), (other, others)] {
            held.elements.entry(key).and_modify(|element| (element.value, element.phase) = (value, held.phase));
        }
        Some(own)
    }

    /// Two numbers of 16 bits, packed and unpacked.
    fn repacked(&self, halves: [Value<'c>; 2]) -> [Value<'c>; 2] {
        let (b, context) = (&self.b, self.context());
        let (half, word) = (Type::int(context, 16), Type::int(context, 32));
        let bits = |value: Value<'c>| if value.ty() == half { value } else { b.value("arith.bitcast", &[value], half, &[]) };
        let packed = assembly(b, "mov.b32 $0, {$1, $2};", "=r,h,h", &halves.map(bits), word);
        let sixteen = b.int(word, 16);
        let high = b.value("arith.shrui", &[packed, sixteen], word, &[]);
        [(packed, halves[0]), (high, halves[1])].map(|(word, old)| {
            let bits = b.value("arith.trunci", &[word], half, &[]);
            if old.ty() == half { bits } else { b.value("arith.bitcast", &[bits], old.ty(), &[]) }
        })
    }
}
