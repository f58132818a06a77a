//! Tensors: elements in order for all kinds of strides, and refusals.

use std::borrow::Cow;

use fx_import::{Archive, ImportError, ScalarType, TensorData, TensorError};
use serde_json::json;

use crate::common::{check_error, with_json};

const WEIGHTS: &str = "data/weights/model_weights_config.json";

fn tensor<'a>(bytes: &'a [u8], sizes: &'a [u64], strides: &'a [u64], offset: u64) -> TensorData<'a> {
    TensorData { dtype: ScalarType::Int16, sizes, strides, storage_offset: offset, bytes }
}

/// A storage of 24 int16 with the values 0 to 23.
fn storage() -> Vec<u8> {
    (0..24i16).flat_map(i16::to_le_bytes).collect()
}

fn check(sizes: &[u64], strides: &[u64], offset: u64, expected: &[i16]) {
    let storage = storage();
    let elements = tensor(&storage, sizes, strides, offset).to_contiguous().expect("elements");
    let found: Vec<i16> = elements.chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    assert_eq!(found, expected, "sizes {sizes:?} strides {strides:?} offset {offset}");
}

#[test]
fn elements_come_in_row_major_order() {
    check(&[2, 3], &[3, 1], 0, &[0, 1, 2, 3, 4, 5]);
    check(&[2, 3], &[3, 1], 4, &[4, 5, 6, 7, 8, 9]);
    check(&[3, 2], &[1, 3], 0, &[0, 3, 1, 4, 2, 5]);
    check(&[2, 3], &[6, 2], 6, &[6, 8, 10, 12, 14, 16]);
    check(&[2, 2, 2], &[12, 2, 1], 0, &[0, 1, 2, 3, 12, 13, 14, 15]);
    check(&[2, 2, 3], &[6, 1, 2], 0, &[0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]);
    check(&[2, 3], &[0, 1], 5, &[5, 6, 7, 5, 6, 7]);
    check(&[2, 3], &[1, 0], 5, &[5, 5, 5, 6, 6, 6]);
    check(&[3, 2], &[1, 1], 0, &[0, 1, 1, 2, 2, 3]);
    check(&[1, 3, 1], &[99, 1, 77], 0, &[0, 1, 2]);
    check(&[], &[], 23, &[23]);
    check(&[2, 0], &[1, 1], 0, &[]);
    check(&[0], &[1], 999, &[]);
}

#[test]
fn contiguous_elements_are_borrowed() {
    let storage = storage();
    let borrowed = tensor(&storage, &[2, 1, 3], &[3, 9, 1], 1).to_contiguous();
    assert!(matches!(borrowed, Ok(Cow::Borrowed(bytes)) if bytes.as_ptr() == storage[2..].as_ptr()));
    let copied = tensor(&storage, &[3, 2], &[1, 3], 0).to_contiguous();
    assert!(matches!(copied, Ok(Cow::Owned(_))));
}

#[test]
fn elements_outside_the_storage_are_refused() {
    let storage = storage();
    let check = |sizes: &[u64], strides: &[u64], offset, expected| {
        assert_eq!(tensor(&storage, sizes, strides, offset).to_contiguous(), Err(expected));
    };
    let outside = |needed| TensorError::OutOfBounds { needed, found: 48 };
    check(&[5, 5], &[5, 1], 0, outside(50));
    check(&[2, 2], &[1, 23], 0, outside(50));
    check(&[1], &[1], 24, outside(50));
    check(&[2], &[u64::MAX], 1, TensorError::Overflow);
    check(&[u64::MAX], &[0], 0, TensorError::Overflow);
    check(&[1 << 32, 1 << 32], &[0, 0], 0, TensorError::Overflow);
    check(&[1], &[1], u64::MAX, TensorError::Overflow);
    check(&[2], &[], 0, TensorError::Rank { sizes: 1, strides: 0 });
    check(&[1; 65], &[1; 65], 0, TensorError::Rank { sizes: 65, strides: 65 });
    let limit = 256 << 20;
    check(&[1 << 40], &[0], 0, TensorError::TooLarge { found: 2 << 40, limit });
    let unknown = TensorData { dtype: ScalarType::Unknown, ..tensor(&storage, &[1], &[1], 0) };
    assert_eq!(unknown.to_contiguous(), Err(TensorError::Dtype(ScalarType::Unknown)));
}

/// The fixture with a field of a weight's description replaced.
fn with_meta(field: &str, value: serde_json::Value) -> Result<Archive, ImportError> {
    with_json("cond", WEIGHTS, |config| {
        config["config"]["a.weight"]["tensor_meta"][field] = value;
    })
}

#[test]
fn wrong_descriptions_are_refused() {
    let place = "data/weights/model_weights_config.json: config 'a.weight': expected ";
    let check = |field, value, text: &str| {
        check_error(with_meta(field, value), &[place, text]);
    };
    check("sizes", json!([{"as_int": -1}, {"as_int": 4}]), "a plain size of at least 0, found -1");
    check("strides", json!([{"as_int": 1}]), "as many strides as sizes");
    check("sizes", json!(vec![json!({"as_int": 1}); 65]), "as many strides as sizes and at most 64");
    check("storage_offset", json!({"as_int": 1}), "a storage of at least");
    check("storage_offset", json!({"as_int": i64::MAX}), "a number of bytes of 63 bits");
    check("dtype", json!(0), "a dtype with a size, found unknown");
    check("layout", json!(1), "a strided tensor, found sparse_coo");
    let expr = json!({"as_expr": {"expr_str": "Symbol('s0')", "hint": null}});
    check("storage_offset", expr, "a plain storage offset of at least 0, found 's0'");
    check_error(with_meta("dtype", json!(77)), &["config.a.weight.tensor_meta.dtype", "expected the number of a dtype, found 77"]);
}

#[test]
fn tensors_agree_with_the_graph() {
    let transposed = json!([{"as_int": 2}, {"as_int": 2}]);
    check_error(
        with_meta("sizes", transposed),
        &["models/model.json", "input_specs[0] parameter: expected float32 'a.weight' of", "found float32 of [2, 2]"],
    );
    let renamed = with_json("cond", WEIGHTS, |config| {
        let weight = config["config"]["a.weight"].take();
        config["config"] = json!({"other": weight});
    });
    check_error(renamed, &["expected a tensor 'a.weight' in the archive, found none"]);
}

#[test]
fn pickles_and_wrong_paths_are_refused() {
    let with = |field: &str, value: serde_json::Value| with_json("cond", WEIGHTS, |config| config["config"]["b.bias"][field] = value);
    check_error(with("use_pickle", json!(true)), &[WEIGHTS, "config 'b.bias': unsupported pickled payload: expected raw bytes"]);
    check_error(with("tensor_meta", json!(null)), &["expected tensor_meta", "found null"]);
    for path in ["none", "../weights/weight_0", "", "/etc/passwd", "x/y"] {
        check_error(with("path_name", json!(path)), &["expected a member 'data/weights/", "found none"]);
    }
}
