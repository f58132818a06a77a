//! Memory by its addresses, for what no dialect has.

use fx_ir::{Attribute, Builder, Result, Type, Value};

use crate::eval::{Eval, Memory};

/// Bits of a word.
pub const WORD: u32 = 32;
/// Words of an access, at most.
const MOST_WORDS: i64 = 4;
/// How an index that is no constant is written in a `getelementptr`.
const DYNAMIC: i32 = i32::MIN;

/// The global address of an element.
///
/// # Errors
/// If there is no LLVM dialect: an internal bug, reported.
pub fn address<'c>(eval: &mut Eval<'c>, memory: &Memory<'c>, place: Value<'c>) -> Result<Value<'c>> {
    let element = memory.memref.ty().element();
    let size = eval.index(i64::from(element.bit_width() / 8));
    let offset = eval.mul(place, size);
    let start = start(eval, memory);
    let address = eval.add(start, offset);
    let b = &eval.b;
    let word = b.value("arith.index_cast", &[address], Type::int(b.context(), 64), &[]);
    let generic = b.value("llvm.inttoptr", &[word], llvm_type(b, "!llvm.ptr")?, &[]);
    Ok(b.value("llvm.addrspacecast", &[generic], llvm_type(b, "!llvm.ptr<1>")?, &[]))
}

/// `count` words from an element on, whose place is a multiple of what they hold. Nothing writes to this memory meanwhile.
///
/// # Errors
/// If there is no LLVM dialect: an internal bug, reported.
pub fn words<'c>(eval: &mut Eval<'c>, memory: &Memory<'c>, place: Value<'c>, count: i64) -> Result<Vec<Value<'c>>> {
    let start = start(eval, memory);
    let b = &eval.b;
    let (double, word, pointer) = (Type::int(b.context(), 64), Type::int(b.context(), WORD), llvm_type(b, "!llvm.ptr")?);
    let to_int = |value: Value<'c>| b.value("arith.index_cast", &[value], double, &[]);
    let start = b.value("llvm.inttoptr", &[to_int(start)], pointer, &[]);
    let behind = |operands: &[Value<'c>], element: Type<'c>, index: i32| {
        let attributes = [("elem_type", Attribute::from_type(element)), ("rawConstantIndices", Attribute::i32s(b.context(), &[index]))];
        b.value("llvm.getelementptr", operands, pointer, &attributes)
    };
    let first = behind(&[start, to_int(place)], memory.memref.ty().element(), DYNAMIC);
    let load = |number: i64| {
        let address = behind(&[first], word, number as i32);
        // as much as divides the distance from the first one
        let aligned = if number == 0 { count.min(MOST_WORDS) } else { 1 << number.trailing_zeros().min(2) };
        let alignment = Attribute::i64(b.context(), aligned.min(count) * i64::from(WORD / 8));
        b.value("llvm.load", &[address], word, &[("alignment", alignment), ("invariant", Attribute::unit(b.context()))])
    };
    Ok((0..count).map(load).collect())
}

/// The address of the first element.
fn start<'c>(eval: &Eval<'c>, memory: &Memory<'c>) -> Value<'c> {
    eval.b.value("memref.extract_aligned_pointer_as_index", &[memory.memref], Type::index(eval.context()), &[])
}

fn llvm_type<'c>(b: &Builder<'c>, text: &str) -> Result<Type<'c>> {
    Type::parse(b.context(), text).ok_or_else(|| fx_ir::emit_error(b.location(), &format!("internal bug: '{text}' is no type"), &[]))
}
