//! Gradients of reductions, normalisations and losses, as ops of the forward dialect. Those of activations and of
//! resampling stand beside their families.

use fx_ir::{Attribute, Result, Type, Value};

use crate::batching;
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand};
use crate::rows::convolution::{self, Steps, check_channels, sums, transposed_dims, transposed_sums};
use crate::rows::derivatives;
use crate::rows::norm::{batch_dims, channels, check_groups, check_normalized, grouped};
use crate::rows::reduction::{cast, count};
use crate::rows::spatial::{Window, read_inside, spatial, tap, window_count};
use crate::scalar::{Number, Scalars, opmath};
use crate::table::{Again, OpRow, composite, lowered};

pub mod attention;
pub mod distance;
pub mod pad;
pub mod pooling;

/// The table.
pub static ROWS: &[OpRow] = &[
    // Softmax
    composite("fx.softmax_backward_data", |f, op| {
        let (g, y, dim) = softmax_operands(f, op)?;
        let product = f.mul(g, y)?;
        let grad = f.sub(product, f.mul(y, row_sum(f, product, dim)?)?)?;
        Ok(vec![f.cast(grad, op.result_element(0))?])
    }),
    composite("fx.log_softmax_backward_data", |f, op| {
        let (g, y, dim) = softmax_operands(f, op)?;
        let grad = f.sub(g, f.mul(f.exp(y)?, row_sum(f, g, dim)?)?)?;
        Ok(vec![f.cast(grad, op.result_element(0))?])
    }),
    // Normalisation
    composite("fx.native_layer_norm_backward", layer_norm),
    composite("fx.fused_rms_norm_backward", layer_norm),
    composite("fx.native_group_norm_backward", group_norm),
    composite("fx.native_batch_norm_backward", batch_norm),
    // Losses
    composite("fx.mse_loss_backward", |f, op| loss(f, op, |f, x, t| f.mul(f.number(2.0), f.sub(x, t)?))),
    composite("fx.huber_loss_backward", |f, op| {
        let delta = op.float("delta")?;
        loss(f, op, |f, x, t| {
            f.op(
                "fx.clamp",
                &[f.sub(x, t)?, f.number(-delta), f.number(delta)],
                &[("operandSegmentSizes", Attribute::i32s(f.context(), &[1, 1, 1]))],
            )
        })
    })
    .kinked(),
    composite("fx.smooth_l1_loss_backward", |f, op| {
        let beta = op.float("beta")?;
        loss(f, op, |f, x, t| {
            let d = f.sub(x, t)?;
            let sign = f.op("fx.sign", &[d], &[])?;
            let far = f.ge(f.op("fx.abs", &[d], &[])?, f.number(beta))?;
            if beta == 0.0 { Ok(sign) } else { f.select(far, sign, f.div(d, f.number(beta))?) }
        })
    })
    .kinked(),
    composite("fx.soft_margin_loss_backward", |f, op| {
        // -t e^(-t x) / (1 + e^(-t x)) = -t σ(-t x)
        loss(f, op, |f, x, t| f.neg(f.mul(t, f.sigmoid(f.neg(f.mul(t, x)?)?)?)?))
    }),
    composite("fx.nll_loss_backward", nll_loss),
    composite("fx.binary_cross_entropy_backward", |f, op| {
        let weight = op.optional("weight");
        loss(f, op, |f, x, t| {
            let spread = f.maximum(f.mul(f.sub(f.number(1.0), x)?, x)?, f.number(1e-12))?;
            let slope = f.div(f.sub(x, t)?, spread)?;
            match weight {
                Some(weight) => f.mul(slope, f.cast(weight, slope.ty().element())?),
                None => Ok(slope),
            }
        })
    }),
    // Convolution: for each place of the input, the windows that hold it
    lowered("fx.convolution_backward", convolution)
        .again(Again::Product(convolution::terms))
        .batched(batching::convolution::gradients)
        .vjp(derivatives::convolution::convolution_backward),
];

/// Gradient and result of a softmax, in the type that its gradient is computed in, and the dim.
fn softmax_operands<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<(Value<'c>, Value<'c>, usize)> {
    let (g, y) = (op.operand("grad_output")?, op.operand("output")?);
    let compute = opmath(f.context(), g.ty().element());
    Ok((f.cast(g, compute)?, f.cast(y, compute)?, op.dim("dim", g.ty().rank())?))
}

fn row_sum<'c>(f: &Fx<'c>, x: Value<'c>, dim: usize) -> Result<Value<'c>> {
    if x.ty().rank() == 0 { Ok(x) } else { f.reduce("fx.sum", x, &[dim], true) }
}

/// Which gradients are asked for.
fn mask(op: FxOp<'_>) -> Vec<bool> {
    op.op.attribute("output_mask").and_then(Attribute::as_bools).unwrap_or_default()
}

