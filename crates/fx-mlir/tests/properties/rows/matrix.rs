//! Products, contractions, distances, recurrent networks, attention.

use fx_interp::{Array, DType, Number};

use super::{factor, real};
use crate::case::{Case, Operand};
use crate::draw::{ALL, Domain, Draw, FLOAT_OR_COMPLEX, FLOATS, LINALG, NUMBERS, SMALL, WIDE};
use crate::{NORM, Row, STABLE, row};

/// The table.
pub const ROWS: &[Row] = &[
    row("fx.addbmm", STABLE, |d| {
        let [b, n, k, m] = four(d);
        added(d, ["batch1", "batch2"], [&[b, n, k], &[b, k, m]], &[n, m])
    }),
    row("fx.addmm", STABLE, |d| {
        let [n, k, m, _] = four(d);
        added(d, ["mat1", "mat2"], [&[n, k], &[k, m]], &[n, m])
    }),
    row("fx.addmv", STABLE, |d| {
        let [n, k, ..] = four(d);
        added(d, ["mat", "vec"], [&[n, k], &[k]], &[n])
    }),
    row("fx.addr", STABLE, |d| {
        let [n, m, ..] = four(d);
        added(d, ["vec1", "vec2"], [&[n], &[m]], &[n, m])
    }),
    row("fx.baddbmm", STABLE, |d| {
        let [b, n, k, m] = four(d);
        added(d, ["batch1", "batch2"], [&[b, n, k], &[b, k, m]], &[b, n, m])
    }),
    row("fx.bilinear", STABLE, |d| {
        let (dtype, mut shape, [i, j, o, _]) = (d.pick(FLOATS), d.shape(0, 2), four(d));
        let weight = d.array(dtype, &[o, i, j], SMALL);
        let bias = d.maybe(|d| d.array(dtype, &[o], SMALL));
        shape.push(i);
        let x = d.array(dtype, &shape, SMALL);
        let last = shape.len() - 1;
        shape[last] = j;
        let y = d.array(dtype, &shape, SMALL);
        Case::new(d).with("input1", x).with("input2", y).with("weight", weight).maybe(bias, |c, x| c.with("bias", x))
    }),
    row("fx.bmm", STABLE, |d| {
        let [b, n, k, m] = four(d);
        product(d, ["input", "mat2"], NUMBERS, &[b, n, k], &[b, k, m], true)
    }),
    row("fx.cdist", STABLE, |d| {
        let p = d.pick(&[2.0, 1.0, 0.0, 3.0, 1.5, f64::INFINITY]);
        let mode = d.maybe(|d| d.between(0, 2));
        let ([x, y], _) = points(d, WIDE);
        Case::new(d).with("x1", x).with("x2", y).float("p", p).maybe(mode, |c, x| c.int("compute_mode", x))
    }),
    row("fx.cdist_backward", STABLE, |d| {
        let p = d.pick(&[2.0, 1.0, 0.0, 3.0, 1.5]);
        let ([x, y], shape) = points(d, WIDE);
        let dtype = x.dtype();
        let (g, distance) = (d.array(dtype, &shape, SMALL), d.array(dtype, &shape, Domain::Range(0.5, 4.0)));
        Case::new(d).with("grad", g).with("x1", x).with("x2", y).float("p", p).with("cdist", distance)
    }),
    row("fx.cross", STABLE, |d| {
        let dtype = d.pick(NUMBERS);
        let mut shape = d.shape(1, 3);
        let dim = d.below(shape.len());
        shape[dim] = 3;
        let mut shapes = [shape.clone(), shape.clone()];
        for shape in &mut shapes {
            for (k, size) in shape.iter_mut().enumerate() {
                if k != dim && d.once_in(5) {
                    *size = 1;
                }
            }
        }
        // without a dim it is the first of size 3 of the result
        let first = shape.iter().position(|size| *size == 3) == Some(dim) && shapes[0] == shape;
        let named = if first && d.flip() { None } else { Some(dim as i64) };
        let (x, y) = (d.array(dtype, &shapes[0], SMALL), d.array(dtype, &shapes[1], SMALL));
        // the size of 3 must be known
        d.all_known();
        Case::new(d).with("input", x).with("other", y).maybe(named, |c, dim| c.int("dim", dim))
    }),
    row("fx.dot", STABLE, |d| {
        let n = d.size();
        product(d, ["input", "tensor"], NUMBERS, &[n], &[n], false)
    }),
    row("fx.einsum", STABLE, einsum),
    row("fx.fft_c2c", NORM, |d| {
        let (dtype, shape) = (d.pick(&[DType::C64, DType::C128]), d.filled_shape(1, 4));
        let (x, dims) = (d.array(dtype, &shape, SMALL), some_dims(d, shape.len()));
        let (scale, forward) = (d.maybe(|d| d.between(0, 2)), d.flip());
        Case::new(d).with("input", x).ints("dim", &dims).bool("forward", forward).maybe(scale, |c, x| c.int("normalization", x))
    }),
    row("fx.fft_c2r", NORM, |d| {
        let (dtype, mut shape) = (d.pick(&[DType::C64, DType::C128]), d.filled_shape(1, 4));
        let (dims, size) = (some_dims(d, shape.len()), d.positive());
        let last = dims[dims.len() - 1].rem_euclid(shape.len() as i64) as usize;
        shape[last] = size / 2 + 1;
        let (x, scale) = (d.array(dtype, &shape, SMALL), d.maybe(|d| d.between(0, 2)));
        let case = Case::new(d).with("input", x).ints("dim", &dims).sizes("last_dim_size", &[size as i64]);
        case.maybe(scale, |c, x| c.int("normalization", x))
    }),
    row("fx.fft_r2c", NORM, |d| {
        let (dtype, shape) = (d.pick(WIDE), d.filled_shape(1, 4));
        let (x, dims) = (d.array(dtype, &shape, SMALL), some_dims(d, shape.len()));
        let (scale, onesided) = (d.maybe(|d| d.between(0, 2)), d.flip());
        Case::new(d).with("input", x).ints("dim", &dims).bool("onesided", onesided).maybe(scale, |c, x| c.int("normalization", x))
    }),
    row("fx.gru", STABLE, |d| recurrent(d, 3, 1)),
    row("fx.inner", STABLE, |d| {
        let k = d.size();
        let (mut a, mut b) = (d.shape(0, 2), d.shape(0, 2));
        if d.once_in(6) {
            a.clear();
        } else {
            a.push(k);
            b.push(k);
        }
        product(d, ["input", "other"], NUMBERS, &a, &b, false)
    }),
    row("fx.int_mm", STABLE, |d| {
        let [n, k, m, _] = four(d);
        let (a, b) = (d.array(DType::I8, &[n, k], Domain::Special), d.array(DType::I8, &[k, m], Domain::Special));
        Case::new(d).with("input", a).with("mat2", b)
    }),
    row("fx.kron", STABLE, |d| {
        let (a, b) = (d.shape(0, 3), d.shape(0, 3));
        let [x, y] = super::two_dtypes(d, ALL);
        let (x, y) = (d.array(x, &a, SMALL), d.array(y, &b, SMALL));
        Case::new(d).with("input", x).with("other", y)
    }),
    row("fx.linear", STABLE, |d| {
        let (dtype, mut shape, [k, o, ..]) = (d.pick(FLOAT_OR_COMPLEX), d.shape(0, 3), four(d));
        shape.push(k);
        let one = d.once_in(5);
        let weight: Vec<usize> = if one { vec![k] } else { vec![o, k] };
        let bias = d.maybe(|d| d.array(dtype, if one { &[] } else { std::slice::from_ref(&o) }, SMALL));
        let (x, w) = (d.array(dtype, &shape, SMALL), d.array(dtype, &weight, SMALL));
        Case::new(d).with("input", x).with("weight", w).maybe(bias, |c, x| c.with("bias", x))
    }),
    row("fx.lstm", STABLE, |d| recurrent(d, 4, 2)),
    row("fx.matmul", STABLE, |d| {
        let [n, k, m, _] = four(d);
        let batch = d.shape(0, 2);
        let (mut a, mut b) = (d.broadcast_from(&batch), d.broadcast_from(&batch));
        match d.below(6) {
            4 => a = vec![k],
            _ => a.extend([n, k]),
        }
        match d.below(6) {
            4 => b = vec![k],
            _ => b.extend([k, m]),
        }
        product(d, ["input", "other"], NUMBERS, &a, &b, false)
    }),
    row("fx.mm", STABLE, |d| {
        let [n, k, m, _] = four(d);
        product(d, ["input", "mat2"], NUMBERS, &[n, k], &[k, m], true)
    }),
    row("fx.mv", STABLE, |d| {
        let [n, k, ..] = four(d);
        product(d, ["input", "vec"], NUMBERS, &[n, k], &[k], false)
    }),
    row("fx.outer", STABLE, |d| {
        let [n, m, ..] = four(d);
        let [x, y] = super::two_dtypes(d, ALL);
        let (x, y) = (d.array(x, &[n], SMALL), d.array(y, &[m], SMALL));
        Case::new(d).with("input", x).with("vec2", y)
    }),
    row("fx.pdist", STABLE, |d| {
        let (dtype, n, m, p) = (d.pick(WIDE), d.size(), d.size(), d.pick(&[2.0, 1.0, 0.0, 3.0, 1.5, f64::INFINITY]));
        let x = d.array(dtype, &[n, m], SMALL);
        Case::new(d).with("input", x).float("p", p)
    }),
    row("fx.pdist_backward", STABLE, |d| {
        let (dtype, n, m, p) = (d.pick(WIDE), d.size(), d.size(), d.pick(&[2.0, 1.0, 0.0, 3.0, 1.5]));
        let pairs = [n * n.saturating_sub(1) / 2];
        let (x, g, distance) =
            (d.array(dtype, &[n, m], SMALL), d.array(dtype, &pairs, SMALL), d.array(dtype, &pairs, Domain::Range(0.5, 4.0)));
        Case::new(d).with("grad", g).with("input", x).float("p", p).with("pdist", distance)
    }),
    row("fx.rnn_relu", STABLE, |d| recurrent(d, 1, 1)),
    row("fx.rnn_tanh", STABLE, |d| recurrent(d, 1, 1)),
    row("fx.scaled_dot_product_attention", STABLE, |d| {
        let dtype = d.pick(FLOATS);
        let [l, s, e, ev] = [d.positive(), d.positive(), d.positive(), d.positive()];
        let batch = d.filled_shape(0, 2);
        let [q, k, v] = [[l, e], [s, e], [s, ev]].map(|last| d.array(dtype, &[&batch[..], &last[..]].concat(), SMALL));
        let case = Case::new(d).with("query", q).with("key", k).with("value", v);
        let case = match d.below(4) {
            1 => case.bool("is_causal", true),
            2 => case.with("attn_mask", mask(d, dtype, &[l, s])),
            3 => case.with("attn_mask", mask(d, DType::Bool, &[l, s])),
            _ => case,
        };
        let scale = d.maybe(|d| real(d, 0.25, 2.0));
        case.maybe(scale, |c, x| c.float("scale", x))
    }),
    row("fx.scaled_dot_product_flash_attention_for_cpu", STABLE, |d| flash(d, false)),
    row("fx.scaled_dot_product_flash_attention_for_cpu_backward", STABLE, |d| flash(d, true)),
    row("fx.tensordot", STABLE, |d| {
        let dtype = d.pick(NUMBERS);
        let (a, free) = (d.shape(0, 3), d.shape(0, 2));
        let count = d.below(a.len() + 1);
        let pairs = d.stream().permutation(a.len());
        let mut b: Vec<usize> = pairs[..count].iter().map(|dim| a[*dim]).collect();
        b.extend(free);
        let order = d.stream().permutation(b.len());
        let shuffled: Vec<usize> = order.iter().map(|dim| b[*dim]).collect();
        let place = |dim: usize| order.iter().position(|own| *own == dim).unwrap_or(0) as i64;
        let other: Vec<i64> = (0..count).map(place).collect();
        let own: Vec<i64> = pairs[..count].iter().map(|dim| *dim as i64).collect();
        let (x, y) = (d.array(dtype, &a, SMALL), d.array(dtype, &shuffled, SMALL));
        Case::new(d).with("input", x).with("other", y).ints("dims_self", &own).ints("dims_other", &other)
    }),
    row("fx.trilinear", STABLE, |d| {
        let (dtype, shape) = (d.pick(FLOATS), d.shape(1, 3));
        let rank = shape.len();
        let mut case = Case::new(d);
        for (name, list) in [("i1", "expand1"), ("i2", "expand2"), ("i3", "expand3")] {
            let expanded: Vec<usize> = (0..rank).filter(|_| d.once_in(3)).collect();
            let own: Vec<usize> = (0..rank).filter(|dim| !expanded.contains(dim)).map(|dim| shape[dim]).collect();
            let x = d.array(dtype, &own, SMALL);
            case = case.with(name, x).ints(list, &super::shape::signed(&expanded));
        }
        let summed: Vec<i64> = (0..rank as i64).filter(|_| d.flip()).collect();
        case.ints("sumdim", &summed)
    }),
    row("fx.vdot", STABLE, |d| {
        let n = d.size();
        product(d, ["input", "other"], LINALG, &[n], &[n], false)
    }),
];

