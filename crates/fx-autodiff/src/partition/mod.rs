//! A joint function becomes one that computes the outputs and one that computes the gradients.
//!
//! What the second needs of the first is saved, or computed again. [`graph`]: ops and values with their costs; [`classify`]:
//! what belongs where; [`min_cut`], on [`max_flow`]: the cheapest choice at given prices; [`budget`]: prices for a given
//! peak, which a meter tells ([`run::Meter`]) and [`peak`] estimates; [`pack`]: bools as bits; [`loosen`]: masks and sizes
//! instead of tensors; [`split`]: makes the functions; [`report`]: what came out; [`run`]: all of it in order.

pub mod budget;
pub mod classify;
pub mod graph;
pub mod loosen;
pub mod max_flow;
pub mod min_cut;
pub mod pack;
pub mod peak;
pub mod report;
pub mod run;
pub mod sizes;
pub mod split;
