// Constraints of control flow, calls, checks and collectives, by their labels.
// RUN: fx-opt %s -split-input-file -verify-diagnostics

func.func @call_c1() {
  // expected-error @+1 {{'fx.call' op expects a target of the form "namespace::operator", got "op"}}
  fx.call "op"() : () -> ()
  return
}

// -----

func.func @size_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'fx.size' op dim 0 is out of range for an operand of rank 0}}
  %n = fx.size %x dim 0 : tensor<f32>
  return
}

// -----

func.func @stride_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fx.stride' op dim -2 is out of range for an operand of rank 1}}
  %n = fx.stride %x dim -2 : tensor<4xf32>
  return
}

// -----

func.func @item_c1(%x: tensor<2xf32>) {
  // expected-error @+2 {{'fx.item' op expects a tensor of one element, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %n = fx.item %x : (tensor<2xf32>) -> f64
  return
}

// -----

func.func @item_c2(%x: tensor<f32>) {
  // expected-error @+2 {{'fx.item' op inferred type(s) 'f64' are incompatible with return type(s) of operation 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %n = fx.item %x : (tensor<f32>) -> i64
  return
}

// -----

func.func @assert_c1(%x: tensor<2xi1>) {
  // expected-error @+1 {{'fx.assert' op expects a tensor of one element, got 2}}
  fx.assert %x, "" : tensor<2xi1>
  return
}

// -----

func.func @assert_tensor_metadata_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fx.assert_tensor_metadata' op expects an element type of 'i64', got 'f32'}}
  fx.assert_tensor_metadata %x as i64 size [] stride [] : tensor<4xf32>
  return
}

// -----

func.func @assert_tensor_metadata_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fx.assert_tensor_metadata' op expects a size of 5, got 4}}
  fx.assert_tensor_metadata %x size [5] stride [] : tensor<4xf32>
  return
}

// -----

func.func @assert_tensor_metadata_c2_rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{'fx.assert_tensor_metadata' op expects a tensor of rank 2, got 'tensor<4xf32>'}}
  fx.assert_tensor_metadata %x size [4, 1] stride [] : tensor<4xf32>
  return
}

// -----

func.func @all_gather_into_tensor_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.all_gather_into_tensor' op expects a group of at least 1 process, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.all_gather_into_tensor %x size 0 group "0" : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @all_reduce_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.all_reduce' op expects a reduction of sum, avg, product, min, max, band, bor or bxor, got "mean"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.all_reduce %x by "mean" group "0" : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_to_all_single_c1(%x: tensor<f32>) {
  // expected-error @+2 {{'fx.all_to_all_single' op expects an operand of rank 1 or more}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.all_to_all_single %x output [] input [] group "0" : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @all_to_all_single_c2(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.all_to_all_single' op input_split_sizes: expected equal sizes, got 4 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.all_to_all_single %x output [] input [1, 2] group "0" : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.broadcast' op expects the number of a process, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.broadcast %x from -1 group "0" : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_tensor_c1(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.reduce_scatter_tensor' op expects a reduction of sum, avg, product, min, max, band, bor or bxor, got "xor"}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.reduce_scatter_tensor %x by "xor" size 2 group "0" : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_tensor_c2(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.reduce_scatter_tensor' op expects a group of at least 1 process, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.reduce_scatter_tensor %x by "sum" size 0 group "0" : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_tensor_c3(%x: tensor<4xf32>) {
  // expected-error @+2 {{'fx.reduce_scatter_tensor' op expects a first size that 3 divides, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %y = fx.reduce_scatter_tensor %x by "sum" size 3 group "0" : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @cond_c1(%p: tensor<2xi1>) {
  // expected-error @+1 {{'fx.cond' op expects a predicate of one element, got 'tensor<2xi1>'}}
  fx.cond %p : tensor<2xi1> {
    fx.yield
  } else {
    fx.yield
  }
  return
}

// -----

func.func @cond_c2(%p: i1, %x: tensor<4xf32>) {
  // expected-error @+1 {{'fx.cond' op expects values yielded of types ('tensor<4xf32>'), got ()}}
  %y = fx.cond %p : i1 -> (tensor<4xf32>) {
    fx.yield %x : tensor<4xf32>
  } else {
    fx.yield
  }
  return
}

// -----

func.func @cond_without_yield(%p: i1, %x: tensor<4xf32>) {
  // expected-error @+1 {{'fx.cond' op expects region #0 to end with 'fx.yield', got 'llvm.unreachable'}}
  fx.cond %p : i1 {
    llvm.unreachable
  } else {
    fx.yield
  }
  return
}

