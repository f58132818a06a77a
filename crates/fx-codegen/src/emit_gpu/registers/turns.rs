//! What a thread reads of its row: some accesses, each of neighbouring elements.

use fx_ir::{Result, Type, Value};

use super::super::{EQUAL, Emitter, LESS, compare, when_holds};
use super::shape::Shape;
use crate::assembly::assembly;
use crate::conditions::{SIGNED_AT_LEAST, SIGNED_LESS};
use crate::emit_cpu::full_indices;
use crate::eval::Eval;

/// One element.
pub(super) struct Element<'c> {
    /// The loops over the row.
    pub loops: Vec<Value<'c>>,
    /// The indices in the space.
    pub indices: Vec<Value<'c>>,
    /// The position in memory.
    pub position: Value<'c>,
    /// Whether it is one of the row's own that no other access has; none says always. Other elements are computed, and
    /// dropped: a branch would hide what is known of all.
    pub inside: Option<Value<'c>>,
}

/// One access of a thread.
pub(super) struct Turn<'c> {
    /// Its elements.
    pub elements: Vec<Element<'c>>,
    /// Whether all of them are inside; none says always.
    pub inside: Option<Value<'c>>,
    /// Whether some of them may be inside where not all are.
    pub partly: bool,
    /// Its place among columns, where it starts anywhere.
    pub columns: Option<Columns<'c>>,
}

/// Where an access of a row that starts anywhere lies among columns: half an access is the unit that is read there.
pub(super) struct Columns<'c> {
    /// The column where the first element's unit starts; before the row's start it is negative.
    pub start: Value<'c>,
    /// How far behind that the first element is, in 32 bits.
    pub shift: Value<'c>,
    /// Whether it may begin before the row.
    pub may_start: bool,
    /// Whether it may end behind the row's last whole access, or near it.
    pub may_end: bool,
}

impl<'c> Turn<'c> {
    /// Builds what stores elements, given as places among the turn's: all of them where that is possible.
    pub fn store(&self, eval: &mut Eval<'c>, build: &mut dyn FnMut(&mut Eval<'c>, &[usize]) -> Result) -> Result {
        let all: Vec<_> = (0..self.elements.len()).collect();
        let Some(inside) = self.inside else { return build(eval, &all) };
        when_holds(eval, inside, |eval| build(eval, &all))?;
        if !self.partly {
            return Ok(());
        }
        let not_all = hidden_negation(eval, inside);
        when_holds(eval, not_all, |eval| {
            all.iter().zip(&self.elements).try_for_each(|(i, element)| match element.inside {
                Some(inside) => when_holds(eval, inside, |eval| build(eval, &[*i])),
                None => build(eval, &[*i]),
            })
        })
    }
}

