//! Keys with payloads, and the layout of both in one word.

/// The keys of a column, which of them are missing, and the payload of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayloadKeys<'a, T> {
    pub(crate) keys: &'a [u64],
    pub(crate) missing: Option<&'a [bool]>,
    pub(crate) payloads: T,
}

/// A payload per row.
pub(crate) trait Payloads: Copy {
    fn values(self) -> impl Iterator<Item = u32>;
}

impl Payloads for &[u16] {
    fn values(self) -> impl Iterator<Item = u32> {
        self.iter().map(|&payload| payload.into())
    }
}

/// Row numbers as payloads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowNumbers;

impl Payloads for RowNumbers {
    fn values(self) -> impl Iterator<Item = u32> {
        0..u32::MAX
    }
}

/// The range and order of the known keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(in crate::encode) n_known: usize,
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(super) is_sorted: bool,
}

impl<T: Payloads> PayloadKeys<'_, T> {
    /// Calls `take` with the key and payload of each known row, in row order.
    #[inline(always)]
    pub(in crate::encode) fn each_known(&self, mut take: impl FnMut(u64, u32)) {
        let rows = self.keys.iter().zip(self.payloads.values());
        match self.missing {
            None => rows.for_each(|(&key, payload)| take(key, payload)),
            Some(missing) => {
                let known = rows.zip(missing).filter(|&(_, &missing)| !missing);
                known.for_each(|((&key, payload), _)| take(key, payload));
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        self.missing.is_some_and(|missing| missing[row])
    }

    /// The payloads of the missing rows.
    pub(super) fn missing_payloads(&self) -> impl Iterator<Item = u32> {
        let missing = self.missing.unwrap_or_default().iter();
        missing
            .zip(self.payloads.values())
            .filter(|&(&missing, _)| missing)
            .map(|(_, payload)| payload)
    }

    /// `None` if no row has a value.
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

/// A word of a key's distance and its payload, as drawn in [`sort`](super).
#[derive(Clone, Copy)]
pub(super) struct WordLayout {
    pub(super) payload_bits: u32,
    /// Low bits of a distance that words do not hold.
    pub(super) dropped: u32,
}

impl WordLayout {
    #[inline(always)]
    pub(super) fn word(self, distance: u64, payload: u32) -> u64 {
        distance >> self.dropped << self.payload_bits | u64::from(payload)
    }

    /// The distance's bits that the word holds.
    #[inline(always)]
    pub(super) fn key(self, word: u64) -> u64 {
        word >> self.payload_bits
    }

    #[inline(always)]
    pub(super) fn payload(self, word: u64) -> u32 {
        (word & ((1 << self.payload_bits) - 1)) as u32
    }

    /// The high bits of a distance that its word does not hold.
    pub(super) fn high_bits(self, distance: u64) -> u64 {
        distance & !(u64::MAX >> self.payload_bits)
    }

    /// The number of high bits, for distances of `key_bits` bits.
    pub(super) fn n_high_bits(self, key_bits: u32) -> u32 {
        (key_bits - self.dropped.min(key_bits) + self.payload_bits).saturating_sub(u64::BITS)
    }
}

/// The number of bits up to the highest set bit.
pub(super) fn bits(x: u64) -> u32 {
    u64::BITS - x.leading_zeros()
}
