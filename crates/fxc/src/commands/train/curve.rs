//! The losses of a run as a picture, SVG or PNG.
//!
//! Many steps are drawn as the mean of each [`POINTS`]th of the run.

mod raster;

use crate::error::{CliError, Result};
use crate::files::write_text;
use std::fmt::Write as _;
use std::path::Path;

/// How a picture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines and text.
    Svg,
    /// Pixels.
    Png,
}

/// The format that a file's name says.
pub fn format_of(path: &Path) -> Result<Format> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(CliError::Usage(format!("--plot {}: expected a name that ends in .svg or .png", path.display()))),
    }
}

/// Draws losses into a file.
pub fn write(path: &Path, format: Format, losses: &[f64]) -> Result<()> {
    let chart = Chart::new(losses);
    match format {
        Format::Svg => write_text(path, &chart.svg()),
        Format::Png => raster::write(path, &chart),
    }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 44.0;
/// Most points of the curve.
const POINTS: usize = 600;
/// About how many lines an axis gets.
const LINES: f64 = 5.0;

/// What is drawn, in pixels from the upper left corner.
struct Chart {
    curve: Vec<(f64, f64)>,
    /// Places and labels.
    steps: Vec<(f64, String)>,
    losses: Vec<(f64, String)>,
}

impl Chart {
    fn new(losses: &[f64]) -> Self {
        let size = losses.len().div_ceil(POINTS).max(1);
        let mean = |(index, part): (usize, &[f64])| {
            let middle = (index * size) as f64 + (part.len() as f64 + 1.0) / 2.0; // steps count from 1
            (middle, part.iter().sum::<f64>() / part.len() as f64)
        };
        let points: Vec<_> = losses.chunks(size).enumerate().map(mean).filter(|(_, loss)| loss.is_finite()).collect();
        let (low, high) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let across = Axis::new(0.0, losses.len().max(1) as f64, [LEFT, WIDTH - RIGHT]);
        let up = Axis::new(low, high, [HEIGHT - BOTTOM, TOP]);
        let curve = points.into_iter().map(|(step, loss)| (across.place(step), up.place(loss))).collect();
        Chart { curve, steps: across.lines(), losses: up.lines() }
    }

    fn svg(&self) -> String {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"#444\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
        );
        // a string takes all: nothing fails
        let line = |x1: f64, y1: f64, x2: f64, y2: f64| {
            format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>\n")
        };
        for (x, label) in &self.steps {
            text += &line(*x, TOP, *x, bottom);
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>", bottom + 18.0);
        }
        for (y, label) in &self.losses {
            text += &line(LEFT, *y, right, *y);
            let _ = writeln!(text, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 8.0, y + 4.0);
        }
        let points: Vec<String> = self.curve.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(text, "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"1.5\"/>", points.join(" "));
        let _ = writeln!(text, "<text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">step</text>", HEIGHT - 10.0);
        let _ = writeln!(text, "<text x=\"{LEFT:.1}\" y=\"{:.1}\">loss</text>\n</svg>", TOP - 8.0);
        text
    }
}

/// An axis from `low` to `high`, rounded to whole steps between its lines.
struct Axis {
    low: f64,
    high: f64,
    between: f64,
    pixels: [f64; 2],
}

impl Axis {
    fn new(low: f64, high: f64, pixels: [f64; 2]) -> Self {
        let span = if high > low { high - low } else { low.abs().max(1.0) };
        let power = 10f64.powf((span / LINES).log10().floor());
        let between = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| span / step <= LINES).unwrap_or(span);
        Axis { low: (low / between).floor() * between, high: (high / between).ceil() * between, between, pixels }
    }

    fn place(&self, value: f64) -> f64 {
        let span = if self.high > self.low { self.high - self.low } else { 1.0 };
        self.pixels[0] + (value - self.low) / span * (self.pixels[1] - self.pixels[0])
    }

    fn lines(&self) -> Vec<(f64, String)> {
        let digits = (-self.between.log10().floor()).clamp(0.0, 12.0) as usize;
        let count = ((self.high - self.low) / self.between).round() as usize;
        let value = |index: usize| self.low + index as f64 * self.between;
        (0..=count).map(|index| (self.place(value(index)), format!("{:.digits$}", value(index) + 0.0))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_lines() {
        let labels = |low, high| Axis::new(low, high, [0.0, 100.0]).lines().into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 200.0), ["0", "50", "100", "150", "200"]);
        assert_eq!(labels(0.013, 0.22), ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25"]);
        assert_eq!(labels(3.0, 3.0).len(), 1);
    }

    #[test]
    fn a_curve_is_drawn_within_its_axes() {
        let losses: Vec<f64> = (0..5000).map(|step| 5.0 / (1.0 + step as f64)).chain([f64::NAN]).collect();
        let chart = Chart::new(&losses);
        assert!(chart.curve.len() <= POINTS && chart.curve.len() > POINTS / 2, "{}", chart.curve.len());
        let inside = |(x, y): &(f64, f64)| (LEFT..=WIDTH - RIGHT).contains(x) && (TOP..=HEIGHT - BOTTOM).contains(y);
        assert!(chart.curve.iter().all(inside));
        let text = chart.svg();
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n") && text.matches("<polyline").count() == 1);
        assert!(Chart::new(&[]).svg().contains("<polyline points=\"\""));
    }

    #[test]
    fn both_formats_are_written() {
        let folder = tempfile::tempdir().unwrap();
        for (name, start) in [("loss.svg", &b"<svg"[..]), ("loss.png", b"\x89PNG")] {
            let path = folder.path().join(name);
            write(&path, format_of(&path).unwrap(), &[3.0, 2.0, 1.5]).unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(start), "{name}");
        }
        assert!(format_of(Path::new("loss.jpg")).is_err());
    }
}
