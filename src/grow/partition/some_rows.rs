//! The entries of some rows, taken from the entries of more rows in the same order: for a branch
//! that has parts of rows, or for a sample.

#[cfg(target_arch = "x86_64")]
use super::avx2::present_avx2;
use crate::data::column::EntryLayout;
use crate::stat::RowStats;

/// The layout of entries of some of the rows below `n_numbers`: a bit more than payloads need, so
/// that no entry is [`ABSENT`].
pub(crate) fn layout_of_some(n_numbers: usize, stats: &impl RowStats) -> EntryLayout {
    match stats.payload_bits() {
        0 => EntryLayout::ROWS,
        bits => EntryLayout::new(n_numbers, bits + 1),
    }
}

/// Writes the entry of each of some rows at the row's number.
pub(crate) fn note_entries(
    rows: &[u32],
    layout: EntryLayout,
    stats: &impl RowStats,
    entry_of: &mut [u32],
) {
    for &row in rows {
        entry_of[row as usize] = layout.entry_by(row, |row| stats.payload(row));
    }
}

/// Instead of the entry of a row that is not among them.
pub(crate) const ABSENT: u32 = u32::MAX;

/// The entries of the `n_present` rows that are not [`ABSENT`].
pub(crate) fn entries_present(
    entries: &[u32],
    row_mask: u32,
    entry_of: &[u32],
    n_present: usize,
) -> Vec<u32> {
    let mut present = vec![0; n_present + 1];
    let (mut taken, mut n) = (0, 0);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the features it is compiled for.
        #[expect(unsafe_code)]
        unsafe {
            (taken, n) = present_avx2(entries, row_mask, entry_of, &mut present);
        }
    }
    // Branchless: each entry is written, and the next one over it if its row is absent.
    for &entry in &entries[taken..] {
        let entry = entry_of[(entry & row_mask) as usize];
        present[n] = entry;
        n += usize::from(entry != ABSENT);
    }
    present.truncate(n);
    present
}
