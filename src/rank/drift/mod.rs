//! Drift: how the columns of one frame differ from the columns of another.
//!
//! With the shares p of the reference and q of the current frame in the bins of a column:
//!
//! ```text
//! psi = sum (q - p) ln(q / p)
//! js  = H((p + q) / 2) - (H(p) + H(q)) / 2, in bits
//! ```

mod bins;
mod expected;
mod homogeneity;
mod pair;
mod sorted;
mod verdict;

use std::sync::LazyLock;

use super::FeatureGain;
use super::bins::{BinCount, check_intervals, mdl_bounds};
use super::classes::ClassRanker;
use crate::data::column::ColumnInfo;
use crate::data::column_data::Source;
#[cfg(any(feature = "polars", feature = "arrow"))]
use crate::data::dtype::DType;
use crate::data::dtype::Kind;
use crate::encode::sort::sorted_keys::SortedKeys;
use crate::encode::table::{FeatureKinds, Kinds, Table};
use crate::error::{Error, Result};
use crate::spec::{Criterion, Cuts, DriftSpec, Intervals, LogBase, RankMissing, Task};
use crate::split::{ColumnView, Scratch};
use crate::stat::significance::benjamini_hochberg;
use crate::stat::{ClassRows, Count, NumberRows, TargetVisitor};
use crate::util::parallel;
use crate::util::scratch_pool::ScratchPool;
use bins::{DriftBins, FrameRows};
use pair::FrameOfRows;
pub use pair::FramePair;
use sorted::SortedFrames;
pub use verdict::DriftVerdict;
use verdict::check_limits;

/// How a column differs between two frames; see the table `drift`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct FeatureDrift {
    /// Of the reference, and of the current frame.
    pub missing: [f64; 2],
    pub psi: f64,
    /// The mean PSI of two such frames without drift.
    pub expected_psi: f64,
    pub js_divergence: f64,
    /// What the column tells about the frame a row is from. Missing is a level of its own.
    pub gain: FeatureGain,
    /// The bin that adds most to `psi`, and its shares.
    pub worst: DriftBin,
    /// Bins with rows.
    pub n_bins: u32,
    /// Levels of a nominal column that only the current frame has, and only the reference.
    pub levels: Option<[u64; 2]>,
    /// The share of the current rows whose level is new.
    pub new_share: Option<f64>,
    pub chi_square: f64,
    /// `None` where there are too few rows of each level for a test.
    pub p_value: Option<f64>,
    pub q_value: Option<f64>,
}

/// A line of the table `drift`: a column of both frames, or one that cannot be compared.
#[cfg(any(feature = "polars", feature = "arrow"))]
pub(crate) struct DriftLine {
    pub(crate) feature: String,
    pub(crate) dtype: String,
    /// The dtype and the kind that it is compared by, and how it differs; or why it is not compared.
    pub(crate) compared: std::result::Result<(DType, Kind, FeatureDrift), String>,
}

#[cfg(any(feature = "polars", feature = "arrow"))]
impl DriftLine {
    pub(crate) fn drift(&self) -> Option<&FeatureDrift> {
        self.compared.as_ref().ok().map(|(_, _, drift)| drift)
    }
}

/// The rows of both frames in one bin.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the table's columns
pub struct DriftBin {
    pub rule: String,
    /// Of the reference, and of the current frame.
    pub n: [u64; 2],
    pub share: [f64; 2],
    pub psi: f64,
}

/// The bins of a column of two frames that have rows, in order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ColumnDrift {
    /// What the column tells about the frame a row is from.
    pub gain: FeatureGain,
    /// Its bins.
    pub bins: Vec<DriftBin>,
    /// Where the cut of `gain` lies among intervals: 2 is above the first two, 2.5 within the third.
    pub cut_position: Option<f64>,
}

/// Compares columns of two frames, each thread one after the other in the current pool, so that
/// memory is of as many columns as there are threads. `target` is a column of the reference, for
/// MDL intervals.
///
/// # Errors
/// A frame without rows, MDL intervals without a target or with one of numbers, an `alpha` or a
/// `threshold` out of range, and the errors of
/// [`Table::encode`] of the columns.
pub fn drift_in_turn<S: Source>(
    pairs: &[FramePair<S>],
    target: Option<&S>,
    kinds: Kinds,
    spec: &DriftSpec,
) -> Result<Vec<FeatureDrift>> {
    let mut drifts = drift_of_columns(pairs, (None, target), kinds, spec)?;
    set_q_values(drifts.iter_mut().collect());
    Ok(drifts)
}

