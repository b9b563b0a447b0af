//! Texts to ids, in order of first appearance.
//!
//! Texts are compared by a 128-bit fingerprint:
//!
//! ```text
//! bit 0          32                                  127
//!     |  length  |  the text: up to 12 bytes           |   short text (an Arrow view)
//!     |  length  |       0        |        hash        |   long text
//! ```
//!
//! A short text is all in its fingerprint, so its bytes in memory are not read. Long texts of
//! equal fingerprints are compared themselves. Rows are processed in batches: first all
//! fingerprints, then the first probe of the hash table for each, then the ids. So the cache
//! misses of a batch overlap.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

use crate::data::column_data::{ColumnData, MISSING};

/// A chunk of a text column.
pub(crate) trait Texts<'a> {
    /// The number of rows.
    fn len(&self) -> usize;

    fn is_missing(&self, row: usize) -> bool;

    /// The Arrow view of a row's text; of a long text only the length, in the low 32 bits, is
    /// read. For a missing text it has no meaning.
    fn view(&self, row: usize) -> u128;

    /// The text of a row that is not missing.
    fn text(&self, row: usize) -> &'a str;
}

/// The bytes of text that an Arrow view holds.
const SHORT: u32 = 12;

/// Whether a view or fingerprint holds all of its text.
#[inline(always)]
fn is_short(word: u128) -> bool {
    word as u32 <= SHORT
}

/// An Arrow view of a text: its length, and its bytes if it is short.
#[cfg(feature = "arrow")]
pub(crate) fn view_of(text: &str) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
    if let Some(bytes) = view[4..].get_mut(..text.len()) {
        bytes.copy_from_slice(text.as_bytes());
    }
    u128::from_le_bytes(view)
}

/// The fingerprint of a missing text. It is not short, so it never equals the fingerprint of a
/// text.
const NO_TEXT: u128 = u128::MAX;

/// Rows per batch: their fingerprints fit the L1 cache beside the hot part of the table.
const BATCH: usize = 64;

/// An empty slot; ids are lower, as there are fewer rows.
const FREE: u32 = u32::MAX;

/// The initial number of slots.
const SLOTS: usize = 1 << 8;

/// A hash table with open addressing and linear probing. Slots hold ids rather than fingerprints,
/// so that the slots of 10,000 texts fit the L2 cache.
pub(crate) struct Interner<'a> {
    /// Seeded at random, so that nobody can craft a column that collides.
    hasher: DefaultHashBuilder,
    /// A power of two of slots, at most half of them taken.
    slots: Vec<u32>,
    /// By id.
    fingerprints: Vec<u128>,
    texts: Vec<&'a str>,
    /// By row.
    ids: Vec<u32>,
}

impl<'a> Interner<'a> {
    pub(crate) fn new(n_rows: usize) -> Self {
        Interner {
            hasher: DefaultHashBuilder::default(),
            slots: vec![FREE; SLOTS],
            fingerprints: Vec::new(),
            texts: Vec::new(),
            ids: Vec::with_capacity(n_rows),
        }
    }

    /// Interns the next chunk. Linear in its rows and in the bytes of long texts.
    pub(crate) fn add(&mut self, texts: &impl Texts<'a>) {
        let mut fingerprints = [0; BATCH];
        let mut hashes = [0; BATCH];
        let mut first_probes = [FREE; BATCH];
        for start in (0..texts.len()).step_by(BATCH) {
            let rows = start..texts.len().min(start + BATCH);
            let n = rows.len();
            let slots = fingerprints.iter_mut().zip(&mut hashes);
            for (row, (fingerprint, hash)) in rows.clone().zip(slots) {
                *fingerprint = self.fingerprint(texts, row);
                *hash = self.hasher.hash_one(*fingerprint) as usize;
            }
            let mask = self.slots.len() - 1;
            for (id, hash) in first_probes[..n].iter_mut().zip(&hashes) {
                *id = self.slots[hash & mask];
            }
            for (row, at) in rows.zip(0..n) {
                let (fingerprint, id) = (fingerprints[at], first_probes[at]);
                let id = match self.fingerprints.get(id as usize) {
                    // Short texts nearly always end here.
                    Some(&found) if found == fingerprint && is_short(fingerprint) => id,
                    _ if texts.is_missing(row) => MISSING,
                    _ => self.intern(fingerprint, hashes[at], texts.text(row)),
                };
                self.ids.push(id);
            }
        }
    }

