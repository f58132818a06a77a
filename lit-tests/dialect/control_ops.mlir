// Control flow, calls, numbers of tensors, checks and collectives print as they parse.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @call(
// CHECK:   %{{.*}} = fx.call "my::op"(%{{.*}}, %{{.*}}) args {alpha = 2.000000e+00 : f64} : (tensor<4xf32>, index) -> (tensor<4xf32>, i64)
func.func @call(%x: tensor<4xf32>, %n: index) {
  %y:2 = fx.call "my::op"(%x, %n) args {alpha = 2.000000e+00 : f64} : (tensor<4xf32>, index) -> (tensor<4xf32>, i64)
  return
}

// CHECK-LABEL: func.func @call_nothing(
// CHECK:   fx.call "my::op.out"() : () -> ()
func.func @call_nothing() {
  fx.call "my::op.out"() : () -> ()
  return
}

// CHECK-LABEL: func.func @stop_gradient(
// CHECK:   %{{.*}} = fx.stop_gradient %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xf32>
func.func @stop_gradient(%x: tensor<4x?xf32>) {
  %y = fx.stop_gradient %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @size(
// CHECK:   %{{.*}} = fx.size %{{.*}} dim -2 : tensor<?x4xf32>
func.func @size(%x: tensor<?x4xf32>) {
  %n = fx.size %x dim -2 : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @stride(
// CHECK:   %{{.*}} = fx.stride %{{.*}} dim 0 : tensor<4x?xf32>
func.func @stride(%x: tensor<4x?xf32>) {
  %n = fx.stride %x dim 0 : tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @numel(
// CHECK:   %{{.*}} = fx.numel %{{.*}} : tensor<?x4xf32>
func.func @numel(%x: tensor<?x4xf32>) {
  %n = fx.numel %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @storage_offset(
// CHECK:   %{{.*}} = fx.storage_offset %{{.*}} : tensor<?x4xf32>
func.func @storage_offset(%x: tensor<?x4xf32>) {
  %n = fx.storage_offset %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @is_contiguous(
// CHECK:   %{{.*}} = fx.is_contiguous %{{.*}} : tensor<?x4xf32>
func.func @is_contiguous(%x: tensor<?x4xf32>) {
  %n = fx.is_contiguous %x : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @item(
// CHECK:   %{{.*}} = fx.item %{{.*}} : (tensor<1x1xf16>) -> f64
func.func @item(%x: tensor<1x1xf16>) {
  %n = fx.item %x : (tensor<1x1xf16>) -> f64
  return
}

// CHECK-LABEL: func.func @item_index(
// CHECK:   %{{.*}} = fx.item %{{.*}} : (tensor<i32>) -> index
func.func @item_index(%x: tensor<i32>) {
  %n = fx.item %x : (tensor<i32>) -> index
  return
}

// CHECK-LABEL: func.func @item_unknown(
// CHECK:   %{{.*}} = fx.item %{{.*}} : (tensor<?xi1>) -> i1
func.func @item_unknown(%x: tensor<?xi1>) {
  %n = fx.item %x : (tensor<?xi1>) -> i1
  return
}

// CHECK-LABEL: func.func @item_complex(
// CHECK:   %{{.*}} = fx.item %{{.*}} : (tensor<complex<f32>>) -> complex<f64>
func.func @item_complex(%x: tensor<complex<f32>>) {
  %n = fx.item %x : (tensor<complex<f32>>) -> complex<f64>
  return
}

// CHECK-LABEL: func.func @assert(
// CHECK:   fx.assert %{{.*}}, "a size must be at least 2" : i1
func.func @assert(%c: i1) {
  fx.assert %c, "a size must be at least 2" : i1
  return
}

// CHECK-LABEL: func.func @assert_unknown(
// CHECK:   fx.assert %{{.*}}, "" : tensor<?xi1>
func.func @assert_unknown(%c: tensor<?xi1>) {
  fx.assert %c, "" : tensor<?xi1>
  return
}

// CHECK-LABEL: func.func @assert_tensor_metadata(
// CHECK:   fx.assert_tensor_metadata %{{.*}} as f32 size [%{{.*}}, 4] stride [4, 1] : tensor<?x4xf32>
func.func @assert_tensor_metadata(%x: tensor<?x4xf32>, %n: index) {
  fx.assert_tensor_metadata %x as f32 size [%n, 4] stride [4, 1] : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @assert_tensor_metadata_none(
// CHECK:   fx.assert_tensor_metadata %{{.*}} size [] stride [] : tensor<?x4xf32>
func.func @assert_tensor_metadata_none(%x: tensor<?x4xf32>) {
  fx.assert_tensor_metadata %x size [] stride [] : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @assert_tensor_metadata_c2_unknown(
// CHECK:   fx.assert_tensor_metadata %{{.*}} size [3, 4] stride [] : tensor<?x4xf32>
func.func @assert_tensor_metadata_c2_unknown(%x: tensor<?x4xf32>) {
  fx.assert_tensor_metadata %x size [3, 4] stride [] : tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @all_gather_into_tensor(
// CHECK:   %{{.*}} = fx.all_gather_into_tensor %{{.*}} size 4 group "0" : (tensor<2x4xf32>) -> tensor<8x4xf32>
func.func @all_gather_into_tensor(%x: tensor<2x4xf32>) {
  %y = fx.all_gather_into_tensor %x size 4 group "0" : (tensor<2x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @all_gather_into_tensor_scalar(
// CHECK:   %{{.*}} = fx.all_gather_into_tensor %{{.*}} size 4 group "0" : (tensor<f32>) -> tensor<4xf32>
func.func @all_gather_into_tensor_scalar(%x: tensor<f32>) {
  %y = fx.all_gather_into_tensor %x size 4 group "0" : (tensor<f32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @all_reduce(
// CHECK:   %{{.*}} = fx.all_reduce %{{.*}} by "sum" group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @all_reduce(%x: tensor<?x4xf32>) {
  %y = fx.all_reduce %x by "sum" group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @all_to_all_single(
// CHECK:   %{{.*}} = fx.all_to_all_single %{{.*}} output [%{{.*}}, 3] input [4, 4] group "0" : (tensor<8x4xf32>) -> tensor<?x4xf32>
func.func @all_to_all_single(%x: tensor<8x4xf32>, %n: index) {
  %y = fx.all_to_all_single %x output [%n, 3] input [4, 4] group "0" : (tensor<8x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @all_to_all_single_equal(
// CHECK:   %{{.*}} = fx.all_to_all_single %{{.*}} output [] input [] group "0" : (tensor<8x4xf32>) -> tensor<8x4xf32>
func.func @all_to_all_single_equal(%x: tensor<8x4xf32>) {
  %y = fx.all_to_all_single %x output [] input [] group "0" : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @broadcast(
// CHECK:   %{{.*}} = fx.broadcast %{{.*}} from 0 group "0" : (tensor<8xf32>) -> tensor<8xf32>
func.func @broadcast(%x: tensor<8xf32>) {
  %y = fx.broadcast %x from 0 group "0" : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @reduce_scatter_tensor(
// CHECK:   %{{.*}} = fx.reduce_scatter_tensor %{{.*}} by "avg" size 4 group "0" : (tensor<8x4xf32>) -> tensor<2x4xf32>
func.func @reduce_scatter_tensor(%x: tensor<8x4xf32>) {
  %y = fx.reduce_scatter_tensor %x by "avg" size 4 group "0" : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @reduce_scatter_tensor_unknown(
// CHECK:   %{{.*}} = fx.reduce_scatter_tensor %{{.*}} by "sum" size 4 group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @reduce_scatter_tensor_unknown(%x: tensor<?x4xf32>) {
  %y = fx.reduce_scatter_tensor %x by "sum" size 4 group "0" : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @wait_tensor(
// CHECK:   %{{.*}} = fx.wait_tensor %{{.*}} : (tensor<8xf32>) -> tensor<8xf32>
func.func @wait_tensor(%x: tensor<8xf32>) {
  %y = fx.wait_tensor %x : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @cond(
// CHECK:   %{{.*}} = fx.cond %{{.*}} : tensor<i1> -> (tensor<4xf32>) {
// CHECK-NEXT: %{{.*}} = fx.exp %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: fx.yield %{{.*}} : tensor<4xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: fx.yield %{{.*}} : tensor<4xf32>
// CHECK-NEXT: }
func.func @cond(%p: tensor<i1>, %x: tensor<4xf32>) {
  %y = fx.cond %p : tensor<i1> -> (tensor<4xf32>) {
    %a = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    fx.yield %a : tensor<4xf32>
  } else {
    fx.yield %x : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @cond_nothing(
// CHECK:   fx.cond %{{.*}} : i1 {
// CHECK-NEXT: fx.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: fx.yield
// CHECK-NEXT: }
func.func @cond_nothing(%p: i1) {
  fx.cond %p : i1 {
    fx.yield
  } else {
    fx.yield
  }
  return
}

// CHECK-LABEL: func.func @cond_unknown_size(
// CHECK:   %{{.*}} = fx.cond %{{.*}} : i1 -> (tensor<?xf32>, tensor<4xf32>) {
// CHECK-NEXT: fx.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT: fx.yield %{{.*}}, %{{.*}} : tensor<5xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @cond_unknown_size(%p: i1, %a: tensor<4xf32>, %b: tensor<5xf32>) {
  %y:2 = fx.cond %p : i1 -> (tensor<?xf32>, tensor<4xf32>) {
    fx.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  } else {
    fx.yield %b, %a : tensor<5xf32>, tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @map(
// CHECK:   %{{.*}} = fx.map %{{.*}} : (tensor<8x4xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>):
// CHECK-NEXT: %{{.*}} = fx.mul %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: fx.yield %{{.*}} : tensor<4xf32>
// CHECK-NEXT: }
func.func @map(%x: tensor<8x4xf32>, %w: tensor<4xf32>) {
  %y = fx.map %x : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%row: tensor<4xf32>):
    %s = fx.mul %row, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    fx.yield %s : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @scan(
// CHECK:   %{{.*}} = fx.scan init(%{{.*}}) xs(%{{.*}}) : (tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK-NEXT: %{{.*}} = fx.add %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: fx.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT: }
func.func @scan(%zero: tensor<4xf32>, %x: tensor<?x4xf32>) {
  %s:2 = fx.scan init(%zero) xs(%x) : (tensor<4xf32>, tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%carry: tensor<4xf32>, %row: tensor<4xf32>):
    %next = fx.add %carry, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    fx.yield %next, %next : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @while_loop(
// CHECK:   %{{.*}} = fx.while_loop(%{{.*}}, %{{.*}}) : (tensor<i64>, tensor<3x5xf32>) -> (tensor<i64>, tensor<3x5xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<3x5xf32>):
// CHECK-NEXT: fx.yield %{{.*}} : i1
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<3x5xf32>):
// CHECK-NEXT: %{{.*}} = fx.exp %{{.*}} : (tensor<3x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: fx.yield %{{.*}}, %{{.*}} : tensor<i64>, tensor<3x5xf32>
// CHECK-NEXT: }
func.func @while_loop(%i: tensor<i64>, %x: tensor<3x5xf32>, %n: i1) {
  %r:2 = fx.while_loop(%i, %x) : (tensor<i64>, tensor<3x5xf32>) -> (tensor<i64>, tensor<3x5xf32>) {
  ^bb0(%j: tensor<i64>, %v: tensor<3x5xf32>):
    fx.yield %n : i1
  } do {
  ^bb0(%j: tensor<i64>, %v: tensor<3x5xf32>):
    %e = fx.exp %v : (tensor<3x5xf32>) -> tensor<3x5xf32>
    fx.yield %j, %e : tensor<i64>, tensor<3x5xf32>
  }
  return
}
