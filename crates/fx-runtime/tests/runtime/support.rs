//! What the tests share: compiled kernels and a builder of plans.

use fx_runtime::plan::*;
use fx_runtime::tensor::Element;
use fx_runtime::{DeviceKind, Executor, HostTensor, OutputItem, RuntimeError};
use std::process::Command;
use std::sync::OnceLock;

/// A result that any error converts to.
pub type TestResult = Result<(), Box<dyn std::error::Error>>;

/// Names of the functions in `kernels.c`, in the order of [`PlanBuilder::kernel`]'s indices.
pub const KERNELS: [&str; 10] =
    ["exp_f32", "copy_f32", "add_f32", "scale_f32", "fill_i64", "gather_f32", "count_nonzero", "nonzero", "relocations", "halves"];

/// The object of `kernels.c`.
pub fn object() -> Vec<u8> {
    static OBJECT: OnceLock<Vec<u8>> = OnceLock::new();
    OBJECT.get_or_init(|| compile("cc", include_str!("kernels.c"), &[])).clone()
}

/// Compiles C to a relocatable object, or fails the test.
pub fn compile(compiler: &str, source: &str, flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for objects");
    let (input, output) = (folder.path().join("k.c"), folder.path().join("k.o"));
    std::fs::write(&input, source).expect("the source is written");
    let status =
        Command::new(compiler).args(["-c", "-O2", "-fPIC", "-o"]).arg(&output).args(flags).arg(&input).status().expect("the compiler runs");
    assert!(status.success(), "{compiler} failed");
    std::fs::read(&output).expect("the object is there")
}

/// Makes plans, a line per thing.
pub struct PlanBuilder {
    pub plan: Plan,
}

pub const fn c(value: i64) -> Scalar {
    Scalar::Const(value)
}

pub const fn r(register: Reg) -> Scalar {
    Scalar::Reg(register)
}

pub const fn b(buffer: BufferId) -> KernelArg {
    KernelArg::Buffer(buffer)
}

pub const fn s(scalar: Scalar) -> KernelArg {
    KernelArg::Scalar(scalar)
}

pub fn check(message: &str) -> Check {
    Check { location: "model.py:7".into(), message: message.into() }
}

impl PlanBuilder {
    pub fn new() -> Self {
        let kernel = |symbol: &&str| Kernel {
            symbol: symbol.to_string(),
            binary: 0,
            location: format!("model.py:{}", symbol.len()),
            checks: match *symbol {
                "gather_f32" => vec![check("index {value} is negative"), check("index {value} is too large for {bound}")],
                _ => vec![],
            },
        };
        let plan = Plan {
            kernels: KERNELS.iter().map(kernel).collect(),
            binaries: vec![Binary::object(object(), Vec::new())],
            ..Plan::new("cpu")
        };
        PlanBuilder { plan }
    }

    pub fn register(&mut self) -> Reg {
        self.plan.registers += 1;
        self.plan.registers - 1
    }

    pub fn symbol(&mut self, name: &str, min: i64, max: Option<i64>) -> Scalar {
        let reg = self.register();
        self.plan.symbols.push(Symbol { name: name.into(), reg, min, max });
        r(reg)
    }

    pub fn buffer(&mut self, dtype: DType, dims: &[Scalar], storage: Storage) -> BufferId {
        self.plan.buffers.push(Buffer { dtype, dims: dims.to_vec(), storage });
        self.plan.buffers.len() as u32 - 1
    }

    pub fn planned(&mut self, dtype: DType, dims: &[Scalar]) -> BufferId {
        self.buffer(dtype, dims, Storage::Planned)
    }

    pub fn view(&mut self, dtype: DType, dims: &[Scalar], of: BufferId, offset: Scalar) -> BufferId {
        self.buffer(dtype, dims, Storage::View { of, offset })
    }

    pub fn argument(&mut self, kind: ArgumentKind, dtype: DType, dims: &[Scalar]) -> BufferId {
        let buffer = self.buffer(dtype, dims, Storage::Argument);
        self.plan.arguments.push(Argument { kind, value: ArgumentValue::Tensor(buffer) });
        buffer
    }

    pub fn input(&mut self, name: &str, dtype: DType, dims: &[Scalar]) -> BufferId {
        self.argument(ArgumentKind::Input(name.into()), dtype, dims)
    }

    pub fn scalar_input(&mut self, name: &str, dtype: DType) -> Scalar {
        let reg = self.register();
        let value = ArgumentValue::Scalar { reg, dtype };
        self.plan.arguments.push(Argument { kind: ArgumentKind::Input(name.into()), value });
        r(reg)
    }

    pub fn output(&mut self, buffer: BufferId) {
        let value = OutputValue::Tensor(buffer);
        self.plan.outputs.push(Output { kind: OutputKind::Output, value });
    }

    pub fn output_scalar(&mut self, value: Scalar, dtype: DType) {
        let value = OutputValue::Scalar { value, dtype };
        self.plan.outputs.push(Output { kind: OutputKind::Output, value });
    }

    /// `dst = op(args)` as a step to be put somewhere.
    pub fn op(&mut self, op: ScalarOp, args: &[Scalar]) -> (Step, Scalar) {
        let dst = self.register();
        (Step::Scalar { dst, op, args: args.to_vec() }, r(dst))
    }

    /// `dst = op(args)` as the next step.
    pub fn scalar(&mut self, op: ScalarOp, args: &[Scalar]) -> Scalar {
        let (step, value) = self.op(op, args);
        self.plan.steps.push(step);
        value
    }

    pub fn launch(&mut self, name: &str, args: &[KernelArg], extent: Scalar) {
        let step = launch(name, args, extent);
        self.plan.steps.push(step);
    }

    pub fn step(&mut self, step: Step) {
        self.plan.steps.push(step);
    }

    pub fn executor(self) -> Result<Executor, RuntimeError> {
        Executor::new(self.plan, DeviceKind::Cpu)
    }
}

/// A call of a host operator that decides no sizes.
pub fn call_step(name: &str, args: Vec<KernelArg>, results: Vec<BufferId>) -> Step {
    let location = "model.py:3:1".into();
    Step::Call { name: name.into(), location, args, attributes: Default::default(), results, sizes: Vec::new() }
}

/// A launch of a kernel of `kernels.c` as a step.
pub fn launch(name: &str, args: &[KernelArg], extent: Scalar) -> Step {
    let kernel = KERNELS.iter().position(|known| *known == name).expect("a kernel") as u32;
    Step::Launch { kernel, args: args.to_vec(), launch: Launch::Range { extent, grain: 1000, pieces: 4 } }
}

/// A tensor, or fail the test.
pub fn tensor<T: Element>(dims: &[usize], values: &[T]) -> HostTensor {
    HostTensor::from_slice(dims, values).expect("a tensor")
}

/// The elements of result `index`, or fail the test.
pub fn values<T: Element>(items: &[OutputItem], index: usize) -> Vec<T> {
    items[index].tensor().expect("a tensor").as_slice::<T>().expect("its type").to_vec()
}
