// Where kernels pad windows by themselves, a convolution of few channels per group reads the input in place, zeros outside of it;
// else a padded copy of it. With more channels, or sizes that only the run knows, there is always a copy.
// RUN: fx-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg{pad-in-kernels=true},canonicalize,cse))' | FileCheck %s
// RUN: fx-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg,canonicalize,cse))' | FileCheck %s --check-prefix=COPY

// COPY-LABEL:  func.func @depthwise
// COPY:        linalg.generic {{.*}} outs(%{{.*}} : tensor<2x6x2x2x9x9xf32>)
// COPY:        tensor.collapse_shape

// CHECK-LABEL: func.func @depthwise
// CHECK-SAME:  %[[X:.*]]: tensor<2x6x16x16xf32>, %[[W:.*]]: tensor<12x1x3x3xf32>
// CHECK-NOT:   tensor.collapse_shape
// CHECK:       linalg.generic {{.*}} "reduction", "reduction", "reduction"]} ins(%[[W]] : tensor<12x1x3x3xf32>) outs(%{{.*}} : tensor<2x12x8x8xf32>)
// CHECK:         %[[CHANNEL:.*]] = arith.div{{.*}} : index
// CHECK:         %[[INSIDE:.*]] = arith.andi
// CHECK:         %[[READ:.*]] = scf.if %{{.*}} -> (f32)
// CHECK-NEXT:      tensor.extract %[[X]][%{{.*}}, %[[CHANNEL]], %{{.*}}, %{{.*}}]
// CHECK:         arith.mulf %{{.*}}, %[[READ]]
// CHECK-NOT:   linalg.generic
func.func @depthwise(%x: tensor<2x6x16x16xf32>, %w: tensor<12x1x3x3xf32>) -> tensor<2x12x8x8xf32> {
  %y = fx.conv2d %x, %w stride [2, 2] padding [1, 1] dilation [1, 1] groups [6] : (tensor<2x6x16x16xf32>, tensor<12x1x3x3xf32>) -> tensor<2x12x8x8xf32>
  return %y : tensor<2x12x8x8xf32>
}

// -----

// All windows lie inside.
// CHECK-LABEL: func.func @no_edge
// CHECK-NOT:   scf.if
// CHECK:       tensor.extract
func.func @no_edge(%x: tensor<2x6x16xf32>, %w: tensor<6x1x3xf32>) -> tensor<2x6x14xf32> {
  %y = fx.conv1d %x, %w stride [1] padding [0] dilation [1] groups [6] : (tensor<2x6x16xf32>, tensor<6x1x3xf32>) -> tensor<2x6x14xf32>
  return %y : tensor<2x6x14xf32>
}

// -----

// CHECK-LABEL: func.func @many_channels
// CHECK:       tensor.collapse_shape
func.func @many_channels(%x: tensor<1x8x16xf32>, %w: tensor<8x8x3xf32>) -> tensor<1x8x16xf32> {
  %y = fx.conv1d %x, %w stride [1] padding [1] dilation [1] groups [1] : (tensor<1x8x16xf32>, tensor<8x8x3xf32>) -> tensor<1x8x16xf32>
  return %y : tensor<1x8x16xf32>
}

// -----

// CHECK-LABEL: func.func @length_of_the_run
// CHECK:       tensor.collapse_shape
func.func @length_of_the_run(%x: tensor<1x8x?xf32>, %w: tensor<8x1x3xf32>) -> tensor<1x8x?xf32> {
  %y = fx.conv1d %x, %w stride [1] padding [1] dilation [1] groups [8] : (tensor<1x8x?xf32>, tensor<8x1x3xf32>) -> tensor<1x8x?xf32>
  return %y : tensor<1x8x?xf32>
}
