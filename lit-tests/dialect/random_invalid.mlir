// Constraints of random ops, by their labels.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @bernoulli_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.bernoulli' op expects 0 <= p <= 1, got 1.5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bernoulli %x p 1.5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @bernoulli_c2(%x: tensor<4xi64>) {
  // expected-error @+2 {{'fx.bernoulli' op expects a float or complex element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.bernoulli %x : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @cauchy_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.cauchy' op expects sigma > 0, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.cauchy %x median 0.0 sigma 0.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dropout_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.dropout' op expects 0 <= p <= 1, got -0.5}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.dropout %x p -0.5 train true : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dropout_c1_nan(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.dropout' op expects 0 <= p <= 1, got NaN}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.dropout %x p 0x7FF8000000000000 train true : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @exponential_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.exponential' op expects lambd > 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.exponential %x lambd -1.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @geometric_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.geometric' op expects 0 < p < 1, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.geometric %x p 1.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @log_normal_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.log_normal' op expects std > 0, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.log_normal %x mean 0.0 std 0.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @multinomial_c1(%x: tensor<2x2x2xf32>) {
  // expected-error @+2 {{'fx.multinomial' op expects an operand of rank 1 or 2, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.multinomial %x [1] replacement true : (tensor<2x2x2xf32>) -> tensor<2x2x1xi64>
  return
}

// -----

func.func @multinomial_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.multinomial' op cannot draw 9 samples from 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.multinomial %x [9] replacement false : (tensor<4x8xf32>) -> tensor<4x9xi64>
  return
}

// -----

func.func @native_dropout_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.native_dropout' op expects 0 <= p <= 1, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %y, %m = fx.native_dropout %x p 2.0 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi1>)
  return
}

// -----

func.func @normal_c1(%x: tensor<4x8xf32>, %s: tensor<7xf32>) {
  // expected-error @+2 {{'fx.normal' op operands do not broadcast: size 8 against 7 in dim 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.normal %x, %s size [] : (tensor<4x8xf32>, tensor<7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @normal_c2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.normal' op expects neither size nor dtype beside a tensor}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.normal %x size [4] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @normal_c2_size(%m: f64) {
  // expected-error @+2 {{'fx.normal' op size: expected sizes of at least 0, got -4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.normal %m size [-4] : (f64) -> tensor<4xf32>
  return
}

// -----

func.func @normal_c3(%m: f64) {
  // expected-error @+2 {{'fx.normal' op expects a float or complex element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.normal %m size [4] as i64 : (f64) -> tensor<4xi64>
  return
}

// -----

func.func @normal_functional_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.normal_functional' op expects std >= 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.normal_functional %x mean 0.0 std -1.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rand_c1() {
  // expected-error @+2 {{'fx.rand' op size: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.rand [-1] : tensor<1xf32>
  return
}

// -----

func.func @rand_c2() {
  // expected-error @+2 {{'fx.rand' op expects a float or complex element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.rand [1] as i1 : tensor<1xi1>
  return
}

// -----

func.func @rand_like_c1(%x: tensor<4xi64>) {
  // expected-error @+2 {{'fx.rand_like' op expects a float or complex element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.rand_like %x : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @randint_c1() {
  // expected-error @+2 {{'fx.randint' op expects low < high, got 3 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randint [3] to [3] size [1] : tensor<1xi64>
  return
}

// -----

func.func @randint_c1_high() {
  // expected-error @+2 {{'fx.randint' op high: expected one number, got a list of 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randint [3] to [] size [1] : tensor<1xi64>
  return
}

// -----

func.func @randint_c2() {
  // expected-error @+2 {{'fx.randint' op expects an element type that is not complex}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randint [] to [3] size [1] as complex<f32> : tensor<1xcomplex<f32>>
  return
}

// -----

func.func @randint_like_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.randint_like' op expects low < high, got 0 and 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randint_like %x [] to [0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @randint_like_c2(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+2 {{'fx.randint_like' op expects an element type that is not complex}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randint_like %x [] to [2] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @randn_c1() {
  // expected-error @+2 {{'fx.randn' op size: expected sizes of at least 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randn [-1] : tensor<1xf32>
  return
}

// -----

func.func @randn_c2() {
  // expected-error @+2 {{'fx.randn' op expects a float or complex element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randn [1] as i1 : tensor<1xi1>
  return
}

// -----

func.func @randn_like_c1(%x: tensor<4xi64>) {
  // expected-error @+2 {{'fx.randn_like' op expects a float or complex element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randn_like %x : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// -----

func.func @randperm_c1() {
  // expected-error @+2 {{'fx.randperm' op expects n >= 0, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randperm [-1] : tensor<1xi64>
  return
}

// -----

func.func @randperm_c2() {
  // expected-error @+2 {{'fx.randperm' op expects an element type that is not complex}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.randperm [1] as complex<f64> : tensor<1xcomplex<f64>>
  return
}

// -----

func.func @rrelu_with_noise_functional_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.rrelu_with_noise_functional' op expects lower <= upper}}
  // expected-error @+1 {{failed to infer returned types}}
  %y, %o = fx.rrelu_with_noise_functional %x, %x training true {lower = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @rrelu_with_noise_functional_c2(%x: tensor<4xf32>, %n: tensor<5xf32>) {
  // expected-error @+2 {{'fx.rrelu_with_noise_functional' op expects 'noise' to have the type of 'input'}}
  // expected-error @+1 {{failed to infer returned types}}
  %y, %o = fx.rrelu_with_noise_functional %x, %n training true : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @uniform_c1(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'fx.uniform' op expects from <= to, got 1 and 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.uniform %x from 1.0 to 0.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
