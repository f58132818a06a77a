//! Training: an optimizer's update against numbers computed by hand, in compiled code and in the reference evaluator, and runs
//! that are stopped and go on.

use fx_mlir::training::{AdamW, Decay, Optimizer, Recipe, Schedule, Sgd, Trainer, Training};
use fx_mlir::{HostTensor, OutputItem, Program, Value};
use fx_runtime::plan::OutputKind;
use std::collections::BTreeMap;

/// The loss is `sum(w * x)`, so `x` is the gradient.
const LINEAR: &str = r#"
func.func @main(%w: tensor<2xf64> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<2xf64> {fx.kind = "input", fx.target = "x"}) -> tensor<f64> {
  %p = fx.mul %w, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %loss = fx.sum %p {dim = array<i64: 0>, keepdim = false} : (tensor<2xf64>) -> tensor<f64>
  return %loss : tensor<f64>
}
"#;
const START: [f64; 2] = [1.0, -0.5];
/// Three steps: gradients and learning rates.
const STEPS: [([f64; 2], f64); 3] = [([0.5, -2.0], 0.1), ([-0.25, 1.0], 0.05), ([3.0, 0.125], 0.2)];

fn sgd(momentum: f64, dampening: f64, weight_decay: f64, nesterov: bool) -> Optimizer {
    Optimizer::Sgd(Sgd { momentum, dampening, weight_decay, nesterov })
}

/// Tensors of two numbers, by name.
type Vectors = Vec<(&'static str, [f64; 2])>;

/// Optimizers with the parameter and the state after the three steps, by the formulas of `torch.optim` for one tensor.
#[rustfmt::skip] // a table
#[allow(clippy::approx_constant)] // 0.318 is no 1/π
fn expected() -> [(Optimizer, Vectors); 7] {
    let adamw = |betas, eps, weight_decay| Optimizer::AdamW(AdamW { betas, eps, weight_decay });
    let buffer = "optimizer.momentum_buffer.w";
    let (mean, square) = ("optimizer.exp_avg.w", "optimizer.exp_avg_sq.w");
    [
        (sgd(0.0, 0.0, 0.0, false), vec![("w", [0.3624999999999998, -0.375])]),
        (sgd(0.0, 0.0, 0.1, false), vec![("w", [0.3288439999999999, -0.36165450000000005])]),
        (sgd(0.9, 0.0, 0.0, false), vec![("w", [0.3039999999999998, -0.141]), (buffer, [3.18, -0.595])]),
        (sgd(0.9, 0.5, 0.1, false), vec![("w", [0.5245709999999999, 0.007512624999999967]), (buffer, [1.961645, -1.172625625])]),
        (sgd(0.9, 0.0, 0.1, true), vec![("w", [-0.3576274540000002, -0.0256309905]), (buffer, [3.4284433, -0.657587525])]),
        (adamw([0.9, 0.999], 1e-8, 0.01), vec![
            ("w", [0.7503223609658954, -0.3512372969906585]), (mean, [0.318, -0.0595]), (square, [0.00931193775, 0.005006629]),
        ]),
        (adamw([0.4, 0.5], 1e-2, 0.0), vec![
            ("w", [0.7400064926093327, -0.433453726575627]), (mean, [1.788, 0.123]), (square, [4.546875, 0.7578125]),
        ]),
    ]
}

fn vector(values: [f64; 2]) -> HostTensor {
    HostTensor::from_slice(&[2], &values).unwrap()
}

fn assert_close(found: &HostTensor, expected: [f64; 2], what: &str) {
    let found = found.as_slice::<f64>().unwrap();
    let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= 1e-14 * expected.abs().max(1.0));
    assert!(close, "{what}: {found:?}, expected {expected:?}");
}

#[test]
fn updates_are_those_of_torch_optim() {
    let program = Program::from_mlir(LINEAR).unwrap();
    for (optimizer, expected) in expected() {
        let mut trainer = Trainer::new(&program, &optimizer.into(), 0).unwrap();
        trainer.set_state("w", vector(START)).unwrap();
        let losses = STEPS.map(|(gradient, rate)| trainer.step(&[vector(gradient).into()], rate).unwrap());
        assert_eq!(losses[0], 1.5, "{optimizer}"); // before the first update
        assert_eq!(trainer.state().count(), expected.len(), "{optimizer}");
        for (name, values) in expected {
            let (_, value) = trainer.state().find(|(own, _)| *own == name).unwrap();
            assert_close(value.tensor().unwrap(), values, &format!("{optimizer}: {name}"));
        }
    }
}

