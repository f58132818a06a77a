//===- FxControlOps.td ---===//

#ifndef FX_CONTROL_OPS_TD
#define FX_CONTROL_OPS_TD

include "fx/FxBase.td"

#endif // FX_CONTROL_OPS_TD
