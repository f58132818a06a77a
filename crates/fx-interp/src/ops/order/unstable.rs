//! Sorting and selecting as PyTorch's CPU kernels do where equal elements end up in no order of their own: by libstdc++'s
//! `std::sort`, `nth_element` and `partial_sort` (Musser, Introspective Sorting and Selection Algorithms, 1997), and by
//! Sedgewick's quickselect (Implementing Quicksort Programs, 1978; ATen/native/Sorting.cpp).

/// Lanes of up to this many elements are sorted by insertion.
const SHORT: usize = 16;

/// Places of a lane's elements, which are rearranged, and whether one comes before another.
pub(super) struct Places<'a> {
    places: Vec<usize>,
    before: &'a dyn Fn(usize, usize) -> bool,
}

impl<'a> Places<'a> {
    /// The places of `count` elements.
    pub fn new(count: usize, before: &'a dyn Fn(usize, usize) -> bool) -> Self {
        Places { places: (0..count).collect(), before }
    }

    /// The places as they are now.
    pub fn done(self) -> Vec<usize> {
        self.places
    }

    fn less(&self, i: usize, j: usize) -> bool {
        (self.before)(self.places[i], self.places[j])
    }

    /// `std::sort` of the first `count` ones.
    pub fn sort(&mut self, count: usize) {
        if count > 1 {
            self.sort_roughly(0, count, 2 * count.ilog2());
            self.insert(0, count);
        }
    }

    /// Partitions until what is left is short.
    fn sort_roughly(&mut self, first: usize, last: usize, depth: u32) {
        let (mut last, mut depth) = (last, depth);
        while last - first > SHORT {
            if depth == 0 {
                return self.sort_by_heap(first, last, last);
            }
            depth -= 1;
            let cut = self.partition(first, last);
            self.sort_roughly(cut, last, depth);
            last = cut;
        }
    }

    fn insert(&mut self, first: usize, last: usize) {
        for i in first + 1..last {
            let mut j = i;
            while j > first && self.less(j, j - 1) {
                self.places.swap(j, j - 1);
                j -= 1;
            }
        }
    }

    /// `std::nth_element`: that which sorting puts there is at `nth`, none behind it comes before it.
    pub fn select(&mut self, nth: usize) {
        let (mut first, mut last) = (0, self.places.len());
        if nth >= last {
            return;
        }
        let mut depth = 2 * last.ilog2();
        while last - first > 3 {
            if depth == 0 {
                self.select_by_heap(first, nth + 1, last);
                self.places.swap(first, nth);
                return;
            }
            depth -= 1;
            let cut = self.partition(first, last);
            if cut <= nth {
                first = cut;
            } else {
                last = cut;
            }
        }
        self.insert(first, last);
    }

    /// Around the median of three; gives where the second part begins.
    fn partition(&mut self, first: usize, last: usize) -> usize {
        let [a, b, c] = [first + 1, first + (last - first) / 2, last - 1];
        let median = match (self.less(a, b), self.less(b, c), self.less(a, c)) {
            (true, true, _) | (false, false, false) => b,
            (true, false, true) | (false, true, false) => c,
            (true, false, false) | (false, _, true) => a,
        };
        self.places.swap(first, median);
        let (mut low, mut high) = (first + 1, last);
        loop {
            while self.less(low, first) {
                low += 1;
            }
            high -= 1;
            while self.less(first, high) {
                high -= 1;
            }
            if low >= high {
                return low;
            }
            self.places.swap(low, high);
            low += 1;
        }
    }

    /// `std::partial_sort`: the first `count` ones are in order.
    pub fn sort_first(&mut self, count: usize) {
        self.sort_by_heap(0, count, self.places.len());
    }

    fn sort_by_heap(&mut self, first: usize, middle: usize, last: usize) {
        self.select_by_heap(first, middle, last);
        for end in (first + 1..middle).rev() {
            self.pop(first, end, end);
        }
    }

    /// Those that come first, as a heap with the last of them on top.
    fn select_by_heap(&mut self, first: usize, middle: usize, last: usize) {
        let size = middle - first;
        for parent in (0..size / 2).rev() {
            self.sift(first, parent, size, self.places[first + parent]);
        }
        for i in middle..last {
            if size > 0 && self.less(i, first) {
                self.pop(first, middle, i);
            }
        }
    }

    /// Moves the top of the heap to `to`, and what was there into the heap.
    fn pop(&mut self, first: usize, end: usize, to: usize) {
        let value = self.places[to];
        self.places[to] = self.places[first];
        self.sift(first, 0, end - first, value);
    }

    /// Puts a value into the heap at a hole: the hole sinks to a leaf, then the value rises.
    fn sift(&mut self, first: usize, top: usize, size: usize, value: usize) {
        let mut hole = top;
        while 2 * hole + 1 < size {
            let (left, right) = (2 * hole + 1, 2 * hole + 2);
            let child = if right < size && !self.less(first + right, first + left) { right } else { left };
            self.places[first + hole] = self.places[first + child];
            hole = child;
        }
        while hole > top && (self.before)(self.places[first + (hole - 1) / 2], value) {
            self.places[first + hole] = self.places[first + (hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        self.places[first + hole] = value;
    }

    /// Sedgewick's quickselect, by which `kthvalue` finds its element.
    pub fn quickselect(&mut self, k: usize) {
        let (mut left, mut right) = (0, self.places.len().saturating_sub(1));
        while right > left {
            let exchange = |places: &mut Self, i: usize, j: usize| {
                if places.less(j, i) {
                    places.places.swap(i, j);
                }
            };
            if right == left + 1 {
                return exchange(self, left, right);
            }
            self.places.swap((left + right) / 2, left + 1);
            exchange(self, left + 1, right);
            exchange(self, left, right);
            exchange(self, left + 1, left);
            let (mut i, mut j) = (left + 1, right);
            loop {
                i += 1;
                while self.less(i, left) {
                    i += 1;
                }
                j -= 1;
                while self.less(left, j) {
                    j -= 1;
                }
                if j < i {
                    break;
                }
                self.places.swap(i, j);
            }
            self.places.swap(left, j);
            if j <= k {
                left = i;
            }
            if j >= k {
                right = j.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_sort_and_select() {
        for count in [0usize, 1, 2, 3, 5, 17, 100, 1000] {
            let values: Vec<usize> = (0..count).map(|i| i * i * 7919 % 83).collect();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let before = |i: usize, j: usize| values[i] < values[j];
            let of = |places: Vec<usize>| places.into_iter().map(|i| values[i]).collect::<Vec<_>>();
            let mut all = Places::new(count, &before);
            all.sort(count);
            assert_eq!(of(all.done()), sorted);
            for k in [0, count / 3, count.saturating_sub(1)].into_iter().filter(|k| *k < count) {
                let run = |f: &dyn Fn(&mut Places)| {
                    let mut places = Places::new(count, &before);
                    f(&mut places);
                    of(places.done())
                };
                assert_eq!(run(&|places| places.select(k))[k], sorted[k]);
                assert_eq!(run(&|places| places.quickselect(k))[k], sorted[k]);
                assert_eq!(run(&|places| places.sort_first(k))[..k], sorted[..k]);
                assert_eq!(run(&|places| places.sort_first(count)), sorted);
            }
        }
    }
}
