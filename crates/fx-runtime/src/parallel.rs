//! Independent pieces of work on several threads: kernels that are compiled, PTX that is assembled.
//!
//! Unlike [`crate::pool`], threads are made for the occasion: they have the stack that compilers recurse on, and a state
//! each, such as a compiler's context.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Stack of a thread in bytes: compilers recurse.
const STACK: usize = 16 << 20;

/// Users of processors that run now, in this process.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// Counts one user of processors while it lives.
pub struct Busy(usize);

impl Busy {
    /// Counts one more.
    #[allow(clippy::new_without_default)] // counting is no default
    pub fn new() -> Self {
        Self(RUNNING.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Threads that this user may have: its share of the processors.
    pub fn workers(&self) -> usize {
        (std::thread::available_parallelism().map_or(1, NonZero::get) / self.0).max(1)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Does `work` on each item, on at most `workers` threads that take the items in order; each thread has a state of its own,
/// made by `start`. Results stand in the order of the items, an error being what happened to the thread that had it.
pub fn map<I: Sync, S, R: Send>(
    items: &[I],
    workers: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &I) -> R + Sync,
) -> Vec<Result<R, String>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let turn = || {
        let mut state = start();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(place)) = (items.get(index), results.get(index)) else { return };
            let result = work(&mut state, item);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
    };
    let mut failure = String::from("internal bug: a thread panicked");
    std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, turn);
        let threads: Vec<_> = (0..workers.clamp(1, items.len().max(1))).map(spawn).collect();
        for thread in threads {
            match thread {
                Ok(thread) => drop(thread.join()), // what it left undone says so
                Err(error) => failure = format!("a thread cannot be started: {error}"),
            }
        }
    });
    let finished = results.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner));
    finished.map(|result| result.ok_or_else(|| failure.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_order_whatever_the_number_of_threads() {
        let items: Vec<u64> = (0..100).collect();
        for workers in [0, 1, 3, 200] {
            let results = map(
                &items,
                workers,
                || 0u64,
                |seen, item| {
                    *seen += 1;
                    item * 2
                },
            );
            assert!(results.iter().zip(&items).all(|(result, item)| *result == Ok(item * 2)), "{workers} workers");
        }
        assert!(map(&[] as &[u8], 4, || (), |(), _| ()).is_empty());
    }

    #[test]
    fn a_panic_is_the_error_of_its_item_alone() {
        let results = map(&[1, 2, 3], 3, || (), |(), item| if *item == 2 { panic!("two") } else { *item });
        // whoever else would have worked on may have taken the others
        assert_eq!(results.len(), 3);
        assert!(results[1].as_ref().is_err_and(|message| message.contains("panicked")));
    }
}
