//! A kernel as a CPU function: `kernel(memrefs.., scalars.., lo, hi)` runs iterations `lo..hi` of its outer loop.
//!
//! Needs     a kernel function of phase `kernels`.
//! Gives     a `func.func` on flat memrefs and scalars, and its [`Extent`].
//!
//! Without row reductions the outer loop runs over all elements, or over rows where elements need to know their indices.
//! With them it runs over rows: first each reduction of the row, then the elements. A row that scans run along is walked once.

use fx_ir::{Attribute, Builder, Op, Result, Type, Value};

use crate::contract_cpu;
use crate::cpu::Features;
use crate::eval::{Argument, Eval, Memory};
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};
use crate::scan::Scan;
use crate::stash::Stash;

mod ahead;
mod scans;

use ahead::Ahead;

/// How many pieces a size is cut into: `ceil(size / per)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The size.
    pub size: Size,
    /// Elements of a piece.
    pub per: i64,
}

/// How often a kernel's outer loop runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// The product of these counts.
    pub sizes: Vec<Count>,
    /// Iterations below which a thread is not worth waking.
    pub grain: i64,
    /// Most pieces for each thread.
    pub pieces: i64,
}

impl Extent {
    /// Iterations that need nothing in common: uneven threads can share them.
    pub fn new(sizes: Vec<Count>, grain: i64) -> Self {
        Self { sizes, grain, pieces: PIECES }
    }
}

/// Pieces for each thread, so that uneven threads share the work.
const PIECES: i64 = 4;

/// Element operations that are worth waking a thread for (about 5 us).
const WORK_PER_THREAD: i64 = 32 * 1024;
/// Inner loops shorter than this cost more than the division that they save.
const SHORTEST_INNER_LOOP: i64 = 8;
/// What an unknown size counts as in estimates.
const TYPICAL_SIZE: i64 = 64;

/// Emits `kernel` at `b` under its own name, for a processor that has `features`.
///
/// # Errors
/// If the kernel holds what kernels cannot hold: reported.
pub fn emit<'c>(b: Builder<'c>, kernel: &Kernel<'c>, features: Features) -> Result<(Op<'c>, Extent)> {
    let context = b.context();
    let b = b.located(kernel.op.location());
    let index = Type::index(context);
    let mut types = parameter_types(kernel, context);
    types.extend([index, index]);
    let function = b.function(kernel.name, &types, &[], &[]);
    let Some(block) = function.body(0) else { return Err(crate::internal(kernel.op, "a function without a body")) };
    let parameters = block.arguments();
    let inside = b.inside(block);
    let (lo, hi) = (parameters[types.len() - 2], parameters[types.len() - 1]);
    let (arguments, mut outputs, records) = bind(&inside, kernel, &parameters);
    let mut eval = Eval::new(inside, kernel, &arguments);
    outputs.iter_mut().for_each(|memory| eval.share_sizes(memory));
    (eval.reorder, eval.contract) = (true, true);
    eval.keyed_extrema = true;
    eval.unroll = true;
    let scans = Scan::all(kernel);
    let extent = match contract_cpu::emit(&mut eval, kernel, &outputs, (lo, hi), features)? {
        Some(extent) => {
            function.set_attribute(contract_cpu::TILED, Attribute::unit(context));
            extent
        }
        None if !scans.is_empty() => scans::rows(&mut eval, kernel, &scans, &outputs, [lo, hi])?,
        None if kernel.has_rows() => rows(&mut eval, kernel, &outputs, lo, hi)?,
        None => map(&mut eval, kernel, &outputs, lo, hi)?,
    };
    eval.write_records(records)?;
    eval.b.op("func.return", &[], &[], &[]);
    Ok((function, extent))
}

/// Types of a kernel's parameters: records of its checks if it has any, arguments, then results; tensors are flat memrefs
/// of one element, whose true size the code knows.
pub fn parameter_types<'c>(kernel: &Kernel<'c>, context: &'c fx_ir::Context) -> Vec<Type<'c>> {
    let flat = |element: Type<'c>| Type::memref(&[1], Kernel::memory_type(element, context), None);
    let records = (!kernel.checks.is_empty()).then(|| flat(Type::int(context, 64)));
    let values = kernel.body.arguments().into_iter().chain(kernel.results());
    let values = values.map(|value| if value.ty().is_tensor() { flat(value.ty().element()) } else { value.ty() });
    records.into_iter().chain(values).collect()
}

/// Stand-ins for the kernel's arguments, memory of its results, memory of its checks' records.
pub type Bound<'c> = (Vec<Argument<'c>>, Vec<Memory<'c>>, Option<Value<'c>>);

