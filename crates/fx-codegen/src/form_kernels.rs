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
//! With `scatters`, a call of `fx::scatter_runs` joins the group that computes its values. It starts from what its first operand
//! is in memory, so that is made by another group, and what reads its result is in another one too.
//!
//! With `remarks=true`, a remark says of each value that one kernel gives and another reads why it is not one kernel
//! (`remarks.rs` lists the reasons):
//!
//! ```text
//! model.mlir:2:8: remark: 'kernel_0' stores 'tensor<8xf32>' for 'kernel_1': its reader works on another iteration space
//! model.mlir:3:8: note: the reader
//! ```

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use fx_ir::{AffineResult, Attribute, Block, Builder, Op, Options, Pass, PassOption, Result, Value};
use fx_ops::fx_op::Dim;

use self::outline::Outliner;
use self::remarks::Reason;
use crate::generic::{Generic, dims_of, used_values};
use crate::scan::Scan;
use crate::scatter::Scatter;

mod outline;
mod recompute;
mod remarks;
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
        PassOption { name: "scatters", default: "false", help: "make calls of 'fx::scatter_runs' kernels, with what they write" },
        PassOption { name: "remarks", default: "false", help: "say of each value between kernels why it is not inside one" },
    ],
    dialects: &["arith", "func", "tensor"],
    run,
};

fn run(module: Op<'_>, options: &Options) -> Result {
    let wanted = Wanted {
        reordered_weights: options.parsed(module, "reorder-weights")?,
        recomputed: options.parsed(module, "recompute")?,
        scatters: options.parsed(module, "scatters")?,
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
    /// Kernels that write at computed places.
    scatters: bool,
    /// A remark for each value between kernels.
    remarks: bool,
}

/// What an op is to kernel formation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Folded into its readers.
    Inline,
    /// Computed in a group.
    Compute,
    /// Stays on the host; the tensors that it reads are in memory.
    Host,
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
    };
    let ops = block.ops();
    for op in &ops {
        let scatters = wanted.scatters && Scatter::of(*op).is_some();
        let kind = if scatters { Kind::Compute } else { classify(*op) };
        former.kinds.insert(*op, kind);
    }
    former.force_host_operands(&ops);
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
    let edges = if former.remarks { former.edges(&ops) } else { Vec::new() };
    let names = former.emit(&ops, outliner);
    edges.iter().for_each(|edge| edge.remark(&names));
}

fn classify(op: Op<'_>) -> Kind {
    match op.name() {
        "tensor.empty" | "linalg.fill" | "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => Kind::Inline,
        "arith.constant" if op.result(0).ty().is_tensor() => {
            if op.attribute("value").and_then(Attribute::as_splat).is_some() {
                Kind::Inline
            } else {
                Kind::Host
            }
        }
        "linalg.generic" => {
            let moves = Generic::new(op)
                .is_some_and(|generic| !generic.is_reduction() && only_moves(op) && (!generic.has_checks() || is_read_whole(op)));
            if moves { Kind::Inline } else { Kind::Compute }
        }
        _ => Kind::Host,
    }
}

/// Whether a body computes nothing but places: its result is an element of an operand, or a constant.
fn only_moves(op: Op<'_>) -> bool {
    let mut moves = true;
    op.walk(&mut |inner| {
        let result_is_place = || inner.results().iter().all(|value| value.ty().is_index() || value.ty().is_bool());
        moves &= match inner.name() {
            "linalg.index" | "linalg.yield" | "tensor.extract" | "scf.if" | "scf.yield" | "arith.constant" | "arith.index_cast"
            | "arith.extf" | "arith.truncf" | "arith.select" | "cf.assert" => true,
            name => name.starts_with("arith.") && result_is_place(),
        };
    });
    moves
}

