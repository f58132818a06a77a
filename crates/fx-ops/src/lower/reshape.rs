//! The same elements in another shape.

use std::ops::Range;

use fx_ir::{Attribute, Type, Value};

use super::{Lower, Tensor};
use crate::fx_op::{Dim, type_shape};
use crate::scalar::storage_type;

impl<'c> Lower<'c> {
    /// The same elements in row-major order in another shape: groups of dimensions collapsed and expanded, as small
    /// as the sizes allow, so that indexing stays simple.
    pub fn reshape(&self, tensor: &Tensor<'c>, dims: &[Dim<'c>]) -> Tensor<'c> {
        if tensor.dims == dims {
            return tensor.clone();
        }
        if tensor.dims.iter().chain(dims).any(|dim| dim.known() == Some(0)) {
            return self.empty(dims, tensor.element);
        }
        if tensor.dims.is_empty() {
            return self.expand(tensor, &[], dims);
        }
        if dims.is_empty() {
            return self.collapse(tensor, &[], dims);
        }
        let mut groups = reshape_groups(&tensor.dims, dims);
        // A size that stands alone is equal to what it is made from by the number of elements, unless there are none of these.
        let may_differ = |(from, to): &(Range<usize>, Range<usize>)| {
            let (from, to) = (&tensor.dims[from.clone()], &dims[to.clone()]);
            let is_known = |dims: &[Dim<'c>]| dims.iter().all(|dim| dim.known().is_some());
            is_known(from) != is_known(to) || matches!((from, to), ([a], [b]) if a != b)
        };
        if groups.len() > 1 && groups.iter().any(may_differ) {
            groups = vec![(0..tensor.rank(), 0..dims.len())];
        }
        let middle: Vec<_> = groups.iter().map(|(from, to)| self.group_size(&tensor.dims[from.clone()], &dims[to.clone()])).collect();
        let collapsed = if groups.iter().all(|(from, _)| from.len() == 1) {
            tensor.clone()
        } else {
            let groups: Vec<_> = groups.iter().map(|(from, _)| from.clone()).collect();
            self.collapse(tensor, &groups, &middle)
        };
        if groups.iter().all(|(_, to)| to.len() == 1) {
            return Tensor { dims: dims.to_vec(), ..collapsed };
        }
        let groups: Vec<_> = groups.iter().map(|(_, to)| to.clone()).collect();
        self.expand(&collapsed, &groups, dims)
    }

    /// The size of a group: by the side that is one dimension, or that is known, or else a product.
    fn group_size(&self, from: &[Dim<'c>], to: &[Dim<'c>]) -> Dim<'c> {
        let known = |dims: &[Dim<'c>]| dims.iter().try_fold(1i64, |product, dim| product.checked_mul(dim.known()?));
        match (from, to) {
            ([dim], _) | (_, [dim]) if known(from).is_none() || from.len() == 1 => *dim,
            _ => known(from).or_else(|| known(to)).map_or_else(|| self.product(from), Dim::Static),
        }
    }

    fn reassociation(&self, groups: &[Range<usize>]) -> Attribute<'c> {
        let context = self.context();
        let groups: Vec<_> = groups
            .iter()
            .map(|group| Attribute::array(context, &group.clone().map(|i| Attribute::i64(context, i as i64)).collect::<Vec<_>>()))
            .collect();
        Attribute::array(context, &groups)
    }

    fn collapse(&self, tensor: &Tensor<'c>, groups: &[Range<usize>], dims: &[Dim<'c>]) -> Tensor<'c> {
        // collapse_shape's type has `?` wherever a member of the group has one.
        let shape: Vec<_> = groups
            .iter()
            .map(|group| {
                tensor.dims[group.clone()].iter().try_fold(1i64, |product, dim| product.checked_mul(dim.known()?)).unwrap_or(fx_ir::DYNAMIC)
            })
            .collect();
        let ty = Type::tensor(&shape, storage_type(tensor.element));
        let value = self.b.value("tensor.collapse_shape", &[tensor.value], ty, &[("reassociation", self.reassociation(groups))]);
        self.cast_to(value, dims, tensor.element)
    }

    fn expand(&self, tensor: &Tensor<'c>, groups: &[Range<usize>], dims: &[Dim<'c>]) -> Tensor<'c> {
        // expand_shape wants a `?` in a group that comes from a `?`, and none elsewhere.
        let mut source = tensor.clone();
        let source_dims: Vec<_> = groups
            .iter()
            .zip(&tensor.dims)
            .map(|(group, dim)| {
                let all_known = dims[group.clone()].iter().all(|dim| dim.known().is_some());
                if all_known { Dim::Static(dims[group.clone()].iter().filter_map(|dim| dim.known()).product()) } else { *dim }
            })
            .collect();
        if type_shape(&source_dims) != tensor.value.ty().shape() {
            let ty = self.tensor_type(&source_dims, tensor.element);
            source = Tensor { value: self.b.value("tensor.cast", &[tensor.value], ty, &[]), dims: source_dims, element: tensor.element };
        }
        let sizes: Vec<_> = dims.iter().filter(|dim| dim.known().is_none()).map(|dim| self.dim_value(*dim)).collect();
        let mut operands = vec![source.value];
        operands.extend(sizes);
        let attributes =
            [("reassociation", self.reassociation(groups)), ("static_output_shape", Attribute::i64s(self.context(), &type_shape(dims)))];
        let value = self.b.value("tensor.expand_shape", &operands, self.tensor_type(dims, tensor.element), &attributes);
        Tensor { value, dims: dims.to_vec(), element: tensor.element }
    }
}

