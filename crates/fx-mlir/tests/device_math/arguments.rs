//! Arguments that functions are measured at: the same in each run.

use super::double::Format;

/// A generator of 64 bits (xorshift).
pub struct Bits(pub u64);

impl Bits {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    /// In -1..1
    fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }
    /// Any magnitude between two powers of two, and sign
    fn of_magnitude(&mut self, low: i32, high: i32) -> f64 {
        let exponent = low + (self.next() % (high - low) as u64) as i32;
        let mantissa = 1.0 + self.signed().abs();
        let sign = if self.next() & 1 == 0 { 1.0 } else { -1.0 };
        sign * mantissa * 2f64.powi(exponent)
    }
}

/// Zeros, ends of ranges, NaN, whole and half numbers, and the neighbours of all these
pub fn specials(format: Format) -> Vec<f64> {
    let is_single = format.digits == 24;
    let (least, normal, most) = if is_single {
        (2f64.powi(-149), f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX))
    } else {
        (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX)
    };
    let mut values = vec![0.0, least, 2.0 * least, 3.0 * least, normal, most, most / 3.0, f64::INFINITY, f64::NAN];
    values.extend((1..=40).map(|k| f64::from(k) / 2.0));
    // where exponentials, powers and erfc leave the range, and multiples of pi/2
    values.extend([
        87.3, 88.7, 89.4, 103.9, 126.0, 149.0, 150.0, 128.0, 9.19, 10.05, 708.4, 709.78, 710.47, 745.1, 1022.0, 1024.0, 1074.0, 26.5, 27.2,
    ]);
    values.extend((1..=64).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_2));
    values.extend([
        65_535.9,
        65_536.0,
        1_073_741_824.0,
        1e10,
        1e22,
        2f64.powi(120),
        6.381_956_970_095_103e306 / if is_single { 1e290 } else { 1.0 },
    ]);
    values.extend([0.625, 0.9277, 1e-8, 1e-5, 0.999_999_99]);
    let step = |value: f64, by: i64| {
        if is_single {
            f64::from(f32::from_bits((value as f32).to_bits().wrapping_add(by as u32)))
        } else {
            f64::from_bits(value.to_bits().wrapping_add(by as u64))
        }
    };
    let near = |value: f64| if value == 0.0 { vec![value] } else { (-2..=2).map(|by| step(value, by)).collect() };
    let values: Vec<_> = values.into_iter().flat_map(near).collect();
    values.iter().flat_map(|value| [*value, -value]).collect()
}

/// `count` numbers of each kind: any bits, usual magnitudes, evenly spread over ranges of several widths
pub fn doubles(bits: &mut Bits, count: usize) -> Vec<f64> {
    let mut values: Vec<_> = (0..count).map(|_| f64::from_bits(bits.next())).collect();
    values.extend((0..count).map(|_| bits.of_magnitude(-40, 12)));
    for width in [0.5, 1.0, 3.0, 30.0, 800.0] {
        values.extend((0..count).map(|_| bits.signed() * width));
        values.extend((0..count / 2).map(|_| 1.0 + bits.signed() * width / 2.0));
    }
    values
}

/// Every 4093rd `f32` by its bits
pub fn singles() -> Vec<f64> {
    (0..=u32::MAX).step_by(4093).map(|bits| f64::from(f32::from_bits(bits))).collect()
}

/// Pairs of numbers: all pairs of some specials, any bits, usual magnitudes
pub fn pairs(bits: &mut Bits, format: Format, count: usize) -> (Vec<f64>, Vec<f64>) {
    let narrow = |value: f64| if format.digits == 24 { f64::from(value as f32) } else { value };
    let some = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 1e-30, 1e30, f64::INFINITY, f64::NAN, 8_388_607.0, 16_777_217.0, 0.999];
    let some: Vec<_> = some.iter().flat_map(|value| [*value, -value]).collect();
    let mut found: Vec<_> = some.iter().flat_map(|a| some.iter().map(move |b| (*a, *b))).collect();
    let any =
        |bits: &mut Bits| if format.digits == 24 { f64::from(f32::from_bits(bits.next() as u32)) } else { f64::from_bits(bits.next()) };
    found.extend((0..count).map(|_| (any(bits), any(bits))));
    found.extend((0..count).map(|_| (bits.of_magnitude(-6, 6), bits.of_magnitude(-6, 6))));
    found.extend((0..count).map(|_| (bits.of_magnitude(-2, 2).abs(), bits.signed() * 60.0)));
    found.extend((0..count).map(|_| (1.0 + bits.signed() / 64.0, bits.of_magnitude(0, 14))));
    found.extend((0..count).map(|_| (bits.of_magnitude(0, 40), (bits.signed() * 20.0).round())));
    found.into_iter().map(|(a, b)| (narrow(a), narrow(b))).unzip()
}
