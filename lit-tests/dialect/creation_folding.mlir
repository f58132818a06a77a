// Copies and conversions that change nothing fold away; ways to fill a tensor become fx.full.
// RUN: fx-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @identities
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @identities(%x: tensor<?x4xf32>, %o: tensor<2xf32>) -> tensor<?x4xf32> {
  %a = fx.clone %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = fx.to_copy %a as f32 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = fx.type_as %b, %o : (tensor<?x4xf32>, tensor<2xf32>) -> tensor<?x4xf32>
  %d = fx.conj %c : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = fx.real %d : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %f = fx.cat %e dim 0 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %f : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @conj_twice
// CHECK-SAME:    %[[X:.*]]: tensor<4xcomplex<f32>>
// CHECK-NEXT:    return %[[X]]
func.func @conj_twice(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %a = fx.conj %x : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %b = fx.conj %a : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %b : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @copy
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %[[S:.*]]: tensor<4xf32>
// CHECK-NEXT:    return %[[S]]
func.func @copy(%x: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %y = fx.copy %x, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A `?` of the source may be a 1 that broadcasts.
// CHECK-LABEL: func.func @copy_unknown
// CHECK:         fx.copy
func.func @copy_unknown(%x: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %y = fx.copy %x, %s : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @full
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>, %[[V:.*]]: i64, %[[N:.*]]: index
// CHECK:         fx.full [] %[[V]] as f32 : (i64) -> tensor<f32>
// CHECK:         fx.full [4] %[[V]] as bf16 : (i64) -> tensor<4xbf16>
// CHECK:         fx.full [2, %[[N]]] %[[V]] as bf16 : (i64) -> tensor<2x?xbf16>
// CHECK:         fx.full [4] %[[V]] as i1 : (i64) -> tensor<4xi1>
func.func @full(%x: tensor<4xbf16>, %v: i64, %n: index) -> (tensor<f32>, tensor<4xbf16>, tensor<2x?xbf16>, tensor<4xi1>) {
  %a = fx.scalar_tensor %v : (i64) -> tensor<f32>
  %b = fx.fill %x, %v : (tensor<4xbf16>, i64) -> tensor<4xbf16>
  %c = fx.new_full %x [2, %n], %v : (tensor<4xbf16>, i64) -> tensor<2x?xbf16>
  %d = fx.full_like %x, %v as i1 : (tensor<4xbf16>, i64) -> tensor<4xi1>
  return %a, %b, %c, %d : tensor<f32>, tensor<4xbf16>, tensor<2x?xbf16>, tensor<4xi1>
}

// CHECK-LABEL: func.func @full_like_unknown
// CHECK:         fx.full_like
func.func @full_like_unknown(%x: tensor<?xbf16>, %v: i64) -> tensor<?xbf16> {
  %y = fx.full_like %x, %v : (tensor<?xbf16>, i64) -> tensor<?xbf16>
  return %y : tensor<?xbf16>
}

// CHECK-LABEL: func.func @empty
// CHECK-SAME:    %[[X:.*]]: tensor<4xbf16>, %[[N:.*]]: index
// CHECK:         fx.empty [2, %[[N]]] as bf16 : tensor<2x?xbf16>
// CHECK:         fx.empty [4] as i1 : tensor<4xi1>
func.func @empty(%x: tensor<4xbf16>, %n: index) -> (tensor<2x?xbf16>, tensor<4xi1>) {
  %a = fx.new_empty %x [2, %n] : (tensor<4xbf16>) -> tensor<2x?xbf16>
  %b = fx.empty_like %x as i1 : (tensor<4xbf16>) -> tensor<4xi1>
  return %a, %b : tensor<2x?xbf16>, tensor<4xi1>
}

// CHECK-LABEL: func.func @full_constant_size
// CHECK:         fx.full [3] %{{.*}} : (i64) -> tensor<?xi64>
func.func @full_constant_size(%v: i64) -> tensor<?xi64> {
  %n = arith.constant 3 : index
  %y = fx.full [%n] %v : (i64) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// CHECK-LABEL: func.func @full_negative_size
// CHECK:         fx.full [%{{.*}}]
func.func @full_negative_size(%v: i64) -> tensor<?xi64> {
  %n = arith.constant -3 : index
  %y = fx.full [%n] %v : (i64) -> tensor<?xi64>
  return %y : tensor<?xi64>
}
