//! Small programs, each for one thing that a partitioner can get wrong.

/// Name and text.
pub const ALL: &[(&str, &str)] = &[
    (
        "a chain between products",
        r#"func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.sin %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.sin %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = fx.mm %2, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}"#,
    ),
    (
        "an argument as output, an output twice, and one that is saved",
        r#"func.func @main(%x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}, %w: tensor<8x8xf32> {fx.kind = "input", fx.target = "w"}) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = fx.mm %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %x, %1, %1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}"#,
    ),
    (
        "a mask of whole bytes",
        r#"func.func @main(%x: tensor<4x32xf32> {fx.kind = "input", fx.target = "x"}, %w: tensor<32x32xf32> {fx.kind = "input", fx.target = "w"}) -> tensor<4x32xf32> {
  %0 = fx.mm %x, %w : (tensor<4x32xf32>, tensor<32x32xf32>) -> tensor<4x32xf32>
  %1 = fx.relu %0 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  return %1 : tensor<4x32xf32>
}"#,
    ),
    (
        "a mask that is filled up",
        r#"func.func @main(%x: tensor<7x5xf32> {fx.kind = "input", fx.target = "x"}, %w: tensor<5x13xf32> {fx.kind = "input", fx.target = "w"}) -> tensor<7x13xf32> {
  %0 = fx.mm %x, %w : (tensor<7x5xf32>, tensor<5x13xf32>) -> tensor<7x13xf32>
  %1 = fx.relu %0 : (tensor<7x13xf32>) -> tensor<7x13xf32>
  return %1 : tensor<7x13xf32>
}"#,
    ),
    (
        "dropout",
        r#"func.func @main(%x: tensor<8x8xf32> {fx.kind = "input", fx.target = "x"}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = fx.dropout %x p 0.5 train true : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = fx.exp %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = fx.dropout %1 p 0.25 train true : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = fx.rand_like %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}"#,
    ),
    (
        "a buffer that is changed",
        r#"func.func @main(%b: tensor<8xf32> {fx.kind = "buffer", fx.target = "b"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> (tensor<8xf32> {fx.kind = "buffer_mutation", fx.mutates = "b"}, tensor<4x8xf32> {fx.kind = "output"}) {
  %0 = fx.sin %b : (tensor<8xf32>) -> tensor<8xf32>
  %1 = fx.mul %x, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<8xf32>, tensor<4x8xf32>
}"#,
    ),
    (
        "sizes that are known at run time",
        r#"func.func @main(%x: tensor<?x8xf32> {fx.kind = "input", fx.target = "x", fx.dims = ["n", 8]}, %w: tensor<8x16xf32> {fx.kind = "parameter", fx.target = "w"}) -> tensor<f32> attributes {fx.symbols = {n = array<i64: 1, 32>}} {
  %0 = fx.mm %x, %w : (tensor<?x8xf32>, tensor<8x16xf32>) -> tensor<?x16xf32>
  %1 = fx.relu %0 : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %2 = fx.mean %1 : (tensor<?x16xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}"#,
    ),
    (
        "halves that are widened",
        r#"func.func @main(%x: tensor<4x8xbf16> {fx.kind = "input", fx.target = "x"}, %w: tensor<8x8xbf16> {fx.kind = "parameter", fx.target = "w"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xbf16>
  %1 = fx.to_copy %0 as f32 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %2 = fx.sin %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}"#,
    ),
    (
        "nothing to save",
        r#"func.func @main(%x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}"#,
    ),
    (
        "an argument without influence",
        r#"func.func @main(%x: tensor<4xf32> {fx.kind = "input", fx.target = "x"}, %y: tensor<3xf32> {fx.kind = "input", fx.target = "y"}) -> tensor<4xf32> {
  %0 = fx.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"#,
    ),
    (
        "checkpointed blocks",
        r#"func.func @main(%w: tensor<8x8xf32> {fx.kind = "parameter", fx.target = "w"}, %x: tensor<4x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<4x8xf32> {
  %0 = fx.mm %x, %w {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = fx.gelu %0 {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = fx.mm %1, %w {fx.recompute = "prefer_recompute", fx.recompute_group = 0 : i64} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = fx.dropout %2 p 0.5 train true {fx.recompute = "must_recompute", fx.recompute_group = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = fx.mm %3, %w {fx.recompute = "must_save", fx.recompute_group = 1 : i64} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %5 = fx.softmax %4 dim 1 {fx.recompute = "prefer_save", fx.recompute_group = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = fx.exp %5 {fx.recompute = "must_recompute", fx.recompute_group = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}"#,
    ),
    (
        "convolutions with padding",
        r#"func.func @main(%w: tensor<4x3x3x3xf32> {fx.kind = "parameter", fx.target = "w"}, %v: tensor<4x4x3x3xf32> {fx.kind = "parameter", fx.target = "v"}, %x: tensor<2x3x8x8xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<f32> {
  %0 = fx.convolution %x, %w stride [1, 1] padding [1, 1] dilation [1, 1] output_padding [0, 0] groups [1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = fx.gelu %0 : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = fx.convolution %1, %v stride [2, 2] padding [1, 1] dilation [1, 1] output_padding [0, 0] groups [1] : (tensor<2x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<2x4x4x4xf32>
  %3 = fx.silu %2 : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %4 = fx.mean %3 : (tensor<2x4x4x4xf32>) -> tensor<f32>
  return %4 : tensor<f32>
}"#,
    ),
    (
        "layers of attention",
        r#"func.func @main(%q: tensor<16x16xf32> {fx.kind = "parameter", fx.target = "q"}, %k: tensor<16x16xf32> {fx.kind = "parameter", fx.target = "k"}, %x: tensor<2x12x16xf32> {fx.kind = "input", fx.target = "x"}) -> tensor<f32> {
  %0 = fx.linear %x, %q : (tensor<2x12x16xf32>, tensor<16x16xf32>) -> tensor<2x12x16xf32>
  %1 = fx.linear %x, %k : (tensor<2x12x16xf32>, tensor<16x16xf32>) -> tensor<2x12x16xf32>
  %2 = fx.permute %1 [0, 2, 1] : (tensor<2x12x16xf32>) -> tensor<2x16x12xf32>
  %3 = fx.bmm %0, %2 : (tensor<2x12x16xf32>, tensor<2x16x12xf32>) -> tensor<2x12x12xf32>
  %4 = fx.softmax %3 dim -1 : (tensor<2x12x12xf32>) -> tensor<2x12x12xf32>
  %5 = fx.bmm %4, %1 : (tensor<2x12x12xf32>, tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %6 = fx.gelu %5 : (tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %7 = fx.linear %6, %q : (tensor<2x12x16xf32>, tensor<16x16xf32>) -> tensor<2x12x16xf32>
  %8 = fx.mul %7, %7 : (tensor<2x12x16xf32>, tensor<2x12x16xf32>) -> tensor<2x12x16xf32>
  %9 = fx.mean %8 : (tensor<2x12x16xf32>) -> tensor<f32>
  return %9 : tensor<f32>
}"#,
    ),
];
