//! Functions that machine code may call: the C library's mathematics and memory, and conversions of half types.
//!
//! Anything else is an error when an object is loaded. Functions that end the process (`abort`, `exit`) are left out on
//! purpose: kernels report failure through their status word.

use super::halves;
use std::ffi::{c_int, c_long, c_void};
use std::sync::OnceLock;

/// Declares functions, one list for each C type, and a table of their names and addresses.
macro_rules! functions {
    ($($list:ident: $args:tt -> $ret:ty { $($name:ident)* })*) => {
        $(
            mod $list {
                #[allow(unused_imports)] // not all types use them
                use super::*;
                #[link(name = "m")]
                unsafe extern "C" {
                    $(fn $name $args -> $ret;)*
                }
                pub(super) const TABLE: &[(&str, *const ())] =
                    &[$((stringify!($name), $name as *const ())),*];
            }
        )*
        const LISTS: &[&[(&str, *const ())]] = &[$($list::TABLE),*];
    };
}

functions! {
    single: (x: f32) -> f32 {
        acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp2f expm1f fabsf floorf
        j0f j1f y0f y1f lgammaf logf log10f log1pf log2f nearbyintf rintf roundf roundevenf sinf sinhf sqrtf tanf
        tanhf tgammaf truncf exp10f
    }
    double: (x: f64) -> f64 {
        acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor
        j0 j1 y0 y1 lgamma log log10 log1p log2 nearbyint rint round roundeven sin sinh sqrt tan
        tanh tgamma trunc exp10
    }
    single_two: (x: f32, y: f32) -> f32 {
        atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf
    }
    double_two: (x: f64, y: f64) -> f64 {
        atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder
    }
    single_three: (x: f32, y: f32, z: f32) -> f32 { fmaf }
    double_three: (x: f64, y: f64, z: f64) -> f64 { fma }
    single_scale: (x: f32, n: c_int) -> f32 { ldexpf scalbnf }
    double_scale: (x: f64, n: c_int) -> f64 { ldexp scalbn }
    single_split: (x: f32, n: *mut c_int) -> f32 { frexpf }
    double_split: (x: f64, n: *mut c_int) -> f64 { frexp }
    single_integer: (x: f32) -> c_long { lrintf lroundf }
    double_integer: (x: f64) -> c_long { lrint lround }
    single_both: (x: f32, sin: *mut f32, cos: *mut f32) -> () { sincosf }
    double_both: (x: f64, sin: *mut f64, cos: *mut f64) -> () { sincos }
}

/// Memory functions; `libc` declares them.
fn memory() -> [(&'static str, *const ()); 7] {
    type Copy = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;
    [
        ("memcpy", libc::memcpy as Copy as *const ()),
        ("memmove", libc::memmove as Copy as *const ()),
        ("memset", libc::memset as *const ()),
        ("memcmp", libc::memcmp as *const ()),
        ("bzero", bzero as *const ()),
        ("malloc", libc::malloc as *const ()),
        ("free", libc::free as *const ()),
    ]
}

/// Sets `len` bytes to zero. LLVM makes calls of it from `memset` on some targets.
///
/// # Safety
/// As for the C function: `start` must be valid for `len` bytes.
unsafe extern "C" fn bzero(start: *mut c_void, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::memset(start, 0, len) };
}

/// `x` to the power `n`, as the compiler's run-time library defines it: by squaring, the reciprocal taken last.
extern "C" fn power_double(x: f64, n: c_int) -> f64 {
    let (mut square, mut left, mut result) = (x, n.unsigned_abs(), 1.0);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    if n < 0 { 1.0 / result } else { result }
}

/// As [`power_double`].
extern "C" fn power_single(x: f32, n: c_int) -> f32 {
    let (mut square, mut left, mut result) = (x, n.unsigned_abs(), 1.0);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    if n < 0 { 1.0 / result } else { result }
}

/// The address of a function by its C name; none when machine code may not call it.
pub(crate) fn address(name: &str) -> Option<u64> {
    static TABLE: OnceLock<Vec<(&'static str, usize)>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let powers = [("__powidf2", power_double as *const ()), ("__powisf2", power_single as *const ())];
        let foreign = LISTS.iter().copied().flatten().copied().chain(memory()).chain(powers);
        let foreign = foreign.map(|(name, function)| (name, function.expose_provenance()));
        let mut table: Vec<_> = foreign.chain(halves::table()).collect();
        table.sort_unstable();
        table
    });
    let index = table.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(table[index].1 as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        for name in ["expf", "exp", "erfcf", "lgammaf", "tgamma", "roundevenf", "memcpy", "free", "__truncsfbf2"] {
            assert!(address(name).is_some_and(|address| address != 0), "{name}");
        }
        for name in ["abort", "exit", "system", "dlopen", "", "expf "] {
            assert!(address(name).is_none(), "{name}");
        }
    }

    #[test]
    fn powers() {
        assert_eq!(power_double(2.0, 10), 1024.0);
        assert_eq!(power_double(2.0, -2), 0.25);
        assert_eq!(power_single(-3.0, 3), -27.0);
        assert_eq!(power_single(0.0, 0), 1.0);
        assert_eq!(power_double(1.0, i32::MIN), 1.0);
    }

    #[test]
    fn addresses_are_the_functions() {
        // SAFETY: `cbrtf` takes and gives a float.
        let cbrt = unsafe {
            std::mem::transmute::<*const (), extern "C" fn(f32) -> f32>(std::ptr::with_exposed_provenance(
                address("cbrtf").unwrap() as usize
            ))
        };
        assert_eq!(cbrt(27.0), 3.0);
    }
}
