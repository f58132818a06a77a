//===- Shape.h - shapes that inference and folding both compute ----------===//

#ifndef FX_LIB_SHAPE_H
#define FX_LIB_SHAPE_H

#include "fx/FxDialect.h"

namespace fx {

/// Size of input[start:end:step] along a dim of size `n`; kDynamic for what is unknown.
int64_t sliceSize(int64_t n, int64_t start, int64_t end, int64_t step);

/// Position of each dim of the result in the operand, for an exchange of two.
Shape exchange(int64_t rank, int64_t a, int64_t b);

/// The dims of movedim's result, as positions in the operand.
Shape moved(int64_t rank, llvm::ArrayRef<int64_t> source, llvm::ArrayRef<int64_t> destination);

} // namespace fx

#endif // FX_LIB_SHAPE_H
