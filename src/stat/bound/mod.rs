//! Upper bounds of gains: what rules a column or a part of it out before its cuts are looked at.
//!
//! A search skips what cannot gain as much as it has found already. So a bound changes how much is
//! looked at, never what is found: what wins is rated by [`Rating::gain`].
//!
//! # Why a block of rows has a bound
//!
//! A cut is a left side `l`: the stat of the rows left of it. Its gain is the proxy of `l`, but for
//! a constant and a factor, and every proxy is *convex* in `l`: it is a sum of terms `x log(x/n)`
//! (entropy) or `x²/n` (Gini, variance), one for each class or sum on each side, and these are
//! convex in `x` and `n` together. Between two borders of a column in order of level the left side
//! lies in a box: counts only grow, and a sum goes no farther than the rows between take it. A
//! convex function is highest at a corner of a box, so no cut between the borders is above the
//! highest corner (Alsabti, Ranka & Singh 1998).
//!
//! Bounds hold up to rounding: what they are compared with is lower by a margin
//! ([`Rating::proxy_floor`]), or the bound has one of its own.
//!
//! # The bounds
//!
//! - [`Rating::block_bounds`], of the cuts in a block, by the stats at its borders
//!   ([`class_blocks`], [`number_blocks`]). By it a scan skips blocks (`split/presorted.rs`),
//!   growth from counts skips bins (`split/bin_bounds.rs`), and the next bound is found.
//! - [`BoundCuts::payload_bound`], of all cuts of a column, by what entries say of their rows
//!   ([`rounded_numbers`], [`rounded_weights`]). By it `grow/search.rs` orders and skips columns.
//! - [`Rating::impurity_bound`], of any split of a node: no branch is purer than pure. For few rows
//!   `split/partitions.rs` tries all two-way splits instead. By these `grow/search.rs` ends the
//!   search of a node.
//! - Of sets of levels, in `split/subset/`: parting a branch in two loses no gain, so none gains
//!   more than all levels apart. Where limits forbid some sets, `share_order.rs` has a closer one.

mod class_blocks;
mod number_blocks;
mod rounded_numbers;
mod rounded_weights;

pub(super) use class_blocks::{many_classes_bounds, two_classes_bounds};
pub(super) use number_blocks::number_bounds;
pub(super) use rounded_numbers::RoundedNumbers;
pub(super) use rounded_weights::RoundedWeights;

use super::{CountRows, Rating};
use crate::data::column::EntryLayout;

/// Entries that are bounded together.
pub(crate) const BLOCK: usize = 32;

/// What bounds of a column's cuts need to know of its rows.
pub(crate) trait BoundCuts: CountRows {
    /// Sums up [blocks](BLOCK) of entries. Appends the stat of all entries up to each block's end
    /// to `borders`, which ends with the stat before the first; and to `spreads` what
    /// [`Rating::block_bounds`] needs to know of a block beside its borders, if anything.
    fn sum_blocks(
        &self,
        entries: &[u32],
        layout: EntryLayout,
        _parent: &[Self::Num],
        borders: &mut Vec<Self::Num>,
        _spreads: &mut Vec<f64>,
    ) {
        let k = self.rating().width();
        for block in entries.chunks(BLOCK) {
            let last = borders.len() - k;
            borders.extend_from_within(last..);
            self.add_entries(block, layout, &mut borders[last + k..]);
        }
    }

    /// An upper bound of the gain of any cut of a column, from the payloads of its entries alone;
    /// the first `n_known` have a value. Infinite if payloads do not tell.
    fn payload_bound(&self, entries: &[u32], layout: EntryLayout, n_known: usize) -> f64;
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stat::{RowStats, add, difference};
    use proptest::prelude::*;

    /// Checks that no cut of rows in this order gains more than payloads say, on either side of the
    /// missing values, which are the last ones.
    pub(in crate::stat) fn no_cut_gains_more<S: RowStats>(
        rows: &S,
        n: usize,
        known_share: f64,
    ) -> Result<(), TestCaseError> {
        let layout = EntryLayout::new(n, rows.payload_bits());
        prop_assert!(layout.has_payloads());
        let entries: Vec<u32> = (0..n as u32).map(|r| layout.entry(r, rows.payload(r))).collect();
        let n_known = (known_share * n as f64) as usize;
        let highest = rows.payload_bound(&entries, layout, n_known);
        let total = rows.total(&entries, layout);
        let missing = rows.total(&entries[n_known..], layout);
        let mut left = difference(&total, &total);
        for at in 0..n_known {
            rows.add_entries(&entries[at..=at], layout, &mut left);
            let mut with_missing = left.clone();
            add(&mut with_missing, &missing);
            for side in [&left, &with_missing] {
                let gain = rows.rating().gain(&total, &[side, &difference(&total, side)]);
                prop_assert!(gain <= highest, "{gain} {highest} at {at} of {n_known}");
            }
        }
        Ok(())
    }
}
