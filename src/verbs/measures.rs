//! The measures of one feature and a target.

use super::frame::{ColumnOrReason, sealed};
use super::request::no_target;
use crate::data::column::Column;
use crate::data::column_data::{ColumnData, Source};
use crate::data::dtype::{DType, Kind};
use crate::encode::table::{Kinds, Table};
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::{check_ordered, mdl_bins, mdl_cuts_of};
use crate::rank::pairs::pair_gain_of_levels;
use crate::rank::{ClassMeasures, Measures, rank_in_turn};
use crate::spec::{Cuts, LogBase, RankMissing, Task};
use crate::stat::criterion;

/// What measures are taken of: a column of a DataFrame, or Arrow arrays with the field that names
/// them, as [`ChunkedColumns`](crate::ChunkedColumns) takes them. This trait is sealed.
pub trait MeasuredColumn: sealed::Sealed {
    /// The column as the engine reads it.
    #[doc(hidden)]
    type Source: Source;

    /// The column's name.
    #[doc(hidden)]
    fn name(&self) -> &str;
    /// The dtype, for messages.
    #[doc(hidden)]
    fn dtype_text(&self) -> String;
    /// The number of rows.
    #[doc(hidden)]
    fn n_rows(&self) -> usize;
    /// The column, unless its dtype has no order and no levels.
    #[doc(hidden)]
    fn source(&self) -> Result<Option<Self::Source>>;
    /// The rows that are not null; `None` if that is all of them.
    #[doc(hidden)]
    fn known_rows(&self) -> Option<Vec<u32>>;
}

/// The measures of a feature about a target of classes, as [`rank_gain`](crate::rank_gain) has
/// them, in bits: a nominal feature by all its levels, an ordered one by its best cut. Rows with a
/// null target are dropped; fewer than two classes give 0.0, no rows `None`. A column of one row
/// stands for as many as the other has. The work stays on the calling thread.
///
/// # Errors
/// A target of numbers, a column without order and levels, and columns of several lengths.
pub fn class_measures<C: MeasuredColumn>(feature: &C, target: &C) -> Result<Option<ClassMeasures>> {
    let gains = of_known(feature, target, |feature, target| {
        let (missing, cuts) = (RankMissing::Known, Cuts::Best);
        let rows = Table::of_target(&target, None, Task::Auto)?;
        rank_in_turn(&rows, &[feature], Kinds::default(), None, LogBase::Two, missing, cuts)
    })?;
    let gain = gains.into_iter().flatten().flatten().next();
    Ok(gain.and_then(|gain| match gain.measures {
        Measures::Classes(measures) => Some(measures),
        Measures::Numbers(_) => None,
    }))
}

/// The symmetric uncertainty of two columns by all their levels, `2 I(A; B) / (H(A) + H(B))`: numbers
/// too are taken value by value, and not by a cut. It is the same either way round, and 1 of a column
/// that varies with itself. It is over the rows where both have a value; `None` where there are none.
/// The work stays on the calling thread, `n log n` in the rows.
///
/// # Errors
/// A column without order and levels, and columns of several lengths.
pub fn symmetric_uncertainty_of_levels<C: MeasuredColumn>(
    first: &C,
    second: &C,
) -> Result<Option<f64>> {
    let n = one_height([first, second])?;
    let first = encoded(first, n, Some(Kind::Nominal))?;
    let second = encoded(second, n, Some(Kind::Nominal))?;
    let pair = pair_gain_of_levels(&first, &second, LogBase::Two);
    Ok((pair.n > 0).then_some(pair.symmetric_uncertainty))
}

/// The interval of each value of an ordered feature between the cuts of
/// [`mdl_cuts`](crate::mdl_cuts): from 0 up, `None` for a missing value. Rows with a null target do
/// not influence the cuts, but have an interval too.
///
/// # Errors
/// As [`class_measures`], and a feature that is not ordered.
pub fn mdl_intervals<C: MeasuredColumn>(feature: &C, target: &C) -> Result<Vec<Option<u32>>> {
    let encoded = encoded(feature, feature.n_rows().max(target.n_rows()), None)?;
    check_ordered(&encoded)?;
    let cuts = of_known(feature, target, |feature, target| {
        mdl_cuts_of(&Table::encode(&[feature], &target, None, Kinds::default())?, LogBase::Two)
    })?;
    let cuts: Vec<_> = cuts.into_iter().flatten().map(|cut| cut.cut).collect();
    Ok(mdl_bins(&encoded, &cuts))
}

