//! `fx-form-kernels`: group linalg ops into kernels and outline each as a function on tensors.
//!
//! Needs     phase `linalg`, canonicalised.
//! Gives     phase `kernels`: a host function that calls `@kernel_N`, one per fusion group; equal kernels are one function.
//! Fails on  nothing that `linalg` can hold.
//! Tests     lit-tests/passes/fx-form-kernels/
//!
//! A group has an iteration space, and (rows) a set of reduced dims. An op joins the group of one of its producers if it
//! works on that space, or on the space without the reduced dims, and no path through another group leads back. Ops that
//! only move data (reshapes, transposes, slices, joins, broadcasts, casts) belong to no group: they are folded into the
//! indexing of whoever reads them. What is read by another group, or by the host, is the group's output.
//!
//! A scan works on the space of its results; what it reads and what reads it at the same place is in its group.
//!
//! With `siblings`, groups that reduce the same rows of the same tensors are joined, though neither reads what the other makes.
//!
//! With `scatters`, a call of `fx::scatter_runs` joins the group that computes its values. It starts from what its first operand
//! is in memory, so that is made by another group, and what reads its result is in another one too.
//!
//! With `sorts`, a call of `fx::sort_rows` joins the group that computes its keys, if that only computes elements: those which are
//! put in order are computed again where they are found. What reads its results is in another group.
//!
//! With `remarks=true`, a remark says of each value that one kernel gives and another reads, or computes again, why it is not
//! one kernel (`remarks.rs` lists the reasons):
//!
//! ```text
//! model.mlir:2:8: remark: 'kernel_0' stores 'tensor<8xf32>' for 'kernel_1': its reader works on another iteration space
//! model.mlir:3:8: note: the reader
//! ```

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use fx_ir::{Block, Builder, Op, Options, Pass, PassOption, Result, Value};
use fx_ops::fx_op::Dim;

use self::kinds::{Kind, classify};
use self::outline::Outliner;
use self::remarks::{Edge, Reason};
use self::space::Shape;
use crate::generic::used_values;
use crate::scatter::Scatter;
use crate::sort::Sort;

mod dependencies;
mod emit;
mod kinds;
mod obstacles;
mod outline;
mod recompute;
mod remarks;
mod siblings;
mod space;
mod weights;
mod work;

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-form-kernels",
    summary: "group linalg ops into kernels and outline each as a function",
    anchor: "builtin.module",
    options: &[
        PassOption {
            name: "reorder-weights",
            default: "false",
            help: "copy parameters that products of few rows read in another order than they have in memory",
        },
        PassOption { name: "recompute", default: "false", help: "compute values again where that takes fewer bytes than storing them" },
        PassOption { name: "siblings", default: "false", help: "join kernels that reduce the same rows of the same tensors" },
        PassOption { name: "scatters", default: "false", help: "make calls of 'fx::scatter_runs' kernels, with what they write" },
        PassOption { name: "sorts", default: "false", help: "make calls of 'fx::sort_rows' kernels, with what they sort" },
        PassOption { name: "remarks", default: "false", help: "say of each value between kernels why it is not inside one" },
    ],
    dialects: &["arith", "func", "tensor"],
    run,
};

fn run(module: Op<'_>, options: &Options) -> Result {
    let wanted = Wanted {
        reordered_weights: options.parsed(module, "reorder-weights")?,
        recomputed: options.parsed(module, "recompute")?,
        siblings: options.parsed(module, "siblings")?,
        scatters: options.parsed(module, "scatters")?,
        sorts: options.parsed(module, "sorts")?,
        remarks: options.parsed(module, "remarks")?,
    };
    let Some(body) = module.body(0) else { return Ok(()) };
    let mut outliner = Outliner::new(body);
    for function in body.ops() {
        let host = function.name() == "func.func" && function.attribute("fx.kernel").is_none();
        if let Some(block) = function.body(0).filter(|_| host) {
            form(block, &mut outliner, wanted);
        }
    }
    Ok(())
}

/// What is made besides.
#[derive(Clone, Copy)]
struct Wanted {
    /// Copies of parameters in another order.
    reordered_weights: bool,
    /// Copies of what makes values, in place of the values.
    recomputed: bool,
    /// One kernel for reductions of the same rows.
    siblings: bool,
    /// Kernels that write at computed places.
    scatters: bool,
    /// Kernels that sort rows.
    sorts: bool,
    /// A remark for each value between kernels.
    remarks: bool,
}

/// A fusion group.
struct Group<'c> {
    ops: Vec<Op<'c>>,
    /// Sizes of the iteration space.
    space: Vec<Dim<'c>>,
    /// Per dim of the space: whether a reduction of the group reduces it, or a scan runs along it. None: neither yet.
    reduced: Option<Vec<bool>>,
    /// Whether it has scans.
    scans: bool,
    /// A matrix product or the like, whose producers stay outside.
    contraction: bool,
    /// What its ops compute for an element (`work.rs`).
    work: u64,
    /// What its reductions compute for an element, each for itself.
    repeated: u64,
}

