//! Numbers that linear algebra computes with: f64, complex.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::array::Complex;
use crate::ops::matrix::ring::Ring;

pub(super) trait Field:
    Ring + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    fn real(x: f64) -> Self;
    /// The real part.
    fn re(self) -> f64;
    /// The imaginary part.
    fn im(self) -> f64;
    /// The modulus.
    fn modulus(self) -> f64;
    /// `|re| + |im|`, by which LAPACK chooses pivots.
    fn size(self) -> f64 {
        self.re().abs() + self.im().abs()
    }
    fn complex(self) -> Complex {
        Complex::new(self.re(), self.im())
    }
}

impl Field for f64 {
    fn real(x: f64) -> f64 {
        x
    }
    fn re(self) -> f64 {
        self
    }
    fn im(self) -> f64 {
        0.0
    }
    fn modulus(self) -> f64 {
        self.abs()
    }
}

impl Field for Complex {
    fn real(x: f64) -> Complex {
        Complex::from(x)
    }
    fn re(self) -> f64 {
        self.re
    }
    fn im(self) -> f64 {
        self.im
    }
    fn modulus(self) -> f64 {
        self.abs()
    }
}

/// Runs a generic function of a call for the field that an operand's type computes in.
macro_rules! by_field {
    ($call:ident, $operand:literal, $function:ident) => {
        if $call.array($operand)?.dtype().is_complex() { $function::<$crate::array::Complex>($call) } else { $function::<f64>($call) }
    };
}
pub(super) use by_field;
