//! Kernels of one function, made for this processor with device math in place of the C library.

use fx_codegen::cpu::Processor;
use fx_codegen::pipeline::plan_cpu;
use fx_ir::Module;
use fx_mlir::{DeviceKind, Executor, HostTensor, Value};

/// Numbers of one call
pub const COUNT: usize = 1 << 12;

/// A function from columns of arguments to results, element by element.
pub struct Kernel {
    executor: Executor,
    is_single: bool,
}

/// A program at phase `kernels` with a body on elements `%a`, `%b`, .. of type `ty` that ends in `%y`
fn program(ty: &str, operands: usize, body: &str) -> String {
    let tensor = format!("tensor<{COUNT}x{ty}>");
    let names: Vec<_> = ["a", "b"].into_iter().take(operands).collect();
    let join = |item: &dyn Fn(&str) -> String, between: &str| names.iter().map(|name| item(name)).collect::<Vec<_>>().join(between);
    let parameters = join(&|name| format!("%{name}s: {tensor}"), ", ");
    let arguments = join(&|name| format!("%{name}s"), ", ");
    let types = join(&|_| tensor.clone(), ", ");
    let dims = join(&|_| format!("[{COUNT}]"), ", ");
    let elements = join(&|name| format!("%{name}: {ty}"), ", ");
    let maps = vec!["affine_map<(d0) -> (d0)>"; operands + 1].join(", ");
    format!(
        "func.func @main({parameters}) -> {tensor} {{
          %r = call @kernel_0({arguments}) {{fx.result_dims = [[{COUNT}]]}} : ({types}) -> {tensor}
          return %r : {tensor}
        }}
        func.func private @kernel_0({parameters}) -> ({tensor} {{fx.dims = [{COUNT}]}})
            attributes {{fx.argument_dims = [{dims}], fx.kernel, fx.reduced = array<i1: false>, fx.space = [{COUNT}]}} {{
          %e = tensor.empty() : {tensor}
          %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [\"parallel\"]}} ins({arguments} : {types}) outs(%e : {tensor}) {{
          ^bb0({elements}, %out: {ty}):
            {body}
            linalg.yield %y : {ty}
          }} -> {tensor}
          return %r : {tensor}
        }}"
    )
}

impl Kernel {
    /// The kernel of an op such as `math.exp` on one or two numbers.
    pub fn of_op(op: &str, ty: &str, operands: usize) -> Self {
        let arguments = if operands == 1 { "%a" } else { "%a, %b" };
        Self::new(&format!("%y = {op} {arguments} : {ty}"), ty, operands)
    }

    /// The kernel of some ops, from `%a` and `%b` to `%y`.
    pub fn new(body: &str, ty: &str, operands: usize) -> Self {
        fx_ir::register(fx_codegen::PASSES);
        let context = fx_ir::new_context(false);
        let module = Module::parse(&context, &program(ty, operands, body)).unwrap();
        fx_ir::run_pipeline(&context, &module, "builtin.module(fx-expand-math)").unwrap();
        let plan = plan_cpu(&module, &Processor::host(), &mut |_| {}).unwrap();
        Self { executor: Executor::new(plan, DeviceKind::Cpu).unwrap(), is_single: ty == "f32" }
    }

    fn tensor(&self, values: &[f64]) -> Value {
        let mut values = values.to_vec();
        values.resize(COUNT, 0.0);
        if self.is_single {
            let values: Vec<_> = values.into_iter().map(|value| value as f32).collect();
            return HostTensor::from_slice(&[COUNT], &values).unwrap().into();
        }
        HostTensor::from_slice(&[COUNT], &values).unwrap().into()
    }

    /// Results of rows of arguments.
    pub fn call(&mut self, columns: &[&[f64]]) -> Vec<f64> {
        let mut results = Vec::new();
        let count = columns[0].len();
        for start in (0..count).step_by(COUNT) {
            let end = (start + COUNT).min(count);
            let inputs: Vec<_> = columns.iter().map(|column| self.tensor(&column[start..end])).collect();
            let outputs = self.executor.call(&inputs).unwrap();
            let Some(Value::Tensor(tensor)) = &outputs[0].value else { panic!("no tensor") };
            results.extend_from_slice(&tensor.to_f64_vec().unwrap()[..end - start]);
        }
        results
    }
}
