//===- FxRandomOps.td ---===//

#ifndef FX_RANDOM_OPS_TD
#define FX_RANDOM_OPS_TD

include "fx/FxBase.td"

#endif // FX_RANDOM_OPS_TD
