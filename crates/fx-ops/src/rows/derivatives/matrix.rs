//! Of matrix products.

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::Dim;
use crate::gradient::{Back, conj};
use crate::rows::matrix::{Equation, Letter};
use crate::rows::norm::range;

/// The last two dims swapped, conjugated.
pub(super) fn adjoint<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let rank = x.ty().rank();
    let mut order: Vec<_> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    conj(f, f.permute(x, &order)?)
}

/// `A B`, of matrices or of batches of them: `g B^H` and `A^H g`.
pub fn product(b: &Back<'_>) -> Result {
    let multiply = if b.op.op.result(0).ty().rank() == 2 { "fx.mm" } else { "fx.bmm" };
    let (left, right) = (b.op.op.operand(0), b.op.op.operand(1));
    let g = b.g()?;
    if b.wants_place(0) {
        b.give_place(0, b.op(multiply, &[g, adjoint(b, b.widened(right)?)?], &[])?);
    }
    if b.wants_place(1) {
        b.give_place(1, b.op(multiply, &[adjoint(b, b.widened(left)?)?, g], &[])?);
    }
    Ok(())
}

/// A sum of products: for each operand the sum of products of the cotangent and the others, with its letters as the result's.
pub fn einsum(b: &Back<'_>) -> Result {
    let Equation { parts, kept } = Equation::of(b.op);
    let tensors = b.op.list("tensors");
    for (place, part) in parts.iter().enumerate() {
        if !b.wants_nth("tensors", place) {
            continue;
        }
        let (mut factors, mut letters) = (vec![b.g()?], vec![kept.as_slice()]);
        for (other, letters_of_other) in parts.iter().enumerate().filter(|(other, _)| *other != place) {
            factors.push(b.conj(b.widened(tensors[other])?)?);
            letters.push(letters_of_other);
        }
        // A letter of this operand alone was summed over: the same everywhere along its dim. Of a letter that it has twice, it
        // was the diagonal.
        let first = |dim: usize| !part[..dim].contains(&part[dim]);
        let known = |dim: usize| first(dim) && letters.iter().any(|list| list.contains(&part[dim]));
        let own: Vec<_> = (0..part.len()).filter(|dim| known(*dim)).collect();
        let result: Vec<_> = own.iter().map(|dim| part[*dim]).collect();
        let sum = b.op("fx.einsum", &factors, &[("equation", equation(b, &letters, &result)?)])?;
        let mut sizes = vec![Dim::Static(1); part.len()];
        own.iter().zip(b.dims(sum)).for_each(|(dim, size)| sizes[*dim] = size);
        let mut grad = b.view(sum, &sizes)?;
        for dim in (0..part.len()).filter(|dim| !first(*dim)) {
            let partner = part.iter().position(|letter| *letter == part[dim]).unwrap_or(dim);
            let size = b.dims(tensors[place])[dim];
            grad = b.select(diagonal(b, size, part.len(), partner, dim)?, grad, b.number(0.0))?;
        }
        b.give_nth("tensors", place, grad);
    }
    Ok(())
}

/// `ab,bc->ac`, of letters under other names.
fn equation<'c>(b: &Back<'c>, operands: &[&[Letter]], result: &[Letter]) -> Result<Attribute<'c>> {
    let mut seen: Vec<_> = operands.concat();
    seen.sort_unstable();
    seen.dedup();
    let names: Vec<_> = ('a'..='z').chain('A'..='Z').collect();
    if seen.len() > names.len() {
        return Err(b.op.error(&format!("cannot be differentiated with {} different dims", seen.len())));
    }
    let text = |letters: &[Letter]| letters.iter().filter_map(|letter| Some(names[seen.binary_search(letter).ok()?])).collect::<String>();
    let inputs: Vec<_> = operands.iter().map(|letters| text(letters)).collect();
    Ok(Attribute::string(b.context(), &format!("{}->{}", inputs.join(","), text(result))))
}

/// Where the indices in two dims are equal, both of `size`, broadcast to `rank` dims.
pub(super) fn diagonal<'c>(f: &Fx<'c>, size: Dim<'c>, rank: usize, first: usize, second: usize) -> Result<Value<'c>> {
    let along = |dim: usize| {
        let mut sizes = vec![Dim::Static(1); rank];
        sizes[dim] = size;
        f.view(range(f, size), &sizes)
    };
    f.eq(along(first)?, along(second)?)
}
