//! What the binary can compile, as a matrix: `fx-opt --fx-show-coverage`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fx_ir::OP_DEFS;

use crate::table::{Decompose, GradTest, Jvp, Lowering, OpRow, Vjp, find};

/// Operators of exported programs that have no op of their own, and what the importer makes of them.
const BY_IMPORTER: [(&str, &str, &str); 21] = [
    ("aten._native_batch_norm_legit.default", "fx.native_batch_norm_legit_functional", "mutations become results"),
    ("aten.add_.Tensor", "fx.add", "the mutation becomes a result"),
    ("aten.addcdiv_.default", "fx.addcdiv", "the mutation becomes a result"),
    ("aten.addcmul_.default", "fx.addcmul", "the mutation becomes a result"),
    ("aten.atan2.out", "fx.atan2", "the result replaces 'out'"),
    ("aten.copy_.default", "fx.copy", "the mutation becomes a result"),
    ("aten.hardswish_.default", "fx.hardswish", "the mutation becomes a result"),
    ("aten.index_copy_.default", "fx.index_copy", "the mutation becomes a result"),
    ("aten.mul_.Tensor", "fx.mul", "the mutation becomes a result"),
    ("aten.relu_.default", "fx.relu", "the mutation becomes a result"),
    ("aten.resize_.default", "fx.resize", "the mutation becomes a result"),
    ("higher_order.cond", "fx.cond", "regions"),
    ("higher_order.while_loop", "fx.while_loop", "regions"),
    ("operator.add", "arith.addi", "arithmetic on sizes"),
    ("operator.ge", "arith.cmpi", "arithmetic on sizes"),
    ("operator.getitem", "-", "results are told apart by number"),
    ("operator.le", "arith.cmpi", "arithmetic on sizes"),
    ("operator.mul", "arith.muli", "arithmetic on sizes"),
    ("operator.truediv", "arith.divf", "arithmetic on sizes"),
    ("prims.maximum_value.default", "arith.constant", "a number"),
    ("prims.minimum_value.default", "arith.constant", "a number"),
];

/// The states of one op: decomposition, lowering, VJP, JVP, gradient test.
fn states(row: Option<&OpRow>) -> [String; 5] {
    let Some(row) = row else { return std::array::from_fn(|_| "no row".to_string()) };
    let decompose = match row.decompose {
        Decompose::Primitive => "primitive".to_string(),
        Decompose::Rule(_) => "yes".to_string(),
    };
    let lower = match row.lower {
        Lowering::Pointwise(..) => "pointwise".to_string(),
        Lowering::Rule(_) => "yes".to_string(),
        Lowering::ViaDecomposition => "decomposed".to_string(),
        Lowering::Structural(_) => "structural".to_string(),
    };
    let vjp = match row.vjp {
        Vjp::Missing(_) => "missing".to_string(),
        Vjp::Refused(why) => format!("refused: {why}"),
        Vjp::None(why) => format!("none: {why}"),
        Vjp::Slope(_) => "slope".to_string(),
        Vjp::Rule(_) => "yes".to_string(),
        Vjp::Decomposed | Vjp::Parts(_) => "decomposed".to_string(),
        Vjp::Structural => "structural".to_string(),
    };
    let jvp = match (row.vjp, row.jvp) {
        (Vjp::Missing(_) | Vjp::Refused(_) | Vjp::None(_) | Vjp::Decomposed | Vjp::Parts(_) | Vjp::Structural, _) => vjp.clone(),
        (_, Jvp::Transposed) => "transposed".to_string(),
        (_, Jvp::Rule(_)) => "yes".to_string(),
    };
    let test = match (row.vjp, row.grad_test) {
        (Vjp::Missing(_), _) => "missing".to_string(),
        (Vjp::Refused(_), _) => "none".to_string(),
        (Vjp::None(_), _) => "none".to_string(),
        (_, GradTest::Smooth) => "smooth".to_string(),
        (_, GradTest::Kinked) => "kinked".to_string(),
        (_, GradTest::Other(how)) => format!("other: {how}"),
    };
    [decompose, lower, vjp, jvp, test]
}

/// The matrix: one line per ATen overload, tab-separated, with the fx op that it imports as.
pub fn matrix() -> String {
    let mut lines = BTreeMap::new();
    for def in OP_DEFS {
        let columns = states(find(def.name)).join("\t");
        let overloads: Vec<&str> = def.aten.iter().map(|overload| overload.split('(').next().unwrap_or(overload)).collect();
        for overload in if overloads.is_empty() { vec!["-"] } else { overloads } {
            lines.insert((overload.to_string(), def.name), format!("{overload}\t{}\t{columns}", def.name));
        }
    }
    for (overload, op, how) in BY_IMPORTER {
        let row = find(op).map_or_else(|| ["-"; 5].join("\t"), |row| states(Some(row)).join("\t"));
        lines.insert((overload.to_string(), op), format!("{overload}\t{op} (by the importer: {how})\t{row}"));
    }
    let mut text = String::from("overload\top\tdecomposition\tlowering\tvjp\tjvp\tgradient test\n");
    for line in lines.values() {
        let written = writeln!(text, "{line}");
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    text
}
