//! Creation: tensors of numbers.

use fx_ir::{NumberKind, Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Lower, Operand};
use crate::rows::derivatives;
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.full", |cx, op| {
        let dims = cx.sizes(op, "size");
        filled(cx, op, dims)
    })
    .vjp(derivatives::shape::fill)
    .by(&["fill_value"]),
    lowered("fx.full_like", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        filled(cx, op, dims)
    })
    .vjp(derivatives::shape::fill)
    .by(&["fill_value"])
    .sizes_of(&["input"]),
    lowered("fx.new_full", |cx, op| {
        let dims = cx.sizes(op, "size");
        filled(cx, op, dims)
    })
    .vjp(derivatives::shape::fill)
    .by(&["fill_value"])
    .sizes_of(&["input"]),
    lowered("fx.scalar_tensor", |cx, op| {
        let value = op.operand("s")?;
        fill_from(cx, op, Vec::new(), value)
    })
    .constant("numbers that are no tensors have no gradients"),
    lowered("fx.arange", arange).constant("numbers that are no tensors have no gradients"),
    lowered("fx.fill", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        fill_from(cx, op, dims, op.operand("value")?)
    })
    .vjp(derivatives::shape::fill)
    .by(&["value"])
    .sizes_of(&["input"]),
    // Undefined contents are zeros.
    lowered("fx.empty", |cx, op| {
        let dims = cx.sizes(op, "size");
        zeros(cx, op, &dims)
    })
    .constant("its elements are undefined"),
    lowered("fx.new_empty", |cx, op| {
        let dims = cx.sizes(op, "size");
        zeros(cx, op, &dims)
    })
    .constant("its elements are undefined")
    .sizes_of(&["input"]),
    lowered("fx.empty_like", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        zeros(cx, op, &dims)
    })
    .constant("its elements are undefined")
    .sizes_of(&["input"]),
    lowered("fx.eye", |cx, op| {
        let element = op.result_element(0);
        let mut dims = cx.sizes(op, "n");
        dims.push(cx.sizes(op, "m").first().copied().unwrap_or(dims[0]));
        let result = cx.map(&dims, element, &[], |body, _| {
            let s = &body.s;
            let here = s.compare(Compare::Eq, body.as_number(body.index(0)), body.as_number(body.index(1)));
            s.cast(here, element)
        });
        cx.set(op.op.result(0), result);
        Ok(())
    })
    .constant("its operands say sizes and types alone"),
    lowered("fx.iota", |cx, op| {
        let element = op.result_element(0);
        let i64_type = Type::int(cx.context(), 64);
        let dims = cx.sizes(op, "length");
        let s = Scalars::new(cx.b);
        let number = |name: &str, absent: i64| {
            let value = cx.dim_value(cx.sizes(op, name).first().copied().unwrap_or(Dim::Static(absent)));
            s.cast(Number { value, ty: value.ty() }, i64_type)
        };
        let (start, step) = (number("start", 0), number("step", 1));
        let result = cx.map(&dims, element, &[], |body, _| {
            let s = &body.s;
            let i = s.cast(body.as_number(body.index(0)), i64_type);
            s.cast(s.add(start, s.mul(i, step)), element)
        });
        cx.set(op.op.result(0), result);
        Ok(())
    })
    .constant("its operands say sizes and types alone"),
    lowered("fx.linspace", |cx, op| points(cx, op, None))
        .tested_by("lit-tests/passes/fx-autodiff and opinfo: its operands are numbers but for tensors of rank 0")
        .vjp(derivatives::shape::linspace),
    lowered("fx.logspace", |cx, op| points(cx, op, Some(op.op.float("base").unwrap_or(10.0))))
        .tested_by("as linspace")
        .vjp(derivatives::shape::linspace),
];

