//! Convolutions that read their input where it lies, zeros outside of it.
//!
//! ```text
//! sums[n, o, q..] = sum_{c, k..} weight[o, c, k..] * input[n, g c + c, q * stride + k * dilation - padding]
//! ```
//!
//! Where a group has few channels, each element that is read serves few sums: a padded copy of the whole input would cost as
//! much as they do. A kernel copies what one channel needs into its cache.

use fx_ir::{Type, Value};

use crate::fx_op::Dim;
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::spatial::{Window, read_inside};
use crate::scalar::{Compare, Number, Scalars};

/// Most channels of a group, of inputs or of results: of the other ones there is one. With more, results that share an input are
/// worth a tile of a product.
const MOST_CHANNELS: i64 = 4;
/// Pixels of an image below which a copy is worth it only for padding, and then is one anyway.
const FEWEST_PIXELS: i64 = 16;
/// Most taps of a kernel, over all dims.
const MOST_TAPS: i64 = 256;

/// Sizes that are known.
struct Sizes {
    /// Channels of a group: of the input, and of the result.
    channels: [i64; 2],
    /// Spatial sizes of the input, of the kernel, and of the result.
    input: Vec<i64>,
    kernel: Vec<i64>,
    pixels: Vec<i64>,
}

impl Sizes {
    /// All sizes but that of the batch; none if one is not known.
    fn of(input: &Tensor<'_>, weight: &Tensor<'_>, pixels: &[Dim<'_>], groups: i64) -> Option<Self> {
        let known = |dims: &[Dim<'_>]| dims.iter().map(|dim| dim.known()).collect::<Option<Vec<_>>>();
        let (weight, input) = (known(&weight.dims)?, known(&input.dims[1..])?);
        if input[0] != weight[1] * groups || weight[0] % groups != 0 {
            return None; // a check of sizes says so
        }
        Some(Self {
            channels: [weight[1], weight[0] / groups],
            input: input[1..].to_vec(),
            kernel: weight[2..].to_vec(),
            pixels: known(pixels)?,
        })
    }

    fn fit(&self, window: &Window<'_>) -> bool {
        let product = |sizes: &[i64]| sizes.iter().fold(1i64, |product, size| product.saturating_mul(*size));
        let few = self.channels.contains(&1) && (1..=MOST_CHANNELS).contains(&product(&self.channels));
        let padded = window.padding.iter().any(|padding| *padding > 0);
        few && (2..=MOST_TAPS).contains(&product(&self.kernel)) && (padded || product(&self.pixels) >= FEWEST_PIXELS)
    }
}

/// The sums in type `ty`, `[n, o, q..]`, if windows of the input are better read than copies of it.
pub(super) fn sums<'c>(
    cx: &Lower<'c>,
    input: &Tensor<'c>,
    weight: &Tensor<'c>,
    pixels: &[Dim<'c>],
    window: &Window<'c>,
    groups: i64,
    ty: Type<'c>,
) -> Option<Tensor<'c>> {
    let sizes = Sizes::of(input, weight, pixels, groups).filter(|sizes| cx.pad_in_kernels && ty.is_float() && sizes.fit(window))?;
    let rank = 2 + pixels.len();
    let dims = [vec![input.dims[0], weight.dims[0]], pixels.to_vec()].concat();
    // weight[o, c, k..]
    let map = [1].into_iter().chain(rank..rank + weight.rank() - 1).map(Ix::Loop).collect();
    let operands = [Operand { tensor: weight.clone(), map }];
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let mut places = vec![body.index(0), channel(body, &sizes, groups, body.index(rank))];
        let mut inside: Option<Number<'c>> = None;
        for i in 0..pixels.len() {
            let (place, here) = place(body, &sizes, window, i, [body.index(2 + i), body.index(rank + 1 + i)]);
            places.push(place);
            inside = match (inside, here) {
                (Some(all), Some(here)) => Some(s.and(all, here)),
                (all, here) => all.or(here),
            };
        }
        let x = match inside {
            Some(inside) => read_inside(body, input, &places, inside, s.constant(input.element, 0.0)),
            None => body.extract(input, &places),
        };
        vec![s.add(acc[0], s.mul(s.cast(a[0], ty), s.cast(x, ty)))]
    };
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    Some(cx.reduce(&dims, &weight.dims[1..], &[zero], &operands, body).remove(0))
}

/// The channel of the input that the `of_group`-th one of a result's group is: loop 1 is the result's channel.
fn channel<'c>(body: &Body<'c>, sizes: &Sizes, groups: i64, of_group: Value<'c>) -> Value<'c> {
    let s = &body.s;
    let [inputs, results] = sizes.channels;
    let number = |size: i64| s.int(Type::index(s.context()), size);
    if groups == 1 {
        return of_group;
    }
    let output = body.as_number(body.index(1));
    let group = if results == 1 { output } else { s.div(output, number(results)) };
    if inputs == 1 { group.value } else { s.add(s.mul(group, number(inputs)), body.as_number(of_group)).value }
}

/// The place in dim `i` of the input that tap `tap` of the window at `pixel` has, and whether it is inside (none: always).
fn place<'c>(
    body: &Body<'c>,
    sizes: &Sizes,
    window: &Window<'c>,
    i: usize,
    [pixel, tap]: [Value<'c>; 2],
) -> (Value<'c>, Option<Number<'c>>) {
    let s = &body.s;
    let number = |size: i64| s.int(Type::index(s.context()), size);
    let (stride, dilation, padding) = (window.stride[i], window.dilation[i], window.padding[i]);
    let times =
        |value: Value<'c>, factor: i64| if factor == 1 { body.as_number(value) } else { s.mul(body.as_number(value), number(factor)) };
    let mut place = s.add(times(pixel, stride), times(tap, dilation));
    if padding != 0 {
        place = s.sub(place, number(padding));
    }
    let last = (sizes.pixels[i] - 1) * stride + (sizes.kernel[i] - 1) * dilation - padding;
    let low = (padding > 0).then(|| s.compare(Compare::Ge, place, number(0)));
    let high = (last >= sizes.input[i]).then(|| s.compare(Compare::Lt, place, number(sizes.input[i])));
    let inside = match (low, high) {
        (Some(low), Some(high)) => Some(s.and(low, high)),
        (low, high) => low.or(high),
    };
    (place.value, inside)
}
