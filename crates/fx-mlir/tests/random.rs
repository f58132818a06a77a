//! Random numbers of compiled programs: the generator's words, distributions by statistics with fixed seeds, seeds.

use fx_library::philox;
use fx_mlir::{DeviceKind, Executor, HostTensor, Library, Program, Target, Value};
use std::f64::consts::{LN_2, PI, SQRT_2};

/// A program from the body of `@main`, whose random numbers start from `seed`.
fn program(signature: &str, body: &str, seed: u64) -> Executor {
    let text = format!("func.func @main{signature} {{\n{body}\n}}");
    let compiled = Program::from_mlir(&text).and_then(|program| program.compile(&Target::Cpu));
    compiled.and_then(|compiled| compiled.executor_with(DeviceKind::Cpu, &Library::with_seed(seed))).unwrap()
}

fn results(program: &mut Executor, inputs: &[HostTensor]) -> Vec<HostTensor> {
    let inputs: Vec<Value> = inputs.iter().cloned().map(Value::from).collect();
    let tensor = |value: Option<Value>| match value {
        Some(Value::Tensor(tensor)) => tensor,
        other => panic!("expected a tensor, got {other:?}"),
    };
    program.call(&inputs).unwrap().into_iter().map(|item| tensor(item.value)).collect()
}

/// The only result of a program without inputs.
fn drawn(ty: &str, op: &str, seed: u64) -> Vec<f64> {
    let body = format!("  %y = fx.{op} : {ty}\n  return %y : {ty}");
    results(&mut program(&format!("() -> {ty}"), &body, seed), &[])[0].to_f64_vec().unwrap()
}

/// `count` samples of an op in the shape of an operand.
fn like(op: &str, element: &str, count: usize, seed: u64) -> Vec<f64> {
    let ty = format!("tensor<{count}x{element}>");
    let body =
        format!("  %x = fx.empty[{count}] as {element} : {ty}\n  %y = fx.{} : ({ty}) -> {ty}\n  return %y : {ty}", op.replace("OF", "%x"));
    results(&mut program(&format!("() -> {ty}"), &body, seed), &[])[0].to_f64_vec().unwrap()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
}

