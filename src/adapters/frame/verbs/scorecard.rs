//! Scores and points of Polars columns by a scorecard.

use polars::prelude::{Column, DataFrame};
#[cfg(feature = "lazy")]
use polars::prelude::{DataType, Expr, Field, Schema, map_multiple};

#[cfg(feature = "lazy")]
use super::woe::mapping;
#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::{broadcast, column};
use crate::adapters::frame::tables::only;
use crate::error::Result;
#[cfg(feature = "lazy")]
use crate::verbs::ScoreSpec;
use crate::verbs::Scorecard;

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
        self.map_frame(&column.clone().into_frame(), column.name()).map(only)
    }

    /// The scores of rows, named `score`: the sum of their points, null where a feature has none.
    ///
    /// # Errors
    /// A feature that is not there or of another dtype.
    pub fn score_frame(&self, df: &DataFrame) -> Result<Column> {
        self.scores(df).map(only)
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
        let map = move |column: &DataFrame| points.table_of_rows(&bins, column);
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

#[cfg(feature = "lazy")]
impl Scorecard {
    /// What the card adds to a batch of a query, given the columns of the features in their order; scalars
    /// are broadcast. Also how many rows have a level that was never seen, and how many there are. The
    /// score is the last column.
    pub(in crate::adapters::frame) fn added_to_batch(
        &self,
        columns: &[Column],
        spec: &ScoreSpec,
    ) -> Result<(Vec<Column>, u64, usize)> {
        let n_rows = columns.iter().map(Column::len).max().unwrap_or(0);
        let named = self.features().zip(columns);
        let named = named.map(|(name, column)| broadcast(column, n_rows).with_name(name.into()));
        let (added, unseen) = self.added(&DataFrame::new(n_rows, named.collect())?, spec)?;
        Ok((added.into_table::<DataFrame>()?.into_columns(), unseen, n_rows))
    }
}