    #[inline(always)]
    fn fingerprint(&self, texts: &impl Texts<'a>, row: usize) -> u128 {
        if texts.is_missing(row) {
            return NO_TEXT;
        }
        let view = texts.view(row);
        match is_short(view) {
            true => view,
            false => view & u128::from(u32::MAX) | self.hash_of_long(texts.text(row)),
        }
    }

    #[inline(never)]
    fn hash_of_long(&self, text: &str) -> u128 {
        u128::from(self.hasher.hash_one(text)) << u64::BITS
    }

    /// The id of a text; a new text gets the next id.
    fn intern(&mut self, fingerprint: u128, hash: usize, text: &'a str) -> u32 {
        let mut slot = hash & (self.slots.len() - 1);
        loop {
            let id = self.slots[slot];
            if id == FREE {
                break;
            }
            if self.fingerprints[id as usize] == fingerprint
                && (is_short(fingerprint) || self.texts[id as usize] == text)
            {
                return id;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let id = self.texts.len() as u32;
        self.slots[slot] = id;
        self.fingerprints.push(fingerprint);
        self.texts.push(text);
        if 2 * self.texts.len() > self.slots.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let n_slots = 4 * self.slots.len();
        self.slots.clear();
        self.slots.resize(n_slots, FREE);
        for (id, &fingerprint) in self.fingerprints.iter().enumerate() {
            let mut slot = self.hasher.hash_one(fingerprint) as usize & (n_slots - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = id as u32;
        }
    }

    /// The ids of all rows, and the texts by id.
    pub(crate) fn cells(self) -> ColumnData {
        ColumnData::Text(self.ids, self.texts.into_iter().map(str::to_string).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Texts with views, as in Arrow.
    struct Anywhere(Vec<Option<String>>);

    impl<'a> Texts<'a> for &'a Anywhere {
        fn len(&self) -> usize {
            self.0.len()
        }

        fn is_missing(&self, row: usize) -> bool {
            self.0[row].is_none()
        }

        fn view(&self, row: usize) -> u128 {
            let text = self.0[row].as_ref().expect("a text");
            let mut view = [0; 16];
            let n = if text.len() <= 12 { text.len() } else { 4 };
            view[4..4 + n].copy_from_slice(&text.as_bytes()[..n]);
            // The buffer and offset of a long text.
            if text.len() > 12 {
                view[8..16].copy_from_slice(&(row as u64).to_le_bytes());
            }
            view[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
            u128::from_le_bytes(view)
        }

        fn text(&self, row: usize) -> &'a str {
            self.0[row].as_ref().expect("a text")
        }
    }

    fn check(chunks: &[Anywhere]) {
        let rows = || chunks.iter().flat_map(|chunk| &chunk.0);
        let mut interner = Interner::new(rows().count());
        chunks.iter().for_each(|chunk| interner.add(&chunk));
        let ColumnData::Text(ids, texts) = interner.cells() else { panic!("texts") };
        let mut seen: Vec<&String> = Vec::new();
        let id = |text: &'_ Option<String>| match text {
            None => MISSING,
            Some(text) => texts.iter().position(|t| t == text).expect("its text") as u32,
        };
        assert_eq!(ids, rows().map(id).collect::<Vec<_>>());
        for text in rows().flatten() {
            if !seen.contains(&text) {
                seen.push(text);
            }
        }
        assert!(texts.iter().eq(seen), "each once, in order of first appearance");
    }

    /// The table grows within a batch and between batches, and ids are found again after that.
    #[test]
    fn interns_many_texts() {
        let text = |row: usize| format!("{:0width$}", row * 7919 % 1500, width = 4 + row % 2 * 10);
        let rows = (0..4000).map(|row| (row % 11 > 0).then(|| text(row)));
        check(&[Anywhere(rows.collect())]);
    }

    proptest! {
        /// Short and long texts, equal but for the end, empty, and with zero bytes, in chunks.
        #[test]
        fn interns_as_a_linear_search_does(
            rows in prop::collection::vec(prop::option::weighted(0.9, (
                select(vec!["", "\0", "a", "same prefix", "same prefix, and long", "é"]),
                prop_oneof![Just(""), Just("\0"), Just("\0\0"), Just("b"), Just("ü, and long")],
            )), 0..300),
            chunk in 1usize..200,
        ) {
            let text = |row: &Option<(&str, &str)>| row.map(|(a, b)| format!("{a}{b}"));
            let rows: Vec<Option<String>> = rows.iter().map(text).collect();
            check(&rows.chunks(chunk).map(|rows| Anywhere(rows.to_vec())).collect::<Vec<_>>());
        }
    }
}
