// Every elementary function is code of its own kernel on a GPU: nothing is called, nothing is kept in memory, no register is
// spilled.
// REQUIRES: ptxas
// RUN: fxc compile %s --target=sm_90a --emit=ptx > %t.ptx && FileCheck %s < %t.ptx
// RUN: ptxas -arch=sm_90a -v -o /dev/null %t.ptx 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: fxc compile %s --target=sm_80 --emit=ptx > %t.ptx && ptxas -arch=sm_80 -o /dev/null %t.ptx

// CHECK-NOT: .extern
// CHECK-NOT: .local
// CHECK-NOT: .const

// SPILL-NOT: {{[1-9][0-9]*}} bytes {{stack|spill}}
// SPILL:     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// SPILL-NOT: {{[1-9][0-9]*}} bytes {{stack|spill}}

// Sizes differ, so that functions are not fused.

func.func @main(
    %x0: tensor<100xf32>, %x1: tensor<101xf32>, %x2: tensor<102xf32>, %x3: tensor<103xf32>,
    %x4: tensor<104xf32>, %x5: tensor<105xf32>, %x6: tensor<106xf32>, %x7: tensor<107xf32>,
    %x8: tensor<108xf32>, %x9: tensor<109xf32>, %x10: tensor<110xf32>, %x11: tensor<111xf32>,
    %x12: tensor<112xf32>, %x13: tensor<113xf32>, %x14: tensor<114xf32>, %x15: tensor<115xf32>,
    %x16: tensor<116xf32>, %x17: tensor<117xf32>, %x18: tensor<118xf32>, %x19: tensor<119xf32>,
    %x20: tensor<120xf32>, %x21: tensor<121xf32>, %x22: tensor<122xf32>, %z22: tensor<122xf32>,
    %x23: tensor<123xf32>, %z23: tensor<123xf32>, %x24: tensor<124xf32>, %z24: tensor<124xf32>,
    %x25: tensor<125xf64>, %x26: tensor<126xf64>, %x27: tensor<127xf64>, %x28: tensor<128xf64>,
    %x29: tensor<129xf64>, %x30: tensor<130xf64>, %x31: tensor<131xf64>, %x32: tensor<132xf64>,
    %x33: tensor<133xf64>, %x34: tensor<134xf64>, %x35: tensor<135xf64>, %x36: tensor<136xf64>,
    %x37: tensor<137xf64>, %x38: tensor<138xf64>, %x39: tensor<139xf64>, %x40: tensor<140xf64>,
    %x41: tensor<141xf64>, %x42: tensor<142xf64>, %x43: tensor<143xf64>, %x44: tensor<144xf64>,
    %x45: tensor<145xf64>, %x46: tensor<146xf64>, %x47: tensor<147xf64>, %z47: tensor<147xf64>,
    %x48: tensor<148xf64>, %z48: tensor<148xf64>, %x49: tensor<149xf64>, %z49: tensor<149xf64>)
    -> (
    tensor<100xf32>, tensor<101xf32>, tensor<102xf32>, tensor<103xf32>, tensor<104xf32>,
    tensor<105xf32>, tensor<106xf32>, tensor<107xf32>, tensor<108xf32>, tensor<109xf32>,
    tensor<110xf32>, tensor<111xf32>, tensor<112xf32>, tensor<113xf32>, tensor<114xf32>,
    tensor<115xf32>, tensor<116xf32>, tensor<117xf32>, tensor<118xf32>, tensor<119xf32>,
    tensor<120xf32>, tensor<121xf32>, tensor<122xf32>, tensor<123xf32>, tensor<124xf32>,
    tensor<125xf64>, tensor<126xf64>, tensor<127xf64>, tensor<128xf64>, tensor<129xf64>,
    tensor<130xf64>, tensor<131xf64>, tensor<132xf64>, tensor<133xf64>, tensor<134xf64>,
    tensor<135xf64>, tensor<136xf64>, tensor<137xf64>, tensor<138xf64>, tensor<139xf64>,
    tensor<140xf64>, tensor<141xf64>, tensor<142xf64>, tensor<143xf64>, tensor<144xf64>,
    tensor<145xf64>, tensor<146xf64>, tensor<147xf64>, tensor<148xf64>, tensor<149xf64>) {
  %y0 = fx.acos %x0 : (tensor<100xf32>) -> tensor<100xf32>
  %y1 = fx.acosh %x1 : (tensor<101xf32>) -> tensor<101xf32>
  %y2 = fx.asin %x2 : (tensor<102xf32>) -> tensor<102xf32>
  %y3 = fx.asinh %x3 : (tensor<103xf32>) -> tensor<103xf32>
  %y4 = fx.atan %x4 : (tensor<104xf32>) -> tensor<104xf32>
  %y5 = fx.atanh %x5 : (tensor<105xf32>) -> tensor<105xf32>
  %y6 = fx.cos %x6 : (tensor<106xf32>) -> tensor<106xf32>
  %y7 = fx.cosh %x7 : (tensor<107xf32>) -> tensor<107xf32>
  %y8 = fx.erf %x8 : (tensor<108xf32>) -> tensor<108xf32>
  %y9 = fx.erfc %x9 : (tensor<109xf32>) -> tensor<109xf32>
  %y10 = fx.exp %x10 : (tensor<110xf32>) -> tensor<110xf32>
  %y11 = fx.exp2 %x11 : (tensor<111xf32>) -> tensor<111xf32>
  %y12 = fx.expm1 %x12 : (tensor<112xf32>) -> tensor<112xf32>
  %y13 = fx.log %x13 : (tensor<113xf32>) -> tensor<113xf32>
  %y14 = fx.log10 %x14 : (tensor<114xf32>) -> tensor<114xf32>
  %y15 = fx.log1p %x15 : (tensor<115xf32>) -> tensor<115xf32>
  %y16 = fx.log2 %x16 : (tensor<116xf32>) -> tensor<116xf32>
  %y17 = fx.rsqrt %x17 : (tensor<117xf32>) -> tensor<117xf32>
  %y18 = fx.sin %x18 : (tensor<118xf32>) -> tensor<118xf32>
  %y19 = fx.sinh %x19 : (tensor<119xf32>) -> tensor<119xf32>
  %y20 = fx.tan %x20 : (tensor<120xf32>) -> tensor<120xf32>
  %y21 = fx.tanh %x21 : (tensor<121xf32>) -> tensor<121xf32>
  %y22 = fx.atan2 %x22, %z22 : (tensor<122xf32>, tensor<122xf32>) -> tensor<122xf32>
  %y23 = fx.pow %x23, %z23 : (tensor<123xf32>, tensor<123xf32>) -> tensor<123xf32>
  %y24 = fx.fmod %x24, %z24 : (tensor<124xf32>, tensor<124xf32>) -> tensor<124xf32>
  %y25 = fx.acos %x25 : (tensor<125xf64>) -> tensor<125xf64>
  %y26 = fx.acosh %x26 : (tensor<126xf64>) -> tensor<126xf64>
  %y27 = fx.asin %x27 : (tensor<127xf64>) -> tensor<127xf64>
  %y28 = fx.asinh %x28 : (tensor<128xf64>) -> tensor<128xf64>
  %y29 = fx.atan %x29 : (tensor<129xf64>) -> tensor<129xf64>
  %y30 = fx.atanh %x30 : (tensor<130xf64>) -> tensor<130xf64>
  %y31 = fx.cos %x31 : (tensor<131xf64>) -> tensor<131xf64>
  %y32 = fx.cosh %x32 : (tensor<132xf64>) -> tensor<132xf64>
  %y33 = fx.erf %x33 : (tensor<133xf64>) -> tensor<133xf64>
  %y34 = fx.erfc %x34 : (tensor<134xf64>) -> tensor<134xf64>
  %y35 = fx.exp %x35 : (tensor<135xf64>) -> tensor<135xf64>
  %y36 = fx.exp2 %x36 : (tensor<136xf64>) -> tensor<136xf64>
  %y37 = fx.expm1 %x37 : (tensor<137xf64>) -> tensor<137xf64>
  %y38 = fx.log %x38 : (tensor<138xf64>) -> tensor<138xf64>
  %y39 = fx.log10 %x39 : (tensor<139xf64>) -> tensor<139xf64>
  %y40 = fx.log1p %x40 : (tensor<140xf64>) -> tensor<140xf64>
  %y41 = fx.log2 %x41 : (tensor<141xf64>) -> tensor<141xf64>
  %y42 = fx.rsqrt %x42 : (tensor<142xf64>) -> tensor<142xf64>
  %y43 = fx.sin %x43 : (tensor<143xf64>) -> tensor<143xf64>
  %y44 = fx.sinh %x44 : (tensor<144xf64>) -> tensor<144xf64>
  %y45 = fx.tan %x45 : (tensor<145xf64>) -> tensor<145xf64>
  %y46 = fx.tanh %x46 : (tensor<146xf64>) -> tensor<146xf64>
  %y47 = fx.atan2 %x47, %z47 : (tensor<147xf64>, tensor<147xf64>) -> tensor<147xf64>
  %y48 = fx.pow %x48, %z48 : (tensor<148xf64>, tensor<148xf64>) -> tensor<148xf64>
  %y49 = fx.fmod %x49, %z49 : (tensor<149xf64>, tensor<149xf64>) -> tensor<149xf64>
  return
    %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9,
    %y10, %y11, %y12, %y13, %y14, %y15, %y16, %y17, %y18, %y19,
    %y20, %y21, %y22, %y23, %y24, %y25, %y26, %y27, %y28, %y29,
    %y30, %y31, %y32, %y33, %y34, %y35, %y36, %y37, %y38, %y39,
    %y40, %y41, %y42, %y43, %y44, %y45, %y46, %y47, %y48, %y49 :
    tensor<100xf32>, tensor<101xf32>, tensor<102xf32>, tensor<103xf32>, tensor<104xf32>,
    tensor<105xf32>, tensor<106xf32>, tensor<107xf32>, tensor<108xf32>, tensor<109xf32>,
    tensor<110xf32>, tensor<111xf32>, tensor<112xf32>, tensor<113xf32>, tensor<114xf32>,
    tensor<115xf32>, tensor<116xf32>, tensor<117xf32>, tensor<118xf32>, tensor<119xf32>,
    tensor<120xf32>, tensor<121xf32>, tensor<122xf32>, tensor<123xf32>, tensor<124xf32>,
    tensor<125xf64>, tensor<126xf64>, tensor<127xf64>, tensor<128xf64>, tensor<129xf64>,
    tensor<130xf64>, tensor<131xf64>, tensor<132xf64>, tensor<133xf64>, tensor<134xf64>,
    tensor<135xf64>, tensor<136xf64>, tensor<137xf64>, tensor<138xf64>, tensor<139xf64>,
    tensor<140xf64>, tensor<141xf64>, tensor<142xf64>, tensor<143xf64>, tensor<144xf64>,
    tensor<145xf64>, tensor<146xf64>, tensor<147xf64>, tensor<148xf64>, tensor<149xf64>
}