#[test]
fn the_reference_evaluator_agrees() {
    let program = Program::from_mlir(LINEAR).unwrap();
    for (optimizer, expected) in expected() {
        let mut evaluator = program.with_training(&optimizer.into()).unwrap().interpreter().unwrap();
        let mut state = BTreeMap::from([("w".to_string(), vector(START))]);
        for (number, (gradient, rate)) in STEPS.into_iter().enumerate() {
            state.iter().for_each(|(name, tensor)| evaluator.set_state(name, tensor).unwrap());
            let inputs = [vector(gradient).into(), Value::Float(rate), Value::Int(number as i64 + 1)];
            for OutputItem { kind, value } in evaluator.call(&inputs).unwrap() {
                if let OutputKind::ParameterMutation(name) | OutputKind::BufferMutation(name) = kind {
                    state.insert(name, value.unwrap().tensor().unwrap().clone());
                }
            }
        }
        for (name, values) in expected {
            assert_close(&state[name], values, &format!("{optimizer}: {name}"));
        }
    }
}

#[test]
fn tied_parameters_are_one() {
    let text = r#"
      func.func @main(%a: tensor<2xf64> {fx.kind = "parameter", fx.target = "a"}, %b: tensor<2xf64> {fx.kind = "parameter", fx.target = "b"},
                      %x: tensor<2xf64>, %z: tensor<2xf64>) -> tensor<f64> {
        %p = fx.mul %a, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
        %q = fx.mul %b, %z : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
        %s = fx.add %p, %q : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
        %loss = fx.sum %s {dim = array<i64: 0>, keepdim = false} : (tensor<2xf64>) -> tensor<f64>
        return %loss : tensor<f64>
      }"#;
    let training = Training { tied: vec![vec!["a".into(), "b".into()]], ..sgd(0.5, 0.0, 0.0, false).into() };
    let mut trainer = Trainer::new(&Program::from_mlir(text).unwrap(), &training, 0).unwrap();
    trainer.set_state("a", vector(START)).unwrap();
    trainer.set_state("b", vector(START)).unwrap();
    trainer.step(&[vector([1.0, 2.0]).into(), vector([0.5, -3.0]).into()], 0.5).unwrap();
    let names: Vec<&str> = trainer.state().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "optimizer.momentum_buffer.a"]);
    for (name, value) in trainer.state().take(2) {
        assert_close(value.tensor().unwrap(), [0.25, 0.0], name);
    }
}

/// A loss with noise, and a buffer that counts calls.
const NOISY: &str = r#"
func.func @main(%w: tensor<4x3xf32> {fx.kind = "parameter", fx.target = "w"}, %n: tensor<f32> {fx.kind = "buffer", fx.target = "calls"},
                %x: tensor<2x4xf32>) -> (tensor<f32> {fx.kind = "output"}, tensor<f32> {fx.kind = "buffer_mutation", fx.mutates = "calls"}) {
  %one = arith.constant 1.0 : f64
  %calls = fx.add %n, %one : (tensor<f32>, f64) -> tensor<f32>
  %y = fx.mm %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %noise = fx.rand [2, 3] as f32 : tensor<2x3xf32>
  %d = fx.sub %y, %noise : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = fx.mul %d, %d : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %loss = fx.sum %s {dim = array<i64: 0, 1>, keepdim = false} : (tensor<2x3xf32>) -> tensor<f32>
  return %loss, %calls : tensor<f32>, tensor<f32>
}
"#;

fn noisy(seed: u64) -> Trainer {
    Trainer::new(&Program::from_mlir(NOISY).unwrap(), &Optimizer::AdamW(AdamW::default()).into(), seed).unwrap()
}

fn steps(trainer: &mut Trainer, count: usize) {
    for _ in 0..count {
        let step = trainer.losses().len() as f32;
        let x: Vec<f32> = (0..8).map(|index| (index as f32 + step).sin()).collect();
        trainer.step(&[HostTensor::from_slice(&[2, 4], &x).unwrap().into()], 0.05).unwrap();
    }
}

