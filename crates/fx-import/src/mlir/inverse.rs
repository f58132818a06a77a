//! Writing through views: the value of a base whose part or rearrangement got a new value.

use fx_ir::{Attribute, Builder, Op, Type, Value, collect};

use super::memory::View;
use super::problem::{Outcome, Problem};
use super::registry;

/// How the new value of a view gives the new value of its base.
#[derive(Clone, Copy)]
enum Inverse {
    /// The view is its own inverse.
    Itself,
    /// The elements in the base's shape.
    Reshape,
    /// The opposite order of dims.
    Permute,
    /// The opposite moves of dims.
    Move,
    /// The operator of this name puts a part into its whole.
    Scatter(&'static str),
    /// Result `k` holds index `k` of the dim.
    ScatterIndex(&'static str),
    /// The results lie one after another along the dim.
    ScatterRange(&'static str),
    /// The op of this name goes the other way.
    Op(&'static str),
    /// The base's bits.
    Bits,
}

/// View ops with their inverses.
const INVERSES: &[(&str, Inverse)] = &[
    ("fx.adjoint", Inverse::Itself),
    ("fx.as_strided", Inverse::Scatter("aten.as_strided_scatter.default")),
    ("fx.chunk", Inverse::ScatterRange("aten.slice_scatter.default")),
    ("fx.clone", Inverse::Itself),
    ("fx.conj", Inverse::Itself),
    ("fx.diagonal", Inverse::Scatter("aten.diagonal_scatter.default")),
    ("fx.flatten", Inverse::Reshape),
    ("fx.movedim", Inverse::Move),
    ("fx.neg", Inverse::Itself),
    ("fx.numpy_T", Inverse::Itself),
    ("fx.permute", Inverse::Permute),
    ("fx.select", Inverse::Scatter("aten.select_scatter.default")),
    ("fx.slice", Inverse::Scatter("aten.slice_scatter.default")),
    ("fx.split", Inverse::ScatterRange("aten.slice_scatter.default")),
    ("fx.split_dim", Inverse::Reshape),
    ("fx.split_with_sizes", Inverse::ScatterRange("aten.slice_scatter.default")),
    ("fx.squeeze", Inverse::Reshape),
    ("fx.stop_gradient", Inverse::Itself),
    ("fx.t", Inverse::Itself),
    ("fx.to_copy", Inverse::Itself),
    ("fx.transpose", Inverse::Itself),
    ("fx.type_as", Inverse::Itself),
    ("fx.unbind", Inverse::ScatterIndex("aten.select_scatter.default")),
    ("fx.unflatten", Inverse::Reshape),
    ("fx.unsqueeze", Inverse::Reshape),
    ("fx.view", Inverse::Reshape),
    ("fx.view_as", Inverse::Reshape),
    ("fx.view_as_complex", Inverse::Op("fx.view_as_real")),
    ("fx.view_as_real", Inverse::Op("fx.view_as_complex")),
    ("fx.view_dtype", Inverse::Bits),
];

/// The value of `view`'s base, which is `base` now, after the view got the value `value`.
pub(super) fn write_through<'c>(builder: Builder<'c>, view: View<'c>, base: Value<'c>, value: Value<'c>) -> Outcome<Value<'c>> {
    let name = view.op.name();
    let found = INVERSES.iter().find(|(op, _)| *op == name);
    let Some((_, inverse)) = found else {
        return Err(Problem::new(
            format!("writing in place to a result of '{name}' is not supported"),
            "write to the tensor that it views, or to a copy",
        ));
    };
    let writer = Writer { builder, view, base, value };
    match *inverse {
        Inverse::Itself => writer.itself(),
        Inverse::Reshape => writer.infer("fx.view_as", &[value, base], &[]),
        Inverse::Permute => writer.permute(),
        Inverse::Move => writer.move_back(),
        Inverse::Scatter(overload) => writer.scatter(overload),
        Inverse::ScatterIndex(overload) => {
            let index = i64::try_from(view.result).unwrap_or(i64::MAX);
            writer.scatter_static(overload, &[("static_index", &[index])])
        }
        Inverse::ScatterRange(overload) => {
            let (start, end) = writer.range()?;
            let list: &[(&str, &[i64])] = &[("static_start", &[start]), ("static_end", &[end]), ("static_step", &[1])];
            writer.scatter_static(overload, list)
        }
        Inverse::Op(op) => writer.infer(op, &[value], &[]),
        Inverse::Bits => {
            let dtype = Attribute::from_type(base.ty().element());
            writer.infer("fx.view_dtype", &[value], &[("dtype", dtype)])
        }
    }
}

struct Writer<'c> {
    builder: Builder<'c>,
    view: View<'c>,
    base: Value<'c>,
    value: Value<'c>,
}

impl<'c> Writer<'c> {
    fn infer(&self, name: &str, operands: &[Value<'c>], attributes: &[(&str, Attribute<'c>)]) -> Outcome<Value<'c>> {
        let build = || self.builder.infer(name, operands, attributes);
        let (op, reasons) = collect(self.builder.context(), build);
        let op = op.map_err(|_| Problem::rejected(&format!("writing through '{name}'"), &reasons))?;
        Ok(op.result(0))
    }

    /// The view's op on the new value.
    fn itself(&self) -> Outcome<Value<'c>> {
        let op = self.view.op;
        let mut operands = op.operands();
        if let Some(operand) = operands.get_mut(self.view.operand) {
            *operand = self.value;
        }
        self.infer(op.name(), &operands, &op.attributes())
    }

