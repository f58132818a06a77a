//! Selection whose order among equal keys is that of PyTorch on a CPU.
//!
//! PyTorch calls the C++ library's `nth_element`, `partial_sort` and `sort`, none of which is stable; among equal
//! elements their results follow from libstdc++'s choices: introselect and introsort (Musser, "Introspective sorting
//! and selection algorithms", 1997) with the median of the second, middle and last element as pivot and insertion below
//! a threshold, and heaps that sift down to a leaf first (Knuth, TAOCP 3, exercise 5.2.3-18). `kthvalue` has a
//! quickselect of its own (Press et al., Numerical Recipes, 8.5). Only keys are compared.

/// A key and the index that it came with.
pub(crate) type Item = (u64, usize);

/// Ranges this short are left to insertion.
const SORT_THRESHOLD: usize = 16;
const SELECT_THRESHOLD: usize = 3;

fn less(a: Item, b: Item) -> bool {
    a.0 < b.0
}

/// Rounds of partitioning before a heap takes over.
fn depth_limit(len: usize) -> usize {
    2 * len.checked_ilog2().unwrap_or(0) as usize
}

/// Stable.
fn insertion_sort(items: &mut [Item]) {
    for i in 1..items.len() {
        let item = items[i];
        let to = items[..i].iter().rposition(|before| !less(item, *before)).map_or(0, |place| place + 1);
        items.copy_within(to..i, to + 1);
        items[to] = item;
    }
}

