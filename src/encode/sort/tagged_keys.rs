//! Keys with a tag each, and how both lie in one word.

/// The keys of a column, which of them are missing, and each row's tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tagged<'a, T> {
    pub(crate) keys: &'a [u64],
    pub(crate) missing: Option<&'a [bool]>,
    pub(crate) tags: T,
}

/// A tag for each row.
pub(crate) trait Tags: Copy {
    fn each(self) -> impl Iterator<Item = u32>;
}

impl Tags for &[u16] {
    fn each(self) -> impl Iterator<Item = u32> {
        self.iter().map(|&tag| tag.into())
    }
}

/// The row's own number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows;

impl Tags for Rows {
    fn each(self) -> impl Iterator<Item = u32> {
        0..u32::MAX
    }
}

/// What one look at the known keys tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) n_known: usize,
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) is_sorted: bool,
}

impl<T: Tags> Tagged<'_, T> {
    /// Takes the known rows in turn: key and tag.
    #[inline(always)]
    pub(crate) fn each_known(&self, mut take: impl FnMut(u64, u32)) {
        let rows = self.keys.iter().zip(self.tags.each());
        match self.missing {
            None => rows.for_each(|(&key, tag)| take(key, tag)),
            Some(missing) => {
                let known = rows.zip(missing).filter(|&(_, &missing)| !missing);
                known.for_each(|((&key, tag), _)| take(key, tag));
            }
        }
    }

    /// The tags of the others.
    pub(crate) fn missing_tags(&self) -> impl Iterator<Item = u32> {
        let missing = self.missing.unwrap_or_default().iter();
        missing.zip(self.tags.each()).filter(|&(&missing, _)| missing).map(|(_, tag)| tag)
    }

    /// `None` where no row has a value.
    pub(crate) fn extent(&self) -> Option<Extent> {
        let (mut n_known, mut min, mut max) = (0, u64::MAX, 0);
        let (mut last, mut is_sorted) = (0, true);
        self.each_known(|key, _| {
            n_known += 1;
            (min, max) = (min.min(key), max.max(key));
            is_sorted &= last <= key;
            last = key;
        });
        (n_known > 0).then_some(Extent { n_known, min, max, is_sorted })
    }
}

/// A key and its tag in one word, the tag in the low bits. The high bits that make room for it
/// are the same for a whole bucket.
#[derive(Clone, Copy)]
pub(crate) struct WordLayout {
    pub(crate) tag_bits: u32,
    /// Low bits of a distance that are left out.
    pub(crate) dropped: u32,
}

impl WordLayout {
    #[inline(always)]
    pub(crate) fn word(self, distance: u64, tag: u32) -> u64 {
        distance >> self.dropped << self.tag_bits | u64::from(tag)
    }

    /// What is left of the key.
    #[inline(always)]
    pub(crate) fn key(self, word: u64) -> u64 {
        word >> self.tag_bits
    }

    #[inline(always)]
    pub(crate) fn tag(self, word: u64) -> u32 {
        (word & ((1 << self.tag_bits) - 1)) as u32
    }

    /// The bits of a distance that its word has no room for.
    pub(crate) fn high_bits(self, distance: u64) -> u64 {
        distance & !(u64::MAX >> self.tag_bits)
    }

    /// How many bits that are, of so many.
    pub(crate) fn lost(self, key_bits: u32) -> u32 {
        (key_bits - self.dropped.min(key_bits) + self.tag_bits).saturating_sub(u64::BITS)
    }
}

/// Bits of a number.
pub(crate) fn bits(x: u64) -> u32 {
    u64::BITS - x.leading_zeros()
}
