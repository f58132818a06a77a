//! Programs that have the schema's form and contradict themselves.

use fx_import::{Archive, ImportError};
use serde_json::{Value, json};

use crate::common::{check_error, replaced, with_json};

const PROGRAM: &str = "models/model.json";

fn edited(fixture: &str, edit: impl FnOnce(&mut Value)) -> Result<Archive, ImportError> {
    with_json(fixture, PROGRAM, edit)
}

#[test]
fn names_resolve_in_order() {
    let unknown = edited("pytree_io", |program| {
        let node = &mut program["graph_module"]["graph"]["nodes"][0];
        node["inputs"][0]["arg"] = json!({"as_tensor": {"name": "ghost"}});
    });
    check_error(
        unknown,
        &[
            "models/model.json: graph_module.graph.nodes[0] '",
            "inputs[0] 'self': expected tensor 'ghost' defined before its use, found no such value",
        ],
    );
    let cyclic = edited("pytree_io", |program| {
        let node = &mut program["graph_module"]["graph"]["nodes"][0];
        let own = node["outputs"][0].clone();
        node["inputs"][0]["arg"] = own;
    });
    check_error(cyclic, &["nodes[0]", "found a later definition or none"]);
    let reversed = edited("pytree_io", |program| {
        let nodes = program["graph_module"]["graph"]["nodes"].as_array_mut();
        nodes.expect("a list").reverse();
    });
    check_error(reversed, &["found a later definition or none"]);
    let twice = edited("pytree_io", |program| {
        let graph = &mut program["graph_module"]["graph"];
        let first = graph["nodes"][0]["outputs"][0].clone();
        graph["nodes"][1]["outputs"][0] = first;
    });
    check_error(twice, &["nodes[1]", "outputs[0]: expected one definition of", "found a second one"]);
    let same_name = edited("pytree_io", |program| {
        let nodes = &mut program["graph_module"]["graph"]["nodes"];
        let first = nodes[0]["name"].clone();
        nodes[1]["name"] = first;
    });
    check_error(same_name, &["nodes[1]", "expected unique node names"]);
    let wrong_kind = edited("dynamic_two_dims", |program| {
        let graph = &mut program["graph_module"]["graph"];
        graph["outputs"][0] = json!({"as_sym_int": {"as_name": "x"}});
    });
    check_error(wrong_kind, &["outputs[0]: expected symbolic int 'x' defined before its use, found a tensor"]);
}

#[test]
fn subgraphs_have_their_own_names() {
    let outer_name = edited("cond", |program| {
        let nodes = program["graph_module"]["graph"]["nodes"].as_array_mut().expect("a list");
        let cond = nodes.iter_mut().find(|n| n["target"] == "torch.ops.higher_order.cond");
        let sub = &mut cond.expect("a cond")["inputs"][1]["arg"]["as_graph"]["graph"];
        sub["nodes"][0]["inputs"][0]["arg"] = json!({"as_tensor": {"name": "p_a_weight_outer"}});
    });
    check_error(outer_name, &["graph 'true_graph_0'.nodes[0]", "'p_a_weight_outer'", "no such value"]);
}

#[test]
fn tensors_have_sound_shapes() {
    let with = |field: &str, value: Value| {
        edited("pytree_io", |program| {
            program["graph_module"]["graph"]["tensor_values"]["pair_0"][field] = value;
        })
    };
    let place = "graph_module.graph.tensor_values 'pair_0': expected ";
    let size = |value: i64| json!({"as_int": value});
    let rank = vec![size(1); 65];
    check_error(with("sizes", json!(rank)), &[place, "at most 64 dimensions, found 65"]);
    check_error(with("sizes", json!([size(1), size(-3)])), &[place, "a size of at least 0, found -3"]);
    check_error(with("strides", json!([])), &[place, "strides, found 0"]);
    check_error(with("storage_offset", size(-1)), &[place, "a storage offset of at least 0"]);
    check_error(with("dtype", json!(0)), &[place, "a dtype, found unknown"]);
    check_error(with("dtype", json!(14)), &["pair_0.dtype", "expected the number of a dtype, found 14"]);
    let huge = json!([size(1 << 40), size(1 << 40)]);
    let huge = edited("pytree_io", |program| {
        let meta = &mut program["graph_module"]["graph"]["tensor_values"]["pair_0"];
        meta["sizes"] = huge.clone();
        meta["strides"] = huge;
    });
    check_error(huge, &[place, "a number of elements of 63 bits"]);
}

