//! The cut of most conditional gain, one for all strata.

use std::ops::Range;

use super::leveled::Leveled;
use crate::split::{CodeCut, CodeTest};
use crate::stat::{CountRows, Rating, difference};

/// Gains that differ by less than this share of the impurity are equal: on the way they are summed in
/// the order in which levels change sides.
const ROUNDING: f64 = 1e-12;

/// The best test, and the sum of the strata's gains, each times the weight of its rated rows; these
/// have the impurity given. Among equal gains, the one with missing on the right is taken, then on
/// the left, then missing alone; among equal cuts the lower one.
pub(super) fn best<S: CountRows>(
    rows: &S,
    leveled: &Leveled,
    impurity: f64,
) -> Option<(CodeTest, f64)> {
    let n_known = leveled.n_known();
    let missing = n_known..leveled.n_rated;
    let strata =
        StrataStats { rows, leveled, totals: stats(rows, leveled, 0..leveled.n_rated, 0..0) };
    let slack = ROUNDING * impurity * strata.weight();
    let cut = |left: Range<usize>| {
        let level = strata.best_cut(stats(rows, leveled, left.clone(), 0..0), slack)?;
        // Summed anew, so that it does not depend on the way there.
        let lefts = stats(rows, leveled, 0..leveled.starts[level], left);
        let cut = CodeCut::between(leveled.codes[level - 1], leveled.codes[level]);
        Some((CodeTest::AtLeast(cut), strata.gain(&lefts)))
    };
    let mut candidates = vec![cut(0..0)];
    if !missing.is_empty() {
        candidates.push(cut(missing.clone()));
        let alone = strata.gain(&stats(rows, leveled, missing, 0..0));
        candidates.push(Some((CodeTest::IsMissing, alone)));
    }
    let mut best: Option<(CodeTest, f64)> = None;
    for (test, gain) in candidates.into_iter().flatten() {
        if best.as_ref().is_none_or(|(_, best)| gain > *best) {
            best = Some((test, gain));
        }
    }
    best
}

/// The stat of each stratum.
struct StrataStats<'a, S: CountRows> {
    rows: &'a S,
    leveled: &'a Leveled,
    totals: Vec<S::Num>,
}

/// The rows at some indices and at some more, by stratum.
fn stats<S: CountRows>(
    rows: &S,
    leveled: &Leveled,
    indices: Range<usize>,
    more: Range<usize>,
) -> Vec<S::Num> {
    let mut stats = vec![S::Num::default(); leveled.n_strata * rows.rating().width()];
    add(rows, leveled, indices, &mut stats);
    add(rows, leveled, more, &mut stats);
    stats
}

/// Adds the rows at some indices to the stats of their strata.
fn add<S: CountRows>(rows: &S, leveled: &Leveled, indices: Range<usize>, stats: &mut [S::Num]) {
    let k = rows.rating().width();
    for index in indices {
        let stratum = leveled.strata[index] as usize;
        rows.add(leveled.rows[index], &mut stats[stratum * k..][..k]);
    }
}

impl<S: CountRows> StrataStats<'_, S> {
    /// A stratum's gain times its weight, by what is left of the cut.
    fn gain_of(&self, stratum: usize, lefts: &[S::Num]) -> f64 {
        let rating = self.rows.rating();
        let k = rating.width();
        let [total, left] = [&self.totals, lefts].map(|stats| &stats[stratum * k..][..k]);
        let right = difference(total, left);
        if [left, &right].iter().any(|side| rating.units(side) == S::Num::default()) {
            return 0.0;
        }
        rating.weight(rating.units(total)) * rating.gain(total, &[left, &right])
    }

    /// The sum of all strata.
    fn gain(&self, lefts: &[S::Num]) -> f64 {
        (0..self.leveled.n_strata).map(|stratum| self.gain_of(stratum, lefts)).sum()
    }

    /// Moves level after level to the left. Returns the first level that stays right at the best
    /// cut; a later one is better if it gains more by `slack`.
    fn best_cut(&self, mut lefts: Vec<S::Num>, slack: f64) -> Option<usize> {
        let Leveled { strata, n_strata, starts, codes, .. } = self.leveled;
        let mut parts: Vec<f64> = (0..*n_strata).map(|z| self.gain_of(z, &lefts)).collect();
        let mut sum: f64 = parts.iter().sum();
        let mut changed: Vec<u32> = Vec::new();
        let mut best: Option<(usize, f64)> = None;
        for level in 1..codes.len() {
            let indices = starts[level - 1]..starts[level];
            add(self.rows, self.leveled, indices.clone(), &mut lefts);
            changed.clear();
            changed.extend_from_slice(&strata[indices]);
            changed.sort_unstable();
            changed.dedup();
            for &stratum in &changed {
                let part = self.gain_of(stratum as usize, &lefts);
                sum += part - parts[stratum as usize];
                parts[stratum as usize] = part;
            }
            if best.is_none_or(|(_, best)| sum > best + slack) {
                best = Some((level, sum));
            }
        }
        best.map(|(level, _)| level)
    }

    fn weight(&self) -> f64 {
        let rating = self.rows.rating();
        let weights = self.totals.chunks(rating.width()).map(|total| rating.units(total));
        weights.map(|units| rating.weight(units)).sum()
    }
}
