//! Vectorisation: an op for each index of a further first dim that some of its operands have.
//!
//! Pointwise ops align the ranks of their operands, composite ops are decomposed; for others a row may have a rule, of those
//! below, of [`convolution`] or of [`indexing`]. What has none runs in a loop (`fx.map`), which is always right.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::sizes::times;

pub mod convolution;
pub mod indexing;

/// An operand: the value, and whether it has the further dim.
pub type Operand<'c> = (Value<'c>, bool);

/// One op that is vectorised. It builds at the op's place.
pub struct Batch<'c> {
    /// What builds.
    pub f: Fx<'c>,
    /// The op; types of its operands may be those of vectorised ones.
    pub op: FxOp<'c>,
    /// Its operands.
    pub operands: Vec<Operand<'c>>,
    /// Ranks of the operands without the further dim.
    pub ranks: Vec<usize>,
    /// Size of the further dim.
    pub size: Dim<'c>,
}

impl<'c> Batch<'c> {
    /// Operand `place` with the further dim, repeated along it if it has none.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn batched(&self, place: usize) -> Result<Value<'c>> {
        let (value, batched) = self.operands[place];
        if batched { Ok(value) } else { repeated(&self.f, value, self.size) }
    }

    /// The only operand with tensors that has the further dim, if it is the one at `place`.
    pub fn is_only(&self, place: usize) -> bool {
        self.operands.iter().enumerate().all(|(i, (_, batched))| *batched == (i == place))
    }

    /// The same op on other operands, with some attributes changed.
    ///
    /// # Errors
    /// If the dialect refuses it: reported.
    pub fn rebuild(&self, operands: &[Value<'c>], changed: &[(&str, Attribute<'c>)]) -> Result<Vec<Value<'c>>> {
        let mut attributes = self.op.op.attributes();
        attributes.retain(|(name, _)| !changed.iter().any(|(other, _)| other == name));
        attributes.extend_from_slice(changed);
        Ok(self.f.b.infer(self.op.op.name(), operands, &attributes)?.results())
    }

    /// The values of operands, with the first replaced.
    fn with_first(&self, first: Value<'c>) -> Vec<Value<'c>> {
        let rest = self.operands.iter().skip(1).map(|(value, _)| *value);
        std::iter::once(first).chain(rest).collect()
    }
}

/// A tensor repeated along a further first dim.
///
/// # Errors
/// None that a caller can cause.
pub fn repeated<'c>(f: &Fx<'c>, value: Value<'c>, size: Dim<'c>) -> Result<Value<'c>> {
    let sizes: Vec<_> = std::iter::once(size).chain(f.dims(value)).collect();
    f.expand(value, &sizes)
}

/// The operands with their ranks aligned: dims of size 1 after the further one. Where all tensors are of rank 0 all get the further
/// dim: those without dims count less when types are promoted.
fn aligned_operands<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks.iter().copied().max().unwrap_or(0);
    let aligned = |place: usize| match b.operands[place] {
        (value, true) => with_ones(&b.f, value, rank - b.ranks[place]),
        (value, false) if rank == 0 && value.ty().is_tensor() => repeated(&b.f, value, b.size),
        (value, false) => Ok(value),
    };
    (0..b.operands.len()).map(aligned).collect()
}

/// The values as tensors of the types that the op's results have: operands of rank 0 count less when types are promoted, so they
/// may be of others.
fn as_results<'c>(b: &Batch<'c>, found: Vec<Value<'c>>) -> Result<Vec<Value<'c>>> {
    let wanted = b.op.op.results().into_iter().map(|result| result.ty().element());
    found.into_iter().zip(wanted).map(|(value, element)| b.f.cast(value, element)).collect()
}

/// An op that computes each element from one of each operand.
///
/// # Errors
/// If the dialect refuses it: reported.
pub fn aligned<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    as_results(b, b.rebuild(&aligned_operands(b)?, &[])?)
}

/// As [`aligned`], but its last operand must be of rank 0: it is a choice where that differs.
///
/// # Errors
/// If the dialect refuses it: reported.
pub fn masked_fill<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let operands = aligned_operands(b)?;
    match operands[..] {
        [input, mask, value] if value.ty().is_tensor() && value.ty().rank() > 0 => as_results(b, vec![b.f.select(mask, value, input)?]),
        _ => aligned(b),
    }
}

/// A dim of the op as it is with a further one before it.
fn moved(dim: i64, rank: usize) -> i64 {
    let dim = if dim < 0 { dim + rank.max(1) as i64 } else { dim };
    dim + 1
}

/// Dims moved; none means all.
fn moved_dims(dims: Option<Vec<i64>>, rank: usize) -> Vec<i64> {
    match dims {
        Some(dims) if !dims.is_empty() => dims.into_iter().map(|dim| moved(dim, rank)).collect(),
        _ => (1..=rank as i64).collect(),
    }
}

/// An op of one tensor with one dim, `dim`, whose results have the rank of the operand, or one less.
pub fn along<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks[0];
    let Some(dim) = b.op.op.int("dim").filter(|_| rank > 0 && b.is_only(0)) else { return in_loop() };
    let dim = moved(dim, rank);
    b.rebuild(&b.with_first(b.operands[0].0), &[("dim", Attribute::i64(b.f.context(), dim))])
}

