//! A kernel as a GPU function: `gpu.func @kernel(memrefs.., scalars..)`, one thread or one team of threads an element.
//!
//! Needs     a kernel function of phase `kernels`.
//! Gives     a `gpu.func` on flat memrefs and 64-bit scalars, and its [`Grid`].
//!
//! Without row reductions a thread computes one element of each result. With them a team of threads works on a row: each
//! reduces its share of the row, the shares meet in shuffles and workgroup memory (`team.rs`), and the team's threads
//! compute the row's elements. Rows that are short, or whose reductions are no single associative op, take a thread each.

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Builder, Op, Result, Type, Value};

use crate::contract_gpu;
use crate::contraction::Contraction;
use crate::emit_cpu::{bind, full_indices, parameter_types, row_results};
use crate::eval::{Eval, LoopBody, Memory};
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};
use crate::team::{Combiner, Meeting, Team, combiners};

/// How many blocks of how many threads run a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks is the product of these.
    pub factors: Vec<Factor>,
    /// Threads of a block.
    pub threads: i64,
}

/// How many pieces a product of sizes is cut into: `ceil(product / per)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// The sizes.
    pub sizes: Vec<Size>,
    /// Elements of a piece.
    pub per: i64,
}

impl Grid {
    fn new(sizes: &[Size], per: i64, threads: i64) -> Self {
        Self { factors: vec![Factor { sizes: sizes.to_vec(), per }], threads }
    }
}

/// What the schedules share.
pub(crate) struct Parts<'a, 'c> {
    pub(crate) kernel: &'a Kernel<'c>,
    pub(crate) outputs: &'a [Memory<'c>],
    /// Sizes of the space: the same values as those of memory.
    pub(crate) space: Vec<Value<'c>>,
}

/// Threads of a block where each thread works alone, and of a matrix product's block.
pub(crate) const THREADS: i64 = 256;
/// Threads of a block where each row takes a thread: rows are few, blocks should be many.
const ROW_THREADS: i64 = 64;
/// Rows shorter than this take a thread each.
const SHORTEST_TEAM_ROW: i64 = 32;
/// Elements of a row that a thread of a team should have at least.
const ROW_SHARE: i64 = 4;
/// Threads of the largest team.
const LARGEST_TEAM: i64 = 512;
/// Rows of a block whose teams are single warps.
const WARPS: i64 = 4;
/// Warps of a block whose rows are columns, at least.
const FEWEST_WARPS: i64 = 8;
/// Neighbouring rows that make reading along them worthwhile.
const SHORTEST_COLUMNS: i64 = 8;
/// What an unknown size counts as when a team's size is chosen.
const TYPICAL_ROW: i64 = 1024;

/// The name of the module that holds a program's kernels.
pub const MODULE_NAME: &str = "kernels";

/// Emits `kernel` at `b`, inside a `gpu.module`, under its own name.
///
/// # Errors
/// If the kernel holds what kernels cannot hold: reported.
pub fn emit<'c>(b: Builder<'c>, kernel: &Kernel<'c>) -> Result<Grid> {
    let context = b.context();
    let b = b.located(kernel.op.location());
    let own_types = parameter_types(kernel, context);
    let types: Vec<_> = own_types.iter().map(|ty| word_type(*ty, context)).collect();
    let attributes = [
        ("sym_name", Attribute::string(context, kernel.name)),
        ("function_type", Attribute::from_type(Type::function(context, &types, &[]))),
        ("gpu.kernel", Attribute::unit(context)),
    ];
    let function = b.op_with_regions("gpu.func", &[], &[], &attributes, &[Some(&types)]);
    let Some(block) = function.body(0) else { return Err(crate::internal(kernel.op, "a function without a body")) };
    let inside = b.inside(block);
    let parameters: Vec<_> = block.arguments().into_iter().zip(&own_types).map(|(value, ty)| narrow(&inside, value, *ty)).collect();
    let (arguments, mut outputs, records) = bind(&inside, kernel, &parameters);
    let mut eval = Eval::new(inside, kernel, &arguments);
    outputs.iter_mut().for_each(|memory| eval.share_sizes(memory));
    eval.reorder = true;
    let space = eval.sizes(&kernel.space);
    let emitter = Emitter { parts: Parts { kernel, outputs: &outputs, space }, block };
    let product = Contraction::of(kernel).filter(|contraction| contract_gpu::pays(kernel, contraction));
    let grid = match (product, emitter.teams()) {
        (Some(product), _) => contract_gpu::emit(&mut eval, &emitter.parts, &product, block)?,
        (None, _) if !kernel.has_rows() => emitter.map(&mut eval)?,
        (None, Some((threads, reductions))) => emitter.team_rows(&mut eval, threads, &reductions)?,
        (None, None) => emitter.rows(&mut eval)?,
    };
    eval.write_records(records)?;
    eval.b.op("gpu.return", &[], &[], &[]);
    let threads = i32::try_from(grid.threads).unwrap_or(i32::MAX);
    function.set_attribute("known_block_size", Attribute::i32s(context, &[threads, 1, 1]));
    let buffers = block.arguments().len() - types.len();
    if buffers > 0 {
        function.set_attribute("workgroup_attributions", Attribute::i64(context, buffers as i64));
    }
    Ok(grid)
}

