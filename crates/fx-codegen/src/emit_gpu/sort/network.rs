//! The networks that sort a thread's items.

/// Pairs that a network compares, in order: the first gets the item that comes first.
pub type Pairs = Vec<(usize, usize)>;

/// Sorts `count` items, a power of two (K. E. Batcher, Sorting networks and their applications, 1968: odd-even merge sort).
pub fn sorting(count: usize) -> Pairs {
    let mut pairs = Vec::new();
    let mut run = 1;
    while run < count {
        let mut apart = run;
        while apart > 0 {
            for start in (apart % run..count.saturating_sub(apart)).step_by(2 * apart) {
                let own = start..(start + apart).min(count - apart);
                pairs.extend(own.filter(|low| low / (2 * run) == (low + apart) / (2 * run)).map(|low| (low, low + apart)));
            }
            apart /= 2;
        }
        run *= 2;
    }
    pairs
}

/// Sorts `count` items, a power of two, that rise and then fall, or the other way round.
pub fn merging(count: usize) -> Pairs {
    let mut pairs = Vec::new();
    let mut apart = count / 2;
    while apart > 0 {
        pairs.extend((0..count).filter(|low| low & apart == 0).map(|low| (low, low + apart)));
        apart /= 2;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(pairs: &Pairs, items: &mut [u32]) {
        for (low, high) in pairs {
            if items[*low] > items[*high] {
                items.swap(*low, *high);
            }
        }
    }

    /// A network sorts everything if it sorts all zeros and ones.
    #[test]
    fn networks_sort() {
        for count in [1, 2, 4, 8, 16] {
            for bits in 0..1u32 << count {
                let mut items: Vec<_> = (0..count).map(|i| bits >> i & 1).collect();
                run(&sorting(count), &mut items);
                assert!(items.is_sorted(), "{count} items, {bits:b}");
            }
            for from in 0..=count {
                for to in from..=count {
                    for inside in [0, 1] {
                        let mut items: Vec<_> = (0..count).map(|i| u32::from((from..to).contains(&i)) ^ inside).collect();
                        run(&merging(count), &mut items);
                        assert!(items.is_sorted(), "{count} items, {from}..{to}");
                    }
                }
            }
        }
        assert_eq!([sorting(16).len(), merging(16).len()], [63, 32]);
    }
}
