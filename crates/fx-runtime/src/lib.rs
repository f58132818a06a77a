//! Executes compiled launch plans on the CPU or on an NVIDIA GPU; links no LLVM.
//!
//! Layer     Below `fx-mlir`; knows plans, tensors and devices, and nothing of MLIR.
//! Holds     [`plan`] (what to do), [`exec`] (doing it), [`tensor`] and [`tensor_file`] (data), [`bundle`] (a plan and
//!           its tensors in one file), [`pool`] (threads).
//! Invariant Unsafe code lives in `ffi` only. Input from a file (plan, object, tensors) can be an error, never a panic
//!           and never a write outside the memory meant for it *while loading*. Running a plan runs its machine code:
//!           trust a bundle as you would trust a shared library.
//!
//! ```no_run
//! use fx_runtime::{bundle::Bundle, exec::Executor, device::DeviceKind, tensor::HostTensor};
//! # fn main() -> Result<(), fx_runtime::error::RuntimeError> {
//! let bundle = Bundle::read("model.fxb".as_ref())?;
//! let mut model = Executor::from_bundle(bundle, DeviceKind::Cpu)?;
//! let x = HostTensor::from_slice(&[2, 3], &[0.0f32; 6])?;
//! let results = model.call(&[x.into()])?;
//! # Ok(()) }
//! ```
#![deny(unsafe_code)]

pub(crate) mod analysis;
pub(crate) mod arena;
pub mod assembler;
pub(crate) mod bind;
pub mod bundle;
pub mod cache;
pub mod call;
pub(crate) mod cpu;
pub mod device;
pub mod dtype;
pub mod error;
pub mod exec;
pub(crate) mod files;
pub mod forecast;
pub(crate) mod frame;
pub(crate) mod free_list;
pub mod graphs;
pub(crate) mod layout;
pub(crate) mod outputs;
pub mod parallel;
pub(crate) mod placement;
pub mod plan;
pub mod pool;
pub(crate) mod program;
pub(crate) mod run;
pub(crate) mod scalar;
pub(crate) mod state;
pub(crate) mod tape;
pub mod tensor;
pub mod tensor_file;
pub mod traffic;
pub mod value;
mod verify;

#[allow(unsafe_code)] // the one place for it; each block says why it is sound
mod ffi;

pub use call::{OpCall, OpFunction, ResultType};
pub use device::{DeviceKind, GPU_ALIGNMENT};
pub use error::{Result, RuntimeError};
pub use exec::Executor;
pub use files::write_atomically;
pub use graphs::{GraphUse, Graphs};
pub use plan::{DType, Plan};
pub use tensor::HostTensor;
pub use value::{DeviceTensor, OutputItem, Value};
