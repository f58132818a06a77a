//===- FxRandomOps.td - random numbers -----------------------------------===//
//
// A random op reads and writes the generator's state, which no operand shows:
// such ops keep their number and their order. Each call draws from the counter-based
// Philox generator, as torch does on the same device.
//
//===----------------------------------------------------------------------===//

#ifndef FX_RANDOM_OPS_TD
#define FX_RANDOM_OPS_TD

include "fx/FxBase.td"

/// The generator's state.
def Fx_GeneratorResource : Resource<"::fx::GeneratorResource">;

/// A sample, inferred by the overload of `inferTypes` for this op.
class Fx_RandomOp<string mnemonic, list<string> aten, list<Trait> traits = []>
    : Fx_Op<mnemonic, "inferTypes(op, r)", aten,
            [MemoryEffects<[MemRead<Fx_GeneratorResource>, MemWrite<Fx_GeneratorResource>]>] # traits> {
  let results = (outs Fx_Tensor:$result);
}

/// Samples in the shape of an operand.
class Fx_RandomLikeOp<string mnemonic, string keywords, list<string> aten, list<Trait> traits = []>
    : Fx_RandomOp<mnemonic, aten, traits> {
  let arguments = (ins Fx_Tensor:$input);
  let assemblyFormat = "$input " # keywords # " attr-dict `:` functional-type($input, $result)";
}

