//! `fxc train`: lower the loss that a program gives, by steps that are compiled once.

mod curve;
mod data;

use crate::error::{CliError, Result, note, print};
use crate::files::write_text;
use crate::progress::Progress;
use crate::values::NamedValue;
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use data::Batches;
use fx_mlir::Program;
use fx_mlir::training::{AdamW, Decay, Optimizer, Recipe, Schedule, Sgd, Trainer};
use fx_runtime::tensor_file::TensorFile;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

const EXAMPLES: &str = "\
MODEL gives one result, its loss. Its parameters are trained; its buffers change as the program says.

Data: a tensor `input.N` for each tensor input, in calling order. With one more dim than the input, the first counts
batches; with as many dims, it counts samples, of which the first batch takes as many as the input has rows, the second
the next, and what is left over at the end is not used. Step k (from 0) takes batch k modulo their number.

A checkpoint holds parameters and buffers by their names, the optimizer's state, all losses and the place of the random
numbers; it is replaced as a whole. The losses after --resume are those of a run that was never stopped, bit by bit.
Ctrl-C ends the run after its step, with a checkpoint.

Examples:
  fxc train model.pt2 --data batches.safetensors --steps 200
  fxc train model.pt2 --data batches.safetensors --steps 1000 --lr 3e-4 --schedule cosine --warmup 50
  fxc train model.pt2 --data batches.safetensors --steps 200 --optimizer sgd --lr 0.1 --momentum 0.9
  fxc train model.pt2 --data batches.safetensors --steps 1000 --checkpoint run.safetensors --resume
  fxc train model.pt2 --data batches.safetensors --steps 200 --plot loss.svg --log loss.tsv";

/// Train a program on the CPU: forward, backward and the optimizer's update in one compiled step
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    /// The program: a .pt2 archive or .mlir text
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Its inputs, as tensors input.0, input.1, ..: see below
    #[arg(long, value_name = "DATA.safetensors")]
    data: PathBuf,
    /// A number input, by its position among the inputs (from 0) or its name; the same in all steps
    #[arg(long, value_name = "N=VALUE")]
    arg: Vec<NamedValue>,
    /// Parameters and buffers to begin with, by name; by default the archive's (of text: random matrices, the rest 0)
    #[arg(long, value_name = "IN.safetensors")]
    init: Option<PathBuf>,
    /// Number of steps in all, those before --resume included
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    steps: usize,
    /// The optimizer, as PyTorch has it
    #[arg(long, value_enum, default_value = "adamw")]
    optimizer: Name,
    /// Learning rate; by default 0.001 for adamw, 0.01 for sgd
    #[arg(long, value_name = "X")]
    lr: Option<f64>,
    /// What becomes of the learning rate: constant, or to 0 at the last step along half a cosine
    #[arg(long, value_enum, default_value = "constant")]
    schedule: Shape,
    /// Steps in which the learning rate grows to its full size
    #[arg(long, value_name = "N", default_value_t = 0)]
    warmup: u64,
    /// Momentum of sgd
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    momentum: f64,
    /// Dampening of sgd's momentum
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    dampening: f64,
    /// Nesterov's form of sgd's momentum
    #[arg(long)]
    nesterov: bool,
    /// Weight decay; by default 0.01 for adamw, 0 for sgd
    #[arg(long, value_name = "X")]
    weight_decay: Option<f64>,
    /// How much of adamw's means of gradients and of their squares stays
    #[arg(long, value_name = "X,X", default_value = "0.9,0.999", value_parser = betas)]
    betas: [f64; 2],
    /// What is added to adamw's denominator
    #[arg(long, value_name = "X", default_value = "1e-8")]
    eps: f64,
    /// Where the random numbers start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where to keep what a run needs to go on
    #[arg(long, value_name = "FILE.safetensors")]
    checkpoint: Option<PathBuf>,
    /// Steps between checkpoints; there is one at the end too
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    every: usize,
    /// Go on from the checkpoint, or begin if there is none yet
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Where to draw the losses
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    plot: Option<PathBuf>,
    /// Where to write a line for each step: its number, learning rate and loss
    #[arg(long, value_name = "FILE.tsv")]
    log: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    Sgd,
    Adamw,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shape {
    Constant,
    Cosine,
}

fn betas(text: &str) -> Result<[f64; 2], String> {
    let numbers = text.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>().unwrap_or_default();
    numbers.try_into().map_err(|_| format!("expected two numbers X,X, got '{text}'"))
}

impl TrainArgs {
    fn optimizer(&self) -> Optimizer {
        match self.optimizer {
            Name::Sgd => Optimizer::Sgd(Sgd {
                momentum: self.momentum,
                dampening: self.dampening,
                weight_decay: self.weight_decay.unwrap_or_default(),
                nesterov: self.nesterov,
            }),
            Name::Adamw => {
                let weight_decay = self.weight_decay.unwrap_or(AdamW::default().weight_decay);
                Optimizer::AdamW(AdamW { betas: self.betas, eps: self.eps, weight_decay })
            }
        }
    }

    fn schedule(&self) -> Schedule {
        let default = match self.optimizer {
            Name::Sgd => 1e-2,
            Name::Adamw => 1e-3,
        };
        let decay = match self.schedule {
            Shape::Constant => Decay::Constant,
            Shape::Cosine => Decay::Cosine(self.steps as u64),
        };
        Schedule { rate: self.lr.unwrap_or(default), warmup: self.warmup, decay }
    }
}

