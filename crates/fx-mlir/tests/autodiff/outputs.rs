//! What is returned: arguments, views, one value twice, constants, numbers.

use crate::support::{Function, GIVEN, Halves, close, joint, program, t};

const V: &str = "tensor<2x2xf64>";
const X: (&str, &str, &str) = ("input", "x", V);
const VALUES: [f64; 4] = [1.0, -2.0, 3.0, 0.5];
const G: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

fn x() -> (&'static str, fx_mlir::Value) {
    ("x", t(&[2, 2], &VALUES))
}

/// Cases 21 and 22: the argument itself, a view of it, and one without gradient.
#[test]
fn an_argument_is_returned() {
    let text = program(
        &[X],
        &[("", "%x", V), ("", "%y", "tensor<4xf64>"), ("", "%d", V)],
        "  %y = fx.view %x [4] : (tensor<2x2xf64>) -> tensor<4xf64>
  %d = fx.stop_gradient %x : (tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    let values = [x(), ("cotangent.0", t(&[2, 2], &G)), ("cotangent.1", t(&[4], &[2.0; 4])), ("cotangent.2", t(&[2, 2], &[5.0; 4]))];
    let results = joint(&text, GIVEN, &values);
    close(&results.output(0), &VALUES);
    close(&results.gradient("x"), &G.map(|g| g + 2.0));
}

/// Cases 23, 24 and 27: an intermediate value, two views of it, and the same value detached. Each result is a tensor of its own.
#[test]
fn an_intermediate_value_and_its_views_are_returned() {
    let text = program(
        &[X],
        &[("", "%y", V), ("", "%a", "tensor<4xf64>"), ("", "%b", "tensor<2xf64>"), ("", "%d", V)],
        "  %y = fx.exp %x : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %a = fx.view %y [4] : (tensor<2x2xf64>) -> tensor<4xf64>
  %b = fx.select %y dim 1 [1] : (tensor<2x2xf64>) -> tensor<2xf64>
  %d = fx.stop_gradient %y : (tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    let values = [
        x(),
        ("cotangent.0", t(&[2, 2], &G)),
        ("cotangent.1", t(&[4], &[2.0; 4])),
        ("cotangent.2", t(&[2], &[3.0, 4.0])),
        ("cotangent.3", t(&[2, 2], &[5.0; 4])),
    ];
    let results = joint(&text, GIVEN, &values);
    let g = [3.0, 15.0, 102.0, 1006.0];
    close(&results.gradient("x"), &[0, 1, 2, 3].map(|k| g[k] * VALUES[k].exp()));
}

/// Cases 25 and 26: all rows, and what they are rows of.
#[test]
fn all_rows_and_their_base_are_returned() {
    let text = program(
        &[X],
        &[("", "%r#0", "tensor<2xf64>"), ("", "%r#1", "tensor<2xf64>"), ("", "%y", V)],
        "  %y = fx.mul %x, %x : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %r:2 = fx.unbind %y dim 0 : (tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>)",
    );
    let values = [x(), ("cotangent.0", t(&[2], &[1.0, 2.0])), ("cotangent.1", t(&[2], &[3.0, 4.0])), ("cotangent.2", t(&[2, 2], &G))];
    let g = [2.0, 12.0, 103.0, 1004.0];
    close(&joint(&text, GIVEN, &values).gradient("x"), &[0, 1, 2, 3].map(|k| 2.0 * VALUES[k] * g[k]));
    // A row that nobody asks for has no cotangent.
    close(&joint(&text, "cotangents=arguments outputs=1", &values).gradient("x"), &[0.0, 0.0, 18.0, 4.0]);
}

/// Case 28: a transposed result, whose elements lie in their own order.
#[test]
fn a_transposed_value_is_returned() {
    let text = program(&[X], &[("", "%y", V)], "  %y = fx.t %x : (tensor<2x2xf64>) -> tensor<2x2xf64>");
    let results = joint(&text, GIVEN, &[x(), ("cotangent.0", t(&[2, 2], &G))]);
    close(&results.output(0), &[1.0, 3.0, -2.0, 0.5]);
    close(&results.gradient("x"), &[1.0, 100.0, 10.0, 1000.0]);
}

/// Cases 31, 34 and 36: results that have no derivative, beside one that has: indices, a value of a region without autograd,
/// a number.
#[test]
fn results_without_derivative_have_no_cotangent() {
    let text = program(
        &[X, ("input", "n", "i64")],
        &[("", "%k", "tensor<2xi64>"), ("", "%n", "i64"), ("", "%y", V), ("", "%c", V)],
        "  %k = fx.argmax %x dim 1 : (tensor<2x2xf64>) -> tensor<2xi64>
  %y = fx.mul %x, %n : (tensor<2x2xf64>, i64) -> tensor<2x2xf64>
  %e = fx.exp %x : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %c = fx.stop_gradient %e : (tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    // Numbers of cotangents count tensors among outputs.
    let values = [x(), ("n", fx_mlir::Value::Int(3)), ("cotangent.1", t(&[2, 2], &G)), ("cotangent.2", t(&[2, 2], &[7.0; 4]))];
    let results = joint(&text, GIVEN, &values);
    close(&results.output(0), &[0.0, 0.0]);
    close(&results.output(1), &[3.0]);
    close(&results.gradient("x"), &G.map(|g| 3.0 * g));
}

/// Case 35.
#[test]
fn a_value_is_returned_twice() {
    let text = program(&[X], &[("", "%y", V), ("", "%y", V)], "  %y = fx.exp %x : (tensor<2x2xf64>) -> tensor<2x2xf64>");
    let results = joint(&text, GIVEN, &[x(), ("cotangent.0", t(&[2, 2], &G)), ("cotangent.1", t(&[2, 2], &[0.5; 4]))]);
    close(&results.gradient("x"), &[0, 1, 2, 3].map(|k| (G[k] + 0.5) * VALUES[k].exp()));
}

/// Case 55: nothing is computed, and nothing saved.
#[test]
fn views_alone() {
    let text = program(
        &[X],
        &[("", "%z", "tensor<2xf64>")],
        "  %p = fx.permute %x [1, 0] : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %v = fx.view %p [4] : (tensor<2x2xf64>) -> tensor<4xf64>
  %z = fx.slice %v dim 0 [1] to [3] step [1] : (tensor<4xf64>) -> tensor<2xf64>",
    );
    close(&joint(&text, GIVEN, &[x(), ("cotangent.0", t(&[2], &[3.0, 4.0]))]).gradient("x"), &[0.0, 4.0, 3.0, 0.0]);
    let halves = Halves::new(&text, GIVEN, "strategy=min-cut").unwrap();
    assert!(!halves.forward.0.contains("fx.saved") && !halves.backward.0.contains("fx.target = \"x\"}, %"), "{}", halves.backward.0);
}

/// Case 56: no result depends on an argument by a derivative. Gradients are zeros, or absent; there is nothing to split.
#[test]
fn nothing_has_a_derivative() {
    let text = program(&[X], &[("", "%k", "tensor<i64>")], "  %k = fx.argmax %x : (tensor<2x2xf64>) -> tensor<i64>");
    let zeros = joint(&text, "zeros=true", &[x()]);
    close(&zeros.gradient("x"), &[0.0; 4]);
    assert!(!joint(&text, "zeros=false", &[x()]).has_gradient("x"));
    let error = |options: &str| Halves::new(&text, options, "strategy=min-cut").err().unwrap();
    assert!(error("cotangents=arguments zeros=false").contains("the function has no gradients: it is not a joint function"));
    assert!(error(GIVEN).contains("the function has no cotangents among its arguments"));
}

/// Case 46: the gradient of a gradient, which PyTorch's compiled functions refuse.
#[test]
fn a_gradient_has_a_gradient() {
    let text = program(
        &[X],
        &[("", "%s", "tensor<f64>")],
        "  %e = fx.exp %x : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %p = fx.mul %e, %x : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %s = fx.sum %p : (tensor<2x2xf64>) -> tensor<f64>",
    );
    let function = Function::new(&text, "fx-autodiff{order=2},canonicalize,cse").unwrap();
    let results = function.evaluate(&crate::support::given(&[x()])).unwrap();
    // of the sum over (x + 1) e^x
    close(&crate::support::numbers(&results[2]), &VALUES.map(|x| (x + 2.0) * x.exp()));
}
