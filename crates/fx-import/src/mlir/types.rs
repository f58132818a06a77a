//! Types of values: dtypes as element types, tensor descriptions as tensor types.

use fx_ir::{Context, DYNAMIC, Type};

use super::problem::{Outcome, Problem};
use crate::expr::SymExpr;
use crate::schema::{ScalarType, SymInt, TensorMeta};

/// The element type of a dtype.
pub(super) fn element<'c>(context: &'c Context, dtype: ScalarType) -> Outcome<Type<'c>> {
    Ok(match dtype {
        ScalarType::UInt8 => Type::unsigned(context, 8),
        ScalarType::Int8 => Type::int(context, 8),
        ScalarType::Int16 => Type::int(context, 16),
        ScalarType::Int32 => Type::int(context, 32),
        ScalarType::Int64 => Type::int(context, 64),
        ScalarType::Float16 => Type::f16(context),
        ScalarType::Float32 => Type::f32(context),
        ScalarType::Float64 => Type::f64(context),
        ScalarType::Complex64 => Type::complex(Type::f32(context)),
        ScalarType::Complex128 => Type::complex(Type::f64(context)),
        ScalarType::Bool => Type::int(context, 1),
        ScalarType::BFloat16 => Type::bf16(context),
        ScalarType::Float8E4M3FN => Type::f8e4m3fn(context),
        ScalarType::Float8E5M2 => Type::f8e5m2(context),
        ScalarType::Unknown | ScalarType::Complex32 | ScalarType::UInt16 | ScalarType::Float8E4M3FNUZ | ScalarType::Float8E5M2FNUZ => {
            return Err(Problem::new(format!("dtype '{dtype}' is not supported"), "convert the tensor to another dtype before export"));
        }
    })
}

/// The size as a type holds it.
pub(super) fn size(size: &SymInt) -> i64 {
    match (size.as_int(), size.expr()) {
        (Some(value), _) => known(value),
        (None, Some(SymExpr::Integer(value))) => known(*value),
        _ => DYNAMIC,
    }
}

fn known(value: i64) -> i64 {
    if value < 0 { DYNAMIC } else { value }
}

/// The type of a tensor.
pub(super) fn tensor<'c>(context: &'c Context, meta: &TensorMeta) -> Outcome<Type<'c>> {
    let shape: Vec<i64> = meta.sizes.iter().map(size).collect();
    Ok(Type::tensor(&shape, element(context, meta.dtype)?))
}
