//! Windows that slide over spatial dims: those of convolutions, pools and im2col.

use std::ops::Range;

use crate::Result;
use crate::array::{element_count, indices};

/// Windows along one dim: element k of window p lies at `p * stride + k * dilation - padding`.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    /// Places that exist.
    pub size: usize,
    /// Elements of a window.
    pub kernel: usize,
    pub stride: usize,
    pub dilation: usize,
    /// Places before the first.
    pub padding: usize,
    /// Number of windows.
    pub count: usize,
}

impl Axis {
    /// As many windows as fit into the padded dim. With `ceil`, those that begin before its end fit too, unless they
    /// begin in the padding after it (ATen/native/Pool.h, `pooling_output_shape`).
    pub fn new(size: usize, kernel: usize, stride: usize, dilation: usize, padding: usize, ceil: bool) -> Result<Axis> {
        let mut axis = Axis { size, kernel, stride, dilation, padding, count: 0 };
        if kernel == 0 || stride == 0 || dilation == 0 {
            return Err(format!("has a window of {kernel}, a stride of {stride} and a dilation of {dilation}"));
        }
        let rest = size as i128 + 2 * padding as i128 - axis.reach();
        let stride = stride as i128;
        let mut last = (rest + if ceil { stride - 1 } else { 0 }).div_euclid(stride);
        if ceil && last * stride >= size as i128 + padding as i128 {
            last -= 1;
        }
        axis.count = usize::try_from(last + 1).unwrap_or(0);
        if axis.count == 0 {
            return Err(format!("has no window of {kernel} in a dim of size {size}"));
        }
        Ok(axis)
    }

    /// Places from the first to the last of a window, both included.
    pub fn reach(&self) -> i128 {
        self.dilation as i128 * (self.kernel as i128 - 1) + 1
    }

    /// The place of the first element of a window.
    fn start(&self, window: usize) -> i128 {
        window as i128 * self.stride as i128 - self.padding as i128
    }

    /// The elements of a window from its first one that is not before the dim, up to `end`.
    fn elements(&self, window: usize, end: i128) -> Range<usize> {
        let up = |distance: i128| (distance.max(0) + self.dilation as i128 - 1) / self.dilation as i128;
        let kernel = self.kernel as i128;
        let (first, last) = (up(-self.start(window)).min(kernel), up(end - self.start(window)).min(kernel));
        first as usize..last as usize
    }

    /// Its elements that exist: number in the window and place.
    fn inside(&self, window: usize) -> impl Iterator<Item = (usize, usize)> {
        let start = self.start(window);
        self.elements(window, self.size as i128).map(move |k| (k, (start + k as i128 * self.dilation as i128) as usize))
    }

    /// The place of its first element that is not before the dim, perhaps after it.
    fn origin(&self, window: usize) -> usize {
        let first = self.elements(window, i128::MAX / 2).start as i128;
        usize::try_from(self.start(window) + first * self.dilation as i128).unwrap_or(0)
    }

    /// The number of its elements with those in the padding, up to its end.
    fn padded(&self, window: usize) -> i128 {
        let (start, end) = (self.start(window), self.size as i128 + self.padding as i128);
        (start + self.kernel as i128).min(end) - start
    }
}

/// An element of a window: its number in the window, and its place, both in row-major order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tap {
    pub kernel: usize,
    pub place: usize,
}

/// Windows over several dims.
#[derive(Debug, Clone)]
pub(super) struct Windows {
    pub axes: Vec<Axis>,
}

impl Windows {
    /// Numbers of windows by dim.
    pub fn counts(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.count).collect()
    }

    /// All windows in row-major order.
    pub fn all(&self) -> Result<impl Iterator<Item = Vec<usize>> + use<>> {
        element_count(&self.counts())?;
        Ok(indices(&self.counts()))
    }

    /// Elements of a window that exist, in row-major order.
    pub fn taps(&self, window: &[usize]) -> Vec<Tap> {
        let mut taps = vec![Tap { kernel: 0, place: 0 }];
        for (axis, window) in self.axes.iter().zip(window) {
            let next = |tap: Tap| {
                axis.inside(*window).map(move |(k, place)| Tap {
                    kernel: tap.kernel.saturating_mul(axis.kernel).saturating_add(k),
                    place: tap.place * axis.size + place,
                })
            };
            taps = taps.into_iter().flat_map(next).collect();
        }
        taps
    }

    /// The place of its first element that is before no dim.
    pub fn origin(&self, window: &[usize]) -> usize {
        let places = self.axes.iter().zip(window);
        places.fold(0usize, |place, (axis, window)| place.saturating_mul(axis.size).saturating_add(axis.origin(*window)))
    }

    /// The number of its elements with those in the padding.
    pub fn padded(&self, window: &[usize]) -> i64 {
        let sizes = self.axes.iter().zip(window).map(|(axis, window)| axis.padded(*window));
        sizes.fold(1i64, |count, size| count.saturating_mul(i64::try_from(size).unwrap_or(i64::MAX)))
    }
}
