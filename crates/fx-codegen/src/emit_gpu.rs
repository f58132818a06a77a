//! A kernel as a GPU function: `gpu.func @kernel(memrefs.., scalars..)`, one thread or one team of threads an element.
//!
//! Needs     a kernel function of phase `kernels`.
//! Gives     a `gpu.func` on flat memrefs and 64-bit scalars, and its [`Grid`].
//!
//! How its work is spread over threads is its [`Schedule`], which stands in the IR as `fx.schedule`.
//! A team's threads meet in shuffles and workgroup memory (`team.rs`).

use std::collections::HashMap;

use fx_ir::{Attribute, Block, Builder, Op, Result, Type, Value};

use crate::conditions::{EQUAL, UNSIGNED_LESS, compare, when_holds};
use crate::contract_gpu;
use crate::emit_cpu::{bind, full_indices, parameter_types};
use crate::eval::{Eval, Memory};
use crate::generic::Generic;
use crate::kernel::{Kernel, Size, known_product};
use crate::scatter::Scatter;
use crate::team::Combiner;

mod asked;
mod global;
mod map;
mod registers;
mod rows;
mod scans;
mod scatter;
mod schedule;
mod seat;
mod sort;
mod staged;
mod teams;
mod tiles;

use scatter::Sent;
use schedule::Schedule;

/// How many blocks of how many threads run a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks is the product of these.
    pub factors: Vec<Factor>,
    /// Threads of a block.
    pub threads: i64,
    /// Neighbouring blocks that run at the same time and share workgroup memory.
    pub cluster: i64,
    /// Bytes of workgroup memory that a launch adds to what the kernel's text has.
    pub shared: i64,
    /// What a launch makes of a row length that it knows.
    pub length: Option<RowLength>,
}

/// How a row's length at run time changes a grid: rows of whole accesses lie in workgroup memory if they fit there, and are so
/// many in a block if they are short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowLength {
    /// The length.
    pub size: Size,
    /// Elements of an access.
    pub width: i64,
    /// The longest rows that are short.
    pub short: i64,
    /// Teams of a block where rows are short: each a warp.
    pub teams: i64,
    /// Rows of a team.
    pub rows: i64,
    /// Bytes of an element in workgroup memory.
    pub bytes: i64,
    /// The longest rows that fit.
    pub most: i64,
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
        Self { factors: vec![Factor { sizes: sizes.to_vec(), per }], threads, cluster: 1, shared: 0, length: None }
    }

    /// A cluster of `blocks` for each of `sizes`.
    fn clusters(sizes: &[Size], blocks: i64, threads: i64) -> Self {
        let factors = vec![Factor { sizes: sizes.to_vec(), per: 1 }, Factor { sizes: vec![Size::Known(blocks)], per: 1 }];
        Self { factors, threads, cluster: blocks, shared: 0, length: None }
    }
}

/// What the schedules share.
pub(crate) struct Parts<'a, 'c> {
    pub(crate) kernel: &'a Kernel<'c>,
    pub(crate) outputs: &'a [Memory<'c>],
    /// Sizes of the space: the same values as those of memory.
    pub(crate) space: Vec<Value<'c>>,
    /// What the GPU can do.
    features: Features,
}

/// What not every GPU can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Its memory adds vectors of floats.
    pub adds_vectors: bool,
    /// Clusters of blocks read each other's workgroup memory.
    pub clusters: bool,
    /// Memory is copied into workgroup memory beside other work.
    pub async_copies: bool,
    /// Bytes of workgroup memory that a block can have.
    pub workgroup_bytes: i64,
}

impl Features {
    /// Those of an architecture such as `sm_90a`.
    pub fn of(arch: &str) -> Self {
        let digits: String = arch.chars().filter(char::is_ascii_digit).collect();
        let number = digits.parse::<u32>().unwrap_or(0);
        // "Technical specifications per compute capability" of NVIDIA's CUDA C++ Programming Guide.
        let kibibytes = match number {
            ..80 => 48,
            80 | 87 => 163,
            90..120 => 227,
            _ => 99,
        };
        let is_hopper = number >= 90;
        Self { adds_vectors: is_hopper, clusters: is_hopper, async_copies: number >= 80, workgroup_bytes: kibibytes << 10 }
    }
}