fn four(d: &mut Draw<'_>) -> [usize; 4] {
    [d.size(), d.size(), d.size(), d.size()]
}

/// Two operands of one type; half precision may give f32.
fn product(d: &mut Draw<'_>, names: [&'static str; 2], dtypes: &[DType], a: &[usize], b: &[usize], wide: bool) -> Case {
    let dtype = d.pick(dtypes);
    let (x, y) = (d.array(dtype, a, SMALL), d.array(dtype, b, SMALL));
    let half = matches!(dtype, DType::F16 | DType::BF16);
    let case = Case::new(d).with(names[0], x).with(names[1], y);
    if wide && half && d.flip() { case.dtype("out_dtype", DType::F32) } else { case }
}

/// A product added to what broadcasts to it. A beta of 0 leaves out even NaN.
fn added(d: &mut Draw<'_>, names: [&'static str; 2], shapes: [&[usize]; 2], result: &[usize]) -> Case {
    let dtype = d.pick(NUMBERS);
    let floats = dtype.is_float();
    let numbers = |d: &mut Draw<'_>| if floats { factor(d, -2.0, 2.0) } else { Number::Int(d.between(0, 3)) };
    let (beta, alpha) = (d.maybe(|d| if d.once_in(3) { Number::Int(0) } else { numbers(d) }), d.maybe(numbers));
    let own = d.broadcast_from(result);
    let domain = if beta == Some(Number::Int(0)) { Domain::SpecialFloats } else { SMALL };
    let input = d.array(dtype, &own, domain);
    let (x, y) = (d.array(dtype, shapes[0], SMALL), d.array(dtype, shapes[1], SMALL));
    let case = Case::new(d).with("input", input).with(names[0], x).with(names[1], y);
    case.maybe(beta, |c, x| c.number("beta", x)).maybe(alpha, |c, x| c.number("alpha", x))
}

