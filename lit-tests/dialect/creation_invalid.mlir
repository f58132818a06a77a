// Constraints of joining, conversion and creation, by their labels.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @cat_c1(%x: tensor<f32>) {
  // expected-error @+2 {{'fx.cat' op expects tensors of rank 1 or more, got rank 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cat %x dim 0 : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @cat_c1_none() {
  // expected-error @+2 {{'fx.cat' op expects at least one tensor}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = "fx.cat"() {dim = 0 : i64} : () -> tensor<0xf32>
  return
}

// -----

func.func @cat_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.cat' op dim 2 is out of range for an operand of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cat %x, %x dim 2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @cat_c2_rank(%x: tensor<4x8xf32>, %a: tensor<4xf32>) {
  // expected-error @+2 {{'fx.cat' op expects tensors of one rank, got ranks 2 and 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cat %x, %a dim 0 : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @cat_c3(%x: tensor<4x8xf32>, %a: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.cat' op dim 1: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cat %x, %a dim 0 : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @stack_c1(%x: tensor<4x8xf32>, %a: tensor<4x7xf32>) {
  // expected-error @+2 {{'fx.stack' op dim 1: expected equal sizes, got 8 and 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.stack %x, %a dim 0 : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<2x4x8xf32>
  return
}

// -----

func.func @stack_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.stack' op dim 3 is out of range for an operand of rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.stack %x dim 3 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
  return
}

// -----

func.func @copy_c1(%x: tensor<4x8xf32>, %s: tensor<2x4x8xf32>) {
  // expected-error @+2 {{'fx.copy' op expects 'src' to broadcast to the shape of 'input'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.copy %x, %s : (tensor<4x8xf32>, tensor<2x4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @fill_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.fill' op expects 'value' to be a number or a tensor of rank 0, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.fill %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @resize_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.resize' op size: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.resize %x [-1] : (tensor<4x8xf32>) -> tensor<32xf32>
  return
}

// -----

func.func @to_copy_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.to_copy' op dtype 'tensor<f32>' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.to_copy %x as tensor<f32> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @complex_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+2 {{'fx.complex' op expects both parts to have the same element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.complex %a, %b : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @complex_c2(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+2 {{'fx.complex' op operands do not broadcast: size 4 against 5 in dim 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.complex %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @view_as_complex_c1(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'fx.view_as_complex' op expects a last size of 2, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.view_as_complex %x : (tensor<4x3xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @arange_c1(%b: i64) {
  %a = arith.constant 0 : i64
  %c = arith.constant 5 : i64
  // expected-error @+2 {{'fx.arange' op expects a step other than 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.arange %a to %c step %a : (i64, i64, i64) -> tensor<?xi64>
  return
}

// -----

func.func @arange_c2() {
  %a = arith.constant 0 : i64
  %c = arith.constant 5 : i64
  // expected-error @+2 {{'fx.arange' op a step of 1 does not lead from 5 to 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.arange %c to %a : (i64, i64) -> tensor<?xi64>
  return
}

// -----

func.func @arange_c3(%a: complex<f64>) {
  // expected-error @+2 {{'fx.arange' op expects real numbers}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.arange %a to %a : (complex<f64>, complex<f64>) -> tensor<?xf32>
  return
}

// -----

func.func @empty_c1() {
  // expected-error @+2 {{'fx.empty' op size: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.empty [-1] : tensor<1xf32>
  return
}

// -----

func.func @empty_like_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.empty_like' op dtype 'index' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.empty_like %x as index : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @eye_c1() {
  // expected-error @+2 {{'fx.eye' op size -1 is negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.eye [4] by [-1] : tensor<4x4xf32>
  return
}

// -----

func.func @eye_c2() {
  // expected-error @+2 {{'fx.eye' op dtype 'ui32' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.eye [4] by [] as ui32 : tensor<4x4xf32>
  return
}

// -----

func.func @full_c1(%v: f64) {
  // expected-error @+2 {{'fx.full' op size: expected sizes of at least 0, got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.full [-2] %v : (f64) -> tensor<2xf32>
  return
}

// -----

func.func @full_c2(%v: tensor<1xf32>) {
  // expected-error @+2 {{'fx.full' op expects 'fill_value' to be a number or a tensor of rank 0, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.full [2] %v : (tensor<1xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @full_like_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.full_like' op expects 'fill_value' to be a number or a tensor of rank 0, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.full_like %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @full_like_c2(%x: tensor<4x8xf32>, %v: i64) {
  // expected-error @+2 {{'fx.full_like' op dtype 'i7' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.full_like %x, %v as i7 : (tensor<4x8xf32>, i64) -> tensor<4x8xf32>
  return
}

// -----

func.func @iota_c1() {
  // expected-error @+2 {{'fx.iota' op length -1 is negative}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.iota [-1] from [0] step [1] as i64 : tensor<1xi64>
  return
}

// -----

func.func @iota_c2() {
  // expected-error @+2 {{'fx.iota' op expects an integer dtype}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.iota [1] from [0] step [1] as f32 : tensor<1xf32>
  return
}

// -----

func.func @linspace_c1(%v: f64) {
  // expected-error @+2 {{'fx.linspace' op expects a number of steps of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linspace %v to %v steps -1 : (f64, f64) -> tensor<1xf32>
  return
}

// -----

func.func @linspace_c2(%v: tensor<1xf32>) {
  // expected-error @+2 {{'fx.linspace' op expects 'start' to be a number or a tensor of rank 0, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linspace %v to %v steps 1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @linspace_c3(%v: f64) {
  // expected-error @+2 {{'fx.linspace' op dtype 'none' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.linspace %v to %v steps 1 as none : (f64, f64) -> tensor<1xf32>
  return
}

// -----

func.func @logspace_c1(%v: f64) {
  // expected-error @+2 {{'fx.logspace' op expects a number of steps of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.logspace %v to %v steps -1 base 1.0 : (f64, f64) -> tensor<1xf32>
  return
}

// -----

func.func @logspace_c2(%v: tensor<1xf32>) {
  // expected-error @+2 {{'fx.logspace' op expects 'start' to be a number or a tensor of rank 0, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.logspace %v to %v steps 1 base 1.0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @logspace_c3(%v: f64) {
  // expected-error @+2 {{'fx.logspace' op dtype 'none' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.logspace %v to %v steps 1 base 1.0 as none : (f64, f64) -> tensor<1xf32>
  return
}

// -----

func.func @new_empty_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.new_empty' op size: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.new_empty %x [-1] : (tensor<4x8xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @new_full_c1(%x: tensor<4x8xf32>, %v: f64) {
  // expected-error @+2 {{'fx.new_full' op size: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.new_full %x [-1], %v : (tensor<4x8xf32>, f64) -> tensor<1xf32>
  return
}

// -----

func.func @new_full_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.new_full' op expects 'fill_value' to be a number or a tensor of rank 0, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.new_full %x [1], %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @scalar_tensor_c1(%v: f64) {
  // expected-error @+2 {{'fx.scalar_tensor' op dtype 'i2' is not an element type of fx tensors}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.scalar_tensor %v as i2 : (f64) -> tensor<f32>
  return
}
