//! Types: builtin scalars, tensors, memrefs and vectors.

use std::fmt;
use std::marker::PhantomData;

use melior::Context;
use mlir_sys::*;

use crate::raw::{print_with, string_ref};

/// A size that is known only at run time (`?`): MLIR's `ShapedType::kDynamic`.
pub const DYNAMIC: i64 = i64::MIN;

/// An MLIR type. Equal types are the same object of their context.
#[derive(Clone, Copy)]
pub struct Type<'c> {
    raw: MlirType,
    context: PhantomData<&'c Context>,
}

impl PartialEq for Type<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}
impl Eq for Type<'_> {}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the type is alive, the callback is used during the call only.
        f.write_str(&print_with(|callback, data| unsafe { mlirTypePrint(self.raw, Some(callback), data) }))
    }
}
impl fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The kinds of numbers that tensors hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberKind {
    /// `i1`.
    Bool,
    /// Signless integer or `index`.
    Int,
    /// Unsigned integer (`ui8`).
    Unsigned,
    /// Any float.
    Float,
    /// `complex<f32>` or `complex<f64>`.
    Complex,
}

macro_rules! predicates {
    ($($(#[$doc:meta])* $name:ident => $function:ident),* $(,)?) => {
        $($(#[$doc])*
        pub fn $name(self) -> bool {
            // SAFETY: the type is alive; the function only reads it.
            unsafe { $function(self.raw) }
        })*
    };
}

macro_rules! simple_types {
    ($($(#[$doc:meta])* $name:ident => $function:ident),* $(,)?) => {
        $($(#[$doc])*
        pub fn $name(context: &'c Context) -> Self {
            // SAFETY: the context is alive and owns the type.
            unsafe { Self::from_raw($function(context.to_raw())) }
        })*
    };
}

impl<'c> Type<'c> {
    /// # Safety
    /// `raw` must be a live type of a context that outlives `'c`.
    pub(crate) unsafe fn from_raw(raw: MlirType) -> Self {
        Self { raw, context: PhantomData }
    }
    pub(crate) fn raw(self) -> MlirType {
        self.raw
    }

    simple_types! {
        /// `f64`
        f64 => mlirF64TypeGet,
        /// `f32`
        f32 => mlirF32TypeGet,
        /// `f16`
        f16 => mlirF16TypeGet,
        /// `bf16`
        bf16 => mlirBF16TypeGet,
        /// `f8E4M3FN`
        f8e4m3fn => mlirFloat8E4M3FNTypeGet,
        /// `f8E5M2`
        f8e5m2 => mlirFloat8E5M2TypeGet,
        /// `index`
        index => mlirIndexTypeGet,
        /// `none`
        none => mlirNoneTypeGet,
    }

    predicates! {
        /// Whether it is `index`.
        is_index => mlirTypeIsAIndex,
        /// Whether it is an integer of any width and sign.
        is_integer => mlirTypeIsAInteger,
        /// Whether it is a float of any width.
        is_float => mlirTypeIsAFloat,
        /// Whether it is `f64`.
        is_f64 => mlirTypeIsAF64,
        /// Whether it is `f32`.
        is_f32 => mlirTypeIsAF32,
        /// Whether it is `f16`.
        is_f16 => mlirTypeIsAF16,
        /// Whether it is `bf16`.
        is_bf16 => mlirTypeIsABF16,
        /// Whether it is `complex`.
        is_complex => mlirTypeIsAComplex,
        /// Whether it is a tensor of known rank.
        is_tensor => mlirTypeIsARankedTensor,
        /// Whether it is a memref of known rank.
        is_memref => mlirTypeIsAMemRef,
        /// Whether it is a vector.
        is_vector => mlirTypeIsAVector,
        /// Whether it is `none`.
        is_none => mlirTypeIsANone,
        /// Whether it is a function type.
        is_function => mlirTypeIsAFunction,
    }

    /// Parses MLIR's text form.
    pub fn parse(context: &'c Context, text: &str) -> Option<Self> {
        // SAFETY: the context is alive, the text is borrowed during the call.
        let raw = unsafe { mlirTypeParseGet(context.to_raw(), string_ref(text)) };
        // SAFETY: a type that is not null belongs to the context.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    /// A signless integer.
    pub fn int(context: &'c Context, width: u32) -> Self {
        // SAFETY: the context is alive and owns the type.
        unsafe { Self::from_raw(mlirIntegerTypeGet(context.to_raw(), width)) }
    }

    /// An unsigned integer.
    pub fn unsigned(context: &'c Context, width: u32) -> Self {
        // SAFETY: the context is alive and owns the type.
        unsafe { Self::from_raw(mlirIntegerTypeUnsignedGet(context.to_raw(), width)) }
    }

    /// The signless integer as wide as an integer type.
    pub fn signless_like(ty: Type<'c>) -> Self {
        // SAFETY: the type is alive, and so is its context; the width of a type that is no integer is its bit width.
        unsafe { Self::from_raw(mlirIntegerTypeGet(mlirTypeGetContext(ty.raw), ty.bit_width())) }
    }

    /// `complex<element>`
    pub fn complex(element: Type<'c>) -> Self {
        // SAFETY: the element type is alive.
        unsafe { Self::from_raw(mlirComplexTypeGet(element.raw)) }
    }

    /// `tensor<shape x element>`
    pub fn tensor(shape: &[i64], element: Type<'c>) -> Self {
        // SAFETY: the shape is borrowed during the call; the encoding is absent.
        unsafe { Self::from_raw(mlirRankedTensorTypeGet(shape.len() as isize, shape.as_ptr(), element.raw, mlirAttributeGetNull())) }
    }

    /// `memref<shape x element>` with the identity layout, optionally in a memory space.
    pub fn memref(shape: &[i64], element: Type<'c>, space: Option<crate::Attribute<'c>>) -> Self {
        // SAFETY: the shape is borrowed during the call; a null layout or space means the default.
        unsafe {
            let space = space.map_or(mlirAttributeGetNull(), crate::Attribute::raw);
            Self::from_raw(mlirMemRefTypeContiguousGet(element.raw, shape.len() as isize, shape.as_ptr(), space))
        }
    }

    /// `vector<shape x element>`
    pub fn vector(shape: &[i64], element: Type<'c>) -> Self {
        // SAFETY: the shape is borrowed during the call.
        unsafe { Self::from_raw(mlirVectorTypeGet(shape.len() as isize, shape.as_ptr(), element.raw)) }
    }

    /// A function type.
    pub fn function(context: &'c Context, inputs: &[Type<'c>], results: &[Type<'c>]) -> Self {
        // SAFETY: `Type` has one field of the raw type's layout and a zero-sized marker; both slices are borrowed.
        unsafe {
            Self::from_raw(mlirFunctionTypeGet(
                context.to_raw(),
                inputs.len() as isize,
                inputs.iter().map(|ty| ty.raw).collect::<Vec<_>>().as_ptr(),
                results.len() as isize,
                results.iter().map(|ty| ty.raw).collect::<Vec<_>>().as_ptr(),
            ))
        }
    }

    /// Inputs and results of a function type.
    pub fn signature(self) -> (Vec<Type<'c>>, Vec<Type<'c>>) {
        if !self.is_function() {
            return (Vec::new(), Vec::new());
        }
        // SAFETY: the type is a function type, indices are below the counts.
        unsafe {
            let inputs = (0..mlirFunctionTypeGetNumInputs(self.raw)).map(|i| Self::from_raw(mlirFunctionTypeGetInput(self.raw, i)));
            let results = (0..mlirFunctionTypeGetNumResults(self.raw)).map(|i| Self::from_raw(mlirFunctionTypeGetResult(self.raw, i)));
            (inputs.collect(), results.collect())
        }
    }

    /// Whether it is `i1`.
    pub fn is_bool(self) -> bool {
        self.is_integer() && self.bit_width() == 1
    }

    /// Whether it is shaped (tensor, memref, vector).
    pub fn is_shaped(self) -> bool {
        // SAFETY: the type is alive.
        unsafe { mlirTypeIsAShaped(self.raw) }
    }

    /// Bits of an integer or float; 64 for `index`, both parts of a complex.
    pub fn bit_width(self) -> u32 {
        if self.is_integer() {
            // SAFETY: it is an integer type.
            return unsafe { mlirIntegerTypeGetWidth(self.raw) };
        }
        if self.is_float() {
            // SAFETY: it is a float type.
            return unsafe { mlirFloatTypeGetWidth(self.raw) };
        }
        if self.is_complex() { 2 * self.element().bit_width() } else { 64 }
    }

    /// Sizes of a shaped type, [`DYNAMIC`] where unknown; empty for anything else.
    pub fn shape(self) -> Vec<i64> {
        if !self.is_shaped() {
            return Vec::new();
        }
        // SAFETY: the type is shaped and ranked (every shaped type that this compiler builds is).
        unsafe { (0..mlirShapedTypeGetRank(self.raw) as isize).map(|i| mlirShapedTypeGetDimSize(self.raw, i)).collect() }
    }

    /// Number of dimensions; 0 for scalars.
    pub fn rank(self) -> usize {
        self.shape().len()
    }

    /// Element type of a shaped or complex type; any other type itself.
    pub fn element(self) -> Type<'c> {
        // SAFETY: each accessor is called on the kind of type that it wants.
        unsafe {
            if self.is_shaped() {
                Self::from_raw(mlirShapedTypeGetElementType(self.raw))
            } else if self.is_complex() {
                Self::from_raw(mlirComplexTypeGetElementType(self.raw))
            } else {
                self
            }
        }
    }

    /// What numbers a scalar type holds.
    pub fn number_kind(self) -> NumberKind {
        if self.is_complex() {
            NumberKind::Complex
        } else if self.is_float() {
            NumberKind::Float
        } else if self.is_bool() {
            NumberKind::Bool
        // SAFETY: it is an integer type.
        } else if self.is_integer() && unsafe { mlirIntegerTypeIsUnsigned(self.raw) } {
            NumberKind::Unsigned
        } else {
            NumberKind::Int
        }
    }

    /// The same shape with another element type.
    pub fn with_element(self, element: Type<'c>) -> Type<'c> {
        if self.is_tensor() {
            Type::tensor(&self.shape(), element)
        } else if self.is_vector() {
            Type::vector(&self.shape(), element)
        } else {
            element
        }
    }
}
