//! Selection of features, one after the other: each tells much about the target beside the features
//! before it.
//!
//! Columns are binned once. A step counts each feature that is left against the feature selected
//! last, so that k steps over m features of n rows take `O(k m n)`.

use super::bins::{Binned, FEW_LEVELS, check_intervals};
use super::check_share;
use super::conditional::Labels;
use super::figures::chance_of_levels;
use super::strata::{RowsByStratum, Strata};
use crate::data::column_data::Source;
use crate::encode::table::{Kinds, Table};
use crate::error::{Error, Result};
use crate::spec::{Monitor, SelectScore, SelectSpec};
use crate::util::monitoring::{advance, begin_stage};
use crate::util::parallel;

/// One step of a selection; see the table `select_features`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct SelectStep {
    /// The feature's index among the features to select from.
    pub feature: usize,
    pub score: f64,
    pub info_gain: f64,
    pub gain_given: f64,
    pub redundancy: f64,
    pub p_value: f64,
    pub p_adjusted: f64,
    /// The levels or intervals that it was counted by, and the rows that have a value.
    pub n_bins: u64,
    pub n_known: u64,
    /// What a feature of as many bins that tells nothing gains on average.
    pub expected_gain: f64,
}

/// A feature that is left.
struct Candidate {
    feature: usize,
    info_gain: f64,
    /// Over the features selected so far: the sum and the least of `I(X; Y | Z)`, and the sum of
    /// `I(X; Z)`.
    sum_given: f64,
    least_given: f64,
    sum_shared: f64,
    /// `I(X; Y | S)`, if the selection goes by it.
    given_all: f64,
}

/// Selects features for the rows of a [table of their target](Table::of_target), columns in
/// parallel in the current pool. A missing value is a level of its own. Among equal scores the
/// earlier feature is selected. Ends after `k` features, or where no feature is left that has a
/// positive score (but for [`SelectScore::Mrmr`]) and tells more than chance. Features that
/// `is_passed_over`, by their index, are not looked at.
///
/// # Errors
/// As [`Table::encode`] of the features; limits out of range; MDL intervals for a numeric target.
pub fn select_in_turn<S: Source>(
    rows: &Table,
    features: &[S],
    kinds: Kinds,
    is_passed_over: impl Fn(usize) -> bool,
    spec: &SelectSpec,
) -> Result<Vec<SelectStep>> {
    kinds.check(&features.iter().map(|f| f.name()).collect::<Vec<_>>())?;
    check_intervals(spec.intervals)?;
    if spec.k == 0 {
        return Err(Error::spec("k is 0; a selection has at least 1 feature: ask for 10, say"));
    }
    check_share("alpha", spec.alpha, "a probability")?;
    let kinds = kinds.by_name();
    let binned = |&feature: &usize| {
        let column = rows.context.raw_column(&features[feature], &kinds)?.encode();
        Binned::new(rows, &column, spec.intervals, FEW_LEVELS)
    };
    let candidates: Vec<usize> = (0..features.len()).filter(|&at| !is_passed_over(at)).collect();
    let binned = parallel::try_map(&candidates, binned)?;
    let labels = Labels::of(rows)?;
    let monitor = rows.context.monitor.as_ref();
    let selection = Selection { binned, labels, spec, monitor };
    let steps = selection.steps();
    rows.context.check_interrupt()?;
    let of_all = |step: SelectStep| SelectStep { feature: candidates[step.feature], ..step };
    Ok(steps.into_iter().map(of_all).collect())
}

struct Selection<'a> {
    binned: Vec<Binned>,
    labels: Labels<'a>,
    spec: &'a SelectSpec,
    monitor: Option<&'a Monitor>,
}