/// Rows of points whose batch dims broadcast, and the shape of their distances.
fn points(d: &mut Draw<'_>, dtypes: &[DType]) -> ([Array; 2], Vec<usize>) {
    let dtype = d.pick(dtypes);
    let (batch, [n, m, k, _]) = (d.filled_shape(0, 2), four(d));
    let shapes = [[d.broadcast_from(&batch), vec![n, k]].concat(), [batch.clone(), vec![m, k]].concat()];
    let arrays = [d.array(dtype, &shapes[0], SMALL), d.array(dtype, &shapes[1], SMALL)];
    (arrays, [batch, vec![n, m]].concat())
}

/// At least one dim.
fn some_dims(d: &mut Draw<'_>, rank: usize) -> Vec<i64> {
    let count = d.between(1, rank as i64) as usize;
    d.order(rank)[..count].to_vec()
}

fn einsum(d: &mut Draw<'_>) -> Case {
    const EQUATIONS: &[&str] = &[
        "ij,jk->ik",
        "ij,jk",
        "bij,bjk->bik",
        "i,i->",
        "i,j->ij",
        "ij->ji",
        "ij->",
        "ij->i",
        "ii->i",
        "ii->",
        "ii",
        "ij,ij->ij",
        "abc,cd->abd",
        "...ij,...jk->...ik",
        "...i->...",
        "i...,i...->i...",
        "ij,jk,kl->il",
        "abi,ibc->ac",
        "ba,ca->bc",
        "aab->b",
        "Ab,bA",
        "ij,kl->ikjl",
        "bhqd,bhkd->bhqk",
        "a,b,c->abc",
        "ijk->kji",
    ];
    let equation = d.pick(EQUATIONS);
    let dtype = d.pick(&[DType::F32, DType::F64, DType::F16, DType::BF16, DType::C64, DType::C128, DType::I64]);
    let sizes: Vec<usize> = (0..26).map(|_| d.size()).collect();
    let more = d.shape(0, 1);
    let (operands, _) = equation.split_once("->").unwrap_or((equation, ""));
    let mut case = Case::new(d).text("equation", equation);
    for operand in operands.split(',') {
        let mut shape = Vec::new();
        for letter in operand.replace("...", ".").bytes() {
            match letter {
                b'.' => shape.extend(&more),
                letter => shape.push(sizes[usize::from(letter.to_ascii_lowercase() - b'a') + usize::from(letter.is_ascii_uppercase())]),
            }
        }
        let x = d.array(dtype, &shape, SMALL);
        case = case.with("tensors", x);
    }
    case
}

