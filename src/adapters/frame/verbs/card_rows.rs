//! What a scorecard adds to rows: their scores, and the points that these are made of.

use std::ops::Range;

use polars::prelude::Column;

use super::woe::source_of;
#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::broadcast;
use crate::data::column_data::Source;
use crate::error::Result;
use crate::score::{TASK_ROWS, runs_inline};
use crate::util::parallel;
use crate::verbs::{ScoreSpec, Scorecard};

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
