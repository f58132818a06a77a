//! If, While, Read, Assert, and buffers whose size depends on data.

use crate::support::*;
use fx_runtime::Value;
use fx_runtime::plan::*;

#[test]
fn branches_choose_kernels() -> TestResult {
    let mut p = PlanBuilder::new();
    let x = p.input("x", DType::F32, &[c(2)]);
    let flag = p.scalar_input("flag", DType::Bool);
    let y = p.planned(DType::F32, &[c(2)]);
    p.step(Step::If {
        cond: flag,
        then: vec![launch("exp_f32", &[b(x), b(y)], c(2))],
        otherwise: vec![launch("copy_f32", &[b(x), b(y)], c(2))],
    });
    p.output(y);
    let mut executor = p.executor()?;
    let x = || tensor(&[2], &[0f32, 0.0]).into();
    assert_eq!(values::<f32>(&executor.call(&[x(), true.into()])?, 0), [1.0, 1.0]);
    assert_eq!(values::<f32>(&executor.call(&[x(), false.into()])?, 0), [0.0, 0.0]);
    Ok(())
}

#[test]
fn loops_carry_registers_and_buffers() -> TestResult {
    // doubles x `times` times
    let mut p = PlanBuilder::new();
    let x = p.input("x", DType::F32, &[c(2)]);
    let times = p.scalar_input("times", DType::I64);
    let carried = p.planned(DType::F32, &[c(2)]);
    let next = p.planned(DType::F32, &[c(2)]);
    let count = p.register();
    p.step(Step::Scalar { dst: count, op: ScalarOp::Move, args: vec![c(0)] });
    p.step(Step::Copy { src: x, dst: carried });
    let (compare, more) = p.op(ScalarOp::LtI, &[r(count), times]);
    p.step(Step::While {
        before: vec![compare],
        cond: more,
        body: vec![
            launch("add_f32", &[b(carried), b(carried), b(next)], c(2)),
            Step::Copy { src: next, dst: carried },
            Step::Scalar { dst: count, op: ScalarOp::AddI, args: vec![r(count), c(1)] },
        ],
    });
    p.output(carried);
    p.output_scalar(r(count), DType::I64);
    let mut executor = p.executor()?;
    for times in [0i64, 1, 10] {
        let items = executor.call(&[tensor(&[2], &[1f32, 3.0]).into(), times.into()])?;
        let factor = 2f32.powi(times as i32);
        assert_eq!(values::<f32>(&items, 0), [factor, 3.0 * factor]);
        assert!(matches!(items[1].value, Some(Value::Int(count)) if count == times));
    }
    Ok(())
}

/// `nonzero`: the size of the result is read back, which makes it and its view late.
pub fn nonzero_plan() -> PlanBuilder {
    let mut p = PlanBuilder::new();
    let n = p.symbol("n", 0, None);
    let x = p.input("x", DType::F32, &[n]);
    let count = p.planned(DType::I64, &[]);
    p.launch("count_nonzero", &[b(x), b(count), s(n)], c(1));
    let found = p.register();
    p.step(Step::Read { dst: found, buffer: count });
    let indices = p.planned(DType::I64, &[r(found)]);
    let column = p.view(DType::I64, &[r(found), c(1)], indices, c(0));
    p.launch("nonzero", &[b(x), b(indices), s(n)], c(1));
    p.output(column);
    p.output(indices);
    p.output_scalar(r(found), DType::I64);
    p
}

#[test]
fn sizes_may_depend_on_data() -> TestResult {
    let mut executor = nonzero_plan().executor()?;
    for x in [&[0f32, 5.0, 0.0, 7.0, 9.0][..], &[0.0, 0.0], &[], &[1.0], &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] {
        let expected: Vec<i64> = (0..x.len() as i64).filter(|i| x[*i as usize] != 0.0).collect();
        let items = executor.call(&[tensor(&[x.len()], x).into()])?;
        assert_eq!(items[0].tensor()?.dims(), [expected.len(), 1]);
        assert_eq!(values::<i64>(&items, 0), expected);
        assert_eq!(values::<i64>(&items, 1), expected, "the second result is a copy of the first");
        assert!(matches!(items[2].value, Some(Value::Int(count)) if count == expected.len() as i64));
    }
    Ok(())
}

#[test]
fn late_buffers_in_loops_change_their_size() -> TestResult {
    // result = sum over i in 1..=3 of the last element of a buffer of i ones times i
    let mut p = PlanBuilder::new();
    let seed = p.planned(DType::I64, &[]);
    let size = p.register();
    let total = p.register();
    p.launch("fill_i64", &[b(seed), s(c(1))], c(1));
    p.step(Step::Read { dst: size, buffer: seed });
    p.step(Step::Scalar { dst: total, op: ScalarOp::Move, args: vec![c(0)] });
    let ones = p.planned(DType::I64, &[r(size)]);
    let (index, at) = p.op(ScalarOp::SubI, &[r(size), c(1)]);
    let last = p.view(DType::I64, &[], ones, at);
    let value = p.register();
    let (compare, more) = p.op(ScalarOp::LeI, &[r(size), c(3)]);
    p.step(Step::While {
        before: vec![compare],
        cond: more,
        body: vec![
            launch("fill_i64", &[b(ones), s(r(size))], r(size)),
            index,
            Step::Read { dst: value, buffer: last },
            Step::Scalar { dst: total, op: ScalarOp::AddI, args: vec![r(total), r(value)] },
            Step::Scalar { dst: size, op: ScalarOp::AddI, args: vec![r(size), c(1)] },
        ],
    });
    p.output_scalar(r(total), DType::I64);
    let mut executor = p.executor()?;
    for _ in 0..3 {
        let items = executor.call(&[])?;
        assert!(matches!(items[0].value, Some(Value::Int(6))), "{items:?}");
    }
    Ok(())
}

#[test]
fn buffers_of_a_loop_keep_their_memory_through_it() -> TestResult {
    // `kept` is written in the first step of the loop's body and read in its last; `noise` must not lie on it
    let mut p = PlanBuilder::new();
    let flag = p.register();
    let kept = p.planned(DType::I64, &[c(4)]);
    let noise = p.planned(DType::I64, &[c(4)]);
    let out = p.planned(DType::I64, &[c(4)]);
    p.step(Step::Scalar { dst: flag, op: ScalarOp::Move, args: vec![c(1)] });
    p.step(Step::While {
        before: vec![],
        cond: r(flag),
        body: vec![
            launch("fill_i64", &[b(kept), s(c(3))], c(4)),
            launch("fill_i64", &[b(noise), s(c(9))], c(4)),
            Step::Copy { src: kept, dst: out },
            Step::Scalar { dst: flag, op: ScalarOp::Move, args: vec![c(0)] },
        ],
    });
    p.output(out);
    let mut executor = p.executor()?;
    assert_eq!(values::<i64>(&executor.call(&[])?, 0), [3; 4]);
    assert_eq!(executor.planned_bytes(), 128);
    Ok(())
}
