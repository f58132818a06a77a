//! The binary stands at a fixed address: with MLIR in it, it would have 340000 addresses to adjust at each start, which takes as
//! long as a small program's passes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
