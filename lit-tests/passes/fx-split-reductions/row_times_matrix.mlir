// A row times a matrix that comes from memory is cut into parts, each of them rows that follow each other.
// RUN: fx-opt %s --fx-split-reductions='row-parts=8' --split-input-file | FileCheck %s
// RUN: fx-opt %s --fx-split-reductions --split-input-file | FileCheck %s --check-prefix=WHOLE

// WHOLE-NOT: tensor.expand_shape

// CHECK-LABEL: func.func @short_rows(
// CHECK:         tensor.expand_shape %arg0 {{.*}} into tensor<1x8x125xf32>
// CHECK:         tensor.expand_shape %arg1 {{.*}} into tensor<8x125x1024xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK:         -> tensor<8x1x1024xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK:         -> tensor<1x1024xf32>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @short_rows(%x: tensor<1x1000xf32>, %w: tensor<1000x1024xf32>, %init: tensor<1x1024xf32>) -> tensor<1x1024xf32> {
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x1000xf32>, tensor<1000x1024xf32>) outs(%init : tensor<1x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1024xf32>
  return %y : tensor<1x1024xf32>
}

// -----

// Rows that leave no room in a cache, several rows on the left, a matrix that a cache holds, and rows along the sums stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     tensor.expand_shape
// CHECK:         return
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#t = affine_map<(d0, d1, d2) -> (d1, d2)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @others(%x: tensor<1x1024xf32>, %x2: tensor<2x1024xf32>, %long: tensor<1024x8192xf32>, %w: tensor<1024x1024xf32>,
                  %small: tensor<1024x256xf32>, %i: tensor<1x8192xf32>, %i2: tensor<2x1024xf32>, %is: tensor<1x256xf32>,
                  %it: tensor<1x1024xf32>) -> (tensor<1x8192xf32>, tensor<2x1024xf32>, tensor<1x256xf32>, tensor<1x1024xf32>) {
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %long : tensor<1x1024xf32>, tensor<1024x8192xf32>) outs(%i : tensor<1x8192xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x8192xf32>
  %1 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x2, %w : tensor<2x1024xf32>, tensor<1024x1024xf32>) outs(%i2 : tensor<2x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x1024xf32>
  %2 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %small : tensor<1x1024xf32>, tensor<1024x256xf32>) outs(%is : tensor<1x256xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x256xf32>
  %3 = linalg.generic {indexing_maps = [#x, #t, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x1024xf32>, tensor<1024x1024xf32>) outs(%it : tensor<1x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1024xf32>
  return %0, %1, %2, %3 : tensor<1x8192xf32>, tensor<2x1024xf32>, tensor<1x256xf32>, tensor<1x1024xf32>
}
