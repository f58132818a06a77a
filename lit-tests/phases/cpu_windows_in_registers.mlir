// Plain arithmetic that follows the sums of windows is done on the registers of a tile: nothing is written but results.
// RUN: fxc compile %s --target=x86-64-v4 --emit=gpu | FileCheck %s

// One buffer, of the padded rows: those of the tensor start at whole vectors.
// CHECK:           %[[BUFFER:.*]] = memref.alloca()
// CHECK-NOT:       memref.alloca
// CHECK-COUNT-9:   vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK-COUNT-63:  vector.fma
// CHECK-NOT:       vector.fma
// CHECK:           %[[BIASED:.*]] = arith.addf {{.*}} : vector<16xf32>
// CHECK:           %[[LOW:.*]] = arith.maximumf %[[BIASED]], {{.*}} : vector<16xf32>
// CHECK:           %[[OTHER:.*]] = vector.maskedload
// CHECK:           %[[SUM:.*]] = arith.addf %[[LOW]], %[[OTHER]] : vector<16xf32>
// CHECK:           vector.maskedstore {{.*}}, %[[SUM]]
// CHECK-COUNT-6:   vector.maskedstore
// CHECK-NOT:       store
func.func @main(%x: tensor<1x24x28x28xf32>, %w: tensor<24x1x3x3xf32>, %b: tensor<24xf32>, %r: tensor<1x24x28x28xf32>) -> tensor<1x24x28x28xf32> {
  %y = fx.conv2d %x, %w bias %b stride [1, 1] padding [1, 1] dilation [1, 1] groups [24] : (tensor<1x24x28x28xf32>, tensor<24x1x3x3xf32>, tensor<24xf32>) -> tensor<1x24x28x28xf32>
  %z = fx.relu %y : (tensor<1x24x28x28xf32>) -> tensor<1x24x28x28xf32>
  %s = fx.add %z, %r : (tensor<1x24x28x28xf32>, tensor<1x24x28x28xf32>) -> tensor<1x24x28x28xf32>
  return %s : tensor<1x24x28x28xf32>
}
