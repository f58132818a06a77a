//! Sampling at the points of a grid, and grids of affine maps (ATen's GridSamplerKernel.cpp, AffineGridGenerator.cpp).

use fx_ir::{Attribute, Result, Type, Value};

use crate::fx_op::{Dim, FxOp};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::derivatives;
use crate::rows::reduction::cast;
use crate::rows::resample::parts;
use crate::rows::resample::sample::{AxisTaps, Sampling, axis_taps};
use crate::rows::spatial::{always, guarded, read_inside, size_values};
use crate::scalar::{Compare, Number, Scalars, opmath};
use crate::table::{OpRow, lowered};

/// The table.
pub static ROWS: &[OpRow] = &[
    lowered("fx.grid_sampler", sample).vjp(derivatives::resample::grid_sampler).kinked(),
    lowered("fx.grid_sampler_backward", sample_backward).in_parts(parts::sample_backward).kinked(),
    lowered("fx.affine_grid_generator", affine_grid).vjp(derivatives::resample::affine_grid_generator),
    lowered("fx.affine_grid_generator_backward", affine_grid_backward).vjp(derivatives::resample::affine_grid_generator_backward),
];

/// `y[n, c, p] = sum of input[n, c, q] w(q, p)` over the elements q around point p.
fn sample<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let (input, grid) = (cx.operand(op, "input")?, cx.operand(op, "grid")?);
    let count = input.rank() - 2;
    let sampling = Sampling::of(op, count)?;
    let element = op.result_element(0);
    let ty = opmath(cx.context(), element);
    check_grid(cx, &input, &grid);
    let dims = [&input.dims[..2], &grid.dims[1..=count]].concat();
    let sizes = size_values(cx, &input.dims[2..]);
    let result = cx.map(&dims, element, &[], |body, _| {
        let s = &body.s;
        let plane = vec![body.index(0), body.index(1)];
        let point: Vec<_> = (0..count).map(|i| body.index(2 + i)).collect();
        let taps: Vec<_> = (0..count)
            .map(|axis| {
                let given = coordinate(body, &grid, plane[0], &point, axis, ty);
                let size = body.as_number(sizes[axis]);
                axis_taps(s, sampling.place(s, given, size).0, size, &sampling)
            })
            .collect();
        weighted(body, &input, &taps, plane, always(s), ty)
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Checks, at run time, that a grid has points for each image, with a coordinate per spatial dim.
fn check_grid<'c>(cx: &Lower<'c>, input: &Tensor<'c>, grid: &Tensor<'c>) {
    let count = input.rank() - 2;
    cx.check_sizes(grid.dims[0], input.dims[0]);
    cx.check_sizes(grid.dims[count + 1], Dim::Static(count as i64));
}

/// The coordinate of a point along spatial dim `axis`: coordinates come last dim first.
fn coordinate<'c>(body: &Body<'c>, grid: &Tensor<'c>, n: Value<'c>, point: &[Value<'c>], axis: usize, ty: Type<'c>) -> Number<'c> {
    let which = body.s.int(Type::index(body.s.context()), (point.len() - 1 - axis) as i64).value;
    body.s.cast(body.extract(grid, &[&[n], point, &[which]].concat()), ty)
}

/// The sum over the taps of the next axis, each of which is one over the axes after it. `at` has the indices so far,
/// which all lie inside if `inside`.
fn weighted<'c>(
    body: &Body<'c>,
    input: &Tensor<'c>,
    axes: &[AxisTaps<'c>],
    at: Vec<Value<'c>>,
    inside: Number<'c>,
    ty: Type<'c>,
) -> Number<'c> {
    let s = &body.s;
    let Some(axis) = axes.get(at.len() - 2) else { return read_inside(body, input, &at, inside, s.constant(ty, 0.0)) };
    let parts = axis.taps.iter().map(|tap| {
        let at = [&at[..], &[tap.place.value]].concat();
        s.mul(tap.weight, weighted(body, input, axes, at, s.and(inside, tap.inside), ty))
    });
    parts.reduce(|sum, part| s.add(sum, part)).unwrap_or_else(|| s.constant(ty, 0.0))
}

