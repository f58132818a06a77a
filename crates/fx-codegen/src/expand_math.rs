//! `fx-expand-math`: math functions as arithmetic.
use fx_ir::{Op, Options, Pass, Result};
/// The pass.
pub static PASS: Pass = Pass { name: "fx-expand-math", summary: "expand math functions into arithmetic", anchor: "", options: &[], dialects: &["arith", "llvm", "scf"], run };
fn run(_: Op<'_>, _: &Options) -> Result {
    Ok(())
}
