//! Scorecards as a table, and as a map from rows.

use polars::prelude::{Column, DataFrame};
#[cfg(feature = "lazy")]
use polars::prelude::{Expr, lit};

use super::WoeBins;
#[cfg(feature = "lazy")]
use super::woe::{mapped, mapping};
use crate::adapters::common::woe::scorecard_table;
use crate::adapters::frame::tables;
use crate::error::{Result, no_such_column};
use crate::rank::scorecard::{FeaturePoints, Points};
use crate::spec::ScorecardSpec;

/// The points of bins, which sum to a score: the higher, the less likely the event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scorecard {
    /// A row per bin: `feature str, bin u32, rule str, event str, n u64, share f64, event_rate f64,
    /// woe f64, coefficient f64, points f64`, in order of the bins' table.
    pub table: DataFrame,
    bins: WoeBins,
    points: Points,
}

impl WoeBins {
    /// The points of these bins on the scale of a scorecard; see [`ScorecardSpec`].
    ///
    /// ```
    /// # use gaintree::{ScorecardSpec, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 1, 2, 2], "churn" => ["no", "no", "no", "yes"]]?;
    /// let woe = df.woe_bins("churn", &WoeSpec::default().intervals(Intervals::Quantiles(2)))?;
    /// let card = woe.scorecard(&ScorecardSpec::default())?;
    /// let points = card.table.column("points")?.f64()?;
    /// assert!(points.get(0) > points.get(1));
    /// # #[cfg(feature = "lazy")]
    /// assert_eq!(df.lazy().with_column(card.score()?).collect()?.column("score")?.f64()?.get(0), points.get(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Numbers that are not finite, odds or points to double them that are not above 0, coefficients
    /// of no feature, of one that was not binned, or two of one; and no intercept where features leave
    /// out different rows.
    pub fn scorecard(&self, spec: &ScorecardSpec) -> Result<Scorecard> {
        let points = Points::new(&self.features, spec)?;
        let table = tables::frame(scorecard_table(&self.features, &points))?;
        Ok(Scorecard { table, bins: self.clone(), points })
    }
}

impl Scorecard {
    /// The names of the features, in order of the table.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.points.features.iter().map(|feature| feature.name.as_str())
    }

    /// What the log-odds of the event are multiplied by, and taken from [`offset`](Self::offset).
    pub fn factor(&self) -> f64 {
        self.points.factor
    }

    /// The score at even odds.
    pub fn offset(&self) -> f64 {
        self.points.offset
    }

    /// The intercept of the log-odds.
    pub fn intercept(&self) -> f64 {
        self.points.intercept
    }

    /// What each feature adds to the score: its name, the points at a weight of evidence of 0, and
    /// the points that one unit of it adds.
    pub fn scales(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        self.points.features.iter().map(|f| (f.name.as_str(), f.base, f.per_woe))
    }

    /// The points of each value of a column, which has the name of its feature; the result is named
    /// `<feature>_points`. A missing value and a level never seen have those of their weight of
    /// evidence; see [`WoeBins::map`].
    ///
    /// # Errors
    /// A name that is no feature, and a column of another dtype.
    pub fn map(&self, column: &Column) -> Result<Column> {
        let feature = self.feature(column.name())?;
        points_of(feature, &self.bins.map(column)?)
    }

    /// The scores of rows, named `score`: the sum of their points, null where a feature has none.
    ///
    /// # Errors
    /// A feature that is not there or of another dtype.
    pub fn score_frame(&self, df: &DataFrame) -> Result<Column> {
        let mut score = Column::new_scalar("score".into(), 0.0.into(), df.height());
        for feature in &self.points.features {
            let column = df.column(&feature.name).map_err(|_| {
                let names: Vec<&str> =
                    df.get_column_names().into_iter().map(|name| name.as_str()).collect();
                no_such_column("feature of the card", &feature.name, &names)
            })?;
            score = (score + points_of(feature, &self.bins.map(column)?)?)?;
        }
        Ok(score)
    }

    /// [`map`](Self::map) as an expression over the column of this name, named `<feature>_points`. It
    /// is elementwise, so that a query streams.
    ///
    /// # Errors
    /// A name that is no feature. A column of another dtype is an error of the query.
    #[cfg(feature = "lazy")]
    pub fn points(&self, feature: &str) -> Result<Expr> {
        self.points_expr(self.feature(feature)?)
    }

    #[cfg(feature = "lazy")]
    fn points_expr(&self, points: &FeaturePoints) -> Result<Expr> {
        let (name, points) = (points.name.as_str(), points.clone());
        let bins = self.bins.feature(name)?.clone();
        let map = move |column: &Column| points_of(&points, &mapped(&bins, column)?);
        Ok(mapping(name, format!("{name}_points"), map))
    }

    /// The score of each row as an expression named `score`: the sum of all points, null where a
    /// feature has none.
    ///
    /// # Errors
    /// Those of [`points`](Self::points).
    #[cfg(feature = "lazy")]
    pub fn score(&self) -> Result<Expr> {
        let points = self.points.features.iter().map(|feature| self.points_expr(feature));
        let points: Vec<Expr> = points.collect::<Result<_>>()?;
        let score = points.into_iter().reduce(|sum, points| sum + points);
        Ok(score.unwrap_or_else(|| lit(0.0)).alias("score"))
    }

    fn feature(&self, name: &str) -> Result<&FeaturePoints> {
        let found = self.points.features.iter().find(|feature| feature.name == name);
        let known = || self.features().collect::<Vec<_>>();
        found.ok_or_else(|| no_such_column("feature of the card", name, &known()))
    }
}

/// The points of weights of evidence.
fn points_of(feature: &FeaturePoints, woe: &Column) -> Result<Column> {
    let points = woe.f64()?.iter().map(|woe| woe.map(|woe| feature.of(woe)));
    Ok(Column::new(format!("{}_points", feature.name).into(), points.collect::<Vec<_>>()))
}
