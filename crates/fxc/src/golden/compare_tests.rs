//! Tests of `compare`: tolerances, values that are not finite, integers.

use super::*;

const TIGHT: Tolerance = Tolerance { rtol: 1e-3, atol: 1e-4 };

fn floats(values: &[f32]) -> HostTensor {
    HostTensor::from_slice(&[values.len()], values).unwrap()
}

fn check(ours: &[f32], golden: &[f32], float64: Option<&[f64]>, error64: f64) -> Judgement {
    let float64 = float64.map(|values| HostTensor::from_slice(&[values.len()], values).unwrap());
    let golden = floats(golden);
    let golden = Golden { result: &golden, float64: float64.as_ref(), error64 };
    compare("output.0", &floats(ours), &golden, TIGHT)
}

#[test]
fn the_bound_adds_error_and_tolerances() {
    // 1.5 * 0.1 + 1e-3 * 10 + 1e-4 = 0.1601
    let reference: &[f64] = &[10.0];
    let right = check(&[10.16], &[10.0], Some(reference), 0.1);
    assert!(right.failure.is_none() && right.ratio > 0.99 && right.ratio <= 1.0, "{right:?}");
    let wrong = check(&[10.161], &[10.0], Some(reference), 0.1);
    assert!(wrong.failure.is_some() && wrong.ratio > 1.0, "{wrong:?}");
    // without a float64 run the reference is the result
    assert!(check(&[10.01], &[10.0], None, 0.0).failure.is_none());
    assert!(check(&[10.011], &[10.0], None, 0.0).failure.is_some());
}

#[test]
fn the_worst_element_is_reported() {
    let judgement = check(&[1.0, 5.0, 3.0, 4.1], &[1.0, 2.0, 3.0, 4.0], None, 0.0);
    let message = judgement.failure.unwrap();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines[0], "values differ from the reference");
    assert!(lines[1].starts_with("output.0[1] is 5.0, expected 2.0: the difference 3.000e0 is 1.429e3 times"), "{message}");
    assert!(lines[1].ends_with("(2 of 4 elements are wrong)"), "{message}");
}

#[test]
fn nan_equals_nan_and_infinities_themselves() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let good = check(&[nan, inf, -inf], &[nan, inf, -inf], None, 0.0);
    assert_eq!(good.ratio, 0.0);
    for (ours, golden) in [(nan, 1.0), (1.0, nan), (inf, -inf), (1e38, inf), (inf, 1e38), (nan, inf)] {
        let judgement = check(&[ours], &[golden], None, 0.0);
        assert_eq!(judgement.ratio, f64::INFINITY, "{ours} {golden}");
        assert!(judgement.failure.is_some(), "{ours} {golden}");
    }
}

#[test]
fn overflow_in_the_dtype_is_right_where_pytorch_overflows() {
    let inf = f32::INFINITY;
    assert!(check(&[inf], &[inf], Some(&[1e300]), 0.0).failure.is_none());
    assert!(check(&[-inf], &[inf], Some(&[1e300]), 0.0).failure.is_some());
    assert!(check(&[inf], &[3e38], Some(&[3e38]), 0.0).failure.is_some());
}

#[test]
fn a_zero_bound_admits_only_equality() {
    let zero = Tolerance { rtol: 0.0, atol: 0.0 };
    let golden = floats(&[0.0, 1.0]);
    let golden = Golden { result: &golden, float64: None, error64: 0.0 };
    assert_eq!(compare("x", &floats(&[-0.0, 1.0]), &golden, zero).ratio, 0.0);
    let judgement = compare("x", &floats(&[0.0, 1.0000001]), &golden, zero);
    assert_eq!(judgement.ratio, f64::INFINITY);
}

#[test]
fn integers_and_bools_are_compared_exactly() {
    let tensor = |values: &[i64]| HostTensor::from_slice(&[1, values.len()], values).unwrap();
    let golden = tensor(&[1, (1 << 53) + 1]);
    let golden = Golden { result: &golden, float64: None, error64: 10.0 };
    assert_eq!(compare("n", &tensor(&[1, (1 << 53) + 1]), &golden, TIGHT).ratio, 0.0);
    let message = compare("n", &tensor(&[1, 1 << 53]), &golden, TIGHT).failure.unwrap();
    assert!(message.contains("n[0, 1] is 9007199254740992, expected 9007199254740993"), "{message}");
    let golden = HostTensor::scalar(true).unwrap();
    let golden = Golden { result: &golden, float64: None, error64: 0.0 };
    let ours = HostTensor::scalar(false).unwrap();
    let message = compare("b", &ours, &golden, TIGHT).failure.unwrap();
    assert!(message.contains("b is false, expected true"), "{message}");
}

#[test]
fn dtypes_and_shapes_come_first() {
    let golden = floats(&[1.0]);
    let golden = Golden { result: &golden, float64: None, error64: 0.0 };
    let ours = HostTensor::from_slice(&[1], &[1.0f64]).unwrap();
    let failure = compare("x", &ours, &golden, TIGHT).failure;
    assert_eq!(failure.as_deref(), Some("a result has the wrong dtype\nx has dtype f64, expected f32"));
    let failure = compare("x", &floats(&[1.0, 1.0]), &golden, TIGHT).failure;
    assert_eq!(failure.as_deref(), Some("a result has the wrong shape\nx has shape [2], expected [1]"));
}

#[test]
fn empty_and_complex_tensors() {
    assert_eq!(check(&[], &[], Some(&[]), 0.0).ratio, 0.0);
    let complex = |re: f32, im: f32| {
        let bytes = [re.to_le_bytes(), im.to_le_bytes()].concat();
        HostTensor::from_bytes(DType::C64, &[1], &bytes).unwrap()
    };
    let golden = complex(1.0, 2.0);
    let golden = Golden { result: &golden, float64: None, error64: 0.0 };
    assert!(compare("z", &complex(1.0, 2.0), &golden, TIGHT).failure.is_none());
    let message = compare("z", &complex(1.0, 3.0), &golden, TIGHT).failure.unwrap();
    assert!(message.contains("z[0] is 3.0, expected 2.0"), "{message}");
}
