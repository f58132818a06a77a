//! Sorting, selection, counting and distinct elements: functions on the host (`fx-library`), but where kernels sort
//! (`in_kernels.rs`).

use fx_ir::{Attribute, Result, Type, Value};

use crate::batching;
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Lower, Tensor};
use crate::rows::derivatives;
use crate::table::{OpRow, lowered};

mod in_kernels;

pub use in_kernels::LONGEST_SORTED_ROW;
use in_kernels::Part;

/// The table.
pub static ROWS: &[OpRow] = &[
    // Sorting
    lowered("fx.sort", |cx, op| {
        let (values, indices) = sorted(cx, op)?;
        cx.set(op.op.result(0), values);
        cx.set(op.op.result(1), indices);
        Ok(())
    })
    .batched(batching::along)
    .vjp(derivatives::order::along_dim)
    .kinked(),
    lowered("fx.argsort", |cx, op| {
        let (_, indices) = sorted(cx, op)?;
        cx.set(op.op.result(0), indices);
        Ok(())
    })
    .batched(batching::along)
    .constant("its results are integers"),
    lowered("fx.topk", topk).vjp(derivatives::order::along_dim).kinked(),
    // One element per row
    lowered("fx.kthvalue", kthvalue).vjp(derivatives::order::along_dim).kinked(),
    lowered("fx.median_dim", |cx, op| median_of_rows(cx, op, false)).vjp(derivatives::order::along_dim).kinked(),
    lowered("fx.nanmedian_dim", |cx, op| median_of_rows(cx, op, true)).vjp(derivatives::order::along_dim).kinked(),
    lowered("fx.mode", |cx, op| select(cx, op, "fx::mode", &[], |_, _, _| None)).vjp(derivatives::order::along_dim).kinked(),
    lowered("fx.median", |cx, op| median_of_all(cx, op, false)).vjp(derivatives::reduction::median).kinked(),
    lowered("fx.nanmedian", |cx, op| median_of_all(cx, op, true)).vjp(derivatives::reduction::median).kinked(),
    // Counting
    lowered("fx.bincount", bincount).constant("PyTorch takes its weights for constants"),
    lowered("fx.histc", histc).constant("it counts, so it changes in jumps"),
    lowered("fx.histogram", histogram).constant("it counts, so it changes in jumps"),
    lowered("fx.histogramdd_bin_edges", |cx, op| {
        let input = cx.operand(op, "input")?;
        weight(cx, op, &input)?;
        let results = edges(op, op.op.ints("bins").unwrap_or_default(), input.element);
        let attributes = Some(bins(cx, op));
        cx.host_op(op, "fx::bin_edges", &[input], HostArguments { scalars: &[], attributes }, &results);
        Ok(())
    })
    .constant("it counts, so it changes in jumps"),
    lowered("fx.histogramdd_from_bin_cts", |cx, op| {
        let bins = op.op.ints("bins").unwrap_or_default();
        let dims: Vec<_> = bins.iter().map(|count| Dim::Static(*count)).collect();
        boxes(cx, op, &[], &dims)
    })
    .constant("it counts, so it changes in jumps"),
    lowered("fx.histogramdd_from_bin_tensors", |cx, op| {
        let edges = op.list("bins").into_iter().map(|value| cx.tensor(value)).collect::<Result<Vec<_>>>()?;
        let dims: Vec<_> = edges.iter().map(|edges| cx.sub(edges.dims[0], Dim::Static(1))).collect();
        boxes(cx, op, &edges, &dims)
    })
    .constant("it counts, so it changes in jumps"),
    lowered("fx.segment_reduce", segment_reduce).vjp(derivatives::order::segment_reduce).kinked(),
    // Distinct elements
    lowered("fx.unique2", |cx, op| unique(cx, op, false)).refused("PyTorch has none either"),
    lowered("fx.unique_consecutive", |cx, op| match op.op.int("dim") {
        Some(dim) => unique_dim(cx, op, dim, true),
        None => unique(cx, op, true),
    })
    .refused("PyTorch has none either"),
    lowered("fx.unique_dim", |cx, op| unique_dim(cx, op, op.int("dim")?, false)).refused("PyTorch has none either"),
];

