//! Creating operations at a place, with a location.

use std::collections::HashMap;
use std::marker::PhantomData;

use melior::Context;
use mlir_sys::*;

use crate::raw::string_ref;
use crate::{Attribute, Block, Location, Op, Reported, Result, Type, Value, emit_error};

/// Where new operations go.
#[derive(Clone, Copy)]
enum Place<'c> {
    End(Block<'c>),
    Before(Op<'c>),
}

/// Creates operations at its place, each with its location.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    location: Location<'c>,
    place: Place<'c>,
}

/// What an op is made of, besides its name.
#[derive(Default)]
pub struct Parts<'a, 'c> {
    /// Operands.
    pub operands: &'a [Value<'c>],
    /// Result types; none means that the dialect infers them.
    pub results: Option<&'a [Type<'c>]>,
    /// Attributes.
    pub attributes: &'a [(&'a str, Attribute<'c>)],
    /// One entry per region: the types of its entry block's arguments, or none for a region without a block.
    pub regions: &'a [Option<&'a [Type<'c>]>],
    #[doc(hidden)]
    pub lifetime: PhantomData<&'c ()>,
}

impl<'c> Builder<'c> {
    /// Builds at the end of a block.
    pub fn at_end(block: Block<'c>, context: &'c Context, location: Location<'c>) -> Self {
        Self { context, location, place: Place::End(block) }
    }

    /// Builds before an op, with the op's location.
    pub fn before(op: Op<'c>) -> Self {
        Self { context: op.context(), location: op.location(), place: Place::Before(op) }
    }

    /// Builds at the end of a block, before its terminator if it has one.
    pub fn in_block(block: Block<'c>, context: &'c Context, location: Location<'c>) -> Self {
        match block.terminator() {
            Some(op) => Self { context, location, place: Place::Before(op) },
            None => Self::at_end(block, context, location),
        }
    }

    /// The same place with another location.
    pub fn located(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// The same location at the end of another block.
    pub fn inside(self, block: Block<'c>) -> Self {
        Self { place: Place::End(block), ..self }
    }

    /// The block that new ops go to.
    pub fn block(&self) -> Option<Block<'c>> {
        match self.place {
            Place::End(block) => Some(block),
            Place::Before(op) => op.block(),
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }
    /// The location of new ops.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Creates an op.
    ///
    /// # Errors
    /// If the dialect cannot infer its result types; the reason was reported at the location.
    pub fn build(&self, name: &str, parts: &Parts<'_, 'c>) -> Result<Op<'c>> {
        let operands: Vec<_> = parts.operands.iter().map(|value| value.raw()).collect();
        // SAFETY: every handle is alive, arrays are copied by the state's functions, and the regions and the created op
        // are owned by the state and then by the block that they are put into.
        unsafe {
            let mut state = mlirOperationStateGet(string_ref(name), self.location.raw());
            mlirOperationStateAddOperands(&raw mut state, operands.len() as isize, operands.as_ptr());
            let attributes: Vec<_> = parts
                .attributes
                .iter()
                .map(|(name, value)| mlirNamedAttributeGet(mlirIdentifierGet(self.context.to_raw(), string_ref(name)), value.raw()))
                .collect();
            mlirOperationStateAddAttributes(&raw mut state, attributes.len() as isize, attributes.as_ptr());
            for arguments in parts.regions {
                let region = mlirRegionCreate();
                if let Some(types) = arguments {
                    let raw: Vec<_> = types.iter().map(|ty| ty.raw()).collect();
                    let locations = vec![self.location.raw(); raw.len()];
                    mlirRegionAppendOwnedBlock(region, mlirBlockCreate(raw.len() as isize, raw.as_ptr(), locations.as_ptr()));
                }
                mlirOperationStateAddOwnedRegions(&raw mut state, 1, &raw const region);
            }
            match parts.results {
                Some(types) => {
                    let raw: Vec<_> = types.iter().map(|ty| ty.raw()).collect();
                    mlirOperationStateAddResults(&raw mut state, raw.len() as isize, raw.as_ptr());
                }
                None => mlirOperationStateEnableResultTypeInference(&raw mut state),
            }
            let raw = mlirOperationCreate(&raw mut state);
            if raw.ptr.is_null() {
                return Err(emit_error(self.location, &format!("cannot create '{name}'"), &[]));
            }
            self.insert(raw);
            Ok(Op::from_raw(raw))
        }
    }

