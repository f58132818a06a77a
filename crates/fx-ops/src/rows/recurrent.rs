//! Recurrent layers, in steps over time.
//!
//! As aten/src/ATen/native/RNN.cpp has them: the input's part of all gates is one product for the whole sequence; a step
//! adds the state's part. Gates stand one after another in the rows of a weight: i, f, g, o in an LSTM, r, z, n in a GRU.
//! Few steps are written out, a long sequence, or one of unknown length, is a `fx.scan`.
//!
//! ```text
//! %gates = fx.linear %x, %w_ih, %b_ih
//! %h1 = step(%h0, %gates[0]), %h2 = step(%h1, %gates[1]), ..    %y = fx.stack %h1, %h2, ..
//! ```

use fx_ir::{Attribute, Result, Type, Value};

use super::shape::slice_value;
use crate::fx_builder::Fx;
use crate::fx_op::{Dim, FxOp};
use crate::table::{OpRow, composite};

/// The table.
pub static ROWS: &[OpRow] = &[
    composite("fx.gru", |f, op| network(f, op, Kind::Gru)),
    composite("fx.lstm", |f, op| network(f, op, Kind::Lstm)),
    composite("fx.rnn_relu", |f, op| network(f, op, Kind::Simple("fx.relu"))).kinked(),
    composite("fx.rnn_tanh", |f, op| network(f, op, Kind::Simple("fx.tanh"))),
];

/// The most steps, of all layers and directions together, that are written out: each compiles for itself.
const WRITTEN_OUT: i64 = 32;

#[derive(Clone, Copy)]
enum Kind {
    Lstm,
    Gru,
    /// With this activation.
    Simple(&'static str),
}

impl Kind {
    fn gates(self) -> i64 {
        match self {
            Kind::Lstm => 4,
            Kind::Gru => 3,
            Kind::Simple(_) => 1,
        }
    }
}

/// Parameters of one layer in one direction.
struct Cell<'c> {
    kind: Kind,
    input: Value<'c>,
    hidden: Value<'c>,
    /// Of the input's part and of the state's.
    biases: Option<[Value<'c>; 2]>,
    /// Makes h smaller than c (LSTM).
    projection: Option<Value<'c>>,
}

/// All layers: the last one's h at all times, then the last states of every layer and direction.
fn network<'c>(f: &Fx<'c>, op: FxOp<'c>, kind: Kind) -> Result<Vec<Value<'c>>> {
    let (layers, directions) = (op.int("num_layers")?, if op.op.flag("bidirectional") { 2 } else { 1 });
    let cells = cells(op, kind, (layers * directions) as usize)?;
    let states = op.list("hx");
    let batch_first = op.op.flag("batch_first");
    let swapped = |x| if batch_first { f.permute(x, &[1, 0, 2]) } else { Ok(x) };
    let mut x = swapped(op.operand("input")?)?;
    let mut last: Vec<Vec<Value<'c>>> = vec![Vec::new(); states.len()];
    for (layer, cells) in cells.chunks(directions as usize).enumerate() {
        let mut outputs = Vec::new();
        for (direction, cell) in cells.iter().enumerate() {
            let index = (layer * cells.len() + direction) as i64;
            let first = states.iter().map(|state| select(f, *state, index)).collect::<Result<Vec<_>>>()?;
            let (output, state) = cell.run(f, op, x, &first, direction == 1)?;
            outputs.push(output);
            last.iter_mut().zip(state).for_each(|(list, state)| list.push(state));
        }
        x = join(f, "fx.cat", &outputs, 2)?;
        if layer + 1 < layers as usize {
            x = dropout(f, op, x)?;
        }
    }
    let mut results = vec![swapped(x)?];
    for states in last {
        results.push(join(f, "fx.stack", &states, 0)?);
    }
    Ok(results)
}

/// `params` by cell: W_ih, W_hh, b_ih, b_hh, W_hr.
fn cells<'c>(op: FxOp<'c>, kind: Kind, count: usize) -> Result<Vec<Cell<'c>>> {
    let params = op.list("params");
    let biases = op.op.flag("has_biases");
    let each = params.len() / count.max(1);
    let usual = if biases { 4 } else { 2 };
    if each != usual && !(matches!(kind, Kind::Lstm) && each == usual + 1) {
        return Err(op.error(&format!("has {} parameters for {count} cells", params.len())));
    }
    let cell =
        |p: &[Value<'c>]| Cell { kind, input: p[0], hidden: p[1], biases: biases.then(|| [p[2], p[3]]), projection: p.get(usual).copied() };
    Ok(params.chunks(each).map(cell).collect())
}

/// Between layers, in training.
fn dropout<'c>(f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>) -> Result<Value<'c>> {
    let p = op.float("dropout")?;
    if !op.op.flag("train") || p == 0.0 {
        return Ok(x);
    }
    let context = f.context();
    let p = Attribute::float(context, Type::f64(context), p);
    f.op("fx.dropout", &[x], &[("p", p), ("train", Attribute::bool(context, true))])
}

fn select<'c>(f: &Fx<'c>, x: Value<'c>, index: i64) -> Result<Value<'c>> {
    f.sized("fx.select", &[x], "index", &[Dim::Static(index)], &[("dim", Attribute::i64(f.context(), 0))])
}

