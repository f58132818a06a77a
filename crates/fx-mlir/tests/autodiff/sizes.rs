//! Sizes and numbers that only a call knows, where gradients need them.

use fx_mlir::{DType, HostTensor, Value};

use crate::support::{GIVEN, Halves, close, joint, t};

/// Case 51: the mean needs the size of the batch, and of the product nothing else.
#[test]
fn a_size_is_used_by_the_gradient_alone() {
    let text = r#"
func.func @main(%x: tensor<?x2xf64> {fx.kind = "input", fx.target = "x", fx.dims = ["n", 2]},
                %w: tensor<2x2xf64> {fx.kind = "parameter", fx.target = "w"}) -> tensor<f64> attributes {fx.symbols = {n = array<i64: 1, 32>}} {
  %y = fx.mm %x, %w : (tensor<?x2xf64>, tensor<2x2xf64>) -> tensor<?x2xf64>
  %m = fx.mean %y : (tensor<?x2xf64>) -> tensor<f64>
  return %m : tensor<f64>
}"#;
    for n in [1, 3] {
        let x: Vec<f64> = (0..2 * n).map(|k| k as f64).collect();
        let values = [("x", t(&[n, 2], &x)), ("w", t(&[2, 2], &[1.0, 2.0, 3.0, 4.0])), ("cotangent.0", t(&[], &[12.0]))];
        let results = joint(text, GIVEN, &values);
        close(&results.gradient("x"), &[3.0, 7.0].repeat(n).iter().map(|sum| 12.0 * sum / (2 * n) as f64).collect::<Vec<_>>());
        let column = |start: usize| x.iter().skip(start).step_by(2).sum::<f64>() * 12.0 / (2 * n) as f64;
        close(&results.gradient("w"), &[column(0), column(0), column(1), column(1)]);
    }
    let halves = Halves::new(text, GIVEN, "strategy=min-cut").unwrap();
    assert!(!halves.forward.0.contains("fx.kind = \"saved\""), "{}", halves.forward.0);
}

/// Case 52: a size that is a product of two, and one that is a factor. Saved numbers come before saved tensors.
#[test]
fn sizes_are_saved_as_numbers() {
    let text = r#"
func.func @main(%x: tensor<?x?xf64> {fx.kind = "input", fx.target = "x", fx.dims = ["a", "b"]})
    -> tensor<?xf64> attributes {fx.symbols = {a = array<i64: 1, 32>, b = array<i64: 1, 32>}} {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x?xf64>
  %v = fx.view %x [-1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %s = fx.sin %v : (tensor<?xf64>) -> tensor<?xf64>
  %e = fx.exp %s : (tensor<?xf64>) -> tensor<?xf64>
  %y = fx.mul %e, %n : (tensor<?xf64>, index) -> tensor<?xf64>
  return %y : tensor<?xf64>
}"#;
    let x = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0];
    let results = joint(text, GIVEN, &[("x", t(&[3, 2], &x)), ("cotangent.0", t(&[6], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))]);
    assert_eq!(results.gradient_tensor("x").dims(), [3, 2]);
    close(&results.gradient("x"), &x.map(|x| 3.0 * x * x.sin().exp() * x.cos()));
}

/// Case 53: as many elements as a mask has places.
#[test]
fn a_size_depends_on_data() {
    let text = r#"
func.func @main(%x: tensor<4xf64> {fx.kind = "input", fx.target = "x"}, %m: tensor<4xi1> {fx.kind = "input", fx.target = "m"}) -> tensor<f64> {
  %places = fx.nonzero %m : (tensor<4xi1>) -> tensor<?x1xi64>
  %k = fx.select %places dim 1 [0] : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = fx.index %x[%k] : (tensor<4xf64>, tensor<?xi64>) -> tensor<?xf64>
  %s = fx.mul %y, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %mean = fx.mean %s : (tensor<?xf64>) -> tensor<f64>
  return %mean : tensor<f64>
}"#;
    for (mask, expected) in [([1, 0, 1, 1], [2.0, 0.0, 6.0, 8.0]), ([0, 1, 0, 0], [0.0, 12.0, 0.0, 0.0])] {
        let mask = Value::Tensor(HostTensor::from_bytes(DType::Bool, &[4], &mask).unwrap());
        let values = [("x", t(&[4], &[1.0, 2.0, 3.0, 4.0])), ("m", mask), ("cotangent.0", t(&[], &[3.0]))];
        close(&joint(text, GIVEN, &values).gradient("x"), &expected);
    }
}

/// Case 54: the number that a tensor holds is a constant, and kept as a number.
#[test]
fn a_number_out_of_a_tensor_is_a_factor() {
    let text = r#"
func.func @main(%x: tensor<2xf64> {fx.kind = "input", fx.target = "x"}, %s: tensor<f64> {fx.kind = "input", fx.target = "s"}) -> tensor<f64> {
  %e = fx.exp %s : (tensor<f64>) -> tensor<f64>
  %n = fx.item %e : (tensor<f64>) -> f64
  %p = fx.mul %x, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %q = fx.mul %p, %n : (tensor<2xf64>, f64) -> tensor<2xf64>
  %loss = fx.sum %q : (tensor<2xf64>) -> tensor<f64>
  return %loss : tensor<f64>
}"#;
    let values = [("x", t(&[2], &[1.0, 3.0])), ("s", t(&[], &[0.5])), ("cotangent.0", t(&[], &[2.0]))];
    let results = joint(text, GIVEN, &values);
    close(&results.gradient("x"), &[1.0, 3.0].map(|x| 4.0 * x * 0.5f64.exp()));
    close(&results.gradient("s"), &[0.0]);
}
