//! `fx-partition`: split a joint function into one that computes outputs and one that computes gradients.
//!
//! Needs     phase `joint`, with cotangents as arguments; best after `cse`, and after `fx-decompose`: what stays whole is
//!           saved or computed again as a whole.
//! Gives     phase `joint`: `@forward` and `@backward` instead of the joint function, in the order that
//!           [`fx_autodiff::partition::split`] states; `fx.partition` on the module says what is saved and computed again, and
//!           the peak of memory, which is found by lowering both (`meter.rs`), and estimated where that fails.
//! Tags      `fx.recompute` on ops says what must or should be saved or computed again ([`fx_ops::recompute`]).
//! Fails on  a function without gradients or without cotangents; what can neither be saved nor computed again.
//! Tests     lit-tests/passes/fx-partition/
//!
//! ```text
//! main(x, g) { y = sin x, z = sin y, d = cos y * g .. }  =>  forward(x) { .. z, y },  backward(y, x, g) { d = cos y * g .. }
//! ```

use fx_autodiff::fx_autodiff::function_of;
use fx_autodiff::interface::function_named;
use fx_autodiff::partition::run::{GivenSizes, Strategy, partition};
use fx_autodiff::partition::split::Names;
use fx_ir::{Op, Options, Pass, PassOption, Result, emit_error};

use crate::meter::Lowering;

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-partition",
    summary: "split a joint function into one that computes outputs and one that computes gradients",
    anchor: "builtin.module",
    options: &[
        PassOption { name: "function", default: "main", help: "name of the joint function" },
        PassOption { name: "strategy", default: "min-cut", help: "default: compute nothing twice; min-cut: save little; budget" },
        PassOption { name: "budget", default: "1.0", help: "peak of memory for strategy=budget: a fraction, or bytes" },
        PassOption { name: "target", default: "cpu", help: "whose memory that is" },
        PassOption { name: "sizes", default: "", help: "sizes of symbols, to estimate with: s0=8;s1=16" },
        PassOption { name: "keep", default: "false", help: "whether the joint function stays" },
        PassOption { name: "remark", default: "false", help: "whether a remark says what is saved and computed again" },
    ],
    dialects: &["fx", "arith", "tensor"],
    run,
};

fn run(module: Op<'_>, options: &Options) -> Result {
    let function = function_of(module, options)?;
    let fail = |option: &str| options.illegal(module, option);
    let strategy = match options.get("strategy") {
        "default" => Strategy::Default,
        "min-cut" => Strategy::MinCut,
        "budget" => Strategy::Budget(options.get("budget").parse().map_err(|()| fail("budget"))?),
        _ => return Err(fail("strategy")),
    };
    let sizes = given_sizes(options.get("sizes")).ok_or_else(|| fail("sizes"))?;
    let names = Names { forward: "forward", backward: "backward" };
    for made in [names.forward, names.backward] {
        if function_named(module, made).is_some() {
            return Err(emit_error(module.location(), &format!("there is a function '@{made}' already"), &[]));
        }
    }
    let report = partition(function, strategy, &sizes, &names, &Lowering { target: options.parsed(module, "target")? })?;
    report.write(module);
    if options.parsed(module, "remark")? {
        report.remark(function);
    }
    if !options.parsed(module, "keep")? {
        function.erase();
    }
    Ok(())
}

/// `s0=8;s1=16`
fn given_sizes(text: &str) -> Option<GivenSizes> {
    let entry = |entry: &str| {
        let (name, size) = entry.split_once('=')?;
        Some((name.trim().to_string(), size.trim().parse().ok()?))
    };
    text.split(';').filter(|entry| !entry.trim().is_empty()).map(entry).collect()
}
