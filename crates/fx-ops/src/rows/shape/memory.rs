//! Elements by their place in memory, and their bits as other elements.

use fx_ir::{Result, Type, Value};

use super::{affine, read_at};
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Ix, Lower, Operand};
use crate::rows::derivatives;
use crate::rows::spatial::read_inside;
use crate::scalar::{Compare, Number, Scalars, storage_type};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.as_strided", as_strided).vjp(derivatives::shape::moved),
    lowered("fx.resize", resize).vjp(derivatives::shape::resize),
    lowered("fx.view_dtype", view_dtype).constant("bits of one type are no smooth function of those of another"),
    lowered("fx.view_as_complex", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dims = &input.dims[..input.rank() - 1];
        let result = cx.map(dims, op.result_element(0), &[], |body, _| {
            let part = |i: i64| {
                let mut at: Vec<_> = (0..dims.len()).map(|d| body.index(d)).collect();
                at.push(body.s.b.index(i));
                body.extract(&input, &at)
            };
            body.s.complex(part(0), part(1))
        });
        cx.set(op.op.result(0), result);
        Ok(())
    })
    .vjp(|b| b.only("input", b.op("fx.view_as_real", &[b.g()?], &[])?)),
    lowered("fx.view_as_real", |cx, op| {
        let input = cx.operand(op, "input")?;
        let dims = [input.dims.clone(), vec![Dim::Static(2)]].concat();
        let map = (0..input.rank()).map(Ix::Loop).collect();
        let rank = input.rank();
        let result = cx.map(&dims, op.result_element(0), &[Operand { tensor: input, map }], |body, a| {
            let (re, im) = body.s.parts(a[0]);
            let first = body.s.compare(Compare::Eq, body.as_number(body.index(rank)), body.as_number(body.s.b.index(0)));
            body.s.select(first, re, im)
        });
        cx.set(op.op.result(0), result);
        Ok(())
    })
    .vjp(|b| b.only("input", b.op("fx.view_as_complex", &[b.g()?], &[])?)),
];

/// Elements of the flattened input at `offset + sum of strides times indices`.
fn as_strided<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dims = cx.sizes(op, "size");
    let strides: Vec<_> = cx.sizes(op, "stride").into_iter().map(|dim| cx.dim_value(dim)).collect();
    let offset = cx.sizes(op, "storage_offset").first().copied().unwrap_or(Dim::Static(0));
    let offset = cx.dim_value(offset);
    check_reach(cx, op, &input.dims, &dims, &strides, offset);
    let flat = cx.reshape(&input, &[cx.product(&input.dims)]);
    let result = read_at(cx, &flat, &dims, |body, at| {
        vec![at.into_iter().zip(strides).fold(offset, |place, (i, stride)| affine(body, i, place, stride))]
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The first elements in another shape; what lies beyond them is undefined, here the last element.
fn resize<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dims = cx.sizes(op, "size");
    let total = cx.product(&input.dims);
    let flat = cx.reshape(&input, &[total]);
    let count = cx.dim_value(total);
    let wanted = cx.product(&dims);
    // elements beyond the tensor's are undefined
    let result = cx.map(&[wanted], input.element, &[], |body, _| {
        let place = body.index(0);
        let inside = body.s.compare(Compare::Lt, body.as_number(place), body.as_number(count));
        read_inside(body, &flat, &[place], inside, body.s.constant(input.element, 0.0))
    });
    let result = cx.reshape(&result, &dims);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Checks, at run time, that the last element of strided ones lies in the tensor; there may be none.
fn check_reach<'c>(cx: &Lower<'c>, op: FxOp<'c>, own: &[Dim<'c>], dims: &[Dim<'c>], strides: &[Value<'c>], offset: Value<'c>) {
    let s = Scalars::new(cx.b);
    let number = |value| Number { value, ty: Type::index(cx.context()) };
    let (zero, one) = (s.int(Type::index(cx.context()), 0), s.int(Type::index(cx.context()), 1));
    let (mut end, mut none) = (s.add(number(offset), one), s.int(Type::int(cx.context(), 1), 0));
    for (dim, stride) in dims.iter().zip(strides) {
        let size = number(cx.dim_value(*dim));
        end = s.add(end, s.mul(s.sub(size, one), number(*stride)));
        none = s.or(none, s.compare(Compare::Eq, size, zero));
    }
    let count = number(cx.dim_value(cx.product(own)));
    let fits = s.or(none, s.compare(Compare::Le, end, count));
    cx.check(fits.value, &format!("'{}' op reads beyond the tensor", op.op.name()));
}

