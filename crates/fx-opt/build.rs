//! Of the tools `fx-opt` and `fxc`: their binaries stand at a fixed address. With MLIR in it, one would have 340000 addresses to
//! adjust at each start, which takes as long as a small program's passes.

fn main() {
    println!("cargo::rerun-if-env-changed=CARGO_CFG_TARGET_OS");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
