//! The directory of a ZIP file, read strictly.
//!
//! A reader of its own, because a `.pt2` reader must see what general ZIP libraries smooth over:
//! duplicate names, members that overlap, names that disagree between directory and member, and the
//! exact place of each member's bytes in the file. Every number is checked before it is used; the
//! memory needed is proportional to the directory.
//!
//! Read: methods stored and deflate, ZIP64 sizes and offsets. Refused: encryption, archives in
//! several parts, bytes before the first member that shift offsets.

use std::ops::Range;

use crate::error::{ErrorKind, ImportError, quoted};

const LOCAL_HEADER: u32 = 0x0403_4b50;
const DIRECTORY_RECORD: u32 = 0x0201_4b50;
const END_RECORD: u32 = 0x0605_4b50;
const END_RECORD_64: u32 = 0x0606_4b50;
const END_LOCATOR_64: u32 = 0x0706_4b50;

const LOCAL_HEADER_SIZE: usize = 30;
const DIRECTORY_RECORD_SIZE: usize = 46;
const END_RECORD_SIZE: usize = 22;
const END_RECORD_64_SIZE: usize = 56;
const END_LOCATOR_64_SIZE: usize = 20;

/// How a member's bytes are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Stored,
    Deflate,
}

/// One member, as the directory describes it and its local header confirms.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) method: Method,
    pub(crate) crc: u32,
    /// Size of the bytes once unpacked, as declared.
    pub(crate) size: u64,
    /// Where the packed bytes lie in the file.
    pub(crate) data: Range<usize>,
}

/// The members of a ZIP file in directory order, folders left out.
pub(crate) fn entries(bytes: &[u8]) -> Result<Vec<Entry>, ImportError> {
    let (directory, count) = find_directory(bytes)?;
    let records = bytes.get(directory.clone()).unwrap_or_default();
    let mut entries = Vec::new();
    let mut occupied = Vec::new();
    let mut at = 0;
    let mut found = 0u64;
    while at < records.len() {
        let record = Record::read(records, at)?;
        at = record.end;
        found += 1;
        let (extent, data) = locate(bytes, &record, directory.start)?;
        occupied.push(extent);
        if record.name.ends_with('/') && record.size == 0 {
            continue;
        }
        entries.push(Entry { name: record.name.to_owned(), method: record.method, crc: record.crc, size: record.size, data });
    }
    if found != count {
        return Err(zip(format!("{count} directory records"), found.to_string()));
    }
    check_disjoint(occupied)?;
    Ok(entries)
}

fn zip(expected: impl Into<String>, found: impl Into<String>) -> ImportError {
    ImportError::new(ErrorKind::Zip { expected: expected.into(), found: found.into() })
}

fn truncated(what: &'static str) -> ImportError {
    zip(what, "the end of the data")
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(field.try_into().ok()?))
}

/// Finds the end record, which may be followed by a comment only, and from it the directory.
fn find_directory(bytes: &[u8]) -> Result<(Range<usize>, u64), ImportError> {
    let none = || zip("an end record of a zip file", "none");
    let highest = bytes.len().checked_sub(END_RECORD_SIZE).ok_or_else(none)?;
    let lowest = highest.saturating_sub(usize::from(u16::MAX));
    let end = (lowest..=highest)
        .rev()
        .find(|&at| u32_at(bytes, at) == Some(END_RECORD) && u16_at(bytes, at + 20).map(usize::from) == Some(highest - at))
        .ok_or_else(none)?;
    let record = bytes.get(end..).unwrap_or_default();
    if record.get(4..8) != Some(&[0; 4]) {
        return Err(zip("an archive in one part", "several parts"));
    }
    let fields = || Some((u16_at(record, 10)?, u32_at(record, 12)?, u32_at(record, 16)?));
    let (count, size, offset) = fields().ok_or_else(|| truncated("an end record"))?;
    // PyTorch writes a ZIP64 end record always, others where a number needs it.
    let Some((directory, wide)) = find_directory_64(bytes, end)? else {
        let directory = directory_range(u64::from(offset), u64::from(size), end)?;
        return Ok((directory, u64::from(count)));
    };
    let agrees = |narrow: u32, limit: u32, wide: u64| narrow == limit || u64::from(narrow) == wide;
    if !agrees(offset, u32::MAX, directory.start as u64)
        || !agrees(size, u32::MAX, directory.len() as u64)
        || !agrees(count.into(), u16::MAX.into(), wide)
    {
        return Err(zip("two end records that agree", "different numbers"));
    }
    Ok((directory, wide))
}

