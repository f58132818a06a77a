// Recurrent layers: a sequence of known length, which is written out, and one of unknown length, which is scanned; with
// more layers, both directions, a projection, no biases, the batch first. The values come from the formulas, in doubles.
// RUN: fxc run %s | FileCheck %s

// lstm: the output, the last state, and their differences to those of the other form.
// CHECK:      output.0 {{.*}} [0.0512{{[0-9]*}}, -0.3332{{[0-9]*}}, 0.0638{{[0-9]*}}
// CHECK-NEXT: output.1 {{.*}} [-0.0530{{[0-9]*}}, -0.8713{{[0-9]*}}, 0.0744{{[0-9]*}}
// CHECK-NEXT: output.2 {{.*}} min 0 max 0
// CHECK-NEXT: output.3 {{.*}} {{min 0 max 0|\[0\]}}
// lstm: the output, the last state, and their differences to those of the other form.
// CHECK-NEXT: output.4 {{.*}} [0.0518{{[0-9]*}}, 0.1341{{[0-9]*}}
// CHECK-NEXT: output.5 {{.*}} [0.4100{{[0-9]*}}
// CHECK-NEXT: output.6 {{.*}} min 0 max 0
// CHECK-NEXT: output.7 {{.*}} {{min 0 max 0|\[0\]}}
// gru: the output, the last state, and their differences to those of the other form.
// CHECK-NEXT: output.8 {{.*}} [0.5030{{[0-9]*}}, 0.1415{{[0-9]*}}, 0.5836{{[0-9]*}}
// CHECK-NEXT: output.9 {{.*}} [-0.1381{{[0-9]*}}, -0.1350{{[0-9]*}}, -0.1917{{[0-9]*}}
// CHECK-NEXT: output.10 {{.*}} min 0 max 0
// CHECK-NEXT: output.11 {{.*}} {{min 0 max 0|\[0\]}}
// rnn_tanh: the output, the last state, and their differences to those of the other form.
// CHECK-NEXT: output.12 {{.*}} [-0.9863{{[0-9]*}}, -0.1191{{[0-9]*}}, 0.3531{{[0-9]*}}
// CHECK-NEXT: output.13 {{.*}} [-0.8339{{[0-9]*}}, -0.1730{{[0-9]*}}, 0.3531{{[0-9]*}}
// CHECK-NEXT: output.14 {{.*}} min 0 max 0
// CHECK-NEXT: output.15 {{.*}} {{min 0 max 0|\[0\]}}
// rnn_relu: the output, the last state, and their differences to those of the other form.
// CHECK-NEXT: output.16 {{.*}} [0.5651{{[0-9]*}}, 0.4253{{[0-9]*}}, 0
// CHECK-NEXT: output.17 {{.*}} [0, 0, 0
// CHECK-NEXT: output.18 {{.*}} min 0 max 0
// CHECK-NEXT: output.19 {{.*}} {{min 0 max 0|\[0\]}}
func.func @main() -> (tensor<2x?x2xf32>, tensor<4x2x2xf32>, tensor<2x3x2xf32>, tensor<4x2x2xf32>, tensor<?x1x1xf32>, tensor<1x1x1xf32>, tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<?x2x2xf32>, tensor<4x2x1xf32>, tensor<3x2x2xf32>, tensor<4x2x1xf32>, tensor<1x?x4xf32>, tensor<2x1x2xf32>, tensor<1x2x4xf32>, tensor<2x1x2xf32>, tensor<?x1x2xf32>, tensor<2x1x2xf32>, tensor<3x1x2xf32>, tensor<2x1x2xf32>) {
  %x1 = arith.constant dense<[[[-0.35, -0.7], [0.07, -0.27], [-0.93, -0.13]], [[0.3, -0.86], [-0.88, 0.01], [-0.86, -0.82]]]> : tensor<2x3x2xf32>
  %h1_0 = arith.constant dense<[[[-0.94], [-0.44]], [[-0.48], [0.39]], [[0.91], [-0.11]], [[0.87], [0.98]]]> : tensor<4x2x1xf32>
  %h1_1 = arith.constant dense<[[[0.91, -0.27], [-0.56, -0.55]], [[-0.61, -0.59], [0.25, 0.8]], [[0.68, -0.04], [0.31, 0.6]], [[-0.83, 0.32], [0.82, 0.56]]]> : tensor<4x2x2xf32>
  %p1_0_0 = arith.constant dense<[[-0.15, 0.65], [-0.75, -0.55], [0.25, 0.9], [0.15, -0.21], [0.95, -0.91], [0.72, -0.42], [-0.71, -0.76], [-0.38, 0.63]]> : tensor<8x2xf32>
  %p1_0_1 = arith.constant dense<[[-0.64], [0.16], [0.28], [-0.26], [0.1], [-0.87], [-0.88], [-0.59]]> : tensor<8x1xf32>
  %p1_0_2 = arith.constant dense<[0.36, -0.14, -0.37, 0.17, -0.09, -0.4, 0.59, 0.4]> : tensor<8xf32>
  %p1_0_3 = arith.constant dense<[-0.51, 0.15, 0.05, 0.75, 0.46, -0.42, 0.96, -0.76]> : tensor<8xf32>
  %p1_0_4 = arith.constant dense<[[-0.16, 0.51]]> : tensor<1x2xf32>
  %p1_1_0 = arith.constant dense<[[-0.7, -0.02], [-0.92, 0.34], [0.53, 0.15], [0.75, -0.37], [0.39, 0.19], [0.16, -0.09], [0.68, 0.89], [-0.05, 0.33]]> : tensor<8x2xf32>
  %p1_1_1 = arith.constant dense<[[-0.88], [0.4], [0.29], [0.99], [0.64], [-0.43], [-0.23], [0.34]]> : tensor<8x1xf32>
  %p1_1_2 = arith.constant dense<[-0.95, -0.08, -0.66, -0.77, -0.88, 0.54, -0.74, -0.5]> : tensor<8xf32>
  %p1_1_3 = arith.constant dense<[-0.22, 0.74, -0.84, -0.1, 0.1, 0.77, 0.64, 0.73]> : tensor<8xf32>
  %p1_1_4 = arith.constant dense<[[-0.44, -0.17]]> : tensor<1x2xf32>
  %p1_2_0 = arith.constant dense<[[-0.28, 0.77], [0.92, -0.7], [-0.65, -0.54], [-0.53, -0.03], [0.18, -0.47], [-0.99, -0.16], [-0.26, 0.13], [0.91, 0.38]]> : tensor<8x2xf32>
  %p1_2_1 = arith.constant dense<[[0.03], [0.24], [0.35], [-0.89], [0.8], [0.56], [0.75], [0.6]]> : tensor<8x1xf32>
  %p1_2_2 = arith.constant dense<[-0.22, -0.2, -0.79, 0.27, -0.88, -0.87, -0.58, -0.68]> : tensor<8xf32>
  %p1_2_3 = arith.constant dense<[-0.32, -0.89, -1.0, -0.7, -0.8, -0.27, -0.95, 0.75]> : tensor<8xf32>
  %p1_2_4 = arith.constant dense<[[0.23, -0.7]]> : tensor<1x2xf32>
  %p1_3_0 = arith.constant dense<[[-0.5, -0.31], [-0.27, -0.75], [0.7, 0.99], [-0.07, -0.03], [-0.83, -0.8], [-0.31, -0.47], [0.66, -0.68], [-0.95, 0.9]]> : tensor<8x2xf32>
  %p1_3_1 = arith.constant dense<[[0.06], [-0.71], [0.09], [-0.95], [0.06], [0.96], [0.73], [0.39]]> : tensor<8x1xf32>
  %p1_3_2 = arith.constant dense<[-0.48, -0.27, -0.67, 0.54, 0.07, 0.56, -0.34, -0.55]> : tensor<8xf32>
  %p1_3_3 = arith.constant dense<[0.62, 0.97, 0.71, 0.61, 0.64, 0.48, -0.55, 0.04]> : tensor<8xf32>
  %p1_3_4 = arith.constant dense<[[-0.29, -0.94]]> : tensor<1x2xf32>
  %d1 = tensor.cast %x1 : tensor<2x3x2xf32> to tensor<2x?x2xf32>
  %s1:3 = fx.lstm %x1 hx(%h1_0, %h1_1) params(%p1_0_0, %p1_0_1, %p1_0_2, %p1_0_3, %p1_0_4, %p1_1_0, %p1_1_1, %p1_1_2, %p1_1_3, %p1_1_4, %p1_2_0, %p1_2_1, %p1_2_2, %p1_2_3, %p1_2_4, %p1_3_0, %p1_3_1, %p1_3_2, %p1_3_3, %p1_3_4) {has_biases = true, num_layers = 2 : i64, dropout = 0.0 : f64, train = false, bidirectional = true, batch_first = true}
      : (tensor<2x3x2xf32>, tensor<4x2x1xf32>, tensor<4x2x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>) -> (tensor<2x3x2xf32>, tensor<4x2x1xf32>, tensor<4x2x2xf32>)
  %r1:3 = fx.lstm %d1 hx(%h1_0, %h1_1) params(%p1_0_0, %p1_0_1, %p1_0_2, %p1_0_3, %p1_0_4, %p1_1_0, %p1_1_1, %p1_1_2, %p1_1_3, %p1_1_4, %p1_2_0, %p1_2_1, %p1_2_2, %p1_2_3, %p1_2_4, %p1_3_0, %p1_3_1, %p1_3_2, %p1_3_3, %p1_3_4) {has_biases = true, num_layers = 2 : i64, dropout = 0.0 : f64, train = false, bidirectional = true, batch_first = true}
      : (tensor<2x?x2xf32>, tensor<4x2x1xf32>, tensor<4x2x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x1xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1x2xf32>) -> (tensor<2x?x2xf32>, tensor<4x2x1xf32>, tensor<4x2x2xf32>)
  %diff1 = fx.sub %s1#0, %r1#0 : (tensor<2x3x2xf32>, tensor<2x?x2xf32>) -> tensor<2x3x2xf32>
  %diff1_1 = fx.sub %s1#1, %r1#1 : (tensor<4x2x1xf32>, tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %diff1_2 = fx.sub %s1#2, %r1#2 : (tensor<4x2x2xf32>, tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %x2 = arith.constant dense<[[[0.5, -0.04]], [[-0.64, 0.58]]]> : tensor<2x1x2xf32>
  %h2_0 = arith.constant dense<[[[-0.71]]]> : tensor<1x1x1xf32>
  %h2_1 = arith.constant dense<[[[0.65]]]> : tensor<1x1x1xf32>
  %p2_0_0 = arith.constant dense<[[-0.33, 0.6], [0.94, -0.21], [-0.2, 0.89], [0.45, -0.66]]> : tensor<4x2xf32>
  %p2_0_1 = arith.constant dense<[[-0.75], [-0.7], [0.81], [0.61]]> : tensor<4x1xf32>
  %d2 = tensor.cast %x2 : tensor<2x1x2xf32> to tensor<?x1x2xf32>
  %s2:3 = fx.lstm %x2 hx(%h2_0, %h2_1) params(%p2_0_0, %p2_0_1) {has_biases = false, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
      : (tensor<2x1x2xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<4x2xf32>, tensor<4x1xf32>) -> (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %r2:3 = fx.lstm %d2 hx(%h2_0, %h2_1) params(%p2_0_0, %p2_0_1) {has_biases = false, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
      : (tensor<?x1x2xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<4x2xf32>, tensor<4x1xf32>) -> (tensor<?x1x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  %diff2 = fx.sub %s2#0, %r2#0 : (tensor<2x1x1xf32>, tensor<?x1x1xf32>) -> tensor<2x1x1xf32>
  %diff2_1 = fx.sub %s2#1, %r2#1 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %diff2_2 = fx.sub %s2#2, %r2#2 : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %x3 = arith.constant dense<[[[0.96, 0.31], [-0.3, 0.1]], [[-0.74, -0.97], [0.94, 0.3]], [[0.05, 0.87], [-0.13, 0.74]]]> : tensor<3x2x2xf32>
  %h3_0 = arith.constant dense<[[[-0.85], [-0.52]], [[-0.85], [0.34]], [[0.57], [0.79]], [[-0.69], [0.43]]]> : tensor<4x2x1xf32>
  %p3_0_0 = arith.constant dense<[[0.65, -0.58], [-0.5, -0.41], [-0.52, 0.17]]> : tensor<3x2xf32>
  %p3_0_1 = arith.constant dense<[[-0.48], [-0.16], [-0.74]]> : tensor<3x1xf32>
  %p3_0_2 = arith.constant dense<[0.82, -0.29, -0.08]> : tensor<3xf32>
  %p3_0_3 = arith.constant dense<[0.17, 0.81, -0.16]> : tensor<3xf32>
  %p3_1_0 = arith.constant dense<[[0.84, 0.0], [0.06, 0.05], [-0.96, -0.12]]> : tensor<3x2xf32>
  %p3_1_1 = arith.constant dense<[[-0.63], [-0.99], [0.6]]> : tensor<3x1xf32>
  %p3_1_2 = arith.constant dense<[-0.66, -0.05, 0.45]> : tensor<3xf32>
  %p3_1_3 = arith.constant dense<[0.11, -0.35, 0.04]> : tensor<3xf32>
  %p3_2_0 = arith.constant dense<[[0.11, 0.57], [-0.79, 0.12], [-0.5, -0.45]]> : tensor<3x2xf32>
  %p3_2_1 = arith.constant dense<[[0.54], [0.02], [0.12]]> : tensor<3x1xf32>
  %p3_2_2 = arith.constant dense<[0.52, 0.82, -0.11]> : tensor<3xf32>
  %p3_2_3 = arith.constant dense<[0.23, 0.01, 0.02]> : tensor<3xf32>
  %p3_3_0 = arith.constant dense<[[0.39, -0.1], [0.07, -0.04], [0.88, 0.4]]> : tensor<3x2xf32>
  %p3_3_1 = arith.constant dense<[[0.75], [0.88], [-0.48]]> : tensor<3x1xf32>
  %p3_3_2 = arith.constant dense<[0.12, 0.89, 0.68]> : tensor<3xf32>
  %p3_3_3 = arith.constant dense<[-0.73, -0.76, -0.12]> : tensor<3xf32>
  %d3 = tensor.cast %x3 : tensor<3x2x2xf32> to tensor<?x2x2xf32>
  %s3:2 = fx.gru %x3, %h3_0 params(%p3_0_0, %p3_0_1, %p3_0_2, %p3_0_3, %p3_1_0, %p3_1_1, %p3_1_2, %p3_1_3, %p3_2_0, %p3_2_1, %p3_2_2, %p3_2_3, %p3_3_0, %p3_3_1, %p3_3_2, %p3_3_3) {has_biases = true, num_layers = 2 : i64, dropout = 0.0 : f64, train = false, bidirectional = true, batch_first = false}
      : (tensor<3x2x2xf32>, tensor<4x2x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x2x2xf32>, tensor<4x2x1xf32>)
  %r3:2 = fx.gru %d3, %h3_0 params(%p3_0_0, %p3_0_1, %p3_0_2, %p3_0_3, %p3_1_0, %p3_1_1, %p3_1_2, %p3_1_3, %p3_2_0, %p3_2_1, %p3_2_2, %p3_2_3, %p3_3_0, %p3_3_1, %p3_3_2, %p3_3_3) {has_biases = true, num_layers = 2 : i64, dropout = 0.0 : f64, train = false, bidirectional = true, batch_first = false}
      : (tensor<?x2x2xf32>, tensor<4x2x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>, tensor<3x1xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x2x2xf32>, tensor<4x2x1xf32>)
  %diff3 = fx.sub %s3#0, %r3#0 : (tensor<3x2x2xf32>, tensor<?x2x2xf32>) -> tensor<3x2x2xf32>
  %diff3_1 = fx.sub %s3#1, %r3#1 : (tensor<4x2x1xf32>, tensor<4x2x1xf32>) -> tensor<4x2x1xf32>
  %x4 = arith.constant dense<[[[0.32, -0.71], [0.77, 0.94]]]> : tensor<1x2x2xf32>
  %h4_0 = arith.constant dense<[[[-0.79, -0.47]], [[-0.92, 0.56]]]> : tensor<2x1x2xf32>
  %p4_0_0 = arith.constant dense<[[-0.56, 0.91], [-0.2, -0.03]]> : tensor<2x2xf32>
  %p4_0_1 = arith.constant dense<[[0.98, 0.66], [-0.68, -0.14]]> : tensor<2x2xf32>
  %p4_0_2 = arith.constant dense<[0.03, -0.32]> : tensor<2xf32>
  %p4_0_3 = arith.constant dense<[-0.61, -0.36]> : tensor<2xf32>
  %p4_1_0 = arith.constant dense<[[0.44, -0.96], [0.11, -0.12]]> : tensor<2x2xf32>
  %p4_1_1 = arith.constant dense<[[-0.96, -0.34], [0.25, 0.02]]> : tensor<2x2xf32>
  %p4_1_2 = arith.constant dense<[-0.87, 0.97]> : tensor<2xf32>
  %p4_1_3 = arith.constant dense<[0.58, 0.94]> : tensor<2xf32>
  %d4 = tensor.cast %x4 : tensor<1x2x2xf32> to tensor<1x?x2xf32>
  %s4:2 = fx.rnn_tanh %x4, %h4_0 params(%p4_0_0, %p4_0_1, %p4_0_2, %p4_0_3, %p4_1_0, %p4_1_1, %p4_1_2, %p4_1_3) {has_biases = true, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = true, batch_first = true}
      : (tensor<1x2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4xf32>, tensor<2x1x2xf32>)
  %r4:2 = fx.rnn_tanh %d4, %h4_0 params(%p4_0_0, %p4_0_1, %p4_0_2, %p4_0_3, %p4_1_0, %p4_1_1, %p4_1_2, %p4_1_3) {has_biases = true, num_layers = 1 : i64, dropout = 0.0 : f64, train = false, bidirectional = true, batch_first = true}
      : (tensor<1x?x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x?x4xf32>, tensor<2x1x2xf32>)
  %diff4 = fx.sub %s4#0, %r4#0 : (tensor<1x2x4xf32>, tensor<1x?x4xf32>) -> tensor<1x2x4xf32>
  %diff4_1 = fx.sub %s4#1, %r4#1 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
  %x5 = arith.constant dense<[[[-0.46]], [[-0.74]], [[-0.16]]]> : tensor<3x1x1xf32>
  %h5_0 = arith.constant dense<[[[0.6, -0.83]], [[0.71, -0.87]]]> : tensor<2x1x2xf32>
  %p5_0_0 = arith.constant dense<[[0.82], [0.64]]> : tensor<2x1xf32>
  %p5_0_1 = arith.constant dense<[[-0.48, -0.7], [0.84, 0.14]]> : tensor<2x2xf32>
  %p5_1_0 = arith.constant dense<[[0.4, -0.82], [-0.88, 0.38]]> : tensor<2x2xf32>
  %p5_1_1 = arith.constant dense<[[-0.15, -0.86], [0.88, 0.27]]> : tensor<2x2xf32>
  %d5 = tensor.cast %x5 : tensor<3x1x1xf32> to tensor<?x1x1xf32>
  %s5:2 = fx.rnn_relu %x5, %h5_0 params(%p5_0_0, %p5_0_1, %p5_1_0, %p5_1_1) {has_biases = false, num_layers = 2 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
      : (tensor<3x1x1xf32>, tensor<2x1x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<3x1x2xf32>, tensor<2x1x2xf32>)
  %r5:2 = fx.rnn_relu %d5, %h5_0 params(%p5_0_0, %p5_0_1, %p5_1_0, %p5_1_1) {has_biases = false, num_layers = 2 : i64, dropout = 0.0 : f64, train = false, bidirectional = false, batch_first = false}
      : (tensor<?x1x1xf32>, tensor<2x1x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<?x1x2xf32>, tensor<2x1x2xf32>)
  %diff5 = fx.sub %s5#0, %r5#0 : (tensor<3x1x2xf32>, tensor<?x1x2xf32>) -> tensor<3x1x2xf32>
  %diff5_1 = fx.sub %s5#1, %r5#1 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
  return %r1#0, %r1#2, %diff1, %diff1_2, %r2#0, %r2#2, %diff2, %diff2_2, %r3#0, %r3#1, %diff3, %diff3_1, %r4#0, %r4#1, %diff4, %diff4_1, %r5#0, %r5#1, %diff5, %diff5_1
      : tensor<2x?x2xf32>, tensor<4x2x2xf32>, tensor<2x3x2xf32>, tensor<4x2x2xf32>, tensor<?x1x1xf32>, tensor<1x1x1xf32>, tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<?x2x2xf32>, tensor<4x2x1xf32>, tensor<3x2x2xf32>, tensor<4x2x1xf32>, tensor<1x?x4xf32>, tensor<2x1x2xf32>, tensor<1x2x4xf32>, tensor<2x1x2xf32>, tensor<?x1x2xf32>, tensor<2x1x2xf32>, tensor<3x1x2xf32>, tensor<2x1x2xf32>
}
