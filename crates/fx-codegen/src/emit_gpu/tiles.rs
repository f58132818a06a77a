//! Kernels without reductions that read something across their rows: a block computes a square tile of elements.
//!
//! What is read across lies in memory along one side of the tile, results along the other. Threads read it along its side, put it
//! into workgroup memory, and take it out along the other one, so that both are accesses of 16 bytes, and a line of the tile is
//! 256 bytes on either side: with lines of 128 bytes, or with patches in each thread's registers, an H200's memory gives 4 to 7% less.

use fx_ir::{AffineResult, Result, Type, Value};

use super::map::{ACCESS_BYTES, FEW_ELEMENTS, access_width, is_light};
use super::{Emitter, Factor, Grid, LESS, block_id, known_product, thread_id, when};
use crate::eval::{Eval, Memory};
use crate::generic::Generic;
use crate::kernel::{Kernel, Size};
use crate::team::workgroup_buffer;

/// Bytes of a tile's line, of the narrowest elements.
const LINE_BYTES: i64 = 256;
/// Elements of a tile's line at least and at most.
const LINE: [i64; 2] = [32, 128];
/// Accesses of a thread.
const ACCESSES: i64 = 4;
/// Bytes of workgroup memory that a kernel's own variables may take (PTX ISA, ".shared": what is more has to be asked for).
const MOST_BYTES: i64 = 48 << 10;
/// Bytes of a bank of workgroup memory.
const BANK_BYTES: i64 = 4;

/// What is read across rows, and how a block's threads share a tile.
pub struct Tile<'c> {
    /// The loop along which it is read in the order of memory.
    down: usize,
    /// Elements of a line.
    side: i64,
    /// Elements of an access.
    width: i64,
    /// What is read, each with the loops or constants that are its indices.
    crossed: Vec<(Value<'c>, Vec<AffineResult>)>,
}

impl<'c> Tile<'c> {
    /// The tile of a kernel; none if nothing is read across its rows.
    pub fn of(kernel: &Kernel<'c>) -> Option<Self> {
        let last = kernel.space.len().checked_sub(1)?;
        let width = access_width(kernel);
        if width < 2 || !is_light(kernel) || known_product(&kernel.space)? < FEW_ELEMENTS {
            return None;
        }
        let generics = kernel.body.ops().into_iter().filter_map(Generic::new).filter(|generic| generic.reduced.len() == last + 1);
        let read = generics.flat_map(|generic| generic.inputs.into_iter().zip(generic.maps));
        let mut tile = Self { down: last, side: 0, width, crossed: Vec::new() };
        let mut bytes = 0;
        for (value, map) in read {
            let Some(AffineResult::Dim(down)) = map.last().cloned() else { continue };
            let is_crossed = down != last && map.contains(&AffineResult::Dim(last)) && !map.contains(&AffineResult::Other);
            let is_other = !tile.crossed.is_empty() && down != tile.down || tile.crossed.contains(&(value, map.clone()));
            let element = value.ty().element();
            if !is_crossed || is_other || element.is_complex() {
                continue;
            }
            if tile.crossed.is_empty() {
                let Some(side) = line([kernel.space[down], kernel.space[last]], width) else { continue };
                (tile.down, tile.side) = (down, side);
            }
            let own = tile.side * tile.pitch(element) * element_bytes(element);
            if bytes + own <= MOST_BYTES {
                bytes += own;
                tile.crossed.push((value, map));
            }
        }
        (!tile.crossed.is_empty()).then_some(tile)
    }

    /// The loop along which something is read in the order of memory.
    pub fn down(&self) -> usize {
        self.down
    }

    /// Elements of a line.
    pub fn side(&self) -> i64 {
        self.side
    }

    /// Elements from a line in workgroup memory to the next one: lines begin in neighbouring banks.
    fn pitch(&self, element: Type<'_>) -> i64 {
        self.side + (BANK_BYTES / element_bytes(element)).max(1)
    }

    fn threads(&self) -> i64 {
        self.side * self.side / (self.width * ACCESSES)
    }