struct Former<'c> {
    builder: Builder<'c>,
    kinds: HashMap<Op<'c>, Kind>,
    groups: Vec<Group<'c>>,
    group_of: HashMap<Op<'c>, usize>,
    /// Groups that each group reads from, directly.
    reads: Vec<HashSet<usize>>,
    /// Operands and captured values by op: asked for many times, found by walking regions.
    used: RefCell<HashMap<Op<'c>, Rc<[Value<'c>]>>>,
    /// Copies of parameters in another order.
    reordered: HashSet<Op<'c>>,
    /// Whether remarks are wanted: reasons at all groups of producers, also when one is found that an op can join.
    remarks: bool,
    /// Why an op is not in the group of one of its producers.
    apart: HashMap<(Op<'c>, usize), Reason>,
    /// Values that are computed again, if remarks are wanted.
    recomputed: Vec<Edge<'c>>,
}

fn form<'c>(block: Block<'c>, outliner: &mut Outliner<'c>, wanted: Wanted) {
    let Some(terminator) = block.terminator() else { return };
    for op in block.ops() {
        for region in op.regions() {
            if op.name() != "linalg.generic" && op.name() != "linalg.fill" {
                region.blocks().into_iter().for_each(|inner| form(inner, outliner, wanted));
            }
        }
    }
    let builder = Builder::before(terminator);
    let mut former = Former {
        builder,
        kinds: HashMap::new(),
        groups: Vec::new(),
        group_of: HashMap::new(),
        reads: Vec::new(),
        used: RefCell::default(),
        reordered: HashSet::new(),
        remarks: wanted.remarks,
        apart: HashMap::new(),
        recomputed: Vec::new(),
    };
    let ops = block.ops();
    for op in &ops {
        let scatters = wanted.scatters && Scatter::of(*op).is_some();
        let sorts = wanted.sorts && Sort::of(*op).is_some();
        let kind = if scatters || sorts { Kind::Compute } else { classify(*op) };
        former.kinds.insert(*op, kind);
    }
    former.force_host_operands(&ops);
    former.force_large_moves(&ops);
    if wanted.reordered_weights {
        former.reorder_weights(block, &ops);
    }
    for op in &ops {
        if former.kinds.get(op) == Some(&Kind::Compute) {
            former.place(*op);
        }
    }
    if wanted.recomputed {
        former.recompute();
    }
    let ops = block.ops();
    if wanted.siblings {
        former.join_siblings(&ops);
    }
    let edges = if former.remarks { former.edges(&ops) } else { Vec::new() };
    let names = former.emit(&ops, outliner);
    edges.iter().chain(&former.recomputed).for_each(|edge| edge.remark(&names));
}

impl<'c> Former<'c> {
    /// Operands and captured values.
    fn used(&self, op: Op<'c>) -> Rc<[Value<'c>]> {
        Rc::clone(self.used.borrow_mut().entry(op).or_insert_with(|| used_values(op).into()))
    }

    fn kind(&self, op: Op<'c>) -> Kind {
        self.kinds.get(&op).copied().unwrap_or(Kind::Host)
    }

    /// Puts an op into a group of one of its producers, or into a new one.
    fn place(&mut self, op: Op<'c>) {
        let b = Builder::before(op);
        let shape = Shape::of(op, &b);
        let dependencies = self.dependencies(op);
        let mut candidates: Vec<usize> =
            self.producers(op).iter().filter_map(|value| self.group_of.get(&value.defining_op()?).copied()).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let host_reads = if candidates.is_empty() { HashSet::new() } else { self.host_reads(op) };
        let mut home = None;
        for group in candidates.into_iter().rev() {
            if home.is_some() && !self.remarks {
                break;
            }
            let is_cyclic = || dependencies.iter().any(|other| *other != group && self.reaches(*other, group));
            let obstacle = if host_reads.contains(&group) { Some(Reason::HostBetween) } else { self.obstacle(op, &shape, group) };
            match obstacle.or_else(|| is_cyclic().then_some(Reason::Cycle)) {
                None if home.is_none() => home = Some(group),
                reason => {
                    self.apart.insert((op, group), reason.unwrap_or(Reason::OtherKernel));
                }
            }
        }
        let group = home.unwrap_or_else(|| {
            self.groups.push(Group {
                ops: Vec::new(),
                space: shape.space.clone(),
                reduced: None,
                scans: false,
                contraction: shape.contraction,
                work: 0,
                repeated: 0,
            });
            self.reads.push(HashSet::new());
            self.groups.len() - 1
        });
        self.join(op, &shape, group, &dependencies);
    }

    fn join(&mut self, op: Op<'c>, shape: &Shape<'c>, group: usize, dependencies: &HashSet<usize>) {
        if shape.reduced.contains(&true) {
            self.groups[group].reduced = Some(shape.reduced.clone());
            if !shape.scans {
                self.groups[group].repeated += self.work(op, group);
            }
        }
        self.groups[group].scans |= shape.scans;
        self.groups[group].work += work::body_work(op);
        self.groups[group].ops.push(op);
        self.group_of.insert(op, group);
        self.reads[group].extend(dependencies.iter().copied().filter(|other| *other != group));
    }
}
