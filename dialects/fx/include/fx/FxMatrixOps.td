//===- FxMatrixOps.td ---===//

#ifndef FX_MATRIX_OPS_TD
#define FX_MATRIX_OPS_TD

include "fx/FxBase.td"

#endif // FX_MATRIX_OPS_TD
