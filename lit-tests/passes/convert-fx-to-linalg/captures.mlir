// Ops of other dialects may read what fx ops give, inside their regions too, and fx ops what they give.
// RUN: fx-opt %s -convert-fx-to-linalg | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// A tensor and a number that a body captures, and an operand.
// CHECK-LABEL: func.func @captured(
// CHECK-SAME:    %[[Y:[a-z0-9]+]]: tensor<8xf32>, %[[N:[a-z0-9]+]]: tensor<f32>)
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK:         tensor.extract %[[N]][]
// CHECK:         %[[S:.*]] = arith.truncf
// CHECK:         %[[OWN:.*]] = linalg.generic {{.*}} ins(%[[C]] :
// CHECK:           %[[E:.*]] = tensor.extract %[[C]][%{{.*}}] : tensor<8xf32>
// CHECK:           arith.addf %{{.*}}, %[[E]]
// CHECK:           arith.mulf %{{.*}}, %[[S]]
// CHECK:         linalg.generic {{.*}} ins(%[[OWN]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      math.exp
func.func @captured(%y: tensor<8xf32>, %number: tensor<f32>) -> tensor<8xf32> {
  %c = fx.exp %y : (tensor<8xf32>) -> tensor<8xf32>
  %n = fx.item %number : (tensor<f32>) -> f64
  %s = arith.truncf %n : f64 to f32
  %e = tensor.empty() : tensor<8xf32>
  %own = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %c[%i] : tensor<8xf32>
    %a = arith.addf %in, %v : f32
    %m = arith.mulf %a, %s : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %r = fx.exp %own : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Sizes of what another dialect gives are read from it.
// CHECK-LABEL: func.func @sizes(
// CHECK:         %[[OWN:.*]] = tensor.extract_slice
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[OWN]],
// CHECK:         tensor.empty(%[[SIZE]])
// CHECK:         math.exp
func.func @sizes(%x: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  %own = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %r = fx.exp %own : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