/// Threads of a block where each thread works alone, and of a matrix product's block.
pub(crate) const THREADS: i64 = 256;
/// Threads of a warp.
const WARP: i64 = 32;
/// Registers of a processor.
const REGISTERS: i64 = 1 << 16;
/// Most elements that a thread may be asked to hold in registers.
const MOST_HELD: i64 = 128;

/// The name of the module that holds a program's kernels.
pub const MODULE_NAME: &str = "kernels";

/// Emits `kernel` at `b`, inside a `gpu.module`, under its own name, for a GPU that has `features`.
///
/// # Errors
/// If the kernel holds what kernels cannot hold, or asks for a schedule that is none: reported.
pub fn emit<'c>(b: Builder<'c>, kernel: &Kernel<'c>, features: Features) -> Result<Grid> {
    let context = b.context();
    let b = b.located(kernel.op.location());
    if let Some(mistake) = kernel.op.text("fx.schedule").and_then(asked::mistake) {
        return Err(fx_ir::emit_error(kernel.op.location(), &format!("fx.schedule: {mistake}"), &[]));
    }
    let own_types = parameter_types(kernel, context);
    let types: Vec<_> = own_types.iter().map(|ty| word_type(*ty, context)).collect();
    let attributes = [
        ("sym_name", Attribute::string(context, kernel.name)),
        ("function_type", Attribute::from_type(Type::function(context, &types, &[]))),
        ("gpu.kernel", Attribute::unit(context)),
        ("arg_attrs", Attribute::array(context, &alignments(kernel, &types, context))),
    ];
    let function = b.op_with_regions("gpu.func", &[], &[], &attributes, &[Some(&types)]);
    let Some(block) = function.body(0) else { return Err(crate::internal(kernel.op, "a function without a body")) };
    let inside = b.inside(block);
    let parameters: Vec<_> = block.arguments().into_iter().zip(&own_types).map(|(value, ty)| narrow(&inside, value, *ty)).collect();
    let (arguments, mut outputs, records) = bind(&inside, kernel, &parameters);
    let mut eval = Eval::new(inside, kernel, &arguments);
    outputs.iter_mut().for_each(|memory| eval.share_sizes(memory));
    (eval.reorder, eval.contract) = (true, true);
    let space = eval.sizes(&kernel.space);
    let emitter = Emitter { parts: Parts { kernel, outputs: &outputs, space, features }, block };
    let schedule = Schedule::of(kernel, features);
    function.set_attribute("fx.schedule", Attribute::string(context, &schedule.to_string()));
    if let Some(blocks) = schedule.resident(kernel, features) {
        function.set_attribute("nvvm.minctasm", Attribute::int(Type::int(context, 32), blocks));
    }
    let grid = match schedule {
        Schedule::Product(product) => contract_gpu::emit(&mut eval, &emitter.parts, &product, block)?,
        Schedule::Elements { width, in_row } | Schedule::Scatter { width, in_row } => emitter.map(&mut eval, width, in_row)?,
        Schedule::Sort { shape, sort } => emitter.sorted_rows(&mut eval, &shape, sort)?,
        Schedule::Tiles(tile) => emitter.tiles(&mut eval, &tile)?,
        Schedule::Registers { shape, reductions } => emitter.register_rows(&mut eval, &shape, &reductions)?,
        Schedule::Staged { shape, reductions } => emitter.staged_rows(&mut eval, &shape, &reductions)?,
        Schedule::StagedDynamic { room, reductions } => emitter.staged_dynamic_rows(&mut eval, &room, &reductions)?,
        Schedule::Teams { threads, reductions } => emitter.team_rows(&mut eval, threads, &reductions)?,
        Schedule::Scans { shape: Some(shape), scans } => emitter.scanned_rows(&mut eval, &shape, &scans)?,
        Schedule::Scans { shape: None, scans } => emitter.walked_rows(&mut eval, &scans)?,
        Schedule::Rows => emitter.rows(&mut eval)?,
    };
    eval.write_records(records)?;
    eval.b.op("gpu.return", &[], &[], &[]);
    let threads = i32::try_from(grid.threads).unwrap_or(i32::MAX);
    function.set_attribute("known_block_size", Attribute::i32s(context, &[threads, 1, 1]));
    if grid.cluster > 1 {
        let blocks = i32::try_from(grid.cluster).unwrap_or(i32::MAX);
        function.set_attribute("nvvm.cluster_dim", Attribute::i32s(context, &[blocks, 1, 1]));
    }
    let buffers = block.arguments().len() - types.len();
    if buffers > 0 {
        function.set_attribute("workgroup_attributions", Attribute::i64(context, buffers as i64));
    }
    Ok(grid)
}

