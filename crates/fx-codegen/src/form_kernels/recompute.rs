//! Values that kernels compute again rather than read.
//!
//! A softmax's elements that the gradient needs are larger than what they are computed from: the input and two numbers a row.
//! Where all readers together read fewer bytes so than the value has, written once and read by each, it is not stored.

use std::collections::{HashMap, HashSet};

use fx_ir::{Builder, DYNAMIC, Op, Value};

use super::Former;
use super::kinds::Kind;
use super::obstacles::unit_reshape;
use super::remarks::Reason;
use super::space::is_broadcast;
use super::work::{LARGEST, body_work};
use crate::generic::{Generic, captured};
use crate::scatter::Scatter;
use crate::sort::Sort;

/// Most ops in the bodies of what is computed again.
const MOST_OPS: usize = 32;

/// What has fewer bytes than this part of the value is read, not computed again.
const SMALLER: i64 = 8;

/// How a value is computed again.
#[derive(Default)]
struct Chain<'c> {
    /// The ops to copy, in order.
    ops: Vec<Op<'c>>,
    /// What they read.
    sources: Vec<Value<'c>>,
    body_ops: usize,
    seen: HashSet<Value<'c>>,
    /// Whether elements change places on the way.
    moves: bool,
    /// Whether something that is computed is needed on several ways.
    branches: bool,
}

/// A use of a value: the op that has it as an operand, and which.
type Use<'c> = (Op<'c>, usize);

/// A group that reads a value, and its uses of it.
type Reader<'c> = (usize, Vec<Use<'c>>);

/// What computes a value again.
struct Recomputation<'c> {
    chain: Chain<'c>,
    readers: Vec<Reader<'c>>,
    /// Why it is not read.
    reason: Reason,
}

/// Whether data movement only adds sizes of 1 and broadcasts.
fn keeps_places(op: Op<'_>) -> bool {
    match op.name() {
        "tensor.collapse_shape" | "tensor.expand_shape" => unit_reshape(op),
        "linalg.generic" => Generic::new(op).as_ref().is_some_and(is_broadcast),
        _ => true,
    }
}

/// Bytes of a tensor, if its sizes are known.
fn bytes(value: Value<'_>) -> Option<i64> {
    let ty = value.ty();
    if !ty.is_tensor() {
        return Some(0);
    }
    let shape = ty.shape();
    let width = i64::from(ty.element().bit_width().max(8) / 8);
    shape.iter().try_fold(width, |product, size| if *size == DYNAMIC { None } else { product.checked_mul(*size) })
}

impl<'c> Former<'c> {
    /// Gives readers copies of what makes values that are not worth storing.
    pub(super) fn recompute(&mut self) {
        for group in 0..self.groups.len() {
            // The last value first: its copies may be what an earlier one is still read by.
            for value in self.outputs(&self.groups[group]).into_iter().rev() {
                if let Some(again) = self.recomputation(value, group) {
                    again.readers.iter().for_each(|reader| self.copy(value, &again, reader));
                }
            }
        }
    }

