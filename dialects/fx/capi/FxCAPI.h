//===- FxCAPI.h - the C shim of fx -----------------------------*- C++ -*-===//
//
// What must be C++ and MLIR's C API lacks: registering the dialect, making a
// Rust pass known by name (with options that parse and print), and the main
// functions of MLIR's tools. No exception and no Rust panic crosses.
//
//===----------------------------------------------------------------------===//

#ifndef FX_CAPI_H
#define FX_CAPI_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Insert fx, the upstream dialects that programs and phases are made of, and what passes and the translation to LLVM IR ask
/// them for. Dialects load when first used. An interface that a dialect promises and that is not inserted here counts as absent
/// in MLIR's libraries, which are built without assertions, but using it from code of ours aborts: insert it then.
MLIR_CAPI_EXPORTED void fxRegisterDialects(MlirDialectRegistry registry);

/// Register the upstream passes that phases go through by name. Call once per process.
MLIR_CAPI_EXPORTED void fxRegisterUpstreamPasses(void);

/// Runs a Rust pass on `op`. `options` has one "name=value" a line. Returns false after having emitted an
/// error. Called from several threads for passes on functions.
typedef bool (*FxRunPass)(const void *pass, MlirOperation op, MlirStringRef options);

/// Make a Rust pass known: `--argument`, pass pipelines, --mlir-print-ir-after, reproducers.
/// `anchor` is "builtin.module", "func.func", or empty for any op. `optionNames` lists the
/// legal options, one a line, as "name=default:description". `dependentDialects` lists names of dialects, one
/// a line. All strings are copied.
MLIR_CAPI_EXPORTED void fxRegisterPass(const void *pass, MlirStringRef argument, MlirStringRef description,
                                       MlirStringRef anchor, MlirStringRef optionNames,
                                       MlirStringRef dependentDialects, FxRunPass run);

/// A new instance of a registered pass, for mlirOpPassManagerAddOwnedPass; null if unknown.
MLIR_CAPI_EXPORTED MlirPass fxCreatePass(MlirStringRef argument, MlirStringRef options);

/// Register a named pipeline: `--name` expands to the textual pipeline `text`.
MLIR_CAPI_EXPORTED void fxRegisterPipeline(MlirStringRef name, MlirStringRef description, MlirStringRef text);

/// MLIR's tools with fx in their registry. Arguments as for main(). They exit codes as those tools do.
MLIR_CAPI_EXPORTED int fxOptMain(int argc, char **argv);
MLIR_CAPI_EXPORTED int fxLspServerMain(int argc, char **argv);
MLIR_CAPI_EXPORTED int fxReduceMain(int argc, char **argv);
MLIR_CAPI_EXPORTED int fxTranslateMain(int argc, char **argv);

/// Emit an error, or a remark, at `location`, followed by notes.
MLIR_CAPI_EXPORTED void fxEmitError(MlirLocation location, MlirStringRef message, intptr_t numNotes,
                                    const MlirLocation *noteLocations, const MlirStringRef *noteMessages);
MLIR_CAPI_EXPORTED void fxEmitRemark(MlirLocation location, MlirStringRef message, intptr_t numNotes,
                                     const MlirLocation *noteLocations, const MlirStringRef *noteMessages);

#ifdef __cplusplus
}
#endif

#endif // FX_CAPI_H