fn i64_type<'c>(cx: &Lower<'c>) -> Type<'c> {
    Type::int(cx.context(), 64)
}

/// The dim that an op works along; the last if it names none.
fn along<'c>(op: FxOp<'c>, input: &Tensor<'c>) -> Result<usize> {
    op.normalize(op.op.int("dim").unwrap_or(-1), input.rank())
}

/// Values and indices of these sizes.
fn values_and_indices<'c>(cx: &Lower<'c>, input: &Tensor<'c>, dims: &[Dim<'c>]) -> [HostResult<'c>; 2] {
    [HostResult::sized(dims, input.element), HostResult::sized(dims, i64_type(cx))]
}

fn sorted<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result<(Tensor<'c>, Tensor<'c>)> {
    let input = cx.operand(op, "input")?;
    let (dim, descending) = (along(op, &input)?, op.op.flag("descending"));
    let length = input.dims.get(dim).and_then(|length| length.known());
    let by_kernel = length.and_then(|count| in_kernels::sorted(cx, &input, dim, Part { descending, from: 0, count }));
    if let Some([values, indices]) = by_kernel {
        return Ok((values, indices));
    }
    let scalars = [cx.int_argument(dim as i64), cx.flag_argument(descending)];
    let results = values_and_indices(cx, &input, &input.dims);
    let mut sorted = cx.host("fx::sort", &[input], HostArguments::scalars(&scalars), &results);
    let indices = sorted.remove(1);
    Ok((sorted.remove(0), indices))
}

fn topk<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = along(op, &input)?;
    let k = cx.sizes(op, "k").first().copied().unwrap_or(Dim::Static(1));
    let mut dims = input.dims.clone();
    if let Some(size) = dims.get_mut(dim) {
        *size = k;
    }
    let flag = |name: &str| op.op.attribute(name).and_then(Attribute::as_bool).unwrap_or(true);
    let part = k.known().map(|count| Part { descending: flag("largest"), from: 0, count });
    if let Some(results) = part.and_then(|part| in_kernels::selected(cx, &input, dim, part)) {
        set_both(cx, op, results);
        return Ok(());
    }
    let flags = ["largest", "sorted"].map(|name| cx.flag_argument(flag(name)));
    let scalars = [cx.int_argument(dim as i64), cx.dim_value(k), flags[0], flags[1]];
    let results = values_and_indices(cx, &input, &dims);
    cx.host_op(op, "fx::topk", &[input], HostArguments::scalars(&scalars), &results);
    Ok(())
}

/// Values and indices are an op's first results.
fn set_both<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, results: [Tensor<'c>; 2]) {
    op.op.results().into_iter().zip(results).for_each(|(result, tensor)| cx.set(result, tensor));
}

fn kthvalue<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let k = cx.sizes(op, "k").first().copied().unwrap_or(Dim::Static(1));
    let more = cx.dim_value(k);
    select(cx, op, "fx::kthvalue", &[more], |cx, input, dim| {
        in_kernels::selected(cx, input, dim, Part { descending: false, from: k.known()?.checked_sub(1)?, count: 1 })
    })
}

fn median_of_rows<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, skip_nan: bool) -> Result {
    let flags = [skip_nan, false].map(|flag| cx.flag_argument(flag));
    select(cx, op, "fx::median", &flags, |cx, input, dim| in_kernels::median(cx, input, dim, skip_nan))
}

/// One element per row along the op's dim, which stays as size 1 if it is kept: by `by_kernel`, whose results keep it, or else
/// by function `name` of the host.
fn select<'c>(
    cx: &mut Lower<'c>,
    op: FxOp<'c>,
    name: &str,
    more: &[Value<'c>],
    by_kernel: impl FnOnce(&Lower<'c>, &Tensor<'c>, usize) -> Option<[Tensor<'c>; 2]>,
) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = along(op, &input)?;
    let mut dims = input.dims.clone();
    if dim < dims.len() {
        dims[dim] = Dim::Static(1);
        if !op.op.flag("keepdim") {
            dims.remove(dim);
        }
    }
    if let Some(results) = by_kernel(cx, &input, dim) {
        let results = results.map(|tensor| cx.reshape(&tensor, &dims));
        set_both(cx, op, results);
        return Ok(());
    }
    let scalars = [&[cx.int_argument(dim as i64)], more].concat();
    let results = values_and_indices(cx, &input, &dims);
    cx.host_op(op, name, &[input], HostArguments::scalars(&scalars), &results);
    Ok(())
}

