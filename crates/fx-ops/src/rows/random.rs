//! Random numbers: one sample per element, from the generator's state and the element's index.

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Lower, Operand};
use crate::philox::{Philox, element_index};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, composite, lowered};

/// Why a sample has no derivative: PyTorch's gradients by what it takes parameters from are zeros, too.
const SAMPLES: &str = "samples are constants";

/// The table.
pub static ROWS: &[OpRow] = &[
    // Uniform and normal samples
    lowered("fx.rand", |cx, op| {
        let dims = cx.sizes(op, "size");
        samples(cx, op, dims, &[], |draw, _| draw.uniform())
    })
    .constant(SAMPLES),
    lowered("fx.rand_like", |cx, op| like(cx, op, |draw| draw.uniform())).constant(SAMPLES),
    lowered("fx.randn", |cx, op| {
        let dims = cx.sizes(op, "size");
        samples(cx, op, dims, &[], |draw, _| draw.normal())
    })
    .constant(SAMPLES),
    lowered("fx.randn_like", |cx, op| like(cx, op, |draw| draw.normal())).constant(SAMPLES),
    composite("fx.normal", normal).constant(SAMPLES),
    lowered("fx.normal_functional", |cx, op| {
        let (mean, std) = (number(op, "mean", 0.0), number(op, "std", 1.0));
        like(cx, op, |draw| draw.affine(draw.normal(), std, mean))
    })
    .constant(SAMPLES),
    lowered("fx.uniform", |cx, op| {
        let (from, to) = (number(op, "from", 0.0), number(op, "to", 1.0));
        like(cx, op, |draw| draw.between(from, to))
    })
    .constant(SAMPLES),
    // Other distributions
    lowered("fx.bernoulli", bernoulli).constant(SAMPLES),
    lowered("fx.cauchy", |cx, op| {
        let (median, sigma) = (number(op, "median", 0.0), number(op, "sigma", 1.0));
        like(cx, op, |draw| draw.cauchy(median, sigma))
    })
    .constant(SAMPLES),
    lowered("fx.exponential", |cx, op| {
        let lambd = number(op, "lambd", 1.0);
        like(cx, op, |draw| draw.s.mul(draw.log_uniform(), draw.c(-1.0 / lambd)))
    })
    .constant(SAMPLES),
    lowered("fx.geometric", |cx, op| {
        let p = op.float("p")?;
        like(cx, op, |draw| {
            let s = draw.s;
            let tries = s.op("math.ceil", &[s.div(draw.log_uniform(), draw.c((-p).ln_1p()))]);
            s.max(tries, draw.c(1.0))
        })
    })
    .constant(SAMPLES),
    lowered("fx.log_normal", |cx, op| {
        let (mean, std) = (number(op, "mean", 1.0), number(op, "std", 2.0));
        like(cx, op, |draw| draw.s.op("math.exp", &[draw.affine(draw.normal(), std, mean)]))
    })
    .constant(SAMPLES),
    // Integers
    lowered("fx.randint", |cx, op| {
        let dims = cx.sizes(op, "size");
        integers(cx, op, dims)
    })
    .constant(SAMPLES),
    lowered("fx.randint_like", |cx, op| {
        let dims = cx.operand(op, "input")?.dims;
        integers(cx, op, dims)
    })
    .constant(SAMPLES),
    lowered("fx.randperm", |cx, op| {
        let dims = cx.sizes(op, "n");
        drawn_on_host(cx, op, "fx::randperm", dims)
    })
    .constant(SAMPLES),
    lowered("fx.multinomial", |cx, op| {
        let mut dims = cx.operand(op, "input")?.dims;
        dims.pop();
        dims.extend(cx.sizes(op, "num_samples"));
        drawn_on_host(cx, op, "fx::multinomial", dims)
    })
    .constant(SAMPLES),
    // Dropout and randomised activations
    composite("fx.dropout", |f, op| {
        let input = op.operand("input")?;
        let result = if op.op.flag("train") { dropout(f, input, op.float("p")?)? } else { input };
        Ok(vec![f.cast(result, op.result_element(0))?])
    })
    .tested_by("each run draws anew: PyTorch's gradients of dropout"),
    composite("fx.native_dropout", native_dropout).tested_by("each run draws anew: PyTorch's gradients of dropout"),
    composite("fx.rrelu_with_noise_functional", rrelu).tested_by("each run draws anew: PyTorch's gradients of rrelu"),
];

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// What samples one element, in the type that it is computed in.
struct Draw<'a, 'c> {
    s: &'a Scalars<'c>,
    philox: &'a Philox<'a, 'c>,
    /// Counts the real numbers of the result: a complex one is two.
    index: Number<'c>,
    /// f32 or f64.
    ty: Type<'c>,
    /// The real type of the result.
    element: Type<'c>,
    /// The sample is the real or the imaginary part of a complex number.
    is_part: bool,
}

