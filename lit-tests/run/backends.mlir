// fxc holds the backends of LLVM that it uses and no others, which would double its size and its time to start. fx-opt knows all of
// MLIR, and has them.
// RUN: grep -qa "NVIDIA PTX 64-bit" %built/fxc
// RUN: not grep -qa "AMD GCN GPUs" %built/fxc
// RUN: grep -qa "AMD GCN GPUs" %built/fx-opt