fn median_of_all<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, skip_nan: bool) -> Result {
    let input = cx.operand(op, "input")?;
    let flat = cx.reshape(&input, &[cx.product(&input.dims)]);
    if let Some(results) = in_kernels::median(cx, &flat, 0, skip_nan) {
        let results = results.map(|tensor| cx.reshape(&tensor, &[]));
        set_both(cx, op, results);
        return Ok(());
    }
    let scalars = [cx.int_argument(0), cx.flag_argument(skip_nan), cx.flag_argument(true)];
    let results = values_and_indices(cx, &flat, &[]);
    cx.host_op(op, "fx::median", &[flat], HostArguments::scalars(&scalars), &results);
    Ok(())
}

fn bincount<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let mut tensors = vec![cx.operand(op, "input")?];
    if let Some(weights) = op.optional("weights") {
        tensors.push(cx.tensor(weights)?);
    }
    let minlength = cx.sizes(op, "minlength").first().copied().unwrap_or(Dim::Static(0));
    let scalars = [cx.dim_value(minlength)];
    cx.host_op(op, "fx::bincount", &tensors, HostArguments::scalars(&scalars), &[HostResult::vector(op.result_element(0))]);
    Ok(())
}

fn histc<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let input = cx.operand(op, "input")?;
    let bins = op.op.int("bins").unwrap_or(100);
    let bound = |name: &str| cx.float_argument(op.op.float(name).unwrap_or(0.0));
    let scalars = [cx.int_argument(bins), bound("min"), bound("max")];
    let result = HostResult::sized(&[Dim::Static(bins)], input.element);
    cx.host_op(op, "fx::histc", &[input], HostArguments::scalars(&scalars), &[result]);
    Ok(())
}

/// The attributes `bins` (a number per coordinate) and `range` (a pair per coordinate, if given).
fn bins<'c>(cx: &Lower<'c>, op: FxOp<'c>) -> Attribute<'c> {
    let context = cx.context();
    let counts = op.op.ints("bins").unwrap_or_else(|| vec![op.op.int("bins").unwrap_or(100)]);
    let counts: Vec<_> = counts.into_iter().map(|count| Attribute::i64(context, count)).collect();
    let mut entries = vec![("bins", Attribute::array(context, &counts))];
    if let Some(range) = op.op.attribute("range").and_then(Attribute::as_f64s) {
        let bounds: Vec<_> = range.into_iter().map(|bound| Attribute::float(context, Type::f64(context), bound)).collect();
        entries.push(("range", Attribute::array(context, &bounds)));
    }
    Attribute::dictionary(context, &entries)
}

/// One list of edges per number of bins.
fn edges<'c>(_: FxOp<'c>, bins: Vec<i64>, element: Type<'c>) -> Vec<HostResult<'c>> {
    bins.into_iter().map(|count| HostResult::sized(&[Dim::Static(count.saturating_add(1))], element)).collect()
}

fn histogram<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let Some(given) = op.optional("edges") else {
        let count = op.op.int("bins").unwrap_or(100);
        return boxes(cx, op, &[], &[Dim::Static(count)]);
    };
    let given = cx.tensor(given)?;
    cx.set(op.op.result(1), given.clone());
    let bins = cx.sub(given.dims[0], Dim::Static(1));
    boxes(cx, op, &[given], &[bins])
}

/// The weights of points, one for each.
fn weight<'c>(cx: &Lower<'c>, op: FxOp<'c>, points: &Tensor<'c>) -> Result<Option<Tensor<'c>>> {
    let weight = op.optional("weight").map(|weight| cx.tensor(weight)).transpose()?;
    if let Some(weight) = &weight {
        cx.check_shape(&weight.dims, &points.dims);
    }
    Ok(weight)
}

