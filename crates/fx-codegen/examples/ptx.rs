//! Prints a phase of a program for a GPU: `ptx FILE.mlir [PHASE] [ARCH]`.

use fx_ir::{Module, new_context, register, run_pipeline};

/// The passes from phase `fx` to phase `kernels`.
const TO_KERNELS: &str = "builtin.module(func.func(canonicalize,cse),func.func(fx-decompose),func.func(canonicalize,cse),\
    func.func(convert-fx-to-linalg),func.func(canonicalize,cse),fx-form-kernels,func.func(canonicalize,cse))";

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: ptx FILE.mlir [PHASE] [ARCH]")?;
    let phase = arguments.next().unwrap_or_else(|| "ptx".to_string());
    let arch = arguments.next().unwrap_or_else(|| "sm_90a".to_string());
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    register(fx_passes::PASSES);
    register(fx_codegen::PASSES);
    let context = new_context(false);
    let (result, messages) = fx_ir::collect(&context, || {
        let module = Module::parse(&context, &text).ok_or("it does not parse")?;
        run_pipeline(&context, &module, TO_KERNELS).map_err(|_| "a pass failed")?;
        match phase.as_str() {
            "kernels" => Ok(module.op().to_string()),
            "plan" => {
                let plan = fx_codegen::pipeline::plan_gpu(&module, &arch, &mut |_| {}).map_err(|_| "no plan")?;
                plan.to_json().map_err(|_| "the plan does not print")
            }
            phase => fx_codegen::pipeline::emit_gpu(&module, phase, &arch).map_err(|_| "no code"),
        }
    });
    for message in messages {
        eprintln!("{message:?}");
    }
    println!("{}", result?);
    Ok(())
}
