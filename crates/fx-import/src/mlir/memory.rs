//! Tensors as memory: what a name's value is now, in a program that may write in place.
//!
//! fx ops are functional, so a write makes a new value. A tensor owns its storage or is a view: an
//! op applied to another tensor. A write to a view is carried to the tensor that owns the storage,
//! inverting the views on the way (`inverse`); other views of the storage are stale from then on and
//! are made again, by a copy of their op, when they are next read. Reading what was never written
//! costs a comparison.

use std::collections::HashMap;

use fx_ir::{Builder, Op, Value};

use super::inverse;
use super::problem::{Outcome, Problem};

/// A tensor of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TensorId(usize);

/// How a tensor comes from another one.
#[derive(Clone, Copy)]
pub(super) struct View<'c> {
    /// The tensor that it is a part or another arrangement of.
    pub(super) base: TensorId,
    /// The op that was applied to it.
    pub(super) op: Op<'c>,
    /// Which operand of the op the base is.
    pub(super) operand: usize,
    /// Which result of the op the tensor is.
    pub(super) result: usize,
}

struct Tensor<'c> {
    storage: usize,
    view: Option<View<'c>>,
    value: Value<'c>,
    version: u32,
}

struct Storage {
    version: u32,
    /// Why it must not be written to.
    frozen: Option<&'static str>,
}

/// All tensors of a program.
#[derive(Default)]
pub(super) struct Memory<'c> {
    tensors: Vec<Tensor<'c>>,
    storages: Vec<Storage>,
}

impl<'c> Memory<'c> {
    /// A tensor with a storage of its own.
    pub(super) fn add(&mut self, value: Value<'c>) -> TensorId {
        self.storages.push(Storage { version: 0, frozen: None });
        self.push(self.storages.len() - 1, None, value, 0)
    }

    /// A tensor that must not be written to.
    pub(super) fn add_frozen(&mut self, value: Value<'c>, reason: &'static str) -> TensorId {
        let id = self.add(value);
        if let Some(storage) = self.storages.last_mut() {
            storage.frozen = Some(reason);
        }
        id
    }

    /// A tensor that shares the storage of another.
    pub(super) fn add_view(&mut self, view: View<'c>, value: Value<'c>) -> Outcome<TensorId> {
        let storage = self.tensor(view.base)?.storage;
        let version = self.version(storage);
        Ok(self.push(storage, Some(view), value, version))
    }

    fn push(&mut self, storage: usize, view: Option<View<'c>>, value: Value<'c>, version: u32) -> TensorId {
        self.tensors.push(Tensor { storage, view, value, version });
        TensorId(self.tensors.len() - 1)
    }

    fn tensor(&self, id: TensorId) -> Outcome<&Tensor<'c>> {
        let unknown = || Problem::malformed("a tensor is used before it is made");
        self.tensors.get(id.0).ok_or_else(unknown)
    }

    fn version(&self, storage: usize) -> u32 {
        self.storages.get(storage).map_or(0, |storage| storage.version)
    }

    /// Whether the tensor's storage was written to.
    pub(super) fn was_written(&self, id: TensorId) -> bool {
        self.tensor(id).is_ok_and(|tensor| self.version(tensor.storage) > 0)
    }

    /// The tensor's value now.
    pub(super) fn read(&mut self, id: TensorId, builder: Builder<'c>) -> Outcome<Value<'c>> {
        // From the nearest ancestor that is not stale down to the tensor.
        let mut stale = Vec::new();
        let mut next = id;
        let mut value = loop {
            let tensor = self.tensor(next)?;
            match tensor.view {
                Some(view) if tensor.version < self.version(tensor.storage) => {
                    stale.push((next, view));
                    next = view.base;
                }
                _ => break tensor.value,
            }
        };
        for (id, view) in stale.into_iter().rev() {
            let mut map = HashMap::new();
            let old = view.op.operands().get(view.operand).copied();
            let old = old.ok_or_else(|| Problem::malformed("a view has no operand for its base"))?;
            map.insert(old, value);
            let copy = builder.located(view.op.location()).clone_op(view.op, &mut map);
            value = copy.result(view.result);
            self.set(id, value);
        }
        Ok(value)
    }

    /// Sets a tensor's value at the current version of its storage.
    fn set(&mut self, id: TensorId, value: Value<'c>) {
        let version = self.tensor(id).map_or(0, |t| self.version(t.storage));
        if let Some(tensor) = self.tensors.get_mut(id.0) {
            tensor.value = value;
            tensor.version = version;
        }
    }

    /// Gives a tensor a new value in place.
    pub(super) fn write(&mut self, id: TensorId, value: Value<'c>, builder: Builder<'c>) -> Outcome<()> {
        let storage = self.tensor(id)?.storage;
        if let Some(reason) = self.storages.get(storage).and_then(|s| s.frozen) {
            return Err(Problem::new(format!("writing in place to {reason} is not supported"), "write to a copy ('clone') and return it"));
        }
        let mut values = vec![(id, value)];
        let (mut next, mut value) = (id, value);
        while let Some(view) = self.tensor(next)?.view {
            let base = self.read(view.base, builder)?;
            value = inverse::write_through(builder, view, base, value)?;
            next = view.base;
            values.push((next, value));
        }
        if let Some(storage) = self.storages.get_mut(storage) {
            storage.version += 1;
        }
        for (id, value) in values {
            self.set(id, value);
        }
        Ok(())
    }
}
