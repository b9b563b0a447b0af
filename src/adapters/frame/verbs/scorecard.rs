//! Scorecards as a table, and as a map from rows.

use std::path::Path;

use polars::prelude::{Column, DataFrame};
#[cfg(feature = "lazy")]
use polars::prelude::{DataType, Expr, Field, Schema, map_multiple};

use super::WoeBins;
#[cfg(feature = "lazy")]
use super::woe::{mapped, mapping};
use crate::adapters::common::ScoreSpec;
use crate::adapters::common::woe::scorecard_table;
#[cfg(feature = "lazy")]
use crate::adapters::frame::columns::column;
use crate::adapters::frame::columns::names;
use crate::adapters::frame::tables;
use crate::data::dtype::DType;
use crate::error::{Result, no_such_column};
use crate::rank::scorecard::{FeaturePoints, Points};
use crate::rank::scorecard_text;
use crate::rank::woe::FeatureWoe;
use crate::spec::ScorecardSpec;
use crate::util::atomic_file::write_whole;
use crate::util::file_kind::FileKind;

/// The points of bins, which sum to a score: the higher, the less likely the event.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scorecard {
    /// A row per bin: `feature str, bin u32, rule str, event str, n u64, share f64, event_rate f64,
    /// woe f64, coefficient f64, points f64`, in order of the bins' table.
    pub table: DataFrame,
    /// Of the features of the card alone, in its order.
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
    /// assert_eq!(df.lazy().with_column(card.score()).collect()?.column("score")?.f64()?.get(0), points.get(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Numbers that are not finite, odds or points to double them that are not above 0, coefficients
    /// of no feature, of one that was not binned, or two of one; and no intercept where features leave
    /// out different rows.
    pub fn scorecard(&self, spec: &ScorecardSpec) -> Result<Scorecard> {
        let points = Points::new(&self.features, spec)?;
        let of_card = |feature: &FeaturePoints| self.feature(&feature.name).cloned();
        let bins = points.features.iter().map(of_card).collect::<Result<_>>()?;
        Scorecard::of(bins, points)
    }
}

impl Scorecard {
    fn of(bins: Vec<FeatureWoe>, points: Points) -> Result<Scorecard> {
        let table = tables::frame(scorecard_table(&bins, &points))?;
        Ok(Scorecard { table, bins: WoeBins::of(bins)?, points })
    }

    /// The names of the features, in order of the table.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.points.features.iter().map(|feature| feature.name.as_str())
    }

    /// The bins of the features, and no others.
    pub fn bins(&self) -> &WoeBins {
        &self.bins
    }

    /// The features, with the dtypes that they had when they were binned.
    pub fn dtypes(&self) -> impl Iterator<Item = (&str, &DType)> {
        self.bins.features.iter().map(|feature| (feature.name.as_str(), &feature.dtype))
    }

    /// What the log-odds of the event are multiplied by, and taken from [`offset`](Self::offset).
    pub fn factor(&self) -> f64 {
        self.points.scale.factor
    }

    /// The score at even odds.
    pub fn offset(&self) -> f64 {
        self.points.scale.offset
    }

    /// The intercept of the log-odds.
    pub fn intercept(&self) -> f64 {
        self.points.scale.intercept
    }

    /// Whether the points of each feature are rounded.
    pub fn rounded(&self) -> bool {
        self.points.scale.rounded
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
        let (_, points) = self.feature(column.name())?;
        points_of(points, &self.bins.map(column)?)
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

    /// The card as JSON, to score rows later or elsewhere. The same card gives the same bytes.
    ///
    /// ```
    /// # use gaintree::{ScorecardSpec, prelude::*};
    /// # use polars::prelude::*;
    /// let df = df!["price" => [1, 2, 3, 4], "churn" => ["no", "no", "yes", "yes"]]?;
    /// let card = df.woe_bins("churn", &WoeSpec::default())?.scorecard(&ScorecardSpec::default())?;
    /// let again = Scorecard::from_json(&card.to_json())?;
    /// assert_eq!(again.score_frame(&df)?, card.score_frame(&df)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> String {
        scorecard_text::write(&self.bins.features, &self.points)
    }

    /// The card that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// A text that it did not write, as that of a tree, and one of a later version.
    pub fn from_json(text: &str) -> Result<Scorecard> {
        let (bins, points) = scorecard_text::read(text)?;
        Scorecard::of(bins, points)
    }

    /// Writes [the text](Self::to_json) to a file, whole or not at all.
    ///
    /// # Errors
    /// Where the file cannot be written ([`is_io`](crate::Error::is_io)); nothing is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        write_whole(path.as_ref(), |file| file.write_all(self.to_json().as_bytes()))
    }

    /// Reads the file that [`save`](Self::save) wrote, or `gaintree woe --save-card`.
    ///
    /// # Errors
    /// A file that cannot be read ([`is_io`](crate::Error::is_io)), and one that holds no scorecard.
    pub fn load(path: impl AsRef<Path>) -> Result<Scorecard> {
        FileKind::Scorecard.load(path.as_ref(), Scorecard::from_json)
    }

    /// The bins and the points of a feature.
    fn feature(&self, name: &str) -> Result<(&FeatureWoe, &FeaturePoints)> {
        let at = self.bins.index("feature of the card", name)?;
        Ok((&self.bins.features[at], &self.points.features[at]))
    }

    /// The bins and the points of each feature, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&FeatureWoe, &FeaturePoints)> {
        self.bins.features.iter().zip(&self.points.features)
    }
}

/// The points of weights of evidence.
fn points_of(feature: &FeaturePoints, woe: &Column) -> Result<Column> {
    let points = woe.f64()?.iter().map(|woe| woe.map(|woe| feature.of(woe)));
    Ok(Column::new(format!("{}_points", feature.name).into(), points.collect::<Vec<_>>()))
}
