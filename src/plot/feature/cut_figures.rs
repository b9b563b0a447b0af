//! The figures of a feature's cuts: what each leaves on either side, and its gain.

use super::level_stats::{LevelStats, add};
use crate::plot::elements::text::figure;
use crate::rank::curve::{ClassSplit, NumberSplit, SplitCandidate, SplitMeasures};
use crate::spec::LogBase;
use crate::stat::criterion::{entropy, quotient};

/// A figure of the whole, and of each cut's two sides.
pub(super) struct CutSides {
    pub(super) whole: f64,
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
}

/// The figures of an ordered feature's cuts.
pub(super) struct CutFigures {
    /// Shares by class, or the means alone.
    pub(super) answers: Vec<CutSides>,
    /// Entropies, or standard deviations.
    pub(super) impurity: CutSides,
    pub(super) gain: Vec<f64>,
}

pub(super) fn figures(
    levels: &LevelStats,
    cuts: &[SplitCandidate],
    base: LogBase,
    of_numbers: bool,
) -> CutFigures {
    let whole = levels.whole();
    let gain = cuts.iter().map(gain_of).collect();
    let (mut classes, mut numbers): (Vec<&ClassSplit>, Vec<&NumberSplit>) = (vec![], vec![]);
    for cut in cuts {
        match &cut.measures {
            SplitMeasures::Classes(c) => classes.push(c),
            SplitMeasures::Numbers(n) => numbers.push(n),
        }
    }
    if !of_numbers {
        let sum: f64 = whole.iter().sum();
        let answers = (0..whole.len()).map(|class| CutSides {
            whole: quotient(whole[class], sum),
            left: classes.iter().map(|c| c.share_left[class]).collect(),
            right: classes.iter().map(|c| c.share_right[class]).collect(),
        });
        let impurity = CutSides {
            whole: entropy(&whole, base),
            left: classes.iter().map(|c| c.entropy_left).collect(),
            right: classes.iter().map(|c| c.entropy_right).collect(),
        };
        return CutFigures { answers: answers.collect(), impurity, gain };
    }
    let means = CutSides {
        whole: levels.mean,
        left: numbers.iter().map(|c| c.mean_left).collect(),
        right: numbers.iter().map(|c| c.mean_right).collect(),
    };
    let mut left = vec![0.0; 3];
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for stat in levels.stats.iter().take(cuts.len()) {
        add(&mut left, stat);
        let right: Vec<f64> = whole.iter().zip(&left).map(|(w, l)| w - l).collect();
        lefts.push(deviation(&left));
        rights.push(deviation(&right));
    }
    let impurity = CutSides { whole: deviation(&whole), left: lefts, right: rights };
    CutFigures { answers: vec![means], impurity, gain }
}

/// Standard deviation from a weight, a sum and a sum of squares.
fn deviation(moments: &[f64]) -> f64 {
    let mean = quotient(moments[1], moments[0]);
    (quotient(moments[2], moments[0]) - mean * mean).max(0.0).sqrt()
}

pub(super) fn gain_of(cut: &SplitCandidate) -> f64 {
    match &cut.measures {
        SplitMeasures::Classes(c) => c.info_gain,
        SplitMeasures::Numbers(c) => c.variance_reduction,
    }
}

/// The candidate of highest gain, the first of equals; `None` where nothing is gained.
pub(super) fn best(cuts: &[SplitCandidate]) -> Option<usize> {
    let best =
        (0..cuts.len()).rev().max_by(|&a, &b| gain_of(&cuts[a]).total_cmp(&gain_of(&cuts[b])))?;
    (gain_of(&cuts[best]) > 0.0).then_some(best)
}

/// A gain with its unit.
pub(super) fn gain_text(gain: f64, of_numbers: bool, base: LogBase) -> String {
    let unit = match (of_numbers, base) {
        (true, _) => "of variance",
        (false, LogBase::Two) => "bits",
        (false, LogBase::E) => "nats",
    };
    format!("{} {unit}", figure(gain, 4))
}