/// Whether all readers are loops that compute with each element once: checks are made there as well as anywhere.
fn is_read_whole(op: Op<'_>) -> bool {
    let reads_whole = |user: Op<'_>, operand: usize| {
        if Scatter::of(user).is_some_and(|scatter| operand > 0 && scatter.op.block() == op.block()) {
            return true;
        }
        let in_order = |generic: &Generic<'_>| {
            let map = &generic.maps[operand];
            operand < generic.inputs.len() && increasing(map) && map.iter().all(|place| matches!(place, AffineResult::Dim(_)))
        };
        let computes = user.block() == op.block() && !only_moves(user) && !crate::contract_cpu::is_sum_of_products(user);
        computes && Generic::new(user).as_ref().is_some_and(in_order)
    };
    op.results().into_iter().flat_map(|result| result.uses()).all(|(user, operand)| reads_whole(user, operand))
}

impl<'c> Former<'c> {
    /// Operands and captured values.
    fn used(&self, op: Op<'c>) -> Rc<[Value<'c>]> {
        Rc::clone(self.used.borrow_mut().entry(op).or_insert_with(|| used_values(op).into()))
    }

    fn kind(&self, op: Op<'c>) -> Kind {
        self.kinds.get(&op).copied().unwrap_or(Kind::Host)
    }