impl<'c> Emitter<'_, 'c> {
    /// The thread's accesses.
    pub(super) fn turns(&self, eval: &mut Eval<'c>, shape: &Shape, place: &[Value<'c>], lane: Value<'c>) -> Vec<Turn<'c>> {
        let inner = eval.sizes(&self.parts.kernel.inner());
        let zeros = vec![eval.index(0); inner.len()];
        let at_start = full_indices(self.parts.kernel, place, &zeros);
        let dims = self.parts.space.clone();
        let row = Row { start: eval.linearize(&at_start, &dims), length: eval.product(&inner), inner };
        if shape.shifted { self.shifted_turns(eval, shape, place, lane, &row) } else { self.even_turns(eval, shape, place, lane, &row) }
    }

    /// Accesses that start with the row.
    fn even_turns(&self, eval: &mut Eval<'c>, shape: &Shape, place: &[Value<'c>], lane: Value<'c>, row: &Row<'c>) -> Vec<Turn<'c>> {
        let (width, count) = (eval.index(shape.width), eval.index(shape.accesses));
        let team = shape.threads * shape.blocks;
        // Turns differ by constants, so that their addresses do.
        let own = eval.mul(lane, width);
        let own_position = eval.add(row.start, own);
        let mut turns = Vec::new();
        for turn in 0..shape.turns {
            let mut inside = None;
            let (offset, position);
            if (turn + 1) * team > shape.accesses {
                let before = eval.index(turn * team);
                let access = eval.add(lane, before);
                inside = Some(compare(eval, LESS, access, count));
                let last = eval.index(shape.accesses - 1);
                let access = eval.b.value("arith.minui", &[access, last], access.ty(), &[]);
                offset = eval.mul(access, width);
                position = eval.add(row.start, offset);
            } else {
                let before = eval.index(turn * team * shape.width);
                offset = eval.add(own, before);
                position = eval.add(own_position, before);
            }
            let first = eval.delinearize(offset, &row.inner);
            let elements = (0..shape.width).map(|ahead| {
                let ahead = eval.index(ahead);
                let mut loops = first.clone();
                if let Some(last) = loops.last_mut() {
                    *last = eval.add(*last, ahead);
                }
                let indices = full_indices(self.parts.kernel, place, &loops);
                Element { loops, indices, position: eval.add(position, ahead), inside }
            });
            turns.push(Turn { elements: elements.collect(), inside, partly: false, columns: None });
        }
        turns
    }

    /// Accesses at multiples of their size in memory: the row begins somewhere in the first one. Only accesses that may reach
    /// beyond the row say which of their elements are its own: those from `low` to `high`, counted from the access.
    fn shifted_turns(&self, eval: &mut Eval<'c>, shape: &Shape, place: &[Value<'c>], lane: Value<'c>, row: &Row<'c>) -> Vec<Turn<'c>> {
        let index = lane.ty();
        let subtract = |eval: &Eval<'c>, a: Value<'c>, b: Value<'c>| eval.b.value("arith.subi", &[a, b], index, &[]);
        let (one, width) = (eval.index(1), eval.index(shape.width));
        let before = eval.b.value("arith.remui", &[row.start, width], index, &[]);
        let base = subtract(eval, row.start, before);
        let end = eval.add(before, row.length);
        let count = eval.b.value("arith.ceildivui", &[end, width], index, &[]);
        let last_access = subtract(eval, count, one);
        let last_element = subtract(eval, row.length, one);
        let team = shape.threads * shape.blocks;
        let unit = eval.index(shape.width / 2);
        let shift = subtract(eval, width, before);
        let shift = eval.b.value("arith.remui", &[shift, unit], index, &[]);
        let back = eval.add(before, shift);
        let shift = eval.b.value("arith.index_cast", &[shift], Type::int(eval.context(), 32), &[]);
        // an access more than what a row has on its own, one less if it is not aligned
        let surely = shape.accesses - 2;
        let mut turns = Vec::new();
        for turn in 0..shape.turns {
            let ahead = eval.index(turn * team);
            let mut access = eval.add(ahead, lane);
            let wanted = eval.mul(access, width);
            let bound = |eval: &Eval<'c>, edge: Value<'c>| {
                let places = subtract(eval, edge, wanted);
                eval.b.value("arith.index_cast", &[places], Type::int(eval.context(), 32), &[])
            };
            let low = (turn == 0).then(|| bound(eval, before));
            let high = ((turn + 1) * team > surely).then(|| bound(eval, end));
            if high.is_some() {
                access = eval.b.value("arith.minui", &[access, last_access], index, &[]);
            }
            let offset = eval.mul(access, width);
            let position = eval.add(base, offset);
            let mut elements = Vec::new();
            for j in 0..shape.width {
                let inside = between(eval, low, high, [j, j]);
                let j = eval.index(j);
                let ahead = eval.add(offset, j);
                let mut number = subtract(eval, ahead, before);
                if inside.is_some() {
                    number = eval.b.value("arith.minui", &[number, last_element], index, &[]); // less than 0 is large
                }
                let loops = eval.delinearize(number, &row.inner);
                let indices = full_indices(self.parts.kernel, place, &loops);
                elements.push(Element { loops, indices, position: eval.add(position, j), inside });
            }
            let inside = between(eval, low, high, [0, shape.width - 1]);
            let may_end = (turn + 1) * team >= surely;
            let columns = Columns { start: subtract(eval, offset, back), shift, may_start: low.is_some(), may_end };
            turns.push(Turn { elements, inside, partly: inside.is_some(), columns: Some(columns) });
        }
        turns
    }
}

/// `low <= first && last < high`, where there are such bounds; none if there are none.
fn between<'c>(eval: &Eval<'c>, low: Option<Value<'c>>, high: Option<Value<'c>>, [first, last]: [i64; 2]) -> Option<Value<'c>> {
    let b = &eval.b;
    let test = |bound: Value<'c>, number: i64, predicate: i64| compare(eval, predicate, b.int(bound.ty(), number), bound);
    let low = low.map(|low| test(low, first, SIGNED_AT_LEAST));
    let high = high.map(|high| test(high, last, SIGNED_LESS));
    match (low, high) {
        (Some(low), Some(high)) => Some(b.value("arith.andi", &[low, high], low.ty(), &[])),
        (low, high) => low.or(high),
    }
}

/// Whether a condition does not hold, hidden from the optimiser: it would join the branches and what they store, one by one.
fn hidden_negation<'c>(eval: &Eval<'c>, condition: Value<'c>) -> Value<'c> {
    let b = &eval.b;
    let word = Type::int(eval.context(), 32);
    let wide = b.value("arith.extui", &[condition], word, &[]);
    let hidden = assembly(b, "", "=r,0", &[wide], word);
    compare(eval, EQUAL, hidden, b.int(word, 0))
}

/// A row in memory.
struct Row<'c> {
    start: Value<'c>,
    length: Value<'c>,
    /// Sizes of its loops.
    inner: Vec<Value<'c>>,
}
