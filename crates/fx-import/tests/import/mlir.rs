//! Programs as MLIR: the fixtures, programs that write in place, and what is refused.

use std::fmt::Write as _;

use fx_import::Archive;
use fx_ir::{Message, Module, collect};
use serde_json::{Value, json};

use crate::common::{open, with_json};

/// The text of an archive's module, which must verify and survive a round trip; or what was reported.
fn import(archive: &Archive) -> Result<String, Vec<Message>> {
    let context = fx_ir::new_context(false);
    let (text, messages) = collect(&context, || {
        let module = fx_import::mlir::import(archive, &context).ok()?;
        module.op().verify().then(|| module.op().to_string())
    });
    let text = text.ok_or(messages)?;
    let again = Module::parse(&context, &text).expect("the text parses");
    assert_eq!(again.op().to_string(), text);
    Ok(text)
}

/// The module's lines that hold ops, without types.
fn ops(archive: &Archive) -> String {
    let text = import(archive).unwrap_or_else(|messages| panic!("{messages:?}"));
    let mut ops = String::new();
    for line in text.lines().skip(2).filter(|line| line.starts_with("    ")) {
        let line = line.split(" : ").next().unwrap_or(line);
        writeln!(ops, "{}", line.trim()).expect("a string takes text");
    }
    ops
}

fn tensor(name: &str) -> Value {
    json!({"as_tensor": {"name": name}})
}

/// A node with arguments by name; the result has the node's name.
fn node(target: &str, inputs: &[(&str, Value)], output: &str) -> Value {
    let inputs: Vec<Value> = inputs.iter().map(|(name, arg)| json!({"name": name, "arg": arg, "kind": 1})).collect();
    json!({
        "target": target, "inputs": inputs, "outputs": [tensor(output)], "name": output,
        "metadata": {
            "stack_trace": "  File \"model.py\", line 7, in forward\n    return x\n",
            "nn_module_stack": "L__self__,block,model.Block",
        },
    })
}

