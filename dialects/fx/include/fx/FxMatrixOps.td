//===- FxMatrixOps.td - products, linear algebra, recurrences, FFT -------===//
//
// Operands of a product have one element type, and so has the result.
//
//===----------------------------------------------------------------------===//

#ifndef FX_MATRIX_OPS_TD
#define FX_MATRIX_OPS_TD

include "fx/FxBase.td"

def Fx_FftRealTensor : RankedTensorOf<[F64, F32]>;
def Fx_FftComplexTensor : RankedTensorOf<[Complex<F32>, Complex<F64>]>;
/// What LAPACK factorises.
def Fx_LinalgTensor : RankedTensorOf<[F64, F32, Complex<F32>, Complex<F64>]>;
def Fx_LinalgRealTensor : RankedTensorOf<[F64, F32]>;
def Fx_InfoTensor : RankedTensorOf<[I32]>;

//===----------------------------------------------------------------------===//
// Products of two operands
//===----------------------------------------------------------------------===//

/// Product of two operands called `lhs` and `rhs`, with the infer expression `infer`.
class Fx_Product<string mnemonic, string infer, list<string> aten, string lhs, string rhs, dag extra = (ins)>
    : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con(!dag(ins, [Fx_Tensor, Fx_Tensor], [lhs, rhs]), extra);
  let results = (outs Fx_Tensor:$result);
}

defvar Fx_OutDtype = (ins OptionalAttr<TypeAttr>:$out_dtype);

def Fx_MmOp : Fx_Product<"mm", "product({\"input\", op.getInput()}, {\"mat2\", op.getMat2()}, 0, op.getOutDtype(), r)",
                         ["aten.mm.default", "aten.mm.dtype"], "input", "mat2", Fx_OutDtype> {
  let summary = "product of two matrices";
  let description = [{
    y[i, j] = sum_k input[i, k] * mat2[k, j], in `out_dtype` if given.

    * (mm_c1) both operands have rank 2.
    * (mm_c2) the columns of `input` are the rows of `mat2`.
    * (mm_c3) both operands have one element type.

    ```mlir
    %y = fx.mm %a, %b : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    ```
  }];
}

def Fx_BmmOp : Fx_Product<"bmm", "product({\"input\", op.getInput()}, {\"mat2\", op.getMat2()}, 1, op.getOutDtype(), r)",
                          ["aten.bmm.default", "aten.bmm.dtype"], "input", "mat2", Fx_OutDtype> {
  let summary = "product of two batches of matrices";
  let description = [{
    y[b, i, j] = sum_k input[b, i, k] * mat2[b, k, j], in `out_dtype` if given.

    * (bmm_c1) both operands have rank 3.
    * (bmm_c2) the batches are equal, and the columns of `input` are the rows of `mat2`.
    * (bmm_c3) both operands have one element type.
  }];
}

def Fx_MvOp : Fx_Product<"mv",
    "matrixVector({\"input\", op.getInput()}, {\"vec\", op.getVec()}, r)",
    ["aten.mv.default"], "input", "vec"> {
  let summary = "product of a matrix and a vector";
  let description = [{
    y[i] = sum_k input[i, k] * vec[k].

    * (mv_c1) `input` has rank 2, `vec` rank 1.
    * (mv_c2) the columns of `input` are the elements of `vec`.
    * (mv_c3) both operands have one element type.
  }];
}

def Fx_DotOp : Fx_Product<"dot",
    "dot({\"input\", op.getInput()}, {\"tensor\", op.getTensor()}, r)",
    ["aten.dot.default"], "input", "tensor"> {
  let summary = "inner product of two vectors";
  let description = [{
    y = sum_k input[k] * tensor[k].

    * (dot_c1) both operands have rank 1 and one size.
    * (dot_c2) both operands have one element type.
  }];
}

def Fx_VdotOp : Fx_Product<"vdot",
    "dot({\"input\", op.getInput()}, {\"other\", op.getOther()}, r)",
    ["aten.vdot.default"], "input", "other"> {
  let summary = "inner product of two vectors, the first conjugated";
  let description = [{ y = sum_k conj(input[k]) * other[k]. Constraints of `fx.dot`. }];
}

def Fx_MatmulOp : Fx_Product<"matmul", "matmul(op.getInput(), op.getOther(), r)",
                             ["aten.matmul.default", "aten.linalg_matmul.default"], "input", "other"> {
  let summary = "product of vectors, matrices, or batches of matrices";
  let description = [{
    y[.., i, j] = sum_k input[.., i, k] * other[.., k, j], where the dims before the last two broadcast. An operand of
    rank 1 is a row (first) or a column (second); its dim of size 1 is not in the result.

    * (matmul_c1) both operands have rank 1 or more.
    * (matmul_c2) the contracted sizes are equal.
    * (matmul_c3) the batch dims broadcast.
    * (matmul_c4) both operands have one element type.

    ```mlir
    %y = fx.matmul %a, %b : (tensor<5x1x4x8xf32>, tensor<2x8x3xf32>) -> tensor<5x2x4x3xf32>
    ```
  }];
}

