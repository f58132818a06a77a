//! Tree specs: kinds of containers, leaf counts, refusals.

use fx_import::{DictKey, TreeKind, TreeSpec};
use serde_json::json;

use crate::common::{check_error, with_json};

const PROGRAM: &str = "models/model.json";

fn leaf() -> serde_json::Value {
    json!({"type": null, "context": null, "children_spec": []})
}

fn node(kind: &str, context: &str, children: usize) -> serde_json::Value {
    json!({"type": kind, "context": context, "children_spec": vec![leaf(); children]})
}

fn parse(root: &serde_json::Value) -> Result<TreeSpec, fx_import::ImportError> {
    TreeSpec::parse(&json!([1, root]).to_string())
}

#[test]
fn containers_have_kinds() {
    let check = |root, expected, leaves| {
        let tree = parse(&root).expect("a tree");
        assert_eq!(tree.kind(), &expected);
        assert_eq!(tree.leaf_count(), leaves);
    };
    check(leaf(), TreeKind::Leaf, 1);
    check(node("builtins.tuple", "null", 0), TreeKind::Tuple, 0);
    check(node("builtins.list", "null", 3), TreeKind::List, 3);
    check(node("collections.deque", "null", 1), TreeKind::Deque, 1);
    let keys = vec![DictKey::Str("x".into()), DictKey::Int(4), DictKey::Bool(true)];
    check(node("builtins.dict", "[\"x\", 4, true]", 3), TreeKind::Dict(keys), 3);
    let keys = vec![DictKey::Other("1.5".into())];
    check(node("collections.OrderedDict", "[1.5]", 1), TreeKind::OrderedDict(keys), 1);
    let context = json!({"default_factory_name": "int", "dict_context": ["y"]}).to_string();
    let keys = vec![DictKey::Str("y".into())];
    check(node("collections.defaultdict", &context, 1), TreeKind::DefaultDict(keys), 1);
    let other = TreeKind::Other { type_name: "my.Type".into(), context: "[7]".into() };
    check(node("my.Type", "[7]", 2), other, 2);
}

#[test]
fn nested_leaves_are_counted() {
    let mut root = node("builtins.tuple", "null", 2);
    root["children_spec"][1] = node("builtins.list", "null", 3);
    assert_eq!(parse(&root).expect("a tree").leaf_count(), 4);
}

#[test]
fn named_tuples_get_their_fields() {
    let named = |fields: &[&str]| {
        with_json("pytree_io", PROGRAM, |program| {
            let module = &mut program["graph_module"];
            module["treespec_namedtuple_fields"] = json!({"my.Four": {"field_names": fields}});
            let spec = json!([1, node("collections.namedtuple", "my.Four", 4)]);
            module["module_call_graph"][0]["signature"]["out_spec"] = spec.to_string().into();
        })
    };
    let archive = named(&["a", "b", "c", "d"]).expect("an archive");
    let convention = archive.program().graph_module.call_signature().expect("a convention");
    let TreeKind::NamedTuple { type_name, fields } = convention.out_spec.kind() else {
        panic!("{:?}", convention.out_spec);
    };
    assert_eq!(type_name, "my.Four");
    let fields = fields.as_deref().expect("fields");
    assert_eq!(fields, ["a", "b", "c", "d"].map(String::from));
    check_error(named(&["a"]), &["module_call_graph[0]: expected 1 children of 'my.Four', found 4"]);
}

#[test]
fn malformed_trees_are_refused() {
    check_error(
        TreeSpec::parse("[2, {\"type\": null, \"context\": null, \"children_spec\": []}]"),
        &["expected a tree spec of version 1, found 2"],
    );
    check_error(TreeSpec::parse("nonsense"), &["malformed json"]);
    check_error(parse(&node("builtins.dict", "[\"x\"]", 2)), &["expected 1 children", "found 2"]);
    check_error(parse(&node("builtins.dict", "null", 0)), &["expected a list of keys"]);
    check_error(parse(&node("builtins.dict", "[1, 1]", 2)), &["expected unique keys"]);
    let mut root = leaf();
    root["children_spec"] = json!([leaf()]);
    check_error(parse(&root), &["expected a leaf without children, found 1 children"]);
    let long = format!("[{}1]", "1,".repeat(1 << 20));
    check_error(parse(&node("builtins.dict", &long, 0)), &["context", "expected at most 1048576"]);
}

#[test]
fn deep_trees_are_refused() {
    let mut text = String::new();
    for _ in 0..100_000 {
        text.push_str("{\"type\":\"builtins.list\",\"context\":\"null\",\"children_spec\":[");
    }
    check_error(TreeSpec::parse(&format!("[1,{text}")), &["recursion limit exceeded"]);
}
