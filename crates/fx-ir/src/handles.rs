//! Handles on operations, values, blocks and regions: plain copies of MLIR's pointers.
//!
//! A handle is valid until what it names is erased; [`Op::erase`] and [`crate::Builder`] are the only ways to erase
//! something, and whoever erases must hold no handle to it afterwards. This is the one promise that the types do not
//! check (a borrow per op would make rewriting impossible); everything else is safe.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use melior::Context;
use mlir_sys::*;

use crate::raw::{print_with, string_ref, to_str};
use crate::{Attribute, Location, Type};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'c> {
            raw: $raw,
            context: PhantomData<&'c Context>,
        }
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                self.raw.ptr == other.raw.ptr
            }
        }
        impl Eq for $name<'_> {}
        impl Hash for $name<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.raw.ptr.hash(state);
            }
        }
        impl<'c> $name<'c> {
            /// # Safety
            /// `raw` must be alive and of a context that outlives `'c`.
            pub(crate) unsafe fn from_raw(raw: $raw) -> Self {
                Self { raw, context: PhantomData }
            }
            #[allow(dead_code)]
            pub(crate) fn raw(self) -> $raw {
                self.raw
            }
            #[allow(dead_code)]
            unsafe fn from_optional(raw: $raw) -> Option<Self> {
                // SAFETY: a handle that is not null is alive by the caller's promise.
                (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
            }
        }
    };
}

handle!(
    /// An operation.
    Op,
    MlirOperation
);
handle!(
    /// A value: the result of an op or the argument of a block.
    Value,
    MlirValue
);
handle!(
    /// A block.
    Block,
    MlirBlock
);
handle!(
    /// A region.
    Region,
    MlirRegion
);

impl fmt::Display for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the op is alive, the callback is used during the call only.
        f.write_str(&print_with(|callback, data| unsafe { mlirOperationPrint(self.raw, Some(callback), data) }))
    }
}
impl fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the value is alive, the callback is used during the call only.
        f.write_str(&print_with(|callback, data| unsafe { mlirValuePrint(self.raw, Some(callback), data) }))
    }
}
impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block with {} arguments", self.arguments().len())
    }
}

