//! What the bins of a column tell about the target, beside what chance would make them tell.

use std::f64::consts::LN_2;

use super::bins::{ScreenBins, bins_of};
use crate::data::column::Column;
use crate::data::dtype::Kind;
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::rank::FeatureGain;
use crate::rank::bins::{Bin, BinOfRow, Binned};
use crate::rank::chance::expected_gain;
use crate::rank::conditional::Labels;
use crate::rank::correlation::correlation;
use crate::spec::LogBase;
use crate::stat::criterion::{entropy, quotient};
use crate::stat::independence::Independence;

/// An ordered column is tested by this many intervals too: with few rows of a class, many intervals
/// hide what rises slowly.
const THIRDS: usize = 3;

/// What a column tells by its coarse bins, in bits; for a numeric target in its unit squared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Told {
    pub(crate) gain: f64,
    /// What as many bins that tell nothing gain on average.
    pub(crate) expected: f64,
    /// What there is to tell: the target's entropy, or its variance.
    pub(crate) all: f64,
    /// The share that it tells of what bins that tell nothing would leave: 1 if it leaves nothing.
    /// By coarse bins, by fine ones, by the best cut or, between numbers, by a straight line, whichever
    /// is most.
    pub(crate) share_of_rest: f64,
    /// Of Pearson's test on the coarse bins; of an ordered column twice the lesser one of that and
    /// of the test on three (Bonferroni). A numeric target is taken by ten intervals.
    pub(crate) p_value: f64,
}

/// The rows of each bin and class, a line a bin; missing values are the last line.
struct Counts {
    rows: Vec<u32>,
    n_classes: usize,
    figures: Figures,
}

/// What a gain is made of.
enum Figures {
    /// The rows themselves.
    Rows,
    /// The weight of each bin and class.
    Weights(Vec<f64>),
    /// The weight of each bin and the sum of its deviations from the target's mean; and the
    /// variance.
    Sums(Vec<f64>, f64),
}

impl Told {
    /// The gain beyond chance.
    pub(crate) fn adjusted(&self) -> f64 {
        self.gain - self.expected
    }

    /// The share of what there is to tell that it tells beyond chance.
    pub(crate) fn share(&self) -> f64 {
        quotient(self.adjusted(), self.all)
    }

    /// Of a column whose gain in a ranking is `gain`. Linear in the rows.
    pub(super) fn of(
        table: &Table,
        labels: &Labels,
        column: &Column,
        bins: &ScreenBins,
        gain: &FeatureGain,
    ) -> Told {
        let fine = Counts::new(table, labels, &bins.fine);
        let coarse = fine.merged(&bins.coarse_of, bins.n_coarse);
        let p_value = match column.kind {
            Kind::Ordered if bins.n_coarse > THIRDS => {
                2.0 * coarse.p_value().min(coarse.thirds().p_value())
            }
            Kind::Ordered | Kind::Nominal => coarse.p_value(),
        };
        let told = coarse.told();
        let mut share_of_rest = told.rest();
        if bins.n_coarse < bins.fine.n_bins {
            share_of_rest = share_of_rest.max(fine.told().rest());
        }
        if column.kind == Kind::Ordered {
            // An exact cut may lie within a bin.
            share_of_rest = share_of_rest.max(quotient(gain.gain(), told.all));
        }
        if let Some(r) = correlation(column, table) {
            let known_share = (gain.n - gain.n_missing) as f64 / gain.n as f64;
            share_of_rest = share_of_rest.max(r * r * known_share);
        }
        Told { share_of_rest, p_value: p_value.min(1.0), ..told }
    }

    /// The share that it tells of what bins that tell nothing would leave.
    fn rest(&self) -> f64 {
        quotient(self.adjusted(), self.all - self.expected)
    }
}

impl Counts {
    fn new(table: &Table, labels: &Labels, bins: &Binned) -> Counts {
        let n_classes = labels.n_classes;
        let mut rows = vec![0; bins.n_all() * n_classes];
        each_row(bins, labels, |_, cell| rows[cell] += 1);
        let figures = match (&table.target.values, labels.units) {
            (TargetValues::Numbers { numbers, .. }, _) => sums_of(bins, labels, numbers),
            (TargetValues::Classes { .. }, None) => Figures::Rows,
            (TargetValues::Classes { .. }, Some(units)) => {
                let mut weights = vec![0.0; bins.n_all() * n_classes];
                each_row(bins, labels, |row, cell| weights[cell] += units[row] as f64);
                Figures::Weights(weights)
            }
        };
        Counts { rows, n_classes, figures }
    }

    /// The bins as `n` others.
    fn merged(&self, to: &[u32], n: usize) -> Counts {
        let figures = match &self.figures {
            Figures::Rows => Figures::Rows,
            Figures::Weights(weights) => Figures::Weights(merge(weights, self.n_classes, to, n)),
            Figures::Sums(sums, variance) => Figures::Sums(merge(sums, 2, to, n), *variance),
        };
        Counts {
            rows: merge(&self.rows, self.n_classes, to, n),
            n_classes: self.n_classes,
            figures,
        }
    }

