// Random ops print as they parse.
// RUN: fx-opt %s | fx-opt | FileCheck %s

// CHECK-LABEL: func.func @bernoulli(
// CHECK:   %{{.*}} = fx.bernoulli %{{.*}} p 5.000000e-01 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @bernoulli(%x: tensor<4x8xf32>) {
  %y = fx.bernoulli %x p 5.000000e-01 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @bernoulli_of_probabilities(
// CHECK:   %{{.*}} = fx.bernoulli %{{.*}} : (tensor<?xf32>) -> tensor<?xf32>
func.func @bernoulli_of_probabilities(%x: tensor<?xf32>) {
  %y = fx.bernoulli %x : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @cauchy(
// CHECK:   %{{.*}} = fx.cauchy %{{.*}} median 1.000000e+00 sigma 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @cauchy(%x: tensor<4x8xf32>) {
  %y = fx.cauchy %x median 1.000000e+00 sigma 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @dropout(
// CHECK:   %{{.*}} = fx.dropout %{{.*}} p 1.000000e-01 train true : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @dropout(%x: tensor<4x8xf32>) {
  %y = fx.dropout %x p 1.000000e-01 train true : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @exponential(
// CHECK:   %{{.*}} = fx.exponential %{{.*}} lambd 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @exponential(%x: tensor<4x8xf32>) {
  %y = fx.exponential %x lambd 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @geometric(
// CHECK:   %{{.*}} = fx.geometric %{{.*}} p 2.500000e-01 : (tensor<4xi64>) -> tensor<4xi64>
func.func @geometric(%x: tensor<4xi64>) {
  %y = fx.geometric %x p 2.500000e-01 : (tensor<4xi64>) -> tensor<4xi64>
  return
}

// CHECK-LABEL: func.func @log_normal(
// CHECK:   %{{.*}} = fx.log_normal %{{.*}} mean 1.000000e+00 std 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @log_normal(%x: tensor<4x8xf32>) {
  %y = fx.log_normal %x mean 1.000000e+00 std 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @multinomial(
// CHECK:   %{{.*}} = fx.multinomial %{{.*}} [3] replacement false : (tensor<2x8xf32>) -> tensor<2x3xi64>
func.func @multinomial(%x: tensor<2x8xf32>) {
  %y = fx.multinomial %x [3] replacement false : (tensor<2x8xf32>) -> tensor<2x3xi64>
  return
}

// CHECK-LABEL: func.func @multinomial_unknown(
// CHECK:   %{{.*}} = fx.multinomial %{{.*}} [%{{.*}}] replacement true : (tensor<?xf32>) -> tensor<?xi64>
func.func @multinomial_unknown(%x: tensor<?xf32>, %n: index) {
  %y = fx.multinomial %x [%n] replacement true : (tensor<?xf32>) -> tensor<?xi64>
  return
}

// CHECK-LABEL: func.func @native_dropout(
// CHECK:   %{{.*}}, %{{.*}} = fx.native_dropout %{{.*}} p 1.000000e-01 train true : (tensor<4x?xf16>) -> (tensor<4x?xf16>, tensor<4x?xi1>)
func.func @native_dropout(%x: tensor<4x?xf16>) {
  %y, %m = fx.native_dropout %x p 1.000000e-01 train true : (tensor<4x?xf16>) -> (tensor<4x?xf16>, tensor<4x?xi1>)
  return
}

// CHECK-LABEL: func.func @normal_tensors(
// CHECK:   %{{.*}} = fx.normal %{{.*}}, %{{.*}} size [] : (tensor<4x1xf32>, tensor<8xf64>) -> tensor<4x8xf32>
func.func @normal_tensors(%m: tensor<4x1xf32>, %s: tensor<8xf64>) {
  %y = fx.normal %m, %s size [] : (tensor<4x1xf32>, tensor<8xf64>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @normal_default_std(
// CHECK:   %{{.*}} = fx.normal %{{.*}} size [] : (tensor<4xf32>) -> tensor<4xf32>
func.func @normal_default_std(%m: tensor<4xf32>) {
  %y = fx.normal %m size [] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @normal_numbers(
// CHECK:   %{{.*}} = fx.normal %{{.*}}, %{{.*}} size [4, %{{.*}}] as bf16 : (f64, f64) -> tensor<4x?xbf16>
func.func @normal_numbers(%m: f64, %s: f64, %n: index) {
  %y = fx.normal %m, %s size [4, %n] as bf16 : (f64, f64) -> tensor<4x?xbf16>
  return
}

// CHECK-LABEL: func.func @normal_functional(
// CHECK:   %{{.*}} = fx.normal_functional %{{.*}} mean 0.000000e+00 std 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @normal_functional(%x: tensor<4x8xf32>) {
  %y = fx.normal_functional %x mean 0.000000e+00 std 2.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @rand(
// CHECK:   %{{.*}} = fx.rand [4, %{{.*}}] as bf16 : tensor<4x?xbf16>
func.func @rand(%n: index) {
  %y = fx.rand [4, %n] as bf16 : tensor<4x?xbf16>
  return
}

// CHECK-LABEL: func.func @rand_scalar(
// CHECK:   %{{.*}} = fx.rand [] : tensor<f32>
func.func @rand_scalar() {
  %y = fx.rand [] : tensor<f32>
  return
}

// CHECK-LABEL: func.func @rand_like(
// CHECK:   %{{.*}} = fx.rand_like %{{.*}} as f32 : (tensor<?xi64>) -> tensor<?xf32>
func.func @rand_like(%x: tensor<?xi64>) {
  %y = fx.rand_like %x as f32 : (tensor<?xi64>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @randint(
// CHECK:   %{{.*}} = fx.randint [2] to [%{{.*}}] size [4, %{{.*}}] : tensor<4x?xi64>
func.func @randint(%n: index) {
  %y = fx.randint [2] to [%n] size [4, %n] : tensor<4x?xi64>
  return
}

// CHECK-LABEL: func.func @randint_from_zero(
// CHECK:   %{{.*}} = fx.randint [] to [10] size [] as f32 : tensor<f32>
func.func @randint_from_zero() {
  %y = fx.randint [] to [10] size [] as f32 : tensor<f32>
  return
}

// CHECK-LABEL: func.func @randint_like(
// CHECK:   %{{.*}} = fx.randint_like %{{.*}} [] to [10] as i32 : (tensor<4xf32>) -> tensor<4xi32>
func.func @randint_like(%x: tensor<4xf32>) {
  %y = fx.randint_like %x [] to [10] as i32 : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// CHECK-LABEL: func.func @randn(
// CHECK:   %{{.*}} = fx.randn [4, %{{.*}}] : tensor<4x?xf32>
func.func @randn(%n: index) {
  %y = fx.randn [4, %n] : tensor<4x?xf32>
  return
}

// CHECK-LABEL: func.func @randn_like(
// CHECK:   %{{.*}} = fx.randn_like %{{.*}} : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
func.func @randn_like(%x: tensor<?xcomplex<f32>>) {
  %y = fx.randn_like %x : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @randperm(
// CHECK:   %{{.*}} = fx.randperm [%{{.*}}] as i32 : tensor<?xi32>
func.func @randperm(%n: index) {
  %y = fx.randperm [%n] as i32 : tensor<?xi32>
  return
}

// CHECK-LABEL: func.func @rrelu_with_noise_functional(
// CHECK:   %{{.*}}, %{{.*}} = fx.rrelu_with_noise_functional %{{.*}}, %{{.*}} training true {lower = 1.000000e-01 : f64, upper = 3 : i64} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @rrelu_with_noise_functional(%x: tensor<4xf32>, %n: tensor<4xf32>) {
  %y, %o = fx.rrelu_with_noise_functional %x, %n training true {lower = 1.000000e-01 : f64, upper = 3 : i64} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: func.func @uniform(
// CHECK:   %{{.*}} = fx.uniform %{{.*}} from -1.000000e+00 to 1.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @uniform(%x: tensor<4x8xf32>) {
  %y = fx.uniform %x from -1.000000e+00 to 1.000000e+00 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
