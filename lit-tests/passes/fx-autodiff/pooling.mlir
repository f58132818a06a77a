// A pool over one dim is one over two, and a maximum keeps its indices, where they are differentiated. The gradient of a
// mean's gradient is the mean, that of a maximum's gradient the elements at the indices; sizes may be known at run time only.
// RUN: fx-opt %s --fx-autodiff --canonicalize --split-input-file | FileCheck %s
// RUN: fx-opt %s --fx-autodiff=mode=forward --canonicalize --split-input-file | FileCheck %s --check-prefix=FORWARD

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: tensor<2x?xf32>
// CHECK:         %[[FLAT:.*]] = fx.unsqueeze %[[X]] dim -2
// CHECK:         %[[G:.*]] = fx.view %{{.*}} [2, 1, %{{.*}}]
// CHECK:         fx.avg_pool2d_backward %[[G]], %[[FLAT]] kernel_size [1, 2] stride [] padding [0, 1] {ceil_mode = false, count_include_pad = true}
// FORWARD-LABEL: func.func @main(
// FORWARD-SAME:    %[[X:arg0]]: tensor<2x?xf32>{{.*}}, %[[DX:arg1]]: tensor<2x?xf32>
// FORWARD:         %[[FLAT:.*]] = fx.unsqueeze %[[X]]
// FORWARD:         fx.avg_pool2d %[[FLAT]]
// FORWARD:         fx.avg_pool2d %{{.*}} kernel_size [1, 2]
func.func @main(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %y = fx.avg_pool1d %x kernel_size [2] {padding = array<i64: 1>} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:arg0]]: tensor<2x?x?xf32>
// CHECK:         %[[Y:.*]], %[[AT:.*]] = fx.max_pool2d_with_indices %[[X]] kernel_size [2]
// CHECK:         %[[DX:.*]] = fx.max_pool2d_with_indices_backward %{{.*}}, %[[X]], %[[AT]] kernel_size [2] stride [] padding [0] dilation [1]
// CHECK:         return %[[Y]], %[[DX]]
// FORWARD-LABEL: func.func @main(
// FORWARD-SAME:    %[[X:arg0]]: tensor<2x?x?xf32>{{.*}}, %[[DX:arg1]]: tensor<2x?x?xf32>
// FORWARD:         %[[Y:.*]], %[[AT:.*]] = fx.max_pool2d_with_indices %[[X]]
// FORWARD-DAG:     %[[PLANES:.*]] = fx.view %[[DX]]
// FORWARD-DAG:     %[[PLACES:.*]] = fx.view %[[AT]]
// FORWARD:         %[[TAKEN:.*]] = fx.gather %[[PLANES]], %[[PLACES]] dim 1
// FORWARD:         %[[DY:.*]] = fx.view %[[TAKEN]]
// FORWARD:         return %[[Y]], %[[DY]]
func.func @main(%x: tensor<2x?x?xf32>) -> tensor<2x?x?xf32> {
  %y = fx.max_pool2d %x kernel_size [2] : (tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  return %y : tensor<2x?x?xf32>
}
