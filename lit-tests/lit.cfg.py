# Configuration of lit; run by scripts/check, or: $MLIR_SYS_220_PREFIX/bin/lit -v lit-tests
#
# Tools are found by name, on a path made of the build (target/release), .tools (ptxas) and LLVM's bin folder.
# Parameters: bin=DIR takes fx-opt and fxc from elsewhere; gpu=1 runs tests that need a GPU.

import os
import re
import shutil

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
target = os.environ.get("CARGO_TARGET_DIR") or os.path.join(root, "target")


def llvm_prefix():
    """As in the build: the environment, else the one place that states it."""
    with open(os.path.join(root, ".cargo/config.toml"), encoding="utf-8") as settings:
        default = re.search(r'^MLIR_SYS_220_PREFIX = "(.*)"$', settings.read(), re.MULTILINE)
    return os.environ.get("MLIR_SYS_220_PREFIX") or default[1]


tools = os.path.join(root, ".tools")
built = lit_config.params.get("bin") or os.path.join(target, "release")
llvm = os.path.join(llvm_prefix(), "bin")

config.name = "fx-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(target, "lit")

path = os.pathsep.join([built, tools, llvm, config.environment.get("PATH") or os.environ["PATH"]])
config.environment["PATH"] = path
config.environment["FX_CACHE_DIR"] = ""  # compile anew; tests of the cache say where it is
config.substitutions.append(("%fixtures", os.path.join(root, "fixtures")))
config.substitutions.append(("%built", built))

# A test that uses one of these runs only where it is built or installed here, never another one of the same name.
for name, folder in [("fx-opt", built), ("fxc", built), ("FileCheck", llvm), ("not", llvm), ("count", llvm)]:
    if not os.access(os.path.join(folder, name), os.X_OK):
        lit_config.fatal(f"{name} is not in {folder}; run scripts/setup and cargo build --release --workspace --bins")

if shutil.which("ptxas", path=path):
    config.available_features.add("ptxas")
if lit_config.params.get("gpu"):
    config.available_features.add("gpu")