impl<'c> Op<'c> {
    /// The op's full name, such as `fx.add`.
    pub fn name(self) -> &'c str {
        // SAFETY: the op is alive; the identifier lives as long as the context.
        unsafe { to_str(mlirIdentifierStr(mlirOperationGetName(self.raw))) }
    }

    /// Where the op comes from.
    pub fn location(self) -> Location<'c> {
        // SAFETY: the op is alive.
        unsafe { Location::from_raw(mlirOperationGetLocation(self.raw)) }
    }

    /// The context.
    pub fn context(self) -> &'c Context {
        // SAFETY: the op is alive, and so is its context, which outlives `'c`.
        unsafe { crate::module::context_of(mlirOperationGetContext(self.raw)) }
    }

    /// Number of operands.
    pub fn operand_count(self) -> usize {
        // SAFETY: the op is alive.
        usize::try_from(unsafe { mlirOperationGetNumOperands(self.raw) }).unwrap_or_default()
    }

    /// Operands in order.
    pub fn operands(self) -> Vec<Value<'c>> {
        // SAFETY: the op is alive, indices are below the count.
        (0..self.operand_count()).map(|i| unsafe { Value::from_raw(mlirOperationGetOperand(self.raw, i as isize)) }).collect()
    }

    /// Operand `index`.
    ///
    /// # Panics
    /// If there are not so many: the caller knows the op's definition.
    pub fn operand(self, index: usize) -> Value<'c> {
        assert!(index < self.operand_count(), "operand {index} of {}", self.name());
        // SAFETY: the op is alive and has the operand.
        unsafe { Value::from_raw(mlirOperationGetOperand(self.raw, index as isize)) }
    }

    /// Replaces operand `index`.
    pub fn set_operand(self, index: usize, value: Value<'c>) {
        assert!(index < self.operand_count(), "operand {index} of {}", self.name());
        // SAFETY: both are alive, the index is in range.
        unsafe { mlirOperationSetOperand(self.raw, index as isize, value.raw) }
    }

    /// Replaces all operands.
    pub fn set_operands(self, values: &[Value<'c>]) {
        let raw: Vec<_> = values.iter().map(|value| value.raw).collect();
        // SAFETY: all are alive, the array is copied.
        unsafe { mlirOperationSetOperands(self.raw, raw.len() as isize, raw.as_ptr()) }
    }

    /// Results in order.
    pub fn results(self) -> Vec<Value<'c>> {
        // SAFETY: the op is alive, indices are below the count.
        unsafe { (0..mlirOperationGetNumResults(self.raw)).map(|i| Value::from_raw(mlirOperationGetResult(self.raw, i))).collect() }
    }

    /// Result `index`.
    ///
    /// # Panics
    /// If there are not so many: the caller knows the op's definition.
    pub fn result(self, index: usize) -> Value<'c> {
        // SAFETY: the op is alive.
        let count = usize::try_from(unsafe { mlirOperationGetNumResults(self.raw) }).unwrap_or_default();
        assert!(index < count, "result {index} of {}", self.name());
        // SAFETY: the op is alive and has the result.
        unsafe { Value::from_raw(mlirOperationGetResult(self.raw, index as isize)) }
    }

    /// An attribute, inherent or discardable.
    pub fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: the op is alive, the name is borrowed; absent is null.
        let raw = unsafe { mlirOperationGetAttributeByName(self.raw, string_ref(name)) };
        // SAFETY: an attribute that is not null belongs to the context.
        (!raw.ptr.is_null()).then(|| unsafe { Attribute::from_raw(raw) })
    }

    /// All attributes.
    pub fn attributes(self) -> Vec<(&'c str, Attribute<'c>)> {
        // SAFETY: the op is alive, indices are below the count; names live as long as the context.
        unsafe {
            (0..mlirOperationGetNumAttributes(self.raw))
                .map(|i| {
                    let entry = mlirOperationGetAttribute(self.raw, i);
                    (to_str(mlirIdentifierStr(entry.name)), Attribute::from_raw(entry.attribute))
                })
                .collect()
        }
    }

    /// Sets an attribute.
    pub fn set_attribute(self, name: &str, value: Attribute<'c>) {
        // SAFETY: both are alive, the name is copied.
        unsafe { mlirOperationSetAttributeByName(self.raw, string_ref(name), value.raw()) }
    }

    /// Removes an attribute; false if it was absent.
    pub fn remove_attribute(self, name: &str) -> bool {
        // SAFETY: the op is alive, the name is borrowed.
        unsafe { mlirOperationRemoveAttributeByName(self.raw, string_ref(name)) }
    }

    /// An integer attribute.
    pub fn int(self, name: &str) -> Option<i64> {
        self.attribute(name)?.as_int()
    }
    /// A float attribute, or an integer one as a float.
    pub fn float(self, name: &str) -> Option<f64> {
        self.attribute(name)?.as_float()
    }
    /// A bool attribute; absent is false.
    pub fn flag(self, name: &str) -> bool {
        self.attribute(name).and_then(Attribute::as_bool).unwrap_or(false)
    }
    /// A string attribute.
    pub fn text(self, name: &str) -> Option<&'c str> {
        self.attribute(name)?.as_str()
    }
    /// A dense array of integers.
    pub fn ints(self, name: &str) -> Option<Vec<i64>> {
        self.attribute(name)?.as_i64s()
    }
    /// A type attribute.
    pub fn type_attribute(self, name: &str) -> Option<Type<'c>> {
        self.attribute(name)?.as_type()
    }

    /// Regions in order.
    pub fn regions(self) -> Vec<Region<'c>> {
        // SAFETY: the op is alive, indices are below the count.
        unsafe { (0..mlirOperationGetNumRegions(self.raw)).map(|i| Region::from_raw(mlirOperationGetRegion(self.raw, i))).collect() }
    }

    /// First block of region `index`, if the region has one.
    pub fn body(self, index: usize) -> Option<Block<'c>> {
        self.regions().get(index)?.first_block()
    }

    /// The block that holds the op.
    pub fn block(self) -> Option<Block<'c>> {
        // SAFETY: the op is alive; absent is null.
        unsafe { Block::from_optional(mlirOperationGetBlock(self.raw)) }
    }

    /// The op around it.
    pub fn parent(self) -> Option<Op<'c>> {
        // SAFETY: the op is alive; absent is null.
        unsafe { Op::from_optional(mlirOperationGetParentOperation(self.raw)) }
    }

    /// The nearest op around it with this name.
    pub fn ancestor(self, name: &str) -> Option<Op<'c>> {
        let mut op = self.parent();
        while let Some(current) = op {
            if current.name() == name {
                return Some(current);
            }
            op = current.parent();
        }
        None
    }

    /// The next op in its block.
    pub fn next(self) -> Option<Op<'c>> {
        // SAFETY: the op is alive; absent is null.
        unsafe { Op::from_optional(mlirOperationGetNextInBlock(self.raw)) }
    }

    /// Moves it before another op.
    pub fn move_before(self, other: Op<'c>) {
        // SAFETY: both are alive and in blocks.
        unsafe { mlirOperationMoveBefore(self.raw, other.raw) }
    }

    /// Moves it after another op.
    pub fn move_after(self, other: Op<'c>) {
        // SAFETY: both are alive and in blocks.
        unsafe { mlirOperationMoveAfter(self.raw, other.raw) }
    }

    /// Whether no result has a use.
    pub fn is_unused(self) -> bool {
        self.results().iter().all(|result| result.uses().is_empty())
    }

    /// Erases it. No result may have a use, and no handle to it or to anything inside may be used afterwards.
    pub fn erase(self) {
        debug_assert!(self.is_unused(), "erased {} while in use", self.name());
        // SAFETY: the op is alive and owned by its block; the caller gives up all handles.
        unsafe {
            mlirOperationRemoveFromParent(self.raw);
            mlirOperationDestroy(self.raw);
        }
    }

    /// Puts `values` in place of its results and erases it.
    pub fn replace(self, values: &[Value<'c>]) {
        for (result, value) in self.results().into_iter().zip(values) {
            result.replace_all_uses_with(*value);
        }
        self.erase();
    }

    /// Runs the verifier on it and everything inside.
    pub fn verify(self) -> bool {
        // SAFETY: the op is alive.
        unsafe { mlirOperationVerify(self.raw) }
    }

    /// Calls `visit` on every op inside, outer before inner, in order; the op itself is not visited.
    pub fn walk(self, visit: &mut dyn FnMut(Op<'c>)) {
        for region in self.regions() {
            for block in region.blocks() {
                for op in block.ops() {
                    visit(op);
                    op.walk(visit);
                }
            }
        }
    }

    /// Text form of this op alone, which is known to verify: names that are made up do not depend on what is around it,
    /// nothing but the op is looked at. With `locations`, each op's as `loc(...)`.
    pub fn to_local_string(self, locations: bool) -> String {
        // SAFETY: the op is alive, flags are created and destroyed here, the callback is used during the call only.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsUseLocalScope(flags);
            mlirOpPrintingFlagsAssumeVerified(flags);
            mlirOpPrintingFlagsEnableDebugInfo(flags, locations, false);
            let text = print_with(|callback, data| mlirOperationPrintWithFlags(self.raw, flags, Some(callback), data));
            mlirOpPrintingFlagsDestroy(flags);
            text
        }
    }

    /// Text form with locations as `loc(...)`.
    pub fn to_string_with_locations(self) -> String {
        // SAFETY: the op is alive, flags are created and destroyed here, the callback is used during the call only.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            let text = print_with(|callback, data| mlirOperationPrintWithFlags(self.raw, flags, Some(callback), data));
            mlirOpPrintingFlagsDestroy(flags);
            text
        }
    }
}

