//! What a feature tells about the target within strata, and about the strata.
//!
//! Both come from the counts of (stratum, bin, class), which are made stratum by stratum in one small
//! table:
//!
//! ```text
//! I(X; Y | Z) = (Σ h(n_zxy) - Σ h(n_zx) - Σ h(n_zy) + Σ h(n_z)) / n      h(n) = n log n
//! I(X; Z)     = (Σ h(n_zx) - Σ h(n_x) - Σ h(n_z) + h(n)) / n
//! ```

use super::bins::{Bin, BinOfRow, Binned, FEW_LEVELS};
use super::strata::RowsByStratum;
use crate::data::column::Column;
use crate::data::column_data::ColumnData;
use crate::data::dtype::{DType, Kind, key_of_f64};
use crate::data::target::TargetValues;
use crate::encode::table::Table;
use crate::error::Result;
use crate::stat::independence::Independence;
use crate::stat::{Count, LogTable};

/// Gains below this share of a bit are rounding, and count as 0.
const ROUNDING: f64 = 1e-12;

/// Larger counts have their logarithms computed.
const LARGEST_TABLED: usize = 1 << 16;

/// The class of each row, and what it weighs.
pub(super) struct Labels<'a> {
    pub(super) classes: Vec<u32>,
    pub(super) n_classes: usize,
    pub(super) units: Option<&'a [u64]>,
    logs: LogTable,
}

/// What a feature X, the target Y and the strata Z tell about each other, in bits.
pub(super) struct StratifiedGains {
    /// The conditional gain `I(X; Y | Z)`.
    pub(super) gain_given: f64,
    /// The mutual information `I(X; Z)`.
    pub(super) mutual_information: f64,
}

impl<'a> Labels<'a> {
    /// The labels of a table's rows; numbers are taken by ten intervals of about as many rows.
    pub(super) fn of(rows: &'a Table) -> Result<Self> {
        let units = rows.weights.as_ref().map(|weights| weights.units.as_slice());
        match &rows.target.values {
            TargetValues::Classes { labels, codes } => {
                let classes = codes.iter().map(|&code| code.into()).collect();
                Ok(Labels::new(classes, labels.len(), units))
            }
            TargetValues::Numbers { numbers, .. } => {
                // Numbers of a target are never NaN.
                let keys = numbers.iter().map(|&y| key_of_f64(y).unwrap_or_default()).collect();
                let (name, cells) = (rows.target.name.clone(), ColumnData::Keys(keys, None));
                let column = Column::encode(name, DType::F64, Kind::Ordered, cells)?;
                let binned = Binned::by_quantiles(&column, FEW_LEVELS);
                let classes = match binned.of_row {
                    BinOfRow::Byte(bins) => bins.into_iter().map(u32::from).collect(),
                    BinOfRow::Long(bins) => bins,
                };
                Ok(Labels::new(classes, binned.n_bins, units))
            }
        }
    }

    pub(super) fn new(classes: Vec<u32>, n_classes: usize, units: Option<&'a [u64]>) -> Self {
        let largest = if units.is_none() { classes.len().min(LARGEST_TABLED) } else { 0 };
        Labels { classes, n_classes, units, logs: LogTable::up_to(largest) }
    }

    /// What a feature tells within the strata, and about them. Linear in the rows.
    pub(super) fn gains(&self, rows: &RowsByStratum, binned: &Binned) -> StratifiedGains {
        match (&binned.of_row, self.units) {
            (BinOfRow::Byte(x), None) => self.count(rows, x, binned.n_all(), |_| 1u32),
            (BinOfRow::Long(x), None) => self.count(rows, x, binned.n_all(), |_| 1u32),
            (BinOfRow::Byte(x), Some(u)) => {
                self.count(rows, x, binned.n_all(), |row| u[row as usize])
            }
            (BinOfRow::Long(x), Some(u)) => {
                self.count(rows, x, binned.n_all(), |row| u[row as usize])
            }
        }
    }

