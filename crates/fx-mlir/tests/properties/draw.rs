//! Random choices that shrink: a generator asks for numbers, and smaller numbers give simpler cases.

use std::any::Any;

use fx_interp::{Array, Complex, DType};

/// Floats of every width.
pub const FLOATS: &[DType] = &[DType::F32, DType::F64, DType::F16, DType::BF16];
/// Floats that need no rounding to another type.
pub const WIDE: &[DType] = &[DType::F32, DType::F64];
/// Complex numbers.
pub const COMPLEX: &[DType] = &[DType::C64, DType::C128];
/// Floats and complex numbers.
pub const FLOAT_OR_COMPLEX: &[DType] = &[DType::F32, DType::F64, DType::F16, DType::BF16, DType::C64, DType::C128];
/// What linear algebra takes.
pub const LINALG: &[DType] = &[DType::F32, DType::F64, DType::C64, DType::C128];
/// Integers of every width.
pub const INTS: &[DType] = &[DType::I64, DType::I32, DType::I16, DType::I8, DType::U8];
/// Integers and bool.
pub const INT_OR_BOOL: &[DType] = &[DType::I64, DType::I32, DType::I16, DType::I8, DType::U8, DType::Bool];
/// Positions.
pub const POSITIONS: &[DType] = &[DType::I64, DType::I32];
/// Everything but complex numbers.
pub const REALS: &[DType] =
    &[DType::F32, DType::I64, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8, DType::U8, DType::Bool];
/// Real numbers, without bool.
pub const REAL_NUMBERS: &[DType] =
    &[DType::F32, DType::I64, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8, DType::U8];
/// Real numbers of both signs.
pub const SIGNED: &[DType] = &[DType::F32, DType::I64, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8];
/// Numbers, without bool.
pub const NUMBERS: &[DType] =
    &[DType::F32, DType::I64, DType::F64, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8, DType::U8, DType::C64, DType::C128];
/// Every element type but those of 8-bit floats, which only conversions know.
pub const ALL: &[DType] = &[
    DType::F32,
    DType::I64,
    DType::F64,
    DType::F16,
    DType::BF16,
    DType::I32,
    DType::I16,
    DType::I8,
    DType::U8,
    DType::Bool,
    DType::C64,
    DType::C128,
];

/// Which values a tensor has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    /// The whole type: NaN, infinities, both zeros, extremes, subnormals among ordinary numbers.
    Special,
    /// As `Special` for floats; integers and complex numbers are small.
    SpecialFloats,
    /// Small numbers, now and then a NaN: what sums can take.
    Sprinkled,
    /// Numbers of this range; integers include its ends. Complex numbers have both parts in it.
    Range(f64, f64),
    /// The same, but not 0.
    NonZero(f64, f64),
    /// Few different values, so that there are ties.
    Ties,
}

/// Small numbers of both signs.
pub const SMALL: Domain = Domain::Range(-4.0, 4.0);
/// Positive numbers.
pub const POSITIVE: Domain = Domain::Range(0.125, 4.0);

/// SplitMix64 (Steele, Lea, Flood 2014): the values of one tensor, from a seed that is a choice.
pub struct Stream(u64);

