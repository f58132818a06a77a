//! Whole calls of an executor, with graphs and without.

use super::fake::Fake;
use super::{GRID, Graphs, Recorder};
use crate::device::{Device, Extent};
use crate::exec::Executor;
use crate::plan::*;
use crate::tensor::HostTensor;
use crate::value::{OutputItem, Value};

/// Launches in a row.
const CHAIN: usize = 10;

fn buffer(storage: Storage) -> Buffer {
    Buffer { dtype: DType::I64, dims: vec![], storage }
}

/// `y = f(f(..f(x)))` through intermediate tensors, kernels with a check of their input; then `y` is read, and `z = f(f(.. y))`.
fn plan() -> Plan {
    let Extent::Grid { threads, .. } = GRID else { panic!("a grid") };
    let mut plan = super::plan(0);
    plan.kernels[1].checks = vec![Check { location: "model.py:7".into(), message: "x is {value}".into() }];
    plan.registers = 1;
    plan.arguments = vec![Argument { kind: ArgumentKind::Input("x".into()), value: ArgumentValue::Tensor(0) }];
    plan.buffers = vec![buffer(Storage::Argument)];
    plan.buffers.extend((0..2 * CHAIN).map(|_| buffer(Storage::Planned)));
    let step = |index: usize| Step::Launch {
        kernel: (index % 2) as u32,
        args: vec![
            KernelArg::Buffer(index as u32),
            KernelArg::Buffer(index as u32 + 1),
            KernelArg::Scalar(if index < CHAIN { Scalar::Const(index as i64) } else { Scalar::Reg(0) }),
        ],
        launch: Launch::Grid { blocks: [Scalar::Const(1); 3], threads, shared_bytes: Scalar::Const(0) },
    };
    plan.steps = (0..CHAIN).map(step).collect();
    plan.steps.push(Step::Read { dst: 0, buffer: CHAIN as u32 });
    plan.steps.extend((CHAIN..2 * CHAIN).map(step));
    let output = |buffer: usize| Output { kind: OutputKind::Output, value: OutputValue::Tensor(buffer as u32) };
    plan.outputs = vec![output(CHAIN), output(2 * CHAIN), output(0)];
    plan
}

fn executor(graphs: Graphs) -> (Executor, Fake) {
    let (plan, fake) = (plan(), Fake::default());
    plan.verify().unwrap();
    let device: Box<dyn Device> = Box::new(Recorder::new(fake.handle(), &plan));
    let mut executor = Executor::on(device, plan).unwrap();
    executor.set_graphs(graphs);
    (executor, fake)
}

fn numbers(items: &[OutputItem]) -> Vec<i64> {
    items.iter().map(|item| item.tensor().unwrap().as_slice::<i64>().unwrap()[0]).collect()
}

fn expected(x: i64) -> Vec<i64> {
    let y = (0..CHAIN as i64).fold(x, |x, n| 3 * x + n);
    vec![y, (0..CHAIN).fold(y, |z, _| z.wrapping_mul(3).wrapping_add(y)), x]
}

#[test]
fn calls_give_the_same_with_graphs_and_without() {
    for graphs in [Graphs::Never, Graphs::Auto, Graphs::Always] {
        let (mut executor, fake) = executor(graphs);
        let mut held = Vec::new();
        for x in [1, 2, -5, 7, 7, 100] {
            let input = Value::Device(executor.upload(&HostTensor::scalar(x).unwrap()).unwrap());
            let host = Value::Tensor(HostTensor::scalar(x).unwrap());
            assert_eq!(numbers(&executor.call(&[host]).unwrap()), expected(x), "{graphs:?}");
            // results that are held make the next ones lie elsewhere
            held.push((x, executor.call_on_device(&[input]).unwrap()));
            if x == -5 {
                executor.release_memory();
                assert_eq!(fake.world().live, 0);
            }
        }
        for (x, items) in &held {
            let Some(Value::Device(z)) = &items[1].value else { panic!("{items:?}") };
            assert_eq!(executor.download(z).unwrap().as_slice::<i64>().unwrap()[0], expected(*x)[1], "{graphs:?}");
        }
        assert_eq!(executor.graph_use().made > 0, graphs != Graphs::Never);
        assert_eq!(executor.graph_use().replays > 10, graphs != Graphs::Never);
    }
}

#[test]
fn failed_checks_are_found_in_graphs() {
    for graphs in [Graphs::Never, Graphs::Auto, Graphs::Always] {
        let (mut executor, _) = executor(graphs);
        for x in [1, 4, 2, 4, 4, 3, 1] {
            let found = executor.call(&[Value::Tensor(HostTensor::scalar(x).unwrap())]);
            match x {
                // the second kernel gets 3 x
                4 => assert_eq!(found.unwrap_err().to_string(), "model.py:7: x is 12 (checked in kernel 'checked')"),
                x => assert_eq!(numbers(&found.unwrap()), expected(x)),
            }
        }
    }
}

#[test]
fn records_are_cleared_after_a_failed_check_alone() {
    let (mut executor, fake) = executor(Graphs::Never);
    let mut call = |x: i64| executor.call(&[Value::Tensor(HostTensor::scalar(x).unwrap())]).is_ok();
    let cleared = || fake.world().count("clear");
    assert!(call(1) && call(2));
    assert_eq!(cleared(), 1, "when the executor is made");
    assert!(!call(4) && call(5) && call(6));
    assert_eq!(cleared(), 2);
    fake.world().failing.insert("launch");
    assert!(!call(1));
    fake.world().failing.clear();
    assert!(call(1));
    assert_eq!(cleared(), 3, "a call that ended early may have set one");
}
