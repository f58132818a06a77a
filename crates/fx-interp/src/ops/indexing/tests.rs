use super::advanced::Selection;
use super::bags::ranges;
use super::combine::{Combine, write};
use super::search::bound;
use super::{places_along, wrapped};
use crate::array::{Array, DType};

fn ints(shape: &[usize], values: &[i64]) -> Array {
    Array::new(DType::I64, shape, values.to_vec()).unwrap()
}

#[test]
fn dims_of_index_tensors_stay_if_they_are_neighbours() {
    let (pair, column) = (ints(&[2], &[0, -1]), ints(&[3, 1], &[1, 0, 1]));
    let shape = |list: &[Option<&Array>]| Selection::new(&[2, 3, 4], list).unwrap().shape;
    assert_eq!(shape(&[None, Some(&pair)]), [2, 2, 4]);
    assert_eq!(shape(&[None, Some(&pair), Some(&column)]), [2, 3, 2]);
    assert_eq!(shape(&[Some(&pair), None, Some(&pair)]), [2, 3]);
    assert_eq!(shape(&[]), [2, 3, 4]);
    assert_eq!(Selection::new(&[2, 3], &[None, Some(&pair)]).unwrap().places, [0, 2, 3, 5]);
}

#[test]
fn masks_are_the_positions_of_their_true_elements() {
    let mask = Array::new(DType::Bool, &[2, 2], vec![true, false, true, true]).unwrap();
    let chosen = Selection::new(&[2, 2, 2], &[Some(&mask)]).unwrap();
    assert_eq!((chosen.shape, chosen.places), (vec![3, 2], vec![0, 1, 4, 5, 6, 7]));
    assert!(Selection::new(&[2, 3], &[Some(&mask)]).is_err());
    assert!(Selection::new(&[2], &[Some(&mask)]).is_err());
}

#[test]
fn positions_out_of_range_are_errors() {
    assert_eq!(wrapped(-3, 1, 3), Ok(0));
    assert_eq!(wrapped(-4, 1, 3).unwrap_err(), "has index -4, out of range for dim 1 with size 3");
    assert!(wrapped(i64::MIN, 0, 3).is_err());
    assert_eq!(places_along(&[2, 3], 0, &ints(&[1, 2], &[1, 0])).unwrap(), [3, 1]);
    assert!(places_along(&[2, 3], 0, &ints(&[1, 2], &[-1, 0])).unwrap_err().contains("index -1"));
    assert!(places_along(&[2, 3], 0, &ints(&[1, 4], &[0; 4])).is_err());
}

#[test]
fn values_for_one_place() {
    let base = ints(&[3], &[10, 20, 30]);
    let result = |how, include_self| write(&base, &[0, 0, 2], &ints(&[3], &[-4, 1, 5]), how, include_self).unwrap().values::<i64>();
    assert_eq!(result(Combine::Replace, false), [1, 20, 5]);
    assert_eq!(result(Combine::Sum, true), [7, 20, 35]);
    assert_eq!(result(Combine::Mean, false), [-2, 20, 5]);
    assert_eq!(result(Combine::Product, true), [-40, 20, 150]);
    assert_eq!(result(Combine::Greatest, true), [10, 20, 30]);
    assert_eq!(result(Combine::Greatest, false), [1, 20, 5]);
    let floats = Array::new(DType::F16, &[1], vec![1.0]).unwrap();
    let nan = Array::new(DType::F64, &[2], vec![f64::NAN, 0.0]).unwrap();
    assert!(write(&floats, &[0, 0], &nan, Combine::Least, true).unwrap().values::<f64>()[0].is_nan());
    let small = Array::new(DType::F64, &[2], vec![2f64.powi(-12); 2]).unwrap();
    assert_eq!(write(&floats, &[0, 0], &small, Combine::Sum, true).unwrap().values::<f64>(), [1.0]);
    let truths = Array::new(DType::Bool, &[1], vec![true]).unwrap();
    assert!(write(&truths, &[0], &truths, Combine::Mean, true).is_err());
    assert!(write(&truths, &[1], &truths, Combine::Sum, true).is_err());
}

#[test]
fn bounds_with_equal_elements_and_nan() {
    let sorted = [1.0, 2.0, 2.0, f64::NAN];
    assert_eq!((bound(&sorted, &2.0, false), bound(&sorted, &2.0, true)), (1, 3));
    assert_eq!((bound(&sorted, &0.0, false), bound(&sorted, &f64::NAN, false)), (0, 4));
    assert_eq!(bound(&[], &1.0, true), 0);
}

#[test]
fn bags_end_where_the_next_begins() {
    assert_eq!(ranges(&[0, 2, 2], 5, false).unwrap(), [0..2, 2..2, 2..5]);
    assert_eq!(ranges(&[0, 2, 4], 5, true).unwrap(), [0..2, 2..4]);
    assert_eq!(ranges(&[], 0, false).unwrap(), []);
    assert!(ranges(&[0, 7], 5, false).is_err());
    assert!(ranges(&[3, 1], 5, false).is_err());
}
