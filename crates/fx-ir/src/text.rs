//! What MLIR's parser does not survive, found before it reads a text.

/// Where the text has an array attribute of `index` (`array<index: 1>`): its line and column, from 1. The parser of MLIR 22 asks
/// for the bits of its elements, which ends the process; there is no such attribute.
pub fn index_array(text: &str) -> Option<(u32, u32)> {
    // Hardly a text has anything like it; all others need not be taken apart.
    if !text.match_indices(ARRAY).any(|(at, _)| may_be_of_index(&text[at + ARRAY.len()..])) {
        return None;
    }
    let expected = [ARRAY, "<", "index"];
    // How much of that was read, and where it began.
    let (mut read, mut from, mut rest) = (0, 0, 0);
    while let Some((at, token)) = next_token(text, rest) {
        rest = at + token.len();
        if token == ARRAY {
            (read, from) = (1, at);
        } else if read > 0 && token == expected[read] {
            read += 1;
            if read == expected.len() {
                return Some(place(text, from, at));
            }
        } else {
            read = 0;
        }
    }
    None
}

const ARRAY: &str = "array";

/// Whether what stands behind `array` may be `<index`; with comments between, it may be anything.
fn may_be_of_index(behind: &str) -> bool {
    let behind = behind.trim_start();
    let inside = behind.strip_prefix('<').map(str::trim_start);
    behind.starts_with("//") || inside.is_some_and(|inside| inside.starts_with("index") || inside.starts_with("//"))
}

/// Line and column of what begins at `from` and ends with the word at `last`: if that is on a later line, then its own.
fn place(text: &str, from: usize, last: usize) -> (u32, u32) {
    let before = &text[..last];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = if from >= start { from } else { last } - start + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    (number(before.matches('\n').count() + 1), number(column))
}

/// The next word, string or character behind `from` that is no space or comment, and where it is.
fn next_token(text: &str, from: usize) -> Option<(usize, &str)> {
    let mut rest = text[from..].trim_start();
    while rest.starts_with("//") {
        rest = rest.split_once('\n').map_or("", |(_, next)| next).trim_start();
    }
    let is_word = |character: char| character.is_ascii_alphanumeric() || "_$.%@#!^".contains(character);
    let first = rest.chars().next()?;
    let length = match first {
        '"' => string_length(rest.as_bytes()),
        _ if is_word(first) => rest.find(|character| !is_word(character)).unwrap_or(rest.len()),
        _ => first.len_utf8(),
    };
    Some((text.len() - rest.len(), &rest[..length]))
}

/// Bytes of the string that begins here, quotes included; strings end with their line at the latest.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' if bytes.get(at + 1).is_some_and(|byte| byte.is_ascii_graphic()) => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_index_are_found() {
        assert_eq!(index_array("a = array<index: 1>"), Some((1, 5)));
        assert_eq!(index_array("\n x\n {n = array < // here\n  index>}"), Some((4, 3)));
        assert_eq!(index_array("\"\\\"\" array<index"), Some((1, 6)));
        assert_eq!(index_array("\"no end\narray<index>"), Some((2, 1)));
    }

    #[test]
    fn nothing_else_is() {
        for text in [
            "array<i64: 1>",
            "array<indexed: 1>",
            "my.array<index: 1>",
            "\"array<index: 1>\"",
            "// array<index: 1>",
            "array index",
            "tensor<2xindex>",
            "#array<index>",
            "",
            "\"",
            "\"\\",
            "äöü \"ä\\ü\" /",
            "array<\"index\">",
            "array<array<i1>, index>",
        ] {
            assert_eq!(index_array(text), None, "{text}");
        }
    }
}