/// The same bits as elements of another type, which may be wider or narrower: then the last size is. Both are cut into units,
/// of the narrower one's width; a complex number is two parts, the real one first, and a bool is a byte.
fn view_dtype<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let (from, to) = (input.element, op.result_element(0));
    let unit = part_width(from).min(part_width(to));
    let (own, wanted) = (units(from, unit), units(to, unit));
    let mut dims = input.dims.clone();
    let rank = dims.len();
    if let Some(last) = dims.last_mut() {
        *last = cx.floor_div(cx.mul(*last, Dim::Static(own)), Dim::Static(wanted));
    }
    let result = cx.map(&dims, to, &[], |body, _| {
        let s = &body.s;
        let mut at: Vec<_> = (0..rank).map(|i| body.index(i)).collect();
        let last = at.last().map(|last| body.as_number(*last));
        let mut read = |place: Option<Number<'c>>| {
            if let (Some(last), Some(place)) = (at.last_mut(), place) {
                *last = place.value;
            }
            to_units(s, body.extract(&input, &at), unit)
        };
        let number = |value: i64| s.int(Type::index(s.context()), value);
        let found = if own <= wanted {
            let several = wanted / own;
            let first = last.map(|last| if several == 1 { last } else { s.mul(last, number(several)) });
            (0..several).flat_map(|k| read(first.map(|first| if k == 0 { first } else { s.add(first, number(k)) }))).collect()
        } else {
            let parts = own / wanted;
            let all = read(last.map(|last| s.div(last, number(parts))));
            let part = last.map_or_else(|| number(0), |last| s.rem(last, number(parts)));
            let mut groups = all.chunks(wanted as usize).enumerate();
            let first = groups.next().map(|(_, group)| group.to_vec()).unwrap_or_default();
            groups.fold(first, |before, (k, group)| {
                let here = s.compare(Compare::Eq, part, number(k as i64));
                before.iter().zip(group).map(|(before, unit)| s.select(here, *unit, *before)).collect()
            })
        };
        from_units(s, &found, to)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Bits of one part of a number in memory.
fn part_width(ty: Type<'_>) -> i64 {
    (ty.element().bit_width() as i64).max(8)
}

/// How many units of a width a number has.
fn units(ty: Type<'_>, width: i64) -> i64 {
    part_width(ty) / width * if ty.is_complex() { 2 } else { 1 }
}

/// An unsigned integer of that width.
fn word<'c>(s: &Scalars<'c>, width: i64) -> Type<'c> {
    Type::unsigned(s.context(), width as u32)
}

/// The bits of a number as integers of a width, the lowest first.
fn to_units<'c>(s: &Scalars<'c>, number: Number<'c>, width: i64) -> Vec<Number<'c>> {
    if number.ty.is_complex() {
        let (re, im) = s.parts(number);
        return [to_units(s, re, width), to_units(s, im, width)].concat();
    }
    let whole = word(s, part_width(number.ty));
    let bits = if number.ty.is_bool() { s.cast(number, whole) } else { same_bits(s, number, whole) };
    let part = |k: i64| {
        let low = if k == 0 { bits } else { s.op("arith.shrui", &[bits, s.int(whole, k * width)]) };
        s.cast(low, word(s, width))
    };
    (0..units(number.ty, width)).map(part).collect()
}

/// The number of type `ty` whose bits are those of the units, all of one width.
fn from_units<'c>(s: &Scalars<'c>, units: &[Number<'c>], ty: Type<'c>) -> Number<'c> {
    if ty.is_complex() {
        let (re, im) = units.split_at(units.len() / 2);
        return s.complex(from_units(s, re, ty.element()), from_units(s, im, ty.element()));
    }
    let whole = word(s, part_width(ty));
    let step = part_width(ty) / units.len().max(1) as i64;
    let placed = units.iter().zip(0..).map(|(unit, k)| {
        let wide = s.cast(*unit, whole);
        if k == 0 { wide } else { s.op("arith.shli", &[wide, s.int(whole, k * step)]) }
    });
    let bits = placed.reduce(|all, unit| s.or(all, unit)).unwrap_or_else(|| s.int(whole, 0));
    if ty.is_bool() { s.cast(bits, ty) } else { same_bits(s, bits, ty) }
}

/// A number as one of another type of the same width.
fn same_bits<'c>(s: &Scalars<'c>, number: Number<'c>, ty: Type<'c>) -> Number<'c> {
    let (from, to) = (storage_type(number.ty), storage_type(ty));
    let value = if from == to { number.value } else { s.b.value("arith.bitcast", &[number.value], to, &[]) };
    Number { value, ty }
}
