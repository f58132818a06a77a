//! A schedule in words, as a function's `fx.schedule` asks for it: `registers threads=512 blocks=2 packed`.

/// Kinds of schedules that can be asked for, the names of their numbers, and their words. Phase `gpu` prints all of these;
/// what follows from the others need not be asked for.
const KINDS: &[(&str, &[&str], &[&str])] = &[
    ("registers", &["threads", "blocks", "resident", "accesses", "width", "rows"], &["packed", "shifted"]),
    ("staged", &["threads", "blocks", "rows", "held", "width", "bytes"], &[]),
];

/// What is wrong with a text; nothing if it can be understood.
pub fn mistake(text: &str) -> Option<String> {
    let mut words = text.split(' ');
    let kind = words.next().unwrap_or_default();
    let Some((_, numbers, flags)) = KINDS.iter().find(|(name, ..)| *name == kind) else {
        let kinds: Vec<_> = KINDS.iter().map(|(name, ..)| *name).collect();
        return Some(format!("'{kind}' is no schedule that can be asked for; there are {}", kinds.join(", ")));
    };
    let mut has_threads = false;
    for word in words {
        match word.split_once('=') {
            Some((name, value)) if numbers.contains(&name) && value.parse::<i64>().is_ok() => has_threads |= name == "threads",
            None if flags.contains(&word) => {}
            _ => {
                let takes: Vec<_> = numbers.iter().map(|name| format!("{name}=N")).chain(flags.iter().map(|flag| (*flag).into())).collect();
                return Some(format!("'{word}' means nothing to '{kind}'; it takes {}", takes.join(", ")));
            }
        }
    }
    (!has_threads).then(|| format!("'{kind}' does not say how many threads=N"))
}

/// The words after the kind of a schedule.
pub struct Asked<'a>(Vec<&'a str>);

impl<'a> Asked<'a> {
    /// What a text asks for, if it is a schedule of this kind.
    pub fn of(text: &'a str, kind: &str) -> Option<Self> {
        let mut words = text.split(' ');
        (words.next() == Some(kind)).then(|| Self(words.collect()))
    }

    /// The number that a name is given.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.0.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
    }

    /// Whether a word stands there.
    pub fn has(&self, word: &str) -> bool {
        self.0.contains(&word)
    }
}

/// Whether a number is a power of two up to `most`.
pub fn is_power_up_to(number: i64, most: i64) -> bool {
    (1..=most).contains(&number) && u64::try_from(number).is_ok_and(u64::is_power_of_two)
}
