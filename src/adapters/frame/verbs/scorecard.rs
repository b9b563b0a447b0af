//! Scores and points of Polars columns by a scorecard.

use std::ops::Range;

use polars::prelude::{Column, DataFrame};
#[cfg(feature = "lazy")]
use polars::prelude::{DataType, Expr, Field, Schema, map_multiple};

use super::woe::source_of;
#[cfg(feature = "lazy")]
use super::woe::{mapped, mapping};
use crate::adapters::frame::columns::names;
#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::{broadcast, column};
use crate::data::column_data::Source;
use crate::error::{Result, no_such_column};
use crate::rank::scorecard::FeaturePoints;
use crate::score::{TASK_ROWS, runs_inline};
use crate::util::parallel;
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

/// What is added to some of the rows.
struct Part {
    /// The points of each feature, where they are wanted.
    points: Vec<Vec<Option<f64>>>,
    scores: Vec<Option<f64>>,
    /// The rows with a level that was never seen.
    unseen: u64,
}

impl Scorecard {
    /// The added columns of rows, given the columns of the features in their order, and how many
    /// of them have a level that was never seen. The score is the last column.
    pub(in crate::adapters::frame) fn added(
        &self,
        columns: &[Column],
        n_rows: usize,
        spec: &ScoreSpec,
    ) -> Result<(Vec<Column>, u64)> {
        // Without rows too the dtypes are looked at.
        let firsts = (0..n_rows.max(1)).step_by(TASK_ROWS);
        let parts = firsts.map(|first| first..n_rows.min(first + TASK_ROWS));
        let part = |rows: Range<usize>| self.part(columns, rows, spec.points);
        let parts: Vec<Part> = match runs_inline(n_rows) || n_rows <= TASK_ROWS {
            true => parts.map(part).collect::<Result<_>>()?,
            false => parallel::try_map(parts, part)?,
        };
        let whole = |name: &str, of: &dyn Fn(&Part) -> &[Option<f64>]| {
            let values: Vec<Option<f64>> = parts.iter().flat_map(of).copied().collect();
            Column::new(spec.name(name).into(), values)
        };
        let features = self.features().enumerate().filter(|_| spec.points);
        let points = features
            .map(|(at, name)| whole(&format!("{name}_points"), &|part: &Part| &part.points[at]));
        let mut added: Vec<Column> = points.collect();
        added.push(whole("score", &|part| &part.scores));
        Ok((added, parts.iter().map(|part| part.unseen).sum()))
    }

    /// [`added`](Self::added) to a batch of a query, its scalars broadcast; also how many rows it has.
    #[cfg(feature = "lazy")]
    pub(in crate::adapters::frame) fn added_to_batch(
        &self,
        columns: &[Column],
        spec: &ScoreSpec,
    ) -> Result<(Vec<Column>, u64, usize)> {
        let n_rows = columns.iter().map(Column::len).max().unwrap_or(0);
        let columns: Vec<Column> = columns.iter().map(|c| broadcast(c, n_rows)).collect();
        let (added, unseen) = self.added(&columns, n_rows, spec)?;
        Ok((added, unseen, n_rows))
    }

    fn part(&self, columns: &[Column], rows: Range<usize>, wants_points: bool) -> Result<Part> {
        let (mut points, mut scores) = (Vec::new(), None::<Vec<Option<f64>>>);
        let mut is_unseen = vec![false; rows.len()];
        for ((bins, feature), column) in self.parts().zip(columns) {
            let source = source_of(bins, &column.slice(rows.start as i64, rows.len()))?;
            let places = bins.places_of(source.dtype(), source.cells())?;
            let woe = bins.woe_by_place().into_iter();
            let by_place: Vec<Option<f64>> =
                woe.map(|woe| woe.map(|woe| feature.of(woe))).collect();
            let unseen = bins.unseen_place();
            is_unseen.iter_mut().zip(&places).for_each(|(is, &place)| *is |= place == unseen);
            let of_rows = places.into_iter().map(|place| by_place[place as usize]);
            let of_rows: Vec<Option<f64>> = of_rows.collect();
            match &mut scores {
                None => scores = Some(of_rows.clone()),
                Some(scores) => {
                    for (score, points) in scores.iter_mut().zip(&of_rows) {
                        *score = score.zip(*points).map(|(score, points)| score + points);
                    }
                }
            }
            if wants_points {
                points.push(of_rows);
            }
        }
        let unseen = is_unseen.iter().filter(|is| **is).count() as u64;
        Ok(Part { points, scores: scores.unwrap_or_default(), unseen })
    }
}

fn points_of(feature: &FeaturePoints, woe: &Column) -> Result<Column> {
    let points = woe.f64()?.iter().map(|woe| woe.map(|woe| feature.of(woe)));
    Ok(Column::new(format!("{}_points", feature.name).into(), points.collect::<Vec<_>>()))
}