/// Gradients with respect to input and grid. Where points lie, and how places depend on coordinates, are computed first.
fn sample_backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let count = input.rank() - 2;
    let sampling = Sampling::of(op, count)?;
    let wanted = op.op.attribute("output_mask").and_then(Attribute::as_bools).unwrap_or_default();
    let results = op.op.results();
    for (i, result) in results.iter().enumerate() {
        if !wanted.get(i).copied().unwrap_or(false) && !result.uses().is_empty() {
            return Err(op.error("has a use of a gradient that its mask excludes"));
        }
    }
    let points = Points::of(cx, op, input, sampling)?;
    if wanted.first() == Some(&true) {
        let gradient = input_gradient(cx, op, &points)?;
        let gradient = cast(cx, &gradient, op.result_element(0));
        cx.set(results[0], gradient);
    }
    if wanted.get(1) == Some(&true) {
        let gradient = grid_gradient(cx, op, &points)?;
        cx.set(results[1], gradient);
    }
    Ok(())
}

/// The points of a grid as places in the input.
struct Points<'c> {
    input: Tensor<'c>,
    grid: Tensor<'c>,
    /// Of the grid's shape: places in elements of the input.
    places: Tensor<'c>,
    /// Sizes of the input's spatial dims.
    sizes: Vec<Value<'c>>,
    sampling: Sampling,
}

impl<'c> Points<'c> {
    fn of(cx: &Lower<'c>, op: FxOp<'c>, input: Tensor<'c>, sampling: Sampling) -> Result<Self> {
        let grid = cx.operand(op, "grid")?;
        check_grid(cx, &input, &grid);
        let points = &grid.dims[1..input.rank() - 1];
        cx.check_shape(&cx.operand(op, "grad_output")?.dims, &[&input.dims[..2], points].concat());
        let sizes = size_values(cx, &input.dims[2..]);
        let ty = opmath(cx.context(), grid.element);
        let places = cx.map(&grid.dims, ty, &[cx.broadcast(&grid, &grid.dims)], |body, a| {
            sampling.place(&body.s, body.s.cast(a[0], ty), own_size(body, &sizes)).0
        });
        Ok(Self { input, grid, places, sizes, sampling })
    }

    fn count(&self) -> usize {
        self.sizes.len()
    }

    fn ty(&self) -> Type<'c> {
        self.places.element
    }

    /// The taps along a spatial dim of the point at `point` of sample `n`.
    fn taps(&self, body: &Body<'c>, n: Value<'c>, point: &[Value<'c>], axis: usize) -> AxisTaps<'c> {
        let place = coordinate(body, &self.places, n, point, axis, self.ty());
        axis_taps(&body.s, place, body.as_number(self.sizes[axis]), &self.sampling)
    }
}

/// The size of the spatial dim that the last loop's coordinate belongs to.
fn own_size<'c>(body: &Body<'c>, sizes: &[Value<'c>]) -> Number<'c> {
    let s = &body.s;
    let which = body.as_number(body.index(sizes.len() + 1));
    let sizes: Vec<_> = sizes.iter().rev().map(|size| body.as_number(*size)).collect();
    sizes
        .iter()
        .enumerate()
        .skip(1)
        .fold(sizes[0], |chosen, (i, size)| s.select(s.compare(Compare::Eq, which, s.int(which.ty, i as i64)), *size, chosen))
}

/// Each element looks through all points for those that take from it: nothing bounds where they lie.
fn input_gradient<'c>(cx: &Lower<'c>, op: FxOp<'c>, points: &Points<'c>) -> Result<Tensor<'c>> {
    let g = cx.operand(op, "grad_output")?;
    let (count, ty, rank) = (points.count(), points.ty(), points.input.rank());
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, _: &[Number<'c>], acc: &[Number<'c>]| {
        let point: Vec<_> = (0..count).map(|i| body.index(rank + i)).collect();
        let place = (0..rank).map(|i| body.index(i)).collect();
        let search = Search { points, g: &g, place, point };
        vec![body.s.add(acc[0], search.share(body, 0, body.s.constant(ty, 1.0)))]
    };
    Ok(cx.reduce(&points.input.dims, &points.grid.dims[1..=count], &[zero], &[], body).remove(0))
}

/// What one point gives to one element of the input.
struct Search<'a, 'c> {
    points: &'a Points<'c>,
    g: &'a Tensor<'c>,
    /// Indices of the element.
    place: Vec<Value<'c>>,
    point: Vec<Value<'c>>,
}