/// What the parameters stand for.
pub fn bind<'c>(b: &Builder<'c>, kernel: &Kernel<'c>, parameters: &[Value<'c>]) -> Bound<'c> {
    let (records, parameters) = parameters.split_at(usize::from(!kernel.checks.is_empty()));
    let count = kernel.argument_dims.len();
    let size = |size: &Size| match size {
        Size::Known(size) => b.index(*size),
        Size::Argument(index) => parameters[*index],
    };
    let memory = |parameter: Value<'c>, dims: &[Size], element: Type<'c>| {
        let dims: Vec<_> = dims.iter().map(size).collect();
        Memory { memref: flat_view(b, parameter), dims, element }
    };
    let arguments = kernel
        .body
        .arguments()
        .into_iter()
        .zip(&kernel.argument_dims)
        .zip(parameters)
        .map(|((value, dims), parameter)| {
            if value.ty().is_tensor() {
                Argument::Memory(memory(*parameter, dims, value.ty().element()))
            } else {
                Argument::Scalar(*parameter)
            }
        })
        .collect();
    let outputs = kernel
        .results()
        .into_iter()
        .zip(&kernel.result_dims)
        .zip(&parameters[count..])
        .map(|((value, dims), parameter)| memory(*parameter, dims, value.ty().element()))
        .collect();
    (arguments, outputs, records.first().map(|records| flat_view(b, *records)))
}

/// The memory behind a parameter as a 1-D memref without a bound.
fn flat_view<'c>(b: &Builder<'c>, parameter: Value<'c>) -> Value<'c> {
    let context = b.context();
    let ty = Type::memref(&[fx_ir::DYNAMIC], parameter.ty().element(), None);
    let bound = b.index(i64::MAX);
    b.value(
        "memref.reinterpret_cast",
        &[parameter, bound],
        ty,
        &[
            ("static_offsets", Attribute::i64s(context, &[0])),
            ("static_sizes", Attribute::i64s(context, &[fx_ir::DYNAMIC])),
            ("static_strides", Attribute::i64s(context, &[1])),
            ("operandSegmentSizes", Attribute::i32s(context, &[1, 0, 1, 0])),
        ],
    )
}

fn counts(sizes: &[Size]) -> Vec<Count> {
    sizes.iter().map(|size| Count { size: *size, per: 1 }).collect()
}

fn estimate(size: Size) -> i64 {
    match size {
        Size::Known(size) => size.max(1),
        Size::Argument(_) => TYPICAL_SIZE,
    }
}

fn grain(work_per_iteration: i64) -> i64 {
    (WORK_PER_THREAD / work_per_iteration.max(1)).max(1)
}

/// Operations of one element: the bodies, reductions inside multiplied by their loops.
fn element_work(kernel: &Kernel<'_>) -> i64 {
    let mut work = 0i64;
    for op in kernel.body.ops() {
        let Some(generic) = Generic::new(op) else { continue };
        let mut count = 1;
        op.walk(&mut |inner| count += if inner.name().starts_with("math.") { 8 } else { 1 });
        let operands: Vec<_> = generic.inputs.iter().map(|value| value.ty().shape()).collect();
        let mut loops = 1i64;
        for (i, _) in generic.reduced.iter().enumerate().filter(|(_, reduced)| **reduced && !kernel.has_rows()) {
            let size = operands
                .iter()
                .zip(&generic.maps)
                .find_map(|(shape, map)| Some(shape[map.iter().position(|r| *r == fx_ir::AffineResult::Dim(i))?]));
            loops = loops.saturating_mul(size.filter(|size| *size > 0).unwrap_or(TYPICAL_SIZE));
        }
        work = work.saturating_add(loops.saturating_mul(count));
    }
    work.max(1)
}

/// All elements of all results, in one loop over the flat space, or in rows where an element needs its indices.
fn map<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, outputs: &[Memory<'c>], lo: Value<'c>, hi: Value<'c>) -> Result<Extent> {
    let work = element_work(kernel);
    let dims = eval.sizes(&kernel.space);
    let one = eval.index(1);
    let mut used = false;
    eval.for_loop(lo, hi, one, &[], |eval, position, _| {
        let indices = eval.delinearize(position, &dims);
        let mut stop = Vec::new();
        for index in &indices {
            stop.push(index.uses().len());
        }
        elements(eval, kernel, outputs, &indices, &dims, position)?;
        used =
            indices.len() > 1 && indices.iter().zip(stop).any(|(index, before)| index.constant().is_none() && index.uses().len() > before);
        Ok(Vec::new())
    })?;
    let inner = kernel.space.last().copied();
    let worth = inner.is_some_and(|size| estimate(size) >= SHORTEST_INNER_LOOP);
    if !used || !worth {
        return Ok(Extent::new(counts(&kernel.space), grain(work)));
    }
    // The flat loop divides for every element: loop over rows instead.
    if let Some(loop_op) = last_loop(eval) {
        loop_op.erase();
    }
    let (outer, last) = dims.split_at(dims.len() - 1);
    let zero = eval.index(0);
    eval.for_loop(lo, hi, one, &[], |eval, row, _| {
        let indices = eval.delinearize(row, outer);
        let start = eval.mul(row, last[0]);
        eval.for_loop(zero, last[0], one, &[], |eval, column, _| {
            let all = [indices.clone(), vec![column]].concat();
            let position = eval.add(start, column);
            elements(eval, kernel, outputs, &all, &dims, position)?;
            Ok(Vec::new())
        })?;
        Ok(Vec::new())
    })?;
    let inner = inner.map_or(1, estimate);
    Ok(Extent::new(counts(&kernel.space[..kernel.space.len() - 1]), grain(work.saturating_mul(inner))))
}

