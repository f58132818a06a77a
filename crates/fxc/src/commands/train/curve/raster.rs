//! A chart as pixels: straight lines, and digits from a small font of our own.

use super::{BOTTOM, Chart, HEIGHT, LEFT, RIGHT, TOP, WIDTH};
use crate::error::{CliError, Result};
use std::path::Path;

/// Pixels of the picture for one of the chart.
const SCALE: f64 = 2.0;
const WHITE: [u8; 3] = [0xff; 3];
const GRID: [u8; 3] = [0xdd; 3];
const TEXT: [u8; 3] = [0x44; 3];
const CURVE: [u8; 3] = [0x1f, 0x5f, 0xa8];

/// Writes a chart as a PNG.
pub(super) fn write(path: &Path, chart: &Chart) -> Result<()> {
    let (width, height) = ((WIDTH * SCALE) as usize, (HEIGHT * SCALE) as usize);
    let mut canvas = Canvas { width, height, pixels: vec![WHITE; width * height] };
    canvas.draw(chart);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(canvas.pixels.as_flattened()));
    written.map_err(|error| CliError::Failed(format!("{}: {error}", path.display())))?;
    Ok(fx_runtime::write_atomically(path, |file| file.write_all(&bytes))?)
}

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    fn draw(&mut self, chart: &Chart) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for (x, label) in &chart.steps {
            self.line((*x, TOP), (*x, bottom), GRID, 1);
            self.text(label, *x + text_width(label) / 2.0, bottom + 8.0);
        }
        for (y, label) in &chart.losses {
            self.line((LEFT, *y), (right, *y), GRID, 1);
            self.text(label, LEFT - 8.0, *y - f64::from(GLYPH.1) / 2.0);
        }
        for pair in chart.curve.windows(2) {
            self.line(pair[0], pair[1], CURVE, 3);
        }
    }

    /// A line of square dots, a pixel apart.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), color: [u8; 3], size: i64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let dots = (dx.abs().max(dy.abs()) * SCALE).ceil().max(1.0);
        for dot in 0..=dots as usize {
            let share = dot as f64 / dots;
            let place = |start: f64, length: f64| ((start + share * length) * SCALE).round() as i64 - size / 2;
            self.square(place(from.0, dx), place(from.1, dy), size, color);
        }
    }

    /// A number that ends at `right`.
    fn text(&mut self, text: &str, right: f64, top: f64) {
        let mut x = right - text_width(text);
        for character in text.chars() {
            let rows = FONT.iter().find(|(known, _)| *known == character).map_or([0; GLYPH.1 as usize], |(_, rows)| *rows);
            for (y, row) in rows.iter().enumerate() {
                for column in (0..GLYPH.0).filter(|column| row >> (GLYPH.0 - 1 - column) & 1 == 1) {
                    let place = |pixel: f64| (pixel * SCALE).round() as i64;
                    self.square(place(x + f64::from(column)), place(top + y as f64), SCALE as i64, TEXT);
                }
            }
            x += f64::from(GLYPH.0 + 1);
        }
    }

    fn square(&mut self, left: i64, top: i64, size: i64, color: [u8; 3]) {
        for (x, y) in (0..size * size).map(|dot| (left + dot % size, top + dot / size)) {
            if (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y) {
                self.pixels[y as usize * self.width + x as usize] = color;
            }
        }
    }
}

fn text_width(text: &str) -> f64 {
    f64::from(GLYPH.0 + 1) * text.chars().count() as f64 - 1.0
}

/// Columns and rows of a character.
const GLYPH: (u32, u32) = (5, 7);

/// Rows of each character, the leftmost column in the highest of 5 bits.
#[rustfmt::skip] // a table
const FONT: [(char, [u8; GLYPH.1 as usize]); 12] = [
    ('0', [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]),
    ('3', [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110]),
    ('4', [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]),
    ('6', [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000]),
    ('8', [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]),
    ('9', [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100]),
    ('.', [0, 0, 0, 0, 0, 0b01100, 0b01100]),
    ('-', [0, 0, 0, 0b11111, 0, 0, 0]),
];
