// Views and parts of tensors print as they parse.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @adjoint(
// CHECK:   %{{.*}} = fx.adjoint %{{.*}} : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
func.func @adjoint(%x: tensor<2x3xcomplex<f32>>) {
  %y = fx.adjoint %x : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @as_strided(
// CHECK:   %{{.*}} = fx.as_strided %{{.*}} size [2, 3] stride [1, 2] offset [1] : (tensor<8xf32>) -> tensor<2x3xf32>
func.func @as_strided(%x: tensor<8xf32>, %n: index) {
  %y = fx.as_strided %x size [2, 3] stride [1, 2] offset [1] : (tensor<8xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @as_strided_dynamic(
// CHECK:   %{{.*}} = fx.as_strided %{{.*}} size [%{{.*}}, 3] stride [%{{.*}}, 2] offset [%{{.*}}] : (tensor<?xf32>) -> tensor<?x3xf32>
func.func @as_strided_dynamic(%x: tensor<?xf32>, %n: index) {
  %y = fx.as_strided %x size [%n, 3] stride [%n, 2] offset [%n] : (tensor<?xf32>) -> tensor<?x3xf32>
  return
}

// CHECK-LABEL: func.func @as_strided_scalar(
// CHECK:   %{{.*}} = fx.as_strided %{{.*}} size [] stride [] offset [] : (tensor<8xf32>) -> tensor<f32>
func.func @as_strided_scalar(%x: tensor<8xf32>) {
  %y = fx.as_strided %x size [] stride [] offset [] : (tensor<8xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @broadcast_in_dim(
// CHECK:   %{{.*}} = fx.broadcast_in_dim %{{.*}} [4, %{{.*}}, 2] dims [0, 2] : (tensor<4x1xf32>) -> tensor<4x?x2xf32>
func.func @broadcast_in_dim(%x: tensor<4x1xf32>, %n: index) {
  %y = fx.broadcast_in_dim %x [4, %n, 2] dims [0, 2] : (tensor<4x1xf32>) -> tensor<4x?x2xf32>
  return
}

// CHECK-LABEL: func.func @diagonal(
// CHECK:   %{{.*}} = fx.diagonal %{{.*}} offset 1 dims 0, 1 : (tensor<3x4x5xf32>) -> tensor<5x3xf32>
func.func @diagonal(%x: tensor<3x4x5xf32>) {
  %y = fx.diagonal %x offset 1 dims 0, 1 : (tensor<3x4x5xf32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func.func @diagonal_dynamic(
// CHECK:   %{{.*}} = fx.diagonal %{{.*}} offset -1 dims -3, 1 : (tensor<?x4x5xf32>) -> tensor<5x?xf32>
func.func @diagonal_dynamic(%x: tensor<?x4x5xf32>) {
  %y = fx.diagonal %x offset -1 dims -3, 1 : (tensor<?x4x5xf32>) -> tensor<5x?xf32>
  return
}

// CHECK-LABEL: func.func @diagonal_empty(
// CHECK:   %{{.*}} = fx.diagonal %{{.*}} offset 7 dims 0, 1 : (tensor<3x4xf32>) -> tensor<0xf32>
func.func @diagonal_empty(%x: tensor<3x4xf32>) {
  %y = fx.diagonal %x offset 7 dims 0, 1 : (tensor<3x4xf32>) -> tensor<0xf32>
  return
}

// CHECK-LABEL: func.func @expand(
// CHECK:   %{{.*}} = fx.expand %{{.*}} [%{{.*}}, -1, 8] : (tensor<4x1xf32>) -> tensor<?x4x8xf32>
func.func @expand(%x: tensor<4x1xf32>, %n: index) {
  %y = fx.expand %x [%n, -1, 8] : (tensor<4x1xf32>) -> tensor<?x4x8xf32>
  return
}

// CHECK-LABEL: func.func @expand_c2_unknown(
// CHECK:   %{{.*}} = fx.expand %{{.*}} [2, 4] : (tensor<?xf32>) -> tensor<2x4xf32>
func.func @expand_c2_unknown(%x: tensor<?xf32>) {
  %y = fx.expand %x [2, 4] : (tensor<?xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @expand_as(
// CHECK:   %{{.*}} = fx.expand_as %{{.*}}, %{{.*}} : (tensor<4x1xf32>, tensor<2x4x?xi64>) -> tensor<2x4x?xf32>
func.func @expand_as(%x: tensor<4x1xf32>, %o: tensor<2x4x?xi64>) {
  %y = fx.expand_as %x, %o : (tensor<4x1xf32>, tensor<2x4x?xi64>) -> tensor<2x4x?xf32>
  return
}

// CHECK-LABEL: func.func @flatten(
// CHECK:   %{{.*}} = fx.flatten %{{.*}} dims 1 to -1 : (tensor<?x4x8xf32>) -> tensor<?x32xf32>
func.func @flatten(%x: tensor<?x4x8xf32>) {
  %y = fx.flatten %x dims 1 to -1 : (tensor<?x4x8xf32>) -> tensor<?x32xf32>
  return
}

// CHECK-LABEL: func.func @flatten_scalar(
// CHECK:   %{{.*}} = fx.flatten %{{.*}} dims 0 to -1 : (tensor<f32>) -> tensor<1xf32>
func.func @flatten_scalar(%x: tensor<f32>) {
  %y = fx.flatten %x dims 0 to -1 : (tensor<f32>) -> tensor<1xf32>
  return
}

// CHECK-LABEL: func.func @flip(
// CHECK:   %{{.*}} = fx.flip %{{.*}} [0, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @flip(%x: tensor<2x3xf32>) {
  %y = fx.flip %x [0, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @movedim(
// CHECK:   %{{.*}} = fx.movedim %{{.*}} [0] to [2] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
func.func @movedim(%x: tensor<2x3x4xf32>) {
  %y = fx.movedim %x [0] to [2] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  return
}

// CHECK-LABEL: func.func @numpy_T(
// CHECK:   %{{.*}} = fx.numpy_T %{{.*}} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
func.func @numpy_T(%x: tensor<2x3x4xf32>) {
  %y = fx.numpy_T %x : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  return
}

// CHECK-LABEL: func.func @permute(
// CHECK:   %{{.*}} = fx.permute %{{.*}} [2, 0, -2] : (tensor<2x3x?xf32>) -> tensor<?x2x3xf32>
func.func @permute(%x: tensor<2x3x?xf32>) {
  %y = fx.permute %x [2, 0, -2] : (tensor<2x3x?xf32>) -> tensor<?x2x3xf32>
  return
}

// CHECK-LABEL: func.func @repeat(
// CHECK:   %{{.*}} = fx.repeat %{{.*}} [2, 1, %{{.*}}] : (tensor<3x4xf32>) -> tensor<2x3x?xf32>
func.func @repeat(%x: tensor<3x4xf32>, %n: index) {
  %y = fx.repeat %x [2, 1, %n] : (tensor<3x4xf32>) -> tensor<2x3x?xf32>
  return
}

// CHECK-LABEL: func.func @repeat_tile(
// CHECK:   %{{.*}} = fx.repeat %{{.*}} [2] : (tensor<3x4xf32>) -> tensor<3x8xf32>
func.func @repeat_tile(%x: tensor<3x4xf32>) {
  %y = fx.repeat %x [2] : (tensor<3x4xf32>) -> tensor<3x8xf32>
  return
}

// CHECK-LABEL: func.func @roll(
// CHECK:   %{{.*}} = fx.roll %{{.*}} [1, %{{.*}}] dims [0, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @roll(%x: tensor<4x8xf32>, %n: index) {
  %y = fx.roll %x [1, %n] dims [0, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @roll_flat(
// CHECK:   %{{.*}} = fx.roll %{{.*}} [-3] : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @roll_flat(%x: tensor<4x8xf32>) {
  %y = fx.roll %x [-3] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @rot90(
// CHECK:   %{{.*}} = fx.rot90 %{{.*}} times -1 dims [0, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
func.func @rot90(%x: tensor<2x3xf32>) {
  %y = fx.rot90 %x times -1 dims [0, 1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @narrow(
// CHECK:   %{{.*}} = fx.narrow %{{.*}} dim 0 from [%{{.*}}] length [2] : (tensor<8x4xf32>) -> tensor<2x4xf32>
func.func @narrow(%x: tensor<8x4xf32>, %i: index) {
  %y = fx.narrow %x dim 0 from [%i] length [2] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @narrow_end(
// CHECK:   %{{.*}} = fx.narrow %{{.*}} dim 0 from [-2] length [2] : (tensor<8x4xf32>) -> tensor<2x4xf32>
func.func @narrow_end(%x: tensor<8x4xf32>) {
  %y = fx.narrow %x dim 0 from [-2] length [2] : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @select(
// CHECK:   %{{.*}} = fx.select %{{.*}} dim 1 [-1] : (tensor<4x8xf32>) -> tensor<4xf32>
func.func @select(%x: tensor<4x8xf32>) {
  %y = fx.select %x dim 1 [-1] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @select_c2_unknown(
// CHECK:   %{{.*}} = fx.select %{{.*}} dim 1 [100] : (tensor<4x?xf32>) -> tensor<4xf32>
func.func @select_c2_unknown(%x: tensor<4x?xf32>) {
  %y = fx.select %x dim 1 [100] : (tensor<4x?xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @slice(
// CHECK:   %{{.*}} = fx.slice %{{.*}} dim 0 [1] to [] step [2] : (tensor<8x4xf32>) -> tensor<4x4xf32>
func.func @slice(%x: tensor<8x4xf32>) {
  %y = fx.slice %x dim 0 [1] to [] step [2] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: func.func @slice_dynamic(
// CHECK:   %{{.*}} = fx.slice %{{.*}} dim -1 [%{{.*}}] to [%{{.*}}] step [%{{.*}}] : (tensor<8x4xf32>) -> tensor<8x?xf32>
func.func @slice_dynamic(%x: tensor<8x4xf32>, %i: index) {
  %y = fx.slice %x dim -1 [%i] to [%i] step [%i] : (tensor<8x4xf32>) -> tensor<8x?xf32>
  return
}

// CHECK-LABEL: func.func @slice_clamped(
// CHECK:   %{{.*}} = fx.slice %{{.*}} dim 0 [-100] to [100] step [3] : (tensor<8xf32>) -> tensor<3xf32>
func.func @slice_clamped(%x: tensor<8xf32>) {
  %y = fx.slice %x dim 0 [-100] to [100] step [3] : (tensor<8xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @slice_empty(
// CHECK:   %{{.*}} = fx.slice %{{.*}} dim 0 [5] to [2] step [] : (tensor<8xf32>) -> tensor<0xf32>
func.func @slice_empty(%x: tensor<8xf32>) {
  %y = fx.slice %x dim 0 [5] to [2] step [] : (tensor<8xf32>) -> tensor<0xf32>
  return
}

// CHECK-LABEL: func.func @slice_unknown(
// CHECK:   %{{.*}} = fx.slice %{{.*}} dim 0 [1] to [-1] step [] : (tensor<?xf32>) -> tensor<?xf32>
func.func @slice_unknown(%x: tensor<?xf32>) {
  %y = fx.slice %x dim 0 [1] to [-1] step [] : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @split_dim(
// CHECK:   %{{.*}} = fx.split_dim %{{.*}} dim 0 [2] : (tensor<8xf32>) -> tensor<2x4xf32>
func.func @split_dim(%x: tensor<8xf32>) {
  %y = fx.split_dim %x dim 0 [2] : (tensor<8xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @squeeze(
// CHECK:   %{{.*}} = fx.squeeze %{{.*}} dims [0, -2] : (tensor<1x4x1x1xf32>) -> tensor<4x1xf32>
func.func @squeeze(%x: tensor<1x4x1x1xf32>) {
  %y = fx.squeeze %x dims [0, -2] : (tensor<1x4x1x1xf32>) -> tensor<4x1xf32>
  return
}

// CHECK-LABEL: func.func @squeeze_all(
// CHECK:   %{{.*}} = fx.squeeze %{{.*}} : (tensor<1x?x1xf32>) -> tensor<?xf32>
func.func @squeeze_all(%x: tensor<1x?x1xf32>) {
  %y = fx.squeeze %x : (tensor<1x?x1xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @squeeze_scalar(
// CHECK:   %{{.*}} = fx.squeeze %{{.*}} dims [0] : (tensor<f32>) -> tensor<f32>
func.func @squeeze_scalar(%x: tensor<f32>) {
  %y = fx.squeeze %x dims [0] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @t(
// CHECK:   %{{.*}} = fx.t %{{.*}} : (tensor<2x?xf32>) -> tensor<?x2xf32>
func.func @t(%x: tensor<2x?xf32>) {
  %y = fx.t %x : (tensor<2x?xf32>) -> tensor<?x2xf32>
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK:   %{{.*}} = fx.transpose %{{.*}} -2, -1 : (tensor<?x2x3xf32>) -> tensor<?x3x2xf32>
func.func @transpose(%x: tensor<?x2x3xf32>) {
  %y = fx.transpose %x -2, -1 : (tensor<?x2x3xf32>) -> tensor<?x3x2xf32>
  return
}

// CHECK-LABEL: func.func @unflatten(
// CHECK:   %{{.*}} = fx.unflatten %{{.*}} dim 1 [4, -1] : (tensor<?x32xf32>) -> tensor<?x4x8xf32>
func.func @unflatten(%x: tensor<?x32xf32>) {
  %y = fx.unflatten %x dim 1 [4, -1] : (tensor<?x32xf32>) -> tensor<?x4x8xf32>
  return
}

// CHECK-LABEL: func.func @unfold(
// CHECK:   %{{.*}} = fx.unfold %{{.*}} dim 0 size 3 step 2 : (tensor<7x4xf32>) -> tensor<3x4x3xf32>
func.func @unfold(%x: tensor<7x4xf32>) {
  %y = fx.unfold %x dim 0 size 3 step 2 : (tensor<7x4xf32>) -> tensor<3x4x3xf32>
  return
}

// CHECK-LABEL: func.func @unfold_scalar(
// CHECK:   %{{.*}} = fx.unfold %{{.*}} dim 0 size 1 step 1 : (tensor<f32>) -> tensor<1xf32>
func.func @unfold_scalar(%x: tensor<f32>) {
  %y = fx.unfold %x dim 0 size 1 step 1 : (tensor<f32>) -> tensor<1xf32>
  return
}

// CHECK-LABEL: func.func @unsqueeze(
// CHECK:   %{{.*}} = fx.unsqueeze %{{.*}} dim -1 : (tensor<4x?xf32>) -> tensor<4x?x1xf32>
func.func @unsqueeze(%x: tensor<4x?xf32>) {
  %y = fx.unsqueeze %x dim -1 : (tensor<4x?xf32>) -> tensor<4x?x1xf32>
  return
}

// CHECK-LABEL: func.func @view(
// CHECK:   %{{.*}} = fx.view %{{.*}} [%{{.*}}, 64] : (tensor<?x8x8xf32>) -> tensor<?x64xf32>
func.func @view(%x: tensor<?x8x8xf32>, %n: index) {
  %y = fx.view %x [%n, 64] : (tensor<?x8x8xf32>) -> tensor<?x64xf32>
  return
}

// CHECK-LABEL: func.func @view_inferred(
// CHECK:   %{{.*}} = fx.view %{{.*}} [-1, 3] : (tensor<4x6xf32>) -> tensor<8x3xf32>
func.func @view_inferred(%x: tensor<4x6xf32>) {
  %y = fx.view %x [-1, 3] : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// CHECK-LABEL: func.func @view_c1_unknown(
// CHECK:   %{{.*}} = fx.view %{{.*}} [4, 5] : (tensor<?x6xf32>) -> tensor<4x5xf32>
func.func @view_c1_unknown(%x: tensor<?x6xf32>) {
  %y = fx.view %x [4, 5] : (tensor<?x6xf32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func.func @view_refined(
// CHECK:   %{{.*}} = fx.view %{{.*}} [-1] : (tensor<?x6xf32>) -> tensor<12xf32>
func.func @view_refined(%x: tensor<?x6xf32>) {
  %y = fx.view %x [-1] : (tensor<?x6xf32>) -> tensor<12xf32>
  return
}

// CHECK-LABEL: func.func @view_as(
// CHECK:   %{{.*}} = fx.view_as %{{.*}}, %{{.*}} : (tensor<4x6xf32>, tensor<3x8xi1>) -> tensor<3x8xf32>
func.func @view_as(%x: tensor<4x6xf32>, %o: tensor<3x8xi1>) {
  %y = fx.view_as %x, %o : (tensor<4x6xf32>, tensor<3x8xi1>) -> tensor<3x8xf32>
  return
}

// CHECK-LABEL: func.func @view_dtype(
// CHECK:   %{{.*}} = fx.view_dtype %{{.*}} as i16 : (tensor<4x8xf32>) -> tensor<4x16xi16>
func.func @view_dtype(%x: tensor<4x8xf32>) {
  %y = fx.view_dtype %x as i16 : (tensor<4x8xf32>) -> tensor<4x16xi16>
  return
}

// CHECK-LABEL: func.func @view_dtype_wider(
// CHECK:   %{{.*}} = fx.view_dtype %{{.*}} as f64 : (tensor<4x?xui8>) -> tensor<4x?xf64>
func.func @view_dtype_wider(%x: tensor<4x?xui8>) {
  %y = fx.view_dtype %x as f64 : (tensor<4x?xui8>) -> tensor<4x?xf64>
  return
}

// CHECK-LABEL: func.func @split(
// CHECK:   %{{.*}} = fx.split %{{.*}} [4] dim 1 : (tensor<4x7xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
func.func @split(%x: tensor<4x7xf32>) {
  %y:2 = fx.split %x [4] dim 1 : (tensor<4x7xf32>) -> (tensor<4x4xf32>, tensor<4x3xf32>)
  return
}

// CHECK-LABEL: func.func @split_unknown(
// CHECK:   %{{.*}} = fx.split %{{.*}} [%{{.*}}] dim 0 : (tensor<?x7xf32>) -> (tensor<?x7xf32>, tensor<?x7xf32>, tensor<2x7xf32>)
func.func @split_unknown(%x: tensor<?x7xf32>, %n: index) {
  %y:3 = fx.split %x [%n] dim 0 : (tensor<?x7xf32>) -> (tensor<?x7xf32>, tensor<?x7xf32>, tensor<2x7xf32>)
  return
}

// CHECK-LABEL: func.func @split_empty(
// CHECK:   %{{.*}} = fx.split %{{.*}} [0] dim 0 : (tensor<0xf32>) -> tensor<0xf32>
func.func @split_empty(%x: tensor<0xf32>) {
  %y = fx.split %x [0] dim 0 : (tensor<0xf32>) -> tensor<0xf32>
  return
}

// CHECK-LABEL: func.func @split_with_sizes(
// CHECK:   %{{.*}} = fx.split_with_sizes %{{.*}} [%{{.*}}, 2] dim 0 : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<2x4xf32>)
func.func @split_with_sizes(%x: tensor<?x4xf32>, %n: index) {
  %y:2 = fx.split_with_sizes %x [%n, 2] dim 0 : (tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<2x4xf32>)
  return
}

// CHECK-LABEL: func.func @chunk(
// CHECK:   %{{.*}} = fx.chunk %{{.*}} into 5 dim 1 : (tensor<4x7xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x1xf32>)
func.func @chunk(%x: tensor<4x7xf32>) {
  %y:4 = fx.chunk %x into 5 dim 1 : (tensor<4x7xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x1xf32>)
  return
}

// CHECK-LABEL: func.func @chunk_unknown(
// CHECK:   %{{.*}} = fx.chunk %{{.*}} into 2 dim -1 : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
func.func @chunk_unknown(%x: tensor<4x?xf32>) {
  %y:2 = fx.chunk %x into 2 dim -1 : (tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  return
}

// CHECK-LABEL: func.func @unbind(
// CHECK:   %{{.*}} = fx.unbind %{{.*}} dim 0 : (tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @unbind(%x: tensor<2x4xf32>) {
  %y:2 = fx.unbind %x dim 0 : (tensor<2x4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @unbind_unknown(
// CHECK:   %{{.*}} = fx.unbind %{{.*}} dim 0 : (tensor<?x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @unbind_unknown(%x: tensor<?x4xf32>) {
  %y:3 = fx.unbind %x dim 0 : (tensor<?x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @meshgrid(
// CHECK:   %{{.*}} = fx.meshgrid %{{.*}}, %{{.*}}, %{{.*}} "xy" : (tensor<2xf32>, tensor<f32>, tensor<?xf32>) -> (tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>)
func.func @meshgrid(%a: tensor<2xf32>, %b: tensor<f32>, %c: tensor<?xf32>) {
  %y:3 = fx.meshgrid %a, %b, %c "xy" : (tensor<2xf32>, tensor<f32>, tensor<?xf32>) -> (tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>)
  return
}
