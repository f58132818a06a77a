//! A fusion group as a function, and its call.

use std::collections::{HashMap, HashSet};

use fx_ir::{Attribute, Block, Builder, Op, Type, Value};
use fx_ops::fx_op::Dim;

use super::emit::Emission;
use super::kinds::{Kind, classify};
use super::{Former, Group};
use crate::generic::dims_of;

/// Makes kernel functions and calls.
pub(super) struct Outliner<'c> {
    module: Block<'c>,
    /// Text of each kernel without its name -> name.
    known: HashMap<String, String>,
    count: usize,
}

impl<'c> Outliner<'c> {
    /// Makes kernels in `module`.
    pub(super) fn new(module: Block<'c>) -> Self {
        Self { module, known: HashMap::new(), count: 0 }
    }

    /// Makes the group's kernel, unless an equal one exists, and its call where `state` says. Gives its name, unless nothing
    /// reads what it would compute.
    pub(super) fn outline(&mut self, former: &Former<'c>, group: &Group<'c>, state: &mut Emission<'c>) -> Option<String> {
        let outputs = former.outputs(group);
        let first = group.ops.first()?;
        if outputs.is_empty() {
            return None;
        }
        let b = former.builder.located(group.ops.last().unwrap_or(first).location());
        let members: HashSet<Op<'c>> = group.ops.iter().copied().collect();
        let mut kernel = Inputs { former, members: &members, arguments: Vec::new(), order: Vec::new(), seen: HashSet::new() };
        outputs.iter().for_each(|value| kernel.visit(*value));
        let Inputs { mut arguments, order, .. } = kernel;
        // Run-time sizes of what is read and written are arguments too.
        let mut sizes = Vec::new();
        for value in arguments.clone().into_iter().chain(outputs.iter().copied()) {
            if value.ty().is_tensor() {
                let resolved = state.replaced.get(&value).copied().unwrap_or(value);
                sizes.push(dims_of(resolved, &b));
            } else {
                sizes.push(Vec::new());
            }
        }
        for dim in sizes.iter().flatten().chain(&group.space) {
            if let Dim::Dynamic(size) = dim
                && !arguments.contains(size)
            {
                arguments.push(*size);
            }
        }
        // Sizes of what is read may be computed later in the block than what reads it.
        former.emit_values(&arguments, state, self);
        sizes.splice(
            sizes.len() - outputs.len()..sizes.len() - outputs.len(),
            vec![Vec::new(); arguments.len() + outputs.len() - sizes.len()],
        );
        let names = |dims: &[Dim<'c>]| self.dim_names(&b, dims, &arguments);
        let dims: Vec<_> = sizes.iter().map(|dims| names(dims)).collect();
        let asked = first.ancestor("func.func").and_then(|host| host.attribute("fx.schedule"));
        let attributes = kernel_attributes(&b, group, &dims, names(&group.space), asked, arguments.len());
        let (name, checks) = self.define(&b, &arguments, &outputs, &order, &attributes);
        let operands: Vec<_> = arguments.iter().map(|value| state.replaced.get(value).copied().unwrap_or(*value)).collect();
        let types: Vec<_> = outputs.iter().map(|value| value.ty()).collect();
        let context = b.context();
        let mut attributes = vec![
            ("callee", Attribute::symbol_ref(context, &name)),
            ("fx.result_dims", Attribute::array(context, &dims[arguments.len()..])),
        ];
        if !checks.is_empty() {
            attributes.push(("fx.checks", Attribute::array(context, &checks)));
        }
        let call = b.op("func.call", &operands, &types, &attributes);
        for (output, result) in outputs.iter().zip(call.results()) {
            state.replaced.insert(*output, result);
        }
        Some(name)
    }

    /// Sizes as attributes: a number, or `"argN"`.
    fn dim_names(&self, b: &Builder<'c>, dims: &[Dim<'c>], arguments: &[Value<'c>]) -> Attribute<'c> {
        let context = b.context();
        let entries: Vec<_> = dims
            .iter()
            .map(|dim| match dim {
                Dim::Static(size) => Attribute::i64(context, *size),
                Dim::Dynamic(value) => {
                    let place = arguments.iter().position(|argument| argument == value).unwrap_or(usize::MAX);
                    Attribute::string(context, &format!("arg{place}"))
                }
            })
            .collect();
        Attribute::array(context, &entries)
    }

    /// The kernel's function; an equal one that exists already is used again. Its run-time checks are numbered: what they
    /// say is given beside the name, a call holds it.
    fn define(
        &mut self,
        b: &Builder<'c>,
        arguments: &[Value<'c>],
        outputs: &[Value<'c>],
        order: &[Op<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> (String, Vec<Attribute<'c>>) {
        let name = format!("kernel_{}", self.count);
        let inputs: Vec<_> = arguments.iter().map(|value| value.ty()).collect();
        let results: Vec<Type<'c>> = outputs.iter().map(|value| value.ty()).collect();
        let top = Builder::at_end(self.module, b.context(), b.location());
        let function = top.function(&name, &inputs, &results, attributes);
        if let Some(block) = function.body(0) {
            let inside = top.inside(block);
            let mut map: HashMap<_, _> = arguments.iter().copied().zip(block.arguments()).collect();
            for op in order {
                inside.located(op.location()).clone_op(*op, &mut map);
            }
            let values: Vec<_> = outputs.iter().map(|value| map[value]).collect();
            inside.op("func.return", &values, &[], &[]);
        }
        let checks = number_checks(function);
        let text = function.to_local_string(false).replacen(&name, "", 1);
        if let Some(known) = self.known.get(&text) {
            function.erase();
            return (known.clone(), checks);
        }
        self.known.insert(text, name.clone());
        self.count += 1;
        (name, checks)
    }
}

/// Numbers a function's run-time checks; gives the place and the message of each.
fn number_checks<'c>(function: Op<'c>) -> Vec<Attribute<'c>> {
    let context = function.context();
    let mut checks = Vec::new();
    function.walk(&mut |op| {
        if let Some(message) = op.attribute("msg").filter(|_| op.name() == "cf.assert") {
            let location = Attribute::string(context, &crate::place_of(op));
            op.set_attribute("msg", Attribute::string(context, &checks.len().to_string()));
            checks.push(Attribute::dictionary(context, &[("location", location), ("message", message)]));
        }
    });
    checks
}

fn kernel_attributes<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    dims: &[Attribute<'c>],
    space: Attribute<'c>,
    asked: Option<Attribute<'c>>,
    arguments: usize,
) -> Vec<(&'static str, Attribute<'c>)> {
    let context = b.context();
    let entry = |dims: &Attribute<'c>| Attribute::dictionary(context, &[("fx.dims", *dims)]);
    let reduced = group.reduced.clone().unwrap_or_else(|| vec![false; group.space.len()]);
    let mut attributes = vec![
        ("fx.kernel", Attribute::unit(context)),
        ("fx.space", space),
        ("fx.reduced", Attribute::bools(context, &reduced)),
        ("fx.argument_dims", Attribute::array(context, &dims[..arguments])),
        ("res_attrs", Attribute::array(context, &dims[arguments..].iter().map(entry).collect::<Vec<_>>())),
        ("sym_visibility", Attribute::string(context, "private")),
    ];
    attributes.extend(asked.map(|schedule| ("fx.schedule", schedule)));
    attributes
}

/// Finds what a kernel reads from outside, and the ops to copy into it, in order.
struct Inputs<'a, 'c> {
    former: &'a Former<'c>,
    members: &'a HashSet<Op<'c>>,
    arguments: Vec<Value<'c>>,
    order: Vec<Op<'c>>,
    seen: HashSet<Value<'c>>,
}

impl<'c> Inputs<'_, 'c> {
    fn visit(&mut self, value: Value<'c>) {
        if !self.seen.insert(value) {
            return;
        }
        let inside = value.defining_op().filter(|op| {
            // The host has no registers for complex numbers.
            let scalar_constant = !value.ty().is_tensor() && (op.name() == "arith.constant" || value.ty().is_complex());
            // Data movement of an enclosing block is copied too; it is pure and its sources are in memory.
            let moves = self.former.kinds.get(op).map_or_else(|| classify(*op) == Kind::Inline, |kind| *kind == Kind::Inline);
            self.members.contains(op) || scalar_constant || moves
        });
        let Some(op) = inside else {
            self.arguments.push(value);
            return;
        };
        for used in self.former.used(op).iter().copied() {
            self.visit(used);
        }
        for result in op.results() {
            self.seen.insert(result);
        }
        if !self.order.contains(&op) {
            self.order.push(op);
        }
    }
}
