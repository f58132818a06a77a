// The attributes 'fx.recompute' and 'fx.recompute_group' of ops are checked.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @policies(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = fx.sin %x {fx.recompute = "must_save"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = fx.sin %0 {fx.recompute = "prefer_save"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = fx.sin %1 {fx.recompute = "must_recompute"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = fx.sin %2 {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

func.func @another_word(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'fx.recompute' to be "must_save", "prefer_save", "must_recompute" or "prefer_recompute", got "always"}}
  %0 = fx.sin %x {fx.recompute = "always"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_word(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'fx.recompute' to be "must_save", "prefer_save", "must_recompute" or "prefer_recompute", got true}}
  %0 = fx.sin %x {fx.recompute = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expects no 'fx.recompute': only ops of the dialect 'fx' have one}}
func.func @a_function() attributes {fx.recompute = "must_save"} {
  return
}

// -----

func.func @group_of_another_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'fx.recompute_group' to be an i64 of at least 0, got "a"}}
  %0 = fx.sin %x {fx.recompute = "must_save", fx.recompute_group = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @negative_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'fx.recompute_group' to be an i64 of at least 0, got -1}}
  %0 = fx.sin %x {fx.recompute = "must_save", fx.recompute_group = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @group_without_policy(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'fx.recompute' beside 'fx.recompute_group'}}
  %0 = fx.sin %x {fx.recompute_group = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
