//! Recurrent networks, step by step. `params` holds, per layer and direction, W_ih, W_hh, the biases b_ih, b_hh where there
//! are some, and W_hr where h is projected.

use super::matrix::dense::{Matrix, matrices};
use super::{Entry, random};
use crate::Result;
use crate::array::{Array, DType};
use crate::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Entry] = &[
    ("fx.gru", |call| network(call, 3, gru)),
    ("fx.lstm", |call| network(call, 4, lstm)),
    ("fx.rnn_relu", |call| network(call, 1, |cell, x, state| simple(cell, x, state, |x| super::maximum(x, 0.0)))),
    ("fx.rnn_tanh", |call| network(call, 1, |cell, x, state| simple(cell, x, state, f64::tanh))),
];

/// A cell's parameters.
struct Cell {
    input: Matrix<f64>,
    hidden: Matrix<f64>,
    biases: Option<[Vec<f64>; 2]>,
    projection: Option<Matrix<f64>>,
}

/// A cell's h, and c where it has one.
#[derive(Clone)]
struct State {
    h: Vec<f64>,
    c: Vec<f64>,
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn times(matrix: &Matrix<f64>, x: &[f64]) -> Vec<f64> {
    (0..matrix.rows).map(|i| matrix.row(i).iter().zip(x).map(|(w, x)| w * x).sum()).collect()
}

fn matrix(array: &Array) -> Result<Matrix<f64>> {
    matrices::<f64>(array, &[])?.pop().ok_or_else(|| "internal bug: no matrix".to_string())
}

impl Cell {
    /// The cells in the order of `params`.
    fn all(call: &Call<'_>, count: usize, gates: usize) -> Result<Vec<Cell>> {
        let params = call.arrays("params")?;
        let has_biases = call.bool("has_biases");
        let per_cell = params.len() / count.max(1);
        let plain = if has_biases { 4 } else { 2 };
        if per_cell * count != params.len() || per_cell < plain || per_cell > plain + 1 {
            return Err(format!("has {} parameters for {count} cells", params.len()));
        }
        let cell = |part: &[&Array]| {
            let biases = if has_biases { Some([part[2].values::<f64>(), part[3].values::<f64>()]) } else { None };
            let projection = part.get(plain).map(|array| matrix(array)).transpose()?;
            let cell = Cell { input: matrix(part[0])?, hidden: matrix(part[1])?, biases, projection };
            let rows = cell.input.rows;
            let biases_fit = cell.biases.as_ref().is_none_or(|biases| biases.iter().all(|bias| bias.len() == rows));
            match cell.hidden.rows == rows && rows.is_multiple_of(gates) && biases_fit {
                true => Ok(cell),
                false => Err(format!("has parameters of {rows} and {} rows for {gates} gates", cell.hidden.rows)),
            }
        };
        params.chunks(per_cell).map(cell).collect()
    }

