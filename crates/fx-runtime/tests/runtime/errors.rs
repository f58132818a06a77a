//! Errors of a call: what they say, and that the executor can be called again.

use crate::running::exp_plan;
use crate::support::*;
use fx_runtime::plan::*;
use fx_runtime::{DeviceKind, Executor, RuntimeError, Value};

fn message(executor: &mut Executor, inputs: &[Value]) -> String {
    executor.call(inputs).expect_err("an error").to_string()
}

#[test]
fn inputs_are_checked() -> TestResult {
    let mut executor = exp_plan().executor()?;
    let good = || Value::from(tensor(&[1, 2], &[0f32, 0.0]));
    assert_eq!(message(&mut executor, &[]), "the program takes 1 inputs, got 0");
    assert_eq!(
        message(&mut executor, &[tensor(&[1, 2], &[0i32, 0]).into()]),
        "input 'x': expected a tensor of f32, got a host tensor of i32"
    );
    assert_eq!(message(&mut executor, &[Value::Int(3)]), "input 'x': expected a tensor of f32, got the integer 3");
    for dims in [&[2][..], &[1, 3], &[1, 1, 2]] {
        let zeros = vec![0f32; dims.iter().product()];
        assert_eq!(message(&mut executor, &[tensor(dims, &zeros).into()]), format!("input 'x': expected shape [s0, 2], got {dims:?}"));
    }
    executor.call(&[good()])?;
    Ok(())
}

#[test]
fn symbols_are_checked() -> TestResult {
    let mut p = PlanBuilder::new();
    let n = p.symbol("s77", 2, Some(64));
    let x = p.input("x", DType::F32, &[c(1), n]);
    p.input("y", DType::F32, &[n]);
    let k = p.scalar_input("k", DType::I64);
    let triple = p.scalar(ScalarOp::MulI, &[n, c(3)]);
    p.input("z", DType::F32, &[triple]);
    p.step(Step::Assert { cond: k, message: "k must not be 0".into() });
    p.output(x);
    let mut executor = p.executor()?;
    let mut call = |x: usize, y: usize, k: i64, z: usize| {
        let zeros = |dims: &[usize]| Value::from(tensor(dims, &vec![0f32; dims.iter().product()]));
        let inputs = [zeros(&[1, x]), zeros(&[y]), k.into(), zeros(&[z])];
        executor.call(&inputs).map_err(|error| error.to_string())
    };
    assert!(call(4, 4, 1, 12).is_ok());
    assert_eq!(call(4, 5, 1, 12).unwrap_err(), "symbol 's77' (range 2..=64) is 5 in dim 0 of input 'y', but 4 in dim 1 of input 'x'");
    assert_eq!(call(1, 1, 1, 3).unwrap_err(), "symbol 's77' must lie in 2..=64, got 1 from dim 1 of input 'x'");
    assert!(call(65, 65, 1, 195).unwrap_err().contains("got 65"));
    assert_eq!(call(4, 4, 1, 11).unwrap_err(), "input 'z': expected shape 12 in dim 0 (computed from the other inputs), got 11");
    assert_eq!(call(4, 4, 0, 12).unwrap_err(), "assertion failed: k must not be 0");
    assert!(call(4, 4, 1, 12).is_ok());
    Ok(())
}

#[test]
fn a_scalar_input_may_be_a_symbol() -> TestResult {
    let mut p = PlanBuilder::new();
    let n = p.symbol("s0", 2, None);
    let Scalar::Reg(reg) = n else { unreachable!() };
    let kind = ArgumentKind::Input("n".into());
    p.plan.arguments.push(Argument { kind, value: ArgumentValue::Scalar { reg, dtype: DType::I64 } });
    let x = p.input("x", DType::F32, &[n]);
    p.output(x);
    let mut executor = p.executor()?;
    executor.call(&[3i64.into(), tensor(&[3], &[0f32; 3]).into()])?;
    assert_eq!(
        message(&mut executor, &[4i64.into(), tensor(&[3], &[0f32; 3]).into()]),
        "symbol 's0' (range 2..) is 3 in dim 0 of input 'x', but 4 in input 'n'"
    );
    assert_eq!(message(&mut executor, &[1i64.into(), tensor(&[1], &[0f32]).into()]), "symbol 's0' must lie in 2.., got 1 from input 'n'");
    assert_eq!(
        message(&mut executor, &[1.5.into(), tensor(&[1], &[0f32]).into()]),
        "input 'n': expected a number of i64, got the number 1.5"
    );
    Ok(())
}

