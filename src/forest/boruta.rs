//! Features told from noise by the Boruta algorithm.

use super::copies::{CopyForests, CopyGains, begin_forests};
use crate::encode::table::Table;
use crate::error::{Error, Result};
use crate::spec::BorutaSpec;
use crate::stat::significance::heads_upper_tail;

/// Noise is often above the highest of fewer copies: few features have several copies each.
const LEAST_COPIES: usize = 5;

/// What is decided on a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// It tells more than noise.
    Confirmed,
    /// The runs ended before it was decided.
    Tentative,
    /// It tells no more than noise.
    Rejected,
}

impl Decision {
    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Confirmed => "confirmed",
            Decision::Tentative => "tentative",
            Decision::Rejected => "rejected",
        }
    }
}

/// A feature, and the figures that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct DecidedFeature {
    /// The feature's index in the table.
    pub feature: u32,
    /// What was decided.
    pub decision: Decision,
    /// By how much it gains more than its copies, in the mean over the runs it took part in.
    pub corrected_gain: f64,
    /// Runs in which it gained more than the best copy of any feature.
    pub hits: u32,
    /// Runs that were counted.
    pub runs: u32,
}

/// Decides which features of a table tell more than noise (Kursa & Rudnicki 2010): confirmed ones first,
/// then by corrected gain. Works in the current pool; a run takes a forest of twice the features.
///
/// A run grows a forest on the features and on permuted copies of them. A feature has a hit where
/// its gain is above the highest of all copies. A feature like its copies has one in half of the
/// runs at most. A feature is confirmed (or rejected) if tosses of a coin give as many hits (or as
/// few) with a chance below `alpha` over the number of features (Bonferroni). Rejected features
/// take no part in later runs.
///
/// Gains are compared less the mean gain of the feature's copies in earlier runs on the same features
/// (Nembrini, König & Wright 2018): features of many levels, which gain more by chance, do not keep
/// others from their hits. The first run after a rejection only gives the mean, and is not counted.
///
/// # Errors
/// As [`grow_forest`](crate::engine::grow_forest); fewer than 10 runs, an alpha out of range.
pub fn boruta_features(table: &Table, spec: &BorutaSpec) -> Result<Vec<DecidedFeature>> {
    begin_forests("runs", spec.runs, &spec.forest)?;
    if !(spec.alpha > 0.0 && spec.alpha < 1.0) {
        return Err(Error::spec(format!(
            "alpha is {}; the chance of a wrong decision is above 0 and below 1",
            spec.alpha
        )));
    }
    let untested = |feature| TestedFeature {
        feature,
        decision: Decision::Tentative,
        hits: 0,
        counted: 0,
        sum: 0.0,
        n_runs: 0,
    };
    let mut all: Vec<TestedFeature> = (0..table.columns.len() as u32).map(untested).collect();
    let threshold = spec.alpha / all.len() as f64;
    let mut next_run = 0..spec.runs;
    let is_open = |all: &[TestedFeature]| all.iter().any(|one| one.decision == Decision::Tentative);
    // A round is of runs on the same features.
    while is_open(&all) && !next_run.is_empty() {
        let mut left: Vec<&mut TestedFeature> =
            all.iter_mut().filter(|one| one.decision != Decision::Rejected).collect();
        let features: Vec<u32> = left.iter().map(|one| one.feature).collect();
        let n_copies = LEAST_COPIES.div_ceil(features.len()) as u32;
        let forests = CopyForests { table, spec: &spec.forest, features, n_copies };
        let mut earlier = CopySums { sums: vec![0.0; left.len()], n: 0 };
        for run in next_run.by_ref() {
            let gains = forests.gains(run)?;
            if let Some(means) = earlier.means() {
                let highest = gains.highest_copy(&means);
                for (at, one) in left.iter_mut().enumerate() {
                    one.count(gains.of_features[at] - means[at] > highest, threshold);
                }
            }
            for (at, one) in left.iter_mut().enumerate() {
                one.sum += gains.of_features[at] - gains.mean_of_copies(at);
                one.n_runs += 1;
            }
            earlier.add(&gains);
            let ends = |decision| left.iter().any(|one| one.decision == decision);
            if ends(Decision::Rejected) || !ends(Decision::Tentative) {
                break;
            }
        }
    }
    let mut decided: Vec<DecidedFeature> = all.iter().map(TestedFeature::decided).collect();
    decided.sort_by(|a, b| {
        a.decision.cmp(&b.decision).then(b.corrected_gain.total_cmp(&a.corrected_gain))
    });
    Ok(decided)
}

/// A feature in the runs so far.
struct TestedFeature {
    feature: u32,
    decision: Decision,
    hits: u32,
    counted: u32,
    /// What it gained more than its copies, over all its runs.
    sum: f64,
    n_runs: u32,
}

impl TestedFeature {
    /// Counts a run, and decides if that can be decided now.
    fn count(&mut self, is_hit: bool, threshold: f64) {
        if self.decision != Decision::Tentative {
            return;
        }
        self.counted += 1;
        self.hits += u32::from(is_hit);
        if heads_upper_tail(self.hits, self.counted) < threshold {
            self.decision = Decision::Confirmed;
        } else if heads_upper_tail(self.counted - self.hits, self.counted) < threshold {
            self.decision = Decision::Rejected;
        }
    }

    fn decided(&self) -> DecidedFeature {
        let &TestedFeature { feature, decision, hits, counted, sum, n_runs } = self;
        let corrected_gain = sum / f64::from(n_runs.max(1));
        DecidedFeature { feature, decision, corrected_gain, hits, runs: counted }
    }
}

/// What the copies of each feature gained in the runs of a round.
struct CopySums {
    sums: Vec<f64>,
    n: u32,
}

impl CopySums {
    fn add(&mut self, gains: &CopyGains) {
        for of_copy in &gains.of_copies {
            self.sums.iter_mut().zip(of_copy).for_each(|(sum, gain)| *sum += gain);
            self.n += 1;
        }
    }

    /// `None` before the first run.
    fn means(&self) -> Option<Vec<f64>> {
        let mean = |sum: &f64| sum / f64::from(self.n);
        (self.n > 0).then(|| self.sums.iter().map(mean).collect())
    }
}

impl CopyGains {
    /// The highest gain of a copy, each less its feature's mean.
    fn highest_copy(&self, means: &[f64]) -> f64 {
        let above = self.of_copies.iter().flat_map(|of| of.iter().zip(means));
        above.map(|(gain, mean)| gain - mean).fold(f64::NEG_INFINITY, f64::max)
    }

    fn mean_of_copies(&self, feature: usize) -> f64 {
        let gains = self.of_copies.iter().map(|of_copy| of_copy[feature]);
        gains.sum::<f64>() / self.of_copies.len() as f64
    }
}
