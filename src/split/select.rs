//! Choice among the columns' best candidates. Choosing a column is not a criterion.

use super::Candidate;
use crate::criterion::quotient;
use crate::spec::Selection;

/// How a node chooses, and what a chosen rule must reach.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    pub(crate) selection: Selection,
    pub(crate) min_gain: f64,
    pub(crate) zero_gain_splits: bool,
    /// Per column: nominal with levels of 30 % or more of the training rows, and so left out
    /// of the mean gain.
    pub(crate) many_levels: Vec<bool>,
}

/// Levels per training row from which a nominal feature does not count towards the mean gain
/// (C4.5 Release 8, `MaxAttVal < 0.3 * MaxItem`).
pub(crate) const MANY_LEVELS_SHARE: f64 = 0.3;

impl Selector {
    /// The chosen column and its candidate, of `candidates[i]` for column `columns[i]`; the
    /// earlier column where scores are the same float.
    ///
    /// A candidate is allowed if it reached `min_gain`. One of gain 0 counts towards the mean,
    /// as in C4.5, but is only chosen where zero-gain splits are on.
    pub(crate) fn choose<'c>(
        &self,
        columns: &[u32],
        candidates: &'c [Option<Candidate>],
    ) -> Option<(u32, &'c Candidate)> {
        let allowed: Vec<(u32, &Candidate)> = columns
            .iter()
            .zip(candidates)
            .filter_map(|(&column, c)| Some((column, c.as_ref()?)))
            .filter(|(_, c)| c.gain >= self.min_gain)
            .collect();
        let least = match self.selection {
            Selection::RatioAboveMeanGain => self.mean_gain(&allowed) * (1.0 - 1e-9),
            _ => 0.0,
        };
        let score = |c: &Candidate| match self.selection {
            Selection::BestScore => c.gain,
            _ => quotient(c.gain, c.split_info),
        };
        let mut best: Option<(u32, &Candidate)> = None;
        for (column, c) in allowed {
            let may_win = c.gain >= least && (c.gain > 0.0 || self.zero_gain_splits);
            if may_win && best.is_none_or(|(_, b)| score(c) > score(b)) {
                best = Some((column, c));
            }
        }
        best
    }

    fn mean_gain(&self, allowed: &[(u32, &Candidate)]) -> f64 {
        let mean = |of: &mut dyn Iterator<Item = f64>| {
            let (n, sum) = of.fold((0, 0.0), |(n, sum), gain| (n + 1, sum + gain));
            (n > 0).then(|| sum / f64::from(n))
        };
        let few = allowed.iter().filter(|(column, _)| !self.many_levels[*column as usize]);
        mean(&mut few.map(|(_, c)| c.gain))
            .or_else(|| mean(&mut allowed.iter().map(|(_, c)| c.gain)))
            .unwrap_or(0.0)
    }
}
