//===- FxCAPI.cpp - the C shim of fx -------------------------------------===//

#include "FxCAPI.h"

#include "fx/FxDialect.h"

#include "mlir-c/RegisterEverything.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/InlinerInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Dialects and upstream passes
//===----------------------------------------------------------------------===//

namespace {

/// The dialects that programs and our phases are made of, by name: a Rust pass says whose ops it creates, and these must be loaded before
/// it runs. All of MLIR's would bring every backend of LLVM along.
struct NamedDialect {
  StringRef name;
  void (*insert)(DialectRegistry &);
};
template <typename D> void insertDialect(DialectRegistry &registry) { registry.insert<D>(); }
const NamedDialect namedDialects[] = {
    {"affine", insertDialect<affine::AffineDialect>},
    {"arith", insertDialect<arith::ArithDialect>},
    {"bufferization", insertDialect<bufferization::BufferizationDialect>},
    {"cf", insertDialect<cf::ControlFlowDialect>},
    {"complex", insertDialect<complex::ComplexDialect>},
    {"dlti", insertDialect<DLTIDialect>},
    {"func", insertDialect<func::FuncDialect>},
    {"fx", insertDialect<fx::FxDialect>},
    {"gpu", insertDialect<gpu::GPUDialect>},
    {"index", insertDialect<index::IndexDialect>},
    {"linalg", insertDialect<linalg::LinalgDialect>},
    {"llvm", insertDialect<LLVM::LLVMDialect>},
    {"math", insertDialect<math::MathDialect>},
    {"memref", insertDialect<memref::MemRefDialect>},
    {"nvgpu", insertDialect<nvgpu::NVGPUDialect>},
    {"nvvm", insertDialect<NVVM::NVVMDialect>},
    {"scf", insertDialect<scf::SCFDialect>},
    {"tensor", insertDialect<tensor::TensorDialect>},
    {"ub", insertDialect<ub::UBDialect>},
    {"vector", insertDialect<vector::VectorDialect>},
};

} // namespace

void fxRegisterDialects(MlirDialectRegistry wrapped) {
  DialectRegistry &registry = *unwrap(wrapped);
  for (const NamedDialect &dialect : namedDialects)
    dialect.insert(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  func::registerInlinerExtension(registry);
  LLVM::registerInlinerInterface(registry);
  NVVM::registerInlinerInterface(registry);
  // What the conversion of a GPU's module asks dialects for.
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  gpu::registerConvertGpuToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void fxRegisterUpstreamPasses(void) {
  registerTransformsPasses();
  arith::registerArithExpandOpsPass();
  registerArithToLLVMConversionPass();
  registerConvertComplexToLLVMPass();
  registerConvertComplexToStandardPass();
  registerConvertControlFlowToLLVMPass();
  registerConvertFuncToLLVMPass();
  registerConvertGpuOpsToNVVMOps();
  registerConvertIndexToLLVMPass();
  registerConvertMathToFuncs();
  registerConvertMathToLLVMPass();
  registerConvertMathToLibmPass();
  registerConvertVectorToLLVMPass();
  registerFinalizeMemRefToLLVMConversionPass();
  registerReconcileUnrealizedCastsPass();
  registerSCFToControlFlowPass();
}

// MLIR's C API has these names, for all that there is; melior refers to them, and with them a binary gets every backend of LLVM
// unless they are defined here. Nobody calls them.

void mlirRegisterAllDialects(MlirDialectRegistry registry) { fxRegisterDialects(registry); }

void mlirRegisterAllLLVMTranslations(MlirContext context) {
  DialectRegistry registry;
  fxRegisterDialects(wrap(&registry));
  unwrap(context)->appendDialectRegistry(registry);
}

void mlirRegisterAllPasses(void) { fxRegisterUpstreamPasses(); }

//===----------------------------------------------------------------------===//
// Rust passes
//===----------------------------------------------------------------------===//

namespace {

/// What Rust said of a pass. Lives as long as the process.
struct PassSpec {
  const void *pass;
  std::string argument, description, anchor;
  struct Option {
    std::string name, initial, description;
  };
  std::vector<Option> options;
  std::vector<std::string> dialects;
  FxRunPass run;
  TypeID id;
};

/// Stands for a Rust pass in MLIR's pass managers.
class RustPass : public Pass {
public:
  explicit RustPass(const PassSpec &spec)
      : Pass(spec.id, spec.anchor.empty() ? std::nullopt : std::optional<StringRef>(spec.anchor)), spec(spec) {
    for (const PassSpec::Option &option : spec.options)
      values.push_back(std::make_unique<Option<std::string>>(*this, option.name, llvm::cl::desc(option.description),
                                                             llvm::cl::init(option.initial)));
  }

  StringRef getName() const override { return spec.argument; }
  StringRef getArgument() const override { return spec.argument; }
  StringRef getDescription() const override { return spec.description; }

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const std::string &name : spec.dialects)
      for (const NamedDialect &dialect : namedDialects)
        if (name == dialect.name)
          dialect.insert(registry);
  }

protected:
  void runOnOperation() override {
    std::string text;
    for (const auto &[option, value] : llvm::zip(spec.options, values))
      text += option.name + "=" + value->getValue() + "\n";
    if (!spec.run(spec.pass, wrap(getOperation()), {text.data(), text.size()}))
      signalPassFailure();
  }

  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<RustPass>(spec); }

  bool canScheduleOn(RegisteredOperationName name) const override {
    return spec.anchor.empty() || name.getStringRef() == spec.anchor;
  }

private:
  const PassSpec &spec;
  std::vector<std::unique_ptr<Option<std::string>>> values;
};

