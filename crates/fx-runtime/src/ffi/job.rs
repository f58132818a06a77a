//! One job shared by threads: a borrowed closure over pieces of a range.
//!
//! Protocol  `state` packs a generation (upper 32 bits), whether the job is open (bit 31) and how many helpers are inside
//!           (the rest). The owner publishes: writes the job, then opens the next generation. A helper enters by
//!           compare-and-swap, only while the job is open, and leaves by a decrement. Everyone takes pieces from one
//!           counter. The owner closes the job, waits until nobody is inside, and only then returns; so the borrowed
//!           closure outlives its use. A helper that sleeps through a job is not waited for.

use std::any::Any;
use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

const OPEN: u64 = 1 << 31;
const HELPERS: u64 = OPEN - 1;
/// Spins before the owner yields its processor while it waits for the last helper.
const SPINS_BEFORE_YIELD: u32 = 20_000;

/// A function over the half-open range from its first to its second argument.
pub(crate) type Body<'a> = dyn Fn(i64, i64) + Sync + 'a;

#[derive(Clone, Copy)]
struct Job {
    body: *const Body<'static>,
    extent: i64,
    pieces: i64,
}

/// Where at most one job at a time is worked on.
pub(crate) struct JobSlot {
    state: AtomicU64,
    next: AtomicUsize,
    job: UnsafeCell<Option<Job>>,
    owner: Mutex<()>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `job` is written only by the holder of `owner` while the job is closed and nobody is inside, and read only by
// threads that entered; the body is `Sync`. Entering acquires what publishing released.
unsafe impl Sync for JobSlot {}
// SAFETY: the pointer inside is only used during `run`, which borrows what it points to.
unsafe impl Send for JobSlot {}

/// The piece `index` of `pieces` nearly equal ones.
fn piece(extent: i64, pieces: i64, index: i64) -> (i64, i64) {
    let (size, larger) = (extent / pieces, extent % pieces);
    let start = index * size + index.min(larger);
    (start, start + size + i64::from(index < larger))
}

impl JobSlot {
    /// An empty slot.
    pub(crate) fn new() -> Self {
        JobSlot {
            state: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            job: UnsafeCell::new(None),
            owner: Mutex::new(()),
            panic: Mutex::new(None),
        }
    }

    /// Runs `body` over `0..extent` in `pieces` pieces, together with the helpers that `wake` calls in.
    ///
    /// Gives false, having done nothing, when the slot is in use. A panic of the body in any thread is raised again here,
    /// after all threads have left.
    pub(crate) fn run(&self, extent: i64, pieces: i64, body: &Body<'_>, wake: impl FnOnce()) -> bool {
        let _owner = match self.owner.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        // SAFETY: only the lifetime changes; the pointer is dereferenced by threads that are inside, and `close` below
        // waits for all of them before `body`'s borrow ends.
        let body = unsafe { std::mem::transmute::<*const Body<'_>, *const Body<'static>>(body) };
        let job = Job { body, extent, pieces };
        // SAFETY: we hold `owner`, and the previous owner left the job closed with nobody inside.
        unsafe { *self.job.get() = Some(job) };
        self.next.store(0, Ordering::Relaxed);
        let generation = (self.state.load(Ordering::Relaxed) >> 32).wrapping_add(1);
        self.state.store(generation << 32 | OPEN, Ordering::SeqCst);
        // nothing between here and `close` may unwind
        let woken = catch_unwind(AssertUnwindSafe(wake));
        self.work(job);
        self.close();
        let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(payload) = panic.or(woken.err()) {
            resume_unwind(payload);
        }
        true
    }

    /// Whether there is an open job that is not the one of generation `seen`.
    pub(crate) fn is_pending(&self, seen: u64) -> bool {
        let state = self.state.load(Ordering::SeqCst);
        state & OPEN != 0 && state >> 32 != seen
    }

    /// Helps with the open job, if there is one newer than `seen`. Gives whether there was.
    pub(crate) fn help(&self, seen: &mut u64) -> bool {
        loop {
            let state = self.state.load(Ordering::Acquire);
            if state & OPEN == 0 || state >> 32 == *seen {
                return false;
            }
            let entered = self.state.compare_exchange_weak(state, state + 1, Ordering::AcqRel, Ordering::Relaxed);
            if entered.is_ok() {
                *seen = state >> 32;
                break;
            }
        }
        // SAFETY: we are inside an open job, so its owner does not write it until we have left.
        let job = unsafe { *self.job.get() };
        if let Some(job) = job {
            self.work(job);
        }
        self.state.fetch_sub(1, Ordering::Release);
        true
    }

    /// Takes pieces until none is left. A panic cancels the pieces not yet begun.
    fn work(&self, job: Job) {
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                let index = self.next.fetch_add(1, Ordering::Relaxed) as i64;
                if index >= job.pieces {
                    break;
                }
                let (lo, hi) = piece(job.extent, job.pieces, index);
                // SAFETY: the owner, which may be this thread, keeps the body borrowed until all threads have left.
                unsafe { (*job.body)(lo, hi) };
            }
        }));
        if let Err(payload) = result {
            self.next.store(job.pieces as usize, Ordering::Relaxed);
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
        }
    }

    /// Lets nobody in any more and waits for those inside.
    fn close(&self) {
        let mut inside = self.state.fetch_and(!OPEN, Ordering::AcqRel) & HELPERS;
        let mut spins = 0;
        while inside != 0 {
            if spins < SPINS_BEFORE_YIELD {
                spins += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
            inside = self.state.load(Ordering::Acquire) & HELPERS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_range() {
        for (extent, pieces) in [(1, 1), (10, 3), (9, 3), (100, 7), (i64::MAX, 5)] {
            let mut end = 0;
            for index in 0..pieces {
                let (lo, hi) = piece(extent, pieces, index);
                assert_eq!(lo, end);
                assert!(hi - lo >= extent / pieces);
                end = hi;
            }
            assert_eq!(end, extent);
        }
    }
}
