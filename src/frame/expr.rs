//! The measures as Polars expressions, and a tree's prediction as one.

use std::sync::Arc;

use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{
    Column, DataFrame, DataType, Expr, Field, Scalar, apply_multiple, lit, map_multiple,
};

use super::column::FrameColumn;
use super::input::{Request, usable};
use super::verbs::column;
use crate::column::Column as Encoded;
use crate::criterion;
use crate::dtype::Kind;
use crate::error::{Error, Result};
use crate::mdl::{check_ordered, mdl_bins, mdl_cuts_of};
use crate::rank::{ClassMeasures, Measures, rank};
use crate::score::Routes;
use crate::spec::{Cuts, LogBase, RankMissing};
use crate::table::{Kinds, Source, Table};
use crate::tree::Tree;

/// Measures of a feature and a target as expressions: scalars in `group_by().agg()`, `over()`
/// and `select`, eager, lazy and streaming.
///
/// Each is what [`rank_gain`](super::rank_gain) says of the feature, in bits: a nominal feature
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
pub trait ExprGain: Sized {
    /// Information gain of this feature about the target.
    fn info_gain(self, target: Expr) -> Expr;
    /// Information gain over split info.
    fn gain_ratio(self, target: Expr) -> Expr;
    /// Gini gain of the best two-way rule.
    fn gini_gain(self, target: Expr) -> Expr;
    /// Entropy of the target that is left when this feature is known.
    fn conditional_entropy(self, target: Expr) -> Expr;
    /// `2 gain / (H(D) + H_A(D))`.
    fn symmetric_uncertainty(self, target: Expr) -> Expr;
    /// Entropy of this column's own levels, nulls dropped: the split info of a branch per
    /// level.
    fn split_info(self) -> Expr;
    /// Entropy of this target's classes, nulls dropped. (Polars' own `entropy` is of numbers.)
    fn class_entropy(self) -> Expr;
    /// The interval each value of this ordered feature is in, between the cuts of
    /// [`mdl_cuts`](super::mdl_cuts): a `u32` from 0 up, null for a missing value, as many as
    /// there are rows. Rows with a null target have no say in the cuts, and are put in their
    /// interval too; where no cut pays for itself that is 0. In `over()` and `agg()` each group
    /// has cuts of its own.
    fn mdl_cut(self, target: Expr) -> Expr;
}

impl ExprGain for Expr {
    fn info_gain(self, target: Expr) -> Expr {
        measure(self, target, |m| m.info_gain)
    }

    fn gain_ratio(self, target: Expr) -> Expr {
        measure(self, target, |m| m.gain_ratio)
    }

    fn gini_gain(self, target: Expr) -> Expr {
        measure(self, target, |m| m.gini_gain)
    }

    fn conditional_entropy(self, target: Expr) -> Expr {
        measure(self, target, |m| m.conditional_entropy)
    }

    fn symmetric_uncertainty(self, target: Expr) -> Expr {
        measure(self, target, |m| m.symmetric_uncertainty)
    }

    fn split_info(self) -> Expr {
        scalar(vec![self], |columns| level_entropy(&columns[0]))
    }

    fn class_entropy(self) -> Expr {
        scalar(vec![self], |columns| level_entropy(&columns[0]))
    }

    fn mdl_cut(self, target: Expr) -> Expr {
        let function = |columns: &mut [Column]| {
            let name = columns[0].name().clone();
            Ok(Column::new(name, intervals(&columns[0], &columns[1]).map_err(to_polars)?))
        };
        let output = |_: &polars::prelude::Schema, fields: &[Field]| {
            Ok(Field::new(fields[0].name().clone(), DataType::UInt32))
        };
        apply_multiple(function, [self, target], output, false)
    }
}

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
        Ok(Column::new(name, [figure(columns).map_err(to_polars)?]))
    };
    let output = |_: &polars::prelude::Schema, fields: &[Field]| {
        Ok(Field::new(fields[0].name().clone(), DataType::Float64))
    };
    apply_multiple(function, inputs, output, true)
}

fn to_polars(e: Error) -> PolarsError {
    PolarsError::ComputeError(e.to_string().into())
}

/// `None` where no row has a target.
fn feature_gain(feature: &Column, target: &Column) -> Result<Option<ClassMeasures>> {
    let Some(table) = table_of(feature, target)? else { return Ok(None) };
    let gains = rank(&table, None, LogBase::Two, RankMissing::Known, Cuts::Best);
    let gain = gains.into_iter().next().and_then(|groups| groups.into_iter().next());
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
    let cuts = match table_of(&feature, target)? {
        Some(table) => mdl_cuts_of(&table, LogBase::Two)?,
        None => Vec::new(),
    };
    let cuts: Vec<_> = cuts.into_iter().map(|cut| cut.cut).collect();
    Ok(mdl_bins(&encoded, &cuts))
}

/// The table of a feature and a target of classes, rows with a null target dropped; `None`
/// where none is left.
fn table_of(feature: &Column, target: &Column) -> Result<Option<Table>> {
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
    let mut frame = frame.map_err(super::polars_error)?;
    if frame.columns()[1].null_count() > 0 {
        let known = frame.columns()[1].is_not_null();
        frame = frame.filter(&known).map_err(super::polars_error)?;
    }
    if frame.height() == 0 {
        return Ok(None);
    }
    let request =
        Request { target: &name, features: None, kinds: Kinds::default(), weight: None, by: &[] };
    let features = usable(request.features(&frame)?)?;
    request.table(&frame, &features).map(Some)
}

/// A scalar input as a column.
fn broadcast(column: &Column, n: usize) -> Column {
    if column.len() == 1 && n != 1 { column.new_from_index(0, n) } else { column.clone() }
}

/// A column by itself, taken as its dtype suggests or as is said.
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
    encoded.codes.by_row().into_iter().for_each(|code| counts[code as usize] += 1.0);
    counts.truncate(encoded.n_levels());
    Ok((!counts.is_empty()).then(|| criterion::entropy(&counts, LogBase::Two)))
}

impl Tree {
    /// The tree's prediction as an expression named `prediction`, of the target's dtype, over
    /// exactly the columns the tree uses; elementwise, so that a query reads no other column
    /// and streams. A tree of one leaf is a literal.
    ///
    /// What is wrong with a column (absent, of another dtype) is said when the query runs.
    pub fn predict(&self) -> Expr {
        let dtype = self.prediction_dtype();
        let used = self.used_features();
        if used.is_empty()
            && let Ok(answer) = self.predictions("prediction", &Routes::from(vec![0]))
            && let Ok(answer) = answer.get(0)
        {
            return lit(Scalar::new(dtype, answer.into_static())).alias("prediction");
        }
        let tree = Arc::new(self.clone());
        let names: Vec<String> =
            used.iter().map(|&f| self.schema().features[f as usize].name.clone()).collect();
        let inputs: Vec<Expr> = names.iter().map(|name| column(name)).collect();
        let function = move |columns: &mut [Column]| -> PolarsResult<Column> {
            let n = columns.iter().map(Column::len).max().unwrap_or(0);
            let whole = columns
                .iter()
                .zip(&names)
                .map(|(c, name)| broadcast(c, n).with_name(name.as_str().into()));
            let frame = DataFrame::new(n, whole.collect())?;
            let routes = tree.route_frame(&frame).map_err(to_polars)?;
            tree.predictions("prediction", &routes).map_err(to_polars)
        };
        let output = move |_: &polars::prelude::Schema, _: &[Field]| {
            Ok(Field::new("prediction".into(), dtype.clone()))
        };
        map_multiple(function, inputs, output).alias("prediction")
    }
}