/// Binary digits of a float's mantissa: as many are random. Others are computed in single or double precision.
fn digits(element: Type<'_>, compute: Type<'_>) -> u32 {
    if element.is_f16() {
        11
    } else if element.is_bf16() {
        8
    } else if compute.is_f64() {
        53
    } else {
        24
    }
}

impl<'c> Draw<'_, 'c> {
    fn c(&self, value: f64) -> Number<'c> {
        self.s.constant(self.ty, value)
    }

    /// U[0, 1)
    fn uniform(&self) -> Number<'c> {
        self.philox.uniform(self.ty, digits(self.element, self.ty), self.index)
    }

    /// N(0, 1); the two parts of a complex number have variance 1/2.
    fn normal(&self) -> Number<'c> {
        let sample = self.philox.normal(self.ty, self.index);
        if self.is_part { self.s.mul(sample, self.c(std::f64::consts::FRAC_1_SQRT_2)) } else { sample }
    }

    /// `sample * factor + term`
    fn affine(&self, sample: Number<'c>, factor: f64, term: f64) -> Number<'c> {
        self.s.add(self.s.mul(sample, self.c(factor)), self.c(term))
    }

    /// U[from, to); what rounds to the upper bound becomes the lower one.
    fn between(&self, from: f64, to: f64) -> Number<'c> {
        let s = self.s;
        let sample = s.cast(s.cast(self.affine(self.uniform(), to - from, from), self.element), self.ty);
        s.select(s.compare(Compare::Ge, sample, self.c(to)), self.c(from), sample)
    }

    /// The logarithm of a number of U(0, 1]; not 0, as PyTorch's CUDA kernels have it: close to 1 it is -eps / 2.
    fn log_uniform(&self) -> Number<'c> {
        let s = self.s;
        let eps = self.epsilon();
        let u = self.philox.uniform(self.ty, if self.ty.is_f64() { 53 } else { 24 }, self.index);
        let log = s.op("math.log", &[s.sub(self.c(1.0), u)]);
        s.select(s.compare(Compare::Le, u, self.c(eps / 2.0)), self.c(-eps / 2.0), log)
    }

    fn epsilon(&self) -> f64 {
        if self.ty.is_f64() { f64::EPSILON } else { f64::from(f32::EPSILON) }
    }

    /// `median + sigma tan(pi (u - 1/2))`, u off the poles.
    fn cauchy(&self, median: f64, sigma: f64) -> Number<'c> {
        let s = self.s;
        let (least, most) = (self.c(self.epsilon()), self.c(1.0 - self.epsilon()));
        let u = self.philox.uniform(self.ty, if self.ty.is_f64() { 53 } else { 24 }, self.index);
        let u = s.min(s.max(u, least), most);
        let angle = s.mul(s.sub(u, self.c(0.5)), self.c(std::f64::consts::PI));
        self.affine(s.op("math.tan", &[angle]), sigma, median)
    }
}

/// An attribute, or its default.
fn number(op: FxOp<'_>, name: &str, absent: f64) -> f64 {
    op.op.float(name).unwrap_or(absent)
}

/// Samples in the shape of `input`.
fn like<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, sample: impl Fn(&Draw<'_, 'c>) -> Number<'c>) -> Result {
    let dims = cx.operand(op, "input")?.dims;
    samples(cx, op, dims, &[], |draw, _| sample(draw))
}

