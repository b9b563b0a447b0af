//! Texts to numbers, in order of first appearance.
//!
//! A text is told from others by a word: a short text is all in its word, a long one leaves its
//! length and a hash there, and is compared itself where these are the same. So a column of short
//! texts, as nearly all are, is numbered without a look at a byte of them. Rows are taken in
//! batches: first all words of a batch, then what the table has for them, then the answers. The
//! look-ups of a batch do not wait for one another.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

use crate::data::column_data::{ColumnData, MISSING};

/// Texts that lie together in memory: a chunk of a column.
pub(crate) trait Texts<'a> {
    /// Rows.
    fn len(&self) -> usize;

    /// Whether a row has no text.
    fn is_missing(&self, row: usize) -> bool;

    /// A row's text by its Arrow view, of which only the length in the low 32 bits is read where
    /// it is [long](is_short). Of a missing text it may be anything.
    fn view(&self, row: usize) -> u128;

    /// The text of a row that has one.
    fn text(&self, row: usize) -> &'a str;
}

/// The longest text that an Arrow view holds in itself, in bytes.
const SHORT: u32 = 12;

/// Whether a view or word holds all of its text.
#[inline(always)]
fn is_short(word: u128) -> bool {
    word as u32 <= SHORT
}

/// The Arrow view of a text that lies elsewhere: its length and, of a short one, its bytes.
#[cfg(feature = "arrow")]
pub(crate) fn view_of(text: &str) -> u128 {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(text.len() as u32).to_le_bytes());
    if let Some(bytes) = view[4..].get_mut(..text.len()) {
        bytes.copy_from_slice(text.as_bytes());
    }
    u128::from_le_bytes(view)
}

/// The word of a missing text, which is not short and so never taken for one that was seen.
const NO_TEXT: u128 = u128::MAX;

/// Rows of a batch: their words fit the first-level cache beside the hot part of the table.
const BATCH: usize = 64;

/// What a free slot holds; no text has this number, as the rows are fewer.
const FREE: u32 = u32::MAX;

/// The slots at first.
const SLOTS: usize = 1 << 8;

/// The texts of a column so far. A table of open addressing: slots hold numbers, which say where
/// the word is, so that probing a table of 10,000 texts stays in the second-level cache.
pub(crate) struct Interner<'a> {
    /// Seeded at random, so that no column can be made to collide.
    hasher: DefaultHashBuilder,
    /// The number of a text at or after the place its hash names; a power of two of them, at
    /// most half of them taken.
    slots: Vec<u32>,
    /// By number.
    words: Vec<u128>,
    texts: Vec<&'a str>,
    /// By row.
    ids: Vec<u32>,
}

impl<'a> Interner<'a> {
    /// Of so many rows.
    pub(crate) fn new(n_rows: usize) -> Self {
        Interner {
            hasher: DefaultHashBuilder::default(),
            slots: vec![FREE; SLOTS],
            words: Vec::new(),
            texts: Vec::new(),
            ids: Vec::with_capacity(n_rows),
        }
    }

    /// Numbers the rows of one more chunk. Linear in them and in the bytes of long texts.
    pub(crate) fn add(&mut self, texts: &impl Texts<'a>) {
        let mut words = [0; BATCH];
        let mut places = [0; BATCH];
        let mut likely = [FREE; BATCH];
        for start in (0..texts.len()).step_by(BATCH) {
            let rows = start..texts.len().min(start + BATCH);
            let n = rows.len();
            for (row, (word, place)) in rows.clone().zip(words.iter_mut().zip(&mut places)) {
                *word = self.word(texts, row);
                *place = self.hasher.hash_one(*word) as usize;
            }
            let mask = self.slots.len() - 1;
            for (id, place) in likely[..n].iter_mut().zip(&places) {
                *id = self.slots[place & mask];
            }
            for (row, at) in rows.zip(0..n) {
                let (word, id) = (words[at], likely[at]);
                let id = match self.words.get(id as usize) {
                    // RadixPass all: in its slot, or yet to be asked for its bytes.
                    Some(&found) if found == word && is_short(word) => id,
                    _ if texts.is_missing(row) => MISSING,
                    _ => self.number(word, places[at], texts.text(row)),
                };
                self.ids.push(id);
            }
        }
    }

    #[inline(always)]
    fn word(&self, texts: &impl Texts<'a>, row: usize) -> u128 {
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

    /// The number of a text, a new one if it was not seen before.
    fn number(&mut self, word: u128, place: usize, text: &'a str) -> u32 {
        let mut slot = place & (self.slots.len() - 1);
        loop {
            let id = self.slots[slot];
            if id == FREE {
                break;
            }
            if self.words[id as usize] == word
                && (is_short(word) || self.texts[id as usize] == text)
            {
                return id;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let id = self.words.len() as u32;
        self.slots[slot] = id;
        self.words.push(word);
        self.texts.push(text);
        if 2 * self.words.len() > self.slots.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let n_slots = 4 * self.slots.len();
        self.slots.clear();
        self.slots.resize(n_slots, FREE);
        for (id, &word) in self.words.iter().enumerate() {
            let mut slot = self.hasher.hash_one(word) as usize & (n_slots - 1);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = id as u32;
        }
    }

    /// The rows' numbers and the texts they are of.
    pub(crate) fn cells(self) -> ColumnData {
        ColumnData::Text(self.ids, self.texts.into_iter().map(str::to_string).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    /// Texts anywhere; a view as Arrow has it, of missing ones what was there before.
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
            // A long one's place in memory.
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
        let mut numbering = Interner::new(rows().count());
        chunks.iter().for_each(|chunk| numbering.add(&chunk));
        let ColumnData::Text(ids, texts) = numbering.cells() else { panic!("texts") };
        let mut seen: Vec<&String> = Vec::new();
        let number = |text: &'_ Option<String>| match text {
            None => MISSING,
            Some(text) => texts.iter().position(|t| t == text).expect("its text") as u32,
        };
        assert_eq!(ids, rows().map(number).collect::<Vec<_>>());
        for text in rows().flatten() {
            if !seen.contains(&text) {
                seen.push(text);
            }
        }
        assert!(texts.iter().eq(seen), "each once, in order of first appearance");
    }

    /// The table grows, within a batch and between, and a number is found again after that.
    #[test]
    fn numbers_many_texts() {
        let text = |row: usize| format!("{:0width$}", row * 7919 % 1500, width = 4 + row % 2 * 10);
        let rows = (0..4000).map(|row| (row % 11 > 0).then(|| text(row)));
        check(&[Anywhere(rows.collect())]);
    }

    proptest! {
        /// Short and long, alike but for the end, of no bytes and of bytes that are 0, in chunks.
        #[test]
        fn numbers_as_the_obvious_way_does(
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
