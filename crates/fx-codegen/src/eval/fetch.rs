//! Asking for memory before it is read.

use fx_ir::{Attribute, Type, Value};

use super::Eval;

/// Bytes that a processor reads at a time.
pub const LINE_BYTES: i64 = 64;

/// What prefetches call the first-level cache.
const NEAREST: i64 = 3;

impl<'c> Eval<'c> {
    /// Asks for the cache line at a position of flat memory, to be in the first-level cache. It may lie behind the end: nothing is
    /// read then.
    pub fn fetch(&self, memref: Value<'c>, at: Value<'c>) {
        let context = self.context();
        let attributes = [
            ("isWrite", Attribute::bool(context, false)),
            ("localityHint", Attribute::int(Type::int(context, 32), NEAREST)),
            ("isDataCache", Attribute::bool(context, true)),
        ];
        self.b.op("memref.prefetch", &[memref, at], &[], &attributes);
    }
}
