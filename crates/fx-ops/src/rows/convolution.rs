//! Convolutions.
//!
//! A convolution is a sum over channels and taps. The input is first copied into rows with their padding, cut into one
//! plane per residue of the stride; then the pixels of an image are one dim along which each tap is a constant offset:
//!
//! ```text
//! padded[n, c, r.., q..] = input[n, c, q * stride + r - padding]            0 outside
//! sums[n, g, o, f] = sum_{c, k..} weight[g, o, c, k..] * padded[n, g, c, (k d) % s.., f + offset((k d) / s)]
//! out[n, g o, q..] = bias[g o] + sums[n, g, o, flat(q)]                     flat by the padded rows' pitch
//! ```
//!
//! Groups of few channels are read in place where kernels can pad them (`windows`).

use fx_ir::{Result, Type, Value};

use crate::batching;
use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::rows::spatial::{Window, check_some, read_inside, spatial, window_count};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered};

mod windows;

/// Terms of each sum of a convolution: taps times channels of a group.
pub(crate) fn terms(operands: &[Vec<u64>], result: &[u64]) -> u64 {
    let weight: u64 = operands.get(1).map_or(1, |shape| shape.iter().product());
    weight / result.get(1).copied().unwrap_or(1).max(1)
}

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.convolution", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::convolution),
    lowered("fx.conv1d", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::convolution),
    lowered("fx.conv2d", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::convolution),
    lowered("fx.conv3d", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::convolution),
    lowered("fx.conv1d_padding", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::padded_by_name),
    lowered("fx.conv2d_padding", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::padded_by_name),
    lowered("fx.conv3d_padding", convolution).batched(batching::convolution::convolution).vjp(derivatives::convolution::padded_by_name),
    lowered("fx.conv_transpose1d", transposed_convolution)
        .batched(batching::convolution::convolution)
        .vjp(derivatives::convolution::transposed),
    lowered("fx.conv_transpose2d", transposed_convolution)
        .batched(batching::convolution::convolution)
        .vjp(derivatives::convolution::transposed),
    lowered("fx.conv_transpose3d", transposed_convolution)
        .batched(batching::convolution::convolution)
        .vjp(derivatives::convolution::transposed),
];

/// Input and weight of a convolution, and whether the input has a batch dim; one of size 1 is added where it has none.
fn convolved<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Result<(Tensor<'c>, Tensor<'c>, bool)> {
    let (input, weight) = (cx.operand(op, "input")?, cx.operand(op, "weight")?);
    if input.rank() == weight.rank() {
        return Ok((input, weight, true));
    }
    let dims = [vec![Dim::Static(1)], input.dims.clone()].concat();
    Ok((cx.reshape(&input, &dims), weight, false))
}

/// `out[n, o, p] = bias[o] + sum_{c, k} input[n, g + c, p * stride + k * dilation - padding] * weight[o, c, k]`
fn convolution<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    if op.op.flag("transposed") {
        return transposed_convolution(cx, op);
    }
    let (input, weight, batched) = convolved(cx, op)?;
    let count = weight.rank() - 2;
    let mut window = Window {
        kernel: weight.dims[2..].to_vec(),
        stride: spatial(cx, op, "stride", count, 1)?,
        padding: vec![0; count],
        dilation: spatial(cx, op, "dilation", count, 1)?,
    };
    let same = op.op.text("padding") == Some("same");
    if same {
        // Sizes stay; the further zero of an odd total goes to the end.
        for (i, kernel) in window.kernel.iter().enumerate() {
            let Some(kernel) = kernel.known() else {
                return Err(op.error("with padding \"same\" needs its kernel's size at compile time"));
            };
            window.padding[i] = window.dilation[i] * (kernel - 1) / 2;
        }
    } else if op.op.text("padding").is_none() {
        window.padding = spatial(cx, op, "padding", count, 0)?;
    }
    let groups = spatial(cx, op, "groups", 1, 1)?[0].max(1);
    let shape = op.op.result(0).ty().shape();
    let known = &shape[shape.len() - count..];
    let pixels: Vec<_> =
        (0..count).map(|i| if same { input.dims[2 + i] } else { window_count(cx, input.dims[2 + i], &window, i, known[i]) }).collect();
    check_channels(cx, &input, &weight, groups);
    check_some(cx, op, &pixels);
    let ty = opmath(cx.context(), op.result_element(0));
    let sums = sums(cx, &input, &weight, &pixels, &window, groups, ty);
    finish(cx, op, &sums, batched)
}

