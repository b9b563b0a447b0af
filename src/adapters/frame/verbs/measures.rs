//! The measures of one feature and a target.

use polars::prelude::{Column, DataFrame};

use crate::adapters::frame::columns::broadcast;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::data::column::Column as Encoded;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::{check_ordered, mdl_bins, mdl_cuts_of};
use crate::rank::pairs::pair_gain_of_levels;
use crate::rank::{ClassMeasures, Measures, rank_in_turn};
use crate::spec::{Cuts, LogBase, RankMissing};
use crate::stat::criterion;
use crate::verbs::request::{Request, usable};

/// The measures of a feature about a target of classes, as [`rank_gain`](crate::rank_gain) has
/// them, in bits: a nominal feature by all its levels, an ordered one by its best cut. Rows with a
/// null target are dropped; fewer than two classes give 0.0, no rows `None`. A column of one row
/// stands for as many as the other has. The work stays on the calling thread.
///
/// # Errors
/// A target of numbers, a column without order and levels, and columns of several lengths.
pub fn class_measures(feature: &Column, target: &Column) -> Result<Option<ClassMeasures>> {
    let gains = of_known(feature, target, |request, frame, features| {
        let (missing, cuts) = (RankMissing::Known, Cuts::Best);
        let rows = request.table_of_target(frame)?;
        rank_in_turn(&rows, features, request.kinds(), None, LogBase::Two, missing, cuts)
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
pub fn symmetric_uncertainty_of_levels(first: &Column, second: &Column) -> Result<Option<f64>> {
    let [first, second] = of_one_height([first, second])?;
    let (first, second) =
        (encoded(&first, Some(Kind::Nominal))?, encoded(&second, Some(Kind::Nominal))?);
    let pair = pair_gain_of_levels(&first, &second, LogBase::Two);
    Ok((pair.n > 0).then_some(pair.symmetric_uncertainty))
}

/// The interval of each value of an ordered feature between the cuts of
/// [`mdl_cuts`](crate::mdl_cuts): from 0 up, `None` for a missing value. Rows with a null target do
/// not influence the cuts, but have an interval too.
///
/// # Errors
/// As [`class_measures`], and a feature that is not ordered.
pub fn mdl_intervals(feature: &Column, target: &Column) -> Result<Vec<Option<u32>>> {
    let feature = broadcast(feature, feature.len().max(target.len()));
    let encoded = encoded(&feature, None)?;
    check_ordered(&encoded)?;
    let cuts = of_known(&feature, target, |request, frame, features| {
        mdl_cuts_of(&request.table(frame, features)?, LogBase::Two)
    })?;
    let cuts: Vec<_> = cuts.into_iter().flatten().map(|cut| cut.cut).collect();
    Ok(mdl_bins(&encoded, &cuts))
}

/// Calls `work` with a feature and a target of classes that is known; `None` where no row is left.
fn of_known<R>(
    feature: &Column,
    target: &Column,
    work: impl FnOnce(&Request, &DataFrame, &[FrameColumn]) -> Result<R>,
) -> Result<Option<R>> {
    let dtype = target.dtype();
    if dtype.is_float() || dtype.is_decimal() {
        return Err(Error::data(format!(
            "target `{}` ({dtype}) holds numbers, and this measure is of classes: cast it to an \
             integer or a string to take each value as a class",
            target.name()
        )));
    }
    let [feature, mut target] = of_one_height([feature, target])?;
    let n = feature.len();
    if target.name() == feature.name() {
        target = target.with_name(format!("{} as target", feature.name()).into());
    }
    let name = target.name().to_string();
    let frame = DataFrame::new(n, vec![feature, target]);
    let mut frame = frame?;
    if frame.columns()[1].null_count() > 0 {
        let known = frame.columns()[1].is_not_null();
        frame = frame.filter(&known)?;
    }
    if frame.height() == 0 {
        return Ok(None);
    }
    let request = Request { target: name, ..Request::default() };
    let features = usable(request.features(&frame)?)?;
    work(&request, &frame, &features).map(Some)
}

/// Two columns of as many rows; one of one row stands for as many as the other has.
fn of_one_height(columns: [&Column; 2]) -> Result<[Column; 2]> {
    let [first, second] = columns;
    let n = first.len().max(second.len());
    if columns.iter().any(|column| ![1, n].contains(&column.len())) {
        return Err(Error::data(format!(
            "column `{}` ({}) has {} rows, and column `{}` ({}) {}: give them as many",
            first.name(),
            first.dtype(),
            first.len(),
            second.name(),
            second.dtype(),
            second.len()
        )));
    }
    Ok(columns.map(|column| broadcast(column, n)))
}

/// A column by itself, of its dtype's kind unless another is given.
fn encoded(column: &Column, kind: Option<Kind>) -> Result<Encoded> {
    let source = FrameColumn::new(column).ok_or_else(|| {
        Error::data(format!(
            "column `{}` ({}) has no order and no levels: unnest or cast it",
            column.name(),
            column.dtype()
        ))
    })?;
    let dtype = source.dtype().clone();
    let kind = kind.unwrap_or(dtype.kind());
    Encoded::encode(source.name(), dtype, kind, source.cells())
}

/// Entropy of a column's values in bits, missing ones dropped; `None` where there are none. It is
/// the split info of a feature with a branch per level, and the entropy of a target's classes.
///
/// # Errors
/// A column without order and levels.
pub fn level_entropy(column: &Column) -> Result<Option<f64>> {
    let column = column.drop_nulls();
    let encoded = encoded(&column, Some(Kind::Ordered))?;
    if column.is_empty() {
        return Ok(None);
    }
    // NaN is missing too, and was not dropped with the nulls.
    let mut counts = vec![0.0; encoded.n_levels() + 1];
    encoded.codes.by_row().for_each(|code| counts[code as usize] += 1.0);
    counts.truncate(encoded.n_levels());
    Ok((!counts.is_empty()).then(|| criterion::entropy(&counts, LogBase::Two)))
}
