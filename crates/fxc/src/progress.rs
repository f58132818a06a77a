//! A progress bar on stderr, if that is a terminal.

use crate::error::note;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// Counts finished items; with `verbose` it prints lines instead.
pub struct Progress {
    bar: ProgressBar,
    verbose: bool,
}

impl Progress {
    /// Starts to count up to `len`.
    pub fn new(len: usize, verbose: bool) -> Self {
        let bar = if std::io::stderr().is_terminal() && !verbose { ProgressBar::new(len as u64) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {wide_msg}") {
            bar.set_style(style);
        }
        Progress { bar, verbose }
    }

    /// An item begins.
    pub fn start(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        if self.verbose {
            note(&format!("running {name}"));
        }
    }

    /// So many items are done already.
    pub fn skip(&self, count: usize) {
        self.bar.set_position(count as u64);
        self.bar.reset_eta();
    }

    /// An item has ended; `summary` is made only when it is printed.
    pub fn finish(&self, summary: impl FnOnce() -> String) {
        self.bar.inc(1);
        if self.verbose {
            note(&summary());
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
