//! What is computed again for gradients, and what must not be.

use std::fmt::Write;

use crate::mutation::{normalised, normalised_values};
use crate::support::{GIVEN, Halves, Machine, close, given, joint, numbers, program, t};

const V: &str = "tensor<2x2xf64>";

/// Case 45: the backward function changes nothing that it is given.
#[test]
fn gradients_are_computed_twice() {
    let text = program(
        &[("input", "x", V), ("input", "w", V)],
        &[("", "%z", V)],
        "  %y = fx.mm %x, %w : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %z = fx.tanh %y : (tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    let halves = Halves::new(&text, GIVEN, "strategy=min-cut").unwrap();
    let values = given(&[("x", t(&[2, 2], &[0.1, 0.2, 0.3, 0.4])), ("w", t(&[2, 2], &[1.0; 4])), ("cotangent.0", t(&[2, 2], &[1.0; 4]))]);
    let (mut forward, mut backward) = (Machine::new(&halves.forward).unwrap(), Machine::new(&halves.backward).unwrap());
    let values = halves.between(&values, &forward.call(&values).unwrap());
    let [first, second] = [0, 1].map(|_| backward.call(&values).unwrap());
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(numbers(first), numbers(second));
    }
}

/// Case 60: one block after the other, as little saved as possible.
#[test]
fn blocks_that_are_computed_again_follow_each_other() {
    let text = program(
        &[("parameter", "w", V), ("input", "x", V)],
        &[("", "%d", V)],
        "  %a = fx.mm %x, %w : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %b = fx.tanh %a : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %c = fx.mm %b, %w : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %d = fx.tanh %c : (tensor<2x2xf64>) -> tensor<2x2xf64>",
    );
    // W is a number times the identity, so that each element is a function of its own.
    let (w, x) = (0.5f64, [0.1, -0.2, 0.3, 1.0]);
    let values = [("w", t(&[2, 2], &[w, 0.0, 0.0, w])), ("x", t(&[2, 2], &x)), ("cotangent.0", t(&[2, 2], &[1.0, 2.0, 3.0, 4.0]))];
    let results = joint(&text, GIVEN, &values);
    let slope = |x: f64| {
        let b = (w * x).tanh();
        (1.0 - (w * b).tanh().powi(2)) * w * (1.0 - b * b) * w
    };
    close(&results.gradient("x"), &[0, 1, 2, 3].map(|k| (k + 1) as f64 * slope(x[k])));
}

/// Case 60: a long chain of residual sums.
#[test]
fn a_long_chain_of_sums() {
    const LAYERS: usize = 60;
    let mut body = String::from("  %y0 = fx.mul %x, %w : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>\n");
    for k in 0..LAYERS {
        writeln!(body, "  %s{k} = fx.sin %y{k} : ({V}) -> {V}").unwrap();
        writeln!(body, "  %y{} = fx.add %y{k}, %s{k} : ({V}, {V}) -> {V}", k + 1).unwrap();
    }
    let last = format!("%y{LAYERS}");
    let text = program(&[("parameter", "w", V), ("input", "x", V)], &[("", &last, V)], body.trim_end());
    let (x, w) = ([0.1, -0.2, 0.3, 1.0], [1.0, 2.0, -0.5, 0.25]);
    let results = joint(&text, GIVEN, &[("x", t(&[2, 2], &x)), ("w", t(&[2, 2], &w)), ("cotangent.0", t(&[2, 2], &[1.0; 4]))]);
    let chain = |start: f64| (0..LAYERS).fold((start, 1.0), |(y, slope): (f64, f64), _| (y + y.sin(), slope * (1.0 + y.cos())));
    let slopes = [0, 1, 2, 3].map(|k: usize| chain(x[k] * w[k]).1);
    let expected = |factor: [f64; 4]| [0, 1, 2, 3].map(|k: usize| slopes[k] * factor[k]);
    for (found, expected) in results.gradient("x").iter().zip(expected(w)).chain(results.gradient("w").iter().zip(expected(x))) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, expected {expected}");
    }
}

/// Case 60: running statistics move once for each call, whatever is computed again.
#[test]
fn statistics_are_updated_once() {
    for strategy in ["strategy=min-cut", "strategy=budget budget=0"] {
        let halves = Halves::new(&normalised(), "by=parameters cotangents=arguments", strategy).unwrap();
        assert!(halves.forward.0.contains("fx.mutates = \"mean\"") && !halves.backward.0.contains("fx.mutates"));
    }
    let results = joint(&normalised(), "by=parameters cotangents=arguments", &normalised_values());
    close(&results.changed("mean"), &[0.9 * 1.0 + 0.1 * 2.0, 0.0]);
}
