//! What a program is called with: tensors of a file and numbers of the command line, or made-up ones.

use crate::error::{CliError, Result};
use crate::gradients::COTANGENT;
use crate::load::{CallInput, user_inputs};
use fx_runtime::plan::{ArgumentKind, ArgumentValue, Buffer, BufferId, Scalar, Symbol};
use fx_runtime::tensor_file::TensorFile;
use fx_runtime::{DType, HostTensor, Plan, Value};
use half::{bf16, f16};
use std::path::Path;
use std::str::FromStr;

/// One `--arg N=VALUE`: a number for the input with that name, or at that position of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// Name or position.
    pub key: String,
    /// The value, as written.
    pub text: String,
}

impl FromStr for NamedValue {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((key, value)) if !key.is_empty() => Ok(NamedValue { key: key.into(), text: value.into() }),
            _ => Err(format!("expected N=VALUE, got '{text}'")),
        }
    }
}

/// Where the values of a call come from.
pub struct Given<'a> {
    /// The tensors, and the file's path for messages.
    pub file: Option<(&'a TensorFile, &'a Path)>,
    /// What stands before `input.N`.
    pub prefix: &'a str,
    /// Numbers.
    pub args: &'a [NamedValue],
}

/// The values of a call, which takes `inputs`. `names` are the program's inputs in calling order, which positions of
/// `--arg` count; a call does not take those that are constants.
pub fn given_values(inputs: &[CallInput], names: &[String], given: &Given<'_>) -> Result<Vec<Value>> {
    let mut values = Vec::new();
    let mut used = vec![false; given.args.len()];
    let mut tensors = 0;
    for CallInput { name, number } in inputs {
        match number {
            None if name.starts_with(COTANGENT) => values.push(file_tensor(name, name, given)?.into()),
            None => {
                values.push(file_tensor(name, &format!("input.{tensors}"), given)?.into());
                tensors += 1;
            }
            Some(dtype) => {
                let position = names.iter().position(|other| other == name);
                let arg = given.args.iter().position(|arg| arg.key == *name || arg.key.parse().ok() == position);
                let arg = arg.ok_or_else(|| {
                    let key = position.map_or(name.clone(), |index| index.to_string());
                    CliError::Usage(format!("input '{name}' is a number ({dtype}): give it with --arg {key}=VALUE"))
                })?;
                used[arg] = true;
                values.push(parse_value(name, *dtype, &given.args[arg].text)?);
            }
        }
    }
    if let Some(unused) = used.iter().position(|used| !used) {
        let key = &given.args[unused].key;
        return Err(CliError::Usage(format!(
            "--arg {key}: the program has no number input with this name or position; its inputs are {}",
            inputs_text(inputs, names)
        )));
    }
    Ok(values)
}

fn file_tensor(name: &str, key: &str, given: &Given<'_>) -> Result<HostTensor> {
    let key = format!("{}{key}", given.prefix);
    let Some((file, path)) = given.file else {
        return Err(CliError::Usage(format!("input '{name}' is a tensor: give a file that holds '{key}' with --inputs")));
    };
    file.get(&key)?.ok_or_else(|| {
        let names = file.names();
        let inputs: Vec<&str> = names.iter().map(String::as_str).filter(|name| name.contains("input.")).collect();
        CliError::Failed(format!(
            "{}: no tensor '{key}' for input '{name}' (of inputs it has: {})",
            path.display(),
            if inputs.is_empty() { "none".into() } else { inputs.join(", ") }
        ))
    })
}

