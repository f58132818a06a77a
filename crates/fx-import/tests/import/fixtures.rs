//! What the fixtures contain, and what nodes say of their origin.

use fx_import::schema::{InputSpec, OutputSpec, SymIntArgument, ValueKind};
use fx_import::{Argument, Node, ScalarType, SourceLocation, SymExpr, SymInt, Target, TreeKind};

use crate::common::open;

#[test]
fn cond_has_two_subgraphs() {
    let archive = open("cond");
    let program = archive.program();
    assert_eq!(program.schema_version.major, 8);
    assert!(program.is_decomposed());
    let graph = program.graph();
    let cond = graph.nodes.iter().find(|node| node.callee() == Some(Target::HigherOrder("cond"))).expect("a cond");
    let subgraphs: Vec<&str> = cond
        .inputs
        .iter()
        .filter_map(|input| match &input.arg {
            Argument::Graph(sub) => Some(sub.name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(subgraphs, ["true_graph_0", "false_graph_0"]);
    assert_eq!(cond.is_hop_single_tensor_return, Some(false));
}

#[test]
fn parameters_have_tensors() {
    let archive = open("cond");
    let specs = &archive.program().signature().input_specs;
    let InputSpec::Parameter(first) = &specs[0] else {
        panic!("{:?}", specs[0]);
    };
    assert_eq!(first.parameter_name, "a.weight");
    let tensor = archive.weight("a.weight").expect("a weight");
    assert_eq!(tensor.dtype, ScalarType::Float32);
    assert!(tensor.is_contiguous());
    let elements = tensor.to_contiguous().expect("elements");
    assert_eq!(elements.len() as u64, tensor.numel().expect("a count") * 4);
    assert_eq!(archive.input_tensor(&specs[0]).expect("a tensor").expect("sound"), tensor);
    assert_eq!(tensor.bytes.as_ptr() as usize % 64, 0, "a mapped weight is aligned");
    assert!(archive.weight("none").is_err());
    let names: Vec<&str> = archive.weights().map(|(name, _)| name).collect();
    assert_eq!(names, ["a.bias", "a.weight", "b.bias", "b.weight"]);
}

#[test]
fn buffers_are_weights_or_constants() {
    let archive = open("buffer_cache");
    assert!(archive.weight("rows").is_ok());
    assert!(archive.constant("scratch").is_ok());
    assert!(archive.weight("scratch").is_err());
    let outputs = &archive.program().signature().output_specs;
    let mutated: Vec<&str> = outputs
        .iter()
        .filter_map(|spec| match spec {
            OutputSpec::BufferMutation(spec) => Some(spec.buffer_name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(mutated, ["rows", "count", "scratch"]);
    archive.verify_checksums().expect("right checksums");
}

#[test]
fn symbols_are_expressions() {
    let archive = open("dynamic_two_dims");
    let graph = archive.program().graph();
    let InputSpec::UserInput(user) = &archive.program().signature().input_specs[2] else {
        panic!("no user input");
    };
    let meta = graph.tensor(user.arg.tensor_name().expect("a tensor")).expect("a table");
    let symbol = meta.sizes[0].expr().and_then(SymExpr::as_symbol).expect("a symbol");
    assert!(archive.program().range_constraints.contains_key(symbol));
    let products: Vec<String> = graph.sym_int_values.values().filter_map(SymInt::expr).map(SymExpr::to_string).collect();
    assert!(products.iter().any(|text| text.contains('*')), "{products:?}");
    let symbolic = graph.nodes.iter().flat_map(|node| &node.inputs).any(|input| {
        matches!(&input.arg, Argument::SymInts(list)
            if list.iter().any(|item| matches!(item, SymIntArgument::Name(_))))
    });
    assert!(symbolic);
}

#[test]
fn calling_convention_nests() {
    let archive = open("pytree_io");
    let module = &archive.program().graph_module;
    let convention = module.call_signature().expect("a convention");
    assert_eq!(convention.in_spec.leaf_count(), 4);
    assert_eq!(convention.out_spec.leaf_count(), 4);
    let [args, kwargs] = convention.in_spec.children() else {
        panic!("{:?}", convention.in_spec);
    };
    assert_eq!(args.kind(), &TreeKind::Tuple);
    assert!(matches!(kwargs.kind(), TreeKind::Dict(keys) if keys.len() == 1));
    let names = convention.forward_arg_names.as_deref().expect("names");
    assert_eq!(names, ["pair", "table", "bias"]);
    assert_eq!(module.graph.outputs[3], Argument::Int(7));
    assert_eq!(module.graph.inputs[0].values(), [(ValueKind::Tensor, "c_scale")]);
    assert!(archive.constant("scale").is_ok());
}

fn node(key: &str, value: &str) -> Node {
    let mut node = open("cond").program().graph().nodes[0].clone();
    node.metadata = [(key.to_owned(), value.to_owned())].into();
    node
}

/// Checks the place that a stack trace (files, outermost first) leads to.
fn check_source(files: &[&str], expected: Option<&str>) {
    let frame = |(index, file)| format!("  File \"{file}\", line {}, in forward\n    y = f(x)", index + 1);
    let trace: Vec<String> = files.iter().enumerate().map(frame).collect();
    let source = node("stack_trace", &trace.join("\n")).source();
    let expected = expected
        .map(|file| SourceLocation { file: file.to_owned(), line: files.iter().position(|f| *f == file).expect("a frame") as u32 + 1 });
    assert_eq!(source, expected);
}

#[test]
fn source_is_the_innermost_user_frame() {
    check_source(&["main.py", "model.py", "torch/nn/modules/linear.py"], Some("model.py"));
    check_source(&["m.py", "/env/site-packages/torch/functional.py"], Some("m.py"));
    check_source(&["m.py", "/src/pytorch/torch/_tensor.py", "<eval_with_key>.3"], Some("m.py"));
    check_source(&["m.py", "/home/me/torch/model.py"], Some("/home/me/torch/model.py"));
    check_source(&["m.py", "transformers/activations.py"], Some("transformers/activations.py"));
    check_source(&["torch/fx/passes/runtime_assert.py"], Some("torch/fx/passes/runtime_assert.py"));
    check_source(&[], None);
    assert_eq!(node("stack_trace", "File \"x\", line 99999999999, in f").source(), None);
}

#[test]
fn frames_have_functions() {
    let node = node("stack_trace", "File \"a.py\", line 7, in forward\n    y = x\n  File \"b.py\", line 9, in g");
    let frames: Vec<(&str, u32, &str)> = node.stack_trace().map(|frame| (frame.file, frame.line, frame.function)).collect();
    assert_eq!(frames, [("a.py", 7, "forward"), ("b.py", 9, "g")]);
}

#[test]
fn tags_of_checkpoints_are_custom_metadata() {
    let check = |custom, expected: Option<(&str, Option<i64>)>| {
        let expected = expected.map(|(policy, group)| (policy.to_owned(), group));
        assert_eq!(node("custom", custom).recompute(), expected, "{custom}");
    };
    check(r#"{"recompute": "must_save"}"#, Some(("must_save", None)));
    check(r#"{"recompute": "prefer_recompute", "recompute_group": 2, "other": [1]}"#, Some(("prefer_recompute", Some(2))));
    check(r#"{"other": 1}"#, None);
    check("{", None);
}

#[test]
fn module_path_is_the_innermost() {
    let check = |stack, expected: Option<&str>| {
        assert_eq!(node("nn_module_stack", stack).module_path().as_deref(), expected);
    };
    check("L__self__,,__main__.Fn", Some(""));
    check("L__self__,,m.Fn;L__self__net,net.0,m.Net", Some("net.0"));
    check("L__self__,,m.Fn;L__self__net,net.0@12,m.Net", Some("net.0"));
    check("nonsense", None);
}

#[test]
fn targets_are_taken_apart() {
    let op = Target::Op { namespace: "aten", name: "add", overload: "Tensor" };
    assert_eq!(Target::parse("torch.ops.aten.add.Tensor"), Some(op));
    let python = Target::Python { module: "_operator", function: "mul" };
    assert_eq!(Target::parse("_operator.mul"), Some(python));
    assert_eq!(Target::parse("torch.ops.higher_order.while_loop"), Some(Target::HigherOrder("while_loop")));
    for wrong in ["", "add", "torch.ops.aten.add", "a..b", "torch.ops.aten.add.T x", "x.(y)"] {
        assert_eq!(Target::parse(wrong), None, "{wrong}");
    }
}