#[test]
fn a_resumed_run_is_the_same_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.safetensors");
    let recipe = Recipe::from([("data".to_string(), "sines".to_string())]);
    let mut whole = noisy(3);
    steps(&mut whole, 20);
    let mut first = noisy(3);
    steps(&mut first, 10);
    first.save(&path, &recipe).unwrap();
    steps(&mut first, 3); // lost
    let mut second = noisy(3);
    second.resume(&path, &recipe).unwrap();
    assert_eq!(second.losses(), &whole.losses()[..10]);
    steps(&mut second, 10);
    assert_eq!(second.losses(), whole.losses());
    for ((name, left), (_, right)) in whole.state().zip(second.state()) {
        assert_eq!(left.tensor().unwrap().bytes(), right.tensor().unwrap().bytes(), "{name}");
    }
    let (_, calls) = second.state().find(|(name, _)| *name == "calls").unwrap();
    assert_eq!(calls.tensor().unwrap().as_slice::<f32>().unwrap(), [20.0]);
}

#[test]
fn checkpoints_of_other_runs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.safetensors");
    let recipe = |data: &str| Recipe::from([("data".to_string(), data.to_string())]);
    let mut trainer = noisy(3);
    steps(&mut trainer, 2);
    trainer.save(&path, &recipe("sines")).unwrap();
    let error = |trainer: &mut Trainer, data: &str| {
        let error = trainer.resume(&path, &recipe(data)).unwrap_err().to_string();
        assert!(trainer.losses().is_empty());
        error.split_once(": ").unwrap().1.to_string()
    };
    let other = "the checkpoint is of another run:";
    assert_eq!(error(&mut noisy(4), "sines"), format!("{other} its seed is '3', expected '4'"));
    assert_eq!(error(&mut noisy(3), "cosines"), format!("{other} its data is 'sines', expected 'cosines'"));
    let program = |text: &str, optimizer: Optimizer| Trainer::new(&Program::from_mlir(text).unwrap(), &optimizer.into(), 3).unwrap();
    let found = error(&mut program(NOISY, sgd(0.9, 0.0, 0.0, false)), "sines");
    assert!(found.starts_with(&format!("{other} its optimizer is 'adamw betas=0.9,0.999 eps=1e-8 weight_decay=0.01'")), "{found}");
    let adamw = Optimizer::AdamW(AdamW::default());
    let wide = NOISY.replace("4x3", "4x5").replace("2x3", "2x5").replace("[2, 3]", "[2, 5]");
    assert_eq!(error(&mut program(&wide, adamw), "sines"), "tensor 'w' is f32 [4, 3], the program has f32 [4, 5]");
    let renamed = NOISY.replace("\"w\"", "\"v\"");
    assert!(error(&mut program(&renamed, adamw), "sines").ends_with("the checkpoint is of another program"));
}

#[test]
fn programs_and_options_that_cannot_be_trained_are_reported() {
    let error = |text: &str, optimizer: Optimizer| {
        let program = Program::from_mlir(text).unwrap();
        program.with_training(&optimizer.into()).err().unwrap().to_string()
    };
    let plain = sgd(0.0, 0.0, 0.0, false);
    let two = LINEAR
        .replace("-> tensor<f64> {", "-> (tensor<f64>, tensor<2xf64>) {")
        .replace("return %loss : tensor<f64>", "return %loss, %p : tensor<f64>, tensor<2xf64>");
    assert!(
        error(&two, plain)
            .contains("a training program has one output, the loss, a tensor of floats of rank 0; found: tensor<f64>, tensor<2xf64>")
    );
    assert!(error(&LINEAR.replace("\"parameter\"", "\"buffer\""), plain).contains("there is no gradient of a parameter"));
    assert!(error(LINEAR, sgd(0.0, 0.0, 0.0, true)).contains("Nesterov's momentum needs a momentum, and a dampening of 0"));
    let betas = Optimizer::AdamW(AdamW { betas: [0.9, 1.0], ..AdamW::default() });
    assert!(error(LINEAR, betas).contains("the second beta is 1, expected at least 0 and below 1"));
}

#[test]
fn schedules_rise_and_fall() {
    let schedule = Schedule { rate: 0.4, warmup: 4, decay: Decay::Cosine(12) };
    let rates: Vec<f64> = [0, 3, 4, 8, 12, 20].into_iter().map(|step| schedule.rate(step)).collect();
    let expected = [0.1, 0.4, 0.4, 0.2, 0.0, 0.0];
    assert!(rates.iter().zip(expected).all(|(rate, expected)| (rate - expected).abs() < 1e-15), "{rates:?}");
    assert_eq!(Schedule::constant(0.3).rate(1000), 0.3);
}
