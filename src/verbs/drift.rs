//! How the columns of two frames differ.

use std::collections::HashSet;

use super::drift_table::table;
use super::frame::{ColumnOrReason, Frame, NamedColumns, Needed, find};
use super::table::{FromResults, ResultTable};
use crate::data::column_data::Source;
use crate::encode::table::Kinds;
use crate::error::{Error, Result, listed};
use crate::rank::drift::{
    ColumnDrift, DriftBin, DriftLine, FeatureDrift, FramePair, drift_bins_of, drift_of_columns,
    set_q_values,
};
use crate::spec::{DriftSpec, Task};
use crate::util::monitoring::check_interrupt;

/// Compares the columns of two frames, the one that drifted most first.
///
/// Returns one row per column: `rank u32, feature str, verdict str?, psi, expected_psi, q_value f64?,
/// worst_bin, note str?`. With [`full`](DriftSpec#structfield.full) the table is whole: `rank u32,
/// feature str, dtype str, kind str?, n_reference u64, n_current u64, missing_reference f64?,
/// missing_current f64?, verdict str?, psi f64?, expected_psi f64?, js_divergence f64?, n_bins u32?,
/// worst_bin str?, share_reference f64?, share_current f64?, new_levels u64?, vanished_levels u64?,
/// new_share f64?, info_gain f64?, rule str?, rule_gain f64?, cut str?, threshold f64?, chi_square
/// f64?, p_value f64?, q_value f64?, note str?, excluded_reason str?`.
///
/// - `psi` is the population stability index `sum (q - p) ln(q / p)` of the shares p of the
///   reference and q of the current frame, and `js_divergence` the Jensen-Shannon divergence in
///   bits, from 0 to 1. Both are over bins: the reference's
///   [`intervals`](DriftSpec#structfield.intervals) of an ordered column, in which a value of more
///   rows than an interval would have is a bin by itself; each level of the reference of a nominal
///   one, and a bin of all new levels; and one of missing values. For `psi` half a row of each frame
///   is added to a bin that lacks one of them.
/// - `expected_psi` is the mean `psi` of two frames of as many rows without drift: the rows in a bin
///   are dealt out to the frames by chance. With many levels of few rows it is large.
/// - `p_value` is of Pearson's chi-square test on the levels of a nominal column, and on intervals of
///   both frames together of an ordered one, with missing as a level of its own. The mean and the
///   variance of `chi_square` are exact, so that it holds for levels of few rows too; null where
///   chance gives one value only. `q_value` is the false discovery rate over the columns (Benjamini &
///   Hochberg).
/// - `verdict` is `moved` if `psi - expected_psi` is at least the
///   [`threshold`](DriftSpec#structfield.threshold) and `q_value` at most
///   [`alpha`](DriftSpec#structfield.alpha); `stable` if `psi - expected_psi` is below the threshold,
///   and `expected_psi` not above it; else `cannot tell`, and `note` says why.
/// - `worst_bin` adds most to `psi`; `share_reference` and `share_current` are its shares.
/// - `info_gain` is what the column tells, in bits, about the frame a row is from, as in
///   [`rank_gain`](crate::rank_gain) with missing as a level of its own. `rule` is where the frames
///   differ most.
/// - Rows are by `psi - expected_psi`; columns where it is not above 0 keep the reference's order.
///   Columns that are in one frame alone, that are of other dtypes in the two, or that have no order
///   and no levels, come last; `note`, in the whole table `excluded_reason`, says why.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let reference = df!["age" => [20, 30, 40, 50], "city" => ["rome", "oslo", "rome", "oslo"]]?;
/// let current = df!["age" => [20, 30, 40, 50], "city" => ["rome", "rome", "bonn", "rome"]]?;
/// let drift = drift(&reference, &current, &DriftSpec::default())?;
/// assert_eq!(drift.column("feature")?.str()?.get(0), Some("city"));
/// // Four rows are few.
/// assert_eq!(drift.column("verdict")?.str()?.get(0), Some("cannot tell"));
/// assert_eq!(drift.column("psi")?.f64()?.get(1), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error for frames without rows or without a column that can be compared, a name that is
/// in neither, MDL intervals without a target of classes, and an `alpha` or a `threshold` out of range.
pub fn drift<F: Frame + ?Sized>(reference: &F, current: &F, spec: &DriftSpec) -> Result<F::Table> {
    let lines = DriftLines::of_frames(reference, current, spec)?;
    if lines.compared.is_empty() {
        let dtypes = lines.excluded.iter().find_map(|line| {
            let reason = line.compared.as_ref().err().filter(|reason| reason.contains(CAST))?;
            Some(format!("; `{}` is {reason}", line.feature))
        });
        return Err(Error::data(format!(
            "the reference and the current frame have no column in common that can be \
             compared; the reference has {}, the current frame {}{}",
            listed(&reference.outline()?.names()),
            listed(&current.outline()?.names()),
            dtypes.unwrap_or_default()
        )));
    }
    lines.table(spec)
}