/// Calls the histogram of points with given edges, or with equal bins whose edges are further results.
fn boxes<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, given: &[Tensor<'c>], dims: &[Dim<'c>]) -> Result {
    let input = cx.operand(op, "input")?;
    let element = input.element;
    let mut tensors = vec![input];
    tensors.extend_from_slice(given);
    let weight = weight(cx, op, &tensors[0])?;
    let scalars = [cx.flag_argument(weight.is_some()), cx.flag_argument(op.op.flag("density"))];
    tensors.extend(weight);
    let mut results = vec![HostResult::sized(dims, element)];
    let mut attributes = None;
    if given.is_empty() {
        attributes = Some(bins(cx, op));
        let counts = dims.iter().filter_map(|dim| dim.known()).collect();
        results.extend(edges(op, counts, element));
        results.truncate(op.op.results().len());
    }
    cx.host_op(op, "fx::histogram", &tensors, HostArguments { scalars: &scalars, attributes }, &results);
    Ok(())
}

fn segment_reduce<'c>(cx: &mut Lower<'c>, op: FxOp<'c>) -> Result {
    let data = cx.operand(op, "data")?;
    let axis = op.normalize(op.op.int("axis").unwrap_or(0), data.rank())?;
    let (between, lengths) = (op.optional("offsets"), op.optional("lengths"));
    let Some(segments) = between.or(lengths) else { return Err(op.error("needs lengths or offsets")) };
    let segments = cx.tensor(segments)?;
    let mut dims = data.dims.clone();
    let count = segments.dims.last().copied().unwrap_or(Dim::Static(0));
    dims[axis] = if between.is_some() { cx.sub(count, Dim::Static(1)) } else { count };
    let initial = op.op.float("initial");
    let scalars = [
        cx.int_argument(axis as i64),
        cx.flag_argument(between.is_some()),
        cx.flag_argument(op.op.flag("unsafe")),
        cx.flag_argument(initial.is_some()),
        cx.float_argument(initial.unwrap_or(0.0)),
    ];
    let context = cx.context();
    let reduce = Attribute::string(context, op.op.text("reduce").unwrap_or_default());
    let attributes = Some(Attribute::dictionary(context, &[("reduce", reduce)]));
    let result = HostResult::sized(&dims, data.element);
    cx.host_op(op, "fx::segment_reduce", &[data, segments], HostArguments { scalars: &scalars, attributes }, &[result]);
    Ok(())
}

/// The three results of an op that finds distinct elements; output and counts share a size.
fn set_unique<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, mut found: Vec<Tensor<'c>>, counts: Option<usize>) {
    if let (Some(dim), [output, _, counts]) = (counts, found.as_mut_slice()) {
        counts.dims[0] = output.dims[dim];
    }
    for (result, tensor) in op.op.results().into_iter().zip(found) {
        cx.set(result, tensor);
    }
}

fn unique<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, consecutive: bool) -> Result {
    let input = cx.operand(op, "input")?;
    let (inverse, counts) = (op.op.flag("return_inverse"), op.op.flag("return_counts"));
    let empty = [Dim::Static(0)];
    let index = i64_type(cx);
    let results = [
        HostResult::vector(input.element),
        HostResult::sized(if inverse { &input.dims } else { &empty }, index),
        if counts { HostResult::vector(index) } else { HostResult::sized(&empty, index) },
    ];
    let scalars = [consecutive, inverse, counts].map(|flag| cx.flag_argument(flag));
    let found = cx.host("fx::unique", &[input], HostArguments::scalars(&scalars), &results);
    set_unique(cx, op, found, counts.then_some(0));
    Ok(())
}

fn unique_dim<'c>(cx: &mut Lower<'c>, op: FxOp<'c>, dim: i64, consecutive: bool) -> Result {
    let input = cx.operand(op, "input")?;
    let dim = op.normalize(dim, input.rank())?;
    let mut slices: Vec<_> = input.dims.iter().copied().map(Some).collect();
    match slices.get_mut(dim) {
        Some(size) => *size = None,
        None => slices = vec![None],
    }
    let count = input.dims.get(dim).copied().unwrap_or(Dim::Static(1));
    let index = i64_type(cx);
    let results = [HostResult { dims: slices, element: input.element }, HostResult::sized(&[count], index), HostResult::vector(index)];
    let scalars = [cx.int_argument(dim as i64), cx.flag_argument(consecutive)];
    let found = cx.host("fx::unique_dim", &[input], HostArguments::scalars(&scalars), &results);
    set_unique(cx, op, found, Some(dim));
    Ok(())
}