/// The directory as the ZIP64 end record has it, or none where there is no such record.
fn find_directory_64(bytes: &[u8], end: usize) -> Result<Option<(Range<usize>, u64)>, ImportError> {
    let Some(locator) = end.checked_sub(END_LOCATOR_64_SIZE) else {
        return Ok(None);
    };
    if u32_at(bytes, locator) != Some(END_LOCATOR_64) {
        return Ok(None);
    }
    let damaged = || truncated("a zip64 end record before its locator");
    let at = u64_at(bytes, locator + 8)
        .and_then(|at| usize::try_from(at).ok())
        .filter(|at| at.checked_add(END_RECORD_64_SIZE).is_some_and(|record_end| record_end <= locator))
        .ok_or_else(damaged)?;
    let record = bytes.get(at..locator).ok_or_else(damaged)?;
    if u32_at(record, 0) != Some(END_RECORD_64) {
        return Err(damaged());
    }
    let fields = || Some((u64_at(record, 32)?, u64_at(record, 40)?, u64_at(record, 48)?));
    let (count, size, offset) = fields().ok_or_else(damaged)?;
    Ok(Some((directory_range(offset, size, at)?, count)))
}

/// The directory must end where the end record begins.
fn directory_range(offset: u64, size: u64, end: usize) -> Result<Range<usize>, ImportError> {
    let sum = offset.checked_add(size);
    match (usize::try_from(offset), sum) {
        (Ok(start), Some(sum)) if sum == end as u64 => Ok(start..end),
        _ => Err(zip(format!("a directory that ends at byte {end}"), format!("one of {size} bytes at byte {offset}"))),
    }
}

/// A record of the directory.
struct Record<'a> {
    name: &'a str,
    method: Method,
    crc: u32,
    packed_size: u64,
    size: u64,
    header: u64,
    end: usize,
}

impl<'a> Record<'a> {
    fn read(records: &'a [u8], at: usize) -> Result<Self, ImportError> {
        let short = || truncated("a whole directory record");
        let fixed = records.get(at..).and_then(|rest| rest.get(..DIRECTORY_RECORD_SIZE)).ok_or_else(short)?;
        if u32_at(fixed, 0) != Some(DIRECTORY_RECORD) {
            return Err(zip("the mark of a directory record", "other bytes"));
        }
        let half = |at| u16_at(fixed, at).map(usize::from).ok_or_else(short);
        let word = |at| u32_at(fixed, at).ok_or_else(short);
        let name_at = at + DIRECTORY_RECORD_SIZE;
        let extra_at = name_at + half(28)?;
        let comment_at = extra_at + half(30)?;
        let end = comment_at + half(32)?;
        let name = records.get(name_at..extra_at).ok_or_else(short)?;
        let extra = records.get(extra_at..comment_at).ok_or_else(short)?;
        if end > records.len() {
            return Err(short());
        }
        let name = std::str::from_utf8(name).map_err(|_| zip("a member name in utf-8", "other bytes"))?;
        let [size, packed_size, header] = with_extra_64([word(24)?, word(20)?, word(42)?], extra).map_err(|error| error.in_member(name))?;
        let record = Self {
            name,
            method: method(half(10)?, half(8)?).map_err(|error| error.in_member(name))?,
            crc: word(16)?,
            packed_size,
            size,
            header,
            end,
        };
        record.check().map_err(|error| error.in_member(name))?;
        Ok(record)
    }

    fn check(&self) -> Result<(), ImportError> {
        check_name(self.name)?;
        if self.method == Method::Stored && self.size != self.packed_size {
            return Err(zip(format!("a stored member of {} bytes", self.size), self.packed_size.to_string()));
        }
        Ok(())
    }
}