impl Selection<'_> {
    fn steps(&self) -> Vec<SelectStep> {
        let n_rows = self.labels.classes.len();
        let mut all = Strata::one(n_rows);
        let mut left = self.candidates(&all);
        let mut steps: Vec<SelectStep> = Vec::new();
        let most = self.spec.k.min(self.binned.len());
        begin_stage(self.monitor, "selecting columns", most);
        while steps.len() < self.spec.k && !self.is_interrupted() {
            let Some(step) = self.next(&left, &all, steps.len()) else { break };
            left.retain(|candidate| candidate.feature != step.feature);
            all = all.refine(&self.binned[step.feature]);
            steps.push(step);
            advance(self.monitor, 1);
            if steps.len() < self.spec.k {
                self.count_given(step.feature, &all, &mut left);
            }
        }
        steps
    }

    /// The feature of highest score. Where it is asked for, only features that tell more than
    /// chance count.
    fn next(&self, left: &[Candidate], all: &Strata, n_before: usize) -> Option<SelectStep> {
        let may_be_negative = n_before > 0 && self.spec.score == SelectScore::Mrmr;
        let scored = left.iter().map(|candidate| (candidate, self.score(candidate, n_before)));
        let scored = scored.filter(|&(_, score)| score > 0.0 || may_be_negative);
        let mut scored: Vec<(&Candidate, f64)> = scored.collect();
        // The sort is stable: among equal scores the earlier feature comes first.
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        let rows = all.rows();
        let p_values = |&(candidate, _): &(&Candidate, f64)| {
            let binned = &self.binned[candidate.feature];
            let p_value = self.labels.independence(&rows, binned).p_value();
            // 1 - (1 - p)^n, without cancellation (Šidák 1967).
            [p_value, -(left.len() as f64 * (-p_value).ln_1p()).exp_m1()]
        };
        let is_told = |[_, adjusted]: [f64; 2]| adjusted <= self.spec.alpha;
        // Mostly the first one is, so that the others are tested a few at a time.
        let mut tested = 0;
        while tested < scored.len() && !self.is_interrupted() {
            let more = &scored[tested..scored.len().min((2 * tested).max(1))];
            let of_more = parallel::map(more, p_values);
            if let Some(at) = of_more.iter().position(|&p| is_told(p)) {
                return Some(self.step(more[at], of_more[at], &rows, n_before));
            }
            tested += more.len();
        }
        None
    }

    /// All features, before any is selected.
    fn candidates(&self, all: &Strata) -> Vec<Candidate> {
        let rows = all.rows();
        let candidate = |(feature, binned): (usize, &Binned)| {
            let info_gain = self.labels.gains(&rows, binned).gain_given * self.unit();
            Candidate {
                feature,
                info_gain,
                sum_given: 0.0,
                least_given: f64::INFINITY,
                sum_shared: 0.0,
                given_all: info_gain,
            }
        };
        parallel::map(self.binned.iter().enumerate(), candidate)
    }

    /// What the features that are left tell beside the one selected last, or beside all together.
    fn count_given(&self, last: usize, all: &Strata, left: &mut [Candidate]) {
        let last = Strata::one(self.labels.classes.len()).refine(&self.binned[last]);
        let rows = last.rows();
        let rows_of_all = (self.spec.score == SelectScore::ConditionalGain).then(|| all.rows());
        parallel::for_each(left, |candidate| {
            if self.is_interrupted() {
                return;
            }
            let binned = &self.binned[candidate.feature];
            let gains = self.labels.gains(&rows, binned);
            let gain = gains.gain_given * self.unit();
            candidate.sum_given += gain;
            candidate.least_given = candidate.least_given.min(gain);
            candidate.sum_shared += gains.mutual_information * self.unit();
            if let Some(rows) = &rows_of_all {
                candidate.given_all = self.labels.gains(rows, binned).gain_given * self.unit();
            }
        });
    }

    fn score(&self, candidate: &Candidate, n_before: usize) -> f64 {
        let Candidate { info_gain, sum_given, least_given, sum_shared, given_all, .. } = *candidate;
        let n = n_before as f64;
        match self.spec.score {
            _ if n_before == 0 => info_gain,
            SelectScore::Jmi => sum_given / n,
            SelectScore::Mrmr => info_gain - sum_shared / n,
            SelectScore::Cmim => least_given,
            SelectScore::ConditionalGain => given_all,
        }
    }

    /// The figures of a feature that is selected.
    fn step(
        &self,
        (candidate, score): (&Candidate, f64),
        [p_value, p_adjusted]: [f64; 2],
        rows: &RowsByStratum,
        n_before: usize,
    ) -> SelectStep {
        let Candidate { feature, info_gain, sum_shared, .. } = *candidate;
        let binned = &self.binned[feature];
        let (n_bins, n_known) = (binned.n_bins as u64, binned.n_known());
        let n_classes = self.labels.n_classes;
        SelectStep {
            feature,
            score,
            info_gain,
            gain_given: self.labels.gains(rows, binned).gain_given * self.unit(),
            redundancy: if n_before > 0 { sum_shared / n_before as f64 } else { 0.0 },
            p_value,
            p_adjusted,
            n_bins,
            n_known,
            expected_gain: chance_of_levels(n_bins, n_classes, n_known, self.spec.log_base),
        }
    }

    /// A bit in the unit asked for.
    fn unit(&self) -> f64 {
        self.spec.log_base.log(2.0)
    }

    fn is_interrupted(&self) -> bool {
        self.monitor.is_some_and(Monitor::is_interrupted)
    }
}
