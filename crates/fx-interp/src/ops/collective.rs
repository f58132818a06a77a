//! Collectives of a group of one process, which is all that there is here: what it sends it receives.

use super::{Entry, one};
use crate::Result;
use crate::array::Array;
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.all_gather_into_tensor", |call| {
        alone(call)?;
        let input = call.array("input")?;
        one(if input.rank() == 0 { input.reshape(&[1])? } else { input.clone() })
    }),
    ("fx.all_reduce", |call| one(call.array("input")?.clone())),
    ("fx.all_to_all_single", all_to_all),
    ("fx.broadcast", |call| match call.int("src")? {
        0 => one(call.array("input")?.clone()),
        src => Err(format!("gets its tensor from process {src}, but there is one process")),
    }),
    ("fx.reduce_scatter_tensor", |call| {
        alone(call)?;
        one(call.array("input")?.clone())
    }),
    ("fx.wait_tensor", |call| one(call.array("tensor")?.clone())),
];

fn alone(call: &Call<'_>) -> Result<()> {
    match call.int("group_size")? {
        1 => Ok(()),
        size => Err(format!("needs a group of {size} processes, but there is one")),
    }
}

/// The only part, of which the lists (if there are any) have the size.
fn all_to_all(call: &Call<'_>) -> Result<Vec<Value>> {
    let input: &Array = call.array("input")?;
    for name in ["input_split_sizes", "output_split_sizes"] {
        let sizes = call.shape(name)?;
        if !sizes.is_empty() && sizes != [input.size(0)] {
            return Err(format!("has {name} {sizes:?}, expected [{}] for one process", input.size(0)));
        }
    }
    one(input.clone())
}

#[cfg(test)]
mod tests {
    use crate::tests::{evaluate, values};

    #[test]
    fn a_process_alone() {
        let program = |op: &str, ty: &str| {
            format!(
                "func.func @main() -> {ty} {{
                   %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
                   %y = fx.{op} -> {ty}
                   %z = fx.wait_tensor %y : ({ty}) -> {ty}
                   return %z : {ty}
                 }}"
            )
        };
        for op in [
            "all_reduce %x by \"avg\" group \"0\" : (tensor<2xf32>)",
            "all_gather_into_tensor %x size 1 group \"0\" : (tensor<2xf32>)",
            "reduce_scatter_tensor %x by \"sum\" size 1 group \"0\" : (tensor<2xf32>)",
            "broadcast %x from 0 group \"0\" : (tensor<2xf32>)",
            "all_to_all_single %x output [2] input [2] group \"0\" : (tensor<2xf32>)",
        ] {
            let results = evaluate(&program(op, "tensor<2xf32>"), &[]).unwrap_or_else(|error| panic!("{op}: {error}"));
            assert_eq!(values(&results[0]), [1.0, 2.0], "{op}");
        }
        let many = "all_gather_into_tensor %x size 2 group \"0\" : (tensor<2xf32>)";
        assert!(evaluate(&program(many, "tensor<4xf32>"), &[]).unwrap_err().contains("a group of 2 processes"));
    }
}
