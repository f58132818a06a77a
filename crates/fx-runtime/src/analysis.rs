//! What is known before the first step runs.
//!
//! Needs     A plan whose indices are in range (the first half of `Plan::verify`).
//! Gives     Per register: whether it has one value in the whole call, known from symbols and scalar arguments alone
//!           (*fixed*), and from which of these roots it follows. Per top-level step: whether it is part of the
//!           *prelude*, that is, only computes or asserts on fixed registers and can run before everything else.
//!
//! ```text
//! s0 is a symbol          fixed, root s0
//! r1 = s0 * 4             fixed, prelude
//! launch ..               not prelude
//! r2 = r1 + 1             fixed, prelude (moved before the launch: it has one writer)
//! r3 = read buffer 5      not fixed; buffers with dims of r3 are *late*
//! ```

use crate::plan::{ArgumentValue, Plan, Reg, Scalar, Step, Storage};
use crate::scalar::register;
use std::collections::BTreeSet;

/// The result; see the module.
pub(crate) struct Analysis {
    /// Per register: the roots it follows from; none when it is not fixed.
    fixed: Vec<Option<BTreeSet<Reg>>>,
    /// Per top-level step: moved into the prelude.
    pub(crate) prelude: Vec<bool>,
}

impl Analysis {
    /// Analyses a plan whose indices are in range.
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut writers = vec![0u32; plan.registers as usize];
        count_writers(&plan.steps, &mut writers);
        let mut fixed = vec![None; plan.registers as usize];
        for root in roots(plan) {
            writers[root as usize] += 1; // the caller
            if writers[root as usize] == 1 {
                fixed[root as usize] = Some(BTreeSet::from([root]));
            }
        }
        let mut analysis = Analysis { fixed, prelude: Vec::with_capacity(plan.steps.len()) };
        for step in &plan.steps {
            let moved = analysis.visit(step, &writers);
            analysis.prelude.push(moved);
        }
        analysis
    }

    /// Whether a top-level step is prelude; records what it writes.
    fn visit(&mut self, step: &Step, writers: &[u32]) -> bool {
        match step {
            Step::Scalar { dst, args, .. } if writers[*dst as usize] == 1 => {
                let Some(roots) = self.roots_of(args) else {
                    return false;
                };
                self.fixed[*dst as usize] = Some(roots);
                true
            }
            Step::Assert { cond, .. } => self.is_fixed(*cond),
            _ => false,
        }
    }

    /// Whether an operand is a constant or a fixed register.
    pub(crate) fn is_fixed(&self, scalar: Scalar) -> bool {
        register(scalar).is_none_or(|register| self.fixed[register as usize].is_some())
    }

    /// The roots that operands follow from; none when one is not fixed.
    pub(crate) fn roots_of(&self, scalars: &[Scalar]) -> Option<BTreeSet<Reg>> {
        let mut all = BTreeSet::new();
        for register in scalars.iter().copied().filter_map(register) {
            all.extend(self.fixed[register as usize].as_ref()?);
        }
        Some(all)
    }

    /// Whether a buffer's place or size is only known while steps run.
    pub(crate) fn is_late(&self, plan: &Plan, buffer: u32) -> bool {
        let buffer = &plan.buffers[buffer as usize];
        if !buffer.dims.iter().all(|dim| self.is_fixed(*dim)) {
            return true;
        }
        match &buffer.storage {
            Storage::View { of, offset } => !self.is_fixed(*offset) || self.is_late(plan, *of),
            _ => false,
        }
    }
}

/// Registers that hold a symbol or a scalar argument.
fn roots(plan: &Plan) -> BTreeSet<Reg> {
    let scalars = plan.arguments.iter().filter_map(|argument| match argument.value {
        ArgumentValue::Scalar { reg, .. } => Some(reg),
        ArgumentValue::Tensor(_) => None,
    });
    plan.symbols.iter().map(|symbol| symbol.reg).chain(scalars).collect()
}

fn count_writers(steps: &[Step], writers: &mut [u32]) {
    for step in steps {
        match step {
            Step::Scalar { dst, .. } | Step::Read { dst, .. } => writers[*dst as usize] += 1,
            Step::Call { sizes, .. } => sizes.iter().for_each(|size| writers[size.reg as usize] += 1),
            Step::If { then, otherwise, .. } => {
                count_writers(then, writers);
                count_writers(otherwise, writers);
            }
            Step::While { before, body, .. } => {
                count_writers(before, writers);
                count_writers(body, writers);
            }
            _ => {}
        }
    }
}
