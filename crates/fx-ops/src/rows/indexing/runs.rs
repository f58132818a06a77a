//! Writes and sums at computed places, by kernels: where each value goes is computed like any element, and one function of
//! the library, `fx::scatter_runs`, joins values to what is there. A kernel of a GPU does that in no particular order.
//!
//! ```text
//! %y = fx.call "fx::scatter_runs"(%x, %values, %positions) args {reduce = "sum"}
//!     : (tensor<10x6xf32>, tensor<4x6xf32>, tensor<4xi64>) -> tensor<10x6xf32>
//! ```
//!
//! Values have the sizes of the positions and then those of a run: elements that lie next to each other in `x`, here a row.
//! A position counts runs from the start of `x`; a negative one is left out. What is smaller than 32 bits is joined in a wider
//! type, so that it is rounded once, and complex numbers are added by their parts.

use fx_ir::{Attribute, NumberKind, Type, Value};

use super::position::{Axis, Place};
use super::{check_covers, loops, with_a_dim};
use crate::fx_op::{Dim, FxOp};
use crate::library::{HostArguments, HostResult};
use crate::lower::{Body, Ix, Lower, Operand, Tensor};
use crate::rows::reduction::{highest, lowest};
use crate::scalar::{Compare, Number, Scalars, opmath};

/// Values and where they go.
pub(super) struct Runs<'c> {
    /// Sizes of the positions, then of a run.
    values: Tensor<'c>,
    /// Which run of the input each is, `i64`; none if negative.
    positions: Tensor<'c>,
}

impl<'c> Runs<'c> {
    /// The values, in the type that they are joined in, times a number of the program.
    pub(super) fn times(self, cx: &Lower<'c>, factor: Value<'c>) -> Self {
        let is_one = factor.constant().is_some_and(|one| one.as_int() == Some(1) || one.as_float() == Some(1.0));
        if is_one {
            return self;
        }
        let ty = wide(cx, self.values.element);
        let operand = cx.broadcast(&self.values, &self.values.dims);
        let values = cx.map(&self.values.dims, ty, &[operand], |body, a| {
            let s = &body.s;
            s.mul(s.from_scalar(factor, ty), s.cast(a[0], ty))
        });
        Self { values, ..self }
    }
}

/// How values meet at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// Any of them stays.
    Set,
    Sum,
    Product,
    Mean,
    Largest,
    Smallest,
}

impl Join {
    /// By PyTorch's name; an empty one writes. None if kernels do not join elements of that type so.
    pub(super) fn in_kernels(cx: &Lower<'_>, name: &str, element: Type<'_>) -> Option<Self> {
        let join = match name {
            "" => Join::Set,
            "sum" => Join::Sum,
            "prod" => Join::Product,
            "mean" => Join::Mean,
            "amax" => Join::Largest,
            "amin" => Join::Smallest,
            _ => return None,
        };
        let can = match element.number_kind() {
            NumberKind::Float => element.bit_width() >= 16,
            NumberKind::Complex => matches!(join, Join::Set | Join::Sum),
            // Sums of integers would have to wrap before they are divided.
            NumberKind::Int | NumberKind::Unsigned | NumberKind::Bool => join != Join::Mean,
        };
        (cx.scatter_in_kernels && can).then_some(join)
    }

    /// The library's name for it, none for writing.
    fn reduce(self) -> Option<&'static str> {
        match self {
            Join::Set => None,
            Join::Sum | Join::Mean => Some("sum"),
            Join::Product => Some("prod"),
            Join::Largest => Some("amax"),
            Join::Smallest => Some("amin"),
        }
    }

    /// What changes nothing when joined.
    fn neutral<'c>(self, s: &Scalars<'c>, ty: Type<'c>) -> Number<'c> {
        match self {
            Join::Set | Join::Sum | Join::Mean => s.int(ty, 0),
            Join::Product => s.int(ty, 1),
            Join::Largest => lowest(s, ty),
            Join::Smallest => highest(s, ty),
        }
    }
}

/// The type that elements are joined in: 32 or 64 bits.
fn wide<'c>(cx: &Lower<'c>, ty: Type<'c>) -> Type<'c> {
    let is_narrow = !ty.is_float() && !ty.is_complex() && ty.bit_width() < 32;
    if is_narrow { Type::int(cx.context(), 32) } else { opmath(cx.context(), ty) }
}