impl Stream {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Stream(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n.max(1) as u64) as usize
    }

    /// A number of [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The numbers below `n` in random order.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }

    fn float(&mut self, domain: Domain, dtype: DType) -> f64 {
        match domain {
            Domain::Special | Domain::SpecialFloats => {
                let most = fx_interp::array::largest(dtype);
                let least = fx_interp::array::next_after(dtype, 0.0, 1.0);
                let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, most, -most, least, -least];
                match self.below(4) {
                    0 => special[self.below(special.len())],
                    1 => (self.unit() - 0.5) * 16.0,
                    2 => ((self.unit() - 0.5) * 12.0).round(),
                    _ => (self.unit() - 0.5) * 2f64.powi(self.below(40) as i32 - 20),
                }
            }
            Domain::Sprinkled if self.below(24) == 0 => f64::NAN,
            Domain::Sprinkled => self.unit() * 8.0 - 4.0,
            Domain::Ties => self.below(3) as f64 - 1.0,
            Domain::Range(low, high) => low + self.unit() * (high - low),
            Domain::NonZero(low, high) => {
                let x = low + self.unit() * (high - low);
                if x.abs() < 0.125 { high.max(0.125) } else { x }
            }
        }
    }

    fn int(&mut self, domain: Domain, dtype: DType) -> i64 {
        let most = fx_interp::array::largest(dtype) as i64;
        let least = if dtype == DType::U8 { 0 } else { -most - 1 };
        let x = match domain {
            Domain::Special => match self.below(3) {
                0 => [0, 1, -1, most, least, most - 1][self.below(6)],
                1 => self.word() as i64,
                _ => self.below(19) as i64 - 9,
            },
            Domain::SpecialFloats | Domain::Sprinkled => self.below(9) as i64 - 4,
            Domain::Ties => self.below(3) as i64 - 1,
            Domain::Range(low, high) | Domain::NonZero(low, high) => {
                let (low, high) = (low.ceil() as i64, high.floor() as i64);
                low + self.below((high - low + 1).max(1) as usize) as i64
            }
        };
        let x = if dtype == DType::U8 { x.wrapping_abs() & 0xff } else { x };
        if x == 0 && matches!(domain, Domain::NonZero(..)) { 1 } else { x }
    }

    /// A tensor.
    pub fn array(&mut self, dtype: DType, shape: &[usize], domain: Domain) -> Array {
        let count: usize = shape.iter().product();
        let made = match dtype {
            DType::Bool => Array::new(dtype, shape, (0..count).map(|_| self.below(2) == 1).collect::<Vec<bool>>()),
            DType::C64 | DType::C128 => {
                let domain = if matches!(domain, Domain::Special | Domain::SpecialFloats | Domain::Sprinkled) { SMALL } else { domain };
                let part = fx_interp::array::real_part(dtype);
                let number = |s: &mut Self| Complex::new(s.float(domain, part), s.float(domain, part));
                Array::new(dtype, shape, (0..count).map(|_| number(self)).collect::<Vec<Complex>>())
            }
            dtype if dtype.is_float() => Array::new(dtype, shape, (0..count).map(|_| self.float(domain, dtype)).collect::<Vec<f64>>()),
            dtype => Array::new(dtype, shape, (0..count).map(|_| self.int(domain, dtype)).collect::<Vec<i64>>()),
        };
        made.expect("a small tensor")
    }
}

/// A source of choices. When they run out, every further one is 0, the simplest.
pub struct Draw<'a> {
    choices: &'a [u16],
    next: usize,
    mask: u16,
    precise: bool,
}

impl<'a> Draw<'a> {
    /// From a list; its first entries say which sizes are known at run time only (none in three of four cases).
    pub fn new(choices: &'a [u16]) -> Self {
        let mut draw = Draw { choices, next: 0, mask: 0, precise: false };
        let (dynamic, mask) = (draw.below(4) == 3, draw.raw());
        draw.mask = if dynamic { mask } else { 0 };
        draw
    }

    /// From a list, for derivatives: floats are of 64 bits, and small.
    pub fn precise(choices: &'a [u16]) -> Self {
        Draw { choices, next: 0, mask: 0, precise: true }
    }

    /// Whether the case is for derivatives.
    pub fn is_precise(&self) -> bool {
        self.precise
    }

    fn raw(&mut self) -> u16 {
        self.next += 1;
        self.choices.get(self.next - 1).copied().unwrap_or(0)
    }

    /// Sizes `s` with bit `s mod 16` are `?` in types.
    pub fn mask(&self) -> u16 {
        self.mask
    }

    /// No size is `?`.
    pub fn all_known(&mut self) {
        self.mask = 0;
    }

    /// A number less than `n`; 0 is the simplest.
    pub fn below(&mut self, n: usize) -> usize {
        (usize::from(self.raw()) * n) >> 16
    }

    /// A number of `[low, high]`; `low` is the simplest.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }

