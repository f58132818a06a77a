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
];
