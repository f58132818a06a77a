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

/// Why a function has no derivative: PyTorch marks it as not differentiable, and a graph that goes on from it has none either.
const UNTRACKED: &str = "PyTorch does not differentiate it either";

/// How derivatives by one of two operands are tested.
const SECOND_ONLY: &str = "by its first operand it has none, as in PyTorch; by its second: lit-tests/passes/fx-autodiff";
