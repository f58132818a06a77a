//! The library's front door: import a PyTorch program, lower it, run it.
//!
//! ```no_run
//! use fx_mlir::{DeviceKind, HostTensor, Program, Target};
//! let program = Program::open("model.pt2".as_ref())?;
//! let mut model = program.compile(&Target::Cpu)?.executor(DeviceKind::Cpu)?;
//! let x = HostTensor::from_slice(&[1, 512], &[0.5f32; 512])?;
//! println!("{:?}", model.call(&[x.into()])?);
//! # Ok::<(), fx_mlir::Error>(())
//! ```
//!
//! Layer     Above every other crate of the compiler; `fxc` adds no logic to it.
//! Holds     [`Program`], [`Compiled`], [`Interpreter`], the phases by name, errors as types with locations; [`halves`]: a program
//!           partitioned; [`fx_partition`]: the pass that needs all of the lowering to know what memory a program takes.
#![forbid(unsafe_code)]

mod compile;
mod error;
pub mod fx_partition;
pub mod halves;
mod interpret;
mod meter;
mod phase;
mod program;
mod standalone;
pub mod training;

/// Which gradients of a program are wanted.
pub mod gradients {
    pub use fx_autodiff::joint::{Arguments, Cotangents, Request as Gradients};
    pub use fx_ops::gradient::Conventions;
}

/// Every pass of this crate.
pub static PASSES: &[&fx_ir::Pass] = &[&fx_partition::PASS];

pub use compile::Compiled;
pub use error::Error;
pub use fx_ir::Message;
pub use fx_library::Library;
pub use fx_runtime::cache::Cache;
pub use fx_runtime::{DType, DeviceKind, Executor, HostTensor, OpCall, OpFunction, OutputItem, Plan, ResultType, RuntimeError, Value};
pub use interpret::Interpreter;
pub use phase::{Phase, Target};
pub use program::{InputInfo, InputKind, Program};
