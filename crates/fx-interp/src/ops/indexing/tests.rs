use super::advanced::Selection;
use super::bags::ranges;
use super::combine::{Combine, write};
use super::search::bound;
use super::{places_along, wrapped};
use crate::array::{Array, DType};
use crate::tests::{evaluate, values};

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
    assert_eq!((bound(&sorted[..3], &2.0, false), bound(&sorted[..3], &2.0, true)), (1, 3));
    assert_eq!((bound(&sorted, &0.0, false), bound(&sorted, &f64::NAN, false)), (0, 4));
    // a comparison with NaN says "before"
    assert_eq!((bound(&sorted, &1.5, false), bound(&sorted, &2.0, true)), (1, 4));
    assert_eq!(bound(&[], &1.0, true), 0);
}

#[test]
fn bags_end_where_the_next_begins() {
    assert_eq!(ranges(&[0, 2, 2], 5, false).unwrap(), [0..2, 2..2, 2..5]);
    assert_eq!(ranges(&[0, 2, 5], 5, true).unwrap(), [0..2, 2..5]);
    assert!(ranges(&[0, 2, 4], 5, true).is_err());
    assert_eq!(ranges(&[], 0, false).unwrap(), []);
    assert!(ranges(&[0, 7], 5, false).is_err());
    assert!(ranges(&[3, 1], 5, false).is_err());
}

/// The elements of an op's only result, after other ops; `%x` = [[0, 1, 2], [3, 4, 5]].
fn evaluated(before: &str, op: &str, ty: &str) -> Result<Vec<f64>, String> {
    let text = format!(
        "func.func @main() -> {ty} {{
           %x = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi64>
           {before}
           %y = fx.{op} -> {ty}
           return %y : {ty}
         }}"
    );
    Ok(values(&evaluate(&text, &[])?[0]))
}

#[test]
fn ops_on_positions() {
    let index = |values: &str| {
        let count = values.split(", ").count();
        format!("%i = arith.constant dense<[{values}]> : tensor<{count}xi64>")
    };
    let result = |values: &str, op: &str, ty: &str| evaluated(&index(values), op, ty);
    assert_eq!(result("-1, 0", "take %x, %i : (tensor<2x3xi64>, tensor<2xi64>)", "tensor<2xi64>").unwrap(), [5.0, 0.0]);
    let error = result("-7, 0", "take %x, %i : (tensor<2x3xi64>, tensor<2xi64>)", "tensor<2xi64>").unwrap_err();
    assert!(error.contains("'fx.take' op has index -7, out of range for dim 0 with size 6"), "{error}");
    assert_eq!(result("4", "take_along_dim %x, %i : (tensor<2x3xi64>, tensor<1xi64>)", "tensor<1xi64>").unwrap(), [4.0]);
    assert_eq!(result("1, 0", "one_hot %i {num_classes = -1 : i64} : (tensor<2xi64>)", "tensor<2x?xi64>").unwrap(), [0.0, 1.0, 1.0, 0.0]);
    let nine = "%nine = arith.constant 9 : i64 ";
    let fill = "index_fill %x, %i, %nine dim 1 : (tensor<2x3xi64>, tensor<1xi64>, i64)";
    assert_eq!(evaluated(&(index("-1") + nine), fill, "tensor<2x3xi64>").unwrap(), [0.0, 1.0, 9.0, 3.0, 4.0, 9.0]);
    let column = "%i = arith.constant dense<[[2], [0]]> : tensor<2x1xi64>";
    let along = "take_along_dim %x, %i dim 1 : (tensor<2x3xi64>, tensor<2x1xi64>)";
    assert_eq!(evaluated(column, along, "tensor<2x1xi64>").unwrap(), [2.0, 3.0]);
    let source = index("0, 0") + " %s = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>";
    let write = |op: &str, dict: &str| {
        let op = format!("{op} %x, %i, %s dim 1 {dict} : (tensor<2x3xi64>, tensor<2xi64>, tensor<2x2xi64>)");
        evaluated(&source, &op, "tensor<2x3xi64>").unwrap()
    };
    assert_eq!(write("index_add", "{alpha = 2 : i64}"), [6.0, 1.0, 2.0, 17.0, 4.0, 5.0]);
    assert_eq!(write("index_add", ""), [3.0, 1.0, 2.0, 10.0, 4.0, 5.0]);
    assert_eq!(write("index_copy", ""), [2.0, 1.0, 2.0, 4.0, 4.0, 5.0]);
    let repeated = "repeat_interleave_int %x repeats [2] output_size [] {dim = 0 : i64} : (tensor<2x3xi64>)";
    assert_eq!(evaluated("", repeated, "tensor<4x3xi64>").unwrap(), [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0]);
}

