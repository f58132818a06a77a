//! Element types: names, alignment, and reading one element from bytes.

use crate::plan::DType;
use half::{bf16, f16};

impl DType {
    /// All element types.
    pub const ALL: [DType; 14] = [
        DType::F64,
        DType::F32,
        DType::F16,
        DType::BF16,
        DType::F8E4M3FN,
        DType::F8E5M2,
        DType::I64,
        DType::I32,
        DType::I16,
        DType::I8,
        DType::U8,
        DType::Bool,
        DType::C64,
        DType::C128,
    ];

    /// The name in plans and messages, such as `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F64 => "f64",
            DType::F32 => "f32",
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::F8E4M3FN => "f8e4m3fn",
            DType::F8E5M2 => "f8e5m2",
            DType::I64 => "i64",
            DType::I32 => "i32",
            DType::I16 => "i16",
            DType::I8 => "i8",
            DType::U8 => "u8",
            DType::Bool => "bool",
            DType::C64 => "c64",
            DType::C128 => "c128",
        }
    }

    /// Alignment of one element in bytes; a complex number is aligned as its parts.
    pub const fn align(self) -> usize {
        match self {
            DType::C64 => 4,
            DType::C128 => 8,
            other => other.size(),
        }
    }

    /// Whether it is a real floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F64 | DType::F32 | DType::F16 | DType::BF16 | DType::F8E4M3FN | DType::F8E5M2)
    }

    /// Whether it is a complex type.
    pub const fn is_complex(self) -> bool {
        matches!(self, DType::C64 | DType::C128)
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The first `N` bytes; callers pass slices of `dtype.size()` bytes.
fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    bytes.first_chunk::<N>().copied()
}

/// One little-endian real element as a double; none for complex types or too few bytes.
pub(crate) fn decode_f64(dtype: DType, bytes: &[u8]) -> Option<f64> {
    Some(match dtype {
        DType::F64 => f64::from_le_bytes(first(bytes)?),
        DType::F32 => f64::from(f32::from_le_bytes(first(bytes)?)),
        DType::F16 => f16::from_le_bytes(first(bytes)?).to_f64(),
        DType::BF16 => bf16::from_le_bytes(first(bytes)?).to_f64(),
        DType::F8E4M3FN => f8_e4m3fn(*bytes.first()?),
        // the upper byte of a half
        DType::F8E5M2 => f16::from_bits(u16::from(*bytes.first()?) << 8).to_f64(),
        DType::C64 | DType::C128 => return None,
        integer => decode_i64(integer, bytes)? as f64,
    })
}

/// One little-endian integer or bool, sign-extended (`u8` and bool: zero-extended); none for other types.
pub(crate) fn decode_i64(dtype: DType, bytes: &[u8]) -> Option<i64> {
    Some(match dtype {
        DType::I64 => i64::from_le_bytes(first(bytes)?),
        DType::I32 => i64::from(i32::from_le_bytes(first(bytes)?)),
        DType::I16 => i64::from(i16::from_le_bytes(first(bytes)?)),
        DType::I8 => i64::from(i8::from_le_bytes(first(bytes)?)),
        DType::U8 => i64::from(*bytes.first()?),
        DType::Bool => i64::from(*bytes.first()? != 0),
        _ => return None,
    })
}

/// One element as the 64 bits of a register: integers extended, floats as the bits of a double.
pub(crate) fn decode_register(dtype: DType, bytes: &[u8]) -> Option<i64> {
    if dtype.is_float() { decode_f64(dtype, bytes).map(|value| value.to_bits() as i64) } else { decode_i64(dtype, bytes) }
}

/// `(-1)^s 2^(e-7) (1 + m/8)`, subnormals at `e = 0`, no infinities, NaN at all ones.
fn f8_e4m3fn(byte: u8) -> f64 {
    let sign = if byte & 0x80 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from((byte >> 3) & 0xf);
    let mantissa = f64::from(byte & 7);
    if byte & 0x7f == 0x7f {
        return f64::NAN;
    }
    if exponent == 0 {
        return sign * mantissa / 8.0 * 2f64.powi(-6);
    }
    sign * (1.0 + mantissa / 8.0) * 2f64.powi(exponent - 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f8_values() {
        assert_eq!(decode_f64(DType::F8E4M3FN, &[0x7e]), Some(448.0));
        assert_eq!(decode_f64(DType::F8E4M3FN, &[0x01]), Some(2f64.powi(-9)));
        assert_eq!(decode_f64(DType::F8E4M3FN, &[0xb8]), Some(-1.0));
        assert!(decode_f64(DType::F8E4M3FN, &[0xff]).is_some_and(f64::is_nan));
        assert_eq!(decode_f64(DType::F8E5M2, &[0x7b]), Some(57344.0));
        assert_eq!(decode_f64(DType::F8E5M2, &[0x7c]), Some(f64::INFINITY));
    }

    #[test]
    fn registers_extend_integers_and_hold_doubles() {
        assert_eq!(decode_register(DType::I8, &[0xff]), Some(-1));
        assert_eq!(decode_register(DType::U8, &[0xff]), Some(255));
        assert_eq!(decode_register(DType::Bool, &[2]), Some(1));
        assert_eq!(decode_register(DType::F32, &1.5f32.to_le_bytes()), Some(1.5f64.to_bits() as i64));
        assert_eq!(decode_register(DType::C64, &[0; 8]), None);
        assert_eq!(decode_register(DType::I32, &[0; 3]), None);
    }

    #[test]
    fn sizes_and_alignments_agree() {
        for dtype in DType::ALL {
            assert_eq!(dtype.size() % dtype.align(), 0, "{dtype}");
        }
    }
}