/// A gradient that nobody asked for: an empty tensor.
fn empty<'c>(f: &Fx<'c>, op: FxOp<'c>, index: usize) -> Result<Value<'c>> {
    f.sized("fx.empty", &[], "size", &[Dim::Static(0)], &[("dtype", Attribute::from_type(op.result_element(index)))])
}

/// The mean over `dims`, kept as size 1.
fn mean<'c>(f: &Fx<'c>, x: Value<'c>, dims: &[usize]) -> Result<Value<'c>> {
    f.div(f.reduce("fx.sum", x, dims, true)?, count(f, x, dims)?)
}

/// `rstd (g - mean(g) - x mean(g x))` over `dims`, x normalised; without `centred` the second term is absent.
fn normalised<'c>(f: &Fx<'c>, g: Value<'c>, x: Value<'c>, rstd: Value<'c>, dims: &[usize], centred: bool) -> Result<Value<'c>> {
    let along = f.mul(x, mean(f, f.mul(g, x)?, dims)?)?;
    let g = if centred { f.sub(g, mean(f, g, dims)?)? } else { g };
    f.mul(f.sub(g, along)?, rstd)
}

/// The sum over `dims` (none: itself) in the shape `sizes`, rounded to the type of result `index`.
fn summed<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>, dims: &[usize], sizes: &[Dim<'c>], index: usize) -> Result<Value<'c>> {
    let sum = if dims.is_empty() { x } else { f.reduce("fx.sum", x, dims, true)? };
    f.view(f.cast(sum, op.result_element(index))?, sizes)
}

/// Gradients of layer_norm (input, weight, bias), or of rms_norm (input, weight).
fn layer_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let compute = opmath(f.context(), input.ty().element());
    let rank = input.ty().rank();
    let with_mean = op.op.name() == "fx.native_layer_norm_backward";
    let normalized = if with_mean { op.sizes("normalized_shape").len() } else { op.op.ints("normalized_shape").unwrap_or_default().len() };
    let inner: Vec<_> = (rank.saturating_sub(normalized)..rank).collect();
    let outer: Vec<_> = (0..rank.saturating_sub(normalized)).collect();
    check_normalized(f, op, &inner)?;
    let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, compute));
    let (g, rstd) = (wide("grad_out")?, wide("rstd")?);
    let x = if with_mean { f.sub(wide("input")?, wide("mean")?)? } else { wide("input")? };
    let x = f.mul(x, rstd)?;
    let weight = op.optional("weight");
    let sizes: Vec<_> = f.dims(input)[rank.saturating_sub(normalized)..].to_vec();
    let wanted = mask(op);
    let mut values = Vec::new();
    for (index, wanted) in wanted.into_iter().enumerate() {
        let parameter = if index == 1 { weight } else { op.optional("bias") };
        values.push(match index {
            _ if !wanted || (index > 0 && parameter.is_none()) => empty(f, op, index)?,
            0 => {
                let scaled = match weight {
                    Some(weight) => f.mul(g, f.cast(weight, compute)?)?,
                    None => g,
                };
                f.cast(normalised(f, scaled, x, rstd, &inner, with_mean)?, op.result_element(0))?
            }
            1 => summed(f, op, f.mul(g, x)?, &outer, &sizes, 1)?,
            _ => summed(f, op, g, &outer, &sizes, 2)?,
        });
    }
    Ok(values)
}

fn group_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let compute = opmath(f.context(), input.ty().element());
    let (sizes, rank, groups) = (f.dims(input), input.ty().rank(), op.int("group")?);
    check_groups(f, op, &sizes);
    let spread = |x: Value<'c>| grouped(f, f.cast(x, compute)?, groups);
    let statistics = |name: &str| {
        let mut dims = vec![Dim::Static(1); rank + 1];
        dims[0] = sizes[0];
        dims[1] = Dim::Static(groups);
        f.view(f.cast(op.operand(name)?, compute)?, &dims)
    };
    let rstd = statistics("rstd")?;
    let x = f.mul(f.sub(spread(input)?, statistics("mean")?)?, rstd)?;
    let g = f.cast(op.operand("grad_out")?, compute)?;
    let outer: Vec<_> = (0..rank).filter(|dim| *dim != 1).collect();
    let inner: Vec<_> = (2..=rank).collect();
    let mut values = Vec::new();
    for (index, wanted) in mask(op).into_iter().enumerate() {
        values.push(match index {
            _ if !wanted => empty(f, op, index)?,
            0 => {
                let scaled = match op.optional("weight") {
                    Some(weight) => f.mul(g, channels(f, weight, rank, compute)?)?,
                    None => g,
                };
                let grad = normalised(f, spread(scaled)?, x, rstd, &inner, true)?;
                f.cast(f.view(grad, &sizes)?, op.result_element(0))?
            }
            1 => summed(f, op, f.mul(g, f.view(x, &sizes)?)?, &outer, &sizes[1..2], 1)?,
            _ => summed(f, op, g, &outer, &sizes[1..2], 2)?,
        });
    }
    Ok(values)
}