/// Checks, at run time, that input and weight have as many channels, in groups of equal size.
pub(crate) fn check_channels<'c>(cx: &Lower<'c>, input: &Tensor<'c>, weight: &Tensor<'c>, groups: i64) {
    let group = Dim::Static(groups);
    cx.check_sizes(input.dims[1], cx.mul(weight.dims[1], group));
    cx.check_sizes(cx.mul(cx.floor_div(weight.dims[0], group), group), weight.dims[0]);
}

/// The sums of a convolution in type `ty`; `pixels` are its results' spatial sizes.
pub(crate) fn sums<'c>(
    cx: &Lower<'c>,
    input: &Tensor<'c>,
    weight: &Tensor<'c>,
    pixels: &[Dim<'c>],
    window: &Window<'c>,
    groups: i64,
    ty: Type<'c>,
) -> Tensor<'c> {
    if let Some(sums) = windows::sums(cx, input, weight, pixels, window, groups, ty) {
        return sums;
    }
    let planes = Planes::new(cx, window, pixels.to_vec());
    let padded = planes.padded(cx, input, window);
    let sums = planes.sums(cx, &padded, weight, groups, ty);
    let dims = [vec![input.dims[0], weight.dims[0]], pixels.to_vec()].concat();
    at_places(cx, &sums, &dims, |body| planes.place(body))
}

/// The flat sums at the places of the results.
fn at_places<'c>(cx: &Lower<'c>, sums: &Tensor<'c>, dims: &[Dim<'c>], place: impl FnOnce(&Body<'c>) -> Value<'c>) -> Tensor<'c> {
    let sums = cx.reshape(sums, &[dims[0], dims[1], sums.dims[sums.rank() - 1]]);
    cx.map(dims, sums.element, &[], |body, _| body.extract(&sums, &[body.index(0), body.index(1), place(body)]))
}

/// The sums with the bias added, rounded; without the batch dim if the input has none.
fn finish<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, sums: &Tensor<'c>, batched: bool) -> Result {
    let dims = &sums.dims;
    let mut operands = vec![cx.broadcast(sums, dims)];
    if let Some(bias) = op.optional("bias") {
        operands.push(Operand { tensor: cx.tensor(bias)?, map: vec![Ix::Loop(1)] });
    }
    let ty = sums.element;
    let mut result = cx.map(dims, op.result_element(0), &operands, |body, a| match a {
        [sum, bias] => body.s.add(*sum, body.s.cast(*bias, ty)),
        _ => a[0],
    });
    if !batched {
        result = cx.reshape(&result, &dims[1..]);
    }
    cx.set(op.op.result(0), result);
    Ok(())
}

/// The padded input's planes.
struct Planes<'c> {
    stride: Vec<i64>,
    dilation: Vec<i64>,
    /// Result pixels per dim.
    pixels: Vec<Dim<'c>>,
    /// Residues of the stride that taps have, per dim.
    residues: Vec<Dim<'c>>,
    /// Pixels of a plane per dim: those of the result, and as many as taps reach further.
    sizes: Vec<Dim<'c>>,
    kernel: Vec<Dim<'c>>,
}

impl<'c> Planes<'c> {
    fn new(cx: &Lower<'c>, window: &Window<'c>, pixels: Vec<Dim<'c>>) -> Self {
        let (stride, dilation) = (window.stride.clone(), window.dilation.clone());
        let reach = |i: usize| cx.mul(Dim::Static(dilation[i]), cx.sub(window.kernel[i], Dim::Static(1)));
        let sizes = (0..pixels.len()).map(|i| cx.add(pixels[i], cx.floor_div(reach(i), Dim::Static(stride[i])))).collect();
        let residues = (0..pixels.len())
            .map(|i| match window.kernel[i].known() {
                // Taps that stand next to each other have the first residues.
                Some(kernel) if dilation[i] % stride[i] == 1 % stride[i] => Dim::Static(kernel.clamp(1, stride[i])),
                _ => Dim::Static(stride[i]),
            })
            .collect();
        Self { stride, dilation, pixels, residues, sizes, kernel: window.kernel.clone() }
    }

    fn count(&self) -> usize {
        self.pixels.len()
    }

