//! `fx-optimizer`: add an optimizer's update to a function with gradients.
//!
//! Needs     phase `joint`: a function with results of kind `parameter_gradient`.
//! Gives     phase `joint`: the same function with inputs `learning_rate` and `step`, the optimizer's state as further
//!           buffers, and new values of parameters and state as results, without the gradients.
//! Fails on  a function without gradients of parameters, a complex parameter, options out of their range.
//! Tests     lit-tests/passes/fx-optimizer/

use fx_ir::{Op, Options, Pass, PassOption, Result};

use crate::fx_autodiff::function_of;
use crate::optimizer::{AdamW, Optimizer, Sgd, Training, add_update};

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-optimizer",
    summary: "add an optimizer's update to a function with gradients",
    anchor: "builtin.module",
    options: &[
        PassOption { name: "function", default: "main", help: "name of the function" },
        PassOption { name: "optimizer", default: "sgd", help: "sgd, adamw" },
        PassOption { name: "weight-decay", default: "0", help: "weight decay" },
        PassOption { name: "momentum", default: "0", help: "momentum of sgd" },
        PassOption { name: "dampening", default: "0", help: "dampening of sgd's momentum" },
        PassOption { name: "nesterov", default: "false", help: "whether sgd's momentum is Nesterov's" },
        PassOption { name: "beta1", default: "0.9", help: "how much of adamw's mean of gradients stays" },
        PassOption { name: "beta2", default: "0.999", help: "how much of adamw's mean of squares stays" },
        PassOption { name: "eps", default: "1e-8", help: "added to adamw's denominator" },
        PassOption { name: "keep-gradients", default: "false", help: "whether gradients stay among the results" },
    ],
    dialects: &["fx", "arith", "math", "tensor"],
    run,
};

fn run(module: Op<'_>, options: &Options) -> Result {
    let function = function_of(module, options)?;
    let number = |name: &str| options.parsed::<f64>(module, name);
    let weight_decay = number("weight-decay")?;
    let optimizer = match options.get("optimizer") {
        "sgd" => Optimizer::Sgd(Sgd {
            momentum: number("momentum")?,
            dampening: number("dampening")?,
            weight_decay,
            nesterov: options.parsed(module, "nesterov")?,
        }),
        "adamw" => Optimizer::AdamW(AdamW { betas: [number("beta1")?, number("beta2")?], eps: number("eps")?, weight_decay }),
        _ => return Err(options.illegal(module, "optimizer")),
    };
    add_update(function, &Training { keep_gradients: options.parsed(module, "keep-gradients")?, ..optimizer.into() })
}
