//! The figures of a feature's cuts: what each leaves on either side, and its gain.

use super::level_stats::{LevelStats, add};
use crate::encode::table::Table;
use crate::plot::elements::text::figure;
use crate::rank::curve::{RatedTest, SplitMeasures, for_each_candidate};
use crate::spec::LogBase;
use crate::stat::criterion::{entropy, quotient};
use crate::tree::rule::Test;

/// A figure of the whole, and of each cut's two sides.
#[derive(Default)]
pub(super) struct CutSides {
    pub(super) whole: f64,
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
}

impl CutSides {
    fn push(&mut self, left: f64, right: f64) {
        self.left.push(left);
        self.right.push(right);
    }
}

/// The figures of a feature's candidates, in level order: a million cuts of a feature take a few
/// numbers each.
#[derive(Default)]
pub(super) struct CutFigures {
    /// The axis values of cuts; between two texts, the middle of their positions in the order.
    pub(super) values: Vec<f64>,
    /// Rows on the two sides.
    pub(super) n: Vec<[u64; 2]>,
    /// Shares of the classes that are drawn, or the means alone.
    pub(super) answers: Vec<CutSides>,
    /// Entropies, or standard deviations.
    pub(super) impurity: CutSides,
    pub(super) gain: Vec<f64>,
    /// The candidate of highest gain, the first of equals; `None` where nothing is gained.
    pub(super) best: Option<BestCut>,
}

pub(super) struct BestCut {
    pub(super) at: usize,
    pub(super) rule: String,
    pub(super) gain: f64,
}

/// The figures of a table's first feature. `classes` are the classes that are drawn; none for a
/// numeric target.
pub(super) fn figures(
    table: &Table,
    levels: &LevelStats,
    classes: &[usize],
    base: LogBase,
) -> CutFigures {
    let whole = levels.whole();
    let mut figures = CutFigures::default();
    let of_numbers = table.target.labels().is_empty();
    if of_numbers {
        figures.answers = vec![CutSides { whole: levels.mean, ..CutSides::default() }];
        figures.impurity.whole = deviation(&whole);
    } else {
        let sum: f64 = whole.iter().sum();
        let share = |&class: &usize| quotient(whole[class], sum);
        let sides = |whole| CutSides { whole, ..CutSides::default() };
        figures.answers = classes.iter().map(share).map(sides).collect();
        figures.impurity.whole = entropy(&whole, base);
    }
    let mut best: Option<(usize, RatedTest, f64)> = None;
    for_each_candidate(table, base, |candidate| {
        let at = figures.gain.len();
        let gain = figures.add(&candidate, classes);
        let value = match &candidate.test {
            Test::AtLeast(cut) => levels.column.dtype.threshold(cut),
            Test::Equals(_) | Test::In { .. } | Test::Each(_) | Test::IsMissing => None,
        };
        figures.values.push(value.unwrap_or(at as f64 + 0.5));
        if gain > best.as_ref().map_or(0.0, |best| best.2) {
            best = Some((at, candidate, gain));
        }
    });
    if of_numbers {
        figures.add_deviations(levels, &whole);
    }
    figures.best = best.map(|(at, candidate, gain)| {
        let rule = candidate.named(&table.columns[0]).rule;
        BestCut { at, rule, gain }
    });
    figures
}

impl CutFigures {
    /// Adds a candidate and returns its gain.
    fn add(&mut self, candidate: &RatedTest, classes: &[usize]) -> f64 {
        self.n.push([candidate.n_left, candidate.n_right]);
        let gain = match &candidate.measures {
            SplitMeasures::Classes(c) => {
                for (sides, &class) in self.answers.iter_mut().zip(classes) {
                    sides.push(c.share_left[class], c.share_right[class]);
                }
                self.impurity.push(c.entropy_left, c.entropy_right);
                c.info_gain
            }
            SplitMeasures::Numbers(c) => {
                self.answers.iter_mut().for_each(|sides| sides.push(c.mean_left, c.mean_right));
                c.variance_reduction
            }
        };
        self.gain.push(gain);
        gain
    }

    fn add_deviations(&mut self, levels: &LevelStats, whole: &[f64]) {
        let mut left = vec![0.0; 3];
        for level in 0..self.gain.len() {
            add(&mut left, levels.stat(level));
            let right: Vec<f64> = whole.iter().zip(&left).map(|(w, l)| w - l).collect();
            self.impurity.push(deviation(&left), deviation(&right));
        }
    }
}

/// Standard deviation from a weight, a sum and a sum of squares.
fn deviation(moments: &[f64]) -> f64 {
    let mean = quotient(moments[1], moments[0]);
    (quotient(moments[2], moments[0]) - mean * mean).max(0.0).sqrt()
}

pub(super) fn gain_text(gain: f64, of_numbers: bool, base: LogBase) -> String {
    let unit = match (of_numbers, base) {
        (true, _) => "of variance",
        (false, LogBase::Two) => "bits",
        (false, LogBase::E) => "nats",
    };
    format!("{} {unit}", figure(gain, 4))
}
