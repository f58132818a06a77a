// Bad input ends in one error that names it, and exit code 1.
// RUN: not fxc compile %t.absent.pt2 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: head -c 5000 %fixtures/mlp/model.pt2 > %t.pt2
// RUN: not fxc compile %t.pt2 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// RUN: not fxc compile %s 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not fxc run %fixtures/mlp/model.pt2 --inputs %fixtures/mlp/model.pt2 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: not fxc compile %fixtures/mlp/model.pt2 --emit=fx -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: fxc compile %fixtures/mlp/model.pt2 -o %t.fxb
// RUN: head -c 300000 %t.fxb > %t.cut.fxb
// RUN: not fxc run %t.cut.fxb --inputs %fixtures/mlp/io.safetensors 2>&1 | FileCheck %s --check-prefix=BUNDLE

// ABSENT: error: {{.*}}.absent.pt2: cannot read the file: No such file or directory
// TRUNCATED: error: {{.*}}.pt2: damaged zip structure: expected an end record of a zip file, found none
// SYNTAX: bad_input.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: custom op 'fx.no_such_op' is unknown
// TENSORS: error: {{.*}}model.pt2: not a safetensors file
// FULL: error: /dev/full: No space left on device
// BUNDLE: error: {{.*}}.cut.fxb: damaged: the header does not fit the 300000 bytes of the file
fx.no_such_op
