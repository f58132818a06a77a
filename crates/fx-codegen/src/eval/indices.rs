//! Arithmetic on indices and sizes: constants are shared, and what they decide is folded.

use fx_ir::{Attribute, Type, Value};

use super::Eval;
use crate::kernel::Size;

impl<'c> Eval<'c> {
    /// An `index` constant.
    pub fn index(&mut self, value: i64) -> Value<'c> {
        if let Some(known) = self.constants.iter().rev().find_map(|scope| scope.get(&value)) {
            return *known;
        }
        let constant = self.b.index(value);
        if let Some(scope) = self.constants.last_mut() {
            scope.insert(value, constant);
        }
        constant
    }

    pub(super) fn is(value: Value<'c>, constant: i64) -> bool {
        value.constant().and_then(Attribute::as_int) == Some(constant)
    }

    /// `a + b`
    pub fn add(&mut self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        if Self::is(a, 0) {
            return b;
        }
        if Self::is(b, 0) { a } else { self.b.value("arith.addi", &[a, b], a.ty(), &[]) }
    }

    /// `a * b`
    pub fn mul(&mut self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let known = |value: Value<'c>| value.constant().and_then(Attribute::as_int);
        match (known(a), known(b)) {
            (Some(x), Some(y)) => self.index(x.saturating_mul(y)),
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.b.value("arith.muli", &[a, b], a.ty(), &[]),
        }
    }

    /// The product of sizes.
    pub fn product(&mut self, dims: &[Value<'c>]) -> Value<'c> {
        let one = self.index(1);
        dims.iter().fold(one, |product, dim| self.mul(product, *dim))
    }

    /// A size as an `index` value.
    pub fn size(&mut self, size: Size) -> Value<'c> {
        match size {
            Size::Known(size) => self.index(size),
            Size::Argument(index) => self.arguments[index],
        }
    }

    /// Sizes as `index` values.
    pub fn sizes(&mut self, sizes: &[Size]) -> Vec<Value<'c>> {
        sizes.iter().map(|size| self.size(*size)).collect()
    }

    /// Row-major position of `indices`.
    pub fn linearize(&mut self, indices: &[Value<'c>], dims: &[Value<'c>]) -> Value<'c> {
        let zero = self.index(0);
        indices.iter().zip(dims).fold(zero, |position, (index, dim)| {
            let dim = self.as_multiple(*dim);
            let scaled = if Self::is(position, 0) { position } else { self.mul(position, dim) };
            self.add(scaled, *index)
        })
    }

    /// Indices of a row-major position.
    pub fn delinearize(&mut self, position: Value<'c>, dims: &[Value<'c>]) -> Vec<Value<'c>> {
        let mut rest = position;
        let mut indices = Vec::new();
        for (i, dim) in dims.iter().enumerate().rev() {
            let zero = self.index(0);
            if Self::is(*dim, 1) {
                indices.push(zero);
            } else if i == 0 || dims[..i].iter().all(|dim| Self::is(*dim, 1)) {
                indices.push(rest);
                rest = zero;
            } else {
                indices.push(self.b.value("arith.remui", &[rest, *dim], rest.ty(), &[]));
                rest = self.b.value("arith.divui", &[rest, *dim], rest.ty(), &[]);
            }
        }
        indices.reverse();
        indices
    }

    /// An index of which the optimiser does not know how it is computed, in a register of the kind that the target calls `register`.
    pub fn hidden(&self, value: Value<'c>, register: &str) -> Value<'c> {
        let (word, index) = (Type::int(self.context(), 64), value.ty());
        let value = self.b.value("arith.index_cast", &[value], word, &[]);
        let text = |text: &str| Attribute::string(self.context(), text);
        let hidden = [("asm_string", text("")), ("constraints", text(&format!("={register},0")))];
        let value = self.b.value("llvm.inline_asm", &[value], word, &hidden);
        self.b.value("arith.index_cast", &[value], index, &[])
    }
}
