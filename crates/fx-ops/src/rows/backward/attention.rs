//! Gradients of attention (`cpu_flash_attention_backward` in ATen's FlashAttentionKernel.cpp).

use fx_ir::{Attribute, Result, Value};

use crate::fx_builder::Fx;
use crate::fx_op::FxOp;
use crate::rows::matrix::matmul;
use crate::rows::norm::{attention_scale, attention_scores};
use crate::scalar::opmath;
use crate::table::{OpRow, composite};

/// The table.
pub static ROWS: &[OpRow] = &[composite("fx.scaled_dot_product_flash_attention_for_cpu_backward", flash_attention)
    .tested_by("whole models: one of its operands is of 32 bits")];

/// With the weights w = e^(scores - logsumexp) and d = w (g value^T - rowsum(g out)): d key scale, d^T query scale, w^T g.
fn flash_attention<'c>(f: &Fx<'c>, op: FxOp<'c>) -> Result<Vec<Value<'c>>> {
    let (scores, value) = attention_scores(f, op)?;
    let (element, compute) = (op.result_element(0), opmath(f.context(), op.result_element(0)));
    let wide = |name: &str| op.operand(name).and_then(|x| f.cast(x, compute));
    let (g, query, key) = (wide("grad_out")?, wide("query")?, wide("key")?);
    let rank = g.ty().rank();
    let mut order: Vec<_> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    let transposed = |x: Value<'c>| f.permute(x, &order);

    let normalizer = f.op("fx.unsqueeze", &[wide("logsumexp")?], &[("dim", Attribute::i64(f.context(), -1))])?;
    let masked = f.eq(scores, f.number(f64::NEG_INFINITY))?;
    let weights = f.select(masked, f.number(0.0), f.exp(f.sub(scores, normalizer)?)?)?;
    let along = f.reduce("fx.sum", f.mul(g, wide("out")?)?, &[rank - 1], true)?;
    let slopes = f.mul(weights, f.sub(matmul(f, g, transposed(value)?)?, along)?)?;

    let scale = attention_scale(f, op, query)?;
    let gradients = [
        ("query", f.mul(matmul(f, slopes, key)?, scale)?),
        ("key", f.mul(matmul(f, transposed(slopes)?, query)?, scale)?),
        ("value", matmul(f, transposed(weights)?, g)?),
    ];
    gradients.into_iter().map(|(name, gradient)| f.cast(summed_to(f, gradient, op.operand(name)?)?, element)).collect()
}

/// A gradient summed over the dims in which its operand was broadcast.
fn summed_to<'c>(f: &Fx<'c>, gradient: Value<'c>, operand: Value<'c>) -> Result<Value<'c>> {
    let sizes = f.dims(operand);
    if gradient.ty().shape() == operand.ty().shape() {
        return Ok(gradient);
    }
    f.sized("fx.sum_to_size", &[gradient], "size", &sizes, &[])
}
