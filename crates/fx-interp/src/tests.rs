//! Whole programs: arguments, numbers, regions, results, errors.

use fx_ir::{Module, new_context};
use fx_runtime::plan::OutputKind;
use fx_runtime::{HostTensor, OutputItem, Value};

use crate::Evaluator;

pub(crate) fn evaluate(text: &str, inputs: &[Value]) -> Result<Vec<OutputItem>, String> {
    let context = new_context(false);
    let module = Module::parse(&context, text).ok_or("the text does not parse")?;
    let evaluator = Evaluator::read(&module).map_err(|message| message.to_string())?;
    evaluator.call(inputs).map_err(|message| message.to_string())
}

fn tensor(dims: &[usize], values: &[f32]) -> Value {
    HostTensor::from_slice(dims, values).unwrap().into()
}

pub(crate) fn values(item: &OutputItem) -> Vec<f64> {
    item.tensor().unwrap().to_f64_vec().unwrap()
}

#[test]
fn numbers_and_sizes() {
    let text = r#"
      func.func @main(%x: tensor<?x2xf32> {fx.dims = ["s0", 2], fx.kind = "input", fx.target = "x"}) -> (tensor<?x2xf32> {fx.kind = "input_mutation", fx.mutates = "x"}, index)
          attributes {fx.symbols = {s0 = array<i64: 1, 4>}} {
        %n = fx.size %x dim 0 : tensor<?x2xf32>
        %c2 = arith.constant 2 : index
        %m = arith.muli %n, %c2 : index
        %half = arith.constant 5.0e-1 : f64
        %y = fx.add %x, %half {alpha = 2 : i64} : (tensor<?x2xf32>, f64) -> tensor<?x2xf32>
        return %y, %m : tensor<?x2xf32>, index
      }"#;
    let items = evaluate(text, &[tensor(&[3, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])]).unwrap();
    assert_eq!(values(&items[0]), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(items[0].kind, OutputKind::InputMutation("x".into()));
    assert!(matches!(items[1].value, Some(Value::Int(6))));
    let error = evaluate(text, &[tensor(&[5, 2], &[0.0; 10])]).unwrap_err();
    assert!(error.contains("size 's0' is 5"), "{error}");
}

#[test]
fn regions() {
    let text = r#"
      func.func @main(%x: tensor<3x2xf32>, %p: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<f32>) {
        %zero = arith.constant dense<0.0> : tensor<2xf32>
        %ten = arith.constant dense<10.0> : tensor<f32>
        %chosen = fx.cond %p : tensor<i1> -> (tensor<2xf32>) {
          fx.yield %zero : tensor<2xf32>
        } else {
          %y = fx.add %zero, %ten : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
          fx.yield %y : tensor<2xf32>
        }
        %last, %sums = fx.scan init(%zero) xs(%x) : (tensor<2xf32>, tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
        ^bb0(%carry: tensor<2xf32>, %row: tensor<2xf32>):
          %next = fx.add %carry, %row : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
          fx.yield %next, %next : tensor<2xf32>, tensor<2xf32>
        }
        %mapped = fx.map %x : (tensor<3x2xf32>) -> tensor<3x2xf32> {
        ^bb0(%row: tensor<2xf32>):
          %y = fx.neg %row : (tensor<2xf32>) -> tensor<2xf32>
          fx.yield %y : tensor<2xf32>
        }
        %one = arith.constant dense<1.0> : tensor<f32>
        %large = fx.while_loop(%one) : (tensor<f32>) -> tensor<f32> {
        ^bb0(%v: tensor<f32>):
          %more = fx.lt %v, %ten : (tensor<f32>, tensor<f32>) -> tensor<i1>
          fx.yield %more : tensor<i1>
        } do {
        ^bb0(%v: tensor<f32>):
          %w = fx.add %v, %v : (tensor<f32>, tensor<f32>) -> tensor<f32>
          fx.yield %w : tensor<f32>
        }
        return %chosen, %last, %sums, %mapped, %large : tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<f32>
      }"#;
    let x = tensor(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let items = evaluate(text, &[x, HostTensor::scalar(false).unwrap().into()]).unwrap();
    assert_eq!(values(&items[0]), [10.0, 10.0]);
    assert_eq!(values(&items[1]), [9.0, 12.0]);
    assert_eq!(values(&items[2]), [1.0, 2.0, 4.0, 6.0, 9.0, 12.0]);
    assert_eq!(values(&items[3]), [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    assert_eq!(values(&items[4]), [16.0]);
}

#[test]
fn errors_have_places() {
    let text = "func.func @main(%x: tensor<2xi64>) -> tensor<2xi64> {
      %zero = arith.constant 0 : i64
      %y = fx.div %x, %zero rounding \"floor\" : (tensor<2xi64>, i64) -> tensor<2xi64>
      return %y : tensor<2xi64>
    }";
    let error = evaluate(text, &[HostTensor::from_slice(&[2], &[1i64, 2]).unwrap().into()]).unwrap_err();
    assert_eq!(error, "-:3:12: error: 'fx.div' op divides an integer by 0");
    let error = evaluate(text, &[tensor(&[2], &[1.0, 2.0])]).unwrap_err();
    assert!(error.contains("expected i64 of shape"), "{error}");
}
