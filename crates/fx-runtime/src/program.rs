//! A plan made ready to run: what each buffer is, what is checked and bound, what runs when.
//!
//! Needs     A verified plan.
//! Gives     Lists that a call walks without searching: rules for arguments, the prelude, instructions with their late
//!           buffers, lifetimes, the registers that decide the memory layout.

use crate::analysis::Analysis;
use crate::bind::{ArgumentRule, Derived, rules};
use crate::placement::*;
use crate::plan::*;
use crate::scalar::register;
use std::ops::Range;

/// A step, ready to run.
#[derive(Debug)]
pub(crate) enum Instruction {
    /// `dst = op(args)`, missing operands are zero.
    Scalar { dst: Reg, op: ScalarOp, args: [Scalar; 3] },
    /// Run a kernel.
    Launch(LaunchInstruction),
    /// Read one element.
    Read { dst: Reg, buffer: BufferId },
    /// Copy all bytes.
    Copy { src: BufferId, dst: BufferId },
    /// Fail unless non-zero.
    Assert { cond: Scalar, message: Box<str> },
    /// Either list.
    If { cond: Scalar, then: Vec<Instruction>, otherwise: Vec<Instruction> },
    /// Loop.
    While { before: Vec<Instruction>, cond: Scalar, body: Vec<Instruction> },
    /// Call an operator.
    Call(Box<CallInstruction>),
}

/// A call of operator `op` of [`Program::ops`].
#[derive(Debug)]
pub(crate) struct CallInstruction {
    pub(crate) op: u32,
    pub(crate) location: Box<str>,
    pub(crate) args: Box<[KernelArg]>,
    pub(crate) attributes: serde_json::Map<String, serde_json::Value>,
    pub(crate) results: Box<[BufferId]>,
    pub(crate) sizes: Box<[ResultSize]>,
}

/// A launch.
#[derive(Debug)]
pub(crate) struct LaunchInstruction {
    /// Index of the kernel.
    pub(crate) kernel: u32,
    /// Its arguments.
    pub(crate) args: Box<[KernelArg]>,
    /// Its extent.
    pub(crate) launch: Launch,
    /// Buffers among the arguments whose place is found only now.
    pub(crate) late: Box<[BufferId]>,
    /// Its records among [`Program::checked`], if it has checks.
    pub(crate) records: Option<Range<usize>>,
}

/// A check of a kernel: a record of [`crate::run::RECORD`] bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checked {
    /// Index of the kernel.
    pub(crate) kernel: u32,
    /// Index among its checks.
    pub(crate) check: usize,
}

/// A plan ready to run.
pub(crate) struct Program {
    /// The plan; the bytes of constants and binaries are taken out by the executor.
    pub(crate) plan: Plan,
    /// Per buffer.
    pub(crate) classes: Vec<Class>,
    /// Number of slots for blocks.
    pub(crate) slots: usize,
    /// Output buffers that get a block before the steps.
    pub(crate) owned: Vec<(BufferId, u32)>,
    /// Views that change with every call: of inputs and of owned blocks.
    pub(crate) call_views: Vec<BufferId>,
    /// Views that change only with the layout or the state.
    pub(crate) layout_views: Vec<BufferId>,
    /// What is checked and bound, in argument order.
    pub(crate) rules: Vec<ArgumentRule>,
    /// Dims of arguments that are checked after the prelude.
    pub(crate) derived: Vec<Derived>,
    /// Scalars and asserts on what is known before the steps.
    pub(crate) prelude: Vec<Instruction>,
    /// What fills the buffers that are kept.
    pub(crate) setup: Vec<Instruction>,
    /// Everything else.
    pub(crate) body: Vec<Instruction>,
    /// Lifetimes of arena buffers.
    pub(crate) lifetimes: Vec<Lifetime>,
    /// Registers whose values decide the layout.
    pub(crate) key: Vec<Reg>,
    /// Names of operators to be registered.
    pub(crate) ops: Vec<String>,
    /// Per output: whether it takes the block of its buffer (else it is copied).
    pub(crate) moved: Vec<bool>,
    /// What the records in the frame's status block are of, in order.
    pub(crate) checked: Vec<Checked>,
}

impl Program {
    /// Prepares a verified plan.
    pub(crate) fn new(plan: Plan) -> Self {
        let analysis = Analysis::new(&plan);
        let (classes, slots) = classify(&plan, &analysis);
        let (rules, derived) = rules(&plan);
        let mut builder = Builder::new(&plan, &classes);
        let setup = builder.list(&plan.setup);
        let (prelude, body) = builder.top_level(&analysis);
        let (ops, checked) = (builder.ops, builder.checked);
        let (call_views, layout_views) = views(&plan, &classes);
        let owned = (0u32..)
            .zip(&classes)
            .filter_map(|(buffer, class)| match class {
                Class::Owned(slot) => Some((buffer, *slot)),
                _ => None,
            })
            .collect();
        let lifetimes = lifetimes(&plan, &classes);
        let key = key(&plan, &classes, &layout_views, &analysis);
        let moved = moved(&plan);
        Program {
            classes,
            slots,
            owned,
            call_views,
            layout_views,
            rules,
            derived,
            prelude,
            setup,
            body,
            lifetimes,
            key,
            ops,
            moved,
            checked,
            plan,
        }
    }

