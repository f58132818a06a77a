//! Learning rates by step.

use std::fmt;

/// What becomes of the learning rate after the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decay {
    /// It stays.
    Constant,
    /// It goes to 0 along half a cosine, which it reaches after this many steps of the whole run.
    Cosine(u64),
}

/// The learning rate of each step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// The highest.
    pub rate: f64,
    /// How many steps lead up to it: the first has `rate / warmup`, step `warmup` has `rate`.
    pub warmup: u64,
    /// What follows.
    pub decay: Decay,
}

impl Schedule {
    /// Always the same rate.
    pub fn constant(rate: f64) -> Self {
        Self { rate, warmup: 0, decay: Decay::Constant }
    }

    /// The learning rate of a step; the first is 0.
    pub fn rate(&self, step: u64) -> f64 {
        if step < self.warmup {
            return self.rate * (step + 1) as f64 / self.warmup as f64;
        }
        match self.decay {
            Decay::Constant => self.rate,
            Decay::Cosine(steps) => {
                let (done, all) = (step - self.warmup, steps.saturating_sub(self.warmup).max(1));
                let share = (done as f64 / all as f64).min(1.0);
                self.rate * 0.5 * (1.0 + (std::f64::consts::PI * share).cos())
            }
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decay {
            Decay::Constant => write!(f, "constant")?,
            Decay::Cosine(steps) => write!(f, "cosine steps={steps}")?,
        }
        write!(f, " rate={} warmup={}", self.rate, self.warmup)
    }
}
