//! `fx-split-reductions`: cut long reductions with few results into parts that run at the same time.
//!
//! Needs     phase `linalg`.
//! Gives     phase `linalg`: such a reduction reduces each of some parts, and a second one reduces what these gave.
//! Fails on  nothing that `linalg` can hold.
//! Tests     lit-tests/passes/fx-split-reductions/
//!
//! ```text
//! %y = sum(%x : tensor<1048576xf32>) : tensor<f32>
//!   =>  %p = sum over d1 (expand_shape %x : tensor<256x4096xf32>) : tensor<256xf32>;  %y = sum(%p) : tensor<f32>
//! ```
//!
//! A row of a kernel is reduced by one team of threads, or one processor: with few rows most of a machine would wait. And a sum
//! of parts is more exact than one long sum. Reductions by no single associative op, bodies that read their place, and sizes
//! that only a run knows stay.
//!
//! A row times a matrix is cut too, if the first-level cache holds its results: threads then read whole rows that follow each
//! other, where a share of the columns would be pieces that the hardware does not prefetch (1.2 times as fast for rows of 4 KiB
//! on an Intel server core, and of 16 KiB on an AMD one).

use std::collections::HashMap;

use fx_ir::{AffineResult, Attribute, Builder, DYNAMIC, Op, Options, Pass, PassOption, Result, Type, Value};

use crate::generic::Generic;
use crate::team::{Combiner, combiners};

/// The pass.
pub static PASS: Pass = Pass {
    name: "fx-split-reductions",
    summary: "cut long reductions with few results into parts that run at the same time",
    anchor: "builtin.module",
    options: &[
        PassOption { name: "parts", default: "1024", help: "parts of all results together: as many as can run at a time" },
        PassOption { name: "columns", default: "1", help: "results that lie beside each other and take one part together" },
        PassOption { name: "row-parts", default: "0", help: "parts of a row times a matrix that comes from memory" },
        PassOption { name: "keep-rows", default: "0", help: "leave rows of up to so many contiguous elements whole" },
    ],
    dialects: &["arith", "linalg", "tensor"],
    run,
};

/// Fewer parts are not worth a second kernel.
const FEWEST_PARTS: i64 = 8;
/// Elements of a part, at least.
const SHORTEST_PART: i64 = 1 << 12;
/// Bytes of a matrix that no second-level cache holds.
const LARGE_MATRIX: i64 = 1 << 21;
/// Bytes of a row of such a matrix that is cut into parts: longer than a few cache lines, half of the first-level cache.
const STREAMED_ROW: std::ops::RangeInclusive<i64> = 1 << 10..=1 << 14;

fn run(module: Op<'_>, options: &Options) -> Result {
    let parts: i64 = options.parsed(module, "parts")?;
    let columns: i64 = options.parsed(module, "columns")?;
    let kept: i64 = options.parsed(module, "keep-rows")?;
    let row_parts: i64 = options.parsed(module, "row-parts")?;
    let mut found = Vec::new();
    module.walk(&mut |op| found.extend(Generic::new(op).filter(Generic::is_reduction)));
    let split = |generic| {
        let loops = Loops::of(generic)?;
        let cut = loops.row_times_matrix(generic, row_parts).or_else(|| loops.few_results(generic, parts, columns, kept))?;
        Some(Split { generic, combiners: loops.combiners, cut })
    };
    found.iter().filter_map(split).for_each(|split| split.apply());
    Ok(())
}

/// A reduction and how it is cut.
struct Split<'a, 'c> {
    generic: &'a Generic<'c>,
    combiners: Vec<Combiner<'c>>,
    cut: Cut,
}

/// Parts of a reduction.
struct Cut {
    /// The loop that is cut.
    along: usize,
    parts: i64,
    /// Its size in a part.
    length: i64,
    /// Whether results are columns: then those of a part stay beside each other.
    are_columns: bool,
}

/// How many equal parts `size` can be cut into, at most `most`.
fn most_parts(size: i64, most: i64) -> i64 {
    (1..=most.min(size)).rev().find(|parts| size % parts == 0).unwrap_or(1)
}

/// The loops of a reduction that can be cut.
struct Loops<'c> {
    combiners: Vec<Combiner<'c>>,
    sizes: Vec<i64>,
    /// How many results there are, and how many elements make one.
    results: i64,
    length: i64,
}

