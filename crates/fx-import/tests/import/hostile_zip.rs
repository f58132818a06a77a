//! Containers that lie: truncation, bombs, path tricks, duplicates, wrong sizes.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use fx_import::{Archive, ImportError};

use crate::common::{check_error, fixture, open, part, parts};
use crate::zip_writer::{self, Part};

const PROGRAM: &str = "models/model.json";

fn from_parts(parts: &[Part]) -> Result<Archive, ImportError> {
    Archive::from_bytes(zip_writer::write(parts))
}

/// The fixture with its parts edited.
fn edited(edit: impl FnOnce(&mut Vec<Part>)) -> Result<Archive, ImportError> {
    let mut parts = parts(&open("pytree_io"));
    edit(&mut parts);
    from_parts(&parts)
}

fn deflated(part: &mut Part) {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&part.data).expect("memory");
    part.data = encoder.finish().expect("memory");
    part.method = 8;
}

#[test]
fn rebuilt_archives_open() {
    assert!(edited(|_| ()).is_ok());
    let renamed = edited(|parts| {
        for part in parts {
            part.name = part.name.replacen("model/", "archive/", 1);
        }
    });
    assert_eq!(renamed.expect("an archive").root(), "archive");
}

#[test]
fn deflated_members_are_read() {
    let archive = edited(|parts| {
        deflated(part(parts, PROGRAM));
        deflated(part(parts, "data/constants/tensor_0"));
        parts.push(Part::stored("model/extra/ballast", vec![7; 100_000]));
    });
    let archive = archive.expect("an archive");
    let original = open("pytree_io");
    let expected = original.constant("scale").expect("a constant");
    assert_eq!(archive.constant("scale").expect("a constant"), expected);
    archive.verify_checksums().expect("right checksums");
}

#[test]
fn every_truncation_is_refused() {
    let bytes = std::fs::read(fixture("pytree_io")).expect("a fixture");
    for end in 0..bytes.len() {
        assert!(Archive::from_bytes(bytes[..end].to_vec()).is_err(), "{end} bytes");
    }
    assert!(Archive::from_bytes(bytes).is_ok());
}

#[test]
fn other_files_are_refused() {
    check_error(Archive::from_bytes(Vec::new()), &["expected an end record of a zip file, found none"]);
    check_error(Archive::from_bytes(vec![0; 100_000]), &["damaged zip structure"]);
    check_error(Archive::open("/none/at/all.pt2"), &["/none/at/all.pt2: cannot read the file"]);
    check_error(Archive::open(env!("CARGO_MANIFEST_DIR")), &["expected a file, found something else"]);
    check_error(from_parts(&[]), &["expected members, found an empty archive"]);
    check_error(from_parts(&[Part::stored("x", *b"y")]), &["expected a member below a root folder"]);
    check_error(from_parts(&[Part::stored("x/y", *b"z")]), &["archive_format", "found none"]);
}

#[test]
fn unsafe_names_are_refused() {
    for name in ["model/../../etc/passwd", "/model/x", "model//x", "model/./x", "../x", "model\\x", "C:/x", "model/\u{0}", ""] {
        let result = edited(|parts| parts.push(Part::stored(name, *b"x")));
        check_error(result, &["unsafe member name", "expected", "found"]);
    }
    let second_root = edited(|parts| parts.push(Part::stored("other/x", *b"x")));
    check_error(second_root, &["expected one root folder 'model', found 'other'"]);
}

#[test]
fn duplicate_members_are_refused() {
    let result = edited(|parts| {
        let copy = part(parts, PROGRAM).clone();
        parts.push(copy);
    });
    check_error(result, &[PROGRAM, "expected one member of this name, found two"]);
}

#[test]
fn missing_members_are_refused() {
    for member in
        ["archive_format", "byteorder", PROGRAM, "data/weights/model_weights_config.json", "data/constants/model_constants_config.json"]
    {
        let result = edited(|parts| parts.retain(|part| !part.name.ends_with(member)));
        check_error(result, &[member, "expected this member in the archive, found none"]);
    }
}