/// Layers with `gates` gates and `states` states.
fn recurrent(d: &mut Draw<'_>, gates: usize, states: usize) -> Case {
    // parameters of a network have known sizes, and so do the dims that they meet
    d.all_known();
    let dtype = d.pick(WIDE);
    let (layers, time, batch, input, hidden) = (d.between(1, 2) as usize, d.positive(), d.positive(), d.positive(), d.positive());
    let (biases, bidirectional, batch_first) = (d.flip(), d.flip(), d.flip());
    let projected = if states == 2 && hidden > 1 && d.once_in(3) { Some(hidden - 1) } else { None };
    let out = projected.unwrap_or(hidden);
    let directions = if bidirectional { 2 } else { 1 };
    let x = d.array(dtype, &if batch_first { [batch, time, input] } else { [time, batch, input] }, SMALL);
    let mut case = Case::new(d).with("input", x);
    for state in 0..states {
        let size = if state == 0 { out } else { hidden };
        let h = d.array(dtype, &[directions * layers, batch, size], SMALL);
        case = case.with("hx", h);
    }
    for layer in 0..layers {
        for _ in 0..directions {
            let from = if layer == 0 { input } else { out * directions };
            let mut shapes = vec![vec![gates * hidden, from], vec![gates * hidden, out]];
            if biases {
                shapes.extend([vec![gates * hidden], vec![gates * hidden]]);
            }
            shapes.extend(projected.map(|size| vec![size, hidden]));
            for shape in shapes {
                let w = d.array(dtype, &shape, Domain::Range(-0.75, 0.75));
                case = case.with("params", w);
            }
        }
    }
    let case = case.bool("has_biases", biases).int("num_layers", layers as i64).float("dropout", 0.0).bool("train", false);
    case.bool("bidirectional", bidirectional).bool("batch_first", batch_first)
}

