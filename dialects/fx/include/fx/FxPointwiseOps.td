//===- FxPointwiseOps.td - one element in, one element out ---------------===//

#ifndef FX_POINTWISE_OPS_TD
#define FX_POINTWISE_OPS_TD

include "fx/FxBase.td"

/// One operand; integers compute in f32.
class Fx_UnaryFloat<string mnemonic, list<string> aten>
    : Fx_Op<mnemonic, "r.unary(op.getInput(), Promote::IntToFloat)", aten> {
  let arguments = (ins Fx_Tensor:$input);
  let results = (outs Fx_Tensor:$result);
}

/// Two operands that broadcast, with PyTorch's type promotion.
class Fx_Binary<string mnemonic, string promote, list<string> aten, list<Trait> traits = []>
    : Fx_Op<mnemonic, "r.pointwise({op.getInput(), op.getOther()}, Promote::" # promote # ")", aten, [Pure] # traits> {
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$other);
  let results = (outs Fx_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Fx_AddOp : Fx_Op<"add", "r.pointwise({op.getInput(), op.getOther()})", ["aten.add.Tensor", "aten.add.Scalar"]> {
  let summary = "sum of two operands";
  let description = [{
    y = input + alpha * other, broadcast, in the promoted type.

    ```mlir
    %y = fx.add %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Fx_TensorOrScalar:$input, Fx_TensorOrScalar:$other,
                       OptionalAttr<Fx_NumberAttr>:$alpha);
  let results = (outs Fx_Tensor:$result);
}

def Fx_MulOp : Fx_Binary<"mul", "Default", ["aten.mul.Tensor", "aten.mul.Scalar"], [Commutative]> {
  let summary = "product of two operands";
  let description = [{ y = input * other, broadcast, in the promoted type. }];
}

//===----------------------------------------------------------------------===//
// Exponential and trigonometric functions
//===----------------------------------------------------------------------===//

def Fx_ExpOp : Fx_UnaryFloat<"exp", ["aten.exp.default"]> {
  let summary = "exponential";
  let description = [{ y = e^input. }];
}

#endif // FX_POINTWISE_OPS_TD
