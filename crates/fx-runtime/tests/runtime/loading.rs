//! Objects: relocations, external functions, and that damaged ones are errors and never crashes.

use crate::support::*;
use fx_runtime::plan::*;
use fx_runtime::{DeviceKind, Executor, RuntimeError, Value};

fn with_object(bytes: Vec<u8>) -> Plan {
    let mut p = crate::running::exp_plan();
    p.plan.binaries[0].bytes = bytes;
    p.plan
}

fn relocations_plan() -> PlanBuilder {
    let mut p = PlanBuilder::new();
    let which = p.scalar_input("which", DType::I64);
    let x = p.input("x", DType::F32, &[]);
    let y = p.planned(DType::F32, &[]);
    let z = p.planned(DType::I64, &[]);
    p.launch("relocations", &[s(which), b(x), b(y), b(z)], c(1));
    p.output(y);
    p.output(z);
    p
}

fn check_relocations(plan: Plan) -> TestResult {
    let mut executor = Executor::new(plan, DeviceKind::Cpu)?;
    let mut call = |which: i64| -> Result<(f32, i64), RuntimeError> {
        let items = executor.call(&[which.into(), tensor(&[], &[0.25f32]).into()])?;
        Ok((values::<f32>(&items, 0)[0], values::<i64>(&items, 1)[0]))
    };
    assert_eq!(call(0)?, (0.5, 7));
    assert_eq!(call(1)?, (-0.25, 2 + 3)); // the second call
    assert_eq!(call(2)?, (0.5, 40 + 3)); // the third
    assert_eq!(call(3)?, (0.25f32.exp(), 11 * 44));
    assert_eq!(call(4)?, (0.25, -1));
    assert_eq!(call(5)?, (0.25f32.tanh(), i64::from(b'o')));
    Ok(())
}

fn check_halves(plan: Plan) -> TestResult {
    let mut executor = Executor::new(plan, DeviceKind::Cpu)?;
    let x = [1.0f32, 0.1, -3.3, 1e-6, 7e4];
    let items = executor.call(&[tensor(&[5], &x).into()])?;
    let expected = x.map(|x| {
        let (h, d) = (half::f16::from_f32(x), half::f16::from_f64(f64::from(x) * 3.0));
        h.to_f32() + d.to_f32()
    });
    assert_eq!(values::<f32>(&items, 0), expected);
    Ok(())
}

fn halves_plan() -> PlanBuilder {
    let mut p = PlanBuilder::new();
    let x = p.input("x", DType::F32, &[c(5)]);
    let y = p.planned(DType::F32, &[c(5)]);
    p.launch("halves", &[b(x), b(y)], c(5));
    p.output(y);
    p
}

#[test]
fn relocations_of_gcc() -> TestResult {
    check_relocations(relocations_plan().plan)?;
    check_halves(halves_plan().plan)
}

/// The compiler whose objects we load in earnest is LLVM; the machine that builds the workspace has it.
#[test]
fn relocations_of_llvm() -> TestResult {
    let compiler = "clang-22";
    if std::process::Command::new(compiler).arg("--version").output().is_err() {
        println!("{compiler} is not installed");
        return Ok(());
    }
    for flags in [&[][..], &["-fno-plt"], &["-ffunction-sections", "-fdata-sections"]] {
        let object = compile(compiler, include_str!("kernels.c"), flags);
        for (plan, check) in [(relocations_plan(), check_relocations as fn(Plan) -> TestResult), (halves_plan(), check_halves)] {
            let mut plan = plan.plan;
            plan.binaries[0].bytes = object.clone();
            check(plan)?;
        }
    }
    Ok(())
}

#[test]
fn unknown_functions_are_all_named() {
    let source = "void a(void); void b(void); float expf(float); \
        void exp_f32(const unsigned long *p, long lo, long hi) { b(); a(); a(); *(float *)p[0] = expf(1); }";
    let error = Executor::new(with_object(compile("cc", source, &[])), DeviceKind::Cpu);
    let error = error.err().expect("an error").to_string();
    assert_eq!(error, "object file calls unknown functions: a, b");
}

