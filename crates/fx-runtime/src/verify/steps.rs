//! Verification of steps: first that indices, arities and launches are right, then that registers are written first.

use super::invalid;
use crate::error::Result;
use crate::plan::*;
use crate::scalar::arity;

/// Deeper nesting than any real program; bounds recursion.
const MAX_DEPTH: usize = 48;
/// Words that a kernel can take (4 KiB of parameters on a GPU).
const MAX_WORDS: usize = 511;

/// Visits steps with `place` as the path of the list, such as `steps[3].then`.
fn each_step(steps: &[Step], place: &mut String, visit: &mut dyn FnMut(&Step, &mut String) -> Result<()>) -> Result<()> {
    let len = place.len();
    for (index, step) in steps.iter().enumerate() {
        place.push_str(&format!("[{index}]"));
        visit(step, place)?;
        place.truncate(len);
    }
    Ok(())
}

/// Runs `inner` with `name` added to the path.
fn inside(place: &mut String, name: &str, inner: impl FnOnce(&mut String) -> Result<()>) -> Result<()> {
    let len = place.len();
    place.push('.');
    place.push_str(name);
    inner(place)?;
    place.truncate(len);
    Ok(())
}

/// Checks the steps that fill kept buffers: they name nothing but those and the state, and no registers.
pub(super) fn verify_setup(plan: &Plan) -> Result<()> {
    let state = |buffer: BufferId| match plan.buffers[buffer as usize].storage {
        Storage::Kept | Storage::Constant(_) => true,
        Storage::Argument => plan
            .arguments
            .iter()
            .any(|argument| argument.value == ArgumentValue::Tensor(buffer) && !matches!(argument.kind, ArgumentKind::Input(_))),
        Storage::Planned | Storage::View { .. } => false,
    };
    let known = |scalar: Scalar| matches!(scalar, Scalar::Const(_));
    each_step(&plan.setup, &mut "setup".into(), &mut |step, place| {
        let Step::Launch { args, launch, .. } = step else { return invalid(format!("{place}: setup has launches only")) };
        verify_simple(plan, step, place)?;
        for arg in args {
            let fits = match *arg {
                KernelArg::Scalar(scalar) => known(scalar),
                KernelArg::Buffer(buffer) => {
                    let entry = &plan.buffers[buffer as usize];
                    match entry.storage {
                        Storage::View { of, offset } => state(of) && known(offset) && entry.dims.iter().all(|dim| known(*dim)),
                        _ => state(buffer),
                    }
                }
            };
            if !fits {
                return invalid(format!("{place}: {arg:?} is not known from the state"));
            }
        }
        let extents = match launch {
            Launch::Range { extent, .. } => vec![*extent],
            Launch::Grid { blocks, shared_bytes, .. } => [&blocks[..], &[*shared_bytes]].concat(),
        };
        if extents.into_iter().all(known) { Ok(()) } else { invalid(format!("{place}: its extent is not known from the state")) }
    })
}

/// Checks indices, arities, launches and written buffers of all steps.
pub(super) fn verify_indices(plan: &Plan, steps: &[Step], place: &mut String, depth: usize) -> Result<()> {
    if depth > MAX_DEPTH {
        return invalid(format!("steps are nested more than {MAX_DEPTH} deep"));
    }
    each_step(steps, place, &mut |step, place| match step {
        Step::If { cond, then, otherwise } => {
            plan.check_scalar(*cond, || place.clone())?;
            inside(place, "then", |place| verify_indices(plan, then, place, depth + 1))?;
            inside(place, "otherwise", |place| verify_indices(plan, otherwise, place, depth + 1))
        }
        Step::While { before, cond, body } => {
            plan.check_scalar(*cond, || place.clone())?;
            inside(place, "before", |place| verify_indices(plan, before, place, depth + 1))?;
            inside(place, "body", |place| verify_indices(plan, body, place, depth + 1))
        }
        simple => verify_simple(plan, simple, place),
    })
}