/// A number of the command line, of the kind that the program takes.
fn parse_value(name: &str, dtype: DType, text: &str) -> Result<Value> {
    let value = match dtype {
        DType::Bool => match text {
            "true" | "True" | "1" => Some(Value::Bool(true)),
            "false" | "False" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        dtype if dtype.is_float() => text.parse().ok().map(Value::Float),
        _ => text.parse().ok().map(Value::Int),
    };
    value.ok_or_else(|| CliError::Usage(format!("input '{name}': expected {dtype}, got '{text}'")))
}

fn inputs_text(inputs: &[CallInput], names: &[String]) -> String {
    let kind = |name: &str| match inputs.iter().find(|input| input.name == name).map(|input| input.number) {
        Some(None) => "tensor".to_owned(),
        Some(Some(dtype)) => dtype.to_string(),
        None => "constant".to_owned(),
    };
    let texts: Vec<String> = names.iter().enumerate().map(|(index, name)| format!("{index} '{name}' ({})", kind(name))).collect();
    texts.join(", ")
}

/// Made-up values: floats between -1 and 1, integers (i64 and i32) from 0 to below `integers`, zeros for the rest, symbols as
/// `sizes` says or near [`SIZE`].
pub fn made_up_values(plan: &Plan, sizes: &[NamedValue], integers: u32) -> Result<Vec<Value>> {
    let mut random = Random { state: 0x9e37_79b9_7f4a_7c15, integers };
    let size = |symbol: &Symbol| -> Result<i64> {
        match sizes.iter().find(|size| size.key == symbol.name) {
            Some(size) => {
                size.text.parse().map_err(|_| CliError::Usage(format!("--size {}: expected a number, got '{}'", size.key, size.text)))
            }
            None => Ok(SIZE.clamp(symbol.min, symbol.max.unwrap_or(i64::MAX).max(symbol.min))),
        }
    };
    for size in sizes {
        if !plan.symbols.iter().any(|symbol| symbol.name == size.key) {
            let known: Vec<&str> = plan.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
            return Err(CliError::Usage(format!("--size {}: no such symbol (there is: {})", size.key, known.join(", "))));
        }
    }
    let register = |name: &str, reg: u32| {
        let symbol = plan.symbols.iter().find(|symbol| symbol.reg == reg);
        symbol
            .map(size)
            .transpose()?
            .ok_or_else(|| CliError::Failed(format!("input '{name}' has a size that is computed from others: give tensors with --inputs")))
    };
    let mut values = Vec::new();
    for (name, kind) in user_inputs(plan) {
        values.push(match kind {
            ArgumentValue::Scalar { reg, dtype } => match dtype {
                DType::Bool => Value::Bool(true),
                dtype if dtype.is_float() => Value::Float(0.5),
                _ if plan.symbols.iter().any(|symbol| symbol.reg == *reg) => Value::Int(register(name, *reg)?),
                _ => Value::Int(1),
            },
            ArgumentValue::Tensor(buffer) => {
                let buffer = buffer_of(plan, name, *buffer)?;
                let dims = buffer.dims.iter().map(|dim| {
                    let size = match *dim {
                        Scalar::Const(size) => size,
                        Scalar::Reg(reg) => register(name, reg)?,
                    };
                    usize::try_from(size).map_err(|_| CliError::Failed(format!("input '{name}' has size {size}")))
                });
                let dims: Vec<usize> = dims.collect::<Result<_>>()?;
                random.tensor(buffer.dtype, &dims)?.into()
            }
        });
    }
    Ok(values)
}

/// Made-up parameters, buffers and constants, by name, for a program that comes without any.
pub fn made_up_state(plan: &Plan) -> Result<Vec<(String, HostTensor)>> {
    let mut random = Random { state: 0x2545_f491_4f6c_dd1d, integers: ZEROS };
    let mut state: Vec<(String, HostTensor)> = Vec::new();
    for argument in &plan.arguments {
        let (ArgumentKind::Parameter(name) | ArgumentKind::Buffer(name) | ArgumentKind::Constant(name)) = &argument.kind else {
            continue;
        };
        let ArgumentValue::Tensor(buffer) = argument.value else { continue };
        if state.iter().any(|(other, _)| other == name) {
            continue;
        }
        let buffer = buffer_of(plan, name, buffer)?;
        let dims = buffer.dims.iter().map(|dim| match dim {
            Scalar::Const(size) => usize::try_from(*size).ok(),
            Scalar::Reg(_) => None,
        });
        let dims = dims.collect::<Option<Vec<usize>>>();
        let dims = dims.ok_or_else(|| CliError::Failed(format!("'{name}' has a size that is not known before a call")))?;
        state.push((name.clone(), random.tensor(buffer.dtype, &dims)?));
    }
    Ok(state)
}

fn buffer_of<'a>(plan: &'a Plan, name: &str, buffer: BufferId) -> Result<&'a Buffer> {
    plan.buffers.get(buffer as usize).ok_or_else(|| CliError::Failed(format!("the plan has no buffer for '{name}'")))
}

