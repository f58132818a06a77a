//! The measurements as text.

use super::Measurements;
use super::gpu::Gpu;
use super::measure::Time;
use super::torch::Comparison;

/// Kernels that the table shows.
const SHOWN: usize = 10;

/// The table that is printed.
pub fn table(m: &Measurements) -> String {
    let mut rows = Rows(vec![format!("{} for {} on {}", m.model, m.target, m.device)]);
    rows.add("compile", time(m.compile_total));
    for phase in &m.compile {
        rows.add(&format!("  {}", phase.name), time(phase.microseconds));
    }
    rows.add("opening the device", time(m.device_open));
    if let Some(kernels) = &m.kernel_compile {
        rows.add("each kernel by itself", kernels.len().to_string());
        rows.times(kernels);
    }
    rows.add("kernels", m.kernels.to_string());
    rows.add("buffers", m.buffers.to_string());
    rows.add("planned bytes", m.planned_bytes.to_string());
    rows.add("peak bytes of a call", m.peak_bytes.to_string());
    rows.add("state bytes", m.state_bytes.to_string());
    rows.add("calls", m.calls.to_string());
    rows.add("host time, median", time(m.host_median));
    rows.add("host time, least", time(m.host_min));
    rows.add("kernel time, median", time(m.device_median));
    rows.times(&m.kernel_times);
    for (name, value) in m.gpu.iter().flat_map(Gpu::rows) {
        rows.add(name, value);
    }
    if let Some(calls) = m.verified {
        rows.add("calls the same with graphs", calls.to_string());
    }
    if let Some(comparison) = &m.torch {
        rows.comparison(comparison);
    }
    let trimmed: Vec<&str> = rows.0.iter().map(|line| line.trim_end()).collect();
    trimmed.join("\n")
}

/// Lines of a name and a value.
struct Rows(Vec<String>);

impl Rows {
    fn add(&mut self, name: &str, value: String) {
        self.0.push(format!("  {name:<28} {value:>14}"));
    }

    /// The first ones, and how many there are beside them.
    fn times(&mut self, times: &[Time]) {
        for kernel in times.iter().take(SHOWN) {
            self.add(&format!("  {}", kernel.name), time(kernel.microseconds));
        }
        if times.len() > SHOWN {
            self.add(&format!("  {} more", times.len() - SHOWN), String::new());
        }
    }

    fn comparison(&mut self, c: &Comparison) {
        self.0.push(format!("against PyTorch {} ({}), {} threads each, in turns", c.version, c.program, c.threads));
        self.add("ours, median", time(c.ours_median));
        self.add("PyTorch, median", time(c.torch_median));
        self.add("ratio (above 1: ours faster)", format!("{:.2}", c.ratio));
        self.add("largest relative difference", format!("{:.1e}", c.difference));
    }
}

/// Microseconds with a unit that suits.
pub fn time(microseconds: f64) -> String {
    match microseconds {
        t if t < 1e3 => format!("{t:.2} us"),
        t if t < 1e6 => format!("{:.2} ms", t / 1e3),
        t => format!("{:.2} s", t / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(time(12.345), "12.35 us");
        assert_eq!(time(12_345.0), "12.35 ms");
        assert_eq!(time(2.5e6), "2.50 s");
    }

    #[test]
    fn long_lists_are_cut() {
        let mut rows = Rows(Vec::new());
        let times: Vec<Time> = (0..12).map(|i| Time { name: format!("kernel_{i}"), microseconds: 1.0 }).collect();
        rows.times(&times);
        assert_eq!(rows.0.len(), SHOWN + 1);
        assert!(rows.0[SHOWN].contains("2 more"), "{:?}", rows.0);
    }
}