#[test]
fn other_formats_are_refused() {
    let with = |member: &str, text: &str| {
        edited(|parts| {
            let target = part(parts, member);
            *target = Part::stored(target.name.clone(), text);
        })
    };
    check_error(with("byteorder", "big"), &["unsupported byte order: expected little, found 'big'"]);
    check_error(with("archive_version", "1"), &["unsupported archive version: expected 0, found '1'"]);
    check_error(with("archive_format", "pt3"), &["unsupported archive format: expected pt2"]);
}

#[test]
fn wrong_sizes_and_checksums_are_refused() {
    let longer = edited(|parts| part(parts, PROGRAM).size += 1);
    check_error(longer, &["expected a stored member of"]);
    let damaged = edited(|parts| part(parts, PROGRAM).data[10] ^= 1);
    check_error(damaged, &[PROGRAM, "checksum mismatch: expected crc32"]);
    let damaged = edited(|parts| part(parts, "data/constants/tensor_0").data[0] ^= 1);
    let damaged = damaged.expect("tensors are not read when opened");
    check_error(damaged.verify_checksums(), &["data/constants/tensor_0", "checksum mismatch"]);
    let shorter = edited(|parts| {
        deflated(part(parts, PROGRAM));
        part(parts, PROGRAM).size -= 1;
        parts.push(Part::stored("model/extra/ballast", vec![7; 100_000]));
    });
    check_error(shorter, &[PROGRAM, "expected a deflated member of"]);
    let garbage = edited(|parts| part(parts, PROGRAM).method = 8);
    check_error(garbage, &[PROGRAM, "expected a deflated member of"]);
}

#[test]
fn bombs_are_refused() {
    let bomb = edited(|parts| {
        let mut bomb = Part::stored("model/extra/bomb", vec![0; 10 << 20]);
        deflated(&mut bomb);
        parts.push(bomb);
    });
    check_error(bomb, &["unpacked bytes of all deflated members: expected at most"]);
    let undeclared = edited(|parts| {
        let target = part(parts, "data/constants/tensor_0");
        target.data = vec![0; 10 << 20];
        deflated(target);
    });
    let archive = undeclared.expect("tensors are not read when opened");
    check_error(archive.constant("scale"), &["expected a deflated member of"]);
}

#[test]
fn other_methods_are_refused() {
    let bzip = edited(|parts| part(parts, PROGRAM).method = 12);
    check_error(bzip, &[PROGRAM, "unsupported compression", "found 12"]);
    let encrypted = edited(|parts| part(parts, PROGRAM).flags |= 1);
    check_error(encrypted, &[PROGRAM, "unsupported encryption"]);
}

/// Replaces the last occurrence of some bytes.
fn replace_last(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let at = bytes.windows(from.len()).rposition(|window| window == from);
    let at = at.expect("the bytes are there");
    bytes[at..at + to.len()].copy_from_slice(to);
}

#[test]
fn directories_that_disagree_are_refused() {
    let sound = zip_writer::write(&parts(&open("pytree_io")));
    let mut renamed = sound.clone();
    replace_last(&mut renamed, b"archive_format", b"archive_farmot");
    check_error(Archive::from_bytes(renamed), &["expected the same name in the local header"]);
    let end = sound.len() - 22;
    let with = |at: usize, value: &[u8]| {
        let mut bytes = sound.clone();
        bytes[end + at..end + at + value.len()].copy_from_slice(value);
        Archive::from_bytes(bytes)
    };
    check_error(with(10, &[1, 0]), &["expected 1 directory records, found"]);
    check_error(with(12, &[0; 4]), &["expected a directory that ends at byte"]);
    check_error(with(16, &[255; 4]), &["expected a directory that ends at byte"]);
    check_error(with(4, &[1, 0]), &["expected an archive in one part, found several parts"]);
}

#[test]
fn overlapping_members_are_refused() {
    let parts = parts(&open("pytree_io"));
    let mut bytes = zip_writer::write(&parts);
    // The second directory record is made to point at the first member, and gets its name.
    let name = parts[0].name.clone();
    let twin = Part::stored(name.clone(), parts[0].data.clone());
    let two = zip_writer::write(&[twin.clone(), twin]);
    bytes.clear();
    bytes.extend(two);
    let header_field = b"PK\x01\x02";
    let at = bytes.windows(4).rposition(|window| window == header_field).expect("a record");
    bytes[at + 42..at + 46].copy_from_slice(&[0; 4]);
    check_error(Archive::from_bytes(bytes), &["expected a member after byte", "inside another"]);
}
