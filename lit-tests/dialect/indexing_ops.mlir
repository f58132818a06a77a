// Round trip of the indexing ops.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @index(
// CHECK: fx.index %{{.*}}[_, %{{.*}}] : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<4x3xf32>
func.func @index(%x: tensor<4x8xf32>, %i: tensor<3xi64>) -> tensor<4x3xf32> {
  %y = fx.index %x[_, %i] : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @index_adjacent(
// CHECK: fx.index %{{.*}}[_, %{{.*}}, %{{.*}}, _] : (tensor<4x5x6x7xf32>, tensor<2x1xi64>, tensor<3xi32>) -> tensor<4x2x3x7xf32>
func.func @index_adjacent(%x: tensor<4x5x6x7xf32>, %i: tensor<2x1xi64>, %j: tensor<3xi32>) -> tensor<4x2x3x7xf32> {
  %y = fx.index %x[_, %i, %j, _] : (tensor<4x5x6x7xf32>, tensor<2x1xi64>, tensor<3xi32>) -> tensor<4x2x3x7xf32>
  return %y : tensor<4x2x3x7xf32>
}

// CHECK-LABEL: func.func @index_separate(
// CHECK: fx.index %{{.*}}[%{{.*}}, _, %{{.*}}] : (tensor<4x5x6x7xf32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x3x5x7xf32>
func.func @index_separate(%x: tensor<4x5x6x7xf32>, %i: tensor<2x1xi64>, %j: tensor<3xi64>) -> tensor<2x3x5x7xf32> {
  %y = fx.index %x[%i, _, %j] : (tensor<4x5x6x7xf32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x3x5x7xf32>
  return %y : tensor<2x3x5x7xf32>
}

// CHECK-LABEL: func.func @index_mask(
// CHECK: fx.index %{{.*}}[%{{.*}}] : (tensor<4x5x6xf32>, tensor<4x5xi1>) -> tensor<?x6xf32>
func.func @index_mask(%x: tensor<4x5x6xf32>, %m: tensor<4x5xi1>) -> tensor<?x6xf32> {
  %y = fx.index %x[%m] : (tensor<4x5x6xf32>, tensor<4x5xi1>) -> tensor<?x6xf32>
  return %y : tensor<?x6xf32>
}

// CHECK-LABEL: func.func @index_mask_and_positions(
// CHECK: fx.index %{{.*}}[_, %{{.*}}, %{{.*}}] : (tensor<4x5x6xf32>, tensor<5xui8>, tensor<i64>) -> tensor<4x?xf32>
func.func @index_mask_and_positions(%x: tensor<4x5x6xf32>, %m: tensor<5xui8>, %i: tensor<i64>) -> tensor<4x?xf32> {
  %y = fx.index %x[_, %m, %i] : (tensor<4x5x6xf32>, tensor<5xui8>, tensor<i64>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @index_0d_position(
// CHECK: fx.index %{{.*}}[%{{.*}}] : (tensor<4x5xf32>, tensor<i64>) -> tensor<5xf32>
func.func @index_0d_position(%x: tensor<4x5xf32>, %i: tensor<i64>) -> tensor<5xf32> {
  %y = fx.index %x[%i] : (tensor<4x5xf32>, tensor<i64>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// CHECK-LABEL: func.func @index_dynamic(
// CHECK: fx.index %{{.*}}[_, %{{.*}}] : (tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
func.func @index_dynamic(%x: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %y = fx.index %x[_, %i] : (tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @index_put(
// CHECK: fx.index_put %{{.*}}[_, %{{.*}}], %{{.*}} {accumulate = true} : (tensor<4x8xf32>, tensor<3xi64>, tensor<f32>) -> tensor<4x8xf32>
func.func @index_put(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<f32>) -> tensor<4x8xf32> {
  %y = fx.index_put %x[_, %i], %v {accumulate = true} : (tensor<4x8xf32>, tensor<3xi64>, tensor<f32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @index_put_mask(
// CHECK: fx.index_put %{{.*}}[%{{.*}}], %{{.*}} : (tensor<4x8xf32>, tensor<4x8xi1>, tensor<1xf32>) -> tensor<4x8xf32>
func.func @index_put_mask(%x: tensor<4x8xf32>, %m: tensor<4x8xi1>, %v: tensor<1xf32>) -> tensor<4x8xf32> {
  %y = fx.index_put %x[%m], %v : (tensor<4x8xf32>, tensor<4x8xi1>, tensor<1xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @gather(
// CHECK: fx.gather %{{.*}}, %{{.*}} dim 1 : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>) -> tensor<4x2xf32> {
  %y = fx.gather %x, %i dim 1 : (tensor<4x8xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @gather_dynamic(
// CHECK: fx.gather %{{.*}}, %{{.*}} dim -1 : (tensor<?x8xf32>, tensor<4x?xi64>) -> tensor<4x?xf32>
func.func @gather_dynamic(%x: tensor<?x8xf32>, %i: tensor<4x?xi64>) -> tensor<4x?xf32> {
  %y = fx.gather %x, %i dim -1 : (tensor<?x8xf32>, tensor<4x?xi64>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @gather_0d(
// CHECK: fx.gather %{{.*}}, %{{.*}} dim 0 : (tensor<f32>, tensor<i64>) -> tensor<f32>
func.func @gather_0d(%x: tensor<f32>, %i: tensor<i64>) -> tensor<f32> {
  %y = fx.gather %x, %i dim 0 : (tensor<f32>, tensor<i64>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @gather_empty_index(
// CHECK: fx.gather %{{.*}}, %{{.*}} dim 0 : (tensor<5xf32>, tensor<2x0xui8>) -> tensor<2x0xf32>
func.func @gather_empty_index(%x: tensor<5xf32>, %i: tensor<2x0xui8>) -> tensor<2x0xf32> {
  %y = fx.gather %x, %i dim 0 : (tensor<5xf32>, tensor<2x0xui8>) -> tensor<2x0xf32>
  return %y : tensor<2x0xf32>
}

// CHECK-LABEL: func.func @scatter(
// CHECK: fx.scatter %{{.*}}, %{{.*}}, %{{.*}} dim 1 {reduce = "add"} : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>) -> tensor<4x8xf32> {
  %y = fx.scatter %x, %i, %s dim 1 {reduce = "add"} : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scatter_number(
// CHECK: fx.scatter %{{.*}}, %{{.*}}, %{{.*}} dim 1 : (tensor<4x8xf32>, tensor<4x2xi64>, f64) -> tensor<4x8xf32>
func.func @scatter_number(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>, %s: f64) -> tensor<4x8xf32> {
  %y = fx.scatter %x, %i, %s dim 1 : (tensor<4x8xf32>, tensor<4x2xi64>, f64) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scatter_add(
// CHECK: fx.scatter_add %{{.*}}, %{{.*}}, %{{.*}} dim 1 : (tensor<4x8xf32>, tensor<?x2xi64>, tensor<4x?xf32>) -> tensor<4x8xf32>
func.func @scatter_add(%x: tensor<4x8xf32>, %i: tensor<?x2xi64>, %s: tensor<4x?xf32>) -> tensor<4x8xf32> {
  %y = fx.scatter_add %x, %i, %s dim 1 : (tensor<4x8xf32>, tensor<?x2xi64>, tensor<4x?xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scatter_reduce(
// CHECK: fx.scatter_reduce %{{.*}}, %{{.*}}, %{{.*}} dim 1 {include_self = false, reduce = "amax"} : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
func.func @scatter_reduce(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>, %s: tensor<4x2xf32>) -> tensor<4x8xf32> {
  %y = fx.scatter_reduce %x, %i, %s dim 1 {include_self = false, reduce = "amax"} : (tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @index_select(
// CHECK: fx.index_select %{{.*}}, %{{.*}} dim 0 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
func.func @index_select(%x: tensor<4x8xf32>, %i: tensor<3xi64>) -> tensor<3x8xf32> {
  %y = fx.index_select %x, %i dim 0 : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @index_select_0d(
// CHECK: fx.index_select %{{.*}}, %{{.*}} dim 0 : (tensor<f32>, tensor<1xi64>) -> tensor<f32>
func.func @index_select_0d(%x: tensor<f32>, %i: tensor<1xi64>) -> tensor<f32> {
  %y = fx.index_select %x, %i dim 0 : (tensor<f32>, tensor<1xi64>) -> tensor<f32>
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func @index_add(
// CHECK: fx.index_add %{{.*}}, %{{.*}}, %{{.*}} dim 0 {alpha = 2.000000e+00 : f64} : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
func.func @index_add(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %s: tensor<3x8xf32>) -> tensor<4x8xf32> {
  %y = fx.index_add %x, %i, %s dim 0 {alpha = 2.000000e+00 : f64} : (tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @index_copy(
// CHECK: fx.index_copy %{{.*}}, %{{.*}}, %{{.*}} dim 1 : (tensor<4x8xf32>, tensor<3xi32>, tensor<4x3xf32>) -> tensor<4x8xf32>
func.func @index_copy(%x: tensor<4x8xf32>, %i: tensor<3xi32>, %s: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %y = fx.index_copy %x, %i, %s dim 1 : (tensor<4x8xf32>, tensor<3xi32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @index_reduce(
// CHECK: fx.index_reduce %{{.*}}, %{{.*}}, %{{.*}} dim 0 {reduce = "prod"} : (tensor<4x8xf32>, tensor<?xi64>, tensor<?x8xf32>) -> tensor<4x8xf32>
func.func @index_reduce(%x: tensor<4x8xf32>, %i: tensor<?xi64>, %s: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %y = fx.index_reduce %x, %i, %s dim 0 {reduce = "prod"} : (tensor<4x8xf32>, tensor<?xi64>, tensor<?x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @index_fill(
// CHECK: fx.index_fill %{{.*}}, %{{.*}}, %{{.*}} dim 1 : (tensor<4x8xf32>, tensor<3xi64>, f64) -> tensor<4x8xf32>
func.func @index_fill(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: f64) -> tensor<4x8xf32> {
  %y = fx.index_fill %x, %i, %v dim 1 : (tensor<4x8xf32>, tensor<3xi64>, f64) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @index_fill_tensor(
// CHECK: fx.index_fill %{{.*}}, %{{.*}}, %{{.*}} dim 1 : (tensor<4x8xf32>, tensor<3xi64>, tensor<f32>) -> tensor<4x8xf32>
func.func @index_fill_tensor(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %v: tensor<f32>) -> tensor<4x8xf32> {
  %y = fx.index_fill %x, %i, %v dim 1 : (tensor<4x8xf32>, tensor<3xi64>, tensor<f32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @take_along_dim(
// CHECK: fx.take_along_dim %{{.*}}, %{{.*}} dim 2 : (tensor<4x1x8xf32>, tensor<1x5x3xi64>) -> tensor<4x5x3xf32>
func.func @take_along_dim(%x: tensor<4x1x8xf32>, %i: tensor<1x5x3xi64>) -> tensor<4x5x3xf32> {
  %y = fx.take_along_dim %x, %i dim 2 : (tensor<4x1x8xf32>, tensor<1x5x3xi64>) -> tensor<4x5x3xf32>
  return %y : tensor<4x5x3xf32>
}

// CHECK-LABEL: func.func @take_along_dim_flat(
// CHECK: fx.take_along_dim %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<2x3xi64>) -> tensor<6xf32>
func.func @take_along_dim_flat(%x: tensor<4x8xf32>, %i: tensor<2x3xi64>) -> tensor<6xf32> {
  %y = fx.take_along_dim %x, %i : (tensor<4x8xf32>, tensor<2x3xi64>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// CHECK-LABEL: func.func @take(
// CHECK: fx.take %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
func.func @take(%x: tensor<4x8xf32>, %i: tensor<2x3xi64>) -> tensor<2x3xf32> {
  %y = fx.take %x, %i : (tensor<4x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @put(
// CHECK: fx.put %{{.*}}, %{{.*}}, %{{.*}} {accumulate = true} : (tensor<4x8xf32>, tensor<2x3xi64>, tensor<6xf32>) -> tensor<4x8xf32>
func.func @put(%x: tensor<4x8xf32>, %i: tensor<2x3xi64>, %s: tensor<6xf32>) -> tensor<4x8xf32> {
  %y = fx.put %x, %i, %s {accumulate = true} : (tensor<4x8xf32>, tensor<2x3xi64>, tensor<6xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @masked_select(
// CHECK: fx.masked_select %{{.*}}, %{{.*}} : (tensor<4x8xf32>, tensor<8xi1>) -> tensor<?xf32>
func.func @masked_select(%x: tensor<4x8xf32>, %m: tensor<8xi1>) -> tensor<?xf32> {
  %y = fx.masked_select %x, %m : (tensor<4x8xf32>, tensor<8xi1>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @masked_scatter(
// CHECK: fx.masked_scatter %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<4x8xi1>, tensor<10xf32>) -> tensor<4x8xf32>
func.func @masked_scatter(%x: tensor<8xf32>, %m: tensor<4x8xi1>, %s: tensor<10xf32>) -> tensor<4x8xf32> {
  %y = fx.masked_scatter %x, %m, %s : (tensor<8xf32>, tensor<4x8xi1>, tensor<10xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @masked_scatter_backward(
// CHECK: fx.masked_scatter_backward %{{.*}}, %{{.*}} sizes [%{{.*}}, 3] : (tensor<4x8xf32>, tensor<4x8xi1>, index) -> tensor<?x3xf32>
func.func @masked_scatter_backward(%g: tensor<4x8xf32>, %m: tensor<4x8xi1>, %n: index) -> tensor<?x3xf32> {
  %y = fx.masked_scatter_backward %g, %m sizes [%n, 3] : (tensor<4x8xf32>, tensor<4x8xi1>, index) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @nonzero(
// CHECK: fx.nonzero %{{.*}} : (tensor<4x?xf32>) -> tensor<?x2xi64>
func.func @nonzero(%x: tensor<4x?xf32>) -> tensor<?x2xi64> {
  %y = fx.nonzero %x : (tensor<4x?xf32>) -> tensor<?x2xi64>
  return %y : tensor<?x2xi64>
}

// CHECK-LABEL: func.func @nonzero_0d(
// CHECK: fx.nonzero %{{.*}} : (tensor<i1>) -> tensor<?x0xi64>
func.func @nonzero_0d(%x: tensor<i1>) -> tensor<?x0xi64> {
  %y = fx.nonzero %x : (tensor<i1>) -> tensor<?x0xi64>
  return %y : tensor<?x0xi64>
}

// CHECK-LABEL: func.func @nonzero_static(
// CHECK: fx.nonzero_static %{{.*}} size [6] {fill_value = 0 : i64} : (tensor<4x8xf32>) -> tensor<6x2xi64>
func.func @nonzero_static(%x: tensor<4x8xf32>) -> tensor<6x2xi64> {
  %y = fx.nonzero_static %x size [6] {fill_value = 0 : i64} : (tensor<4x8xf32>) -> tensor<6x2xi64>
  return %y : tensor<6x2xi64>
}

// CHECK-LABEL: func.func @one_hot(
// CHECK: fx.one_hot %{{.*}} {num_classes = 7 : i64} : (tensor<2x3xi64>) -> tensor<2x3x7xi64>
func.func @one_hot(%x: tensor<2x3xi64>) -> tensor<2x3x7xi64> {
  %y = fx.one_hot %x {num_classes = 7 : i64} : (tensor<2x3xi64>) -> tensor<2x3x7xi64>
  return %y : tensor<2x3x7xi64>
}

// CHECK-LABEL: func.func @one_hot_unknown(
// CHECK: fx.one_hot %{{.*}} : (tensor<2x3xi64>) -> tensor<2x3x?xi64>
func.func @one_hot_unknown(%x: tensor<2x3xi64>) -> tensor<2x3x?xi64> {
  %y = fx.one_hot %x : (tensor<2x3xi64>) -> tensor<2x3x?xi64>
  return %y : tensor<2x3x?xi64>
}

// CHECK-LABEL: func.func @repeat_interleave(
// CHECK: fx.repeat_interleave input %{{.*}} repeats %{{.*}} output_size [9] {dim = 0 : i64} : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<9x8xf32>
func.func @repeat_interleave(%x: tensor<4x8xf32>, %r: tensor<4xi64>) -> tensor<9x8xf32> {
  %y = fx.repeat_interleave input %x repeats %r output_size [9] {dim = 0 : i64} : (tensor<4x8xf32>, tensor<4xi64>) -> tensor<9x8xf32>
  return %y : tensor<9x8xf32>
}

// CHECK-LABEL: func.func @repeat_interleave_counts(
// CHECK: fx.repeat_interleave repeats %{{.*}} output_size [] : (tensor<4xi64>) -> tensor<?xi64>
func.func @repeat_interleave_counts(%r: tensor<4xi64>) -> tensor<?xi64> {
  %y = fx.repeat_interleave repeats %r output_size [] : (tensor<4xi64>) -> tensor<?xi64>
  return %y : tensor<?xi64>
}

// CHECK-LABEL: func.func @repeat_interleave_int(
// CHECK: fx.repeat_interleave_int %{{.*}} repeats [3] output_size [] {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x24xf32>
func.func @repeat_interleave_int(%x: tensor<4x8xf32>) -> tensor<4x24xf32> {
  %y = fx.repeat_interleave_int %x repeats [3] output_size [] {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x24xf32>
  return %y : tensor<4x24xf32>
}

// CHECK-LABEL: func.func @repeat_interleave_int_dynamic(
// CHECK: fx.repeat_interleave_int %{{.*}} repeats [%{{.*}}] output_size [] : (tensor<4x8xf32>, index) -> tensor<?xf32>
func.func @repeat_interleave_int_dynamic(%x: tensor<4x8xf32>, %n: index) -> tensor<?xf32> {
  %y = fx.repeat_interleave_int %x repeats [%n] output_size [] : (tensor<4x8xf32>, index) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @bucketize(
// CHECK: fx.bucketize %{{.*}}, %{{.*}} {out_int32 = true} : (tensor<4x8xf32>, tensor<5xf32>) -> tensor<4x8xi32>
func.func @bucketize(%x: tensor<4x8xf32>, %b: tensor<5xf32>) -> tensor<4x8xi32> {
  %y = fx.bucketize %x, %b {out_int32 = true} : (tensor<4x8xf32>, tensor<5xf32>) -> tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bucketize_number(
// CHECK: fx.bucketize %{{.*}}, %{{.*}} {right = true} : (f64, tensor<5xf32>) -> tensor<i64>
func.func @bucketize_number(%x: f64, %b: tensor<5xf32>) -> tensor<i64> {
  %y = fx.bucketize %x, %b {right = true} : (f64, tensor<5xf32>) -> tensor<i64>
  return %y : tensor<i64>
}

// CHECK-LABEL: func.func @searchsorted(
// CHECK: fx.searchsorted %{{.*}}, %{{.*}} {side = "right"} : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x3xi64>
func.func @searchsorted(%s: tensor<4x8xf32>, %x: tensor<4x3xf32>) -> tensor<4x3xi64> {
  %y = fx.searchsorted %s, %x {side = "right"} : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<4x3xi64>
  return %y : tensor<4x3xi64>
}

// CHECK-LABEL: func.func @searchsorted_sorter(
// CHECK: fx.searchsorted %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<?x3xf32>, tensor<8xi64>) -> tensor<?x3xi64>
func.func @searchsorted_sorter(%s: tensor<8xf32>, %x: tensor<?x3xf32>, %o: tensor<8xi64>) -> tensor<?x3xi64> {
  %y = fx.searchsorted %s, %x, %o : (tensor<8xf32>, tensor<?x3xf32>, tensor<8xi64>) -> tensor<?x3xi64>
  return %y : tensor<?x3xi64>
}

// CHECK-LABEL: func.func @as_strided_scatter(
// CHECK: fx.as_strided_scatter %{{.*}}, %{{.*}} size [2, 2] stride [1, 2] storage_offset [] : (tensor<3x3xf32>, tensor<2x2xf32>) -> tensor<3x3xf32>
func.func @as_strided_scatter(%x: tensor<3x3xf32>, %s: tensor<2x2xf32>) -> tensor<3x3xf32> {
  %y = fx.as_strided_scatter %x, %s size [2, 2] stride [1, 2] storage_offset [] : (tensor<3x3xf32>, tensor<2x2xf32>) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @as_strided_scatter_dynamic(
// CHECK: fx.as_strided_scatter %{{.*}}, %{{.*}} size [2, %{{.*}}] stride [%{{.*}}, 2] storage_offset [1] : (tensor<3x3xf32>, tensor<2x?xf32>, index, index) -> tensor<3x3xf32>
func.func @as_strided_scatter_dynamic(%x: tensor<3x3xf32>, %s: tensor<2x?xf32>, %n: index, %k: index) -> tensor<3x3xf32> {
  %y = fx.as_strided_scatter %x, %s size [2, %n] stride [%k, 2] storage_offset [1] : (tensor<3x3xf32>, tensor<2x?xf32>, index, index) -> tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// CHECK-LABEL: func.func @diagonal_scatter(
// CHECK: fx.diagonal_scatter %{{.*}}, %{{.*}} {dim1 = -3 : i64, dim2 = 2 : i64, offset = 3 : i64} : (tensor<4x5x6xf32>, tensor<5x3xf32>) -> tensor<4x5x6xf32>
func.func @diagonal_scatter(%x: tensor<4x5x6xf32>, %s: tensor<5x3xf32>) -> tensor<4x5x6xf32> {
  %y = fx.diagonal_scatter %x, %s {dim1 = -3 : i64, dim2 = 2 : i64, offset = 3 : i64} : (tensor<4x5x6xf32>, tensor<5x3xf32>) -> tensor<4x5x6xf32>
  return %y : tensor<4x5x6xf32>
}

// CHECK-LABEL: func.func @select_scatter(
// CHECK: fx.select_scatter %{{.*}}, %{{.*}} dim 0 index [-4] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @select_scatter(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = fx.select_scatter %x, %s dim 0 index [-4] : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @select_scatter_dynamic(
// CHECK: fx.select_scatter %{{.*}}, %{{.*}} dim 1 index [%{{.*}}] : (tensor<4x?xf32>, tensor<4xf32>, index) -> tensor<4x?xf32>
func.func @select_scatter_dynamic(%x: tensor<4x?xf32>, %s: tensor<4xf32>, %n: index) -> tensor<4x?xf32> {
  %y = fx.select_scatter %x, %s dim 1 index [%n] : (tensor<4x?xf32>, tensor<4xf32>, index) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @slice_scatter(
// CHECK: fx.slice_scatter %{{.*}}, %{{.*}} dim 0 start [1] end [9223372036854775807] step [2] : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
func.func @slice_scatter(%x: tensor<4x8xf32>, %s: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %y = fx.slice_scatter %x, %s dim 0 start [1] end [9223372036854775807] step [2] : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_scatter_dynamic(
// CHECK: fx.slice_scatter %{{.*}}, %{{.*}} dim 1 start [] end [%{{.*}}] step [1] : (tensor<4x?xf32>, tensor<4x?xf32>, index) -> tensor<4x?xf32>
func.func @slice_scatter_dynamic(%x: tensor<4x?xf32>, %s: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %y = fx.slice_scatter %x, %s dim 1 start [] end [%n] step [1] : (tensor<4x?xf32>, tensor<4x?xf32>, index) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @tril(
// CHECK: fx.tril %{{.*}} diagonal [-1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
func.func @tril(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %y = fx.tril %x diagonal [-1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @triu(
// CHECK: fx.triu %{{.*}} diagonal [%{{.*}}] : (tensor<?x4xi1>, index) -> tensor<?x4xi1>
func.func @triu(%x: tensor<?x4xi1>, %n: index) -> tensor<?x4xi1> {
  %y = fx.triu %x diagonal [%n] : (tensor<?x4xi1>, index) -> tensor<?x4xi1>
  return %y : tensor<?x4xi1>
}

// CHECK-LABEL: func.func @tril_indices(
// CHECK: fx.tril_indices row 3 col 3 : tensor<2x6xi64>
func.func @tril_indices() -> tensor<2x6xi64> {
  %y = fx.tril_indices row 3 col 3 : tensor<2x6xi64>
  return %y : tensor<2x6xi64>
}

// CHECK-LABEL: func.func @triu_indices(
// CHECK: fx.triu_indices row 2 col 3 {dtype = i32, offset = 1 : i64} : tensor<2x3xi32>
func.func @triu_indices() -> tensor<2x3xi32> {
  %y = fx.triu_indices row 2 col 3 {dtype = i32, offset = 1 : i64} : tensor<2x3xi32>
  return %y : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @embedding(
// CHECK: fx.embedding %{{.*}}, %{{.*}} padding_idx [-1] : (tensor<100x16xf32>, tensor<2x7xi64>) -> tensor<2x7x16xf32>
func.func @embedding(%w: tensor<100x16xf32>, %i: tensor<2x7xi64>) -> tensor<2x7x16xf32> {
  %y = fx.embedding %w, %i padding_idx [-1] : (tensor<100x16xf32>, tensor<2x7xi64>) -> tensor<2x7x16xf32>
  return %y : tensor<2x7x16xf32>
}

// CHECK-LABEL: func.func @embedding_dense_backward(
// CHECK: fx.embedding_dense_backward %{{.*}}, %{{.*}} num_weights [%{{.*}}] padding_idx [0] : (tensor<2x7x16xf32>, tensor<2x7xi64>, index) -> tensor<?x16xf32>
func.func @embedding_dense_backward(%g: tensor<2x7x16xf32>, %i: tensor<2x7xi64>, %n: index) -> tensor<?x16xf32> {
  %y = fx.embedding_dense_backward %g, %i num_weights [%n] padding_idx [0] : (tensor<2x7x16xf32>, tensor<2x7xi64>, index) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @embedding_bag(
// CHECK: fx.embedding_bag %{{.*}}, %{{.*}}, %{{.*}} : (tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>) -> (tensor<4x16xf32>, tensor<0xi64>, tensor<4xi64>, tensor<4xi64>)
func.func @embedding_bag(%w: tensor<100x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>) -> (tensor<4x16xf32>, tensor<0xi64>, tensor<4xi64>, tensor<4xi64>) {
  %y:4 = fx.embedding_bag %w, %i, %o : (tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>) -> (tensor<4x16xf32>, tensor<0xi64>, tensor<4xi64>, tensor<4xi64>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<4x16xf32>, tensor<0xi64>, tensor<4xi64>, tensor<4xi64>
}

// CHECK-LABEL: func.func @embedding_bag_max(
// CHECK: fx.embedding_bag %{{.*}}, %{{.*}}, %{{.*}} {include_last_offset = true, mode = 2 : i64, padding_idx = 3 : i64} : (tensor<100x16xf32>, tensor<?xi64>, tensor<4xi64>) -> (tensor<3x16xf32>, tensor<?xi64>, tensor<?xi64>, tensor<3x16xi64>)
func.func @embedding_bag_max(%w: tensor<100x16xf32>, %i: tensor<?xi64>, %o: tensor<4xi64>) -> (tensor<3x16xf32>, tensor<?xi64>, tensor<?xi64>, tensor<3x16xi64>) {
  %y:4 = fx.embedding_bag %w, %i, %o {include_last_offset = true, mode = 2 : i64, padding_idx = 3 : i64} : (tensor<100x16xf32>, tensor<?xi64>, tensor<4xi64>) -> (tensor<3x16xf32>, tensor<?xi64>, tensor<?xi64>, tensor<3x16xi64>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<3x16xf32>, tensor<?xi64>, tensor<?xi64>, tensor<3x16xi64>
}

// CHECK-LABEL: func.func @embedding_bag_weighted(
// CHECK: fx.embedding_bag %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xf32>) -> (tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
func.func @embedding_bag_weighted(%w: tensor<100x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %p: tensor<9xf32>) -> (tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>) {
  %y:4 = fx.embedding_bag %w, %i, %o, %p : (tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xf32>) -> (tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<4x16xf32>, tensor<?xi64>, tensor<4xi64>, tensor<?xi64>
}

// CHECK-LABEL: func.func @embedding_bag_backward(
// CHECK: fx.embedding_bag_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} num_weights [100] mode 1 {scale_grad_by_freq = false, sparse = false} : (tensor<4x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<100x16xf32>
func.func @embedding_bag_backward(%g: tensor<4x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %b: tensor<9xi64>, %s: tensor<4xi64>, %m: tensor<4xi64>) -> tensor<100x16xf32> {
  %y = fx.embedding_bag_backward %g, %i, %o, %b, %s, %m num_weights [100] mode 1 {scale_grad_by_freq = false, sparse = false} : (tensor<4x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<100x16xf32>
  return %y : tensor<100x16xf32>
}

// CHECK-LABEL: func.func @embedding_bag_dense_backward(
// CHECK: fx.embedding_bag_dense_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} weights %{{.*}} num_weights [100] mode 0 {scale_grad_by_freq = false} : (tensor<4x16xf32>, tensor<9xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>, tensor<9xf32>) -> tensor<100x16xf32>
func.func @embedding_bag_dense_backward(%g: tensor<4x16xf32>, %i: tensor<9xi64>, %b: tensor<9xi64>, %s: tensor<4xi64>, %m: tensor<4xi64>, %p: tensor<9xf32>) -> tensor<100x16xf32> {
  %y = fx.embedding_bag_dense_backward %g, %i, %b, %s, %m weights %p num_weights [100] mode 0 {scale_grad_by_freq = false} : (tensor<4x16xf32>, tensor<9xi64>, tensor<9xi64>, tensor<4xi64>, tensor<4xi64>, tensor<9xf32>) -> tensor<100x16xf32>
  return %y : tensor<100x16xf32>
}

// CHECK-LABEL: func.func @embedding_bag_per_sample_weights_backward(
// CHECK: fx.embedding_bag_per_sample_weights_backward %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {mode = 0 : i64} : (tensor<4x16xf32>, tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>) -> tensor<9xf32>
func.func @embedding_bag_per_sample_weights_backward(%g: tensor<4x16xf32>, %w: tensor<100x16xf32>, %i: tensor<9xi64>, %o: tensor<4xi64>, %b: tensor<9xi64>) -> tensor<9xf32> {
  %y = fx.embedding_bag_per_sample_weights_backward %g, %w, %i, %o, %b {mode = 0 : i64} : (tensor<4x16xf32>, tensor<100x16xf32>, tensor<9xi64>, tensor<4xi64>, tensor<9xi64>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}
