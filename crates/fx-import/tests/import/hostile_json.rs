//! Programs whose JSON is not of the schema's form, or is made to exhaust the reader.

use fx_import::{Archive, ExportedProgram, ImportError};
use serde_json::{Value, json};

use crate::common::{check_error, open, replaced, with_json, with_program};

const PROGRAM: &str = "models/model.json";

fn edited(fixture: &str, edit: impl FnOnce(&mut Value)) -> Result<Archive, ImportError> {
    with_json(fixture, PROGRAM, edit)
}

#[test]
fn errors_say_the_place() {
    let archive = std::env::temp_dir().join(format!("fx-import-{}.pt2", std::process::id()));
    let mut parts = crate::common::parts(&open("cond"));
    let target = crate::common::part(&mut parts, PROGRAM);
    let mut value: Value = serde_json::from_slice(&target.data).expect("json");
    value["graph_module"]["graph"]["nodes"][1]["inputs"][0]["arg"] = json!({"as_int": "3"});
    *target = crate::zip_writer::Part::stored(target.name.clone(), value.to_string());
    std::fs::write(&archive, crate::zip_writer::write(&parts)).expect("a file");
    let result = Archive::open(&archive);
    std::fs::remove_file(&archive).expect("a file");
    let name = value["graph_module"]["graph"]["nodes"][1]["name"].as_str().expect("a name");
    let error = result.expect_err("a string is no int");
    assert_eq!(error.member(), PROGRAM);
    let place = format!("graph_module.graph.nodes[1] '{name}'.inputs[0].arg.as_int");
    assert_eq!(error.place(), place);
    let text = error.to_string();
    let path = archive.display().to_string();
    assert!(text.starts_with(&path), "{text}");
    assert!(text.contains("expected i64"), "{text}");
}

#[test]
fn unions_have_one_known_key() {
    let with = |arg: Value| {
        edited("cond", |program| {
            program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = arg;
        })
    };
    check_error(with(json!({})), &["nodes[0]", "expected a union with one key, found an empty"]);
    check_error(with(json!({"as_int": 1, "as_bool": true})), &["nodes[0]", "found a further key 'as_"]);
    check_error(with(json!({"as_frob": 1})), &["expected one of the keys as_none", "found 'as_frob'"]);
    check_error(with(json!({"as_none": false})), &["expected true, found false"]);
    check_error(with(json!([1])), &["expected an object with one key of Argument"]);
    check_error(with(json!({"as_int": 1.5})), &["expected i64"]);
    check_error(with(json!({"as_int": 9_223_372_036_854_775_808u64})), &["expected i64"]);
    check_error(with(json!({"as_float": "nan"})), &["as_float", "\"NaN\""]);
    check_error(with(json!({"as_layout": 9})), &["expected the number of a layout, found 9"]);
    check_error(with(json!({"as_scalar_type": -1})), &["as_scalar_type", "expected u64"]);
}

#[test]
fn floats_may_be_strings() {
    use fx_import::Argument;
    let with = |arg: Value| {
        let archive = edited("pytree_io", |program| {
            let input = json!({"name": "alpha", "arg": arg, "kind": 2});
            let inputs = &mut program["graph_module"]["graph"]["nodes"][0]["inputs"];
            inputs.as_array_mut().expect("a list").push(input);
        });
        let archive = archive.expect("an archive");
        archive.program().graph().nodes[0].input("alpha").expect("an input").clone()
    };
    assert_eq!(with(json!({"as_float": "-Infinity"})), Argument::Float(f64::NEG_INFINITY));
    assert!(matches!(with(json!({"as_float": "NaN"})), Argument::Float(x) if x.is_nan()));
    assert_eq!(with(json!({"as_float": 1})), Argument::Float(1.0));
    let list = with(json!({"as_floats": [0.5, "Infinity"]}));
    assert_eq!(list, Argument::Floats(vec![0.5, f64::INFINITY]));
}

#[test]
fn versions_come_first() {
    let other = edited("cond", |program| {
        program["schema_version"]["major"] = json!(9);
        program["graph_module"]["graph"] = json!("of another form");
    });
    check_error(other, &["schema_version: unsupported schema version: expected 8.x, found 9.17"]);
    let minor = edited("cond", |program| {
        program["schema_version"]["minor"] = json!(99);
        program["graph_module"]["graph"]["nodes"][0]["new_field"] = json!([1, {"x": null}]);
    });
    assert!(minor.is_ok());
}

#[test]
fn json_is_bounded() {
    let deep = "[".repeat(1 << 20);
    check_error(with_program("cond", &deep), &[PROGRAM, "malformed json"]);
    let deep = format!("{{\"unknown\": {deep}");
    check_error(with_program("cond", &deep), &["unknown[0][0]", "...: malformed json: EOF"]);
    let deep = format!("{{\"graph_module\": {deep}");
    check_error(with_program("cond", &deep), &["graph_module", "malformed json"]);
    check_error(with_program("cond", ""), &["EOF while parsing"]);
    check_error(ExportedProgram::from_json(b"\xff\xfe"), &["malformed json"]);
    check_error(with_program("cond", "{\"opset_version\": {\"aten\": 1, \"aten\": 2}}"), &["expected unique keys, found 'aten' twice"]);
    check_error(with_program("cond", "{\"torch_version\": 1e999}"), &["torch_version"]);
}

#[test]
fn many_tiny_values_are_refused() {
    let text = format!("[{}0]", "[0],".repeat(2 << 20));
    check_error(ExportedProgram::from_json(text.as_bytes()), &["values in a json text: expected at most", "found"]);
}

#[test]
fn nested_subgraphs_do_not_overflow() {
    let empty = json!({"inputs": [], "outputs": [], "nodes": [], "tensor_values": {},
        "sym_int_values": {}, "sym_bool_values": {}});
    let nest = |depth: usize| {
        edited("cond", |program| {
            let mut graph = empty.clone();
            for _ in 0..depth {
                let mut outer = empty.clone();
                outer["nodes"] = json!([{"target": "torch.ops.higher_order.wrap", "outputs": [],
                    "metadata": {}, "inputs": [{"name": "",
                        "arg": {"as_graph": {"name": "g", "graph": graph}}}]}]);
                graph = outer;
            }
            let nodes = &mut program["graph_module"]["graph"]["nodes"];
            nodes.as_array_mut().expect("a list").push(graph["nodes"][0].clone());
        })
    };
    assert!(nest(16).is_ok());
    check_error(nest(30), &["recursion limit exceeded"]);
}

#[test]
fn nested_dicts_do_not_overflow() {
    let nest = |depth: usize| {
        let text = "{\"as_string_to_argument\":{\"a\":".repeat(depth);
        let text = format!("{text}{{\"as_int\":1}}{}", "}}".repeat(depth));
        replaced(
            "cond",
            "\"inputs\": [{\"name\": \"self\", \"arg\": ",
            &format!("\"inputs\": [{{\"name\": \"dict\", \"arg\": {text}}}, {{\"name\": \"self\", \"arg\": "),
        )
    };
    assert!(nest(50).is_ok());
    check_error(nest(5000), &["recursion limit exceeded"]);
}
