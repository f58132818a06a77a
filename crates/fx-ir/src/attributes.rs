//! Attributes.

use std::fmt;
use std::marker::PhantomData;

use melior::Context;
use mlir_sys::*;

use crate::Type;
use crate::raw::{print_with, string_ref, to_str};

/// An MLIR attribute. Equal attributes are the same object of their context.
#[derive(Clone, Copy)]
pub struct Attribute<'c> {
    raw: MlirAttribute,
    context: PhantomData<&'c Context>,
}

impl PartialEq for Attribute<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw.ptr == other.raw.ptr
    }
}
impl Eq for Attribute<'_> {}

impl fmt::Display for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the attribute is alive, the callback is used during the call only.
        f.write_str(&print_with(|callback, data| unsafe { mlirAttributePrint(self.raw, Some(callback), data) }))
    }
}
impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One result of an affine map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AffineResult {
    /// Loop variable `i`.
    Dim(usize),
    /// A constant.
    Constant(i64),
    /// Anything else.
    Other,
}

impl<'c> Attribute<'c> {
    /// # Safety
    /// `raw` must be a live attribute of a context that outlives `'c`.
    pub(crate) unsafe fn from_raw(raw: MlirAttribute) -> Self {
        Self { raw, context: PhantomData }
    }
    pub(crate) fn raw(self) -> MlirAttribute {
        self.raw
    }

    /// Parses MLIR's text form.
    pub fn parse(context: &'c Context, text: &str) -> Option<Self> {
        // SAFETY: the context is alive, the text is borrowed during the call.
        let raw = unsafe { mlirAttributeParseGet(context.to_raw(), string_ref(text)) };
        // SAFETY: an attribute that is not null belongs to the context.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    /// An integer of type `ty` (integer or index).
    pub fn int(ty: Type<'c>, value: i64) -> Self {
        // SAFETY: the type is alive and an integer type by contract.
        unsafe { Self::from_raw(mlirIntegerAttrGet(ty.raw(), value)) }
    }

    /// An `i64`.
    pub fn i64(context: &'c Context, value: i64) -> Self {
        Self::int(Type::int(context, 64), value)
    }

    /// A float of type `ty`, rounded from a double.
    pub fn float(context: &'c Context, ty: Type<'c>, value: f64) -> Self {
        // SAFETY: the context and the type are alive.
        unsafe { Self::from_raw(mlirFloatAttrDoubleGet(context.to_raw(), ty.raw(), value)) }
    }

    /// A number of scalar type `ty` from a double (integers take its integer value, bools its truth).
    pub fn number(context: &'c Context, ty: Type<'c>, value: f64) -> Self {
        if ty.is_float() {
            Self::float(context, ty, value)
        } else if ty.is_bool() {
            Self::int(ty, i64::from(value != 0.0))
        } else {
            Self::int(ty, value as i64)
        }
    }

    /// A bool.
    pub fn bool(context: &'c Context, value: bool) -> Self {
        // SAFETY: the context is alive.
        unsafe { Self::from_raw(mlirBoolAttrGet(context.to_raw(), i32::from(value))) }
    }

    /// A string.
    pub fn string(context: &'c Context, text: &str) -> Self {
        // SAFETY: the context is alive, the text is copied.
        unsafe { Self::from_raw(mlirStringAttrGet(context.to_raw(), string_ref(text))) }
    }

    /// The unit attribute.
    pub fn unit(context: &'c Context) -> Self {
        // SAFETY: the context is alive.
        unsafe { Self::from_raw(mlirUnitAttrGet(context.to_raw())) }
    }

    /// `@name`
    pub fn symbol_ref(context: &'c Context, name: &str) -> Self {
        // SAFETY: the context is alive, the text is copied.
        unsafe { Self::from_raw(mlirFlatSymbolRefAttrGet(context.to_raw(), string_ref(name))) }
    }

    /// `@root::@leaf`
    pub fn nested_symbol_ref(context: &'c Context, root: &str, leaf: &str) -> Self {
        let nested = [Self::symbol_ref(context, leaf).raw];
        // SAFETY: the context is alive, the text and the array are copied.
        unsafe { Self::from_raw(mlirSymbolRefAttrGet(context.to_raw(), string_ref(root), 1, nested.as_ptr())) }
    }

    /// A type as an attribute.
    pub fn from_type(ty: Type<'c>) -> Self {
        // SAFETY: the type is alive.
        unsafe { Self::from_raw(mlirTypeAttrGet(ty.raw())) }
    }

    /// An array of attributes.
    pub fn array(context: &'c Context, elements: &[Attribute<'c>]) -> Self {
        let raw: Vec<_> = elements.iter().map(|element| element.raw).collect();
        // SAFETY: the context is alive, the array is copied.
        unsafe { Self::from_raw(mlirArrayAttrGet(context.to_raw(), raw.len() as isize, raw.as_ptr())) }
    }

