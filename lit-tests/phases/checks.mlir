// A check inside a kernel keeps the largest value that failed, without a branch in the loop, and writes its record at the
// end, through an argument that comes first. A wrong position is read as 0 where there is an element 0.
// REQUIRES: ptxas
// RUN: fxc compile %s --emit=gpu | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: fxc compile %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: fxc compile %s --target=sm_90a --emit=gpu | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: fxc compile %s --emit=plan | FileCheck %s --check-prefix=PLAN
// RUN: fxc compile %s --target=sm_90a --emit=plan | FileCheck %s --check-prefix=PLAN

// CPU:         func.func @kernel_0(%[[RECORDS:.*]]: memref<1xi64>{{.*}}, %{{.*}}: memref<1xi64>
// GPU:         gpu.func @kernel_0(%[[RECORDS:.*]]: memref<1xi64>{{.*}}, %{{.*}}: memref<1xi64>
// CHECK:         %[[OUT:.*]] = memref.reinterpret_cast %[[RECORDS]]
// CHECK:         %[[WORST:.*]] = memref.alloca() : memref<1xi64>
// CHECK:         memref.store %{{.*}}, %[[WORST]]
// CPU:           scf.for
// GPU:           scf.if
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[AT:.*]], %{{.*}} : index
// CHECK:           %[[FAILED:.*]] = arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : i64
// CHECK:           %[[LAST:.*]] = memref.load %[[WORST]]
// CHECK:           %[[NEXT:.*]] = arith.maxui %[[LAST]], %[[FAILED]]
// CHECK:           memref.store %[[NEXT]], %[[WORST]]
// CHECK:           %[[PLACE:.*]] = arith.select %[[INSIDE]], %[[AT]], %{{.*}} : index
// CHECK:           memref.load %{{.*}}[%[[PLACE]]]
// CHECK:           math.exp
// CHECK:         %[[FOUND:.*]] = memref.load %[[WORST]]
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[FOUND]], %{{.*}} : i64
// CHECK:         scf.if %[[ANY]]
// CHECK-COUNT-3:   memref.store %{{.*}}, %[[OUT]][%{{.*}}] {alignment = 8 : i64}

// On a CPU the loop becomes vectors, whose largest failure is one too.
// LLVM:        phi <[[N:[0-9]+]] x i64>
// LLVM:        call <[[N]] x i64> @llvm.umax
// LLVM:        @llvm.vector.reduce.umax

// PTX:         .visible .entry kernel_0(
// PTX-NOT:     .local
// PTX-COUNT-3: st.global.b64
// PTX:         ret;

// PLAN:      "checks": [
// PLAN-NEXT:   {
// PLAN-NEXT:     "location": "{{.*}}:[[#@LINE+4]]:{{[0-9]+}}",
// PLAN-NEXT:     "message": "'fx.gather' op: index {value} is out of bounds for dimension 0 with size {bound}"
// PLAN-NEXT:   }
func.func @main(%x: tensor<900xf32>, %i: tensor<1000xi64>) -> tensor<1000xf32> {
  %a = fx.gather %x, %i dim 0 : (tensor<900xf32>, tensor<1000xi64>) -> tensor<1000xf32>
  %b = fx.exp %a : (tensor<1000xf32>) -> tensor<1000xf32>
  return %b : tensor<1000xf32>
}