impl<'c> Loops<'c> {
    fn of(generic: &Generic<'c>) -> Option<Self> {
        let combiners = combiners(generic)?;
        let mut reads_place = generic.has_checks();
        generic.op.walk(&mut |op| reads_place |= op.name() == "linalg.index");
        let sizes = loop_sizes(generic)?;
        let plain = |map: &Vec<AffineResult>| !map.contains(&AffineResult::Other);
        if reads_place || !generic.maps.iter().all(plain) {
            return None;
        }
        let product = |reduced: bool| {
            let sizes = sizes.iter().zip(&generic.reduced).filter(|(_, kind)| **kind == reduced);
            sizes.fold(1i64, |product, (size, _)| product.saturating_mul(*size))
        };
        let (results, length) = (product(false).max(1), product(true));
        Some(Self { combiners, sizes, results, length })
    }

    /// One row times a matrix.
    fn row_times_matrix(&self, generic: &Generic<'c>, most: i64) -> Option<Cut> {
        let Self { sizes, results, length, .. } = self;
        let along = generic.reduced.iter().position(|reduced| *reduced).filter(|i| sizes[*i] == *length)?;
        // The one parallel loop that counts is the innermost of the matrix.
        let is_matrix = |(map, value): (&Vec<AffineResult>, &Value<'c>)| {
            let bytes = i64::from(value.ty().element().bit_width() / 8);
            let columns = matches!(map.last(), Some(AffineResult::Dim(i)) if !generic.reduced[*i] && sizes[*i] == *results);
            let has_rows = map.contains(&AffineResult::Dim(along));
            columns && has_rows && STREAMED_ROW.contains(&results.saturating_mul(bytes)) && results * bytes * length >= LARGE_MATRIX
        };
        if generic.inputs.len() != 2 || !generic.maps.iter().zip(&generic.inputs).any(is_matrix) {
            return None;
        }
        let parts = most_parts(sizes[along], most);
        (parts > 1).then(|| Cut { along, parts, length: sizes[along] / parts, are_columns: true })
    }

    /// Few results of many elements each.
    fn few_results(&self, generic: &Generic<'c>, all: i64, columns: i64, kept: i64) -> Option<Cut> {
        let Self { ref sizes, results: rows, length, .. } = *self;
        // Loops in the order of memory: the innermost one says whether results are columns.
        let are_columns = generic.maps.first().is_some_and(|map| matches!(map.last(), Some(AffineResult::Dim(i)) if !generic.reduced[*i]));
        if length <= kept && !are_columns {
            return None;
        }
        let teams = if are_columns { (rows / columns).max(1) } else { rows };
        // A team of columns reads some at a time.
        let shortest = if are_columns { (SHORTEST_PART / columns).max(1) } else { SHORTEST_PART };
        let most = (all / teams).min(length / shortest).max(1);
        // The outermost loop that can be cut, so that parts stay together in memory.
        let reduced = (0..sizes.len()).filter(|i| generic.reduced[*i]);
        let cut = reduced.map(|i| (i, most_parts(sizes[i], most))).find(|(_, parts)| *parts >= FEWEST_PARTS);
        cut.map(|(along, parts)| Cut { along, parts, length: sizes[along] / parts, are_columns })
    }
}

