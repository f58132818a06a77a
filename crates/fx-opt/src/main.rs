//! `fx-opt`: mlir-opt with the fx dialect and its passes.
fn main() {
    std::process::exit(fx_ir::tools::run(fx_ir::tools::Tool::Opt));
}
