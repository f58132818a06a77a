//! `fxc train` as a process: runs that are killed, interrupted and go on.

use fx_runtime::HostTensor;
use fx_runtime::tensor_file::{TensorFile, write_tensors};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A perceptron of two layers, and the square of its error.
const MODEL: &str = r#"
func.func @main(
    %w1: tensor<3x16xf32> {fx.kind = "parameter", fx.target = "first.weight"},
    %b1: tensor<16xf32> {fx.kind = "parameter", fx.target = "first.bias"},
    %w2: tensor<16x1xf32> {fx.kind = "parameter", fx.target = "second.weight"},
    %x: tensor<8x3xf32> {fx.kind = "input", fx.target = "x"}, %t: tensor<8x1xf32> {fx.kind = "input", fx.target = "t"}) -> tensor<f32> {
  %a = fx.mm %x, %w1 : (tensor<8x3xf32>, tensor<3x16xf32>) -> tensor<8x16xf32>
  %b = fx.add %a, %b1 : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %h = fx.tanh %b : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = fx.mm %h, %w2 : (tensor<8x16xf32>, tensor<16x1xf32>) -> tensor<8x1xf32>
  %d = fx.sub %y, %t : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %s = fx.mul %d, %d : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %loss = fx.sum %s dim [0, 1] : (tensor<8x1xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
"#;

/// A folder with the model and five batches.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        std::fs::write(place.path("model.mlir"), MODEL).unwrap();
        let x: Vec<f32> = (0..5 * 8 * 3).map(|index| (index as f32 * 1.7).sin()).collect();
        let t: Vec<f32> = x.chunks(3).map(|x| (2.0 * x[0]).sin() + x[1] * x[2]).collect();
        place.write("data.safetensors", &[5, 8, 3], &x, &t);
        place
    }

    fn write(&self, name: &str, dims: &[usize], x: &[f32], t: &[f32]) {
        let (x, t) = (HostTensor::from_slice(dims, x).unwrap(), HostTensor::from_slice(&[5, 8, 1], t).unwrap());
        write_tensors(&self.path(name), [("input.0", &x), ("input.1", &t)], &Default::default()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `fxc train` with options, which name files of the folder.
    fn command(&self, options: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fxc"));
        command.current_dir(self.0.path()).args(["train", "model.mlir"]).args(options.split(' '));
        if !options.contains("--lr") {
            command.args(["--lr", "0.01"]);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn done(&self, options: &str) {
        let output = self.command(options).output().unwrap();
        assert!(output.status.success(), "{options}: {}", errors(&output));
    }

    fn error(&self, options: &str, code: i32) -> String {
        let output = self.command(options).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{options}");
        errors(&output)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Steps of a checkpoint; 0 if there is none.
fn steps(path: &Path) -> usize {
    if !path.exists() {
        return 0;
    }
    TensorFile::open(path).unwrap().get("training.losses").unwrap().unwrap().len()
}

/// Waits for a checkpoint with more steps.
fn wait_for_more(path: &Path, than: usize, child: &mut Child) {
    let started = Instant::now();
    while steps(path) <= than && child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(60), "no new checkpoint");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_loss_falls_and_the_parts_of_a_run_are_the_whole() {
    let place = Place::new();
    place.done("--data data.safetensors --steps 40 --log whole.tsv --plot loss.svg");
    place.done("--data data.safetensors --steps 15 --checkpoint run.safetensors");
    place.done("--data data.safetensors --steps 40 --checkpoint run.safetensors --resume --log parts.tsv");
    assert_eq!(place.text("whole.tsv"), place.text("parts.tsv"));
    let text = place.text("whole.tsv");
    let losses: Vec<f64> = text.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap().parse().unwrap()).collect();
    assert_eq!(losses.len(), 40);
    assert!(losses[35..].iter().sum::<f64>() < 0.5 * losses[..5].iter().sum::<f64>(), "{losses:?}");
    assert!(place.text("loss.svg").contains("<polyline"));
}

#[test]
fn a_run_survives_being_killed() {
    let place = Place::new();
    place.done("--data data.safetensors --steps 400 --log whole.tsv");
    let checkpoint = place.path("run.safetensors");
    let options = "--data data.safetensors --steps 400 --every 1 --checkpoint run.safetensors --resume";
    for pause in [0, 1, 3, 7] {
        let before = steps(&checkpoint);
        let mut child = place.command(options).spawn().unwrap();
        wait_for_more(&checkpoint, before, &mut child);
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        assert!(steps(&checkpoint) > before); // whole, and of this run
    }
    place.done(&format!("{options} --log parts.tsv"));
    assert_eq!(place.text("whole.tsv"), place.text("parts.tsv"));
    let partial =
        std::fs::read_dir(place.0.path()).unwrap().filter(|entry| entry.as_ref().unwrap().path().extension() == Some("partial".as_ref()));
    assert_eq!(partial.count(), 0);
}

#[test]
fn an_interrupted_run_ends_with_a_checkpoint() {
    let place = Place::new();
    let checkpoint = place.path("run.safetensors");
    let options = "--data data.safetensors --steps 100000000 --every 50 --checkpoint run.safetensors";
    let mut child = place.command(options).spawn().unwrap();
    wait_for_more(&checkpoint, 0, &mut child);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let steps = steps(&checkpoint);
    let expected = format!("error: interrupted after step {steps}; run.safetensors has step {steps}\n");
    assert_eq!((output.status.code(), errors(&output)), (Some(1), expected));
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new();
    place.done("--data data.safetensors --steps 1 --checkpoint run.safetensors");
    let error = |options: &str, code| place.error(&format!("--data data.safetensors --steps 2 {options}"), code);
    assert!(
        error("--checkpoint run.safetensors", 2).contains("run.safetensors is there already: give --resume to go on from it, or remove it")
    );
    let found = error("--checkpoint run.safetensors --resume --optimizer sgd", 2);
    assert!(found.contains("its optimizer is 'adamw betas=0.9,0.999 eps=1e-8 weight_decay=0.01', expected 'sgd momentum=0"), "{found}");
    assert!(error("--plot loss.jpg", 2).contains("--plot loss.jpg: expected a name that ends in .svg or .png"));
    assert!(error("--init data.safetensors", 1).contains("has no parameter or buffer of the program"));
    let found = error("--lr 1e30 --optimizer sgd", 1);
    assert!(found.contains("at step 2: a lower learning rate may help"), "{found}");
    place.write("narrow.safetensors", &[5, 8, 2], &[0.0; 80], &[0.0; 40]);
    let found = place.error("--data narrow.safetensors --steps 2", 1);
    let expected = "narrow.safetensors: tensor 'input.0' is f32 [5, 8, 2], expected f32 [batches, 8, 3] for input 'x'";
    assert!(found.contains(expected), "{found}");
}
