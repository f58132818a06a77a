// Joining, conversion and creation of tensors print as they parse.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @cat(
// CHECK:   %{{.*}} = fx.cat %{{.*}}, %{{.*}} dim 1 : (tensor<4x?xf32>, tensor<4x2xf16>) -> tensor<4x?xf32>
func.func @cat(%a: tensor<4x?xf32>, %b: tensor<4x2xf16>) {
  %y = fx.cat %a, %b dim 1 : (tensor<4x?xf32>, tensor<4x2xf16>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @cat_skips_empty(
// CHECK:   %{{.*}} = fx.cat %{{.*}}, %{{.*}} dim -1 : (tensor<0xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
func.func @cat_skips_empty(%a: tensor<0xf32>, %b: tensor<4x2xf32>) {
  %y = fx.cat %a, %b dim -1 : (tensor<0xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @stack(
// CHECK:   %{{.*}} = fx.stack %{{.*}}, %{{.*}} dim 1 : (tensor<4x?xf32>, tensor<?x8xf32>) -> tensor<4x2x8xf32>
func.func @stack(%a: tensor<4x?xf32>, %b: tensor<?x8xf32>) {
  %y = fx.stack %a, %b dim 1 : (tensor<4x?xf32>, tensor<?x8xf32>) -> tensor<4x2x8xf32>
  return
}

// CHECK-LABEL: func.func @clone(
// CHECK:   %{{.*}} = fx.clone %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
func.func @clone(%x: tensor<4x?xf32>) {
  %y = fx.clone %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @copy(
// CHECK:   %{{.*}} = fx.copy %{{.*}}, %{{.*}} : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
func.func @copy(%x: tensor<4x8xbf16>, %s: tensor<8xf32>) {
  %y = fx.copy %x, %s : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
  return
}

// CHECK-LABEL: func.func @copy_unknown(
// CHECK:   %{{.*}} = fx.copy %{{.*}}, %{{.*}} : (tensor<?x8xbf16>, tensor<?x1xf32>) -> tensor<?x8xbf16>
func.func @copy_unknown(%x: tensor<?x8xbf16>, %s: tensor<?x1xf32>) {
  %y = fx.copy %x, %s : (tensor<?x8xbf16>, tensor<?x1xf32>) -> tensor<?x8xbf16>
  return
}

// CHECK-LABEL: func.func @fill(
// CHECK:   %{{.*}} = fx.fill %{{.*}}, %{{.*}} : (tensor<4xf32>, f64) -> tensor<4xf32>
func.func @fill(%x: tensor<4xf32>, %v: f64) {
  %y = fx.fill %x, %v : (tensor<4xf32>, f64) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @resize(
// CHECK:   %{{.*}} = fx.resize %{{.*}} [%{{.*}}, 7] : (tensor<4xf32>) -> tensor<?x7xf32>
func.func @resize(%x: tensor<4xf32>, %n: index) {
  %y = fx.resize %x [%n, 7] : (tensor<4xf32>) -> tensor<?x7xf32>
  return
}

// CHECK-LABEL: func.func @to_copy(
// CHECK:   %{{.*}} = fx.to_copy %{{.*}} as bf16 : (tensor<4xf32>) -> tensor<4xbf16>
func.func @to_copy(%x: tensor<4xf32>) {
  %y = fx.to_copy %x as bf16 : (tensor<4xf32>) -> tensor<4xbf16>
  return
}

// CHECK-LABEL: func.func @to_copy_same(
// CHECK:   %{{.*}} = fx.to_copy %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
func.func @to_copy_same(%x: tensor<4xf32>) {
  %y = fx.to_copy %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @type_as(
// CHECK:   %{{.*}} = fx.type_as %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<2xui8>) -> tensor<4xui8>
func.func @type_as(%x: tensor<4xf32>, %o: tensor<2xui8>) {
  %y = fx.type_as %x, %o : (tensor<4xf32>, tensor<2xui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func.func @complex(
// CHECK:   %{{.*}} = fx.complex %{{.*}}, %{{.*}} : (tensor<4x1xf64>, tensor<8xf64>) -> tensor<4x8xcomplex<f64>>
func.func @complex(%a: tensor<4x1xf64>, %b: tensor<8xf64>) {
  %y = fx.complex %a, %b : (tensor<4x1xf64>, tensor<8xf64>) -> tensor<4x8xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @conj(
// CHECK:   %{{.*}} = fx.conj %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
func.func @conj(%x: tensor<4xcomplex<f32>>) {
  %y = fx.conj %x : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @imag(
// CHECK:   %{{.*}} = fx.imag %{{.*}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
func.func @imag(%x: tensor<4xcomplex<f32>>) {
  %y = fx.imag %x : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @real(
// CHECK:   %{{.*}} = fx.real %{{.*}} : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
func.func @real(%x: tensor<4xcomplex<f64>>) {
  %y = fx.real %x : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @view_as_complex(
// CHECK:   %{{.*}} = fx.view_as_complex %{{.*}} : (tensor<4x2xf32>) -> tensor<4xcomplex<f32>>
func.func @view_as_complex(%x: tensor<4x2xf32>) {
  %y = fx.view_as_complex %x : (tensor<4x2xf32>) -> tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @view_as_complex_unknown(
// CHECK:   %{{.*}} = fx.view_as_complex %{{.*}} : (tensor<4x?xf32>) -> tensor<4xcomplex<f32>>
func.func @view_as_complex_unknown(%x: tensor<4x?xf32>) {
  %y = fx.view_as_complex %x : (tensor<4x?xf32>) -> tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @view_as_real(
// CHECK:   %{{.*}} = fx.view_as_real %{{.*}} : (tensor<?xcomplex<f64>>) -> tensor<?x2xf64>
func.func @view_as_real(%x: tensor<?xcomplex<f64>>) {
  %y = fx.view_as_real %x : (tensor<?xcomplex<f64>>) -> tensor<?x2xf64>
  return
}

// CHECK-LABEL: func.func @arange(
// CHECK:   %{{.*}} = fx.arange %{{.*}} to %{{.*}} step %{{.*}} : (i64, i64, i64) -> tensor<?xi64>
func.func @arange(%a: i64, %b: i64, %s: i64) {
  %y = fx.arange %a to %b step %s : (i64, i64, i64) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @arange_float(
// CHECK:   %{{.*}} = fx.arange %{{.*}} to %{{.*}} : (f64, index) -> tensor<?xf32>
func.func @arange_float(%a: f64, %b: index) {
  %y = fx.arange %a to %b : (f64, index) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @arange_constants(
// CHECK:   %{{.*}} = arith.constant 10 : i64
// CHECK-NEXT: %{{.*}} = arith.constant 0 : i64
// CHECK-NEXT: %{{.*}} = arith.constant -3 : i64
// CHECK-NEXT: %{{.*}} = fx.arange %{{.*}} to %{{.*}} step %{{.*}} as f64 : (i64, i64, i64) -> tensor<4xf64>
func.func @arange_constants() {
  %a = arith.constant 10 : i64
  %b = arith.constant 0 : i64
  %s = arith.constant -3 : i64
  %y = fx.arange %a to %b step %s as f64 : (i64, i64, i64) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @arange_real_constants(
// CHECK:   %{{.*}} = arith.constant 0.000000e+00 : f64
// CHECK-NEXT: %{{.*}} = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %{{.*}} = arith.constant 3.000000e-01 : f64
// CHECK-NEXT: %{{.*}} = fx.arange %{{.*}} to %{{.*}} step %{{.*}} : (f64, f64, f64) -> tensor<4xf32>
func.func @arange_real_constants() {
  %a = arith.constant 0.000000e+00 : f64
  %b = arith.constant 1.000000e+00 : f64
  %s = arith.constant 3.000000e-01 : f64
  %y = fx.arange %a to %b step %s : (f64, f64, f64) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @arange_truncates_for_i64(
// CHECK:   %{{.*}} = arith.constant 5.000000e-01 : f64
// CHECK-NEXT: %{{.*}} = arith.constant 3.700000e+00 : f64
// CHECK-NEXT: %{{.*}} = fx.arange %{{.*}} to %{{.*}} as i64 : (f64, f64) -> tensor<3xi64>
func.func @arange_truncates_for_i64() {
  %a = arith.constant 5.000000e-01 : f64
  %b = arith.constant 3.700000e+00 : f64
  %y = fx.arange %a to %b as i64 : (f64, f64) -> tensor<3xi64>
  return
}

// CHECK-LABEL: func.func @empty(
// CHECK:   %{{.*}} = fx.empty [4, %{{.*}}] as bf16 : tensor<4x?xbf16>
func.func @empty(%n: index) {
  %y = fx.empty [4, %n] as bf16 : tensor<4x?xbf16>
  return
}

// CHECK-LABEL: func.func @empty_scalar(
// CHECK:   %{{.*}} = fx.empty [] : tensor<f32>
func.func @empty_scalar() {
  %y = fx.empty [] : tensor<f32>
  return
}

// CHECK-LABEL: func.func @empty_like(
// CHECK:   %{{.*}} = fx.empty_like %{{.*}} as i1 : (tensor<4x?xf32>) -> tensor<4x?xi1>
func.func @empty_like(%x: tensor<4x?xf32>) {
  %y = fx.empty_like %x as i1 : (tensor<4x?xf32>) -> tensor<4x?xi1>
  return
}

// CHECK-LABEL: func.func @eye(
// CHECK:   %{{.*}} = fx.eye [4] by [%{{.*}}] : tensor<4x?xf32>
func.func @eye(%m: index) {
  %y = fx.eye [4] by [%m] : tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @eye_square(
// CHECK:   %{{.*}} = fx.eye [4] by [] as i64 : tensor<4x4xi64>
func.func @eye_square() {
  %y = fx.eye [4] by [] as i64 : tensor<4x4xi64>
  return
}

// CHECK-LABEL: func.func @full(
// CHECK:   %{{.*}} = fx.full [4, %{{.*}}] %{{.*}} as bf16 : (f64) -> tensor<4x?xbf16>
func.func @full(%v: f64, %n: index) {
  %y = fx.full [4, %n] %v as bf16 : (f64) -> tensor<4x?xbf16>
  return
}

// CHECK-LABEL: func.func @full_of_int(
// CHECK:   %{{.*}} = fx.full [] %{{.*}} : (i64) -> tensor<i64>
func.func @full_of_int(%v: i64) {
  %y = fx.full [] %v : (i64) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @full_of_bool(
// CHECK:   %{{.*}} = fx.full [0] %{{.*}} : (i1) -> tensor<0xi1>
func.func @full_of_bool(%v: i1) {
  %y = fx.full [0] %v : (i1) -> tensor<0xi1>
  return
}

// CHECK-LABEL: func.func @full_of_tensor(
// CHECK:   %{{.*}} = fx.full [3] %{{.*}} : (tensor<f16>) -> tensor<3xf16>
func.func @full_of_tensor(%v: tensor<f16>) {
  %y = fx.full [3] %v : (tensor<f16>) -> tensor<3xf16>
  return
}

// CHECK-LABEL: func.func @full_like(
// CHECK:   %{{.*}} = fx.full_like %{{.*}}, %{{.*}} as i64 : (tensor<4x?xf32>, i64) -> tensor<4x?xi64>
func.func @full_like(%x: tensor<4x?xf32>, %v: i64) {
  %y = fx.full_like %x, %v as i64 : (tensor<4x?xf32>, i64) -> tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @iota(
// CHECK:   %{{.*}} = fx.iota [8] from [%{{.*}}] step [-1] as i32 : tensor<8xi32>
func.func @iota(%n: index) {
  %y = fx.iota [8] from [%n] step [-1] as i32 : tensor<8xi32>
  return
}

// CHECK-LABEL: func.func @linspace(
// CHECK:   %{{.*}} = fx.linspace %{{.*}} to %{{.*}} steps 5 : (f64, tensor<f64>) -> tensor<5xf32>
func.func @linspace(%a: f64, %b: tensor<f64>) {
  %y = fx.linspace %a to %b steps 5 : (f64, tensor<f64>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @logspace(
// CHECK:   %{{.*}} = fx.logspace %{{.*}} to %{{.*}} steps 0 base 2.000000e+00 as f64 : (f64, f64) -> tensor<0xf64>
func.func @logspace(%a: f64, %b: f64) {
  %y = fx.logspace %a to %b steps 0 base 2.000000e+00 as f64 : (f64, f64) -> tensor<0xf64>
  return
}

// CHECK-LABEL: func.func @new_empty(
// CHECK:   %{{.*}} = fx.new_empty %{{.*}} [2, %{{.*}}] : (tensor<4xbf16>) -> tensor<2x?xbf16>
func.func @new_empty(%x: tensor<4xbf16>, %n: index) {
  %y = fx.new_empty %x [2, %n] : (tensor<4xbf16>) -> tensor<2x?xbf16>
  return
}

// CHECK-LABEL: func.func @new_full(
// CHECK:   %{{.*}} = fx.new_full %{{.*}} [2, %{{.*}}], %{{.*}} : (tensor<4xbf16>, i64) -> tensor<2x?xbf16>
func.func @new_full(%x: tensor<4xbf16>, %v: i64, %n: index) {
  %y = fx.new_full %x [2, %n], %v : (tensor<4xbf16>, i64) -> tensor<2x?xbf16>
  return
}

// CHECK-LABEL: func.func @scalar_tensor(
// CHECK:   %{{.*}} = fx.scalar_tensor %{{.*}} : (i64) -> tensor<f32>
func.func @scalar_tensor(%v: i64) {
  %y = fx.scalar_tensor %v : (i64) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @scalar_tensor_typed(
// CHECK:   %{{.*}} = fx.scalar_tensor %{{.*}} as i64 : (index) -> tensor<i64>
func.func @scalar_tensor_typed(%v: index) {
  %y = fx.scalar_tensor %v as i64 : (index) -> tensor<i64>
  return
}
