//! Element types: categories, promotion, rounding.

use fx_runtime::DType;

/// Kinds of numbers, in the order of promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Floats.
    Float,
    /// Complex numbers.
    Complex,
}

/// The kind of numbers of an element type.
pub fn category(dtype: DType) -> Category {
    match dtype {
        DType::Bool => Category::Bool,
        DType::C64 | DType::C128 => Category::Complex,
        dtype if dtype.is_float() => Category::Float,
        _ => Category::Int,
    }
}

/// Bits of one element.
pub fn bits(dtype: DType) -> u32 {
    match dtype {
        DType::Bool => 1,
        dtype => 8 * dtype.size() as u32,
    }
}

/// The type of a complex type's parts; any other type itself.
pub fn real_part(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        dtype => dtype,
    }
}

/// The smallest type that holds both (c10/core/ScalarType.h, `promoteTypes`).
pub fn promote_types(a: DType, b: DType) -> DType {
    let (a, b) = if category(a) < category(b) { (b, a) } else { (a, b) };
    if a == b {
        return a;
    }
    if category(a) == Category::Complex {
        return if a == DType::C128 || matches!(b, DType::C128 | DType::F64) { DType::C128 } else { DType::C64 };
    }
    if category(a) != category(b) {
        return a;
    }
    if bits(a) == bits(b) {
        // u8 with i8; f16 with bf16, and the two of 8 bits
        return if category(a) == Category::Int { DType::I16 } else { DType::F32 };
    }
    if bits(a) > bits(b) { a } else { b }
}

/// Bits of the significand (with the leading one), exponents of the smallest normal and the largest number.
fn format(dtype: DType) -> Option<(i32, i32, i32)> {
    Some(match dtype {
        DType::F64 => (53, -1022, 1023),
        DType::F32 => (24, -126, 127),
        DType::F16 => (11, -14, 15),
        DType::BF16 => (8, -126, 127),
        DType::F8E4M3FN => (4, -6, 8),
        DType::F8E5M2 => (3, -14, 15),
        _ => return None,
    })
}

/// The largest finite number of a float type; of an integer type its largest number.
pub fn largest(dtype: DType) -> f64 {
    match (dtype, format(real_part(dtype))) {
        (DType::F8E4M3FN, _) => 448.0,
        (_, Some((precision, _, top))) => (2.0 - 2f64.powi(1 - precision)) * 2f64.powi(top),
        (DType::Bool, _) => 1.0,
        (DType::U8, _) => 255.0,
        (dtype, None) => (i64::MAX >> (64 - bits(dtype))) as f64,
    }
}

/// The exponent of a finite number that is not 0: `2^e <= |x| < 2^(e+1)`.
pub(crate) fn exponent(x: f64) -> i32 {
    let field = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if field == 0 { exponent(x * 2f64.powi(64)) - 64 } else { field - 1023 }
}

/// The number of `dtype` nearest to `x`, of two the even one; beyond the largest infinite, or NaN without infinities.
pub fn round_float(dtype: DType, x: f64) -> f64 {
    match dtype {
        DType::F64 => return x,
        DType::F32 => return f64::from(x as f32),
        _ => {}
    }
    let Some((precision, least, _)) = format(dtype) else { return x };
    if x == 0.0 || !x.is_finite() {
        return if dtype == DType::F8E4M3FN && x.is_infinite() { f64::NAN } else { x };
    }
    let unit = 2f64.powi(exponent(x).max(least) - precision + 1);
    let rounded = (x / unit).round_ties_even() * unit;
    if rounded.abs() <= largest(dtype) {
        return rounded;
    }
    if dtype == DType::F8E4M3FN { f64::NAN } else { f64::INFINITY.copysign(x) }
}

/// The integer modulo the range of an integer type.
pub fn wrap_int(dtype: DType, x: i64) -> i64 {
    match dtype {
        DType::I32 => i64::from(x as i32),
        DType::I16 => i64::from(x as i16),
        DType::I8 => i64::from(x as i8),
        DType::U8 => i64::from(x as u8),
        DType::Bool => i64::from(x != 0),
        _ => x,
    }
}

/// The number of a float type after `x` towards `y`; `x` if they are equal.
pub fn next_after(dtype: DType, x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == y {
        return y;
    }
    let Some((precision, least, _)) = format(dtype) else { return x };
    let smallest = |dtype| if dtype == DType::F64 { f64::from_bits(1) } else { 2f64.powi(least - precision + 1) };
    if x == 0.0 {
        return smallest(dtype).copysign(y);
    }
    if x.is_infinite() {
        return largest(dtype).copysign(x);
    }
    if dtype == DType::F64 {
        return if y > x { x.next_up() } else { x.next_down() };
    }
    let away = (y > x) == (x > 0.0);
    let power = exponent(x);
    // below a power of two numbers lie twice as dense
    let power = if !away && x.abs() == 2f64.powi(power) { power - 1 } else { power };
    let unit = 2f64.powi(power.max(least) - precision + 1);
    let next = round_float(dtype, if y > x { x + unit } else { x - unit });
    // to zero from its own side
    if next == 0.0 { next.copysign(x) } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding() {
        assert_eq!(round_float(DType::F16, 2049.0), 2048.0);
        assert_eq!(round_float(DType::F16, 65520.0), f64::INFINITY);
        assert_eq!(round_float(DType::F16, 65519.0), 65504.0);
        assert_eq!(round_float(DType::F16, 2f64.powi(-24) * 0.4), 0.0);
        assert_eq!(round_float(DType::BF16, 1.0 + 2f64.powi(-8)), 1.0);
        assert!(round_float(DType::F8E4M3FN, 500.0).is_nan());
        assert_eq!(round_float(DType::F8E4M3FN, 460.0), 448.0);
        assert_eq!(largest(DType::F32), f64::from(f32::MAX));
        assert_eq!(largest(DType::I8), 127.0);
        assert_eq!(wrap_int(DType::I8, 200), -56);
    }

    #[test]
    fn neighbours() {
        assert_eq!(next_after(DType::F32, 1.0, 2.0), f64::from(1f32.next_up()));
        assert_eq!(next_after(DType::F32, 1.0, 0.0), f64::from(1f32.next_down()));
        assert_eq!(next_after(DType::F32, -1.0, 0.0), f64::from((-1f32).next_up()));
        assert_eq!(next_after(DType::F32, 0.0, -1.0), -f64::from(f32::from_bits(1)));
        assert_eq!(next_after(DType::F32, f64::INFINITY, 0.0), f64::from(f32::MAX));
        assert!(next_after(DType::F16, -(2f64.powi(-24)), 4.0).is_sign_negative());
    }

    #[test]
    fn promotion() {
        assert_eq!(promote_types(DType::U8, DType::I8), DType::I16);
        assert_eq!(promote_types(DType::F16, DType::BF16), DType::F32);
        assert_eq!(promote_types(DType::F64, DType::C64), DType::C128);
        assert_eq!(promote_types(DType::F16, DType::C64), DType::C64);
        assert_eq!(promote_types(DType::I64, DType::F16), DType::F16);
        assert_eq!(promote_types(DType::Bool, DType::U8), DType::U8);
    }
}