fn method(method: usize, flags: usize) -> Result<Method, ImportError> {
    const ENCRYPTED: usize = 1 | 1 << 6 | 1 << 13;
    let unsupported =
        |what, expected: &str, found: String| ImportError::new(ErrorKind::Unsupported { what, expected: expected.to_owned(), found });
    if flags & ENCRYPTED != 0 {
        let found = format!("flags {flags:#06x}");
        return Err(unsupported("encryption", "a plain member", found));
    }
    match method {
        0 => Ok(Method::Stored),
        8 => Ok(Method::Deflate),
        other => {
            let expected = "method 0 (stored) or 8 (deflate)";
            Err(unsupported("compression", expected, other.to_string()))
        }
    }
}

/// Size, packed size and header offset; those that do not fit their 32 bits are in the extra field.
fn with_extra_64(fields: [u32; 3], extra: &[u8]) -> Result<[u64; 3], ImportError> {
    const ZIP64: u16 = 1;
    if !fields.contains(&u32::MAX) {
        return Ok(fields.map(u64::from));
    }
    let damaged = || truncated("a zip64 extra field with the member's sizes");
    let mut at = 0;
    while u16_at(extra, at).ok_or_else(damaged)? != ZIP64 {
        at += 4 + usize::from(u16_at(extra, at + 2).ok_or_else(damaged)?);
    }
    at += 4;
    let mut wide = fields.map(u64::from);
    for field in &mut wide {
        if *field == u64::from(u32::MAX) {
            *field = u64_at(extra, at).ok_or_else(damaged)?;
            at += 8;
        }
    }
    Ok(wide)
}

/// Names are relative paths with `/`, without steps that lead elsewhere.
fn check_name(name: &str) -> Result<(), ImportError> {
    let unsafe_name = |reason| Err(ImportError::new(ErrorKind::UnsafeName { reason }));
    if name.is_empty() {
        return unsafe_name("expected a name, found none");
    }
    if name.starts_with('/') {
        return unsafe_name("expected a relative path, found an absolute one");
    }
    if name.contains(['\\', ':']) || name.contains(char::is_control) {
        return unsafe_name("expected a plain path, found a backslash, colon or control character");
    }
    let path = name.strip_suffix('/').unwrap_or(name);
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return unsafe_name("expected plain path components, found an empty one, '.' or '..'");
    }
    Ok(())
}

/// Where a member lies, with its header and without: found through the local header, whose extra
/// field differs from that of the directory.
fn locate(bytes: &[u8], record: &Record<'_>, limit: usize) -> Result<(Range<usize>, Range<usize>), ImportError> {
    let place = || {
        let start = usize::try_from(record.header).ok()?;
        let header = bytes.get(start..start.checked_add(LOCAL_HEADER_SIZE)?)?;
        if u32_at(header, 0)? != LOCAL_HEADER {
            return None;
        }
        let name_at = start.checked_add(LOCAL_HEADER_SIZE)?;
        let extra_at = name_at.checked_add(usize::from(u16_at(header, 26)?))?;
        let data_at = extra_at.checked_add(usize::from(u16_at(header, 28)?))?;
        let end = data_at.checked_add(usize::try_from(record.packed_size).ok()?)?;
        let name = bytes.get(name_at..extra_at)?;
        (end <= limit).then_some((name, start..end, data_at..end))
    };
    let Some((name, extent, data)) = place() else {
        let expected = format!("a local header at byte {} with its bytes", record.header);
        return Err(truncated_member(expected).in_member(record.name));
    };
    if name != record.name.as_bytes() {
        let found = quoted(&String::from_utf8_lossy(name));
        return Err(zip("the same name in the local header", found).in_member(record.name));
    }
    Ok((extent, data))
}

fn truncated_member(expected: String) -> ImportError {
    zip(expected, "none before the directory")
}

fn check_disjoint(mut extents: Vec<Range<usize>>) -> Result<(), ImportError> {
    extents.sort_by_key(|extent| extent.start);
    for pair in extents.windows(2) {
        if let [first, second] = pair
            && first.end > second.start
        {
            return Err(zip(format!("a member after byte {}", first.end), format!("one at byte {}, inside another", second.start)));
        }
    }
    Ok(())
}