#[test]
fn state_is_checked() -> TestResult {
    let mut p = PlanBuilder::new();
    let w = p.argument(ArgumentKind::Parameter("w".into()), DType::F32, &[c(2)]);
    p.argument(ArgumentKind::Buffer("stats.mean".into()), DType::F64, &[]);
    p.output(w);
    let mut executor = p.executor()?;
    assert_eq!(message(&mut executor, &[]), "no value for parameter 'w', buffer 'stats.mean': give it with set_state before the call");
    let mut set = |name: &str, value: Value| executor.set_state(name, value).map_err(|error| error.to_string()).unwrap_err();
    assert_eq!(
        set("v", tensor(&[2], &[0f32; 2]).into()),
        "the plan has no parameter, buffer or constant named 'v' (it has parameter 'w', buffer 'stats.mean')"
    );
    assert_eq!(set("w", tensor(&[3], &[0f32; 3]).into()), "parameter 'w': expected shape [2], got [3]");
    assert!(set("w", tensor(&[2], &[0f64; 2]).into()).contains("expected a tensor of f32, got a host tensor of f64"));
    assert!(set("w", Value::Int(1)).contains("got the integer 1"));
    executor.set_state("w", tensor(&[2], &[1f32, 2.0]))?;
    executor.set_state("stats.mean", tensor(&[], &[0f64]))?;
    assert_eq!(values::<f32>(&executor.call(&[])?, 0), [1.0, 2.0]);
    Ok(())
}

#[test]
fn kernel_checks_stop_the_call() -> TestResult {
    let mut p = PlanBuilder::new();
    let table = p.input("table", DType::F32, &[c(3)]);
    let n = p.symbol("n", 0, None);
    let index = p.input("index", DType::I64, &[n]);
    let out = p.planned(DType::F32, &[n]);
    p.launch("gather_f32", &[b(table), b(index), b(out), s(c(3))], n);
    p.output(out);
    let mut executor = p.executor()?;
    let mut gather = |index: &[i64]| {
        let inputs = [tensor(&[3], &[5f32, 6.0, 7.0]).into(), tensor(&[index.len()], index).into()];
        executor.call(&inputs).map(|items| values::<f32>(&items, 0))
    };
    assert_eq!(gather(&[2, 0])?, [7.0, 5.0]);
    let error = gather(&[1, 3]).unwrap_err();
    assert_eq!(error.to_string(), "model.py:7: index 3 is too large for 3 (checked in kernel 'gather_f32')");
    let error = gather(&[i64::MAX]).unwrap_err().to_string();
    assert!(error.contains("index 9223372036854775807 is too large for 3"), "{error}");
    let error = gather(&[4, -2]).unwrap_err().to_string();
    assert!(error.contains("index -2 is negative"), "{error}: the first of several checks");
    assert_eq!(gather(&[1])?, [6.0], "the records are cleared");
    Ok(())
}

