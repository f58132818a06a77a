//! Processors that code is made for: this machine's, or one by name.

use fx_runtime::plan::Need;
use inkwell::OptimizationLevel;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine};

/// What schedules depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// 32 vector registers of 64 bytes; else 16 of 32 bytes.
    pub wide: bool,
    /// A matrix unit for bf16: AMX.
    pub matrix: bool,
}

/// Processors with a name, which is LLVM's.
const NAMED: [(&str, Features); 3] = [
    ("x86-64-v3", Features { wide: false, matrix: false }),
    ("x86-64-v4", Features { wide: true, matrix: false }),
    ("sapphirerapids", Features { wide: true, matrix: true }),
];

/// A processor that code is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// LLVM's name; none for this machine's.
    name: Option<&'static str>,
    /// What it has.
    pub features: Features,
}

impl std::fmt::Display for Processor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name.unwrap_or("cpu"))
    }
}

impl Processor {
    /// The processor that this process runs on, with what the system grants.
    pub fn host() -> Self {
        let features = Features { wide: std::arch::is_x86_feature_detected!("avx512f"), matrix: Need::AmxBf16.is_met() };
        Self { name: None, features }
    }

    /// A processor by name; none if the name is not listed.
    pub fn named(name: &str) -> Option<Self> {
        NAMED.iter().find(|(known, _)| *known == name).map(|(name, features)| Self { name: Some(name), features: *features })
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }

    /// All that code for it depends on, as text: LLVM's name and features of it, and what schedules depend on.
    pub fn identity(&self) -> String {
        let (cpu, features) = self.llvm_names();
        format!("{cpu} {features} {:?}", self.features)
    }

    /// LLVM's name of it, and further features in LLVM's form.
    fn llvm_names(&self) -> (String, String) {
        match self.name {
            Some(name) => (name.to_string(), String::new()),
            None => {
                let (cpu, features) = (TargetMachine::get_host_cpu_name(), TargetMachine::get_host_cpu_features());
                (cpu.to_string_lossy().into_owned(), format!("{},", features.to_string_lossy()))
            }
        }
    }

    /// LLVM's code generator for it.
    ///
    /// # Errors
    /// If LLVM has none.
    pub fn machine(&self) -> Result<TargetMachine, String> {
        Target::initialize_x86(&InitializationConfig::default());
        let triple = TargetMachine::get_default_triple();
        let target = Target::from_triple(&triple).map_err(|error| error.to_string())?;
        let (cpu, features) = self.llvm_names();
        // Where there are 512-bit vectors, kernels are bound by arithmetic or memory, not by the clock that they cost.
        let features = format!("{features}-prefer-256-bit");
        target
            .create_target_machine(&triple, &cpu, &features, OptimizationLevel::Default, RelocMode::PIC, CodeModel::Small)
            .ok_or_else(|| format!("LLVM has no code generator for {triple}"))
    }
}
