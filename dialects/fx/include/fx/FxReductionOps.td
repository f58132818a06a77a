//===- FxReductionOps.td ---===//

#ifndef FX_REDUCTION_OPS_TD
#define FX_REDUCTION_OPS_TD

include "fx/FxBase.td"

#endif // FX_REDUCTION_OPS_TD
