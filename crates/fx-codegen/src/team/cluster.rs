//! Reductions by the blocks of a cluster, which read each other's workgroup memory (compute capability 9.0 and later).

use fx_ir::{Attribute, Builder, Result, Type, Value};

use super::{Combiner, Team, pack, unpack, workgroup_buffer};

/// The blocks that work on one row.
pub struct Cluster<'c> {
    /// How many: a power of two, at most 16.
    pub blocks: i64,
    /// The thread's number in its block.
    pub thread: Value<'c>,
}

impl<'c> Cluster<'c> {
    /// The values of all blocks combined, known to all threads, in the same order everywhere. All threads of a block bring the
    /// same value.
    ///
    /// A block must not end before the others have read its value: after the last reduction all [`arrive`], and [`wait`]
    /// before they end.
    ///
    /// # Errors
    /// If the gpu dialect is absent: reported.
    pub fn all_reduce(&self, team: &Team<'c>, combiner: &Combiner<'c>, value: Value<'c>) -> Result<Value<'c>> {
        let b = &team.b;
        let packed = pack(b, value);
        let buffer = workgroup_buffer(b, team.block, 1, packed.ty())?;
        b.op("memref.store", &[packed, buffer, b.index(0)], &[], &[]);
        arrive(b);
        wait(b);
        let (index, word) = (Type::index(b.context()), Type::int(b.context(), 32));
        let address = b.value("memref.extract_aligned_pointer_as_index", &[buffer], index, &[]);
        let address = b.value("arith.index_cast", &[address], word, &[]);
        let values: Vec<_> = (0..self.blocks).map(|block| unpack(b, load(b, address, block, packed.ty()), value.ty())).collect();
        let (first, rest) = values.split_first().map_or((value, &[][..]), |(first, rest)| (*first, rest));
        Ok(rest.iter().fold(first, |total, other| combiner.combine(b, total, *other)))
    }
}

/// What lies at an address of this block's workgroup memory in the block `rank` of the cluster.
fn load<'c>(b: &Builder<'c>, address: Value<'c>, rank: i64, ty: Type<'c>) -> Value<'c> {
    let rank = b.int(Type::int(b.context(), 32), rank);
    let (kind, result) = match (ty.is_float(), ty.bit_width()) {
        (true, 64) => ("f64", "=d"),
        (true, _) => ("f32", "=f"),
        (false, 64) => ("b64", "=l"),
        (false, _) => ("b32", "=r"),
    };
    let code = format!("{{ .reg .b32 place; mapa.shared::cluster.u32 place, $1, $2; ld.shared::cluster.{kind} $0, [place]; }}");
    assembly(b, &code, &format!("{result},r,r,~{{memory}}"), &[address, rank], Some(ty))
}

/// Says that this thread has come so far; what it wrote is seen by those who [`wait`].
pub fn arrive(b: &Builder<'_>) {
    order(b, "barrier.cluster.arrive.release.aligned;");
}

/// Waits until all threads of the cluster have arrived.
pub fn wait(b: &Builder<'_>) {
    order(b, "barrier.cluster.wait.acquire.aligned;");
}

fn order(b: &Builder<'_>, code: &str) {
    let context = b.context();
    let text = |text: &str| Attribute::string(context, text);
    let attributes = [("asm_string", text(code)), ("constraints", text("~{memory}")), ("has_side_effects", Attribute::unit(context))];
    b.op("llvm.inline_asm", &[], &[], &attributes);
}

fn assembly<'c>(b: &Builder<'c>, code: &str, constraints: &str, operands: &[Value<'c>], ty: Option<Type<'c>>) -> Value<'c> {
    let context = b.context();
    let text = |text: &str| Attribute::string(context, text);
    let attributes = [("asm_string", text(code)), ("constraints", text(constraints)), ("has_side_effects", Attribute::unit(context))];
    b.value("llvm.inline_asm", operands, ty.unwrap_or_else(|| Type::int(context, 32)), &attributes)
}