impl<'c> Value<'c> {
    /// Its type.
    pub fn ty(self) -> Type<'c> {
        // SAFETY: the value is alive.
        unsafe { Type::from_raw(mlirValueGetType(self.raw)) }
    }

    /// Changes its type; the caller keeps its users legal.
    pub fn set_type(self, ty: Type<'c>) {
        // SAFETY: both are alive.
        unsafe { mlirValueSetType(self.raw, ty.raw()) }
    }

    /// The op that it is a result of.
    pub fn defining_op(self) -> Option<Op<'c>> {
        // SAFETY: the accessor is called on a result alone.
        unsafe { mlirValueIsAOpResult(self.raw).then(|| Op::from_raw(mlirOpResultGetOwner(self.raw))) }
    }

    /// Which result of its op it is.
    pub fn result_index(self) -> Option<usize> {
        // SAFETY: the accessor is called on a result alone.
        unsafe { mlirValueIsAOpResult(self.raw).then(|| mlirOpResultGetResultNumber(self.raw) as usize) }
    }

    /// The block that it is an argument of, and which.
    pub fn block_argument(self) -> Option<(Block<'c>, usize)> {
        // SAFETY: the accessors are called on a block argument alone.
        unsafe {
            mlirValueIsABlockArgument(self.raw)
                .then(|| (Block::from_raw(mlirBlockArgumentGetOwner(self.raw)), mlirBlockArgumentGetArgNumber(self.raw) as usize))
        }
    }

    /// The ops that use it, with the operand number, in no particular order.
    pub fn uses(self) -> Vec<(Op<'c>, usize)> {
        let mut uses = Vec::new();
        // SAFETY: the value is alive; the chain of uses ends in null.
        unsafe {
            let mut operand = mlirValueGetFirstUse(self.raw);
            while !operand.ptr.is_null() {
                uses.push((Op::from_raw(mlirOpOperandGetOwner(operand)), mlirOpOperandGetOperandNumber(operand) as usize));
                operand = mlirOpOperandGetNextUse(operand);
            }
        }
        uses
    }

    /// Puts another value in its place everywhere.
    pub fn replace_all_uses_with(self, other: Value<'c>) {
        // SAFETY: both are alive.
        unsafe { mlirValueReplaceAllUsesOfWith(self.raw, other.raw) }
    }

    /// The attribute of the `arith.constant` that makes it.
    pub fn constant(self) -> Option<Attribute<'c>> {
        let op = self.defining_op()?;
        if op.name() == "arith.constant" { op.attribute("value") } else { None }
    }
}

