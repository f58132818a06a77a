// Accesses of 16 bytes: neighbouring elements of a thread, the last ones one by one where they do not fill an access; a
// transposed operand by tiles, whose other operands are on their way before threads wait; a long sum in parts.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && ptxas -arch=sm_90a -o /dev/null %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: fxc compile %s --target=sm_90a --emit=kernels | FileCheck %s --check-prefix=KERNELS

// CHECK:       .entry kernel_0(
// CHECK-COUNT-2: ld.global.nc.v4.b32
// CHECK:         st.global.v4.b32
// CHECK:         st.global.v2.b32
// CHECK:         st.global.b32

// CHECK:       .entry kernel_1(
// CHECK:         .shared .align 16 .b8 {{.*}}[16640];
// CHECK-COUNT-8: ld.global.nc.v4.b32
// CHECK-COUNT-16: st.shared.b32
// CHECK:         bar.sync
// CHECK-COUNT-4: st.global.v4.b32
// CHECK-NOT:     {{[ls][dt]}}.global
// CHECK:       .entry kernel_2(

// KERNELS:     call @kernel_2({{.*}}) {fx.result_dims = {{\[\[}}256]]}
// KERNELS:     call @kernel_3({{.*}}) {fx.result_dims = {{\[\[}}]]}
func.func @main(%a: tensor<100003xf32>, %b: tensor<100003xf32>, %x: tensor<256x512xf32>, %z: tensor<512x256xf32>, %l: tensor<1048576xf32>)
    -> (tensor<100003xf32>, tensor<512x256xf32>, tensor<f32>) {
  %0 = fx.add %a, %b : (tensor<100003xf32>, tensor<100003xf32>) -> tensor<100003xf32>
  %t = fx.permute %x [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
  %1 = fx.add %t, %z : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
  %2 = fx.sum %l : (tensor<1048576xf32>) -> tensor<f32>
  return %0, %1, %2 : tensor<100003xf32>, tensor<512x256xf32>, tensor<f32>
}
