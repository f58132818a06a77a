//! Elements of a kernel's tensors, computed where they are needed.
//!
//! A tensor inside a kernel has no memory. [`Eval::element`] builds the code for one element at given indices: an
//! argument's is loaded, a generic's body is copied with its operands evaluated in turn, a reshape changes the indices,
//! a reduction becomes a loop unless its row's result is known already ([`Eval::known`]).

use std::collections::HashMap;
use std::rc::Rc;

use fx_ir::{Attribute, Block, Builder, Context, Op, Result, Type, Value, emit_error};

use crate::generic::{Generic, reassociation};
use crate::kernel::Kernel;

mod address;
mod body;
mod checks;
mod extrema;
mod fetch;
mod held;
mod indices;
mod reduction;
mod scans;
mod scopes;
mod staged;
mod windows;

pub use address::{Address, Stride, is_cast};
pub use fetch::LINE_BYTES;
pub use scopes::{LoopBody, Written};

/// An argument in memory: flat, contiguous, row-major.
#[derive(Clone)]
pub struct Memory<'c> {
    /// A 1-D memref.
    pub memref: Value<'c>,
    /// Its sizes as `index` values.
    pub dims: Vec<Value<'c>>,
    /// Element type as computed with (`i1` is a byte in memory).
    pub element: Type<'c>,
}

/// The position that a loop stands at.
struct Place<'c> {
    indices: Vec<Value<'c>>,
    dims: Vec<Value<'c>>,
    position: Value<'c>,
}

type Key<'c> = (Value<'c>, Vec<Value<'c>>);

/// Builds element code at a moving place.
pub struct Eval<'c> {
    /// Where code goes now.
    pub b: Builder<'c>,
    memory: HashMap<Value<'c>, Memory<'c>>,
    scalars: HashMap<Value<'c>, Value<'c>>,
    /// Sizes of tensors in the kernel, by `index` arguments.
    arguments: Vec<Value<'c>>,
    constants: Vec<HashMap<i64, Value<'c>>>,
    memo: Vec<HashMap<Key<'c>, Value<'c>>>,
    place: Option<Place<'c>>,
    checks: Vec<checks::Check<'c>>,
    /// Sizes as products, in code that runs only where they are: by these, addresses are known to be aligned.
    multiples: HashMap<Value<'c>, Value<'c>>,
    /// What was loaded, where that stays in registers from phase to phase.
    held: Option<held::Held<'c>>,
    /// What lies in workgroup memory too.
    staged: staged::Staged<'c>,
    /// Generics that were read, by their results.
    generics: HashMap<Value<'c>, Rc<Generic<'c>>>,
    /// Lets float sums be reordered (vectorised) where a reduction is a loop.
    pub reorder: bool,
    /// Lets a product that a float sum adds be part of a fused multiply-add, wherever it is computed.
    pub contract: bool,
    /// Writes out reductions over few places, so that the loop around them can become vectors.
    pub unroll: bool,
    /// Takes the largest and least of floats by integer keys, which become vectors.
    pub keyed_extrema: bool,
}

impl<'c> Eval<'c> {
    /// Starts at `b`. `values` are the emitted function's stand-ins for the kernel's arguments: memory or scalars.
    pub fn new(b: Builder<'c>, kernel: &Kernel<'c>, values: &[Argument<'c>]) -> Self {
        let constants = vec![HashMap::new()];
        let mut eval = Self {
            b,
            memory: HashMap::new(),
            scalars: HashMap::new(),
            arguments: Vec::new(),
            constants,
            memo: vec![HashMap::new()],
            place: None,
            checks: Vec::new(),
            multiples: HashMap::new(),
            held: None,
            staged: staged::Staged::default(),
            generics: HashMap::new(),
            reorder: false,
            contract: false,
            keyed_extrema: false,
            unroll: false,
        };
        for (argument, value) in kernel.body.arguments().into_iter().zip(values) {
            match value {
                Argument::Memory(place) => {
                    let mut place = place.clone();
                    eval.share_sizes(&mut place);
                    eval.memory.insert(argument, place);
                    eval.arguments.push(argument);
                }
                Argument::Scalar(scalar) => {
                    eval.scalars.insert(argument, *scalar);
                    eval.arguments.push(*scalar);
                }
            }
        }
        eval.checks = kernel.checks.iter().map(|(number, op)| checks::Check::new(&eval.b, *number, *op)).collect();
        eval
    }

    /// Makes equal known sizes one value each, by which memory that has the loop's own sizes is recognised.
    pub fn share_sizes(&mut self, memory: &mut Memory<'c>) {
        for dim in &mut memory.dims {
            if let Some(size) = dim.constant().and_then(Attribute::as_int) {
                *dim = self.index(size);
            }
        }
    }

    /// The memory of an argument of the kernel; none if it is a number.
    pub fn argument(&self, argument: Value<'c>) -> Option<Memory<'c>> {
        self.memory.get(&argument).cloned()
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.b.context()
    }

    /// The block that code goes to now.
    pub fn block(&self) -> Option<Block<'c>> {
        self.b.block()
    }

    /// The loop's own place: memory of sizes `dims` has the element at `indices` at `position`.
    pub fn set_place(&mut self, indices: &[Value<'c>], dims: &[Value<'c>], position: Value<'c>) {
        self.place = Some(Place { indices: indices.to_vec(), dims: dims.to_vec(), position });
    }

    /// Records the element of `value` at `indices`.
    pub fn known(&mut self, value: Value<'c>, indices: &[Value<'c>], element: Value<'c>) {
        if let Some(scope) = self.memo.last_mut() {
            scope.insert((value, indices.to_vec()), element);
        }
    }

