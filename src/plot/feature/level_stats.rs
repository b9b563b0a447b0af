//! The rows of a feature, counted level by level.

use crate::data::column::{Column, Levels};
use crate::data::target::TargetValues;
use crate::encode::table::Table;

pub(super) struct LevelStats {
    /// With its levels in order.
    pub(super) column: Column,
    /// Rows of each level.
    pub(super) n: Vec<u64>,
    /// Class weights of each level; or its weight, sum and sum of squares about the mean.
    stats: Vec<f64>,
    /// How many numbers of `stats` a level has.
    pub(super) width: usize,
    pub(super) n_missing: u64,
    /// The mean of a numeric target's known rows.
    pub(super) mean: f64,
}

impl LevelStats {
    /// Of a table's first feature; `None` where it has no feature.
    pub(super) fn new(table: &Table) -> Option<Self> {
        let column = table.columns.first()?.clone().ranked();
        let codes: Vec<u32> = column.codes.by_row().collect();
        let weight = |row: usize| match &table.weights {
            Some(weights) => weights.weight(row),
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
        let mut levels = LevelStats {
            n: vec![0; column.n_levels()],
            stats: vec![0.0; width * column.n_levels()],
            width,
            column,
            n_missing: 0,
            mean,
        };
        for (row, &code) in codes.iter().enumerate() {
            let from = code as usize * width;
            let Some(stat) = levels.stats.get_mut(from..from + width) else {
                levels.n_missing += 1;
                continue;
            };
            levels.n[code as usize] += 1;
            match &table.target.values {
                TargetValues::Classes { codes, .. } => stat[usize::from(codes[row])] += weight(row),
                TargetValues::Numbers { numbers, .. } => {
                    let off = numbers[row] - mean;
                    let moments = [1.0, off, off * off];
                    stat.iter_mut().zip(moments).for_each(|(s, m)| *s += weight(row) * m);
                }
            }
        }
        Some(levels)
    }

    /// The sum over all levels.
    pub(super) fn whole(&self) -> Vec<f64> {
        let mut whole = vec![0.0; self.width];
        self.stats.chunks_exact(self.width).for_each(|stat| add(&mut whole, stat));
        whole
    }

    pub(super) fn stat(&self, level: usize) -> &[f64] {
        &self.stats[level * self.width..][..self.width]
    }
}

/// The axis value of a level; its position in the order where it has no size.
pub(super) fn axis_value(column: &Column, level: usize) -> f64 {
    if is_text(column) {
        return level as f64;
    }
    column.dtype.threshold(&column.value(level as u32)).unwrap_or(level as f64)
}

pub(super) fn is_text(column: &Column) -> bool {
    matches!(column.levels, Levels::Text(_))
}

pub(crate) fn rows_of_levels(column: &Column) -> Vec<u64> {
    let mut n = vec![0; column.n_levels()];
    for code in column.codes.by_row() {
        if let Some(n) = n.get_mut(code as usize) {
            *n += 1;
        }
    }
    n
}

pub(super) fn add(sum: &mut [f64], stat: &[f64]) {
    sum.iter_mut().zip(stat).for_each(|(s, x)| *s += x);
}
