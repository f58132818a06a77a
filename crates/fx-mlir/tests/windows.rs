//! Convolutions of few channels per group, whose kernels pad windows by themselves, against the reference evaluator, on small
//! whole numbers: sums are exact, so results are equal whatever computes them.

use fx_mlir::{DeviceKind, HostTensor, Program, Target, Value};
use fx_runtime::DType;

/// Types of elements.
const TYPES: [(&str, DType); 4] = [("f32", DType::F32), ("f64", DType::F64), ("f16", DType::F16), ("bf16", DType::BF16)];

/// Whole numbers from -2 to 2.
fn input(dtype: DType, dims: &[usize], seed: usize) -> HostTensor {
    let number = |i: usize| ((i * 7 + i / 5 + seed * 3) % 5) as f32 - 2.0;
    let bytes = |x: f32| match dtype {
        DType::F64 => f64::from(x).to_le_bytes().to_vec(),
        DType::F16 => half::f16::from_f32(x).to_le_bytes().to_vec(),
        DType::BF16 => half::bf16::from_f32(x).to_le_bytes().to_vec(),
        _ => x.to_le_bytes().to_vec(),
    };
    let bytes: Vec<u8> = (0..dims.iter().product()).flat_map(|i| bytes(number(i))).collect();
    HostTensor::from_bytes(dtype, dims, &bytes).unwrap()
}

/// This machine's processor, and one with other vectors whose code it can run.
fn targets() -> Vec<Target> {
    let plain = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    let plain = plain.then(|| "x86-64-v3".parse().unwrap());
    [Target::Cpu].into_iter().chain(plain).collect()
}

/// A convolution: batch, groups, channels of a group in and out; per spatial dim size, kernel, stride, padding, dilation.
#[derive(Debug)]
struct Case {
    batch: usize,
    groups: usize,
    channels: [usize; 2],
    dims: &'static [[usize; 5]],
}

