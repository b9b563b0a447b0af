//! The measures as Polars expressions.

use polars::prelude::{Column, DataType, Expr, Field, Schema, apply_multiple};

use crate::error::Result;
use crate::rank::ClassMeasures;
use crate::verbs::measures::{
    class_measures, level_entropy, mdl_intervals, symmetric_uncertainty_of_levels,
};

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

    /// `2 gain / (H(D) + H_A(D))`. An ordered feature is cut in two, so that the feature and the
    /// target are not the same the other way round.
    fn symmetric_uncertainty(self, target: Expr) -> Expr {
        measure(self.into(), target, |m| m.symmetric_uncertainty)
    }

    /// The same of the levels of both columns, whatever they are, over the rows where both have a
    /// value: `a` and `b` tell as much of each other either way round.
    fn symmetric_uncertainty_of_levels(self, other: Expr) -> Expr {
        scalar(vec![self.into(), other], |columns| {
            symmetric_uncertainty_of_levels(&columns[0], &columns[1])
        })
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
            Ok(Column::new(name, mdl_intervals(&columns[0], &columns[1])?))
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
        class_measures(&columns[0], &columns[1]).map(|m| m.map(|m| figure(&m)))
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
