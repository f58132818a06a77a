//! Imports archives as MLIR modules and says what went wrong.
//!
//! ```text
//! import [--print] [--no-round-trip] [--calls] PATH..
//! ```
//!
//! Each archive is imported into a context of its own and verified; its text is parsed and printed again,
//! which must change nothing. `--print` prints the modules, `--calls` counts the operators that became
//! `fx.call`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use fx_import::Archive;
use fx_ir::{Module, collect};

fn main() -> ExitCode {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let mut calls = BTreeMap::new();
    let mut failed = 0usize;
    for path in &paths {
        match import(path, has("--print"), !has("--no-round-trip"), &mut calls) {
            Ok(()) => {}
            Err(reasons) => {
                failed += 1;
                println!("FAILED {path}");
                reasons.iter().for_each(|reason| println!("  {reason}"));
            }
        }
    }
    if has("--calls") {
        calls.iter().for_each(|(target, count)| println!("{count:6} {target}"));
    }
    println!("{} imported, {failed} failed", paths.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn import(path: &str, print: bool, round_trip: bool, calls: &mut BTreeMap<String, usize>) -> Result<(), Vec<String>> {
    let archive = Archive::open(path).map_err(|error| vec![error.to_string()])?;
    let context = fx_ir::new_context(false);
    let (module, messages) = collect(&context, || {
        let module = fx_import::mlir::import(&archive, &context).ok()?;
        module.op().verify().then_some(module)
    });
    let Some(module) = module else {
        return Err(messages.iter().map(ToString::to_string).collect());
    };
    module.op().walk(&mut |op| {
        if let Some(target) = op.text("target").filter(|_| op.name() == "fx.call") {
            *calls.entry(target.to_owned()).or_default() += 1;
        }
    });
    let text = module.op().to_string();
    if print {
        println!("{text}");
    }
    if round_trip {
        let (again, messages) = collect(&context, || Module::parse(&context, &text));
        let Some(again) = again else {
            let reasons = messages.iter().map(|message| format!("parse: {message}"));
            return Err(reasons.collect());
        };
        let again = again.op().to_string();
        if again != text {
            let lines = text.lines().zip(again.lines()).find(|(a, b)| a != b);
            let (before, after) = lines.unwrap_or_default();
            return Err(vec![format!("round trip: printed '{before}', then '{after}'")]);
        }
    }
    Ok(())
}
