//! JSON of archives: errors that know their place, and the forms that serde does not derive.
//!
//! * [`parse`] turns the byte offset of a serde_json error into a path such as
//!   `graph_module.graph.nodes[3] 'addmm'.inputs[1].arg`, by reading the text once more up to there.
//!   serde_json's recursion limit of 128 bounds the depth of everything that is read.
//! * [`check_values`] bounds the memory that a text can need, before any is used.
//! * `forms` has what serde does not derive: [`union!`] declares the schema's unions, [`unique_map`]
//!   refuses duplicate keys, [`Float`] reads `NaN` and infinities from strings.

mod forms;
mod place;

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::archive::check_limit;
use crate::error::{ErrorKind, ImportError};

pub(crate) use forms::{Float, Floats, True, Unique, float, no_more_keys, only_key, union, unique_map};

/// Values that any text may have; beyond them, one for every [`BYTES_PER_VALUE`] bytes of text.
const FREE_VALUES: u64 = 1 << 20;

/// Texts of PyTorch have at least 11 bytes a value.
const BYTES_PER_VALUE: u64 = 8;

/// Reads a value from JSON text.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, ImportError> {
    check_values(text)?;
    serde_json::from_slice(text).map_err(|error| {
        let offset = offset(text, error.line(), error.column());
        let message = error.to_string();
        // The place says more than line and column of a text that is all on one line.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let message = format!("{}, at byte {offset}", shortened(message));
        ImportError::new(ErrorKind::Json(message)).at(|| place::place(text, offset))
    })
}

/// serde's message may repeat long text of the archive (escaped): keep its beginning and its end.
fn shortened(message: &str) -> Cow<'_, str> {
    const LONGEST: usize = 600;
    if message.len() <= LONGEST {
        return message.into();
    }
    let head: String = message.chars().take(200).collect();
    let tail = message.char_indices().rev().nth(200).map_or(0, |(at, _)| at);
    format!("{head}...{}", message.get(tail..).unwrap_or_default()).into()
}

fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(nth) => text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(nth).map_or(0, |(at, _)| at + 1),
    };
    (start + column).min(text.len())
}

/// Refuses a text of many tiny values (such as `"","","",`), which would need far more memory than it
/// is long. Commas and opening brackets are counted, in strings too.
fn check_values(text: &[u8]) -> Result<(), ImportError> {
    let values = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    let limit = FREE_VALUES.saturating_add(text.len() as u64 / BYTES_PER_VALUE);
    check_limit("values in a json text", values as u64, limit)
}
