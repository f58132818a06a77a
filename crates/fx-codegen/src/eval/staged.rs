//! Elements that lie in workgroup memory too, where a thread put them: those of the place at hand are read from there.

use std::collections::HashMap;

use fx_ir::Value;

use super::{Eval, Memory};

/// Copies of memory, by what they copy.
#[derive(Default)]
pub(super) struct Staged<'c> {
    buffers: HashMap<Value<'c>, Value<'c>>,
    /// A position in memory, and where the copies have it.
    here: Option<[Value<'c>; 2]>,
}

impl<'c> Eval<'c> {
    /// The memory of an argument; none if it is a number.
    pub fn memory_of(&self, argument: Value<'c>) -> Option<&Memory<'c>> {
        self.memory.get(&argument)
    }

    /// From here on, `buffer` has elements of `memref` at the places that [`Eval::staged_at`] names.
    pub fn stage(&mut self, memref: Value<'c>, buffer: Value<'c>) {
        self.staged.buffers.insert(memref, buffer);
    }

    /// What lies at `position` of memory lies at `slot` of its copies.
    pub fn staged_at(&mut self, position: Value<'c>, slot: Value<'c>) {
        self.staged.here = Some([position, slot]);
    }

    /// The end of the copies.
    pub fn forget_staged(&mut self) {
        self.staged = Staged::default();
    }

    /// The buffer and the place in it that have a copy of an element.
    pub(super) fn staged_copy(&self, memref: Value<'c>, position: Value<'c>) -> Option<[Value<'c>; 2]> {
        let [_, slot] = self.staged.here.filter(|[here, _]| *here == position)?;
        self.staged.buffers.get(&memref).map(|buffer| [*buffer, slot])
    }
}
