//! Element types and shapes: numbers of rank 0, empty tensors, halves, complex numbers, repeated cotangents.

use fx_mlir::{DType, HostTensor, Value};

use crate::support::{Function, GIVEN, close, i, joint, program, t};

/// Case 37.
#[test]
fn an_operand_of_rank_0_has_the_sum() {
    let text = program(
        &[("input", "x", "tensor<2x2xf64>"), ("input", "s", "tensor<f64>")],
        &[("", "%y", "tensor<2x2xf64>"), ("", "%z", "tensor<f64>")],
        "  %y = fx.mul %x, %s : (tensor<2x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  %z = fx.exp %s : (tensor<f64>) -> tensor<f64>",
    );
    let values = [
        ("x", t(&[2, 2], &[1.0, 2.0, 3.0, 4.0])),
        ("s", t(&[], &[0.5])),
        ("cotangent.0", t(&[2, 2], &[1.0, 10.0, 100.0, 1000.0])),
        ("cotangent.1", t(&[], &[7.0])),
    ];
    let results = joint(&text, GIVEN, &values);
    close(&results.gradient("s"), &[4321.0 + 7.0 * 0.5f64.exp()]);
    close(&results.gradient("x"), &[0.5, 5.0, 50.0, 500.0]);
}

/// Case 38.
#[test]
fn empty_tensors() {
    let text = program(
        &[("input", "x", "tensor<0x3xf64>"), ("input", "w", "tensor<3x2xf64>")],
        &[("", "%s", "tensor<0x2xf64>"), ("", "%m", "tensor<3xf64>")],
        "  %y = fx.mm %x, %w : (tensor<0x3xf64>, tensor<3x2xf64>) -> tensor<0x2xf64>
  %s = fx.softmax %y dim 1 : (tensor<0x2xf64>) -> tensor<0x2xf64>
  %m = fx.mean %x dim [0] : (tensor<0x3xf64>) -> tensor<3xf64>",
    );
    let values =
        [("x", t(&[0, 3], &[])), ("w", t(&[3, 2], &[1.0; 6])), ("cotangent.0", t(&[0, 2], &[])), ("cotangent.1", t(&[3], &[1.0; 3]))];
    let results = joint(&text, GIVEN, &values);
    assert_eq!(results.gradient_tensor("x").dims(), [0, 3]);
    close(&results.gradient("w"), &[0.0; 6]);
    assert!(results.output(1).iter().all(|mean| mean.is_nan()));
}

/// Case 40.
#[test]
fn parameters_of_a_half_program_have_gradients_of_their_type() {
    let text = program(
        &[("parameter", "w", "tensor<2x2xf32>"), ("input", "x", "tensor<2x2xf32>")],
        &[("", "%y", "tensor<2x2xf16>")],
        "  %wh = fx.to_copy %w as f16 : (tensor<2x2xf32>) -> tensor<2x2xf16>
  %xh = fx.to_copy %x as f16 : (tensor<2x2xf32>) -> tensor<2x2xf16>
  %y = fx.mm %xh, %wh : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>",
    );
    let single = |values: &[f32; 4]| Value::Tensor(HostTensor::from_slice(&[2, 2], values).unwrap());
    let half = HostTensor::from_bytes(DType::F16, &[2, 2], &[1.0f32, 2.0, 3.0, 4.0].map(|x| half::f16::from_f32(x).to_le_bytes()).concat());
    let values = [("w", single(&[1.0; 4])), ("x", single(&[1.0, 2.0, 0.5, 4.0])), ("cotangent.0", Value::Tensor(half.unwrap()))];
    let results = joint(&text, GIVEN, &values);
    assert_eq!(results.gradient_tensor("w").dtype(), DType::F32);
    close(&results.gradient("w"), &[2.5, 4.0, 14.0, 20.0]);
    close(&results.gradient("x"), &[3.0, 3.0, 7.0, 7.0]);
}

/// Case 41: the gradient by a complex number is complex, that by a real one real.
#[test]
fn a_complex_input_and_a_real_output() {
    let c = "tensor<2xcomplex<f64>>";
    let text = program(
        &[("input", "z", c), ("input", "x", "tensor<2xf64>")],
        &[("", "%y", "tensor<2xf64>")],
        "  %p = fx.mul %z, %x : (tensor<2xcomplex<f64>>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
  %y = fx.abs %p : (tensor<2xcomplex<f64>>) -> tensor<2xf64>",
    );
    let z: Vec<u8> = [3.0f64, 4.0, 0.0, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let z = Value::Tensor(HostTensor::from_bytes(DType::C128, &[2], &z).unwrap());
    let results = joint(&text, GIVEN, &[("z", z), ("x", t(&[2], &[2.0, -1.0])), ("cotangent.0", t(&[2], &[1.0, 10.0]))]);
    close(&results.output(0), &[10.0, 2.0]);
    close(&results.gradient("z"), &[2.0 * 0.6, 2.0 * 0.8, 0.0, -10.0]);
    close(&results.gradient("x"), &[5.0, -20.0]);
}

/// Case 44: the cotangent of a sum is one number repeated, which nothing writes out.
#[test]
fn a_repeated_cotangent() {
    let text = program(
        &[("input", "x", "tensor<2x3xf64>")],
        &[("", "%s", "tensor<2xf64>")],
        "  %e = fx.exp %x : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %s = fx.sum %e dim [1] : (tensor<2x3xf64>) -> tensor<2xf64>",
    );
    let x = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
    let results = joint(&text, GIVEN, &[("x", t(&[2, 3], &x)), ("cotangent.0", t(&[2], &[2.0, 5.0]))]);
    let expected: Vec<f64> = x.iter().enumerate().map(|(at, x): (usize, &f64)| [2.0, 5.0][at / 3] * x.exp()).collect();
    close(&results.gradient("x"), &expected);
    let joint = Function::new(&text, "fx-autodiff{cotangents=arguments},canonicalize").unwrap();
    assert!(!joint.0.contains("fx.clone") && !joint.0.contains("fx.full"), "{}", joint.0);
}

/// Case 57: places that occur twice.
#[test]
fn a_place_is_written_twice() {
    let v = "tensor<3xf64>";
    let text = program(
        &[("input", "x", v), ("input", "i", "tensor<4xi64>"), ("input", "v", "tensor<4xf64>")],
        &[("", "%y", v)],
        "  %a = fx.index_put %x[%i], %v {accumulate = true} : (tensor<3xf64>, tensor<4xi64>, tensor<4xf64>) -> tensor<3xf64>
  %y = fx.mul %a, %a : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>",
    );
    let values = [
        ("x", t(&[3], &[1.0, 2.0, 3.0])),
        ("i", i(&[4], &[0, 2, 0, -1])),
        ("v", t(&[4], &[10.0, 20.0, 30.0, 40.0])),
        ("cotangent.0", t(&[3], &[1.0, 10.0, 100.0])),
    ];
    let results = joint(&text, GIVEN, &values);
    close(&results.output(0), &[41.0 * 41.0, 4.0, 63.0 * 63.0]);
    let slopes = [82.0, 40.0, 12600.0];
    close(&results.gradient("x"), &slopes);
    close(&results.gradient("v"), &[slopes[0], slopes[2], slopes[0], slopes[2]]);
}
