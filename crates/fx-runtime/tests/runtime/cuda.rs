//! The GPU, where there is a driver; elsewhere these tests only say that they did nothing.

use crate::support::*;
use fx_runtime::plan::*;
use fx_runtime::{DeviceKind, Executor, Graphs, RuntimeError, Value};

/// `y[i] = x[i] * s` for `i < n` (s a double); with a check that `n` is not 13, and a kernel that counts non-zeros.
const PTX: &str = r#"
.version 7.0
.target sm_80
.address_size 64

.visible .entry scale(.param .u64 records, .param .u64 x, .param .u64 y, .param .f64 s, .param .u64 n)
{
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .f32 %f<3>;
  .reg .f64 %d<3>;
  .reg .b64 %l<10>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  cvt.u64.u32 %l1, %r4;
  ld.param.u64 %l2, [n];
  setp.ge.u64 %p1, %l1, %l2;
  @%p1 bra done;
  setp.ne.u64 %p2, %l2, 13;
  @%p2 bra go;
  ld.param.u64 %l3, [records];
  mov.u64 %l4, 1;
  st.global.u64 [%l3], %l4;
  st.global.u64 [%l3+8], %l2;
  bra done;
go:
  ld.param.u64 %l5, [x];
  ld.param.u64 %l6, [y];
  shl.b64 %l7, %l1, 2;
  add.u64 %l8, %l5, %l7;
  add.u64 %l9, %l6, %l7;
  ld.global.f32 %f1, [%l8];
  ld.param.f64 %d1, [s];
  cvt.rn.f32.f64 %f2, %d1;
  mul.f32 %f1, %f1, %f2;
  st.global.f32 [%l9], %f1;
done:
  ret;
}

.visible .entry count(.param .u64 x, .param .u64 out, .param .u64 n)
{
  .reg .pred %p<3>;
  .reg .f32 %f<2>;
  .reg .b64 %l<6>;
  ld.param.u64 %l1, [x];
  ld.param.u64 %l2, [out];
  ld.param.u64 %l3, [n];
  mov.u64 %l4, 0;
loop:
  setp.eq.u64 %p1, %l3, 0;
  @%p1 bra end;
  ld.global.f32 %f1, [%l1];
  setp.neu.f32 %p2, %f1, 0f00000000;
  selp.u64 %l5, 1, 0, %p2;
  add.u64 %l4, %l4, %l5;
  add.u64 %l1, %l1, 4;
  sub.u64 %l3, %l3, 1;
  bra loop;
end:
  st.global.u64 [%l2], %l4;
  ret;
}
"#;

fn is_missing() -> bool {
    let missing = !fx_runtime::device::is_cuda_available();
    if missing {
        println!("no CUDA driver: nothing was tested");
    }
    missing
}

fn grid(kernel: u32, args: &[KernelArg], blocks: Scalar, threads: u32) -> Step {
    let blocks = [blocks, c(1), c(1)];
    let launch = Launch::Grid { blocks, threads: [threads, 1, 1], shared_bytes: Scalar::Const(0) };
    Step::Launch { kernel, args: args.to_vec(), launch }
}

/// Two scalings through an arena buffer, by a state tensor's copy; then the count of non-zeros makes a late buffer.
fn plan() -> Plan {
    let mut p = PlanBuilder::new();
    p.plan.target = "sm_80".into();
    p.plan.binaries = vec![Binary::ptx(PTX.into())];
    let kernel = |symbol: &str, checks: Vec<Check>| Kernel { symbol: symbol.into(), binary: 0, location: "model.py:3".into(), checks };
    p.plan.kernels = vec![kernel("scale", vec![check("n is {value}")]), kernel("count", vec![])];
    let w = p.argument(ArgumentKind::Parameter("w".into()), DType::F32, &[c(2)]);
    let n = p.symbol("n", 0, None);
    let x = p.input("x", DType::F32, &[n]);
    let factor = p.scalar_input("s", DType::F64);
    let t = p.planned(DType::F32, &[n]);
    let y = p.planned(DType::F32, &[n]);
    let count = p.planned(DType::I64, &[]);
    let blocks = p.scalar(ScalarOp::CeilDivI, &[n, c(128)]);
    p.step(grid(0, &[b(x), b(t), s(factor), s(n)], blocks, 128));
    p.step(grid(0, &[b(t), b(y), s(factor), s(n)], blocks, 128));
    p.step(grid(1, &[b(y), b(count), s(n)], c(1), 1));
    let found = p.register();
    p.step(Step::Read { dst: found, buffer: count });
    let late = p.planned(DType::F32, &[r(found)]);
    let part = p.view(DType::F32, &[r(found)], y, c(0));
    p.step(Step::Copy { src: part, dst: late });
    for buffer in [y, late, w, x] {
        p.output(buffer);
    }
    p.plan
}

