//! Operators that write to their arguments, and the functional operators that stand for them.
//!
//! PyTorch's conventions: `add_.Tensor` writes to `self` what `add.Tensor` gives; `add.out` writes it to
//! `out`; an operator that writes to other arguments too has a twin `.._functional`, which gives their
//! new values after its results. Batch norm writes its running statistics without saying so (instance norm too, which has no
//! functional twin: `particular`).

use super::numbers;
use super::problem::{Outcome, Problem};
use super::registry::{self, Entry};
use super::schema_text::{self, Schema};
use crate::schema::{Argument, Node};

/// The functional operator for one that writes.
pub(super) struct Functional {
    pub(super) overload: String,
    pub(super) entry: Entry,
    pub(super) schema: Option<&'static Schema>,
    /// Which result of the functional operator each result is; none where the only result is the
    /// written argument.
    pub(super) results: Vec<usize>,
    /// Arguments that are written, each with the result that is its new value.
    pub(super) writes: Vec<(&'static str, usize)>,
}

/// An operator that writes to arguments although its schema does not say so.
struct Hidden {
    overload: &'static str,
    /// The argument that says whether it does.
    when: &'static str,
    functional: &'static str,
    results: &'static [usize],
    writes: &'static [(&'static str, usize)],
}

const HIDDEN: &[Hidden] = &[
    Hidden {
        overload: "aten.batch_norm.default",
        when: "training",
        functional: "aten._native_batch_norm_legit_functional.default",
        results: &[0],
        writes: &[("running_mean", 3), ("running_var", 4)],
    },
    Hidden {
        overload: "aten.native_batch_norm.default",
        when: "training",
        functional: "aten._native_batch_norm_legit_functional.default",
        results: &[0, 1, 2],
        writes: &[("running_mean", 3), ("running_var", 4)],
    },
];

/// Random operators of which the functional overload has another name.
const RENAMED: &[(&str, &str)] =
    &[("aten.bernoulli_.float", "aten.bernoulli.p"), ("aten.normal_.default", "aten.normal_functional.default")];

/// The functional operator for a call; none for a call that writes nothing.
pub(super) fn functional(
    node: &Node,
    (namespace, name, overload): (&str, &str, &str),
    schema: Option<&'static Schema>,
) -> Outcome<Option<Functional>> {
    let full = format!("{namespace}.{name}.{overload}");
    if let Some(hidden) = HIDDEN.iter().find(|hidden| hidden.overload == full) {
        return hidden.functional(node);
    }
    // An op that stands for the operator itself takes it as it is (`detach_` changes no element).
    if registry::find(&full).is_some() {
        return Ok(None);
    }
    if overload.ends_with("out") && node.input("out").is_some() {
        let overloads = match overload.strip_suffix("_out") {
            Some(overload) => vec![overload],
            None => vec!["default", "Tensor", "self"],
        };
        let candidates = overloads.into_iter().map(|o| format!("{namespace}.{name}.{o}"));
        return found(&full, candidates, Vec::new(), vec![("out", 0)]).map(Some);
    }
    let Some(schema) = schema.filter(|schema| schema.writes()) else {
        return Ok(None);
    };
    let written = schema.arguments.iter().filter(|argument| argument.kind.written);
    let written: Vec<&'static str> = written.map(|argument| argument.name).collect();
    let base = name.strip_prefix("__i").and_then(|name| name.strip_suffix("__")).or_else(|| name.strip_suffix('_'));
    if let (Some(base), &[target]) = (base, written.as_slice()) {
        let renamed = RENAMED.iter().find(|(from, _)| *from == full);
        let candidates = [renamed.map(|(_, to)| (*to).to_owned()), Some(format!("{namespace}.{base}.{overload}"))];
        let candidates = candidates.into_iter().flatten();
        return found(&full, candidates, Vec::new(), vec![(target, 0)]).map(Some);
    }
    let results = (0..schema.results.len()).collect();
    let writes = written.into_iter().zip(schema.results.len()..).collect();
    let candidates = [format!("{namespace}.{name}_functional.default")];
    found(&full, candidates.into_iter(), results, writes).map(Some)
}

fn found(
    full: &str,
    mut candidates: impl Iterator<Item = String>,
    results: Vec<usize>,
    writes: Vec<(&'static str, usize)>,
) -> Outcome<Functional> {
    let entry = candidates.find_map(|name| registry::find(&name).map(|entry| (name, entry)));
    let (overload, entry) = entry.ok_or_else(|| {
        Problem::new(
            format!("'{full}' writes to its arguments, and no fx op gives their new values"),
            "run 'run_decompositions()' on the program before saving it",
        )
    })?;
    Ok(Functional { schema: schema_text::find(&overload), overload, entry, results, writes })
}

impl Hidden {
    fn functional(&self, node: &Node) -> Outcome<Option<Functional>> {
        let writes = node.input(self.when).and_then(numbers::bool) == Some(true);
        let given = |name: &str| node.input(name).and_then(Argument::tensor_name).is_some();
        if !writes || !self.writes.iter().all(|(name, _)| given(name)) {
            return Ok(None);
        }
        let candidates = [self.functional.to_owned()].into_iter();
        let (results, writes) = (self.results.to_vec(), self.writes.to_vec());
        found(self.overload, candidates, results, writes).map(Some)
    }
}
