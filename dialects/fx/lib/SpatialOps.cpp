//===- SpatialOps.cpp - convolution, pooling, padding, resampling --------===//

#include "fx/FxDialect.h"

#include <cmath>

using namespace mlir;
using namespace fx;

//===----------------------------------------------------------------------===//
// Sizes and lists
//===----------------------------------------------------------------------===//

/// Wide enough for sums and products of two sizes.
using Wide = __int128;

static bool anyUnknown(ArrayRef<int64_t> sizes) { return llvm::is_contained(sizes, kDynamic); }

/// The number as a size; one that no tensor can have is an error.
static FailureOr<int64_t> narrow(Wide value, Infer &r) {
  if (value > INT64_MAX || value <= INT64_MIN)
    return r.error("has a size out of the range of i64");
  return int64_t(value);
}

static Wide floorDiv(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// `list` with one entry per spatial dim: one entry holds for all.
static FailureOr<Shape> perDim(StringRef name, ArrayRef<int64_t> list, size_t count, Infer &r) {
  if (list.size() == count)
    return Shape(list);
  if (list.size() == 1)
    return Shape(count, list[0]);
  return r.error("expects '" + name + "' to have 1 or " + Twine(count) + " entries, got " + Twine(list.size()));
}

/// The same for a `SymInt[]`.
static FailureOr<Shape> perDim(StringRef name, ValueRange values, ArrayRef<int64_t> list, size_t count, Infer &r) {
  if (failed(checkList(r, values, list, "'" + name + "'")))
    return failure();
  return perDim(name, list, count, r);
}

static LogicalResult atLeast(StringRef name, ArrayRef<int64_t> list, int64_t least, Infer &r) {
  for (int64_t entry : list)
    if (entry != kDynamic && entry < least)
      return r.error("expects entries of '" + name + "' of at least " + Twine(least) + ", got " + Twine(entry));
  return success();
}

/// A list of sizes: one per dim, not negative.
static FailureOr<Shape> sizesPerDim(StringRef name, ValueRange values, ArrayRef<int64_t> list, size_t count, Infer &r) {
  auto full = perDim(name, values, list, count, r);
  if (failed(full) || failed(atLeast(name, *full, 0, r)))
    return failure();
  return full;
}

static Shape leading(ArrayRef<int64_t> shape, size_t spatial) { return Shape(shape.drop_back(spatial)); }

static Shape concat(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  Shape out(a);
  out.append(b.begin(), b.end());
  return out;
}

/// An operand of channels, `spatial` dims, and perhaps a batch dim.
static LogicalResult checkImage(StringRef name, Value value, int64_t spatial, Infer &r) {
  return r.checkRank(name, value, spatial + 1, spatial + 2);
}

/// Output sizes are positive.
static LogicalResult checkPositive(ArrayRef<int64_t> sizes, Infer &r) {
  for (int64_t size : sizes)
    if (size != kDynamic && size < 1)
      return r.error("has an output size of " + Twine(size) + ", expected at least 1");
  return success();
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
/// Lists of a convolution, one entry per spatial dim.
struct Convolution {
  Value input, weight, bias;
  bool transposed = false;
  Shape stride, padding, dilation, outputPadding;
  int64_t groups = 1;

  int64_t spatial() const { return Infer::rank(weight) - 2; }
};
} // namespace

/// Reads the operands that all convolutions have; `spatial` is -1 if it follows from the weight.
template <class Adaptor>
static FailureOr<Convolution> readConvolution(Adaptor op, Value bias, int64_t spatial, bool unbatched, Infer &r) {
  Convolution c;
  c.input = op.getInput(), c.weight = op.getWeight(), c.bias = bias;
  if (failed(spatial < 0 ? r.checkRank("weight", c.weight, 3, INT64_MAX)
                         : r.checkRank("weight", c.weight, spatial + 2))) // convolution_c1
    return failure();
  int64_t rank = Infer::rank(c.weight);
  if (failed(r.checkRank("input", c.input, rank - unbatched, rank))) // convolution_c1
    return failure();
  auto stride = perDim("stride", op.getStride(), op.getStaticStride(), rank - 2, r);         // convolution_c2
  auto dilation = perDim("dilation", op.getDilation(), op.getStaticDilation(), rank - 2, r); // convolution_c2
  ArrayRef<int64_t> groups = op.getStaticGroups();
  if (failed(stride) || failed(dilation) || failed(checkList(r, op.getGroups(), groups, "'groups'")))
    return failure();
  if (groups.size() != 1) // convolution_c2
    return r.error("expects one entry in 'groups', got " + Twine(groups.size()));
  if (failed(atLeast("stride", *stride, 1, r)) || failed(atLeast("dilation", *dilation, 1, r)) || // convolution_c3
      failed(atLeast("groups", groups, 1, r)))
    return failure();
  c.stride = *stride, c.dilation = *dilation, c.groups = groups[0];
  c.padding = c.outputPadding = Shape(rank - 2, 0);
  return c;
}

template <class Adaptor> static LogicalResult readPadding(Convolution &c, Adaptor op, Infer &r) {
  auto padding = sizesPerDim("padding", op.getPadding(), op.getStaticPadding(), c.spatial(), r); // convolution_c3
  if (succeeded(padding))
    c.padding = *padding;
  return padding;
}

template <class Adaptor> static LogicalResult readOutputPadding(Convolution &c, Adaptor op, Infer &r) {
  auto padding =
      // convolution_c3
      sizesPerDim("output_padding", op.getOutputPadding(), op.getStaticOutputPadding(), c.spatial(), r);
  if (succeeded(padding))
    c.outputPadding = *padding;
  return padding;
}

/// A size times or divided by the number of groups.
static FailureOr<int64_t> timesGroups(int64_t size, int64_t groups, Infer &r) {
  if (size == kDynamic || groups == kDynamic)
    return kDynamic;
  return narrow(Wide(size) * groups, r);
}

/// Checks channels, and gives those of the output.
static FailureOr<int64_t> outputChannels(const Convolution &c, int64_t inputChannels, Infer &r) {
  Shape weight = Infer::shape(c.weight);
  int64_t divided = weight[0], inGroup = weight[1];
  if (c.groups != kDynamic && divided != kDynamic && divided % c.groups != 0) // convolution_c4
    return r.error("expects the first size of 'weight' to be a multiple of " + Twine(c.groups) + " groups, got " +
                   Twine(divided));
  auto grouped = timesGroups(inGroup, c.groups, r);
  if (failed(grouped))
    return failure();
  int64_t consumed = c.transposed ? divided : *grouped;
  if (failed(r.same(inputChannels, consumed, "channels of 'input' and 'weight'"))) // convolution_c4
    return failure();
  return c.transposed ? *grouped : divided;
}

static FailureOr<int64_t> convolvedSize(const Convolution &c, int64_t size, int64_t kernel, size_t d, Infer &r) {
  if (anyUnknown({size, kernel, c.stride[d], c.padding[d], c.dilation[d], c.outputPadding[d]}))
    return kDynamic;
  Wide reach = Wide(c.dilation[d]) * (Wide(kernel) - 1);
  if (c.transposed)
    return narrow((Wide(size) - 1) * c.stride[d] - 2 * Wide(c.padding[d]) + reach + c.outputPadding[d] + 1, r);
  return narrow(floorDiv(Wide(size) + 2 * Wide(c.padding[d]) - reach - 1, c.stride[d]) + 1, r);
}

/// Shape of a convolution's result.
static FailureOr<Shape> convolvedShape(const Convolution &c, Infer &r) {
  Shape in = Infer::shape(c.input), weight = Infer::shape(c.weight);
  size_t spatial = c.spatial(), lead = in.size() - spatial;
  auto channels = outputChannels(c, in[lead - 1], r);
  if (failed(channels) || failed(r.sameElements({c.input, c.weight, c.bias}))) // convolution_c6
    return failure();
  if (c.bias && failed(r.sameShapes(Infer::shape(c.bias), {*channels}, "'bias'"))) // convolution_c5
    return failure();
  Shape out = leading(in, spatial);
  out.back() = *channels;
  Shape places;
  for (size_t d = 0; d < spatial; ++d) {
    auto size = convolvedSize(c, in[lead + d], weight[2 + d], d, r);
    if (failed(size))
      return failure();
    places.push_back(*size);
  }
  if (failed(checkPositive(places, r))) // convolution_c7
    return failure();
  return concat(out, places);
}

static LogicalResult inferConvolution(const Convolution &c, Infer &r) {
  auto shape = convolvedShape(c, r);
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(c.input));
}

