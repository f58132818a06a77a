//! Trains exported programs on data that it makes:
//!
//! ```text
//! cargo run --release -p fx-mlir --example train -- gpt2_tiny/model_train.pt2 mlp/model_train.pt2
//! ```
//!
//! A program's only output is its loss. One with two inputs of integers, tokens and the tokens that follow, learns a rule by
//! which each token follows from the one before; one with floats and classes learns in which direction a point lies.
//! [`Trainer`] compiles forward, backward and the optimizer's update as one step; parameters stay where they are between steps.

use std::error::Error;

use fx_mlir::training::{AdamW, Decay, Optimizer, Schedule, Trainer};
use fx_mlir::{HostTensor, InputKind, Program, RuntimeError, Value};

const STEPS: u64 = 200;
/// Batches, which are seen again and again.
const BATCHES: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        return Err("give the paths of training programs, such as model_train.pt2".into());
    }
    for path in paths {
        let program = Program::open(path.as_ref())?;
        let data = data(&program)?;
        let mut trainer = Trainer::new(&program, &Optimizer::AdamW(AdamW::default()).into(), 0)?;
        let schedule = Schedule { rate: 3e-3, warmup: 10, decay: Decay::Cosine(STEPS) };
        for step in 0..STEPS {
            let loss = trainer.step(&data[step as usize % BATCHES], schedule.rate(step))?;
            if step % 40 == 0 || step + 1 == STEPS {
                println!("{path}  step {:3}  loss {loss:.4}", step + 1);
            }
        }
    }
    Ok(())
}

/// Batches that fit a program's two inputs.
fn data(program: &Program) -> Result<Vec<Vec<Value>>, Box<dyn Error>> {
    let mut shapes = Vec::new();
    for input in program.inputs() {
        let InputKind::Tensor { element, dims } = &input.kind else {
            return Err(format!("input '{}' is a number, this example makes tensors", input.name).into());
        };
        let dims = dims.iter().map(|dim| dim.parse()).collect::<Result<Vec<usize>, _>>();
        shapes.push((element.as_str(), dims.map_err(|_| format!("input '{}' has a size that the program leaves open", input.name))?));
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let batch = |_| match &shapes[..] {
        [("i64", tokens), ("i64", next)] if tokens == next => Ok(sequences(&mut random, tokens)?),
        [("f32", points), ("i64", classes)] if points.len() == 2 && classes.len() == 1 => Ok(directions(&mut random, points)?),
        _ => Err(format!("no data for inputs {shapes:?}").into()),
    };
    (0..BATCHES).map(batch).collect()
}

/// Rows in which a token follows from the one before, and the same rows one token later.
fn sequences(random: &mut Random, dims: &[usize]) -> Result<Vec<Value>, RuntimeError> {
    let length = dims.last().copied().unwrap_or(1);
    let (mut tokens, mut next) = (Vec::new(), Vec::new());
    for _ in 0..dims.iter().product::<usize>() / length {
        let mut token = random.below(61);
        for _ in 0..length {
            tokens.push(token);
            token = (5 * token + 3) % 61;
            next.push(token);
        }
    }
    Ok(vec![HostTensor::from_slice(dims, &tokens)?.into(), HostTensor::from_slice(dims, &next)?.into()])
}

/// Points, and for each which of its first four coordinates is the largest.
fn directions(random: &mut Random, dims: &[usize]) -> Result<Vec<Value>, RuntimeError> {
    let points: Vec<f32> = (0..dims[0] * dims[1]).map(|_| random.below(2001) as f32 / 1000.0 - 1.0).collect();
    let largest = |point: &[f32]| (0..dims[1].min(4)).max_by(|a, b| point[*a].total_cmp(&point[*b])).unwrap_or(0) as i64;
    let classes: Vec<i64> = points.chunks(dims[1].max(1)).map(largest).collect();
    Ok(vec![HostTensor::from_slice(dims, &points)?.into(), HostTensor::from_slice(&dims[..1], &classes)?.into()])
}

/// Marsaglia's xorshift64: the same numbers in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound) as i64
    }
}
