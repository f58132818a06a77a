// A value that another kernel reads is computed again there if that reads fewer bytes than the value has, stored and read.
// RUN: fx-opt %s --fx-form-kernels='recompute=true' | FileCheck %s
// RUN: fx-opt %s --fx-form-kernels | FileCheck %s --check-prefix=STORED

#full = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#last = affine_map<(d0) -> (d0)>

// The second sum needs a number of all rows, so it is in another kernel. What it reads of the rows is half as wide as what
// the first kernel computes from them, and not stored.
// CHECK-LABEL: func.func @widened
// CHECK-SAME:    (%[[X:.*]]: tensor<64x1024xbf16>
// CHECK:         %[[SUM:.*]] = call @kernel_0(%[[X]], {{.*}} -> tensor<64xf32>
// CHECK:         call @kernel_{{[0-9]+}}(%[[X]], %[[SUM]]
// STORED-LABEL: func.func @widened
// STORED:        call @kernel_0{{.*}} -> (tensor<64x1024xf32>, tensor<64xf32>)

// CHECK-LABEL: func.func private @kernel_0
// CHECK:         arith.extf
// CHECK:         return %{{.*}} : tensor<64xf32>
// CHECK:       func.func private @kernel_{{[0-9]+}}(%{{.*}}: tensor<64x1024xbf16>
// CHECK:         arith.extf
// CHECK:         return
func.func @widened(%x: tensor<64x1024xbf16>, %init: tensor<64xf32>, %zero: tensor<f32>) -> tensor<64xf32> {
  %empty = tensor.empty() : tensor<64x1024xf32>
  %wide = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x1024xbf16>) outs(%empty : tensor<64x1024xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %f = arith.extf %in : bf16 to f32
    %square = arith.mulf %f, %f : f32
    linalg.yield %square : f32
  } -> tensor<64x1024xf32>
  %sum = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%wide : tensor<64x1024xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %all = linalg.generic {indexing_maps = [#last, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%sum : tensor<64xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %scaled = linalg.generic {indexing_maps = [#full, #rows, affine_map<(d0, d1) -> ()>, #full], iterator_types = ["parallel", "parallel"]} ins(%wide, %sum, %all : tensor<64x1024xf32>, tensor<64xf32>, tensor<f32>) outs(%empty : tensor<64x1024xf32>) {
  ^bb0(%in: f32, %row: f32, %total: f32, %out: f32):
    %a = arith.divf %in, %row : f32
    %b = arith.mulf %a, %total : f32
    linalg.yield %b : f32
  } -> tensor<64x1024xf32>
  %second = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%scaled : tensor<64x1024xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %second : tensor<64xf32>
}