    /// Whether to do something; not to is simpler.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of several; the first is the simplest. For derivatives, of several element types those of 64 bits.
    pub fn pick<T: Copy + 'static>(&mut self, items: &[T]) -> T {
        let is_wide = |item: &T| matches!((item as &dyn Any).downcast_ref(), Some(DType::F64 | DType::C128));
        let wide: Vec<T> = items.iter().copied().filter(|item| self.precise && is_wide(item)).collect();
        let items = if wide.is_empty() { items } else { &wide };
        items[self.below(items.len())]
    }

    /// Something or nothing; nothing is simpler.
    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flip() { Some(make(self)) } else { None }
    }

    /// A stream of values, from a seed.
    pub fn stream(&mut self) -> Stream {
        Stream::new(u64::from(self.raw()))
    }

    /// A size from 0 to 6; 0 and 1 are frequent.
    pub fn size(&mut self) -> usize {
        self.pick(&[2, 1, 3, 4, 0, 5, 1, 6, 0, 2])
    }

    /// A size from 1 to 6.
    pub fn positive(&mut self) -> usize {
        self.pick(&[2, 1, 3, 4, 5, 1, 6, 3])
    }

    /// A shape with a rank of this range.
    pub fn shape(&mut self, least: usize, most: usize) -> Vec<usize> {
        let rank = self.between(least as i64, most as i64) as usize;
        (0..rank).map(|_| self.size()).collect()
    }

    /// The same, without sizes of 0.
    pub fn filled_shape(&mut self, least: usize, most: usize) -> Vec<usize> {
        let rank = self.between(least as i64, most as i64) as usize;
        (0..rank).map(|_| self.positive()).collect()
    }

    /// A shape that broadcasts to `shape`.
    pub fn broadcast_from(&mut self, shape: &[usize]) -> Vec<usize> {
        let dropped = if self.once_in(3) { self.below(shape.len() + 1) } else { 0 };
        shape[dropped..].iter().map(|size| if self.once_in(4) { 1 } else { *size }).collect()
    }

    /// A tensor.
    pub fn array(&mut self, dtype: DType, shape: &[usize], domain: Domain) -> Array {
        let special = matches!(domain, Domain::Special | Domain::SpecialFloats | Domain::Sprinkled);
        let domain = if self.precise && special && dtype.is_float() { SMALL } else { domain };
        self.stream().array(dtype, shape, domain)
    }

    /// A dim of a tensor of this rank, from either end; of rank 0 it is 0 or -1.
    pub fn dim(&mut self, rank: usize) -> (usize, i64) {
        let dim = self.below(rank.max(1));
        let negative = self.once_in(3);
        (dim, if negative { dim as i64 - rank.max(1) as i64 } else { dim as i64 })
    }

    /// Some different dims in random order, each from either end.
    pub fn dims(&mut self, rank: usize) -> Vec<i64> {
        let count = self.below(rank + 1);
        let order = self.stream().permutation(rank);
        order.into_iter().take(count).map(|dim| if self.once_in(3) { dim as i64 - rank as i64 } else { dim as i64 }).collect()
    }

    /// A permutation of dims, some from the end.
    pub fn order(&mut self, rank: usize) -> Vec<i64> {
        let order = self.stream().permutation(rank);
        order.into_iter().map(|dim| if self.once_in(4) { dim as i64 - rank as i64 } else { dim as i64 }).collect()
    }

    /// A tensor whose values along `dim` are all different.
    pub fn distinct(&mut self, dtype: DType, shape: &[usize], dim: usize) -> Array {
        let mut stream = self.stream();
        let size = shape.get(dim).copied().unwrap_or(1);
        let (before, after): (usize, usize) =
            (shape.iter().take(dim).product(), shape.get(dim + 1..).map_or(1, |rest| rest.iter().product()));
        let mut values = vec![0i64; before * size * after];
        for i in 0..before {
            for k in 0..after {
                let base = stream.below(9) as i64;
                for (j, place) in stream.permutation(size).into_iter().enumerate() {
                    values[(i * size + j) * after + k] = place as i64 * 3 + base;
                }
            }
        }
        Array::new(dtype, shape, values).expect("a small tensor")
    }

    /// Positions below `bound`, all different along the last dim where `distinct`.
    pub fn positions(&mut self, dtype: DType, shape: &[usize], bound: usize) -> Array {
        self.array(dtype, shape, Domain::Range(0.0, bound as f64 - 1.0))
    }
}
