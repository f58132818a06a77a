//! `fx-autodiff`: add derivatives to a function.
//!
//! Needs     phase `fx`: a function of fx ops.
//! Gives     phase `joint`: the same function with gradients (or tangents) as further results; ops that have no rule of
//!           their own, and vary, are decomposed.
//! Fails on  an op on the way that has no derivative: all of them are reported, each at its place.
//! Tests     lit-tests/passes/fx-autodiff/

use fx_ir::{Op, Options, Pass, PassOption, Result, emit_error};
use fx_ops::gradient::Conventions;

use crate::interface::function_named;
use crate::joint::{Arguments, Cotangents, Request, add_gradients, add_second_gradients, add_tangents};

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-autodiff",
    summary: "add derivatives to a function",
    anchor: "builtin.module",
    options: &[
        PassOption { name: "function", default: "main", help: "name of the function" },
        PassOption { name: "mode", default: "reverse", help: "reverse: gradients; forward: tangents" },
        PassOption { name: "by", default: "all", help: "all, parameters, or numbers of arguments: 0;2" },
        PassOption { name: "outputs", default: "all", help: "all, or numbers of outputs: 0;1" },
        PassOption { name: "changed", default: "false", help: "whether new values of inputs are differentiated too" },
        PassOption { name: "cotangents", default: "ones", help: "ones, arguments: further ones, or suitable: ones for numbers alone" },
        PassOption { name: "zeros", default: "true", help: "whether arguments without influence get zeros" },
        PassOption { name: "order", default: "1", help: "how often: gradients of gradients" },
        PassOption { name: "conventions", default: "eager", help: "eager: PyTorch's where there is no derivative; sane" },
    ],
    dialects: &["fx", "arith", "tensor"],
    run,
};

fn run(module: Op<'_>, options: &Options) -> Result {
    let function = function_of(module, options)?;
    let fail = |option: &str| options.illegal(module, option);
    let request = Request {
        arguments: match options.get("by") {
            "all" => Arguments::All,
            "parameters" => Arguments::Parameters,
            list => Arguments::Given(numbers(list).ok_or_else(|| fail("by"))?),
        },
        outputs: match options.get("outputs") {
            "all" => None,
            list => Some(numbers(list).ok_or_else(|| fail("outputs"))?),
        },
        changed: options.parsed(module, "changed")?,
        cotangents: match options.get("cotangents") {
            "ones" => Cotangents::Ones,
            "arguments" => Cotangents::Arguments,
            "suitable" => Cotangents::Suitable,
            _ => return Err(fail("cotangents")),
        },
        zeros: options.parsed(module, "zeros")?,
        conventions: match options.get("conventions") {
            "eager" => Conventions::Eager,
            "sane" => Conventions::Sane,
            _ => return Err(fail("conventions")),
        },
        tied: Vec::new(),
    };
    let order: usize = options.parsed(module, "order")?;
    match options.get("mode") {
        "reverse" => {
            add_gradients(function, &request)?;
            (1..order).try_for_each(|_| add_second_gradients(function, &request))
        }
        "forward" if order == 1 => add_tangents(function, &request),
        "forward" => Err(fail("order")),
        _ => Err(fail("mode")),
    }
}

/// The function that the option `function` names.
///
/// # Errors
/// If there is none: reported.
pub fn function_of<'c>(module: Op<'c>, options: &Options) -> Result<Op<'c>> {
    let name = options.get("function");
    function_named(module, name).ok_or_else(|| emit_error(module.location(), &format!("there is no function '@{name}'"), &[]))
}

/// `0;2`
pub(crate) fn numbers(list: &str) -> Option<Vec<usize>> {
    list.split(';').map(|number| number.trim().parse().ok()).collect()
}