    fn permute(&self) -> Outcome<Value<'c>> {
        let dims = self.view.op.ints("dims").unwrap_or_default();
        let rank = i64::try_from(dims.len()).unwrap_or_default();
        let mut inverse = vec![0; dims.len()];
        for (to, from) in (0..rank).zip(dims) {
            let from = if from < 0 { from + rank } else { from };
            let slot = usize::try_from(from).ok().and_then(|i| inverse.get_mut(i));
            *slot.ok_or_else(|| Problem::malformed("a permutation is out of range"))? = to;
        }
        let dims = Attribute::i64s(self.builder.context(), &inverse);
        self.infer("fx.permute", &[self.value], &[("dims", dims)])
    }

    fn move_back(&self) -> Outcome<Value<'c>> {
        let attribute = |name: &str| {
            let list = self.view.op.ints(name).unwrap_or_default();
            Attribute::i64s(self.builder.context(), &list)
        };
        let attributes = [("source", attribute("destination")), ("destination", attribute("source"))];
        self.infer("fx.movedim", &[self.value], &attributes)
    }

    /// `scatter(base, value, ..)` with the view's further operands and attributes.
    fn scatter(&self, overload: &str) -> Outcome<Value<'c>> {
        let op = self.view.op;
        let mut operands = vec![self.base, self.value];
        operands.extend(op.operands().into_iter().skip(1));
        let context = self.builder.context();
        let attributes: Vec<(&str, Attribute<'c>)> = op
            .attributes()
            .into_iter()
            .map(|(name, value)| match value.as_i32s() {
                Some(segments) if name == "operandSegmentSizes" => {
                    let with_source = [&[1, 1], segments.get(1..).unwrap_or_default()].concat();
                    (name, Attribute::i32s(context, &with_source))
                }
                _ => (name, value),
            })
            .collect();
        self.infer(scatter_op(overload)?, &operands, &attributes)
    }

    /// `scatter(base, value, ..)` at a constant place along the view's dim.
    fn scatter_static(&self, overload: &str, lists: &[(&str, &[i64])]) -> Outcome<Value<'c>> {
        let context = self.builder.context();
        let dim = self.view.op.int("dim").unwrap_or_default();
        let mut attributes = vec![("dim", Attribute::i64(context, dim))];
        attributes.extend(lists.iter().map(|(name, list)| (*name, Attribute::i64s(context, list))));
        if lists.len() > 1 {
            let mut segments = vec![1, 1];
            segments.resize(2 + lists.len(), 0);
            attributes.push(("operandSegmentSizes", Attribute::i32s(context, &segments)));
        }
        self.infer(scatter_op(overload)?, &[self.base, self.value], &attributes)
    }

    /// Where along the dim the view's result lies: after the results before it.
    fn range(&self) -> Outcome<(i64, i64)> {
        let op: Op<'c> = self.view.op;
        let dim = op.int("dim").unwrap_or_default();
        let size_of = |ty: Type<'c>| {
            let shape = ty.shape();
            let rank = i64::try_from(shape.len()).ok()?;
            let dim = usize::try_from(if dim < 0 { dim + rank } else { dim }).ok()?;
            shape.get(dim).copied().filter(|size| *size >= 0)
        };
        let unknown = || Problem::new("writing in place to a part of unknown place is not supported", "write to the tensor that it views");
        let results = op.results();
        let mut sizes = results.iter().map(|result| size_of(result.ty()));
        let start: Option<i64> = sizes.by_ref().take(self.view.result).sum();
        let size = sizes.next().flatten();
        let (start, size) = start.zip(size).ok_or_else(unknown)?;
        Ok((start, start.saturating_add(size)))
    }
}

/// The fx op of a scatter operator.
fn scatter_op(overload: &str) -> Outcome<&'static str> {
    let entry = registry::find(overload).ok_or_else(|| {
        Problem::new(format!("writing in place to a part needs '{overload}', which has no fx op"), "declare the op in 'dialects/fx'")
    })?;
    Ok(entry.def.name)
}