template <class Adaptor> static LogicalResult convolution(Adaptor op, Infer &r) {
  auto c = readConvolution(op, op.getBias(), -1, /*unbatched=*/true, r);
  if (failed(c) || failed(readPadding(*c, op, r)) || failed(readOutputPadding(*c, op, r)))
    return failure();
  c->transposed = op.getTransposed();
  return inferConvolution(*c, r);
}

template <class Adaptor> static LogicalResult convNd(Adaptor op, int64_t spatial, Infer &r) {
  auto c = readConvolution(op, op.getBias(), spatial, /*unbatched=*/true, r);
  if (failed(c) || failed(readPadding(*c, op, r)))
    return failure();
  return inferConvolution(*c, r);
}

template <class Adaptor> static LogicalResult convTransposeNd(Adaptor op, int64_t spatial, Infer &r) {
  auto c = readConvolution(op, op.getBias(), spatial, /*unbatched=*/true, r);
  if (failed(c) || failed(readPadding(*c, op, r)) || failed(readOutputPadding(*c, op, r)))
    return failure();
  c->transposed = true;
  return inferConvolution(*c, r);
}

template <class Adaptor> static LogicalResult convNdPadding(Adaptor op, int64_t spatial, Infer &r) {
  auto c = readConvolution(op, op.getBias(), spatial, /*unbatched=*/true, r);
  if (failed(c))
    return failure();
  StringRef padding = op.getPadding();
  if (padding != "same" && padding != "valid") // conv_padding_c1
    return r.error("expects 'padding' to be \"same\" or \"valid\", got \"" + padding + "\"");
  if (padding == "valid")
    return inferConvolution(*c, r);
  for (int64_t stride : c->stride)
    if (stride != 1 && stride != kDynamic) // conv_padding_c1
      return r.error("expects a stride of 1 with padding \"same\", got " + Twine(stride));
  Shape in = Infer::shape(c->input);
  auto channels = outputChannels(*c, in[in.size() - spatial - 1], r);
  if (failed(channels) || failed(r.sameElements({c->input, c->weight, c->bias})))
    return failure();
  if (c->bias && failed(r.sameShapes(Infer::shape(c->bias), {*channels}, "'bias'")))
    return failure();
  in[in.size() - spatial - 1] = *channels;
  return r.result(in, Infer::element(c->input));
}