/// The value of a symbol that nobody gave, if its range allows it.
const SIZE: i64 = 16;

/// Integers below this are zeros alone: valid as indices of anything.
pub const ZEROS: u32 = 1;

/// Values that are drawn for a tensor; a larger one repeats them, which takes no longer than a copy. A prime, so that rows differ.
const DRAWN: usize = 1_000_003;

/// Marsaglia's xorshift64: the same values in each run.
struct Random {
    state: u64,
    /// Integers are below it.
    integers: u32,
}

impl Random {
    fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }

    /// Between -1 and 1.
    fn float(&mut self) -> f64 {
        self.bits() as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn integer(&mut self) -> u32 {
        (self.bits() % u64::from(self.integers.max(1))) as u32
    }

    fn tensor(&mut self, dtype: DType, dims: &[usize]) -> Result<HostTensor> {
        let zeros = HostTensor::zeros(dtype, dims)?; // checks the size
        let count = zeros.len().min(DRAWN);
        let drawn: Vec<u8> = match dtype {
            DType::F64 => (0..count).flat_map(|_| self.float().to_le_bytes()).collect(),
            DType::F32 => (0..count).flat_map(|_| (self.float() as f32).to_le_bytes()).collect(),
            DType::F16 => (0..count).flat_map(|_| f16::from_f64(self.float()).to_le_bytes()).collect(),
            DType::BF16 => (0..count).flat_map(|_| bf16::from_f64(self.float()).to_le_bytes()).collect(),
            DType::C64 => (0..2 * count).flat_map(|_| (self.float() as f32).to_le_bytes()).collect(),
            DType::C128 => (0..2 * count).flat_map(|_| self.float().to_le_bytes()).collect(),
            DType::I64 => (0..count).flat_map(|_| i64::from(self.integer()).to_le_bytes()).collect(),
            DType::I32 => (0..count).flat_map(|_| self.integer().to_le_bytes()).collect(),
            _ => return Ok(zeros),
        };
        let length = zeros.bytes().len();
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            bytes.extend_from_slice(&drawn[..drawn.len().min(length - bytes.len())]);
        }
        Ok(HostTensor::from_bytes(dtype, dims, &bytes)?)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// `f(x: f32[s0, 3], n: s0, y: i64[2], scale: f64)`, which does nothing.
    pub(crate) fn plan() -> Plan {
        let text = r#"{"version": 1, "target": "cpu", "registers": 2, "setup": [],
            "symbols": [{"name": "s0", "reg": 0, "min": 2, "max": 8}],
            "arguments": [
                {"kind": {"parameter": "w"}, "value": {"tensor": 1}},
                {"kind": {"input": "x"}, "value": {"tensor": 0}},
                {"kind": {"input": "n"}, "value": {"scalar": {"reg": 0, "dtype": "i64"}}},
                {"kind": {"input": "y"}, "value": {"tensor": 1}},
                {"kind": {"input": "scale"}, "value": {"scalar": {"reg": 1, "dtype": "f64"}}}],
            "outputs": [], "constants": [], "kernels": [], "binaries": [], "steps": [],
            "buffers": [
                {"dtype": "f32", "dims": [{"reg": 0}, {"const": 3}], "storage": "argument"},
                {"dtype": "i64", "dims": [{"const": 2}], "storage": "argument"}]}"#;
        serde_json::from_str(text).unwrap()
    }

    fn names() -> Vec<String> {
        ["x", "n", "mode", "y", "scale"].map(str::to_owned).to_vec()
    }

    fn args(texts: &[&str]) -> Vec<NamedValue> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn write(folder: &Path, names: &[&str]) -> std::path::PathBuf {
        let path = folder.join("io.safetensors");
        let tensor = HostTensor::from_slice(&[2], &[1i64, 2]).unwrap();
        let tensors = names.iter().map(|name| (*name, &tensor));
        fx_runtime::tensor_file::write_tensors(&path, tensors, &Default::default()).unwrap();
        path
    }

    #[test]
    fn tensors_come_in_order_and_numbers_by_name_or_position() {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &["set1.input.0", "set1.input.1", "other"]);
        let file = TensorFile::open(&path).unwrap();
        let values = |prefix, texts: &[&str]| {
            let given = Given { file: Some((&file, &path)), prefix, args: &args(texts) };
            given_values(&crate::load::call_inputs(&plan()), &names(), &given)
        };
        let all = values("set1.", &["1=4", "scale=0.5"]).unwrap();
        assert!(matches!(all[..], [Value::Tensor(_), Value::Int(4), Value::Tensor(_), Value::Float(0.5)]));
        let error = |prefix, texts: &[&str]| values(prefix, texts).unwrap_err().to_string();
        assert!(error("", &["1=4", "4=1"]).contains("no tensor 'input.0' for input 'x'"));
        assert!(error("set1.", &["scale=1"]).contains("give it with --arg 1=VALUE"));
        assert_eq!(error("set1.", &["n=four", "scale=1"]), "input 'n': expected i64, got 'four'");
        let unused = error("set1.", &["1=4", "4=1", "mode=x"]);
        assert!(unused.contains("2 'mode' (constant)"), "{unused}");
    }

    #[test]
    fn made_up_state_fits_the_plan() {
        let state = made_up_state(&plan()).unwrap();
        let [(name, tensor)] = &state[..] else { panic!("{state:?}") };
        assert_eq!((name.as_str(), tensor.dims()), ("w", &[2][..]));
    }

    #[test]
    fn made_up_values_fit_the_plan() {
        let shape = |sizes: &[&str]| {
            let values = made_up_values(&plan(), &args(sizes), ZEROS)?;
            let Value::Int(n) = values[1] else { panic!("{values:?}") };
            Ok::<_, CliError>((values[0].tensor()?.dims().to_vec(), n))
        };
        assert_eq!(shape(&[]).unwrap(), (vec![8, 3], 8)); // the largest allowed
        assert_eq!(shape(&["s0=5"]).unwrap(), (vec![5, 3], 5));
        assert!(shape(&["s1=5"]).unwrap_err().to_string().contains("there is: s0"));
        assert!(shape(&["s0=-1"]).is_err());
        let made_up = |dtype, dims: &[usize]| Random { state: 1, integers: 3 }.tensor(dtype, dims).unwrap().to_f64_vec().unwrap();
        let floats = made_up(DType::F16, &[100]);
        assert!(floats.iter().all(|value| value.abs() <= 1.0));
        assert!(floats.iter().any(|value| *value < 0.0));
        let integers = made_up(DType::I32, &[100]);
        assert!([0.0, 1.0, 2.0].iter().all(|value| integers.contains(value)), "{integers:?}");
        assert!(integers.iter().all(|value| *value < 3.0));
        let many = made_up(DType::F32, &[2, DRAWN]); // the second row repeats the first
        assert_eq!(many[..DRAWN], many[DRAWN..]);
    }
}