impl<'c> Split<'_, 'c> {
    fn apply(&self) {
        let generic = self.generic;
        let b = Builder::before(generic.op);
        let parallel = generic.parallel_count();
        // The parts' loop stands before or behind the other parallel ones.
        let at = if self.cut.are_columns { 0 } else { parallel };
        let part = AffineResult::Dim(at);
        let moved = |result: &AffineResult| match result {
            AffineResult::Dim(i) if *i == self.cut.along => vec![part, AffineResult::Dim(i + 1)],
            AffineResult::Dim(i) if *i >= at => vec![AffineResult::Dim(i + 1)],
            other => vec![*other],
        };
        let with_part = |part: AffineResult, map: Vec<AffineResult>| {
            if self.cut.are_columns { [vec![part], map].concat() } else { [map, vec![part]].concat() }
        };
        let plain = |map: &Vec<AffineResult>| map.iter().flat_map(moved).collect::<Vec<_>>();
        let (input_maps, output_maps) = generic.maps.split_at(generic.inputs.len());
        let mut maps: Vec<_> = input_maps.iter().map(plain).collect();
        maps.extend(output_maps.iter().map(|map| with_part(part, plain(map))));
        let inputs: Vec<_> = generic.inputs.iter().zip(input_maps).map(|(value, map)| self.expanded(&b, *value, map)).collect();
        let partial: Vec<_> = generic
            .outputs
            .iter()
            .zip(&self.combiners)
            .map(|(output, combiner)| {
                let (shape, parts) = (output.ty().shape(), vec![self.cut.parts]);
                let shape = if self.cut.are_columns { [parts, shape] } else { [shape, parts] }.concat();
                let ty = Type::tensor(&shape, output.ty().element());
                b.constant(Attribute::splat(ty, neutral(combiner, output.ty().element())), ty)
            })
            .collect();
        let kinds: Vec<_> = (0..=generic.reduced.len()).map(|i| i <= parallel).collect();
        let first = build(&b, &inputs, &partial, &maps, &kinds);
        if let (Some(from), Some(to)) = (generic.body(), first.body(0)) {
            let inside = b.inside(to);
            let mut map: HashMap<Value<'c>, Value<'c>> = from.arguments().into_iter().zip(to.arguments()).collect();
            for op in from.ops() {
                inside.clone_op(op, &mut map);
            }
        }
        // What the parts gave
        let mut maps: Vec<_> = output_maps.iter().map(|map| with_part(AffineResult::Dim(parallel), map.clone())).collect();
        maps.extend(output_maps.iter().cloned());
        let kinds: Vec<_> = (0..=parallel).map(|i| i < parallel).collect();
        let second = build(&b, &first.results(), &generic.outputs, &maps, &kinds);
        if let Some(block) = second.body(0) {
            let inside = b.inside(block);
            let arguments = block.arguments();
            let (new, old) = arguments.split_at(self.combiners.len());
            let combined: Vec<_> = self
                .combiners
                .iter()
                .zip(old.iter().zip(new))
                .map(|(combiner, (old, new))| combiner.combine(&inside, *old, *new))
                .collect();
            inside.op("linalg.yield", &combined, &[], &[]);
        }
        generic.op.replace(&second.results());
    }

    /// An operand with the dim that the loop runs along cut into parts.
    fn expanded(&self, b: &Builder<'c>, value: Value<'c>, map: &[AffineResult]) -> Value<'c> {
        let Some(cut) = map.iter().position(|result| *result == AffineResult::Dim(self.cut.along)) else { return value };
        let context = b.context();
        let mut shape = value.ty().shape();
        shape.splice(cut..=cut, [self.cut.parts, self.cut.length]);
        let groups: Vec<_> = (0..map.len() as i64)
            .map(|i| match i.cmp(&(cut as i64)) {
                std::cmp::Ordering::Less => vec![i],
                std::cmp::Ordering::Equal => vec![i, i + 1],
                std::cmp::Ordering::Greater => vec![i + 1],
            })
            .map(|group| Attribute::array(context, &group.into_iter().map(|i| Attribute::i64(context, i)).collect::<Vec<_>>()))
            .collect();
        let attributes = [("reassociation", Attribute::array(context, &groups)), ("static_output_shape", Attribute::i64s(context, &shape))];
        b.value("tensor.expand_shape", &[value], Type::tensor(&shape, value.ty().element()), &attributes)
    }
}

/// What changes nothing when combined.
fn neutral<'c>(combiner: &Combiner<'c>, element: Type<'c>) -> Attribute<'c> {
    combiner.neutral_attribute().unwrap_or_else(|| Attribute::int(element, 0))
}

/// Sizes of all loops, if types tell them.
fn loop_sizes(generic: &Generic<'_>) -> Option<Vec<i64>> {
    let operands = generic.inputs.iter().chain(&generic.outputs);
    let mut sizes = vec![None; generic.reduced.len()];
    for (operand, map) in operands.zip(&generic.maps) {
        for (result, size) in map.iter().zip(operand.ty().shape()) {
            if let AffineResult::Dim(i) = result {
                sizes[*i] = Some(size).filter(|size| *size != DYNAMIC && *size > 0);
                sizes[*i]?;
            }
        }
    }
    sizes.into_iter().collect()
}

/// A `linalg.generic` without a body; `kinds` says which loops are parallel.
fn build<'c>(b: &Builder<'c>, inputs: &[Value<'c>], outputs: &[Value<'c>], maps: &[Vec<AffineResult>], kinds: &[bool]) -> Op<'c> {
    let context = b.context();
    let maps: Vec<_> = maps.iter().map(|map| Attribute::affine_map(context, kinds.len(), map)).collect();
    let kinds: Vec<_> = kinds.iter().map(|parallel| Attribute::iterator(context, *parallel)).collect();
    let segments = [inputs.len() as i32, outputs.len() as i32];
    let attributes = [
        ("indexing_maps", Attribute::array(context, &maps)),
        ("iterator_types", Attribute::array(context, &kinds)),
        ("operandSegmentSizes", Attribute::i32s(context, &segments)),
    ];
    let values = [inputs, outputs].concat();
    let types: Vec<_> = outputs.iter().map(|value| value.ty()).collect();
    let scalars: Vec<_> = values.iter().map(|value| value.ty().element()).collect();
    b.op_with_regions("linalg.generic", &values, &types, &attributes, &[Some(&scalars)])
}