impl<'c> Block<'c> {
    /// Arguments in order.
    pub fn arguments(self) -> Vec<Value<'c>> {
        // SAFETY: the block is alive, indices are below the count.
        unsafe { (0..mlirBlockGetNumArguments(self.raw)).map(|i| Value::from_raw(mlirBlockGetArgument(self.raw, i))).collect() }
    }

    /// Argument `index`.
    pub fn argument(self, index: usize) -> Value<'c> {
        self.arguments()[index]
    }

    /// Adds an argument.
    pub fn add_argument(self, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        // SAFETY: all are alive.
        unsafe { Value::from_raw(mlirBlockAddArgument(self.raw, ty.raw(), location.raw())) }
    }

    /// Removes argument `index`, which must have no use.
    pub fn erase_argument(self, index: usize) {
        // SAFETY: the block is alive and has the argument.
        unsafe { mlirBlockEraseArgument(self.raw, index as u32) }
    }

    /// Ops in order, as they stand now.
    pub fn ops(self) -> Vec<Op<'c>> {
        let mut ops = Vec::new();
        // SAFETY: the block is alive; absent is null.
        let mut next = unsafe { Op::from_optional(mlirBlockGetFirstOperation(self.raw)) };
        while let Some(op) = next {
            ops.push(op);
            next = op.next();
        }
        ops
    }

    /// The last op, if it is a terminator.
    pub fn terminator(self) -> Option<Op<'c>> {
        // SAFETY: the block is alive; absent is null.
        unsafe { Op::from_optional(mlirBlockGetTerminator(self.raw)) }
    }

    /// The op around it.
    pub fn parent(self) -> Option<Op<'c>> {
        // SAFETY: the block is alive; absent is null.
        unsafe { Op::from_optional(mlirBlockGetParentOperation(self.raw)) }
    }
}

impl<'c> Region<'c> {
    /// Blocks in order.
    pub fn blocks(self) -> Vec<Block<'c>> {
        let mut blocks = Vec::new();
        // SAFETY: the region is alive; absent is null.
        let mut next = unsafe { mlirRegionGetFirstBlock(self.raw) };
        while !next.ptr.is_null() {
            // SAFETY: the block is alive; absent is null.
            unsafe {
                blocks.push(Block::from_raw(next));
                next = mlirBlockGetNextInRegion(next);
            }
        }
        blocks
    }

    /// The first block.
    pub fn first_block(self) -> Option<Block<'c>> {
        // SAFETY: the region is alive; absent is null.
        unsafe { Block::from_optional(mlirRegionGetFirstBlock(self.raw)) }
    }

    /// Moves all blocks of `other` to the end of this region.
    pub fn take_body(self, other: Region<'c>) {
        for block in other.blocks() {
            // SAFETY: both are alive; a detached block is owned by nobody until it is appended.
            unsafe {
                mlirBlockDetach(block.raw);
                mlirRegionAppendOwnedBlock(self.raw, block.raw);
            }
        }
    }
}
