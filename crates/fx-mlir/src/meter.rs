//! How much memory a function takes: from the plan that it becomes, without making code.
//!
//! What counts is all that a call has beside its arguments and the state: the arena, with the gaps that its plan has, and
//! results. Both are what the executor allocates ([`fx_runtime::forecast`]), so this is no estimate. Tensors whose size
//! depends on data are not counted, and weights in another order are state.

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use fx_autodiff::partition::run::{Measured, Meter};
use fx_autodiff::partition::split::saved_name;
use fx_codegen::pipeline::plan_without_code;
use fx_ir::{Attribute, Context, Module, collect};
use fx_runtime::DeviceKind;
use fx_runtime::forecast::{Forecast, Known, forecast};

use crate::compile::lower;
use crate::{Phase, Target};

/// Stack of a thread: MLIR recurses.
const STACK: usize = 16 << 20;

/// Lowers functions to kernels for a target, and plans their memory.
pub(crate) struct Lowering {
    /// For what.
    pub(crate) target: Target,
}

impl Meter for Lowering {
    /// On all processors: each thread has a context of its own.
    fn peaks(&self, partitions: &[Measured], sizes: &HashMap<String, i64>) -> Result<Vec<u64>, String> {
        let results: Mutex<Vec<Result<u64, String>>> = Mutex::new(vec![Ok(0); partitions.len()]);
        let next = AtomicUsize::new(0);
        let work = || {
            let context = fx_ir::new_context(false);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(partition) = partitions.get(index) else { return };
                let peak = self.peak(&context, partition, sizes);
                results.lock().unwrap_or_else(PoisonError::into_inner)[index] = peak;
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(partitions.len());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                // Without a thread the work is done here.
                if std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_err() {
                    work();
                }
            }
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }
}

impl Lowering {
    fn peak(&self, context: &Context, partition: &Measured, sizes: &HashMap<String, i64>) -> Result<u64, String> {
        let mut known: HashMap<_, _> = sizes.iter().map(|(name, size)| (name.clone(), Known::Number(*size))).collect();
        let forward = self.forecast(context, &partition.forward, &known)?;
        let saved = &forward.outputs[forward.outputs.len().saturating_sub(partition.saved)..];
        let saved_bytes: usize = saved.iter().map(|(_, bytes)| bytes).sum();
        let names = (0..).map(saved_name);
        known.extend(names.zip(saved).filter_map(|(name, (known, _))| Some((name, known.clone()?))));
        let backward = self.forecast(context, &partition.backward, &known)?;
        Ok(forward.peak().max(saved_bytes.saturating_add(backward.peak())) as u64)
    }

    fn forecast(&self, context: &Context, text: &str, known: &HashMap<String, Known>) -> Result<Forecast, String> {
        let (plan, messages) = collect(context, || {
            let module = Module::parse(context, text)?;
            let main = module.body().ops().into_iter().next()?;
            main.set_attribute("sym_name", Attribute::string(context, "main"));
            lower(&module, Phase::Kernels, &self.target, &mut |_| {}).ok()?;
            plan_without_code(&module).ok()
        });
        let plan = plan.ok_or_else(|| messages.first().map_or_else(|| "no reason was given".to_string(), ToString::to_string))?;
        let device = if matches!(self.target, Target::Cuda { .. }) { DeviceKind::Cuda(0) } else { DeviceKind::Cpu };
        forecast(plan, device, known).map_err(|error| error.to_string())
    }
}
