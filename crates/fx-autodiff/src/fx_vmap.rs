//! `fx-vmap`: compute a function for each index of a further first dim.
//!
//! Needs     phase `fx`: a function of fx ops.
//! Gives     the same function, with a further first dim of some arguments and of all results. Ops are vectorised as their rows
//!           say, what has no rule runs in a loop.
//! Fails on  an op that gives a number out of what differs for each index.
//! Tests     lit-tests/passes/fx-vmap/

use fx_ir::{DYNAMIC, Op, Options, Pass, PassOption, Result, emit_error};

use crate::vmap::vectorise;

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-vmap",
    summary: "compute a function for each index of a further first dim",
    anchor: "builtin.module",
    options: &[
        PassOption { name: "function", default: "main", help: "name of the function" },
        PassOption { name: "arguments", default: "all", help: "those that get the dim: all, or numbers: 0;2" },
        PassOption { name: "size", default: "dynamic", help: "its size, or dynamic: known when it is called" },
    ],
    dialects: &["fx", "arith", "tensor"],
    run,
};

fn run(module: Op<'_>, options: &Options) -> Result {
    let name = options.get("function");
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let Some(function) = functions.into_iter().find(|op| op.text("sym_name") == Some(name)) else {
        return Err(emit_error(module.location(), &format!("there is no function '@{name}'"), &[]));
    };
    let arguments: Option<Vec<usize>> = match options.get("arguments") {
        "all" => None,
        list => match list.split(';').map(|number| number.trim().parse().ok()).collect() {
            Some(numbers) => Some(numbers),
            None => return Err(emit_error(module.location(), &format!("pass option 'arguments' has no legal value: '{list}'"), &[])),
        },
    };
    let size = match options.get("size") {
        "dynamic" => DYNAMIC,
        _ => i64::from(options.parsed::<u32>(module, "size")?),
    };
    vectorise(function, arguments.as_deref(), size)
}