/// The gradient's type, or `none` where it is not wanted.
static LogicalResult maskedResult(bool wanted, ArrayRef<int64_t> shape, Type element, Infer &r) {
  return wanted ? r.result(shape, element) : r.result(NoneType::get(r.getContext()));
}

template <class Adaptor> static LogicalResult convolutionBackward(Adaptor op, Infer &r) {
  auto c = readConvolution(op, Value(), -1, /*unbatched=*/true, r);
  if (failed(c) || failed(readPadding(*c, op, r)) || failed(readOutputPadding(*c, op, r)) ||
      failed(checkList(r, op.getBiasSizes(), op.getStaticBiasSizes(), "'bias_sizes'")))
    return failure();
  c->transposed = op.getTransposed();
  auto shape = convolvedShape(*c, r);
  // convolution_backward_c2
  if (failed(shape) || failed(r.sameShapes(Infer::shape(op.getGradOutput()), *shape, "'grad_output'")))
    return failure();
  ArrayRef<bool> mask = op.getOutputMask();
  if (mask.size() != 3) // convolution_backward_c1
    return r.error("expects three entries in 'output_mask', got " + Twine(mask.size()));
  Type element = Infer::element(op.getGradOutput());
  (void)maskedResult(mask[0], Infer::shape(c->input), element, r);
  (void)maskedResult(mask[1], Infer::shape(c->weight), element, r);
  return maskedResult(mask[2], {(*shape)[shape->size() - c->spatial() - 1]}, element, r);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

namespace {
struct Windows {
  Shape kernel, stride, padding, dilation;
  bool ceilMode = false;
};
} // namespace

/// Reads and checks the lists of a pool; `dilation` is empty where the op has none.
static FailureOr<Windows> readWindows(ArrayRef<int64_t> kernelList, ArrayRef<int64_t> strideList,
                                      ArrayRef<int64_t> paddingList, ArrayRef<int64_t> dilationList, bool ceilMode,
                                      size_t spatial, Infer &r) {
  auto kernel = perDim("kernel_size", kernelList, spatial, r); // pool_c2
  auto stride = strideList.empty() ? kernel : perDim("stride", strideList, spatial, r);
  auto padding = perDim("padding", paddingList, spatial, r);
  const int64_t one = 1;
  auto dilation = perDim("dilation", dilationList.empty() ? ArrayRef(one) : dilationList, spatial, r);
  if (failed(kernel) || failed(stride) || failed(padding) || failed(dilation) ||
      failed(atLeast("kernel_size", *kernel, 1, r)) || failed(atLeast("stride", *stride, 1, r)) || // pool_c3
      failed(atLeast("padding", *padding, 0, r)) || failed(atLeast("dilation", *dilation, 1, r)))
    return failure();
  for (size_t d = 0; d < spatial; ++d) {
    if (anyUnknown({(*kernel)[d], (*stride)[d], (*padding)[d], (*dilation)[d]}))
      return r.error("expects lists of known numbers");
    Wide span = Wide((*dilation)[d]) * ((*kernel)[d] - 1) + 1;
    if (Wide((*padding)[d]) * 2 > span) // pool_c3
      return r.error("expects 'padding' of at most half of the window, got " + Twine((*padding)[d]) +
                     " for a kernel of " + Twine((*kernel)[d]));
  }
  return Windows{*kernel, *stride, *padding, *dilation, ceilMode};
}

/// Number of windows along dim `d` (ATen/native/Pool.h: pooling_output_shape).
static FailureOr<int64_t> windowCount(const Windows &w, int64_t size, size_t d, Infer &r) {
  if (size == kDynamic)
    return kDynamic;
  Wide stride = w.stride[d], padded = Wide(size) + 2 * Wide(w.padding[d]);
  Wide rest = padded - Wide(w.dilation[d]) * (w.kernel[d] - 1) - 1;
  Wide count = floorDiv(rest + (w.ceilMode ? stride - 1 : 0), stride) + 1;
  // With ceil_mode the last window must start inside the input or the padding before it.
  if (w.ceilMode && (count - 1) * stride >= Wide(size) + w.padding[d])
    --count;
  return narrow(count, r);
}

/// Shape of a pool's result.
static FailureOr<Shape> pooledShape(Value input, const Windows &w, Infer &r) {
  size_t spatial = w.kernel.size();
  if (failed(checkImage("input", input, spatial, r))) // pool_c1
    return failure();
  Shape in = Infer::shape(input), out = leading(in, spatial), places;
  for (size_t d = 0; d < spatial; ++d) {
    auto count = windowCount(w, in[out.size() + d], d, r);
    if (failed(count))
      return failure();
    places.push_back(*count);
  }
  if (failed(checkPositive(places, r))) // pool_c4
    return failure();
  return concat(out, places);
}

static LogicalResult checkDivisor(std::optional<uint64_t> divisor, Infer &r) {
  if (divisor && *divisor == 0) // avg_pool_c5
    return r.error("expects 'divisor_override' not to be 0");
  return success();
}

/// avg_pool1d has no divisor_override.
static std::optional<uint64_t> divisorOverride(AvgPool1dOp::Adaptor) { return std::nullopt; }
template <class Adaptor> static std::optional<uint64_t> divisorOverride(Adaptor op) { return op.getDivisorOverride(); }

template <class Adaptor> static LogicalResult averagePool(Adaptor op, size_t spatial, Infer &r) {
  auto w = readWindows(op.getKernelSize(), op.getStride(), op.getPadding(), {}, op.getCeilMode(), spatial, r);
  if (failed(w) || failed(checkDivisor(divisorOverride(op), r)))
    return failure();
  auto shape = pooledShape(op.getInput(), *w, r);
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult maxPool(Adaptor op, size_t spatial, bool indices, Infer &r) {
  auto w = readWindows(op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation(), op.getCeilMode(), spatial,
                       r);
  if (failed(w))
    return failure();
  auto shape = pooledShape(op.getInput(), *w, r);
  if (failed(shape))
    return failure();
  (void)r.result(*shape, Infer::element(op.getInput()));
  return indices ? r.result(*shape, r.builder().getI64Type()) : success();
}

static LogicalResult poolBackward(Value gradOutput, Value input, Value indices, FailureOr<Windows> w, Infer &r) {
  if (failed(w))
    return failure();
  auto shape = pooledShape(input, *w, r);
  if (failed(shape) || failed(r.sameShapes(Infer::shape(gradOutput), *shape, "'grad_output'")) || // pool_backward_c1
      (indices && failed(r.sameShapes(Infer::shape(indices), *shape, "'indices'"))))
    return failure();
  return r.like(input);
}

template <class Adaptor> static LogicalResult averagePoolBackward(Adaptor op, size_t spatial, Infer &r) {
  if (failed(checkDivisor(op.getDivisorOverride(), r)))
    return failure();
  return poolBackward(
      op.getGradOutput(), op.getInput(), Value(),
      readWindows(op.getKernelSize(), op.getStride(), op.getPadding(), {}, op.getCeilMode(), spatial, r), r);
}

template <class Adaptor> static LogicalResult maxPoolBackward(Adaptor op, size_t spatial, Infer &r) {
  return poolBackward(op.getGradOutput(), op.getInput(), op.getIndices(),
                      readWindows(op.getKernelSize(), op.getStride(), op.getPadding(), op.getDilation(),
                                  op.getCeilMode(), spatial, r),
                      r);
}

template <class Adaptor> static LogicalResult maxUnpool(Adaptor op, int64_t spatial, Infer &r) {
  if (failed(checkImage("input", op.getInput(), spatial, r)) || // max_unpool_c1
      failed(r.sameShapes(Infer::shape(op.getIndices()), Infer::shape(op.getInput()), "'indices'"))) // max_unpool_c2
    return failure();
  auto size = sizesPerDim("output_size", op.getOutputSize(), op.getStaticOutputSize(), spatial, r); // max_unpool_c3
  if (failed(size))
    return failure();
  return r.result(concat(leading(Infer::shape(op.getInput()), spatial), *size), Infer::element(op.getInput()));
}

static LogicalResult adaptivePool(Value input, ValueRange values, ArrayRef<int64_t> list, int64_t spatial, bool indices,
                                  Infer &r) {
  auto size = sizesPerDim("output_size", values, list, spatial, r);                    // adaptive_pool_c2
  if (failed(size) || failed(checkImage("input", input, spatial, r))) // adaptive_pool_c1
    return failure();
  Shape shape = concat(leading(Infer::shape(input), spatial), *size);
  (void)r.result(shape, Infer::element(input));
  return indices ? r.result(shape, r.builder().getI64Type()) : success();
}

static LogicalResult adaptivePoolBackward(Value gradOutput, Value input, Value indices, int64_t spatial, Infer &r) {
  Shape grad = Infer::shape(gradOutput), in = Infer::shape(input);
  if (failed(checkImage("input", input, spatial, r))) // adaptive_pool_backward_c1
    return failure();
  if (grad.size() != in.size()) // adaptive_pool_backward_c1
    return r.error("expects 'grad_output' of the rank of 'input', got " + Twine(grad.size()) + " and " +
                   Twine(in.size()));
  if (failed(r.sameShapes(leading(grad, spatial), leading(in, spatial), "'grad_output'")) ||
      (indices && failed(r.sameShapes(Infer::shape(indices), grad, "'indices'"))))
    return failure();
  return r.like(input);
}

template <class Adaptor> static LogicalResult fractionalMaxPool(Adaptor op, int64_t spatial, Infer &r) {
  auto kernel = perDim("kernel_size", op.getKernelSize(), spatial, r); // fractional_max_pool_c2
  auto size = perDim("output_size", op.getOutputSize(), spatial, r);
  if (failed(kernel) || failed(size) || failed(atLeast("kernel_size", *kernel, 1, r)) ||
      // fractional_max_pool_c1
      failed(atLeast("output_size", *size, 1, r)) || failed(checkImage("input", op.getInput(), spatial, r)) ||
      failed(r.checkRank("random_samples", op.getRandomSamples(), 3)) || // fractional_max_pool_c4
      failed(r.sameElements({op.getInput(), op.getRandomSamples()})))
    return failure();
  Shape in = Infer::shape(op.getInput()), shape = leading(in, spatial);
  for (int64_t d = 0; d < spatial; ++d) {
    int64_t have = in[in.size() - spatial + d];
    if (have != kDynamic && Wide((*size)[d]) + (*kernel)[d] - 1 > have) // fractional_max_pool_c3
      return r.error("expects output_size + kernel_size - 1 <= " + Twine(have) + " in spatial dim " + Twine(d) +
                     ", got " + Twine((*size)[d]) + " and " + Twine((*kernel)[d]));
  }
  shape = concat(shape, *size);
  (void)r.result(shape, Infer::element(op.getInput()));
  return r.result(shape, r.builder().getI64Type());
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Shape after padding: `pad` lists before and after of the last dim, then of the one before it, ..
static FailureOr<Shape> paddedShape(ArrayRef<int64_t> in, ArrayRef<int64_t> pad, int64_t least, Infer &r) {
  if (pad.size() % 2 != 0 || pad.size() / 2 > in.size()) // constant_pad_nd_c1
    return r.error("expects an even number of pads, at most two for each of " + Twine(in.size()) + " dims, got " +
                   Twine(pad.size()));
  Shape out(in);
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    int64_t before = pad[2 * i], after = pad[2 * i + 1], &size = out[in.size() - 1 - i];
    if (anyUnknown({before, after, size})) {
      size = kDynamic;
      continue;
    }
    auto padded = narrow(Wide(size) + before + after, r);
    if (failed(padded))
      return failure();
    if (*padded < least) // constant_pad_nd_c2, edge_pad_c3
      return r.error("has a padded size of " + Twine(*padded) + " in dim " + Twine(in.size() - 1 - i) +
                     ", expected at least " + Twine(least));
    size = *padded;
  }
  return out;
}

/// Pads of each dim are at most `size - margin`.
static LogicalResult checkPadsFit(ArrayRef<int64_t> in, ArrayRef<int64_t> pad, int64_t margin, Infer &r) {
  for (auto [i, entry] : llvm::enumerate(pad)) {
    int64_t size = in[in.size() - 1 - i / 2];
    if (!anyUnknown({entry, size}) && Wide(entry) > Wide(size) - margin)
      return r.error("expects a pad of at most " + Twine(size - margin) + " for a dim of size " + Twine(size) +
                     ", got " + Twine(entry));
  }
  return success();
}

template <class Adaptor> static LogicalResult constantPad(Adaptor op, Infer &r) {
  if (failed(checkList(r, op.getPad(), op.getStaticPad(), "'pad'")))
    return failure();
  // constant_pad_nd_c1, constant_pad_nd_c2
  auto shape = paddedShape(Infer::shape(op.getInput()), op.getStaticPad(), 0, r);
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult pad(Adaptor op, Infer &r) {
  StringRef mode = op.getMode();
  if (!llvm::is_contained({"constant", "reflect", "replicate", "circular"}, mode)) // pad_c2
    return r.error("expects 'mode' to be one of \"constant\", \"reflect\", \"replicate\", \"circular\", got \"" +
                   mode + "\"");
  if (mode != "constant" && op.getValueAttr() && !op.getValueAttr().getValue().isZero()) // pad_c2
    return r.error("expects no 'value' with mode \"" + mode + "\"");
  if (failed(checkList(r, op.getPad(), op.getStaticPad(), "'pad'")))
    return failure();
  Shape in = Infer::shape(op.getInput());
  auto shape = paddedShape(in, op.getStaticPad(), 0, r); // pad_c1
  if (failed(shape))
    return failure();
  if (mode == "reflect" && failed(checkPadsFit(in, op.getStaticPad(), 1, r))) // pad_c3
    return failure();
  if (mode == "circular" && failed(checkPadsFit(in, op.getStaticPad(), 0, r))) // pad_c3
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

/// Shape after a reflection or replication pad of the last dims.
static FailureOr<Shape> edgePaddedShape(Value input, ValueRange values, ArrayRef<int64_t> list, int64_t spatial,
                                        bool reflect, Infer &r) {
  auto padding = perDim("padding", values, list, 2 * spatial, r); // edge_pad_c2
  if (failed(padding) || failed(checkImage("input", input, spatial, r))) // edge_pad_c1
    return failure();
  Shape in = Infer::shape(input);
  if (reflect && failed(checkPadsFit(in, *padding, 1, r))) // reflection_pad_c4
    return failure();
  return paddedShape(in, *padding, 1, r); // edge_pad_c3
}

template <class Adaptor> static LogicalResult edgePad(Adaptor op, int64_t spatial, bool reflect, Infer &r) {
  auto shape = edgePaddedShape(op.getInput(), op.getPadding(), op.getStaticPadding(), spatial, reflect, r);
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult reflectionPad(Adaptor op, int64_t spatial, Infer &r) {
  return edgePad(op, spatial, /*reflect=*/true, r);
}

template <class Adaptor> static LogicalResult replicationPad(Adaptor op, int64_t spatial, Infer &r) {
  return edgePad(op, spatial, /*reflect=*/false, r);
}

template <class Adaptor> static LogicalResult edgePadBackward(Adaptor op, int64_t spatial, Infer &r) {
  auto shape = edgePaddedShape(op.getInput(), op.getPadding(), op.getStaticPadding(), spatial, /*reflect=*/false, r);
  // pad_backward_c1
  if (failed(shape) || failed(r.sameShapes(Infer::shape(op.getGradOutput()), *shape, "'grad_output'")))
    return failure();
  return r.like(op.getInput());
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

/// floor(size * factor), as PyTorch truncates it.
static FailureOr<int64_t> scaledSize(int64_t size, double factor, Infer &r) {
  if (!std::isfinite(factor) || factor <= 0 || (size != kDynamic && double(size) * factor >= 0x1p62))
    return r.error("expects 'scale_factors' to be positive and of reasonable size");
  return size == kDynamic ? kDynamic : int64_t(double(size) * factor);
}

template <class Adaptor> static LogicalResult upsample(Adaptor op, int64_t spatial, Infer &r) {
  if (failed(r.checkRank("input", op.getInput(), spatial + 2))) // upsample_c1
    return failure();
  Shape in = Infer::shape(op.getInput());
  if (failed(checkList(r, op.getOutputSize(), op.getStaticOutputSize(), "'output_size'")))
    return failure();
  std::optional<ArrayRef<double>> factors = op.getScaleFactors();
  bool hasSize = !op.getStaticOutputSize().empty();
  if (hasSize == factors.has_value()) // upsample_c2
    return r.error("expects either 'output_size' or 'scale_factors', got " + Twine(hasSize ? "both" : "neither"));
  FailureOr<Shape> size = Shape();
  if (hasSize) {
    size = perDim("output_size", op.getOutputSize(), op.getStaticOutputSize(), spatial, r);
  } else {
    if (factors->size() != 1 && factors->size() != size_t(spatial)) // upsample_c2
      return r.error("expects 'scale_factors' to have 1 or " + Twine(spatial) + " entries, got " +
                     Twine(factors->size()));
    for (int64_t d = 0; d < spatial; ++d) {
      auto scaled = scaledSize(in[2 + d], (*factors)[factors->size() == 1 ? 0 : d], r);
      if (failed(scaled))
        return failure();
      size->push_back(*scaled);
    }
  }
  if (failed(size) || failed(checkPositive(*size, r))) // upsample_c3
    return failure();
  return r.result(concat(leading(in, spatial), *size), Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult upsampleBackward(Adaptor op, int64_t spatial, Infer &r) {
  // upsample_backward_c1
  auto out = sizesPerDim("output_size", op.getOutputSize(), op.getStaticOutputSize(), spatial, r);
  // upsample_backward_c1
  auto in = sizesPerDim("input_size", op.getInputSize(), op.getStaticInputSize(), spatial + 2, r);
  if (failed(out) || failed(in) ||
      // upsample_backward_c2
      failed(r.sameShapes(Infer::shape(op.getGradOutput()), concat(leading(*in, spatial), *out), "'grad_output'")))
    return failure();
  return r.result(*in, Infer::element(op.getGradOutput()));
}

/// Shape of the sampled tensor.
template <class Adaptor> static FailureOr<Shape> sampledShape(Adaptor op, Infer &r) {
  if (failed(r.checkRank("input", op.getInput(), 4, 5)) || // grid_sampler_c1
      failed(r.checkRank("grid", op.getGrid(), Infer::rank(op.getInput()))))
    return failure();
  Shape in = Infer::shape(op.getInput()), grid = Infer::shape(op.getGrid());
  auto batch = r.same(in[0], grid[0], "batch of 'input' and 'grid'"); // grid_sampler_c2
  if (failed(batch) || failed(r.sameElements({op.getInput(), op.getGrid()})) || // grid_sampler_c2
      failed(r.same(grid.back(), in.size() - 2, "coordinates of 'grid'")))      // grid_sampler_c1
    return failure();
  int64_t interpolation = op.getInterpolationMode(), padding = op.getPaddingMode();
  if (interpolation < 0 || interpolation > 2 || padding < 0 || padding > 2) // grid_sampler_c3
    return r.error("expects modes in [0, 2], got " + Twine(interpolation) + " and " + Twine(padding));
  if (interpolation == 2 && in.size() == 5) // grid_sampler_c3
    return r.error("expects cubic interpolation of rank 4 only, got rank 5");
  Shape out = concat({*batch, in[1]}, ArrayRef(grid).drop_front().drop_back());
  return out;
}

template <class Adaptor> static LogicalResult gridSampler(Adaptor op, Infer &r) {
  auto shape = sampledShape(op, r);
  if (failed(shape))
    return failure();
  return r.result(*shape, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult gridSamplerBackward(Adaptor op, Infer &r) {
  auto shape = sampledShape(op, r);
  ArrayRef<bool> mask = op.getOutputMask();
  // grid_sampler_backward_c5
  if (failed(shape) || failed(r.sameShapes(Infer::shape(op.getGradOutput()), *shape, "'grad_output'")))
    return failure();
  if (mask.size() != 2) // grid_sampler_backward_c4
    return r.error("expects two entries in 'output_mask', got " + Twine(mask.size()));
  Type element = Infer::element(op.getInput());
  (void)maskedResult(mask[0], Infer::shape(op.getInput()), element, r);
  return maskedResult(mask[1], Infer::shape(op.getGrid()), element, r);
}

/// `size` of an affine grid: [N, C, spatial dims].
template <class Adaptor> static FailureOr<Shape> gridSize(Adaptor op, Infer &r) {
  ArrayRef<int64_t> size = op.getStaticSize();
  if (size.size() != 4 && size.size() != 5) // affine_grid_generator_c1
    return r.error("expects 'size' to have 4 or 5 entries, got " + Twine(size.size()));
  return sizesPerDim("size", op.getSize(), size, size.size(), r);
}

/// Shape of the grid itself: [N, spatial dims, coordinates].
static Shape gridShape(ArrayRef<int64_t> size) {
  Shape shape = {size[0]};
  shape.append(size.begin() + 2, size.end());
  shape.push_back(size.size() - 2);
  return shape;
}

template <class Adaptor> static LogicalResult affineGrid(Adaptor op, Infer &r) {
  auto size = gridSize(op, r);
  if (failed(size))
    return failure();
  int64_t spatial = size->size() - 2;
  // affine_grid_generator_c2
  if (failed(r.sameShapes(Infer::shape(op.getTheta()), {(*size)[0], spatial, spatial + 1}, "'theta'")))
    return failure();
  return r.result(gridShape(*size), Infer::element(op.getTheta()));
}

template <class Adaptor> static LogicalResult affineGridBackward(Adaptor op, Infer &r) {
  auto size = gridSize(op, r); // affine_grid_generator_backward_c1
  // affine_grid_generator_backward_c2
  if (failed(size) || failed(r.sameShapes(Infer::shape(op.getGrad()), gridShape(*size), "'grad'")))
    return failure();
  int64_t spatial = size->size() - 2;
  return r.result({(*size)[0], spatial, spatial + 1}, Infer::element(op.getGrad()));
}

//===----------------------------------------------------------------------===//
// Rearrangement
//===----------------------------------------------------------------------===//

static LogicalResult checkBlock(Value input, int64_t factor, Infer &r) {
  if (failed(r.checkRank("input", input, 3, INT64_MAX))) // pixel_shuffle_c1
    return failure();
  if (factor < 1 || factor > INT32_MAX) // pixel_shuffle_c1
    return r.error("expects a factor in [1, 2^31), got " + Twine(factor));
  return success();
}

static FailureOr<int64_t> divided(int64_t size, int64_t factor, StringRef what, Infer &r) {
  if (size == kDynamic || factor == kDynamic)
    return kDynamic;
  if (size % factor != 0)
    return r.error("expects " + what + " to be a multiple of " + Twine(factor) + ", got " + Twine(size));
  return size / factor;
}

static FailureOr<int64_t> multiplied(int64_t size, int64_t factor, Infer &r) {
  return size == kDynamic ? FailureOr<int64_t>(kDynamic) : narrow(Wide(size) * factor, r);
}

static LogicalResult pixelShuffle(Value input, int64_t factor, Infer &r) {
  if (failed(checkBlock(input, factor, r)))
    return failure();
  Shape shape = Infer::shape(input);
  size_t c = shape.size() - 3;
  auto channels = divided(shape[c], factor * factor, "the number of channels", r); // pixel_shuffle_c2
  auto height = multiplied(shape[c + 1], factor, r), width = multiplied(shape[c + 2], factor, r);
  if (failed(channels) || failed(height) || failed(width))
    return failure();
  shape[c] = *channels, shape[c + 1] = *height, shape[c + 2] = *width;
  return r.result(shape, Infer::element(input));
}

static LogicalResult pixelUnshuffle(Value input, int64_t factor, Infer &r) {
  if (failed(checkBlock(input, factor, r))) // pixel_unshuffle_c1
    return failure();
  Shape shape = Infer::shape(input);
  size_t c = shape.size() - 3;
  auto channels = multiplied(shape[c], factor * factor, r);
  auto height = divided(shape[c + 1], factor, "the height", r); // pixel_unshuffle_c2
  auto width = divided(shape[c + 2], factor, "the width", r);   // pixel_unshuffle_c2
  if (failed(channels) || failed(height) || failed(width))
    return failure();
  shape[c] = *channels, shape[c + 1] = *height, shape[c + 2] = *width;
  return r.result(shape, Infer::element(input));
}

template <class Adaptor> static LogicalResult channelShuffle(Adaptor op, Infer &r) {
  ArrayRef<int64_t> groups = op.getStaticGroups();
  if (failed(r.checkRank("input", op.getInput(), 3, INT64_MAX)) || // channel_shuffle_c1
      failed(checkList(r, op.getGroups(), groups, "'groups'")))
    return failure();
  if (groups.size() != 1) // channel_shuffle_c2
    return r.error("expects one entry in 'groups', got " + Twine(groups.size()));
  if (failed(atLeast("groups", groups, 1, r)) || // channel_shuffle_c2
      failed(divided(Infer::shape(op.getInput())[1], groups[0], "the number of channels", r)))
    return failure();
  return r.like(op.getInput());
}

/// The number of windows of im2col and col2im along each of two dims of an image.
template <class Adaptor>
static FailureOr<Shape> blockCounts(Adaptor op, ArrayRef<int64_t> image, Shape &kernel, Infer &r) {
  auto kernels = perDim("kernel_size", op.getKernelSize(), 2, r), dilation = perDim("dilation", op.getDilation(), 2, r);
  auto padding = perDim("padding", op.getPadding(), 2, r), stride = perDim("stride", op.getStride(), 2, r); // im2col_c2
  if (failed(kernels) || failed(dilation) || failed(padding) || failed(stride) ||
      failed(atLeast("kernel_size", *kernels, 1, r)) || failed(atLeast("dilation", *dilation, 1, r)) ||
      failed(atLeast("padding", *padding, 0, r)) || failed(atLeast("stride", *stride, 1, r)))
    return failure();
  kernel = *kernels;
  Shape counts;
  for (size_t d = 0; d < 2; ++d) {
    if (anyUnknown({image[d], kernel[d], (*dilation)[d], (*padding)[d], (*stride)[d]})) {
      counts.push_back(kDynamic);
      continue;
    }
    Wide rest = Wide(image[d]) + 2 * Wide((*padding)[d]) - Wide((*dilation)[d]) * (kernel[d] - 1) - 1;
    auto count = narrow(floorDiv(rest, (*stride)[d]) + 1, r);
    if (failed(count))
      return failure();
    counts.push_back(*count);
  }
  if (failed(checkPositive(counts, r))) // im2col_c3
    return failure();
  return counts;
}

template <class Adaptor> static LogicalResult im2col(Adaptor op, Infer &r) {
  if (failed(checkImage("input", op.getInput(), 2, r))) // im2col_c1
    return failure();
  Shape in = Infer::shape(op.getInput()), kernel, out = leading(in, 2);
  auto counts = blockCounts(op, ArrayRef(in).take_back(2), kernel, r);
  if (failed(counts))
    return failure();
  out.back() = Infer::numel({out.back(), kernel[0], kernel[1]});
  out.push_back(Infer::numel(*counts));
  return r.result(out, Infer::element(op.getInput()));
}

template <class Adaptor> static LogicalResult col2im(Adaptor op, Infer &r) {
  if (failed(r.checkRank("input", op.getInput(), 2, 3))) // col2im_c1
    return failure();
  auto image = sizesPerDim("output_size", op.getOutputSize(), op.getStaticOutputSize(), 2, r); // col2im_c2
  if (failed(image))
    return failure();
  Shape kernel;
  auto counts = blockCounts(op, *image, kernel, r); // col2im_c2
  if (failed(counts))
    return failure();
  Shape in = Infer::shape(op.getInput()), out = leading(in, 1);
  // col2im_c3
  auto channels = divided(out.back(), Infer::numel(kernel), "the rows of 'input'", r);
  // col2im_c3
  if (failed(channels) || failed(r.same(in.back(), Infer::numel(*counts), "columns of 'input' and number of windows")))
    return failure();
  out.back() = *channels;
  return r.result(concat(out, *image), Infer::element(op.getInput()));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void FxDialect::registerSpatialOps() {
  addOperations<
#define GET_OP_LIST
#include "fx/FxSpatialOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "fx/FxSpatialOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// Pads of zero change nothing.
static OpFoldResult foldNoPad(Value input, Type result, ArrayRef<int64_t> pad) {
  if (input.getType() == result && llvm::all_of(pad, [](int64_t entry) { return entry == 0; }))
    return input;
  return {};
}

OpFoldResult ConstantPadNdOp::fold(FoldAdaptor) { return foldNoPad(getInput(), getType(), getStaticPad()); }

OpFoldResult PadOp::fold(FoldAdaptor) { return foldNoPad(getInput(), getType(), getStaticPad()); }

/// Blocks of one pixel.
OpFoldResult PixelShuffleOp::fold(FoldAdaptor) {
  return getUpscaleFactor() == 1 && getInput().getType() == getType() ? OpFoldResult(getInput()) : OpFoldResult();
}

OpFoldResult PixelUnshuffleOp::fold(FoldAdaptor) {
  return getDownscaleFactor() == 1 && getInput().getType() == getType() ? OpFoldResult(getInput()) : OpFoldResult();
}