/// The bins of one column of two frames.
///
/// Returns one row per bin that has rows, in order: `bin u32, rule str, n_reference u64,
/// n_current u64, share_reference f64, share_current f64, psi f64`. These are the bins of
/// [`drift`].
///
/// # Errors
/// Returns the errors of [`drift`], and one for a column that is not in both frames or of other
/// dtypes in the two.
pub fn drift_bins<F: Frame + ?Sized>(
    reference: &F,
    current: &F,
    feature: &str,
    spec: &DriftSpec,
) -> Result<F::Table> {
    bins_table(&drift_of_column(reference, current, feature, spec)?.bins).into_table()
}

/// The bins of one column of two frames, as [`drift_bins`] lists them.
pub(super) fn drift_of_column<F: Frame + ?Sized>(
    reference: &F,
    current: &F,
    feature: &str,
    spec: &DriftSpec,
) -> Result<ColumnDrift> {
    let names = [feature].into_iter().chain(spec.target.as_deref()).collect();
    let reference = reference.columns(&Needed::Checked(names))?;
    let current = current.columns(&Needed::Checked(vec![feature]))?;
    F::in_pool(spec.threads, || column_drift(&reference, &current, feature, spec))
}

/// What to do about a column of other dtypes in the two frames.
const CAST: &str = "cast one of them";

/// A column of both frames, or the line of one that is not compared.
type Paired<C> = std::result::Result<(C, C), DriftLine>;

/// The lines of the table `drift`, as far as columns are compared; the compared ones come first.
#[derive(Default)]
pub(super) struct DriftLines {
    compared: Vec<DriftLine>,
    excluded: Vec<DriftLine>,
    n_rows: [u64; 2],
}

/// The rows that others are compared with.
pub(super) struct Reference<'a, F: NamedColumns> {
    pub(super) frame: &'a F,
    /// The number of rows that each row stands for, at least one; `None` is one.
    pub(super) counts: Option<&'a [u64]>,
    /// The column whose classes choose the intervals.
    pub(super) target: Option<&'a F::Column>,
}

impl<'a, F: NamedColumns> From<&'a F> for Reference<'a, F> {
    fn from(frame: &'a F) -> Self {
        Reference { frame, counts: None, target: None }
    }
}

impl DriftLines {
    /// Compares the columns of two frames, in the pool of the spec. Columns that a face reads one by one
    /// are compared one by one.
    pub(super) fn of_frames<F: Frame + ?Sized>(
        reference: &F,
        current: &F,
        spec: &DriftSpec,
    ) -> Result<DriftLines> {
        let mut lines = DriftLines::default();
        let names = lines.names(&reference.outline()?, &current.outline()?, spec)?;
        let all = names.len();
        let at_once = reference.columns_at_once(all).max(current.columns_at_once(all)).max(1);
        F::in_pool(spec.threads, || {
            for names in names.chunks(at_once) {
                check_interrupt(spec.monitor.as_ref())?;
                let of_current: Vec<&str> = names.iter().map(String::as_str).collect();
                let mut of_reference = of_current.clone();
                of_reference
                    .extend(spec.target.as_deref().filter(|target| !of_current.contains(target)));
                let reference = reference.columns(&Needed::Checked(of_reference))?;
                let current = current.columns(&Needed::Checked(of_current))?;
                let target = target(&reference, spec)?;
                let target = target.as_ref();
                let reference = Reference { target, ..Reference::from(&reference) };
                lines.compare(reference, &current, names, spec)?;
            }
            Ok(lines)
        })
    }