    fn count<B: Bin, N: Count>(
        &self,
        rows: &RowsByStratum,
        x: &[B],
        n_bins: usize,
        units: impl Fn(u32) -> N,
    ) -> StratifiedGains {
        let k = self.n_classes;
        let mut table = StratumTable::new(n_bins, k);
        let mut of_bins = vec![N::default(); n_bins];
        let mut total = N::default();
        let h = |n: N| if n == N::default() { 0.0 } else { n.x_log_x(&self.logs) };
        // For cells, for bins in strata, for classes in strata, and for strata.
        let mut sums = [0.0; 4];
        for stratum in rows.each() {
            for &row in stratum {
                let class = self.classes[row as usize] as usize;
                table.add(x[row as usize].index(), class, units(row));
            }
            let mut of_stratum = N::default();
            let mut of_classes = vec![N::default(); k];
            table.drain(|bin, line| {
                let mut of_line = N::default();
                for (class, &n) in line.iter().enumerate() {
                    of_line += n;
                    of_classes[class] += n;
                    sums[0] += h(n);
                }
                of_bins[bin] += of_line;
                of_stratum += of_line;
                sums[1] += h(of_line);
            });
            sums[2] += of_classes.into_iter().map(h).sum::<f64>();
            sums[3] += h(of_stratum);
            total += of_stratum;
        }
        let n = total.float();
        let of_bins: f64 = of_bins.into_iter().map(h).sum();
        let gain = |sum: f64| if sum > ROUNDING * n { sum / n } else { 0.0 };
        StratifiedGains {
            gain_given: gain(sums[0] - sums[1] - sums[2] + sums[3]),
            mutual_information: gain(sums[1] - of_bins - sums[3] + h(total)),
        }
    }

    /// Whether the feature is independent of the target within the strata. It counts rows,
    /// whatever they weigh.
    pub(super) fn independence(&self, rows: &RowsByStratum, binned: &Binned) -> Independence {
        match &binned.of_row {
            BinOfRow::Byte(x) => self.test(rows, x, binned.n_all()),
            BinOfRow::Long(x) => self.test(rows, x, binned.n_all()),
        }
    }

    fn test<B: Bin>(&self, rows: &RowsByStratum, x: &[B], n_bins: usize) -> Independence {
        let mut table = StratumTable::new(n_bins, self.n_classes);
        let mut independence = Independence::default();
        let mut lines: Vec<u32> = Vec::new();
        for stratum in rows.each() {
            for &row in stratum {
                table.add(x[row as usize].index(), self.classes[row as usize] as usize, 1);
            }
            lines.clear();
            table.drain(|_, line| lines.extend_from_slice(line));
            independence.add(&lines, self.n_classes);
        }
        independence
    }
}

/// The counts of one stratum: a line a bin, a column a class.
struct StratumTable<N> {
    counts: Vec<N>,
    n_classes: usize,
    /// The bins that have rows, in the order they came.
    present: Vec<u32>,
    is_present: Vec<bool>,
}

impl<N: Count> StratumTable<N> {
    fn new(n_bins: usize, n_classes: usize) -> Self {
        StratumTable {
            counts: vec![N::default(); n_bins * n_classes],
            n_classes,
            present: Vec::new(),
            is_present: vec![false; n_bins],
        }
    }

    #[inline(always)]
    fn add(&mut self, bin: usize, class: usize, units: N) {
        if !self.is_present[bin] {
            self.is_present[bin] = true;
            self.present.push(bin as u32);
        }
        self.counts[bin * self.n_classes + class] += units;
    }

    /// Looks at the line of each bin that has rows, in order of bin, and empties the table.
    fn drain(&mut self, mut look: impl FnMut(usize, &[N])) {
        self.present.sort_unstable();
        for bin in self.present.drain(..) {
            let line = &mut self.counts[bin as usize * self.n_classes..][..self.n_classes];
            look(bin as usize, line);
            line.fill(N::default());
            self.is_present[bin as usize] = false;
        }
    }
}