#[test]
fn messages_of_checks_hold_numbers() -> TestResult {
    let error = |message: &str, index: i64| -> Result<String, RuntimeError> {
        let mut p = PlanBuilder::new();
        let checked = p.plan.kernels.iter_mut().filter(|kernel| kernel.symbol == "gather_f32");
        checked.for_each(|kernel| kernel.checks = vec![check(message), check(message)]);
        let (table, index_buffer) = (p.input("table", DType::F32, &[c(3)]), p.input("index", DType::I64, &[c(1)]));
        let out = p.planned(DType::F32, &[c(1)]);
        p.launch("gather_f32", &[b(table), b(index_buffer), b(out), s(c(3))], c(1));
        p.output(out);
        let inputs = [tensor(&[3], &[5f32, 6.0, 7.0]).into(), tensor(&[1], &[index]).into()];
        Ok(p.executor()?.call(&inputs).unwrap_err().to_string())
    };
    assert!(error("{unwrapped} of {bound}", -2)?.contains(": -5 of 3 ("), "the bound was added before the check");
    assert!(error("{unwrapped} of {bound}", 8)?.contains(": 8 of 3 ("));
    assert!(error("{value}, {value}, {bound}", 3)?.contains(": 3, 3, 3 ("));
    assert!(error("no numbers, {other}", 3)?.contains(": no numbers, {other} ("));
    Ok(())
}

#[test]
fn sizes_are_checked() -> TestResult {
    let mut p = PlanBuilder::new();
    let n = p.scalar_input("n", DType::I64);
    let big = p.planned(DType::F64, &[n, n]);
    let out = p.planned(DType::F64, &[n]);
    p.step(Step::Copy { src: big, dst: out });
    let inverse = p.scalar(ScalarOp::DivI, &[c(100), n]);
    p.output(out);
    p.output_scalar(inverse, DType::I64);
    let mut executor = p.executor()?;
    executor.call(&[1i64.into()])?;
    assert!(message(&mut executor, &[(1i64 << 40).into()]).contains("buffer 0: the size overflows"));
    assert_eq!(message(&mut executor, &[(-1i64).into()]), "buffer 0 (f64 [r0, r0]): negative size -1");
    assert_eq!(message(&mut executor, &[2i64.into()]), "copy of buffer 0 (32 bytes) to buffer 1 (16 bytes)");
    assert_eq!(message(&mut executor, &[0i64.into()]), "division by zero in a size computation (DivI of 100)");
    let error = message(&mut executor, &[(1i64 << 28).into()]);
    assert!(error.contains("out of memory on the host"), "{error}");
    executor.call(&[1i64.into()])?;
    Ok(())
}

#[test]
fn views_must_stay_inside() -> TestResult {
    let mut p = PlanBuilder::new();
    let x = p.input("x", DType::F32, &[c(4)]);
    let at = p.scalar_input("at", DType::I64);
    let part = p.view(DType::F32, &[c(2)], x, at);
    p.output(part);
    let mut executor = p.executor()?;
    let x = || Value::from(tensor(&[4], &[0f32, 1.0, 2.0, 3.0]));
    assert_eq!(values::<f32>(&executor.call(&[x(), 2i64.into()])?, 0), [2.0, 3.0]);
    for at in [3i64, -1, i64::MAX, i64::MIN] {
        let error = message(&mut executor, &[x(), at.into()]);
        assert!(error.contains("leave buffer 0 of 16 bytes"), "{error}");
    }
    Ok(())
}

#[test]
fn targets_and_devices_must_fit() {
    let mut p = PlanBuilder::new();
    p.plan.target = "sm_90a".into();
    p.plan.binaries[0].kind = BinaryKind::Ptx;
    let error = Executor::new(p.plan.clone(), DeviceKind::Cpu).err().expect("an error").to_string();
    assert_eq!(error, "the plan is compiled for 'sm_90a' and cannot run on cpu: it needs a GPU");
    if !fx_runtime::device::is_cuda_available() {
        let error = Executor::new(p.plan, DeviceKind::Cuda(0)).err().expect("an error");
        assert!(matches!(error, RuntimeError::NoDriver { .. }), "{error}");
    }
    let error = Executor::new(exp_plan().plan, DeviceKind::Cuda(0)).err().expect("an error").to_string();
    assert_eq!(error, "the plan is compiled for 'cpu' and cannot run on cuda:0: it is for a CPU");
}
