//! Products of bf16 against the reference evaluator, on small whole numbers: sums are exact, so results are equal whatever
//! computes them. On a processor with a matrix unit that is what computes them.

use fx_mlir::{DeviceKind, HostTensor, Program, Target, Value};
use fx_runtime::DType;

/// Whole numbers from -2 to 2, as bf16: the upper half of an f32.
fn input(dims: &[usize], seed: usize) -> HostTensor {
    let number = |i: usize| ((i * 7 + i / 5 + seed * 3) % 5) as f32 - 2.0;
    let bytes: Vec<u8> = (0..dims.iter().product()).flat_map(|i| ((number(i).to_bits() >> 16) as u16).to_le_bytes()).collect();
    HostTensor::from_bytes(DType::BF16, dims, &bytes).unwrap()
}

fn tensor(value: Option<Value>) -> HostTensor {
    match value {
        Some(Value::Tensor(tensor)) => tensor,
        other => panic!("expected a tensor, got {other:?}"),
    }
}

/// This machine's processor, and one without a matrix unit whose code it can run.
fn targets() -> Vec<Target> {
    let plain = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    let plain = plain.then(|| "x86-64-v3".parse().unwrap());
    [Target::Cpu].into_iter().chain(plain).collect()
}

/// Compares the program `@main(arguments) -> result` for inputs of these shapes.
fn check(arguments: &str, result: &str, body: &str, shapes: &[&[usize]]) {
    let text = format!("func.func @main({arguments}) -> {result} {{\n{body}\n  return %y : {result}\n}}");
    let inputs: Vec<Value> = shapes.iter().enumerate().map(|(seed, dims)| input(dims, seed).into()).collect();
    let program = Program::from_mlir(&text).unwrap();
    let expected = program.interpreter().unwrap().call(&inputs).unwrap();
    for target in targets() {
        let mut compiled = program.compile(&target).unwrap().executor(DeviceKind::Cpu).unwrap();
        let actual = compiled.call(&inputs).unwrap();
        assert_eq!(actual.len(), expected.len());
        for (actual, expected) in actual.into_iter().zip(&expected) {
            let (actual, expected) = (tensor(actual.value), tensor(expected.value.clone()));
            let (actual, expected) = (actual.to_f64_vec().unwrap(), expected.to_f64_vec().unwrap());
            let wrong = actual.iter().zip(&expected).position(|(a, e)| a != e);
            assert_eq!(wrong, None, "{target}: {text}\n{shapes:?}: {:?}", wrong.map(|i| (actual[i], expected[i])));
        }
    }
}

fn ty(dims: &[usize]) -> String {
    let dims: String = dims.iter().map(|dim| format!("{dim}x")).collect();
    format!("tensor<{dims}bf16>")
}

/// Sizes of products: rows, summed, columns. Whole tiles and edges of each kind, several slices, several blocks.
const SIZES: [[usize; 3]; 22] = [
    [1, 40, 40],
    [4, 64, 64],
    [5, 33, 70],
    [15, 32, 16],
    [16, 32, 16],
    [16, 1024, 64],
    [17, 1, 17],
    [31, 2, 1],
    [32, 3, 33],
    [33, 37, 45],
    [48, 64, 48],
    [50, 96, 47],
    [64, 64, 64],
    [64, 256, 31],
    [65, 288, 32],
    [130, 500, 60],
    [260, 64, 520],
    [300, 31, 260],
    [520, 32, 33],
    [20, 1056, 40],
    [33, 2085, 40],
    [530, 1100, 36],
];

#[test]
fn both_by_rows() {
    for [m, k, n] in SIZES {
        let (x, w, y) = (ty(&[m, k]), ty(&[k, n]), ty(&[m, n]));
        let body = format!("  %y = fx.mm %x, %w : ({x}, {w}) -> {y}");
        check(&format!("%x: {x}, %w: {w}"), &y, &body, &[&[m, k], &[k, n]]);
    }
}

#[test]
fn second_by_columns_and_what_follows() {
    for [m, k, n] in SIZES {
        let (x, w, b, y) = (ty(&[m, k]), ty(&[n, k]), ty(&[n]), ty(&[m, n]));
        let body = format!(
            "  %p = fx.linear %x, %w, %b : ({x}, {w}, {b}) -> {y}\n  %q = fx.relu %p : ({y}) -> {y}\n  %y = fx.add %q, %r : ({y}, {y}) -> {y}"
        );
        check(&format!("%x: {x}, %w: {w}, %b: {b}, %r: {y}"), &y, &body, &[&[m, k], &[n, k], &[n], &[m, n]]);
    }
}

#[test]
fn first_by_columns() {
    for [m, k, n] in SIZES {
        let (x, t, w, y) = (ty(&[k, m]), ty(&[m, k]), ty(&[k, n]), ty(&[m, n]));
        let body = format!("  %t = fx.transpose %x 0, 1 : ({x}) -> {t}\n  %y = fx.mm %t, %w : ({t}, {w}) -> {y}");
        check(&format!("%x: {x}, %w: {w}"), &y, &body, &[&[k, m], &[k, n]]);
    }
}

#[test]
fn batches() {
    for [m, k, n] in SIZES {
        let (x, w, y) = (ty(&[3, m, k]), ty(&[3, k, n]), ty(&[3, m, n]));
        let body = format!("  %y = fx.bmm %x, %w : ({x}, {w}) -> {y}");
        check(&format!("%x: {x}, %w: {w}"), &y, &body, &[&[3, m, k], &[3, k, n]]);
    }
}

#[test]
fn numbers_by_themselves() {
    for [m, k, n] in SIZES {
        // Sums of neighbours lie in no memory.
        let (x, w, y) = (ty(&[m, k]), ty(&[k, n]), ty(&[m, n]));
        let body = format!(
            "  %a = fx.roll %x [1] dims [1] : ({x}) -> {x}\n  %b = fx.roll %w [2] dims [0] : ({w}) -> {w}\n  %y = fx.mm %a, %b : ({x}, {w}) -> {y}"
        );
        check(&format!("%x: {x}, %w: {w}"), &y, &body, &[&[m, k], &[k, n]]);
    }
}

#[test]
fn sizes_of_the_run() {
    let (x, y) = ("tensor<?x?xbf16>", "tensor<?x?xbf16>");
    let signature = format!("%x: {x}, %w: {x}");
    let body = format!("  %y = fx.mm %x, %w : ({x}, {x}) -> {y}");
    for [m, k, n] in SIZES {
        check(&signature, y, &body, &[&[m, k], &[k, n]]);
    }
}

#[test]
fn sums_kept_as_f32() {
    for [m, k, n] in SIZES {
        let (x, w) = (ty(&[m, k]), ty(&[k, n]));
        let y = format!("tensor<{m}x{n}xf32>");
        let body = format!("  %y = fx.mm %x, %w {{out_dtype = f32}} : ({x}, {w}) -> {y}");
        check(&format!("%x: {x}, %w: {w}"), &y, &body, &[&[m, k], &[k, n]]);
    }
}
