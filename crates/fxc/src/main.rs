//! `fxc`, the command line of fx-mlir: compile a PyTorch program, run it, check it against golden data, measure
//! it, train it.
//!
//! Map       `commands`: one file for each subcommand. `golden`: golden cases of manifests and model folders.
//!           `load`, `values`: a program ready to be called, and what it is called with.
//! Exit      0: done; 1: an error, or a check that failed; 2: a wrong command line.
//! Invariant Holds no compiler logic: that is `fx-mlir`'s. Bad input ends in a message, never in a panic.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr))]

mod commands;
mod error;
mod files;
mod golden;
mod gradients;
mod load;
mod progress;
mod target;
mod values;

use clap::{Parser, Subcommand};
use commands::{bench, check, compile, partition, run, train};
use error::CliError;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  fxc compile model.pt2 --emit=linalg            print the program in phase `linalg`
  fxc compile model.pt2 -o model.fxb             compile for the CPU, into one file that runs anywhere
  fxc run model.fxb --inputs io.safetensors      run it on the tensors input.0, input.1, ..
  fxc check models/mlp                           compare with what PyTorch computed
  fxc bench model.pt2 --target=cuda              time of compiling and of a call
  fxc partition models/mlp                       memory of forward and backward halves
  fxc train model.pt2 --data batches.safetensors --steps 200   lower the loss that the program gives

`fxc help COMMAND` tells more and gives examples.";

/// Compiles PyTorch programs (.pt2 archives of torch.export, or .mlir text) for CPUs and NVIDIA GPUs.
#[derive(Parser)]
#[command(name = "fxc", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Compile(compile::CompileArgs),
    Run(run::RunArgs),
    Check(check::CheckArgs),
    Bench(bench::BenchArgs),
    Partition(partition::PartitionArgs),
    Train(train::TrainArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // the panic hook has printed where; a bug of ours is an error like any other to the caller
    let outcome =
        std::panic::catch_unwind(|| execute(cli.command)).unwrap_or_else(|_| Err(CliError::Failed("internal error: this is a bug".into())));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn execute(command: Command) -> Result<(), CliError> {
    match command {
        Command::Compile(args) => compile::compile(&args),
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Partition(args) => partition::partition(&args),
        Command::Train(args) => train::train(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn each_command_shows_examples() {
        for name in ["compile", "run", "check", "bench", "partition", "train"] {
            let mut cli = Cli::command();
            let command = cli.find_subcommand_mut(name).unwrap();
            let help = command.render_long_help().to_string();
            assert!(help.contains("Examples:\n") && help.contains(&format!("fxc {name} ")), "{help}");
        }
    }

    #[test]
    fn wrong_command_lines_are_usage_errors() {
        for line in [
            "fxc",
            "fxc compile",
            "fxc compile m.pt2 --emit=nothing",
            "fxc run m.pt2 --target=tpu",
            "fxc run m.pt2 --arg 3",
            "fxc check m --only (",
            "fxc check m --jobs 0",
            "fxc bench m.pt2 --threads many",
            "fxc partition m.pt2 --budget half",
            "fxc train m.pt2",
            "fxc train m.pt2 --data d --steps 0",
            "fxc train m.pt2 --data d --steps 9 --resume",
            "fxc train m.pt2 --data d --steps 9 --optimizer adagrad",
            "fxc train m.pt2 --data d --steps 9 --betas 0.9",
        ] {
            let Err(error) = Cli::try_parse_from(line.split(' ')) else {
                panic!("'{line}' is accepted");
            };
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
