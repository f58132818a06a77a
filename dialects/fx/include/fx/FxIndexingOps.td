//===- FxIndexingOps.td ---===//

#ifndef FX_INDEXING_OPS_TD
#define FX_INDEXING_OPS_TD

include "fx/FxBase.td"

#endif // FX_INDEXING_OPS_TD
