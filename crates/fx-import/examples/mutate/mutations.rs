//! Ways to damage an archive, each decided by a random sequence alone.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use fx_import::Archive;
use serde_json::{Map, Value};

use crate::random::Random;
use crate::zip_writer::{self, Part};

/// A sound archive in the forms that mutations start from.
pub struct Original {
    bytes: Vec<u8>,
    parts: Vec<Part>,
    /// Index of each JSON part with its text and value; the program comes first.
    json: Vec<(usize, Vec<u8>, Value)>,
}

impl Original {
    pub fn read(path: &str) -> Result<Self, String> {
        let archive = Archive::open(path).map_err(|error| error.to_string())?;
        let mut parts = Vec::new();
        for name in archive.member_names() {
            let data = archive.member(name).map_err(|error| error.to_string())?;
            parts.push(Part::stored(format!("{}/{name}", archive.root()), data));
        }
        let mut json = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if part.name.ends_with(".json") {
                let value = serde_json::from_slice(&part.data).map_err(|error| error.to_string())?;
                json.push((index, part.data.clone(), value));
            }
        }
        json.sort_by_key(|(index, _, _)| !parts[*index].name.contains("/models/"));
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        Ok(Self { bytes, parts, json })
    }
}

/// The bytes of a damaged archive.
pub fn mutate(originals: &[Original], random: &mut Random) -> Vec<u8> {
    let original = random.pick(originals);
    if random.once_in(3) {
        let mut bytes = original.bytes.clone();
        for _ in 0..=random.below(3) {
            let other = &random.pick(originals).bytes;
            damage_bytes(&mut bytes, other, random);
        }
        return bytes;
    }
    let mut parts = original.parts.clone();
    let nth = if random.once_in(4) { random.below(original.json.len()) } else { 0 };
    let (index, text, value) = &original.json[nth];
    let text = if random.once_in(2) {
        let mut text = text.clone();
        for _ in 0..=random.below(3) {
            damage_text(&mut text, random);
        }
        text
    } else {
        let mut value = value.clone();
        for _ in 0..=random.below(3) {
            damage_value(&mut value, random);
        }
        value.to_string().into_bytes()
    };
    parts[*index] = Part::stored(parts[*index].name.clone(), text);
    damage_parts(&mut parts, random);
    zip_writer::write(&parts)
}

/// Numbers near the limits that readers have.
const NUMBERS: [&str; 20] = [
    "0",
    "-1",
    "1",
    "2",
    "63",
    "64",
    "65",
    "127",
    "128",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "4611686018427387904",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "\"NaN\"",
];

fn range(len: usize, longest: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(len + 1);
    let end = (start + random.below(longest)).min(len);
    start..end
}

fn damage_bytes(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let len = bytes.len();
    match random.below(8) {
        0 => {
            for _ in 0..=random.below(16) {
                let at = random.below(len);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
        // The directory is at the end.
        1 => {
            let at = len.saturating_sub(1 + random.below(1200));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        2 => bytes.truncate(random.below(len)),
        3 => {
            let chunk = bytes[range(len, 4096, random)].to_vec();
            let at = random.below(len);
            bytes.splice(at..at, chunk);
        }
        4 => drop(bytes.drain(range(len, 256, random))),
        5 => {
            let chunk = other[range(other.len(), 4096, random)].to_vec();
            bytes.splice(range(len, 4096, random), chunk);
        }
        6 => {
            let number = [0, 1, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX, 1 << 32, len as u64];
            let number = random.pick(&number).to_le_bytes();
            let width = *random.pick(&[2, 4, 8]);
            let at = match random.once_in(2) {
                true => len.saturating_sub(8 + random.below(1200)),
                false => random.below(len),
            };
            if let Some(field) = bytes.get_mut(at..at + width) {
                field.copy_from_slice(&number[..width]);
            }
        }
        _ => damage_text(bytes, random),
    }
}

/// Damages text somewhere, and prefers numbers and strings of JSON.
fn damage_text(text: &mut Vec<u8>, random: &mut Random) {
    let len = text.len();
    let start = random.below(len);
    match random.below(7) {
        0 => replace_number(text, start, random),
        1 => swap_strings(text, start, random),
        2 => {
            let chunk = text[range(len, 400, random)].to_vec();
            for _ in 0..=random.below(3) {
                text.splice(start..start, chunk.iter().copied());
            }
        }
        3 => drop(text.drain(range(len, 60, random))),
        4 => {
            if let Some(byte) = text.get_mut(start) {
                *byte = *random.pick(b"{}[]\",:0-.eE\\tfn \0\xff'()");
            }
        }
        5 => {
            let open = *random.pick(&["[", "{\"a\":", "Add(", "{\"as_graph\":", "\\u0000"]);
            text.splice(start..start, open.repeat(1 + random.below(300)).into_bytes());
        }
        _ => damage_expression(text, random),
    }
}

/// Replaces the next number after a place.
fn replace_number(text: &mut Vec<u8>, start: usize, random: &mut Random) {
    let tail = text.get(start..).unwrap_or_default();
    let Some(first) = tail.iter().position(u8::is_ascii_digit) else {
        return;
    };
    let digits = tail[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let place = start + first..start + first + digits;
    match random.once_in(4) {
        // A long number.
        true => {
            let digit = b'0' + random.below(10) as u8;
            text.splice(place, vec![digit; 1 + random.below(400)]);
        }
        false => drop(text.splice(place, random.pick(&NUMBERS).bytes())),
    }
}

/// The next string after a place, with its quotes.
fn string_after(text: &[u8], start: usize) -> Option<std::ops::Range<usize>> {
    let quote = |from: usize| {
        let tail = text.get(from..)?;
        Some(from + tail.iter().position(|byte| *byte == b'"')?)
    };
    let first = quote(start)?;
    Some(first..quote(first + 1)? + 1)
}

fn swap_strings(text: &mut Vec<u8>, start: usize, random: &mut Random) {
    let other = string_after(text, random.below(text.len()));
    let (Some(place), Some(other)) = (string_after(text, start), other) else {
        return;
    };
    let (one, two) = (text[place.clone()].to_vec(), text[other.clone()].to_vec());
    if place.end <= other.start {
        text.splice(other, one);
        text.splice(place, two);
    } else {
        text.splice(place, two);
    }
}

/// Damages the text of an expression, if there is one.
fn damage_expression(text: &mut Vec<u8>, random: &mut Random) {
    const KEY: &[u8] = b"expr_str\": \"";
    let start = random.below(text.len());
    let places = text.windows(KEY.len()).enumerate().skip(start);
    let found = places.into_iter().find(|(_, window)| *window == KEY).map(|(at, _)| at + KEY.len());
    let Some(first) = found else {
        return;
    };
    let at = first + random.below(60);
    let word = *random.pick(&[
        "(",
        ")",
        ",",
        "'",
        "-",
        "oo",
        "true",
        "Integer(",
        "Pow(",
        "FloorDiv(Integer(1), ",
        "Not(",
        "Rational(1, 0)",
        "Integer(9223372036854775807)",
        "Symbol('s99')",
        "Where(true, ",
    ]);
    let end = at + random.below(20);
    if end <= text.len() {
        text.splice(at..end, word.bytes());
    }
}

/// A random node of a JSON value.
fn descend<'a>(value: &'a mut Value, random: &mut Random) -> &'a mut Value {
    let mut current = value;
    loop {
        let children = match current {
            Value::Array(items) => items.len(),
            Value::Object(map) => map.len(),
            _ => 0,
        };
        if children == 0 || random.once_in(12) {
            return current;
        }
        let nth = random.below(children);
        current = match current {
            Value::Array(items) => &mut items[nth],
            Value::Object(map) => map.values_mut().nth(nth).expect("counted above"),
            _ => unreachable!("has children"),
        };
    }
}

fn same_form(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Object(one), Value::Object(two)) => one.keys().eq(two.keys()),
        _ => std::mem::discriminant(one) == std::mem::discriminant(two),
    }
}

