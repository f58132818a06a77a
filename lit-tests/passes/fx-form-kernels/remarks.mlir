// A value between kernels has a remark that says why it is there, with a note at its reader. Each reason once.
// RUN: fx-opt %s -verify-diagnostics -o /dev/null --pass-pipeline='builtin.module(func.func(fx-decompose,convert-fx-to-linalg{scatter-in-kernels=true sort-in-kernels=true},canonicalize,cse),fx-form-kernels{reorder-weights=true scatters=true sorts=true remarks=true})'

// One kernel: nothing to say.
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = fx.softmax %x dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @space(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark @below {{its reader works on another iteration space}}
  %e = fx.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  // expected-note @below {{the reader}}
  %r = fx.add %e, %y : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{a function of the host makes or reads it}}
  // expected-remark @below {{the host reads what its kernel gives before its reader can start}}
  %e = fx.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{a function of the host makes or reads it}}
  %s, %i = fx.mode %e dim 0 {keepdim = true} : (tensor<8xf32>) -> (tensor<1xf32>, tensor<1xi64>)
  // expected-note @below {{the reader}}
  %y = fx.add %s, %e : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

func.func @control_flow(%zero: tensor<4xf32>, %x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-remark @below {{control flow, which the host runs, makes or reads it}}
  %e = fx.exp %zero : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{control flow, which the host runs, makes or reads it}}
  %s:2 = fx.scan init(%e) xs(%x) : (tensor<4xf32>, tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  ^bb0(%carry: tensor<4xf32>, %row: tensor<4xf32>):
    %next = fx.add %carry, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    fx.yield %next, %next : tensor<4xf32>, tensor<4xf32>
  }
  // expected-note @below {{the reader}}
  %y = fx.exp %s#1 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

func.func @checks(%x: tensor<8x4xf32>, %i: tensor<6xi64>) -> tensor<3x4xf32> {
  // expected-remark @below {{each of its indices is checked, and its reader may not read all of it}}
  %a = fx.index_select %x, %i dim 0 : (tensor<8x4xf32>, tensor<6xi64>) -> tensor<6x4xf32>
  %s = fx.slice %a dim 0 [0] to [3] step [1] : (tensor<6x4xf32>) -> tensor<3x4xf32>
  // expected-note @below {{the reader}}
  %e = fx.exp %s : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %e : tensor<3x4xf32>
}

func.func @weights(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}) -> tensor<4x8xf32> {
  // expected-remark @below {{it is a parameter, copied once into the order in which its reader wants it}}
  %t = fx.permute %w [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @below {{the reader}}
  %y = fx.mm %x, %t : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @products(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{its reader is a product or moves a window, and reads elements more than once: computing them again would cost more than storing them}}
  %e = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{it is made by a product or a window, and its reader reduces it}}
  %p = fx.mm %e, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{the reader}}
  %s = fx.sum %p dim [1] : (tensor<4x4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

func.func @reduced_dims(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<f32>) {
  // expected-remark @below {{its reader reduces other dims than its own kernel does}}
  %e = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = fx.amax %e dim [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  // expected-note @below {{the reader}}
  %s = fx.sum %e dim [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %r, %s : tensor<4xf32>, tensor<f32>
}

func.func @order(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{its reader goes through it in another order of dims}}
  %e = fx.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-note @below {{the reader}}
  %s = fx.sum %e dim [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// A kernel of the exponentials and the sum would wait for the product, which waits for the exponentials.
func.func @moved(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{its reader is a product or moves a window, and reads elements more than once: computing them again would cost more than storing them}}
  // expected-remark @below {{one kernel would wait for another one that waits for it}}
  %e = fx.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{data movement before its reader (a reshape, transpose, slice, join or lookup) changes places of elements}}
  %p = fx.mm %e, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = fx.permute %p [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{the reader}}
  %y = fx.add %e, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

func.func @other_kernel(%x: tensor<4x4xf32>, %v: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{its reader is in the kernel of another operand, and kernels are not merged}}
  %p = fx.mm %x, %v : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = fx.mm %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{the reader}}
  %y = fx.add %p, %q : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

func.func @computed_places(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32> {
  // expected-remark @below {{its reader computes the places at which it reads it}}
  %e = fx.exp %x : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  // expected-note @below {{the reader}}
  %y = fx.upsample_bilinear2d %e output_size [8, 8] {align_corners = false} : (tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32>
  return %y : tensor<1x3x8x8xf32>
}

func.func @scatters(%x: tensor<4x6xf32>, %i: tensor<4xi64>) -> tensor<4x6xf32> {
  // expected-remark @below {{its reader writes over it at computed places, so all of it must be there before}}
  %e = fx.cos %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{its kernel writes it at computed places, so it is there when that kernel has ended}}
  %y = fx.index_add %e, %i, %x dim 0 : (tensor<4x6xf32>, tensor<4xi64>, tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-note @below {{the reader}}
  %z = fx.sin %y : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %z : tensor<4x6xf32>
}

func.func @sorts(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-remark @below {{one of them sorts rows, beside which a kernel only computes elements, each from what is in memory}}
  %s = fx.cumsum %x dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-note @below {{the reader}}
  // expected-remark @below {{one of them sorts rows, beside which a kernel only computes elements, each from what is in memory}}
  %y, %i = fx.sort %s dim 1 : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xi64>)
  // expected-note @below {{the reader}}
  %z = fx.sin %y : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %z : tensor<4x6xf32>
}

func.func @walk(%x: tensor<4x6xf32>) -> tensor<4x1xf32> {
  // expected-remark @below {{one of them walks along rows step by step, and the other needs whole rows, or walks along other ones}}
  %s = fx.cumsum %x dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-note @below {{the reader}}
  %y = fx.amax %s dim [1] {keepdim = true} : (tensor<4x6xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}

func.func @too_much(%y0: tensor<4x6xf32>) -> tensor<4x6xf32> {
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
  // expected-remark @below {{one kernel would be too large, or compute its elements again for too many reductions}}
  %y15 = fx.tanh %y14 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-note @below {{the reader}}
  %y16 = fx.tanh %y15 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y16 : tensor<4x6xf32>
}
