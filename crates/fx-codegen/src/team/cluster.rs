//! Reductions by the blocks of a cluster, which read each other's workgroup memory (compute capability 9.0 and later).

use fx_ir::{Builder, Result, Type, Value};

use super::copies::address;
use super::{Combiner, Team, unpack};
use crate::assembly::{assembly, effect};

/// Blocks of the largest clusters, which not every GPU with clusters has.
pub const LARGEST: i64 = 16;

/// The blocks that work on one row.
pub struct Cluster {
    /// How many: a power of two, at most [`LARGEST`].
    pub blocks: i64,
}

impl Cluster {
    /// The values of all blocks combined, known to all threads, in the same order everywhere: of each combiner its own. All
    /// threads of a block bring the same values.
    ///
    /// A block must not end before the others have read its value: after the last reduction all [`arrive`], and [`wait`]
    /// before they end.
    ///
    /// # Errors
    /// If the gpu dialect is absent: reported.
    pub fn all_reduce<'c>(&self, team: &Team<'c>, values: &[(&Combiner<'c>, Value<'c>)]) -> Result<Vec<Value<'c>>> {
        let b = &team.b;
        let zero = b.index(0);
        let buffers = values.iter().map(|(_, value)| team.shared(*value, 1, zero)).collect::<Result<Vec<_>>>()?;
        arrive(b);
        wait(b);
        let total = |((combiner, value), buffer): (&(&Combiner<'c>, Value<'c>), Value<'c>)| {
            let address = address(b, buffer, true);
            let of_block = |block: i64| unpack(b, load(b, address, block, buffer.ty().element()), value.ty());
            (1..self.blocks).fold(of_block(0), |total, block| combiner.combine(b, total, of_block(block)))
        };
        Ok(values.iter().zip(buffers).map(total).collect())
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
    assembly(b, &code, &format!("{result},r,r,~{{memory}}"), &[address, rank], ty)
}

/// Says that this thread has come so far; what it wrote is seen by those who [`wait`].
pub fn arrive(b: &Builder<'_>) {
    effect(b, "barrier.cluster.arrive.release.aligned;", "~{memory}", &[]);
}

/// Waits until all threads of the cluster have arrived.
pub fn wait(b: &Builder<'_>) {
    effect(b, "barrier.cluster.wait.acquire.aligned;", "~{memory}", &[]);
}
