//! Phases and targets, by name.

use std::fmt;
use std::str::FromStr;

use fx_codegen::cpu::Processor;

/// A named stage of the pipeline: a place to print, to stop, to test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // `help` says what each is
pub enum Phase {
    Fx,
    FxOpt,
    Prim,
    Linalg,
    Kernels,
    Gpu,
    Nvvm,
    Llvm,
    Ptx,
    Plan,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Phase; 10] = [
        Phase::Fx,
        Phase::FxOpt,
        Phase::Prim,
        Phase::Linalg,
        Phase::Kernels,
        Phase::Gpu,
        Phase::Nvvm,
        Phase::Llvm,
        Phase::Ptx,
        Phase::Plan,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Fx => "fx",
            Phase::FxOpt => "fx-opt",
            Phase::Prim => "prim",
            Phase::Linalg => "linalg",
            Phase::Kernels => "kernels",
            Phase::Gpu => "gpu",
            Phase::Nvvm => "nvvm",
            Phase::Llvm => "llvm",
            Phase::Ptx => "ptx",
            Phase::Plan => "plan",
        }
    }

    /// What it holds, in one line.
    pub fn help(self) -> &'static str {
        match self {
            Phase::Fx => "the program as imported: fx ops, parameters as arguments",
            Phase::FxOpt => "the same ops after the graph passes",
            Phase::Prim => "primitive fx ops only",
            Phase::Linalg => "linalg, tensor, arith, math and scf on tensors",
            Phase::Kernels => "a host function calling one function per fused kernel",
            Phase::Gpu => "each kernel as loops on memrefs (for a GPU: in gpu.module)",
            Phase::Nvvm => "kernels in the LLVM dialect (for a GPU: with NVVM)",
            Phase::Llvm => "LLVM IR",
            Phase::Ptx => "PTX (for a CPU: assembly)",
            Phase::Plan => "the launch plan, as JSON",
        }
    }

    /// Whether its text is MLIR, which `fx-opt` reads.
    pub fn is_mlir(self) -> bool {
        self <= Phase::Nvvm
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Phase {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let names: Vec<_> = Phase::ALL.iter().map(|phase| phase.name()).collect();
        Phase::ALL
            .into_iter()
            .find(|phase| phase.name() == text)
            .ok_or_else(|| format!("'{text}' is not a phase; phases are {}", names.join(", ")))
    }
}

/// The machine that code is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The processor of this machine.
    Cpu,
    /// A processor by its name, whether this machine has it or not.
    Processor(Processor),
    /// An NVIDIA GPU.
    Cuda {
        /// Its architecture: `sm_90a` or `sm_80`.
        arch: String,
        /// Whether the same inputs give the same bits: what kernels would sum in any order is then done on the host.
        deterministic: bool,
    },
}

/// What is added to the name of a GPU that is to give the same bits each time.
const DETERMINISTIC: &str = "+deterministic";

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Cpu => f.write_str("cpu"),
            Target::Processor(processor) => processor.fmt(f),
            Target::Cuda { arch, deterministic } => write!(f, "{arch}{}", if *deterministic { DETERMINISTIC } else { "" }),
        }
    }
}

impl FromStr for Target {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, deterministic) = text.strip_suffix(DETERMINISTIC).map_or((text, false), |name| (name, true));
        let gpu = |arch: &str| Ok(Target::Cuda { arch: arch.to_string(), deterministic });
        match name {
            "cpu" => Ok(Target::Cpu),
            "cuda" => gpu("sm_90a"),
            "sm_80" | "sm_86" | "sm_89" | "sm_90" | "sm_90a" => gpu(name),
            _ => Processor::named(text).map(Target::Processor).ok_or_else(|| {
                let processors: Vec<_> = Processor::names().collect();
                let processors = processors.join(", ");
                format!("'{text}' is not a target; targets are cpu, {processors}, cuda, sm_80, sm_86, sm_89, sm_90, sm_90a; GPUs may be followed by {DETERMINISTIC}")
            }),
        }
    }
}
