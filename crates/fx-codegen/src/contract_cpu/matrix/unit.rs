//! Instructions of the matrix unit: eight tiles, each of up to 16 rows of 64 bytes.
//!
//! Tiles are named by number, so LLVM neither allocates nor spills them; whoever emits code keeps track of what is in them.

use fx_ir::{Attribute, Builder, Op, Type, Value};

use crate::contract_cpu::sums::scratch;
use crate::eval::Eval;

/// Rows of a whole tile: rows of sums, or pairs of products of the second factor.
pub const ROWS: i64 = 16;
/// Columns of sums in a tile.
pub const COLUMNS: i64 = 16;
/// Products that one instruction adds to each sum.
pub const PRODUCTS: i64 = 32;
/// Numbers of a factor in a whole tile.
pub const NUMBERS: i64 = ROWS * PRODUCTS;
/// Bytes of a packed tile's row.
pub const ROW_BYTES: i64 = 64;

/// Tiles of sums: of two rows.
pub const SUMS: [i64; 2] = [0, 1];
/// The tile of the first factor.
pub const FIRST: i64 = 2;
/// The tile of the second factor.
pub const SECOND: i64 = 3;
/// How many tiles are used.
const USED: i64 = 4;

/// What names of LLVM's intrinsics for x86 begin with.
const PREFIX: &str = "llvm.x86.";
const CONFIGURE: &str = "llvm.x86.ldtilecfg";
const RELEASE: &str = "llvm.x86.tilerelease";
const ZERO: &str = "llvm.x86.tilezero";
const LOAD: &str = "llvm.x86.tileloadd64";
const LOAD_PASSING: &str = "llvm.x86.tileloaddt164";
const STORE: &str = "llvm.x86.tilestored64";
const MULTIPLY: &str = "llvm.x86.tdpbf16ps";

/// Whether a kernel's code uses the unit.
pub fn is_used(function: Op<'_>) -> bool {
    let mut used = false;
    function.walk(&mut |op| used |= op.text("intrin").is_some_and(|name| name.starts_with(PREFIX)));
    used
}

fn call<'c>(eval: &Eval<'c>, name: &str, operands: &[Value<'c>]) {
    let context = eval.context();
    let attributes = [
        ("intrin", Attribute::string(context, name)),
        ("operandSegmentSizes", Attribute::i32s(context, &[operands.len() as i32, 0])),
        ("op_bundle_sizes", Attribute::i32s(context, &[])),
    ];
    eval.b.op("llvm.call_intrinsic", operands, &[], &attributes);
}

/// Has all that a function rounds to bf16 rounded by one instruction; `arith-expand` would make ten of it, of integers.
pub fn round(eval: &Eval<'_>) {
    let Some(function) = eval.b.block().and_then(|block| block.parent()) else { return };
    let mut rounded = Vec::new();
    function.walk(&mut |op| {
        if op.name() == "arith.truncf" && op.result(0).ty().is_bf16() && op.operand(0).ty().is_f32() {
            rounded.push(op);
        }
    });
    for op in rounded {
        let value = Builder::before(op).value("llvm.fptrunc", &[op.operand(0)], op.result(0).ty(), &[]);
        op.replace(&[value]);
    }
}

fn number<'c>(eval: &Eval<'c>, tile: i64) -> Value<'c> {
    eval.b.int(Type::int(eval.context(), 8), tile)
}

/// A place in memory: its address, and how many bytes the next row lies behind.
#[derive(Clone, Copy)]
pub struct Place<'c> {
    address: Value<'c>,
    pitch: Value<'c>,
}

impl<'c> Place<'c> {
    /// The place of element `at` of a flat memref, with rows `pitch` bytes apart.
    pub fn new(eval: &mut Eval<'c>, memref: Value<'c>, at: Value<'c>, pitch: Value<'c>) -> Self {
        let start = eval.b.value("memref.extract_aligned_pointer_as_index", &[memref], at.ty(), &[]);
        let bytes = eval.index(i64::from(memref.ty().element().bit_width() / 8));
        let offset = eval.mul(at, bytes);
        Self { address: eval.add(start, offset), pitch }
    }