llvm::StringMap<PassSpec> &passSpecs() {
  static llvm::StringMap<PassSpec> specs;
  return specs;
}

} // namespace

static std::vector<std::string> lines(MlirStringRef text) {
  SmallVector<StringRef> parts;
  unwrap(text).split(parts, '\n', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

void fxRegisterPass(const void *pass, MlirStringRef argument, MlirStringRef description, MlirStringRef anchor,
                    MlirStringRef optionNames, MlirStringRef dependentDialects, FxRunPass run) {
  static TypeIDAllocator ids;
  auto [it, inserted] = passSpecs().try_emplace(unwrap(argument));
  if (!inserted)
    return;
  PassSpec &spec = it->second;
  spec.pass = pass;
  spec.argument = unwrap(argument).str();
  spec.description = unwrap(description).str();
  spec.anchor = unwrap(anchor).str();
  for (const std::string &line : lines(optionNames)) {
    auto [name, rest] = StringRef(line).split('=');
    auto [initial, text] = rest.split(':');
    spec.options.push_back({name.str(), initial.str(), text.str()});
  }
  spec.dialects = lines(dependentDialects);
  spec.run = run;
  spec.id = ids.allocate();
  registerPass([&spec] { return std::make_unique<RustPass>(spec); });
}

MlirPass fxCreatePass(MlirStringRef argument, MlirStringRef options) {
  auto it = passSpecs().find(unwrap(argument));
  if (it == passSpecs().end())
    return {nullptr};
  auto pass = std::make_unique<RustPass>(it->second);
  auto report = [](const Twine &) { return failure(); };
  if (failed(static_cast<Pass &>(*pass).initializeOptions(unwrap(options), report)))
    return {nullptr};
  return wrap(static_cast<Pass *>(pass.release()));
}

void fxRegisterPipeline(MlirStringRef name, MlirStringRef description, MlirStringRef text) {
  std::string pipeline = unwrap(text).str();
  registerPassPipeline(
      unwrap(name), unwrap(description),
      [pipeline](OpPassManager &manager, StringRef, function_ref<LogicalResult(const Twine &)> report) {
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (failed(parsePassPipeline(pipeline, manager, stream)))
          return report(message);
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static void attachNotes(InFlightDiagnostic &diagnostic, intptr_t numNotes, const MlirLocation *noteLocations,
                        const MlirStringRef *noteMessages) {
  for (intptr_t i = 0; i < numNotes; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(noteMessages[i]);
}

void fxEmitError(MlirLocation location, MlirStringRef message, intptr_t numNotes, const MlirLocation *noteLocations,
                 const MlirStringRef *noteMessages) {
  InFlightDiagnostic diagnostic = emitError(unwrap(location)) << unwrap(message);
  attachNotes(diagnostic, numNotes, noteLocations, noteMessages);
}

void fxEmitRemark(MlirLocation location, MlirStringRef message, intptr_t numNotes, const MlirLocation *noteLocations,
                  const MlirStringRef *noteMessages) {
  InFlightDiagnostic diagnostic = emitRemark(unwrap(location)) << unwrap(message);
  attachNotes(diagnostic, numNotes, noteLocations, noteMessages);
}
