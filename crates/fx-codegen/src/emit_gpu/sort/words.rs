//! What is sorted: a key and the place that it came from, in as few registers as hold both.
//!
//! A key that stands above its place in one integer makes one comparison of two. No two are equal, so sorting keeps the order of
//! equal keys whatever the network does.

use fx_ir::{Attribute, Builder, Type, Value};

use crate::conditions::{EQUAL, UNSIGNED_LESS};
use crate::sort::Sort;

/// Rows of up to so many elements have places of 16 bits.
const SHORT_ROW: i64 = 1 << 16;

/// How items are made of keys and places.
#[derive(Clone, Copy)]
pub struct Words<'c> {
    key: Type<'c>,
    /// The integer that holds the key, and the place if there is room.
    word: Type<'c>,
    /// The integer that holds the place otherwise.
    place: Option<Type<'c>>,
}

/// A key with its place: one word, or two.
pub type Item<'c> = Vec<Value<'c>>;

impl<'c> Words<'c> {
    /// The words of a call's keys.
    pub fn of(sort: Sort<'c>) -> Self {
        let key = sort.keys().ty().element();
        let int = |width: u32| Type::int(sort.op.context(), width);
        match key.bit_width() {
            ..=16 if sort.length <= SHORT_ROW => Self { key, word: int(32), place: None },
            ..=32 => Self { key, word: int(64), place: None },
            _ => Self { key, word: int(64), place: Some(int(32)) },
        }
    }

    /// Types of an item's words.
    pub fn types(&self) -> Vec<Type<'c>> {
        [Some(self.word), self.place].into_iter().flatten().collect()
    }

    /// Bytes of an item.
    pub fn bytes(&self) -> i64 {
        self.types().iter().map(|ty| i64::from(ty.bit_width() / 8)).sum()
    }

    /// A key, and its place as an `index`.
    pub fn item(&self, b: &Builder<'c>, key: Value<'c>, place: Value<'c>) -> Item<'c> {
        let place_in = |ty: Type<'c>| b.value("arith.index_cast", &[place], ty, &[]);
        if let Some(ty) = self.place {
            return vec![key, place_in(ty)];
        }
        let wide = if key.ty() == self.word { key } else { b.value("arith.extui", &[key], self.word, &[]) };
        let half = b.int(self.word, i64::from(self.word.bit_width() / 2));
        let high = b.value("arith.shli", &[wide, half], self.word, &[]);
        vec![b.value("arith.ori", &[high, place_in(self.word)], self.word, &[])]
    }

    /// The key that no key is above.
    pub fn last_key(&self, b: &Builder<'c>) -> Value<'c> {
        b.int(self.key, -1)
    }

    /// The place of an item, as an `index`.
    pub fn place(&self, b: &Builder<'c>, item: &[Value<'c>]) -> Value<'c> {
        let own = match self.place {
            Some(_) => item[1],
            None => {
                let mask = b.int(self.word, (1 << (self.word.bit_width() / 2)) - 1);
                b.value("arith.andi", &[item[0], mask], self.word, &[])
            }
        };
        b.value("arith.index_castui", &[own], Type::index(b.context()), &[])
    }

    /// Whether one item comes before another.
    pub fn less(&self, b: &Builder<'c>, first: &[Value<'c>], second: &[Value<'c>]) -> Value<'c> {
        let truth = Type::int(b.context(), 1);
        let compare = |predicate: i64, i: usize| {
            let predicate = ("predicate", Attribute::i64(b.context(), predicate));
            b.value("arith.cmpi", &[first[i], second[i]], truth, &[predicate])
        };
        let before = compare(UNSIGNED_LESS, 0);
        if self.place.is_none() {
            return before;
        }
        let tie = b.value("arith.andi", &[compare(EQUAL, 0), compare(UNSIGNED_LESS, 1)], truth, &[]);
        b.value("arith.ori", &[before, tie], truth, &[])
    }
}

/// The first item where a condition holds, else the second.
pub fn choose<'c>(b: &Builder<'c>, condition: Value<'c>, first: &[Value<'c>], second: &[Value<'c>]) -> Item<'c> {
    first.iter().zip(second).map(|(first, second)| b.value("arith.select", &[condition, *first, *second], first.ty(), &[])).collect()
}
