//! The op table and the dialect say the same: one row per op, every overload once, the core operators covered.

use std::collections::{BTreeMap, BTreeSet};

use fx_ir::OP_DEFS;
use fx_ops::table::{Decompose, Lowering, Vjp, all, find};

/// The operators that PyTorch tags `core`, one a line.
const CORE_ATEN: &str = include_str!("core_aten.txt");

/// `aten.add.Tensor` of `aten.add.Tensor(input=other)`.
fn overload(aten: &str) -> &str {
    aten.split('(').next().unwrap_or(aten)
}

/// `aten.add.Tensor` as (`aten.add`, `Tensor`).
fn split(overload: &str) -> (&str, &str) {
    overload.rsplit_once('.').unwrap_or((overload, ""))
}

#[test]
fn one_row_per_op() {
    let mut rows = BTreeSet::new();
    let doubled: Vec<_> = all().map(|row| row.op).filter(|op| !rows.insert(*op)).collect();
    assert!(doubled.is_empty(), "ops with more than one row: {doubled:?}");
    let ops: BTreeSet<_> = OP_DEFS.iter().map(|def| def.name).collect();
    let without_row: Vec<_> = ops.difference(&rows).collect();
    assert!(without_row.is_empty(), "ops of the dialect without a row: {without_row:?}");
    let unknown: Vec<_> = rows.difference(&ops).collect();
    assert!(unknown.is_empty(), "rows of ops that the dialect does not have: {unknown:?}");
    assert!(ops.iter().all(|op| find(op).is_some_and(|row| row.op == *op)), "find() looks a row up by its op");
}

#[test]
fn every_op_has_a_derivative_or_a_reason() {
    for row in all() {
        let why = match row.vjp {
            Vjp::Missing(why) => panic!("'{}' has no derivative rule: {why}", row.op),
            Vjp::Refused(why) | Vjp::None(why) => why,
            _ => continue,
        };
        assert!(!why.trim().is_empty(), "'{}' has an empty reason", row.op);
    }
}

/// What has no decomposition cannot be differentiated through it.
#[test]
fn derivatives_of_decompositions() {
    for row in all() {
        let fits = !matches!((row.decompose, row.vjp), (Decompose::Primitive, Vjp::Decomposed));
        assert!(fits, "'{}' is primitive, and differentiated through its decomposition", row.op);
    }
}

/// An op is decomposed or lowered, not both and not neither.
#[test]
fn one_way_down() {
    for row in all() {
        let agrees = match row.decompose {
            Decompose::Primitive => !matches!(row.lower, Lowering::ViaDecomposition),
            Decompose::Rule(_) => matches!(row.lower, Lowering::ViaDecomposition),
        };
        assert!(agrees, "'{}' has a decomposition and a lowering that do not fit", row.op);
    }
}

#[test]
fn every_overload_once() {
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for def in OP_DEFS {
        for aten in def.aten {
            owners.entry(overload(aten)).or_default().push(def.name);
        }
    }
    let doubled: Vec<_> = owners.iter().filter(|(_, ops)| ops.len() > 1).collect();
    assert!(doubled.is_empty(), "overloads of more than one op: {doubled:?}");
}

#[test]
fn core_operators_are_covered() {
    let overloads: BTreeSet<_> = OP_DEFS.iter().flat_map(|def| def.aten).map(|aten| overload(aten)).collect();
    let core: Vec<_> = CORE_ATEN.lines().filter(|line| !line.is_empty()).collect();
    assert!(core.len() > 150, "the list of core operators is complete");
    // A mutation imports as the functional operator of its name and a further result.
    let operators: BTreeSet<_> = overloads.iter().map(|name| split(name).0).collect();
    let functional = |name: &str| {
        let (operator, variant) = split(name);
        match operator.strip_suffix('_') {
            Some(functional) => operators.contains(functional),
            None if variant == "out" => operators.contains(operator),
            // These update an operand by schema alone, and have a functional operator of another name.
            None => overloads.contains(format!("{operator}_functional.{variant}").as_str()),
        }
    };
    let missing: Vec<_> = core.iter().filter(|name| !overloads.contains(**name) && !functional(name)).collect();
    assert!(missing.is_empty(), "core operators that no op imports: {missing:?}");
}
