//! A schedule in words, as a function's `fx.schedule` asks for it: `registers threads=512 blocks=2 packed`.

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
