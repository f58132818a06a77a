//! Special functions in double precision, by formulas that are right before they are fast.
#![allow(clippy::excessive_precision, reason = "coefficients are written as published")]

mod bessel;
mod error_functions;
mod gamma;
mod incomplete_gamma;
mod zeta;

pub use bessel::{
    airy_ai, bessel_i0, bessel_i0e, bessel_i1, bessel_i1e, bessel_j0, bessel_j1, bessel_k0, bessel_k0e, bessel_k1, bessel_k1e, bessel_y0,
    bessel_y1,
};
pub use error_functions::{erf, erfc, erfcx, erfinv, ndtri};
pub use gamma::{digamma, lgamma, sin_pi};
pub use incomplete_gamma::{igamma, igammac};
pub use zeta::{polygamma, zeta};

/// The least `x >= 0` at which a function that does not decrease reaches `target`, by bisection of the bits of `x`
/// between 0 and `top`: exact to the last bit that the function tells apart.
pub(crate) fn invert_increasing(f: impl Fn(f64) -> f64, target: f64, top: f64) -> f64 {
    let (mut low, mut high) = (0, top.to_bits());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if f(f64::from_bits(middle)) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::from_bits(high)
}