/// A program on user inputs `inputs`, all tensors f32 of the stated sizes.
fn program(inputs: &[&str], tensors: &[(&str, &[i64])], nodes: &[Value], outputs: &[&str]) -> Archive {
    let tensors: serde_json::Map<String, Value> = tensors
        .iter()
        .map(|(name, sizes)| {
            let mut strides = vec![1; sizes.len()];
            for i in (1..sizes.len()).rev() {
                strides[i - 1] = strides[i] * sizes[i];
            }
            let numbers = |list: &[i64]| list.iter().map(|n| json!({"as_int": n})).collect::<Vec<_>>();
            let meta = json!({
                "dtype": 7, "sizes": numbers(sizes), "strides": numbers(&strides), "layout": 7,
                "requires_grad": false, "device": {"type": "cpu", "index": null},
                "storage_offset": {"as_int": 0},
            });
            ((*name).to_owned(), meta)
        })
        .collect();
    let list = |names: &[&str]| names.iter().map(|name| tensor(name)).collect::<Vec<_>>();
    let specs = |names: &[&str], kind: &str| -> Vec<Value> { names.iter().map(|name| json!({kind: {"arg": tensor(name)}})).collect() };
    let leaf = json!({"type": null, "context": null, "children_spec": []});
    let tuple = |children: Vec<Value>| json!({"type": "builtins.tuple", "context": "null", "children_spec": children});
    let dict = json!({"type": "builtins.dict", "context": "[]", "children_spec": []});
    let in_spec = tuple(vec![tuple(vec![leaf.clone(); inputs.len()]), dict]);
    let convention = json!({
        "inputs": [], "outputs": [],
        "in_spec": json!([1, in_spec]).to_string(),
        "out_spec": json!([1, tuple(vec![leaf; outputs.len()])]).to_string(),
    });
    let archive = with_json("pytree_io", "models/model.json", |program| {
        program["graph_module"] = json!({
            "graph": {
                "inputs": list(inputs), "outputs": list(outputs), "nodes": nodes, "tensor_values": tensors,
                "sym_int_values": {}, "sym_bool_values": {},
            },
            "signature": {
                "input_specs": specs(inputs, "user_input"),
                "output_specs": specs(outputs, "user_output"),
            },
            "module_call_graph": [{"fqn": "", "signature": convention}], "metadata": {},
        });
    });
    archive.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn fixtures_import() {
    for name in ["buffer_cache", "cond", "dynamic_two_dims", "pytree_io"] {
        let text = import(&open(name)).unwrap_or_else(|messages| panic!("{name}: {messages:?}"));
        assert!(text.contains("func.func @main("), "{text}");
    }
}

#[test]
fn arguments_and_results_say_what_they_are() {
    let text = import(&open("buffer_cache")).expect("a module");
    let parameter = r#"{fx.kind = "parameter", fx.name = "p_lin_weight", fx.target = "lin.weight"}"#;
    assert!(text.contains(parameter), "{text}");
    assert!(text.contains(r#"{fx.kind = "buffer_mutation", fx.mutates = "rows"}"#), "{text}");
    assert!(text.contains(r#"fx.out_spec = ""#), "{text}");
    let text = import(&open("dynamic_two_dims")).expect("a module");
    assert!(text.contains(r#"fx.dims = ["s77", "s27", 12]"#), "{text}");
    assert!(text.contains("fx.symbols = {s27 = array<i64: "), "{text}");
}

#[test]
fn ops_of_a_node_have_its_tags() {
    let build = |policy: &str| {
        let mut square = node("torch.ops.aten.square.default", &[("self", tensor("x"))], "square");
        square["metadata"]["custom"] = json!(json!({"recompute": policy, "recompute_group": 1}).to_string());
        let sin = node("torch.ops.aten.sin.default", &[("self", tensor("square"))], "sin");
        import(&program(&["x"], &[("x", &[2]), ("square", &[2]), ("sin", &[2])], &[square, sin], &["sin"]))
    };
    let text = build("must_recompute").expect("a module");
    assert_eq!(text.matches(r#"{fx.recompute = "must_recompute", fx.recompute_group = 1 : i64}"#).count(), 1, "{text}");
    assert!(text.contains("fx.sin %0 :"), "{text}");
}

#[test]
fn a_write_through_views_reaches_the_base_and_other_views() {
    // row = x[1]; t = x.t(); row.add_(1); t sees the new row, and so does x.
    let nodes = [
        node("torch.ops.aten.select.int", &[("self", tensor("x")), ("dim", json!({"as_int": 0})), ("index", json!({"as_int": 1}))], "row"),
        node("torch.ops.aten.t.default", &[("self", tensor("x"))], "t"),
        node("torch.ops.aten.add_.Tensor", &[("self", tensor("row")), ("other", json!({"as_int": 1}))], "add_"),
        node("torch.ops.aten.sin.default", &[("self", tensor("t"))], "sin"),
    ];
    let tensors: &[(&str, &[i64])] = &[("x", &[2, 3]), ("row", &[3]), ("t", &[3, 2]), ("add_", &[3]), ("sin", &[3, 2])];
    let archive = program(&["x"], tensors, &nodes, &["sin"]);
    let expected = "\
%0 = fx.select %arg0 dim 0 [1]
%1 = fx.t %arg0
%c1_i64 = arith.constant 1
%2 = fx.add %0, %c1_i64
%3 = fx.select_scatter %arg0, %2 dim 0 index [1]
%4 = fx.t %3
%5 = fx.sin %4
return %3, %5
";
    assert_eq!(ops(&archive), expected);
    let text = import(&archive).expect("a module");
    assert!(text.contains(r#"{fx.kind = "input_mutation", fx.mutates = "x"}"#), "{text}");
}

#[test]
fn a_write_to_a_reshaped_permuted_slice_is_inverted_step_by_step() {
    let nodes = [
        node(
            "torch.ops.aten.slice.Tensor",
            &[("self", tensor("x")), ("start", json!({"as_int": 1})), ("end", json!({"as_int": 3}))],
            "rows",
        ),
        node("torch.ops.aten.permute.default", &[("self", tensor("rows")), ("dims", json!({"as_ints": [2, 0, 1]}))], "turned"),
        node("torch.ops.aten.unsqueeze.default", &[("self", tensor("turned")), ("dim", json!({"as_int": 0}))], "wide"),
        node("torch.ops.aten.relu_.default", &[("self", tensor("wide"))], "relu_"),
    ];
    let tensors: &[(&str, &[i64])] =
        &[("x", &[4, 5, 6]), ("rows", &[2, 5, 6]), ("turned", &[6, 2, 5]), ("wide", &[1, 6, 2, 5]), ("relu_", &[1, 6, 2, 5])];
    let archive = program(&["x"], tensors, &nodes, &["relu_"]);
    let expected = "\
%0 = fx.slice %arg0 dim 0 [1] to [3] step [1]
%1 = fx.permute %0 [2, 0, 1]
%2 = fx.unsqueeze %1 dim 0
%3 = fx.relu %2
%4 = fx.view_as %3, %1
%5 = fx.permute %4 [1, 2, 0]
%6 = fx.slice_scatter %arg0, %5 dim 0 start [1] end [3] step [1]
return %6, %3
";
    assert_eq!(ops(&archive), expected);
}

#[test]
fn a_write_to_one_of_several_parts_goes_to_its_place() {
    let parts = |target: &str, extra: (&str, Value), sizes: &'static [i64]| {
        let mut split = node(target, &[("self", tensor("x")), extra], "a");
        split["outputs"] = json!([{"as_tensors": [{"name": "a"}, {"name": "b"}]}]);
        let write = node("torch.ops.aten.zero_.default", &[("self", tensor("b"))], "zero_");
        let tensors: &[(&str, &[i64])] = &[("x", &[2, 4]), ("a", sizes), ("b", sizes), ("zero_", sizes)];
        ops(&program(&["x"], tensors, &[split, write], &["a"]))
    };
    let split = parts("torch.ops.aten.split.Tensor", ("split_size", json!({"as_int": 1})), &[1, 4]);
    assert!(split.contains("fx.slice_scatter %arg0, %1 dim 0 start [1] end [2] step [1]"), "{split}");
    assert!(split.contains("return %2, %3#0"), "{split}");
    let unbind = parts("torch.ops.aten.unbind.int", ("dim", json!({"as_int": 0})), &[4]);
    assert!(unbind.contains("fx.select_scatter %arg0, %1 dim 0 index [1]"), "{unbind}");
}

#[test]
fn a_write_to_an_out_argument_rebinds_it() {
    let arguments = [("self", tensor("x")), ("other", tensor("x")), ("out", tensor("y"))];
    let nodes = [node("torch.ops.aten.add.out", &arguments, "z"), node("torch.ops.aten.sin.default", &[("self", tensor("y"))], "s")];
    let tensors: &[(&str, &[i64])] = &[("x", &[2]), ("y", &[2]), ("z", &[2]), ("s", &[2])];
    let text = ops(&program(&["x", "y"], tensors, &nodes, &["s", "z"]));
    assert_eq!(text, "%0 = fx.add %arg0, %arg0\n%1 = fx.sin %0\nreturn %0, %1, %0\n");
}

#[test]
fn a_graph_without_autograd_is_inlined_and_cut_off() {
    let inner = json!({
        "inputs": [tensor("a")], "outputs": [tensor("y")],
        "nodes": [node("torch.ops.aten.sin.default", &[("self", tensor("a"))], "y")],
        "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {},
    });
    let build = |enabled: bool| {
        let mut inner = inner.clone();
        let archive = program(&["x"], &[("x", &[2]), ("y", &[2])], &[], &["x"]);
        let program = std::str::from_utf8(archive.member("models/model.json").expect("a program")).expect("text");
        let program: Value = serde_json::from_str(program).expect("json");
        let meta = program["graph_module"]["graph"]["tensor_values"]["x"].clone();
        inner["tensor_values"] = json!({"a": meta, "y": meta});
        let graph = json!({"as_graph": {"name": "submod", "graph": inner}});
        let arguments = [("", json!({"as_bool": enabled})), ("", graph), ("", tensor("x"))];
        let nodes = [node("torch.ops.higher_order.wrap_with_set_grad_enabled", &arguments, "y")];
        ops(&self::program(&["x"], &[("x", &[2]), ("y", &[2])], &nodes, &["y"]))
    };
    assert_eq!(build(true), "%0 = fx.sin %arg0\nreturn %0\n");
    assert_eq!(build(false), "%0 = fx.sin %arg0\n%1 = fx.stop_gradient %0\nreturn %1\n");
}

#[test]
fn scans_and_maps_take_slices_and_capture_the_rest() {
    let sizes: &[(&str, &[i64])] = &[("x", &[3, 2]), ("c", &[2]), ("w", &[2]), ("y", &[3, 2]), ("last", &[2])];
    let list = |names: &[&str]| json!({"as_tensors": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()});
    let body = |inputs: &[&str], outputs: &[&str]| {
        let archive = program(&["w"], sizes, &[], &["w"]);
        let program = std::str::from_utf8(archive.member("models/model.json").expect("a program")).expect("text");
        let program: Value = serde_json::from_str(program).expect("json");
        let meta = &program["graph_module"]["graph"]["tensor_values"]["w"];
        let names = |names: &[&str]| names.iter().map(|name| tensor(name)).collect::<Vec<_>>();
        let graph = json!({
            "inputs": names(inputs), "outputs": names(outputs),
            "nodes": [node("torch.ops.aten.add.Tensor", &[("self", tensor("row")), ("other", tensor("more"))], "sum")],
            "tensor_values": {"carry": meta, "row": meta, "more": meta, "sum": meta},
            "sym_int_values": {}, "sym_bool_values": {},
        });
        json!({"as_graph": {"name": "body", "graph": graph}})
    };
    let mut scan = node(
        "torch.ops.higher_order.scan",
        &[("", body(&["carry", "row", "more"], &["sum", "carry"])), ("", list(&["c"])), ("", list(&["x"])), ("", list(&["w"]))],
        "last",
    );
    scan["outputs"] = json!([tensor("last"), tensor("y")]);
    let text = ops(&program(&["x", "c", "w"], sizes, &[scan], &["y"]));
    assert_eq!(
        text,
        "%0:2 = fx.scan init(%arg1) xs(%arg0)\n^bb0(%arg3: tensor<2xf32>, %arg4: tensor<2xf32>):\n%1 = fx.add %arg4, %arg2\nfx.yield %1, %arg3\n}\nreturn %0#1\n"
    );
    let arguments = [("", body(&["row", "more"], &["sum"])), ("", list(&["x"])), ("", list(&["w"]))];
    let map = node("torch.ops.higher_order.map_impl", &arguments, "y");
    let text = ops(&program(&["x", "w"], sizes, &[map], &["y"]));
    assert_eq!(text, "%0 = fx.map %arg0\n^bb0(%arg2: tensor<2xf32>):\n%1 = fx.add %arg2, %arg1\nfx.yield %1\n}\nreturn %0\n");
}

#[test]
fn arithmetic_on_sizes_is_pythons() {
    let archive = with_json("dynamic_two_dims", "models/model.json", |program| {
        let graph = &mut program["graph_module"]["graph"];
        let size = graph["nodes"][0]["outputs"][0].clone();
        let result = |kind: &str, name: &str| json!({kind: {"as_name": name}});
        let symbol = "Symbol('s77', positive=True, integer=True)";
        let mut add = |target: &str, inputs: &[Value], kind: &str, table: &str, name: &str| {
            let inputs: Vec<(&str, Value)> = ["a", "b", "c"].into_iter().zip(inputs.iter().cloned()).collect();
            let mut node = node(target, &inputs, name);
            node["outputs"] = json!([result(kind, name)]);
            graph["nodes"].as_array_mut().expect("a list").push(node);
            let expr = if kind == "as_sym_bool" { format!("LessThan({symbol}, Integer(9))") } else { symbol.to_owned() };
            graph[table][name] = json!({ "as_expr": { "expr_str": expr, "hint": null } });
        };
        let (int, float, bool) = ("as_sym_int", "as_sym_float", "as_sym_bool");
        let three = json!({"as_int": 3});
        add("_operator.floordiv", &[size.clone(), three.clone()], int, "sym_int_values", "t1");
        add("_operator.mod", &[size.clone(), three.clone()], int, "sym_int_values", "t2");
        add("_operator.truediv", &[size.clone(), three.clone()], float, "sym_float_values", "t3");
        add("math.floor", &[result(float, "t3")], int, "sym_int_values", "t4");
        add("torch.sym_max", &[size.clone(), three.clone()], int, "sym_int_values", "t5");
        add("_operator.lt", &[result(int, "t5"), json!({"as_int": 9})], bool, "sym_bool_values", "t6");
        add("torch.sym_not", &[result(bool, "t6")], bool, "sym_bool_values", "t7");
        add("torch.sym_ite", &[result(bool, "t7"), size.clone(), three.clone()], int, "sym_int_values", "t8");
        add("_operator.neg", &[result(int, "t8")], int, "sym_int_values", "t9");
        add("_operator.pow", &[size.clone(), three.clone()], int, "sym_int_values", "t10");
        add("torch.sym_float", std::slice::from_ref(&size), float, "sym_float_values", "t11");
        let inputs = [("self", result(bool, "t7")), ("assert_msg", json!({"as_string": "too large"}))];
        let mut assert = node("torch.ops.aten._assert_scalar.default", &inputs, "check");
        assert["outputs"] = json!([]);
        graph["nodes"].as_array_mut().expect("a list").push(assert);
    });
    let ops = ops(&archive.unwrap_or_else(|error| panic!("{error}")));
    let added = ops.split("fx.arange").nth(1).expect("the fixture's last ops");
    let names = added.lines().skip(2).filter_map(|line| Some(line.split_once(" = ")?.1.split(' ').next()?.to_owned()));
    let names: Vec<String> = names.filter(|name| name != "arith.constant").collect();
    let expected = [
        "arith.floordivsi",
        "arith.floordivsi arith.muli arith.subi",
        "arith.index_cast arith.sitofp arith.index_cast arith.sitofp arith.divf",
        "math.floor arith.fptosi arith.index_cast",
        "arith.maxsi",
        "arith.cmpi",
        "arith.xori",
        "arith.select",
        "arith.subi",
        "math.ipowi",
        "arith.index_cast arith.sitofp",
    ];
    assert_eq!(names.join(" "), expected.join(" "), "{added}");
    assert!(added.contains("\"too large\""), "{added}");
}

#[test]
fn limits_of_dtypes_are_numbers() {
    let archive = with_json("dynamic_two_dims", "models/model.json", |program| {
        let graph = &mut program["graph_module"]["graph"];
        let mut add = |function: &str, dtype: i64, kind: &str, table: &str, value: Value| {
            let mut node = node(&format!("torch.ops.prims.{function}.default"), &[("dtype", json!({"as_scalar_type": dtype}))], function);
            node["outputs"] = json!([{kind: {"as_name": function}}]);
            graph["nodes"].as_array_mut().expect("a list").push(node);
            graph[table][function] = value;
        };
        add("maximum_value", 5, "as_sym_int", "sym_int_values", json!({"as_int": i64::MAX}));
        add("minimum_value", 7, "as_sym_float", "sym_float_values", json!({"as_float": f32::MIN}));
    });
    let text = import(&archive.unwrap_or_else(|error| panic!("{error}"))).expect("a module");
    assert!(text.contains("arith.constant 9223372036854775807 : index"), "{text}");
    assert!(text.contains("arith.constant -3.4028234663852886E+38 : f64"), "{text}");
}

#[test]
fn a_write_that_nobody_can_express_is_refused() {
    let nodes = [node("torch.ops.aten.index_copy_.dimname", &[("self", tensor("x"))], "y")];
    let archive = program(&["x"], &[("x", &[2]), ("y", &[2])], &nodes, &["y"]);
    let messages = import(&archive).expect_err("an error");
    assert!(messages[0].text.contains("'aten.index_copy_.dimname' writes to its arguments"), "{messages:?}");
}

#[test]
fn a_negative_padding_row_counts_from_the_end() {
    let row = |row: i64, sizes: &[i64]| {
        let arguments = [
            ("weight", tensor("w")),
            ("indices", tensor("i")),
            ("offsets", tensor("o")),
            ("scale_grad_by_freq", json!({"as_bool": false})),
            ("mode", json!({"as_int": 0})),
            ("sparse", json!({"as_bool": false})),
            ("per_sample_weights", json!({"as_none": true})),
            ("include_last_offset", json!({"as_bool": false})),
            ("padding_idx", json!({"as_int": row})),
        ];
        let mut bag = node("torch.ops.aten.embedding_bag.padding_idx", &arguments, "y");
        bag["outputs"] = json!(["y", "bags", "sizes", "most"].map(tensor));
        let cast =
            |from: &str, to: &str| node("torch.ops.aten.to.dtype", &[("self", tensor(from)), ("dtype", json!({"as_scalar_type": 5}))], to);
        let tensors: &[(&str, &[i64])] = &[
            ("w", sizes),
            ("a", &[6]),
            ("b", &[2]),
            ("i", &[6]),
            ("o", &[2]),
            ("y", &[2, 3]),
            ("bags", &[6]),
            ("sizes", &[2]),
            ("most", &[2]),
        ];
        program(&["w", "a", "b"], tensors, &[cast("a", "i"), cast("b", "o"), bag], &["y"])
    };
    assert!(ops(&row(-1, &[5, 3])).contains("padding_idx = 4"), "{}", ops(&row(-1, &[5, 3])));
    assert!(ops(&row(1, &[5, 3])).contains("padding_idx = 1"));
}

#[test]
fn instance_norm_updates_running_statistics() {
    let flag = json!({"as_bool": true});
    let float = json!({"as_float": 0.1});
    let arguments = [
        ("input", tensor("x")),
        ("weight", json!({"as_none": true})),
        ("bias", json!({"as_none": true})),
        ("running_mean", tensor("m")),
        ("running_var", tensor("v")),
        ("use_input_stats", flag.clone()),
        ("momentum", float.clone()),
        ("eps", float),
        ("cudnn_enabled", flag),
    ];
    let nodes = [node("torch.ops.aten.instance_norm.default", &arguments, "y")];
    let sizes: &[(&str, &[i64])] = &[("x", &[2, 3, 4]), ("m", &[3]), ("v", &[3]), ("y", &[2, 3, 4])];
    let text = ops(&program(&["x", "m", "v"], sizes, &nodes, &["y"]));
    assert!(text.contains("fx.var_mean %arg0 dim [2]"), "{text}");
    assert_eq!(text.matches("fx.mean").count(), 2, "{text}");
    let last = text.lines().last().unwrap_or_default();
    let sums: Vec<&str> = text.lines().filter(|line| line.contains("fx.add")).filter_map(|line| line.split(' ').next()).collect();
    // New values of inputs come before the results.
    assert_eq!(last, format!("return {}, {}, %0", sums[1], sums[0]), "{text}");
    // Without statistics it writes nothing.
    let arguments = [&arguments[..3], &arguments[5..]].concat();
    let none = json!({"as_none": true});
    let arguments = [&arguments[..], &[("running_mean", none.clone()), ("running_var", none)]].concat();
    let nodes = [node("torch.ops.aten.instance_norm.default", &arguments, "y")];
    let archive = program(&["x"], &[("x", &[2, 3, 4]), ("y", &[2, 3, 4])], &nodes, &["y"]);
    assert!(ops(&archive).starts_with("%0 = fx.instance_norm %arg0"));
}

#[test]
fn an_unknown_operator_is_a_call() {
    let arguments = [
        ("x", tensor("x")),
        ("list", json!({"as_tensors": [{"name": "x"}, {"name": "x"}]})),
        ("scale", json!({"as_float": 2.0})),
        ("mode", json!({"as_string": "fast"})),
    ];
    let nodes = [node("torch.ops.my.op.variant", &arguments, "y")];
    let archive = program(&["x"], &[("x", &[2]), ("y", &[3])], &nodes, &["y"]);
    let text = import(&archive).expect("a module");
    let call = r#"fx.call "my::op.variant"(%arg0, %arg0, %arg0) args {mode = "fast", scale = 2.000000e+00 : f64} {fx.operands = ["x", "list", "list"]}"#;
    assert!(text.contains(call), "{text}");
}

#[test]
fn everything_unsupported_is_reported_at_once_with_its_place() {
    let bad = |name: &str, from: &str| {
        let arguments = [("self", tensor(from)), ("dim", json!({"as_string": "x"}))];
        node("torch.ops.aten.unsqueeze.default", &arguments, name)
    };
    let nodes = [
        bad("first", "x"),
        // Uses a value that is missing: no report of its own.
        node("torch.ops.aten.sin.default", &[("self", tensor("first"))], "user"),
        node("torch.ops.higher_order.strange", &[("", tensor("x"))], "second"),
    ];
    let tensors: &[(&str, &[i64])] = &[("x", &[2]), ("first", &[1, 2]), ("user", &[1, 2]), ("second", &[2])];
    let archive = program(&["x"], tensors, &nodes, &["user", "second"]);
    let messages = import(&archive).expect_err("an error");
    let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("argument 'dim' of 'aten.unsqueeze.default'"), "{texts:?}");
    assert!(texts[1].contains("'strange'"), "{texts:?}");
    for message in &messages {
        assert!(message.location.contains("model.py:7"), "{}", message.location);
        assert!(message.location.contains("block"), "{}", message.location);
        assert_eq!(message.notes.len(), 1);
    }
}

#[test]
fn arguments_that_the_op_lacks_must_be_at_their_defaults() {
    let sized = |extra: (&'static str, Value)| {
        let arguments = [("self", tensor("x")), extra];
        let nodes = [node("torch.ops.aten.sin.default", &arguments, "y")];
        import(&program(&["x"], &[("x", &[2]), ("y", &[2])], &nodes, &["y"]))
    };
    assert!(sized(("device", json!({"as_device": {"type": "cpu", "index": null}}))).is_ok());
    let messages = sized(("strange", json!({"as_int": 3}))).expect_err("an error");
    assert!(messages[0].text.contains("argument 'strange' of 'aten.sin.default' is not supported"));
}
