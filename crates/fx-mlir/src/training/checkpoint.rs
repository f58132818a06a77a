//! Checkpoints: a safetensors file with all that a run needs to go on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fx_library::Generator;
use fx_runtime::tensor_file::{TensorFile, write_tensors_durably};
use fx_runtime::{HostTensor, Value};

use super::Trainer;
use crate::Error;
use crate::compile::fixed_type;

/// What else decides how a run goes on, such as its schedule: texts by name. A run only resumes with the same.
pub type Recipe = BTreeMap<String, String>;

/// The entry that says that a file is a checkpoint, and its value.
const FORMAT: (&str, &str) = ("fx.training", "1");
/// The entry that says how many ops have drawn random numbers.
const DRAWN: &str = "random_offset";
/// The tensor of losses.
const LOSSES: &str = "training.losses";

pub(super) fn write(trainer: &Trainer, path: &Path, recipe: &Recipe) -> Result<(), Error> {
    let losses = HostTensor::from_slice(&[trainer.losses.len()], &trainer.losses)?;
    let kept: BTreeSet<&str> = trainer.kept().map(|(name, _)| name).collect();
    let mut tensors = BTreeMap::from([(LOSSES, &losses)]);
    for (name, value) in trainer.state().filter(|(name, _)| kept.contains(name)) {
        if let Value::Tensor(tensor) = value {
            tensors.insert(name, tensor);
        }
    }
    let mut entries = decisive(trainer, recipe);
    entries.insert(FORMAT.0.into(), FORMAT.1.into());
    entries.insert(DRAWN.into(), trainer.library.generator().offset.to_string());
    Ok(write_tensors_durably(path, tensors, &entries)?)
}

/// Entries that must be equal when a run resumes.
fn decisive(trainer: &Trainer, recipe: &Recipe) -> BTreeMap<String, String> {
    let mut entries = recipe.clone();
    entries.insert("optimizer".into(), trainer.optimizer.to_string());
    entries.insert("seed".into(), trainer.seed.to_string());
    entries
}

pub(super) fn read(trainer: &mut Trainer, path: &Path, recipe: &Recipe) -> Result<(), Error> {
    let fail = |message: String| Error::Usage(format!("{}: {message}", path.display()));
    let file = TensorFile::open(path)?;
    let entries = file.entries();
    let entry = |name: &str| entries.get(name).map(String::as_str);
    if entry(FORMAT.0) != Some(FORMAT.1) {
        return Err(fail("is no checkpoint of a training run".into()));
    }
    for (name, expected) in decisive(trainer, recipe) {
        match entry(&name) {
            Some(found) if found == expected => {}
            found => {
                let found = found.map_or("none".into(), |found| format!("'{found}'"));
                return Err(fail(format!("the checkpoint is of another run: its {name} is {found}, expected '{expected}'")));
            }
        }
    }
    let offset = entry(DRAWN).and_then(|text| text.parse().ok()).ok_or_else(|| fail(format!("has no number '{DRAWN}'")))?;
    let absent = |name: &str| fail(format!("there is no tensor '{name}': the checkpoint is of another program"));
    let losses = file.get(LOSSES)?.ok_or_else(|| absent(LOSSES))?;
    let losses = losses.as_slice::<f64>()?.to_vec();
    let mut state = BTreeMap::new();
    for (name, value) in trainer.kept() {
        let tensor = file.get(name)?.ok_or_else(|| absent(name))?;
        if !trainer.fits(value, &tensor) {
            let expected = fixed_type(trainer.plan(), value).map_or_else(String::new, |(dtype, dims)| format!("{dtype} {dims:?}"));
            let found = format!("{} {:?}", tensor.dtype(), tensor.dims());
            return Err(fail(format!("tensor '{name}' is {found}, the program has {expected}")));
        }
        state.insert(name.to_string(), tensor);
    }
    if let Some(other) = file.names().iter().find(|name| *name != LOSSES && !state.contains_key(*name)) {
        return Err(fail(format!("the program has no parameter or buffer '{other}': the checkpoint is of another program")));
    }
    for (name, tensor) in state {
        trainer.executor.set_state(&name, tensor)?;
    }
    trainer.library.set_generator(Generator { seed: trainer.seed, offset });
    trainer.losses = losses;
    Ok(())
}