/// [`drift_in_turn`] of some of the columns, whose q-values are to be [set](set_q_values) among
/// all. `counts` says how many rows each row of the reference stands for, at least one; without it
/// each stands for one.
///
/// # Errors
/// The errors of [`drift_in_turn`].
pub(crate) fn drift_of_columns<S: Source>(
    pairs: &[FramePair<S>],
    (counts, target): (Option<&[u64]>, Option<&S>),
    kinds: Kinds,
    spec: &DriftSpec,
) -> Result<Vec<FeatureDrift>> {
    Comparison::new(pairs, (counts, target), kinds, spec)?.visit(FeatureDrift::new)
}

/// The false discovery rates over all columns that are compared.
pub(crate) fn set_q_values(drifts: Vec<&mut FeatureDrift>) {
    let tested = drifts.into_iter().filter_map(|drift| Some((drift.p_value?, drift)));
    let (p, drifts): (Vec<f64>, Vec<_>) = tested.unzip();
    drifts.into_iter().zip(benjamini_hochberg(&p)).for_each(|(drift, q)| drift.q_value = Some(q));
}

/// The bins of one column, in order.
///
/// # Errors
/// The errors of [`drift_in_turn`].
pub fn drift_bins_of<S: Source>(
    pair: &FramePair<S>,
    target: Option<&S>,
    kinds: Kinds,
    spec: &DriftSpec,
) -> Result<ColumnDrift> {
    let comparison = Comparison::new(std::slice::from_ref(pair), (None, target), kinds, spec)?;
    let mut all = comparison.visit(|column, gain, bins| {
        let total = BinCount::sum(&bins.counts);
        let with_rows = (0..bins.counts.len()).filter(|&at| bins.counts[at].n > 0);
        let cut_position = gain.cut.as_ref().and_then(|cut| bins.position_of(column, cut));
        let bins = with_rows.map(|at| bins.bin(column, at, &total)).collect();
        ColumnDrift { gain, bins, cut_position }
    })?;
    all.pop().ok_or_else(|| Error::data("no column to compare: name one of both frames"))
}

/// Two frames whose columns are compared.
struct Comparison<'a, S: Source> {
    pairs: &'a [FramePair<'a, S>],
    kinds: FeatureKinds<'a>,
    spec: &'a DriftSpec,
    /// The frame of each row, the reference's first.
    table: Table,
    n_reference: usize,
    /// The target of the reference.
    reference: Option<Table>,
}

impl<'a, S: Source> Comparison<'a, S> {
    fn new(
        pairs: &'a [FramePair<S>],
        (counts, target): (Option<&[u64]>, Option<&S>),
        kinds: Kinds<'a>,
        spec: &'a DriftSpec,
    ) -> Result<Self> {
        kinds.check(&pairs.iter().map(|pair| pair.name()).collect::<Vec<_>>())?;
        check_intervals(spec.intervals)?;
        check_limits(spec)?;
        if spec.intervals == Intervals::Mdl && target.is_none() {
            return Err(Error::spec(
                "intervals = mdl are chosen by classes: name the target (a column of the \
                 reference), or take quantiles",
            ));
        }
        let n = pairs.first().map_or([0, 0], FramePair::n_rows);
        for (n, frame) in n.into_iter().zip(["reference", "current frame"]) {
            if !pairs.is_empty() && n == 0 {
                return Err(Error::data(format!(
                    "the {frame} has no rows: pass a table with rows"
                )));
            }
        }
        let monitor = spec.monitor.as_ref();
        let classify = Kinds { task: Task::Classify, ..Kinds::default() };
        let of_target = |target| Table::encode_until(&[], target, None, classify, monitor);
        let frame = FrameOfRows::new(n);
        let weights = counts.map(|counts| {
            let of_reference = counts.iter().map(|&count| count as f64);
            of_reference.chain(std::iter::repeat_n(1.0, n[1])).collect()
        });
        let table = Table::encode_until(&[], &frame, weights, classify, monitor)?;
        let reference = match (target, spec.intervals) {
            (Some(target), Intervals::Mdl) => Some(of_target(target)?),
            _ => None,
        };
        let kinds = kinds.by_name();
        Ok(Comparison { pairs, kinds, spec, table, n_reference: n[0], reference })
    }

    /// What is made of each column, its gain and its bins.
    fn visit<R: Send>(
        &self,
        each: impl Fn(&ColumnInfo, FeatureGain, DriftBins) -> R + Sync,
    ) -> Result<Vec<R>> {
        let visitor = ComparisonVisitor { comparison: self, each };
        let weights = self.table.weights.as_ref();
        visitor.visit(&self.table.target, weights, Criterion::Entropy, LogBase::Two)
    }

