//! Times of calls and of kernels.

use crate::error::Result;
use fx_runtime::{DeviceKind, Executor, Value};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Calls whose time is not counted, at most.
const WARM_UP: usize = 3;
/// Calls between two waits for a GPU.
const QUEUED: usize = 32;
/// Calls with timing of kernels, at most.
const TIMED: usize = 10;

/// A time with a name.
#[derive(Debug, Serialize)]
pub struct Time {
    /// Of a phase or a kernel.
    pub name: String,
    /// How long.
    pub microseconds: f64,
}

/// Inputs where the device reaches them, so that calls do not copy.
pub fn on_device(executor: &mut Executor, values: Vec<Value>) -> Result<Vec<Value>> {
    if executor.device() == DeviceKind::Cpu {
        return Ok(values);
    }
    let values = values.into_iter().map(|value| {
        Ok(match value {
            Value::Tensor(tensor) => Value::Device(executor.upload(&tensor)?),
            other => other,
        })
    });
    values.collect()
}

/// Calls that are not counted, with each turn's values, for no longer than `duration` but at least one. When the next ones can
/// start.
pub fn warm_up(executor: &mut Executor, turns: &[Vec<Value>], duration: Duration) -> Result<Instant> {
    let started = Instant::now();
    for values in turns.iter().cycle().take(WARM_UP) {
        executor.call_on_device(values)?;
        executor.synchronize()?;
        if started.elapsed() >= duration {
            break;
        }
    }
    Ok(Instant::now())
}

/// Calls for about `duration`, at least one, with each turn's values after the other: the host time of each, in microseconds.
/// With several turns, results are kept during the next call.
pub fn block(executor: &mut Executor, turns: &[Vec<Value>], duration: Duration) -> Result<Vec<f64>> {
    let (mut times, mut kept) = (Vec::new(), Vec::new());
    let started = Instant::now();
    for values in turns.iter().cycle() {
        let call = Instant::now();
        let results = executor.call_on_device(values)?;
        times.push(micros(call.elapsed()));
        kept.clear(); // the results of the call before
        if turns.len() > 1 {
            kept.extend(results);
        }
        if started.elapsed() >= duration {
            break;
        }
        if times.len() % QUEUED == 0 {
            executor.synchronize()?;
        }
    }
    executor.synchronize()?;
    Ok(times)
}

/// Device time of each of some calls, for no longer than `duration` but at least one, and of each kernel in an average call,
/// in microseconds.
pub fn device_times(executor: &mut Executor, values: &[Value], duration: Duration) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut kernels = vec![0.0; executor.plan().kernels.len()];
    let mut calls = Vec::with_capacity(TIMED);
    let started = Instant::now();
    executor.set_timing(true);
    while calls.len() < TIMED && (calls.is_empty() || started.elapsed() < duration) {
        executor.call_on_device(values)?;
        let mut sum = 0.0;
        for launch in executor.take_times()? {
            let time = launch.nanoseconds as f64 / 1e3;
            sum += time;
            if let Some(kernel) = kernels.get_mut(launch.kernel as usize) {
                *kernel += time;
            }
        }
        calls.push(sum);
    }
    executor.set_timing(false);
    kernels.iter_mut().for_each(|time| *time /= calls.len() as f64);
    Ok((calls, kernels))
}

/// A duration in microseconds.
pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The middle one; sorts the times. 0 for none.
pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    match (times.get(times.len() / 2), times.len() % 2) {
        (Some(upper), 0) => (upper + times[times.len() / 2 - 1]) / 2.0,
        (Some(middle), _) => *middle,
        (None, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&mut []), 0.0);
    }
}
