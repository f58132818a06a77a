//! Bools saved as bits: eight to a byte.
//!
//! ```text
//! packed[.., i] = sum_k bools[.., 8 i + k] * weight[k]          weights 1, 2, 4 .. 64, -128, in i8
//! bools[.., 8 i + k] = (packed[.., i] & weight[k]) != 0
//! ```

use fx_ir::{Attribute, DYNAMIC, Result, Type, Value};
use fx_ops::fx_builder::Fx;
use fx_ops::fx_op::Dim;

use super::graph::Info;

/// Smaller tensors are left alone.
const LEAST: u64 = 64;

/// How a tensor of bools becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Rows are whole bytes.
    Rows,
    /// All elements in one row, filled up with so many.
    Flat(i64),
}

fn form(info: &Info<'_>) -> Option<Form> {
    let ty = info.value.ty();
    if !ty.is_tensor() || !ty.element().is_bool() || info.elements() < LEAST {
        return None;
    }
    let shape = ty.shape();
    match shape.last() {
        Some(last) if *last != DYNAMIC && last % 8 == 0 => Some(Form::Rows),
        _ if shape.contains(&DYNAMIC) => None,
        _ => Some(Form::Flat((8 - shape.iter().product::<i64>() % 8) % 8)),
    }
}

/// Whether a value is saved as bits.
pub fn is_packed(info: &Info<'_>) -> bool {
    form(info).is_some()
}

/// Bytes that a saved value takes.
pub fn stored_bytes(info: &Info<'_>) -> u64 {
    if is_packed(info) { info.bytes.div_ceil(8) } else { info.bytes }
}

fn weights<'c>(f: &Fx<'c>) -> Result<Value<'c>> {
    let ty = Type::tensor(&[8], Type::int(f.context(), 8));
    let bytes: Vec<u8> = (0..8).map(|bit| 1 << bit).collect();
    match Attribute::dense(ty, &bytes) {
        Some(weights) => Ok(f.b.constant(weights, ty)),
        None => Err(fx_ir::emit_error(f.b.location(), "internal bug: eight bytes are no tensor of eight", &[])),
    }
}

fn filled<'c>(f: &Fx<'c>, x: Value<'c>, by: i64) -> Result<Value<'c>> {
    if by == 0 { Ok(x) } else { f.sized("fx.constant_pad_nd", &[x], "pad", &[Dim::Static(0), Dim::Static(by)], &[]) }
}

/// The bits of a value that [`is_packed`], which is `x` here.
///
/// # Errors
/// None that a caller can cause.
pub fn pack<'c>(f: &Fx<'c>, info: &Info<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let rows = match form(info) {
        Some(Form::Flat(by)) => {
            let flat = f.view(x, &[Dim::Static(-1)])?;
            filled(f, flat, by)?
        }
        _ => x,
    };
    let mut dims = f.dims(rows);
    let bytes = dims.pop().and_then(Dim::known).unwrap_or(0) / 8;
    dims.extend([Dim::Static(bytes), Dim::Static(8)]);
    let bits = f.view(rows, &dims)?;
    let byte = Type::int(f.context(), 8);
    let weighted = f.select(bits, weights(f)?, f.integer(0))?;
    let last = Attribute::i64s(f.context(), &[dims.len() as i64 - 1]);
    f.op("fx.sum", &[weighted], &[("dim", last), ("keepdim", Attribute::bool(f.context(), false)), ("dtype", Attribute::from_type(byte))])
}

/// The value from its bits.
///
/// # Errors
/// None that a caller can cause.
pub fn unpack<'c>(f: &Fx<'c>, info: &Info<'c>, bits: Value<'c>) -> Result<Value<'c>> {
    let mut dims = f.dims(bits);
    dims.push(Dim::Static(1));
    let spread = f.view(bits, &dims)?;
    let picked = f.op("fx.bitwise_and", &[spread, weights(f)?], &[])?;
    let bools = f.ne(picked, f.integer(0))?;
    let ty = info.value.ty();
    let whole = match form(info) {
        Some(Form::Flat(by)) => {
            let flat = f.view(bools, &[Dim::Static(-1)])?;
            filled(f, flat, -by)?
        }
        _ => bools,
    };
    let mut sizes = match form(info) {
        Some(Form::Rows) => f.dims(bits),
        _ => Vec::new(),
    };
    sizes.pop();
    let fixed = ty.shape();
    let sizes: Vec<_> = (0..fixed.len())
        .map(|dim| if fixed[dim] == DYNAMIC { sizes.get(dim).copied().unwrap_or(Dim::Static(-1)) } else { Dim::Static(fixed[dim]) })
        .collect();
    f.view(whole, &sizes)
}