fn converted<'c>(cx: &Lower<'c>, tensor: &Tensor<'c>, element: Type<'c>) -> Tensor<'c> {
    if tensor.element == element {
        return tensor.clone();
    }
    cx.map(&tensor.dims, element, &[cx.broadcast(tensor, &tensor.dims)], |body, a| body.s.cast(a[0], element))
}

/// The input with values joined to it; `include_self` says whether its own elements count where values go.
pub(super) fn scattered<'c>(cx: &Lower<'c>, input: &Tensor<'c>, runs: &Runs<'c>, join: Join, include_self: bool) -> Tensor<'c> {
    if runs.values.dims.iter().any(|dim| dim.known() == Some(0)) {
        return input.clone();
    }
    if join == Join::Set {
        return call(cx, join, input, runs);
    }
    if input.element.is_complex() {
        return complex_sum(cx, input, runs, include_self);
    }
    let ty = wide(cx, input.element);
    let wider = Runs { values: converted(cx, &runs.values, ty), positions: runs.positions.clone() };
    let mut result = started(cx, &converted(cx, input, ty), &wider, join, include_self);
    result = call(cx, join, &result, &wider);
    if join == Join::Mean {
        result = over_counts(cx, &result, runs, include_self);
    }
    converted(cx, &result, input.element)
}

/// The input, with what is neutral where values go unless its own elements count there.
fn started<'c>(cx: &Lower<'c>, input: &Tensor<'c>, runs: &Runs<'c>, join: Join, include_self: bool) -> Tensor<'c> {
    if include_self {
        return input.clone();
    }
    let neutral = cx.fill(&runs.values.dims, join.neutral(&Scalars::new(cx.b), input.element));
    call(cx, Join::Set, input, &Runs { values: neutral, positions: runs.positions.clone() })
}

/// Sums over the number of values at each place, and itself.
fn over_counts<'c>(cx: &Lower<'c>, sums: &Tensor<'c>, runs: &Runs<'c>, include_self: bool) -> Tensor<'c> {
    let s = Scalars::new(cx.b);
    let ty = Type::int(cx.context(), 32);
    let own = cx.fill(&sums.dims, s.int(ty, i64::from(include_self)));
    let ones = Runs { values: cx.fill(&runs.values.dims, s.int(ty, 1)), positions: runs.positions.clone() };
    let counts = call(cx, Join::Sum, &own, &ones);
    let operands = [sums, &counts].map(|tensor| cx.broadcast(tensor, &sums.dims));
    cx.map(&sums.dims, sums.element, &operands, |body, a| {
        let s = &body.s;
        s.div(a[0], s.cast(s.max(a[1], s.int(ty, 1)), a[0].ty))
    })
}

/// A sum of complex numbers, as one of twice as many real ones.
fn complex_sum<'c>(cx: &Lower<'c>, input: &Tensor<'c>, runs: &Runs<'c>, include_self: bool) -> Tensor<'c> {
    let part = input.element.element();
    let parts = |tensor: &Tensor<'c>| {
        let rank = tensor.rank();
        let dims = [tensor.dims.clone(), vec![Dim::Static(2)]].concat();
        let operand = Operand { tensor: tensor.clone(), map: (0..rank).map(Ix::Loop).collect() };
        cx.map(&dims, part, &[operand], |body, a| {
            let s = &body.s;
            let (re, im) = s.parts(a[0]);
            let index = body.as_number(body.index(rank));
            s.select(s.compare(Compare::Eq, index, s.int(index.ty, 0)), re, im)
        })
    };
    let runs = Runs { values: parts(&runs.values), positions: runs.positions.clone() };
    let start = started(cx, &parts(input), &runs, Join::Sum, include_self);
    let sums = call(cx, Join::Sum, &start, &runs);
    let (zero, one) = (cx.b.index(0), cx.b.index(1));
    cx.map(&input.dims, input.element, &[], |body, _| {
        let at = |part: Value<'c>| [loops(body, input.rank()), vec![part]].concat();
        body.s.complex(body.extract(&sums, &at(zero)), body.extract(&sums, &at(one)))
    })
}

