//! Compiled programs on disk, found by the content of what they were compiled from.
//!
//! Place     `FX_CACHE_DIR`, else `fx-mlir` in `XDG_CACHE_HOME` or `~/.cache`. An empty `FX_CACHE_DIR` means: no cache.
//! Key       what the result depends on, as named texts. An entry's file has the key's SHA-256 as its name.
//!
//! ```text
//! 0    8   magic "FXCACHE1"
//! 8    32  SHA-256 of everything after it
//! 40   8   length of the key in bytes, little-endian
//! 48       the key: each part as `name length`, a line end, its text, a line end
//!          zeros up to a multiple of 64, then a bundle without tensors
//! ```
//!
//! Invariant What is found was written whole, for exactly this key: hash and key are compared, and the plan is verified. An
//!           entry that fails that is as good as none, and is replaced.
//! Sharing   any number of processes: entries appear by renaming and are never changed. The oldest by use are removed when
//!           there are too many.

use crate::bundle::{ALIGN, Bundle, write};
use crate::error::{Result, RuntimeError};
use crate::ffi::bytes::map_file;
use crate::files::write_atomically;
use crate::plan::Plan;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const MAGIC: &[u8; 8] = b"FXCACHE1";
/// Bytes before the key.
const HEADER: usize = 48;
/// Where the hashed part begins.
const HASHED: usize = 40;
const EXTENSION: &str = "fxcache";
/// Bytes of all entries together, at most.
const LIMIT: u64 = 1 << 30;
/// Files of writers that did not finish are removed after this time.
const ABANDONED: Duration = Duration::from_secs(3600);

/// What an entry was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    text: String,
}

impl Key {
    /// A key of named texts. Order matters.
    pub fn new(parts: &[(&str, &str)]) -> Self {
        let parts = parts.iter().map(|(name, text)| format!("{name} {}\n{text}\n", text.len()));
        Key { text: parts.collect() }
    }

    /// File name of its entry.
    fn file_name(&self) -> String {
        format!("{}.{EXTENSION}", hex(&Sha256::digest(self.text.as_bytes())))
    }
}

/// What a look into the cache gives.
#[derive(Debug)]
pub enum Lookup {
    /// The program.
    Found(Box<Plan>),
    /// No entry.
    Absent,
    /// An entry that cannot be used: which one, and why.
    Damaged(RuntimeError),
}

/// A folder of compiled programs.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    limit: u64,
}

impl Cache {
    /// The user's cache, as the environment says. None if there is to be none, or no place for it.
    pub fn of_user() -> Option<Self> {
        Cache::from_environment(|name| std::env::var_os(name).map(PathBuf::from))
    }

    fn from_environment(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<Self> {
        if let Some(folder) = variable("FX_CACHE_DIR") {
            return (!folder.as_os_str().is_empty()).then(|| Cache::new(&folder));
        }
        let absolute = |name| variable(name).filter(|path| path.is_absolute());
        let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(Cache::new(&caches.join("fx-mlir")))
    }

    /// A cache in a folder, which is made when something is put into it.
    pub fn new(folder: &Path) -> Self {
        Cache { folder: folder.into(), limit: LIMIT }
    }

    /// With another limit on the bytes of all entries together.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Self {
        Cache { limit, ..self }
    }