/// Parts of one tensor along `dim`: as many as there are results.
pub fn parts<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks[0];
    let Some(dim) = b.op.op.int("dim").filter(|_| rank > 0 && b.is_only(0)) else { return in_loop() };
    let context = b.f.context();
    let mut attributes = b.op.op.attributes();
    attributes.retain(|(name, _)| *name != "dim");
    attributes.push(("dim", Attribute::i64(context, moved(dim, rank))));
    let further = |ty: Type<'c>| Type::tensor(&[&[b.size.in_type()], &ty.shape()[..]].concat(), ty.element());
    let types: Vec<_> = b.op.op.results().into_iter().map(|result| further(result.ty())).collect();
    Ok(b.f.b.op(b.op.op.name(), &b.with_first(b.operands[0].0), &types, &attributes).results())
}

/// A reduction over the dims `dim`, absent ones meaning all. Of rank 0 it is a loop.
pub fn reduced<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks[0];
    if rank == 0 || !b.is_only(0) {
        return in_loop();
    }
    let dims = moved_dims(b.op.op.ints("dim"), rank);
    b.rebuild(&b.with_first(b.operands[0].0), &[("dim", Attribute::i64s(b.f.context(), &dims))])
}

/// An op of one tensor with the list of dims `dims`, all of them named.
pub fn listed<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let dims: Vec<_> = b.op.op.ints("dims").unwrap_or_default().into_iter().map(|dim| moved(dim, b.ranks[0])).collect();
    b.rebuild(&b.with_first(b.operands[0].0), &[("dims", Attribute::i64s(b.f.context(), &dims))])
}

/// Dims in another order: the further one stays first.
pub fn permute<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let dims = b.op.op.ints("dims").unwrap_or_default().into_iter().map(|dim| moved(dim, b.ranks[0]));
    let dims: Vec<_> = std::iter::once(0).chain(dims).collect();
    b.rebuild(&b.with_first(b.operands[0].0), &[("dims", Attribute::i64s(b.f.context(), &dims))])
}

/// The same elements in another shape.
pub fn view<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let sizes: Vec<_> = std::iter::once(b.size).chain(b.op.sizes("size")).collect();
    Ok(vec![b.f.view(b.operands[0].0, &sizes)?])
}

/// Dims of size 1 repeated, and further ones before the others: the operand gets those first.
pub fn expand<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let mut sizes = b.op.sizes("size");
    let missing = sizes.len().saturating_sub(b.ranks[0]);
    let x = with_ones(&b.f, b.operands[0].0, missing)?;
    sizes.insert(0, b.size);
    Ok(vec![b.f.expand(x, &sizes)?])
}

/// A tensor with dims of size 1 after its first.
///
/// # Errors
/// None that a caller can cause.
pub fn with_ones<'c>(f: &Fx<'c>, x: Value<'c>, count: usize) -> Result<Value<'c>> {
    if count == 0 {
        return Ok(x);
    }
    let own = f.dims(x);
    let ones = std::iter::repeat_n(Dim::Static(1), count);
    f.view(x, &own[..1].iter().copied().chain(ones).chain(own[1..].iter().copied()).collect::<Vec<_>>())
}

/// A further dim at `dim`.
pub fn unsqueeze<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let dim = moved(b.op.op.int("dim").unwrap_or(0), b.ranks[0] + 1);
    b.rebuild(&b.with_first(b.operands[0].0), &[("dim", Attribute::i64(b.f.context(), dim))])
}

/// A list of tensors joined along `dim`.
pub fn joined<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let rank = b.ranks.iter().copied().max().unwrap_or(0);
    if b.ranks.iter().any(|own| *own != rank) || rank == 0 {
        return in_loop();
    }
    let operands = (0..b.operands.len()).map(|place| b.batched(place)).collect::<Result<Vec<_>>>()?;
    let stacked = usize::from(b.op.op.result(0).ty().rank() > rank);
    let dim = moved(b.op.op.int("dim").unwrap_or(0), rank + stacked);
    b.rebuild(&operands, &[("dim", Attribute::i64(b.f.context(), dim))])
}

/// Products of matrices.
pub fn product<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    Ok(vec![b.f.bmm(b.batched(0)?, b.batched(1)?)?])
}

/// Products of batches of matrices: both batches as one.
pub fn batch_product<'c>(b: &Batch<'c>) -> Result<Vec<Value<'c>>> {
    let flat = |place: usize| -> Result<(Vec<Dim<'c>>, Value<'c>)> {
        let x = b.batched(place)?;
        let dims = b.f.dims(x);
        let batch = times(&b.f, dims[0], dims[1]);
        let view = b.f.view(x, &[batch, dims[2], dims[3]])?;
        Ok((dims, view))
    };
    let ((left_dims, left), (right_dims, right)) = (flat(0)?, flat(1)?);
    let y = b.f.bmm(left, right)?;
    Ok(vec![b.f.view(y, &[left_dims[0], left_dims[1], left_dims[2], right_dims[3]])?])
}

/// What a rule gives that does not know the form: the op runs in a loop.
fn in_loop<'c>() -> Result<Vec<Value<'c>>> {
    Ok(Vec::new())
}
