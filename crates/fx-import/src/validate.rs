//! Whether a program is consistent with itself.
//!
//! What holds for a validated program:
//!
//! * ranges of symbols are not empty, and every symbol of an expression has one;
//! * in each graph and subgraph: every value is defined once, is described in the table of its kind
//!   and in no other, and is defined before it is used (so there are no cycles); node names are
//!   unique; targets have a known form; see `graph`;
//! * tensors have a known dtype, at most [`MAX_RANK`](crate::MAX_RANK) dimensions, and no negative
//!   size, stride or offset;
//! * signature and graph agree in number, order and names of inputs and outputs; parameters, buffers
//!   and user inputs that outputs refer to exist; see `signature`;
//! * the calling convention has as many leaves as there are user inputs and user outputs.
//!
//! Not checked: types of operators' arguments, which need the operators' schemas.

mod graph;
mod signature;

use crate::error::{ImportError, quoted};
use crate::schema::{ExportedProgram, GraphModule, InputSpec, OutputSpec};

/// Checks a whole program.
pub(crate) fn program(program: &ExportedProgram) -> Result<(), ImportError> {
    for (symbol, range) in &program.range_constraints {
        if let (Some(min), Some(max)) = (range.min_val, range.max_val)
            && min > max
        {
            let found = format!("{min} to {max}");
            return Err(ImportError::mismatch("a range that is not empty", found).at(|| format!("range_constraints {}", quoted(symbol))));
        }
    }
    let symbols = &program.range_constraints;
    graph::check(program.graph(), "graph_module.graph", symbols)?;
    signature::check(program.graph(), program.signature())?;
    call_graph(&program.graph_module)
}

fn call_graph(module: &GraphModule) -> Result<(), ImportError> {
    let place = || "graph_module.module_call_graph".to_owned();
    let roots = module.module_call_graph.iter().filter(|e| e.fqn.is_empty());
    let found = roots.count();
    if found != 1 {
        let expected = "one entry with an empty fqn";
        return Err(ImportError::mismatch(expected, found.to_string()).at(place));
    }
    let Some(convention) = module.call_signature() else {
        let expected = "a signature of the entry with an empty fqn";
        return Err(ImportError::mismatch(expected, "null").at(place));
    };
    let inputs = module.signature.input_specs.iter().filter(|spec| matches!(spec, InputSpec::UserInput(_) | InputSpec::ConstantInput(_)));
    let outputs = module.signature.output_specs.iter().filter(|spec| matches!(spec, OutputSpec::UserOutput(_) | OutputSpec::LossOutput(_)));
    let sides = [
        ("in_spec", "user inputs", convention.in_spec.leaf_count(), inputs.count()),
        ("out_spec", "user outputs", convention.out_spec.leaf_count(), outputs.count()),
    ];
    for (field, what, leaves, specs) in sides {
        if leaves != specs {
            let expected = format!("{specs} leaves in {field}, one for each of the {what}");
            return Err(ImportError::mismatch(expected, leaves.to_string()).at(place));
        }
    }
    Ok(())
}