/// What is known of parameters: the executor aligns tensors. Records of checks, which come first, are words.
fn alignments<'c>(kernel: &Kernel<'c>, types: &[Type<'c>], context: &'c fx_ir::Context) -> Vec<Attribute<'c>> {
    let records = usize::from(!kernel.checks.is_empty());
    let bytes = Attribute::i64(context, fx_runtime::GPU_ALIGNMENT as i64);
    let aligned = Attribute::dictionary(context, &[("llvm.align", bytes)]);
    let none = Attribute::dictionary(context, &[]);
    let is_tensor = |ty: Type<'c>| !ty.is_float() && !ty.is_integer() && !ty.is_index();
    types.iter().enumerate().map(|(i, ty)| if i >= records && is_tensor(*ty) { aligned } else { none }).collect()
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

/// A row that there is for the thread of row `row`, where `per_block` rows take a block, `each` of them a thread; and, where it
/// may be another one, what says so: its own number and the number of rows. It computes the last rows again, and stores
/// nothing, as all threads of a block meet.
fn existing_rows<'c>(
    eval: &mut Eval<'c>,
    row: Value<'c>,
    rows: &[Size],
    (per_block, each): (i64, i64),
) -> (Value<'c>, Option<[Value<'c>; 2]>) {
    if known_product(rows).is_some_and(|total| total % per_block == 0) {
        return (row, None);
    }
    let dims = eval.sizes(rows);
    let (total, each) = (eval.product(&dims), eval.index(each));
    let last = eval.b.value("arith.subi", &[total, each], row.ty(), &[]);
    (eval.b.value("arith.minui", &[row, last], row.ty(), &[]), Some([row, total]))
}

/// `scf.if condition` without results; what holds in its first branch is told to the block's builder.
fn either<'c>(
    eval: &mut Eval<'c>,
    condition: Value<'c>,
    build: impl FnOnce(&mut Eval<'c>, Block<'c>) -> Result,
    otherwise: impl FnOnce(&mut Eval<'c>) -> Result,
) -> Result {
    let op = eval.b.op_with_regions("scf.if", &[condition], &[], &[], &[Some(&[]), Some(&[])]);
    let (Some(yes), Some(no)) = (op.body(0), op.body(1)) else { return Ok(()) };
    build(eval, yes)?;
    eval.b.inside(yes).op("scf.yield", &[], &[], &[]);
    eval.scoped(no, |eval| {
        otherwise(eval)?;
        eval.b.op("scf.yield", &[], &[], &[]);
        Ok(())
    })
}

