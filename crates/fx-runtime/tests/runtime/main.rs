//! The executor from outside: plans whose kernels are C compiled by `cc` when the tests run.

mod bundles;
mod control;
mod cuda;
mod errors;
mod loading;
mod running;
mod support;
mod verifying;