/// Partitions around a median of three; gives where the upper part starts.
fn partition(items: &mut [Item]) -> usize {
    let (a, b, c) = (1, items.len() / 2, items.len() - 1);
    let is_less = |x: usize, y: usize| less(items[x], items[y]);
    let median = match (is_less(a, b), is_less(b, c), is_less(a, c)) {
        (true, true, _) | (false, false, false) => b,
        (true, false, true) | (false, true, false) => c,
        (true, false, false) | (false, _, true) => a,
    };
    items.swap(0, median);
    let pivot = items[0];
    let (mut low, mut high) = (1, items.len());
    loop {
        while less(items[low], pivot) {
            low += 1;
        }
        high -= 1;
        while less(pivot, items[high]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        items.swap(low, high);
        low += 1;
    }
}

/// Puts the item that belongs to place `nth` there, no greater ones before it and no lesser ones behind.
pub(crate) fn nth_element(items: &mut [Item], nth: usize) {
    let (mut first, mut last) = (0, items.len());
    let mut depth = depth_limit(last);
    while last - first > SELECT_THRESHOLD {
        if depth == 0 {
            heap_select(&mut items[first..last], nth + 1 - first);
            items.swap(first, nth);
            return;
        }
        depth -= 1;
        let cut = first + partition(&mut items[first..last]);
        if cut <= nth {
            first = cut;
        } else {
            last = cut;
        }
    }
    insertion_sort(&mut items[first..last]);
}

/// Sorts all items.
pub(crate) fn sort_items(items: &mut [Item]) {
    fn rounds(mut items: &mut [Item], mut depth: usize) {
        while items.len() > SORT_THRESHOLD {
            if depth == 0 {
                let all = items.len();
                return partial_sort(items, all);
            }
            depth -= 1;
            let cut = partition(items);
            let (lower, upper) = items.split_at_mut(cut);
            rounds(upper, depth);
            items = lower;
        }
    }
    rounds(items, depth_limit(items.len()));
    // What is left out of order is so within short ranges.
    insertion_sort(items);
}

/// Sorts the `count` least items to the front.
pub(crate) fn partial_sort(items: &mut [Item], count: usize) {
    heap_select(items, count);
    for end in (1..count).rev() {
        let item = items[end];
        items[end] = items[0];
        sift(&mut items[..end], 0, item);
    }
}

/// Makes the first `count` items a heap (greatest first) of the least ones.
fn heap_select(items: &mut [Item], count: usize) {
    let (heap, rest) = items.split_at_mut(count);
    for parent in (0..count / 2).rev() {
        let item = heap[parent];
        sift(heap, parent, item);
    }
    for item in rest {
        if less(*item, heap[0]) {
            let taken = std::mem::replace(item, heap[0]);
            sift(heap, 0, taken);
        }
    }
}

/// Fills the hole at `top` of a heap with `item`: the hole moves down to a leaf along the greater children, then up.
fn sift(heap: &mut [Item], top: usize, item: Item) {
    let mut hole = top;
    while 2 * hole + 1 < heap.len() {
        let (left, right) = (2 * hole + 1, 2 * hole + 2);
        let child = if right < heap.len() && !less(heap[right], heap[left]) { right } else { left };
        heap[hole] = heap[child];
        hole = child;
    }
    while hole > top {
        let parent = (hole - 1) / 2;
        if !less(heap[parent], item) {
            break;
        }
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = item;
}

/// Puts the item that belongs to place `k` there (Numerical Recipes' `select`).
pub(crate) fn quick_select(items: &mut [Item], k: usize) {
    let (mut low, mut high) = (0, items.len().saturating_sub(1));
    while high > low + 1 {
        items.swap(low + (high - low) / 2, low + 1);
        for (a, b) in [(low + 1, high), (low, high), (low + 1, low)] {
            if less(items[b], items[a]) {
                items.swap(a, b);
            }
        }
        let pivot = items[low];
        let (mut i, mut j) = (low + 1, high);
        loop {
            i += 1;
            while less(items[i], pivot) {
                i += 1;
            }
            j -= 1;
            while less(pivot, items[j]) {
                j -= 1;
            }
            if j < i {
                break;
            }
            items.swap(i, j);
        }
        items.swap(low, j);
        if j <= k {
            low = i;
        }
        if j >= k {
            high = j.saturating_sub(1);
        }
    }
    if high == low + 1 && less(items[high], items[low]) {
        items.swap(low, high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reproducible list with many equal keys.
    fn items(len: usize, keys: u64) -> Vec<Item> {
        let mut state = 12345u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % keys
        };
        (0..len).map(|i| (next(), i)).collect()
    }

    fn keys(items: &[Item]) -> Vec<u64> {
        items.iter().map(|item| item.0).collect()
    }

    #[test]
    fn all_of_them_select() {
        for len in [1, 2, 3, 4, 17, 100, 1000] {
            for spread in [1, 3, 1 << 40] {
                let start = items(len, spread);
                let mut sorted = keys(&start);
                sorted.sort_unstable();
                let mut all = start.clone();
                sort_items(&mut all);
                assert_eq!(keys(&all), sorted);
                for k in [0, len / 3, len - 1] {
                    let (mut a, mut b, mut c) = (start.clone(), start.clone(), start.clone());
                    nth_element(&mut a, k);
                    quick_select(&mut b, k);
                    partial_sort(&mut c, k + 1);
                    assert_eq!((a[k].0, b[k].0), (sorted[k], sorted[k]), "{k} of {len}");
                    assert!(a[..k].iter().all(|item| item.0 <= a[k].0) && a[k..].iter().all(|item| item.0 >= a[k].0));
                    assert_eq!(keys(&c[..=k]), sorted[..=k]);
                }
            }
        }
    }

    #[test]
    fn equal_keys_come_in_pytorchs_order() {
        // torch.topk(x, 3).indices of version 2.11
        for (x, expected) in [
            ([-8i64, 5, 1, -4, 9, 1, -1, 6, 9, -7], [8, 4, 7]),
            ([9, 7, 2, -6, -5, -4, 2, 9, 7, 4], [0, 7, 8]),
            ([-4, -9, 4, 5, 5, -9, 8, 3, 5, -8], [6, 4, 8]),
            ([-5, -1, 8, -3, -1, 8, -6, -8, 5, 8], [5, 9, 2]),
        ] {
            let mut items: Vec<Item> = x.iter().map(|x| (-x + 100) as u64).zip(0..).collect();
            nth_element(&mut items, 2);
            sort_items(&mut items[..2]);
            assert_eq!(items[..3].iter().map(|item| item.1).collect::<Vec<_>>(), expected);
        }
    }
}
