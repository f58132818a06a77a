use super::bag::{embedding_backward, embedding_bag};
use super::put::{index_put, put};
use super::runs::scatter_runs;
use super::scatter::{index_add, index_reduce, scatter};
use super::*;
use crate::testing::{call, named, numbers};
use crate::typed::{elements, tensor};
use DType::{BF16, Bool, F32, I8, I64};
use fx_runtime::DType;
use half::bf16;

const ANY: usize = usize::MAX;

#[test]
fn scatter_writes_and_checks() -> Result<(), String> {
    let (x, index) = (tensor(&[2, 3], &[0f32; 6])?, tensor(&[2, 2], &[2i64, 0, 1, 1])?);
    let source = tensor(&[2, 3], &[1f32, 2.0, 9.0, 3.0, 4.0, 9.0])?;
    let types: &[(DType, &[usize])] = &[(F32, &[2, 3])];
    let y = call(scatter, &[x.clone(), index.clone(), source.clone()], &[1, 1], types)?;
    assert_eq!(numbers(&y[0]), [2.0, 0.0, 1.0, 0.0, 4.0, 0.0]);
    let y = named(scatter, &[x.clone(), index.clone(), source], &[1, 1], "sum", types)?;
    assert_eq!(numbers(&y[0]), [2.0, 0.0, 1.0, 0.0, 7.0, 0.0]);
    let y = named(scatter, &[x.clone(), index, tensor(&[], &[5f32])?], &[1, 0], "mean", types)?;
    assert_eq!(numbers(&y[0]), [5.0, 0.0, 5.0, 0.0, 5.0, 0.0]);
    let error = call(scatter, &[x, tensor(&[1, 1], &[-1i64])?, tensor(&[1, 1], &[1f32])?], &[1, 1], types).unwrap_err();
    assert_eq!(error, "index -1 is out of bounds for dimension 1 with size 3");
    Ok(())
}

#[test]
fn scatter_in_all_types() -> Result<(), String> {
    let index = tensor(&[3], &[0i64, 0, 0])?;
    let big = tensor(&[3], &[100i8, 100, 100])?;
    let y = named(scatter, &[tensor(&[1], &[0i8])?, index.clone(), big], &[0, 1], "sum", &[(I8, &[1])])?;
    assert_eq!(numbers(&y[0]), [44.0]);
    let bools = tensor(&[3], &[false, true, false])?;
    let y = named(scatter, &[tensor(&[1], &[false])?, index.clone(), bools], &[0, 1], "sum", &[(Bool, &[1])])?;
    assert_eq!(numbers(&y[0]), [1.0]);
    // Summed in f32: 256 + 1 + 1 + 1 rounds to 260 (even), not to 256.
    let halves = tensor(&[3], &[bf16::ONE; 3])?;
    let y = named(scatter, &[tensor(&[1], &[bf16::from_f32(256.0)])?, index.clone(), halves], &[0, 1], "sum", &[(BF16, &[1])])?;
    assert_eq!(numbers(&y[0]), [260.0]);
    let nan = tensor(&[3], &[1f32, f32::NAN, 2.0])?;
    let y = named(scatter, &[tensor(&[1], &[0f32])?, index, nan], &[0, 1], "amax", &[(F32, &[1])])?;
    assert!(numbers(&y[0])[0].is_nan());
    let complex = tensor(&[2], &[[1f32, 2.0], [3.0, -1.0]])?;
    let index = tensor(&[2], &[0i32, 0])?;
    let y = named(scatter, &[tensor(&[], &[[0f32, 1.0]])?, index, complex], &[0, 1], "prod", &[(DType::C64, &[])])?;
    // i (1 + 2i) (3 - i) = -5 + 5i
    assert_eq!(elements::<[f32; 2]>(&y[0])?, [[-5.0, 5.0]]);
    Ok(())
}

#[test]
fn runs_are_scattered() -> Result<(), String> {
    let (x, values) = (tensor(&[3, 2], &[1f32; 6])?, tensor(&[4, 2], &[1f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])?);
    let positions = tensor(&[4], &[2i64, 0, -1, 2])?;
    let types: &[(DType, &[usize])] = &[(F32, &[3, 2])];
    let tensors = [x, values, positions];
    assert_eq!(numbers(&call(scatter_runs, &tensors, &[], types)?[0]), [3.0, 4.0, 1.0, 1.0, 7.0, 8.0]);
    assert_eq!(numbers(&named(scatter_runs, &tensors, &[], "sum", types)?[0]), [4.0, 5.0, 1.0, 1.0, 9.0, 11.0]);
    let outside = [tensors[0].clone(), tensors[1].clone(), tensor(&[4], &[0i64, 0, 3, 0])?];
    assert_eq!(call(scatter_runs, &outside, &[], types).unwrap_err(), "has a position 3 for 3 runs");
    Ok(())
}

#[test]
fn nothing_is_scattered_into_nothing() -> Result<(), String> {
    let empty = tensor::<f32>(&[0, 3], &[])?;
    let y = call(scatter, &[empty.clone(), tensor::<i64>(&[0], &[])?, empty.clone()], &[0, 1], &[(F32, &[0, 3])])?;
    assert_eq!(y[0].dims(), [0, 3]);
    let y = call(index_add, &[empty.clone(), tensor::<i64>(&[0], &[])?, empty], &[0, 0], &[(F32, &[0, 3])])?;
    assert_eq!(y[0].dims(), [0, 3]);
    Ok(())
}

