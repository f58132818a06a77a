//! Ops with regions, checks, exchanges of a group of one process.

use fx_interp::{Array, DType};

use super::{number_like, unary};
use crate::case::Case;
use crate::draw::{ALL, Draw, FLOATS, INTS, REALS, SMALL, WIDE};
use crate::{EXACT, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.all_gather_into_tensor", EXACT, |d| unary(d, ALL, SMALL).int("group_size", 1).text("group_name", "0")),
    row("fx.assert", EXACT, |d| {
        let dtype = d.pick(REALS);
        let shape = d.pick(&[&[][..], &[1, 1][..]]);
        let x = if d.flip() { d.array(dtype, shape, SMALL).into() } else { number_like(d, dtype, SMALL) };
        let zero = match &x {
            crate::case::Operand::Tensor(array, _) => array.number(0).is_some_and(|number| !number.truth()),
            crate::case::Operand::Number(number, _) => !number.truth(),
            crate::case::Operand::Index(size) => *size == 0,
        };
        Case::new(d).with("input", x).text("assert_msg", "a condition").typed(Vec::new()).failing(zero)
    }),
    row("fx.cond", EXACT, |d| {
        let x = tensor(d, 0);
        let shape = d.pick(&[&[][..], &[1][..]]);
        let p = d.array(DType::Bool, shape, SMALL);
        let case = Case::new(d).with("pred", p.clone()).with("x", x.clone());
        let (p, t) = (case.tensor_type(DType::Bool, p.shape()), case.tensor_type(x.dtype(), x.shape()));
        let text = format!(
            "fx.cond $0 : {p} -> ({t}, {t}) {{
    %y = fx.add $1, $1 : ({t}, {t}) -> {t}
    fx.yield %y, $1 : {t}, {t}
  }} else {{
    fx.yield $1, $1 : {t}, {t}
  }}"
        );
        case.statement(text, vec![t.clone(), t])
    }),
    row("fx.map", EXACT, |d| {
        let x = tensor(d, 1);
        let case = Case::new(d).with("xs", x.clone());
        let (t, r) = (case.tensor_type(x.dtype(), x.shape()), case.tensor_type(x.dtype(), &x.shape()[1..]));
        let text = format!(
            "fx.map $0 : ({t}) -> ({t}, {t}) {{
  ^bb0(%row: {r}):
    %y = fx.mul %row, %row : ({r}, {r}) -> {r}
    fx.yield %y, %row : {r}, {r}
  }}"
        );
        case.statement(text, vec![t.clone(), t])
    }),
    row("fx.reduce_scatter_tensor", EXACT, |d| {
        let reduce = d.pick(&["sum", "max", "avg"]);
        let shape = d.shape(1, 4);
        let dtype = d.pick(WIDE);
        let x = d.array(dtype, &shape, SMALL);
        Case::new(d).with("input", x).text("reduce_op", reduce).int("group_size", 1).text("group_name", "0")
    }),
    row("fx.scan", STABLE, |d| {
        let x = tensor(d, 1);
        let start = d.array(x.dtype(), &x.shape()[1..], SMALL);
        let case = Case::new(d).with("init", start).with("xs", x.clone());
        let (t, r) = (case.tensor_type(x.dtype(), x.shape()), case.tensor_type(x.dtype(), &x.shape()[1..]));
        let text = format!(
            "fx.scan init($0) xs($1) : ({r}, {t}) -> ({r}, {t}, {t}) {{
  ^bb0(%carry: {r}, %row: {r}):
    %next = fx.add %carry, %row : ({r}, {r}) -> {r}
    fx.yield %next, %carry, %next : {r}, {r}, {r}
  }}"
        );
        case.statement(text, vec![r, t.clone(), t])
    }),
    row("fx.wait_tensor", EXACT, |d| super::one(d, "tensor", ALL, SMALL)),
    row("fx.while_loop", STABLE, |d| {
        let x = tensor(d, 0);
        let limit = d.between(0, 4);
        let count = |n: i64| Array::new(DType::I64, &[], vec![n]).expect("one number");
        let case = Case::new(d).with("init", count(0)).with("limit", count(limit)).with("x", x.clone());
        let t = case.tensor_type(x.dtype(), x.shape());
        let text = format!(
            "fx.while_loop($0, $2) : (tensor<i64>, {t}) -> (tensor<i64>, {t}) {{
  ^bb0(%i: tensor<i64>, %v: {t}):
    %more = fx.lt %i, $1 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    fx.yield %more : tensor<i1>
  }} do {{
  ^bb0(%i: tensor<i64>, %v: {t}):
    %one = arith.constant 1 : i64
    %j = fx.add %i, %one : (tensor<i64>, i64) -> tensor<i64>
    %w = fx.add %v, $2 : ({t}, {t}) -> {t}
    fx.yield %j, %w : tensor<i64>, {t}
  }}"
        );
        case.statement(text, vec!["tensor<i64>".into(), t])
    }),
];

/// A tensor of numbers. Without rows no row tells its sizes, so there are rows, unless all sizes are known.
fn tensor(d: &mut Draw<'_>, least: usize) -> Array {
    let dtype = if d.flip() { d.pick(INTS) } else { d.pick(FLOATS) };
    let mut shape = d.shape(least, 4);
    if least > 0 && d.mask() != 0 {
        shape[0] = shape[0].max(1);
    }
    d.array(dtype, &shape, SMALL)
}
