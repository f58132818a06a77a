//! Compilation for GPUs on several threads, and compiled programs from a cache.

use fx_mlir::{Cache, DeviceKind, Error, HostTensor, Program, Target, Value};

/// Results of four kernels of different kinds.
const TEXT: &str = "
    func.func @main(%x: tensor<8x100xf32>, %y: tensor<100x8xf32>)
        -> (tensor<8x100xf32>, tensor<100xf32>, tensor<8x8xf32>, tensor<100x8xf32>) {
      %a = fx.softmax %x dim 1 : (tensor<8x100xf32>) -> tensor<8x100xf32>
      %b = fx.sum %x dim [0] : (tensor<8x100xf32>) -> tensor<100xf32>
      %c = fx.mm %x, %y : (tensor<8x100xf32>, tensor<100x8xf32>) -> tensor<8x8xf32>
      %d = fx.gelu %y : (tensor<100x8xf32>) -> tensor<100x8xf32>
      return %a, %b, %c, %d : tensor<8x100xf32>, tensor<100xf32>, tensor<8x8xf32>, tensor<100x8xf32>
    }";

fn gpu() -> Target {
    Target::Cuda { arch: "sm_90a".into(), deterministic: false }
}

#[test]
fn each_gpu_kernel_is_a_module_of_its_own() -> Result<(), Error> {
    let program = Program::from_mlir(TEXT)?;
    let first = program.compile(&gpu())?.plan;
    assert!(first.binaries.len() >= 4 && first.binaries.len() == first.kernels.len());
    for kernel in &first.kernels {
        let ptx = String::from_utf8_lossy(&first.binaries[kernel.binary as usize].bytes).into_owned();
        let entries: Vec<_> = ptx.lines().filter(|line| line.contains(".entry")).collect();
        assert_eq!(entries, [format!(".visible .entry {}(", kernel.symbol)], "{ptx}");
    }
    assert_eq!(program.compile(&gpu())?.plan, first);
    Ok(())
}

#[test]
fn a_program_is_compiled_once() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::new(folder.path());
    let program = Program::from_mlir(TEXT)?;
    for target in [gpu(), Target::Cpu] {
        let first = program.compile_cached(&target, &cache)?;
        let second = program.compile_cached(&target, &cache)?;
        assert!(!first.is_cached && second.is_cached, "{target}");
        assert_eq!(first.plan, second.plan);
    }
    let other = Program::from_mlir(&TEXT.replace("gelu", "tanh"))?;
    assert!(!other.compile_cached(&Target::Cpu, &cache)?.is_cached, "another program");
    assert!(!program.compile_cached(&Target::Cuda { arch: "sm_80".into(), deterministic: false }, &cache)?.is_cached, "another target");
    // what comes from the cache runs
    let (x, y) = (HostTensor::from_slice(&[8, 100], &[0.5f32; 800])?, HostTensor::from_slice(&[100, 8], &[2f32; 800])?);
    let mut model = program.compile_cached(&Target::Cpu, &cache)?.executor(DeviceKind::Cpu)?;
    let results = model.call(&[x.into(), y.into()])?;
    let Some(Value::Tensor(product)) = &results[2].value else { panic!("{results:?}") };
    assert_eq!(product.as_slice::<f32>()?, [100f32; 64]);
    Ok(())
}

#[test]
fn a_cache_that_does_not_work_is_a_remark() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::from_mlir(TEXT)?;
    let cache = Cache::new(folder.path());
    program.compile_cached(&Target::Cpu, &cache)?;
    for entry in std::fs::read_dir(folder.path()).expect("entries").flatten() {
        std::fs::write(entry.path(), "damaged").expect("written");
    }
    let again = program.compile_cached(&Target::Cpu, &cache)?;
    assert!(!again.is_cached && again.remarks.iter().any(|remark| remark.contains("compiled anew")), "{:?}", again.remarks);
    assert!(program.compile_cached(&Target::Cpu, &cache)?.is_cached, "the entry is replaced");
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").expect("written");
    let compiled = program.compile_cached(&Target::Cpu, &Cache::new(&file.join("below")))?;
    assert!(!compiled.remarks.is_empty() && !compiled.plan.kernels.is_empty());
    Ok(())
}
