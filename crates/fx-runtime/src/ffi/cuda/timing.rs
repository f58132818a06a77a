//! Times of launches, by a pair of events around each.

use super::driver::check;
use crate::device::LaunchTime;
use crate::error::Result;
use cudarc::driver::{result, sys};

/// An event; destroyed when dropped.
struct Event(sys::CUevent);

// SAFETY: driver handles may be used from any thread.
unsafe impl Send for Event {}

impl Event {
    fn record(stream: sys::CUstream) -> Result<Self> {
        let flags = sys::CUevent_flags::CU_EVENT_DEFAULT;
        let event = Event(check("creating an event", result::event::create(flags))?);
        // SAFETY: event and stream are alive.
        check("recording an event", unsafe { result::event::record(event.0, stream) })?;
        Ok(event)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: we made it, and nobody uses it any more. An error is of no use to anyone.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}

/// Measures launches while it is on.
#[derive(Default)]
pub(super) struct Timer {
    is_on: bool,
    started: Option<(u32, Event)>,
    launches: Vec<(u32, Event, Event)>,
}

impl Timer {
    /// Switches it and forgets what was measured.
    pub(super) fn set(&mut self, on: bool) {
        *self = Timer { is_on: on, ..Timer::default() };
    }

    /// Before a launch of `kernel`.
    pub(super) fn start(&mut self, kernel: u32, stream: sys::CUstream) -> Result<()> {
        if self.is_on {
            self.started = Some((kernel, Event::record(stream)?));
        }
        Ok(())
    }

    /// After it.
    pub(super) fn stop(&mut self, stream: sys::CUstream) -> Result<()> {
        if let Some((kernel, start)) = self.started.take() {
            self.launches.push((kernel, start, Event::record(stream)?));
        }
        Ok(())
    }

    /// The times so far, which are forgotten. The stream was waited for.
    pub(super) fn take(&mut self) -> Result<Vec<LaunchTime>> {
        let launches = std::mem::take(&mut self.launches);
        let time = |(kernel, start, end): &(u32, Event, Event)| {
            // SAFETY: both events are alive and were recorded.
            let milliseconds = unsafe { result::event::elapsed(start.0, end.0) };
            let milliseconds = f64::from(check("reading the time of a launch", milliseconds)?);
            Ok(LaunchTime { kernel: *kernel, nanoseconds: (milliseconds * 1e6) as u64 })
        };
        launches.iter().map(time).collect()
    }
}