#[test]
fn a_plan_on_the_gpu() -> TestResult {
    if is_missing() {
        return Ok(());
    }
    let mut executor = Executor::new(plan(), DeviceKind::Cuda(0))?;
    executor.set_state("w", tensor(&[2], &[5f32, 6.0]))?;
    executor.set_timing(true);
    for n in [300usize, 0, 1, 300, 100_000] {
        let x: Vec<f32> = (0..n).map(|i| (i % 3) as f32).collect();
        let expected: Vec<f32> = x.iter().map(|x| x * 2.25).collect();
        let found = x.iter().filter(|x| **x != 0.0).count();
        let host = Value::from(tensor(&[n], &x));
        let items = executor.call(&[host, 1.5.into()])?;
        assert_eq!(values::<f32>(&items, 0), expected);
        assert_eq!(values::<f32>(&items, 1), expected[..found]);
        assert_eq!(values::<f32>(&items, 2), [5.0, 6.0]);
        assert_eq!(values::<f32>(&items, 3), x);
        let device = executor.upload(&tensor(&[n], &x))?;
        let items = executor.call_on_device(&[device.into(), 1.5.into()])?;
        let Some(Value::Device(y)) = &items[0].value else { panic!("{items:?}") };
        assert_eq!(executor.download(y)?.as_slice::<f32>()?, expected);
    }
    let times = executor.take_times()?;
    assert_eq!(times.len(), 2 * (3 * 5 - 2), "empty grids are not launched");
    println!("{times:?} {:?}", executor.memory_use());
    Ok(())
}

#[test]
fn errors_on_the_gpu() -> TestResult {
    if is_missing() {
        return Ok(());
    }
    let mut executor = Executor::new(plan(), DeviceKind::Cuda(0))?;
    executor.set_state("w", tensor(&[2], &[5f32, 6.0]))?;
    let input = |n: usize| Value::from(tensor(&[n], &vec![1f32; n]));
    let error = executor.call(&[input(13), 1.0.into()]).unwrap_err().to_string();
    assert_eq!(error, "model.py:7: n is 13 (checked in kernel 'scale')");
    executor.call(&[input(14), 1.0.into()])?;
    let mut bad = plan();
    bad.binaries[0].bytes = PTX.replace("mul.f32", "mul.f33").into_bytes();
    let error = Executor::new(bad, DeviceKind::Cuda(0)).err().expect("an error").to_string();
    println!("{error}");
    assert!(error.contains("CUDA_ERROR_INVALID_PTX") && error.contains("f33"), "{error}");
    let mut bad = plan();
    bad.kernels[1].symbol = "absent".into();
    let error = Executor::new(bad, DeviceKind::Cuda(0)).err().expect("an error");
    assert!(matches!(error, RuntimeError::MissingKernel { .. }), "{error}");
    let mut bad = plan();
    bad.target = "sm_70a".into();
    let error = Executor::new(bad, DeviceKind::Cuda(0)).err().expect("an error");
    assert!(matches!(error, RuntimeError::WrongTarget { .. }), "{error}");
    let error = Executor::new(plan(), DeviceKind::Cuda(99)).err().expect("an error").to_string();
    assert!(error.contains("cuda:99"), "{error}");
    Ok(())
}

/// Scalings in a row, the first half of them into a tensor that is copied, then a read of a scalar, then the other half.
fn chain(count: usize) -> Plan {
    let mut p = PlanBuilder::new();
    let plan = plan();
    (p.plan.target, p.plan.binaries, p.plan.kernels) = (plan.target, plan.binaries, plan.kernels);
    let n = p.symbol("n", 0, None);
    let mut last = p.input("x", DType::F32, &[n]);
    let factor = p.scalar_input("s", DType::F64);
    let blocks = p.scalar(ScalarOp::CeilDivI, &[n, c(128)]);
    for half in 0..2 {
        for _ in 0..count / 2 {
            let next = p.planned(DType::F32, &[n]);
            p.step(grid(0, &[b(last), b(next), s(factor), s(n)], blocks, 128));
            last = next;
        }
        p.output(last);
        if half == 0 {
            let found = p.planned(DType::I64, &[]);
            p.step(grid(1, &[b(last), b(found), s(n)], c(1), 1));
            let dst = p.register();
            p.step(Step::Read { dst, buffer: found });
            p.output_scalar(r(dst), DType::I64);
            let copy = p.planned(DType::F32, &[n]);
            p.step(Step::Copy { src: last, dst: copy });
            last = copy;
        }
    }
    p.plan
}

#[test]
fn graphs_on_the_gpu() -> TestResult {
    if is_missing() {
        return Ok(());
    }
    for graphs in [Graphs::Never, Graphs::Auto, Graphs::Always] {
        let mut executor = Executor::new(chain(40), DeviceKind::Cuda(0))?;
        executor.set_graphs(graphs);
        let mut held = Vec::new();
        // other sizes, inputs elsewhere, results that are held, a failed check (13)
        for (turn, n) in [300usize, 300, 300, 13, 0, 300, 100_000, 100_000, 300].into_iter().enumerate() {
            let x: Vec<f32> = (0..n).map(|i| ((i + turn) % 3) as f32).collect();
            let input = Value::from(executor.upload(&tensor(&[n], &x))?);
            let results = executor.call_on_device(&[input, 0.5.into()]);
            match n {
                13 => assert!(matches!(results, Err(RuntimeError::KernelCheck { .. }))),
                _ => held.push((x, results?)),
            }
        }
        for (x, items) in held {
            let Some(Value::Device(y)) = &items[2].value else { panic!("{items:?}") };
            let expected: Vec<f32> = x.iter().map(|x| x * 0.5f32.powi(40)).collect();
            assert_eq!(executor.download(y)?.as_slice::<f32>()?, expected, "{graphs:?}");
        }
        println!("{graphs:?}: {:?}", executor.graph_use());
        assert_eq!(executor.graph_use().replays > 10, graphs != Graphs::Never);
        assert_eq!(executor.graph_use().refused, 0);
    }
    Ok(())
}
