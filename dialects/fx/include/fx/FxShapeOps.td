//===- FxShapeOps.td - views, shape changes and creation -----------------===//

#ifndef FX_SHAPE_OPS_TD
#define FX_SHAPE_OPS_TD

include "fx/FxBase.td"

def Fx_ViewOp : Fx_Op<"view", "viewShape(op.getInput(), op.getStaticSize(), r)",
                      ["aten.view.default", "aten.reshape.default(size=shape)", "aten.view_copy.default", "prims.reshape.default(size=shape)"]> {
  let summary = "the same elements in another shape";
  let description = [{
    y holds the elements of `input` in row-major order in the shape `size`; one size may be -1.

    * (view_c1) numel(size) = numel(input).
    * (view_c2) at most one size is -1.

    ```mlir
    %y = fx.view %x[%n, 64] : (tensor<?x8x8xf32>) -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Fx_Tensor:$input, Variadic<Index>:$size, DenseI64ArrayAttr:$static_size);
  let results = (outs Fx_Tensor:$result);
  let assemblyFormat = [{
    $input custom<DynamicIndexList>($size, $static_size) attr-dict `:` `(` type($input) `)` `->` type($result)
  }];
}

#endif // FX_SHAPE_OPS_TD
