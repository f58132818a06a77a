use super::*;
use crate::testing::{call, numbers, with};
use crate::typed::elements;
use half::bf16;

#[test]
fn sort_is_stable_with_nan_last() -> Result<(), String> {
    let x = tensor(&[6], &[3f32, f32::NAN, -0.0, 3.0, 0.0, f32::INFINITY])?;
    let run = |descending| call(sort, std::slice::from_ref(&x), &[0, descending], &[(x.dtype(), &[6]), (fx_runtime::DType::I64, &[6])]);
    assert_eq!(numbers(&run(0)?[1]), [2.0, 4.0, 0.0, 3.0, 5.0, 1.0]);
    assert_eq!(numbers(&run(1)?[1]), [1.0, 5.0, 0.0, 3.0, 2.0, 4.0]);
    Ok(())
}

#[test]
fn sort_along_an_inner_dim() -> Result<(), String> {
    let x = tensor(&[1, 3, 2], &[bf16::from_f32(3.0), bf16::ONE, bf16::ONE, bf16::from_f32(2.0), bf16::ZERO, bf16::ZERO])?;
    let y = call(sort, std::slice::from_ref(&x), &[1, 0], &[(x.dtype(), &[1, 3, 2]), (fx_runtime::DType::I64, &[1, 3, 2])])?;
    assert_eq!(numbers(&y[0]), [0.0, 0.0, 1.0, 1.0, 3.0, 2.0]);
    assert_eq!(numbers(&y[1]), [2.0, 2.0, 1.0, 0.0, 0.0, 1.0]);
    let bools = tensor(&[3], &[true, false, true])?;
    let y = call(sort, &[bools], &[0, 1], &[(fx_runtime::DType::Bool, &[3]), (fx_runtime::DType::I64, &[3])])?;
    assert_eq!(numbers(&y[1]), [0.0, 2.0, 1.0]);
    let number = tensor(&[], &[7u8])?;
    let y = call(sort, &[number], &[0, 0], &[(fx_runtime::DType::U8, &[]), (fx_runtime::DType::I64, &[])])?;
    assert_eq!((numbers(&y[0]), numbers(&y[1])), (vec![7.0], vec![0.0]));
    Ok(())
}

#[test]
fn rows_are_sorted_by_keys_without_a_sign() -> Result<(), String> {
    let keys = tensor(&[2, 4], &[-1i8, 3, 0, 3, 1, -128, 127, 0])?;
    let x = tensor(&[2, 4], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])?;
    let types: &[(fx_runtime::DType, &[usize])] = &[(x.dtype(), &[2, 2]), (fx_runtime::DType::I64, &[2, 2])];
    let y = with(rows::sort_rows, &[keys.clone(), x.clone()], &[], ("from", 1.into()), types)?;
    assert_eq!((numbers(&y[0]), numbers(&y[1])), (vec![2.0, 4.0, 5.0, 7.0], vec![1.0, 3.0, 0.0, 2.0]));
    let beyond = with(rows::sort_rows, &[keys, x], &[], ("from", 3.into()), types).unwrap_err();
    assert_eq!(beyond, "wants 2 elements from 3 on of rows of 4");
    Ok(())
}

#[test]
fn medians_and_modes() -> Result<(), String> {
    let x = tensor(&[5], &[2f64, f64::NAN, 1.0, 2.0, 5.0])?;
    let types: &[(fx_runtime::DType, &[usize])] = &[(fx_runtime::DType::F64, &[]), (fx_runtime::DType::I64, &[])];
    let first = |values: Vec<HostTensor>| (numbers(&values[0])[0], numbers(&values[1])[0]);
    assert_eq!(first(call(median, std::slice::from_ref(&x), &[0, 1, 0], types)?), (2.0, 0.0));
    let (value, index) = first(call(median, std::slice::from_ref(&x), &[0, 0, 0], types)?);
    assert!(value.is_nan() && index == 1.0);
    assert_eq!(first(call(mode, std::slice::from_ref(&x), &[0], types)?), (2.0, 3.0));
    assert_eq!(first(call(kthvalue, std::slice::from_ref(&x), &[0, 4], types)?), (5.0, 4.0));
    let none = tensor::<f64>(&[0], &[])?;
    assert!(first(call(median, std::slice::from_ref(&none), &[0, 0, 1], types)?).0.is_nan());
    assert!(call(median, &[none], &[0, 0, 0], types).is_err());
    assert_eq!(call(kthvalue, &[x], &[0, 6], types).unwrap_err(), "k is 6, but there are 5");
    Ok(())
}

