//! Asking for memory before it is read.

use fx_ir::{Attribute, Type, Value};

use super::Eval;

/// Bytes that a processor reads at a time.
pub const LINE_BYTES: i64 = 64;

/// Where a line should be when it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// In the first-level cache.
    Nearest,
    /// In the second-level cache.
    Near,
}

impl<'c> Eval<'c> {
    /// Asks for the cache line at a position of flat memory. It may lie behind the end: nothing is read then.
    pub fn fetch(&self, memref: Value<'c>, at: Value<'c>, cache: Cache) {
        let context = self.context();
        let locality = if cache == Cache::Nearest { 3 } else { 2 };
        let attributes = [
            ("isWrite", Attribute::bool(context, false)),
            ("localityHint", Attribute::int(Type::int(context, 32), locality)),
            ("isDataCache", Attribute::bool(context, true)),
        ];
        self.b.op("memref.prefetch", &[memref, at], &[], &attributes);
    }
}