    /// Compares the columns of two frames, in the current pool.
    pub(super) fn add<F: NamedColumns>(
        &mut self,
        reference: Reference<F>,
        current: &F,
        spec: &DriftSpec,
    ) -> Result<()> {
        let names = self.names(reference.frame, current, spec)?;
        if !names.is_empty() {
            self.compare(reference, current, &names, spec)?;
        }
        Ok(())
    }

    /// The names of the columns that can be compared; adds the lines of the others. It looks at names
    /// and dtypes alone, so the frames may lack rows.
    fn names<F: NamedColumns>(
        &mut self,
        reference: &F,
        current: &F,
        spec: &DriftSpec,
    ) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for column in paired(reference, current, spec)? {
            match column {
                Ok((a, _)) => names.push(a.name().to_string()),
                Err(line) => self.excluded.push(line),
            }
        }
        if !names.is_empty() {
            kinds(spec).check(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        Ok(names)
    }

    /// Compares some of these columns, in the current pool.
    fn compare<F: NamedColumns>(
        &mut self,
        Reference { frame: reference, counts, target }: Reference<F>,
        current: &F,
        names: &[String],
        spec: &DriftSpec,
    ) -> Result<()> {
        let spec = of_columns(spec, names);
        let columns = paired(reference, current, &spec)?;
        let both = columns.iter().flatten().map(|(a, b)| FramePair::new(a, b));
        let pairs: Vec<FramePair<F::Column>> = both.collect::<Result<_>>()?;
        let drifts = drift_of_columns(&pairs, (counts, target), kinds(&spec), &spec)?;
        let kinds = kinds(&spec).by_name();
        let line = |(pair, drift): (&FramePair<_>, FeatureDrift)| DriftLine {
            feature: pair.name().to_string(),
            dtype: pair.dtype().to_string(),
            compared: Ok((pair.dtype().clone(), kinds.of(pair.name(), pair.dtype()), drift)),
        };
        self.compared.extend(pairs.iter().zip(drifts).map(line));
        let n_reference = counts.map_or(reference.n_rows() as u64, |counts| counts.iter().sum());
        self.n_rows = [n_reference, current.n_rows() as u64];
        Ok(())
    }

    /// The lines, those farthest beyond chance first.
    pub(super) fn sorted(mut self) -> Vec<DriftLine> {
        let drifts =
            self.compared.iter_mut().filter_map(|line| Some(&mut line.compared.as_mut().ok()?.2));
        set_q_values(drifts.collect());
        let beyond = |line: &DriftLine| line.drift().map_or(0.0, FeatureDrift::beyond_chance);
        let key = |line: &DriftLine| beyond(line).max(0.0);
        // The sort is stable: ties stay in column order.
        self.compared.sort_by(|a, b| key(b).total_cmp(&key(a)));
        self.compared.append(&mut self.excluded);
        self.compared
    }

    /// The table, the line farthest beyond chance first.
    pub(super) fn table<T: FromResults>(self, spec: &DriftSpec) -> Result<T> {
        let n_rows = self.n_rows;
        table(&self.sorted(), n_rows, spec).into_table()
    }
}

/// The spec for some of the columns.
pub(super) fn of_columns(spec: &DriftSpec, names: &[String]) -> DriftSpec {
    let known: HashSet<&String> = names.iter().collect();
    let among = |of: &[String]| of.iter().filter(|name| known.contains(name)).cloned().collect();
    DriftSpec {
        features: Some(names.to_vec()),
        exclude: Vec::new(),
        ordered: among(&spec.ordered),
        nominal: among(&spec.nominal),
        ..spec.clone()
    }
}

/// The bins of one column of both frames.
pub(super) fn column_drift<F: NamedColumns>(
    reference: &F,
    current: &F,
    feature: &str,
    spec: &DriftSpec,
) -> Result<ColumnDrift> {
    let [a, b] = [(reference, "column of the reference"), (current, "column of the current frame")]
        .map(|(frame, role)| find(frame, role, feature)?.usable("column"));
    let (a, b) = (a?, b?);
    let pair = FramePair::new(&a, &b)?;
    let spec = of_columns(spec, &[feature.to_string()]);
    let target = target(reference, &spec)?;
    drift_bins_of(&pair, target.as_ref(), kinds(&spec), &spec)
}

/// The table of `drift_bins`.
fn bins_table(bins: &[DriftBin]) -> ResultTable<'_> {
    ResultTable::default()
        .add("bin", 0..bins.len() as u32)
        .add("rule", bins.iter().map(|bin| bin.rule.as_str()))
        .add("n_reference", bins.iter().map(|bin| bin.n[0]))
        .add("n_current", bins.iter().map(|bin| bin.n[1]))
        .add("share_reference", bins.iter().map(|bin| bin.share[0]))
        .add("share_current", bins.iter().map(|bin| bin.share[1]))
        .add("psi", bins.iter().map(|bin| bin.psi))
}

