use super::order::{flip, turned};
use super::parts::{diagonal_of, equal_parts, range};
use super::places;
use super::repetition::repeat;
use super::views::complete;

#[test]
fn shapes_with_an_unknown_size() {
    assert_eq!(complete(&[2, -1], 6).unwrap(), [2, 3]);
    assert_eq!(complete(&[], 1).unwrap(), []);
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
