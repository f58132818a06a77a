//! Our joint functions against those that PyTorch made (AOTAutograd) of the same programs: the same loss and gradients on random
//! inputs, and no more products.
//!
//! A folder has `model_train.pt2`, which gives the loss, `model_joint.pt2`, PyTorch's gradients of it, and `io_train.safetensors` with
//! inputs. Both functions run in the reference evaluator with all floats in 64 bits, so that what is left of differences is
//! the order of sums. Inputs and parameters are the recorded ones, changed at random.
//!
//! `FX_MODELS=folder` adds the folders in it, `FX_MODEL=name` picks some of them; `FX_REPORT=1` prints where counts of ops differ.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use fx_import::{Archive, ScalarType};
use fx_ir::{Attribute, Op};
use fx_mlir::gradients::{Arguments, Gradients};
use fx_mlir::{DType, HostTensor, OutputItem, Phase, Program, Target, Value};
use fx_ops::table::{Again, again, is_random};
use fx_runtime::plan::OutputKind;
use fx_runtime::tensor_file::TensorFile;

use crate::support::{Function, Values, numbers, with_module};

/// Random inputs for each program.
const RUNS: u64 = 3;
/// How far results may be from each other, relative to the largest number in them.
const DIFFERENCE: f64 = 1e-9;

/// A program with all floats in 64 bits.
fn precise(program: &Program) -> Function {
    let text = program.emit(Phase::Fx, &Target::Cpu).unwrap();
    // `bf16` first: it ends like `f16`.
    Function(["bf16", "f16", "f32"].iter().fold(text, |text, name| text.replace(name, "f64")))
}

/// The functions to compare, and what they are called with.
struct Pair {
    ours: Function,
    theirs: Function,
    archive: Program,
    folder: PathBuf,
}

impl Pair {
    fn open(folder: &Path) -> Self {
        let open = |name: &str| Program::open(&folder.join(name)).unwrap();
        let (train, joint) = (open("model_train.pt2"), open("model_joint.pt2"));
        let theirs = precise(&joint);
        let targets = with_module(&theirs.0, "canonicalize", |module| gradient_targets(module.function("main").unwrap())).unwrap();
        let gradients = Gradients { arguments: Arguments::Targets(targets), ..Gradients::default() };
        let ours = precise(&train.with_gradients(&gradients).unwrap());
        // Random ops draw the same numbers in both once they are the same ops.
        let decomposed = |function: &Function| Function::new(&function.0, "func.func(fx-decompose),canonicalize").unwrap();
        let draws = counts(&ours).keys().any(|name| is_random(&format!("fx.{name}")));
        let [ours, theirs] = if draws { [decomposed(&ours), decomposed(&theirs)] } else { [ours, theirs] };
        Self { ours, theirs, archive: train, folder: folder.into() }
    }

    /// Values of all arguments for one run.
    fn values(&self, run: u64) -> Values {
        let file = TensorFile::open(&self.folder.join("io_train.safetensors")).unwrap();
        let names = file.names();
        let recorded = |number: usize| {
            let ending = format!("input.{number}");
            let is_it = |name: &&String| **name == ending || name.ends_with(&format!(".{ending}"));
            file.get(names.iter().find(is_it).unwrap()).unwrap().unwrap()
        };
        let inputs = self.archive.inputs().iter().enumerate();
        let inputs = inputs.map(|(number, input)| (input.name.clone(), changed(&recorded(number), run, true)));
        let archive = self.archive.archive().unwrap();
        let state = self.ours.state().into_iter().map(|name| {
            let tensor = state(archive, &name);
            let is_constant = archive.weight(&name).is_err();
            (name, changed(&tensor, if is_constant { 0 } else { run }, false))
        });
        inputs.chain(state).map(|(name, tensor)| (name, Value::Tensor(tensor))).collect()
    }

    /// Compares results by kind and name; gives the largest difference.
    fn compare(&self, run: u64) -> Result<f64, String> {
        let values = self.values(run);
        let evaluate = |function: &Function| function.evaluate(&values).map_err(|error| format!("{error}, run {run}"));
        let (ours, theirs) = (evaluate(&self.ours)?, evaluate(&self.theirs)?);
        let mut most = 0.0f64;
        let found: BTreeMap<String, &OutputItem> = ours.iter().map(|item| (key(item), item)).collect();
        for expected in &theirs {
            let name = key(expected);
            let found = found.get(&name).ok_or_else(|| format!("our function gives no {name}"))?;
            let (a, b) = (numbers(found), numbers(expected));
            let largest = b.iter().fold(1e-6f64, |most, x| most.max(x.abs()));
            let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs() / largest).fold(0.0, f64::max);
            if a.len() != b.len() || b.iter().any(|x| !x.is_finite()) || worst > DIFFERENCE || worst.is_nan() {
                return Err(format!("{name}, run {run}: differs by {worst:.1e} of the largest number, {largest:.1e}"));
            }
            most = most.max(worst);
        }
        Ok(most)
    }
}

/// What a result is, among those of both functions.
fn key(item: &OutputItem) -> String {
    match &item.kind {
        OutputKind::Output => "loss".into(),
        kind => format!("{kind:?}"),
    }
}

/// The arguments by whose gradients a joint function has results.
fn gradient_targets(main: Op<'_>) -> Vec<String> {
    let lists = main.attribute("res_attrs").and_then(Attribute::as_array).unwrap_or_default();
    let target = |list: Attribute<'_>| {
        let entries: BTreeMap<_, _> = list.as_dictionary()?.into_iter().collect();
        let is_gradient = entries.get("fx.kind")?.as_str()?.ends_with("_gradient");
        is_gradient.then(|| entries.get("fx.target")?.as_str().map(str::to_string)).flatten()
    };
    lists.into_iter().filter_map(target).collect()
}

