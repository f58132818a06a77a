//! PyTorch's type promotion, for lowering: the type that operands are brought to before an op computes.
//!
//! The dialect's inference (`dialects/fx/lib/Infer.cpp`) states the rule for result types; this is the same rule over
//! types, needed where the computation's type is not the result's (comparisons).

use fx_ir::{Context, NumberKind, Type};

fn rank(ty: Type<'_>) -> u8 {
    match ty.number_kind() {
        NumberKind::Bool => 0,
        NumberKind::Int | NumberKind::Unsigned => 1,
        NumberKind::Float => 2,
        NumberKind::Complex => 3,
    }
}

/// The smallest type that holds both (c10/core/ScalarType.cpp).
pub fn promote_types<'c>(context: &'c Context, a: Type<'c>, b: Type<'c>) -> Type<'c> {
    if a == b {
        return a;
    }
    let (a, b) = if rank(a) < rank(b) { (b, a) } else { (a, b) };
    if a.is_complex() {
        let other = b.element();
        return if other.is_float() { Type::complex(promote_types(context, a.element(), other)) } else { a };
    }
    if rank(a) != rank(b) {
        return a;
    }
    let unsigned = |ty: Type<'c>| ty.number_kind() == NumberKind::Unsigned;
    if unsigned(a) != unsigned(b) && a.bit_width() == b.bit_width() {
        return Type::int(context, 16);
    }
    match a.bit_width().cmp(&b.bit_width()) {
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => Type::f32(context), // f16 with bf16
    }
}

/// The element type that a value counts as: numbers are i64, f32, i1 or complex<f32>.
fn counted<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    if ty.is_shaped() {
        ty.element()
    } else if ty.is_complex() {
        Type::complex(Type::f32(context))
    } else if ty.is_float() {
        Type::f32(context)
    } else if ty.is_bool() {
        ty
    } else {
        Type::int(context, 64)
    }
}

/// The promoted element type of operands of these types (as fx has them: unsigned ones too): tensors with dimensions first, then 0-d tensors, then numbers, a later
/// group counting only where its category (bool < integer < float < complex) is higher.
pub fn promote<'c>(context: &'c Context, types: &[Type<'c>]) -> Type<'c> {
    let mut groups: [Option<Type<'c>>; 3] = [None; 3];
    for ty in types.iter().copied() {
        let group = &mut groups[if !ty.is_shaped() { 2 } else { usize::from(ty.rank() == 0) }];
        let next = counted(context, ty);
        *group = Some(group.map_or(next, |current| promote_types(context, current, next)));
    }
    let combine = |higher: Option<Type<'c>>, lower: Option<Type<'c>>| match (higher, lower) {
        (Some(higher), Some(lower)) if rank(lower) > rank(higher) => {
            // A float is widened to complex by its own width; lower categories take the other's type.
            let complex = higher.is_float() && lower.is_complex();
            Some(if complex && higher.is_f64() { Type::complex(higher) } else { lower })
        }
        (Some(higher), _) => Some(higher),
        (None, lower) => lower,
    };
    combine(groups[0], combine(groups[1], groups[2])).unwrap_or_else(|| Type::f32(context))
}