/// Samples in a shape, of element type `dtype`, else f32.
class Fx_RandomSizeOp<string mnemonic, list<string> aten> : Fx_RandomOp<mnemonic, aten> {
  let arguments = (ins Variadic<Index>:$size, DenseI64ArrayAttr:$static_size, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = "custom<DynamicIndexList>($size, $static_size) (`as` $dtype^)? attr-dict `:` type($result)";
}

class Fx_F64ByDefault<string value> : DefaultValuedAttr<F64Attr, value>;
/// SymInt that an overload may lack: the list of none stands for its absence.
def Fx_SymIntOrNone : DefaultValuedAttr<DenseI64ArrayAttr, "{}">;

//===----------------------------------------------------------------------===//
// Uniform and normal samples
//===----------------------------------------------------------------------===//

def Fx_RandOp : Fx_RandomSizeOp<"rand", ["aten.rand.default", "aten.rand.generator"]> {
  let summary = "samples of U[0, 1)";
  let description = [{
    * (rand_c1) no size is negative.
    * (rand_c2) `dtype` is a float or complex type.

    ```mlir
    %y = fx.rand[4, %n] as bf16 : tensor<4x?xbf16>
    ```
  }];
}

def Fx_RandLikeOp : Fx_RandomLikeOp<"rand_like", "(`as` $dtype^)?", ["aten.rand_like.default"]> {
  let summary = "samples of U[0, 1) in the shape of a tensor";
  let description = [{
    The element type is `dtype`, else that of `input`.

    * (rand_like_c1) the element type is a float or complex type.
  }];
  let arguments = (ins Fx_Tensor:$input, OptionalAttr<TypeAttr>:$dtype);
}

def Fx_RandnOp : Fx_RandomSizeOp<"randn", ["aten.randn.default", "aten.randn.generator"]> {
  let summary = "samples of N(0, 1)";
  let description = [{
    * (randn_c1) no size is negative.
    * (randn_c2) `dtype` is a float or complex type.

    ```mlir
    %y = fx.randn[4, %n] : tensor<4x?xf32>
    ```
  }];
}

def Fx_RandnLikeOp : Fx_RandomLikeOp<"randn_like", "(`as` $dtype^)?", ["aten.randn_like.default"]> {
  let summary = "samples of N(0, 1) in the shape of a tensor";
  let description = [{
    The element type is `dtype`, else that of `input`.

    * (randn_like_c1) the element type is a float or complex type.
  }];
  let arguments = (ins Fx_Tensor:$input, OptionalAttr<TypeAttr>:$dtype);
}

def Fx_NormalOp : Fx_RandomOp<"normal",
    ["aten.normal.Tensor_Tensor", "aten.normal.Tensor_float", "aten.normal.float_Tensor", "aten.normal.float_float",
     "prims.normal.default(size=shape)"], [AttrSizedOperandSegments]> {
  let summary = "samples of N(mean, std^2)";
  let description = [{
    With two numbers, samples in the shape `size`, of element type `dtype`, else f32. With a tensor,
    samples in the common shape of both, of the first tensor's element type. An absent `std` is 1.

    * (normal_c1) `mean` and `std` broadcast.
    * (normal_c2) `size` and `dtype` come with two numbers only; no size is negative.
    * (normal_c3) the element type is a float or complex type.

    ```mlir
    %y = fx.normal %mean, %std size [] : (tensor<4xf32>, f64) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$mean, Optional<Fx_TensorOrScalar>:$std, Variadic<Index>:$size,
                       Fx_SymIntOrNone:$static_size, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    $mean (`,` $std^)? `size` custom<DynamicIndexList>($size, $static_size) (`as` $dtype^)? attr-dict `:` `(` type($mean)
    (`,` type($std)^)? `)` `->` type($result)
  }];
}

def Fx_NormalFunctionalOp : Fx_RandomLikeOp<"normal_functional", "`mean` $mean `std` $std", ["aten.normal_functional.default"]> {
  let summary = "samples of N(mean, std^2) in the shape of a tensor";
  let description = [{
    Nothing but the type of `input` counts.

    * (normal_functional_c1) std >= 0.

    ```mlir
    %y = fx.normal_functional %x mean 0.0 std 2.0 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_FloatOrComplexTensor:$input, Fx_F64ByDefault<"0.0">:$mean, Fx_F64ByDefault<"1.0">:$std);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def Fx_RandintOp : Fx_RandomOp<"randint",
    ["aten.randint.default", "aten.randint.low", "aten.randint.generator", "aten.randint.low_generator"],
    [AttrSizedOperandSegments]> {
  let summary = "integers of a range, all alike probable";
  let description = [{
    Integers in [low, high); an absent `low` is 0. The element type is `dtype`, else i64.

    * (randint_c1) low and high are one number each (low may be absent), low < high.
    * (randint_c2) no size is negative, and `dtype` is an element type, not complex.

    ```mlir
    %y = fx.randint[2] to [10] size [4, %n] : tensor<4x?xi64>
    ```
  }];
  let arguments = (ins Variadic<Index>:$low, Fx_SymIntOrNone:$static_low, Variadic<Index>:$high,
                       DenseI64ArrayAttr:$static_high, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size,
                       OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = [{
    custom<DynamicIndexList>($low, $static_low) `to` custom<DynamicIndexList>($high, $static_high)
    `size` custom<DynamicIndexList>($size, $static_size) (`as` $dtype^)? attr-dict `:` type($result)
  }];
}

def Fx_RandintLikeOp : Fx_RandomLikeOp<"randint_like", [{
      custom<DynamicIndexList>($low, $static_low) `to` custom<DynamicIndexList>($high, $static_high) (`as` $dtype^)?}],
    ["aten.randint_like.default", "aten.randint_like.low_dtype"], [AttrSizedOperandSegments]> {
  let summary = "integers of a range in the shape of a tensor";
  let description = [{
    Integers in [low, high); an absent `low` is 0. The element type is `dtype`, else that of `input`.

    * (randint_like_c1) low and high are one number each (low may be absent), low < high.
    * (randint_like_c2) the element type is not complex.

    ```mlir
    %y = fx.randint_like %x[] to [10] as i32 : (tensor<4xf32>) -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$low, Fx_SymIntOrNone:$static_low, Variadic<Index>:$high,
                       DenseI64ArrayAttr:$static_high, OptionalAttr<TypeAttr>:$dtype);
}

def Fx_RandpermOp : Fx_RandomOp<"randperm", ["aten.randperm.default", "aten.randperm.generator"]> {
  let summary = "a permutation";
  let description = [{
    The numbers 0 .. n - 1 in random order. The element type is `dtype`, else i64.

    * (randperm_c1) n is one number, and not negative.
    * (randperm_c2) `dtype` is an element type, not complex.

    ```mlir
    %y = fx.randperm[8] : tensor<8xi64>
    ```
  }];
  let arguments = (ins Variadic<Index>:$n, DenseI64ArrayAttr:$static_n, OptionalAttr<TypeAttr>:$dtype);
  let assemblyFormat = "custom<DynamicIndexList>($n, $static_n) (`as` $dtype^)? attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Other distributions, in the shape of a tensor
//===----------------------------------------------------------------------===//

def Fx_BernoulliOp : Fx_RandomLikeOp<"bernoulli", "(`p` $p^)?", ["aten.bernoulli.default", "aten.bernoulli.p"]> {
  let summary = "1 with a probability, else 0";
  let description = [{
    y is 1 with probability `p`, or, without `p`, with the probability that is the element of `input`.

    * (bernoulli_c1) 0 <= p <= 1.
    * (bernoulli_c2) without `p` the element type is a float type.

    ```mlir
    %y = fx.bernoulli %x p 0.5 : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, OptionalAttr<F64Attr>:$p);
}

def Fx_CauchyOp : Fx_RandomLikeOp<"cauchy", "`median` $median `sigma` $sigma", ["aten.cauchy.default"]> {
  let summary = "samples of the Cauchy distribution";
  let description = [{
    Density sigma / (pi ((x - median)^2 + sigma^2)).

    * (cauchy_c1) sigma > 0.
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_F64ByDefault<"0.0">:$median, Fx_F64ByDefault<"1.0">:$sigma);
}

def Fx_ExponentialOp : Fx_RandomLikeOp<"exponential", "`lambd` $lambd", ["aten.exponential.default"]> {
  let summary = "samples of the exponential distribution";
  let description = [{
    Density lambd e^(-lambd x), x > 0.

    * (exponential_c1) lambd > 0.
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_F64ByDefault<"1.0">:$lambd);
}

def Fx_GeometricOp : Fx_RandomLikeOp<"geometric", "`p` $p", ["aten.geometric.default"]> {
  let summary = "samples of the geometric distribution";
  let description = [{
    P(k) = (1 - p)^(k - 1) p, k = 1, 2, ..

    * (geometric_c1) 0 < p < 1.
  }];
  let arguments = (ins Fx_RealTensor:$input, F64Attr:$p);
}

def Fx_LogNormalOp : Fx_RandomLikeOp<"log_normal", "`mean` $mean `std` $std", ["aten.log_normal.default"]> {
  let summary = "exponentials of normal samples";
  let description = [{
    y = e^z, z of N(mean, std^2).

    * (log_normal_c1) std > 0.
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_F64ByDefault<"1.0">:$mean, Fx_F64ByDefault<"2.0">:$std);
}

def Fx_UniformOp : Fx_RandomLikeOp<"uniform", "`from` $from `to` $to", ["aten.uniform.default"]> {
  let summary = "samples of U[from, to)";
  let description = [{
    Nothing but the type of `input` counts.

    * (uniform_c1) from <= to.
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_F64ByDefault<"0.0">:$from, Fx_F64ByDefault<"1.0">:$to);
}

def Fx_MultinomialOp : Fx_RandomLikeOp<"multinomial",
    "custom<DynamicIndexList>($num_samples, $static_num_samples) `replacement` $replacement", ["aten.multinomial.default"]> {
  let summary = "indices drawn by weights";
  let description = [{
    For each row of weights, `num_samples` indices into it, drawn with probabilities in proportion to
    the weights, with or without replacement; i64.

    * (multinomial_c1) the rank is 1 or 2.
    * (multinomial_c2) num_samples is one number and positive; without replacement at most the size of
      a row.

    ```mlir
    %y = fx.multinomial %x[3] replacement false : (tensor<2x8xf32>) -> tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, Variadic<Index>:$num_samples, DenseI64ArrayAttr:$static_num_samples,
                       DefaultValuedAttr<BoolAttr, "false">:$replacement);
}

//===----------------------------------------------------------------------===//
// Dropout and randomised activations
//===----------------------------------------------------------------------===//

def Fx_DropoutOp : Fx_RandomLikeOp<"dropout", "`p` $p `train` $train", ["aten.dropout.default"]> {
  let summary = "elements at random set to 0, the others scaled";
  let description = [{
    In training y is 0 with probability `p`, else input / (1 - p); otherwise y = input.

    * (dropout_c1) 0 <= p <= 1.

    ```mlir
    %y = fx.dropout %x p 0.1 train true : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, F64Attr:$p, BoolAttr:$train);
  let hasFolder = 1;
}

def Fx_NativeDropoutOp : Fx_RandomOp<"native_dropout", ["aten.native_dropout.default"]> {
  let summary = "dropout with its mask";
  let description = [{
    As fx.dropout; `mask` is true where an element is kept. An absent `train` is true.

    * (native_dropout_c1) 0 <= p <= 1.

    ```mlir
    %y, %mask = fx.native_dropout %x p 0.1 train true : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, F64Attr:$p, OptionalAttr<BoolAttr>:$train);
  let results = (outs Fx_Tensor:$result, Fx_BoolTensor:$mask);
  let assemblyFormat = "$input `p` $p (`train` $train^)? attr-dict `:` functional-type($input, results)";
}

def Fx_RreluWithNoiseFunctionalOp : Fx_RandomOp<"rrelu_with_noise_functional", ["aten.rrelu_with_noise_functional.default"]> {
  let summary = "leaky relu of random slope, with the slopes";
  let description = [{
    In training, where input <= 0, noise_out is a sample of U[lower, upper), elsewhere 1, and
    result = input * noise_out. Otherwise result is a leaky relu of slope (lower + upper) / 2, and
    noise_out is `noise`. An absent `lower` is 1/8, an absent `upper` 1/3.

    * (rrelu_with_noise_functional_c1) lower <= upper.
    * (rrelu_with_noise_functional_c2) `noise` has the shape and the element type of `input`.

    ```mlir
    %y, %n = fx.rrelu_with_noise_functional %x, %noise training true {lower = 0.1 : f64, upper = 0.3 : f64}
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Fx_FloatTensor:$input, Fx_FloatTensor:$noise, OptionalAttr<Fx_NumberAttr>:$lower,
                       OptionalAttr<Fx_NumberAttr>:$upper, DefaultValuedAttr<BoolAttr, "false">:$training);
  let results = (outs Fx_FloatTensor:$result, Fx_FloatTensor:$noise_out);
  let assemblyFormat = "$input `,` $noise `training` $training attr-dict `:` functional-type(operands, results)";
}

#endif // FX_RANDOM_OPS_TD
