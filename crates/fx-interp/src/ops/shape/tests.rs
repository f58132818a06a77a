use super::order::{flip, turned};
use super::parts::{diagonal_of, equal_parts, range};
use super::places;
use super::repetition::repeat;
use super::views::complete;
use crate::tests::{evaluate, values};

#[test]
fn shapes_with_an_unknown_size() {
    assert_eq!(complete(&[2, -1], 6).unwrap(), [2, 3]);
    assert!(complete(&[], 1).unwrap().is_empty());
    assert_eq!(complete(&[0, 5], 0).unwrap(), [0, 5]);
    assert_eq!(complete(&[2, -1], 0).unwrap(), [2, 0]);
    for (sizes, count) in [(&[0, -1][..], 0), (&[-1, -1], 4), (&[4, -1], 6), (&[-2, -1], 2), (&[3], 4)] {
        assert!(complete(sizes, count).is_err(), "{sizes:?}");
    }
}

#[test]
fn ranges_as_in_python() {
    assert_eq!(range(5, Some(-2), None, None).unwrap(), (3, 2, 1));
    assert_eq!(range(5, Some(1), Some(i64::MAX), Some(3)).unwrap(), (1, 2, 3));
    assert_eq!(range(5, Some(-9), Some(-1), Some(2)).unwrap(), (0, 2, 2));
    assert_eq!(range(5, Some(4), Some(2), None).unwrap(), (4, 0, 1));
    assert_eq!(range(0, Some(i64::MIN), Some(3), None).unwrap(), (0, 0, 1));
    assert!(range(5, None, None, Some(0)).is_err());
}

#[test]
fn sizes_of_parts() {
    assert_eq!(equal_parts(7, 3), [3, 3, 1]);
    assert_eq!(equal_parts(0, 3), [0]);
    assert_eq!(equal_parts(0, 0), [0]);
    assert_eq!(equal_parts(2, 3), [2]);
}

#[test]
fn turns_and_diagonals() {
    let x = places(&[2, 3]).unwrap();
    assert_eq!(turned(&x, [0, 1]).unwrap().values::<i64>(), [2, 5, 1, 4, 0, 3]);
    let back = turned(&turned(&x, [0, 1]).unwrap(), [1, 0]).unwrap();
    assert_eq!(back, x);
    assert_eq!(flip(&x, &[1]).unwrap().values::<i64>(), [2, 1, 0, 5, 4, 3]);
    assert_eq!(diagonal_of(&x, 1, 0, 1).unwrap().values::<i64>(), [1, 5]);
    assert_eq!(diagonal_of(&x, -1, 0, 1).unwrap().values::<i64>(), [3]);
    assert_eq!(diagonal_of(&x, 9, 0, 1).unwrap().shape(), [0]);
    assert_eq!(diagonal_of(&places(&[2, 3, 4]).unwrap(), 0, 2, 0).unwrap().shape(), [3, 2]);
}

#[test]
fn repetition() {
    let x = places(&[2]).unwrap();
    assert_eq!(repeat(&x, &[2, 2]).unwrap().values::<i64>(), [0, 1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(repeat(&places(&[1, 2]).unwrap(), &[2]).unwrap().shape(), [1, 4]);
    assert_eq!(repeat(&x, &[0, 1]).unwrap().shape(), [0, 2]);
}

/// The elements of an op's results, for `%x` = [[0, 1, 2], [3, 4, 5]] and `%v` = [1, 2, 3].
fn evaluated(op: &str, types: &str) -> Vec<Vec<f64>> {
    let names: Vec<String> = (0..types.split(", ").count()).map(|k| format!("%y{k}")).collect();
    let names = names.join(", ");
    let text = format!(
        "func.func @main() -> ({types}) {{
           %x = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
           %v = arith.constant dense<[1, 2, 3]> : tensor<3xi64>
           {names} = fx.{op} -> ({types})
           return {names} : {types}
         }}"
    );
    evaluate(&text, &[]).unwrap_or_else(|error| panic!("{op}: {error}")).iter().map(values).collect()
}