    /// A dictionary.
    pub fn dictionary(context: &'c Context, entries: &[(&str, Attribute<'c>)]) -> Self {
        let raw: Vec<_> = entries
            .iter()
            // SAFETY: the context is alive, the name is copied into it.
            .map(|(name, value)| unsafe { mlirNamedAttributeGet(mlirIdentifierGet(context.to_raw(), string_ref(name)), value.raw) })
            .collect();
        // SAFETY: the context is alive, the array is copied.
        unsafe { Self::from_raw(mlirDictionaryAttrGet(context.to_raw(), raw.len() as isize, raw.as_ptr())) }
    }

    /// `array<i64: ...>`
    pub fn i64s(context: &'c Context, values: &[i64]) -> Self {
        // SAFETY: the context is alive, the array is copied.
        unsafe { Self::from_raw(mlirDenseI64ArrayGet(context.to_raw(), values.len() as isize, values.as_ptr())) }
    }

    /// `array<i32: ...>`
    pub fn i32s(context: &'c Context, values: &[i32]) -> Self {
        // SAFETY: the context is alive, the array is copied.
        unsafe { Self::from_raw(mlirDenseI32ArrayGet(context.to_raw(), values.len() as isize, values.as_ptr())) }
    }

    /// `array<f64: ...>`
    pub fn f64s(context: &'c Context, values: &[f64]) -> Self {
        // SAFETY: the context is alive, the array is copied.
        unsafe { Self::from_raw(mlirDenseF64ArrayGet(context.to_raw(), values.len() as isize, values.as_ptr())) }
    }

    /// `array<i1: ...>`
    pub fn bools(context: &'c Context, values: &[bool]) -> Self {
        let raw: Vec<i32> = values.iter().map(|value| i32::from(*value)).collect();
        // SAFETY: the context is alive, the array is copied.
        unsafe { Self::from_raw(mlirDenseBoolArrayGet(context.to_raw(), raw.len() as isize, raw.as_ptr())) }
    }

    /// `dense<value>` of a static shaped type.
    pub fn splat(ty: Type<'c>, value: Attribute<'c>) -> Self {
        // SAFETY: both are alive; the type is shaped by contract.
        unsafe { Self::from_raw(mlirDenseElementsAttrSplatGet(ty.raw(), value.raw)) }
    }

    /// `dense<...>` of a static shaped type from raw little-endian elements; none if the length is wrong.
    pub fn dense(ty: Type<'c>, bytes: &[u8]) -> Option<Self> {
        // SAFETY: the type is alive, the bytes are copied; a wrong length gives null.
        let raw = unsafe { mlirDenseElementsAttrRawBufferGet(ty.raw(), bytes.len(), bytes.as_ptr().cast()) };
        // SAFETY: an attribute that is not null belongs to the context.
        (!raw.ptr.is_null()).then(|| unsafe { Self::from_raw(raw) })
    }

    /// The value of an integer, index or bool attribute.
    pub fn as_int(self) -> Option<i64> {
        // SAFETY: the accessor is called on an integer attribute alone.
        unsafe {
            if mlirAttributeIsAInteger(self.raw) {
                let ty = Type::from_raw(mlirAttributeGetType(self.raw));
                if ty.is_bool() {
                    return Some(i64::from(mlirBoolAttrGetValue(self.raw)));
                }
                return Some(mlirIntegerAttrGetValueInt(self.raw));
            }
            mlirAttributeIsABool(self.raw).then(|| i64::from(mlirBoolAttrGetValue(self.raw)))
        }
    }

    /// The value of a float attribute, or of an integer as a float.
    pub fn as_float(self) -> Option<f64> {
        // SAFETY: the accessor is called on a float attribute alone.
        if unsafe { mlirAttributeIsAFloat(self.raw) } {
            // SAFETY: as above.
            return Some(unsafe { mlirFloatAttrGetValueDouble(self.raw) });
        }
        self.as_int().map(|value| value as f64)
    }

    /// The value of a bool attribute.
    pub fn as_bool(self) -> Option<bool> {
        // SAFETY: the accessor is called on a bool attribute alone.
        unsafe { mlirAttributeIsABool(self.raw).then(|| mlirBoolAttrGetValue(self.raw)) }
    }

    /// The text of a string or symbol attribute.
    pub fn as_str(self) -> Option<&'c str> {
        // SAFETY: each accessor is called on its kind; the payload lives as long as the context.
        unsafe {
            if mlirAttributeIsAString(self.raw) {
                return Some(to_str(mlirStringAttrGetValue(self.raw)));
            }
            mlirAttributeIsAFlatSymbolRef(self.raw).then(|| to_str(mlirFlatSymbolRefAttrGetValue(self.raw)))
        }
    }

    /// The type inside a type attribute.
    pub fn as_type(self) -> Option<Type<'c>> {
        // SAFETY: the accessor is called on a type attribute alone.
        unsafe { mlirAttributeIsAType(self.raw).then(|| Type::from_raw(mlirTypeAttrGetValue(self.raw))) }
    }

    /// Elements of an array attribute.
    pub fn as_array(self) -> Option<Vec<Attribute<'c>>> {
        // SAFETY: the accessors are called on an array attribute alone, with indices below its length.
        unsafe {
            mlirAttributeIsAArray(self.raw)
                .then(|| (0..mlirArrayAttrGetNumElements(self.raw)).map(|i| Self::from_raw(mlirArrayAttrGetElement(self.raw, i))).collect())
        }
    }

    /// Entries of a dictionary attribute.
    pub fn as_dictionary(self) -> Option<Vec<(&'c str, Attribute<'c>)>> {
        // SAFETY: the accessors are called on a dictionary alone, with indices below its length.
        unsafe {
            mlirAttributeIsADictionary(self.raw).then(|| {
                (0..mlirDictionaryAttrGetNumElements(self.raw))
                    .map(|i| {
                        let entry = mlirDictionaryAttrGetElement(self.raw, i);
                        (to_str(mlirIdentifierStr(entry.name)), Self::from_raw(entry.attribute))
                    })
                    .collect()
            })
        }
    }

    /// Elements of a dense array of `i64`.
    pub fn as_i64s(self) -> Option<Vec<i64>> {
        // SAFETY: the accessors are called on a dense i64 array alone, with indices below its length.
        unsafe {
            mlirAttributeIsADenseI64Array(self.raw)
                .then(|| (0..mlirDenseArrayGetNumElements(self.raw)).map(|i| mlirDenseI64ArrayGetElement(self.raw, i)).collect())
        }
    }

    /// Elements of a dense array of `i32`.
    pub fn as_i32s(self) -> Option<Vec<i32>> {
        // SAFETY: the accessors are called on a dense i32 array alone, with indices below its length.
        unsafe {
            mlirAttributeIsADenseI32Array(self.raw)
                .then(|| (0..mlirDenseArrayGetNumElements(self.raw)).map(|i| mlirDenseI32ArrayGetElement(self.raw, i)).collect())
        }
    }

    /// Elements of a dense array of `f64`.
    pub fn as_f64s(self) -> Option<Vec<f64>> {
        // SAFETY: the accessors are called on a dense f64 array alone, with indices below its length.
        unsafe {
            mlirAttributeIsADenseF64Array(self.raw)
                .then(|| (0..mlirDenseArrayGetNumElements(self.raw)).map(|i| mlirDenseF64ArrayGetElement(self.raw, i)).collect())
        }
    }

    /// Elements of a dense array of bools.
    pub fn as_bools(self) -> Option<Vec<bool>> {
        // SAFETY: the accessors are called on a dense bool array alone, with indices below its length.
        unsafe {
            mlirAttributeIsADenseBoolArray(self.raw)
                .then(|| (0..mlirDenseArrayGetNumElements(self.raw)).map(|i| mlirDenseBoolArrayGetElement(self.raw, i)).collect())
        }
    }

    /// An affine map of this many loops, whose results are loops or constants.
    pub fn affine_map(context: &'c Context, loops: usize, results: &[AffineResult]) -> Self {
        let results = results.iter().map(|result| match result {
            AffineResult::Dim(i) => format!("d{i}"),
            AffineResult::Constant(c) => c.to_string(),
            AffineResult::Other => String::new(),
        });
        let results: Vec<_> = results.collect();
        let loops: Vec<_> = (0..loops).map(|i| format!("d{i}")).collect();
        let text = format!("affine_map<({}) -> ({})>", loops.join(", "), results.join(", "));
        Self::parse(context, &text).unwrap_or_else(|| Self::unit(context))
    }

    /// The kind of a loop of `linalg.generic`.
    pub fn iterator(context: &'c Context, parallel: bool) -> Self {
        let text = if parallel { "#linalg.iterator_type<parallel>" } else { "#linalg.iterator_type<reduction>" };
        Self::parse(context, text).unwrap_or_else(|| Self::unit(context))
    }

    /// The results of an affine map.
    pub fn as_affine_map(self) -> Option<Vec<AffineResult>> {
        // SAFETY: the accessors are called on an affine map alone, with indices below its number of results, and on
        // the kind of expression that each wants.
        unsafe {
            if !mlirAttributeIsAAffineMap(self.raw) {
                return None;
            }
            let map = mlirAffineMapAttrGetValue(self.raw);
            Some(
                (0..mlirAffineMapGetNumResults(map))
                    .map(|i| {
                        let expression = mlirAffineMapGetResult(map, i);
                        if mlirAffineExprIsADim(expression) {
                            AffineResult::Dim(mlirAffineDimExprGetPosition(expression) as usize)
                        } else if mlirAffineExprIsAConstant(expression) {
                            AffineResult::Constant(mlirAffineConstantExprGetValue(expression))
                        } else {
                            AffineResult::Other
                        }
                    })
                    .collect(),
            )
        }
    }

    /// The type that a typed attribute has.
    pub fn ty(self) -> Type<'c> {
        // SAFETY: the attribute is alive; attributes without a type have `none`.
        unsafe { Type::from_raw(mlirAttributeGetType(self.raw)) }
    }

    /// The one element of a splat `dense` attribute.
    pub fn as_splat(self) -> Option<Attribute<'c>> {
        // SAFETY: the accessors are called on dense elements alone.
        unsafe {
            (mlirAttributeIsADenseElements(self.raw) && mlirDenseElementsAttrIsSplat(self.raw))
                .then(|| Self::from_raw(mlirDenseElementsAttrGetSplatValue(self.raw)))
        }
    }

    /// Raw little-endian elements of a `dense` attribute that is not a splat; bools take a byte each.
    pub fn as_dense_bytes(self) -> Option<Vec<u8>> {
        // SAFETY: the accessors are called on dense elements that are no splat; MLIR stores its elements back to back.
        unsafe {
            if !mlirAttributeIsADenseElements(self.raw) || mlirDenseElementsAttrIsSplat(self.raw) {
                return None;
            }
            let count = usize::try_from(mlirElementsAttrGetNumElements(self.raw)).ok()?;
            let element = self.ty().element();
            if element.is_bool() {
                return Some((0..count).map(|i| u8::from(mlirDenseElementsAttrGetBoolValue(self.raw, i as isize))).collect());
            }
            let length = count * (element.bit_width() as usize).div_ceil(8);
            Some(std::slice::from_raw_parts(mlirDenseElementsAttrGetRawData(self.raw).cast::<u8>(), length).to_vec())
        }
    }
}
