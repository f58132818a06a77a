//! `Plan::verify`: what it refuses, with its words; and that damaged plans are errors and never panics.

use crate::control::nonzero_plan;
use crate::running::exp_plan;
use crate::support::*;
use fx_runtime::plan::*;
use fx_runtime::{DeviceKind, Executor};

/// Applies a change to the plan of `exp` and expects an error with these words.
fn refuse(words: &str, change: impl FnOnce(&mut PlanBuilder)) {
    let mut p = exp_plan();
    change(&mut p);
    let error = p.plan.verify().expect_err(words).to_string();
    assert!(error.starts_with("invalid plan: ") && error.contains(words), "{error} should say {words}");
}

#[test]
fn good_plans_pass() -> TestResult {
    exp_plan().plan.verify()?;
    nonzero_plan().plan.verify()?;
    Ok(())
}

#[test]
fn indices() {
    refuse(&format!("version 9 instead of {PLAN_VERSION}"), |p| p.plan.version = 9);
    refuse("registers (at most", |p| p.plan.registers = u32::MAX);
    refuse("symbol 's0': register 50 of 2", |p| p.plan.symbols[0].reg = 50);
    refuse("steps[1]: kernel 99", |p| {
        let Step::Launch { kernel, .. } = &mut p.plan.steps[1] else { unreachable!() };
        *kernel = 99;
    });
    refuse("steps[2]: buffer 77 of 2", |p| p.launch("exp_f32", &[b(77)], c(1)));
    refuse("steps[2]: register 5 of 2", |p| p.launch("exp_f32", &[s(r(5))], c(1)));
    refuse("output 1: buffer 9 of 2", |p| p.output(9));
    refuse("binary 3 of 1", |p| p.plan.kernels[2].binary = 3);
    refuse("buffer 2: constant 0 of 0", |p| {
        p.buffer(DType::F32, &[], Storage::Constant(0));
    });
}

#[test]
fn buffers() {
    refuse("buffer 2: negative size", |p| {
        p.planned(DType::F32, &[c(-1)]);
    });
    refuse("buffer 3 is a view of the view 2", |p| {
        let view = p.view(DType::F32, &[], 1, c(0));
        p.view(DType::F32, &[], view, c(0));
    });
    refuse("buffer 2: negative offset", |p| {
        p.view(DType::F32, &[], 1, c(-1));
    });
    refuse("buffer 2 belongs to no argument", |p| {
        p.buffer(DType::F32, &[], Storage::Argument);
    });
    refuse("buffer 0 belongs to two arguments", |p| {
        let again = p.plan.arguments[0].clone();
        p.plan.arguments.push(again);
    });
    refuse("constant 0 has 3 bytes, but buffer 2 needs 4", |p| {
        p.plan.constants.push(Constant { bytes: vec![0; 3] });
        p.buffer(DType::F32, &[], Storage::Constant(0));
    });
    refuse("the dims of a constant must be constants", |p| {
        p.plan.constants.push(Constant { bytes: vec![0; 4] });
        p.buffer(DType::F32, &[r(0)], Storage::Constant(0));
    });
}

#[test]
fn steps() {
    refuse("steps[2]: AddI takes 2 operands, got 1", |p| {
        p.scalar(ScalarOp::AddI, &[c(1)]);
    });
    refuse("steps[2]: writes the register of symbol 's0'", |p| {
        p.step(Step::Scalar { dst: 0, op: ScalarOp::Move, args: vec![c(1)] });
    });
}

#[test]
fn launches() {
    refuse("steps[2]: grain 0 is not positive", |p| {
        let launch = Launch::Range { extent: c(1), grain: 0, pieces: 1 };
        p.step(Step::Launch { kernel: 0, args: vec![], launch });
    });
    refuse("steps[2]: 0 pieces for each thread", |p| {
        let launch = Launch::Range { extent: c(1), grain: 1, pieces: 0 };
        p.step(Step::Launch { kernel: 0, args: vec![], launch });
    });
    refuse("a grid launch for target 'cpu'", |p| {
        let launch = Launch::Grid { blocks: [c(1); 3], threads: [1; 3], shared_bytes: Scalar::Const(0) };
        p.step(Step::Launch { kernel: 0, args: vec![], launch });
    });
}

