//! Scattering: writes and sums at computed places.

use crate::Function;
use crate::typed::{Values, offsets, written};
use fx_runtime::OpCall;

mod bag;
mod put;
mod reduce;
mod runs;
mod scatter;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Function)] = &[
    ("fx::scatter", scatter::scatter),
    ("fx::scatter_runs", runs::scatter_runs),
    ("fx::index_add", scatter::index_add),
    ("fx::index_reduce", scatter::index_reduce),
    ("fx::index_put", put::index_put),
    ("fx::put", put::put),
    ("fx::as_strided_scatter", as_strided_scatter),
    ("fx::embedding_bag", bag::embedding_bag),
    ("fx::embedding_bag_backward", bag::embedding_bag_backward),
    ("fx::embedding_bag_weights_backward", bag::embedding_bag_weights_backward),
    ("fx::embedding_backward", bag::embedding_backward),
];

/// `as_strided_scatter(x, source; offset, stride..) -> y`: the source's elements at the places of a strided view of the
/// input's memory.
fn as_strided_scatter(call: &OpCall<'_>) -> Values {
    let (input, source) = (call.tensor(0)?, call.tensor(1)?);
    let size = |index| call.int(index).and_then(|size| usize::try_from(size).map_err(|_| format!("has a stride or offset of {size}")));
    let offset = size(0)?;
    let steps = (0..source.dims().len()).map(|d| size(d + 1)).collect::<Result<Vec<_>, _>>()?;
    let reach = source.dims().iter().zip(&steps).map(|(size, step)| size.saturating_sub(1).saturating_mul(*step));
    let last = reach.fold(offset, usize::saturating_add);
    if !source.is_empty() && last >= input.len() {
        return Err(format!("a view that reaches element {last} leaves a tensor of {} elements", input.len()));
    }
    let places = offsets(source.dims(), &steps);
    Ok(vec![written(input, source, places.into_iter().enumerate().map(|(i, place)| Ok((offset + place, i))))?])
}

#[cfg(test)]
mod tests;
