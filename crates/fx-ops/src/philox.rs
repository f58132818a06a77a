//! Random numbers inside a loop body: the counter-based generator, and the distributions that follow from it.
//!
//! `fx::random_state` (`fx-library/src/random.rs`) gives the seed and the place of an op among those that draw. The word of
//! an element depends on these and on the element's index alone, so that kernels are free to compute elements in any order,
//! or twice. As in PyTorch's CUDA kernels the seed is the key, and the counter is made of place and index.

use fx_ir::{Type, Value};

use crate::lower::{Body, Tensor};
use crate::scalar::{Compare, Number, Scalars};

/// Random numbers of one op.
pub struct Philox<'a, 'c> {
    s: &'a Scalars<'c>,
    key: [Number<'c>; 2],
    place: [Number<'c>; 2],
}

/// Factors of a round, and what is added to the key between rounds (Salmon et al., SC 2011).
const FACTORS: [i64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [i64; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: i64 = 10;

impl<'a, 'c> Philox<'a, 'c> {
    /// From the tensor that `fx::random_state` gave.
    pub fn new(body: &'a Body<'c>, state: &Tensor<'c>) -> Self {
        let s = &body.s;
        let read = |i: i64| halves(s, body.extract(state, &[s.b.index(i)]));
        Self { s, key: read(0), place: read(1) }
    }

    fn wide(&self, value: i64) -> Number<'c> {
        self.s.int(Type::int(self.s.context(), 64), value)
    }

    /// Zero-extended to 64 bits.
    fn extended(&self, word: Number<'c>) -> Number<'c> {
        let ty = Type::int(self.s.context(), 64);
        Number { value: self.s.b.value("arith.extui", &[word.value], ty, &[]), ty }
    }

    /// The four 32-bit words of a block: Philox 4x32-10.
    fn block(&self, index: Number<'c>) -> [Number<'c>; 4] {
        let s = self.s;
        let [c, d] = halves(s, index);
        let mut words = [self.place[0], self.place[1], c, d];
        for round in 0..ROUNDS {
            let key = |i: usize| s.add(self.key[i], s.int(self.key[i].ty, i64::from(WEYL[i].wrapping_mul(round) as i32)));
            let product = |word: Number<'c>, factor: i64| halves(s, s.mul(self.extended(word), self.wide(factor)));
            let ([low_a, high_a], [low_b, high_b]) = (product(words[0], FACTORS[0]), product(words[2], FACTORS[1]));
            words = [s.xor(s.xor(high_b, words[1]), key(0)), low_b, s.xor(s.xor(high_a, words[3]), key(1)), low_a];
        }
        words
    }

    /// The block of element `index` with `2^log` elements to a block, and its lane.
    fn split(&self, index: Number<'c>, log: i64) -> ([Number<'c>; 4], Number<'c>) {
        let block = self.block(self.s.op("arith.shrui", &[index, self.wide(log)]));
        (block, self.s.and(index, self.wide((1 << log) - 1)))
    }

    fn select(&self, lane: Number<'c>, bit: i64, zero: Number<'c>, one: Number<'c>) -> Number<'c> {
        let clear = self.s.compare(Compare::Eq, self.s.and(lane, self.wide(bit)), self.wide(0));
        self.s.select(clear, zero, one)
    }

    /// 32 random bits, an `i32`; four elements share a block.
    pub fn word(&self, index: Number<'c>) -> Number<'c> {
        let ([a, b, c, d], lane) = self.split(index, 2);
        self.select(lane, 2, self.select(lane, 1, a, b), self.select(lane, 1, c, d))
    }

    /// 64 random bits; two elements share a block.
    pub fn bits(&self, index: Number<'c>) -> Number<'c> {
        let ([a, b, c, d], lane) = self.split(index, 1);
        self.join(self.select(lane, 1, a, c), self.select(lane, 1, b, d))
    }

    fn join(&self, low: Number<'c>, high: Number<'c>) -> Number<'c> {
        self.s.or(self.extended(low), self.s.op("arith.shli", &[self.extended(high), self.wide(32)]))
    }

    /// A number of U[0, 1) in type `ty`, f32 or f64, with `digits` random binary digits.
    pub fn uniform(&self, ty: Type<'c>, digits: u32, index: Number<'c>) -> Number<'c> {
        self.unit(ty, digits, if ty.is_f64() { self.bits(index) } else { self.word(index) })
    }

    /// Random bits that lie below `bound`, at most 2^32, of all words.
    pub fn below(&self, index: Number<'c>, bound: i64) -> Number<'c> {
        self.s.compare(Compare::Lt, self.extended(self.word(index)), self.wide(bound))
    }

    /// The first `digits` random bits as a number of [0, 1).
    fn unit(&self, ty: Type<'c>, digits: u32, bits: Number<'c>) -> Number<'c> {
        let s = self.s;
        let whole = s.op("arith.shrui", &[bits, s.int(bits.ty, i64::from(bits.ty.bit_width() - digits))]);
        s.mul(s.cast(whole, ty), s.constant(ty, 0.5f64.powi(digits as i32)))
    }

    /// A number of N(0, 1) in type `ty`, f32 or f64 (Box and Muller, 1958): `sqrt(-2 ln(1 - u)) cos(2 pi v)`, and the sine
    /// for the other element of a pair.
    pub fn normal(&self, ty: Type<'c>, index: Number<'c>) -> Number<'c> {
        let s = self.s;
        let (u, v, lane) = if ty.is_f64() {
            let ([a, b, c, d], lane) = self.split(index, 1);
            (self.unit(ty, 53, self.join(a, b)), self.unit(ty, 53, self.join(c, d)), lane)
        } else {
            let ([a, b, c, d], lane) = self.split(index, 2);
            (self.unit(ty, 24, self.select(lane, 2, a, c)), self.unit(ty, 24, self.select(lane, 2, b, d)), lane)
        };
        let c = |value: f64| s.constant(ty, value);
        let radius = s.op("math.sqrt", &[s.mul(c(-2.0), s.op("math.log", &[s.sub(c(1.0), u)]))]);
        let turns = s.add(v, self.select(lane, 1, c(0.25), c(0.0)));
        s.mul(radius, s.op("math.sin", &[s.mul(turns, c(2.0 * std::f64::consts::PI))]))
    }
}

/// The low and the high half of 64 bits.
fn halves<'c>(s: &Scalars<'c>, bits: Number<'c>) -> [Number<'c>; 2] {
    let word = Type::int(s.context(), 32);
    [s.cast(bits, word), s.cast(s.op("arith.shrui", &[bits, s.int(bits.ty, 32)]), word)]
}

/// The row-major index of the element at the loops of a body over tensors of these sizes (`index` values), as `i64`.
pub fn element_index<'c>(body: &Body<'c>, sizes: &[Value<'c>]) -> Number<'c> {
    let s = &body.s;
    let ty = Type::int(s.context(), 64);
    let wide = |value: Value<'c>| s.cast(Number { value, ty: value.ty() }, ty);
    let mut index = s.int(ty, 0);
    for (i, size) in sizes.iter().enumerate() {
        let own = wide(body.index(i));
        index = if i == 0 { own } else { s.add(s.mul(index, wide(*size)), own) };
    }
    index
}