def Fx_OuterOp : Fx_Product<"outer",
    "outer({\"input\", op.getInput()}, {\"vec2\", op.getVec2()}, r)",
    ["aten.outer.default", "aten.ger.default"],
                            "input", "vec2"> {
  let summary = "outer product of two vectors";
  let description = [{
    y[i, j] = input[i] * vec2[j], in the promoted type.

    * (outer_c1) both operands have rank 1.
  }];
}

def Fx_InnerOp : Fx_Product<"inner",
    "inner(op.getInput(), op.getOther(), r)",
    ["aten.inner.default"], "input", "other"> {
  let summary = "sum of products over the last dims";
  let description = [{
    y[i.., j..] = sum_k input[i.., k] * other[j.., k]; with an operand of rank 0, the product.

    * (inner_c1) the last sizes are equal.
    * (inner_c2) both operands have one element type, unless one has rank 0.
  }];
}

def Fx_KronOp : Fx_Product<"kron", "kron(op.getInput(), op.getOther(), r)", ["aten.kron.default"], "input", "other"> {
  let summary = "Kronecker product";
  let description = [{
    y[i * size(other) + j] = input[i] * other[j] in every dim, in the promoted type; the operand of lower rank has
    leading dims of size 1.
  }];
}

def Fx_TensordotOp : Fx_Product<"tensordot", "tensordot(op, r)", ["aten.tensordot.default"], "input", "other",
                                (ins DenseI64ArrayAttr:$dims_self, DenseI64ArrayAttr:$dims_other)> {
  let summary = "contraction over pairs of dims";
  let description = [{
    y[i.., j..] = sum over the paired dims of input * other; the dims left of `input` come before those of `other`.

    * (tensordot_c1) the lists have one length, and name different dims of their operand.
    * (tensordot_c2) paired sizes are equal, or one of them is 1.
    * (tensordot_c3) both operands have one element type.

    ```mlir
    %y = fx.tensordot %a, %b dims [1], [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let assemblyFormat = "$input `,` $other `dims` $dims_self `,` $dims_other attr-dict `:` functional-type(operands, results)";
}

def Fx_IntMmOp : Fx_Op<"int_mm", "intMm(op, r)", ["aten._int_mm.default"]> {
  let summary = "product of two i8 matrices in i32";
  let description = [{
    y[i, j] = sum_k input[i, k] * mat2[k, j], summed in i32.

    * (int_mm_c1) both operands have rank 2, and the columns of `input` are the rows of `mat2`.
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$input, RankedTensorOf<[I8]>:$mat2);
  let results = (outs Fx_InfoTensor:$result);
}

def Fx_CrossOp : Fx_Product<"cross",
    "cross(op, r)",
    ["aten.cross.default", "aten.linalg_cross.default"], "input", "other",
                            (ins OptionalAttr<I64Attr>:$dim)> {
  let summary = "cross product of vectors of three elements";
  let description = [{
    y = input × other along `dim` (absent: the first dim of size 3), after both broadcast.

    * (cross_c1) the operands broadcast, and have one rank.
    * (cross_c2) `dim` is a dim of size 3.
  }];
}

//===----------------------------------------------------------------------===//
// Products added to an operand
//===----------------------------------------------------------------------===//

/// beta * input + alpha * (a product of `lhs` and `rhs`); both factors are 1 if absent, and beta = 0 ignores `input`,
/// even NaN.
class Fx_AddProduct<string mnemonic, string infer, list<string> aten, string lhs, string rhs, dag extra = (ins)>
    : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con(!dag(ins, [Fx_Tensor, Fx_Tensor, Fx_Tensor], ["input", lhs, rhs]), extra,
                       (ins OptionalAttr<Fx_NumberAttr>:$beta, OptionalAttr<Fx_NumberAttr>:$alpha));
  let results = (outs Fx_Tensor:$result);
}

def Fx_AddmmOp : Fx_AddProduct<"addmm",
                               "addProduct(op, {\"mat1\", op.getMat1()}, {\"mat2\", op.getMat2()}, 0, op.getOutDtype(), r)",
                               ["aten.addmm.default", "aten.addmm.dtype"], "mat1", "mat2", Fx_OutDtype> {
  let summary = "product of two matrices added to a tensor";
  let description = [{
    y = beta * input + alpha * mat1 mat2; `input` broadcasts, and is ignored if beta = 0.

    * (addmm_c1) `mat1` and `mat2` have rank 2, and the columns of `mat1` are the rows of `mat2`.
    * (addmm_c2) `input` broadcasts to the product.
    * (addmm_c3) operands have one element type.

    ```mlir
    %y = fx.addmm %c, %a, %b {beta = 2 : i64} : (tensor<3xf32>, tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    ```
  }];
}

def Fx_BaddbmmOp : Fx_AddProduct<"baddbmm",
                                 "addProduct(op, {\"batch1\", op.getBatch1()}, {\"batch2\", op.getBatch2()}, 1, op.getOutDtype(), r)",
                                 ["aten.baddbmm.default", "aten.baddbmm.dtype"], "batch1", "batch2", Fx_OutDtype> {
  let summary = "product of two batches of matrices added to a tensor";
  let description = [{ y = beta * input + alpha * batch1 batch2. Constraints as those of `fx.addmm`, with rank 3. }];
}

def Fx_AddbmmOp : Fx_AddProduct<"addbmm", "addbmm(op, r)", ["aten.addbmm.default"], "batch1", "batch2"> {
  let summary = "sum of the products of a batch of matrices added to a tensor";
  let description = [{
    y = beta * input + alpha * sum_b batch1[b] batch2[b].

    * (addbmm_c1) `batch1` and `batch2` have rank 3, equal batches, and the columns of `batch1` are the rows of `batch2`.
    * (addbmm_c2) `input` broadcasts to the product.
    * (addbmm_c3) operands have one element type.
  }];
}

def Fx_AddmvOp : Fx_AddProduct<"addmv", "addmv(op, r)", ["aten.addmv.default"], "mat", "vec"> {
  let summary = "product of a matrix and a vector added to a tensor";
  let description = [{
    y = beta * input + alpha * mat vec.

    * (addmv_c1) `mat` has rank 2, `vec` rank 1, and the columns of `mat` are the elements of `vec`.
    * (addmv_c2) `input` broadcasts to the product.
    * (addmv_c3) operands have one element type.
  }];
}

def Fx_AddrOp : Fx_AddProduct<"addr", "addr(op, r)", ["aten.addr.default"], "vec1", "vec2"> {
  let summary = "outer product of two vectors added to a tensor";
  let description = [{
    y = beta * input + alpha * vec1 vec2ᵀ, in the promoted type.

    * (addr_c1) `vec1` and `vec2` have rank 1.
    * (addr_c2) `input` broadcasts to the product.
  }];
}

//===----------------------------------------------------------------------===//
// Linear maps and contractions
//===----------------------------------------------------------------------===//

def Fx_LinearOp : Fx_Op<"linear", "linear(op, r)", ["aten.linear.default"]> {
  let summary = "linear map of the last dim";
  let description = [{
    y[.., o] = sum_k input[.., k] * weight[o, k] + bias[o]; a `weight` of rank 1 gives no dim o.

    * (linear_c1) `weight` has rank 1 or 2, `input` rank 1 or more.
    * (linear_c2) the last sizes of `input` and `weight` are equal.
    * (linear_c3) `bias` broadcasts to the result.
    * (linear_c4) operands have one element type.

    ```mlir
    %y = fx.linear %x, %w, %b : (tensor<2x4x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Fx_Tensor:$weight, Optional<Fx_Tensor>:$bias);
  let results = (outs Fx_Tensor:$result);
}

def Fx_BilinearOp : Fx_Op<"bilinear", "bilinear(op, r)", ["aten.bilinear.default"]> {
  let summary = "bilinear map of two last dims";
  let description = [{
    y[.., o] = sum_{i, j} input1[.., i] * weight[o, i, j] * input2[.., j] + bias[o].

    * (bilinear_c1) `weight` has rank 3, `input1` and `input2` one rank, 1 or more.
    * (bilinear_c2) the inputs agree in all dims but the last, whose sizes are those of `weight`.
    * (bilinear_c3) `bias` has the shape [O].
    * (bilinear_c4) operands have one element type.
  }];
  let arguments = (ins Fx_Tensor:$input1, Fx_Tensor:$input2, Fx_Tensor:$weight, Optional<Fx_Tensor>:$bias);
  let results = (outs Fx_Tensor:$result);
}

def Fx_TrilinearOp : Fx_Op<"trilinear", "trilinear(op, r)", ["aten._trilinear.default"]> {
  let summary = "product of three tensors, summed over some dims";
  let description = [{
    y = sum over the dims `sumdim` of i1 * i2 * i3, where the dims `expandN` of size 1 are put into iN first.

    * (trilinear_c1) each operand has the same rank after its dims were put in.
    * (trilinear_c2) the operands then broadcast.
    * (trilinear_c3) lists name different dims.
  }];
  let arguments = (ins Fx_Tensor:$i1, Fx_Tensor:$i2, Fx_Tensor:$i3, DenseI64ArrayAttr:$expand1,
                       DenseI64ArrayAttr:$expand2, DenseI64ArrayAttr:$expand3, DenseI64ArrayAttr:$sumdim,
                       DefaultValuedAttr<I64Attr, "1">:$unroll_dim);
  let results = (outs Fx_Tensor:$result);
}

def Fx_EinsumOp : Fx_Op<"einsum", "einsum(op, r)", ["aten.einsum.default"]> {
  let summary = "sum of products in Einstein's notation";
  let description = [{
    "ij,jk->ik": y[i, k] = sum_j tensors_0[i, j] * tensors_1[j, k]. Each operand has one letter per dim; `...` stands for
    dims that broadcast. A letter twice in an operand takes a diagonal. Without `->` the result has the dims of `...`,
    then the letters that appear once, in alphabetical order (A-Z before a-z). Letters that are not in the result are
    summed over. `path` is the order of contractions.

    * (einsum_c1) `equation` is well-formed and has one part per operand.
    * (einsum_c2) an operand has one dim per letter, and more only with `...`.
    * (einsum_c3) the sizes of a letter are equal, or 1.
    * (einsum_c4) the result's letters are different letters of the operands.

    ```mlir
    %y = fx.einsum "bij,jk->bik" %a, %b : (tensor<5x4x8xf32>, tensor<8x3xf32>) -> tensor<5x4x3xf32>
    ```
  }];
  let arguments = (ins StrAttr:$equation, Variadic<Fx_Tensor>:$tensors, OptionalAttr<DenseI64ArrayAttr>:$path);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = "$equation $tensors attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

def Fx_CdistOp : Fx_Op<"cdist", "cdist(op, r)",
                       ["aten.cdist.default", "aten._cdist_forward.default"]> {
  let summary = "distances between all pairs of rows";
  let description = [{
    y[.., i, j] = (sum_k |x1[.., i, k] - x2[.., j, k]|^p)^(1/p); `compute_mode` allows (0, 1) or forbids (2) a matrix
    product for p = 2.

    * (cdist_c1) both operands have rank 2 or more and equal last sizes.
    * (cdist_c2) the batch dims broadcast.
    * (cdist_c3) `p` is not negative, `compute_mode` in [0, 2].
  }];
  let arguments = (ins Fx_FloatTensor:$x1, Fx_FloatTensor:$x2, DefaultValuedAttr<F64Attr, "2.0">:$p,
                       OptionalAttr<I64Attr>:$compute_mode);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_CdistBackwardOp : Fx_Op<"cdist_backward", "cdistBackward(op, r)", ["aten._cdist_backward.default"]> {
  let summary = "gradient of cdist with respect to x1";
  let description = [{
    y[.., i, k] = sum_j grad[.., i, j] * d cdist[.., i, j] / d x1[.., i, k], where batch dims broadcast.

    * (cdist_backward_c1) constraints of `fx.cdist`; `grad` and `cdist` have its shape.
  }];
  let arguments = (ins Fx_FloatTensor:$grad, Fx_FloatTensor:$x1, Fx_FloatTensor:$x2, F64Attr:$p, Fx_FloatTensor:$cdist);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_PdistOp : Fx_Op<"pdist", "pdist(op, r)", ["aten.pdist.default", "aten._pdist_forward.default"]> {
  let summary = "distances between the pairs of different rows";
  let description = [{
    y = the distances (sum_k |input[i, k] - input[j, k]|^p)^(1/p) for i < j, ordered by i, then j.

    * (pdist_c1) `input` has rank 2.
    * (pdist_c2) `p` is not negative.
  }];
  let arguments = (ins Fx_FloatTensor:$input, DefaultValuedAttr<F64Attr, "2.0">:$p);
  let results = (outs Fx_FloatTensor:$result);
}

def Fx_PdistBackwardOp : Fx_Op<"pdist_backward", "r.like(op.getInput())", ["aten._pdist_backward.default"]> {
  let summary = "gradient of pdist";
  let description = [{ y[i, k] = sum over pairs of i of grad[pair] * d pdist[pair] / d input[i, k]. }];
  let arguments = (ins Fx_FloatTensor:$grad, Fx_FloatTensor:$input, F64Attr:$p, Fx_FloatTensor:$pdist);
  let results = (outs Fx_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Discrete Fourier transform over the dims `dim`, of which the last may be halved; `normalization` 0 does not scale,
/// 1 divides by sqrt(N), 2 by N, with N the product of the transformed sizes.
class Fx_Fft<string mnemonic, string infer, list<string> aten, TypeConstraint from, TypeConstraint to, dag extra>
    : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con((ins from:$input, DenseI64ArrayAttr:$dim, DefaultValuedAttr<I64Attr, "0">:$normalization), extra);
  let results = (outs to:$result);
}

def Fx_FftR2cOp : Fx_Fft<"fft_r2c",
    "fftR2c(op, r)",
    ["aten._fft_r2c.default", "prims.fft_r2c.default(normalization=#0)"],
                         Fx_FftRealTensor, Fx_FftComplexTensor, (ins BoolAttr:$onesided)> {
  let summary = "Fourier transform of real numbers";
  let description = [{
    y[f] = s * sum_n input[n] * exp(-2πi * sum_d f_d n_d / N_d) over the dims `dim`; with `onesided` only the first
    N / 2 + 1 frequencies of the last dim of the list. s = 1, 1/sqrt(N) or 1/N for `normalization` 0, 1, 2.

    * (fft_c1) `dim` names different dims of `input`, at least one.
    * (fft_c2) `normalization` is 0, 1 or 2.

    ```mlir
    %y = fx.fft_r2c %x dim [1] {onesided = true} : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    ```
  }];
  let assemblyFormat = "$input `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Fx_FftC2cOp : Fx_Fft<"fft_c2c",
    "fftC2c(op, r)",
    ["aten._fft_c2c.default", "prims.fft_c2c.default(normalization=#0)"],
                         Fx_FftComplexTensor, Fx_FftComplexTensor, (ins BoolAttr:$forward)> {
  let summary = "Fourier transform of complex numbers";
  let description = [{
    y[f] = s * sum_n input[n] * exp(∓2πi * sum_d f_d n_d / N_d), with - if `forward`. Constraints of `fx.fft_r2c`; an
    empty `dim` changes nothing.
  }];
  let assemblyFormat = "$input `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Fx_FftC2rOp : Fx_Fft<"fft_c2r",
    "fftC2r(op, r)",
    ["aten._fft_c2r.default", "prims.fft_c2r.default(normalization=#0)"],
                         Fx_FftComplexTensor, Fx_FftRealTensor,
                         (ins Variadic<Index>:$last_dim_size, DenseI64ArrayAttr:$static_last_dim_size)> {
  let summary = "inverse Fourier transform to real numbers";
  let description = [{
    The inverse of `fx.fft_r2c` (onesided) up to the factor s: exponents have the other sign, and the last dim of the
    list has the size `last_dim_size`. Constraints of `fx.fft_r2c`, and

    * (fft_c2r_c3) `last_dim_size` is one positive size.
  }];
  let assemblyFormat = [{
    $input `dim` $dim `last_dim_size` custom<DynamicIndexList>($last_dim_size, $static_last_dim_size) attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Recurrent networks
//
// `input` is [T, B, I], or [B, T, I] with `batch_first`; states are [D * layers,
// B, H] with D = 2 if `bidirectional`, else 1. `params` holds, per layer and
// direction, W_ih, W_hh, then b_ih, b_hh with `has_biases`, then W_hr with a
// projection (lstm only). With `train`, a dropout > 0 is random.
//
//   * (rnn_c1) `input` and the states have rank 3.
//   * (rnn_c2) the states have D * num_layers slices and the batch of `input`.
//   * (rnn_c3) `params` has the number of tensors that the attributes ask for.
//   * (rnn_c4) `dropout` is in [0, 1], `num_layers` positive.
//===----------------------------------------------------------------------===//

defvar Fx_RnnAttributes = (ins BoolAttr:$has_biases, I64Attr:$num_layers, F64Attr:$dropout, BoolAttr:$train,
                               BoolAttr:$bidirectional, BoolAttr:$batch_first);

class Fx_Rnn<string mnemonic, string formula>
    : Fx_Op<mnemonic, "rnn(op, r)", ["aten." # mnemonic # ".input"],
            [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "layers of a recurrent network (" # mnemonic # ")";
  let description = formula # [{
    The results are the last layer's h at all times, and the last h of every layer.

    * (rnn_c1) `input` and the states have rank 3.
    * (rnn_c2) the states have D * num_layers slices and the batch of `input`.
    * (rnn_c3) `params` has the number of tensors that the attributes ask for.
    * (rnn_c4) `dropout` is in [0, 1], `num_layers` positive.
  }];
  let arguments = !con((ins Fx_Tensor:$input, Fx_Tensor:$hx, Variadic<Fx_Tensor>:$params), Fx_RnnAttributes);
  let results = (outs Fx_Tensor:$output, Fx_Tensor:$hy);
  let assemblyFormat = "$input `,` $hx `params` `(` $params `)` attr-dict `:` functional-type(operands, results)";
}

def Fx_GruOp : Fx_Rnn<"gru", [{
    r = σ(W_ir x + b_ir + W_hr h + b_hr), z = σ(W_iz x + b_iz + W_hz h + b_hz),
    n = tanh(W_in x + b_in + r * (W_hn h + b_hn)), h' = (1 - z) * n + z * h.
}]>;
def Fx_RnnTanhOp : Fx_Rnn<"rnn_tanh", [{
    h' = tanh(W_ih x + b_ih + W_hh h + b_hh).
}]>;
def Fx_RnnReluOp : Fx_Rnn<"rnn_relu", [{
    h' = max(W_ih x + b_ih + W_hh h + b_hh, 0).
}]>;

def Fx_LstmOp : Fx_Op<"lstm", "lstm(op, r)", ["aten.lstm.input"],
                      [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "layers of a long short-term memory";
  let description = [{
    i, f, o = σ(W x + b + W' h + b') of their gates, g = tanh(the same of its gate), c' = f * c + i * g,
    h' = o * tanh(c'), projected by W_hr if there is one. The results are the last layer's h at all times, and the last
    h and c of every layer.

    * (rnn_c1) `input` and the states have rank 3.
    * (rnn_c2) the states have D * num_layers slices and the batch of `input`.
    * (rnn_c3) `params` has the number of tensors that the attributes ask for.
    * (rnn_c4) `dropout` is in [0, 1], `num_layers` positive.
    * (lstm_c5) `hx` is h and c.

    ```mlir
    %y, %hn, %cn = fx.lstm %x hx(%h, %c) params(%wi, %wh) {has_biases = false, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
        : (tensor<5x2x3xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<16x3xf32>, tensor<16x4xf32>) -> (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
    ```
  }];
  let arguments = !con((ins Fx_Tensor:$input, Variadic<Fx_Tensor>:$hx, Variadic<Fx_Tensor>:$params), Fx_RnnAttributes);
  let results = (outs Fx_Tensor:$output, Fx_Tensor:$hy, Fx_Tensor:$cy);
  let assemblyFormat = [{
    $input `hx` `(` $hx `)` `params` `(` $params `)` attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Linear algebra
//
// Matrices are the last two dims, the dims before are a batch.
//
//   * (linalg_c1) a matrix operand has rank 2 or more.
//   * (linalg_c2) a square matrix has as many rows as columns.
//===----------------------------------------------------------------------===//

/// One matrix operand `arg`; results as `infer` says.
class Fx_Linalg<string mnemonic, string infer, list<string> aten, string arg, dag attributes, dag outputs>
    : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con(!dag(ins, [Fx_LinalgTensor], [arg]), attributes);
  let results = outputs;
}

def Fx_LinalgSvdOp : Fx_Linalg<"linalg_svd", "svd(op, r)",
                               ["aten.linalg_svd.default", "aten._linalg_svd.default", "prims.svd.default"], "A",
                               (ins DefaultValuedAttr<BoolAttr, "true">:$full_matrices,
                                    DefaultValuedAttr<BoolAttr, "true">:$compute_uv, OptionalAttr<StrAttr>:$driver),
                               (outs Fx_LinalgTensor:$U, Fx_LinalgRealTensor:$S, Fx_LinalgTensor:$Vh)> {
  let summary = "singular value decomposition";
  let description = [{
    A = U diag(S) Vh with S descending and U, Vh unitary: square with `full_matrices`, else of min(rows, columns)
    columns and rows. Without `compute_uv`, U and Vh are empty. Constraint linalg_c1.
  }];
}

def Fx_LinalgQrOp : Fx_Linalg<"linalg_qr", "qr(op, r)", ["aten.linalg_qr.default"], "A",
                              (ins DefaultValuedAttr<StrAttr, "\"reduced\"">:$mode),
                              (outs Fx_LinalgTensor:$Q, Fx_LinalgTensor:$R)> {
  let summary = "QR decomposition";
  let description = [{
    A = Q R, Q with orthonormal columns, R upper triangular. `mode` "reduced": Q has min(rows, columns) columns;
    "complete": Q is square; "r": Q is empty.

    * (linalg_c1) `A` has rank 2 or more.
    * (linalg_qr_c3) `mode` is one of the three.
  }];
}

def Fx_CholeskyOp : Fx_Linalg<"cholesky", "squareLike(\"input\", op.getInput(), r)",
                              ["aten.cholesky.default", "aten.linalg_cholesky.default"], "input",
                              (ins DefaultValuedAttr<BoolAttr, "false">:$upper), (outs Fx_LinalgTensor:$result)> {
  let summary = "Cholesky factor of a positive definite matrix";
  let description = [{
    input = L Lᴴ, or Uᴴ U with `upper`; an error at run time for other matrices.

    * (linalg_c1) `input` has rank 2 or more.
    * (linalg_c2) `input` is square.
  }];
}

def Fx_LinalgCholeskyExOp : Fx_Linalg<"linalg_cholesky_ex", "squareWithInfo(\"input\", op.getInput(), r)",
                                      ["aten.linalg_cholesky_ex.default"], "input",
                                      (ins DefaultValuedAttr<BoolAttr, "false">:$upper,
                                           DefaultValuedAttr<BoolAttr, "false">:$check_errors),
                                      (outs Fx_LinalgTensor:$L, Fx_InfoTensor:$info)> {
  let summary = "Cholesky factor of a matrix, and whether it is positive definite";
  let description = [{
    As `fx.cholesky`; `info` is 0, or the order of the leading minor that is not positive definite. Constraints
    linalg_c1, linalg_c2.
  }];
}

def Fx_LinalgInvOp : Fx_Linalg<"linalg_inv", "squareLike(\"A\", op.getA(), r)",
                               ["aten.linalg_inv.default", "aten.inverse.default(A=self)"], "A", (ins),
                               (outs Fx_LinalgTensor:$result)> {
  let summary = "inverse of a matrix";
  let description = [{ y A = I; an error at run time for a singular matrix. Constraints linalg_c1, linalg_c2. }];
}

def Fx_LinalgInvExOp : Fx_Linalg<"linalg_inv_ex",
    "squareWithInfo(\"A\", op.getA(), r)",
    ["aten.linalg_inv_ex.default"], "A",
                                 (ins DefaultValuedAttr<BoolAttr, "false">:$check_errors),
                                 (outs Fx_LinalgTensor:$inverse, Fx_InfoTensor:$info)> {
  let summary = "inverse of a matrix, and whether there is one";
  let description = [{
    As `fx.linalg_inv`; `info` is 0, or the place of the zero pivot. Constraints linalg_c1, linalg_c2.
  }];
}

def Fx_LinalgLuFactorOp : Fx_Linalg<"linalg_lu_factor", "luFactor(op.getA(), /*info=*/false, r)",
                                    ["aten.linalg_lu_factor.default"], "A",
                                    (ins DefaultValuedAttr<BoolAttr, "true">:$pivot),
                                    (outs Fx_LinalgTensor:$LU, Fx_InfoTensor:$pivots)> {
  let summary = "LU decomposition in compact form";
  let description = [{
    A = P L U, with L (unit diagonal, not stored) and U in one matrix, and P as 1-based row exchanges, min(rows,
    columns) of them. Constraint linalg_c1.
  }];
}

def Fx_LinalgLuFactorExOp : Fx_Linalg<"linalg_lu_factor_ex", "luFactor(op.getA(), /*info=*/true, r)",
                                      ["aten.linalg_lu_factor_ex.default"], "A",
                                      (ins DefaultValuedAttr<BoolAttr, "true">:$pivot,
                                           DefaultValuedAttr<BoolAttr, "false">:$check_errors),
                                      (outs Fx_LinalgTensor:$LU, Fx_InfoTensor:$pivots, Fx_InfoTensor:$info)> {
  let summary = "LU decomposition in compact form, and whether U is regular";
  let description = [{
    As `fx.linalg_lu_factor`; `info` is 0, or the place of the zero pivot. Constraint linalg_c1.
  }];
}

def Fx_LinalgEighOp : Fx_Linalg<"linalg_eigh", "eigh(op.getA(), op.getUPLO(), op.getComputeV(), r)",
                                ["aten.linalg_eigh.default(A=self)", "aten._linalg_eigh.default"], "A",
                                (ins DefaultValuedAttr<StrAttr, "\"L\"">:$UPLO,
                                     DefaultValuedAttr<BoolAttr, "true">:$compute_v),
                                (outs Fx_LinalgRealTensor:$eigenvalues, Fx_LinalgTensor:$eigenvectors)> {
  let summary = "eigenvalues and eigenvectors of a Hermitian matrix";
  let description = [{
    A V = V diag(eigenvalues), ascending; `UPLO` says which triangle is read. Without `compute_v` the eigenvectors are
    empty.

    * (linalg_c1) `A` has rank 2 or more.
    * (linalg_c2) `A` is square.
    * (linalg_eigh_c3) `UPLO` is "L" or "U".
  }];
}

def Fx_LinalgEigvalshOp : Fx_Linalg<"linalg_eigvalsh", "eigvalsh(\"input\", op.getInput(), op.getUPLO(), r)",
                                    ["aten.linalg_eigvalsh.default"], "input",
                                    (ins DefaultValuedAttr<StrAttr, "\"L\"">:$UPLO),
                                    (outs Fx_LinalgRealTensor:$result)> {
  let summary = "eigenvalues of a Hermitian matrix";
  let description = [{ The first result of `fx.linalg_eigh`, with its constraints. }];
}

def Fx_DetOp : Fx_Linalg<"det",
    "determinant(\"input\", op.getInput(), r)",
    ["aten.det.default", "aten.linalg_det.default(input=A)"],
                         "input", (ins), (outs Fx_LinalgTensor:$result)> {
  let summary = "determinant";
  let description = [{ y = det(input). Constraints linalg_c1, linalg_c2. }];
}

def Fx_LinalgDetOp : Fx_Linalg<"linalg_det",
    "determinantWithLu(op.getA(), r)",
    ["aten._linalg_det.default"], "A", (ins),
                               (outs Fx_LinalgTensor:$result, Fx_LinalgTensor:$LU, Fx_InfoTensor:$pivots)> {
  let summary = "determinant, and the LU decomposition that gives it";
  let description = [{ The determinant and the results of `fx.linalg_lu_factor`. Constraints linalg_c1, linalg_c2. }];
}

def Fx_LogdetOp : Fx_Linalg<"logdet",
    "determinant(\"input\", op.getInput(), r)",
    ["aten.logdet.default"], "input", (ins),
                            (outs Fx_LinalgTensor:$result)> {
  let summary = "logarithm of the determinant";
  let description = [{ y = log(det(input)), NaN if the determinant is negative. Constraints linalg_c1, linalg_c2. }];
}

def Fx_SlogdetOp : Fx_Linalg<"slogdet", "slogdet(\"input\", op.getInput(), /*lu=*/false, r)",
                             ["aten.slogdet.default", "aten.linalg_slogdet.default(input=A)"], "input", (ins),
                             (outs Fx_LinalgTensor:$sign, Fx_LinalgRealTensor:$logabsdet)> {
  let summary = "sign and logarithm of the determinant";
  let description = [{ det(input) = sign * exp(logabsdet). Constraints linalg_c1, linalg_c2. }];
}

def Fx_LinalgSlogdetOp : Fx_Linalg<"linalg_slogdet", "slogdet(\"A\", op.getA(), /*lu=*/true, r)",
                                   ["aten._linalg_slogdet.default"], "A", (ins),
                                   (outs Fx_LinalgTensor:$sign, Fx_LinalgRealTensor:$logabsdet, Fx_LinalgTensor:$LU,
                                         Fx_InfoTensor:$pivots)> {
  let summary = "sign and logarithm of the determinant, and the LU decomposition that gives them";
  let description = [{ The results of `fx.slogdet` and of `fx.linalg_lu_factor`. Constraints linalg_c1, linalg_c2. }];
}

/// Solution of A X = B, or of X A = B without `left`; B is a vector per matrix if its shape is that of A without the
/// last dim (or if it has rank 1).
class Fx_LinalgSolveBase<string mnemonic, string infer, list<string> aten, dag extra, dag outputs>
    : Fx_Op<mnemonic, infer, aten> {
  let arguments = !con((ins Fx_LinalgTensor:$A, Fx_LinalgTensor:$B, DefaultValuedAttr<BoolAttr, "true">:$left), extra);
  let results = outputs;
}

def Fx_LinalgSolveOp : Fx_LinalgSolveBase<"linalg_solve", "solve(op, /*lu=*/false, /*info=*/false, r)",
                                          ["aten.linalg_solve.default"], (ins), (outs Fx_LinalgTensor:$result)> {
  let summary = "solution of a system of linear equations";
  let description = [{
    A y = B, or y A = B without `left`; B is a vector per matrix if it has rank 1 or the shape of A without its last dim
    (an unknown size counts as equal).

    * (linalg_c1) `A` has rank 2 or more.
    * (linalg_c2) `A` is square.
    * (linalg_solve_c3) the batch dims broadcast, and the sizes of `A` and `B` agree.
    * (linalg_solve_c4) `A` and `B` have one element type.
  }];
}

def Fx_LinalgSolveExOp : Fx_LinalgSolveBase<"linalg_solve_ex", "solve(op, /*lu=*/true, /*info=*/true, r)",
                                            ["aten._linalg_solve_ex.default"],
                                            (ins DefaultValuedAttr<BoolAttr, "false">:$check_errors),
                                            (outs Fx_LinalgTensor:$result, Fx_LinalgTensor:$LU, Fx_InfoTensor:$pivots,
                                                  Fx_InfoTensor:$info)> {
  let summary = "solution of a system of linear equations, and the LU decomposition that gives it";
  let description = [{
    As `fx.linalg_solve`, with the results of `fx.linalg_lu_factor_ex`. Constraints of `fx.linalg_solve`.
  }];
}

def Fx_LinalgSolveTriangularOp : Fx_Op<"linalg_solve_triangular", "solveTriangular(op, r)",
                                       ["aten.linalg_solve_triangular.default"]> {
  let summary = "solution of a triangular system of linear equations";
  let description = [{
    input y = B, or y input = B without `left`, with one triangle of `input`, its diagonal 1 if `unitriangular`.

    * (linalg_c1) `input` and `B` have rank 2 or more.
    * (linalg_c2) `input` is square.
    * (linalg_solve_triangular_c3) the batch dims broadcast, and the sizes of `input` and `B` agree.
    * (linalg_solve_triangular_c4) `input` and `B` have one element type.
  }];
  let arguments = (ins Fx_LinalgTensor:$input, Fx_LinalgTensor:$B, BoolAttr:$upper,
                       DefaultValuedAttr<BoolAttr, "true">:$left, DefaultValuedAttr<BoolAttr, "false">:$unitriangular);
  let results = (outs Fx_LinalgTensor:$result);
}

def Fx_TriangularSolveOp : Fx_Op<"triangular_solve", "triangularSolve(op, r)", ["aten.triangular_solve.default"]> {
  let summary = "solution of a triangular system of linear equations, right-hand side first";
  let description = [{
    A y = input, or Aᵀ y = input with `transpose`; the second result is a copy of `A`. Constraints as those of
    `fx.linalg_solve_triangular`.
  }];
  let arguments = (ins Fx_LinalgTensor:$input, Fx_LinalgTensor:$A, DefaultValuedAttr<BoolAttr, "true">:$upper,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose,
                       DefaultValuedAttr<BoolAttr, "false">:$unitriangular);
  let results = (outs Fx_LinalgTensor:$solution, Fx_LinalgTensor:$cloned_coefficient);
}

def Fx_CholeskySolveOp : Fx_Op<"cholesky_solve", "choleskySolve(op, r)", ["aten.cholesky_solve.default"]> {
  let summary = "solution of a system of linear equations from a Cholesky factor";
  let description = [{
    (L Lᴴ) y = input with L = input2, or (Uᴴ U) y = input with `upper`. Constraints as those of
    `fx.linalg_solve_triangular`.
  }];
  let arguments = (ins Fx_LinalgTensor:$input, Fx_LinalgTensor:$input2, DefaultValuedAttr<BoolAttr, "false">:$upper);
  let results = (outs Fx_LinalgTensor:$result);
}

def Fx_CholeskyInverseOp : Fx_Linalg<"cholesky_inverse",
    "squareLike(\"input\", op.getInput(), r)",
    ["aten.cholesky_inverse.default"],
                                     "input", (ins DefaultValuedAttr<BoolAttr, "false">:$upper),
                                     (outs Fx_LinalgTensor:$result)> {
  let summary = "inverse of a matrix from its Cholesky factor";
  let description = [{ y = (L Lᴴ)⁻¹, or (Uᴴ U)⁻¹ with `upper`. Constraints linalg_c1, linalg_c2. }];
}

#endif // FX_MATRIX_OPS_TD