#[test]
fn slices_are_added() -> Result<(), String> {
    let (x, index, source) = (tensor(&[2, 2], &[1i64, 2, 3, 4])?, tensor(&[3], &[1i64, 1, 0])?, tensor(&[2, 3], &[1i64, 2, 3, 4, 5, 6])?);
    let y = call(index_add, &[x.clone(), index.clone(), source.clone()], &[1, 2], &[(I64, &[2, 2])])?;
    assert_eq!(numbers(&y[0]), [7.0, 8.0, 15.0, 22.0]);
    let y = named(index_reduce, &[x, index, source], &[1, 0], "mean", &[(I64, &[2, 2])])?;
    assert_eq!(numbers(&y[0]), [3.0, 1.0, 6.0, 4.0]);
    Ok(())
}

#[test]
fn index_put_takes_tensors_apart() -> Result<(), String> {
    let x = tensor(&[2, 3, 2], &[0f32; 12])?;
    let (i, j) = (tensor(&[2, 1], &[0i64, -1])?, tensor(&[2], &[1i64, 0])?);
    let ones = tensor(&[], &[1f32])?;
    // dims 0 and 2: the positions' shape [2, 2] stands first, then dim 1
    let y = call(index_put, &[x.clone(), tensor(&[3], &[1f32, 2.0, 3.0])?, i.clone(), j], &[0, 0, 2], &[(F32, &[2, 3, 2])])?;
    assert_eq!(numbers(&y[0]), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    let twice = tensor(&[2], &[2i64, 2])?;
    let y = call(index_put, &[x.clone(), ones.clone(), twice], &[1, 1], &[(F32, &[2, 3, 2])])?;
    assert_eq!(numbers(&y[0]), [0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 2.0]);
    let error = call(index_put, &[x, ones, tensor(&[1], &[7i64])?], &[0, 1], &[(F32, &[2, 3, 2])]).unwrap_err();
    assert_eq!(error, "index 7 is out of bounds for dimension 1 with size 3");
    let y = call(
        put,
        &[tensor(&[2, 2], &[0u8; 4])?, tensor(&[2], &[-1i64, -1])?, tensor(&[2], &[200u8, 100])?],
        &[1],
        &[(DType::U8, &[2, 2])],
    )?;
    assert_eq!(numbers(&y[0]), [0.0, 0.0, 0.0, 44.0]);
    Ok(())
}

#[test]
fn views_are_written() -> Result<(), String> {
    let (x, source) = (tensor(&[3, 3], &[0f32; 9])?, tensor(&[2, 2], &[1f32, 2.0, 3.0, 4.0])?);
    let y = call(as_strided_scatter, &[x.clone(), source.clone()], &[1, 3, 1], &[(F32, &[3, 3])])?;
    assert_eq!(numbers(&y[0]), [0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 0.0, 0.0]);
    let error = call(as_strided_scatter, &[x, source], &[5, 1, 3], &[(F32, &[3, 3])]).unwrap_err();
    assert_eq!(error, "a view that reaches element 9 leaves a tensor of 9 elements");
    Ok(())
}

#[test]
fn bags() -> Result<(), String> {
    let weight = tensor(&[3, 2], &[1f32, -1.0, 2.0, -2.0, 3.0, -3.0])?;
    let (indices, offsets) = (tensor(&[4], &[0i64, 2, 1, 1])?, tensor(&[3], &[0i64, 2, 2])?);
    let run = |mode, padding| {
        let types: &[(DType, &[usize])] = &[(F32, &[3, 2]), (I64, &[ANY]), (I64, &[3]), (I64, &[ANY])];
        call(embedding_bag, &[weight.clone(), indices.clone(), offsets.clone()], &[mode, 0, padding], types)
    };
    let sum = run(0, -1)?;
    assert_eq!((numbers(&sum[0]), sum[1].dims()), (vec![4.0, -4.0, 0.0, 0.0, 4.0, -4.0], [0].as_slice()));
    let mean = run(1, 2)?;
    assert_eq!((numbers(&mean[0]), numbers(&mean[2])), (vec![1.0, -1.0, 0.0, 0.0, 2.0, -2.0], vec![1.0, 0.0, 2.0]));
    let max = run(2, -1)?;
    assert_eq!((numbers(&max[0]), numbers(&max[3])), (vec![3.0, -1.0, 0.0, 0.0, 2.0, -2.0], vec![2.0, 0.0, 0.0, 0.0, 1.0, 1.0]));
    assert_eq!(numbers(&max[1]), [0.0, 0.0, 2.0, 2.0]);
    Ok(())
}

#[test]
fn gradients_of_lookups() -> Result<(), String> {
    let (grad, indices) = (tensor(&[3, 1], &[1f32, 2.0, 4.0])?, tensor(&[3], &[1i64, 0, 1])?);
    let run =
        |by_frequency, padding| call(embedding_backward, &[grad.clone(), indices.clone()], &[by_frequency, padding], &[(F32, &[2, 1])]);
    assert_eq!(numbers(&run(0, -1)?[0]), [2.0, 5.0]);
    assert_eq!(numbers(&run(1, 0)?[0]), [0.0, 2.5]);
    Ok(())
}
