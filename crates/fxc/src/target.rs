//! `--target`: what is compiled for, and the device that runs it.

use crate::error::{CliError, Result};
use fx_mlir::Target;
use fx_runtime::DeviceKind;
use std::str::FromStr;

/// The value of `--target`.
#[derive(Debug, Clone)]
pub enum TargetArg {
    /// What the compiler makes code for.
    Compiled(Target),
    /// The reference evaluator.
    Interpreter,
}

impl FromStr for TargetArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "interp" => Ok(TargetArg::Interpreter),
            _ => text.parse().map(TargetArg::Compiled),
        }
    }
}

impl std::fmt::Display for TargetArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TargetArg::Compiled(target) => target.fmt(f),
            TargetArg::Interpreter => f.write_str("interp"),
        }
    }
}

impl TargetArg {
    /// The compiler's target. Fails for the interpreter, which compiles nothing.
    pub fn target(&self) -> Result<&Target> {
        match self {
            TargetArg::Compiled(target) => Ok(target),
            TargetArg::Interpreter => Err(CliError::Usage("target 'interp' compiles nothing: it is for 'run' and 'check'".into())),
        }
    }
}

/// The device that runs code for a target.
pub fn device(target: &Target) -> DeviceKind {
    match target {
        Target::Cpu | Target::Processor(_) => DeviceKind::Cpu,
        Target::Cuda { .. } => DeviceKind::Cuda(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_devices() {
        let parse = |text: &str| text.parse::<TargetArg>();
        let target = parse("cpu").unwrap();
        assert_eq!(device(target.target().unwrap()), DeviceKind::Cpu);
        let target = parse("sm_80").unwrap();
        assert_eq!(device(target.target().unwrap()), DeviceKind::Cuda(0));
        assert_eq!(target.to_string(), "sm_80");
        let error = parse("interp").unwrap().target().unwrap_err();
        assert!(error.to_string().contains("compiles nothing"));
        assert!(parse("gpu!").is_err());
    }
}
