//! Conversions between half types and floats that LLVM calls by name.
//!
//! On x86-64 LLVM passes and returns `half` and `bfloat` in the low 16 bits of xmm0, for which stable Rust has no type.
//! So each function is a shim of a few instructions that moves the bits between xmm0 and integer registers, around a
//! Rust function on integers.
//!
//! Rounding  To nearest, ties to even, once: from a double through a float *rounded to odd*, which keeps what the second
//!           rounding needs (a float has at least two more bits than either half type).

use half::{bf16, f16};

/// `x` as a float, an inexact result having its last bit set.
fn round_to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    if x.is_nan() || f64::from(nearest) == x {
        return nearest;
    }
    let away = f64::from(nearest.abs()) > x.abs();
    // one step towards zero is one less in the magnitude's bits
    f32::from_bits((nearest.to_bits() - u32::from(away)) | 1)
}

extern "C" fn f16_to_f32(bits: u32) -> f32 {
    f16::from_bits(bits as u16).to_f32()
}

extern "C" fn f16_to_f64(bits: u32) -> f64 {
    f16::from_bits(bits as u16).to_f64()
}

extern "C" fn f32_to_f16(x: f32) -> u32 {
    u32::from(f16::from_f32(x).to_bits())
}

extern "C" fn f64_to_f16(x: f64) -> u32 {
    f32_to_f16(round_to_odd(x))
}

extern "C" fn f32_to_bf16(x: f32) -> u32 {
    u32::from(bf16::from_f32(x).to_bits())
}

extern "C" fn f64_to_bf16(x: f64) -> u32 {
    f32_to_bf16(round_to_odd(x))
}

/// A function from the low 16 bits of xmm0 to xmm0.
macro_rules! widen {
    ($name:ident, $convert:ident) => {
        /// Shim; see the module.
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            // the stack is as at a call, so a jump keeps its alignment
            std::arch::naked_asm!("movd edi, xmm0", "jmp {convert}", convert = sym $convert)
        }
    };
}

/// A function from xmm0 to the low 16 bits of xmm0.
macro_rules! narrow {
    ($name:ident, $convert:ident) => {
        /// Shim; see the module.
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            std::arch::naked_asm!(
                "sub rsp, 8", // calls need the stack at a multiple of 16
                "call {convert}",
                "add rsp, 8",
                "movd xmm0, eax",
                "ret",
                convert = sym $convert
            )
        }
    };
}

widen!(extend_hf_sf, f16_to_f32);
widen!(extend_hf_df, f16_to_f64);
narrow!(trunc_sf_hf, f32_to_f16);
narrow!(trunc_df_hf, f64_to_f16);
narrow!(trunc_sf_bf, f32_to_bf16);
narrow!(trunc_df_bf, f64_to_bf16);

