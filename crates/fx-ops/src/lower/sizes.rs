//! Sizes: numbers that are known, or values of the host.

use fx_ir::{Attribute, Type, Value};

use super::Lower;
use crate::fx_op::{Dim, FxOp};

impl<'c> Lower<'c> {
    /// A size as an `index` value.
    pub fn dim_value(&self, dim: Dim<'c>) -> Value<'c> {
        match dim {
            Dim::Static(size) => self.b.index(size),
            Dim::Dynamic(value) => value,
        }
    }

    /// A size from an `index` value: known if a constant makes it.
    pub fn to_dim(&self, value: Value<'c>) -> Dim<'c> {
        let value = self.scalar(value);
        value.constant().and_then(Attribute::as_int).map_or(Dim::Dynamic(value), Dim::Static)
    }

    /// Sizes of a list argument, each the lowered value.
    pub fn sizes(&self, op: FxOp<'c>, name: &str) -> Vec<Dim<'c>> {
        op.sizes(name)
            .into_iter()
            .map(|dim| match dim {
                Dim::Static(size) => Dim::Static(size),
                Dim::Dynamic(value) => self.to_dim(value),
            })
            .collect()
    }

    fn size_op(&self, name: &str, a: Dim<'c>, b: Dim<'c>, fold: fn(i64, i64) -> Option<i64>) -> Dim<'c> {
        if let (Some(x), Some(y)) = (a.known(), b.known())
            && let Some(size) = fold(x, y)
        {
            return Dim::Static(size);
        }
        let index = Type::index(self.context());
        Dim::Dynamic(self.b.value(name, &[self.dim_value(a), self.dim_value(b)], index, &[]))
    }

    /// `a + b`
    pub fn add(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        match (a.known(), b.known()) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.size_op("arith.addi", a, b, i64::checked_add),
        }
    }

    /// `a - b`
    pub fn sub(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        if b.known() == Some(0) {
            a
        } else if a == b {
            Dim::Static(0)
        } else {
            self.size_op("arith.subi", a, b, i64::checked_sub)
        }
    }

    /// `a * b`
    pub fn mul(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        match (a.known(), b.known()) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.size_op("arith.muli", a, b, i64::checked_mul),
        }
    }

    /// `floor(a / b)`, `b > 0`
    pub fn floor_div(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        if b.known() == Some(1) { a } else { self.size_op("arith.floordivsi", a, b, |x, y| (y != 0).then(|| x.div_euclid(y))) }
    }

    /// `ceil(a / b)`, `b > 0`
    pub fn ceil_div(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        if b.known() == Some(1) { a } else { self.size_op("arith.ceildivsi", a, b, |x, y| (y != 0).then(|| -(-x).div_euclid(y))) }
    }

    /// The larger.
    pub fn max(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        if a == b { a } else { self.size_op("arith.maxsi", a, b, |x, y| Some(x.max(y))) }
    }

    /// The smaller.
    pub fn min(&self, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
        if a == b { a } else { self.size_op("arith.minsi", a, b, |x, y| Some(x.min(y))) }
    }

    /// The product of all.
    pub fn product(&self, dims: &[Dim<'c>]) -> Dim<'c> {
        dims.iter().fold(Dim::Static(1), |product, dim| self.mul(product, *dim))
    }

    /// Sizes of operands that broadcast, right-aligned; a known size wins over `?`.
    pub fn broadcast_dims(&self, shapes: &[&[Dim<'c>]]) -> Vec<Dim<'c>> {
        let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
        let mut dims = vec![Dim::Static(1); rank];
        for shape in shapes {
            for (dim, size) in dims[rank - shape.len()..].iter_mut().zip(shape.iter()) {
                if dim.known() == Some(1) || (dim.known().is_none() && size.known().is_some_and(|size| size != 1)) {
                    *dim = *size;
                }
            }
        }
        dims
    }
}