#[test]
fn symbols_have_ranges() {
    let none = edited("dynamic_two_dims", |program| program["range_constraints"] = json!({}));
    check_error(none, &["expected a range of symbol 's", "in range_constraints, found none"]);
    let empty = edited("dynamic_two_dims", |program| {
        let ranges = program["range_constraints"].as_object_mut().expect("an object");
        for range in ranges.values_mut() {
            *range = json!({"min_val": 5, "max_val": 4});
        }
    });
    check_error(empty, &["range_constraints 's", "expected a range that is not empty, found 5 to 4"]);
    let infix = replaced("dynamic_two_dims", "\"Mul(", "\"Frob(");
    check_error(infix, &["expr_str", "expected a known function, found 'Frob'"]);
    let condition = replaced("dynamic_two_dims", "\"Mul(", "\"LessThan(");
    check_error(condition, &["expected a number, found"]);
}

#[test]
fn signatures_agree_with_the_graph() {
    let signature = |edit: &dyn Fn(&mut Value)| edited("buffer_cache", |program| edit(&mut program["graph_module"]["signature"]));
    let fewer = signature(&|signature| {
        signature["input_specs"].as_array_mut().expect("a list").pop();
    });
    check_error(fewer, &["signature.input_specs: expected", "as many as the graph's inputs"]);
    let more = signature(&|signature| {
        let copy = signature["output_specs"][0].clone();
        signature["output_specs"].as_array_mut().expect("a list").push(copy);
    });
    check_error(more, &["signature.output_specs: expected", "as many as the graph's outputs"]);
    let renamed = signature(&|signature| {
        signature["input_specs"][0]["parameter"]["arg"]["name"] = json!("ghost");
    });
    check_error(renamed, &["input_specs[0] parameter: expected the graph's as_tensor 'p_lin_weight', found 'ghost'"]);
    let twice = signature(&|signature| {
        signature["input_specs"][1]["parameter"]["parameter_name"] = json!("lin.weight");
    });
    check_error(twice, &["input_specs[1] parameter: expected one input of this name"]);
    let unknown = signature(&|signature| {
        signature["output_specs"][0]["buffer_mutation"]["buffer_name"] = json!("ghost");
    });
    check_error(unknown, &["output_specs[0] buffer_mutation: expected a buffer 'ghost' among the inputs"]);
}

#[test]
fn calling_conventions_count_leaves() {
    let spec = |edit: &dyn Fn(&mut Value)| edited("pytree_io", |program| edit(&mut program["graph_module"]["module_call_graph"]));
    check_error(spec(&|graph| *graph = json!([])), &["expected one entry with an empty fqn, found 0"]);
    check_error(spec(&|graph| graph[0]["signature"] = json!(null)), &["found null"]);
    let leaf = r#"[1, {"type": null, "context": null, "children_spec": []}]"#;
    check_error(
        spec(&|graph| graph[0]["signature"]["in_spec"] = json!(leaf)),
        &["expected 4 leaves in in_spec, one for each of the user inputs, found 1"],
    );
}

#[test]
fn calls_are_well_formed() {
    let node = |edit: &dyn Fn(&mut Value)| edited("pytree_io", |program| edit(&mut program["graph_module"]["graph"]["nodes"][0]));
    check_error(node(&|node| node["target"] = json!("rm -rf /")), &["expected a target such as"]);
    check_error(node(&|node| node["name"] = json!("")), &["expected a node name, found an empty one"]);
    check_error(
        node(&|node| {
            let first = node["inputs"][0].clone();
            node["inputs"].as_array_mut().expect("a list").push(first);
        }),
        &["expected unique argument names, found 'self' twice"],
    );
    check_error(
        node(&|node| node["outputs"][0] = json!({"as_device": {"type": "cpu", "index": null}})),
        &["outputs[0]: expected values or constants, found as_device"],
    );
    let long = "x".repeat(1 << 20);
    let error = node(&|node| node["target"] = json!(long)).expect_err("a long target");
    assert!(error.to_string().len() < 1000);
}
