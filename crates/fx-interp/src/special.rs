//! Special functions in double precision, by formulas that are right before they are fast.

mod error_functions;
mod gamma;

pub use error_functions::{erf, erfc, erfcx, erfinv, ndtri};
pub use gamma::{digamma, lgamma, sin_pi};

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
