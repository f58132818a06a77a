//! What resampling reads along one dim: places and their weights.

use crate::Result;
use crate::array::element_count;

/// Places and weights; a place may occur several times.
pub(super) type Taps = Vec<(usize, f64)>;

/// A dim of `size` elements resampled to `output` ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dim {
    pub size: usize,
    pub output: usize,
    /// Output elements per input element, if the caller said so.
    pub scale: Option<f64>,
}

impl Dim {
    /// The taps of all output elements.
    fn all(&self, taps: impl Fn(usize) -> Taps) -> Result<Vec<Taps>> {
        element_count(&[self.output])?;
        if self.size == 0 && self.output > 0 {
            return Err(format!("has no elements to make {} of", self.output));
        }
        Ok((0..self.output).map(taps).collect())
    }

    /// Input elements per output element (ATen/native/UpSample.h, `area_pixel_compute_scale`).
    fn step(&self, align_corners: bool) -> f64 {
        match self.scale {
            _ if align_corners && self.output > 1 => (self.size as f64 - 1.0) / (self.output as f64 - 1.0),
            _ if align_corners => 0.0,
            Some(scale) if scale > 0.0 => 1.0 / scale,
            _ => self.size as f64 / self.output as f64,
        }
    }

    /// Where an output element lies among the input elements.
    fn position(&self, i: usize, align_corners: bool) -> f64 {
        let step = self.step(align_corners);
        if align_corners { i as f64 * step } else { (i as f64 + 0.5) * step - 0.5 }
    }

    /// The element before a position, and the distance to it: in [0, 1], also beyond the ends.
    fn split(&self, position: f64) -> (i64, f64) {
        let before = position.floor().min(self.size as f64 - 1.0);
        (before as i64, (position - before).clamp(0.0, 1.0))
    }

    /// A place beyond the ends becomes the end.
    fn clamped(&self, place: i64) -> usize {
        place.clamp(0, (self.size as i64 - 1).max(0)) as usize
    }
}

/// How the place that "nearest" means is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// By the centres of elements, not by their left edges.
    pub exact: bool,
    /// Equal sizes and doubled ones do not look at scales (ATen/native/UpSample.h, `nearest_idx`).
    pub shortcuts: bool,
    /// Positions in double precision, else in single.
    pub double: bool,
}

impl Nearest {
    /// `floor(i step)` or `floor((i + 1/2) step)`, at most the last. It jumps, so precision is that of PyTorch.
    pub fn places(self, dim: &Dim) -> Result<Vec<Option<usize>>> {
        let single = |x: f64| f64::from(x as f32);
        let step = if self.double { dim.step(false) } else { single(dim.step(false)) };
        let taps = dim.all(|i| {
            let position = single(if self.exact { (i as f64 + 0.5) * step } else { i as f64 * step });
            let place = match dim.output {
                output if self.shortcuts && !self.exact && output == dim.size => i,
                output if self.shortcuts && !self.exact && Some(output) == dim.size.checked_mul(2) => i / 2,
                _ => dim.clamped(position.floor() as i64),
            };
            vec![(place, 1.0)]
        })?;
        Ok(taps.into_iter().map(|taps| taps.first().map(|tap| tap.0)).collect())
    }
}

/// `(1 - t) x[k] + t x[k + 1]` at position k + t, not before the first element. Equal sizes change nothing.
pub(super) fn linear(dim: &Dim, align_corners: bool) -> Result<Vec<Taps>> {
    dim.all(|i| {
        if dim.size == dim.output {
            return vec![(i, 1.0)];
        }
        let (k, t) = dim.split(dim.position(i, align_corners).max(0.0));
        vec![(dim.clamped(k), 1.0 - t), (dim.clamped(k + 1), t)]
    })
}

/// Cubic convolution over four elements; those beyond the ends are the ends.
pub(super) fn cubic(dim: &Dim, align_corners: bool) -> Result<Vec<Taps>> {
    dim.all(|i| {
        let (k, t) = dim.split(dim.position(i, align_corners));
        (-1..=2).map(|j| (dim.clamped(k + j), keys(t - j as f64, -0.75))).collect()
    })
}

/// The kernel of cubic convolution (Keys, 1981).
pub(super) fn keys(x: f64, a: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    } else {
        0.0
    }
}

/// `max(1 - |x|, 0)`
pub(super) fn triangle(x: f64) -> f64 {
    (1.0 - x.abs()).max(0.0)
}

/// Weights by `filter`, which is 0 beyond `support`, stretched where the output is smaller, and then normalised (as
/// Pillow does; ATen's `_compute_indices_min_size_weights_aa`).
pub(super) fn antialiased(dim: &Dim, align_corners: bool, support: f64, filter: impl Fn(f64) -> f64) -> Result<Vec<Taps>> {
    let step = dim.step(align_corners);
    let stretch = step.max(1.0);
    dim.all(|i| {
        let (center, reach) = (step * (i as f64 + 0.5), support * stretch);
        let first = (center - reach + 0.5).max(0.0) as usize;
        let last = ((center + reach + 0.5).max(0.0) as usize).min(dim.size);
        let mut taps: Taps = (first..last).map(|k| (k, filter((k as f64 - center + 0.5) / stretch))).collect();
        let total: f64 = taps.iter().map(|tap| tap.1).sum();
        if total != 0.0 {
            taps.iter_mut().for_each(|tap| tap.1 /= total);
        }
        taps
    })
}

/// Weights as integers of 16 bits, and how many of the bits are after the point: as many as fit all the weights of a dim.
pub(super) struct FixedPoint {
    taps: Vec<Vec<(usize, i64)>>,
    bits: u32,
}

impl FixedPoint {
    /// Weights rounded, after those of one place were added (ATen's `_compute_index_ranges_int16_weights`).
    pub fn new(all: &[Taps]) -> Self {
        let mut largest = 0.0f64;
        let merged: Vec<Taps> = all
            .iter()
            .map(|taps| {
                let mut merged = Taps::new();
                for (place, weight) in taps {
                    match merged.last_mut() {
                        Some(last) if last.0 == *place => last.1 += weight,
                        _ => merged.push((*place, *weight)),
                    }
                    largest = merged.last().map_or(largest, |last| largest.max(last.1));
                }
                merged
            })
            .collect();
        let fits = |bits: u32| 0.5 + largest * 2f64.powi(bits as i32 + 1) < f64::from(1 << 15);
        let bits = (0..22).find(|bits| !fits(*bits)).unwrap_or(22);
        let fixed = |weight: f64| (weight * 2f64.powi(bits as i32)).round() as i64;
        FixedPoint { taps: merged.into_iter().map(|taps| taps.into_iter().map(|tap| (tap.0, fixed(tap.1))).collect()).collect(), bits }
    }

    /// The resampled lane, rounded to bytes.
    pub fn resample(&self, lane: &[i64]) -> Vec<i64> {
        let element = |taps: &Vec<(usize, i64)>| {
            let sum: i64 = taps.iter().map(|(place, weight)| lane[*place] * weight).sum();
            let half = if self.bits > 0 { 1 << (self.bits - 1) } else { 0 };
            ((sum + half) >> self.bits).clamp(0, 255)
        };
        self.taps.iter().map(element).collect()
    }
}