fn batch_norm<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let compute = opmath(f.context(), input.ty().element());
    let rank = input.ty().rank();
    let sizes = f.dims(input);
    f.check_shape(op, &f.dims(op.operand("grad_out")?), &sizes);
    let channel = sizes[1];
    let along = |name: &str| op.operand(name).and_then(|x| channels(f, x, rank, compute));
    let train = op.op.flag("train");
    let statistics = if train { ["save_mean", "save_invstd"] } else { ["running_mean", "running_var"] };
    for column in statistics.into_iter().chain(["weight"]).filter_map(|name| op.optional(name)) {
        f.check_shape(op, &f.dims(column), &[channel]);
    }
    let (mean, rstd) = if train {
        (along("save_mean")?, along("save_invstd")?)
    } else {
        (along("running_mean")?, f.rsqrt(f.add(along("running_var")?, f.number(op.float("eps")?))?)?)
    };
    let x = f.mul(f.sub(f.cast(input, compute)?, mean)?, rstd)?;
    let g = f.cast(op.operand("grad_out")?, compute)?;
    let dims = batch_dims(op)?;
    let mut values = Vec::new();
    for (index, wanted) in mask(op).into_iter().enumerate() {
        values.push(match index {
            _ if !wanted => empty(f, op, index)?,
            0 => {
                let scaled = if op.optional("weight").is_some() { f.mul(g, along("weight")?)? } else { g };
                let grad = if train { normalised(f, scaled, x, rstd, &dims, true)? } else { f.mul(scaled, rstd)? };
                f.cast(grad, op.result_element(0))?
            }
            1 => summed(f, op, f.mul(g, x)?, &dims, &[channel], 1)?,
            _ => summed(f, op, g, &dims, &[channel], 2)?,
        });
    }
    Ok(values)
}

/// `grad_output * slope(input, target)`, divided by the number of elements for the mean.
fn loss<'c>(f: &Fx<'c>, op: FxOp<'c>, slope: impl FnOnce(&Fx<'c>, Value<'c>, Value<'c>) -> Result<Value<'c>>) -> Result<Vec<Value<'c>>> {
    let result = op.result_element(0);
    let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, opmath(f.context(), result)));
    let mut grad = slope(f, wide("input")?, wide("target")?)?;
    if op.op.int("reduction").unwrap_or(1) == 1 {
        let dims: Vec<_> = (0..grad.ty().rank()).collect();
        grad = f.div(grad, count(f, grad, &dims)?)?;
    }
    Ok(vec![f.cast(f.mul(wide("grad_output")?, grad)?, result)?])
}

/// `-weight[t] grad_output` at the class t of each element, 0 elsewhere; divided by the total weight for the mean.
fn nll_loss<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let input = op.operand("input")?;
    let compute = opmath(f.context(), op.result_element(0));
    let dim = usize::from(input.ty().rank() > 1);
    let classes = f.dims(input)[dim];
    let target = op.operand("target")?;
    let (class, weight) = crate::rows::loss::class_weights(f, op, target, compute)?;
    let mut g = f.cast(op.operand("grad_output")?, compute)?;
    if op.int("reduction")? == 1 {
        g = f.div(g, f.cast(op.operand("total_weight")?, compute)?)?;
    }
    let slope = f.neg(f.mul(g, weight)?)?;
    let along = ("dim", Attribute::i64(f.context(), dim as i64));
    let unsqueezed = |x: Value<'c>| f.op("fx.unsqueeze", &[x], &[along]);
    let mut sizes = vec![Dim::Static(1); input.ty().rank()];
    sizes[dim] = classes;
    let classes = f.view(crate::rows::norm::range(f, classes), &sizes)?;
    // The class itself, which a lookup checks.
    let class = f.op("fx.gather", &[f.expand(classes, &f.dims(input))?, unsqueezed(class)?], &[along])?;
    let here = f.eq(class, classes)?;
    Ok(vec![f.cast(f.select(here, unsqueezed(slope)?, f.number(0.0))?, op.result_element(0))?])
}