/// A parameter, buffer or constant.
fn state(archive: &Archive, name: &str) -> HostTensor {
    let data = archive.weight(name).or_else(|_| archive.constant(name)).unwrap();
    let bytes = data.to_contiguous().unwrap();
    let dims: Vec<usize> = data.sizes.iter().map(|size| usize::try_from(*size).unwrap()).collect();
    let dtype = match data.dtype {
        ScalarType::Float64 => DType::F64,
        ScalarType::Float32 => DType::F32,
        ScalarType::Float16 => DType::F16,
        ScalarType::BFloat16 => DType::BF16,
        ScalarType::Int64 => DType::I64,
        ScalarType::Int32 => DType::I32,
        ScalarType::Bool => DType::Bool,
        other => panic!("'{name}' is of type {other}"),
    };
    HostTensor::from_bytes(dtype, &dims, &bytes).unwrap()
}

/// A tensor changed at random: floats by up to a third, elements of inputs in another order, unless they ascend. Equal tensors
/// become equal ones: tied parameters stay tied.
fn changed(tensor: &HostTensor, run: u64, reordered: bool) -> HostTensor {
    let mut state = tensor
        .bytes()
        .iter()
        .fold(run.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31)
    };
    let count = tensor.len();
    let mut order: Vec<usize> = (0..count).collect();
    let size = tensor.dtype().size();
    let is_float = tensor.dtype().is_float();
    let ascends = !is_float && tensor.to_f64_vec().is_ok_and(|numbers| numbers.is_sorted());
    if run > 0 && reordered && !ascends {
        (1..count).for_each(|place| order.swap(place, (next() * (place + 1) as f64) as usize));
    }
    if is_float {
        let numbers = tensor.to_f64_vec().unwrap();
        let numbers: Vec<f64> =
            order.iter().map(|place| numbers[*place] * if run > 0 { 1.0 + 0.6 * (next() - 0.5) } else { 1.0 }).collect();
        return HostTensor::from_slice(tensor.dims(), &numbers).unwrap();
    }
    let bytes: Vec<u8> = order.iter().flat_map(|place| tensor.bytes()[place * size..(place + 1) * size].to_vec()).collect();
    HostTensor::from_bytes(tensor.dtype(), tensor.dims(), &bytes).unwrap()
}

/// Ops by name, of the decomposed function.
fn counts(function: &Function) -> BTreeMap<String, usize> {
    with_module(&function.0, "func.func(fx-decompose),canonicalize,cse", |module| {
        let mut counts = BTreeMap::new();
        module.op().walk(&mut |op| {
            let of_fx = op.name().strip_prefix("fx.").map(str::to_string);
            of_fx.into_iter().for_each(|name| *counts.entry(name).or_insert(0) += if is_product(op) { products(op) } else { 1 });
        });
        counts
    })
    .unwrap()
}

fn is_product(op: Op<'_>) -> bool {
    matches!(again(op.name()), Some(Again::Product(_)))
}

/// The gradients of a convolution are two products, where both are wanted.
fn products(op: Op<'_>) -> usize {
    let mask = op.attribute("output_mask").and_then(Attribute::as_bools);
    mask.map_or(1, |mask| mask.iter().take(2).filter(|wanted| **wanted).count())
}

/// Where the counts of ops differ, and the total of products.
fn structure(pair: &Pair) -> (String, [usize; 2]) {
    let both = [counts(&pair.ours), counts(&pair.theirs)];
    let of = |side: usize, name: &str| both[side].get(name).copied().unwrap_or(0);
    let total = |side: usize| {
        let products = both[side].iter().filter(|(name, _)| matches!(again(&format!("fx.{name}")), Some(Again::Product(_))));
        products.map(|(_, count)| count).sum()
    };
    let mut text = String::from("op                             ours  theirs\n");
    let names: std::collections::BTreeSet<&String> = both.iter().flat_map(BTreeMap::keys).collect();
    for name in names.into_iter().filter(|name| of(0, name) != of(1, name)) {
        writeln!(text, "{name:30} {:4}    {:4}", of(0, name), of(1, name)).unwrap();
    }
    writeln!(text, "all                            {:4}    {:4}", both[0].values().sum::<usize>(), both[1].values().sum::<usize>())
        .unwrap();
    (text, [total(0), total(1)])
}

/// What is wrong with a folder's joint function.
fn check(folder: &Path) -> Result<(), String> {
    let pair = Pair::open(folder);
    let (text, [ours, theirs]) = structure(&pair);
    let report = format!("{}: {ours} products, {theirs} in PyTorch's\n{text}", folder.display());
    let mut worst = 0.0f64;
    for run in 0..RUNS {
        worst = worst.max(pair.compare(run).map_err(|error| format!("{}: {error}", folder.display()))?);
    }
    if std::env::var_os("FX_REPORT").is_some() {
        println!("{report}largest difference {worst:.1e}\n");
    }
    if ours > theirs { Err(report) } else { Ok(()) }
}

/// Folders with a joint program that PyTorch made.
fn folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("model_joint.pt2").is_file());
    folders.sort();
    folders
}

fn check_all(folders: &[PathBuf]) {
    let faults: Vec<_> = folders.iter().filter_map(|folder| check(folder).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn fixtures_agree_with_pytorch() {
    let folders = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"));
    assert!(!folders.is_empty());
    check_all(&folders);
}

#[test]
fn models_agree_with_pytorch() {
    let Ok(root) = std::env::var("FX_MODELS") else { return };
    let only = std::env::var("FX_MODEL").unwrap_or_default();
    let mut folders = folders(Path::new(&root));
    folders.retain(|folder| folder.to_string_lossy().contains(&only));
    check_all(&folders);
}