/// The type of a parameter: numbers are 64-bit words, as a plan passes them (floats as doubles).
fn word_type<'c>(ty: Type<'c>, context: &'c fx_ir::Context) -> Type<'c> {
    if ty.is_float() {
        Type::f64(context)
    } else if ty.is_integer() {
        Type::int(context, 64)
    } else {
        ty
    }
}

/// A parameter's number in its own type.
fn narrow<'c>(b: &Builder<'c>, word: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if word.ty() == ty {
        return word;
    }
    let name = if ty.is_float() { "arith.truncf" } else { "arith.trunci" };
    b.value(name, &[word], ty, &[])
}

/// `#gpu<dim x>`
fn x_dimension<'c>(b: &Builder<'c>) -> Result<Attribute<'c>> {
    Attribute::parse(b.context(), "#gpu<dim x>").ok_or_else(|| fx_ir::emit_error(b.location(), "internal bug: no gpu dialect", &[]))
}

/// The number of the block.
pub(crate) fn block_id<'c>(b: &Builder<'c>) -> Result<Value<'c>> {
    Ok(b.value("gpu.block_id", &[], Type::index(b.context()), &[("dimension", x_dimension(b)?)]))
}

/// The number of the thread in its block.
pub(crate) fn thread_id<'c>(b: &Builder<'c>) -> Result<Value<'c>> {
    Ok(b.value("gpu.thread_id", &[], Type::index(b.context()), &[("dimension", x_dimension(b)?)]))
}

/// The product of sizes, if all are known.
fn known_product(sizes: &[Size]) -> Option<i64> {
    sizes.iter().try_fold(1i64, |product, size| match size {
        Size::Known(size) => product.checked_mul(*size),
        Size::Argument(_) => None,
    })
}

/// `scf.if` without results.
pub(crate) fn when<'c>(
    eval: &mut Eval<'c>,
    predicate: i64,
    a: Value<'c>,
    b: Value<'c>,
    build: impl FnOnce(&mut Eval<'c>) -> Result,
) -> Result {
    when_with(eval, predicate, [a, b], &[], |eval| build(eval).map(|()| Vec::new())).map(drop)
}

