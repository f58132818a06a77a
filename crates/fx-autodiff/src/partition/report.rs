//! What a partition came to: as an attribute of the module, and as a remark.

use fx_ir::{Attribute, Op, emit_remark};
use fx_ops::table::Again;

use super::graph::Graph;
use super::min_cut::Partition;

/// The numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// Saved tensors, without parameters and inputs.
    pub tensors: u64,
    /// Saved sizes and other numbers.
    pub numbers: u64,
    /// Bytes of both.
    pub bytes: u64,
    /// Ops that both functions compute, without views.
    pub ops: u64,
    /// Products and convolutions among them.
    pub products: u64,
    /// Operations on numbers that are done twice.
    pub work: u64,
    /// Predicted peak of memory in bytes, without parameters and inputs.
    pub peak: u64,
}

impl Report {
    /// Counts.
    pub fn new(graph: &Graph<'_>, partition: &Partition, peak: u64) -> Self {
        let tensors = partition.saved.iter().filter(|value| graph.values[**value].value.ty().is_tensor()).count();
        Self {
            tensors: tensors as u64,
            numbers: (partition.saved.len() - tensors) as u64,
            bytes: partition.saved_bytes(graph),
            ops: partition.again().filter(|op| graph.work(*op) > 0).count() as u64,
            products: partition.again().filter(|op| matches!(graph.ops[*op].again, Again::Product(_))).count() as u64,
            work: partition.work_again(graph),
            peak,
        }
    }

    fn entries(&self) -> [(&'static str, u64); 7] {
        [
            ("saved_tensors", self.tensors),
            ("saved_numbers", self.numbers),
            ("saved_bytes", self.bytes),
            ("recomputed_ops", self.ops),
            ("recomputed_products", self.products),
            ("recomputed_flops", self.work),
            ("predicted_peak_bytes", self.peak),
        ]
    }

    /// Sets `fx.partition` on the module.
    pub fn write(&self, module: Op<'_>) {
        let context = module.context();
        let number = |value: u64| Attribute::i64(context, i64::try_from(value).unwrap_or(i64::MAX));
        let entries = self.entries().map(|(name, value)| (name, number(value)));
        module.set_attribute("fx.partition", Attribute::dictionary(context, &entries));
    }

    /// Says it.
    pub fn remark(&self, function: Op<'_>) {
        let text = self.entries().map(|(name, value)| format!("{name} = {value}")).join(", ");
        emit_remark(function.location(), &text, &[]);
    }
}