    /// Pixels of a plane before the one at which index `i` grows.
    fn pitch(&self, cx: &Lower<'c>, i: usize) -> Dim<'c> {
        cx.product(&self.sizes[i + 1..])
    }

    /// The place in its plane of the pixel that a result's loops stand at.
    fn place(&self, body: &Body<'c>) -> Value<'c> {
        let at: Vec<_> = (0..self.count()).map(|i| body.as_number(body.index(2 + i))).collect();
        self.flat(body, &at).value
    }

    /// The place of a pixel in its plane.
    fn flat(&self, body: &Body<'c>, at: &[Number<'c>]) -> Number<'c> {
        let s = &body.s;
        let index = Type::index(s.context());
        let size = |dim: Dim<'c>| match dim {
            Dim::Static(size) => s.int(index, size),
            Dim::Dynamic(value) => body.as_number(value),
        };
        at[1..].iter().zip(&self.sizes[1..]).fold(at[0], |flat, (at, dim)| s.add(s.mul(flat, size(*dim)), *at))
    }

    /// `[n, c, residues.., pixels of a plane]`
    fn padded(&self, cx: &Lower<'c>, input: &Tensor<'c>, window: &Window<'c>) -> Tensor<'c> {
        let count = self.count();
        let one = |dim: &Dim<'c>| dim.known() == Some(1);
        let mut planes = vec![input.dims[0], input.dims[1]];
        planes.extend_from_slice(&self.residues);
        let flat = [planes.clone(), vec![cx.product(&self.sizes)]].concat();
        // Padding alone does not say it: "same" may add its only zero at the end, and a gradient may end early.
        let unpadded = window.padding.iter().all(|padding| *padding == 0) && self.stride.iter().all(|stride| *stride == 1);
        if unpadded && self.residues.iter().all(one) && self.sizes == input.dims[2..] {
            return cx.reshape(input, &flat);
        }
        let dims = [planes, self.sizes.clone()].concat();
        let sizes: Vec<_> = input.dims[2..].iter().map(|dim| cx.dim_value(*dim)).collect();
        let padded = cx.map(&dims, input.element, &[], |body, _| {
            let s = &body.s;
            let index = Type::index(s.context());
            let mut inside = s.int(Type::int(s.context(), 1), 1);
            let mut places = vec![body.index(0), body.index(1)];
            for (i, size) in sizes.iter().enumerate() {
                let pixel = body.as_number(body.index(2 + count + i));
                let pixel = if self.stride[i] == 1 { pixel } else { s.mul(pixel, s.int(index, self.stride[i])) };
                let residue = body.as_number(body.index(2 + i));
                let place = if one(&self.residues[i]) { pixel } else { s.add(pixel, residue) };
                let place = if window.padding[i] == 0 { place } else { s.sub(place, s.int(index, window.padding[i])) };
                let low = s.compare(Compare::Ge, place, s.int(index, 0));
                let high = s.compare(Compare::Lt, place, body.as_number(*size));
                inside = s.and(inside, s.and(low, high));
                places.push(place.value);
            }
            read_inside(body, input, &places, inside, s.constant(input.element, 0.0))
        });
        cx.reshape(&padded, &flat)
    }

    /// The planes of a transposed convolution: the input's pixels as far apart as its steps, zeros between them and around.
    fn spread(&self, cx: &Lower<'c>, input: &Tensor<'c>, steps: &Steps) -> Tensor<'c> {
        let count = self.count();
        let dims = [vec![input.dims[0], input.dims[1]], self.sizes.clone()].concat();
        let sizes: Vec<_> = input.dims[2..].iter().map(|dim| cx.dim_value(*dim)).collect();
        let kernel: Vec<_> = self.kernel.iter().map(|dim| cx.dim_value(*dim)).collect();
        let spread = cx.map(&dims, input.element, &[], |body, _| {
            let s = &body.s;
            let index = Type::index(s.context());
            let (zero, one) = (s.int(index, 0), s.int(index, 1));
            let mut inside = s.int(Type::int(s.context(), 1), 1);
            let mut places = vec![body.index(0), body.index(1)];
            for i in 0..count {
                // padding of the ordinary convolution: what a kernel reaches, less the padding of this one
                let reach = s.mul(s.sub(body.as_number(kernel[i]), one), s.int(index, steps.dilation[i]));
                let place = s.sub(s.add(body.as_number(body.index(2 + i)), s.int(index, steps.padding[i])), reach);
                let step = s.int(index, steps.stride[i]);
                let pixel = if steps.stride[i] == 1 { place } else { s.div(place, step) };
                let low = s.compare(Compare::Ge, place, zero);
                let high = s.compare(Compare::Lt, pixel, body.as_number(sizes[i]));
                inside = s.and(inside, s.and(low, high));
                if steps.stride[i] != 1 {
                    inside = s.and(inside, s.compare(Compare::Eq, s.rem(place, step), zero));
                }
                places.push(pixel.value);
            }
            read_inside(body, input, &places, inside, s.constant(input.element, 0.0))
        });
        let ones = vec![Dim::Static(1); count];
        cx.reshape(&spread, &[vec![input.dims[0], input.dims[1]], ones, vec![cx.product(&self.sizes)]].concat())
    }

    /// `[n, g, o, f]` in type `ty`, for all pixels up to the last one that the result has.
    fn sums(&self, cx: &Lower<'c>, padded: &Tensor<'c>, weight: &Tensor<'c>, groups: i64, ty: Type<'c>) -> Tensor<'c> {
        let count = self.count();
        if groups == 1 && self.kernel.iter().chain(&self.residues).all(|dim| dim.known() == Some(1)) {
            return self.products(cx, padded, weight, ty);
        }
        let group = Dim::Static(groups);
        let (outputs, channels) = (cx.floor_div(weight.dims[0], group), weight.dims[1]);
        let grouped = [vec![group, outputs], weight.dims[1..].to_vec()].concat();
        let weight = cx.reshape(weight, &grouped);
        let (images, planes) = (padded.dims[0], padded.dims[2..].to_vec());
        let padded = cx.reshape(padded, &[vec![images, group, channels], planes].concat());
        // The last pixel is the one before this.
        let places = (0..count).map(|i| cx.mul(cx.sub(self.pixels[i], Dim::Static(1)), self.pitch(cx, i)));
        let length = places.fold(Dim::Static(1), |length, place| cx.add(length, place));
        let length = cx.max(Dim::Static(0), length); // without pixels there is no last one
        let dims = [images, group, outputs, length];
        let reduced = [vec![channels], self.kernel.clone()].concat();
        let weight_map = [1, 2].into_iter().chain(4..5 + count).map(Ix::Loop).collect();
        let pitches: Vec<_> = (0..count).map(|i| cx.dim_value(self.pitch(cx, i))).collect();
        let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
            let s = &body.s;
            let index = Type::index(s.context());
            let mut at = vec![body.index(0), body.index(1), body.index(4)];
            let mut place = body.as_number(body.index(3));
            for (i, pitch) in pitches.iter().enumerate() {
                let tap = body.as_number(body.index(5 + i));
                let reach = if self.dilation[i] == 1 { tap } else { s.mul(tap, s.int(index, self.dilation[i])) };
                let step = s.int(index, self.stride[i]);
                let (residue, offset) =
                    if self.stride[i] == 1 { (s.int(index, 0), reach) } else { (s.rem(reach, step), s.div(reach, step)) };
                let known = self.kernel[i].known() == Some(1);
                at.push(if known { s.int(index, 0).value } else { residue.value });
                if !known {
                    place = s.add(place, s.mul(offset, body.as_number(*pitch)));
                }
            }
            at.push(place.value);
            let x = s.cast(body.extract(&padded, &at), ty);
            vec![s.add(acc[0], s.mul(s.cast(a[0], ty), x))]
        };
        let zero = Scalars::new(cx.b).constant(ty, 0.0);
        cx.reduce(&dims, &reduced, &[zero], &[Operand { tensor: weight, map: weight_map }], body).remove(0)
    }

    /// `[n, o, f]`: a kernel of one tap is a matrix product.
    fn products(&self, cx: &Lower<'c>, padded: &Tensor<'c>, weight: &Tensor<'c>, ty: Type<'c>) -> Tensor<'c> {
        let pixels = cx.product(&self.sizes);
        let padded = cx.reshape(padded, &[padded.dims[0], padded.dims[1], pixels]);
        let matrix = cx.reshape(weight, &weight.dims[..2]);
        matrix_products(cx, &matrix, [0, 1], &padded, ty)
    }
}