/// Names and addresses.
pub(super) fn table() -> [(&'static str, usize); 6] {
    let address = |function: unsafe extern "C" fn()| function as *const () as usize;
    [
        ("__extendhfsf2", address(extend_hf_sf)),
        ("__extendhfdf2", address(extend_hf_df)),
        ("__truncsfhf2", address(trunc_sf_hf)),
        ("__truncdfhf2", address(trunc_df_hf)),
        ("__truncsfbf2", address(trunc_sf_bf)),
        ("__truncdfbf2", address(trunc_df_bf)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    type FloatToFloat = unsafe extern "C" fn(f32) -> f32;
    type FloatToDouble = unsafe extern "C" fn(f32) -> f64;
    type DoubleToFloat = unsafe extern "C" fn(f64) -> f32;

    // A float whose low 16 bits are a half is passed as LLVM passes the half; the upper bits are garbage on purpose.
    fn packed(bits: u16) -> f32 {
        f32::from_bits(0xabcd_0000 | u32::from(bits))
    }

    fn extend(bits: u16) -> (f32, f64) {
        // SAFETY: the shims take and give xmm0, as these signatures do.
        unsafe {
            let single = std::mem::transmute::<unsafe extern "C" fn(), FloatToFloat>(extend_hf_sf);
            let double = std::mem::transmute::<unsafe extern "C" fn(), FloatToDouble>(extend_hf_df);
            (single(packed(bits)), double(packed(bits)))
        }
    }

    fn narrow_single(shim: unsafe extern "C" fn(), x: f32) -> u16 {
        // SAFETY: as in `extend`.
        let shim = unsafe { std::mem::transmute::<unsafe extern "C" fn(), FloatToFloat>(shim) };
        // SAFETY: as in `extend`.
        unsafe { shim(x) }.to_bits() as u16
    }

    fn narrow_double(shim: unsafe extern "C" fn(), x: f64) -> u16 {
        // SAFETY: as in `extend`.
        let shim = unsafe { std::mem::transmute::<unsafe extern "C" fn(), DoubleToFloat>(shim) };
        // SAFETY: as in `extend`.
        unsafe { shim(x) }.to_bits() as u16
    }

    #[test]
    fn every_half_survives() {
        for bits in 0..=u16::MAX {
            let half = f16::from_bits(bits);
            let (single, double) = extend(bits);
            if half.is_nan() {
                assert!(single.is_nan() && double.is_nan());
                continue;
            }
            assert_eq!((single, double), (half.to_f32(), half.to_f64()));
            assert_eq!(narrow_single(trunc_sf_hf, single), bits);
            assert_eq!(narrow_double(trunc_df_hf, double), bits);
            let brain = bf16::from_bits(bits);
            if !brain.is_nan() {
                assert_eq!(narrow_single(trunc_sf_bf, brain.to_f32()), bits);
                assert_eq!(narrow_double(trunc_df_bf, brain.to_f64()), bits);
            }
        }
    }

    #[test]
    fn doubles_are_rounded_once() {
        // just above the middle of 1 and the next half: through a float it would be a tie, and round down
        let x = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(narrow_double(trunc_df_hf, x), 0x3c01);
        assert_eq!(narrow_double(trunc_df_hf, 1.0 + 2f64.powi(-11)), 0x3c00);
        assert_eq!(narrow_double(trunc_df_hf, -x), 0xbc01);
        let y = 1.0 + 2f64.powi(-8) + 2f64.powi(-40);
        assert_eq!(narrow_double(trunc_df_bf, y), 0x3f81);
        assert_eq!(narrow_double(trunc_df_bf, 1.0 + 2f64.powi(-8)), 0x3f80);
    }

    #[test]
    fn extremes() {
        assert_eq!(narrow_double(trunc_df_hf, 65504.0), 0x7bff);
        assert_eq!(narrow_double(trunc_df_hf, 65519.999), 0x7bff);
        assert_eq!(narrow_double(trunc_df_hf, 65520.0), 0x7c00);
        assert_eq!(narrow_double(trunc_df_hf, 1e300), 0x7c00);
        assert_eq!(narrow_double(trunc_df_bf, -1e300), 0xff80);
        assert_eq!(narrow_double(trunc_df_hf, 1e-300), 0);
        assert_eq!(narrow_double(trunc_df_hf, -1e-300), 0x8000);
        assert_eq!(narrow_double(trunc_df_hf, f64::NEG_INFINITY), 0xfc00);
        assert!(f16::from_bits(narrow_double(trunc_df_hf, f64::NAN)).is_nan());
        assert!(bf16::from_bits(narrow_single(trunc_sf_bf, f32::NAN)).is_nan());
        // the smallest subnormal of bfloat, and half of it plus a little
        assert_eq!(narrow_double(trunc_df_bf, 2f64.powi(-133)), 1);
        assert_eq!(narrow_double(trunc_df_bf, 2f64.powi(-134) * 1.0001), 1);
        assert_eq!(narrow_double(trunc_df_bf, 2f64.powi(-134)), 0);
    }
}
