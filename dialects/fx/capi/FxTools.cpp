//===- FxTools.cpp - MLIR's own tools with the fx dialect ----------------===//
//
// These know all of MLIR, and with it every backend of LLVM. They are a file of their own, so that a binary which does not
// call them is linked without all that.
//
//===----------------------------------------------------------------------===//

#include "FxCAPI.h"

#include "fx/FxDialect.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

using namespace mlir;

static void registerEverything(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<fx::FxDialect>();
}

int fxOptMain(int argc, char **argv) {
  registerAllPasses();
  DialectRegistry registry;
  registerEverything(registry);
  return asMainReturnCode(MlirOptMain(argc, argv, "fx-opt: MLIR's optimizer driver with the fx dialect\n", registry));
}

int fxLspServerMain(int argc, char **argv) {
  DialectRegistry registry;
  registerEverything(registry);
  return asMainReturnCode(MlirLspServerMain(argc, argv, registry));
}

int fxReduceMain(int argc, char **argv) {
  registerAllPasses();
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  return asMainReturnCode(mlirReduceMain(argc, argv, context));
}

int fxTranslateMain(int argc, char **argv) {
  registerAllTranslations();
  return asMainReturnCode(mlirTranslateMain(argc, argv, "fx-translate"));
}
