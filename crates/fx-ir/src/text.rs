//! What MLIR's parser does not survive, found before it reads a text.

/// Where the text has an array attribute of `index` (`array<index: 1>`): its line and column, from 1. The parser of MLIR 22 asks
/// for the bits of its elements, which ends the process; there is no such attribute.
pub fn index_array(text: &str) -> Option<(u32, u32)> {
    let mut place = Place { line: 1, start: 0 };
    // What was read of `array < index`, and where that began.
    let (mut read, mut from) = (0, 0);
    let mut rest = 0;
    while let Some((at, token, end)) = next_token(text, rest, &mut place) {
        rest = end;
        let expected = ["array", "<", "index"];
        if token == expected[0] {
            (read, from) = (1, at);
        } else if read > 0 && token == expected[read] {
            read += 1;
            if read == expected.len() {
                // on the line of its last word, which is close enough where it goes over several
                let column = if from >= place.start { from } else { at } - place.start + 1;
                return Some((place.line, u32::try_from(column).unwrap_or(u32::MAX)));
            }
        } else {
            read = 0;
        }
    }
    None
}

/// The line that is read, and where it starts.
struct Place {
    line: u32,
    start: usize,
}

/// The next word, string or character behind `from` that is no space or comment: where it is, itself, and where it ends.
fn next_token<'t>(text: &'t str, from: usize, place: &mut Place) -> Option<(usize, &'t str, usize)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b'\n' => {
                at += 1;
                (place.line, place.start) = (place.line.saturating_add(1), at);
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at += text[at..].find('\n').unwrap_or(text.len() - at),
            _ => break,
        }
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'%' | b'@' | b'#' | b'!' | b'^');
    let length = match bytes[at] {
        b'"' => string_length(&bytes[at..]),
        byte if is_word(&byte) => bytes[at..].iter().take_while(|byte| is_word(byte)).count(),
        _ => text[at..].chars().next().map_or(1, char::len_utf8),
    };
    Some((at, &text[at..at + length], at + length))
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