fn call<'c>(cx: &Lower<'c>, join: Join, input: &Tensor<'c>, runs: &Runs<'c>) -> Tensor<'c> {
    let context = cx.context();
    let attributes = join.reduce().map(|name| Attribute::dictionary(context, &[("reduce", Attribute::string(context, name))]));
    let result = HostResult::sized(&input.dims, input.element);
    let tensors = [input.clone(), runs.values.clone(), runs.positions.clone()];
    cx.host("fx::scatter_runs", &tensors, HostArguments { scalars: &[], attributes }, &[result]).remove(0)
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// A run's number: the row-major position of `at` among `sizes`, unless one of its parts is nowhere.
fn number<'c>(body: &Body<'c>, at: &[Value<'c>], sizes: &[Value<'c>], places: &[Place<'c>]) -> Number<'c> {
    let s = &body.s;
    let ty = Type::int(s.context(), 64);
    let start = body.as_number(at.first().copied().unwrap_or_else(|| s.b.index(0)));
    let rest = at.iter().zip(sizes).skip(1);
    let position = rest.fold(start, |position, (index, size)| s.add(s.mul(position, body.as_number(*size)), body.as_number(*index)));
    let position = s.cast(position, ty);
    match places.iter().filter_map(|place| place.inside).reduce(|all, inside| s.and(all, inside)) {
        Some(inside) => s.select(inside, position, s.int(ty, -1)),
        None => position,
    }
}

fn i64_type<'c>(cx: &Lower<'c>) -> Type<'c> {
    Type::int(cx.context(), 64)
}

fn values_of<'c>(cx: &Lower<'c>, dims: &[Dim<'c>]) -> Vec<Value<'c>> {
    dims.iter().map(|dim| cx.dim_value(*dim)).collect()
}

/// `values[i, j]` goes to `[index[i, j], j]` for dim 0, and so for other dims. None if there is no such place.
pub(super) fn along<'c>(
    cx: &Lower<'c>,
    op: FxOp<'c>,
    input: &Tensor<'c>,
    dim: usize,
    index: Tensor<'c>,
    source: Tensor<'c>,
) -> Option<Runs<'c>> {
    let (input, index) = (with_a_dim(cx, input.clone()), with_a_dim(cx, index));
    let rank = input.rank();
    if index.rank() != rank {
        return None; // only an index without elements may have another rank
    }
    for d in (0..rank).filter(|d| *d != dim) {
        check_covers(cx, op, input.dims[d], index.dims[d], d);
    }
    let values = match source.rank() {
        0 => cx.map(&index.dims, source.element, &[Operand { tensor: source, map: Vec::new() }], |_, a| a[0]),
        _ if source.dims == index.dims => source,
        _ => {
            for d in 0..rank {
                let message = format!("'{}' op expects 'index' to be no larger than 'src' in dimension {d}", op.op.name());
                cx.check_at_most(index.dims[d], source.dims[d], &message);
            }
            cx.map(&index.dims, source.element, &[], |body, _| body.extract(&source, &loops(body, rank)))
        }
    };
    let axis = Axis::new(cx, op, &input, dim);
    let sizes = values_of(cx, &input.dims);
    let positions = cx.map(&index.dims, i64_type(cx), &[cx.broadcast(&index, &index.dims)], |body, a| {
        let place = axis.place(body, a[0]);
        let mut at = loops(body, rank);
        at[dim] = place.index;
        number(body, &at, &sizes, &[place])
    });
    Some(Runs { values, positions })
}

/// Slice `i` of the values goes to place `index[i]` along a dim.
pub(super) fn slices<'c>(cx: &Lower<'c>, op: FxOp<'c>, input: &Tensor<'c>, dim: usize, index: Tensor<'c>, source: Tensor<'c>) -> Runs<'c> {
    let (input, index) = (with_a_dim(cx, input.clone()), with_a_dim(cx, index));
    let mut dims = input.dims.clone();
    dims[dim] = index.dims[0];
    // One element needs no dims.
    let values = if source.rank() < dims.len() { cx.reshape(&source, &dims) } else { source };
    cx.check_shape(&values.dims, &dims);
    let axis = Axis::new(cx, op, &input, dim);
    let sizes = values_of(cx, &input.dims[..=dim]);
    let operand = Operand { tensor: index, map: vec![Ix::Loop(dim)] };
    let positions = cx.map(&dims[..=dim], i64_type(cx), &[operand], |body, a| {
        let place = axis.place(body, a[0]);
        let mut at = loops(body, dim);
        at.push(place.index);
        number(body, &at, &sizes, &[place])
    });
    Runs { values, positions }
}

