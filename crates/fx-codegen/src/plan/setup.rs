//! What a plan computes from the program's state alone is computed once.
//!
//! Needs     a plan whose steps are complete.
//! Gives     launches that read nothing but parameters, buffers and constants that the program does not change moved to
//!           [`Plan::setup`], their results kept. Results that the program gives are left alone, as are large ones that
//!           are much larger than what they are made from.

use std::collections::HashSet;

use fx_runtime::plan::{ArgumentKind, ArgumentValue, BufferId, KernelArg, Launch, OutputKind, OutputValue, Plan, Scalar, Step, Storage};

/// Results up to this many bytes are kept, whatever they are made from.
const SMALL: u64 = 1 << 20;
/// At most this many bytes are kept in all.
const MOST: u64 = 1 << 30;

/// Moves launches to the setup; `results` says how many of a kernel's last arguments it writes. What is in buffers that are
/// `changed` is there for a while only.
pub fn move_to_setup(plan: &mut Plan, results: &[usize], changed: &HashSet<BufferId>) {
    let mut known: HashSet<BufferId> = state(plan);
    let shown: HashSet<BufferId> = plan.outputs.iter().filter_map(|output| shown(plan, &output.value)).collect();
    let mut kept = 0;
    for step in std::mem::take(&mut plan.steps) {
        let Step::Launch { kernel, args, launch } = &step else {
            plan.steps.push(step);
            continue;
        };
        let (inputs, outputs) = args.split_at(args.len() - results[*kernel as usize].min(args.len()));
        let bytes = |plan: &Plan, args: &[KernelArg]| args.iter().filter_map(|arg| buffer_of(*arg)).map(|id| bytes(plan, id)).sum::<u64>();
        let (read, written) = (bytes(plan, inputs), bytes(plan, outputs));
        let fits = inputs.iter().all(|arg| is_known(plan, &known, *arg))
            && outputs
                .iter()
                .filter_map(|arg| buffer_of(*arg))
                .all(|id| can_keep(plan, id) && !shown.contains(&id) && !changed.contains(&id))
            && extent_is_known(launch)
            && (written <= SMALL || written <= 2 * read)
            && kept + written <= MOST;
        if !fits {
            plan.steps.push(step);
            continue;
        }
        for id in outputs.iter().filter_map(|arg| buffer_of(*arg)) {
            plan.buffers[id as usize].storage = Storage::Kept;
            known.insert(id);
        }
        kept += written;
        plan.setup.push(step);
    }
}

fn buffer_of(arg: KernelArg) -> Option<BufferId> {
    if let KernelArg::Buffer(id) = arg { Some(id) } else { None }
}

/// Arguments that hold state which no output changes, and constants.
fn state(plan: &Plan) -> HashSet<BufferId> {
    let changed: HashSet<&str> = plan
        .outputs
        .iter()
        .filter_map(|output| match &output.kind {
            OutputKind::BufferMutation(name) | OutputKind::ParameterMutation(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let arguments = plan.arguments.iter().filter_map(|argument| match (&argument.kind, &argument.value) {
        (ArgumentKind::Input(_), _) | (_, ArgumentValue::Scalar { .. }) => None,
        (ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name), ArgumentValue::Tensor(id)) => {
            (!changed.contains(name.as_str())).then_some(*id)
        }
    });
    let constants = (0u32..).zip(&plan.buffers).filter(|(_, buffer)| matches!(buffer.storage, Storage::Constant(_))).map(|(id, _)| id);
    arguments.chain(constants).collect()
}

/// The buffer whose memory an output shows.
fn shown(plan: &Plan, value: &OutputValue) -> Option<BufferId> {
    let OutputValue::Tensor(id) = value else { return None };
    match plan.buffers[*id as usize].storage {
        Storage::View { of, .. } => Some(of),
        _ => Some(*id),
    }
}

fn is_const(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Const(_))
}

fn is_known(plan: &Plan, known: &HashSet<BufferId>, arg: KernelArg) -> bool {
    match arg {
        KernelArg::Scalar(scalar) => is_const(scalar),
        KernelArg::Buffer(id) => {
            let buffer = &plan.buffers[id as usize];
            match buffer.storage {
                Storage::View { of, offset } => known.contains(&of) && is_const(offset) && buffer.dims.iter().all(|dim| is_const(*dim)),
                _ => known.contains(&id),
            }
        }
    }
}

fn can_keep(plan: &Plan, id: BufferId) -> bool {
    let buffer = &plan.buffers[id as usize];
    buffer.storage == Storage::Planned && buffer.dims.iter().all(|dim| is_const(*dim))
}

fn extent_is_known(launch: &Launch) -> bool {
    match launch {
        Launch::Range { extent, .. } => is_const(*extent),
        Launch::Grid { blocks, shared_bytes, .. } => blocks.iter().chain([shared_bytes]).all(|size| is_const(*size)),
    }
}

/// Bytes of a buffer with known dims; of others, none.
fn bytes(plan: &Plan, id: BufferId) -> u64 {
    let buffer = &plan.buffers[id as usize];
    let size = |dim: &Scalar| if let Scalar::Const(size) = dim { u64::try_from(*size).unwrap_or(0) } else { 0 };
    buffer.dims.iter().map(size).fold(buffer.dtype.size() as u64, u64::saturating_mul)
}