/// Entropy of a column's values in bits, missing ones dropped; `None` where there are none. It is
/// the split info of a feature with a branch per level, and the entropy of a target's classes.
///
/// # Errors
/// A column without order and levels.
pub fn level_entropy<C: MeasuredColumn>(column: &C) -> Result<Option<f64>> {
    let encoded = encoded(column, column.n_rows(), Some(Kind::Ordered))?;
    // The last count is of missing values.
    let mut counts = vec![0.0; encoded.n_levels() + 1];
    encoded.codes.by_row().for_each(|code| counts[code as usize] += 1.0);
    counts.truncate(encoded.n_levels());
    Ok((!counts.is_empty()).then(|| criterion::entropy(&counts, LogBase::Two)))
}

/// Calls `work` with a feature and a target of classes that is known; `None` where no row is left.
fn of_known<C: MeasuredColumn, R>(
    feature: &C,
    target: &C,
    work: impl FnOnce(TakenColumn<C::Source>, TakenColumn<C::Source>) -> Result<R>,
) -> Result<Option<R>> {
    let of_target = target.source()?;
    if of_target.as_ref().is_some_and(|source| is_of_numbers(source.dtype())) {
        return Err(Error::data(format!(
            "target `{}` ({}) holds numbers, and this measure is of classes: cast it to an \
             integer or a string to take each value as a class",
            target.name(),
            target.dtype_text()
        )));
    }
    let n = one_height([feature, target])?;
    let known = target.known_rows();
    if known.as_ref().map_or(n, Vec::len) == 0 {
        return Ok(None);
    }
    let rows = |column| TakenRows::of(column, n, known.as_deref());
    let of_feature = match feature.source()? {
        Some(source) => source,
        None => {
            ColumnOrReason::of_no_kind(feature.name(), &feature.dtype_text()).usable("feature")?
        }
    };
    let of_target = of_target.ok_or_else(|| no_target(target.name(), &target.dtype_text()))?;
    work(
        TakenColumn { source: of_feature, rows: rows(feature) },
        TakenColumn { source: of_target, rows: rows(target) },
    )
    .map(Some)
}

/// Whether a target is taken as a number unless it is cast.
fn is_of_numbers(dtype: &DType) -> bool {
    dtype.may_be_number() && !dtype.is_integer()
}

/// The rows of two columns; one of one row stands for as many as the other has.
fn one_height<C: MeasuredColumn>(columns: [&C; 2]) -> Result<usize> {
    let [first, second] = columns;
    let n = first.n_rows().max(second.n_rows());
    if columns.iter().any(|column| ![1, n].contains(&column.n_rows())) {
        return Err(Error::data(format!(
            "column `{}` ({}) has {} rows, and column `{}` ({}) {}: give them as many",
            first.name(),
            first.dtype_text(),
            first.n_rows(),
            second.name(),
            second.dtype_text(),
            second.n_rows()
        )));
    }
    Ok(n)
}

/// A column by itself as one of `n` rows, of its dtype's kind unless another is given.
fn encoded<C: MeasuredColumn>(column: &C, n: usize, kind: Option<Kind>) -> Result<Column> {
    let source = column.source()?.ok_or_else(|| {
        Error::data(format!(
            "column `{}` ({}) has no order and no levels: unnest or cast it",
            column.name(),
            column.dtype_text()
        ))
    })?;
    let dtype = source.dtype().clone();
    let kind = kind.unwrap_or(dtype.kind());
    Column::encode(source.name(), dtype, kind, TakenRows::of(column, n, None).cells(&source))
}

/// Some rows of a column.
struct TakenColumn<'r, S> {
    source: S,
    rows: TakenRows<'r>,
}

enum TakenRows<'r> {
    All,
    These(&'r [u32]),
    /// The only row, this often.
    Repeated(usize),
}

impl<'r> TakenRows<'r> {
    /// The rows of a column among `n`, or those that are known.
    fn of(column: &impl MeasuredColumn, n: usize, known: Option<&'r [u32]>) -> Self {
        match known {
            _ if column.n_rows() == 1 && n != 1 => {
                TakenRows::Repeated(known.map_or(n, <[u32]>::len))
            }
            Some(rows) => TakenRows::These(rows),
            None => TakenRows::All,
        }
    }

    fn cells(&self, source: &impl Source) -> ColumnData {
        let cells = source.cells();
        match *self {
            TakenRows::All => cells,
            TakenRows::These(rows) => cells.take(rows),
            TakenRows::Repeated(n) => cells.gather(std::iter::repeat_n(Some(0), n)),
        }
    }
}

impl<S: Source> Source for TakenColumn<'_, S> {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn dtype(&self) -> &DType {
        self.source.dtype()
    }

    fn cells(&self) -> ColumnData {
        self.rows.cells(&self.source)
    }

    fn n_rows(&self) -> usize {
        match self.rows {
            TakenRows::All => self.source.n_rows(),
            TakenRows::These(rows) => rows.len(),
            TakenRows::Repeated(n) => n,
        }
    }
}
