//! A persistent thread pool for ranges.
//!
//! Rules     The caller works too. Workers look for a new job for about 50 microseconds after their last one and then
//!           sleep. One job at a time: a job started while another runs (from a worker, or from another thread) runs on
//!           its caller alone. The process-wide pool has `FX_NUM_THREADS` threads, or as many as the machine runs at
//!           once, the caller included; it starts with the first range that is worth two threads.

use crate::ffi::job::JobSlot;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an idle worker looks for work before it sleeps.
const SPIN: Duration = Duration::from_micros(50);
/// Looks at the job between two looks at the clock.
const SPINS_PER_CLOCK: u32 = 64;

struct Shared {
    slot: JobSlot,
    stop: AtomicBool,
    asleep: Box<[AtomicBool]>,
}

/// Threads that share ranges with their caller.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of `threads` threads, the caller being one of them. Starts fewer if the system refuses.
    pub fn new(threads: usize) -> Self {
        let wanted = threads.saturating_sub(1);
        let shared = Arc::new(Shared {
            slot: JobSlot::new(),
            stop: AtomicBool::new(false),
            asleep: (0..wanted).map(|_| AtomicBool::new(false)).collect(),
        });
        let workers = (0..wanted)
            .map_while(|index| {
                let shared = Arc::clone(&shared);
                let name = format!("fx-worker-{index}");
                std::thread::Builder::new().name(name).spawn(move || work(&shared, index)).ok()
            })
            .collect();
        Pool { shared, workers }
    }

    /// The pool of the process.
    pub fn global() -> &'static Pool {
        static POOL: OnceLock<Pool> = OnceLock::new();
        POOL.get_or_init(|| Pool::new(default_threads()))
    }

    /// Number of threads, the caller included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Calls `body(lo, hi)` for pieces that together are `0..extent`, none smaller than `grain` and at most `most` for each
    /// thread, on several threads.
    ///
    /// Runs `body(0, extent)` on the caller when the range is no larger than `grain` or the pool is busy; does nothing
    /// for an empty range. A panic of `body` is raised again here, after all threads have stopped.
    pub fn parallel_for(&self, extent: i64, grain: i64, most: i64, body: &(dyn Fn(i64, i64) + Sync)) {
        if extent <= 0 {
            return;
        }
        let pieces = (extent / grain.max(1)).min((self.threads() as i64).saturating_mul(most));
        let helpers = self.workers.len().min(usize::try_from(pieces - 1).unwrap_or(0));
        let wake = || self.wake(helpers);
        if helpers == 0 || !self.shared.slot.run(extent, pieces, body, wake) {
            body(0, extent);
        }
    }

    /// Wakes sleeping workers, as many as `helpers` less those already awake.
    fn wake(&self, helpers: usize) {
        for (worker, asleep) in self.workers.iter().zip(&self.shared.asleep).take(helpers) {
            if asleep.load(Ordering::SeqCst) && asleep.swap(false, Ordering::SeqCst) {
                worker.thread().unpark();
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // a worker catches panics of jobs; there is nothing to report
            let _ = worker.join();
        }
    }
}

/// `FX_NUM_THREADS` if it is a positive number, else what the machine runs at once.
fn default_threads() -> usize {
    let wanted = std::env::var("FX_NUM_THREADS").ok().and_then(|text| text.trim().parse().ok());
    wanted.filter(|threads| *threads > 0).unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn work(shared: &Shared, index: usize) {
    let mut seen = 0;
    while !shared.stop.load(Ordering::SeqCst) {
        if !shared.slot.help(&mut seen) && !spin(shared, seen) {
            sleep(shared, index, seen);
        }
    }
}

/// Looks for a new job for a while. Gives whether there is one (or the pool stops).
fn spin(shared: &Shared, seen: u64) -> bool {
    let start = Instant::now();
    while start.elapsed() < SPIN {
        for _ in 0..SPINS_PER_CLOCK {
            if shared.slot.is_pending(seen) || shared.stop.load(Ordering::Relaxed) {
                return true;
            }
            std::hint::spin_loop();
        }
    }
    false
}

/// Parks until woken. A job published after the flag is set wakes us; one published before it is seen here.
fn sleep(shared: &Shared, index: usize, seen: u64) {
    let asleep = &shared.asleep[index];
    asleep.store(true, Ordering::SeqCst);
    while asleep.load(Ordering::SeqCst) && !shared.slot.is_pending(seen) && !shared.stop.load(Ordering::SeqCst) {
        std::thread::park();
    }
    asleep.store(false, Ordering::SeqCst);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicI64;

    fn sum(pool: &Pool, extent: i64, grain: i64) -> (i64, i64) {
        let (sum, calls) = (AtomicI64::new(0), AtomicI64::new(0));
        pool.parallel_for(extent, grain, 4, &|lo, hi| {
            assert!(lo < hi && (hi - lo >= grain || calls.load(Ordering::Relaxed) == 0));
            sum.fetch_add((lo..hi).sum::<i64>(), Ordering::Relaxed);
            calls.fetch_add(1, Ordering::Relaxed);
        });
        (sum.into_inner(), calls.into_inner())
    }

    #[test]
    fn ranges_are_covered_once() {
        for threads in [1, 2, 5] {
            let pool = Pool::new(threads);
            for round in 0..2000 {
                let extent = round % 97;
                assert_eq!(sum(&pool, extent, 1 + round % 7).0, extent * (extent - 1) / 2);
            }
        }
    }

    #[test]
    fn small_ranges_stay_on_the_caller() {
        let pool = Pool::new(4);
        assert_eq!(sum(&pool, 10, 10).1, 1);
        assert_eq!(sum(&pool, 19, 10).1, 1);
        assert_eq!(sum(&pool, 20, 10).1, 2);
        assert_eq!(sum(&pool, 0, 1).1, 0);
        assert_eq!(sum(&pool, -5, 1).1, 0);
        assert_eq!(sum(&pool, 100, 1).1, 16);
    }

    #[test]
    fn sleeping_workers_wake() {
        let pool = Pool::new(3);
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(1));
            assert_eq!(sum(&pool, 100, 1).0, 4950);
        }
    }

    #[test]
    fn a_panic_is_passed_on_and_the_pool_lives() {
        let pool = Pool::new(3);
        for victim in [0, 7, 99] {
            let result = catch_unwind(AssertUnwindSafe(|| {
                pool.parallel_for(100, 1, 4, &|lo, hi| assert!(!(lo..hi).contains(&victim), "victim"));
            }));
            assert!(result.is_err());
            assert_eq!(sum(&pool, 100, 1).0, 4950);
        }
    }

    #[test]
    fn nested_and_concurrent_jobs_run() {
        let pool = Pool::new(3);
        let total = AtomicI64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        pool.parallel_for(8, 1, 4, &|lo, hi| {
                            total.fetch_add(sum(&pool, 10, 1).0 * (hi - lo), Ordering::Relaxed);
                        });
                    }
                });
            }
        });
        assert_eq!(total.into_inner(), 4 * 200 * 8 * 45);
    }
}