impl<'c> Search<'_, 'c> {
    /// The share of the axes from `axis` on, times `weight`: 0 unless a tap of each meets the element.
    fn share(&self, body: &Body<'c>, axis: usize, weight: Number<'c>) -> Number<'c> {
        let s = &body.s;
        let ty = self.points.ty();
        if axis == self.points.count() {
            let at = [&self.place[..2], &self.point[..]].concat();
            return s.mul(weight, s.cast(body.extract(self.g, &at), ty));
        }
        let zero = s.constant(ty, 0.0);
        let own = body.as_number(self.place[2 + axis]);
        let taps = self.points.taps(body, self.place[0], &self.point, axis).taps;
        let meets: Vec<_> = taps.iter().map(|tap| s.and(tap.inside, s.compare(Compare::Eq, tap.place, own))).collect();
        let parts = taps.iter().zip(&meets).map(|(tap, meets)| s.select(*meets, tap.weight, zero));
        let total = parts.reduce(|sum, part| s.add(sum, part)).unwrap_or(zero);
        let any = meets.into_iter().reduce(|any, meets| s.or(any, meets)).unwrap_or_else(|| always(s));
        guarded(body, any, zero, |inner| self.share(inner, axis + 1, inner.s.mul(weight, total)))
    }
}

/// `sum_c g[n, c, p] * d y[n, c, p] / d place`, times `d place / d coordinate`; 0 for nearest elements.
fn grid_gradient<'c>(cx: &Lower<'c>, op: FxOp<'c>, points: &Points<'c>) -> Result<Tensor<'c>> {
    let g = cx.operand(op, "grad_output")?;
    let (element, ty, dims, count) = (op.result_element(1), points.ty(), &points.grid.dims, points.count());
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    if points.sampling.is_nearest() {
        return Ok(cx.fill(dims, Scalars::new(cx.b).constant(element, 0.0)));
    }
    let channel = dims.len();
    let map = [vec![Ix::Loop(0), Ix::Loop(channel)], (1..=count).map(Ix::Loop).collect()].concat();
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let point: Vec<_> = (0..count).map(|i| body.index(1 + i)).collect();
        let which = body.as_number(body.index(count + 1));
        let axes: Vec<_> = (0..count)
            .map(|axis| {
                let own = s.compare(Compare::Eq, which, s.int(which.ty, (count - 1 - axis) as i64));
                points.taps(body, body.index(0), &point, axis).sloped(s, own)
            })
            .collect();
        let slope = weighted(body, &points.input, &axes, vec![body.index(0), body.index(channel)], always(s), ty);
        vec![s.add(acc[0], s.mul(s.cast(a[0], ty), slope))]
    };
    let slopes = cx.reduce(dims, &points.input.dims[1..2], &[zero], &[Operand { tensor: g, map }], body).remove(0);
    let operands = [cx.broadcast(&points.grid, dims), cx.broadcast(&slopes, dims)];
    Ok(cx.map(dims, element, &operands, |body, a| {
        let s = &body.s;
        let size = own_size(body, &points.sizes);
        s.mul(points.sampling.place(s, s.cast(a[0], ty), size).1, a[1])
    }))
}

/// The spatial sizes of an affine grid, those of `size` after batch and channels.
fn grid_sizes<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Vec<Dim<'c>> {
    cx.sizes(op, "size").get(2..).unwrap_or_default().to_vec()
}

/// `y[n, p, i] = sum_j theta[n, i, j] * base[p, j]`
fn affine_grid<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let theta = cx.operand(op, "theta")?;
    let spatial = grid_sizes(cx, op);
    let (count, element, aligned) = (spatial.len(), op.result_element(0), op.op.flag("align_corners"));
    let ty = opmath(cx.context(), element);
    let sizes = size_values(cx, &spatial);
    let rows = Dim::Static(count as i64);
    cx.check_shape(&theta.dims, &[cx.sizes(op, "size")[0], rows, Dim::Static(count as i64 + 1)]);
    let dims = [&theta.dims[..1], &spatial[..], &[rows]].concat();
    let result = cx.map(&dims, element, &[], |body, _| {
        let s = &body.s;
        let (n, i) = (body.index(0), body.index(count + 1));
        let parts = (0..=count).map(|j| {
            let factor = s.cast(body.extract(&theta, &[n, i, s.int(Type::index(s.context()), j as i64).value]), ty);
            let point = |axis: usize| body.as_number(body.index(1 + axis));
            base(body, &sizes, j, point, element, aligned).map_or(factor, |base| s.mul(base, factor))
        });
        let sum = parts.reduce(|sum, part| s.add(sum, part));
        sum.unwrap_or_else(|| s.constant(ty, 0.0))
    });
    cx.set(op.op.result(0), result);
    Ok(())
}

