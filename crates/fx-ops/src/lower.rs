//! The walk from fx to linalg: what rules see, and the loops that they build.
//!
//! Every tensor becomes a `linalg.generic`, whose body may read other tensors at computed places (`tensor.extract`),
//! or a reshape. Sizes are tracked as values, so that equal symbols are the same SSA value below.

use std::collections::HashMap;
use std::ops::Range;

use fx_ir::{AffineResult, Attribute, Block, Builder, Context, Op, Result, Type, Value, emit_error};

use crate::fx_op::{Dim, FxOp, type_shape};
use crate::scalar::{Number, Scalars, storage_type};

/// A tensor on its way down: its value in linalg's types, its sizes, and the fx element type (which knows `ui8`).
#[derive(Clone, Debug)]
pub struct Tensor<'c> {
    /// The value.
    pub value: Value<'c>,
    /// Its sizes.
    pub dims: Vec<Dim<'c>>,
    /// Its element type in fx.
    pub element: Type<'c>,
}

impl Tensor<'_> {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }
}

/// Which loop variable an operand is indexed by, per dimension of the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ix {
    /// Loop `i`.
    Loop(usize),
    /// Always 0: a broadcast dimension.
    Zero,
}

/// A tensor read by a generic, with its indexing.
#[derive(Clone, Debug)]
pub struct Operand<'c> {
    /// The tensor.
    pub tensor: Tensor<'c>,
    /// One entry per dimension of the tensor.
    pub map: Vec<Ix>,
}

/// The inside of a generic.
pub struct Body<'c> {
    /// Scalar arithmetic.
    pub s: Scalars<'c>,
}

impl<'c> Body<'c> {
    /// Loop variable `i`, an `index`.
    pub fn index(&self, i: usize) -> Value<'c> {
        let b = &self.s.b;
        let i64_type = Type::int(b.context(), 64);
        b.value("linalg.index", &[], Type::index(b.context()), &[("dim", Attribute::int(i64_type, i as i64))])
    }

    /// The element of a tensor at computed indices.
    pub fn extract(&self, tensor: &Tensor<'c>, indices: &[Value<'c>]) -> Number<'c> {
        let mut operands = vec![tensor.value];
        operands.extend_from_slice(indices);
        let value = self.s.b.value("tensor.extract", &operands, storage_type(tensor.element), &[]);
        Number { value, ty: tensor.element }
    }

    /// Stops the program with `message` unless `holds`. Where that is one comparison, `{value}` and `{bound}` in the
    /// message stand for the numbers compared (`plan::Check` of the runtime says more); after a failure the loop goes on.
    pub fn check(&self, holds: Number<'c>, message: &str) {
        let b = &self.s.b;
        b.op("cf.assert", &[holds.value], &[], &[("msg", Attribute::string(b.context(), message))]);
    }

    /// An index as a number of type `index`.
    pub fn as_number(&self, index: Value<'c>) -> Number<'c> {
        Number { value: index, ty: index.ty() }
    }
}

/// What a value of fx has become.
#[derive(Clone)]
enum Lowered<'c> {
    Tensor(Tensor<'c>),
    Scalar(Value<'c>),
}

/// The state of the walk.
pub struct Lower<'c> {
    /// Builds at the op that is being lowered.
    pub b: Builder<'c>,
    /// Whether kernels write at computed places, in any order (`rows/indexing/runs.rs`); else functions on the host do.
    pub scatter_in_kernels: bool,
    /// Name of that op.
    name: &'c str,
    values: HashMap<Value<'c>, Lowered<'c>>,
}

impl<'c> Lower<'c> {
    /// Starts a walk that builds at `b`.
    pub fn new(b: Builder<'c>) -> Self {
        Self { b, scatter_in_kernels: false, name: "func.func", values: HashMap::new() }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.b.context()
    }

    //--- values ---------------------------------------------------------------

