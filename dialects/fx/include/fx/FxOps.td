//===- FxOps.td - every op of the fx dialect, by family ------------------===//

#ifndef FX_OPS_TD
#define FX_OPS_TD

include "fx/FxControlOps.td"
include "fx/FxIndexingOps.td"
include "fx/FxMatrixOps.td"
include "fx/FxPointwiseOps.td"
include "fx/FxRandomOps.td"
include "fx/FxReductionOps.td"
include "fx/FxShapeOps.td"
include "fx/FxSpatialOps.td"

#endif // FX_OPS_TD
