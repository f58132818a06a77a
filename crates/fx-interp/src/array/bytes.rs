//! Arrays from and to the bytes of the runtime's tensors.

use fx_runtime::HostTensor;

use super::{Array, Complex, DType, Data, round_float};
use crate::Result;

fn chunk<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk::<N>().copied().unwrap_or([0; N])
}

/// A float type's number from its bits: sign, exponent, fraction (the type has at most 16 bits).
fn decode_small(dtype: DType, bits: u16) -> f64 {
    let (exponents, fraction) = match dtype {
        DType::F16 => (5, 10),
        DType::BF16 => (8, 7),
        DType::F8E4M3FN => (4, 3),
        _ => (5, 2),
    };
    let sign = if bits >> (exponents + fraction) & 1 == 1 { -1.0 } else { 1.0 };
    let top = (1 << exponents) - 1;
    let (power, part) = (i32::from(bits >> fraction) & top, f64::from(bits & ((1 << fraction) - 1)) / f64::from(1 << fraction));
    let bias = top >> 1;
    let special = power == top && (dtype != DType::F8E4M3FN || part == 0.875);
    match (special, power) {
        (true, _) if part == 0.0 => sign * f64::INFINITY,
        (true, _) => f64::NAN.copysign(sign),
        (false, 0) => sign * part * 2f64.powi(1 - bias),
        _ => sign * (1.0 + part) * 2f64.powi(power - bias),
    }
}

/// The bits of a number that the type can represent.
fn encode_small(dtype: DType, x: f64) -> u16 {
    let (exponents, fraction) = match dtype {
        DType::F16 => (5, 10),
        DType::BF16 => (8, 7),
        DType::F8E4M3FN => (4, 3),
        _ => (5, 2),
    };
    let x = round_float(dtype, x);
    let sign = u16::from(x.is_sign_negative()) << (exponents + fraction);
    let top: u16 = (1 << exponents) - 1;
    let bias = i32::from(top >> 1);
    let quiet = if dtype == DType::F8E4M3FN { 7 } else { 1 << (fraction - 1) };
    if x.is_nan() {
        return sign | top << fraction | quiet;
    }
    if x.is_infinite() {
        return sign | top << fraction;
    }
    if x == 0.0 {
        return sign;
    }
    let power = super::dtype::exponent(x).max(1 - bias);
    let units = (x.abs() * 2f64.powi(fraction - power)) as u16; // with the leading one, if normal
    if units >> fraction == 0 {
        return sign | units;
    }
    sign | ((power + bias) as u16) << fraction | (units & ((1 << fraction) - 1))
}

impl Array {
    /// An array from little-endian elements; bools take a byte each.
    ///
    /// # Errors
    /// If there are not as many as the shape says.
    pub fn from_bytes(dtype: DType, shape: &[usize], bytes: &[u8]) -> Result<Array> {
        let elements = bytes.chunks_exact(dtype.size());
        let float = |bytes: &[u8]| f64::from(f32::from_le_bytes(chunk(bytes)));
        let double = |bytes: &[u8]| f64::from_le_bytes(chunk(bytes));
        match dtype {
            DType::F64 => Array::new(dtype, shape, elements.map(double).collect()),
            DType::F32 => Array::new(dtype, shape, elements.map(float).collect()),
            DType::F16 | DType::BF16 => {
                Array::new(dtype, shape, elements.map(|e| decode_small(dtype, u16::from_le_bytes(chunk(e)))).collect())
            }
            DType::F8E4M3FN | DType::F8E5M2 => {
                Array::new(dtype, shape, elements.map(|e| decode_small(dtype, chunk::<1>(e)[0].into())).collect())
            }
            DType::I64 => Array::new(dtype, shape, elements.map(|e| i64::from_le_bytes(chunk(e))).collect()),
            DType::I32 => Array::new(dtype, shape, elements.map(|e| i64::from(i32::from_le_bytes(chunk(e)))).collect()),
            DType::I16 => Array::new(dtype, shape, elements.map(|e| i64::from(i16::from_le_bytes(chunk(e)))).collect()),
            DType::I8 => Array::new(dtype, shape, elements.map(|e| i64::from(i8::from_le_bytes(chunk(e)))).collect()),
            DType::U8 => Array::new(dtype, shape, elements.map(|e| i64::from(chunk::<1>(e)[0])).collect()),
            DType::Bool => Array::new(dtype, shape, elements.map(|e| chunk::<1>(e)[0] != 0).collect()),
            DType::C64 => Array::new(dtype, shape, elements.map(|e| Complex::new(float(e), float(&e[4..]))).collect()),
            DType::C128 => Array::new(dtype, shape, elements.map(|e| Complex::new(double(e), double(&e[8..]))).collect()),
        }
    }

    /// Little-endian elements.
    pub fn to_bytes(&self) -> Vec<u8> {
        let dtype = self.dtype;
        match (&self.data, dtype) {
            (Data::Float(values), DType::F64) => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
            (Data::Float(values), DType::F32) => values.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect(),
            (Data::Float(values), DType::F16 | DType::BF16) => values.iter().flat_map(|x| encode_small(dtype, *x).to_le_bytes()).collect(),
            (Data::Float(values), _) => values.iter().map(|x| encode_small(dtype, *x) as u8).collect(),
            (Data::Int(values), _) => values.iter().flat_map(|x| x.to_le_bytes().into_iter().take(dtype.size())).collect(),
            (Data::Bool(values), _) => values.iter().map(|x| u8::from(*x)).collect(),
            (Data::Complex(values), DType::C64) => {
                values.iter().flat_map(|z| [z.re, z.im]).flat_map(|x| (x as f32).to_le_bytes()).collect()
            }
            (Data::Complex(values), _) => values.iter().flat_map(|z| [z.re, z.im]).flat_map(f64::to_le_bytes).collect(),
        }
    }

    /// The value of a tensor.
    ///
    /// # Errors
    /// If it is absurdly large.
    pub fn from_tensor(tensor: &HostTensor) -> Result<Array> {
        Array::from_bytes(tensor.dtype(), tensor.dims(), tensor.bytes())
    }

    /// A tensor of this value.
    ///
    /// # Errors
    /// Without memory.
    pub fn to_tensor(&self) -> Result<HostTensor> {
        HostTensor::from_bytes(self.dtype, &self.shape, &self.to_bytes()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip() {
        for dtype in [DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2] {
            let count = 1usize << (8 * dtype.size());
            let bytes: Vec<u8> =
                (0..count).flat_map(|bits| bits.to_le_bytes().into_iter().take(dtype.size()).collect::<Vec<_>>()).collect();
            let array = Array::from_bytes(dtype, &[count], &bytes).unwrap();
            let back = array.to_bytes();
            for (bits, value) in array.values::<f64>().into_iter().enumerate() {
                let at = bits * dtype.size();
                let same = bytes[at..at + dtype.size()] == back[at..at + dtype.size()];
                assert!(same || value.is_nan(), "{dtype} {bits:x} {value}");
            }
        }
        let ints = Array::new(DType::I16, &[2], vec![-2i64, 300]).unwrap();
        assert_eq!(ints.to_bytes(), [0xfe, 0xff, 0x2c, 0x01]);
        assert_eq!(Array::from_bytes(DType::I16, &[2], &ints.to_bytes()).unwrap(), ints);
    }
}