/// The loop that was emitted last.
pub fn last_loop<'c>(eval: &Eval<'c>) -> Option<Op<'c>> {
    eval.block()?.ops().into_iter().rev().find(|op| op.name() == "scf.for")
}

/// One element of every result.
pub fn elements<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    outputs: &[Memory<'c>],
    indices: &[Value<'c>],
    dims: &[Value<'c>],
    position: Value<'c>,
) -> Result {
    eval.set_place(indices, dims, position);
    for (result, output) in kernel.results().into_iter().zip(outputs) {
        let element = eval.element(result, indices)?;
        eval.store_flat(output, position, element);
    }
    Ok(())
}

/// Rows: reductions first, then elements.
fn rows<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, outputs: &[Memory<'c>], lo: Value<'c>, hi: Value<'c>) -> Result<Extent> {
    let rows = kernel.rows();
    let row_dims = eval.sizes(&rows);
    let one = eval.index(1);
    let stash = Stash::of(kernel, outputs);
    let ahead = Ahead::of(eval, kernel);
    eval.for_loop(lo, hi, one, &[], |eval, row, _| {
        let place = eval.delinearize(row, &row_dims);
        for op in kernel.body.ops() {
            let Some(generic) = Generic::new(op).filter(Generic::is_reduction) else { continue };
            let values = match stash.as_ref().filter(|stash| stash.is_filled_by(op)) {
                Some(stash) => stash.fill(eval, &place)?,
                None => eval.reduction(&generic, &place)?,
            };
            for (result, value) in op.results().into_iter().zip(values) {
                eval.known(result, &place, value);
            }
        }
        ahead.ask(eval, row, hi)?;
        row_results(eval, kernel, outputs, &rows, &place)?;
        full_results(eval, kernel, outputs, &place, stash.as_ref())?;
        Ok(Vec::new())
    })?;
    let reduced: i64 = kernel.inner().into_iter().map(estimate).product();
    Ok(Extent::new(counts(&rows), grain(reduced.saturating_mul(element_work(kernel)))))
}

/// Results with one element per row.
pub fn row_results<'c>(eval: &mut Eval<'c>, kernel: &Kernel<'c>, outputs: &[Memory<'c>], rows: &[Size], place: &[Value<'c>]) -> Result {
    for ((result, output), dims) in kernel.results().into_iter().zip(outputs).zip(&kernel.result_dims) {
        if *dims == kernel.space {
            continue;
        }
        // The row's indices, with 0 for sizes of 1 that the result adds.
        let mut own = place.iter().zip(rows).filter(|(_, size)| **size != Size::Known(1)).map(|(index, _)| *index);
        let zero = eval.index(0);
        let indices: Vec<_> = dims.iter().map(|size| if *size == Size::Known(1) { zero } else { own.next().unwrap_or(zero) }).collect();
        let element = eval.element(result, &indices)?;
        let position = eval.linearize(&indices, &output.dims);
        eval.store_flat(output, position, element);
    }
    Ok(())
}

/// Results with an element per place of the space, in one nest of loops over the reduced dims.
fn full_results<'c>(
    eval: &mut Eval<'c>,
    kernel: &Kernel<'c>,
    outputs: &[Memory<'c>],
    place: &[Value<'c>],
    stash: Option<&Stash<'c>>,
) -> Result {
    let full: Vec<_> = kernel
        .results()
        .into_iter()
        .zip(outputs)
        .zip(&kernel.result_dims)
        .filter(|(_, dims)| **dims == kernel.space)
        .map(|(pair, _)| pair)
        .collect();
    if full.is_empty() {
        return Ok(());
    }
    let dims = eval.sizes(&kernel.space);
    let inner: Vec<_> = dims.iter().zip(&kernel.reduced).filter(|(_, reduced)| **reduced).map(|(dim, _)| *dim).collect();
    eval.loop_nest(&inner, &[], &mut Vec::new(), &mut |eval, loops, _| {
        let indices = full_indices(kernel, place, loops);
        let position = eval.linearize(&indices, &dims);
        if let Some(stash) = stash {
            stash.recall(eval, &indices, position);
        }
        for (result, output) in &full {
            let element = eval.element(*result, &indices)?;
            eval.store_flat(output, position, element);
        }
        Ok(Vec::new())
    })?;
    Ok(())
}

/// Indices in the space: the row's, and the loops over reduced dims.
pub fn full_indices<'c>(kernel: &Kernel<'c>, place: &[Value<'c>], loops: &[Value<'c>]) -> Vec<Value<'c>> {
    let (mut place, mut loops) = (place.iter(), loops.iter());
    kernel.reduced.iter().filter_map(|reduced| if *reduced { loops.next() } else { place.next() }).copied().collect()
}