    /// The place some bytes further on.
    pub fn after(self, eval: &mut Eval<'c>, bytes: Value<'c>) -> Self {
        Self { address: eval.add(self.address, bytes), ..self }
    }

    fn operands(self, eval: &Eval<'c>) -> [Value<'c>; 2] {
        let context = eval.context();
        let word = |value: Value<'c>| eval.b.value("arith.index_cast", &[value], Type::int(context, 64), &[]);
        let (address, pitch) = (word(self.address), word(self.pitch));
        [pointer(eval, address), pitch]
    }
}

fn pointer<'c>(eval: &Eval<'c>, address: Value<'c>) -> Value<'c> {
    // Without the dialect of LLVM there is no such type; it is loaded by `configure`.
    let ty = Type::parse(eval.context(), "!llvm.ptr").unwrap_or(address.ty());
    eval.b.value("llvm.inttoptr", &[address], ty, &[])
}

/// Turns the unit on: tiles of sums and of the first factor have `rows` rows, all rows are of 64 bytes.
pub fn configure<'c>(eval: &mut Eval<'c>, rows: i64) {
    eval.context().get_or_load_dialect("llvm");
    let mut bytes = [0u8; 64];
    bytes[0] = 1; // the palette
    for tile in 0..USED {
        bytes[16 + 2 * tile as usize] = ROW_BYTES as u8;
        bytes[48 + tile as usize] = if tile == SECOND { ROWS } else { rows } as u8;
    }
    let word = Type::int(eval.context(), 64);
    let memory = scratch(eval, 8, word);
    for (i, word_bytes) in (0i64..).zip(bytes.chunks_exact(8)) {
        let value = word_bytes.iter().rev().fold(0i64, |value, byte| value << 8 | i64::from(*byte));
        let value = eval.b.int(word, value);
        let at = eval.index(i);
        eval.b.op("memref.store", &[value, memory, at], &[], &[]);
    }
    let start = eval.b.value("memref.extract_aligned_pointer_as_index", &[memory], Type::index(eval.context()), &[]);
    let start = eval.b.value("arith.index_cast", &[start], word, &[]);
    let start = pointer(eval, start);
    call(eval, CONFIGURE, &[start]);
}

/// Turns the unit off: its state is no longer saved when threads change.
pub fn release(eval: &Eval<'_>) {
    call(eval, RELEASE, &[]);
}

/// A tile of zeros.
pub fn zero(eval: &Eval<'_>, tile: i64) {
    call(eval, ZERO, &[number(eval, tile)]);
}

/// A tile from memory.
pub fn load<'c>(eval: &Eval<'c>, tile: i64, place: Place<'c>) {
    let [address, pitch] = place.operands(eval);
    call(eval, LOAD, &[number(eval, tile), address, pitch]);
}

/// A tile from memory that is not needed again soon: it need not stay in the first-level cache.
pub fn load_passing<'c>(eval: &Eval<'c>, tile: i64, place: Place<'c>) {
    let [address, pitch] = place.operands(eval);
    call(eval, LOAD_PASSING, &[number(eval, tile), address, pitch]);
}

/// A tile to memory.
pub fn store<'c>(eval: &Eval<'c>, tile: i64, place: Place<'c>) {
    let [address, pitch] = place.operands(eval);
    call(eval, STORE, &[number(eval, tile), address, pitch]);
}

/// `sums += first * second`: products of bf16, sums of f32.
pub fn multiply(eval: &Eval<'_>, sums: i64, first: i64, second: i64) {
    call(eval, MULTIPLY, &[number(eval, sums), number(eval, first), number(eval, second)]);
}
