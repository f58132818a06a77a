//! Fixtures, and ways to take them apart and put them together again.

use crate::zip_writer::{self, Part};

use std::path::PathBuf;

use fx_import::{Archive, ImportError};
use serde_json::Value;

/// Path of a fixture.
pub fn fixture(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    folder.join(name).with_extension("pt2")
}

/// A fixture, opened.
pub fn open(name: &str) -> Archive {
    Archive::open(fixture(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// All members of an archive as parts of a new one.
pub fn parts(archive: &Archive) -> Vec<Part> {
    let part = |name| {
        let data = archive.member(name).expect("a member that is listed");
        Part::stored(format!("{}/{name}", archive.root()), data)
    };
    archive.member_names().map(part).collect()
}

/// The part of a member below the root folder.
pub fn part<'a>(parts: &'a mut [Part], name: &str) -> &'a mut Part {
    let found = parts.iter_mut().find(|part| part.name.split_once('/').map(|(_, name)| name) == Some(name));
    found.unwrap_or_else(|| panic!("no member {name}"))
}

/// A fixture with one JSON member edited, opened.
pub fn with_json(fixture: &str, member: &str, edit: impl FnOnce(&mut Value)) -> Result<Archive, ImportError> {
    let mut parts = parts(&open(fixture));
    let target = part(&mut parts, member);
    let mut value: Value = serde_json::from_slice(&target.data).expect("json");
    edit(&mut value);
    *target = Part::stored(target.name.clone(), value.to_string());
    Archive::from_bytes(zip_writer::write(&parts))
}

/// A fixture with the text of its program replaced, opened.
pub fn with_program(fixture: &str, text: &str) -> Result<Archive, ImportError> {
    let mut parts = parts(&open(fixture));
    let target = part(&mut parts, "models/model.json");
    *target = Part::stored(target.name.clone(), text);
    Archive::from_bytes(zip_writer::write(&parts))
}

/// Checks that the result is an error whose text has all of the given parts, in order.
pub fn check_error<T>(result: Result<T, ImportError>, parts: &[&str]) {
    let Err(error) = result else {
        panic!("accepted; expected an error with {parts:?}");
    };
    let text = error.to_string();
    let mut rest = text.as_str();
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => panic!("expected {part:?} in {text:?}"),
        }
    }
    assert!(!text.ends_with('.'), "a full stop ends {text:?}");
}

/// The text of a fixture's program with a part replaced, everywhere.
pub fn replaced(fixture: &str, from: &str, to: &str) -> Result<Archive, ImportError> {
    let archive = open(fixture);
    let text = std::str::from_utf8(archive.member("models/model.json").expect("a program")).expect("text");
    assert!(text.contains(from), "{from}");
    with_program(fixture, &text.replace(from, to))
}