/// `[n, o, f] = sum_c matrix[o, c] * images[n, c, f]`; `order` says which dim of the matrix is `o`, which `c`.
fn matrix_products<'c>(cx: &Lower<'c>, matrix: &Tensor<'c>, order: [usize; 2], images: &Tensor<'c>, ty: Type<'c>) -> Tensor<'c> {
    let dims = [images.dims[0], matrix.dims[order[0]], images.dims[2]];
    let mut map = vec![Ix::Loop(1); 2];
    map[order[1]] = Ix::Loop(3);
    let operands =
        [Operand { tensor: matrix.clone(), map }, Operand { tensor: images.clone(), map: vec![Ix::Loop(0), Ix::Loop(3), Ix::Loop(2)] }];
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        vec![s.add(acc[0], s.mul(s.cast(a[0], ty), s.cast(a[1], ty)))]
    };
    cx.reduce(&dims, &[images.dims[1]], &[zero], &operands, body).remove(0)
}

/// `out[n, o, q] = bias[o] + sum_{c, k} input[n, g + c, p] * weight[g + c, o, k]` where `p * stride + k * dilation -
/// padding = q`.
fn transposed_convolution<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, weight, batched) = convolved(cx, op)?;
    let count = weight.rank() - 2;
    let (stride, padding) = (spatial(cx, op, "stride", count, 1)?, spatial(cx, op, "padding", count, 0)?);
    let (dilation, more) = (spatial(cx, op, "dilation", count, 1)?, spatial(cx, op, "output_padding", count, 0)?);
    let groups = spatial(cx, op, "groups", 1, 1)?[0].max(1);
    let shape = op.op.result(0).ty().shape();
    let known = &shape[shape.len() - count..];
    let steps = Steps { stride, padding, dilation, groups };
    let mut dims = transposed_dims(cx, &input, &weight, &steps, &more);
    // Input and result of the ordinary convolution have changed places.
    cx.check_sizes(input.dims[1], weight.dims[0]);
    cx.check_sizes(cx.mul(cx.floor_div(weight.dims[0], Dim::Static(groups)), Dim::Static(groups)), weight.dims[0]);
    for (dim, known) in dims[2..].iter_mut().zip(known).filter(|(_, known)| **known != fx_ir::DYNAMIC) {
        *dim = Dim::Static(*known);
    }
    let ty = opmath(cx.context(), op.result_element(0));
    if steps.are_apart(&weight.dims[2..], &more) {
        let sums = blocks(cx, &input, &weight, &dims, ty);
        return finish(cx, op, &sums, batched);
    }
    let sums = transposed_sums(cx, &input, &weight, &dims, &steps, ty);
    finish(cx, op, &sums, batched)
}

