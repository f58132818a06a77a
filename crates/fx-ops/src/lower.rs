//! The walk from fx to linalg: what rules see, and the loops that they build.
//!
//! Every tensor becomes a `linalg.generic`, whose body may read other tensors at computed places (`tensor.extract`),
//! or a reshape. Sizes are tracked as values, so that equal symbols are the same SSA value below.

use std::collections::HashMap;

use fx_ir::{Attribute, Builder, Context, Op, Result, Type, Value, emit_error};

use crate::fx_op::{Dim, FxOp, type_shape};
use crate::scalar::{Number, Scalars, storage_type};

mod loops;
mod reshape;
mod sizes;

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
    /// Whether kernels sort rows (`rows/order/in_kernels.rs`); else functions on the host do.
    pub sort_in_kernels: bool,
    /// Whether kernels read windows of few products where the input lies, and pad it themselves; else padded copies are tensors.
    pub pad_in_kernels: bool,
    /// Name of that op.
    name: &'c str,
    values: HashMap<Value<'c>, Lowered<'c>>,
}

impl<'c> Lower<'c> {
    /// Starts a walk that builds at `b`.
    pub fn new(b: Builder<'c>) -> Self {
        Self { b, scatter_in_kernels: false, sort_in_kernels: false, pad_in_kernels: false, name: "func.func", values: HashMap::new() }
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
