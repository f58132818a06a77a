use super::*;

#[test]
fn the_expression_is_in_the_first_comments() {
    let text = "// Product\n// torch: lambda x, w: x @ w\n// target: ratio 1.0\nfunc.func @main() {\n";
    assert_eq!(expression(text).as_deref(), Some("lambda x, w: x @ w"));
    assert_eq!(expression("func.func @main() {\n// torch: lambda x: x\n"), None);
    assert_eq!(expression("// torch:\n"), None);
}

#[test]
fn eager_mode_runs_the_archive_before_decomposition() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.pt2");
    assert_eq!(TorchProgram::of(&model).unwrap(), TorchProgram::Archive(model.clone()));
    let raw = folder.path().join("model_raw.pt2");
    std::fs::write(&raw, "").unwrap();
    let program = TorchProgram::of(&model).unwrap();
    assert_eq!(program, TorchProgram::Archive(raw));
    assert_eq!(program.name(), "model_raw.pt2");
    assert!(TorchProgram::of(&folder.path().join("model.fxb")).is_err());
}

#[test]
fn a_ratio_is_that_of_neighbours_in_time() {
    // a machine that becomes slower by half, where ours is always twice as fast, but for one turn
    let (ours, theirs) = ([1.0, 1.5, 9.0, 1.5, 1.0], [2.0, 3.0, 3.0, 3.0, 2.0]);
    assert_eq!(ratio(&ours, &theirs), 2.0);
}

#[test]
fn differences_are_relative_to_the_largest_value() {
    assert_eq!(relative_difference(&[1.0, f64::NAN, 4.0], &[1.5, f64::NAN, 5.0]), 0.2);
    assert_eq!(relative_difference(&[0.0], &[0.0]), 0.0);
    assert_eq!(relative_difference(&[f64::INFINITY], &[f64::INFINITY]), 0.0);
    assert_eq!(relative_difference(&[f64::NAN], &[1.0]), f64::INFINITY);
}

/// A `python3` that finds `torch.py` with this text as its PyTorch.
fn python(folder: &Path, torch: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(folder.join("torch.py"), torch).unwrap();
    let path = folder.join("python3");
    std::fs::write(&path, format!("#!/bin/sh\nPYTHONPATH='{}' exec python3 \"$@\"\n", folder.display())).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn start(torch: &str, expression: &str) -> Result<(Torch, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let python = python(folder.path(), torch);
    let tensor = HostTensor::from_slice(&[2, 2], &[1.0f32, -2.0, 3.5, 0.0]).unwrap();
    let arguments = [("x".to_owned(), Value::Tensor(tensor)), ("n".to_owned(), Value::Int(3))];
    let program = TorchProgram::Expression(expression.into());
    Ok((Torch::start(&python, &program, 2, &arguments, folder.path())?, folder))
}

#[test]
fn the_child_computes_the_same_and_gives_times() {
    let (mut torch, folder) = start(include_str!("fake_torch.py"), "lambda x, n: x * n").unwrap();
    assert_eq!(torch.version, "0.0");
    let outputs = torch.outputs(folder.path()).unwrap();
    assert_eq!(outputs.len(), 1);
    assert_eq!(outputs[0].dims(), [2, 2]);
    assert_eq!(outputs[0].as_slice::<f32>().unwrap(), [3.0, -6.0, 10.5, 0.0]);
    let times = torch.block().unwrap();
    assert!(times.iter().all(|time| *time > 0.0), "{times:?}");
}

#[test]
fn what_fails_in_the_child_is_the_error() {
    let error = |torch: &str, expression: &str| start(torch, expression).map(|_| ()).unwrap_err().to_string();
    let absent = error("raise ImportError('no such luck')", "lambda x, n: x");
    assert!(absent.starts_with("PyTorch cannot be imported by ") && absent.ends_with("no such luck"), "{absent}");
    let wrong = error(include_str!("fake_torch.py"), "lambda x, n: x + n");
    assert!(wrong.starts_with("PyTorch: TypeError: "), "{wrong}");
    let ended = error("import os, sys\nsys.stderr.write('out of luck')\nsys.stderr.flush()\nos._exit(1)", "lambda x, n: x");
    assert_eq!(ended, "PyTorch's process has ended: out of luck");
}

#[test]
fn a_python_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let program = TorchProgram::Expression("lambda: 0".into());
    let python = folder.path().join("absent");
    let error = Torch::start(&python, &program, 1, &[], folder.path()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("absent' cannot be started: "), "{error}");
}

#[test]
fn each_benchmark_opens_and_says_what_pytorch_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/cpu");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(expression(&text).is_some_and(|text| text.starts_with("lambda ")), "{}", path.display());
        assert!(text.contains("\n// target: ratio ") || text.contains("\n// target: us "), "{}", path.display());
        fx_mlir::Program::open(&path).unwrap();
        seen += 1;
    }
    assert!(seen > 0);
}
