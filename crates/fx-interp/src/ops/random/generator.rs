//! A generator that counts: number k of stream s is a hash of both.

use std::f64::consts::PI;

use crate::array::DType;

/// A stream of random numbers.
pub(super) struct Generator {
    stream: u64,
    count: u64,
    digits: i32,
}

/// Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (OOPSLA 2014), `mix64`.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Generator {
    /// Stream number `stream`, for results of type `dtype`.
    pub(super) fn new(stream: u64, dtype: DType) -> Self {
        let digits = match dtype {
            DType::F32 | DType::C64 => 24,
            DType::F16 => 11,
            DType::BF16 => 8,
            DType::F8E4M3FN => 4,
            DType::F8E5M2 => 3,
            _ => 53,
        };
        Generator { stream: mix(stream.wrapping_add(0x9e37_79b9_7f4a_7c15)), count: 0, digits }
    }

    fn next(&mut self) -> u64 {
        self.count = self.count.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.stream ^ mix(self.count))
    }

    /// One of the numbers k / 2^d of [0, 1), all of which the result's type holds.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> (64 - self.digits)) as f64 * 2f64.powi(-self.digits)
    }

    /// A number of (0, 1), halfway between two that [`Generator::unit`] gives: functions of it are finite and not 0 in
    /// the result's type either.
    pub(super) fn open(&mut self) -> f64 {
        self.halfway(self.digits.min(52))
    }

    fn halfway(&mut self, digits: i32) -> f64 {
        ((self.next() >> (64 - digits)) as f64 + 0.5) * 2f64.powi(-digits)
    }

    /// An integer less than `bound`; 0 if that is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A sample of N(0, 1) (Box and Muller, Ann. Math. Stat. 29 (1958)).
    pub(super) fn normal(&mut self) -> f64 {
        (-2.0 * self.halfway(52).ln()).sqrt() * (2.0 * PI * self.halfway(52)).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        let mut random = Generator::new(0, DType::F32);
        let samples: Vec<f64> = (0..20000).map(|_| random.normal()).collect();
        let mean = samples.iter().sum::<f64>() / 20000.0;
        let variance = samples.iter().map(|x| x * x).sum::<f64>() / 20000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        assert!((0..1000).all(|_| random.below(3) < 3));
        assert_ne!(Generator::new(1, DType::F64).next(), Generator::new(2, DType::F64).next());
    }
}