/// `scf.if a <predicate> b` whose other branch keeps the carried values.
fn when_with<'c>(
    eval: &mut Eval<'c>,
    predicate: i64,
    [a, b]: [Value<'c>; 2],
    carried: &[Value<'c>],
    build: impl FnOnce(&mut Eval<'c>) -> Result<Vec<Value<'c>>>,
) -> Result<Vec<Value<'c>>> {
    let context = eval.context();
    let condition = eval.b.value("arith.cmpi", &[a, b], Type::int(context, 1), &[("predicate", Attribute::i64(context, predicate))]);
    let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
    let otherwise: Option<&[Type<'c>]> = if carried.is_empty() { None } else { Some(&[]) };
    let op = eval.b.op_with_regions("scf.if", &[condition], &types, &[], &[Some(&[]), otherwise]);
    if let Some(block) = op.body(0) {
        eval.scoped(block, |eval| {
            let values = build(eval)?;
            eval.b.op("scf.yield", &values, &[], &[]);
            Ok(())
        })?;
    }
    if let Some(block) = op.body(1) {
        eval.b.inside(block).op("scf.yield", carried, &[], &[]);
    }
    Ok(op.results())
}

const EQUAL: i64 = 0;
/// Unsigned, so that LLVM sees that what passes is small, and divides in 32 bits.
pub(crate) const LESS: i64 = 6;

/// Where a team's thread stands in its row.
struct Share<'c> {
    /// The thread's number in its team.
    thread: Value<'c>,
    /// Threads of the team.
    threads: i64,
    /// Where the team's threads meet.
    meeting: Meeting<'c>,
    /// Elements of a row, if known.
    length: Option<i64>,
    /// The row's number and the number of rows, where a thread may have no row: it computes some row, and stores nothing.
    guard: Option<[Value<'c>; 2]>,
}

struct Emitter<'a, 'c> {
    parts: Parts<'a, 'c>,
    /// The function's block: its arguments are the parameters, then the workgroup buffers.
    block: Block<'c>,
}

/// One element of every result.
pub(crate) fn elements<'c>(
    eval: &mut Eval<'c>,
    parts: &Parts<'_, 'c>,
    indices: &[Value<'c>],
    dims: &[Value<'c>],
    position: Value<'c>,
) -> Result {
    eval.set_place(indices, dims, position);
    for (result, output) in parts.kernel.results().into_iter().zip(parts.outputs) {
        let element = eval.element(result, indices)?;
        eval.store_flat(output, position, element);
    }
    Ok(())
}

/// A reduction that a team of threads does together, with the combiner of each accumulator.
type TeamReduction<'c> = (Generic<'c>, Vec<Combiner<'c>>);

impl<'c> Emitter<'_, 'c> {
    //--- a thread an element -------------------------------------------------------

    fn map(&self, eval: &mut Eval<'c>) -> Result<Grid> {
        let dims = self.parts.space.clone();
        self.flat(eval, &self.parts.kernel.space, THREADS, |eval, position| {
            let indices = eval.delinearize(position, &dims);
            elements(eval, &self.parts, &indices, &dims, position)
        })
    }

    /// One thread for each position of `sizes`.
    fn flat(
        &self,
        eval: &mut Eval<'c>,
        sizes: &[Size],
        threads: i64,
        build: impl FnOnce(&mut Eval<'c>, Value<'c>) -> Result,
    ) -> Result<Grid> {
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let per_block = eval.index(threads);
        let start = eval.mul(block, per_block);
        let position = eval.add(start, thread);
        if known_product(sizes).is_some_and(|total| total % threads == 0) {
            build(eval, position)?;
        } else {
            let sizes = eval.sizes(sizes);
            let total = eval.product(&sizes);
            when(eval, LESS, position, total, |eval| build(eval, position))?;
        }
        Ok(Grid::new(sizes, threads, threads))
    }

    //--- a thread a row --------------------------------------------------------------

    fn rows(&self, eval: &mut Eval<'c>) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let row_dims = eval.sizes(&rows);
        self.flat(eval, &rows, ROW_THREADS, |eval, row| {
            let place = eval.delinearize(row, &row_dims);
            for op in self.parts.kernel.body.ops() {
                let Some(generic) = Generic::new(op).filter(Generic::is_reduction) else { continue };
                let values = eval.reduction(&generic, &place)?;
                for (result, value) in op.results().into_iter().zip(values) {
                    eval.known(result, &place, value);
                }
            }
            row_results(eval, self.parts.kernel, self.parts.outputs, &rows, &place)?;
            let full = self.full_results();
            if full.is_empty() {
                return Ok(());
            }
            let inner = eval.sizes(&self.reduced());
            eval.loop_nest(&inner, &[], &mut Vec::new(), &mut |eval, loops, _| {
                self.full_elements(eval, &full, &place, loops)?;
                Ok(Vec::new())
            })?;
            Ok(())
        })
    }

    /// Sizes of the reduced dims.
    fn reduced(&self) -> Vec<Size> {
        let kernel = self.parts.kernel;
        kernel.space.iter().zip(&kernel.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect()
    }

    /// Results with an element per place of the space.
    fn full_results(&self) -> Vec<(Value<'c>, Memory<'c>)> {
        let kernel = self.parts.kernel;
        let all = kernel.results().into_iter().zip(self.parts.outputs).zip(&kernel.result_dims);
        all.filter(|(_, dims)| **dims == kernel.space).map(|((result, output), _)| (result, output.clone())).collect()
    }

    fn full_elements(&self, eval: &mut Eval<'c>, full: &[(Value<'c>, Memory<'c>)], place: &[Value<'c>], loops: &[Value<'c>]) -> Result {
        let dims = &self.parts.space;
        let indices = full_indices(self.parts.kernel, place, loops);
        let position = eval.linearize(&indices, dims);
        eval.set_place(&indices, dims, position);
        for (result, output) in full {
            let element = eval.element(*result, &indices)?;
            eval.store_flat(output, position, element);
        }
        Ok(())
    }

    //--- a team a row ------------------------------------------------------------------

    /// Threads of a row's team and the kernel's reductions; none if rows take a thread each.
    fn teams(&self) -> Option<(i64, Vec<TeamReduction<'c>>)> {
        let length = self.reduced().iter().fold(1i64, |length, size| {
            length.saturating_mul(match size {
                Size::Known(size) => *size,
                Size::Argument(_) => TYPICAL_ROW,
            })
        });
        if length < SHORTEST_TEAM_ROW {
            return None;
        }
        let reductions = self.parts.kernel.body.ops().into_iter().filter_map(Generic::new).filter(Generic::is_reduction);
        let reductions = reductions.map(|generic| combiners(&generic).map(|combiners| (generic, combiners))).collect::<Option<Vec<_>>>()?;
        let share = u64::try_from(length / ROW_SHARE).unwrap_or(1).next_power_of_two();
        Some((i64::try_from(share).unwrap_or(LARGEST_TEAM).clamp(32, LARGEST_TEAM), reductions))
    }

    fn team_rows(&self, eval: &mut Eval<'c>, threads: i64, reductions: &[(Generic<'c>, Vec<Combiner<'c>>)]) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let length = known_product(&self.reduced());
        let width = eval.index(32);
        if self.rows_are_columns() {
            return self.columns(eval, threads, reductions);
        }
        if threads > 32 {
            let share = Share { thread, threads, meeting: Meeting::Block, length, guard: None };
            self.team_row(eval, &share, block, reductions)?;
            return Ok(Grid::new(&rows, 1, threads));
        }
        // Single warps need no barrier, so that several may share a block, and the last block may have idle ones.
        let warps = eval.index(WARPS);
        let lane = eval.b.value("arith.remui", &[thread, width], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, width], thread.ty(), &[]);
        let start = eval.mul(block, warps);
        let row = eval.add(start, warp);
        let share = Share { thread: lane, threads, meeting: Meeting::Block, length, guard: None };
        if known_product(&rows).is_some_and(|total| total % WARPS == 0) {
            self.team_row(eval, &share, row, reductions)?;
        } else {
            let row_dims = eval.sizes(&rows);
            let total = eval.product(&row_dims);
            when(eval, LESS, row, total, |eval| self.team_row(eval, &share, row, reductions))?;
        }
        Ok(Grid::new(&rows, WARPS, WARPS * 32))
    }

    /// Whether neighbours in memory belong to neighbouring rows.
    fn rows_are_columns(&self) -> bool {
        let kernel = self.parts.kernel;
        let wide = matches!(kernel.space.last(), Some(Size::Known(SHORTEST_COLUMNS..) | Size::Argument(_)));
        wide && kernel.reduced.last() == Some(&false)
    }

    /// A block of 32 rows: the threads of one row are the same lane of each warp, so that a warp reads 32 neighbours.
    fn columns(&self, eval: &mut Eval<'c>, threads: i64, reductions: &[(Generic<'c>, Vec<Combiner<'c>>)]) -> Result<Grid> {
        let rows = self.parts.kernel.rows();
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let width = eval.index(32);
        let warps = threads.min(LARGEST_TEAM) / 32;
        let warps = warps.max(FEWEST_WARPS);
        let lane = eval.b.value("arith.remui", &[thread, width], thread.ty(), &[]);
        let warp = eval.b.value("arith.divui", &[thread, width], thread.ty(), &[]);
        let start = eval.mul(block, width);
        let row = eval.add(start, lane);
        let length = known_product(&self.reduced());
        let mut share = Share { thread: warp, threads: warps, meeting: Meeting::Lane(lane), length, guard: None };
        let mut place = row;
        if known_product(&rows).is_none_or(|total| total % 32 != 0) {
            let row_dims = eval.sizes(&rows);
            let (total, one) = (eval.product(&row_dims), eval.index(1));
            let last = eval.b.value("arith.subi", &[total, one], row.ty(), &[]);
            place = eval.b.value("arith.minui", &[row, last], row.ty(), &[]);
            share.guard = Some([row, total]);
        }
        self.team_row(eval, &share, place, reductions)?;
        Ok(Grid::new(&rows, 32, warps * 32))
    }

    fn team_row(&self, eval: &mut Eval<'c>, share: &Share<'c>, row: Value<'c>, reductions: &[(Generic<'c>, Vec<Combiner<'c>>)]) -> Result {
        let rows = self.parts.kernel.rows();
        let row_dims = eval.sizes(&rows);
        let place = eval.delinearize(row, &row_dims);
        for (generic, combiners) in reductions {
            let sizes = eval.loop_sizes(generic);
            let inner: Vec<_> = sizes.iter().zip(&generic.reduced).filter(|(_, reduced)| **reduced).map(|(size, _)| *size).collect();
            let neutral: Vec<_> = combiners.iter().map(|combiner| combiner.neutral(&eval.b)).collect();
            let partial = strided(eval, share, &inner, &neutral, &mut |eval, loops, carried| {
                let indices = [place.clone(), loops.to_vec()].concat();
                eval.body(generic, &indices, carried)
            })?;
            let inits = eval.inits(generic, &place)?;
            for (((result, combiner), value), init) in generic.op.results().into_iter().zip(combiners).zip(partial).zip(inits) {
                let team = Team { b: eval.b, thread: share.thread, threads: share.threads, meeting: share.meeting, block: self.block };
                let total = team.all_reduce(combiner, value)?;
                let total = combiner.combine(&eval.b, init, total);
                eval.known(result, &place, total);
            }
        }
        match share.guard {
            Some([row, total]) => when(eval, LESS, row, total, |eval| self.team_results(eval, share, &place)),
            None => self.team_results(eval, share, &place),
        }
    }

    /// A row's results: its own by the first thread, its elements by all.
    fn team_results(&self, eval: &mut Eval<'c>, share: &Share<'c>, place: &[Value<'c>]) -> Result {
        if self.parts.kernel.result_dims.iter().any(|dims| *dims != self.parts.kernel.space) {
            let zero = eval.index(0);
            let rows = self.parts.kernel.rows();
            when(eval, EQUAL, share.thread, zero, |eval| row_results(eval, self.parts.kernel, self.parts.outputs, &rows, place))?;
        }
        let full = self.full_results();
        if !full.is_empty() {
            let inner = eval.sizes(&self.reduced());
            strided(eval, share, &inner, &[], &mut |eval, loops, _| {
                self.full_elements(eval, &full, place, loops)?;
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }
}

/// A thread's share of the positions of `dims`: every `threads`-th, so that neighbours read neighbours.
fn strided<'c>(
    eval: &mut Eval<'c>,
    share: &Share<'c>,
    dims: &[Value<'c>],
    carried: &[Value<'c>],
    build: &mut LoopBody<'_, 'c>,
) -> Result<Vec<Value<'c>>> {
    let step = eval.index(share.threads);
    let Some(length) = share.length else {
        let length = eval.product(dims);
        return eval.for_loop(share.thread, length, step, carried, |eval, position, carried| {
            let indices = eval.delinearize(position, dims);
            build(eval, &indices, carried)
        });
    };
    // A loop of known length that all threads share unrolls, so that loads are in flight together; then the rest.
    let whole = length / share.threads;
    let mut values = carried.to_vec();
    if whole > 0 {
        let (zero, one, count) = (eval.index(0), eval.index(1), eval.index(whole));
        values = eval.for_loop(zero, count, one, &values, |eval, turn, carried| {
            let start = eval.mul(turn, step);
            let position = eval.add(start, share.thread);
            let indices = eval.delinearize(position, dims);
            build(eval, &indices, carried)
        })?;
    }
    if length % share.threads != 0 {
        let (start, end) = (eval.index(whole * share.threads), eval.index(length));
        let position = eval.add(start, share.thread);
        let kept = values.clone();
        values = when_with(eval, LESS, [position, end], &kept, |eval| {
            let indices = eval.delinearize(position, dims);
            build(eval, &indices, &kept)
        })?;
    }
    Ok(values)
}

/// Emits every kernel of a module into `gpu.module @kernels` of a new module.
///
/// # Errors
/// If a kernel holds what kernels cannot hold: reported.
pub fn emit_module<'c>(module: &fx_ir::Module<'c>) -> Result<(fx_ir::Module<'c>, HashMap<String, Grid>)> {
    let context = module.context();
    for dialect in ["gpu", "nvvm", "llvm", "cf", "complex"] {
        context.get_or_load_dialect(dialect);
    }
    let location = module.op().location();
    let result = fx_ir::Module::new(context, location);
    let builder = Builder::at_end(result.body(), context, location);
    let kernels: Op<'c> =
        builder.op_with_regions("gpu.module", &[], &[], &[("sym_name", Attribute::string(context, MODULE_NAME))], &[Some(&[])]);
    let Some(body) = kernels.body(0) else { return Err(crate::internal(kernels, "a module without a body")) };
    let mut grids = HashMap::new();
    for op in module.body().ops() {
        if let Some(kernel) = Kernel::new(op)? {
            grids.insert(kernel.name.to_string(), emit(builder.inside(body), &kernel)?);
        }
    }
    Ok((result, grids))
}
