//! `fx-partition`: split a joint function into one that computes outputs and one that computes gradients.
//!
//! Needs     phase `joint`, with cotangents as arguments; best after `cse`, and after `fx-decompose`: what stays whole is
//!           saved or computed again as a whole.
//! Gives     phase `joint`: `@forward` and `@backward` instead of the joint function, in the order that
//!           [`crate::partition::split`] states; `fx.partition` on the module says what is saved and computed again.
//! Fails on  a function without gradients or without cotangents; what can neither be saved nor computed again.
//! Tests     lit-tests/passes/fx-partition/
//!
//! ```text
//! main(x, g) { y = sin x, z = sin y, d = cos y * g .. }  =>  forward(x) { .. z, y },  backward(y, x, g) { d = cos y * g .. }
//! ```

use std::collections::HashMap;

use fx_ir::{Op, Options, Pass, PassOption, Result, emit_error};

use crate::fx_autodiff::function_of;
use crate::interface::{Interface, function_named};
use crate::partition::budget::{Budget, within};
use crate::partition::classify::Classes;
use crate::partition::graph::Graph;
use crate::partition::loosen::{cut_loose, use_masks};
use crate::partition::min_cut::{Prices, cheapest};
use crate::partition::peak::predicted;
use crate::partition::report::Report;
use crate::partition::sizes::Sizes;
use crate::partition::split::{Names, Splitter, backward_order};

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-partition",
    summary: "split a joint function into one that computes outputs and one that computes gradients",
    anchor: "builtin.module",
    options: &[
        PassOption { name: "function", default: "main", help: "name of the joint function" },
        PassOption { name: "strategy", default: "min-cut", help: "default: compute nothing twice; min-cut: save little; budget" },
        PassOption { name: "budget", default: "1.0", help: "peak of memory for strategy=budget: a fraction, or bytes" },
        PassOption { name: "sizes", default: "", help: "sizes of symbols, to estimate with: s0=8;s1=16" },
        PassOption { name: "keep", default: "false", help: "whether the joint function stays" },
        PassOption { name: "remark", default: "false", help: "whether a remark says what is saved and computed again" },
    ],
    dialects: &["fx", "arith", "tensor"],
    run,
};

/// How to partition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strategy {
    /// Nothing is computed twice, except views and sizes.
    Default,
    /// As few bytes as possible are saved, without computing products twice.
    MinCut,
    /// As little as possible is computed twice at a given peak.
    Budget(Budget),
}

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
    let report = partition(function, strategy, &sizes, &names)?;
    report.write(module);
    if options.parsed(module, "remark")? {
        report.remark(function);
    }
    if !options.parsed(module, "keep")? {
        function.erase();
    }
    Ok(())
}

/// Builds both functions before the joint one.
///
/// # Errors
/// As the pass says.
pub fn partition(function: Op<'_>, strategy: Strategy, sizes: &HashMap<String, u64>, names: &Names<'_>) -> Result<Report> {
    let interface = Interface::read(function)?;
    use_masks(&interface)?;
    cut_loose(&interface)?;
    let ops: Vec<_> = interface.body.ops().into_iter().filter(|op| *op != interface.end).collect();
    let graph = Graph::new(function, &interface.body.arguments(), &ops, &mut Sizes::new(&interface, sizes));
    let classes = Classes::new(&interface, &graph)?;
    let end = interface.end.operands();
    let of = |results: &[usize]| results.iter().filter_map(|index| graph.id(end[*index])).collect::<Vec<_>>();
    let (outputs, gradients) = (of(&classes.outputs), of(&classes.gradients));
    let order = |partition: &_| backward_order(&graph, &classes, partition, &gradients);
    let partition = match strategy {
        Strategy::Default => cheapest(&graph, &classes, &Prices::DEFAULT)?,
        Strategy::MinCut => cheapest(&graph, &classes, &Prices::MIN_CUT)?,
        Strategy::Budget(budget) => within(&graph, &classes, budget, &order, &outputs, &gradients)?,
    };
    let peak = predicted(&graph, &partition, &order(&partition), &outputs, &gradients);
    Splitter { interface: &interface, graph: &graph, classes: &classes, partition: &partition }.run(names)?;
    Ok(Report::new(&graph, &partition, peak))
}

/// `s0=8;s1=16`
fn given_sizes(text: &str) -> Option<HashMap<String, u64>> {
    let entry = |entry: &str| {
        let (name, size) = entry.split_once('=')?;
        Some((name.trim().to_string(), size.trim().parse().ok()?))
    };
    text.split(';').filter(|entry| !entry.trim().is_empty()).map(entry).collect()
}
