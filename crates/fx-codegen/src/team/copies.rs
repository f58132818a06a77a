//! Copies into workgroup memory that go on beside other work (compute capability 8.0 and later).

use fx_ir::{Builder, Type, Value};

use crate::assembly::effect;

/// Bytes that one instruction copies, the most first.
pub const COPIED_BYTES: [i64; 3] = [16, 8, 4];

/// Starts to copy `bytes` bytes, one of [`COPIED_BYTES`] or a multiple of the first, to an address of workgroup memory from one
/// of memory. Both must be multiples of what one instruction copies. Neighbours are expected to copy
/// what is around it: the second-level cache fetches 128 bytes.
pub fn start<'c>(b: &Builder<'c>, to: Value<'c>, from: Value<'c>, bytes: i64) {
    let each = bytes.min(COPIED_BYTES[0]);
    // What is read once need not stay in the first-level cache; smaller copies have to pass it.
    let level = if each == COPIED_BYTES[0] { "cg" } else { "ca" };
    let mut code = "{ .reg .u64 place; cvta.to.global.u64 place, $1; ".to_string();
    for at in (0..bytes).step_by(each as usize) {
        code += &format!("cp.async.{level}.shared.global.L2::128B [$0+{at}], [place+{at}], {each}; ");
    }
    code.push('}');
    effect(b, &code, "r,l,~{memory}", &[to, from]);
}

/// Waits for the copies that this thread has started.
pub fn wait(b: &Builder<'_>) {
    effect(b, "cp.async.wait_all;", "~{memory}", &[]);
}

/// The address of memory, as `cp.async` takes it.
pub fn address<'c>(b: &Builder<'c>, memref: Value<'c>, is_shared: bool) -> Value<'c> {
    let index = b.value("memref.extract_aligned_pointer_as_index", &[memref], Type::index(b.context()), &[]);
    b.value("arith.index_cast", &[index], Type::int(b.context(), if is_shared { 32 } else { 64 }), &[])
}