    /// The bins as three, of about as many rows.
    fn thirds(&self) -> Counts {
        let lines = self.rows.chunks(self.n_classes);
        let mut of_bins: Vec<u64> =
            lines.map(|line| line.iter().map(|&n| u64::from(n)).sum()).collect();
        of_bins.pop();
        self.merged(&bins_of(&of_bins, THIRDS), THIRDS)
    }

    fn p_value(&self) -> f64 {
        let mut independence = Independence::default();
        independence.add(&self.rows, self.n_classes);
        independence.p_value()
    }

    fn told(&self) -> Told {
        match &self.figures {
            Figures::Rows => {
                self.of_classes(&self.rows.iter().map(|&n| f64::from(n)).collect::<Vec<_>>())
            }
            Figures::Weights(weights) => self.of_classes(weights),
            Figures::Sums(sums, variance) => self.of_numbers(sums, *variance),
        }
    }

    /// The rows of each bin that has some, and of each class.
    fn totals(&self) -> [Vec<u32>; 2] {
        let mut of_classes = vec![0; self.n_classes];
        let of_bins = self.rows.chunks(self.n_classes).map(|line| {
            of_classes.iter_mut().zip(line).for_each(|(sum, n)| *sum += n);
            line.iter().sum()
        });
        let of_bins = of_bins.filter(|&n| n > 0).collect();
        [of_bins, of_classes]
    }

    /// The gain in bits, by the weight of each bin and class.
    fn of_classes(&self, cells: &[f64]) -> Told {
        let mut of_classes = vec![0.0; self.n_classes];
        let lines = cells.chunks(self.n_classes).map(|line| {
            of_classes.iter_mut().zip(line).for_each(|(sum, w)| *sum += w);
            line.iter().sum()
        });
        let of_bins: Vec<f64> = lines.collect();
        let [bins, classes, both] =
            [&of_bins, &of_classes, cells].map(|weights| entropy(weights, LogBase::Two));
        let [levels, of_rows] = self.totals();
        Told {
            gain: (bins + classes - both).clamp(0.0, classes),
            expected: (expected_gain(&levels, &of_rows) / LN_2).min(classes),
            all: classes,
            ..Told::default()
        }
    }

    /// The reduction of variance.
    fn of_numbers(&self, sums: &[f64], variance: f64) -> Told {
        let weight: f64 = sums.chunks(2).map(|of_bin| of_bin[0]).sum();
        let between: f64 = sums.chunks(2).map(|of| quotient(of[1] * of[1], of[0])).sum();
        let [levels, of_rows] = self.totals();
        let n: u32 = of_rows.iter().sum();
        let freedom = quotient(levels.len() as f64 - 1.0, f64::from(n) - 1.0);
        Told {
            gain: quotient(between, weight).clamp(0.0, variance),
            expected: variance * freedom,
            all: variance,
            ..Told::default()
        }
    }
}

fn sums_of(bins: &Binned, labels: &Labels, numbers: &[f64]) -> Figures {
    let weight = |row: usize| labels.units.map_or(1.0, |units| units[row] as f64);
    let all: f64 = (0..numbers.len()).map(weight).sum();
    let mean = numbers.iter().enumerate().map(|(row, y)| weight(row) * (y / all)).sum::<f64>();
    let mut sums = vec![0.0; bins.n_all() * 2];
    let mut squares = 0.0;
    each_row(bins, labels, |row, cell| {
        let of_bin = &mut sums[cell / labels.n_classes * 2..][..2];
        let (weight, deviation) = (weight(row), numbers[row] - mean);
        of_bin[0] += weight;
        of_bin[1] += weight * deviation;
        squares += weight * deviation * deviation;
    });
    Figures::Sums(sums, quotient(squares, all))
}

/// Adds up the lines of bins that become one of `n`; each line has `width` figures, and the line of
/// missing values stays the last.
fn merge<T: Copy + Default + std::ops::AddAssign>(
    lines: &[T],
    width: usize,
    to: &[u32],
    n: usize,
) -> Vec<T> {
    let mut merged = vec![T::default(); (n + 1) * width];
    for (bin, line) in lines.chunks(width).enumerate() {
        let to = to.get(bin).map_or(n, |&to| to as usize);
        merged[to * width..].iter_mut().zip(line).for_each(|(sum, &x)| *sum += x);
    }
    merged
}

/// Each row, and its cell in a table of bins by classes.
fn each_row(bins: &Binned, labels: &Labels, look: impl FnMut(usize, usize)) {
    fn each<B: Bin>(of_row: &[B], labels: &Labels, mut look: impl FnMut(usize, usize)) {
        for (row, (bin, &class)) in of_row.iter().zip(&labels.classes).enumerate() {
            look(row, bin.index() * labels.n_classes + class as usize);
        }
    }
    match &bins.of_row {
        BinOfRow::Byte(of_row) => each(of_row, labels, look),
        BinOfRow::Long(of_row) => each(of_row, labels, look),
    }
}
