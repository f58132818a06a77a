//! What each buffer's memory is, how long it lives, and what its place follows from.
//!
//! Rule      A planned buffer that a result shows from its first element on has a block of its own, which becomes the
//!           result: so results are not copied out of the arena. Everything else with a size known before the steps
//!           lies in the arena; what depends on data is late.

use crate::analysis::Analysis;
use crate::plan::*;
use std::collections::BTreeSet;

/// What a buffer's memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// The caller's: an argument.
    Argument,
    /// Compiled-in data.
    Constant,
    /// Computed from the state: a block of its own.
    Kept,
    /// A place in the arena.
    Arena,
    /// A block of its own per call, since it becomes a result: the slot in the frame.
    Owned(u32),
    /// A block of its own, allocated when first used, since its size depends on data.
    Late(u32),
    /// A part of another buffer, known before the steps.
    View,
    /// A part of another buffer, known only when used.
    LateView,
}

/// Lifetime of an arena buffer in top-level steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lifetime {
    /// The buffer.
    pub(crate) buffer: BufferId,
    /// First step that names it.
    pub(crate) first: usize,
    /// Last step that names it.
    pub(crate) last: usize,
}

pub(crate) fn base(plan: &Plan, buffer: BufferId) -> BufferId {
    match plan.buffers[buffer as usize].storage {
        Storage::View { of, .. } => of,
        _ => buffer,
    }
}

/// The planned buffer that an output shows from its first element on, if it does.
fn shown(plan: &Plan, output: &Output) -> Option<BufferId> {
    let OutputValue::Tensor(buffer) = output.value else {
        return None;
    };
    let shown = match plan.buffers[buffer as usize].storage {
        Storage::View { of, offset: Scalar::Const(0) } => of,
        _ => buffer,
    };
    (plan.buffers[shown as usize].storage == Storage::Planned).then_some(shown)
}

pub(crate) fn classify(plan: &Plan, analysis: &Analysis) -> (Vec<Class>, usize) {
    let results: BTreeSet<BufferId> = plan.outputs.iter().filter_map(|output| shown(plan, output)).collect();
    let mut slots = 0;
    let mut slot = || {
        slots += 1;
        slots - 1
    };
    let classes = (0u32..)
        .zip(&plan.buffers)
        .map(|(index, buffer)| match (&buffer.storage, analysis.is_late(plan, index)) {
            (Storage::Argument, _) => Class::Argument,
            (Storage::Constant(_), _) => Class::Constant,
            (Storage::Kept, _) => Class::Kept,
            (Storage::View { .. }, false) => Class::View,
            (Storage::View { .. }, true) => Class::LateView,
            (Storage::Planned, true) => Class::Late(slot()),
            (Storage::Planned, false) if results.contains(&index) => Class::Owned(slot()),
            (Storage::Planned, false) => Class::Arena,
        })
        .collect();
    (classes, slots as usize)
}

/// The first output that shows a buffer takes its block; further ones are copies.
pub(crate) fn moved(plan: &Plan) -> Vec<bool> {
    let mut taken = BTreeSet::new();
    let first = |output| shown(plan, output).is_some_and(|buffer| taken.insert(buffer));
    plan.outputs.iter().map(first).collect()
}

pub(crate) fn views(plan: &Plan, classes: &[Class]) -> (Vec<BufferId>, Vec<BufferId>) {
    let inputs: BTreeSet<BufferId> = (plan.arguments.iter())
        .filter(|argument| matches!(argument.kind, ArgumentKind::Input(_)))
        .filter_map(|argument| match argument.value {
            ArgumentValue::Tensor(buffer) => Some(buffer),
            ArgumentValue::Scalar { .. } => None,
        })
        .collect();
    let all = (0..plan.buffers.len() as u32).filter(|view| classes[*view as usize] == Class::View);
    all.partition(|view| {
        let base = base(plan, *view);
        inputs.contains(&base) || matches!(classes[base as usize], Class::Owned(_))
    })
}

/// Symbols and scalars that the arena's sizes, and the views into it, follow from.
pub(crate) fn key(plan: &Plan, classes: &[Class], views: &[BufferId], analysis: &Analysis) -> Vec<Reg> {
    let arena = (0u32..).zip(classes).filter(|(_, class)| **class == Class::Arena);
    let mut key = BTreeSet::new();
    for buffer in arena.map(|(buffer, _)| buffer).chain(views.iter().copied()) {
        let buffer = &plan.buffers[buffer as usize];
        key.extend(analysis.roots_of(&buffer.dims).into_iter().flatten());
        if let Storage::View { offset, .. } = buffer.storage {
            key.extend(analysis.roots_of(&[offset]).into_iter().flatten());
        }
    }
    key.into_iter().collect()
}

pub(crate) fn lifetimes(plan: &Plan, classes: &[Class]) -> Vec<Lifetime> {
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; plan.buffers.len()];
    let mut used = |buffer: BufferId, step: usize| {
        let buffer = base(plan, buffer);
        if classes[buffer as usize] == Class::Arena {
            let (_, last) = spans[buffer as usize].get_or_insert((step, step));
            *last = step;
        }
    };
    for (index, step) in plan.steps.iter().enumerate() {
        each_buffer(step, &mut |buffer| used(buffer, index));
    }
    for output in &plan.outputs {
        if let OutputValue::Tensor(buffer) = output.value {
            used(buffer, plan.steps.len());
        }
    }
    (0u32..).zip(spans).filter_map(|(buffer, span)| span.map(|(first, last)| Lifetime { buffer, first, last })).collect()
}

/// Visits each buffer that a step names.
pub(crate) fn each_buffer(step: &Step, visit: &mut dyn FnMut(BufferId)) {
    let words = |args: &[KernelArg], visit: &mut dyn FnMut(BufferId)| {
        for arg in args {
            if let KernelArg::Buffer(buffer) = arg {
                visit(*buffer);
            }
        }
    };
    match step {
        Step::Launch { args, .. } => words(args, visit),
        Step::Read { buffer, .. } => visit(*buffer),
        Step::Copy { src, dst } => {
            visit(*src);
            visit(*dst);
        }
        Step::Call { args, results, .. } => {
            words(args, visit);
            results.iter().for_each(|buffer| visit(*buffer));
        }
        Step::If { then, otherwise, .. } => {
            then.iter().chain(otherwise).for_each(|step| each_buffer(step, visit));
        }
        Step::While { before, body, .. } => {
            before.iter().chain(body).for_each(|step| each_buffer(step, visit));
        }
        Step::Scalar { .. } | Step::Assert { .. } => {}
    }
}