#[test]
fn ops_of_one_result() {
    for (op, ty, expected) in [
        ("roll %x[1] : (tensor<2x3xi64>)", "tensor<2x3xi64>", &[5, 0, 1, 2, 3, 4][..]),
        ("roll %x[1, -1] dims [0, 1] : (tensor<2x3xi64>)", "tensor<2x3xi64>", &[4, 5, 3, 1, 2, 0]),
        ("rot90 %x times 1 dims [0, 1] : (tensor<2x3xi64>)", "tensor<3x2xi64>", &[2, 5, 1, 4, 0, 3]),
        ("rot90 %x times -1 dims [0, 1] : (tensor<2x3xi64>)", "tensor<3x2xi64>", &[3, 0, 4, 1, 5, 2]),
        ("rot90 %x times 6 dims [1, 0] : (tensor<2x3xi64>)", "tensor<2x3xi64>", &[5, 4, 3, 2, 1, 0]),
        ("movedim %x [0] to [-1] : (tensor<2x3xi64>)", "tensor<3x2xi64>", &[0, 3, 1, 4, 2, 5]),
        ("numpy_T %x : (tensor<2x3xi64>)", "tensor<3x2xi64>", &[0, 3, 1, 4, 2, 5]),
        ("adjoint %x : (tensor<2x3xi64>)", "tensor<3x2xi64>", &[0, 3, 1, 4, 2, 5]),
        ("t %v : (tensor<3xi64>)", "tensor<3xi64>", &[1, 2, 3]),
        ("transpose %x -1, 0 : (tensor<2x3xi64>)", "tensor<3x2xi64>", &[0, 3, 1, 4, 2, 5]),
        ("flatten %x dims 0 to -1 : (tensor<2x3xi64>)", "tensor<6xi64>", &[0, 1, 2, 3, 4, 5]),
        ("unflatten %x dim 1 [3, -1] : (tensor<2x3xi64>)", "tensor<2x3x1xi64>", &[0, 1, 2, 3, 4, 5]),
        ("split_dim %v dim 0 [3] : (tensor<3xi64>)", "tensor<3x1xi64>", &[1, 2, 3]),
        ("view_dtype %v as i32 : (tensor<3xi64>)", "tensor<6xi32>", &[1, 0, 2, 0, 3, 0]),
        ("broadcast_in_dim %v[3, 2] dims [0] : (tensor<3xi64>)", "tensor<3x2xi64>", &[1, 1, 2, 2, 3, 3]),
        ("unfold %v dim 0 size 2 step 1 : (tensor<3xi64>)", "tensor<2x2xi64>", &[1, 2, 2, 3]),
        ("stack %v, %v dim -1 : (tensor<3xi64>, tensor<3xi64>)", "tensor<3x2xi64>", &[1, 1, 2, 2, 3, 3]),
        ("expand_as %v, %x : (tensor<3xi64>, tensor<2x3xi64>)", "tensor<2x3xi64>", &[1, 2, 3, 1, 2, 3]),
    ] {
        let expected: Vec<f64> = expected.iter().map(|value| f64::from(*value)).collect();
        assert_eq!(evaluated(op, ty), [expected], "{op}");
    }
}

#[test]
fn ops_of_several_results() {
    let parts = evaluated("chunk %x into 2 dim 1 : (tensor<2x3xi64>)", "tensor<2x2xi64>, tensor<2x1xi64>");
    assert_eq!(parts, [vec![0.0, 1.0, 3.0, 4.0], vec![2.0, 5.0]]);
    assert_eq!(evaluated("split %x[2] dim -1 : (tensor<2x3xi64>)", "tensor<2x2xi64>, tensor<2x1xi64>"), parts);
    let ij = evaluated("meshgrid %v, %v \"ij\" : (tensor<3xi64>, tensor<3xi64>)", "tensor<3x3xi64>, tensor<3x3xi64>");
    let xy = evaluated("meshgrid %v, %v \"xy\" : (tensor<3xi64>, tensor<3xi64>)", "tensor<3x3xi64>, tensor<3x3xi64>");
    assert_eq!(ij[0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0]);
    assert_eq!((&xy[0], &xy[1]), (&ij[1], &ij[0]));
}
