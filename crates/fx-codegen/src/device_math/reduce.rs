//! Angles modulo pi/2, and remainders of divisions.

use fx_ir::{Attribute, Type, Value};

use super::coefficients::{HALF_PI, TWO_OVER_PI_DOUBLE, TWO_OVER_PI_SINGLE};
use super::float::{Float, Is, Sum};

/// `x = n pi/2 + r`, |r| <= 0.79
pub(super) struct Angle<'c> {
    /// An integer of which the low two bits are right.
    pub n: Value<'c>,
    pub r: Sum<'c>,
}

impl<'c> Float<'c> {
    /// Reduces any angle; NaN and infinity become NaN.
    pub(super) fn angle(&self, x: Value<'c>) -> Angle<'c> {
        let near = self.near_angle(x);
        let a = self.abs(x);
        let far = self.is(Is::GreaterOrEqual, a, self.c(self.by_type(65_536.0, 1_073_741_824.0)));
        let is_far = self.logical("arith.andi", far, self.is(Is::Less, a, self.c(f64::INFINITY)));
        let is_near = self.logical("arith.xori", is_far, self.b.int(is_far.ty(), 1));
        let values = self.choose(is_near, &[near.n, near.r.high, near.r.low], |f| {
            let Angle { n, r } = f.far_angle(x);
            vec![n, r.high, r.low]
        });
        match values[..] {
            [n, high, low] => Angle { n, r: Sum { high, low } },
            _ => near,
        }
    }

    /// x - n pi/2 with pi/2 as a sum of three numbers: `x - n P1` is exact, and the product with P2 is a sum
    fn near_angle(&self, x: Value<'c>) -> Angle<'c> {
        let (n, integer) = self.round(x, std::f64::consts::FRAC_2_PI);
        let part = |index| self.c(-self.part(&HALF_PI, index));
        let first = self.fma(n, part(0), x);
        let second = self.exact_product(n, part(1));
        // Either may be the larger one.
        let high = self.add(first, second.high);
        let back = self.sub(high, first);
        let lost = self.add(self.sub(first, self.sub(high, back)), self.sub(second.high, back));
        let low = self.add(lost, self.fma(n, part(2), second.low));
        Angle { n: integer, r: Sum { high, low } }
    }

    /// The same for large x = m 2^k: of m 2^k 2/pi only the bits below 4 count, so m is multiplied, in integers, by three
    /// words of 2/pi that begin at the bit whose product is 2 m (Payne and Hanek). The error of x 2/pi is below 2^-124
    /// (2^-60), and no number is nearer to a multiple of pi/2 than 2^-62 (2^-34), relative to it.
    fn far_angle(&self, x: Value<'c>) -> Angle<'c> {
        let (fraction, word) = (self.fraction_bits(), self.by_type(32, 64));
        let precision = fraction + 1;
        let a = self.bits(self.abs(x));
        let mantissa = self.integer("arith.andi", a, self.i((1 << fraction) - 1));
        let mantissa = self.integer("arith.ori", mantissa, self.i(1 << fraction));
        // the place of the first bit in the table: k - 2, after a word of zeros
        let exponent = self.shift("arith.shrui", a, fraction);
        let place = self.integer("arith.subi", exponent, self.i(self.by_type(127, 1023) + fraction + 2 - word));
        let [w0, w1, w2] = self.window(place);

        let multiply = |w| {
            let op = self.b.op("arith.mului_extended", &[mantissa, w], &[self.int; 2], &[]);
            (op.result(0), op.result(1))
        };
        let (_, carry) = multiply(w2);
        let (low, high) = multiply(w1);
        let sum = self.b.op("arith.addui_extended", &[low, carry], &[self.int, Type::int(self.b.context(), 1)], &[]);
        let low = sum.result(0);
        let carry = self.b.value("arith.extui", &[sum.result(1)], self.int, &[]);
        let high = self.integer("arith.addi", high, carry);
        let high = self.integer("arith.addi", high, self.integer("arith.muli", mantissa, w0));

        // The top two bits are n, the rest a fraction; it is rounded to the nearest n.
        let n = self.shift("arith.shrui", high, word - 2);
        let next = self.integer("arith.andi", self.shift("arith.shrui", high, word - 3), self.i(1));
        let n = self.integer("arith.addi", n, next);
        let top = self.integer("arith.ori", self.shift("arith.shli", high, 2), self.shift("arith.shrui", low, word - 2));
        let rest = self.shift("arith.shli", low, 2);
        let sign = self.shift("arith.shrsi", top, word - 1);
        let (top, rest) = (self.integer("arith.xori", top, sign), self.integer("arith.xori", rest, sign));

        // The fraction in three numbers
        let spare = word - precision; // bits of a word that a number cannot hold
        let first = self.shift("arith.shrui", top, spare);
        let second = self.integer("arith.andi", top, self.i((1 << spare) - 1));
        let second = self.shift("arith.shli", second, precision - spare);
        let second = self.integer("arith.ori", second, self.shift("arith.shrui", rest, word - precision + spare));
        let third = self.integer("arith.andi", rest, self.i((1 << (2 * spare)) - 1));
        let part = |a, bits: i64| self.mul(self.float_of_int(a), self.c(2f64.powi(-(bits as i32))));
        let sum = self.exact_sum(part(first, precision), part(second, 2 * precision));
        let low = self.add(sum.low, part(third, 2 * word));

        // times pi/2, with the sign of the fraction and of x
        let product = self.times_constant(sum.high, &HALF_PI);
        let low = self.fma(low, self.c(self.part(&HALF_PI, 0)), product.low);
        let of_x = self.shift("arith.shrsi", self.bits(x), word - 1);
        let flips = self.integer("arith.xori", sign, of_x);
        let sign_bit = self.shift("arith.shli", flips, word - 1);
        let signed = |value| self.float_of_bits(self.integer("arith.xori", self.bits(value), sign_bit));
        let n = self.integer("arith.subi", self.integer("arith.xori", n, of_x), of_x);
        Angle { n, r: Sum { high: signed(product.high), low: signed(low) } }
    }

    /// Three words of 2/pi from a bit of the table
    fn window(&self, place: Value<'c>) -> [Value<'c>; 3] {
        let word: i64 = self.by_type(32, 64);
        let table: &[u64] = self.by_type(&TWO_OVER_PI_SINGLE, &TWO_OVER_PI_DOUBLE);
        let mut words: Vec<_> = table.iter().map(|bits| self.i(self.by_type(i64::from(*bits as u32 as i32), *bits as i64))).collect();
        // By the bits of the word's number, the highest first; four words are left. The table needs no memory.
        let number = self.shift("arith.shrui", place, word.ilog2().into());
        for bit in [4, 3, 2, 1, 0] {
            let step = 1 << bit;
            if step + 4 > words.len() {
                continue;
            }
            let has_bit = self.has_bits(number, step as i64);
            let count = (step + 3).min(words.len());
            words = (0..count).map(|i| words.get(i + step).map_or(words[i], |other| self.select(has_bit, *other, words[i]))).collect();
        }
        let offset = self.integer("arith.andi", place, self.i(word - 1));
        let back = self.integer("arith.subi", self.i(word - 1), offset);
        std::array::from_fn(|i| {
            let high = self.integer("arith.shli", words[i], offset);
            let low = self.integer("arith.shrui", self.shift("arith.shrui", words[i + 1], 1), back);
            self.integer("arith.ori", high, low)
        })
    }

    //--- remainders -------------------------------------------------------------------

    /// The remainder of x / y with the sign of x; exact
    pub(super) fn remainder(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        let (a, d) = (self.abs(x), self.abs(y));
        // A larger quotient has more bits than a number.
        let limit = self.c(self.by_type(4_194_304.0, 2f64.powi(51)));
        let quotient = self.div(a, d);
        let infinity = self.c(f64::INFINITY);
        let is_finite = self.logical("arith.andi", self.is(Is::Less, a, infinity), self.is(Is::Greater, d, self.c(0.0)));
        let is_far = self.logical("arith.andi", self.is(Is::NotLess, quotient, limit), is_finite);
        let is_near = self.logical("arith.xori", is_far, self.b.int(is_far.ty(), 1));
        let near = self.near_remainder(a, d);
        let r = self.choose(is_near, &[near], |f| vec![f.far_remainder(a, d)]);
        let is_whole = self.logical("arith.andi", self.is(Is::Equal, d, infinity), self.is(Is::Less, a, infinity));
        self.copysign(self.select(is_whole, a, r[0]), x)
    }

    /// a - trunc(a / d) d in 0..d, if the quotient has no more bits than a number of the type
    fn near_remainder(&self, a: Value<'c>, d: Value<'c>) -> Value<'c> {
        let quotient = self.trunc(self.div(a, d));
        let r = self.fma(self.neg(quotient), d, a);
        // the quotient was rounded: it may be one too large
        self.select(self.is(Is::Less, r, self.c(0.0)), self.add(r, d), r)
    }

    /// The same for any quotient of finite numbers: while it is large, a is reduced by d times a power of two that leaves a
    /// quotient below 2^22 (2^51)
    fn far_remainder(&self, a: Value<'c>, d: Value<'c>) -> Value<'c> {
        let bits = self.fraction_bits();
        let step = self.i(bits - 1);
        let exponent = |f: &Self, x| f.shift("arith.shrui", f.bits(x), bits);
        let subnormal = self.is(Is::Less, d, self.c(self.least_normal()));
        let normal = self.select(subnormal, self.mul(d, self.c(2f64.powi(bits as i32))), d);
        let of_d = self.integer("arith.subi", exponent(self, normal), self.select(subnormal, self.i(bits), self.i(0)));
        let op = self.b.op_with_regions("scf.while", &[a], &[self.ty], &[], &[Some(&[self.ty]), Some(&[self.ty])]);
        let excess = |f: &Self, r| f.integer("arith.subi", f.integer("arith.subi", exponent(f, r), of_d), step);
        if let (Some(before), Some(after)) = (op.body(0), op.body(1)) {
            let f = Self { b: self.b.inside(before), ..*self };
            let r = before.argument(0);
            let predicate = Attribute::i64(f.b.context(), 4); // signed >
            let condition = f.b.value("arith.cmpi", &[excess(&f, r), f.i(0)], Type::int(f.b.context(), 1), &[("predicate", predicate)]);
            f.b.op("scf.condition", &[condition, r], &[], &[]);
            let f = Self { b: self.b.inside(after), ..*self };
            let r = after.argument(0);
            let divisor = f.scale(d, excess(&f, r));
            f.b.op("scf.yield", &[f.near_remainder(r, divisor)], &[], &[]);
        }
        self.near_remainder(op.result(0), d)
    }
}