    /// Tensors that the host reads must be in memory: data movement before such a read is a kernel of its own, unless it
    /// is a reshape of something in memory, which is a view.
    fn force_host_operands(&mut self, ops: &[Op<'c>]) {
        for op in ops {
            if let Some(scatter) = Scatter::of(*op).filter(|_| self.kind(*op) == Kind::Compute) {
                self.force(scatter.input());
                continue;
            }
            // Elements that a sum of products reads at computed places are read many times.
            let read_often = crate::contract_cpu::is_sum_of_products(*op).then(|| crate::generic::captured(*op));
            if self.kind(*op) != Kind::Host && read_often.is_none() {
                continue;
            }
            let is_loop = matches!(op.name(), "scf.for" | "scf.while");
            for value in read_often.map_or_else(|| self.used(*op), Rc::from).iter().copied() {
                // A loop that begins with an empty tensor does not read it.
                let is_unread = is_loop && value.defining_op().is_some_and(|op| op.name() == "tensor.empty");
                if value.ty().is_tensor() && !is_unread {
                    self.force(value);
                }
            }
        }
    }

    /// Puts a value into memory; gives the op of which that makes a kernel, if it does.
    fn force(&mut self, value: Value<'c>) -> Option<Op<'c>> {
        let op = value.defining_op().filter(|op| self.kind(*op) == Kind::Inline)?;
        match op.name() {
            "tensor.collapse_shape" | "tensor.expand_shape" | "tensor.cast" => self.force(op.operand(0)),
            _ => {
                self.kinds.insert(op, Kind::Compute);
                Some(op)
            }
        }
    }

    /// Non-inline producers that `op` reads, through data movement.
    fn producers(&self, op: Op<'c>) -> Vec<Value<'c>> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut pending = self.used(op).to_vec();
        while let Some(value) = pending.pop() {
            if !seen.insert(value) {
                continue;
            }
            match value.defining_op() {
                Some(op) if self.kind(op) == Kind::Inline || (!value.ty().is_tensor() && self.kind(op) == Kind::Host) => {
                    pending.extend(self.used(op).iter().copied())
                }
                Some(_) => found.push(value),
                None => {}
            }
        }
        found
    }

    /// Groups that `op` depends on directly: also through host ops between.
    fn dependencies(&self, op: Op<'c>) -> HashSet<usize> {
        let mut seen = HashSet::new();
        let mut groups = HashSet::new();
        let mut pending = self.used(op).to_vec();
        while let Some(value) = pending.pop() {
            let Some(op) = value.defining_op().filter(|_| seen.insert(value)) else { continue };
            match self.group_of.get(&op) {
                Some(group) => {
                    groups.insert(*group);
                }
                None => pending.extend(self.used(op).iter().copied()),
            }
        }
        groups
    }

    /// Groups that the host reads to compute what `op` needs: these must be done before it. Sizes it knows without reading.
    fn host_reads(&self, op: Op<'c>) -> HashSet<usize> {
        let mut seen = HashSet::new();
        let mut groups = HashSet::new();
        let mut pending: Vec<_> = self.used(op).iter().map(|value| (*value, false)).collect();
        while let Some((value, by_host)) = pending.pop() {
            let Some(op) = value.defining_op().filter(|_| seen.insert((value, by_host))) else { continue };
            match self.group_of.get(&op) {
                Some(group) if by_host => {
                    groups.insert(*group);
                }
                Some(_) => {}
                None => {
                    let reads = self.kind(op) == Kind::Host && op.name() != "tensor.dim" && !op.name().starts_with("arith.");
                    pending.extend(self.used(op).iter().map(|value| (*value, by_host || reads)));
                }
            }
        }
        groups
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = HashSet::new();
        let mut pending = vec![from];
        while let Some(group) = pending.pop() {
            if group == to {
                return true;
            }
            if seen.insert(group) {
                pending.extend(self.reads[group].iter().copied());
            }
        }
        false
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

    /// Why `op` cannot join a group; none if it works on the group's space, and reads the group's values at its own place.
    fn obstacle(&self, op: Op<'c>, shape: &Shape<'c>, index: usize) -> Option<Reason> {
        let group = &self.groups[index];
        if shape.contraction {
            return Some(Reason::Product);
        }
        if let Some(reason) = self.read_elsewhere(op, index) {
            return Some(reason);
        }
        if self.is_too_much(op, shape, index) {
            return Some(Reason::TooMuch);
        }
        let reduces = shape.reduced.contains(&true);
        // A thread that scatters has elements, not rows.
        let scatters = |op: &Op<'c>| Scatter::of(*op).is_some();
        if scatters(&op) && group.reduced.is_some() || reduces && group.ops.iter().any(scatters) {
            return Some(Reason::Space);
        }
        let is_full = shape.space == group.space;
        if group.scans || shape.scans {
            return match () {
                () if !is_full => Some(Reason::Space),
                () if group.contraction => Some(Reason::ReducedProduct),
                () => (!self.walks_along(op, shape, group)).then_some(Reason::Walk),
            };
        }
        match &group.reduced {
            _ if is_full && !reduces => None,
            Some(reduced) if !reduces && same_rows(&shape.space, &kept(&group.space, reduced)) => None,
            _ if !is_full => Some(Reason::Space),
            None if group.contraction => Some(Reason::ReducedProduct),
            None => None,
            Some(reduced) => (shape.reduced != *reduced).then_some(Reason::ReducedDims),
        }
    }

    /// Whether `op` and a group that are both of whole spaces can share walks along a dim: beside scans nothing is reduced, as
    /// that needs the whole row, and nothing is scattered.
    fn walks_along(&self, op: Op<'c>, shape: &Shape<'c>, group: &Group<'c>) -> bool {
        let is_plain = !shape.reduced.contains(&true);
        let same = match &group.reduced {
            None => true,
            Some(reduced) => group.scans && (is_plain || shape.reduced == *reduced),
        };
        same && (is_plain || shape.scans) && group.ops.iter().chain([&op]).all(|op| Scatter::of(*op).is_none())
    }

    /// Why a value of the group is not read at the op's own loops, in order; none if all are.
    fn read_elsewhere(&self, op: Op<'c>, group: usize) -> Option<Reason> {
        let in_group = |value: Value<'c>| self.producers_of_value(value).iter().any(|op| self.group_of.get(op) == Some(&group));
        if let Some(scatter) = Scatter::of(op) {
            let place = |value: Value<'c>| if in_group(value) { self.moved(value, group) } else { None };
            return match scatter.input() {
                input if in_group(input) => Some(Reason::WrittenOver),
                _ if in_group(scatter.positions()) && scatter.has_runs() => Some(Reason::Space),
                _ => place(scatter.positions()).or_else(|| place(scatter.values())),
            };
        }
        let Some(generic) = Generic::new(op) else { return Some(Reason::ComputedPlaces) };
        if crate::generic::captured(op).into_iter().any(in_group) {
            return Some(Reason::ComputedPlaces);
        }
        let scan = Scan::of(&generic);
        let at_place = |map: &[AffineResult]| scan.as_ref().map_or_else(|| increasing(map), |scan| increasing(&scan.at_place(map)));
        generic
            .inputs
            .iter()
            .zip(&generic.maps)
            .filter(|(input, _)| in_group(**input))
            .find_map(|(input, map)| self.moved(*input, group).or_else(|| (!at_place(map)).then_some(Reason::Order)))
    }

    /// Why an element of a value of the group is not there when the element at the same place is computed; none if it is.
    fn moved(&self, value: Value<'c>, group: usize) -> Option<Reason> {
        if self.is_transparent(value, group) {
            return None;
        }
        let scatters = |op: &Op<'c>| self.group_of.get(op) == Some(&group) && Scatter::of(*op).is_some();
        Some(if self.producers_of_value(value).iter().any(scatters) { Reason::Scattered } else { Reason::Moved })
    }

    fn producers_of_value(&self, value: Value<'c>) -> Vec<Op<'c>> {
        match value.defining_op() {
            Some(op) if self.kind(op) == Kind::Inline => self.producers(op).iter().filter_map(|value| value.defining_op()).collect(),
            Some(op) => vec![op],
            None => Vec::new(),
        }
    }

    /// Whether a value is one of the group, seen through reshapes by 1 and broadcasts alone.
    fn is_transparent(&self, value: Value<'c>, group: usize) -> bool {
        let Some(op) = value.defining_op() else { return false };
        if self.group_of.get(&op) == Some(&group) {
            return Scatter::of(op).is_none();
        }
        match op.name() {
            "tensor.cast" => self.is_transparent(op.operand(0), group),
            "tensor.expand_shape" | "tensor.collapse_shape" => unit_reshape(op) && self.is_transparent(op.operand(0), group),
            "linalg.generic" => Generic::new(op).is_some_and(|generic| {
                let plain = generic.inputs.len() == 1 && crate::generic::captured(op).is_empty() && increasing(&generic.maps[0]);
                plain && self.kind(op) == Kind::Inline && self.is_transparent(generic.inputs[0], group)
            }),
            _ => false,
        }
    }

    //--- outlining --------------------------------------------------------------

    /// Calls and host ops in an order in which everything is defined before it is used. Gives the names of groups' kernels.
    fn emit(&mut self, ops: &[Op<'c>], outliner: &mut Outliner<'c>) -> HashMap<usize, String> {
        let mut state = Emission { done: HashSet::new(), replaced: HashMap::new(), names: HashMap::new() };
        // Checks of sizes before what reads tensors of these sizes.
        for op in ops.iter().filter(|op| op.name() == "cf.assert" && self.is_of_sizes(**op)) {
            self.emit_op(*op, &mut state, outliner);
        }
        for op in ops {
            if self.kind(*op) != Kind::Inline {
                self.emit_op(*op, &mut state, outliner);
            }
        }
        for (old, new) in &state.replaced {
            // Uses inside kernels that are gone do not matter; the host and later calls read the call's result.
            old.replace_all_uses_with(*new);
        }
        for op in ops.iter().rev() {
            if self.kind(*op) != Kind::Host && op.is_unused() {
                self.kinds.remove(op);
                op.erase();
            }
        }
        let mut placed = HashSet::new();
        for op in self.builder.block().map(Block::ops).unwrap_or_default() {
            if self.kind(op) != Kind::Inline {
                self.place_views(op, &mut placed);
            }
        }
        state.names
    }

    /// Whether a check reads numbers that are computed from sizes of what is there when the block begins.
    fn is_of_sizes(&self, op: Op<'c>) -> bool {
        let of_block = |value: &Value<'c>| value.defining_op().filter(|op| op.block() == self.builder.block());
        let mut pending = self.used(op).to_vec();
        while let Some(value) = pending.pop() {
            match of_block(&value) {
                Some(op) if op.name() == "tensor.dim" && of_block(&op.operand(0)).is_none() => {}
                Some(op) if op.name().starts_with("arith.") => pending.extend(self.used(op).iter().copied()),
                Some(_) => return false,
                None => {}
            }
        }
        true
    }

    /// Moves the views that a host op reads before it, each after its own source.
    fn place_views(&self, op: Op<'c>, placed: &mut HashSet<Op<'c>>) {
        for value in used_values(op) {
            let view = value.defining_op().filter(|view| self.kind(*view) == Kind::Inline && view.block() == op.block());
            if let Some(view) = view.filter(|view| placed.insert(*view)) {
                view.move_before(op);
                self.place_views(view, placed);
            }
        }
    }

    fn emit_op(&self, op: Op<'c>, state: &mut Emission<'c>, outliner: &mut Outliner<'c>) {
        let group = self.group_of.get(&op).copied();
        let key = group.map_or(Unit::Host(op), Unit::Group);
        if !state.done.insert(key) {
            return;
        }
        let members = group.map_or_else(|| vec![op], |group| self.groups[group].ops.clone());
        for member in &members {
            self.emit_values(&self.used(*member), state, outliner);
        }
        if let Some(group) = group {
            let sizes = self.groups[group].space.iter().filter_map(|dim| if let Dim::Dynamic(size) = dim { Some(*size) } else { None });
            self.emit_values(&sizes.collect::<Vec<_>>(), state, outliner);
        }
        match group {
            Some(group) => {
                let name = outliner.outline(self, &self.groups[group], state);
                state.names.extend(name.map(|name| (group, name)));
            }
            None => {
                if let Some(terminator) = op.block().and_then(Block::terminator).filter(|terminator| *terminator != op) {
                    op.move_before(terminator);
                }
            }
        }
    }

    /// Emits what makes `values` first, seen through data movement.
    fn emit_values(&self, values: &[Value<'c>], state: &mut Emission<'c>, outliner: &mut Outliner<'c>) {
        for value in values.iter().copied() {
            // What other blocks define is there already.
            let Some(needed) = value.defining_op().filter(|needed| needed.block() == self.builder.block()) else { continue };
            if self.kind(needed) != Kind::Inline {
                self.emit_op(needed, state, outliner);
            } else if state.done.insert(Unit::Host(needed)) {
                self.emit_values(&self.used(needed), state, outliner);
            }
        }
    }

    /// Values of a group that something outside it reads.
    fn outputs(&self, group: &Group<'c>) -> Vec<Value<'c>> {
        let members: HashSet<Op<'c>> = group.ops.iter().copied().collect();
        let read_outside = |value: Value<'c>| {
            let mut pending: Vec<_> = value.uses().into_iter().map(|(user, _)| user).collect();
            let mut seen = HashSet::new();
            while let Some(user) = pending.pop() {
                let user = self.top_level(user);
                if !seen.insert(user) || members.contains(&user) {
                    continue;
                }
                if self.kind(user) != Kind::Inline {
                    return true;
                }
                pending.extend(user.results().into_iter().flat_map(|result| result.uses()).map(|(user, _)| user));
            }
            false
        };
        group.ops.iter().flat_map(|op| op.results()).filter(|value| read_outside(*value)).collect()
    }

    /// The op of this block that holds `op`.
    fn top_level(&self, op: Op<'c>) -> Op<'c> {
        let mut current = op;
        while !self.kinds.contains_key(&current) {
            match current.parent() {
                Some(parent) => current = parent,
                None => return op,
            }
        }
        current
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Unit<'c> {
    Group(usize),
    Host(Op<'c>),
}

struct Emission<'c> {
    done: HashSet<Unit<'c>>,
    replaced: HashMap<Value<'c>, Value<'c>>,
    /// Kernels by group.
    names: HashMap<usize, String>,
}

/// The iteration space of a compute op.
struct Shape<'c> {
    space: Vec<Dim<'c>>,
    /// Per dim: whether the op reduces it, or runs along it as a scan.
    reduced: Vec<bool>,
    scans: bool,
    contraction: bool,
}

impl<'c> Shape<'c> {
    fn of(op: Op<'c>, b: &Builder<'c>) -> Self {
        let plain = |space: Vec<Dim<'c>>, contraction: bool| Shape { reduced: vec![false; space.len()], space, scans: false, contraction };
        let Some(generic) = Generic::new(op).filter(Generic::is_reduction) else {
            let whole = Scatter::of(op).map(Scatter::values).or_else(|| op.results().first().copied());
            let space = whole.map(|value| dims_of(value, b)).unwrap_or_default();
            return plain(space, false);
        };
        let loops = generic.loop_dims(b);
        if let Some(scan) = Scan::of(&generic) {
            let space = loops[..generic.parallel_count()].to_vec();
            let reduced = (0..space.len()).map(|i| i == scan.along).collect();
            return Shape { space, reduced, scans: true, contraction: false };
        }
        let covers = |map: &[AffineResult]| {
            let dims: Vec<_> = map.iter().filter_map(|result| if let AffineResult::Dim(i) = result { Some(*i) } else { None }).collect();
            (dims.len() == loops.len() && dims.len() == map.len() && dims.iter().collect::<HashSet<_>>().len() == dims.len())
                .then_some(dims)
        };
        // A row reduction reads one tensor of the whole space; its dims in that tensor's order are the space.
        // Rows are counted in the result's order, which must be the tensor's.
        let in_order = |order: &Vec<usize>| order.iter().filter(|i| !generic.reduced[**i]).is_sorted();
        let order = generic.maps[..generic.inputs.len()].iter().filter_map(|map| covers(map)).find(in_order);
        match order {
            Some(order) => Shape {
                space: order.iter().map(|i| loops[*i]).collect(),
                reduced: order.iter().map(|i| generic.reduced[*i]).collect(),
                scans: false,
                contraction: false,
            },
            None => plain(loops[..generic.parallel_count()].to_vec(), true),
        }
    }
}

fn kept<'c>(space: &[Dim<'c>], reduced: &[bool]) -> Vec<Dim<'c>> {
    space.iter().zip(reduced).filter(|(_, reduced)| !**reduced).map(|(dim, _)| *dim).collect()
}

/// Equal shapes up to sizes of 1.
fn same_rows<'c>(a: &[Dim<'c>], b: &[Dim<'c>]) -> bool {
    let rows = |dims: &[Dim<'c>]| dims.iter().filter(|dim| dim.known() != Some(1)).copied().collect::<Vec<_>>();
    rows(a) == rows(b)
}

/// A map whose loops stand in increasing order: the operand is read at the op's own place, broadcast perhaps.
fn increasing(map: &[AffineResult]) -> bool {
    let mut last = None;
    map.iter().all(|result| match result {
        AffineResult::Dim(i) => last.replace(*i).is_none_or(|before| before < *i),
        AffineResult::Constant(_) => true,
        AffineResult::Other => false,
    })
}

/// A reshape that adds or removes sizes of 1 alone.
fn unit_reshape(op: Op<'_>) -> bool {
    let larger = if op.name() == "tensor.expand_shape" { op.result(0) } else { op.operand(0) };
    let shape = larger.ty().shape();
    crate::generic::reassociation(op).iter().all(|group| group.iter().filter(|i| shape[**i] != 1).count() <= 1)
}
