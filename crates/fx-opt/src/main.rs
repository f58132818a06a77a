//! `fx-opt`: mlir-opt with the fx dialect and its passes.
//!
//! The same binary is `fx-lsp-server`, `fx-reduce` and `fx-translate` when it is called by such a name, so that MLIR and
//! LLVM are linked once. `fx-opt --fx-show-coverage` prints what the compiler can do with each operator.
#![forbid(unsafe_code)]

use fx_ir::tools::{LSP_SERVER, OPT, REDUCE, TRANSLATE, run};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--fx-show-coverage") {
        print!("{}", fx_ops::coverage::matrix());
        return;
    }
    fx_ir::register(fx_autodiff::PASSES);
    fx_ir::register(fx_passes::PASSES);
    fx_ir::register(fx_codegen::PASSES);
    fx_ir::register(fx_mlir::PASSES);
    let name = arguments.first().map(|path| path.rsplit('/').next().unwrap_or(path)).unwrap_or_default();
    let tool = match name {
        "fx-lsp-server" => LSP_SERVER,
        "fx-reduce" => REDUCE,
        "fx-translate" => TRANSLATE,
        _ => OPT,
    };
    std::process::exit(run(tool));
}