    /// The gain and the bins of a column, and the column itself, as far as their rules need it.
    fn compare<N: Count>(
        &self,
        pair: &FramePair<S>,
        ranker: &ClassRanker<N>,
        all_rows: &LazyLock<Vec<u32>, impl FnOnce() -> Vec<u32>>,
        (sorted_keys, scratch): &mut (SortedKeys, Scratch<N>),
    ) -> Result<(ColumnInfo, FeatureGain, DriftBins)> {
        let mut raw = self.table.context.raw_column(pair, &self.kinds)?;
        let weights = self.table.weights.as_ref();
        // Sorted keys know the frame of a row, but not how many rows it stands for.
        if let (Intervals::Quantiles(n), None) = (self.spec.intervals, weights) {
            let mut bins = None;
            let look = |sorted: &SortedKeys, layout| {
                bins = Some(DriftBins::of_sorted(pair, n, &SortedFrames::new(sorted, layout)));
            };
            let gain = ranker.sorted_gain(&mut raw, sorted_keys, scratch, look);
            if let (Some(gain), Some((column, bins))) = (gain, bins) {
                return Ok((column, gain, bins));
            }
        }
        let column = raw.encode().ranked();
        let mdl_cuts = match &self.reference {
            None => Vec::new(),
            Some(_) if column.kind == Kind::Nominal => Vec::new(),
            Some(table) => mdl_bounds(table, &pair.reference_column(table, &self.kinds)?)?,
        };
        let frames = FrameRows { n_reference: self.n_reference, weights };
        let bins = DriftBins::new(&column, frames, self.spec.intervals, mdl_cuts);
        let gain = ranker.gain(&column, ColumnView::of(&column, all_rows), scratch);
        Ok((column.info, gain, bins))
    }
}

struct ComparisonVisitor<'a, S: Source, F> {
    comparison: &'a Comparison<'a, S>,
    each: F,
}

impl<S: Source, F, R> TargetVisitor for ComparisonVisitor<'_, S, F>
where
    F: Fn(&ColumnInfo, FeatureGain, DriftBins) -> R + Sync,
    R: Send,
{
    type Output = Result<Vec<R>>;

    fn classes<N: Count>(self, rows: ClassRows<N>) -> Self::Output {
        let Comparison { pairs, table, .. } = self.comparison;
        let ranker = ClassRanker::new(&rows, RankMissing::OwnLevel, Cuts::Best);
        let all_rows = LazyLock::new(|| table.all_rows());
        let pool = ScratchPool::default();
        let drift = |pair: &FramePair<S>| {
            let (column, gain, bins) =
                pool.with(|memory| self.comparison.compare(pair, &ranker, &all_rows, memory))?;
            Ok((self.each)(&column, gain, bins))
        };
        parallel::try_map(*pairs, drift)
    }

    /// The frame of a row is a class.
    fn numbers(self, _: NumberRows) -> Self::Output {
        Ok(Vec::new())
    }
}

impl FeatureDrift {
    fn new(column: &ColumnInfo, gain: FeatureGain, bins: DriftBins) -> FeatureDrift {
        let total = BinCount::sum(&bins.counts);
        let [n, m] = total.units.map(|n| n as f64);
        let (mut psi, mut js) = (0.0, 0.0);
        let (mut worst, mut most, mut n_bins) = (0, f64::NEG_INFINITY, 0);
        // `x log(x / of)`, which is 0 at 0.
        let part = |x: f64, of: f64| if x > 0.0 { x * (x / of).ln() } else { 0.0 };
        for (at, bin) in bins.counts.iter().enumerate().filter(|(_, bin)| bin.n > 0) {
            let adds = bin.evidence(&total, 1.0).1;
            psi += adds;
            if adds > most {
                (worst, most) = (at, adds);
            }
            let [a, b] = bin.units.map(|n| n as f64);
            let (p, q) = (a / n, b / m);
            let middle = (p + q) / 2.0;
            js += (part(p, middle) + part(q, middle)) / 2.0;
            n_bins += 1;
        }
        let missing = bins.counts.last().map_or([0, 0], |bin| bin.units);
        FeatureDrift {
            missing: [missing[0] as f64 / n, missing[1] as f64 / m],
            psi,
            expected_psi: bins.expected_psi,
            js_divergence: (js / std::f64::consts::LN_2).clamp(0.0, 1.0),
            gain,
            worst: bins.bin(column, worst, &total),
            n_bins,
            levels: bins.levels,
            new_share: bins.new_rows.map(|new| new as f64 / m),
            chi_square: bins.test.chi_square,
            p_value: bins.test.p_value,
            q_value: None,
        }
    }
}