    /// The element of `value` at `indices`.
    ///
    /// # Errors
    /// If an op inside the kernel is none that kernels can hold: an internal bug, reported at the op.
    pub fn element(&mut self, value: Value<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let key = (value, indices.to_vec());
        if let Some(known) = self.memo.iter().rev().find_map(|scope| scope.get(&key)) {
            return Ok(*known);
        }
        let element = self.build_element(value, indices)?;
        self.known(value, indices, element);
        Ok(element)
    }

    fn build_element(&mut self, value: Value<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        if let Some((memory, indices)) = self.viewed_at(value, indices) {
            return Ok(self.load(&memory, &indices));
        }
        let Some(op) = value.defining_op() else {
            return Err(emit_error(self.b.location(), "internal bug: a kernel reads an unknown argument", &[]));
        };
        let outer = self.b;
        self.b = self.b.located(op.location());
        let element = match op.name() {
            "tensor.cast" => self.element(op.operand(0), indices),
            "tensor.empty" => Ok(self.zero(value.ty().element())),
            "linalg.fill" => Ok(self.scalar(op.operand(0))),
            "arith.constant" => Ok(self.splat(op)),
            "tensor.collapse_shape" => self.collapsed(op, indices),
            "tensor.expand_shape" => self.expanded(op, indices),
            "linalg.generic" => self.generic(op, value, indices),
            name => Err(emit_error(op.location(), &format!("internal bug: '{name}' inside a kernel"), &[])),
        };
        self.b = outer;
        element
    }

    /// Loads an element of memory.
    pub fn load(&mut self, memory: &Memory<'c>, indices: &[Value<'c>]) -> Value<'c> {
        let position = match &self.place {
            Some(place) if place.indices == indices && place.dims == memory.dims => place.position,
            _ => self.linearize(indices, &memory.dims),
        };
        self.load_flat(memory, position)
    }

    /// Loads the element at a position.
    pub fn load_flat(&mut self, memory: &Memory<'c>, position: Value<'c>) -> Value<'c> {
        let stored = memory.memref.ty().element();
        let loaded = self.loaded(memory.memref, position, stored);
        if memory.element == stored { loaded } else { self.b.value("arith.trunci", &[loaded], memory.element, &[]) }
    }

    /// Stores an element at a position.
    pub fn store_flat(&mut self, memory: &Memory<'c>, position: Value<'c>, element: Value<'c>) {
        let stored = memory.memref.ty().element();
        let element = if memory.element == stored { element } else { self.b.value("arith.extui", &[element], stored, &[]) };
        self.b.op("memref.store", &[element, memory.memref, position], &[], &[]);
    }

    fn zero(&mut self, ty: Type<'c>) -> Value<'c> {
        if ty.is_complex() {
            let part = self.b.number(ty.element(), 0.0);
            return self.b.value("complex.create", &[part, part], ty, &[]);
        }
        self.b.number(ty, 0.0)
    }

    fn splat(&mut self, op: Op<'c>) -> Value<'c> {
        let element = op.result(0).ty().element();
        let Some(value) = op.attribute("value").and_then(Attribute::as_splat) else { return self.zero(element) };
        match value.as_array().filter(|_| element.is_complex()) {
            Some(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|part| self.b.constant(part, element.element())).collect();
                self.b.value("complex.create", &parts, element, &[])
            }
            None => self.b.constant(value, element),
        }
    }

    /// A scalar of the kernel's function.
    fn scalar(&mut self, value: Value<'c>) -> Value<'c> {
        if let Some(known) = self.scalars.get(&value) {
            return *known;
        }
        match value.defining_op() {
            Some(op) if op.name() == "arith.constant" => match op.attribute("value") {
                Some(constant) => self.b.constant(constant, value.ty()),
                None => value,
            },
            _ => value,
        }
    }

    /// Sizes of a tensor inside the kernel.
    fn dims(&mut self, value: Value<'c>) -> Vec<Value<'c>> {
        if let Some(memory) = self.memory.get(&value) {
            return memory.dims.clone();
        }
        match value.defining_op() {
            Some(op) if op.name() == "tensor.collapse_shape" => {
                let source = self.dims(op.operand(0));
                let groups = reassociation(op);
                return groups.into_iter().map(|group| self.product(&group.iter().map(|i| source[*i]).collect::<Vec<_>>())).collect();
            }
            Some(op) if op.name() == "tensor.cast" => {
                let source = self.dims(op.operand(0));
                let shape = value.ty().shape();
                return shape
                    .into_iter()
                    .zip(source)
                    .map(|(size, dim)| if size == fx_ir::DYNAMIC { dim } else { self.index(size) })
                    .collect();
            }
            _ => {}
        }
        let b = self.b;
        crate::generic::dims_of(value, &b)
            .into_iter()
            .map(|dim| match dim {
                fx_ops::fx_op::Dim::Static(size) => self.index(size),
                fx_ops::fx_op::Dim::Dynamic(value) => self.scalar(value),
            })
            .collect()
    }

    fn collapsed(&mut self, op: Op<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let at = self.collapsed_indices(op, indices);
        self.element(op.operand(0), &at)
    }

    fn expanded(&mut self, op: Op<'c>, indices: &[Value<'c>]) -> Result<Value<'c>> {
        let at = self.expanded_indices(op, indices);
        self.element(op.operand(0), &at)
    }
}

/// A kernel argument's stand-in in the emitted function.
#[derive(Clone)]
pub enum Argument<'c> {
    /// A tensor in memory.
    Memory(Memory<'c>),
    /// A number.
    Scalar(Value<'c>),
}
