//! Classes and rounded weights, which fit beside a row number in an entry.
//!
//! They bound a column's gain without a look-up of its rows' weights, as
//! [rounded numbers](super::rounded_numbers) do.
//!
//! The gain of Gini impurity times the node's weight is the proxy of the left side less the proxy
//! of the whole. A side's term `Σ l_c² / |l|` has the slope `2 s_c - Σ s²` in class c, for the
//! classes' shares `s`, which lies between -1 and 1. So where weights are rounded, the proxies of a
//! cut and of the whole each move by at most what the weights move, half a step a row, and their
//! difference by a step a row. The proxies of rounded weights are bounded by blocks, as
//! [classes](super::class_blocks) are. The node's weight is at least the rounded one less half a
//! step a row.
//!
//! Entropy has no such bound: a weight near 0 may change its gain by any factor.

use super::BLOCK;
use crate::data::column::EntryLayout;
use crate::spec::Criterion;
use crate::stat::{ClassRating, Count, ROWS_IN_CACHE, Rating};

/// Fewer bits would rule no column out.
const MIN_BITS: u32 = 6;

/// How a code holds a row's class and, above it, its weight as a multiple of some step.
#[derive(Clone, Copy, Debug)]
pub(in crate::stat) struct RoundedWeights {
    class_bits: u32,
    bits: u32,
}

impl RoundedWeights {
    /// For these rows, in as many bits as an entry has left, and their codes; none for entropy.
    pub(in crate::stat) fn new<N: Count>(
        classes: &[u16],
        units: &[N],
        rating: &ClassRating<N>,
    ) -> Option<(RoundedWeights, Vec<u16>)> {
        let row_bits = units.len().max(1).ilog2() + 1;
        let class_bits = usize::BITS - (rating.width() - 1).leading_zeros();
        let bits = (u32::BITS - row_bits).min(u16::BITS).saturating_sub(class_bits);
        let may_gain = units.len() > ROWS_IN_CACHE && bits >= MIN_BITS;
        if !may_gain || rating.criterion() != Criterion::Gini {
            return None;
        }
        let greatest = units.iter().max()?.float().max(1.0);
        let per_unit = f64::from((1u32 << bits) - 1) / greatest;
        let code = |(&class, units): (&u16, &N)| {
            let rounded = (units.float() * per_unit + 0.5) as u16;
            rounded << class_bits | class
        };
        let codes = classes.iter().zip(units).map(code).collect();
        Some((RoundedWeights { class_bits, bits }, codes))
    }

    pub(in crate::stat) fn payload_bits(&self) -> u32 {
        self.class_bits + self.bits
    }

    #[inline(always)]
    pub(in crate::stat) fn class(&self, code: u16) -> usize {
        usize::from(code) & ((1 << self.class_bits) - 1)
    }

    /// The class of an entry, which its payload tells, and the units of its row.
    #[inline(always)]
    pub(in crate::stat) fn class_and_units<N: Copy>(
        &self,
        entry: u32,
        layout: EntryLayout,
        units: &[N],
    ) -> (usize, N) {
        (self.class(layout.payload(entry) as u16), units[layout.row(entry) as usize])
    }

    /// An upper bound of the gain of any cut of these entries. The first `n_known` are in order of
    /// level, the others are missing and may be on either side.
    pub(in crate::stat) fn gini_bound<N: Count>(
        &self,
        rating: &ClassRating<N>,
        entries: &[u32],
        layout: EntryLayout,
        n_known: usize,
    ) -> f64 {
        let k = rating.width();
        let (known, missing) = entries.split_at(n_known);
        let n_blocks = known.len().div_ceil(BLOCK);
        let mut lefts = Vec::with_capacity((n_blocks + 1) * k);
        lefts.resize(k, N::default());
        for block in known.chunks(BLOCK) {
            lefts.extend_from_within(lefts.len() - k..);
            let last = lefts.len() - k;
            self.add(block, layout, &mut lefts[last..]);
        }
        let mut of_missing = vec![N::default(); k];
        self.add(missing, layout, &mut of_missing);
        let mut parent = of_missing.clone();
        crate::stat::add(&mut parent, &lefts[lefts.len() - k..]);
        let (mut proxies, mut bounds) = (vec![0.0; n_blocks + 1], vec![0.0; n_blocks]);
        let (mut highest, mut of_whole) = (0.0f64, 0.0);
        for side in 0..1 + usize::from(!missing.is_empty()) {
            if side == 1 {
                lefts.chunks_exact_mut(k).for_each(|left| crate::stat::add(left, &of_missing));
            }
            rating.proxies_at(&lefts, &parent, &mut proxies);
            rating.block_bounds(&lefts, &parent, &proxies, &[], &mut bounds);
            of_whole = if side == 0 { proxies[0] } else { of_whole };
            highest = bounds.iter().copied().fold(highest, f64::max);
        }
        // A little more, as floats are rounded too.
        let off = entries.len() as f64 * 1.001;
        let weight = rating.units(&parent).float() - off / 2.0;
        if weight > 0.0 { (highest - of_whole + off) / weight } else { f64::INFINITY }
    }

    /// Adds the rounded weights of entries to a stat.
    fn add<N: Count>(&self, entries: &[u32], layout: EntryLayout, stat: &mut [N]) {
        // The compiler vectorizes blocks of two classes.
        if let [zeros, ones] = stat {
            let (mut all, mut of_ones) = (0u64, 0u64);
            for block in entries.chunks(BLOCK) {
                let (mut sum, mut sum_of_ones) = (0u32, 0u32);
                for payload in block.iter().map(|&entry| layout.payload(entry)) {
                    sum += payload >> 1;
                    sum_of_ones += (payload >> 1) * (payload & 1);
                }
                all += u64::from(sum);
                of_ones += u64::from(sum_of_ones);
            }
            *zeros += N::of_units(all - of_ones);
            *ones += N::of_units(of_ones);
            return;
        }
        let payloads = entries.iter().map(|&entry| layout.payload(entry));
        payloads.for_each(|payload| {
            stat[self.class(payload as u16)] += N::of_rows(payload >> self.class_bits)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::weights::Weights;
    use crate::spec::LogBase;
    use crate::stat::bound::tests::no_cut_gains_more;
    use crate::stat::{ClassRows, LogTable, RowPayloads};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// No cut gains more than payloads say, wherever missing values are.
        #[test]
        fn payloads_bound_all_cuts(
            rows in prop::collection::vec((0..60u16, 0.0..1.0f64), 5_000..6_000),
            (n_classes, power, share) in (2..5u16, 0..20i32, 0.0..1.0f64),
        ) {
            // In order of class, but for some.
            let n = rows.len();
            let class = |at: usize, class: u16| match class < n_classes {
                true => class,
                false => (at * usize::from(n_classes) / n) as u16,
            };
            let classes: Vec<u16> = rows.iter().enumerate().map(|(at, r)| class(at, r.0)).collect();
            let weights: Vec<f64> = rows.iter().map(|row| 1e-9 + row.1.powi(power)).collect();
            let weights = Weights::new(&weights).expect("finite");
            let logs = LogTable::default();
            let of = (Criterion::Gini, LogBase::Two, n_classes.into());
            let rating = ClassRating::<u64>::new(of.0, of.1, of.2, Some(&weights), &logs);
            let rows = ClassRows::new(&classes, Some(&weights.units), rating);
            prop_assume!(!rows.payloads_are_stats());
            no_cut_gains_more(&rows, n, share)?;
        }
    }
}
