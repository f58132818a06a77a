//! Random numbers: gradients are by those that the outputs were computed with.

use crate::support::{Function, GIVEN, Halves, Machine, close, given, joint, numbers, program, t};

const V: &str = "tensor<64xf64>";
const X: (&str, &str, &str) = ("input", "x", V);

fn ones() -> fx_mlir::Value {
    t(&[64], &[1.0; 64])
}

fn dropout(p: f64, train: bool) -> String {
    program(
        &[X],
        &[("", "%y", V)],
        &format!(
            "  %e = fx.exp %x : (tensor<64xf64>) -> tensor<64xf64>
  %d = fx.dropout %e p {p:?} train {train} : (tensor<64xf64>) -> tensor<64xf64>
  %y = fx.mul %d, %d : (tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>"
        ),
    )
}

/// The gradient of a dropped and squared exponential function at 1, from the output: `y = (2 e)^2` where it is not dropped.
fn expected(output: &[f64]) -> Vec<f64> {
    output.iter().map(|y| 2.0 * y).collect()
}

/// Cases 47 and 48: two calls, then their gradients, the last one first; each has the mask of its own call, however little is saved.
#[test]
fn calls_have_masks_of_their_own() {
    for strategy in ["strategy=min-cut", "strategy=default", "strategy=budget budget=0"] {
        let halves = Halves::new(&dropout(0.5, true), GIVEN, strategy).unwrap();
        let (mut forward, mut backward) = (Machine::new(&halves.forward).unwrap(), Machine::new(&halves.backward).unwrap());
        let values = given(&[("x", ones()), ("cotangent.0", ones())]);
        let calls: Vec<_> = (0..2).map(|_| forward.call(&values).unwrap()).collect();
        assert_ne!(numbers(&calls[0][0]), numbers(&calls[1][0]));
        for call in calls.iter().rev() {
            let output = numbers(&call[0]);
            assert!(output.contains(&0.0) && output.iter().any(|y| *y > 0.0));
            let gradient = backward.call(&halves.between(&values, call)).unwrap();
            close(&numbers(&gradient[0]), &expected(&output));
        }
    }
}

/// Case 49: nothing is dropped, or all of it; also where the operand is no number.
#[test]
fn dropout_at_its_bounds() {
    let mut x = vec![1.0; 64];
    x[3] = f64::NAN;
    let values = [("x", t(&[64], &x)), ("cotangent.0", ones())];
    for (p, train) in [(0.0, true), (1.0, false)] {
        let results = joint(&dropout(p, train), GIVEN, &values);
        close(&results.gradient("x"), &x.iter().map(|x| 2.0 * (2.0 * x).exp()).collect::<Vec<_>>());
    }
    let text = program(&[X], &[("", "%y", V)], "  %y = fx.dropout %x p 1.0 train true : (tensor<64xf64>) -> tensor<64xf64>");
    close(&joint(&text, GIVEN, &values).gradient("x"), &[0.0; 64]);
}

/// Case 50: numbers that nobody uses are drawn all the same, so that those after them are the same with and without gradients.
#[test]
fn unused_random_numbers_are_drawn() {
    let text = program(
        &[X],
        &[("", "%y", V)],
        "  %unused = fx.rand_like %x : (tensor<64xf64>) -> tensor<64xf64>
  %r = fx.rand_like %x : (tensor<64xf64>) -> tensor<64xf64>
  %y = fx.mul %x, %r : (tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>",
    );
    let values = given(&[("x", ones()), ("cotangent.0", ones())]);
    let plain = Function::new(&text, "canonicalize").unwrap();
    let halves = Halves::new(&text, GIVEN, "strategy=min-cut").unwrap();
    let alone =
        Function::new(&text.lines().filter(|line| !line.contains("%unused")).collect::<Vec<_>>().join("\n"), "canonicalize").unwrap();
    for run in [Function::evaluate, Function::execute] {
        let output = numbers(&run(&plain, &values).unwrap()[0]);
        assert_ne!(output, numbers(&run(&alone, &values).unwrap()[0]));
        let forward = run(&halves.forward, &values).unwrap();
        assert_eq!(numbers(&forward[0]), output);
        // At 1 the gradient is the number that was drawn.
        assert_eq!(numbers(&run(&halves.backward, &halves.between(&values, &forward)).unwrap()[0]), output);
    }
}