impl Case {
    fn shapes(&self) -> [Vec<usize>; 3] {
        let of = |number: fn(&[usize; 5]) -> usize| self.dims.iter().map(number);
        let [inputs, outputs] = self.channels;
        let input = [self.batch, self.groups * inputs].into_iter().chain(of(|dim| dim[0])).collect();
        let weight = [self.groups * outputs, inputs].into_iter().chain(of(|dim| dim[1])).collect();
        let pixels = of(|[size, kernel, stride, padding, dilation]| (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1);
        let result = [self.batch, self.groups * outputs].into_iter().chain(pixels).collect();
        [input, weight, result]
    }

    /// The convolution of `%x` and `%w` as `%p`, types of both and of the result; batches of a size that the run knows if asked.
    fn op(&self, element: &str, any_batch: bool, bias: bool) -> (String, [String; 3]) {
        let [input, weight, result] = self.shapes();
        let ty = |shape: &[usize], any: bool| {
            let sizes = shape.iter().enumerate().map(|(i, size)| if any && i == 0 { "?x".to_string() } else { format!("{size}x") });
            format!("tensor<{}{element}>", sizes.collect::<String>())
        };
        let (x, w, y) = (ty(&input, any_batch), ty(&weight, false), ty(&result, any_batch));
        let list = |i: usize| format!("{:?}", self.dims.iter().map(|dim| dim[i]).collect::<Vec<_>>());
        let (b, of_b) = if bias { (" bias %b", format!(", tensor<{}x{element}>", weight[0])) } else { ("", String::new()) };
        let op = format!(
            "  %p = fx.convolution %x, %w{b} stride {} padding {} dilation {} output_padding [0] groups [{}] : ({x}, {w}{of_b}) -> {y}\n",
            list(2),
            list(3),
            list(4),
            self.groups
        );
        (op, [x, w, y])
    }
}

/// Compares the program `@main(arguments) -> result` with the reference evaluator, all elements.
fn compare(text: &str, inputs: &[Value]) {
    let program = Program::from_mlir(text).unwrap();
    let expected = program.interpreter().unwrap().call(inputs).unwrap();
    let numbers = |value: &Option<Value>| match value {
        Some(Value::Tensor(tensor)) => tensor.to_f64_vec().unwrap(),
        other => panic!("expected a tensor, got {other:?}"),
    };
    for target in targets() {
        let mut compiled = program.compile(&target).unwrap().executor(DeviceKind::Cpu).unwrap();
        let actual = compiled.call(inputs).unwrap();
        assert_eq!(actual.len(), expected.len());
        for (actual, expected) in actual.iter().zip(&expected) {
            let (actual, expected) = (numbers(&actual.value), numbers(&expected.value));
            assert_eq!(actual.len(), expected.len());
            let wrong = actual.iter().zip(&expected).position(|(a, e)| a != e);
            assert_eq!(wrong, None, "{target}: {text}\n{:?}", wrong.map(|i| (actual[i], expected[i])));
        }
    }
}

/// Kernels of all ranks, steps and edges; images that are whole vectors, less than one, and in several blocks.
const CASES: [Case; 28] = [
    Case { batch: 1, groups: 3, channels: [1, 1], dims: &[[56, 3, 1, 1, 1], [56, 3, 1, 1, 1]] },
    Case { batch: 2, groups: 5, channels: [1, 1], dims: &[[28, 3, 2, 1, 1], [30, 3, 2, 1, 1]] },
    Case { batch: 1, groups: 4, channels: [1, 1], dims: &[[14, 5, 1, 2, 1], [14, 5, 1, 2, 1]] },
    Case { batch: 1, groups: 4, channels: [1, 1], dims: &[[7, 5, 1, 2, 1], [7, 5, 1, 2, 1]] },
    Case { batch: 3, groups: 2, channels: [1, 1], dims: &[[15, 5, 2, 2, 1], [17, 5, 2, 2, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[9, 7, 1, 3, 1], [33, 7, 1, 3, 1]] },
    Case { batch: 2, groups: 3, channels: [1, 2], dims: &[[10, 3, 1, 0, 1], [20, 3, 1, 0, 1]] },
    Case { batch: 2, groups: 2, channels: [2, 1], dims: &[[10, 3, 1, 1, 1], [20, 3, 1, 1, 1]] },
    Case { batch: 2, groups: 3, channels: [4, 1], dims: &[[9, 3, 1, 1, 1], [18, 3, 2, 1, 1]] },
    Case { batch: 2, groups: 1, channels: [1, 3], dims: &[[9, 3, 1, 1, 1], [18, 3, 1, 1, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[20, 3, 1, 2, 2], [21, 3, 1, 3, 3]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[20, 3, 2, 2, 2], [41, 3, 2, 3, 3]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[20, 4, 3, 2, 1], [41, 4, 3, 3, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[20, 2, 4, 0, 1], [41, 3, 5, 1, 2]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[34, 8, 8, 1, 1], [300, 9, 9, 2, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[12, 1, 1, 0, 1], [40, 3, 1, 1, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[12, 3, 1, 1, 1], [40, 1, 1, 0, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[5, 5, 1, 0, 1], [5, 5, 1, 0, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[1, 3, 1, 1, 1], [1, 3, 1, 1, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[3, 3, 1, 4, 1], [3, 3, 1, 20, 1]] },
    Case { batch: 1, groups: 1, channels: [1, 1], dims: &[[200, 3, 1, 1, 1], [300, 3, 1, 1, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[12, 15, 1, 7, 1], [20, 15, 1, 7, 1]] },
    Case { batch: 2, groups: 4, channels: [1, 1], dims: &[[50, 4, 1, 3, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[20_000, 5, 1, 2, 1]] },
    Case { batch: 1, groups: 2, channels: [1, 1], dims: &[[700, 90, 3, 2, 1]] },
    Case { batch: 1, groups: 2, channels: [2, 1], dims: &[[6, 3, 1, 1, 1], [7, 3, 1, 1, 1], [18, 3, 1, 1, 1]] },
    Case { batch: 2, groups: 2, channels: [1, 1], dims: &[[7, 3, 2, 1, 1], [8, 3, 1, 0, 2], [18, 3, 2, 1, 1]] },
    Case { batch: 1, groups: 1, channels: [1, 1], dims: &[[20, 3, 1, 1, 1], [40, 3, 1, 1, 1], [40, 3, 1, 1, 1]] },
];

#[test]
fn sums_alone() {
    for (case, (element, dtype)) in CASES.iter().zip(TYPES.iter().cycle()) {
        let (op, [x, w, y]) = case.op(element, false, false);
        let [input_shape, weight_shape, _] = case.shapes();
        let text = format!("func.func @main(%x: {x}, %w: {w}) -> {y} {{\n{op}  return %p : {y}\n}}");
        compare(&text, &[input(*dtype, &input_shape, 0).into(), input(*dtype, &weight_shape, 1).into()]);
    }
}

#[test]
fn what_follows() {
    for (case, (element, dtype)) in CASES.iter().zip(TYPES.iter().cycle().skip(1)) {
        let (op, [x, w, y]) = case.op(element, false, true);
        let [input_shape, weight_shape, result] = case.shapes();
        let channels = weight_shape[0];
        let body = format!("{op}  %q = fx.relu %p : ({y}) -> {y}\n  %y = fx.add %q, %r : ({y}, {y}) -> {y}\n");
        let signature = format!("%x: {x}, %w: {w}, %b: tensor<{channels}x{element}>, %r: {y}");
        let text = format!("func.func @main({signature}) -> ({y}, {y}) {{\n{body}  return %y, %q : {y}, {y}\n}}");
        let shapes = [input_shape, weight_shape, vec![channels], result];
        let inputs: Vec<Value> = shapes.iter().enumerate().map(|(seed, dims)| input(*dtype, dims, seed).into()).collect();
        compare(&text, &inputs);
    }
}

#[test]
fn what_follows_knows_its_place() {
    for case in &CASES {
        let (op, [x, w, y]) = case.op("f32", false, false);
        let [input_shape, weight_shape, result] = case.shapes();
        let last = result[result.len() - 1];
        let body = format!("{op}  %y = fx.add %p, %r : ({y}, tensor<{last}xf32>) -> {y}\n");
        let text = format!("func.func @main(%x: {x}, %w: {w}, %r: tensor<{last}xf32>) -> {y} {{\n{body}  return %y : {y}\n}}");
        let shapes = [input_shape, weight_shape, vec![last]];
        let inputs: Vec<Value> = shapes.iter().enumerate().map(|(seed, dims)| input(DType::F32, dims, seed).into()).collect();
        compare(&text, &inputs);
    }
}

#[test]
fn batches_of_the_run() {
    for case in &CASES {
        let (op, [x, w, y]) = case.op("f32", true, true);
        let [mut input_shape, weight_shape, _] = case.shapes();
        let channels = weight_shape[0];
        let text = format!("func.func @main(%x: {x}, %w: {w}, %b: tensor<{channels}xf32>) -> {y} {{\n{op}  return %p : {y}\n}}");
        for batch in [0, 1, 3] {
            input_shape[0] = batch;
            let shapes = [input_shape.clone(), weight_shape.clone(), vec![channels]];
            let inputs: Vec<Value> = shapes.iter().enumerate().map(|(seed, dims)| input(DType::F32, dims, seed).into()).collect();
            compare(&text, &inputs);
        }
    }
}