    /// How a group's value is computed again; none if it should be stored.
    fn recomputation(&self, value: Value<'c>, group: usize) -> Option<Recomputation<'c>> {
        let own = bytes(value)?;
        let mut readers: Vec<Reader<'c>> = Vec::new();
        for (user, operand) in value.uses() {
            let reader = self.only_reader(self.top_level(user))?;
            match readers.iter_mut().find(|(known, _)| *known == reader) {
                Some((_, uses)) => uses.push((user, operand)),
                None if reader == group => {}
                None => readers.push((reader, vec![(user, operand)])),
            }
        }
        let mut chain = Chain::default();
        // What is needed at several places is computed for each of them: a stencil of a stencil has too many.
        if !self.follow(value, group, own, &mut chain) || chain.body_ops > MOST_OPS || chain.moves && chain.branches {
            return None;
        }
        let stored = own.checked_mul(1 + readers.len() as i64)?;
        let mut computed: i64 = 0;
        for (reader, _) in &readers {
            let read: HashSet<Value<'c>> = self.groups[*reader].ops.iter().flat_map(|op| self.used(*op).to_vec()).collect();
            for source in chain.sources.iter().filter(|source| !read.contains(source)) {
                computed = computed.checked_add(bytes(*source)?)?;
            }
        }
        let work: u64 = chain.ops.iter().map(|op| body_work(*op)).sum();
        let has_room = |reader: usize| self.groups[reader].work + work <= LARGEST;
        let may_compute = readers.iter().all(|(reader, _)| self.may_compute(*reader, value) && has_room(*reader));
        let reason = Reason::Recomputed { read: computed, stored };
        (computed < stored && may_compute).then_some(Recomputation { chain, readers, reason })
    }

    /// The group of an op, or, of data movement, that of all its readers; none if there are several, or the host is one.
    fn only_reader(&self, op: Op<'c>) -> Option<usize> {
        match self.kind(op) {
            Kind::Host => None,
            Kind::Compute => self.group_of.get(&op).copied(),
            Kind::Inline => {
                let mut users = op.results().into_iter().flat_map(Value::uses).map(|(user, _)| self.only_reader(self.top_level(user)));
                let first = users.next()??;
                users.all(|user| user == Some(first)).then_some(first)
            }
        }
    }

    /// Whether a group reads each element of a value of this size about once.
    fn may_compute(&self, reader: usize, value: Value<'c>) -> bool {
        let group = &self.groups[reader];
        let places = group.space.iter().try_fold(1i64, |product, dim| product.checked_mul(dim.known()?));
        let elements = value.ty().shape().iter().product::<i64>();
        let only_computes = group.ops.iter().all(|op| Scatter::of(*op).is_none() && Sort::of(*op).is_none());
        !group.contraction && only_computes && places.is_some_and(|places| places <= elements)
    }

    /// Adds what makes a value of a group to the chain, down to what others make and what is smaller; whether it may be copied.
    fn follow(&self, value: Value<'c>, group: usize, own: i64, chain: &mut Chain<'c>) -> bool {
        if !chain.seen.insert(value) {
            chain.branches |= value.defining_op().is_some_and(|op| chain.ops.contains(&op));
            return true;
        }
        let Some(op) = value.defining_op() else {
            chain.sources.push(value);
            return true;
        };
        let is_own = self.group_of.get(&op) == Some(&group);
        if self.kind(op) == Kind::Inline {
            // Copied only if what it moves is: that is known when its operands were followed.
            let before = chain.ops.len();
            if !self.used(op).iter().all(|used| self.follow(*used, group, own, chain)) {
                return false;
            }
            chain.moves |= !keeps_places(op);
            if chain.ops.len() > before || self.used(op).iter().any(|used| used.defining_op().is_some_and(|op| chain.ops.contains(&op))) {
                chain.ops.push(op);
            }
            return true;
        }
        let generic = Generic::new(op).filter(|generic| is_own && !generic.is_reduction());
        let Some(generic) = generic.filter(|_| bytes(value).is_some_and(|bytes| bytes >= own / SMALLER)) else {
            chain.sources.push(value);
            return true;
        };
        let mut is_plain = !generic.has_checks() && captured(op).is_empty() && op.results().len() == 1;
        op.walk(&mut |inner| {
            is_plain &= !inner.name().starts_with("scf.");
            chain.body_ops += 1;
        });
        let followed = is_plain && self.used(op).iter().all(|used| self.follow(*used, group, own, chain));
        chain.ops.push(op);
        followed
    }

    /// Copies a chain into a group, whose uses of the value read the copy.
    fn copy(&mut self, value: Value<'c>, again: &Recomputation<'c>, (reader, uses): &Reader<'c>) {
        let reader = *reader;
        let read_by = self.groups[reader].ops.iter().copied().find(|op| self.producers(*op).contains(&value));
        if let Some(read_by) = read_by {
            self.record_recomputed(value, (reader, read_by), again.reason);
        }
        let Some(next) = value.defining_op().and_then(Op::next) else { return };
        let b = Builder::before(next);
        let mut map = HashMap::new();
        let mut members = Vec::new();
        for op in &again.chain.ops {
            let copy = b.located(op.location()).clone_op(*op, &mut map);
            let kind = self.kind(*op);
            self.kinds.insert(copy, kind);
            if kind == Kind::Compute {
                self.groups[reader].work += body_work(copy);
                self.group_of.insert(copy, reader);
                members.push((*op, copy));
            }
        }
        let Some(new) = map.get(&value).copied() else { return };
        for (user, operand) in uses {
            user.set_operand(*operand, new);
            self.used.borrow_mut().remove(&self.top_level(*user));
        }
        for (op, member) in &members {
            let groups = self.dependencies(*member);
            self.inherit_reasons(*op, *member, read_by, &groups);
            self.reads[reader].extend(groups.into_iter().filter(|other| *other != reader));
        }
        self.groups[reader].ops.splice(0..0, members.into_iter().map(|(_, copy)| copy));
    }

    /// A copy is apart from a group for the same reason as the op, or, where that was a member, as what reads the copy.
    fn inherit_reasons(&mut self, op: Op<'c>, copy: Op<'c>, read_by: Option<Op<'c>>, groups: &HashSet<usize>) {
        for group in groups {
            let of_reader = || self.apart.get(&(read_by?, *group));
            if let Some(reason) = self.apart.get(&(op, *group)).or_else(of_reader).copied() {
                self.apart.insert((copy, *group), reason);
            }
        }
    }
}
