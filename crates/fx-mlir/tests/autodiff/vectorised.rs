//! Vectorised programs, compiled: convolutions, lookups and writes with the rules of `fx_ops::batching`, and gradients for each
//! index of a batch.

use crate::support::{Function, given, i, numbers, program, t};

/// A convolution of looked-up rows, and its result written to places.
fn text() -> String {
    program(
        &[
            ("input", "w", "tensor<4x2x3xf64>"),
            ("input", "table", "tensor<5x6xf64>"),
            ("input", "rows", "tensor<2x2xi64>"),
            ("input", "places", "tensor<2xi64>"),
        ],
        &[("", "%z", "tensor<2x4x5xf64>")],
        "  %x = fx.embedding %table, %rows padding_idx [3] : (tensor<5x6xf64>, tensor<2x2xi64>) -> tensor<2x2x6xf64>
  %y = fx.conv1d %x, %w stride [1] padding [0] dilation [2] groups [1] : (tensor<2x2x6xf64>, tensor<4x2x3xf64>) -> tensor<2x4x2xf64>
  %s = fx.sin %y : (tensor<2x4x2xf64>) -> tensor<2x4x2xf64>
  %zero = arith.constant dense<0.0> : tensor<2x4x5xf64>
  %z = fx.index_put %zero[_, _, %places], %s {accumulate = true} : (tensor<2x4x5xf64>, tensor<2xi64>, tensor<2x4x2xf64>) -> tensor<2x4x5xf64>",
    )
}

const SIZE: usize = 3;

fn values(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|k| ((k * 7 + seed * 13) as f64 * 0.37).sin()).collect()
}

/// Vectorised passes against the plain ones for each index: `batched` arguments have a further dim.
fn check(differentiate: &str, batched: &[usize], size: &str) {
    let shapes: [(&str, &[usize]); 5] =
        [("w", &[4, 2, 3]), ("table", &[5, 6]), ("rows", &[2, 2]), ("places", &[2]), ("cotangent.0", &[2, 4, 5])];
    let integers = |name: &str| name == "rows" || name == "places";
    let value = |place: usize, index: usize| {
        let (name, shape) = shapes[place];
        let (count, index) = (shape.iter().product(), if batched.contains(&place) { index } else { 0 });
        if integers(name) { (0..count).map(|k| ((k * 2 + index) % 5) as f64).collect() } else { values(count, place + 10 * index) }
    };
    let tensor = |name: &str, shape: &[usize], values: &[f64]| {
        let whole: Vec<i64> = values.iter().map(|x| *x as i64).collect();
        if integers(name) { i(shape, &whole) } else { t(shape, values) }
    };
    let count = if differentiate.is_empty() { 4 } else { 5 };
    let plain = Function::new(&text(), &format!("{differentiate}canonicalize")).unwrap();
    let list = batched.iter().map(ToString::to_string).collect::<Vec<_>>().join(";");
    let passes = format!("{differentiate}canonicalize,fx-vmap{{arguments={list} size={size}}},canonicalize,cse");
    let vectorised = Function::new(&text(), &passes).unwrap();
    assert!(size == "dynamic" || !vectorised.0.contains("fx.map"), "{}", vectorised.0);
    let mut expected: Vec<Vec<f64>> = Vec::new();
    for index in 0..SIZE {
        let one: Vec<_> =
            (0..count).map(|place| (shapes[place].0, tensor(shapes[place].0, shapes[place].1, &value(place, index)))).collect();
        for (number, item) in plain.evaluate(&given(&one)).unwrap().iter().enumerate() {
            expected.resize(expected.len().max(number + 1), Vec::new());
            expected[number].extend(numbers(item));
        }
    }
    let all = |place: usize| {
        let (name, shape) = shapes[place];
        let further: Vec<usize> = std::iter::once(SIZE).chain(shape.iter().copied()).collect();
        let joined: Vec<f64> = (0..SIZE).flat_map(|index| -> Vec<f64> { value(place, index) }).collect();
        (name, if batched.contains(&place) { tensor(name, &further, &joined) } else { tensor(name, shape, &value(place, 0)) })
    };
    let inputs = given(&(0..count).map(all).collect::<Vec<_>>());
    for run in [Function::evaluate, Function::execute] {
        let found = run(&vectorised, &inputs).unwrap();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            crate::support::close(&numbers(found), expected);
        }
    }
}

#[test]
fn vectorised_code_compiles() {
    for batched in [&[0, 1, 2, 3][..], &[0], &[1], &[2], &[3], &[1, 3]] {
        check("", batched, "3");
    }
    check("", &[1, 2], "dynamic");
    check("", &[0], "dynamic"); // how many groups there are must be known: a loop
}

/// The gradients of each sample of a batch: of parameters that all share.
#[test]
fn each_sample_has_its_gradient() {
    for batched in [&[2, 4][..], &[3, 4], &[0, 1, 2, 3, 4], &[4]] {
        check("fx-autodiff{cotangents=arguments},", batched, "3");
    }
}
