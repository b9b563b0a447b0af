//! The layout of a presorted entry.

/// How an entry of an order holds a row and its tag, which is what a stat needs to know of the
/// row (its class). The tag avoids a random access per row, column and level of the tree.
///
/// ```text
/// bit 31           row_bits              0
///     |    tag    |         row          |
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryLayout {
    row_bits: u32,
}

impl EntryLayout {
    /// Rows without tags.
    pub(crate) const ROWS: EntryLayout = EntryLayout { row_bits: u32::BITS };

    /// The layout for `n_rows` rows and tags of `tag_bits`; rows only if both do not fit.
    pub(crate) fn new(n_rows: usize, tag_bits: u32) -> EntryLayout {
        let row_bits = usize::BITS - n_rows.saturating_sub(1).leading_zeros();
        if tag_bits > 0 && row_bits + tag_bits <= u32::BITS {
            EntryLayout { row_bits }
        } else {
            EntryLayout::ROWS
        }
    }

    pub(crate) fn has_tags(self) -> bool {
        self.row_bits < u32::BITS
    }

    #[inline(always)]
    pub(crate) fn entry(self, row: u32, tag: u32) -> u32 {
        row | (u64::from(tag) << self.row_bits) as u32
    }

    /// The entry of a row whose tag is looked up only if there is room for it.
    #[inline(always)]
    pub(crate) fn entry_by(self, row: u32, tag: impl FnOnce(u32) -> u32) -> u32 {
        if self.has_tags() { self.entry(row, tag(row)) } else { row }
    }

    #[inline(always)]
    pub(crate) fn row(self, entry: u32) -> u32 {
        entry & ((1u64 << self.row_bits) - 1) as u32
    }

    /// The tag; without [tags](Self::has_tags) it has no meaning.
    #[inline(always)]
    pub(crate) fn tag(self, entry: u32) -> u32 {
        entry.wrapping_shr(self.row_bits)
    }
}