    /// Indices of a crossed value at a place of the space.
    fn indices(eval: &mut Eval<'c>, map: &[AffineResult], place: &[Value<'c>]) -> Vec<Value<'c>> {
        let index = |result: &AffineResult| match result {
            AffineResult::Dim(dim) => place[*dim],
            AffineResult::Constant(number) => eval.index(*number),
            AffineResult::Other => eval.index(0), // not among them
        };
        map.iter().map(index).collect()
    }
}

/// Elements of a line of tiles of these sizes, which are no longer than either.
fn line(sizes: [Size; 2], width: i64) -> Option<i64> {
    let [least, most] = LINE;
    let whole = (LINE_BYTES / ACCESS_BYTES * width).min(most);
    let fits = |line: i64| sizes.iter().all(|size| matches!(size, Size::Known(size) if size % width == 0 && *size >= line));
    std::iter::successors(Some(whole), |line| Some(line / 2)).take_while(|line| *line >= least).find(|line| fits(*line))
}

/// Bytes of an element in workgroup memory, where it is as in registers.
fn element_bytes(element: Type<'_>) -> i64 {
    i64::from(element.bit_width().max(8) / 8)
}

/// A place of the space, and that in its tile.
struct Place<'c> {
    indices: Vec<Value<'c>>,
    down: Value<'c>,
    across: Value<'c>,
}

/// Places of an access, and what says, where a tile may reach beyond the space, whether they exist: pairs of which the first
/// has to be less.
struct Access<'c> {
    places: Vec<Place<'c>>,
    inside: Vec<[Value<'c>; 2]>,
}