fn kinds(spec: &DriftSpec) -> Kinds<'_> {
    Kinds { task: Task::Auto, ordered: &spec.ordered, nominal: &spec.nominal }
}

pub(super) fn target<F: NamedColumns>(
    reference: &F,
    spec: &DriftSpec,
) -> Result<Option<F::Column>> {
    let target = spec.target.as_ref().map(|name| find(reference, "target", name)?.usable("target"));
    target.transpose()
}

/// The columns of both frames in order of the reference, then those of the current frame alone.
fn paired<F: NamedColumns>(
    reference: &F,
    current: &F,
    spec: &DriftSpec,
) -> Result<Vec<Paired<F::Column>>> {
    let (known, others) = (reference.names(), current.names());
    let of_reference: HashSet<&str> = known.iter().copied().collect();
    let all = || known.iter().chain(others.iter().filter(|name| !of_reference.contains(*name)));
    let of_either: HashSet<&str> = all().copied().collect();
    for (role, names) in [
        ("column to compare", spec.features.as_deref()),
        ("column to exclude", Some(&*spec.exclude)),
    ] {
        for name in names.unwrap_or_default() {
            if !of_either.contains(name.as_str()) {
                find(reference, role, name)?;
            }
        }
    }
    let features: HashSet<&str> = spec.features.iter().flatten().map(String::as_str).collect();
    let excluded: HashSet<&str> = spec.exclude.iter().map(String::as_str).collect();
    let wanted = |name: &str| {
        (spec.features.is_none() || features.contains(name)) && !excluded.contains(name)
    };
    let dtype_of = |found: ColumnOrReason<F::Column>| match found {
        ColumnOrReason::Usable(column) => column.dtype().to_string(),
        ColumnOrReason::Excluded { dtype, .. } => dtype,
    };
    let pair = |name: &&str| {
        use ColumnOrReason::{Excluded, Usable};
        let (dtype, reason) =
            match (reference.column_or_reason(name), current.column_or_reason(name)) {
                (None, None) => return None,
                (Some(found), None) => (dtype_of(found), "only in the reference".to_string()),
                (None, Some(found)) => (dtype_of(found), "only in the current frame".to_string()),
                (Some(Usable(a)), Some(Usable(b))) if FramePair::new(&a, &b).is_ok() => {
                    return Some(Ok((a, b)));
                }
                (Some(Usable(a)), Some(Usable(b))) => {
                    let (a, b) = (a.dtype(), b.dtype());
                    let reason = format!("{a} in the reference, {b} in the current frame: {CAST}");
                    (a.to_string(), reason)
                }
                (Some(Excluded { dtype, reason, .. }), Some(_))
                | (Some(_), Some(Excluded { dtype, reason, .. })) => (dtype, reason),
            };
        Some(Err(DriftLine { feature: (*name).to_string(), dtype, compared: Err(reason) }))
    };
    Ok(all().filter(|name| wanted(name)).filter_map(pair).collect())
}
