//! What a feature's cuts and levels leave on either side, for its picture.

use super::measure::figure;
use crate::data::column::{Column, Levels};
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::rank::curve::{ClassSplit, NumberSplit, SplitCandidate, SplitMeasures};
use crate::spec::LogBase;
use crate::stat::criterion::{entropy, quotient};

/// The rows of a feature, level by level.
pub(super) struct ByLevel {
    /// With its levels in order.
    pub(super) column: Column,
    /// Rows of each level.
    pub(super) n: Vec<u64>,
    /// Class weights of each level; or its weight, sum and sum of squares about the mean.
    pub(super) stats: Vec<Vec<f64>>,
    pub(super) n_missing: u64,
    /// The mean of a numeric target's known rows.
    pub(super) mean: f64,
}

impl ByLevel {
    /// Of a table's first feature; `None` where it has no feature.
    pub(super) fn new(table: &Table) -> Option<Self> {
        let column = table.columns.first()?.clone().ranked();
        let codes: Vec<u32> = column.codes.by_row().collect();
        let weight = |row: usize| match &table.weights {
            Some(weights) => weights.units[row] as f64 * weights.unit,
            None => 1.0,
        };
        let known = |row: &usize| (codes[*row] as usize) < column.n_levels();
        let (width, mean) = match &table.target.values {
            TargetValues::Classes { labels, .. } => (labels.len(), 0.0),
            TargetValues::Numbers { numbers, .. } => {
                let rows = || (0..codes.len()).filter(known);
                let all: f64 = rows().map(weight).sum();
                (3, rows().map(|row| numbers[row] * (weight(row) / all)).sum())
            }
        };
        let mut by_level = ByLevel {
            n: vec![0; column.n_levels()],
            stats: vec![vec![0.0; width]; column.n_levels()],
            column,
            n_missing: 0,
            mean,
        };
        for (row, &code) in codes.iter().enumerate() {
            let Some(stat) = by_level.stats.get_mut(code as usize) else {
                by_level.n_missing += 1;
                continue;
            };
            by_level.n[code as usize] += 1;
            match &table.target.values {
                TargetValues::Classes { codes, .. } => stat[usize::from(codes[row])] += weight(row),
                TargetValues::Numbers { numbers, .. } => {
                    let off = numbers[row] - mean;
                    let moments = [1.0, off, off * off];
                    stat.iter_mut().zip(moments).for_each(|(s, m)| *s += weight(row) * m);
                }
            }
        }
        Some(by_level)
    }

    pub(super) fn whole(&self) -> Vec<f64> {
        let width = self.stats.first().map_or(0, Vec::len);
        let mut whole = vec![0.0; width];
        self.stats.iter().for_each(|stat| add(&mut whole, stat));
        whole
    }

    /// Where a level stands on a line; its place in the order where it has none.
    pub(super) fn value(&self, level: usize) -> f64 {
        match &self.column.levels {
            Levels::Text(_) => level as f64,
            _ => {
                let value = self.column.value(level as u32);
                self.column.dtype.threshold(&value).unwrap_or(level as f64)
            }
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.column.levels, Levels::Text(_))
    }
}

/// How straight a line a numeric target is of an ordered feature (Pearson's r); `None` of
/// classes, of levels without a size, and where one of the two is constant.
pub(crate) fn correlation(table: &Table) -> Option<f64> {
    let by_level = ByLevel::new(table)?;
    let is_numeric = matches!(table.target.values, TargetValues::Numbers { .. });
    if !is_numeric || by_level.is_text() {
        return None;
    }
    let whole = by_level.whole();
    let stats = || by_level.stats.iter().enumerate().map(|(at, s)| (by_level.value(at), s));
    let mean: f64 = stats().map(|(x, s)| x * (s[0] / whole[0])).sum();
    let both: f64 = stats().map(|(x, s)| (x - mean) * s[1]).sum();
    let spread: f64 = stats().map(|(x, s)| (x - mean) * (x - mean) * s[0]).sum();
    let r = both / (spread * whole[2]).sqrt();
    r.is_finite().then_some(r)
}

pub(super) fn add(sum: &mut [f64], stat: &[f64]) {
    sum.iter_mut().zip(stat).for_each(|(s, x)| *s += x);
}

/// A figure of the whole, and of each cut's two sides.
pub(super) struct Sides {
    pub(super) whole: f64,
    pub(super) left: Vec<f64>,
    pub(super) right: Vec<f64>,
}

/// The figures of an ordered feature's cuts.
pub(super) struct Figures {
    /// Shares by class, or the means alone.
    pub(super) answers: Vec<Sides>,
    /// Entropies, or standard deviations.
    pub(super) impurity: Sides,
    pub(super) gain: Vec<f64>,
}

pub(super) fn figures(
    by_level: &ByLevel,
    cuts: &[SplitCandidate],
    base: LogBase,
    of_numbers: bool,
) -> Figures {
    let whole = by_level.whole();
    let gain = cuts.iter().map(gain_of).collect();
    let classes: Vec<&ClassSplit> = cuts.iter().filter_map(class_split).collect();
    let numbers: Vec<&NumberSplit> = cuts.iter().filter_map(number_split).collect();
    if !of_numbers {
        let sum: f64 = whole.iter().sum();
        let answers = (0..whole.len()).map(|class| Sides {
            whole: quotient(whole[class], sum),
            left: classes.iter().map(|c| c.share_left[class]).collect(),
            right: classes.iter().map(|c| c.share_right[class]).collect(),
        });
        let impurity = Sides {
            whole: entropy(&whole, base),
            left: classes.iter().map(|c| c.entropy_left).collect(),
            right: classes.iter().map(|c| c.entropy_right).collect(),
        };
        return Figures { answers: answers.collect(), impurity, gain };
    }
    let means = Sides {
        whole: by_level.mean,
        left: numbers.iter().map(|c| c.mean_left).collect(),
        right: numbers.iter().map(|c| c.mean_right).collect(),
    };
    let mut left = vec![0.0; 3];
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    for stat in by_level.stats.iter().take(cuts.len()) {
        add(&mut left, stat);
        let right: Vec<f64> = whole.iter().zip(&left).map(|(w, l)| w - l).collect();
        lefts.push(deviation(&left));
        rights.push(deviation(&right));
    }
    let impurity = Sides { whole: deviation(&whole), left: lefts, right: rights };
    Figures { answers: vec![means], impurity, gain }
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

fn class_split(cut: &SplitCandidate) -> Option<&ClassSplit> {
    match &cut.measures {
        SplitMeasures::Classes(c) => Some(c),
        SplitMeasures::Numbers(_) => None,
    }
}

fn number_split(cut: &SplitCandidate) -> Option<&NumberSplit> {
    match &cut.measures {
        SplitMeasures::Numbers(c) => Some(c),
        SplitMeasures::Classes(_) => None,
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