/// Cuts two shapes of equally many elements into the smallest groups of equal size. A group with a run-time size on
/// one side only reaches to the end of both shapes.
fn reshape_groups(from: &[Dim<'_>], to: &[Dim<'_>]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut groups = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let (start_i, start_j) = (i, j);
        if from[i] == to[j] {
            (i, j) = (i + 1, j + 1);
        } else if let Some((end_i, end_j)) = close_group(from, to, i, j) {
            (i, j) = (end_i, end_j);
        } else {
            (i, j) = (from.len(), to.len());
        }
        groups.push((start_i..i, start_j..j));
    }
    // What is left on one side are sizes of 1.
    if let Some(last) = groups.last_mut() {
        last.0.end = from.len();
        last.1.end = to.len();
    }
    groups
}

/// The end of the group that starts at `i` and `j`: where products of known sizes meet.
fn close_group(from: &[Dim<'_>], to: &[Dim<'_>], i: usize, j: usize) -> Option<(usize, usize)> {
    let (mut end_i, mut end_j) = (i + 1, j + 1);
    let mut left = Run::of(from[i]);
    let mut right = Run::of(to[j]);
    loop {
        if left.dynamic == right.dynamic && left.size == right.size {
            return Some((end_i, end_j));
        }
        // Grow the side that lags: the one missing a run-time factor, or the smaller one.
        let grow_left = if left.dynamic == right.dynamic { left.size < right.size } else { left.dynamic.len() < right.dynamic.len() };
        if grow_left {
            left.extend(*from.get(end_i)?);
            end_i += 1;
        } else {
            right.extend(*to.get(end_j)?);
            end_j += 1;
        }
    }
}

/// A product of sizes: the known part and the run-time factors.
struct Run<'c> {
    size: i64,
    dynamic: Vec<Value<'c>>,
}

impl<'c> Run<'c> {
    fn of(dim: Dim<'c>) -> Self {
        let mut run = Run { size: 1, dynamic: Vec::new() };
        run.extend(dim);
        run
    }

    fn extend(&mut self, dim: Dim<'c>) {
        match dim {
            Dim::Static(size) => self.size = self.size.saturating_mul(size),
            Dim::Dynamic(value) => self.dynamic.push(value),
        }
    }
}