#[test]
fn written_buffers_and_nesting() {
    refuse("steps[2]: writes buffer 0, which is not planned memory", |p| p.step(Step::Copy { src: 1, dst: 0 }));
    refuse("writes buffer 2, which is not planned memory", |p| {
        let view = p.view(DType::F32, &[], 0, c(0));
        p.step(call_step("a::b", vec![], vec![view]));
    });
    refuse("a register cannot hold c64", |p| {
        let complex = p.planned(DType::C64, &[]);
        let dst = p.register();
        p.step(Step::Read { dst, buffer: complex });
    });
    refuse("nested more than", |p| {
        let mut step = Step::Assert { cond: c(1), message: String::new() };
        for _ in 0..100 {
            step = Step::If { cond: c(1), then: vec![step], otherwise: vec![] };
        }
        p.step(step);
    });
}

#[test]
fn registers_are_written_first() {
    refuse("steps[2]: register 2 is read before it is written", |p| {
        let reg = p.register();
        p.step(Step::Assert { cond: r(reg), message: String::new() });
    });
    refuse("steps[2]: buffer 2: register 2 is read", |p| {
        let reg = p.register();
        let buffer = p.planned(DType::F32, &[r(reg)]);
        p.launch("exp_f32", &[b(buffer)], c(1));
    });
    refuse("output 1: register 2 is read", |p| {
        let (step, value) = p.op(ScalarOp::Move, &[c(1)]);
        p.step(Step::If { cond: c(1), then: vec![step], otherwise: vec![] });
        p.output_scalar(value, DType::I64);
    });
    refuse("output 1: register 2 is read", |p| {
        let (step, value) = p.op(ScalarOp::Move, &[c(1)]);
        p.step(Step::While { before: vec![], cond: c(0), body: vec![step] });
        p.output_scalar(value, DType::I64);
    });
    refuse("steps[2].then[0]: register 2 is read", |p| {
        let reg = p.register();
        let read = Step::Assert { cond: r(reg), message: String::new() };
        p.step(Step::If { cond: c(1), then: vec![read], otherwise: vec![] });
    });
    refuse("argument 1: dim 0 is Reg(3), which does not follow from symbols", |p| {
        let one = p.planned(DType::I64, &[]);
        let dst = p.register();
        p.step(Step::Read { dst, buffer: one });
        let unknown = p.scalar(ScalarOp::AddI, &[r(dst), c(1)]);
        p.input("late", DType::F32, &[unknown]);
    });
}

#[test]
fn both_branches_and_the_loop_head_count_as_written() -> TestResult {
    let mut p = exp_plan();
    let reg = p.register();
    let set = |value| Step::Scalar { dst: reg, op: ScalarOp::Move, args: vec![c(value)] };
    p.step(Step::If { cond: c(1), then: vec![set(1)], otherwise: vec![set(2)] });
    let head = p.register();
    let stop = Step::Scalar { dst: head, op: ScalarOp::Move, args: vec![c(0)] };
    p.step(Step::While { before: vec![stop], cond: r(head), body: vec![] });
    p.output_scalar(r(reg), DType::I64);
    p.output_scalar(r(head), DType::I64);
    p.plan.verify()?;
    Ok(())
}

/// Changes numbers in the JSON of a plan; each result must be refused or load. (It is not run.)
#[test]
fn damaged_plans_never_panic() -> TestResult {
    let good = nonzero_plan().plan;
    let json = serde_json::to_string(&good)?;
    let digits: Vec<usize> = json.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
    let (mut passed, mut refused) = (0, 0);
    for at in digits {
        for with in ["0", "7", "-1", "4294967295", "9223372036854775807", "-9223372036854775808"] {
            let damaged = format!("{}{with}{}", &json[..at], &json[at + 1..]);
            let Ok(mut plan) = serde_json::from_str::<Plan>(&damaged) else {
                continue;
            };
            for (binary, good) in plan.binaries.iter_mut().zip(&good.binaries) {
                binary.bytes.clone_from(&good.bytes);
            }
            match Executor::new(plan, DeviceKind::Cpu) {
                Ok(_) => passed += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(passed > 5 && refused > 50, "{passed} passed, {refused} refused");
    Ok(())
}