    /// Records what a value has become.
    pub fn set(&mut self, value: Value<'c>, tensor: Tensor<'c>) {
        self.values.insert(value, Lowered::Tensor(tensor));
    }

    /// Records a scalar.
    pub fn set_scalar(&mut self, value: Value<'c>, scalar: Value<'c>) {
        self.values.insert(value, Lowered::Scalar(scalar));
    }

    /// The tensor that a value has become.
    ///
    /// # Errors
    /// If it is no tensor, or was not lowered: an internal bug, reported at the place of the walk.
    pub fn tensor(&self, value: Value<'c>) -> Result<Tensor<'c>> {
        match self.values.get(&value) {
            Some(Lowered::Tensor(tensor)) => Ok(tensor.clone()),
            _ => Err(emit_error(self.b.location(), &format!("internal bug: '{value:?}' was not lowered to a tensor"), &[])),
        }
    }

    /// The tensor of an operand by name.
    ///
    /// # Errors
    /// As [`Lower::tensor`].
    pub fn operand(&self, op: FxOp<'c>, name: &str) -> Result<Tensor<'c>> {
        self.tensor(op.operand(name)?)
    }

    /// The scalar that a value has become: itself for values of other dialects.
    pub fn scalar(&self, value: Value<'c>) -> Value<'c> {
        match self.values.get(&value) {
            Some(Lowered::Scalar(scalar)) => *scalar,
            _ => value,
        }
    }

    /// A value as whatever it has become.
    pub fn lowered(&self, value: Value<'c>) -> Value<'c> {
        match self.values.get(&value) {
            Some(Lowered::Tensor(tensor)) => tensor.value,
            Some(Lowered::Scalar(scalar)) => *scalar,
            None => value,
        }
    }

    //--- sizes ----------------------------------------------------------------

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

    //--- tensors --------------------------------------------------------------

    /// The type of a tensor of these sizes.
    pub fn tensor_type(&self, dims: &[Dim<'c>], element: Type<'c>) -> Type<'c> {
        Type::tensor(&type_shape(dims), storage_type(element))
    }

    /// A tensor whose contents do not matter.
    pub fn empty(&self, dims: &[Dim<'c>], element: Type<'c>) -> Tensor<'c> {
        let sizes: Vec<_> = dims.iter().filter(|dim| dim.known().is_none()).map(|dim| self.dim_value(*dim)).collect();
        let value = self.b.value("tensor.empty", &sizes, self.tensor_type(dims, element), &[]);
        Tensor { value, dims: dims.to_vec(), element }
    }

    /// A tensor full of one number.
    pub fn fill(&self, dims: &[Dim<'c>], number: Number<'c>) -> Tensor<'c> {
        self.map(dims, number.ty, &[], |_, _| number)
    }

    /// An operand indexed by all loops, right-aligned, with broadcast dimensions at 0. `dims` are the loops' sizes.
    pub fn broadcast(&self, tensor: &Tensor<'c>, dims: &[Dim<'c>]) -> Operand<'c> {
        let offset = dims.len() - tensor.rank();
        let map = tensor
            .dims
            .iter()
            .enumerate()
            .map(|(i, dim)| if dim.known() == Some(1) && dims[offset + i].known() != Some(1) { Ix::Zero } else { Ix::Loop(offset + i) })
            .collect();
        Operand { tensor: tensor.clone(), map }
    }

    /// `result[i..] = body(operands at i..)` over all of `dims`.
    pub fn map(
        &self,
        dims: &[Dim<'c>],
        element: Type<'c>,
        operands: &[Operand<'c>],
        body: impl FnOnce(&Body<'c>, &[Number<'c>]) -> Number<'c>,
    ) -> Tensor<'c> {
        let init = self.empty(dims, element);
        let results = self.generic(dims, 0, operands, vec![init], |inside, arguments, _| vec![body(inside, arguments)]);
        results.into_iter().next().unwrap_or_else(|| self.empty(dims, element))
    }

    /// A reduction: for each place in `dims`, starting from `inits`, `acc = body(operands, acc)` over all of `reduced`.
    /// Operand maps count the loops of `dims` first, then those of `reduced`. One result per init.
    pub fn reduce(
        &self,
        dims: &[Dim<'c>],
        reduced: &[Dim<'c>],
        inits: &[Number<'c>],
        operands: &[Operand<'c>],
        body: impl FnOnce(&Body<'c>, &[Number<'c>], &[Number<'c>]) -> Vec<Number<'c>>,
    ) -> Vec<Tensor<'c>> {
        let outputs = inits
            .iter()
            .map(|init| {
                if init.ty.is_complex() {
                    return self.fill(dims, *init);
                }
                let empty = self.empty(dims, init.ty);
                let attributes = [("operandSegmentSizes", Attribute::i32s(self.context(), &[1, 1]))];
                let ty = empty.value.ty();
                let scalar = init.value.ty();
                let fill =
                    self.b.op_with_regions("linalg.fill", &[init.value, empty.value], &[ty], &attributes, &[Some(&[scalar, scalar])]);
                if let Some(block) = fill.body(0) {
                    self.b.inside(block).op("linalg.yield", &[block.argument(0)], &[], &[]);
                }
                Tensor { value: fill.result(0), ..empty }
            })
            .collect();
        let loops: Vec<_> = dims.iter().chain(reduced).copied().collect();
        let mut operands = operands.to_vec();
        let covered = |i: usize| operands.iter().any(|operand| operand.map.contains(&Ix::Loop(i)));
        if !(dims.len()..loops.len()).all(covered) {
            // No operand has the reduction's sizes: a tensor that is never read carries them.
            let window = self.empty(reduced, Type::int(self.context(), 8));
            operands.push(Operand { tensor: window, map: (dims.len()..loops.len()).map(Ix::Loop).collect() });
        }
        self.generic(&loops, reduced.len(), &operands, outputs, body)
    }

    fn generic(
        &self,
        loops: &[Dim<'c>],
        reduced: usize,
        operands: &[Operand<'c>],
        outputs: Vec<Tensor<'c>>,
        body: impl FnOnce(&Body<'c>, &[Number<'c>], &[Number<'c>]) -> Vec<Number<'c>>,
    ) -> Vec<Tensor<'c>> {
        let context = self.context();
        let parallel = loops.len() - reduced;
        self.check_loops(loops, operands);
        let identity: Vec<_> = (0..parallel).map(Ix::Loop).collect();
        let maps: Vec<_> = operands
            .iter()
            .map(|operand| self.affine_map(loops.len(), &operand.map))
            .chain(outputs.iter().map(|_| self.affine_map(loops.len(), &identity)))
            .collect();
        let kinds: Vec<_> = (0..loops.len()).map(|i| Attribute::iterator(context, i < parallel)).collect();
        let inputs = operands.len() as i32;
        let attributes = [
            ("indexing_maps", Attribute::array(context, &maps)),
            ("iterator_types", Attribute::array(context, &kinds)),
            ("operandSegmentSizes", Attribute::i32s(context, &[inputs, outputs.len() as i32])),
        ];
        let values: Vec<_> = operands.iter().map(|operand| operand.tensor.value).chain(outputs.iter().map(|tensor| tensor.value)).collect();
        let types: Vec<_> = outputs.iter().map(|tensor| tensor.value.ty()).collect();
        let scalars: Vec<_> = values.iter().map(|value| value.ty().element()).collect();
        let op = self.b.op_with_regions("linalg.generic", &values, &types, &attributes, &[Some(&scalars)]);
        if let Some(block) = op.body(0) {
            let inside = Body { s: Scalars::new(self.b.inside(block)) };
            let elements = operands.iter().map(|operand| operand.tensor.element).chain(outputs.iter().map(|tensor| tensor.element));
            let arguments: Vec<_> = block.arguments().into_iter().zip(elements).map(|(value, ty)| Number { value, ty }).collect();
            let (read, accumulated) = arguments.split_at(operands.len());
            let yielded = body(&inside, read, accumulated);
            let yielded: Vec<_> =
                yielded.iter().zip(&outputs).map(|(number, tensor)| inside.s.cast(*number, tensor.element).value).collect();
            inside.s.b.op("linalg.yield", &yielded, &[], &[]);
            make_complex_inside(op, block);
        }
        outputs.into_iter().zip(op.results()).map(|(tensor, value)| Tensor { value, ..tensor }).collect()
    }

    /// Checks, at run time, that operands have the sizes of the loops which read them, where types do not tell.
    fn check_loops(&self, loops: &[Dim<'c>], operands: &[Operand<'c>]) {
        let mut checked = Vec::new();
        for operand in operands {
            for (own, ix) in operand.tensor.dims.iter().zip(&operand.map) {
                let Ix::Loop(i) = ix else { continue };
                let pair = (*own, loops[*i]);
                if pair.0 != pair.1 && (pair.0.known().is_none() || pair.1.known().is_none()) && !checked.contains(&pair) {
                    self.check_sizes(pair.0, pair.1);
                    checked.push(pair);
                }
            }
        }
    }

    /// Stops the program unless two sizes of the op's operands are equal.
    pub fn check_sizes(&self, a: Dim<'c>, b: Dim<'c>) {
        if a != b {
            self.check_equal(a, b, &crate::rows::control::unequal(self.name));
        }
    }

    /// The same for each pair of two lists of sizes.
    pub fn check_shape(&self, own: &[Dim<'c>], expected: &[Dim<'c>]) {
        own.iter().zip(expected).for_each(|(own, expected)| self.check_sizes(*own, *expected));
    }

    fn affine_map(&self, loops: usize, map: &[Ix]) -> Attribute<'c> {
        let result = |ix: &Ix| match ix {
            Ix::Loop(d) => AffineResult::Dim(*d),
            Ix::Zero => AffineResult::Constant(0),
        };
        Attribute::affine_map(self.context(), loops, &map.iter().map(result).collect::<Vec<_>>())
    }

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

    /// The value with sizes as `dims` say, by a `tensor.cast` where its type says less or more.
    pub fn cast_to(&self, value: Value<'c>, dims: &[Dim<'c>], element: Type<'c>) -> Tensor<'c> {
        let ty = self.tensor_type(dims, element);
        let value = if value.ty() == ty { value } else { self.b.value("tensor.cast", &[value], ty, &[]) };
        Tensor { value, dims: dims.to_vec(), element }
    }

    /// The op's place becomes the place of the walk.
    pub fn move_to(&mut self, op: Op<'c>) {
        self.b = Builder::before(op);
        self.name = op.name();
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

/// Makes inside of a loop's body the complex numbers that it takes from outside, from their parts: a kernel has no complex number
/// as an argument. Constants are too, since folding would bring a whole one outside again.
fn make_complex_inside<'c>(generic: Op<'c>, body: Block<'c>) {
    let Some(first) = body.ops().first().copied() else { return };
    let b = Builder::before(first);
    let mut made: HashMap<Value<'c>, Value<'c>> = HashMap::new();
    generic.walk(&mut |op| {
        for (i, value) in op.operands().into_iter().enumerate().filter(|(_, value)| value.ty().is_complex()) {
            let Some(maker) = value.defining_op().filter(|maker| maker.ancestor("linalg.generic") != Some(generic)) else { continue };
            let part = value.ty().element();
            let parts: Vec<_> = match maker.name() {
                "complex.create" => maker.operands(),
                "complex.constant" => {
                    let parts = maker.attribute("value").and_then(Attribute::as_array).unwrap_or_default();
                    parts.into_iter().map(|constant| b.constant(constant, part)).collect()
                }
                _ => continue,
            };
            let inside = *made.entry(value).or_insert_with(|| b.value("complex.create", &parts, value.ty(), &[]));
            op.set_operand(i, inside);
        }
    });
}
