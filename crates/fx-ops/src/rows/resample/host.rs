//! Floats on the host: bounds of loops that depend on ratios of sizes.

use fx_ir::{Type, Value};

use crate::fx_op::Dim;
use crate::lower::Lower;
use crate::scalar::{Number, Scalars};

/// A float known at compile time, or one that the host computes once the sizes are there.
#[derive(Clone, Copy)]
pub(super) enum HostFloat<'c> {
    Known(f64),
    Computed(Value<'c>),
}

use HostFloat::{Computed, Known};

impl<'c> HostFloat<'c> {
    /// A size.
    pub(super) fn of(cx: &Lower<'c>, dim: Dim<'c>) -> Self {
        match dim {
            Dim::Static(size) => Known(size as f64),
            Dim::Dynamic(value) => Computed(Scalars::new(cx.b).cast(Number { value, ty: value.ty() }, Type::f64(cx.context())).value),
        }
    }

    /// As a value of type f64.
    pub(super) fn value(self, cx: &Lower<'c>) -> Value<'c> {
        match self {
            Known(x) => cx.b.number(Type::f64(cx.context()), x),
            Computed(value) => value,
        }
    }

    fn binary(self, cx: &Lower<'c>, name: &str, other: Self, fold: fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Known(x), Known(y)) => Known(fold(x, y)),
            _ => Computed(cx.b.value(name, &[self.value(cx), other.value(cx)], Type::f64(cx.context()), &[])),
        }
    }

    /// `self + other`
    pub(super) fn add(self, cx: &Lower<'c>, other: Self) -> Self {
        self.binary(cx, "arith.addf", other, |x, y| x + y)
    }
    /// `self - other`
    pub(super) fn sub(self, cx: &Lower<'c>, other: Self) -> Self {
        self.binary(cx, "arith.subf", other, |x, y| x - y)
    }
    /// `self * other`
    pub(super) fn mul(self, cx: &Lower<'c>, other: Self) -> Self {
        self.binary(cx, "arith.mulf", other, |x, y| x * y)
    }
    /// `self / other`
    pub(super) fn div(self, cx: &Lower<'c>, other: Self) -> Self {
        self.binary(cx, "arith.divf", other, |x, y| x / y)
    }
    /// The larger.
    pub(super) fn max(self, cx: &Lower<'c>, other: Self) -> Self {
        self.binary(cx, "arith.maximumf", other, f64::max)
    }
    /// The smaller.
    pub(super) fn min(self, cx: &Lower<'c>, other: Self) -> Self {
        self.binary(cx, "arith.minimumf", other, f64::min)
    }

    fn rounded(self, cx: &Lower<'c>, name: &str, fold: fn(f64) -> f64) -> Self {
        match self {
            Known(x) => Known(fold(x)),
            Computed(value) => Computed(cx.b.value(name, &[value], Type::f64(cx.context()), &[])),
        }
    }

    /// Rounded down.
    pub(super) fn floor(self, cx: &Lower<'c>) -> Self {
        self.rounded(cx, "math.floor", f64::floor)
    }
    /// Rounded up.
    pub(super) fn ceil(self, cx: &Lower<'c>) -> Self {
        self.rounded(cx, "math.ceil", f64::ceil)
    }

    /// A whole number as a size.
    pub(super) fn to_dim(self, cx: &Lower<'c>) -> Dim<'c> {
        match self {
            Known(x) => Dim::Static(x as i64),
            Computed(value) => {
                let number = Number { value, ty: value.ty() };
                Dim::Dynamic(Scalars::new(cx.b).cast(number, Type::index(cx.context())).value)
            }
        }
    }
}
