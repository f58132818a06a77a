//! Bundles: round trip, and that each damaged byte is found.

use crate::support::*;
use fx_runtime::bundle::Bundle;
use fx_runtime::plan::*;
use fx_runtime::{DeviceKind, Executor, HostTensor};
use std::collections::BTreeMap;
use std::os::unix::fs::FileExt;

fn bundle() -> Bundle {
    let mut p = PlanBuilder::new();
    let w = p.argument(ArgumentKind::Parameter("w".into()), DType::F32, &[c(3)]);
    let x = p.input("x", DType::F32, &[c(3)]);
    p.plan.constants.push(Constant { bytes: [1f32, 1.0, 1.0].map(f32::to_le_bytes).concat() });
    let one = p.buffer(DType::F32, &[c(3)], Storage::Constant(0));
    let t = p.planned(DType::F32, &[c(3)]);
    let y = p.planned(DType::F32, &[c(3)]);
    p.launch("add_f32", &[b(x), b(w), b(t)], c(3));
    p.launch("add_f32", &[b(t), b(one), b(y)], c(3));
    p.output(y);
    let tensors = BTreeMap::from([("w".to_owned(), tensor(&[3], &[10f32, 20.0, 30.0]))]);
    Bundle { plan: p.plan, tensors }
}

#[test]
fn a_bundle_runs_alone() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.fxb");
    bundle().write(&path)?;
    let read = Bundle::read(&path)?;
    assert_eq!(read.plan, bundle().plan);
    assert_eq!(read.tensors["w"].bytes().as_ptr() as usize % 64, 0, "mapped, and aligned");
    let mut executor = Executor::from_bundle(read, DeviceKind::Cpu)?;
    std::fs::remove_file(&path)?; // the map stays
    let items = executor.call(&[tensor(&[3], &[1f32, 2.0, 3.0]).into()])?;
    assert_eq!(values::<f32>(&items, 0), [12.0, 23.0, 34.0]);
    Ok(())
}

#[test]
fn equal_bundles_are_equal_files() -> TestResult {
    let folder = tempfile::tempdir()?;
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    bundle().write(&a)?;
    bundle().write(&b)?;
    assert_eq!(std::fs::read(a)?, std::fs::read(b)?);
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 2, "no temporary files are left");
    Ok(())
}

#[test]
fn every_damaged_byte_is_found() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.fxb");
    bundle().write(&path)?;
    let good = std::fs::read(&path)?;
    let file = std::fs::OpenOptions::new().write(true).open(&path)?;
    for (at, byte) in good.iter().enumerate() {
        file.write_all_at(&[byte ^ 1 << (at % 8)], at as u64)?;
        let error = Bundle::read(&path).expect_err("damage is found").to_string();
        assert!(error.contains("model.fxb: "), "byte {at}: {error}");
        file.write_all_at(&[*byte], at as u64)?;
    }
    Bundle::read(&path)?;
    for len in [0, 1, 63, 64, 65, good.len() / 2, good.len() - 1] {
        std::fs::write(&path, &good[..len])?;
        assert!(Bundle::read(&path).is_err(), "cut to {len}");
    }
    let longer = [good.as_slice(), b"\0"].concat();
    std::fs::write(&path, longer)?;
    assert!(Bundle::read(&path).is_err());
    Ok(())
}

#[test]
fn errors_say_what_is_wrong() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.fxb");
    let read = || Bundle::read(&path).expect_err("an error").to_string();
    assert!(read().contains("No such file"));
    std::fs::write(&path, b"PK\x03\x04")?;
    assert!(read().ends_with("not a bundle (it does not begin with FXBUNDLE)"));
    let mut newer = b"FXBUNDLE\x02\0\0\0".to_vec();
    newer.resize(100, 0);
    std::fs::write(&path, newer)?;
    assert!(read().ends_with("a bundle of version 2, expected 1"));
    let mut bad = bundle();
    bad.plan.kernels[0].binary = 7;
    bad.write(&path)?;
    assert!(read().contains("invalid plan: kernel 'exp_f32': binary 7 of 1"));
    assert!(bundle().write(&folder.path().join("no/such/folder/x.fxb")).is_err());
    Ok(())
}

#[test]
fn machine_code_is_kept_beside_its_ptx() -> TestResult {
    let code = |arch: &str| MachineCode { arch: arch.into(), assembler: "ptxas 12.9".into(), bytes: arch.into() };
    let mut p = PlanBuilder::new();
    p.plan.target = "sm_80".into();
    p.plan.kernels.clear();
    p.plan.binaries =
        [Some("sm_80"), None, Some("sm_90")].map(|arch| Binary { machine_code: arch.map(code), ..Binary::ptx(b"// ptx".to_vec()) }).into();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("code.fxb");
    Bundle { plan: p.plan.clone(), tensors: BTreeMap::new() }.write(&path)?;
    assert_eq!(Bundle::read(&path)?.plan, p.plan);
    p.plan.binaries[0].kind = BinaryKind::Cubin;
    let error = p.plan.verify().unwrap_err().to_string();
    assert!(error.contains("machine code made from PTX"), "{error}");
    Ok(())
}

#[test]
fn a_bundle_without_tensors_is_fine() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.fxb");
    let mut empty = bundle();
    empty.tensors = BTreeMap::from([("w".into(), HostTensor::zeros(DType::F32, &[3])?)]);
    empty.tensors.insert("unused".into(), HostTensor::zeros(DType::F32, &[0])?);
    empty.write(&path)?;
    let error = Executor::from_bundle(Bundle::read(&path)?, DeviceKind::Cpu).err().expect("an error");
    assert!(error.to_string().contains("named 'unused'"), "{error}");
    Ok(())
}
