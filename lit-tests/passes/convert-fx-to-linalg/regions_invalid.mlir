// Regions that cannot be lowered: errors at their ops.
// RUN: fx-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(func.func(convert-fx-to-linalg))'

func.func @no_runs(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fx.scan' op has no 'xs': nothing says how many runs there are}}
  %s = fx.scan init(%x) xs() : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%carry: tensor<4xf32>):
    fx.yield %carry : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

func.func @ragged(%x: tensor<4xi64>, %one: f64) -> tensor<4x?xf32> {
  // expected-error @+1 {{'fx.map' op stacks tensors whose sizes may differ from run to run}}
  %s = fx.map %x : (tensor<4xi64>) -> tensor<4x?xf32> {
  ^bb0(%n: tensor<i64>):
    %size = fx.item %n : (tensor<i64>) -> index
    %row = fx.full [%size] %one as f32 : (f64) -> tensor<?xf32>
    fx.yield %row : tensor<?xf32>
  }
  return %s : tensor<4x?xf32>
}

// -----

func.func @inside_another_dialect(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    // expected-error @+1 {{'fx.exp' op is inside 'scf.if', whose regions are not lowered}}
    %e = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'fx.exp' op is used in another block of its function: only the first is lowered}}
  %e = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^last
^last:
  return %e : tensor<4xf32>
}
