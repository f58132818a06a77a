//! Which arguments have gradients, and what they are where arguments have something to do with each other.

use fx_mlir::gradients::{Arguments, Cotangents, Gradients};
use fx_mlir::{DeviceKind, Program, Target, Value};

use crate::support::{GIVEN, close, i, joint, program, t};

/// Cases 11, 12, 13 and 17: arguments are values. One tensor given twice is two arguments with a gradient each, and a change of the
/// one is not seen by the other.
#[test]
fn one_tensor_is_given_twice() {
    let v = "tensor<2xf64>";
    let text = program(
        &[("input", "a", v), ("input", "b", v)],
        &[("a", "%c", v), ("", "%y", v)],
        "  %c = fx.exp %a : (tensor<2xf64>) -> tensor<2xf64>
  %y = fx.mul %c, %b : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>",
    );
    let x = [0.5, 2.0];
    let results = joint(&text, GIVEN, &[("a", t(&[2], &x)), ("b", t(&[2], &x)), ("cotangent.0", t(&[2], &[1.0, 10.0]))]);
    close(&results.changed("a"), &x.map(f64::exp));
    close(&results.output(0), &x.map(|x| x * x.exp()));
    close(&results.gradient("a"), &[0.5 * 0.5f64.exp(), 20.0 * 2.0f64.exp()]);
    close(&results.gradient("b"), &[0.5f64.exp(), 10.0 * 2.0f64.exp()]);
}

/// Case 60: a parameter with two names, used twice, has the gradient of both uses under either name.
#[test]
fn a_weight_is_used_twice() {
    let v = "tensor<2xf64>";
    let text = program(
        &[("parameter", "a", v), ("parameter", "b", v), ("input", "x", v)],
        &[("", "%s", "tensor<f64>")],
        "  %p = fx.mul %a, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %q = fx.mul %p, %b : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %s = fx.sum %q : (tensor<2xf64>) -> tensor<f64>",
    );
    let gradients = Gradients {
        arguments: Arguments::Parameters,
        cotangents: Cotangents::Ones,
        tied: vec![vec!["a".into(), "b".into()]],
        ..Gradients::default()
    };
    let program = Program::from_mlir(&text).unwrap().with_gradients(&gradients).unwrap();
    let mut executor = program.compile(&Target::Cpu).unwrap().executor(DeviceKind::Cpu).unwrap();
    let tensor = |value: Value| if let Value::Tensor(tensor) = value { tensor } else { unreachable!() };
    for name in ["a", "b"] {
        executor.set_state(name, tensor(t(&[2], &[3.0, -1.0]))).unwrap();
    }
    let results = executor.call(&[t(&[2], &[1.0, 4.0])]).unwrap();
    for item in &results[1..] {
        close(&item.tensor().unwrap().to_f64_vec().unwrap(), &[6.0, -8.0]);
    }
    assert_eq!(results.len(), 3);
}

/// Cases 32 and 33.
#[test]
fn arguments_without_influence_have_no_gradient_or_zeros() {
    let text = program(
        &[
            ("input", "x", "tensor<2xf64>"),
            ("input", "unused", "tensor<3xf64>"),
            ("input", "n", "tensor<2xi64>"),
            ("input", "m", "tensor<2xi1>"),
        ],
        &[("", "%z", "tensor<2xf64>")],
        "  %y = fx.mul %x, %n : (tensor<2xf64>, tensor<2xi64>) -> tensor<2xf64>
  %z = fx.where %m, %y, %x : (tensor<2xi1>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>",
    );
    let values = [
        ("x", t(&[2], &[1.5, 2.0])),
        ("unused", t(&[3], &[1.0; 3])),
        ("n", i(&[2], &[3, 4])),
        ("m", Value::Tensor(fx_mlir::HostTensor::from_bytes(fx_mlir::DType::Bool, &[2], &[1, 0]).unwrap())),
        ("cotangent.0", t(&[2], &[1.0, 10.0])),
    ];
    let zeros = joint(&text, GIVEN, &values);
    close(&zeros.gradient("x"), &[3.0, 10.0]);
    close(&zeros.gradient("unused"), &[0.0; 3]);
    let none = joint(&text, "cotangents=arguments zeros=false", &values);
    close(&none.gradient("x"), &[3.0, 10.0]);
    assert!(zeros.has_gradient("unused") && !none.has_gradient("unused"));
    assert!(!["n", "m"].iter().any(|name| zeros.has_gradient(name) || none.has_gradient(name)));
}

/// Cases 20 and 39: an operand that is repeated, and read as it is or as a copy that is changed.
#[test]
fn repeated_operands_have_the_sum() {
    let text = program(
        &[("input", "x", "tensor<2x1xf64>")],
        &[("", "%y", "tensor<2x3xf64>"), ("", "%d", "tensor<2x3xf64>")],
        "  %e = fx.expand %x [2, 3] : (tensor<2x1xf64>) -> tensor<2x3xf64>
  %y = fx.mul %e, %e : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %c = fx.clone %e : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %row = fx.select %c dim 0 [1] : (tensor<2x3xf64>) -> tensor<3xf64>
  %r = fx.exp %row : (tensor<3xf64>) -> tensor<3xf64>
  %d = fx.select_scatter %c, %r dim 0 index [1] : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>",
    );
    let values = [
        ("x", t(&[2, 1], &[3.0, 0.5])),
        ("cotangent.0", t(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ("cotangent.1", t(&[2, 3], &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0])),
    ];
    let results = joint(&text, GIVEN, &values);
    close(&results.gradient("x"), &[6.0 * 6.0 + 60.0, 15.0 + 150.0 * 0.5f64.exp()]);
}