/// Sizes of a transposed convolution's result, `more` elements at the ends of its spatial dims.
pub(crate) fn transposed_dims<'c>(cx: &Lower<'c>, input: &Tensor<'c>, weight: &Tensor<'c>, steps: &Steps, more: &[i64]) -> Vec<Dim<'c>> {
    let size = |i: usize| {
        let strides = cx.mul(cx.sub(input.dims[2 + i], Dim::Static(1)), Dim::Static(steps.stride[i]));
        let reach = cx.mul(Dim::Static(steps.dilation[i]), cx.sub(weight.dims[2 + i], Dim::Static(1)));
        cx.add(cx.add(strides, reach), Dim::Static(more[i] + 1 - 2 * steps.padding[i]))
    };
    let channels = cx.mul(weight.dims[1], Dim::Static(steps.groups));
    [input.dims[0], channels].into_iter().chain((0..more.len()).map(size)).collect()
}

/// The sums of a transposed convolution in type `ty`, of sizes `dims`: those of an ordinary one over spread pixels.
pub(crate) fn transposed_sums<'c>(
    cx: &Lower<'c>,
    input: &Tensor<'c>,
    weight: &Tensor<'c>,
    dims: &[Dim<'c>],
    steps: &Steps,
    ty: Type<'c>,
) -> Tensor<'c> {
    let count = weight.rank() - 2;
    let window =
        Window { kernel: weight.dims[2..].to_vec(), stride: vec![1; count], padding: vec![0; count], dilation: steps.dilation.clone() };
    let planes = Planes::new(cx, &window, dims[2..].to_vec());
    let spread = planes.spread(cx, input, steps);
    let turned = turned(cx, weight, steps.groups);
    let sums = planes.sums(cx, &spread, &turned, steps.groups, ty);
    at_places(cx, &sums, dims, |body| planes.place(body))
}

