//! Weighted sums along one dim: what separable linear maps, and their transposes, are made of.

use fx_ir::{Type, Value};

use crate::fx_op::Dim;
use crate::lower::{Body, Lower, Tensor};
use crate::rows::spatial::guarded;
use crate::scalar::{Number, Scalars};

/// What step `r` of place `q` adds.
pub(crate) struct Term<'c> {
    /// Whether it adds anything; only then are elements read.
    pub(crate) inside: Number<'c>,
    /// The place in the input.
    pub(crate) place: Number<'c>,
    /// The place in the table of weights.
    pub(crate) weight: Vec<Value<'c>>,
}

/// `result[.., q, ..] = sum_r weights[..] * x[.., place, ..]` with q the index of dim `dim`.
pub(crate) struct Along<'a, 'c> {
    /// What is summed.
    pub(crate) x: &'a Tensor<'c>,
    /// The dim.
    pub(crate) dim: usize,
    /// Its size in the result.
    pub(crate) size: Dim<'c>,
    /// The number of terms.
    pub(crate) steps: Dim<'c>,
    /// None: all are 1.
    pub(crate) weights: Option<&'a Tensor<'c>>,
    /// The type to sum in, the result's.
    pub(crate) ty: Type<'c>,
}

impl<'c> Along<'_, 'c> {
    /// The sums, with what `term` gives for q and r.
    pub(crate) fn sum(self, cx: &Lower<'c>, term: impl FnOnce(&Body<'c>, Number<'c>, Number<'c>) -> Term<'c>) -> Tensor<'c> {
        let Self { x, dim, size, steps, weights, ty } = self;
        let mut dims = x.dims.clone();
        dims[dim] = size;
        let rank = dims.len();
        let zero = Scalars::new(cx.b).int(ty, 0);
        let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
            let s = &body.s;
            let mut at: Vec<_> = (0..rank).map(|i| body.index(i)).collect();
            let found = term(body, body.as_number(at[dim]), body.as_number(body.index(rank)));
            at[dim] = found.place.value;
            let share = guarded(body, found.inside, s.int(ty, 0), |inner| {
                let s = &inner.s;
                let value = s.cast(inner.extract(x, &at), ty);
                weights.map_or(value, |weights| s.mul(s.cast(inner.extract(weights, &found.weight), ty), value))
            });
            vec![s.add(acc[0], share)]
        };
        cx.reduce(&dims, &[steps], &[zero], &[], body).remove(0)
    }
}
