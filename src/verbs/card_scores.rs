//! Scores and points of rows by a scorecard.

use super::frame::{Frame, NamedColumns, in_pool_of_many};
use super::score_spec::ScoreSpec;
use super::scorecard::Scorecard;
use super::table::{FromResults, ResultTable};
use crate::data::column_data::Source;
use crate::error::Result;
use crate::rank::scorecard::FeaturePoints;
use crate::rank::woe::FeatureWoe;
use crate::score::{TASK_ROWS, runs_inline};
use crate::util::parallel;

/// What a feature of a card is called in errors.
const ROLE: &str = "feature of the card";

impl<T: FromResults> Scorecard<T> {
    /// The points of each row of a frame by one of the features, as a table of one column
    /// `<feature>_points`. A missing value and a level never seen have the points of their weight of
    /// evidence; see [`WoeBins::map_frame`](crate::WoeBins::map_frame).
    ///
    /// # Errors
    /// A name that is no feature, and a column that is not there or of another dtype.
    pub fn map_frame<F: Frame + ?Sized>(&self, frame: &F, feature: &str) -> Result<F::Table> {
        let (bins, points) = self.feature(feature)?;
        let columns = frame.columns(&vec![feature].into())?;
        in_pool_of_many::<F, _>(columns.n_rows(), || points.table_of_rows(bins, &columns))
    }

    /// The scores of the rows of a frame, as a table of one column `score`: the sum of their points,
    /// null where a feature has none.
    ///
    /// ```
    /// # use gaintree::{ScorecardSpec, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let card = df.woe_bins("churn", &WoeSpec::default())?.scorecard(&ScorecardSpec::default())?;
    /// assert_eq!(card.scores(&df)?.column("score")?, &card.score_frame(&df)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A feature that is not there or of another dtype.
    pub fn scores<F: Frame + ?Sized>(&self, frame: &F) -> Result<F::Table> {
        let columns = frame.columns(&self.features().collect::<Vec<_>>().into())?;
        in_pool_of_many::<F, _>(columns.n_rows(), || {
            self.added(&columns, &ScoreSpec::default())?.0.into_table()
        })
    }
}

impl FeaturePoints {
    /// `<feature>_points` of each row.
    pub(crate) fn table_of_rows<F: NamedColumns>(
        &self,
        bins: &FeatureWoe,
        frame: &F,
    ) -> Result<F::Table> {
        let woe = bins.woe_of_rows(ROLE, frame)?.into_iter();
        let points = woe.map(|woe| woe.map(|woe| self.of(woe)));
        ResultTable::default().add(format!("{}_points", self.name), points).into_table()
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

impl<T: FromResults> Scorecard<T> {
    /// The added columns of the rows of a frame, and how many of them have a level that was never seen.
    /// The score is the last column.
    pub(crate) fn added<F: NamedColumns>(
        &self,
        frame: &F,
        spec: &ScoreSpec,
    ) -> Result<(ResultTable<'static>, u64)> {
        let n_rows = frame.n_rows();
        // Without rows too the dtypes are looked at.
        let firsts = (0..n_rows.max(1)).step_by(TASK_ROWS);
        let part = |first: usize| {
            self.part(&frame.slice(first..n_rows.min(first + TASK_ROWS)), spec.points)
        };
        let parts: Vec<Part> = match runs_inline(n_rows) || n_rows <= TASK_ROWS {
            true => firsts.map(part).collect::<Result<_>>()?,
            false => parallel::try_map(firsts, part)?,
        };
        let mut added = ResultTable::default();
        let features = self.features().enumerate().filter(|_| spec.points);
        for (at, name) in features {
            let points = parts.iter().flat_map(|part| part.points[at].iter().copied());
            added = added.add(spec.name(&format!("{name}_points")), points);
        }
        let scores = parts.iter().flat_map(|part| part.scores.iter().copied());
        let added = added.add(spec.name("score"), scores);
        Ok((added, parts.iter().map(|part| part.unseen).sum()))
    }

    fn part<F: NamedColumns>(&self, rows: &F, wants_points: bool) -> Result<Part> {
        let (mut points, mut scores) = (Vec::new(), None::<Vec<Option<f64>>>);
        let mut is_unseen = vec![false; rows.n_rows()];
        for (bins, feature) in self.parts() {
            let column = bins.column_of(ROLE, rows)?;
            let places = bins.places_of(column.dtype(), column.cells())?;
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
