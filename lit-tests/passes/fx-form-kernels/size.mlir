// Kernels do not grow without end: neither by what they compute, nor by what each of many reductions computes again, nor by data
// movement of data movement, whose ways double with each step, nor by values that are computed again at two places.
// RUN: fx-opt %s --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg,canonicalize,cse),fx-form-kernels{recompute=true})' | FileCheck %s

// CHECK-LABEL: func.func @elements
// CHECK-COUNT-2: call @kernel
// CHECK-NOT:     call
func.func @elements(%y0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y1 = fx.tanh %y0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y2 = fx.tanh %y1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y3 = fx.tanh %y2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y4 = fx.tanh %y3 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y5 = fx.tanh %y4 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y6 = fx.tanh %y5 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y7 = fx.tanh %y6 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y8 = fx.tanh %y7 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y9 = fx.tanh %y8 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y10 = fx.tanh %y9 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y11 = fx.tanh %y10 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y12 = fx.tanh %y11 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y13 = fx.tanh %y12 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y14 = fx.tanh %y13 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y15 = fx.tanh %y14 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y16 = fx.tanh %y15 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y17 = fx.tanh %y16 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y17 : tensor<4x6xf32>
}

// Two normalisations after each other are one kernel, eight are not.
// CHECK-LABEL: func.func @two
// CHECK-COUNT-1: call @kernel
// CHECK-NOT:     call
func.func @two(%y0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y1 = fx.softmax %y0 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y2 = fx.softmax %y1 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y2 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @eight
// CHECK-COUNT-2: call @kernel
func.func @eight(%y0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y1 = fx.softmax %y0 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y2 = fx.softmax %y1 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y3 = fx.softmax %y2 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y4 = fx.softmax %y3 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y5 = fx.softmax %y4 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y6 = fx.softmax %y5 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y7 = fx.softmax %y6 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y8 = fx.softmax %y7 dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y8 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @moves
// CHECK-COUNT-2: call @kernel
func.func @moves(%y0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %p0 = fx.slice %y0 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q0 = fx.slice %y0 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f0 = fx.flip %p0 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y1 = fx.cat %q0, %f0 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p1 = fx.slice %y1 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q1 = fx.slice %y1 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f1 = fx.flip %p1 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y2 = fx.cat %q1, %f1 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p2 = fx.slice %y2 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q2 = fx.slice %y2 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f2 = fx.flip %p2 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y3 = fx.cat %q2, %f2 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p3 = fx.slice %y3 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q3 = fx.slice %y3 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f3 = fx.flip %p3 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y4 = fx.cat %q3, %f3 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p4 = fx.slice %y4 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q4 = fx.slice %y4 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f4 = fx.flip %p4 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y5 = fx.cat %q4, %f4 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p5 = fx.slice %y5 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q5 = fx.slice %y5 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f5 = fx.flip %p5 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y6 = fx.cat %q5, %f5 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p6 = fx.slice %y6 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q6 = fx.slice %y6 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f6 = fx.flip %p6 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y7 = fx.cat %q6, %f6 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p7 = fx.slice %y7 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q7 = fx.slice %y7 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f7 = fx.flip %p7 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y8 = fx.cat %q7, %f7 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p8 = fx.slice %y8 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q8 = fx.slice %y8 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f8 = fx.flip %p8 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y9 = fx.cat %q8, %f8 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p9 = fx.slice %y9 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q9 = fx.slice %y9 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f9 = fx.flip %p9 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y10 = fx.cat %q9, %f9 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p10 = fx.slice %y10 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q10 = fx.slice %y10 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f10 = fx.flip %p10 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y11 = fx.cat %q10, %f10 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p11 = fx.slice %y11 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q11 = fx.slice %y11 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f11 = fx.flip %p11 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y12 = fx.cat %q11, %f11 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p12 = fx.slice %y12 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q12 = fx.slice %y12 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f12 = fx.flip %p12 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y13 = fx.cat %q12, %f12 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p13 = fx.slice %y13 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q13 = fx.slice %y13 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f13 = fx.flip %p13 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y14 = fx.cat %q13, %f13 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p14 = fx.slice %y14 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q14 = fx.slice %y14 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f14 = fx.flip %p14 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y15 = fx.cat %q14, %f14 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p15 = fx.slice %y15 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q15 = fx.slice %y15 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f15 = fx.flip %p15 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y16 = fx.cat %q15, %f15 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p16 = fx.slice %y16 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q16 = fx.slice %y16 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f16 = fx.flip %p16 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y17 = fx.cat %q16, %f16 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p17 = fx.slice %y17 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q17 = fx.slice %y17 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f17 = fx.flip %p17 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y18 = fx.cat %q17, %f17 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p18 = fx.slice %y18 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q18 = fx.slice %y18 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f18 = fx.flip %p18 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y19 = fx.cat %q18, %f18 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p19 = fx.slice %y19 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q19 = fx.slice %y19 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f19 = fx.flip %p19 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y20 = fx.cat %q19, %f19 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p20 = fx.slice %y20 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q20 = fx.slice %y20 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f20 = fx.flip %p20 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y21 = fx.cat %q20, %f20 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p21 = fx.slice %y21 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q21 = fx.slice %y21 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f21 = fx.flip %p21 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y22 = fx.cat %q21, %f21 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p22 = fx.slice %y22 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q22 = fx.slice %y22 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f22 = fx.flip %p22 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y23 = fx.cat %q22, %f22 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  %p23 = fx.slice %y23 dim 1 [0] to [3] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %q23 = fx.slice %y23 dim 1 [3] to [6] step [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %f23 = fx.flip %p23 [1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %y24 = fx.cat %q23, %f23 dim 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  return %y24 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @stencils
// CHECK-COUNT-3: call @kernel
func.func @stencils(%y0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s0 = fx.flip %y0 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y1 = fx.add %y0, %s0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s1 = fx.flip %y1 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y2 = fx.add %y1, %s1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s2 = fx.flip %y2 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y3 = fx.add %y2, %s2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s3 = fx.flip %y3 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y4 = fx.add %y3, %s3 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s4 = fx.flip %y4 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y5 = fx.add %y4, %s4 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s5 = fx.flip %y5 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y6 = fx.add %y5, %s5 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s6 = fx.flip %y6 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y7 = fx.add %y6, %s6 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %s7 = fx.flip %y7 [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %y8 = fx.add %y7, %s7 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y8 : tensor<4x6xf32>
}