    /// Looks for the program of a key.
    pub fn get(&self, key: &Key) -> Lookup {
        let path = self.folder.join(key.file_name());
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Lookup::Absent,
            Err(error) => return Lookup::Damaged(RuntimeError::io(&path, error)),
        };
        let plan = map_file(&file).map_err(|error| error.to_string()).and_then(|map| read(&map, key));
        match plan {
            Ok(plan) => {
                let _ = file.set_modified(SystemTime::now()); // its age is that of its last use, where that can be written
                Lookup::Found(Box::new(plan))
            }
            Err(message) => Lookup::Damaged(RuntimeError::format(&path, message)),
        }
    }

    /// Keeps a program, in place of one that may be there; then removes the oldest entries, if there are too many.
    ///
    /// # Errors
    /// On the system's errors.
    pub fn put(&self, key: &Key, plan: &Plan) -> Result<()> {
        std::fs::create_dir_all(&self.folder).map_err(|error| RuntimeError::io(&self.folder, error))?;
        let path = self.folder.join(key.file_name());
        let mut bytes = Vec::from(MAGIC);
        bytes.extend([0; HASHED - MAGIC.len()]);
        bytes.extend((key.text.len() as u64).to_le_bytes());
        bytes.extend(key.text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(ALIGN), 0);
        write(plan, &BTreeMap::new(), &mut bytes).map_err(|error| RuntimeError::io(&path, error))?;
        let hash = Sha256::digest(&bytes[HASHED..]);
        bytes[MAGIC.len()..HASHED].copy_from_slice(&hash);
        write_atomically(&path, |file| file.write_all(&bytes))?;
        self.shrink(&path);
        Ok(())
    }

    /// Removes the entries whose last use is the longest ago until the rest is small enough; `new` stays. Errors are of no
    /// use to anyone: somebody else may have removed a file.
    fn shrink(&self, new: &Path) {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let (path, Ok(data)) = (entry.path(), entry.metadata()) else { continue };
            let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                entries.push((used, data.len(), path));
            } else if entry.file_name().as_encoded_bytes().starts_with(b".fx-") && used.elapsed().is_ok_and(|age| age > ABANDONED) {
                let _ = std::fs::remove_file(path);
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| *bytes).sum();
        for (_, bytes, path) in entries.iter().filter(|(_, _, path)| path != new) {
            if total <= self.limit {
                return;
            }
            if std::fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
}