#[test]
fn counts() -> Result<(), String> {
    use histogram::{bincount, histc, histogram};
    let any: &[(fx_runtime::DType, &[usize])] = &[(fx_runtime::DType::I64, &[usize::MAX])];
    let y = call(bincount, &[tensor(&[4], &[1i64, 0, 3, 1])?], &[6], any)?;
    assert_eq!(numbers(&y[0]), [1.0, 2.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(call(bincount, &[tensor(&[1], &[-2i64])?], &[0], any).unwrap_err(), "expects integers of at least 0, got -2");
    assert!(call(bincount, &[tensor(&[1], &[i64::MAX])?], &[0], any).unwrap_err().starts_with("there is no memory"));
    let y = call(bincount, &[tensor::<i64>(&[0], &[])?], &[0], any)?;
    assert_eq!(y[0].dims(), [0]);

    let bits = |x: f64| x.to_bits() as i64;
    let x = tensor(&[5], &[0f32, 1.0, 2.5, 4.0, f32::NAN])?;
    let y = call(histc, std::slice::from_ref(&x), &[4, bits(0.0), bits(4.0)], &[(fx_runtime::DType::F32, &[4])])?;
    assert_eq!(numbers(&y[0]), [1.0, 1.0, 1.0, 1.0]);
    let error = call(histc, std::slice::from_ref(&x), &[4, bits(0.0), bits(0.0)], &[(fx_runtime::DType::F32, &[4])]).unwrap_err();
    assert_eq!(error, "the range [NaN, NaN] is not finite");
    // Two bins of width 1 and 3 with weights 1, 2, 4, 8; the last edge belongs to the last bin.
    let (edges, weights) = (tensor(&[3], &[0f32, 1.0, 4.0])?, tensor(&[5], &[1f32, 2.0, 4.0, 8.0, 16.0])?);
    let y = call(histogram, &[x, edges, weights], &[1, 1], &[(fx_runtime::DType::F32, &[2])])?;
    assert_eq!(elements::<f32>(&y[0])?, [1.0 / 15.0, 14.0 / 15.0 / 3.0]);
    Ok(())
}

#[test]
fn segments_are_reduced() -> Result<(), String> {
    let (data, lengths) = (tensor(&[5], &[1f32, 2.0, 4.0, 8.0, 16.0])?, tensor(&[3], &[2i64, 0, 3])?);
    let run = |reduce, scalars: &[i64]| {
        crate::testing::named(
            segments::segment_reduce,
            &[data.clone(), lengths.clone()],
            scalars,
            reduce,
            &[(fx_runtime::DType::F32, &[3])],
        )
    };
    assert_eq!(numbers(&run("sum", &[0, 0, 0, 0, 0])?[0]), [3.0, 0.0, 28.0]);
    let means = numbers(&run("mean", &[0, 0, 0, 0, 0])?[0]);
    assert!(means[0] == 1.5 && means[1].is_nan());
    assert_eq!(numbers(&run("max", &[0, 0, 0, 1, 5f64.to_bits() as i64])?[0]), [5.0, 5.0, 16.0]);
    let short = tensor(&[1], &[2i64])?;
    let error = crate::testing::named(segments::segment_reduce, &[data, short], &[0, 0, 0, 0, 0], "sum", &[(fx_runtime::DType::F32, &[1])]);
    assert_eq!(error.unwrap_err(), "the lengths add up to 2, expected 5");
    Ok(())
}
