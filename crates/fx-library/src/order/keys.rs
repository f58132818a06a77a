//! Elements as integers that order as they do.

use crate::typed::{elements, integers, text};
use fx_runtime::{DType, HostTensor};

/// One key per element: `a < b` as elements if and only if as keys, NaN above all, 0 and -0 equal.
pub(crate) struct Keys {
    pub(crate) values: Vec<u64>,
    nan: Option<u64>,
}

impl Keys {
    /// Whether a key stands for NaN.
    pub(crate) fn is_nan(&self, key: u64) -> bool {
        self.nan == Some(key)
    }
}

const SIGN: u64 = 1 << 63;
const NAN: u64 = u64::MAX;

/// Positive doubles order as their bits do, negative ones the other way round.
fn float_key(value: f64) -> u64 {
    if value.is_nan() {
        return NAN;
    }
    let bits = if value == 0.0 { 0 } else { value.to_bits() };
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The keys of a tensor of any real type.
pub(crate) fn keys(tensor: &HostTensor) -> Result<Keys, String> {
    let float = |values| Ok(Keys { values, nan: Some(NAN) });
    match tensor.dtype() {
        DType::F64 => float(elements::<f64>(tensor)?.iter().map(|value| float_key(*value)).collect()),
        DType::F32 => float(elements::<f32>(tensor)?.iter().map(|value| float_key(f64::from(*value))).collect()),
        dtype if dtype.is_float() => float(tensor.to_f64_vec().map_err(text)?.into_iter().map(float_key).collect()),
        dtype if dtype.is_complex() => Err(format!("does not order elements of type {dtype}")),
        _ => Ok(Keys { values: integers(tensor)?.iter().map(|value| *value as u64 ^ SIGN).collect(), nan: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_elements() -> Result<(), String> {
        let values = [f64::NEG_INFINITY, -2.0, -1e-310, -0.0, 1e-310, 2.0, f64::INFINITY, f64::NAN];
        let of = keys(&HostTensor::from_slice(&[8], &values).map_err(text)?)?;
        assert!(of.values.is_sorted_by(|a, b| a < b));
        assert!(of.is_nan(of.values[7]) && !of.is_nan(of.values[6]));
        assert_eq!(float_key(0.0), float_key(-0.0));
        let of = keys(&HostTensor::from_slice(&[3], &[i64::MIN, -1, i64::MAX]).map_err(text)?)?;
        assert!(of.values.is_sorted_by(|a, b| a < b) && !of.is_nan(of.values[2]));
        Ok(())
    }
}