// -----

func.func @map_c1(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'fx.map' op expects equal first sizes, got 4 and 5}}
  fx.map %a, %b : (tensor<4xf32>, tensor<5xf32>) -> () {
  ^bb0(%c: tensor<f32>, %d: tensor<f32>):
    fx.yield
  }
  return
}

// -----

func.func @map_c1_rank(%a: tensor<f32>) {
  // expected-error @+1 {{'fx.map' op expects each of the operands to be a tensor of rank 1 or more, got 'tensor<f32>'}}
  fx.map %a : (tensor<f32>) -> () {
  ^bb0(%c: tensor<f32>):
    fx.yield
  }
  return
}

// -----

func.func @map_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{'fx.map' op expects region arguments of types ('tensor<f32>'), got ('tensor<f64>')}}
  fx.map %a : (tensor<4xf32>) -> () {
  ^bb0(%c: tensor<f64>):
    fx.yield
  }
  return
}

// -----

func.func @map_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{'fx.map' op expects values yielded of types ('tensor<f64>'), got ('tensor<f32>')}}
  %y = fx.map %a : (tensor<4xf32>) -> tensor<4xf64> {
  ^bb0(%c: tensor<f32>):
    fx.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @scan_c1(%t: tensor<f32>) {
  // expected-error @+1 {{'fx.scan' op expects each of the scanned operands to be a tensor of rank 1 or more, got 'tensor<f32>'}}
  fx.scan init() xs(%t) : (tensor<f32>) -> () {
  ^bb0(%c: tensor<f32>):
    fx.yield
  }
  return
}

// -----

func.func @scan_c2(%i: tensor<f32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'fx.scan' op expects region arguments of types ('tensor<f32>', 'tensor<f32>'), got ('tensor<f32>')}}
  %y = fx.scan init(%i) xs(%a) : (tensor<f32>, tensor<4xf32>) -> tensor<f32> {
  ^bb0(%c: tensor<f32>):
    fx.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @scan_c3(%i: tensor<f32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'fx.scan' op expects at least 1 results, got 0}}
  fx.scan init(%i) xs(%a) : (tensor<f32>, tensor<4xf32>) -> () {
  ^bb0(%c: tensor<f32>, %d: tensor<f32>):
    fx.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @scan_c4(%i: tensor<f32>, %a: tensor<4xf32>) {
  // expected-error @+1 {{'fx.scan' op expects values yielded of types ('tensor<f32>'), got ()}}
  %y = fx.scan init(%i) xs(%a) : (tensor<f32>, tensor<4xf32>) -> tensor<f32> {
  ^bb0(%c: tensor<f32>, %d: tensor<f32>):
    fx.yield
  }
  return
}

// -----

func.func @while_loop_c1(%i: tensor<f32>, %p: i1) {
  // expected-error @+1 {{'fx.while_loop' op expects region arguments of types ('tensor<f32>'), got ('tensor<f64>')}}
  %y = fx.while_loop(%i) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%c: tensor<f64>):
    fx.yield %p : i1
  } do {
  ^bb0(%c: tensor<f32>):
    fx.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @while_loop_c2(%i: tensor<f32>, %p: f32) {
  // expected-error @+1 {{'fx.while_loop' op expects the condition to yield one i1 or a tensor of one i1, got ('f32')}}
  %y = fx.while_loop(%i) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%c: tensor<f32>):
    fx.yield %p : f32
  } do {
  ^bb0(%c: tensor<f32>):
    fx.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @while_loop_c3(%i: tensor<f32>, %p: i1) {
  // expected-error @+1 {{'fx.while_loop' op expects values yielded of types ('tensor<f32>'), got ()}}
  %y = fx.while_loop(%i) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%c: tensor<f32>):
    fx.yield %p : i1
  } do {
  ^bb0(%c: tensor<f32>):
    fx.yield 
  }
  return
}

// -----

func.func @while_loop_c4(%i: tensor<f32>, %p: i1) {
  // expected-error @+1 {{'fx.while_loop' op expects results of types ('tensor<f32>'), got ('tensor<f64>')}}
  %y = fx.while_loop(%i) : (tensor<f32>) -> tensor<f64> {
  ^bb0(%c: tensor<f32>):
    fx.yield %p : i1
  } do {
  ^bb0(%c: tensor<f32>):
    fx.yield %c : tensor<f32>
  }
  return
}