fn damage_value(value: &mut Value, random: &mut Random) {
    let mut source = value.clone();
    let place = descend(value, random);
    // Values of the same form pass the reader's first checks and reach the later ones.
    let other = (0..32).map(|_| descend(&mut source, random).clone()).find(|other| same_form(other, place));
    let other = other.unwrap_or_else(|| descend(&mut source, random).clone());
    match random.below(8) {
        0 if random.once_in(3) => *place = Value::Null,
        1 | 4 => *place = other,
        2 => {
            let number = random.pick(&NUMBERS);
            *place = serde_json::from_str(number).unwrap_or(Value::from(0.5));
        }
        3 => {
            for _ in 0..random.below(100) {
                *place = match random.once_in(2) {
                    true => Value::Array(vec![place.take()]),
                    false => Value::Object(Map::from_iter([("as_graph".into(), place.take())])),
                };
            }
        }
        _ => damage_container(place, other, random),
    }
}

fn damage_container(place: &mut Value, other: Value, random: &mut Random) {
    match place {
        Value::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            match random.below(5) {
                0 => drop(items.remove(at)),
                1 => items.insert(at, other),
                2 => items.reverse(),
                3 => items.push(items[at].clone()),
                _ => {
                    let copy = items[at].clone();
                    items.extend(std::iter::repeat_n(copy, random.below(200)));
                }
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(random.below(map.len())).cloned().unwrap_or_default();
            let old = map.remove(&key);
            match random.below(3) {
                0 => {}
                1 => drop(map.insert(key, other)),
                _ => drop(map.insert(format!("{key}_"), old.unwrap_or_default())),
            }
        }
        Value::Number(_) => *place = Value::from(random.next() as i64 >> random.below(64)),
        Value::String(text) => {
            let at = random.below(text.len());
            if text.is_char_boundary(at) {
                let odd = *random.pick(&["x", "/", "..", "\u{0}", "0", "as_", "\u{1f525}"]);
                text.insert_str(at, odd);
            }
        }
        _ => *place = other,
    }
}

/// Damages what the directory says of the members, once in a while.
fn damage_parts(parts: &mut Vec<Part>, random: &mut Random) {
    let at = random.below(parts.len());
    match random.below(40) {
        0 => parts[at].size = parts[at].size.wrapping_add(random.next() as u32 >> random.below(32)),
        1 => parts[at].name.push_str("/../x"),
        2 => parts.push(parts[at].clone()),
        3 => drop(parts.remove(at)),
        4 => parts[at].method = 8,
        5..8 => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&parts[at].data).expect("memory");
            parts[at].data = encoder.finish().expect("memory");
            parts[at].method = 8;
            if random.once_in(2) {
                let data = &mut parts[at].data;
                damage_bytes(data, &[], random);
            }
        }
        8 => parts[at].data.truncate(random.below(64)),
        _ => {}
    }
}
