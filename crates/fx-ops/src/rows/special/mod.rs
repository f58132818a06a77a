//! Special functions. Straight-line approximations and loops on one element, computed in `f64` where `f32` would lose
//! digits ([`crate::real`]), so that the same code is fused on every target.
//!
//! Where a function has poles, cuts or a limited domain, the answer is ATen's (aten/src/ATen/native/Math.h). Tables named
//! "Chebyshev" hold the coefficients of the function's expansion in T_k(t), computed from its definition to 40 digits.

pub mod airy;
pub mod bessel;
pub mod error;
pub mod gamma;
pub mod incomplete_gamma;
pub mod modified_bessel;
pub mod orthogonal;
pub mod zeta;
