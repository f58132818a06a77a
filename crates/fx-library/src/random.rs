//! Random numbers: the generator, and what is drawn on the host.
//!
//! Most numbers are computed by kernels (`fx-ops/src/philox.rs`) from the seed and the place of the call in the order of
//! calls, which `fx::random_state` gives. Both sides draw from the same function, [`philox`].

use crate::Drawing;
use crate::doubles::{exact, option};
use crate::typed::{Arguments, Values, text};
use fx_runtime::OpCall;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Drawing)] =
    &[("fx::random_state", random_state), ("fx::randperm", randperm), ("fx::multinomial", multinomial)];

/// The state of the random numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Generator {
    /// The seed.
    pub seed: u64,
    /// How many ops have drawn.
    pub offset: u64,
}

impl Generator {
    /// A generator at the start of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed, offset: 0 }
    }

    /// The numbers of the next op that draws.
    fn next(&mut self) -> Stream {
        let offset = self.offset;
        self.offset = offset.wrapping_add(1);
        Stream { seed: self.seed, offset, index: 0 }
    }
}

/// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011): four random words
/// for each key and counter.
pub fn philox(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let (mut key, mut words) = (key, counter);
    for _ in 0..10 {
        let product = |factor: u32, word: u32| u64::from(factor) * u64::from(word);
        let (a, b) = (product(0xD251_1F53, words[0]), product(0xCD9E_8D57, words[2]));
        words = [(b >> 32) as u32 ^ words[1] ^ key[0], b as u32, (a >> 32) as u32 ^ words[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    words
}

/// The random words of one op: block `index` of a call at place `offset` has the counter `offset + 2^64 index`.
struct Stream {
    seed: u64,
    offset: u64,
    index: u64,
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

impl Stream {
    /// 64 random bits; the other half of each block is not used.
    fn bits(&mut self) -> u64 {
        let ([a, b], [c, d]) = (halves(self.offset), halves(self.index));
        self.index += 1;
        let words = philox(halves(self.seed), [a, b, c, d]);
        u64::from(words[1]) << 32 | u64::from(words[0])
    }

    /// An integer below `bound`: the high half of a product, whose bias is below 2^-32 for sizes of tensors.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number of U[0, 1), 53 bits.
    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (0.5f64).powi(53)
    }
}

/// Gives the seed and the place of the call among those that draw; the next call gets the next place.
fn random_state(call: &OpCall<'_>, generator: &mut Generator) -> Values {
    let stream = generator.next();
    Ok(vec![exact(call, 0, &[stream.seed as i64, stream.offset as i64])?])
}

/// Gives the numbers below the result's size in random order (Fisher and Yates), as i64.
fn randperm(call: &OpCall<'_>, generator: &mut Generator) -> Values {
    let count: usize = call.dims(0)?.iter().product();
    let mut stream = generator.next();
    let mut order: Vec<i64> = (0..count as i64).collect();
    for i in (1..count).rev() {
        order.swap(i, stream.below(i + 1));
    }
    Ok(vec![exact(call, 0, &order)?])
}

/// Weights, by rows; flag `replacement`. Gives places in the rows, as i64: each drawn with a probability in proportion to
/// its weight among all, or among those not drawn before.
fn multinomial(call: &OpCall<'_>, generator: &mut Generator) -> Values {
    let input = call.tensor(0)?;
    let weights = input.to_f64_vec().map_err(text)?;
    let width = input.dims().last().copied().unwrap_or(1);
    let count = call.dims(0)?.last().copied().unwrap_or(0);
    let replacement = option(call, "replacement")?;
    if count == 0 || (!replacement && count > width) {
        return Err(format!("cannot draw {count} samples from {width}"));
    }
    let mut stream = generator.next();
    let mut places = Vec::new();
    for (row, weights) in weights.chunks_exact(width.max(1)).enumerate() {
        if let Some((place, weight)) = weights.iter().enumerate().find(|(_, weight)| !weight.is_finite() || **weight < 0.0) {
            return Err(format!("weight {place} of row {row} is {weight}, expected a finite number that is not negative"));
        }
        let positive = weights.iter().filter(|weight| **weight > 0.0).count();
        let needed = if replacement { 1 } else { count };
        if positive < needed {
            return Err(format!("row {row} has {positive} positive weights, expected at least {needed}"));
        }
        if replacement {
            with_replacement(weights, count, &mut stream, &mut places)
        } else {
            without(weights, count, &mut stream, &mut places)
        }
    }
    Ok(vec![exact(call, 0, &places)?])
}

/// By inversion of the cumulative weights.
fn with_replacement(weights: &[f64], count: usize, stream: &mut Stream, places: &mut Vec<i64>) {
    let mut total = 0.0;
    let cumulative: Vec<f64> = weights
        .iter()
        .map(|weight| {
            total += weight;
            total
        })
        .collect();
    // Rounding may put a sample at the total: the last positive weight has it.
    let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
    for _ in 0..count {
        let sample = stream.uniform() * total;
        places.push(cumulative.partition_point(|bound| *bound <= sample).min(last) as i64);
    }
}

/// The first of independent exponential waiting times with the weights as rates (Efraimidis and Spirakis, 2006).
fn without(weights: &[f64], count: usize, stream: &mut Stream, places: &mut Vec<i64>) {
    let mut times: Vec<(f64, i64)> = Vec::new();
    for (place, weight) in weights.iter().enumerate() {
        let time = -(-stream.uniform()).ln_1p() / weight;
        if *weight > 0.0 {
            times.push((time, place as i64));
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    places.extend(times.iter().take(count).map(|(_, place)| *place));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fx_runtime::{DType, HostTensor, ResultType};

    fn call(function: Drawing, generator: &mut Generator, tensors: &[HostTensor], replacement: bool, dims: &[usize]) -> Values {
        let attributes = [("replacement".to_owned(), replacement.into())].into_iter().collect();
        let results = [ResultType { dtype: DType::I64, dims: dims.iter().copied().map(Some).collect() }];
        function(&OpCall { tensors, scalars: &[], attributes: &attributes, results: &results }, generator)
    }

    fn drawn(function: Drawing, generator: &mut Generator, tensors: &[HostTensor], replacement: bool, dims: &[usize]) -> Vec<i64> {
        call(function, generator, tensors, replacement, dims).unwrap()[0].as_slice().unwrap().to_vec()
    }

    /// The known answers of the authors' library (Random123, kat_vectors).
    #[test]
    fn philox_gives_the_known_answers() {
        let ones = u32::MAX;
        assert_eq!(philox([0; 2], [0; 4]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
        assert_eq!(philox([ones; 2], [ones; 4]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
        let counter = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
        assert_eq!(philox([0xa4093822, 0x299f31d0], counter), [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]);
    }

    #[test]
    fn each_call_gets_the_next_place() {
        let mut generator = Generator::new(7);
        assert_eq!(drawn(random_state, &mut generator, &[], false, &[2]), [7, 0]);
        assert_eq!(drawn(random_state, &mut generator, &[], false, &[2]), [7, 1]);
        let first = drawn(randperm, &mut generator, &[], false, &[50]);
        let second = drawn(randperm, &mut generator, &[], false, &[50]);
        assert_ne!(first, second);
        let mut again = Generator { seed: 7, offset: 2 };
        assert_eq!(drawn(randperm, &mut again, &[], false, &[50]), first);
        assert_eq!(again, Generator { seed: 7, offset: 3 });
    }

    #[test]
    fn randperm_gives_permutations_all_alike_probable() {
        let mut generator = Generator::new(1);
        assert_eq!(drawn(randperm, &mut generator, &[], false, &[0]), [0i64; 0]);
        let mut sorted = drawn(randperm, &mut generator, &[], false, &[1000]);
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, value)| i as i64 == *value));
        // Each of the 24 orders of 4: 250 +- 5 standard deviations of 6000 draws.
        let mut counts = std::collections::HashMap::new();
        for _ in 0..6000 {
            *counts.entry(drawn(randperm, &mut generator, &[], false, &[4])).or_insert(0i64) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (count - 250).abs() < 80), "{counts:?}");
    }

    #[test]
    fn multinomial_follows_the_weights() {
        let mut generator = Generator::new(3);
        let weights = HostTensor::from_slice(&[2, 4], &[1.0f32, 0.0, 3.0, 4.0, 0.0, 0.0, 5.0, 0.0]).unwrap();
        let places = drawn(multinomial, &mut generator, std::slice::from_ref(&weights), true, &[2, 8000]);
        let count = |place: i64| places[..8000].iter().filter(|other| **other == place).count() as i64;
        assert!((count(0) - 1000).abs() < 150 && count(1) == 0 && (count(2) - 3000).abs() < 220 && (count(3) - 4000).abs() < 225);
        assert!(places[8000..].iter().all(|place| *place == 2));
    }

    #[test]
    fn multinomial_without_replacement_draws_each_place_once() {
        let mut generator = Generator::new(4);
        let weights = HostTensor::from_slice(&[4], &[1.0f64, 0.0, 3.0, 4.0]).unwrap();
        let (mut first, tries) = ([0i64; 4], 8000);
        for _ in 0..tries {
            let mut places = drawn(multinomial, &mut generator, std::slice::from_ref(&weights), false, &[3]);
            first[places[0] as usize] += 1;
            places.sort_unstable();
            assert_eq!(places, [0, 2, 3]);
        }
        assert!((first[0] - 1000).abs() < 150 && (first[2] - 3000).abs() < 220 && (first[3] - 4000).abs() < 225, "{first:?}");
    }

    #[test]
    fn multinomial_refuses_bad_weights() {
        let refusal = |weights: &[f32], replacement: bool, count: usize| {
            let weights = HostTensor::from_slice(&[weights.len()], weights).unwrap();
            call(multinomial, &mut Generator::default(), &[weights], replacement, &[count]).unwrap_err()
        };
        assert_eq!(refusal(&[0.5, -1.0], true, 1), "weight 1 of row 0 is -1, expected a finite number that is not negative");
        assert_eq!(refusal(&[0.0, 0.0], true, 1), "row 0 has 0 positive weights, expected at least 1");
        assert_eq!(refusal(&[0.0, 1.0], false, 2), "row 0 has 1 positive weights, expected at least 2");
        assert_eq!(refusal(&[1.0, 1.0], false, 3), "cannot draw 3 samples from 2");
        assert!(refusal(&[f32::NAN], true, 1).starts_with("weight 0 of row 0 is NaN"));
    }
}
