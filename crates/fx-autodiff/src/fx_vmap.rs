//! `fx-vmap`: compute a function for each index of a further first dim.
//!
//! Needs     phase `fx`: a function of fx ops.
//! Gives     the same function, with a further first dim of some arguments and of all results. Ops are vectorised as their rows
//!           say, what has no rule runs in a loop.
//! Fails on  an op that gives a number out of what differs for each index.
//! Tests     lit-tests/passes/fx-vmap/

use fx_ir::{DYNAMIC, Op, Options, Pass, PassOption, Result};

use crate::fx_autodiff::{function_of, numbers};
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
    let function = function_of(module, options)?;
    let arguments = match options.get("arguments") {
        "all" => None,
        list => Some(numbers(list).ok_or_else(|| options.illegal(module, "arguments"))?),
    };
    let size = match options.get("size") {
        "dynamic" => DYNAMIC,
        _ => i64::from(options.parsed::<u32>(module, "size")?),
    };
    vectorise(function, arguments.as_deref(), size)
}
