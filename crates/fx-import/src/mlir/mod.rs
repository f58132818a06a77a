//! Programs as MLIR modules in the fx dialect.
//!
//! ```no_run
//! let archive = fx_import::Archive::open("model.pt2")?;
//! let context = fx_ir::new_context(false);
//! if let Ok(module) = fx_import::mlir::import(&archive, &context) {
//!     println!("{}", module.op());
//! }
//! # Ok::<(), fx_import::ImportError>(())
//! ```
//!
//! The module has one function, `@main`. Its arguments are the graph's inputs in order (parameters,
//! buffers, constants, user inputs; weights are not embedded), its results the graph's outputs.
//!
//! | attribute | on | meaning |
//! | --- | --- | --- |
//! | `fx.kind` | argument | `parameter`, `buffer`, `constant` or `input` |
//! | `fx.target` | argument | path in the model; the placeholder's name for an input |
//! | `fx.name` | argument | the placeholder's name |
//! | `fx.persistent = false` | argument | a buffer that is not part of the state dict |
//! | `fx.requires_grad = false` | argument | a frozen parameter |
//! | `fx.dims` | argument | sizes, and names of symbols where the type has `?` |
//! | `fx.symbol` | argument | the symbol that an `index` argument is the value of |
//! | `fx.kind` | result | `output`, `loss`, `buffer_mutation`, `parameter_mutation`, `input_mutation`, `parameter_gradient` or `input_gradient` |
//! | `fx.mutates` | result | path of the buffer or parameter, or name of the input, that gets the value |
//! | `fx.target` | result | path of the parameter, or name of the input, of a gradient |
//! | `fx.symbols` | function | range of each symbol |
//! | `fx.constant_inputs` | function | user inputs with a fixed value, by position among user inputs |
//! | `fx.none_outputs` | function | outputs that are `None`, by position among the caller's outputs |
//! | `fx.output_values` | function | outputs that are strings, by position among the caller's outputs |
//! | `fx.in_spec`, `fx.out_spec` | function | the calling convention, leaves as `*` |
//!
//! Which fx op an operator is, and what its arguments are called, is stated by the dialect
//! (`registry`); defaults, aliases and writes by the operators' schemas (`schema_text`). Programs that
//! write in place become functional (`memory`, `inplace`, `inverse`). Operators that the dialect does not
//! know become `fx.call`.
//!
//! What cannot be imported is reported as a diagnostic at the user's line of Python, all of it in one
//! run: results of a node that failed are poison, and nodes that use them are passed over.

mod arguments;
mod call;
mod control;
mod function;
mod inplace;
mod inverse;
mod memory;
mod numbers;
mod operator;
mod particular;
mod problem;
mod registry;
mod schema_text;
mod scope;
mod signature;
mod symbols;
mod types;

use fx_ir::{Attribute, Context, Location, Module, Reported};

use crate::program::Archive;
use crate::schema::{Node, Target};
use memory::Memory;
use problem::{Outcome, Problem};
use scope::Scope;

/// Converts an archive's program to a module.
///
/// # Errors
/// If something of it is not supported: everything that is not was reported to `context`.
pub fn import<'c>(archive: &Archive, context: &'c Context) -> Result<Module<'c>, Reported> {
    // Complex constants come from a dialect that is not among those that are always loaded.
    context.get_or_load_dialect("complex");
    let location = match archive.path() {
        "" => Location::unknown(context),
        path => Location::file(context, path, 0, 0),
    };
    let mut importer = Importer { context, memory: Memory::default(), failure: None };
    let module = importer.program(archive.program(), location);
    match importer.failure {
        None => Ok(module),
        Some(reported) => Err(reported),
    }
}

/// The state of one import.
struct Importer<'c> {
    context: &'c Context,
    memory: Memory<'c>,
    failure: Option<Reported>,
}

impl<'c> Importer<'c> {
    fn report(&mut self, problem: Problem, location: Location<'c>) {
        self.failure = Some(problem.report(location));
    }

    /// Imports all nodes of a graph.
    fn nodes<'a>(&mut self, scope: &mut Scope<'a, 'c>) {
        let graph = scope.graph;
        for node in &graph.nodes {
            if scope.uses_poison(node) {
                scope.poison(node);
                continue;
            }
            scope.locate(location(self.context, node));
            let tags = node.recompute().zip(scope.builder.block());
            let last = tags.as_ref().and_then(|(_, block)| block.ops().last().copied());
            if let Err(problem) = self.node(scope, node) {
                self.report(problem, scope.builder.location());
                scope.poison(node);
            }
            if let Some(((policy, group), block)) = tags {
                for op in block.ops().into_iter().rev().take_while(|op| Some(*op) != last).filter(|op| op.name().starts_with("fx.")) {
                    op.set_attribute("fx.recompute", Attribute::string(self.context, &policy));
                    group.into_iter().for_each(|group| op.set_attribute("fx.recompute_group", Attribute::i64(self.context, group)));
                }
            }
        }
    }

    fn node<'a>(&mut self, scope: &mut Scope<'a, 'c>, node: &'a Node) -> Outcome<()> {
        match node.callee() {
            Some(Target::Op { namespace, name, overload }) => self.operator(scope, node, (namespace, name, overload)),
            Some(Target::HigherOrder(name)) => self.higher_order(scope, node, name),
            Some(Target::Python { function, .. }) => self.python(scope, node, function),
            None => Err(Problem::malformed(format!("'{}' is no operator", node.target))),
        }
    }
}

/// Where a node comes from: the user's line of Python, in the module that it was called from.
fn location<'c>(context: &'c Context, node: &Node) -> Location<'c> {
    let source = node.source();
    let path = node.module_path().filter(|path| !path.is_empty());
    match (source, path) {
        (Some(source), Some(path)) => {
            let line = Location::file(context, &source.file, source.line, 0);
            Location::named(context, &path, line)
        }
        (Some(source), None) => Location::file(context, &source.file, source.line, 0),
        (None, path) => {
            let name = path.as_deref().or(node.name.as_deref()).unwrap_or(&node.target);
            Location::named(context, name, Location::unknown(context))
        }
    }
}
