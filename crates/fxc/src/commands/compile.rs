//! `fxc compile`: print a phase of a program, or write a bundle.

use crate::error::{CliError, Result, note, print_raw};
use crate::files::write_text;
use crate::gradients::wanted;
use crate::load::{CacheArg, bundle, open};
use crate::target::TargetArg;
use clap::Args;
use fx_mlir::Phase;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Compile a program: print it in any phase, or write a bundle that `fxc run` and the runtime library execute
#[derive(Args)]
#[command(after_help = help())]
pub struct CompileArgs {
    /// The program: a .pt2 archive or .mlir text
    model: PathBuf,
    /// What to make: a phase (listed below), or `bundle`
    #[arg(long, value_name = "PHASE", default_value = "bundle")]
    emit: Emit,
    /// What to compile for: cpu (this machine's), a processor by name such as x86-64-v4, cuda (the same as sm_90a), sm_90a
    /// or sm_80; with +deterministic, a GPU sums nothing in an order of its own
    #[arg(long, default_value = "cpu")]
    target: TargetArg,
    /// Compile the gradients too, by all parameters and float inputs; unless all outputs are numbers, cotangents are further
    /// inputs
    #[arg(long)]
    grad: bool,
    /// Say on stderr, of each value that one kernel makes and another reads, why they are not one kernel
    #[arg(long)]
    remarks: bool,
    /// Where to write: text goes to stdout by default, a bundle to MODEL.fxb in this folder
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Say where the time went, on stderr (for a bundle)
    #[arg(long)]
    timing: bool,
    #[command(flatten)]
    cache: CacheArg,
}

/// What `--emit` asks for.
#[derive(Debug, Clone, Copy)]
enum Emit {
    Bundle,
    Phase(Phase),
}

impl FromStr for Emit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "bundle" {
            return Ok(Emit::Bundle);
        }
        text.parse().map(Emit::Phase).map_err(|_: String| {
            let phases: Vec<String> = Phase::ALL.iter().map(Phase::to_string).collect();
            format!("expected bundle, {}", phases.join(", "))
        })
    }
}

fn help() -> String {
    let mut text = String::from("Phases:\n");
    for phase in Phase::ALL {
        text.push_str(&format!("  {:<9}{}\n", phase.to_string(), phase.help()));
    }
    text.push_str(
        "  bundle   plan, code and tensors in one file (the default)

Examples:
  fxc compile model.pt2                                 write model.fxb, for the CPU
  fxc compile model.pt2 --emit=fx                       the imported graph, as fx ops
  fxc compile model.pt2 --emit=ptx --target=sm_90a      the GPU code
  fxc compile model.pt2 --emit=kernels --remarks        the kernels, and why they are not fewer
  fxc compile model.pt2 --emit=linalg -o model.mlir     a phase that fx-opt can continue from",
    );
    text
}

/// Runs the command.
pub fn compile(args: &CompileArgs) -> Result<()> {
    let gradients = wanted(args.grad, None, "");
    let target = args.target.target()?;
    if args.remarks {
        let remarks = open(&args.model, gradients.as_ref())?.fusion_remarks(target)?;
        remarks.iter().for_each(|remark| note(&remark.to_string()));
    }
    match args.emit {
        Emit::Bundle => {
            let path = match &args.output {
                Some(path) => path.clone(),
                None => default_output(&args.model)?,
            };
            let (bundle, timings) = bundle(&args.model, target, gradients.as_ref(), args.cache.cache().as_ref())?;
            bundle.write(&path)?;
            if args.timing {
                timings.iter().for_each(|(name, time)| note(&format!("{name:<24} {:>10.2} ms", time.as_secs_f64() * 1e3)));
                let total: Duration = timings.iter().map(|(_, time)| *time).sum();
                note(&format!("{:<24} {:>10.2} ms", "together", total.as_secs_f64() * 1e3));
            }
            if args.output.is_none() {
                note(&format!("wrote {}", path.display()));
            }
            Ok(())
        }
        Emit::Phase(phase) => {
            let mut text = open(&args.model, gradients.as_ref())?.emit(phase, target)?;
            if !text.ends_with('\n') {
                text.push('\n');
            }
            match &args.output {
                Some(path) => write_text(path, &text),
                None => print_raw(&text),
            }
        }
    }
}

/// `model.fxb` for `some/folder/model.pt2`.
fn default_output(model: &Path) -> Result<PathBuf> {
    match model.file_stem() {
        Some(stem) => {
            let mut name = stem.to_os_string(); // not `with_extension`: a stem may have dots
            name.push(".fxb");
            Ok(name.into())
        }
        None => Err(CliError::Usage(format!("'{}' names no file", model.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emit_is_a_phase_or_a_bundle() {
        assert!(matches!("bundle".parse(), Ok(Emit::Bundle)));
        for phase in Phase::ALL {
            let Ok(Emit::Phase(parsed)) = phase.to_string().parse() else {
                panic!("{phase} is not accepted");
            };
            assert_eq!(parsed.to_string(), phase.to_string());
            assert!(help().contains(phase.help()));
        }
        let error = "nothing".parse::<Emit>().unwrap_err();
        assert!(error.starts_with("expected bundle, fx, "), "{error}");
    }

    #[test]
    fn bundles_go_to_the_current_folder() {
        let path = default_output(Path::new("a/b/model.pt2")).unwrap();
        assert_eq!(path, Path::new("model.fxb"));
        let path = default_output(Path::new("v1.2.pt2")).unwrap();
        assert_eq!(path, Path::new("v1.2.fxb"));
        assert!(default_output(Path::new("..")).is_err());
    }
}