fn zeros<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, dims: &[Dim<'c>]) -> Result {
    let zero = Scalars::new(cx.b).int(op.result_element(0), 0);
    let result = cx.fill(dims, zero);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `steps` points from `start` to `end`, each computed from the nearer end; powers of `base` if given.
fn points<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, base: Option<f64>) -> Result {
    let element = op.result_element(0);
    let f64_type = Type::f64(cx.context());
    let ty = match element.number_kind() {
        NumberKind::Complex => Type::complex(f64_type),
        NumberKind::Float => opmath(cx.context(), element),
        _ => f64_type,
    };
    let steps = op.int("steps")?;
    let index = Type::index(cx.context());
    let mut tensors = Vec::new();
    let mut numbers = Vec::new();
    for name in ["start", "end"] {
        let value = op.operand(name)?;
        if value.ty().is_tensor() {
            tensors.push(Operand { tensor: cx.tensor(value)?, map: Vec::new() });
            numbers.push(None);
        } else {
            numbers.push(Some(cx.scalar(value)));
        }
    }
    let result = cx.map(&[Dim::Static(steps)], element, &tensors, |body, a| {
        let s = &body.s;
        let mut read = a.iter();
        let ends: Vec<_> = numbers
            .iter()
            .map(|number| match number {
                Some(scalar) => s.from_scalar(*scalar, ty),
                None => read.next().map_or_else(|| s.constant(ty, 0.0), |number| s.cast(*number, ty)),
            })
            .collect();
        let i = body.as_number(body.index(0));
        let from_end = s.sub(s.int(index, steps - 1), i);
        let step = s.div(s.sub(ends[1], ends[0]), s.constant(ty, (steps - 1).max(1) as f64));
        let low = s.add(ends[0], s.mul(step, s.cast(i, ty)));
        let high = s.sub(ends[1], s.mul(step, s.cast(from_end, ty)));
        let x = if steps == 1 { low } else { s.select(s.compare(Compare::Lt, i, s.int(index, steps / 2)), low, high) };
        let x = match base {
            Some(base) if ty.is_complex() => {
                let angle = if base < 0.0 { std::f64::consts::PI } else { 0.0 };
                let log = s.complex(s.constant(f64_type, base.abs().ln()), s.constant(f64_type, angle));
                s.op("complex.exp", &[s.mul(x, log)])
            }
            Some(base) => s.op("math.powf", &[s.constant(ty, base), x]),
            None => x,
        };
        s.cast(x, element)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

fn filled<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, dims: Vec<Dim<'c>>) -> Result {
    let value = op.operand("fill_value")?;
    fill_from(cx, op, dims, value)
}

/// A tensor of one value, which is a number or a 0-d tensor.
fn fill_from<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, dims: Vec<Dim<'c>>, value: Value<'c>) -> Result {
    let element = op.result_element(0);
    let result = if value.ty().is_tensor() {
        let tensor = cx.tensor(value)?;
        cx.map(&dims, element, &[Operand { tensor, map: Vec::new() }], |body, a| body.s.cast(a[0], element))
    } else {
        let scalar = cx.scalar(value);
        cx.map(&dims, element, &[], |body, _| body.s.from_scalar(scalar, element))
    };
    cx.set(op.op.result(0), result);
    Ok(())
}

fn arange<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let element = op.result_element(0);
    let wide = if element.is_float() { Type::f64(cx.context()) } else { Type::int(cx.context(), 64) };
    let s = Scalars::new(cx.b);
    let start = s.from_scalar(cx.scalar(op.operand("start")?), wide);
    let step = match op.optional("step") {
        Some(step) => s.from_scalar(cx.scalar(step), wide),
        None => s.int(wide, 1),
    };
    let known = op.op.result(0).ty().shape()[0];
    let dim = if known == fx_ir::DYNAMIC {
        let end = s.from_scalar(cx.scalar(op.operand("end")?), wide);
        let span = s.sub(end, start);
        let index = Type::index(cx.context());
        let steps = if element.is_float() { s.op("math.ceil", &[s.div(span, step)]) } else { s.op("arith.ceildivsi", &[span, step]) };
        Dim::Dynamic(s.cast(s.cast(steps, Type::int(cx.context(), 64)), index).value)
    } else {
        Dim::Static(known)
    };
    let result = cx.map(&[dim], element, &[], |body, _| {
        let s = &body.s;
        let i = s.cast(body.as_number(body.index(0)), wide);
        s.cast(s.add(start, s.mul(i, step)), element)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}