/// A mask that leaves something of each row.
fn mask(d: &mut Draw<'_>, dtype: DType, shape: &[usize; 2]) -> Operand {
    if dtype != DType::Bool {
        return d.array(dtype, shape, SMALL).into();
    }
    let values: Vec<bool> = d.array(DType::Bool, shape, SMALL).values::<bool>();
    let values = values.into_iter().enumerate().map(|(i, kept)| kept || i % shape[1] == 0);
    Array::new(dtype, shape, values.collect::<Vec<bool>>()).expect("a small tensor").into()
}

/// Attention of rank 4 with what its gradient keeps.
fn flash(d: &mut Draw<'_>, backward: bool) -> Case {
    let dtype = d.pick(WIDE);
    let [b, h, l, s, e] = [d.positive(), d.positive(), d.positive(), d.positive(), d.positive()];
    let causal = d.once_in(3);
    let scale = d.maybe(|d| real(d, 0.25, 2.0));
    let attention = if !causal && d.once_in(3) { Some(mask(d, dtype, &[l, s])) } else { None };
    let [q, k, v] = [[b, h, l, e], [b, h, s, e], [b, h, s, e]].map(|shape| d.array(dtype, &shape, SMALL));
    let case = Case::new(d).with("query", q).with("key", k).with("value", v).bool("is_causal", causal).float("dropout_p", 0.0);
    let case = case.maybe(attention, |c, x| c.with("attn_mask", x)).maybe(scale, |c, x| c.float("scale", x));
    if !backward {
        return case;
    }
    // any numbers will do for the saved results: the gradient is a formula of them
    let (g, out) = (d.array(dtype, &[b, h, l, e], SMALL), d.array(dtype, &[b, h, l, e], SMALL));
    let logarithms = d.array(DType::F32, &[b, h, l], Domain::Range(1.0, 4.0));
    case.with("grad_out", g).with("out", out).with("logsumexp", logarithms)
}