/// Runs the command.
pub fn train(args: &TrainArgs) -> Result<()> {
    // what can be wrong on the command line first: compiling may take long
    let file = TensorFile::open(&args.data)?;
    let picture = args.plot.as_deref().map(curve::format_of).transpose()?;
    let goes_on = args.checkpoint.as_deref().is_some_and(Path::exists);
    if let (true, false, Some(path)) = (goes_on, args.resume, &args.checkpoint) {
        let path = path.display();
        return Err(CliError::Usage(format!("{path} is there already: give --resume to go on from it, or remove it")));
    }
    let program = Program::open(&args.model)?;
    let names: Vec<String> = program.inputs().iter().map(|input| input.name.clone()).collect();
    let mut trainer = Trainer::new(&program, &args.optimizer().into(), args.seed)?;
    let batches = Batches::new(trainer.plan(), &names, &file, &args.data, &args.arg)?;
    let mut run = Run { args, schedule: args.schedule(), picture, recipe: Recipe::new(), saved: 0 };
    run.recipe.insert("schedule".into(), run.schedule.to_string());
    if let Some(path) = &args.init {
        initialize(&mut trainer, path)?;
    }
    if let (true, Some(path)) = (goes_on, &args.checkpoint) {
        trainer.resume(path, &run.recipe)?;
        run.saved = trainer.losses().len();
        note(&format!("{}: going on after step {}", path.display(), run.saved));
    }
    run.all(&mut trainer, &batches)
}

/// Sets parameters and buffers by their names; what a file has besides is of no interest.
fn initialize(trainer: &mut Trainer, path: &Path) -> Result<()> {
    let tensors = TensorFile::open(path)?.tensors()?;
    let names: Vec<String> = trainer.parameters_and_buffers().map(str::to_owned).collect();
    let mut given = 0;
    for (name, tensor) in tensors.into_iter().filter(|(name, _)| names.contains(name)) {
        trainer.set_state(&name, tensor)?;
        given += 1;
    }
    if given == 0 {
        return Err(CliError::Failed(format!(
            "{}: has no parameter or buffer of the program (such as '{}')",
            path.display(),
            names.join("', '")
        )));
    }
    Ok(())
}

/// A run's options, and what of it is on the disk.
struct Run<'a> {
    args: &'a TrainArgs,
    schedule: Schedule,
    picture: Option<curve::Format>,
    recipe: Recipe,
    /// Steps that the checkpoint has.
    saved: usize,
}

impl Run<'_> {
    fn all(&mut self, trainer: &mut Trainer, batches: &Batches) -> Result<()> {
        let interrupted = interruption()?;
        let progress = Progress::new(self.args.steps, false);
        let first = trainer.losses().len();
        progress.skip(first);
        let started = Instant::now();
        let per_second = |step: usize| (step - first) as f64 / started.elapsed().as_secs_f64().max(1e-9);
        for step in first..self.args.steps {
            let loss = trainer.step(&batches.values(step)?, self.schedule.rate(step as u64))?;
            progress.start(&format!("loss {loss:.4}  {:.1} steps/s", per_second(step + 1)));
            progress.finish(String::new);
            let stop = interrupted.load(Ordering::Relaxed);
            if !loss.is_finite() {
                progress.clear();
                self.draw(trainer)?;
                let kept = self.kept();
                return Err(CliError::Failed(format!("the loss is {loss} at step {}: a lower learning rate may help{kept}", step + 1)));
            }
            if stop || (step + 1) % self.args.every == 0 || step + 1 == self.args.steps {
                self.save(trainer)?;
            }
            if stop && step + 1 < self.args.steps {
                progress.clear();
                return Err(CliError::Failed(format!("interrupted after step {}{}", step + 1, self.kept())));
            }
        }
        progress.clear();
        let steps = trainer.losses().len();
        if let [begin, .., end] | [begin @ end] = trainer.losses() {
            print(&format!("{steps} steps  loss {begin:.6} to {end:.6}  {:.1} steps/s", per_second(steps)))?;
        }
        if first >= self.args.steps {
            self.draw(trainer)?; // nothing was left to do
        }
        Ok(())
    }

    fn save(&mut self, trainer: &Trainer) -> Result<()> {
        if let Some(path) = &self.args.checkpoint {
            trainer.save(path, &self.recipe)?;
            self.saved = trainer.losses().len();
        }
        self.draw(trainer)
    }

    /// Writes the log and the picture.
    fn draw(&self, trainer: &Trainer) -> Result<()> {
        let losses = trainer.losses();
        if let Some(path) = &self.args.log {
            let mut text = String::from("step\tlearning_rate\tloss\n");
            for (step, loss) in losses.iter().enumerate() {
                let _ = writeln!(text, "{}\t{:?}\t{loss:?}", step + 1, self.schedule.rate(step as u64)); // a string takes all
            }
            write_text(path, &text)?;
        }
        if let (Some(path), Some(format)) = (&self.args.plot, self.picture) {
            curve::write(path, format, losses)?;
        }
        Ok(())
    }

    /// What a message says about the checkpoint.
    fn kept(&self) -> String {
        match &self.args.checkpoint {
            Some(path) if self.saved > 0 => format!("; {} has step {}", path.display(), self.saved),
            _ => String::new(),
        }
    }
}

/// Becomes true when the user or the system asks the process to end; asked twice, it ends at once.
fn interruption() -> Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // in this order: the first signal finds the flag unset
        let registered = signal_hook::flag::register_conditional_default(signal, asked.clone())
            .and_then(|_| signal_hook::flag::register(signal, asked.clone()));
        registered.map_err(|error| CliError::Failed(format!("signal {signal} cannot be handled: {error}")))?;
    }
    Ok(asked)
}
