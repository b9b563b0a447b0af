//! Choice among the columns' best candidates. Choosing a column is not a criterion.

use crate::spec::Selection;
use crate::split::Candidate;

/// How a node chooses, and what a chosen rule must reach.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    pub(crate) selection: Selection,
    pub(crate) min_gain: f64,
    pub(crate) zero_gain_splits: bool,
    /// Per column: whether it [has many levels](super::has_many_levels), and so is left out of the mean
    /// gain.
    pub(crate) many_levels: Vec<bool>,
}

impl Selector {
    /// Chooses among the columns' candidates; the first of equal scores.
    ///
    /// A candidate of gain 0 counts towards the mean, as in C4.5, but is only chosen if zero-gain
    /// splits are on.
    pub(crate) fn choose<'c>(
        &self,
        candidates: &'c [(u32, Candidate)],
    ) -> Option<&'c (u32, Candidate)> {
        let lowest = self.lowest_gain(candidates);
        let allowed = candidates.iter().filter(|(_, c)| self.allows(c, lowest));
        allowed.reduce(
            |best, next| {
                if self.score(&next.1) > self.score(&best.1) { next } else { best }
            },
        )
    }

    /// Whether a candidate of lower gain than another's is never chosen.
    pub(crate) fn goes_by_gain(&self) -> bool {
        self.selection == Selection::BestScore
    }

    /// The candidate of highest score wins.
    pub(crate) fn score(&self, c: &Candidate) -> f64 {
        match self.selection {
            Selection::BestScore => c.gain,
            Selection::BestRatio | Selection::RatioAboveMeanGain => c.gain_ratio(),
        }
    }

    /// The lowest gain that may be chosen among these.
    pub(crate) fn lowest_gain(&self, candidates: &[(u32, Candidate)]) -> f64 {
        match self.selection {
            Selection::RatioAboveMeanGain => {
                let mean = self.mean_gain(candidates) * (1.0 - 1e-9);
                mean.max(self.min_gain)
            }
            Selection::BestScore | Selection::BestRatio => self.min_gain,
        }
    }

    pub(crate) fn allows(&self, c: &Candidate, lowest: f64) -> bool {
        c.gain >= lowest && (c.gain > 0.0 || self.zero_gain_splits)
    }

    fn mean_gain(&self, candidates: &[(u32, Candidate)]) -> f64 {
        let allowed = || candidates.iter().filter(|(_, c)| c.gain >= self.min_gain);
        let mean = |of: &mut dyn Iterator<Item = f64>| {
            let (n, sum) = of.fold((0, 0.0), |(n, sum), gain| (n + 1, sum + gain));
            (n > 0).then(|| sum / f64::from(n))
        };
        let few = allowed().filter(|(column, _)| !self.many_levels[*column as usize]);
        mean(&mut few.map(|(_, c)| c.gain))
            .or_else(|| mean(&mut allowed().map(|(_, c)| c.gain)))
            .unwrap_or(0.0)
    }
}