fn verify_simple(plan: &Plan, step: &Step, place: &str) -> Result<()> {
    let at = || place.to_owned();
    match step {
        Step::Scalar { dst, op, args } => {
            plan.check_register(*dst, at)?;
            if let Some(symbol) = plan.symbols.iter().find(|symbol| symbol.reg == *dst) {
                return invalid(format!("{place}: writes the register of symbol '{}'", symbol.name));
            }
            if args.len() != arity(*op) {
                return invalid(format!("{place}: {op:?} takes {} operands, got {}", arity(*op), args.len()));
            }
            args.iter().try_for_each(|arg| plan.check_scalar(*arg, at))
        }
        Step::Launch { kernel, args, launch } => verify_launch(plan, *kernel, args, launch, place),
        Step::Read { dst, buffer } => {
            plan.check_register(*dst, at)?;
            let dtype = plan.check_buffer(*buffer, at)?.dtype;
            if dtype.is_complex() {
                return invalid(format!("{place}: a register cannot hold {dtype}"));
            }
            if plan.symbols.iter().any(|symbol| symbol.reg == *dst) {
                return invalid(format!("{place}: writes the register {dst} of a symbol"));
            }
            Ok(())
        }
        Step::Copy { src, dst } => {
            plan.check_buffer(*src, at)?;
            verify_written(plan, *dst, place)
        }
        Step::Assert { cond, .. } => plan.check_scalar(*cond, at),
        Step::Call { name, args, results, sizes, .. } => {
            if name.is_empty() {
                return invalid(format!("{place}: call of an operator without a name"));
            }
            verify_words(plan, args, place)?;
            results.iter().try_for_each(|buffer| verify_written(plan, *buffer, place))?;
            sizes.iter().try_for_each(|size| verify_result_size(plan, *size, results, place))
        }
        Step::If { .. } | Step::While { .. } => Ok(()),
    }
}

/// A size that a call decides is a dim of one of its results, held by a register that is no symbol's.
fn verify_result_size(plan: &Plan, size: ResultSize, results: &[BufferId], place: &str) -> Result<()> {
    plan.check_register(size.reg, || place.to_owned())?;
    if plan.symbols.iter().any(|symbol| symbol.reg == size.reg) {
        return invalid(format!("{place}: writes the register {} of a symbol", size.reg));
    }
    let dims = results.get(size.result as usize).map(|buffer| &plan.buffers[*buffer as usize].dims);
    let dim = dims.and_then(|dims| dims.get(size.dim as usize));
    if dim != Some(&Scalar::Reg(size.reg)) {
        return invalid(format!("{place}: register {} is not dim {} of result {}", size.reg, size.dim, size.result));
    }
    Ok(())
}

fn verify_words(plan: &Plan, args: &[KernelArg], place: &str) -> Result<()> {
    for arg in args {
        match arg {
            KernelArg::Buffer(buffer) => {
                plan.check_buffer(*buffer, || place.to_owned())?;
            }
            KernelArg::Scalar(scalar) => plan.check_scalar(*scalar, || place.to_owned())?,
        }
    }
    Ok(())
}

/// A buffer that a copy or a call writes must not be an argument or a constant, not even through a view.
fn verify_written(plan: &Plan, buffer: BufferId, place: &str) -> Result<()> {
    let mut storage = &plan.check_buffer(buffer, || place.to_owned())?.storage;
    if let Storage::View { of, .. } = storage {
        storage = &plan.buffers[*of as usize].storage;
    }
    if *storage != Storage::Planned {
        return invalid(format!("{place}: writes buffer {buffer}, which is not planned memory"));
    }
    Ok(())
}

fn verify_launch(plan: &Plan, kernel: u32, args: &[KernelArg], launch: &Launch, place: &str) -> Result<()> {
    if kernel as usize >= plan.kernels.len() {
        return invalid(format!("{place}: kernel {kernel} of {}", plan.kernels.len()));
    }
    if args.len() > MAX_WORDS {
        return invalid(format!("{place}: {} kernel arguments (at most {MAX_WORDS})", args.len()));
    }
    verify_words(plan, args, place)?;
    match launch {
        Launch::Range { extent, grain, pieces } => {
            if !plan.is_cpu() {
                return invalid(format!("{place}: a range launch for target '{}'", plan.target));
            }
            if *grain < 1 {
                return invalid(format!("{place}: grain {grain} is not positive"));
            }
            if *pieces < 1 {
                return invalid(format!("{place}: {pieces} pieces for each thread"));
            }
            plan.check_scalar(*extent, || place.to_owned())
        }
        Launch::Grid { blocks, threads, shared_bytes } => {
            if plan.is_cpu() {
                return invalid(format!("{place}: a grid launch for target 'cpu'"));
            }
            let all = threads.iter().try_fold(1u32, |all, n| all.checked_mul(*n)).unwrap_or(u32::MAX);
            if all == 0 || all > 1024 {
                return invalid(format!("{place}: a block of {threads:?} threads (1 to 1024)"));
            }
            blocks.iter().chain([shared_bytes]).try_for_each(|n| plan.check_scalar(*n, || place.to_owned()))
        }
    }
}

/// A set of registers.
#[derive(Clone)]
struct Written(Vec<u64>);

impl Written {
    fn insert(&mut self, register: Reg) {
        self.0[register as usize / 64] |= 1 << (register % 64);
    }