/// Where a thread's tile is.
struct Seat<'c> {
    /// The first place of the tile.
    first: Vec<Value<'c>>,
    /// The thread's number.
    thread: Value<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// A block for each tile of the last loop and another one.
    pub(super) fn tiles(&self, eval: &mut Eval<'c>, tile: &Tile<'c>) -> Result<Grid> {
        let kernel = self.parts.kernel;
        let (last, down) = (kernel.space.len() - 1, tile.down);
        let others: Vec<_> = (0..last).filter(|i| *i != down).collect();
        let rest: Vec<_> = others.iter().map(|i| kernel.space[*i]).collect();
        let of_tiles = [kernel.space[down], kernel.space[last]];
        let mut factors = vec![Factor { sizes: rest.clone(), per: 1 }];
        factors.extend(of_tiles.map(|size| Factor { sizes: vec![size], per: tile.side }));
        let grid = Grid { factors, threads: tile.threads(), cluster: 1, shared: 0, length: None };
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        let mut counts = eval.sizes(&rest);
        let side = eval.index(tile.side);
        for size in of_tiles {
            let size = eval.size(size);
            counts.push(eval.b.value("arith.ceildivui", &[size, side], size.ty(), &[]));
        }
        let mut numbers = eval.delinearize(block, &counts);
        let mut first = vec![side; kernel.space.len()];
        for i in [last, down] {
            first[i] = numbers.pop().map_or(side, |number| eval.mul(number, side));
        }
        others.iter().zip(numbers).for_each(|(i, number)| first[*i] = number);
        self.tile(eval, tile, &Seat { first, thread })?;
        Ok(grid)
    }

    /// A tile: all that can be read is under way before anything waits.
    fn tile(&self, eval: &mut Eval<'c>, tile: &Tile<'c>, seat: &Seat<'c>) -> Result {
        let kernel = self.parts.kernel;
        let mut read = Vec::new();
        for number in 0..ACCESSES {
            let access = self.access(eval, tile, seat, (number, true));
            for place in access.places {
                for (value, map) in &tile.crossed {
                    let indices = Tile::indices(eval, map, &place.indices);
                    read.push((eval.element(*value, &indices)?, [place.across, place.down]));
                }
            }
        }
        let accesses: Vec<_> = (0..ACCESSES).map(|number| self.access(eval, tile, seat, (number, false))).collect();
        let arguments = kernel.body.arguments().into_iter().zip(&kernel.argument_dims);
        let beside: Vec<_> = arguments.filter(|(value, dims)| value.ty().is_tensor() && **dims == kernel.space).collect();
        for place in accesses.iter().flat_map(|access| &access.places) {
            beside.iter().try_for_each(|(value, _)| eval.element(*value, &place.indices).map(drop))?;
        }
        let mut buffers = Vec::new();
        for (value, _) in &tile.crossed {
            let element = value.ty().element();
            let pitch = tile.pitch(element);
            let stored = Kernel::memory_type(element, eval.context());
            let memref = workgroup_buffer(&eval.b, self.block, tile.side * pitch, stored)?;
            buffers.push((Memory { memref, dims: Vec::new(), element }, eval.index(pitch)));
        }
        let slot = |eval: &mut Eval<'c>, pitch: Value<'c>, [across, down]: [Value<'c>; 2]| {
            let line = eval.mul(across, pitch);
            eval.add(line, down)
        };
        for ((element, place), (buffer, pitch)) in read.into_iter().zip(buffers.iter().cycle()) {
            let slot = slot(eval, *pitch, place);
            eval.store_flat(buffer, slot, element);
        }
        eval.b.op("gpu.barrier", &[], &[], &[]);
        for access in &accesses {
            for place in &access.places {
                for ((value, map), (buffer, pitch)) in tile.crossed.iter().zip(&buffers) {
                    let slot = slot(eval, *pitch, [place.across, place.down]);
                    let read = eval.load_flat(buffer, slot);
                    let indices = Tile::indices(eval, map, &place.indices);
                    eval.known(*value, &indices, read);
                }
            }
            self.tile_results(eval, access)?;
        }
        Ok(())
    }

    /// The results of an access.
    fn tile_results(&self, eval: &mut Eval<'c>, access: &Access<'c>) -> Result {
        let dims = self.parts.space.clone();
        let outputs = self.parts.outputs;
        let mut elements = Vec::new();
        for place in &access.places {
            let position = eval.linearize(&place.indices, &dims);
            eval.set_place(&place.indices, &dims, position);
            for (result, output) in self.parts.kernel.results().into_iter().zip(outputs) {
                elements.push((output, position, eval.element(result, &place.indices)?));
            }
        }
        // Neighbours are stored together: nothing else may come between.
        let store = |eval: &mut Eval<'c>| {
            for i in 0..outputs.len() {
                let own = elements.iter().skip(i).step_by(outputs.len());
                own.for_each(|(output, position, element)| eval.store_flat(output, *position, *element));
            }
            Ok(())
        };
        match access.inside[..] {
            [] => store(eval),
            [[a, b]] => when(eval, LESS, a, b, store),
            [[a, b], [c, d], ..] => when(eval, LESS, a, b, |eval| when(eval, LESS, c, d, store)),
        }
    }

    /// An access of a thread, along the loop `down` or along the last one. Beyond the space, it is one that exists.
    fn access(&self, eval: &mut Eval<'c>, tile: &Tile<'c>, seat: &Seat<'c>, (number, is_down): (i64, bool)) -> Access<'c> {
        let (last, down) = (seat.first.len() - 1, tile.down);
        let per_line = tile.side / tile.width;
        let (lines, of_line, width) = (eval.index(number * tile.threads() / per_line), eval.index(per_line), eval.index(tile.width));
        let line = eval.b.value("arith.divui", &[seat.thread, of_line], of_line.ty(), &[]);
        let line = eval.add(line, lines);
        let start = eval.b.value("arith.remui", &[seat.thread, of_line], of_line.ty(), &[]);
        let start = eval.mul(start, width);
        let (along, beside) = if is_down { (down, last) } else { (last, down) };
        let mut inside = Vec::new();
        let mut own = |eval: &mut Eval<'c>, i: usize, ahead: Value<'c>, taken: i64| {
            let index = eval.add(seat.first[i], ahead);
            let Size::Known(size) = self.parts.kernel.space[i] else { return index };
            if size % tile.side == 0 {
                return index;
            }
            inside.push([index, eval.index(size)]);
            let most = eval.index(size - taken);
            eval.b.value("arith.minui", &[index, most], index.ty(), &[])
        };
        let (first, line_index) = (own(eval, along, start, tile.width), own(eval, beside, line, 1));
        let place = |ahead: i64| {
            let ahead = eval.index(ahead);
            let mut indices = seat.first.clone();
            indices[along] = eval.add(first, ahead);
            indices[beside] = line_index;
            let at = eval.add(start, ahead);
            let (down, across) = if is_down { (at, line) } else { (line, at) };
            Place { indices, down, across }
        };
        Access { places: (0..tile.width).map(place).collect(), inside }
    }
}