#[test]
fn triangles_and_masks() {
    assert_eq!(evaluated("", "tril %x diagonal [0] : (tensor<2x3xi64>)", "tensor<2x3xi64>").unwrap(), [0.0, 0.0, 0.0, 3.0, 4.0, 0.0]);
    assert_eq!(evaluated("", "triu %x diagonal [1] : (tensor<2x3xi64>)", "tensor<2x3xi64>").unwrap(), [0.0, 1.0, 2.0, 0.0, 0.0, 5.0]);
    let mask = "%m = arith.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>";
    let backward = |size: usize| {
        let op = format!("masked_scatter_backward %x, %m sizes [{size}] : (tensor<2x3xi64>, tensor<2x3xi1>)");
        evaluated(mask, &op, &format!("tensor<{size}xi64>"))
    };
    assert_eq!(backward(4).unwrap(), [0.0, 2.0, 4.0, 0.0]);
    assert!(backward(2).unwrap_err().contains("3 true elements"));
}

#[test]
fn gradients_of_bags() {
    let constants = "
      %g = arith.constant dense<[[1.0, 10.0], [2.0, 20.0]]> : tensor<2x2xf32>
      %w = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>
      %i = arith.constant dense<[0, 1, 0]> : tensor<3xi64>
      %o = arith.constant dense<[0, 2]> : tensor<2xi64>
      %none = arith.constant dense<> : tensor<0xi64>
      %bags = arith.constant dense<[0, 0, 1]> : tensor<3xi64>
      %sizes = arith.constant dense<[2, 1]> : tensor<2xi64>
      %max = arith.constant dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>";
    let backward = |mode: usize, by_frequency: bool| {
        let op = format!(
            "embedding_bag_backward %g, %i, %o, %none, %sizes, %max num_weights [3] mode {mode} {{scale_grad_by_freq = {by_frequency}, sparse = false}}
             : (tensor<2x2xf32>, tensor<3xi64>, tensor<2xi64>, tensor<0xi64>, tensor<2xi64>, tensor<2x2xi64>)"
        );
        evaluated(constants, &op, "tensor<3x2xf32>").unwrap()
    };
    assert_eq!(backward(0, false), [3.0, 30.0, 1.0, 10.0, 0.0, 0.0]);
    assert_eq!(backward(0, true), [1.5, 15.0, 1.0, 10.0, 0.0, 0.0]);
    assert_eq!(backward(1, false), [2.5, 25.0, 0.5, 5.0, 0.0, 0.0]);
    assert_eq!(backward(2, false), [3.0, 20.0, 0.0, 10.0, 0.0, 0.0]);
    let dense = "embedding_bag_dense_backward %g, %i, %bags, %sizes, %max num_weights [3] mode 0 {scale_grad_by_freq = false, padding_idx = 1 : i64}
                 : (tensor<2x2xf32>, tensor<3xi64>, tensor<3xi64>, tensor<2xi64>, tensor<2x2xi64>)";
    assert_eq!(evaluated(constants, dense, "tensor<3x2xf32>").unwrap(), [3.0, 30.0, 0.0, 0.0, 0.0, 0.0]);
    let weights = "embedding_bag_per_sample_weights_backward %g, %w, %i, %o, %none {mode = 0 : i64}
                   : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<3xi64>, tensor<2xi64>, tensor<0xi64>)";
    assert_eq!(evaluated(constants, weights, "tensor<3xf32>").unwrap(), [1.0, 10.0, 2.0]);
}
