//! The path of keys and indices to a byte of a JSON text, for messages.

use std::ops::Range;

use crate::error::{bounded, quoted};

/// The objects and arrays that are open at a place of a text, outermost first.
#[derive(Default)]
struct Path {
    levels: Vec<Level>,
    /// Open levels below the last of `levels`.
    deeper: usize,
}

/// An object or array.
struct Level {
    object: bool,
    at_key: bool,
    key: Range<usize>,
    index: usize,
}

/// Levels that a path shows, at most: as many as serde_json reads, but unknown fields may be deeper.
const MAX_LEVELS: usize = 128;

/// The path of keys and indices that leads to a byte of a text.
pub(super) fn place(text: &[u8], end: usize) -> String {
    let mut path = Path::default();
    let mut at = 0;
    while at < end {
        at = path.step(text, at);
    }
    let key = |level: &Level| text.get(level.key.clone()).unwrap_or_default();
    let nodes = path.levels.iter().rposition(|level| level.object && key(level) == b"nodes");
    let mut segments: Vec<String> = Vec::new();
    for level in &path.levels {
        segments.push(match level.object {
            true => bounded(&String::from_utf8_lossy(key(level))),
            false => format!("[{}]", level.index),
        });
    }
    if path.deeper > 0 {
        segments.push("...".to_owned());
    }
    // The node is two levels below the key `nodes`: in an array, and an object itself.
    if let Some(nodes) = nodes
        && let Some(name) = path.name_at_depth(text, at, nodes + 3)
        && let Some(segment) = segments.get_mut(nodes + 1)
    {
        segment.push_str(&format!(" {}", quoted(&name)));
    }
    segments.join(".").replace(".[", "[")
}

impl Path {
    /// The field `name` in the rest of an open object that is `depth` levels deep.
    fn name_at_depth(&mut self, text: &[u8], mut at: usize, depth: usize) -> Option<String> {
        while at < text.len() && self.levels.len() >= depth {
            if let Some(level) = self.levels.last()
                && self.levels.len() == depth
                && !level.at_key
                && text.get(at) == Some(&b'"')
                && text.get(level.key.clone()) == Some(b"name")
            {
                let name = text.get(at + 1..string_end(text, at + 1))?;
                return Some(String::from_utf8_lossy(name).into_owned());
            }
            at = self.step(text, at);
        }
        None
    }

    /// Reads one token's first byte, or a whole string, and returns where the next one begins.
    fn step(&mut self, text: &[u8], at: usize) -> usize {
        let byte = text.get(at).copied().unwrap_or_default();
        match byte {
            b'"' => {
                let end = string_end(text, at + 1);
                if let Some(level) = self.levels.last_mut()
                    && level.at_key
                    && self.deeper == 0
                {
                    level.key = at + 1..end;
                }
                return end + 1;
            }
            b'{' | b'[' if self.levels.len() == MAX_LEVELS => self.deeper += 1,
            b'{' | b'[' => self.levels.push(Level { object: byte == b'{', at_key: byte == b'{', key: 0..0, index: 0 }),
            b'}' | b']' if self.deeper > 0 => self.deeper -= 1,
            b'}' | b']' => drop(self.levels.pop()),
            b':' | b',' if self.deeper == 0 => {
                if let Some(level) = self.levels.last_mut() {
                    level.at_key = level.object && byte == b',';
                    level.index += usize::from(byte == b',');
                }
            }
            _ => {}
        }
        at + 1
    }
}

/// Index of the quote that closes a string.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}