fn join<'c>(f: &Fx<'c>, name: &str, parts: &[Value<'c>], dim: i64) -> Result<Value<'c>> {
    match parts {
        [only] if name == "fx.cat" => Ok(*only),
        _ => f.op(name, parts, &[("dim", Attribute::i64(f.context(), dim))]),
    }
}

/// The sequence in reverse.
fn reversed<'c>(f: &Fx<'c>, x: Value<'c>) -> Result<Value<'c>> {
    f.op("fx.flip", &[x], &[("dims", Attribute::i64s(f.context(), &[0]))])
}

impl<'c> Cell<'c> {
    /// All times of a sequence: h at each, and the last state.
    fn run(&self, f: &Fx<'c>, op: FxOp<'c>, x: Value<'c>, first: &[Value<'c>], backward: bool) -> Result<(Value<'c>, Vec<Value<'c>>)> {
        let rows = self.hidden.ty().shape()[0];
        if rows == fx_ir::DYNAMIC || rows % self.kind.gates() != 0 {
            return Err(op.error(&format!("expects weights of {} times as many rows as the state has, got {rows}", self.kind.gates())));
        }
        let size = rows / self.kind.gates();
        let gates = self.linear(f, x, self.input, 0)?;
        let times = x.ty().shape()[0];
        let steps = times.saturating_mul(op.int("num_layers")?).saturating_mul(if op.op.flag("bidirectional") { 2 } else { 1 });
        if (1..=WRITTEN_OUT).contains(&steps) {
            self.written_out(f, gates, first, size, times, backward)
        } else {
            self.scanned(f, gates, first, size, backward)
        }
    }

    fn written_out(
        &self,
        f: &Fx<'c>,
        gates: Value<'c>,
        first: &[Value<'c>],
        size: i64,
        times: i64,
        backward: bool,
    ) -> Result<(Value<'c>, Vec<Value<'c>>)> {
        let mut state = first.to_vec();
        let mut outputs = Vec::new();
        for step in 0..times {
            let time = if backward { times - 1 - step } else { step };
            state = self.step(f, select(f, gates, time)?, &state, size)?;
            outputs.push(state[0]);
        }
        if backward {
            outputs.reverse();
        }
        Ok((join(f, "fx.stack", &outputs, 0)?, state))
    }

    fn scanned(&self, f: &Fx<'c>, gates: Value<'c>, first: &[Value<'c>], size: i64, backward: bool) -> Result<(Value<'c>, Vec<Value<'c>>)> {
        let gates = if backward { reversed(f, gates)? } else { gates };
        let states: Vec<_> = first.iter().map(|state| state.ty()).collect();
        let shape = gates.ty().shape();
        let slice = Type::tensor(&shape[1..], gates.ty().element());
        let stacked = Type::tensor(&[&shape[..1], &states[0].shape()[..]].concat(), states[0].element());
        let operands = [first, &[gates]].concat();
        let results = [states.as_slice(), &[stacked]].concat();
        let arguments = [states.as_slice(), &[slice]].concat();
        let segments = Attribute::i32s(f.context(), &[first.len() as i32, 1]);
        let scan = f.b.op_with_regions("fx.scan", &operands, &results, &[("operandSegmentSizes", segments)], &[Some(&arguments)]);
        if let Some(block) = scan.body(0) {
            let inside = Fx { b: f.b.inside(block) };
            let arguments = block.arguments();
            let (state, row) = arguments.split_at(first.len());
            let mut next = self.step(&inside, row[0], state, size)?;
            next.push(next[0]);
            inside.b.op("fx.yield", &next, &[], &[]);
        }
        let mut results = scan.results();
        let output = results.pop().unwrap_or(gates);
        Ok((if backward { reversed(f, output)? } else { output }, results))
    }

    /// The next state from the input's part of the gates, [batch, gates * size].
    fn step(&self, f: &Fx<'c>, gates: Value<'c>, state: &[Value<'c>], size: i64) -> Result<Vec<Value<'c>>> {
        let h = state[0];
        let own = self.linear(f, h, self.hidden, 1)?;
        let gate = |x: Value<'c>, k: i64| slice_value(f, x, 1, Dim::Static(k * size), Some(Dim::Static((k + 1) * size)));
        match self.kind {
            Kind::Simple(activation) => Ok(vec![f.op(activation, &[f.add(own, gates)?], &[])?]),
            Kind::Gru => {
                let sum = |k| f.add(gate(own, k)?, gate(gates, k)?);
                let (r, z) = (f.sigmoid(sum(0)?)?, f.sigmoid(sum(1)?)?);
                let n = f.tanh(f.add(gate(gates, 2)?, f.mul(gate(own, 2)?, r)?)?)?;
                Ok(vec![f.add(f.mul(f.sub(h, n)?, z)?, n)?])
            }
            Kind::Lstm => {
                let sum = f.add(own, gates)?;
                let (input, forget, output) = (f.sigmoid(gate(sum, 0)?)?, f.sigmoid(gate(sum, 1)?)?, f.sigmoid(gate(sum, 3)?)?);
                let g = f.tanh(gate(sum, 2)?)?;
                let c = f.add(f.mul(forget, state[1])?, f.mul(input, g)?)?;
                let h = f.mul(output, f.tanh(c)?)?;
                let h = self.projection.map_or(Ok(h), |weight| f.op("fx.linear", &[h, weight], &[]))?;
                Ok(vec![h, c])
            }
        }
    }

    fn linear(&self, f: &Fx<'c>, x: Value<'c>, weight: Value<'c>, bias: usize) -> Result<Value<'c>> {
        let operands: Vec<_> = [x, weight].into_iter().chain(self.biases.map(|biases| biases[bias])).collect();
        f.op("fx.linear", &operands, &[])
    }
}
