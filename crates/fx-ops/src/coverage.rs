//! What the binary can compile, as a matrix: `fx-opt --fx-show-coverage`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fx_ir::OP_DEFS;

use crate::table::{Decompose, Derivative, Lowering, OpRow, find};

/// The state of one op in one column.
fn states(row: Option<&OpRow>) -> [String; 4] {
    let Some(row) = row else { return ["no row".into(), "no row".into(), "no row".into(), "no row".into()] };
    let decompose = match row.decompose {
        Decompose::Primitive => "primitive".to_string(),
        Decompose::Rule(_) => "yes".to_string(),
        Decompose::Missing(why) => format!("missing: {why}"),
    };
    let lower = match row.lower {
        Lowering::Pointwise(..) => "pointwise".to_string(),
        Lowering::Rule(_) => "yes".to_string(),
        Lowering::ViaDecomposition => "decomposed".to_string(),
        Lowering::Structural => "structural".to_string(),
        Lowering::Missing(why) => format!("missing: {why}"),
    };
    let derivative = |rule: Derivative| match rule {
        Derivative::Missing(_) => "missing".to_string(),
        Derivative::None(why) => format!("none: {why}"),
    };
    [decompose, lower, derivative(row.vjp), derivative(row.jvp)]
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
    let mut text = String::from("overload\top\tdecomposition\tlowering\tvjp\tjvp\n");
    for line in lines.values() {
        let written = writeln!(text, "{line}");
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    text
}