#[test]
fn missing_kernels_and_odd_objects_are_errors() {
    let load = |source: &str, flags: &[&str]| {
        let error = Executor::new(with_object(compile("cc", source, flags)), DeviceKind::Cpu);
        error.err().expect("an error").to_string()
    };
    let kernel = "void exp_f32(const unsigned long *p, long lo, long hi) { x = lo; }";
    assert_eq!(load("int x;", &[]), "kernel 'exp_f32' (model.py:7) is not defined in binary 0");
    let error = load(&format!("static __thread long x; {kernel} long y(void) {{ return x; }}"), &[]);
    assert!(error.contains("thread-local"), "{error}");
    let error = load(&format!("long x; {kernel}"), &["-fcommon"]);
    assert!(error.contains("symbol 'x' is not in a section: Common"), "{error}");
    let error = load(&format!("static long x; {kernel} long y(void) {{ return x; }}"), &["-mcmodel=large", "-fno-pic"]);
    assert!(!error.is_empty());
    let error = load(&format!("static long x; {kernel} long y(void) {{ return x; }}"), &["-fno-pic"]);
    assert!(error.contains("does not fit") || error.contains("not defined"), "{error}");
}

#[test]
fn what_code_needs_is_asked_for_before_it_is_loaded() -> TestResult {
    let mut plan = with_object(object());
    plan.binaries[0].needs = vec![Need::AmxBf16];
    assert!(plan.to_json()?.contains("\"amx_bf16\""));
    match Executor::new(plan, DeviceKind::Cpu) {
        Ok(_) => assert!(Need::AmxBf16.is_met()),
        Err(error) => {
            let expected = "the plan is compiled for 'cpu' and cannot run on this processor: binary 0 needs a matrix unit for bf16 \
                            (AMX), which the processor lacks or the system does not grant";
            assert!(!Need::AmxBf16.is_met());
            assert_eq!(error.to_string(), expected);
        }
    }
    Ok(())
}

#[test]
fn garbage_is_an_error() {
    for bytes in [vec![], vec![0; 10], b"\x7fELF".to_vec(), vec![0xff; 5000], object()[..600].to_vec()] {
        let error = Executor::new(with_object(bytes), DeviceKind::Cpu).err().expect("an error");
        assert!(matches!(error, RuntimeError::BadObject(_)), "{error}");
    }
}

/// Loads thousands of damaged objects: each must load or be an error. (They are not run.)
#[test]
fn damaged_objects_never_crash_the_loader() {
    let good = object();
    let mut state = 0x1234_5678_9abc_def1u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut loaded, mut refused) = (0, 0);
    let tables = good.len() * 2 / 5; // relocations, symbols and section headers follow the code
    for round in 0..4000 {
        let mut bytes = good.clone();
        for _ in 0..1 + random(6) {
            let at = if round % 2 == 0 { random(64) } else { tables + random(good.len() - tables) };
            bytes[at] = match random(4) {
                0 => 0xff,
                1 => 0,
                2 => bytes[at].wrapping_add(1),
                _ => random(256) as u8,
            };
        }
        if round % 17 == 0 {
            bytes.truncate(random(good.len()));
        }
        match Executor::new(with_object(bytes), DeviceKind::Cpu) {
            Ok(_) => loaded += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(loaded > 100 && refused > 100, "{loaded} loaded, {refused} refused");
}

#[test]
fn an_executor_may_move_between_threads() -> TestResult {
    fn is_send<T: Send>(_: &T) {}
    let mut executor = crate::running::exp_plan().executor()?;
    is_send(&executor);
    let input = Value::from(tensor(&[1, 2], &[0f32, 0.0]));
    let thread = std::thread::spawn(move || executor.call(&[input]).map(|items| values::<f32>(&items, 0)));
    assert_eq!(thread.join().expect("no panic")?, [1.0, 1.0]);
    Ok(())
}
