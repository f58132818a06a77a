//! The passes that kernels run through.

use std::collections::BTreeSet;

use fx_ir::Module;

/// Passes from scf and memref to the LLVM dialect, each with the dialects that it is for; none for those that are always needed.
///
/// Canonicalisation goes over the code once, from its end: from the start, until nothing changes, it takes ten times as long for
/// the same code.
const TO_LLVM: [(&str, &[&str]); 17] = [
    ("canonicalize{top-down=false max-iterations=1 region-simplify=disabled}", &[]),
    ("cse", &[]),
    ("convert-complex-to-standard", &["complex"]),
    ("convert-scf-to-cf", &[]),
    ("arith-expand{include-bf16=true}", &[]),
    ("fx-expand-math{host=true}", MATH),
    ("convert-math-to-llvm{approximate-log1p=false}", MATH),
    ("convert-math-to-libm", MATH),
    ("convert-math-to-funcs{min-width-of-fpowi-exponent=1}", MATH),
    ("convert-complex-to-llvm", &["complex"]),
    ("finalize-memref-to-llvm", &[]),
    ("convert-func-to-llvm{use-bare-ptr-memref-call-conv=true}", &[]),
    ("convert-vector-to-llvm", &["vector"]),
    ("convert-arith-to-llvm", &[]),
    ("convert-index-to-llvm", &["index"]),
    ("convert-cf-to-llvm", &[]),
    ("reconcile-unrealized-casts", &[]),
];

/// Dialects whose ops are, or become, elementary functions.
const MATH: &[&str] = &["math", "complex"];

/// The passes that an emitted module needs: each one costs time even if it finds nothing.
pub fn to_llvm_dialect(module: &Module<'_>) -> String {
    let mut dialects = BTreeSet::new();
    module.op().walk(&mut |op| {
        dialects.extend(op.name().split('.').next());
    });
    let needed = TO_LLVM.iter().filter(|(_, of)| of.is_empty() || of.iter().any(|dialect| dialects.contains(dialect)));
    let passes: Vec<_> = needed.map(|(pass, _)| *pass).collect();
    format!("builtin.module({})", passes.join(","))
}

/// LLVM passes over a module of kernels. Pointers are taken out of descriptors first: through these, inlining does not see which
/// arguments they are, and so cannot say that they do not alias.
pub const MODULE: &str = "function(instsimplify),cgscc(inline),globaldce";

/// LLVM passes over each kernel: `default<O2>` takes two to three times as long, and makes them up to 3% faster, or none.
/// Where products are in vectors already (`tiled`), nothing is left to be joined, and the search for it would take longest.
pub fn function(tiled: bool) -> String {
    let join = if tiled { "" } else { "slp-vectorizer," };
    format!(
        "sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,\
         loop-mssa(loop-rotate,licm),instcombine<no-verify-fixpoint>,early-cse<memssa>,\
         loop-vectorize,{join}instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg"
    )
}
