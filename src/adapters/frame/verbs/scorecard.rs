//! Scores and points of Polars columns by a scorecard.

use polars::prelude::{Column, DataFrame};
#[cfg(feature = "lazy")]
use polars::prelude::{DataType, Expr, Field, Schema, map_multiple};

#[cfg(feature = "lazy")]
use super::woe::{mapped, mapping};
#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::column;
use crate::adapters::frame::columns::names;
use crate::error::{Result, no_such_column};
use crate::rank::scorecard::FeaturePoints;
use crate::verbs::{ScoreSpec, Scorecard};

/// Scores of columns.
impl Scorecard {
    /// The points of each value of a column, which has the name of its feature; the result is named
    /// `<feature>_points`. A missing value and a level never seen have the points of their weight
    /// of evidence; see
    /// [`WoeBins::map`](crate::WoeBins::map).
    ///
    /// # Errors
    /// A name that is no feature, and a column of another dtype.
    pub fn map(&self, column: &Column) -> Result<Column> {
        let (_, points) = self.feature(column.name())?;
        points_of(points, &self.bins().map(column)?)
    }

    /// The scores of rows, named `score`: the sum of their points, null where a feature has none.
    ///
    /// # Errors
    /// A feature that is not there or of another dtype.
    pub fn score_frame(&self, df: &DataFrame) -> Result<Column> {
        let (mut added, _) =
            self.added(&self.columns_of(df)?, df.height(), &ScoreSpec::default())?;
        Ok(added.swap_remove(0))
    }

    /// The columns of the features, in their order.
    pub(in crate::adapters::frame) fn columns_of(&self, df: &DataFrame) -> Result<Vec<Column>> {
        // A search by name would take the square of the columns.
        let column = |feature| match df.schema().index_of(feature) {
            Some(at) => Ok(df.columns()[at].clone()),
            None => Err(no_such_column("feature of the card", feature, &names(df))),
        };
        self.features().map(column).collect()
    }

    /// [`map`](Self::map) as an expression over the column of this name, named `<feature>_points`. It
    /// is elementwise, so that a query streams.
    ///
    /// # Errors
    /// A name that is no feature. A column of another dtype is an error of the query.
    #[cfg(feature = "lazy")]
    pub fn points(&self, feature: &str) -> Result<Expr> {
        let (bins, points) = self.feature(feature)?;
        let (bins, points) = (bins.clone(), points.clone());
        let map = move |column: &Column| points_of(&points, &mapped(&bins, column)?);
        Ok(mapping(feature, format!("{feature}_points"), map))
    }

    /// The score of each row as an expression named `score`: the sum of all points, null where a
    /// feature has none. It is one function of the columns of all features, and elementwise.
    #[cfg(feature = "lazy")]
    pub fn score(&self) -> Expr {
        let (card, spec) = (self.clone(), ScoreSpec::default());
        let function = move |columns: &mut [Column]| {
            let (mut added, ..) = card.added_to_batch(columns, &spec)?;
            Ok(added.swap_remove(0))
        };
        let output = |_: &Schema, _: &[Field]| Ok(Field::new("score".into(), DataType::Float64));
        let inputs: Vec<Expr> = self.features().map(column).collect();
        map_multiple(function, inputs, output).alias("score")
    }
}

fn points_of(feature: &FeaturePoints, woe: &Column) -> Result<Column> {
    let points = woe.f64()?.iter().map(|woe| woe.map(|woe| feature.of(woe)));
    Ok(Column::new(format!("{}_points", feature.name).into(), points.collect::<Vec<_>>()))
}