/// `values[i]` goes to `[tensors[i]..]`: integer tensors in place of some dims, as [`super::advanced`] says. Dims behind the
/// last of them are runs.
pub(super) fn indexed<'c>(
    cx: &Lower<'c>,
    op: FxOp<'c>,
    input: &Tensor<'c>,
    at: super::advanced::Positions<'c>,
    values: Tensor<'c>,
) -> Runs<'c> {
    let layout = at.layout(cx, input);
    let last = at.dims.last().map_or(0, |dim| dim + 1);
    let behind = input.rank() - last;
    // Dims of size 1 may stand before those that there are.
    let own = &values.dims[values.rank().saturating_sub(layout.dims.len())..];
    let values = cx.reshape(&values, own);
    let values = if values.dims == layout.dims {
        values
    } else {
        cx.map(&layout.dims, values.element, &[cx.broadcast(&values, &layout.dims)], |_, a| a[0])
    };
    let axes: Vec<_> = at.dims.iter().map(|dim| Axis::wrapping(cx, op, input, *dim)).collect();
    let sizes = values_of(cx, &input.dims[..last]);
    let dims = &layout.dims[..layout.dims.len() - behind];
    let positions = cx.map(dims, i64_type(cx), &layout.operands, |body, a| {
        let (all, places) = layout.place(body, &at.dims, &axes, a, last);
        number(body, &all, &sizes, &places)
    });
    Runs { values, positions }
}

/// `values[i]` goes to place `index[i]` of the flattened input; negative ones count from the end.
pub(super) fn flat<'c>(cx: &Lower<'c>, op: FxOp<'c>, input: &Tensor<'c>, index: &Tensor<'c>, source: &Tensor<'c>) -> Runs<'c> {
    let (count, total) = (cx.product(&index.dims), cx.product(&input.dims));
    let [index, values] = [index, source].map(|tensor| cx.reshape(tensor, &[cx.product(&tensor.dims)]));
    cx.check_sizes(values.dims[0], count);
    let axis = Axis::described(cx, op, total, "index {value} is out of range for a tensor of {bound} elements").wrap();
    let positions = cx.map(&index.dims, i64_type(cx), &[cx.broadcast(&index, &index.dims)], |body, a| {
        let place = axis.place(body, a[0]);
        number(body, &[place.index], &[], &[place])
    });
    Runs { values, positions }
}

/// The gradient of a table of `rows` rows by lookups at `indices`, but for row `padding`: sums of the rows of `grad`, each
/// over the number of times that its row was looked up if `by_frequency`.
pub(super) fn lookups<'c>(
    cx: &Lower<'c>,
    op: FxOp<'c>,
    grad: &Tensor<'c>,
    indices: &Tensor<'c>,
    [rows, padding]: [Dim<'c>; 2],
    by_frequency: bool,
) -> Tensor<'c> {
    let rank = indices.rank();
    cx.check_shape(&grad.dims, &indices.dims);
    let columns = grad.dims[rank];
    let ty = wide(cx, grad.element);
    let s = Scalars::new(cx.b);
    let table = cx.fill(&[rows, columns], s.int(ty, 0));
    let axis = Axis::described(cx, op, rows, "index {value} is out of bounds for dimension 0 with size {bound}");
    let padding = cx.dim_value(padding);
    let positions = |skip: bool| {
        cx.map(&indices.dims, i64_type(cx), &[cx.broadcast(indices, &indices.dims)], |body, a| {
            let s = &body.s;
            let place = axis.place(body, a[0]);
            let row = number(body, &[place.index], &[], &[place]);
            let is_padding = s.compare(Compare::Eq, body.as_number(place.index), body.as_number(padding));
            if skip { s.select(is_padding, s.int(row.ty, -1), row) } else { row }
        })
    };
    let mut values = converted(cx, grad, ty);
    if by_frequency {
        let ones = Runs { values: cx.fill(&indices.dims, s.int(ty, 1)), positions: positions(false) };
        let counts = call(cx, Join::Sum, &cx.fill(&[rows], s.int(ty, 0)), &ones);
        let operands = [Operand { tensor: values, map: (0..=rank).map(Ix::Loop).collect() }, cx.broadcast(indices, &indices.dims)];
        values = cx.map(&grad.dims, ty, &operands, |body, a| {
            let place = axis.place(body, a[1]);
            let count = super::position::read(body, &counts, &[place.index], &[place]);
            body.s.mul(body.s.div(body.s.int(ty, 1), count), a[0])
        });
    }
    let runs = Runs { values, positions: positions(true) };
    converted(cx, &scattered(cx, &table, &runs, Join::Sum, true), grad.element)
}