    /// The buffer that owns the bytes of `buffer`.
    pub(crate) fn base(&self, buffer: BufferId) -> BufferId {
        base(&self.plan, buffer)
    }
}

/// Turns steps into instructions.
struct Builder<'a> {
    plan: &'a Plan,
    classes: &'a [Class],
    ops: Vec<String>,
    checked: Vec<Checked>,
}

impl<'a> Builder<'a> {
    fn new(plan: &'a Plan, classes: &'a [Class]) -> Self {
        let checks = (0u32..).zip(&plan.kernels).flat_map(|(kernel, entry)| (0..entry.checks.len()).map(move |check| (kernel, check)));
        Builder { plan, classes, ops: Vec::new(), checked: checks.map(|(kernel, check)| Checked { kernel, check }).collect() }
    }

    fn top_level(&mut self, analysis: &Analysis) -> (Vec<Instruction>, Vec<Instruction>) {
        let (mut prelude, mut body) = (Vec::new(), Vec::new());
        for (step, moved) in self.plan.steps.iter().zip(&analysis.prelude) {
            let list = if *moved { &mut prelude } else { &mut body };
            list.push(self.instruction(step));
        }
        (prelude, body)
    }

    fn list(&mut self, steps: &[Step]) -> Vec<Instruction> {
        steps.iter().map(|step| self.instruction(step)).collect()
    }

    fn instruction(&mut self, step: &Step) -> Instruction {
        match step {
            Step::Scalar { dst, op, args } => {
                let mut operands = [Scalar::Const(0); 3];
                operands.iter_mut().zip(args).for_each(|(operand, arg)| *operand = *arg);
                Instruction::Scalar { dst: *dst, op: *op, args: operands }
            }
            Step::Launch { kernel, args, launch } => Instruction::Launch(self.launch(*kernel, args, launch)),
            Step::Read { dst, buffer } => Instruction::Read { dst: *dst, buffer: *buffer },
            Step::Copy { src, dst } => Instruction::Copy { src: *src, dst: *dst },
            Step::Assert { cond, message } => Instruction::Assert { cond: *cond, message: message.as_str().into() },
            Step::If { cond, then, otherwise } => Instruction::If { cond: *cond, then: self.list(then), otherwise: self.list(otherwise) },
            Step::While { before, cond, body } => Instruction::While { before: self.list(before), cond: *cond, body: self.list(body) },
            Step::Call { name, location, args, attributes, results, sizes } => Instruction::Call(Box::new(CallInstruction {
                op: self.op(name),
                location: location.as_str().into(),
                args: args.clone().into(),
                attributes: attributes.clone(),
                results: results.clone().into(),
                sizes: sizes.clone().into(),
            })),
        }
    }

    fn launch(&self, kernel: u32, args: &[KernelArg], launch: &Launch) -> LaunchInstruction {
        let first = self.checked.iter().position(|checked| checked.kernel == kernel);
        LaunchInstruction {
            kernel,
            args: args.into(),
            launch: launch.clone(),
            late: self.late(args),
            records: first.map(|first| first..first + self.plan.kernels[kernel as usize].checks.len()),
        }
    }

    fn late(&self, args: &[KernelArg]) -> Box<[BufferId]> {
        let late = |arg: &KernelArg| match arg {
            KernelArg::Buffer(buffer) if matches!(self.classes[*buffer as usize], Class::Late(_) | Class::LateView) => Some(*buffer),
            _ => None,
        };
        args.iter().filter_map(late).collect()
    }

    fn op(&mut self, name: &str) -> u32 {
        let index = self.ops.iter().position(|known| known == name).unwrap_or_else(|| {
            self.ops.push(name.to_owned());
            self.ops.len() - 1
        });
        index as u32
    }
}

/// Names a shape for messages: symbols by name, other registers as `r3`.
pub(crate) fn dims_text(plan: &Plan, dims: &[Scalar]) -> String {
    let dim = |dim: &Scalar| match (dim, register(*dim)) {
        (Scalar::Const(size), _) => size.to_string(),
        (_, reg) => (plan.symbols.iter().find(|symbol| Some(symbol.reg) == reg))
            .map_or_else(|| format!("r{}", reg.unwrap_or(0)), |symbol| symbol.name.clone()),
    };
    format!("[{}]", dims.iter().map(dim).collect::<Vec<_>>().join(", "))
}