/// The statistic of Kolmogorov and Smirnov, `sqrt(n) sup |F_n - F|`: above 1.95 once in 1000 times.
fn kolmogorov(mut values: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    let n = values.len() as f64;
    values.sort_by(f64::total_cmp);
    let distance = |(i, value): (usize, &f64)| (cdf(*value) - i as f64 / n).abs().max((cdf(*value) - (i + 1) as f64 / n).abs());
    values.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

/// The distribution function of N(0, 1), by the series of erf (AMS55 7.1.5).
fn normal_cdf(z: f64) -> f64 {
    let x = (z / SQRT_2).clamp(-5.0, 5.0);
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    0.5 + sum / PI.sqrt()
}

const COUNT: usize = 20_000;

fn follows(values: Vec<f64>, cdf: impl Fn(f64) -> f64, what: &str) {
    assert_eq!(values.len(), COUNT, "{what}");
    let statistic = kolmogorov(values, cdf);
    assert!(statistic < 1.95, "{what}: {statistic}");
}

#[test]
fn kernels_draw_the_words_of_the_generator() {
    let body = "  %a = fx.rand[2, 3] : tensor<2x3xf32>\n  %b = fx.rand[3] as f64 : tensor<3xf64>\n  return %a, %b : tensor<2x3xf32>, tensor<3xf64>";
    let seed = 0x1234_5678_9abc_def0;
    let mut program = program("() -> (tensor<2x3xf32>, tensor<3xf64>)", body, seed);
    for call in 0..2u32 {
        let found = results(&mut program, &[]);
        let block = |place: u32, index: u32| philox([seed as u32, (seed >> 32) as u32], [place, 0, index, 0]);
        let words = [block(2 * call, 0), block(2 * call, 1)].concat();
        let singles: Vec<f64> = words[..6].iter().map(|word| f64::from(word >> 8) / 2f64.powi(24)).collect();
        assert_eq!(found[0].to_f64_vec().unwrap(), singles);
        let words = [block(2 * call + 1, 0), block(2 * call + 1, 1)].concat();
        let double = |pair: &[u32]| ((u64::from(pair[1]) << 32 | u64::from(pair[0])) >> 11) as f64 / 2f64.powi(53);
        assert_eq!(found[1].to_f64_vec().unwrap(), words.chunks(2).take(3).map(double).collect::<Vec<_>>());
    }
}

#[test]
fn seeds_repeat_and_calls_go_on() {
    let body = "  %a = fx.randn[100] : tensor<100xf32>\n  %b = fx.randn[100] : tensor<100xf32>\n  return %a, %b : tensor<100xf32>, tensor<100xf32>";
    let numbers = |program: &mut Executor| results(program, &[]).iter().map(|tensor| tensor.to_f64_vec().unwrap()).collect::<Vec<_>>();
    let make = |seed| program("() -> (tensor<100xf32>, tensor<100xf32>)", body, seed);
    let (mut one, mut two, mut other) = (make(1), make(1), make(2));
    let first = numbers(&mut one);
    assert_ne!(first[0], first[1]);
    assert_eq!(numbers(&mut two), first);
    assert_ne!(numbers(&mut other), first);
    let next = numbers(&mut one);
    assert_ne!(next[0], first[0]);
    assert_eq!(numbers(&mut two), next);
    // A library that two programs share, and that starts again.
    let library = Library::with_seed(1);
    let text = format!("func.func @main() -> (tensor<100xf32>, tensor<100xf32>) {{\n{body}\n}}");
    let executor = || Program::from_mlir(&text).unwrap().compile(&Target::Cpu).unwrap().executor_with(DeviceKind::Cpu, &library).unwrap();
    let (mut a, mut b) = (executor(), executor());
    assert_eq!((numbers(&mut a), numbers(&mut b)), (first.clone(), next));
    library.set_seed(1);
    assert_eq!(numbers(&mut b), first);
}

#[test]
fn uniform_samples() {
    for (element, digits) in [("f32", 24), ("f64", 53), ("f16", 11), ("bf16", 8)] {
        let values = drawn(&format!("tensor<{COUNT}x{element}>"), &format!("rand[{COUNT}] as {element}"), 3);
        let steps = 2f64.powi(digits);
        assert!(values.iter().all(|value| (0.0..1.0).contains(value) && (value * steps).fract() == 0.0), "{element}");
        assert!((mean(&values) - 0.5 + 0.5 / steps).abs() < 0.01 && (variance(&values) - 1.0 / 12.0).abs() < 0.003, "{element}");
        if digits >= 24 {
            follows(values, |x| x, element);
        }
        let values = like("uniform OF from -3.0 to 5.0", element, COUNT, 4);
        assert!(values.iter().all(|value| (-3.0..5.0).contains(value)), "{element}");
        assert!((mean(&values) - 1.0).abs() < 0.08 && (variance(&values) - 64.0 / 12.0).abs() < 0.2, "{element}");
    }
    assert!(like("uniform OF from 2.0 to 2.0", "f32", 10, 1).iter().all(|value| *value == 2.0));
}

#[test]
fn normal_samples() {
    for (element, seed) in [("f32", 5), ("f64", 6)] {
        let values = drawn(&format!("tensor<{COUNT}x{element}>"), &format!("randn[{COUNT}] as {element}"), seed);
        assert!(mean(&values).abs() < 0.03 && (variance(&values) - 1.0).abs() < 0.04, "{element}");
        // Neighbours come from one pair, but are independent, and so are their squares.
        for lag in 1..5 {
            let product = |power: i32| mean(&values.windows(lag + 1).map(|w| w[0].powi(power) * w[lag].powi(power)).collect::<Vec<_>>());
            assert!(product(1).abs() < 0.03 && (product(2) - 1.0).abs() < 0.1, "{element}: lag {lag}");
        }
        follows(values, normal_cdf, element);
        let values = like("normal_functional OF mean 2.0 std 3.0", element, COUNT, seed);
        follows(values, |x| normal_cdf((x - 2.0) / 3.0), "normal_functional");
        let values = like("log_normal OF mean 0.5 std 0.25", element, COUNT, seed);
        follows(values, |x| normal_cdf((x.ln() - 0.5) / 0.25), "log_normal");
    }
    let values = like("normal_functional OF mean 0.0 std 1.0", "bf16", COUNT, 1);
    assert!(mean(&values).abs() < 0.03 && (variance(&values) - 1.0).abs() < 0.04);
}

#[test]
fn other_continuous_distributions() {
    for element in ["f32", "f64"] {
        let values = like("exponential OF lambd 2.0", element, COUNT, 7);
        assert!(values.iter().all(|value| *value > 0.0));
        follows(values, |x| 1.0 - (-2.0 * x).exp(), "exponential");
        let values = like("cauchy OF median 1.0 sigma 2.0", element, COUNT, 8);
        follows(values, |x| 0.5 + ((x - 1.0) / 2.0).atan() / PI, "cauchy");
    }
    // Half precision: positive, and the median is ln 2.
    let mut values = like("exponential OF lambd 1.0", "f16", COUNT, 9);
    values.sort_by(f64::total_cmp);
    assert!(values[0] > 0.0 && (values[COUNT / 2] - LN_2).abs() < 0.03);
}

#[test]
fn geometric_samples() {
    for element in ["f32", "f64", "f16", "i64", "i32", "ui8"] {
        let values = like("geometric OF p 0.3", element, COUNT, 10);
        assert!(values.iter().all(|value| *value >= 1.0 && value.fract() == 0.0), "{element}");
        assert!((mean(&values) - 1.0 / 0.3).abs() < 0.08, "{element}: {}", mean(&values));
        for k in 1..5 {
            let share = values.iter().filter(|value| **value == f64::from(k)).count() as f64 / COUNT as f64;
            assert!((share - 0.7f64.powi(k - 1) * 0.3).abs() < 0.013, "{element}: {k}");
        }
    }
}

#[test]
fn integers_of_a_range() {
    for element in ["i64", "i32", "i16", "i8", "f32", "f16", "bf16"] {
        let values = drawn(&format!("tensor<{COUNT}x{element}>"), &format!("randint[-3] to [5] size [{COUNT}] as {element}"), 11);
        for k in -3..5 {
            let count = values.iter().filter(|value| **value == f64::from(k)).count() as i64;
            assert!((count - COUNT as i64 / 8).abs() < 220, "{element}: {k}: {count}");
        }
        assert!(values.iter().all(|value| (-3.0..5.0).contains(value)));
    }
    let values = drawn(&format!("tensor<{COUNT}xi1>"), &format!("randint[] to [2] size [{COUNT}] as i1"), 12);
    assert!((mean(&values) - 0.5).abs() < 0.015);
    let wide =
        drawn(&format!("tensor<{COUNT}xi64>"), &format!("randint[-9223372036854775807] to [9223372036854775807] size [{COUNT}]"), 13);
    follows(wide, |x| x / 2f64.powi(64) + 0.5, "all integers");
    assert_eq!(drawn("tensor<4xi64>", "randint[7] to [8] size [4]", 0), [7.0; 4]);
}

#[test]
fn bernoulli_samples() {
    for element in ["f32", "f64", "f16", "i64", "ui8", "i1"] {
        for p in [0.0, 0.2, 0.75, 1.0] {
            let values = like(&format!("bernoulli OF p {p:.2}"), element, COUNT, 14);
            assert!(values.iter().all(|value| *value == 0.0 || *value == 1.0));
            let bound = if p == 0.0 || p == 1.0 { 0.0 } else { 0.012 };
            assert!((mean(&values) - p).abs() <= bound, "{element}: {p}");
        }
    }
    let body = "  %y = fx.bernoulli %p : (tensor<3x5000xf32>) -> tensor<3x5000xf32>\n  return %y : tensor<3x5000xf32>";
    let mut program = program("(%p: tensor<3x5000xf32>) -> tensor<3x5000xf32>", body, 15);
    let p: Vec<f32> = [0.0, 0.3, 1.0].into_iter().flat_map(|p| [p; 5000]).collect();
    let values = results(&mut program, &[HostTensor::from_slice(&[3, 5000], &p).unwrap()])[0].to_f64_vec().unwrap();
    let rate = |row: usize| mean(&values[row * 5000..][..5000]);
    assert!(rate(0) == 0.0 && (rate(1) - 0.3).abs() < 0.025 && rate(2) == 1.0);
}

#[test]
fn dropout_keeps_and_scales() {
    let run = |p: f64, train: bool| {
        let types = format!("(tensor<{COUNT}xf32>, tensor<{COUNT}xi1>)");
        let body = format!(
            "  %y, %m = fx.native_dropout %x p {p:.2} train {train} : (tensor<{COUNT}xf32>) -> {types}\n  return %y, %m : {}",
            &types[1..types.len() - 1]
        );
        let mut program = program(&format!("(%x: tensor<{COUNT}xf32>) -> {types}"), &body, 16);
        let x: Vec<f32> = (1..=COUNT).map(|i| i as f32).collect();
        let found = results(&mut program, &[HostTensor::from_slice(&[COUNT], &x).unwrap()]);
        (found[0].to_f64_vec().unwrap(), found[1].to_f64_vec().unwrap(), program.required_ops().len())
    };
    let (values, mask, _) = run(0.25, true);
    assert!((mean(&mask) - 0.75).abs() < 0.015);
    let scale = f64::from(1.0f32 / 0.75);
    for (i, (value, kept)) in values.iter().zip(&mask).enumerate() {
        assert!((value - (i + 1) as f64 * scale * kept).abs() <= 1e-2, "{i}: {value}");
    }
    let (values, mask, _) = run(1.0, true);
    assert!(values.iter().chain(&mask).all(|value| *value == 0.0));
    let (values, mask, _) = run(0.0, true);
    assert!(values.iter().enumerate().all(|(i, value)| *value == (i + 1) as f64) && mask.iter().all(|kept| *kept == 1.0));
    let (values, mask, ops) = run(0.5, false);
    assert!(values.iter().enumerate().all(|(i, value)| *value == (i + 1) as f64) && mask.iter().all(|kept| *kept == 1.0));
    assert_eq!(ops, 0, "no state is read without training");
}

#[test]
fn slopes_of_rrelu() {
    let ty = format!("tensor<{COUNT}xf32>");
    let body = format!(
        "  %y, %n = fx.rrelu_with_noise_functional %x, %x training true {{lower = 0.1 : f64, upper = 0.3 : f64}}\n    : ({ty}, {ty}) -> ({ty}, {ty})\n  return %y, %n : {ty}, {ty}"
    );
    let mut program = program(&format!("(%x: {ty}) -> ({ty}, {ty})"), &body, 17);
    let x: Vec<f32> = (0..COUNT).map(|i| if i % 2 == 0 { -1.0 } else { 2.0 }).collect();
    let found = results(&mut program, &[HostTensor::from_slice(&[COUNT], &x).unwrap()]);
    let (y, slopes) = (found[0].to_f64_vec().unwrap(), found[1].to_f64_vec().unwrap());
    for i in 0..COUNT {
        let range = if i % 2 == 0 { 0.099999..0.300001 } else { 1.0..1.000001 };
        assert!(range.contains(&slopes[i]) && y[i] == f64::from(x[i]) * slopes[i], "{i}");
    }
    let even: Vec<f64> = slopes.iter().step_by(2).copied().collect();
    assert!((mean(&even) - 0.2).abs() < 0.003 && (variance(&even) - 0.04 / 12.0).abs() < 2e-4);
}

#[test]
fn normal_with_tensors() {
    let body =
        "  %y = fx.normal %m, %s size [] : (tensor<2x1xf32>, tensor<10000xf32>) -> tensor<2x10000xf32>\n  return %y : tensor<2x10000xf32>";
    let mut program = program("(%m: tensor<2x1xf32>, %s: tensor<10000xf32>) -> tensor<2x10000xf32>", body, 18);
    let std: Vec<f32> = (0..10000).map(|i| if i < 5000 { 0.0 } else { 2.0 }).collect();
    let inputs = [HostTensor::from_slice(&[2, 1], &[1.0f32, -4.0]).unwrap(), HostTensor::from_slice(&[10000], &std).unwrap()];
    let values = results(&mut program, &inputs)[0].to_f64_vec().unwrap();
    assert!(values[..5000].iter().all(|value| *value == 1.0) && values[10000..15000].iter().all(|value| *value == -4.0));
    for (start, middle) in [(5000, 1.0), (15000, -4.0)] {
        let part = &values[start..start + 5000];
        assert!((mean(part) - middle).abs() < 0.12 && (variance(part) - 4.0).abs() < 0.4);
    }
    assert_ne!(values[5000] - 1.0, values[15000] + 4.0);
}

#[test]
fn parts_of_complex_samples_share_the_variance() {
    let body = "  %z = fx.randn[10000] as complex<f32> : tensor<10000xcomplex<f32>>\n  %y = fx.view_as_real %z : (tensor<10000xcomplex<f32>>) -> tensor<10000x2xf32>\n  return %y : tensor<10000x2xf32>";
    let values = results(&mut program("() -> tensor<10000x2xf32>", body, 19), &[])[0].to_f64_vec().unwrap();
    let (re, im): (Vec<f64>, Vec<f64>) = values.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert!((variance(&re) - 0.5).abs() < 0.03 && (variance(&im) - 0.5).abs() < 0.03);
    assert!(mean(&re.iter().zip(&im).map(|(a, b)| a * b).collect::<Vec<_>>()).abs() < 0.02);
}

#[test]
fn permutations_and_draws_by_weight() {
    for element in ["i64", "i32", "f32"] {
        let mut values = drawn(&format!("tensor<100x{element}>"), &format!("randperm[100] as {element}"), 20);
        assert_ne!(values, (0..100).map(f64::from).collect::<Vec<_>>());
        values.sort_by(f64::total_cmp);
        assert_eq!(values, (0..100).map(f64::from).collect::<Vec<_>>());
    }
    let body = "  %y = fx.multinomial %w[3] replacement false : (tensor<2x4xf16>) -> tensor<2x3xi64>\n  return %y : tensor<2x3xi64>";
    let mut program = program("(%w: tensor<2x4xf16>) -> tensor<2x3xi64>", body, 21);
    let weights: Vec<u8> = [0x3c00u16, 0, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0, 0x3c00].iter().flat_map(|half| half.to_le_bytes()).collect();
    let weights = HostTensor::from_bytes(fx_runtime::DType::F16, &[2, 4], &weights).unwrap();
    let found = results(&mut program, &[weights])[0].to_f64_vec().unwrap();
    let sorted = |row: &[f64]| {
        let mut row = row.to_vec();
        row.sort_by(f64::total_cmp);
        row
    };
    assert_eq!((sorted(&found[..3]), sorted(&found[3..])), (vec![0.0, 2.0, 3.0], vec![0.0, 1.0, 3.0]));
}

#[test]
fn sizes_of_all_kinds() {
    assert_eq!(drawn("tensor<f32>", "randn[]", 1).len(), 1);
    assert!(drawn("tensor<0x3xf32>", "rand[0, 3]", 1).is_empty());
    assert!(drawn("tensor<0xi64>", "randperm[0]", 1).is_empty());
    let signature = "(%x: tensor<?x3xf32> {fx.dims = [\"n\", 3]}) -> tensor<?x3xf64> attributes {fx.symbols = {n = array<i64: 0, -1>}}";
    let body = "  %y = fx.rand_like %x as f64 : (tensor<?x3xf32>) -> tensor<?x3xf64>\n  return %y : tensor<?x3xf64>";
    let mut program = program(signature, body, 22);
    for rows in [0, 1, 7] {
        let found = results(&mut program, &[HostTensor::from_slice(&[rows, 3], &vec![0f32; rows * 3]).unwrap()]);
        assert_eq!(found[0].dims(), [rows, 3]);
        let mut values = found[0].to_f64_vec().unwrap();
        values.dedup();
        assert_eq!(values.len(), rows * 3);
    }
}
