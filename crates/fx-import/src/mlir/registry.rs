//! Which fx op an operator imports as: the dialect's own statement (`aten` of `fx_ir::OP_DEFS`).

use std::collections::HashMap;
use std::sync::OnceLock;

use fx_ir::{OP_DEFS, OpDef};

/// An fx op for an overload.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The op.
    pub(super) def: &'static OpDef,
    /// Renamed arguments, `fx argument = schema argument` or `fx argument = #literal`.
    renames: &'static str,
}

/// Where the value of an argument of an fx op comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The argument of this name in the operator's schema.
    Schema(&'static str),
    /// A constant, as text.
    Literal(&'static str),
    /// Nowhere: the operator has no such argument.
    Nothing,
}

/// The fx op for an overload such as `aten.add.Tensor`.
pub(super) fn find(overload: &str) -> Option<Entry> {
    static TABLE: OnceLock<HashMap<&'static str, Entry>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let overloads = OP_DEFS.iter().flat_map(|def| {
            def.aten.iter().map(move |text| {
                let (name, renames) = text.split_once('(').unwrap_or((text, ""));
                let renames = renames.strip_suffix(')').unwrap_or(renames);
                (name, Entry { def, renames })
            })
        });
        overloads.collect()
    });
    table.get(overload).copied()
}

impl Entry {
    /// Where the op's argument `name` comes from.
    pub(super) fn origin(self, name: &'static str) -> Origin {
        let pairs = self.renames.split(',').filter_map(|pair| pair.split_once('='));
        let pairs = pairs.map(|(to, from)| (to.trim(), from.trim()));
        match pairs.clone().find_map(|(to, from)| (to == name).then_some(from)) {
            Some(text) => match text.strip_prefix('#') {
                Some(literal) => Origin::Literal(literal),
                None => Origin::Schema(text),
            },
            // Another argument takes the one of this name: `histogram.bins_tensor(edges=bins)`.
            None if pairs.clone().any(|(_, from)| from == name) => Origin::Nothing,
            None => Origin::Schema(name),
        }
    }

    /// Whether the op has an argument of this name.
    pub(super) fn has(self, name: &str) -> bool {
        self.def.arguments.iter().any(|argument| argument.name == name)
    }
}