    /// # Safety
    /// `raw` must be a live op that no block owns.
    unsafe fn insert(&self, raw: MlirOperation) {
        // SAFETY: the place is alive; ownership of `raw` goes to its block.
        unsafe {
            match self.place {
                Place::End(block) => mlirBlockAppendOwnedOperation(block.raw(), raw),
                Place::Before(op) => mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op.raw()), op.raw(), raw),
            }
        }
    }

    /// Creates an op with known result types.
    pub fn op(&self, name: &str, operands: &[Value<'c>], results: &[Type<'c>], attributes: &[(&str, Attribute<'c>)]) -> Op<'c> {
        let parts = Parts { operands, results: Some(results), attributes, ..Parts::default() };
        match self.build(name, &parts) {
            Ok(op) => op,
            // With given result types nothing is inferred, so creation cannot fail for a registered name.
            Err(Reported { .. }) => unreachable!("'{name}' was created with result types"),
        }
    }

    /// Creates an op with one result of a known type and gives the result.
    pub fn value(&self, name: &str, operands: &[Value<'c>], result: Type<'c>, attributes: &[(&str, Attribute<'c>)]) -> Value<'c> {
        self.op(name, operands, &[result], attributes).result(0)
    }

    /// Creates an op with regions and known result types.
    pub fn op_with_regions(
        &self,
        name: &str,
        operands: &[Value<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: &[Option<&[Type<'c>]>],
    ) -> Op<'c> {
        let parts = Parts { operands, results: Some(results), attributes, regions, ..Parts::default() };
        match self.build(name, &parts) {
            Ok(op) => op,
            Err(Reported { .. }) => unreachable!("'{name}' was created with result types"),
        }
    }

    /// Creates an op whose result types its dialect infers.
    ///
    /// # Errors
    /// If they cannot be inferred; the reason was reported at the location.
    pub fn infer(&self, name: &str, operands: &[Value<'c>], attributes: &[(&str, Attribute<'c>)]) -> Result<Op<'c>> {
        self.build(name, &Parts { operands, attributes, ..Parts::default() })
    }

    /// An `arith.constant` of a scalar type, from a double (integers take its integer value).
    pub fn number(&self, ty: Type<'c>, value: f64) -> Value<'c> {
        self.constant(Attribute::number(self.context, ty, value), ty)
    }

    /// An `arith.constant` integer or index.
    pub fn int(&self, ty: Type<'c>, value: i64) -> Value<'c> {
        self.constant(Attribute::int(ty, value), ty)
    }

    /// An `arith.constant` of type `index`.
    pub fn index(&self, value: i64) -> Value<'c> {
        self.int(Type::index(self.context), value)
    }

    /// An `arith.constant`.
    pub fn constant(&self, value: Attribute<'c>, ty: Type<'c>) -> Value<'c> {
        self.value("arith.constant", &[], ty, &[("value", value)])
    }

    /// Copies `op` and everything inside, with operands replaced as `map` says; the results are added to `map`.
    pub fn clone_op(&self, op: Op<'c>, map: &mut HashMap<Value<'c>, Value<'c>>) -> Op<'c> {
        // SAFETY: the op is alive; the copy is owned by the block that it is put into.
        let copy = unsafe {
            let raw = mlirOperationClone(op.raw());
            self.insert(raw);
            Op::from_raw(raw)
        };
        remap(copy, map);
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            map.insert(old, new);
        }
        copy
    }
}

/// Replaces operands of `op` and of ops inside as `map` says (values defined inside were copied along with it).
fn remap<'c>(op: Op<'c>, map: &HashMap<Value<'c>, Value<'c>>) {
    for (index, operand) in op.operands().into_iter().enumerate() {
        if let Some(new) = map.get(&operand) {
            op.set_operand(index, *new);
        }
    }
    for region in op.regions() {
        for block in region.blocks() {
            for inner in block.ops() {
                remap(inner, map);
            }
        }
    }
}