    fn contains(&self, register: Reg) -> bool {
        self.0[register as usize / 64] >> (register % 64) & 1 != 0
    }

    fn intersect(&mut self, other: &Written) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }
}

/// Checks that each register is written before it is read, on every path. Indices were checked.
pub(super) fn verify_flow(plan: &Plan) -> Result<()> {
    let mut written = Written(vec![0; plan.registers as usize / 64 + 1]);
    for argument in &plan.arguments {
        match argument.value {
            ArgumentValue::Scalar { reg, .. } => written.insert(reg),
            ArgumentValue::Tensor(buffer) => {
                for symbol in &plan.symbols {
                    if plan.buffers[buffer as usize].dims.contains(&Scalar::Reg(symbol.reg)) {
                        written.insert(symbol.reg);
                    }
                }
            }
        }
    }
    let mut flow = Flow { plan, written };
    flow.list(&plan.steps, &mut "steps".into())?;
    for (index, output) in plan.outputs.iter().enumerate() {
        match &output.value {
            OutputValue::Tensor(buffer) => flow.buffer(*buffer, &format!("output {index}"))?,
            OutputValue::Scalar { value, .. } => flow.scalar(*value, &format!("output {index}"))?,
            OutputValue::None => {}
        }
    }
    Ok(())
}

struct Flow<'a> {
    plan: &'a Plan,
    written: Written,
}

impl Flow<'_> {
    fn scalar(&self, scalar: Scalar, place: &str) -> Result<()> {
        match scalar {
            Scalar::Reg(register) if !self.written.contains(register) => {
                invalid(format!("{place}: register {register} is read before it is written"))
            }
            _ => Ok(()),
        }
    }

    /// Naming a buffer reads its dims, its offset and the dims of what it views.
    fn buffer(&self, buffer: BufferId, place: &str) -> Result<()> {
        let entry = &self.plan.buffers[buffer as usize];
        let place = format!("{place}: buffer {buffer}");
        entry.dims.iter().try_for_each(|dim| self.scalar(*dim, &place))?;
        if let Storage::View { of, offset } = &entry.storage {
            self.scalar(*offset, &place)?;
            let base = &self.plan.buffers[*of as usize];
            base.dims.iter().try_for_each(|dim| self.scalar(*dim, &place))?;
        }
        Ok(())
    }

    fn words(&self, args: &[KernelArg], place: &str) -> Result<()> {
        args.iter().try_for_each(|arg| match arg {
            KernelArg::Buffer(buffer) => self.buffer(*buffer, place),
            KernelArg::Scalar(scalar) => self.scalar(*scalar, place),
        })
    }

    fn list(&mut self, steps: &[Step], place: &mut String) -> Result<()> {
        each_step(steps, place, &mut |step, place| self.step(step, place))
    }

    fn step(&mut self, step: &Step, place: &mut String) -> Result<()> {
        match step {
            Step::Scalar { dst, args, .. } => {
                args.iter().try_for_each(|arg| self.scalar(*arg, place))?;
                self.written.insert(*dst);
            }
            Step::Launch { args, launch, .. } => {
                self.words(args, place)?;
                match launch {
                    Launch::Range { extent, .. } => self.scalar(*extent, place)?,
                    Launch::Grid { blocks, shared_bytes, .. } => {
                        blocks.iter().chain([shared_bytes]).try_for_each(|n| self.scalar(*n, place))?;
                    }
                }
            }
            Step::Read { dst, buffer } => {
                self.buffer(*buffer, place)?;
                self.written.insert(*dst);
            }
            Step::Copy { src, dst } => {
                self.buffer(*src, place)?;
                self.buffer(*dst, place)?;
            }
            Step::Assert { cond, .. } => self.scalar(*cond, place)?,
            Step::Call { args, results, sizes, .. } => {
                self.words(args, place)?;
                sizes.iter().for_each(|size| self.written.insert(size.reg));
                results.iter().try_for_each(|buffer| self.buffer(*buffer, place))?;
            }
            Step::If { cond, then, otherwise } => {
                self.scalar(*cond, place)?;
                let before = self.written.clone();
                inside(place, "then", |place| self.list(then, place))?;
                let after_then = std::mem::replace(&mut self.written, before);
                inside(place, "otherwise", |place| self.list(otherwise, place))?;
                self.written.intersect(&after_then);
            }
            Step::While { before, cond, body } => {
                // `before` runs at least once; what only `body` writes may be missing afterwards
                inside(place, "before", |place| self.list(before, place))?;
                self.scalar(*cond, place)?;
                let after = self.written.clone();
                inside(place, "body", |place| self.list(body, place))?;
                self.written = after;
            }
        }
        Ok(())
    }
}
