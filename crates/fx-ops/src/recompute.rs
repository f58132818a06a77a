//! Tags of activation checkpoints: whether what an op gives is saved for gradients, or computed again.
//!
//! `fx.recompute` on an op names the policy, as PyTorch's `CheckpointPolicy` does; `fx.recompute_group` numbers the checkpointed
//! block that it is in. They are discardable: a program means the same without them. What replaces an op has its tags.

use fx_ir::{Attribute, Builder, Op};

/// The attribute that names the policy.
pub const POLICY: &str = "fx.recompute";
/// The attribute that numbers the block.
pub const GROUP: &str = "fx.recompute_group";

/// What is to become of an op's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Never computed again.
    MustSave,
    /// Computed again only if a budget of memory asks for it.
    PreferSave,
    /// Never saved.
    MustRecompute,
    /// Saved only if it cannot be computed again.
    PreferRecompute,
}

impl Policy {
    /// Whether it asks for computing again.
    pub fn is_recompute(self) -> bool {
        matches!(self, Policy::MustRecompute | Policy::PreferRecompute)
    }
}

/// The policy of an op, if it is tagged.
pub fn policy(op: Op<'_>) -> Option<Policy> {
    match op.attribute(POLICY)?.as_str()? {
        "must_save" => Some(Policy::MustSave),
        "prefer_save" => Some(Policy::PreferSave),
        "must_recompute" => Some(Policy::MustRecompute),
        "prefer_recompute" => Some(Policy::PreferRecompute),
        _ => None,
    }
}

/// The block that an op is in, if that is said.
pub fn group(op: Op<'_>) -> Option<i64> {
    op.attribute(GROUP)?.as_int()
}

/// Gives the tags of an op to ops that stand in its place; other tags than its own stay.
pub fn inherit<'c>(op: Op<'c>, made: impl IntoIterator<Item = Op<'c>>) {
    tag(&tags(op), made);
}

/// The tags of an op.
pub fn tags(op: Op<'_>) -> Vec<(&'static str, Attribute<'_>)> {
    [POLICY, GROUP].into_iter().filter_map(|name| Some((name, op.attribute(name)?))).collect()
}

/// Tags the ops of the dialect among `made` that have no tag.
pub fn tag<'c>(tags: &[(&str, Attribute<'c>)], made: impl IntoIterator<Item = Op<'c>>) {
    if tags.is_empty() {
        return;
    }
    for op in made.into_iter().filter(|op| op.name().starts_with("fx.") && op.attribute(POLICY).is_none()) {
        tags.iter().for_each(|(name, value)| op.set_attribute(name, *value));
    }
}

/// Runs `build`, which builds before `op`, and gives the new ops its tags.
///
/// # Errors
/// As `build`.
pub fn building<'c, T>(op: Op<'c>, build: impl FnOnce() -> fx_ir::Result<T>) -> fx_ir::Result<T> {
    if op.attribute(POLICY).is_none() {
        return build();
    }
    let (built, made) = made_by(op, build)?;
    inherit(op, made);
    Ok(built)
}

/// Runs `build`, which builds before `op`; gives the new ops, too, in order.
///
/// # Errors
/// As `build`.
pub(crate) fn made_by<'c, T>(op: Op<'c>, build: impl FnOnce() -> fx_ir::Result<T>) -> fx_ir::Result<(T, Vec<Op<'c>>)> {
    // An op knows the next one, not the one before: something must stand there.
    let marker = Builder::before(op).index(0).defining_op();
    let built = build();
    let first = marker.and_then(Op::next);
    let made = std::iter::successors(first, |made| made.next()).take_while(|made| *made != op).collect();
    if let Some(marker) = marker {
        marker.erase();
    }
    built.map(|built| (built, made))
}
