//! Arithmetic on sizes, computed where one is known only at run time.

use fx_ir::{Attribute, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::Dim;

/// A size as an `index` value.
pub(crate) fn value<'c>(f: &Fx<'c>, size: Dim<'c>) -> Value<'c> {
    match size {
        Dim::Static(size) => f.b.index(size),
        Dim::Dynamic(value) => value,
    }
}

fn combined<'c>(f: &Fx<'c>, name: &str, a: Dim<'c>, b: Dim<'c>, known: fn(i64, i64) -> i64) -> Dim<'c> {
    if let (Dim::Static(a), Dim::Static(b)) = (a, b) {
        return Dim::Static(known(a, b));
    }
    Dim::Dynamic(f.b.value(name, &[value(f, a), value(f, b)], Type::index(f.context()), &[]))
}

/// `a + b`
pub(crate) fn plus<'c>(f: &Fx<'c>, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
    if a.known() == Some(0) { b } else { combined(f, "arith.addi", a, b, i64::saturating_add) }
}

/// `a - b`
pub(crate) fn minus<'c>(f: &Fx<'c>, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
    if b.known() == Some(0) { a } else { combined(f, "arith.subi", a, b, i64::saturating_sub) }
}

/// `a b`
pub(crate) fn times<'c>(f: &Fx<'c>, a: Dim<'c>, b: Dim<'c>) -> Dim<'c> {
    combined(f, "arith.muli", a, b, i64::saturating_mul)
}

/// `-a`
pub(crate) fn negated<'c>(f: &Fx<'c>, a: Dim<'c>) -> Dim<'c> {
    minus(f, Dim::Static(0), a)
}

/// A position that may count from the end of a dim of `size`, as one from its start.
pub(crate) fn from_start<'c>(f: &Fx<'c>, position: Dim<'c>, size: Dim<'c>) -> Dim<'c> {
    match position {
        Dim::Static(at) if at >= 0 => position,
        Dim::Static(_) => plus(f, size, position),
        Dim::Dynamic(at) => {
            let (index, truth) = (Type::index(f.context()), Type::int(f.context(), 1));
            let less = ("predicate", Attribute::i64(f.context(), 2));
            let negative = f.b.value("arith.cmpi", &[at, f.b.index(0)], truth, &[less]);
            let wrapped = value(f, plus(f, position, size));
            Dim::Dynamic(f.b.value("arith.select", &[negative, wrapped, at], index, &[]))
        }
    }
}
