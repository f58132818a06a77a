//! A program that calls an operator of the host program's own:
//!
//! ```text
//! cargo run --release -p fx-mlir --example custom_op
//! ```
//!
//! An operator that the dialect does not know imports as `fx.call` (from a `.pt2` archive: any `torch.library` operator,
//! as `namespace::name`, with `.overload` behind it unless that is `default`). It compiles as a call of a host function of
//! that name, which must be registered before the program is called, on whatever device the program runs.
//!
//! The function gets an [`OpCall`]: the tensors among its arguments, in order; the numbers among them, in order (64 bits
//! each: [`OpCall::int`], [`OpCall::float`]); all other arguments as JSON by their names in the schema, where
//! `fx.operands` lists the names of those that are tensors or numbers. `results` says what each result must be: its
//! sizes, none where the function decides. It gives one tensor per result, a number as a tensor of no dims (an integer as
//! `i64`), and none for a result that is `None`; or a message, which becomes an error with the operator's place.

use std::error::Error;
use std::sync::Arc;

use fx_mlir::{DeviceKind, HostTensor, OpCall, Program, RuntimeError, Target, Value};

/// Twice the input, of which the operator keeps what is large enough, and how much that is; then minus all that.
const PROGRAM: &str = r#"
func.func @main(%x: tensor<6xf32>, %least: f64) -> (tensor<?xf32>, index) {
  %twice = fx.add %x, %x : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  %kept, %count = fx.call "demo::keep_from"(%twice, %least) args {reverse = true} : (tensor<6xf32>, f64) -> (tensor<?xf32>, index)
  %y = fx.neg %kept : (tensor<?xf32>) -> tensor<?xf32>
  return %y, %count : tensor<?xf32>, index
}
"#;

/// `demo::keep_from(Tensor x, float least, bool reverse) -> (Tensor, int)`: elements of at least `least`, and their number.
fn keep_from(call: &OpCall<'_>) -> Result<Vec<HostTensor>, String> {
    let message = |error: RuntimeError| error.to_string();
    let least = call.float(0)?;
    let x = call.tensor(0)?.as_slice::<f32>().map_err(message)?;
    let mut kept: Vec<f32> = x.iter().copied().filter(|x| f64::from(*x) >= least).collect();
    if kept.is_empty() {
        return Err(format!("no element is at least {least}"));
    }
    if call.attributes.get("reverse").and_then(|flag| flag.as_bool()) == Some(true) {
        kept.reverse();
    }
    let count = HostTensor::scalar(kept.len() as i64).map_err(message)?;
    Ok(vec![HostTensor::from_slice(&[kept.len()], &kept).map_err(message)?, count])
}

fn main() -> Result<(), Box<dyn Error>> {
    let program = Program::from_mlir(PROGRAM)?;
    let mut model = program.compile(&Target::Cpu)?.executor(DeviceKind::Cpu)?;
    println!("the program calls {:?}", model.required_ops());
    model.register_op("demo::keep_from", Arc::new(keep_from));

    let x = HostTensor::from_slice(&[6], &[1.0f32, -2.0, 3.0, 0.5, 2.0, -1.0])?;
    for item in model.call(&[x.clone().into(), 2.0.into()])? {
        match item.value {
            Some(Value::Tensor(tensor)) => println!("{tensor:?} {:?}", tensor.as_slice::<f32>()?),
            number => println!("{number:?}"),
        }
    }
    // An operator's message is an error of the call.
    match model.call(&[x.into(), 100.0.into()]) {
        Ok(_) => Err("the call should have failed".into()),
        Err(error) => {
            println!("error: {error}");
            Ok(())
        }
    }
}
