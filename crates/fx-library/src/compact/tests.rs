use super::unique::{unique, unique_dim};
use super::*;
use crate::testing::{call, numbers};
use DType::{Bool, F32, I64};

const ANY: usize = usize::MAX;

#[test]
fn nonzero_of_all_shapes() -> Result<(), String> {
    let x = tensor(&[2, 3], &[0f32, -0.0, f32::NAN, 1.0, 0.0, 2.0])?;
    let y = call(nonzero, std::slice::from_ref(&x), &[], &[(I64, &[ANY, 2])])?;
    assert_eq!((y[0].dims(), numbers(&y[0])), ([3, 2].as_slice(), vec![0.0, 2.0, 1.0, 0.0, 1.0, 2.0]));
    let columns = call(nonzero_columns, std::slice::from_ref(&x), &[], &[(I64, &[ANY]), (I64, &[ANY])])?;
    assert_eq!(numbers(&columns[1]), [2.0, 0.0, 2.0]);
    let filled = call(nonzero_static, &[x], &[-1], &[(I64, &[4, 2])])?;
    assert_eq!(numbers(&filled[0]), [0.0, 2.0, 1.0, 0.0, 1.0, 2.0, -1.0, -1.0]);
    let one = call(nonzero, &[tensor(&[], &[true])?], &[], &[(I64, &[ANY, 0])])?;
    assert_eq!(one[0].dims(), [1, 0]);
    let none = call(nonzero, &[tensor::<f32>(&[0, 3], &[])?], &[], &[(I64, &[ANY, 2])])?;
    assert_eq!(none[0].dims(), [0, 2]);
    let complex = call(nonzero, &[tensor(&[2], &[[0f32, 1.0], [0.0, -0.0]])?], &[], &[(I64, &[ANY, 1])])?;
    assert_eq!(numbers(&complex[0]), [0.0]);
    Ok(())
}

#[test]
fn masks() -> Result<(), String> {
    let (x, mask) = (tensor(&[4], &[1i64, 2, 3, 4])?, tensor(&[4], &[true, false, true, true])?);
    let y = call(masked_select, &[x.clone(), mask.clone()], &[], &[(I64, &[ANY])])?;
    assert_eq!(numbers(&y[0]), [1.0, 3.0, 4.0]);
    let source = tensor(&[3], &[7i64, 8, 9])?;
    let y = call(masked_scatter, &[x.clone(), mask.clone(), source], &[], &[(I64, &[4])])?;
    assert_eq!(numbers(&y[0]), [7.0, 2.0, 8.0, 9.0]);
    let error = call(masked_scatter, &[x.clone(), mask.clone(), tensor(&[1], &[7i64])?], &[], &[(I64, &[4])]).unwrap_err();
    assert_eq!(error, "the source has 1 elements, but the mask is true 3 times");
    let y = call(masked_scatter_backward, &[x.clone(), mask.clone()], &[], &[(I64, &[2, 2])])?;
    assert_eq!(numbers(&y[0]), [1.0, 3.0, 4.0, 0.0]);
    let y = call(masked_scatter_backward, &[x, mask], &[], &[(I64, &[2])])?;
    assert_eq!(numbers(&y[0]), [1.0, 3.0]);
    Ok(())
}

#[test]
fn repeated_slices() -> Result<(), String> {
    let counts = tensor(&[3], &[2i32, 0, 1])?;
    let run = |slices, size| call(repeats, std::slice::from_ref(&counts), &[slices, size], &[(DType::I32, &[ANY])]);
    assert_eq!(numbers(&run(3, -1)?[0]), [0.0, 0.0, 2.0]);
    assert_eq!(run(3, 4).unwrap_err(), "the repeats add up to 3, but 'output_size' is 4");
    assert_eq!(run(2, -1).unwrap_err(), "expects 1 or 2 repeats, got 3");
    Ok(())
}

#[test]
fn classes() -> Result<(), String> {
    let y = call(one_hot, &[tensor(&[2], &[2i64, 0])?], &[], &[(I64, &[2, ANY])])?;
    assert_eq!((y[0].dims(), numbers(&y[0])), ([2, 3].as_slice(), vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0]));
    let error = call(one_hot, &[tensor(&[2], &[-2i64, 0])?], &[], &[(I64, &[2, ANY])]).unwrap_err();
    assert_eq!(error, "class -2 is negative");
    assert!(call(one_hot, &[tensor::<i64>(&[0], &[])?], &[], &[(I64, &[0, ANY])]).is_err());
    Ok(())
}

#[test]
fn distinct_elements() -> Result<(), String> {
    let x = tensor(&[2, 3], &[3f32, 1.0, 3.0, f32::NAN, 1.0, f32::NAN])?;
    let types: &[(DType, &[usize])] = &[(F32, &[ANY]), (I64, &[2, 3]), (I64, &[ANY])];
    let y = call(unique, std::slice::from_ref(&x), &[0, 1, 1], types)?;
    assert_eq!(numbers(&y[0])[..2], [1.0, 3.0]);
    assert_eq!((numbers(&y[1]), numbers(&y[2])), (vec![1.0, 0.0, 1.0, 2.0, 0.0, 3.0], vec![2.0, 2.0, 1.0, 1.0]));
    let y = call(unique, &[tensor(&[4], &[true, true, false, true])?], &[1, 0, 1], &[(Bool, &[ANY]), (I64, &[0]), (I64, &[ANY])])?;
    assert_eq!((numbers(&y[0]), y[1].dims(), numbers(&y[2])), (vec![1.0, 0.0, 1.0], [0].as_slice(), vec![2.0, 1.0, 1.0]));
    Ok(())
}

#[test]
fn distinct_slices() -> Result<(), String> {
    let x = tensor(&[2, 4], &[2i64, 1, 2, 1, 5, 6, 5, 4])?;
    let y = call(unique_dim, std::slice::from_ref(&x), &[1, 0], &[(I64, &[2, ANY]), (I64, &[4]), (I64, &[ANY])])?;
    assert_eq!((y[0].dims(), numbers(&y[0])), ([2, 3].as_slice(), vec![1.0, 1.0, 2.0, 4.0, 6.0, 5.0]));
    assert_eq!((numbers(&y[1]), numbers(&y[2])), (vec![2.0, 1.0, 2.0, 0.0], vec![1.0, 1.0, 2.0]));
    let y = call(unique_dim, &[x], &[1, 1], &[(I64, &[2, ANY]), (I64, &[4]), (I64, &[ANY])])?;
    assert_eq!(y[0].dims(), [2, 4]);
    Ok(())
}