/// The weight of the ordinary convolution that a transposed one is: `[o, c, k]` from `[g + c, o, K - 1 - k]`.
fn turned<'c>(cx: &Lower<'c>, weight: &Tensor<'c>, groups: i64) -> Tensor<'c> {
    let group = Dim::Static(groups);
    let (inputs, outputs) = (cx.floor_div(weight.dims[0], group), weight.dims[1]);
    let kernel = weight.dims[2..].to_vec();
    let dims = [vec![cx.mul(outputs, group), inputs], kernel.clone()].concat();
    let sizes: Vec<_> = kernel.iter().map(|dim| cx.dim_value(*dim)).collect();
    let (inputs, outputs) = (cx.dim_value(inputs), cx.dim_value(outputs));
    cx.map(&dims, weight.element, &[], |body, _| {
        let s = &body.s;
        let one = s.int(Type::index(s.context()), 1);
        let (output, outputs) = (body.as_number(body.index(0)), body.as_number(outputs));
        let (group, output) = if groups == 1 { (s.sub(one, one), output) } else { (s.div(output, outputs), s.rem(output, outputs)) };
        let channel = body.as_number(body.index(1));
        let channel = if groups == 1 { channel } else { s.add(s.mul(group, body.as_number(inputs)), channel) };
        let mut at = vec![channel.value, output.value];
        for (i, size) in sizes.iter().enumerate() {
            let tap = s.add(body.as_number(body.index(2 + i)), one);
            at.push(s.sub(body.as_number(*size), tap).value);
        }
        body.extract(weight, &at)
    })
}

/// A transposed convolution whose kernels do not overlap: each input pixel makes a block of its own.
fn blocks<'c>(cx: &Lower<'c>, input: &Tensor<'c>, weight: &Tensor<'c>, dims: &[Dim<'c>], ty: Type<'c>) -> Tensor<'c> {
    let (pixels, kernel) = (input.dims[2..].to_vec(), weight.dims[2..].to_vec());
    let images = cx.reshape(input, &[input.dims[0], input.dims[1], cx.product(&pixels)]);
    let taps = cx.product(&kernel);
    let matrix = cx.reshape(weight, &[weight.dims[0], cx.mul(weight.dims[1], taps)]);
    let sums = matrix_products(cx, &matrix, [1, 0], &images, ty);
    // [n, o, taps * pixels]: the taps of one output channel stand behind one another
    let sums = cx.reshape(&sums, &[dims[0], dims[1], cx.mul(taps, sums.dims[2])]);
    let values = |dims: &[Dim<'c>]| dims.iter().map(|dim| cx.dim_value(*dim)).collect::<Vec<_>>();
    let (pixels, kernel) = (values(&pixels), values(&kernel));
    at_places(cx, &sums, dims, |body| {
        let s = &body.s;
        let zero = s.int(Type::index(s.context()), 0);
        let at: Vec<_> = (2..dims.len()).map(|i| body.as_number(body.index(i))).collect();
        let number = |value: Value<'c>| body.as_number(value);
        let tap = at.iter().zip(&kernel).fold(zero, |flat, (at, size)| s.add(s.mul(flat, number(*size)), s.rem(*at, number(*size))));
        let start = pixels.iter().fold(tap, |flat, size| s.mul(flat, number(*size)));
        let pixel = at
            .iter()
            .zip(kernel.iter().zip(&pixels))
            .fold(zero, |flat, (at, (tap, size))| s.add(s.mul(flat, number(*size)), s.div(*at, number(*tap))));
        s.add(start, pixel).value
    })
}

/// How a convolution walks.
pub(crate) struct Steps {
    pub(crate) stride: Vec<i64>,
    pub(crate) padding: Vec<i64>,
    pub(crate) dilation: Vec<i64>,
    pub(crate) groups: i64,
}

impl Steps {
    /// Whether the steps are as long as the kernel, and nothing is cut off or added.
    fn are_apart(&self, kernel: &[Dim<'_>], more: &[i64]) -> bool {
        let tight = self.stride.iter().zip(kernel).all(|(step, size)| size.known() == Some(*step));
        let plain = self.padding.iter().chain(more).all(|size| *size == 0) && self.dilation.iter().all(|size| *size == 1);
        tight && plain && self.groups == 1
    }
}