/// Gradients of a convolution: input, weight, bias. Input and gradient of a transposed one have changed places.
fn convolution<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let transposed = op.op.flag("transposed");
    let (mut g, mut x, weight) = (cx.operand(op, "grad_output")?, cx.operand(op, "input")?, cx.operand(op, "weight")?);
    let count = weight.rank() - 2;
    let batched = x.rank() == weight.rank();
    if !batched {
        [g, x] = [g, x].map(|tensor| cx.reshape(&tensor, &[&[Dim::Static(1)], &tensor.dims[..]].concat()));
    }
    let steps = Steps {
        stride: spatial(cx, op, "stride", count, 1)?,
        padding: spatial(cx, op, "padding", count, 0)?,
        dilation: spatial(cx, op, "dilation", count, 1)?,
        groups: spatial(cx, op, "groups", 1, 1)?[0].max(1),
    };
    let ty = opmath(cx.context(), x.element);
    let wanted = mask(op);
    let results = op.op.results();
    let is_wanted = |i: usize| wanted.get(i).copied().unwrap_or(false);
    if results.iter().enumerate().any(|(i, result)| !is_wanted(i) && !result.uses().is_empty()) {
        return Err(op.error("has a use of a gradient that its mask excludes"));
    }
    let window = Window {
        kernel: weight.dims[2..].to_vec(),
        stride: steps.stride.clone(),
        padding: steps.padding.clone(),
        dilation: steps.dilation.clone(),
    };
    if transposed {
        let more = spatial(cx, op, "output_padding", count, 0)?;
        check_channels(cx, &g, &weight, steps.groups);
        cx.check_shape(&g.dims, &transposed_dims(cx, &x, &weight, &steps, &more));
    } else {
        check_channels(cx, &x, &weight, steps.groups);
        let windows = (0..count).map(|i| window_count(cx, x.dims[2 + i], &window, i, fx_ir::DYNAMIC));
        cx.check_shape(&g.dims, &[x.dims[0], weight.dims[0]].into_iter().chain(windows).collect::<Vec<_>>());
    }
    if is_wanted(0) {
        let sum = if transposed {
            sums(cx, &g, &weight, &x.dims[2..], &window, steps.groups, ty)
        } else {
            transposed_sums(cx, &g, &weight, &x.dims, &steps, ty)
        };
        let sum = cast(cx, &sum, op.result_element(0));
        let sum = if batched { sum } else { cx.reshape(&sum, &x.dims[1..]) };
        cx.set(results[0], sum);
    }
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    if is_wanted(1) {
        // dw[o, c, k] = sum_{n, p} g[n, o, p] x[n, group + c, p * stride + k * dilation - padding]
        let (g, x) = if transposed { (&x, &g) } else { (&g, &x) };
        let dims = &weight.dims;
        let rank = dims.len();
        let reduced = [&g.dims[..1], &g.dims[2..]].concat();
        let map = [vec![Ix::Loop(rank), Ix::Loop(0)], (0..count).map(|i| Ix::Loop(rank + 1 + i)).collect()].concat();
        let per_group = cx.floor_div(dims[0], Dim::Static(steps.groups));
        let (per_group, channels) = (cx.dim_value(per_group), cx.dim_value(dims[1]));
        let sizes: Vec<_> = x.dims[2..].iter().map(|dim| cx.dim_value(*dim)).collect();
        let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
            let s = &body.s;
            let at: Vec<_> = (0..count).map(|i| body.index(rank + 1 + i)).collect();
            let taps: Vec<_> = (0..count).map(|i| body.index(2 + i)).collect();
            let (places, inside) = tap(body, &window, &sizes, &at, &taps);
            let group = s.div(body.as_number(body.index(0)), body.as_number(per_group));
            let channel = s.add(body.as_number(body.index(1)), s.mul(group, body.as_number(channels)));
            let indices = [vec![body.index(rank), channel.value], places].concat();
            let inside = inside.unwrap_or_else(|| s.int(Type::int(s.context(), 1), 1));
            let value = read_inside(body, x, &indices, inside, s.constant(ty, 0.0));
            vec![s.add(acc[0], s.mul(s.cast(a[0], ty), value))]
        };
        let sum = cx.reduce(dims, &reduced, &[zero], &[Operand { tensor: g.clone(), map }], body).remove(0);
        let sum = cast(cx, &sum, op.result_element(1));
        cx.set(results[1], sum);
    }
    if is_wanted(2) {
        let reduced = [&g.dims[..1], &g.dims[2..]].concat();
        let map = [vec![Ix::Loop(1), Ix::Loop(0)], (0..count).map(|i| Ix::Loop(2 + i)).collect()].concat();
        let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| vec![body.s.add(acc[0], body.s.cast(a[0], ty))];
        let sum = cx.reduce(&g.dims[1..2], &reduced, &[zero], &[Operand { tensor: g.clone(), map }], body).remove(0);
        let sum = cast(cx, &sum, op.result_element(2));
        cx.set(results[2], sum);
    }
    Ok(())
}