/// Samples in a shape, one for each real number of the result; `sample` sees elements of operands, too.
fn samples<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    dims: Vec<Dim<'c>>,
    operands: &[Operand<'c>],
    sample: impl Fn(&Draw<'_, 'c>, &[Number<'c>]) -> Number<'c>,
) -> Result {
    let element = op.result_element(0);
    let i64_type = Type::int(cx.context(), 64);
    let state = cx.host("fx::random_state", &[], HostArguments::default(), &[HostResult::sized(&[Dim::Static(2)], i64_type)]);
    let sizes: Vec<_> = dims.iter().map(|dim| cx.dim_value(*dim)).collect();
    let result = cx.map(&dims, element, operands, |body, read| {
        let s = &body.s;
        let philox = Philox::new(body, &state[0]);
        let index = element_index(body, &sizes);
        let real = if element.is_complex() { element.element() } else { element };
        // Integers are computed in double precision.
        let ty = if real.is_float() { opmath(s.context(), real) } else { Type::f64(s.context()) };
        let draw = |index, is_part| sample(&Draw { s, philox: &philox, index, ty, element: real, is_part }, read);
        if !element.is_complex() {
            return draw(index, false);
        }
        let first = s.mul(index, s.int(i64_type, 2));
        s.complex(draw(first, true), draw(s.add(first, s.int(i64_type, 1)), true))
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// 1 with a probability, which is a number or the element of `input`, else 0.
fn bernoulli<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    if input.element.is_complex() {
        return Err(op.error("expects real numbers"));
    }
    let dims = input.dims.clone();
    if let Some(p) = op.op.float("p") {
        // Below 2^32 lie all words, below 0 none.
        let bound = (p * 2f64.powi(32)).round() as i64;
        return samples(cx, op, dims, &[], |draw, _| draw.philox.below(draw.index, bound));
    }
    let operand = cx.broadcast(&input, &dims);
    samples(cx, op, dims, &[operand], |draw, read| {
        // Exact for each probability of single precision.
        let f64_type = Type::f64(draw.s.context());
        let sample = draw.philox.uniform(f64_type, 53, draw.index);
        draw.s.compare(Compare::Lt, sample, draw.s.cast(read[0], f64_type))
    })
}

/// Integers of [low, high): 64 random bits modulo the number of integers.
fn integers<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, dims: Vec<Dim<'c>>) -> Result {
    let bound = |name: &str| cx.sizes(op, name).first().copied().unwrap_or(Dim::Static(0));
    let (low, high) = (bound("low"), bound("high"));
    let s = Scalars::new(cx.b);
    let wide = |dim: Dim<'c>| {
        let value = cx.dim_value(dim);
        s.cast(Number { value, ty: value.ty() }, Type::int(s.context(), 64))
    };
    let (low, high) = (wide(low), wide(high));
    let count = s.sub(high, low);
    if high.value.constant().is_none() || low.value.constant().is_none() {
        cx.check(s.compare(Compare::Lt, low, high).value, &format!("'{}' op expects low < high", op.op.name()));
    }
    samples(cx, op, dims, &[], |draw, _| {
        let s = draw.s;
        let empty = s.compare(Compare::Eq, count, s.int(count.ty, 0));
        let count = s.select(empty, s.int(count.ty, 1), count);
        s.add(s.op("arith.remui", &[draw.philox.bits(draw.index), count]), low)
    })
}

/// Indices that a host function draws, in the op's element type.
fn drawn_on_host<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, name: &str, dims: Vec<Dim<'c>>) -> Result {
    let context = cx.context();
    let element = op.result_element(0);
    let tensors = op.optional("input").map(|input| cx.tensor(input)).transpose()?;
    let flags = Attribute::dictionary(context, &[("replacement", Attribute::bool(context, op.op.flag("replacement")))]);
    let arguments = HostArguments { scalars: &[], attributes: Some(flags) };
    let results = [HostResult::sized(&dims, Type::int(context, 64))];
    let drawn = cx.host(name, tensors.as_slice(), arguments, &results).remove(0);
    let result = if element == drawn.element {
        drawn
    } else {
        cx.map(&dims, element, &[cx.broadcast(&drawn, &dims)], |body, read| body.s.cast(read[0], element))
    };
    cx.set(op.op.result(0), result);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

/// `z * std + mean` with z of N(0, 1), computed in single precision at least.
fn normal<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let element = op.result_element(0);
    let (mean, std) = (op.operand("mean")?, op.optional("std").unwrap_or_else(|| f.number(1.0)));
    let dtype = ("dtype", Attribute::from_type(opmath(f.context(), element)));
    let sample = match (mean.ty().is_tensor(), std.ty().is_tensor()) {
        (true, true) => f.op("fx.randn_like", &[f.add(mean, std)?], &[dtype])?,
        (true, false) => f.op("fx.randn_like", &[mean], &[dtype])?,
        (false, true) => f.op("fx.randn_like", &[std], &[dtype])?,
        (false, false) => f.sized("fx.randn", &[], "size", &op.sizes("size"), &[dtype])?,
    };
    Ok(vec![f.cast(f.add(f.mul(sample, std)?, mean)?, element)?])
}

/// `1` with probability `1 - p`, else 0, in the type of `like`.
fn kept<'c>(f: &Fx<'c>, like: Value<'c>, p: f64) -> Result<Value<'c>> {
    f.op("fx.bernoulli", &[like], &[("p", Attribute::float(f.context(), Type::f64(f.context()), 1.0 - p))])
}

/// Elements set to 0 with probability `p`, the others divided by `1 - p`, as ATen's `_dropout_impl` rounds them. What is drawn
/// is a mask of bools: saved for gradients, it takes a bit per element.
pub(crate) fn dropout<'c>(f: &Fx<'c>, input: Value<'c>, p: f64) -> Result<Value<'c>> {
    if p == 0.0 {
        return Ok(input);
    }
    if p == 1.0 {
        return f.mul(input, f.number(0.0));
    }
    let mask = f.cast(mask(f, input, p)?, input.ty().element())?;
    f.mul(input, f.div(mask, f.number(1.0 - p))?)
}

/// Bools in the shape of `input`, false with probability `p`.
fn mask<'c>(f: &Fx<'c>, input: Value<'c>, p: f64) -> Result<Value<'c>> {
    let bool_type = Attribute::from_type(Type::int(f.context(), 1));
    kept(f, f.op("fx.empty_like", &[input], &[("dtype", bool_type)])?, p)
}

/// Dropout with its mask (ATen: `native_dropout_cpu`).
fn native_dropout<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (input, p) = (op.operand("input")?, op.float("p")?);
    let bool_type = Type::int(f.context(), 1);
    let dtype = [("dtype", Attribute::from_type(bool_type))];
    if op.op.attribute("train").and_then(Attribute::as_bool) == Some(false) {
        let mask = f.op("fx.full_like", &[input, f.b.int(bool_type, 1)], &dtype)?;
        return Ok(vec![input, mask]);
    }
    let mask = mask(f, input, p)?;
    let scale = if p == 1.0 { 0.0 } else { 1.0 / (1.0 - p) };
    Ok(vec![f.cast(f.mul(f.mul(input, mask)?, f.number(scale))?, op.result_element(0))?, mask])
}

/// A leaky relu whose slopes are random in training, and the slopes (ATen: `_rrelu_with_noise_train`).
fn rrelu<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (input, noise) = (op.operand("input")?, op.operand("noise")?);
    let (lower, upper) = (number(op, "lower", 1.0 / 8.0), number(op, "upper", 1.0 / 3.0));
    let float = |value: f64| Attribute::float(f.context(), Type::f64(f.context()), value);
    if !op.op.flag("training") {
        return Ok(vec![f.op("fx.leaky_relu", &[input], &[("negative_slope", float((lower + upper) / 2.0))])?, noise]);
    }
    let slopes = f.op("fx.uniform", &[input], &[("from", float(lower)), ("to", float(upper))])?;
    let negative = f.le(input, f.number(0.0))?;
    let slopes = f.select(negative, slopes, f.number(1.0))?;
    Ok(vec![f.mul(input, slopes)?, slopes])
}
