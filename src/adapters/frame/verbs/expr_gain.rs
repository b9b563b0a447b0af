//! The measures as Polars expressions.

use polars::prelude::{Column, DataFrame, DataType, Expr, Field, Schema, apply_multiple};

use crate::adapters::common::request::{Request, usable};
use crate::adapters::frame::columns::broadcast;
use crate::adapters::frame::columns::frame_column::FrameColumn;
use crate::adapters::frame::polars_error;
use crate::data::column::Column as Encoded;
use crate::data::column_data::Source;
use crate::data::dtype::Kind;
use crate::error::{Error, Result};
use crate::rank::mdl_cuts::{check_ordered, mdl_bins, mdl_cuts_of};
use crate::rank::{ClassMeasures, Measures, rank_in_turn};
use crate::spec::{Cuts, LogBase, RankMissing};
use crate::stat::criterion;

/// Measures of a feature and a target as expressions: scalars in `group_by().agg()`, `over()`
/// and `select`, eager, lazy and streaming.
///
/// Each is what [`rank_gain`](crate::rank_gain) says of the feature, in bits: a nominal feature
/// by all its levels, an ordered one by its best cut. Rows with a null target are dropped;
/// fewer than two classes give 0.0, no rows null.
///
/// ```
/// # use gaintree::prelude::*;
/// # use polars::prelude::*;
/// let df = df!["region" => ["n", "n", "n", "s", "s"], "price" => [1.0, 2.0, 9.0, 3.0, 4.0],
///              "churn" => ["no", "no", "yes", "no", "no"]]?;
/// let gains = df
///     .lazy()
///     .group_by_stable([col("region")])
///     .agg([col("price").info_gain(col("churn"))])
///     .collect()?;
/// assert_eq!(gains.column("price")?.f64()?.to_vec(), [Some(0.9182958340544896), Some(0.0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ExprGain: Into<Expr> + Sized {
    /// Information gain of this feature about the target.
    fn info_gain(self, target: Expr) -> Expr {
        measure(self.into(), target, |m| m.info_gain)
    }

    /// Information gain over split info.
    fn gain_ratio(self, target: Expr) -> Expr {
        measure(self.into(), target, |m| m.gain_ratio)
    }

    /// Gini gain of the best two-way rule.
    fn gini_gain(self, target: Expr) -> Expr {
        measure(self.into(), target, |m| m.gini_gain)
    }

    /// Entropy of the target that is left when this feature is known.
    fn conditional_entropy(self, target: Expr) -> Expr {
        measure(self.into(), target, |m| m.conditional_entropy)
    }

    /// `2 gain / (H(D) + H_A(D))`.
    fn symmetric_uncertainty(self, target: Expr) -> Expr {
        measure(self.into(), target, |m| m.symmetric_uncertainty)
    }

    /// Entropy of this column's own levels, nulls dropped: the split info of a branch per level.
    fn split_info(self) -> Expr {
        scalar(vec![self.into()], |columns| level_entropy(&columns[0]))
    }

    /// Entropy of this target's classes, nulls dropped. (Polars' own `entropy` is of numbers.)
    fn class_entropy(self) -> Expr {
        self.split_info()
    }

    /// The interval of each value of this ordered feature between the cuts of
    /// [`mdl_cuts`](crate::mdl_cuts): a `u32` from 0 up, null for a missing value, one per row.
    /// Rows with a null target do not influence the cuts, but have an interval too. Without any
    /// cut all intervals are 0. In `over()` and `agg()` each group has cuts of its own.
    fn mdl_cut(self, target: Expr) -> Expr {
        let function = |columns: &mut [Column]| {
            let name = columns[0].name().clone();
            Ok(Column::new(name, intervals(&columns[0], &columns[1])?))
        };
        let output = |_: &Schema, fields: &[Field]| {
            Ok(Field::new(fields[0].name().clone(), DataType::UInt32))
        };
        apply_multiple(function, [self.into(), target], output, false)
    }
}

impl ExprGain for Expr {}

/// A scalar of a feature and a target.
fn measure(feature: Expr, target: Expr, figure: fn(&ClassMeasures) -> f64) -> Expr {
    scalar(vec![feature, target], move |columns| {
        feature_gain(&columns[0], &columns[1]).map(|gain| gain.map(|m| figure(&m)))
    })
}

/// A scalar per group, named as its first input.
fn scalar(
    inputs: Vec<Expr>,
    figure: impl Fn(&[Column]) -> Result<Option<f64>> + Send + Sync + 'static,
) -> Expr {
    let function = move |columns: &mut [Column]| {
        let name = columns[0].name().clone();
        Ok(Column::new(name, [figure(columns)?]))
    };
    let output =
        |_: &Schema, fields: &[Field]| Ok(Field::new(fields[0].name().clone(), DataType::Float64));
    apply_multiple(function, inputs, output, true)
}

/// `None` where no row has a target.
fn feature_gain(feature: &Column, target: &Column) -> Result<Option<ClassMeasures>> {
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

/// The interval of each row between the feature's MDL cuts.
fn intervals(feature: &Column, target: &Column) -> Result<Vec<Option<u32>>> {
    let feature = broadcast(feature, feature.len().max(target.len()));
    let encoded = encoded(&feature, None)?;
    check_ordered(&encoded)?;
    let cuts = of_known(&feature, target, |request, frame, features| {
        mdl_cuts_of(&request.table(frame, features)?, LogBase::Two)
    })?;
    let cuts: Vec<_> = cuts.into_iter().flatten().map(|cut| cut.cut).collect();
    Ok(mdl_bins(&encoded, &cuts))
}

/// Calls `work` with a feature and a target of classes, rows with a null target dropped; `None`
/// where none is left.
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
    let n = feature.len().max(target.len());
    let mut target = broadcast(target, n);
    if target.name() == feature.name() {
        target = target.with_name(format!("{} as target", feature.name()).into());
    }
    let name = target.name().to_string();
    let frame = DataFrame::new(n, vec![broadcast(feature, n), target]);
    let mut frame = frame.map_err(polars_error)?;
    if frame.columns()[1].null_count() > 0 {
        let known = frame.columns()[1].is_not_null();
        frame = frame.filter(&known).map_err(polars_error)?;
    }
    if frame.height() == 0 {
        return Ok(None);
    }
    let request = Request { target: name, ..Request::default() };
    let features = usable(request.features(&frame)?)?;
    work(&request, &frame, &features).map(Some)
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

/// Entropy of a column's values in bits; `None` where there are none.
fn level_entropy(column: &Column) -> Result<Option<f64>> {
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
