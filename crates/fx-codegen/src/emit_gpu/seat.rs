//! Where a thread sits whose team is a block, a part of one, or a cluster of them.

use fx_ir::{Block, Builder, Result, Value};

use super::{block_id, thread_id};
use crate::eval::Eval;
use crate::team::cluster::{self, Cluster};
use crate::team::{Combiner, Meeting, Team};

/// A thread's place.
#[derive(Clone, Copy)]
pub struct Seat<'c> {
    /// The number of the block, or of the cluster.
    pub team: Value<'c>,
    /// The number of the block in its cluster; none if blocks work alone.
    pub rank: Option<Value<'c>>,
    /// The thread's number in its block.
    pub thread: Value<'c>,
    threads: i64,
    blocks: i64,
    meeting: Meeting<'c>,
}

impl<'c> Seat<'c> {
    /// The place of this thread, where `blocks` blocks work together, and `threads` threads of each, or all.
    ///
    /// # Errors
    /// If the gpu dialect is absent: reported.
    pub fn new(eval: &mut Eval<'c>, threads: i64, blocks: i64) -> Result<Self> {
        let (block, thread) = (block_id(&eval.b)?, thread_id(&eval.b)?);
        if blocks == 1 {
            return Ok(Self { team: block, rank: None, thread, threads, blocks, meeting: Meeting::Block });
        }
        let count = eval.index(blocks);
        let rank = eval.b.value("arith.remui", &[block, count], block.ty(), &[]);
        let team = eval.b.value("arith.divui", &[block, count], block.ty(), &[]);
        Ok(Self { team, rank: Some(rank), thread, threads, blocks, meeting: Meeting::Block })
    }

    /// The place of this thread, the team's number `thread`, where a block's `threads` are a team if `is_block` holds for them, else
    /// its warps.
    pub fn of_block_or_warp(team: Value<'c>, thread: Value<'c>, threads: i64, is_block: Value<'c>) -> Self {
        Self { team, rank: None, thread, threads, blocks: 1, meeting: Meeting::BlockIf(is_block) }
    }

    /// The thread's number in its team.
    pub fn lane(&self, eval: &mut Eval<'c>) -> Value<'c> {
        let Some(rank) = self.rank else { return self.thread };
        let threads = eval.index(self.threads);
        let before = eval.mul(rank, threads);
        eval.add(before, self.thread)
    }

    /// All values of the team combined, of each combiner its own, known to all threads. `block` is the function's.
    ///
    /// # Errors
    /// If the gpu dialect is absent: reported.
    pub fn all_reduce(&self, b: Builder<'c>, block: Block<'c>, values: &[(&Combiner<'c>, Value<'c>)]) -> Result<Vec<Value<'c>>> {
        let team = Team { b, thread: self.thread, threads: self.threads, meeting: self.meeting, block };
        let totals = team.all_reduce(values)?;
        if self.blocks == 1 {
            return Ok(totals);
        }
        let totals: Vec<_> = values.iter().map(|(combiner, _)| *combiner).zip(totals).collect();
        Cluster { blocks: self.blocks }.all_reduce(&team, &totals)
    }

    /// After the last reduction: this thread reads nothing of other blocks any more.
    pub fn before_end(&self, eval: &Eval<'c>) {
        if self.blocks > 1 {
            cluster::arrive(&eval.b);
        }
    }

    /// At the end: others may still read this block's workgroup memory.
    pub fn end(&self, eval: &Eval<'c>) {
        if self.blocks > 1 {
            cluster::wait(&eval.b);
        }
    }
}