/// The plan of an entry, if it is whole and belongs to the key.
fn read(map: &std::sync::Arc<memmap2::Mmap>, key: &Key) -> Result<Plan, String> {
    if map.first_chunk::<8>() != Some(MAGIC) {
        return Err("not an entry of this cache's version".into());
    }
    let hash = map.get(MAGIC.len()..HASHED);
    if map.get(HASHED..).map(Sha256::digest).as_deref() != hash || hash.is_none() {
        return Err("damaged: its hash differs".into());
    }
    let length = map.get(HASHED..HEADER).and_then(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
    let end = length.and_then(|length| HEADER.checked_add(usize::try_from(length).ok()?));
    let Some((text, end)) = end.and_then(|end| Some((map.get(HEADER..end)?, end))) else {
        return Err("damaged: cut short".into());
    };
    if text != key.text.as_bytes() {
        return Err("it is of another program with the same hash".into());
    }
    Bundle::in_map(map, end.next_multiple_of(ALIGN)).map(|bundle| bundle.plan)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Binary, MachineCode, PLAN_VERSION};

    /// A plan for a GPU that does nothing, with code of so many bytes.
    fn plan(bytes: usize) -> Plan {
        let code = MachineCode { arch: "sm_90a".into(), assembler: "ptxas 12.9".into(), bytes: vec![7; bytes] };
        let binary = Binary { machine_code: Some(code), ..Binary::ptx(b"// nothing".to_vec()) };
        Plan { binaries: vec![binary], ..Plan::new("sm_90a") }
    }

    fn key(program: &str) -> Key {
        Key::new(&[("compiler", "1"), ("target", "sm_90a"), ("program", program)])
    }

    fn found(cache: &Cache, key: &Key) -> Option<Plan> {
        match cache.get(key) {
            Lookup::Found(plan) => Some(*plan),
            Lookup::Absent => None,
            Lookup::Damaged(error) => panic!("{error}"),
        }
    }

    #[test]
    fn what_is_put_is_found_by_its_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(&folder.path().join("made/when/needed"));
        assert!(found(&cache, &key("a")).is_none());
        cache.put(&key("a"), &plan(100)).unwrap();
        assert_eq!(found(&cache, &key("a")), Some(plan(100)));
        assert!(found(&cache, &key("b")).is_none());
        cache.put(&key("a"), &plan(200)).unwrap();
        assert_eq!(found(&cache, &key("a")), Some(plan(200)));
    }

    #[test]
    fn keys_differ_in_every_part_and_where_parts_end() {
        let a = Key::new(&[("x", "12"), ("y", "3")]);
        for other in [&[("x", "1"), ("y", "23")], &[("x", "12"), ("z", "3")], &[("y", "3"), ("x", "12")], &[("x", "1"), ("y", "3")]] {
            assert_ne!(a.file_name(), Key::new(other).file_name(), "{other:?}");
        }
        assert!(a.text.contains("x 2\n12\n"), "parts can be read: {}", a.text);
    }

    #[test]
    fn damaged_entries_are_seen_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        let key = key("a");
        cache.put(&key, &plan(100)).unwrap();
        let path = folder.path().join(key.file_name());
        let whole = std::fs::read(&path).unwrap();
        let cases = (0..whole.len()).step_by(7).map(|at| {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            bytes
        });
        let cut = [0, 1, 8, 39, 40, 47, 48, 100, whole.len() - 1].map(|len| whole[..len].to_vec());
        let longer = [whole.iter().copied().chain([0]).collect::<Vec<u8>>()];
        for bytes in cases.chain(cut).chain(longer) {
            std::fs::write(&path, &bytes).unwrap();
            assert!(matches!(cache.get(&key), Lookup::Damaged(RuntimeError::Format { .. })), "{} bytes", bytes.len());
        }
        cache.put(&key, &plan(100)).unwrap();
        assert!(found(&cache, &key).is_some());
        // whole, but of another key: only the name says otherwise
        let other = Key::new(&[("program", "other")]);
        std::fs::rename(&path, folder.path().join(other.file_name())).unwrap();
        let Lookup::Damaged(error) = cache.get(&other) else { panic!("another program's entry is taken") };
        assert!(error.to_string().contains("another program"), "{error}");
    }

    #[test]
    fn entries_of_other_versions_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        cache.put(&key("a"), &Plan { version: PLAN_VERSION + 1, ..plan(1) }).unwrap();
        let Lookup::Damaged(error) = cache.get(&key("a")) else { panic!("a plan of another version is taken") };
        assert!(error.to_string().contains("version"), "{error}");
    }

    #[test]
    fn many_writers_and_readers_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        std::thread::scope(|scope| {
            for size in 1..8usize {
                let cache = &cache;
                scope.spawn(move || {
                    for turn in 0..40 {
                        cache.put(&key("a"), &plan(size * 1000)).unwrap();
                        let plan = found(cache, &key("a"));
                        assert!(turn == 0 || plan.is_some());
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn the_longest_unused_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path()).with_limit(3 * 12_000);
        let names = ["a", "b", "c"].map(key);
        for (age, name) in [300u64, 200, 100].iter().zip(&names) {
            cache.put(name, &plan(10_000)).unwrap();
            let file = File::options().append(true).open(folder.path().join(name.file_name())).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(*age)).unwrap();
        }
        let leftover = folder.path().join(".fx-abandoned");
        File::create(&leftover).unwrap().set_modified(SystemTime::now() - 2 * ABANDONED).unwrap();
        assert!(found(&cache, &names[0]).is_some(), "used again: no longer the oldest");
        cache.put(&key("d"), &plan(10_000)).unwrap();
        let left: Vec<_> = names.iter().map(|name| found(&cache, name).is_some()).collect();
        assert_eq!(left, [true, false, true]);
        assert!(found(&cache, &key("d")).is_some());
        assert!(!leftover.exists());
    }

    #[test]
    fn places() {
        let place = |set: &[(&str, &str)]| {
            let variable = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| PathBuf::from(value));
            Cache::from_environment(variable).map(|cache| cache.folder.display().to_string())
        };
        assert_eq!(place(&[("FX_CACHE_DIR", "/a"), ("HOME", "/h")]).as_deref(), Some("/a"));
        assert_eq!(place(&[("FX_CACHE_DIR", ""), ("HOME", "/h")]), None);
        assert_eq!(place(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]).as_deref(), Some("/x/fx-mlir"));
        assert_eq!(place(&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")]).as_deref(), Some("/h/.cache/fx-mlir"));
        assert_eq!(place(&[]), None);
    }
}