/// `y[n, i, j] = sum_p grad[n, p, i] * base[p, j]`
fn affine_grid_backward<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let grad = cx.operand(op, "grad")?;
    let spatial = grid_sizes(cx, op);
    let (count, element, aligned) = (spatial.len(), op.result_element(0), op.op.flag("align_corners"));
    let ty = opmath(cx.context(), element);
    cx.check_sizes(grad.dims[0], cx.sizes(op, "size")[0]);
    let sizes = size_values(cx, &spatial);
    // The points of the regular grid, per coordinate, rounded as ATen's are.
    let mut bases = Vec::new();
    for axis in 0..count {
        bases.push(cx.map(&spatial[axis..=axis], ty, &[], |body, _| {
            let point = |_: usize| body.as_number(body.index(0));
            base(body, &sizes, count - 1 - axis, point, element, aligned).unwrap_or_else(|| body.s.constant(ty, 1.0))
        }));
    }
    let dims = [grad.dims[0], Dim::Static(count as i64), Dim::Static(count as i64 + 1)];
    let mut operands =
        vec![Operand { tensor: grad, map: [vec![Ix::Loop(0)], (3..3 + count).map(Ix::Loop).collect(), vec![Ix::Loop(1)]].concat() }];
    operands.extend(bases.into_iter().enumerate().map(|(axis, tensor)| Operand { tensor, map: vec![Ix::Loop(3 + axis)] }));
    let zero = Scalars::new(cx.b).constant(ty, 0.0);
    let body = |body: &Body<'c>, a: &[Number<'c>], acc: &[Number<'c>]| {
        let s = &body.s;
        let j = body.as_number(body.index(2));
        let one = s.constant(ty, 1.0);
        let base = a[1..]
            .iter()
            .rev()
            .enumerate()
            .fold(one, |chosen, (k, base)| s.select(s.compare(Compare::Eq, j, s.int(j.ty, k as i64)), *base, chosen));
        vec![s.add(acc[0], s.mul(s.cast(a[0], ty), base))]
    };
    let sum = cx.reduce(&dims, &spatial, &[zero], &operands, body).remove(0);
    let result = cast(cx, &sum, element);
    cx.set(op.op.result(0), result);
    Ok(())
}

/// Homogeneous coordinate `j` of a point of the regular grid: evenly spaced in [-1, 1], computed from the nearer end,
/// which are centres if `aligned`, else edges. None is 1. Each step rounds to type `element`, as ATen's does.
fn base<'c>(
    body: &Body<'c>,
    sizes: &[Value<'c>],
    j: usize,
    point: impl Fn(usize) -> Number<'c>,
    element: Type<'c>,
    aligned: bool,
) -> Option<Number<'c>> {
    let s = &body.s;
    let axis = sizes.len().checked_sub(j + 1)?;
    let ty = opmath(s.context(), element);
    let rounded = |x: Number<'c>| s.cast(s.cast(x, element), ty);
    let (i, size) = (point(axis), body.as_number(sizes[axis]));
    let one = s.int(size.ty, 1);
    let (steps, c) = (s.sub(size, one), |value: f64| s.constant(ty, value));
    let step = s.div(c(2.0), s.cast(s.max(steps, one), ty));
    let low = s.add(c(-1.0), s.mul(step, s.cast(i, ty)));
    let high = s.sub(c(1.0), s.mul(step, s.cast(s.sub(steps, i), ty)));
    let near = s.compare(Compare::Lt, i, s.div(size, s.int(size.ty, 2)));
    let mut x = rounded(s.select(near, low, high));
    if !aligned {
        x = rounded(s.div(rounded(s.mul(x, s.cast(steps, ty))), s.cast(size, ty)));
    }
    Some(s.select(s.compare(Compare::Gt, size, one), x, c(0.0)))
}
