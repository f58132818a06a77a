//! Free blocks of device memory, by size and address.
//!
//! Rule      A request gets the smallest block that holds it without wasting more than half; of equal ones that with the lowest
//!           address. So calls that ask for the same, once what the last one got is free again, get the same places, and
//!           graphs that were made for these need no update.

use std::collections::BTreeSet;

/// See the module.
#[derive(Debug)]
pub(crate) struct FreeList {
    /// Whether blocks serve requests of their own size alone.
    is_exact: bool,
    /// Size in bytes, and address.
    blocks: BTreeSet<(usize, u64)>,
}

impl FreeList {
    /// No blocks.
    pub(crate) fn new(is_exact: bool) -> Self {
        FreeList { is_exact, blocks: BTreeSet::new() }
    }

    /// Whether blocks serve requests of their own size alone.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Puts a block in.
    pub(crate) fn put(&mut self, size: usize, address: u64) {
        self.blocks.insert((size, address));
    }

    /// Takes a block out that holds `bytes`, if there is one: its size and its address.
    pub(crate) fn take(&mut self, bytes: usize) -> Option<(usize, u64)> {
        let block = *self.blocks.range((bytes, 0)..).next()?;
        let fits = if self.is_exact { block.0 == bytes } else { block.0 / 2 <= bytes };
        if fits { self.blocks.take(&block) } else { None }
    }

    /// Takes all addresses out.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = u64> + use<> {
        std::mem::take(&mut self.blocks).into_iter().map(|(_, address)| address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_block_without_much_waste() {
        let mut list = FreeList::new(false);
        for (size, address) in [(4096, 1), (1024, 3), (1024, 2), (2048, 4)] {
            list.put(size, address);
        }
        assert_eq!(list.take(1000), Some((1024, 2)));
        assert_eq!(list.take(1000), Some((1024, 3)));
        assert_eq!(list.take(1000), None, "half of 2048 is more than 1000");
        assert_eq!(list.take(1024), Some((2048, 4)));
        assert_eq!(list.take(8192), None);
        assert_eq!(list.drain().collect::<Vec<_>>(), [1]);
        assert_eq!(list.take(4096), None);
    }

    #[test]
    fn exact_blocks_serve_their_own_size() {
        let mut list = FreeList::new(true);
        list.put(1024, 1);
        assert_eq!(list.take(1023), None);
        assert_eq!(list.take(1024), Some((1024, 1)));
    }

    #[test]
    fn the_same_requests_get_the_same_blocks() {
        let mut list = FreeList::new(false);
        (0..20).for_each(|address| list.put(512, address));
        let mut call = || {
            let got: Vec<_> = (0..20).filter_map(|_| list.take(512)).collect();
            got.iter().rev().for_each(|(size, address)| list.put(*size, *address));
            got
        };
        assert_eq!(call(), call());
    }
}
