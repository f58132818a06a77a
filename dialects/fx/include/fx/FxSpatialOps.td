//===- FxSpatialOps.td ---===//

#ifndef FX_SPATIAL_OPS_TD
#define FX_SPATIAL_OPS_TD

include "fx/FxBase.td"

#endif // FX_SPATIAL_OPS_TD
