//! The layout of a presorted entry.

/// How an entry of an order holds a row and its payload, which is what a stat needs to know of the
/// row (its class). The payload avoids a random access per row, column and level of the tree.
///
/// ```text
/// bit 31           row_bits              0
///     |  payload  |         row          |
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryLayout {
    row_bits: u32,
}

impl EntryLayout {
    /// Rows without payloads.
    pub(crate) const ROWS: EntryLayout = EntryLayout { row_bits: u32::BITS };

    /// The layout for `n_rows` rows and payloads of `payload_bits`; rows only if both do not fit.
    pub(crate) fn new(n_rows: usize, payload_bits: u32) -> EntryLayout {
        let row_bits = usize::BITS - n_rows.saturating_sub(1).leading_zeros();
        if payload_bits > 0 && row_bits + payload_bits <= u32::BITS {
            EntryLayout { row_bits }
        } else {
            EntryLayout::ROWS
        }
    }

    pub(crate) fn has_payloads(self) -> bool {
        self.row_bits < u32::BITS
    }

    #[inline(always)]
    pub(crate) fn entry(self, row: u32, payload: u32) -> u32 {
        row | (u64::from(payload) << self.row_bits) as u32
    }

    /// The entry of a row whose payload is looked up only if there is room for it.
    #[inline(always)]
    pub(crate) fn entry_by(self, row: u32, payload: impl FnOnce(u32) -> u32) -> u32 {
        if self.has_payloads() { self.entry(row, payload(row)) } else { row }
    }

    #[inline(always)]
    pub(crate) fn row(self, entry: u32) -> u32 {
        entry & ((1u64 << self.row_bits) - 1) as u32
    }

    /// The payload; without [payloads](Self::has_payloads) it has no meaning.
    #[inline(always)]
    pub(crate) fn payload(self, entry: u32) -> u32 {
        entry.wrapping_shr(self.row_bits)
    }
}
