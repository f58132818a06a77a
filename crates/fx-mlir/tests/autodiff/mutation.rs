//! Programs that change their arguments: a change is a further result, and gradients are those by the values before it.

use crate::support::{GIVEN, close, joint, program, t};

const X: (&str, &str, &str) = ("input", "x", "tensor<2x2xf64>");
const VALUES: [f64; 4] = [1.0, -2.0, 3.0, 0.5];
const G: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// Case 1.
#[test]
fn the_changed_input_is_the_output() {
    let text = program(
        &[X],
        &[("x", "%y", "tensor<2x2xf64>"), ("", "%y", "tensor<2x2xf64>")],
        "  %two = arith.constant 2.0 : f64
  %y = fx.mul %x, %two : (tensor<2x2xf64>, f64) -> tensor<2x2xf64>",
    );
    let results = joint(&text, GIVEN, &[("x", t(&[2, 2], &VALUES)), ("cotangent.0", t(&[2, 2], &G))]);
    close(&results.changed("x"), &VALUES.map(|x| 2.0 * x));
    close(&results.output(0), &results.changed("x"));
    close(&results.gradient("x"), &G.map(|g| 2.0 * g));
}

/// Case 1, where the caller goes on with the changed input: its cotangent counts too.
#[test]
fn what_is_changed_may_have_a_cotangent() {
    let text = program(
        &[X],
        &[("x", "%c", "tensor<2x2xf64>"), ("", "%y", "tensor<2x2xf64>")],
        "  %c = fx.mul %x, %x : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %y = fx.exp %c : (tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    let values = [("x", t(&[2, 2], &VALUES)), ("cotangent.x", t(&[2, 2], &G)), ("cotangent.0", t(&[2, 2], &[1.0; 4]))];
    let expected: Vec<f64> = VALUES.iter().zip(G).map(|(x, g)| 2.0 * x * (g + (x * x).exp())).collect();
    close(&joint(&text, "cotangents=arguments changed=true", &values).gradient("x"), &expected);
    let expected: Vec<f64> = VALUES.iter().map(|x| 2.0 * x * (x * x).exp()).collect();
    close(&joint(&text, GIVEN, &values).gradient("x"), &expected);
}

/// Cases 2 and 30.
#[test]
fn an_output_is_a_view_of_the_changed_input() {
    let text = program(
        &[X],
        &[("x", "%c", "tensor<2x2xf64>"), ("", "%y", "tensor<4xf64>")],
        "  %c = fx.mul %x, %x : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %y = fx.view %c [-1] : (tensor<2x2xf64>) -> tensor<4xf64>",
    );
    let results = joint(&text, GIVEN, &[("x", t(&[2, 2], &VALUES)), ("cotangent.0", t(&[4], &G))]);
    close(&results.output(0), &VALUES.map(|x| x * x));
    close(&results.gradient("x"), &[2.0, -40.0, 600.0, 1000.0]);
}

/// Case 3.
#[test]
fn a_view_of_an_input_is_changed() {
    let text = program(
        &[X],
        &[("x", "%c", "tensor<2x2xf64>"), ("", "%c", "tensor<2x2xf64>")],
        "  %row = fx.select %x dim 0 [0] : (tensor<2x2xf64>) -> tensor<2xf64>
  %s = fx.mul %row, %row : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %c = fx.select_scatter %x, %s dim 0 index [0] : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>",
    );
    let results = joint(&text, GIVEN, &[("x", t(&[2, 2], &VALUES)), ("cotangent.0", t(&[2, 2], &G))]);
    close(&results.changed("x"), &[1.0, 4.0, 3.0, 0.5]);
    close(&results.gradient("x"), &[2.0, -40.0, 100.0, 1000.0]);
}

/// Cases 6, 7 and 8: what is computed without autograd, or behind `detach`, is a constant.
#[test]
fn changes_without_autograd_are_constants() {
    let text = program(
        &[X],
        &[("x", "%c", "tensor<2x2xf64>"), ("", "%y", "tensor<2x2xf64>")],
        "  %two = arith.constant 2.0 : f64
  %d = fx.stop_gradient %x : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %c = fx.mul %d, %two : (tensor<2x2xf64>, f64) -> tensor<2x2xf64>
  %y = fx.mul %c, %x : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    let results = joint(&text, GIVEN, &[("x", t(&[2, 2], &VALUES)), ("cotangent.0", t(&[2, 2], &[1.0; 4]))]);
    close(&results.changed("x"), &VALUES.map(|x| 2.0 * x));
    close(&results.output(0), &VALUES.map(|x| 2.0 * x * x));
    close(&results.gradient("x"), &VALUES.map(|x| 2.0 * x));
}

/// Case 9.
#[test]
fn an_input_without_gradient_is_changed() {
    let text = program(
        &[("input", "n", "tensor<2xf64>"), ("parameter", "w", "tensor<2xf64>")],
        &[("n", "%c", "tensor<2xf64>"), ("", "%y", "tensor<2xf64>")],
        "  %one = arith.constant 1.0 : f64
  %c = fx.add %n, %one : (tensor<2xf64>, f64) -> tensor<2xf64>
  %y = fx.mul %c, %w : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>",
    );
    let values = [("n", t(&[2], &[1.0, 2.0])), ("w", t(&[2], &[3.0, 4.0])), ("cotangent.0", t(&[2], &[1.0, 10.0]))];
    let results = joint(&text, "by=parameters cotangents=arguments", &values);
    close(&results.changed("n"), &[2.0, 3.0]);
    close(&results.gradient("w"), &[2.0, 30.0]); // by the new value, which the forward function leaves behind
    assert!(!results.has_gradient("n"));
}

/// Case 10.
#[test]
fn running_statistics_are_updated() {
    let results = joint(&normalised(), "by=parameters cotangents=arguments", &normalised_values());
    close(&results.changed("mean"), &[0.9 * 1.0 + 0.1 * 2.0, 0.0]);
    close(&results.changed("var"), &[0.9 + 0.1 * 2.0, 0.9 + 0.1 * 8.0]); // the unbiased variance
    let r = [1.0 / (1.0f64 + 1e-5).sqrt(), 2.0 / (4.0f64 + 1e-5).sqrt()];
    close(&results.output(0), &[-3.0 * r[0], -0.5 * r[1], 3.0 * r[0], 0.5 * r[1]]);
    close(&results.gradient("w"), &[r[0] * (100.0 - 1.0), r[1] * (1000.0 - 10.0)]);
}

/// A normalised batch of two rows with running statistics, 1 apart and 2 apart from their means.
pub fn normalised() -> String {
    let channels = "tensor<2xf64>";
    program(
        &[("parameter", "w", channels), ("buffer", "mean", channels), ("buffer", "var", channels), ("input", "x", "tensor<2x2xf64>")],
        &[("mean", "%n#3", channels), ("var", "%n#4", channels), ("", "%n#0", "tensor<2x2xf64>")],
        "  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %n:5 = fx.native_batch_norm_legit_functional %x weight %w bias %zero running_mean %mean running_var %var \
         {training = true, momentum = 0.1, eps = 1.0e-5} : \
         (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> \
         (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)",
    )
}

/// Values for it.
pub fn normalised_values() -> [(&'static str, fx_mlir::Value); 5] {
    [
        ("w", t(&[2], &[3.0, 0.5])),
        ("mean", t(&[2], &[1.0, 0.0])),
        ("var", t(&[2], &[1.0, 1.0])),
        ("x", t(&[2, 2], &[1.0, -2.0, 3.0, 2.0])),
        ("cotangent.0", t(&[2, 2], &[1.0, 10.0, 100.0, 1000.0])),
    ]
}

/// Cases 14, 15 and 19: writes to slices, one after the other, in the order of the program.
#[test]
fn overlapping_slices_are_changed_in_order() {
    let slices = |second: [usize; 2]| {
        program(
            &[("input", "x", "tensor<6xf64>")],
            &[("x", "%d", "tensor<6xf64>"), ("", "%y", "tensor<4xf64>")],
            &format!(
                "  %three = arith.constant 3.0 : f64
  %a = fx.slice %x dim 0 [0] to [4] step [1] : (tensor<6xf64>) -> tensor<4xf64>
  %a2 = fx.mul %a, %a : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %c = fx.slice_scatter %x, %a2 dim 0 start [0] end [4] step [1] : (tensor<6xf64>, tensor<4xf64>) -> tensor<6xf64>
  %b = fx.slice %c dim 0 [{0}] to [{1}] step [1] : (tensor<6xf64>) -> tensor<2xf64>
  %b2 = fx.mul %b, %three : (tensor<2xf64>, f64) -> tensor<2xf64>
  %d = fx.slice_scatter %c, %b2 dim 0 start [{0}] end [{1}] step [1] : (tensor<6xf64>, tensor<2xf64>) -> tensor<6xf64>
  %y = fx.slice %d dim 0 [0] to [4] step [1] : (tensor<6xf64>) -> tensor<4xf64>",
                second[0], second[1]
            ),
        )
    };
    let values = [("x", t(&[6], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])), ("cotangent.0", t(&[4], &G))];
    let overlapping = joint(&slices([2, 4]), GIVEN, &values);
    close(&overlapping.changed("x"), &[1.0, 4.0, 27.0, 48.0, 5.0, 6.0]);
    close(&overlapping.gradient("x"), &[2.0, 40.0, 1800.0, 24000.0, 0.0, 0.0]);
    let apart = joint(&slices([4, 6]), GIVEN, &values);
    close(&apart.changed("x"), &[1.0, 4.0, 9.0, 16.0, 15.0, 18.0]);
    close(&apart.gradient("x"), &[2.0, 40.0, 600.0, 8000.0, 0.0, 0.0]);
}
