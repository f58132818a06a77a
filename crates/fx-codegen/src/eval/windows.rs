//! Reductions over small windows, written out.

use fx_ir::{Attribute, Result, Value};

use super::Eval;
use crate::generic::Generic;

/// Places of the largest window that is written out: a kernel of 5 x 5.
const LARGEST: i64 = 25;

/// Whether all sizes are known and their product is small.
pub(super) fn is_small(sizes: &[Value<'_>]) -> bool {
    let product = sizes.iter().try_fold(1i64, |product, size| product.checked_mul(size.constant().and_then(Attribute::as_int)?));
    product.is_some_and(|product| product <= LARGEST)
}

impl<'c> Eval<'c> {
    /// A reduction over places of known number, one after the other.
    pub(super) fn unrolled(
        &mut self,
        generic: &Generic<'c>,
        sizes: &[Value<'c>],
        carried: Vec<Value<'c>>,
        indices: &mut Vec<Value<'c>>,
    ) -> Result<Vec<Value<'c>>> {
        let [first, rest @ ..] = sizes else { return self.body(generic, indices, &carried) };
        let count = first.constant().and_then(Attribute::as_int).unwrap_or(0);
        (0..count).try_fold(carried, |carried, place| {
            let place = self.index(place);
            indices.push(place);
            let next = self.unrolled(generic, rest, carried, indices);
            indices.pop();
            next
        })
    }
}
