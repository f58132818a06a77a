// Constraints of the matrix ops, each test named by its label.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @mm_c1(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+2 {{expects 'mat2' of rank 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.mm %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @mm_c2(%a: tensor<4x8xf32>, %b: tensor<7x3xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.mm %a, %b : (tensor<4x8xf32>, tensor<7x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @mm_c3(%a: tensor<4x8xf32>, %b: tensor<8x3xf16>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.mm %a, %b : (tensor<4x8xf32>, tensor<8x3xf16>) -> tensor<4x3xf32>
  return
}

// -----

func.func @bmm_c1(%a: tensor<4x8xf32>, %b: tensor<5x8x3xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bmm %a, %b : (tensor<4x8xf32>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @bmm_c2(%a: tensor<4x4x8xf32>, %b: tensor<5x8x3xf32>) {
  // expected-error @+2 {{batch in dim 0: expected equal sizes, got 4 and 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bmm %a, %b : (tensor<4x4x8xf32>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @bmm_c3(%a: tensor<5x4x8xi64>, %b: tensor<5x8x3xf32>) {
  // expected-error @+2 {{expects operands of one element type, got 'i64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bmm %a, %b : (tensor<5x4x8xi64>, tensor<5x8x3xf32>) -> tensor<5x4x3xf32>
  return
}

// -----

func.func @mv_c1(%a: tensor<4x8xf32>, %v: tensor<8x1xf32>) {
  // expected-error @+2 {{expects 'vec' of rank 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.mv %a, %v : (tensor<4x8xf32>, tensor<8x1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mv_c2(%a: tensor<4x8xf32>, %v: tensor<7xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.mv %a, %v : (tensor<4x8xf32>, tensor<7xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mv_c3(%a: tensor<4x8xf32>, %v: tensor<8xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.mv %a, %v : (tensor<4x8xf32>, tensor<8xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @dot_c1(%a: tensor<8xf32>, %b: tensor<7xf32>) {
  // expected-error @+2 {{size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.dot %a, %b : (tensor<8xf32>, tensor<7xf32>) -> tensor<f32>
  return
}

// -----

func.func @dot_c2(%a: tensor<8xf32>, %b: tensor<8xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.vdot %a, %b : (tensor<8xf32>, tensor<8xf64>) -> tensor<f32>
  return
}

// -----

func.func @matmul_c1(%a: tensor<f32>, %b: tensor<8xf32>) {
  // expected-error @+2 {{expects 'input' of rank 1 or more, got rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.matmul %a, %b : (tensor<f32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<4x8xf32>, %b: tensor<7xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.matmul %a, %b : (tensor<4x8xf32>, tensor<7xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @matmul_c3(%a: tensor<2x4x8xf32>, %b: tensor<3x8x5xf32>) {
  // expected-error @+2 {{operands do not broadcast: size 2 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.matmul %a, %b : (tensor<2x4x8xf32>, tensor<3x8x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c4(%a: tensor<4x8xf32>, %b: tensor<8xi32>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.matmul %a, %b : (tensor<4x8xf32>, tensor<8xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @outer_c1(%a: tensor<4x1xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{expects 'input' of rank 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.outer %a, %b : (tensor<4x1xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @inner_c1(%a: tensor<2x8xf32>, %b: tensor<3x7xf32>) {
  // expected-error @+2 {{last size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.inner %a, %b : (tensor<2x8xf32>, tensor<3x7xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @inner_c2(%a: tensor<2x8xf32>, %b: tensor<3x8xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.inner %a, %b : (tensor<2x8xf32>, tensor<3x8xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @tensordot_c1(%a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error @+2 {{expects 'dims_self' and 'dims_other' of one length, got 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tensordot %a, %b dims [1], [0, 1] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @tensordot_c1_twice(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+2 {{dim 1 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tensordot %a, %b dims [1, 1], [0, 1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @tensordot_c2(%a: tensor<4x8xf32>, %b: tensor<7x3xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tensordot %a, %b dims [1], [0] : (tensor<4x8xf32>, tensor<7x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @tensordot_c3(%a: tensor<4x8xf32>, %b: tensor<8x3xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.tensordot %a, %b dims [1], [0] : (tensor<4x8xf32>, tensor<8x3xf64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @int_mm_c1(%a: tensor<4x8xi8>, %b: tensor<7x3xi8>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.int_mm %a, %b : (tensor<4x8xi8>, tensor<7x3xi8>) -> tensor<4x3xi32>
  return
}

// -----

func.func @cross_c1(%a: tensor<4x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{expects operands of one rank, got 2 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cross %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @cross_c2(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+2 {{size of the crossed dim: expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cross %a, %b {dim = 0 : i64} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @cross_c2_none(%a: tensor<4x5xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+2 {{expects a dim of size 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cross %a, %b : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @addmm_c1(%c: tensor<3xf32>, %a: tensor<4x8xf32>, %b: tensor<7x3xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addmm %c, %a, %b : (tensor<3xf32>, tensor<4x8xf32>, tensor<7x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addmm_c2(%c: tensor<4xf32>, %a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error @+2 {{'input' in dim 0: expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addmm %c, %a, %b : (tensor<4xf32>, tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addmm_c3(%c: tensor<3xf64>, %a: tensor<4x8xf32>, %b: tensor<8x3xf32>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addmm %c, %a, %b : (tensor<3xf64>, tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addbmm_c1(%c: tensor<3xf32>, %a: tensor<5x4x8xf32>, %b: tensor<6x8x3xf32>) {
  // expected-error @+2 {{batch in dim 0: expected equal sizes, got 5 and 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addbmm %c, %a, %b : (tensor<3xf32>, tensor<5x4x8xf32>, tensor<6x8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addbmm_c2(%c: tensor<1x1x3xf32>, %a: tensor<5x4x8xf32>, %b: tensor<5x8x3xf32>) {
  // expected-error @+2 {{expects 'input' of rank 2 or less, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addbmm %c, %a, %b : (tensor<1x1x3xf32>, tensor<5x4x8xf32>, tensor<5x8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addbmm_c3(%c: tensor<3xi64>, %a: tensor<5x4x8xf32>, %b: tensor<5x8x3xf32>) {
  // expected-error @+2 {{expects operands of one element type, got 'i64' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addbmm %c, %a, %b : (tensor<3xi64>, tensor<5x4x8xf32>, tensor<5x8x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addmv_c1(%c: tensor<4xf32>, %a: tensor<4x8xf32>, %v: tensor<7xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addmv %c, %a, %v : (tensor<4xf32>, tensor<4x8xf32>, tensor<7xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @addmv_c2(%c: tensor<3xf32>, %a: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error @+2 {{'input' in dim 0: expected equal sizes, got 3 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addmv %c, %a, %v : (tensor<3xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @addmv_c3(%c: tensor<4xf32>, %a: tensor<4x8xf32>, %v: tensor<8xf16>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addmv %c, %a, %v : (tensor<4xf32>, tensor<4x8xf32>, tensor<8xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @addr_c1(%c: tensor<f32>, %a: tensor<4xf32>, %b: tensor<3x1xf32>) {
  // expected-error @+2 {{expects 'vec2' of rank 1, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addr %c, %a, %b : (tensor<f32>, tensor<4xf32>, tensor<3x1xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @addr_c2(%c: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<3xf32>) {
  // expected-error @+2 {{'input' in dim 0: expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.addr %c, %a, %b : (tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @linear_c1(%x: tensor<f32>, %w: tensor<8xf32>) {
  // expected-error @+2 {{expects 'input' of rank 1 or more, got rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linear %x, %w : (tensor<f32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

func.func @linear_c2(%x: tensor<2x7xf32>, %w: tensor<3x8xf32>) {
  // expected-error @+2 {{contracted size: expected equal sizes, got 7 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linear %x, %w : (tensor<2x7xf32>, tensor<3x8xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @linear_c3(%x: tensor<2x8xf32>, %w: tensor<3x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+2 {{'bias' in dim 0: expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linear %x, %w, %b : (tensor<2x8xf32>, tensor<3x8xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @linear_c4(%x: tensor<2x8xf32>, %w: tensor<3x8xbf16>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'bf16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linear %x, %w : (tensor<2x8xf32>, tensor<3x8xbf16>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bilinear_c1(%x: tensor<2x4xf32>, %v: tensor<5xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+2 {{expects 'input2' of rank 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bilinear %x, %v, %w : (tensor<2x4xf32>, tensor<5xf32>, tensor<3x4x5xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bilinear_c2(%x: tensor<2x4xf32>, %v: tensor<3x5xf32>, %w: tensor<3x4x5xf32>) {
  // expected-error @+2 {{inputs in dim 0: expected equal sizes, got 2 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bilinear %x, %v, %w : (tensor<2x4xf32>, tensor<3x5xf32>, tensor<3x4x5xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bilinear_c3(%x: tensor<2x4xf32>, %v: tensor<2x5xf32>, %w: tensor<3x4x5xf32>, %b: tensor<2xf32>) {
  // expected-error @+2 {{'bias' in dim 0: expected equal sizes, got 2 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bilinear %x, %v, %w, %b : (tensor<2x4xf32>, tensor<2x5xf32>, tensor<3x4x5xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bilinear_c4(%x: tensor<2x4xf32>, %v: tensor<2x5xf64>, %w: tensor<3x4x5xf32>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bilinear %x, %v, %w : (tensor<2x4xf32>, tensor<2x5xf64>, tensor<3x4x5xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @trilinear_c1(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+2 {{expects operands of one rank after expansion, got 2, 1 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.trilinear %a, %b, %c {expand1 = array<i64: 0>, expand2 = array<i64>, expand3 = array<i64>, sumdim = array<i64>} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @trilinear_c2(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) {
  // expected-error @+2 {{operands do not broadcast: size 2 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.trilinear %a, %b, %c {expand1 = array<i64>, expand2 = array<i64>, expand3 = array<i64>, sumdim = array<i64>} : (tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @trilinear_c3(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+2 {{dim 1 is out of range for an operand of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.trilinear %a, %b, %c {expand1 = array<i64>, expand2 = array<i64>, expand3 = array<i64>, sumdim = array<i64: 1>} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_c1(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has an equation for 2 operands, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "ij,jk" %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @einsum_c1_letter(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has an equation with '1', expected letters and '...'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "i1" %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @einsum_c1_ellipsis(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has an equation with more than one '...' for an operand}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "...i..." %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @einsum_c2(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has an equation with 3 letters for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "ijk" %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @einsum_c2_less(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has an equation with 1 letters for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "i" %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @einsum_c3(%a: tensor<4x8xf32>, %b: tensor<7x3xf32>) {
  // expected-error @+2 {{sizes of 'j': expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "ij,jk" %a, %b : (tensor<4x8xf32>, tensor<7x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @einsum_c3_diagonal(%a: tensor<1x8xf32>) {
  // expected-error @+2 {{sizes of 'i': expected equal sizes, got 1 and 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "ii" %a : (tensor<1x8xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_c4(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has 'k' in the result of the equation, but in no operand}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "ij->ik" %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @einsum_c4_twice(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{has 'i' twice in the result of the equation}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.einsum "ij->ii" %a : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @cdist_c1(%a: tensor<4x2xf32>, %b: tensor<6x3xf32>) {
  // expected-error @+2 {{last size: expected equal sizes, got 2 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cdist %a, %b : (tensor<4x2xf32>, tensor<6x3xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @cdist_c2(%a: tensor<2x4x2xf32>, %b: tensor<3x6x2xf32>) {
  // expected-error @+2 {{operands do not broadcast: size 2 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cdist %a, %b : (tensor<2x4x2xf32>, tensor<3x6x2xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @cdist_c3(%a: tensor<4x2xf32>, %b: tensor<6x2xf32>) {
  // expected-error @+2 {{expects 'p' not to be negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cdist %a, %b {p = -1.0 : f64} : (tensor<4x2xf32>, tensor<6x2xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @cdist_c3_mode(%a: tensor<4x2xf32>, %b: tensor<6x2xf32>) {
  // expected-error @+2 {{expects 'compute_mode' in [0, 2], got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cdist %a, %b {compute_mode = 3 : i64} : (tensor<4x2xf32>, tensor<6x2xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @cdist_backward_c1(%g: tensor<4x5xf32>, %a: tensor<4x2xf32>, %b: tensor<6x2xf32>, %d: tensor<4x6xf32>) {
  // expected-error @+2 {{'grad' in dim 1: expected equal sizes, got 5 and 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cdist_backward %g, %a, %b, %d {p = 2.0 : f64} : (tensor<4x5xf32>, tensor<4x2xf32>, tensor<6x2xf32>, tensor<4x6xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @pdist_c1(%x: tensor<5xf32>) {
  // expected-error @+2 {{expects 'input' of rank 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pdist %x : (tensor<5xf32>) -> tensor<10xf32>
  return
}

// -----

func.func @pdist_c2(%x: tensor<5x2xf32>) {
  // expected-error @+2 {{expects 'p' not to be negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.pdist %x {p = -0.5 : f64} : (tensor<5x2xf32>) -> tensor<10xf32>
  return
}

// -----

func.func @fft_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{expects 'dim' to name at least one dim of 'input'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.fft_r2c %x dim [] {onesided = true} : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  return
}

// -----

func.func @fft_c1_twice(%x: tensor<4x8xcomplex<f32>>) {
  // expected-error @+2 {{dim 1 appears more than once in the list of dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.fft_c2c %x dim [1, -1] {forward = true} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{expects 'normalization' to be 0, 1 or 2, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.fft_r2c %x dim [0] {normalization = 3 : i64, onesided = true} : (tensor<4x8xf32>) -> tensor<3x8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2r_c3(%x: tensor<4x5xcomplex<f32>>) {
  // expected-error @+2 {{expects 'last_dim_size' to be one positive size}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.fft_c2r %x dim [1] last_dim_size [0] : (tensor<4x5xcomplex<f32>>) -> tensor<4x0xf32>
  return
}

// -----

func.func @rnn_c1(%x: tensor<6x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<64x48xf32>, %b: tensor<64x64xf32>) {
  // expected-error @+2 {{expects 'input' of rank 3, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.rnn_tanh %x, %h params(%a, %b) {batch_first = false, bidirectional = false, dropout = 0.0 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<6x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>) -> (tensor<6x64xf32>, tensor<1x3x64xf32>)
  return
}

// -----

func.func @rnn_c2(%x: tensor<6x4x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<64x48xf32>, %b: tensor<64x64xf32>) {
  // expected-error @+2 {{batch of 'input' and 'hx': expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.rnn_tanh %x, %h params(%a, %b) {batch_first = false, bidirectional = false, dropout = 0.0 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<6x4x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>)
  return
}

// -----

func.func @rnn_c2_layers(%x: tensor<6x3x48xf32>, %h: tensor<2x3x64xf32>, %a: tensor<64x48xf32>, %b: tensor<64x64xf32>) {
  // expected-error @+2 {{slices of 'hx': expected equal sizes, got 2 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.gru %x, %h params(%a, %b) {batch_first = false, bidirectional = false, dropout = 0.0 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<6x3x48xf32>, tensor<2x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>) -> (tensor<6x3x64xf32>, tensor<2x3x64xf32>)
  return
}

// -----

func.func @rnn_c3(%x: tensor<6x3x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<64x48xf32>) {
  // expected-error @+2 {{expects 2 tensors in 'params', got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.rnn_relu %x, %h params(%a) {batch_first = false, bidirectional = false, dropout = 0.0 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<6x3x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>)
  return
}

// -----

func.func @rnn_c4(%x: tensor<6x3x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<64x48xf32>, %b: tensor<64x64xf32>) {
  // expected-error @+2 {{expects 'dropout' in [0, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.rnn_relu %x, %h params(%a, %b) {batch_first = false, bidirectional = false, dropout = 1.5 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<6x3x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>)
  return
}

// -----

func.func @rnn_c4_layers(%x: tensor<6x3x48xf32>, %h: tensor<1x3x64xf32>, %a: tensor<64x48xf32>, %b: tensor<64x64xf32>) {
  // expected-error @+2 {{expects 'num_layers' in [1, 2^31), got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.rnn_relu %x, %h params(%a, %b) {batch_first = false, bidirectional = false, dropout = 0.0 : f64, has_biases = false, num_layers = 0 : i64, train = false} : (tensor<6x3x48xf32>, tensor<1x3x64xf32>, tensor<64x48xf32>, tensor<64x64xf32>) -> (tensor<6x3x64xf32>, tensor<1x3x64xf32>)
  return
}

// -----

func.func @lstm_c5(%x: tensor<5x2x3xf32>, %h: tensor<1x2x4xf32>, %a: tensor<16x3xf32>, %b: tensor<16x4xf32>) {
  // expected-error @+2 {{expects two tensors in 'hx', got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:3 = fx.lstm %x hx(%h) params(%a, %b) {batch_first = false, bidirectional = false, dropout = 0.0 : f64, has_biases = false, num_layers = 1 : i64, train = false} : (tensor<5x2x3xf32>, tensor<1x2x4xf32>, tensor<16x3xf32>, tensor<16x4xf32>) -> (tensor<5x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @linalg_c1(%A: tensor<4xf32>) {
  // expected-error @+2 {{expects 'A' of rank 2 or more, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:3 = fx.linalg_svd %A : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @linalg_c2(%A: tensor<4x5xf32>) {
  // expected-error @+2 {{rows and columns of 'A': expected equal sizes, got 4 and 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linalg_inv %A : (tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @linalg_qr_c3(%A: tensor<4x4xf32>) {
  // expected-error @+2 {{expects 'mode' to be "reduced", "complete" or "r", got "full"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.linalg_qr %A {mode = "full"} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

func.func @linalg_eigh_c3(%A: tensor<4x4xf32>) {
  // expected-error @+2 {{expects 'UPLO' to be "L" or "U", got "X"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y:2 = fx.linalg_eigh %A {UPLO = "X"} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>)
  return
}

// -----

func.func @linalg_solve_c3(%A: tensor<4x4xf32>, %B: tensor<5x3xf32>) {
  // expected-error @+2 {{sizes of 'A' and 'B': expected equal sizes, got 4 and 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linalg_solve %A, %B : (tensor<4x4xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @linalg_solve_c3_vector(%A: tensor<4x4xf32>, %B: tensor<4xf32>) {
  // expected-error @+2 {{expects 'B' to be a matrix without 'left'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linalg_solve %A, %B {left = false} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @linalg_solve_c4(%A: tensor<4x4xf32>, %B: tensor<4x3xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linalg_solve %A, %B : (tensor<4x4xf32>, tensor<4x3xf64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @linalg_solve_triangular_c3(%A: tensor<2x4x4xf32>, %B: tensor<3x4x3xf32>) {
  // expected-error @+2 {{operands do not broadcast: size 2 against 3 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linalg_solve_triangular %A, %B {upper = true} : (tensor<2x4x4xf32>, tensor<3x4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @linalg_solve_triangular_c4(%A: tensor<4x4xf32>, %B: tensor<4x3xf64>) {
  // expected-error @+2 {{expects operands of one element type, got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linalg_solve_triangular %A, %B {upper = true} : (tensor<4x4xf32>, tensor<4x3xf64>) -> tensor<4x3xf32>
  return
}
