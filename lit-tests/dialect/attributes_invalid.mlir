// The attributes 'fx.symbols' of a function and 'fx.dims' of its arguments are checked.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expects 'fx.symbols' to be a dictionary from symbol to [min, max]}}
func.func @symbols_not_a_dictionary() attributes {fx.symbols = ["s0"]} {
  return
}

// -----

// expected-error @+1 {{expects symbol 's0' to have a range array<i64: min, max>}}
func.func @range_of_another_type() attributes {fx.symbols = {s0 = [2, 8]}} {
  return
}

// -----

// expected-error @+1 {{expects symbol 's0' to have a range array<i64: min, max>}}
func.func @range_of_one_number() attributes {fx.symbols = {s0 = array<i64: 2>}} {
  return
}

// -----

// expected-error @+1 {{expects symbol 's0' to have 0 <= min <= max, got [-1, 4]}}
func.func @negative_min() attributes {fx.symbols = {s0 = array<i64: -1, 4>}} {
  return
}

// -----

// expected-error @+1 {{expects symbol 's1' to have 0 <= min <= max, got [4, 2]}}
func.func @max_below_min() attributes {fx.symbols = {s0 = array<i64: 2, -1>, s1 = array<i64: 4, 2>}} {
  return
}

// -----

// expected-error @+1 {{expects 'fx.dims' to be an array on a function argument}}
func.func @dims_not_an_array(%x: tensor<4xf32> {fx.dims = "s0"}) {
  return
}

// -----

// expected-error @+1 {{expects 'fx.dims' of argument #1 to have one entry per dimension}}
func.func @dims_of_another_rank(%i: index, %x: tensor<4x8xf32> {fx.dims = [4]}) {
  return
}

// -----

// expected-error @+1 {{expects 'fx.dims' of argument #0 to have one entry per dimension}}
func.func @dims_of_a_number(%i: index {fx.dims = []}) {
  return
}

// -----

// expected-error @+1 {{expects 'fx.dims' of argument #0 to agree with its type 'tensor<4x8xf32>'}}
func.func @dims_of_another_size(%x: tensor<4x8xf32> {fx.dims = [4, 7]}) {
  return
}

// -----

// expected-error @+1 {{expects each '?' of argument #0 to be named in 'fx.dims' by a symbol of 'fx.symbols', got "s1"}}
func.func @unknown_symbol(%x: tensor<?xf32> {fx.dims = ["s1"]}) attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  return
}

// -----

// expected-error @+1 {{expects each '?' of argument #0 to be named in 'fx.dims' by a symbol of 'fx.symbols', got "s0"}}
func.func @no_symbols(%x: tensor<?xf32> {fx.dims = ["s0"]}) {
  return
}

// -----

// expected-error @+1 {{expects each '?' of argument #0 to be named in 'fx.dims' by a symbol of 'fx.symbols', got "s0"}}
func.func @symbol_for_a_known_size(%x: tensor<4xf32> {fx.dims = ["s0"]}) attributes {fx.symbols = {s0 = array<i64: 2, -1>}} {
  return
}

// -----

// expected-error @+1 {{expects 'fx.dims' of argument #0 to agree with its type 'tensor<?xf32>'}}
func.func @size_for_an_unknown_one(%x: tensor<?xf32> {fx.dims = [4]}) {
  return
}

// -----

// Not an error.
func.func @valid(%x: tensor<?x4x?xf32> {fx.dims = ["s0", 4, "s0"]}) attributes {fx.symbols = {s0 = array<i64: 0, 16>}} {
  return
}