    /// `W_ih x + b_ih` and `W_hh h + b_hh`
    fn parts(&self, x: &[f64], h: &[f64]) -> [Vec<f64>; 2] {
        let [mut a, mut b] = [times(&self.input, x), times(&self.hidden, h)];
        if let Some(biases) = &self.biases {
            a.iter_mut().zip(&biases[0]).for_each(|(x, bias)| *x += bias);
            b.iter_mut().zip(&biases[1]).for_each(|(x, bias)| *x += bias);
        }
        [a, b]
    }
}

fn simple(cell: &Cell, x: &[f64], state: &State, f: impl Fn(f64) -> f64) -> State {
    let [a, b] = cell.parts(x, &state.h);
    State { h: a.iter().zip(&b).map(|(a, b)| f(a + b)).collect(), c: Vec::new() }
}

/// Gates r, z, n.
fn gru(cell: &Cell, x: &[f64], state: &State) -> State {
    let [a, b] = cell.parts(x, &state.h);
    let n = a.len() / 3;
    let next = |k: usize| {
        let (r, z) = (sigmoid(a[k] + b[k]), sigmoid(a[n + k] + b[n + k]));
        let new = (a[2 * n + k] + r * b[2 * n + k]).tanh();
        (1.0 - z) * new + z * state.h[k]
    };
    State { h: (0..n).map(next).collect(), c: Vec::new() }
}

/// Gates i, f, g, o.
fn lstm(cell: &Cell, x: &[f64], state: &State) -> State {
    let [a, b] = cell.parts(x, &state.h);
    let n = a.len() / 4;
    let gate = |which: usize, k: usize| a[which * n + k] + b[which * n + k];
    let c: Vec<f64> = (0..n).map(|k| sigmoid(gate(1, k)) * state.c[k] + sigmoid(gate(0, k)) * gate(2, k).tanh()).collect();
    let h: Vec<f64> = (0..n).map(|k| sigmoid(gate(3, k)) * c[k].tanh()).collect();
    State { h: cell.projection.as_ref().map_or(h.clone(), |matrix| times(matrix, &h)), c }
}

/// The rows of a state, [cells][batch].
fn rows(array: &Array) -> Result<Vec<Vec<Vec<f64>>>> {
    let [first, second, size] = array.shape() else { return Err(format!("has a state of shape {:?}", array.shape())) };
    let values = array.values::<f64>();
    let row = |i: usize, j: usize| values[(i * second + j) * size..(i * second + j + 1) * size].to_vec();
    Ok((0..*first).map(|i| (0..*second).map(|j| row(i, j)).collect()).collect())
}

fn from_rows(dtype: DType, shape: &[usize], rows: &[Vec<Vec<f64>>]) -> Result<Array> {
    Array::new(dtype, shape, rows.iter().flatten().flatten().copied().collect())
}

/// Layers of cells with so many gates: (the last layer's h at all times, the last h of each cell, and the last c).
fn network(call: &Call<'_>, gates: usize, step: impl Fn(&Cell, &[f64], &State) -> State) -> Result<Vec<Value>> {
    let is_lstm = call.result_count() == 3;
    let (input, states) = (call.array("input")?, call.arrays("hx")?);
    let layers = usize::try_from(call.int("num_layers")?).map_err(|_| "has a negative number of layers")?;
    let directions = if call.bool("bidirectional") { 2 } else { 1 };
    let input = if call.bool("batch_first") && input.rank() == 3 { input.transpose(0, 1)? } else { input.clone() };
    let mut sequence = rows(&input)?;
    let cells = Cell::all(call, layers * directions, gates)?;
    let h = rows(states.first().ok_or("has no state")?)?;
    let c = if is_lstm { rows(states.get(1).ok_or("has no state c")?)? } else { vec![Vec::new(); h.len()] };
    let batch = input.size(1);
    check(&cells, gates, &h, &c, batch, input.size(2), directions)?;
    let mut last: Vec<Vec<State>> = Vec::new();
    for layer in 0..layers {
        let mut outputs: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); batch]; sequence.len()];
        for direction in 0..directions {
            let k = layer * directions + direction;
            let state = |b: usize| State { h: h[k][b].clone(), c: c[k].get(b).cloned().unwrap_or_default() };
            let mut states: Vec<State> = (0..batch).map(state).collect();
            for t in 0..sequence.len() {
                let t = if direction == 0 { t } else { sequence.len() - 1 - t };
                for (b, state) in states.iter_mut().enumerate() {
                    *state = step(&cells[k], &sequence[t][b], state);
                    outputs[t][b].extend(&state.h);
                }
            }
            last.push(states);
        }
        sequence = if layer + 1 < layers { dropped(call, outputs)? } else { outputs };
    }
    let width = directions * states.first().map_or(0, |state| state.size(2));
    let output = from_rows(call.result_dtype(0)?, &[sequence.len(), batch, width], &sequence)?;
    let output = if call.bool("batch_first") { output.transpose(0, 1)? } else { output };
    let mut results = vec![output.into()];
    for (i, state) in states.iter().enumerate() {
        let part = |states: &Vec<State>| states.iter().map(|state| if i == 0 { state.h.clone() } else { state.c.clone() }).collect();
        let parts: Vec<Vec<Vec<f64>>> = last.iter().map(part).collect();
        results.push(from_rows(call.result_dtype(i + 1)?, state.shape(), &parts)?.into());
    }
    Ok(results)
}

/// That sizes of parameters, input and states agree.
fn check(
    cells: &[Cell],
    gates: usize,
    h: &[Vec<Vec<f64>>],
    c: &[Vec<Vec<f64>>],
    batch: usize,
    features: usize,
    directions: usize,
) -> Result<()> {
    let states_fit = [h, c].iter().all(|state| state.len() == cells.len());
    let rows_fit = h.iter().all(|rows| rows.len() == batch) && c.iter().all(|rows| rows.is_empty() || rows.len() == batch);
    if !states_fit || !rows_fit {
        return Err(format!("has states of {} cells for {} cells and batch {batch}", h.len(), cells.len()));
    }
    for (k, cell) in cells.iter().enumerate() {
        let hidden = cell.input.rows / gates;
        let output = cell.projection.as_ref().map_or(hidden, |matrix| matrix.rows);
        let expected = if k < directions { features } else { directions * output };
        let own = h[k].iter().all(|row| row.len() == output) && c[k].iter().all(|row| row.len() == hidden);
        if cell.input.columns != expected || cell.hidden.columns != output || !own {
            return Err(format!("has parameters of {} and {} columns in cell {k}", cell.input.columns, cell.hidden.columns));
        }
    }
    Ok(())
}

/// What the next layer sees: in training some elements are dropped.
fn dropped(call: &Call<'_>, outputs: Vec<Vec<Vec<f64>>>) -> Result<Vec<Vec<Vec<f64>>>> {
    let p = call.float("dropout")?;
    if !call.bool("train") || p == 0.0 {
        return Ok(outputs);
    }
    let batch = outputs.first().map_or(0, Vec::len);
    let width = outputs.first().and_then(|rows| rows.first()).map_or(0, Vec::len);
    let array = from_rows(DType::F64, &[outputs.len(), batch, width], &outputs)?;
    rows(&random::dropped(call, &array, p)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        let ones = |rows: usize| Matrix::from_fn(rows, 1, |_, _| 1.0);
        let cell = |gates| Cell { input: ones(gates), hidden: ones(gates), biases: None, projection: None };
        let state = State { h: vec![0.5], c: vec![-1.0] };
        assert_eq!(simple(&cell(1), &[0.25], &state, f64::tanh).h, [0.75f64.tanh()]);
        let z = sigmoid(0.75);
        assert_eq!(gru(&cell(3), &[0.25], &state).h, [(1.0 - z) * (0.25 + z * 0.5).tanh() + z * 0.5]);
        let next = lstm(&cell(4), &[0.25], &state);
        assert_eq!(next.c, [-z + z * 0.75f64.tanh()]);
        assert_eq!(next.h, [z * next.c[0].tanh()]);
    }
}