/// `scf.if a <predicate> b` whose other branch keeps the carried values.
fn when_with<'c>(
    eval: &mut Eval<'c>,
    predicate: i64,
    [a, b]: [Value<'c>; 2],
    carried: &[Value<'c>],
    build: impl FnOnce(&mut Eval<'c>) -> Result<Vec<Value<'c>>>,
) -> Result<Vec<Value<'c>>> {
    let condition = compare(eval, predicate, a, b);
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

/// Unsigned, so that LLVM sees that what passes is small, and divides in 32 bits.
pub(crate) const LESS: i64 = UNSIGNED_LESS;

struct Emitter<'a, 'c> {
    parts: Parts<'a, 'c>,
    /// The function's block: its arguments are the parameters, then the workgroup buffers.
    block: Block<'c>,
}

/// One element of every result but those that are scattered; values of these are `sent` on their way.
fn element<'c>(
    eval: &mut Eval<'c>,
    parts: &Parts<'_, 'c>,
    indices: &[Value<'c>],
    dims: &[Value<'c>],
    position: Value<'c>,
    sent: &mut Vec<(usize, Sent<'c>)>,
) -> Result {
    eval.set_place(indices, dims, position);
    for (number, (result, output)) in parts.kernel.results().into_iter().zip(parts.outputs).enumerate() {
        if let Some(scatter) = Scatter::of_value(result) {
            sent.push((number, Sent::new(eval, scatter, indices)?));
            continue;
        }
        let element = eval.element(result, indices)?;
        eval.store_flat(output, position, element);
    }
    Ok(())
}

impl<'c> Parts<'_, 'c> {
    /// Joins values of scattered results, in the order of the space, to what is there.
    fn send(&self, eval: &mut Eval<'c>, sent: Vec<(usize, Sent<'c>)>) -> Result {
        let mut of_result: Vec<Vec<Sent<'c>>> = self.outputs.iter().map(|_| Vec::new()).collect();
        for (number, own) in sent {
            of_result[number].push(own);
        }
        for ((result, output), own) in self.kernel.results().into_iter().zip(self.outputs).zip(of_result) {
            if let Some(scatter) = Scatter::of_value(result) {
                scatter::send(eval, scatter, output, &self.space, &own, self.features)?;
            }
        }
        Ok(())
    }
}

/// One element of every result.
pub(crate) fn elements<'c>(
    eval: &mut Eval<'c>,
    parts: &Parts<'_, 'c>,
    indices: &[Value<'c>],
    dims: &[Value<'c>],
    position: Value<'c>,
) -> Result {
    let mut sent = Vec::new();
    element(eval, parts, indices, dims, position, &mut sent)?;
    parts.send(eval, sent)
}

impl<'c> Emitter<'_, 'c> {
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

    /// Records what a reduction of rows gives: its combined values, row by row, and the values that it starts from.
    fn know_totals(
        &self,
        eval: &mut Eval<'c>,
        (generic, combiners): (&Generic<'c>, &[Combiner<'c>]),
        places: &[Vec<Value<'c>>],
        totals: &[Value<'c>],
    ) -> Result {
        for (place, totals) in places.iter().zip(totals.chunks(combiners.len())) {
            let inits = eval.inits(generic, place)?;
            for (((result, combiner), total), init) in generic.op.results().into_iter().zip(combiners).zip(totals).zip(inits) {
                let total = combiner.combine(&eval.b, init, *total);
                eval.known_in_all_phases(result, place, total);
            }
        }
        Ok(())
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
}

/// An empty `gpu.module @kernels` at `b`: its body.
pub(crate) fn module_of_kernels<'c>(b: Builder<'c>) -> Result<Block<'c>> {
    let name = Attribute::string(b.context(), MODULE_NAME);
    let kernels: Op<'c> = b.op_with_regions("gpu.module", &[], &[], &[("sym_name", name)], &[Some(&[])]);
    kernels.body(0).ok_or_else(|| crate::internal(kernels, "a module without a body"))
}

/// Emits every kernel of a module into `gpu.module @kernels` of a new module, for a GPU that has `features`.
///
/// # Errors
/// If a kernel holds what kernels cannot hold: reported.
pub fn emit_module<'c>(module: &fx_ir::Module<'c>, features: Features) -> Result<(fx_ir::Module<'c>, HashMap<String, Grid>)> {
    let context = module.context();
    for dialect in ["gpu", "nvvm", "llvm", "cf", "complex"] {
        context.get_or_load_dialect(dialect);
    }
    let location = module.op().location();
    let result = fx_ir::Module::new(context, location);
    let builder = Builder::at_end(result.body(), context, location);
    let body = module_of_kernels(builder)?;
    let mut grids = HashMap::new();
    for op in module.body().ops() {
        if let Some(kernel) = Kernel::new(op)? {
            grids.insert(kernel.name.to_string(), emit(builder.inside(body), &kernel, features)?);
        }
    }
    Ok((result, grids))
}
